//! Commands of the user: a prompt that is nothing but the command.

/// What the user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Command {
    SafemodeOn,
    SafemodeOff,
    SafemodeStatus,
    BreakerReset,
    BreakerStatus,
    Research,
    ResearchReset,
    BlocksReset,
    LoopStart { task: String, criteria: Vec<String> },
    LoopStatus,
    LoopCheck(usize),
    LoopCancel,
}

impl Command {
    /// Whether it does more than to tell something.
    pub(in super::super) const fn changes(&self) -> bool {
        !matches!(self, Self::SafemodeStatus | Self::BreakerStatus | Self::Research | Self::LoopStatus)
    }
}

/// The longest prompt that can be a command, in bytes.
const LONGEST: usize = 16 << 10;

/// The most criteria of a loop.
const MOST_CRITERIA: usize = 50;

/// The command that a prompt is; `None` for a prompt that only holds one.
pub(in super::super) fn parse(prompt: &str) -> Option<Command> {
    let prompt = prompt.trim();
    if prompt.is_empty() || prompt.len() > LONGEST {
        return None;
    }
    let lower = prompt.to_lowercase();
    let mut words = lower.split_whitespace();
    let key: Vec<&str> = words.by_ref().take(4).collect();
    Some(match key.as_slice() {
        ["s+"] | ["safemode", "on"] => Command::SafemodeOn,
        ["s-"] | ["safemode", "off"] => Command::SafemodeOff,
        ["s?" | "safemode"] | ["safemode", "status"] => Command::SafemodeStatus,
        ["rb-" | "rb+"] | ["reset", "breaker" | "circuit"] | ["reset", "circuit", "breaker"] => Command::BreakerReset,
        ["rb?" | "breaker"] | ["breaker", "status"] => Command::BreakerStatus,
        ["research"] | ["research", "status"] => Command::Research,
        ["rr-"] | ["reset", "research"] => Command::ResearchReset,
        ["unblock"] | ["reset", "blocks"] => Command::BlocksReset,
        ["sl?" | "saneloop"] | ["saneloop", "status"] => Command::LoopStatus,
        ["sl-"] | ["saneloop", "cancel" | "stop"] => Command::LoopCancel,
        ["saneloop", "check", number] => Command::LoopCheck(number.parse().ok()?),
        _ => return loop_start(prompt, &lower),
    })
}

/// `saneloop start TASK`, with a criterion on each further line that begins with a dash.
fn loop_start(prompt: &str, lower: &str) -> Option<Command> {
    let begin = ["saneloop start ", "sl+ "].iter().find(|begin| lower.starts_with(**begin))?;
    // The words are ASCII, so they are as long in the prompt as in lower case.
    let rest = prompt.get(begin.len()..)?;
    let mut lines = rest.lines();
    let task = lines.next()?.trim();
    let mut criteria = Vec::new();
    for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
        let text = line.strip_prefix(['-', '*'])?.trim_start();
        let text = text.strip_prefix("[ ]").unwrap_or(text).trim();
        criteria.push(text.to_owned());
    }
    let fits = !task.is_empty() && criteria.len() <= MOST_CRITERIA && criteria.iter().all(|text| !text.is_empty());
    fits.then(|| Command::LoopStart { task: task.to_owned(), criteria })
}
