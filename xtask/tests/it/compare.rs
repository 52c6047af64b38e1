//! `cargo xtask compare` on two hooks that differ in what is known here.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Refuses whatever holds this word, and says where the home directory is.
fn hook(dir: &TempDir, name: &str, word: &str) {
    let text = format!("#!/bin/sh\ncase \"$(cat)\" in *{word}*) echo \"no, $HOME\" >&2; exit 2;; esac\n");
    let path = dir.path().join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn compare(dir: &TempDir, arguments: &[&str]) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("compare").args(arguments).arg("--scratch").arg(dir.path()).current_dir(dir.path());
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", dir.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, said)
}

fn dir() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    hook(&dir, "before", "alpha");
    hook(&dir, "same", "alpha");
    hook(&dir, "after", "beta");
    fs::write(
        dir.path().join("data.toml"),
        "flag = [\"run alpha\", \"run gamma\"]\n[deep]\nmore = [{ command = \"run beta\" }]\n",
    )
    .unwrap();
    fs::write(dir.path().join("page.md"), "| `run alpha \\| x` | text |\n").unwrap();
    dir
}

#[test]
fn two_that_answer_alike_differ_in_nothing() {
    let dir = dir();
    let (output, said) = compare(&dir, &["before", "same", "data.toml", "page.md", "--lines", "20"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(said.contains("4 calls of 2 files and 20 made lines (seed 1): 0 answered otherwise"), "{said}");
}

#[test]
fn each_difference_is_shown_with_both_answers() {
    let dir = dir();
    let (output, said) = compare(&dir, &["before", "after", "data.toml", "page.md"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let lines: Vec<&str> = said.lines().collect();
    let refused = "2  no, @ROOT@/home/user";
    for (command, before, after) in
        [("run alpha", refused, "0  "), ("run beta", "0  ", refused), ("run alpha | x", refused, "0  ")]
    {
        let at = lines.iter().position(|line| *line == command).unwrap_or_else(|| panic!("no {command} in {said}"));
        assert_eq!(lines[at + 1], format!("  before: {before}"), "{said}");
        assert_eq!(lines[at + 2], format!("  after:  {after}"), "{said}");
    }
    assert!(!lines.contains(&"run gamma"), "{said}");
}

#[test]
fn a_file_of_another_kind_is_named() {
    let dir = dir();
    fs::write(dir.path().join("x.yaml"), "a").unwrap();
    let (output, _) = compare(&dir, &["before", "after", "x.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("x.yaml is neither .jsonl, .toml nor .md"), "{output:?}");
}
