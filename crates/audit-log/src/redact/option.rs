//! Short options that carry a secret.

use super::Scan;
use super::tool::Tool;
use super::value::{self, Value};

impl Scan<'_> {
    /// Short options that carry a secret for the program named before.
    pub(super) fn option(&mut self, start: usize, end: usize) -> Option<usize> {
        let word = self.slice(start, end);
        let next = self.skip_blanks(end);
        let behind = next > end && self.byte(next) != b'-';
        // The secret may go on behind the word's bytes: `-p'a b'`, `-pa$b`.
        match (self.tool, word) {
            (Tool::LowerP, b"-p")
            | (Tool::UpperP, b"-P")
            | (Tool::RedisCli, b"-a")
            | (Tool::Ldap, b"-w")
            | (Tool::Putty, b"-pw")
            | (Tool::OpenSsl, b"-k")
                if behind =>
            {
                let value = self.value(next);
                let spare = value::is_reference(self.slice(value.from, value.to)) && !value.to.eq(&next);
                Some(if spare { value.to } else { self.hide_value(&value) })
            }
            (Tool::LowerP | Tool::GluedP, [b'-', b'p', ..]) | (Tool::UpperP, [b'-', b'P', ..])
                if next == end || word.len() > 2 =>
            {
                // Long options and `--` do not come here; `-port` and the like of the same programs do not exist.
                let value = self.value(start + 2);
                if value::is_reference(self.slice(value.from, value.to)) {
                    return Some(value.to);
                }
                Some(self.hide_value(&value))
            }
            (Tool::Http, b"-u" | b"--user" | b"-U" | b"--proxy-user" | b"-a" | b"--auth") if behind => {
                self.after(next, b':')
            }
            // `-uU:SECRET`, `-sSu U:SECRET`, `--user=U:SECRET`.
            (Tool::Http, [b'-', b'u' | b'U', _, ..]) => self.after(start + 2, b':'),
            (Tool::Http, [b'-', b'u' | b'U']) if next == end => self.after(end, b':'),
            (Tool::Http, [b'-', b'a'..=b'z' | b'A'..=b'Z', .., b'u']) if behind => self.after(next, b':'),
            (Tool::Http, b"--user" | b"--proxy-user") if self.byte(end) == b'=' => self.after(end + 1, b':'),
            // A cookie is a secret; without a sign between name and value it is a file.
            (Tool::Http, b"-b" | b"--cookie") if behind => self.after(next, b'='),
            (Tool::Http, b"--cookie") if self.byte(end) == b'=' => self.after(end + 1, b'='),
            (Tool::Http, [b'-', b'b', _, ..]) => self.after(start + 2, b'='),
            (Tool::Http, [b'-', b'b']) if next == end => self.after(end, b'='),
            (Tool::Http, [b'-', b'a'..=b'z' | b'A'..=b'Z', .., b'b']) if behind => self.after(next, b'='),
            (Tool::Samba, b"-U" | b"--user") if behind => self.after(next, b'%'),
            (_, b"--from-literal") if self.byte(end) == b'=' => self.after(end + 1, b'='),
            (_, b"--from-literal") if behind => self.after(next, b'='),
            _ => None,
        }
    }

    /// Hides the part of a value behind a mark.
    fn after(&mut self, from: usize, mark: u8) -> Option<usize> {
        let value = self.value(from);
        let at = self.slice(value.from, value.to).iter().position(|b| *b == mark)?;
        let secret = Value { from: value.from + at + 1, ..value };
        // `U:'a b'`.
        let secret = if secret.from == secret.to && !value.quoted { self.value(secret.to) } else { secret };
        let text = self.slice(secret.from, secret.to);
        // `-u 1000:1000` is a user and a group.
        let spare = text.is_empty() || value::is_reference(text);
        (!spare).then(|| self.hide_value(&secret))
    }
}
