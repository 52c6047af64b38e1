//! What grows with a project: payloads, files written, the log, custom rules, sessions at once.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use super::measure;
use super::report::{Line, Measured};
use super::{Yardstick, scenario};
use crate::sandbox::{Launch, Sandbox};

/// How much more than the smallest case the largest may cost.
const MOST: f64 = 1.2;

/// What a hook costs as one thing grows.
pub(crate) struct Growth {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// Whether the cost may not follow the size, by a factor of [`MOST`].
    is_flat: bool,
    steps: &'static [u64],
    /// Brings the project to the size of a step. The number is for what it counts over the steps.
    prepare: fn(&Sandbox, u64, &mut u32) -> Result<()>,
    payload: fn(&Sandbox, u64, &str) -> String,
    event: &'static str,
    answer: Answer,
}

const SIZES: &[u64] = &[200, 10 << 10, 100 << 10, 1 << 20, 8 << 20];

const HARMLESS: &str = "cargo test --workspace 2>&1 | tail -n 20";

/// How the hook has to answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Pass,
    Deny,
    /// In any way: a command above the limit is asked about.
    Any,
}

pub(crate) const ALL: &[Growth] = &[
    Growth {
        id: "payload",
        title: "bytes that a written file holds",
        is_flat: false,
        steps: SIZES,
        prepare: |_, _, _| Ok(()),
        payload: |sandbox, size, id| scenario::written(sandbox, id, 0, usize::try_from(size).unwrap_or_default()),
        event: "PostToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "payload-pre",
        title: "bytes that a file is to hold",
        is_flat: false,
        steps: SIZES,
        prepare: |_, _, _| Ok(()),
        payload: |sandbox, size, id| scenario::to_write(sandbox, id, usize::try_from(size).unwrap_or_default()),
        event: "PreToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "command",
        title: "bytes of a command",
        is_flat: false,
        steps: SIZES,
        prepare: |_, _, _| Ok(()),
        payload: |sandbox, size, id| {
            scenario::command(sandbox, id, &scenario::heredoc(usize::try_from(size).unwrap_or_default()))
        },
        event: "PreToolUse",
        answer: Answer::Any,
    },
    Growth {
        id: "tracked",
        title: "files that the session has written",
        is_flat: true,
        steps: &[10, 1_000, 10_000, 100_000],
        prepare: track,
        payload: |sandbox, _, id| scenario::written(sandbox, id, 0, 1),
        event: "PostToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "log",
        title: "bytes of audit log",
        is_flat: true,
        steps: &[0, 1 << 20, 32 << 20, 1 << 30],
        prepare: lengthen_log,
        payload: |sandbox, _, id| scenario::command(sandbox, id, HARMLESS),
        event: "PreToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "rules-bash",
        title: "custom rules, harmless Bash",
        is_flat: true,
        steps: &[0, 100, 1_000, 10_000],
        prepare: write_rules,
        payload: |sandbox, _, id| scenario::command(sandbox, id, HARMLESS),
        event: "PreToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "rules-write",
        title: "custom rules, harmless Write",
        is_flat: true,
        steps: &[0, 100, 1_000, 10_000],
        prepare: write_rules,
        payload: |sandbox, _, id| scenario::to_write(sandbox, id, 200),
        event: "PreToolUse",
        answer: Answer::Pass,
    },
    Growth {
        id: "rules-refused",
        title: "custom rules, Bash that one refuses",
        is_flat: true,
        steps: &[1, 100, 1_000, 10_000],
        prepare: write_rules,
        payload: |sandbox, _, id| scenario::command(sandbox, id, "tool0 prod"),
        event: "PreToolUse",
        answer: Answer::Deny,
    },
];

impl Growth {
    /// Measures every step, in one project that grows.
    pub(crate) fn measure(&self, hookbin: &Path, yardstick: &Yardstick<'_>) -> Result<Vec<Line>> {
        let sandbox = Sandbox::installed(hookbin, "standard")?;
        let hook = sandbox.hook(self.event);
        let mut made = 0;
        let mut next = 0;
        let mut lines = Vec::new();
        for step in self.steps {
            eprintln!("{} {step} …", self.id);
            (self.prepare)(&sandbox, *step, &mut made).with_context(|| format!("make {step} {}", self.title))?;
            let mut payloads = || {
                next += 1;
                let id = format!("{next:06}");
                sandbox.payload("growth.json", &(self.payload)(&sandbox, *step, &id))
            };
            // What a change of the configuration costs once is not what every event costs.
            answered(&hook, &payloads()?, self.answer)?;
            let measured = yardstick.measure(&sandbox, &hook, &mut payloads)?;
            lines.push(Line { id: format!("{}-{step}", self.id), title: grouped(*step), measured });
        }
        Ok(lines)
    }

    /// Says whether the largest case keeps to the bound, where there is one.
    pub(crate) fn verdict(&self, lines: &[Line]) -> Option<String> {
        let (first, last) = (lines.first()?, lines.last()?);
        let counts = |line: &Line| line.measured.counts.instructions.and_then(|count| u32::try_from(count).ok());
        let instructions = Some(f64::from(counts(last)?) / f64::from(counts(first)?));
        let time = Some(last.measured.against_noop()? / first.measured.against_noop()?);
        let words = [(time, "of the time"), (instructions, "of the instructions")];
        let said = words.iter().filter_map(|(ratio, what)| ratio.map(|ratio| format!("{ratio:.2} × {what}")));
        let said = format!("the largest case takes {} of the smallest", said.collect::<Vec<_>>().join(" and "));
        // Instructions repeat; times are the machine's mood as well.
        let (judged, what) = if instructions.is_some() { words[1] } else { words[0] };
        let is_kept = judged.is_none_or(|ratio| ratio <= MOST);
        Some(match (self.is_flat, is_kept) {
            (false, _) => said,
            (true, true) => format!("{said}; at most {MOST} × {what} is held"),
            (true, false) => format!("{said}; MORE than {MOST} × {what}"),
        })
    }
}

/// Writes files until the session has this many.
fn track(sandbox: &Sandbox, files: u64, made: &mut u32) -> Result<()> {
    let hook = sandbox.hook("PostToolUse");
    while u64::from(*made) < files {
        let payload = scenario::written(sandbox, &format!("before{made}"), *made, 1);
        answered(&hook, &sandbox.payload("before.json", &payload)?, Answer::Pass)?;
        *made += 1;
    }
    Ok(())
}

/// Puts a hole in front of the log: what a hook reads is its end, and the rest only has to be there.
fn lengthen_log(sandbox: &Sandbox, bytes: u64, _: &mut u32) -> Result<()> {
    // A user's own file: a project's counts only as it was trusted.
    let dir = sandbox.home.join(".config/hookbin");
    fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
    let configuration = dir.join("hookbin.toml");
    let text = fs::read_to_string(&configuration).unwrap_or_default();
    if !text.contains("[log]") {
        let text = format!("{text}\n[log]\nmax_bytes = {0}\ntotal_max_bytes = {0}\n", 4_u64 << 30);
        fs::write(&configuration, text).with_context(|| format!("write {}", configuration.display()))?;
    }
    let log = sandbox.project.join(".claude/hookbin/log/audit.jsonl");
    let old = fs::read(&log).unwrap_or_default();
    let content = old.rsplit(|byte| *byte == 0).next().unwrap_or_default();
    if bytes > 0 {
        let mut file = File::create(&log).with_context(|| format!("write {}", log.display()))?;
        file.seek(SeekFrom::Start(bytes)).and_then(|_| file.write_all(b"\n")).and_then(|()| file.write_all(content))?;
    }
    Ok(())
}

fn write_rules(sandbox: &Sandbox, rules: u64, _: &mut u32) -> Result<()> {
    scenario::custom_rules(sandbox, rules)
}

/// Sends a payload and judges the answer.
fn answered(hook: &Launch, payload: &Path, wanted: Answer) -> Result<()> {
    let text = fs::read_to_string(payload).with_context(|| format!("read {}", payload.display()))?;
    let output = hook.answer(&text)?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    ensure!(matches!(output.status.code(), Some(0 | 2)), "the hook ended with {}", output.status);
    ensure!(!stdout.contains("systemMessage"), "the hook answers {stdout}");
    let (denied, asked) = (output.status.code() == Some(2), stdout.contains("permissionDecision"));
    let good = match wanted {
        Answer::Pass => !asked,
        Answer::Deny => denied,
        Answer::Any => true,
    };
    ensure!(good, "the hook answers {stdout}");
    Ok(())
}

/// Sessions at once.
const AT_ONCE: &[usize] = &[1, 4, 16, 64];

/// Starts processes of one project side by side: each the next as soon as its last has ended. Returns their times.
pub(crate) fn at_once(hookbin: &Path, runs: usize) -> Result<Vec<(usize, Vec<Duration>)>> {
    let sandbox = Sandbox::installed(hookbin, "standard")?;
    let hook = sandbox.hook("PostToolUse");
    let mut found = Vec::new();
    for (round, processes) in AT_ONCE.iter().enumerate() {
        eprintln!("{processes} at once …");
        let each = runs.div_ceil(*processes).max(3);
        let mut payloads: Vec<Vec<PathBuf>> = Vec::new();
        for process in 0..*processes {
            let paths = (0..each).map(|index| {
                let id = format!("r{round}p{process}i{index}");
                sandbox.payload(&format!("{id}.json"), &scenario::written(&sandbox, &id, 0, 1))
            });
            payloads.push(paths.collect::<Result<_>>()?);
        }
        let times: Vec<Result<Vec<Duration>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = payloads
                .iter()
                .map(|paths| {
                    let mut command = hook.command();
                    scope.spawn(move || paths.iter().map(|path| measure::wall_time(&mut command, path)).collect())
                })
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<Duration>>>| {
                thread.join().map_err(|_| anyhow!("a measuring thread panicked")).flatten()
            };
            threads.into_iter().map(join).collect()
        });
        let mut all = Vec::new();
        for thread in times {
            all.extend(thread?);
        }
        found.push((*processes, all));
    }
    Ok(found)
}

/// `1048576` as `1,048,576`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A session of every event under a profile.
pub(crate) fn every_event(hookbin: &Path, profile: &str, yardstick: &Yardstick<'_>) -> Result<Vec<Line>> {
    let sandbox = Sandbox::installed(hookbin, profile)?;
    let mut lines = Vec::new();
    let mut next = 0;
    for (name, text) in super::recorded::of_each_event()? {
        let event = super::recorded::event(&name);
        let hook = sandbox.hook(event);
        let mut payloads = || {
            next += 1;
            sandbox.payload("event.json", &super::recorded::placed(&text, &sandbox, next))
        };
        payloads()
            .and_then(|first| fs::read_to_string(first).context("read a payload"))
            .and_then(|text| hook.answer(&text))?;
        let measured: Measured = yardstick.measure(&sandbox, &hook, &mut payloads)?;
        lines.push(Line { id: format!("{profile}-{event}"), title: event.to_owned(), measured });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let texts: Vec<String> = [0, 999, 1_000, 1 << 20].map(grouped).into();
        assert_eq!(texts, ["0", "999", "1,000", "1,048,576"]);
    }

    #[test]
    fn a_log_grows_in_front_of_its_end() {
        let sandbox = Sandbox::new().unwrap();
        let log = sandbox.project.join(".claude/hookbin/log/audit.jsonl");
        fs::create_dir_all(log.parent().unwrap()).unwrap();
        fs::write(&log, "{}\n").unwrap();
        for bytes in [100, 1_000] {
            lengthen_log(&sandbox, bytes, &mut 0).unwrap();
            let content = fs::read(&log).unwrap();
            assert!(content.len() as u64 > bytes);
            assert!(content.ends_with(b"\n{}\n"), "{content:?}");
        }
    }
}
