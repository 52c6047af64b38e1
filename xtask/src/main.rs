//! Tasks of the workspace: `cargo xtask TASK`, one file a task.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a task reports to the user who started it")]

mod bench;
mod build;
mod chaos;
mod ci;
mod compare;
mod corpus;
mod dist;
mod docs;
mod e2e;
mod fuzz;
mod install;
mod order;
mod pictures;
mod process;
mod sandbox;
mod settings;
mod smoke;
mod supply;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

/// Builds, checks, measures and installs hookbin.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Build the executable as it ships and place it at `dist/hookbin`.
    Build,
    /// Build, install into a project, and show what the installed hook answers.
    Install(install::Install),
    /// Build, and take the hook entries and files out again.
    Uninstall(install::Uninstall),
    /// Build, and show whether the guard is really on.
    Doctor(install::Doctor),
    /// Build, and write the executables, manual pages, completions, the plugin directory and checksums to `dist`.
    Dist(dist::Dist),
    /// Print the settings entries that an installation writes.
    Settings(settings::Settings),
    /// Write the reference pages of `docs` from the values in the code, or compare them.
    Docs(docs::Docs),
    /// Run every check, in timed sections; stop at the first that fails.
    Ci(ci::Ci),
    /// Measure whole hook processes against a program that does nothing.
    Bench(bench::Bench),
    /// Trace hook processes, and write down which functions lie together in the executable.
    Order(order::Order),
    /// Random events of many processes, with kills, a full disk and a jumping clock; nothing may be lost.
    Chaos(chaos::Chaos),
    /// Run the fuzz targets for a while; the first fault ends it.
    Fuzz(fuzz::Fuzz),
    /// Play scenarios on the real client against a stub model.
    E2e(e2e::E2e),
    /// Make the pictures of the documents again: a refusal at the real client's terminal, and the report.
    Pictures(pictures::Pictures),
    /// What the registry would get, and what is known against what it is built from.
    #[command(subcommand)]
    Supply(supply::Supply),
    /// Programs that the scenarios start.
    #[command(subcommand, hide = true)]
    E2eHelper(e2e::Helper),
    /// Score a hook command on a file of labelled calls; runs none of them.
    Corpus(corpus::Corpus),
    /// Ask two executables about the same calls, and show where they differ; runs none of them.
    Compare(compare::Compare),
}

/// The exit code of a task that did its work and found what must not be.
const FINDINGS: u8 = 4;

fn main() -> ExitCode {
    if let Some(code) = order::link::in_place_of_linker() {
        return code;
    }
    match run(Task::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Not by `Debug`, which adds a backtrace to "this test failed" where the environment asks for one.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    // It runs where the client starts it.
    if let Task::E2eHelper(helper) = task {
        return helper.run();
    }
    let sh = workspace::shell()?;
    match task {
        Task::Build => build::run(&sh).map(|_| ()),
        Task::Install(args) => args.run(&sh),
        Task::Uninstall(args) => args.run(&sh),
        Task::Doctor(args) => args.run(&sh),
        Task::Dist(args) => args.run(&sh),
        Task::Settings(args) => args.run(&sh),
        Task::Docs(args) => args.run(&sh),
        Task::Ci(args) => args.run(&sh),
        Task::Bench(args) => args.run(&sh),
        Task::Order(args) => args.run(&sh),
        Task::Chaos(args) => args.run(&sh),
        Task::Fuzz(args) => args.run(&sh),
        Task::E2e(args) => args.run(&sh),
        Task::Pictures(args) => args.run(&sh),
        Task::Supply(task) => task.run(&sh),
        Task::Corpus(args) => return Ok(if args.run()? { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) }),
        Task::Compare(args) => return Ok(if args.run()? { ExitCode::SUCCESS } else { ExitCode::from(FINDINGS) }),
        Task::E2eHelper(_) => Ok(()),
    }?;
    Ok(ExitCode::SUCCESS)
}
