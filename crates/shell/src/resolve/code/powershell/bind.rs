//! Commands: their arguments, bound to the parameters of a cmdlet.

use super::reader::Reader;
use super::value::{Piece, Value, Word, literal};
use crate::programs::cmdlets::{self, Act, COMMON_SWITCHES, COMMON_VALUES, Cmdlet};

/// An argument as it stands.
#[derive(Debug, Default)]
pub(super) struct Argument {
    /// Its value as a word or list.
    pub(super) value: Value,
    /// The parameter that it names, in lower case.
    dash: Option<String>,
    /// What stands behind the colon of a parameter.
    attached: Option<Value>,
    /// The variable of `@name`.
    splat: Option<String>,
}

/// A command with its arguments and redirections.
#[derive(Debug, Default)]
pub(super) struct Command {
    pub(super) head: Value,
    /// It stands behind `&` or `.`.
    pub(super) called: bool,
    pub(super) arguments: Vec<Argument>,
    pub(super) redirections: String,
}

/// Parameters with what is given for them.
#[derive(Debug, Default)]
pub(super) struct Bound {
    given: Vec<(&'static str, Value)>,
    /// All that is given without a name.
    pub(super) free: Vec<Value>,
    whatif: bool,
}

impl Bound {
    /// What is given for a parameter, under any of its names.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let names: &[&str] = match name {
            "path" => &["path", "literalpath", "lp", "pspath", "filepath"],
            "filepath" => &["filepath", "path", "literalpath"],
            "argumentlist" => &["argumentlist", "args"],
            "computername" => &["computername", "cn", "session", "hostname"],
            _ => return self.given.iter().find(|(given, _)| *given == name).map(|(_, value)| value),
        };
        names.iter().find_map(|name| self.given.iter().find(|(given, _)| given == name)).map(|(_, value)| value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    pub(super) const fn only_says(&self) -> bool {
        self.whatif
    }

    /// All values, named or not.
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.given.iter().map(|(_, value)| value).chain(&self.free)
    }
}

impl Reader<'_> {
    /// A command; `piped` are the commands in front of the bar.
    pub(super) fn command(&mut self, piped: Option<String>) -> String {
        self.blanks(false);
        let mut command = Command::default();
        if self.sees("&") && !self.sees("&&") || self.sees(".") && self.is_dot_call() {
            self.bump();
            self.blanks(false);
            command.called = true;
        }
        command.head = self.head(command.called);
        self.arguments(&mut command);
        self.written(&command, piped)
    }

    fn is_dot_call(&self) -> bool {
        self.rest().get(1..).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | '$' | '\'' | '"'))
        })
    }

    fn head(&mut self, called: bool) -> Value {
        let special = self.peek().is_some_and(|c| matches!(c, '$' | '(' | '{' | '\'' | '"' | '@' | '[' | '‘' | '“'));
        if special && (called || !matches!(self.peek(), Some('@'))) {
            return self.unary();
        }
        Value::word(self.bare())
    }

    fn arguments(&mut self, command: &mut Command) {
        loop {
            self.blanks(false);
            if self.redirection(command) {
                continue;
            }
            match self.peek() {
                None | Some(';' | '|' | '\n' | ')' | '}' | '&') => return,
                Some(',') => {
                    self.bump();
                }
                Some(_) if self.sees("--%") => {
                    let line = self.rest().get(3..).unwrap_or_default();
                    let end = line.find('\n').unwrap_or(line.len());
                    self.at += 3 + end;
                    let words = super::cmd::words(line.get(..end).unwrap_or_default());
                    command
                        .arguments
                        .extend(words.iter().map(|word| Argument { value: Value::text(word), ..Argument::default() }));
                }
                Some(_) => {
                    let before = self.at;
                    let argument = self.one_argument();
                    command.arguments.push(argument);
                    if self.at == before {
                        self.bump();
                    }
                }
            }
        }
    }

    fn redirection(&mut self, command: &mut Command) -> bool {
        let rest = self.rest();
        let stream = rest.chars().next().filter(|c| matches!(c, '1'..='6' | '*'));
        let after = if stream.is_some() { rest.get(1..).unwrap_or_default() } else { rest };
        let Some(sign) = [">>", ">"].into_iter().find(|sign| after.starts_with(sign)) else { return false };
        self.at += sign.len() + usize::from(stream.is_some());
        if self.eat("&") {
            self.bump();
            return true;
        }
        self.blanks(false);
        let target = self.one_argument();
        let number = match stream {
            None | Some('1') => "",
            Some('*') => "&",
            Some('2') => "2",
            // Streams of messages, which a POSIX shell does not have.
            Some(_) => "3",
        };
        let file = if target.value.variable.as_deref() == Some("null") {
            "/dev/null".to_owned()
        } else {
            target.value.paths()
        };
        command.redirections.push_str(&format!(" {number}{sign} {file}"));
        true
    }

    fn one_argument(&mut self) -> Argument {
        if self.sees("@")
            && self.rest().get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        {
            self.bump();
            return Argument { splat: Some(self.name()), ..Argument::default() };
        }
        let word = self.element();
        if let Some((dash, attached)) = parameter(&word) {
            return Argument { value: word, dash: Some(dash), attached, splat: None };
        }
        let mut value = word;
        loop {
            let before = self.at;
            self.blanks(false);
            if !self.eat(",") {
                self.at = before;
                return Argument { value, ..Argument::default() };
            }
            self.blanks(true);
            let next = self.element();
            value = super::expression::append(value, next);
        }
    }

    fn element(&mut self) -> Value {
        let rest = self.rest();
        let whole = rest.starts_with(['$', '(', '{']) && !rest.starts_with("$(")
            || rest.starts_with("@(")
            || rest.starts_with("@{");
        if !whole {
            return Value::word(self.bare());
        }
        let before = self.at;
        let value = self.unary();
        // `$x\y` and `$x/y` are one word.
        let goes_on = self.peek().is_some_and(|c| !c.is_whitespace() && !";|&(){},>".contains(c));
        if self.at == before || !goes_on {
            return value;
        }
        let mut word = value.joined(" ");
        word.extend(self.bare());
        Value::word(word)
    }

    /// A word without quotes around it, which may hold quotes and variables.
    fn bare(&mut self) -> Word {
        let mut word = Word::new();
        let mut text = String::new();
        while let Some(c) = self.peek() {
            match c {
                ';' | '|' | '&' | '(' | ')' | '{' | '}' | ',' | '>' | '\n' => break,
                _ if c.is_whitespace() => break,
                '`' => {
                    self.bump();
                    text.extend(self.escaped());
                }
                '\'' | '"' | '‘' | '’' | '“' | '”' | '$' => {
                    let pieces = if c == '$' { self.expanded() } else { self.quotes() };
                    match pieces {
                        Some(pieces) => {
                            if !text.is_empty() {
                                word.push(Piece::Bare(std::mem::take(&mut text)));
                            }
                            word.extend(pieces);
                        }
                        None => text.extend(self.bump()),
                    }
                }
                '@' if word.is_empty() && text.is_empty() && (self.sees("@'") || self.sees("@\"")) => {
                    match self.quotes() {
                        Some(pieces) => word.extend(pieces),
                        None => text.extend(self.bump()),
                    }
                }
                _ => {
                    self.bump();
                    text.push(c);
                }
            }
        }
        if !text.is_empty() {
            word.push(Piece::Bare(text));
        }
        word
    }

    fn expanded(&mut self) -> Option<Word> {
        if self.sees("$(") {
            return Some(self.unary().joined(" "));
        }
        Some(self.variable()?.joined(" "))
    }

    /// Binds the arguments to the parameters of a cmdlet; nothing where they are those of a program with the name of an alias.
    pub(super) fn bind(&self, cmdlet: &'static Cmdlet, command: &Command) -> Option<Bound> {
        let mut bound = Bound::default();
        let mut at = 0;
        while let Some(argument) = command.arguments.get(at) {
            at += 1;
            if let Some(name) = &argument.splat {
                self.splatted(cmdlet, name, &mut bound);
                continue;
            }
            let Some(dash) = &argument.dash else {
                bound.free.push(argument.value.clone());
                continue;
            };
            let next = command.arguments.get(at).filter(|next| next.dash.is_none());
            match resolve(cmdlet, dash) {
                Some((name, true)) => {
                    let value = argument.attached.clone().or_else(|| {
                        at += usize::from(next.is_some());
                        next.map(|next| next.value.clone())
                    });
                    bound.given.push((name, value.unwrap_or_default()));
                }
                Some((name, false)) => switch(&mut bound, name, argument.attached.as_ref()),
                None if is_native(command) => return None,
                None => {}
            }
        }
        positions(cmdlet, &mut bound);
        Some(bound)
    }

    fn splatted(&self, cmdlet: &'static Cmdlet, name: &str, bound: &mut Bound) {
        let Some(value) = self.splats.get(name) else {
            bound.free.push(super::render::variable(name));
            return;
        };
        bound.free.extend(value.items.iter().map(|item| Value::word(item.clone())));
        for (field, value) in &value.table {
            match resolve(cmdlet, &field.to_lowercase()) {
                Some((name, true)) => bound.given.push((name, value.clone())),
                Some((name, false)) => switch(bound, name, Some(value)),
                None => {}
            }
        }
    }

    /// The arguments of a program.
    pub(super) fn native(&self, command: &Command) -> String {
        let mut out = String::new();
        for argument in &command.arguments {
            let written = match &argument.splat {
                Some(name) => {
                    self.splats.get(name).map_or_else(|| super::render::variable(name).arguments(), Value::arguments)
                }
                None => match &argument.value.block {
                    Some(block) => format!("\"$({block}\n)\""),
                    None => argument.value.arguments(),
                },
            };
            if !written.is_empty() {
                out.push(' ');
                out.push_str(&written);
            }
        }
        out
    }
}

/// Whether a command is written like one of a POSIX system: an alias with options that its cmdlet does not have.
fn is_native(command: &Command) -> bool {
    command.head.literal().is_some_and(|name| !name.contains('-'))
}

fn switch(bound: &mut Bound, name: &'static str, value: Option<&Value>) {
    if value.and_then(Value::literal).is_some_and(|value| value.eq_ignore_ascii_case("false")) {
        return;
    }
    bound.whatif |= matches!(name, "whatif" | "wi");
    bound.given.push((name, Value::default()));
}

/// Gives what has no name to the parameters that are free.
fn positions(cmdlet: &'static Cmdlet, bound: &mut Bound) {
    let free = bound.free.clone();
    let mut open =
        cmdlet.positions.iter().filter(|name| bound.get(name).is_none()).copied().collect::<Vec<_>>().into_iter();
    for value in free {
        match open.next() {
            Some(name) => bound.given.push((name, value)),
            None => {
                // More than it takes: of the kind of the last.
                if let Some(last) = cmdlet.positions.last()
                    && let Some((_, given)) = bound.given.iter_mut().find(|(name, _)| name == last)
                {
                    *given = super::expression::append(std::mem::take(given), value);
                }
            }
        }
    }
}

/// The parameter of that name or abbreviation, and whether it has a value.
fn resolve(cmdlet: &'static Cmdlet, name: &str) -> Option<(&'static str, bool)> {
    let lists = [(cmdlet.switches, false), (cmdlet.values, true), (COMMON_SWITCHES, false), (COMMON_VALUES, true)];
    let exact = lists.iter().find_map(|(list, valued)| Some((*list.iter().find(|known| **known == name)?, *valued)));
    exact.or_else(|| {
        lists.iter().find_map(|(list, valued)| Some((*list.iter().find(|known| known.starts_with(name))?, *valued)))
    })
}

/// `-Name` and `-Name:value`.
fn parameter(value: &Value) -> Option<(String, Option<Value>)> {
    let [word] = value.items.as_slice() else { return None };
    let Piece::Bare(text) = word.first()? else { return None };
    let rest = text.strip_prefix(['-', '–', '—'])?;
    if !rest.starts_with(|c: char| c.is_alphabetic() || c == '?') {
        return None;
    }
    let Some((name, after)) = rest.split_once(':') else {
        return (word.len() == 1).then(|| (rest.to_lowercase(), None));
    };
    let mut attached: Word = if after.is_empty() { Word::new() } else { vec![Piece::Bare(after.to_owned())] };
    attached.extend(word.iter().skip(1).cloned());
    let attached = (!attached.is_empty()).then(|| Value::word(attached));
    Some((name.to_lowercase(), attached))
}

/// The name of the command, in lower case.
pub(super) fn name_of(head: &Value) -> Option<String> {
    let [word] = head.items.as_slice() else { return None };
    let name = literal(word)?.to_lowercase();
    // A module may stand before a cmdlet.
    match name.rsplit_once('\\') {
        Some((module, cmdlet)) if !module.contains([':', '.', '\\']) || module.starts_with("microsoft.") => {
            Some(cmdlet.to_owned())
        }
        _ => Some(name),
    }
}

/// Whether an act is one that a hidden text may not do.
pub(super) fn names_harm(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter_map(cmdlets::find).any(|cmdlet| {
        matches!(
            cmdlet.act,
            Act::Remove | Act::Request | Act::Expression | Act::Registry | Act::Stop | Act::Start | Act::Own
        )
    })
}
