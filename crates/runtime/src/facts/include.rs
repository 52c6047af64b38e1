//! Files that the roles of a project name: their front matter, and what its entries lead to inside the directories that are allowed.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use hook_policy::include::{FileText, IncludedFile, RoleIncludes, Source};
use hook_shell::resolve::taint::glob;
use serde::Deserialize;
use serde_json::Value;

use crate::facts::MAX_FILE_BYTES;
use crate::facts::tree::SKIPPED;
use crate::system::open::Beneath;

/// The variable whose directory an entry may name.
const PROJECT_PATH: &str = "${PROJECT_PATH}";

/// The longest front matter, in bytes.
const MOST_MATTER: usize = 256 << 10;
/// Files that one entry brings.
const MOST_MATCHES: usize = 3;
/// Names in directories that are looked at for all entries of one event.
const MOST_LOOKS: usize = 20_000;
/// Parts of the path of an entry.
const MOST_PARTS: usize = 64;
/// The longest entry, in bytes.
const MOST_ENTRY: usize = 4_096;

/// Reads a text file. One that is named in the project is one of the project, wherever links lead.
pub fn reading(path: &Path, root: &Path) -> FileText {
    let is_within = || {
        let reals = fs::canonicalize(path).ok().zip(fs::canonicalize(root).ok());
        reals.is_none_or(|(real, root)| real.starts_with(root))
    };
    if path.starts_with(root) && !is_within() {
        return FileText::Failed("a link leads out of the project".to_owned());
    }
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return FileText::Missing,
        Err(error) => return FileText::Failed(error.to_string()),
        Ok(metadata) if !metadata.is_file() => return FileText::Failed("it is no plain file".to_owned()),
        Ok(_) => {}
    }
    let real = fs::canonicalize(path).ok().and_then(|real| real.into_os_string().into_string().ok());
    // By its real path, in which no part is a link: what was looked at is what is read.
    let text = real.as_ref().and_then(|real| Beneath::new("/").text(Path::new(real), MAX_FILE_BYTES));
    match (real, text) {
        (Some(path), Some(text)) => FileText::Text { path, text },
        _ => FileText::Failed("it is not readable as text of at most 1 MiB".to_owned()),
    }
}

/// What the file of a role or a mode asks for: `NAME/role.md` in the directory, else `NAME.md`.
pub fn role_includes(root: &Path, dir: &str, name: &str) -> RoleIncludes {
    let own = dir.trim_end_matches('/').rsplit('/').next().unwrap_or_default().trim_end_matches('s');
    let candidates = [format!("{dir}/{name}/{own}.md"), format!("{dir}/{name}.md")];
    let Some(file) = candidates.into_iter().find(|file| root.join(file).symlink_metadata().is_ok()) else {
        return RoleIncludes::default();
    };
    let read = match Beneath::new(root).linked_text(Path::new(&file), MAX_FILE_BYTES) {
        Some(text) => front_matter(&text).and_then(|matter| matter.map_or_else(|| Ok(Vec::new()), entries)),
        None if fs::metadata(root.join(&file)).is_err() => Err("it is a link to nothing".to_owned()),
        None => Err("it is not readable as text of at most 1 MiB, or a link leads out of the project".to_owned()),
    };
    let (entries, fault) = match read {
        Ok(entries) => (entries, None),
        Err(why) => (Vec::new(), Some(format!("what {file} asks for ({why})"))),
    };
    RoleIncludes { file: Some(file), entries, fault }
}

/// The block between a first line `---` and the next one.
fn front_matter(text: &str) -> Result<Option<&str>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut at = 0;
    let mut begin = None;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_end() == "---";
        match begin {
            None if is_fence => begin = Some(at + line.len()),
            None => return Ok(None),
            Some(begin) if is_fence => {
                let matter = text.get(begin..at).unwrap_or_default();
                if matter.len() > MOST_MATTER {
                    return Err(format!("its front matter is longer than {} KiB", MOST_MATTER >> 10));
                }
                return Ok(Some(matter));
            }
            Some(_) => {}
        }
        at += line.len();
    }
    if begin.is_some() { Err("its front matter has no end; a line `---` is missing".to_owned()) } else { Ok(None) }
}

/// `auto_include` of a front matter: nothing, one path or a list of them.
fn entries(matter: &str) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    struct Matter {
        #[serde(default)]
        auto_include: Value,
    }
    if matter.trim().is_empty() {
        return Ok(Vec::new());
    }
    let read: Result<Matter, _> = serde_saphyr::from_str(matter);
    let matter = read.map_err(|error| {
        let said = error.to_string();
        format!("its front matter is no YAML that can be read: {}", said.lines().next().unwrap_or_default())
    })?;
    let wrong = || "auto_include has to be a list of paths".to_owned();
    match matter.auto_include {
        Value::Null => Ok(Vec::new()),
        Value::String(entry) => Ok(vec![entry]),
        Value::Array(list) => {
            let texts = list.into_iter().map(|entry| if let Value::String(entry) = entry { Some(entry) } else { None });
            texts.collect::<Option<Vec<_>>>().ok_or_else(wrong)
        }
        _ => Err(wrong()),
    }
}

/// The directories that entries may lead into.
pub struct Roots {
    /// The project, from which relative entries count.
    project: PathBuf,
    /// What `${PROJECT_PATH}` stands for.
    named: Option<PathBuf>,
    /// The user lets that directory be one more root. Without it the variable opens nothing that was closed.
    is_root: bool,
    /// How many more names may be looked at.
    looks: Cell<usize>,
}

impl Roots {
    /// A reader for the files that a profile includes.
    pub fn new(project: PathBuf, named: Option<PathBuf>, is_root: bool) -> Self {
        Self { project, named: named.filter(|path| path.is_absolute()), is_root, looks: Cell::new(MOST_LOOKS) }
    }

    /// The files that an entry leads to.
    pub fn included(&self, entry: &str, more: &[String]) -> IncludedFile {
        self.find(entry, more).unwrap_or_else(|fault| IncludedFile { files: Vec::new(), fault: Some(fault) })
    }

    fn find(&self, entry: &str, more: &[String]) -> Result<IncludedFile, String> {
        let told = |why: &str| format!("{entry} ({why})");
        if entry.len() > MOST_ENTRY || entry.contains('\0') {
            return Err(told("it is no path"));
        }
        let path = match (entry.contains(PROJECT_PATH), self.named.as_ref().and_then(|path| path.to_str())) {
            (false, _) => entry.to_owned(),
            (true, Some(named)) => entry.replace(PROJECT_PATH, named),
            (true, None) => return Err(told("PROJECT_PATH is not set to an absolute path")),
        };
        let whole = self.project.join(&path);
        let parts: Vec<Component<'_>> = whole.components().collect();
        if parts.len() > MOST_PARTS {
            return Err(told("its path has too many parts"));
        }
        // A directory's own name may hold brackets; `*` and `?` make a pattern.
        let is_pattern = |part: &Component<'_>| part.as_os_str().to_str().is_some_and(|part| part.contains(['*', '?']));
        let plain = parts.iter().position(is_pattern).unwrap_or(parts.len());
        let (fixed, pattern) = parts.split_at(plain);
        if pattern.iter().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(told("`..` cannot follow a wildcard"));
        }
        let roots = self.real_roots(more);
        // Where it leads counts, not how it is spelled: links and `..` are followed first.
        let base = match fs::canonicalize(fixed.iter().collect::<PathBuf>()) {
            Ok(base) => base,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text: PathBuf = fixed.iter().collect();
                let inside = !path.split('/').any(|part| part == "..") && self.spelled_inside(&text, more);
                return if inside { Ok(IncludedFile::default()) } else { Err(told("it leads out of the project")) };
            }
            Err(error) => return Err(told(&error.to_string())),
        };
        if !roots.iter().any(|root| base.starts_with(root)) {
            return Err(told("it leads out of the project"));
        }
        if pattern.is_empty() {
            if !base.is_file() {
                return Err(told("it is no plain file; a directory's files are `FOLDER/*`"));
            }
            return Ok(IncludedFile { files: source(&base, &roots).into_iter().collect(), fault: None });
        }
        let pattern: Vec<&str> = pattern.iter().filter_map(|part| part.as_os_str().to_str()).collect();
        Ok(self.matching(entry, base, &pattern, &roots))
    }

    /// The files below `base` that match, in the order of their paths.
    fn matching(&self, entry: &str, base: PathBuf, pattern: &[&str], roots: &[PathBuf]) -> IncludedFile {
        let mut found = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut open = vec![(base, 0)];
        let mut stopped = false;
        while let Some((dir, at)) = open.pop() {
            if !visited.insert((dir.clone(), at)) {
                continue;
            }
            let Some(part) = pattern.get(at) else { continue };
            if *part == "**" {
                open.push((dir.clone(), at + 1));
            }
            let is_last = at + 1 == pattern.len();
            let Some(names) = self.names(&dir) else {
                stopped = true;
                continue;
            };
            let mut below = Vec::new();
            for (name, kind) in names {
                let path = dir.join(&name);
                if *part == "**" {
                    // Links are not followed here, so nothing goes round in circles.
                    if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                        below.push((path, at));
                    } else if is_last && !name.starts_with('.') && !kind.is_dir() {
                        found.insert(path);
                    }
                } else if glob(part, &name) && (part.starts_with('.') || !name.starts_with('.')) {
                    if is_last {
                        found.insert(path);
                    } else if kind.is_dir() {
                        below.push((path, at + 1));
                    }
                }
            }
            // The first by name is looked at first, so that a search that is given up has always seen the same.
            open.extend(below.into_iter().rev());
        }
        let mut files = Vec::new();
        let mut left_out = 0_usize;
        for path in found {
            let real = fs::canonicalize(&path).ok().filter(|real| real.is_file());
            let inside = real.filter(|real| roots.iter().any(|root| real.starts_with(root)));
            match inside.and_then(|real| source(&real, roots)) {
                Some(_) if files.len() >= MOST_MATCHES => left_out += 1,
                found => files.extend(found),
            }
        }
        let mut faults = Vec::new();
        if left_out > 0 {
            faults.push(format!("{left_out} more files that match {entry}; an entry brings {MOST_MATCHES}"));
        }
        if stopped {
            faults.push(format!("{entry} was searched for among the first {MOST_LOOKS} names only"));
        }
        IncludedFile { files, fault: (!faults.is_empty()).then(|| faults.join("; ")) }
    }

    /// The names in a directory, sorted; `None` once enough was looked at.
    fn names(&self, dir: &Path) -> Option<Vec<(String, fs::FileType)>> {
        let Ok(entries) = fs::read_dir(dir) else { return Some(Vec::new()) };
        let left = self.looks.get();
        let mut names = Vec::new();
        for (count, entry) in entries.flatten().enumerate() {
            if count >= left {
                self.looks.set(0);
                return None;
            }
            if let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) {
                names.push((name, kind));
            }
        }
        self.looks.set(left.saturating_sub(names.len()));
        names.sort_by(|one, other| one.0.cmp(&other.0));
        Some(names)
    }

    fn all<'a>(&'a self, more: &'a [String]) -> impl Iterator<Item = &'a Path> {
        let more = more.iter().map(Path::new).filter(|root| root.is_absolute());
        let named = self.named.as_deref().filter(|_| self.is_root);
        std::iter::once(self.project.as_path()).chain(named).chain(more)
    }

    fn real_roots(&self, more: &[String]) -> Vec<PathBuf> {
        self.all(more).filter_map(|root| fs::canonicalize(root).ok()).collect()
    }

    fn spelled_inside(&self, path: &Path, more: &[String]) -> bool {
        self.all(more).any(|root| path.starts_with(root))
    }
}

/// A file by its real path, called by its path from the first root that it lies in.
fn source(real: &Path, roots: &[PathBuf]) -> Option<Source> {
    let label = roots.iter().find_map(|root| real.strip_prefix(root).ok())?;
    Some(Source { label: label.to_str()?.to_owned(), path: real.to_str()?.to_owned() })
}
