//! What each kind of record changes in the tables.
//!
//! Records of one machine come in the order in which they were written, but those of several machines do not, and one that was late may
//! come after a newer one. So the statements about starts, ends, states, workers and executions compare times, and what is older than what
//! is stored fills gaps at most. What a session says of itself (its text, warning, ping and conversation) is said on one machine, in order.

use super::{Database, Value};
use crate::error::Error;
use crate::registry::event::{Change, Execution, ExecutionStatus, RegistryEvent, Start, Worker, WorkerStatus};
use crate::registry::model::Applied;
use crate::time::Time;

/// Says, as a list that goes on, what becomes of columns of which a record at the time `$2` may say something, or nothing: what was said
/// last counts, and what was said before it fills gaps.
macro_rules! told {
    ($table:ident, $time:ident: $($column:ident = $value:literal),+) => {
        concat!($(
            stringify!($column), " = CASE WHEN ", stringify!($table.$time), " <= $2 ",
            "THEN COALESCE(", $value, ", ", stringify!($table.$column), ") ",
            "ELSE COALESCE(", stringify!($table.$column), ", ", $value, ") END, ",
        )+)
    };
}

/// Applies one record, unless that was done before.
pub(in crate::registry) fn apply<D: Database>(
    database: &mut D,
    event: &RegistryEvent,
    to: &mut Applied,
) -> Result<(), Error> {
    let id = event.id.as_str();
    let new = database.run(
        "INSERT INTO applied_events (event_id, session_id) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING",
        &[id.into(), (&event.session).into()],
    )?;
    if new == 0 {
        to.repeated += 1;
        return Ok(());
    }
    to.new += 1;
    match &event.change {
        Change::Worker(worker) => return put_worker(database, worker, event.at),
        Change::Execution(execution) => return put_execution(database, execution, event.at),
        Change::Notified { conversation, workers } => return notified(database, conversation, workers, event.at),
        Change::Acknowledged { conversation, workers } => {
            notified(database, conversation, workers, event.at)?;
            return acknowledged(database, conversation, workers, event.at);
        }
        _ => {}
    }
    if event.session.is_empty() {
        to.warnings.push(format!("record {id} says nothing about whose it is, and was left out"));
        return Ok(());
    }
    match &event.change {
        Change::Started(start) => start_session(database, event, start, to)?,
        Change::Ended(reason) => {
            seen(database, event, None, reason != crate::registry::LOST)?;
            end(database, event, reason)?;
        }
        Change::State(state) => seen(database, event, Some(state.as_str()), true)?,
        Change::Status(text) => {
            seen(database, event, None, true)?;
            let text = Some(text.clone()).filter(|text| !text.is_empty());
            database.run(
                "UPDATE sessions SET status_text = $2 WHERE session_id = $1",
                &[(&event.session).into(), (&text).into()],
            )?;
        }
        Change::Context(level) => {
            seen(database, event, None, true)?;
            database.run(
                "UPDATE sessions SET context_warning_level = $2 WHERE session_id = $1",
                &[(&event.session).into(), i64::from(*level).into()],
            )?;
        }
        Change::Pinged(pinged) => {
            seen(database, event, None, true)?;
            database.run(
                "UPDATE sessions SET has_pinged = $2 WHERE session_id = $1",
                &[(&event.session).into(), i64::from(*pinged).into()],
            )?;
        }
        Change::Conversation(conversation) => {
            seen(database, event, None, true)?;
            database.run(
                "UPDATE sessions SET conversation_id = $2 WHERE session_id = $1",
                &[(&event.session).into(), conversation.into()],
            )?;
            know_conversation(database, conversation, event.at)?;
        }
        _ => seen(database, event, None, true)?,
    }
    Ok(())
}

/// Forgets the ids of records that were applied before the day of this time, and must not come again.
pub(in crate::registry) fn forget_records<D: Database>(database: &mut D, before: i64) -> Result<u64, Error> {
    let stamp = Time::from_unix(before.div_euclid(1_000)).stamp();
    let day = stamp.get(..10).unwrap_or_default();
    database.run("DELETE FROM applied_events WHERE substr(applied_at, 1, 10) < $1", &[day.into()])
}

/// Counts the record, and notes its time, and the state if it says one. A session that nobody has started gets a row with the
/// defaults: a hook may have been installed while it was running. One that had been given up is open again.
fn seen<D: Database>(database: &mut D, event: &RegistryEvent, state: Option<&str>, alive: bool) -> Result<(), Error> {
    let state = state.map_or(Value::Null, Value::from);
    let values = [(&event.session).into(), event.at.into(), state, i64::from(alive).into()];
    if database.run(SEEN, &values)? == 0 {
        database.run(
            "INSERT INTO sessions (session_id, started_at, last_seen_at, created_at, updated_at, opened_at) \
             VALUES ($1, $2, $2, $2, $2, $2) ON CONFLICT (session_id) DO NOTHING",
            &[(&event.session).into(), event.at.into()],
        )?;
        database.run(SEEN, &values)?;
    }
    Ok(())
}

/// Values: session, time, state or nothing, whether this is a sign of life.
const SEEN: &str = "UPDATE sessions SET \
    last_seen_at = CASE WHEN $4 = 1 AND last_seen_at < $2 THEN $2 ELSE last_seen_at END, \
    updated_at = CASE WHEN updated_at < $2 THEN $2 ELSE updated_at END, \
    event_count = event_count + 1, \
    current_state = CASE \
        WHEN ended_at IS NOT NULL AND NOT ($4 = 1 AND end_reason IN ('lost', 'pane_reused') AND ended_at < $2) \
            THEN current_state \
        WHEN CAST($3 AS TEXT) IS NOT NULL AND state_at <= $2 THEN CAST($3 AS TEXT) \
        WHEN ended_at IS NOT NULL THEN 'idle' \
        ELSE current_state END, \
    state_at = CASE WHEN CAST($3 AS TEXT) IS NOT NULL AND state_at <= $2 THEN $2 ELSE state_at END, \
    ended_at = CASE WHEN $4 = 1 AND end_reason IN ('lost', 'pane_reused') AND ended_at < $2 THEN NULL ELSE ended_at END, \
    end_reason = CASE WHEN $4 = 1 AND end_reason IN ('lost', 'pane_reused') AND ended_at < $2 THEN NULL ELSE end_reason END \
    WHERE session_id = $1";

fn start_session<D: Database>(
    database: &mut D,
    event: &RegistryEvent,
    start: &Start,
    to: &mut Applied,
) -> Result<(), Error> {
    let id = Value::from(&event.session);
    let at = Value::from(event.at);
    let kind = start.session_type.map_or(Value::Null, |kind| kind.as_str().into());
    let pid = start.process.map_or(Value::Null, |process| i64::from(process.pid).into());
    // The full range of the number does not fit any type that both databases have.
    let born = start.process.map_or(Value::Null, |process| process.born.to_string().into());
    database.run(
        concat!(
            "INSERT INTO sessions (session_id, started_at, last_seen_at, created_at, updated_at, opened_at, role, mode, \
                 session_type, session_subtype, mission_execution_id, transcript_path, claude_session_id, cwd, tmux_pane, \
                 description, conversation_id, parent_session_id, host, pid, process_born) \
             VALUES ($1, $2, $2, $2, $2, $2, COALESCE($3, 'chief'), COALESCE($4, 'interactive'), \
                 COALESCE($5, 'interactive'), $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) \
             ON CONFLICT (session_id) DO UPDATE SET ",
            told!(sessions, opened_at:
                role = "$3", mode = "$4", session_type = "$5", session_subtype = "$6",
                mission_execution_id = "$7", transcript_path = "$8", claude_session_id = "$9", cwd = "$10",
                tmux_pane = "$11", description = "$12", conversation_id = "$13", parent_session_id = "$14",
                host = "$15", pid = "$16", process_born = "$17"),
            "started_at = CASE WHEN sessions.started_at > $2 THEN $2 ELSE sessions.started_at END, \
             ended_at = CASE WHEN sessions.opened_at <= $2 THEN NULL ELSE sessions.ended_at END, \
             end_reason = CASE WHEN sessions.opened_at <= $2 THEN NULL ELSE sessions.end_reason END, \
             has_pinged = CASE WHEN sessions.opened_at <= $2 THEN 0 ELSE sessions.has_pinged END, \
             current_state = CASE WHEN sessions.opened_at <= $2 AND sessions.current_state = 'ended' THEN 'idle' \
                 ELSE sessions.current_state END, \
             opened_at = CASE WHEN sessions.opened_at <= $2 THEN $2 ELSE sessions.opened_at END",
        ),
        &[
            id.clone(),
            at.clone(),
            (&start.role).into(),
            (&start.mode).into(),
            kind,
            (&start.session_subtype).into(),
            (&start.mission_execution_id).into(),
            (&start.transcript_path).into(),
            (&start.claude_session_id).into(),
            (&start.cwd).into(),
            (&start.tmux_pane).into(),
            (&start.description).into(),
            (&start.conversation_id).into(),
            (&start.parent_session_id).into(),
            (&start.host).into(),
            pid,
            born,
        ],
    )?;
    seen(database, event, Some("idle"), true)?;
    if let Some(pane) = &start.tmux_pane {
        database.run(
            "UPDATE sessions SET ended_at = $2, end_reason = 'pane_reused', current_state = 'ended', updated_at = $2 \
             WHERE session_id <> $1 AND ended_at IS NULL AND tmux_pane = $3 AND COALESCE(host, '') = COALESCE($4, '') \
             AND opened_at <= $2",
            &[id.clone(), at.clone(), pane.into(), (&start.host).into()],
        )?;
    }
    if let Some(conversation) = &start.conversation_id {
        know_conversation(database, conversation, event.at)?;
    }
    if let Some(execution) = &start.mission_execution_id {
        let linked = database.run(
            "UPDATE mission_executions SET session_id = $1, transcript_path = COALESCE($3, transcript_path) WHERE id = $2",
            &[id, execution.into(), (&start.transcript_path).into()],
        )?;
        if linked == 0 {
            let said =
                format!("session {}: there is no execution {execution} of a mission to link it to", event.session);
            to.warnings.push(said);
        }
    }
    Ok(())
}

/// Ends a session, unless it has begun again since or had ended before. One that counts as lost has given no sign of life since.
fn end<D: Database>(database: &mut D, event: &RegistryEvent, reason: &str) -> Result<(), Error> {
    database.run(
        "UPDATE sessions SET ended_at = $2, end_reason = $3, current_state = 'ended' \
         WHERE session_id = $1 AND opened_at <= $2 AND (ended_at IS NULL OR end_reason IN ('lost', 'pane_reused')) \
         AND ($3 <> 'lost' OR last_seen_at <= $2)",
        &[(&event.session).into(), event.at.into(), reason.into()],
    )?;
    Ok(())
}

fn know_conversation<D: Database>(database: &mut D, conversation: &str, at: i64) -> Result<(), Error> {
    database.run(
        "INSERT INTO conversations (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
        &[conversation.into(), at.into()],
    )?;
    Ok(())
}

fn put_worker<D: Database>(database: &mut D, worker: &Worker, at: i64) -> Result<(), Error> {
    let status = worker.status.map_or(Value::Null, |status| status.as_str().into());
    let kind = worker.attention_kind.map_or(Value::Null, |kind| kind.as_str().into());
    let children = worker.has_dependent_children.map_or(Value::Null, |children| i64::from(children).into());
    let over = matches!(worker.status, Some(WorkerStatus::Complete | WorkerStatus::Failed));
    let completed = worker.completed_at.or_else(|| over.then_some(at));
    database.run(
        concat!(
            "INSERT INTO workers (id, said_at, task_type, status, attention_kind, attention_data_json, report_summary, \
                 has_dependent_children, conversation_id, completed_at) \
             VALUES ($1, $2, $3, COALESCE($4, 'pending'), $5, $6, $7, COALESCE($8, 0), $9, $10) \
             ON CONFLICT (id) DO UPDATE SET ",
            told!(workers, said_at:
                task_type = "$3", status = "$4", attention_kind = "$5", attention_data_json = "$6",
                report_summary = "$7", has_dependent_children = "$8", conversation_id = "$9",
                completed_at = "$10"),
            "said_at = CASE WHEN workers.said_at < $2 THEN $2 ELSE workers.said_at END",
        ),
        &[
            (&worker.id).into(),
            at.into(),
            (&worker.task_type).into(),
            status,
            kind,
            (&worker.attention_data_json).into(),
            (&worker.report_summary).into(),
            children,
            (&worker.conversation_id).into(),
            (&completed).into(),
        ],
    )?;
    Ok(())
}

fn put_execution<D: Database>(database: &mut D, execution: &Execution, at: i64) -> Result<(), Error> {
    let status = execution.status.map_or(Value::Null, |status| status.as_str().into());
    let ended = execution.status.filter(|status| *status != ExecutionStatus::Running).map(|_| at);
    database.run(
        concat!(
            "INSERT INTO mission_executions (id, started_at, said_at, mission_slug, mission_id, status, ended_at, \
                 transcript_path, output_summary, error_message) \
             VALUES ($1, $2, $2, $3, (SELECT id FROM missions WHERE slug = $3), COALESCE($4, 'running'), $5, $6, $7, $8) \
             ON CONFLICT (id) DO UPDATE SET ",
            told!(mission_executions, said_at:
                mission_slug = "$3", status = "$4", ended_at = "$5", transcript_path = "$6",
                output_summary = "$7", error_message = "$8"),
            "said_at = CASE WHEN mission_executions.said_at < $2 THEN $2 ELSE mission_executions.said_at END, \
             started_at = CASE WHEN mission_executions.started_at > $2 THEN $2 ELSE mission_executions.started_at END, \
             mission_id = COALESCE((SELECT id FROM missions WHERE slug = CASE WHEN mission_executions.said_at <= $2 \
                 THEN COALESCE($3, mission_executions.mission_slug) ELSE COALESCE(mission_executions.mission_slug, $3) END), \
                 mission_executions.mission_id)",
        ),
        &[
            (&execution.id).into(),
            at.into(),
            (&execution.mission_slug).into(),
            status,
            (&ended).into(),
            (&execution.transcript_path).into(),
            (&execution.output_summary).into(),
            (&execution.error_message).into(),
        ],
    )?;
    database.run(
        "UPDATE mission_executions SET duration_seconds = (ended_at - started_at) / 1000 \
         WHERE id = $1 AND ended_at IS NOT NULL",
        &[(&execution.id).into()],
    )?;
    Ok(())
}

fn notified<D: Database>(database: &mut D, conversation: &str, workers: &[String], at: i64) -> Result<(), Error> {
    for worker in workers {
        database.run(
            "INSERT INTO conversation_notifications (conversation_id, worker_id, notified_at) VALUES ($1, $2, $3) \
             ON CONFLICT (conversation_id, worker_id) DO NOTHING",
            &[conversation.into(), worker.into(), at.into()],
        )?;
    }
    Ok(())
}

fn acknowledged<D: Database>(database: &mut D, conversation: &str, workers: &[String], at: i64) -> Result<(), Error> {
    for worker in workers {
        database.run(
            "UPDATE conversation_notifications SET acknowledged_at = COALESCE(acknowledged_at, $3) \
             WHERE conversation_id = $1 AND worker_id = $2",
            &[conversation.into(), worker.into(), at.into()],
        )?;
    }
    Ok(())
}
