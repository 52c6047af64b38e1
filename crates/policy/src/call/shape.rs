//! Tools that the host does not have: what their input says by its shape is done as if a tool of the host did it.

use hook_protocol::act::Act;
use hook_protocol::tool::ToolUse;

use super::{add, grep, notebook};
use hook_shell::path::Places;
use hook_shell::resolve::{
    Action, Effects, Files, Kind, quoted, resolve, resolve_fetch, resolve_named, resolve_path, resolve_powershell,
    resolve_read, resolve_write,
};

/// What the call of such a tool does.
pub(super) fn report(tool: &ToolUse<'_>, places: &Places, files: &dyn Files) -> Effects {
    let mut report = Effects::default();
    let acts = tool.acts();
    for act in &acts.acts {
        add(&mut report, of(act, places, files));
    }
    if acts.acts.is_empty()
        && let Some(command) = meant(tool)
    {
        add(&mut report, resolve(&command, places, files));
    }
    if !report.actions.iter().any(|action| action.kind == Kind::Guard) {
        add(&mut report, resolve_named(&tool.named(), places, files));
    }
    if let Some(part) = acts.unread {
        report.actions.push(Action::unread(part));
    }
    report
}

/// Words in the name of a server's tool that say that what it is given goes to others.
const SENDS: &[&str] = &[
    "create", "post", "send", "add", "update", "comment", "publish", "upload", "push", "reply", "gist", "message",
    "fetch", "navigate", "request",
];

/// Words that say that it stays on this machine.
const KEEPS: &[&str] = &["file", "files", "memory", "entities", "secret", "secrets", "directory", "node", "nodes"];

/// Whether a server's tool of this name sends what it is given.
pub(super) fn sends(name: &str) -> bool {
    let own = name.rsplit("__").next().unwrap_or(name).to_ascii_lowercase();
    let has = |words: &[&str]| own.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| words.contains(&word));
    has(SENDS) && !has(KEEPS)
}

fn of(act: &Act, places: &Places, files: &dyn Files) -> Effects {
    let dir = match act {
        Act::Run { dir, .. }
        | Act::Code { dir, .. }
        | Act::Query { dir, .. }
        | Act::Read { dir, .. }
        | Act::Search { dir, .. }
        | Act::Write { dir, .. }
        | Act::Delete { dir, .. }
        | Act::Move { dir, .. } => dir.as_deref(),
        _ => None,
    };
    let elsewhere =
        dir.and_then(|dir| Some(Places { cwd: Places::absolute(dir, Some(&places.cwd))?, ..places.clone() }));
    let places = elsewhere.as_ref().unwrap_or(places);
    match act {
        Act::Run { command, powershell: false, .. } => resolve(command, places, files),
        Act::Run { command, powershell: true, .. } => resolve_powershell(command, places, files),
        Act::Code { code, language, .. } => coded(code, language, places, files),
        Act::Query { statement, .. } => resolve(&format!("psql -c {}", quoted(statement)), places, files),
        Act::Read { path, .. } => resolve_read(path, places, files),
        Act::Fetch { address } => resolve_fetch(address, places, files),
        Act::Search { glob, within, .. } => {
            let mut report = Effects::default();
            grep::add_glob(&mut report, within.as_deref(), glob, places, files);
            report
        }
        Act::Write { path, content, .. } => resolve_write(path, content.as_deref(), places, files),
        Act::Delete { path, tree, .. } => {
            resolve_path(if *tree { Kind::DeleteTree } else { Kind::Delete }, path, places, files)
        }
        Act::Move { path, .. } => resolve_path(Kind::Move, path, places, files),
        _ => Effects::default(),
    }
}

/// Things at an end of the name of a tool, the words that say that they go, and a command that does the same.
const MEANT: &[(&[&str], &[&str], &str)] = &[
    (&["repository", "repo"], &["delete"], "gh repo delete --yes"),
    (&["database"], &["drop", "delete"], "psql -c 'drop database x'"),
    (&["collection"], &["drop", "delete"], "mongosh --eval 'db.x.drop()'"),
    (&["table"], &["drop"], "psql -c 'drop table x'"),
    (&["delete-many", "delete_many", "deletemany"], &["delete"], "mongosh --eval 'db.x.deleteMany({})'"),
    (&["volume", "volumes"], &["remove", "delete", "prune"], "docker volume prune --all --force"),
];

/// The command that does what a server's tool is called, where its input says no more than what for.
fn meant(tool: &ToolUse<'_>) -> Option<String> {
    let lower = tool.name.to_ascii_lowercase();
    let own = lower.strip_prefix("mcp__")?.split_once("__")?.1;
    if own.contains("kubectl") && own.contains("delete") {
        let input = tool.input.object()?;
        let of = |names: &[&str]| {
            let (_, value) =
                input.iter().find(|(name, _)| names.contains(&name.as_str().to_ascii_lowercase().as_str()))?;
            value.as_str().map(|text| quoted(&text))
        };
        let kind = of(&["resourcetype", "resource", "kind", "type"])?;
        return Some(format!("kubectl delete {kind} {}", of(&["name"]).unwrap_or_else(|| "--all".to_owned())));
    }
    let at_end = |things: &[&str]| things.iter().any(|thing| own.starts_with(thing) || own.ends_with(thing));
    let says = |acts: &[&str]| acts.iter().any(|act| own.contains(act));
    MEANT.iter().find(|(things, acts, _)| says(acts) && at_end(things)).map(|(.., command)| (*command).to_owned())
}

/// Programs that run a text of a language, with the option for it.
const PROGRAMS: &[(&[&str], &str)] = &[
    (&["javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun", "jsx", "tsx"], "node -e"),
    (&["ruby", "rb"], "ruby -e"),
    (&["php"], "php -r"),
    (&["perl", "pl"], "perl -e"),
    (&["sql", "postgresql", "mysql", "sqlite"], "psql -c"),
];

fn coded(code: &str, language: &str, places: &Places, files: &dyn Files) -> Effects {
    match language {
        "bash" | "sh" | "shell" | "zsh" | "fish" | "console" | "terminal" => return resolve(code, places, files),
        "powershell" | "pwsh" | "ps1" => return resolve_powershell(code, places, files),
        _ => {}
    }
    let program = PROGRAMS.iter().find(|(names, _)| names.contains(&language)).map(|(_, program)| *program);
    let mut report = resolve(&format!("{} {}", program.unwrap_or("python3 -c"), quoted(code)), places, files);
    if program.is_none() {
        notebook::add_cell(&mut report, code, places, files);
    }
    report
}
