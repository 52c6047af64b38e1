//! What an expression of PowerShell stands for, and how it is written as words of a POSIX shell.

use crate::resolve::exec::quoted;

/// A piece of a word.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Text without quotes: a pattern and `~` count.
    Bare(String),
    /// Text from quotes.
    Text(String),
    /// An expansion of the POSIX shell: `${x}` or `$(…)`.
    Code(String),
}

/// Pieces that are joined.
pub(super) type Word = Vec<Piece>;

/// The value of an expression.
#[derive(Debug, Clone, Default)]
pub(super) struct Value {
    /// Its elements.
    pub(super) items: Vec<Word>,
    /// The commands whose output it is, and nothing else.
    pub(super) run: Option<String>,
    /// The commands of a script block.
    pub(super) block: Option<String>,
    /// The fields of a hash table.
    pub(super) table: Vec<(String, Value)>,
    /// The variable that it is.
    pub(super) variable: Option<String>,
    /// The class whose name it is, in lower case and without `system.`
    pub(super) class: String,
    /// It is text that was made a script block of.
    pub(super) code: bool,
    /// It was hidden by an encoding.
    pub(super) decoded: bool,
    /// The text of the script block.
    pub(super) source: String,
    /// It is true or false.
    pub(super) truth: bool,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self { items: vec![vec![Piece::Text(text.to_owned())]], ..Self::default() }
    }

    /// What the commands print.
    pub(super) fn output(run: String) -> Self {
        Self { items: vec![vec![Piece::Code(format!("$({run})"))]], run: Some(run), ..Self::default() }
    }

    pub(super) fn word(word: Word) -> Self {
        Self { items: vec![word], ..Self::default() }
    }

    /// The text that it is known to be.
    pub(super) fn literal(&self) -> Option<String> {
        let [word] = self.items.as_slice() else { return None };
        literal(word)
    }

    /// Its elements in one word, as a text in quotes shows them.
    pub(super) fn joined(&self, between: &str) -> Word {
        let mut out = Word::new();
        for item in &self.items {
            if !out.is_empty() && !between.is_empty() {
                out.push(Piece::Text(between.to_owned()));
            }
            out.extend(item.iter().cloned());
        }
        out
    }

    /// Its elements as arguments that are paths: patterns and `~` count, in quotes or not.
    pub(super) fn paths(&self) -> String {
        self.each(|word| as_path(word, true))
    }

    /// Its elements as arguments of a program.
    pub(super) fn arguments(&self) -> String {
        self.each(|word| as_path(word, false))
    }

    /// Its elements as they are.
    pub(super) fn plain(&self) -> String {
        self.each(as_text)
    }

    fn each(&self, write: impl Fn(&Word) -> String) -> String {
        let mut words: Vec<String> = self.items.iter().map(write).collect();
        words.extend(self.table.iter().map(|(name, value)| format!("{}={}", quoted(name), value.plain())));
        words.join(" ")
    }
}

/// The text that a word is known to be.
pub(super) fn literal(word: &Word) -> Option<String> {
    let mut out = String::new();
    for piece in word {
        match piece {
            Piece::Bare(text) | Piece::Text(text) => out.push_str(text),
            Piece::Code(_) => return None,
        }
    }
    Some(out)
}

/// A word in which nothing but expansions counts.
pub(super) fn as_text(word: &Word) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::new();
    for piece in word {
        match piece {
            Piece::Bare(text) | Piece::Text(text) => out.push_str(&quoted(text)),
            Piece::Code(code) => out.push_str(&format!("\"{code}\"")),
        }
    }
    out
}

/// A word in which patterns and `~` count.
fn as_path(word: &Word, within_quotes: bool) -> String {
    if let [Piece::Code(code)] = word.as_slice() {
        // A list stays one.
        return code.clone();
    }
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::new();
    for piece in word {
        match piece {
            Piece::Bare(text) => as_pattern(text, &mut out),
            Piece::Text(text) if within_quotes => as_pattern(text, &mut out),
            Piece::Text(text) => out.push_str(&quoted(text)),
            Piece::Code(code) => out.push_str(&format!("\"{code}\"")),
        }
    }
    out
}

fn as_pattern(text: &str, out: &mut String) {
    let text = text.rsplit_once("FileSystem::").map_or(text, |(_, path)| path).replace('\\', "/");
    let mut rest = text.as_str();
    if out.is_empty()
        && let Some(after) = rest.strip_prefix('~')
        && (after.is_empty() || after.starts_with('/'))
    {
        out.push('~');
        rest = after;
    }
    let is_set = rest.contains('[') && rest.contains(']');
    let mut known = String::new();
    for c in rest.chars() {
        if matches!(c, '*' | '?') || is_set && matches!(c, '[' | ']') {
            flush(&mut known, out);
            out.push(c);
        } else {
            known.push(c);
        }
    }
    flush(&mut known, out);
    if text.is_empty() {
        out.push_str("''");
    }
}

fn flush(known: &mut String, out: &mut String) {
    if !known.is_empty() {
        out.push_str(&quoted(known));
        known.clear();
    }
}
