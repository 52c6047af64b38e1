//! Lists, pipelines, compound commands and redirections, followed in the order in which the shell runs them.

use std::rc::Rc;

use super::action::Kind;
use super::endless::{breeds, calls_itself_aside, endless};
use super::exec::Call;
use super::state::{Channel, Data, Function, MOST_VALUES, Var};
use super::value::{HOLE, NET, SECRET, is_known};
use super::{Interp, MOST_COMMANDS, MOST_LEVELS};
use crate::path::Place;
use crate::shell::{
    Case, Command, Compound, HeredocBody, Item, Link, List, Param, ParamOp, Part, Redirect, RedirectOp, Simple, Span,
    Word,
};

/// Output beyond this length is not followed as text.
pub(super) const MOST_OUTPUT: usize = 1 << 16;

/// Where the output of a command goes.
enum Sink {
    /// To what follows.
    Inherit,
    /// Into a file or connection.
    File { path: String, append: bool },
}

/// Standard input and output of one command.
struct Io {
    stdin: Data,
    sink: Sink,
    /// Descriptors above 2 that only this command has.
    opened: Vec<(u32, Channel)>,
    /// Process substitutions that the output is written to.
    writers: Vec<Word>,
}

/// Collects output.
#[derive(Default)]
pub(super) struct Output {
    text: String,
}

impl Output {
    pub(super) fn add(&mut self, data: &str) {
        if self.text.len() + data.len() <= MOST_OUTPUT {
            self.text.push_str(data);
        } else {
            let marks = super::value::origins(data);
            self.text.push_str(&marks);
        }
    }

    pub(super) fn data(self) -> Data {
        self.text.into()
    }
}

impl Interp<'_> {
    /// Follows a list; gives what it prints.
    pub(super) fn list(&mut self, list: &List, stdin: &Data) -> Data {
        if let [item] = list.items.as_slice()
            && !item.background
        {
            return self.pipeline(item, stdin);
        }
        let mut output = Output::default();
        // Where the shell stands if an earlier part of an and-or list fails.
        let mut elsewhere: Vec<Option<String>> = Vec::new();
        for item in &list.items {
            let printed = match item.link {
                Link::Or => self.branch(|interp| interp.pipeline(item, stdin)),
                Link::And => {
                    let before = Rc::clone(&self.state.cwds);
                    let printed = self.pipeline(item, stdin);
                    if before != self.state.cwds {
                        elsewhere.extend(before.iter().cloned());
                    }
                    printed
                }
                Link::Then => {
                    self.may_stand(&mut elsewhere);
                    if item.background {
                        self.subshell(|interp| interp.pipeline(item, stdin))
                    } else {
                        self.pipeline(item, stdin)
                    }
                }
            };
            output.add(&printed);
        }
        self.may_stand(&mut elsewhere);
        output.data()
    }

    fn may_stand(&mut self, places: &mut Vec<Option<String>>) {
        for place in places.drain(..) {
            if !self.state.cwds.contains(&place) && self.state.cwds.len() < 4 {
                Rc::make_mut(&mut self.state.cwds).push(place);
            }
        }
    }

    fn pipeline(&mut self, item: &Item, stdin: &Data) -> Data {
        match item.pipeline.stages.as_slice() {
            [] => Data::from(""),
            [only] => self.command(only, stdin),
            stages => {
                let mut data = Rc::clone(stdin);
                for (index, stage) in stages.iter().enumerate() {
                    let caught = u16::from(index + 1 < stages.len());
                    self.captured += caught;
                    data = self.subshell(|interp| interp.command(stage, &data));
                    self.captured -= caught;
                }
                data
            }
        }
    }

    /// Follows one command; gives what it prints.
    pub(super) fn command(&mut self, command: &Command, stdin: &Data) -> Data {
        self.commands += 1;
        if self.commands > MOST_COMMANDS || self.levels > MOST_LEVELS || self.gave_up {
            self.give_up_at(command.span);
            return Data::from("");
        }
        self.levels += 1;
        let outer = std::mem::replace(&mut self.shell_input, Rc::clone(stdin));
        let printed = self.any_command(command, stdin);
        self.shell_input = outer;
        self.levels -= 1;
        printed
    }

    fn any_command(&mut self, command: &Command, stdin: &Data) -> Data {
        if let Compound::Simple(simple) = &command.kind {
            return self.each_pick(simple, &command.redirects, |interp| interp.simple(simple, command, stdin));
        }
        let io = self.redirections(&command.redirects, stdin, command.span);
        let before = self.open(&io);
        let stdin = Rc::clone(&io.stdin);
        let printed = self.compound(command, &stdin);
        self.close(before);
        self.deliver(printed, io, command.span)
    }

    fn compound(&mut self, command: &Command, stdin: &Data) -> Data {
        match &command.kind {
            Compound::Simple(_) => Data::from(""),
            Compound::Group(list) => self.list(list, stdin),
            Compound::Subshell(list) => self.subshell(|interp| interp.list(list, stdin)),
            Compound::Coproc(inner) => self.coprocess(inner, stdin),
            Compound::If(arms, otherwise) => {
                let mut output = Output::default();
                let mut ways = Vec::new();
                for (condition, body) in arms {
                    output.add(&self.list(condition, stdin));
                    let before = self.state.clone();
                    self.weak += 1;
                    output.add(&self.list(body, stdin));
                    self.weak -= 1;
                    ways.push(std::mem::replace(&mut self.state, before));
                }
                if let Some(body) = otherwise {
                    self.weak += 1;
                    output.add(&self.list(body, stdin));
                    self.weak -= 1;
                }
                for way in &ways {
                    self.state.join(way);
                }
                output.data()
            }
            Compound::While { until, condition, body } => {
                let mut output = Output::default();
                output.add(&self.list(condition, stdin));
                if endless(condition, *until) && breeds(body) {
                    self.act_at(
                        Kind::ForkBomb,
                        None,
                        "a loop that never ends starts processes".to_owned(),
                        command.span,
                    );
                }
                output.add(&self.branch(|interp| interp.list(body, stdin)));
                output.data()
            }
            Compound::ArithFor { head, body } => {
                let value = self.value_of(head);
                self.arithmetic(&value, command.span);
                if head
                    .parts
                    .iter()
                    .all(|part| matches!(part, Part::Literal(text) if text.chars().all(|c| c == ';' || c == ' ')))
                    && breeds(body)
                {
                    self.act_at(
                        Kind::ForkBomb,
                        None,
                        "a loop that never ends starts processes".to_owned(),
                        command.span,
                    );
                }
                self.branch(|interp| interp.list(body, stdin))
            }
            Compound::For { name, words, body } => {
                let mut values: Vec<Data> = match words {
                    Some(words) => self.arguments(words).into_iter().map(Data::from).collect(),
                    None => self.state.params.iter().map(Rc::clone).collect(),
                };
                values.dedup();
                if values.is_empty() {
                    values.push(Data::from(HOLE.to_string()));
                }
                if values.len() > MOST_VALUES {
                    values.truncate(MOST_VALUES);
                    values.push(Data::from(HOLE.to_string()));
                }
                self.branch(|interp| {
                    interp.state.set(name, Var { values, ..Var::default() });
                    interp.list(body, stdin)
                })
            }
            Compound::Case(case) => self.case(case, stdin),
            Compound::Function { name, body } => {
                if calls_itself_aside(body, name) {
                    self.act_at(Kind::ForkBomb, None, format!("{name} starts itself again and again"), command.span);
                }
                let function = Function { script: Rc::clone(&self.script), body: Rc::clone(body) };
                self.state.define(name, function);
                Data::from("")
            }
            Compound::Test(words) => {
                let words: Vec<String> = words.iter().map(|word| self.value_of(word)).collect();
                self.compared(&words, command.span);
                Data::from("")
            }
            Compound::Arith(word) => {
                let value = self.value_of(word);
                self.arithmetic(&value, command.span);
                Data::from("")
            }
        }
    }

    fn coprocess(&mut self, inner: &Command, stdin: &Data) -> Data {
        let printed = self.subshell(|interp| interp.command(inner, stdin));
        if printed.contains(NET) {
            self.connected(60);
            self.connected(61);
        }
        self.state.set("COPROC", Var::array(vec!["60".into(), "61".into()]));
        printed
    }

    fn case(&mut self, case: &Case, stdin: &Data) -> Data {
        let _ = self.value_of(&case.word);
        let before = self.state.clone();
        let mut after = before.clone();
        let mut output = Output::default();
        self.weak += 1;
        for arm in &case.arms {
            for pattern in &arm.patterns {
                let _ = self.value_of(pattern);
            }
            self.state = before.clone();
            output.add(&self.list(&arm.body, stdin));
            after.join(&self.state);
        }
        self.weak -= 1;
        self.state = after;
        output.data()
    }

    /// Runs a simple command once for each combination of values that its variables may have.
    fn each_pick(&mut self, simple: &Simple, redirects: &[Redirect], mut run: impl FnMut(&mut Self) -> Data) -> Data {
        if self.state.vars.values().all(|var| var.values.len() < 2) {
            return run(self);
        }
        let mut names = Vec::new();
        for word in simple.words.iter().chain(simple.assigns.iter().map(|assign| &assign.value)) {
            params_of(&word.parts, &mut names);
        }
        for redirect in redirects {
            params_of(&redirect.target.parts, &mut names);
        }
        let counts: Vec<(String, usize)> = names
            .into_iter()
            .filter(|name| !self.picks.iter().any(|(picked, _)| picked == name))
            .filter_map(|name| {
                let count = self.state.vars.get(&name)?.values.len();
                (count > 1).then_some((name, count))
            })
            .collect();
        if counts.is_empty() {
            return run(self);
        }
        let product = counts.iter().fold(1_usize, |product, (_, count)| product.saturating_mul(*count));
        let rounds = if product <= 64 { product } else { counts.iter().map(|(_, count)| *count).max().unwrap_or(1) };
        let mut output = Output::default();
        let outer = self.picks.len();
        let start = self.state.clone();
        let mut after: Option<super::state::State> = None;
        for round in 0..rounds {
            let mut rest = round;
            for (name, count) in &counts {
                let index = if product <= 64 { rest % count } else { round.min(count - 1) };
                rest /= count;
                self.picks.push((name.clone(), index));
            }
            self.state = start.clone();
            self.commands += 1;
            output.add(&run(self));
            self.picks.truncate(outer);
            match &mut after {
                None => after = Some(self.state.clone()),
                Some(after) => after.join(&self.state),
            }
        }
        self.state = after.unwrap_or(start);
        output.data()
    }

    fn simple(&mut self, simple: &Simple, command: &Command, stdin: &Data) -> Data {
        if simple.words.is_empty() {
            let call = Call { stdin: Data::from(""), span: command.span };
            for assign in &simple.assigns {
                self.assign(assign);
                if let Some(value) = self.variable(&assign.name) {
                    self.command_variable(&assign.name, &value, &call);
                }
            }
            let io = self.redirections(&command.redirects, stdin, command.span);
            // `$(< file)` prints the file.
            let printed = if simple.assigns.is_empty() { Rc::clone(&io.stdin) } else { Data::from("") };
            return self.deliver(printed, io, command.span);
        }
        let io = self.redirections(&command.redirects, stdin, command.span);
        self.process_input = Some(Rc::clone(&io.stdin));
        // Words are expanded before the assignments in front of them take effect.
        let argv = if super::assign::loads_variables(simple) {
            let before = std::mem::replace(&mut self.loading, true);
            let argv = self.arguments(&simple.words);
            self.loading = before;
            argv
        } else {
            self.arguments(&simple.words)
        };
        let mut env = Vec::with_capacity(simple.assigns.len());
        for assign in &simple.assigns {
            let value = self.assigned(assign);
            env.push((assign.name.clone(), value));
        }
        if let [only] = argv.as_slice()
            && only == "exec"
        {
            return self.exec_redirections(io, &command.redirects);
        }
        self.shell_on_connection(&argv, &io, command.span);
        let before = self.open(&io);
        let call = Call { stdin: Rc::clone(&io.stdin), span: command.span };
        let printed = self.exec_with(&env, &argv, &call);
        if argv
            .first()
            .is_some_and(|head| matches!(head.as_str(), "declare" | "typeset" | "local" | "readonly" | "export"))
        {
            self.declared_arrays(simple);
        }
        self.close(before);
        self.deliver(printed, io, command.span)
    }

    /// Reports a shell whose output goes to another machine, or that has one as its terminal.
    fn shell_on_connection(&mut self, argv: &[String], io: &Io, span: Span) {
        // The shell may stand behind `exec`, `setsid`, `nohup` and their like.
        if !argv.iter().take(4).any(|head| super::script::is_shell(&super::exec::base_name(head))) {
            return;
        }
        let sink = match &io.sink {
            Sink::File { path, .. } if self.place_of(path) == Place::Net => Some(path.clone()),
            _ => None,
        };
        let both = || {
            io.opened
                .iter()
                .find(|(fd, _)| *fd == 0)
                .and_then(|(_, channel)| channel.write.clone())
                .filter(|path| self.place_of(path) == Place::Net)
        };
        let opened = || {
            self.state
                .fds
                .get(&1)
                .and_then(|channel| channel.write.clone())
                .filter(|path| self.place_of(path) == Place::Net)
        };
        if let Some(path) = sink.or_else(both).or_else(opened) {
            self.act_at(Kind::RemoteShell, None, super::shown(&path), span);
        }
    }

    // Redirections.

    fn redirections(&mut self, redirects: &[Redirect], stdin: &Data, span: Span) -> Io {
        let mut io = Io { stdin: Rc::clone(stdin), sink: Sink::Inherit, opened: Vec::new(), writers: Vec::new() };
        for redirect in redirects {
            self.redirection(redirect, &mut io, span);
        }
        io
    }

    fn redirection(&mut self, redirect: &Redirect, io: &mut Io, span: Span) {
        let fd = match &redirect.fd_name {
            Some(name) => {
                let fd = self.state.free_fd() + u32::try_from(io.opened.len()).unwrap_or(0);
                self.state.set(name, Var::one(fd.to_string()));
                Some(fd)
            }
            None => redirect.fd,
        };
        match redirect.op {
            RedirectOp::Heredoc => {
                let script = Rc::clone(&self.script);
                let body = redirect.heredoc.and_then(|index| script.heredocs.get(index));
                let text: Data = match body.map(|heredoc| &heredoc.body) {
                    Some(HeredocBody::Plain(text)) => text.as_str().into(),
                    Some(HeredocBody::Expanded(parts)) => self.joined(parts).into(),
                    None => Data::from(""),
                };
                Self::input(io, fd, text);
            }
            RedirectOp::HereString => {
                let text = self.value_of(&redirect.target);
                Self::input(io, fd, format!("{text}\n").into());
            }
            RedirectOp::In => {
                let path = self.value_of(&redirect.target);
                let text = self.read_file(&path, span);
                Self::input(io, fd, text);
            }
            RedirectOp::DupIn => {
                let target = self.value_of(&redirect.target);
                if let Some(text) = self.channel(io, &target).and_then(|channel| channel.read.clone()) {
                    Self::input(io, fd, text);
                } else if !is_known(&target) {
                    Self::input(io, fd, Data::from(HOLE.to_string()));
                }
            }
            RedirectOp::DupOut => {
                let target = self.value_of(&redirect.target);
                if target.strip_suffix('-').unwrap_or(&target).parse::<u32>().is_ok() {
                    if let Some(path) = self.channel(io, &target).and_then(|channel| channel.write.clone()) {
                        Self::written(io, fd, path, true);
                    }
                } else if target != "-" {
                    // `>& file`
                    self.output(io, fd, &target, false, span);
                }
            }
            RedirectOp::Both => {
                let path = self.value_of(&redirect.target);
                self.both_ways(io, fd, path, span);
            }
            RedirectOp::Out | RedirectOp::Append | RedirectOp::OutErr | RedirectOp::AppendErr => {
                if let [Part::Process(..)] = redirect.target.parts.as_slice() {
                    io.writers.push(redirect.target.clone());
                    io.sink = Sink::File { path: "/dev/null".to_owned(), append: false };
                    return;
                }
                let append = matches!(redirect.op, RedirectOp::Append | RedirectOp::AppendErr);
                let fd = if matches!(redirect.op, RedirectOp::OutErr | RedirectOp::AppendErr) { None } else { fd };
                let target = self.written_name(&redirect.target);
                self.output(io, fd, &target, append, span);
            }
        }
    }

    /// `<>`: the descriptor's number says which of the two it is for; from 3 on it may be either.
    fn both_ways(&mut self, io: &mut Io, fd: Option<u32>, path: String, span: Span) {
        let fd = fd.unwrap_or(0);
        if self.place_of(&path) == Place::Net {
            io.opened.push((fd, Channel { read: Some(Data::from(NET.to_string())), write: Some(path) }));
        } else if matches!(fd, 1 | 2) {
            self.output(io, Some(fd), &path, false, span);
        } else {
            let text = self.read_file(&path, span);
            if fd == 0 {
                io.stdin = text;
            } else {
                self.opened_to_write(&path, true, span);
                io.opened.push((fd, Channel { read: Some(text), write: Some(path) }));
            }
        }
    }

    /// The file that a redirection writes. A pattern stands for a file that it fits, as Bash takes it.
    fn written_name(&mut self, word: &Word) -> String {
        let name = self.value_of(word);
        if !name.contains(['*', '?', '[']) {
            return name;
        }
        let mut fields = Vec::new();
        self.fields_of(word, &mut fields);
        match fields.as_slice() {
            [only] => only.clone(),
            _ => name,
        }
    }

    /// What a descriptor leads to that is named by its number: one that the same command opened before, or one of the shell.
    fn channel<'a>(&'a self, io: &'a Io, number: &str) -> Option<&'a Channel> {
        // `5-` moves it.
        let number: u32 = number.strip_suffix('-').unwrap_or(number).parse().ok()?;
        let own = io.opened.iter().rev().find(|(fd, _)| *fd == number).map(|(_, channel)| channel);
        own.or_else(|| self.state.fds.get(&number))
    }

    fn input(io: &mut Io, fd: Option<u32>, text: Data) {
        match fd {
            None | Some(0) => io.stdin = text,
            Some(fd) => io.opened.push((fd, Channel { read: Some(text), write: None })),
        }
    }

    fn output(&mut self, io: &mut Io, fd: Option<u32>, path: &str, append: bool, span: Span) {
        self.opened_to_write(path, append, span);
        Self::written(io, fd, path.to_owned(), append);
    }

    fn opened_to_write(&mut self, path: &str, append: bool, span: Span) {
        if !matches!(self.place_of(path), Place::Sink | Place::Net) {
            self.content_follows = true;
            self.text_follows = true;
            self.written_file(path, append, span);
            self.content_follows = false;
            self.text_follows = false;
        }
    }

    fn written(io: &mut Io, fd: Option<u32>, path: String, append: bool) {
        match fd {
            None | Some(1) => io.sink = Sink::File { path, append },
            Some(2) => {}
            Some(fd) => io.opened.push((fd, Channel { read: None, write: Some(path) })),
        }
    }

    /// Reports that a file's content changes.
    pub(super) fn written_file(&mut self, path: &str, append: bool, span: Span) {
        let kind = if append { Kind::Append } else { Kind::Overwrite };
        self.act_on(kind, path, span);
    }

    pub(super) fn place_of(&self, path: &str) -> Place {
        self.places_of(path).first().map_or(Place::Unknown, |(place, _)| *place)
    }

    /// The content of a file that a command reads; says so if it is a secret.
    pub(super) fn read_file(&mut self, path: &str, span: Span) -> Data {
        if let Some(fd) = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))
            && let Some(text) =
                fd.parse::<u32>().ok().and_then(|fd| self.state.fds.get(&fd)).and_then(|channel| channel.read.clone())
        {
            return text;
        }
        if matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") && !self.shell_input.is_empty() {
            return Rc::clone(&self.shell_input);
        }
        self.read_service |= super::tells::is_number_of_service(path);
        if path == "/etc/passwd" && !self.state.remote {
            return Data::from(self.accounts());
        }
        if let Some(known) = self.content(path) {
            if known.contains(SECRET) {
                self.act_at(Kind::SecretRead, None, super::shown(path), span);
            }
            return known;
        }
        if self.place_of(path) == Place::Net {
            return Data::from(NET.to_string());
        }
        if self.is_secret_path(path) {
            if self.state.remote && self.state.container.is_none() {
                // Whose it is on another machine is not known here.
                let doubtful = std::mem::replace(&mut self.doubtful, true);
                self.act_at(Kind::SecretRead, Some(Place::Unknown), super::shown(path), span);
                self.doubtful = doubtful;
                return Data::from(HOLE.to_string());
            }
            if self.loading {
                self.lent = true;
                self.loaded_secrets = true;
                return Data::from(SECRET.to_string());
            }
            self.act_at(Kind::SecretRead, Some(self.place_of(path)), super::shown(path), span);
            return Data::from(SECRET.to_string());
        }
        Data::from(HOLE.to_string())
    }

    fn open(&mut self, io: &Io) -> Option<Rc<std::collections::BTreeMap<u32, Channel>>> {
        // What a shell within prints goes there as well.
        let output = match &io.sink {
            Sink::File { path, .. } if self.place_of(path) == Place::Net => Some(path.clone()),
            _ => None,
        };
        if io.opened.is_empty() && output.is_none() {
            return None;
        }
        let before = Rc::clone(&self.state.fds);
        if output.is_some() {
            self.state.open(1, Channel { read: None, write: output });
        }
        for (fd, channel) in &io.opened {
            self.state.open(*fd, channel.clone());
        }
        Some(before)
    }

    fn close(&mut self, before: Option<Rc<std::collections::BTreeMap<u32, Channel>>>) {
        if let Some(before) = before {
            self.state.fds = before;
        }
    }

    /// `exec` with redirections alone changes the shell's own descriptors.
    fn exec_redirections(&mut self, io: Io, redirects: &[Redirect]) -> Data {
        for (fd, channel) in io.opened {
            self.state.open(fd, channel);
        }
        if let Sink::File { path, .. } = io.sink {
            self.state.open(1, Channel { read: None, write: Some(path) });
        }
        if redirects
            .iter()
            .any(|redirect| matches!(redirect.fd, None | Some(0)) && matches!(redirect.op, RedirectOp::In | RedirectOp::Both))
        {
            self.state.open(0, Channel { read: Some(io.stdin), write: None });
        }
        Data::from("")
    }

    /// Brings what a command prints to where its redirections lead.
    fn deliver(&mut self, printed: Data, io: Io, span: Span) -> Data {
        for writer in &io.writers {
            self.process_input = Some(Rc::clone(&printed));
            let _ = self.value_of(writer);
        }
        let (path, append) = match io.sink {
            Sink::Inherit => {
                let Some(path) = self.state.fds.get(&1).and_then(|channel| channel.write.clone()) else {
                    return printed;
                };
                (path, true)
            }
            Sink::File { path, append } => (path, append),
        };
        if self.place_of(&path) == Place::Net {
            if printed.contains(SECRET) || io.stdin.contains(SECRET) {
                self.act_at(Kind::SecretSend, None, super::shown(&path), span);
            }
            let host = path.split('/').nth(3).unwrap_or_default().to_owned();
            self.sends_named(&printed, &host, span);
            return Data::from("");
        }
        self.switched_off(&path, Some(&printed), span);
        self.setting_written(&path, &printed, span);
        let data = if append {
            let old = self.content(&path).unwrap_or_else(|| Data::from(HOLE.to_string()));
            let joined = if old.len() + printed.len() < MOST_OUTPUT {
                // What was in the file before ends with its line.
                let end = if old.ends_with(HOLE) { "\n" } else { "" };
                format!("{old}{end}{printed}")
            } else {
                super::value::origins(&printed)
            };
            Data::from(joined)
        } else {
            printed
        };
        self.store(&path, &data);
        Data::from("")
    }
}

/// The names of the parameters in a word.
fn params_of(parts: &[Part], names: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Double(inner) | Part::Arith(inner) => params_of(inner, names),
            Part::Param(param) => {
                let Param { name, operand, .. } = param.as_ref();
                if !names.contains(name) && names.len() < 16 {
                    names.push(name.clone());
                }
                if let Some(operand) = operand
                    && param.op != ParamOp::None
                {
                    params_of(&operand.parts, names);
                }
            }
            Part::Array(words) => words.iter().for_each(|word| params_of(&word.parts, names)),
            _ => {}
        }
    }
}
