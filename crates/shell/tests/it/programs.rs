//! The catalogue as a whole.

use std::collections::HashSet;

use hook_shell::programs::{Invocation, all, named};

fn words(text: &str) -> Vec<String> {
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_name_has_one_row() {
    let mut seen = HashSet::new();
    for name in all().flat_map(|program| program.names) {
        assert!(seen.insert(name), "{name} has two rows");
        assert!(named(name).is_some_and(|program| program.names.contains(name)), "{name} is not found");
    }
    assert!(named("no-such-program").is_none() && named("").is_none());
}

#[test]
fn an_option_that_names_a_line_or_a_list_has_a_value() {
    let mut missing = Vec::new();
    for program in all() {
        let grammars = || program.verbs.iter().map(|(_, grammar)| *grammar).chain([program.options]);
        for option in program.lines.iter().chain(program.commands) {
            let in_table =
                |entry: &&str| entry.strip_prefix(option).is_some_and(|takes| matches!(takes, "=" | "[=]" | " "));
            let known = grammars().any(|grammar| grammar.values.contains(option) || grammar.table.iter().any(in_table));
            if !known {
                missing.push((program.names, option));
            }
        }
    }
    assert!(missing.is_empty(), "no value by the grammar: {missing:?}");
}

#[test]
fn a_letter_means_what_the_sub_command_says() {
    for (name, args, operands) in [
        ("kubectl", "delete -f a.yaml b", ["delete", "b"].as_slice()),
        ("kubectl", "-n prod logs -f b", &["logs", "b"]),
        ("docker", "rm -f a", &["rm", "a"]),
        ("docker", "compose -f a.yml down", &["compose", "down"]),
        ("gh", "api -f a=b repos", &["api", "repos"]),
        ("gh", "pr create -f a", &["pr", "create", "a"]),
        ("cargo", "watch -s a", &["watch"]),
    ] {
        assert_eq!(Invocation::new(name, &words(args)).options().operands, operands, "{name} {args}");
    }
}

#[test]
fn the_words_of_a_sub_command_are_known() {
    for (name, args, verb) in [
        ("kubectl", "-n prod delete pod a", ["delete"].as_slice()),
        ("kubectl", "config view --raw", &["config", "view"]),
        ("gh", "pr view 1", &["pr", "view"]),
        ("ls", "delete", &[]),
        ("no-such-program", "delete a", &[]),
    ] {
        let args = words(args);
        let of = Invocation::new(name, &args);
        assert_eq!(of.verb(&of.options()), verb, "{name} {args:?}");
    }
}

#[test]
fn a_script_is_the_program_that_really_runs() {
    for (name, args, real, rest) in [
        ("python3.11", "-m twine upload a", "twine", "upload a"),
        ("php", "artisan migrate:fresh", "artisan", "migrate:fresh"),
        ("java", "-Xmx1g -jar /opt/jenkins-cli.jar delete-job a", "jenkins-cli", "delete-job a"),
        ("bash", "./kafka-topics.sh --delete", "kafka-topics", "--delete"),
        ("bash", "-c a b", "bash", "-c a b"),
        ("node", "-", "node", "-"),
        ("psql-15", "-c a", "psql", "-c a"),
        ("db2", "a", "db2", "a"),
    ] {
        let args = words(args);
        let of = Invocation::new(name, &args).real(&|name| name == "db2");
        assert_eq!((of.name, of.args.join(" ").as_str()), (real, rest), "{name} {args:?}");
    }
}
