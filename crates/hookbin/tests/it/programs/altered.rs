//! A linter whose package a command of the session has changed waits, as one waits whose file a tool wrote.

use serde_json::json;

use super::{SYSTEM, payload, starts, trust_again, wrote};
use crate::sandbox::{Ran, Sandbox};

const ENV: &[(&str, &str)] = &[("PATH", SYSTEM)];

/// A project whose linter is a link into a package that loads a file of its own and one of another package.
fn packaged() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = \"guardrails\"\n[change.test-runner]\nenabled = false\n");
    sandbox.write("eslint.config.js", "export default []\n");
    sandbox.program(
        "node_modules/eslint/bin/eslint.sh",
        "here=$(/usr/bin/dirname \"$(/usr/bin/readlink -f \"$0\")\"); . \"$here/../lib/api.sh\"; . \"$here/../../other/lib/deep.sh\"",
    );
    sandbox.write("node_modules/eslint/lib/api.sh", "echo own >> ran\n");
    sandbox.write("node_modules/other/lib/deep.sh", ":\n");
    std::fs::create_dir_all(sandbox.path("node_modules/.bin")).unwrap();
    std::os::unix::fs::symlink("../eslint/bin/eslint.sh", sandbox.path("node_modules/.bin/eslint")).unwrap();
    // What an installation put there before the session is older than it.
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox
}

/// The host tells of a command, which has not really run here.
fn told(sandbox: &Sandbox, event: &str, command: &str) -> Ran {
    let mut more = json!({
        "cwd": sandbox.project(), "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("b{}", command.len()),
    });
    if event == "PostToolUse" {
        more["tool_response"] = json!({"stdout": "", "stderr": ""});
    } else {
        more["error"] = json!("exit code 1");
    }
    sandbox.hook_with(&[event], &payload("s1", event, &more), ENV)
}

fn ran(sandbox: &Sandbox) -> bool {
    let before = std::fs::read_to_string(sandbox.path("ran")).unwrap_or_default();
    wrote(sandbox, "s1", "src/a.js", "// Sums.\n", ENV);
    std::fs::read_to_string(sandbox.path("ran")).unwrap_or_default() != before
}

#[test]
fn a_package_that_a_command_names_as_changed_bars() {
    let commands = [
        "echo evil > node_modules/other/lib/deep.sh",
        "cat x >> ./node_modules/other/lib/deep.sh",
        "cd node_modules/other && cp /tmp/x lib/deep.sh",
        "sed -i s/a/b/ node_modules/other/lib/deep.sh",
        "mv /tmp/x node_modules/other/lib/deep.sh",
        "ln -sf /tmp/x node_modules/other/lib/deep.sh",
        "rm -rf node_modules/other",
        "bash -c 'echo evil | tee node_modules/other/lib/*.sh'",
        "echo evil > vendor/bin/x",
        "echo evil > .yarn/cache/x",
        "echo evil > .venv/lib/python3.12/site-packages/deep/x.py",
        "echo evil > ../node_modules/other/lib/deep.sh",
    ];
    for command in commands {
        for event in ["PostToolUse", "PostToolUseFailure"] {
            let sandbox = packaged();
            starts(&sandbox, "s1", ENV);
            assert!(ran(&sandbox), "{command}");
            told(&sandbox, event, command);
            assert!(!ran(&sandbox), "{event}: {command}");
            trust_again(&sandbox);
            assert!(ran(&sandbox), "{event}: {command}: the user has looked");
        }
    }
}

#[test]
fn a_command_that_only_reads_packages_or_changes_others_bars_nothing() {
    let sandbox = packaged();
    starts(&sandbox, "s1", ENV);
    for command in [
        "ls node_modules > out.txt",
        "cat node_modules/other/lib/deep.sh",
        "grep -r evil node_modules vendor .venv",
        "node_modules/.bin/eslint src/a.js",
        "echo x > src/a.js",
        "cp node_modules/other/package.json /tmp/x",
        "echo x > /elsewhere/project/node_modules/other/lib/deep.sh",
        "echo node_modules >> .gitignore",
    ] {
        told(&sandbox, "PostToolUse", command);
        assert!(ran(&sandbox), "{command}");
    }
}

/// What no text of a call names shows in the linter's own package.
#[test]
fn the_package_of_the_linter_is_looked_at() {
    for path in ["node_modules/eslint/lib/api.sh", "node_modules/eslint/node_modules/deep/index.js"] {
        let sandbox = packaged();
        starts(&sandbox, "s1", ENV);
        assert!(ran(&sandbox), "{path}");
        sandbox.write(path, "echo evil >> ran\n");
        assert!(!ran(&sandbox), "{path}");
    }
    // A package of an environment.
    for path in ["ruff/main.py", "_ruff/deep/main.py"] {
        let sandbox = super::linted();
        let path = format!(".venv/lib/python3.12/site-packages/{path}");
        sandbox.write(&path, "");
        std::thread::sleep(std::time::Duration::from_millis(20));
        starts(&sandbox, "s1", ENV);
        wrote(&sandbox, "s1", "a.py", "# Sums.\n", ENV);
        assert_eq!(sandbox.read("ran"), "own\n");
        sandbox.write(&path, "import os\n");
        wrote(&sandbox, "s1", "a.py", "# Sums.\n", ENV);
        assert_eq!(sandbox.read("ran"), "own\n", "{path}");
    }
    // A script in the place of the link, and what the language compiles on the way.
    let sandbox = packaged();
    std::fs::remove_file(sandbox.path("node_modules/.bin/eslint")).unwrap();
    sandbox.program("node_modules/.bin/eslint", ". node_modules/eslint/lib/api.sh");
    std::thread::sleep(std::time::Duration::from_millis(20));
    starts(&sandbox, "s1", ENV);
    sandbox.write("node_modules/eslint/__pycache__/a.pyc", "");
    assert!(ran(&sandbox));
    sandbox.write("node_modules/eslint/lib/api.sh", "echo evil >> ran\n");
    assert!(!ran(&sandbox));
}
