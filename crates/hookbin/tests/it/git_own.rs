//! What a repository's own settings make of a harmless command of git: an archive brings them like any other file.

use serde_json::json;

use crate::sandbox::Sandbox;

fn decided(sandbox: &Sandbox, command: &str) -> String {
    let payload = json!({
        "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": sandbox.project(), "tool_name": "Bash",
        "tool_input": {"command": command}, "permission_mode": "default", "tool_use_id": "t1",
    });
    let ran = sandbox.hook(&["PreToolUse"], payload.to_string().as_bytes());
    ran.decision().unwrap_or_else(|| "none".to_owned())
}

/// A project with these files in its repository's directory, behind what git puts there.
fn brought(files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write_own("profile = \"standard\"\n");
    sandbox.write(".claude/hookbin.toml", "");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    for (name, text) in files {
        let path = sandbox.path(".git").join(name);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(path, before + text).unwrap();
    }
    sandbox
}

/// Settings, a command, and what becomes of it.
const CASES: &[(&str, &str, &str)] = &[
    // A working tree elsewhere.
    ("[core]\n\tworktree = ../..\n", "git checkout main", "ask"),
    ("[core]\n\tworktree = ../..\n", "git pull", "ask"),
    ("[core]\n\tworktree = ../..\n", "git stash", "ask"),
    ("[core]\n\tworktree = ../..\n", "git rm -r x", "ask"),
    ("[core]\n\tworktree = ../..\n", "git apply x", "ask"),
    ("[core]\n\tworktree = ../..\n", "git status", "none"),
    ("[core]\n\tworktree = ..\n", "git checkout main", "none"),
    // What a push does.
    ("[remote \"origin\"]\n\tmirror = true\n", "git push", "deny"),
    ("[remote \"origin\"]\n\tmirror\n", "git push origin", "deny"),
    ("[remote \"origin\"]\n\tpush = +refs/heads/*:refs/heads/*\n", "git push", "deny"),
    ("[remote \"origin\"]\n\tpush = :refs/heads/main\n", "git push", "deny"),
    ("[REMOTE \"origin\"] push = +a:a\n", "git push origin", "deny"),
    ("[remote \"origin\"]\n\tmirror = false\n", "git push", "none"),
    ("[remote \"other\"]\n\tmirror = true\n", "git push origin", "none"),
    ("[remote \"origin\"]\n\tpush = refs/heads/x:refs/heads/x\n", "git push", "none"),
    ("[remote \"origin\"]\n\tpush = +a:a\n", "git push origin x", "none"),
    // What is run.
    ("[core]\n\tfsmonitor = rm -rf ~\n", "git status", "deny"),
    ("[core]\n\tsshCommand = \"sh -c 'rm -rf ~'\"\n", "git fetch", "deny"),
    ("[filter \"x\"]\n\tclean = \"rm -rf ~; cat\"\n", "git add .", "deny"),
    ("[diff \"x\"]\n\tcommand = rm -rf ~/\n", "git diff", "deny"),
    ("[alias]\n\txx = \"!rm -rf ~\"\n", "git xx", "deny"),
    ("[core]\n\tfsmonitor = true\n\tpager = less -R\n\teditor = code --wait\n", "git status", "none"),
    ("[filter \"lfs\"]\n\tprocess = git-lfs filter-process\n", "git add .", "none"),
    ("[filter \"n\"]\n\tclean = \"\\\"/opt/venv/bin/python\\\" -m nbstripout\"\n", "git add .", "none"),
    ("[credential]\n\thelper = !gh auth git-credential\n", "git fetch", "none"),
    ("[core]\n\tfsmonitor = rm -rf ~\n", "git --version", "none"),
];

#[test]
fn a_harmless_command_is_judged_as_what_the_repositorys_settings_make_of_it() {
    for (settings, command, expected) in CASES {
        assert_eq!(decided(&brought(&[("config", settings)]), command), *expected, "{settings}: {command}");
    }
    // From elsewhere, and by another name of the directory.
    let sandbox = brought(&[]);
    let dir = sandbox.path("un/packed");
    std::fs::create_dir_all(&dir).unwrap();
    sandbox.git(&dir, &["init", "-q", "-b", "main"]);
    std::fs::write(dir.join(".git/config"), "[remote \"origin\"]\n\tmirror = true\n").unwrap();
    for command in ["git -C un/packed push", "cd un/packed && git push", "git --git-dir=un/packed/.git push"] {
        assert_eq!(decided(&sandbox, command), "deny", "{command}");
    }
    assert_eq!(decided(&sandbox, "git push"), "none");
}

#[test]
fn files_that_the_settings_include_count_as_well() {
    for include in ["[include]\n\tpath = more\n", "[includeIf \"gitdir:/\"]\n\tpath = more\n"] {
        let sandbox = brought(&[("config", include), ("more", "[remote \"origin\"]\n\tmirror = true\n")]);
        assert_eq!(decided(&sandbox, "git push"), "deny", "{include}");
    }
    let sandbox = brought(&[("config.worktree", "[remote \"origin\"]\n\tmirror = true\n")]);
    assert_eq!(decided(&sandbox, "git push"), "deny");
    // Settings that are too large to be read may say anything.
    let large = format!("[x]\n\ty = {}\n", "z".repeat(2 << 20));
    assert_eq!(decided(&brought(&[("config", &large)]), "git push"), "ask");
    // One that includes itself ends.
    let sandbox = brought(&[("config", "[include]\n\tpath = config\n")]);
    assert_ne!(decided(&sandbox, "git push"), "deny");
}

/// A linked working tree and a submodule are where their repository says.
#[test]
fn working_trees_that_git_made_are_no_others() {
    let sandbox = brought(&[]);
    let project = sandbox.project();
    let source = sandbox.home().join("source");
    std::fs::create_dir_all(&source).unwrap();
    sandbox.git(&source, &["init", "-q"]);
    for dir in [&project, &source] {
        sandbox.git(dir, &["commit", "-q", "--allow-empty", "-m", "first"]);
    }
    sandbox.git(&project, &["submodule", "--quiet", "add", source.to_str().unwrap(), "part"]);
    sandbox.git(&project, &["worktree", "add", "-q", "tree"]);
    for command in ["git -C part checkout main", "git -C part stash", "git -C tree checkout x", "cd tree && git stash"]
    {
        assert_eq!(decided(&sandbox, command), "none", "{command}");
    }
}
