//! The cases of the built-in profiles: events, decided and carried out in a project that exists for them only, and what has to come of
//! them. `hookbin selftest` runs them.

use hook_protocol::host::OWN_DIR;
use hook_protocol::own_path;
use std::collections::BTreeMap;
use std::path::Path;

use hook_policy::{Outcome, Verdict};
use hook_protocol::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Error;
use hook_runtime::event::run::rehearse;
use hook_runtime::preflight::SERVERS;
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::trust;

/// A group of cases: its name, the profile in force, the cases.
struct Group {
    name: &'static str,
    profile: &'static str,
    text: &'static str,
}

const GROUPS: &[Group] = &[
    Group { name: "standard", profile: "standard", text: include_str!("../selftest/standard.json") },
    Group { name: "spf", profile: "spf", text: include_str!("../selftest/spf.json") },
    Group { name: "saneprompt", profile: "sane", text: include_str!("../selftest/saneprompt.json") },
    Group { name: "sanetools", profile: "sane", text: include_str!("../selftest/sanetools.json") },
    Group { name: "sanetrack", profile: "sane", text: include_str!("../selftest/sanetrack.json") },
    Group { name: "sanestop", profile: "sane", text: include_str!("../selftest/sanestop.json") },
    Group { name: "config", profile: "sane", text: include_str!("../selftest/config.json") },
];

/// A case: one event, or steps one after another; `{project}` stands for the project's directory.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case<'c> {
    name: String,
    /// Files of the project before the first step.
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(borrow)]
    event: Option<&'c RawValue>,
    verdict: Option<Verdict>,
    /// Words of a reason, context or notice.
    says: Option<String>,
    #[serde(default, borrow)]
    steps: Vec<Step<'c>>,
    /// Files of the project that are there afterwards.
    #[serde(default)]
    there: Vec<String>,
    /// Files that are not.
    #[serde(default)]
    gone: Vec<String>,
    /// Places in the signed state, as JSON pointers, and what is there.
    #[serde(default)]
    state: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step<'c> {
    #[serde(borrow)]
    event: &'c RawValue,
    verdict: Option<Verdict>,
    says: Option<String>,
    /// Nothing at all is said.
    #[serde(default)]
    silent: bool,
}

/// How one case went.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// The profile in force.
    pub profile: &'static str,
    /// The group.
    pub group: &'static str,
    /// What the case is about.
    pub name: String,
    /// What is wrong; `None` when all is as it should be.
    pub wrong: Option<String>,
}

/// The groups of cases, and the profiles that have several.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = GROUPS.iter().flat_map(|group| [group.profile, group.name]).collect();
    let mut seen = Vec::new();
    names.retain(|name| {
        let new = !seen.contains(name);
        seen.push(*name);
        new
    });
    names
}

/// The groups that a name stands for: itself, or all of a profile. Without a name, all there are.
pub fn groups(name: Option<&str>) -> impl Iterator<Item = &'static str> {
    let fits = move |group: &&Group| name.is_none_or(|name| group.name == name || group.profile == name);
    GROUPS.iter().filter(fits).map(|group| group.name)
}

/// Runs the cases of these groups. Each has a project, a home directory and a state of its own, which are gone afterwards; nothing of
/// the user's is read or written.
pub fn run(names: &[&str], now: &System) -> Result<Vec<Tried>, Error> {
    let mut tried = Vec::new();
    for group in GROUPS.iter().filter(|group| names.contains(&group.name)) {
        let cases: Vec<Case<'_>> =
            serde_json::from_str(group.text).map_err(|error| Error::failed("the cases cannot be read", error))?;
        for case in cases {
            let wrong = try_case(group, &case, now)
                .map_err(|error| Error::failed(&format!("cannot run `{}`", case.name), error))?;
            tried.push(Tried { profile: group.profile, group: group.name, name: case.name, wrong });
        }
    }
    Ok(tried)
}

/// The servers that a case's project declares unless the case says otherwise.
const DECLARED: &str = r#"{"mcpServers":{"spf-smart-gate":{},"memory":{},"context7":{},"github":{},"life":{}}}"#;

fn try_case(group: &Group, case: &Case<'_>, now: &System) -> Result<Option<String>, Error> {
    let dir = tempfile::tempdir().map_err(|error| Error::failed("cannot make a temporary directory", error))?;
    let home = dir.path().join("home");
    let project = home.join("project");
    // Without them a profile demands less.
    let declared =
        [(SERVERS.to_owned(), DECLARED.to_owned())].into_iter().filter(|(path, _)| !case.files.contains_key(path));
    for (path, text) in declared.chain(case.files.clone()) {
        let path = project.join(path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, text)?;
    }
    std::fs::create_dir_all(project.join(OWN_DIR))?;
    let (own_home, time) = (home.clone().into_os_string(), now.now);
    let system = System::new(move |name| (name == "HOME").then(|| own_home.clone()), time, Some(project.clone()));
    // What a case configures is the user's word there.
    let place = Project::at(&project);
    let config = std::fs::read_to_string(place.config()).ok();
    trust::keep(&place, trust::Agreed { programs: true, config, ..trust::Agreed::default() }, &system)?;
    let single = case.event.map(|event| Step { event, verdict: case.verdict, says: case.says.clone(), silent: false });
    for (number, step) in single.iter().chain(&case.steps).enumerate() {
        let text = step.event.get().replace("{project}", &project.to_string_lossy());
        let event = Event::parse(&text).map_err(|error| Error::failed("cannot read the event", error))?;
        let wrong = rehearse(&event, group.profile, project.clone(), &system, |outcome| judge(step, outcome));
        if let Some(wrong) = wrong {
            return Ok(Some(format!("step {}: {wrong}", number + 1)));
        }
    }
    Ok(left(case, &project))
}

fn judge(step: &Step<'_>, outcome: &Outcome<'_>) -> Option<String> {
    let word = |verdict: Option<Verdict>| verdict.map_or("no verdict", Verdict::as_str);
    let contexts = outcome.context.iter().map(|context| context.text.as_str());
    let notices = outcome.notices.iter().map(String::as_str);
    let said: Vec<&str> = outcome.reason.as_deref().into_iter().chain(contexts).chain(notices).collect();
    if outcome.verdict != step.verdict {
        return Some(format!("{} instead of {}", word(outcome.verdict), word(step.verdict)));
    }
    if step.silent && !said.is_empty() {
        return Some(format!("it says `{}`", said.join(" ")));
    }
    let missing = step.says.as_deref().filter(|words| !said.iter().any(|text| text.contains(words)));
    missing.map(|words| format!("it does not say `{words}`"))
}

/// What is wrong with what the case left in its project.
fn left(case: &Case<'_>, project: &Path) -> Option<String> {
    let lacks = case.there.iter().find(|path| !project.join(path).exists());
    let keeps = case.gone.iter().find(|path| project.join(path).exists());
    if let Some(path) = lacks {
        return Some(format!("{path} is missing"));
    }
    if let Some(path) = keeps {
        return Some(format!("{path} is there"));
    }
    if case.state.is_empty() {
        return None;
    }
    let text = std::fs::read_to_string(project.join(own_path!("state.json"))).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or_default();
    case.state.iter().find_map(|(pointer, expected)| {
        let found = state.pointer(pointer).unwrap_or(&Value::Null);
        (found != expected).then(|| format!("{pointer} is {found} instead of {expected}"))
    })
}
