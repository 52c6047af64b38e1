//! The steps of a run: events, what disturbs them, and how they are carried out.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Numbers that look random and repeat for a seed (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

/// The projects and the executables.
pub(super) struct World {
    pub(super) projects: Vec<Sandbox>,
    versions: Vec<PathBuf>,
    /// The only version under another build's name.
    pub(super) twin: Option<PathBuf>,
}

/// What each project's configuration says. The log rotates often and keeps everything.
const CONFIGS: &[&str] = &[
    "profile = [\"standard\", \"guardrails\", \"collective\", \"sane\"]\n",
    "profile = \"spf\"\n[text_log]\nmax_bytes = 20000\nkeep_lines = 10\n",
];
const LOG: &str = "[log]\nmax_bytes = 262144\nkeep = 500\ntotal_max_bytes = 1000000000\n";

const SESSIONS: u64 = 3;

/// What happens to the process of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disturbance {
    None,
    /// Killed after so many microseconds.
    Killed(u64),
    /// No file may become longer than so many blocks of 512 bytes.
    FullDisk(u64),
}

/// One event, and what happens around it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) project: usize,
    pub(super) session: String,
    pub(super) event: &'static str,
    /// The id of the call, for events of tools.
    pub(super) call: Option<String>,
    /// The call is one that must be refused.
    pub(super) refused: bool,
    members: Value,
    /// Which executable; the first is the newest.
    pub(super) version: usize,
    /// `HOOKBIN_NOW`, where the clock jumps.
    clock: Option<String>,
    pub(super) disturbance: Disturbance,
}

/// What became of a step.
pub(super) struct CarriedOut {
    pub(super) output: Output,
    pub(super) time: Duration,
}

impl World {
    pub(super) fn new(versions: &[PathBuf]) -> Result<Self> {
        let mut projects = Vec::new();
        for config in CONFIGS {
            let sandbox = Sandbox::new()?;
            let dir = sandbox.project.join(".claude");
            fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
            let file = dir.join("hookbin.toml");
            fs::write(&file, format!("{config}{LOG}")).with_context(|| format!("write {}", file.display()))?;
            // The clock jumps where the user lets it.
            let note = sandbox.home.join(".local/share/hookbin");
            fs::create_dir_all(&note).with_context(|| format!("create {}", note.display()))?;
            fs::write(note.join("environment"), "HOOKBIN_NOW\n").context("write the note of the environment")?;
            projects.push(sandbox);
        }
        Ok(Self { projects, versions: versions.to_vec(), twin: None })
    }

    /// The newest executable on one of the projects.
    pub(super) fn run(&self, project: &Sandbox, arguments: &[&str]) -> Result<Output> {
        let newest = self.versions.first().context("an executable")?;
        project.run(newest, arguments)
    }

    fn executables(&self) -> impl Iterator<Item = &PathBuf> {
        self.versions.iter().chain(&self.twin)
    }

    /// Whether steps of this version say less than the newest of what they could not do.
    pub(super) fn is_older(&self, version: usize) -> bool {
        version > 0 && self.twin.is_none()
    }

    pub(super) fn carry_out(&self, step: &Step) -> Result<CarriedOut> {
        let project = self.projects.get(step.project).context("a project")?;
        let program = self.executables().nth(step.version).context("an executable")?;
        let launch = project.launch(program.clone(), &["hook", step.event]);
        let mut command = match step.disturbance {
            Disturbance::FullDisk(blocks) => limited(&launch.command(), blocks),
            _ => launch.command(),
        };
        if let Some(clock) = &step.clock {
            command.env("HOOKBIN_NOW", clock);
        }
        let begin = Instant::now();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("start {}", program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that is gone already has not read it, which is part of the game.
            let _ = stdin.write_all(step.payload(project).as_bytes());
        }
        if let Disturbance::Killed(micros) = step.disturbance {
            thread::sleep(Duration::from_micros(micros));
            child.kill().context("kill a hook")?;
        }
        let output = child.wait_with_output().context("wait for a hook")?;
        Ok(CarriedOut { output, time: begin.elapsed() })
    }
}

/// The command under a limit for the size of every file that it writes; the excess is an error, as on a full disk.
fn limited(plain: &Command, blocks: u64) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
    command.arg(plain.get_program()).args(plain.get_args()).env_clear();
    let values: Vec<(OsString, OsString)> =
        plain.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
    command.envs(values);
    if let Some(dir) = plain.get_current_dir() {
        command.current_dir(dir);
    }
    command
}

impl Step {
    pub(super) fn random(random: &mut Random, worker: u64, number: u64, world: &World) -> Self {
        let unique = format!("{worker}-{number}");
        let file = format!("PROJECT/src/f{}.txt", random.below(5_000));
        let tool = |name: &str, input: Value| json!({"tool_name": name, "tool_input": input});
        let done = |name: &str, input: Value| json!({"tool_name": name, "tool_input": input, "tool_response": {"stdout": "", "stderr": ""}});
        let mut refused = false;
        let (event, members, is_call) = match random.below(20) {
            0..6 => ("PostToolUse", done("Read", json!({"file_path": file})), true),
            6..10 => ("PostToolUse", done("Write", json!({"file_path": file, "content": "x"})), true),
            10..12 => {
                let failed = json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "error": "Exit code 2", "is_interrupt": false});
                ("PostToolUseFailure", failed, true)
            }
            12..14 => ("PreToolUse", tool("Bash", json!({"command": "ls -l"})), true),
            14..16 => {
                refused = true;
                ("PreToolUse", tool("Bash", json!({"command": "rm -rf /"})), true)
            }
            16 => ("UserPromptSubmit", json!({"prompt": format!("fix the bug number {unique}")}), false),
            17 => ("Stop", json!({"stop_hook_active": false, "last_assistant_message": "Done."}), false),
            18 => ("SessionStart", json!({"source": "resume"}), false),
            _ => ("SessionEnd", json!({"reason": "other"}), false),
        };
        let disturbance = match random.below(10) {
            0 | 1 => Disturbance::Killed(random.below(6_000)),
            2 => Disturbance::FullDisk(random.below(40)),
            _ => Disturbance::None,
        };
        let day = 1 + random.below(28);
        let clock = (random.below(10) == 0).then(|| format!("2027-{:02}-{day:02}T12:00:00Z", 1 + random.below(12)));
        Self {
            project: usize::try_from(random.below(world.projects.len() as u64)).unwrap_or(0),
            session: format!("session-{}", random.below(SESSIONS)),
            event,
            call: is_call.then(|| format!("toolu_{unique}")),
            refused,
            members,
            version: usize::try_from(random.below(world.executables().count() as u64)).unwrap_or(0),
            clock,
            disturbance,
        }
    }

    /// The same event, delivered once more.
    pub(super) fn again(&self) -> Self {
        Self { disturbance: Disturbance::None, ..self.clone() }
    }

    fn payload(&self, project: &Sandbox) -> String {
        let dir = project.project.display().to_string();
        let mut event = json!({"session_id": self.session, "cwd": dir, "hook_event_name": self.event});
        if let (Some(event), Some(members)) = (event.as_object_mut(), self.members.as_object()) {
            event.extend(members.clone());
            event.extend(self.call.iter().map(|call| ("tool_use_id".to_owned(), json!(call))));
        }
        event.to_string().replace("PROJECT", &dir)
    }
}
