//! `briefing`: the files that say how the collective works, and what a compaction would have lost, at the start of a session.

use hook_protocol::raw::Fields;
use serde::{Deserialize, Serialize};

use super::fit::{Fitted, Piece, fit};
use super::recovery::{Recovered, recovered};
use super::{CheckContext, Step};
use crate::effect::{Effect, FileChange, ProjectFile};
use crate::finding::{Context, Finding};
use crate::handoff::Change;

/// Settings of `briefing`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Briefing {
    /// The line before the files.
    pub title: String,
    /// The line behind them.
    pub closing: String,
    /// The files, relative to the project, the most important first.
    pub files: Vec<String>,
    /// Most characters of the whole text. The host delivers no more than 10,000.
    pub budget: usize,
}

impl Default for Briefing {
    fn default() -> Self {
        Self { title: String::new(), closing: String::new(), files: Vec::new(), budget: 10_000 }
    }
}

/// Characters kept free for naming what was cut.
const CUT_ROOM: usize = 400;

impl Step for Briefing {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let texts: Vec<(&str, String)> = self
            .files
            .iter()
            .filter_map(|file| Some((file.as_str(), facts.project_file(file)?)))
            .filter(|(_, text)| !text.trim().is_empty())
            .collect();
        let found = recovered(facts);
        let mut finding = Finding::default();
        let block = match found {
            Recovered::Nothing => None,
            Recovered::Useless(why) => {
                finding.notice = Some(why);
                finding.effects.push(file(FileChange::SetAside));
                None
            }
            Recovered::Own(block) => {
                finding.effects.push(Effect::Routing(Change::Recovered(block.clone())));
                Some(block)
            }
            Recovered::Block(block) => {
                finding.effects.push(file(FileChange::Remove));
                finding.effects.push(Effect::Routing(Change::Recovered(block.clone())));
                Some(block)
            }
        };
        if texts.is_empty() && block.is_none() {
            return (finding != Finding::default()).then_some(finding);
        }
        let text = self.text(&texts, block.as_deref());
        Some(Finding { context: Some(Context { text, plain: false }), ..finding })
    }
}

impl Briefing {
    /// Title, files, recovery and closing within the budget. A file that does not fit is cut at the end of a line, and named.
    fn text(&self, files: &[(&str, String)], recovery: Option<&str>) -> String {
        let budget = self.budget.clamp(1_000, 10_000);
        let fixed = [self.title.as_str(), recovery.unwrap_or_default(), self.closing.as_str()];
        let used: usize = fixed.iter().map(|text| text.chars().count() + 2).sum();
        let mut left = budget.saturating_sub(used);
        let all: usize = files.iter().map(|(file, text)| file.len() + text.trim_end().chars().count() + 8).sum();
        if all > left {
            left = left.saturating_sub(CUT_ROOM);
        }
        let pieces: Vec<Piece<'_>> = files
            .iter()
            .map(|(file, text)| Piece { name: (*file).to_owned(), head: format!("## {file}\n"), text })
            .collect();
        let Fitted { mut parts, cut } = fit(&pieces, left, usize::MAX);
        if !cut.is_empty() {
            let names = cut.iter().map(|cut| format!("{} ({} of {} lines)", cut.name, cut.lost, cut.lines));
            let names: Vec<String> = names.collect();
            let note: String = format!("Left out for want of room, read it there: {}", names.join(", "))
                .chars()
                .take(CUT_ROOM - 4)
                .collect();
            parts.push(note);
        }
        let title = Some(self.title.clone()).filter(|title| !title.is_empty());
        let closing = Some(self.closing.clone()).filter(|closing| !closing.is_empty());
        title
            .into_iter()
            .chain(parts)
            .chain(recovery.map(str::to_owned))
            .chain(closing)
            .collect::<Vec<_>>()
            .join("\n\n")
    }
}

fn file(change: FileChange) -> Effect {
    let (dir, name) = super::recovery::FILE;
    Effect::File(ProjectFile { dir: dir.to_owned(), name: name.to_owned(), change })
}

/// Whether a text is one JSON object.
pub(super) fn object(text: &str) -> Option<Fields<'_>> {
    Fields::parse(text.trim_start_matches('\u{feff}')).ok()
}
