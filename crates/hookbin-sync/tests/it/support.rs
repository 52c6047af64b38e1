//! A machine of its own: a directory with a registry, and the program started for it from an empty environment.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hook_session_state::registry::{Change, EventId, Place, RegistryEvent};
use tempfile::TempDir;

/// A machine.
pub(crate) struct Machine {
    dir: TempDir,
    pub(crate) place: Place,
}

/// A finished run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::new(dir.path());
        Self { dir, place }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Spools heartbeats of a session, each with a name of its own.
    pub(crate) fn spool(&self, session: &str, count: usize) {
        for _ in 0..count {
            let id = EventId::unique(1, std::process::id());
            self.place.spool().append(&RegistryEvent::new(id, 1_000, session, Change::Heartbeat)).unwrap();
        }
    }

    /// The program, which finds its server in this connection string.
    pub(crate) fn program(&self, url: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbin-sync"));
        command.env_clear().env("HOME", self.dir.path()).env("HOOKBIN_REGISTRY_URL", url);
        command.arg("--spool").arg(self.place.spool().dir()).arg("--database").arg(self.place.database()).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn sync(&self, url: &str, args: &[&str]) -> Ran {
        ran(self.program(url, args))
    }
}

pub(crate) fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Waits until something holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
