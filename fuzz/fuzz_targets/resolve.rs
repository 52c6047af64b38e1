//! What a command line does, of any bytes: no panic, and places that lie in the text.
#![no_main]

use hook_shell::path::Places;
use hook_shell::resolve::{NoFiles, resolve, resolve_powershell};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let places =
        Places::new(Some("/home/u"), Some("/home/u/p"), Some("/home/u/p/src")).with_layout(&hook_policy::layout::LAYOUT);
    for report in [resolve(&text, &places, &NoFiles), resolve_powershell(&text, &places, &NoFiles)] {
        let spans = report.actions.iter().map(|action| action.span).chain(report.runs.iter().map(|run| run.span));
        for span in spans {
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
    }
});
