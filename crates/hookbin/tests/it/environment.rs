//! Variables that others can set: none of them moves what the user keeps, sets the time or lifts a limit, unless the user's note
//! says so.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::faults::bash;
use crate::sandbox::{Ran, Sandbox, name_of, run_as_it_is, tree};

/// A configuration with which nothing is refused.
const OFF: &str = "[change.guard]\nenabled = false\n";

/// A sandbox with a user-wide installation, and the executable of it.
fn installed() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    let ran = sandbox.cli(&["install", "--user"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let executable = sandbox.home().join(".local/share/hookbin/hookbin");
    (sandbox, executable)
}

/// A dangerous call about which the host asks an executable in the project's directory.
fn asked(sandbox: &Sandbox, executable: &Path, marks: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(executable);
    command.args(["hook", "PreToolUse"]).args(marks).env_clear().env("HOME", sandbox.home());
    command.env("CLAUDE_PROJECT_DIR", sandbox.project()).envs(env.iter().copied()).current_dir(sandbox.project());
    // The home directory by its name: `~` is whatever the environment says.
    let danger = format!("rm -rf {}", sandbox.home().display());
    let mut event: Value = serde_json::from_slice(&bash(&danger)).unwrap();
    event["cwd"] = json!(sandbox.project());
    run_as_it_is(command, event.to_string().as_bytes())
}

/// A command for people, with variables that nobody has let count.
fn told(sandbox: &Sandbox, executable: &Path, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(executable);
    command.args(args).env_clear().env("HOME", sandbox.home()).envs(env.iter().copied());
    command.current_dir(sandbox.project());
    run_as_it_is(command, b"")
}

/// Everything of the user's directories that a clone could bring under other names.
fn brought(sandbox: &Sandbox) {
    for dir in ["cfg/hookbin", "cfg/.config/hookbin"] {
        sandbox.write(&format!("{dir}/hookbin.toml"), OFF);
    }
    sandbox.write("cfg/hookbin/environment", "XDG_CONFIG_HOME\nXDG_STATE_HOME\nXDG_DATA_HOME\nHOME\n");
    sandbox.write("cfg/.local/share/hookbin/environment", "XDG_CONFIG_HOME\nXDG_STATE_HOME\nXDG_DATA_HOME\n");
}

/// Finding 10, in both scopes that have the executable outside of the project, and for an executable that lies in it.
#[test]
fn the_environment_chooses_no_policy() {
    let (sandbox, executable) = installed();
    assert_eq!(sandbox.cli(&["install", "--scope", "project"]).code, Some(0));
    // As earlier versions put it there.
    let in_project = sandbox.path(".claude/hookbin/hookbin");
    std::fs::copy(&executable, &in_project).unwrap();
    std::fs::remove_file(sandbox.path(".claude/settings.json")).unwrap();
    brought(&sandbox);
    let cfg = sandbox.path("cfg");
    let before = tree(&cfg);
    let dirs = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
    for moved in ["/proc/self/cwd/cfg", cfg.to_str().unwrap()] {
        for names in [&["XDG_CONFIG_HOME"][..], &dirs, &["HOME"], &["HOME", "XDG_CONFIG_HOME"]] {
            let env: Vec<(&str, &str)> = names.iter().map(|name| (*name, moved)).collect();
            for (executable, marks) in [(&executable, &["--user"][..]), (&executable, &["--local"]), (&in_project, &[])]
            {
                // An executable of the project would take the account's home directory, which is none of the test's.
                if executable != &in_project || !names.contains(&"HOME") {
                    let ran = asked(&sandbox, executable, marks, &env);
                    assert_eq!(ran.code, Some(2), "{names:?} {moved} {marks:?}: {ran:?}");
                }
            }
        }
    }
    assert_eq!(tree(&cfg), before, "nothing is kept where the environment says");
    // The same file where the user has it does count.
    sandbox.write_own(OFF);
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(0));
}

/// A project's executable keeps to the account's home directory where the user installed the project by it, whatever directory of theirs a
/// variable names. The account's is put out of sight for the test, where the system lets it.
#[test]
fn a_projects_variable_moves_no_project_away_from_the_account() {
    let list = std::fs::read_to_string("/etc/passwd").unwrap();
    let own = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()).to_string();
    let of_account = |line: &str| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.get(2) == Some(&own.as_str())).then(|| fields[5].to_owned())
    };
    let Some(account) = list.lines().find_map(of_account) else { return };
    let sandbox = Sandbox::new();
    let place = tempfile::tempdir().unwrap();
    let event = place.path().join("event");
    let mut danger: Value = serde_json::from_slice(&bash("rm -rf ~")).unwrap();
    danger["cwd"] = json!(sandbox.project());
    std::fs::write(&event, danger.to_string()).unwrap();
    // One shell that alone sees another directory in the place of the account's.
    let script = r#"
        mount --bind "$PLACE" "$ACCOUNT" && cd "$PROJECT" || exit 77
        HOME="$ACCOUNT" "$HOOKBIN" install --scope project > /dev/null 2>&1 || exit 78
        # As earlier versions put it there.
        cp "$HOOKBIN" .claude/hookbin/hookbin
        mkdir -p "$OTHER/.config/hookbin"
        echo '[change.guard]
enabled = false' > "$OTHER/.config/hookbin/hookbin.toml"
        chmod -R go-w "$OTHER"
        CLAUDE_PROJECT_DIR="$PROJECT" HOME="$OTHER" .claude/hookbin/hookbin hook PreToolUse < "$EVENT" > /dev/null 2>&1
        echo "other $?"
        mkdir -p "$ACCOUNT/.local/share/hookbin"
        echo HOME > "$ACCOUNT/.local/share/hookbin/environment"
        CLAUDE_PROJECT_DIR="$PROJECT" HOME="$OTHER" .claude/hookbin/hookbin hook PreToolUse < "$EVENT" > /dev/null 2>&1
        echo "let $?"
    "#;
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", script]).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.env("PLACE", place.path()).env("ACCOUNT", &account).env("PROJECT", sandbox.project());
    command.env("HOOKBIN", env!("CARGO_BIN_EXE_hookbin")).env("OTHER", sandbox.home()).env("EVENT", &event);
    let Ok(out) = command.output() else { return };
    if matches!(out.status.code(), Some(1 | 77)) && out.stdout.is_empty() {
        return;
    }
    assert_eq!(String::from_utf8_lossy(&out.stdout), "other 2\nlet 0\n", "{out:?}");
}

/// A home directory of the environment that holds the user's own, or lies in it, opens nothing there.
#[test]
fn a_home_dir_around_the_persons_own_hides_nothing_of_it() {
    let (sandbox, executable) = installed();
    let home = sandbox.home();
    let around = home.parent().unwrap().to_owned();
    let inside = home.join(".ssh");
    std::fs::create_dir_all(&inside).unwrap();
    let home = home.to_str().unwrap();
    let commands = [
        format!("echo k >> {home}/.ssh/authorized_keys"),
        format!("echo x >> {home}/.bashrc"),
        format!("cat {home}/.aws/credentials"),
        format!("cat {home}/.config/gh/hosts.yml"),
        format!("rm -rf {home}"),
        format!("cat {home}/.ssh/id_ed25519"),
    ];
    let verdict = |command: &str, named: &Path| {
        let mut hook = Command::new(&executable);
        hook.args(["hook", "PreToolUse", "--user"]).env_clear().env("HOME", named);
        hook.env("CLAUDE_PROJECT_DIR", sandbox.project()).current_dir(sandbox.project());
        let mut event: Value = serde_json::from_slice(&bash(command)).unwrap();
        event["cwd"] = json!(sandbox.project());
        run_as_it_is(hook, event.to_string().as_bytes()).decision()
    };
    for command in commands {
        let own = verdict(&command, Path::new(home));
        assert!(own.is_some(), "{command}");
        // Among temporary files, where this one lies, only what is in it is looked at by another name.
        let inside = Some(inside.clone()).filter(|inside| command.contains(inside.to_str().unwrap()));
        for named in [around.clone(), around.join("."), around.join("./home/..")].into_iter().chain(inside) {
            assert_eq!(verdict(&command, &named), own, "{command} with {}", named.display());
        }
    }
}

/// Findings 11 and 33: to whom the user-wide entry gives way.
#[test]
fn the_environment_silences_no_entry() {
    let (sandbox, executable) = installed();
    let (other, _) = installed();
    for (root, path) in [(&sandbox, sandbox.project()), (&other, other.project())] {
        let ran = root.cli(&["install", "--project", path.to_str().unwrap(), "--scope", "project"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(0), "the project's own entry answers");
    // Settings that the host drops, or of which nobody knows that it reads them: their entry may never be started.
    let settings = sandbox.read(".claude/settings.json");
    for more in [r#""permissions": "x""#, r#""model": 5"#, r#""settingOfTomorrow": {}"#] {
        sandbox.write(".claude/settings.json", &settings.replacen('{', &format!("{{{more},"), 1));
        assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(2), "{more}");
    }
    for more in [r#""shell": "fish""#, r#""once": true"#, r#""keyOfTomorrow": 1"#] {
        let changed = settings.replace(r#""type": "command""#, &format!(r#""type": "command", {more}"#));
        assert_ne!(changed, settings);
        sandbox.write(".claude/settings.json", &changed);
        assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(2), "{more}");
    }
    sandbox.write(
        ".claude/settings.json",
        &settings.replacen('{', r#"{"model": "sonnet","permissions": {"allow": ["Bash(ls)"]},"#, 1),
    );
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(0), "what Claude Code is known to read");
    sandbox.write(".claude/settings.json", &settings);
    // The entry of another project of the user's: the hook does not run there.
    let clone = Sandbox::new();
    let elsewhere = |env: &[(&str, &str)]| {
        let mut command = Command::new(&executable);
        command.args(["hook", "PreToolUse", "--user"]).env_clear().env("HOME", sandbox.home());
        command.envs(env.iter().copied()).current_dir(clone.project());
        let mut event: Value = serde_json::from_slice(&bash("rm -rf ~")).unwrap();
        event["cwd"] = json!(clone.project());
        run_as_it_is(command, event.to_string().as_bytes()).code
    };
    assert_eq!(elsewhere(&[("CLAUDE_PROJECT_DIR", sandbox.project().to_str().unwrap())]), Some(2));
    // A voucher that the clone has brought, here another installation's directory of data.
    let data = other.home().join(".local/share");
    let named = [
        ("CLAUDE_PROJECT_DIR", other.project().to_str().unwrap().to_owned()),
        ("XDG_DATA_HOME", data.to_str().unwrap().to_owned()),
    ];
    let env: Vec<(&str, &str)> = named.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut command = Command::new(&executable);
    command
        .args(["hook", "PreToolUse", "--user"])
        .env_clear()
        .env("HOME", sandbox.home())
        .envs(env)
        .current_dir(other.project());
    let mut event: Value = serde_json::from_slice(&bash("rm -rf ~")).unwrap();
    event["cwd"] = json!(other.project());
    assert_eq!(run_as_it_is(command, event.to_string().as_bytes()).code, Some(2));
}

/// A directory that holds the home directory is no project, and one in which the session is not counts only where the user has used
/// hookbin.
#[test]
fn the_clients_dir_is_the_project_where_the_session_is_in_it() {
    let sandbox = Sandbox::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let stranger = elsewhere.path().join("stranger");
    std::fs::create_dir_all(stranger.join(".claude")).unwrap();
    std::fs::create_dir_all(sandbox.path(".git")).unwrap();
    let recorded = |named: &Path| {
        let mut command = sandbox.command(&["hook", "PreToolUse"]);
        command.env("CLAUDE_PROJECT_DIR", named);
        let mut event: Value = serde_json::from_slice(&bash("ls")).unwrap();
        event["cwd"] = json!(sandbox.project());
        assert_eq!(run_as_it_is(command, event.to_string().as_bytes()).code, Some(0));
        sandbox.log().join("audit.jsonl").exists()
    };
    assert!(recorded(&stranger));
    assert!(!stranger.join(".claude/hookbin").exists());
    std::fs::remove_dir_all(sandbox.path(".claude")).unwrap();
    assert!(recorded(sandbox.home().parent().unwrap()) && !sandbox.home().parent().unwrap().join(".claude").exists());
    // A session that went elsewhere from a project of the user's.
    std::fs::remove_dir_all(sandbox.path(".claude")).unwrap();
    let compiled = sandbox.compiled().with_file_name(name_of(&stranger) + ".cache");
    std::fs::write(compiled, "").unwrap();
    assert!(!recorded(&stranger) && stranger.join(".claude/hookbin/log/audit.jsonl").exists());
}

#[test]
fn the_time_is_the_systems_unless_the_person_lets_it_be_set() {
    let (sandbox, executable) = installed();
    let year = |env: &[(&str, &str)]| {
        let ran = asked(&sandbox, &executable, &["--user"], env);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let dir = sandbox.home().join(".local/state/hookbin/projects").join(sandbox.name()).join("log/audit.jsonl");
        let log = std::fs::read_to_string(dir).unwrap();
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        // The trail's own time never goes back.
        let clock = last["clock"].as_str().or_else(|| last["time"].as_str());
        clock.map(|clock| clock[..4].to_owned())
    };
    let set = [("HOOKBIN_NOW", "2099-01-01T00:00:00Z")];
    assert_ne!(year(&set).as_deref(), Some("2099"));
    sandbox.note_environment("# tests of thresholds\nHOOKBIN_NOW\n");
    assert_eq!(year(&set).as_deref(), Some("2099"));
    // A value is none of a note's: a moment does not stand still.
    sandbox.note_environment("HOOKBIN_NOW=2099-01-01T00:00:00Z\n");
    assert_ne!(year(&set).as_deref(), Some("2099"));
}

#[cfg(unix)]
#[test]
fn a_note_that_others_may_write_says_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let (sandbox, executable) = installed();
    sandbox.write("cfg/hookbin/hookbin.toml", OFF);
    let cfg = sandbox.path("cfg").to_str().unwrap().to_owned();
    let note = sandbox.home().join(".local/share/hookbin/environment");
    sandbox.note_environment(&format!("XDG_CONFIG_HOME={cfg}\nPWNED\nXDG_STATE_HOME=relative\n"));
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(0));
    let doctor = told(&sandbox, &executable, &["doctor"], &[]);
    assert!(
        doctor.stdout.contains("the line `PWNED`") && doctor.stdout.contains("`XDG_STATE_HOME=relative`"),
        "{doctor:?}"
    );
    std::fs::set_permissions(&note, PermissionsExt::from_mode(0o646)).unwrap();
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[]).code, Some(2));
    let doctor = told(&sandbox, &executable, &["doctor"], &[]);
    assert!(doctor.stdout.contains("none of it counts") && doctor.stdout.contains("chmod 600"), "{doctor:?}");
    std::fs::remove_file(&note).unwrap();
    assert_eq!(asked(&sandbox, &executable, &["--user"], &[("XDG_CONFIG_HOME", &cfg)]).code, Some(2));
}

/// A user whose directories do lie elsewhere is asked once; then no session needs the variables any more.
#[cfg(target_os = "linux")]
#[test]
fn dirs_of_the_person_are_noted_when_they_agree() {
    let moved = |sandbox: &Sandbox| {
        let base = sandbox.home().join("moved");
        ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
            .map(|name| (name, base.join(name).to_str().unwrap().to_owned()))
    };
    let hookbin = Path::new(env!("CARGO_BIN_EXE_hookbin"));
    // A script that says nothing, and one that stands for its user.
    for unattended in [false, true] {
        let sandbox = Sandbox::new();
        let moved = moved(&sandbox);
        let mut env: Vec<(&str, &str)> = moved.iter().map(|(name, dir)| (*name, dir.as_str())).collect();
        env.extend(unattended.then_some(("HOOKBIN_UNATTENDED", "1")));
        let before = tree(&sandbox.home());
        let ran = told(&sandbox, hookbin, &["install", "--user"], &env);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let usual = sandbox.home().join(".local/share/hookbin");
        let data = sandbox.home().join("moved/XDG_DATA_HOME/hookbin");
        assert_eq!(usual.join("hookbin").exists(), !unattended, "{ran:?}");
        assert_eq!(
            ran.stdout.contains("XDG_STATE_HOME") && ran.stdout.contains("does not count"),
            !unattended,
            "{ran:?}"
        );
        if !unattended {
            assert!(!sandbox.home().join("moved").exists());
            let doctor = told(&sandbox, &usual.join("hookbin"), &["doctor"], &env);
            assert!(
                doctor.stdout.contains("XDG_CONFIG_HOME=") && doctor.stdout.contains("does not count here"),
                "{doctor:?}"
            );
            continue;
        }
        // The entry and every executable of the user find all of it without a variable.
        let config = sandbox.home().join("moved/XDG_CONFIG_HOME/hookbin/hookbin.toml");
        assert_eq!(asked(&sandbox, &data.join("hookbin"), &["--user"], &[("HOME", "/proc/self/cwd")]).code, Some(2));
        std::fs::create_dir_all(config.parent().unwrap()).unwrap();
        std::fs::write(&config, OFF).unwrap();
        for executable in [&data.join("hookbin"), hookbin] {
            assert_eq!(asked(&sandbox, executable, &["--user"], &[]).code, Some(0), "{executable:?}");
        }
        assert!(
            sandbox.home().join("moved/XDG_STATE_HOME/hookbin/compiled").is_dir()
                && !sandbox.home().join(".local/state").exists()
        );
        let doctor = told(&sandbox, &data.join("hookbin"), &["doctor"], &env[..3]);
        assert!(!doctor.stdout.contains("does not count"), "{doctor:?}");
        // Again, without a word about it.
        let again = told(&sandbox, hookbin, &["install", "--user"], &[]);
        assert!(again.code == Some(0) && !again.stdout.contains("noted in"), "{again:?}");
        std::fs::remove_file(&config).unwrap();
        std::fs::remove_dir(config.parent().unwrap()).unwrap();
        let ran = told(&sandbox, hookbin, &["uninstall", "--user", "--purge"], &[("HOOKBIN_UNATTENDED", "1")]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(tree(&sandbox.home()), before, "{ran:?}");
    }
    // At a terminal, by the code that is typed back.
    let sandbox = Sandbox::new();
    let state = sandbox.home().join("moved");
    let note = sandbox.home().join(".local/share/hookbin/environment");
    let install = |reply: fn(&str) -> String| {
        let mut command = sandbox.command(&["install", "--user"]);
        command.env("XDG_STATE_HOME", &state);
        crate::trust::type_at_terminal(&command, reply)
    };
    assert_eq!(install(|_| String::new()), Some(0));
    assert!(!note.exists() && !state.exists());
    assert_eq!(install(str::to_owned), Some(0));
    let text = std::fs::read_to_string(&note).unwrap();
    assert!(text.ends_with(&format!("XDG_STATE_HOME={}\n", state.display())), "{text}");
    // What a clone has set is nobody's to agree to.
    let sandbox = Sandbox::new();
    let env = [("XDG_STATE_HOME", "/proc/self/cwd/state"), ("HOOKBIN_UNATTENDED", "1")];
    let ran = told(&sandbox, hookbin, &["install", "--user"], &env);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("XDG_STATE_HOME=/proc/self/cwd/state does not count"),
        "{ran:?}"
    );
}
