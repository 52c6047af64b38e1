//! What a line really runs, shows and sends: tables by hand, in the words that a stranger would try, with harmless neighbours.

use std::collections::BTreeSet;
use std::path::Path;

use hook_policy::rule::Severity;
use serde::Deserialize;

use crate::rules::strictest;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// Refused.
    denied: Vec<String>,
    /// Asked about, and no more than that.
    asked: Vec<String>,
    /// Refused or asked about: what is at stake cannot be told for certain.
    flagged: Vec<String>,
    /// Neither.
    spared: Vec<String>,
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/runs").join(file);
    let cases: Cases = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    let mut each = |wanted: &str, commands: &[String], holds: fn(Option<Severity>) -> bool| {
        for command in commands {
            assert!(seen.insert(command.clone()), "{command} stands twice in {file}");
            let found = strictest(command);
            if !holds(found) {
                wrong.push(format!("{wanted}, and got {found:?}: {command}"));
            }
        }
    };
    each("denied", &cases.denied, |found| found == Some(Severity::Deny));
    each("asked", &cases.asked, |found| found == Some(Severity::Ask));
    each("flagged", &cases.flagged, |found| found.is_some());
    each("spared", &cases.spared, |found| found.is_none());
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
}

#[test]
fn a_wrapper_hides_nothing_of_what_it_runs() {
    check("wrappers.toml");
}

#[test]
fn what_a_package_manager_starts_is_judged_as_if_it_stood_alone() {
    check("package_managers.toml");
}

#[test]
fn arguments_that_stand_elsewhere_count() {
    check("added_arguments.toml");
}

#[test]
fn secrets_are_neither_shown_nor_sent_and_people_go_on_using_them() {
    check("secrets.toml");
}

#[test]
fn what_a_line_sets_up_counts_when_it_acts() {
    check("shell_state.toml");
}

#[test]
fn inline_code_is_read_through_other_names_and_texts_put_together() {
    check("inline_code.toml");
}

#[test]
fn a_shell_on_a_connection_is_told_from_a_connection() {
    check("remote_shells.toml");
}

#[test]
fn other_spellings_of_the_same_kinds_are_seen_too() {
    check("other_spellings.toml");
}

#[test]
fn code_archives_containers_and_settings_are_followed_to_what_they_do() {
    check("code_and_archives.toml");
}

#[test]
fn what_a_stranger_tries_is_seen_and_what_people_do_is_not() {
    check("strangers.toml");
}

#[test]
fn one_removal_is_seen_however_its_text_comes_about() {
    check("every_spelling.toml");
}

#[test]
fn links_mounts_copies_and_dirs_are_followed_to_what_they_stand_for() {
    check("places_and_names.toml");
}

#[test]
fn what_code_reads_types_and_prints_is_followed() {
    check("code_input.toml");
}

#[test]
fn what_programs_print_fetch_and_read_from_files_is_followed() {
    check("printed_and_tasks.toml");
}

#[test]
fn further_routes_to_the_same_places_are_seen_too() {
    check("further_routes.toml");
}

#[test]
fn a_function_that_is_handed_on_is_one_that_is_called() {
    check("functions_as_values.toml");
}

#[test]
fn what_is_sent_to_other_machines_to_run_is_followed_there() {
    check("elsewhere.toml");
}

#[test]
fn a_secret_that_is_handed_out_is_told_from_one_that_is_used() {
    check("handed_out.toml");
}

#[test]
fn a_secret_of_the_environment_is_told_wherever_it_goes() {
    check("environment.toml");
}

#[test]
fn what_few_people_know_is_seen_too() {
    check("less_known.toml");
}

#[test]
fn details_of_the_shell_and_of_its_programs_are_followed() {
    check("details.toml");
}

#[test]
fn the_value_of_an_option_is_told_from_an_operand() {
    check("grammars.toml");
}

#[test]
fn text_from_elsewhere_is_told_from_data_whatever_program_runs_it() {
    check("from_elsewhere.toml");
}

#[test]
fn variables_and_credentials_are_told_by_what_they_are_called() {
    check("variables.toml");
}
