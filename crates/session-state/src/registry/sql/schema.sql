-- Version 1 of the session registry. The same text serves SQLite and PostgreSQL. Times are milliseconds since 1970, UTC.
CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    role TEXT NOT NULL DEFAULT 'chief',
    mode TEXT NOT NULL DEFAULT 'interactive',
    session_type TEXT NOT NULL DEFAULT 'interactive' CHECK (session_type IN ('interactive', 'mission')),
    session_subtype TEXT,
    mission_execution_id TEXT,
    started_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    ended_at BIGINT,
    end_reason TEXT,
    transcript_path TEXT,
    claude_session_id TEXT,
    cwd TEXT,
    tmux_pane TEXT,
    description TEXT,
    status_text TEXT,
    current_state TEXT NOT NULL DEFAULT 'idle' CHECK (current_state IN ('idle', 'active', 'tool_active', 'ended')),
    has_pinged BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    conversation_id TEXT,
    parent_session_id TEXT,
    context_warning_level BIGINT NOT NULL DEFAULT 0,
    host TEXT,
    pid BIGINT,
    process_born TEXT,
    -- When it last began or went on, and when its state was last said: what is older than that does not count.
    opened_at BIGINT NOT NULL,
    state_at BIGINT NOT NULL DEFAULT 0,
    event_count BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX sessions_active ON sessions (last_seen_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_role ON sessions (role);
CREATE INDEX sessions_mode ON sessions (mode);
CREATE INDEX sessions_heartbeat ON sessions (last_seen_at);
CREATE INDEX sessions_mission ON sessions (mission_execution_id);
CREATE TABLE missions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    description TEXT,
    source TEXT NOT NULL DEFAULT 'user' CHECK (source IN ('core_default', 'custom_app', 'user')),
    app_slug TEXT,
    prompt_type TEXT NOT NULL DEFAULT 'inline' CHECK (prompt_type IN ('file', 'inline')),
    prompt_file TEXT,
    prompt_inline TEXT,
    schedule_type TEXT CHECK (schedule_type IN ('cron', 'time', 'relative')),
    schedule_cron TEXT,
    schedule_time TEXT,
    schedule_days TEXT,
    trigger_type TEXT CHECK (trigger_type IN ('file_change', 'calendar_event', 'app_hook')),
    trigger_config_json TEXT,
    timeout_minutes BIGINT NOT NULL DEFAULT 60,
    role TEXT NOT NULL DEFAULT 'builder' CHECK (role <> 'chief'),
    mode TEXT NOT NULL DEFAULT 'mission',
    enabled BIGINT NOT NULL DEFAULT 1,
    next_run BIGINT,
    last_run BIGINT,
    last_status TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE mission_executions (
    id TEXT PRIMARY KEY,
    mission_id TEXT REFERENCES missions (id) ON DELETE CASCADE,
    mission_slug TEXT,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    status TEXT NOT NULL DEFAULT 'running'
        CHECK (status IN ('running', 'completed', 'failed', 'timeout', 'cancelled')),
    session_id TEXT,
    transcript_path TEXT,
    output_summary TEXT,
    error_message TEXT,
    duration_seconds BIGINT,
    said_at BIGINT NOT NULL
);
CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    phone TEXT UNIQUE,
    email TEXT UNIQUE
);
CREATE TABLE contact_tags (
    contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (contact_id, tag)
);
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    task_type TEXT,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'awaiting_clarification', 'complete',
        'failed', 'clarification_answered', 'snoozed', 'cancelled')),
    attention_kind TEXT CHECK (attention_kind IN ('result', 'clarification', 'alert', 'followup')),
    attention_data_json TEXT,
    report_summary TEXT,
    has_dependent_children BIGINT NOT NULL DEFAULT 0,
    conversation_id TEXT,
    completed_at BIGINT,
    said_at BIGINT NOT NULL
);
CREATE INDEX workers_conversation ON workers (conversation_id, status);
CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    created_at BIGINT NOT NULL
);
CREATE TABLE conversation_notifications (
    conversation_id TEXT NOT NULL,
    worker_id TEXT NOT NULL,
    notified_at BIGINT NOT NULL,
    acknowledged_at BIGINT,
    PRIMARY KEY (conversation_id, worker_id)
);
-- Which records were applied, so that each is applied once. When is the database's word: the clock of a writer may be wrong.
CREATE TABLE applied_events (
    event_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- How far a reader of this machine's spool has come: whoever folds it in, and each server that it is sent to. The head is how the file
-- begins, which tells it from another one that was put in its place.
CREATE TABLE spool_progress (
    consumer TEXT NOT NULL,
    generation BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    head TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (consumer, generation)
);
-- What was removed from the spool before it was sent to a server.
CREATE TABLE spool_dropped (
    consumer TEXT NOT NULL,
    generation BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (consumer, generation)
);
