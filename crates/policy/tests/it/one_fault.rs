//! One broken item of a configuration is off and named; every other one decides as before.

use hook_policy::{Verdict, decide};
use hook_protocol::event::{Event, PreToolUse};
use proptest::prelude::*;

use crate::support::{Known, with_faults};

const BASE: &str = "name = \"base\"\n[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n";

/// Ways to break a rule: a line of it, and what stands there instead.
const BREAKS: &[(&str, &str)] = &[
    ("then = \"deny\"", "then = \"block\""),
    ("then = \"deny\"", "then = \"deny"),
    ("then = \"deny\"", "then = \"deny\"\nthen = \"ask\""),
    ("args = [\"*prod*\"]", "args = [\"*prod*\""),
    ("args = [\"*prod*\"]", "args = 3"),
    ("args = [\"*prod*\"]", "agrs = [\"*prod*\"]"),
    ("reason = \"r\"", "reason = \"\""),
    ("should_not_match = [\"ls\"]", ""),
    ("should_not_match = [\"ls\"]", "= ="),
    ("should_not_match = [\"ls\"]", "should_not_match = [\"ls\"]\nlog.x = 1"),
];

fn rule(at: usize) -> String {
    format!(
        "[[rule]]\nid = \"r{at}\"\nprogram = \"tool{at}\"\nargs = [\"*prod*\"]\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"tool{at} prod\"]\nshould_not_match = [\"ls\"]\n"
    )
}

fn verdict(file: &str, command: &str) -> Option<Verdict> {
    let profile = with_faults(&[("base", BASE)], &[file]);
    let event = Event { body: PreToolUse::bash(command).into(), ..Event::default() };
    let plan = profile.plan(&event.name());
    decide(&event, &plan, &Known::default()).verdict
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_other_rule_and_setting_decides_as_before(broken in 0_usize..4, way in 0..BREAKS.len()) {
        let (from, to) = BREAKS[way];
        let mut file = "on_unreadable = \"ask\"\n[change.guard.guard.severity]\nregistry = \"deny\"\n".to_owned();
        for at in 0..4 {
            file.push_str(&if at == broken { rule(at).replace(from, to) } else { rule(at) });
        }
        let profile = with_faults(&[("base", BASE)], &[&file]);
        prop_assert_eq!(profile.custom_rules, 3, "{:?}", profile.faults);
        let name = format!("r{broken}");
        prop_assert!(profile.faults.iter().any(|fault| fault.name == name && fault.line.is_some()), "{:?}", profile.faults);
        for at in 0..4 {
            let wanted = (at != broken).then_some(Verdict::Deny);
            prop_assert_eq!(verdict(&file, &format!("tool{at} prod")), wanted, "{}", file);
        }
        prop_assert_eq!(verdict(&file, "npm publish"), Some(Verdict::Deny));
    }
}
