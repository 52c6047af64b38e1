//! A team's own rules: they load only when they prove themselves, and decide as they say.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hook_policy::profile::{ConfigError, RawProfile, resolve, resolve_strict};
use hook_policy::rule::{RuleStore, audit, patterns_compiled, unproven};
use hook_policy::{Outcome, SessionFacts, Verdict, decide};
use hook_protocol::event::{Body, Event, PreToolUse, UserPromptSubmit};

use crate::support::{Known, resolved, with_faults};

const NONE: &str = "name = \"none\"\n[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n";

fn bash(command: &str) -> Event<'static> {
    Event { body: PreToolUse::bash(command).into(), ..Event::default() }
}

fn prompt(text: &str) -> Event<'static> {
    let submit = UserPromptSubmit { prompt: Some(text.to_owned().into()), ..UserPromptSubmit::default() };
    Event { body: Body::UserPromptSubmit(submit), ..Event::default() }
}

/// A rule's text from its own lines and the ones that every rule needs.
fn rule(lines: &str) -> String {
    let mut text = format!("[[rule]]\n{lines}\n");
    for (key, value) in [("id", "\"mine\""), ("reason", "\"because\""), ("then", "\"deny\"")] {
        if !lines.lines().any(|line| line.trim_start().starts_with(&format!("{key} ="))) {
            text.push_str(&format!("{key} = {value}\n"));
        }
    }
    text
}

fn decided<T>(file: &str, event: &Event<'_>, facts: &Known, look: impl FnOnce(&Outcome<'_>) -> T) -> T {
    let profile = with_faults(&[("none", NONE)], &[file]);
    let plan = profile.plan(&event.name());
    look(&decide(event, &plan, facts))
}

fn verdict(file: &str, event: &Event<'_>) -> Option<Verdict> {
    decided(file, event, &Known::default(), |outcome| outcome.verdict)
}

/// The fault for which a rule of the file is left out by whoever wants all of it or nothing.
fn fault(file: &str) -> ConfigError {
    let none = |name: &str| (name == "none").then(|| RawProfile::parse("none", NONE));
    let file = RawProfile::parse("hookbin.toml", file);
    let faults = resolve_strict(&["none".to_owned()], &[file], &none, &["none"]).expect_err("the rule must not load");
    faults.0.into_iter().next().expect("what is wrong has to be said")
}

#[test]
fn a_rule_fits_the_program_that_really_runs() {
    let file = rule(
        r#"program = "psql"
args = ["*prod*"]
not_args = ["--help"]
should_match = ["sudo psql -h prod-db", "bash -c 'psql prod'"]
should_not_match = ["psql -h localhost"]"#,
    );
    for command in [
        "psql prod", "env A=1 psql -h prod-1", "echo x | xargs psql prod", "ssh host psql prod", "x=psql; $x prod",
        "\\psql 'prod'",
    ] {
        assert_eq!(verdict(&file, &bash(command)), Some(Verdict::Deny), "{command}");
    }
    for command in ["psql -h localhost", "psql prod --help", "echo psql prod", "git commit -m 'psql prod'"] {
        assert_eq!(verdict(&file, &bash(command)), None, "{command}");
    }
}

#[test]
fn ask_allow_advise_and_rewrite_do_what_they_say() {
    let with = |then: &str| {
        rule(&format!(
            "program = \"make\"\nthen = \"{then}\"\nsuggest = \"just build\"\nshould_match = [\"make\"]\nshould_not_match = [\"just\"]"
        ))
    };
    assert_eq!(verdict(&with("ask"), &bash("make")), Some(Verdict::Ask));
    assert_eq!(verdict(&with("allow"), &bash("make")), Some(Verdict::Allow));
    decided(&with("advise"), &bash("make"), &Known::default(), |outcome| {
        assert_eq!(outcome.verdict, None);
        assert_eq!(outcome.context[0].text, "because (rule mine)\nInstead: just build");
    });
    decided(&with("rewrite"), &bash("cd a && make all | tail -1"), &Known::default(), |outcome| {
        assert_eq!(outcome.verdict, None);
        assert_eq!(outcome.rewrite.as_deref(), Some("cd a && just build | tail -1"));
    });
    // Where a redirection or a nested shell would be lost, the command is a suggestion.
    for command in ["make > log", "A=1 make", "bash -c make"] {
        decided(&with("rewrite"), &bash(command), &Known::default(), |outcome| {
            assert_eq!((outcome.verdict, outcome.rewrite.as_deref()), (Some(Verdict::Deny), None), "{command}");
            assert_eq!(outcome.suggestion.as_ref().map(hook_policy::Suggestion::command), Some("just build"));
        });
    }
}

#[test]
fn an_allow_lifts_no_denial_and_the_strictest_rule_wins() {
    let allow =
        rule("program = \"git\"\nthen = \"allow\"\nshould_match = [\"git status\"]\nshould_not_match = [\"ls\"]");
    assert_eq!(verdict(&allow, &bash("git status")), Some(Verdict::Allow));
    assert_eq!(verdict(&allow, &bash("git reset --hard")), Some(Verdict::Deny));
    let two = format!(
        "{allow}{}",
        rule(
            "id = \"two\"\nprogram = \"git\"\nthen = \"ask\"\nshould_match = [\"git fetch\"]\nshould_not_match = [\"ls\"]"
        )
    );
    assert_eq!(verdict(&two, &bash("git status")), Some(Verdict::Ask));
}

#[test]
fn an_allow_covers_the_programs_that_it_names_and_nothing_beside_them() {
    let file = format!(
        "{}{}",
        rule("program = [\"ls\", \"git\"]\nthen = \"allow\"\nshould_match = [\"ls\"]\nshould_not_match = [\"make\"]"),
        rule(
            "id = \"two\"\nprogram = \"make\"\nthen = \"allow\"\nshould_match = [\"make\"]\nshould_not_match = [\"ls\"]"
        )
    );
    for command in ["ls -la", "ls | git hash-object --stdin", "cd a && ls 2>&1", "make; ls > /dev/null", "echo $(ls)"] {
        assert_eq!(verdict(&file, &bash(command)), Some(Verdict::Allow), "{command}");
    }
    for command in [
        "ls | sh", "ls; ./evil", "ls && evil", "ls $(evil)", "ls <(evil)", "ls & evil", "sudo ls", "env ls",
        "PATH=. ls", "ls > out", "ls &> out", "$x ls", "ls \"$(evil", "ls() { evil; }; ls", "if evil; then ls; fi",
        "ls\nevil",
    ] {
        assert_ne!(verdict(&file, &bash(command)), Some(Verdict::Allow), "{command}");
    }
}

#[test]
fn a_rewrite_keeps_the_arguments_where_it_says_so_and_is_judged_itself() {
    let with = |suggest: &str| {
        rule(&format!(
            "program = \"npm\"\nthen = \"rewrite\"\nsuggest = \"{suggest}\"\nshould_match = [\"npm i\"]\nshould_not_match = [\"ls\"]"
        ))
    };
    decided(&with("pnpm {args}"), &bash("cd a && npm i 'a b' -D | tail"), &Known::default(), |outcome| {
        assert_eq!(outcome.rewrite.as_deref(), Some("cd a && pnpm i 'a b' -D | tail"));
    });
    decided(&with("pnpm {args}"), &bash("npm"), &Known::default(), |outcome| {
        assert_eq!(outcome.rewrite.as_deref(), Some("pnpm"));
    });
    // What the rewritten line would do is refused, however harmless the rule's own command looks.
    decided(&with("rm -rf {args}"), &bash("npm /"), &Known::default(), |outcome| {
        assert_eq!((outcome.verdict, outcome.rewrite.as_deref()), (Some(Verdict::Deny), None));
        assert_eq!(outcome.rule.as_deref(), Some("delete-system"));
    });
}

#[test]
fn one_faulty_rule_takes_no_other_rule_with_it() {
    let file = format!(
        "{}{}",
        rule("id = \"good\"\nprogram = \"make\"\nshould_match = [\"make\"]\nshould_not_match = [\"ls\"]"),
        rule("id = \"bad\"\nprogram = \"just\"\nshould_match = [\"just\"]\nshould_not_match = []")
    );
    assert!(fault(&file).to_string().contains("rule `bad`"));
    decided(&file, &bash("make"), &Known::default(), |outcome| {
        assert_eq!((outcome.verdict, outcome.rule.as_deref()), (Some(Verdict::Deny), Some("good")));
    });
    assert_eq!(verdict(&file, &bash("just")), None);
}

/// A hook proves no example; `audit` does. What a rule says holds all the same.
#[test]
fn a_rule_that_is_not_proven_holds_and_is_told() {
    let file = rule("program = \"just\"\nshould_match = [\"make\"]\nshould_not_match = [\"just a\"]");
    assert_eq!(verdict(&file, &bash("just")), Some(Verdict::Deny));
    let raw = RawProfile::parse("hookbin.toml", &file);
    assert_eq!(unproven(&raw), ["rule `mine` does not match its example \"make\""]);
    let profile = with_faults(&[("none", NONE)], &[&file]);
    let audited = audit(&profile, raw.rules());
    assert_eq!(audited[0].findings.first(), Some(&"rule `mine` does not match its example \"make\"".to_owned()));
}

/// Nobody decides by a file how long reading it takes, nor how long each call takes then.
#[test]
fn patterns_of_a_file_have_a_bound_in_steps() {
    for pattern in [r"\\w{200}|ls", "(a{1,30}){1,30}", r"[\\w--a]{90}x?"] {
        let file: String = (0..3_000)
            .map(|number| {
                let head = format!("id = \"r{number}\"\nmatches = \"{pattern}\"\n");
                rule(&(head + "should_match = [\"x\"]\nshould_not_match = [\"y\"]"))
            })
            .collect();
        let before = patterns_compiled();
        let profile = with_faults(&[("none", NONE)], &[&file]);
        let compiled = patterns_compiled() - before;
        assert!(profile.faults.iter().any(|fault| fault.to_string().contains("too long to compile")), "{pattern}");
        assert!(compiled < 3_000, "{compiled} patterns were compiled for {pattern}");
        let before = patterns_compiled();
        let plan = profile.plan(&bash("ls").name());
        decide(&bash("echo b"), &plan, &Known::default());
        assert!(patterns_compiled() - before < 3_000);
    }
}

#[test]
fn a_suggestion_that_would_be_refused_is_not_made() {
    let file = rule(
        "program = \"just\"\nsuggest = \"git reset --hard\"\nshould_match = [\"just\"]\nshould_not_match = [\"ls\"]",
    );
    decided(&file, &bash("just"), &Known::default(), |outcome| {
        assert_eq!(
            (outcome.verdict, outcome.suggestion.as_ref().map(hook_policy::Suggestion::command)),
            (Some(Verdict::Deny), None)
        );
    });
}

#[test]
fn prompts_paths_and_texts_can_be_ruled() {
    let on_prompt = rule(
        "event = \"UserPromptSubmit\"\nmatches = '(?i)\\bdeploy\\b'\nshould_match = [\"Deploy it\"]\nshould_not_match = [\"redeployment\"]",
    );
    assert_eq!(verdict(&on_prompt, &prompt("please deploy now")), Some(Verdict::Deny));
    assert_eq!(verdict(&on_prompt, &prompt("hello")), None);
    let path = rule(
        "tool = \"Edit|Write\"\npath = [\"*/generated/*\"]\nshould_match = [\"/p/generated/a.rs\"]\nshould_not_match = [\"/p/src/a.rs\"]",
    );
    let write = |path: &str, content: &str| Event {
        body: PreToolUse::file_call("Write", path, Some(content)).into(),
        ..Event::default()
    };
    assert_eq!(verdict(&path, &write("/x/generated/b.rs", "")), Some(Verdict::Deny));
    assert_eq!(verdict(&path, &write("/tmp/x/src/b.rs", "")), None);
    let text =
        rule("tool = \"Write\"\ntext = [\"TODO\"]\nshould_match = [\"a TODO b\"]\nshould_not_match = [\"done\"]");
    assert_eq!(verdict(&text, &write("/x/a", "one TODO")), Some(Verdict::Deny));
    assert_eq!(verdict(&text, &write("/tmp/x/a", "one")), None);
}

#[test]
fn conditions_over_the_session_hold_before_a_rule_fits() {
    let file = rule(
        "program = \"make\"\nwhen = { actions_at_least = 10 }\nshould_match = [\"make\"]\nshould_not_match = [\"ls\"]",
    );
    let facts = |actions| Known { session: SessionFacts { actions, ..SessionFacts::default() }, ..Known::default() };
    assert_eq!(decided(&file, &bash("make"), &facts(9), |outcome| outcome.verdict), None);
    assert_eq!(decided(&file, &bash("make"), &facts(10), |outcome| outcome.verdict), Some(Verdict::Deny));
}

#[test]
fn a_pattern_is_compiled_only_for_a_text_that_can_fit() {
    let file = rule(
        "matches = 'deploy\\s+(prod|live)'\nshould_match = [\"deploy prod\"]\nshould_not_match = [\"deploy test\"]",
    );
    let profile = resolved(&[("none", NONE)], &[&file]).unwrap();
    let plan = profile.plan(&bash("ls").name());
    let compiled = |command: &str| {
        let before = patterns_compiled();
        let verdict = decide(&bash(command), &plan, &Known::default()).verdict;
        (verdict, patterns_compiled() - before)
    };
    assert_eq!(compiled("cargo test --all"), (None, 0));
    assert_eq!(compiled("deploy test"), (None, 1));
    assert_eq!(compiled("deploy live"), (Some(Verdict::Deny), 1));
}

#[test]
fn a_rule_that_does_not_prove_itself_does_not_load() {
    let cases = [
        ("program = \"a\"\nshould_match = []\nshould_not_match = [\"b\"]", "needs at least one example"),
        ("program = \"a\"\nshould_match = [\"a\"]", "should_not_match"),
        ("program = \"a\"\nshould_match = [\"b\"]\nshould_not_match = [\"c\"]", "does not match its example \"b\""),
        (
            "program = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"sudo a\"]",
            "matches \"sudo a\", which it should not match",
        ),
        ("should_match = [\"a\"]\nshould_not_match = [\"b\"]", "no condition"),
        ("args = [\"*\"]\nshould_match = [\"a b\"]\nshould_not_match = [\"b\"]", "fit every call"),
        ("program = \"*\"\nmatches = '.*'\nshould_match = [\"a b\"]\nshould_not_match = [\"b\"]", "fit every call"),
        (
            "then = \"allow\"\nmatches = '^make'\nshould_match = [\"make\"]\nshould_not_match = [\"b\"]",
            "has to name the `program`",
        ),
        (
            "then = \"allow\"\nprogram = \"a\"\nshould_match = [\"a; b\"]\nshould_not_match = [\"b\"]",
            "does not match its example \"a; b\"",
        ),
        ("program = \"a\"\nfire = [\"a\"]\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]", "fire"),
        ("matches = \"(\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]", "no regular expression"),
        ("event = \"Stop\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]", "rules work on"),
        (
            "event = \"UserPromptSubmit\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]",
            "a prompt has no tool",
        ),
        (
            "event = \"PostToolUse\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]",
            "can only advise",
        ),
        (
            "then = \"rewrite\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]",
            "it needs a `program` and the command",
        ),
        (
            "when = { tier_at_least = \"HUGE\" }\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]",
            "tiers are SIMPLE, LIGHT, MEDIUM, CRITICAL",
        ),
        (
            "id = \"delete-system\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]",
            "name of a built-in rule",
        ),
        ("id = \"\"\nprogram = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]", "not empty"),
    ];
    for (lines, needle) in cases {
        let error = fault(&rule(lines));
        assert!(error.to_string().contains(needle), "{lines}\n{error}");
        assert!(error.line.is_some(), "{error}");
    }
    let good = rule("program = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]");
    assert!(fault(&format!("{good}{good}")).to_string().contains("named twice"));
}

#[test]
fn an_audit_names_rules_that_never_decide_and_suggestions_that_are_refused() {
    let file = [
        rule("id = \"good\"\nprogram = \"make\"\nshould_match = [\"make\"]\nshould_not_match = [\"ls\"]"),
        rule("id = \"shadowed\"\nprogram = \"rm\"\nargs = [\"/\"]\nthen = \"ask\"\nshould_match = [\"rm -rf /\"]\nshould_not_match = [\"ls\"]"),
        rule("id = \"worse\"\nprogram = \"just\"\nsuggest = \"git reset --hard\"\nshould_match = [\"just\"]\nshould_not_match = [\"ls\"]"),
        rule("id = \"contradicts\"\nprogram = \"make\"\nthen = \"allow\"\nshould_match = [\"make\"]\nshould_not_match = [\"ls\"]"),
    ]
    .concat();
    let raw = RawProfile::parse("hookbin.toml", &file);
    let none = RawProfile::parse("none", NONE);
    let builtin = |name: &str| (name == "none").then(|| none.clone());
    let profile = resolve(&["none".to_owned()], std::slice::from_ref(&raw), &builtin, &["none"]);
    let found = audit(&profile, raw.rules());
    let of = |id: &str| found.iter().find(|rule| rule.id == id).unwrap().findings.join("; ");
    assert_eq!(of("good"), "");
    assert!(of("shadowed").contains("never decides"), "{}", of("shadowed"));
    assert!(of("worse").contains("does not pass"), "{}", of("worse"));
    assert!(of("contradicts").contains("never decides"), "{}", of("contradicts"));
}

#[test]
fn severities_of_rules_and_families_can_be_changed_but_not_own_protection() {
    let change = |line: &str| format!("[change.guard.guard.severity]\n{line}\n");
    assert_eq!(verdict("", &bash("git clean -fd")), Some(Verdict::Deny));
    assert_eq!(verdict(&change("git-clean = \"ask\""), &bash("git clean -fd")), Some(Verdict::Ask));
    assert_eq!(verdict(&change("git = \"off\""), &bash("git clean -fd")), None);
    assert_eq!(verdict(&change("registry = \"deny\""), &bash("npm publish")), Some(Verdict::Deny));
    assert_eq!(verdict("", &bash("npm publish")), Some(Verdict::Ask));
    for line in ["own = \"off\"", "nothing = \"ask\""] {
        resolved(&[("none", NONE)], &[&change(line)]).expect_err("the change must not load");
    }
    let own = "name = \"own\"\n[[handler]]\nname = \"mine\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\nguard.families = [\"own\"]";
    for change in ["enabled = false", "tools = [\"Read\"]", "guard = { families = [\"git\"] }"] {
        let error = resolved(&[("none", own)], &[&format!("[change.mine]\n{change}\n")]).expect_err(change);
        assert!(error.to_string().contains("own protection cannot be changed"), "{error}");
    }
}

/// Rules that were taken out of the plan are asked for part by part; where they are not given back, no call is taken for allowed.
#[test]
fn rules_that_are_kept_elsewhere_are_asked_for_or_missed() {
    struct KeyStore {
        rules: Option<Vec<u8>>,
        damaged: AtomicBool,
    }
    impl RuleStore for KeyStore {
        fn read(&self, from: u32, bytes: u32) -> Option<Vec<u8>> {
            self.rules.as_ref()?.get(from as usize..(from + bytes) as usize).map(<[u8]>::to_vec)
        }
        fn damaged(&self) {
            self.damaged.store(true, Ordering::Relaxed);
        }
    }

    let rules = |then: &str| -> String {
        let lines = |n| {
            format!(
                "id = \"own-{n}\"\nthen = \"{then}\"\nprogram = \"tool{n}\"\nshould_match = [\"tool{n}\"]\nshould_not_match = [\"ls\"]"
            )
        };
        (0..60).map(|n| rule(&lines(n))).collect()
    };
    for (then, missed) in [("deny", Some(Verdict::Deny)), ("ask", Some(Verdict::Ask)), ("advise", None)] {
        let profile = resolved(&[("none", NONE)], &[&rules(then)]).unwrap();
        let mut plan = profile.plan(&bash("").name());
        let whole = plan.clone();
        let kept = plan.detach_rules();
        assert!(kept.is_some() && plan.detach_rules().is_none());
        let key_store = |rules| Arc::new(KeyStore { rules, damaged: AtomicBool::new(false) });
        for command in ["tool7", "sudo tool59", "ls", "tool60"] {
            let event = bash(command);
            let store = key_store(kept.clone());
            plan.attach_rules(&(store.clone() as Arc<dyn RuleStore>));
            assert_eq!(decide(&event, &plan, &Known::default()), decide(&event, &whole, &Known::default()));
            assert!(!store.damaged.load(Ordering::Relaxed));
            // Nothing was given back: the handler's answer to an error, and word of it to the log and to whoever keeps the rules.
            // Of a program that no rule names, none is asked for.
            let store = key_store(None);
            plan.attach_rules(&(store.clone() as Arc<dyn RuleStore>));
            let outcome = decide(&event, &plan, &Known::default());
            let asked = store.damaged.load(Ordering::Relaxed);
            let (missed, faults) = if asked { (missed, 1) } else { (None, 0) };
            assert_eq!((outcome.verdict, outcome.faults.len()), (missed, faults), "{command}");
            assert!(asked || !["tool7", "sudo tool59"].contains(&command), "{command}");
        }
        let outcome = decide(&bash("tool7"), &whole, &Known::default());
        assert_eq!(outcome.faults, [""; 0]);
        assert_eq!(outcome.rule.as_deref(), missed.map(|_| "own-7"), "{then}");
    }
    // A few stay where they are.
    let few =
        resolved(&[("none", NONE)], &[&rule("program = \"a\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]")])
            .unwrap();
    assert_eq!(few.plan(&bash("").name()).detach_rules(), None);
}

#[test]
fn former_names_count_and_are_noted_with_what_they_are_called_today() {
    let text =
        "[[rule]]\nid = \"r\"\nprogram = \"a\"\nthen = \"deny\"\nreason = \"r\"\nfires = [\"a\"]\nspares = [\"b\"]\n";
    let today = text.replace("fires", "should_match").replace("spares", "should_not_match");
    let (former, today) = (RawProfile::parse("f", text), RawProfile::parse("f", &today));
    let examples = |file: &RawProfile| -> Vec<_> {
        file.rules().iter().map(|rule| (rule.should_match.clone(), rule.should_not_match.clone())).collect()
    };
    assert_eq!(examples(&former), [(vec!["a".to_owned()], vec!["b".to_owned()])]);
    assert_eq!(examples(&former), examples(&today));
    let said = ["line 6: `fires` is called `should_match` now", "line 7: `spares` is called `should_not_match` now"];
    assert_eq!((former.notes(), today.notes()), (said.map(str::to_owned).as_slice(), [].as_slice()));
}
