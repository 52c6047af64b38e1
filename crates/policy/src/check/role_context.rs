//! `role-context`: the files that every session gets at its start, and those that its role and its mode add.

use std::collections::BTreeSet;

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::fit::{Fitted, Piece, fit};
use super::{CheckContext, Step};
use crate::finding::{Context, Finding};
use crate::include::{FileText, Source};
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
    /// The directory of the roles, relative to the project: `NAME/role.md`, else `NAME.md`. Empty for none.
    pub roles: String,
    /// The directory of the modes, in the same way. Empty for none.
    pub modes: String,
    /// Directories beside the project and `PROJECT_PATH` whose files a role may name; absolute.
    pub roots: Vec<String>,
    /// Most characters of the whole text. The host delivers no more than 10,000.
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
struct LiveFacts {
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
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if !matches!(ctx.event.body, Body::SessionStart(_)) {
            return None;
        }
        let session = ctx.facts.registered();
        let mut live_facts = LiveFacts::default();
        for core in &self.core {
            let about = if core.about.is_empty() { String::new() } else { format!(" ({})", core.about) };
            let shown = format!("{}{about}: {}", core.label, core.path);
            live_facts.read(ctx, &core.path, &core.label, shown, true);
        }
        live_facts.refused.extend(session.odd_names.iter().map(|name| {
            format!("the name {name:?} of a role or mode, which may hold letters, digits, `-` and `_` only")
        }));
        let role_includes = [(&self.roles, session.role()), (&self.modes, session.mode())];
        for (dir, name) in role_includes.into_iter().filter(|(dir, _)| !dir.is_empty()) {
            self.include(ctx, dir, name, &mut live_facts);
        }
        // A project that has none of these files never meant to.
        if !live_facts.files.iter().any(|file| self.core.iter().any(|core| core.label == file.label)) {
            live_facts.missing.retain(|name| !self.core.iter().any(|core| core.path == *name));
        }
        let is_empty = live_facts.files.is_empty() && live_facts.missing.is_empty() && live_facts.refused.is_empty();
        if is_empty && session.role() == DEFAULT_ROLE && session.mode() == DEFAULT_MODE {
            return None;
        }
        let mut finding = Finding::default();
        let head = format!("Role: {}, mode: {}", session.role(), session.mode());
        finding.faults.extend(live_facts.refused.iter().map(|refused| format!("not loaded: {refused}")));
        finding.context = Some(Context { text: self.text(&head, &live_facts), plain: false });
        Some(finding)
    }
}

impl RoleContext {
    /// Adds what the file of a role or a mode asks for.
    fn include(&self, ctx: &CheckContext<'_>, dir: &str, name: &str, live_facts: &mut LiveFacts) {
        let role_includes = ctx.facts.role_includes(dir, name);
        // Where a project has roles, one that it does not have is a wrong name.
        let is_role = dir == self.roles && name != DEFAULT_ROLE;
        if role_includes.file.is_none() && is_role && ctx.facts.project_dir_names(dir).is_some() {
            live_facts.missing.push(format!("{dir}/{name}/role.md"));
        }
        live_facts.refused.extend(role_includes.fault);
        if role_includes.entries.len() > MOST_ENTRIES {
            let file = role_includes.file.as_deref().unwrap_or(name);
            live_facts.refused.push(format!(
                "entries after the first {MOST_ENTRIES} of {} in the auto_include of {file}",
                role_includes.entries.len()
            ));
        }
        for entry in role_includes.entries.iter().take(MOST_ENTRIES) {
            let included = ctx.facts.included(entry, &self.roots);
            if included.files.is_empty() && included.fault.is_none() {
                live_facts.missing.push(entry.clone());
            }
            live_facts.refused.extend(included.fault);
            for Source { label, path } in included.files {
                live_facts.read(ctx, &path, &label, label.clone(), false);
            }
        }
    }

    /// Title, list of files, and the files within the budget.
    fn text(&self, head: &str, live_facts: &LiveFacts) -> String {
        let budget = self.budget.clamp(1_000, 10_000);
        let mut lines = vec![head.to_owned()];
        if live_facts.failed && !self.fallback.is_empty() {
            lines.insert(0, self.fallback.clone());
        }
        if !live_facts.files.is_empty() {
            lines.push("Loaded files:".to_owned());
            lines.extend(listed(live_facts.files.iter().map(|file| format!("- {}", file.shown)), "\n", MOST_LIST));
        }
        let mut note = |what: &str, names: &[String], between: &str| {
            lines.extend(listed(names.iter().cloned(), between, MOST_LIST).map(|names| format!("{what}: {names}")));
        };
        note("Missing", &live_facts.missing, ", ");
        note("Not loaded", &live_facts.refused, "; ");
        let pieces: Vec<Piece<'_>> = live_facts
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

impl LiveFacts {
    fn read(&mut self, ctx: &CheckContext<'_>, path: &str, label: &str, shown: String, core: bool) {
        match ctx.facts.reading(path) {
            FileText::Missing => self.missing.push(path.to_owned()),
            FileText::Failed(why) => {
                self.failed |= core;
                self.refused.push(format!("{path} ({why})"));
            }
            FileText::Text { path, text } => {
                if is_secret(&path, &crate::call::places(ctx.event, ctx.facts)) {
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
