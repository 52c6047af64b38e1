//! Cells of notebooks: lines and cells that a shell runs when the cell does.

use hook_shell::path::Places;
use hook_shell::resolve::{Effects, Files, resolve};

/// Magics whose cell is a script of a shell.
const CELLS: &[&str] = &["%%bash", "%%sh", "%%shell", "%%zsh", "%%system", "%%sx", "%%!"];
/// Magics that hand the rest of their line to a shell.
const LINES: &[&str] = &["%system ", "%sx ", "%%time !", "%time !", "%%capture !"];

/// Adds what the shell commands of a cell do. Its other code is text of a file, as a script would be.
pub(super) fn add_cell(report: &mut Effects, source: &str, places: &Places, files: &dyn Files) {
    let first = source.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let magic = first.split_whitespace().next().unwrap_or_default();
    let script = magic == "%%script"
        && first
            .split_whitespace()
            .nth(1)
            .is_some_and(|shell| matches!(shell, "bash" | "sh" | "zsh" | "/bin/bash" | "/bin/sh"));
    if script || CELLS.contains(&magic) {
        let body = source.split_once(first).map_or("", |(_, body)| body);
        super::add(report, resolve(body, places, files));
        return;
    }
    let mut lines = String::new();
    for line in source.lines() {
        if let Some(command) = shell_line(line.trim_start()) {
            lines.push_str(command);
            lines.push('\n');
        }
    }
    if !lines.is_empty() {
        super::add(report, resolve(&lines, places, files));
    }
}

/// The command of `!command`, `name = !command` and of the magics that are like it.
fn shell_line(line: &str) -> Option<&str> {
    if let Some(command) = line.strip_prefix('!') {
        return Some(command.trim_start_matches('!'));
    }
    if let Some(command) = LINES.iter().find_map(|magic| line.strip_prefix(magic)) {
        return Some(command);
    }
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ' | '.'));
    let value = value.trim_start();
    is_name
        .then(|| {
            value.strip_prefix('!').or_else(|| value.strip_prefix("%sx ")).or_else(|| value.strip_prefix("%system "))
        })
        .flatten()
}
