//! Whether it is the user who types a command, and not a client's agent.
//!
//! A program of the same account can imitate a user. This makes it take more than one command that the guard can read; SECURITY.md
//! says what remains.

use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{BufRead as _, IsTerminal as _, Write as _};

use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::system::agents::{client, typist};

/// The variable by which a script of a user says that nobody sits at its terminal.
pub(crate) const UNATTENDED: &str = "HOOKBIN_UNATTENDED";

/// Letters of a code to type back. None looks like another.
const LETTERS: &[u8] = b"ABCDEFHKLMNPRTUVWXYZ";

/// A user has typed what they were asked to, or has said that a script stands for them.
#[derive(Debug)]
pub(crate) struct Person(());

/// Asks the user at the terminal to type a code back. `Err` says in words why nobody was asked, or that something else was typed. The
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
            "`hookbin {command}` is for a user at a terminal; a script of yours outside of an agent sets {UNATTENDED}=1"
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

/// Whether a script of the user's says that it stands for them. Where somebody can be asked, they are: whoever writes a command line
/// writes a variable before it as well.
pub(crate) fn is_unattended(system: &System) -> bool {
    system.text(UNATTENDED).as_deref() == Some("1") && !at_terminal()
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
