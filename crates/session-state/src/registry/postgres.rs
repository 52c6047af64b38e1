//! The registry on a PostgreSQL server, for sessions on many machines.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use postgres::config::{Host, SslMode};
use postgres::error::SqlState;
use postgres::types::{IsNull, ToSql, Type};
use postgres::{Client, Config, Statement};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::sql::{Database, Registry, Value};
use crate::error::Error;

/// How long a server may take to accept a connection, unless the connection string says otherwise, and how long until one that is
/// silent counts as gone.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one statement may run on the server.
const STATEMENT_TIMEOUT: &str = "30s";

/// A number that nobody else is likely to use: writers of a registry wait for each other under it.
const ADVISORY_LOCK: i64 = 0x686f_6f6b_6269_6e01;

/// A registry on a PostgreSQL server.
pub type PostgresRegistry = Registry<Postgres>;

/// A connection to a PostgreSQL server.
pub struct Postgres {
    client: Client,
    place: String,
    statements: HashMap<&'static str, Statement>,
}

impl PostgresRegistry {
    /// Connects to the server in this connection string, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=require` or
    /// `host=… user=…`. Tables are made when they are not there.
    ///
    /// TLS is required unless the server is on this machine, and its certificate is always verified, against the system's authorities or
    /// those in `SSL_CERT_FILE`: `verify-ca` and `verify-full` are the same as `require`. An `sslmode` that is weaker is an error for
    /// any other host, since whoever answers in its place gets the password. A server that accepts the connection and then falls silent makes this wait.
    pub fn connect(url: &str) -> Result<Self, Error> {
        let mut config = parse(url)?;
        let place = shown(&config);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.tcp_user_timeout(CONNECT_TIMEOUT).keepalives(true).keepalives_idle(CONNECT_TIMEOUT);
        config.application_name("hookbin-sync");
        let client = config.connect(tls(&place)?).map_err(|error| fault("connect to", &place, &error))?;
        let mut postgres = Postgres { client, place, statements: HashMap::new() };
        postgres.batch(&format!(
            "SET statement_timeout = '{STATEMENT_TIMEOUT}'; SET client_min_messages = warning; SET datestyle = 'ISO'"
        ))?;
        Self::open(postgres)
    }
}

/// What messages call the server of this connection string: everything but the password and the options.
pub fn server_name(url: &str) -> Result<String, Error> {
    parse(url).map(|config| shown(&config))
}

fn parse(url: &str) -> Result<Config, Error> {
    // The host knows neither word and verifies always.
    let known = url.replace("sslmode=verify-full", "sslmode=require").replace("sslmode=verify-ca", "sslmode=require");
    let mut config: Config = known.parse().map_err(|error: postgres::Error| Error::Registry {
        op: "read",
        // Not the string itself, which may hold a password.
        place: "the registry's connection string".to_owned(),
        reason: format!("{}; write postgres://USER:PASSWORD@HOST:PORT/DATABASE", whole(&error)),
    })?;
    if config.get_ssl_mode() != SslMode::Require && !is_near(&config) {
        if known.contains("sslmode") {
            return Err(Error::Registry {
                op: "use",
                place: shown(&config),
                reason: "its sslmode lets others read the password and what sessions did; leave it out, or say sslmode=require"
                    .to_owned(),
            });
        }
        config.ssl_mode(SslMode::Require);
    }
    Ok(config)
}

/// Whether every server of a connection is on this machine.
fn is_near(config: &Config) -> bool {
    let by_name = |host: &Host| match host {
        Host::Tcp(name) => name == "localhost" || is_loopback(name.trim_matches(['[', ']'])),
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    // What is connected to is the address, where one is given.
    config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback)
        && (!config.get_hostaddrs().is_empty() || config.get_hosts().iter().all(by_name))
}

fn is_loopback(name: &str) -> bool {
    name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn shown(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(at, host)| {
            let ports = config.get_ports();
            let port = ports.get(at).or_else(|| ports.first()).copied().unwrap_or(5_432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                #[cfg(unix)]
                Host::Unix(path) => format!("{}:{port}", path.display()),
            }
        })
        .collect();
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let database = config.get_dbname().or_else(|| config.get_user()).unwrap_or_default();
    format!("postgres://{user}{}/{database}", hosts.join(","))
}

fn tls(place: &str) -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    // A store that cannot be read makes verification fail, and that says so.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| Error::Registry {
        op: "connect to",
        place: place.to_owned(),
        reason: error.to_string(),
    })?;
    Ok(MakeRustlsConnect::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

impl Database for Postgres {
    fn place(&self) -> &str {
        &self.place
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).map_err(|error| fault("write to", &self.place, &error))
    }

    fn run(&mut self, sql: &'static str, values: &[Value]) -> Result<u64, Error> {
        let ran = self.statement(sql).and_then(|statement| self.client.execute(&statement, &parameters(values)));
        ran.map_err(|error| fault("write to", &self.place, &error))
    }

    fn rows(&mut self, sql: &'static str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error> {
        let read = self.statement(sql).and_then(|statement| self.client.query(&statement, &parameters(values)));
        let rows = read.map_err(|error| fault("read", &self.place, &error))?;
        Ok(rows.iter().map(|row| (0..row.len()).map(|at| value_at(row, at)).collect()).collect())
    }
}

impl Postgres {
    fn statement(&mut self, sql: &'static str) -> Result<Statement, postgres::Error> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn value_at(row: &postgres::Row, at: usize) -> Value {
    let number = || row.try_get::<_, Option<i64>>(at).ok().flatten().map(Value::Int);
    let text = || row.try_get::<_, Option<String>>(at).ok().flatten().map(Value::Text);
    number().or_else(text).unwrap_or(Value::Null)
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            // The server takes a value that is compared with a small number for a small number.
            Self::Int(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT4, Type::INT8, Type::TEXT, Type::VARCHAR].contains(kind)
    }

    postgres::types::to_sql_checked!();
}

/// An error with what caused it; by itself it says only which step failed.
fn whole(error: &postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let said = inner.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        cause = inner.source();
    }
    text
}

fn fault(op: &'static str, place: &str, error: &postgres::Error) -> Error {
    let place = place.to_owned();
    let reason = whole(error);
    let Some(code) = error.code() else {
        // A wrong certificate is no outage.
        return if reason.contains("certificate") {
            let reason = format!("{reason}; name its authority in SSL_CERT_FILE");
            Error::RegistryDenied { op, place, reason }
        } else if reason.contains("password missing") {
            Error::RegistryDenied { op, place, reason }
        } else {
            Error::RegistryUnreachable { op, place, reason }
        };
    };
    let class = code.code().get(..2).unwrap_or_default();
    match class {
        "28" | "3D" => Error::RegistryDenied { op, place, reason },
        // Connection exceptions, no room for another connection, and a server that stops or starts.
        "08" | "53" => Error::RegistryUnreachable { op, place, reason },
        _ if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW].contains(code) => {
            Error::RegistryUnreachable { op, place, reason }
        }
        "40" | "55" => Error::RegistryBusy { op, place },
        _ if *code == SqlState::QUERY_CANCELED => Error::RegistryBusy { op, place },
        _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => Error::RegistryDenied { op, place, reason },
        _ => Error::Registry { op, place, reason },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn another_host_is_spoken_to_over_tls_or_not_at_all() {
        let mode = |url: &str| parse(url).map(|config| config.get_ssl_mode());
        for url in
            ["postgres://u:p@db.example.org/x", "host=10.0.0.1 user=u", "postgres://u@127.0.0.1,db.example.org/x"]
        {
            assert_eq!(mode(url).unwrap(), SslMode::Require, "{url}");
        }
        for url in ["postgres://u:p@db.example.org/x?sslmode=verify-full", "postgres://u@localhost/x?sslmode=require"] {
            assert_eq!(mode(url).unwrap(), SslMode::Require, "{url}");
        }
        for url in
            ["postgres://u@localhost/x", "postgres://u@[::1]/x", "host=/run/postgresql user=u", "host=127.0.0.2 user=u"]
        {
            assert_eq!(mode(url).unwrap(), SslMode::Prefer, "{url}");
        }
        for url in ["postgres://u@db.example.org/x?sslmode=disable", "host=10.0.0.1 user=u sslmode=prefer"] {
            assert!(mode(url).unwrap_err().to_string().contains("sslmode"), "{url}");
        }
    }
}
