//! `hookbin config`: checks configuration files and proves their rules; writes a commented file to start from.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Subcommand;
use hook_policy::profile::{ConfigError, Item, RawProfile, RegistryKeys, resolve};
use hook_policy::rule::{Audited, UserRule, audit};
use serde::Serialize;

use super::table::clean_lines;
use super::{Json, ProjectArg, exit, of_named};
use hook_runtime::config::cache;
use hook_runtime::config::faults::Faults;
use hook_runtime::config::profiles;
use hook_runtime::system::System;

#[derive(Subcommand)]
pub(super) enum ConfigCommand {
    /// Check a file, or those in force, and run every rule's examples
    Check {
        /// The file; without one, the user's and the project's
        file: Option<PathBuf>,
        #[command(flatten)]
        json: Json,
        #[command(flatten)]
        project: ProjectArg,
    },
    /// Write a commented `.claude/hookbin.toml`, unless there is one
    Init {
        #[command(flatten)]
        project: ProjectArg,
    },
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

/// The file that `config init` writes.
const START: &str = include_str!("start.toml");

#[derive(Serialize)]
struct CheckJson {
    version: u32,
    files: Vec<FileJson>,
}

#[derive(Serialize)]
struct FileJson {
    file: String,
    /// Why the file cannot be read, if it cannot.
    fault: Option<String>,
    /// Why less of it counts than it says, where that is nobody's mistake.
    note: Option<String>,
    notes: Vec<String>,
    /// What is off, in a few words.
    off: Option<String>,
    /// What is off, a line each. Everything else of the file is in force.
    left_out: Vec<String>,
    /// The same, part by part.
    faults: Vec<FaultJson>,
    rules: Vec<RuleJson>,
}

#[derive(Serialize)]
struct FaultJson {
    line: Option<usize>,
    column: Option<usize>,
    /// What is off: a rule, a handler, a change, a setting, …
    kind: &'static str,
    name: String,
    text: String,
    nearest: Option<String>,
}

#[derive(Serialize)]
struct RuleJson {
    id: String,
    line: usize,
    should_match: usize,
    should_not_match: usize,
    findings: Vec<String>,
}

pub(super) fn run(command: &ConfigCommand, system: &System) -> anyhow::Result<u8> {
    match command {
        ConfigCommand::Check { file, json, project } => check(file.as_deref(), json, project, system),
        ConfigCommand::Init { project } => init(project, system),
    }
}

fn check(file: Option<&Path>, json: &Json, project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let mut found = None;
    let paths: Vec<PathBuf> = if let Some(file) = file {
        let path = system.absolute_path(file);
        of_named(&path, cache::read_config(&path))?;
        vec![path]
    } else {
        found = Some(project.find(system)?);
        cache::files(found.as_ref(), system).into_iter().filter(|path| path.exists()).collect()
    };
    let mut report = CheckJson { version: VERSION, files: Vec::new() };
    let mut under: Vec<RawProfile> = Vec::new();
    for path in &paths {
        report.files.push(check_file(path, &mut under, system));
    }
    if let Some(project) = &found {
        // What a file says is one thing, and how much of it counts here another.
        let force = cache::resolve_now(None, Some(project), system);
        let config = project.config().display().to_string();
        for file in report.files.iter_mut().filter(|file| file.fault.is_none()) {
            let of_file = force.profile.faults.iter().filter(|fault| fault.file == file.file);
            let new: Vec<&ConfigError> = of_file.filter(|fault| !file.left_out.contains(&fault.to_string())).collect();
            file.faults.extend(new.iter().map(|fault| FaultJson::from(*fault)));
            file.left_out.extend(new.iter().map(ToString::to_string));
            file.note = force.standing.said().filter(|_| file.file == config).map(str::to_owned);
        }
    }
    let clean = report.files.iter().all(|file| {
        file.fault.is_none() && file.left_out.is_empty() && file.rules.iter().all(|rule| rule.findings.is_empty())
    });
    if !json.print(&report)? {
        print!("{}", clean_lines(&plain(&report)));
    }
    Ok(if clean { exit::GOOD } else { exit::FINDINGS })
}

/// Checks one file on top of those before it.
fn check_file(path: &Path, under: &mut Vec<RawProfile>, system: &System) -> FileJson {
    let shown = path.display().to_string();
    let mut file = FileJson {
        file: shown.clone(),
        fault: None,
        note: None,
        notes: Vec::new(),
        off: None,
        left_out: Vec::new(),
        faults: Vec::new(),
        rules: Vec::new(),
    };
    let raw = match cache::read_config(path) {
        Ok(text) => RawProfile::parse(&shown, &text),
        Err(error) => {
            file.fault = Some(format!("{shown}: it cannot be read: {error}"));
            return file;
        }
    };
    if system.user_config().as_deref() != Some(path) && *raw.registry() != RegistryKeys::default() {
        let own = system.user_config().map_or_else(|| "your own file".to_owned(), |own| own.display().to_string());
        file.left_out.push(format!("{shown}: [registry] has no effect here; it counts in {own} only"));
    }
    file.notes = raw.notes().to_vec();
    under.push(raw);
    let known = profiles::names();
    let named = under.iter().rev().find_map(RawProfile::profiles).unwrap_or_default();
    let mut names = named.to_vec();
    if !names.iter().any(|name| known.contains(&name.as_str())) {
        names.push(profiles::DEFAULT.to_owned());
    }
    let mut profile = resolve(&names, under, &profiles::raw, &known);
    profile.faults.retain(|fault| fault.file == shown);
    profile.faults.sort_by_key(|fault| (fault.line, fault.column));
    file.left_out.extend(profile.faults.iter().map(ToString::to_string));
    file.faults = profile.faults.iter().map(FaultJson::from).collect();
    let off = |rule: &UserRule| {
        profile
            .faults
            .iter()
            .any(|fault| fault.item == Item::Rule && fault.name == rule.id && fault.line >= Some(rule.line))
    };
    let rules = under.last().map(RawProfile::rules).unwrap_or_default();
    let rules: Vec<UserRule> = rules.iter().filter(|rule| !off(rule)).cloned().collect();
    profile.custom_rules = rules.len();
    file.off = Faults::of(&profile).words();
    file.rules = audit(&profile, &rules).into_iter().map(RuleJson::from).collect();
    file
}

impl From<&ConfigError> for FaultJson {
    fn from(fault: &ConfigError) -> Self {
        Self {
            line: fault.line,
            column: fault.column,
            kind: fault.item.as_str(),
            name: fault.name.clone(),
            text: fault.message.clone(),
            nearest: fault.nearest.clone(),
        }
    }
}

impl From<Audited> for RuleJson {
    fn from(rule: Audited) -> Self {
        let (should_match, should_not_match) = rule.examples;
        Self { id: rule.id, line: rule.line, should_match, should_not_match, findings: rule.findings }
    }
}

fn plain(report: &CheckJson) -> String {
    let mut out = String::new();
    if report.files.is_empty() {
        out.push_str("there is no configuration file; `hookbin config init` writes one to start from\n");
    }
    for file in &report.files {
        match &file.fault {
            Some(fault) => out.push_str(&format!("{fault}\n  nothing of it is in force\n")),
            None if file.left_out.is_empty() => {
                let with_findings = file.rules.iter().filter(|rule| !rule.findings.is_empty()).count();
                let (shown, rules) = (&file.file, file.rules.len());
                out.push_str(&match with_findings {
                    0 => format!("{shown}: good, custom rules: {rules}\n"),
                    _ => format!("{shown}: custom rules: {rules}, {with_findings} of them with something to correct\n"),
                });
            }
            None => {
                let off = file.off.as_deref().unwrap_or("a part that has no effect");
                out.push_str(&format!("{}: everything holds but {off}\n", file.file));
            }
        }
        for fault in file.left_out.iter().chain(&file.note).chain(&file.notes) {
            out.push_str(&format!("  {fault}\n"));
        }
        for rule in &file.rules {
            out.push_str(&format!(
                "  {}: matches {}, passes over {}\n",
                rule.id, rule.should_match, rule.should_not_match
            ));
            for finding in &rule.findings {
                out.push_str(&format!("    {}:{}: {finding}\n", file.file, rule.line));
            }
        }
    }
    out
}

fn init(project: &ProjectArg, system: &System) -> anyhow::Result<u8> {
    let project = project.find(system)?;
    let (beneath, path) = (project.beneath(), project.config());
    if let Some(dir) = path.parent() {
        beneath.make_dir(dir, 0o777, false).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let mut file = match beneath.create_new(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            println!("{} is there already and stays as it is", path.display());
            return Ok(exit::GOOD);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot write {}", path.display())),
    };
    file.write_all(START.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(exit::GOOD)
}
