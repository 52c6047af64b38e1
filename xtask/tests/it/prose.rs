//! How the documents are written: short sentences, the field's words, and what hookbin really says.

use std::collections::BTreeSet;
use std::path::Path;

use crate::source::{File, files, no_problems, root, rust, words};

/// Words that a sentence may have in what users read.
const MOST_WORDS: usize = 30;

/// Characters that a line of test data may have.
const WIDEST: usize = 200;

fn pages() -> Vec<File> {
    let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let is_page = |file: &File| {
        let dirs = ["docs/guide/", "docs/design/"];
        Path::new(&file.path).extension().is_some_and(|extension| extension == "md")
            && (names.contains(&file.path.as_str()) || dirs.iter().any(|dir| file.path.starts_with(dir)))
    };
    let pages: Vec<File> = files("").into_iter().filter(is_page).collect();
    assert!(pages.len() > 20, "only {} pages were seen", pages.len());
    pages
}

/// The text without blocks of code, tables, headings and comments.
fn prose(text: &str) -> String {
    let outside: String = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    let is_prose = |line: &&str| !line.starts_with(['|', '#']) && !line.trim_start().starts_with("<!--");
    outside.lines().filter(is_prose).collect::<Vec<_>>().join("\n")
}

/// Sentences end at `.`, `!`, `?` or `:` before white space, at an empty line and at the next item of a list.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for line in text.lines() {
        let item = line.trim_start();
        if item.is_empty() || item.starts_with("- ") || item.starts_with("1. ") || item.starts_with("> ") {
            found.push(std::mem::take(&mut words));
        }
        for word in item.split_whitespace() {
            words.push(word);
            if word.trim_end_matches(['*', '_', ')', '"']).ends_with(['.', '!', '?', ':']) {
                found.push(std::mem::take(&mut words));
            }
        }
    }
    found.push(words);
    found.into_iter().filter(|words| !words.is_empty()).map(|words| words.join(" ")).collect()
}

fn long_sentences(file: &File) -> Vec<String> {
    let long = |sentence: &String| sentence.split(' ').filter(|word| *word != "·" && *word != "-").count() > MOST_WORDS;
    sentences(&prose(&file.text))
        .into_iter()
        .filter(long)
        .map(|sentence| format!("{}: {sentence}", file.path))
        .collect()
}

#[test]
fn a_sentence_is_short_enough_to_be_read_once() {
    let problems: Vec<String> = pages().iter().flat_map(long_sentences).collect();
    no_problems(&problems, "Say one thing a sentence, in at most 30 words.");
    let file = |text: String| File { path: "a".into(), text };
    assert_eq!(long_sentences(&file("word ".repeat(31))).len(), 1);
    assert!(long_sentences(&file(format!("{}. {}\n\n- {0}\n- {0}", "word ".repeat(15).trim(), "x"))).is_empty());
    assert!(long_sentences(&file(format!("```sh\n{}\n```\n| {0} |", "word ".repeat(40)))).is_empty());
}

/// What the family calls a thing, and what it is not called.
const WORDS: &[(&str, &str)] = &[
    ("the document's", "the system's name"),
    ("one's own rules", "custom rules"),
    ("rules of one's own", "custom rules"),
    ("put aside", "quarantined, moved aside"),
    ("set aside", "quarantined"),
    ("fold in", "ingest"),
    ("anew", "again"),
    ("folder", "directory"),
    ("folders", "directories"),
    ("the person", "the user"),
    ("a person", "a user"),
];

fn wrong_words(file: &File) -> Vec<String> {
    let text = prose(&file.text).to_lowercase();
    // Session memory keeps documents of its own.
    let means_ours = |word: &str| word == "the document's" && file.path.starts_with("crates/session-state/");
    let found = WORDS.iter().filter(|(word, _)| !means_ours(word) && words(&text, word).next().is_some());
    found.map(|(word, better)| format!("{}: say `{better}`, not `{word}`", file.path)).collect()
}

#[test]
fn a_thing_has_the_name_that_the_field_gives_it() {
    let comments = rust().iter().filter(|file| file.is_product());
    let comments = comments.map(|file| File { path: file.path.clone(), text: file.comments.clone() });
    let problems: Vec<String> = pages().into_iter().chain(comments).flat_map(|file| wrong_words(&file)).collect();
    no_problems(&problems, "Use the words of the glossary.");
    let file = |text: &str| File { path: "a".into(), text: text.into() };
    assert_eq!(wrong_words(&file("It is made anew.")).len(), 1);
    assert!(wrong_words(&file("a renewal, `kept`")).is_empty());
}

#[test]
fn the_glossary_is_short_and_every_word_of_it_names_something() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once("## Glossary").expect("ARCHITECTURE.md has no glossary");
    let table = rest.split("\n## ").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")).skip(2);
    let words: Vec<&str> = rows.filter_map(|row| row.split(" |").next()).collect();
    assert!((10..=25).contains(&words.len()), "{} words", words.len());
    let named: BTreeSet<String> = rust()
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/"))
        .flat_map(|file| public_names(&file.code))
        .map(|name| name.to_lowercase().replace('_', ""))
        .collect();
    let is_named = |word: &&&str| {
        let word = word.replace(' ', "");
        named.iter().any(|name| name.contains(&word))
    };
    let problems: Vec<String> = words.iter().filter(|word| !is_named(word)).map(|word| (*word).to_owned()).collect();
    no_problems(&problems, "No public type, function or module has this word: take it out of the glossary, or rename.");
}

/// The names of public types, functions and modules.
fn public_names(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in code.lines() {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else { continue };
        for kind in ["struct ", "enum ", "trait ", "type ", "fn ", "mod ", "const fn "] {
            let Some(name) = rest.strip_prefix(kind) else { continue };
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            found.push(&name[..end]);
        }
    }
    found
}

/// What a page quotes in the first column of its tables under `hookbin says`, in pieces between `…` and ` · `.
fn quoted(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        inside = line.starts_with("| hookbin says") || inside && line.starts_with('|');
        let Some(cell) = line.strip_prefix("| ").and_then(|rest| rest.split(" |").next()).filter(|_| inside) else {
            continue;
        };
        let pieces = cell.split(['…', '·']).map(str::trim);
        found.extend(pieces.filter(|piece| piece.len() > 8 && *piece != "hookbin says"));
    }
    found
}

#[test]
fn the_page_for_refusals_quotes_what_hookbin_says() {
    let page = std::fs::read_to_string(root().join("docs/guide/what-now.md")).unwrap();
    let spelled: Vec<String> = rust()
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/"))
        .flat_map(|file| &file.strings)
        .map(|(_, text)| text.split("\\\n").map(str::trim_start).collect())
        .collect();
    let profiles: Vec<String> = files("crates/policy/profiles").into_iter().map(|file| file.text).collect();
    let is_said = |piece: &&str| spelled.iter().chain(&profiles).any(|text| text.contains(piece));
    let pieces = quoted(&page);
    let problems: Vec<String> = pieces.iter().filter(|piece| !is_said(piece)).map(|it| (*it).to_owned()).collect();
    no_problems(&problems, "Quote a message of hookbin word for word in docs/guide/what-now.md.");
    assert!(pieces.len() > 20, "{pieces:?}");
}

#[test]
fn test_data_can_be_read_in_a_review() {
    let is_data = |file: &&File| {
        let is_made_to_be_read = [".toml", ".json", ".md"].iter().any(|end| file.path.ends_with(end));
        file.path.contains("/tests/data/") && is_made_to_be_read
    };
    let mut problems = Vec::new();
    for file in files("crates").iter().filter(is_data) {
        // One value of a recording may be as long as the client wrote it.
        let is_recorded = |line: &str| {
            ["/data/payloads/", "/data/other_clients.json"].iter().any(|place| file.path.contains(place))
                && line.matches("\": \"").count() == 1
        };
        let wide =
            file.text.lines().enumerate().filter(|(_, line)| line.chars().count() > WIDEST && !is_recorded(line));
        problems.extend(wide.map(|(number, _)| format!("{}:{}", file.path, number + 1)));
    }
    no_problems(&problems, "Break the line: a table in TOML, a member a line in JSON, or a fenced block.");
}
