//! The entry that a team shares, started by shells as clients start it: where it finds the executable, and what it does without one.

use std::ops::Add as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, place_program, run};

const SETTINGS: &str = ".claude/settings.json";
const BINARY: &str = env!("CARGO_BIN_EXE_hookbin");
const SYSTEM: &str = "/usr/bin:/bin";
const SECRET: &[u8] =
    br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"cat .env"}}"#;

/// A user's machine on which a client works in a project.
struct Machine<'a> {
    settings: &'a Value,
    project: &'a Path,
    cwd: &'a Path,
    env: Vec<(&'a str, String)>,
}

impl<'a> Machine<'a> {
    /// A home directory beside the project, and a `PATH` without hookbin.
    fn new(settings: &'a Value, project: &'a Path, home: &Path) -> Self {
        let env = vec![("HOME", text(home)), ("PATH", SYSTEM.to_owned())];
        Self { settings, project, cwd: project, env }
    }

    fn with(mut self, name: &'a str, value: &str) -> Self {
        self.env.retain(|(known, _)| *known != name);
        self.env.push((name, value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.env.retain(|(known, _)| *known != name);
        self
    }

    fn fire(&self, shell: &str, event: &str, stdin: &[u8]) -> Ran {
        let mut command = Command::new(shell);
        command.args(["-c", command_of(self.settings, event)]).env_clear().envs(self.env.iter().cloned());
        command.env("CLAUDE_PROJECT_DIR", self.project).current_dir(self.cwd);
        run(command, stdin)
    }

    /// What each shell of this system does, which has to be the same.
    fn all(&self, event: &str, stdin: &[u8]) -> Ran {
        let mut shells = ["/bin/sh", "/bin/dash", "/bin/bash"].into_iter().filter(|shell| Path::new(shell).exists());
        let first = self.fire(shells.next().unwrap(), event, stdin);
        for shell in shells {
            let other = self.fire(shell, event, stdin);
            assert_eq!(
                (other.code, &other.stdout, &other.stderr),
                (first.code, &first.stdout, &first.stderr),
                "{shell}"
            );
        }
        first
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn command_of<'v>(settings: &'v Value, event: &str) -> &'v str {
    let entry = &settings["hooks"][event][0]["hooks"][0];
    assert_eq!(entry.get("args"), None, "hosts that drop the arguments would start something else");
    entry["command"].as_str().unwrap_or_else(|| panic!("no {event}: {settings}"))
}

/// The settings that an installation writes, without the installation.
fn settings(strict: bool) -> Value {
    let sandbox = Sandbox::new();
    let options: &[&str] =
        if strict { &["install", "--scope", "project", "--strict"] } else { &["install", "--scope", "project"] };
    assert_eq!(sandbox.cli(options).code, Some(0));
    sandbox.json(SETTINGS)
}

/// A program that says its name and its arguments.
fn stub(dir: &Path, name: &str) {
    std::fs::create_dir_all(dir).unwrap();
    place_program(&dir.join("hookbin"), &format!("#!/bin/sh\necho {name} \"$@\"\n"));
}

/// A directory of each kind that names of directories come in.
fn dirs(sandbox: &Sandbox) -> Vec<PathBuf> {
    let names = [
        "plain", "with space", "qu'ote \"$HOME\" `id` $(id)", "ünïcode 設定", "-dash", "st*r [a] ?", "back\\slash",
        "new\nline",
    ];
    names.map(|name| sandbox.path(name)).into_iter().inspect(|path| std::fs::create_dir_all(path).unwrap()).collect()
}

/// Whatever lies in the project, a branch can bring: it is never started, by no name of its directory and by no part of `PATH`.
#[test]
fn the_person_comes_before_path_and_the_project_never() {
    let settings = settings(false);
    let sandbox = Sandbox::new();
    for base in dirs(&sandbox) {
        let [project, home, data, bin] = ["project", "home", "data", "bin"].map(|name| base.join(name));
        for dir in [&project, &home] {
            std::fs::create_dir(dir).unwrap();
        }
        let inside = ["node_modules/.bin", ".venv/bin", ".claude/hookbin", ""].map(|name| project.join(name));
        for dir in &inside {
            stub(dir, "of the project");
        }
        let inside = std::env::join_paths(inside).unwrap_or_default().into_string().unwrap();
        let path = format!("/nowhere::relative:{inside}:{}:{SYSTEM}", bin.display());
        let machine = Machine::new(&settings, &project, &home).with("PATH", &path).with("XDG_DATA_HOME", &text(&data));
        let started = || machine.all("PreToolUse", SECRET).stdout;
        assert_eq!(started(), "", "{}", base.display());
        // From the last to the first; each later one outranks the one before.
        for (dir, name) in [(bin, "path"), (home.join(".local/share/hookbin"), "home"), (data.join("hookbin"), "data")]
        {
            stub(&dir, name);
            assert_eq!(started(), format!("{name} hook PreToolUse\n"), "{}", base.display());
        }
        // The home directory may be a project, and lie in one; what is the user's there stays theirs.
        for project in [home.clone(), text(&home).add("/").into(), base.clone(), "/".into()] {
            let machine = Machine::new(&settings, &project, &home);
            assert_eq!(machine.all("PreToolUse", SECRET).stdout, "home hook PreToolUse\n", "{}", project.display());
        }
    }
}

/// Finding F18: git overwrites what it ignores without a word, so that a branch brings its program to where earlier versions had theirs.
#[test]
fn a_branch_that_brings_a_program_is_guarded_by_the_persons() {
    let sandbox = Sandbox::new();
    let project = sandbox.project();
    let git = |args: &[&str]| sandbox.git(&project, args);
    git(&["init", "-q", "-b", "main", "."]);
    git(&["commit", "-q", "--allow-empty", "-m", "Begin"]);
    let mark = sandbox.home().join("mark");
    git(&["checkout", "-q", "-b", "evil"]);
    sandbox.program(".claude/hookbin/hookbin", &format!("touch '{}'", mark.display()));
    git(&["add", "-f", ".claude/hookbin/hookbin"]);
    git(&["commit", "-qm", "Bring it"]);
    git(&["checkout", "-q", "main"]);
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
    let settings = sandbox.json(SETTINGS);
    assert!(!sandbox.path(".claude/hookbin/hookbin").exists());
    git(&["checkout", "-q", "evil"]);
    assert!(sandbox.path(".claude/hookbin/hookbin").exists());
    let machine = Machine::new(&settings, &project, &sandbox.home());
    for event in ["SessionStart", "PreToolUse", "PostToolUse", "Stop"] {
        machine.all(event, SECRET);
    }
    assert_eq!(machine.all("PreToolUse", SECRET).decision().as_deref(), Some("deny"));
    // Doctor names it and stays away from it; installing moves it aside and says why it will come back; taking out leaves it to git.
    let ran = sandbox.cli(&["doctor"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("git tracks a program"), "{ran:?}");
    assert_eq!(sandbox.cli(&["status"]).code, Some(0));
    let ran = sandbox.cli(&["install", "--scope", "project"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("so a checkout or a stash brings it back"), "{ran:?}");
    assert!(!sandbox.path(".claude/hookbin/hookbin").exists());
    git(&["checkout", "-q", "--", ".claude/hookbin/hookbin"]);
    assert_eq!(machine.all("PreToolUse", SECRET).decision().as_deref(), Some("deny"));
    assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0));
    assert!(!sandbox.home().join(".local/share/hookbin").exists());
    assert!(sandbox.path(".claude/hookbin/hookbin").exists());
    assert!(!mark.exists(), "the stranger's program was started");
}

/// Finding F18, where the project's people committed what an earlier version wrote, which takes the project's file first.
#[test]
fn the_line_of_an_earlier_version_does_not_count_as_guarding() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    let settings = sandbox.json(SETTINGS);
    let (now, _) = command_of(&settings, "PreToolUse").split_once("[ -f").unwrap();
    let earlier = r#"IFS=:; set -f; for d in "$CLAUDE_PROJECT_DIR/.claude/hookbin" "${XDG_DATA_HOME:--}/hookbin" "${HOME:--}/.local/share/hookbin" $PATH; do case $d in /*|?:*) "#;
    let inside = |text: &str| json!(text).to_string().trim_matches('"').to_owned();
    let text = sandbox.read(SETTINGS);
    assert!(text.contains(&inside(now)), "{text}");
    sandbox.write(SETTINGS, &text.replace(&inside(now), &inside(earlier)));
    let ran = sandbox.cli(&["doctor"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("starts what a branch brings"), "{ran:?}");
    assert_eq!(sandbox.cli(&["status", "--line"]).code, Some(4));
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    assert_eq!(sandbox.json(SETTINGS), settings);
    sandbox.write(SETTINGS, &text.replace(&inside(now), &inside(earlier)));
    assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0));
    assert!(!sandbox.path(SETTINGS).exists());
}

/// A program that lies there for another reason is named as well; one that an earlier installation left goes with the next.
#[test]
fn what_lies_where_earlier_versions_had_the_executable_is_named() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    std::fs::copy(BINARY, sandbox.path(".claude/hookbin/hookbin")).unwrap();
    let said = sandbox.cli(&["doctor"]).stdout;
    assert!(said.contains("an earlier version left its executable here"), "{said}");
    sandbox.program(".claude/hookbin/hookbin", "exit 1");
    let said = sandbox.cli(&["doctor"]).stdout;
    assert!(said.contains("a program lies here that no installation of yours placed"), "{said}");
    let said = sandbox.cli(&["install", "--scope", "project"]).stdout;
    assert!(said.contains("which nothing starts any more"), "{said}");
    assert!(!sandbox.path(".claude/hookbin/hookbin").exists());
}

/// What the payload or the directory of a session can bring is never started, and what cannot be started is passed over.
#[test]
fn what_is_no_program_of_this_machine_is_passed_over() {
    let settings = settings(false);
    let sandbox = Sandbox::new();
    let [project, home, bin] = ["project", "home", "bin"].map(|name| sandbox.path(name));
    for dir in [project.join(".claude/hookbin/hookbin"), home.join(".local/share/hookbin"), bin.join("hookbin")] {
        std::fs::create_dir_all(dir).unwrap();
    }
    std::fs::write(home.join(".local/share/hookbin/hookbin"), "#!/bin/sh\necho started\n").unwrap();
    for here in [project.clone(), project.join("bin"), project.join("share/hookbin"), project.join("-/hookbin")] {
        stub(&here, "of the project");
    }
    let paths =
        [text(&bin), ".".to_owned(), "bin".to_owned(), ":".to_owned(), String::new(), "-".to_owned(), "*".to_owned()];
    for path in paths.map(|path| format!("{path}:{SYSTEM}")) {
        for data in ["share", ".", "-", "", "~"] {
            let machine = Machine::new(&settings, &project, &home).with("PATH", &path).with("XDG_DATA_HOME", data);
            let ran = machine.all("PreToolUse", SECRET);
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{path} {data}");
        }
    }
    for name in ["HOME", "PATH"] {
        let ran = Machine::new(&settings, &project, &home).without(name).all("PreToolUse", SECRET);
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "without {name}");
    }
    let relative = Machine::new(&settings, Path::new("-project"), &home);
    stub(&project.join("-project/.claude/hookbin"), "of the project");
    assert_eq!(Machine { cwd: &project, ..relative }.all("PreToolUse", SECRET).stdout, "");
    // A link to a program is one.
    std::fs::remove_dir(bin.join("hookbin")).unwrap();
    symlink(BINARY, bin.join("hookbin")).unwrap();
    let machine = Machine::new(&settings, &project, &home).with("PATH", &text(&bin));
    assert_eq!(machine.all("PreToolUse", SECRET).decision().as_deref(), Some("deny"));
}

/// The session may be in any directory, and the payload goes through as it is.
#[test]
fn the_executable_gets_the_payload_and_decides() {
    let settings = settings(false);
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join(".local/share/hookbin")).unwrap();
    symlink(BINARY, sandbox.home().join(".local/share/hookbin/hookbin")).unwrap();
    for project in dirs(&sandbox) {
        for cwd in [project.as_path(), Path::new("/"), Path::new("/tmp")] {
            let ran = Machine { cwd, ..Machine::new(&settings, &project, &sandbox.home()) }.all("PreToolUse", SECRET);
            assert_eq!((ran.code, ran.decision().as_deref()), (Some(2), Some("deny")), "{} {ran:?}", project.display());
        }
        let big = json!({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash",
            "tool_input": {"command": format!("cat .env # {}", "x".repeat(300_000))}});
        let ran = Machine::new(&settings, &project, &sandbox.home()).all("PreToolUse", big.to_string().as_bytes());
        assert_eq!(ran.decision().as_deref(), Some("deny"));
    }
}

fn start(source: &str, cwd: &str) -> Vec<u8> {
    json!({"hook_event_name": "SessionStart", "session_id": "s", "cwd": cwd, "source": source}).to_string().into_bytes()
}

/// One line a session, whatever it is that starts it; nothing else ever says anything, and every exit code is 0.
#[test]
fn without_an_executable_the_start_of_a_session_says_so_and_calls_go_on() {
    let settings = settings(false);
    let sandbox = Sandbox::new();
    let (project, home) = (sandbox.project(), sandbox.home());
    let machine = Machine::new(&settings, &project, &home);
    let events: Vec<&String> = settings["hooks"].as_object().unwrap().keys().collect();
    assert!(events.len() > 6, "{events:?}");
    for event in events.into_iter().filter(|event| *event != "SessionStart") {
        for stdin in [SECRET, b"", &vec![b'x'; 300_000]] {
            let ran = machine.all(event, stdin);
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{event}");
        }
    }
    let line = json!({"systemMessage": "hookbin is not installed here, so no call is checked. \
        In a clone of hookbin run: cargo xtask install --project DIR --scope project"});
    // The last is a directory whose name looks like a source; in JSON its quotes are escaped.
    for (source, cwd) in [("startup", "/a"), ("resume", "/a"), ("clear", "/a"), ("startup", "/\"source\":\"compact\"")]
    {
        let ran = machine.all("SessionStart", &start(source, cwd));
        assert_eq!((ran.code, ran.json(), ran.stderr.as_str()), (Some(0), line.clone(), ""), "{source} {cwd}");
        assert_eq!(ran.stdout.lines().count(), 1);
    }
    assert_eq!(machine.all("SessionStart", b"").json(), line);
    // The session goes on after compacting, and was told.
    let ran = machine.all("SessionStart", &start("compact", "/a"));
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
    assert!(!project.join(".claude").exists(), "files without an executable");
}

#[test]
fn shared_with_strict_a_call_is_refused_with_the_way_to_the_executable() {
    let settings = settings(true);
    let sandbox = Sandbox::new();
    let (project, home) = (sandbox.project(), sandbox.home());
    let machine = Machine::new(&settings, &project, &home);
    let reason = "hookbin is not installed here, and this project lets no call pass without it. \
        In a clone of hookbin run: cargo xtask install --project DIR --scope project";
    for (event, groups) in settings["hooks"].as_object().unwrap() {
        assert_eq!(groups[0]["hooks"][0]["onFailure"], "block", "{event}");
        let ran = machine.all(event, SECRET);
        match event.as_str() {
            "PreToolUse" => {
                assert_eq!(
                    (ran.code, ran.decision().as_deref(), ran.reason()),
                    (Some(2), Some("deny"), reason.to_owned())
                );
                assert_eq!(ran.stderr, format!("{reason}\n"));
            }
            "PermissionRequest" | "PreSkillShellCommand" => assert!(ran.stdout.contains(reason), "{event}: {ran:?}"),
            "SessionStart" => assert_eq!((ran.code, ran.json()["systemMessage"].as_str()), (Some(0), Some(reason))),
            _ => assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "{event}"),
        }
    }
    // Where there is one, it decides, and no call is refused for want of it.
    let dir = home.join(".local/share/hookbin");
    std::fs::create_dir_all(&dir).unwrap();
    symlink(BINARY, dir.join("hookbin")).unwrap();
    let harmless =
        br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    assert_eq!(machine.all("PreToolUse", harmless).code, Some(0));
    assert_eq!(machine.all("PreToolUse", SECRET).code, Some(2));
}

/// What the user who installs is told about the people who share it.
#[test]
fn installing_says_what_colleagues_will_see() {
    let sandbox = Sandbox::new();
    let said = sandbox.cli(&["install", "--scope", "project"]).stdout;
    assert!(said.contains("commit .claude/settings.json if the team"), "{said}");
    let said = sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).stdout;
    assert!(said.contains("commit .claude/settings.json and .claude/hookbin.toml"), "{said}");
    assert!(said.contains("without hookbin a colleague sees one line a session"), "{said}");
    let said = sandbox.cli(&["install", "--scope", "project", "--strict"]).stdout;
    assert!(said.contains("without hookbin a colleague is refused every call"), "{said}");
    let said = sandbox.cli(&["install", "--local"]).stdout;
    assert!(!said.contains("colleague"), "{said}");
    let said = sandbox.cli(&["install", "--user"]).stdout;
    assert!(!said.contains("colleague"), "{said}");
}

/// Clones and worktrees hold the entry and no executable; the user's own serves them all.
#[test]
fn a_clone_and_a_worktree_are_served_by_the_persons_executable() {
    let sandbox = Sandbox::new();
    sandbox.git(&sandbox.project(), &["init", "-q", "."]);
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
    sandbox.git(&sandbox.project(), &["add", "-A"]);
    sandbox.git(&sandbox.project(), &["commit", "-qm", "Guard"]);
    let [clone, tree] = ["clone of it", "tree"].map(|name| sandbox.home().join(name));
    sandbox.git(&sandbox.project(), &["clone", "-q", ".", &text(&clone)]);
    sandbox.git(&sandbox.project(), &["worktree", "add", "-q", "-b", "side", &text(&tree)]);
    // On the machine of somebody who has not installed anything yet.
    let dir = sandbox.home().join(".local/share/hookbin");
    std::fs::remove_file(dir.join("hookbin")).unwrap();
    for place in [&clone, &tree] {
        let settings: Value = serde_json::from_slice(&std::fs::read(place.join(SETTINGS)).unwrap()).unwrap();
        let machine = Machine::new(&settings, place, &sandbox.home());
        assert!(!place.join(".claude/hookbin").exists());
        assert_eq!(machine.all("PreToolUse", SECRET).stdout, "", "guarded by nobody knows what");
        assert!(machine.all("SessionStart", &start("startup", "/")).stdout.contains("not installed here"));

        std::fs::copy(BINARY, dir.join("hookbin")).unwrap();
        assert_eq!(machine.all("PreToolUse", SECRET).decision().as_deref(), Some("deny"));
        sandbox.git(place, &["diff", "--exit-code"]);
        let mut status = Command::new("git");
        status.args(["status", "--porcelain"]).env_clear().env("HOME", sandbox.home()).env("PATH", SYSTEM);
        assert_eq!(
            run(
                {
                    status.current_dir(place);
                    status
                },
                b""
            )
            .stdout,
            "",
            "what is recorded can be committed"
        );
        // Doctor starts the entry as the host does.
        let mut doctor = sandbox.command(&["doctor", "--json"]);
        doctor.env("CLAUDE_PROJECT_DIR", place).current_dir(place);
        let ran = run(doctor, b"");
        let report = ran.json();
        assert_eq!((ran.code, &report["registered"][0]["on"]), (Some(0), &json!(true)), "{report}");
        assert_eq!(report["registered"][0]["executable"], text(&dir.join("hookbin")));
        let notes: Vec<&str> =
            report["findings"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert!(notes.contains(&"binary-elsewhere"), "{notes:?}");
        std::fs::remove_file(dir.join("hookbin")).unwrap();
    }
}

/// What an installation of 0.1.0 committed becomes the shared entry in its place, and taking it out gives back every byte.
#[test]
fn an_entry_of_the_older_form_is_brought_up_to_date() {
    let sandbox = Sandbox::new();
    let old = |more: &str| {
        let entry = |event: &str| {
            format!(
                r#"    "{event}": [
      {{ "hooks": [{{ "type": "command", "command": "${{CLAUDE_PROJECT_DIR}}/.claude/hookbin/hookbin", "args": ["hook", "{event}"], "timeout": 10{more} }}] }}
    ]"#
            )
        };
        let events = [
            "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart", "SessionEnd", "Stop",
        ];
        format!("{{\n  \"model\": \"x\",\n  \"hooks\": {{\n{}\n  }}\n}}\n", events.map(entry).join(",\n"))
    };
    sandbox.write(SETTINGS, &old(""));
    let json = sandbox.cli(&["install", "--scope", "project", "--profile", "standard", "--json"]).json();
    assert_eq!((&json["updated"], &json["removed"]), (&json!(7), &json!(0)), "{json}");
    let settings = sandbox.json(SETTINGS);
    assert!(command_of(&settings, "PreToolUse").ends_with("hook PreToolUse;; esac; done; exit 0"));
    assert_eq!(sandbox.cli(&["uninstall"]).code, Some(0));
    assert_eq!(sandbox.read(SETTINGS), "{\n  \"model\": \"x\"\n}\n");
    // What counts a failure as a refusal stays so.
    sandbox.write(SETTINGS, &old(", \"onFailure\": \"block\""));
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    assert!(command_of(&sandbox.json(SETTINGS), "PreToolUse").ends_with("exit 2"));
}

/// A shared entry that somebody changed is ours to mend, and none that others give way to.
#[test]
fn a_changed_entry_is_seen_and_mended() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]).code, Some(0));
    let good = sandbox.read(SETTINGS);
    for (from, to, said) in [
        ("hook PreToolUse;;", "hook Stop;;", "its command is for Stop"),
        (
            "hook PreToolUse;; esac; done; exit 0",
            "hook PreToolUse;; esac; done; exit 1",
            "not the one that an installation writes",
        ),
    ] {
        assert!(good.contains(from));
        sandbox.write(SETTINGS, &good.replace(from, to));
        let ran = sandbox.cli(&["doctor", "--json"]);
        assert!(ran.code == Some(4) && ran.stdout.contains(said), "{ran:?}");
        assert_eq!(sandbox.cli(&["doctor", "--fix"]).code, Some(0));
        assert_eq!(sandbox.read(SETTINGS), good);
    }
    let changed = good.replacen("\"timeout\": 10", "\"args\": [], \"timeout\": 10", 1);
    sandbox.write(SETTINGS, &changed);
    let ran = sandbox.cli(&["doctor", "--json"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("not the one that an installation writes"), "{ran:?}");
}
