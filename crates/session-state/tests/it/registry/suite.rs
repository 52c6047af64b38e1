//! What every registry does, run on SQLite and, where there is a server, on PostgreSQL.

use hook_session_state::registry::{
    Applied, Attention, Change, Contact, Execution, ExecutionStatus, Filter, Finished, LOST, Lookup, Lost, Process,
    ProcessGone, Session, SessionRegistry, SessionType, SqliteRegistry, Start, State, Worker, WorkerStatus, age,
    normal_email, normal_phone,
};

use super::{event, some, started};

/// What a test can do beside the registry's own operations: look into the tables, and put in what other programs put in.
trait Tables {
    fn sql(&self, sql: &str) -> Vec<String>;
}

struct File(std::path::PathBuf);

impl Tables for File {
    fn sql(&self, sql: &str) -> Vec<String> {
        let connection = rusqlite::Connection::open(&self.0).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }
}

/// Runs a test on each kind of registry, every time on empty tables.
fn on_each(test: impl Fn(&mut dyn SessionRegistry, &dyn Tables)) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.db");
    let mut registry = SqliteRegistry::at(&path, hook_session_state::registry::BUSY_TIMEOUT).unwrap();
    test(&mut registry, &File(path));
    #[cfg(feature = "postgres")]
    server::with(|registry, tables| test(registry, tables));
}

#[cfg(feature = "postgres")]
mod server {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{LazyLock, Mutex};

    use hook_session_state::registry::{PostgresRegistry, SessionRegistry};

    use super::Tables;
    use crate::registry::server::Server;

    static SERVER: LazyLock<Option<Mutex<Server>>> = LazyLock::new(|| Server::start().map(Mutex::new));

    struct Database(String);

    impl Tables for Database {
        fn sql(&self, sql: &str) -> Vec<String> {
            let server = SERVER.as_ref().unwrap().lock().unwrap();
            server.sql(&self.0, sql).lines().map(str::to_owned).collect()
        }
    }

    pub(super) fn with(test: impl Fn(&mut dyn SessionRegistry, &dyn Tables)) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let Some(server) = SERVER.as_ref() else { return };
        let name = format!("case{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let url = {
            let server = server.lock().unwrap();
            server.sql("postgres", &format!("CREATE DATABASE {name}"));
            server.url(&name)
        };
        let mut registry = PostgresRegistry::connect(&url).unwrap();
        test(&mut registry, &Database(name));
    }
}

fn one(registry: &mut dyn SessionRegistry, id: &str) -> Session {
    match registry.show(id).unwrap() {
        Lookup::One(session) => *session,
        other => panic!("{id}: {other:?}"),
    }
}

fn ids(sessions: &[Session]) -> Vec<&str> {
    sessions.iter().map(|session| session.session_id.as_str()).collect()
}

#[test]
fn s4_06_a_session_starts_with_defaults_and_goes_on_with_what_it_had() {
    on_each(|registry, _| {
        let full = Start {
            role: some("builder"),
            mode: some("mission"),
            session_type: Some(SessionType::Mission),
            session_subtype: some("night"),
            mission_execution_id: None,
            transcript_path: some("/t/one.jsonl"),
            claude_session_id: some("one"),
            cwd: some("/p"),
            tmux_pane: some("%7"),
            description: some("mends the roof"),
            conversation_id: some("talk"),
            parent_session_id: some("parent"),
            host: some("box"),
            process: Some(Process { pid: 7, born: u64::MAX }),
        };
        registry.apply(&[started("aa", 1_000, full), started("bb", 2_000, Start::default())]).unwrap();
        let bare = one(registry, "bb");
        assert_eq!(
            (bare.role.as_str(), bare.mode.as_str(), bare.session_type.as_str()),
            ("chief", "interactive", "interactive")
        );
        assert_eq!((bare.current_state.as_str(), bare.has_pinged, bare.context_warning_level), ("idle", false, 0));
        assert_eq!((bare.tmux_pane, bare.description, bare.process), (None, None, None));

        let at = |at, change| event("aa", at, change);
        registry.apply(&[at(3_000, Change::Pinged(true)), at(4_000, Change::Ended("logout".into()))]).unwrap();
        let ended = one(registry, "aa");
        assert_eq!(
            (ended.ended_at, ended.end_reason.as_deref(), ended.has_pinged),
            (Some(4_000), Some("logout"), true)
        );

        // Resumed without the variables that its start had.
        let again = Start { transcript_path: some("/t/two.jsonl"), ..Start::default() };
        registry.apply(&[started("aa", 5_000, again)]).unwrap();
        let session = one(registry, "aa");
        let expected = Session {
            session_id: "aa".into(),
            role: "builder".into(),
            mode: "mission".into(),
            session_type: "mission".into(),
            session_subtype: some("night"),
            mission_execution_id: None,
            started_at: 1_000,
            last_seen_at: 5_000,
            ended_at: None,
            end_reason: None,
            transcript_path: some("/t/two.jsonl"),
            claude_session_id: some("one"),
            cwd: some("/p"),
            tmux_pane: some("%7"),
            description: some("mends the roof"),
            status_text: None,
            current_state: "idle".into(),
            has_pinged: false,
            created_at: 1_000,
            updated_at: 5_000,
            conversation_id: some("talk"),
            parent_session_id: some("parent"),
            context_warning_level: 0,
            host: some("box"),
            process: Some(Process { pid: 7, born: u64::MAX }),
            event_count: 4,
        };
        assert_eq!(session, expected);
    });
}

#[test]
fn s4_07_a_pane_belongs_to_the_session_that_came_last() {
    on_each(|registry, _| {
        let on = |pane: &str, host: &str| Start { tmux_pane: some(pane), host: some(host), ..Start::default() };
        let events = [
            started("first", 1, on("%1", "box")),
            started("other-pane", 2, on("%2", "box")),
            started("other-host", 3, on("%1", "barn")),
            started("second", 4, on("%1", "box")),
        ];
        registry.apply(&events).unwrap();
        let first = one(registry, "first");
        assert_eq!((first.end_reason.as_deref(), first.ended_at), (Some("pane_reused"), Some(4)));
        assert_eq!(first.current_state, "ended");
        assert_eq!(ids(&registry.list(&Filter::default()).unwrap()), ["second", "other-host", "other-pane"]);
        // A client that was started by a command of another one shares its pane, and both go on.
        registry.apply(&[event("first", 5, Change::Heartbeat)]).unwrap();
        assert_eq!(one(registry, "first").ended_at, None);
        // The same session again is no other session.
        registry.apply(&[started("first", 6, on("%1", "box"))]).unwrap();
        assert_eq!(one(registry, "first").ended_at, None);
    });
}

#[test]
fn s4_09_an_execution_gets_the_session_that_carries_it_out() {
    on_each(|registry, tables| {
        let execution = |status, at| {
            let execution =
                Execution { id: "run-1".into(), mission_slug: some("sweep"), status, ..Execution::default() };
            event("", at, Change::Execution(Box::new(execution)))
        };
        let of = |id: &str| Start { mission_execution_id: some(id), transcript_path: some("/t"), ..Start::default() };
        let applied = registry.apply(&[execution(None, 1_000), started("aa", 2_000, of("run-1"))]).unwrap();
        assert_eq!(applied.warnings, Vec::<String>::new());
        let row = "SELECT session_id || ' ' || transcript_path || ' ' || status || ' ' || mission_slug FROM mission_executions";
        assert_eq!(tables.sql(row), ["aa /t running sweep"]);

        registry.apply(&[execution(Some(ExecutionStatus::Completed), 63_500)]).unwrap();
        let row = "SELECT session_id || ' ' || status || ' ' || duration_seconds FROM mission_executions";
        assert_eq!(tables.sql(row), ["aa completed 62"]);
    });
}

#[test]
fn what_comes_late_about_an_execution_fills_gaps_and_replaces_nothing() {
    on_each(|registry, tables| {
        let says = |at, status, output: Option<&str>, error: Option<&str>| {
            let (output_summary, error_message) = (output.and_then(some), error.and_then(some));
            let execution =
                Execution { id: "run-1".into(), status, output_summary, error_message, ..Execution::default() };
            event("", at, Change::Execution(Box::new(execution)))
        };
        registry.apply(&[says(9_000, Some(ExecutionStatus::Completed), Some("all of it"), None)]).unwrap();
        registry.apply(&[says(5_000, Some(ExecutionStatus::Failed), Some("half"), Some("a warning"))]).unwrap();
        let row =
            "SELECT status || ' ' || output_summary || ' ' || error_message || ' ' || ended_at FROM mission_executions";
        assert_eq!(tables.sql(row), ["completed all of it a warning 9000"]);
    });
}

#[test]
fn x27_an_execution_that_is_in_no_table_is_a_warning_and_the_session_is_there() {
    on_each(|registry, _| {
        let start = Start { mission_execution_id: some("gone"), ..Start::default() };
        let applied = registry.apply(&[started("aa", 1, start)]).unwrap();
        assert_eq!(applied.new, 1);
        assert_eq!(applied.warnings.len(), 1);
        assert!(applied.warnings[0].contains("gone") && applied.warnings[0].contains("aa"), "{applied:?}");
        assert_eq!(one(registry, "aa").mission_execution_id.as_deref(), Some("gone"));
    });
}

#[test]
fn the_state_is_what_was_said_last() {
    on_each(|registry, _| {
        registry.apply(&[started("aa", 10, Start::default())]).unwrap();
        for (at, state, word) in
            [(20, State::ToolActive, "tool_active"), (30, State::Active, "active"), (40, State::Idle, "idle")]
        {
            registry.apply(&[event("aa", at, Change::State(state))]).unwrap();
            let session = one(registry, "aa");
            assert_eq!((session.current_state.as_str(), session.last_seen_at), (word, at));
        }
        // One that comes late.
        registry.apply(&[event("aa", 25, Change::State(State::ToolActive))]).unwrap();
        assert_eq!(one(registry, "aa").current_state, "idle");
        // A heartbeat says nothing about the state.
        registry.apply(&[event("aa", 50, Change::Heartbeat)]).unwrap();
        let session = one(registry, "aa");
        assert_eq!((session.current_state.as_str(), session.last_seen_at), ("idle", 50));
    });
}

#[test]
fn s4_46_an_end_has_a_time_and_a_reason_and_stays() {
    on_each(|registry, _| {
        let end = |at, reason: &str| event("aa", at, Change::Ended(reason.to_owned()));
        registry.apply(&[started("aa", 10, Start::default()), end(20, "logout"), end(30, "other")]).unwrap();
        // The hook of a tool that ended after its session.
        registry.apply(&[event("aa", 31, Change::State(State::Active))]).unwrap();
        let session = one(registry, "aa");
        assert_eq!((session.ended_at, session.end_reason.as_deref()), (Some(20), Some("logout")));
        assert_eq!((session.current_state.as_str(), session.event_count), ("ended", 4));
        // An end from before it went on does not end it again.
        registry.apply(&[started("aa", 40, Start::default()), end(35, "late")]).unwrap();
        assert_eq!(one(registry, "aa").ended_at, None);
    });
}

#[test]
fn a_start_that_comes_late_fills_gaps_and_replaces_nothing() {
    on_each(|registry, _| {
        let second = Start { host: some("barn"), description: some("goes on"), ..Start::default() };
        let first = Start { host: some("box"), cwd: some("/p"), parent_session_id: some("parent"), ..Start::default() };
        let end = event("aa", 200, Change::Ended("logout".into()));
        registry.apply(&[started("aa", 100, second), end, started("aa", 50, first)]).unwrap();
        let session = one(registry, "aa");
        assert_eq!((session.host.as_deref(), session.description.as_deref()), (Some("barn"), Some("goes on")));
        assert_eq!((session.cwd.as_deref(), session.parent_session_id.as_deref()), (Some("/p"), Some("parent")));
        assert_eq!((session.started_at, session.ended_at, &*session.current_state), (50, Some(200), "ended"));
    });
}

#[test]
fn texts_levels_and_conversations_are_kept() {
    on_each(|registry, tables| {
        let say = |at, change| event("aa", at, change);
        let events = [
            say(1, Change::Status("it's \"quoted\"; DROP TABLE sessions; -- ä€𝄞".into())),
            say(2, Change::Context(80)),
            say(3, Change::Pinged(true)),
            say(4, Change::Conversation("talk".into())),
        ];
        registry.apply(&events).unwrap();
        // Nobody started it: it has a row with the defaults.
        let session = one(registry, "aa");
        assert_eq!(session.status_text.as_deref(), Some("it's \"quoted\"; DROP TABLE sessions; -- ä€𝄞"));
        assert_eq!((session.context_warning_level, session.has_pinged), (80, true));
        assert_eq!((session.role.as_str(), session.started_at), ("chief", 1));
        assert_eq!(session.conversation_id.as_deref(), Some("talk"));
        assert_eq!(tables.sql("SELECT id FROM conversations"), ["talk"]);
        registry.apply(&[say(5, Change::Status(String::new())), say(6, Change::Context(0))]).unwrap();
        let session = one(registry, "aa");
        assert_eq!((session.status_text, session.context_warning_level), (None, 0));
        let of = Filter { conversation: some("talk"), ..Filter::default() };
        assert_eq!(ids(&registry.list(&of).unwrap()), ["aa"]);
        let of = Filter { conversation: some("tal"), ..Filter::default() };
        assert!(registry.list(&of).unwrap().is_empty());
    });
}

#[test]
fn a_record_that_comes_again_changes_nothing() {
    on_each(|registry, _| {
        let events = [started("aa", 1, Start::default()), event("aa", 2, Change::State(State::Active))];
        let first = registry.apply(&events).unwrap();
        assert_eq!((first.new, first.repeated), (2, 0));
        registry.apply(&[event("aa", 3, Change::Ended("logout".into()))]).unwrap();
        let before = one(registry, "aa");
        let again = registry.apply(&events).unwrap();
        assert_eq!(again, Applied { new: 0, repeated: 2, warnings: Vec::new() });
        assert_eq!(one(registry, "aa"), before);
    });
}

#[test]
fn a_record_is_known_again_until_it_is_forgotten() {
    on_each(|registry, _| {
        // What counts is when they were applied, and not what the clock of their writer said.
        let events = [event("aa", 1, Change::Heartbeat), event("aa", i64::MAX, Change::Heartbeat)];
        registry.apply(&events).unwrap();
        let (year_2026, year_2200) = (1_767_225_600_000, 7_258_118_400_000);
        assert_eq!(registry.forget_records(year_2026).unwrap(), 0);
        assert_eq!(registry.apply(&events).unwrap().repeated, 2);
        assert_eq!(registry.forget_records(year_2200).unwrap(), 2);
        assert_eq!(registry.apply(&events).unwrap().new, 2);
    });
}

#[test]
fn a_session_is_found_by_the_beginning_of_its_id() {
    on_each(|registry, _| {
        let start = |id: &str| started(id, 1, Start::default());
        registry.apply(&[start("abc"), start("abcd"), start("abxx"), start("%_")]).unwrap();
        assert_eq!(one(registry, "abc").session_id, "abc");
        assert_eq!(one(registry, "abx").session_id, "abxx");
        assert_eq!(registry.show("ab").unwrap(), Lookup::Many(vec!["abc".into(), "abcd".into(), "abxx".into()]));
        // No pattern, and not everything.
        assert_eq!(one(registry, "%").session_id, "%_");
        for none in ["", "b", "abcde", "ABC"] {
            assert_eq!(registry.show(none).unwrap(), Lookup::None, "{none:?}");
        }
    });
}

#[test]
fn lost_sessions_are_those_that_are_silent_or_without_a_process() {
    on_each(|registry, _| {
        let on =
            |host: &str, pid| Start { host: some(host), process: Some(Process { pid, born: 5 }), ..Start::default() };
        let events = [
            started("silent", 100, Start::default()),
            started("dead", 900, on("box", 13)),
            started("alive", 900, on("box", 12)),
            started("elsewhere", 900, on("barn", 13)),
        ];
        registry.apply(&events).unwrap();
        let is_gone = |process: Process| process.pid == 13;
        let gone = ProcessGone { host: "box", is_gone: &is_gone };
        let lost = registry.lost(&Lost { silent_since: Some(500), process_gone: Some(gone) }).unwrap();
        let mut found = ids(&lost);
        found.sort_unstable();
        assert_eq!(found, ["dead", "silent"]);

        let ends: Vec<_> = lost.iter().map(|s| event(&s.session_id, 1_000, Change::Ended(LOST.into()))).collect();
        registry.apply(&ends).unwrap();
        let silent = one(registry, "silent");
        assert_eq!((silent.ended_at, silent.last_seen_at), (Some(1_000), 100));
        assert_eq!(silent.end_reason.as_deref(), Some("lost"));
        assert_eq!(ids(&registry.list(&Filter::default()).unwrap()), ["alive", "elsewhere"]);
        // It only slept.
        registry.apply(&[event("silent", 1_001, Change::State(State::Active))]).unwrap();
        let silent = one(registry, "silent");
        assert_eq!((silent.ended_at, silent.current_state.as_str()), (None, "active"));
        // It was seen after the moment at which somebody thought it lost.
        registry.apply(&[event("silent", 999, Change::Ended(LOST.into()))]).unwrap();
        assert_eq!(one(registry, "silent").ended_at, None);
    });
}

#[test]
fn old_ended_sessions_are_forgotten_and_others_are_not() {
    on_each(|registry, _| {
        let end = |id: &str, at| event(id, at, Change::Ended("logout".into()));
        let start = |id: &str| started(id, 1, Start::default());
        registry.apply(&[start("old"), start("new"), start("open"), end("old", 10), end("new", 20)]).unwrap();
        assert_eq!(registry.forget(20).unwrap(), 1);
        let all = Filter { ended: true, ..Filter::default() };
        assert_eq!(ids(&registry.list(&all).unwrap()), ["new", "open"]);
    });
}

fn worker(id: &str, at: i64, change: impl Fn(&mut Worker)) -> hook_session_state::registry::RegistryEvent {
    let mut worker = Worker {
        id: id.to_owned(),
        task_type: some("research"),
        status: Some(WorkerStatus::Complete),
        attention_kind: Some(Attention::Result),
        report_summary: some("found it"),
        conversation_id: some("talk"),
        ..Worker::default()
    };
    change(&mut worker);
    event("", at, Change::Worker(Box::new(worker)))
}

fn names(finished: &Finished) -> (Vec<&str>, Vec<&str>) {
    (
        finished.fresh.iter().map(|worker| worker.id.as_str()).collect(),
        finished.waiting.iter().map(|worker| worker.id.as_str()).collect(),
    )
}

#[test]
fn finished_workers_are_those_of_the_conversation_oldest_first_and_once() {
    on_each(|registry, _| {
        let events = [
            worker("late", 300, |_| {}),
            worker("early", 100, |_| {}),
            worker("running", 100, |worker| worker.status = Some(WorkerStatus::Running)),
            worker("failed", 100, |worker| worker.status = Some(WorkerStatus::Failed)),
            worker("question", 100, |worker| worker.attention_kind = Some(Attention::Clarification)),
            worker("trunk", 100, |worker| worker.has_dependent_children = Some(true)),
            worker("other-talk", 100, |worker| worker.conversation_id = some("other")),
            worker("no-talk", 100, |worker| worker.conversation_id = None),
        ];
        registry.apply(&events).unwrap();
        let found = registry.finished("talk").unwrap();
        assert_eq!(names(&found), (vec!["early", "late"], vec![]));
        assert_eq!(found.fresh[0].completed_at, 100);
        assert_eq!(found.fresh[0].report_summary.as_deref(), Some("found it"));

        let mark = |at, ids: &[&str], conversation: &str| {
            let workers = ids.iter().map(|id| (*id).to_owned()).collect();
            event("", at, Change::Notified { conversation: conversation.into(), workers })
        };
        registry.apply(&[mark(400, &["early"], "talk"), mark(401, &["early"], "talk")]).unwrap();
        registry.apply(&[mark(402, &["late"], "other")]).unwrap();
        let found = registry.finished("talk").unwrap();
        assert_eq!(names(&found), (vec!["late"], vec!["early"]));

        let workers = vec!["early".to_owned()];
        registry.apply(&[event("", 500, Change::Acknowledged { conversation: "talk".into(), workers })]).unwrap();
        assert_eq!(names(&registry.finished("talk").unwrap()), (vec!["late"], vec![]));
    });
}

#[test]
fn a_worker_is_told_in_parts_and_late_parts_fill_gaps_only() {
    on_each(|registry, _| {
        let part = |at, worker| event("", at, Change::Worker(Box::new(worker)));
        let done = Worker {
            id: "w".into(),
            status: Some(WorkerStatus::Complete),
            attention_kind: Some(Attention::Result),
            report_summary: some("new"),
            ..Worker::default()
        };
        let begun = Worker {
            id: "w".into(),
            task_type: some("build"),
            status: Some(WorkerStatus::Running),
            report_summary: some("old"),
            conversation_id: some("talk"),
            ..Worker::default()
        };
        registry.apply(&[part(200, done), part(100, begun)]).unwrap();
        let found = registry.finished("talk").unwrap();
        assert_eq!(names(&found).0, ["w"]);
        let worker = &found.fresh[0];
        assert_eq!((worker.task_type.as_deref(), worker.report_summary.as_deref()), (Some("build"), Some("new")));
        assert_eq!(worker.completed_at, 200);
    });
}

#[test]
fn tags_are_found_by_any_spelling_of_an_address() {
    on_each(|registry, _| {
        let contact = Contact {
            id: "1".into(),
            name: "Ada".into(),
            phone: some("+49 (30) 1234-5"),
            email: some("Ada@Example.ORG"),
            tags: vec!["claude_direct".into(), "claude_draft".into(), "claude_direct".into()],
        };
        registry.put_contact(&contact).unwrap();
        for address in ["+49 30 12345", "0049-30-12345", " ada@example.org ", "ADA@EXAMPLE.ORG"] {
            assert_eq!(registry.tags(address).unwrap(), ["claude_direct", "claude_draft"], "{address}");
        }
        for address in ["", "+", "30 12345", "ada", "bob@example.org", "%", "ada@example.or_"] {
            assert_eq!(registry.tags(address).unwrap(), Vec::<String>::new(), "{address}");
        }
        registry.put_contact(&Contact { tags: vec![], ..contact }).unwrap();
        assert_eq!(registry.tags("+493012345").unwrap(), Vec::<String>::new());
    });
}

#[test]
fn s4_59_the_tables_are_those_of_the_document_and_hold_its_limits() {
    on_each(|registry, tables| {
        registry.apply(&[started("aa", 1, Start::default())]).unwrap();
        for columns in [
            "session_id, role, mode, session_type, session_subtype, mission_execution_id, started_at, last_seen_at, ended_at, \
             end_reason, transcript_path, claude_session_id, cwd, tmux_pane, description, status_text, current_state, has_pinged, \
             created_at, updated_at, conversation_id, parent_session_id, context_warning_level FROM sessions",
            "id, name, slug, description, source, app_slug, prompt_type, prompt_file, prompt_inline, schedule_type, trigger_type, \
             timeout_minutes, role, mode, enabled, next_run, last_run, last_status, created_at, updated_at FROM missions",
            "id, mission_id, mission_slug, started_at, ended_at, status, session_id, transcript_path, output_summary, \
             error_message, duration_seconds FROM mission_executions",
            "id, name, phone, email FROM contacts",
            "contact_id, tag FROM contact_tags",
            "id, task_type, status, attention_kind, attention_data_json, report_summary, has_dependent_children, \
             conversation_id, completed_at FROM workers",
            "conversation_id, worker_id, notified_at FROM conversation_notifications",
        ] {
            tables.sql(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM (SELECT {columns}) AS x"));
        }
        assert_eq!(tables.sql("SELECT CAST(version AS TEXT) FROM schema_version"), ["1"]);
    });
}

#[test]
fn s4_03_ages_are_short_and_warn_from_two_days_on() {
    let (minute, hour, day) = (60_000, 3_600_000, 86_400_000);
    for (millis, text) in [
        (-5, "just now"),
        (0, "just now"),
        (minute - 1, "just now"),
        (minute, "1m"),
        (hour - 1, "59m"),
        (hour, "1h"),
        (day - 1, "23h"),
        (day, "1d"),
        (2 * day - 1, "1d"),
        (2 * day, "2d \u{26a0}"),
        (30 * day, "30d \u{26a0}"),
    ] {
        assert_eq!(age(millis), text, "{millis}");
    }
}

#[test]
fn addresses_have_one_form() {
    for (text, normal) in [
        ("+49 (30) 12-34", Some("+49301234")),
        ("0049 30 1234", Some("+49301234")),
        ("030 1234", Some("0301234")),
        ("+0049 30", Some("+004930")),
        ("call 030", None),
        ("", None),
        ("+", None),
    ] {
        assert_eq!(normal_phone(text).as_deref(), normal, "{text:?}");
    }
    for (text, normal) in
        [(" A@B.c ", Some("a@b.c")), ("\"x@y\"@B.c", Some("\"x@y\"@b.c")), ("@b", None), ("a@", None), ("a", None)]
    {
        assert_eq!(normal_email(text).as_deref(), normal, "{text:?}");
    }
}
