//! The checkpoint: what is run, what it decides, and runners that do not behave.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{ROUTING_LOG, TOKEN, Team, blocked};

const AGENT: &str = "module-development-agent";
const FULL_LOG: &str = ".claude/hookbin/state/checkpoint-module-development-agent.log";

impl Team {
    /// The agent ends and asks for its checkpoint.
    fn hands_in(&self, id: &str) -> crate::sandbox::Ran {
        self.ends(AGENT, id, &format!("Done. Use the unit-testing-agent subagent to test it.\n{TOKEN}"))
    }

    /// A file was written by the session.
    fn wrote(&self, at: usize, path: &str) {
        let file = self.sandbox.path(path).display().to_string();
        self.event(
            "PostToolUse",
            &json!({
                "tool_name": "Write", "tool_use_id": format!("toolu_w{at}"), "duration_ms": 5,
                "tool_input": {"file_path": file, "content": "x"}, "tool_response": {"type": "create", "filePath": file},
            }),
        );
    }

    fn lines(&self, start: &str) -> usize {
        self.sandbox.read(ROUTING_LOG).lines().filter(|line| line.contains(start)).count()
    }
}

/// A project whose tests run by a `vitest` of this script. The report goes where the runner was told to put it.
fn vitest(script: &str) -> Team {
    let mut team = Team::new();
    "/usr/bin:/bin".clone_into(&mut team.path);
    team.sandbox.write("vitest.config.ts", "export default {}\n");
    team.sandbox.write("package.json", "{\"name\":\"p\"}\n");
    team.sandbox.program("node_modules/.bin/vitest",
        &format!("for a in \"$@\"; do case \"$a\" in --outputFile.junit=*) report=\"${{a#*=}}\";; esac; done\necho run >> ../ran\n{script}"),
    );
    team
}

/// How often the runner of [`vitest`] was started.
fn runs(team: &Team) -> usize {
    std::fs::read_to_string(team.sandbox.home().join("ran")).unwrap_or_default().lines().count()
}

const JUNIT_10_FAILED: &str = r#"cat > "$report" <<'E'
<?xml version="1.0"?><testsuites name="vitest tests" tests="12" failures="10">
<testsuite name="a.test.ts" tests="12" failures="10">
<testcase name="adds &lt;one&gt;"><failure message="0 failed">0 failed</failure></testcase>
<testcase name="b"><failure/></testcase><testcase name="c"><failure/></testcase><testcase name="d"><failure/></testcase>
<testcase name="e"><failure/></testcase><testcase name="f"><failure/></testcase><testcase name="g"><failure/></testcase>
<testcase name="h"><failure/></testcase><testcase name="i"><failure/></testcase><testcase name="j"><error/></testcase>
<testcase name="k"/><testcase name="l"><system-out><![CDATA[<testcase name="no"><failure/>]]></system-out></testcase>
</testsuite></testsuites>
E
echo "Tests  10 failed | 2 passed (12)  0 failed"; echo "✓ all tests passed"; exit 1"#;

#[test]
fn s2_31_failing_tests_send_the_same_agent_back_with_count_names_and_log() {
    let team = vitest(JUNIT_10_FAILED);
    let reason = blocked(&team.hands_in("a1"));
    assert!(reason.contains("10 of 12 tests failed: adds <one>, b, c and 7 more"), "{reason}");
    assert!(reason.contains("mend it yourself") && reason.contains(TOKEN), "{reason}");
    assert!(reason.contains(FULL_LOG), "{reason}");
    assert!(team.sandbox.read(FULL_LOG).contains("Tests  10 failed"));
    assert!(!team.sandbox.path(".claude/handoff/NEXT_ACTION.json").exists(), "nothing is handed on");
}

#[test]
fn s2_16_passing_tests_lead_on_to_the_next_agent() {
    let team = vitest(
        "printf '<testsuites><testsuite><testcase name=\"a\"/></testsuite></testsuites>' > \"$report\"; echo 'error: expected error, failed on purpose'; exit 0",
    );
    assert_eq!(team.hands_in("a1").stdout, "");
    assert!(blocked(&team.returns(AGENT, "a1", "")).contains("use the unit-testing-agent subagent"));
    assert_eq!(team.lines("CHECKPOINT: module-development-agent: passed (ran)"), 1);
}

#[test]
fn the_verdict_comes_from_status_and_report_never_from_words() {
    let report = |inner: &str| format!("echo '<testsuites><testsuite>{inner}</testsuite></testsuites>' > \"$report\"");
    let fail = r#"<testcase name="a"><failure/></testcase>"#;
    let pass = r#"<testcase name="a"/>"#;
    for (script, passes, why) in [
        ("exit 0".to_owned(), true, "no report, a good status"),
        ("echo '12 failed ✗ × FAIL error'; exit 0".to_owned(), true, "words of failure"),
        ("echo '0 failed, all passed ✓ Duration 1s'; exit 1".to_owned(), false, "words of success"),
        (format!("{}; exit 0", report(fail)), false, "the report says that one failed"),
        (format!("{}; exit 3", report(pass)), false, "a status of its own"),
        (format!("{}; exit 0", report("")), false, "no test at all"),
        (format!("{}; exit 0", report(r#"<testcase name="a"><skipped/></testcase>"#)), false, "only skipped tests"),
        ("echo broken > \"$report\"; exit 0".to_owned(), true, "a report that is none"),
        ("kill -9 $$".to_owned(), false, "a signal"),
    ] {
        let team = vitest(&script);
        assert_eq!(blocked(&team.hands_in("a1")).is_empty(), passes, "{why}");
    }
}

#[test]
fn s2_29_without_the_token_nothing_is_run() {
    let team = vitest(JUNIT_10_FAILED);
    assert_eq!(team.ends(AGENT, "a1", "All is done, complete and finished.").stdout, "");
    assert_eq!(team.ends("tdd-validation-agent", "a2", TOKEN).stdout, "", "the validator would wait for itself");
    assert_eq!(runs(&team), 0);
    team.hands_in("a3");
    assert_eq!(runs(&team), 1);
}

#[test]
fn s2_30_missing_dependencies_are_put_in_place_first() {
    let mut team = Team::new();
    team.path = format!("{}:/usr/bin:/bin", team.sandbox.home().join("tools").display());
    team.sandbox.write("package.json", r#"{"scripts":{"test":"check"},"devDependencies":{"a":"1"}}"#);
    team.sandbox.program("../tools/npm", "echo \"$*\" >> calls\ncase $1 in install) mkdir -p node_modules/a;; esac");
    assert_eq!(blocked(&team.hands_in("a1")), "");
    assert_eq!(
        team.sandbox.read("calls").lines().collect::<Vec<_>>(),
        ["install --no-audit --no-fund", "test --silent"]
    );
    team.sandbox.write("changed", "x");
    team.hands_in("a2");
    assert_eq!(team.sandbox.read("calls").lines().count(), 3, "they are there now");
    // A failing installation sends the agent back, and no test is run.
    std::fs::remove_dir_all(team.sandbox.path("node_modules")).unwrap();
    team.sandbox.write("../tools/npm", "#!/bin/sh\necho \"$*\" >> calls\necho 'no such version'; exit 1\n");
    assert!(blocked(&team.hands_in("a3")).contains("no such version"));
    assert_eq!(team.sandbox.read("calls").lines().count(), 4);
}

#[test]
fn s2_32_a_build_follows_the_tests_and_counts() {
    let mut team = Team::new();
    team.path = format!("{}:/usr/bin:/bin", team.sandbox.home().join("tools").display());
    team.sandbox.write("package.json", r#"{"scripts":{"test":"check","build":"make"}}"#);
    let npm = |script: &str| team.sandbox.program("../tools/npm", &format!("echo \"$*\" >> calls\n{script}"));
    npm("case $1 in run) echo 'type error in a.ts'; exit 2;; esac");
    let reason = blocked(&team.hands_in("a1"));
    assert!(reason.contains("npm run build ended with status 2") && reason.contains("type error in a.ts"), "{reason}");
    assert_eq!(team.sandbox.read("calls").lines().collect::<Vec<_>>(), ["test --silent", "run build"]);
    npm("exit 0");
    assert_eq!(blocked(&team.hands_in("a1")), "");
}

#[test]
fn s2_52_an_agent_is_sent_back_three_times_and_then_the_parent_is_told() {
    let team = vitest(JUNIT_10_FAILED);
    let sent_back: Vec<bool> = (0..5)
        .map(|n| {
            team.sandbox.write("src.ts", &n.to_string());
            !blocked(&team.hands_in("a1")).is_empty()
        })
        .collect();
    assert_eq!(sent_back, [true, true, true, false, false]);
    let told = blocked(&team.returns(AGENT, "a1", ""));
    assert!(told.contains("sent back 3 times") && told.contains("10 of 12 tests failed"), "{told}");
    assert!(!told.contains("unit-testing-agent"), "{told}");
    // Where only the parent's event arrives, it is the parent that is told to send the agent back.
    let told = blocked(&team.returns(AGENT, "b1", &format!("Done. {TOKEN}")));
    assert!(told.contains("use the module-development-agent subagent again"), "{told}");
}

#[test]
fn the_same_content_is_checked_once() {
    let team = vitest("exit 1");
    for _ in 0..3 {
        assert!(!blocked(&team.hands_in("a1")).is_empty());
    }
    assert_eq!(runs(&team), 1);
    team.sandbox.write("src.ts", "changed");
    team.hands_in("a1");
    assert_eq!(runs(&team), 2);
}

#[test]
fn a_checkpoint_may_take_longer_than_any_other_answer() {
    // Every other run is ended after five seconds.
    let team = vitest("sleep 6; exit 1");
    assert!(blocked(&team.hands_in("a1")).contains("vitest ended with status 1"));
    assert!(
        team.lines("CHECKPOINT") == 1 && team.sandbox.path(".claude-collective/metrics/metrics-20260301.json").exists()
    );
}

#[test]
fn s2_54_a_runner_that_hangs_forks_or_floods_is_ended_with_all_that_it_started() {
    let with = |script: &str| {
        let mut team =
            Team::with("[change.test-driven-handoff.handoff.checkpoint]\ntest = [\"./check\"]\ntest_seconds = 2\n");
        team.path = "/usr/bin:/bin".to_owned();
        team.sandbox.program("check", script);
        team
    };
    for (script, said) in [
        ("sleep 300", "took longer than the 2 s of `test_seconds`"),
        ("trap '' TERM INT; while :; do sleep 1; done", "took longer than the 2 s of `test_seconds`"),
        ("yes flood; exit 0", "took longer than the 2 s of `test_seconds`"),
        ("(sleep 300; touch late) & (sleep 300; touch late) & echo started; exit 1", "ended with status 1"),
    ] {
        let team = with(script);
        let begin = Instant::now();
        let reason = blocked(&team.hands_in("a1"));
        assert!(reason.contains(said), "{script}: {reason}");
        assert!(begin.elapsed() < Duration::from_secs(30), "{script} took {:?}", begin.elapsed());
        let log = team.sandbox.path(FULL_LOG);
        assert!(std::fs::metadata(log).unwrap().len() < 1 << 20, "{script}: the log is not bounded");
        let end = Instant::now() + Duration::from_secs(20);
        while alive_in(&team.sandbox.project()) > 0 {
            assert!(Instant::now() < end, "{script} left a program running");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let missing = Team::with("[change.test-driven-handoff.handoff.checkpoint]\ntest = [\"no-such-runner\"]\n");
    assert_eq!(blocked(&missing.hands_in("a1")), "", "no agent can mend that");
    let told = blocked(&missing.returns(AGENT, "a1", ""));
    assert!(told.contains("`no-such-runner` is not installed") && told.contains("Tell the user"), "{told}");
    assert!(!told.contains("unit-testing-agent"), "untested work is not handed on: {told}");
    // Where only the parent's event arrives, it hears the same, and nothing is run again for the same content.
    let told = blocked(&missing.returns(AGENT, "b1", &format!("Done. {TOKEN}")));
    assert!(told.contains("`no-such-runner` is not installed") && told.contains("Tell the user"), "{told}");
}

#[test]
fn s2_54_waiting_for_another_checkpoint_does_not_make_one_miss_its_deadline() {
    let mut team =
        Team::with("[change.test-driven-handoff.handoff.checkpoint]\ntest = [\"./check\"]\ntest_seconds = 12\n");
    team.path = "/usr/bin:/bin".to_owned();
    team.sandbox.program("check", "touch started\nsleep 300");
    std::thread::scope(|scope| {
        let first = scope.spawn(|| blocked(&team.hands_in("a1")));
        let begin = Instant::now();
        while !team.sandbox.path("started").exists() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the first one does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        // Of another session, which remembers nothing of the first one's result. A run that misses its deadline says nothing.
        let fields = json!({
            "session_id": "another", "agent_type": AGENT, "agent_id": "b1", "stop_hook_active": false,
            "last_assistant_message": format!("Done. {TOKEN}"),
        });
        let second = blocked(&team.event("SubagentStop", &fields));
        assert!(second.contains("another checkpoint of the project took the time before"), "{second}");
        assert!(first.join().unwrap().contains("took longer than the 12 s"));
    });
}

/// A project without runners on the search path but those of its own: each writes its name and passes, or fails as it is told to.
fn mixed() -> Team {
    let mut team = Team::new();
    team.path = format!("{}:/usr/bin:/bin", team.sandbox.home().join("tools").display());
    for name in ["npm", "cargo", "pytest", "go", "make"] {
        let script = format!(
            "state=0; [ -e {name}.status ] && read state < {name}.status\necho \"${{PWD##*/}} {name} $1\" >> \"$TMPDIR/../ran\"\nexit $state"
        );
        team.sandbox.program(
            &format!("../tools/{name}"),
            &script.replace("$TMPDIR/..", &team.sandbox.home().display().to_string()),
        );
    }
    team
}

fn ran(team: &Team) -> Vec<String> {
    let path = team.sandbox.home().join("ran");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    text.lines().map(|line| line.strip_prefix("project ").unwrap_or(line).to_owned()).collect()
}

#[test]
fn every_kind_of_code_of_a_mixed_project_is_tested() {
    let team = mixed();
    team.sandbox.write("package.json", r#"{"scripts":{"test":"check"}}"#);
    team.sandbox.write("Cargo.toml", "[package]\n");
    team.sandbox.write("Makefile", "test:\n\tcheck\n");
    team.sandbox.write("pyproject.toml", "[tool.ruff]\n");
    assert_eq!(blocked(&team.hands_in("a1")), "");
    // The make file serves where nothing else does, and a file that Python tools keep settings in says nothing of tests.
    assert_eq!(ran(&team), ["npm test", "cargo test", "cargo build"]);
    team.sandbox.write("tests/test_a.py", "");
    team.sandbox.write("pytest.status", "1");
    assert!(blocked(&team.hands_in("a1")).contains("pytest ended with status 1"));
    assert_eq!(ran(&team), ["npm test", "cargo test", "pytest -q"], "nothing is built before all tests passed");
    // A suite without tests is nothing bad beside others that have some; alone it is.
    team.sandbox.write("pytest.status", "5");
    assert_eq!(blocked(&team.hands_in("a1")), "");
    let alone = mixed();
    alone.sandbox.write("pytest.status", "5");
    alone.sandbox.write("tests/test_a.py", "");
    assert!(blocked(&alone.hands_in("a1")).contains("found no test"));
}

#[test]
fn parts_of_a_project_are_tested_where_the_session_has_written() {
    let team = parts();
    assert_eq!(blocked(&team.hands_in("a1")), "");
    assert_eq!(ran(&team), [""; 0], "nothing was written yet");
    for (at, path) in
        ["web/src/deep/app.tsx", "services/mail/app/send.py", "services/bill/README.md"].iter().enumerate()
    {
        team.wrote(at, path);
    }
    team.sandbox.write("services/mail/pytest.status", "1");
    assert!(blocked(&team.hands_in("a1")).contains("pytest ended with status 1"));
    assert_eq!(ran(&team), ["mail pytest -q"]);
    team.sandbox.write("services/mail/pytest.status", "0");
    assert_eq!(blocked(&team.hands_in("a1")), "");
    assert_eq!(ran(&team), ["mail pytest -q", "web npm test"], "the last written first, and no part without code");
    // What the project's own directory tests covers its parts: the workspaces of a package manager.
    let team = parts();
    team.sandbox.write("package.json", r#"{"scripts":{"test":"all"}}"#);
    team.wrote(0, "web/src/deep/app.tsx");
    team.wrote(1, "services/mail/app/send.py");
    assert_eq!(blocked(&team.hands_in("a1")), "");
    assert_eq!(ran(&team), ["npm test", "mail pytest -q"]);
}

/// A project of several parts, each with code of its own.
fn parts() -> Team {
    let team = mixed();
    for part in ["web", "services/mail", "services/bill"] {
        team.sandbox.write(&format!("{part}/package.json"), r#"{"scripts":{"test":"check"}}"#);
    }
    team.sandbox.write("services/mail/package.json", "{}");
    team.sandbox.write("services/mail/tests/test_a.py", "");
    team.sandbox.write("services/mail/setup.py", "");
    team
}

/// How many processes have this working directory.
fn alive_in(dir: &Path) -> usize {
    let dir = dir.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter(|entry| std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == dir)).count()
}

#[test]
fn the_clients_keys_do_not_reach_the_runner_and_secrets_not_the_log() {
    let team = vitest("env > seen; echo 'token ghp_0123456789abcdefghijABCDEFGHIJ012345'; exit 1");
    let event = serde_json::json!({
        "session_id": super::SESSION, "transcript_path": "", "cwd": team.sandbox.project(), "hook_event_name": "SubagentStop",
        "agent_type": AGENT, "agent_id": "a1", "last_assistant_message": TOKEN,
    });
    let env = [("ANTHROPIC_API_KEY", "sk-secret"), ("PATH", "/usr/bin:/bin")];
    let ran = team.sandbox.hook_with(&["SubagentStop"], event.to_string().as_bytes(), &env);
    assert!(!blocked(&ran).is_empty());
    assert!(!team.sandbox.read("seen").contains("sk-secret"));
    assert!(
        !ran.stdout.contains("ghp_0123456789abcdefghij")
            && !team.sandbox.read(FULL_LOG).contains("ghp_0123456789abcdefghij")
    );
}

#[test]
fn a_project_without_tests_passes_and_says_so() {
    let team = Team::new();
    assert_eq!(team.hands_in("a1").stdout, "");
    assert_eq!(team.lines("no tests and no build found"), 1);
    assert!(blocked(&team.returns(AGENT, "a1", "")).contains("unit-testing-agent"));
    let off = Team::with("[change.test-driven-handoff.handoff]\non_checkpoint = \"allow\"\n");
    off.sandbox.write("package.json", r#"{"scripts":{"test":"exit 1"}}"#);
    assert_eq!(off.hands_in("a1").stdout, "");
    assert!(!off.sandbox.path(FULL_LOG).exists());
}

/// Runs the real runner of a project twice: with a failing test, then with it mended.
fn real(mut team: Team, path: String, broken: (&str, &str), mended: &str, name: &str) {
    team.path = path;
    let (file, text) = broken;
    team.sandbox.write(file, text);
    let reason = blocked(&team.hands_in("a1"));
    assert!(reason.contains("1 of 2 tests failed") && reason.contains("subtracts"), "{name}: {reason}");
    team.sandbox.write(file, mended);
    let ran = team.hands_in("a1");
    assert_eq!(ran.stdout, "", "{name}: {}", team.sandbox.read(FULL_LOG));
}

#[allow(clippy::print_stdout, reason = "a test that could not run says so")]
fn installed(program: &str) -> bool {
    let found =
        std::process::Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn cargo_really_runs() {
    let team = Team::with("[change.test-driven-handoff.handoff.checkpoint]\ntest_seconds = 300\nbuild_seconds = 300\n");
    team.sandbox.write(
        "Cargo.toml",
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ndoctest = false\n[workspace]\n",
    );
    let source = |right: u8| {
        format!(
            "#[test]\nfn adds() {{ assert_eq!(1 + 1, 2); }}\n#[test]\nfn subtracts() {{ assert_eq!(3 - 1, {right}); }}\n"
        )
    };
    let cargo = Path::new(env!("CARGO")).parent().unwrap().display().to_string();
    real(team, format!("{cargo}:/usr/bin:/bin"), ("src/lib.rs", &source(1)), &source(2), "cargo");
}

#[test]
fn node_really_runs() {
    if !installed("node") {
        return;
    }
    let team = Team::new();
    team.sandbox.write("package.json", r#"{"name":"p","scripts":{"test":"node --test"}}"#);
    let source = |right: u8| {
        format!(
            "const test = require('node:test');\nconst assert = require('node:assert');\n\
             test('adds', () => assert.equal(1 + 1, 2));\ntest('subtracts', () => assert.equal(3 - 1, {right}));\n"
        )
    };
    real(team, std::env::var("PATH").unwrap(), ("a.test.js", &source(1)), &source(2), "node");
}

#[test]
fn pytest_really_runs() {
    if !installed("pytest") {
        return;
    }
    let team = Team::new();
    team.sandbox.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    let source = |right: u8| {
        format!("def test_adds():\n    assert 1 + 1 == 2\n\n\ndef test_subtracts():\n    assert 3 - 1 == {right}\n")
    };
    real(team, std::env::var("PATH").unwrap(), ("test_a.py", &source(1)), &source(2), "pytest");
}
