//! The files of the repository, and a Rust file as its code, its comments and its string literals.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A text file of the repository.
pub(crate) struct File {
    /// Path from the root, with `/` on every system.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A Rust file, split by what its characters are. Both texts keep the line numbers of the original.
pub(crate) struct Rust {
    pub(crate) path: String,
    /// Comments and the contents of string literals are blanks here.
    pub(crate) code: String,
    /// Only comments, documentation included.
    pub(crate) comments: String,
    /// The contents of string literals as they are spelled, with the line each begins at.
    pub(crate) strings: Vec<(usize, String)>,
}

/// The directory that holds the workspace's manifest.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every text file of the repository below `dir`, in order of path; what git ignores is left out by name.
pub(crate) fn files(dir: &str) -> Vec<File> {
    let mut found = Vec::new();
    let mut open = vec![root().join(dir)];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !["target", "dist", ".git"].iter().any(|skipped| name == *skipped) {
                    open.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                let inside = path.strip_prefix(root()).unwrap();
                found.push(File { path: inside.to_str().unwrap().replace('\\', "/"), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// All Rust files of the repository, split once for all checks.
pub(crate) fn rust() -> &'static [Rust] {
    static SOURCES: OnceLock<Vec<Rust>> = OnceLock::new();
    let split =
        || files("").iter().filter(|file| is_rust(&file.path)).map(|file| Rust::new(&file.path, &file.text)).collect();
    let sources = SOURCES.get_or_init(split);
    assert!(sources.len() > 10, "the checks see only {} Rust files; is the root right?", sources.len());
    sources
}

/// Whether the path names Rust code that is compiled, not a fixture.
fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs") && !path.contains("/tests/data/")
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Code,
    Line,
    Block(usize),
    Text,
    Raw(usize),
    Char,
}

impl Rust {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let [mut code, mut comments] = [(); 2].map(|()| String::with_capacity(text.len()));
        let mut strings: Vec<(usize, String)> = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        let (mut state, mut at, mut line) = (State::Code, 0, 1);
        while at < chars.len() {
            let rest = &chars[at..];
            let (next, taken) = step(state, rest, at.checked_sub(1).and_then(|before| chars.get(before)).copied());
            let is_text = |state| matches!(state, State::Text | State::Raw(_));
            // The marks that open and close a literal stay in the code; those of a comment stay in the comment.
            let is_comment = [state, next].iter().any(|state| matches!(state, State::Line | State::Block(_)));
            let is_inside = is_text(state) && is_text(next);
            if !is_text(state) && is_text(next) {
                strings.push((line, String::new()));
            }
            for c in &rest[..taken] {
                let keep = |kept: bool| if kept || *c == '\n' { *c } else { ' ' };
                code.push(keep(!is_comment && !is_inside));
                comments.push(keep(is_comment));
                if let (true, Some((_, literal))) = (is_inside, strings.last_mut()) {
                    literal.push(*c);
                }
                line += usize::from(*c == '\n');
            }
            state = next;
            at += taken;
        }
        Self { path: path.to_owned(), code: tidy(&code), comments: tidy(&comments), strings }
    }

    /// Whether the file is part of a crate's library or executable, and so reachable by its users.
    pub(crate) fn is_product(&self) -> bool {
        self.path.starts_with("crates/") && self.path.contains("/src/")
    }

    /// The code without the test module, which stands at the end of a file.
    pub(crate) fn shipped_code(&self) -> &str {
        let is_module = |at: &usize| {
            let rest = self.code[*at..].trim_start_matches("#[cfg(test)]").trim_start();
            rest.starts_with("mod ") && rest.find('{') < rest.find(';').or(Some(usize::MAX))
        };
        let end = self.code.match_indices("#[cfg(test)]").map(|(at, _)| at).find(is_module);
        &self.code[..end.unwrap_or(self.code.len())]
    }

    /// The string literals of the shipped code, with their lines.
    pub(crate) fn shipped_strings(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.shipped_code().matches('\n').count() + 1;
        self.strings.iter().take_while(move |(line, _)| *line <= end).map(|(line, text)| (*line, text.as_str()))
    }
}

/// Blanks that only stand for what was taken out are joined, so that a search sees `a. b` and not a gap.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != ' ' || !out.ends_with(' ') {
            out.push(c);
        }
    }
    out
}

/// One step of the splitter: the state after the first of `rest`, and how many characters belong to it.
fn step(state: State, rest: &[char], before: Option<char>) -> (State, usize) {
    let starts = |mark: &str| mark.chars().zip(rest).filter(|(a, b)| a == *b).count() == mark.len();
    match state {
        State::Code if starts("//") => (State::Line, 2),
        State::Code if starts("/*") => (State::Block(1), 2),
        State::Code if starts("\"") => (State::Text, 1),
        State::Code if starts("r") && !before.is_some_and(is_name_but_byte_or_c) => raw_start(rest),
        State::Code if starts("'") => match rest {
            // A lifetime has no closing quote two characters on and does not start with an escape.
            [_, '\\', ..] | [_, _, '\'', ..] => (State::Char, 1),
            _ => (State::Code, 1),
        },
        State::Line if starts("\n") => (State::Code, 1),
        State::Block(depth) if starts("/*") => (State::Block(depth + 1), 2),
        State::Block(1) if starts("*/") => (State::Code, 2),
        State::Block(depth) if starts("*/") => (State::Block(depth - 1), 2),
        State::Text | State::Char if starts("\\") => (state, rest.len().min(2)),
        State::Text if starts("\"") => (State::Code, 1),
        State::Char if starts("'") => (State::Code, 1),
        State::Raw(hashes)
            if starts("\"") && rest.iter().skip(1).take(hashes).filter(|c| **c == '#').count() == hashes =>
        {
            (State::Code, 1 + hashes)
        }
        _ => (state, 1),
    }
}

fn is_name_but_byte_or_c(c: char) -> bool {
    (c.is_alphanumeric() && c != 'b' && c != 'c') || c == '_'
}

fn raw_start(rest: &[char]) -> (State, usize) {
    let hashes = rest.iter().skip(1).take_while(|c| **c == '#').count();
    if rest.get(1 + hashes) == Some(&'"') { (State::Raw(hashes), 2 + hashes) } else { (State::Code, 1) }
}

/// The line number, from one, at which the byte `at` stands.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Where `word` stands in `text` as a whole word: no letter, digit or `_` on either side.
pub(crate) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |at| !is_name(text[..*at].chars().next_back()) && !is_name(text[at + word.len()..].chars().next()))
}

/// Fails with the list of problems, each of which says where it is, and with what to do about them.
pub(crate) fn no_problems(problems: &[String], fix: &str) {
    assert!(problems.is_empty(), "\n\n  {}\n\n{fix}\n", problems.join("\n  "));
}

#[test]
fn a_file_is_split_into_code_comments_and_strings() {
    let text = "let a = \"x // y\"; // note \"q\"\n/* b /* c */ d */ let l: &'a str = r#\"raw \" text\"#;\n\
                let c = '\"'; let d = b'\\''; let s = \"e\\\"f\"; tail\n";
    let rust = Rust::new("a.rs", text);
    assert!(rust.code.contains("tail") && rust.code.contains("&'a str"));
    for outside in ["note", "x //", "raw", "d */", "e\\"] {
        assert!(!rust.code.contains(outside), "`{outside}` in {:?}", rust.code);
    }
    assert!(rust.comments.contains("note") && rust.comments.contains("d */") && !rust.comments.contains("x //"));
    let strings: Vec<(usize, &str)> = rust.strings.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(strings, [(1, "x // y"), (2, "raw \" text"), (3, "e\\\"f")]);
    assert_eq!(rust.code.matches('\n').count(), 3);
    assert_eq!(rust.comments.matches('\n').count(), 3);
}

#[test]
fn a_test_module_is_not_shipped() {
    let rust =
        Rust::new("a.rs", "#[cfg(test)]\nmod other;\nlet a = \"a\";\n#[cfg(test)]\nmod tests { let b = \"b\"; }\n");
    assert!(rust.shipped_code().contains("let a") && !rust.shipped_code().contains("let b"));
    assert_eq!(rust.shipped_strings().collect::<Vec<_>>(), [(3, "a")]);
}

#[test]
fn a_word_is_found_only_whole() {
    assert_eq!(words("unsafe_code unsafe my_unsafe unsafe", "unsafe").count(), 2);
}
