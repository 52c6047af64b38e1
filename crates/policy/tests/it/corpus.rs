//! The project's own labelled commands: what the guard says of each under its own strictness.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use hook_policy::rule::Severity;
use serde::Deserialize;

use crate::rules::{places, strictest};

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Label {
    Deny,
    Ask,
    Allow,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    command: String,
    expect: Label,
    tier: String,
    #[serde(default)]
    contested: bool,
    /// The requirement that the case shows.
    req: Option<String>,
    /// What the guard says instead of the label, and why that is accepted.
    answer: Option<Label>,
    known: Option<String>,
}

impl Case {
    /// Whether what was found is what the label wants. A service's command that destroys is asked about at least.
    fn holds(&self, found: Option<Severity>) -> bool {
        match self.answer {
            Some(Label::Deny) => found == Some(Severity::Deny),
            Some(Label::Ask) => found == Some(Severity::Ask),
            Some(Label::Allow) => found.is_none(),
            None => match self.expect {
                Label::Deny if self.tier == "core" => found == Some(Severity::Deny),
                Label::Deny | Label::Ask => found.is_some(),
                Label::Allow => found.is_none(),
            },
        }
    }
}

fn cases(file: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let table: Cases = toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    table.case
}

const FILES: &[&str] = &["core-deny.toml", "ask.toml", "core-allow.toml", "domain.toml"];

/// Long enough for a slow machine; a resolver that tries combinations would need hours.
const LONGEST: Duration = Duration::from_secs(120);

#[test]
fn the_guard_says_of_each_case_what_its_label_wants() {
    let places = places();
    let started = Instant::now();
    let mut wrong = Vec::new();
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for file in FILES {
        for case in cases(file).iter().filter(|case| !case.contested) {
            let command = case.command.replace("@HOME@", &places.home).replace("@PROJECT@", &places.project);
            let found = strictest(&command);
            *counted.entry(file).or_default() += 1;
            if !case.holds(found) {
                wrong.push(format!("{file}: wanted {:?}, found {found:?}: {}", case.expect, case.command));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counted.len() == FILES.len() && counted.values().all(|count| *count >= 50), "{counted:?}");
    assert!(started.elapsed() < LONGEST, "{:?}", started.elapsed());
}

/// A requirement is shown by cases that hold as they are labelled.
#[test]
fn cases_of_requirements_have_no_exception() {
    for case in FILES.iter().flat_map(|file| cases(file)) {
        let excepted = case.contested || case.answer.is_some();
        assert!(case.req.is_none() || !excepted, "{}", case.command);
        assert_eq!(case.answer.is_some(), case.known.as_deref().is_some_and(|why| !why.is_empty()), "{}", case.command);
        assert!(case.answer != Some(case.expect), "an exception that is none: {}", case.command);
    }
}
