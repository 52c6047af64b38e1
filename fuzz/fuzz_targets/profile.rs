//! Runs the laws of `laws/profile.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../laws/profile.rs"]
mod laws;

fuzz_target!(|bytes: &[u8]| laws::check(bytes));
