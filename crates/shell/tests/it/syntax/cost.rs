//! Hostile text: limits are counts and are said, work is in proportion to length, and a small stack is enough.

use hook_shell::syntax::{Limits, Script, Static, Why, parse, parse_with};

use super::spans::STEPS_PER_BYTE;

/// What is repeated to a megabyte.
const HOSTILE: &[&str] = &[
    "$(", "((", "$((", "\"", "'", "\\", "`", "\\`", "$'", "<<E ", "<<E\n", "cat <<E\n$(", "{a,", "{a,b}", "${x:-",
    "${", "[[ ", "[[ (( ", "case a in a) ", "a|", "a=(", "<(", "a=$(", "{ ", "( ", "if ", "while ", "for x in ",
    "f() ", "function f ", "coproc ", "! ", "@(", "a[", "a[$(", "a[$(x]=", "a[\"", "\"$(", "$[", "$(( (", "(( x ) ) ",
    "&", ";", "\n", "#", "<<'E'\n", "<<-E\\\n", "\0", ")", "}", "then ", "~", "\\\n", "$\\\n", "a\\\\\\\n", "é",
    "$(a)", "`a`", "a;", "a b ", "\"$x\"", "(( $(( ", "a[;", "((;;", "$((;;", "a[(;", "a[b", "((a) ;",
];

fn in_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    // Unoptimised frames are several times as large.
    let size = if cfg!(debug_assertions) { 2 << 20 } else { 256 << 10 };
    std::thread::Builder::new().stack_size(size).spawn(work).unwrap().join().unwrap()
}

#[test]
fn work_is_in_proportion_on_hostile_text() {
    in_small_stack(|| {
        for piece in HOSTILE {
            // A megabyte; unoptimised, a quarter of it says the same.
            let size = if cfg!(debug_assertions) { 32 << 10 } else { 128 << 10 };
            let count = size / piece.len();
            let eighth = parse(&piece.repeat(count));
            let text = piece.repeat(8 * count);
            let whole = parse(&text);
            assert!(
                whole.steps() <= 8 * eighth.steps() + 200_000,
                "{piece:?}: {} steps after {}",
                whole.steps(),
                eighth.steps()
            );
            let bound = STEPS_PER_BYTE * text.len() as u64;
            assert!(whole.steps() <= bound, "{piece:?}: {} steps for {} bytes", whole.steps(), text.len());
        }
    });
}

#[test]
fn words_of_hostile_text_have_a_value_at_a_bounded_price() {
    in_small_stack(|| {
        for piece in ["{a,b}", "{a,", "{", "}", "{1..9}", "{{a,b},", "{1..999999999}"] {
            let text = format!("echo {}", piece.repeat(100_000));
            let script = parse(&text);
            for command in script.list.items.iter().flat_map(|item| &item.pipeline.stages) {
                for word in command.as_simple().map(|simple| simple.words.as_slice()).unwrap_or_default() {
                    let _: Static = word.static_value();
                }
            }
        }
    });
}

fn whys(script: &Script) -> Vec<Why> {
    script.unread.iter().map(|unread| unread.why).collect()
}

#[test]
fn a_hundred_thousand_nested_groups_are_too_deep() {
    in_small_stack(|| {
        for (open, close) in [("{ ", " }"), ("(", ")"), ("$(", ")"), ("if a; then ", "; fi"), ("\"$(", ")\"")] {
            let text = format!("{}rm a{}", open.repeat(100_000), close.repeat(100_000));
            let script = parse(&text);
            let last = script.unread.iter().find(|unread| unread.why == Why::TooDeep).unwrap();
            assert_eq!(last.span.end as usize, text.len(), "the whole rest after {open:?} is given up");
        }
    });
}

#[test]
fn thirty_levels_are_read() {
    for (open, close) in [("{ ", "; }"), ("(", ")"), ("echo $(", ")"), ("echo \"$(", ")\"")] {
        let text = format!("{}rm a{}", open.repeat(30), close.repeat(30));
        assert!(parse(&text).is_complete(), "{open:?}");
    }
}

#[test]
fn each_limit_is_said_with_the_text_beyond_it() {
    let limits = Limits { bytes: 4, ..Limits::default() };
    let script = parse_with("a b;é rm", limits);
    assert_eq!(whys(&script), [Why::TooLong]);
    assert_eq!((script.unread[0].span.start, script.unread[0].span.end), (4, 9));
    // The limit falls into a character: that is left out whole.
    let script = parse_with("a b;é rm", Limits { bytes: 5, ..limits });
    assert_eq!(script.unread[0].span.start, 4);

    let script = parse_with("a; b; c; d; rm e", Limits { nodes: 6, ..Limits::default() });
    assert_eq!(whys(&script), [Why::TooMany]);
    assert_eq!(script.unread[0].span.end, 16);

    let script = parse_with("( ( (a) ) ) ; rm b", Limits { depth: 2, ..Limits::default() });
    assert_eq!(script.unread.first().map(|unread| (unread.why, unread.span.end)), Some((Why::TooDeep, 18)));
}

#[test]
fn a_limit_within_a_stretch_gives_up_the_text_after_it_too() {
    let deep = "$(".repeat(200);
    for text in [format!("echo `{deep}`; rm a"), format!("echo `{deep}\\``; rm a"), format!("echo $(( {deep} )); rm a")]
    {
        let script = parse(&text);
        let end = script.unread.iter().filter(|unread| unread.why == Why::TooDeep).map(|unread| unread.span.end).max();
        assert_eq!(end.map(|end| end as usize), Some(text.len()), "{text:?}");
    }
}

#[test]
fn a_head_whose_body_is_beyond_a_limit_is_unread() {
    for head in ["function f", "f()", "coproc"] {
        let text = format!("a; {head} (b)");
        let script = parse_with(&text, Limits { depth: 1, ..Limits::default() });
        assert_eq!(script.unread.first().map(|unread| unread.span.start), Some(3), "{text:?}: {:?}", script.unread);
    }
}

#[test]
fn a_text_of_one_nul_or_of_damaged_bytes_is_read() {
    assert_eq!(whys(&parse("\0")), [Why::Unexpected]);
    let damaged = String::from_utf8_lossy(b"rm \xff\xfe; echo \xc3").into_owned();
    let script = parse(&damaged);
    assert!(script.is_complete());
    assert_eq!(script.list.items.len(), 2);
}

#[test]
fn the_same_text_takes_the_same_steps() {
    let text = "for x in $(ls); do rm \"$x\" <<E | cat; done\n${y}\nE\n";
    assert_eq!(parse(text).steps(), parse(text).steps());
}
