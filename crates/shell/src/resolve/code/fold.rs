//! Code made plain before it is read: texts put together, decoded or reversed, other names of functions, arguments and variables.

use crate::programs::{Language, Tongue};
use std::collections::{BTreeMap, BTreeSet};

use super::language::{DECODERS, EVALUATES, FILES, RUNS, TREES};
use super::token::Token;
use crate::resolve::taint::replaced;

/// Functions that make characters of numbers.
const CHARACTERS: &[&str] = &["chr", "fromcharcode", "fromcodepoint", "char", "pack", "bytes", "bytearray", "map"];
/// Functions that put their arguments together, the first between the others.
const JOINED: &[&str] = &["join", "implode"];
/// Libraries whose `join` puts a path together.
const OF_PATHS: &[&str] = &["path", "posixpath", "ntpath", "File", "filepath", "posix"];
/// Names that hold the arguments of the code, and how many of them the language counts before the first.
const ARGUMENTS: &[(&str, usize)] =
    &[("sys.argv", 1), ("process.argv", 1), ("argv", 0), ("ARGV", 0), ("Deno.args", 0), ("arg", 1)];
/// Names that hold the variables of the process.
const VARIABLES: &[&str] = &["os.environ", "process.env", "ENV", "environ", "_ENV", "_SERVER"];

/// Texts are put together up to this length.
const LONGEST_TEXT: usize = 1 << 16;

fn text(token: Option<&Token>) -> Option<&str> {
    match token {
        Some(Token::Text { text, .. }) => Some(text),
        _ => None,
    }
}

fn word(token: Option<&Token>) -> Option<&str> {
    match token {
        Some(Token::Word(word)) => Some(word),
        _ => None,
    }
}

fn sign(token: Option<&Token>) -> Option<char> {
    match token {
        Some(Token::Sign(sign)) => Some(*sign),
        _ => None,
    }
}

/// The last name of a path of names, as functions are known by.
pub(super) fn last_name(word: &str) -> String {
    word.rsplit(['.', ':']).next().unwrap_or(word).to_ascii_lowercase()
}

fn plain(text: String) -> Token {
    Token::Text { text, backquoted: false }
}

/// What a token is replaced by, and how many tokens after it go with it.
type Folded = (Vec<Token>, usize);

/// The tokens with what is given from outside in its place: arguments and variables.
pub(super) fn given_from_outside(
    tokens: &[Token],
    language: &Language,
    args: &[String],
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let found = word(Some(token)).and_then(|name| {
            argument(name, tokens, at, language, args).or_else(|| from_environment(name, tokens, at, variable))
        });
        if let Some((folded, more)) = found {
            out.extend(folded);
            at += 1 + more;
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

/// A number that begins at `at`, and how many tokens it takes.
fn number(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let digits: String =
        tokens.iter().skip(at).take(7).map_while(|token| sign(Some(token)).filter(char::is_ascii_digit)).collect();
    Some((digits.parse().ok()?, digits.len()))
}

fn argument(name: &str, tokens: &[Token], at: usize, language: &Language, args: &[String]) -> Option<Folded> {
    let (_, before) = ARGUMENTS.iter().find(|(known, _)| *known == name)?;
    if args.is_empty() {
        return None;
    }
    // PHP counts its own name.
    let before = if language.tongue == Tongue::Php { 1 } else { *before };
    if sign(tokens.get(at + 1)) == Some('[')
        && let Some((index, used)) = number(tokens, at + 2)
        && sign(tokens.get(at + 2 + used)) == Some(']')
    {
        let value = args.get(index.checked_sub(before)?)?;
        return Some((vec![plain(value.clone())], used + 2));
    }
    if sign(tokens.get(at + 1)) == Some('=') {
        return None;
    }
    let mut all = Vec::new();
    for value in args {
        if !all.is_empty() {
            all.push(Token::Sign(','));
        }
        all.push(plain(value.clone()));
    }
    Some((all, 0))
}

fn from_environment(
    name: &str,
    tokens: &[Token],
    at: usize,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Option<Folded> {
    let known = |wanted: &str, more: usize| Some((vec![plain(variable(wanted)?)], more));
    if let Some(wanted) = name.strip_prefix("process.env.") {
        return known(wanted, 0);
    }
    if VARIABLES.contains(&name) {
        return match (sign(tokens.get(at + 1))?, tokens.get(at + 2), sign(tokens.get(at + 3))?) {
            ('[', Some(Token::Text { text, .. }), ']') => known(text, 3),
            ('{', Some(Token::Word(wanted)), '}') => known(wanted, 3),
            _ => None,
        };
    }
    if matches!(last_name(name).as_str(), "getenv" | "get" | "fetch")
        && (name.ends_with("getenv") || name.contains("environ") || name.starts_with("ENV") || name == "Deno.env.get")
        && sign(tokens.get(at + 1)) == Some('(')
        && sign(tokens.get(at + 3)) == Some(')')
    {
        return known(text(tokens.get(at + 2))?, 3);
    }
    None
}

/// The tokens with texts put together as the code does.
pub(super) fn put_together(tokens: Vec<Token>, language: &Language) -> Vec<Token> {
    let adjacent = language.operand || language.tongue == Tongue::Python;
    let tokens = working_dirs(characters(tokens));
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let ahead = tokens.get(at + 1..).unwrap_or_default();
        match token {
            Token::Text { text, backquoted } => {
                let (mut whole, mut used) = (text.clone(), 0);
                // Operators work from left to right.
                for _ in 0..64 {
                    let rest = ahead.get(used..).unwrap_or_default();
                    let Some((next, more)) = continued(&whole, rest, adjacent && !backquoted, language) else { break };
                    if next.len() > LONGEST_TEXT {
                        break;
                    }
                    whole = next;
                    used += more;
                }
                out.push(Token::Text { text: whole, backquoted: *backquoted && used == 0 });
                at += 1 + used;
            }
            Token::Word(_) | Token::Sign('[') => {
                let joined = match token {
                    Token::Word(name) => called_to_join(name, ahead),
                    _ => listed_and_joined(ahead),
                };
                if let Some((joined, used)) = joined {
                    out.push(plain(joined));
                    at += 1 + used;
                } else {
                    out.push(token.clone());
                    at += 1;
                }
            }
            Token::Sign(_) => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    out
}

/// A text with what the code adds to it, and how many tokens that takes.
fn continued(before: &str, ahead: &[Token], adjacent: bool, language: &Language) -> Option<(String, usize)> {
    let added = |at: usize| text(ahead.get(at)).map(|more| (format!("{before}{more}"), at + 1));
    match ahead.first()? {
        Token::Sign('+') => added(1),
        Token::Sign('.') if sign(ahead.get(1)) == Some('.') => added(2),
        Token::Sign('.') if language.backquotes => added(1),
        Token::Sign('<') if sign(ahead.get(1)) == Some('>') => added(2),
        Token::Text { backquoted: false, .. } if adjacent => added(0),
        Token::Sign('%') => {
            let open = usize::from(sign(ahead.get(1)) == Some('('));
            let mut whole = before.to_owned();
            let mut at = 1 + open;
            loop {
                whole = ["%s", "%r", "%d"]
                    .iter()
                    .find(|mark| whole.contains(**mark))
                    .map(|mark| whole.replacen(mark, text(ahead.get(at)).unwrap_or_default(), 1))
                    .filter(|whole| whole.len() <= LONGEST_TEXT)?;
                text(ahead.get(at))?;
                at += 1;
                if open == 1 && sign(ahead.get(at)) == Some(',') {
                    at += 1;
                }
                if open == 0 || sign(ahead.get(at)) == Some(')') {
                    return Some((whole, at + open));
                }
            }
        }
        Token::Word(name) if name == ".format" && sign(ahead.get(1)) == Some('(') => {
            let mut whole = before.to_owned();
            let mut at = 2;
            while let Some(value) = text(ahead.get(at)) {
                let index = format!("{{{}}}", (at - 2) / 2);
                whole =
                    if whole.contains("{}") { whole.replacen("{}", value, 1) } else { replaced(&whole, &index, value) };
                if whole.len() > LONGEST_TEXT {
                    return None;
                }
                at += 1;
                if sign(ahead.get(at)) == Some(',') {
                    at += 1;
                }
            }
            (sign(ahead.get(at)) == Some(')')).then_some((whole, at + 1))
        }
        Token::Word(name) if name == ".join" && sign(ahead.get(1)) == Some('(') => {
            sign(ahead.get(2)).filter(|c| matches!(c, '[' | '('))?;
            let (texts, used) = list(ahead.get(3..)?)?;
            (sign(ahead.get(4 + used)) == Some(')')).then_some((texts.join(before), 5 + used))
        }
        Token::Word(name) if name == ".reverse" => Some((reversed(before), 1 + empty_brackets(ahead, 1))),
        // `"…".split("").reverse().join("")`
        Token::Word(name)
            if name == ".split" && word(ahead.get(4)) == Some(".reverse") && word(ahead.get(7)) == Some(".join") =>
        {
            (text(ahead.get(2)) == Some("") && text(ahead.get(9)) == Some("")).then(|| (reversed(before), 11))
        }
        Token::Sign('[') => {
            let reverse = ahead.get(1..6).is_some_and(|signs| {
                signs.iter().map(|token| sign(Some(token))).eq([Some(':'), Some(':'), Some('-'), Some('1'), Some(']')])
            });
            reverse.then(|| (reversed(before), 6))
        }
        _ => None,
    }
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

fn empty_brackets(tokens: &[Token], at: usize) -> usize {
    if sign(tokens.get(at)) == Some('(') && sign(tokens.get(at + 1)) == Some(')') { 2 } else { 0 }
}

/// Texts between commas, up to the bracket that closes; how many tokens they take with it left out.
fn list(tokens: &[Token]) -> Option<(Vec<&str>, usize)> {
    let mut texts = Vec::new();
    let mut at = 0;
    while let Some(item) = text(tokens.get(at)) {
        texts.push(item);
        at += 1;
        match sign(tokens.get(at)) {
            Some(',') => at += 1,
            Some(']' | ')') => break,
            _ => return None,
        }
    }
    (texts.len() > 1 && matches!(sign(tokens.get(at)), Some(']' | ')'))).then_some((texts, at))
}

/// Texts between commas without a bracket around them, and how many tokens they take.
fn bare_list(tokens: &[Token]) -> (Vec<&str>, usize) {
    let mut texts = Vec::new();
    let mut at = 0;
    while let Some(item) = text(tokens.get(at)) {
        texts.push(item);
        at += 1;
        if sign(tokens.get(at)) != Some(',') {
            break;
        }
        at += 1;
    }
    (texts, at)
}

/// `join(" ", "a", "b")`, `strrev("…")`.
fn called_to_join(name: &str, ahead: &[Token]) -> Option<(String, usize)> {
    if let Some((library, "join")) = name.rsplit_once(['.', ':'])
        && OF_PATHS.iter().any(|own| library.trim_end_matches(':').ends_with(own))
    {
        // `os.path.join("a", "b")`: the first is no text between the others, and one that begins at the root begins again.
        let (texts, used) = list(ahead.get(1..).filter(|_| sign(ahead.first()) == Some('('))?)?;
        let from = texts.iter().rposition(|text| text.starts_with('/')).unwrap_or(0);
        return Some((texts.get(from..)?.join("/"), 2 + used));
    }
    let name = last_name(name);
    if name == "strrev" && sign(ahead.get(2)) == Some(')') {
        return Some((reversed(text(ahead.get(1))?), 3));
    }
    if name == "expanduser" && sign(ahead.first()) == Some('(') && sign(ahead.get(2)) == Some(')') {
        // `os.path.expanduser("~") + "/x"`
        return Some((text(ahead.get(1))?.to_owned(), 3));
    }
    if JOINED.contains(&name.as_str()) && text(ahead.first()).is_some() && sign(ahead.get(1)) == Some(',') {
        // `join " ", qw(a b)` of Perl.
        let (texts, used) = bare_list(ahead.get(2..)?);
        return (texts.len() > 1).then(|| (texts.join(text(ahead.first()).unwrap_or_default()), 2 + used));
    }
    if !JOINED.contains(&name.as_str()) || sign(ahead.first()) != Some('(') {
        return None;
    }
    let between = text(ahead.get(1))?;
    if sign(ahead.get(2)) != Some(',') {
        return None;
    }
    let open = usize::from(matches!(sign(ahead.get(3)), Some('[')));
    let (texts, used) = list(ahead.get(3 + open..)?)?;
    Some((texts.join(between), 3 + open + used + 1 + open))
}

/// `["a", "b"].join(" ")`
fn listed_and_joined(ahead: &[Token]) -> Option<(String, usize)> {
    let (texts, used) = list(ahead)?;
    if word(ahead.get(used + 1)) != Some(".join") {
        return None;
    }
    match (sign(ahead.get(used + 2)), text(ahead.get(used + 3))) {
        (Some('('), Some(between)) => Some((texts.join(between), used + 5)),
        (Some('('), None) => Some((texts.join(","), used + 4)),
        _ => Some((texts.concat(), used + 2)),
    }
}

/// Lists of numbers that the code makes characters of.
fn characters(tokens: Vec<Token>) -> Vec<Token> {
    let makes = |token: &Token| matches!(token, Token::Word(word) if CHARACTERS.contains(&last_name(word).as_str()));
    if !tokens.iter().any(makes) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let open = sign(Some(token)).filter(|c| matches!(c, '[' | '('));
        let mut text = String::new();
        let mut next = at + 1;
        while open.is_some() {
            let Some((value, used)) = number(&tokens, next) else { break };
            let Some(c) = u32::try_from(value).ok().filter(|value| (9..127).contains(value)).and_then(char::from_u32)
            else {
                break;
            };
            text.push(c);
            next += used;
            if sign(tokens.get(next)) != Some(',') {
                break;
            }
            next += 1;
        }
        let closes = matches!(sign(tokens.get(next)), Some(']' | ')'));
        if text.len() > 2 && closes {
            if open == Some('(') {
                out.push(token.clone());
            }
            out.push(plain(text));
            at = next + usize::from(open == Some('['));
        } else {
            out.push(token.clone());
            at += 1;
        }
    }
    out
}

/// What tells the directory that the code runs in, as that directory, where a function is given it: `rmtree(os.getcwd())`,
/// `rm_rf(Dir.pwd + "/build")`. One that makes a path of it is not followed here.
fn working_dirs(tokens: Vec<Token>) -> Vec<Token> {
    const TELL: &[&str] = &[
        "os.getcwd", "getcwd", "cwd", "process.cwd", "Deno.cwd", "Path.cwd", "pathlib.Path.cwd", "Cwd::cwd",
        "Cwd::getcwd", "Dir.pwd", "Dir.getwd",
    ];
    let tells = |token: &Token| matches!(token, Token::Word(word) if TELL.contains(&word.as_str()));
    if !tokens.iter().any(tells) {
        return tokens;
    }
    let makes_path = |name: &str| OF_PATHS.contains(&name) || JOINED.contains(&name);
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let brackets = sign(tokens.get(at + 1)) == Some('(') && sign(tokens.get(at + 2)) == Some(')');
        // Ruby needs none.
        let bare = matches!(token, Token::Word(word) if word.starts_with("Dir."));
        let used = if brackets { 3 } else { 1 };
        let given = match out.as_slice() {
            [.., Token::Word(name), Token::Sign('(')] => !makes_path(&last_name(name)),
            _ => false,
        };
        let below = || text(tokens.get(at + used + 1)).is_some_and(|more| more.starts_with('/'));
        let alone = match sign(tokens.get(at + used)) {
            Some(')' | ',') => true,
            Some('+') => below(),
            _ => false,
        };
        let told = tells(token) && (brackets || bare) && given && alone;
        out.push(if told { plain(".".to_owned()) } else { token.clone() });
        at += if told { used } else { 1 };
    }
    out
}

/// Functions that matter under whatever name.
fn matters(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    [RUNS, TREES, FILES, EVALUATES, DECODERS].iter().any(|names| names.contains(&name))
        || matches!(name, "fork" | "urlopen" | "spawn")
}

/// Names that stand for modules and functions: `import a as b`, `f = os.system`, `const {rmSync: r} = require("fs")`.
pub(super) fn other_names(tokens: &mut [Token]) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let called: BTreeSet<String> = tokens
        .windows(2)
        .filter(|pair| sign(pair.get(1)) == Some('('))
        .filter_map(|pair| word(pair.first()).map(str::to_owned))
        .collect();
    for at in 0..tokens.len() {
        let Some(name) = word(tokens.get(at)) else { continue };
        let next = tokens.get(at + 1);
        let found = match (name, next) {
            (real, Some(Token::Word(as_))) if as_ == "as" => {
                word(tokens.get(at + 2)).map(|other| (other.to_owned(), real.to_owned()))
            }
            (real, Some(Token::Sign(':'))) if matters(real) => word(tokens.get(at + 2))
                .filter(|_| matches!(sign(tokens.get(at + 3)), Some('}' | ',')))
                .map(|other| (other.to_owned(), real.to_owned())),
            (other, Some(Token::Sign('='))) => assigned(tokens, at + 2, &called).map(|real| (other.to_owned(), real)),
            _ => None,
        };
        if let Some((other, real)) = found
            && other != real
            && names.len() < 64
        {
            names.insert(other, real);
        }
    }
    for token in tokens {
        let Token::Word(name) = token else { continue };
        let (head, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
        if let Some(real) = names.get(head) {
            *name = format!("{real}{rest}");
        }
    }
}

/// The module or function that is assigned.
fn assigned(tokens: &[Token], at: usize, called: &BTreeSet<String>) -> Option<String> {
    let ends = |at: usize| matches!(tokens.get(at), None | Some(Token::Sign(';' | '\n' | ',' | ')') | Token::Word(_)));
    match tokens.get(at)? {
        // `$f = "system"; $f("x")`
        Token::Text { text, .. } if ends(at + 1) && matters(text) => {
            let name = word(tokens.get(at.checked_sub(2)?))?;
            called.contains(name).then(|| text.clone())
        }
        Token::Word(name) if matches!(name.as_str(), "require" | "__import__" | "importlib.import_module") => {
            let module = text(tokens.get(at + 2))?.trim_start_matches("node:").to_owned();
            match tokens.get(at + 4) {
                Some(Token::Word(member)) if member.starts_with('.') && ends(at + 5) => {
                    Some(format!("{module}{member}"))
                }
                _ => Some(module),
            }
        }
        Token::Word(name) if ends(at + 1) && matters(&last_name(name)) => Some(name.clone()),
        _ => None,
    }
}
