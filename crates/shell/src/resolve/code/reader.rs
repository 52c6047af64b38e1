//! What the calls in a code are given: texts, and texts that it puts together.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::language::JOINS;
use super::token::Token;
use crate::resolve::taint::{GLOB_STAR, UNKNOWN, activate_globs, replaced};

/// Words of one call's arguments that are looked at, whatever else there is to look at.
pub(super) const MOST_ARGUMENTS: usize = 64;
/// Further words that are looked at for all calls of a code together.
const MOST_FURTHER: usize = 1 << 20;
/// Variables that are kept.
const MOST_VARIABLES: usize = 1024;
/// Values of variables beyond this length are not kept.
const LONGEST_VALUE: usize = 1 << 18;
/// Texts are filled with values up to this length.
const LONGEST_FILLED: usize = 1 << 16;

/// What a call is given: each text apart, and texts that the code puts together, joined.
pub(super) struct Given {
    pub(super) texts: Vec<String>,
    pub(super) joined: Vec<String>,
}

pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) pairs: &'t [usize],
    pub(super) values: BTreeMap<String, String>,
    /// Names that stand for each of several texts: variables of loops over lists, and lists.
    pub(super) several: BTreeMap<String, Vec<String>>,
    pub(super) home: String,
    /// Texts hold variables as `$name`.
    pub(super) dollars: bool,
    /// Words beyond the first of a call's arguments that may still be looked at.
    pub(super) further: Cell<usize>,
    /// There was more than that.
    pub(super) beyond: Cell<bool>,
}

impl Reader<'_> {
    /// How many words beyond those that are always looked at there may be.
    pub(super) const fn all_further() -> Cell<usize> {
        Cell::new(MOST_FURTHER)
    }

    /// Where to stop looking from `from` on: at `to`, unless that is too far away for all that was looked at before.
    pub(super) fn within(&self, from: usize, to: usize) -> usize {
        let more = to.saturating_sub(from.saturating_add(MOST_ARGUMENTS));
        let Some(left) = self.further.get().checked_sub(more) else {
            self.beyond.set(true);
            return from + MOST_ARGUMENTS;
        };
        self.further.set(left);
        to
    }

    /// The first word from `from` on, and before `to`, that `is` so, if that is not too far away.
    pub(super) fn first(&self, from: usize, to: usize, mut is: impl FnMut(usize) -> bool) -> Option<usize> {
        let mut left = self.further.get();
        let mut found = None;
        for at in from..to {
            if is(at) {
                found = Some(at);
                break;
            }
            if at - from >= MOST_ARGUMENTS {
                let Some(less) = left.checked_sub(1) else {
                    self.beyond.set(true);
                    found = Some(at);
                    break;
                };
                left = less;
            }
        }
        self.further.set(left);
        found
    }

    /// `name = "text"`, and texts put together from known ones.
    pub(super) fn assignments(&mut self) {
        for at in 0..self.tokens.len() {
            // `$line .= "more"`, `line += "more"`
            if let Some([Token::Word(name), Token::Sign('.' | '+'), Token::Sign('=')]) = self.tokens.get(at..at + 3) {
                let end = self
                    .first(at + 3, self.tokens.len(), |end| {
                        matches!(self.tokens.get(end), Some(Token::Sign(';' | '\n')))
                    })
                    .unwrap_or(self.tokens.len());
                let more = self.joined(at + 3, end).into_iter().next();
                if let (Some(value), Some(more)) = (self.values.get_mut(name), more)
                    && value.len() + more.len() < 1 << 16
                {
                    value.push_str(&more);
                }
                continue;
            }
            let (Some(Token::Word(name)), Some(Token::Sign('='))) = (self.tokens.get(at), self.tokens.get(at + 1))
            else {
                continue;
            };
            if matches!(self.tokens.get(at + 2), Some(Token::Sign('=' | '>'))) {
                continue;
            }
            // An argument by its name ends with its call at the latest.
            let end = self.within(at + 2, self.end_of_value(at + 2));
            let name = name.clone();
            if matches!(self.tokens.get(at + 2), Some(Token::Sign('(' | '[')))
                || matches!(self.tokens.get(at + 3), Some(Token::Sign(',')))
            {
                let mut texts = Vec::new();
                self.texts(at + 2, end, &mut texts);
                if texts.len() > 1 && self.several.len() < MOST_VARIABLES {
                    self.several.insert(name.clone(), texts);
                } else {
                    self.beyond.set(self.beyond.get() | (texts.len() > 1));
                }
            }
            if let Some(value) = self.joined(at + 2, end).into_iter().next() {
                self.keep(name, value);
            }
        }
    }

    /// Keeps the value of a variable, if there is room for it.
    fn keep(&mut self, name: String, value: String) {
        let fits = self.values.len() < MOST_VARIABLES || self.values.contains_key(&name);
        if fits && value.len() < LONGEST_VALUE {
            self.values.insert(name, value);
        } else if !fits {
            self.beyond.set(true);
        }
    }

    /// Variables of loops over what lies in a directory: `for f in os.listdir(d)`, `readdirSync(d).forEach(f => …)`.
    pub(super) fn loops(&mut self) {
        let chosen = self.tokens.iter().enumerate().any(|(at, token)| {
            let Token::Word(word) = token else { return false };
            let word = word.to_ascii_lowercase();
            // `if p.is_file()` lets through every file.
            let kind = |at: usize| {
                matches!(self.tokens.get(at), Some(Token::Word(test)) if {
                    let test = test.to_ascii_lowercase();
                    ["is_file", "isfile", "is_dir", "isdir", "exists"].iter().any(|name| test.ends_with(name))
                })
            };
            word == "if" && !kind(at + 1) || CHOOSERS.iter().any(|name| word.ends_with(name))
        });
        let any = if chosen { UNKNOWN } else { GLOB_STAR };
        for at in 0..self.tokens.len() {
            let Some(Token::Word(word)) = self.tokens.get(at) else { continue };
            let names = self.names_of_loop(at, word);
            let Some((names, from, to)) = names else { continue };
            let found = (from..to).find_map(|at| match self.tokens.get(at) {
                Some(Token::Word(word)) => {
                    let last = word.rsplit(['.', ':']).next().unwrap_or(word).to_ascii_lowercase();
                    LISTERS.iter().find(|(name, _)| *name == last).map(|(_, whole)| (last, *whole))
                }
                _ => None,
            });
            let place = self.joined(from, to).into_iter().next();
            let values: Vec<String> = match found {
                Some((lister, _)) if lister == "walk" => std::iter::once(place.unwrap_or_default())
                    .chain(names.iter().skip(1).map(|_| any.to_string()))
                    .collect(),
                Some((lister, _))
                    if lister.contains("glob") && place.as_ref().is_some_and(|place| place.contains('*')) =>
                {
                    vec![place.as_deref().map(activate_globs).unwrap_or_default()]
                }
                Some((_, true)) => {
                    vec![format!("{}/{any}", place.unwrap_or_else(|| ".".to_owned()).trim_end_matches('/'))]
                }
                Some((_, false)) => vec![any.to_string()],
                // A list that is written out: each of its texts, of which the worst is not known here.
                None if place.is_some() && !place.as_deref().unwrap_or_default().contains([UNKNOWN, GLOB_STAR]) => {
                    let texts = self.own(from, to).texts;
                    if let [name] = names.as_slice() {
                        self.several.insert(name.clone(), texts);
                    }
                    continue;
                }
                // A loop over what another loop gives.
                None => place.into_iter().filter(|place| place.contains([UNKNOWN, GLOB_STAR])).collect(),
            };
            for (name, value) in names.into_iter().zip(values) {
                self.keep(name, value);
            }
        }
    }

    /// The variables of a loop whose word stands at `at`, and the stretch of what it goes through.
    fn names_of_loop(&self, at: usize, word: &str) -> Option<(Vec<String>, usize, usize)> {
        if matches!(word, "for" | "foreach") {
            if self.dollars {
                return self.names_of_list_loop(at);
            }
            let to = (at + 1..self.tokens.len().min(at + 12))
                .find(|at| matches!(self.tokens.get(*at), Some(Token::Word(word)) if word == "in" || word == "of"))?;
            let names = self.words(at + 1, to);
            let end = self
                .first(to + 1, self.tokens.len(), |end| match self.tokens.get(end) {
                    Some(Token::Sign(':' | '\n' | '{')) => true,
                    Some(Token::Sign(']' | ')')) => self.pairs.get(end).is_none_or(|open| *open <= to),
                    Some(Token::Word(word)) => matches!(word.as_str(), "if" | "do" | "for"),
                    _ => false,
                })
                .unwrap_or(self.tokens.len());
            return Some((names, to + 1, end));
        }
        if !matches!(word, ".forEach" | ".map" | ".each" | ".each_entry") {
            return None;
        }
        let close = at.checked_sub(1)?;
        let open = self
            .pairs
            .get(close)
            .copied()
            .filter(|open| *open < close && self.within(*open, close) == close)
            .filter(|open| matches!(self.tokens.get(*open), Some(Token::Sign('(' | '['))))?;
        let names = self.words(at + 1, (at + 5).min(self.tokens.len()));
        Some((
            names.into_iter().filter(|name| name != "do" && name != "function").take(1).collect(),
            open.saturating_sub(1),
            close,
        ))
    }

    /// `for $f (LIST) {`, `foreach (LIST as $f)`, and `… for LIST`, whose variable is `$_` where none is named.
    fn names_of_list_loop(&self, at: usize) -> Option<(Vec<String>, usize, usize)> {
        let end = self.tokens.len();
        let Some(open) = (at + 1..end.min(at + 4)).find(|at| matches!(self.tokens.get(*at), Some(Token::Sign('('))))
        else {
            let to = self
                .first(at + 1, end, |at| matches!(self.tokens.get(at), Some(Token::Sign(';' | '\n' | '}'))))
                .unwrap_or(end);
            return Some((vec!["_".to_owned()], at + 1, to));
        };
        let close = self.pairs.get(open).copied().filter(|close| *close > open)?;
        let within = open + 1..self.within(open, close);
        if within.clone().any(|at| matches!(self.tokens.get(at), Some(Token::Sign(';')))) {
            return None;
        }
        let as_ = within.clone().find(|at| matches!(self.tokens.get(*at), Some(Token::Word(word)) if word == "as"));
        let mut names = match as_ {
            Some(as_) => self.words(as_ + 1, close),
            None => self.words(at + 1, open),
        };
        names.drain(..names.len().saturating_sub(1));
        if names.is_empty() {
            names.push("_".to_owned());
        }
        Some((names, open + 1, as_.unwrap_or(within.end)))
    }

    fn words(&self, from: usize, to: usize) -> Vec<String> {
        self.tokens
            .get(from..to)
            .unwrap_or_default()
            .iter()
            .filter_map(|token| match token {
                Token::Word(word) if !matches!(word.as_str(), "const" | "let" | "var" | "my") => Some(word.clone()),
                _ => None,
            })
            .collect()
    }

    /// The stretch of a call's arguments: between its brackets, or up to the end of the statement.
    pub(super) fn arguments(&self, at: usize, bare: bool) -> (usize, usize) {
        let mut next = at + 1;
        // `getattr(os, "unlink")("x")`, `require("fs").rmSync("x")`, `File.send(:unlink, "x")`: brackets follow brackets.
        while matches!(self.tokens.get(next), Some(Token::Sign('['))) {
            let close = self.pairs.get(next).copied().unwrap_or(next);
            if close <= next {
                break;
            }
            next = close + 1;
        }
        match self.tokens.get(next) {
            Some(Token::Sign('(' | '{' | '<')) if self.pairs.get(next).is_some_and(|close| *close > next) => {
                (next + 1, self.pairs.get(next).copied().unwrap_or(next))
            }
            Some(Token::Word(word)) if !bare || is_joiner(word) => (at, at),
            Some(Token::Text { .. } | Token::Word(_) | Token::Sign('*' | '<')) if next == at + 1 => {
                let end = self
                    .first(next, self.tokens.len(), |end| match self.tokens.get(end) {
                        Some(Token::Sign(';' | '\n' | '}')) => true,
                        // `f x while y`: what follows such a word is no argument.
                        Some(Token::Word(word)) => is_joiner(word),
                        _ => false,
                    })
                    .unwrap_or(self.tokens.len());
                (next, end)
            }
            _ => (at, at),
        }
    }

    /// Where the value ends that begins at `from`: with its statement, or the bracket that it stands in. A list may have many lines.
    fn end_of_value(&self, from: usize) -> usize {
        let mut at = from;
        let _ = self.first(0, usize::MAX, |_| {
            match self.tokens.get(at) {
                Some(Token::Sign('(' | '[')) => {
                    at = self.pairs.get(at).copied().filter(|close| *close > at).unwrap_or(at);
                }
                Some(Token::Sign(')' | ']' | '}' | ';' | '\n')) | None => return true,
                _ => {}
            }
            at += 1;
            false
        });
        at.min(self.tokens.len())
    }

    /// Where the bracket closes that `from` stands in, within the arguments that are looked at.
    pub(super) fn end_of_group(&self, from: usize) -> usize {
        let end = self.tokens.len();
        let mut at = from;
        let mut left = self.further.get();
        while at < end {
            if at - from >= MOST_ARGUMENTS {
                let Some(less) = left.checked_sub(1) else {
                    self.beyond.set(true);
                    break;
                };
                left = less;
            }
            match self.tokens.get(at) {
                Some(Token::Sign('(' | '[' | '{')) => {
                    at = self.pairs.get(at).copied().filter(|close| *close > at).unwrap_or(at);
                }
                Some(Token::Sign(')' | ']' | '}')) => break,
                _ => {}
            }
            at += 1;
        }
        self.further.set(left);
        at.min(end)
    }

    /// Where the statement ends that `from` stands in, within the arguments that are looked at.
    pub(super) fn end_of_statement(&self, from: usize) -> usize {
        let end = self.tokens.len();
        self.first(from, end, |at| matches!(self.tokens.get(at), Some(Token::Sign(';' | '\n' | '}')))).unwrap_or(end)
    }

    /// The bracket that closes the block which follows a name at once.
    pub(super) fn block_after(&self, at: usize) -> Option<usize> {
        matches!(self.tokens.get(at + 1), Some(Token::Sign('{')))
            .then(|| self.pairs.get(at + 1).copied().filter(|close| *close > at + 1))
            .flatten()
    }

    /// Whether a call is given nothing: its statement ends after the name.
    pub(super) fn ends_after(&self, at: usize) -> bool {
        // `unlink $_` and `unlink` are the same.
        let named = matches!(self.tokens.get(at + 1), Some(Token::Word(word)) if word == "_");
        match self.tokens.get(at + 1 + usize::from(named)) {
            None | Some(Token::Sign(';' | '\n' | '}')) => true,
            Some(Token::Word(word)) => is_joiner(word),
            _ => false,
        }
    }

    /// What `$_` stands for.
    pub(super) fn value_of_it(&self) -> Vec<String> {
        self.several
            .get("_")
            .cloned()
            .or_else(|| self.values.get("_").map(|value| vec![value.clone()]))
            .unwrap_or_default()
    }

    /// Whether the arguments name a way of opening that writes: `O_WRONLY`, `O_TRUNC`.
    pub(super) fn names_writing(&self, from: usize, to: usize) -> bool {
        self.tokens.get(from..self.within(from, to)).unwrap_or_default().iter().any(|token| {
            matches!(token, Token::Word(word) if matches!(
                word.rsplit('.').next(),
                Some("O_WRONLY" | "O_RDWR" | "O_TRUNC" | "O_CREAT" | "O_APPEND" | "WRONLY" | "RDWR" | "TRUNC" | "CREAT" | "APPEND")
            ))
        })
    }

    /// The text that is written into the file which was opened just before: `open(…).write("x")`, `print F "x"`.
    pub(super) fn written_after(&self, from: usize) -> Option<String> {
        let to = self.tokens.len().min(from + MOST_ARGUMENTS);
        let at = (from..to).find(|at| {
            matches!(self.tokens.get(*at), Some(Token::Word(word)) if matches!(word.rsplit('.').next(), Some("write" | "print" | "puts" | "printf" | "fwrite")))
        })?;
        (at..to).find_map(|at| match self.tokens.get(at) {
            Some(Token::Text { text, .. }) => Some(self.filled(text)),
            _ => None,
        })
    }

    /// A text that stands for a function: a bracket closes after it, and one opens after that.
    pub(super) fn calls_by_text(&self, at: usize) -> bool {
        matches!(self.tokens.get(at + 1), Some(Token::Sign(')' | ']')))
            && matches!(self.tokens.get(at + 2), Some(Token::Sign('(')))
    }

    /// A method of a value in brackets: `Path("x").unlink()`.
    pub(super) fn called_on_value(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(word)) if word.starts_with('.'))
            && at.checked_sub(1).is_some_and(|before| matches!(self.tokens.get(before), Some(Token::Sign(')' | ']'))))
    }

    pub(super) fn given(&self, at: usize, from: usize, to: usize) -> Given {
        let mut texts = Vec::new();
        let mut joined = Vec::new();
        if self.called_on_value(at)
            && let Some(close) = at.checked_sub(1)
            && let Some(open) = self.pairs.get(close).copied()
            && open < close
        {
            let from = self.start_of_path(open);
            self.texts(from, close, &mut texts);
            joined.extend(self.joined(from, close));
            // `(Path.home() / ".ssh").rmdir()`
        }
        let own = self.own(from, to);
        texts.extend(own.texts);
        joined.extend(own.joined);
        joined.dedup();
        Given { texts, joined }
    }

    /// Where a path begins that is put together by methods called on each other, the last of which opens its bracket at `open`:
    /// `Path("~").expanduser().joinpath("x")`.
    fn start_of_path(&self, open: usize) -> usize {
        const METHODS: &[&str] =
            &[".expanduser", ".resolve", ".absolute", ".joinpath", ".as_posix", ".glob", ".rglob", ".iterdir"];
        let mut open = open;
        for _ in 0..8 {
            let called = open.checked_sub(1).filter(
                |at| matches!(self.tokens.get(*at), Some(Token::Word(word)) if METHODS.contains(&word.as_str())),
            );
            let Some(close) = called.and_then(|at| at.checked_sub(1)) else { break };
            let before = self
                .pairs
                .get(close)
                .copied()
                .filter(|before| *before < close && self.tokens.get(close) == Some(&Token::Sign(')')));
            let Some(before) = before else { break };
            open = before;
        }
        open + 1
    }

    /// What stands between the brackets of a call.
    pub(super) fn own(&self, from: usize, to: usize) -> Given {
        let to = self.within(from, to);
        let mut texts = Vec::new();
        self.texts(from, to, &mut texts);
        let mut joined = self.joined(from, to);
        joined.dedup();
        Given { texts, joined }
    }

    pub(super) fn texts(&self, from: usize, to: usize, out: &mut Vec<String>) {
        for at in from..to {
            match self.tokens.get(at) {
                Some(Token::Text { text, .. }) => out.push(self.filled(text)),
                Some(Token::Word(word)) => match self.several.get(word) {
                    Some(texts) => out.extend(texts.iter().take(self.within(0, texts.len())).cloned()),
                    None => out.extend(self.values.get(word).cloned()),
                },
                _ => {}
            }
        }
    }

    /// The texts of each argument, put together: what stands beside each other, joined by `+`, `.` or `/`, or given to a join.
    pub(super) fn joined(&self, from: usize, to: usize) -> Vec<String> {
        let mut out = Vec::new();
        let mut current: Option<String> = None;
        let mut joins: Vec<usize> = Vec::new();
        let mut previous_text = false;
        let mut skip_to = 0;
        for at in from..to.min(self.tokens.len()) {
            if at <= skip_to && skip_to > 0 {
                continue;
            }
            while joins.last().is_some_and(|close| *close <= at) {
                joins.pop();
            }
            match self.tokens.get(at) {
                Some(Token::Text { text, .. }) => {
                    let text = self.filled(text);
                    let whole = current.get_or_insert_default();
                    if whole.is_empty() && text == "~" {
                        whole.push_str(&self.home);
                    } else {
                        whole.push_str(&text);
                    }
                    previous_text = true;
                    continue;
                }
                // The module that a method belongs to is no part of a path.
                Some(Token::Word(word))
                    if matches!(word.as_str(), "require" | "__import__" | "import")
                        && self.pairs.get(at + 1).is_some_and(|close| *close > at + 1) =>
                {
                    skip_to = self.pairs.get(at + 1).copied().unwrap_or(at);
                }
                Some(Token::Word(word)) => {
                    let last = word.rsplit(['.', ':']).next().unwrap_or(word).to_ascii_lowercase();
                    let below = word.starts_with('.') && matches!(last.as_str(), "glob" | "rglob" | "joinpath");
                    if let Some(text) = current.as_mut().filter(|text| below && !text.ends_with('/')) {
                        // `Path("/etc").glob("*")`
                        text.push('/');
                    }
                    if let Some(value) = self.values.get(word) {
                        current.get_or_insert_default().push_str(value);
                    } else if is_home(word) {
                        current.get_or_insert_default().push_str(&self.home);
                    } else if JOINS.contains(&last.as_str()) {
                        if let Some(close) = self.pairs.get(at + 1).copied().filter(|close| *close > at + 1) {
                            joins.push(close);
                        }
                    } else if !matches!(self.tokens.get(at + 1), Some(Token::Sign('(' | '=')))
                        && word.chars().all(|c| c.is_alphanumeric() || c == '_')
                        && !joins.is_empty()
                    {
                        current.get_or_insert_default().push(UNKNOWN);
                    }
                }
                Some(Token::Sign(',')) => {
                    if joins.is_empty() {
                        out.extend(current.take());
                    } else if let Some(text) = &mut current
                        && !text.ends_with('/')
                    {
                        text.push('/');
                    }
                }
                Some(Token::Sign('/')) if previous_text || current.is_some() => {
                    if let Some(text) = &mut current
                        && !text.ends_with('/')
                    {
                        text.push('/');
                    }
                }
                _ => {}
            }
            previous_text = false;
        }
        out.extend(current);
        out.retain(|text| !text.is_empty());
        for text in &mut out {
            if let Some(rest) = text.strip_prefix('~')
                && (rest.is_empty() || rest.starts_with('/'))
            {
                *text = format!("{}{rest}", self.home);
            }
        }
        out
    }

    /// A text with the variables that stand in it.
    pub(super) fn filled(&self, text: &str) -> String {
        let text = text.strip_prefix("~/").map_or_else(|| text.to_owned(), |rest| format!("{}/{rest}", self.home));
        if !text.contains(['$', '#', '{']) {
            return text;
        }
        let mut out = text;
        for home in [
            "$ENV{HOME}", "${process.env.HOME}", "#{ENV['HOME']}", "#{ENV[\"HOME\"]}", "#{Dir.home}", "{Path.home()}",
            "{os.environ['HOME']}", "{os.environ[\"HOME\"]}", "{$_SERVER[\"HOME\"]}", "{$_SERVER['HOME']}",
            "{$_ENV[\"HOME\"]}", "{$_ENV['HOME']}", "$HOME", "${HOME}",
        ] {
            out = out.replace(home, &self.home);
        }
        for call in ["homedir()}", "Path.home()}", "Dir.home}"] {
            // `${require("os").homedir()}`
            while let Some(end) = out.find(call) {
                let Some(open) = out.get(..end).and_then(|before| before.rfind('{')) else { break };
                let marked = out.get(..open).is_some_and(|before| before.ends_with(['$', '#']));
                out.replace_range(open - usize::from(marked)..end + call.len(), &self.home);
            }
        }
        let named: BTreeSet<String> =
            out.split('{').skip(1).filter_map(|rest| rest.split('}').next()).map(str::to_owned).collect();
        for name in &named {
            let Some(value) = self.values.get(name) else { continue };
            let braced = format!("{{{name}}}");
            for form in [format!("${braced}"), format!("#{braced}"), braced] {
                out = replaced(&out, &form, value);
            }
            if out.len() > LONGEST_FILLED {
                out.push(UNKNOWN);
                return out;
            }
        }
        if self.dollars && out.contains('$') { self.with_dollars(&out) } else { out }
    }

    /// The text with the values of the variables that it names as `$name`; of several values, the first.
    fn with_dollars(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let after = rest.get(at + 1..).unwrap_or_default();
            let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
            let name = after.get(..end).unwrap_or_default();
            let several = || self.several.get(name).and_then(|values| values.first());
            out.push_str(rest.get(..at).unwrap_or_default());
            match self.values.get(name).or_else(several) {
                Some(value) if out.len() < 1 << 16 => {
                    out.push_str(value);
                    rest = after.get(end..).unwrap_or_default();
                }
                _ => {
                    out.push('$');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// Each of the texts that a text stands for, where it names a variable of a loop over several.
    pub(super) fn each_filled(&self, text: &str) -> Vec<String> {
        let named = self.several.iter().find(|(name, values)| {
            values.len() > 1
                && (self.dollars && text.contains(&format!("${name}")) || text.contains(&format!("{{{name}}}")))
        });
        let Some((name, values)) = named else { return vec![self.filled(text)] };
        let forms = [format!("#{{{name}}}"), format!("${{{name}}}"), format!("{{{name}}}"), format!("${name}")];
        values
            .iter()
            .take(self.within(0, values.len()))
            .map(|value| self.filled(&forms.iter().fold(text.to_owned(), |text, form| text.replace(form, value))))
            .collect()
    }
}

/// Ends of the names of functions that choose among what is found.
const CHOOSERS: &[&str] = &["endswith", "startswith", "filter", "match", "suffix", "fnmatch", "includes", "grep"];

/// Functions that list a directory, and whether they give whole paths.
const LISTERS: &[(&str, bool)] = &[
    ("listdir", false),
    ("readdir", false),
    ("readdirsync", false),
    ("children", false),
    ("entries", false),
    ("scandir", true),
    ("iterdir", true),
    ("glob", true),
    ("iglob", true),
    ("rglob", true),
    ("globsync", true),
    ("walk", true),
];

/// Words that begin something else than an argument.
fn is_joiner(word: &str) -> bool {
    matches!(
        word,
        "if" | "unless"
            | "while"
            | "until"
            | "for"
            | "foreach"
            | "or"
            | "and"
            | "do"
            | "in"
            | "as"
            | "is"
            | "not"
            | "import"
            | "rescue"
    )
}

pub(super) fn is_home(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    lower.rsplit('.').next() == Some("home")
        || lower.ends_with("homedir")
        || lower.contains("user_home")
        || lower == "nshomedirectory"
}
