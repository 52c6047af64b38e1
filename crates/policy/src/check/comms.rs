//! `comms`: who may be written to, and in which modes.

use hook_protocol::raw::{Fields, Raw};
use hook_protocol::tool::ToolUse;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use hook_shell::options::{Grammar, Scan};
use hook_shell::programs::Tool;
use hook_shell::resolve::Run;
use hook_shell::resolve::taint::glob;

/// Settings of `comms`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Comms {
    /// Modes in which people may be reached at all.
    pub modes: Vec<String>,
    /// Tools that reach people or their data; `*` stands for any text. In other modes all of them are refused.
    pub tools: Vec<String>,
    /// Programs that reach people. A second word narrows that down: to a command of the program, `git send-email`, or, with `*` for any
    /// text, to what an argument or the standard input is, `curl smtp*://*`.
    pub programs: Vec<String>,
    /// The file of contacts, beside the user's `hookbin.toml`, or absolute, or from `~/` on. Where there is none, the registry's
    /// contacts count.
    pub contacts: String,
    /// Whom a message may be sent to: `tagged` is contacts with `direct_tag`, `never` nobody.
    pub send: Send,
    /// The tag of contacts that may be written to and read.
    pub direct_tag: String,
    /// The tag of contacts that drafts may be made for.
    pub draft_tag: String,
    /// Those of the tools that write to people.
    pub channel: Vec<Channel>,
    /// The text log of what was asked for; empty for none.
    pub file: String,
}

/// Whom a message may be sent to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Send {
    /// Contacts with the tag for it.
    #[default]
    Tagged,
    /// Nobody.
    Never,
}

/// Tools that write to people, and what their parameters are called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Channel {
    /// The tools; `*` stands for any text.
    pub tools: Vec<String>,
    /// Parameters that say what is to be done. Without one, the words of the tool's own name say it.
    pub operation: Vec<String>,
    /// Parameters that name people; all that are there count.
    pub recipients: Vec<String>,
    /// Parameters that hold what is written; only a hash of it is logged.
    pub content: Vec<String>,
    /// Operations that send.
    pub send: Vec<String>,
    /// Operations that make drafts.
    pub draft: Vec<String>,
    /// Operations that read what somebody wrote; without a recipient they pass.
    pub read: Vec<String>,
}

/// What an operation needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Send,
    Draft,
    Read,
    Unknown,
}

/// Most recipients of one call that are looked up.
const MOST_RECIPIENTS: usize = 32;

/// Lists and objects within one another that are opened in a parameter.
const DEEPEST: usize = 16;

impl Step for Comms {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool().filter(|_| !ctx.is_over())?;
        if tool.mcp().is_none() {
            return self.programs(ctx);
        }
        let reaches = |patterns: &[String]| patterns.iter().any(|pattern| glob(pattern, &tool.name));
        let channel = self.channel.iter().find(|channel| reaches(&channel.tools));
        if channel.is_none() && !reaches(&self.tools) {
            return None;
        }
        if let Some(refusal) = self.out_of_mode(ctx, &tool.name) {
            return Some(refusal.with(channel.and_then(|channel| self.line(ctx, &tool, channel, "refused"))));
        }
        let channel = channel?;
        let refusal = self.on_channel(ctx, &tool, channel).err();
        let said = if refusal.is_some() { "refused" } else { "passed" };
        let line = self.line(ctx, &tool, channel, said);
        let finding = refusal.map(Finding::refusal).unwrap_or_default().with(line);
        (finding != Finding::default()).then_some(finding)
    }
}

impl Comms {
    /// The refusal of a session in whose mode nobody is reached.
    fn out_of_mode(&self, ctx: &CheckContext<'_>, what: &str) -> Option<Finding> {
        let session = ctx.facts.registered();
        let mode = session.mode();
        (!self.modes.iter().any(|allowed| allowed == mode)).then(|| {
            Finding::refusal(format!(
                "{what} reaches people, and this session runs in mode {mode}; that is left to sessions in mode {}. Write what should be \
                 said into your report",
                self.modes.join(", ")
            ))
        })
    }

    /// Whether a call of a channel may run; else why not.
    fn on_channel(&self, ctx: &CheckContext<'_>, tool: &ToolUse<'_>, channel: &Channel) -> Result<(), String> {
        let Some(input) = tool.input.object() else {
            return Err(format!("the input of {} is no object, so nobody knows whom it reaches", tool.name));
        };
        let operation = channel.operation_of(&tool.name, &input);
        let need = channel.need(&operation);
        let recipients = channel.recipients_of(&input);
        if need == Need::Send && self.send == Send::Never {
            return Err(format!(
                "nothing is sent to anybody here (`send = \"never\"`): {operation} of {}. Make a draft and let the user send it",
                tool.name
            ));
        }
        match need {
            Need::Read if recipients.is_empty() => return Ok(()),
            Need::Send | Need::Draft if recipients.is_empty() => {
                return Err(format!(
                    "{operation} of {} names nobody that can be looked up. Give a telephone number or an e-mail address in one of: {}",
                    tool.name,
                    channel.recipients.join(", ")
                ));
            }
            Need::Unknown => {
                return Err(format!(
                    "nobody knows what {} of {} does. A user names it in `hookbin.toml` under the tool's channel, as one that sends, \
                     drafts or reads",
                    if operation.is_empty() { "an operation without a name" } else { &operation },
                    tool.name
                ));
            }
            _ => {}
        }
        self.may_reach(ctx, need, &operation, &recipients)
    }

    fn may_reach(
        &self,
        ctx: &CheckContext<'_>,
        need: Need,
        operation: &str,
        recipients: &[String],
    ) -> Result<(), String> {
        if recipients.len() > MOST_RECIPIENTS {
            return Err(format!("more than {MOST_RECIPIENTS} people at once are not looked up; write to fewer"));
        }
        for recipient in recipients {
            let tags = ctx
                .facts
                .contact_tags(&self.contacts, recipient)
                .map_err(|error| format!("{recipient} cannot be looked up, so nothing passes: {error}"))?;
            let has = |tag: &str| tags.iter().any(|has| has == tag);
            if has(&self.direct_tag) || need == Need::Draft && has(&self.draft_tag) {
                continue;
            }
            return Err(if has(&self.draft_tag) {
                format!(
                    "{recipient} has agreed to drafts only (tag {}), so {operation} is refused. Make a draft and let the user send it",
                    self.draft_tag
                )
            } else {
                format!(
                    "{recipient} is no contact with the tag {} (or {} for drafts), so {operation} is refused. A user can add the tag \
                     where contacts are kept",
                    self.direct_tag, self.draft_tag
                )
            });
        }
        Ok(())
    }

    /// A shell command by which people are written to: to those of whom it names every one, and only in the modes for it.
    fn programs(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if self.programs.is_empty() {
            return None;
        }
        let run = ctx.report().runs.iter().find(|run| self.is_message(run))?;
        if let Some(refusal) = self.out_of_mode(ctx, &run.program) {
            return Some(refusal);
        }
        if self.send == Send::Never {
            return Some(Finding::refusal(format!(
                "nothing is sent to anybody here (`send = \"never\"`): {}",
                run.program
            )));
        }
        // `--to=ann@example.org`
        let value = |arg: &str| match arg.split_once('=') {
            Some((option, value)) if option.starts_with("--") => value.to_owned(),
            _ => arg.to_owned(),
        };
        let named = run.args.iter().filter(|arg| arg.contains('@')).map(|arg| value(arg));
        // In code an address is one word of many.
        let is_code = run.args.iter().any(|arg| arg.contains('@') && arg.contains('('));
        let recipients: Vec<String> = named.flat_map(|arg| people(&arg)).collect();
        if recipients.is_empty()
            || is_code
            || run.args.iter().any(|arg| arg.contains(hook_shell::resolve::taint::is_placeholder))
        {
            return Some(Finding::refusal(format!(
                "{} reaches people, and the command does not say plainly whom. Name every address, or use the tool for messages",
                run.program
            )));
        }
        self.may_reach(ctx, Need::Send, "sending", &recipients).err().map(Finding::refusal)
    }

    /// Whether a program reaches people as it is called here. One that runs scripts does so where the script speaks to a program of
    /// messages.
    fn is_message(&self, run: &Run) -> bool {
        let texts = || run.args.iter().map(String::as_str).chain(run.stdin.as_deref());
        let is_named = |entry: &String| match entry.split_once(' ') {
            Some((program, text)) if program == run.program && text.contains('*') => {
                texts().any(|given| glob(text, given))
            }
            Some((program, command)) => program == run.program && is_command(&run.args, command),
            None => *entry == run.program,
        };
        let asks_for_help = match run.args.as_slice() {
            [only] => matches!(only.as_str(), "-h" | "-v" | "-V" | "-H"),
            [first, ..] => first == "help",
            [] => false,
        };
        if !self.programs.iter().any(is_named)
            || asks_for_help
            || run.args.iter().any(|arg| matches!(arg.as_str(), "--help" | "--version"))
        {
            return false;
        }
        if run.tool() != Tool::Osascript {
            return !run.args.is_empty();
        }
        texts().any(|text| {
            let lower = text.to_lowercase();
            lower.contains("send") && (lower.contains("\"messages\"") || lower.contains("\"mail\""))
        })
    }

    /// The line about a call, with a hash in the place of what is written.
    fn line(&self, ctx: &CheckContext<'_>, tool: &ToolUse<'_>, channel: &Channel, said: &str) -> Option<Effect> {
        if self.file.is_empty() {
            return None;
        }
        let input = tool.input.object().unwrap_or_default();
        let mut hash = Sha256::new();
        for text in channel.content.iter().flat_map(|name| texts_of(&input, name)) {
            hash.update(text.as_bytes());
        }
        let digest = hash.finalize();
        let hash = digest.iter().take(6).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let facts = ctx.facts;
        let session = facts.registered();
        Some(Effect::Line {
            file: self.file.clone(),
            line: format!(
                "{} | {} | {} | {} | {} | {} | {hash:012x} | {said}",
                facts.now().stamp,
                facts.session_name(),
                session.role(),
                tool.name,
                channel.operation_of(&tool.name, &input),
                channel.recipients_of(&input).join(", "),
            ),
        })
    }
}

impl Channel {
    /// What a call asks for, in lower case; empty where neither its input nor its name says so.
    fn operation_of(&self, tool: &str, input: &Fields<'_>) -> String {
        let said = self.operation.iter().find_map(|name| input.get_str(name));
        if let Some(said) = said {
            return said.trim().to_lowercase();
        }
        let own = tool.rsplit("__").next().unwrap_or(tool).to_lowercase();
        if self.need(&own) != Need::Unknown {
            return own;
        }
        let mut words = own.split(['_', '-']).map(str::to_owned);
        words.find(|word| self.need(word) != Need::Unknown).unwrap_or_default()
    }

    fn need(&self, operation: &str) -> Need {
        let is = |list: &[String]| list.iter().any(|known| known.eq_ignore_ascii_case(operation));
        if is(&self.send) {
            Need::Send
        } else if is(&self.draft) {
            Need::Draft
        } else if is(&self.read) {
            Need::Read
        } else {
            Need::Unknown
        }
    }

    /// Everybody whom a call names, each once; of more than are looked up, one more than that.
    fn recipients_of(&self, input: &Fields<'_>) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let texts = self.recipients.iter().flat_map(|name| texts_of(input, name));
        for person in texts.flat_map(|text| people(&text)) {
            if !all.contains(&person) {
                all.push(person);
            }
            if all.len() > MOST_RECIPIENTS {
                break;
            }
        }
        all
    }
}

/// Whether a program is called for this command of its: only options, with or without a value, stand before it.
fn is_command(args: &[String], command: &str) -> bool {
    let mut operands = Scan::new(args, Grammar::WORDS).operands();
    operands.find(|operand| operand.word == command || !operand.may_be_value).is_some_and(|found| found.word == command)
}

/// The addresses in a text: parted by commas, semicolons or line ends, each with or without a name in front.
fn people(text: &str) -> Vec<String> {
    let address = |part: &str| match part.rsplit_once('<') {
        Some((_, inner)) => inner.trim_end().trim_end_matches('>').trim().to_owned(),
        None => part.trim().to_owned(),
    };
    text.split([',', ';', '\n', '\r']).map(address).filter(|person| !person.is_empty()).collect()
}

/// Every text and number in a parameter: of a list of addresses, or of objects that hold them. What lies deeper than [`DEEPEST`] counts
/// as the text that it is, which is nobody's address.
fn texts_of(input: &Fields<'_>, name: &str) -> Vec<String> {
    let mut out = Vec::new();
    // Tools are not asked how they take a key that is written otherwise, so a name counts in any case.
    let same = |key: &str| key.eq_ignore_ascii_case(name);
    let values = input.iter().filter(|(key, _)| same(&key.as_str())).map(|(_, value)| (value.clone().into_owned(), 0));
    let mut open: Vec<(Raw<'static>, usize)> = values.collect();
    while let Some((value, depth)) = open.pop() {
        if let Some(text) = value.as_str() {
            out.push(text.into_owned());
        } else if value.as_f64().is_some() || depth == DEEPEST {
            out.push(value.text().to_owned());
        } else if let Some(items) = value.items() {
            open.extend(items.into_iter().map(|item| (item.into_owned(), depth + 1)));
        } else if let Some(object) = value.object() {
            // What somebody is called is no address.
            let is_title = |key: &str| matches!(key, "name" | "displayName" | "display_name" | "label" | "type");
            let members = object.iter().filter(|(key, _)| !is_title(&key.as_str()));
            open.extend(members.map(|(_, value)| (value.clone().into_owned(), depth + 1)));
        }
    }
    out
}
