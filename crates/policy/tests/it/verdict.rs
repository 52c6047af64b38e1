//! The order of verdicts, by which the strictest wins (X19).

use hook_policy::{FailMode, Verdict};

#[test]
fn deny_beats_ask_beats_allow_beats_nothing() {
    let order = [None, Some(Verdict::Allow), Some(Verdict::Ask), Some(Verdict::Deny)];
    for (weaker, stronger) in order.iter().zip(&order[1..]) {
        assert!(weaker < stronger, "{weaker:?} {stronger:?}");
    }
}

#[test]
fn fail_modes_join_by_strictness() {
    assert_eq!(FailMode::None.join(FailMode::Ask), FailMode::Ask);
    assert_eq!(FailMode::Deny.join(FailMode::Ask), FailMode::Deny);
    assert_eq!(FailMode::Deny.verdict(), Some(Verdict::Deny));
    assert_eq!(FailMode::None.verdict(), None);
}
