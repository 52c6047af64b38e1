//! A strict JSON scanner that finds where values begin and end, without recursion, copies or decoding.
//!
//! It accepts exactly the texts of RFC 8259 whose escapes are well formed; a lone surrogate escape is well formed here,
//! because the host sends those. Nesting is kept in a bit stack, one bit a level, so depth costs neither stack nor time.

use crate::error::{ParseError, ParseErrorKind};
use crate::raw::{Raw, Text};

/// A position in one text.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// The open brackets around the current position: 1 for an object, 0 for an array.
#[derive(Default)]
struct Nesting {
    word: u64,
    depth: usize,
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.word);
            self.word = 0;
        }
        self.word = (self.word << 1) | u64::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.word >>= 1;
        self.depth -= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.word = self.outer.pop().unwrap_or_default();
        }
    }

    /// Whether the innermost bracket is an object; `None` outside all brackets.
    fn top(&self) -> Option<bool> {
        (self.depth != 0).then_some(self.word & 1 == 1)
    }
}

/// Whether a byte ends the plain part of a string literal.
const fn special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The same byte eight times.
const fn eight(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// How many of eight bytes stand before the first that is [`special`], or `None` where none is. A subtraction borrows from a byte's top
/// bit where the byte is smaller than what is taken away; what it borrows from the next byte can only raise a false alarm above a true one.
const fn plain_before(bytes: [u8; 8]) -> Option<u32> {
    let word = u64::from_le_bytes(bytes);
    let control = word.wrapping_sub(eight(0x20)) & !word;
    let quote = word ^ eight(b'"');
    let backslash = word ^ eight(b'\\');
    let same = quote.wrapping_sub(eight(1)) & !quote | backslash.wrapping_sub(eight(1)) & !backslash;
    let found = (control | same) & eight(0x80);
    if found == 0 { None } else { Some(found.trailing_zeros() / 8) }
}

/// Length of the part of `rest` before the first quote, backslash or control character. Eight bytes are tested at once, whatever the
/// compiler is told to optimise for: file contents are most of a large payload, and it is passed several times.
fn plain_length(rest: &[u8]) -> usize {
    let (words, tail) = rest.as_chunks::<8>();
    let mut passed = 0;
    for word in words {
        if let Some(more) = plain_before(*word) {
            return passed + more as usize;
        }
        passed += 8;
    }
    passed + tail.iter().position(|&byte| special(byte)).unwrap_or(tail.len())
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        self.at += usize::from(hit);
        hit
    }

    fn fault(&self) -> ParseError {
        ParseError::new(ParseErrorKind::NotJson, self.at)
    }

    fn expect(&mut self, byte: u8) -> Result<(), ParseError> {
        if self.take(byte) { Ok(()) } else { Err(self.fault()) }
    }

    /// Passes one string literal and says whether it holds an escape.
    fn string(&mut self) -> Result<bool, ParseError> {
        self.expect(b'"')?;
        let mut escaped = false;
        loop {
            self.at += plain_length(self.rest());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(escaped);
                }
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                        Some(b'u') => {
                            self.at += 1;
                            for _ in 0..4 {
                                if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                                    return Err(self.fault());
                                }
                                self.at += 1;
                            }
                        }
                        _ => return Err(self.fault()),
                    }
                }
                _ => return Err(self.fault()),
            }
        }
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.fault()) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), ParseError> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.rest().starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.fault())
        }
    }

    fn key(&mut self) -> Result<bool, ParseError> {
        let escaped = self.string()?;
        self.space();
        self.expect(b':')?;
        Ok(escaped)
    }

    /// Passes one value, from its first byte on; says whether it is a string with escapes.
    fn value(&mut self) -> Result<bool, ParseError> {
        let mut open = Nesting::default();
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'{') => {
                    self.at += 1;
                    self.space();
                    if !self.take(b'}') {
                        open.push(true);
                        self.key()?;
                        self.space();
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    self.space();
                    if !self.take(b']') {
                        open.push(false);
                        continue;
                    }
                }
                Some(b'"') => escaped = self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.word("true")?,
                Some(b'f') => self.word("false")?,
                Some(b'n') => self.word("null")?,
                _ => return Err(self.fault()),
            }
            // One value is complete: close what closes here, then go on to the next one.
            loop {
                let Some(object) = open.top() else { return Ok(escaped) };
                self.space();
                if self.take(b',') {
                    self.space();
                    if object {
                        self.key()?;
                        self.space();
                    }
                    break;
                }
                self.expect(if object { b'}' } else { b']' })?;
                open.pop();
            }
        }
    }

    fn raw(&mut self) -> Result<Raw<'a>, ParseError> {
        self.space();
        let start = self.at;
        let escaped = self.value()?;
        let text = self.text.get(start..self.at).ok_or_else(|| self.fault())?;
        Ok(Raw::scanned(text, escaped))
    }

    fn end(&mut self) -> Result<(), ParseError> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { Err(ParseError::new(ParseErrorKind::Trailing, self.at)) }
    }

    /// One whole document of any kind.
    pub(crate) fn document(mut self) -> Result<Raw<'a>, ParseError> {
        self.space();
        if self.at == self.text.len() {
            return Err(ParseError::new(ParseErrorKind::Empty, self.at));
        }
        let value = self.raw()?;
        self.end()?;
        Ok(value)
    }

    /// Calls `member` for each member of one whole document that must be an object.
    pub(crate) fn object(mut self, mut member: impl FnMut(Text<'a>, Raw<'a>)) -> Result<(), ParseError> {
        self.space();
        let start = self.at;
        if !self.take(b'{') {
            self.document()?;
            return Err(ParseError::new(ParseErrorKind::NotObject, start));
        }
        self.space();
        if !self.take(b'}') {
            loop {
                self.space();
                let start = self.at;
                let escaped = self.string()?;
                let key = Text::scanned(self.text.get(start..self.at).ok_or_else(|| self.fault())?, escaped);
                self.space();
                self.expect(b':')?;
                let value = self.raw()?;
                member(key, value);
                self.space();
                if !self.take(b',') {
                    self.expect(b'}')?;
                    break;
                }
            }
        }
        self.end()
    }

    /// Calls `item` for each item of one whole document; `false` if that isn't an array.
    pub(crate) fn array(mut self, mut item: impl FnMut(Raw<'a>)) -> Result<bool, ParseError> {
        self.space();
        if !self.take(b'[') {
            return Ok(false);
        }
        self.space();
        if !self.take(b']') {
            loop {
                let value = self.raw()?;
                item(value);
                self.space();
                if !self.take(b',') {
                    self.expect(b']')?;
                    break;
                }
            }
        }
        self.end()?;
        Ok(true)
    }
}
