//! The guard as an embedder meets it: made once, asked about commands.

use hook_policy::profile::{NAMES, builtin, builtin_text};
use hook_policy::{At, Guard, Moment, Verdict};
use hook_protocol::event::{Event, PreToolUse};

const AT: At<'_> = At::new("/home/dev/app").home("/home/dev");

#[test]
fn every_built_in_profile_resolves_without_a_fault() {
    for name in NAMES {
        let profile = hook_policy::profile::resolve(&[(*name).to_owned()], &[], &builtin, NAMES);
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
    // Elsewhere the same words mean another folder.
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
    let write = Event { body: PreToolUse::file_call("Write", "/etc/passwd", Some("x")).into(), ..Event::default() };
    assert_eq!(Guard::standard().check_event(&write, &AT).verdict, Some(Verdict::Deny));
}

const RULES: &str = r#"
[[rule]]
id = "pnpm"
program = "npm"
args = ["install"]
then = "rewrite"
reason = "This project uses pnpm."
suggest = "pnpm {args}"
fires = ["npm install"]
spares = ["npm test"]
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
    let unproven = RULES.replace("fires = [\"npm install\"]", "fires = [\"npm ci\"]");
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
