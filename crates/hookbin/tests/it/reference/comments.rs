//! The documentation of settings, read from the comments of the structures that hold them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The fields of one structure with their comments.
pub(super) struct Fields {
    pub(super) file: PathBuf,
    pub(super) name: String,
    pub(super) docs: Vec<(String, String)>,
}

impl Fields {
    pub(super) fn doc(&self, field: &str) -> &str {
        let found = self.docs.iter().find(|(name, _)| name == field);
        let (_, doc) = found.unwrap_or_else(|| panic!("{} has no field {field}", self.name));
        assert!(!doc.is_empty(), "{}: `{field}` of {} needs a comment", self.file.display(), self.name);
        doc
    }
}

/// The structures in the Rust files below a directory.
pub(super) fn structures(dir: &Path) -> Vec<Fields> {
    let mut found = Vec::new();
    for path in crate::sandbox::tree(dir) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            read(&path, &std::fs::read_to_string(&path).unwrap(), &mut found);
        }
    }
    found
}

fn read(path: &Path, text: &str, found: &mut Vec<Fields>) {
    let mut open: Option<Fields> = None;
    let mut doc = String::new();
    let mut renamed = None;
    for line in text.lines() {
        if let Some(fields) = &mut open {
            let inner = line.trim();
            if line == "}" {
                found.extend(open.take());
            } else if let Some(words) = inner.strip_prefix("///") {
                doc.push_str(words);
            } else if let Some((_, name)) = inner.split_once("rename = \"") {
                renamed = name.split('"').next().map(str::to_owned);
            } else if let Some((name, _)) = inner.split_once(": ").filter(|_| !inner.starts_with('#')) {
                let name = name.rsplit(' ').next().unwrap_or(name);
                let name = renamed.take().unwrap_or_else(|| name.to_owned());
                fields.docs.push((name, std::mem::take(&mut doc).trim().to_owned()));
            }
        } else if let Some((_, rest)) =
            line.split_once("struct ").filter(|(before, _)| before.is_empty() || before.starts_with("pub"))
            && let Some(name) = rest.strip_suffix(" {")
        {
            doc.clear();
            open = Some(Fields { file: path.to_owned(), name: name.to_owned(), docs: Vec::new() });
        }
    }
}

/// The structure with exactly these fields; where several have them, the one whose file is called like the check.
pub(super) fn with_fields<'s>(all: &'s [Fields], check: &str, names: &[&str]) -> &'s Fields {
    let wanted: BTreeSet<&str> = names.iter().copied().collect();
    let same = |fields: &&Fields| fields.docs.iter().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>() == wanted;
    let fitting: Vec<&Fields> = all.iter().filter(same).collect();
    let stem = check.replace('-', "_");
    let own = fitting.iter().find(|fields| fields.file.file_stem().is_some_and(|name| name == stem.as_str()));
    own.or(fitting.first()).unwrap_or_else(|| panic!("no structure holds the settings of `{check}`: {names:?}"))
}
