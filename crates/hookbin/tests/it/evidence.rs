//! Status files open a gate only where they come from this session, or from hookbin itself: a clone brings any.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const TESTS: &str = ".claude/.test-status";
const PROOF: &str = ".claude/.proof-status";

fn now() -> i64 {
    chrono::Utc::now().timestamp()
}

/// Good evidence of this moment.
fn good(file: &str) -> String {
    dated(file, now())
}

fn dated(file: &str, epoch: i64) -> String {
    if file == TESTS { format!("pass|0|{epoch}\n") } else { format!("verified|{epoch}\n") }
}

/// A repository with a test runner of its own, on a branch, with the profile `guardrails` and trusted.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    let at_once = "[change.test-runner.test-run]\ndebounce_seconds = 0\npause_seconds = 0\n";
    sandbox.write(".claude/hookbin.toml", &format!("profile = \"guardrails\"\n{at_once}"));
    sandbox.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    sandbox.write("src/a.py", "# Sums.\n");
    sandbox.write("tests/test_a.py", "def test_a(): pass\n");
    sandbox.program(".venv/bin/pytest", "exit 0");
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q", "-b", "main"]);
    sandbox.write(".git/info/exclude", ".venv\n.claude\n");
    sandbox.git(&project, &["add", "."]);
    sandbox.git(&project, &["commit", "-q", "-m", "first"]);
    sandbox.git(&project, &["checkout", "-q", "-b", "feature"]);
    sandbox
}

fn event(sandbox: &Sandbox, session: &str, name: &str, more: &Value) -> Ran {
    let mut all = json!({ "session_id": session, "cwd": sandbox.project(), "hook_event_name": name });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sandbox.hook_with(&[name], all.to_string().as_bytes(), &[("PATH", "/usr/bin:/bin")])
}

fn start(sandbox: &Sandbox, session: &str) {
    let ran = event(sandbox, session, "SessionStart", &json!({"source": "startup"}));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn commit(sandbox: &Sandbox, session: &str) -> Ran {
    let input = json!({"command": "git commit -m work"});
    event(sandbox, session, "PreToolUse", &json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": "t1"}))
}

/// A call that has ended now.
fn did(sandbox: &Sandbox, session: &str, tool: &str, input: &Value) {
    let more =
        json!({"tool_name": tool, "tool_input": input, "tool_response": {}, "tool_use_id": "t2", "duration_ms": 20});
    assert_eq!(event(sandbox, session, "PostToolUse", &more).code, Some(0));
}

fn prompt(sandbox: &Sandbox, session: &str, text: &str) {
    event(sandbox, session, "UserPromptSubmit", &json!({"prompt": text}));
}

/// Good evidence of the session, as it comes to be.
fn record(sandbox: &Sandbox, file: &str) {
    if file == PROOF { sandbox.confirm() } else { sandbox.write(file, &good(file)) }
}

/// The commit is refused for want of this evidence, and says why.
fn refused(ran: &Ran, file: &str, why: &str) {
    assert_eq!((ran.decision().as_deref(), ran.code), (Some("deny"), Some(2)), "{file}, {why}: {ran:?}");
    assert!(ran.reason().contains(&format!("{file} does not count, because {why}")), "{why}: {}", ran.reason());
}

fn passes(ran: &Ran) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}

fn other(file: &str) -> &'static str {
    if file == TESTS { PROOF } else { TESTS }
}

/// Finding 26: files of a clone, in each of the ways in which they come, beside good evidence of the other kind.
#[test]
fn evidence_that_a_clone_brings_opens_no_gate() {
    for file in [TESTS, PROOF] {
        // They lie there before the session, under an honest date, the moment of the clone or one to come.
        for epoch in [1_764_320_000, now(), 99_999_999_999] {
            let sandbox = repository();
            sandbox.write(file, &dated(file, epoch));
            std::thread::sleep(Duration::from_millis(50));
            did(&sandbox, "s1", "Bash", &json!({"command": "ls"}));
            record(&sandbox, other(file));
            let why = if epoch > now() { "it is dated in the future" } else { "it is older than this session" };
            refused(&commit(&sandbox, "s1"), file, why);
        }
        // Nothing is known of the session.
        let sandbox = repository();
        sandbox.write(TESTS, &good(TESTS));
        sandbox.write(PROOF, &good(PROOF));
        refused(&commit(&sandbox, "s1"), TESTS, "it is older than this session");
        // They come with a checkout, a merge or a pull of the session.
        let sandbox = repository();
        start(&sandbox, "s1");
        record(&sandbox, other(file));
        sandbox.write(file, &good(file));
        sandbox.git(&sandbox.project(), &["add", "-f", file]);
        refused(&commit(&sandbox, "s1"), file, "git tracks it");
        // They come out of an archive: a new file with a date of its own, with one to come, or with none.
        for (text, why) in [
            (dated(file, now() - 86_400), "it is older than this session"),
            (dated(file, 99_999_999_999), "it is dated in the future"),
            (good(file).split('|').next().unwrap().to_owned(), "it does not say when"),
        ] {
            let sandbox = repository();
            start(&sandbox, "s1");
            record(&sandbox, other(file));
            sandbox.write(file, &text);
            refused(&commit(&sandbox, "s1"), file, why);
        }
    }
}

/// A proof of work outlives its session, and nothing was removed at the start of the next: one that is nobody's does not count there.
#[test]
fn a_proof_that_nobody_recorded_does_not_count_and_is_set_aside_at_the_start() {
    let sandbox = repository();
    start(&sandbox, "s1");
    sandbox.write(TESTS, &good(TESTS));
    // However it got there: from an archive, a patch or a copy, whose date says nothing.
    sandbox.write(PROOF, &good(PROOF));
    refused(&commit(&sandbox, "s1"), PROOF, "hookbin did not record it");
    sandbox.confirm();
    passes(&commit(&sandbox, "s1"));
    // What a compaction begins again is the same session.
    event(&sandbox, "s1", "SessionStart", &json!({"source": "compact"}));
    passes(&commit(&sandbox, "s1"));
    for (session, source) in [("s1", "resume"), ("s1", "clear"), ("s2", "startup")] {
        sandbox.write(PROOF, &dated(PROOF, now() - 60));
        std::thread::sleep(Duration::from_millis(50));
        event(&sandbox, session, "SessionStart", &json!({"source": source}));
        sandbox.write(TESTS, &good(TESTS));
        refused(&commit(&sandbox, session), PROOF, "it is older than this session");
        // It is the user's to remove, and becomes pending where a commit asks for it.
        assert!(sandbox.read(PROOF).starts_with("pending|"));
    }
    // The user's own file may let the agent write it.
    let sandbox = repository();
    let own = sandbox.home().join(".config/hookbin/hookbin.toml");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, "agent_proof = true\n").unwrap();
    start(&sandbox, "s1");
    sandbox.write(TESTS, &good(TESTS));
    sandbox.write(PROOF, &good(PROOF));
    passes(&commit(&sandbox, "s1"));
}

/// Git keeps its index in several forms.
#[test]
fn what_git_tracks_is_found_in_every_form_of_its_index() {
    let forms: [(&[&str], &[&str]); 4] = [
        (&["init", "-q"], &["update-index", "--index-version", "4"]),
        (&["init", "-q"], &["update-index", "--split-index"]),
        (&["init", "-q"], &["update-index", "--index-version", "3"]),
        (&["init", "-q", "--object-format=sha256"], &["status"]),
    ];
    for (init, form) in forms {
        for tracked in [false, true] {
            let sandbox = Sandbox::with_profile("guardrails");
            let project = sandbox.project();
            sandbox.git(&project, init);
            for file in ["a", "b/c", ".claude/x", ".claude/.test-statuses", "pyproject.toml", "tests/test_a.py"] {
                sandbox.write(file, "[tool.pytest.ini_options]\n");
            }
            start(&sandbox, "s1");
            sandbox.write(TESTS, &good(TESTS));
            sandbox.confirm();
            let names = ["add", "-f", "a", "b/c", ".claude/x", ".claude/.test-statuses", "pyproject.toml", TESTS];
            sandbox.git(&project, &names[..if tracked { 8 } else { 7 }]);
            sandbox.git(&project, &["commit", "-q", "-m", "first"]);
            sandbox.git(&project, &["checkout", "-q", "-b", "feature"]);
            sandbox.git(&project, form);
            sandbox.write("z", "");
            sandbox.git(&project, &["add", "z"]);
            let ran = commit(&sandbox, "s1");
            if tracked { refused(&ran, TESTS, "git tracks it") } else { passes(&ran) }
        }
    }
    // What cannot be read may hold anything.
    let sandbox = repository();
    start(&sandbox, "s1");
    sandbox.write(TESTS, &good(TESTS));
    sandbox.confirm();
    let index = std::fs::read(sandbox.path(".git/index")).unwrap();
    for cut in [4, 30, 100, index.len() - 25] {
        std::fs::write(sandbox.path(".git/index"), &index[..cut]).unwrap();
        refused(&commit(&sandbox, "s1"), TESTS, "git tracks it");
    }
}

/// The agent's own calls: what own protection cannot see in their text is seen in what they were about.
#[test]
fn what_a_call_of_the_agent_wrote_does_not_count() {
    let calls = [
        ("Bash", json!({"command": "cp -r cfg/. ."})),
        ("Bash", json!({"command": "tar xf a.tar"})),
        ("Bash", json!({"command": "cd .. && unzip project.zip"})),
        ("Write", json!({"file_path": TESTS, "content": "pass"})),
    ];
    for (tool, mut input) in calls {
        let sandbox = repository();
        if tool == "Write" {
            input["file_path"] = json!(sandbox.path(TESTS));
        }
        start(&sandbox, "s1");
        sandbox.confirm();
        std::thread::sleep(Duration::from_millis(1_200));
        sandbox.write(TESTS, &good(TESTS));
        did(&sandbox, "s1", tool, &input);
        refused(&commit(&sandbox, "s1"), TESTS, "a call of this session may have written it");
        // What a test runner writes afterwards is its own word, and stays it over a later call.
        std::thread::sleep(Duration::from_millis(50));
        sandbox.write(TESTS, &good(TESTS));
        passes(&commit(&sandbox, "s1"));
        std::thread::sleep(Duration::from_millis(1_200));
        did(&sandbox, "s1", tool, &input);
        passes(&commit(&sandbox, "s1"));
    }
    // A call that goes on may write at any time.
    let sandbox = repository();
    start(&sandbox, "s1");
    sandbox.confirm();
    std::thread::sleep(Duration::from_millis(1_200));
    did(&sandbox, "s1", "Bash", &json!({"command": "sleep 5; tar xf a.tar", "run_in_background": true}));
    std::thread::sleep(Duration::from_millis(50));
    sandbox.write(TESTS, &good(TESTS));
    refused(&commit(&sandbox, "s1"), TESTS, "a call of this session may have written it");
}

/// Where a test runner of the project's own writes the file, as the document says, its word counts in the session.
#[test]
fn a_test_runner_may_write_the_file_itself() {
    let sandbox = repository();
    start(&sandbox, "s1");
    sandbox.confirm();
    sandbox.write(TESTS, &good(TESTS));
    did(&sandbox, "s1", "Bash", &json!({"command": "npm test"}));
    passes(&commit(&sandbox, "s1"));
}

/// The record of what hookbin wrote into a status file of the project.
fn twin(sandbox: &Sandbox, file: &str) -> PathBuf {
    let name = file.trim_start_matches(".claude/");
    sandbox.home().join(".local/state/hookbin/evidence").join(format!("{}{name}.json", sandbox.name()))
}

/// A project in which a session has got both kinds of evidence by hookbin, and has ended.
fn earned() -> Sandbox {
    let sandbox = repository();
    start(&sandbox, "s1");
    let input = json!({"file_path": sandbox.path("src/a.py"), "content": "# Sums.\n"});
    did(&sandbox, "s1", "Write", &input);
    let end = Instant::now() + Duration::from_secs(20);
    while !std::fs::read_to_string(sandbox.path(TESTS)).is_ok_and(|text| text.starts_with("pass|")) {
        assert!(Instant::now() < end, "{:?}", std::fs::read_to_string(sandbox.path(TESTS)));
        std::thread::sleep(Duration::from_millis(20));
    }
    prompt(&sandbox, "s1", "verified");
    assert!(sandbox.read(PROOF).starts_with("verified|"));
    std::thread::sleep(Duration::from_millis(50));
    sandbox
}

/// What hookbin itself recorded outlives its session, as long as the working tree is the one that it is about.
#[test]
fn hookbins_own_record_counts_later_and_for_the_same_tree_only() {
    let sandbox = earned();
    passes(&commit(&sandbox, "s2"));
    // To stage a file and to commit changes none.
    let project = sandbox.project();
    sandbox.git(&project, &["add", "."]);
    passes(&commit(&sandbox, "s2"));
    sandbox.git(&project, &["commit", "-q", "--allow-empty", "-m", "second"]);
    passes(&commit(&sandbox, "s2"));
    // The start of a session drops the last test status, and keeps the proof.
    start(&sandbox, "s3");
    passes(&commit(&sandbox, "s3"));
    // It belongs to the contents: what is changed and put back is what was tested and seen.
    let was = sandbox.read("src/a.py");
    sandbox.write("src/a.py", "# Sums, in another way.\n");
    refused(&commit(&sandbox, "s4"), TESTS, "files have changed since");
    sandbox.write("src/a.py", &was);
    start(&sandbox, "s4");
    passes(&commit(&sandbox, "s4"));
    sandbox.git(&project, &["checkout", "-q", "main"]);
    sandbox.git(&project, &["checkout", "-q", "feature"]);
    start(&sandbox, "s5");
    passes(&commit(&sandbox, "s5"));
    // Of other contents a start drops the last test status, and keeps the proof.
    sandbox.write("src/a.py", "# Sums, in another way.\n");
    start(&sandbox, "s6");
    assert!(!sandbox.path(TESTS).exists() && sandbox.path(PROOF).exists());

    let changes: [fn(&Sandbox); 4] = [
        |sandbox| sandbox.write("src/a.py", "# Sums, in another way.\n"),
        |sandbox| {
            // By another program, which gives it its old date.
            sandbox.write("src/a.py", "# Differs.\n");
            let file = std::fs::File::options().write(true).open(sandbox.path("src/a.py")).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_764_320_000)).unwrap();
        },
        |sandbox| std::fs::remove_file(sandbox.path("src/a.py")).unwrap(),
        |sandbox| sandbox.git(&sandbox.project(), &["rm", "-q", "-f", "src/a.py"]),
    ];
    for change in changes {
        let sandbox = earned();
        change(&sandbox);
        refused(&commit(&sandbox, "s2"), TESTS, "files have changed since");
    }
}

/// A twin is as good as its place, its owner and its text.
#[test]
fn a_twin_that_is_gone_forged_or_of_another_project_vouches_for_nothing() {
    use std::os::unix::fs::PermissionsExt;

    let of_another = std::fs::read_to_string(twin(&earned(), PROOF)).unwrap();
    let damages: [&dyn Fn(&Sandbox); 6] = [
        &|sandbox| std::fs::remove_file(twin(sandbox, PROOF)).unwrap(),
        &|sandbox| std::fs::write(twin(sandbox, PROOF), &of_another).unwrap(),
        &|sandbox| std::fs::write(twin(sandbox, PROOF), "{\"version\":1}").unwrap(),
        &|sandbox| {
            let mode = std::fs::Permissions::from_mode(0o666);
            std::fs::set_permissions(twin(sandbox, PROOF), mode).unwrap();
        },
        // A text that hookbin did not write.
        &|sandbox| sandbox.write(PROOF, &good(PROOF).replace('\n', "|x\n")),
        // One that it wrote and has taken back since.
        &|sandbox| {
            let before = sandbox.read(PROOF);
            let input = json!({"file_path": sandbox.path("src/a.py"), "content": "# Sums.\n"});
            did(sandbox, "s1", "Write", &input);
            assert!(sandbox.read(PROOF).starts_with("pending|"));
            sandbox.write(PROOF, &before);
        },
    ];
    for (at, damage) in damages.iter().enumerate() {
        let sandbox = earned();
        damage(&sandbox);
        std::thread::sleep(Duration::from_millis(50));
        start(&sandbox, "s2");
        sandbox.write(TESTS, &good(TESTS));
        let ran = commit(&sandbox, "s2");
        assert!(ran.reason().contains("it is older than this session"), "{at}: {ran:?}");
    }
}

/// A user is told how far a file counts.
#[test]
fn commands_say_how_far_a_status_file_counts() {
    let sandbox = earned();
    let shown = |sandbox: &Sandbox| {
        let all = [&["proof", "show"][..], &["status"], &["report", "-o", "-"]].map(|args| sandbox.cli(args).stdout);
        all.map(|text| {
            let remarks = ["git tracks it", "hookbin did not record it", "files have changed since"];
            remarks.iter().filter(|remark| text.contains(**remark)).copied().collect::<Vec<_>>().join(", ")
        })
    };
    assert_eq!(shown(&sandbox), ["", "", ""]);
    sandbox.write("src/a.py", "# Sums, in another way.\n");
    assert_eq!(shown(&sandbox), ["files have changed since"; 3]);
    sandbox.write(PROOF, &dated(PROOF, 1));
    sandbox.write(TESTS, &dated(TESTS, 1));
    assert_eq!(shown(&sandbox), ["hookbin did not record it"; 3]);
    sandbox.git(&sandbox.project(), &["add", "-f", TESTS, PROOF]);
    assert_eq!(shown(&sandbox), ["git tracks it"; 3]);
}

/// What was recorded goes with the rest.
#[test]
fn the_record_goes_with_everything_else_that_was_kept() {
    let sandbox = earned();
    assert!(twin(&sandbox, PROOF).exists() && twin(&sandbox, TESTS).exists());
    let ran = sandbox.cli(&["uninstall", "--purge"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!twin(&sandbox, PROOF).parent().unwrap().exists());
}

/// An agent that ends is told of a proof that nobody gave.
#[test]
fn an_agents_end_believes_no_foreign_proof() {
    for (before, found) in [(true, true), (false, false)] {
        let sandbox = repository();
        if before {
            sandbox.write(PROOF, &good(PROOF));
            std::thread::sleep(Duration::from_millis(50));
        }
        start(&sandbox, "s1");
        if !before {
            sandbox.confirm();
        }
        let more = json!({"agent_type": "implementer", "agent_id": "a1", "stop_hook_active": false});
        event(&sandbox, "s1", "SubagentStop", &more);
        assert_eq!(sandbox.read(".claude/.agent-findings").contains("proof is missing"), found, "{before}");
    }
}
