//! How a call failed: never told from what a call printed while it succeeded.

use hook_protocol::event::{Body, Event};
use hook_protocol::native::NativeTool;

use super::super::CheckContext;
use crate::sane::Went;

/// Signatures and the words of an error that they stand for; the first that fits counts.
const SIGNATURES: &[(&str, &[&str])] = &[
    ("COMMAND_NOT_FOUND", &["command not found", "not recognized as", ": not found"]),
    ("PERMISSION_DENIED", &["permission denied", "access denied", "access is denied", "not permitted"]),
    ("FILE_NOT_FOUND", &["no such file", "file not found", "doesn't exist", "does not exist", "enoent"]),
    (
        "BUILD_FAILED",
        &["build failed", "compilation error", "compile error", "could not compile", "compilation failed"],
    ),
    (
        "TEST_FAILED",
        &["test failed", "tests failed", "test result: failed", "failing tests", "assertion failed", "assertionerror"],
    ),
    ("SYNTAX_ERROR", &["syntax error", "syntaxerror", "parse error", "unexpected token"]),
    ("TYPE_ERROR", &["typeerror", "type error", "cannot convert", "type mismatch", "mismatched types"]),
    ("TIMED_OUT", &["timed out", "deadline exceeded", "etimedout"]),
    ("NETWORK_ERROR", &["connection refused", "econnrefused", "timeout", "network error", "could not resolve host"]),
    ("MEMORY_ERROR", &["out of memory", "memory error", "memoryerror", "allocation failed"]),
    ("GENERIC_ERROR", &["error", "failed", "exception", "cannot", "unable", "denied", "not found", "no such"]),
];

/// The signature of a failure of which nothing but an exit code is known.
const EXIT_CODE: &str = "COMMAND_FAILED";

/// The most of an error that is searched for words, in bytes.
const MAX_SEARCHED: usize = 16 << 10;

/// Programs that say "no" with exit code 1, unless the settings name others.
pub(super) const QUIET: &[&str] =
    &["grep", "egrep", "fgrep", "rg", "ag", "diff", "cmp", "test", "[", "[[", "pgrep", "which", "command", "git"];

/// Whether failures of a tool count.
pub(super) fn counts(tool: &str) -> bool {
    let counts = |kind: NativeTool| kind.changes_file() || matches!(kind, NativeTool::Shell | NativeTool::PowerShell);
    NativeTool::named(tool).is_some_and(counts)
}

/// How the event's call went.
pub(super) fn went(ctx: &CheckContext<'_>, tool: &str, quiet: &[String]) -> Went {
    match &ctx.event.body {
        Body::PostToolUseFailure(failure) => {
            if failure.is_interrupt == Some(true) || !counts(tool) {
                return Went::Uncounted(false);
            }
            let error = failure.error.as_ref().map(|error| error.as_str()).unwrap_or_default();
            failed(ctx, &error, quiet)
        }
        Body::PostToolUse(over) => match over.explicit_failure() {
            _ if !counts(tool) => Went::Uncounted(true),
            None => Went::Well,
            Some(failure) => {
                let said = failure.said.unwrap_or_default();
                let signature = match signature(&said) {
                    Some(found) if failure.by_text => found,
                    None if failure.by_text => "GENERIC_ERROR",
                    // An exit code names no cause, and of standard error only what is plainly one.
                    Some(found) if found != "GENERIC_ERROR" => found,
                    _ => EXIT_CODE,
                };
                Went::Failed { signature, error: said }
            }
        },
        _ => Went::Uncounted(true),
    }
}

fn failed(ctx: &CheckContext<'_>, error: &str, quiet: &[String]) -> Went {
    let (code, rest) = exit_code(error);
    if code == Some(1) && rest.trim().is_empty() && says_no(ctx, quiet) {
        return Went::Uncounted(true);
    }
    let signature = match code {
        Some(126) => "PERMISSION_DENIED",
        Some(127) => "COMMAND_NOT_FOUND",
        Some(124) => "TIMED_OUT",
        Some(_) => signature(rest).unwrap_or(EXIT_CODE),
        None => signature(error).unwrap_or("GENERIC_ERROR"),
    };
    Went::Failed { signature, error: error.to_owned() }
}

/// The exit code of the first line, `Exit code N`, and what follows.
fn exit_code(error: &str) -> (Option<u32>, &str) {
    let (first, rest) = error.split_once('\n').unwrap_or((error, ""));
    match first.trim().strip_prefix("Exit code ").and_then(|code| code.trim().parse().ok()) {
        Some(code) => (Some(code), rest),
        None => (None, error),
    }
}

/// Whether the last program of the line means "no" by exit code 1.
fn says_no(ctx: &CheckContext<'_>, quiet: &[String]) -> bool {
    let last = ctx.report().runs.iter().rfind(|run| run.depth == 0);
    last.is_some_and(|run| quiet.contains(&run.program))
}

/// The signature that the words of an error stand for.
fn signature(error: &str) -> Option<&'static str> {
    let end = (0..=MAX_SEARCHED.min(error.len())).rev().find(|at| error.is_char_boundary(*at)).unwrap_or(0);
    let text = error.get(..end).unwrap_or_default().to_lowercase();
    SIGNATURES.iter().find(|(_, words)| words.iter().any(|word| text.contains(word))).map(|(name, _)| *name)
}

/// A file, or the beginning of a command or of another tool's first text.
pub(super) fn summary(event: &Event<'_>) -> String {
    const MOST: usize = 50;
    let Some(tool) = event.tool() else { return String::new() };
    if let Some(path) = tool.touched_path() {
        return path.into_owned();
    }
    let first = || {
        let input = tool.input.object()?;
        input.iter().find_map(|(_, value)| value.as_str().map(std::borrow::Cow::into_owned))
    };
    let text = tool.command().map(std::borrow::Cow::into_owned).or_else(first).unwrap_or_default();
    text.lines().next().unwrap_or_default().chars().take(MOST).collect()
}
