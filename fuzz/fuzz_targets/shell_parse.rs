//! The shell parser on any bytes: no panic, spans in their places, nothing dropped without a word, work in proportion.
#![no_main]

use hook_shell::syntax::{Context, Visit, Word, parse, walk};
use libfuzzer_sys::fuzz_target;

// The same laws as the tests of the crate.
#[path = "../../crates/shell/tests/it/syntax/spans.rs"]
mod spans;

struct Values;

impl Visit for Values {
    fn word(&mut self, word: &Word, _: Context) {
        let _ = word.static_value();
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let script = parse(&text);
    spans::check(&text, &script);
    walk(&script, &mut Values);
});
