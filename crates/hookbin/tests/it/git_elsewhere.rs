//! A clone whose `.git` leads into another repository: nothing of that one is shown, and it becomes no directory to work in.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, tree};

/// The subject of a commit of the user's other repository, its branch, and the first line of a file of theirs.
const SUBJECT: &str = "only-the-person-knows-this";
const BRANCH: &str = "unheard-of-branch";
const SECRET: &str = "/key-of-the-person";

/// The user's other repository, with a linked tree, beside a stranger's directory.
fn beside() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_own("profile = [\"guardrails\"]\n");
    let other = sandbox.home().join("other");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(sandbox.home().join("secret"), format!("{SECRET}/.git\n")).unwrap();
    sandbox.git(&other, &["init", "-q", "-b", BRANCH]);
    sandbox.git(&other, &["commit", "-q", "--allow-empty", "-m", SUBJECT]);
    sandbox.git(&other, &["worktree", "add", "-q", "--detach", "../linked"]);
    sandbox
}

/// The directory is a repository of its own.
fn own(sandbox: &Sandbox) {
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "--allow-empty", "-m", "first"]);
}

fn link(sandbox: &Sandbox, name: &str, target: &Path) {
    let place = sandbox.path(name);
    let _ = std::fs::remove_file(&place);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    symlink(target, place).unwrap();
}

type Lead = fn(&Sandbox);

/// Ways to lead elsewhere.
const LEADS: &[(&str, Lead)] = &[
    ("a file names the other repository", |it| it.write(".git", &format!("gitdir: {}\n", other(it, "")))),
    ("a relative one", |it| it.write(".git", "gitdir: ../other/.git\n")),
    ("one that git alone understands", |it| it.write(".git", "gitdir: ../other/.git\0\u{1}")),
    ("one that names a linked tree", |it| it.write(".git", &format!("gitdir: {}\n", other(it, "/worktrees/linked")))),
    ("a link", |it| link(it, ".git", Path::new("../other/.git"))),
    ("a link through a file of its own", |it| {
        it.write("dot", "gitdir: ../other/.git\n");
        link(it, ".git", Path::new("dot"));
    }),
    ("shared files of the other", |it| {
        own(it);
        it.write(".git/commondir", &other(it, ""));
        it.write(".git/HEAD", &format!("ref: refs/heads/{BRANCH}\n"));
    }),
    ("a tree that names itself alone", |it| {
        it.write("tree/commondir", &other(it, ""));
        it.write("tree/gitdir", it.path(".git").to_str().unwrap());
        it.write("tree/HEAD", &format!("ref: refs/heads/{BRANCH}\n"));
        it.write(".git", "gitdir: tree\n");
    }),
    ("links of the head and the commits", |it| {
        own(it);
        for name in ["HEAD", "refs", "objects"] {
            link(it, &format!(".git/{name}"), Path::new(&other(it, &format!("/{name}"))));
        }
    }),
    ("a branch that is a link, and a list of further commits", |it| {
        own(it);
        it.write(".git/objects/info/alternates", &other(it, "/objects"));
        link(it, ".git/refs/heads/main", Path::new(&other(it, &format!("/refs/heads/{BRANCH}"))));
    }),
    ("the id of a commit, and a list of further commits", |it| {
        own(it);
        it.write(".git/objects/info/alternates", &other(it, "/objects"));
        let id = std::fs::read_to_string(other(it, &format!("/refs/heads/{BRANCH}"))).unwrap();
        it.write(".git/refs/heads/main", &id);
    }),
    ("packed branches that are a link", |it| {
        own(it);
        it.git(&it.home().join("other"), &["pack-refs", "--all"]);
        link(it, ".git/packed-refs", Path::new(&other(it, "/packed-refs")));
        link(it, ".git/objects", Path::new(&other(it, "/objects")));
        it.write(".git/HEAD", &format!("ref: refs/heads/{BRANCH}\n"));
    }),
    ("a list of trees in which a file is a link", |it| {
        own(it);
        it.git(&it.project(), &["worktree", "add", "-q", "../mine"]);
        link(it, ".git/worktrees/mine/gitdir", &it.home().join("secret"));
    }),
    ("a list of trees that says anything", |it| {
        own(it);
        it.git(&it.project(), &["worktree", "add", "-q", "../mine"]);
        it.write(".git/worktrees/mine/gitdir", &format!("{SECRET}/.git\n"));
    }),
    ("a list of trees with a directory that is none of them", |it| {
        own(it);
        it.write(".git/worktrees/evil/gitdir", &format!("{}{SECRET}/.git\n", it.home().display()));
        it.write(".git/worktrees/evil/HEAD", "ref: refs/heads/x\n");
        it.write(".git/worktrees/evil/commondir", "../..\n");
        std::fs::create_dir_all(it.home().join("key-of-the-person/.git")).unwrap();
    }),
];

/// A path in the directory of the other repository.
fn other(sandbox: &Sandbox, inside: &str) -> String {
    format!("{}/.git{inside}", sandbox.home().join("other").display())
}

fn event(sandbox: &Sandbox, cwd: &Path, name: &str, more: &Value) -> Ran {
    let mut all = json!({"session_id": "s1", "transcript_path": "", "hook_event_name": name, "cwd": cwd});
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut command = sandbox.command(&["hook", name]);
    command.env("CLAUDE_PROJECT_DIR", cwd).env("PATH", "/usr/bin:/bin").current_dir(cwd);
    crate::sandbox::run(command, all.to_string().as_bytes())
}

/// What a session in a directory is told, and what is kept of it for the next one.
fn told(sandbox: &Sandbox, cwd: &Path) -> String {
    let mut told = String::new();
    for (name, more) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "Go on with the plan."})),
        ("PreCompact", json!({"trigger": "manual", "custom_instructions": ""})),
        ("SubagentStart", json!({"agent_id": "a", "agent_type": "general-purpose"})),
        ("SessionStart", json!({"source": "compact"})),
        ("SessionEnd", json!({"reason": "other"})),
    ] {
        told += &format!("{:?}", event(sandbox, cwd, name, &more));
    }
    for path in tree(&cwd.join(".claude")) {
        told += &String::from_utf8_lossy(&std::fs::read(path).unwrap());
    }
    told
}

#[test]
fn nothing_of_another_repository_is_shown() {
    for (how, lead) in LEADS {
        let sandbox = beside();
        lead(&sandbox);
        let told = told(&sandbox, &sandbox.project());
        for secret in [SUBJECT, BRANCH, SECRET] {
            assert!(!told.contains(secret), "{how}: {secret}: {told}");
        }
    }
}

/// Its own, a linked tree, a submodule, and directories that lie elsewhere where the user trusts them.
#[test]
fn what_agrees_or_is_trusted_is_shown_as_ever() {
    let sandbox = beside();
    own(&sandbox);
    let (project, other) = (sandbox.project(), sandbox.home().join("other"));
    sandbox.git(&project, &["submodule", "--quiet", "add", other.to_str().unwrap(), "sub"]);
    sandbox.git(&project, &["commit", "-q", "-m", "sub"]);
    sandbox.git(&project, &["worktree", "add", "-q", "../tree"]);
    let linked = sandbox.home().join("tree");
    sandbox.git(&linked, &["submodule", "--quiet", "update", "--init"]);
    let shown = |dir: &Path, what: &str| {
        let told = told(&sandbox, dir);
        assert!(told.contains("Git: ") && told.contains(what), "{}: {what}: {told}", dir.display());
    };
    shown(&project, "sub");
    shown(&linked, "sub");
    shown(&project.join("sub"), SUBJECT);
    shown(&linked.join("sub"), SUBJECT);
    shown(&sandbox.home().join("linked"), SUBJECT);
    for lead in [0, 4, 10] {
        let sandbox = beside();
        LEADS[lead].1(&sandbox);
        sandbox.trust();
        let told = told(&sandbox, &sandbox.project());
        assert!(told.contains(SUBJECT), "{}: {told}", LEADS[lead].0);
    }
}

#[test]
fn another_repository_becomes_no_dir_to_work_in() {
    for (how, lead) in LEADS {
        let sandbox = beside();
        lead(&sandbox);
        for dir in ["other", "linked"] {
            std::fs::create_dir_all(sandbox.home().join(dir).join("build")).unwrap();
            let line = json!({"tool_name": "Bash", "tool_input": {"command": format!("rm -rf ../{dir}/build")}});
            let ran = event(&sandbox, &sandbox.project(), "PreToolUse", &line);
            assert_eq!(ran.decision().as_deref(), Some("deny"), "{how}: {dir}: {ran:?}");
        }
    }
}

// --- settings --------------------------------------------------------------------------------------------------------------

/// Texts of a settings file in odd forms. Each alias of theirs, as git itself reads the text, removes the system or is a plain `status`.
const SETTINGS: &[&str] = &[
    "[alias]\n\ta = !rm -rf /\n",
    "\u{feff}[alias]\na = !rm -rf /\n",
    "[alias] a = !rm -rf /\n\tb = status",
    "[core] [alias]a=!rm -rf /\n",
    "[core] bare = false [alias] a = !rm -rf /\n",
    "[ALIAS]\nAbc = !rm -rf /\n",
    "[alias]\r\na = !rm -rf /\r\nb = status\r\n",
    "[alias]\n# a comment \\\na = !rm -rf /\n",
    "[alias]\nb = status ; a comment \\\na = !rm -rf /\n",
    "[alias]\nb = status # a = !rm -rf /\n",
    "[alias]\na = !rm \\\n -rf /\n",
    "[alias]\na = \\\n!rm -rf /\n",
    "[alias]\na = \"!rm -rf /\"\n",
    "[alias]\na = !\"rm\" -rf \"/\"\n",
    "[alias]\na = \"!rm -rf / # all\"\nb = \"status\" # !rm -rf /\n",
    "[alias]\na = !rm\\t-rf\\t/\n",
    "[alias]\na\t =!rm -rf /\n",
    "[alias \"x\"]\na = !rm -rf /\n",
    "[alias.x]\na = !rm -rf /\n",
    "[branch \"[alias]\"]\na = !rm -rf /\n",
    "[branch \"a\\\"]\"]\nb = x\n[alias]\na = !rm -rf /\n",
    "[user]\nname = [alias]\na = !rm -rf /\n",
    "[user]\nname = \\\n[alias]\na = !rm -rf /\n",
    "[alias]\nb = status\na = !rm -rf /",
    "[alias]\nb\na = status\n",
    "[user]\nname\n[alias]\na = !rm -rf /\n",
    ";[alias]\n[user]\na = !rm -rf /\n",
    "[alias]\na = status\na = !rm -rf /\n",
    "[alias]\na = !rm -rf /\na = status\n",
];

#[test]
fn settings_are_read_as_git_reads_them() {
    let sandbox = Sandbox::with_profile("standard");
    own(&sandbox);
    let config = sandbox.path(".git/config");
    for text in SETTINGS {
        std::fs::write(&config, text).unwrap();
        let mut git = std::process::Command::new("git");
        git.env_clear().env("HOME", sandbox.home()).env("PATH", "/usr/bin:/bin").args(["config", "-z", "--list", "-f"]);
        let listed = crate::sandbox::run(
            {
                git.arg(&config);
                git
            },
            b"",
        );
        assert_eq!(listed.code, Some(0), "{text:?}: {listed:?}");
        for name in ["a", "b", "abc"] {
            let mut values = listed.stdout.split('\0').filter_map(|one| one.strip_prefix(&format!("alias.{name}\n")));
            let runs = values.next_back().is_some_and(|value| value.starts_with("!rm"));
            let line = json!({"tool_name": "Bash", "tool_input": {"command": format!("git {name}")}});
            let ran = event(&sandbox, &sandbox.project(), "PreToolUse", &line);
            assert_eq!(ran.decision().as_deref() == Some("deny"), runs, "{text:?}: git {name}: {ran:?}");
        }
    }
}

/// What stands in a comment or a value names no program; what git cannot read, and what follows in odd forms, does.
#[test]
fn a_program_is_seen_where_git_sees_one() {
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write(".gitignore", ".claude/\n");
    own(&sandbox);
    let config = sandbox.path(".git/config");
    let plain = std::fs::read_to_string(&config).unwrap();
    let verdict = |text: &str| {
        std::fs::write(&config, format!("{plain}{text}")).unwrap();
        let line = json!({"tool_name": "Bash", "tool_input": {"command": "git status"}});
        event(&sandbox, &sandbox.project(), "PreToolUse", &line).decision()
    };
    for text in [
        "",
        "# fsmonitor = ./x\n",
        "[user]\n\tname = J\u{f6}rg, Program Manager ; pager\n",
        "[branch \"pager-work\"]\n\tremote = origin\n",
        "[user]\n\tname = \"a\\\\b\"\n",
        "[user] name = a \\\n[core] fsmonitor = ./x\n",
    ] {
        assert_eq!(verdict(text).as_deref(), Some("allow"), "{text:?}");
    }
    for text in [
        "[core] # a comment \\\nfsmonitor = ./x\n",
        "[core]\nfsmonitor = ./\\\nx\n",
        "[CORE]FSMONITOR=./x",
        "[user][diff \"x\"]command=./x",
        "[Include \"x\"]\n\tpath = y\n",
        "[includeIf \"gitdir:/\"]path=y\n",
        "[url \"ext::x\"]\ninsteadOf = https://e/\n",
        "[user\n",
        "[user]\nname = \"a\n",
        "[user]\nname = a\\x\n",
        "[user]\n=x\n",
    ] {
        assert_eq!(verdict(text), None, "{text:?}");
    }
}
