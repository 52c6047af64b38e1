//! How full the context is: warnings at prompts and stops, their levels, and the two sources of the figure.

use std::io::{Seek, SeekFrom, Write};
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::{CLIENT, Session, answer, line, shown, told};

fn level(session: &Session) -> i64 {
    session.row()["context_warning_level"].as_i64().unwrap()
}

/// 120,000 of 200,000 tokens are 60 percent.
#[test]
fn s4_20_a_prompt_at_60_percent_gets_a_note_for_model_and_person() {
    let session = Session::new();
    session.start("startup");
    session.sent(119_999);
    assert_eq!(told(&session.prompt()), "");
    session.sent(120_000);
    let ran = session.prompt();
    assert_eq!(told(&ran), "[CLAUDE OS SYS: INFO]: Context at 60% - Consider writing reset notes soon");
    assert!(shown(&ran).contains("60%"), "{ran:?}");
    // Once each level.
    session.sent(150_000);
    assert_eq!(session.prompt().stdout, "");
}

#[test]
fn s4_21_a_prompt_at_80_percent_gets_a_warning() {
    let session = Session::new();
    session.start("startup");
    session.sent(160_000);
    let ran = session.prompt();
    assert_eq!(told(&ran), "[CLAUDE OS SYS: WARNING]: Context at 80% - Write reset notes and prepare to transition");
    assert!(shown(&ran).contains("80%"), "{ran:?}");
    session.sent(190_000);
    assert_eq!(session.prompt().stdout, "");
}

/// A level that was jumped over isn't made up for, and one that was said isn't said again.
#[test]
fn s4_38_levels_go_up_one_after_the_other_and_are_recorded() {
    let session = Session::new();
    session.start("startup");
    let mut said = Vec::new();
    for (tokens, level_after) in [
        (110_000, 0),
        (124_000, 60),
        (130_000, 60),
        (165_000, 80),
        (160_000, 80),
        (182_000, 90),
        (191_000, 95),
        (199_000, 95),
    ] {
        session.sent(tokens);
        let ran = session.stop();
        if ran.stdout.is_empty() {
            said.push("-".to_owned());
        } else {
            assert_eq!(ran.json()["decision"], "block", "{ran:?}");
            assert!(!shown(&ran).is_empty(), "the user sees nothing: {ran:?}");
            said.push(told(&ran).lines().next().unwrap().to_owned());
        }
        assert_eq!(level(&session), level_after, "{tokens}");
    }
    let begin = "[CLAUDE OS SYS: ";
    assert_eq!(
        said,
        [
            "-".to_owned(),
            format!("{begin}INFO]: Memory check (62% context used)"),
            "-".to_owned(),
            format!("{begin}WARNING]: Memory check (82% context used) - Initiate the reset protocol"),
            "-".to_owned(),
            format!("{begin}WARNING]: Memory check (91% context used) - URGENT"),
            format!("{begin}WARNING]: Memory check (95% context used) - CRITICAL"),
            "-".to_owned(),
        ]
    );
}

/// What each level asks for, each in a session of its own.
fn stop_at(tokens: u64) -> String {
    let session = Session::new();
    session.start("startup");
    session.sent(tokens);
    told(&session.stop())
}

#[test]
fn s4_40_at_60_percent_context_is_to_be_externalised() {
    let text = stop_at(120_000);
    assert!(text.starts_with("[CLAUDE OS SYS: INFO]: Memory check (60% context used)"), "{text}");
    assert!(text.contains("state, observations, decisions"), "{text}");
}

#[test]
fn s4_41_at_80_percent_the_reset_protocol_begins() {
    let text = stop_at(160_000);
    assert!(text.starts_with("[CLAUDE OS SYS: WARNING]"), "{text}");
    assert!(text.contains("Initiate the reset protocol"), "{text}");
    assert!(["summary", "path", "reason"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn s4_42_at_90_percent_the_task_is_to_stop() {
    let text = stop_at(180_000);
    assert!(text.starts_with("[CLAUDE OS SYS: WARNING]") && text.contains("URGENT"), "{text}");
    assert!(text.contains("Stop the task") && text.contains("minimal state"), "{text}");
}

#[test]
fn s4_43_at_95_percent_nothing_but_a_reset_is_left() {
    let text = stop_at(190_000);
    assert!(text.starts_with("[CLAUDE OS SYS: WARNING]") && text.contains("CRITICAL"), "{text}");
    assert!(text.contains("Emergency reset"), "{text}");
}

/// B4.4: in the modes in which nobody watches, the levels of stops lie ten lower.
#[test]
fn s4_38_levels_of_stops_lie_lower_where_nobody_watches() {
    for (mode, lowest) in [("interactive", 60), ("mission", 50), ("autonomous", 50), ("background", 50)] {
        let session = Session::with("[change.session_lifecycle.reminders]\nping_modes = []\n");
        let session = session.env("CLAUDE_SESSION_MODE", mode);
        session.start("startup");
        session.sent(lowest * 2_000 - 1);
        assert_eq!(session.stop().stdout, "", "{mode}");
        session.sent(lowest * 2_000);
        let text = told(&session.stop());
        assert!(text.contains(&format!("({lowest}% context used)")), "{mode}: {text}");
        assert_eq!(text.contains("Nobody watches"), lowest == 50, "{mode}: {text}");
        assert_eq!(level(&session), i64::try_from(lowest).unwrap(), "{mode}");
    }
}

#[test]
fn s4_38_a_compaction_begins_anew() {
    for boundary in [r#"{"type":"system","subtype":"compact_boundary"}"#, r#"{"type":"user","isCompactSummary":true}"#]
    {
        let session = Session::new();
        session.start("startup");
        session.sent(165_000);
        assert!(told(&session.stop()).contains("82%"));
        assert!(told(&session.prompt()).contains("82%"));
        session.write_transcript(&[answer(165_000), boundary.to_owned()]);
        assert_eq!(session.prompt().stdout, "");
        assert_eq!(session.stop().stdout, "");
        assert_eq!(level(&session), 0);
        session.write_transcript(&[answer(165_000), boundary.to_owned(), answer(125_000)]);
        assert!(told(&session.prompt()).contains("62%"));
        assert!(told(&session.stop()).contains("62%"));
    }
    // The host says so itself as well, before the transcript does.
    let session = Session::new();
    session.start("startup");
    session.sent(165_000);
    session.stop();
    assert_eq!(level(&session), 80);
    session.start("compact");
    assert_eq!(level(&session), 0);
    assert!(told(&session.stop()).contains("82%"), "a resumed session is warned again");
}

/// A window that is configured counts, else the one that fits what was sent: 1,000,000 once it is more than 200,000.
#[test]
fn the_window_is_the_models() {
    let at = |config: &str, tokens: u64| {
        let session = Session::with(config);
        session.start("startup");
        session.sent(tokens);
        told(&session.prompt())
    };
    assert_eq!(at("", 200_001), "");
    assert!(at("", 200_000).contains("100%"));
    assert!(at("", 610_000).contains("61%"));
    let window = "[change.session_lifecycle.reminders.window]\n";
    assert!(at(&format!("{window}tokens = 100000\n"), 60_000).contains("60%"));
    assert_eq!(at(&format!("{window}models = {{ \"claude-test-*\" = 1000000 }}\n"), 160_000), "");
    assert!(at(&format!("{window}models = {{ \"claude-other\" = 1000000 }}\n"), 160_000).contains("80%"));
}

/// Lines that are cut off, of a subagent, made up by the host, or nonsense say nothing.
#[test]
fn a_damaged_transcript_says_what_its_whole_lines_say() {
    let session = Session::new();
    session.start("startup");
    let whole = answer(130_000);
    let subagent = answer(190_000).replace("\"isSidechain\":false", "\"isSidechain\":true");
    let made_up = answer(190_000).replace("claude-test-1", "<synthetic>");
    let cut = answer(190_000)[..60].to_owned();
    session.write_transcript(&[
        line("user", None),
        whole,
        subagent,
        made_up,
        "[1]".to_owned(),
        "\u{0}".to_owned(),
        cut,
    ]);
    assert!(told(&session.prompt()).contains("65%"));

    for text in ["", "\n\n", "{", "not a transcript"] {
        let session = Session::new();
        session.start("startup");
        std::fs::write(session.transcript(), text).unwrap();
        assert_eq!((session.prompt().stdout, session.stop().stdout), (String::new(), String::new()), "{text:?}");
    }
    let session = Session::new();
    std::fs::create_dir(session.transcript()).unwrap();
    session.start("startup");
    assert_eq!(session.prompt().stdout, "");
}

/// What is in front of the last answer costs nothing: a transcript of 200 MB, most of it a hole, is answered like a small one.
#[test]
fn a_large_transcript_is_read_from_its_end() {
    let session = Session::new();
    session.start("startup");
    let mut file = std::fs::File::create(session.transcript()).unwrap();
    file.seek(SeekFrom::Start(200 << 20)).unwrap();
    // A result of a tool of 3 MB lies behind the answer, so the first look finds none.
    let result = json!({"type": "user", "message": {"content": "x".repeat(3 << 20)}}).to_string();
    file.write_all(format!("\n{}\n{result}\n", answer(130_000)).as_bytes()).unwrap();
    drop(file);
    assert!(told(&session.prompt()).contains("65%"));
}

fn status(percent: &str) -> String {
    format!(
        r#"{{"session_id":"{CLIENT}","model":{{"id":"m","display_name":"Model One"}},"context_window":{{"used_percentage":{percent}}}}}"#
    )
}

/// W21: the host tells its status line how full the context is. Its figure wins while it is fresh or newer than the transcript.
#[test]
fn the_status_line_is_a_second_source() {
    let mut session = Session::new().env("CLAUDE_SESSION_ROLE", "builder");
    session.start("startup");
    let ran = session.cli(&["statusline"], &status("83.7"));
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "hookbin OFF: not installed here | Model One | context 83% | builder/interactive\n")
    );
    assert!(told(&session.prompt()).contains("Context at 83%"));

    // The transcript is newer by far, and the figure is older than two minutes.
    session.sent(130_000);
    session.wait(121);
    assert!(told(&session.stop()).contains("(65% context used)"));

    // Older than the transcript, but fresh.
    session.cli(&["statusline"], &status("96"));
    assert!(told(&session.stop()).contains("(96% context used)"));

    // Not fresh, but newer than the transcript.
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    std::fs::File::options().append(true).open(session.transcript()).unwrap().set_modified(old).unwrap();
    session.start("clear");
    session.cli(&["statusline"], &status("61"));
    session.wait(3_000);
    assert!(told(&session.stop()).contains("(61% context used)"));
}

/// The host knows no figure any more after a compaction, and the transcript's boundary is newer than the figure before it.
#[test]
fn a_figure_from_before_a_compaction_does_not_count() {
    let session = Session::new();
    session.start("startup");
    session.cli(&["statusline"], &status("92"));
    let boundary = r#"{"type":"system","subtype":"compact_boundary"}"#;
    session.write_transcript(&[answer(184_000), boundary.to_owned()]);
    assert_eq!(session.stop().stdout, "");

    let session = Session::new();
    session.start("startup");
    session.cli(&["statusline"], &status("92"));
    assert_eq!(
        session.cli(&["statusline"], &status("null")).stdout,
        "hookbin OFF: not installed here | Model One | context ? | chief/interactive\n"
    );
    assert_eq!(session.stop().stdout, "");
}

/// It prints a line whatever it gets, makes nothing where nothing was recorded, and lets no control character through.
#[test]
fn the_status_line_is_one_line_always() {
    let session = Session::new();
    for stdin in
        ["", "{}", "[]", "nonsense", "{\"context_window\":{\"used_percentage\":\"x\"}}", &status("1e99"), &status("-5")]
    {
        let ran = session.cli(&["statusline"], stdin);
        assert_eq!(ran.code, Some(0), "{stdin}: {ran:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{stdin}: {ran:?}");
    }
    assert!(!session.sandbox.path(".claude/hookbin").exists());
    let ran = session
        .cli(&["statusline"], r#"{"model":{"display_name":"a\u001b[31m\nb"},"context_window":{"used_percentage":7}}"#);
    assert_eq!(ran.stdout, "hookbin OFF: not installed here | a\u{fffd}[31m\u{fffd}b | context 7%\n");
}
