//! Programs: what hookbin starts itself, when it starts them, and what they get. Each of these ran, or got what it should not have, in
//! the first version.

mod altered;
mod moved;
mod seen;
mod vouched;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, place_program, run, sha256};

const SYSTEM: &str = "/usr/bin:/bin";

fn payload(session: &str, event: &str, more: &Value) -> Vec<u8> {
    let mut all = json!({ "session_id": session, "transcript_path": "", "hook_event_name": event });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    all.to_string().into_bytes()
}

/// A file is written by the tool of that name, and the host tells it.
fn wrote(sandbox: &Sandbox, session: &str, path: &str, content: &str, env: &[(&str, &str)]) -> Ran {
    sandbox.write(path, content);
    let input = json!({ "file_path": sandbox.path(path), "content": content });
    let call = format!("t{}", std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos());
    let more = json!({ "cwd": sandbox.project(), "tool_name": "Write", "tool_input": input, "tool_use_id": call });
    sandbox.hook_with(&["PostToolUse"], &payload(session, "PostToolUse", &more), env)
}

fn starts(sandbox: &Sandbox, session: &str, env: &[(&str, &str)]) -> Ran {
    let more = json!({ "source": "startup", "cwd": sandbox.project() });
    sandbox.hook_with(&["SessionStart"], &payload(session, "SessionStart", &more), env)
}

fn ask(sandbox: &Sandbox, args: &[&str], command: &str) -> Ran {
    let more = json!({
        "cwd": sandbox.project(), "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
    });
    sandbox.hook(args, &payload("s1", "PreToolUse", &more))
}

fn comes(path: &Path) -> bool {
    let end = Instant::now() + Duration::from_secs(20);
    while !path.exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    path.exists()
}

/// A program anywhere.
fn place(path: &Path, script: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    place_program(path, &format!("#!/bin/sh\n{script}\n"));
}

/// A script that leaves its environment in the home directory, under the name of what it is.
fn telling(name: &str, then: &str) -> String {
    format!("/usr/bin/env > \"$HOME/env.part\"; /bin/mv \"$HOME/env.part\" \"$HOME/env-{name}\"; {then}")
}

// --- what programs get (19) ------------------------------------------------------------------------------------------------

/// What a client, a project's settings or a shell may have put into the environment of a hook, and no program is to get.
const POISON: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "sk-poison"),
    ("ANTHROPIC_AUTH_TOKEN", "poison"),
    ("CLAUDE_CODE_OAUTH_TOKEN", "poison"),
    ("AWS_SECRET_ACCESS_KEY", "poison"),
    ("GITHUB_TOKEN", "poison"),
    ("DATABASE_URL", "postgres://poison"),
    ("SOMETHING_NEW", "poison"),
    ("GIT_SSH_COMMAND", "poison"),
    ("GIT_EXTERNAL_DIFF", "poison"),
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_VALUE_0", "poison"),
    ("GIT_EXEC_PATH", "/poison"),
    ("LD_LIBRARY_PATH", "/poison"),
    ("LD_AUDIT", ""),
    ("DYLD_INSERT_LIBRARIES", "/poison"),
    ("BASH_ENV", "/poison"),
    ("ENV", "/poison"),
    ("SHELLOPTS", "poison"),
    ("NODE_OPTIONS", "--require /poison"),
    ("NODE_PATH", "/poison"),
    ("PYTHONPATH", "/poison"),
    ("PYTHONSTARTUP", "/poison"),
    ("RUBYOPT", "-rpoison"),
    ("PERL5LIB", "/poison"),
    ("PERL5OPT", "-Mpoison"),
    ("JAVA_TOOL_OPTIONS", "-agentpath:/poison"),
    ("RUSTC_WRAPPER", "/poison"),
    ("CARGO_HOME", "poison"),
    ("XDG_CACHE_HOME", "poison"),
    ("EDITOR", "/poison"),
];

/// What they do get.
const HARMLESS: &[(&str, &str)] = &[("LANG", "C.UTF-8"), ("TERM", "dumb"), ("USER", "me")];

/// A kind of program.
struct Kind {
    name: &'static str,
    /// It runs code of the project.
    of_project: bool,
    /// Makes a project that has one.
    prepare: fn(&Sandbox),
    /// Has it started.
    act: fn(&Sandbox, &[(&str, &str)]),
}

/// Every kind of program that is started.
const KINDS: &[Kind] = &[
    Kind {
        name: "linter",
        of_project: true,
        prepare: |sandbox| {
            sandbox.write("pyproject.toml", "[tool.ruff]\n");
            sandbox.program(".venv/bin/ruff", &telling("linter", "exit 0"));
            sandbox.write(".claude/hookbin.toml", "profile = \"guardrails\"\n[change.test-runner]\nenabled = false\n");
        },
        act: |sandbox, env| drop(wrote(sandbox, "s1", "src/a.py", "# Sums.\n", env)),
    },
    Kind {
        name: "tests",
        of_project: true,
        prepare: |sandbox| {
            sandbox.write("tests/test_a.py", "def test_a(): pass\n");
            sandbox.program(".venv/bin/pytest", &telling("tests", "exit 0"));
            let quick = "[change.test-runner.test-run]\ndebounce_seconds = 0\npause_seconds = 0\n";
            sandbox.write(".claude/hookbin.toml", &format!("profile = \"guardrails\"\n{quick}"));
        },
        act: |sandbox, env| drop(wrote(sandbox, "s1", "src/a.py", "# Sums.\n", env)),
    },
    Kind {
        name: "gate",
        of_project: true,
        prepare: |sandbox| {
            sandbox.write("vitest.config.ts", "export default {}\n");
            sandbox.write("package.json", "{\"name\":\"p\"}\n");
            sandbox.program("node_modules/.bin/vitest", &telling("gate", "exit 0"));
            sandbox.write(".claude/hookbin.toml", "profile = \"collective\"\n");
        },
        act: |sandbox, env| {
            let said = "Done. Use the unit-testing-agent subagent to test it.\nCOLLECTIVE_HANDOFF_READY";
            let more = json!({
                "cwd": sandbox.project(), "agent_id": "a1", "agent_type": "module-development-agent",
                "stop_hook_active": false, "last_assistant_message": said,
            });
            sandbox.hook_with(&["SubagentStop"], &payload("s1", "SubagentStop", &more), env);
        },
    },
    Kind {
        name: "checkpoint",
        of_project: true,
        prepare: |sandbox| {
            let program = sandbox.home().join("stoneshell-brain/target/release/brain");
            place(&program, &telling("checkpoint", "exit 0"));
            sandbox.write(".claude/hookbin.toml", "profile = \"spf\"\n");
            sandbox.agree();
        },
        act: |sandbox, env| {
            let more = json!({
                "cwd": "/", "tool_name": "mcp__spf__spf_write", "tool_input": {"file_path": "/src/a.rs"},
                "tool_response": "ok", "tool_use_id": "t1",
            });
            sandbox.hook_with(&["PostToolUse"], &payload("s1", "PostToolUse", &more), env);
        },
    },
    Kind {
        name: "anchor",
        of_project: true,
        prepare: |sandbox| {
            let program = sandbox.home().join("bin/anchor");
            place(&program, &telling("anchor", "exit 0"));
            let own = sandbox.home().join(".config/hookbin/hookbin.toml");
            std::fs::create_dir_all(own.parent().unwrap()).unwrap();
            let command = format!("[change.anchor.anchor]\ncommand = [{:?}]\n", program.to_str().unwrap());
            std::fs::write(own, format!("profile = [\"sane\"]\n{command}")).unwrap();
            sandbox.write(".claude/hookbin.toml", "");
        },
        act: |sandbox, env| {
            let prompt = payload("s1", "UserPromptSubmit", &json!({"prompt": "mend it"}));
            sandbox.hook_with(&["UserPromptSubmit"], &prompt, env);
            sandbox.hook_with(&["Stop"], &payload("s1", "Stop", &json!({})), env);
        },
    },
    Kind {
        name: "git",
        of_project: false,
        prepare: |sandbox| {
            sandbox.write(".claude/hookbin.toml", "profile = \"guardrails\"\n");
            sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
            place(&sandbox.home().join("bin/git"), &telling("git", "exit 1"));
        },
        act: |sandbox, env| {
            let path = format!("{}:{SYSTEM}", sandbox.home().join("bin").display());
            let env: Vec<(&str, &str)> = env.iter().copied().chain([("PATH", path.as_str())]).collect();
            starts(sandbox, "s1", &env);
        },
    },
    Kind {
        name: "client",
        of_project: false,
        prepare: |sandbox| place(&sandbox.home().join("bin/claude"), &telling("client", "echo 9.9.9")),
        act: |sandbox, env| {
            let mut command = sandbox.command(&["doctor"]);
            let path = format!("{}:{SYSTEM}", sandbox.home().join("bin").display());
            command.envs(env.iter().copied()).env("PATH", path);
            run(command, b"");
        },
    },
    Kind {
        name: "sync",
        of_project: false,
        prepare: |sandbox| {
            let dir = sandbox.home().join("bin");
            place(&dir.join("hookbin-sync"), &telling("sync", "exit 0"));
            std::fs::copy(env!("CARGO_BIN_EXE_hookbin"), dir.join("hookbin")).unwrap();
            sandbox.note_environment("HOOKBIN_REGISTRY_URL\n");
        },
        act: |sandbox, env| {
            let mut command = std::process::Command::new(sandbox.home().join("bin/hookbin"));
            command.arg("sync").env_clear().env("HOME", sandbox.home()).current_dir(sandbox.project());
            command.envs(env.iter().copied()).env("HOOKBIN_REGISTRY_URL", "postgres://own");
            run(command, b"");
        },
    },
    Kind {
        name: "entry",
        of_project: false,
        prepare: |sandbox| {
            assert_eq!(sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]).code, Some(0));
            let program = sandbox.home().join(".local/share/hookbin/hookbin");
            let real = sandbox.home().join("real-hookbin");
            std::fs::rename(&program, &real).unwrap();
            place(&program, &telling("entry", &format!("exec '{}' \"$@\"", real.display())));
            vouch(sandbox, "project", &program);
        },
        act: |sandbox, env| {
            let mut command = sandbox.command(&["doctor"]);
            command.envs(env.iter().copied());
            run(command, b"");
        },
    },
];

/// Notes the executable as one that the user's installation placed.
fn vouch(sandbox: &Sandbox, scope: &str, program: &Path) {
    let note = sandbox.note(scope);
    let mut record: Value = serde_json::from_slice(&std::fs::read(&note).unwrap()).unwrap();
    record["executable"] = json!(sha256(program));
    std::fs::write(note, record.to_string()).unwrap();
}

#[test]
fn no_program_gets_keys_nor_what_makes_it_run_something_else_first() {
    for Kind { name, prepare, act, .. } in KINDS {
        let sandbox = Sandbox::new();
        let env: Vec<(&str, &str)> = POISON.iter().chain(HARMLESS).copied().chain([("PATH", SYSTEM)]).collect();
        prepare(&sandbox);
        act(&sandbox, &env);
        let told = sandbox.home().join(format!("env-{name}"));
        assert!(comes(&told), "{name} was not started");
        let text = std::fs::read_to_string(told).unwrap();
        let names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        for (poison, _) in POISON {
            // The server of the registry is told to the one program that needs it, and in a variable of its own.
            assert!(!names.contains(poison), "{name} gets {poison}:\n{text}");
        }
        assert!(!text.contains("poison"), "{name}:\n{text}");
        assert!(text.contains("LANG=C.UTF-8\n") && text.contains("USER=me\n"), "{name}:\n{text}");
    }
}

/// One place makes programs ready. Whoever adds another one has to think of all that this one thinks of.
#[test]
fn programs_are_made_ready_in_one_place() {
    let mut found: Vec<String> = Vec::new();
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = ["src", "../runtime/src", "../replay/src"].map(|dir| crates.join(dir)).into();
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let made = ["Command::new(", "Command::from(", "libc::exec", "posix_spawn", "libc::system", "libc::popen"];
            let count = made.iter().map(|way| text.matches(way).count()).sum::<usize>();
            found.extend((0..count).map(|_| path.file_name().unwrap().to_str().unwrap().to_owned()));
        }
    }
    found.sort();
    // `start.rs` becomes the same executable again when the deadline has come.
    assert_eq!(found, ["launch.rs", "start.rs"]);
}

// --- programs of the project (18, 19) --------------------------------------------------------------------------------------

fn linted() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = \"guardrails\"\n[change.test-runner]\nenabled = false\n");
    sandbox.write("pyproject.toml", "[tool.ruff]\n");
    sandbox.program(".venv/bin/ruff", "echo own >> ran");
    sandbox
}

#[test]
fn a_program_that_git_tracks_is_none_of_the_projects_own() {
    let sandbox = linted();
    let bin = sandbox.home().join("bin");
    place(&bin.join("ruff"), "echo machine >> ran");
    let path = format!("{}:{SYSTEM}", bin.display());
    sandbox.git(&sandbox.project(), &["init", "-q"]);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &[("PATH", &path)]);
    assert_eq!(sandbox.read("ran"), "own\n");
    sandbox.git(&sandbox.project(), &["add", "-f", ".venv"]);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &[("PATH", &path)]);
    assert_eq!(sandbox.read("ran"), "own\nmachine\n");
    // Behind a link that git tracks nothing is the machine's either.
    sandbox.git(&sandbox.project(), &["rm", "-rq", "--cached", ".venv"]);
    std::fs::rename(sandbox.path(".venv"), sandbox.path("tools")).unwrap();
    std::os::unix::fs::symlink("tools", sandbox.path(".venv")).unwrap();
    sandbox.git(&sandbox.project(), &["add", "-f", ".venv"]);
    wrote(&sandbox, "s2", "a.py", "# Sums.\n", &[("PATH", &path)]);
    assert_eq!(sandbox.read("ran"), "own\nmachine\nmachine\n");
}

#[test]
fn dirs_of_the_search_path_in_the_project_are_passed_over() {
    let sandbox = linted();
    std::fs::remove_dir_all(sandbox.path(".venv")).unwrap();
    sandbox.program("bin/ruff", "echo ran >> ran");
    let link = sandbox.home().join("link");
    std::os::unix::fs::symlink(sandbox.path("bin"), &link).unwrap();
    let whole = sandbox.path("bin").display().to_string();
    for dir in [whole.as_str(), "bin", ".", "", "/proc/self/cwd/bin", link.to_str().unwrap()] {
        let path = format!("{dir}:{SYSTEM}");
        wrote(&sandbox, "s1", "a.py", "# Sums.\n", &[("PATH", &path)]);
        assert!(!sandbox.path("ran").exists(), "{dir}");
    }
}

/// What a session changes so that something else would run, by the tool for files or by a command.
const DEFINING: &[(&str, &str)] = &[
    ("pyproject.toml", "[tool.ruff]\nline-length = 1\n"),
    ("package.json", "{\"scripts\": {\"test\": \"env\"}}"),
    ("tests/conftest.py", "import os\n"),
    ("Makefile", "test:\n\tenv\n"),
    ("build.rs", "fn main() {}\n"),
    (".cargo/config.toml", "[build]\nrustc = \"./x\"\n"),
    ("setup.py", "import os\n"),
    ("eslint.config.js", "export default []\n"),
    ("jest.config.ts", "export default {}\n"),
    (".venv/bin/ruff", "#!/bin/sh\necho evil >> ran\n"),
    ("node_modules/.bin/eslint", "#!/bin/sh\necho evil >> ran\n"),
    (".pytest.ini", "[pytest]\n"),
    ("pytest.toml", "[pytest]\n"),
    ("mise.local.toml", "[tasks.test]\nrun = \"env\"\n"),
    (".mise/config.toml", "[tasks.test]\nrun = \"env\"\n"),
    (".config/mise.toml", "[tasks.test]\nrun = \"env\"\n"),
    (".tool-versions", "ruff 0.0.1\n"),
    (".nycrc.json", "{}\n"),
    (".taprc", "before: ./x.js\n"),
    ("ava.config.mjs", "export default {}\n"),
    ("lefthook.yml", "pre-commit:\n"),
    (".lintstagedrc.json", "{}\n"),
    ("tsconfig.build.json", "{}\n"),
    (".swcrc", "{}\n"),
];

#[test]
fn nothing_runs_that_this_session_has_redefined() {
    for (path, content) in DEFINING {
        for by_tool in [true, false] {
            let sandbox = linted();
            let env = [("PATH", SYSTEM)];
            starts(&sandbox, "s1", &env);
            wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
            assert_eq!(sandbox.read("ran"), "own\n");
            if by_tool {
                wrote(&sandbox, "s1", path, content, &env);
            } else {
                sandbox.write(path, content);
            }
            std::fs::write(sandbox.path("ran"), "").unwrap();
            let told = [0, 1].map(|_| wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env));
            assert_eq!(sandbox.read("ran"), "", "{path}");
            // Told once a session, with the way out. What the tool wrote may itself have been looked at by the linter.
            let said = |ran: &Ran| ran.stdout.contains("hookbin trust");
            let name = path.rsplit('/').next().unwrap();
            assert!(!said(&told[1]), "{path}: {told:?}");
            assert!(by_tool || said(&told[0]) && told[0].stdout.contains(name), "{path}: {told:?}");
        }
    }
}

#[test]
fn what_a_session_only_reads_or_writes_elsewhere_bars_nothing() {
    let sandbox = linted();
    let env = [("PATH", SYSTEM)];
    starts(&sandbox, "s1", &env);
    for path in ["src/b.py", "README.md", "docs/package.json.md", "src/makefile_parser.py"] {
        wrote(&sandbox, "s1", path, "# Sums.\n", &env);
    }
    std::fs::write(sandbox.path("ran"), "").unwrap();
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
    assert_eq!(sandbox.read("ran"), "own\n");
}

#[test]
fn tests_that_wait_do_not_run_what_changed_meanwhile() {
    let sandbox = Sandbox::new();
    let slow = "[change.test-runner.test-run]\ndebounce_seconds = 1\npause_seconds = 0\n";
    sandbox.write(".claude/hookbin.toml", &format!("profile = \"guardrails\"\n{slow}"));
    sandbox.write("tests/test_a.py", "def test_a(): pass\n");
    sandbox.program(".venv/bin/pytest", "echo own >> ran");
    let env = [("PATH", SYSTEM)];
    starts(&sandbox, "s1", &env);
    wrote(&sandbox, "s1", "src/a.py", "# Sums.\n", &env);
    // By a command that no hook sees.
    sandbox.write("tests/conftest.py", "import os\n");
    let ended =
        || std::fs::read_to_string(sandbox.path(".claude/.test-status")).is_ok_and(|text| !text.starts_with("running"));
    let end = Instant::now() + Duration::from_secs(20);
    while !ended() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(sandbox.read(".claude/.test-status").starts_with("error|"));
    assert!(sandbox.read(".claude/.agent-findings").contains("a session changed tests/conftest.py"));
    assert!(!sandbox.path("ran").exists());
}

#[test]
fn no_program_of_a_project_runs_that_nobody_trusts() {
    for Kind { name, prepare, act, .. } in KINDS.iter().filter(|kind| kind.of_project) {
        let sandbox = Sandbox::new();
        prepare(&sandbox);
        sandbox.distrust();
        act(&sandbox, &[("PATH", SYSTEM)]);
        std::thread::sleep(Duration::from_millis(500));
        assert!(!sandbox.home().join(format!("env-{name}")).exists(), "{name}");
    }
}

#[test]
fn a_gate_that_may_start_nothing_names_the_way_out_once_a_session() {
    let sandbox = linted();
    sandbox.distrust();
    let own = sandbox.home().join(".config/hookbin/hookbin.toml");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, "profile = \"guardrails\"\n[change.test-runner]\nenabled = false\n").unwrap();
    let told = [0, 1].map(|_| wrote(&sandbox, "s1", "a.py", "# Sums.\n", &[("PATH", SYSTEM)]));
    let said = |ran: &Ran| ran.stdout.contains("this directory's programs are not trusted; run `hookbin trust`");
    assert!(said(&told[0]) && !said(&told[1]), "{told:?}");
    assert!(!sandbox.path("ran").exists());
}

/// As `hookbin trust` does at a terminal, in the same second as the change that was seen.
fn trust_again(sandbox: &Sandbox) {
    std::thread::sleep(Duration::from_millis(20));
    sandbox.agree();
}

#[test]
fn what_the_person_has_seen_since_runs_again() {
    let sandbox = linted();
    let env = [("PATH", SYSTEM)];
    starts(&sandbox, "s1", &env);
    wrote(&sandbox, "s1", "tests/conftest.py", "import os\n", &env);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
    assert!(!sandbox.path("ran").exists());
    trust_again(&sandbox);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
    assert_eq!(sandbox.read("ran"), "own\n");
    // A change after that is one again.
    wrote(&sandbox, "s1", "tests/conftest.py", "import sys\n", &env);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
    assert_eq!(sandbox.read("ran"), "own\n");
}

/// What bars is in the session's document, and an agent that loses it does not lose the bar.
#[test]
fn a_lost_document_bars_until_the_person_has_looked() {
    let env = [("PATH", SYSTEM)];
    let lose: [fn(&Path); 3] = [
        |document| std::fs::remove_file(document).unwrap(),
        |document| std::fs::remove_dir_all(document.parent().unwrap()).unwrap(),
        |document| std::fs::write(document, "{").unwrap(),
    ];
    for lose in lose {
        let sandbox = linted();
        starts(&sandbox, "s1", &env);
        wrote(&sandbox, "s1", "Makefile", "all:\n\ttouch PWNED\n", &env);
        lose(&sandbox.state("sessions/s1.json"));
        let told = [0, 1].map(|_| wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env));
        assert!(!sandbox.path("ran").exists());
        let said = |ran: &Ran| ran.stdout.contains("the record of what this session changed is gone");
        assert!(said(&told[0]) && !said(&told[1]), "{told:?}");
        // Once the user has looked, what changes after that counts.
        trust_again(&sandbox);
        wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
        assert_eq!(sandbox.read("ran"), "own\n");
        wrote(&sandbox, "s1", "Makefile", "all:\n\ttouch AGAIN\n", &env);
        wrote(&sandbox, "s1", "a.py", "# Sums.\n", &env);
        assert_eq!(sandbox.read("ran"), "own\n");
    }
    // A later session begins again.
    let sandbox = linted();
    starts(&sandbox, "s1", &env);
    std::fs::remove_file(sandbox.state("sessions/s1.json")).unwrap();
    starts(&sandbox, "s2", &env);
    wrote(&sandbox, "s2", "a.py", "# Sums.\n", &env);
    assert_eq!(sandbox.read("ran"), "own\n");
}

// --- git (21, 22, 23) ------------------------------------------------------------------------------------------------------

fn repository() -> Sandbox {
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write(".gitignore", ".claude/\n");
    sandbox.write("a.txt", "text\n");
    sandbox.git(&sandbox.project(), &["init", "-q", "-b", "main"]);
    sandbox.git(&sandbox.project(), &["add", "."]);
    sandbox.git(&sandbox.project(), &["commit", "-q", "-m", "first"]);
    sandbox
}

/// Ways to have git run a filter when it compares a file with its index: files of the repository's directory, and what they hold.
const FILTERS: &[&[(&str, &str)]] = &[
    &[("config", "[filter \"x\"]\n\tclean = MARK\n")],
    &[("config", "[filter \"x\"]\n\tprocess = MARK\n")],
    &[("config", "[core] bare = false [FILTER \"x\"] clean = MARK\n")],
    &[("config", "[filter.x]\n\tclean = MARK\n")],
    &[("config", "[include]\n\tpath = more\n"), ("more", "[filter \"x\"]\n\tclean = MARK\n")],
    &[("config", "[includeIf \"gitdir:/\"]\n\tpath = more\n"), ("more", "[filter \"x\"]\n\tclean = MARK\n")],
    &[
        ("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n"),
        ("config.worktree", "[filter \"x\"]\n\tclean = MARK\n"),
    ],
    &[("config", "[core]\n\tfsmonitor = MARK\n")],
];

#[test]
fn no_filter_of_a_repository_runs() {
    for files in FILTERS {
        let sandbox = repository();
        let mark = sandbox.home().join("mark");
        for (name, text) in *files {
            let path = sandbox.path(".git").join(name);
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            let text = text.replace("MARK", &format!("\"touch {}; cat\"", mark.display()));
            std::fs::write(path, before + &text).unwrap();
        }
        sandbox.write(".gitattributes", "* filter=x\n");
        // Git looks into a file whose time changed, and as long as before it may be the same.
        std::thread::sleep(Duration::from_millis(5));
        sandbox.write("a.txt", "tExt\n");
        let ran = starts(&sandbox, "s1", &[("PATH", SYSTEM)]);
        assert!(!mark.exists(), "{files:?}");
        // What can be told without it is told.
        assert!(ran.context().contains("Git: main,"), "{files:?}: {ran:?}");
    }
}

#[test]
fn a_commit_that_is_missing_is_not_fetched_by_what_the_repository_says() {
    let sandbox = repository();
    let mark = sandbox.home().join("mark");
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[protocol \"file\"]\n\tallow = always\n\
         [remote \"origin\"]\n\turl = {}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n\tuploadpack = \"touch {}; false\"\n",
        sandbox.path("").display(),
        mark.display()
    );
    let path = sandbox.path(".git/config");
    let before = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, before + &config).unwrap();
    sandbox.write(".git/refs/heads/main", "0123456789012345678901234567890123456789\n");
    starts(&sandbox, "s1", &[("PATH", SYSTEM)]);
    assert!(!mark.exists());
}

#[test]
fn git_is_never_a_program_of_the_project() {
    let sandbox = repository();
    sandbox.program("git", "echo ran >> ran");
    sandbox.program("bin/git", "echo ran >> ran");
    let whole = sandbox.path("bin").display().to_string();
    for dir in [".", "", "bin", whole.as_str(), "/proc/self/cwd"] {
        let ran = starts(&sandbox, "s1", &[("PATH", &format!("{dir}:{SYSTEM}"))]);
        assert!(!sandbox.path("ran").exists(), "{dir}");
        assert!(ran.context().contains("Git: main,"), "{dir}: {ran:?}");
    }
}

// --- no permission for code of the project (20) ----------------------------------------------------------------------------

#[test]
fn what_runs_code_of_the_project_is_never_let_through_without_a_question() {
    let sandbox = Sandbox::with_profile("guardrails");
    for line in [
        "npm test", "npm run build", "npm run lint", "yarn why a", "make", "make test -j 4", "cargo build",
        "cargo test", "cargo clippy", "cargo metadata", "go test ./...", "pytest", "pytest -q", "jest", "eslint .",
        "git status && npm test", "timeout 60 cargo test",
    ] {
        let ran = ask(&sandbox, &["PreToolUse"], line);
        assert_eq!((ran.decision(), ran.code), (None, Some(0)), "{line}: {ran:?}");
    }
    // What reads is still let through.
    assert_eq!(ask(&sandbox, &["PreToolUse"], "git log --oneline | head -3").decision().as_deref(), Some("allow"));
}

/// What only reads by its text runs something else where settings, variables or the search path say so.
#[test]
fn what_only_reads_is_let_through_where_nothing_turns_it() {
    let sandbox = repository();
    sandbox.write(".claude/hookbin.toml", "profile = [\"guardrails\"]\n");
    let verdict = |line: &str, env: &[(&str, &str)]| {
        let mut event: Value = serde_json::from_slice(&crate::faults::bash(line)).unwrap();
        event["cwd"] = json!(sandbox.project());
        sandbox.hook_with(&["PreToolUse"], event.to_string().as_bytes(), env).decision()
    };
    let allowed = Some("allow".to_owned());
    for line in ["git status", "ls -la", "cat a.txt | head -3"] {
        assert_eq!(verdict(line, &[("PATH", "/usr/bin:/bin:/nonexistent")]), allowed, "{line}");
    }
    let inside = sandbox.path("bin").to_str().unwrap().to_owned();
    for env in [
        ("PATH", format!("{inside}:/usr/bin")),
        ("PATH", "/tmp/../proc/self/cwd/bin:/usr/bin".to_owned()),
        ("PATH", "bin:/usr/bin".to_owned()),
        ("GIT_EXTERNAL_DIFF", "./x".to_owned()),
        ("GIT_CONFIG_COUNT", "1".to_owned()),
        ("BASH_ENV", "x".to_owned()),
        ("LD_PRELOAD", "x".to_owned()),
        ("BASH_FUNC_git%%", "() { ./x; }".to_owned()),
    ] {
        assert_eq!(verdict("git status", &[(env.0, &env.1)]), None, "{env:?}");
    }
    for line in ["git -C vendor status", "cd vendor && git status"] {
        assert_eq!(verdict(line, &[]), None, "{line}");
    }
    // Settings of the project that name a program, a plugin or a toolchain turn the tool that reads them, and no other.
    for (line, file) in [
        ("npm ls", ".npmrc"),
        ("pnpm ls", ".pnpmfile.cjs"),
        ("cargo --version", "rust-toolchain.toml"),
        ("rustc --version", ".cargo/config.toml"),
        ("composer show", "composer.json"),
    ] {
        assert_eq!(verdict(line, &[]), allowed, "{line}");
        sandbox.write(file, "");
        assert_eq!(verdict(line, &[]), None, "{line} beside {file}");
        assert_eq!(verdict("ls", &[]), allowed);
        std::fs::remove_file(sandbox.path(file)).unwrap();
        let _ = std::fs::remove_dir(sandbox.path(file).parent().unwrap());
    }
    let config = sandbox.read(".git/config");
    for setting in [
        "[core]\n\tfsmonitor = ./x\n", "[diff]\n\texternal = ./x\n", "[filter \"a\"]\n\tclean = ./x\n",
        "[include]\n\tpath = ../x\n", "[remote \"o\"]\n\turl = ext::sh -c x\n",
    ] {
        sandbox.write(".git/config", &format!("{config}{setting}"));
        assert_eq!(verdict("git status", &[]), None, "{setting}");
        assert_eq!(verdict("ls", &[]), allowed);
    }
    sandbox.write(".git/config", &config);
    sandbox.distrust();
    sandbox.write_own("profile = [\"guardrails\"]\n");
    for line in ["git status", "ls"] {
        assert_eq!(verdict(line, &[]), None, "{line} where nobody trusts the directory");
    }
}
