//! What arrives at the server, from one machine and several, and what is said about it.

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use hook_session_state::registry::{Place, SpoolLimits};

use crate::server::Server;
use crate::support::{Machine, ran};

#[test]
fn what_was_spooled_is_on_the_server_and_in_the_machines_own_registry() {
    let Some(server) = Server::start() else { return };
    let url = server.url("postgres");
    let (one, two) = (Machine::new(), Machine::new());
    one.spool("first", 1_200);
    two.spool("second", 3);
    let sent = one.sync(&url, &["--once"]);
    assert_eq!((sent.code, sent.stderr.as_str()), (Some(0), ""));
    assert!(sent.stdout.starts_with("sent 1200 records to postgres://hook@127.0.0.1:"), "{sent:?}");
    assert!(one.place.database().exists());
    assert!(two.sync(&url, &[]).stdout.starts_with("sent 3 records"));
    let counts = "SELECT session_id || ' ' || event_count FROM sessions ORDER BY session_id";
    assert_eq!(server.sql("postgres", counts), "first 1200\nsecond 3");
    assert!(one.sync(&url, &[]).stdout.starts_with("sent 0 records"));
    // A machine that lost its own registry sends what it has left again.
    fs::remove_file(one.place.database()).unwrap();
    let again = one.sync(&url, &[]);
    assert!(again.stdout.contains("(1200 more were there already)"), "{again:?}");
    assert_eq!(server.sql("postgres", counts), "first 1200\nsecond 3");
}

#[test]
fn sessions_that_ended_long_ago_are_forgotten_on_the_server_when_asked() {
    let Some(server) = Server::start() else { return };
    let url = server.url("postgres");
    let machine = Machine::new();
    // Heartbeats of 1970.
    machine.spool("open", 1);
    machine.spool("ended", 1);
    assert_eq!(machine.sync(&url, &[]).code, Some(0));
    server.sql("postgres", "UPDATE sessions SET ended_at = 2000, end_reason = 'logout' WHERE session_id = 'ended'");
    let all = "SELECT string_agg(session_id, ' ' ORDER BY session_id) FROM sessions";
    assert_eq!(machine.sync(&url, &[]).code, Some(0));
    assert_eq!(server.sql("postgres", all), "ended open");
    assert_eq!(machine.sync(&url, &["--forget", "30"]).code, Some(0));
    assert_eq!(server.sql("postgres", all), "open");
}

#[test]
fn each_server_gets_all_of_it() {
    let Some(server) = Server::start() else { return };
    server.sql("postgres", "CREATE DATABASE other");
    let machine = Machine::new();
    machine.spool("aa", 5);
    for database in ["postgres", "other"] {
        assert!(machine.sync(&server.url(database), &[]).stdout.starts_with("sent 5 records"), "{database}");
    }
}

#[test]
fn what_had_to_go_before_it_was_sent_is_said_once_with_exit_code_4() {
    let Some(server) = Server::start() else { return };
    let url = server.url("postgres");
    let machine = Machine::new();
    machine.spool("aa", 1);
    assert_eq!(machine.sync(&url, &[]).code, Some(0));
    let now = || i64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    let small = Place::new(machine.path()).with_limits(SpoolLimits { part_bytes: 1, kept_bytes: 0 });
    machine.spool("aa", 10);
    small.open(now(), None).unwrap();
    let part = machine.place.spool().dir().join("events-00000001.jsonl");
    let old = SystemTime::now() - Duration::from_secs(3_600);
    fs::File::open(&part).unwrap().set_modified(old).unwrap();
    machine.spool("aa", 2);
    small.open(now(), None).unwrap();
    assert!(!part.exists());
    let sent = machine.sync(&url, &[]);
    assert_eq!(sent.code, Some(4), "{sent:?}");
    assert!(sent.stderr.contains("bytes of the spool had to go before they were sent"), "{sent:?}");
    assert!(sent.stdout.starts_with("sent 2 records"), "{sent:?}");
    assert_eq!(machine.sync(&url, &[]).code, Some(0));
}

#[test]
fn the_manual_needs_no_server() {
    let page = Command::new(env!("CARGO_BIN_EXE_hookbin-sync")).arg("--man").env_clear().output().unwrap();
    let text = String::from_utf8(page.stdout).unwrap();
    assert!(page.status.success(), "{text}");
    for word in [".TH hookbin-sync 1", "\\fB\\-\\-forget\\fR", "HOOKBIN_REGISTRY_URL"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn wrong_use_is_said() {
    let machine = Machine::new();
    let none = ran({
        let mut command = machine.program("", &[]);
        command.env_remove("HOOKBIN_REGISTRY_URL");
        command
    });
    assert_eq!(none.code, Some(64));
    assert!(none.stderr.contains("HOOKBIN_REGISTRY_URL"), "{none:?}");
    let odd = machine.sync("mysql://me:secret@host/x y", &[]);
    assert_eq!(odd.code, Some(64), "{odd:?}");
    assert!(!odd.stderr.contains("secret"), "{odd:?}");
    assert_eq!(machine.sync("postgres://x@127.0.0.1/x", &["--once", "--watch"]).code, Some(64));
    assert_eq!(machine.sync("postgres://x@127.0.0.1/x", &["--interval", "0"]).code, Some(64));
    assert!(!machine.place.database().exists());
}

#[test]
fn a_variable_that_projects_have_for_their_own_database_names_no_server() {
    let machine = Machine::new();
    let mut command = machine.program("", &[]);
    command.env_remove("HOOKBIN_REGISTRY_URL").env("DATABASE_URL", "postgres://me:secret@127.0.0.1:1/x");
    let ran = ran(command);
    assert_eq!(ran.code, Some(64), "{ran:?}");
    assert!(ran.stderr.contains("no server") && !ran.stderr.contains("secret"), "{ran:?}");
}

/// A server that speaks no TLS, as whoever stands between has it: it is told what the client asks for, and answers "no".
#[test]
fn no_password_goes_to_another_host_in_the_clear() {
    let machine = Machine::new();
    machine.spool("aa", 1);
    for weak in ["disable", "prefer"] {
        for host in ["192.0.2.1", "db.invalid", "127.0.0.1,192.0.2.1"] {
            let ran = machine.sync(&format!("postgres://me:secret@{host}:5432/x?sslmode={weak}"), &[]);
            assert_eq!(ran.code, Some(64), "{host} {weak}: {ran:?}");
            assert!(ran.stderr.contains("sslmode") && !ran.stderr.contains("secret"), "{ran:?}");
        }
    }
    // An address that is not this machine's counts, whatever name stands beside it.
    let ran = machine.sync("host=localhost hostaddr=192.0.2.1 user=me password=secret sslmode=disable", &[]);
    assert_eq!(ran.code, Some(64), "{ran:?}");
}

#[test]
fn tls_is_verified_against_the_named_authority() {
    let Some(mut server) = Server::start() else { return };
    if Command::new("openssl").arg("version").output().is_err() {
        println!("skipped: there is no `openssl` to make certificates with");
        return;
    }
    let authority = server.use_tls();
    let machine = Machine::new();
    machine.spool("aa", 2);
    let url = server.url("postgres").replace("sslmode=disable", "sslmode=verify-full");
    let unknown = machine.sync(&url, &[]);
    assert_eq!(unknown.code, Some(70));
    assert!(unknown.stderr.contains("certificate") && unknown.stderr.contains("SSL_CERT_FILE"), "{unknown:?}");
    let mut known = machine.program(&url, &[]);
    known.env("SSL_CERT_FILE", authority);
    let known = ran(known);
    assert_eq!(known.code, Some(0), "{known:?}");
    assert_eq!(server.sql("postgres", "SELECT event_count FROM sessions"), "2");
}
