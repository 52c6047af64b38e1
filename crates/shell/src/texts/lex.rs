//! The text of a source file as words, texts, comments and signs, so that what code does is told from what it says.
//!
//! One pass over the text, no recursion, and never a failure: what no rule fits is a sign, and an open text ends with its line or
//! with the file.

/// A piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A name with its parts: `a`, `a.b.c`, `a::b`, `@a.b`.
    Word(&'t str),
    /// The content of a quoted text, with its escapes as they are spelled.
    Text(&'t str),
    /// A comment with its marks.
    Comment(&'t str),
    /// Any other visible character.
    Sign(char),
    /// The end of a line outside texts and comments.
    Line,
}

/// A quoting character, and whether its text may span lines.
type Quote = (char, bool);

/// How a language spells comments and texts.
#[derive(Debug, Clone, Copy)]
pub struct Syntax {
    /// What begins a comment that ends with its line.
    pub line: &'static [&'static str],
    /// What begins and ends other comments.
    block: Option<(&'static str, &'static str)>,
    /// Such comments lie in each other.
    nested: bool,
    quotes: &'static [Quote],
    /// Three double quotes, or three single ones, enclose long texts.
    long: &'static [char],
    /// Backslashes mean themselves in texts of this quote.
    plain: &'static [char],
    /// A lone quote is a lifetime or a character.
    lifetimes: bool,
    /// A slash may begin a regular expression.
    patterns: bool,
    /// `#[…]` is an attribute.
    attributes: bool,
    /// A `#` within a word is part of it.
    glued: bool,
}

const C: Syntax = Syntax {
    line: &["//"],
    block: Some(("/*", "*/")),
    nested: false,
    quotes: &[('"', false), ('\'', false)],
    long: &[],
    plain: &[],
    lifetimes: false,
    patterns: false,
    attributes: false,
    glued: false,
};
const SCRIPT: Syntax = Syntax { line: &["#"], block: None, quotes: &[('"', true), ('\'', true)], ..C };
const PYTHON: Syntax = Syntax { quotes: &[('"', false), ('\'', false)], long: &['"', '\''], ..SCRIPT };
const JAVASCRIPT: Syntax = Syntax { quotes: &[('"', false), ('\'', false), ('`', true)], patterns: true, ..C };
const GO: Syntax = Syntax { quotes: &[('"', false), ('\'', false), ('`', true)], plain: &['`'], ..C };
const RUST: Syntax = Syntax { nested: true, quotes: &[('"', true)], lifetimes: true, ..C };
const JVM: Syntax = Syntax { long: &['"'], ..C };
const NESTED: Syntax = Syntax { nested: true, ..JVM };
const PHP: Syntax = Syntax { line: &["//", "#"], quotes: &[('"', true), ('\'', true)], attributes: true, ..C };
const SHELL: Syntax = Syntax { plain: &['\''], glued: true, ..SCRIPT };

/// The syntax of files with this extension.
pub fn syntax(extension: &str) -> Option<Syntax> {
    Some(match extension {
        "py" => PYTHON,
        "ts" | "tsx" | "js" | "jsx" => JAVASCRIPT,
        "go" => GO,
        "rs" => RUST,
        "java" | "cs" => JVM,
        "kt" | "swift" => NESTED,
        "c" | "cpp" | "h" | "hpp" => C,
        "php" => PHP,
        "rb" => SCRIPT,
        "sh" | "bash" | "zsh" => SHELL,
        _ => return None,
    })
}

/// Cuts the text of a file.
pub fn tokens<'t>(text: &'t str, syntax: &Syntax) -> Vec<Token<'t>> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut glued = false;
    while let Some(c) = rest.chars().next() {
        let comments = !(glued && syntax.glued && c == '#');
        let (token, used) = next(rest, c, syntax, out.last(), comments);
        glued = token.is_some_and(|token| !matches!(token, Token::Line | Token::Sign(';' | '(' | '|' | '&')));
        out.extend(token);
        rest = rest.get(used.max(c.len_utf8())..).unwrap_or_default();
    }
    out
}

/// The token at the beginning of `rest`, and its length.
fn next<'t>(
    rest: &'t str,
    c: char,
    syntax: &Syntax,
    before: Option<&Token<'_>>,
    comments: bool,
) -> (Option<Token<'t>>, usize) {
    if c == '\n' {
        return (Some(Token::Line), 1);
    }
    if c.is_whitespace() {
        return (None, c.len_utf8());
    }
    if let Some(end) = comment(rest, syntax).filter(|_| comments) {
        return (rest.get(..end).map(Token::Comment), end);
    }
    if let Some((from, to, used)) = raw(rest, syntax).or_else(|| quoted(rest, c, syntax)) {
        return (rest.get(from..to).map(Token::Text), used);
    }
    if c == '/' && syntax.patterns && begins_pattern(before) {
        let used = pattern(rest);
        if used > 1 {
            return (rest.get(1..used - 1).map(Token::Text), used);
        }
    }
    let starts_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let at = matches!(c, '@' | '#') && rest.chars().nth(1).is_some_and(starts_word);
    if starts_word(c) || at {
        let end = word_end(rest);
        return (rest.get(..end).map(Token::Word), end);
    }
    (Some(Token::Sign(c)), c.len_utf8())
}

/// The length of the name at the beginning, with the parts that dots and double colons join.
fn word_end(rest: &str) -> usize {
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = match c {
            '@' | '#' => at == 0,
            '.' => chars.peek().is_some_and(|(_, next)| next.is_alphanumeric() || matches!(next, '_' | '$')),
            ':' => {
                let double = chars.peek().is_some_and(|(_, next)| *next == ':');
                double || rest.get(..at).is_some_and(|before| before.ends_with(':')) && end == at
            }
            c => c.is_alphanumeric() || matches!(c, '_' | '$'),
        };
        if !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// The length of the comment at the beginning.
fn comment(rest: &str, syntax: &Syntax) -> Option<usize> {
    let attribute = syntax.attributes && rest.starts_with("#[");
    if !attribute && syntax.line.iter().any(|mark| rest.starts_with(mark)) {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    let (open, close) = syntax.block?;
    let body = rest.strip_prefix(open)?;
    if !syntax.nested {
        return Some(body.find(close).map_or(rest.len(), |end| open.len() + end + close.len()));
    }
    // Both marks are two bytes long; one pass over the bytes keeps a deep nest linear.
    let bytes = rest.as_bytes();
    let (mut depth, mut at) = (1_usize, open.len());
    while let Some(pair) = bytes.get(at..at + 2) {
        if pair == close.as_bytes() {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else if pair == open.as_bytes() {
            depth += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    Some(rest.len())
}

/// `r"…"` and `r#"…"#` of Rust.
fn raw(rest: &str, syntax: &Syntax) -> Option<(usize, usize, usize)> {
    if !syntax.lifetimes {
        return None;
    }
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    let body = after.get(hashes..)?.strip_prefix('"')?;
    let from = rest.len() - body.len();
    let close: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    match body.find(&close) {
        Some(at) => Some((from, from + at, from + at + close.len())),
        None => Some((from, rest.len(), rest.len())),
    }
}

/// A quoted text: where its content begins and ends, and its length.
fn quoted(rest: &str, c: char, syntax: &Syntax) -> Option<(usize, usize, usize)> {
    if syntax.long.contains(&c) {
        let mark: String = std::iter::repeat_n(c, 3).collect();
        if rest.starts_with(&mark) {
            return Some(scan(rest, 3, &mark, true, true));
        }
    }
    if syntax.lifetimes && c == '\'' {
        return character(rest);
    }
    let (_, lines) = syntax.quotes.iter().find(|(quote, _)| *quote == c)?;
    if c == '`' && syntax.patterns {
        return Some(template(rest));
    }
    let mut close = [0; 4];
    Some(scan(rest, 1, c.encode_utf8(&mut close), *lines, !syntax.plain.contains(&c)))
}

/// Follows a text from `open` bytes on to its `close`; one that may not span lines ends with its line.
fn scan(rest: &str, open: usize, close: &str, lines: bool, escapes: bool) -> (usize, usize, usize) {
    let mut skip = false;
    for (at, c) in rest.char_indices().skip(open) {
        if skip {
            skip = false;
        } else if escapes && c == '\\' {
            skip = true;
        } else if rest.get(at..).is_some_and(|tail| tail.starts_with(close)) {
            return (open, at, at + close.len());
        } else if c == '\n' && !lines {
            return (open, at, at);
        }
    }
    (open, rest.len(), rest.len())
}

/// A template of JavaScript, with the code and the templates in it.
fn template(rest: &str) -> (usize, usize, usize) {
    // The open braces of each level; a level without any is text.
    let mut levels = vec![0_usize];
    let mut skip = false;
    for (at, c) in rest.char_indices().skip(1) {
        let Some(braces) = levels.last_mut() else { break };
        let code = *braces > 0;
        match c {
            _ if skip => skip = false,
            '\\' => skip = true,
            '`' if code => levels.push(0),
            '`' => {
                levels.pop();
                if levels.is_empty() {
                    return (1, at, at + 1);
                }
            }
            '{' if code || rest.get(..at).is_some_and(|before| before.ends_with('$')) => *braces += 1,
            '}' if code => *braces -= 1,
            _ => {}
        }
    }
    (1, rest.len(), rest.len())
}

/// A character of Rust in quotes; a lifetime is none.
fn character(rest: &str) -> Option<(usize, usize, usize)> {
    let inner = rest.get(1..)?;
    let first = inner.chars().next()?;
    if first == '\\' {
        let escaped = inner.get(1..)?.chars().next()?.len_utf8();
        // The longest is `'\u{10ffff}'`.
        let close = inner.bytes().skip(1 + escaped).take(10).position(|byte| byte == b'\'')?;
        let end = close + 1 + escaped;
        return Some((1, 1 + end, 2 + end));
    }
    let end = 1 + first.len_utf8();
    rest.get(end..)?.starts_with('\'').then_some((1, end, end + 1))
}

/// Whether a slash after this token begins a regular expression and no division.
fn begins_pattern(before: Option<&Token<'_>>) -> bool {
    match before {
        None | Some(Token::Line | Token::Comment(_)) => true,
        Some(Token::Sign(sign)) => !matches!(sign, ')' | ']' | '}'),
        Some(Token::Word(word)) => matches!(*word, "return" | "typeof" | "case" | "in" | "of" | "await" | "yield"),
        Some(Token::Text(_)) => false,
    }
}

/// Characters of the longest regular expression. Each slash may begin one, so the search for its end is bounded.
const LONGEST_PATTERN: usize = 500;

/// The length of a regular expression on one line; 0 if it is none.
fn pattern(rest: &str) -> usize {
    let (mut skip, mut class) = (false, false);
    for (at, c) in rest.char_indices().skip(1).take(LONGEST_PATTERN) {
        match c {
            '\n' => return 0,
            _ if skip => skip = false,
            '\\' => skip = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return at + 1,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(extension: &str, text: &'static str) -> Vec<Token<'static>> {
        tokens(text, &syntax(extension).unwrap())
    }

    fn words(extension: &str, text: &'static str) -> Vec<&'static str> {
        cut(extension, text)
            .into_iter()
            .filter_map(|token| if let Token::Word(word) = token { Some(word) } else { None })
            .collect()
    }

    #[test]
    fn comments_and_texts_are_no_code() {
        assert_eq!(words("py", "a # b\n\"\"\"c\nd\"\"\" e 'f' g"), ["a", "e", "g"]);
        assert_eq!(words("js", "a // b\n/* c\nd */ e `f\n${g} h` i(/j'k/) l"), ["a", "e", "i", "l"]);
        assert_eq!(words("go", "a `b \\` c \"d\" /* e */ f"), ["a", "c", "f"]);
        assert_eq!(words("rs", "a /* b /* c */ d */ e r#\"f\"g\"# 'h' &'i j \"k\\\"l\" m"), ["a", "e", "i", "j", "m"]);
        assert_eq!(words("kt", "a \"\"\"b \"c\" d\"\"\" e"), ["a", "e"]);
        assert_eq!(words("sh", "a 'b\\' c ${#d} # e"), ["a", "c", "$", "#d"]);
        assert_eq!(words("php", "a # b\n// c\n#[d]\ne"), ["a", "d", "e"]);
        assert_eq!(words("js", "a `b ${c(`d ${e} `)} f` g"), ["a", "g"]);
        assert_eq!(words("sh", "a#b c #d\ne;#f"), ["a", "#b", "c", "e"]);
    }

    #[test]
    fn names_keep_their_parts() {
        assert_eq!(words("py", "@mock.patch x.y().z 1"), ["@mock.patch", "x.y", "z", "1"]);
        assert_eq!(words("rs", "a::b::c d.e f: g"), ["a::b::c", "d.e", "f", "g"]);
    }

    #[test]
    fn no_text_takes_more_than_linear_time() {
        let begun = std::time::Instant::now();
        for (extension, part) in [
            ("rs", "/*"),
            ("rs", "/* */"),
            ("rs", "'\\"),
            ("rs", "r#\""),
            ("js", "/["),
            ("js", "`${"),
            ("js", "/"),
            ("py", "\"\"\""),
            ("py", "\"\\"),
            ("kt", "\"\"\" /*"),
            ("go", "`"),
            ("sh", "#'"),
            ("php", "#[/*"),
            ("ts", "a.b:"),
        ] {
            let text = part.repeat(1_000_000 / part.len());
            assert!(tokens(&text, &syntax(extension).unwrap()).len() <= text.len());
        }
        // What is quadratic takes hours.
        assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
    }

    #[test]
    fn open_ends_reach_the_end_of_line_or_file() {
        assert_eq!(words("py", "a 'b\nc"), ["a", "c"]);
        assert_eq!(words("js", "a /* b\nc"), ["a"]);
        assert_eq!(words("js", "a / b / c"), ["a", "b", "c"]);
        assert_eq!(cut("py", "\"\"\"a"), [Token::Text("a")]);
        assert!(cut("rs", "'").contains(&Token::Sign('\'')));
    }
}
