//! Values that depend on nothing but the text are those that bash passes on. Bash only prints the words.

use hook_shell::syntax::{Static, parse};
use proptest::prelude::*;
use proptest::sample::select;

use super::bash;

/// Pieces without variables, substitutions, patterns, separators and redirections.
fn word() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "a", "rm", "-x", "/", ".", "1", "=", ":", "%", "^", "+", "@", "é", "#", ",", "\\a", "\\\\", "\\ ", "\\'",
        "\\\"", "\\$", "\\é", "\\{", "\\,", "\\}", "\\;", "\\*", "\\\n", "''", "'a b'", "'\\'", "'\"'", "'$x'",
        "'{a,b}'", "'\n'", "\"\"", "\"a b\"", "\"\\a\"", "\"\\\"\"", "\"\\\\\"", "\"\\$x\"", "\"'\"", "\"{a,b}\"",
        "\"\\\n\"", "\"\\`\"", "$'a'", "$'\\n'", "$'\\x41'", "$'\\x4g'", "$'\\x{42}'", "$'\\101'", "$'\\1011'",
        "$'\\''", "$'\\\\'", "$'\\q'", "$'\\cA'", "$'\\c?'", "$'\\e\\a\\b\\f\\v\\r\\t'", "$'a\\0b'", "$'\\xc3\\xa9'",
        "$'\\\"\\?'", "$''", "$\"a b\"", "{a,b}", "{a,}", "{,b}", "{a,b,'c d'}", "{a,{b,c}}", "{1..3}", "{3..1}",
        "{01..10..4}", "{-1..1}", "{a..e..2}", "{e..a}", "{A..c..16}", "{a}", "{", "}", "{}", "{..}", "{1..}",
        "{1..a}", "{a..b", "{\"a\",\\b}", "{$'a',b}", "{1..3..0}", "{x..x}", "{1.5..2}", "{+1..3}", "{1..2..x}", ",",
        "..", "{a..'x,y'}", "{a..{b,c}}", "{a}b,c}",
    ]);
    prop::collection::vec(piece, 1..5)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("no comment", |word| !word.trim_start_matches("\\\n").starts_with('#'))
}

fn values(words: &str) -> Option<Vec<u8>> {
    let script = parse(words);
    assert!(script.is_complete(), "{words:?}: {:?}", script.unread);
    let mut out = Vec::new();
    let simple = script.list.items[0].pipeline.stages[0].as_simple().unwrap();
    // The first word stands for the command.
    for word in &simple.words[1..] {
        match word.static_value() {
            Static::Known(value) => out.extend([value.as_bytes(), b"\0"].concat()),
            Static::Several(values) => values.iter().for_each(|value| out.extend([value.as_bytes(), b"\0"].concat())),
            Static::Dynamic => return None,
        }
    }
    Some(out)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn static_values_are_what_bash_passes_on(words in prop::collection::vec(word(), 40)) {
        if bash::is_missing("words") {
            return Ok(());
        }
        let words: Vec<_> = words.into_iter().filter(|word| values(&format!("x {word}")).is_some()).collect();
        let line = words.join(" ");
        if let Some(ours) = values(&format!("x {line}")) {
            // One more word at the end, since bash prints one empty word if there is none.
            let bash = bash::printed(&format!("{line} end"));
            let ours = [&ours[..], b"end\0"].concat();
            prop_assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&bash), "{}", line);
        }
    }
}

#[test]
fn most_words_have_a_static_value() {
    for (word, expected) in [
        ("r\\m", Static::Known("rm".to_owned())),
        ("$'\\x72'\"m\"", Static::Known("rm".to_owned())),
        ("{rm,-rf,/}", Static::Several(["rm", "-rf", "/"].map(str::to_owned).to_vec())),
        ("{,a}", Static::Several(vec!["a".to_owned()])),
        ("{,}", Static::Several(Vec::new())),
        // A closing brace is text where nothing divides the group yet, and any comma makes a list of what has two dots.
        ("{x},/etc}", Static::Several(["x}", "/etc"].map(str::to_owned).to_vec())),
        ("{/..{/etc,/x}}", Static::Several(["/../etc", "/../x"].map(str::to_owned).to_vec())),
        ("{a}", Static::Known("{a}".to_owned())),
        ("{a..}", Static::Known("{a..}".to_owned())),
        ("{08..10}", Static::Several(["08", "09", "10"].map(str::to_owned).to_vec())),
        ("a$x", Static::Dynamic),
        ("*.c", Static::Dynamic),
        ("~", Static::Dynamic),
        ("{1..1000}", Static::Dynamic),
        ("$(a)", Static::Dynamic),
    ] {
        let script = parse(&format!("x {word}"));
        let simple = script.list.items[0].pipeline.stages[0].as_simple().unwrap();
        assert_eq!(simple.words[1].static_value(), expected, "{word}");
    }
}
