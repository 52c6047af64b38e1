//! Programs of the project that something else was put in the place of, and projects that cannot be looked through.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::{SYSTEM, linted, payload, starts, trust_again, wrote};
use crate::sandbox::{Ran, Sandbox, run_as_it_is};

const ENV: [(&str, &str); 1] = [("PATH", SYSTEM)];

/// A session has begun, and then a source file is written. What the linter said, and whether it ran.
fn written(sandbox: &Sandbox, session: &str) -> (Ran, bool) {
    let _ = std::fs::remove_file(sandbox.path("ran"));
    let ran = wrote(sandbox, session, "a.py", "# Sums.\n", &ENV);
    (ran, sandbox.path("ran").exists())
}

/// A project with a linter that is not in its place, and a session that has begun.
fn aside(tracked: bool) -> Sandbox {
    let sandbox = linted();
    std::fs::create_dir(sandbox.path("tools")).unwrap();
    std::fs::rename(sandbox.path(".venv"), sandbox.path("tools/venv")).unwrap();
    sandbox.git(&sandbox.project(), &["init", "-q"]);
    if tracked {
        sandbox.git(&sandbox.project(), &["add", "-f", "tools"]);
    }
    starts(&sandbox, "s1", &ENV);
    assert!(!written(&sandbox, "s1").1);
    sandbox
}

/// Ways to bring it into its place, with what has changed by that.
type Way = (&'static str, fn(&Sandbox));

const WAYS: &[Way] = &[
    (".venv", |sandbox| symlink("tools/venv", sandbox.path(".venv")).unwrap()),
    (".venv", |sandbox| std::fs::rename(sandbox.path("tools/venv"), sandbox.path(".venv")).unwrap()),
    (".venv", |sandbox| {
        std::fs::create_dir(sandbox.path(".venv")).unwrap();
        std::fs::rename(sandbox.path("tools/venv/bin"), sandbox.path(".venv/bin")).unwrap();
    }),
    (".venv", |sandbox| {
        std::fs::create_dir(sandbox.path(".venv")).unwrap();
        symlink("../tools/venv/bin", sandbox.path(".venv/bin")).unwrap();
    }),
    (".venv", |sandbox| {
        symlink("tools/venv", sandbox.path("between")).unwrap();
        symlink("between", sandbox.path(".venv")).unwrap();
    }),
];

#[test]
fn what_is_moved_into_the_place_of_a_program_has_changed() {
    for (number, (changed, way)) in WAYS.iter().enumerate() {
        for tracked in [true, false] {
            let sandbox = aside(tracked);
            way(&sandbox);
            let (told, has_run) = written(&sandbox, "s1");
            assert!(!has_run, "{number} {tracked}: {told:?}");
            assert!(tracked || told.stdout.contains(&format!("a session changed {changed}")), "{number}: {told:?}");
        }
    }
}

#[test]
fn what_git_tracks_is_none_of_the_projects_own_by_any_link() {
    let sandbox = aside(true);
    symlink("tools/venv", sandbox.path(".venv")).unwrap();
    // The user has looked after it.
    trust_again(&sandbox);
    starts(&sandbox, "s2", &ENV);
    assert!(!written(&sandbox, "s2").1);
    // What a machine has installed elsewhere, and a link leads to, is the project's own as before.
    let sandbox = aside(false);
    symlink("tools/venv", sandbox.path(".venv")).unwrap();
    trust_again(&sandbox);
    starts(&sandbox, "s2", &ENV);
    assert!(written(&sandbox, "s2").1);
}

#[test]
fn what_cannot_be_looked_through_is_not_passed() {
    let deep = format!("{}conftest.py", "d/".repeat(20));
    for (file, why) in [
        (deep.as_str(), "directories deep"),
        (".config/tests/conftest.py", "a session changed .config/tests/conftest.py"),
        ("a/b/c/d/e/f/g/conftest.py", "a session changed a/b/c/d/e/f/g/conftest.py"),
    ] {
        let sandbox = linted();
        starts(&sandbox, "s1", &ENV);
        assert!(written(&sandbox, "s1").1);
        sandbox.write(file, "import os\n");
        let (told, has_run) = written(&sandbox, "s1");
        assert!(!has_run && told.stdout.contains(why), "{file}: {told:?}");
    }
    // A name that is no text.
    let sandbox = linted();
    starts(&sandbox, "s1", &ENV);
    let dir = sandbox.project().join(std::os::unix::ffi::OsStrExt::from_bytes(b"t\xff") as &std::ffi::OsStr);
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("conftest.py"), "").unwrap();
    assert!(!written(&sandbox, "s1").1);
}

#[test]
fn what_builds_and_other_sessions_leave_bars_nothing() {
    let sandbox = linted();
    starts(&sandbox, "s1", &ENV);
    for file in [
        ".git/hooks/setup.py", ".next/package.json", ".tox/py/pyvenv.cfg", ".claude/worktrees/x/conftest.py",
        "build/setup.py", ".github/notes.md",
    ] {
        sandbox.write(file, "\n");
    }
    let (told, has_run) = written(&sandbox, "s1");
    assert!(has_run, "{told:?}");
}

#[test]
fn programs_are_trusted_in_the_dir_that_the_person_saw() {
    let sandbox = linted();
    sandbox.distrust();
    let mut trust = sandbox.command(&["trust"]);
    trust.env("HOOKBIN_UNATTENDED", "1").env_remove("CLAUDE_PROJECT_DIR");
    let ran = run_as_it_is(trust, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(written(&sandbox, "s1").1);
    // Another clone under its path, with the same content.
    let kept = sandbox.home().join("kept");
    std::fs::rename(sandbox.project(), &kept).unwrap();
    std::fs::create_dir(sandbox.project()).unwrap();
    for file in ["pyproject.toml", ".claude/hookbin.toml"] {
        let record = std::fs::read(sandbox.record_of_trust()).unwrap();
        sandbox.write(file, &std::fs::read_to_string(kept.join(file)).unwrap());
        std::fs::write(sandbox.record_of_trust(), record).unwrap();
    }
    sandbox.program(".venv/bin/ruff", "echo evil >> ran");
    let (told, has_run) = written(&sandbox, "s2");
    assert!(!has_run && told.stdout.contains("hookbin trust"), "{told:?}");
    // The one that they saw, back in its place.
    std::fs::remove_dir_all(sandbox.project()).unwrap();
    std::fs::rename(&kept, sandbox.project()).unwrap();
    assert!(written(&sandbox, "s3").1);
}

/// Another party's repository in a directory that the user trusts: nothing of it runs until they trust it as well. A linked tree and a
/// submodule are the project's.
#[test]
fn a_repository_in_a_trusted_dir_is_trusted_by_itself() {
    let sandbox = linted();
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q", "-b", "main"]);
    sandbox.git(&project, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let source = sandbox.home().join("source");
    std::fs::create_dir_all(&source).unwrap();
    sandbox.git(&source, &["init", "-q"]);
    sandbox.git(&source, &["commit", "-q", "--allow-empty", "-m", "first"]);
    sandbox.git(&project, &["submodule", "--quiet", "add", source.to_str().unwrap(), "part"]);
    sandbox.git(&project, &["worktree", "add", "-q", ".claude/worktrees/x"]);
    sandbox.git(&project, &["clone", "-q", source.to_str().unwrap(), "party"]);
    // Before any session: a file's clock is coarse, and what is written right after one may seem to be of it.
    for dir in ["part", ".", "party"] {
        sandbox.write(&format!("{dir}/pyproject.toml"), "[tool.ruff]\n");
        sandbox.program(&format!("{dir}/.venv/bin/ruff"), "echo ran >> ran");
    }
    let lints = |dir: &str, session: &str| {
        let mark = sandbox.path(&format!("{dir}/ran"));
        let ran = wrote(&sandbox, session, &format!("{dir}/a.py"), "# Sums.\n", &[("PATH", SYSTEM)]);
        (mark.exists() || sandbox.path("ran").exists(), ran)
    };
    for dir in ["part", "."] {
        let (has_run, ran) = lints(dir, dir);
        assert!(has_run, "{dir}: {ran:?}");
        let _ = std::fs::remove_file(sandbox.path("ran"));
        let ends = payload(dir, "SessionEnd", &json!({"reason": "other"}));
        sandbox.hook_with(&["SessionEnd"], &ends, &ENV);
    }
    let (has_run, ran) = lints("party", "s3");
    assert!(!has_run && ran.stdout.contains("hookbin trust"), "{ran:?}");
}
