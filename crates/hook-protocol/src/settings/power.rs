//! What a text that is written into a settings file of the host would let it do.

use crate::raw::Raw;

/// What a text adds to settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    /// Nothing that runs, grants or switches off.
    None,
    /// Nobody can tell: a piece of a line, or a text without a key.
    Unclear,
    /// It runs programs, sets variables, grants permissions or switches hooks off.
    Some,
}

/// Keys of the whole file, in small letters.
const KEYS: &[&str] = &[
    "env", "hooks", "disableallhooks", "allowmanagedhooksonly", "allowedhttphookurls", "httphookallowedenvvars",
    "apikeyhelper", "awsauthrefresh", "awscredentialexport", "gcpauthrefresh", "otelheadershelper", "statusline",
    "subagentstatusline", "filesuggestion", "enableallprojectmcpservers", "enabledmcpjsonservers", "allowedmcpservers",
    "mcpservers", "enabledplugins", "extraknownmarketplaces", "skipdangerousmodepermissionprompt",
    "skipautopermissionprompt", "bypasspermissionsmodeaccepted", "permissionmode", "sandbox", "workspacetrust",
    "worktree",
];

/// Keys of the permissions, in small letters. What is refused or asked about is no power.
const PERMISSIONS: &[&str] = &["allow", "defaultmode", "additionaldirectories"];

/// Keys further inside that give power, where only a piece of the file is seen.
const INNER: &[&str] = &["command", "args", "url", "prompt", "matcher"];

/// What the text of a whole file, or a piece of one, would let the host do. Keys count as they are read, whatever escapes they are
/// written with.
pub fn power_of(text: &str) -> Power {
    let trimmed = text.trim_start_matches('\u{FEFF}').trim();
    if trimmed.is_empty() {
        return Power::None;
    }
    if let Ok(raw) = Raw::parse(trimmed)
        && let Some(object) = raw.object()
    {
        let strong = object.iter().any(|(key, value)| {
            let key = key.as_str().to_lowercase();
            KEYS.contains(&key.as_str()) && !is_nothing(value)
                || key == "permissions"
                    && value.object().is_some_and(|inner| {
                        inner.iter().any(|(key, value)| {
                            PERMISSIONS.contains(&key.as_str().to_lowercase().as_str()) && !is_nothing(value)
                        })
                    })
        });
        return if strong { Power::Some } else { Power::None };
    }
    piece(trimmed)
}

/// Whether a value says nothing: an empty list or object, `null`, `false`.
fn is_nothing(value: &Raw<'_>) -> bool {
    let text: String = value.text().chars().filter(|c| !c.is_whitespace()).collect();
    matches!(text.as_str(), "null" | "false" | "{}" | "[]" | "\"\"")
}

/// The same of a piece, as an edit puts it into a file: its texts are read, and what is a key is told by the colon behind it.
fn piece(text: &str) -> Power {
    let mut rest = text;
    let mut keys = 0;
    let mut power = Power::None;
    while let Some(at) = rest.find('"') {
        let Some(end) = end_of_text(rest.get(at..).unwrap_or_default()) else { return Power::Some.max(power) };
        let literal = rest.get(at..at + end).unwrap_or_default();
        rest = rest.get(at + end..).unwrap_or_default();
        let Some(said) = Raw::parse(literal).ok().and_then(|raw| raw.as_str().map(std::borrow::Cow::into_owned)) else {
            return Power::Some;
        };
        let is_key = rest.trim_start().starts_with(':');
        let lower = said.to_lowercase();
        let is_variable =
            said.len() > 1 && said.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        if is_key {
            keys += 1;
            let lists = [KEYS, PERMISSIONS, INNER];
            if is_variable || lists.iter().any(|list| list.contains(&lower.as_str())) {
                return Power::Some;
            }
        } else if is_rule(&said) {
            power = Power::Unclear;
        }
    }
    if keys == 0 { Power::Unclear } else { power }
}

/// Whether a text is a rule for permissions: of which list, only the file says.
fn is_rule(text: &str) -> bool {
    text.starts_with("mcp__")
        || text.ends_with(')') && text.contains('(')
        || matches!(text, "Bash" | "*" | "Write" | "Edit")
}

/// Where a JSON text that begins with its quote ends.
fn end_of_text(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// A text with its JSON escapes of characters read, wherever they stand.
pub fn unescaped(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("\\u") {
        return std::borrow::Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(rest.get(..at).unwrap_or_default());
        let digits = rest.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let read = digits.and_then(char::from_u32);
        match read {
            None => out.push_str("\\u"),
            Some(c) => out.push(c),
        }
        let skip = if read.is_some() { 6 } else { 2 };
        rest = rest.get(at + skip..).unwrap_or_default();
    }
    out.push_str(rest);
    std::borrow::Cow::Owned(out)
}
