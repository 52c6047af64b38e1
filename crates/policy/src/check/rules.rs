//! `rules`: a user's or a team's own rules, in the order of their files.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::{Context, Finding};
use crate::rule::{Fit, RuleIndex, Subject, Then, UserRule, covers};
use crate::verdict::Verdict;
use hook_shell::resolve::Run;
use hook_shell::syntax::{Compound, parse};

/// The rules. They come from `[[rule]]` tables; no profile names this check.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rules {
    /// In the order in which they are asked; the strictest that fits decides, and advice adds up.
    pub rules: RuleIndex,
}

impl Step for Rules {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let report = ctx.report();
        let subject = Subject { event: ctx.event, report, facts: ctx.facts };
        let Ok(candidates) = self.rules.candidates(&subject) else {
            ctx.rules_lost.set(true);
            return None;
        };
        let fits: Vec<Fit<'_>> = candidates.iter().filter_map(|rule| rule.fit(&subject)).collect();
        let mut said: Option<Finding> = None;
        for fit in &fits {
            if fit.rule.then == Then::Allow && !covers(&fits, &subject) {
                continue;
            }
            let finding = finding(fit, ctx);
            match &mut said {
                None => said = Some(finding),
                Some(said) => join(said, finding),
            }
        }
        said
    }

    fn custom_rules(&mut self) -> Option<&mut RuleIndex> {
        Some(&mut self.rules)
    }
}

/// The stricter of two findings, with the advice of both.
fn join(said: &mut Finding, more: Finding) {
    if let Some(context) = more.context {
        match &mut said.context {
            None => said.context = Some(context),
            Some(first) => {
                first.text.push('\n');
                first.text.push_str(&context.text);
            }
        }
    }
    if more.verdict > said.verdict {
        said.verdict = more.verdict;
        said.rule = more.rule;
        said.reason = more.reason;
        said.suggestion = more.suggestion;
    }
    if said.rewrite.is_none() {
        said.rewrite = more.rewrite;
    }
}

fn finding(fit: &Fit<'_>, ctx: &CheckContext<'_>) -> Finding {
    let rule = fit.rule;
    let reason = format!("{} (rule {})", rule.reason, rule.id);
    let decided = |verdict| Finding {
        verdict: Some(verdict),
        rule: Some(rule.id.clone()),
        reason: Some(reason.clone()),
        suggestion: rule.suggest.clone().map(Into::into),
        ..Finding::default()
    };
    match rule.then {
        Then::Deny => decided(Verdict::Deny),
        Then::Ask => decided(Verdict::Ask),
        Then::Allow => Finding { suggestion: None, ..decided(Verdict::Allow) },
        Then::Advise => {
            let text = match &rule.suggest {
                Some(suggest) => format!("{reason}\nInstead: {suggest}"),
                None => reason,
            };
            Finding { context: Some(Context { text, plain: false }), ..Finding::default() }
        }
        Then::Rewrite => match rewritten(rule, fit.run.as_ref(), ctx) {
            Some(command) => Finding {
                rewrite: Some(command),
                context: Some(Context { text: reason, plain: false }),
                ..Finding::default()
            },
            // Where the program does not stand plainly in the text, the corrected command is a suggestion.
            None => decided(Verdict::Deny),
        },
    }
}

/// What stands for the arguments of the program in the command of a rule that rewrites.
const ARGUMENTS: &str = "{args}";

/// The command with the program that fits replaced by the rule's. `None` unless that program is one simple command of the text
/// itself, without redirections or assignments that would be lost.
fn rewritten(rule: &UserRule, run: Option<&Run>, ctx: &CheckContext<'_>) -> Option<String> {
    let run = run.filter(|run| run.depth == 0)?;
    let tool = ctx.event.tool()?;
    let command = tool.command()?;
    let (start, end) = (run.span.start as usize, run.span.end as usize);
    let old = command.get(start..end)?;
    let script = parse(old);
    let [item] = script.list.items.as_slice() else { return None };
    let [only] = item.pipeline.stages.as_slice() else { return None };
    let Compound::Simple(simple) = &only.kind else { return None };
    if !script.is_complete() || !only.redirects.is_empty() || !simple.assigns.is_empty() {
        return None;
    }
    // `{args}` stands for the arguments as they are written.
    let written = simple.words.first().map(|word| word.span.end as usize);
    let arguments = written.and_then(|from| old.get(from..)).unwrap_or_default().trim();
    let new = rule.suggest.as_ref()?.replace(ARGUMENTS, arguments);
    Some(format!("{}{}{}", command.get(..start)?, new.trim_end(), command.get(end..)?))
}
