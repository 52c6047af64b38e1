//! Laws that hold for every text: no panic, and what [`spans`] checks.

use hook_shell::syntax::{Context, Visit, Word, parse, walk};
use proptest::prelude::*;
use proptest::sample::select;

use super::spans;

/// Pieces of shell text in any order.
fn shellish() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "a", "rm", "-rf", "/", "x=", "é", "1", "{", "}", "(", ")", "((", "))", "[[", "]]", "$", "$(", "${", "$((", "`",
        "\\`", "\"", "'", "$'", "\\", "\\\n", "\n", " ", " ", " ", "\t", "\r\n", ";", ";;", ";&", "&", "&&", "|", "||",
        "|&", "!", "<", ">", ">>", "<<E", "<<-E", "<<'E'", "\nE\n", "E", "<<<", "<(", ">(", "&>", "2>&1", "{fd}>", "#",
        "~", "*", "?", "[", "]", "@(", "!(", "{a,b}", "{1..3}", ",", "=", "+=", ":-", "%%", "//", "@Q", "if", "then",
        "elif", "else", "fi", "while", "until", "do", "done", "for", "in", "case", "esac", "a)", "select", "function",
        "f()", "coproc", "time", "a[", "]=", "=(", "x", "\0", "\u{a0}", "$IFS", "$x", "${x", "}", "$[", "=~",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_text_obeys_the_laws(text in any::<String>()) {
        spans::check(&text, &parse(&text));
    }

    #[test]
    fn shell_text_in_any_order_obeys_the_laws(text in shellish()) {
        spans::check(&text, &parse(&text));
    }

    #[test]
    fn static_values_of_any_word_are_told(text in shellish()) {
        struct Values;
        impl Visit for Values {
            fn word(&mut self, word: &Word, _: Context) {
                let _ = word.static_value();
            }
        }
        walk(&parse(&text), &mut Values);
    }
}

#[test]
fn a_text_given_up_behind_a_word_in_an_open_substitution_obeys_the_laws() {
    for levels in 0..100 {
        for opening in ["`case>(case", "$(case>(case", "<(case>(case"] {
            let text = "{ ".repeat(levels) + opening;
            spans::check(&text, &parse(&text));
        }
    }
}
