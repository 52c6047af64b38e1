//! The fields that many events share: messages to the user, the end of the turn, signals to the terminal.

use super::error::ReplyError;
use super::read::Source;
use super::write::Document;

/// Fields that an event accepts beside its own answer, with the right to end the turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Universal {
    /// Warning to the user; the model does not see it. At most [`CONTEXT_LIMIT`](super::CONTEXT_LIMIT).
    pub system_message: Option<String>,
    /// Ends processing (`continue: false`); the text is for the user (`stopReason`), an empty one is left out.
    ///
    /// It outranks the event's own decision, but it does not refuse a tool call: on `PreToolUse` the tool still runs.
    pub stop: Option<String>,
    /// A signal to the terminal, in interactive sessions only.
    pub terminal_sequence: Option<TerminalSequence>,
    /// The host accepts this field and does nothing with it.
    pub suppress_output: bool,
}

/// Fields that an event accepts beside its own answer, where ending the turn has no effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notice {
    /// Warning to the user; the model does not see it (on `DirectoryAdded` it is the model that reads it).
    pub system_message: Option<String>,
    /// A signal to the terminal, in interactive sessions only.
    pub terminal_sequence: Option<TerminalSequence>,
    /// The host accepts this field and does nothing with it.
    pub suppress_output: bool,
}

impl Universal {
    /// A warning to the user and nothing else.
    pub fn message(text: impl Into<String>) -> Self {
        Self { system_message: Some(text.into()), ..Self::default() }
    }

    /// The end of the turn, with a text for the user.
    pub fn stopping(reason: impl Into<String>) -> Self {
        Self { stop: Some(reason.into()), ..Self::default() }
    }

    pub(super) fn write(&self, document: &mut Document) {
        if let Some(reason) = &self.stop {
            document.top().boolean("continue", false);
            document.top().optional("stopReason", Some(reason.as_str()).filter(|reason| !reason.is_empty()));
        }
        write_notice(document, self.system_message.as_deref(), self.terminal_sequence.as_ref(), self.suppress_output);
    }

    pub(super) fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let Notice { system_message, terminal_sequence, suppress_output } = Notice::read(source)?;
        let stops = source.top_boolean("continue")? == Some(false);
        let reason = source.top_text("stopReason")?;
        Ok(Self { system_message, stop: stops.then(|| reason.unwrap_or_default()), terminal_sequence, suppress_output })
    }
}

impl Notice {
    /// A warning to the user and nothing else.
    pub fn message(text: impl Into<String>) -> Self {
        Self { system_message: Some(text.into()), ..Self::default() }
    }

    pub(super) fn write(&self, document: &mut Document) {
        write_notice(document, self.system_message.as_deref(), self.terminal_sequence.as_ref(), self.suppress_output);
    }

    pub(super) fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self {
            system_message: source.top_text("systemMessage")?,
            terminal_sequence: source.top_text("terminalSequence")?.and_then(|text| TerminalSequence::parse(&text)),
            suppress_output: source.top_boolean("suppressOutput")?.unwrap_or_default(),
        })
    }
}

fn write_notice(
    document: &mut Document,
    message: Option<&str>,
    sequence: Option<&TerminalSequence>,
    suppress_output: bool,
) {
    let mut top = document.top();
    top.optional("systemMessage", message);
    top.optional("terminalSequence", sequence.map(TerminalSequence::as_str));
    top.switch("suppressOutput", suppress_output);
}

/// A signal that the host passes on to the terminal: the bell, or one of the operating system commands it allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalSequence(String);

/// The operating system commands (OSC) that the host passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalCommand {
    /// OSC 0: title and icon name.
    Title,
    /// OSC 1: icon name.
    IconName,
    /// OSC 2: window title.
    WindowTitle,
    /// OSC 9: notification (iTerm2), or progress (`ConEmu`).
    Notify,
    /// OSC 99: notification (kitty).
    KittyNotify,
    /// OSC 777: notification (rxvt-unicode).
    RxvtNotify,
}

impl TerminalCommand {
    const ALL: [Self; 6] =
        [Self::Title, Self::IconName, Self::WindowTitle, Self::Notify, Self::KittyNotify, Self::RxvtNotify];

    const fn number(self) -> &'static str {
        match self {
            Self::Title => "0",
            Self::IconName => "1",
            Self::WindowTitle => "2",
            Self::Notify => "9",
            Self::KittyNotify => "99",
            Self::RxvtNotify => "777",
        }
    }
}

impl TerminalSequence {
    /// The bell.
    pub fn bell() -> Self {
        Self("\u{7}".to_owned())
    }

    /// An operating system command with its text. Control characters in the text are dropped, because one of them would
    /// end the command early.
    pub fn command(command: TerminalCommand, text: &str) -> Self {
        let text: String = text.chars().filter(|character| !character.is_control()).collect();
        Self(format!("\u{1b}]{};{text}\u{7}", command.number()))
    }

    /// The bytes that the terminal gets.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads bells and allowed commands in a row; `None` when anything else is among them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        while !rest.is_empty() {
            rest = match rest.strip_prefix('\u{7}') {
                Some(after) => after,
                None => after_command(rest)?,
            };
        }
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }
}

/// What follows the one command at the start of `text`, which must end with BEL or with ESC and a backslash.
fn after_command(text: &str) -> Option<&str> {
    let (number, body) = text.strip_prefix("\u{1b}]")?.split_once(';')?;
    TerminalCommand::ALL.iter().find(|command| command.number() == number)?;
    let end = body.find(char::is_control)?;
    let tail = body.get(end..)?;
    tail.strip_prefix('\u{7}').or_else(|| tail.strip_prefix("\u{1b}\\"))
}
