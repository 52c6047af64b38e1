//! The server away, silent or unwilling, and the program killed at any moment: nothing is lost and nothing counts twice.

use std::io::Read as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hook_session_state::registry::{
    Change, EventId, Filter, Place, RegistryEvent, SessionRegistry as _, SpoolLimits, State,
};

use crate::server::{PASSWORD, Server};
use crate::support::{Machine, until};

#[test]
fn a_server_that_is_away_gets_everything_later() {
    let Some(mut server) = Server::start() else { return };
    let url = server.url("postgres");
    let machine = Machine::new();
    machine.spool("aa", 3);
    server.stop();
    let away = machine.sync(&url, &[]);
    assert_eq!((away.code, away.stdout.as_str()), (Some(70), ""));
    assert!(away.stderr.contains("postgres://hook@127.0.0.1:") && away.stderr.contains("nothing is lost"), "{away:?}");
    machine.spool("aa", 4);
    server.resume();
    assert!(machine.sync(&url, &[]).stdout.starts_with("sent 7 records"));
}

#[test]
fn a_wrong_password_is_said_and_no_password_is() {
    let Some(server) = Server::start() else { return };
    let machine = Machine::new();
    machine.spool("aa", 1);
    let url = server.url("postgres");
    let encoded = url.split(':').nth(2).unwrap().split('@').next().unwrap().to_owned();
    for wrong in [url.replace(&encoded, "wrong-secret"), url.replace("/postgres?", "/no-such-database?")] {
        let ran = machine.sync(&wrong, &[]);
        assert_eq!(ran.code, Some(70), "{ran:?}");
        assert!(ran.stderr.contains("correct the user, the password or the database"), "{ran:?}");
        for secret in ["wrong-secret", PASSWORD, &encoded] {
            assert!(!ran.stderr.contains(secret), "{ran:?}");
        }
    }
    assert_eq!(machine.sync(&url, &[]).code, Some(0));
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("postgres://hook:secret@{}/x?sslmode=disable", listener.local_addr().unwrap());
    let machine = Machine::new();
    machine.spool("aa", 1);
    let begun = Instant::now();
    let ran = machine.sync(&url, &["--timeout", "1"]);
    assert_eq!(ran.code, Some(70), "{ran:?}");
    assert!(ran.stderr.contains("has not answered for 1 s") && !ran.stderr.contains("secret"), "{ran:?}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_program_that_watches_goes_on_over_an_outage() {
    let Some(mut server) = Server::start() else { return };
    let machine = Machine::new();
    machine.spool("aa", 2);
    let mut watcher = machine.program(&server.url("postgres"), &["--watch", "--interval", "1"]).spawn().unwrap();
    let count = |server: &Server| {
        let exists = server.sql("postgres", "SELECT to_regclass('sessions') IS NOT NULL");
        if exists == "t" { server.sql("postgres", "SELECT event_count FROM sessions") } else { String::new() }
    };
    until("the first two are there", || count(&server) == "2");
    server.stop();
    machine.spool("aa", 3);
    std::thread::sleep(Duration::from_millis(1_500));
    server.resume();
    until("all five are there", || count(&server) == "5");
    watcher.kill().unwrap();
    watcher.wait().unwrap();
    let mut said = String::new();
    watcher.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("nothing is lost"), "{said}");
}

/// 64 writers with 50 records each on ten sessions, `hookbin-sync` killed at any moment, the server stopped and started in between:
/// each of the 3,200 records counts once, here and there.
#[test]
fn killed_programs_and_outages_lose_and_repeat_nothing() {
    let Some(mut server) = Server::start() else { return };
    let url = server.url("postgres");
    let machine = Machine::new();
    let mut writers: Vec<_> = (0..64).map(|number| writer(machine.path(), number).spawn().unwrap()).collect();
    let mut killed: u64 = 0;
    while writers.iter_mut().any(|writer| writer.try_wait().unwrap().is_none()) || killed < 24 {
        if killed % 8 == 5 {
            server.stop();
        }
        let programs: Vec<_> = (0..2).map(|_| machine.program(&url, &[]).spawn().unwrap()).collect();
        // Times that differ, from before it has connected to some way into its work.
        std::thread::sleep(Duration::from_millis(10 + 17 * (killed % 12)));
        for mut program in programs {
            program.kill().unwrap();
            program.wait().unwrap();
        }
        if killed % 8 == 6 {
            server.resume();
        }
        killed += 1;
    }
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let last = machine.sync(&url, &[]);
    assert_eq!(last.code, Some(0), "{last:?}");

    let counts = "SELECT count(*) || ' ' || min(event_count) || ' ' || max(event_count) FROM sessions";
    assert_eq!(server.sql("postgres", counts), "10 320 320");
    assert_eq!(server.sql("postgres", "SELECT count(*) FROM applied_events"), "3200");
    let mut own = machine.place.open(1_000, None).unwrap().registry;
    let sessions = own.list(&Filter::default()).unwrap();
    assert_eq!(sessions.len(), 10);
    assert!(sessions.iter().all(|session| session.event_count == 320), "{sessions:?}");
}

const DIR: &str = "HOOKBIN_SYNC_TEST_FOLDER";
const NUMBER: &str = "HOOKBIN_SYNC_TEST_NUMBER";

/// This test program again, as a writer.
fn writer(dir: &Path, number: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "outage::write"]).env(DIR, dir).env(NUMBER, number.to_string());
    command.stdout(Stdio::null());
    command
}

/// Writes 50 records and finishes parts meanwhile, if the environment says where; in an ordinary run it does not.
#[test]
fn write() {
    let Ok(dir) = std::env::var(DIR) else { return };
    let number = std::env::var(NUMBER).unwrap();
    let place = Place::new(Path::new(&dir)).with_limits(SpoolLimits { part_bytes: 20_000, kept_bytes: 1 << 30 });
    for at in 0..50_i64 {
        let change = if at % 2 == 0 { Change::State(State::Active) } else { Change::Heartbeat };
        let id = EventId::named(&format!("{number}-{at}"));
        place.spool().append(&RegistryEvent::new(id, at, &format!("session-{}", at % 10), change)).unwrap();
        if at % 10 == 9 {
            std::thread::sleep(Duration::from_millis(60));
        }
    }
    if number.ends_with('7') {
        // Another directory may be in its way for longer than it waits.
        let _ = place.open(1_000, None);
    }
}
