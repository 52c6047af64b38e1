//! The test binary run again as another process. A call names a role and gets its arguments through the environment.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use hook_session_state::{Kind, SessionId, Store};

use crate::signed;
use crate::support::read_file;

const ROLE: &str = "HOOK_SESSION_STATE_TEST_ROLE";
const DIR: &str = "HOOK_SESSION_STATE_TEST_FOLDER";
const ARGUMENT: &str = "HOOK_SESSION_STATE_TEST_ARGUMENT";

/// A command that plays a role on the store in this directory.
pub(crate) fn command(role: &str, dir: &Path, argument: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    prepare(&mut command, role, dir, argument);
    command.args(arguments());
    command
}

/// The same through a shell, which sets limits first.
pub(crate) fn limited(limits: &str, role: &str, dir: &Path, argument: &str) -> Command {
    let mut command = Command::new("sh");
    prepare(&mut command, role, dir, argument);
    command.arg("-c").arg(format!("{limits}; exec \"$0\" \"$@\"")).arg(std::env::current_exe().unwrap());
    command.args(arguments());
    command
}

fn prepare(command: &mut Command, role: &str, dir: &Path, argument: &str) {
    command.env(ROLE, role).env(DIR, dir).env(ARGUMENT, argument);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
}

fn arguments() -> [&'static str; 3] {
    ["--exact", "child::play", "--nocapture"]
}

/// Waits until the child prints a line that begins like this, and gives the rest of it.
pub(crate) fn wait_for(child: &mut Child, beginning: &str) -> String {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    lines.find_map(|line| line.unwrap().strip_prefix(beginning).map(str::to_owned)).expect("the child says so")
}

/// Ends a child as `kill -9` does.
pub(crate) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Plays the role that the environment names; in an ordinary run there is none.
#[test]
fn play() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let store = Store::new(std::env::var(DIR).unwrap());
    let argument = std::env::var(ARGUMENT).unwrap();
    let id = SessionId::from_raw("shared");
    match role.as_str() {
        // 50 calls, each in a lock of its own.
        "count" => {
            for call in 0..50 {
                let name = format!("{argument}-{call}");
                assert!(read_file(&mut store.lock().unwrap(), &id, &name, &format!("/{name}")));
            }
        }
        // Calls without end, the first of which begins where the last process stopped.
        "forever" => {
            let mut next: u64 = argument.parse().unwrap();
            loop {
                next += 1;
                assert!(read_file(&mut store.lock().unwrap(), &id, &format!("call {next}"), &format!("/file {next}")));
                println!("saved {next}");
            }
        }
        "hold" => {
            let _locked = store.lock().unwrap();
            println!("held");
            std::io::stdout().flush().unwrap();
            let _ = std::io::stdin().read_line(&mut String::new());
        }
        // Pairs of calls, each saved by itself under one lock, and delivered again under that lock and the next.
        "repeat" => {
            for pair in 0..10 {
                let names = [2 * pair, 2 * pair + 1].map(|call| format!("{argument}-{call}"));
                let mut locked = store.lock().unwrap();
                let mut document = locked.session(&id).unwrap().value;
                for name in &names {
                    assert!(locked.first_time(&id, Kind::Event, name).unwrap());
                    assert!(locked.first_time(&id, Kind::Read, &format!("/{name}")).unwrap());
                    document.activity_mut().action_count += 1;
                    document.activity_mut().files_read.push(&format!("/{name}"));
                    locked.save(&document).unwrap();
                }
                for name in &names {
                    assert!(!locked.first_time(&id, Kind::Event, name).unwrap());
                }
                drop(locked);
                for name in &names {
                    assert!(!read_file(&mut store.lock().unwrap(), &id, name, &format!("/{name}")));
                }
            }
        }
        // Five failures, each signed in a lock of its own.
        "sign" => {
            let signed = signed::at(&std::env::var(DIR).unwrap());
            (0..5).for_each(|_| signed::fail(&signed.clone().with_lock_wait(std::time::Duration::from_secs(60))));
        }
        // One more update, of a size that the limit on files does not allow.
        "too-large" => {
            let mut locked = store.lock().unwrap();
            let mut document = locked.session(&id).unwrap().value;
            document.set_section_raw("large", &format!("\"{}\"", "x".repeat(100_000))).unwrap();
            println!("error {}", locked.save(&document).unwrap_err());
        }
        #[cfg(feature = "sqlite")]
        other => {
            let dir = std::env::var(DIR).unwrap();
            assert!(crate::registry::play(other, Path::new(&dir), &argument), "no role {other}");
        }
        #[cfg(not(feature = "sqlite"))]
        other => panic!("no role {other}"),
    }
}
