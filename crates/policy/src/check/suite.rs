//! The commands that put a project's dependencies in place, test it and build it, found from its own files or configured.
//!
//! Every kind of code that the project's own directory tests counts. So do the parts below it that the session has written to, where the
//! directory's own tests are not of that kind: nobody waits for the tests of a part that nothing was changed in.

use hook_protocol::host::COLLECTIVE_DIR;
use hook_protocol::raw::{Fields, Raw};
use serde::{Deserialize, Serialize};

use super::test_run::{Look, Runner, runner_in};
use crate::facts::Facts;
use crate::handoff::report::Form;
use crate::handoff::{REPORT, Step, StepKind};

/// Settings of a checkpoint's commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Suite {
    /// Put missing dependencies in place before the tests.
    pub install: bool,
    /// The command of the tests, in place of the one that the project's files tell.
    pub test: Vec<String>,
    /// The command of the build, in place of the one that the project's files tell.
    pub build: Vec<String>,
    /// The directory in the project to run in; the project itself if it is empty.
    #[serde(rename = "folder")]
    pub dir: String,
    /// Seconds for the dependencies.
    pub install_seconds: u32,
    /// Seconds for the tests.
    pub test_seconds: u32,
    /// Seconds for the build.
    pub build_seconds: u32,
    /// Seconds for which a result holds while no file changes.
    pub fresh_seconds: u32,
}

impl Default for Suite {
    fn default() -> Self {
        Self {
            install: true,
            test: Vec::new(),
            build: Vec::new(),
            dir: String::new(),
            install_seconds: 60,
            test_seconds: 60,
            build_seconds: 30,
            fresh_seconds: 600,
        }
    }
}

/// Kinds of source files in the order in which a project's own runner is looked for; Python last, because a directory called `tests` is
/// a sign for it and other projects have one too.
const KINDS: &[&str] = &["js", "rs", "go", "php", "java", "cs", "swift", "rb", "py"];

/// Parts of a project whose tests are run after those of its own directory.
const MOST_PARTS: usize = 4;

/// Directories between the project's own and a file that are looked at.
const MOST_DEPTH: usize = 8;

/// The runner that serves code of any kind: it counts where no other is found.
const ANY: &str = "make test";

impl Suite {
    /// The most seconds that all steps together may take.
    pub(super) fn seconds(&self) -> u32 {
        self.install_seconds.saturating_add(self.test_seconds).saturating_add(self.build_seconds)
    }

    /// The directory to run in, absolute, and the steps; none where nothing is found.
    pub(super) fn steps(&self, facts: &dyn Facts, root: &str) -> (String, Vec<Step>) {
        let at = |dir: &str| if dir.is_empty() { root.to_owned() } else { format!("{root}/{dir}") };
        let dir = at(self.dir.trim_matches('/'));
        let top = Look::new(facts, dir.clone());
        if !self.test.is_empty() {
            let test = self.step(&top, StepKind::Test, "tests".to_owned(), self.test.clone(), None);
            let installs = self.installs(&top, &top);
            return (dir, installs.into_iter().chain([test]).chain(self.build(&top)).collect());
        }
        let own = suites(&top, KINDS);
        let parts = if self.dir.is_empty() { parts(facts, root, &own) } else { Vec::new() };
        let mut steps = self.steps_of(&top, &top, own);
        for (part, found) in parts {
            steps.extend(self.steps_of(&part, &top, vec![found]));
        }
        if steps.is_empty() && self.dir.is_empty() {
            // The profile keeps its tests there, where the project itself has none.
            let own = at(COLLECTIVE_DIR);
            let look = Look::new(facts, own.clone());
            let found = suites(&look, KINDS);
            return (own, self.steps_of(&look, &look, found));
        }
        // What is quick to fail comes first: nothing is built before all tests have run.
        steps.sort_by_key(|step| match step.kind {
            StepKind::Install => 0,
            StepKind::Test => 1,
            StepKind::Build => 2,
        });
        (dir, steps)
    }

    fn steps_of(&self, look: &Look<'_>, top: &Look<'_>, found: Vec<Runner>) -> Vec<Step> {
        let build = self.build(look);
        if found.is_empty() && build.is_none() {
            return Vec::new();
        }
        let tests = found.into_iter().map(|runner| self.test(look, runner));
        self.installs(look, top).into_iter().chain(tests).chain(build).collect()
    }

    fn step(&self, look: &Look<'_>, kind: StepKind, name: String, command: Vec<String>, report: Option<Form>) -> Step {
        let seconds = match kind {
            StepKind::Install => self.install_seconds,
            StepKind::Test => self.test_seconds,
            StepKind::Build => self.build_seconds,
        };
        Step { kind, name, dir: look.dir.clone(), command, seconds, report }
    }

    fn installs(&self, look: &Look<'_>, top: &Look<'_>) -> Vec<Step> {
        if !self.install {
            return Vec::new();
        }
        let step = |words: &[&str]| self.step(look, StepKind::Install, words.join(" "), owned(words), None);
        let mut steps = Vec::new();
        // The parts of a workspace find the packages of its top.
        if !look.has("node_modules") && !top.has("node_modules") && needs_modules(look) {
            steps.push(match manager(look) {
                "npm" if look.has("package-lock.json") => step(&["npm", "ci", "--no-audit", "--no-fund"]),
                "npm" => step(&["npm", "install", "--no-audit", "--no-fund"]),
                other => step(&[other, "install"]),
            });
        }
        if look.has("composer.json") && !look.has("vendor") && runner_in(look, "php").is_some() {
            steps.push(step(&["composer", "install", "--no-interaction"]));
        }
        steps
    }

    fn test(&self, look: &Look<'_>, runner: Runner) -> Step {
        let step = |name: String, command: Vec<String>, report: Option<Form>| {
            self.step(look, StepKind::Test, name, command, report)
        };
        let Runner { name, command, .. } = runner;
        let with = |more: &[&str]| command.iter().cloned().chain(owned(more)).collect::<Vec<_>>();
        match name.as_str() {
            "vitest" => step(name, with(VITEST), Some(Form::Junit)),
            "jest" => step(name, with(&["--json", "--outputFile={report}"]), Some(Form::Jest)),
            "pytest" => step(name, with(&["--junitxml={report}"]), Some(Form::Junit)),
            "phpunit" => step(name, with(&["--log-junit", REPORT]), Some(Form::Junit)),
            "go test" => step(name, owned(&["go", "test", "-json", "./..."]), Some(Form::Go)),
            "cargo test" => step(name, command, Some(Form::Libtest)),
            "npm test" => {
                let (name, command, report) = script(look, &command);
                step(name, command, report)
            }
            _ => step(name, command, None),
        }
    }

    fn build(&self, look: &Look<'_>) -> Option<Step> {
        let step = |command: Vec<String>| self.step(look, StepKind::Build, command.join(" "), command, None);
        if !self.build.is_empty() {
            return Some(step(self.build.clone()));
        }
        if look.script("build").is_some() {
            return Some(step(owned(&[manager(look), "run", "build"])));
        }
        let known: [(&str, &[&str]); 2] = [("Cargo.toml", &["cargo", "build"]), ("go.mod", &["go", "build", "./..."])];
        known.iter().find(|(file, _)| look.has(file)).map(|(_, command)| step(owned(command)))
    }
}

/// The runners of a directory for code of these kinds, each once.
fn suites(look: &Look<'_>, kinds: &[&str]) -> Vec<Runner> {
    let mut found: Vec<Runner> = Vec::new();
    for kind in kinds {
        // What says that there is Python says little about tests, so beside other tests more is asked for.
        let holds = match *kind {
            "py" if found.is_empty() => is_python(look) || tests_python(look),
            "py" => tests_python(look),
            _ => true,
        };
        let runner = if holds { runner_in(look, kind) } else { None };
        found.extend(runner.filter(|runner| found.iter().all(|other| other.name != runner.name)));
    }
    if found.len() > 1 {
        found.retain(|runner| runner.name != ANY);
    }
    found
}

/// The parts below the project's directory that the session has written to, each with the runner of what was written, where the directory's
/// own runners do not cover that kind of code.
fn parts<'f>(facts: &'f dyn Facts, root: &str, own: &[Runner]) -> Vec<(Look<'f>, Runner)> {
    let mut found: Vec<(Look<'f>, Runner)> = Vec::new();
    let mut seen: Vec<(String, &str)> = Vec::new();
    for path in facts.written_files().iter().rev() {
        let Some(rest) = hook_shell::path::below(path, root) else { continue };
        let Some((inside, name)) = rest.rsplit_once('/') else { continue };
        let Some(kind) = kind_of(name) else { continue };
        if inside.split('/').any(|part| part.starts_with('.') || matches!(part, "node_modules" | "vendor" | "target")) {
            continue;
        }
        if found.len() == MOST_PARTS || seen.iter().any(|(dir, known)| dir == inside && *known == kind) {
            continue;
        }
        seen.push((inside.to_owned(), kind));
        let top = Look::new(facts, root.to_owned());
        if runner_in(&top, kind).is_some_and(|runner| own.iter().any(|known| known.name == runner.name)) {
            continue;
        }
        let ends = inside.match_indices('/').map(|(at, _)| at).chain([inside.len()]).take(MOST_DEPTH);
        let dirs: Vec<&str> = ends.filter_map(|end| inside.get(..end)).collect();
        let nearest = dirs.iter().rev().find_map(|dir| {
            let look = Look::new(facts, format!("{root}/{dir}"));
            suites(&look, &[kind]).into_iter().next().map(|runner| (look, runner))
        });
        let known = |(look, runner): &(Look<'f>, Runner)| {
            found.iter().any(|(other, with)| other.dir == look.dir && with.name == runner.name)
        };
        let nearest = nearest.filter(|part| !known(part));
        found.extend(nearest);
    }
    found
}

/// The kind of code in a file, as [`KINDS`] spells it.
fn kind_of(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    let kind = match extension {
        "ts" | "tsx" | "jsx" | "mjs" | "cjs" | "vue" | "svelte" => "js",
        "kt" => "java",
        "module" | "inc" | "theme" | "install" => "php",
        other => other,
    };
    KINDS.iter().find(|known| **known == kind).copied()
}

const VITEST: &[&str] = &["--reporter=default", "--reporter=junit", "--outputFile.junit={report}"];

/// The runner behind the script `test`, where the script is nothing but its call: then it can be asked for a report.
fn script(look: &Look<'_>, fallback: &[String]) -> (String, Vec<String>, Option<Form>) {
    let script = look.script("test").unwrap_or_default();
    let plain = !script.contains(['&', '|', ';', '<', '>', '$', '`', '"', '\'', '\\', '(', '*']);
    let words: Vec<&str> = script.split_whitespace().collect();
    let join = |parts: &[&[&str]]| owned(&parts.concat());
    match words.as_slice() {
        ["node", "--test", rest @ ..] if plain => {
            let reporters = [
                "node", "--test", "--test-reporter=spec", "--test-reporter-destination=stdout",
                "--test-reporter=junit", "--test-reporter-destination={report}",
            ];
            ("node --test".to_owned(), join(&[&reporters, rest]), Some(Form::Junit))
        }
        ["vitest"] | ["vitest", "run"] if plain => {
            ("vitest".to_owned(), join(&[&["vitest", "run"], VITEST]), Some(Form::Junit))
        }
        ["jest", rest @ ..] if plain => {
            ("jest".to_owned(), join(&[&["jest", "--ci", "--json", "--outputFile={report}"], rest]), Some(Form::Jest))
        }
        _ if manager(look) == "npm" => ("npm test".to_owned(), fallback.to_vec(), None),
        _ => (format!("{} test", manager(look)), owned(&[manager(look), "test"]), None),
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Whether `package.json` names packages.
fn needs_modules(look: &Look<'_>) -> bool {
    let Some(text) = look.read("package.json") else { return false };
    let Ok(fields) = Fields::parse(&text) else { return false };
    ["dependencies", "devDependencies"]
        .iter()
        .any(|key| fields.get(key).and_then(Raw::object).is_some_and(|packages| !packages.is_empty()))
}

/// The package manager whose lock file lies there.
fn manager(look: &Look<'_>) -> &'static str {
    let files = [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")];
    files.iter().find(|(file, _)| look.has(file)).map_or("npm", |(_, manager)| manager)
}

/// Signs that there are tests in Python.
fn tests_python(look: &Look<'_>) -> bool {
    ["pytest.ini", "conftest.py"].iter().any(|file| look.has(file))
        || look.begins("test_")
        || look.holds("pyproject.toml", "[tool.pytest")
        || ["tests", "test"].iter().any(|dir| look.has(dir) && look.dir_holds(dir, ".py"))
}

fn is_python(look: &Look<'_>) -> bool {
    let files = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "conftest.py"];
    files.iter().any(|file| look.has(file)) || look.begins("test_")
}
