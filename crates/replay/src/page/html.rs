//! Text that comes from a log, made harmless for a page.

use std::fmt::{self, Display, Write};

use hook_runtime::event::plain::hides;

/// Text as the content of an element or of a quoted attribute. Characters that steer, hide or turn what is shown become visible.
pub(super) struct Text<'t>(pub(super) &'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(' ')?,
                _ if hides(c) => f.write_char('\u{fffd}')?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The beginning of a text, at most `chars` characters.
pub(super) fn short(text: &str, chars: usize) -> String {
    let mut short: String = text.chars().take(chars).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A whole number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 record`, `2 records`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::{Text, grouped, short};

    #[test]
    fn text_cannot_become_markup_or_hide() {
        let hostile = "</code><script>alert('x')</script>\u{202e}\u{1b}[31m&\"\n";
        let shown = Text(hostile).to_string();
        assert!(!shown.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1b}', '\n']), "{shown}");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(short("ähnlich", 2), "äh…");
    }
}
