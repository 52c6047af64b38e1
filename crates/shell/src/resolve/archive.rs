//! Archives that this line fetches and unpacks: what then runs out of them came over the network.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::taint::TAINT_NETWORK;
use crate::path::{Places, below};
use crate::programs::{Invocation, Tool};

/// Directories in which a project keeps programs of its own. An archive that is unpacked beside them is not what they came from.
const OF_PROJECTS: &[&str] =
    &["bin", "scripts", "script", "tools", "ci", ".github", "node_modules", "target", "build", "dist", "venv", ".venv"];
/// Scripts at the top of a project that come with it.
const AT_TOP: &[&str] = &["gradlew", "mvnw", "configure", "manage.py", "setup.py"];

/// Where the archives of a line are unpacked to.
#[derive(Debug, Clone)]
pub(super) struct Unpacked {
    dir: String,
    /// The directory was named for it, so that nothing else is meant to lie there.
    named: bool,
}

/// Archives of a line that are remembered.
const MOST_UNPACKED: usize = 256;

impl Interp<'_> {
    /// `unzip`, `7z x`: an archive by its name.
    pub(super) fn unpacks(&mut self, of: &Invocation<'_>) {
        let options = of.options();
        let (archive, dir) = match (of.program.tool, options.operands.as_slice()) {
            (Tool::Unzip, [archive, ..]) => (*archive, options.value(&["-d"]).map(str::to_owned)),
            (Tool::SevenZip, ["x" | "e", archive, ..]) => (*archive, options.value(&["-o"]).map(str::to_owned)),
            _ => return,
        };
        if self.content(archive).is_some_and(|content| content.contains(TAINT_NETWORK)) {
            self.unpacked_to(dir.as_deref());
        }
    }

    /// Remembers that an archive from the network is unpacked into a directory, or where the shell stands.
    pub(super) fn unpacked_to(&mut self, dir: Option<&str>) {
        let named = dir.is_some_and(|dir| !matches!(dir.trim_end_matches('/'), "." | ""));
        let Some(dir) = self.absolute(dir.unwrap_or(".")) else { return };
        if self.unpacked.len() < MOST_UNPACKED {
            self.unpacked.push(Unpacked { dir, named });
        } else {
            self.state.line.beyond.set(true);
        }
    }

    /// Reports a program or script that comes out of such an archive, as far as can be told.
    pub(super) fn out_of_archive(&mut self, path: &str, call: &Call) {
        self.perhaps_unpacked(path, false, call);
    }

    /// The same of a script that an interpreter reads: beside the archive it is the project's own.
    pub(super) fn script_out_of_archive(&mut self, path: &str, call: &Call) {
        self.perhaps_unpacked(path, true, call);
    }

    fn perhaps_unpacked(&mut self, path: &str, within: bool, call: &Call) {
        if self.unpacked.is_empty() || self.content(path).is_some() {
            return;
        }
        let Some(absolute) = Places::absolute(path, self.state.cwd()) else { return };
        let from = self.unpacked.iter().any(|unpacked| {
            below(&absolute, &unpacked.dir).is_some_and(|rest| {
                let (first, inner) = rest.split_once('/').unwrap_or((rest, ""));
                unpacked.named
                    || !(inner.is_empty() && within
                        || OF_PROJECTS.contains(&first) && !inner.is_empty()
                        || AT_TOP.contains(&first) && inner.is_empty())
            })
        });
        if from {
            let speculative = std::mem::replace(&mut self.speculative, true);
            self.act_at(Kind::RunRemote, None, super::shown(path), call.span);
            self.speculative = speculative;
        }
    }

    /// `make` with what such an archive says.
    pub(super) fn makes_archive(&mut self, dir: Option<&str>, call: &Call) {
        let makefile = format!("{}/Makefile", dir.unwrap_or(".").trim_end_matches('/'));
        let whole = self.absolute(dir.unwrap_or("."));
        // Where it was unpacked itself, the project's own file may lie.
        if self.unpacked.iter().any(|unpacked| unpacked.named || whole.as_deref() != Some(unpacked.dir.as_str())) {
            self.out_of_archive(&makefile, call);
        }
    }
}
