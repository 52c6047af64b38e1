//! The one writer of reply JSON: fields in the order they are set, nothing for what is not set.

use serde_json::value::RawValue;

/// A reply while it is written: the top level and the event's own part.
pub(super) struct Document {
    event: &'static str,
    top: Vec<u8>,
    specific: Vec<u8>,
}

impl Document {
    pub(super) fn new(event: &'static str) -> Self {
        Self { event, top: Vec::new(), specific: Vec::new() }
    }

    /// Fields beside `hookSpecificOutput`.
    pub(super) fn top(&mut self) -> Fields<'_> {
        Fields(&mut self.top)
    }

    /// Fields inside `hookSpecificOutput`; `hookEventName` is written for them.
    pub(super) fn specific(&mut self) -> Fields<'_> {
        Fields(&mut self.specific)
    }

    /// A top-level `decision: block` with its reason.
    pub(super) fn block(&mut self, reason: Option<&str>) {
        if let Some(reason) = reason {
            self.top().text("decision", "block");
            self.top().text("reason", reason);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.top.is_empty() && self.specific.is_empty()
    }

    /// One line of JSON with a line break, or nothing when no field is set.
    pub(super) fn finish(self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut out = Vec::with_capacity(self.top.len() + self.specific.len() + 72);
        out.push(b'{');
        // Each field was written with a comma before it; the first of the object loses it.
        out.extend_from_slice(self.top.strip_prefix(b",").unwrap_or(&self.top));
        if !self.specific.is_empty() {
            if !self.top.is_empty() {
                out.push(b',');
            }
            out.extend_from_slice(b"\"hookSpecificOutput\":{\"hookEventName\":\"");
            out.extend_from_slice(self.event.as_bytes());
            out.push(b'"');
            out.extend_from_slice(&self.specific);
            out.push(b'}');
        }
        out.extend_from_slice(b"}\n");
        // Only whole strings were written, so this always succeeds.
        String::from_utf8(out).unwrap_or_default()
    }
}

/// Fields of one object.
pub(super) struct Fields<'a>(&'a mut Vec<u8>);

impl Fields<'_> {
    fn key(&mut self, key: &str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.quote(value);
    }

    pub(super) fn optional(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    /// Writes a switch that is on; one that is off is left out.
    pub(super) fn switch(&mut self, key: &str, on: bool) {
        if on {
            self.boolean(key, true);
        }
    }

    pub(super) fn boolean(&mut self, key: &str, value: bool) {
        self.key(key);
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
    }

    pub(super) fn list(&mut self, key: &str, values: Option<&[String]>) {
        let Some(values) = values else { return };
        self.key(key);
        self.0.push(b'[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            self.quote(value);
        }
        self.0.push(b']');
    }

    /// A JSON string, escaped as `serde_json` does it.
    ///
    /// Contexts are kilobytes of text in which hardly a byte has to be escaped. Pieces without such a byte are copied
    /// whole, which costs a tenth of looking at every byte.
    fn quote(&mut self, text: &str) {
        self.0.reserve(text.len() + text.len() / 16 + 2);
        self.0.push(b'"');
        for piece in text.as_bytes().chunks(32) {
            if piece.iter().fold(false, |any, byte| any | needs_escape(*byte)) {
                for byte in piece {
                    self.escape(*byte);
                }
            } else {
                self.0.extend_from_slice(piece);
            }
        }
        self.0.push(b'"');
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            8 => b'b',
            12 => b'f',
            _ if byte < b' ' => {
                let hex = |digit: u8| if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
                return self.0.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 15)]);
            }
            _ => return self.0.push(byte),
        };
        self.0.extend_from_slice(&[b'\\', short]);
    }

    pub(super) fn raw(&mut self, key: &str, value: Option<&RawValue>) {
        if let Some(value) = value {
            self.key(key);
            self.json(value.get());
        }
    }

    pub(super) fn raws(&mut self, key: &str, values: &[Box<RawValue>]) {
        if values.is_empty() {
            return;
        }
        self.key(key);
        let mut separator = b'[';
        for value in values {
            self.0.push(separator);
            self.json(value.get());
            separator = b',';
        }
        self.0.push(b']');
    }

    /// Copies JSON text on one line. A line break in JSON can only stand between tokens, so a space does as well.
    fn json(&mut self, text: &str) {
        self.0.extend(text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    }

    /// An object as value; `write` sets its fields.
    pub(super) fn object(&mut self, key: &str, write: impl FnOnce(&mut Fields<'_>)) {
        self.key(key);
        let mut inner = Vec::new();
        write(&mut Fields(&mut inner));
        self.0.push(b'{');
        self.0.extend_from_slice(inner.strip_prefix(b",").unwrap_or(&inner));
        self.0.push(b'}');
    }
}

/// Whether a byte can't stand in a JSON string as it is.
const fn needs_escape(byte: u8) -> bool {
    matches!(byte, 0..b' ' | b'"' | b'\\')
}
