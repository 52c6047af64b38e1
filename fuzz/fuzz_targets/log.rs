//! Runs the laws of `laws/log.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/log.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
