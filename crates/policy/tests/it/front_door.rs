//! The guard as an embedder meets it: made once, asked about commands.

use hook_policy::profile::{NAMES, RawProfile, builtin, builtin_text, resolve};
use hook_policy::repository::{Head, Repository};
use hook_policy::testing::FixedFacts;
use hook_policy::{At, Entry, Facts, Guard, Moment, Verdict};
use hook_protocol::ToolNames;
use hook_protocol::event::{Event, PreToolUse};

const AT: At<'_> = At::new("/home/dev/app").home("/home/dev");

#[test]
fn every_built_in_profile_resolves_without_a_fault() {
    for name in NAMES {
        let profile = resolve(&[(*name).to_owned()], &[], &builtin, NAMES);
        assert!(profile.faults.is_empty(), "{name}: {:?}", profile.faults);
        assert_eq!(profile.names, [*name]);
    }
    assert!(builtin_text("base").is_some() && builtin("standrd").is_none());
}

#[test]
fn the_standard_guard_says_what_may_run_and_why_not() {
    let guard = Guard::standard();
    let answer = guard.check("cd .. && rm -rf lib", &AT);
    assert_eq!((answer.verdict, answer.rule.as_deref()), (Some(Verdict::Deny), Some("delete-outside")));
    assert!(answer.reason.as_deref().unwrap().contains("/home/dev/lib"), "{answer:?}");
    assert_eq!(answer.suggestion.as_ref().unwrap().command(), "ls /home/dev/lib");
    assert!(!answer.allows());
    // Elsewhere the same words mean another directory.
    assert!(guard.check("cd .. && rm -rf lib", &AT.cwd("/home/dev/app/web")).allows());
    assert!(!guard.check("git push --force origin main", &AT).allows());
    let harmless = guard.check("cargo test", &AT);
    assert_eq!((harmless.verdict, harmless.reason.as_deref()), (None, None));
    assert!(harmless.allows());
}

#[test]
fn the_guard_sees_through_links_that_it_is_told() {
    let guard = Guard::standard();
    let link = |path: &str| path.strip_prefix("/home/dev/app/conf").map(|rest| format!("/etc{rest}"));
    assert!(guard.check("rm -rf conf/ssl", &AT).allows());
    let answer = guard.check("rm -rf conf/ssl", &AT.real_path(&link));
    assert_eq!(answer.verdict, Some(Verdict::Deny));
    assert!(answer.reason.unwrap().contains("/etc/ssl"));
}

#[test]
fn a_call_that_cannot_be_read_is_a_question() {
    let body = PreToolUse { tool_name: Some("Bash".into()), ..PreToolUse::default() };
    let event = Event { body: body.into(), ..Event::default() };
    assert_eq!(Guard::standard().check_event(&event, &AT).verdict, Some(Verdict::Ask));
}

#[test]
fn other_tools_are_judged_by_their_event() {
    let guard = Guard::standard();
    let verdict = |event: Event<'_>| guard.check_event(&event, &AT).verdict;
    assert_eq!(verdict(Event::write("/etc/passwd", "x", "/home/dev/app")), Some(Verdict::Deny));
    assert_eq!(verdict(Event::read("/home/dev/.aws/credentials", "/home/dev/app")), Some(Verdict::Deny));
    assert_eq!(verdict(Event::write("notes.txt", "x", "/home/dev/app")), None);
}

const RULES: &str = r#"
[[rule]]
id = "pnpm"
program = "npm"
args = ["install"]
then = "rewrite"
reason = "This project uses pnpm."
suggest = "pnpm {args}"
should_match = ["npm install"]
should_not_match = ["npm test"]
"#;

#[test]
fn rules_of_a_team_stand_beside_the_standard_guard() {
    let guard = Guard::from_toml("team.toml", RULES).unwrap();
    let answer = guard.check("npm install react", &AT);
    assert_eq!(answer.rewrite.as_deref(), Some("pnpm install react"));
    assert!(!answer.allows(), "the call as it is must not run");
    assert_eq!(guard.check("rm -rf ~", &AT).verdict, Some(Verdict::Deny));
}

#[test]
fn a_fault_is_an_error_with_its_place() {
    let error = Guard::from_toml("team.toml", &RULES.replace("program", "programm")).unwrap_err();
    assert!(error.to_string().starts_with("team.toml:4:") && error.to_string().contains("`program`"), "{error}");
    // A rule whose example does not hold protects nothing.
    let unproven = RULES.replace("should_match = [\"npm install\"]", "should_match = [\"npm ci\"]");
    assert!(Guard::from_toml("team.toml", &unproven).is_err());
    assert!(Guard::from_toml("team.toml", "profile = [\"standrd\"]").unwrap_err().to_string().contains("standard"));
}

#[test]
fn one_guard_serves_many_threads() {
    let guard = Guard::standard();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(!guard.check("rm -rf /etc", &AT).allows()));
        }
    });
}

/// Stamps by `date -u -d @SECONDS`.
#[test]
fn a_moment_has_its_stamp() {
    for (epoch, stamp) in [
        (0, "1970-01-01 00:00:00"),
        (951_782_399, "2000-02-28 23:59:59"),
        (951_782_400, "2000-02-29 00:00:00"),
        (4_107_542_400, "2100-03-01 00:00:00"),
        (-1, "1969-12-31 23:59:59"),
        (253_402_300_799, "9999-12-31 23:59:59"),
        (i64::MAX, "9999-12-31 23:59:59"),
    ] {
        assert_eq!(Moment::from_epoch(epoch).stamp, stamp);
    }
}

fn call<'p>(payload: &'p str, names: &ToolNames) -> Event<'p> {
    Event::parse_with(payload, names).unwrap()
}

#[test]
fn tools_by_their_own_names_are_judged_like_the_clients() {
    let (guard, names) = (Guard::standard(), ToolNames::new().shell("x").parameter("x", "line", "command"));
    let payload = r#"{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{"line":"rm -rf /etc"}}"#;
    assert_eq!(guard.check_event(&call(payload, &ToolNames::new()), &AT).verdict, None);
    assert_eq!(guard.check_event(&call(payload, &names), &AT).verdict, Some(Verdict::Deny));
    // What the tool is given twice can be read in two ways.
    let twice = r#"{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{"line":"ls","line":"rm -rf /"}}"#;
    assert!(!guard.check_event(&call(twice, &names), &AT).allows());
    let other = r#"{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{"command":"ls"}}"#;
    assert_eq!(guard.check_event(&call(other, &names), &AT).verdict, Some(Verdict::Ask));
}

#[test]
fn a_call_that_nobody_knew_is_told_from_one_that_was_found_harmless() {
    let guard = Guard::standard();
    let looked_at = |event: &Event<'_>| guard.check_event(event, &AT).looked_at;
    for event in [Event::shell("ls", "/"), Event::shell("", "/"), Event::read("a", "/"), Event::write("a", "", "/")] {
        assert!(looked_at(&event), "{event:?}");
    }
    let none = ToolNames::new();
    assert!(!looked_at(&call(r#"{"hook_event_name":"PreToolUse","tool_name":"x","tool_input":{"a":1}}"#, &none)));
    let shell = r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__a__run","tool_input":{"command":"ls"}}"#;
    assert!(looked_at(&call(shell, &none)), "the shape says that it is a command");
    // Who has no guard has nobody who looks.
    let profile = |text: &str| resolve(&[], &[RawProfile::parse("t.toml", text)], &builtin, NAMES);
    assert!(!Guard::with_profile(&profile("")).check_event(&Event::shell("rm -rf /", "/"), &AT).looked_at);
    // A check that is there for one tool has looked at its calls.
    let branches =
        "[[handler]]\nname = \"b\"\non = [\"PreToolUse\"]\ntools = [\"Write\"]\nsteps = [\"branch-guard\"]\n";
    let guard = Guard::with_profile(&profile(branches));
    assert!(guard.check_event(&Event::write("a", "", "/"), &AT).looked_at);
    assert!(!guard.check_event(&Event::read("a", "/"), &AT).looked_at);
}

#[test]
fn a_made_up_world_answers_as_one() {
    let top = "/home/dev/app";
    let main = Repository { top: Some(top.to_owned()), head: Head::Branch("main".to_owned()), ..Repository::default() };
    let world = FixedFacts::new(top)
        .with_home("/home/dev")
        .at(1_772_359_200)
        .with_link("/home/dev/app/conf", "/srv/conf")
        .with_link("/srv/conf", "/etc")
        .with_link("/home/dev/app/loop", "/home/dev/app/loop")
        .with_file("src/a.rs", "fn a() {}\nfn b() {}\n")
        .with_file("/etc/hosts", "::1 me")
        .with_repository(top, main)
        .with_git_setting(top, "alias.wipe", "reset --hard");
    assert_eq!(world.now().stamp, "2026-03-01 10:00:00");
    assert_eq!(world.real_path("/home/dev/app/conf/hosts").as_deref(), Some("/etc/hosts"));
    assert_eq!(world.real_path("/home/dev/app/config"), None);
    assert_eq!(world.real_path("/home/dev/app/loop/x"), None);
    assert_eq!(world.project_file("conf/hosts").as_deref(), Some("::1 me"));
    assert_eq!(world.line_count("src/a.rs"), Some(2));
    assert_eq!(world.file_info("/home/dev/app/src/a.rs").unwrap().bytes, 20);
    assert_eq!(world.project_dir_names("."), None);
    assert_eq!(world.project_dir_names("src").unwrap(), ["a.rs"]);
    assert_eq!(world.project_dir_names(top).unwrap(), ["src"]);
    let entry = |path| world.entry(path);
    assert_eq!(entry("/home/dev/app/conf"), Entry::Link);
    assert_eq!(entry("/home/dev/app/src"), Entry::Dir);
    assert_eq!(entry("/home/dev/app/src/a.rs"), Entry::Plain);
    assert_eq!(entry("/home/dev/app/other"), Entry::Unknown);
    assert_eq!(world.repository("/home/dev/app/src").unwrap().branch(), Some("main"));
    assert_eq!(world.repository("/home/dev/application"), None);
    // Verdicts hang on what the world says.
    let rule = |command: &str| Guard::standard().check_with(command, top, &world).rule;
    assert_eq!(rule("git wipe"), rule("git reset --hard"));
    assert!(rule("git wipe").is_some() && rule("git other").is_none());
    assert!(rule("rm -rf conf/ssl").is_some());
}
