//! Scripts that are grammatical by construction: both bash (which only checks them) and the parser accept them whole.

use hook_shell::syntax::{Command, Context, Span, Visit, parse, walk};
use proptest::prelude::*;

use super::generate::script;
use super::{bash, spans};

/// How often `mark` is called.
struct Marks(usize);

impl Visit for Marks {
    fn command(&mut self, command: &Command, _: Context) {
        let head = command.as_simple().and_then(|simple| simple.words.first());
        self.0 += usize::from(
            head.is_some_and(|word| word.static_value() == hook_shell::syntax::Static::Known("mark".to_owned())),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn every_command_of_a_script_is_met((text, marks) in script()) {
        let script = parse(&text);
        spans::check(&text, &script);
        prop_assert!(script.is_complete(), "{:?}: {:?}", text, script.unread);
        let mut met = Marks(0);
        walk(&script, &mut met);
        prop_assert_eq!(met.0, marks, "{}", text);
    }

    #[test]
    fn bash_and_the_parser_accept_the_same_scripts((text, _) in script(), cut in any::<prop::sample::Index>(), drop in any::<bool>()) {
        if bash::is_missing("scripts") {
            return Ok(());
        }
        // Half of them without one character, which most often makes them no script.
        let at = cut.index(text.len());
        let text = if drop && text.is_char_boundary(at) {
            text.char_indices().filter(|(place, _)| *place != at).map(|(_, c)| c).collect()
        } else {
            text
        };
        // Of what stands in `${…}` and in here-documents, bash sees faults only when it runs. A subscript with blanks and brackets in it
        // is reported. Bash takes a `for ((` that one parenthesis closes.
        if ["${p[0}", "${p0]}", "<<E", "a[$ ", "i++); do"].iter().any(|special| text.contains(special)) {
            return Ok(());
        }
        if bash::accepts(&text) {
            let script = parse(&text);
            // What the body of a here-document expands, bash looks at only when it runs.
            let in_body = |span: Span| {
                script.heredocs.iter().any(|body| body.span.start <= span.start && span.end <= body.span.end)
            };
            let unread: Vec<_> = script.unread.iter().filter(|unread| !in_body(unread.span)).collect();
            prop_assert!(unread.is_empty(), "{:?}: {:?}", text, unread);
        } else {
            prop_assert!(drop, "{}", text);
        }
    }
}
