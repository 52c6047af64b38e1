//! What a built-in rule says to do next: the caller's own command with what is dangerous in it changed, or one that only shows.
//!
//! A command of a rule's own would be about other branches, files and addresses than the caller's, so there is none. What cannot be
//! made of the caller's text for certain is left out.

use hook_shell::edit::{Edit, Place, Text, apply};
use hook_shell::options::{Options, letters};
use hook_shell::programs::{self, Tool};
use hook_shell::resolve::{GIT_OPTIONS, quoted};
use hook_shell::syntax::{Span, Word};

/// What a rule says to do next.
#[derive(Debug, Clone, Copy)]
pub enum Advice {
    /// To look first: the command, in which `{}` stands for what breaks the rule, only shows.
    Look(&'static str),
    /// To look first, by a command that is made of the caller's.
    LookBy(Change),
    /// A command to run instead, made of the caller's.
    Instead(Change),
}

/// Makes a command of what was refused; `None` where none would fit.
pub type Change = fn(&Refused<'_>) -> Option<String>;

/// A call that breaks a rule.
pub struct Refused<'r> {
    /// The caller's text.
    pub(super) text: &'r Text<'r>,
    /// The command in it that breaks the rule.
    pub(super) span: Span,
    /// What breaks it, as the reason names it.
    pub(super) target: &'r str,
}

/// Longest text that is repeated as a whole, in bytes.
const LONGEST: usize = 200;

impl Advice {
    /// The command, and whether it only shows.
    pub(super) fn command(self, refused: &Refused<'_>) -> Option<(String, bool)> {
        match self {
            Self::Look(command) => match command.split_once("{}") {
                Some((before, after)) if is_plain(refused.target) => {
                    Some((format!("{before}{}{after}", refused.target), true))
                }
                Some(_) => None,
                None => Some((command.to_owned(), true)).filter(|_| !refused.is_inner(command)),
            },
            Self::LookBy(change) => Some((change(refused)?, true)),
            Self::Instead(change) => Some((change(refused)?, false)),
        }
    }
}

/// Whether a text is one word that needs no quotes, and no option.
fn is_plain(text: &str) -> bool {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | '~' | '+' | '@');
    !text.is_empty() && !text.starts_with('-') && text.chars().all(safe)
}

/// How git is told to go on whatever is lost.
const FORCE: &[&str] = &["-f", "--force"];

/// A word of the caller's: its value, if it depends on nothing, and where it stands.
type Said = (Option<String>, Span);

/// A call of git in the caller's text.
struct Git {
    verb: String,
    /// Where the verb stands.
    at: Span,
    args: Vec<Said>,
}

impl Git {
    /// Arguments that may be options.
    fn options(&self) -> impl Iterator<Item = (&str, Span)> {
        let options = self.args.iter().take_while(|(value, _)| value.as_deref() != Some("--"));
        options.filter_map(|(value, span)| Some((value.as_deref().filter(|value| value.starts_with('-'))?, *span)))
    }

    /// Whether an option is there, spelled out or as a letter of a bundle.
    fn has(&self, option: &str) -> bool {
        self.options().any(|(value, _)| value == option || bundled(value, option).is_some())
    }

    /// Edits that put an option differently, spelled out or as a letter of a bundle; without `by`, they take it out.
    fn put(&self, option: &str, by: &str, text: &str) -> Vec<Edit> {
        let edit = |(value, span): (&str, Span)| {
            if value == option {
                return Some(put(text, span, by.to_owned()));
            }
            let letter = bundled(value, option)?;
            let mut rest = letters(value)?.replacen(letter, letters(by).unwrap_or_default(), 1);
            rest.retain(|c| c != letter);
            Some(put(text, span, if rest.is_empty() { rest } else { format!("-{rest}") }))
        };
        self.options().filter_map(edit).collect()
    }
}

/// The letter of an option, if the word is a bundle that holds it.
fn bundled(word: &str, option: &str) -> Option<char> {
    let letter = letters(option)?.chars().next()?;
    letters(word)?.contains(letter).then_some(letter)
}

/// The edit that puts a word differently; with a blank before it if nothing is left of it.
fn put(text: &str, span: Span, word: String) -> Edit {
    let mut edit = Edit::replace(span, word);
    if edit.text.is_empty() && text.get(..edit.start).is_some_and(|before| before.ends_with(' ')) {
        edit.start -= 1;
    }
    edit
}

impl Refused<'_> {
    /// Whether another program runs what is refused: in a container, on another machine or for another user. A command that is not made
    /// of the caller's would look elsewhere, but for one that begins with the same program.
    fn is_inner(&self, command: &str) -> bool {
        let first = self.place().and_then(|place| self.words(place).into_iter().next());
        let Some(name) = first.and_then(|(value, _)| value) else { return false };
        !command.starts_with(&name) && programs::named(&name).is_some_and(|program| !program.runs.is_empty())
    }

    fn place(&self) -> Option<&Place> {
        self.text.command_at(self.span)
    }

    fn words(&self, place: &Place) -> Vec<Said> {
        place.words.iter().map(|word| (self.text.value(word), word.span)).collect()
    }

    fn git(&self) -> Option<Git> {
        let words = self.words(self.place()?);
        let is_git = |(value, _): &Said| value.as_deref().is_some_and(|value| programs::tool(value) == Tool::Git);
        let rest = words.get(words.iter().position(is_git)? + 1..)?;
        let values: Vec<String> = rest.iter().map(|(value, _)| value.clone().unwrap_or_default()).collect();
        let (_, behind) = Options::leading(&values, GIT_OPTIONS);
        let (verb, args) = rest.get(rest.len() - behind.len()..)?.split_first()?;
        Some(Git { verb: verb.0.clone()?, at: verb.1, args: args.to_vec() })
    }

    /// The caller's line with the edits made; of a long one, only the command, where it stands by itself.
    fn with(&self, edits: Vec<Edit>) -> Option<String> {
        if edits.is_empty() {
            return None;
        }
        if self.text.source.len() <= LONGEST && !self.text.source.trim_end().contains('\n') {
            return apply(self.text.source, edits).map(|line| line.trim().to_owned());
        }
        let moves = |place: &Place| {
            let first = place.words.first().and_then(|word| self.text.value(word));
            first.is_none_or(|name| matches!(programs::tool(&name), Tool::Cd | Tool::Pushd | Tool::Popd))
        };
        self.text.top_level(self.span).filter(|_| !self.text.commands.iter().any(moves))?;
        let start = self.span.start as usize;
        let moved = edits.into_iter().map(|edit| {
            Some(Edit { start: edit.start.checked_sub(start)?, end: edit.end.checked_sub(start)?, text: edit.text })
        });
        apply(self.span.of(self.text.source), moved.collect::<Option<_>>()?)
    }
}

/// The same call of git without force.
pub(super) fn unforced(refused: &Refused<'_>) -> Option<String> {
    let git = refused.git()?;
    let text = refused.text.source;
    let branch = git.verb == "branch";
    if !branch && !matches!(git.verb.as_str(), "worktree" | "submodule" | "rm") {
        return None;
    }
    let mut edits = if branch { git.put("-D", "-d", text) } else { Vec::new() };
    if !branch || git.has("-d") || git.has("--delete") {
        edits.extend(FORCE.iter().flat_map(|option| git.put(option, "", text)));
    }
    refused.with(edits)
}

/// The same push, which stops where somebody else has pushed in between.
pub(super) fn careful(refused: &Refused<'_>) -> Option<String> {
    let git = refused.git().filter(|git| git.verb == "push")?;
    refused.with(careful_push(git.args.into_iter().filter_map(|(value, span)| Some((value?, span)))))
}

/// The changes that make a forced push a careful one.
pub(crate) fn careful_push(words: impl Iterator<Item = (String, Span)>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut has_lease = false;
    for (value, span) in words.take_while(|(value, _)| value != "--") {
        if is_force(&value) {
            let rest = without_force(&value).map(|rest| format!("{rest} ")).unwrap_or_default();
            edits.push(Edit::replace(span, format!("{rest}--force-with-lease")));
            has_lease = true;
        } else if let Some(spec) = value.strip_prefix('+') {
            let lease = if has_lease { "" } else { "--force-with-lease " };
            edits.push(Edit::replace(span, format!("{lease}{}", quoted(spec))));
            has_lease = true;
        }
    }
    edits
}

/// `-f`, `-fu`, `--force` and what git takes for it.
pub(crate) fn is_force(arg: &str) -> bool {
    // `-o` takes the rest of its argument as a value.
    let letters = letters(arg);
    let bundle = letters.and_then(|letters| letters.split('o').next()).is_some_and(|letters| letters.contains('f'));
    matches!(arg, "--force" | "--forc") || bundle
}

/// What remains of the argument without its force.
pub(crate) fn without_force(arg: &str) -> Option<String> {
    let letters: String = letters(arg)?.replacen('f', "", 1);
    (!letters.is_empty()).then(|| format!("-{letters}"))
}

/// What does to the working tree what the caller wants, and keeps the changes.
pub(super) fn kept(refused: &Refused<'_>) -> Option<String> {
    let git = refused.git()?;
    let end = |from: Span, until: Span, text: &str| {
        Edit::replace(Span { start: from.start, end: until.end }, text.to_owned())
    };
    let operands = || git.args.iter().filter(|(value, _)| value.as_deref().is_none_or(|value| !value.starts_with('-')));
    let edits = match git.verb.as_str() {
        "reset" if git.has("--hard") => match operands().next() {
            // Keeping what is there and going nowhere does nothing.
            Some((commit, _)) if !matches!(commit.as_deref(), Some("HEAD" | "@")) => {
                git.put("--hard", "--keep", refused.text.source)
            }
            _ => vec![end(git.at, git.args.last()?.1, "stash push")],
        },
        "switch" | "checkout" if FORCE.iter().any(|option| git.has(option)) => {
            FORCE.iter().flat_map(|option| git.put(option, "", refused.text.source)).collect()
        }
        "switch" => git.put("--discard-changes", "", refused.text.source),
        // Another source than the index is a wish of its own, which putting changes aside does not fulfil.
        "checkout" | "restore" if git.options().next().is_none() => {
            let behind = git.args.iter().position(|(value, _)| value.as_deref() == Some("--"));
            let first = match behind {
                Some(0) => git.args.get(1)?,
                None if git.verb == "restore" || git.args.len() == 1 => git.args.first()?,
                _ => return None,
            };
            let from = Span { start: git.at.start, end: first.1.start };
            vec![Edit::replace(from, "stash push -- ".to_owned())]
        }
        _ => return None,
    };
    refused.with(edits)
}

/// What `git clean` would remove.
pub(super) fn cleaned(refused: &Refused<'_>) -> Option<String> {
    let git = refused.git().filter(|git| git.verb == "clean")?;
    let shows = FORCE.iter().zip(["-n", "--dry-run"]);
    refused.with(shows.flat_map(|(option, by)| git.put(option, by, refused.text.source)).collect())
}

/// The list of what would be gone for good.
pub(super) fn forgotten(refused: &Refused<'_>) -> Option<String> {
    match refused.git()?.verb.as_str() {
        "stash" => Some("git stash list".to_owned()),
        "update-ref" | "symbolic-ref" => Some("git show-ref".to_owned()),
        _ => Some("git reflog".to_owned()),
    }
}

/// The caller's download, into a file that can be read before it runs.
pub(super) fn fetched(refused: &Refused<'_>) -> Option<String> {
    let text = refused.text;
    let fetches = |place: &&Place| {
        let name = place.words.first().and_then(|word| text.value(word));
        name.is_some_and(|name| matches!(programs::tool(&name), Tool::Curl | Tool::Wget))
    };
    let mut places = text.commands.iter().filter(fetches);
    let place = places.next().filter(|_| places.next().is_none())?;
    let raw = |word: &Word| word.span.of(text.source).to_owned();
    // A pattern or a variable in an address stays as the caller wrote it.
    let words: Vec<String> =
        place.words.iter().map(|word| text.value(word).map_or_else(|| raw(word), |value| quoted(&value))).collect();
    let mut addresses = words.iter().filter(|word| word.contains("://"));
    let address = addresses.next().filter(|_| addresses.next().is_none())?.trim_matches(['\'', '"']);
    let file = file_of(address)?;
    let is_curl = words.first().is_some_and(|name| programs::tool(name) == Tool::Curl);
    let mut out: Vec<String> = Vec::new();
    let mut named = false;
    for word in &words {
        // What wget writes to its output goes to the file.
        let piped = !is_curl && matches!(letters(word), Some(some) if some.ends_with("O-"));
        match letters(word) {
            Some(some) if piped => {
                out.extend([format!("-{}", some.trim_end_matches('-')), quoted(&file)]);
                named = true;
            }
            Some(some) if some.contains(['o', 'O']) => return None,
            Some(some) if !named && is_curl && some.chars().all(|c| "fsSLkgv46".contains(c)) => {
                out.extend([format!("-{some}o"), quoted(&file)]);
                named = true;
            }
            _ if word.starts_with("--output") || word == "--remote-name" => return None,
            _ => out.push(word.clone()),
        }
    }
    if !named {
        out.splice(1..1, [if is_curl { "-o" } else { "-O" }.to_owned(), quoted(&file)]);
    }
    Some(out.join(" "))
}

/// A name for what lies at an address.
fn file_of(address: &str) -> Option<String> {
    let path = address.split_once("://")?.1.split(['?', '#']).next()?;
    let last = path.split('/').skip(1).last().unwrap_or_default();
    let name: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || "._-".contains(*c)).collect();
    let name = name.trim_start_matches(['.', '-']);
    Some(match name {
        "" => "install.sh".to_owned(),
        name if name.contains('.') => name.to_owned(),
        name => format!("{name}.sh"),
    })
}

/// The names of the variables in a file of settings.
pub(super) fn names(refused: &Refused<'_>) -> Option<String> {
    let base = refused.target.rsplit('/').next()?;
    let is_settings = base.starts_with(".env") || base.rsplit('.').next() == Some("env");
    (is_settings && is_plain(refused.target) && !refused.is_inner("cut"))
        .then(|| format!("cut -d= -f1 {}", refused.target))
}

/// The same change of rights, for the owner alone.
pub(super) fn owner_only(refused: &Refused<'_>) -> Option<String> {
    let words = refused.words(refused.place()?);
    let at = words.iter().position(|(value, _)| value.as_deref() == Some("chmod"))?;
    let rest = words.get(at + 1..)?;
    let deep = rest.iter().any(|(value, _)| matches!(value.as_deref(), Some("-R" | "--recursive")));
    let (_, mode) = rest.iter().find(|(value, _)| value.as_deref().is_none_or(|value| !value.starts_with('-')))?;
    refused.with(vec![Edit::replace(*mode, if deep { "u=rwX,go=" } else { "600" }.to_owned())])
}

/// The processes of the name that the caller would end.
pub(super) fn processes(refused: &Refused<'_>) -> Option<String> {
    let name = refused.target.split_once(' ')?.1.rsplit(' ').next()?;
    (is_plain(name) && !name.contains('/')).then(|| format!("pgrep -a {name}"))
}

/// Who serves the port that the caller would free.
pub(super) fn server(refused: &Refused<'_>) -> Option<String> {
    let text = refused.text.source;
    let digits = |from: &str| from.chars().take_while(char::is_ascii_digit).collect::<String>();
    let named = text.match_indices(':').map(|(at, _)| digits(text.get(at + 1..).unwrap_or_default()));
    let slashed = text.split_whitespace().filter_map(|word| word.strip_suffix("/tcp")).map(digits);
    let port = named.chain(slashed).find(|port| !port.is_empty() && port.len() <= 5)?;
    Some(format!("lsof -i :{port}"))
}

/// The same copy, which leaves alone what is there.
pub(super) fn not_over(refused: &Refused<'_>) -> Option<String> {
    let words = refused.words(refused.place()?);
    let copies = |(value, _): &&Said| matches!(value.as_deref(), Some("cp" | "mv"));
    let (_, name) = words.iter().find(copies)?;
    refused.with(vec![Edit::insert(name.end as usize, " -n".to_owned())])
}
