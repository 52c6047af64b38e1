//! Every command that the documents show is run here, in a throw-away project with the built executable on `PATH`, and what they print
//! is compared where it is shown.
//!
//! A block is one of these, by the words behind its fence:
//!
//! - `console`: lines that begin with `$ ` are commands; what follows is their output. A line `…` stands for any lines. Without any shown
//!   output it is not compared.
//! - `sh`: commands only.
//! - `toml file=PATH`, `json file=PATH`, `text file=PATH`: what is written to a file of the project.
//! - `console not-run="REASON"`, `sh not-run="REASON"`: commands that cannot run in a test.
//!
//! A command must end with 0, or with a number that its comment names behind the word `exit`. The commands of one document share a project.
//! `HOOKBIN_WRITE_DOCS=1` puts in what was really printed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::sandbox::Sandbox;

/// Documents begin with this where their commands want a project in which something has happened.
const WITH_SESSION: &str = "<!-- sandbox: session -->";
/// Blocks that may go unrun, in all documents.
const MOST_NOT_RUN: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["README.md", "SECURITY.md", "CONTRIBUTING.md"].map(|name| root().join(name)).into();
    for dir in ["docs/guide", "docs/guide/profiles"] {
        let Ok(entries) = std::fs::read_dir(root().join(dir)) else { continue };
        found.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "md")),
        );
    }
    found.extend(
        std::fs::read_dir(root().join("crates")).into_iter().flatten().map(|it| it.unwrap().path().join("README.md")),
    );
    found.sort();
    found.retain(|path| path.is_file());
    found
}

/// The project of one document.
struct Place {
    sandbox: Sandbox,
    path: String,
}

impl Place {
    fn new(with_session: bool) -> Self {
        let sandbox = Sandbox::new();
        let programs = sandbox.home().join("bin");
        std::fs::create_dir(&programs).unwrap();
        let (built, named) = (env!("CARGO_BIN_EXE_hookbin"), programs.join("hookbin"));
        if std::fs::hard_link(built, &named).is_err() {
            std::fs::copy(built, &named).unwrap();
        }
        // The guides show a moment that does not pass.
        sandbox.note_environment("HOOKBIN_NOW\n");
        if with_session {
            let ran = sandbox.cli(&["install", "--project", "."]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            session(&sandbox);
        }
        Self { path: format!("{}:/usr/bin:/bin", programs.display()), sandbox }
    }

    /// Runs a command as a shell does. The exit code, and both outputs in the order in which they were written.
    fn run(&self, command: &str) -> (i32, String) {
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .env_clear()
            .env("HOME", self.sandbox.home())
            .env("PATH", &self.path)
            .env("HOOKBIN_NOW", "2026-03-01T10:00:00Z")
            .env("HOOKBIN_UNATTENDED", "1")
            .current_dir(self.sandbox.project())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let home = self.sandbox.home().canonicalize().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).replace(&home.display().to_string(), "/home/user");
        let said = said.replace(&self.sandbox.home().display().to_string(), "/home/user");
        let said = of_that_call(&of_that_time(&said));
        (output.status.code().unwrap_or(-1), said)
    }
}

/// A small session: a prompt, a refused command, a call that went well.
fn session(sandbox: &Sandbox) {
    let common = json!({"session_id": "11111111-2222-4333-8444-555555555555", "cwd": sandbox.project()});
    for (seconds, event) in [
        (0, json!({"hook_event_name": "SessionStart", "source": "startup"})),
        (5, json!({"hook_event_name": "UserPromptSubmit", "prompt": "Clean up the build"})),
        (
            9,
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {"command": "cd .. && sudo rm -rf build"}}),
        ),
        (
            14,
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_2", "tool_input": {"command": "rm -rf build"}}),
        ),
        (
            15,
            json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_2", "tool_input": {"command": "rm -rf build"}}),
        ),
        (20, json!({"hook_event_name": "Stop"})),
    ] {
        let mut event = event;
        event.as_object_mut().unwrap().extend(common.as_object().unwrap().clone());
        let now = format!("2026-03-01T09:30:{seconds:02}Z");
        sandbox.hook_with(&[], event.to_string().as_bytes(), &[("HOOKBIN_NOW", &now)]);
    }
}

/// Exit codes that a command may have by its comment.
fn allowed(command: &str) -> Vec<i32> {
    let Some((_, rest)) = command.split_once(" # ").and_then(|(_, comment)| comment.split_once("exit ")) else {
        return vec![0];
    };
    let numbers = rest.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    // "exit 4 if not" says what else may come, "exit 2" alone what comes.
    let only = rest.trim().chars().all(|c| c.is_ascii_digit());
    if only { numbers.collect() } else { numbers.chain([0]).collect() }
}

/// The machine's own clock, which no variable sets, as the guides show it.
fn of_that_time(said: &str) -> String {
    let mut said = said.to_owned();
    for key in ["\"begun\":", "\"millis\":"] {
        if let Some((before, rest)) = said.split_once(key) {
            said = format!("{before}{key}1772357400000{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
    }
    said
}

/// The name of a refused call, which is of this directory, as the guides show it.
fn of_that_call(said: &str) -> String {
    let mut shown = String::new();
    let mut rest = said;
    while let Some((before, behind)) =
        ["hookbin allow ", "allow="].iter().filter_map(|key| cut(rest, key)).min_by_key(|(before, _)| before.len())
    {
        shown.push_str(before);
        let digits = behind.chars().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit()).count();
        rest = if digits == 4 { &behind[4..] } else { behind };
        shown.push_str(if digits == 4 { "7K3F" } else { "" });
    }
    shown + rest
}

/// What comes before the end of a key, and behind it.
fn cut<'t>(text: &'t str, key: &str) -> Option<(&'t str, &'t str)> {
    text.find(key).map(|at| text.split_at(at + key.len()))
}

/// Whether what was printed is what is shown, where a line `…` stands for any lines.
fn fits(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => (0..=printed.len()).any(|from| fits(rest, &printed[from..])),
        Some((first, rest)) => {
            printed.first().is_some_and(|line| line.trim_end() == first) && fits(rest, &printed[1..])
        }
    }
}

/// What stands in a document, and what is wrong with it.
#[derive(Default)]
struct Checked {
    text: String,
    faults: Vec<String>,
    commands: usize,
    not_run: usize,
}

fn check(name: &str, text: &str) -> Checked {
    let place = Place::new(text.contains(WITH_SESSION));
    let mut checked = Checked::default();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        checked.text.push_str(line);
        checked.text.push('\n');
        let Some(info) = line.trim_start().strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let mut block = Vec::new();
        for (_, line) in lines.by_ref().take_while(|(_, line)| line.trim_start() != "```") {
            block.push(line.to_owned());
        }
        let at = format!("{name}:{}", number + 1);
        let kind = info.split([' ', ',']).next().unwrap_or_default();
        if let Some((_, reason)) = info.split_once("not-run=\"") {
            assert!(reason.len() > 10, "{at}: say why it is not run");
            checked.not_run += 1;
        } else if let Some((_, file)) = info.split_once("file=") {
            place.sandbox.write(file.trim(), &(block.join("\n") + "\n"));
        } else if matches!(kind, "console" | "sh") {
            block = run_block(&place, &at, kind, &block, &mut checked);
        }
        for line in &block {
            checked.text.push_str(line);
            checked.text.push('\n');
        }
        checked.text.push_str("```\n");
    }
    checked
}

/// Runs the commands of a block; returns it with what was printed.
fn run_block(place: &Place, at: &str, kind: &str, block: &[String], checked: &mut Checked) -> Vec<String> {
    let mut done = Vec::new();
    let mut rest = block;
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        done.push(line.clone());
        let command = if kind == "sh" { Some(line.as_str()) } else { line.strip_prefix("$ ") };
        let Some(command) = command.filter(|command| !command.trim().is_empty() && !command.starts_with('#')) else {
            if kind == "console" && !line.trim().is_empty() {
                checked.faults.push(format!("{at}: output without a command: {line}"));
            }
            continue;
        };
        let mut command = command.to_owned();
        while command.ends_with('\\') {
            let Some((more, after)) = rest.split_first() else { break };
            command.push('\n');
            command.push_str(more.strip_prefix("> ").unwrap_or(more));
            done.push(more.clone());
            rest = after;
        }
        let shown =
            if kind == "sh" { 0 } else { rest.iter().position(|line| line.starts_with("$ ")).unwrap_or(rest.len()) };
        let (shown, after) = rest.split_at(shown);
        rest = after;
        checked.commands += 1;
        let (code, printed) = place.run(&command);
        if !allowed(&command).contains(&code) {
            checked.faults.push(format!("{at}: `{command}` ended with {code}:\n{printed}"));
        }
        let printed: Vec<&str> = printed.lines().collect();
        let wanted: Vec<String> = shown.iter().map(|line| line.trim_end().to_owned()).collect();
        if shown.is_empty() || fits(&wanted, &printed) {
            done.extend(shown.iter().cloned());
        } else {
            checked.faults.push(format!(
                "{at}: `{command}` printed\n{}\nand not\n{}",
                printed.join("\n"),
                shown.join("\n")
            ));
            done.extend(printed.iter().map(|line| line.trim_end().to_owned()));
        }
    }
    done
}

#[test]
fn every_command_in_the_documents_runs_and_prints_what_is_shown() {
    let documents = documents();
    if documents.is_empty() {
        println!("SKIPPED: the documents are not beside this package");
        return;
    }
    let mut faults = Vec::new();
    let (mut commands, mut not_run) = (0, 0);
    for path in &documents {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let checked = check(&name, &text);
        if std::env::var_os("HOOKBIN_WRITE_DOCS").is_some() && checked.text != text {
            std::fs::write(path, &checked.text).unwrap();
        }
        faults.extend(checked.faults);
        commands += checked.commands;
        not_run += checked.not_run;
    }
    println!("{commands} commands in {} documents, {not_run} blocks not run", documents.len());
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(commands >= 30 && not_run <= MOST_NOT_RUN, "{commands} commands, {not_run} not run");
}

#[test]
fn a_wrong_document_is_noticed() {
    let faulty = |text: &str| check("a.md", text).faults.len();
    assert_eq!(faulty("```console\n$ echo a\na\n$ echo b\n…\n$ false # exit 1\n```\n"), 0);
    assert_eq!(faulty("```console\n$ echo a\nb\n```\n"), 1);
    assert_eq!(faulty("```console\n$ echo a; echo b\na\n```\n"), 1);
    assert_eq!(faulty("```sh\nfalse\n```\n"), 1);
    assert_eq!(faulty("```sh\ntrue # exit 1\n```\n"), 1);
    assert_eq!(faulty("```sh\nhookbin frobnicate\n```\n"), 1);
    assert_eq!(faulty("```sh not-run=\"it needs a network\"\nfalse\n```\n"), 0);
    assert_eq!(faulty("```toml file=a.toml\nx = 1\n```\n\n```console\n$ cat a.toml\nx = 1\n```\n"), 0);
}
