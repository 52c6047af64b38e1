//! Redirections: what a command reads and where what it prints goes, and the descriptors of the shell.

use std::rc::Rc;

use super::Interp;
use super::action::Kind;
use super::clobber::Emptied;
use super::run::MOST_OUTPUT;
use super::state::{Channel, Data, Var};
use super::taint::{TAINT_NETWORK, TAINT_SECRET, UNKNOWN, is_literal};
use crate::path::Place;
use crate::syntax::{HeredocBody, Part, Redirect, RedirectOp, Span, Word};

/// Where the output of a command goes.
enum Sink {
    /// To what follows.
    Inherit,
    /// Into a file or connection.
    File { path: String, append: bool },
}

/// Standard input and output of one command.
pub(super) struct Io {
    pub(super) stdin: Data,
    sink: Sink,
    /// Descriptors above 2 that only this command has.
    opened: Vec<(u32, Channel)>,
    /// Process substitutions that the output is written to.
    writers: Vec<Word>,
    /// Files that are emptied when they are opened.
    pub(super) emptied: Vec<Emptied>,
}

impl Interp<'_> {
    /// Reports a shell whose output goes to another machine, or that has one as its terminal.
    pub(super) fn shell_on_connection(&mut self, argv: &[String], io: &Io, span: Span) {
        // The shell may stand behind `exec`, `setsid`, `nohup` and their like.
        if !argv.iter().any(|head| crate::resolve::option_commands::is_shell(&super::exec::base_name(head))) {
            return;
        }
        let sink = match &io.sink {
            Sink::File { path, .. } => Some(path),
            Sink::Inherit => None,
        };
        let both_ways = io.opened.iter().find(|(fd, _)| *fd == 0).and_then(|(_, channel)| channel.write.as_ref());
        let inherited = self.state.fds.get(&1).and_then(|channel| channel.write.as_ref());
        let path = [sink, both_ways, inherited].into_iter().flatten().find(|path| self.place_of(path) == Place::Net);
        if let Some(path) = path.map(|path| super::shown(path)) {
            self.act_at(Kind::RemoteShell, None, path, span);
        }
    }

    pub(super) fn redirections(&mut self, redirects: &[Redirect], stdin: &Data, span: Span) -> Io {
        let mut io = Io {
            stdin: Rc::clone(stdin),
            sink: Sink::Inherit,
            opened: Vec::new(),
            writers: Vec::new(),
            emptied: Vec::new(),
        };
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
                    Some(HeredocBody::Plain(text)) => Rc::clone(text),
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
                } else if !is_literal(&target) {
                    Self::input(io, fd, Data::from(UNKNOWN.to_string()));
                }
            }
            RedirectOp::DupOut => {
                let target = self.value_of(&redirect.target);
                if target.strip_suffix('-').unwrap_or(&target).parse::<u32>().is_ok() {
                    if let Some(path) = self.channel(io, &target).and_then(|channel| channel.write.clone()) {
                        if target.trim_end_matches('-') == "0" {
                            // What was opened to be read is written now.
                            self.opened_to_write(&path, true, span);
                        }
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
                if !append {
                    io.emptied.push(Emptied::of(&target, &redirect.target));
                }
                self.output(io, fd, &target, append, span);
            }
        }
    }

    /// `<>`: the descriptor's number says which of the two it is for; from 3 on it may be either.
    fn both_ways(&mut self, io: &mut Io, fd: Option<u32>, path: String, span: Span) {
        let fd = fd.unwrap_or(0);
        if self.place_of(&path) == Place::Net {
            io.opened.push((fd, Channel { read: Some(Data::from(TAINT_NETWORK.to_string())), write: Some(path) }));
        } else if matches!(fd, 1 | 2) {
            self.output(io, Some(fd), &path, false, span);
        } else {
            let text = self.read_file(&path, span);
            if fd == 0 {
                io.stdin = Rc::clone(&text);
                io.opened.push((fd, Channel { read: Some(text), write: Some(path) }));
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
            self.git_text_follows = true;
            self.written_file(path, append, span);
            self.content_follows = false;
            self.git_text_follows = false;
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
        if path == "/dev/null" {
            return Data::from("");
        }
        self.reads_input(path);
        self.read_service |= crate::resolve::printed::is_number_of_service(path);
        self.own_read(path, span);
        if path == "/etc/passwd" && !self.state.remote {
            return Data::from(self.accounts());
        }
        if path.contains(super::taint::IGNORED_ITEM) {
            self.act_at(Kind::SecretRead, None, "files that git ignores".to_owned(), span);
            return Data::from(TAINT_SECRET.to_string());
        }
        if let Some(known) = self.content(path) {
            if known.contains(TAINT_SECRET) && !known.contains(super::taint::ENVIRONMENT) {
                self.act_at(Kind::SecretRead, None, super::shown(path), span);
            }
            return known;
        }
        if let Some(text) = self.program_text(path) {
            return text.into();
        }
        if self.place_of(path) == Place::Net {
            return Data::from(TAINT_NETWORK.to_string());
        }
        if self.is_secret_path(path) {
            if self.state.remote && self.state.container.is_none() {
                // Whose it is on another machine is not known here.
                let speculative = std::mem::replace(&mut self.speculative, true);
                self.act_at(Kind::SecretRead, Some(Place::Unknown), super::shown(path), span);
                self.speculative = speculative;
                return Data::from(UNKNOWN.to_string());
            }
            if self.loading {
                self.secret_pending = true;
                self.loaded_secrets = true;
                return Data::from(TAINT_SECRET.to_string());
            }
            self.act_at(Kind::SecretRead, Some(self.place_of(path)), super::shown(path), span);
            return Data::from(TAINT_SECRET.to_string());
        }
        Data::from(UNKNOWN.to_string())
    }

    pub(super) fn open(&mut self, io: &Io) -> Option<Rc<std::collections::BTreeMap<u32, Channel>>> {
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

    pub(super) fn close(&mut self, before: Option<Rc<std::collections::BTreeMap<u32, Channel>>>) {
        if let Some(before) = before {
            self.state.fds = before;
        }
    }

    /// `exec` with redirections alone changes the shell's own descriptors.
    pub(super) fn exec_redirections(&mut self, io: Io, redirects: &[Redirect]) -> Data {
        for (fd, channel) in io.opened {
            self.state.open(fd, channel);
        }
        if let Sink::File { path, .. } = io.sink {
            self.state.open(1, Channel { read: None, write: Some(path) });
        }
        if redirects.iter().any(|redirect| matches!(redirect.fd, None | Some(0)) && redirect.op == RedirectOp::In) {
            self.state.open(0, Channel { read: Some(io.stdin), write: None });
        }
        Data::from("")
    }

    /// Brings what a command prints to where its redirections lead.
    pub(super) fn deliver(&mut self, printed: Data, io: Io, span: Span) -> Data {
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
            if printed.contains(TAINT_SECRET) || io.stdin.contains(TAINT_SECRET) {
                self.act_at(Kind::SecretSend, None, super::shown(&path), span);
            }
            let host = path.split('/').nth(3).unwrap_or_default().to_owned();
            self.sends_named(&printed, &host, span);
            return Data::from("");
        }
        self.switched_off(&path, Some(&printed), span);
        self.setting_written(&path, &printed, span);
        self.variables_placed(&path, &printed, span);
        self.git_file_written(&path, &printed, span);
        let data = if append {
            let old = self.content(&path).unwrap_or_else(|| Data::from(UNKNOWN.to_string()));
            let joined = if old.len() + printed.len() < MOST_OUTPUT {
                // What was in the file before ends with its line.
                let end = if old.ends_with(UNKNOWN) { "\n" } else { "" };
                format!("{old}{end}{printed}")
            } else {
                super::taint::too_long(&printed).to_string()
            };
            Data::from(joined)
        } else {
            printed
        };
        self.store(&path, &data);
        Data::from("")
    }
}
