//! Lines for `cmd.exe`, written for a POSIX shell.

use super::render::environment;
use super::value::{Piece, Value, Word};

/// The words of a line, with quotes taken away.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => out.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    out
}

/// A piece of a line.
enum Token {
    Word(Word),
    /// What parts commands, or sends their output elsewhere.
    Sign(&'static str),
}

/// The commands of a text.
pub(super) fn lines(text: &str) -> String {
    let mut out = String::new();
    let mut command: Vec<Word> = Vec::new();
    let mut redirections = String::new();
    let mut tokens = tokens(text).into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => command.push(word),
            Token::Sign(sign @ (">" | ">>" | "<" | "2>")) => {
                if let Some(Token::Word(target)) = tokens.next_if(|next| matches!(next, Token::Word(_))) {
                    let file = if is(&target, "nul") { "/dev/null".to_owned() } else { Value::word(target).paths() };
                    redirections.push_str(&format!(" {sign} {file}"));
                }
            }
            Token::Sign(sign) => {
                out.push_str(&written(&command, &redirections));
                out.push_str(sign);
                command.clear();
                redirections.clear();
            }
        }
    }
    out.push_str(&written(&command, &redirections));
    out
}

fn tokens(text: &str) -> Vec<Token> {
    const SIGNS: &[(&str, &str)] = &[
        ("&&", " && "),
        ("||", " || "),
        ("2>&1", ""),
        ("2>", "2>"),
        (">>", ">>"),
        (">", ">"),
        ("<", "<"),
        ("|", " | "),
        ("&", "\n"),
        ("\n", "\n"),
        ("(", "\n"),
        (")", "\n"),
    ];
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() && c != '\n' {
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        } else if let Some((sign, written)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            rest = rest.get(sign.len()..).unwrap_or_default();
            if !written.is_empty() {
                out.push(Token::Sign(written));
            }
        } else {
            let (word, length) = word(rest);
            rest = rest.get(length.max(c.len_utf8())..).unwrap_or_default();
            out.push(Token::Word(word));
        }
    }
    out
}

fn word(text: &str) -> (Word, usize) {
    let mut word = Word::new();
    let mut plain = String::new();
    let mut quoted = false;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !quoted && (c.is_whitespace() || matches!(c, '&' | '|' | '<' | '>' | '(' | ')')) {
            break;
        }
        at += c.len_utf8();
        match c {
            '"' => quoted = !quoted,
            '^' if !quoted => {
                if let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
                    at += next.len_utf8();
                    plain.push(next);
                }
            }
            '%' => {
                let rest = text.get(at..).unwrap_or_default();
                match rest.split_once('%').filter(|(name, _)| is_name(name)) {
                    Some((name, _)) => {
                        at += name.len() + 1;
                        if !plain.is_empty() {
                            word.push(Piece::Bare(std::mem::take(&mut plain)));
                        }
                        word.extend(environment(name).joined(""));
                    }
                    None => plain.push('%'),
                }
            }
            c => plain.push(c),
        }
    }
    if !plain.is_empty() {
        word.push(Piece::Bare(plain));
    }
    (word, at)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() < 64 && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '(' | ')'))
}

fn is(word: &Word, text: &str) -> bool {
    super::value::literal(word).is_some_and(|word| word.eq_ignore_ascii_case(text))
}

fn written(command: &[Word], redirections: &str) -> String {
    let Some((head, arguments)) = command.split_first() else { return ":".to_owned() };
    let name = super::value::literal(head).unwrap_or_default().to_lowercase();
    let name = name.trim_start_matches('@');
    let flag = |word: &&Word| super::value::literal(word).is_some_and(|word| word.starts_with('/') && word.len() == 2);
    let tree = arguments.iter().any(|word| is(word, "/s"));
    let paths = || {
        let items: Vec<Word> = arguments.iter().filter(|word| !flag(word)).cloned().collect();
        Value { items, ..Value::default() }.paths()
    };
    let all = Value { items: arguments.to_vec(), ..Value::default() };
    let line = match crate::programs::cmdlets::of_cmd(name) {
        Some("rm") => format!("rm{} {}", if tree { " -r" } else { "" }, paths()),
        Some("set") => match arguments
            .first()
            .and_then(super::value::literal)
            .as_deref()
            .and_then(|text| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
        {
            Some((name, value)) => {
                format!("export {}={}", super::render::identifier(&name), crate::resolve::exec::quoted(&value))
            }
            None if arguments.is_empty() => "printenv".to_owned(),
            None => ":".to_owned(),
        },
        Some("if") => {
            let at = usize::from(arguments.first().is_some_and(|word| is(word, "not")));
            let skip = if arguments.get(at).is_some_and(|word| is(word, "exist") || is(word, "defined")) {
                at + 2
            } else {
                at + 1
            };
            return format!("if :\nthen {}\nfi", written(arguments.get(skip..).unwrap_or_default(), redirections));
        }
        Some("call") => return written(arguments, redirections),
        Some(other) => format!("{other} {}", paths()),
        None => format!("{} {}", Value::word(head.clone()).paths(), all.arguments()),
    };
    format!("{line}{redirections}")
}
