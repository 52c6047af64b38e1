//! The files of a project that a definition of linters, tests and builds names as what these run or load.
//!
//! A definition names the code that is worked on as well: the entry of a bundle, the file that is linted. That changes all the time and is
//! what the gates are for. So only what stands where a program is named or something is loaded counts here.

use std::path::{Path, PathBuf};

use hook_policy::is_test_path;
use serde_json::Value;

use crate::system::open::Beneath;
use crate::system::way::plain;

/// Largest definition that is read. Nobody writes a larger one by hand.
const MAX_BYTES: u64 = 1 << 20;

/// Most texts of one file that are looked for in the project.
const MOST_TEXTS: usize = 2_000;

/// A file or directory of the project that a definition names.
pub struct Named {
    /// The path.
    pub path: PathBuf,
    /// A directory of which everything counts.
    pub whole: bool,
}

/// Programs that run the file that is named behind them, and words that bring it in.
const RUNNERS: &[&str] = &[
    ".", "-include", "babel-node", "bash", "bun", "dash", "deno", "env", "exec", "include", "ksh", "node", "nodejs",
    "nodemon", "perl", "php", "pwsh", "python", "python3", "ruby", "run", "sh", "sinclude", "source", "sudo", "time",
    "ts-node", "tsx", "xargs", "zsh", "zx",
];

/// Scripts of a package that serve people and that no gate starts.
const SERVING: &[&str] = &["deploy", "dev", "preview", "publish", "release", "serve", "start", "storybook", "watch"];

/// Members of a package's description that hold settings of no tool.
const PLAIN: &[&str] = &[
    "author", "bin", "browser", "browserslist", "bugs", "bundleDependencies", "config", "contributors", "cpu",
    "dependencies", "description", "devDependencies", "directories", "engines", "exports", "files", "funding",
    "homepage", "imports", "jsnext:main", "keywords", "license", "main", "man", "module", "name",
    "optionalDependencies", "os", "overrides", "packageManager", "peerDependencies", "private", "publishConfig",
    "repository", "resolutions", "scripts", "sideEffects", "source", "style", "type", "types", "typings",
    "typesVersions", "unpkg", "version", "workspaces",
];

/// Parts of names of settings that name what is loaded.
const LOADING: &[&str] = &["backend", "extension", "filter", "hook", "load", "path", "plugin", "require", "setup"];

/// Endings that a name may lack.
const ENDINGS: &[&str] = &[
    "", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", ".py", ".rb", ".php", "/index.js", "/index.ts",
    "/__init__.py",
];

/// What a text names, by the way in which it does.
#[derive(Default)]
struct Texts(Vec<(String, How)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// A path, or a module with dots.
    Loaded,
    /// A path.
    Run,
    /// A path beside the file.
    Beside,
    /// A directory, all of it.
    Whole,
}

/// What this file names, where `is_code` says that it is none of the definitions but was named by one.
pub fn by(definition: &Path, root: &Path, is_code: bool) -> Vec<Named> {
    let Some(dir) = definition.parent() else { return Vec::new() };
    // One that is a link out of the project is not the project's to define.
    let Some(text) = Beneath::new(root).linked_text(definition, MAX_BYTES) else { return Vec::new() };
    let name = definition.file_name().unwrap_or_default().to_string_lossy();
    let mut texts = Texts::default();
    texts.of(&name, &text, is_code);
    let mut found = Vec::new();
    for (text, how) in texts.0.into_iter().take(MOST_TEXTS) {
        found.extend(resolve(&text, how, dir, root));
    }
    found
}

/// The file of the project that such a text means.
fn resolve(text: &str, how: How, dir: &Path, root: &Path) -> Option<Named> {
    let text = text.strip_prefix("<rootDir>/").unwrap_or(text);
    let is_path = !text.is_empty() && text.len() < 512 && !text.contains(['\n', '*', '$', '\0', ' ']);
    if !is_path || text.contains("://") || text.split('/').any(|part| part == "node_modules") {
        return None;
    }
    let is_of_project = |path: &Path| path.starts_with(root) && path != root;
    let bases: &[&Path] = if how == How::Beside || dir == root { &[dir] } else { &[dir, root] };
    for base in bases {
        let path = plain(&base.join(text));
        if how == How::Whole {
            if is_of_project(&path) && path.is_dir() {
                return Some(Named { path, whole: true });
            }
            continue;
        }
        for ending in ENDINGS {
            let mut whole = path.clone().into_os_string();
            whole.push(ending);
            let whole = PathBuf::from(whole);
            if is_of_project(&whole) && whole.is_file() {
                return Some(Named { path: whole, whole: false });
            }
        }
        // A module and, it may be, a name in it.
        let dotted = text.split(':').next().unwrap_or(text);
        if how == How::Loaded && !dotted.contains('/') && dotted.contains(|c: char| c.is_ascii_alphabetic()) {
            let mut parts: Vec<&str> = dotted.split('.').collect();
            while !parts.is_empty() {
                let module = base.join(parts.join("/"));
                let files = [module.with_extension("py"), module.join("__init__.py")];
                if let Some(path) = files.into_iter().find(|path| is_of_project(path) && path.is_file()) {
                    return Some(Named { path, whole: false });
                }
                // A name in a module is that of a class.
                if parts.pop().is_some_and(|last| !last.starts_with(|c: char| c.is_ascii_uppercase())) {
                    break;
                }
            }
        }
    }
    None
}

impl Texts {
    fn add(&mut self, text: &str, how: How) {
        if self.0.len() < MOST_TEXTS && !text.is_empty() {
            self.0.push((text.to_owned(), how));
        }
    }

    /// What is loaded, or run by its path, unless it is a test, which changes with the code.
    fn code(&mut self, text: &str, how: How) {
        if !is_test_path(text.trim_start_matches("./")) {
            self.add(text, how);
        }
    }

    fn of(&mut self, name: &str, text: &str, is_code: bool) {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match name {
            "package.json" => return self.package(text),
            "Cargo.toml" => return self.cargo(text),
            // They name what is compiled, or whatever there is.
            _ if name.starts_with("tsconfig") || name.starts_with(".pnp.") || name.starts_with(".npmrc") => return,
            _ => {}
        }
        match ending {
            "js" | "cjs" | "mjs" | "jsx" | "ts" | "cts" | "mts" | "tsx" => self.script(text, !is_code),
            "rs" => self.rust(text),
            "py" => self.python(text),
            _ if is_code && matches!(ending, "json" | "yml" | "yaml") => self.settings(text),
            _ => {
                self.commands(name, text);
                self.settings(text);
            }
        }
    }

    /// A description of a package of JavaScript.
    fn package(&mut self, text: &str) {
        let Ok(Value::Object(package)) = serde_json::from_str(text) else { return };
        for (name, command) in package.get("scripts").and_then(Value::as_object).into_iter().flatten() {
            let first = name.split(':').next().unwrap_or_default();
            if let Some(command) = command.as_str().filter(|_| !SERVING.contains(&first)) {
                self.command(command, true);
            }
        }
        for source in package.get("devDependencies").and_then(Value::as_object).into_iter().flat_map(|all| all.values())
        {
            let source = source.as_str().unwrap_or_default();
            let place = ["file:", "link:", "portal:"].iter().find_map(|kind| source.strip_prefix(kind));
            if let Some(place) = place {
                self.add(place, How::Whole);
            }
        }
        let tools = package.iter().filter(|(name, _)| !PLAIN.contains(&name.as_str()));
        tools.for_each(|(_, value)| self.values(value));
    }

    fn values(&mut self, value: &Value) {
        match value {
            Value::String(text) if text.contains(' ') => self.command(text, true),
            Value::String(text) => self.code(text, How::Loaded),
            Value::Array(all) => all.iter().for_each(|value| self.values(value)),
            Value::Object(all) => all.values().for_each(|value| self.values(value)),
            _ => {}
        }
    }

    /// A crate: the programs that build it, and those that the compiler loads.
    fn cargo(&mut self, text: &str) {
        let Ok(table) = toml::from_str::<toml::Table>(text) else { return };
        let text_at = |parts: &[&str]| {
            let mut at = table.get(*parts.first()?)?;
            for part in parts.get(1..)? {
                at = at.get(part)?;
            }
            at.as_str()
        };
        if let Some(build) = text_at(&["package", "build"]) {
            self.add(build, How::Beside);
        }
        let is_loaded = ["proc-macro", "proc_macro"]
            .iter()
            .any(|name| table.get("lib").and_then(|lib| lib.get(name)?.as_bool()).unwrap_or(false));
        if is_loaded {
            let library = text_at(&["lib", "path"]).unwrap_or("src/lib.rs");
            self.add(library.rsplit_once('/').map_or(".", |(dir, _)| dir), How::Whole);
            self.add(library, How::Beside);
        }
        let mut builders = vec![table.get("build-dependencies")];
        let targets = table.get("target").and_then(toml::Value::as_table);
        builders
            .extend(targets.into_iter().flat_map(|all| all.values()).map(|target| target.get("build-dependencies")));
        for crates in builders.into_iter().flatten().filter_map(toml::Value::as_table) {
            let places = crates.values().filter_map(|one| one.get("path")?.as_str());
            places.for_each(|place| self.add(place, How::Whole));
        }
    }

    /// What a script brings in. In a definition every text that begins with a step counts, as settings name plugins that way.
    fn script(&mut self, text: &str, is_definition: bool) {
        for (at, quote) in text.match_indices(['"', '\'', '`']) {
            let rest = text.get(at + 1..).unwrap_or_default();
            let Some(named) = rest.find(quote).and_then(|end| rest.get(..end)).filter(|named| named.len() < 256) else {
                continue;
            };
            let before = text.get(..at).unwrap_or_default().trim_end().trim_end_matches('(').trim_end();
            let is_brought = ["from", "import", "require", "resolve"].iter().any(|word| before.ends_with(word));
            let is_step = named.starts_with("./") || named.starts_with("../") || named.starts_with("<rootDir>/");
            if is_step && (is_brought || is_definition && !is_entry(before)) {
                self.code(named, How::Loaded);
            }
        }
    }

    /// Modules of a program that builds, and files that it takes in.
    fn rust(&mut self, text: &str) {
        for line in text.lines().map(str::trim) {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                self.add(&format!("{}.rs", name.trim()), How::Beside);
                self.add(&format!("{}/mod.rs", name.trim()), How::Beside);
            }
            if line.contains("include") || line.contains("path") {
                line.split('"').skip(1).step_by(2).for_each(|named| self.add(named, How::Beside));
            }
        }
    }

    fn python(&mut self, text: &str) {
        for line in text.lines() {
            if line.contains("pytest_plugins") || line.contains("session.run") {
                line.split(['"', '\'']).skip(1).step_by(2).for_each(|named| self.code(named, How::Loaded));
            }
        }
    }

    /// Lines of which each may be a command, as in a makefile or the tasks of a runner.
    fn commands(&mut self, name: &str, text: &str) {
        let lower = name.to_ascii_lowercase();
        let is_make = ["makefile", ".mk", "justfile"].iter().any(|end| lower.ends_with(end));
        for line in text.lines() {
            // What a target is made of is no command.
            if !is_make || line.starts_with([' ', '\t']) || line.contains("include ") {
                self.command(line, false);
            }
        }
    }

    /// What a command runs or loads: its program, what stands behind one that runs files, and what an option names.
    fn command(&mut self, line: &str, is_whole: bool) {
        let mut before = if is_whole { ";" } else { "" };
        for word in line.split_whitespace() {
            let bare =
                word.trim_matches(|c: char| matches!(c, '"' | '\'' | '`' | '[' | ']' | ',' | '(' | ')' | '@' | ';'));
            let ends_part = before.ends_with([';', '&', '|', ':', '=', '('])
                || before.is_empty() && word.starts_with(['.', '@', '"', '\'']);
            let option = before.trim_start_matches(['"', '\'', '[', '(']);
            let is_option = option.starts_with('-') && !option.contains('=');
            let runner = before.trim_start_matches(['@', '-']).trim_matches(['"', '\'', '[', ',']);
            let is_run = RUNNERS.contains(&runner.rsplit('/').next().unwrap_or(runner));
            match bare.split_once('=') {
                Some((option, value)) if option.starts_with('-') => {
                    let how = if option.ends_with("dir") { How::Whole } else { How::Loaded };
                    self.add(value, how);
                }
                _ if before.ends_with("dir") && is_option => self.add(bare, How::Whole),
                _ if is_option => self.code(bare, How::Loaded),
                // The first word of a line may be a program by its path.
                _ if ends_part || is_run || before.is_empty() && bare.contains('/') => self.code(bare, How::Run),
                _ => {}
            }
            before = word;
        }
    }

    /// Settings whose names say that they load something, and steps in lists of them.
    fn settings(&mut self, text: &str) {
        let mut loads = false;
        let mut section_loads = false;
        for line in text.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with('[') && trimmed.ends_with(']') && !trimmed.contains([',', '"']) {
                section_loads = trimmed.to_ascii_lowercase().contains("plugin");
            }
            let is_continued = line.starts_with([' ', '\t', '-']) && !trimmed.contains(['=', ':']);
            if !is_continued && !trimmed.is_empty() {
                let name = trimmed.split(['=', ':']).next().unwrap_or_default().to_ascii_lowercase();
                loads = LOADING.iter().any(|part| name.contains(part))
                    || name.contains("extends")
                    || name.contains("parser");
            }
            let words = trimmed
                .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '=' | '[' | ']' | '(' | ')'));
            for word in words {
                let is_step = word.starts_with("./") || word.starts_with("../");
                if is_step || (loads || section_loads) && word.contains(['.', '/', ':']) {
                    self.code(word, How::Loaded);
                }
            }
        }
    }
}

/// Whether what stands before a text says that it is what a bundle begins with, or what is looked at.
fn is_entry(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    ["entry", "input", "content", "files", "include", "ignore", "exclude", "outDir", "output"]
        .iter()
        .any(|name| line.contains(name))
}
