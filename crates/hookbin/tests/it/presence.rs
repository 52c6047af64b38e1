//! Whether the guard is on: what leaves the settings in mid-session, and what `status`, its line, `doctor` and the host's status
//! line say.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run};

const SETTINGS: &str = ".claude/settings.json";
const LOCAL: &str = ".claude/settings.local.json";
const SESSION: &str = "00000000-0000-4000-8000-0000000000c1";

/// What happens to an installation.
type Change = fn(&Sandbox);

fn installed(further: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let scope: &[&str] = if further.is_empty() { &["--scope", "project"] } else { further };
    let ran = sandbox.cli(&[&["install", "--profile", "standard"], scope].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    sandbox
}

fn event(sandbox: &Sandbox, name: &str, more: &Value) -> Ran {
    let mut event = json!({"session_id": SESSION, "cwd": sandbox.project(), "hook_event_name": name});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let now = [("HOOKBIN_NOW", "2026-03-01T10:00:00Z")];
    sandbox.hook_with(&[name], event.to_string().as_bytes(), &now)
}

fn start(sandbox: &Sandbox) {
    event(sandbox, "SessionStart", &json!({"source": "startup"}));
}

fn changed(sandbox: &Sandbox, source: &str, file: &str) -> Ran {
    event(sandbox, "ConfigChange", &json!({"source": source, "file_path": sandbox.path(file)}))
}

#[track_caller]
fn is_blocked(ran: &Ran, words: &str) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let json = ran.json();
    assert_eq!(json["decision"], "block", "{ran:?}");
    assert!(json["reason"].as_str().unwrap().contains(words), "{words}: {ran:?}");
    assert_eq!(json.as_object().unwrap().len(), 2, "nothing else is said: {ran:?}");
}

#[track_caller]
fn passes(ran: &Ran) {
    assert_eq!((ran.code, ran.stdout.trim()), (Some(0), ""), "{ran:?}");
}

/// What the user is told with the next calls, stops and prompts.
fn told(sandbox: &Sandbox) -> Vec<String> {
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}, "tool_use_id": "t"});
    let next = [
        ("PostToolUse", call.clone()),
        ("UserPromptSubmit", json!({"prompt": "go"})),
        ("Stop", json!({})),
        ("PostToolUse", call),
    ];
    let all = next.iter().map(|(name, more)| event(sandbox, name, more)).filter(|ran| ran.stdout.starts_with('{'));
    all.filter_map(|ran| ran.json()["systemMessage"].as_str().map(str::to_owned))
        .filter(|said| said.contains("guard"))
        .collect()
}

fn line(sandbox: &Sandbox) -> (Option<i32>, String) {
    let ran = sandbox.cli(&["status", "--line"]);
    (ran.code, ran.stdout.trim().to_owned())
}

fn edit(sandbox: &Sandbox, file: &str, change: impl Fn(&mut Value)) {
    let mut settings = sandbox.json(file);
    change(&mut settings);
    sandbox.write(file, &settings.to_string());
}

#[test]
fn settings_that_lose_the_entry_in_mid_session_are_refused_and_told_once() {
    let lost: [(&str, Change, &str); 8] = [
        ("deleted", |s| std::fs::remove_file(s.path(SETTINGS)).unwrap(), ".claude/settings.json is gone"),
        ("emptied", |s| s.write(SETTINGS, "{}"), "does not hold the guard's entry any more"),
        ("no JSON", |s| s.write(SETTINGS, "{\"hooks\": "), "drops .claude/settings.json whole"),
        ("a comment", |s| s.write(SETTINGS, &format!("// mine\n{}", s.read(SETTINGS))), "line 1: comment"),
        (
            "a narrow matcher",
            |s| edit(s, SETTINGS, |all| all["hooks"]["PreToolUse"][0]["matcher"] = json!("Read")),
            "leaves out Bash",
        ),
        (
            "in the background",
            |s| edit(s, SETTINGS, |all| all["hooks"]["PreToolUse"][0]["hooks"][0]["async"] = json!(true)),
            "background",
        ),
        (
            "another program",
            |s| {
                edit(s, SETTINGS, |all| {
                    all["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = json!("/nowhere/hookbin hook PreToolUse");
                });
            },
            "starts is gone",
        ),
        (
            "switched off",
            |s| edit(s, SETTINGS, |all| all["disableAllHooks"] = json!(true)),
            "disableAllHooks in .claude/settings.json",
        ),
    ];
    for (name, lose, words) in lost {
        let sandbox = installed(&[]);
        start(&sandbox);
        passes(&changed(&sandbox, "project_settings", SETTINGS));
        lose(&sandbox);
        for _ in 0..3 {
            let ran = changed(&sandbox, "project_settings", SETTINGS);
            is_blocked(&ran, words);
            assert!(!ran.stdout.contains("uninstall") && !ran.stdout.contains("doctor"), "{name}: {ran:?}");
        }
        let said = told(&sandbox);
        assert_eq!(said.len(), 1, "{name}: {said:?}");
        assert!(said[0].contains(words) && said[0].contains("`hookbin uninstall`"), "{name}: {said:?}");
        // The same again is no news.
        is_blocked(&changed(&sandbox, "project_settings", SETTINGS), words);
        assert_eq!(told(&sandbox), [""; 0], "{name}");
        let log = sandbox.read(".claude/hookbin/log/audit.jsonl");
        assert!(
            log.lines().any(|line| line.contains("\"ConfigChange\"") && line.contains("\"keep-entry\"")),
            "{name}: {log}"
        );
        let (code, line) = line(&sandbox);
        assert!(code == Some(4) && line.starts_with("hookbin OFF: "), "{name}: {line}");
    }
}

#[test]
fn the_line_is_quiet_again_once_the_entry_is_back() {
    let sandbox = installed(&[]);
    start(&sandbox);
    assert_eq!(line(&sandbox).0, Some(0));
    let before = sandbox.read(SETTINGS);
    std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    is_blocked(&changed(&sandbox, "project_settings", SETTINGS), "is gone");
    assert!(line(&sandbox).0 == Some(4) && line(&sandbox).1.starts_with("hookbin OFF: entry gone · standard · "));
    sandbox.write(SETTINGS, &before);
    passes(&changed(&sandbox, "project_settings", SETTINGS));
    assert_eq!(told(&sandbox), [""; 0], "it was mended before anybody was told");
    assert!(line(&sandbox).0 == Some(0) && line(&sandbox).1.starts_with("hookbin standard"));
}

#[test]
fn what_leaves_an_entry_that_answers_passes() {
    // Other hooks and permissions may come and go.
    let sandbox = installed(&[]);
    start(&sandbox);
    edit(&sandbox, SETTINGS, |all| all["permissions"] = json!({"allow": ["Bash(ls:*)"]}));
    passes(&changed(&sandbox, "project_settings", SETTINGS));
    // Another scope still answers.
    assert_eq!(sandbox.cli(&["install", "--local"]).code, Some(0));
    std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    passes(&changed(&sandbox, "project_settings", SETTINGS));
    // So does a plugin.
    sandbox.write(SETTINGS, &json!({"enabledPlugins": {"hookbin@here": true}}).to_string());
    std::fs::remove_file(sandbox.path(LOCAL)).unwrap();
    passes(&changed(&sandbox, "local_settings", LOCAL));
    // A skill takes nothing away.
    std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    passes(&changed(&sandbox, "skills", ".claude/skills/a/SKILL.md"));
    // Managed settings count whatever a hook says.
    passes(&changed(&sandbox, "policy_settings", SETTINGS));
    // An explicit false in a file with more precedence keeps hooks on.
    let sandbox = installed(&["--local"]);
    edit(&sandbox, LOCAL, |all| all["disableAllHooks"] = json!(false));
    sandbox.write(SETTINGS, &json!({"disableAllHooks": true}).to_string());
    passes(&changed(&sandbox, "project_settings", SETTINGS));
}

/// A hook that the user started by other means than settings has no entry to keep.
#[test]
fn without_an_entry_before_there_is_none_to_keep() {
    let sandbox = Sandbox::new();
    start(&sandbox);
    sandbox.write(SETTINGS, "{}");
    passes(&changed(&sandbox, "project_settings", SETTINGS));
}

#[test]
fn an_entry_without_a_note_is_kept_as_well() {
    let sandbox = installed(&[]);
    // As in a colleague's clone, where nobody has run the installation.
    std::fs::remove_file(sandbox.note("project")).unwrap();
    start(&sandbox);
    std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    std::fs::remove_file(sandbox.home().join(".local/share/hookbin/hookbin")).unwrap();
    is_blocked(&changed(&sandbox, "project_settings", SETTINGS), "is gone");
}

/// The directory of the marks that the user's own commands leave.
fn marks(sandbox: &Sandbox) -> std::path::PathBuf {
    sandbox.note("project").parent().unwrap().to_owned()
}

#[test]
fn the_persons_own_uninstalling_is_not_refused() {
    let take_out = |sandbox: &Sandbox| std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    for (mark, time, is_own) in [
        ("uninstalled", "2026-03-01T10:05:00Z", true),
        ("uninstalled", "2026-03-01T12:05:00+02:00", true),
        // Of an earlier installation.
        ("uninstalled", "2026-02-01T10:05:00Z", false),
        ("uninstalled", "", false),
        // A pause lifts what is refused, and the entry stays.
        ("pause", "2026-03-01T10:30:00Z", false),
    ] {
        let sandbox = installed(&[]);
        start(&sandbox);
        std::fs::write(marks(&sandbox).join(mark), format!("{time}\n")).unwrap();
        take_out(&sandbox);
        let ran = changed(&sandbox, "project_settings", SETTINGS);
        if is_own {
            passes(&ran);
        } else {
            is_blocked(&ran, "is gone");
        }
        assert_eq!(told(&sandbox).is_empty(), is_own, "{mark} {time}");
    }
}

#[test]
fn taking_out_without_a_trace_is_not_refused_either() {
    for scope in ["local", "user"] {
        let sandbox = installed(&["--scope", scope]);
        start(&sandbox);
        let (source, file) = match scope {
            "user" => ("user_settings", sandbox.home().join(SETTINGS)),
            _ => ("local_settings", sandbox.path(LOCAL)),
        };
        assert_eq!(sandbox.cli(&["uninstall", "--scope", scope, "--purge"]).code, Some(0));
        let more = json!({"source": source, "file_path": file});
        passes(&event(&sandbox, "ConfigChange", &more));
        assert_eq!(told(&sandbox), [""; 0], "{scope}");
    }
}

/// Whoever once took out the installation for all projects has not taken out the one of this project.
#[test]
fn what_was_taken_out_of_another_scope_is_no_leave_to_go() {
    for purge in [&[][..], &["--purge"]] {
        let sandbox = Sandbox::new();
        for args in [&["install", "--user"][..], &["install", "--local"], &["install", "--scope", "project"]] {
            assert_eq!(sandbox.cli(args).code, Some(0));
        }
        start(&sandbox);
        for scope in ["user", "project"] {
            let ran = sandbox.cli(&[&["uninstall", "--scope", scope], purge].concat());
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        std::fs::remove_file(sandbox.path(LOCAL)).unwrap();
        is_blocked(&changed(&sandbox, "local_settings", LOCAL), ".claude/settings.local.json is gone");
        let status = sandbox.cli(&["status"]);
        assert!(
            status.stdout.contains("OFF: entry gone") && status.stdout.contains("settings.local.json"),
            "{status:?}"
        );
    }
}

#[test]
fn an_entry_for_all_projects_covers_subdirs_and_the_home_dir() {
    let sandbox = installed(&["--local"]);
    std::fs::create_dir_all(sandbox.path("sub")).unwrap();
    let ask = |dir: std::path::PathBuf, args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir(dir);
        run(command, b"")
    };
    assert_eq!(ask(sandbox.path("sub"), &["doctor"]).code, Some(4), "as status says");
    let home = ask(sandbox.home(), &["status", "--line"]);
    assert_eq!((home.code, home.stdout.as_str()), (Some(4), "hookbin OFF: not installed here standard\n"));
    assert_eq!(sandbox.cli(&["install", "--user"]).code, Some(0));
    let sub = ask(sandbox.path("sub"), &["status"]);
    assert!(sub.code == Some(0) && sub.stdout.contains("ON (scope user)"), "{sub:?}");
    let home = ask(sandbox.home(), &["status", "--line"]);
    assert_eq!((home.code, home.stdout.as_str()), (Some(0), "hookbin standard\n"));
    assert_eq!(ask(sandbox.home(), &["status"]).code, Some(0));
    assert_eq!(ask(sandbox.home(), &["status", "--json"]).json()["guard"]["scope"], "user");
}

/// A new file would stand in the way of what git brings back.
#[test]
fn what_git_took_is_brought_back_with_git() {
    let sandbox = installed(&[]);
    let root = sandbox.project();
    sandbox.git(&root, &["init", "-q"]);
    sandbox.git(&root, &["commit", "-q", "--allow-empty", "-m", "a"]);
    sandbox.git(&root, &["stash", "-q", "-u"]);
    let status = sandbox.cli(&["status"]);
    assert!(status.code == Some(4) && status.stdout.contains("Bring it back with git"), "{status:?}");
}

#[test]
fn a_storm_of_changes_is_said_once_and_stays_small() {
    let sandbox = installed(&[]);
    start(&sandbox);
    let before = sandbox.read(SETTINGS);
    let document = || std::fs::metadata(sandbox.state(&format!("sessions/{SESSION}.json"))).unwrap().len();
    let small = document();
    for number in 0..1_000 {
        // It comes and goes, in more and more different ways.
        sandbox.write(SETTINGS, &format!("{}x", "\n".repeat(number % 60)));
        is_blocked(&changed(&sandbox, "project_settings", SETTINGS), "whole");
        if number % 50 == 0 {
            assert!(told(&sandbox).len() <= 1);
            sandbox.write(SETTINGS, &before);
            passes(&changed(&sandbox, "project_settings", SETTINGS));
        }
    }
    assert!(document() < small + 6000, "{} after {small}", document());
}

#[test]
fn the_persons_own_settings_are_kept_too() {
    let sandbox = installed(&["--user"]);
    let settings = sandbox.home().join(".claude/settings.json");
    let change = |name: &str, more: &Value| {
        let mut event = json!({"session_id": SESSION, "cwd": sandbox.project(), "hook_event_name": name});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sandbox.hook(&[name, "--user"], event.to_string().as_bytes())
    };
    change("SessionStart", &json!({"source": "startup"}));
    assert_eq!(line(&sandbox).0, Some(0));
    std::fs::write(&settings, "{}").unwrap();
    let more = json!({"source": "user_settings", "file_path": settings});
    is_blocked(&change("ConfigChange", &more), "does not hold the guard's entry any more");
    let said = change("Stop", &json!({})).json()["systemMessage"].as_str().unwrap().to_owned();
    assert!(said.contains("This session stays guarded"), "{said}");
    assert!(line(&sandbox).1.starts_with("hookbin OFF: entry gone"), "{:?}", line(&sandbox));
}

/// The user pauses the guard.
fn paused(sandbox: &Sandbox) {
    let mut command = sandbox.command(&["pause", "10m"]);
    command.env("HOOKBIN_UNATTENDED", "1");
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Each state with its word in every command, and the exit code for scripts.
#[test]
fn every_state_has_its_word_and_exit_code_everywhere() {
    let states: [(&str, Change, &str); 6] = [
        ("entry gone", |s| std::fs::remove_file(s.path(SETTINGS)).unwrap(), "entry-gone"),
        (
            "executable gone",
            |s| std::fs::remove_file(s.path("../.local/share/hookbin/hookbin")).unwrap(),
            "executable-gone",
        ),
        ("hooks off", |s| s.write(LOCAL, r#"{"disableAllHooks": true}"#), "hooks-off"),
        ("config faulty", |s| s.write(".claude/hookbin.toml", "profil = 1\n"), "config-faulty"),
        ("paused", paused, "paused"),
        ("not installed here", |s| assert_eq!(s.cli(&["uninstall"]).code, Some(0)), "not-installed"),
    ];
    let client = |sandbox: &Sandbox| {
        let status = json!({"workspace": {"project_dir": sandbox.project()}, "model": {"display_name": "m"}});
        run(sandbox.command(&["statusline"]), status.to_string().as_bytes()).stdout
    };
    for (word, make, id) in states {
        let sandbox = installed(&[]);
        let status = sandbox.cli(&["status"]);
        assert!(status.code == Some(0) && status.stdout.contains("\nguard    ON (scope project)\n"), "{status:?}");
        assert_eq!(sandbox.cli(&["status", "--json"]).json()["guard"]["state"], "guarded");
        assert!(client(&sandbox).starts_with("m | "), "{}", client(&sandbox));
        make(&sandbox);
        let status = sandbox.cli(&["status"]);
        assert!(status.code == Some(4) && status.stdout.contains(word), "{word}: {status:?}");
        let (code, line) = line(&sandbox);
        let head = if word == "config faulty" {
            "hookbin ON, config faulty".to_owned()
        } else {
            format!("hookbin OFF: {word}")
        };
        assert!(code == Some(4) && line.starts_with(&head), "{word}: {line}");
        assert!(client(&sandbox).starts_with(&head), "{word}: {}", client(&sandbox));
        let json = sandbox.cli(&["status", "--json"]);
        assert_eq!((json.code, &json.json()["guard"]["state"]), (Some(4), &json!(id)), "{json:?}");
        let doctor = sandbox.cli(&["doctor"]);
        assert!(doctor.code == Some(4) && doctor.stdout.contains(word), "{word}: {doctor:?}");
    }
}

#[test]
fn a_project_without_anything_is_off() {
    let sandbox = Sandbox::new();
    assert_eq!(line(&sandbox), (Some(4), "hookbin OFF: not installed here".to_owned()));
    // The user's own entry covers it.
    assert_eq!(sandbox.cli(&["install", "--user"]).code, Some(0));
    let status = sandbox.cli(&["status"]);
    assert!(status.code == Some(0) && status.stdout.contains("ON (scope user)"), "{status:?}");
}

#[cfg(unix)]
#[test]
fn dirs_whose_client_reads_other_settings_are_told() {
    let sandbox = installed(&["--local"]);
    std::fs::create_dir_all(sandbox.path("sub")).unwrap();
    let ask = |dir: &str, args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir(sandbox.path(dir));
        run(command, b"")
    };
    let sub = ask("sub", &["status"]);
    assert!(sub.code == Some(4) && sub.stdout.contains("not covered here"), "{sub:?}");
    assert_eq!(ask(".", &["status"]).code, Some(0));
    // Whoever names the project asks about that one.
    assert_eq!(ask("sub", &["status", "--project", ".."]).code, Some(0));
    let root = sandbox.project();
    sandbox.git(&root, &["init", "-q"]);
    sandbox.git(&root, &["commit", "-q", "--allow-empty", "-m", "a"]);
    sandbox.git(&root, &["worktree", "add", "-q", "wt"]);
    let linked = ask("wt", &["status", "--line"]);
    assert!(linked.code == Some(4) && linked.stdout.starts_with("hookbin OFF: not covered here"), "{linked:?}");
}

#[test]
fn doctor_names_what_answers_where_several_could() {
    let sandbox = installed(&[]);
    let note = |id: &str| {
        let report = sandbox.cli(&["doctor", "--json"]).json();
        let all = report["findings"].as_array().unwrap().clone();
        all.iter().find(|finding| finding["id"] == id).map(|finding| finding["message"].as_str().unwrap().to_owned())
    };
    assert_eq!(note("plugin-and-entry"), None);
    assert_eq!(note("several-scopes"), None);
    assert_eq!(sandbox.cli(&["install", "--user"]).code, Some(0));
    let said = note("several-scopes").unwrap();
    assert!(said.contains("project answers here"), "{said}");
    sandbox.write(LOCAL, &json!({"enabledPlugins": {"hookbin@market": true}}).to_string());
    let said = note("plugin-and-entry").unwrap();
    assert!(said.contains("hookbin@market"), "{said}");
}

/// The entry of a clone's settings, in each form that is known, starts what the clone brought as well.
#[cfg(unix)]
#[test]
fn a_strangers_program_guards_nothing() {
    let shared = installed(&[]).read(SETTINGS);
    let direct = |command: Value| {
        let entry = json!({"type": "command", "command": command, "args": ["hook", "PreToolUse"], "timeout": 60});
        json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}).to_string()
    };
    let plain = json!({"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hookbin/hookbin hook PreToolUse", "timeout": 60});
    let brought = [
        (SETTINGS, shared.clone()),
        (SETTINGS, direct(json!("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin"))),
        (SETTINGS, direct(json!("${CLAUDE_PROJECT_DIR}/tools/../.claude/hookbin/hookbin"))),
        (SETTINGS, json!({"hooks": {"PreToolUse": [{"hooks": [plain]}]}}).to_string()),
        (LOCAL, shared.clone()),
        (LOCAL, direct(json!("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin"))),
    ];
    for (file, settings) in brought {
        let sandbox = Sandbox::new();
        sandbox.write(file, &settings);
        sandbox.write("tools/a", "");
        sandbox.program(".claude/hookbin/hookbin", "exit 0");
        let (code, said) = line(&sandbox);
        assert_eq!(code, Some(4), "{file} {settings}: {said}");
        assert!(said.starts_with("hookbin OFF: executable gone"), "{file} {settings}: {said}");
        let ran = sandbox.cli(&["status"]);
        let why = if settings == shared { "is not there" } else { "starts a foreign program" };
        assert!(ran.code == Some(4) && ran.stdout.contains(why), "{ran:?}");
        // The user's own entry for all projects answers here as well.
        assert!(matches!(sandbox.cli(&["install", "--user", "--profile", "standard"]).code, Some(0 | 4)));
        let (code, said) = line(&sandbox);
        assert!(code == Some(0) && said.starts_with("hookbin standard"), "{file}: {said}");
        // The line that looks starts theirs.
        let scope = if settings != shared {
            "user"
        } else if file == LOCAL {
            "local"
        } else {
            "project"
        };
        assert!(sandbox.cli(&["status"]).stdout.contains(&format!("ON (scope {scope})")), "{file} {settings}");
    }
    // The same bytes as the executable that is asked are not a stranger's, and neither is what an installation noted.
    let sandbox = Sandbox::new();
    sandbox.write(SETTINGS, &direct(json!("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin")));
    std::fs::create_dir_all(sandbox.path(".claude/hookbin")).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), sandbox.path(".claude/hookbin/hookbin")).unwrap();
    assert_eq!(line(&sandbox).0, Some(0));
    let sandbox = installed(&[]);
    assert_eq!(line(&sandbox).0, Some(0));
    // One that a branch brings is none that is started.
    sandbox.program(".claude/hookbin/hookbin", "exit 0");
    assert_eq!(line(&sandbox).0, Some(0));
}
