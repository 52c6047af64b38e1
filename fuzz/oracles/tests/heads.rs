//! The heads of simple commands that the parser and two others see, over its table and over generated scripts.
//!
//! Each of the others is known to miss commands, or to see some where bash runs none; what is known stands in [`KNOWN`], by kind. Any
//! other difference fails, and so does a kind that no text of the table shows any more.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hook_shell::syntax::{Command, Context, Static, Visit, parse, walk};
use proptest::prelude::*;

#[path = "../../../crates/shell/tests/it/syntax/generate.rs"]
mod generate;

/// The other parsers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Oracle {
    TreeSitter,
    Shuck,
}

use Oracle::{Shuck, TreeSitter};

/// Heads by their text.
type Heads = BTreeSet<String>;

fn ours(text: &str) -> Heads {
    struct Seen<'t>(&'t str, Heads);
    impl Visit for Seen<'_> {
        fn command(&mut self, command: &Command, _: Context) {
            if let Some(word) = command.as_simple().and_then(|simple| simple.words.first()) {
                let text = word.span.of(self.0);
                // What is unescaped before it is read has the place of the whole; its value is its text then.
                let value = (text.starts_with('`')).then(|| word.static_value());
                self.1.insert(match value {
                    Some(Static::Known(value)) => value,
                    _ => text.to_owned(),
                });
            }
        }
    }
    let mut seen = Seen(text, Heads::new());
    walk(&parse(text), &mut seen);
    seen.1
}

fn theirs(oracle: Oracle, text: &str) -> Heads {
    match oracle {
        TreeSitter => tree_sitter_heads(text),
        Shuck => shuck_heads(text),
    }
}

fn tree_sitter_heads(text: &str) -> Heads {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("the grammar fits the library");
    let tree = parser.parse(text, None).expect("a tree");
    let mut heads = Heads::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let head = match node.kind() {
            "command" => node.child_by_field_name("name"),
            // `[ … ]`, `declare …` and `unset …` have kinds of their own; their first child is the word.
            "declaration_command" | "unset_command" => node.child(0),
            "test_command" => node.child(0).filter(|first| first.kind() == "["),
            _ => None,
        };
        heads.extend(head.map(|head| text[head.byte_range()].to_owned()).filter(|head| !head.is_empty()));
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
    }
    heads
}

/// The tree has some sixty kinds of nodes that hold others; its debug form shows every command wherever it stands.
fn shuck_heads(text: &str) -> Heads {
    let shown = format!("{:?}", shuck_parser::parser::Parser::new(text).parse().file);
    let mut heads = Heads::new();
    for (at, kind) in [("SimpleCommand { name: Word {", "span: Span"), ("variant_span: Span", "variant_span: Span")]
        .iter()
        .flat_map(|(start, kind)| shown.match_indices(start).map(move |(at, _)| (at, *kind)))
    {
        let from = if kind == "variant_span: Span" { at } else { at + "SimpleCommand { name: ".len() };
        if let Some((start, end)) = field_span(&shown[from..], kind) {
            heads.extend(text.get(start..end).filter(|head| !head.is_empty()).map(str::to_owned));
        }
    }
    for name in ["Break", "Continue", "Return", "Exit"] {
        let builtin = format!("Builtin({name}(");
        heads.extend(shown.matches(&builtin).map(|_| name.to_lowercase()));
    }
    heads
}

/// The offsets of the span in the outermost braces of `shown`, which begins with a struct or with the field itself.
fn field_span(shown: &str, field: &str) -> Option<(usize, usize)> {
    let mut depth = 0_u32;
    let mut in_text = None;
    let mut escaped = false;
    for (at, c) in shown.char_indices() {
        if let Some(quote) = in_text {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => in_text = None,
                _ => {}
            }
            continue;
        }
        let outermost = if shown.starts_with(field) { 0 } else { 1 };
        if depth == outermost && shown[at..].starts_with(field) {
            let mut offsets = shown[at..].match_indices("offset: ").map(|(place, _)| {
                let digits = &shown[at + place + "offset: ".len()..];
                digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse::<usize>().ok()
            });
            return Some((offsets.next()??, offsets.next()??));
        }
        match c {
            '"' => in_text = Some('"'),
            '\'' if shown[at..].chars().nth(2) == Some('\'') || shown[at..].starts_with("'\\") => in_text = Some('\''),
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// What an oracle is known to read wrongly, and the parts of a text that show it. In each case the parser's reading is bash's own.
const KNOWN: &[(&[Oracle], &str, &[&str])] = &[
    (&[TreeSitter], "several here-documents on a line", &["<<A <<B"]),
    (&[TreeSitter], "backticks in a here-document", &["`b`\nE"]),
    (&[TreeSitter], "an empty delimiter", &["<<''"]),
    (&[TreeSitter], "a here-document within a compound command", &["while a <<E"]),
    (&[TreeSitter, Shuck], "a line that only looks like the delimiter", &["\n E\n"]),
    (&[TreeSitter, Shuck], "a continued line in a here-document or its delimiter", &["\\\nE", "\\\nF"]),
    (&[TreeSitter, Shuck], "a here-document that begins after its substitution", &["<<E) x"]),
    (&[Shuck], "a here-document that ends with its substitution", &["\nE)"]),
    (&[Shuck], "a substitution that goes on while a here-document waits", &["<<A $(\n", "<<A `\n"]),
    (&[Shuck], "a delimiter that looks like a variable", &["<<$E"]),
    (&[TreeSitter], "a continued line in a word", &["r\\\nm"]),
    (&[TreeSitter, Shuck], "a continued line after a dollar", &["$\\\n"]),
    (&[Shuck], "a brace as a word of its own before a continued line or a parenthesis", &["{\\\n", "{(a)"]),
    (&[TreeSitter], "a brace expansion as command", &["{rm,"]),
    (&[TreeSitter, Shuck], "a process substitution in an operand", &[":-<("]),
    (&[TreeSitter, Shuck], "backticks within backticks", &["\\`b"]),
    (&[TreeSitter, Shuck], "quotes in arithmetic", &["(( '"]),
    (&[TreeSitter, Shuck], "two parentheses that begin no arithmetic", &["((a)", "(( 1 ) )"]),
    (&[TreeSitter, Shuck], "commands in braces after a dollar", &["${ rm", "${|rm"]),
    (&[Shuck], "a keyword or brace in a substitution within an operand", &[":-$( "]),
    (&[Shuck], "alternatives of `case` within a test or a process substitution", &["case $x in a|b)"]),
    (&[Shuck], "a loop within arithmetic", &["(( $( "]),
    (&[Shuck], "an array that ends with its subshell", &["(a=(", "( a=("]),
    (&[Shuck], "a substitution in place of a name", &["${$("]),
    (&[TreeSitter, Shuck], "negation of a negation", &["! !"]),
    (&[TreeSitter], "a group after a negation", &["! {"]),
    (&[TreeSitter], "the word `time`", &["time "]),
    (&[TreeSitter, Shuck], "the word `coproc`", &["coproc N while", "coproc {", "coproc a b", "coproc N {"]),
    (&[TreeSitter], "loops without `in`", &["for x do"]),
    (&[Shuck], "a line end before `in`", &["x\nin"]),
    (&[TreeSitter, Shuck], "braces around the body of a loop", &["a; { c; }"]),
    (&[TreeSitter], "a subshell as condition", &["if (a)"]),
    (&[TreeSitter], "carriage returns", &["\r"]),
    (&[TreeSitter], "a sign as command", &["\\", "$"]),
];

fn known(oracle: Oracle, text: &str) -> Option<usize> {
    let shows = |parts: &[&str]| {
        parts.iter().any(|part| if part.len() == 1 && *part != "\r" { text == *part } else { text.contains(part) })
    };
    KNOWN.iter().position(|(whose, _, parts)| whose.contains(&oracle) && shows(parts))
}

fn table() -> Vec<String> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../crates/shell/tests/data/syntax");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(dir).expect("the table") {
        let table = std::fs::read_to_string(entry.expect("an entry").path()).expect("a file of the table");
        let table: toml::Table = table.parse().expect("a table");
        let cases = table["case"].as_array().expect("cases");
        // Only what is read in full: of damage, everybody makes something else.
        let whole = cases.iter().filter(|case| case.get("unread").is_none() && case.get("bash").is_none());
        texts.extend(whole.map(|case| case["text"].as_str().expect("a text").to_owned()));
    }
    texts
}

#[test]
fn other_parsers_see_the_same_commands_in_the_table() {
    let mut failures = String::new();
    let mut shown = BTreeSet::new();
    for text in table() {
        let ours = ours(&text);
        for oracle in [TreeSitter, Shuck] {
            let theirs = theirs(oracle, &text);
            if ours == theirs {
                continue;
            }
            match known(oracle, &text) {
                Some(kind) => {
                    shown.insert(kind);
                }
                None => failures.push_str(&format!("{oracle:?} {text:?}\n  ours   {ours:?}\n  theirs {theirs:?}\n")),
            }
        }
    }
    let stale: Vec<_> = (0..KNOWN.len()).filter(|kind| !shown.contains(kind)).map(|kind| KNOWN[kind]).collect();
    assert!(failures.is_empty() && stale.is_empty(), "{failures}\nno longer shown: {stale:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_parsers_see_the_same_commands_in_generated_scripts((text, _) in generate::script()) {
        // The parser takes parentheses in arithmetic for what they look like, and reads this as commands.
        prop_assume!(!text.contains("(( $( case"));
        let ours = ours(&text);
        for oracle in [TreeSitter, Shuck] {
            let theirs = theirs(oracle, &text);
            prop_assert!(ours == theirs || known(oracle, &text).is_some(), "{:?} {:?}\n  ours   {:?}\n  theirs {:?}", oracle, text, ours, theirs);
        }
    }
}
