//! Auto-review: what it lets run, what it says nothing about, and the laws that hold for every line.

use hook_shell::programs::{Operands, Program, Style, Trait, VERBS, Way, all};
use hook_shell::review::judge;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

#[derive(Deserialize)]
struct Lists {
    group: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    about: String,
    approved: Vec<String>,
    deferred: Vec<String>,
}

fn lists() -> Lists {
    toml::from_str(include_str!("../data/review.toml")).unwrap()
}

fn approves(line: &str) -> bool {
    judge(line).is_some()
}

#[test]
fn s1_65_to_71_lines_are_approved_or_not_as_the_lists_say() {
    let mut wrong = Vec::new();
    for group in lists().group {
        for (line, wanted) in
            group.approved.iter().map(|line| (line, true)).chain(group.deferred.iter().map(|line| (line, false)))
        {
            if approves(line) != wanted {
                wrong.push(format!(
                    "{}: {} {line:?}",
                    group.about,
                    if wanted { "is not approved:" } else { "is approved:" }
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// However many braces stand within one another, reading them takes no stack.
#[test]
fn a_script_of_many_braces_is_read_on_a_small_stack() {
    let many = |inner: &str| format!("sed -n '{}{inner}{}' a", "1{".repeat(200_000), "}".repeat(200_000));
    let (reads, writes) = (many("p"), many("w b"));
    let judged =
        std::thread::Builder::new().stack_size(1 << 20).spawn(move || (approves(&reads), approves(&writes))).unwrap();
    assert_eq!(judged.join().unwrap(), (true, false));
}

#[test]
fn s1_67_no_row_approves_what_is_never_approved() {
    let never: Vec<_> = all().filter(|program| program.is.has(Trait::NeverApproved)).collect();
    for program in &never {
        assert!(program.reads.is_empty() && program.passes.is_none(), "{:?}", program.names);
        assert!(!program.names.iter().any(|name| approves(name)), "{:?}", program.names);
    }
    for name in ["rm", "sudo", "eval", "bash", "dd", "ssh", "wget", "crontab", "."] {
        assert!(never.iter().any(|program| program.names.contains(&name)), "{name}");
    }
}

#[test]
fn deep_and_long_lines_end() {
    for line in [
        "(".repeat(3000) + "ls" + &")".repeat(3000),
        "ls $(".repeat(3000) + "ls" + &")".repeat(3000),
        "ls;".repeat(20_000),
        "env ".repeat(20_000) + "ls",
        "a=".repeat(20_000),
        "{a,b}".repeat(4000),
        "if ls; then ".repeat(500) + "ls" + &"; fi".repeat(500),
    ] {
        let _ = approves(&line);
    }
    assert!(approves(&("ls; ".repeat(2000) + "pwd")), "length alone is no doubt");
}

/// Ways to put two lines together so that both run.
const JOINS: &[&str] = &[
    "A; B", "A && B", "A || B", "A | B", "A & B", "A\nB", "A; echo $(B)", "A; (B)", "if A; then B; fi",
    "{ A; }; echo \"`B`\"", "A; ! B", "for f in a; do A; B; done",
];

fn lines() -> Vec<String> {
    // Texts of several lines, and lines of comments or unfinished ones, do not fit into all of the joins.
    let plain = |line: &String| {
        !line.contains(['\n', '`', '\\']) && !line.is_empty() && !line.contains("unfinished") && !line.ends_with(')')
    };
    lists().group.into_iter().flat_map(|group| group.approved.into_iter().chain(group.deferred)).filter(plain).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A part that is added never makes a line approved that was not, and a line is approved only if each of its parts is.
    #[test]
    fn s1_68_approval_is_monotone(a in select(lines()), b in select(lines()), join in select(JOINS)) {
        let line = join.replace('A', "\u{1}").replace('B', &b).replace('\u{1}', &a);
        prop_assert!(
            !approves(&line) || approves(&a) && approves(&b),
            "{line:?} is approved, but not each of {a:?} and {b:?}"
        );
    }

    /// What the tables say of a call is what is answered.
    #[test]
    fn s1_66_calls_agree_with_a_reading_of_the_tables((program, words) in call()) {
        let name = program.names[0];
        let line = std::iter::once(name).chain(words.iter().map(String::as_str)).map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let wanted = fits(program, &words);
        prop_assert_eq!(approves(&line), wanted, "{}", line);
    }
}

/// A program of the tables with words that its tables speak of, in any order.
fn call() -> impl Strategy<Value = (&'static Program, Vec<String>)> {
    let programs: Vec<&'static Program> = all()
        .filter(|program| !program.reads.is_empty() && program.passes.is_none())
        .filter(|program| program.reads.iter().all(|way| way.script.is_none()))
        .collect();
    select(programs).prop_flat_map(|program| {
        let mut words: Vec<String> =
            ["a", "b.c", "+x", "-z", "--zz", "https://a.b", "--", "list", "delete", "a:b"].map(str::to_owned).into();
        let mut verbs: Vec<Vec<String>> = Vec::new();
        for way in program.reads {
            let options = way.but.iter().chain(way.only).chain(way.needs).chain(program.before);
            words.extend(options.map(|option| option.split(':').next().unwrap().trim_end_matches('=').to_owned()));
            words.extend(
                way.only.iter().filter_map(|option| Some(option.split_once(':')?.1.split('|').next()?.to_owned())),
            );
            let spelled = |verb: &&str| {
                verb.split(' ')
                    .filter(|word| !word.is_empty())
                    .map(|word| word.replace("**", "group").replace('*', "x"))
                    .collect()
            };
            verbs.extend(way.verbs.iter().map(spelled));
        }
        // A word that the shell or every program takes its own way is no part of the tables.
        words.retain(|word| {
            !word.is_empty() && !["--force", "--hard", "--no-verify"].iter().any(|flag| word.starts_with(flag))
        });
        (select(verbs), prop::collection::vec(select(words), 0..5))
            .prop_map(move |(verb, words)| (program, [verb, words].concat()))
    })
}

/// A slow, plain reading of the tables.
fn fits(program: &Program, words: &[String]) -> bool {
    let git_force = program.names.contains(&"git")
        && words.iter().take_while(|word| *word != "--").any(|word| {
            word.starts_with('-')
                && !word.starts_with("--")
                && word.contains('f')
                && word.chars().skip(1).all(char::is_alphabetic)
        });
    let rest = before(program, words).unwrap_or(words);
    !git_force
        && program.reads.iter().any(|way| {
            way.verbs.iter().any(|verbs| {
                let verbs: Vec<&str> = verbs.split(' ').filter(|word| !word.is_empty()).collect();
                verb(&verbs, rest).is_some_and(|rest| way_fits(way, rest))
            })
        })
}

/// The words behind options that may stand first; `None` if one of them may not.
fn before<'w>(program: &Program, words: &'w [String]) -> Option<&'w [String]> {
    match words {
        _ if program.before.is_empty() => Some(words),
        [first, rest @ ..] if first == "--" => Some(rest),
        [first, ..] if first.starts_with('-') && first.len() > 1 => {
            let taken = option(program.before, words)?;
            before(program, words.get(taken..)?)
        }
        _ => Some(words),
    }
}

/// How many words an option of a list of allowed ones takes with its value.
fn option(only: &[&str], words: &[String]) -> Option<usize> {
    let word = words[0].as_str();
    if only.contains(&word) {
        return Some(1);
    }
    if only.contains(&format!("{word}=").as_str()) {
        return words.get(1).map(|_| 2);
    }
    if let Some(list) = only.iter().find_map(|entry| entry.strip_prefix(&format!("{word}:"))) {
        return list.split('|').any(|one| words.get(1).is_some_and(|value| value == one)).then_some(2);
    }
    // A bundle: its letters one by one.
    if word.starts_with("--") || word.len() < 3 {
        return None;
    }
    let (first, rest) = (&word[..2], &word[2..]);
    if only.contains(&first) {
        let mut shorter = words.to_vec();
        shorter[0] = format!("-{rest}");
        return option(only, &shorter);
    }
    if only.contains(&format!("{first}=").as_str()) {
        return Some(1);
    }
    let list = only.iter().find_map(|entry| entry.strip_prefix(&format!("{first}:")))?;
    list.split('|').any(|one| one == rest).then_some(1)
}

/// The words behind the verbs.
fn verb<'w>(verbs: &[&str], words: &'w [String]) -> Option<&'w [String]> {
    let matches = |pattern: &str, word: &str| match pattern.split_once('*') {
        None => pattern == word,
        Some((start, end)) => {
            let (end, open) = end.strip_suffix('*').map_or((end, false), |end| (end, true));
            word.len() >= start.len() + end.len()
                && word.starts_with(start)
                && (if open { word[start.len()..].contains(end) } else { word.ends_with(end) })
        }
    };
    match verbs {
        [] => Some(words),
        ["**", last] => {
            let at = words.iter().position(|word| matches(last, word) || word.starts_with('-'))?;
            let does = |word: &String| VERBS.iter().any(|verb| word == verb || word.starts_with(&format!("{verb}-")));
            (at > 0 && matches(last, &words[at]) && !words[..at].iter().any(does)).then(|| &words[at + 1..])
        }
        [first, others @ ..] => {
            let (word, rest) = words.split_first()?;
            if matches(first, word) { verb(others, rest) } else { None }
        }
    }
}

fn way_fits(way: &Way, words: &[String]) -> bool {
    let mut operands: Vec<&str> = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_str();
        if word == "--" && way.style == Style::Gnu {
            operands.extend(words[at + 1..].iter().map(String::as_str));
            break;
        }
        if !word.starts_with('-') || word.len() == 1 {
            operands.push(word);
            at += 1;
            continue;
        }
        let hit = |but: &&str| match way.style {
            Style::Words => {
                but.starts_with('-') && word.trim_start_matches('-').starts_with(but.trim_start_matches('-'))
            }
            Style::Gnu if but.starts_with("--") => word.len() > 2 && word.starts_with("--") && but.starts_with(word),
            Style::Gnu if but.len() == 2 && but.starts_with('-') => !word.starts_with("--") && word.contains(&but[1..]),
            Style::Gnu => but.starts_with('-') && word.starts_with(*but),
        };
        if way.but.iter().any(hit) {
            return false;
        }
        if way.only.is_empty() {
            used.push(word.to_owned());
            at += 1;
        } else {
            let Some(taken) = option(way.only, &words[at..]) else { return false };
            let known = |name: &str| way.only.iter().any(|entry| entry.split([':', '=']).next() == Some(name));
            if known(word) {
                used.push(word.to_owned());
            } else {
                for (index, letter) in word.chars().skip(1).enumerate() {
                    used.push(format!("-{letter}"));
                    if !way.only.contains(&format!("-{letter}").as_str()) || index > 8 {
                        break;
                    }
                }
            }
            at += taken;
        }
    }
    let starts = way.but.iter().filter(|but| !but.starts_with('-'));
    let refused = starts.clone().any(|start| operands.iter().any(|operand| operand.starts_with(start)));
    let needed = way.needs.is_empty() || way.needs.iter().any(|need| used.iter().any(|name| name == need));
    let allowed = match way.operands {
        Operands::Any => true,
        Operands::AtMost(most) => operands.len() <= most,
        Operands::Beginning(start) => operands.iter().all(|operand| operand.starts_with(start)),
        Operands::Web => operands.iter().all(|operand| {
            operand.starts_with("https://")
                || operand.starts_with("http://")
                || !operand.contains(':') && !operand.starts_with('-')
        }),
        Operands::Local => operands.iter().all(|operand| !operand.contains(':')),
    };
    !refused && needed && allowed
}
