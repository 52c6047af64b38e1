//! `docs/client-compatibility.md`, written from the last run.

use std::fs;

use anyhow::{Context, Result};
use xshell::Shell;

use super::client::{self, is_older};
use super::play::Results;
use super::suite::Outcome;
use super::{events, scenario};
use crate::workspace;

/// Writes the page.
pub(crate) fn save(sh: &Shell, results: &Results) -> Result<()> {
    let path = workspace::root().join("docs/client-compatibility.md");
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    }
    let text = page(results, &workspace::today(sh)?) + &events_of(results)?;
    fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// The events of the newest client that was run, and the scenarios that show them.
fn events_of(results: &Results) -> Result<String> {
    let newest = results.clients.iter().reduce(|a, b| if is_older(&a.version, &b.version) { b } else { a });
    let Some(newest) = newest else {
        return Ok(String::new());
    };
    let held = |name: &str| newest.scenarios.iter().any(|done| done.name == name && done.outcome == Outcome::Held);
    let proofs = events::proofs(&scenario::all()?, held);
    Ok(format!(
        "\n## Events\n\nWhat fired with client {} and was found in our log, by what the scenarios claim. A scenario that wants more events than a \
         profile has\nnames them in a handler of its own.\n\n{}",
        newest.version,
        events::table(&proofs, &client::not_headless()?)
    ))
}

fn page(results: &Results, day: &str) -> String {
    let mut text = String::from(
        "# Client compatibility\n\nWritten by `cargo xtask e2e --save`; each row is a scenario in `xtask/e2e/scenarios` that the real \
         client played against a stub\nmodel, with hookbin installed by `hookbin install`.\n",
    );
    let network =
        if results.loopback_only { "with a network that has only loopback" } else { "without a network of its own" };
    text.push_str(&format!("\nLast run: {day}, {network}.\n\n| scenario | what holds |"));
    for client in &results.clients {
        text.push_str(&format!(" {} |", client.version));
    }
    text.push_str("\n| --- | --- |");
    text.push_str(&" --- |".repeat(results.clients.len()));
    text.push('\n');
    let Some(first) = results.clients.first() else { return text };
    let mut notes: Vec<&str> = Vec::new();
    for (index, done) in first.scenarios.iter().enumerate() {
        text.push_str(&format!("| {} | {} |", done.name, done.about.replace('|', "\\|")));
        for client in &results.clients {
            let word = match client.scenarios.get(index).map(|done| &done.outcome) {
                Some(Outcome::Held) => "holds".to_owned(),
                Some(Outcome::Broken(_)) => "**does not hold**".to_owned(),
                Some(Outcome::Skipped(why)) => {
                    let number = notes.iter().position(|note| note == why).unwrap_or_else(|| {
                        notes.push(why);
                        notes.len() - 1
                    });
                    format!("not run ({})", number + 1)
                }
                None => "not run".to_owned(),
            };
            text.push_str(&format!(" {word} |"));
        }
        text.push('\n');
    }
    if !notes.is_empty() {
        text.push_str("\nNot run:\n\n");
    }
    for (index, note) in notes.iter().enumerate() {
        text.push_str(&format!("{}. {note}\n", index + 1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_a_scenario_and_a_column_a_client() {
        let results: Results = serde_json::from_str(
            r#"{"schema": 1, "loopback_only": true, "clients": [
                {"version": "1.0.0", "scenarios": [{"name": "a", "about": "A|B", "outcome": "held", "seconds": 1.0}]},
                {"version": "1.5.0", "scenarios": [{"name": "a", "about": "A|B", "outcome": "skipped", "lines": "too old", "seconds": 0.0}]},
                {"version": "2.0.0", "scenarios": [{"name": "a", "about": "A|B", "outcome": "broken", "lines": ["x"], "seconds": 1.0}]}
            ]}"#,
        )
        .unwrap();
        let page = page(&results, "2026-01-02");
        assert!(page.contains("Last run: 2026-01-02, with a network that has only loopback."), "{page}");
        let table = "| scenario | what holds | 1.0.0 | 1.5.0 | 2.0.0 |\n| --- | --- | --- | --- | --- |\n\
                     | a | A\\|B | holds | not run (1) | **does not hold** |\n\nNot run:\n\n1. too old\n";
        assert!(page.ends_with(table), "{page}");
    }
}
