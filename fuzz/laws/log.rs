//! A log of any bytes: it is verified and read without an error, and the records after it are there and follow each other.

use std::fs;

use hook_audit_log::{AuditLog, Limits, Record, redact, stats, tail, verify};

pub(crate) fn check(bytes: &[u8]) {
    let dir = tempfile::tempdir().expect("a throw-away directory");
    let dir = dir.path().join("log");
    fs::create_dir(&dir).expect("a directory");
    fs::write(dir.join("audit.jsonl"), bytes).expect("a log");
    fs::write(dir.join("chain.head"), bytes.get(..256).unwrap_or(bytes)).expect("a chain head");
    verify(&dir).expect("a log of any bytes is verified");
    stats(&dir).expect("a log of any bytes is counted");
    let log = AuditLog::new(&dir, Limits::default());
    let mut last = None;
    for call in ["first", "second", "third"] {
        let record = Record { tool_use_id: Some(call.into()), ..Record::new(chrono::DateTime::UNIX_EPOCH, "Stop") };
        let appended = log.append(&record).expect("a record after any bytes");
        if let Some(last) = last {
            assert_eq!(appended.seq, last + 1);
        }
        last = Some(appended.seq);
        let newest = tail(&dir, 1).expect("the end of the log");
        assert_eq!(newest.first().and_then(|entry| entry.text("tool_use_id")), Some(call));
    }
    let report = verify(&dir).expect("the log is verified again");
    assert_eq!(Some(report.last_seq), last);
    let _ = redact(&String::from_utf8_lossy(bytes));
}
