//! Where things lie: links in every direction, a home directory that nobody names, a project by another name, directories that the user
//! added, a session that was started in the home directory.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run};

/// A call of a tool, as the host sends it.
fn event(cwd: &Path, tool: &str, input: &Value) -> String {
    json!({
        "session_id": "00000000-0000-4000-8000-0000000000f1", "transcript_path": "", "cwd": cwd,
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": "t", "tool_input": input,
    })
    .to_string()
}

/// The decision about a command in a working directory, with changes of the environment: `None` unsets.
fn decided(sandbox: &Sandbox, cwd: &Path, env: &[(&str, Option<&str>)], tool: &str, input: &Value) -> Ran {
    let mut command = sandbox.command(&["hook", "PreToolUse"]);
    for (name, value) in env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    run(command, event(cwd, tool, input).as_bytes())
}

fn bash(sandbox: &Sandbox, cwd: &Path, env: &[(&str, Option<&str>)], command: &str) -> Option<String> {
    decided(sandbox, cwd, env, "Bash", &json!({"command": command})).decision()
}

/// Checks commands in the project.
fn expect(sandbox: &Sandbox, cwd: &Path, env: &[(&str, Option<&str>)], cases: &[(&str, Option<&str>)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(command, wanted)| {
            let found = bash(sandbox, cwd, env, command);
            (found.as_deref() != *wanted).then(|| format!("{found:?} instead of {wanted:?}: {command}"))
        })
        .collect();
    assert!(wrong.is_empty(), "in {} with {env:?}:\n{}", cwd.display(), wrong.join("\n"));
}

const DENY: Option<&str> = Some("deny");
const ASK: Option<&str> = Some("ask");

/// Ways to write into a file, or to put another one in its place.
const WRITES: &[&str] = &[
    "echo '{}' > @", "echo '{}' >> @", "sed -i s/a/b/ @", "cp other @", "ln -sf other @", "mv other @", "mv @ gone",
    "rm @", "rm -rf @", "truncate -s 0 @", "tee @ < other", "python3 -c \"open('@', 'w')\"",
];

/// Every way of writing to each of the names is refused, and so are the tools for files.
fn refused(sandbox: &Sandbox, cwd: &Path, env: &[(&str, Option<&str>)], names: &[PathBuf]) {
    let mut passed = Vec::new();
    for name in names {
        let name = name.to_str().unwrap();
        for write in WRITES {
            let command = write.replace('@', name);
            if bash(sandbox, cwd, env, &command).as_deref() != DENY {
                passed.push(command);
            }
        }
        let absolute = cwd.join(name);
        for (tool, input) in [
            ("Write", json!({"file_path": absolute, "content": "{\"disableAllHooks\": true}"})),
            ("Edit", json!({"file_path": absolute, "old_string": "a", "new_string": "\"disableAllHooks\": true"})),
        ] {
            if decided(sandbox, cwd, env, tool, &input).decision().as_deref() != DENY {
                passed.push(format!("{tool} {name}"));
            }
        }
    }
    assert!(passed.is_empty(), "with {env:?}:\n{}", passed.join("\n"));
}

fn put(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

const STARTS: &str = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"hookbin hook"}]}]}}"#;

#[test]
fn settings_of_the_project_that_are_a_link_are_protected_by_both_names() {
    for file in ["settings.json", "settings.local.json", "hookbin.toml"] {
        let sandbox = Sandbox::new();
        let real = sandbox.home().join("dotfiles").join(file);
        put(&real, if file == "hookbin.toml" { "" } else { STARTS });
        std::fs::create_dir_all(sandbox.path(".claude")).unwrap();
        symlink(&real, sandbox.path(".claude").join(file)).unwrap();
        let project = sandbox.project();
        refused(&sandbox, &project, &[], &[PathBuf::from(".claude").join(file), real.clone()]);
        expect(
            &sandbox,
            &project,
            &[],
            &[
                (&format!("cat {}", real.display()), None),
                (&format!("echo x > {}", real.with_file_name("other.json").display()), None),
                // The whole directory takes the settings along.
                (&format!("mv {} /tmp/d", real.parent().unwrap().display()), DENY),
            ],
        );
    }
}

#[test]
fn a_client_dir_that_is_a_link_is_protected_by_both_names() {
    let sandbox = Sandbox::new();
    let real = sandbox.home().join("dotfiles/claude");
    for file in ["settings.json", "hookbin.toml"] {
        put(&real.join(file), if file == "hookbin.toml" { "" } else { STARTS });
    }
    put(&real.join("hookbin/log/audit.jsonl"), "");
    symlink(&real, sandbox.path(".claude")).unwrap();
    let names = ["settings.json", "hookbin.toml", "hookbin/log/audit.jsonl"];
    let mut files: Vec<PathBuf> = names.iter().map(|name| Path::new(".claude").join(name)).collect();
    files.extend(names.map(|name| real.join(name)));
    refused(&sandbox, &sandbox.project(), &[], &files);
    expect(
        &sandbox,
        &sandbox.project(),
        &[],
        &[
            ("rm .claude", DENY),
            (&format!("rm -rf {}", real.display()), DENY),
            (&format!("echo x > {}/notes.md", real.parent().unwrap().display()), None),
            ("echo x > .claude/notes.md", None),
        ],
    );
}

#[test]
fn settings_of_the_person_that_are_a_link_are_protected_by_both_names() {
    // The file, and the directory.
    for dir in [false, true] {
        let sandbox = Sandbox::new();
        let real = sandbox.home().join("dotfiles/claude/settings.json");
        put(&real, STARTS);
        if dir {
            symlink(real.parent().unwrap(), sandbox.home().join(".claude")).unwrap();
        } else {
            std::fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
            symlink(&real, sandbox.home().join(".claude/settings.json")).unwrap();
        }
        refused(&sandbox, &sandbox.project(), &[], &[sandbox.home().join(".claude/settings.json"), real]);
    }
}

#[test]
fn settings_in_a_moved_client_dir_are_protected() {
    let sandbox = Sandbox::new();
    let dir = sandbox.home().join("cfg");
    put(&dir.join("settings.json"), STARTS);
    let linked = sandbox.home().join("cfg-link");
    symlink(&dir, &linked).unwrap();
    for named in [&dir, &linked] {
        let env = [("CLAUDE_CONFIG_DIR", named.to_str())];
        refused(&sandbox, &sandbox.project(), &env, &[dir.join("settings.json"), linked.join("settings.json")]);
        expect(
            &sandbox,
            &sandbox.project(),
            &env,
            &[
                ("echo '{\"disableAllHooks\":true}' > \"$CLAUDE_CONFIG_DIR/settings.json\"", DENY),
                ("rm -rf \"$CLAUDE_CONFIG_DIR\"", DENY),
                ("cat \"$CLAUDE_CONFIG_DIR/settings.json\"", None),
                ("cat \"$CLAUDE_CONFIG_DIR/.credentials.json\"", DENY),
            ],
        );
    }
    // Settings that do not start the guard are the user's, but for what switches it off.
    put(&dir.join("settings.json"), "{\"theme\": \"dark\"}");
    let env = [("CLAUDE_CONFIG_DIR", dir.to_str())];
    expect(
        &sandbox,
        &sandbox.project(),
        &env,
        &[
            ("echo '{\"disableAllHooks\":true}' > \"$CLAUDE_CONFIG_DIR/settings.json\"", DENY),
            ("echo '{\"theme\":\"light\"}' > \"$CLAUDE_CONFIG_DIR/settings.json\"", None),
        ],
    );
    for (content, wanted) in [("{\"disableAllHooks\": true}", DENY), ("{\"theme\": \"light\"}", None)] {
        let input = json!({"file_path": dir.join("settings.json"), "content": content});
        let ran = decided(&sandbox, &sandbox.project(), &env, "Write", &input);
        assert_eq!(ran.decision().as_deref(), wanted, "{content}");
    }
}

#[test]
fn a_project_by_another_name_is_the_project() {
    let sandbox = Sandbox::new();
    let (real, link) = (sandbox.project(), sandbox.home().join("p"));
    put(&real.join("build/a"), "");
    put(&real.join(".claude/settings.json"), STARTS);
    symlink(&real, &link).unwrap();
    for named in [&real, &link] {
        for cwd in [&real, &link] {
            let env = [("CLAUDE_PROJECT_DIR", named.to_str())];
            expect(
                &sandbox,
                cwd,
                &env,
                &[
                    ("rm -rf build", None),
                    ("rm -rf ./build", None),
                    (&format!("rm -rf {}/build", real.display()), None),
                    (&format!("rm -rf {}/build", link.display()), None),
                    ("cd ~/p && rm -rf build", None),
                    ("cd ~/project && rm -rf build", None),
                    ("rm -rf ../other", DENY),
                    ("rm -rf .", DENY),
                    ("rm -rf *", DENY),
                    (&format!("rm -rf {}", real.display()), DENY),
                ],
            );
            let files = [&real, &link].map(|root| root.join(".claude/settings.json"));
            refused(&sandbox, cwd, &env, &files);
        }
    }
}

#[test]
fn a_home_dir_that_is_a_link_is_one_by_both_names() {
    let sandbox = Sandbox::new();
    let link = sandbox.home().parent().unwrap().join("linked");
    symlink(sandbox.home(), &link).unwrap();
    put(&sandbox.path("build/a"), "");
    put(&sandbox.home().join(".ssh/config"), "");
    put(&sandbox.home().join(".bashrc"), "");
    let by = |home: &Path| home.join("project");
    for (home, other) in [(link.clone(), sandbox.home()), (sandbox.home(), link.clone())] {
        let project = sandbox.project();
        let env = [("HOME", home.to_str()), ("CLAUDE_PROJECT_DIR", project.to_str())];
        for cwd in [by(&home), by(&other)] {
            let other = other.display();
            expect(
                &sandbox,
                &cwd,
                &env,
                &[
                    ("rm -rf build", None),
                    ("rm -rf ~/project/build", None),
                    ("cd ~/project && rm -rf build", None),
                    ("rm -rf ~/.ssh", DENY),
                    (&format!("rm -rf {other}/.ssh"), DENY),
                    (&format!("rm -rf {other}/"), DENY),
                    (&format!("rm {other}/.bashrc"), ASK),
                    (&format!("echo x >> {other}/.bashrc"), DENY),
                    (&format!("cat {other}/.aws/credentials"), DENY),
                ],
            );
        }
    }
}

/// What a home directory is worth, whether it is named or not.
fn at_home_everywhere() -> Vec<(&'static str, Option<&'static str>)> {
    vec![
        ("echo x > /etc/passwd", DENY),
        ("chmod -R 000 /etc", DENY),
        ("rm -rf $HOME", DENY),
        ("rm -rf ~", DENY),
        ("rm -rf ~/.ssh", DENY),
        ("grep KEY ~/.aws/credentials", DENY),
        ("cat ~/.ssh/id_rsa", DENY),
        ("mv /opt/tool /tmp/tool", ASK),
        ("umount -l /usr", ASK),
        ("cp my.conf /etc/nginx/nginx.conf", ASK),
        ("echo x >> ~/.bashrc", DENY),
        ("rm -rf /tmp/build", None),
        ("shred -u /tmp/key.bin", None),
        ("rm -rf build", None),
        ("cat README.md", None),
    ]
}

#[test]
fn without_a_home_in_the_environment_the_guard_is_as_strict() {
    let sandbox = Sandbox::new();
    for home in [None, Some("rel"), Some(""), Some("/")] {
        expect(&sandbox, &sandbox.project(), &[("HOME", home)], &at_home_everywhere());
    }
}

#[test]
fn the_home_of_the_account_is_protected_beside_that_of_the_environment() {
    let sandbox = Sandbox::new();
    let list = std::fs::read_to_string("/etc/passwd").unwrap();
    // Tests run as root; elsewhere there is nothing to show that the other tests do not.
    let own = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()).to_string();
    let Some(account) = list.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.get(2) == Some(&own.as_str())).then(|| fields[5].to_owned())
    }) else {
        return;
    };
    for (command, wanted) in [
        (format!("rm -rf {account}"), DENY),
        (format!("rm -rf {account}/.ssh"), DENY),
        (format!("echo x >> {account}/.bashrc"), DENY),
        (format!("cat {account}/.aws/credentials"), DENY),
        (format!("rm {account}/.bashrc"), ASK),
    ] {
        expect(&sandbox, &sandbox.project(), &[], &[(&command, wanted)]);
    }
}

#[test]
fn an_account_that_nobody_lists_is_guarded() {
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 54_321;
    if !is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    // The other user has to be able to start the executable, and to come to the project.
    let dir = tempfile::tempdir().unwrap();
    for path in [dir.path(), sandbox.home().parent().unwrap()] {
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let program = dir.path().join("hookbin");
    std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), &program).unwrap();
    for home in [None, Some("rel"), sandbox.home().to_str()] {
        for (line, wanted) in at_home_everywhere() {
            let mut command = Command::new(&program);
            command.args(["hook", "PreToolUse"]).env_clear().env("CLAUDE_PROJECT_DIR", sandbox.project());
            command.current_dir("/").uid(NOBODY).gid(NOBODY);
            home.map(|home| command.env("HOME", home));
            let ran = run(command, event(&sandbox.project(), "Bash", &json!({"command": line})).as_bytes());
            assert_eq!(ran.decision().as_deref(), wanted, "HOME={home:?} {line}: {ran:?}");
        }
    }
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0
}

#[test]
fn a_session_that_was_started_in_the_home_dir_keeps_its_rules() {
    let sandbox = Sandbox::new();
    let home = sandbox.home();
    put(&home.join(".claude/settings.json"), STARTS);
    for named in [None, home.to_str()] {
        let env = [("CLAUDE_PROJECT_DIR", named)];
        expect(
            &sandbox,
            &home,
            &env,
            &[
                ("rm -rf ~", DENY),
                ("rm -rf *", DENY),
                ("rm -rf ~/.ssh", DENY),
                ("rm -rf .ssh", DENY),
                ("rm -rf ~/.config", DENY),
                ("rm -rf ~/Documents", DENY),
                ("rm -rf Documents/taxes", DENY),
                ("rm Documents/taxes.ods", ASK),
                ("rm ~/.bashrc", ASK),
                ("echo x >> ~/.bashrc", DENY),
                ("cat .aws/credentials", DENY),
                ("rm -rf src", ASK),
                ("rm -rf ~/tmp-build", ASK),
                ("rm -rf src/app/old", ASK),
                ("rm -rf src/app/node_modules", None),
                ("rm -rf target", None),
                ("rm -rf .cache/pip", None),
                ("rm -rf /tmp/build", None),
                ("rm notes.txt", None),
                ("echo x > notes.txt", None),
                ("echo '{}' > .claude/settings.json", DENY),
                ("rm -rf /etc", DENY),
                ("rm -rf /srv/data", DENY),
            ],
        );
    }
}

#[test]
fn a_session_that_was_started_in_the_root_keeps_the_rules() {
    let sandbox = Sandbox::new();
    for named in [None, Some("/")] {
        let env = [("CLAUDE_PROJECT_DIR", named)];
        expect(
            &sandbox,
            Path::new("/"),
            &env,
            &[
                ("rm -rf ~/.ssh", DENY),
                ("rm -rf ~/Documents", DENY),
                ("rm ~/.bashrc", ASK),
                ("echo x >> ~/.bashrc", DENY),
                ("rm -rf etc", DENY),
                ("echo x > etc/passwd", DENY),
                ("rm -rf *", DENY),
                ("rm -rf data", DENY),
                ("echo '{}' > .claude/settings.json", DENY),
                ("rm -rf /tmp/build", None),
            ],
        );
    }
    // A directory of the system as well.
    expect(
        &sandbox,
        Path::new("/etc"),
        &[("CLAUDE_PROJECT_DIR", Some("/etc"))],
        &[("echo x > passwd", DENY), ("rm shadow", DENY), ("cat hosts", None)],
    );
}

#[test]
fn dirs_that_the_person_added_are_their_work() {
    let sandbox = Sandbox::new();
    let beside = sandbox.home().join("beside");
    let cases = |whole: Option<&'static str>, inside: Option<&'static str>| {
        [
            ("rm -rf ../beside/node_modules", inside),
            ("rm -rf ~/beside/old", inside),
            ("rm ../beside/a.txt", if inside.is_none() { None } else { ASK }),
            ("rm -rf ../beside", whole),
            ("rm -rf ../beside/.git", DENY),
            ("rm -rf ../other", DENY),
        ]
    };
    put(&beside.join("old/a"), "");
    let project = sandbox.project();
    let added = json!({"permissions": {"additionalDirectories": [beside]}}).to_string();
    expect(&sandbox, &project, &[], &cases(DENY, DENY));
    // The user's own settings say so, of every project or of this one.
    put(&sandbox.home().join(".claude/settings.json"), &added);
    expect(&sandbox, &project, &[], &cases(ASK, None));
    std::fs::remove_file(sandbox.home().join(".claude/settings.json")).unwrap();
    // An archive brings such a file as well, and no git tracks it.
    sandbox.write(".claude/settings.local.json", &added);
    expect(&sandbox, &project, &[], &cases(DENY, DENY));
    sandbox.trust();
    expect(&sandbox, &project, &[], &cases(ASK, None));
    sandbox.git(&project, &["init", "-q"]);
    expect(&sandbox, &project, &[], &cases(ASK, None));
    // What comes with a repository says nothing about directories of the user.
    sandbox.git(&project, &["add", "-f", ".claude/settings.local.json"]);
    expect(&sandbox, &project, &[], &cases(DENY, DENY));
    std::fs::remove_file(sandbox.path(".claude/settings.local.json")).unwrap();
    sandbox.write(".claude/settings.json", &added);
    expect(&sandbox, &project, &[], &cases(DENY, DENY));
    // Nor is a directory added that holds the home directory or the project.
    let wide = json!({"permissions": {"additionalDirectories": [sandbox.home(), "/", "~", ".."]}}).to_string();
    put(&sandbox.home().join(".claude/settings.json"), &wide);
    expect(&sandbox, &project, &[], &cases(DENY, DENY));
}

#[test]
fn the_agent_adds_no_dir_itself() {
    let sandbox = Sandbox::new();
    let settings = sandbox.home().join(".claude/settings.json");
    put(&settings, "{}");
    let content = r#"{"permissions":{"additionalDirectories":["~/Documents"]}}"#;
    for (tool, input) in [
        ("Write", json!({"file_path": settings, "content": content})),
        ("Edit", json!({"file_path": settings, "old_string": "{}", "new_string": content})),
        ("Bash", json!({"command": format!("echo '{content}' > ~/.claude/settings.json")})),
    ] {
        let ran = decided(&sandbox, &sandbox.project(), &[], tool, &input);
        assert_eq!(ran.decision().as_deref(), DENY, "{tool}");
    }
    let plain = json!({"file_path": settings, "content": "{\"theme\":\"dark\"}"});
    assert_eq!(decided(&sandbox, &sandbox.project(), &[], "Write", &plain).decision(), None);
}

#[test]
fn other_working_trees_are_the_persons_work() {
    let sandbox = Sandbox::new();
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q"]);
    sandbox.git(&project, &["commit", "-q", "--allow-empty", "-m", "a"]);
    sandbox.git(&project, &["worktree", "add", "-q", "../wt9"]);
    let tree = sandbox.home().join("wt9");
    put(&tree.join("build/a"), "");
    let inside = [("rm -rf ../wt9/node_modules", None), ("rm -rf ../wt9", ASK), ("rm -rf ../wt", DENY)];
    expect(&sandbox, &project, &[], &inside);
    // The session went there, or was started there.
    expect(&sandbox, &tree, &[], &[("rm -rf build", None), ("rm -rf .", ASK), ("rm -rf .git", DENY)]);
    let there = [("CLAUDE_PROJECT_DIR", tree.to_str())];
    expect(&sandbox, &tree, &there, &[("rm -rf ../project/build", None), ("rm -rf ../project", ASK)]);
    // A directory that only says that it is one is none.
    put(&sandbox.home().join("docs/.git"), "gitdir: /nowhere");
    put(&sandbox.path(".git/worktrees/docs/gitdir"), sandbox.home().join("docs/.git").to_str().unwrap());
    expect(&sandbox, &project, &[], &[("rm -rf ../docs/a", DENY)]);
}

#[test]
fn a_project_on_a_drive_of_windows_has_two_names() {
    let sandbox = Sandbox::new();
    let project = Path::new("/mnt/c/Users/dana/proj");
    // The directory need not be there: what is not there is no project, so that its name is given.
    let decide = |command: &str| {
        let mut hook = sandbox.command(&["hook", "PreToolUse", "--project", project.to_str().unwrap()]);
        hook.env("HOME", "/home/dana");
        run(hook, event(project, "Bash", &json!({"command": command})).as_bytes()).decision()
    };
    for (command, wanted) in [
        (r"cmd.exe /c 'rd /s /q C:\Users\dana\proj\build'", None),
        (r"cmd.exe /c 'rd /s /q c:\users\Dana\proj\build'", None),
        (r"cmd.exe /c 'rd /s /q C:\Users\dana\proj'", DENY),
        (r"cmd.exe /c 'rd /s /q C:\Users\dana\other'", DENY),
        (r"cmd.exe /c 'rd /s /q C:\Users\dana'", DENY),
        (r"cmd.exe /c 'del C:\Users\dana\proj\.claude\settings.json'", DENY),
        ("rm -rf /mnt/c/Users/dana/proj/build", None),
        ("rm -rf /mnt/c/Users/dana/other", DENY),
    ] {
        assert_eq!(decide(command).as_deref(), wanted, "{command}");
    }
}

/// A clone brings links whose ends nobody has made yet: what is written through one comes to be there.
#[test]
fn a_link_is_followed_where_its_end_is_not_there_yet() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join(".ssh")).unwrap();
    let links = [
        ("config.txt", "../.config/hookbin/hookbin.toml"),
        ("config", "../.config"),
        ("again.txt", "config.txt"),
        ("keys", "../.ssh/authorized_keys"),
        ("shell", "../.bashrc"),
        ("roundabout", "config/../.config/hookbin"),
        ("harmless", "build/out"),
        ("loop", "loop"),
    ];
    for (name, end) in links {
        symlink(end, sandbox.path(name)).unwrap();
    }
    // Two ways at each of forty ends are no more than forty steps.
    for step in 0..40 {
        let next = step + 1;
        symlink(format!("many{next}/../many{next}"), sandbox.path(&format!("many{step}"))).unwrap();
    }
    let cases = [
        ("echo x > config.txt", DENY),
        ("cp README.md config.txt", DENY),
        ("tee again.txt < README.md", DENY),
        ("echo x > config/hookbin/hookbin.toml", DENY),
        ("echo x > roundabout/hookbin.toml", DENY),
        ("echo k >> keys", DENY),
        ("echo x >> shell", DENY),
        ("echo x > harmless", None),
        ("echo x > loop", None),
        ("echo x > many0", None),
    ];
    expect(&sandbox, &sandbox.project(), &[], &cases);
}

/// However many paths a line names, each is looked at.
#[test]
fn links_are_followed_behind_any_number_of_other_paths() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join(".ssh")).unwrap();
    std::fs::create_dir_all(sandbox.home().join(".config")).unwrap();
    std::fs::write(sandbox.home().join(".ssh/work"), "key").unwrap();
    for (name, end) in [("config", "../.config"), ("home", ".."), ("key", "../.ssh/work")] {
        symlink(end, sandbox.path(name)).unwrap();
    }
    let many: Vec<String> = (0..3_000).map(|at| format!("f{at}")).collect();
    let many = many.join(" ");
    let lines = [
        format!("touch {many}; echo x > config/hookbin/hookbin.toml"),
        format!("rm {many} config/hookbin/hookbin.toml"),
        format!("rm -rf {many} home/.ssh"),
        format!("touch {many}; cat key"),
    ];
    let mut cases: Vec<(&str, Option<&str>)> = lines.iter().map(|line| (line.as_str(), DENY)).collect();
    let harmless = format!("touch {many}");
    cases.push((&harmless, None));
    expect(&sandbox, &sandbox.project(), &[], &cases);
}

/// The entry of another project is the guard's too, and settings without one are that project's matter.
#[test]
fn settings_of_another_project_are_the_guards_where_they_start_it() {
    let sandbox = Sandbox::new();
    put(
        &sandbox.home().join("guarded/.claude/settings.local.json"),
        r#"{"hooks":{"PreToolUse":[{"hooks":[{"command":"hookbin"}]}]}}"#,
    );
    put(&sandbox.home().join("plain/.claude/settings.json"), "{}");
    let cases = [
        ("echo '{}' > ../guarded/.claude/settings.local.json", DENY),
        ("rm ../guarded/.claude/settings.local.json", DENY),
        ("echo '{}' >> ../plain/.claude/settings.json", None),
        // A file of the user's that is overwritten, and no more.
        ("echo '{}' > ../plain/.claude/settings.json", ASK),
        ("echo '{}' > ../new/.claude/settings.json", None),
        ("cp /bin/true ../plain/.claude/hookbin/hookbin", DENY),
    ];
    expect(&sandbox, &sandbox.project(), &[], &cases);
}

/// The entry that a team shares takes the first executable that it finds on the search path.
#[test]
fn the_executable_is_the_guards_wherever_it_is_looked_for() {
    let sandbox = Sandbox::new();
    let dir = sandbox.home().join("go/bin");
    std::fs::create_dir_all(&dir).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.display());
    let cases = [("cp x ~/go/bin/hookbin", DENY), ("cp x ~/go/bin/other", None), ("cp x ~/go/hookbin", None)];
    expect(&sandbox, &sandbox.project(), &[("PATH", Some(&path))], &cases);
}

/// What is open under a number is the command's own when it runs, and not what the hook has open under it.
#[test]
fn a_number_of_an_open_file_is_the_commands() {
    let sandbox = Sandbox::new();
    let project = sandbox.project();
    // A file of the system is asked about; what the hook has open is not refused as the guard's.
    let dirs = [("/proc/self/fd/", ASK), ("/dev/fd/", None), ("/proc/thread-self/fd/", ASK)];
    let cases: Vec<(String, Option<&str>)> =
        (3..12).flat_map(|number| dirs.map(|(dir, wanted)| (format!("tar -cf {dir}{number} a"), wanted))).collect();
    let cases: Vec<(&str, Option<&str>)> = cases.iter().map(|(case, wanted)| (case.as_str(), *wanted)).collect();
    expect(&sandbox, &project, &[], &cases);
}
