//! Directories that a clone fills: no program of the machine is looked for in them, they are no home directory, and their records are nobody's.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::sandbox::{Ran, Sandbox, place_program, run, run_as_it_is, tree};

const SYSTEM: &str = "/usr/bin:/bin";

fn payload(cwd: &Path, event: &str, command: &str) -> Vec<u8> {
    let all = json!({
        "session_id": "s1", "transcript_path": "", "hook_event_name": event, "cwd": cwd, "source": "startup", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": "t1",
    });
    all.to_string().into_bytes()
}

/// A program that leaves a mark in the home directory.
fn trap(path: &Path, then: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    place_program(path, &format!("#!/bin/sh\n/usr/bin/touch \"$HOME/mark\"\n{then}\n"));
}

// --- programs of the machine -----------------------------------------------------------------------------------------------

/// A clone that is a repository with `bin/git` in it, one with a repository in `sub` and another in `bare.git`, with linked trees in it
/// and beside it; and another repository of the user's.
fn cloned() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"guardrails\"]\n");
    let (clone, other, home) = (sandbox.project(), sandbox.home().join("other"), sandbox.home());
    std::fs::create_dir_all(clone.join("sub")).unwrap();
    std::fs::create_dir_all(&other).unwrap();
    for dir in [&clone, &clone.join("sub"), &other] {
        sandbox.git(dir, &["init", "-q", "-b", "main"]);
        sandbox.git(dir, &["commit", "-q", "--allow-empty", "-m", "first"]);
    }
    sandbox.git(&clone, &["init", "-q", "--bare", "bare.git"]);
    sandbox.git(&clone, &["worktree", "add", "-q", ".claude/worktrees/x"]);
    sandbox.git(&clone, &["worktree", "add", "-q", home.join("tree").to_str().unwrap()]);
    trap(&clone.join("bin/git"), "exec /usr/bin/git \"$@\"");
    std::os::unix::fs::symlink(clone.join("bin"), home.join("link")).unwrap();
    sandbox
}

fn in_dir(sandbox: &Sandbox, cwd: &Path, path: &str, event: &str, line: &str) -> Ran {
    let mut command = sandbox.command(&["hook", event]);
    command.env("CLAUDE_PROJECT_DIR", cwd).env("PATH", format!("{path}:{SYSTEM}")).current_dir(cwd);
    run(command, &payload(cwd, event, line))
}

/// Where the host is, from the clone or from the home directory, and what it asks: a command, or else the beginning of a session.
const SCENES: &[(&str, &str)] = &[
    ("project", ""),
    ("project", "git -C ../other commit -m x"),
    ("project", "cd ../other && git commit -m x"),
    ("project", "git -C bare.git commit -m x"),
    ("project", "git -C sub commit -m x"),
    ("project/sub", ""),
    ("project/sub", "git commit -m x"),
    ("project/sub", "git -C ../../other commit -m x"),
    ("project/.claude/worktrees/x", ""),
    ("project/.claude/worktrees/x", "git commit -m x"),
    ("tree", ""),
    ("tree", "git -C ../other commit -m x"),
];

#[test]
fn git_is_no_program_of_a_clone_whatever_is_asked_from_where() {
    let sandbox = cloned();
    let home = sandbox.home();
    let named = |name: &str| home.join(name).display().to_string();
    let moving = "/usr/../proc/self/cwd/bin".to_owned();
    let paths = [named("project/bin"), named("link"), named("other/../project/sub/../bin"), moving];
    for (cwd, line) in SCENES {
        for path in &paths {
            let event = if line.is_empty() { "SessionStart" } else { "PreToolUse" };
            let ran = in_dir(&sandbox, &home.join(cwd), path, event, line);
            assert!(!home.join("mark").exists(), "{cwd} {line:?} {path}: {ran:?}");
            if line.is_empty() {
                assert!(ran.context().contains("Git: "), "{cwd} {path}: {ran:?}");
            }
        }
        // Nor is it one of any other repository that lies beside it.
        if line.is_empty() {
            trap(&home.join("other/bin/git"), "exec /usr/bin/git \"$@\"");
            in_dir(&sandbox, &home.join(cwd), &named("other/bin"), "SessionStart", line);
            assert!(!home.join("mark").exists(), "{cwd}");
            std::fs::remove_dir_all(home.join("other/bin")).unwrap();
        }
        // A directory of the user's own counts, or nothing would be shown by this.
        trap(&home.join("tools/git"), "exec /usr/bin/git \"$@\"");
        if line.is_empty() {
            in_dir(&sandbox, &home.join(cwd), &named("tools"), "SessionStart", line);
            assert!(home.join("mark").exists(), "{cwd}");
            std::fs::remove_file(home.join("mark")).unwrap();
        }
    }
}

/// An archive whose marks lie in a directory of it, or nowhere: where the session is, in the home directory.
const UNMARKED: &[(&str, Option<&str>)] = &[
    ("got/archive/sub", Some(".git")),
    ("got/archive/sub", Some(".claude")),
    ("got/archive/sub/deep", None),
    ("got/sub", None),
    (".cache/archive/sub", Some(".git")),
];

#[test]
fn git_is_no_program_of_an_archive_whose_top_bears_no_mark() {
    for (cwd, mark) in UNMARKED {
        let sandbox = Sandbox::new();
        sandbox.write_own("profile = [\"guardrails\"]\n");
        let cwd = sandbox.home().join(cwd);
        std::fs::create_dir_all(&cwd).unwrap();
        if *mark == Some(".claude") {
            std::fs::create_dir(cwd.join(".claude")).unwrap();
        }
        if *mark == Some(".git") {
            sandbox.git(&cwd, &["init", "-q"]);
        }
        let other = sandbox.home().join("other");
        std::fs::create_dir_all(&other).unwrap();
        sandbox.git(&other, &["init", "-q"]);
        let bin = cwd.parent().unwrap().join("bin");
        trap(&bin.join("git"), "exec /usr/bin/git \"$@\"");
        let line = format!("git -C {} commit -m x", other.display());
        let mark = sandbox.home().join("mark");
        for (event, line) in [("SessionStart", ""), ("PreToolUse", line.as_str())] {
            let ran = in_dir(&sandbox, &cwd, bin.to_str().unwrap(), event, line);
            assert!(!mark.exists(), "{} {event}: {ran:?}", cwd.display());
        }
        // The user's own tools lie elsewhere at home.
        for own in [".cargo/bin", ".local/bin", ".nvm/versions/node/v22/bin", "bin"] {
            let own = sandbox.home().join(own);
            trap(&own.join("git"), "exec /usr/bin/git \"$@\"");
            in_dir(&sandbox, &other, own.to_str().unwrap(), "SessionStart", "");
            assert!(mark.exists(), "{}", own.display());
            std::fs::remove_file(&mark).unwrap();
        }
    }
}

#[test]
fn what_sends_records_is_no_program_of_a_clone() {
    let sandbox = cloned();
    trap(&sandbox.path("bin/hookbin-sync"), "exit 0");
    let program = sandbox.home().join("own/hookbin");
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &program).unwrap();
    sandbox.note_environment("HOOKBIN_REGISTRY_URL\n");
    for cwd in ["project", "project/sub", "project/.claude/worktrees/x", "tree"] {
        let mut command = Command::new(&program);
        command.arg("sync").env_clear().env("HOME", sandbox.home()).env("HOOKBIN_REGISTRY_URL", "postgres://own");
        command.env("PATH", sandbox.path("bin")).current_dir(sandbox.home().join(cwd));
        let ran = run_as_it_is(command, b"");
        assert!(!sandbox.home().join("mark").exists() && ran.code == Some(70), "{cwd}: {ran:?}");
    }
}

// --- the home directory -------------------------------------------------------------------------------------------------------

/// An account that nobody lists, so that there is no other home directory than the one that is named.
const NOBODY: u32 = 54_321;

/// A configuration with which nothing is refused.
const OFF: &str = "[change.guard]\nenabled = false\n";

fn give_away(dir: &Path) {
    let mut command = Command::new("/bin/chown");
    command.args(["-Rh", &format!("{NOBODY}:{NOBODY}")]).arg(dir);
    assert_eq!(run(command, b"").code, Some(0));
}

#[test]
fn no_dir_of_a_clone_is_a_home_dir() {
    if std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) != 0 {
        return;
    }
    let sandbox = cloned();
    for home in ["project/h", "project", "home"] {
        let file = sandbox.home().join(home).join(".config/hookbin/hookbin.toml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, OFF).unwrap();
    }
    std::os::unix::fs::symlink(sandbox.project(), sandbox.home().join("above")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("h"), sandbox.home().join("h")).unwrap();
    let in_project = sandbox.path(".claude/hookbin/hookbin");
    let elsewhere = sandbox.home().join("elsewhere/program");
    for program in [&in_project, &elsewhere] {
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), program).unwrap();
    }
    // The other account comes to all of it.
    let root = sandbox.home().parent().unwrap().to_owned();
    std::fs::set_permissions(&root, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    give_away(&root);
    let asked = |program: &Path, cwd: &str, home: &Path| {
        let cwd = sandbox.home().join(cwd);
        let mut command = Command::new(program);
        command.args(["hook", "PreToolUse"]).env_clear().env("HOME", home).env("CLAUDE_PROJECT_DIR", &cwd);
        command.current_dir(&cwd).uid(NOBODY).gid(NOBODY);
        run_as_it_is(command, &payload(&cwd, "PreToolUse", "rm -rf /etc"))
    };
    let homes = ["project", "project/h", "above/h", "h", "other/../project/h"];
    for program in [&in_project, &elsewhere] {
        for cwd in ["project", "project/sub", "project/.claude/worktrees/x", "tree", "other"] {
            for home in homes {
                let ran = asked(program, cwd, &sandbox.home().join(home));
                assert_eq!(ran.decision().as_deref(), Some("deny"), "{cwd} HOME={home}: {ran:?}");
            }
            assert!(!sandbox.path("h/.local").exists(), "{cwd}: nothing is kept there");
            // One that is not there is not made.
            let gone = root.join("gone");
            let ran = asked(program, cwd, &gone);
            assert!(ran.decision().as_deref() == Some("deny") && !gone.exists(), "{cwd}: {ran:?}");
            // The user's own counts.
            let ran = asked(program, cwd, &sandbox.home().join("home"));
            assert_eq!(ran.decision().as_deref(), None, "{cwd}: {ran:?}");
        }
    }
}

// --- records ---------------------------------------------------------------------------------------------------------------

/// Commands that show what was recorded.
const SHOWING: &[&[&str]] =
    &[&["log", "tail"], &["log", "stats"], &["log", "verify"], &["status"], &["report"], &["state", "show", "s1"]];

#[test]
fn records_that_a_clone_brings_are_shown_as_nobodys() {
    // What a session leaves in a project, under a name that is found again.
    let forger = Sandbox::with_profile("standard");
    forger.hook(&["PreToolUse"], &payload(&forger.project(), "PreToolUse", "rm -rf /forged"));
    let clone = Sandbox::new();
    assert_eq!(clone.cli(&["install", "--user", "--profile", "standard"]).code, Some(0));
    let copied: Vec<PathBuf> = tree(&forger.project());
    assert!(copied.iter().any(|path| path.ends_with("audit.jsonl")), "{copied:?}");
    for path in copied {
        let there = clone.project().join(path.strip_prefix(forger.project()).unwrap());
        std::fs::create_dir_all(there.parent().unwrap()).unwrap();
        std::fs::copy(path, there).unwrap();
    }
    clone.write(".claude/hookbin/hookbin", "");
    clone.distrust();
    let program = clone.home().join(".local/share/hookbin/hookbin");
    let shown = |args: &[&str]| {
        let mut command = Command::new(&program);
        command.args(args).env_clear().env("HOME", clone.home()).current_dir(clone.project());
        run_as_it_is(command, b"")
    };
    for visited in [false, true] {
        for args in SHOWING {
            let ran = shown(args);
            let all = ran.stdout.clone() + &ran.stderr;
            assert!(!all.contains("forged"), "{visited} {args:?}: {ran:?}");
        }
        let ran = shown(&["log", "stats"]);
        assert!(!ran.stdout.contains("deny"), "{visited}: {ran:?}");
        // The same after the user's own entry has recorded something.
        let mut command = Command::new(&program);
        command.args(["hook", "PreToolUse", "--user"]).env_clear().env("HOME", clone.home());
        command.current_dir(clone.project());
        run_as_it_is(command, &payload(&clone.project(), "PreToolUse", "ls"));
    }
    assert!(shown(&["log", "tail"]).stdout.contains("ls"), "their own are shown");
}

// --- directories on the way to what the user says ----------------------------------------------------------------------------

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

fn decision(sandbox: &Sandbox) -> Ran {
    sandbox.hook(&["PreToolUse"], &payload(&sandbox.project(), "PreToolUse", "rm -rf /etc"))
}

/// Where the user's file lies, and the directory that others may change: below the home directory, or around it for a file elsewhere.
const WAYS: &[(&str, &str)] = &[
    ("home/.config/hookbin", "home/.config/hookbin"),
    ("home/.config/hookbin", "home/.config"),
    ("home/.config/hookbin", "home"),
    ("home/dotfiles/hookbin", "home/dotfiles"),
    ("elsewhere/files/hookbin", "elsewhere/files"),
    ("elsewhere/files/hookbin", "elsewhere"),
];

/// A user whose file lies in that directory, by a link where it is none of the usual place.
fn with_file_in(dir: &str) -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let root = sandbox.home().parent().unwrap().to_owned();
    let usual = sandbox.home().join(".config/hookbin");
    for dir in [&root.join(dir), &usual] {
        std::fs::create_dir_all(dir).unwrap();
    }
    let file = root.join(dir).join("hookbin.toml");
    std::fs::write(&file, OFF).unwrap();
    if !usual.join("hookbin.toml").exists() {
        std::os::unix::fs::symlink(file, usual.join("hookbin.toml")).unwrap();
    }
    (sandbox, root)
}

#[test]
fn a_file_counts_where_every_dir_on_the_way_is_the_persons() {
    for (dir, open) in WAYS {
        // World-writable directories; a sticky one only lets nobody else take the file away.
        for bad in [0o777, 0o1777] {
            let (sandbox, root) = with_file_in(dir);
            mode(&root.join(open), bad);
            let ran = decision(&sandbox);
            // In a sticky directory of the system a directory of the user's own is theirs.
            let is_excused = bad == 0o1777 && !dir.ends_with(open);
            assert_eq!(ran.decision().as_deref(), (!is_excused).then_some("deny"), "{dir} {open} {bad:o}: {ran:?}");
            // It is said by its name, and mended as it is said.
            if !is_excused {
                let told = sandbox.cli(&["config", "check"]);
                let all = told.stdout + &told.stderr;
                assert!(all.contains("others may put another in its place"), "{dir} {open}: {all}");
                mode(&root.join(open), 0o755);
                let ran = decision(&sandbox);
                assert_eq!(ran.decision(), None, "{dir} {open}: {ran:?}");
            }
        }
    }
}

#[test]
fn a_dir_of_another_account_on_the_way_takes_what_it_says() {
    if std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) != 0 {
        return;
    }
    for (dir, others) in WAYS.iter().filter(|(_, others)| *others != "home") {
        let (sandbox, root) = with_file_in(dir);
        std::os::unix::fs::chown(root.join(others), Some(NOBODY), Some(NOBODY)).unwrap();
        let ran = decision(&sandbox);
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{dir} {others}: {ran:?}");
    }
}

#[test]
fn a_record_of_trust_counts_where_every_dir_on_the_way_is_the_persons() {
    for open in [".local/state/hookbin/trusted", ".local/state/hookbin", ".local/state", ".local", ""] {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/hookbin.toml", OFF);
        assert_eq!(decision(&sandbox).decision(), None);
        std::fs::remove_file(sandbox.compiled()).unwrap();
        let dir = sandbox.home().join(open);
        let before = std::fs::metadata(&dir).unwrap().permissions();
        mode(&dir, 0o777);
        assert_eq!(decision(&sandbox).decision().as_deref(), Some("deny"), "{open}");
        let mut trust = sandbox.command(&["trust"]);
        trust.env("HOOKBIN_UNATTENDED", "1").env_remove("CLAUDE_PROJECT_DIR");
        let ran = run_as_it_is(trust, b"");
        assert!(ran.code != Some(0) && ran.stderr.contains("would not count"), "{open}: {ran:?}");
        std::fs::set_permissions(&dir, before).unwrap();
        assert_eq!(decision(&sandbox).decision(), None, "{open}: mended");
    }
}
