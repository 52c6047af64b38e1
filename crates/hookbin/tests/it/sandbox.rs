//! A throw-away project with its own home directory, and the executable started in it from an empty environment.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use sha2::Digest as _;

/// A project and a home directory that disappear at the end of the test.
pub(crate) struct Sandbox {
    root: tempfile::TempDir,
}

/// One finished run.
#[derive(Debug, Clone)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Self { root: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(sandbox.project()).unwrap();
        std::fs::create_dir_all(sandbox.home()).unwrap();
        sandbox
    }

    /// A project whose configuration names these profiles, and which declares the servers that they build on.
    pub(crate) fn with_profile(profile: &str) -> Self {
        let sandbox = Self::new();
        sandbox.declare(&["spf-smart-gate", "memory", "context7", "github", "life"]);
        let names: Vec<&str> = profile.split(',').collect();
        sandbox.write(".claude/hookbin.toml", &format!("profile = {names:?}\n"));
        sandbox
    }

    /// The project declares these MCP servers, and no others.
    pub(crate) fn declare(&self, servers: &[&str]) {
        let of =
            |name: &&str| (name.to_string(), serde_json::json!({"type": "http", "url": "https://example.com/mcp"}));
        let servers: serde_json::Map<String, Value> = servers.iter().map(of).collect();
        self.write(".mcp.json", &serde_json::json!({"mcpServers": servers}).to_string());
    }

    /// The user confirms the work by their command.
    pub(crate) fn confirm(&self) {
        let mut command = self.command(&["proof", "verify"]);
        command.env("HOOKBIN_UNATTENDED", "1");
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.root.path().join("home/project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.project().join(relative)
    }

    /// The note of an installation of this scope in the only project that has one.
    pub(crate) fn note(&self, scope: &str) -> PathBuf {
        let dir = std::fs::read_dir(self.home().join(".local/state/hookbin/projects")).unwrap().flatten().next();
        dir.unwrap().path().join(format!("{scope}.json"))
    }

    pub(crate) fn state(&self, name: &str) -> PathBuf {
        self.path(".claude/hookbin/state").join(name)
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path(".claude/hookbin/log")
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        if relative == ".claude/hookbin.toml" {
            self.trust();
        }
    }

    /// The user's own configuration, which needs no trust.
    pub(crate) fn write_own(&self, text: &str) {
        let path = self.home().join(".config/hookbin/hookbin.toml");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The user's note of what counts of the environment.
    pub(crate) fn note_environment(&self, text: &str) {
        note_environment(&self.home(), text);
    }

    /// How the user's files are called that are about the project.
    pub(crate) fn name(&self) -> String {
        name_of(&self.project())
    }

    /// The record of what the user trusts of the project.
    pub(crate) fn record_of_trust(&self) -> PathBuf {
        self.home().join(".local/state/hookbin/trusted").join(self.name() + ".json")
    }

    /// The compiled configuration.
    pub(crate) fn compiled(&self) -> PathBuf {
        self.home().join(".local/state/hookbin/compiled").join(self.name() + ".cache")
    }

    /// Trusts the project and its configuration as it is now, as `hookbin trust` does at a terminal.
    pub(crate) fn trust(&self) {
        let root = self.project();
        let config = std::fs::read(self.path(".claude/hookbin.toml")).ok().map(|text| {
            let mut whole = root.as_os_str().as_encoded_bytes().to_vec();
            whole.push(0);
            whole.extend(&text);
            let sha256 = hexadecimal(&sha2::Sha256::digest(whole));
            serde_json::json!({"sha256": sha256, "text": String::from_utf8_lossy(&text)})
        });
        let record = serde_json::json!({
            "version": 1, "project": root, "at": "2026-01-01T00:00:00Z", "programs": true, "config": config,
        });
        let path = self.record_of_trust();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, record.to_string()).unwrap();
    }

    /// The same by the command, which also sees what starts outside of the project.
    pub(crate) fn agree(&self) {
        let mut command = self.command(&["trust"]);
        command.env("HOOKBIN_UNATTENDED", "1");
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }

    /// The project is a stranger's.
    pub(crate) fn distrust(&self) {
        let _ = std::fs::remove_file(self.record_of_trust());
    }

    /// A program in the project: a script of the shell.
    #[cfg(unix)]
    pub(crate) fn program(&self, relative: &str, script: &str) {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        place_program(&path, &format!("#!/bin/sh\n{script}\n"));
    }

    /// Runs git in a directory, as a user with an empty environment would.
    #[cfg(unix)]
    pub(crate) fn git(&self, dir: &Path, args: &[&str]) {
        let mut command = Command::new("git");
        command.env_clear().env("HOME", self.home()).env("PATH", "/usr/bin:/bin");
        command.env("GIT_CONFIG_NOSYSTEM", "1").arg("-C").arg(dir);
        for setting in ["user.name=a", "user.email=a@b", "protocol.file.allow=always"] {
            command.args(["-c", setting]);
        }
        command.args(args);
        let ran = run(command, b"");
        assert_eq!(ran.code, Some(0), "git {args:?}: {ran:?}");
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        let path = self.path(relative);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn json(&self, relative: &str) -> Value {
        serde_json::from_str(&self.read(relative)).unwrap()
    }

    /// The executable with an empty environment but for `HOME` and the project's directory.
    pub(crate) fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbin"));
        command.args(args).env_clear().env("HOME", self.home()).env("CLAUDE_PROJECT_DIR", self.project());
        command.current_dir(self.project());
        // Taking out is asked about at a terminal, which few tests have: they are scripts of the user.
        if args.first().is_some_and(|first| first.as_ref() == "uninstall") {
            command.env("HOOKBIN_UNATTENDED", "1");
        }
        command
    }

    /// The same for a run that gets killed: what it leaves among temporary files goes with the sandbox.
    #[cfg(unix)]
    pub(crate) fn command_to_kill(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let temporary = self.root.path().join("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let mut command = self.command(args);
        command.env("TMPDIR", temporary);
        command
    }

    /// A command for people.
    pub(crate) fn cli(&self, args: &[&str]) -> Ran {
        run(self.command(args), b"")
    }

    /// One event.
    pub(crate) fn hook(&self, args: &[&str], stdin: &[u8]) -> Ran {
        self.hook_with(args, stdin, &[])
    }

    /// One event with variables in the environment.
    pub(crate) fn hook_with(&self, args: &[&str], stdin: &[u8], env: &[(&str, &str)]) -> Ran {
        let mut all = vec!["hook"];
        all.extend(args);
        let mut command = self.command(&all);
        command.envs(env.iter().copied());
        run(command, stdin)
    }
}

impl Ran {
    /// The one JSON document on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn decision(&self) -> Option<String> {
        if !self.stdout.starts_with('{') {
            return None;
        }
        self.json().pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str).map(str::to_owned)
    }

    /// Why the call is refused or asked about; empty if it is not.
    pub(crate) fn reason(&self) -> String {
        if !self.stdout.starts_with('{') {
            return String::new();
        }
        let json = self.json();
        let reason = json.pointer("/hookSpecificOutput/permissionDecisionReason").and_then(Value::as_str);
        reason.unwrap_or_default().to_owned()
    }

    pub(crate) fn context(&self) -> String {
        let pointer = "/hookSpecificOutput/additionalContext";
        self.json()
            .pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_else(|| panic!("no context: {self:?}"))
            .to_owned()
    }
}

/// Writes a program by another process: what this one has open for writing, a process of another test may inherit, and then nobody
/// can start it.
#[cfg(unix)]
pub(crate) fn place_program(path: &Path, text: &str) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).env_clear().env("PATH", "/usr/bin:/bin");
    assert_eq!(run(command, text.as_bytes()).code, Some(0), "{}", path.display());
}

/// The variables that count only where a user's note says so.
const SWITCHES: [&str; 3] = ["HOOKBIN_NOW", "PLAN_CHURN_WARN", "PLAN_CHURN_DENY"];

/// A test that sets the time is one of a user who lets the environment say it, unless it has written a note of its own.
fn let_environment_say(command: &Command) {
    let set = |name: &str| command.get_envs().find(|(set, _)| *set == name).and_then(|(_, value)| value);
    let named: Vec<&str> = SWITCHES.into_iter().filter(|name| set(name).is_some()).collect();
    let Some(home) = set("HOME").map(PathBuf::from).filter(|home| !named.is_empty() && home.is_dir()) else { return };
    if !home.join(".local/share/hookbin/environment").exists() {
        note_environment(&home, &SWITCHES.join("\n"));
    }
}

fn note_environment(home: &Path, text: &str) {
    let dir = home.join(".local/share/hookbin");
    std::fs::create_dir_all(&dir).unwrap();
    // As an installation makes it.
    #[cfg(unix)]
    std::fs::set_permissions(&dir, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    std::fs::write(dir.join("environment"), text).unwrap();
}

/// Runs a command to its end.
pub(crate) fn run(command: Command, stdin: &[u8]) -> Ran {
    let_environment_say(&command);
    run_as_it_is(command, stdin)
}

/// The same where nobody has said which variables count.
pub(crate) fn run_as_it_is(mut command: Command, stdin: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A program that this test has just written may be open for writing in another test's child, until that has become its program.
    let mut child = loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            spawned => break spawned.unwrap(),
        }
    };
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    // A run that does not read everything shows in its answer, not as a broken pipe of the test.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The command under a limit for the size of every file that it writes, in blocks of 512 bytes; the excess is an error, as on a full
/// disk.
pub(crate) fn limited(plain: &Command, blocks: u64) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
    command.arg(plain.get_program()).args(plain.get_args()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    plain.get_current_dir().map(|dir| command.current_dir(dir));
    command
}

/// Held by a test that starts dozens of processes at once: two such tests side by side would wait for each other's processor and not for
/// the locks that they are about.
pub(crate) fn crowd() -> MutexGuard<'static, ()> {
    static CROWD: Mutex<()> = Mutex::new(());
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets 16 hooks run at once, however many want to. A hook gives up on a lock after seconds; of 64 at once on a busy machine some would,
/// which is no fault of what they count.
pub(crate) struct Turns([Mutex<()>; 16]);

impl Turns {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|_| Mutex::new(())))
    }

    /// Waits for the turn of this worker.
    pub(crate) fn wait(&self, worker: usize) -> MutexGuard<'_, ()> {
        self.0[worker % self.0.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The SHA-256 of a file in lower-case hexadecimal digits.
pub(crate) fn sha256(path: &Path) -> String {
    hexadecimal(&sha2::Sha256::digest(std::fs::read(path).unwrap()))
}

/// How the user's files about a project are called.
pub(crate) fn name_of(project: &Path) -> String {
    let hash = hexadecimal(&sha2::Sha256::digest(project.as_os_str().as_encoded_bytes())[..8]);
    format!("{}-{hash}", project.file_name().unwrap().to_str().unwrap())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Every file under a directory, sorted.
pub(crate) fn tree(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
