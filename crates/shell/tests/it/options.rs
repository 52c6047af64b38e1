//! The reader of options: a table with values by hand, and util-linux' `getopt`, which has to read the same.

use std::process::Command;

use hook_shell::options::{Given, Grammar, Item, Options, Scan, Word, holds, letters, plain_words};
use proptest::prelude::*;
use proptest::sample::select;

const GNU: Grammar<'_> = Grammar {
    table: &["-a", "-b", "--long", "-i[=]", "--maybe[=]"],
    ..Grammar::gnu(&["-o", "--value", "--value-two"])
};
const WORDS: Grammar<'_> = Grammar::words(&["-out", "--region", "-p"]);
const UNKNOWN: Grammar<'_> = Grammar { plus: true, ..Grammar::words(&["--region"]) };
const SHELL: Grammar<'_> = Grammar { table: &["-o "], plus: true, bundles: true, ends: true, ..Grammar::WORDS };
const TABLE: Grammar<'_> =
    Grammar { table: &["-n=", "-X:GET|HEAD", "-#", "-v", "-run="], bundles: true, ends: true, ..Grammar::WORDS };
const PAIRS: Grammar<'_> = Grammar { pairs: &["--bind", "-P"], ..Grammar::GNU };
/// Every word is an option with a value.
const EVERYTHING: Grammar<'_> =
    Grammar { table: &["", "-", "--", "=", "-="], values: &["", "-", "--"], ..Grammar::GNU };

/// Arguments between blanks (`''` is an empty one), and what they say: options as `name` or `name:value`, operands in brackets, with a
/// `?` where the word may be a value, and `.` for the end of options.
const CASES: &[(Grammar<'_>, &str, &str)] = &[
    (GNU, "-ab x", "-a -b (x)"),
    (GNU, "-abofile x", "-a -b -o:file (x)"),
    (GNU, "-abo file x", "-a -b -o:file (x)"),
    (GNU, "-o=x", "-o:=x"),
    (GNU, "-o -a", "-o:-a"),
    (GNU, "-o --", "-o:--"),
    (GNU, "-o", "-o"),
    (GNU, "--value=x --value y", "--value:x --value:y"),
    (GNU, "--value= z", "--value: (z)"),
    (GNU, "--val x", "--val:x"),
    (GNU, "--lo x", "--lo (x)"),
    (GNU, "--long=x", "--long:x"),
    (GNU, "-ifile x", "-i:file (x)"),
    (GNU, "-ai x", "-a -i (x)"),
    (GNU, "--maybe x", "--maybe (x)"),
    (GNU, "x -a - -- -b", "(x) -a (-) . (-b)"),
    (GNU, "'' -a ''", "() -a ()"),
    (GNU, "-z x y", "-z (x?) (y)"),
    (GNU, "--other x", "--other (x?)"),
    (GNU, "--other=x y", "--other:x (y)"),
    (GNU, "-é x", "-é (x?)"),
    (GNU, "-aéoü x", "-a -é -o:ü (x)"),
    (GNU, "---", "---"),
    (GNU, "--=x y", "--:x (y)"),
    (WORDS, "-out x y", "-out:x (y)"),
    (WORDS, "-out=x", "-out:x"),
    (WORDS, "-p80 x", "-p:80 (x)"),
    (WORDS, "-verbose x y", "-verbose (x?) (y)"),
    (WORDS, "-- x", "-- (x?)"),
    (WORDS, "-é", "-é"),
    (UNKNOWN, "+nightly build --region eu --force now", "+nightly (build?) --region:eu --force (now?)"),
    (UNKNOWN, "--region --force x", "--region:--force (x)"),
    (SHELL, "-euo pipefail x", "-e -u -o:pipefail (x)"),
    (SHELL, "-oe pipefail x", "-o:pipefail -e (x?)"),
    (SHELL, "+e - x", "-e (-?) (x)"),
    (TABLE, "-5 -n3 -n 4 -vXGET x", "-# -n:3 -n:4 -v -X:GET (x)"),
    (TABLE, "-run=a -run b -n=3", "-run:a -run:b -n:=3"),
    (PAIRS, "--bind a b c", "--bind:a (c)"),
    (PAIRS, "-xP a b c", "-x -P:a (c)"),
    (PAIRS, "--bind a", "--bind:a"),
    (EVERYTHING, "a -b - -- --x= =", "(a) -b (-?) . (--x=) (=)"),
];

fn show<W: Word>(words: &[W], grammar: Grammar<'_>, spelled: impl Fn(&Given<'_, W>) -> String) -> Vec<String> {
    let text = |word: &W| word.text().unwrap_or("*").to_owned();
    let one = |item| match item {
        Item::Option(given) => {
            given.value().map_or_else(|| spelled(&given), |value| format!("{}:{value}", spelled(&given)))
        }
        Item::Operand(operand) => {
            assert_eq!(text(&words[operand.at]), text(operand.word));
            format!("({}{})", text(operand.word), if operand.may_be_value { "?" } else { "" })
        }
        Item::End => ".".to_owned(),
    };
    Scan::new(words, grammar).map(one).collect()
}

/// A letter of a bundle with its dash.
fn name<W: Word>(given: &Given<'_, W>) -> String {
    let dashed = format!("-{}", given.name);
    if given.is(&dashed) { dashed } else { given.name.to_owned() }
}

#[test]
fn a_scan_reads_what_the_table_says() {
    for (grammar, args, said) in CASES {
        let words: Vec<&str> = args.split(' ').map(|word| if word == "''" { "" } else { word }).collect();
        assert_eq!(show(&words, *grammar, name).join(" "), *said, "{args}");
    }
}

/// A word that a program computes is no option, whatever it becomes.
struct Unsure(Option<&'static str>);

impl Word for Unsure {
    fn text(&self) -> Option<&str> {
        self.0
    }
}

#[test]
fn a_word_that_is_not_known_is_an_operand_or_a_value() {
    let words = [Unsure(None), Unsure(Some("-o")), Unsure(None), Unsure(Some("-a"))];
    let said: Vec<_> = Scan::new(&words, GNU).map(|item| matches!(item, Item::Option(_))).collect();
    assert_eq!(said, [false, true, true]);
    let options = Options::read(&words, GNU);
    assert_eq!((options.value(&["-o"]), options.has(&["-a"])), (None, true));
}

#[test]
fn options_are_found_by_their_names() {
    let args = ["--out", "--output-dir=d", "-xvf", "a", "b"];
    let options = Options::all(&args, &["-f", "--output", "--output-dir"]);
    // The first takes the second: it is a beginning of both.
    assert_eq!(options.values(&["--output"]).collect::<Vec<_>>(), ["--output-dir=d"]);
    assert!(options.has(&["-v"]) && !options.has(&["-a"]) && !options.has(&["--xvf"]));
    assert!(options.spells(&["--out"]) && !options.spells(&["--output"]));
    // A name in full is no beginning of another.
    let written = ["--output", "x"];
    assert!(!Options::all(&written, &["--output", "--output-dir"]).has(&["--output-dir"]));
    let (before, rest) = Options::leading(&["-f", "x", "run", "-v"], &["-f"]);
    assert_eq!((before.value(&["-f"]), rest), (Some("x"), ["run", "-v"].as_slice()));
    let (before, rest) = Options::leading(&["-v", "--", "-f"], &["-f"]);
    assert!(before.has(&["-v"]) && rest == ["-f"]);
    assert_eq!(plain_words(&["-a", "b", "-", "--", "", "+c"]).copied().collect::<Vec<_>>(), ["b", "", "+c"]);
    assert_eq!((letters("-abc"), letters("--abc"), letters("abc")), (Some("abc"), None, None));
    assert!(holds("-xR", &['r', 'R']) && !holds("--R", &['R']) && !holds("R", &['R']));
}

/// What `getopt` prints for these words; `None` where it finds a fault.
fn getopt(words: &[&str]) -> Option<Vec<String>> {
    let longs = "long,maybe::,value:,value-two:";
    let out = Command::new("getopt").args(["-o", "abi::o:", "-l", longs, "--"]).args(words).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let plain = |word: &str| word.trim_matches('\'').to_owned();
    out.status.success().then(|| text.split_whitespace().map(plain).collect())
}

/// The same from a scan: options with their values, `--`, operands.
fn as_getopt(words: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let options = Options::read(words, GNU);
    for given in &options.options {
        let all = ["-a", "-b", "-i", "-o", "--long", "--maybe", "--value", "--value-two"];
        let name = all.into_iter().find(|name| given.is_one_of(&[name])).unwrap();
        out.push(name.to_owned());
        if matches!(name, "-i" | "--maybe") {
            out.push(given.value().unwrap_or_default().to_owned());
        } else {
            out.extend(given.value().map(str::to_owned));
        }
    }
    out.push("--".to_owned());
    out.extend(options.operands.iter().map(|word| (*word).to_owned()));
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn getopt_reads_the_same(words in prop::collection::vec(select(vec![
        "-a", "-ab", "-ba", "-o", "-ob", "-abo", "-aox", "-o=x", "-i", "-iX", "-aiX", "--long", "--lo", "--l", "--value",
        "--value=x", "--value=", "--value-two", "--value-t=x", "--may", "--maybe=x", "--maybe", "--", "-", "", "x", "y",
    ]), 0..7)) {
        // The other `getopt`, of BSD, knows no long options and says so by another status.
        let known = Command::new("getopt").arg("--test").status().is_ok_and(|status| status.code() == Some(4));
        if let Some(said) = known.then(|| getopt(&words)).flatten() {
            prop_assert_eq!(as_getopt(&words), said);
        }
    }

    #[test]
    fn every_word_is_read_once_and_in_order(
        words in prop::collection::vec("[-+=aoé ]{0,4}|\\PC{0,6}", 0..8),
        grammar in select(vec![GNU, WORDS, UNKNOWN, SHELL, TABLE, PAIRS, EVERYTHING]),
    ) {
        let mut at = 0;
        for item in Scan::new(&words, grammar) {
            let here = match &item {
                Item::Option(given) => {
                    prop_assert_eq!(given.word, &words[given.at]);
                    given.at
                }
                Item::Operand(operand) => {
                    prop_assert_eq!(operand.word, &words[operand.at]);
                    operand.at
                }
                Item::End => at,
            };
            prop_assert!(here >= at);
            at = here;
        }
    }
}
