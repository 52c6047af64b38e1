//! Rules that a past suggests. Each is tried before it is shown, so that it loads as it stands.

use std::collections::BTreeMap;

use hook_policy::profile::{Profile, RawProfile, resolve_strict};
use hook_policy::rule::audit;
use serde::Serialize;

use super::tally::{Group, Tally};
use super::world::World;
use hook_runtime::config::profiles;

/// Calls of one kind that are needed before they count as a habit.
const HABIT: u64 = 3;
/// Rules of each sort that are proposed.
const RULES: usize = 10;
/// Examples in a rule.
const EXAMPLES: usize = 3;
/// Commands that are tried as its examples.
const TRIED: usize = 6;

/// A rule that a replay proposes, because people let such calls run.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Proposal {
    /// What the rule does: `allow` or `ask`.
    pub then: &'static str,
    /// Why it is proposed, in a sentence.
    pub why: String,
    /// Calls that it stands for.
    pub calls: u64,
    /// The rule for `.claude/hookbin.toml`.
    pub toml: String,
}

/// Calls of one program and sub-command, whatever their options.
#[derive(Default)]
struct Habit<'t> {
    groups: Vec<&'t Group>,
}

impl<'t> Habit<'t> {
    fn sum(&self, of: impl Fn(&Group) -> u64) -> u64 {
        self.groups.iter().map(|group| of(group)).sum()
    }

    fn commands(&self) -> impl Iterator<Item = &'t String> {
        self.groups.iter().flat_map(|group| &group.commands)
    }

    fn refused(&self) -> impl Iterator<Item = &'t String> {
        self.groups.iter().flat_map(|group| &group.refused_commands)
    }
}

/// Rules from what was always let run and from what the user refused, most frequent first.
pub(super) fn propose(tally: &Tally, world: &World<'_>) -> Vec<Proposal> {
    let Some(profile) = world.some_profile() else { return Vec::new() };
    let mut habits: BTreeMap<(&str, &str), Habit<'_>> = BTreeMap::new();
    for group in tally.groups.values() {
        if let Some((part, subcommand)) = group.part.as_ref().and_then(|part| Some((part, part.subcommand.as_ref()?))) {
            habits.entry((&part.program, subcommand)).or_default().groups.push(group);
        }
    }
    for habit in habits.values_mut() {
        habit.groups.sort_by(|a, b| a.commands.cmp(&b.commands));
    }
    let mut order: Vec<(&(&str, &str), &Habit<'_>)> = habits.iter().collect();
    order.sort_by_key(|(_, habit)| std::cmp::Reverse(habit.sum(|group| group.counts.all())));
    let others = |program: &str, subcommand: &str| -> Vec<String> {
        let same = habits.iter().filter(|((of, name), _)| *of == program && *name != subcommand);
        // What was refused is the better neighbour.
        let (mut refused, mut ran) = (Vec::new(), Vec::new());
        for (_, habit) in same {
            refused.extend(habit.refused().take(EXAMPLES).cloned());
            ran.extend(habit.commands().take(EXAMPLES).cloned());
        }
        refused.append(&mut ran);
        refused
    };
    let mut allow = Vec::new();
    let mut ask = Vec::new();
    for ((program, subcommand), habit) in order {
        let calls = habit.sum(|group| group.counts.all());
        let refused = habit.sum(|group| group.refused_by_person);
        let judged = habit.sum(|group| group.counts.deny + group.counts.ask + group.counts.allow);
        if judged > 0 {
            continue;
        }
        let draft = Draft { program, subcommand, then: if refused == 0 { "allow" } else { "ask" } };
        if refused == 0 && calls >= HABIT && habit.sum(|group| group.ran) == calls && allow.len() < RULES {
            let why = format!("{calls} calls of `{program} {subcommand}`, and every one was let run");
            let should_match: Vec<String> = habit.commands().cloned().collect();
            allow.extend(draft.prove(&why, calls, &should_match, &others(program, subcommand), profile));
        } else if refused > 0 && ask.len() < RULES {
            let why = format!("the user refused {refused} of {calls} calls of `{program} {subcommand}`");
            let should_match: Vec<String> = habit.refused().cloned().collect();
            // What the user let run is spared.
            let should_not_match: Vec<String> = habit.commands().cloned().chain(others(program, subcommand)).collect();
            ask.extend(draft.prove(&why, calls, &should_match, &should_not_match, profile));
        }
    }
    ask.extend(allow);
    ask
}

/// A rule that has no examples yet.
struct Draft<'d> {
    program: &'d str,
    subcommand: &'d str,
    then: &'static str,
}

impl Draft<'_> {
    /// The rule with those examples that hold, if there are some.
    fn prove(
        &self,
        why: &str,
        calls: u64,
        should_match: &[String],
        should_not_match: &[String],
        profile: &Profile,
    ) -> Option<Proposal> {
        // Text that speaks of the command runs nothing: the neighbour that is always there.
        let said = format!("echo '{} {}'", self.program, self.subcommand);
        let holds = |should_match: &[String], should_not_match: &[String], args: &[&str]| {
            let text = self.text(why, should_match, should_not_match, args);
            loads(&text, profile).then_some(text)
        };
        // The options of what was refused tell it from what was let run, where the sub-command alone does not.
        let first = should_match.first()?;
        let options: Vec<&str> = first.split_whitespace().filter(|word| word.starts_with('-')).collect();
        let wide = vec![self.subcommand];
        let narrow: Vec<&str> = wide.iter().copied().chain(options).collect();
        for args in [&wide, &narrow] {
            let should_match: Vec<String> = should_match
                .iter()
                .take(TRIED)
                .filter(|should_match| holds(&[(*should_match).clone()], std::slice::from_ref(&said), args).is_some())
                .take(EXAMPLES)
                .cloned()
                .collect();
            let Some(one) = should_match.first().cloned() else { continue };
            let spared: Vec<String> = should_not_match
                .iter()
                .take(TRIED)
                .filter(|spared| holds(std::slice::from_ref(&one), &[(*spared).clone()], args).is_some())
                .take(EXAMPLES)
                .cloned()
                .collect();
            let same_subcommand = |command: &String| command.split_whitespace().any(|word| word == self.subcommand);
            let told_apart = should_not_match.iter().filter(|spared| same_subcommand(spared)).count();
            if self.then == "ask"
                && told_apart > 0
                && !spared.iter().any(same_subcommand)
                && args.len() == 1
                && narrow.len() > 1
            {
                continue;
            }
            let spared = if spared.is_empty() { vec![said.clone()] } else { spared };
            if let Some(toml) = holds(&should_match, &spared, args) {
                return Some(Proposal { then: self.then, why: why.to_owned(), calls, toml });
            }
        }
        None
    }

    fn text(&self, why: &str, should_match: &[String], should_not_match: &[String], args: &[&str]) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let safe = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c.to_ascii_lowercase() } else { '-' })
                .collect()
        };
        let id = format!("{}-{}-{}", self.then, safe(self.program), safe(self.subcommand));
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        format!(
            "[[rule]]\nid = {}\ntool = \"Bash\"\nprogram = {}\nargs = [{}]\nthen = \"{}\"\nreason = {}\nshould_match = [{}]\nshould_not_match = [{}]\n",
            quoted(&id),
            quoted(self.program),
            list(&args),
            self.then,
            quoted(why),
            list(should_match),
            list(should_not_match),
        )
    }
}

/// Whether the rule loads on top of the profile's own files, and no finding speaks against it.
fn loads(text: &str, profile: &Profile) -> bool {
    let raw = RawProfile::parse("proposal", text);
    let resolved = resolve_strict(&profile.names, std::slice::from_ref(&raw), &profiles::raw, &profiles::names());
    resolved.is_ok_and(|resolved| audit(&resolved, raw.rules()).iter().all(|rule| rule.findings.is_empty()))
}
