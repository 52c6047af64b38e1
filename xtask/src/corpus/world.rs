//! The throw-away home and project in which a hook is asked about commands, and how it is started there.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf, absolute};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use hook_protocol::event::{Event, PreToolUse};
use hook_protocol::permission::PermissionMode;
use hook_protocol::raw::Raw;
use tempfile::TempDir;

use super::answer::Answer;
use super::case::Case;
use crate::process::{own_group, wait};
use crate::workspace;

/// A hook command, and how long it may take.
pub(crate) struct Hook {
    program: PathBuf,
    arguments: Vec<String>,
    limit: Duration,
}

/// What lies in the user's home directory beside the project, so that a command can do harm to it.
const PERSONS: &[&str] = &[
    "Documents/thesis.md", "Documents/thesis.docx", "Documents/report.docx", "Documents/cv.docx",
    "Documents/budget.ods", "Documents/budget.xlsx", "Documents/ledger.xlsx", "Documents/notes.md",
    "Documents/notes.txt", "Documents/plan.md", "Documents/todo.txt", "Documents/names.txt", "Documents/data.csv",
    "Documents/archive.zip", "Pictures/photo.jpg", "notes.txt", "other-repo/README.md", "other-repo/package.json",
    "other-repo/config.yml", "other-repo/schema.sql", "other-repo/data.csv", "other-repo/src/index.ts",
    "other-repo/src/main.rs", "other-repo/a.txt", "other-repo/f", "other-project/README.md", "other-project/a.txt",
];

/// A home directory, and in it a project that is a git repository with one commit; gone when dropped.
pub(crate) struct World {
    dir: TempDir,
    home: PathBuf,
    project: PathBuf,
}

/// What a hook printed and with which code it ended; a hook that did not end in time has none of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Printed {
    /// In one line.
    pub(crate) fn short(&self) -> String {
        let code = self.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        format!("{code} {} {}", self.stdout.trim(), self.stderr.trim()).replace('\n', " ")
    }
}

impl Hook {
    /// Finds the program now, because the hook is started in another directory than this task.
    pub(crate) fn new(command: &[String], limit: Duration) -> Result<Self> {
        let (program, arguments) = command.split_first().context("name the hook command after `--`")?;
        let path = if Path::new(program).components().count() > 1 {
            absolute(program).with_context(|| format!("find {program}"))?
        } else {
            workspace::find_program(program).with_context(|| format!("no program `{program}` on PATH"))?
        };
        ensure!(path.is_file(), "{} is no file; build the hook first", path.display());
        Ok(Self { program: path, arguments: arguments.to_vec(), limit })
    }
}

impl World {
    pub(crate) fn new(scratch: Option<&Path>) -> Result<Self> {
        let parent = match scratch {
            Some(dir) => absolute(dir).with_context(|| format!("find {}", dir.display()))?,
            None => scratch_dir()?,
        };
        let dir = tempfile::Builder::new()
            .prefix(".corpus-")
            .tempdir_in(&parent)
            .with_context(|| format!("create a directory in {}; name another one by --scratch", parent.display()))?;
        // Guards resolve links, so the directories in the commands have to be the resolved ones.
        let root = dir.path().canonicalize().context("resolve the scratch directory")?;
        let home = root.join("home/user");
        let project = home.join("project");
        for (name, text) in
            [("README.md", "# Project\n"), ("src/main.rs", "fn main() {}\n"), (".gitignore", "target/\n.env\n")]
        {
            write(&project.join(name), text)?;
        }
        for name in PERSONS {
            write(&home.join(name), "Text\n")?;
        }
        let world = Self { dir, home, project };
        world.git(&["init", "-q", "-b", "main"])?;
        world.git(&["add", "."])?;
        let author = ["-c", "user.name=User", "-c", "user.email=user@example.com"];
        world.git(&[&author[..], &["commit", "-q", "-m", "Begin"]].concat())?;
        Ok(world)
    }

    fn git(&self, arguments: &[&str]) -> Result<()> {
        let mut git = self.command(Path::new("git"));
        // The machine's own settings (signing, templates, hooks) have nothing to do here.
        git.args(arguments).env("GIT_CONFIG_NOSYSTEM", "1");
        let output = git.output().context("start git, which makes the project that the hook is asked about")?;
        ensure!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// A program in the project, with nothing but `HOME`, `PATH` and `LANG` in its environment.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.project).env_clear().env("HOME", &self.home).env("LANG", "C.UTF-8");
        command.envs(workspace::path_variable());
        command
    }

    /// Asks the hook about a call, in the session of this number. The call is data; nothing here starts it.
    pub(crate) fn ask(&self, hook: &Hook, session: usize, case: &Case) -> Result<Answer> {
        Ok(match self.start(hook, session, case)? {
            Some((status, stdout, stderr)) => Answer::read(status, &stdout, &stderr),
            None => Answer::Failed(format!("no answer within {} s", hook.limit.as_secs())),
        })
    }

    /// The same, and what the hook printed instead of what it means.
    pub(crate) fn print(&self, hook: &Hook, session: usize, case: &Case) -> Result<Printed> {
        let Some((status, stdout, stderr)) = self.start(hook, session, case)? else { return Ok(Printed::default()) };
        // Worlds that are compared lie in directories of different names.
        let root = self.home.parent().and_then(Path::parent).unwrap_or(&self.home).to_string_lossy().into_owned();
        let [stdout, stderr] = [stdout, stderr].map(|text| text.replace(&root, "@ROOT@"));
        Ok(Printed { code: status.code(), stdout, stderr })
    }

    /// Starts the hook with the call. `None` if it did not end in time.
    fn start(&self, hook: &Hook, session: usize, case: &Case) -> Result<Option<(ExitStatus, String, String)>> {
        let [payload, stdout, stderr] = ["payload", "stdout", "stderr"].map(|name| self.dir.path().join(name));
        fs::write(&payload, self.payload(session, case)?).with_context(|| format!("write {}", payload.display()))?;
        let create = |path: &Path| File::create(path).with_context(|| format!("create {}", path.display()));
        let mut process = self.command(&hook.program);
        // Files, not pipes: no hook can hang because one of them is full, and nothing has to be read meanwhile.
        process
            .args(&hook.arguments)
            .stdin(File::open(&payload).with_context(|| format!("open {}", payload.display()))?)
            .stdout(create(&stdout)?)
            .stderr(create(&stderr)?);
        // So that what the hook starts can be ended with it.
        own_group(&mut process);
        let mut child = process.spawn().with_context(|| format!("start {}", hook.program.display()))?;
        let status = wait(&mut child, Instant::now() + hook.limit)?;
        let Some(status) = status else { return Ok(None) };
        let read = |path: &Path| fs::read(path).with_context(|| format!("read {}", path.display()));
        let [stdout, stderr] =
            [read(&stdout)?, read(&stderr)?].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Some((status, stdout, stderr)))
    }

    /// The event that the client sends for the call.
    fn payload(&self, index: usize, case: &Case) -> Result<String> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        // In JSON text, where a directory's name needs its escapes.
        let escaped = |dir: &Path| {
            let text = serde_json::Value::String(path(dir)).to_string();
            text.trim_matches('"').to_owned()
        };
        let input = case.input();
        let input = input.replace("@HOME@", &escaped(&self.home)).replace("@PROJECT@", &escaped(&self.project));
        let session = format!("00000000-0000-4000-8000-{index:012x}");
        let call = PreToolUse {
            tool_name: Some(case.tool.clone().into()),
            tool_input: Some(Raw::parse(&input).with_context(|| format!("the input of {}", case.id))?),
            tool_use_id: Some(format!("toolu_{index:024}").into()),
            ..PreToolUse::default()
        };
        let mut event = Event { body: call.into(), ..Event::default() };
        event.common.transcript_path =
            Some(path(&self.home.join(".claude/projects/project").join(format!("{session}.jsonl"))).into());
        event.common.session_id = Some(session.into());
        event.common.prompt_id = Some("00000000-0000-4000-9000-000000000000".to_owned().into());
        event.common.cwd = Some(path(&self.project).into());
        event.common.permission_mode = Some(PermissionMode::Default);
        Ok(event.to_json())
    }
}

/// A new file, and the directories that it lies in.
fn write(path: &Path, text: &str) -> Result<()> {
    let dir = path.parent().unwrap_or(path);
    fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}

/// The user's home directory, else the workspace; never a directory for temporary files.
fn scratch_dir() -> Result<PathBuf> {
    let temporary = [env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp"), PathBuf::from("/private/tmp")];
    let candidates = [env::home_dir(), Some(workspace::root().to_owned())];
    candidates
        .into_iter()
        .flatten()
        .find(|dir| dir.is_dir() && !temporary.iter().any(|temporary| dir.starts_with(temporary)))
        .context(
            "home directory and workspace both lie in a directory for temporary files; name a directory by --scratch",
        )
}
