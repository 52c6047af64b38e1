//! What comes under version control without `git add` in the project: by plumbing, and from a directory that is put in its place.

use super::git::has_dry_run;
use crate::options::Options;
use crate::path::below;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::secret::picks_secrets;
use crate::resolve::state::Data;
use crate::resolve::taint::{IGNORED_ITEM, LIST_ITEM, activate_globs, is_placeholder};

/// What plumbing is told to put into the index.
#[derive(Default)]
struct Indexed {
    /// By path from the top of the working tree.
    from_top: Vec<String>,
    /// By path from the working directory.
    from_here: Vec<String>,
    /// By a list that nobody knows.
    unknown: bool,
}

impl Interp<'_> {
    /// Reports files of the guard that plumbing of git puts under version control. It asks for no force, and needs no file to be there.
    pub(super) fn git_index(&mut self, verb: &str, args: &[String], call: &Call) {
        let found = match verb {
            "update-index" => updated(args, &call.stdin),
            "read-tree" => {
                let options = Options::all(args, &["--prefix", "--index-output", "--exclude-per-directory"]);
                let prefixes = options.values(&["--prefix"]).map(|prefix| if prefix.is_empty() { "." } else { prefix });
                Indexed { from_top: prefixes.map(str::to_owned).collect(), ..Indexed::default() }
            }
            _ => return,
        };
        let project = self.places.project.trim_end_matches('/').to_owned();
        if self.stands_by_guard() {
            // The project may be a directory of its repository.
            let dir = self.places.layout.client_dir;
            let tail = |path: &String| path.find(dir).and_then(|at| path.get(at..)).unwrap_or(path).to_owned();
            let inside: Vec<String> = found.from_top.iter().map(|path| format!("{project}/{}", tail(path))).collect();
            self.own_versioned(&inside.iter().map(String::as_str).collect::<Vec<_>>(), true, call);
            if found.unknown {
                self.doubtfully(Kind::Guard, "files that a list names which is not known", call);
            }
        }
        self.own_versioned(&found.from_here.iter().map(String::as_str).collect::<Vec<_>>(), false, call);
    }

    /// Reports files of the guard that come into the project's index from another directory, which stands for its working tree. What the
    /// project has git ignore, that directory has not.
    pub(super) fn git_elsewhere(
        &mut self,
        git_dir: Option<&str>,
        tree: Option<&str>,
        verb: &str,
        args: &[String],
        call: &Call,
    ) {
        if !matches!(verb, "add" | "stage") || has_dry_run(args) || git_dir.is_none() && tree.is_none() {
            return;
        }
        let project = self.places.project.trim_end_matches('/').to_owned();
        let of_project = match git_dir {
            None => self.stands_by_guard(),
            Some(dir) => {
                let own = format!("{project}/.git");
                let is_own = |path: &String| *path == own || below(path, &own).is_some();
                self.absolute(dir).is_some_and(|path| is_own(&path))
            }
        };
        let Some(tree) = self.absolute(tree.unwrap_or(".")).filter(|_| of_project) else { return };
        if tree == project || below(&project, &tree).is_some() {
            return;
        }
        let options = Options::all(args, &["--chmod", "--pathspec-from-file"]);
        let named: Vec<&str> = if options.operands.is_empty() { vec!["."] } else { options.operands };
        let placed = |path: &&str| {
            let path = self.absolute(path)?;
            let rest = if path == tree { "" } else { below(&path, &tree)? };
            Some(format!("{project}/{rest}"))
        };
        let placed: Vec<String> = named.iter().filter_map(placed).collect();
        self.own_versioned(&placed.iter().map(|path| path.trim_end_matches('/')).collect::<Vec<_>>(), true, call);
    }
}

/// What `git ls-files` prints of files that git does not track, of which those that it ignores hold the secrets.
pub(super) fn others_listed(args: &[String]) -> Option<Data> {
    let options = Options::all(args, &["-x", "-X", "--exclude", "--exclude-from", "--exclude-per-directory"]);
    let ignored = options.has(&["-i", "--ignored"]);
    if !options.has(&["-o", "--others"]) {
        return None;
    }
    let mut picked = options.operands.iter().filter(|path| picks_secrets(path));
    if let Some(picked) = picked.next() {
        return Some(Data::from(activate_globs(picked)));
    }
    let all = options.operands.iter().all(|path| matches!(*path, "." | ":/" | "*"));
    if all && (ignored || !options.has(&["--exclude-standard"])) {
        return Some(Data::from(format!("{LIST_ITEM}{IGNORED_ITEM}")));
    }
    (!ignored).then(|| Data::from(LIST_ITEM.to_string()))
}

/// What `git update-index` adds.
fn updated(args: &[String], stdin: &str) -> Indexed {
    let mut found = Indexed::default();
    let (mut adds, mut listed) = (false, false);
    let mut named = Vec::new();
    let mut words = args.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let info =
            word.strip_prefix("--cacheinfo=").or_else(|| (word == "--cacheinfo").then(|| words.next()).flatten());
        match (word, info) {
            // `MODE,HASH,PATH`, or three words.
            (_, Some(info)) => {
                let path = info.splitn(3, ',').nth(2).or_else(|| words.nth(1));
                found.from_top.extend(path.map(str::to_owned));
            }
            ("--add", _) => adds = true,
            ("--stdin", _) => listed = true,
            ("--index-info", _) => {
                let lines = lines(stdin);
                found.unknown |= is_unknown(stdin);
                found.from_top.extend(lines.filter_map(|line| line.split_once('\t')).map(|(_, path)| path.to_owned()));
            }
            ("--", _) => named.extend(words.by_ref()),
            _ if word.starts_with('-') => {}
            _ => named.push(word),
        }
    }
    if adds {
        found.from_here.extend(named.into_iter().map(str::to_owned));
        if listed {
            found.unknown |= is_unknown(stdin);
            found.from_here.extend(lines(stdin).map(str::to_owned));
        }
    }
    found
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\0']).filter(|line| !line.is_empty())
}

fn is_unknown(text: &str) -> bool {
    text.is_empty() || text.contains(is_placeholder)
}
