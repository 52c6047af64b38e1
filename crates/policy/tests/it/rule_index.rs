//! Many rules in one book: it finds what a look at every rule finds, from memory and from elsewhere, reads little, and never takes a
//! damaged store for one without rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hook_policy::check::{Check, Rules};
use hook_policy::decide;
use hook_policy::profile::{Plan, RawProfile};
use hook_policy::rule::{RuleIndex, RuleStore, UserRule};
use hook_protocol::canonical::canonical;
use hook_protocol::event::Event;
use hook_protocol::matcher::Matcher;
use hook_shell::path::Places;
use hook_shell::resolve::{NoFiles, resolve};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::{Known, resolved};

/// Keeps the rules of a plan, and flips a bit of what they give out where they are told to.
struct KeyStore {
    store: Vec<u8>,
    flipped: Option<usize>,
    asked: AtomicUsize,
}

impl KeyStore {
    fn of(store: &[u8]) -> Self {
        Self { store: store.to_vec(), flipped: None, asked: AtomicUsize::new(0) }
    }
}

impl RuleStore for KeyStore {
    fn read(&self, from: u32, bytes: u32) -> Option<Vec<u8>> {
        self.asked.fetch_add(bytes as usize, Ordering::Relaxed);
        let (from, end) = (from as usize, (from + bytes) as usize);
        let mut bytes = self.store.get(from..end)?.to_vec();
        if let Some(bit) = self.flipped
            && (from * 8..end * 8).contains(&bit)
        {
            bytes[bit / 8 - from] ^= 1 << (bit % 8);
        }
        Some(bytes)
    }
}

/// The rules of a file that are no fault in themselves. Whether their examples prove them is not asked.
fn rules(text: &str) -> Vec<UserRule> {
    RawProfile::parse("hookbin.toml", text).rules().to_vec()
}

fn keep(key_store: KeyStore) -> Arc<dyn RuleStore> {
    Arc::new(key_store)
}

/// A rule that advises under these conditions.
fn rule(number: usize, reason: &str, conditions: &str) -> String {
    format!(
        "[[rule]]\nid = \"r{number}\"\nthen = \"advise\"\nreason = \"{reason}\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]\n{conditions}\n"
    )
}

/// A plan of these rules alone.
fn plan(rules: Vec<UserRule>, event: &Event<'_>) -> Plan {
    let text = "[[handler]]\nname = \"x\"\non = [\"PreToolUse\", \"PostToolUse\", \"UserPromptSubmit\"]\nsteps = []\n";
    let mut plan = resolved(&[("x", text)], &[]).unwrap().plan(&event.name());
    plan.handlers[0].checks = vec![Check::Rules(Rules { rules: RuleIndex::new(rules).unwrap() })];
    plan
}

/// The rules that advise on a call, in order; nothing where the plan's rules cannot be read.
fn by_book(plan: &Plan, event: &Event<'_>) -> Option<Vec<String>> {
    let outcome = decide(event, plan, &Known::default());
    let said: String = outcome.context.iter().map(|context| context.text.as_str()).collect();
    let ids = said.split("(rule ").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    outcome.faults.is_empty().then(|| ids.collect())
}

/// The same by looking at every rule, as the documentation of its conditions says.
fn by_hand(rules: &[UserRule], call: &Value) -> Vec<String> {
    rules.iter().filter(|rule| fits(rule, call)).map(|rule| rule.id.clone()).collect()
}

fn fits(rule: &UserRule, call: &Value) -> bool {
    let input = &call["tool_input"];
    let text = |keys: &[&str]| keys.iter().find_map(|key| input[key].as_str()).map(str::to_owned);
    let tool = call["tool_name"].as_str();
    let native = matches!(tool.map(canonical), Some("Bash" | "Write" | "Edit"));
    let path = text(&["file_path", "path"]).filter(|_| native);
    let whole = match call["prompt"].as_str() {
        Some(prompt) => prompt.to_owned(),
        None => text(&["command", "content", "new_string"]).filter(|_| native).unwrap_or_else(|| input.to_string()),
    };
    let places = Places::new(None, Some("/"), Some("/"));
    let command = input["command"].as_str().filter(|_| native).unwrap_or_default();
    let runs = resolve(command, &places, &NoFiles).runs;
    let any = |globs: &[String], text: &str| globs.iter().any(|pattern| glob(pattern, text));
    let about_runs = !(rule.program.0.is_empty() && rule.args.0.is_empty() && rule.not_args.0.is_empty());
    let by_run = runs.iter().any(|run| {
        (rule.program.0.is_empty() || any(&rule.program.0, &run.program))
            && rule.args.0.iter().all(|pattern| run.args.iter().any(|arg| glob(pattern, arg)))
            && !run.args.iter().any(|arg| any(&rule.not_args.0, arg))
    });
    let matcher = Matcher::parse(&rule.tool);
    call["hook_event_name"].as_str() == Some(&rule.event)
        && (!about_runs || by_run)
        && (rule.tool.is_empty() || tool.is_some_and(|tool| matcher.matches(tool) || matcher.matches(canonical(tool))))
        && (rule.path.0.is_empty() || path.is_some_and(|path| any(&rule.path.0, &path)))
        && (rule.text.0.is_empty() || rule.text.0.iter().any(|pattern| glob(&format!("*{pattern}*"), &whole)))
        && rule.matches.as_ref().is_none_or(|pattern| regex::Regex::new(pattern).unwrap().is_match(&whole))
}

/// `*` is any text, `?` one character.
fn glob(pattern: &str, text: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return text.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let mut behind = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).map(|at| &text[at..]);
    match first {
        '*' => behind.any(|behind| glob(rest, behind)),
        _ => text.chars().next().is_some_and(|c| (first == '?' || first == c) && glob(rest, &text[c.len_utf8()..])),
    }
}

/// Words of few letters, so that rules and calls meet often.
fn word() -> impl Strategy<Value = String> {
    "[ab]{1,3}|[ab]{4,7}|ls|psql|tool[1-9]|\\.env|é[ab]{2}"
}

fn pattern() -> impl Strategy<Value = String> {
    let part =
        prop_oneof![4 => word(), 2 => Just("*".to_owned()), 1 => Just("?".to_owned()), 1 => Just("/".to_owned())];
    vec(part, 1..5).prop_map(|parts| parts.concat())
}

fn path() -> impl Strategy<Value = String> {
    vec(word(), 1..4).prop_map(|names| format!("/{}", names.join("/")))
}

fn command() -> impl Strategy<Value = String> {
    let simple = vec(prop_oneof![3 => word(), 1 => path()], 1..4).prop_map(|words| words.join(" "));
    let wrapped = (select(vec!["", "sudo ", "env A=1 ", "xargs ", "time "]), simple);
    vec(wrapped.prop_map(|(before, simple)| format!("{before}{simple}")), 1..4).prop_map(|all| all.join(" && "))
}

/// The line of a condition.
fn condition() -> impl Strategy<Value = String> {
    let globs = |key: &'static str| vec(pattern(), 1..4).prop_map(move |globs| format!("{key} = {globs:?}\n"));
    prop_oneof![
        globs("program"),
        vec(word(), 1..3).prop_map(|names| format!("program = {names:?}\n")),
        globs("args"),
        globs("not_args"),
        globs("path"),
        globs("text"),
        select(vec!["Bash", "Write", "Edit|Write", "mcp__a__b", "MultiEdit", "mcp__.*", "Task"])
            .prop_map(|tool| format!("tool = {tool:?}\n")),
        select(vec!["psql [ab]+", "(?i)toolA|tool[12]", "[ab]{9}", "abab$"])
            .prop_map(|text| format!("matches = {text:?}\n")),
        Just("event = \"PostToolUse\"\n".to_owned()),
        Just("event = \"UserPromptSubmit\"\n".to_owned()),
    ]
}

fn file() -> impl Strategy<Value = String> {
    let conditions = vec(condition(), 1..4).prop_map(|conditions| {
        let mut seen: Vec<String> = Vec::new();
        for line in conditions {
            let key = |line: &String| line.split(' ').next().map(str::to_owned);
            if !seen.iter().any(|before| key(before) == key(&line)) {
                seen.push(line);
            }
        }
        seen.concat()
    });
    // With so long a reason a book of one rule does not stay in the plan.
    let reason = "r".repeat(2_100);
    let numbered =
        move |rules: Vec<String>| (0..).zip(rules).map(|(number, lines)| rule(number, &reason, &lines)).collect();
    vec(conditions, 1..30).prop_map(numbered)
}

fn call() -> impl Strategy<Value = Value> {
    let name = select(vec!["PreToolUse", "PostToolUse"]);
    let tool = prop_oneof![
        3 => command().prop_map(|command| ("Bash", json!({ "command": command }))),
        2 => (path(), command()).prop_map(|(path, text)| ("Write", json!({"file_path": path, "content": text}))),
        1 => (path(), command()).prop_map(|(path, text)| ("mcp__x__spf_edit", json!({"path": path, "new_string": text}))),
        1 => command().prop_map(|text| ("mcp__a__b", json!({ "query": text }))),
        1 => command().prop_map(|text| ("Agent", json!({ "prompt": text }))),
    ];
    prop_oneof![
        8 => (name, tool).prop_map(|(name, (tool, input))| json!({"hook_event_name": name, "tool_name": tool, "tool_input": input})),
        1 => command().prop_map(|prompt| json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt})),
    ]
}

proptest! {
    /// What the book finds is what a look at every rule finds, from memory and from elsewhere.
    #[test]
    fn a_book_finds_every_rule_that_fits(file in file(), calls in vec(call(), 1..8)) {
        let rules = rules(&file);
        for call in &calls {
            let payload = call.to_string();
            let event = Event::parse(&payload).unwrap();
            let wanted = Some(by_hand(&rules, call));
            let mut plan = plan(rules.clone(), &event);
            prop_assert_eq!(&by_book(&plan, &event), &wanted, "{} {}", call, file);
            if let Some(store) = plan.detach_rules() {
                plan.attach_rules(&keep(KeyStore::of(&store)));
                prop_assert_eq!(&by_book(&plan, &event), &wanted, "{} {}", call, file);
            }
        }
    }

    /// A store with one bit changed, one that ends early, and none at all: either that does not matter for the call or it is known.
    #[test]
    fn a_damaged_store_never_reads_as_one_without_the_rule(file in file(), call in call(), bit: prop::sample::Index) {
        let rules = rules(&file);
        let payload = call.to_string();
        let event = Event::parse(&payload).unwrap();
        let mut plan = plan(rules.clone(), &event);
        let Some(store) = plan.detach_rules() else { return Ok(()) };
        let flipped = KeyStore { flipped: Some(bit.index(store.len() * 8)), ..KeyStore::of(&store) };
        for key_store in [flipped, KeyStore::of(&store[..bit.index(store.len())])] {
            plan.attach_rules(&keep(key_store));
            if let Some(found) = by_book(&plan, &event) {
                prop_assert_eq!(found, by_hand(&rules, &call));
            }
        }
    }
}

type Line = fn(usize) -> String;

/// Of five thousand rules a call reads little, whatever they are found by; a filter, where one is needed, is read whole.
#[test]
fn a_call_reads_little_of_many_rules() {
    let call =
        |tool: &str, input: Value| json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input});
    let bash = |command: &str| call("Bash", json!({ "command": command }));
    let write = |path: &str| call("Write", json!({"file_path": path, "content": "x"}));
    let kinds: [(Line, Value, usize); 8] = [
        (|n| format!("tool = \"Bash\"\nprogram = \"tool{n}\""), bash("sudo tool77 x"), 4_000),
        (|n| format!("program = [\"tool{n}\", \"x{n}\"]\nargs = \"*a*\""), bash("tool77 a"), 4_000),
        (|n| format!("program = \"*tool{n:04}?\""), bash("mytool0077x"), 20_000),
        (|n| format!("args = \"*srv{n:04}*\""), bash("ssh my-srv0077.net"), 20_000),
        (|n| format!("tool = \"Write\"\npath = \"**/dir{n}/**\""), write("/a/dir77/c"), 20_000),
        (|n| format!("path = \"*.x{n}\""), write("/a/b.x77"), 20_000),
        (|n| format!("text = \"*drop table t{n:04}*\""), bash("psql -c 'drop table t0077'"), 20_000),
        (|n| format!("matches = \"key{n:04}=[0-9]\""), bash("echo key0077=1"), 20_000),
    ];
    for (line, call, most) in kinds {
        let rules = rules(&(0..5_000).map(|number| rule(number, "r", &line(number))).collect::<String>());
        assert_eq!(rules.len(), 5_000);
        let payload = call.to_string();
        let event = Event::parse(&payload).unwrap();
        let mut plan = plan(rules, &event);
        let store = plan.detach_rules().unwrap();
        let key_store = Arc::new(KeyStore::of(&store));
        plan.attach_rules(&(key_store.clone() as Arc<dyn RuleStore>));
        assert_eq!(by_book(&plan, &event), Some(vec!["r77".to_owned()]), "{call}");
        assert!(
            key_store.asked.load(Ordering::Relaxed) < most,
            "{call}: {} of {} bytes",
            key_store.asked.load(Ordering::Relaxed),
            store.len()
        );
    }
}
