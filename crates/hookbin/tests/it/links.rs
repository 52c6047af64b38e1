//! A project that somebody else filled: no link in it leads a read, a write or a change of mode to where it does not belong.
//!
//! Every test plants a link that a clone may bring, and a victim that the link names. What counts is the victim afterwards.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::sandbox::{Ran, Sandbox, run};

/// A key as `ssh-keygen` writes one; the marker is what must not be seen elsewhere.
const SECRET: &str =
    "-----BEGIN OPENSSH PRIVATE KEY-----\nMARKERb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
const MARKER: &str = "MARKERb3BlbnNzaC1rZXktdjEAAAAA";

fn plant(sandbox: &Sandbox, link: &str, target: &Path) {
    let link = sandbox.path(link);
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(target, link).unwrap();
}

/// A file of the user's outside of the project.
fn victim(sandbox: &Sandbox, name: &str, text: &str) -> PathBuf {
    let path = sandbox.home().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

fn event(sandbox: &Sandbox, name: &str, more: &serde_json::Value) -> Ran {
    let mut event = json!({
        "session_id": "00000000-0000-4000-8000-00000000ab11", "transcript_path": "", "cwd": sandbox.project(),
        "hook_event_name": name, "permission_mode": "default",
    });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sandbox.hook(&[name], event.to_string().as_bytes())
}

fn started(sandbox: &Sandbox) -> Ran {
    event(sandbox, "SessionStart", &json!({"source": "startup"}))
}

/// Everything below a directory with its content; of links, where they lead.
fn whole(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            found.push((path.clone(), std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()));
        } else if path.is_dir() {
            found.push((path.clone(), Vec::new()));
            found.extend(whole(&path));
        } else {
            found.push((path.clone(), std::fs::read(&path).unwrap_or_default()));
        }
    }
    found.sort();
    found
}

/// The note of an installation, as earlier versions left it in the project, is a link to a file of the user's (13).
#[test]
fn installing_writes_no_file_of_the_person_through_a_note_that_is_a_link() {
    let sandbox = Sandbox::new();
    let bashrc = victim(&sandbox, ".bashrc", "alias ll='ls -l'\n");
    plant(&sandbox, ".claude/hookbin/install.json", Path::new("../../../.bashrc"));
    sandbox.write(".claude/hookbin.toml", "# $(touch PWNED)\n");
    let ran = sandbox.cli(&["install", "--scope", "project", "--profile", "guardrails"]);
    assert!(matches!(ran.code, Some(0 | 4)), "{ran:?}");
    sandbox.cli(&["doctor", "--fix"]);
    assert_eq!(std::fs::read_to_string(&bashrc).unwrap(), "alias ll='ls -l'\n");
    // What the link leads to is nobody's note, so nothing of it is kept as one.
    assert!(!std::fs::read_to_string(sandbox.note("project")).unwrap().contains("alias"));
    assert!(sandbox.path(".claude/hookbin.set-aside-1/install.json").is_symlink());
}

/// The configuration, and the directory that all of it lies in (13).
#[test]
fn installing_writes_no_configuration_through_a_link() {
    for (link, leads_to) in [(".claude/hookbin.toml", "victim/file.toml"), (".claude", "victim")] {
        let sandbox = Sandbox::new();
        let file = victim(&sandbox, "victim/file.toml", "profile = []\n");
        plant(&sandbox, link, &sandbox.home().join(leads_to));
        let before = whole(&sandbox.home().join("victim"));
        let mode = file.metadata().unwrap().mode();
        for args in [
            ["install", "--scope", "project", "--profile", "guardrails"].as_slice(),
            &["install", "--scope", "project", "--profile", "guardrails", "--dry-run"],
            &["uninstall"],
            &["doctor", "--fix"],
            &["config", "init"],
        ] {
            let ran = sandbox.cli(args);
            assert!(args[0] != "install" || ran.code == Some(70), "{link} {args:?}: {ran:?}");
            assert!(args[0] != "install" || ran.stderr.contains("is a link"), "{link} {args:?}: {ran:?}");
        }
        assert_eq!(whole(&sandbox.home().join("victim")), before, "{link}");
        assert_eq!(file.metadata().unwrap().mode(), mode, "{link}");
    }
}

/// Files that keep our own out of the repository (14).
#[test]
fn ignore_files_are_neither_made_nor_filled_through_a_link() {
    for (link, target) in [(".claude/hookbin/.gitignore", ".bash_login"), (".claude/.gitignore", "empty")] {
        for scope in ["project", "local"] {
            let sandbox = Sandbox::new();
            let there = link.ends_with("claude/.gitignore");
            if there {
                victim(&sandbox, target, "");
            }
            plant(&sandbox, link, &sandbox.home().join(target));
            let ran = sandbox.cli(&["install", "--scope", scope, "--profile", "sane"]);
            started(&sandbox);
            let now = std::fs::read_to_string(sandbox.home().join(target)).ok();
            assert_eq!(now, there.then(String::new), "{link} {scope}: {ran:?}");
        }
    }
}

/// Settings that are a link to another scope's, that git tracks, or that belong to somebody else (15).
#[test]
fn settings_that_are_somebody_elses_link_are_refused_and_named() {
    let sandbox = Sandbox::new();
    let own = victim(&sandbox, ".claude/settings.json", "{}\n");
    plant(&sandbox, ".claude/settings.json", &own);
    let tracked = Sandbox::new();
    let other = victim(&tracked, "other/settings.json", "{}\n");
    plant(&tracked, ".claude/settings.json", &other);
    let root = tracked.project();
    tracked.git(&root, &["init", "-q"]);
    tracked.git(&root, &["add", "-f", ".claude/settings.json"]);
    tracked.git(&root, &["commit", "-q", "-m", "a"]);
    // Where the link stays in the repository it is the team's all the same.
    let inside = Sandbox::new();
    inside.write("team/settings.json", "{}\n");
    plant(&inside, ".claude/settings.json", Path::new("../team/settings.json"));
    inside.git(&inside.project(), &["init", "-q"]);
    inside.git(&inside.project(), &["add", "-f", "."]);
    let files = [own, other, inside.path("team/settings.json")];
    for ((sandbox, file), words) in [&sandbox, &tracked, &inside]
        .into_iter()
        .zip(&files)
        .zip(["another scope", "git tracks the link", "git tracks"])
    {
        for args in [["install", "--scope", "project"].as_slice(), &["install", "--scope", "project", "--dry-run"]] {
            let ran = sandbox.cli(args);
            assert_eq!(ran.code, Some(70), "{ran:?}");
            assert!(ran.stderr.contains("settings.json is a link to") && ran.stderr.contains(words), "{ran:?}");
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), "{}\n");
    }
    if rustix::process::geteuid().is_root() {
        let sandbox = Sandbox::new();
        let theirs = victim(&sandbox, "theirs.json", "{}\n");
        std::os::unix::fs::chown(&theirs, Some(12_345), Some(12_345)).unwrap();
        plant(&sandbox, ".claude/settings.json", &theirs);
        let ran = sandbox.cli(&["install", "--scope", "project"]);
        assert!(ran.code == Some(70) && ran.stderr.contains("belongs to user 12345"), "{ran:?}");
        assert_eq!(std::fs::read_to_string(theirs).unwrap(), "{}\n");
    }
}

/// Taking entries out goes through no foreign link either, and a link of the user's still works both ways.
#[test]
fn uninstalling_keeps_to_the_same_links() {
    let sandbox = Sandbox::new();
    sandbox.write("dotfiles/settings.json", "{}\n");
    plant(&sandbox, ".claude/settings.json", &sandbox.path("dotfiles/settings.json"));
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    assert!(sandbox.read("dotfiles/settings.json").contains("PreToolUse"));
    assert_eq!(sandbox.cli(&["uninstall", "--scope", "project"]).code, Some(0));
    assert_eq!(sandbox.read("dotfiles/settings.json"), "{}\n");
    assert!(sandbox.path(".claude/settings.json").is_symlink());

    let sandbox = Sandbox::new();
    let own = victim(&sandbox, ".claude/settings.json", "{}\n");
    sandbox.cli(&["install", "--user"]);
    let before = std::fs::read_to_string(&own).unwrap();
    plant(&sandbox, ".claude/settings.json", &own);
    sandbox.cli(&["uninstall", "--scope", "project"]);
    assert_eq!(std::fs::read_to_string(&own).unwrap(), before);
}

/// The page of a report (16).
#[test]
fn a_report_overwrites_nothing_through_a_link() {
    let sandbox = Sandbox::with_profile("standard");
    started(&sandbox);
    let bashrc = victim(&sandbox, ".bashrc", "mine\n");
    plant(&sandbox, ".claude/hookbin/report.html", &bashrc);
    let ran = sandbox.cli(&["report"]);
    assert!(ran.code == Some(70) && ran.stderr.contains("it is a link"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&bashrc).unwrap(), "mine\n");
    // Nor through a name in the project that the user gives.
    plant(&sandbox, "report.html", &bashrc);
    plant(&sandbox, "out", &sandbox.home());
    for named in ["report.html", "out/.bashrc"] {
        let ran = sandbox.cli(&["report", "-o", sandbox.path(named).to_str().unwrap()]);
        assert!(ran.code == Some(70) && ran.stderr.contains("a link leads out of the project"), "{named}: {ran:?}");
        assert_eq!(std::fs::read_to_string(&bashrc).unwrap(), "mine\n");
    }
    // A file elsewhere may be one.
    let ran = sandbox.cli(&["report", "-o", bashrc.to_str().unwrap()]);
    assert!(ran.code == Some(0) && std::fs::read_to_string(&bashrc).unwrap().starts_with("<!doctype"), "{ran:?}");
}

/// What a check reads for the model's context is a file of the project (27).
#[test]
fn no_file_outside_of_the_project_comes_into_the_context() {
    for (profile, link, depth) in [
        ("guardrails", ".claude/.agent-findings", 1),
        ("collective", ".claude-collective/INDEX.md", 1),
        ("claude-os", "CLAUDE_OS_RULES.md", 0),
    ] {
        for whole_path in [true, false] {
            let sandbox = Sandbox::with_profile(profile);
            let secret = victim(&sandbox, ".ssh/id_rsa", SECRET);
            let up = "../".repeat(depth + 1) + ".ssh/id_rsa";
            plant(&sandbox, link, if whole_path { &secret } else { Path::new(&up) });
            for ran in [
                started(&sandbox),
                event(&sandbox, "SessionStart", &json!({"source": "compact"})),
                event(&sandbox, "UserPromptSubmit", &json!({"prompt": "Go on with the plan."})),
                event(&sandbox, "SubagentStart", &json!({"agent_id": "a", "agent_type": "general-purpose"})),
            ] {
                let said = format!("{ran:?}");
                assert!(!said.contains(MARKER), "{profile} {link}: {said}");
            }
        }
    }
    // Of files that look like no secret as well.
    for whole_path in [true, false] {
        let sandbox = Sandbox::with_profile("claude-os");
        let plain = victim(&sandbox, "notes/today.md", &format!("{MARKER}\n"));
        plant(&sandbox, "Desktop/TODAY.md", if whole_path { &plain } else { Path::new("../../notes/today.md") });
        let said = format!("{:?}", started(&sandbox));
        assert!(!said.contains(MARKER), "{said}");
    }
    // The same where a directory on the way is the link, and where the link leads to another file of the project.
    for (link, target) in [(".claude", "../dot"), (".claude/.agent-findings", "../secret")] {
        let sandbox = Sandbox::new();
        let profile = sandbox.home().join(".config/hookbin/hookbin.toml");
        std::fs::create_dir_all(profile.parent().unwrap()).unwrap();
        std::fs::write(profile, "profile = [\"guardrails\"]\n").unwrap();
        victim(&sandbox, "dot/.agent-findings", SECRET);
        sandbox.write("secret", SECRET);
        plant(&sandbox, link, Path::new(target));
        let said = format!("{:?}", started(&sandbox));
        assert!(!said.contains(MARKER), "{link}: {said}");
    }
}

/// A file of the project's own goes into the context, what looks like a secret does not.
#[test]
fn secrets_of_files_are_redacted_before_they_go_into_the_context() {
    for (profile, file) in [("guardrails", ".claude/.agent-findings"), ("collective", ".claude-collective/INDEX.md")] {
        let sandbox = Sandbox::with_profile(profile);
        sandbox.write(file, "tests|the plain part of it\nexport API_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ456789\n");
        let ran = started(&sandbox);
        let said = format!("{ran:?}");
        assert!(said.contains("the plain part of it"), "{profile}: {said}");
        assert!(!said.contains("ghp_0123456789"), "{profile}: {said}");
    }
}

/// A configuration that is a link to something else: none of its lines is told as a fault.
#[test]
fn a_configuration_that_is_a_link_is_not_read() {
    let sandbox = Sandbox::new();
    let secret = victim(&sandbox, ".ssh/id_rsa", SECRET);
    plant(&sandbox, ".claude/hookbin.toml", &secret);
    for ran in
        [started(&sandbox), sandbox.cli(&["doctor"]), sandbox.cli(&["status"]), sandbox.cli(&["config", "check"])]
    {
        assert!(!format!("{ran:?}").contains("MARKER") && !format!("{ran:?}").contains("OPENSSH"), "{ran:?}");
    }
    assert!(started(&sandbox).stdout.contains("is a link"));
    let ran = event(
        &sandbox,
        "PreToolUse",
        &json!({"tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "rm -rf /"}}),
    );
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// Directories of logs, state and figures (28).
#[test]
fn nothing_is_recorded_through_a_dir_that_is_a_link() {
    for (profile, link) in [
        ("sane", ".claude"),
        ("guardrails", ".claude"),
        ("standard", ".claude"),
        ("collective", ".claude-collective"),
        ("collective", ".claude-collective/metrics"),
    ] {
        for scope in [None, Some("--user")] {
            let sandbox = Sandbox::new();
            let profile_file = sandbox.home().join(".config/hookbin/hookbin.toml");
            std::fs::create_dir_all(profile_file.parent().unwrap()).unwrap();
            std::fs::write(profile_file, format!("profile = [{profile:?}]\n")).unwrap();
            let elsewhere = sandbox.home().join("elsewhere");
            std::fs::create_dir_all(&elsewhere).unwrap();
            plant(&sandbox, link, &elsewhere);
            sandbox.write("src/a.py", "x = 1\n");
            let file = sandbox.path("src/a.py");
            for (name, more) in [
                ("SessionStart", json!({"source": "startup"})),
                ("UserPromptSubmit", json!({"prompt": "safemode on"})),
                ("PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "rm -rf /"}})),
                (
                    "PostToolUse",
                    json!({"tool_name": "Write", "tool_use_id": "b", "tool_input": {"file_path": file, "content": "x = 2\n"},
                           "tool_response": {"filePath": file, "success": true}}),
                ),
                ("SubagentStop", json!({"agent_id": "a", "agent_type": "x", "stop_hook_active": false})),
                ("Stop", json!({"stop_hook_active": false})),
                ("SessionEnd", json!({"reason": "other"})),
            ] {
                let mut event = json!({
                    "session_id": "00000000-0000-4000-8000-00000000ab12", "transcript_path": "",
                    "cwd": sandbox.project(), "hook_event_name": name, "permission_mode": "default",
                });
                event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
                let args: Vec<&str> = [name].into_iter().chain(scope).collect();
                let ran = sandbox.hook(&args, event.to_string().as_bytes());
                assert!(name != "PreToolUse" || ran.code == Some(2), "{profile} {link}: {ran:?}");
            }
            assert_eq!(whole(&elsewhere), [], "{profile} {link} {scope:?}: written through the link");
        }
    }
}

/// What lies behind a link on the way to our own directory is nobody's word.
#[test]
fn a_linked_client_dir_is_named_and_the_guard_stays_on() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.home().join("elsewhere");
    std::fs::create_dir_all(elsewhere.join("hookbin/state")).unwrap();
    std::fs::create_dir_all(elsewhere.join("hookbin/log")).unwrap();
    plant(&sandbox, ".claude", &elsewhere);
    let before = whole(&elsewhere);
    let ran = event(
        &sandbox,
        "PreToolUse",
        &json!({"tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "rm -rf /"}}),
    );
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = started(&sandbox);
    assert!(ran.stdout.contains("is a link"), "{ran:?}");
    assert_eq!(whole(&elsewhere), before);
}

/// A clone's own directory of ours, tracked by git: moved aside whole, and nothing of it believed.
#[test]
fn what_a_clone_brings_in_our_place_is_moved_aside() {
    let sandbox = Sandbox::new();
    let root = sandbox.project();
    sandbox.write(".claude/hookbin/hookbin", "#!/bin/sh\necho foreign\n");
    sandbox.write(".claude/hookbin/install.json", r#"{"version":3,"before":"evil = 1\n","after":"x","made":["src"]}"#);
    sandbox.write(".claude/hookbin/state/profile.cache", "foreign");
    sandbox.git(&root, &["init", "-q"]);
    sandbox.git(&root, &["add", "-f", "."]);
    sandbox.git(&root, &["commit", "-q", "-m", "a"]);
    for scope in ["local", "project"] {
        let dry = sandbox.cli(&["install", "--scope", scope, "--dry-run"]);
        assert!(scope == "project" || dry.stdout.contains("would be moved aside"), "{dry:?}");
    }
    let ran = sandbox.cli(&["install", "--scope", "project"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("moved ") && ran.stdout.contains("set-aside-1"), "{ran:?}");
    assert_eq!(sandbox.read(".claude/hookbin.set-aside-1/hookbin"), "#!/bin/sh\necho foreign\n");
    assert!(!sandbox.path(".claude/hookbin/install.json").exists());
    assert!(!sandbox.path(".claude/hookbin/hookbin").exists());
    assert!(!std::fs::read_to_string(sandbox.note("project")).unwrap().contains("evil"));

    // From an archive there is no git to ask: all of it is a stranger's, and goes aside the same way.
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin/hookbin", "#!/bin/sh\necho foreign\n");
    sandbox.write(".claude/hookbin/log/kept", "x");
    let ran = sandbox.cli(&["install", "--scope", "project"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("hookbin.set-aside-1"), "{ran:?}");
    assert_eq!(sandbox.read(".claude/hookbin.set-aside-1/hookbin"), "#!/bin/sh\necho foreign\n");
    assert_eq!(sandbox.read(".claude/hookbin.set-aside-1/log/kept"), "x");
    // Installing again, and after taking out, finds what an installation of the user's made.
    for args in
        [["install", "--scope", "project"], ["uninstall", "--scope", "project"], ["install", "--scope", "project"]]
    {
        let ran = sandbox.cli(&args);
        assert!(ran.code == Some(0) && !ran.stdout.contains("set-aside-2"), "{ran:?}");
    }
}

/// Who installs as root gives what was made to the user, and nothing else.
#[test]
fn root_gives_away_only_what_it_made() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    let theirs = |path: &Path| std::os::unix::fs::lchown(path, Some(12_345), Some(12_345)).unwrap();
    sandbox.write(".claude/settings.json", "{}\n");
    for path in [sandbox.home(), sandbox.project(), sandbox.path(".claude"), sandbox.path(".claude/settings.json")] {
        theirs(&path);
    }
    let keep = sandbox.home().parent().unwrap().join("shadow");
    std::fs::write(&keep, "root's").unwrap();
    // A second name of a file of root's, as the owner of a directory can make one where the system lets them.
    std::fs::hard_link(&keep, sandbox.path(".claude/.gitignore")).unwrap();
    let ran = sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let owner = |path: &Path| path.symlink_metadata().unwrap().uid();
    assert_eq!(owner(&keep), 0);
    for path in [".claude/settings.json", ".claude/hookbin", ".claude/hookbin.toml"] {
        assert_eq!(owner(&sandbox.path(path)), 12_345, "{path}");
    }
}

/// The user's directory of configuration is for the user alone, whatever the umask.
#[test]
fn the_persons_configuration_dir_is_private_whatever_the_umask() {
    for scope in ["local", "user"] {
        let sandbox = Sandbox::new();
        let script =
            format!("umask 0; exec '{}' install --scope {scope} --profile standard", env!("CARGO_BIN_EXE_hookbin"));
        let mut command = std::process::Command::new("/bin/sh");
        command.args(["-c", &script]).env_clear().env("HOME", sandbox.home()).current_dir(sandbox.project());
        command.env("CLAUDE_PROJECT_DIR", sandbox.project());
        let ran = run(command, b"");
        assert!(matches!(ran.code, Some(0 | 4)), "{ran:?}");
        let mode = std::fs::metadata(sandbox.home().join(".config/hookbin")).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{scope}");
    }
}

/// A project that is reached through a link is the user's affair: only what lies below it counts.
#[test]
fn a_project_behind_a_link_works_as_ever() {
    let sandbox = Sandbox::new();
    let link = sandbox.home().join("by-link");
    symlink(sandbox.project(), &link).unwrap();
    let person = sandbox.home().join(".config/hookbin/hookbin.toml");
    std::fs::create_dir_all(person.parent().unwrap()).unwrap();
    std::fs::write(person, "profile = [\"guardrails\"]\n").unwrap();
    sandbox.write(".claude/.agent-findings", "tests|a finding to be seen\n");
    let mut command = sandbox.command(&["hook", "SessionStart"]);
    command.env("CLAUDE_PROJECT_DIR", &link).current_dir(&link);
    let event = json!({"session_id": "s", "cwd": link, "hook_event_name": "SessionStart", "source": "startup"});
    let ran = run(command, event.to_string().as_bytes());
    assert!(ran.code == Some(0) && ran.stdout.contains("a finding to be seen"), "{ran:?}");
    assert!(sandbox.log().join("audit.jsonl").is_file());
    assert!(sandbox.path(".claude/hookbin/state/sessions").is_dir());
}

/// Pipes, directories and endless files in the place of what is read hold nothing up.
#[test]
fn what_blocks_or_never_ends_is_no_file_of_a_project() {
    type Plant = fn(&Path);
    let plants: [(&str, Plant); 4] = [
        ("pipe", |path| {
            rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        }),
        ("folder", |path| std::fs::create_dir(path).unwrap()),
        ("sparse", |path| std::fs::File::create(path).unwrap().set_len(20 << 30).unwrap()),
        ("link to an endless device", |path| symlink("/dev/zero", path).unwrap()),
    ];
    for (what, plant) in plants {
        let sandbox = Sandbox::with_profile("guardrails");
        for file in [".claude/.agent-findings", ".claude/.test-status", ".claude/.proof-status", ".claude/.gitignore"] {
            plant(&sandbox.path(file));
        }
        let begin = std::time::Instant::now();
        let ran = started(&sandbox);
        assert_eq!(ran.code, Some(0), "{what}: {ran:?}");
        let ran = event(
            &sandbox,
            "PreToolUse",
            &json!({"tool_name": "Bash", "tool_use_id": "a", "tool_input": {"command": "rm -rf /"}}),
        );
        assert_eq!(ran.code, Some(2), "{what}: {ran:?}");
        assert!(begin.elapsed().as_secs() < 4, "{what}");
    }
}

/// Where the system has no call that keeps below a directory, the same is done name by name.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn without_the_systems_help_no_link_is_followed_either() {
    use crate::tracer::{Ended, Fault, Which};
    use nix::errno::Errno;
    for errno in [Errno::ENOSYS, Errno::EPERM] {
        let run = |sandbox: &Sandbox, name: &str, more: serde_json::Value| {
            let mut event = json!({"session_id": "s", "cwd": sandbox.project(), "hook_event_name": name});
            event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let command = sandbox.command(&["hook", name]);
            let ran =
                crate::tracer::run(&command, event.to_string().as_bytes(), Which::Changing, Fault::NoOpenat2(errno), 0);
            assert!(ran.hit, "{name}: the call was not made");
            assert!(matches!(ran.ended, Ended::Exited(0 | 2)), "{ran:?}");
            ran
        };
        let start = || json!({"source": "startup"});
        // What belongs to the project is read and written as ever.
        let sandbox = Sandbox::with_profile("guardrails");
        sandbox.write(".claude/.agent-findings", "tests|a finding to be seen\n");
        assert!(run(&sandbox, "SessionStart", start()).stdout.contains("a finding to be seen"));
        assert!(sandbox.log().join("audit.jsonl").is_file() && sandbox.state("sessions").is_dir());
        // A link is not followed, be it the file or a directory on the way.
        let sandbox = Sandbox::with_profile("guardrails");
        let secret = victim(&sandbox, ".ssh/id_rsa", SECRET);
        plant(&sandbox, ".claude/.agent-findings", &secret);
        assert!(!run(&sandbox, "SessionStart", start()).stdout.contains(MARKER));
        let sandbox = Sandbox::new();
        let elsewhere = victim(&sandbox, "elsewhere/.agent-findings", SECRET).parent().unwrap().to_owned();
        std::fs::write(elsewhere.join("hookbin.toml"), "profile = [\"guardrails\"]\n").unwrap();
        plant(&sandbox, ".claude", &elsewhere);
        let before = whole(&elsewhere);
        let ran = run(&sandbox, "SessionStart", start());
        assert!(!ran.stdout.contains(MARKER), "{ran:?}");
        assert_eq!(whole(&elsewhere), before);
    }
}

/// The same where git knows nothing of it, as in an unpacked archive: a log and sessions of a stranger would be believed as well.
#[test]
fn a_log_and_sessions_of_a_stranger_are_moved_aside() {
    let written = {
        let sandbox = Sandbox::with_profile("standard");
        let start = r#"{"session_id":"of-a-stranger","hook_event_name":"SessionStart","source":"startup"}"#;
        assert_eq!(sandbox.hook(&["SessionStart"], start.as_bytes()).code, Some(0));
        sandbox
    };
    let files = crate::sandbox::tree(&written.path(".claude/hookbin"));
    assert!(files.iter().any(|file| file.ends_with("audit.jsonl")), "{files:?}");
    for scope in ["local", "project"] {
        let sandbox = Sandbox::new();
        for file in &files {
            let to = sandbox.project().join(file.strip_prefix(written.project()).unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(file, to).unwrap();
        }
        assert!(sandbox.cli(&["status"]).stdout.contains("of-a-stranger"));
        let dry = sandbox.cli(&["install", "--scope", scope, "--dry-run"]);
        assert_eq!(dry.stdout.matches("would be moved aside").count(), 1, "{dry:?}");
        let ran = sandbox.cli(&["install", "--scope", scope]);
        assert_eq!(ran.stdout.matches("moved ").count(), 1, "{ran:?}");
        assert!(sandbox.path(".claude/hookbin.set-aside-1/log/audit.jsonl").exists());
        assert!(!sandbox.cli(&["status"]).stdout.contains("of-a-stranger"));
        // What the user's own installation records stays, whatever installs again.
        let start = r#"{"session_id":"of-mine","hook_event_name":"SessionStart","source":"startup"}"#;
        assert_eq!(sandbox.hook(&["SessionStart", "--local"], start.as_bytes()).code, Some(0));
        let again = sandbox.cli(&["install", "--scope", "local"]);
        assert!(!again.stdout.contains("moved "), "{again:?}");
        assert!(sandbox.cli(&["status"]).stdout.contains("of-mine"));
    }
}

/// A note of an installation is of the directory that it was made in: what another clone brings to its path is a stranger's.
#[test]
fn an_installation_vouches_for_no_other_dir_under_its_path() {
    let start = |session: &str| json!({"session_id": session, "hook_event_name": "SessionStart", "source": "startup"});
    for scope in ["local", "project"] {
        let sandbox = Sandbox::new();
        assert_eq!(sandbox.cli(&["install", "--scope", scope]).code, Some(0));
        sandbox.hook(&["SessionStart", "--local"], start("of-mine").to_string().as_bytes());
        assert!(sandbox.cli(&["status"]).stdout.contains("of-mine"), "{scope}");
        let kept = sandbox.home().join("kept");
        std::fs::rename(sandbox.project(), &kept).unwrap();
        let stranger = Sandbox::with_profile("standard");
        stranger.hook(&["SessionStart"], start("of-a-stranger").to_string().as_bytes());
        for file in crate::sandbox::tree(&stranger.path(".claude/hookbin")) {
            let to = sandbox.project().join(file.strip_prefix(stranger.project()).unwrap());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(file, to).unwrap();
        }
        let ran = sandbox.cli(&["install", "--scope", scope]);
        assert_eq!(ran.stdout.matches("moved ").count(), 1, "{scope}: {ran:?}");
        assert!(!sandbox.cli(&["status"]).stdout.contains("of-a-stranger"), "{scope}");
        // The note is of this directory now, and what is recorded here stays.
        sandbox.hook(&["SessionStart", "--local"], start("of-mine-too").to_string().as_bytes());
        assert!(!sandbox.cli(&["install", "--scope", scope]).stdout.contains("moved "), "{scope}");
        assert!(sandbox.cli(&["status"]).stdout.contains("of-mine-too"), "{scope}");
    }
    // A note of an earlier version does not know its directory, and counts as it did.
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.cli(&["install", "--scope", "local"]).code, Some(0));
    sandbox.hook(&["SessionStart", "--local"], start("of-mine").to_string().as_bytes());
    let note = sandbox.note("local");
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&note).unwrap()).unwrap();
    assert!(record.as_object_mut().unwrap().remove("folder").is_some(), "{record}");
    std::fs::write(&note, record.to_string()).unwrap();
    assert!(!sandbox.cli(&["install", "--scope", "local"]).stdout.contains("moved "));
    assert!(sandbox.cli(&["status"]).stdout.contains("of-mine"));
}

/// A line is not rewritten so that it writes through a link of the project.
#[test]
fn no_line_is_led_through_a_link_of_the_project() {
    let line = |sandbox: &Sandbox, command: &str| {
        event(sandbox, "PreToolUse", &json!({"tool_name": "Bash", "tool_input": {"command": command}}))
    };
    for (link, command) in [
        ("tmp", "echo a > /tmp/notes.txt"),
        ("tmp", "mkdir -p /tmp/notes && touch /tmp/notes/a"),
        ("tmp/sub", "echo a > /tmp/sub/notes.txt"),
        ("tmp/notes.txt", "echo a | tee /tmp/notes.txt"),
    ] {
        let sandbox = Sandbox::with_profile("guardrails");
        let before = line(&sandbox, command);
        assert!(before.stdout.contains("updatedInput"), "{command}: {before:?}");
        let elsewhere = sandbox.home().join("elsewhere");
        std::fs::create_dir_all(&elsewhere).unwrap();
        // The first answer made the directory.
        let _ = std::fs::remove_dir_all(sandbox.path("tmp"));
        plant(&sandbox, link, &elsewhere);
        let ran = line(&sandbox, command);
        assert!(!ran.stdout.contains("updatedInput") && ran.decision().as_deref() == Some("deny"), "{link}: {ran:?}");
        assert!(ran.reason().contains("through a link"), "{link}: {ran:?}");
    }
    let sandbox = Sandbox::with_profile("guardrails");
    std::fs::create_dir(sandbox.path("build")).unwrap();
    plant(&sandbox, "tmp", Path::new("build"));
    let ran = line(&sandbox, "echo a > /tmp/notes.txt");
    assert!(ran.stdout.contains("updatedInput"), "{ran:?}");
}
