//! Redaction: one forward pass that finds secrets by their shape, their name or their place.

mod ahead;
mod name;
mod option;
mod sets;
mod token;
mod tool;
mod value;

use std::borrow::Cow;

use name::Class;
use tool::{Tool, tool_of};
use value::Value;

/// What stands in a secret's place.
pub(crate) const REDACTED: &str = "[redacted]";
/// What stands at the end of a text that was cut.
const CUT: char = '…';
/// Bytes behind the cut that are still looked at, so that a secret across it is recognised.
const MARGIN: usize = 4_096;
/// Further looks at a text in which something was replaced.
const ROUNDS: usize = 4;
/// Blanks that may stand between a name, its separator and its value.
const BLANKS: usize = 64;

pub(crate) use name::is_secret_name;

/// Replaces secrets by `[redacted]`; borrowed when there are none. Time linear in the length, no regex.
///
/// Found are:
/// - tokens by their known start: `ghp_…`, `github_pat_…`, `glpat-…`, `sk-…`, `AKIA…`, `xoxb-…`, `AIza…`, `npm_…`, JSON web
///   tokens and about forty more, and private keys between their BEGIN and END lines;
/// - values by their name: `password=…`, `"client_secret": "…"`, `API_KEY=…`, `X-Api-Key: …`, `--token …`, also with escaped
///   quotes; the name stays;
/// - values by their place: `Authorization: …`, `Bearer …`, `Cookie: …`, `user:…@` in URLs, `-p…` of `mysql` and its like,
///   `-u user:…` and `-b name=…` of `curl`, what `gh secret set`, `vault kv put` and some forty other commands store, `--from-literal=name=…`, `vault login …`, `aws configure set … …`, `htpasswd -b … …`, `set TOKEN …`, and what
///   `echo` pipes into `sudo -S` or `--password-stdin`.
///
/// Not found are secrets with neither a known shape nor a telling name (`echo hunter2`), the words after the first of an
/// unquoted passphrase, and anything encoded. References (`$TOKEN`, `$(cat file)`), `true`, `null` and ordinary words
/// ("token bucket", "password reset page") stay. Doing it twice changes nothing.
///
/// ```
/// use hook_audit_log::redact;
/// assert_eq!(redact("curl -H 'Authorization: Bearer abc123xyz' https://h"), "curl -H 'Authorization: Bearer [redacted]' https://h");
/// assert_eq!(redact("API_KEY=abc ./run --token t0k3n"), "API_KEY=[redacted] ./run --token [redacted]");
/// assert_eq!(redact("a token bucket"), "a token bucket");
/// ```
pub fn redact(text: &str) -> Cow<'_, str> {
    // Names of events, tools and verdicts: too short for a token, and nothing in them gives a value a name.
    let named = |b: u8| matches!(b, b'=' | b':' | b' ' | b'\t' | b'<');
    if text.len() < token::SHORTEST && !text.bytes().any(named) {
        return Cow::Borrowed(text);
    }
    once(text).map_or(Cow::Borrowed(text), |out| Cow::Owned(settled(out)))
}

/// A replacement may show what its secret hid, so the text is looked at until nothing changes. Only a text with secrets pays.
fn settled(mut out: String) -> String {
    for _ in 0..ROUNDS {
        match once(&out) {
            Some(again) if again != out => out = again,
            _ => break,
        }
    }
    out
}

/// One pass; `None` when there is nothing to replace.
fn once(text: &str) -> Option<String> {
    let spans = Scan::new(text).run(text.len());
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        out.push_str(text.get(from..span.from).unwrap_or_default());
        out.push_str(REDACTED);
        from = span.to;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// [`redact`], then cut to at most `limit` characters; a cut text ends with `…`, which counts. Costs no more for a text of any
/// length than for one of the limit, and a secret across the cut does not survive in part.
pub fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    let Some(stop) = nth(text, limit) else {
        return match redact(text) {
            // A replacement may be longer than what it replaces.
            Cow::Owned(longer) => Cow::Owned(cut(longer, limit)),
            same @ Cow::Borrowed(_) => same,
        };
    };
    let behind = (stop.saturating_add(MARGIN)..text.len()).take(4).find(|at| text.is_char_boundary(*at));
    let window = behind.and_then(|at| text.get(..at)).unwrap_or(text);
    let mut out = String::with_capacity(stop + REDACTED.len());
    let mut from = 0;
    for span in Scan::new(window).run(stop) {
        if span.from >= stop {
            break;
        }
        out.push_str(text.get(from..span.from).unwrap_or_default());
        out.push_str(REDACTED);
        from = span.to;
    }
    // What lies behind the stop is not copied even if replacements have made room: there a secret may be half seen.
    out.push_str(text.get(from..stop).unwrap_or_default());
    if from > 0 {
        out = settled(out);
    }
    out.push(CUT);
    Cow::Owned(cut(out, limit))
}

/// Where the character of this number begins, from 0. No text has more characters than bytes, and ASCII has as many: counting is for the
/// rest.
fn nth(text: &str, number: usize) -> Option<usize> {
    let before = text.as_bytes().get(..number)?;
    if before.is_ascii() {
        return (number < text.len()).then_some(number);
    }
    text.char_indices().nth(number).map(|(at, _)| at)
}

/// The text, shortened to `limit` characters and marked if it has more.
fn cut(mut text: String, limit: usize) -> String {
    if nth(&text, limit).is_none() {
        return text;
    }
    let keep = nth(&text, limit.saturating_sub(1)).unwrap_or_default();
    text.truncate(keep);
    if limit > 0 {
        text.push(CUT);
    }
    text
}

/// A piece of the text that is replaced. Both ends are character boundaries, because they lie beside ASCII bytes or at
/// the ends of the text.
#[derive(Clone, Copy)]
struct Span {
    from: usize,
    to: usize,
}

/// A value that no scan comes to.
const NOWHERE: Value = Value { from: usize::MAX, to: usize::MAX, quoted: false };

struct Scan<'t> {
    text: &'t [u8],
    spans: Vec<Span>,
    tool: Tool,
    /// A secret farther on; [`NOWHERE`] when none is known.
    ahead: Value,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self { text: text.as_bytes(), spans: Vec::new(), tool: Tool::None, ahead: NOWHERE }
    }

    fn byte(&self, at: usize) -> u8 {
        // NUL stands for "behind the end": it belongs to no word, quote or separator.
        self.text.get(at).copied().unwrap_or(0)
    }

    fn slice(&self, from: usize, to: usize) -> &'t [u8] {
        self.text.get(from..to).unwrap_or_default()
    }

    fn starts(&self, at: usize, with: &[u8]) -> bool {
        self.text.get(at..).is_some_and(|rest| rest.starts_with(with))
    }

    /// The secrets that start before `stop`; one that was found on the way may start behind it.
    fn run(mut self, stop: usize) -> Vec<Span> {
        let mut at = 0;
        while at < stop {
            if self.ahead.from <= at
                && let Some(next) = self.hide_ahead(at)
            {
                at = next.max(at + 1);
                continue;
            }
            let byte = self.byte(at);
            if is_word(byte) {
                let end = at + self.text.get(at..).unwrap_or_default().iter().take_while(|b| is_word(**b)).count();
                at = self.word(at, end).max(at + 1);
            } else {
                at = match byte {
                    b':' if self.starts(at, b"://") => self.url(at + 3),
                    // The letter of an escaped line end is not the first of the next word.
                    b'\\' if matches!(self.byte(at + 1), b'n' | b'r' | b't') => at + 2,
                    b'<' if self.starts(at, b"<<<") && matches!(self.tool, Tool::Sets(_)) => {
                        let value = self.value(self.skip_blanks(at + 3));
                        if value::is_reference(self.slice(value.from, value.to)) {
                            value.to
                        } else {
                            self.hide_value(&value)
                        }
                    }
                    b'\n' | b';' | b'|' | b'&' | b'(' | b'`' => {
                        self.tool = Tool::None;
                        at + 1
                    }
                    _ => at + 1,
                };
            }
        }
        self.spans
    }

    /// Replaces a piece and returns where to go on.
    fn hide(&mut self, from: usize, to: usize) -> usize {
        if from < to && self.slice(from, to) != REDACTED.as_bytes() {
            self.spans.push(Span { from, to });
        }
        to
    }

    /// One run of word bytes; returns where to go on.
    fn word(&mut self, start: usize, end: usize) -> usize {
        let dashed = self.byte(start) == b'-';
        if dashed
            && self.starts(start, b"-----BEGIN")
            && let Some(next) = self.private_key(start)
        {
            return next;
        }
        let word = self.slice(start, end);
        if let Tool::Sets(sets) = self.tool
            && let Some(next) = self.set_here(sets, start, end)
        {
            return next;
        }
        // A glued option takes the whole value, of which a token may be only a part.
        if self.tool != Tool::None
            && word.len() > 2
            && dashed
            && let Some(next) = self.option(start, end)
        {
            return next;
        }
        if word.len() >= token::SHORTEST
            && let Some(offset) = token::find(word)
        {
            let trail = word.iter().rev().take_while(|b| matches!(b, b'.' | b'-')).count();
            let to = (end - trail).max(start + offset);
            return self.hide(start + offset, to).max(end - trail);
        }
        if word.eq_ignore_ascii_case(b"bearer") {
            return self.bearer(end);
        }
        if let Some(next) = self.named(start, end) {
            return next;
        }
        if dashed {
            if let Some(next) = self.option(start, end) {
                return next;
            }
        } else {
            self.tool = tool_of(word, self.tool);
            if sets::may_be_program(word) {
                self.look_for_sets(word, end);
            }
        }
        // The first letters of all that announces something farther on.
        if matches!(word.first(), Some(b'-' | b'c' | b'e' | b'l' | b'p' | b's' | b'S')) && word.len() < 10 {
            self.look_ahead(word, end);
        }
        end
    }

    /// `-----BEGIN … PRIVATE KEY-----` up to its END line, or as far as it looks like a key.
    fn private_key(&mut self, start: usize) -> Option<usize> {
        const LABEL: usize = 80;
        let label_from = start + b"-----BEGIN".len();
        let label = self.slice(label_from, (label_from + LABEL).min(self.text.len()));
        let label_len = label.windows(5).position(|w| w == b"-----")?;
        let label = label.get(..label_len)?;
        if !label.windows(11).any(|w| w == b"PRIVATE KEY") && !label.windows(10).any(|w| w == b"Static key") {
            return None;
        }
        let body = label_from + label_len + 5;
        // A body that goes beyond the alphabet of keys ends there: a bare BEGIN line must not hide a command behind it.
        let length = self.text.get(body..).unwrap_or_default().iter().take_while(|b| is_key_body(**b)).count();
        let rest = self.slice(body, body + length);
        let to = rest.windows(8).position(|w| w == b"-----END").map_or(body + length, |at| body + at);
        if self.starts(body, REDACTED.as_bytes()) {
            return Some(body + REDACTED.len());
        }
        Some(self.hide(body, to))
    }

    /// What follows the word `Bearer`.
    fn bearer(&mut self, end: usize) -> usize {
        let from = self.skip_blanks(end);
        let length = self.text.get(from..).unwrap_or_default().iter().take_while(|b| is_bearer(**b)).count();
        let credential = self.slice(from, from + length);
        let mixed = credential.iter().skip(1).any(u8::is_ascii_uppercase);
        let secret = credential.len() >= 8 && (credential.iter().any(u8::is_ascii_digit) || mixed);
        if from > end && secret { self.hide(from, from + length) } else { end }
    }

    /// A secret behind a name and a separator, or behind an option with such a name.
    fn named(&mut self, start: usize, end: usize) -> Option<usize> {
        let mut after = end;
        while self.byte(after) == b'\\' && after - end < 8 {
            after += 1;
        }
        let quoted = matches!(self.byte(after), b'"' | b'\'') && start > 0;
        after = if quoted { after + 1 } else { end };
        let sep_at = self.skip_blanks(after);
        let (sep, from) = match (self.byte(sep_at), self.byte(sep_at + 1)) {
            (b':', b'/' | b':') => return None,
            (b':', b'=') | (b'=', b'>') => (Sep::Assign, sep_at + 2),
            (b':', _) => (Sep::Colon, sep_at + 1),
            (b'=', b'=') => (Sep::Compare, sep_at + 2),
            (b'=', _) => (Sep::Assign, sep_at + 1),
            (b'>', _) if start > 0 && self.byte(start - 1) == b'<' && sep_at == end => (Sep::Xml, sep_at + 1),
            _ if self.byte(start) == b'-' && sep_at > end => (Sep::Option, sep_at),
            _ => return None,
        };
        let dashes = self.slice(start, end).iter().take_while(|b| **b == b'-').count();
        let class = name::class_of(self.slice(start + dashes, end));
        let tight = sep_at == after && from == self.skip_blanks(from);
        match (class, sep) {
            (Class::Authorization, Sep::Colon | Sep::Assign | Sep::Option) => {
                Some(self.authorization(start, self.skip_blanks(from)))
            }
            (Class::Cookie, Sep::Colon) => {
                let from = self.skip_blanks(from);
                let value = if quoted { self.value(from) } else { self.header(start, from) };
                Some(self.hide(value.from, value.to))
            }
            (Class::None | Class::Authorization | Class::Cookie, _) => None,
            (_, Sep::Xml) => {
                let length = self.text.get(from..).unwrap_or_default().iter().take_while(|b| **b != b'<').count();
                // `<TOKEN>` alone is a placeholder.
                self.starts(from + length, b"</").then(|| self.hide(from, from + length))
            }
            _ => {
                let value = self.value(self.skip_blanks(from));
                self.is_secret(class, sep, tight, quoted, &value).then(|| self.hide_value(&value))
            }
        }
    }

    /// Whether a value behind a secret's name is a secret, not a reference, a placeholder or prose.
    fn is_secret(&self, class: Class, sep: Sep, tight: bool, quoted_name: bool, value: &Value) -> bool {
        let text = self.slice(value.from, value.to);
        let first = self.byte(value.from);
        if text.is_empty() || value::is_reference(text) || value::is_literal(text) {
            return false;
        }
        let number = text.iter().all(u8::is_ascii_digit);
        let secretive = value::looks_secret(text);
        if !value.quoted && matches!(first, b'{' | b'(' | b'<') {
            return false;
        }
        // `["a"]` is a list, `[redacted]` has been here before.
        if !value.quoted && first == b'[' && !text.starts_with(REDACTED.as_bytes()) {
            return false;
        }
        match sep {
            Sep::Option => {
                let path = matches!(first, b'/' | b'~' | b'.');
                let prose = name::is_filler(text) || first == b'-';
                // openssl's `-pass` is followed by a kind: `pass:secret`, `env:NAME`, `file:path`.
                if class == Class::Bare && self.tool == Tool::OpenSsl {
                    return false;
                }
                !(prose || class == Class::Key && path || class == Class::Bare && !value.quoted && number)
            }
            Sep::Compare => value.quoted,
            Sep::Xml => true,
            Sep::Assign | Sep::Colon if quoted_name => !number || class == Class::Strong,
            Sep::Assign | Sep::Colon => match class {
                Class::Strong | Class::Key => true,
                // `unexpected token: '}'` is a parser's; three bytes are the fewest with a secret of their own inside.
                _ if value.quoted => text.len() >= 3 || tight && sep == Sep::Assign,
                Class::Weak => tight && sep == Sep::Assign && !number || secretive,
                // `pwd=/home/me` is a directory, `pass: 5` a count, `pass:secret` openssl's.
                Class::Bare => {
                    tight
                        && !number
                        && !matches!(first, b'/' | b'~' | b'.')
                        && (sep == Sep::Assign || self.tool == Tool::OpenSsl)
                }
                Class::None | Class::Authorization | Class::Cookie => false,
            },
        }
    }

    /// `Authorization: SCHEME CREDENTIAL`; the scheme stays.
    fn authorization(&mut self, start: usize, from: usize) -> usize {
        let value = self.value(from);
        let inside = value.from;
        let scheme = self.text.get(inside..).unwrap_or_default().iter().take(32).take_while(|b| is_word(**b)).count();
        let behind = self.skip_blanks(inside + scheme);
        if value.quoted {
            // `"Authorization": "Bearer x"`.
            let from = if scheme > 0 && behind > inside + scheme && behind < value.to { behind } else { inside };
            return self.hide(from, value.to);
        }
        if self.byte(from) == b'$' && value::is_reference(self.slice(value.from, value.to)) {
            return value.to;
        }
        if name::is_scheme(self.slice(inside, inside + scheme)) && behind > inside + scheme {
            // Digest and AWS4 name their parts; the credential goes on to the end of the header.
            let word = self.value(behind);
            let parts = self.slice(word.from, word.to).contains(&b'=') && self.byte(word.to) != b'\'';
            let named = !self.slice(inside, inside + scheme).eq_ignore_ascii_case(b"basic")
                && !self.slice(inside, inside + scheme).eq_ignore_ascii_case(b"bearer");
            let end = if parts && named { self.header(start, behind).to } else { word.to };
            if value::is_reference(self.slice(word.from, word.to)) {
                return word.to;
            }
            return self.hide(behind, end.max(behind));
        }
        if value::is_literal(self.slice(value.from, value.to)) {
            return value.to;
        }
        self.hide(value.from, value.to)
    }

    /// A header's value: to the quote that opened before the name, or to the end of the line.
    fn header(&self, start: usize, from: usize) -> Value {
        let quote = if start > 0 { self.byte(start - 1) } else { 0 };
        let quote = if matches!(quote, b'"' | b'\'' | b'`') { quote } else { b'\n' };
        let rest = self.text.get(from..).unwrap_or_default();
        let length = rest.iter().take_while(|b| **b != quote && **b != b'\n' && **b != b'\r').count();
        Value { from, to: from + length, quoted: false }
    }

    fn hide_value(&mut self, value: &Value) -> usize {
        let text = self.slice(value.from, value.to);
        // Closing brackets and a comma belong to what stands around an unquoted value.
        let closers = if value.quoted {
            0
        } else {
            text.iter().rev().take_while(|b| matches!(b, b')' | b']' | b'}' | b',')).count()
        };
        let done = text.strip_prefix(REDACTED.as_bytes());
        if done.is_some_and(|rest| rest.iter().all(|b| matches!(b, b')' | b']' | b'}' | b','))) {
            return value.to;
        }
        // The first of them may belong to a marker: `pass:[redacted]`.
        let kept = text.len() - closers;
        let marker = text.get(..kept + 1).is_some_and(|text| text.ends_with(REDACTED.as_bytes()));
        let to = if kept == 0 { value.to } else { value.from + kept + usize::from(marker) };
        self.hide(value.from, to)
    }

    /// `user:SECRET@host` behind `://`.
    fn url(&mut self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        let length = rest
            .iter()
            .take_while(|b| !matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | 0..=b' '))
            .count();
        let authority = self.slice(from, from + length);
        let Some(at) = authority.iter().rposition(|b| *b == b'@') else { return from };
        let user = authority.get(..at).unwrap_or_default();
        match user.iter().position(|b| *b == b':') {
            Some(colon) if colon + 1 < at && !value::is_reference(user.get(colon + 1..).unwrap_or_default()) => {
                self.hide(from + colon + 1, from + at)
            }
            Some(_) => from + at,
            // A token alone, as some hosts take it in place of the user.
            None if user.len() >= 20 && value::looks_secret(user) => self.hide(from, from + at),
            None => from,
        }
    }

    fn skip_blanks(&self, from: usize) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        from + rest.iter().take(BLANKS).take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    fn value(&self, from: usize) -> Value {
        value::at(self.text, from)
    }
}

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sep {
    Assign,
    Colon,
    Compare,
    Xml,
    /// Blanks behind an option.
    Option,
}

/// Which bytes belong to a word, as a table: every byte of a text is asked.
#[expect(clippy::indexing_slicing, reason = "it is computed while compiling")]
static WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        word[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        byte += 1;
    }
    word
};

#[inline]
fn is_word(byte: u8) -> bool {
    WORD.get(usize::from(byte)).copied().unwrap_or_default()
}

fn is_bearer(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'~' | b'+' | b'/' | b'=')
}

/// Base64, its line ends (also escaped), and the headers of encrypted keys.
fn is_key_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte.is_ascii_whitespace()
        || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b':' | b',' | b'-' | b'_')
}
