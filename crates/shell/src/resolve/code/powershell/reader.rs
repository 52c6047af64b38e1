//! Characters, blanks, comments and quotes.

use std::collections::{BTreeMap, BTreeSet};

use super::value::{Piece, Value, Word};

/// Levels of brackets and blocks that are followed.
const MOST_LEVELS: u16 = 40;

/// Characters of a variable's name.
const LONGEST_NAME: usize = 128;

/// Bytes that texts and blocks add which are run again.
const MOST_COPIED: usize = 64 << 10;

/// Reads a text once, from its beginning to its end.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    levels: u16,
    unread: bool,
    copied: usize,
    /// Hash tables and lists by the variables that hold them, for `@name`.
    pub(super) splats: BTreeMap<String, Value>,
    /// Variables that hold lists.
    pub(super) lists: BTreeSet<String>,
    /// Names that the text gives to commands.
    pub(super) aliases: BTreeMap<String, String>,
    /// What the last command gives, where that is known without following it.
    pub(super) gave: Option<Value>,
    /// Functions of the text.
    pub(super) functions: BTreeSet<String>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            levels: 0,
            unread: false,
            copied: 0,
            splats: BTreeMap::new(),
            lists: BTreeSet::new(),
            aliases: BTreeMap::new(),
            gave: None,
            functions: BTreeSet::new(),
        }
    }

    pub(super) const fn is_unread(&self) -> bool {
        self.unread
    }

    /// Says that something cannot be followed to its end.
    pub(super) const fn give_up(&mut self) {
        self.unread = true;
    }

    /// Whether so much that is known already may be written once more.
    pub(super) fn may_copy(&mut self, bytes: usize) -> bool {
        self.copied = self.copied.saturating_add(bytes);
        self.unread |= self.copied > MOST_COPIED;
        self.copied <= MOST_COPIED
    }

    /// Reads something within brackets, unless they are too deep.
    pub(super) fn within<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.levels >= MOST_LEVELS {
            self.unread = true;
            self.at = self.text.len();
            return T::default();
        }
        self.levels += 1;
        let result = read(self);
        self.levels -= 1;
        result
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn sees(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.sees(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// A closing bracket that has to come.
    pub(super) fn close(&mut self, bracket: &str) {
        self.blanks(true);
        if !self.eat(bracket) {
            self.unread = true;
        }
    }

    /// Passes blanks and comments, and ends of lines where they count as blanks.
    pub(super) fn blanks(&mut self, lines: bool) {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() && (lines || c != '\n') => {
                    self.bump();
                }
                Some('`') if self.sees("`\n") || self.sees("`\r\n") => {
                    self.at += if self.sees("`\n") { 2 } else { 3 };
                }
                Some('#') => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += end;
                }
                Some('<') if self.sees("<#") => match self.rest().find("#>") {
                    Some(end) => self.at += end + 2,
                    None => self.at = self.text.len(),
                },
                _ => return,
            }
        }
    }

    /// A name that stands here, in lower case.
    pub(super) fn name(&mut self) -> String {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default().to_lowercase()
    }

    /// What stands up to a bracket that closes the one before it.
    pub(super) fn balanced(&mut self, open: char, close: char) -> &'t str {
        let rest = self.rest();
        let mut depth = 1_u32;
        for (at, c) in rest.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
            }
            if depth == 0 {
                self.at += at + c.len_utf8();
                return rest.get(..at).unwrap_or_default();
            }
        }
        self.unread = true;
        self.at = self.text.len();
        rest
    }

    /// The text in quotes that begins here, if one does.
    pub(super) fn quotes(&mut self) -> Option<Word> {
        if self.sees("@'") || self.sees("@\"") {
            return self.here_string();
        }
        match self.peek()? {
            '\'' | '‘' | '’' => {
                self.bump();
                Some(vec![Piece::Text(self.single())])
            }
            '"' | '“' | '”' => {
                self.bump();
                Some(self.double())
            }
            _ => None,
        }
    }

    fn here_string(&mut self) -> Option<Word> {
        let quote = if self.sees("@'") { '\'' } else { '"' };
        let begin = self.rest().get(2..)?;
        // Nothing but blanks stands behind the opening mark.
        let line = begin.find(|c: char| c == '\n' || !c.is_whitespace())?;
        if !begin.get(line..)?.starts_with('\n') {
            return None;
        }
        let body = begin.get(line + 1..)?;
        let closing = format!("{quote}@");
        // The closing mark stands at the beginning of a line.
        let (end, skip) = if body.starts_with(&closing) {
            (0, 0)
        } else {
            let end = body.find(&format!("\n{closing}"));
            self.unread |= end.is_none();
            end.map_or((body.len(), 0), |end| (end, 1))
        };
        let inner = body.get(..end)?;
        self.at = (self.at + 2 + line + 1 + end + skip + 2).min(self.text.len());
        if quote == '\'' {
            return Some(vec![Piece::Text(inner.to_owned())]);
        }
        Some(self.of_inner(inner))
    }

    /// The pieces of a text that stands in double quotes, without them.
    fn of_inner(&mut self, inner: &str) -> Word {
        let mut reader = Reader { levels: self.levels, ..Reader::new(inner) };
        let word = self.within(|_| reader.text_pieces(false));
        self.unread |= reader.unread;
        word
    }

    /// The commands of a text that is run.
    pub(super) fn of_text(&mut self, text: &str) -> String {
        let mut reader = Reader { levels: self.levels, ..Reader::new(text) };
        std::mem::swap(&mut reader.splats, &mut self.splats);
        let lines = reader.script();
        std::mem::swap(&mut reader.splats, &mut self.splats);
        self.unread |= reader.unread;
        lines
    }

    fn single(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self.bump() {
            if matches!(c, '\'' | '‘' | '’') {
                if !matches!(self.peek(), Some('\'' | '‘' | '’')) {
                    return out;
                }
                self.bump();
            }
            out.push(c);
        }
        self.unread = true;
        out
    }

    fn double(&mut self) -> Word {
        self.within(|reader| reader.text_pieces(true))
    }

    fn text_pieces(&mut self, quoted: bool) -> Word {
        let mut word = Word::new();
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                self.unread |= quoted;
                break;
            };
            match c {
                '"' | '“' | '”' if quoted => {
                    self.bump();
                    if !matches!(self.peek(), Some('"')) {
                        break;
                    }
                    self.bump();
                    text.push('"');
                }
                '`' => {
                    self.bump();
                    text.extend(self.escaped());
                }
                '$' => {
                    if let Some(pieces) = self.expansion() {
                        if !text.is_empty() {
                            word.push(Piece::Text(std::mem::take(&mut text)));
                        }
                        word.extend(pieces);
                    } else {
                        text.extend(self.bump());
                    }
                }
                _ => {
                    self.bump();
                    text.push(c);
                }
            }
        }
        if !text.is_empty() || word.is_empty() {
            word.push(Piece::Text(text));
        }
        word
    }

    /// The character after a backtick.
    pub(super) fn escaped(&mut self) -> Option<char> {
        match self.bump()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '0' | 'a' | 'b' | 'e' | 'f' | 'v' | '\n' => None,
            c => Some(c),
        }
    }

    /// `$x` or `$(…)` within a text.
    fn expansion(&mut self) -> Option<Word> {
        if self.eat("$(") {
            let list = self.within(|reader| reader.statements(Some(')')));
            self.close(")");
            return Some(vec![Piece::Code(format!("$({list}\n)"))]);
        }
        let value = self.variable()?;
        Some(value.joined(" "))
    }

    /// The variable that begins here, if one does.
    pub(super) fn variable(&mut self) -> Option<Value> {
        let rest = self.rest().strip_prefix('$')?;
        let (name, length) = if let Some(inner) = rest.strip_prefix('{') {
            let end = inner.char_indices().take(LONGEST_NAME).find(|(_, c)| *c == '}').map(|(at, _)| at)?;
            (inner.get(..end)?, end + 2)
        } else {
            let end = variable_end(rest);
            (rest.get(..end)?, end)
        };
        if name.is_empty() {
            return None;
        }
        self.at += 1 + length;
        Some(super::render::variable(name))
    }
}

/// Where a name after `$` ends.
fn variable_end(rest: &str) -> usize {
    if rest.starts_with(['$', '?', '^']) {
        return 1;
    }
    let mut scoped = false;
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = c.is_alphanumeric()
            || c == '_'
            || c == ':'
                && !scoped
                && at > 0
                && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric() || *next == '_');
        if !goes_on {
            break;
        }
        scoped |= c == ':';
        end = at + c.len_utf8();
    }
    end
}
