//! Which entries are ours, in any form that one was ever written in.

use crate::settings::shared_event;

/// What is known of one entry, read leniently: an entry that the host would refuse is seen too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandlerView<'a> {
    /// The event under which the entry stands.
    pub event: &'a str,
    /// The matcher of its group, when it is a string.
    pub matcher: Option<&'a str>,
    /// The program, or the text for the shell.
    pub command: Option<&'a str>,
    /// The arguments of exec form; `None` in shell form, and when they are no list of strings.
    pub args: Option<&'a [String]>,
}

/// Whether an entry starts an executable named `hookbin` (or `hookbin.exe`) with `hook` as its first argument.
///
/// Exec form and shell form count, with any quoting, in any directory, with `/` or `\`. Variables set before the command and
/// `exec` are passed over; a command that only mentions hookbin, as `echo hookbin hook` does, is not ours, nor is a
/// program of a longer name, nor is a line that starts something else besides. A shared entry is ours, whatever it does where no
/// executable is found.
///
/// ```
/// use hook_protocol::settings::edit::{HandlerView, runs_hookbin};
///
/// let entry = |command| HandlerView { event: "Stop", matcher: None, command: Some(command), args: None };
/// assert!(runs_hookbin(&entry(r#""$CLAUDE_PROJECT_DIR"/.claude/hookbin/hookbin hook Stop"#)));
/// assert!(!runs_hookbin(&entry("my-hookbin-wrapper hook Stop")));
/// assert!(!runs_hookbin(&entry("echo hookbin hook")));
/// ```
pub fn runs_hookbin(handler: &HandlerView<'_>) -> bool {
    let Some(command) = handler.command else { return false };
    if let Some([first, ..]) = handler.args {
        return is_hookbin(command) && first == "hook";
    }
    if shared_event(command).is_some() {
        return true;
    }
    // A line that does more than start one program is somebody's own, whatever it starts first.
    if command.contains([';', '&', '|', '<', '>', '`', '\n']) || command.contains("$(") {
        return false;
    }
    let mut words = Words(command).skip_while(|word| word == "exec" || is_assignment(word));
    words.next().is_some_and(|program| is_hookbin(&program)) && words.next().is_some_and(|word| word == "hook")
}

/// Whether the last part of a path is the executable's name.
fn is_hookbin(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name == "hookbin" || name.eq_ignore_ascii_case("hookbin.exe")
}

/// Whether a word sets a variable for the command after it.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The words of the first simple command of a line, quotes removed, for telling which program and files an entry names.
///
/// Nothing is expanded, and what a shell does beyond quoting is not known here.
///
/// ```
/// use hook_protocol::settings::edit::command_words;
///
/// let words = command_words(r#"python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/a.py --fast"#);
/// assert_eq!(words, ["python3", "$CLAUDE_PROJECT_DIR/.claude/hooks/a.py", "--fast"]);
/// ```
pub fn command_words(command: &str) -> Vec<String> {
    Words(command).collect()
}

/// Programs whose first argument is the script that matters.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "deno", "bun"];

/// The file that an entry starts, as it is written: the program, or the script of a known interpreter; `None` where an option
/// stands in the script's place. Variables are not expanded.
///
/// ```
/// use hook_protocol::settings::edit::started_file;
///
/// assert_eq!(started_file("ruby scripts/hooks/sanetools.rb", None).as_deref(), Some("scripts/hooks/sanetools.rb"));
/// assert_eq!(started_file("/usr/bin/python3 -c pass", None), None);
/// assert_eq!(started_file("/bin/a b", Some(&[])).as_deref(), Some("/bin/a b"));
/// ```
pub fn started_file(command: &str, args: Option<&[String]>) -> Option<String> {
    let mut words = match args {
        Some(args) => [command.to_owned()].into_iter().chain(args.iter().cloned()).collect(),
        None => command_words(command),
    }
    .into_iter();
    let first = words.next()?;
    let name = first.rsplit('/').next().unwrap_or(&first);
    if INTERPRETERS.contains(&name) { words.next().filter(|word| !word.starts_with('-')) } else { Some(first) }
}

/// The words of a simple shell command, quotes removed; it ends at an operator.
///
/// A backslash stays when a letter or digit follows: a shell would drop it, but in an entry it is the separator of a
/// Windows path that somebody forgot to quote, and the entry is to be found all the same.
struct Words<'a>(&'a str);

impl Iterator for Words<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let text = self.0.trim_start();
        let mut characters = text.char_indices().peekable();
        let (mut word, mut quote, mut end) = (String::new(), None, text.len());
        while let Some((at, character)) = characters.next() {
            match (quote, character) {
                (Some(open), _) if character == open => quote = None,
                (None, '"' | '\'') => quote = Some(character),
                (None | Some('"'), '\\') => match characters.next_if(|(_, next)| !next.is_alphanumeric()) {
                    Some((_, escaped)) => word.push(escaped),
                    None => word.push('\\'),
                },
                (None, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '\n') => {
                    end = at;
                    break;
                }
                (None, _) if character.is_whitespace() => {
                    end = at;
                    break;
                }
                _ => word.push(character),
            }
        }
        self.0 = text.get(end..).unwrap_or_default();
        // At an operator nothing was read and nothing will be; a quoted empty word is still a word.
        (end > 0).then_some(word)
    }
}
