//! Bash as an oracle: it checks the syntax of text, or prints words. Nothing that a test generates is ever run.

use std::io::Write;
use std::process::{Command, Stdio};

/// Whether bash is there; if not, says that the comparison is left out.
pub(crate) fn is_missing(what: &str) -> bool {
    let missing = !Command::new("bash").arg("--version").output().is_ok_and(|output| output.status.success());
    if missing {
        // A test has no other way to say what it left out.
        std::io::stderr().write_all(format!("skipped: no bash to compare {what} with\n").as_bytes()).unwrap();
    }
    missing
}

/// Whether `bash -n`, which runs nothing, accepts each of the texts. One process a text, since it stops at the first fault.
pub(crate) fn accepts(text: &str) -> bool {
    let mut child = bare().args(["--norc", "--noprofile", "-n"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    // Of `$(…)` in words, older releases say so only on the error stream.
    output.status.success() && !String::from_utf8_lossy(&output.stderr).contains("syntax error")
}

/// The arguments that bash makes of `words`. They must hold no substitution, no variable, no redirection and no separator.
pub(crate) fn printed(words: &str) -> Vec<u8> {
    let script = format!("printf '%s\\0' {words}");
    let output = bare().args(["--norc", "--noprofile", "-r", "-f", "-c", &script]).output().unwrap();
    assert!(output.status.success(), "bash refuses {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn bare() -> Command {
    let mut command = Command::new("bash");
    command
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
