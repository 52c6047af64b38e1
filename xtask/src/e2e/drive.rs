//! Driving the client: headless with one prompt or several, or in a pseudo-terminal as a user would.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::scenario::Run;
use crate::process::{self, Ended};

/// What a run of the client left behind.
pub(crate) struct Ran {
    /// Exit code; `None` when it had to be ended.
    pub(crate) code: Option<i32>,
    /// Standard output, or the last screen.
    pub(crate) printed: String,
    pub(crate) stderr: String,
    pub(crate) session: Option<String>,
    /// The key at which a run in a terminal stood still.
    pub(crate) stuck: Option<String>,
    /// The terminal as it was when the last key was typed.
    pub(crate) screen: Option<vt100::Screen>,
}

/// Starts the client for one run; the command has its program, environment and directory already.
pub(crate) fn drive(mut command: Command, run: &Run) -> Result<Ran> {
    let limit = Duration::from_secs(run.timeout);
    if !run.keys.is_empty() {
        command.args(&run.args);
        return terminal(&command, run, limit);
    }
    command.arg("-p");
    if let [prompt] = run.prompts.as_slice() {
        command.arg(prompt);
    } else {
        command.args(["--input-format", "stream-json"]);
    }
    command.args(["--output-format", "stream-json", "--verbose"]).args(&run.args);
    let ended = if run.prompts.len() == 1 { process::run(command, limit)? } else { converse(command, run, limit)? };
    let session = ended
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|line| line.get("session_id").and_then(Value::as_str).map(str::to_owned));
    let code = ended.code();
    Ok(Ran { code, printed: ended.stdout, stderr: ended.stderr, session, stuck: None, screen: None })
}

/// Gives each prompt after the answer to the one before, and closes standard input after the last answer.
fn converse(mut command: Command, run: &Run, limit: Duration) -> Result<Ended> {
    process::own_group(&mut command);
    let until = Instant::now() + limit;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        process::gate(|| command.spawn()).with_context(|| format!("start {}", command.get_program().display()))?;
    let (send, receive) = mpsc::channel();
    let stdout = child.stdout.take().context("no standard output to read")?;
    thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    let mut stderr = child.stderr.take().context("no standard error to read")?;
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        // Whatever came before a fault is worth having.
        let _ = stderr.read_to_end(&mut text);
        text
    });
    let mut stdin = child.stdin.take();
    let mut prompts = run.prompts.iter();
    let mut say_next = |stdin: &mut Option<std::process::ChildStdin>| match prompts.next() {
        Some(prompt) => {
            let line = json!({"type": "user", "message": {"role": "user", "content": prompt}});
            // A client that has died is seen by its exit code.
            if let Some(stdin) = stdin {
                let _ = writeln!(stdin, "{line}");
            }
        }
        None => *stdin = None,
    };
    say_next(&mut stdin);
    let mut printed = String::new();
    // Ends with the client's output, or at the limit.
    while let Ok(line) = receive.recv_timeout(until.saturating_duration_since(Instant::now())) {
        let is_answer = serde_json::from_str::<Value>(&line)
            .is_ok_and(|line| line.get("type").and_then(Value::as_str) == Some("result"));
        printed.push_str(&line);
        printed.push('\n');
        if is_answer {
            say_next(&mut stdin);
        }
    }
    drop(stdin);
    let status = process::wait(&mut child, until)?;
    let stderr = String::from_utf8_lossy(&errors.join().unwrap_or_default()).into_owned();
    Ok(Ended { status, stdout: printed, stderr })
}

/// What stands between two screens.
pub(crate) const SCREENS: char = '\u{c}';

/// Types each key when its text stands on the screen.
#[cfg(unix)]
fn terminal(command: &Command, run: &Run, limit: Duration) -> Result<Ran> {
    use std::sync::{Arc, Mutex, PoisonError};

    use pty_process::Size;
    use pty_process::blocking as pty;

    let until = Instant::now() + limit;
    let (lines, columns) = run.screen;
    let (terminal, line) = pty::open().context("open a pseudo-terminal")?;
    terminal.resize(Size::new(lines, columns)).context("size the pseudo-terminal")?;
    let mut client = pty::Command::new(command.get_program()).args(command.get_args()).env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            client = client.env(name, value);
        }
    }
    if let Some(dir) = command.get_current_dir() {
        client = client.current_dir(dir);
    }
    let mut child =
        process::gate(|| client.spawn(line)).with_context(|| format!("start {}", command.get_program().display()))?;
    let screen = Arc::new(Mutex::new(vt100::Parser::new(lines, columns, 0)));
    let terminal = Arc::new(terminal);
    let (reading, filled) = (Arc::clone(&terminal), Arc::clone(&screen));
    // Ends when the client's side is closed.
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = (&*reading).read(&mut bytes) {
            let mut screen = filled.lock().unwrap_or_else(PoisonError::into_inner);
            screen.process(bytes.get(..count).unwrap_or_default());
        }
    });
    let shown = || screen.lock().unwrap_or_else(PoisonError::into_inner).screen().clone();
    let text = || shown().contents();
    let mut seen = String::new();
    let mut last = None;
    let mut stuck = None;
    'keys: for key in &run.keys {
        loop {
            let now = text();
            if now.contains(&key.wait) {
                seen = now;
                break;
            }
            let is_over = child.try_wait().context("wait for the client")?.is_some();
            if is_over || Instant::now() >= until {
                seen = now;
                stuck = Some(key.wait.clone());
                break 'keys;
            }
            thread::sleep(Duration::from_millis(50));
        }
        thread::sleep(Duration::try_from_secs_f64(key.after).unwrap_or_default());
        last = Some(shown());
        // The client takes keys that come together for a paste; a user types one after the other.
        for stroke in strokes(&key.send) {
            (&*terminal).write_all(stroke.as_bytes()).context("type a key")?;
            thread::sleep(Duration::from_millis(30));
        }
    }
    let until = if stuck.is_some() { Instant::now() } else { until };
    let status = process::wait(&mut child, until)?;
    let printed = format!("{seen}{SCREENS}{}", text());
    let code = status.and_then(|status| status.code());
    Ok(Ran { code, printed, stderr: String::new(), session: None, stuck, screen: last })
}

/// The strokes of a text: single characters, and arrow keys (`ESC [ A`), which a terminal sends at once.
#[cfg(unix)]
fn strokes(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("\u{1b}[") { 3 } else { first.len_utf8() };
        let (stroke, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        found.push(stroke);
        rest = after;
    }
    found
}

#[cfg(not(unix))]
fn terminal(_command: &Command, _run: &Run, _limit: Duration) -> Result<Ran> {
    anyhow::bail!("there is no pseudo-terminal on this system")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::strokes;

    #[test]
    fn an_arrow_key_is_one_stroke_and_escape_is_another() {
        assert_eq!(strokes("é\u{1b}[B\r"), ["é", "\u{1b}[B", "\r"]);
        assert_eq!(strokes("\u{1b}1"), ["\u{1b}", "1"]);
        assert_eq!(strokes("\u{1b}[é"), ["\u{1b}[é"]);
    }
}
