//! The commands for people. A file a command; none of this runs on a hook event.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "these commands talk to a user")]

// Whatever a command prints goes through these: names of directories, settings and commands may come from anybody.
macro_rules! print {
    ($($text:tt)*) => { std::print!("{}", $crate::cli::table::shown(&format!($($text)*))) };
}
macro_rules! println {
    ($($text:tt)*) => { std::println!("{}", $crate::cli::table::shown(&format!($($text)*))) };
}
macro_rules! eprint {
    ($($text:tt)*) => { std::eprint!("{}", $crate::cli::table::shown(&format!($($text)*))) };
}
macro_rules! eprintln {
    ($($text:tt)*) => { std::eprintln!("{}", $crate::cli::table::shown(&format!($($text)*))) };
}

mod allow;
mod config;
mod doctor;
mod documents;
mod explain;
mod init;
mod install;
mod log;
mod log_filter;
mod metrics;
mod migrate;
mod profile;
mod proof;
mod recall;
mod replay;
mod report;
mod run_tests;
mod score;
mod selftest;
mod sessions;
mod sessions_tell;
mod state;
mod status;
mod statusline;
mod sync;
mod table;
mod trust;
mod vault;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use hook_protocol::host::{CLAUDE_CODE, HOSTS, Host};
use serde::Serialize;

use hook_runtime::event::args::split_names;
use hook_runtime::installation::user;
use hook_runtime::project::Project;
use hook_runtime::system::System;

/// A command was used wrongly.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// Exit codes of the commands for people.
pub mod exit {
    /// All is well.
    pub const GOOD: u8 = 0;
    /// `explain`: the call is refused.
    pub const DENY: u8 = 2;
    /// `explain`: the user is asked.
    pub const ASK: u8 = 3;
    /// `explain`: nothing speaks against the call, and something of the configuration is off.
    pub const PART_OFF: u8 = 5;
    /// A check found something.
    pub const FINDINGS: u8 = 4;
    /// The command was used wrongly.
    pub const USAGE: u8 = 64;
    /// `replay`: verdicts differ.
    pub const DIFFERENT: u8 = 3;
    /// The command could not do its work.
    pub const INTERNAL: u8 = 70;
}

/// What is printed when hookbin is started by hand without a command.
pub const SHORT_USAGE: &str =
    "usage: hookbin COMMAND …; `hookbin --help` lists the commands. As a hook it reads one event from stdin.";

#[derive(Parser)]
#[command(
    name = "hookbin",
    version,
    about = "Answers every hook event of a coding agent",
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Register hookbin in a project's settings and put the executable there
    Install(install::InstallArgs),
    /// Write the files that a profile lives on: agents, roles, plan, servers, ignore lines. Nothing is overwritten
    Init(init::InitArgs),
    /// Take out of a project what install put there
    Uninstall(install::UninstallArgs),
    /// Show whether the guard is really on: fire the installed entry, check settings, executable and records
    Doctor(doctor::DoctorArgs),
    /// Propose a profile and a change of settings for hooks of another layout
    Migrate(migrate::MigrateArgs),
    /// Print the settings entries of a profile
    Settings(install::SettingsArgs),
    /// Say what would be answered to a call, and why
    Explain(explain::ExplainArgs),
    /// Check configuration files and prove their rules, or write a file to start from
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// List profiles, or show one
    #[command(subcommand)]
    Profile(profile::ProfileCommand),
    /// Say how hard a prompt is, and why
    Score(score::ScoreArgs),
    /// Run past sessions through a policy; exit 3 when verdicts differ
    Replay(replay::ReplayArgs),
    /// Show what is remembered of a project's sessions
    Status(status::StatusArgs),
    /// Read and check the audit log
    #[command(subcommand)]
    Log(log::LogCommand),
    /// Make one HTML page of a session or a period
    Report(report::ReportArgs),
    /// Show what a project's configuration asks for, and trust it and the project's programs. Only at a terminal
    Trust(trust::TrustArgs),
    /// Let one refused call through. Only at a terminal
    Allow(allow::AllowArgs),
    /// Let all calls of a project through for a time, but own protection. Only at a terminal
    Pause(allow::PauseArgs),
    /// End a pause, and take back what was allowed. Only at a terminal
    Resume(allow::ResumeArgs),
    /// Look at state files, check them, or begin a section of one again
    #[command(subcommand)]
    State(state::StateCommand),
    /// Find checkpoints and hand-off notes of earlier sessions
    Recall(recall::RecallArgs),
    /// Look at the registry of sessions, tidy it up, or tell it of workers and missions (profile `claude-os`)
    #[command(subcommand)]
    Sessions(sessions::SessionsCommand),
    /// Send what the sessions of this machine do to a PostgreSQL server, by the program `hookbin-sync`
    Sync(sync::SyncArgs),
    /// Sum up the figures of the days (profile `collective`)
    #[command(subcommand)]
    Metrics(metrics::MetricsCommand),
    /// Record that you have seen the work, or show what is recorded (profile `guardrails`)
    #[command(subcommand)]
    Proof(proof::ProofCommand),
    /// Keep the host's program and data in a store inside the project (profile `spf`)
    #[command(subcommand)]
    Vault(vault::VaultCommand),
    /// Print the host's status line from what it gives on stdin, and keep how full the context is (profile `claude-os`)
    Statusline,
    /// Try a few cases of the profiles `standard`, `spf` and `sane`, and compare with what is documented
    Selftest(selftest::SelftestArgs),
    /// Print the completions of a shell
    Completions(documents::CompletionsArgs),
    /// Print the manual page, in roff
    Man,
    /// Answer one event from stdin; this is what an installed entry starts
    Hook(HookHelp),
    /// Run a project's tests for a hook
    #[command(hide = true)]
    RunTests(run_tests::RunTestsArgs),
}

impl Command {
    /// The host that the command is about, where one is named.
    const fn host(&self) -> Option<&'static Host> {
        match self {
            Self::Install(args) => args.place.host.host,
            Self::Uninstall(args) => args.place.host.host,
            Self::Doctor(args) => args.place.host.host,
            Self::Explain(args) => args.host.host,
            Self::Replay(args) => args.host.host,
            _ => None,
        }
    }
}

#[derive(Args)]
struct HookHelp {
    /// The event that the entry was installed for, or one handler of the profile
    subject: Option<String>,
    /// The payload, instead of stdin, when a handler is started at a terminal
    payload: Option<String>,
    /// Profiles that outrank the configured ones, separated by commas
    #[arg(long, value_name = "A[,B]")]
    profile: Option<String>,
    /// The project's directory
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    #[command(flatten)]
    host: HostArg,
    /// Serve the projects that have no entry of their own; what `install --user` writes
    #[arg(long)]
    user: bool,
}

/// Which client a command is about.
#[derive(Args)]
pub(crate) struct HostArg {
    /// The host
    #[arg(long, value_name = "NAME", value_parser = hosts())]
    host: Option<&'static Host>,
}

/// The clients by their names.
fn hosts() -> impl TypedValueParser<Value = &'static Host> {
    let values = HOSTS.iter().map(|host| PossibleValue::new(host.name).help(host.title));
    PossibleValuesParser::new(values).map(|name| Host::named(&name).unwrap_or(&CLAUDE_CODE))
}

/// Which project a command is about.
#[derive(Args, Default)]
pub(crate) struct ProjectArg {
    /// The project's directory; else `CLAUDE_PROJECT_DIR`, the nearest configured directory above, the git top level, the working directory
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
}

impl ProjectArg {
    /// The directory that was named, if one was; what is no directory is wrong use.
    pub(crate) fn named(&self, system: &System) -> anyhow::Result<Option<&Path>> {
        existing(self.project.as_deref(), system)
    }

    /// The project; without one here, a command that needs one is wrong use.
    pub(crate) fn find(&self, system: &System) -> anyhow::Result<Project> {
        let none = || Usage("there is no project here; name one with --project DIR".to_owned());
        Ok(self.find_any(system)?.ok_or_else(none)?)
    }

    /// The project, if there is one here. In the home directory there is none.
    pub(crate) fn find_any(&self, system: &System) -> anyhow::Result<Option<Project>> {
        Ok(Project::find(self.named(system)?, None, system).map(|project| user::where_recorded(project, system)))
    }
}

/// A project's directory that was named; what is no directory is wrong use.
fn existing<'p>(project: Option<&'p Path>, system: &System) -> anyhow::Result<Option<&'p Path>> {
    if let Some(given) = project.filter(|given| !system.absolute_path(given).is_dir()) {
        let said = format!("{} is not a directory; name an existing project with --project DIR", given.display());
        return Err(Usage(said).into());
    }
    Ok(project)
}

/// Whether what was found is printed for programs.
#[derive(Args)]
pub(crate) struct Json {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Json {
    /// Prints `found` where that is wanted, and says so.
    fn print(&self, found: &impl Serialize) -> anyhow::Result<bool> {
        if self.json {
            print_json(found)?;
        }
        Ok(self.json)
    }
}

fn print_json(found: &impl Serialize) -> anyhow::Result<()> {
    println!("{}", table::json(&serde_json::to_string_pretty(found)?));
    Ok(())
}

/// What was read of a file that was named; one that cannot be read is wrong use.
fn of_named<T>(path: &Path, read: std::io::Result<T>) -> anyhow::Result<T> {
    read.map_err(|error| Usage(format!("cannot read {}: {error}", path.display())).into())
}

/// Profiles on the command line.
#[derive(Args, Default)]
pub(crate) struct ProfileArg {
    /// Profiles, separated by commas
    #[arg(long, value_name = "A[,B]")]
    profile: Option<String>,
}

impl ProfileArg {
    /// The names, if any were given; a name that does not exist is wrong use.
    pub(crate) fn names(&self) -> anyhow::Result<Option<Vec<String>>> {
        self.profile.as_deref().map(known_profiles).transpose()
    }
}

/// Names of profiles, separated by commas; one that does not exist is wrong use.
fn known_profiles(text: &str) -> anyhow::Result<Vec<String>> {
    let names = split_names(text);
    let known = hook_runtime::config::profiles::names();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Usage(format!("there is no profile `{name}`; there are {}", known.join(", "))).into()),
        None if names.is_empty() => Err(Usage(format!("no profile is named; there are {}", known.join(", "))).into()),
        None => Ok(names),
    }
}

/// How long ago something was, for a user; two of a unit are told in the smaller one.
fn ago(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s ago"),
        120..7_200 => format!("{} min ago", seconds / 60),
        7_200..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// The commands with their options and helps, for documents that are made of them.
pub fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

/// Runs one command. Returns the exit code.
pub fn main(args: Vec<OsString>, system: System) -> u8 {
    // What panics here is printing to an output that is full or closed; Rust's own message would be noise beside the one below.
    std::panic::set_hook(Box::new(|_| {}));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(args, system))).unwrap_or_else(|panic| {
        let said = hook_runtime::event::run::said_by(&*panic);
        // Whoever reads no further, like `head`, wants to hear nothing either.
        if !said.contains("Broken pipe") {
            let _ = writeln!(std::io::stderr(), "hookbin: {}", table::clean_lines(said));
        }
        exit::INTERNAL
    })
}

fn run(args: Vec<OsString>, system: System) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { exit::USAGE } else { exit::GOOD };
        }
    };
    let system = &match cli.command.host() {
        Some(host) => system.of_host(host),
        None => system,
    };
    let result = match cli.command {
        // `main` of the library runs it before this parser is reached.
        Command::Hook(_) => Ok(exit::GOOD),
        Command::Install(args) => install::install(&args, system),
        Command::Uninstall(args) => install::uninstall(&args, system),
        Command::Doctor(args) => doctor::run(&args, system),
        Command::Migrate(args) => migrate::run(&args, system),
        Command::Vault(command) => vault::run(&command, system),
        Command::Settings(args) => install::settings(&args, system),
        Command::Selftest(args) => selftest::run(&args, system),
        Command::Completions(args) => documents::completions(&args),
        Command::Man => documents::man(),
        Command::Explain(args) => explain::run(&args, system),
        Command::Config(command) => config::run(&command, system),
        Command::Score(args) => score::run(&args, system),
        Command::Init(args) => init::run(&args, system),
        Command::Recall(args) => recall::run(&args, system),
        Command::Profile(command) => profile::run(&command, system),
        Command::Status(args) => status::run(&args, system),
        Command::Proof(command) => proof::run(&command, system),
        Command::Trust(args) => trust::run(&args, system),
        Command::Allow(args) => allow::allow(&args, system),
        Command::Pause(args) => allow::pause(&args, system),
        Command::Resume(args) => allow::resume(&args, system),
        Command::RunTests(args) => run_tests::run(args, system),
        Command::Metrics(command) => metrics::run(&command, system),
        Command::Statusline => Ok(statusline::run(system)),
        Command::Replay(args) => replay::run(&args, system),
        Command::Report(args) => report::run(&args, system),
        Command::Log(command) => log::run(&command, system),
        Command::Sessions(command) => sessions::run(&command, system),
        Command::Sync(args) => sync::run(&args, system),
        Command::State(command) => state::run(&command, system),
    };
    result.unwrap_or_else(|error| {
        // What a file says may be in it.
        eprintln!("hookbin: {}", table::clean_lines(&format!("{error:#}")));
        let is_wrong_use = error.is::<Usage>()
            || error.downcast_ref().is_some_and(hook_runtime::Error::is_wrong_use)
            || error.downcast_ref().is_some_and(hook_replay::Error::is_wrong_use);
        if is_wrong_use { exit::USAGE } else { exit::INTERNAL }
    })
}
