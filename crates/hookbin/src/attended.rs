//! Whether it is the person who types a command, and not a client's agent.
//!
//! A program of the same account can imitate a person. This makes it take more than one command that the guard can read; SECURITY.md
//! says what remains.

use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;

use hook_policy::orders::Orders;
use hook_session_state::{SessionId, view};

use hook_runtime::facts::section;
use hook_runtime::project::Project;
use hook_runtime::system::System;

/// The variable by which a script of a person says that nobody sits at its terminal.
pub(crate) const UNATTENDED: &str = "HOOKBIN_UNATTENDED";

/// Variables that clients set for what their agents start.
const OF_CLIENTS: &[&str] = &[
    "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID",
    "COPILOT_CLI", "CURSOR_AGENT", "GEMINI_CLI", "GEMINI_SESSION_ID", "OPENCODE", "QWEN_CODE", "QWEN_CODE_SESSION_ID",
];

/// Names of the programs of clients.
const CLIENTS: &[&str] = &[
    "aider", "amp", "claude", "claude-code", "cline", "codex", "copilot", "cursor-agent", "droid", "gemini",
    "gemini-cli", "goose", "kiro-cli", "opencode", "qwen", "qwen-code",
];

/// Letters of a code to type back. None looks like another.
const LETTERS: &[u8] = b"ABCDEFHKLMNPRTUVWXYZ";

/// A person has typed what they were asked to, or has said that a script stands for them.
#[derive(Debug)]
pub(crate) struct Person(());

/// Asks the person at the terminal to type a code back. `Err` says in words why nobody was asked, or that something else was typed. The
/// project is the one whose sessions may type here.
pub(crate) fn confirm(command: &str, project: Option<&Project>, system: &System) -> Result<Person, String> {
    if let Some(tell) = client(system) {
        return Err(format!(
            "`hookbin {command}` is for you, outside of an agent ({tell}); run it in a terminal of your own"
        ));
    }
    // What an agent types into a terminal is not outside of it, whatever variables it sets there.
    if let Some(session) = project.and_then(|project| typist(project, system)) {
        return Err(format!(
            "`hookbin {command}` is for you, and session {session} of this project has typed into a terminal, so nobody can tell who \
             types here; end that session, or wait an hour"
        ));
    }
    if is_unattended(system) {
        return Ok(Person(()));
    }
    if !at_terminal() {
        return Err(format!(
            "`hookbin {command}` is for a person at a terminal; a script of yours outside of an agent sets {UNATTENDED}=1"
        ));
    }
    let code = code();
    let mut stderr = std::io::stderr();
    let mut typed = String::new();
    let asked = write!(stderr, "Type {code} to confirm: ").and_then(|()| stderr.flush());
    let read = asked.and_then(|()| std::io::stdin().lock().read_line(&mut typed));
    if read.is_ok() && typed.trim().eq_ignore_ascii_case(&code) {
        return Ok(Person(()));
    }
    Err("not confirmed, so nothing was changed".to_owned())
}

/// Whether a script of the person's says that it stands for them. Where somebody can be asked, they are: whoever writes a command line
/// writes a variable before it as well.
pub(crate) fn is_unattended(system: &System) -> bool {
    system.text(UNATTENDED).as_deref() == Some("1") && !at_terminal()
}

/// A session of the project that typed into a terminal not long ago and has not ended.
fn typist(project: &Project, system: &System) -> Option<String> {
    if project.is_elsewhere() || project.state_is_elsewhere() {
        return None;
    }
    let store = project.store();
    let document = store.read_project().ok()??;
    let orders: Orders = section::read(document.section_raw(section::ORDERS));
    if !orders.types(system.now.timestamp()) {
        return None;
    }
    let goes_on = |session: &&String| {
        let read = store.read_session(&SessionId::from_raw(session));
        // One that cannot be read may go on.
        read.map_or(true, |found| found.is_none_or(|found| found.activity().ended.is_none()))
    };
    orders.typists.iter().rev().find(goes_on).map(|session| view::one_line(session))
}

/// Whether somebody can be asked: a terminal on stdin and stderr that is the one of this session.
pub(crate) fn at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && controls()
}

#[cfg(unix)]
fn controls() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

#[cfg(not(unix))]
fn controls() -> bool {
    true
}

/// What tells that an agent's client is around this process.
pub(crate) fn client(system: &System) -> Option<String> {
    let variable = OF_CLIENTS.iter().find(|name| system.var(name).is_some());
    variable.map(|name| format!("{name} is set")).or_else(|| ancestor().map(|name| format!("{name} started this")))
}

/// Four letters. They are shown, so nobody has to be kept from guessing them; they have to differ from one time to the next.
fn code() -> String {
    let mut seed = std::collections::hash_map::RandomState::new().build_hasher().finish();
    let mut code = String::new();
    while code.len() < 4 {
        let at = usize::try_from(seed % LETTERS.len() as u64).unwrap_or_default();
        code.extend(LETTERS.get(at).map(|letter| char::from(*letter)));
        seed /= LETTERS.len() as u64;
    }
    code
}

/// The nearest client among the processes above this one.
#[cfg(target_os = "linux")]
fn ancestor() -> Option<String> {
    let mut process = parent_of("self")?;
    // A chain of processes is short; a number that comes again would make it endless.
    for _ in 0..64 {
        if process <= 1 {
            return None;
        }
        let process_folder = format!("/proc/{process}");
        if let Some(name) = client_in(Path::new(&process_folder)) {
            return Some(name);
        }
        process = parent_of(&process.to_string())?;
    }
    None
}

/// Elsewhere only the environment tells.
#[cfg(not(target_os = "linux"))]
fn ancestor() -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn parent_of(process: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

#[cfg(target_os = "linux")]
fn client_in(process: &Path) -> Option<String> {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    let mut words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let program = std::fs::read_link(process.join("exe")).unwrap_or_default();
    let runs_a_script = ["node", "bun", "deno", "python"].iter().any(|name| file_name(&program).starts_with(name));
    let script = if runs_a_script { second } else { String::new() };
    [program.as_path(), Path::new(&first), Path::new(&script)].into_iter().find_map(named)
}

/// The client whose program a path is: by its own name, or as `NAME/versions/1.2.3` and `NAME/…/cli.js`, the way clients install.
#[cfg(target_os = "linux")]
fn named(path: &Path) -> Option<String> {
    let is_client = |name: &str| CLIENTS.iter().find(|client| **client == name);
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(client) = is_client(&file_name(path)).or_else(|| is_client(&stem(path))) {
        return Some((*client).to_owned());
    }
    let installed = ["versions", "node_modules"];
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is_installed = parts.iter().any(|part| installed.contains(&part.as_str()));
    parts.iter().filter(|_| is_installed).find_map(|part| is_client(part)).map(|client| (*client).to_owned())
}

#[cfg(target_os = "linux")]
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
