//! Source files: which paths hold code, tests or neither.

use hook_protocol::host::OWN_DIR;
use hook_shell::path::Places;

/// Name extensions of source files. The single list; compared as they are spelled.
pub(crate) const EXTENSIONS: &[&str] = &[
    "ts", "tsx", "js", "jsx", "py", "rs", "go", "java", "kt", "swift", "c", "cpp", "h", "hpp", "cs", "rb", "php", "sh",
    "bash", "zsh",
];

/// Whether a path names a source file: by its extension alone, of which there are 20, compared as they are spelled.
pub fn is_source_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

/// Directories whose files nobody writes by hand, or that are no part of the product.
const SKIPPED_DIRS: &[&str] =
    &["node_modules", "vendor", "dist", "build", ".next", "__pycache__", ".git", "target", "generated"];

/// Directories from which linters, tests and builds load code that somebody else wrote, and settings that say what they run.
pub const LOADED_DIRS: &[&str] = &[".cargo", ".mvn", ".venv", ".yarn", "gradle", "node_modules", "vendor", "venv"];

/// Parts of a name that say it is no hand-written product code.
const SKIPPED_NAMES: &[&str] = &[".config.", ".generated.", ".min."];

/// Directories that hold tests.
const TEST_DIRS: &[&str] = &["test", "tests", "__tests__", "spec", "specs", "__mocks__"];

/// What a path is to the gates. Only directories inside the project count: where the project itself lies says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Product code.
    Source,
    /// Code that tests.
    Test,
    /// Configuration, generated or foreign code.
    Skipped,
    /// No source file.
    Other,
}

/// Puts a path into its class. A test is one by its directory or by the form of its name, never because a word contains `test`.
pub(crate) fn classify(path: &str, places: &Places) -> Class {
    let inside = hook_shell::path::below(path, &places.project).unwrap_or(path);
    let mut parts = inside.split('/').filter(|part| !part.is_empty());
    let name = parts.next_back().unwrap_or_default();
    if !is_source_file(name) {
        return Class::Other;
    }
    let dirs: Vec<&str> = parts.collect();
    let skipped = |dir: &&str| SKIPPED_DIRS.contains(dir);
    // Worktrees of the project hold its code; all else below that directory is hookbin's or the host's.
    let client = dirs.first() == Some(&OWN_DIR) && dirs.get(1) != Some(&"worktrees");
    if client || dirs.iter().any(skipped) || SKIPPED_NAMES.iter().any(|part| name.contains(part)) {
        return Class::Skipped;
    }
    if dirs.iter().any(|dir| is_test_dir(dir)) || is_test_name(name) {
        return Class::Test;
    }
    Class::Source
}

/// Whether a path inside a project names a test, by its directory or its name.
pub fn is_test_path(inside: &str) -> bool {
    let mut parts = inside.split('/').filter(|part| !part.is_empty());
    let name = parts.next_back().unwrap_or_default();
    is_source_file(name) && (is_test_name(name) || parts.any(is_test_dir))
}

/// `tests`, `__tests__`, and projects of tests: `Shop.UnitTests`.
fn is_test_dir(dir: &str) -> bool {
    let lower = dir.to_ascii_lowercase();
    TEST_DIRS.contains(&lower.as_str())
        || dir.rsplit('.').next().is_some_and(|last| last != dir && (last.ends_with("Tests") || last == "Test"))
}

/// `a.test.ts`, `a.spec.ts`, `test_a.py`, `a_test.go`, `a_spec.rb`, `CartTests.cs`, `conftest.py`.
fn is_test_name(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let camel = ["java", "kt", "cs", "swift", "php"].contains(&extension)
        && ["Test", "Tests", "IT", "Spec"].iter().any(|end| {
            stem.strip_suffix(end)
                .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()))
        });
    [".test.", ".spec."].iter().any(|part| name.contains(part))
        || ["_test", "_spec", "_tests"].iter().any(|end| stem.ends_with(end))
        || stem.starts_with("test_") && ["py", "rb", "php", "sh", "bash"].contains(&extension)
        || stem == "conftest"
        || camel
}

/// The absolute form of a path that a tool named.
pub(crate) fn absolute(path: &str, places: &Places) -> String {
    Places::absolute(path, Some(&places.cwd)).unwrap_or_else(|| path.to_owned())
}

/// The path as people of the project name it.
pub(crate) fn shown<'p>(path: &'p str, places: &Places) -> &'p str {
    hook_shell::path::below(path, &places.project).unwrap_or(path)
}

#[cfg(test)]
#[path = "../tests/unit/source.rs"]
mod tests;
