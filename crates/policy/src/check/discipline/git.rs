//! Commands of git as the line really gives them: the command behind git's own options, the repository it works in, and what
//! earlier commands of the line have checked out there.

use hook_protocol::event::Event;

use crate::call;
use crate::facts::Facts;
use crate::repository::{Head, Repository};
use hook_shell::options::Options;
use hook_shell::path::Places;
use hook_shell::programs::Tool;
use hook_shell::resolve::taint::{is_literal, is_placeholder};
use hook_shell::resolve::{GIT_OPTIONS, Run};

/// One call of git.
pub(super) struct Git<'r> {
    pub(super) run: &'r Run,
    /// The command, in lower case, such as `commit`.
    pub(super) verb: String,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Where it works, or begins to look for a repository.
    pub(super) dir: Option<String>,
    /// Settings given by `-c`, the names in lower case.
    pub(super) settings: Vec<(String, String)>,
}

impl<'r> Git<'r> {
    /// Reads a program as a call of git with a command.
    pub(super) fn read(run: &'r Run, line: &Line<'_>) -> Option<Self> {
        let dashed: Option<Vec<String>> = run
            .program
            .strip_prefix("git-")
            .map(|verb| std::iter::once(verb.to_owned()).chain(run.args.iter().cloned()).collect());
        if run.tool() != Tool::Git && dashed.is_none() {
            return None;
        }
        let (options, rest) = Options::leading(dashed.as_deref().unwrap_or(&run.args), GIT_OPTIONS);
        let (verb, args) = rest.split_first()?;
        let args = args.to_vec();
        // Further behind, `--help` may be the value of an option, and the command runs.
        let helps = match args.as_slice() {
            [only] => only == "-h" || only == "--help",
            [first, ..] => first == "--help",
            [] => false,
        };
        if helps {
            return None;
        }
        let mut dir = line.dir(run);
        for named in options.values(&["-C"]) {
            dir = Places::absolute(named, dir.as_deref());
        }
        let elsewhere = options.value(&["--work-tree"]).or_else(|| options.value(&["--git-dir"]));
        if let Some(elsewhere) = elsewhere.or(run.stand.git_dir.as_deref()) {
            dir = Places::absolute(elsewhere, dir.as_deref());
        }
        let settings = options
            .values(&["-c"])
            .filter_map(|setting| setting.split_once('='))
            .map(|(key, value)| (key.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let dir = dir.filter(|dir| !dir.contains(is_placeholder)).or_else(|| Some(line.places.cwd.clone()));
        Some(Self { run, verb: verb.to_ascii_lowercase(), args, dir, settings })
    }

    /// A setting of git as it holds for this call.
    pub(super) fn setting(&self, key: &str, facts: &dyn Facts) -> Option<String> {
        let given = self.settings.iter().rev().find(|(given, _)| given.eq_ignore_ascii_case(key));
        given.map(|(_, value)| value.clone()).or_else(|| facts.git_setting(self.dir.as_deref()?, key))
    }

    /// Its arguments read as options and operands; `values` are the options that take a value.
    pub(super) fn options(&self, values: &[&str]) -> Options<'_> {
        Options::all(&self.args, values)
    }
}

/// The line as far as it was followed: repositories with what earlier commands have checked out.
pub(super) struct Line<'q> {
    pub(super) facts: &'q dyn Facts,
    pub(super) places: Places,
    /// What commands of the line have checked out, by the top of the working tree.
    heads: Vec<(String, Head)>,
    /// Working trees that commands of the line have added, by directory.
    added: Vec<(String, Repository)>,
}

impl<'q> Line<'q> {
    pub(super) fn new(event: &Event<'_>, facts: &'q dyn Facts) -> Self {
        Self { facts, places: call::places(event, facts), heads: Vec::new(), added: Vec::new() }
    }

    /// The directory in which a program runs: of several that are possible, the first that exists.
    pub(super) fn dir(&self, run: &Run) -> Option<String> {
        let dirs = run.stand.dirs.as_slice();
        let known = |dir: &Option<String>| dir.clone().filter(|dir| is_literal(dir));
        if let [only] = dirs {
            return known(only).or_else(|| Some(self.places.cwd.clone()));
        }
        let exists = |dir: &String| {
            self.added.iter().any(|(added, _)| added == dir) || self.facts.project_dir_names(dir).is_some()
        };
        let found = dirs.iter().filter_map(known).find(exists);
        found.or_else(|| Some(self.places.cwd.clone()))
    }

    /// The repository that a call works in, with what the line has checked out there.
    pub(super) fn repository(&self, git: &Git<'_>) -> Option<Repository> {
        let dir = git.dir.as_deref()?;
        let added = self.added.iter().find(|(added, _)| dir == added || hook_shell::path::below(dir, added).is_some());
        let mut repository = match added {
            Some((_, repository)) => repository.clone(),
            None => self.facts.repository(dir)?,
        };
        if let Some((_, head)) = self.heads.iter().rev().find(|(top, _)| Some(top) == repository.top.as_ref()) {
            repository.head = head.clone();
        }
        Some(repository)
    }

    /// Remembers what the call checks out, for the calls after it.
    pub(super) fn follow(&mut self, git: &Git<'_>) {
        let head = match git.verb.as_str() {
            "checkout" => checked_out(git, &["-b", "-B", "--orphan"]),
            "switch" => checked_out(git, &["-c", "-C", "--create", "--force-create", "--orphan"]),
            "worktree" => {
                self.add_worktree(git);
                None
            }
            _ => None,
        };
        if let Some(head) = head
            && let Some(top) = self.repository(git).and_then(|repository| repository.top)
        {
            self.heads.push((top, head));
        }
    }

    fn add_worktree(&mut self, git: &Git<'_>) {
        let options = git.options(&["-b", "-B", "--reason"]);
        let [verb, path, rest @ ..] = options.operands.as_slice() else { return };
        let Some(repository) = self.repository(git).filter(|_| *verb == "add") else { return };
        let Some(dir) = Places::absolute(path, git.dir.as_deref()) else { return };
        let head = match (options.value(&["-b", "-B"]), rest.first()) {
            _ if options.has(&["-d", "--detach"]) => Head::Detached,
            (Some(created), _) => Head::Branch(created.to_owned()),
            (None, Some(named)) => Head::Branch((*named).to_owned()),
            // Git takes the directory's name for the new branch.
            (None, None) => Head::Branch(dir.rsplit('/').next().unwrap_or_default().to_owned()),
        };
        self.added.push((dir.clone(), Repository { top: Some(dir), head, is_worktree: true, ..repository }));
    }
}

/// The branch that `checkout` or `switch` leads to; `None` if it stays.
fn checked_out(git: &Git<'_>, create: &[&str]) -> Option<Head> {
    let options = git.options(&[create, &["--conflict", "--pathspec-from-file"]].concat());
    if let Some(created) = options.value(create) {
        return Some(if is_literal(created) { Head::Branch(created.to_owned()) } else { Head::Unknown });
    }
    if git.args.iter().any(|arg| arg == "--") {
        return None;
    }
    let [operand] = options.operands.as_slice() else { return None };
    if options.has(&["-d", "--detach"]) {
        return Some(Head::Detached);
    }
    let is_file = operand.starts_with('.') || operand.ends_with('/') || operand.contains('*');
    match *operand {
        _ if is_file => None,
        name if !is_literal(name) || name == "-" => Some(Head::Unknown),
        // A name with an extension is rather a file whose changes go.
        name if name.rsplit('/').next().is_some_and(|last| last.contains('.')) => None,
        name => Some(Head::Branch(name.to_owned())),
    }
}
