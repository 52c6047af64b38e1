//! `docs/reference` is made from the values in the code: these tests make it again and compare, or write it with `HOOKBIN_WRITE_DOCS=1`,
//! which is what `cargo xtask docs` does.

mod comments;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hook_policy::check::KINDS;
use hook_policy::explain::explain;
use hook_policy::profile::{Profile, Settings, resolve_strict};
use hook_policy::rule::{Family, Rule, Severity, all};
use hook_protocol::event::{Event, EventName, PreToolUse};
use hook_protocol::reply::Reply;
use hook_runtime::config::{profiles, settings};
use hook_shell::programs::{FAMILIES, Program, all as all_programs};
use hookbin::{cli, events};
use serde_json::Value;

use crate::trust::Bare;
use comments::{Fields, structures, with_fields};

const MADE: &str = "Made from the values in the code by `cargo xtask docs`; do not edit.\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a page with the one that is kept, or keeps it.
fn keep(name: &str, text: &str) {
    let dir = root().join("docs/reference");
    if !dir.is_dir() {
        println!("SKIPPED: there is no docs/reference beside this package");
        return;
    }
    let path = dir.join(name);
    if std::env::var_os("HOOKBIN_WRITE_DOCS").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).find(|(kept, made)| kept != made);
    assert!(
        kept == text,
        "docs/reference/{name} is not what the code says; run `cargo xtask docs`. First difference: {differs:?}"
    );
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ").replace('<', "&lt;")
}

/// A command as code in a cell.
fn code(text: &str) -> String {
    let text = text.replace('\n', "⏎").replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn profile(name: &str) -> Profile {
    let names = profiles::names();
    resolve_strict(&[name.to_owned()], &[], &profiles::raw, &names).unwrap()
}

/// What is said to do next about the shortest example for which something is.
fn next(rule: &Rule) -> String {
    let of = |example: &&str| {
        let event = Event { body: PreToolUse::bash(example).into(), ..Event::default() };
        let broken = explain(&event, &Bare).broken;
        broken.into_iter().find(|broken| broken.rule == rule.id)?.suggestion
    };
    let mut examples = rule.should_match.to_vec();
    examples.sort_by_key(|example| example.len());
    let example = examples.iter().find_map(|example| Some((example, of(example)?)));
    example.map_or_else(String::new, |(_, suggestion)| suggestion.to_string())
}

#[test]
fn the_rule_catalogue_is_fresh() {
    let mut out = format!(
        "# Rules of the check `guard`\n\n{MADE}\nA rule looks at what a call does, not at its words. `hookbin explain -- 'COMMAND'` names the rule \
         that decides. `[change.guard.guard.severity]` makes a rule or a family `deny`, `ask` or `off`; the family `own` cannot be changed. \
         Beside each rule stand one command on which it fires and one neighbour that it spares; all of them are proven by tests.\n"
    );
    let rules: Vec<_> = all().collect();
    let _ = write!(out, "\n{} rules in {} families.\n", rules.len(), Family::ALL.len());
    for family in Family::ALL {
        let of_family: Vec<_> = rules.iter().filter(|rule| rule.family == *family).collect();
        assert!(!of_family.is_empty(), "{}", family.as_str());
        let _ = write!(
            out,
            "\n## {}\n\n| rule | says | because | and then | fires on | spares |\n| --- | --- | --- | --- | --- | --- |\n",
            family.as_str()
        );
        for rule in of_family {
            let says = match rule.severity {
                Severity::Deny => "deny",
                Severity::Ask => "ask",
            };
            let says = if rule.off { format!("off ({says})") } else { says.to_owned() };
            let first = |examples: &[&str]| {
                examples.iter().min_by_key(|example| example.len()).map_or_else(String::new, |it| code(it))
            };
            let _ = writeln!(
                out,
                "| `{}` | {says} | {} | {} | {} | {} |",
                rule.id,
                cell(rule.reason),
                cell(&next(rule)),
                first(rule.should_match),
                first(rule.should_not_match)
            );
        }
    }
    keep("rules.md", &out);
}

/// Words as code, parted by commas.
fn codes<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

/// What the catalogue says of a program, a sentence each.
fn known(program: &Program) -> Vec<String> {
    let verbs = |verbs: &[&str]| match verbs {
        [] | [""] => String::new(),
        verbs => format!(" by {}", codes(verbs.iter().copied())),
    };
    let mut out: Vec<String> = program.is.all().map(|one| one.says().to_owned()).collect();
    for runs in program.runs {
        let elsewhere = if runs.remote { " elsewhere" } else { "" };
        out.push(format!("runs another program{elsewhere}{}", verbs(runs.verbs)));
    }
    if !program.packages.is_empty() {
        out.push(format!("comes in the packages {}", codes(program.packages.iter().copied())));
    }
    if !program.adds.is_empty() {
        out.push(format!("takes further arguments from {}", codes(program.adds.iter().copied())));
    }
    if !program.settings.is_empty() {
        out.push(format!("chooses its settings by {}", codes(program.settings.iter().copied())));
    }
    if !program.lines.is_empty() {
        out.push(format!("runs a line that is given by {}", codes(program.lines.iter().copied())));
    }
    if !program.commands.is_empty() {
        out.push(format!("runs commands from a file that is given by {}", codes(program.commands.iter().copied())));
    }
    if let Some(code) = program.code.filter(|code| !code.code.is_empty()) {
        out.push(format!("runs code that is given by {}", codes(code.code.iter().copied())));
    }
    if let Some(sources) = program.sources {
        let does = if sources.makes.is_some() { "makes a program" } else { "runs the text" };
        out.push(format!("{does} of files that it is told of{}", verbs(sources.verbs)));
    }
    if let Some(origin) = program.origin {
        out.push(format!("is told where packages come from{}", verbs(origin.verbs)));
    }
    if let Some(tasks) = program.tasks {
        out.push(format!("runs the code of {}", codes(tasks.files.iter().copied())));
    }
    for reveals in program.reveals {
        let words: Vec<String> = reveals.words.iter().map(|words| words.join(" ")).collect();
        out.push(format!("prints a secret{}", verbs(&words.iter().map(String::as_str).collect::<Vec<_>>())));
    }
    if program.writes.is_some() {
        out.push("writes files that it is told of".to_owned());
    }
    for types in program.types {
        out.push(format!("types into a terminal{}", verbs(types.verbs)));
    }
    if let Some(keeps) = program.keeps {
        out.push(format!("keeps a tree of files, and changes it but{}", verbs(keeps.leaving)));
    }
    if program.passes.is_some() {
        out.push("only reads if what it runs only reads".to_owned());
    }
    let mut reads: Vec<&str> = program.reads.iter().flat_map(|way| way.verbs).copied().collect();
    reads.dedup();
    match reads.as_slice() {
        [] => {}
        reads if reads.contains(&"") => out.push("can be called so that it only reads".to_owned()),
        reads => out.push(format!("can be called so that it only reads{}", verbs(reads))),
    }
    out
}

#[test]
fn the_catalogue_of_programs_is_fresh() {
    let rows: usize = all_programs().map(|program| program.names.len()).sum();
    let mut out = format!(
        "# Programs\n\n{MADE}\nWhat hookbin knows of programs, before their words are looked at. `hookbin explain -- 'COMMAND'` prints a \
         call as it was understood. A program that is not here is followed with care: a file of the guard or a secret among its words is \
         asked about, and so is a destructive program.\n\n{rows} programs. Those of one line are called alike.\n"
    );
    for (title, programs) in FAMILIES {
        let _ = write!(out, "\n## {title}\n\n| programs | what is known |\n| --- | --- |\n");
        for &program in *programs {
            let mut known = known(program);
            if known.is_empty() {
                known.push("its words are followed by code of its own".to_owned());
            }
            let _ = writeln!(out, "| {} | {} |", codes(program.names.iter().copied()), cell(&known.join("; ")));
        }
    }
    keep("programs.md", &out);
}

/// The value of a setting as a configuration file would write it.
fn default(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(value) => {
            let text = value.to_string();
            let short: String = text.chars().take(80).collect();
            if short.len() < text.len() { "(long, see the profile)".to_owned() } else { code(&text) }
        }
    }
}

#[test]
fn the_check_catalogue_is_fresh() {
    let all = structures(&root().join("crates/policy/src"));
    let mut out = format!(
        "# Checks\n\n{MADE}\nA check is one named step; a handler of a profile runs steps on events. Settings stand in a table of the handler \
         that is called like the step: `[change.HANDLER.STEP]` in a configuration file. A setting without a default is one that has to \
         be given, or is absent.\n"
    );
    let mut kinds: Vec<_> = KINDS.iter().collect();
    kinds.sort_by_key(|kind| kind.name);
    let resolved: Vec<(&str, Profile)> = profiles::names().into_iter().map(|name| (name, profile(name))).collect();
    for kind in kinds {
        let _ = write!(out, "\n## {}\n\nThis check {}.\n", kind.name, kind.about);
        let mut used = Vec::new();
        for (name, profile) in &resolved {
            let handlers =
                profile.handlers.iter().filter(|handler| handler.checks.iter().any(|check| check.name() == kind.name));
            let handlers: Vec<String> = handlers.map(|handler| format!("`{}`", handler.name)).collect();
            if !handlers.is_empty() {
                used.push(format!("{name} ({})", handlers.join(", ")));
            }
        }
        let _ = match used.as_slice() {
            [] => write!(out, "\nNo built-in profile uses it.\n"),
            used => write!(out, "\nUsed by {}.\n", used.join("; ")),
        };
        let names = kind.settings();
        if names.is_empty() {
            continue;
        }
        let fields = with_fields(&all, kind.name, names);
        // `{"Lint": {…}}`
        let plain = kind.plain().map(|check| serde_json::to_value(check).unwrap());
        let plain = plain.as_ref().and_then(|check| check.as_object()?.values().next());
        out.push_str("\n| setting | default | meaning |\n| --- | --- | --- |\n");
        for name in names {
            let _ = writeln!(
                out,
                "| `{name}` | {} | {} |",
                default(plain.and_then(|plain| plain.get(name))),
                cell(fields.doc(name))
            );
        }
    }
    keep("checks.md", &out);
}

#[test]
fn the_event_table_is_fresh() {
    let mut out = format!(
        "# Events\n\n{MADE}\nWhat each event of Claude Code accepts as an answer, and which handlers of the profiles serve it. An answer that an \
         event does not accept cannot be built. \"refuse\" is what the event itself understands by it: a call that does not run, a turn \
         that goes on, a prompt that is dropped. Events without any answer are recorded. `WorktreeCreate` is never registered, because a \
         registered hook replaces Claude Code's own creation of worktrees.\n\n| event | refuse | text for the model | message to the user | \
         profiles that serve it |\n| --- | --- | --- | --- | --- |\n"
    );
    let yes = |yes: bool| if yes { "yes" } else { "" };
    let resolved: Vec<(&str, Profile)> = profiles::names().into_iter().map(|name| (name, profile(name))).collect();
    for event in EventName::ALL {
        let name = event.as_str();
        let can = |what: fn(&mut Reply) -> bool| Reply::empty(name).is_some_and(|mut reply| what(&mut reply));
        let mut serving = Vec::new();
        for (profile_name, profile) in &resolved {
            let handlers = profile.handlers.iter().filter(|handler| handler.on.contains(&event)).count();
            if handlers > 0 {
                serving.push(format!("{profile_name} ({handlers})"));
            }
        }
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} |",
            yes(can(|reply| reply.refuse("no"))),
            yes(can(|reply| reply.add_context("text"))),
            yes(can(|reply| reply.add_system_message("text"))),
            serving.join(", ")
        );
    }
    out.push_str(
        "\nWhere the guard decides nothing, this is why:\n\n| event | decided by the guard |\n| --- | --- |\n",
    );
    for event in EventName::ALL {
        let _ = writeln!(out, "| {} | {} |", event.as_str(), events::why_not_guarded(&event).unwrap_or("yes"));
    }
    let _ = write!(
        out,
        "\nA number in brackets counts handlers. The registered limit of an entry is {} seconds, more where a checkpoint may run.\n",
        settings::TIMEOUT_SECONDS
    );
    for (name, profile) in &resolved {
        let _ = write!(
            out,
            "\n## Handlers of {name}\n\n| handler | does | on | tools | checks |\n| --- | --- | --- | --- | --- |\n"
        );
        for handler in &profile.handlers {
            let on: Vec<String> = handler.on.iter().map(|event| event.as_str().to_owned()).collect();
            let on = if on.len() > 12 { format!("{} events", on.len()) } else { on.join(", ") };
            let checks: Vec<&str> = handler.checks.iter().map(hook_policy::check::Check::name).collect();
            let tools: Vec<String> = handler.tools.iter().map(|tool| code(tool)).collect();
            let _ = writeln!(
                out,
                "| `{}` | {} | {on} | {} | {} |",
                handler.name,
                cell(&handler.about),
                tools.join(", "),
                checks.join(", ")
            );
        }
    }
    keep("events.md", &out);
}

fn table(out: &mut String, fields: &Fields, defaults: &Value, without: &[&str]) {
    out.push_str("\n| key | default | meaning |\n| --- | --- | --- |\n");
    for (name, _) in fields.docs.iter().filter(|(name, _)| !without.contains(&name.as_str())) {
        let _ = writeln!(
            out,
            "| `{name}` | {} | {} |",
            default(defaults.get(name).filter(|value| !value.is_object())),
            cell(fields.doc(name))
        );
    }
}

#[test]
fn the_configuration_reference_is_fresh() {
    let all = structures(&root().join("crates/policy/src"));
    let of = |name: &str| all.iter().find(|fields| fields.name == name).unwrap();
    let defaults = serde_json::to_value(Settings::default()).unwrap();
    let mut out = format!(
        "# Configuration\n\n{MADE}\nThe project's file is `.claude/hookbin.toml`; the user's, `~/.config/hookbin/hookbin.toml`, lies under it. \
         Built-in profiles are files of the same form. `hookbin config init` writes a commented one, `hookbin config check` proves it. A fault \
         never disarms: the built-in profile stays in force, and one message names file, line and the nearest valid key.\n\n## Top level\n"
    );
    table(&mut out, of("Keys"), &defaults, &[]);
    for (key, structure) in
        [("log", "LogKeys"), ("text_log", "TextLogKeys"), ("complexity", "ScoringKeys"), ("registry", "RegistryKeys")]
    {
        let _ = write!(out, "\n## `[{key}]`\n");
        table(&mut out, of(structure), &defaults[key], &[]);
    }
    out.push_str(
        "\n## `[change.HANDLER]`\n\n| key | meaning |\n| --- | --- |\n| `enabled` | `false` takes the handler out |\n| `tools` | other tools, \
         in Claude Code's matcher syntax |\n| `on_error` | what a failing check means: `none`, `ask` or `deny` |\n| `[change.HANDLER.STEP]` | \
         settings of one step; see [checks](checks.md) |\n\nThe handler of the guard's own protection takes no change.\n\n## `[[rule]]`\n\nA rule \
         loads only if it fires on all of `should_match` and on none of `should_not_match`.\n",
    );
    table(&mut out, of("UserRule"), &Value::Null, &["line", "gate"]);
    out.push_str("\n### `when`\n");
    table(&mut out, of("When"), &Value::Null, &[]);
    keep("configuration.md", &out);

    // What the page lists is what the reader takes.
    for (name, _) in &of("Keys").docs {
        let text = format!("{name} = 7.5\n");
        let error = hook_policy::profile::RawProfile::parse("a.toml", &text).faults()[0].to_string();
        assert!(!error.contains("unknown key"), "{name}: {error}");
    }
}

#[test]
fn the_command_reference_is_fresh() {
    let mut out = format!(
        "# Commands\n\n{MADE}\nExit codes: 0 good; {} and {} of `explain`: refused, asked; {} of `explain`: something of the configuration is off; {} of `replay`: verdicts differ; {} findings; {} wrong use; {} it could not do its \
         work. As a hook it exits with 0 or 2 and nothing else.\n",
        cli::exit::DENY,
        cli::exit::ASK,
        cli::exit::PART_OFF,
        cli::exit::DIFFERENT,
        cli::exit::FINDINGS,
        cli::exit::USAGE,
        cli::exit::INTERNAL
    );
    let mut command = cli::command().term_width(100);
    command.build();
    let mut open: Vec<(String, clap::Command)> = vec![("hookbin".to_owned(), command)];
    open.reverse();
    while let Some((name, command)) = open.pop() {
        if command.is_hide_set() {
            continue;
        }
        let below: Vec<_> =
            command.get_subcommands().map(|sub| (format!("{name} {}", sub.get_name()), sub.clone())).collect();
        let _ = write!(out, "\n## {name}\n\n```text\n{}\n```\n", help(&command).trim_end());
        open.extend(below.into_iter().rev());
    }
    keep("commands.md", &out);
}

fn help(command: &clap::Command) -> String {
    let help = command.clone().render_long_help().to_string();
    help.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Each event of the host is decided by the guard, or it is written why it need not be.
#[test]
fn every_event_has_a_decision_or_a_reason() {
    let standard = profile("standard");
    for event in EventName::ALL {
        let guards = |step: &hook_policy::check::Check| step.name() == "guard";
        let decided =
            standard.handlers.iter().any(|handler| handler.on.contains(&event) && handler.checks.iter().any(guards));
        let reason = events::why_not_guarded(&event);
        assert!(decided != reason.is_some(), "{}: decided {decided}, reason {reason:?}", event.as_str());
        assert_ne!(reason, Some("this version does not know the event"), "{}", event.as_str());
    }
}
