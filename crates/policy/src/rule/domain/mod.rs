//! Rules for the command lines of services: containers, clusters, clouds, databases, forges, registries and the like.

mod commands;
mod services;

use self::commands::COMMANDS;
use self::services::SERVICES;
use super::words::{fits, has_option, only_shows, plain_words, starts_with};
use super::{Family, Pattern, Rule, Severity, http, sql};
use crate::resolve::Run;
use crate::resolve::value::is_known;

/// Words that destroy, whatever the program.
const VERBS: &str = "delete|del|destroy|remove|rm|rb|purge|drop|terminate|revoke|unregister|deregister|prune|wipe|truncate|uninstall|nuke|delete-*|remove-*|terminate-*|purge-*|deregister-*|destroy-*|drop-*|revoke-*|uninstall-*|delete_*|remove_*|purge_*|drop_*|*-delete|*-remove|*-destroy|*-rm|*:delete|*:destroy|*:remove|*:rm|*:purge|*:drop|*_delete|*_remove|deletefile|rmdir|rmi-all|bulk-delete|batch-delete";

/// Programs of services, with what their verbs destroy. `more` are further verbs of theirs, `less` sub-commands that destroy nothing.
struct Service {
    rule: Rule,
    programs: &'static [&'static str],
    more: &'static str,
    less: &'static [&'static [&'static str]],
}

const fn of(
    id: &'static str,
    family: Family,
    reason: &'static str,
    fires: &'static [&'static str],
    spares: &'static [&'static str],
) -> Rule {
    Rule {
        id,
        family,
        severity: Severity::Ask,
        off: false,
        pattern: Pattern::Service,
        reason,
        suggestion: None,
        fires,
        spares,
    }
}

/// A command told by its program, its first words and its options.
struct Command {
    programs: &'static [&'static str],
    words: &'static [&'static str],
    flags: &'static [&'static str],
}

impl Command {
    fn fits(&self, program: &str, args: &[&str]) -> bool {
        self.programs.contains(&program)
            && starts_with(args, self.words)
            && (self.flags.is_empty() || self.has_flag(args))
    }

    fn has_flag(&self, args: &[&str]) -> bool {
        self.flags.iter().any(|flag| match flag.split_once('=') {
            // `-X DELETE`, `-XDELETE`, `--method=DELETE`, `--replicas=0`.
            Some((name, value)) => args.iter().enumerate().any(|(at, arg)| {
                let joined = arg.strip_prefix(name).map(|rest| rest.trim_start_matches('='));
                joined.is_some_and(|rest| rest.eq_ignore_ascii_case(value))
                    || *arg == name && args.get(at + 1).is_some_and(|next| next.eq_ignore_ascii_case(value))
            }),
            None => has_option(args, &[flag]),
        })
    }
}

/// Statements for databases, and requests to services.
static SQL: Rule = of(
    "database-statement",
    Family::Database,
    "drops, empties or rewrites a part of a database",
    &[
        "psql -c 'DROP TABLE users'",
        "mysql -e 'truncate t'",
        "sqlite3 a.db 'delete from t'",
        "mongosh --eval 'db.dropDatabase()'",
    ],
    &["psql -c 'select 1'", "sqlite3 a.db .schema", "grep -rn 'DROP TABLE' migrations"],
);
static HTTP: Rule = of(
    "http-delete",
    Family::Http,
    "destroys something through an HTTP interface",
    &[
        "curl -X DELETE https://api.example.com/v1/users/1",
        "curl -XPOST https://s.example.com/i/_delete_by_query",
        "http DELETE https://api.example.com/v1/a",
    ],
    &[
        "curl https://api.example.com/v1/users",
        "curl -X POST https://api.example.com/v1/users -d a=b",
        "curl -X DELETE http://localhost:8080/api/items/3",
    ],
);

const DATABASES: &[&str] = &[
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "sqlite",
    "duckdb",
    "clickhouse-client",
    "clickhouse",
    "cqlsh",
    "influx",
    "sqlcmd",
    "bq",
    "cockroach",
    "snowsql",
    "snow",
    "mongo",
    "mongosh",
    "usql",
    "pgcli",
    "mycli",
    "litecli",
    "trino",
    "presto",
    "spark-sql",
    "hive",
    "beeline",
    "sqlplus",
    "isql",
    "vsql",
    "dolt",
    "rqlite",
    "turso",
    "wrangler",
    "db2",
    "neo4j",
    "cypher-shell",
    "arangosh",
    "couchbase-cli",
    "cbq",
    "mysqlsh",
    "psqldef",
    "edgedb",
    "surreal",
];

/// The rules that a program breaks with its arguments.
pub(super) fn broken(run: &Run) -> Vec<&'static Rule> {
    let args: Vec<&str> = run.args.iter().map(String::as_str).collect();
    let program = run.program.as_str();
    let program = program.strip_suffix(".exe").unwrap_or(program);
    let mut out = Vec::new();
    if only_shows(&args) || matches!(program, "restic" | "borg" | "borgmatic") && has_option(&args, &["-n"]) {
        return out;
    }
    if http::danger(program, &args).is_some() {
        out.push(&HTTP);
    }
    if DATABASES.contains(&program)
        && statements(run).any(|text| sql::danger(text).is_some() || sql::script_danger(text).is_some())
    {
        out.push(&SQL);
    }
    // `php artisan …`, `python manage.py …`, `java -jar jenkins-cli.jar …`: the script is the program.
    if let Some((script, rest)) = script_as_program(program, &args) {
        commands(script, rest, &mut out);
        return out;
    }
    commands(program, &args, &mut out);
    out
}

fn commands(program: &str, args: &[&str], out: &mut Vec<&'static Rule>) {
    for (rule, command) in COMMANDS {
        // The change itself stands in an argument or a file.
        let changes = rule.id != "dns-change"
            || args.iter().any(|arg| arg.to_ascii_uppercase().contains("DELETE") || arg.starts_with("file:"));
        if changes && command.fits(program, args) {
            out.push(rule);
        }
    }
    for service in SERVICES {
        if service.programs.contains(&program) && service.destroys(args) {
            out.push(&service.rule);
        }
    }
}

impl Service {
    fn destroys(&self, args: &[&str]) -> bool {
        if self.less.iter().any(|words| starts_with(args, words)) {
            return false;
        }
        plain_words(args).iter().take(5).any(|word| fits(word, VERBS) || !self.more.is_empty() && fits(word, self.more))
    }
}

/// Texts that a database client is given: options, operands and standard input.
fn statements(run: &Run) -> impl Iterator<Item = &str> {
    let args = run.args.iter().flat_map(|arg| [arg.as_str(), arg.split_once('=').map_or("", |(_, value)| value)]);
    args.chain(run.stdin.as_deref().filter(|text| is_known(text)))
}

fn script_as_program<'a>(program: &str, args: &'a [&'a str]) -> Option<(&'a str, &'a [&'a str])> {
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !matches!(stem, "php" | "python" | "java" | "ruby" | "node" | "npx" | "bundle") {
        return None;
    }
    let at = args.iter().position(|arg| !arg.starts_with('-'))?;
    let script = args.get(at)?.rsplit('/').next()?;
    let script = script.strip_suffix(".jar").unwrap_or(script);
    Some((script, args.get(at + 1..)?))
}

/// All rules of this module.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    COMMANDS.iter().map(|(rule, _)| rule).chain(SERVICES.iter().map(|service| &service.rule)).chain([&SQL, &HTTP])
}
