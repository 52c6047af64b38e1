//! `lint`: the project's linter looks at each written file, and what it finds goes back to the model.

use serde::{Deserialize, Serialize};

use super::test_run::{Look, looks};
use super::written::{Written, dir};
use super::{CheckContext, Step};
use crate::effect::{Effect, Lint};
use crate::finding::Finding;
use crate::source::Class;

/// Settings of `lint`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Linter {
    /// Let the linter change the file, where it can. A file that changes behind the model's back makes its next edit fail, so the
    /// default is no.
    pub fix: bool,
    /// Milliseconds for one run. The whole hook has five seconds.
    pub limit_ms: u32,
    /// Failures in a row after which linting rests.
    pub failures: u32,
    /// Seconds for which it rests.
    pub rest_seconds: u32,
}

impl Default for Linter {
    fn default() -> Self {
        Self { fix: false, limit_ms: 3_500, failures: 3, rest_seconds: 300 }
    }
}

impl Step for Linter {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        if !matches!(written.class, Class::Source | Class::Test) {
            return None;
        }
        ctx.facts.file_info(&written.path)?;
        let found = looks(ctx.facts, written).into_iter().find_map(|look| {
            let (name, command) = self.linter(&look, written)?;
            Some((name, command, look.dir))
        });
        let (name, command, dir) = found?;
        let lint = Lint {
            name: name.to_owned(),
            command,
            file: written.path.clone(),
            dir,
            limit_ms: self.limit_ms,
            failures: self.failures,
            rest_seconds: self.rest_seconds,
        };
        Some(Finding::default().with([Effect::Lint(lint)]))
    }

    fn starts_programs(&self) -> bool {
        true
    }
}

impl Linter {
    /// The linter that the project's own files name for this kind of file.
    fn linter(&self, look: &Look<'_>, written: &Written) -> Option<(&'static str, Vec<String>)> {
        let file = written.path.as_str();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let fixed = |fixing: &[&str], checking: &[&str]| words(if self.fix { fixing } else { checking });
        let found = match written.extension() {
            "py" if look.has("ruff.toml") || look.has(".ruff.toml") || look.holds("pyproject.toml", "[tool.ruff") => {
                Some(("ruff", fixed(&["ruff", "check", "--fix", file], &["ruff", "check", file])))
            }
            "py" if look.holds("pyproject.toml", "[tool.black]") => {
                Some(("black", fixed(&["black", "-q", file], &["black", "--check", "--diff", "-q", file])))
            }
            "py" if look.has(".flake8") || look.holds("setup.cfg", "[flake8]") => {
                Some(("flake8", words(&["flake8", file])))
            }
            "ts" | "tsx" | "js" | "jsx" if look.has("biome.json") || look.has("biome.jsonc") => {
                Some(("biome", fixed(&["biome", "check", "--write", file], &["biome", "check", file])))
            }
            "ts" | "tsx" | "js" | "jsx"
                if look.begins("eslint.config.")
                    || look.begins(".eslintrc")
                    || look.holds("package.json", "\"eslint") =>
            {
                Some(("eslint", fixed(&["eslint", "--fix", file], &["eslint", file])))
            }
            "ts" | "tsx" | "js" | "jsx" if look.begins(".prettierrc") || look.holds("package.json", "\"prettier\"") => {
                Some(("prettier", fixed(&["prettier", "--write", file], &["prettier", "--check", file])))
            }
            "rs" if look.has("Cargo.toml") => {
                Some(("clippy", words(&["cargo", "clippy", "--quiet", "--", "-D", "warnings"])))
            }
            "go" if look.begins(".golangci.") => Some(("golangci-lint", words(&["golangci-lint", "run", dir(file)]))),
            "go" if look.has("go.mod") => Some(("go vet", words(&["go", "vet", &package(file, &look.dir)]))),
            _ => None,
        };
        found.or_else(|| look.target("lint").then(|| ("make lint", words(&["make", "lint"]))))
    }
}

/// The package of a file as `go` names it: `./a/b`.
fn package(file: &str, root: &str) -> String {
    match hook_shell::path::below(dir(file), root) {
        Some(inside) => format!("./{inside}"),
        None => ".".to_owned(),
    }
}
