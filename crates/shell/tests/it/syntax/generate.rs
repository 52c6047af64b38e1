//! Scripts that are grammatical by construction. Shared with the comparison with other parsers.

use proptest::prelude::*;
use proptest::sample::select;

fn word() -> impl Strategy<Value = String> {
    let leaf = select(vec![
        "a", "-x", "'b c'", "\"d $e\"", "$f", "${g:-h}", "\\;", "*.i", "{j,k}", "~/l", "$'\\n'", "m=n", "${#o}",
        "$((1+2))", "if", "done", "}", "é", "a#b", "${p[0]}", "\"\"", "[q]", "$?",
    ]);
    leaf.prop_map(str::to_owned)
}

/// A script and how often `mark` is a command in it.
pub(crate) fn script() -> impl Strategy<Value = (String, usize)> {
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
                    ("( ", " )"),
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
                ends && !["| !", "|\n!", "| time", "|\ntime", "( time", "(time"].iter().any(|wrong| text.contains(wrong))
            },
        )
    })
}
