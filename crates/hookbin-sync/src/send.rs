//! One round: what was spooled goes into this machine's registry, and from the spool to the server.

use std::time::{SystemTime, UNIX_EPOCH};

use hook_session_state::Error;
use hook_session_state::registry::{IDS_MILLIS, Place, PostgresRegistry, SessionRegistry as _};

/// From where to where.
pub(crate) struct Job {
    pub(crate) place: Place,
    pub(crate) url: String,
    /// What messages call the server, and the registry remembers it by.
    pub(crate) server: String,
    /// After how many days the server forgets sessions that ended, if it shall.
    pub(crate) forget_days: Option<u32>,
}

/// What a round did.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    /// Records that were new to the server.
    pub(crate) new: usize,
    /// Records that the server had.
    pub(crate) repeated: usize,
    /// What a user may want to know.
    pub(crate) findings: Vec<String>,
}

/// Sends everything that the server has not been sent. `connection` is kept between rounds, and gone after an error of the server.
/// `step` is called whenever the server has answered.
pub(crate) fn round(
    job: &Job,
    connection: &mut Option<PostgresRegistry>,
    mut step: impl FnMut(),
) -> Result<Sent, Error> {
    let mut sent = Sent::default();
    let opened = job.place.open(now(), None)?;
    let mut own = opened.registry;
    if let Some(aside) = opened.damaged {
        sent.findings.push(format!("the registry was damaged; it is quarantined as {} and rebuilt", aside.display()));
    }
    let unreadable = opened.folded.unreadable;
    if unreadable > 0 {
        sent.findings.push(format!("{unreadable} lines of the spool hold no record of this version"));
    }
    let mut server = match connection.take() {
        Some(server) => server,
        None => connect(job)?,
    };
    step();
    loop {
        let shipment = own.next_shipment(job.place.spool(), &job.server)?;
        if shipment.is_empty() {
            break;
        }
        // Small transactions: writers on other machines wait for this one.
        for events in shipment.events.chunks(500) {
            let applied = server.apply(events)?;
            sent.new += applied.new;
            sent.repeated += applied.repeated;
            step();
        }
        own.shipped(&job.server, &shipment)?;
    }
    let dropped = own.dropped(&job.server)?;
    if dropped > 0 {
        sent.findings.push(format!("{dropped} bytes of the spool had to go before they were sent"));
    }
    *connection = Some(server);
    Ok(sent)
}

/// Connects, and clears up: what is forgotten is old by days, so once a connection is often enough.
fn connect(job: &Job) -> Result<PostgresRegistry, Error> {
    let mut server = PostgresRegistry::connect(&job.url)?;
    server.forget_records(now().saturating_sub(IDS_MILLIS))?;
    if let Some(days) = job.forget_days {
        server.forget(now().saturating_sub(i64::from(days) * 86_400_000))?;
    }
    Ok(server)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
