//! Verifies an audit log and counts what is in it, without hookbin: `cargo run -p example-log-verifier -- FOLDER`.
//!
//! It exits with 0 when the log is whole, with 4 when something does not fit, with 64 when it was called wrongly, with 1 when the
//! log cannot be read.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it reports to the user who runs it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use hook_audit_log::{read, verify};

const FINDINGS: u8 = 4;
const WRONG_USE: u8 = 64;

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [dir] = arguments.as_slice() else {
        eprintln!("usage: example-log-verifier FOLDER   (the directory that holds audit.jsonl)");
        return Ok(ExitCode::from(WRONG_USE));
    };
    let (text, good) = report(Path::new(dir))?;
    print!("{text}");
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) })
}

/// What there is to say about the log, and whether it is whole.
fn report(dir: &Path) -> anyhow::Result<(String, bool)> {
    let report = verify(dir)?;
    let mut lines = vec![format!("records {} to {} in {} files", report.first_seq, report.last_seq, report.files)];
    for finding in &report.findings {
        let kind = if finding.is_note() { "note" } else { "FAULT" };
        lines.push(format!("{kind}: {finding}"));
    }

    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for entry in read(dir)? {
        let entry = entry?;
        if entry.text("verdict") == Some("deny") {
            *refused.entry(entry.text("tool").unwrap_or("(no tool)").to_owned()).or_default() += 1;
        }
    }
    lines.extend(refused.iter().map(|(tool, times)| format!("refused {times} ×: {tool}")));
    Ok((lines.join("\n") + "\n", report.is_good()))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use hook_audit_log::{AuditLog, Limits, Record};

    use super::report;

    #[test]
    fn a_whole_log_is_counted_and_an_edited_one_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let log = AuditLog::new(dir.path(), Limits::default());
        for (tool, verdict) in [("Read", "deny"), ("Bash", "allow"), ("Read", "deny")] {
            let now = DateTime::from_timestamp(1_795_828_950, 0).unwrap();
            let record =
                Record { tool: Some(tool.into()), verdict: Some(verdict.into()), ..Record::new(now, "PreToolUse") };
            log.append(&record).unwrap();
        }
        let (text, good) = report(dir.path()).unwrap();
        assert_eq!(text, "records 1 to 3 in 1 files\nrefused 2 ×: Read\n");
        assert!(good);

        let file = dir.path().join("audit.jsonl");
        let edited = std::fs::read_to_string(&file).unwrap().replacen("Bash", "Edit", 1);
        std::fs::write(&file, edited).unwrap();
        let (text, good) = report(dir.path()).unwrap();
        assert!(text.contains("FAULT: audit.jsonl:2: record 2 was changed"), "{text}");
        assert!(!good);
    }
}
