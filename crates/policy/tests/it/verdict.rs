//! The laws of the verdict algebra (X19).

use hook_policy::{FailMode, Verdict};
use proptest::prelude::*;

fn verdict() -> impl Strategy<Value = Option<Verdict>> {
    prop_oneof![Just(None), Just(Some(Verdict::Allow)), Just(Some(Verdict::Ask)), Just(Some(Verdict::Deny))]
}

proptest! {
    #[test]
    fn joining_is_commutative_associative_and_idempotent(a in verdict(), b in verdict(), c in verdict()) {
        prop_assert_eq!(Verdict::join(a, b), Verdict::join(b, a));
        prop_assert_eq!(Verdict::join(a, Verdict::join(b, c)), Verdict::join(Verdict::join(a, b), c));
        prop_assert_eq!(Verdict::join(a, a), a);
        prop_assert_eq!(Verdict::join(a, None), a);
    }
}

#[test]
fn deny_beats_ask_beats_allow_beats_nothing() {
    let order = [None, Some(Verdict::Allow), Some(Verdict::Ask), Some(Verdict::Deny)];
    for (weaker, stronger) in order.iter().zip(&order[1..]) {
        assert_eq!(Verdict::join(*weaker, *stronger), *stronger);
    }
}

#[test]
fn fail_modes_join_by_strictness() {
    assert_eq!(FailMode::None.join(FailMode::Ask), FailMode::Ask);
    assert_eq!(FailMode::Deny.join(FailMode::Ask), FailMode::Deny);
    assert_eq!(FailMode::Deny.verdict(), Some(Verdict::Deny));
    assert_eq!(FailMode::None.verdict(), None);
}
