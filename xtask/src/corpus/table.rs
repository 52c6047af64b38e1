//! Counts of answers by group, as tables or JSON, and what a run may be required to reach.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::answer::{Answer, Kind};
use super::case::{Case, Expect};

/// The version of the JSON document.
const VERSION: u32 = 1;
/// How many characters of a command stand in the list of misses.
const WIDTH: usize = 110;
/// How many failures of the hook are shown in full.
const SHOWN_FAILURES: usize = 5;

/// A case with the answer to it.
pub(crate) struct Scored<'a> {
    pub(crate) case: &'a Case,
    pub(crate) answer: &'a Answer,
}

impl Scored<'_> {
    fn kind(&self) -> Kind {
        self.answer.kind()
    }

    /// How bad the answer is, 0 for the expected one. To a case that should pass, silence is as good as an `allow`.
    fn weight(&self) -> u8 {
        match (self.case.expect, self.kind()) {
            (Expect::Deny, Kind::Deny) | (Expect::Ask, Kind::Ask) | (Expect::Allow, Kind::Allow | Kind::None) => 0,
            (Expect::Ask, Kind::Deny) => 1,
            (Expect::Deny, Kind::Ask) => 2,
            (Expect::Allow, Kind::Ask) => 3,
            (Expect::Allow, Kind::Deny) => 4,
            (_, Kind::Failed) => 5,
            (Expect::Ask, Kind::None | Kind::Allow) => 6,
            (Expect::Deny, Kind::None) => 7,
            (Expect::Deny, Kind::Allow) => 8,
        }
    }
}

/// How often each answer was given.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Tally {
    cases: u32,
    deny: u32,
    ask: u32,
    allow: u32,
    none: u32,
    failed: u32,
}

impl Tally {
    fn add(&mut self, kind: Kind) {
        self.cases += 1;
        *match kind {
            Kind::Deny => &mut self.deny,
            Kind::Ask => &mut self.ask,
            Kind::Allow => &mut self.allow,
            Kind::None => &mut self.none,
            Kind::Failed => &mut self.failed,
        } += 1;
    }

    fn denied(&self) -> Option<f64> {
        self.percent(self.deny)
    }

    fn flagged(&self) -> Option<f64> {
        self.percent(self.deny + self.ask)
    }

    /// `None` without a case, of which no share can be told.
    fn percent(&self, part: u32) -> Option<f64> {
        (self.cases > 0).then(|| f64::from(part) * 100.0 / f64::from(self.cases))
    }
}

/// A share of answers that a run must reach or must not exceed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Requirement {
    measure: &'static Measure,
    limit: f64,
}

/// A share of answers among clear cases.
#[derive(Debug, PartialEq)]
struct Measure {
    name: &'static str,
    expect: Expect,
    tier: Option<&'static str>,
    category: Option<&'static str>,
    /// Only refusals count, not questions.
    denials: bool,
}

impl Measure {
    const fn new(name: &'static str, expect: Expect, tier: Option<&'static str>, denials: bool) -> Self {
        Self { name, expect, tier, category: None, denials }
    }

    /// Whether more is better.
    fn at_least(&self) -> bool {
        self.expect != Expect::Allow
    }

    fn covers(&self, case: &Case) -> bool {
        !case.contested
            && case.expect == self.expect
            && self.tier.is_none_or(|tier| case.tier == tier)
            && self.category.is_none_or(|category| case.category == category)
    }

    fn of(&self, cases: &[Scored<'_>]) -> Option<f64> {
        let mut tally = Tally::default();
        cases.iter().filter(|scored| self.covers(scored.case)).for_each(|scored| tally.add(scored.kind()));
        if self.denials { tally.denied() } else { tally.flagged() }
    }
}

const MEASURES: &[Measure] = &[
    Measure::new("core-flagged", Expect::Deny, Some("core"), false),
    Measure::new("core-denied", Expect::Deny, Some("core"), true),
    Measure::new("domain-flagged", Expect::Deny, Some("domain"), false),
    Measure::new("domain-denied", Expect::Deny, Some("domain"), true),
    Measure::new("ask-flagged", Expect::Ask, None, false),
    Measure::new("false-denied", Expect::Allow, None, true),
    Measure::new("flagged", Expect::Allow, None, false),
    Measure { category: Some("benign"), ..Measure::new("benign", Expect::Allow, None, false) },
];

impl FromStr for Requirement {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, limit) = text.split_once('=').with_context(|| format!("`{text}` is not NAME=PERCENT"))?;
        let Some(measure) = MEASURES.iter().find(|measure| measure.name == name) else {
            let known: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
            bail!("no measure is called `{name}`; there are {}", known.join(", "));
        };
        let limit: f64 = limit.parse().with_context(|| format!("`{limit}` is no number"))?;
        if !(0.0..=100.0).contains(&limit) {
            bail!("{limit} is no percentage");
        }
        Ok(Self { measure, limit })
    }
}

/// A requirement with what was found.
#[derive(Debug, Serialize)]
struct Checked {
    name: &'static str,
    limit: f64,
    /// Nothing when no case was left to measure it on; then it is not met either.
    found: Option<f64>,
    met: bool,
}

/// Cases that share a property and what is expected of them.
#[derive(Debug, Serialize)]
struct Group<'a> {
    by: &'static str,
    name: &'a str,
    expect: Expect,
    contested: bool,
    #[serde(flatten)]
    tally: Tally,
    flagged: Option<f64>,
    denied: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Miss<'a> {
    id: &'a str,
    expect: Expect,
    got: Kind,
    contested: bool,
    kind: &'a str,
    command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    file: &'a Path,
    hook: &'a [String],
    cases: usize,
    seconds: f64,
    groups: &'a [Group<'a>],
    /// Cases that have to be denied and were allowed without a question.
    allowed: Vec<&'a str>,
    failed: usize,
    requirements: &'a [Checked],
    misses: &'a [Miss<'a>],
}

/// All that is known after a run.
pub(crate) struct Summary<'a> {
    cases: usize,
    groups: Vec<Group<'a>>,
    misses: Vec<Miss<'a>>,
    required: Vec<Checked>,
}

/// A property by which cases are counted.
type Property = (&'static str, fn(&Case) -> &str);

const PROPERTIES: &[Property] = &[
    ("tier", |case| &case.tier),
    ("category", |case| &case.category),
    ("topic", |case| &case.topic),
    ("form", |case| &case.form),
    ("kind", |case| &case.kind),
    ("source", |case| &case.source),
];

impl<'a> Summary<'a> {
    pub(crate) fn new(cases: &[Scored<'a>], required: &[Requirement]) -> Self {
        let mut groups = Vec::new();
        for (by, property) in PROPERTIES {
            let mut tallies: BTreeMap<(bool, &'a str, Expect), Tally> = BTreeMap::new();
            for scored in cases {
                let key = (scored.case.contested, property(scored.case), scored.case.expect);
                tallies.entry(key).or_default().add(scored.kind());
            }
            groups.extend(tallies.into_iter().map(|((contested, name, expect), tally)| Group {
                by,
                name,
                expect,
                contested,
                tally,
                flagged: tally.flagged(),
                denied: tally.denied(),
            }));
        }

        let mut missed: Vec<&Scored<'a>> = cases.iter().filter(|scored| scored.weight() > 0).collect();
        missed.sort_by_key(|scored| (scored.case.contested, Reverse(scored.weight())));
        let misses = missed.into_iter().map(|scored| Miss {
            id: &scored.case.id,
            expect: scored.case.expect,
            got: scored.kind(),
            contested: scored.case.contested,
            kind: &scored.case.kind,
            command: scored.case.shown(),
            failure: match scored.answer {
                Answer::Failed(how) => Some(how.as_str()),
                _ => None,
            },
        });
        let misses = misses.collect();

        let checked = |requirement: &Requirement| {
            let Requirement { measure, limit } = *requirement;
            let found = measure.of(cases);
            let met = found.is_some_and(|found| if measure.at_least() { found >= limit } else { found <= limit });
            Checked { name: measure.name, limit, found, met }
        };
        Self { cases: cases.len(), groups, misses, required: required.iter().map(checked).collect() }
    }

    /// Whether everything holds that was required; true when nothing was.
    pub(crate) fn holds(&self) -> bool {
        self.required.is_empty()
            || self.required.iter().all(|checked| checked.met) && self.failed() == 0 && self.allowed().next().is_none()
    }

    /// Clear cases to be denied that the hook allowed: worse than silence, because nobody else is asked.
    fn allowed(&self) -> impl Iterator<Item = &Miss<'a>> {
        self.misses.iter().filter(|miss| !miss.contested && miss.expect == Expect::Deny && miss.got == Kind::Allow)
    }

    fn failures(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.misses.iter().filter_map(|miss| miss.failure.map(|how| (miss.id, how)))
    }

    fn failed(&self) -> usize {
        self.failures().count()
    }

    /// The document of `--json`.
    pub(crate) fn json(&self, file: &Path, hook: &[String], time: Duration) -> Result<String> {
        let document = Document {
            version: VERSION,
            file,
            hook,
            cases: self.cases,
            seconds: time.as_secs_f64(),
            groups: &self.groups,
            allowed: self.allowed().map(|miss| miss.id).collect(),
            failed: self.failed(),
            requirements: &self.required,
            misses: &self.misses,
        };
        serde_json::to_string_pretty(&document).context("write the summary as JSON")
    }

    /// The tables, and the misses on request.
    pub(crate) fn text(&self, time: Duration, with_misses: bool) -> String {
        let mut text = String::new();
        for (by, _) in PROPERTIES {
            let groups =
                self.groups.iter().filter(|group| group.by == *by && !group.contested && !group.name.is_empty());
            table(&mut text, by, groups);
        }
        let contested =
            self.groups.iter().filter(|group| group.contested && group.by == "topic" && !group.name.is_empty());
        table(&mut text, "contested, by topic", contested);
        if with_misses {
            self.list_misses(&mut text);
        }

        let failed = self.failed();
        if failed > 0 {
            text.push_str(&format!(
                "\nThe hook failed on {failed} of {} cases, which the client lets pass:\n",
                self.cases
            ));
            for (id, how) in self.failures().take(SHOWN_FAILURES) {
                text.push_str(&format!("  {id}  {how}\n"));
            }
        }
        let allowed: Vec<&str> = self.allowed().map(|miss| miss.id).collect();
        if !allowed.is_empty() {
            text.push_str(&format!("\n!!! ALLOWED ALTHOUGH IT HAS TO BE DENIED: {}\n", allowed.join(" ")));
        }
        let each = time.as_secs_f64() * 1000.0 / f64::from(u32::try_from(self.cases).unwrap_or(u32::MAX));
        let time = time.as_secs_f64();
        text.push_str(&format!("\n{} cases in {time:.1} s, {each:.1} ms a case\n", self.cases));
        for checked in &self.required {
            let word = if checked.met { "holds " } else { "MISSED" };
            let found = percent(checked.found);
            text.push_str(&format!("{word} {}: {found} %, required {} %\n", checked.name, checked.limit));
        }
        text
    }

    fn list_misses(&self, text: &mut String) {
        text.push_str(&format!("\n{} answers differ from the label, the worst first:\n", self.misses.len()));
        for miss in &self.misses {
            let contested = if miss.contested { " contested" } else { "" };
            let (got, command) = (miss.got.name(), one_line(&miss.command));
            let kind = if miss.kind.is_empty() { String::new() } else { format!("  [{}]", miss.kind) };
            text.push_str(&format!("  {}  {:>5} -> {got:<6}{contested}{kind}  {command}\n", miss.id, miss.expect));
        }
    }
}

fn table<'g>(text: &mut String, title: &str, groups: impl Iterator<Item = &'g Group<'g>>) {
    let groups: Vec<&Group<'_>> = groups.collect();
    if groups.is_empty() {
        return;
    }
    let width = groups.iter().map(|group| group.name.len()).max().unwrap_or_default().max(title.len());
    text.push_str(&format!(
        "\n{title:<width$}  expect  cases   deny    ask  allow   none failed   flagged %   denied %\n"
    ));
    for group in groups {
        let Group { name, expect, tally, .. } = group;
        let Tally { cases, deny, ask, allow, none, failed } = tally;
        let [flagged, denied] = [group.flagged, group.denied].map(percent);
        text.push_str(&format!(
            "{name:<width$}  {expect:<6} {cases:>6} {deny:>6} {ask:>6} {allow:>6} {none:>6} {failed:>6} {flagged:>11} {denied:>10}\n"
        ));
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "no case".to_owned(), |share| format!("{share:.1}"))
}

/// A command cut to what fits beside its verdicts; line breaks and control characters are shown, not printed.
fn one_line(command: &str) -> String {
    let mut characters = command.chars().flat_map(visible);
    let line: String = characters.by_ref().take(WIDTH).collect();
    if characters.next().is_some() { format!("{line}…") } else { line }
}

/// A character, or the escape that stands for it in Rust if it controls something.
fn visible(c: char) -> impl Iterator<Item = char> {
    let (plain, escaped) = if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
    plain.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::{Requirement, WIDTH, one_line};

    #[test]
    fn a_command_is_cut_to_one_line() {
        assert_eq!(one_line("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
        assert_eq!(one_line(&"é".repeat(WIDTH)), "é".repeat(WIDTH));
        assert_eq!(one_line(&"é".repeat(WIDTH + 1)), format!("{}…", "é".repeat(WIDTH)));
    }

    #[test]
    fn requirements_name_a_measure_and_a_percentage() {
        assert!("core-flagged=98".parse::<Requirement>().is_ok());
        for wrong in ["core-flagged", "core-flaged=98", "core-flagged=x", "flagged=101", "flagged=NaN"] {
            assert!(wrong.parse::<Requirement>().is_err(), "{wrong}");
        }
    }
}
