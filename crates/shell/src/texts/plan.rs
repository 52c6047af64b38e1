//! A plan of work in Markdown: its phases, their status, and what they lack.

use super::{marker, on_one_line};

/// Headings that tell what is wanted.
const INTENT: &[&str] = &["intent", "vision", "user request", "original"];

/// Most faults that a message lists.
const MOST_ISSUES: usize = 20;

/// What a plan says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    phases: Vec<Phase>,
    /// Level-2 headings, lower case.
    pub headings: Vec<String>,
    intent: bool,
    /// Words that mean to be ids of decisions, each once, and whether the plan has given them up.
    candidates: Vec<(String, bool)>,
}

/// One `## Phase N`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Phase {
    title: String,
    /// What stands behind `**Status:**`, lower case.
    status: Option<String>,
    /// A section called decision log has content.
    decided: bool,
}

impl Plan {
    /// Reads a plan. What stands in fenced code is no heading.
    pub fn parse(text: &str) -> Self {
        let mut plan = Self::default();
        let (mut fenced, mut comment, mut in_phase, mut in_log) = (false, false, false, false);
        for line in text.lines() {
            let line = line.trim_end();
            if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
                fenced = !fenced;
                continue;
            }
            if fenced {
                continue;
            }
            plan.note_ids(line);
            let hidden = hides(line, &mut comment);
            if let Some((level, title)) = heading(line) {
                let lower = title.to_ascii_lowercase();
                plan.intent |= INTENT.iter().any(|word| lower.contains(word));
                if level <= 2 {
                    in_phase = level == 2 && is_phase(&lower);
                    if in_phase {
                        plan.phases.push(Phase { title: title.to_owned(), ..Phase::default() });
                    }
                }
                if level == 2 {
                    plan.headings.push(lower.clone());
                }
                in_log = in_phase && level >= 3 && (lower.contains("decision log") || in_log && level > 3);
                continue;
            }
            let Some(phase) = plan.phases.last_mut().filter(|_| in_phase) else { continue };
            if let Some(status) = status_of(line) {
                phase.status.get_or_insert(status);
            }
            phase.decided |= in_log && !hidden && line.contains(char::is_alphanumeric);
        }
        plan
    }

    fn note_ids(&mut self, line: &str) {
        if !line.contains("DEC-") {
            return;
        }
        let lower = line.to_ascii_lowercase();
        let given_up = lower.contains("deprecated") || lower.contains("superseded");
        for word in marker::candidates(line) {
            let room = self.candidates.len() < marker::MOST_IDS;
            match self.candidates.iter_mut().find(|(known, _)| known == word) {
                Some((_, gone)) => *gone |= given_up,
                None if room => self.candidates.push((word.to_owned(), given_up)),
                None => {}
            }
        }
    }

    /// How many phases have this status.
    pub fn count(&self, status: &str) -> usize {
        self.phases.iter().filter(|phase| phase.status.as_deref() == Some(status)).count()
    }

    /// How many phases there are.
    pub fn phases(&self) -> usize {
        self.phases.len()
    }

    /// The title of the phase in progress, else of the first that is not completed.
    pub fn active(&self) -> Option<&str> {
        let running = self.phases.iter().find(|phase| phase.status.as_deref() == Some("in-progress"));
        let next = || self.phases.iter().find(|phase| phase.status.as_deref() != Some("completed"));
        running.or_else(next).map(|phase| phase.title.as_str())
    }

    /// Well-formed ids, and whether the plan has given them up.
    pub fn ids(&self) -> impl Iterator<Item = (&str, bool)> {
        self.candidates.iter().filter(|(id, _)| marker::is_id(id)).map(|(id, gone)| (id.as_str(), *gone))
    }

    /// What the plan lacks, each in one sentence.
    pub fn issues(&self) -> Vec<String> {
        let mut issues = Vec::new();
        if !self.intent {
            issues.push("no heading says what is wanted; add one such as `## Original intent`".to_owned());
        }
        for phase in &self.phases {
            let title = on_one_line(&phase.title);
            match phase.status.as_deref() {
                Some("completed") if !phase.decided => {
                    issues.push(format!("`{title}` is completed but its `### Decision Log` is missing or empty"));
                }
                Some("planned" | "in-progress" | "completed") => {}
                Some(other) => issues.push(format!(
                    "`{title}` has the status `{}`; use planned, in-progress or completed",
                    on_one_line(other)
                )),
                None => issues.push(format!("`{title}` has no `**Status:**` line")),
            }
        }
        for (word, _) in self.candidates.iter().filter(|(word, _)| !marker::is_id(word)) {
            let word = on_one_line(word);
            issues.push(format!("`{word}` is no decision id; the form is DEC-COMPONENT-001"));
        }
        let more = issues.len().saturating_sub(MOST_ISSUES);
        issues.truncate(MOST_ISSUES);
        if more > 0 {
            issues.push(format!("and {more} more"));
        }
        issues
    }
}

/// The level and the text of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && rest.starts_with([' ', '\t']))
        .then(|| (level, rest.trim().trim_end_matches('#').trim_end()))
}

/// `phase 1 …`, with anything before it: `1. phase 1`.
fn is_phase(title: &str) -> bool {
    title.match_indices("phase").any(|(at, _)| {
        let starts = !title.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
        let rest = title.get(at + 5..).unwrap_or_default().trim_start();
        starts && rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What a line `**Status:** …` says.
fn status_of(line: &str) -> Option<String> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '-' || c == '*');
    let rest = line.strip_prefix("Status:").or_else(|| line.strip_prefix("status:"))?;
    let word = rest.trim_start_matches('*').split_whitespace().next()?;
    Some(word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase())
}

/// Whether a line lies in a comment of the text, or is one.
fn hides(line: &str, open: &mut bool) -> bool {
    let was = *open;
    match (line.rfind("<!--"), line.rfind("-->")) {
        (Some(begin), Some(end)) => *open = begin > end,
        (Some(_), None) => *open = true,
        (None, Some(_)) => *open = false,
        (None, None) => {}
    }
    was || line.trim_start().starts_with("<!--")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Plan\n## Original intent\nSum carts.\n\n## Phase 1: parse\n**Status:** completed\n### Decision Log\n- DEC-CART-001: one pass\n\n## Phase 2: sum\n**Status:** in-progress\n\n## Phase 3: show\n- **Status:** planned\n";

    #[test]
    fn s1_22_a_plan_is_counted_by_its_phases() {
        let plan = Plan::parse(GOOD);
        assert_eq!((plan.phases(), plan.count("completed"), plan.active()), (3, 1, Some("Phase 2: sum")));
        assert_eq!(plan.issues(), Vec::<String>::new());
        assert_eq!(plan.ids().collect::<Vec<_>>(), [("DEC-CART-001", false)]);
        // CRLF, code that looks like headings, and other words that begin like one.
        let plan = Plan::parse(&GOOD.replace('\n', "\r\n"));
        assert_eq!((plan.phases(), plan.issues().len()), (3, 0));
        assert_eq!(Plan::parse("```\n## Phase 1\n```\n## Phases of the moon\n").phases(), 0);
    }

    #[test]
    fn what_a_plan_lacks_is_named() {
        let lacks = |from: &str, to: &str, word: &str| {
            let issues = Plan::parse(&GOOD.replace(from, to)).issues();
            assert_eq!(issues.len(), 1, "{issues:?}");
            assert!(issues[0].contains(word), "{issues:?}");
        };
        lacks("Original intent", "Outline", "no heading");
        lacks("**Status:** in-progress", "", "Phase 2: sum");
        lacks("in-progress", "done", "`done`");
        lacks("- DEC-CART-001: one pass", "<!-- what was decided -->", "Decision Log");
        lacks("### Decision Log\n", "", "Decision Log");
        lacks("DEC-CART-001: one", "DEC-CART-001: one DEC-CART-1", "DEC-CART-1`");
    }
}
