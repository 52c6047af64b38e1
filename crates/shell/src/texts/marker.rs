//! What comments of a source file say to the gates: a header, decision markers, and the ids of decisions.

use super::lex::{Token, syntax, tokens};

/// Lines from which on a file has to say why it is as it is.
pub const MARKED_FROM: usize = 50;

/// Most ids of one file that are kept.
pub const MOST_IDS: usize = 500;

/// What the comments of one file say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comments {
    /// The first thing in the file is a comment, or the documentation of a module.
    pub header: bool,
    /// A decision is marked: `@decision`, or a comment that begins with `DECISION:`.
    pub decision: bool,
    /// A reason is given: `@rationale`, or `rationale:` at the beginning of a line.
    pub rationale: bool,
    /// The ids of decisions, in the order of the file, each once.
    pub ids: Vec<String>,
}

/// Reads the comments of a file with this extension.
pub fn comments(text: &str, extension: &str) -> Comments {
    let Some(syntax) = syntax(extension) else { return Comments::default() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if text.starts_with("#!") && !text.starts_with("#![") {
        text.split_once('\n').map_or("", |(_, rest)| rest)
    } else {
        text
    };
    let text = if extension == "php" { text.trim_start().trim_start_matches("<?php") } else { text };
    let tokens = tokens(text, &syntax);
    let mut found = Comments::default();
    let first = tokens.iter().find(|token| !matches!(token, Token::Line));
    found.header = match first {
        Some(Token::Comment(text)) => text.contains(char::is_alphanumeric),
        Some(Token::Text(text)) => extension == "py" && text.contains(char::is_alphanumeric),
        _ => false,
    };
    for token in &tokens {
        // The documentation of Python stands in texts.
        let (Token::Comment(text) | Token::Text(text)) = token else { continue };
        if matches!(token, Token::Text(_)) && extension != "py" {
            continue;
        }
        for line in text.lines() {
            let said = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*' | '#' | '!' | '-'));
            found.decision |= has_tag(said, "@decision") || said.starts_with("DECISION:");
            found.rationale |= has_tag(said, "@rationale") || said.to_ascii_lowercase().starts_with("rationale:");
            for id in ids(said) {
                if found.ids.len() < MOST_IDS && !found.ids.iter().any(|known| known == id) {
                    found.ids.push(id.to_owned());
                }
            }
        }
    }
    found
}

/// Whether a line has the tag as a word.
fn has_tag(line: &str, tag: &str) -> bool {
    line.match_indices(tag).any(|(at, _)| {
        !line.get(at + tag.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// The well-formed ids in a text: `DEC-COMPONENT-001`.
pub fn ids(text: &str) -> impl Iterator<Item = &str> {
    candidates(text).filter(|id| is_id(id))
}

/// Words of a text that mean to be ids of decisions.
pub fn candidates(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .map(|word| word.trim_matches('-'))
        .filter(|word| word.strip_prefix("DEC-").is_some_and(|rest| rest.contains(|c: char| c.is_ascii_digit())))
}

/// Whether this is `DEC-`, a component of two or more capital letters, and exactly three digits.
pub fn is_id(word: &str) -> bool {
    let Some((component, number)) = word.strip_prefix("DEC-").and_then(|rest| rest.rsplit_once('-')) else {
        return false;
    };
    component.len() >= 2
        && component.bytes().all(|byte| byte.is_ascii_uppercase())
        && number.len() == 3
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a header looks like in files with this extension.
pub fn template(extension: &str) -> &'static str {
    match extension {
        "py" => "\"\"\"What this module does, in one sentence.\"\"\"",
        "rs" => "//! What this module does, in one sentence.",
        "sh" | "bash" | "zsh" | "rb" => "# What this file does, in one sentence.",
        "go" => "// Package name does this and that.",
        "php" => "<?php\n/** What this file does, in one sentence. */",
        _ => "/** What this file does, in one sentence. */",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_the_first_thing_in_a_file() {
        for (extension, text) in [
            ("py", "#!/usr/bin/env python\n\n\"\"\"Sums carts.\"\"\"\n"),
            ("py", "# Sums carts.\n"),
            ("ts", "/** Sums carts. */\n"),
            ("js", "// Sums carts.\n"),
            ("rs", "//! Sums carts.\n"),
            ("sh", "#!/bin/sh\n# Sums carts.\n"),
            ("php", "<?php\n// Sums carts.\n"),
            ("go", "\n// Package cart sums.\npackage cart\n"),
        ] {
            assert!(comments(text, extension).header, "{text}");
        }
        for (extension, text) in [
            ("py", "import os\n# late\n"),
            ("rs", "//\nuse a;\n"),
            ("sh", "#!/bin/sh\nset -e\n"),
            ("js", "'use strict';\n"),
            ("rs", ""),
        ] {
            assert!(!comments(text, extension).header, "{text}");
        }
    }

    #[test]
    fn decisions_are_marked_in_comments_only() {
        let said =
            comments("// @decision DEC-CART-001 one pass\n// @rationale: linear\nlet a = \"DEC-TEXT-002\";\n", "rs");
        assert!(said.decision && said.rationale);
        assert_eq!(said.ids, ["DEC-CART-001"]);
        assert!(comments("# DECISION: one pass\n", "py").decision);
        assert!(!comments("let a = \"@decision\"; // decisions\n", "rs").decision);
        assert!(!comments("// @decisions\n", "rs").decision);
    }

    #[test]
    fn ids_have_one_form() {
        assert!(["DEC-AB-001", "DEC-COMPONENT-999"].iter().all(|id| is_id(id)));
        for id in ["DEC-A-001", "DEC-AB-01", "DEC-AB-0001", "DEC-ab-001", "DEC-001", "DEC-A1-001"] {
            assert!(!is_id(id), "{id}");
        }
        assert_eq!(candidates("(DEC-AB-1), DEC-x-22; DECO-1 DEC-").collect::<Vec<_>>(), ["DEC-AB-1", "DEC-x-22"]);
    }
}
