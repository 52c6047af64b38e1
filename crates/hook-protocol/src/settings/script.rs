//! Mistakes that the text of a hook script shows: what its author expected of the host and the host does not do.

use std::fmt;

/// The words that a decision about a call may be; any other makes the host ignore the whole answer.
const DECISIONS: &[&str] = &["allow", "deny", "ask", "defer"];

/// A mistake in a hook script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScriptMistake {
    /// It means to refuse with exit 1, which blocks nothing.
    ExitOne,
    /// It answers with a decision that does not exist.
    UnknownDecision,
    /// It reads a variable that the host does not set.
    SessionVariable,
}

impl fmt::Display for ScriptMistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ExitOne => "exit 1 blocks nothing, the call runs; a refusal is exit 2, or JSON",
            Self::UnknownDecision => {
                "it answers with a decision that Claude Code does not know, and Claude Code then ignores the whole answer"
            }
            Self::SessionVariable => {
                "Claude Code sets no CLAUDE_SESSION_ID; the session is `session_id` of the payload, or CLAUDE_CODE_SESSION_ID"
            }
        })
    }
}

/// Finds mistakes in a script, in any language, that runs on `event`. It looks at words only, so it can miss one, and can take a
/// word in a comment for one; what it says is worth a look and no more.
///
/// ```
/// use hook_protocol::settings::{ScriptMistake, script_mistakes};
///
/// assert_eq!(script_mistakes("PreToolUse", "echo no >&2\nexit 1\n"), [ScriptMistake::ExitOne]);
/// assert_eq!(script_mistakes("PreToolUse", "bad && exit 2\nexit 1\n"), []);
/// assert_eq!(script_mistakes("Stop", r#"echo '{"permissionDecision": "block"}'"#), [ScriptMistake::UnknownDecision]);
/// ```
pub fn script_mistakes(event: &str, text: &str) -> Vec<ScriptMistake> {
    let mut found = Vec::new();
    let refuses_otherwise = exits_with(text, '2') || text.contains("hookSpecificOutput");
    if event == "PreToolUse" && exits_with(text, '1') && !refuses_otherwise {
        found.push(ScriptMistake::ExitOne);
    }
    if decisions(text).any(|word| !DECISIONS.contains(&word)) {
        found.push(ScriptMistake::UnknownDecision);
    }
    if text.contains("CLAUDE_SESSION_ID") {
        found.push(ScriptMistake::SessionVariable);
    }
    found
}

/// Whether a script ends with this code anywhere: `exit 1`, `sys.exit(1)`, `process.exit(1)`.
fn exits_with(text: &str, code: char) -> bool {
    ["exit ", "exit("].iter().any(|exit| {
        text.match_indices(exit).any(|(at, _)| {
            let mut rest = text.get(at + exit.len()..).unwrap_or_default().chars();
            rest.next() == Some(code) && !rest.next().is_some_and(|next| next.is_ascii_alphanumeric())
        })
    })
}

/// The words that stand behind the key of a decision. A variable in their place is none.
fn decisions(text: &str) -> impl Iterator<Item = &str> {
    const KEY: &str = "permissionDecision";
    text.match_indices(KEY).filter_map(|(at, _)| {
        let rest = text.get(at + KEY.len()..)?;
        let quote = rest.trim_start_matches('\\').chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let rest = rest.split_once(quote)?.1.trim_start_matches([' ', ':', '=']).trim_start_matches('\\');
        let word = rest.strip_prefix(['"', '\''])?;
        let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
        word.get(..end).filter(|word| !word.is_empty())
    })
}
