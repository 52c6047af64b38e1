//! Laws that hold for every rule: what is refused stays refused however it is run or spelled, data is no command, and neither white
//! space nor what stands beside a command changes the answer.

mod spelling;

use std::sync::LazyLock;

use hook_policy::rule::{Family, Severity, all, violations};
use hook_shell::resolve::{NoFiles, resolve};
use hook_shell::syntax::{Compound, Simple, Static, parse};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::Deserialize;

use self::spelling::{SPELLINGS, Spelling, fill, single_quoted};
use crate::rules::{places, strictest};

/// A way to run a command or to mention it.
type Template = &'static str;

/// The ways of `ways.toml`.
#[derive(Deserialize)]
struct Ways {
    lines: Vec<String>,
    prefixes: Vec<String>,
    data: Vec<String>,
    beside: Vec<String>,
    neutral: Vec<String>,
    same: Vec<Same>,
}

/// One command in several spellings.
#[derive(Deserialize)]
struct Same {
    command: String,
    spellings: Vec<String>,
}

static WAYS: LazyLock<Ways> = LazyLock::new(|| toml::from_str(include_str!("../data/ways.toml")).unwrap());

fn lines() -> Vec<Template> {
    WAYS.lines.iter().map(String::as_str).collect()
}

/// Whether the program still runs behind the prefix.
fn runs_alone(prefix: &str, program: &str) -> bool {
    match prefix {
        // A builtin is no program that these could start.
        "command" | "command --" | "A=1" | "!" | "2>/dev/null" | "</dev/null" | "time" | "time -p" => true,
        _ => !BUILTINS.contains(&program),
    }
}

const BUILTINS: &[&str] =
    &["eval", "source", ".", "cd", "exec", "export", "trap", "alias", "set", "unset", "printf", "wait", "while", ":"];

/// An example that fires, with the program that it runs if it is one simple command.
#[derive(Debug, Clone)]
struct Example {
    rule: &'static str,
    family: Family,
    text: &'static str,
    severity: Severity,
    simple: Option<Simple>,
}

/// Every example that can stand within another command.
fn examples() -> Vec<Example> {
    all()
        // What a store hands out, and a variable, is judged by where it goes, so that a token can be given to the program that needs it;
        // the tables of `runs.rs` follow it there.
        .filter(|rule| !rule.off && !matches!(rule.id, "secret-fetch" | "secret-variable"))
        .flat_map(|rule| rule.should_match.iter().map(move |text| (rule, *text)))
        .filter(|(_, text)| parse(text).is_complete())
        .map(|(rule, text)| {
            let severity = strictest(text).unwrap_or_else(|| panic!("{}: {text}", rule.id));
            Example { rule: rule.id, family: rule.family, text, severity, simple: simple(text) }
        })
        .collect()
}

fn simple(text: &str) -> Option<Simple> {
    let script = parse(text);
    let [item] = script.list.items.as_slice() else { return None };
    let [command] = item.pipeline.stages.as_slice() else { return None };
    let Compound::Simple(simple) = &command.kind else { return None };
    (command.redirects.is_empty() && simple.assigns.is_empty() && !item.background && !item.pipeline.negated)
        .then(|| simple.clone())
}

fn program(simple: &Simple, text: &str) -> String {
    simple.words.first().map(|word| word.span.of(text).to_owned()).unwrap_or_default()
}

/// The words of a command, each in another spelling; those that depend on something stay as they are.
fn spelled(simple: &Simple, text: &str, spell: impl Fn(usize, &str) -> String, between: &str) -> String {
    let words: Vec<String> = simple
        .words
        .iter()
        .enumerate()
        .map(|(at, word)| match word.static_value() {
            Static::Known(value) => spell(at, &value),
            _ => word.span.of(text).to_owned(),
        })
        .collect();
    words.join(between)
}

/// What a violations law looks like.
fn show(violations: &[String]) -> String {
    format!("{} of them:\n{}", violations.len(), violations.join("\n"))
}

#[test]
fn what_is_refused_stays_refused_however_the_line_is_run() {
    let mut lifted = Vec::new();
    for example in examples() {
        for template in lines() {
            let command = fill(template, example.text);
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{template:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_behind_every_prefix() {
    let mut lifted = Vec::new();
    for example in examples() {
        let Some(simple) = &example.simple else { continue };
        let program = program(simple, example.text);
        for prefix in WAYS.prefixes.iter().filter(|prefix| runs_alone(prefix, &program)) {
            let least = match prefix.as_str() {
                // Nobody knows whether it runs what follows: a denial becomes a question, and a question nothing.
                "unknown-runner --flag" if example.severity == Severity::Ask => continue,
                "unknown-runner --flag" => Severity::Ask,
                _ => example.severity,
            };
            if strictest(&format!("{prefix} {}", example.text)) < Some(least) {
                lifted.push(format!("{prefix:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_in_every_spelling() {
    let mut lifted = Vec::new();
    for example in examples() {
        let Some(simple) = &example.simple else { continue };
        for (name, spell) in SPELLINGS {
            let command = spelled(simple, example.text, |_, word| spell(word), " ");
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{name}  {}  {command}", example.rule));
            }
        }
        let named = spelled(simple, example.text, |at, _| format!("\"$V{at}\""), " ");
        let variables: String = simple
            .words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| match word.static_value() {
                Static::Known(value) => Some(format!("V{at}={}; ", single_quoted(&value))),
                _ => None,
            })
            .collect();
        let command = variables + &named;
        let mut joined = vec![("variables", command)];
        // One word that the shell takes apart again: only where every word is plain text.
        let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-/._".contains(c));
        let words: Vec<&str> = simple.words.iter().map(|word| word.span.of(example.text)).collect();
        if words.len() > 1 && words.iter().all(|word| plain(word)) {
            joined.push(("braces", format!("{{{}}}", words.join(","))));
            joined.push(("separator variable", words.join("${IFS}")));
            joined.push(("separator variable and parameter", words.join("$IFS$9")));
            joined.push(("one variable", format!("LINE='{}'; $LINE", words.join(" "))));
            joined.push(("array", format!("LINE=({}); \"${{LINE[@]}}\"", words.join(" "))));
            joined.push(("positional", format!("set -- {}; \"$@\"", words.join(" "))));
            joined.push(("own separator", format!("IFS=,; LINE='{}'; $LINE", words.join(","))));
        }
        for (name, command) in joined {
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{name}  {}  {command}", example.rule));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_with_its_options_written_in_another_way() {
    let examples = examples();
    let mut lifted = Vec::new();
    for same in &WAYS.same {
        let found: Vec<_> = examples.iter().filter(|example| example.text.starts_with(&same.command)).collect();
        assert!(!found.is_empty(), "no example begins with {:?}", same.command);
        for example in found {
            for spelling in &same.spellings {
                let command = example.text.replacen(&same.command, spelling, 1);
                if strictest(&command) < Some(example.severity) {
                    lifted.push(format!("{}  {command}", example.rule));
                }
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_with_its_paths_written_in_another_way() {
    const PATHS: &[Spelling] = &[
        ("double separators", |path| path.replace('/', "//")),
        ("dots", |path| path.replace('/', "/./")),
        ("there and back", |path| path.replacen('/', "/usr/../", 1)),
        ("from here", |path| if path.starts_with('/') { format!("../../../..{path}") } else { path.to_owned() }),
        ("home by name", |path| path.replacen("~/", "/home/dev/", 1)),
        ("home by variable", |path| path.replacen("~/", "$HOME/", 1)),
        ("home by variable in quotes", |path| path.replacen("~/", "\"${HOME}\"/", 1)),
        ("home by its user", |path| path.replacen("~/", "~dev/", 1)),
    ];
    let mut lifted = Vec::new();
    for example in examples() {
        let Some(simple) = &example.simple else { continue };
        let words: Vec<&str> = simple.words.iter().map(|word| word.span.of(example.text)).collect();
        let is_path = |word: &str| word.starts_with(['/', '~']) && word.contains('/') && !word.contains(['*', '$']);
        // What begins with a slash is an option to a program of Windows.
        let windows = words.first().is_some_and(|name| name.trim_end_matches(".exe") == "schtasks");
        if windows || !words.iter().skip(1).any(|word| is_path(word)) {
            continue;
        }
        for (name, write) in PATHS {
            let words: Vec<String> = words
                .iter()
                .enumerate()
                .map(|(at, word)| if at > 0 && is_path(word) { write(word) } else { (*word).to_owned() })
                .collect();
            let command = words.join(" ");
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{name}  {}  {command}", example.rule));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_is_at_least_asked_about_on_another_machine() {
    // What belongs to this machine is not there: its secrets, the guard, the project's repository.
    let here = [Family::Secrets, Family::SelfProtection];
    let mut lifted = Vec::new();
    for example in examples() {
        let in_repository = [".git", "worktrees"].iter().any(|name| example.text.contains(name));
        // What is there to be overwritten only a look tells, and nobody looks at another machine.
        let looked_at = example.rule == "replace-outside";
        if here.contains(&example.family) || in_repository || looked_at {
            continue;
        }
        for template in ["ssh host {q}", "ssh -p 22 me@host -- {q}", "ssh host <<'EOF'\n{}\nEOF"] {
            if strictest(&fill(template, example.text)).is_none() {
                lifted.push(format!("{template:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn a_command_that_is_only_data_is_not_refused() {
    let mut refused = Vec::new();
    for example in examples() {
        for template in &WAYS.data {
            let line_only = template.starts_with('#') || template.starts_with("ls #");
            let ends_early = template.contains("EOF") && example.text.contains("EOF");
            if ends_early || line_only && example.text.contains('\n') {
                continue;
            }
            if let Some(severity) = strictest(&fill(template, example.text)) {
                refused.push(format!("{template:?}  {severity:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(refused.is_empty(), "{}", show(&refused));
}

#[test]
fn white_space_does_not_change_the_answer() {
    let mut changed = Vec::new();
    let spared = all().flat_map(|rule| rule.should_not_match.iter().copied());
    let texts =
        examples().into_iter().map(|example| example.text).chain(spared).filter(|text| parse(text).is_complete());
    for text in texts {
        let expected = strictest(text);
        for template in ["  {}", "\t{}\t", "\n\n{}\n", "{}  \n\n", "{} ;", "{}\n# done", "# first\n{}"] {
            if text.ends_with(['&', ';']) && template.ends_with(';') {
                continue;
            }
            let command = fill(template, text);
            if strictest(&command) != expected {
                changed.push(format!("{template:?}  {text}"));
            }
        }
        if let Some(simple) = simple(text) {
            for between in ["   ", "\t", " \t ", " \\\n  "] {
                let words: Vec<&str> = simple.words.iter().map(|word| word.span.of(text)).collect();
                if strictest(&words.join(between)) != expected {
                    changed.push(format!("{between:?} between  {text}"));
                }
            }
        }
    }
    assert!(changed.is_empty(), "{}", show(&changed));
}

#[test]
fn harmless_commands_beside_do_not_change_the_answer() {
    let mut changed = Vec::new();
    let spared = all().flat_map(|rule| rule.should_not_match.iter().copied());
    let texts =
        examples().into_iter().map(|example| example.text).chain(spared).filter(|text| parse(text).is_complete());
    for text in texts {
        let expected = strictest(text);
        for template in &WAYS.beside {
            let found = strictest(&fill(template, text));
            if found != expected {
                changed.push(format!("{template:?}  {found:?} for {expected:?}  {text}"));
            }
        }
    }
    assert!(changed.is_empty(), "{}", show(&changed));
}

#[test]
fn what_passes_alone_passes_within_shells_and_constructs() {
    let mut refused = Vec::new();
    for text in all().flat_map(|rule| rule.should_not_match.iter().copied()) {
        if strictest(text).is_some() || text.contains("EOF") {
            continue;
        }
        for template in &WAYS.neutral {
            if let Some(severity) = strictest(&fill(template, text)) {
                refused.push(format!("{template:?}  {severity:?}  {text}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", show(&refused));
}

/// Whether the way takes its command line by line.
fn takes_lines(template: Template) -> bool {
    ["read -r", "rev |", "xargs -I", "parallel"].iter().any(|program| template.contains(program))
}

/// The command in one way after the other.
fn wrapped(text: &str, templates: &[Template]) -> String {
    templates.iter().fold(text.to_owned(), |command, template| {
        if command.contains('\n') && takes_lines(template) {
            return command;
        }
        // A delimiter of its own for each level.
        let template = if command.contains("EOF") {
            template.replace("EOF", &format!("E{}", command.len()))
        } else {
            (*template).to_owned()
        };
        fill(&template, &command)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    /// Two to four ways to run it, one in the other.
    #[test]
    fn what_is_refused_stays_refused_in_nested_wrappers(
        which in any::<Index>(),
        templates in prop::collection::vec(select(lines()), 2..=4),
    ) {
        let examples = examples_once();
        let example = which.get(examples);
        let command = wrapped(example.text, &templates);
        prop_assert!(strictest(&command) >= Some(example.severity), "{} {command}", example.rule);
    }

    /// Every word in a spelling of its own.
    #[test]
    fn what_is_refused_stays_refused_in_mixed_spellings(
        which in any::<Index>(),
        spellings in prop::collection::vec(select(SPELLINGS), 12),
        template in select(lines()),
    ) {
        let simple_ones: Vec<&Example> = examples_once().iter().filter(|example| example.simple.is_some()).collect();
        let example = which.get(&simple_ones);
        let simple = example.simple.as_ref().unwrap();
        let command = spelled(simple, example.text, |at, word| spellings[at % spellings.len()].1(word), " ");
        let command = fill(template, &command);
        prop_assert!(strictest(&command) >= Some(example.severity), "{} {command}", example.rule);
    }

    /// A rule that is added can only make the answer stricter.
    #[test]
    fn adding_a_rule_never_lifts_a_denial(which in any::<Index>(), other in any::<Index>(), mask in any::<u64>()) {
        let examples = examples_once();
        let text = format!("{}\n{}", which.get(examples).text, other.get(examples).text);
        let report = resolve(&text, &places(), &NoFiles);
        let rules: Vec<&str> = all().map(|rule| rule.id).collect();
        let kept = |id: &str| {
            let at = rules.iter().position(|known| *known == id).unwrap_or_default();
            mask.rotate_left(u32::try_from(at).unwrap_or_default()) & 1 == 1
        };
        let some = violations(&report, |rule, severity| (!rule.off && kept(rule.id)).then_some(severity)).map(|violations| violations.severity);
        let all = violations(&report, |rule, severity| (!rule.off).then_some(severity)).map(|violations| violations.severity);
        prop_assert!(some <= all, "{text}");
    }
}

fn examples_once() -> &'static [Example] {
    use std::cell::OnceCell;
    thread_local! {
        static EXAMPLES: OnceCell<&'static [Example]> = const { OnceCell::new() };
    }
    EXAMPLES.with(|cell| *cell.get_or_init(|| Vec::leak(examples())))
}
