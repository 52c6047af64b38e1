//! Git, where what it does to the working tree takes files of the guard along that nobody names.

use crate::options::{Options, plain_words};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::taint::{CHANGES_TURNED, OWN_CHANGES, UNKNOWN, glob};

impl Interp<'_> {
    /// What a command of git takes away of the guard, or puts in its place.
    pub(super) fn git_takes(&mut self, verb: &str, args: &[String], call: &Call) {
        match verb {
            "stash" => self.stash_takes(args, call),
            "sparse-checkout" => self.sparse_takes(args, call),
            "switch" => {
                // A branch without a past begins with no file that git tracks.
                let orphan = args.iter().any(|arg| {
                    let name = arg.split_once('=').map_or(arg.as_str(), |(name, _)| name);
                    name.len() > 3 && "--orphan".starts_with(name)
                });
                if orphan && self.stands_by_guard() {
                    self.doubtfully(Kind::Guard, "all files that git tracks, the guard's settings among them", call);
                }
            }
            "read-tree" => {
                let options = Options::all(args, &["--prefix", "--index-output", "--exclude-per-directory"]);
                let updates = options.has(&["-u"]) && options.has(&["-m", "--reset"]);
                if updates && !options.has(&["-n", "--dry-run"]) && self.stands_by_guard() {
                    self.git_act(Kind::Guard, "the guard's settings, as another commit has them", call);
                }
            }
            "clean" => {
                let options = Options::all(args, &["-e", "--exclude"]);
                let ignored = options.spells(&["-x", "-X"]);
                let asks = options.has(&["-i", "--interactive"]);
                let forced = options.has(&["-f", "--force"]) && !asks || asks && !call.stdin.is_empty();
                // What `-e` adds to the ignored files is just what `-X` removes.
                let spared = !options.spells(&["-X"])
                    && options.values(&["-e", "--exclude"]).any(|pattern| self.places.layout.names_client_dir(pattern));
                if ignored && forced && !spared && !options.has(&["-n", "--dry-run"]) && self.takes(&options.operands) {
                    self.git_act(Kind::Guard, "the guard's executable and state, which git ignores", call);
                }
            }
            "apply" | "am" => {
                let options =
                    Options::all(args, &["--include", "--exclude", "--directory", "-p", "-C", "--whitespace"]);
                if options.has(&["--check", "--stat", "--numstat", "--summary", "--show-current-patch", "--cached"])
                    && !options.has(&["--apply", "--index"])
                {
                    return;
                }
                let named: Vec<String> =
                    options.values(&["--include", "--directory"]).map(crate::resolve::taint::activate_globs).collect();
                self.own_paths(&named.iter().map(String::as_str).collect::<Vec<_>>(), call);
                self.patched(&options.operands, &options, call);
            }
            "log" | "show" | "diff" | "diff-tree" | "diff-index" | "diff-files" | "format-patch" | "archive"
            | "shortlog" | "whatchanged" | "stash-show" | "range-diff" | "fast-export" | "rev-list" => {
                self.git_writes(verb, args, call);
            }
            // What is stored comes back under any name.
            "hash-object" => self.own_copied(&Options::all(args, &["-t", "--path"]).operands, call),
            "bundle" => {
                let options = Options::all(args, &["--version"]);
                if let ["create", file, ..] = options.operands.as_slice() {
                    self.creates(Kind::Overwrite, file, call);
                }
            }
            "config" => {
                let options = Options::all(args, &["-f", "--file", "--type", "--blob", "--default", "--comment"]);
                let reads = options.has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list"])
                    || matches!(options.operands.as_slice(), [_] | ["get" | "list", ..]);
                if !reads || options.has(&["--unset", "--unset-all", "-e", "--edit"]) {
                    let files: Vec<&str> = options.values(&["-f", "--file"]).collect();
                    self.own_paths(&files, call);
                }
            }
            "filter-repo" => {
                let options = Options::all(args, &["--path", "--path-glob", "--replace-text", "--force"]);
                let paths: Vec<&str> = options.values(&["--path", "--path-glob"]).collect();
                if options.has(&["--invert-paths"]) && !options.has(&["--dry-run", "--analyze"]) {
                    self.own_paths(&paths, call);
                }
            }
            "export" | "checkout-index" => {
                for dir in Options::all(args, &["--prefix"]).values(&["--prefix"]) {
                    self.creates(Kind::Append, dir, call);
                }
            }
            _ => {}
        }
    }

    /// Whether paths that git is given hold files of the guard; none stand for all.
    fn takes(&self, paths: &[&str]) -> bool {
        if paths.is_empty() {
            return self.stands_by_guard();
        }
        self.stands_by_guard() && paths.iter().any(|path| matches!(*path, ":/" | "*") || self.holds_guard(path))
    }

    /// `git stash` with what is ignored takes the executable along, and the user's own settings.
    fn stash_takes(&mut self, args: &[String], call: &Call) {
        let verb = args.first().map_or("push", String::as_str);
        let args = match verb {
            "push" | "save" => args.get(1..).unwrap_or_default(),
            // `create` and `store` leave the working tree alone.
            _ if verb.starts_with('-') || verb == "push" => args,
            _ => return,
        };
        let options = Options::all(args, &["-m", "--message", "--pathspec-from-file"]);
        if !options.has(&["-a", "--all"]) {
            return;
        }
        // `save` takes a message.
        let paths = if verb == "save" { &[] } else { options.operands.as_slice() };
        if self.takes(paths) {
            self.git_act(Kind::Guard, "the guard's files, which git ignores", call);
        }
    }

    /// A sparse checkout removes all that its patterns leave out.
    fn sparse_takes(&mut self, args: &[String], call: &Call) {
        let Some((verb, rest)) = args.split_first() else { return };
        let options = Options::all(rest, &[]);
        let keeps = match verb.as_str() {
            "init" | "reapply" => false,
            "set" => {
                let kept = |pattern: &&str| {
                    let pattern = pattern.trim_start_matches('/').trim_start_matches("./");
                    matches!(pattern, "*" | "." | "**")
                        || glob(pattern.trim_end_matches(['/', '*']), self.places.layout.client_dir)
                };
                let cone = !options.has(&["--no-cone"]);
                let left_out = options.operands.iter().any(|pattern| {
                    let pattern = pattern.strip_prefix('!').map(|rest| rest.trim_start_matches('/'));
                    !cone
                        && pattern
                            .is_some_and(|pattern| pattern.starts_with(self.places.layout.client_dir) || pattern == "*")
                });
                options.operands.iter().any(kept) && !left_out
            }
            _ => true,
        };
        if !keeps && self.stands_by_guard() {
            if options.has(&["--stdin"]) && verb == "set" {
                self.doubtfully(Kind::Guard, "the guard's directory, which the patterns may leave out", call);
            } else {
                self.git_act(Kind::Guard, "the guard's directory, which the patterns leave out", call);
            }
        }
    }

    /// `--output=FILE` and its like.
    fn git_writes(&mut self, verb: &str, args: &[String], call: &Call) {
        const LONG: &[&str] = &["--output", "--output-directory"];
        let values: &[&str] = match verb {
            "format-patch" => &["-o", "--output", "--output-directory", "-v", "--subject-prefix", "-n"],
            "archive" => &["-o", "--output", "--format", "--prefix", "--remote", "--exec"],
            _ => LONG,
        };
        let options = Options::all(args, values);
        let short = matches!(verb, "format-patch" | "archive");
        for given in &options.options {
            // `-o` of `git diff` is no file, and `--out` is cut short.
            let is_file = short && given.is("-o")
                || given.name.starts_with("--out") && LONG.iter().any(|long| long.starts_with(given.name));
            if let Some(file) = given.value().filter(|_| is_file) {
                self.creates(if verb == "format-patch" { Kind::Append } else { Kind::Overwrite }, file, call);
            }
        }
    }

    /// A patch, in files or on standard input, that names files of the guard.
    pub(in crate::resolve) fn patched(&mut self, files: &[&str], options: &Options<'_>, call: &Call) {
        let depth =
            options.value(&["-p", "--strip"]).and_then(|depth| depth.trim_start_matches('=').parse::<usize>().ok());
        let mut texts = Vec::new();
        for file in files {
            texts.extend(if matches!(*file, "-" | "/dev/stdin") {
                Some(std::rc::Rc::clone(&call.stdin))
            } else {
                self.content(file)
            });
        }
        if texts.is_empty() && files.is_empty() {
            texts.push(std::rc::Rc::clone(&call.stdin));
        }
        for text in texts {
            // What is kept in a file as well is not gone.
            let turned = if options.has(&["-R", "--reverse"]) { OWN_CHANGES } else { CHANGES_TURNED };
            let kept = self.files.iter().any(|(path, text)| !path.starts_with("/dev/fd/") && text.contains(turned));
            if text.contains(turned) && !kept && !self.stands_in_made() {
                self.git_act(Kind::GitDiscard, "the changes that the patch holds", call);
            }
            for line in text.lines() {
                let line = line.trim_start_matches(UNKNOWN);
                let path = [
                    "+++ ", "--- ", "rename from ", "rename to ", "copy to ", "Index: ", "*** Update File: ",
                    "*** Delete File: ", "*** Add File: ",
                ]
                .iter()
                .find_map(|head| line.strip_prefix(head));
                let Some(path) = path.map(|path| path.split('\t').next().unwrap_or(path).trim().trim_matches('"'))
                else {
                    continue;
                };
                if path != "/dev/null" && self.is_own_in_patch(path, depth) {
                    self.git_act(Kind::Guard, format!("a patch of {}", crate::resolve::shown(path)), call);
                    return;
                }
            }
        }
    }

    /// Whether a path of a patch is one of the guard's, from where the patch is applied or from the top.
    fn is_own_in_patch(&self, path: &str, depth: Option<usize>) -> bool {
        let mut rest = path;
        for cut in 0..=depth.unwrap_or(1).min(path.len()) {
            let fits = depth.is_none_or(|depth| depth == cut);
            let found = |path: &str| {
                self.places_of(path)
                    .iter()
                    .any(|(_, absolute)| self.own_path(absolute) == crate::resolve::guard_files::Own::Yes)
            };
            let from_top = format!("{}/{rest}", self.places.project);
            if fits && !self.state.remote && (found(rest) || found(&from_top) && self.stands_by_guard()) {
                return true;
            }
            match rest.split_once('/') {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        false
    }

    /// The names that git lists, and that the guard's settings may be among them.
    pub(super) fn git_lists(&mut self, verb: &str, args: &[String]) -> Option<crate::resolve::state::Data> {
        use crate::resolve::taint::PROGRAM_OUTPUT;
        let split = args.iter().position(|arg| arg == "--");
        let (before, after) = args.split_at(split.unwrap_or(args.len()));
        let options = Options::all(
            before,
            &[
                "-x", "-X", "--exclude", "--exclude-from", "-e", "-f", "--format", "--with-tree", "--max-depth", "-m",
                "-A", "-B", "-C",
            ],
        );
        let mut operands = options.operands.clone();
        let found = match verb {
            "ls-files" => !options.has(&["-o", "--others", "-d", "--deleted", "-u", "--unmerged", "-s", "--stage"]),
            "grep" if options.has(&["-l", "--files-with-matches", "--name-only", "-L"]) => {
                let patterns: Vec<&str> = if options.has(&["-e"]) {
                    options.values(&["-e"]).collect()
                } else if operands.is_empty() {
                    Vec::new()
                } else {
                    vec![operands.remove(0)]
                };
                // Told so, it searches whatever is named.
                if options.has(&["--no-index"])
                    && let Some(root) = operands.iter().find(|root| self.holds_persons(root, false))
                {
                    self.adds_own(crate::resolve::listed::Listed::Any);
                    return Some(
                        format!("{}/{}\n", root.trim_end_matches('/'), crate::resolve::taint::PROTECTED_ITEM).into(),
                    );
                }
                patterns.iter().any(|pattern| crate::resolve::listed::occurs_in_entry(pattern, self.places.layout))
            }
            "ls-tree" => options.has(&["-r"]) && options.has(&["--name-only", "--name-status"]),
            _ => false,
        };
        if verb == "ls-tree" {
            operands.clear();
        }
        operands.extend(after.iter().skip(1).map(String::as_str));
        if found && self.holds_persons(".", false) {
            self.adds_own(crate::resolve::listed::Listed::Any);
        }
        (found && self.stands_by_guard() && self.lets_settings_through(&operands))
            .then(|| self.with_own(&PROGRAM_OUTPUT.to_string()).into())
    }

    /// What `git diff A -- PATH` prints, where the path is the guard's: the head of a patch of it.
    pub(super) fn diff_of_own(&self, args: &[String]) -> Option<String> {
        let named = plain_words(args).find(|path| {
            let path = path.rsplit_once(':').map_or(path.as_str(), |(_, path)| path);
            self.places.layout.names_client_dir(path)
                && self
                    .places_of(path)
                    .iter()
                    .any(|(_, absolute)| self.own_path(absolute) == crate::resolve::guard_files::Own::Yes)
        })?;
        Some(format!("{UNKNOWN}\n+++ b/{named}\n"))
    }
}
