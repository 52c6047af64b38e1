//! Databases that are there to be thrown away: in memory, among temporary files, or called a test on this machine.

use crate::programs::{Invocation, Tool};

/// Options of the clients whose value is the database.
const DATABASE: &[&str] = &["-d", "--dbname", "--database", "-D", "--db"];
/// Options whose value is the server.
const SERVER: &[&str] = &["-h", "--host", "--hostname"];
/// Options whose value is a statement.
const STATEMENTS: &[&str] = &["-c", "--command", "-e", "--execute"];

/// Whether a client is told of no database but one to be thrown away.
pub fn is_scratch(of: &Invocation<'_>) -> bool {
    let tool = of.program.tool;
    let options = of.options();
    match tool {
        Tool::Sqlite3 => {
            let attaches =
                of.args.iter().any(|arg| arg.to_ascii_lowercase().contains("attach") || arg.contains(".open"));
            return !attaches && options.operands.first().is_some_and(|file| is_scratch_file(file));
        }
        Tool::Mysql | Tool::Mysqladmin | Tool::Mycli | Tool::Psql | Tool::Pgcli | Tool::Dropdb => {}
        _ => return false,
    }
    let mut databases: Vec<&str> = options.values(DATABASE).collect();
    let mut servers: Vec<&str> = options.values(SERVER).collect();
    let texts: Vec<&str> = options.values(STATEMENTS).collect();
    let operands = options.operands;
    match tool {
        Tool::Mysqladmin if operands.first() == Some(&"drop") => databases.extend(operands.get(1)),
        Tool::Mysqladmin => return false,
        _ if databases.is_empty() || tool == Tool::Dropdb => databases.extend(operands.first()),
        _ => {}
    }
    let mut names: Vec<String> = Vec::new();
    for database in databases {
        match database.split_once("://") {
            Some((_, rest)) => {
                let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
                let server = server.rsplit('@').next().unwrap_or(server);
                servers.push(server.split(':').next().unwrap_or(server));
                names.push(path.split(['?', '/']).next().unwrap_or(path).to_owned());
            }
            None => names.push(database.to_owned()),
        }
    }
    let mysql = matches!(tool, Tool::Mysql | Tool::Mycli);
    let told = !names.is_empty();
    for statement in texts.iter().flat_map(|text| text.split(';')) {
        let words: Vec<String> =
            statement.split_whitespace().map(|word| word.trim_matches(['"', '`', '\'']).to_ascii_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["drop", "database", "if", "exists", name, ..] | ["drop", "database", name, ..] | ["use", name, ..] => {
                names.push((*name).to_owned());
            }
            ["drop", "schema", "if", "exists", name, ..] | ["drop", "schema", name, ..] if mysql => {
                names.push((*name).to_owned());
            }
            ["\\c" | "\\connect", ..] => return false,
            [] | ["create", "database" | "schema", ..] => {}
            // Without a database of its own, only a statement that names one is told.
            _ if !told => return false,
            _ => {}
        }
    }
    !names.is_empty()
        && names.iter().all(|name| says_test(name))
        && servers.iter().all(|server| {
            matches!(*server, "" | "localhost" | "127.0.0.1" | "::1" | "[::1]") || server.starts_with('/')
        })
}

/// Whether a file of a database is none, or one of a test or among temporary files.
pub fn is_scratch_file(file: &str) -> bool {
    let memory = file.is_empty() || file.contains(":memory:") || file.contains("mode=memory");
    let temporary = ["/tmp/", "/var/tmp/", "/dev/shm/"].iter().any(|dir| file.starts_with(dir)) && !file.contains("..");
    memory || temporary || says_test(file.rsplit('/').next().unwrap_or(file))
}

/// Whether a name has `test` as a word of its own, and no word that says it is in use.
fn says_test(name: &str) -> bool {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase())
        .collect();
    words.iter().any(|word| matches!(word.as_str(), "test" | "tests" | "testing" | "testdb"))
        && !words.iter().any(|word| matches!(word.as_str(), "prod" | "production" | "live" | "staging" | "backup"))
}
