//! The laws of the fuzz targets on their seeds, on what fuzzing has found so far, and on changed copies of both. It is the part of the
//! fuzzing that needs no other compiler; `cargo xtask fuzz` does the rest.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::sandbox::tree;

#[path = "../../../../fuzz/laws/event.rs"]
mod event;
#[path = "../../../../fuzz/laws/log.rs"]
mod log;
#[path = "../../../../fuzz/laws/profile.rs"]
mod profile;
#[path = "../../../../fuzz/laws/settings.rs"]
mod settings;
#[path = "../../../../fuzz/laws/state.rs"]
mod state;
#[path = "../../../../fuzz/laws/transcript.rs"]
mod transcript;

/// The seeds of a target as `fuzz/seeds.toml` names them: files, or directories of files, each whole.
fn inputs(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table: toml::Table = fs::read_to_string(root.join("fuzz/seeds.toml")).unwrap().parse().unwrap();
    let mut inputs = Vec::new();
    for source in table[target].as_array().unwrap() {
        let path = root.join(source.as_str().unwrap());
        let files: Vec<PathBuf> = if path.is_dir() { tree(&path) } else { vec![path] };
        for file in files {
            let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            inputs.push(bytes);
        }
    }
    let found = root.join("fuzz/regressions").join(target);
    inputs.extend(found.is_dir().then(|| tree(&found)).into_iter().flatten().map(|file| fs::read(file).unwrap()));
    assert!(!inputs.is_empty(), "{target} has no seeds");
    inputs
}

/// A changed copy: bytes flipped, cut out, doubled, or put in from elsewhere. The same number gives the same copy.
fn changed(input: &[u8], number: u64) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ input.len() as u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end.max(1)
    };
    let mut bytes = input.to_vec();
    for _ in 0..=below(3) {
        let at = below(bytes.len());
        let end = (at + 1 + below(16)).min(bytes.len());
        match below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            3 => bytes.truncate(at),
            _ => {
                let sign = b"{}[]\",:\\\n\0/*=#\xff"[below(15)];
                bytes.insert(at, sign);
            }
        }
    }
    bytes
}

fn holds(target: &str, law: fn(&[u8]), copies: u64) {
    let all = inputs(target);
    let mut count = 0;
    for input in &all {
        // Large inputs cost much and show little that small ones do not.
        let copies = if input.len() > 20_000 { copies / 20 } else { copies };
        for bytes in std::iter::once(input.clone()).chain((0..copies).map(|number| changed(input, number))) {
            count += 1;
            let held = catch_unwind(AssertUnwindSafe(|| law(&bytes))).is_ok();
            assert!(held, "{target}: {:?}", String::from_utf8_lossy(&bytes));
        }
    }
    println!("{target}: {count} inputs from {} seeds", all.len());
}

#[test]
fn events_of_any_bytes() {
    holds("event", event::check, 20);
}

#[test]
fn transcripts_of_any_bytes() {
    holds("transcript", transcript::check, 200);
}

#[test]
fn settings_of_any_bytes() {
    holds("settings", settings::check, 200);
}

#[test]
fn profiles_of_any_bytes() {
    holds("profile", profile::check, 40);
}

#[test]
fn states_of_any_bytes() {
    holds("state", state::check, 100);
}

#[test]
fn logs_of_any_bytes() {
    holds("log", log::check, 100);
}
