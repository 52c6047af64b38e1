//! Hostile text: the answer comes soon, without overflowing the stack, and what is hidden in or behind it is never taken for harmless.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use hook_policy::rule::Severity;
use hook_policy::shell::parse;
use serde::Deserialize;

use crate::rules::strictest;

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
