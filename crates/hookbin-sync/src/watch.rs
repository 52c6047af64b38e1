//! Rounds, once or on and on, and the watch over a server that accepts everything and answers nothing.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use hook_session_state::Error;
use hook_session_state::registry::PostgresRegistry;

use crate::exit;
use crate::send::{Job, Sent, round};

/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How long a connection is kept.
const A_DAY: Duration = Duration::from_secs(86_400);

/// What the sending thread says.
enum Said {
    /// The server has answered.
    Step,
    /// A round has ended.
    Round(Result<Sent, Error>),
}

/// One round. Returns the exit code.
pub(crate) fn once(job: Job, timeout: Duration) -> u8 {
    let server = job.server.clone();
    let (rounds, said) = worker(job);
    if rounds.send(()).is_err() {
        return exit::INTERNAL;
    }
    match wait(&said, timeout) {
        Some(Ok(sent)) => {
            println!("{}", summary(&sent, &server));
            tell(&sent.findings);
            if sent.findings.is_empty() { exit::GOOD } else { exit::FINDINGS }
        }
        Some(Err(error)) => {
            eprintln!("hookbin-sync: {error}");
            exit::INTERNAL
        }
        // The process ends, and the thread with it.
        None => {
            eprintln!("hookbin-sync: {}", silence(&server, timeout));
            exit::INTERNAL
        }
    }
}

/// Rounds until somebody ends the process. A trouble is said once, and when it is over.
pub(crate) fn go_on(job: Job, interval: Duration, timeout: Duration) -> u8 {
    let server = job.server.clone();
    let (rounds, said) = worker(job);
    let mut trouble: Option<String> = None;
    let mut pause = interval;
    loop {
        if rounds.send(()).is_err() {
            return exit::INTERNAL;
        }
        // A silent server is waited for all the same: the round ends when the system gives the connection up.
        let ended = loop {
            match wait(&said, timeout) {
                Some(ended) => break ended,
                None => say_once(&mut trouble, silence(&server, timeout)),
            }
        };
        match ended {
            Ok(sent) => {
                if trouble.take().is_some() || sent.new + sent.repeated > 0 {
                    println!("{}", summary(&sent, &server));
                }
                tell(&sent.findings);
                pause = interval;
            }
            Err(error) => {
                say_once(&mut trouble, error.to_string());
                pause = (pause * 2).min(LONGEST_PAUSE.max(interval));
            }
        }
        std::thread::sleep(pause);
    }
}

/// A thread that makes a round whenever it is told to, and keeps the connection between them.
fn worker(job: Job) -> (Sender<()>, Receiver<Said>) {
    let (rounds, wanted) = channel::<()>();
    let (say, said) = channel();
    std::thread::spawn(move || {
        let mut connection: Option<PostgresRegistry> = None;
        let mut since = Instant::now();
        while wanted.recv().is_ok() {
            // Who connects clears up, so one that watches for months connects again every day.
            if since.elapsed() > A_DAY {
                (connection, since) = (None, Instant::now());
            }
            let step = say.clone();
            // Nobody listens any more when the process ends.
            let ended = round(&job, &mut connection, || drop(step.send(Said::Step)));
            drop(say.send(Said::Round(ended)));
        }
    });
    (rounds, said)
}

/// The end of the round; `None` when the server says nothing for this long.
fn wait(said: &Receiver<Said>, timeout: Duration) -> Option<Result<Sent, Error>> {
    loop {
        match said.recv_timeout(timeout) {
            Ok(Said::Step) => {}
            Ok(Said::Round(ended)) => return Some(ended),
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "the thread that sends has ended".to_owned();
                return Some(Err(Error::Registry { op: "send to", place: "the server".to_owned(), reason }));
            }
        }
    }
}

fn silence(server: &str, timeout: Duration) -> String {
    format!("{server} has not answered for {} s; nothing is lost, try again when it does", timeout.as_secs())
}

fn say_once(trouble: &mut Option<String>, text: String) {
    if trouble.as_ref() != Some(&text) {
        eprintln!("hookbin-sync: {text}");
    }
    *trouble = Some(text);
}

fn tell(findings: &[String]) {
    for finding in findings {
        eprintln!("hookbin-sync: {finding}");
    }
}

fn summary(sent: &Sent, server: &str) -> String {
    let again = if sent.repeated > 0 { format!(" ({} more were there already)", sent.repeated) } else { String::new() };
    format!("sent {} records to {server}{again}", sent.new)
}
