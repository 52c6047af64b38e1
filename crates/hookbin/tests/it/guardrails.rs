//! The profile `guardrails` on the Bash side, in real repositories: what is read of them, evidence, rewrites, approval.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run};

/// What a test runner writes when it has ended now.
fn pass() -> String {
    format!("pass|0|{}\n", chrono::Utc::now().timestamp())
}

/// A project under version control with one commit, on the branch `feature`, without any evidence.
fn repository() -> Sandbox {
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write("Cargo.toml", "[package]\nname = \"a\"\n");
    sandbox.write(".gitignore", ".claude/\n.worktrees/\ntmp/\n");
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q", "-b", "main"]);
    sandbox.git(&project, &["add", "."]);
    sandbox.git(&project, &["commit", "-q", "-m", "first"]);
    sandbox.git(&project, &["checkout", "-q", "-b", "feature"]);
    sandbox
}

/// The same with passed tests and a verified proof of the session.
fn proven() -> Sandbox {
    let sandbox = repository();
    let start = json!({"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup"});
    sandbox.hook(&["SessionStart"], start.to_string().as_bytes());
    sandbox.write(".claude/.test-status", &pass());
    sandbox.confirm();
    sandbox
}

fn ask_with(sandbox: &Sandbox, cwd: &Path, input: &Value, env: &[(&str, &str)]) -> Ran {
    let event = json!({
        "session_id": "s1", "cwd": cwd, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": input, "tool_use_id": "t1",
    });
    sandbox.hook_with(&["PreToolUse"], event.to_string().as_bytes(), env)
}

fn ask_in(sandbox: &Sandbox, cwd: &Path, command: &str) -> Ran {
    ask_with(sandbox, cwd, &json!({ "command": command }), &[])
}

fn ask(sandbox: &Sandbox, command: &str) -> Ran {
    ask_in(sandbox, &sandbox.project(), command)
}

fn denied(ran: &Ran, words: &str) {
    assert_eq!((ran.decision().as_deref(), ran.code), (Some("deny"), Some(2)), "{ran:?}");
    assert!(ran.reason().contains(words), "{words:?}: {}", ran.reason());
}

/// Nobody has anything to say.
fn silent(ran: &Ran) {
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.code), ("", "", Some(0)));
}

#[test]
fn s1_30_guard_comes_before_auto_review() {
    let shown = Sandbox::new().cli(&["profile", "show", "guardrails", "--json"]).json();
    let handlers = shown["handlers"].as_array().unwrap().clone();
    let serves_bash = |handler: &&Value| {
        let tools = handler["tools"].as_array().cloned().unwrap_or_default();
        handler["events"].as_array().unwrap().contains(&json!("PreToolUse"))
            && (tools.is_empty() || tools.contains(&json!("Bash")))
    };
    let names: Vec<&str> =
        handlers.iter().filter(serves_bash).map(|handler| handler["name"].as_str().unwrap()).collect();
    let at =
        |name: &str| names.iter().position(|other| *other == name).unwrap_or_else(|| panic!("{name} in {names:?}"));
    assert!(at("own") < at("guard") && at("guard") < at("auto-review"), "{names:?}");
}

#[test]
fn s1_06_a_refusal_has_the_documented_form() {
    let ran = ask(&repository(), "git commit -m a");
    let json = ran.json();
    let output = &json["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    assert_eq!(output["permissionDecision"], "deny");
    assert!(output["permissionDecisionReason"].as_str().unwrap().contains(".test-status"), "{json}");
}

#[test]
fn s1_07_and_w4_a_rewrite_keeps_every_key_and_allows_nothing() {
    let sandbox = proven();
    let input = json!({
        "command": "git push --force origin feature", "description": "ü", "timeout": 120_000, "run_in_background": false,
        "later": {"a": [1, 2.50]},
    });
    let ran = ask_with(&sandbox, &sandbox.project(), &input, &[]);
    let mut wanted = input;
    wanted["command"] = json!("git push --force-with-lease origin feature");
    let output = ran.json()["hookSpecificOutput"].clone();
    assert_eq!(output["updatedInput"], wanted);
    assert_eq!(output["permissionDecision"], Value::Null);
    assert_eq!(ran.code, Some(0));
    // What comes out needs no second change.
    silent(&ask_with(&sandbox, &sandbox.project(), &wanted, &[]));
}

#[test]
fn s1_72_what_the_guard_refuses_or_changes_is_never_approved() {
    let sandbox = proven();
    assert_eq!(ask(&sandbox, "git log --oneline | head -3").decision().as_deref(), Some("allow"));
    for line in ["cat .env", "cat ~/.ssh/id_rsa", "grep KEY ~/.aws/credentials", "head -c 10 .git-credentials"] {
        assert_eq!(ask(&sandbox, line).decision().as_deref(), Some("deny"), "{line}");
    }
    silent(&ask(&sandbox, "some-program --of mine"));
    silent(&ask(&sandbox, "ls > out"));
    let off = "profile = [\"guardrails\"]\n[change.guard.guard]\nfamilies = [\"git\"]\n";
    sandbox.write(".claude/hookbin.toml", off);
    assert_ne!(
        ask(&sandbox, "cat .env").decision().as_deref(),
        Some("allow"),
        "a rule that is off here still forbids approval"
    );
}

#[test]
fn s1_39_s1_43_s1_49_commits_in_repositories_of_every_kind() {
    let sandbox = proven();
    let project = sandbox.project();
    silent(&ask(&sandbox, "git commit -m a"));
    sandbox.git(&project, &["checkout", "-q", "main"]);
    denied(&ask(&sandbox, "git commit -m a"), "main is the main branch");
    // Packed references are references.
    sandbox.git(&project, &["pack-refs", "--all"]);
    denied(&ask(&sandbox, "git commit -m a"), "main is the main branch");
    // A directory that is not there yet, and one below.
    denied(&ask(&sandbox, "mkdir -p x/y && cd x/y && git commit -m a"), "main is the main branch");
    // A commit and no branch.
    sandbox.git(&project, &["checkout", "-q", "--detach"]);
    silent(&ask(&sandbox, "git commit -m a"));
    sandbox.write(".claude/.test-status", "fail|1|1764320000\n");
    denied(&ask(&sandbox, "git commit -m a"), "test run failed");
    // Outside any repository git itself says no.
    silent(&ask_in(&sandbox, &sandbox.home(), "git commit -m a"));
    // In a bare one as well.
    sandbox.git(&sandbox.home(), &["clone", "-q", "--bare", project.to_str().unwrap(), "bare.git"]);
    denied(&ask_in(&sandbox, &sandbox.home().join("bare.git"), "git commit -m a"), "test");
}

#[test]
fn s1_53_worktrees_share_the_evidence_of_the_main_one() {
    let sandbox = proven();
    let project = sandbox.project();
    sandbox.git(&project, &["worktree", "add", "-q", "-b", "topic", ".worktrees/topic"]);
    sandbox.git(&project, &["worktree", "add", "-q", "../main", "main"]);
    let topic = project.join(".worktrees/topic");
    silent(&ask_in(&sandbox, &topic, "git commit -m a"));
    silent(&ask(&sandbox, "git -C .worktrees/topic commit -m a"));
    denied(&ask(&sandbox, "cd ../main && git commit -m a"), "main is the main branch");
    sandbox.write(".worktrees/topic/.claude/.test-status", "fail|2|1764320000");
    denied(&ask_in(&sandbox, &topic, "git commit -m a"), "test run failed (2 failed)");
    silent(&ask(&sandbox, "git commit -m a"));
}

#[test]
fn a_submodule_has_its_own_branch_and_evidence() {
    let sandbox = proven();
    let project = sandbox.project();
    let other = sandbox.home().join("other");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("go.mod"), "module a\n").unwrap();
    sandbox.git(&other, &["init", "-q", "-b", "main"]);
    sandbox.git(&other, &["add", "."]);
    sandbox.git(&other, &["commit", "-q", "-m", "first"]);
    sandbox.git(&project, &["submodule", "--quiet", "add", other.to_str().unwrap(), "sub"]);
    denied(&ask_in(&sandbox, &project.join("sub"), "git commit -m a"), "main is the main branch");
    sandbox.git(&project.join("sub"), &["checkout", "-q", "-b", "topic"]);
    // Tests run from the top of the project, so what they say there counts where the submodule has nothing of its own.
    silent(&ask_in(&sandbox, &project.join("sub"), "git commit -m a"));
    sandbox.write("sub/.claude/.test-status", "fail|1|1764320000\n");
    denied(&ask_in(&sandbox, &project.join("sub"), "git commit -m a"), "sub/.claude/.test-status");
}

#[test]
fn s1_44_and_x20_the_first_commit_and_the_end_of_a_merge_need_no_evidence() {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = \"guardrails\"\n[change.test-runner]\nenabled = false\n");
    sandbox.write("Cargo.toml", "");
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q", "-b", "main"]);
    silent(&ask(&sandbox, "git add . && git commit -m first"));
    sandbox.git(&project, &["add", "."]);
    sandbox.git(&project, &["commit", "-q", "-m", "first"]);
    denied(&ask(&sandbox, "git commit -m second"), "main is the main branch");
    // A branch without a commit in a repository that has some is no first commit.
    sandbox.git(&project, &["checkout", "-q", "--orphan", "empty"]);
    denied(&ask(&sandbox, "git commit -m a"), ".test-status is missing");
    sandbox.git(&project, &["checkout", "-q", "-f", "main"]);
    // A merge that stopped at a conflict.
    for (branch, text) in [("one", "1"), ("two", "2")] {
        sandbox.git(&project, &["checkout", "-q", "-b", branch, "main"]);
        sandbox.write("a", text);
        sandbox.git(&project, &["add", "a"]);
        sandbox.git(&project, &["commit", "-q", "-m", branch]);
    }
    let mut merge = Command::new("git");
    merge.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.home()).current_dir(&project);
    merge.args(["-c", "user.name=a", "-c", "user.email=a@b", "merge", "one"]);
    assert_ne!(run(merge, b"").code, Some(0));
    silent(&ask(&sandbox, "git commit --no-edit"));
    sandbox.git(&project, &["merge", "--abort"]);
    denied(&ask(&sandbox, "git commit -m a"), ".test-status is missing");
    // What only looks like a merge is none.
    for text in ["", "ref: refs/heads/one\n"] {
        sandbox.write(".git/MERGE_HEAD", text);
        denied(&ask(&sandbox, "git commit -m a"), ".test-status is missing");
    }
    std::fs::remove_file(sandbox.path(".git/MERGE_HEAD")).unwrap();
    // A rebase that stopped is none.
    let mut rebase = Command::new("git");
    rebase.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", sandbox.home()).current_dir(&project);
    rebase.args(["-c", "user.name=a", "-c", "user.email=a@b", "rebase", "one"]);
    assert_ne!(run(rebase, b"").code, Some(0));
    denied(&ask(&sandbox, "git commit -m a"), ".test-status is missing");
}

#[test]
fn the_default_branch_of_the_remote_is_a_main_branch() {
    let sandbox = proven();
    let source = sandbox.home().join("source");
    std::fs::create_dir_all(&source).unwrap();
    sandbox.git(&source, &["init", "-q", "-b", "trunk"]);
    sandbox.git(&source, &["commit", "-q", "--allow-empty", "-m", "first"]);
    sandbox.git(&sandbox.home(), &["clone", "-q", "source", "copy"]);
    let copy = sandbox.home().join("copy");
    denied(&ask_in(&sandbox, &copy, "git commit -m a"), "trunk is the main branch");
    denied(&ask_in(&sandbox, &copy, "git push -f origin HEAD"), "main branch of the remote");
}

#[test]
fn s1_45_to_47_bad_status_files_are_no_evidence() {
    let sandbox = proven();
    let status = sandbox.path(".claude/.test-status");
    let again = |text: &[u8]| {
        let _ = std::fs::remove_dir(&status);
        let _ = std::fs::remove_file(&status);
        std::fs::write(&status, text).unwrap();
    };
    let large = "x".repeat(5 << 20);
    for (text, words) in [
        (&b""[..], "neither pass nor fail"),
        (b"pas", "neither pass nor fail"),
        (b"\xff\xfe\x00", "cannot be read as text"),
        (large.as_bytes(), "larger than"),
        (b"|||", "neither pass nor fail"),
        (b"fail|x|y", "Tests are failing"),
    ] {
        again(text);
        denied(&ask(&sandbox, "git commit -m a"), words);
    }
    again(format!("pass|0|{}\r\n", chrono::Utc::now().timestamp()).as_bytes());
    silent(&ask(&sandbox, "git commit -m a"));
    again(b"pass|0|99999999999\r\n");
    denied(&ask(&sandbox, "git commit -m a"), "dated in the future");
    std::fs::remove_file(&status).unwrap();
    std::fs::create_dir(&status).unwrap();
    denied(&ask(&sandbox, "git commit -m a"), "no plain file");
    std::fs::remove_dir(&status).unwrap();
    sandbox.write("elsewhere", &pass());
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), &status).unwrap();
    denied(&ask(&sandbox, "git commit -m a"), "it is a link");
    std::fs::remove_file(&status).unwrap();
    denied(&ask(&sandbox, "git commit -m a"), "is missing");
}

#[test]
fn s1_54_the_agent_writes_no_evidence_anywhere() {
    let sandbox = proven();
    for name in [
        ".claude/.test-status", ".claude/.proof-status", ".worktrees/a/.claude/.test-status",
        "../wt/.claude/.proof-status",
    ] {
        for line in [
            format!("echo 'verified|1' > {name}"),
            format!("rm -f {name}"),
            format!("printf pass | tee {name}"),
            format!("cp a {name}"),
            format!("bash -c 'echo pass >> {name}'"),
        ] {
            let ran = ask(&sandbox, &line);
            assert_eq!(ran.decision().as_deref(), Some("deny"), "{line}: {ran:?}");
        }
        assert_eq!(ask(&sandbox, &format!("cat {name}")).decision().as_deref(), Some("allow"), "{name}");
    }
}

#[test]
fn s1_48_the_clients_own_dir_is_exempt() {
    let sandbox = repository();
    let meta = sandbox.home().join(".claude");
    std::fs::create_dir_all(&meta).unwrap();
    std::fs::write(meta.join("Cargo.toml"), "").unwrap();
    sandbox.git(&meta, &["init", "-q", "-b", "main"]);
    sandbox.git(&meta, &["add", "."]);
    sandbox.git(&meta, &["commit", "-q", "-m", "first"]);
    silent(&ask_in(&sandbox, &meta, "git commit -m a"));
    silent(&ask(&sandbox, "git -C ~/.claude commit -m a"));
    // Its worktrees are its own, wherever they lie; a project's directory of the same name is not.
    sandbox.git(&meta, &["worktree", "add", "-q", "-b", "topic", "../meta-topic"]);
    silent(&ask_in(&sandbox, &sandbox.home().join("meta-topic"), "git commit -m a"));
    denied(&ask_in(&sandbox, &sandbox.path(".claude"), "git commit -m a"), "is missing");
}

#[test]
fn the_plan_alone_may_be_committed_on_the_main_branch() {
    let sandbox = proven();
    let project = sandbox.project();
    sandbox.git(&project, &["checkout", "-q", "main"]);
    sandbox.write("MASTER_PLAN.md", "# Plan\n");
    silent(&ask(&sandbox, "git add MASTER_PLAN.md && git commit -m plan"));
    sandbox.git(&project, &["add", "MASTER_PLAN.md"]);
    silent(&ask(&sandbox, "git commit -m plan"));
    sandbox.write("b", "");
    sandbox.git(&project, &["add", "b"]);
    denied(&ask(&sandbox, "git commit -m plan"), "main is the main branch");
}

#[test]
fn s1_41_worktrees_are_removed_from_the_main_one() {
    let sandbox = proven();
    let project = sandbox.project();
    sandbox.git(&project, &["worktree", "add", "-q", "-b", "topic", "../with space"]);
    let topic = sandbox.home().join("with space");
    let ran = ask_in(&sandbox, &topic, "git worktree remove .");
    let line = format!("cd \"{}\" && git worktree remove '{}'", project.display(), topic.display());
    assert_eq!(ran.json()["hookSpecificOutput"]["updatedInput"]["command"], json!(line));
    silent(&ask_in(&sandbox, &topic, &line));
    silent(&ask_in(&sandbox, &sandbox.home(), "git worktree remove a"));
}

/// A program called `git` that leaves a mark, and then does what `then` says.
fn other_git(sandbox: &Sandbox, then: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let dir = sandbox.home().join("bin");
    std::fs::create_dir_all(&dir).unwrap();
    let mark = sandbox.home().join("started");
    std::fs::write(dir.join("git"), format!("#!/bin/sh\ntouch '{}'\n{then}\n", mark.display())).unwrap();
    std::fs::set_permissions(dir.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", dir.display())
}

#[test]
fn no_process_is_started_where_a_file_says_enough() {
    let sandbox = proven();
    let path = other_git(&sandbox, "exit 1");
    for line in
        ["git status", "git commit -m a", "git push --force origin feature", "git merge a", "ls", "git reset --hard"]
    {
        ask_with(&sandbox, &sandbox.project(), &json!({ "command": line }), &[("PATH", &path)]);
        assert!(!sandbox.home().join("started").exists(), "{line}");
    }
}

#[test]
fn a_git_that_hangs_or_floods_is_not_waited_for() {
    let sandbox = proven();
    sandbox.git(&sandbox.project(), &["checkout", "-q", "main"]);
    for then in ["exec sleep 30", "exec yes MASTER_PLAN.md", "exit 3", "exec 2>&1; sleep 30 & exit 0"] {
        let path = other_git(&sandbox, then);
        let begin = Instant::now();
        let ran = ask_with(&sandbox, &sandbox.project(), &json!({ "command": "git commit -m a" }), &[("PATH", &path)]);
        denied(&ran, "main is the main branch");
        assert!(begin.elapsed() < Duration::from_secs(6), "{then}: {:?}", begin.elapsed());
        assert!(sandbox.home().join("started").exists(), "the test is about a git that runs");
    }
}

#[test]
fn a_damaged_repository_is_no_obstacle() {
    let sandbox = proven();
    let project = sandbox.project();
    for (file, text) in [
        (".git/HEAD", ""),
        (".git/HEAD", "ref: refs/heads/"),
        (".git/HEAD", "\u{fffd}\n\n"),
        (".git/packed-refs", "x\n^\n\n"),
    ] {
        let before = std::fs::read(project.join(file)).ok();
        std::fs::write(project.join(file), text).unwrap();
        let ran = ask(&sandbox, "git commit -m a");
        assert_eq!(ran.code, Some(0), "{file}: {ran:?}");
        match before {
            Some(before) => std::fs::write(project.join(file), before).unwrap(),
            None => std::fs::remove_file(project.join(file)).unwrap(),
        }
    }
    std::fs::rename(project.join(".git"), project.join("git-moved")).unwrap();
    std::fs::write(project.join(".git"), "gitdir: nowhere\n").unwrap();
    silent(&ask(&sandbox, "git commit -m a"));
}

/// Two profiles each have a handler `guard`; the agreements about commits are lost in neither order.
#[test]
fn the_agreements_hold_beside_another_profile() {
    let sandbox = repository();
    let project = sandbox.project();
    sandbox.git(&project, &["checkout", "-q", "main"]);
    for profiles in [r#"["standard", "guardrails"]"#, r#"["guardrails", "standard"]"#] {
        sandbox.write(".claude/hookbin.toml", &format!("profile = {profiles}\n"));
        let ran = ask(&sandbox, "git commit -m x");
        assert!(ran.code == Some(2) && ran.stdout.contains("main"), "{profiles}: {ran:?}");
        assert_eq!(ask(&sandbox, "rm -rf /").code, Some(2), "{profiles}");
        // The strictest verdict wins: `standard` refuses what `guardrails` alone rewrites.
        let ran = ask(&sandbox, "git push --force origin feature");
        assert!(ran.code == Some(2) && ran.stdout.contains("--force-with-lease"), "{profiles}: {ran:?}");
    }
}

/// Whatever profiles are combined, in whatever order, every handler of each is in force.
#[test]
fn combined_profiles_keep_all_handlers_of_each() {
    let sandbox = Sandbox::new();
    let listed = sandbox.cli(&["profile", "list", "--json"]).json();
    let names: Vec<&str> =
        listed["profiles"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    let handlers = |shown: &Value| -> Vec<String> {
        let all = shown["handlers"].as_array().unwrap().iter();
        all.map(|it| format!("{} of {}", it["name"], it["profile"])).collect()
    };
    assert!(names.len() >= 6, "{names:?}");
    for one in &names {
        let alone = handlers(&sandbox.cli(&["profile", "show", one, "--json"]).json());
        for other in names.iter().filter(|other| *other != one) {
            sandbox.write(".claude/hookbin.toml", &format!("profile = [\"{other}\", \"{one}\"]\n"));
            let both = handlers(&sandbox.cli(&["profile", "show", "--resolved", "--json"]).json());
            let lost: Vec<&String> = alone.iter().filter(|handler| !both.contains(handler)).collect();
            assert!(lost.is_empty(), "{other} + {one} lost {lost:?}");
        }
    }
}
