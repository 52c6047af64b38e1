//! Git: what its commands remove, discard, overwrite, send and run, and what is known of its repositories.

use crate::options::{Options, option_words, plain_words};
use crate::path::{Place, below};
use crate::programs::{Invocation, Tool};
use crate::resolve::action::Kind;
use crate::resolve::exec::{Call, quoted};
use crate::resolve::program::git_own::pushed;
use crate::resolve::secret::picks_secrets;
use crate::resolve::state::Data;
use crate::resolve::taint::{
    CHANGES_TURNED, GLOB_STAR, OWN_CHANGES, PROGRAM_OUTPUT, TAINT_NETWORK, UNKNOWN, is_literal, is_placeholder,
};
use crate::resolve::{Interp, git_config, shown};

/// Options of git itself, before its command, that take a value.
pub const GLOBAL: &[&str] = &[
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env",
    "--attr-source",
];

/// Most aliases of one line that are remembered.
const MOST_ALIASES: usize = 32;

/// Commands that git has itself and that people give: no alias takes their place.
pub(in crate::resolve) const OWN_COMMANDS: &[&str] = &[
    "add", "am", "annotate", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-ignore",
    "checkout", "cherry", "cherry-pick", "clean", "clone", "commit", "config", "count-objects", "credential",
    "describe", "diff", "diff-tree", "difftool", "fetch", "filter-branch", "for-each-ref", "format-patch", "fsck",
    "gc", "grep", "gui", "hash-object", "help", "init", "log", "ls-files", "ls-remote", "ls-tree", "maintenance",
    "merge", "merge-base", "mergetool", "mv", "name-rev", "notes", "prune", "pull", "push", "range-diff", "rebase",
    "reflog", "remote", "repack", "replace", "rerere", "reset", "restore", "rev-list", "rev-parse", "revert", "rm",
    "send-email", "shortlog", "show", "show-ref", "sparse-checkout", "stage", "stash", "status", "submodule", "switch",
    "symbolic-ref", "tag", "update-index", "update-ref", "version", "worktree", "write-tree",
];

impl Interp<'_> {
    pub(in crate::resolve) fn git(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let Invocation { name, args, .. } = *of;
        // `git-reset --hard` is `git reset --hard`.
        let dashed: Option<Vec<String>> = name
            .strip_prefix("git-")
            .map(|verb| std::iter::once(verb.to_owned()).chain(args.iter().cloned()).collect());
        let (options, rest) = Options::leading(dashed.as_deref().unwrap_or(args), GLOBAL);
        let rest = rest.to_vec();
        // `git -- reset` is refused by git, and yet is meant as it looks.
        let settings = self.settings_given(&options);
        self.git_settings(&settings, call);
        let dir = options.value(&["-C"]).map(str::to_owned);
        let Some((verb, args)) = rest.split_first() else { return Data::from("") };
        if args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--help")
            || (args.len() == 1 && args.first().is_some_and(|arg| arg == "-h"))
        {
            return Data::from("");
        }
        let given = settings
            .iter()
            .find(|(key, _)| key.strip_prefix("alias.").is_some_and(|alias| alias.eq_ignore_ascii_case(verb)));
        if let Some(value) = given.map(|(_, value)| value.clone()).or_else(|| self.git_alias(verb, dir.as_deref())) {
            let tail: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
            let line = match value.strip_prefix('!') {
                Some(line) => format!("{line} {}", tail.join(" ")),
                None => format!("git {value} {}", tail.join(" ")),
            };
            self.open_aliases.push(verb.to_ascii_lowercase());
            let printed = self.subshell(|interp| {
                if let Some(dir) = dir {
                    interp.git_dir(&dir);
                }
                interp.run_text(&line, call)
            });
            self.open_aliases.pop();
            return printed;
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
        let tree = options.value(&["--work-tree"]).map(str::to_owned);
        let set = || settings.iter().find(|(key, _)| key == "core.worktree").map(|(_, tree)| tree.clone());
        let written = tree.clone().or_else(set).or_else(|| self.variable("GIT_WORK_TREE").map(|tree| tree.to_string()));
        let git_dir = options.value(&["--git-dir"]).map(str::to_owned);
        let git_dir = git_dir.or_else(|| self.variable("GIT_DIR").map(|dir| dir.to_string()));
        self.subshell(|interp| {
            if let Some(dir) = dir {
                interp.git_dir(&dir);
            }
            let verb = verb.to_ascii_lowercase();
            interp.git_expires(&verb, &settings, call);
            let own = interp.git_own(git_dir.as_deref(), &verb, call);
            interp.git_own_used(&own, &verb, args, call);
            // Named on the line, it outranks the settings.
            let own_tree = own.tree.clone().filter(|_| written.is_none());
            let written = written.or_else(|| own_tree.clone());
            if let Some(tree) = tree.or(own_tree).filter(|tree| interp.holds_guard(tree) && !interp.stands_by_guard()) {
                interp.git_dir(&tree);
            }
            interp.git_pours(written.as_deref().unwrap_or("."), &verb, args, call);
            interp.git_elsewhere(git_dir.as_deref(), written.as_deref(), &verb, args, call);
            let pushed = (verb == "push").then(|| pushed(args, own.all.iter().chain(&settings))).flatten();
            interp.git_command(&verb, pushed.as_deref().unwrap_or(args), call)
        })
    }

    /// What an alias of this line or of git's files stands for. A command of git's own has none, whatever is set.
    fn git_alias(&self, verb: &str, dir: Option<&str>) -> Option<String> {
        let name = verb.to_ascii_lowercase();
        let can_be =
            is_literal(verb) && !verb.starts_with('-') && !self.state.remote && !self.open_aliases.contains(&name);
        if !can_be || OWN_COMMANDS.contains(&name.as_str()) {
            return None;
        }
        let made = self.git_aliases.iter().rev().find(|(made, _)| *made == name).map(|(_, value)| value.clone());
        made.or_else(|| {
            let dir = self.absolute(dir.unwrap_or("."))?;
            self.known_files.git_setting(&dir, &format!("alias.{name}"))
        })
    }

    /// Runs the settings that are commands.
    fn git_settings(&mut self, settings: &[(String, String)], call: &Call) {
        for (key, value) in settings {
            let Some(how) = git_config::how(key) else { continue };
            if how.is_command(value) {
                let line = value.trim_start_matches('!').to_owned();
                self.subshell(|interp| interp.run_text(&line, call));
            }
            // For one command, nothing is less than what is set.
            if value != "/dev/null" {
                self.git_runs(key, value, call);
            }
        }
    }

    pub(in crate::resolve) fn git_dir(&mut self, dir: &str) {
        let cwds = self.state.cwds.iter().map(|cwd| crate::path::Places::absolute(dir, cwd.as_deref())).collect();
        self.state.cwds = std::rc::Rc::new(cwds);
    }

    pub(in crate::resolve) fn git_act(&mut self, kind: Kind, what: impl Into<String>, call: &Call) {
        self.act_at(kind, None, what.into(), call.span);
    }

    #[expect(clippy::too_many_lines, reason = "one arm a command of git; each is short")]
    fn git_command(&mut self, verb: &str, args: &[String], call: &Call) -> Data {
        let printed = Data::from(PROGRAM_OUTPUT.to_string());
        self.git_hooks(verb, args, call);
        self.git_takes(verb, args, call);
        self.git_index(verb, args, call);
        if let Some(list) = self.git_lists(verb, args) {
            return list;
        }
        match verb {
            "reset" => {
                let options = Options::all(args, &["--pathspec-from-file"]);
                if options.has(&["--hard", "--merge"]) && !self.stands_in_made() {
                    self.git_act(Kind::GitDiscard, "all of them", call);
                }
            }
            "checkout" => self.checkout(args, call),
            "switch" => {
                let options = Options::all(args, &["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"]);
                if options.has(&["-f", "--force", "--discard-changes"]) && !self.stands_in_made() {
                    self.git_act(Kind::GitDiscard, "all of them", call);
                }
                if options.has(&["-C", "--force-create"]) {
                    self.git_act(
                        Kind::GitBranch,
                        format!(
                            "the commits of {}",
                            named("branch", &options.values(&["-C", "--force-create"]).collect::<Vec<_>>())
                        ),
                        call,
                    );
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
            "push" | "send-pack" => self.push(args, call),
            "branch" => {
                let options = Options::all(
                    args,
                    &[
                        "-u", "--set-upstream-to", "--contains", "--no-contains", "--merged", "--no-merged",
                        "--points-at", "--sort", "--format",
                    ],
                );
                let deletes = options.has(&["-d", "--delete"]);
                let forced = options.has(&["-f", "--force"]);
                if options.has(&["-D"]) || deletes && forced {
                    self.git_act(
                        Kind::GitBranch,
                        format!("{}, merged or not", named("branch", &options.operands)),
                        call,
                    );
                } else if forced || options.has(&["-M", "-C"]) {
                    let moved = options.operands.get(..1).unwrap_or_default();
                    self.git_act(Kind::GitBranch, format!("the commits of {}", named("branch", moved)), call);
                }
            }
            "tag" => {
                let options =
                    Options::all(args, &["-m", "-F", "-u", "--sort", "--format", "--contains", "--points-at", "-n"]);
                if options.has(&["-d", "--delete"]) || options.has(&["-f", "--force"]) {
                    self.git_act(Kind::GitBranch, named("tag", &options.operands), call);
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
                if args.first().is_some_and(|arg| arg == "show")
                    && args.iter().any(|arg| arg == "-p" || arg == "--patch")
                {
                    for path in args.iter().skip_while(|arg| *arg != "--").skip(1) {
                        self.reads(path, call);
                    }
                }
                if matches!(args.first().map(String::as_str), Some("drop" | "clear")) {
                    self.git_act(
                        Kind::GitForget,
                        named("stash", &args.iter().skip(1).map(String::as_str).collect::<Vec<_>>()),
                        call,
                    );
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
                        "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter",
                        "--tag-name-filter", "--parent-filter",
                    ],
                );
                self.option_line(
                    &options,
                    &[
                        "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter",
                        "--parent-filter",
                    ],
                    call,
                );
            }
            "difftool" | "mergetool" => {
                let options = Options::all(args, &["-x", "--extcmd", "-t", "--tool"]);
                self.option_line(&options, &["-x", "--extcmd"], call);
            }
            "send-email" => {
                let options = Options::all(args, &["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd"]);
                self.option_line(&options, &["--sendmail-cmd", "--to-cmd", "--cc-cmd", "--header-cmd"], call);
            }
            "rebase" => {
                let options = Options::all(args, &["-x", "--exec", "--onto", "-s", "--strategy", "-X"]);
                self.option_line(&options, &["-x", "--exec"], call);
                if options.spells(&["-f", "--force", "--force-rebase"]) {
                    self.git_act(Kind::GitRebase, "commits that stand as they should", call);
                }
            }
            "add" | "stage" | "commit" | "ci" => {
                let options =
                    Options::all(args, &["-m", "-F", "-C", "-c", "--message", "--file", "--author", "--date", "-t"]);
                for path in options.operands.iter().filter(|_| !has_dry_run(args)) {
                    if self.is_secret_path(path) {
                        self.git_act(Kind::SecretCommit, shown(path), call);
                    }
                }
                if !has_dry_run(args) {
                    let adds = matches!(verb, "add" | "stage");
                    let forced = adds && options.has(&["-f", "--force"]);
                    let all = forced && options.has(&["-A", "--all"]) && options.operands.is_empty();
                    self.own_versioned(if all { &["."] } else { &options.operands }, forced, call);
                }
            }
            "rev-parse" if args.iter().any(|arg| arg == "--show-cdup") => return self.way_up().unwrap_or(printed),
            "rev-parse" if args.iter().any(|arg| arg == "--show-toplevel") => {
                return Data::from(self.places.project.as_str());
            }
            "rev-parse" if args.iter().any(|arg| matches!(arg.as_str(), "--git-dir" | "--absolute-git-dir")) => {
                return Data::from(format!("{}/.git", self.places.project));
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
            "symbolic-ref" if args.iter().any(|arg| matches!(arg.as_str(), "-d" | "--delete")) => {
                self.git_act(Kind::GitForget, files_named(&Options::all(args, &["-m"]).operands), call);
            }
            "update-ref" => {
                let options = Options::all(args, &["-m"]);
                let moves =
                    options.operands.first().is_some_and(|name| *name == "HEAD" || name.starts_with("refs/heads/"));
                if options.has(&["-d"]) || options.has(&["--stdin"]) {
                    self.git_act(Kind::GitForget, files_named(options.operands.get(..1).unwrap_or_default()), call);
                } else if moves && options.operands.len() > 1 {
                    self.git_act(
                        Kind::GitBranch,
                        format!("the commits of {}", files_named(options.operands.get(..1).unwrap_or_default())),
                        call,
                    );
                }
            }
            "read-tree" | "checkout-index" => {
                let options = Options::all(args, &["--prefix", "--index-output"]);
                if options.has(&["--reset", "-f", "--force"])
                    && (options.has(&["-u", "-a", "--all"]) || !options.operands.is_empty())
                {
                    self.git_act(Kind::GitDiscard, "all of them", call);
                }
            }
            "rm" => {
                let options = Options::all(args, &["--pathspec-from-file"]);
                if !options.has(&["--cached", "-n", "--dry-run"]) {
                    let forced = options.has(&["-f", "--force"]);
                    let all = options
                        .operands
                        .iter()
                        .any(|path| matches!(*path, "." | ":/" | "/") || path.chars().all(is_placeholder));
                    if forced && (options.has(&["-r"]) || all) {
                        self.git_act(Kind::GitDiscard, files_named(&options.operands), call);
                    } else if forced {
                        self.git_act(
                            Kind::GitBranch,
                            format!("{} with its changes", files_named(&options.operands)),
                            call,
                        );
                    }
                    self.own_paths(&options.operands, call);
                }
            }
            "mv" => self.own_paths(&Options::all(args, &[]).operands, call),
            "sparse-checkout" => {
                let named: Vec<&str> = args
                    .iter()
                    .filter(|arg| arg.starts_with('!'))
                    .map(|arg| arg.trim_start_matches(['!', '/']))
                    .collect();
                self.own_paths(&named, call);
            }
            "ls-files" => {
                if let Some(list) = super::git_index::others_listed(args) {
                    return list;
                }
            }
            "hash-object" if args.iter().any(|arg| arg == "-w") => {
                for path in plain_words(args) {
                    if self.is_secret_path(path) {
                        self.git_act(Kind::SecretCommit, shown(path), call);
                    }
                }
            }
            "init" => {
                let options = Options::all(
                    args,
                    &["-b", "--initial-branch", "--template", "--separate-git-dir", "--object-format"],
                );
                let dir = options.operands.first().copied().unwrap_or(".");
                // Where a repository lies already, this changes nothing, and another's files would count as new.
                if self.place_of(dir) == Place::Temp {
                    self.made(dir);
                }
            }
            "worktree" => {
                let options = Options::all(args, &["-b", "-B", "--reason"]);
                if let (Some(verb), Some(dir)) = (options.operands.first(), options.operands.get(1))
                    && *verb == "add"
                {
                    self.own_paths(&[dir], call);
                    self.own_poured(dir, call);
                    self.made(dir);
                }
                let removed = options.operands.get(1..).unwrap_or_default();
                let stands_in =
                    removed.iter().any(|path| matches!(self.place_of(path), Place::Project | Place::ProjectParent));
                if args.first().is_some_and(|arg| arg == "remove") && (options.has(&["-f", "--force"]) || stands_in) {
                    self.git_act(Kind::GitWorktree, files_named(options.operands.get(1..).unwrap_or_default()), call);
                }
            }
            "remote" if matches!(args.first().map(String::as_str), Some("add" | "set-url")) => {
                let options = Options::all(args, &["-t", "-m", "--mirror"]);
                self.git_addresses(options.operands.get(1..).unwrap_or_default(), call);
            }
            "config" => {
                let options = Options::all(args, &["-f", "--file", "--type", "--blob"]);
                self.git_section(&options, call);
                let reads = options.has(&[
                    "--get", "--get-all", "--get-regexp", "--unset", "--unset-all", "-l", "--list", "--remove-section",
                ]);
                let at = options.operands.iter().position(|operand| operand.contains('.'));
                let key = at.and_then(|at| options.operands.get(at)).map(|key| key.to_ascii_lowercase());
                let value = at.and_then(|at| options.operands.get(at + 1)).copied();
                if let (Some(key), Some(value), false) = (key, value, reads) {
                    let is_command = git_config::how(&key).is_some_and(|how| how.is_command(value));
                    if is_command && is_literal(value) {
                        let line = value.trim_start_matches('!').to_owned();
                        self.branch(|interp| interp.subshell(|interp| interp.run_text(&line, call)));
                    }
                    self.git_runs(&key, value, call);
                    let for_all = options.has(&["--global", "--system"]);
                    if git_config::redirects(&key, value) || for_all && git_config::unverified(&key, value) {
                        self.git_act(Kind::PackageSource, shown(&format!("{key} {value}")), call);
                    }
                    if key == "core.worktree" {
                        self.own_poured(value, call);
                    }
                    if let Some(name) = key.strip_prefix("alias.") {
                        if self.git_aliases.len() < MOST_ALIASES {
                            self.git_aliases.push((name.to_owned(), value.to_owned()));
                        } else {
                            self.give_up_at(call.span);
                        }
                    }
                }
            }
            "archive" if args.iter().any(|arg| arg.starts_with("--exec")) => {
                let options = Options::all(args, &["--exec", "--remote", "-o", "--output", "--format"]);
                self.option_line(&options, &["--exec"], call);
            }
            "diff-files" | "diff-index" => return own_changes(verb, args).unwrap_or(printed),
            "show" | "cat-file" | "diff" | "log" | "blame" | "grep" | "archive" | "annotate" => {
                let shows = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
                let prints = match verb {
                    "log" => shows(&["-p", "--patch", "-u", "-c", "--cc", "-L"]),
                    "grep" => !shows(&["-l", "-c", "-q", "-L", "--files-with-matches", "--count", "--quiet"]),
                    _ => true,
                };
                // What git leaves out is searched as well.
                if verb == "grep" && prints && shows(&["--no-index"]) && !shows(&["--exclude-standard"]) {
                    let pattern = plain_words(args).find(|arg| *arg != "grep").map_or("", String::as_str);
                    if crate::resolve::printed::sounds_secret(pattern) && plain_words(args).count() < 2 {
                        self.act_at(Kind::SecretRead, None, "all files of the project".to_owned(), call.span);
                    }
                }
                if verb == "grep" && prints && shows(&["--no-index", "--untracked"]) {
                    for picked in plain_words(args).filter(|path| path.contains('*') && picks_secrets(path)) {
                        self.act_at(Kind::SecretRead, None, shown(picked), call.span);
                    }
                }
                // The first operand of `git grep` is what is looked for.
                let skip = usize::from(verb == "grep" && !shows(&["-e", "-f"]));
                for path in plain_words(args).filter_map(|arg| committed(arg)).filter(|_| verb == "show") {
                    self.shows_committed(path);
                }
                for arg in plain_words(args).filter(|_| prints).skip(skip) {
                    let path = arg.split_once(':').map_or(arg.as_str(), |(_, path)| path);
                    if !path.is_empty() {
                        self.reads(path, call);
                    }
                }
                let pager = |arg: &String| {
                    arg.strip_prefix("--open-files-in-pager=").or_else(|| arg.strip_prefix("-O")).map(str::to_owned)
                };
                for line in args.iter().filter_map(pager).filter(|line| verb == "grep" && !line.is_empty()) {
                    self.subshell(|interp| interp.run_text(&line, call));
                }
                if let Some(patch) = self.diff_of_own(args).filter(|_| matches!(verb, "diff" | "show" | "log")) {
                    return patch.into();
                }
                if let Some(changes) = own_changes(verb, args) {
                    return changes;
                }
                // It comes from another machine.
                let fetched = verb == "archive" && args.iter().any(|arg| arg.starts_with("--remote"));
                // What an older commit or another branch holds is not the file that lies here.
                let mark = match verb {
                    _ if fetched => TAINT_NETWORK,
                    "grep" | "blame" | "annotate" => UNKNOWN,
                    _ => PROGRAM_OUTPUT,
                };
                return Data::from(mark.to_string());
            }
            "clone" | "fetch" | "pull" | "ls-remote" => {
                let options =
                    Options::all(args, &["-u", "--upload-pack", "-c", "--config", "-b", "--branch", "--depth", "-o"]);
                if verb == "clone"
                    && let Some(url) = options.operands.first()
                {
                    let last = url.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(url);
                    let dir = options.operands.get(1).copied().unwrap_or_else(|| last.trim_end_matches(".git"));
                    self.own_poured(dir, call);
                    self.made(dir);
                }
                self.option_line(&options, &["-u", "--upload-pack"], call);
                if matches!(verb, "fetch" | "pull") {
                    self.git_fetched(&options, call);
                }
                if verb == "clone" {
                    self.git_settings(&settings_of(&options, &["-c", "--config"]), call);
                }
                self.git_addresses(&options.operands, call);
            }
            _ => {}
        }
        printed
    }

    /// Addresses that are commands.
    pub(in crate::resolve) fn git_addresses(&mut self, addresses: &[&str], call: &Call) {
        for address in addresses {
            if let Some(line) = address.strip_prefix("ext::") {
                self.subshell(|interp| interp.run_text(line, call));
            }
            if git_config::is_command_address(address) {
                self.git_act(Kind::GitRuns, shown(address), call);
            }
        }
    }

    /// Hooks that this line writes, and that the command runs.
    fn git_hooks(&mut self, verb: &str, args: &[String], call: &Call) {
        const HOOKS: &[&str] =
            &["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "pre-merge-commit"];
        if !matches!(verb, "commit" | "push" | "merge" | "am") || args.iter().any(|arg| arg == "--no-verify") {
            return;
        }
        for hook in HOOKS {
            let path = format!("{}/.git/hooks/{hook}", self.places.project);
            if let Some(text) = self.content(&path) {
                self.subshell(|interp| interp.run_text(&text, call));
            }
        }
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
            let moved: Vec<&str> = options.values(&["-B"]).collect();
            self.git_act(Kind::GitBranch, format!("the commits of {}", named("branch", &moved)), call);
        }
        if self.stands_in_made() {
            return;
        }
        if options.has(&["-f", "--force"]) {
            self.git_act(Kind::GitDiscard, "all of them", call);
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

    pub(in crate::resolve) fn doubtfully(&mut self, kind: Kind, what: &str, call: &Call) {
        let speculative = std::mem::replace(&mut self.speculative, true);
        self.git_act(kind, what, call);
        self.speculative = speculative;
    }
}

pub(in crate::resolve) fn has_dry_run(args: &[String]) -> bool {
    args.iter().any(|arg| matches!(arg.as_str(), "-n" | "--dry-run"))
}

fn files_named(paths: &[&str]) -> String {
    if paths.is_empty() { "files".to_owned() } else { shown(&paths.join(" ")) }
}

/// A branch, tag or stash by its names, or what git takes where none is given.
fn named(what: &str, names: &[&str]) -> String {
    if names.is_empty() { format!("a {what}") } else { format!("{what} {}", shown(&names.join(" "))) }
}

/// What a push writes or removes, and on which remote.
fn at_remote(options: &Options<'_>, refs: &[&str]) -> String {
    let everything = options.spells(&["--mirror", "--mirro", "--prune", "--all"]);
    let named: Vec<&str> = refs.iter().map(|refspec| refspec.trim_start_matches(['+', ':'])).collect();
    let what = match named.as_slice() {
        _ if everything => "every branch".to_owned(),
        [] => "the branch that is checked out".to_owned(),
        named => shown(&named.join(" ")),
    };
    let remote = options.operands.first().map_or_else(|| "its remote".to_owned(), |remote| shown(remote));
    format!("{what} at {remote}")
}

/// Whether the one operand of `git checkout` is a path: certainly, certainly not, or perhaps (`None`).
fn is_path(operand: &str) -> Option<bool> {
    if matches!(operand, "." | ".." | ":/" | "*")
        || operand.starts_with("./")
        || operand.starts_with("../")
        || operand.starts_with(":(")
        || operand.ends_with('/')
        || operand.contains(['*', GLOB_STAR])
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

/// Settings that variables hold.
const MOST_SETTINGS: usize = 4096;

impl Interp<'_> {
    /// Settings that git is given for one command: by `-c`, by `--config-env`, and by variables.
    pub(in crate::resolve) fn settings_given(&self, options: &Options<'_>) -> Vec<(String, String)> {
        let mut settings = settings_of(options, &["-c"]);
        for (key, name) in settings_of(options, &["--config-env"]) {
            settings.extend(self.variable(&name).map(|value| (key, value.to_string())));
        }
        // The first number that is missing ends them.
        for index in 0..MOST_SETTINGS {
            let Some(key) = self.variable(&format!("GIT_CONFIG_KEY_{index}")) else { break };
            let value = self.variable(&format!("GIT_CONFIG_VALUE_{index}")).unwrap_or_default();
            settings.push((key.to_ascii_lowercase(), value.to_string()));
        }
        settings
    }

    /// The way up to the top of the repository, where the shell stands in the project.
    pub(in crate::resolve) fn way_up(&self) -> Option<Data> {
        let cwd = self.state.cwd().filter(|_| !self.state.remote)?;
        let rest = if cwd == self.places.project { "" } else { below(cwd, &self.places.project)? };
        Some(Data::from("../".repeat(rest.split('/').filter(|part| !part.is_empty()).count())))
    }

    /// `git push`: what it overwrites or removes on the remote.
    pub(in crate::resolve) fn push(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-o", "--push-option", "--receive-pack", "--exec", "--repo"]);
        if options.has(&["-n", "--dry-run"]) {
            return;
        }
        let refs = options.operands.get(1..).unwrap_or_default();
        // `--force-with-lease` is the careful form, and not cut short.
        let forced = options.spells(&["-f", "--force", "--forc", "--for"])
            || refs.iter().any(|refspec| refspec.starts_with('+'));
        if forced || options.spells(&["--mirror", "--mirro", "--prune"]) {
            self.git_act(Kind::GitPush, at_remote(&options, refs), call);
        } else if options.spells(&["--force-with-lease", "--force-if-includes"]) {
            self.git_act(Kind::GitLease, at_remote(&options, refs), call);
        } else if (options.has(&["-d", "--delete"]) && refs.iter().any(|refspec| is_trunk(refspec)))
            || refs.iter().filter_map(|refspec| refspec.strip_prefix(':')).any(is_trunk)
        {
            self.git_act(Kind::GitPush, at_remote(&options, refs), call);
        } else if options.has(&["-d", "--delete"]) || refs.iter().any(|refspec| refspec.starts_with(':')) {
            self.git_act(Kind::GitBranch, at_remote(&options, refs), call);
        }
        self.option_line(&options, &["--receive-pack", "--exec"], call);
    }

    /// `git clean`: what is not tracked goes, or only what is ignored and comes again.
    pub(in crate::resolve) fn clean(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-e", "--exclude"]);
        let asks = options.has(&["-i", "--interactive"]);
        let forced = options.has(&["-f", "--force"]) && !asks || asks && !call.stdin.is_empty();
        if !forced || options.has(&["-n", "--dry-run"]) || self.stands_in_made() {
            return;
        }
        let all = match (options.spells(&["-x"]), options.spells(&["-X"])) {
            (true, _) => "all, what is ignored too",
            (_, true) => "what git ignores",
            _ => "all that are not ignored",
        };
        let what = if options.operands.is_empty() { all.to_owned() } else { files_named(&options.operands) };
        let ignored = options.spells(&["-X"]) && !options.has(&["-x"]);
        if !ignored {
            self.git_act(Kind::GitClean, what, call);
            self.own_paths(&options.operands, call);
        } else if options.operands.is_empty() || options.operands.contains(&".") {
            // The guard's own directory is ignored as well.
            self.doubtfully(Kind::GitClean, &what, call);
        } else {
            self.own_paths(&options.operands, call);
        }
    }

    /// Whether this line has told git that `clean` needs no force.
    pub(in crate::resolve) fn clean_unlocked(&self) -> bool {
        self.report.runs.iter().filter(|run| run.tool() == Tool::Git).any(|run| {
            run.args.windows(2).any(
                |pair| matches!(pair, [key, value] if key.eq_ignore_ascii_case("clean.requireforce") && is_no(value)),
            )
        })
    }

    /// Whether this line lists the files that git does not track.
    pub(in crate::resolve) fn untracked_listed(&self) -> bool {
        let runs = &self.report.runs;
        let lists = runs.iter().any(|run| {
            run.tool() == Tool::Git && run.args.iter().any(|arg| arg == "ls-files") && lists_untracked(&run.args)
        });
        // Those of one kind that a pattern chooses are not all of them.
        let chosen = runs.iter().any(|run| {
            matches!(run.tool(), Tool::Grep | Tool::Fgrep | Tool::Rg)
                && !option_words(&run.args).any(|arg| arg.contains('v'))
                && plain_words(&run.args).any(|arg| arg.chars().filter(|c| c.is_alphanumeric()).count() > 1)
        });
        lists && !chosen
    }

    /// Remembers a directory that this line makes.
    pub(in crate::resolve) fn made(&mut self, dir: &str) {
        if let Some(dir) = self.absolute(dir).filter(|_| self.made.len() < 64) {
            self.made.insert(dir);
        }
    }

    /// Whether the shell stands in a repository that this line has made, so that nothing in it can be lost.
    pub(in crate::resolve) fn stands_in_made(&self) -> bool {
        !self.made.is_empty()
            && self.state.cwds.iter().all(|cwd| {
                cwd.as_ref().is_some_and(|cwd| self.made.iter().any(|made| cwd == made || below(cwd, made).is_some()))
            })
    }

    /// A setting that makes git run a command which is none of those that everybody has.
    pub(in crate::resolve) fn git_runs(&mut self, key: &str, value: &str, call: &Call) {
        if self.is_running_setting(key, value) {
            self.git_act(Kind::GitRuns, shown(&format!("{key} {value}")), call);
        }
    }
}

/// The path of what `git show` is asked for, as it stands in the last commit or the index: `HEAD:a.txt`, `:a.txt`.
fn committed(word: &str) -> Option<&str> {
    let (commit, path) = word.split_once(':')?;
    let last = matches!(commit, "" | "HEAD" | "@");
    (last && !path.is_empty() && !path.starts_with(|c: char| c.is_ascii_digit())).then_some(path)
}

/// What `git diff` prints of changes that no commit holds; `None` if it compares commits, the index or other files.
fn own_changes(verb: &str, args: &[String]) -> Option<Data> {
    if !matches!(verb, "diff" | "diff-files" | "diff-index") {
        return None;
    }
    let options = Options::all(args, &["-G", "-S", "-O", "-U", "--output", "--diff-filter", "--stat"]);
    let commits = args.iter().take_while(|arg| *arg != "--").any(|arg| arg.contains("..") && !arg.starts_with('.'));
    let beside = options.has(&["--cached", "--staged", "--no-index", "--stat", "--name-only", "--name-status"]);
    let before = args.split(|arg| arg == "--").next().unwrap_or_default();
    let named = plain_words(before);
    let plain = named.filter(|arg| !arg.contains(['/', '.'])).count();
    if commits || beside || plain > 1 {
        return None;
    }
    Some(format!("{UNKNOWN}{}", if options.has(&["-R"]) { CHANGES_TURNED } else { OWN_CHANGES }).into())
}

pub(in crate::resolve) fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

pub(in crate::resolve) fn lists_untracked(args: &[String]) -> bool {
    let options = Options::all(args, &["-x", "-X", "--exclude", "--exclude-from"]);
    options.has(&["-o", "--others"]) && !options.has(&["-i", "--ignored"])
}

/// Whether all of them are lists of versions, which their programs write again.
pub(in crate::resolve) fn are_locks(paths: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum", "packages.lock.json",
        "gradle.lockfile", "Package.resolved",
    ];
    !paths.is_empty()
        && paths.iter().all(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            NAMES.contains(&name)
                || name.len() > 5 && !name.contains(is_placeholder) && name.rsplit('.').next() == Some("lock")
        })
}

/// Settings given on the command line, as names in lower case and values.
pub(in crate::resolve) fn settings_of(options: &Options<'_>, names: &[&str]) -> Vec<(String, String)> {
    options
        .values(names)
        .filter_map(|setting| setting.split_once('='))
        .map(|(key, value)| (key.to_ascii_lowercase(), value.to_owned()))
        .collect()
}

/// Whether a branch is what a repository's other branches come from.
fn is_trunk(branch: &str) -> bool {
    matches!(branch.strip_prefix("refs/heads/").unwrap_or(branch), "main" | "master" | "trunk")
}
