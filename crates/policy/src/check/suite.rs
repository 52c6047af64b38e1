//! The commands that put a project's dependencies in place, test it and build it, found from its own files or configured (S2-30 to S2-32).

use hook_protocol::raw::{Fields, Raw};
use serde::{Deserialize, Serialize};

use super::test_run::{Look, Runner, runner_in};
use crate::facts::Facts;
use crate::handoff::report::Form;
use crate::handoff::{REPORT, Step, StepKind};

/// Settings of a checkpoint's commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Suite {
    /// Put missing dependencies in place before the tests.
    pub install: bool,
    /// The command of the tests, in place of the one that the project's files tell.
    pub test: Vec<String>,
    /// The command of the build, in place of the one that the project's files tell.
    pub build: Vec<String>,
    /// The folder in the project to run in; the project itself if it is empty.
    pub folder: String,
    /// Seconds for the dependencies.
    pub install_seconds: u32,
    /// Seconds for the tests (B2.3).
    pub test_seconds: u32,
    /// Seconds for the build (B2.3).
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
            folder: String::new(),
            install_seconds: 60,
            test_seconds: 60,
            build_seconds: 30,
            fresh_seconds: 600,
        }
    }
}

/// Kinds of source files in the order in which a project's own runner is looked for; Python last, because a folder called `tests` is
/// a sign for it and other projects have one too.
const KINDS: &[&str] = &["js", "rs", "go", "php", "java", "cs", "swift", "rb", "py"];

/// The folder in which the document keeps its tests, where the project itself has none.
const OWN_FOLDER: &str = ".claude-collective";

impl Suite {
    /// The most seconds that all steps together may take.
    pub(super) fn seconds(&self) -> u32 {
        self.install_seconds.saturating_add(self.test_seconds).saturating_add(self.build_seconds)
    }

    /// The folder to run in, absolute, and the steps; none where nothing is found.
    pub(super) fn steps(&self, facts: &dyn Facts, root: &str) -> (String, Vec<Step>) {
        let at = |folder: &str| if folder.is_empty() { root.to_owned() } else { format!("{root}/{folder}") };
        let folder = at(self.folder.trim_matches('/'));
        let steps = self.steps_in(facts, folder.clone());
        if steps.is_empty() && self.folder.is_empty() && self.test.is_empty() {
            let own = at(OWN_FOLDER);
            return (own.clone(), self.steps_in(facts, own));
        }
        (folder, steps)
    }

    fn steps_in(&self, facts: &dyn Facts, folder: String) -> Vec<Step> {
        let look = Look::new(facts, folder);
        let test = self.test(&look);
        let build = self.build(&look);
        if test.is_none() && build.is_none() {
            return Vec::new();
        }
        self.install(&look).into_iter().chain(test).chain(build).collect()
    }

    fn install(&self, look: &Look<'_>) -> Option<Step> {
        if !self.install {
            return None;
        }
        let step = |command: &[&str]| Step {
            kind: StepKind::Install,
            name: command.join(" "),
            command: owned(command),
            seconds: self.install_seconds,
            report: None,
        };
        if !look.has("node_modules") && needs_modules(look) {
            return Some(match manager(look) {
                "npm" if look.has("package-lock.json") => step(&["npm", "ci", "--no-audit", "--no-fund"]),
                "npm" => step(&["npm", "install", "--no-audit", "--no-fund"]),
                other => step(&[other, "install"]),
            });
        }
        let vendored = look.has("composer.json") && !look.has("vendor");
        vendored.then(|| step(&["composer", "install", "--no-interaction"]))
    }

    fn test(&self, look: &Look<'_>) -> Option<Step> {
        let step = |name: String, command: Vec<String>, report: Option<Form>| Step {
            kind: StepKind::Test,
            name,
            command,
            seconds: self.test_seconds,
            report,
        };
        if !self.test.is_empty() {
            return Some(step("tests".to_owned(), self.test.clone(), None));
        }
        let kinds = KINDS.iter().filter(|kind| **kind != "py" || is_python(look));
        let Runner { name, command, .. } = kinds.map(|kind| runner_in(look, kind)).find_map(|found| found)?;
        let with = |more: &[&str]| command.iter().cloned().chain(owned(more)).collect::<Vec<_>>();
        Some(match name.as_str() {
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
        })
    }

    fn build(&self, look: &Look<'_>) -> Option<Step> {
        let step = |command: Vec<String>| Step {
            kind: StepKind::Build,
            name: command.join(" "),
            command,
            seconds: self.build_seconds,
            report: None,
        };
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
                "node",
                "--test",
                "--test-reporter=spec",
                "--test-reporter-destination=stdout",
                "--test-reporter=junit",
                "--test-reporter-destination={report}",
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

fn is_python(look: &Look<'_>) -> bool {
    let files = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "conftest.py"];
    files.iter().any(|file| look.has(file)) || look.begins("test_")
}
