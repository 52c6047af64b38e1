//! Runs the laws of `laws/state.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/state.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
