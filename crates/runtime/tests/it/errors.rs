//! What an error says: its own words, and its cause behind them.

use std::error::Error as _;

use hook_runtime::system::files;

#[test]
fn an_error_says_what_was_tried_and_leads_to_its_cause() {
    let dir = tempfile::tempdir().unwrap();
    // No file, and so nothing that is removed as one.
    let refused = std::fs::remove_file(dir.path()).unwrap_err().to_string();
    let error = files::remove(dir.path()).unwrap_err();
    let said = format!("cannot remove {}", dir.path().display());
    assert_eq!(error.to_string(), said);
    assert_eq!(format!("{error:#}"), format!("{said}: {refused}"));
    assert_eq!(error.source().map(ToString::to_string), Some(refused));
    assert!(!error.is_wrong_use() && error.faults().is_none());
}
