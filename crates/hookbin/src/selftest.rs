//! The documents' `--self-test`: a few cases a profile, decided by this executable and compared with what its document says.

use anyhow::Context as _;
use hook_policy::Verdict;
use hook_protocol::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::host::Host;
use crate::run::preview;

/// The cases, by profile.
const CASES: &[(&str, &str)] =
    &[("standard", include_str!("../selftest/standard.json")), ("spf", include_str!("../selftest/spf.json"))];

#[derive(Deserialize)]
struct Case<'c> {
    name: String,
    #[serde(borrow)]
    event: &'c RawValue,
    verdict: Option<Verdict>,
    /// Words of the reason or of a context.
    says: Option<String>,
}

/// How one case went.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// The profile.
    pub profile: &'static str,
    /// What the case is about.
    pub name: String,
    /// What is wrong; `None` when all is as it should be.
    pub wrong: Option<String>,
}

/// The profiles that have cases.
pub fn profiles() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(profile, _)| *profile)
}

/// Runs the cases of these profiles, each under its profile alone and in a project that exists for this purpose only. Nothing is
/// carried out and nothing is recorded.
pub fn run(names: &[String], host: &Host) -> anyhow::Result<Vec<Tried>> {
    let project = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut tried = Vec::new();
    for (profile, text) in CASES.iter().filter(|(profile, _)| names.iter().any(|name| name == profile)) {
        let cases: Vec<Case<'_>> = serde_json::from_str(text).context("the cases cannot be read")?;
        for case in cases {
            let event =
                Event::parse(case.event.get()).with_context(|| format!("cannot read the event of {}", case.name))?;
            let chosen = Some(vec![(*profile).to_owned()]);
            let wrong = preview(&event, chosen, Some(project.path().to_owned()), host, |outcome, _, _| {
                let said: Vec<&str> = outcome
                    .reason
                    .as_deref()
                    .into_iter()
                    .chain(outcome.context.iter().map(|context| context.text.as_str()))
                    .collect();
                let word = |verdict: Option<Verdict>| verdict.map_or("no verdict", Verdict::as_str);
                let missing = case.says.as_deref().filter(|words| !said.iter().any(|text| text.contains(words)));
                if outcome.verdict == case.verdict {
                    missing.map(|words| format!("it does not say `{words}`"))
                } else {
                    Some(format!("{} instead of {}", word(outcome.verdict), word(case.verdict)))
                }
            });
            tried.push(Tried { profile, name: case.name, wrong });
        }
    }
    Ok(tried)
}
