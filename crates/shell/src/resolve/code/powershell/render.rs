//! Variables, and the commands that an expression is as a statement.

use super::value::{Piece, Value};
use crate::resolve::exec::quoted;

/// Variables of Windows, and the places for which they stand.
const DIRS: &[(&str, &str)] = &[
    ("systemroot", "C:/Windows"),
    ("windir", "C:/Windows"),
    ("systemdrive", "C:"),
    ("homedrive", "C:"),
    ("programfiles", "C:/Program Files"),
    ("programfiles(x86)", "C:/Program Files"),
    ("programdata", "C:/ProgramData"),
    ("allusersprofile", "C:/ProgramData"),
    ("public", "C:/Users/Public"),
];

/// Variables that name something below the home directory.
const AT_HOME: &[(&str, &str)] = &[
    ("userprofile", ""),
    ("homepath", ""),
    ("home", ""),
    ("appdata", "/AppData/Roaming"),
    ("localappdata", "/AppData/Local"),
    ("onedrive", "/OneDrive"),
];

/// The variable of that name.
pub(super) fn variable(name: &str) -> Value {
    let lower = name.to_lowercase();
    let scopes = ["global:", "script:", "local:", "private:", "using:", "variable:", "function:"];
    let plain = scopes.iter().find_map(|scope| lower.strip_prefix(scope)).unwrap_or(&lower);
    if let Some(of) = plain.strip_prefix("env:") {
        let written = name.get(name.len() - of.len()..).unwrap_or(of);
        return Value { variable: Some(lower.clone()), ..environment(written) };
    }
    let mut value = match plain {
        "true" | "false" => Value { truth: true, ..Value::text(plain) },
        "null" => Value::word(Vec::new()),
        "home" => code("${HOME}"),
        "pwd" | "psscriptroot" | "pscommandpath" => code("${PWD}"),
        "profile" => home("/.config/powershell/profile.ps1"),
        "?" | "lastexitcode" => code("$?"),
        "_" | "psitem" => code("${psitem}"),
        "args" | "input" => code("$@"),
        "pid" | "$" => code("$$"),
        "^" => Value::text(""),
        name => code(&format!("${{{}}}", identifier(name))),
    };
    value.variable = Some(plain.to_owned());
    value
}

/// A name as the POSIX shell takes it.
pub(super) fn identifier(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    if out == "_" { "psitem".to_owned() } else { out }
}

/// A variable of the environment.
pub(super) fn environment(name: &str) -> Value {
    let lower = name.to_lowercase();
    if let Some((_, dir)) = DIRS.iter().find(|(known, _)| *known == lower) {
        return Value::text(dir);
    }
    if let Some((_, below)) = AT_HOME.iter().find(|(known, _)| *known == lower) {
        return home(below);
    }
    match lower.as_str() {
        "temp" | "tmp" | "tmpdir" => Value::text("/tmp"),
        _ => code(&format!("${{{}}}", identifier(name))),
    }
}

fn home(below: &str) -> Value {
    let mut word = vec![Piece::Code("${HOME}".to_owned())];
    if !below.is_empty() {
        word.push(Piece::Text(below.to_owned()));
    }
    Value::word(word)
}

fn code(code: &str) -> Value {
    Value::word(vec![Piece::Code(code.to_owned())])
}

impl Value {
    /// The commands that it is as a statement, or in front of a bar.
    pub(super) fn shown(&self) -> String {
        if let Some(block) = &self.block {
            // A block that nothing runs is a text.
            let _ = block;
            return ":".to_owned();
        }
        if let Some(run) = &self.run {
            return format!("{{ {run}\n}}");
        }
        if self.truth || self.items.is_empty() && self.table.is_empty() {
            return self.tested();
        }
        let words = if let [only] = self.items.as_slice()
            && let [Piece::Code(code)] = only.as_slice()
        {
            format!("\"{code}\"")
        } else {
            self.plain()
        };
        format!("printf '%s\\n' {words}")
    }

    /// The commands that it takes to know its value, which is not shown.
    pub(super) fn tested(&self) -> String {
        if let Some(run) = &self.run {
            return format!(": \"$({run}\n)\"");
        }
        format!(": {}", self.plain())
    }

    /// A variable set to it.
    pub(super) fn assigned(&self, sign: &str) -> String {
        if let Some(run) = &self.run {
            return format!("{sign}\"$({run}\n)\"");
        }
        let list = Value::word(self.joined("\n")).plain();
        let fields: Vec<String> = self.table.iter().map(|(name, value)| format!("{name}={}", value.plain())).collect();
        if list == "''" && !fields.is_empty() {
            // What a table holds is only known by what stands in it.
            return format!("{sign}{}", fields.iter().map(String::as_str).collect::<Vec<_>>().join(&quoted(" ")));
        }
        format!("{sign}{list}")
    }
}
