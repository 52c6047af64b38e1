//! Keys and other secrets whose rights change, so that others on the machine get at them.

use crate::path::{Place, in_other_home};
use crate::programs::Invocation;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::secret::is_settings;
use crate::resolve::shown;
use crate::resolve::value::is_known;

/// What a mode lets people do who do not own the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Opened {
    /// Others read it, or look into it.
    read: bool,
    /// Others or its group write it.
    write: bool,
}

impl Interp<'_> {
    /// Reports keys that `chmod` opens to others. `mode` is in digits or in letters.
    pub(super) fn opens_keys(&mut self, mode: &str, paths: &[&str], call: &Call) {
        let opened = opened(mode);
        for path in paths {
            let secret = self.is_secret_path(path);
            // A project's settings are readable by all from the start; that all may write them is no habit.
            let reads = opened.read && secret && !(is_settings(path) && self.place_of(path) == Place::Inside);
            if reads || opened.write && (secret || self.guards_login(path)) {
                self.act_at(Kind::KeyOpen, Some(self.place_of(path)), shown(path), call.span);
            }
        }
    }

    /// Reports keys that `chown` gives to somebody else.
    pub(super) fn gives_keys(&mut self, owner: &str, paths: &[&str], call: &Call) {
        let owner = owner.split([':', '.']).next().unwrap_or(owner);
        let own = self.places.home.rsplit('/').next().unwrap_or_default();
        if owner.is_empty() || owner == own || !is_known(owner) || owner.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        for path in paths {
            let in_home = self.place_of(path) == Place::HomeDot;
            if in_home && (self.is_secret_path(path) || self.guards_login(path)) {
                self.act_at(Kind::KeyOpen, Some(Place::HomeDot), shown(path), call.span);
            }
        }
    }

    /// `ssh-keygen -p -N ''`: a key that needs no passphrase any more.
    pub(super) fn unlocks_key(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if options.has(&["-p"])
            && options.value(&["-N"]) == Some("")
            && let Some(key) = options.value(&["-f"])
        {
            self.act_at(Kind::KeyOpen, Some(self.place_of(key)), shown(key), call.span);
        }
    }

    /// Whether a file says who may log in, or is part of what does.
    fn guards_login(&self, path: &str) -> bool {
        self.absolute(&self.at_home(path)).is_some_and(|path| {
            let rest = self.places.in_home(&path).or_else(|| in_other_home(&path));
            rest.is_some_and(|rest| rest == ".ssh" || rest.starts_with(".ssh/"))
        })
    }
}

fn opened(mode: &str) -> Opened {
    let mut opened = Opened::default();
    if !mode.is_empty() && mode.chars().all(|c| c.is_ascii_digit()) {
        let digit = |from_end: usize| {
            let at = mode.len().checked_sub(from_end)?;
            mode.get(at..=at)?.parse::<u8>().ok()
        };
        let (group, others) = (digit(2).unwrap_or(0), digit(1).unwrap_or(0));
        return Opened { read: others & 4 != 0, write: (group | others) & 2 != 0 };
    }
    for clause in mode.split(',') {
        let Some(at) = clause.find(['+', '=']) else { continue };
        let (who, rights) = clause.split_at(at);
        let others = who.contains(['o', 'a']);
        // Without anybody named, the mask keeps others from writing.
        opened.read |= (others || who.is_empty()) && rights.contains('r');
        opened.write |= (others || who.contains('g')) && rights.contains('w');
    }
    opened
}
