//! `role-context`: the files that every session gets at its start, and those that its role and its mode add.

use std::collections::BTreeSet;

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::fit::{Fitted, Piece, fit};
use super::{Question, Step};
use crate::finding::{Context, Finding};
use crate::include::{Reading, Source};
use crate::registry::{DEFAULT_MODE, DEFAULT_ROLE};
use hook_shell::resolve::is_secret;

/// Settings of `role-context`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RoleContext {
    /// The first line.
    pub title: String,
    /// The files that every session gets, the most important first.
    pub core: Vec<CoreFile>,
    /// The folder of the roles, relative to the project: `NAME/role.md`, else `NAME.md`. Empty for none.
    pub roles: String,
    /// The folder of the modes, in the same way. Empty for none.
    pub modes: String,
    /// Folders beside the project and `PROJECT_PATH` whose files a role may name; absolute.
    pub roots: Vec<String>,
    /// Most characters of the whole text. The client delivers no more than 10,000.
    pub budget: usize,
    /// Most characters of one file while not all files fit.
    pub file_budget: usize,
    /// What the model is told when one of the files cannot be read.
    pub fallback: String,
}

/// A file that every session gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CoreFile {
    /// Its path, relative to the working directory.
    pub path: String,
    /// Its heading.
    pub label: String,
    /// What it is, for the list of files.
    #[serde(default)]
    pub about: String,
}

impl Default for RoleContext {
    fn default() -> Self {
        Self {
            title: String::new(),
            core: Vec::new(),
            roles: String::new(),
            modes: String::new(),
            roots: Vec::new(),
            budget: 10_000,
            file_budget: 4_000,
            fallback: String::new(),
        }
    }
}

/// Entries of one `auto_include` that count.
const MOST_ENTRIES: usize = 100;
/// Characters that a list of names may take.
const MOST_LIST: usize = 1_200;
/// Characters of one name in a list.
const MOST_NAME: usize = 240;

/// What is gathered.
#[derive(Default)]
struct Gathered {
    files: Vec<Loaded>,
    seen: BTreeSet<String>,
    missing: Vec<String>,
    refused: Vec<String>,
    failed: bool,
}

/// A file that was read.
struct Loaded {
    label: String,
    shown: String,
    path: String,
    text: String,
}

impl Step for RoleContext {
    fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        if !matches!(question.event.body, Body::SessionStart(_)) {
            return None;
        }
        let session = question.facts.registered();
        let mut gathered = Gathered::default();
        for core in &self.core {
            let about = if core.about.is_empty() { String::new() } else { format!(" ({})", core.about) };
            let shown = format!("{}{about}: {}", core.label, core.path);
            gathered.read(question, &core.path, &core.label, shown, true);
        }
        gathered.refused.extend(session.odd_names.iter().map(|name| {
            format!("the name {name:?} of a role or mode, which may hold letters, digits, `-` and `_` only")
        }));
        let wishes = [(&self.roles, session.role()), (&self.modes, session.mode())];
        for (folder, name) in wishes.into_iter().filter(|(folder, _)| !folder.is_empty()) {
            self.include(question, folder, name, &mut gathered);
        }
        // A project that has none of these files never meant to.
        if !gathered.files.iter().any(|file| self.core.iter().any(|core| core.label == file.label)) {
            gathered.missing.retain(|name| !self.core.iter().any(|core| core.path == *name));
        }
        let is_empty = gathered.files.is_empty() && gathered.missing.is_empty() && gathered.refused.is_empty();
        if is_empty && session.role() == DEFAULT_ROLE && session.mode() == DEFAULT_MODE {
            return None;
        }
        let mut finding = Finding::default();
        let head = format!("Role: {}, mode: {}", session.role(), session.mode());
        finding.faults.extend(gathered.refused.iter().map(|refused| format!("not loaded: {refused}")));
        finding.context = Some(Context { text: self.text(&head, &gathered), plain: false });
        Some(finding)
    }
}

impl RoleContext {
    /// Adds what the file of a role or a mode asks for.
    fn include(&self, question: &Question<'_>, folder: &str, name: &str, gathered: &mut Gathered) {
        let wishes = question.facts.wishes(folder, name);
        // Where a project has roles, one that it does not have is a wrong name.
        let is_role = folder == self.roles && name != DEFAULT_ROLE;
        if wishes.file.is_none() && is_role && question.facts.project_dir_names(folder).is_some() {
            gathered.missing.push(format!("{folder}/{name}/role.md"));
        }
        gathered.refused.extend(wishes.fault);
        if wishes.entries.len() > MOST_ENTRIES {
            let file = wishes.file.as_deref().unwrap_or(name);
            gathered.refused.push(format!(
                "entries after the first {MOST_ENTRIES} of {} in the auto_include of {file}",
                wishes.entries.len()
            ));
        }
        for entry in wishes.entries.iter().take(MOST_ENTRIES) {
            let included = question.facts.included(entry, &self.roots);
            if included.files.is_empty() && included.fault.is_none() {
                gathered.missing.push(entry.clone());
            }
            gathered.refused.extend(included.fault);
            for Source { label, path } in included.files {
                gathered.read(question, &path, &label, label.clone(), false);
            }
        }
    }

    /// Title, list of files, and the files within the budget.
    fn text(&self, head: &str, gathered: &Gathered) -> String {
        let budget = self.budget.clamp(1_000, 10_000);
        let mut lines = vec![head.to_owned()];
        if gathered.failed && !self.fallback.is_empty() {
            lines.insert(0, self.fallback.clone());
        }
        if !gathered.files.is_empty() {
            lines.push("Loaded files:".to_owned());
            lines.extend(listed(gathered.files.iter().map(|file| format!("- {}", file.shown)), "\n", MOST_LIST));
        }
        let mut note = |what: &str, names: &[String], between: &str| {
            lines.extend(listed(names.iter().cloned(), between, MOST_LIST).map(|names| format!("{what}: {names}")));
        };
        note("Missing", &gathered.missing, ", ");
        note("Not loaded", &gathered.refused, "; ");
        let pieces: Vec<Piece<'_>> = gathered
            .files
            .iter()
            .map(|file| Piece { name: file.path.clone(), head: format!("## {}\n", file.label), text: &file.text })
            .collect();
        let mut top = [self.title.as_str(), &lines.join("\n")].join("\n\n");
        let room = budget.saturating_sub(top.chars().count() + 4);
        let whole = fit(&pieces, room, usize::MAX);
        let Fitted { parts, cut } = if whole.cut.is_empty() {
            whole
        } else {
            // Room for naming what was cut comes off first.
            fit(&pieces, room.saturating_sub(MOST_LIST + 60), self.file_budget.max(200))
        };
        let names = cut.iter().map(|cut| format!("{} ({} of {} lines left out)", cut.name, cut.lost, cut.lines));
        if let Some(names) = listed(names, ", ", MOST_LIST) {
            top.push_str("\nCut for want of room, read the rest there: ");
            top.push_str(&names);
        }
        std::iter::once(top).chain(parts).collect::<Vec<_>>().join("\n\n")
    }
}

impl Gathered {
    fn read(&mut self, question: &Question<'_>, path: &str, label: &str, shown: String, core: bool) {
        match question.facts.reading(path) {
            Reading::Missing => self.missing.push(path.to_owned()),
            Reading::Failed(why) => {
                self.failed |= core;
                self.refused.push(format!("{path} ({why})"));
            }
            Reading::Text { path, text } => {
                if is_secret(&path, &crate::call::places(question.event, question.facts)) {
                    self.refused.push(format!("{path} (its name is that of a secret)"));
                } else if self.seen.insert(path.clone()) {
                    self.files.push(Loaded { label: label.to_owned(), shown, path, text });
                }
            }
        }
    }
}

/// Names in one text of at most `most` characters; how many did not fit stands at its end. `None` without any.
fn listed(names: impl Iterator<Item = String>, between: &str, most: usize) -> Option<String> {
    let mut text = String::new();
    let mut used = 0;
    let mut left_out = 0;
    for name in names {
        let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_NAME).collect();
        let chars = name.chars().count() + between.len();
        if left_out > 0 || used + chars > most {
            left_out += 1;
            continue;
        }
        if used > 0 {
            text.push_str(between);
        }
        text.push_str(&name);
        used += chars;
    }
    if left_out > 0 {
        text.push_str(&format!("{between}and {left_out} more"));
    }
    (!text.is_empty()).then_some(text)
}
