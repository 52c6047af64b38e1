//! Hostile text: the answer comes soon, without overflowing the stack, and what is hidden in or behind it is never taken for harmless.

use std::fmt::Write as _;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use hook_policy::rule::{Severity, all};
use hook_shell::resolve::{NoFiles, resolve};
use hook_shell::syntax::{Span, parse};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

use crate::rules::{places, strictest};

/// Bytes of each text. A build without optimisation takes some ten times as long.
const SIZE: usize = if cfg!(debug_assertions) { 30_000 } else { 1_000_000 };
/// Groups within each other that the parser still reads.
const GROUPS: usize = 24;
/// The stack of a thread that a caller may have made.
const STACK: usize = 2 << 20;
/// Work in proportion to the text takes a second or two even on a busy machine; work in proportion to its square takes minutes.
const SOON: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
struct Hostile {
    pieces: Vec<String>,
    chain: Vec<Chain>,
}

#[derive(Deserialize)]
struct Chain {
    name: String,
    link: String,
    start: String,
}

fn hostile() -> Hostile {
    toml::from_str(include_str!("../data/hostile.toml")).unwrap()
}

/// The answer to a text, asked for on a small stack.
fn answer(name: &str, text: String) -> Option<Severity> {
    let started = Instant::now();
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || strictest(&text));
    let severity = thread.unwrap().join().unwrap();
    assert!(started.elapsed() < SOON, "{name}: {:?}", started.elapsed());
    severity
}

#[test]
fn hostile_text_is_answered_soon_and_on_a_small_stack() {
    for piece in hostile().pieces {
        answer(&piece, piece.repeat(SIZE / piece.len()));
        answer(&piece, format!("x=a; y=aaaa; f() {{ echo a; }}; {}", piece.repeat(SIZE / piece.len())));
    }
}

#[test]
fn what_multiplies_two_long_texts_is_answered_soon() {
    let long = "a".repeat(SIZE / 3);
    let marks = "{}".repeat(SIZE / 6);
    for text in [
        format!("x={long}; echo \"${{x//a/$x}}\""),
        format!("x={long}; echo \"${{x//a/{long}}}\""),
        format!("x={long}; echo \"${{x#*a*a*a*b}}\" \"${{x%%a*a*a*b}}\""),
        format!("x={long}; echo \"${{x##{}}}\"", "*a".repeat(SIZE / 6)),
        format!("echo {long} | tr {long} b"),
        format!("echo {long} | sed s/a/{long}/g"),
        format!("echo {long} | xargs -I a echo {long}"),
        format!("find {long} -exec echo {marks} \\;"),
        format!("parallel echo {marks} ::: {long}"),
        format!("printf '{long}%s' {}", "1 ".repeat(4000)),
        format!("x={long}; set -- {}; echo \"$@\" $*", "$x ".repeat(4000)),
        format!("x={long}; a=({}); echo \"${{a[@]}}\"", "$x ".repeat(4000)),
        format!("for i in {}; do x=$x$i{long}; done", "1 ".repeat(60)),
        format!("cat {}", "a*".repeat(SIZE / 6)),
        format!("curl -X POST -d '{}' {}", "a b".repeat(SIZE / 9), "https://example.com/x ".repeat(1_500)),
        format!("cat {}", "[a]".repeat(SIZE / 9)),
        format!("{} a", "r?".repeat(SIZE / 6)),
        format!("cd {}", "a/".repeat(SIZE / 6)),
        format!("{}rm a", "cd a/b/c/d; ".repeat(SIZE / 36)),
        format!("vim -c '{}x'", "exe ".repeat(SIZE / 12)),
        format!("vim -c '{}x'", "silent ".repeat(SIZE / 21)),
        format!("{}lvs", "lvm ".repeat(4000)),
        format!("pwsh -c '{}(1)'", "]::".repeat(SIZE / 9)),
        format!("pwsh -c '{}'", "\"${".repeat(SIZE / 9)),
        format!("pwsh -c '{}'", "@\"".repeat(SIZE / 6)),
        format!("pwsh -c '{}1'", "1+".repeat(SIZE / 6)),
        format!("pwsh -c '{}1'", "1,".repeat(SIZE / 6)),
        format!("pwsh -c 'a {}'", "| a ".repeat(SIZE / 12)),
        format!("pwsh -c 'a {}'", "&& a ".repeat(SIZE / 15)),
        format!("pwsh -c '{}'", "if(1){".repeat(SIZE / 18)),
        format!("pwsh -c '$a{}'", ".b()".repeat(SIZE / 12)),
        format!("pwsh -c '\"{marks}\" -f \"{long}\"'"),
        format!("pwsh -c 'rm {}'", "a ".repeat(SIZE / 6)),
        format!("pwsh -c '$b={{{long}}};{}'", "& $b;".repeat(SIZE / 30)),
        format!("pwsh -c '$a={{b}};{}'", "$a={& $a;& $a};".repeat(SIZE / 90)),
        format!("cmd /c '{}'", "%a".repeat(SIZE / 6)),
        format!("python3 -c 'a = \"{long}\"\nprint(f\"{}\")'", "{a}".repeat(SIZE / 9)),
        format!("python3 -c 'print(\"{}\".format(\"{long}\"))'", "{0}".repeat(SIZE / 9)),
        format!("{}{}", "popd\n".repeat(10_000), "rm a\n".repeat(9_000)),
        format!("sed '{}' x", "s/a/b/;".repeat(SIZE / 21)),
        format!("python3 -c '{}'", "x = \"a\" + \"b\"\n".repeat(SIZE / 48)),
        format!("python3 -c '{}'", "os.system(".repeat(SIZE / 30)),
        format!("node -e '{}'", "f(\"a\" + ".repeat(SIZE / 30)),
        format!("psql -c '{}'", "drop table ".repeat(SIZE / 33)),
        format!("echo {long} | base64 -d | base64 -d | rev | xxd -r -p | sh"),
    ] {
        let name: String = text.chars().take(40).collect();
        answer(&name, text);
    }
}

#[test]
fn the_copies_of_a_braced_word_run_its_substitutions_once() {
    for (open, close) in [("$(", ")"), ("<(", ")"), ("`", "`"), ("\"$(", ")\"")] {
        let levels = if open == "`" { 1 } else { 8 };
        let text = |innermost: &str| {
            let inner =
                (0..levels).fold(innermost.to_owned(), |inner, _| format!("true {{1..200}}{open}{inner}{close}"));
            format!("true {{1..200}}$({inner})")
        };
        assert_eq!(answer(open, text("true")), None, "{open}");
        assert_eq!(answer(open, text("rm -rf /")), Some(Severity::Deny), "{open}");
    }
    // What the first copy sets, the second may run.
    assert_eq!(answer("set", "true {a,b}$(rm -rf $x)${x:=/}".to_owned()), Some(Severity::Deny));
}

#[test]
fn what_stands_behind_many_harmless_lines_is_still_refused() {
    let lines = |line: &str| line.repeat(2000);
    for text in [
        format!("sed '{}e rm -rf /' x", lines("p;")),
        format!("tclsh <<'E'\n{}exec rm -rf /\nE", lines("set a 1\n")),
        format!("ed x <<'E'\n{}!rm -rf /\nE", lines("p\n")),
        format!("make -f - <<'E'\nall:\n{}\trm -rf /\nE", lines("# a\n")),
        format!("psql <<'E'\n{}\\! rm -rf /\nE", lines("select 1;\n")),
        format!("pwsh -c '{}Remove-Item -Recurse /'", lines("$a = 1;")),
        format!("pwsh -c 'Remove-Item {}/ -Recurse'", "a,".repeat(200)),
        format!("pwsh -c '{}Remove-Item -Recurse /'", "if ($a) { b } else { c }\n".repeat(1000)),
        format!("printf '%s\\n' {} / | xargs rm -rf", lines("a ")),
    ] {
        let name: String = text.chars().take(40).collect();
        assert_eq!(answer(&name, text), Some(Severity::Deny), "{name}");
    }
}

#[test]
fn what_stands_in_front_of_hostile_text_is_still_refused() {
    for piece in hostile().pieces {
        let text = format!("rm -rf /\n{}", piece.repeat(20_000 / piece.len()));
        assert_eq!(answer(&piece, text), Some(Severity::Deny), "{piece:?}");
    }
}

#[test]
fn more_than_can_be_followed_is_asked_about() {
    for harmless in ["a;", "a\n", "a && ", "x=1; ", "tee x; ", "touch a b c\n", "$(a) ; "] {
        let text = format!("{} rm -rf /", harmless.repeat(60_000));
        assert!(answer(harmless, text).is_some(), "{harmless:?}");
    }
}

#[test]
fn what_is_not_remembered_is_asked_about() {
    let many = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    for text in [
        many(300, |at| format!("f{at}() {{ :; }}\n")) + "g() { rm -rf /; }\ng",
        many(300, |at| format!("alias a{at}=true\n")) + "alias g='rm -rf /'\ng",
        many(300, |at| format!("echo a > f{at}\n")) + "echo 'rm -rf /' > g\nbash g",
        many(100, |at| format!("ln -s a l{at}\n")) + "ln -s / g\nrm -rf g/",
        many(40, |at| format!("git config alias.a{at} status\n")) + "git config alias.g '!rm -rf /'\ngit g",
    ] {
        let name: String = text.chars().take(20).collect();
        assert!(answer(&name, text).is_some(), "{name}");
    }
}

#[test]
fn a_long_list_of_harmless_actions_hides_nothing() {
    for harmless in
        ["touch a.txt\n", "rm -f a.txt\n", "echo a > a.txt\n", "true\n", "kubectl get pods\n", "terraform plan\n"]
    {
        let many = harmless.repeat(6000);
        assert_eq!(answer(harmless, format!("{many}rm -rf /")), Some(Severity::Deny), "{harmless:?}");
        assert!(answer(harmless, format!("{many}terraform destroy")).is_some(), "{harmless:?}");
        assert_eq!(answer(harmless, many), None, "{harmless:?}");
    }
}

#[test]
fn levels_from_functions_and_texts_end_as_levels_from_brackets_do() {
    for chain in hostile().chain {
        let mut text = String::from("v0='rm -rf /'\n");
        for at in 0..60 {
            let next = (at + 1).to_string();
            let groups = "{ ".repeat(GROUPS);
            let close = "; }".repeat(GROUPS);
            let link = chain.link.replace("NEXT", &next).replace("GROUPS", &groups).replace("; CLOSE", &close);
            let _ = write!(
                text,
                "{}",
                link.replace("N(", &format!("{at}(")).replace("vN", &format!("v{at}")).replace("aN", &format!("a{at}"))
            );
        }
        text.push_str("f60() { rm -rf /; }\nalias a60='rm -rf /'\n");
        text.push_str(&chain.start);
        assert!(parse(&text).is_complete(), "{}", chain.name);
        assert!(answer(&chain.name, text).is_some(), "{}", chain.name);
    }
}

#[test]
fn a_hundred_thousand_nested_groups_are_asked_about() {
    for (open, close) in [
        ("(", ")"),
        ("{ ", "; }"),
        ("$(", ")"),
        ("<(", ")"),
        ("((", "))"),
        ("if a; then ", "; fi"),
        ("[[ ( ", " ) ]]"),
        ("a=(", ")"),
    ] {
        let text = format!("{}rm -rf /{}", open.repeat(100_000), close.repeat(100_000));
        assert!(answer(open, text).is_some(), "{open:?}");
    }
}

#[test]
fn a_nul_and_replaced_bytes_do_not_hide_a_command() {
    assert!(answer("nul", "\0".to_owned()).is_some());
    assert!(answer("nul within", "ls \0; rm -rf /".to_owned()).is_some());
    let lossy = String::from_utf8_lossy(b"echo \xff\xfe; rm -rf / \xc3").into_owned();
    assert_eq!(answer("invalid bytes", lossy), Some(Severity::Deny));
    assert_eq!(answer("no text", String::new()), None);
}

/// Pieces of hostile text, of examples and of plain words.
static PIECES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let examples = all()
        .flat_map(|rule| rule.should_match.iter().chain(rule.should_not_match))
        .flat_map(|text| text.split_inclusive(' '));
    let words = [
        "x", "é", "=", "\n", " ", ";", ")", "}", "]]", "fi", "done", "esac", "then", "do", "in", "EOF\n", "'", "\"",
        "0", "-", "\u{f001}",
    ];
    hostile().pieces.into_iter().chain(examples.map(str::to_owned)).chain(words.map(str::to_owned)).collect()
});

/// Follows a text: what is reported lies in it, and following it again reports the same.
fn follow(text: &str) {
    let report = resolve(text, &places(), &NoFiles);
    let lies = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for action in &report.actions {
        assert!(lies(action.span), "{action:?} in {text:?}");
    }
    for run in &report.runs {
        assert!(lies(run.span), "{run:?} in {text:?}");
    }
    let again = resolve(text, &places(), &NoFiles);
    assert_eq!((report.actions, report.runs), (again.actions, again.runs), "{text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_followed_to_places_in_it(text in any::<String>()) {
        follow(&text);
    }

    #[test]
    fn shell_text_in_any_order_is_followed_to_places_in_it(pieces in prop::collection::vec(select(PIECES.as_slice()), 1..40)) {
        follow(&pieces.concat());
    }

    /// Whatever stands before it, on lines of its own and complete, a command that destroys is seen.
    #[test]
    fn complete_text_in_front_hides_nothing(pieces in prop::collection::vec(select(PIECES.as_slice()), 1..20)) {
        let text = format!("{}\nrm -rf /\n", pieces.concat());
        let script = parse(&text);
        let is_command = script.list.items.iter().flat_map(|item| &item.pipeline.stages).any(|command| {
            command.span.of(&text) == "rm -rf /"
        });
        prop_assert!(!is_command || strictest(&text).is_some(), "{text:?}");
    }
}
