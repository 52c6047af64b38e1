//! Git: what its commands throw away, rewrite and run.

use crate::path::Place;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::{Call, quoted};
use crate::resolve::option::Options;
use crate::resolve::state::Data;
use crate::resolve::value::{COMPUTED, HOLE, LISTED, is_known, is_marker};

/// Options before the command that take a value.
const GLOBAL: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--super-prefix",
    "--config-env",
    "--attr-source",
];

/// Settings whose value git runs.
const RUNS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "core.hookspath",
    "sequence.editor",
    "diff.external",
    "gpg.program",
    "interactive.difffilter",
    "credential.helper",
    "uploadpack.packobjectshook",
    "sendemail.smtpserver",
    "web.browser",
    "man.viewer",
];

impl Interp<'_> {
    pub(super) fn git(&mut self, name: &str, args: &[String], call: &Call) -> Data {
        // `git-reset --hard` is `git reset --hard`.
        let dashed: Option<Vec<String>> = name
            .strip_prefix("git-")
            .map(|verb| std::iter::once(verb.to_owned()).chain(args.iter().cloned()).collect());
        let (options, rest) = Options::leading(dashed.as_deref().unwrap_or(args), GLOBAL);
        let rest = rest.to_vec();
        // `git -- reset` is refused by git, and yet is meant as it looks.
        let settings: Vec<(String, String)> = options
            .values(&["-c"])
            .filter_map(|setting| setting.split_once('='))
            .map(|(key, value)| (key.to_ascii_lowercase(), value.to_owned()))
            .collect();
        for (key, value) in &settings {
            let last = key.rsplit('.').next().unwrap_or_default();
            let tool = matches!(last, "cmd" | "textconv" | "clean" | "smudge" | "process" | "command" | "driver");
            if RUNS.contains(&key.as_str()) || tool || key.starts_with("pager.") {
                let line = value.trim_start_matches('!').to_owned();
                self.subshell(|interp| interp.run_text(&line, call));
                if value != "/dev/null" {
                    self.git_runs(key, value, call);
                }
            }
        }
        let folder = options.value(&["-C"]).map(str::to_owned);
        let Some((verb, args)) = rest.split_first() else { return Data::from("") };
        if args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help")
            || (args.len() == 1 && args.first().is_some_and(|arg| arg == "-h"))
        {
            return Data::from("");
        }
        if let Some((_, value)) = settings
            .iter()
            .find(|(key, _)| key.strip_prefix("alias.").is_some_and(|alias| alias.eq_ignore_ascii_case(verb)))
        {
            let tail: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
            let line = match value.strip_prefix('!') {
                Some(line) => format!("{line} {}", tail.join(" ")),
                None => format!("git {value} {}", tail.join(" ")),
            };
            return self.subshell(|interp| interp.run_text(&line, call));
        }
        let unforced = verb == "clean"
            && (settings.iter().any(|(key, value)| key == "clean.requireforce" && is_no(value))
                || self.clean_unlocked());
        let forced: Vec<String>;
        let args = if unforced {
            forced = std::iter::once("-f".to_owned()).chain(args.iter().cloned()).collect();
            forced.as_slice()
        } else {
            args
        };
        self.subshell(|interp| {
            if let Some(folder) = folder {
                interp.git_folder(&folder);
            }
            interp.git_command(&verb.to_ascii_lowercase(), args, call)
        })
    }

    fn git_folder(&mut self, folder: &str) {
        let cwds = self.state.cwds.iter().map(|cwd| crate::path::Places::absolute(folder, cwd.as_deref())).collect();
        self.state.cwds = std::rc::Rc::new(cwds);
    }

    fn git_act(&mut self, kind: Kind, what: impl Into<String>, call: &Call) {
        self.act_at(kind, None, what.into(), call.span);
    }

    #[expect(clippy::too_many_lines, reason = "one arm a command of git; each is short")]
    fn git_command(&mut self, verb: &str, args: &[String], call: &Call) -> Data {
        let printed = Data::from(COMPUTED.to_string());
        match verb {
            "reset" => {
                let options = Options::all(args, &["--pathspec-from-file"]);
                if options.has(&["--hard", "--merge"]) && !self.stands_in_made() {
                    self.git_act(Kind::GitDiscard, "all changes that are not committed", call);
                }
            }
            "checkout" => self.checkout(args, call),
            "switch" => {
                let options = Options::all(args, &["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"]);
                if options.has(&["-f", "--force", "--discard-changes"]) && !self.stands_in_made() {
                    self.git_act(Kind::GitDiscard, "changes in the working tree", call);
                }
                if options.has(&["-C", "--force-create"]) {
                    self.git_act(Kind::GitBranch, "the old place of the branch", call);
                }
            }
            "restore" => {
                let options = Options::all(args, &["-s", "--source", "--pathspec-from-file", "--conflict"]);
                let staged = options.has(&["-S", "--staged"]) && !options.has(&["-W", "--worktree"]);
                let named = !options.operands.is_empty()
                    || options.has(&["--pathspec-from-file", "-p", "--patch"])
                    || args.iter().any(|arg| arg == "-");
                if !staged && named && !are_locks(&options.operands) && !self.stands_in_made() {
                    self.git_act(Kind::GitDiscard, files_named(&options.operands), call);
                }
                if !staged {
                    self.own_paths(&options.operands, call);
                }
            }
            "clean" => self.clean(args, call),
            "push" => self.push(args, call),
            "branch" => {
                let options = Options::all(
                    args,
                    &[
                        "-u",
                        "--set-upstream-to",
                        "--contains",
                        "--no-contains",
                        "--merged",
                        "--no-merged",
                        "--points-at",
                        "--sort",
                        "--format",
                    ],
                );
                let deletes = options.has(&["-d", "--delete"]);
                let forced = options.has(&["-f", "--force"]);
                if options.has(&["-D"]) || deletes && forced {
                    self.git_act(Kind::GitBranch, "a branch, merged or not", call);
                } else if forced || options.has(&["-M", "-C"]) {
                    self.git_act(Kind::GitBranch, "the old place of a branch", call);
                }
            }
            "tag" => {
                let options =
                    Options::all(args, &["-m", "-F", "-u", "--sort", "--format", "--contains", "--points-at", "-n"]);
                if options.has(&["-d", "--delete"]) || options.has(&["-f", "--force"]) {
                    self.git_act(Kind::GitBranch, "a tag", call);
                }
            }
            "stash" => {
                if matches!(
                    args.first().map(String::as_str),
                    Some("push" | "save" | "-k" | "-u" | "-a" | "-p" | "-m" | "-q" | "--")
                ) {
                    let options = Options::all(args, &["-m", "--message", "--pathspec-from-file"]);
                    self.own_paths(&options.operands, call);
                }
                if matches!(args.first().map(String::as_str), Some("drop" | "clear")) {
                    self.git_act(Kind::GitForget, "stashed changes", call);
                }
            }
            "reflog" if matches!(args.first().map(String::as_str), Some("expire" | "delete")) && !has_dry_run(args) => {
                self.git_act(Kind::GitForget, "the record of earlier commits", call);
            }
            "gc" | "prune" => {
                let now = verb == "prune" && !has_dry_run(args)
                    || args.iter().any(|arg| arg.starts_with("--p") && arg.ends_with("=now") || arg.contains("=all"));
                if now && !has_dry_run(args) {
                    self.git_act(Kind::GitForget, "commits that no branch holds", call);
                }
            }
            "filter-branch" | "filter-repo" | "replace" | "fast-import" => {
                let lists = args.iter().any(|arg| arg == "--analyze")
                    || verb == "replace"
                        && (args.is_empty() || args.iter().any(|arg| matches!(arg.as_str(), "-l" | "--list")));
                if !lists && !has_dry_run(args) {
                    self.git_act(Kind::GitRewrite, "history", call);
                }
                let options = Options::all(
                    args,
                    &[
                        "--tree-filter",
                        "--index-filter",
                        "--msg-filter",
                        "--env-filter",
                        "--commit-filter",
                        "--tag-name-filter",
                        "--parent-filter",
                    ],
                );
                self.option_line(
                    &options,
                    &[
                        "--tree-filter",
                        "--index-filter",
                        "--msg-filter",
                        "--env-filter",
                        "--commit-filter",
                        "--parent-filter",
                    ],
                    call,
                );
            }
            "rebase" => {
                let options = Options::all(args, &["-x", "--exec", "--onto", "-s", "--strategy", "-X"]);
                self.option_line(&options, &["-x", "--exec"], call);
            }
            "bisect" if args.first().is_some_and(|arg| arg == "run") => {
                let argv = args.get(1..).unwrap_or_default();
                self.subshell(|interp| interp.exec(argv, call));
            }
            "submodule" | "foreach" => {
                if let Some(at) = args.iter().position(|arg| arg == "foreach") {
                    let line = args
                        .get(at + 1..)
                        .unwrap_or_default()
                        .iter()
                        .filter(|arg| *arg != "--recursive")
                        .cloned()
                        .collect::<Vec<_>>()
                        .join(" ");
                    self.subshell(|interp| interp.run_text(&line, call));
                }
                if args.first().is_some_and(|arg| arg == "deinit")
                    && args.iter().any(|arg| arg == "-f" || arg == "--force")
                {
                    self.git_act(Kind::GitWorktree, "changes in a submodule", call);
                }
            }
            "update-ref" => {
                let options = Options::all(args, &["-m"]);
                if options.has(&["-d"]) || options.has(&["--stdin"]) {
                    self.git_act(Kind::GitForget, "a reference", call);
                }
            }
            "read-tree" | "checkout-index" => {
                let options = Options::all(args, &["--prefix", "--index-output"]);
                if options.has(&["--reset", "-f", "--force"])
                    && (options.has(&["-u", "-a", "--all"]) || !options.operands.is_empty())
                {
                    self.git_act(Kind::GitDiscard, "changes in the working tree", call);
                }
            }
            "rm" => {
                let options = Options::all(args, &["--pathspec-from-file"]);
                if !options.has(&["--cached", "-n", "--dry-run"]) {
                    let forced = options.has(&["-f", "--force"]);
                    let all = options
                        .operands
                        .iter()
                        .any(|path| matches!(*path, "." | ":/" | "/") || path.chars().all(is_marker));
                    if forced && (options.has(&["-r"]) || all) {
                        self.git_act(Kind::GitDiscard, files_named(&options.operands), call);
                    } else if forced {
                        self.git_act(Kind::GitBranch, "a file with its changes", call);
                    }
                    self.own_paths(&options.operands, call);
                }
            }
            "mv" => self.own_paths(&Options::all(args, &[]).operands, call),
            "apply" | "am" => {
                let options = Options::all(args, &["--include", "--exclude", "--directory", "-p", "-C"]);
                let named: Vec<&str> = options.values(&["--include", "--directory"]).collect();
                self.own_paths(&named, call);
            }
            "sparse-checkout" => {
                let named: Vec<&str> = args
                    .iter()
                    .filter(|arg| arg.starts_with('!'))
                    .map(|arg| arg.trim_start_matches(['!', '/']))
                    .collect();
                self.own_paths(&named, call);
            }
            "ls-files" if lists_untracked(args) => return Data::from(LISTED.to_string()),
            "init" => {
                let options = Options::all(
                    args,
                    &["-b", "--initial-branch", "--template", "--separate-git-dir", "--object-format"],
                );
                let folder = options.operands.first().copied().unwrap_or(".");
                // Where a repository lies already, this changes nothing, and another's files would count as new.
                if self.place_of(folder) == Place::Temp {
                    self.made(folder);
                }
            }
            "worktree" => {
                let options = Options::all(args, &["-b", "-B", "--reason"]);
                if let (Some(verb), Some(folder)) = (options.operands.first(), options.operands.get(1))
                    && *verb == "add"
                {
                    self.own_paths(&[folder], call);
                    self.made(folder);
                }
                let removed = options.operands.get(1..).unwrap_or_default();
                let stands_in = removed.iter().any(|path| matches!(self.place_of(path), Place::Project | Place::Above));
                if args.first().is_some_and(|arg| arg == "remove") && (options.has(&["-f", "--force"]) || stands_in) {
                    self.git_act(Kind::GitWorktree, files_named(options.operands.get(1..).unwrap_or_default()), call);
                }
            }
            "config" => {
                let options = Options::all(args, &["-f", "--file", "--type", "--blob"]);
                let reads = options.has(&[
                    "--get",
                    "--get-all",
                    "--get-regexp",
                    "--unset",
                    "--unset-all",
                    "-l",
                    "--list",
                    "--remove-section",
                ]);
                let at = options.operands.iter().position(|operand| operand.contains('.'));
                let key = at.and_then(|at| options.operands.get(at)).map(|key| key.to_ascii_lowercase());
                let value = at.and_then(|at| options.operands.get(at + 1)).copied();
                if let (Some(key), Some(value), false) = (key, value, reads) {
                    let alias = key.starts_with("alias.") && value.starts_with('!');
                    if (RUNS.contains(&key.as_str()) || alias) && is_known(value) {
                        let line = value.trim_start_matches('!').to_owned();
                        self.branch(|interp| interp.subshell(|interp| interp.run_text(&line, call)));
                    }
                    self.git_runs(&key, value, call);
                }
            }
            "show" | "cat-file" | "diff" | "log" | "blame" | "grep" | "archive" | "annotate" => {
                for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
                    let path = arg.split_once(':').map_or(arg.as_str(), |(_, path)| path);
                    if verb != "log" && verb != "grep" && !path.is_empty() {
                        self.reads(path, call);
                    }
                }
                return Data::from(HOLE.to_string());
            }
            "clone" | "fetch" | "pull" | "ls-remote" => {
                let options =
                    Options::all(args, &["-u", "--upload-pack", "-c", "--config", "-b", "--branch", "--depth", "-o"]);
                if verb == "clone"
                    && let Some(url) = options.operands.first()
                {
                    let last = url.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(url);
                    let folder = options.operands.get(1).copied().unwrap_or_else(|| last.trim_end_matches(".git"));
                    self.made(folder);
                }
                self.option_line(&options, &["-u", "--upload-pack"], call);
                for url in &options.operands {
                    if let Some(line) = url.strip_prefix("ext::") {
                        self.subshell(|interp| interp.run_text(line, call));
                    }
                }
            }
            _ => {}
        }
        printed
    }

    fn checkout(&mut self, args: &[String], call: &Call) {
        const VALUES: &[&str] =
            &["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file", "--inter-hunk-context", "-U", "--unified"];
        let split = args.iter().position(|arg| arg == "--");
        let (before, after) = match split {
            Some(at) => (args.get(..at).unwrap_or_default(), args.get(at + 1..).unwrap_or_default()),
            None => (args, [].as_slice()),
        };
        let options = Options::all(before, VALUES);
        let creates = options.has(&["-b", "--orphan", "--detach", "-d"]);
        if options.has(&["-B"]) {
            self.git_act(Kind::GitBranch, "the old place of a branch", call);
        }
        if self.stands_in_made() {
            return;
        }
        if options.has(&["-f", "--force"]) {
            self.git_act(Kind::GitDiscard, "changes in the working tree", call);
            return;
        }
        let paths: Vec<&str> = after.iter().map(String::as_str).collect();
        self.own_paths(&paths, call);
        self.own_paths(&options.operands, call);
        let named: &[&str] = if paths.is_empty() { options.operands.get(1..).unwrap_or_default() } else { &paths };
        if are_locks(named) || are_locks(&options.operands) {
            return;
        }
        let from_file = options.has(&["--pathspec-from-file"]);
        let whole = options.operands.iter().any(|path| is_path(path) == Some(true));
        if !after.is_empty()
            || from_file
            || whole
            || options.has(&["-p", "--patch"])
            || options.operands.len() > 1 && !creates && !options.has(&["-t", "--track"])
        {
            self.git_act(
                Kind::GitDiscard,
                if paths.is_empty() { files_named(&options.operands) } else { files_named(&paths) },
                call,
            );
        } else if !creates && options.operands.iter().any(|path| is_path(path).is_none()) {
            self.doubtfully(Kind::GitDiscard, &files_named(&options.operands), call);
        }
    }

    fn doubtfully(&mut self, kind: Kind, what: &str, call: &Call) {
        let doubtful = std::mem::replace(&mut self.doubtful, true);
        self.git_act(kind, what, call);
        self.doubtful = doubtful;
    }

    /// `git clean`: what is not tracked goes, or only what is ignored and comes again.
    fn clean(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-e", "--exclude"]);
        let asks = options.has(&["-i", "--interactive"]);
        let forced = options.has(&["-f", "--force"]) && !asks || asks && !call.stdin.is_empty();
        if !forced || options.has(&["-n", "--dry-run"]) || self.stands_in_made() {
            return;
        }
        let what = "files that git does not track";
        let ignored = options.options.iter().any(|(option, _)| option == "-X") && !options.has(&["-x"]);
        if !ignored {
            self.git_act(Kind::GitClean, what, call);
            self.own_paths(&options.operands, call);
        } else if options.operands.is_empty() || options.operands.contains(&".") {
            // The guard's own folder is ignored as well.
            self.doubtfully(Kind::GitClean, what, call);
        } else {
            self.own_paths(&options.operands, call);
        }
    }

    /// Whether this line has told git that `clean` needs no force.
    fn clean_unlocked(&self) -> bool {
        self.report.runs.iter().filter(|run| run.program == "git").any(|run| {
            run.args.windows(2).any(
                |pair| matches!(pair, [key, value] if key.eq_ignore_ascii_case("clean.requireforce") && is_no(value)),
            )
        })
    }

    /// Whether this line lists the files that git does not track.
    pub(super) fn untracked_listed(&self) -> bool {
        self.report.runs.iter().any(|run| {
            run.program == "git" && run.args.iter().any(|arg| arg == "ls-files") && lists_untracked(&run.args)
        })
    }

    /// Remembers a folder that this line makes.
    fn made(&mut self, folder: &str) {
        if let Some(folder) = self.absolute(folder).filter(|_| self.made.len() < 64) {
            self.made.insert(folder);
        }
    }

    /// Whether the shell stands in a repository that this line has made, so that nothing in it can be lost.
    fn stands_in_made(&self) -> bool {
        !self.made.is_empty()
            && self.state.cwds.iter().all(|cwd| {
                cwd.as_ref().is_some_and(|cwd| {
                    self.made.iter().any(|made| cwd == made || crate::path::below(cwd, made).is_some())
                })
            })
    }

    /// A setting that makes git run a command which is none of those that everybody has.
    fn git_runs(&mut self, key: &str, value: &str, call: &Call) {
        let last = key.rsplit('.').next().unwrap_or_default();
        let is = |section: &str, names: &[&str]| key.starts_with(section) && names.contains(&last);
        let runs = RUNS.contains(&key)
            || key.starts_with("alias.") && value.starts_with('!')
            || is("filter.", &["clean", "smudge", "process"])
            || is("diff.", &["command", "textconv", "external"])
            || is("merge.", &["driver"])
            || is("credential.", &["helper"])
            || is("include", &["path"]) && matches!(self.place_of(value), Place::Temp);
        let plain = match key {
            "core.hookspath" => matches!(self.place_of(value), Place::Inside) && !value.contains("/tmp"),
            "core.fsmonitor" => matches!(value, "true" | "false" | "1" | "0" | "" | "rs-git-fsmonitor"),
            _ => is_well_known(value),
        };
        if runs && !plain {
            self.git_act(Kind::GitRuns, crate::resolve::shown(&format!("{key} {value}")), call);
        }
    }

    fn push(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-o", "--push-option", "--receive-pack", "--exec", "--repo"]);
        if options.has(&["-n", "--dry-run"]) {
            return;
        }
        let exact = |names: &[&str]| options.options.iter().any(|(option, _)| names.contains(&option.as_str()));
        let refs = options.operands.get(1..).unwrap_or_default();
        // `--force-with-lease` is the careful form, and not cut short.
        let forced =
            exact(&["-f", "--force", "--forc", "--for"]) || refs.iter().any(|refspec| refspec.starts_with('+'));
        if forced || exact(&["--mirror", "--mirro", "--prune"]) {
            self.git_act(Kind::GitPush, "branches of the remote", call);
        } else if options.has(&["-d", "--delete"]) || refs.iter().any(|refspec| refspec.starts_with(':')) {
            self.git_act(Kind::GitBranch, "a branch or tag of the remote", call);
        }
        self.option_line(&options, &["--receive-pack", "--exec"], call);
    }
}

fn has_dry_run(args: &[String]) -> bool {
    args.iter().any(|arg| matches!(arg.as_str(), "-n" | "--dry-run"))
}

fn files_named(paths: &[&str]) -> String {
    if paths.is_empty() { "files".to_owned() } else { crate::resolve::shown(&paths.join(" ")) }
}

/// Whether the one operand of `git checkout` is a path: certainly, certainly not, or perhaps (`None`).
fn is_path(operand: &str) -> Option<bool> {
    if matches!(operand, "." | ".." | ":/" | "*")
        || operand.starts_with("./")
        || operand.starts_with("../")
        || operand.starts_with(":(")
        || operand.ends_with('/')
        || operand.contains(['*', '\u{F001}'])
    {
        return Some(true);
    }
    let name = operand.rsplit('/').next().unwrap_or(operand);
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension);
    match extension {
        Some(extension)
            if (1..=5).contains(&extension.len())
                && extension.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
                && extension.chars().all(|c| c.is_ascii_alphanumeric()) =>
        {
            None
        }
        _ => Some(false),
    }
}

fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

fn lists_untracked(args: &[String]) -> bool {
    let options = Options::all(args, &["-x", "-X", "--exclude", "--exclude-from"]);
    options.has(&["-o", "--others"]) && !options.has(&["-i", "--ignored"])
}

/// Whether all of them are lists of versions, which their programs write anew.
fn are_locks(paths: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lockb",
        "go.sum",
        "packages.lock.json",
        "gradle.lockfile",
        "Package.resolved",
    ];
    !paths.is_empty()
        && paths.iter().all(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            NAMES.contains(&name)
                || name.len() > 5 && !name.contains(is_marker) && name.rsplit('.').next() == Some("lock")
        })
}

/// Whether a setting names a program by itself, as editors, pagers and helpers are set: no path, no shell, nothing put together.
fn is_well_known(value: &str) -> bool {
    let bare = value.strip_prefix('!');
    let line = bare.unwrap_or(value).trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    let joined = line.contains([';', '|', '&', '$', '`', '<', '>', '\n', '(']);
    let name = crate::resolve::exec::base_name(first);
    let installed =
        ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].iter().any(|folder| first.starts_with(folder));
    let shell = matches!(
        name.as_str(),
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "fish"
            | "python"
            | "python3"
            | "perl"
            | "ruby"
            | "node"
            | "php"
            | "curl"
            | "wget"
            | "nc"
            | "eval"
            | "env"
            | "exec"
    );
    // A command of one's own is a shell's line.
    let command = bare.is_some() && !matches!(name.as_str(), "git" | "gh" | "glab" | "aws" | "gcloud" | "az");
    !joined && !shell && !command && (!first.contains('/') || installed)
}
