//! `agent-context`: what a starting agent should know of the project, and a warning about a name that nobody knows.

use hook_protocol::own_path;
use hook_protocol::raw::{Fields, Raw};
use serde::{Deserialize, Serialize};

use super::briefing::object;
use super::handoff::roster;
use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::facts::Facts;
use crate::finding::{Context, Finding};
use crate::handoff::Change;
use crate::template::on_one_line;

/// Settings of `agent-context`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct AgentContext {
    /// Agents that are known beside those of the project's own files.
    pub registry: Vec<String>,
    /// The directory of the agents' memories, relative to the project; each has a directory of its name in it.
    pub memory: String,
    /// The text log of warnings.
    pub file: String,
}

impl Default for AgentContext {
    fn default() -> Self {
        Self {
            registry: Vec::new(),
            memory: own_path!("agent-memory").to_owned(),
            file: "subagent-context.log".to_owned(),
        }
    }
}

impl Step for AgentContext {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        let agent = ctx.event.agent_type().filter(|agent| !agent.trim().is_empty())?;
        let mut finding = Finding::default();
        let quiet = agent == "unknown" || agent.starts_with("mock-");
        if !quiet {
            let known = roster(&self.registry, facts);
            if !known.knows(&agent) && !facts.routing().warned.iter().any(|warned| *warned == agent) {
                let meant = known.nearest(&agent).map(|near| format!(" Did it mean {near}?")).unwrap_or_default();
                let agents = format!("{}/agents", facts.host().dir);
                let name = on_one_line(&agent);
                let text =
                    format!("No file in {agents} defines the agent {name}, and `registry` has no such name.{meant}");
                let line = format!("[{}] WARN: {text}", facts.now().stamp);
                finding.effects.push(Effect::Line { file: self.file.clone(), line });
                finding.effects.push(Effect::Routing(Change::Warned(agent.clone().into_owned())));
                finding.notice = Some(text);
            }
        }
        let mut parts: Vec<String> = Vec::new();
        parts.extend(facts.routing().recovered);
        parts.extend(self.memory(&agent, facts));
        parts.extend(project_facts(facts));
        if !parts.is_empty() {
            finding.context = Some(Context { text: parts.join("\n"), plain: false });
        }
        (finding != Finding::default()).then_some(finding)
    }
}

impl AgentContext {
    /// Where the agent's memory lies, if it has one. A name that would lead elsewhere has none.
    fn memory(&self, agent: &str, facts: &dyn Facts) -> Option<String> {
        let plain = agent.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        let dir = format!("{}/{agent}", self.memory.trim_end_matches('/'));
        (plain && facts.project_dir_names(&dir).is_some())
            .then(|| format!("Your memory of this project: {dir}/MEMORY.md. Read it first, and keep it up to date."))
    }
}

/// A manifest, and what is read from its text.
type Reader = (&'static str, fn(&str) -> Option<String>);

/// What the project's manifests say about the versions to write for, a line each.
fn project_facts(facts: &dyn Facts) -> Vec<String> {
    let readers: [Reader; 5] = [
        ("composer.json", composer),
        ("package.json", package),
        ("Cargo.toml", cargo),
        ("pyproject.toml", pyproject),
        ("go.mod", go),
    ];
    let line = |(file, read): &Reader| {
        let found = read(&facts.project_file(file)?)?;
        Some(format!("{} ({file})", on_one_line(&found)))
    };
    readers.iter().filter_map(line).collect()
}

/// `require."drupal/core"`, else `drupal/core-recommended`; without Drupal the PHP version.
fn composer(text: &str) -> Option<String> {
    let fields = object(text)?;
    let require = fields.get("require").and_then(Raw::object)?;
    let drupal = ["drupal/core", "drupal/core-recommended"].iter().find_map(|name| require.get_str(name));
    match drupal {
        Some(version) => Some(format!("Drupal version: {version}")),
        None => require.get_str("php").map(|version| format!("PHP version: {version}")),
    }
}

/// Frameworks whose version matters to what is written.
const FRAMEWORKS: &[&str] = &[
    "next", "nuxt", "react", "vue", "svelte", "@angular/core", "express", "fastify", "@nestjs/core", "typescript",
    "vite", "vitest", "jest",
];

fn package(text: &str) -> Option<String> {
    let fields = object(text)?;
    let node = fields.get("engines").and_then(Raw::object);
    let node = node.as_ref().and_then(|engines| engines.get_str("node")).map(|node| format!("Node version: {node}"));
    let of = |key: &str| fields.get(key).and_then(Raw::object).unwrap_or_else(Fields::new);
    let groups = [of("dependencies"), of("devDependencies")];
    let used = FRAMEWORKS.iter().filter_map(|name| {
        let version = groups.iter().find_map(|group| group.get_str(name))?;
        Some(format!("{name} {version}"))
    });
    let all: Vec<String> = node.into_iter().chain(used.take(6)).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn cargo(text: &str) -> Option<String> {
    let manifest: toml::Table = toml::from_str(text).ok()?;
    let direct = manifest.get("package").and_then(toml::Value::as_table);
    let shared = manifest.get("workspace").and_then(|it| it.get("package")).and_then(toml::Value::as_table);
    let of = |key: &str| {
        [direct, shared].into_iter().flatten().find_map(|table| table.get(key)?.as_str()).map(str::to_owned)
    };
    let parts = [("Rust version", of("rust-version")), ("edition", of("edition"))];
    let all: Vec<String> = parts.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?))).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn pyproject(text: &str) -> Option<String> {
    let manifest: toml::Table = toml::from_str(text).ok()?;
    let project = manifest.get("project")?.as_table()?;
    let python = project.get("requires-python").and_then(toml::Value::as_str);
    let python = python.map(|version| format!("Python version: {version}"));
    let needed = project.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
    let frameworks = needed.filter_map(toml::Value::as_str).filter(|name| {
        ["django", "flask", "fastapi"].iter().any(|framework| name.to_lowercase().starts_with(framework))
    });
    let all: Vec<String> = python.into_iter().chain(frameworks.take(3).map(str::to_owned)).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn go(text: &str) -> Option<String> {
    let version = text.lines().find_map(|line| line.trim().strip_prefix("go "))?;
    Some(format!("Go version: {}", version.trim()))
}
