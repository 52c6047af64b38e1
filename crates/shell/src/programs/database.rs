//! Clients of databases.

use super::Trait::{Prose, Silent, TakesText};
use super::reads::HELP;
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Clients that read SQL and its relatives.
pub const SQL_CLIENTS: &[&str] = &[
    "psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "clickhouse-client", "clickhouse", "cqlsh", "influx",
    "sqlcmd", "bq", "cockroach", "snowsql", "snow", "usql", "pgcli", "mycli", "litecli", "trino", "presto",
    "spark-sql", "hive", "impala-shell", "beeline", "sqlplus", "sqlcl", "isql", "isql-fb", "fbsql", "vsql", "nzsql",
    "dolt", "rqlite", "turso", "wrangler", "db2", "cypher-shell", "cbq", "mysqlsh", "surreal", "edgedb", "gel",
    "libsql", "ksql", "athenacli", "mssql-cli", "osql", "tsql", "bteq", "hdbsql", "ysqlsh", "ycqlsh", "tidb",
    "questdb", "monetdb", "mclient", "gsql", "dbaccess", "aws", "heroku", "supabase", "pscale", "fly", "flyctl",
    "prisma", "databricks", "gcloud", "steampipe", "octosql", "exasol", "singlestore", "memsql", "phoenix", "sqlline",
    "drill", "ksqldb", "manage.py", "manage", "django-admin", "django", "rails", "wp", "drush", "invoke-sqlcmd",
];

/// Clients of document stores, whose commands are calls in a script.
pub const DOCUMENT_CLIENTS: &[&str] = &["mongo", "mongosh", "arangosh", "mysqlsh", "legacy-mongo"];

/// Clients of key-value stores, and programs that carry bytes to one.
pub const KEY_CLIENTS: &[&str] = &[
    "redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli", "iredis", "rdcli", "memcached-tool", "nc", "ncat",
    "netcat", "telnet", "socat",
];

/// Options of clients of key-value stores.
const KEYS: Grammar<'_> = Grammar::words(&[
    "-h", "-p", "-s", "-a", "-u", "-r", "-i", "-n", "-d", "-D", "-e", "--user", "--pass", "--sni", "--cacert",
    "--cacertdir", "--cert", "--key", "--tls-ciphers", "--tls-ciphersuites", "-t", "-X",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["psql"])
        .is(&[Silent, TakesText, Prose])
        .tool(Tool::Psql)
        .options(Grammar::gnu(&[
            "-c", "--command", "-d", "--dbname", "-f", "--file", "-F", "-h", "--host", "-L", "--log-file", "-o",
            "--output", "-p", "--port", "-P", "--pset", "-R", "-T", "-U", "--username", "-v", "--set",
        ]))
        .reads(&[HELP]),
    &row(&["mysql", "mariadb"])
        .is(&[Silent, TakesText, Prose])
        .tool(Tool::Mysql)
        .options(Grammar {
            table: &["-p[=]", "--password[=]"],
            ..Grammar::gnu(&[
                "-D", "--database", "-e", "--execute", "-h", "--host", "-P", "--port", "-u", "--user", "--pager",
                "--protocol", "-S", "--socket", "--default-character-set", "--delimiter", "--init-command",
                "--defaults-file", "--defaults-extra-file", "--defaults-group-suffix", "--login-path", "--plugin-dir",
                "--prompt", "--tee", "--ssl-ca", "--ssl-cert", "--ssl-key", "--ssl-mode", "--connect-timeout",
                "--max-allowed-packet",
            ])
        })
        .reads(&[HELP])
        .lines(&["--pager"]),
    &row(&["sqlite3", "sqlite"])
        .is(&[TakesText, Prose])
        .tool(Tool::Sqlite3)
        .options(Grammar::words(&[
            "-cmd", "-init", "-separator", "-newline", "-nullvalue", "-vfs", "-mmap", "-maxsize", "-lookaside",
            "-pagecache",
        ]))
        .reads(&[HELP]),
    &row(&["redis-cli"]).is(&[TakesText]).options(KEYS).reads(&[HELP]),
    &row(&["mongosh"]).reads(&[HELP]),
    &row(&["duckdb"]).is(&[Prose]).tool(Tool::Sqlite3).options(Grammar {
        table: &["-csv", "-column", "-safe", "-storage-version="],
        ..Grammar::words(&["-cmd", "-init", "-separator", "-newline", "-nullvalue", "-c", "-s", "-f"])
    }),
    &row(&["mycli"])
        .tool(Tool::Mycli)
        .options(Grammar {
            table: &["-p[=]", "--pass[=]", "--password[=]"],
            ..Grammar::gnu(&[
                "-D", "--database", "-e", "--execute", "-h", "--host", "-P", "--port", "-u", "--user", "--pager", "-S",
                "--socket", "-d", "--dsn", "-R", "--prompt", "-l", "--logfile", "--defaults-group-suffix",
                "--defaults-file", "--myclirc", "--login-path",
            ])
        })
        .lines(&["--pager"]),
    &row(&["pgcli"])
        .tool(Tool::Pgcli)
        .options(Grammar::gnu(&[
            "--init-command", "--pager", "-h", "--host", "-p", "--port", "-U", "--username", "-u", "--user", "-d",
            "--dbname", "-D", "--dsn", "--pgclirc", "--row-limit", "--application-name", "--prompt", "--prompt-dsn",
            "--log-file", "--ssh-tunnel",
        ]))
        .lines(&["--pager"]),
    &row(&["valkey-cli", "keydb-cli", "dragonfly-cli", "iredis", "rdcli"]).options(KEYS),
    &row(&["memcached-tool"]).tool(Tool::Memcached),
    &row(&["mysqladmin"]).tool(Tool::Mysqladmin).options(Grammar {
        table: &["-p[=]", "--password[=]", "-w[=]", "--wait[=]"],
        ..Grammar::gnu(&[
            "-c", "--count", "-h", "--host", "-i", "--sleep", "-P", "--port", "-S", "--socket", "-u", "--user",
            "--protocol", "--connect-timeout", "--shutdown-timeout", "--default-character-set", "--defaults-file",
            "--defaults-extra-file", "--login-path",
        ])
    }),
    &row(&["dropdb"])
        .tool(Tool::Dropdb)
        .options(Grammar::gnu(&["-h", "--host", "-p", "--port", "-U", "--username", "--maintenance-db"])),
    &row(&["goose"])
        .options(Grammar::words(&["-dir", "-table", "-timeout", "-certfile", "-ssl-cert", "-ssl-key", "-env"])),
    &row(&["prisma"]).packages(&["@prisma/cli", "prisma2"]),
    &row(&["typeorm"]).packages(&["typeorm-ts-node-commonjs", "typeorm-ts-node-esm"]),
    &row(&["mikro-orm"]).packages(&["@mikro-orm/cli"]),
    &row(&["flyway"]).packages(&["flyway/flyway", "redgate/flyway"]),
    &row(&["liquibase"]).packages(&["liquibase/liquibase"]),
    &row(&["migrate"]).packages(&["migrate/migrate"]),
    &row(&["dbmate"]).packages(&["amacneil/dbmate", "ghcr.io/amacneil/dbmate"]),
];
