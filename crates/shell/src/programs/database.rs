//! Clients of databases.

use super::Trait::{Prose, Silent, TakesText};
use super::reads::exactly;
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["psql"],
        is: traits(&[Silent, TakesText, Prose]),
        tool: Tool::Psql,
        options: Grammar::gnu(&[
            "-c", "--command", "-d", "--dbname", "-f", "--file", "-F", "-h", "--host", "-L", "--log-file", "-o",
            "--output", "-p", "--port", "-P", "--pset", "-R", "-T", "-U", "--username", "-v", "--set",
        ]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["mysql"],
        is: traits(&[Silent, TakesText, Prose]),
        tool: Tool::Mysql,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        lines: &["--pager"],
        ..PROGRAM
    },
    Program {
        names: &["sqlite3"],
        is: traits(&[TakesText, Prose]),
        tool: Tool::Sqlite3,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["redis-cli"],
        is: traits(&[TakesText]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["mongosh"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program { names: &["mariadb"], is: traits(&[Prose]), tool: Tool::Mysql, lines: &["--pager"], ..PROGRAM },
    Program { names: &["duckdb"], is: traits(&[Prose]), tool: Tool::Sqlite3, ..PROGRAM },
    Program { names: &["mycli"], lines: &["--pager"], ..PROGRAM },
    Program {
        names: &["pgcli"],
        tool: Tool::Pgcli,
        options: Grammar::gnu(&[
            "-h", "--host", "-p", "--port", "-U", "--username", "-u", "-d", "--dbname", "-D", "--dsn", "--log-file",
        ]),
        lines: &["--pager"],
        ..PROGRAM
    },
    Program { names: &["sqlite"], tool: Tool::Sqlite3, ..PROGRAM },
];
