//! How much of a file counts, by whose it is.

use super::error::{ConfigError, Item};
use super::raw::{Change, Keys, RawProfile};
use crate::finding::quoted;
use crate::rule::Then;

/// How far a file reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The file came with a project and nobody trusts it: it can only make answers stricter. Of its rules those count that refuse or
    /// ask, of its changes the severities that it raises to `deny`, and its profiles stand beside those that are chosen without it, of
    /// which only refusals and questions count, without any effect. Its reasons say whose they are. Whatever else it says has no effect, and neither has a key of a later version.
    Stricter,
    /// A user trusts the project's file: all of it counts but what reaches out of the project.
    Project,
    /// A profile, or the user's own file: all of it counts.
    #[default]
    Everything,
}

/// Settings of steps that reach out of a project, so that they count in the user's own file only: a program of any name, a file of
/// any path, further directories.
pub(super) const PERSONAL: &[&str] = &["command", "append_to", "roots"];

/// Settings of steps that name files and directories, whose content or names a model may get to see. In a project's file they stay within the
/// project: by a path that is not absolute and goes through no `..`. Where links lead is looked at when one is opened.
const PATHS: &[&str] = &[
    "blobs", "contacts", "core", "files", "folder", "folders", "list", "manifest", "memory", "modes", "path",
    "project_temp", "roles", "tasks",
];

/// The setting that a file which nobody trusts may raise, the check that has it, and the one value that is never weaker than another.
pub(super) const RAISED: (&str, &str, &str) = ("guard", "severity", "deny");

pub(super) fn limit(mut file: RawProfile, reach: Reach) -> RawProfile {
    file.reach = reach;
    match reach {
        Reach::Everything => {}
        Reach::Project => leave_out_personal(&mut file),
        Reach::Stricter => leave_out_weaker(&mut file),
    }
    file
}

fn leave_out_personal(file: &mut RawProfile) {
    let mut faults = Vec::new();
    for handler in &mut file.handlers {
        for (step, _, settings) in &mut handler.steps {
            for (key, said) in leave_out(settings) {
                let at = handler.places.of(&[step, &key]);
                faults.push(ConfigError::new(said).at(at).of(Item::Handler, &handler.name));
            }
        }
    }
    for (name, change) in &mut file.changes {
        for (step, settings) in &mut change.steps {
            for (key, said) in leave_out(settings) {
                let at = change.places.of(&[step, &key]);
                faults.push(ConfigError::new(said).at(at).of(Item::Change, &format!("{name}.{step}.{key}")));
            }
        }
    }
    if file.keys.sdk_prompts.take().is_some() {
        let said = "`sdk_prompts` says whose word a prompt is, so it counts in your own file only";
        faults.push(ConfigError::new(said.to_owned()).of(Item::Setting, "sdk_prompts"));
    }
    file.faults.extend(faults.into_iter().map(|fault| fault.in_file(&file.file)));
}

/// Takes out of a step's settings what reaches out of the project. Returns the keys, and what is said of each.
fn leave_out(settings: &mut toml::Table) -> Vec<(String, String)> {
    let mut left = Vec::new();
    for key in PERSONAL.iter().filter(|key| settings.remove(**key).is_some()) {
        left.push((
            (*key).to_owned(),
            format!("`{key}` reaches out of the project, so it counts in your own file only"),
        ));
    }
    let keys: Vec<String> = settings.keys().cloned().collect();
    for key in keys {
        let Some(value) = settings.get_mut(&key) else { continue };
        let mut paths = Vec::new();
        let stays = within(value, PATHS.contains(&key.as_str()), &mut paths);
        for path in paths {
            let said =
                format!("`{key}` names {path:?}, which leads out of the project, so it counts in your own file only");
            left.push((key.clone(), said));
        }
        if !stays {
            settings.remove(&key);
        }
    }
    left
}

/// Takes the paths out of a value that lead out of the project, and says whether anything of it stays.
fn within(value: &mut toml::Value, is_path: bool, left: &mut Vec<String>) -> bool {
    match value {
        toml::Value::String(path) if is_path && leads_out(path) => {
            left.push(path.clone());
            false
        }
        toml::Value::Array(values) => {
            values.retain_mut(|value| {
                let before = left.len();
                let stays = within(value, is_path, left);
                // Of an entry, the rest means nothing without its path.
                stays && left.len() == before
            });
            true
        }
        toml::Value::Table(table) => {
            table.retain(|key, value| within(value, PATHS.contains(&key), left));
            true
        }
        _ => true,
    }
}

/// Whether a path is one that does not begin at the project, or leaves it on the way, on any system.
fn leads_out(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    drive || path.starts_with(['/', '\\', '~', '$', '%']) || path.split(['/', '\\']).any(|part| part == "..")
}

fn leave_out_weaker(file: &mut RawProfile) {
    let profile = file.keys.profile.take();
    file.keys = Keys::default();
    file.keys.profile = profile;
    file.handlers.clear();
    file.faults.clear();
    file.profiles_doubtful = false;
    let counts = |then: Then| matches!(then, Then::Deny | Then::Ask);
    let rules = std::mem::take(&mut file.rules).into_iter().zip(std::mem::take(&mut file.rule_places));
    (file.rules, file.rule_places) = rules.filter(|(rule, _)| counts(rule.then)).unzip();
    for rule in &mut file.rules {
        rule.reason = quoted(&file.file, &rule.reason, rule.suggest.take().map(Into::into).as_ref());
    }
    for (_, change) in &mut file.changes {
        let steps = std::mem::take(&mut change.steps).into_iter().filter_map(|(step, settings)| {
            let raised = raised(&settings);
            (!raised.is_empty()).then(|| (step, toml::Table::from_iter([(RAISED.1.to_owned(), raised.into())])))
        });
        let steps = steps.collect();
        *change = Change { steps, places: std::mem::take(&mut change.places), ..Change::default() };
    }
    file.changes.retain(|(_, change)| !change.steps.is_empty());
}

/// The severities of a step's settings that are as strict as can be.
pub(super) fn raised(settings: &toml::Table) -> toml::Table {
    let severities = settings.get(RAISED.1).and_then(toml::Value::as_table);
    let highest = |value: &toml::Value| value.as_str() == Some(RAISED.2);
    severities
        .into_iter()
        .flatten()
        .filter(|(_, value)| highest(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
