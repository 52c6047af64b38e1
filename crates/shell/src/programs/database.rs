//! Clients of databases.

use super::Trait::{Prose, Silent, TakesText};
use super::reads::exactly;
use super::{PROGRAM, Program, traits};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["psql"],
        is: traits(&[Silent, TakesText, Prose]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["mysql"],
        is: traits(&[Silent, TakesText, Prose]),
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
    Program { names: &["mariadb"], is: traits(&[Prose]), lines: &["--pager"], ..PROGRAM },
    Program { names: &["duckdb"], is: traits(&[Prose]), ..PROGRAM },
    Program { names: &["mycli", "pgcli"], lines: &["--pager"], ..PROGRAM },
];
