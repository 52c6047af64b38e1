//! `test-run`: after a change of source code the project's tests start by themselves.

use std::cell::OnceCell;

use hook_protocol::raw::Fields;
use serde::{Deserialize, Serialize};

use super::track::{belongs, changed_files};
use super::written::{Written, dir};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::{Effect, Test};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::profile::Settings;
use crate::source::Class;

/// Settings of `test-run`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TestRun {
    /// The command, in place of the one that the project's files tell.
    pub command: Vec<String>,
    /// Seconds after the last change at which tests start.
    pub debounce_seconds: u32,
    /// Seconds between the end of one run and the start of the next.
    pub pause_seconds: u32,
    /// Seconds after which tests are ended.
    pub limit_seconds: u32,
}

impl Default for TestRun {
    fn default() -> Self {
        Self { command: Vec::new(), debounce_seconds: 2, pause_seconds: 10, limit_seconds: 600 }
    }
}

impl Step for TestRun {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        // A command that changes code leaves tests as stale as an edit does.
        let by_command = || {
            let places = places(ctx.event, facts);
            let changed = changed_files(ctx, &places).into_iter().filter(|path| belongs(facts, path, &places));
            changed.map(|path| Written::at(path, &places)).find(is_code)
        };
        let found = if ctx.files().is_empty() { by_command() } else { None };
        let written = ctx.files().iter().chain(&found).find(|written| is_code(written))?;
        let root = written.root(facts);
        let runner = if self.command.is_empty() { runner(facts, written)? } else { self.own(&root) };
        Some(Finding::default().with([self.effect(runner, root)]))
    }

    fn command(&self) -> Option<&[String]> {
        Some(&self.command)
    }

    fn starts_programs(&self) -> bool {
        true
    }

    fn share(&self, settings: &mut Settings) {
        settings.tests = Some(self.clone());
    }
}

impl TestRun {
    /// Starts the tests of a project or working tree, whatever was changed there; `None` where none can be found.
    pub(super) fn start(&self, facts: &dyn Facts, root: String) -> Option<Effect> {
        let runner = if self.command.is_empty() { runner_of(facts, &root)? } else { self.own(&root) };
        Some(self.effect(runner, root))
    }

    /// The command that the settings name.
    fn own(&self, root: &str) -> Runner {
        Runner { name: "tests".to_owned(), command: self.command.clone(), dir: root.to_owned() }
    }

    fn effect(&self, runner: Runner, root: String) -> Effect {
        Effect::Test(Test {
            name: runner.name,
            command: runner.command,
            dir: runner.dir,
            root,
            debounce_seconds: self.debounce_seconds,
            pause_seconds: self.pause_seconds,
            limit_seconds: self.limit_seconds,
        })
    }
}

fn is_code(written: &Written) -> bool {
    matches!(written.class, Class::Source | Class::Test)
}

/// How a project's tests are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Runner {
    pub(super) name: String,
    pub(super) command: Vec<String>,
    /// Where it is started.
    pub(super) dir: String,
}

/// What stands in one file of the project, or that it is there at all.
enum Sign {
    /// A file of this name is there.
    File(&'static str),
    /// A file whose name begins like this is there.
    Begins(&'static str),
    /// A file ends like this.
    Ends(&'static str),
    /// A directory of this name holds a file that ends like this.
    Tests(&'static str, &'static str),
    /// The file holds this text.
    Holds(&'static str, &'static str),
    /// The scripts of `package.json` have a `test` of their own.
    TestScript,
    /// The make file has this target.
    Target(&'static str),
}

/// A runner: for which files, how it is known, and how it is started. Of several the first counts.
type Row = (&'static [&'static str], &'static [Sign], &'static str, &'static [&'static str]);

const SCRIPTS: &[&str] = &["ts", "tsx", "js", "jsx"];
const JVM: &[&str] = &["java", "kt"];
const ANY: &[&str] = crate::source::EXTENSIONS;

const RUNNERS: &[Row] = &[
    (
        &["py"],
        &[
            Sign::Holds("pyproject.toml", "[tool.pytest"),
            Sign::File("pytest.ini"),
            Sign::Holds("setup.cfg", "[tool:pytest]"),
            Sign::Holds("tox.ini", "[pytest]"),
            Sign::File("pyproject.toml"),
            Sign::File("setup.py"),
        ],
        "pytest",
        &["pytest", "-q"],
    ),
    (SCRIPTS, &[Sign::Begins("vitest.config."), Sign::Begins("vitest.workspace.")], "vitest", &["vitest", "run"]),
    (SCRIPTS, &[Sign::Begins("jest.config."), Sign::Holds("package.json", "\"jest\":")], "jest", &["jest", "--ci"]),
    (SCRIPTS, &[Sign::TestScript], "npm test", &["npm", "test", "--silent"]),
    (&["rs"], &[Sign::File("Cargo.toml")], "cargo test", &["cargo", "test", "--no-fail-fast"]),
    (&["go"], &[Sign::File("go.mod")], "go test", &["go", "test", "./..."]),
    (JVM, &[Sign::File("gradlew")], "gradle", &["./gradlew", "test"]),
    (JVM, &[Sign::Begins("build.gradle")], "gradle", &["gradle", "test"]),
    (JVM, &[Sign::File("pom.xml")], "maven", &["mvn", "-q", "test"]),
    (&["cs"], &[Sign::Ends(".sln"), Sign::Ends(".csproj")], "dotnet test", &["dotnet", "test"]),
    (&["swift"], &[Sign::File("Package.swift")], "swift test", &["swift", "test"]),
    // A directory of tests says nothing of the language by itself, so it counts for Python only where its files are.
    (&["py"], &[Sign::Tests("tests", ".py"), Sign::Tests("test", ".py")], "pytest", &["pytest", "-q"]),
    (&["rb"], &[Sign::File(".rspec"), Sign::Tests("spec", ".rb")], "rspec", &["rspec"]),
    (&["rb"], &[Sign::File("Rakefile")], "rake test", &["rake", "test"]),
    (&["php"], &[Sign::Begins("phpunit.xml")], "phpunit", &["vendor/bin/phpunit"]),
    (ANY, &[Sign::Target("test")], "make test", &["make", "test"]),
];

/// The runner of the tests that cover a file of this kind.
pub(super) fn runner(facts: &dyn Facts, written: &Written) -> Option<Runner> {
    looks(facts, written).iter().find_map(|look| runner_in(look, written.extension()))
}

/// The runner of the tests of a directory, for files of this kind.
pub(super) fn runner_in(look: &Look<'_>, extension: &str) -> Option<Runner> {
    let row = RUNNERS
        .iter()
        .find(|(for_files, signs, _, _)| for_files.contains(&extension) && signs.iter().any(|sign| look.sees(sign)));
    row.map(|row| named(row, look))
}

fn named((_, _, name, command): &Row, look: &Look<'_>) -> Runner {
    Runner {
        name: (*name).to_owned(),
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        dir: look.dir.clone(),
    }
}

/// The first runner that the files of a directory name, for code of any kind: where there is one, there can be evidence of tests.
pub(super) fn runner_of(facts: &dyn Facts, dir: &str) -> Option<Runner> {
    let look = Look::new(facts, dir.to_owned());
    RUNNERS.iter().find(|(_, signs, _, _)| signs.iter().any(|sign| look.sees(sign))).map(|row| named(row, &look))
}

/// Directories between the top and a file that are looked at.
const MOST_DIRS: usize = 8;

/// Looks at the directories from the top down to the file: what holds for the whole project comes before a part of it.
pub(super) fn looks<'f>(facts: &'f dyn Facts, written: &Written) -> Vec<Look<'f>> {
    let root = written.root(facts);
    let mut dirs = vec![root.clone()];
    if let Some(inside) = hook_shell::path::below(dir(&written.path), &root) {
        let ends = inside.match_indices('/').map(|(at, _)| at).chain([inside.len()]);
        let names = ends.filter_map(|end| Some(format!("{root}/{}", inside.get(..end)?)));
        dirs.extend(names.take(MOST_DIRS));
    }
    dirs.into_iter().map(|dir| Look::new(facts, dir)).collect()
}

/// A look at the files that say how a project is built.
pub(super) struct Look<'f> {
    facts: &'f dyn Facts,
    pub(super) dir: String,
    names: OnceCell<Vec<String>>,
}

impl<'f> Look<'f> {
    pub(super) fn new(facts: &'f dyn Facts, dir: String) -> Self {
        Self { facts, dir, names: OnceCell::new() }
    }

    fn names(&self) -> &[String] {
        self.names.get_or_init(|| self.facts.project_dir_names(&self.dir).unwrap_or_default())
    }

    /// Whether a file or directory of this name is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names().iter().any(|known| known == name)
    }

    /// Whether one begins like this.
    pub(super) fn begins(&self, start: &str) -> bool {
        self.names().iter().any(|known| known.starts_with(start))
    }

    /// Whether the file holds this text.
    pub(super) fn holds(&self, name: &str, text: &str) -> bool {
        self.read(name).is_some_and(|found| found.contains(text))
    }

    /// Whether a make file has the target.
    pub(super) fn target(&self, target: &str) -> bool {
        let has = |text: &str| {
            text.lines().any(|line| line.strip_prefix(target).is_some_and(|rest| rest.trim_start().starts_with(':')))
        };
        ["Makefile", "makefile", "GNUmakefile"].iter().any(|name| self.read(name).is_some_and(|text| has(&text)))
    }

    /// Whether a directory in it holds a file whose name ends like this.
    pub(super) fn dir_holds(&self, dir: &str, end: &str) -> bool {
        let names = self.facts.project_dir_names(&format!("{}/{dir}", self.dir)).unwrap_or_default();
        names.iter().any(|name| name.ends_with(end))
    }

    /// The text of a file of the directory.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        if !self.has(name) {
            return None;
        }
        self.facts.project_file(&format!("{}/{name}", self.dir))
    }

    fn sees(&self, sign: &Sign) -> bool {
        match sign {
            Sign::File(name) => self.has(name),
            Sign::Begins(start) => self.begins(start),
            Sign::Ends(end) => self.names().iter().any(|name| name.ends_with(end)),
            Sign::Tests(dir, end) => self.has(dir) && self.dir_holds(dir, end),
            Sign::Holds(name, text) => self.holds(name, text),
            Sign::TestScript => self.test_script(),
            Sign::Target(target) => self.target(target),
        }
    }

    /// A script of `package.json`.
    pub(super) fn script(&self, name: &str) -> Option<String> {
        let text = self.read("package.json")?;
        let script = Fields::parse(&text).ok()?.get("scripts")?.object()?.get_str(name)?.trim().to_owned();
        Some(script).filter(|script| !script.is_empty())
    }

    /// The one that `npm init` writes only says that there are no tests.
    fn test_script(&self) -> bool {
        self.script("test").is_some_and(|script| !script.contains("no test specified"))
    }
}
