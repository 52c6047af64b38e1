//! Runs the laws of `laws/transcript.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/transcript.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
