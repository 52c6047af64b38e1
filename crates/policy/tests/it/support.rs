//! Facts that a test sets, and profiles from text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hook_policy::profile::{ConfigError, Profile, RawProfile, resolve};
use hook_policy::{Complexity, Facts, Moment, SessionFacts};

/// Facts as plain values.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) session: SessionFacts,
    pub(crate) handoff: Option<String>,
    pub(crate) complexity: Option<Complexity>,
    pub(crate) files: BTreeMap<&'static str, &'static str>,
    pub(crate) names: Option<Vec<String>>,
}

impl Facts for Known {
    fn now(&self) -> Moment {
        Moment::from_epoch(1_772_359_200)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn session(&self) -> SessionFacts {
        self.session.clone()
    }

    fn complexity(&self) -> Option<Complexity> {
        self.complexity
    }

    fn handoff(&self) -> Option<String> {
        self.handoff.clone()
    }

    fn project_file(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|text| (*text).to_owned())
    }

    fn project_dir_names(&self, _path: &str) -> Option<Vec<String>> {
        self.names.clone()
    }
}

/// Resolves profiles given as `(name, text)`, all of them, with the files on top. `Err` is the first fault.
pub(crate) fn resolved(profiles: &[(&str, &str)], files: &[&str]) -> Result<Profile, ConfigError> {
    let profile = with_faults(profiles, files);
    match profile.faults.first() {
        None => Ok(profile),
        Some(fault) => Err(fault.clone()),
    }
}

/// The same, whatever is wrong.
pub(crate) fn with_faults(profiles: &[(&str, &str)], files: &[&str]) -> Profile {
    let raws: Vec<(String, RawProfile)> =
        profiles.iter().map(|(name, text)| ((*name).to_owned(), RawProfile::parse(name, text))).collect();
    let files: Vec<RawProfile> = files.iter().map(|text| RawProfile::parse("hookbin.toml", text)).collect();
    let names: Vec<String> = profiles.iter().map(|(name, _)| (*name).to_owned()).collect();
    let known: Vec<&str> = profiles.iter().map(|(name, _)| *name).collect();
    let builtin = |name: &str| raws.iter().find(|(known, _)| known == name).map(|(_, raw)| raw.clone());
    resolve(&names, &files, &builtin, &known)
}

/// A handler that refuses a tool.
pub(crate) fn refuser(name: &str, tool: &str, message: &str) -> String {
    format!(
        "[[handler]]\nname = \"{name}\"\non = [\"PreToolUse\"]\ntools = [\"{tool}\"]\nsteps = [\"redirect\"]\n[handler.redirect]\nmessage = \"{message}\"\n"
    )
}
