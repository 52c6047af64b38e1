//! The scopes `local`, `project` and `user`: where each puts what, which one answers, and that each gives back what it found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::sandbox::{Ran, Sandbox, run};

const LOCAL: &str = ".claude/settings.local.json";
const SHARED: &str = ".claude/settings.json";

/// Every file and directory below, with what it holds; a repository's own directory is left out.
fn whole(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.ends_with(".git") {
                continue;
            }
            let is_dir = entry.file_type().unwrap().is_dir();
            found.insert(path.clone(), if is_dir { None } else { Some(std::fs::read(&path).unwrap()) });
            open.extend(is_dir.then_some(path));
        }
    }
    found
}

fn good(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn destroy(sandbox: &Sandbox, mark: &[&str]) -> Ran {
    let call = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.project(), "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"}});
    sandbox.hook(&[&["PreToolUse"], mark].concat(), call.to_string().as_bytes())
}

#[test]
fn without_a_scope_the_entries_are_the_persons_own() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install", "--profile", "spf"]));
    let entry = &sandbox.json(LOCAL)["hooks"]["PreToolUse"][0]["hooks"][0];
    let executable = sandbox.home().join(".local/share/hookbin/hookbin");
    assert_eq!(entry["command"], executable.to_str().unwrap());
    assert_eq!(entry["args"], json!(["hook", "PreToolUse", "--local"]));
    assert!(executable.is_file());
    for absent in [SHARED, ".claude/hookbin/hookbin", ".claude/hookbin/install.json", ".claude/hookbin.toml"] {
        assert!(!sandbox.path(absent).exists(), "{absent}");
    }
    let written: Vec<_> =
        std::fs::read_dir(sandbox.home().join(".config/hookbin/projects")).unwrap().flatten().collect();
    assert!(matches!(&*written, [file] if std::fs::read_to_string(file.path()).unwrap() == "profile = [\"spf\"]\n"));
    assert!(sandbox.cli(&["doctor"]).stdout.contains("profile spf, the guard is on"));
}

#[test]
fn the_persons_file_outranks_the_projects() {
    let sandbox = Sandbox::with_profile("standard");
    good(&sandbox.cli(&["install", "--profile", "spf"]));
    let read = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": sandbox.project(), "tool_name": "Read",
        "tool_input": {"file_path": "a"}});
    assert_eq!(
        sandbox.hook(&["PreToolUse", "--local"], read.to_string().as_bytes()).decision().as_deref(),
        Some("deny")
    );
    assert_eq!(sandbox.read(".claude/hookbin.toml"), "profile = [\"standard\"]\n");
    assert!(sandbox.cli(&["config", "check"]).stdout.contains("projects/project-"));
}

#[test]
fn each_scope_gives_back_what_it_found() {
    for scope in ["local", "project", "user"] {
        for before in
            [&[][..], &[(LOCAL, "{\n\t\"model\": \"x\"\n}"), (SHARED, "{ }\n"), (".claude/hookbin.toml", "# mine\n")]]
        {
            let sandbox = Sandbox::new();
            for (path, text) in before {
                sandbox.write(path, text);
            }
            // Nobody trusts anything here; it would go with `--purge`.
            let _ = std::fs::remove_dir_all(sandbox.home().join(".local"));
            let found = whole(&sandbox.home());
            good(&sandbox.cli(&["install", "--scope", scope, "--profile", "spf"]));
            assert_ne!(whole(&sandbox.home()), found);
            let out: &[&str] =
                if scope == "user" { &["uninstall", "--scope", "user", "--purge"] } else { &["uninstall", "--purge"] };
            good(&sandbox.cli(out));
            assert_eq!(whole(&sandbox.home()), found, "{scope}");
        }
    }
}

#[test]
fn a_change_of_scope_and_several_scopes_give_back_what_they_found() {
    for order in [["local", "project"], ["project", "local"]] {
        let sandbox = Sandbox::new();
        sandbox.write(SHARED, "{}");
        let found = whole(&sandbox.home());
        for scope in order {
            good(&sandbox.cli(&["install", "--scope", scope, "--profile", "spf"]));
        }
        good(&sandbox.cli(&["uninstall", "--purge"]));
        assert_eq!(whole(&sandbox.home()), found, "{order:?} at once");
        for scope in order {
            good(&sandbox.cli(&["install", "--scope", scope]));
        }
        for scope in order {
            good(&sandbox.cli(&["uninstall", "--scope", scope, "--purge"]));
        }
        assert_eq!(whole(&sandbox.home()), found, "{order:?} one by one");
    }
}

/// What version 0.1.0 left with `--local` or without: entries that start the project's copy, and the note beside it.
fn old(sandbox: &Sandbox, settings: &str) {
    good(&sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]));
    let program = sandbox.path(".claude/hookbin/hookbin");
    std::fs::rename(sandbox.home().join(".local/share/hookbin/hookbin"), &program).unwrap();
    let mut entries = sandbox.json(SHARED);
    for (event, groups) in entries["hooks"].as_object_mut().unwrap() {
        let entry = &mut groups[0]["hooks"][0];
        entry["command"] = json!("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin");
        entry["args"] = json!(["hook", event]);
    }
    sandbox.write(SHARED, &(serde_json::to_string_pretty(&entries).unwrap() + "\n"));
    let notes = sandbox.home().join(".local/state/hookbin");
    let mut note: serde_json::Value = serde_json::from_slice(&std::fs::read(sandbox.note("project")).unwrap()).unwrap();
    for key in ["placed", "root"] {
        note.as_object_mut().unwrap().remove(key);
    }
    note["made"] = json!([".claude", ".claude/hookbin"]);
    note["version"] = json!(2);
    sandbox.write(".claude/hookbin/install.json", &note.to_string());
    std::fs::remove_dir_all(notes.parent().unwrap()).unwrap();
    let vouchers = sandbox.home().join(".local/share/hookbin/projects");
    std::fs::create_dir_all(&vouchers).unwrap();
    let executable = program.metadata().unwrap();
    let modified = executable.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    std::fs::write(vouchers.join(sandbox.name()), format!("{} {}\n", executable.len(), modified.as_nanos())).unwrap();
    if settings != SHARED {
        std::fs::rename(sandbox.path(SHARED), sandbox.path(settings)).unwrap();
    }
}

#[test]
fn an_installation_of_an_earlier_version_is_taken_out_brought_up_to_date_and_migrated() {
    for settings in [SHARED, LOCAL] {
        for steps in [&[][..], &["install"], &["install --scope local"], &["install --scope local", "install"]] {
            let sandbox = Sandbox::new();
            std::fs::create_dir_all(sandbox.home().join(".local/share")).unwrap();
            let found = whole(&sandbox.home());
            old(&sandbox, settings);
            for step in steps {
                // Beside entries of the older form it is told that they are.
                let ran = sandbox.cli(&step.split(' ').collect::<Vec<_>>());
                assert!(matches!(ran.code, Some(0 | 4)), "{ran:?}");
            }
            // What the project shares stays as it is beside an installation of scope local.
            if settings == LOCAL && !steps.is_empty() || steps == ["install"] {
                assert!(!sandbox.path(".claude/hookbin/install.json").exists(), "{settings} {steps:?}");
            }
            if !steps.is_empty() && settings == LOCAL {
                assert!(!sandbox.path(".claude/hookbin/hookbin").exists() && !sandbox.path(SHARED).exists());
            }
            good(&sandbox.cli(&["uninstall", "--purge"]));
            assert_eq!(whole(&sandbox.home()), found, "{settings} {steps:?}");
        }
    }
}

#[test]
fn an_installation_is_updated_where_it_stands() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install", "--scope", "project"]));
    let ran = sandbox.cli(&["install", "--profile", "spf"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("brought up to date there"), "{ran:?}");
    assert!(!sandbox.path(LOCAL).exists());
    let other = Sandbox::new();
    good(&other.cli(&["install", "--user"]));
    good(&other.cli(&["install"]));
    assert!(!other.path(LOCAL).exists());
    let project = other.project();
    good(&other.cli(&["install", "--project", project.to_str().unwrap()]));
    assert!(other.path(LOCAL).exists());
}

#[test]
fn local_answers_before_project_before_user() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install", "--user"]));
    assert_eq!(destroy(&sandbox, &["--user"]).code, Some(2));
    good(&sandbox.cli(&["install", "--scope", "project"]));
    assert_eq!([destroy(&sandbox, &["--user"]).code, destroy(&sandbox, &[]).code], [Some(0), Some(2)]);
    good(&sandbox.cli(&["install", "--scope", "local"]));
    let codes = || [&["--user"][..], &[], &["--local"]].map(|mark| destroy(&sandbox, mark).code.unwrap());
    assert_eq!(codes(), [0, 0, 2]);
    assert!(sandbox.cli(&["doctor"]).stdout.contains("yours in settings.local.json answer"));
    // An entry that is not certain to run silences nobody.
    let settings = sandbox.read(LOCAL);
    sandbox.write(LOCAL, &settings.replace("\"timeout\": 10", "\"timeout\": 1"));
    assert_eq!(codes(), [0, 2, 2]);
    sandbox.write(LOCAL, &settings);
    std::fs::remove_file(sandbox.note("local")).unwrap();
    assert_eq!(codes(), [0, 2, 2]);
}

#[test]
fn git_takes_the_entries_away_in_no_everyday_command() {
    for own_ignore in [None, Some("/.tmp*\n")] {
        let sandbox = Sandbox::new();
        let project = sandbox.project();
        let git = |args: &[&str]| sandbox.git(&project, args);
        git(&["init", "-q"]);
        sandbox.write("a", "1");
        if let Some(text) = own_ignore {
            sandbox.write(".gitignore", ".claude/settings.local.json\n");
            sandbox.write(".claude/.gitignore", text);
        }
        git(&["add", "-A"]);
        git(&["commit", "-qm", "a"]);
        git(&["branch", "old"]);
        good(&sandbox.cli(&["install"]));
        let (entries, ignore) = (sandbox.read(LOCAL), sandbox.read(".claude/.gitignore"));
        for command in
            [&["stash", "-q", "-u"][..], &["clean", "-qfd"], &["checkout", "-q", "old"], &["reset", "-q", "--hard"]]
        {
            sandbox.write("a", "2");
            git(command);
            assert_eq!(sandbox.read(LOCAL), entries, "{command:?}");
            assert_eq!(sandbox.read(".claude/.gitignore"), ignore);
            sandbox.write("a", "1");
        }
    }
}

#[test]
fn a_local_file_that_git_tracks_or_cannot_ignore_is_told() {
    for (ignore, tracked, words) in [
        (None, true, "git tracks .claude/settings.local.json"),
        (Some("!settings.local.json\n"), false, "git does not ignore"),
        (Some("/.gitignore\nsettings.local.json\n!/settings.local.json\n"), false, "git does not ignore"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.git(&sandbox.project(), &["init", "-q"]);
        if let Some(text) = ignore {
            sandbox.write(".claude/.gitignore", text);
        }
        if tracked {
            sandbox.write(LOCAL, "{}");
            sandbox.git(&sandbox.project(), &["add", "-f", LOCAL]);
        }
        let mut command = sandbox.command(&["install"]);
        command.env("PATH", "/usr/bin:/bin");
        let ran = run(command, b"");
        assert!(ran.code == Some(0) && ran.stdout.contains(words), "{ran:?}");
        let mut command = sandbox.command(&["doctor"]);
        command.env("PATH", "/usr/bin:/bin");
        assert!(run(command, b"").stdout.contains(words));
    }
}

#[test]
fn an_ignore_file_of_an_earlier_version_is_completed() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install"]));
    let whole = sandbox.read(".claude/.gitignore");
    for later in ["/handoff/\n", "/settings.local.json\n/handoff/\n"] {
        let earlier = whole.strip_suffix(later).unwrap();
        sandbox.write(".claude/.gitignore", earlier);
        good(&sandbox.cli(&["install"]));
        assert_eq!(sandbox.read(".claude/.gitignore"), whole);
    }
}

#[test]
fn taking_out_leaves_a_mark_that_installing_removes() {
    let sandbox = Sandbox::new();
    for (scope, mark) in [("local", "projects/*"), ("project", "projects/*"), ("user", "")] {
        good(&sandbox.cli(&["install", "--scope", scope]));
        let mark = if mark.is_empty() {
            sandbox.home().join(".local/state/hookbin/uninstalled")
        } else {
            sandbox.note(scope).with_file_name(if scope == "local" { "uninstalled-local" } else { "uninstalled" })
        };
        assert!(!mark.exists());
        good(&sandbox.cli(&["uninstall", "--scope", scope]));
        let said = std::fs::read_to_string(&mark).unwrap();
        assert!(chrono::DateTime::parse_from_rfc3339(said.trim()).is_ok(), "{said}");
        good(&sandbox.cli(&["install", "--scope", scope]));
        assert!(!mark.exists());
        good(&sandbox.cli(&["uninstall", "--scope", scope, "--purge"]));
        assert!(!mark.exists());
    }
}

#[test]
fn the_persons_copy_stays_as_long_as_another_project_needs_it() {
    let sandbox = Sandbox::new();
    let other = sandbox.home().join("other");
    std::fs::create_dir(&other).unwrap();
    let before = whole(&sandbox.home());
    let other = other.to_str().unwrap();
    good(&sandbox.cli(&["install"]));
    good(&sandbox.cli(&["install", "--project", other]));
    good(&sandbox.cli(&["uninstall", "--purge"]));
    assert!(sandbox.home().join(".local/share/hookbin/hookbin").exists());
    good(&sandbox.cli(&["uninstall", "--project", other, "--purge"]));
    assert_eq!(whole(&sandbox.home()), before);
}

#[test]
fn a_project_that_moved_is_taken_out_with_a_warning() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install"]));
    let moved = sandbox.home().join("moved");
    std::fs::rename(sandbox.project(), &moved).unwrap();
    std::fs::create_dir(sandbox.project()).unwrap();
    let ran = sandbox.cli(&["uninstall", "--project", moved.to_str().unwrap()]);
    assert!(ran.code == Some(0) && ran.stdout.contains("warning: there is no note of this installation"), "{ran:?}");
    assert!(!moved.join(LOCAL).exists());
}

#[test]
fn a_link_to_the_settings_of_another_scope_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write(SHARED, "{}");
    std::os::unix::fs::symlink("settings.json", sandbox.path(LOCAL)).unwrap();
    let before = whole(&sandbox.home());
    let ran = sandbox.cli(&["install"]);
    assert!(ran.code == Some(70) && ran.stderr.contains("settings.local.json is a link to"), "{ran:?}");
    assert_eq!(whole(&sandbox.home()), before);
}

#[test]
fn the_agent_changes_none_of_its_files() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install", "--profile", "standard"]));
    let note = sandbox.note("local");
    let name = note.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let home = sandbox.home();
    let files = [
        sandbox.path(LOCAL),
        home.join(format!(".config/hookbin/projects/{name}.toml")),
        home.join(".local/share/hookbin/hookbin"),
        note.clone(),
        note.with_file_name("uninstalled-local"),
    ];
    for file in files {
        let calls = [
            json!({"tool_name": "Write", "tool_input": {"file_path": file, "content": "{}"}}),
            json!({"tool_name": "Edit", "tool_input": {"file_path": file, "old_string": "a", "new_string": "b"}}),
            json!({"tool_name": "Bash", "tool_input": {"command": format!("rm -f {}", file.display())}}),
            json!({"tool_name": "Bash", "tool_input": {"command": format!("echo x > {}", file.display())}}),
        ];
        for mut call in calls {
            call["hook_event_name"] = json!("PreToolUse");
            call["session_id"] = json!("s");
            call["cwd"] = json!(sandbox.project());
            let ran = sandbox.hook(&["PreToolUse", "--local"], call.to_string().as_bytes());
            assert_eq!(ran.decision().as_deref(), Some("deny"), "{call}");
        }
    }
}

/// Settings that a package manager keeps in a store are links that nobody may write through, and a `.claude` may be somebody else's.
#[test]
fn what_the_person_may_not_write_is_refused_and_left_as_it_is() {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let set = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    for (is_store, words) in [(true, "is a link to"), (false, "nothing can be written in")] {
        let sandbox = Sandbox::new();
        let store = sandbox.home().with_file_name("store");
        std::fs::create_dir(&store).unwrap();
        std::fs::write(store.join("settings.json"), "{}").unwrap();
        std::fs::create_dir(sandbox.path(".claude")).unwrap();
        if is_store {
            std::os::unix::fs::symlink(store.join("settings.json"), sandbox.path(LOCAL)).unwrap();
            chown(sandbox.path(".claude"), Some(65534), Some(65534)).unwrap();
        }
        for path in [sandbox.home(), sandbox.project()] {
            chown(path, Some(65534), Some(65534)).unwrap();
        }
        set(sandbox.home().parent().unwrap(), 0o755);
        let before = whole(&sandbox.home());
        let install = |args: &[&str]| {
            let mut command = sandbox.command(&[&["install"], args].concat());
            command.uid(65534).gid(65534);
            run(command, b"")
        };
        for args in [&["--dry-run"][..], &[]] {
            let ran = install(args);
            assert!(ran.code == Some(70) && ran.stderr.contains(words), "{ran:?}");
            assert_eq!(whole(&sandbox.home()), before);
        }
        if is_store {
            good(&install(&["--scope", "project"]));
            assert_eq!(std::fs::read_to_string(store.join("settings.json")).unwrap(), "{}");
        }
    }
}

#[test]
fn working_trees_without_the_entries_are_named() {
    let sandbox = Sandbox::new();
    let root = sandbox.project();
    sandbox.git(&root, &["init", "-q"]);
    sandbox.git(&root, &["commit", "-q", "--allow-empty", "-m", "a"]);
    sandbox.git(&root, &["worktree", "add", "-q", "../wt"]);
    let said = sandbox.cli(&["install"]).stdout;
    assert!(said.contains("not covered: the working tree") && said.contains("/wt; install there too"), "{said}");
    let mut command = sandbox.command(&["status", "--line"]);
    let tree = sandbox.home().join("wt");
    command.env("CLAUDE_PROJECT_DIR", &tree).current_dir(&tree);
    let ran = run(command, b"");
    assert!(ran.code == Some(4) && ran.stdout.starts_with("hookbin OFF: not covered here"), "{ran:?}");
}

#[test]
fn doctor_looks_at_one_scope_where_it_is_named() {
    let sandbox = Sandbox::new();
    good(&sandbox.cli(&["install", "--scope", "project"]));
    good(&sandbox.cli(&["doctor", "--scope", "project"]));
    let ran = sandbox.cli(&["doctor", "--scope", "local"]);
    assert!(
        ran.code == Some(4) && ran.stdout.contains("--scope local") && !ran.stdout.contains("13 entries"),
        "{ran:?}"
    );
    // What is gone is installed again where it stood.
    std::fs::remove_file(sandbox.path(SHARED)).unwrap();
    good(&sandbox.cli(&["doctor", "--fix"]));
    assert!(sandbox.path(SHARED).exists() && !sandbox.path(LOCAL).exists());
}

/// A clone brings the note of an installation in the older place: it says nothing of the user's executable.
#[test]
fn a_note_that_a_clone_brings_takes_no_executable_away() {
    let sandbox = Sandbox::new();
    let executable = sandbox.home().join(".local/share/hookbin/hookbin");
    std::fs::create_dir_all(executable.parent().unwrap()).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &executable).unwrap();
    sandbox.write(".claude/hookbin/install.json", r#"{"version": 4, "placed": true, "made": [], "root": "/"}"#);
    let ran = sandbox.cli(&["uninstall", "--scope", "project"]);
    assert!(executable.exists(), "{ran:?}");
}
