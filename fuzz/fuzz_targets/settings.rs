//! Runs the laws of `laws/settings.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/settings.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
