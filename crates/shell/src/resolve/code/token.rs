//! Code as words, texts and signs.

use crate::programs::{Language, Tongue};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Word(String),
    Text { text: String, backquoted: bool },
    Sign(char),
}

/// Words of code that are looked at.
pub(super) const MOST_TOKENS: usize = 20_000;
/// The partner of each bracket; 0 for all else and for brackets without one.
pub(super) fn pairs(tokens: &[Token]) -> Vec<usize> {
    let mut pairs = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => open.push(at),
            Token::Sign(')' | ']' | '}') => {
                if let Some(start) = open.pop() {
                    if let Some(place) = pairs.get_mut(start) {
                        *place = at;
                    }
                    if let Some(place) = pairs.get_mut(at) {
                        *place = start;
                    }
                }
            }
            _ => {}
        }
    }
    pairs
}

pub(super) fn tokens(code: &str, language: &Language) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if out.len() >= MOST_TOKENS {
            break;
        }
        if let Some((text, after)) = quoted_command(rest, language) {
            out.push(Token::Text { text, backquoted: true });
            rest = after;
            continue;
        }
        if let Some((text, words, after)) = quoted_by_name(rest, language, out.last()) {
            let pieces: Vec<&str> = if words { text.split_whitespace().collect() } else { vec![text] };
            // Ruby's list of words is a list.
            let list = rest.starts_with("%w");
            out.extend(list.then_some(Token::Sign('[')));
            for (index, piece) in pieces.into_iter().enumerate() {
                if index > 0 {
                    out.push(Token::Sign(','));
                }
                out.push(Token::Text { text: piece.replace('\\', ""), backquoted: false });
            }
            out.extend(list.then_some(Token::Sign(']')));
            rest = after;
            continue;
        }
        if c.is_alphabetic()
            || c == '_'
            || c == '$'
            || c == '@'
            || (c == '.' && rest.chars().nth(1).is_some_and(|next| next.is_alphabetic() || next == '_'))
        {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(at, c)| {
                    let joins = matches!(c, '_' | '.' | ':' | '-' | '>') && joins_name(rest, *at, *c)
                        || language.lisp && matches!(c, '-' | '*' | ':');
                    !(c.is_alphanumeric() || joins)
                })
                .map_or(rest.len(), |(at, _)| at);
            let (word, after) = rest.split_at(end.max(c.len_utf8()));
            // `File.rm_rf!("x")`, `File.exist?("x")`: the sign belongs to the name.
            rest = after.strip_prefix(['!', '?']).filter(|rest| rest.starts_with('(')).unwrap_or(after);
            let word = word.replace("->", ".").replace("::", ".");
            out.push(Token::Word(word.trim_start_matches(['$', '@']).to_owned()));
        } else if matches!(c, '\'' | '"' | '`') {
            let (text, after) = string(rest, c, language);
            rest = after;
            out.push(Token::Text { text, backquoted: c == '`' });
        } else if !language.comment.is_empty() && rest.starts_with(language.comment) {
            rest = rest.find('\n').and_then(|at| rest.get(at..)).unwrap_or_default();
        } else {
            if !c.is_whitespace() || c == '\n' {
                out.push(Token::Sign(c));
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    out
}

/// Whether a sign within a name joins its parts: `a.b`, `a::b`, `a->b`.
pub(super) fn joins_name(text: &str, at: usize, c: char) -> bool {
    let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    match c {
        '_' => true,
        '.' => next.is_some_and(|next| next.is_alphabetic() || next == '_'),
        ':' => next == Some(':') || before == Some(':') && next.is_some_and(char::is_alphabetic),
        '-' => next == Some('>'),
        '>' => before == Some('-'),
        _ => false,
    }
}

/// A quoted text, and what follows it. Three quotes in a row open a long one.
pub(super) fn string<'c>(code: &'c str, quote: char, language: &Language) -> (String, &'c str) {
    let long: String = [quote; 3].iter().collect();
    let (open, close) = if code.starts_with(&long) && quote != '`' { (3, long) } else { (1, quote.to_string()) };
    let body = code.get(open..).unwrap_or_default();
    let mut text = String::new();
    let mut rest = body;
    loop {
        if rest.starts_with(&close) {
            return (text, rest.get(close.len()..).unwrap_or_default());
        }
        let Some(c) = rest.chars().next() else { return (text, "") };
        if c == '\\' {
            let after = rest.get(1..).unwrap_or_default();
            let (used, decoded) = escape(after, language);
            text.push_str(&decoded);
            rest = after.get(used..).unwrap_or_default();
        } else if let Some(end) = within_text(rest, quote, language) {
            // Quotes in it are its own: `"rm -rf #{ENV["HOME"]}"`.
            let (inner, after) = rest.split_at(end);
            text.push_str(inner);
            rest = after;
        } else {
            text.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
}

/// Where an expression ends that stands within a text at its beginning: `#{…}` of Ruby, `${…}` of JavaScript.
fn within_text(text: &str, quote: char, language: &Language) -> Option<usize> {
    let opens = match quote {
        '\'' => false,
        '`' if text.starts_with("${") => matches!(language.tongue, Tongue::JavaScript | Tongue::Deno),
        _ if text.starts_with("{$") => language.tongue == Tongue::Php,
        _ => text.starts_with("#{") && matches!(language.tongue, Tongue::Ruby | Tongue::Crystal | Tongue::Elixir),
    };
    if !opens {
        return None;
    }
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().take(LONGEST_QUOTED) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\n' => return None,
            _ => {}
        }
        if at > 1 && depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// An escape within a string. Lua counts in decimal, the others in octal.
pub(super) fn escape(after: &str, language: &Language) -> (usize, String) {
    if language.tongue == Tongue::Lua {
        let digits: String = after.chars().take(3).take_while(char::is_ascii_digit).collect();
        if let Some(c) = digits.parse::<u32>().ok().and_then(char::from_u32) {
            return (digits.len(), c.to_string());
        }
    }
    let (used, decoded) = crate::syntax::decode_escape(after);
    // An escape that stands for nothing keeps its character, not its backslash: `\/`, `\$`.
    (used, decoded.strip_prefix('\\').filter(|rest| !rest.is_empty()).map_or(decoded.clone(), str::to_owned))
}

/// `%x(…)` and `qx{…}` of Ruby and Perl: a command in brackets or between two signs.
fn quoted_command<'c>(code: &'c str, language: &Language) -> Option<(String, &'c str)> {
    if !language.backquotes {
        return None;
    }
    let rest = code.strip_prefix("%x").or_else(|| code.strip_prefix("qx"))?.trim_start();
    let open = rest.chars().next().filter(|c| !c.is_alphanumeric() && !matches!(c, '=' | ',' | ';' | '.'))?;
    let close = closing(open);
    let body = rest.get(open.len_utf8()..)?;
    let end = body.find(close)?;
    Some((body.get(..end)?.to_owned(), body.get(end + close.len_utf8()..)?))
}

/// The sign that ends what this one begins.
const fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// The end of such a text is looked for close by, so that many beginnings without one cost no more than their number.
const LONGEST_QUOTED: usize = 512;

/// `qw(…)`, `q(…)`, `qq(…)`, `%w(…)`, `%q(…)` and `<…*…>` of Perl and Ruby: the text, and whether it is a list of words.
fn quoted_by_name<'c>(code: &'c str, language: &Language, before: Option<&Token>) -> Option<(&'c str, bool, &'c str)> {
    // Only these two read code line by line, and quote so.
    if !language.loops {
        return None;
    }
    if let Some(body) = code.strip_prefix('<') {
        let end = body.char_indices().take(LONGEST_QUOTED).find(|(_, c)| matches!(c, '>' | ' ' | '\n' | ';'))?.0;
        let text = body.get(..end).filter(|text| text.contains(['*', '/']))?;
        return Some((text, false, body.get(end..)?.strip_prefix('>')?));
    }
    // `$q`, `->q` and `.w` are names.
    let named = |prefix: &str| code.strip_prefix(prefix);
    let (words, rest) = if let Some(rest) = named("qw").or_else(|| named("%w")) {
        (true, rest)
    } else {
        let rest = named("qq").or_else(|| named("%q")).or_else(|| named("%Q")).or_else(|| named("q"))?;
        (false, rest)
    };
    let rest = rest.trim_start();
    let open = rest.chars().next().filter(|c| matches!(c, '(' | '[' | '{' | '<' | '/' | '|' | '!'))?;
    if open == '(' && code.starts_with("q(") && matches!(before, Some(Token::Sign('.' | '&'))) {
        return None;
    }
    let close = closing(open);
    let body = rest.get(open.len_utf8()..)?;
    let mut escaped = false;
    let end = body.char_indices().take(LONGEST_QUOTED).find(|(_, c)| {
        let ends = *c == close && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    })?;
    Some((body.get(..end.0)?, words, body.get(end.0 + close.len_utf8()..)?))
}
