//! The documents' text logs.

use std::fs;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use hook_audit_log::Error;
use hook_audit_log::text::{LINE_CHARS, TextLog, stamped};

use crate::support::{at, names};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn small(dir: &Path) -> TextLog {
    TextLog { max_bytes: 1_000, keep_lines: 3, ..TextLog::new(dir.join("spf.log")) }
}

#[test]
fn s0_127_lines_are_appended_with_a_time() {
    let root = tempfile::tempdir().unwrap();
    let log = TextLog::new(root.path().join("state/spf.log"));
    log.append(&stamped(at(0), "PRE-MCP-READ: mcp__spf-smart-gate__spf_read")).unwrap();
    log.append(&stamped(at(61), "FAILURE: Tool 'Bash' failed: exit 1")).unwrap();
    assert_eq!(
        read(&log.path),
        "[2026-11-28 01:22:30] PRE-MCP-READ: mcp__spf-smart-gate__spf_read\n\
         [2026-11-28 01:23:31] FAILURE: Tool 'Bash' failed: exit 1\n"
    );
    assert_eq!(fs::metadata(&log.path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(root.path().join("state")).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn what_stood_there_stays() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    fs::write(&log.path, "the user's line\nwithout an end").unwrap();
    log.append("ours").unwrap();
    assert_eq!(read(&log.path), "the user's line\nwithout an end\nours\n");
}

#[test]
fn one_call_makes_one_line() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    log.append("a\n[2026-01-01 00:00:00] forged\r\u{1b}[2J\u{85}\u{2028}\tb é🙂 \u{202e}").unwrap();
    assert_eq!(read(&log.path), "a\\n[2026-01-01 00:00:00] forged\\r\\u001b[2J\\u0085\\u2028\\tb é🙂 \\u202e\n");
    log.append("").unwrap();
    log.append(&"é".repeat(LINE_CHARS + 5)).unwrap();
    let text = read(&log.path);
    let lines: Vec<_> = text.lines().skip(1).collect();
    assert_eq!(lines, ["", &format!("{}…", "é".repeat(LINE_CHARS - 1))]);
}

#[test]
fn sx_09_a_text_log_keeps_no_secret() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    log.append("FAILURE: Tool 'Bash' failed: 401 for key={\"api_key\": \"FAKEs3cr3tFAKE07\"}").unwrap();
    assert_eq!(read(&log.path), "FAILURE: Tool 'Bash' failed: 401 for key={\"api_key\": \"[redacted]\"}\n");
}

/// A file of `size` bytes that ends with `lines` numbered lines; what is before them is a hole.
fn sparse(path: &Path, size: u64, lines: u64) -> String {
    let lines: Vec<_> = (1..=lines).map(|n| format!("line {n}")).collect();
    let text = format!("\n{}\n", lines.join("\n"));
    let file = fs::File::create(path).unwrap();
    file.write_all_at(text.as_bytes(), size - text.len() as u64).unwrap();
    text
}

#[test]
fn s0_62_the_limit_is_512_megabytes_and_must_be_exceeded() {
    let root = tempfile::tempdir().unwrap();
    let log = TextLog::new(root.path().join("spf.log"));
    assert_eq!((log.max_bytes, log.keep_lines), (536_870_912, 5_000));
    assert!(!log.rotate_if_needed().unwrap(), "no file");
    sparse(&log.path, 536_870_912, 10);
    assert!(!log.rotate_if_needed().unwrap());
    assert_eq!(names(root.path()), ["spf.log"]);
}

#[test]
fn s0_63_the_last_5000_lines_stay_and_the_old_file_is_kept_whole() {
    let root = tempfile::tempdir().unwrap();
    let log = TextLog::new(root.path().join("failures.log"));
    let text = sparse(&log.path, 536_870_913, 6_000);
    let inode = fs::metadata(&log.path).unwrap().ino();
    let backup = root.path().join("failures.log.1");
    fs::write(&backup, "an older backup").unwrap();

    assert!(log.rotate_if_needed().unwrap());
    let kept = read(&log.path);
    assert_eq!(kept.lines().count(), 5_000);
    assert!(text.ends_with(&format!("\n{kept}")) && kept.starts_with("line 1001\n"));
    let old = fs::metadata(&backup).unwrap();
    assert_eq!((old.len(), old.ino()), (536_870_913, inode));
    assert_eq!(names(root.path()), ["failures.log", "failures.log.1"]);
    assert_eq!(fs::metadata(&log.path).unwrap().permissions().mode() & 0o777, 0o600);

    log.append("next").unwrap();
    assert!(!log.rotate_if_needed().unwrap());
    assert_eq!(read(&log.path), format!("{kept}next\n"));
}

#[test]
fn s0_63_a_file_of_fewer_lines_is_kept_in_place_too() {
    let root = tempfile::tempdir().unwrap();
    let log = TextLog { keep_lines: 50, ..small(root.path()) };
    let before = format!("first line that goes\n{}\nlast without an end", "x".repeat(980));
    fs::write(&log.path, &before).unwrap();
    assert!(log.rotate_if_needed().unwrap());
    // All three lines are more than the limit, so only what fits in half of it stays.
    assert_eq!(read(&log.path), "last without an end");
    assert_eq!(read(&root.path().join("spf.log.1")), before);
    log.append("next").unwrap();
    assert_eq!(read(&log.path), "last without an end\nnext\n");
}

#[test]
fn one_line_larger_than_the_limit_goes_into_the_backup() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    fs::write(&log.path, "x".repeat(600_000)).unwrap();
    assert!(log.rotate_if_needed().unwrap());
    assert_eq!(read(&log.path), "");
    assert_eq!(fs::metadata(root.path().join("spf.log.1")).unwrap().len(), 600_000);
}

#[test]
fn a_planted_link_or_dir_is_set_aside() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    let victim = root.path().join("victim");
    fs::write(&victim, "keep\n").unwrap();
    symlink(&victim, &log.path).unwrap();
    assert!(!log.rotate_if_needed().unwrap());
    log.append("one").unwrap();
    fs::remove_file(&log.path).unwrap();
    fs::create_dir(&log.path).unwrap();
    log.append("two").unwrap();
    assert_eq!(read(&victim), "keep\n");
    assert_eq!(read(&log.path), "two\n");
    assert_eq!(names(root.path()), ["spf.log", "spf.log.set-aside-1", "spf.log.set-aside-2", "victim"]);
}

#[test]
fn a_planted_fifo_holds_nobody_up() {
    let root = tempfile::tempdir().unwrap();
    let log = small(root.path());
    assert!(std::process::Command::new("mkfifo").arg(&log.path).status().unwrap().success());
    log.append("one").unwrap();
    assert_eq!(read(&log.path), "one\n");
}

#[test]
fn a_file_in_the_dirs_place_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("state"), "").unwrap();
    let error = TextLog::new(root.path().join("state/spf.log")).append("x").unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert!(error.to_string().contains("move away what stands where the log directory belongs"), "{error}");
}
