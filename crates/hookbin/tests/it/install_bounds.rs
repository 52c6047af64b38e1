//! Where an installation ends: foreign entries, lines, directories and owners stay as they are, and nothing is called guarded that is not.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run, tree};

const SETTINGS: &str = ".claude/settings.json";
const CONFIG: &str = ".claude/hookbin.toml";
const LS: &[u8] =
    br#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#;

fn installed(profile: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let ran = sandbox.cli(&["install", "--scope", "project", "--profile", profile]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    sandbox
}

/// The settings with a change of the handler under `PreToolUse`, or of its group.
fn with_guard(sandbox: &Sandbox, change: impl Fn(&mut Value)) {
    let mut settings = sandbox.json(SETTINGS);
    change(&mut settings["hooks"]["PreToolUse"][0]);
    sandbox.write(SETTINGS, &settings.to_string());
}

/// The user-wide entry, as the host starts it in the project.
fn fire_user_wide(sandbox: &Sandbox) -> Ran {
    let mut command = Command::new(sandbox.home().join(".local/share/hookbin/hookbin"));
    command.args(["hook", "PreToolUse", "--user"]).env_clear().env("HOME", sandbox.home());
    command.env("CLAUDE_PROJECT_DIR", sandbox.project()).current_dir(sandbox.project());
    run(command, LS)
}

type Edit = fn(&mut Value);

/// Makes it an entry that names the project's executable and its arguments, as version 0.1.0 wrote them.
fn starts(group: &mut Value, args: &Value) {
    group["hooks"][0]["command"] = json!("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin");
    group["hooks"][0]["args"] = args.clone();
}

/// Entries that the host takes and that cannot refuse every call, with a word of the reason.
fn powerless() -> Vec<(&'static str, Edit)> {
    vec![
        ("background", |group| group["hooks"][0]["async"] = json!(true)),
        ("background", |group| group["hooks"][0]["asyncRewake"] = json!(true)),
        ("\"if\"", |group| group["hooks"][0]["if"] = json!("Bash(git *)")),
        ("timeout is 0.001", |group| group["hooks"][0]["timeout"] = json!(0.001)),
        ("timeout is 1 ", |group| group["hooks"][0]["timeout"] = json!(1)),
        ("its type is \"http\"", |group| {
            group["hooks"][0]["type"] = json!("http");
            group["hooks"][0]["url"] = json!("http://localhost:1/");
        }),
        ("project /tmp", |group| starts(group, &json!(["hook", "PreToolUse", "--project", "/tmp"]))),
        ("project /tmp", |group| starts(group, &json!(["hook", "PreToolUse", "--project=/tmp"]))),
        ("for Stop", |group| starts(group, &json!(["hook", "Stop"]))),
        ("not understood", |group| starts(group, &json!(["hook", "PreToolUse", "--nope"]))),
        ("leaves out", |group| group["matcher"] = json!("^Nope$")),
        ("leaves out", |group| group["matcher"] = json!("Bash")),
        ("leaves out", |group| group["matcher"] = json!("Bash|Write|Edit")),
        ("leaves out", |group| group["matcher"] = json!("mcp__.*")),
    ]
}

#[test]
fn the_user_wide_guard_speaks_beside_an_entry_that_cannot_refuse() {
    let sandbox = Sandbox::new();
    sandbox.declare(&["spf"]);
    assert_eq!(sandbox.cli(&["install", "--user", "--profile", "spf"]).code, Some(0));
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]).code, Some(0));
    let good = sandbox.read(SETTINGS);
    assert_eq!(fire_user_wide(&sandbox).stdout, "", "the project's own entry answers");
    for (why, change) in powerless() {
        with_guard(&sandbox, change);
        assert_eq!(fire_user_wide(&sandbox).code, Some(2), "silent beside an entry with {why}");
        sandbox.write(SETTINGS, &good);
    }
    // What changes nothing about its power is given way to.
    let harmless: [Edit; 4] = [
        |group| group["hooks"][0]["timeout"] = json!(60),
        |group| group["hooks"][0]["async"] = json!(false),
        |group| group["hooks"][0]["onFailure"] = json!("block"),
        |group| group["matcher"] = json!("*"),
    ];
    for change in harmless {
        with_guard(&sandbox, change);
        assert_eq!(fire_user_wide(&sandbox).stdout, "");
        sandbox.write(SETTINGS, &good);
    }
}

#[test]
fn doctor_calls_no_guard_on_that_cannot_refuse() {
    let sandbox = installed("spf");
    let good = sandbox.read(SETTINGS);
    for (why, change) in powerless() {
        with_guard(&sandbox, change);
        let ran = sandbox.cli(&["doctor", "--json"]);
        let report = ran.json();
        assert_eq!((ran.code, &report["registered"][0]["on"]), (Some(4), &json!(false)), "{why}: {ran:?}");
        let found = report["findings"].as_array().unwrap().iter().find(|finding| finding["id"] == "cannot-refuse");
        let message = found.unwrap_or_else(|| panic!("{why}: {ran:?}"))["message"].as_str().unwrap().to_owned();
        assert!(message.contains(why), "{why}: {message}");
        assert!(sandbox.cli(&["doctor"]).stdout.contains("the guard is NOT on"));
        let ran = sandbox.cli(&["doctor", "--fix", "--json"]);
        assert_eq!((ran.code, &ran.json()["registered"][0]["on"]), (Some(0), &json!(true)), "{why}: {ran:?}");
        sandbox.write(SETTINGS, &good);
    }
    // A matcher that leaves nothing out is outdated, and on.
    with_guard(&sandbox, |group| group["matcher"] = json!(".*"));
    assert_eq!(sandbox.cli(&["doctor", "--json"]).json()["registered"][0]["on"], true);
    // A second entry of ours that can refuse is enough.
    sandbox.write(SETTINGS, &good);
    let mut settings = sandbox.json(SETTINGS);
    let mut powerless = settings["hooks"]["PreToolUse"][0].clone();
    powerless["matcher"] = json!("Bash");
    settings["hooks"]["PreToolUse"].as_array_mut().unwrap().insert(0, powerless);
    sandbox.write(SETTINGS, &settings.to_string());
    assert_eq!(sandbox.cli(&["doctor", "--json"]).json()["registered"][0]["on"], true);
}

#[test]
fn doctor_says_what_the_configuration_lets_pass() {
    let sandbox = installed("standard");
    assert!(!sandbox.cli(&["doctor"]).stdout.contains("as it comes would stop"));
    sandbox.write(CONFIG, "profile = [\"standard\"]\n\n[change.guard]\nenabled = false\n");
    let ran = sandbox.cli(&["doctor", "--json"]);
    let report = ran.json();
    let found = report["findings"].as_array().unwrap().iter().find(|finding| finding["id"] == "policy-weakened");
    let found = found.unwrap_or_else(|| panic!("{ran:?}"));
    assert!(found["level"] == "note" && found["message"].as_str().unwrap().contains("`rm -rf /`"), "{found}");
    assert!(found["file"].as_str().unwrap().ends_with(CONFIG));
    // A setting that takes nothing away is no news.
    sandbox.write(CONFIG, "profile = [\"standard\"]\n\n[log]\nkeep = 3\n");
    assert!(!sandbox.cli(&["doctor"]).stdout.contains("as it comes would stop"));
}

/// In the home directory two installations share one settings file, and each takes out what is its own.
#[test]
fn a_project_in_the_home_dir_leaves_the_persons_entries() {
    let sandbox = Sandbox::new();
    let home = sandbox.home().to_str().unwrap().to_owned();
    let settings = || std::fs::read_to_string(sandbox.home().join(SETTINGS)).unwrap_or_default();
    assert_eq!(sandbox.cli(&["install", "--user"]).code, Some(0));
    let person = settings();
    let ran = sandbox.cli(&["uninstall", "--project", &home]);
    assert!(ran.code == Some(0) && ran.stdout.contains("holds no entry"), "{ran:?}");
    assert_eq!(settings(), person);
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--project", &home]).code, Some(0));
    let both = settings();
    assert!(both.contains("\"--user\"") && both.contains("${CLAUDE_PROJECT_DIR%/}"), "{both}");
    assert_eq!(sandbox.cli(&["uninstall", "--project", &home]).code, Some(0));
    assert_eq!(settings(), person);
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--project", &home]).code, Some(0));
    assert_eq!(sandbox.cli(&["uninstall", "--user"]).code, Some(0));
    assert!(!settings().contains("\"--user\"") && settings().contains("${CLAUDE_PROJECT_DIR%/}"), "{}", settings());
}

/// Whatever is done to the configuration in between, uninstalling takes one line.
#[test]
fn only_our_line_leaves_the_configuration() {
    let mark = '\u{feff}';
    let profile = |name: &str| ["install", "--scope", "project", "--profile", name].map(str::to_owned).to_vec();
    for before in [
        "# mine\n[log]\nkeep = 3\n".to_owned(),
        format!("{mark}# mine\n[log]\nkeep = 3\n"),
        "# mine\r\n[log]\r\nkeep = 3\r\n".to_owned(),
        "hookbin = \"0.1\"".to_owned(),
        format!("{mark}# mine\nprofile = 'standard'   # why\n[log]\nkeep = 3\n"),
        "# a\n\nprofile = [ # all\n  \"standard\",\n]\n# b\n".to_owned(),
        String::new(),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(CONFIG, &before);
        // Edited after each of two installations, above and below our line.
        let mut expected = before.clone();
        for (round, name) in ["spf", "standard,spf"].into_iter().enumerate() {
            let args = profile(name);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = sandbox.cli(&args);
            assert_eq!(ran.code, Some(0), "{before:?}: {ran:?}");
            let now = sandbox.read(CONFIG);
            assert!(now.trim_start_matches(mark).lines().any(|line| line.starts_with("profile = [\"s")), "{now:?}");
            assert_eq!(now.find(mark), before.find(mark), "the mark stays the first");
            let edit = |text: &str| {
                let start = usize::from(text.starts_with(mark)) * mark.len_utf8();
                let (head, rest) = text.split_at(start);
                let newline = if rest.is_empty() || rest.ends_with('\n') { "" } else { "\n" };
                format!("{head}# above {round}\n{rest}{newline}# below {round}\n")
            };
            sandbox.write(CONFIG, &edit(&now));
            expected = edit(&expected);
        }
        assert_eq!(sandbox.cli(&["uninstall"]).code, Some(0));
        assert_eq!(sandbox.read(CONFIG), expected, "from {before:?}");
    }
}

#[test]
fn a_configuration_that_we_made_and_somebody_went_on_with_keeps_their_lines() {
    let sandbox = installed("spf");
    sandbox.write(CONFIG, "# why spf\nprofile = [\"spf\"]\n\n[log]\nkeep = 3\n");
    sandbox.cli(&["uninstall"]);
    assert_eq!(sandbox.read(CONFIG), "# why spf\n\n[log]\nkeep = 3\n");
    // A line that they changed is theirs.
    let sandbox = installed("spf");
    sandbox.write(CONFIG, "profile = [\"standard\"]\n");
    sandbox.cli(&["uninstall"]);
    assert_eq!(sandbox.read(CONFIG), "profile = [\"standard\"]\n");
    // Untouched, or empty but for our line, it goes.
    let sandbox = installed("spf");
    sandbox.write(CONFIG, "\nprofile = [\"spf\"]\n");
    sandbox.cli(&["uninstall"]);
    assert!(!sandbox.path(CONFIG).exists());
}

#[test]
fn all_that_root_makes_belongs_to_the_person() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let owner = |path: &Path| path.symlink_metadata().map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
    let everything = |root: &Path| {
        let mut all = tree(root);
        let dirs: Vec<_> = all.iter().flat_map(|path| path.ancestors().skip(1)).map(Path::to_owned).collect();
        all.extend(dirs.into_iter().filter(|dir| dir.starts_with(root)));
        all
    };
    let sandbox = Sandbox::new();
    sandbox.write(SETTINGS, "{}\n");
    for path in [sandbox.project(), sandbox.path(".claude"), sandbox.path(SETTINGS)] {
        chown(path, Some(1234), Some(1235)).unwrap();
    }
    sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]);
    for path in everything(&sandbox.project()) {
        assert_eq!(owner(&path), (1234, 1235), "{}", path.display());
    }
    assert!(sandbox.path(".claude/hookbin/backup").exists());
    let sandbox = Sandbox::new();
    for path in [sandbox.home(), sandbox.project()] {
        chown(path, Some(1234), Some(1235)).unwrap();
    }
    assert_eq!(sandbox.cli(&["install", "--user", "--profile", "spf"]).code, Some(0));
    assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "spf"]).code, Some(0));
    for path in everything(&sandbox.home()) {
        assert_eq!(owner(&path), (1234, 1235), "{}", path.display());
    }
    assert!(sandbox.home().join(".config/hookbin/hookbin.toml").exists());
    // One that an earlier version left to root is found, and given back.
    let ran = sandbox.cli(&["doctor", "--json"]);
    assert!(!ran.stdout.contains("\"owner\""), "{ran:?}");
    for path in [".claude/hookbin", ".claude/hookbin/.gitignore", SETTINGS] {
        chown(sandbox.path(path), Some(0), Some(0)).unwrap();
    }
    let ran = sandbox.cli(&["doctor"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("belongs to root in a directory of user 1234"), "{ran:?}");
    assert!(ran.stdout.contains("fix: sudo chown -R 1234 "), "{ran:?}");
    assert_eq!(sandbox.cli(&["doctor", "--fix"]).code, Some(0));
    for path in everything(&sandbox.path(".claude")) {
        assert_eq!(owner(&path), (1234, 1235), "{}", path.display());
    }
}

#[test]
fn a_path_that_is_no_text_is_no_trouble() {
    let sandbox = Sandbox::new();
    let project = sandbox.path("x").with_file_name(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&project).unwrap();
    let cli = |args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env("CLAUDE_PROJECT_DIR", &project).current_dir(&project);
        run(command, b"")
    };
    let ran = cli(&["install", "--scope", "project", "--profile", "spf", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json()["doctor"]["registered"][0]["on"], true, "{ran:?}");
    let ran = cli(&["doctor", "--json"]);
    assert_eq!((ran.code, &ran.json()["registered"][0]["on"]), (Some(0), &json!(true)), "{ran:?}");
    assert_eq!(cli(&["uninstall", "--json"]).code, Some(0));
    assert_eq!(std::fs::read_dir(&project).unwrap().count(), 0);
}

/// The note of the installation is among the user's files, under the project's path. Without it, what is the project's stays.
#[test]
fn a_moved_project_keeps_its_configuration_when_it_is_uninstalled() {
    let sandbox = installed("spf");
    let moved = sandbox.home().join("moved");
    std::fs::rename(sandbox.project(), &moved).unwrap();
    let mut command = sandbox.command(&["uninstall"]);
    command.env("CLAUDE_PROJECT_DIR", &moved).current_dir(&moved);
    let ran = run(command, b"");
    assert!(ran.code == Some(0) && ran.stdout.contains("warning: there is no note of this installation"), "{ran:?}");
    assert_eq!(tree(&moved), [moved.join(".claude/hookbin.toml")]);
}

#[test]
fn a_dir_that_was_there_is_closed() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path(".claude/hookbin")).unwrap();
    std::fs::set_permissions(sandbox.path(".claude/hookbin"), PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    let mode = sandbox.path(".claude/hookbin").metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
    assert!(sandbox.read(".claude/hookbin/.gitignore").ends_with("*\n"));
}

#[test]
fn a_damaged_or_missing_note_is_mended_and_hinders_nothing() {
    for text in [Some("{"), Some("[]"), None] {
        let damage = |sandbox: &Sandbox| match text {
            Some(text) => std::fs::write(sandbox.note("project"), text).unwrap(),
            None => drop(std::fs::remove_file(sandbox.note("project"))),
        };
        let sandbox = installed("spf");
        damage(&sandbox);
        let ran = sandbox.cli(&["doctor"]);
        if text.is_some() {
            assert!(ran.code == Some(4) && ran.stdout.contains("fix: hookbin install --project"), "{ran:?}");
            assert_eq!(ran.stdout.matches("/project.json").count(), 1, "the path stands once: {ran:?}");
        } else {
            // As in every fresh clone of a project whose team shares the entries.
            assert!(ran.code == Some(0) && ran.stdout.contains("nobody installed here"), "{ran:?}");
        }
        assert_eq!(sandbox.cli(&["doctor", "--fix"]).code, Some(0));
        damage(&sandbox);
        let ran = sandbox.cli(&["install", "--scope", "project"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.stdout.contains("warning: "), text.is_some(), "{ran:?}");
        damage(&sandbox);
        let ran = sandbox.cli(&["uninstall", "--purge"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        // How the configuration was before is not known any more, so it stays.
        assert_eq!(tree(&sandbox.project()), [sandbox.path(CONFIG)]);
    }
}

#[test]
fn a_missing_ignore_file_is_found_and_made_again() {
    let sandbox = installed("spf");
    std::fs::remove_file(sandbox.path(".claude/hookbin/.gitignore")).unwrap();
    let ran = sandbox.cli(&["doctor"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("committed by accident"), "{ran:?}");
    assert_eq!(sandbox.cli(&["doctor", "--fix"]).code, Some(0));
    assert!(sandbox.path(".claude/hookbin/.gitignore").exists());
}

/// What stands in the place of the settings has to go first; installing there would be refused.
#[test]
fn doctor_proposes_nothing_that_would_be_refused() {
    type Plant = fn(&Path);
    let plants: [Plant; 3] = [
        |path| std::fs::create_dir(path).unwrap(),
        |path| std::os::unix::fs::symlink("/nowhere/at/all", path).unwrap(),
        |path| rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap(),
    ];
    for plant in plants {
        for (settings, scope) in [(SETTINGS, "project"), (".claude/settings.local.json", "local")] {
            let sandbox = Sandbox::new();
            std::fs::create_dir(sandbox.path(".claude")).unwrap();
            plant(&sandbox.path(settings));
            let ran = sandbox.cli(&["doctor", "--scope", scope]);
            assert_eq!(ran.code, Some(4), "{ran:?}");
            assert!(
                !ran.stdout.contains("fix: hookbin install") && ran.stdout.contains("fix: mend or move away"),
                "{ran:?}"
            );
            let faults = ran.stdout.lines().filter(|line| line.starts_with("fault: "));
            assert!(
                faults.clone().count() > 0 && faults.into_iter().all(|line| line.matches(settings).count() == 1),
                "{ran:?}"
            );
            assert_eq!(sandbox.cli(&["install", "--scope", scope]).code, Some(70));
        }
        // The user's own settings are installed into beside it.
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.path(".claude")).unwrap();
        plant(&sandbox.path(SETTINGS));
        let ran = sandbox.cli(&["doctor", "--fix"]);
        assert!(ran.stdout.contains("settings.local.json: 13 entries, profile standard, the guard is on"), "{ran:?}");
    }
}

#[test]
fn a_cause_is_told_once() {
    let sandbox = Sandbox::new();
    sandbox.write(SETTINGS, "{\"a\": }");
    let ran = sandbox.cli(&["install", "--scope", "project"]);
    assert!(ran.code == Some(70) && ran.stderr.matches("expected value").count() == 1, "{ran:?}");
    assert_eq!(ran.stderr.matches("settings.json").count(), 1, "{ran:?}");
}

#[test]
fn a_dry_run_fails_where_the_installation_would() {
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    for path in [sandbox.home().parent().unwrap().to_owned(), sandbox.home(), sandbox.project()] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }
    for args in [["install", "--scope", "project", "--dry-run"].as_slice(), &["install", "--scope", "project"]] {
        let mut command = sandbox.command(args);
        command.uid(65534).gid(65534);
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(70), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(&sandbox.project().display().to_string()), "{ran:?}");
    }
}

#[test]
fn purging_later_leaves_no_dir_of_ours() {
    let sandbox = Sandbox::new();
    sandbox.cli(&["install", "--user"]);
    fire_user_wide(&sandbox);
    let ran = sandbox.cli(&["uninstall", "--user"]);
    assert!(ran.stdout.contains("kept what was recorded"), "{ran:?}");
    assert!(sandbox.home().join(".local/state/hookbin").exists());
    assert_eq!(sandbox.cli(&["uninstall", "--user", "--purge"]).code, Some(0));
    assert!(!sandbox.home().join(".local/state/hookbin").exists());
}

#[test]
fn purging_one_of_two_says_why_the_records_stay() {
    let sandbox = installed("spf");
    sandbox.cli(&["install", "--local"]);
    sandbox.hook(&["Stop", "--local"], br#"{"hook_event_name":"Stop","session_id":"s"}"#);
    let ran = sandbox.cli(&["uninstall", "--local", "--purge"]);
    assert!(
        ran.stdout.contains("still in use") && ran.stdout.contains("hookbin uninstall --purge --project"),
        "{ran:?}"
    );
    assert!(sandbox.log().exists());
}

#[test]
fn wrong_use_is_told_from_failure() {
    let sandbox = Sandbox::new();
    for args in [["install", "--user"].as_slice(), &["uninstall", "--user"]] {
        let mut command = sandbox.command(args);
        command.env_remove("HOME");
        assert_eq!(run(command, b"").code, Some(64), "{args:?}");
    }
    for args in [["install", "--scope", "project"].as_slice(), &["uninstall"], &["migrate"], &["vault", "remove"]] {
        let mut command = sandbox.command(args);
        command.env_remove("CLAUDE_PROJECT_DIR").current_dir(sandbox.home());
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
    }
}

#[test]
fn a_plugin_is_an_installation() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
    let person = sandbox.home().join(".claude/settings.json");
    std::fs::write(&person, r#"{"enabledPlugins": {"hookbin@here": true}}"#).unwrap();
    let ran = sandbox.cli(&["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("hookbin@here") && !ran.stdout.contains("nothing is guarded"), "{ran:?}");
    // Switched off, here or with more precedence, or of another name, it guards nothing.
    sandbox.write(SETTINGS, r#"{"enabledPlugins": {"hookbin@here": false}}"#);
    assert!(sandbox.cli(&["doctor"]).stdout.contains("nothing is guarded"));
    std::fs::write(&person, r#"{"enabledPlugins": {"my-hookbin@here": true}}"#).unwrap();
    std::fs::remove_file(sandbox.path(SETTINGS)).unwrap();
    assert_eq!(sandbox.cli(&["doctor"]).code, Some(4));
}
