//! Tools of MCP servers, by the names of their parameters: commands, files, statements of databases, wherever in the input they stand.

use hook_protocol::raw::{Fields, Raw};

use crate::path::Places;
use crate::resolve::{Action, Files, Kind, Report, quoted, resolve, resolve_path, resolve_read, resolve_write};
use crate::shell::Span;

/// Objects and lists within one another that are looked into.
const DEEPEST: usize = 32;

/// Parameters that name a file which is read.
const READS: &[&str] = &[
    "path",
    "filepath",
    "file",
    "filename",
    "uri",
    "source",
    "src",
    "paths",
    "files",
    "filepaths",
    "absolutepath",
    "relativepath",
    "targetfile",
    "notebookpath",
    "directory",
    "folder",
];
/// Parameters that name a file which is written.
const WRITES: &[&str] =
    &["destination", "dest", "destinationpath", "newpath", "target", "output", "outputpath", "outputfile", "to"];
/// Parameters that hold a command.
const COMMANDS: &[&str] = &[
    "command",
    "cmd",
    "commands",
    "cmds",
    "shellcommand",
    "bashcommand",
    "terminalcommand",
    "commandline",
    "cmdline",
    "script",
    "bash",
    "shell",
    "program",
    "executable",
    "argv",
];
/// Parameters that hold the arguments of a command beside them.
const ARGUMENTS: &[&str] = &["args", "arguments", "argv", "params", "parameters"];
/// Parameters that say where a command runs.
const FOLDERS: &[&str] = &["cwd", "workdir", "workingdirectory", "workingdir", "rootdir", "basedir"];
/// Parameters that hold a statement, whatever the tool is called.
const STATEMENTS: &[&str] = &["sql", "sqlquery", "sqlstatement", "rawsql"];
/// Parameters that hold a statement, if the tool or its server is called like a database.
const QUERIES: &[&str] = &["query", "queries", "statement", "statements", "code", "text"];
/// Words in the names of such tools and servers.
const DATABASES: &[&str] = &[
    "sql",
    "postgres",
    "maria",
    "sqlite",
    "database",
    "duckdb",
    "clickhouse",
    "snowflake",
    "bigquery",
    "redshift",
    "supabase",
    "neon",
    "turso",
    "planetscale",
    "cockroach",
    "oracle",
    "db",
];
/// Words in the name of a tool that say it changes files.
const CHANGES: &[&str] = &[
    "write", "edit", "create", "append", "move", "rename", "save", "update", "patch", "replace", "put", "insert",
    "copy", "truncate", "upload",
];
/// Words in the name of a tool that say it removes files.
const REMOVES: &[&str] = &["delete", "remove", "unlink", "rmdir", "trash"];

/// What the call of such a tool does.
pub(super) fn report(server: &str, name: &str, input: &Fields<'_>, places: &Places, files: &dyn Files) -> Report {
    let server = server.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let reader = Reader {
        database: DATABASES.iter().any(|word| name.contains(word) || server.contains(word)),
        changes: says(CHANGES),
        removes: says(REMOVES),
        moves: name.contains("move") || name.contains("rename"),
        tree: ["dir", "folder", "tree", "recursive"].iter().any(|word| name.contains(word)),
        places,
        files,
    };
    let mut report = Report::default();
    if !each_object(input, |object| reader.object(object, &mut report)) {
        report.actions.push(Action {
            kind: Kind::Unread,
            place: None,
            target: format!("more than {DEEPEST} lists and objects within one another"),
            span: Span::default(),
            remote: false,
            doubtful: false,
        });
    }
    report
}

/// Every path that the input of any tool names by a parameter for paths.
pub(crate) fn paths(input: &Fields<'_>) -> Vec<String> {
    let mut found = Vec::new();
    each_object(input, |object| {
        let named = members(object).into_iter().filter(|(key, ..)| READS.contains(&&**key) || WRITES.contains(&&**key));
        found.extend(named.flat_map(|(_, texts, _)| texts).map(|text| without_scheme(&text).to_owned()));
    });
    found
}

/// Shows every object of an input, wherever in it it stands; tells whether none lies too deep to be looked into.
fn each_object(input: &Fields<'_>, mut see: impl FnMut(&Fields<'_>)) -> bool {
    let mut is_whole = true;
    see(input);
    let mut open: Vec<(Raw<'static>, usize)> = inner(input.iter().map(|(_, value)| value), 1).collect();
    while let Some((value, depth)) = open.pop() {
        if depth > DEEPEST {
            is_whole = false;
        } else if let Some(object) = value.object() {
            see(&object);
            open.extend(inner(object.iter().map(|(_, value)| value), depth + 1));
        } else {
            open.extend(inner(value.items().unwrap_or_default().iter(), depth + 1));
        }
    }
    is_whole
}

/// Those of the values that hold others.
fn inner<'v, 'r: 'v>(
    values: impl Iterator<Item = &'v Raw<'r>>,
    depth: usize,
) -> impl Iterator<Item = (Raw<'static>, usize)> {
    let holds = values.filter(|value| value.text().starts_with(['{', '[']));
    holds.map(move |value| (value.clone().into_owned(), depth))
}

/// The members of an object that are texts or lists of texts: the name in small letters and digits, the texts, and whether it is a list.
fn members(object: &Fields<'_>) -> Vec<(String, Vec<String>, bool)> {
    let text = |value: &Raw<'_>| Some(value.as_text()?.as_str().into_owned());
    let read = |key: &str, value: &Raw<'_>| {
        let key = key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        Some(match text(value) {
            Some(text) => (key, vec![text], false),
            None => (key, value.items()?.iter().filter_map(text).collect(), true),
        })
    };
    object.iter().filter_map(|(key, value)| read(&key.as_str(), value)).collect()
}

/// The path of `file:///a/b`.
fn without_scheme(path: &str) -> &str {
    path.strip_prefix("file://").unwrap_or(path)
}

struct Reader<'r> {
    database: bool,
    changes: bool,
    removes: bool,
    moves: bool,
    tree: bool,
    places: &'r Places,
    files: &'r dyn Files,
}

impl Reader<'_> {
    /// What one object of the input says by its own members.
    fn object(&self, object: &Fields<'_>, report: &mut Report) {
        let members = members(object);
        let first = |keys: &[&str]| {
            members.iter().find(|(key, texts, list)| keys.contains(&key.as_str()) && !list && texts.len() == 1)
        };
        let folder = first(FOLDERS).and_then(|(_, texts, _)| texts.first());
        let places = Places {
            cwd: folder
                .and_then(|folder| Places::absolute(folder, Some(&self.places.cwd)))
                .unwrap_or_else(|| self.places.cwd.clone()),
            ..self.places.clone()
        };
        let arguments = members
            .iter()
            .find(|(key, _, list)| ARGUMENTS.contains(&key.as_str()) && *list)
            .map(|(_, texts, _)| texts.as_slice())
            .unwrap_or_default();
        for (key, texts, list) in &members {
            let key = key.as_str();
            if COMMANDS.contains(&key) {
                for line in lines(key, texts, *list, arguments) {
                    super::add(report, resolve(&line, &places, self.files));
                }
            } else if STATEMENTS.contains(&key) || self.database && QUERIES.contains(&key) {
                for statement in texts {
                    let line = format!("psql -c {}", quoted(statement));
                    super::add(report, resolve(&line, &places, self.files));
                }
            } else if READS.contains(&key) || WRITES.contains(&key) {
                for text in texts {
                    super::add(report, self.path(key, without_scheme(text), &places));
                }
            }
        }
    }

    fn path(&self, key: &str, path: &str, places: &Places) -> Report {
        if self.removes {
            resolve_path(if self.tree { Kind::DeleteTree } else { Kind::Delete }, path, places, self.files)
        } else if self.moves && READS.contains(&key) {
            resolve_path(Kind::Move, path, places, self.files)
        } else if WRITES.contains(&key) || self.changes {
            resolve_write(path, None, places, self.files)
        } else {
            resolve_read(path, places, self.files)
        }
    }
}

/// The command lines that a parameter holds: one text is a line, a list is one command with its arguments, or several lines.
fn lines(key: &str, texts: &[String], list: bool, arguments: &[String]) -> Vec<String> {
    let words = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
    match texts {
        [only] if !list && key != "argv" && !arguments.is_empty() => vec![format!("{only} {}", words(arguments))],
        [first, ..] if list && texts.len() > 1 && !first.contains(' ') && !matches!(key, "commands" | "cmds") => {
            vec![words(texts)]
        }
        texts => texts.to_vec(),
    }
}
