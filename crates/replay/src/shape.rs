//! Which commands are alike: the same programs with the same sub-commands and options, whatever else stands on the line.

use hook_policy::explain::Explanation;
use hook_protocol::tool::ToolUse;

/// Longest word that may be a sub-command.
const SUBCOMMAND: usize = 24;

/// One program of a command line, as groups see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) program: String,
    /// The word behind it, if it is a name and no file that the program works on.
    pub(super) subcommand: Option<String>,
    options: Vec<String>,
    operands: bool,
}

impl Part {
    fn of(line: &str, explanation: &Explanation) -> Option<Self> {
        let mut words = line.split_whitespace();
        let program = words.next()?.rsplit('/').next()?.to_owned();
        let rest: Vec<&str> = words.collect();
        let worked_on = |word: &str| {
            explanation
                .actions
                .iter()
                .any(|action| action.target == word || action.target.ends_with(&format!("/{word}")))
        };
        let is_name = |word: &&str| {
            word.len() <= SUBCOMMAND
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == ':')
                && !worked_on(word)
        };
        let subcommand = rest.first().copied().filter(is_name).map(str::to_owned);
        let mut options: Vec<String> = rest
            .iter()
            .filter(|word| word.starts_with('-') && word.len() > 1)
            .map(|word| word.split_once('=').map_or(*word, |(name, _)| name).to_owned())
            .collect();
        options.sort();
        options.dedup();
        let operands = rest.iter().skip(usize::from(subcommand.is_some())).any(|word| !word.starts_with('-'));
        Some(Self { program, subcommand, options, operands })
    }

    fn text(&self) -> String {
        let mut out = self.program.clone();
        for word in self.subcommand.iter().chain(&self.options) {
            out.push(' ');
            out.push_str(word);
        }
        if self.operands {
            out.push_str(" …");
        }
        out
    }
}

/// The programs of a command line that stand on it themselves.
pub(super) fn parts(explanation: &Explanation) -> Vec<Part> {
    let own = explanation.programs.iter().filter(|program| program.depth == 0);
    own.filter_map(|program| Part::of(&program.line, explanation)).take(8).collect()
}

/// What calls like this one have in common, in words.
pub(super) fn shape(tool: &ToolUse<'_>, parts: &[Part]) -> String {
    if tool.command().is_some() {
        let texts: Vec<String> = parts.iter().map(Part::text).collect();
        return if texts.is_empty() { format!("{} (not read)", tool.name) } else { texts.join(" ; ") };
    }
    match tool.touched_path() {
        Some(path) => {
            let name = path.rsplit('/').next().unwrap_or_default();
            match name.rsplit_once('.') {
                Some((stem, extension)) if !stem.is_empty() => format!("{} *.{extension}", tool.name),
                _ => format!("{} {name}", tool.name),
            }
        }
        None => tool.name.clone().into_owned(),
    }
}
