//! What a registry is asked.

use super::{Database, Registry, Row, Value, apply, forget_records};
use crate::error::Error;
use crate::registry::api::SessionRegistry;
use crate::registry::event::{Process, RegistryEvent};
use crate::registry::model::{
    Applied, Contact, Filter, Finished, FinishedWorker, Lookup, Lost, Session, normal_email, normal_phone,
};

/// The columns of [`session`], in its order, before what follows in a query.
macro_rules! select_sessions {
    ($rest:literal) => {
        concat!(
            "SELECT session_id, role, mode, session_type, session_subtype, mission_execution_id, started_at, last_seen_at, \
             ended_at, end_reason, transcript_path, claude_session_id, cwd, tmux_pane, description, status_text, current_state, \
             has_pinged, created_at, updated_at, conversation_id, parent_session_id, context_warning_level, host, pid, \
             process_born, event_count FROM sessions ",
            $rest
        )
    };
}

fn session(row: &Vec<Value>) -> Session {
    let pid = row.some_int(24).and_then(|pid| u32::try_from(pid).ok());
    let born = row.some_text(25).and_then(|born| born.parse().ok());
    Session {
        session_id: row.text(0),
        role: row.text(1),
        mode: row.text(2),
        session_type: row.text(3),
        session_subtype: row.some_text(4),
        mission_execution_id: row.some_text(5),
        started_at: row.int(6),
        last_seen_at: row.int(7),
        ended_at: row.some_int(8),
        end_reason: row.some_text(9),
        transcript_path: row.some_text(10),
        claude_session_id: row.some_text(11),
        cwd: row.some_text(12),
        tmux_pane: row.some_text(13),
        description: row.some_text(14),
        status_text: row.some_text(15),
        current_state: row.text(16),
        has_pinged: row.int(17) != 0,
        created_at: row.int(18),
        updated_at: row.int(19),
        conversation_id: row.some_text(20),
        parent_session_id: row.some_text(21),
        context_warning_level: row.int(22),
        host: row.some_text(23),
        process: pid.zip(born).map(|(pid, born)| Process { pid, born }),
        event_count: row.int(26),
    }
}

fn worker(row: &Vec<Value>) -> FinishedWorker {
    FinishedWorker {
        id: row.text(0),
        task_type: row.some_text(1),
        report_summary: row.some_text(2),
        completed_at: row.int(3),
    }
}

impl<D: Database> SessionRegistry for Registry<D> {
    fn apply(&mut self, events: &[RegistryEvent]) -> Result<Applied, Error> {
        self.transaction(|database| {
            let mut applied = Applied::default();
            for event in events {
                apply(database, event, &mut applied)?;
            }
            Ok(applied)
        })
    }

    fn list(&mut self, filter: &Filter) -> Result<Vec<Session>, Error> {
        let rows = self.database.rows(
            select_sessions!(
                "WHERE ($1 = 1 OR ended_at IS NULL) AND (CAST($2 AS TEXT) IS NULL OR conversation_id = $2) \
                 ORDER BY last_seen_at DESC, session_id"
            ),
            &[i64::from(filter.ended).into(), (&filter.conversation).into()],
        )?;
        Ok(rows.iter().map(session).collect())
    }

    fn show(&mut self, id: &str) -> Result<Lookup, Error> {
        let exact = self.database.rows(select_sessions!("WHERE session_id = $1"), &[id.into()])?;
        if let Some(row) = exact.first() {
            return Ok(Lookup::One(Box::new(session(row))));
        }
        let prefix = i64::try_from(id.chars().count()).unwrap_or(i64::MAX);
        let rows = self.database.rows(
            select_sessions!(
                "WHERE $2 > 0 AND substr(session_id, 1, CAST($2 AS INTEGER)) = $1 ORDER BY session_id LIMIT 20"
            ),
            &[id.into(), prefix.min(1 << 20).into()],
        )?;
        Ok(match rows.as_slice() {
            [] => Lookup::None,
            [row] => Lookup::One(Box::new(session(row))),
            rows => Lookup::Many(rows.iter().map(|row| row.text(0)).collect()),
        })
    }

    fn lost(&mut self, lost: &Lost<'_>) -> Result<Vec<Session>, Error> {
        let open = self.list(&Filter::default())?;
        let silent = |session: &Session| lost.silent_since.is_some_and(|since| session.last_seen_at < since);
        let gone = |session: &Session| {
            lost.process_gone
                .is_some_and(|of| session.host.as_deref() == Some(of.host) && session.process.is_some_and(of.is_gone))
        };
        Ok(open.into_iter().filter(|session| silent(session) || gone(session)).collect())
    }

    fn forget(&mut self, ended_before: i64) -> Result<u64, Error> {
        self.transaction(|database| {
            let before = [ended_before.into()];
            let sessions =
                database.run("DELETE FROM sessions WHERE ended_at IS NOT NULL AND ended_at < $1", &before)?;
            database.run(
                "DELETE FROM conversation_notifications WHERE worker_id IN \
                 (SELECT id FROM workers WHERE completed_at IS NOT NULL AND completed_at < $1)",
                &before,
            )?;
            database.run("DELETE FROM workers WHERE completed_at IS NOT NULL AND completed_at < $1", &before)?;
            Ok(sessions)
        })
    }

    fn forget_records(&mut self, before: i64) -> Result<u64, Error> {
        self.transaction(|database| forget_records(database, before))
    }

    fn finished(&mut self, conversation: &str) -> Result<Finished, Error> {
        let fresh = self.database.rows(
            "SELECT id, task_type, report_summary, completed_at FROM workers \
             WHERE conversation_id = $1 AND status = 'complete' AND attention_kind = 'result' AND has_dependent_children = 0 \
             AND NOT EXISTS (SELECT 1 FROM conversation_notifications n WHERE n.conversation_id = $1 AND n.worker_id = workers.id) \
             ORDER BY completed_at, id",
            &[conversation.into()],
        )?;
        let waiting = self.database.rows(
            "SELECT w.id, w.task_type, w.report_summary, w.completed_at FROM workers w \
             JOIN conversation_notifications n ON n.worker_id = w.id \
             WHERE n.conversation_id = $1 AND n.acknowledged_at IS NULL \
             ORDER BY w.completed_at, w.id",
            &[conversation.into()],
        )?;
        Ok(Finished { fresh: fresh.iter().map(worker).collect(), waiting: waiting.iter().map(worker).collect() })
    }

    fn put_contact(&mut self, contact: &Contact) -> Result<(), Error> {
        let phone = contact.phone.as_deref().and_then(normal_phone);
        let email = contact.email.as_deref().and_then(normal_email);
        self.transaction(|database| {
            let id = Value::from(&contact.id);
            database.run(
                "INSERT INTO contacts (id, name, phone, email) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (id) DO UPDATE SET name = $2, phone = $3, email = $4",
                &[id.clone(), (&contact.name).into(), (&phone).into(), (&email).into()],
            )?;
            database.run("DELETE FROM contact_tags WHERE contact_id = $1", std::slice::from_ref(&id))?;
            for tag in &contact.tags {
                database.run(
                    "INSERT INTO contact_tags (contact_id, tag) VALUES ($1, $2) ON CONFLICT (contact_id, tag) DO NOTHING",
                    &[id.clone(), tag.into()],
                )?;
            }
            Ok(())
        })
    }

    fn tags(&mut self, address: &str) -> Result<Vec<String>, Error> {
        let Some(address) = normal_email(address).or_else(|| normal_phone(address)) else { return Ok(Vec::new()) };
        let rows = self.database.rows(
            "SELECT t.tag FROM contact_tags t JOIN contacts c ON c.id = t.contact_id \
             WHERE c.phone = $1 OR c.email = $1 ORDER BY t.tag",
            &[address.into()],
        )?;
        Ok(rows.iter().map(|row| row.text(0)).collect())
    }
}
