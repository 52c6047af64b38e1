//! Settings of git as its own files hold them: the person's and the repository's, read without starting git.

use std::path::{Path, PathBuf};

use crate::facts::read_small;
use crate::git;

/// Most files that are looked into, with those that they include.
const MOST_FILES: usize = 16;

/// The value of `key`, such as `alias.ci` or `branch.main.merge`, in the repository that `folder` lies in: the last one that a file
/// gives. Files of the system and conditional inclusion are not looked at.
pub(crate) fn setting(folder: &Path, home: Option<&Path>, key: &str) -> Option<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    if let Some(home) = home {
        files.extend([home.join(".config/git/config"), home.join(".gitconfig")]);
    }
    files.extend(git::config_files(folder));
    // The last one holds, so the last file is looked into first. What a file includes counts behind the file itself.
    let mut looked = 0;
    while let Some(file) = files.pop().filter(|_| looked < MOST_FILES) {
        looked += 1;
        let Some(text) = read_small(&file) else { continue };
        let mut found = None;
        each(&text, &mut |name, value| {
            if name == key {
                found = Some(value.to_owned());
            } else if name == "include.path" {
                files.push(match (value.strip_prefix("~/"), home) {
                    (Some(rest), Some(home)) => home.join(rest),
                    _ => file.parent().unwrap_or(Path::new("/")).join(value),
                });
            }
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Gives each setting of a file with its full name: the section and the last name in lower case, what stands between them as it is.
pub(crate) fn each(text: &str, see: &mut dyn FnMut(&str, &str)) {
    let mut section = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim_start();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((header, rest)) = split_header(rest) else { continue };
            section = header;
            line = rest.trim_start();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let mut whole = line.to_owned();
        // A backslash at the end joins the next line.
        while whole.ends_with('\\') && !whole.ends_with("\\\\") {
            whole.pop();
            let Some(next) = lines.next() else { break };
            whole.push_str(next);
        }
        let (name, text) = whole.split_once('=').unwrap_or((&whole, "true"));
        see(&format!("{section}.{}", name.trim().to_ascii_lowercase()), &value(text));
    }
}

/// The name of a section, and what stands behind its bracket.
fn split_header(rest: &str) -> Option<(String, &str)> {
    if let Some((name, rest)) = rest.split_once('"').filter(|(name, _)| !name.contains(']')) {
        let mut part = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => part.extend(chars.next().map(|(_, c)| c)),
                '"' => {
                    let behind = rest.get(at + 1..)?.trim_start().strip_prefix(']')?;
                    return Some((format!("{}.{part}", name.trim().to_ascii_lowercase()), behind));
                }
                c => part.push(c),
            }
        }
        return None;
    }
    let (name, behind) = rest.split_once(']')?;
    Some((name.trim().to_ascii_lowercase(), behind))
}

/// The text of a value: without its quotes, escapes and comment.
fn value(text: &str) -> String {
    let mut out = String::new();
    let mut quoted = false;
    let mut chars = text.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(c) => out.push(c),
                None => {}
            },
            c => out.push(c),
        }
    }
    out.trim_end().to_owned()
}
