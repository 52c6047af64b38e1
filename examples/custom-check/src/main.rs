//! A hook with one check of its own: generated files are not edited by hand. It needs `hook-protocol` and nothing else.
//!
//! Register it next to hookbin, as a second entry of `PreToolUse`; the host lets the strictest answer of both win:
//!
//! ```json
//! {"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "/path/to/example-custom-check", "args": [], "timeout": 10}]}
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a hook answers on stdout and says its reason on stderr")]

use std::io::Read;
use std::process::ExitCode;

use hook_protocol::reply::{PreToolUse, Reply};
use hook_protocol::{Event, lenient};

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    // What cannot be read is answered by no answer, and never by a code the host takes for a crash.
    let _ = std::io::stdin().read_to_end(&mut bytes);
    let text = lenient::decode(&bytes);
    let Some(reply) = Event::parse(&text).ok().as_ref().and_then(check) else { return ExitCode::SUCCESS };
    print!("{}", reply.stdout());
    if let Some(reason) = reply.refusal() {
        eprintln!("{reason}");
    }
    ExitCode::from(reply.exit_code())
}

/// Refuses an edit of a file in a `generated` directory, and has no opinion on anything else.
fn check(event: &Event<'_>) -> Option<Reply> {
    let tool = event.tool()?;
    if !matches!(tool.canonical_name(), "Write" | "Edit" | "NotebookEdit") {
        return None;
    }
    let path = tool.touched_path()?;
    // The host sends absolute paths, but nothing keeps another caller from sending `src\generated`.
    let generated = path.split(['/', '\\']).any(|dir| dir == "generated");
    generated.then(|| {
        let reason = format!("{path} is generated; change its source and run `make generate`");
        Reply::PreToolUse(PreToolUse::deny(reason))
    })
}

#[cfg(test)]
mod tests {
    use hook_protocol::Event;

    use super::check;

    fn refused(tool: &str, path: &str) -> bool {
        let payload = format!(
            r#"{{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{{"file_path":"{path}"}}}}"#
        );
        check(&Event::parse(&payload).unwrap()).is_some_and(|reply| reply.refusal().is_some())
    }

    #[test]
    fn only_edits_of_generated_files_are_refused() {
        assert!(refused("Write", "/p/src/generated/api.rs"));
        assert!(refused("Edit", "/p/generated/a.rs"));
        assert!(!refused("Read", "/p/src/generated/api.rs"));
        assert!(!refused("Write", "/p/src/generated.rs"));
    }
}
