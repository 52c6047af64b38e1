//! Runs the laws of `laws/event.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/event.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
