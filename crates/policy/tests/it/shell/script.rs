//! Scripts that are grammatical by construction: both bash (which only checks them) and the parser accept them whole.

use hook_policy::shell::{Command, Context, Visit, parse, walk};
use proptest::prelude::*;
use proptest::sample::select;

use super::bash;
use super::laws::Laws;

fn word() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "a", "-x", "'b c'", "\"d $e\"", "$f", "${g:-h}", "\\;", "*.i", "{j,k}", "~/l", "$'\\n'", "m=n", "${#o}",
        "$((1+2))", "if", "done", "}", "é", "a#b", "${p[0]}", "\"\"", "[q]", "$?",
    ]);
    leaf.prop_map(str::to_owned)
}

/// A script and how often `mark` is a command in it.
fn script() -> impl Strategy<Value = (String, usize)> {
    let simple = (prop::collection::vec(word(), 0..4), select(vec!["", " >a", " 2>&1", " <<<b", " x=y"])).prop_map(
        |(words, redirect)| {
            let words = [vec![String::new()], words].concat().join(" ");
            (format!("mark{words}{redirect}"), 1)
        },
    );
    simple.prop_recursive(5, 24, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), select(vec!["; ", "\n", " && ", " || ", " | ", " & ", " |\n", " &&\n", " # c\n"]))
                .prop_map(|(((a, n), (b, m)), joint)| (format!("{a}{joint}{b}"), n + m)),
            (
                inner.clone(),
                select(vec![
                    ("{ ", "; }"),
                    ("(", ")"),
                    ("( ", "\n)"),
                    ("if ", "; then b; fi"),
                    ("while a; do ", "; done"),
                    ("until a\ndo ", "\ndone"),
                    ("for x in a $b; do ", "; done"),
                    ("for ((i=0;i<3;i++)); do ", "; done"),
                    ("case $x in a|b) ", ";; *) c; esac"),
                    ("f() { ", "; }"),
                    ("function g { ", "\n}"),
                    ("echo $(:;", ")"),
                    ("echo \"$( ", ")\""),
                    ("x=$( ", ") y"),
                    ("cat <(", ")"),
                    ("echo ${x:-$( ", ")}"),
                    ("a=(b $( ", "))"),
                    ("[[ -n $( ", ") ]]"),
                    ("(( $( ", ") ))"),
                    ("echo $(( $( ", ") + 1 ))"),
                    ("! { ", "; }"),
                    ("time { ", "; }"),
                    ("coproc { ", "; }"),
                    ("cat <<E\n$( ", ")\nE"),
                    ("{ ", "; } 2>&1 | c"),
                    ("select x in a; do ", "; done"),
                    ("a[$( ", ")]=b"),
                    ("echo >$( ", ")"),
                ])
            )
                .prop_map(|((a, n), (open, close))| (format!("{open}{a}{close}"), n)),
            (
                (two),
                select(vec![
                    ("if ", "; then ", "; fi"),
                    ("if a; then ", "\nelse ", "; fi"),
                    ("while ", "; do ", "; done")
                ])
            )
                .prop_map(|(((a, n), (b, m)), (open, between, close))| (
                    format!("{open}{a}{between}{b}{close}"),
                    n + m
                )),
        ]
        .prop_filter(
            "here-documents end their line, and only the first of a pipeline is negated or timed, which bash 5.2 reads wrongly in `$(`",
            |(text, _)| {
                let ends = !text.contains("\nE") || text.ends_with("\nE");
                ends && !["| !", "|\n!", "| time", "|\ntime", "( time"].iter().any(|wrong| text.contains(wrong))
            },
        )
    })
}

/// How often `mark` is called.
struct Marks(usize);

impl Visit for Marks {
    fn command(&mut self, command: &Command, _: Context) {
        let head = command.as_simple().and_then(|simple| simple.words.first());
        self.0 += usize::from(
            head.is_some_and(|word| word.static_value() == hook_policy::shell::Static::Known("mark".to_owned())),
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_command_of_a_script_is_met((text, marks) in script()) {
        let script = parse(&text);
        Laws::check(&text, &script);
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
        // Of what stands in `${…}`, bash sees faults only when it runs; and a delimiter that holds a substitution is reported.
        if ["${p[0}", "${p0]}", "<<E$("].iter().any(|special| text.contains(special)) {
            return Ok(());
        }
        if bash::accepts(&text) {
            let script = parse(&text);
            prop_assert!(script.is_complete(), "{:?}: {:?}", text, script.unread);
        } else {
            prop_assert!(drop, "{}", text);
        }
    }
}
