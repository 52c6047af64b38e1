//! The circuit breaker as a state machine, against a plain model of its rules.

use std::collections::HashMap;

use hook_session_state::{Breaker, BreakerLimits};
use proptest::prelude::*;

const AT: &str = "2026-08-18T09:05:03Z";

#[test]
fn s3_46_three_failures_in_a_row_trip_it() {
    let mut breaker = Breaker::default();
    assert!(!breaker.failed("A", "one", AT, BreakerLimits::default()));
    assert!(!breaker.failed("B", "two", AT, BreakerLimits::default()));
    assert!(!breaker.tripped);
    assert!(breaker.failed("C", "three", AT, BreakerLimits::default()));
    assert_eq!((breaker.tripped, breaker.tripped_at.as_deref()), (true, Some(AT)));
    assert_eq!(breaker.last_error.as_deref(), Some("three"));
}

#[test]
fn s3_47_the_third_of_one_signature_trips_it_whatever_succeeded_between() {
    let mut breaker = Breaker::default();
    for round in 0..3 {
        let trips = breaker.failed("SYNTAX_ERROR", "e", AT, BreakerLimits::default());
        assert_eq!(trips, round == 2);
        breaker.succeeded(BreakerLimits::default());
    }
    assert_eq!((breaker.tripped, breaker.failures), (true, 0));
}

#[test]
fn s3_45_a_success_ends_the_row_and_not_the_count_of_signatures() {
    let mut breaker = Breaker::default();
    breaker.failed("A", "e", AT, BreakerLimits::default());
    breaker.failed("B", "e", AT, BreakerLimits::default());
    assert_eq!(breaker.failures, 2);
    breaker.succeeded(BreakerLimits::default());
    assert_eq!((breaker.failures, breaker.last_error.as_deref()), (0, None));
    assert_eq!(breaker.error_signatures.values().sum::<u32>(), 2);
    // After ten successes in a row each counts one less.
    for _ in 0..9 {
        breaker.succeeded(BreakerLimits::default());
    }
    assert!(breaker.error_signatures.is_empty());
}

#[test]
fn long_errors_are_cut_and_signatures_without_end_are_not_kept() {
    let mut breaker = Breaker::default();
    for number in 0..1_000 {
        breaker.failed(&format!("S{number}"), &"é".repeat(10_000), AT, BreakerLimits::default());
    }
    assert_eq!(breaker.last_error.as_deref().unwrap().chars().count(), 200);
    assert!(breaker.error_signatures.len() <= 33);
    assert_eq!(breaker.error_signatures.values().sum::<u32>(), 1_000);
}

#[derive(Clone, Debug)]
enum Step {
    Fail(u8),
    Succeed,
    Reset,
}

proptest! {
    #[test]
    fn s3_42_it_follows_its_rules(
        steps in prop::collection::vec(
            prop_oneof![4 => (0_u8..4).prop_map(Step::Fail), 6 => Just(Step::Succeed), 1 => Just(Step::Reset)], 0..80),
        threshold in 1_u32..6, same in 1_u32..6, forget_after in 0_u32..5,
    ) {
        let limits = BreakerLimits { threshold, same, forget_after };
        let mut breaker = Breaker::default();
        let (mut row, mut good, mut tripped) = (0, 0, false);
        let mut counts: HashMap<String, u32> = HashMap::new();
        for step in steps {
            match step {
                Step::Fail(kind) => {
                    let name = format!("S{kind}");
                    row += 1;
                    good = 0;
                    let count = counts.entry(name.clone()).or_default();
                    *count += 1;
                    let trips = !tripped && (row >= threshold || *count >= same);
                    tripped |= trips;
                    prop_assert_eq!(breaker.failed(&name, "e", AT, limits), trips);
                }
                Step::Succeed => {
                    row = 0;
                    good += 1;
                    if good == forget_after {
                        good = 0;
                        for count in counts.values_mut() {
                            *count -= 1;
                        }
                        counts.retain(|_, count| *count > 0);
                    }
                    breaker.succeeded(limits);
                }
                Step::Reset => {
                    (row, good, tripped) = (0, 0, false);
                    counts.clear();
                    breaker.reset();
                }
            }
            prop_assert_eq!((breaker.failures, breaker.tripped), (row, tripped));
            prop_assert_eq!(breaker.tripped_at.is_some(), tripped);
            prop_assert_eq!(breaker.error_signatures.iter().map(|(k, v)| (k.clone(), *v)).collect::<HashMap<_, _>>(), counts.clone());
        }
    }
}
