//! What the guard makes of a caller that fails: facts that panic, and payloads that do not say which event they are.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use hook_policy::profile::{NAMES, Profile};
use hook_policy::{At, Entry, Facts, Guard, Moment, Verdict};
use hook_protocol::event::Event;

const AT: At<'_> = At::new("/home/dev/app").home("/home/dev");

/// A caller of which one fact panics.
struct Broken(&'static str);

impl Broken {
    fn told<T>(&self, fact: &str, value: T) -> T {
        assert!(fact != self.0, "{fact} cannot be told");
        value
    }
}

impl Facts for Broken {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/app/.state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        self.told("home", Some("/home/dev".into()))
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        self.told("project", Some("/home/dev/app".into()))
    }

    fn real_path(&self, _path: &str) -> Option<String> {
        self.told("real_path", None)
    }

    fn entry(&self, _path: &str) -> Entry {
        self.told("entry", Entry::Plain)
    }

    fn other_home(&self) -> Option<Cow<'_, str>> {
        self.told("other_home", None)
    }

    fn work_folders(&self) -> Vec<String> {
        self.told("work_folders", Vec::new())
    }
}

const RULES: &str = r#"
[[rule]]
id = "no-deploy"
program = "deploy"
then = "deny"
reason = "People deploy."
should_match = ["deploy production"]
should_not_match = ["echo deploy"]
"#;

#[test]
fn a_fact_that_panics_lets_nothing_pass_and_breaks_no_later_answer() {
    let guard = Guard::from_toml("team.toml", RULES).unwrap();
    let lines = ["rm -rf ../other", "cat ~/.ssh/id_rsa", "echo x > /etc/passwd", "deploy production", "rm -rf ~"];
    let check = |line: &str, fact: &'static str| guard.check_with(line, "/home/dev/app", &Broken(fact));
    let mut panicked = Vec::new();
    let loud = take_hook();
    set_hook(Box::new(|panic| {
        if !panic.to_string().contains("cannot be told") {
            eprintln!("{panic}");
        }
    }));
    for fact in ["home", "project", "real_path", "entry", "other_home", "work_folders"] {
        for line in lines {
            match catch_unwind(AssertUnwindSafe(|| check(line, fact))) {
                Ok(answer) => assert!(!answer.allows(), "{line} passed without {fact}"),
                Err(_) => panicked.push(fact),
            }
            assert_eq!(check(line, "nothing").verdict, Some(Verdict::Deny), "{line} after {fact}");
        }
    }
    set_hook(loud);
    panicked.dedup();
    // Not every line asks for every fact.
    assert!(panicked.contains(&"home") && panicked.contains(&"real_path"), "{panicked:?}");
}

#[test]
fn what_nobody_could_look_at_passes_under_no_profile() {
    for name in NAMES {
        let profile = Profile::builtin(name).unwrap();
        let answer = Guard::with_profile(&profile).unreadable();
        assert!(!answer.allows() && answer.reason.is_some(), "{name}: {answer:?}");
    }
    let strict = Guard::from_toml("team.toml", "on_unreadable = \"deny\"\nunreadable_reason = \"No.\"\n").unwrap();
    let answer = strict.unreadable();
    assert_eq!((answer.verdict, answer.reason.as_deref()), (Some(Verdict::Deny), Some("No.")));
}

#[test]
fn a_call_is_judged_whatever_its_payload_says_about_the_event() {
    let guard = Guard::standard();
    let check = |name: &str, command: &str| {
        let text = format!(r#"{{{name}"tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#);
        guard.check_event(&Event::parse(&text).unwrap(), &AT)
    };
    let events = [
        "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "pre_tool_use", "",
    ];
    let named = events.map(|name| format!(r#""hook_event_name":"{name}","#));
    for name in named.iter().map(String::as_str).chain(["", r#""hook_event_name":null,"#]) {
        let answer = check(name, "rm -rf /etc");
        assert_eq!((answer.verdict, answer.looked_at), (Some(Verdict::Deny), true), "{name:?}");
        let harmless = check(name, "cargo test");
        assert!(harmless.allows() && harmless.looked_at, "{name:?}");
    }
    // Neither an event nor a call.
    for text in ["{}", r#"{"name":"Bash","command":"rm -rf /"}"#, r#"{"tool_input":{"command":"rm -rf /"}}"#] {
        assert_eq!(guard.check_event(&Event::parse(text).unwrap(), &AT), guard.unreadable(), "{text}");
    }
    // An event without a call asks for nothing.
    assert!(guard.check_event(&Event::parse(r#"{"hook_event_name":"Stop"}"#).unwrap(), &AT).allows());
}
