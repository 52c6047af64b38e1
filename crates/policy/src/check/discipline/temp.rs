//! Files in the system's directory for temporary files: what a line writes there, and the same line with the project's own directory in its
//! place.

use crate::facts::Facts;
use hook_shell::edit::{Edit, Text, spelled};
use hook_shell::options::Options;
use hook_shell::path::{Place, Places, below};
use hook_shell::programs::{self, Tool};
use hook_shell::resolve::taint::is_placeholder;
use hook_shell::resolve::{Effects, Kind, quoted};
use hook_shell::syntax::{Static, Word};

/// What is replaced by what.
pub(super) struct Dirs<'s> {
    /// Directories for temporary files, such as `/tmp`.
    pub(super) temp: &'s [String],
    /// Those of the host among them, by how their names begin.
    pub(super) of_host: &'static [&'static str],
    /// The project's own.
    pub(super) own: String,
    /// A scratch directory that the event names.
    pub(super) scratch: Option<String>,
}

impl Dirs<'_> {
    /// The path below a directory for temporary files; `None` for others, and for the host's own.
    fn rest<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = self.temp.iter().find_map(|temp| if path == temp { Some("") } else { below(path, temp) })?;
        let first = rest.split('/').next().unwrap_or_default();
        // What the host keeps there for itself, and gives the agent as a scratch directory.
        let client = self.of_host.iter().any(|name| first == *name || name.ends_with('-') && first.starts_with(name));
        let scratch = self.scratch.as_deref().is_some_and(|scratch| path == scratch || below(path, scratch).is_some());
        (!client && !scratch).then_some(rest)
    }

    /// The same path in the project's own directory, if a link on the way there leads out of the project.
    pub(super) fn leads_elsewhere(&self, path: &str, facts: &dyn Facts) -> Option<String> {
        let moved = self.moved(path)?;
        let project = facts.project()?;
        let real = facts.real_path(&moved)?;
        let around = facts.real_path(&project).unwrap_or_else(|| project.into_owned());
        below(&real, &around).is_none().then_some(moved)
    }

    /// The same path in the project's own directory.
    fn moved(&self, path: &str) -> Option<String> {
        let tidy = Places::absolute(path, None)?;
        let rest = self.rest(&tidy)?;
        let slash = if path.ends_with('/') { "/" } else { "" };
        Some(if rest.is_empty() { format!("{}{slash}", self.own) } else { format!("{}/{rest}{slash}", self.own) })
    }
}

/// The paths below a directory for temporary files that the line writes: by redirection, `tee`, `cp`, `mv`, `mkdir`, `touch` and other
/// programs whose written files are known.
pub(super) fn written(report: &Effects, places: &Places, dirs: &Dirs<'_>) -> Vec<String> {
    let mut paths: Vec<String> = report
        .actions
        .iter()
        .filter(|action| matches!(action.kind, Kind::Overwrite | Kind::Append) && !action.remote && !action.speculative)
        .filter(|action| matches!(action.place, Some(Place::Temp | Place::TempRoot)))
        .filter(|action| dirs.rest(&action.target).is_some())
        .map(|action| action.target.clone())
        .collect();
    for run in report.runs.iter().filter(|run| matches!(run.tool(), Tool::Touch | Tool::Mkdir)) {
        if run.stand.remote || run.stand.speculative {
            continue;
        }
        let options = Options::all(&run.args, &["-m", "--mode", "-r", "--reference", "-d", "--date", "-t", "--time"]);
        let cwd = run.stand.dirs.first().and_then(Option::as_deref);
        for path in options.operands.iter().filter_map(|path| Places::absolute(path, cwd)) {
            if dirs.rest(&path).is_some() && matches!(places.place(&path), Place::Temp) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The changes that bring the written paths, and whatever else the line does with them, into the project's own directory; made first, the
/// directory itself. `with_parents` also changes the directories that `cd` goes to, and that `cp` and `mv` put files into.
pub(super) fn edits(text: &Text<'_>, written: &[String], dirs: &Dirs<'_>, with_parents: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    for word in &text.words {
        edits.extend(edit(text, word, written, dirs));
    }
    if with_parents {
        for place in &text.commands {
            if let [program, .., dir] = place.words.as_slice()
                && text.value(program).is_some_and(|name| writes_into(&name))
                && let Some(value) = text.value(dir)
                && let Some(moved) = dirs.moved(&value)
                && written.iter().any(|path| below(path, value.trim_end_matches('/')).is_some())
            {
                edits.push(Edit::replace(dir.span, quoted(&moved)));
            }
        }
    }
    if !edits.is_empty() {
        let link = if text.is_one_chain() { " && " } else { "; " };
        let start = text.source.len() - text.source.trim_start().len();
        edits.push(Edit::insert(start, format!("mkdir -p {}{link}", quoted(&dirs.own))));
    }
    edits
}

/// The change of one word, if it names a written path.
fn edit(text: &Text<'_>, word: &Word, written: &[String], dirs: &Dirs<'_>) -> Option<Edit> {
    let raw = word.span.of(text.source);
    let Static::Known(value) = word.static_value() else {
        // `/tmp/build-$ID`: the part that is known has to be the beginning of a written path.
        let beginning = text.beginning(word);
        let temp =
            dirs.temp.iter().find(|temp| below(beginning, temp).is_some() || *beginning == format!("{temp}/"))?;
        if !written.iter().any(|path| path.starts_with(beginning) || path.contains(is_placeholder)) {
            return None;
        }
        let at = raw.find(temp.as_str())?;
        let path = spelled(&dirs.own, raw.get(..at)?);
        return Some(Edit::replace(word.span, format!("{}{path}{}", raw.get(..at)?, raw.get(at + temp.len()..)?)));
    };
    let names_it = |path: &str| {
        Places::absolute(path, None).is_some_and(|path| {
            dirs.rest(&path).is_some()
                && written.iter().any(|other| {
                    let known = *other == path || other.strip_prefix("/private") == Some(&path);
                    known || !dirs.rest(other).unwrap_or_default().is_empty() && below(&path, other).is_some()
                })
        })
    };
    if value.starts_with('/') {
        let moved = dirs.moved(&value).filter(|_| names_it(&value))?;
        text.value(word)?;
        return Some(Edit::replace(word.span, quoted(&moved)));
    }
    // `of=/tmp/x`, `--output=/tmp/x`, `@/tmp/x`: one path behind a sign, and no sentence that mentions one.
    let at = value.find('/')?;
    let (sign, path) = value.split_at(at);
    if !sign.ends_with(['=', '@', ':']) || value.contains(char::is_whitespace) || !names_it(path) {
        return None;
    }
    let raw_at = raw.find(path)?;
    let moved = spelled(&dirs.moved(path)?, raw.get(..raw_at)?);
    Some(Edit::replace(word.span, format!("{}{moved}{}", raw.get(..raw_at)?, raw.get(raw_at + path.len()..)?)))
}

/// The text with every path below a directory for temporary files moved, quoted or not. Only good as a suggestion: it changes what the
/// line reads as well.
pub(super) fn everywhere(text: &str, dirs: &Dirs<'_>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut last = ' ';
    while let Some(c) = rest.chars().next() {
        let temp = dirs.temp.iter().find(|temp| {
            let after = rest.strip_prefix(temp.as_str());
            after.is_some_and(|after| after.starts_with('/')) && !last.is_alphanumeric() && !"/._-~".contains(last)
        });
        if let Some(temp) = temp {
            out.push_str(&dirs.own);
            rest = rest.get(temp.len()..)?;
            last = '/';
        } else {
            out.push(c);
            last = c;
            rest = rest.get(c.len_utf8()..)?;
        }
    }
    (quoted(&dirs.own) == dirs.own && out != text)
        .then(|| format!("mkdir -p {} && {}", quoted(&dirs.own), out.trim_start()))
}

/// Whether the last argument of a program is a directory in which files are written.
fn writes_into(name: &str) -> bool {
    matches!(programs::tool(name), Tool::Cd | Tool::Pushd | Tool::Copy | Tool::Move | Tool::Install)
}
