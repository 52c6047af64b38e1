//! `find` and `fd`: what they may find, and what they do to it.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::listed::Listed;
use super::reach::{Found, Reach, reach};
use super::state::Data;
use super::taint::{PROTECTED_ITEM, UNKNOWN, activate_globs, is_literal, is_placeholder, may_match, replaced};
use crate::path::{Place, is_unknown};
use crate::programs::Invocation;

impl Interp<'_> {
    pub(super) fn find(&mut self, args: &[String], call: &Call) -> Data {
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            match arg.as_str() {
                "-H" | "-L" | "-P" | "-x" | "-X" | "-d" | "-s" | "-E" => at += 1,
                "-D" | "-f" => at += 2,
                arg if arg.starts_with("-O") => at += 1,
                _ => break,
            }
        }
        let rest = args.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(|arg| !arg.starts_with(['-', '(', '!', ')', ','])).count();
        let (roots, expression) = rest.split_at(count);
        let mut roots: Vec<String> = roots.to_vec();
        if roots.is_empty() {
            roots.push(".".to_owned());
        }
        if expression.first().is_some_and(|arg| matches!(arg.as_str(), "-help" | "--help" | "-version" | "--version")) {
            return Data::from(UNKNOWN.to_string());
        }
        let follows = args.iter().take(at).any(|arg| matches!(arg.as_str(), "-L" | "-H"))
            || expression.iter().any(|arg| arg == "-follow");
        // What lies behind a link is found as well.
        for root in &mut roots {
            if (follows || root.ends_with('/'))
                && let Some(real) = self.real_path(root, self.state.cwd())
            {
                *root = real;
            }
        }
        let filter = Filter::of(expression);
        let mut found: Vec<String> = roots.iter().map(|root| self.found(root, &filter)).collect();
        for root in roots.clone() {
            for own in self.own_found(&root, expression).into_iter().chain(self.own_reached(&root, expression)) {
                roots.push(root.clone());
                found.push(own);
            }
        }
        let secrets: Vec<String> = roots.iter().filter_map(|root| self.secret_found(root, &filter)).collect();
        let before_all = self.report.actions.len();
        let mut at = 0;
        while let Some(arg) = expression.get(at) {
            match arg.as_str() {
                arg if TESTS_WITH_VALUE.contains(&arg) || arg.starts_with("-newer") => at += 1,
                "-delete" => {
                    self.act_at(Kind::FoundDelete, None, super::shown(&roots.join(" ")), call.span);
                    for (root, found) in roots.iter().zip(&found) {
                        if found == root {
                            self.act_on(Kind::DeleteTree, root, call.span);
                        } else {
                            self.act_on(Kind::Delete, found, call.span);
                        }
                    }
                    for secret in &secrets {
                        self.act_on(Kind::Delete, secret, call.span);
                    }
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = expression.get(at + 1..).unwrap_or_default();
                    let end = rest.iter().position(|arg| matches!(arg.as_str(), ";" | "\\;")).unwrap_or(rest.len());
                    let plus =
                        rest.windows(2).position(|pair| matches!(pair, [brace, plus] if brace == "{}" && plus == "+"));
                    let end = plus.map_or(end, |plus| end.min(plus + 1));
                    let command = rest.get(..end).unwrap_or_default();
                    let inner = Call { stdin: Data::from(""), span: call.span };
                    let before = self.report.actions.len();
                    let beside = arg.ends_with("dir");
                    for found in found.iter().chain(&secrets) {
                        // Where what is found lies, and by its name there.
                        let split = found.rsplit_once('/').filter(|(dir, _)| beside && !dir.is_empty());
                        let name = split.map_or_else(|| found.clone(), |(_, name)| format!("./{name}"));
                        let argv: Vec<String> = command.iter().map(|arg| replaced(arg, "{}", &name)).collect();
                        self.subshell(|interp| {
                            if let Some((dir, _)) = split {
                                interp.git_dir(dir);
                            }
                            interp.exec(&argv, &inner)
                        });
                    }
                    self.deletes_found(before, call);
                    if !filter.selects {
                        self.deletes_all(before, &roots);
                    }
                    at += end + 1;
                }
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(file) = expression.get(at + 1) {
                        self.written_file(file, false, call.span);
                        if arg.starts_with("-fprint") {
                            self.store(file, &lines(&found));
                        }
                    }
                    at += 1;
                }
                _ => {}
            }
            at += 1;
        }
        self.searches_here(before_all, &roots, &filter, call);
        found.extend(secrets);
        found.dedup();
        lines(&found)
    }

    /// The name that is asked for, below `root`, if that can be a secret.
    fn secret_found(&self, root: &str, filter: &Filter) -> Option<String> {
        let name = filter.name.as_deref()?;
        let path =
            format!("{}/{}", root.trim_end_matches('/'), activate_globs(name.rsplit('/').next().unwrap_or(name)));
        (self.is_secret_path(&path) || super::lost::is_state(&path)).then_some(path)
    }

    /// What a search below `root` may find: the root itself if everything, else something below it.
    fn found(&self, root: &str, filter: &Filter) -> String {
        let place = self.place_of(root);
        let far = matches!(
            place,
            Place::Root | Place::System | Place::WebRoot | Place::Home | Place::Dotfiles | Place::ProjectParent
        );
        match &filter.name {
            _ if !filter.selects => root.to_owned(),
            Some(name) if filter.named_exactly && is_literal(name) && !name.contains(['*', '?', '[']) => {
                format!("{root}/{name}")
            }
            _ if far => root.to_owned(),
            _ => format!("{root}/{UNKNOWN}"),
        }
    }

    /// Files of the guard that the expression finds by their names below `root`.
    fn own_found(&self, root: &str, expression: &[String]) -> Vec<String> {
        let Some(absolute) = self.absolute(root).filter(|_| !self.state.remote) else { return Vec::new() };
        // What is left out of the search is not looked for.
        let pruned = expression.iter().any(|arg| arg == "-prune");
        self.guard_below(&absolute)
            .into_iter()
            .filter(|_| !pruned)
            .map(|(rest, dir)| (format!("{}/{rest}", root.trim_end_matches('/')), rest, dir))
            .filter(|(path, rest, dir)| {
                expression.split(|arg| matches!(arg.as_str(), "-o" | "-or" | ",")).any(|tests| {
                    let depth = rest.split('/').count();
                    passes(tests, path, depth, *dir, self.places.layout.words)
                })
            })
            .map(|(path, _, _)| path)
            .collect()
    }

    /// The mark for files of the guard that the expression reaches below `root` without naming them, and its directories.
    fn own_reached(&mut self, root: &str, expression: &[String]) -> Vec<String> {
        let Some(absolute) = self.absolute(&self.at_home(root)).filter(|_| !self.state.remote) else {
            return Vec::new();
        };
        let trimmed = root.trim_end_matches('/');
        let all = self.guard_below(&absolute);
        let mut out: Vec<String> = Vec::new();
        let reaches = |rest: &str, dir: bool| {
            let path = format!("{trimmed}/{rest}");
            reach(expression, &Found { path: &path, depth: rest.split('/').count(), dir }, self.places.layout.words)
        };
        // Directories that are left out, with all in them; those that are above the guard as well.
        let mut pruned: Vec<String> = Vec::new();
        for (rest, dir) in &all {
            let above = rest.match_indices('/').filter_map(|(at, _)| rest.get(..at)).map(|above| (above, true));
            if above.clone().any(|(above, _)| pruned.iter().any(|known| known == above)) {
                continue;
            }
            if let Some((above, _)) = above.into_iter().find(|(above, dir)| reaches(above, *dir) == Reach::Pruned) {
                pruned.push(above.to_owned());
                continue;
            }
            match reaches(rest, *dir) {
                Reach::Pruned => pruned.push(rest.clone()),
                Reach::Action if *dir => out.push(format!("{trimmed}/{rest}")),
                Reach::Action => {
                    let mark = format!("{trimmed}/{PROTECTED_ITEM}");
                    if !out.contains(&mark) {
                        let persons = self.holds_persons(root, false);
                        self.adds_own(if persons { Listed::Any } else { Listed::Entry });
                        out.push(mark);
                    }
                }
                Reach::No => {}
            }
        }
        // A directory alone matters to what goes through it; all of a directory is reached file by file as well.
        let only_dirs = !out.iter().any(|path| path.contains(PROTECTED_ITEM));
        out.retain(|path| {
            path.contains(PROTECTED_ITEM)
                || only_dirs && path.ends_with(self.places.layout.client_part.trim_end_matches('/'))
        });
        out
    }

    pub(super) fn fd(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let args = of.args;
        let Some(at) = args.iter().position(|arg| matches!(arg.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))
        else {
            return self.own_walked(of).unwrap_or_else(|| Data::from(UNKNOWN.to_string()));
        };
        let (before, command) = args.split_at(at);
        let options = of.with(before).options();
        let operands = options.operands.as_slice();
        let extension = options.value(&["-e", "--extension"]);
        // By age alone nearly all of a project is found.
        let selects = operands.first().is_some_and(|pattern| !matches!(*pattern, "." | "" | ".*"))
            || extension.is_some()
            || options.has(&["-S", "--size"])
            || options.values(&["-t", "--type"]).any(|kind| matches!(kind, "e" | "empty" | "x" | "executable"));
        let root = operands.get(1).copied().unwrap_or(".");
        // A pattern of one name, and an extension, say what is found.
        let plain =
            operands.first().map(|pattern| pattern.trim_start_matches('^').trim_end_matches('$').replace('\\', ""));
        let secret = plain
            .into_iter()
            .chain(extension.map(|extension| activate_globs(&format!("*.{extension}"))))
            .map(|name| format!("{root}/{name}"))
            .find(|path| self.is_secret_path(path));
        let found = if let Some(secret) = secret {
            secret
        } else if selects {
            format!("{root}/{UNKNOWN}")
        } else {
            root.to_owned()
        };
        let command = command.get(1..).unwrap_or_default();
        let placed = command.iter().any(|arg| arg.contains("{}"));
        let pattern = operands.first().copied().unwrap_or_default();
        let mut all = vec![found];
        // What is hidden is passed over unless it is asked for.
        let shows = options.has(&["-H", "--hidden", "-u", "--unrestricted"]);
        if selects && let Some(absolute) = self.absolute(root) {
            let plain: String =
                pattern.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
            all.extend(
                self.guard_below(&absolute)
                    .into_iter()
                    .filter(|(path, _)| shows || !path.split('/').any(|part| part.starts_with('.')))
                    .filter(|(path, _)| {
                        let name = path.rsplit('/').next().unwrap_or(path);
                        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
                        !plain.is_empty() && name.contains(&plain)
                    })
                    .map(|(path, _)| format!("{root}/{path}")),
            );
            if shows && plain.is_empty() && extension == Some("json") && self.holds_guard(root) {
                self.adds_own(Listed::Entry);
                all.push(format!("{root}/{PROTECTED_ITEM}"));
            }
        }
        let mut printed = super::run::Output::default();
        for found in all {
            let mut argv: Vec<String> = command.iter().map(|arg| replaced(arg, "{}", &found)).collect();
            if !placed {
                argv.push(found);
            }
            let before = self.report.actions.len();
            printed.add(&self.subshell(|interp| interp.exec(&argv, call)));
            self.deletes_found(before, call);
        }
        printed.data()
    }

    /// Each file of a directory, removed one by one, is the directory: `find /var/www -type f -exec rm {} +` is `find /var/www -delete`.
    fn deletes_all(&mut self, before: usize, roots: &[String]) {
        let whole: Vec<String> =
            roots.iter().flat_map(|root| self.places_seen(root, false)).map(|(_, path)| path).collect();
        for action in self.report.actions.iter_mut().skip(before) {
            if action.kind == Kind::Delete && whole.iter().any(|root| super::shown(root) == action.target) {
                action.kind = Kind::DeleteTree;
            }
        }
    }

    /// `find $DIR -type f -delete`: without a directory, all below the one where the shell stands is found.
    fn searches_here(&mut self, before: usize, roots: &[String], filter: &Filter, call: &Call) {
        let all = roots.iter().any(|root| root.chars().all(is_unknown));
        let new = self.report.actions.get(before..).unwrap_or_default();
        let deletes = new.iter().any(|action| action.kind == Kind::FoundDelete);
        if self.may_vanish && all && deletes && !filter.selects {
            self.act_at(Kind::DeleteTree, Some(Place::UnknownAll), super::shown(&roots.join(" ")), call.span);
        }
    }

    /// Reports that a search removes what it finds, if what it has just started does.
    fn deletes_found(&mut self, before: usize, call: &Call) {
        let new = self.report.actions.get(before..).unwrap_or_default();
        if new.iter().any(|action| matches!(action.kind, Kind::Delete | Kind::DeleteTree)) {
            self.act_at(Kind::FoundDelete, None, "what is found".to_owned(), call.span);
        }
    }
}

/// Paths, one a line.
fn lines(found: &[String]) -> Data {
    let listed: Vec<String> = found.iter().map(|path| format!("{path}\n")).collect();
    Data::from(listed.concat())
}

/// Tests of `find` that have a value.
const TESTS_WITH_VALUE: &[&str] = &[
    "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype", "-anewer",
    "-cnewer", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-size", "-user", "-group", "-perm", "-links",
    "-inum", "-samefile", "-lname", "-ilname", "-xtype", "-uid", "-gid", "-used", "-fstype", "-context", "-maxdepth",
    "-mindepth", "-type",
];

/// Whether the word after a test belongs to it.
pub(super) fn has_value(test: &str) -> bool {
    TESTS_WITH_VALUE.contains(&test) || test.starts_with("-newer")
}

/// What an expression of `find` lets through.
struct Filter {
    /// It lets through only some files.
    selects: bool,
    /// The one name that it asks for.
    name: Option<String>,
    /// It asks for the name as it is written.
    named_exactly: bool,
}

impl Filter {
    fn of(expression: &[String]) -> Self {
        const SELECTING_ALONE: &[&str] =
            &["-empty", "-nouser", "-nogroup", "-executable", "-readable", "-writable", "-false"];
        let mut selects = false;
        let mut name = None;
        let mut named_exactly = false;
        let mut at = 0;
        while let Some(arg) = expression.get(at) {
            let before = at.checked_sub(1).and_then(|before| expression.get(before));
            let denied = before.is_some_and(|arg| matches!(arg.as_str(), "!" | "-not"));
            match arg.as_str() {
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = expression.get(at..).unwrap_or_default();
                    // A test that has to fail, or one that looks into the file, chooses.
                    selects |= match rest.get(1).map(String::as_str) {
                        Some("test" | "[") => denied,
                        Some("grep") => true,
                        _ => false,
                    };
                    at += rest.iter().position(|arg| matches!(arg.as_str(), ";" | "+" | "\\;")).unwrap_or(rest.len());
                }
                arg if SELECTING_ALONE.contains(&arg) => selects = true,
                // These have a value and let through whole trees all the same.
                "-maxdepth" | "-mindepth" | "-type" => at += 1,
                arg if TESTS_WITH_VALUE.contains(&arg) || arg.starts_with("-newer") => {
                    let value = expression.get(at + 1);
                    // A name that lets everything through selects nothing.
                    let everything = matches!(arg, "-name" | "-iname" | "-path")
                        && value.is_some_and(|value| {
                            !value.is_empty() && value.chars().all(|c| c == '*' || is_placeholder(c))
                        });
                    if !everything {
                        selects = true;
                    }
                    // What is left out is not what is looked for.
                    if !denied && matches!(arg, "-name" | "-path" | "-wholename" | "-iname" | "-ipath") {
                        // A path ends in a name; one in other letters is looked for as well.
                        let exact = value.filter(|_| arg == "-name").cloned();
                        name = exact.or_else(|| {
                            value.map(|value| value.rsplit('/').next().unwrap_or(value).to_ascii_lowercase())
                        });
                        named_exactly = arg == "-name";
                    }
                    at += 1;
                }
                _ => {}
            }
            at += 1;
        }
        Self { selects, name, named_exactly }
    }
}

/// Whether tests of `find` that are joined by "and" let a path through, and name it: one of them at least is about names.
fn passes(tests: &[String], path: &str, depth: usize, dir: bool, words: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut named = false;
    let mut negated = false;
    let mut at = 0;
    while let Some(test) = tests.get(at) {
        let value = tests.get(at + 1).map_or("", String::as_str);
        let said = match test.as_str() {
            "!" | "-not" => {
                negated = !negated;
                at += 1;
                continue;
            }
            "-name" | "-iname" => Some(may_match(&activate_globs(&value.to_ascii_lowercase()), name)),
            "-path" | "-ipath" | "-wholename" | "-iwholename" => {
                Some(may_match(&activate_globs(&value.to_ascii_lowercase()), path))
            }
            "-regex" | "-iregex" => Some(words.iter().any(|word| value.contains(word) && path.contains(word))),
            "-type" => {
                if (value == "d") != dir {
                    return false;
                }
                None
            }
            "-maxdepth" => {
                if value.parse().is_ok_and(|most: usize| depth > most) {
                    return false;
                }
                None
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            _ => None,
        };
        if let Some(said) = said {
            if said == negated {
                return false;
            }
            named |= !negated;
        }
        negated = false;
        at += 1 + usize::from(TESTS_WITH_VALUE.contains(&test.as_str()));
    }
    named
}
