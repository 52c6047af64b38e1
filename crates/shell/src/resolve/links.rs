//! Links, mounts and copies of programs that a line makes: where a path really leads.

use super::exec::base_name;
use super::taint;
use super::{Files, Interp};
use crate::path::{Places, below};
use crate::programs::{self, Trait, agents};

/// Links and mounts of one line that are remembered. Those of other lines are not looked for.
const MOST_LINKS: usize = 64;
/// Copies of programs that are remembered.
const MOST_COPIES: usize = 1024;
/// Programs that do what the name says under which they are started.
const PROGRAM_DIRS: &[&str] = &["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"];

/// A path that leads elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Led {
    from: String,
    to: String,
    /// It is no link, which can be removed for itself: what removes it goes into it.
    mounted: bool,
}

impl Interp<'_> {
    /// Where a path leads; with its last part left alone where that is a link.
    pub(super) fn real_form(&self, path: &str, cwd: Option<&str>, follow_last: bool) -> Option<String> {
        if follow_last {
            return self.real_path(path, cwd);
        }
        if self.links.iter().any(|led| led.mounted)
            && let Some(absolute) = Places::absolute(path, cwd)
            && self.links.iter().any(|led| led.mounted && led.from == absolute)
        {
            return self.real_path(path, cwd);
        }
        match path.rsplit_once('/') {
            Some((dir, last)) if !dir.is_empty() => {
                self.real_path(dir, cwd).map(|real| format!("{}/{last}", real.trim_end_matches('/')))
            }
            None if !matches!(path, "" | "." | "..") => {
                self.real_path(cwd?, None).map(|real| format!("{}/{path}", real.trim_end_matches('/')))
            }
            _ => None,
        }
    }

    /// Where a path leads by the links and mounts that this line makes.
    pub(super) fn through_links(&self, absolute: &str) -> Option<String> {
        let mut path = absolute.to_owned();
        let mut found = false;
        // Links may lead to links; more often than there are links they only do in a circle, which leads nowhere.
        for _ in 0..=self.links.len() {
            let next = self.links.iter().rev().find_map(|Led { from, to, .. }| {
                let rest = if path == *from { "" } else { below(&path, from)? };
                Some(if rest.is_empty() { to.clone() } else { format!("{}/{rest}", to.trim_end_matches('/')) })
            });
            let Some(next) = next.filter(|next| *next != path && next.len() < 4096) else { break };
            path = next;
            found = true;
        }
        found.then_some(path)
    }

    /// Remembers that a link leads to a path, which is seen from where the link lies.
    pub(super) fn leads(&mut self, from: &str, to: &str) {
        let dir = self.absolute(from).and_then(|from| from.rsplit_once('/').map(|(dir, _)| dir.to_owned()));
        let to = Places::absolute(to, dir.as_deref().filter(|dir| !dir.is_empty()).or(Some("/")));
        self.led(from, to, false);
    }

    /// Remembers that a path is the same file or directory as another one; mounts are entered by what removes them.
    pub(super) fn is_same(&mut self, from: &str, to: &str, mounted: bool) {
        let to = self.absolute(to);
        self.led(from, to, mounted);
    }

    fn led(&mut self, from: &str, to: Option<String>, mounted: bool) {
        let (Some(from), Some(to)) = (self.absolute(from), to) else { return };
        if !taint::is_literal(&from) || from == to {
            return;
        }
        if self.links.len() < MOST_LINKS {
            self.links.push(Led { from, to, mounted });
        } else {
            self.give_up();
        }
    }

    /// What is mounted at a path is mounted there no longer.
    pub(super) fn unmounted(&mut self, path: &str) {
        if let Some(path) = self.absolute(path) {
            self.links.retain(|led| !(led.mounted && led.from == path));
        }
    }

    /// Where a path really leads. Links count before `..` does, as the kernel has it.
    pub(super) fn real_path(&self, path: &str, cwd: Option<&str>) -> Option<String> {
        let joined = Places::joined(path, cwd)?;
        if !self.links.is_empty()
            && let Some(real) = Places::absolute(path, cwd).and_then(|absolute| self.through_links(&absolute))
        {
            let further = if taint::is_literal(&real) { real_path_by(self.known_files, &real) } else { None };
            return Some(further.unwrap_or(real));
        }
        if joined.contains(taint::is_placeholder) {
            return None;
        }
        real_path_by(self.known_files, &joined).filter(|real| Some(real) != Places::absolute(path, cwd).as_ref())
    }

    /// Where a path leads, if it is itself a link.
    pub(super) fn link_target(&self, path: &str) -> Option<String> {
        let path = path.trim_end_matches('/');
        let real = self.real_path(path, self.state.cwd())?;
        let around = self.real_form(path, self.state.cwd(), false).or_else(|| self.absolute(path))?;
        (real != around).then_some(real)
    }

    /// What a copy or move makes of its sources: links that lead where the old ones did, and programs under another name.
    pub(super) fn carried_over(&mut self, sources: &[&str], target: &str, keeps_links: bool) {
        for source in sources {
            let name = name_at(source, target, is_written_as_dir(target));
            if keeps_links && let Some(real) = self.link_target(source) {
                self.is_same(&name, &real, false);
            }
            let program = base_name(source.trim_end_matches('/'));
            if is_in_program_dir(source)
                || !source.contains('/')
                    && (super::exec::is_telling(&program, self.places.layout)
                        || agents::NAMES.contains(&program.as_str()))
            {
                self.is_copy_of(&name, program);
            }
        }
    }

    /// Remembers that a file is the same program as another one.
    fn is_copy_of(&mut self, path: &str, program: String) {
        if programs::is(program.as_str(), Trait::ManyInOne) {
            return;
        }
        let Some(path) = self.absolute(path) else { return };
        if self.copied_programs.len() < MOST_COPIES {
            self.copied_programs.push((path, program));
        } else {
            self.state.line.beyond.set(true);
        }
    }

    /// The content of a program, as far as it matters here: whatever runs it starts the program.
    pub(super) fn program_text(&self, path: &str) -> Option<String> {
        let program = path.rsplit('/').next().filter(|name| !programs::is(name, Trait::ManyInOne))?;
        (is_in_program_dir(path) && super::exec::is_telling(program, self.places.layout))
            .then(|| format!("{path} \"$@\"\n"))
    }

    /// The program that a path stands for, where this line made it a link to one or a copy of one.
    pub(super) fn program_behind(&self, head: &str) -> Option<String> {
        if head.starts_with("/proc/") && head.ends_with("/exe") {
            // The shell that the line runs in.
            return Some("bash".to_owned());
        }
        if self.links.is_empty() && self.copied_programs.is_empty() {
            return None;
        }
        let absolute = self.absolute(head)?;
        let real = self.through_links(&absolute);
        let at = real.as_ref().unwrap_or(&absolute);
        let copied = self.copied_programs.iter().rev().find(|(copy, _)| copy == at).map(|(_, program)| program.clone());
        copied
            .or_else(|| real.as_deref().map(base_name))
            .filter(|program| !programs::is(program.as_str(), Trait::ManyInOne))
    }
}

/// Whether a path lies where programs do.
fn is_in_program_dir(path: &str) -> bool {
    PROGRAM_DIRS.iter().any(|dir| path.starts_with(dir))
}

/// The name that a copy of `source` or a link to it gets: the target itself, or one in it where that is a directory.
pub(super) fn name_at(source: &str, target: &str, dir: bool) -> String {
    let base = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
    if dir { format!("{}/{base}", target.trim_end_matches('/')) } else { target.to_owned() }
}

/// Whether a target can only be a directory, by the way it is written.
pub(super) fn is_written_as_dir(target: &str) -> bool {
    target.ends_with('/') || matches!(target, "." | "..")
}

/// Where a path leads by what the caller says. An answer that is no whole path says nothing.
pub(super) fn real_path_by(files: &dyn Files, path: &str) -> Option<String> {
    let real = files.real_path(path)?;
    (real.starts_with('/') || Places::joined(&real, None).is_some()).then_some(real)
}
