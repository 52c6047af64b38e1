//! What is measured: one row a scenario, with the answer it must give and the limits it must keep.

use std::fs;
use std::path::Path;
use std::process::Output;

use anyhow::{Context, Result, ensure};

use crate::sandbox::{Launch, Sandbox, fill, text_of};

/// The session that every payload belongs to; it is written into the templates.
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// One event in one state of one profile.
pub(crate) struct Scenario {
    /// Name of its rows in `benches/`.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) profile: &'static str,
    pub(crate) event: &'static str,
    template: &'static str,
    text: Text,
    /// Files that the session has written before the measurement.
    tracked: u32,
    /// Rules of the user's own; see [`custom_rules`].
    rules: u64,
    answer: Answer,
    pub(crate) limit: Limit,
}

/// The part of a payload that differs from scenario to scenario.
enum Text {
    None,
    Command(&'static str),
    /// A quoted heredoc of this many bytes.
    Heredoc(usize),
    /// A prompt of this many bytes.
    Prompt(usize),
}

/// What the hook has to say, so that a broken one is not measured as a fast one.
enum Answer {
    Pass,
    Deny,
}

/// The most that a scenario may cost; `None` where no limit is set.
pub(crate) struct Limit {
    /// Wall time as a multiple of the no-op's.
    pub(crate) ratio: Option<f64>,
    pub(crate) instructions: Option<u64>,
    pub(crate) peak_kib: Option<u64>,
}

const PRE_BASH: &str = include_str!("../../../benches/payloads/pre-bash.json");
const PRE_WRITE: &str = include_str!("../../../benches/payloads/pre-write.json");
const PRE_READ: &str = include_str!("../../../benches/payloads/pre-read.json");
const PRE_MCP: &str = include_str!("../../../benches/payloads/pre-mcp.json");
const POST_WRITE: &str = include_str!("../../../benches/payloads/post-write.json");
const PROMPT: &str = include_str!("../../../benches/payloads/prompt.json");

/// Held where the linker put the code of a hook together; see `benches/README.md`.
const PEAK_KIB: u64 = 4096;

const HARMLESS: Limit = Limit { ratio: Some(1.5), instructions: Some(300_000), peak_kib: Some(PEAK_KIB) };
/// The same of a profile that keeps more than `standard`: its own state, besides what the guard costs.
const OBSERVED: Limit = Limit { ratio: Some(1.5), instructions: Some(330_000), peak_kib: Some(PEAK_KIB) };
/// The profile asks which servers the project and the user declare, in four files, and what the user allowed.
const REFUSED: Limit = Limit { ratio: Some(1.6), instructions: Some(430_000), peak_kib: Some(PEAK_KIB) };
/// A profile of its own may cost one and a half times what `standard` does (S4); these are its counts when that was measured.
const PRE_WITH_REGISTRY: Limit = Limit { ratio: None, instructions: Some(215_000 * 3 / 2), peak_kib: Some(PEAK_KIB) };
const POST_WITH_REGISTRY: Limit = Limit { ratio: None, instructions: Some(200_000 * 3 / 2), peak_kib: Some(PEAK_KIB) };
/// 500 rules may cost six hundredths more than none, 10,000 a quarter; 217,000 is the count of `pre-bash` when that was measured.
const PRE_WITH_500_RULES: Limit =
    Limit { ratio: None, instructions: Some(217_000 * 53 / 50), peak_kib: Some(PEAK_KIB) };
const PRE_WITH_RULES: Limit = Limit { ratio: None, instructions: Some(217_000 * 5 / 4), peak_kib: Some(PEAK_KIB) };
const TRACKED: Limit = Limit { ratio: Some(1.6), instructions: Some(400_000), peak_kib: Some(PEAK_KIB) };

pub(crate) const ALL: &[Scenario] = &[
    Scenario {
        id: "pre-bash",
        title: "PreToolUse, harmless Bash",
        profile: "standard",
        event: "PreToolUse",
        template: PRE_BASH,
        text: Text::Command("cargo test --workspace 2>&1 | tail -n 20"),
        tracked: 0,
        rules: 0,
        answer: Answer::Pass,
        limit: HARMLESS,
    },
    Scenario {
        id: "pre-bash-500-rules",
        title: "PreToolUse, harmless Bash, 500 custom rules",
        profile: "standard",
        event: "PreToolUse",
        template: PRE_BASH,
        text: Text::Command("cargo test --workspace 2>&1 | tail -n 20"),
        tracked: 0,
        rules: 500,
        answer: Answer::Pass,
        limit: PRE_WITH_500_RULES,
    },
    Scenario {
        id: "pre-bash-rules",
        title: "PreToolUse, harmless Bash, 10,000 custom rules",
        profile: "standard",
        event: "PreToolUse",
        template: PRE_BASH,
        text: Text::Command("cargo test --workspace 2>&1 | tail -n 20"),
        tracked: 0,
        rules: 10_000,
        answer: Answer::Pass,
        limit: PRE_WITH_RULES,
    },
    Scenario {
        id: "pre-read-refused",
        title: "PreToolUse, refused native Read",
        profile: "spf",
        event: "PreToolUse",
        template: PRE_READ,
        text: Text::None,
        tracked: 0,
        rules: 0,
        answer: Answer::Deny,
        limit: REFUSED,
    },
    Scenario {
        id: "pre-mcp-observed",
        title: "PreToolUse, observed MCP read",
        profile: "spf",
        event: "PreToolUse",
        template: PRE_MCP,
        text: Text::None,
        tracked: 0,
        rules: 0,
        answer: Answer::Pass,
        limit: OBSERVED,
    },
    Scenario {
        id: "post-write-10",
        title: "PostToolUse Write, 10 tracked files",
        profile: "standard",
        event: "PostToolUse",
        template: POST_WRITE,
        text: Text::None,
        tracked: 10,
        rules: 0,
        answer: Answer::Pass,
        limit: TRACKED,
    },
    Scenario {
        id: "post-write-10000",
        title: "PostToolUse Write, 10,000 tracked files",
        profile: "standard",
        event: "PostToolUse",
        template: POST_WRITE,
        text: Text::None,
        tracked: 10_000,
        rules: 0,
        answer: Answer::Pass,
        limit: TRACKED,
    },
    Scenario {
        id: "pre-bash-registry",
        title: "PreToolUse, harmless Bash, told to the registry",
        profile: "claude-os",
        event: "PreToolUse",
        template: PRE_BASH,
        text: Text::Command("cargo test --workspace 2>&1 | tail -n 20"),
        tracked: 0,
        rules: 0,
        answer: Answer::Pass,
        limit: PRE_WITH_REGISTRY,
    },
    Scenario {
        id: "post-write-registry",
        title: "PostToolUse Write, told to the registry",
        profile: "claude-os",
        event: "PostToolUse",
        template: POST_WRITE,
        text: Text::None,
        tracked: 10,
        rules: 0,
        answer: Answer::Pass,
        limit: POST_WITH_REGISTRY,
    },
    Scenario {
        id: "prompt-1k",
        title: "UserPromptSubmit, 1 KB, scored",
        profile: "spf",
        event: "UserPromptSubmit",
        template: PROMPT,
        text: Text::Prompt(1024),
        tracked: 0,
        rules: 0,
        answer: Answer::Pass,
        limit: Limit { ratio: None, instructions: None, peak_kib: Some(PEAK_KIB) },
    },
    Scenario {
        id: "pre-heredoc-10k",
        title: "PreToolUse, Bash with a 10 KB heredoc",
        profile: "standard",
        event: "PreToolUse",
        template: PRE_BASH,
        text: Text::Heredoc(10 * 1024),
        tracked: 0,
        rules: 0,
        answer: Answer::Pass,
        limit: Limit { ratio: Some(1.6), instructions: Some(1_000_000), peak_kib: Some(8192) },
    },
];

impl Scenario {
    /// Installs the profile and brings the session into the state to be measured.
    pub(crate) fn prepare(&self, hookbin: &Path) -> Result<Sandbox> {
        let sandbox = Sandbox::installed(hookbin, self.profile)?;
        let hook = sandbox.hook(self.event);
        if self.rules > 0 {
            custom_rules(&sandbox, self.rules)?;
        }
        for index in 0..self.tracked {
            let output = hook.answer(&self.payload(&sandbox, &format!("before{index}"), index))?;
            self.judge(&output)?;
        }
        self.prove(&sandbox, &hook)?;
        Ok(sandbox)
    }

    /// The payload of one call. Each call has an id of its own, as a call that is delivered twice counts once.
    pub(crate) fn payload(&self, sandbox: &Sandbox, id: &str, file: u32) -> String {
        let project = sandbox.project.display().to_string();
        let file = format!("file{file}.rs");
        let text = self.text.build();
        let values = [("PROJECT", project.as_str()), ("ID", id), ("FILE", &file), ("COMMAND", &text), ("TEXT", &text)];
        fill(self.template, &values)
    }

    /// The hook does its work: the right answer, a longer log and, where it tracks files, a session document.
    fn prove(&self, sandbox: &Sandbox, hook: &Launch) -> Result<()> {
        let before = sandbox.log_size();
        self.judge(&hook.answer(&self.payload(sandbox, "proof", 0))?)?;
        ensure!(sandbox.log_size() > before, "{}: the event is not in the audit log", self.id);
        let document = sandbox.project.join(".claude/hookbin/state/sessions").join(format!("{SESSION}.json"));
        ensure!(self.tracked == 0 || document.is_file(), "{}: no session document was written", self.id);
        Ok(())
    }

    fn judge(&self, output: &Output) -> Result<()> {
        let stdout = String::from_utf8_lossy(&output.stdout);
        let good = match self.answer {
            Answer::Pass => output.status.code() == Some(0) && !stdout.contains("permissionDecision"),
            Answer::Deny => output.status.code() == Some(2) && stdout.contains("\"permissionDecision\":\"deny\""),
        };
        ensure!(good, "{}: the hook gives another answer than the scenario expects: {}", self.id, text_of(output));
        Ok(())
    }
}

/// The payload of a Bash call that has not run yet.
pub(crate) fn command(sandbox: &Sandbox, id: &str, text: &str) -> String {
    let project = sandbox.project.display().to_string();
    fill(PRE_BASH, &[("PROJECT", project.as_str()), ("ID", id), ("COMMAND", text)])
}

/// A command with a quoted heredoc of this many bytes.
pub(crate) fn heredoc(bytes: usize) -> String {
    let line = "the quick brown fox jumps over the lazy dog; $HOME and `date` stay as they are\n";
    let body: String = line.chars().cycle().take(bytes).collect();
    format!("cat > notes.txt <<'END'\n{body}\nEND\n")
}

/// The payload after a file of this many bytes was written.
pub(crate) fn written(sandbox: &Sandbox, id: &str, file: u32, bytes: usize) -> String {
    let project = sandbox.project.display().to_string();
    let text = fill(POST_WRITE, &[("PROJECT", project.as_str()), ("ID", id), ("FILE", &format!("file{file}.rs"))]);
    text.replace("\"content\":\"w\"", &format!("\"content\":\"{}\"", "w".repeat(bytes)))
}

/// The payload of a Write that has not happened yet, of this many bytes.
pub(crate) fn to_write(sandbox: &Sandbox, id: &str, bytes: usize) -> String {
    let project = sandbox.project.display().to_string();
    fill(PRE_WRITE, &[("PROJECT", project.as_str()), ("ID", id), ("FILE", "lib.rs"), ("TEXT", &"w".repeat(bytes))])
}

/// Puts so many rules into the user's configuration: a third each about a program, a path, and words of a command. The first
/// refuses `tool0 prod`; no other payload here meets one.
pub(crate) fn custom_rules(sandbox: &Sandbox, rules: u64) -> Result<()> {
    let mut text = "profile = [\"standard\"]\n".to_owned();
    for rule in 0..rules {
        let condition = match rule % 3 {
            0 => {
                format!(
                    "program = \"tool{rule}\"\nargs = [\"*prod*\"]\nshould_match = [\"tool{rule} prod\"]\nshould_not_match = [\"tool{rule} test\"]"
                )
            }
            1 => {
                format!(
                    "path = \"**/secret{rule}/**\"\nshould_match = [\"/p/secret{rule}/a\"]\nshould_not_match = [\"/p/secret/a{rule}\"]"
                )
            }
            _ => {
                format!(
                    "tool = \"Bash\"\ntext = \"*to host{rule}.net*\"\nshould_match = [\"echo to host{rule}.net\"]\nshould_not_match = [\"echo host\"]"
                )
            }
        };
        text.push_str(&format!(
            "[[rule]]\nid = \"rule-{rule}\"\nthen = \"deny\"\nreason = \"production\"\n{condition}\n"
        ));
    }
    // A user's own file: a project's has a bound.
    let dir = sandbox.home.join(".config/hookbin");
    fs::create_dir_all(&dir).with_context(|| format!("create {}", dir.display()))?;
    let configuration = dir.join("hookbin.toml");
    fs::write(&configuration, text).with_context(|| format!("write {}", configuration.display()))
}

impl Text {
    fn build(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Command(command) => (*command).to_owned(),
            Self::Heredoc(size) => heredoc(*size),
            Self::Prompt(size) => {
                let line = "Refactor the parser and then implement the algorithm step 2 describes. Why is it slow? ";
                line.chars().cycle().take(*size).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_are_json_of_the_size_they_claim() {
        let sandbox = Sandbox::new().unwrap();
        for scenario in ALL {
            let text = scenario.payload(&sandbox, "7", 3);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(value["hook_event_name"], scenario.event, "{}", scenario.id);
            assert_eq!(value["session_id"], SESSION, "{}", scenario.id);
            assert!(!text.contains('@'), "{}: a mark was left in {text}", scenario.id);
            if let Text::Heredoc(size) = scenario.text {
                assert!(value["tool_input"]["command"].as_str().unwrap().len() > size);
            }
            if let Text::Prompt(size) = scenario.text {
                assert_eq!(value["prompt"].as_str().unwrap().len(), size);
            }
        }
    }
}
