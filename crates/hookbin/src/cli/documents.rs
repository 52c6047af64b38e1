//! `hookbin completions` and `hookbin man`: made from the same definition as the commands themselves.

use std::io::Write;

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use super::{Cli, exit};

#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hookbin", &mut text);
    print(&text)
}

/// The page of hookbin itself, and behind it those of its commands.
pub(super) fn man() -> anyhow::Result<u8> {
    let mut text = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for part in all_below(&command) {
        let page = clap_mangen::Man::new(part.clone());
        page.render_synopsis_section(&mut text)?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
    }
    print(&text)
}

/// The commands below one, each followed by its own; those that are not for people are left out.
fn all_below(command: &Command) -> Vec<&Command> {
    let mut found = Vec::new();
    let mut left: Vec<&Command> = command.get_subcommands().collect();
    left.reverse();
    while let Some(next) = left.pop() {
        if !next.is_hide_set() {
            found.push(next);
            left.extend(next.get_subcommands().collect::<Vec<_>>().into_iter().rev());
        }
    }
    found
}

fn print(text: &[u8]) -> anyhow::Result<u8> {
    std::io::stdout().lock().write_all(text)?;
    Ok(exit::GOOD)
}
