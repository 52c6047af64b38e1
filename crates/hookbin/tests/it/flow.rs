//! Profile `guardrails` where it starts programs and looks at repositories: linters, tests, git, and the user's proof.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// The moment of most events: 1772359200.
const NOW: &str = "2026-03-01T10:00:00Z";

fn payload(event: &str, more: &Value) -> Vec<u8> {
    let mut all = json!({ "session_id": "s1", "transcript_path": "", "hook_event_name": event });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    all.to_string().into_bytes()
}

/// A command, before or after it ran.
fn shell(sandbox: &Sandbox, event: &str, command: &str) -> Ran {
    let input = json!({ "command": command });
    let more = json!({ "cwd": sandbox.project(), "tool_name": "Bash", "tool_input": input, "tool_use_id": "t1" });
    sandbox.hook_with(&[event], &payload(event, &more), &[PATH])
}

/// A call of `Write`, before or after it.
fn write(sandbox: &Sandbox, event: &str, path: &str, content: &str, env: &[(&str, &str)]) -> Ran {
    let input = json!({ "file_path": sandbox.path(path), "content": content });
    let more = json!({ "cwd": sandbox.project(), "tool_name": "Write", "tool_input": input, "tool_use_id": "t1" });
    sandbox.hook_with(&[event], &payload(event, &more), env)
}

/// The same after the file was really written.
fn wrote(sandbox: &Sandbox, path: &str, content: &str, env: &[(&str, &str)]) -> Ran {
    sandbox.write(path, content);
    write(sandbox, "PostToolUse", path, content, env)
}

/// A project for `guardrails` with changed settings.
fn project(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", &format!("profile = \"guardrails\"\n{settings}"));
    sandbox
}

/// Waits until a file of the project says this; what it says at the end, if it never does.
fn becomes(sandbox: &Sandbox, path: &str, holds: impl Fn(&str) -> bool) -> String {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let text = std::fs::read_to_string(sandbox.path(path)).unwrap_or_default();
        if holds(&text) || Instant::now() > end {
            return text;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

const RUFF: &str = "[tool.ruff]\nline-length = 100\n";

fn linted(settings: &str, script: &str) -> Sandbox {
    let sandbox = project(&format!("[change.test-runner]\nenabled = false\n{settings}"));
    sandbox.write("pyproject.toml", RUFF);
    sandbox.program(".venv/bin/ruff", script);
    sandbox
}

#[test]
fn s1_10_what_a_linter_finds_goes_back_with_exit_code_2() {
    let sandbox = linted("", "echo \"$1 $2: E501 too long\"; echo more >&2; exit 1");
    let ran = wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    assert_eq!(ran.code, Some(2));
    let file = sandbox.path("src/a.py");
    let said = format!("ruff found faults in src/a.py:\ncheck {}: E501 too long\nmore", file.display());
    assert_eq!(ran.stderr, format!("{said}\n"));
    assert_eq!(ran.json(), json!({ "decision": "block", "reason": said }));
}

#[test]
fn s1_79_the_linter_of_the_project_looks_at_source_files_only() {
    let sandbox = linted("", "echo \"$@\" >> calls; exit 0");
    for (path, content) in [("src/a.py", "# Sums.\n"), ("README.md", "x"), ("dist/a.py", "x"), ("src/a.js", "// x\n")] {
        let ran = wrote(&sandbox, path, content, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{path}");
    }
    assert_eq!(sandbox.read("calls"), format!("check {}\n", sandbox.path("src/a.py").display()));
    // A file that is gone again is not linted, and a program that is not installed finds nothing.
    write(&sandbox, "PostToolUse", "src/gone.py", "# x\n", &[]);
    assert_eq!(sandbox.read("calls").lines().count(), 1);
    std::fs::remove_file(sandbox.path(".venv/bin/ruff")).unwrap();
    let ran = wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

#[test]
fn each_linter_is_known_by_the_projects_files() {
    for (file, text, source, linter, args) in [
        ("pyproject.toml", "[tool.black]\n", "a.py", "black", "--check --diff -q"),
        ("setup.cfg", "[flake8]\n", "a.py", "flake8", ""),
        ("biome.json", "{}", "a.ts", "biome", "check"),
        ("eslint.config.mjs", "", "a.jsx", "eslint", ""),
        ("package.json", "{\"devDependencies\": {\"eslint\": \"9\"}}", "a.js", "eslint", ""),
        (".prettierrc", "", "a.tsx", "prettier", "--check"),
        ("Cargo.toml", "", "a.rs", "cargo", "clippy"),
        (".golangci.yml", "", "a.go", "golangci-lint", "run"),
        ("go.mod", "", "a.go", "go", "vet"),
        ("Makefile", "all:\nlint: all\n", "a.rb", "make", "lint"),
    ] {
        let sandbox = project("[change.test-runner]\nenabled = false\n");
        sandbox.write(file, text);
        sandbox.program(&format!("node_modules/.bin/{linter}"), "echo \"$@\" > calls");
        wrote(&sandbox, source, "# x\n", &[]);
        let calls = std::fs::read_to_string(sandbox.path("calls")).unwrap_or_default();
        assert!(calls.starts_with(args) && !calls.is_empty(), "{file}: {calls:?}");
    }
}

#[test]
fn three_failures_in_a_row_give_the_linter_a_rest() {
    let sandbox = linted("", "echo x >> calls; [ -e good ] || exit 1");
    let at = |time: &str| wrote(&sandbox, "src/a.py", "# Sums.\n", &[("HOOKBIN_NOW", time)]);
    let calls = || sandbox.read("calls").lines().count();
    for _ in 0..3 {
        assert_eq!(at(NOW).code, Some(2));
    }
    assert_eq!(sandbox.read(".claude/.lint-breaker"), "open|3|1772359200\n");
    let ran = at("2026-03-01T10:01:40Z");
    assert_eq!(ran.code, Some(0));
    assert!(ran.context().contains("failed 3 times in a row, so it rests for 200 more seconds"), "{ran:?}");
    assert_eq!(calls(), 3);
    // After the rest there is one try; if that fails, it rests again.
    assert_eq!(at("2026-03-01T10:05:00Z").code, Some(2));
    assert_eq!(at("2026-03-01T10:05:01Z").code, Some(0));
    assert_eq!(calls(), 4);
    sandbox.write("good", "");
    assert_eq!(at("2026-03-01T10:10:00Z").code, Some(0));
    assert_eq!(sandbox.read(".claude/.lint-breaker"), "closed|0|1772359800\n");
    std::fs::remove_file(sandbox.path("good")).unwrap();
    assert_eq!(at("2026-03-01T10:10:01Z").code, Some(2));
    assert_eq!(calls(), 6);
}

/// Whether a process that was killed is gone; the kernel takes a moment to end one, and longer on a busy machine.
fn is_gone(pid: &str) -> bool {
    (0..100).any(|_| {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let gone = state.is_empty() || state.contains(") Z ") || state.contains(") X ");
        if !gone {
            std::thread::sleep(Duration::from_millis(50));
        }
        gone
    })
}

#[test]
fn a_linter_that_hangs_or_floods_is_ended_with_all_that_it_started() {
    let settings = "[change.lint.lint]\nlimit_ms = 400\n";
    let sandbox = linted(settings, "sleep 300 & echo $! > pid; echo $$ >> pid; wait");
    let began = Instant::now();
    let ran = wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    for pid in sandbox.read("pid").lines() {
        assert!(is_gone(pid), "{pid} still runs");
    }
    let sandbox = linted(settings, "while :; do echo 0123456789012345678901234567890123456789; done");
    let ran = wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    assert_eq!(ran.code, Some(0));
    let sandbox = linted(settings, "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; exit 1");
    let ran = wrote(&sandbox, "src/b.py", "# Sums.\n", &[("HOOKBIN_NOW", "2030-01-01T00:00:00Z")]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.len() < 5_000 && ran.stderr.contains("[…]") && ran.stderr.contains("line 2999"),
        "{}",
        ran.stderr
    );
}

#[test]
fn calls_at_the_same_moment_lose_no_strike_and_no_change() {
    let settings = "[change.mock-gate.mock-gate]\ndeny_from = 1000\n[change.test-runner]\nenabled = false\n";
    let sandbox = project(settings);
    let mock = "from unittest.mock import patch\n@patch('shop.cart.total')\ndef test_x(t): ...\n";
    std::thread::scope(|scope| {
        for number in 0..12 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let path = format!("tests/test_{number}.py");
                assert_eq!(write(sandbox, "PreToolUse", &path, mock, &[("HOOKBIN_NOW", NOW)]).code, Some(0));
                assert_eq!(write(sandbox, "PostToolUse", &path, mock, &[("HOOKBIN_NOW", NOW)]).code, Some(0));
            });
        }
    });
    assert_eq!(sandbox.read(".claude/.mock-gate-strikes"), "12|1772359200\n");
    let changes = sandbox.read(".claude/.session-changes-s1");
    let files: std::collections::BTreeSet<&str> = changes.lines().collect();
    assert_eq!(files.len(), 12, "{changes}");
}

/// A project whose `pytest` is this script; tests start at once.
fn tested(script: &str, settings: &str) -> Sandbox {
    let sandbox =
        project(&format!("[change.test-runner.test-run]\ndebounce_seconds = 0\npause_seconds = 0\n{settings}"));
    sandbox.write("tests/test_a.py", "def test_a(): pass\n");
    sandbox.program(".venv/bin/pytest", script);
    sandbox
}

const STATUS: &str = ".claude/.test-status";

fn ended(text: &str) -> bool {
    !text.is_empty() && !text.starts_with("running")
}

#[test]
fn s1_83_tests_run_by_themselves_and_record_what_their_exit_status_says() {
    for (script, status) in [
        ("echo 'FAILED ERROR failed'; exit 0", "pass|0|"),
        ("echo '=== 2 failed, 1 passed in 0.12s ==='; exit 1", "fail|2|"),
        ("echo 'all is well'; exit 1", "fail|1|"),
        ("exit 5", "untested|0|"),
        ("kill -9 $$", "error|0|"),
    ] {
        let sandbox = tested(script, "");
        let ran = wrote(&sandbox, "src/a.py", "# Sums.\n", &[("HOOKBIN_NOW", NOW)]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
        let text = becomes(&sandbox, STATUS, ended);
        assert!(text.starts_with(status), "{script}: {text}");
        let epoch: i64 = text.trim().rsplit('|').next().unwrap().parse().unwrap();
        assert!((1_772_359_200..1_772_359_230).contains(&epoch), "{text}");
    }
}

#[test]
fn nobody_waits_for_tests_and_an_older_pass_does_not_count_meanwhile() {
    let sandbox = tested("sleep 2; exit 0", "");
    sandbox.write(STATUS, "pass|0|1772359200\n");
    let began = Instant::now();
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[("HOOKBIN_NOW", NOW)]);
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
    assert_eq!(sandbox.read(STATUS), "running|0|1772359200\n");
    assert!(becomes(&sandbox, STATUS, ended).starts_with("pass|0|"));
    // Documents and foreign code start nothing.
    for path in ["README.md", "dist/a.py"] {
        wrote(&sandbox, path, "x", &[]);
        assert!(sandbox.read(STATUS).starts_with("pass|0|"), "{path}");
    }
}

#[test]
fn one_run_at_a_time_follows_the_last_change() {
    // A run that was ended left its mark. Once the file is there that says so, the next one takes it away.
    let script = "[ -e again ] && rmdir busy 2>/dev/null\n\
        mkdir busy || echo overlap >> faults; echo run >> runs; cat src/a.py >> seen; sleep 1; rmdir busy; exit 0";
    let sandbox = tested(script, "");
    wrote(&sandbox, "src/a.py", "first\n", &[]);
    assert_eq!(becomes(&sandbox, "runs", |text| !text.is_empty()), "run\n");
    // The run that is on ends itself when a newer change asks for one.
    sandbox.write("again", "");
    wrote(&sandbox, "src/a.py", "second\n", &[]);
    wrote(&sandbox, "src/a.py", "third\n", &[]);
    let text = becomes(&sandbox, STATUS, ended);
    assert!(text.starts_with("pass|0|"), "{text}");
    assert!(sandbox.read("seen").ends_with("third\n"), "{}", sandbox.read("seen"));
    assert!(!sandbox.path("faults").exists());
    // The run tells how it ended before it lets go of its lock.
    let let_go = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !sandbox.path(".claude/.test-runner.lock").exists()
    });
    assert!(let_go);
}

#[test]
fn what_failed_is_told_at_the_next_prompt_and_kept_for_a_look() {
    let sandbox = tested("i=0; while [ $i -lt 50 ]; do echo line $i; i=$((i+1)); done; exit 1", "");
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[("HOOKBIN_NOW", NOW)]);
    becomes(&sandbox, ".claude/.agent-findings", |text| !text.is_empty());
    let ran = sandbox.hook(&["UserPromptSubmit"], &payload("UserPromptSubmit", &json!({ "prompt": "hello" })));
    assert!(ran.context().contains("- tests: pytest: 1 failed"), "{ran:?}");
    let out = sandbox.read(".claude/.test-runner.out");
    assert_eq!((out.lines().count(), out.lines().next()), (30, Some("line 20")));
    assert!(sandbox.read(".claude/.audit-log").contains("|test_fail|pytest: 1 failed\n"));
}

#[test]
fn tests_that_hang_or_are_not_installed_are_no_evidence() {
    let sandbox = tested("sleep 300", "limit_seconds = 1\n");
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    assert!(becomes(&sandbox, STATUS, ended).starts_with("error|0|"));
    let sandbox = tested("", "");
    std::fs::remove_file(sandbox.path(".venv/bin/pytest")).unwrap();
    sandbox.write(STATUS, "pass|0|1\n");
    for _ in 0..2 {
        assert_eq!(wrote(&sandbox, "src/a.py", "# Sums.\n", &[("HOOKBIN_NOW", NOW)]).code, Some(0));
    }
    assert_eq!(sandbox.read(STATUS), "error|0|1772359200\n");
    assert_eq!(sandbox.read(".claude/.agent-findings"), "tests|pytest is not installed, so no test was run\n");
}

#[test]
fn each_runner_is_known_by_the_projects_files() {
    for (file, text, source, runner, args) in [
        ("pytest.ini", "", "src/a.py", "pytest", "-q"),
        ("vitest.config.ts", "", "src/a.ts", "vitest", "run"),
        ("jest.config.cjs", "", "src/a.js", "jest", "--ci"),
        ("package.json", "{\"scripts\": {\"test\": \"node t.js\"}}", "src/a.js", "npm", "test --silent"),
        ("Cargo.toml", "", "src/a.rs", "cargo", "test --no-fail-fast"),
        ("go.mod", "", "a.go", "go", "test ./..."),
        ("backend/go.mod", "", "backend/a/a.go", "go", "test ./..."),
        ("pom.xml", "", "src/A.java", "mvn", "-q test"),
        ("Makefile", "test:\n", "src/a.c", "make", "test"),
    ] {
        let settings = "[change.lint]\nenabled = false\n[change.test-runner.test-run]\ndebounce_seconds = 0\n";
        let sandbox = project(settings);
        sandbox.write(file, text);
        sandbox.program(&format!("node_modules/.bin/{runner}"), "echo \"$@\" > calls");
        wrote(&sandbox, source, "# x\n", &[]);
        let dir = file.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        assert_eq!(becomes(&sandbox, &format!("{dir}calls"), |text| !text.is_empty()), format!("{args}\n"), "{file}");
    }
    // What `npm init` writes is no test.
    let sandbox = project("");
    sandbox.write("package.json", "{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}");
    wrote(&sandbox, "src/a.js", "// x\n", &[]);
    assert!(!sandbox.path(STATUS).exists());
}

const PATH: (&str, &str) = ("PATH", "/usr/local/bin:/usr/bin:/bin");

#[test]
fn s1_21_branch_changes_and_worktrees_are_told_at_the_start() {
    let sandbox = project("");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.write(".gitignore", ".worktrees\n.claude\n");
    let start = payload("SessionStart", &json!({ "source": "startup", "cwd": sandbox.project() }));
    // The first commit is made on the main branch.
    let ran = sandbox.hook_with(&["SessionStart"], &start, &[PATH]);
    assert!(ran.context().starts_with("Git: main, 1 uncommitted file, 1 worktree\nPlan: no"), "{ran:?}");
    sandbox.git(&sandbox.project(), &["commit", "-q", "--allow-empty", "-m", "first"]);
    let ran = sandbox.hook_with(&["SessionStart"], &start, &[PATH]);
    assert!(ran.context().contains("The branch main is checked out"), "{ran:?}");
    sandbox.git(&sandbox.project(), &["checkout", "-q", "-b", "feature"]);
    sandbox.git(&sandbox.project(), &["worktree", "add", "-q", ".worktrees/a b", "-b", "other"]);
    sandbox.write("a b.txt", "x");
    let ran = sandbox.hook_with(&["SessionStart"], &start, &[PATH]);
    assert!(ran.context().contains("Git: feature, 2 uncommitted files, 2 worktrees\n"), "{ran:?}");
    assert!(ran.context().contains("/.worktrees/a b. Work on a branch"), "{ran:?}");
    // Without git on the search path, and without a repository, less is said and nothing fails.
    let ran = sandbox.hook_with(&["SessionStart"], &start, &[("PATH", "/nonexistent")]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.context().contains("Git:"));
}

#[test]
fn s1_78_a_plan_that_the_code_has_left_behind_is_stale() {
    let sandbox = project("");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    let plan = "# Plan\n## Vision\nx\n## Phase 1\n**Status:** planned\n";
    sandbox.write("MASTER_PLAN.md", plan);
    for name in ["a", "b", "c", "d", "e"] {
        sandbox.write(&format!("src/{name}.py"), "x = 1\n");
    }
    sandbox.git(&sandbox.project(), &["add", "-A"]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "-m", "first", "--date", "2020-01-01T00:00:00Z"]);
    sandbox.git(&sandbox.project(), &["checkout", "-q", "-b", "feature"]);
    sandbox.write("src/a.py", "x = 2\n");
    sandbox.git(&sandbox.project(), &["commit", "-q", "-a", "-m", "second"]);
    // As old as an hour before both commits.
    let old = std::time::SystemTime::now() - Duration::from_secs(3_600);
    std::fs::File::options().append(true).open(sandbox.path("MASTER_PLAN.md")).unwrap().set_modified(old).unwrap();
    let start = payload("SessionStart", &json!({ "source": "startup", "cwd": sandbox.project() }));
    let code = format!("# Sums.\n{}", "y = 1\n".repeat(30));
    let write_new = |env: &[(&str, &str)]| write(&sandbox, "PreToolUse", "src/new.py", &code, env);
    // Nothing is known before somebody has looked, and the write itself looks at nothing.
    assert_eq!(write_new(&[]).decision(), None);
    let ran = sandbox.hook_with(&["SessionStart"], &start, &[PATH]);
    assert!(
        ran.context().contains("The plan is stale: 100 % of the source files changed in 2 commits since."),
        "{ran:?}"
    );
    let ran = write_new(&[]);
    assert_eq!(ran.decision().as_deref(), Some("deny"));
    assert!(ran.reason().contains("100% of the source files changed"), "{ran:?}");
    // Whoever sets the variable lifts no limit, unless the user lets it count.
    sandbox.note_environment("HOOKBIN_NOW\n");
    assert_eq!(write_new(&[("PLAN_CHURN_DENY", "101")]).decision().as_deref(), Some("deny"));
    sandbox.note_environment("PLAN_CHURN_DENY\nPLAN_CHURN_WARN\n");
    let ran = write_new(&[("PLAN_CHURN_DENY", "101")]);
    assert_eq!(ran.decision(), None);
    assert!(ran.context().contains("100% of the source files changed"), "{ran:?}");
    assert_eq!(write_new(&[("PLAN_CHURN_DENY", "101"), ("PLAN_CHURN_WARN", "101")]).stdout, "");
    // A plan that was brought up to date is not.
    sandbox.write("MASTER_PLAN.md", plan);
    assert_eq!(write_new(&[]).stdout, "");
}

#[test]
fn a_plan_of_five_megabytes_stops_nothing() {
    let sandbox = project("");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "feature"]);
    let plan = "## Phase 1\n**Status:** planned\nDEC-x-1 <!-- ``` ".repeat(110_000);
    sandbox.write("MASTER_PLAN.md", &plan);
    let began = Instant::now();
    assert_eq!(write(&sandbox, "PreToolUse", "src/a.py", &format!("# x\n{}", "y\n".repeat(30)), &[]).decision(), None);
    let part = plan.get(..1_200_000).unwrap();
    let ran = write(&sandbox, "PostToolUse", "MASTER_PLAN.md", part, &[]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.context().contains("too large to be checked"), "{ran:?}");
    let input = json!({ "file_path": sandbox.path("MASTER_PLAN.md"), "old_string": "a", "new_string": "b" });
    let more = json!({ "cwd": sandbox.project(), "tool_name": "Edit", "tool_input": input, "tool_use_id": "t2" });
    let ran = sandbox.hook(&["PostToolUse"], &payload("PostToolUse", &more));
    assert!(ran.context().contains("too large to be checked"), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(12), "{:?}", began.elapsed());
}

#[test]
fn status_files_that_are_dirs_or_links_stop_no_write_and_are_not_followed() {
    let sandbox = project("");
    for name in [".test-status", ".test-gate-strikes", ".mock-gate-strikes", ".plan-drift", ".agent-findings"] {
        std::fs::create_dir_all(sandbox.path(&format!(".claude/{name}/x"))).unwrap();
    }
    let target = sandbox.home().join("theirs");
    std::fs::write(&target, "fail|9|1772359200\n").unwrap();
    let source = |path: &str| write(&sandbox, "PreToolUse", path, "x = 1\n", &[("HOOKBIN_NOW", NOW)]);
    assert_eq!(source("src/a.py").code, Some(0));
    std::fs::remove_dir_all(sandbox.path(STATUS)).unwrap();
    std::os::unix::fs::symlink(&target, sandbox.path(STATUS)).unwrap();
    assert_eq!(source("src/a.py").decision(), None);
    let mock = "from unittest.mock import patch\n@patch('a.b')\ndef test(): ...\n";
    let ran = write(&sandbox, "PreToolUse", "tests/test_a.py", mock, &[]);
    assert_eq!((ran.code, ran.decision()), (Some(0), None));
    let prompt = payload("UserPromptSubmit", &json!({ "prompt": "verified" }));
    std::os::unix::fs::symlink(&target, sandbox.path(".claude/.proof-status")).unwrap();
    assert_eq!(sandbox.hook(&["UserPromptSubmit"], &prompt).code, Some(0));
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "fail|9|1772359200\n");
    assert!(sandbox.read(".claude/.proof-status").starts_with("verified|"));
}

#[test]
fn a_working_tree_has_its_own_tests_and_its_own_status() {
    let sandbox = tested("pwd > where; exit 0", "");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.git(&sandbox.project(), &["add", "tests"]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "-m", "first"]);
    sandbox.git(&sandbox.project(), &["worktree", "add", "-q", "wt", "-b", "feature"]);
    // Its programs are installed there; those that git tracks are none.
    sandbox.program("wt/.venv/bin/pytest", "pwd > where; exit 0");
    wrote(&sandbox, "wt/src/a.py", "# Sums.\n", &[]);
    assert!(becomes(&sandbox, "wt/.claude/.test-status", ended).starts_with("pass|0|"));
    assert!(!sandbox.path(STATUS).exists());
    assert!(sandbox.read("wt/where").trim_end().ends_with("/wt"));
}

/// A tested project on a branch of its own, whose tests and proof nobody has asked for yet.
fn on_a_branch(script: &str) -> Sandbox {
    let sandbox = tested(script, "");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.write(".git/info/exclude", ".venv\n");
    sandbox.git(&sandbox.project(), &["add", "tests"]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "-m", "first"]);
    sandbox.git(&sandbox.project(), &["checkout", "-q", "-b", "feature"]);
    sandbox
}

/// Work that no tool of this session has changed, such as a document or what an earlier session has left, starts no tests by itself.
#[test]
fn s1_44_and_s1_50_a_commit_that_lacks_evidence_gets_it_without_a_change_of_code() {
    let sandbox = on_a_branch("exit 0");
    let commit = || shell(&sandbox, "PreToolUse", "git commit -am docs");
    let say = |prompt: &str| {
        sandbox.hook(&["UserPromptSubmit"], &payload("UserPromptSubmit", &json!({ "prompt": prompt })));
    };
    // Nothing was done yet that a user could mean.
    say("approved");
    assert!(!sandbox.path(".claude/.proof-status").exists());
    let ran = commit();
    assert_eq!(ran.code, Some(2));
    assert!(ran.reason().ends_with("The tests are started now; try again when that file says pass."), "{ran:?}");
    assert!(becomes(&sandbox, STATUS, ended).starts_with("pass|0|"));
    let ran = commit();
    assert!(ran.code == Some(2) && ran.reason().contains("There is no proof of work"), "{ran:?}");
    assert!(sandbox.read(".claude/.proof-status").starts_with("pending|"));
    say("approved");
    assert!(sandbox.read(".claude/.proof-status").starts_with("verified|"));
    let ran = commit();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
}

/// The refusal names what confirms; the answer to it may be a plain yes, also after the session was resumed, and never about other contents.
#[test]
fn a_plain_yes_answers_the_question_of_the_proof_gate() {
    let say = |sandbox: &Sandbox, prompt: &str| {
        sandbox.hook(&["UserPromptSubmit"], &payload("UserPromptSubmit", &json!({ "prompt": prompt })));
        std::fs::read_to_string(sandbox.path(".claude/.proof-status")).is_ok_and(|text| text.starts_with("verified|"))
    };
    let starts = |sandbox: &Sandbox, source: &str| {
        sandbox.hook(&["SessionStart"], &payload("SessionStart", &json!({ "source": source })));
    };
    let asked = || {
        let sandbox = on_a_branch("exit 0");
        starts(&sandbox, "startup");
        wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
        becomes(&sandbox, STATUS, ended);
        assert!(!say(&sandbox, "yes"), "nobody has asked");
        let ran = shell(&sandbox, "PreToolUse", "git commit -am work");
        assert!(ran.code == Some(2) && ran.reason().contains("they answer `yes` or `verified` or"), "{ran:?}");
        sandbox
    };
    let sandbox = asked();
    assert!(say(&sandbox, "Looks good, it works. Commit it, push it, and merge to main."));
    let ran = shell(&sandbox, "PreToolUse", "git commit -am work");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));

    let sandbox = asked();
    starts(&sandbox, "compact");
    starts(&sandbox, "resume");
    assert!(say(&sandbox, "ok, commit"), "the question is still the last one");

    let sandbox = asked();
    assert!(!say(&sandbox, "what did you change?") && !say(&sandbox, "yes"), "another question came in between");

    let sandbox = asked();
    wrote(&sandbox, "src/b.py", "# Differs.\n", &[]);
    assert!(!say(&sandbox, "yes"), "the work is another than that which was asked about");

    // What was changed and not confirmed is still known when the session goes on.
    let sandbox = on_a_branch("exit 0");
    starts(&sandbox, "startup");
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    sandbox.hook(&["SessionEnd"], &payload("SessionEnd", &json!({ "reason": "other" })));
    starts(&sandbox, "resume");
    assert!(say(&sandbox, "looks good"));
}

#[test]
fn a_document_that_the_session_wrote_is_work_that_a_person_can_confirm() {
    let sandbox = on_a_branch("exit 0");
    wrote(&sandbox, "MASTER_PLAN.md", "# Plan\n", &[]);
    let say = || sandbox.hook(&["UserPromptSubmit"], &payload("UserPromptSubmit", &json!({ "prompt": "looks good" })));
    say();
    assert!(!sandbox.path(".claude/.proof-status").exists(), "a plan is no work yet");
    wrote(&sandbox, "README.md", "# Sums\n", &[]);
    say();
    assert!(sandbox.read(".claude/.proof-status").starts_with("verified|"));
}

#[test]
fn a_command_that_changes_code_starts_the_tests_as_an_edit_does() {
    let sandbox = tested("exit 1", "");
    for event in ["PostToolUse", "PostToolUseFailure"] {
        sandbox.write(STATUS, "pass|0|1772359200\n");
        shell(&sandbox, event, "cat notes.txt; sed -n 1p src/a.py > out.txt; rm -f dist/a.py");
        assert!(sandbox.read(STATUS).starts_with("pass|"), "{event}");
        shell(&sandbox, event, "sed -i s/a/b/ src/a.py && false");
        assert!(becomes(&sandbox, STATUS, |text| text.starts_with("fail|")).starts_with("fail|1|"), "{event}");
    }
}

#[test]
fn what_is_recorded_stays_out_of_the_repository() {
    let sandbox = on_a_branch("exit 0");
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    becomes(&sandbox, STATUS, ended);
    shell(&sandbox, "PreToolUse", "echo a > /tmp/a.txt");
    sandbox.write("tmp/a.txt", "a\n");
    sandbox.git(&sandbox.project(), &["worktree", "add", "-q", "wt", "-b", "other"]);
    wrote(&sandbox, "wt/src/b.py", "# Sums.\n", &[]);
    becomes(&sandbox, "wt/.claude/.test-status", ended);
    for (dir, files) in [(".", ".claude/hookbin.toml\nsrc/a.py\n"), ("wt", "src/b.py\n")] {
        sandbox.git(&sandbox.project(), &["-C", dir, "add", "-A", ":(exclude)wt"]);
        let mut command = Command::new("git");
        command.args(["-C", dir, "diff", "--cached", "--name-only"]).current_dir(sandbox.project());
        assert_eq!(String::from_utf8_lossy(&command.output().unwrap().stdout), files, "{dir}");
    }
}

/// Who keeps a `.gitignore` there keeps it.
#[test]
fn an_ignore_file_that_is_somebody_elses_stays_as_it_is() {
    let sandbox = tested("exit 0", "");
    sandbox.write(".claude/.gitignore", "*.local\n");
    wrote(&sandbox, "src/a.py", "# Sums.\n", &[]);
    becomes(&sandbox, STATUS, ended);
    assert_eq!(sandbox.read(".claude/.gitignore"), "*.local\n");
}

#[test]
fn s1_31_the_gates_are_asked_in_the_documents_order() {
    let sandbox = project("");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "--allow-empty", "-m", "first"]);
    sandbox.write(STATUS, "fail|1|1772359200\n");
    sandbox.write(".claude/.test-gate-strikes", "5|1\n");
    let code = "y = 1\n".repeat(30);
    let decided_by = |text: &str| {
        write(&sandbox, "PreToolUse", "src/a.py", text, &[("HOOKBIN_NOW", NOW)]);
        let log = std::fs::read_to_string(sandbox.log().join("audit.jsonl")).unwrap();
        let last: Value = serde_json::from_str(log.lines().next_back().unwrap()).unwrap();
        last.get("check").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    assert_eq!(decided_by(&code), "test-gate");
    sandbox.write(STATUS, "pass|0|1772359200\n");
    assert_eq!(decided_by(&code), "branch-guard");
    sandbox.git(&sandbox.project(), &["checkout", "-q", "-b", "feature"]);
    assert_eq!(decided_by(&code), "doc-gate");
    assert_eq!(decided_by(&format!("# Sums.\n{code}")), "plan-check");
    // What is listed is what runs, in this order.
    let shown = sandbox.cli(&["profile", "show", "guardrails"]).stdout;
    let mut at = 0;
    for handler in [
        "guard", "test-gate", "mock-gate", "branch-guard", "doc-gate", "plan-check", "lint", "track", "code-review",
        "plan-validate", "test-runner", "session-init", "prompt-submit", "subagent-start", "check-planner",
        "check-implementer", "check-guardian", "surface", "session-summary", "forward-motion", "compact-preserve",
        "session-end",
    ] {
        let found = shown.get(at..).unwrap().find(&format!("\n  {handler} "));
        at += found.unwrap_or_else(|| panic!("{handler} is missing, or comes too early:\n{shown}")) + 1;
    }
}

#[test]
fn s1_54_only_a_person_at_a_terminal_records_proof_by_command() {
    let sandbox = project("");
    let ran = sandbox.cli(&["proof", "verify"]);
    assert_eq!(ran.code, Some(64));
    assert!(ran.stderr.contains("at a terminal"), "{ran:?}");
    assert!(!sandbox.path(".claude/.proof-status").exists());
    // Whoever only has a terminal for its input may be a program with one of its own making.
    assert!(!with_terminal_for_input(&sandbox, &["proof", "verify"]));
    assert!(!sandbox.path(".claude/.proof-status").exists());
    #[cfg(target_os = "linux")]
    {
        use crate::trust::at_terminal;
        assert_eq!(at_terminal(&sandbox, &["proof", "verify"], |_| "WRONG".to_owned()), Some(64));
        assert!(!sandbox.path(".claude/.proof-status").exists());
        assert_eq!(at_terminal(&sandbox, &["proof", "verify"], str::to_owned), Some(0));
        assert!(sandbox.read(".claude/.proof-status").starts_with("verified|"));
        assert!(sandbox.read(".claude/.audit-log").ends_with("|proof_verified|at a terminal\n"));
    }
}

/// Runs a command with a terminal for its input that is not the one of its session; whether it ended well.
fn with_terminal_for_input(sandbox: &Sandbox, args: &[&str]) -> bool {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let terminal = std::fs::File::options().read(true).write(true).open(Path::new(name.to_str().unwrap())).unwrap();
    let mut command = sandbox.command(args);
    command.stdin(terminal).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    command.status().unwrap().success()
}

#[test]
fn s1_93_settings_the_last_records_and_the_status_files_can_be_looked_at() {
    let sandbox = project("");
    let shown = || sandbox.cli(&["proof", "show"]).stdout;
    assert_eq!(
        shown(),
        "tests: nothing is recorded (.claude/.test-status)\nproof: nothing is recorded (.claude/.proof-status)\n"
    );
    sandbox.write(STATUS, "fail|3|1772359200\n");
    sandbox.write(".claude/.proof-status", "pending|1772359200\u{1b}[2J\n");
    let text = shown();
    assert!(text.contains("tests: fail|3|1772359200, recorded 2026-03-01 10:00:00 UTC"), "{text}");
    assert!(text.contains("proof: pending|") && !text.contains('\u{1b}'), "{text}");
    for number in 0..25 {
        let prompt = payload("UserPromptSubmit", &json!({ "prompt": format!("hello {number}") }));
        sandbox.hook(&["UserPromptSubmit"], &prompt);
    }
    let tail = sandbox.cli(&["log", "tail"]);
    assert_eq!((tail.code, tail.stdout.lines().count()), (Some(0), 20), "{}", tail.stdout);
    sandbox.write(".claude/settings.json", "{\"hooks\": {\"PreToolUse\": [{\"matcher\": 5}]}}");
    let doctor = sandbox.cli(&["doctor"]);
    assert_eq!(doctor.code, Some(4), "{}", doctor.stdout);
}
