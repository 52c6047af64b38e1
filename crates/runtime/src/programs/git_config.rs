//! Settings of git as its own files hold them: the user's and the repository's, read without starting git.

use std::path::{Path, PathBuf};

use hook_shell::resolve::GitSettings;

use crate::facts::read_small;
use crate::programs::git;

/// Most files that are looked into, with those that they include.
const MOST_FILES: usize = 16;

/// The value of `key`, such as `alias.ci` or `branch.main.merge`, in the repository that `dir` lies in: the last one that a file
/// gives. Files of the system and conditional inclusion are not looked at.
pub fn setting(dir: &Path, home: Option<&Path>, key: &str) -> Option<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    if let Some(home) = home {
        files.extend([home.join(".config/git/config"), home.join(".gitconfig")]);
    }
    files.extend(git::config_files(dir));
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
                files.push(included(&file, value, home));
            }
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The file that a file of settings includes by this name.
fn included(file: &Path, name: &str, home: Option<&Path>) -> PathBuf {
    match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => file.parent().unwrap_or(Path::new("/")).join(name),
    }
}

/// The settings of the repository that `dir` lies in, with those of files that it includes, on whatever condition.
pub fn own(dir: &Path, home: Option<&Path>) -> GitSettings {
    let mut own = GitSettings::default();
    let Some(place) = git::place(dir) else { return own };
    let mut files = vec![place.git_dir.join("config.worktree"), place.common.join("config")];
    let is_linked = place.git_dir != place.common;
    let mut tree = None;
    let mut looked = 0;
    while let Some(file) = files.pop() {
        if file.symlink_metadata().is_err() {
            continue;
        }
        looked += 1;
        let text = (looked <= MOST_FILES).then(|| read_small(&file)).flatten();
        let Some(text) = text else {
            own.unread = true;
            continue;
        };
        each(&text, &mut |key, value| {
            match key {
                // A linked tree is where it lies, whatever the repository says of its first one.
                "core.worktree" if is_linked && file.parent() == Some(&place.common) => {}
                "core.worktree" => tree = Some(place.git_dir.join(value)),
                _ if key == "include.path"
                    || key.strip_prefix("includeif.").is_some_and(|on| on.strip_suffix(".path").is_some()) =>
                {
                    files.push(included(&file, value, home));
                }
                _ => own.all.push((key.to_owned(), value.to_owned())),
            }
        });
    }
    let real = |tree: PathBuf| std::fs::canonicalize(&tree).unwrap_or(tree);
    let elsewhere = tree.map(real).filter(|tree| place.top.as_ref() != Some(tree));
    own.tree = elsewhere.map(|tree| tree.to_string_lossy().into_owned());
    own
}

/// Gives each setting of a file with its full name: the section and the last name in lower case, what stands between them as it is. A name
/// alone is `true`. False where git would not read the file to its end; what stands before counts to nobody who has to be sure.
pub fn each(text: &str, see: &mut dyn FnMut(&str, &str)) -> bool {
    Reader { rest: text.strip_prefix('\u{feff}').unwrap_or(text) }.settings(see).is_some()
}

/// What is left of a file. The grammar is that of `git-config`, and where that is silent, what git does.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// The next character; the end of the file ends its last line.
    fn next(&mut self) -> char {
        let is_end_of_line = self.rest.starts_with("\r\n");
        let mut chars = self.rest.chars();
        let next = if is_end_of_line { chars.nth(1) } else { chars.next() };
        self.rest = chars.as_str();
        next.unwrap_or('\n')
    }

    fn settings(&mut self, see: &mut dyn FnMut(&str, &str)) -> Option<()> {
        let mut section = None;
        while !self.rest.is_empty() {
            match self.next() {
                c if is_space(c) => {}
                '#' | ';' => while self.next() != '\n' {},
                '[' => section = Some(self.section()?),
                c if c.is_ascii_alphabetic() => {
                    let (name, value) = self.setting(c)?;
                    // Git takes a value that holds the end of a text for one that ends there.
                    see(&format!("{}.{name}", section.as_deref().filter(|_| !value.contains('\0'))?), &value);
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The name of a section behind its bracket.
    fn section(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.next() {
                ']' => return Some(name),
                ' ' | '\t' | '\r' => break,
                c if is_of_key(c) || c == '.' => name.push(c.to_ascii_lowercase()),
                _ => return None,
            }
        }
        name.push('.');
        let mut quote = self.next();
        while matches!(quote, ' ' | '\t' | '\r') {
            quote = self.next();
        }
        if quote != '"' {
            return None;
        }
        loop {
            let c = match self.next() {
                '"' => return (self.next() == ']').then_some(name),
                '\\' => self.next(),
                c => c,
            };
            if c == '\n' {
                return None;
            }
            name.push(c);
        }
    }

    /// The name that begins with this letter, and its value.
    fn setting(&mut self, first: char) -> Option<(String, String)> {
        let mut name = first.to_ascii_lowercase().to_string();
        let mut c = self.next();
        while is_of_key(c) {
            name.push(c.to_ascii_lowercase());
            c = self.next();
        }
        while matches!(c, ' ' | '\t') {
            c = self.next();
        }
        match c {
            '\n' => Some((name, "true".to_owned())),
            '=' => Some((name, self.value()?)),
            _ => None,
        }
    }

    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut quoted = false;
        // Where blanks began that may be the last ones.
        let mut end = None;
        loop {
            match self.next() {
                '\n' if quoted => return None,
                '\n' => break,
                c if is_space(c) && !quoted => {
                    end = end.or(Some(value.len()));
                    if !value.is_empty() {
                        value.push(c);
                    }
                }
                '#' | ';' if !quoted => {
                    while self.next() != '\n' {}
                    break;
                }
                '"' => {
                    end = None;
                    quoted = !quoted;
                }
                '\\' => {
                    end = None;
                    match self.next() {
                        // The value goes on in the next line.
                        '\n' => {}
                        't' => value.push('\t'),
                        'b' => value.push('\u{8}'),
                        'n' => value.push('\n'),
                        c @ ('\\' | '"') => value.push(c),
                        _ => return None,
                    }
                }
                c => {
                    end = None;
                    value.push(c);
                }
            }
        }
        value.truncate(end.unwrap_or(value.len()));
        Some(value)
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}
