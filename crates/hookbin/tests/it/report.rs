//! `hookbin report`: what stands on the page, how large it may grow, and what a hostile log can do to it.

use std::path::Path;

use chrono::{DateTime, Duration, Utc};
use hook_audit_log::{AuditLog, Limits, Record, Value};
use serde_json::json;

use crate::sandbox::{Ran, Sandbox, limited, run};

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

fn at(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

/// A log as a session of `events` events leaves it: prompts with scores, calls of five tools, some refused, some asked about.
pub(crate) fn long_session(dir: &Path, events: u64) {
    let log = AuditLog::new(dir, Limits { max_bytes: 1 << 30, ..Limits::default() });
    let start = at("2026-03-01T08:00:00Z");
    let is_judged = |n: u64| n % 113 == 7 && !n.is_multiple_of(20) && n % 2 == 1;
    let is_refused = |n: u64| is_judged(n) && !(n / 226).is_multiple_of(3);
    for n in 0..events {
        let time = start + Duration::milliseconds(i64::try_from(n).unwrap() * 1_700);
        let round = n % 20;
        let event = match round {
            0 => "UserPromptSubmit",
            19 => "Stop",
            odd if odd % 2 == 1 => "PreToolUse",
            // What was refused is not run; the agent looks for another way.
            _ if n > 0 && is_refused(n - 1) => "PreToolUse",
            _ => "PostToolUse",
        };
        let mut record = Record::new(time, event);
        record.session = Some(SESSION.into());
        record.elapsed_us = Some(300 + n * 37 % 900 + if n % 997 == 0 { 80_000 } else { 0 });
        if round == 0 {
            record.extra.push(("prompt_chars".into(), Value::Uint(200)));
            let c = 50 + n * n * 7 % 14_000;
            record.extra.push(("complexity".into(), Value::Uint(c)));
            record.extra.push((
                "tier".into(),
                Value::from(if c < 500 {
                    "SIMPLE"
                } else if c < 2_000 {
                    "LIGHT"
                } else if c < 10_000 {
                    "MEDIUM"
                } else {
                    "CRITICAL"
                }),
            ));
        } else if round < 19 {
            let call = if event == "PostToolUse" { n - 1 } else { n };
            record.tool_use_id = Some(format!("toolu_{call}").into());
            record.tool = Some(["Bash", "Read", "Edit", "Write", "Grep"][usize::try_from(call % 5).unwrap()].into());
            if call.is_multiple_of(5) {
                record.command = Some(format!("cargo test --package part-{} -- --nocapture", call % 40).into());
            } else {
                record.path =
                    Some(format!("/home/user/project/crates/part-{}/src/module_{}.rs", call % 12, call % 300).into());
            }
            if event == "PostToolUse" {
                record.result = Some("success".into());
            } else if is_judged(n) {
                record.verdict = Some(if is_refused(n) { "deny" } else { "ask" }.into());
                record.check = Some("guard".into());
                record.rule = Some("git-throw-away".into());
                record.reason = Some("it throws away changes that are nowhere else".into());
            }
        }
        log.append(&record).unwrap();
    }
}

fn page(sandbox: &Sandbox, args: &[&str]) -> String {
    let mut all = vec!["report", "-o", "-"];
    all.extend(args);
    let ran = sandbox.cli(&all);
    assert_eq!(ran.code, Some(0), "{} {}", ran.stderr, ran.stdout.len());
    ran.stdout
}

/// One event to the built hook, at a time.
fn event(sandbox: &Sandbox, when: &str, event: &serde_json::Value) -> Ran {
    let mut event = event.clone();
    let object = event.as_object_mut().unwrap();
    object.entry("session_id").or_insert(json!(SESSION));
    object.entry("cwd").or_insert(json!(sandbox.project()));
    sandbox.hook_with(&[], event.to_string().as_bytes(), &[("HOOKBIN_NOW", when)])
}

/// The text between two marks.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).map_or(rest, |(part, _)| part)
}

#[test]
fn a_session_of_the_built_hook_is_told_from_begin_to_end() {
    let sandbox = Sandbox::with_profile("standard,spf");
    let bash = |id: &str, command: &str| json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}});
    event(&sandbox, "2026-03-01T10:00:00Z", &json!({"hook_event_name": "SessionStart", "source": "startup"}));
    let prompt = "Refactor the parser, design the architecture of the new module and then analyze all of it.";
    event(&sandbox, "2026-03-01T10:00:05Z", &json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}));
    assert_eq!(
        event(&sandbox, "2026-03-01T10:00:10Z", &bash("toolu_1", "rm -rf / <b>&")).decision().as_deref(),
        Some("deny")
    );
    event(&sandbox, "2026-03-01T10:00:12Z", &bash("toolu_2", "echo other way"));
    let read = json!({"hook_event_name": "PostToolUse", "tool_name": "mcp__spf__spf_read", "tool_use_id": "toolu_3", "tool_input": {"path": "/srv/notes.txt"}});
    event(&sandbox, "2026-03-01T10:00:20Z", &read);
    event(&sandbox, "2026-03-01T10:01:00Z", &json!({"hook_event_name": "Stop"}));

    let page = page(&sandbox, &[]);
    let refusals = between(&page, "id=\"refusals\"", "</section>");
    assert!(refusals.contains("<code>rm -rf / &lt;b&gt;&amp;</code>"), "{refusals}");
    assert!(refusals.contains("Then, after 2.0 s: next call: Bash, refused as well"), "{refusals}");
    assert!(refusals.contains("<code>echo other way</code>"), "{refusals}");
    assert!(between(&page, "id=\"files\"", "</section>").contains("/srv/notes.txt"));
    let scored = sandbox.cli(&["score", "--json", "--profile", "standard,spf", prompt]).json();
    let c = scored["c"].as_u64().unwrap();
    let complexity = between(&page, "id=\"complexity\"", "</section>");
    let tier = scored["tier"].as_str().unwrap();
    let digits: String = c.to_string().chars().collect();
    assert!(complexity.replace(',', "").contains(&format!("{tier}: C {digits}")), "{c} {tier}: {complexity}");
    // The page belongs to the log that `log verify` calls whole; its own making records nothing.
    assert!(between(&page, "id=\"chain\"", "</section>").contains("The chain is whole."));
    assert_eq!(sandbox.cli(&["log", "verify", "--json"]).json()["records"], 6);
}

#[test]
fn what_a_question_and_a_refusal_led_to_is_said() {
    let sandbox = Sandbox::new();
    let log = AuditLog::new(sandbox.log(), Limits::default());
    let start = at("2026-03-01T10:00:00Z");
    let mut seconds = 0;
    let mut add = |event: &'static str, call: &'static str, verdict: Option<&'static str>| {
        seconds += 1;
        let record = Record {
            session: Some("s".into()),
            tool: Some("Bash".into()),
            tool_use_id: Some(call.into()),
            verdict: verdict.map(Into::into),
            command: Some(format!("command of {call}").into()),
            ..Record::new(start + Duration::seconds(seconds), event)
        };
        log.append(&record).unwrap();
    };
    add("PreToolUse", "a", Some("ask"));
    add("PreToolUse", "b", Some("ask"));
    add("PostToolUse", "a", None);
    add("UserPromptSubmit", "", None);
    add("PreToolUse", "c", Some("deny"));
    add("PostToolUse", "c", None);
    add("PreToolUse", "d", Some("deny"));
    let page = page(&sandbox, &[]);
    let of = |call: &str| {
        let item = page
            .split("<li>")
            .find(|item| item.contains("class=\"next") && item.contains(&format!("command of {call}<")));
        item.unwrap_or_else(|| panic!("{call}")).to_owned()
    };
    assert!(of("a").contains("after 2.0 s: allowed by the user, it ran"), "{}", of("a"));
    assert!(of("b").contains("it did not run, the user wrote"), "{}", of("b"));
    assert!(of("c").contains("although it was refused, it ran: Claude Code did not obey"), "{}", of("c"));
    assert!(of("d").contains("Nothing was recorded after it."), "{}", of("d"));
}

/// Twenty thousand events make a page that a browser can hold, quickly, and nothing is left out in silence.
#[test]
fn a_session_of_20_000_events_stays_usable() {
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 20_000);
    let begin = std::time::Instant::now();
    let page = page(&sandbox, &[]);
    let took = begin.elapsed();
    println!("{} bytes in {} ms", page.len(), took.as_millis());
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(took.as_secs() < 20, "{took:?}");
    assert!(page.contains("<dt>Events</dt><dd>20,000</dd>"));
    assert!(page.contains("the 18,000 before them are in the figures above"));
    // The bars of the timeline are few, and their numbers add up.
    let numbers = between(&page, "id=\"timeline\"", "Refused and asked");
    let values = between(numbers, "<tbody>", "</tbody>").split("<td class=\"n\">").skip(1);
    let values: Vec<u64> =
        values.map(|cell| cell.split('<').next().unwrap().replace(',', "").parse().unwrap()).collect();
    assert!(values.len() <= 96 && values.iter().sum::<u64>() == 20_000, "{values:?}");
}

#[test]
fn a_hostile_log_cannot_write_the_page() {
    let sandbox = Sandbox::new();
    let evil = "</code></li><script>alert(1)</script><img src=x onerror=alert(2)>\"'><style>*{display:none}</style>\u{202e}\u{1b}[2J";
    let log = AuditLog::new(sandbox.log(), Limits::default());
    let all = || Some(evil.into());
    for event in ["PreToolUse", "PostToolUse", evil, "UserPromptSubmit"] {
        let mut record = Record::new(at("2026-03-01T10:00:00Z"), event);
        (record.session, record.agent, record.tool, record.check, record.rule) = (all(), all(), all(), all(), all());
        (record.reason, record.path, record.result, record.note) = (all(), all(), all(), all());
        record.verdict = if event == "PreToolUse" { Some("deny".into()) } else { all() };
        record.elapsed_us = Some(1);
        for key in ["tier", "breaker", "checkpoint"] {
            record.extra.push((key.into(), Value::from(evil)));
        }
        record.extra.push(("complexity".into(), Value::Uint(u64::MAX)));
        record.extra.push(("faults".into(), Value::Texts(vec![evil.into()])));
        log.append(&record).unwrap();
    }
    for page in [page(&sandbox, &[]), page(&sandbox, &["--session", evil])] {
        let lower = page.to_lowercase();
        assert!(
            !lower.contains("<script") && !lower.contains("<img") && !page.contains(['\u{202e}', '\u{1b}']),
            "{page}"
        );
        assert_eq!(page.matches("<style>").count(), 1);
        assert!(page.contains("&lt;script&gt;alert(1)"));
        // Nothing is fetched, also if something slipped through.
        assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
        assert!(
            !lower.contains("http:") && !lower.contains("https:") && !lower.contains("url("),
            "something is fetched"
        );
    }
}

#[test]
fn a_gap_and_a_torn_line_are_shown() {
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 30);
    let path = sandbox.log().join("audit.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.drain(9..12);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let ran = sandbox.cli(&["report"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("NOT whole"), "{ran:?}");
    let page = sandbox.read(".claude/hookbin/report.html");
    assert!(between(&page, "id=\"chain\"", "</section>").contains("records 10 to 12 are missing"));
    assert!(page.contains("<p class=\"hole\">records 10 to 12 are missing</p>"), "not among the events");
    // What a choice leaves out is no gap.
    let other = Sandbox::new();
    let log = AuditLog::new(other.log(), Limits::default());
    for session in ["a", "b", "a"] {
        log.append(&Record { session: Some(session.into()), ..Record::new(at("2026-03-01T10:00:00Z"), "Stop") })
            .unwrap();
    }
    let one = self::page(&other, &["--session", "a"]);
    assert!(one.contains("<dt>Events</dt><dd>2</dd>") && !one.contains("class=\"hole\""));

    // A line that was cut off while it was written, and one that came after it.
    let torn = Sandbox::new();
    long_session(&torn.log(), 5);
    let path = torn.log().join("audit.jsonl");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(b"{\"v\":1,\"event\":\"PreToo");
    std::fs::write(&path, &bytes).unwrap();
    let page = self::page(&torn, &[]);
    assert!(between(&page, "id=\"chain\"", "</section>").contains("a line was torn after 22 bytes"));
    AuditLog::new(torn.log(), Limits::default()).append(&Record::new(at("2026-03-02T10:00:00Z"), "Stop")).unwrap();
    let page = self::page(&torn, &[]);
    assert!(page.contains("<p class=\"hole\">a line was torn here after 22 bytes</p>"));

    // A log that was deleted.
    let deleted = Sandbox::with_profile("spf");
    event(&deleted, "2026-03-01T10:00:00Z", &json!({"hook_event_name": "SessionStart", "source": "startup"}));
    std::fs::remove_dir_all(deleted.log()).unwrap();
    let page = self::page(&deleted, &[]);
    assert!(page.contains("the log was deleted") && page.contains("<dt>Chain</dt><dd>not whole</dd>"));
}

#[test]
fn a_period_and_a_session_can_be_chosen() {
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 200);
    let count = |args: &[&str]| {
        let page = page(&sandbox, args);
        between(&page, "<dt>Events</dt><dd>", "</dd>").to_owned()
    };
    // An event each 1.7 s from 08:00:00 on, so 36 of them up to 08:00:59.5.
    assert_eq!(count(&["--until", "2026-03-01T08:01:00Z"]), "36");
    assert_eq!(count(&["--since", "2026-03-01T08:01:00Z"]), "164");
    assert_eq!(count(&["--since", "2026-03-01", "--until", "2026-03-01"]), "200");
    assert_eq!(count(&["--since", "2026-03-02"]), "0");
    assert_eq!(count(&["--session", SESSION]), "200");
    assert_eq!(count(&["--session", "1111"]), "200");
    let mut command = sandbox.command(&["report", "-o", "-", "--since", "2h"]);
    command.env("HOOKBIN_NOW", "2026-03-01T10:01:00Z");
    assert!(run(command, b"").stdout.contains("<dt>Events</dt><dd>164</dd>"));
    for wrong in [
        ["--since", "yesterday"],
        ["--until", "2026-02-30"],
        ["--session", "nobody"],
        ["--since", "99999999999999999999d"],
    ] {
        let ran = sandbox.cli(&[["report"].as_slice(), &wrong].concat());
        assert_eq!(ran.code, Some(64), "{wrong:?}: {ran:?}");
        assert!(ran.stderr.contains(wrong[1]) && ran.stdout.is_empty(), "{ran:?}");
    }
}

#[test]
fn the_page_goes_where_it_is_told_or_nowhere() {
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 20);
    let ran = sandbox.cli(&["report", "-o", "page.html"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "page.html\n"), "{ran:?}");
    assert!(sandbox.read("page.html").ends_with("</html>\n"));
    // An empty project has a page as well.
    let empty = Sandbox::new();
    assert!(page(&empty, &[]).contains("There is no log."));
    assert!(page(&empty, &[]).contains("No prompt was recorded."));

    for target in ["gone/page.html", ".claude", "page.html/page.html"] {
        let ran = sandbox.cli(&["report", "-o", target]);
        assert_eq!(ran.code, Some(70), "{target}: {ran:?}");
        assert!(ran.stderr.contains(target) && ran.stderr.contains("-o FILE") && ran.stdout.is_empty(), "{ran:?}");
        let why = if target == ".claude" { "it is a directory" } else { "there is no directory" };
        assert!(ran.stderr.contains(why), "{ran:?}");
    }
    // On a full disk the page that was there stays, and no half one is left.
    let before = sandbox.read("page.html");
    let ran = run(limited(&sandbox.command(&["report", "-o", "page.html"]), 1), b"");
    assert_eq!(ran.code, Some(70), "{ran:?}");
    assert_eq!(sandbox.read("page.html"), before);
    let left: Vec<_> = std::fs::read_dir(sandbox.project()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// A device is written to and not replaced, a link stays one.
#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_not_replaced() {
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 20);
    assert_eq!(sandbox.cli(&["report", "-o", "/dev/full"]).code, Some(70));
    assert!(!std::fs::metadata("/dev/full").unwrap().is_file());
    sandbox.write("real.html", "old");
    std::os::unix::fs::symlink("real.html", sandbox.path("link.html")).unwrap();
    assert_eq!(sandbox.cli(&["report", "-o", "link.html"]).code, Some(0));
    assert!(sandbox.path("link.html").is_symlink() && sandbox.read("real.html").starts_with("<!doctype html>"));
}

/// How the gates stand now comes from the files that people and programs read.
#[test]
fn status_files_and_the_breaker_are_on_the_page() {
    let sandbox = Sandbox::with_profile("sane");
    for n in 0..3 {
        let failed = json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": format!("toolu_{n}"),
            "tool_input": {"command": "make"}, "error": "make: command not found"});
        event(&sandbox, "2026-03-01T10:00:00Z", &failed);
    }
    sandbox.write(".claude/.test-status", "fail|3|1772359200\n");
    sandbox.write(".claude/.proof-status", "pending|1772359200\n");
    let mut command = sandbox.command(&["report", "-o", "-"]);
    command.env("HOOKBIN_NOW", "2026-03-01T10:30:00Z");
    let page = run(command, b"").stdout;
    let gates = between(&page, "id=\"gates\"", "</section>");
    assert!(gates.contains("the last run failed (3 tests), 30 min ago"), "{gates}");
    assert!(gates.contains("it waits for a user"), "{gates}");
    assert!(gates.contains("tripped at 2026-03-01T10:00:00Z"), "{gates}");
    assert!(gates.contains("<bdi>circuit breaker tripped</bdi>"), "the log does not say when it tripped: {gates}");
}

/// The relative luminance of a colour `#rrggbb` or `#rgb` by WCAG 2.
fn luminance(colour: &str) -> f64 {
    let digits = colour.trim_start_matches('#');
    let wide: String =
        if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits.to_owned() };
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&wide[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/// Text has a contrast of 4.5 and what only has to be seen one of 3 (WCAG AA), in both schemes.
#[test]
fn colours_have_contrast_enough_in_both_schemes() {
    let page = page(&Sandbox::new(), &[]);
    let style = between(&page, "<style>", "</style>");
    for scheme in [between(style, ":root{", "}"), between(style, "(prefers-color-scheme:dark){:root{", "}")] {
        let colour = |name: &str| luminance(between(scheme, &format!("--{name}:"), ";").trim());
        let contrast = |one: &str, other: &str| {
            let (one, other) = (colour(one), colour(other));
            (one.max(other) + 0.05) / (one.min(other) + 0.05)
        };
        for (text, ground) in [
            ("text", "bg"),
            ("text", "card"),
            ("text", "denybg"),
            ("text", "allowbg"),
            ("dim", "bg"),
            ("dim", "card"),
            ("link", "bg"),
            ("deny", "bg"),
            ("deny", "denybg"),
            ("ask", "askbg"),
            ("allow", "allowbg"),
        ] {
            assert!(contrast(text, ground) >= 4.5, "{text} on {ground}: {:.2} in {scheme}", contrast(text, ground));
        }
        for (mark, ground) in [("event", "card"), ("deny", "card"), ("ask", "card")] {
            assert!(contrast(mark, ground) >= 3.0, "{mark} on {ground}: {:.2} in {scheme}", contrast(mark, ground));
        }
    }
}
