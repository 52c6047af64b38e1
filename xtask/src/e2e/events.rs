//! Which event of the client reaches the log in which scenario, read from what the scenarios claim.

use std::collections::BTreeMap;

use hook_protocol::event::EventName;
use serde_json::Value;

use super::scenario::Scenario;

/// The scenarios in which an event was seen to reach the log.
pub(crate) struct Proof {
    pub(crate) event: EventName<'static>,
    /// Names of scenarios without a terminal.
    pub(crate) headless: Vec<String>,
    /// Names of scenarios in a terminal.
    pub(crate) terminal: Vec<String>,
}

/// For every event the scenarios that claim a record of it in the audit log. `held` says which of them count.
pub(crate) fn proofs(scenarios: &[Scenario], held: impl Fn(&str) -> bool) -> Vec<Proof> {
    let counted: Vec<&Scenario> = scenarios.iter().filter(|scenario| held(&scenario.name)).collect();
    let of = |event: &EventName<'_>, terminal: bool| {
        let proving = counted.iter().filter(|scenario| is_terminal(scenario) == terminal && claims(scenario, event));
        proving.map(|scenario| scenario.name.clone()).collect()
    };
    EventName::ALL
        .into_iter()
        .map(|event| Proof { headless: of(&event, false), terminal: of(&event, true), event })
        .collect()
}

/// Whether the scenario breaks when the log holds no record of the event.
fn claims(scenario: &Scenario, event: &EventName<'_>) -> bool {
    let names = |value: Option<&Value>| value.and_then(Value::as_str) == Some(event.as_str());
    scenario.expect.log.iter().any(|count| count.is != Some(0) && names(count.fields.get("event")))
}

fn is_terminal(scenario: &Scenario) -> bool {
    scenario.runs.iter().any(|run| !run.keys.is_empty())
}

/// The longest list of scenarios that a row names.
const NAMED: usize = 3;

/// The table of the page.
pub(crate) fn table(proofs: &[Proof], reasons: &BTreeMap<String, String>) -> String {
    let mut text = String::from("| event | in our log, headless | in a terminal |\n| --- | --- | --- |\n");
    for proof in proofs {
        let headless = match reasons.get(proof.event.as_str()) {
            Some(reason) if proof.headless.is_empty() => format!("no: {}", reason.replace('|', "\\|")),
            _ => listed(&proof.headless),
        };
        text.push_str(&format!("| {} | {headless} | {} |\n", proof.event, listed(&proof.terminal)));
    }
    text
}

fn listed(names: &[String]) -> String {
    match names.split_at_checked(NAMED) {
        Some((first, rest)) if !rest.is_empty() => format!("{} and {} more", first.join(", "), rest.len()),
        _ if names.is_empty() => "not shown".to_owned(),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{client, scenario};
    use super::*;

    #[test]
    fn every_event_reaches_the_log_in_a_headless_scenario_or_there_is_a_reason_why_not() {
        let reasons = client::not_headless().unwrap();
        for proof in proofs(&scenario::all().unwrap(), |_| true) {
            let (name, is_shown) = (proof.event.as_str(), !proof.headless.is_empty());
            assert_ne!(is_shown, reasons.contains_key(name), "{name}: shown by {:?}", proof.headless);
            let is_registered = proof.event != EventName::WorktreeCreate;
            assert_eq!(is_shown || !proof.terminal.is_empty(), is_registered, "{name} reaches the log nowhere");
        }
        let known = |name: &String| EventName::ALL.iter().any(|event| event.as_str() == name);
        assert!(reasons.keys().all(known), "{reasons:?}");
    }

    #[test]
    fn only_what_held_and_claims_a_record_is_named() {
        let read = |name: &str, keys: &str, claim: &str| {
            let text = format!("about = 'x'\n[[run]]\n{keys}\n[expect]\n{claim}");
            let mut scenario: Scenario = toml::from_str(&text).unwrap();
            scenario.name = name.into();
            scenario
        };
        let headless = "prompts = ['Go.']";
        let scenarios = [
            read("a", headless, "log = [{ match = { event = 'Stop' }, is = 1 }]"),
            read("b", headless, "log = [{ match = { event = 'Stop' }, is = 0 }]"),
            read("c", headless, "seen = [{ match = { event = 'Stop' } }]"),
            read("d", "keys = [{ wait = 'a', send = 'b' }]", "log = [{ match = { event = 'Stop' } }]"),
            read("e", headless, "log = [{ match = { event = 'Stop' } }]"),
        ];
        let table = table(&proofs(&scenarios, |name| name != "e"), &[("Setup".into(), "a|b".into())].into());
        for row in ["| Stop | a | d |", "| Setup | no: a\\|b | not shown |", "| StopFailure | not shown | not shown |"]
        {
            assert!(table.lines().any(|line| line == row), "{row}: {table}");
        }
        assert_eq!(listed(&["a", "b", "c", "d", "e"].map(String::from)), "a, b, c and 2 more");
        assert_eq!(listed(&["a", "b", "c"].map(String::from)), "a, b, c");
    }
}
