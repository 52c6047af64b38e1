//! Secrets that stand some words behind what announces them: `vault login SECRET`, `echo SECRET | sudo -S`.

use super::name::{self, Class};
use super::tool::Tool;
use super::value::{self, Value};
use super::{NOWHERE, REDACTED, Scan};

/// How far ahead is looked, in bytes and in words; a secret that lies farther is not found this way.
const BYTES: usize = 512;
const WORDS: usize = 24;

impl Scan<'_> {
    /// Looks behind a word that may announce a secret farther on, and remembers where it is.
    // Rarely needed, and too large to stand in the loop over the words.
    #[inline(never)]
    pub(super) fn look_ahead(&mut self, word: &[u8], end: usize) {
        let found = match (self.tool, word) {
            (Tool::Vault, b"login") => self.vault_login(end),
            (Tool::Aws, b"configure") => self.aws_configure(end),
            (Tool::Htpasswd, [b'-', flags @ ..]) if flags.contains(&b'b') => self.htpasswd(flags.contains(&b'n'), end),
            (_, b"set" | b"SET" | b"setenv") => self.set(end),
            (_, b"echo" | b"printf") => self.piped(end),
            _ => None,
        };
        self.ahead = found.unwrap_or(self.ahead);
    }

    fn vault_login(&self, end: usize) -> Option<Value> {
        let (words, _) = self.words_behind(end);
        let token = words.into_iter().find(|word| {
            let text = self.slice(word.from, word.to);
            !text.starts_with(b"-") && !text.contains(&b'=')
        });
        token.filter(|word| !name::is_filler(self.slice(word.from, word.to)))
    }

    /// `aws configure set NAME SECRET`.
    fn aws_configure(&self, end: usize) -> Option<Value> {
        let (words, _) = self.words_behind(end);
        let [set, name, value, ..] = words.as_slice() else { return None };
        let name = self.slice(name.from, name.to).rsplit(|b| *b == b'.').next().unwrap_or_default();
        let told = self.slice(set.from, set.to) == b"set" && announces(name);
        told.then_some(*value)
    }

    /// `htpasswd -b FILE USER SECRET`, and with `-n` without the file.
    fn htpasswd(&self, mut printed: bool, end: usize) -> Option<Value> {
        let (words, _) = self.words_behind(end);
        let mut plain = Vec::new();
        for word in words {
            match self.slice(word.from, word.to) {
                [b'-', flags @ ..] => printed |= flags.contains(&b'n'),
                _ => plain.push(word),
            }
        }
        plain.get(if printed { 1 } else { 2 }).copied()
    }

    /// `set NAME SECRET` of fish, csh and cmd. It is also how prose begins, so either side has to look like it.
    fn set(&self, end: usize) -> Option<Value> {
        let (words, _) = self.words_behind(end);
        let mut words = words.into_iter().skip_while(|word| self.byte(word.from) == b'-');
        let (name, value) = (words.next()?, words.next()?);
        let name = self.slice(name.from, name.to);
        let text = self.slice(value.from, value.to);
        let shown = value.quoted || value::looks_secret(text) || !name.iter().any(u8::is_ascii_lowercase);
        (announces(name) && shown && !name::is_filler(text) && !text.starts_with(b"=")).then_some(value)
    }

    /// What `echo` or `printf` writes into a program that reads a password from it.
    fn piped(&self, end: usize) -> Option<Value> {
        let (words, pipe) = self.words_behind(end);
        if self.byte(pipe) != b'|' {
            return None;
        }
        let (reader, _) = self.words_behind(pipe + 1);
        let stores = self.stores(&reader);
        let reader: Vec<&[u8]> = reader.iter().map(|word| self.slice(word.from, word.to)).collect();
        let sudo = reader.contains(&b"sudo".as_slice());
        let reads = reader.iter().any(|word| match *word {
            b"--password-stdin" | b"--passphrase-fd" | b"--with-token" | b"chpasswd" => true,
            b"--stdin" => sudo || reader.contains(&b"passwd".as_slice()) || reader.first() == Some(&b"sudo".as_slice()),
            [b'-', b'-', ..] => false,
            [b'-', flags @ ..] => sudo && flags.contains(&b'S'),
            _ => false,
        });
        let is_flag =
            |word: &&Value| matches!(self.slice(word.from, word.to), b"-n" | b"-e" | b"-E" | b"-ne" | b"-en" | b"--");
        let flags = words.iter().take_while(is_flag).count();
        let mut said = words.get(flags..)?;
        if let [format, rest @ ..] = said
            && !rest.is_empty()
            && self.slice(format.from, format.to).contains(&b'%')
        {
            said = rest;
        }
        let (first, last) = (said.first()?, said.last()?);
        let all = if said.len() == 1 { *first } else { Value { from: first.from, to: last.to, quoted: false } };
        (reads || stores).then_some(all)
    }

    /// The words of the command behind this place, and where they end; `0` stands there if they do not end within the window.
    pub(super) fn words_behind(&self, from: usize) -> (Vec<Value>, usize) {
        let window = self.slice(from, (from + BYTES).min(self.text.len()));
        let byte = |at: usize| window.get(at).copied().unwrap_or(0);
        let mut words = Vec::new();
        let mut at = 0;
        while words.len() < WORDS {
            while matches!(byte(at), b' ' | b'\t') {
                at += 1;
            }
            let mut word: Option<Value> = None;
            // Pieces without a blank between them are one word.
            while !matches!(byte(at), 0..=b' ' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') {
                let piece = value::at(window, at);
                let next = if piece.quoted { piece.to + (piece.from - at) } else { piece.to };
                // An escaped quote that closes the string around.
                if next <= at {
                    break;
                }
                at = next;
                word = Some(match word {
                    None => piece,
                    Some(first) => Value { from: first.from, to: next, quoted: false },
                });
            }
            let Some(word) = word else { break };
            // What touches the end of the window may go on behind it.
            if at >= window.len() && from + at < self.text.len() {
                return (words, self.text.len());
            }
            words.push(Value { from: from + word.from, to: from + word.to, ..word });
        }
        (words, from + at)
    }

    /// Hides what was announced, when the scan has come to it.
    #[cold]
    pub(super) fn hide_ahead(&mut self, at: usize) -> Option<usize> {
        let value = std::mem::replace(&mut self.ahead, NOWHERE);
        let text = self.slice(value.from, value.to);
        if value.to <= at
            || value::is_reference(text)
            || text.windows(REDACTED.len()).any(|part| part == REDACTED.as_bytes())
        {
            return None;
        }
        Some(self.hide_value(&Value { from: at, ..value }))
    }
}

/// Whether a secret stands behind this name, also where the name is only a word.
fn announces(name: &[u8]) -> bool {
    matches!(name::class_of(name), Class::Strong | Class::Key | Class::Weak)
}
