//! The marks in an answer that the rules look for: the checkpoint's, a finished phase, finished work, unfinished work.

/// Whether `token` stands in the answer as a word of its own.
pub(super) fn has_token(output: &str, token: &str) -> bool {
    let edge = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    !token.is_empty()
        && output.match_indices(token).any(|(at, _)| {
            edge(output.get(..at).and_then(|text| text.chars().next_back()))
                && edge(output.get(at + token.len()..).and_then(|text| text.chars().next()))
        })
}

/// Words of deployment under which a finished phase is no reason to validate: something is still being handed out.
const DEPLOYING: &[&str] = &["deploying", "active deployments", "deployment plan", "about to deploy"];

/// Whether an orchestrator says that a phase, or everything, is done.
pub(super) fn phase_done(output: &str) -> bool {
    let mut done = false;
    for line in output.lines() {
        let line: String =
            line.chars().filter(|c| !matches!(c, '*' | '_' | '`')).flat_map(char::to_lowercase).collect();
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if DEPLOYING.iter().any(|words| line.contains(words)) {
            return false;
        }
        done |= says(&line, "orchestration status", "completed")
            || says(&line, "phase", "has been completed")
            || line.contains("all tasks successfully completed") && !line.contains("not all tasks");
    }
    done
}

/// Whether `first` stands before `then` on the line, and `then` is not taken back.
fn says(line: &str, first: &str, then: &str) -> bool {
    let Some((_, rest)) = line.split_once(first) else { return false };
    rest.match_indices(then).any(|(at, _)| {
        let before = rest.get(..at).unwrap_or_default();
        let letter = before.chars().next_back().is_some_and(char::is_alphanumeric);
        !letter && !before.trim_end().ends_with("not") && !before.trim_end().ends_with("never")
    })
}

/// The first "Task N", "Phase N" or "N tasks" of the answer, as it is written there.
pub(super) fn subject(output: &str) -> Option<String> {
    let mut before: Option<&str> = None;
    for word in output.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.').trim_end_matches('.');
        let numeric = |text: &str| {
            !text.is_empty()
                && text.len() <= 12
                && text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit() || c == '.')
        };
        if let Some(last) = before {
            let is = |text: &str, names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
            if is(last, &["task", "phase"]) && numeric(bare) || numeric(last) && is(bare, &["tasks"]) {
                return Some(format!("{last} {bare}"));
            }
        }
        before = Some(bare);
    }
    None
}

/// Words of a lower-cased text, without the marks around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '%' || c == '-' || c == '\'')).filter(|word| !word.is_empty())
}

/// Whether the answer says that its work is done: a word for it that is neither taken back nor only a share of the whole.
pub(super) fn completed(output: &str) -> bool {
    const DONE: &[&str] = &["complete", "completed", "done", "finished", "delivered"];
    const TAKEN_BACK: &[&str] = &[
        "not", "never", "isn't", "aren't", "wasn't", "partially", "partly", "almost", "nearly", "half", "until", "yet",
        "be",
    ];
    let lower = output.to_lowercase();
    let mut last = ["", ""];
    for word in words(&lower) {
        let share = |word: &str| word.ends_with('%') && word != "100%";
        if DONE.contains(&word) && !last.iter().any(|word| TAKEN_BACK.contains(word) || share(word)) {
            return true;
        }
        last = [last[1], word];
    }
    false
}

/// Whether the answer says that there is work left.
pub(super) fn unfinished(output: &str) -> bool {
    const LEFT: &[&str] =
        &["in progress", "refactor phase", "next steps", "partially completed", "ready to proceed", "remaining work"];
    let lower = output.to_lowercase();
    if LEFT.iter().any(|phrase| lower.contains(phrase)) {
        return true;
    }
    lower.lines().any(|line| {
        let share = words(line).position(|word| {
            word.strip_suffix('%')
                .is_some_and(|number| number.len() <= 3 && number != "100" && number.parse::<u8>().is_ok())
        });
        share.is_some_and(|at| words(line).skip(at).any(|word| word == "complete" || word == "completed"))
    })
}
