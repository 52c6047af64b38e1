//! Raw to resolved: what is understood, what is refused and with which words, and how profiles combine.

use hook_policy::FailMode;
use hook_policy::check::KINDS;
use hook_policy::profile::{RawProfile, nearest};

use crate::support::{refuser, resolved, with_faults};

fn fault(profiles: &[(&str, &str)], files: &[&str]) -> (Option<usize>, String) {
    let error = resolved(profiles, files).expect_err("there is a fault");
    (error.line, error.to_string())
}

#[test]
fn a_fault_names_file_line_and_the_nearest_key() {
    let text = "name = \"a\"\n[log]\nmax_bites = 5\n";
    let (line, said) = fault(&[("a", text)], &[]);
    assert_eq!(line, Some(3), "{said}");
    assert!(said.starts_with("a:3:1: ") && said.contains("`max_bites`") && said.contains("`max_bytes`"), "{said}");

    let handler = refuser("h", "Read", "no");
    let (line, said) = fault(&[("a", &format!("{handler}massage = \"x\"\n"))], &[]);
    assert!(said.contains("`massage`") && said.contains("`message`"), "{said}");
    assert_eq!(line, Some(8), "the line of the key: {said}");
}

#[test]
fn every_kind_of_wrong_name_gets_its_neighbour() {
    let good = refuser("pre-read", "Read", "no");
    for (text, wrong, right) in [
        (good.replace("\"PreToolUse\"", "\"PreToolUze\""), "PreToolUze", "PreToolUse"),
        (
            good.replace("steps = [\"redirect\"]", "steps = [\"redirekt\"]")
                .replace("handler.redirect", "handler.redirekt"),
            "redirekt",
            "redirect",
        ),
        (good.replace("tools", "toolz"), "toolz", "tools"),
        (good.replace("\"no\"", "\"no {toool}\""), "toool", "tool"),
    ] {
        let (_, said) = fault(&[("a", &text)], &[]);
        assert!(said.contains(&format!("`{wrong}`")) && said.contains(&format!("`{right}`")), "{said}");
    }
    for (file, wrong, right) in [
        ("[change.pre-reed]\nenabled = false\n", "pre-reed", "pre-read"),
        ("[change.pre-read.redirct]\nmessage = \"x\"\n", "redirct", "redirect"),
        ("[change.pre-read]\nenable = false\n", "enable", "enabled"),
        ("[change.pre-read.redirect]\nmesage = \"x\"\n", "mesage", "message"),
    ] {
        let (_, said) = fault(&[("a", &good)], &[file]);
        assert!(said.starts_with("hookbin.toml:"), "{said}");
        assert!(said.contains(&format!("`{wrong}`")) && said.contains(&format!("`{right}`")), "{said}");
    }
}

/// The words of a parser's types say nothing to whoever writes the file.
#[test]
fn a_wrong_type_is_told_in_the_words_of_the_file() {
    let rule = "[[rule]]\nid = \"a\"\nprogram = \"a\"\nthen = \"deny\"\nreason = \"r\"\n";
    for (file, words) in [
        ("profile = 3".to_owned(), "expected a text in quotes, or a list of such texts"),
        ("profile = [3]".to_owned(), "expected a text in quotes"),
        ("[log]\nmax_bytes = \"big\"".to_owned(), "expected a whole number, 0 or more"),
        ("agent_proof = \"yes\"".to_owned(), "expected true or false"),
        ("log = 3".to_owned(), "expected a table"),
        ("change = 3".to_owned(), "expected a table"),
        (format!("{rule}should_match = \"a\"\nshould_not_match = [\"b\"]"), "expected a list in square brackets"),
        (format!("{rule}args = 3\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]"), "or a list of such texts"),
        (format!("{rule}should_match = [\"a\"]"), "`should_not_match` is missing"),
        ("[change.own-x]\ntools = 3".to_owned(), "`tools`"),
        ("p\0r\0o\0f\0i\0l\0e\0=\0".to_owned(), "no text in UTF-8"),
    ] {
        let (_, said) = fault(&[("a", "")], &[&file]);
        assert!(said.contains(words), "{file:?}: {said:?}");
        for jargon in ["sequence", "struct ", "variant of", "untagged", "u64", "a map"] {
            assert!(!said.contains(jargon), "{file:?}: {said:?}");
        }
    }
}

/// Every check names its own settings, so that none is taken for a setting of another.
#[test]
fn a_misspelt_setting_of_any_check_is_told_with_check_line_and_neighbour() {
    for kind in KINDS {
        let name = kind.name;
        let handler = format!("[[handler]]\nname = \"h\"\non = [\"Stop\"]\nsteps = [\"{name}\"]\n");
        let misspelt = kind.settings().first().map_or("none".to_owned(), |setting| format!("{setting}x"));
        let (line, said) = fault(&[("a", &format!("{handler}[handler.{name}]\n{misspelt} = []\n"))], &[]);
        assert!(said.contains(&format!("settings of `{name}`: unknown key `{misspelt}`")), "{said}");
        assert_eq!(line, Some(6), "{said}");
        let near = kind.settings().first().map(|setting| format!("; the nearest valid one is `{setting}`"));
        assert!(near.is_none_or(|near| said.ends_with(&near)), "{said}");
    }
}

#[test]
fn a_fault_names_the_whole_way_to_its_key() {
    let handler = "[[handler]]\nname = \"h\"\non = [\"Stop\"]\nsteps = [\"handoff\"]\n[handler.handoff";
    let rule = "[[rule]]\nid = \"a\"\nprogram = \"a\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"a\"]\nshould_not_match = [\"b\"]\n[rule.when]\n";
    for (text, place, words) in [
        ("[log]\nkeep = -1\n".to_owned(), 2, "`log.keep`: invalid value: integer `-1`, expected a whole number"),
        (
            format!("{rule}in_subagent = 2020-01-01\n"),
            9,
            "`when.in_subagent`: invalid type: date or time, expected true",
        ),
        (
            format!("{handler}.checkpoint]\ntest_seconds = \"x\"\n"),
            5,
            "settings of `handoff`: `checkpoint.test_seconds`: ",
        ),
        (
            format!("{handler}]\ncheckpoint = 2020-01-01\n"),
            6,
            "`checkpoint`: invalid type: date or time, expected a table",
        ),
        (
            format!("{handler}.checkpoint]\ntest_secondz = 1\n"),
            5,
            "`test_secondz`; the nearest valid one is `test_seconds`",
        ),
    ] {
        let (line, said) = fault(&[("a", "")], &[&text]);
        assert!(said.contains(words), "{said}");
        assert_eq!(line, Some(place), "{said}");
    }
}

#[test]
fn a_name_that_is_far_from_all_gets_no_neighbour() {
    assert_eq!(nearest("zzzzzzzz", ["redirect", "observe"]), None);
    assert_eq!(nearest("", ["redirect"]), None);
    assert_eq!(nearest("obzerve", ["redirect", "observe"]).as_deref(), Some("observe"));
}

/// What two profiles build on runs once. Two handlers that only have their name in common are two: neither profile's promise may get
/// lost because another one stands before it.
#[test]
fn profiles_that_are_combined_lose_no_handler() {
    let base = "name = \"base\"\n[[handler]]\nname = \"memory\"\non = [\"Stop\"]\nsteps = [\"memory\"]\n";
    let one = format!("name = \"one\"\nextends = [\"base\"]\n{}", refuser("x", "Read", "one"));
    let two = format!("name = \"two\"\nextends = [\"base\"]\n{}", refuser("x", "Edit", "two"));
    let profiles = [("base", base), ("one", &*one), ("two", &*two)];
    let profile = resolved(&profiles, &[]).unwrap();
    let handlers: Vec<(&str, &str)> =
        profile.handlers.iter().map(|handler| (handler.name.as_str(), handler.profile.as_str())).collect();
    assert_eq!(handlers, [("memory", "base"), ("x", "one"), ("x", "two")]);
    assert_eq!([&profile.handlers[1].tools, &profile.handlers[2].tools], [&["Read"], &["Edit"]]);
    // A change by the name reaches both.
    let changed = resolved(&profiles, &["[change.x]\ntools = [\"Bash\"]\n"]).unwrap();
    assert!(changed.handlers[1..].iter().all(|handler| handler.tools == ["Bash"]));
    assert_eq!(resolved(&profiles, &["[change.x]\nenabled = false\n"]).unwrap().handlers.len(), 1);
    let twice = format!("{}{}", refuser("x", "Read", "a"), refuser("x", "Edit", "b"));
    assert!(fault(&[("a", &twice)], &[]).1.contains("named twice"));
    // A user's own handler of a name that is taken is told, and not passed over.
    let (line, said) = fault(&profiles, &[&refuser("x", "Read", "mine")]);
    assert!(line.is_some() && said.contains("`x` is one of the profile's") && said.contains("[change.x]"), "{said}");
}

#[test]
fn combined_profiles_take_the_strictest_fail_mode_and_the_first_identity() {
    let lax = "on_unreadable = \"ask\"\nunreadable_reason = \"lax\"\nsession_ids = [\"wrapper-env\"]\n";
    let strict = "on_unreadable = \"deny\"\nunreadable_reason = \"strict\"\nsession_ids = [\"payload\"]\n";
    for profiles in [[("lax", lax), ("strict", strict)], [("strict", strict), ("lax", lax)]] {
        let settings = resolved(&profiles, &[]).unwrap().settings;
        assert_eq!(settings.on_unreadable, FailMode::Deny);
        assert_eq!(settings.unreadable_reason, "strict");
        assert_eq!(settings.session_ids.len(), 1);
    }
    // A user's file says what holds.
    let settings = resolved(&[("strict", strict)], &["on_unreadable = \"none\"\n"]).unwrap().settings;
    assert_eq!(settings.on_unreadable, FailMode::None);
}

#[test]
fn a_change_reaches_one_setting_and_leaves_the_others() {
    let text = "[[handler]]\nname = \"o\"\non = [\"PreToolUse\"]\nsteps = [\"observe\"]\n[handler.observe]\nfile = \"f\"\nlabel = \"L\"\nfallback = \"b\"\n";
    let changed = resolved(&[("a", text)], &["[change.o.observe]\nlabel = \"M\"\n"]).unwrap();
    let expected = resolved(&[("a", &text.replace("\"L\"", "\"M\""))], &[]).unwrap();
    assert_eq!(changed.handlers, expected.handlers);
    assert!(resolved(&[("a", text)], &["[change.o]\nenabled = false\n"]).unwrap().handlers.is_empty());
    let own =
        resolved(&[("a", text)], &["[[handler]]\nname = \"mine\"\non = [\"Stop\"]\nsteps = [\"memory\"]\n"]).unwrap();
    assert_eq!(own.handlers.len(), 2);
}

#[test]
fn a_table_is_changed_entry_by_entry() {
    let text = "[[handler]]\nname = \"g\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n[handler.guard]\nfamilies = [\"git\"]\nseverity = { \"git-push\" = \"off\" }\n";
    let both = text.replace("\"off\" }", "\"off\", \"git-clean\" = \"ask\" }");
    let change = "[change.g.guard.severity]\ngit-clean = \"ask\"\n";
    let expected = resolved(&[("a", &both)], &[]).unwrap();
    assert_eq!(resolved(&[("a", text)], &[change]).unwrap().handlers, expected.handlers);
    // So does the half of a table that can be understood.
    let half = format!("{change}git-push = \"sometimes\"\n");
    let profile = with_faults(&[("a", text)], &[&half]);
    assert_eq!((profile.handlers, profile.faults.len()), (expected.handlers, 1));
}

#[test]
fn a_handler_of_ones_own_does_not_bear_the_name_of_one_of_the_profile() {
    let mine = refuser("x", "Edit", "mine");
    for before in ["", "[change.x]\nenabled = false\n"] {
        let file = format!("{before}{mine}");
        let (line, said) = fault(&[("a", &refuser("x", "Read", "no"))], &[&file]);
        assert!(said.starts_with("hookbin.toml:") && said.contains("`x`") && said.contains("another name"), "{said}");
        assert_eq!(line, Some(before.lines().count() + 2), "the line of its name");
    }
}

#[test]
fn the_chosen_profiles_of_a_broken_file_can_be_told() {
    let salvage = |text| RawProfile::salvage_profiles(text);
    assert_eq!(salvage("profile = [\"spf\"]\n[log\n"), Some(vec!["spf".to_owned()]));
    assert_eq!(salvage("x = \nprofile = \"a\"\n"), Some(vec!["a".to_owned()]));
    assert_eq!(
        salvage("\u{feff}profile = \"spf\"\r\n[log\r\n"),
        Some(vec!["spf".to_owned()]),
        "a mark before the first line"
    );
    assert_eq!(salvage("[table]\nprofile = \"a\"\n"), None);
    assert_eq!(salvage("profile = [\"spf\"\n"), Some(vec!["spf".to_owned()]), "an open bracket");
    assert_eq!(salvage("profile = [\"spf\", 5]\n"), Some(vec!["spf".to_owned()]));
    assert_eq!(salvage("profile = spf\n"), None);
    let two = Some(vec!["spf".to_owned(), "sane".to_owned()]);
    assert_eq!(
        salvage("profile = [\n  \"spf\",  # native tools\n  \"sane\",\n]\n[log\n"),
        two,
        "a list over several lines"
    );
    assert_eq!(salvage("profile = [\n\"spf\", 5,\n\"sane\"]\n"), two);
    assert_eq!(salvage("profiles = \"a\"\nprofile = \"b\"\n"), Some(vec!["b".to_owned()]), "another key");
}

#[test]
fn a_file_changes_single_scoring_settings_and_adds_signals() {
    let profile = "[complexity]\ninherit = true\nmatching = \"raw\"\n[[complexity.signal]]\nid = \"a\"\nscore = 1\nany_of = [\"x\"]\n";
    let file = "[complexity]\nmatching = \"words\"\n[[complexity.signal]]\nid = \"b\"\nscore = 2\nregex = \"y+\"\n";
    let scoring = resolved(&[("a", profile)], &[file]).unwrap().settings.complexity;
    assert!(scoring.inherit);
    assert_eq!(scoring.matching, hook_policy::profile::Matching::Words);
    assert_eq!(scoring.signal.iter().map(|signal| signal.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(fault(&[("a", "[complexity]\nmatching = \"word\"\n")], &[]).1.starts_with("a:2:"));
}

#[test]
fn a_log_file_stays_in_the_state_dir() {
    let text = "[[handler]]\nname = \"l\"\non = [\"Stop\"]\nsteps = [\"line\"]\n[handler.line]\nfile = \"FILE\"\ntext = \"x\"\n";
    assert!(resolved(&[("a", &text.replace("FILE", "mine.log"))], &[]).is_ok());
    for file in ["../evil.log", "/evil.log", "a/b", ".hidden", ""] {
        assert!(fault(&[("a", &text.replace("FILE", file))], &[]).1.contains("plain name"), "{file}");
    }
}
