//! Programs that run text, or other programs once for each item: shells, interpreters, `xargs`, `parallel`, `find`, `ssh`.

use crate::programs::{self, Invocation, Tool, Trait};
use std::rc::Rc;

use super::Interp;
use super::action::Kind;
use super::exec::{Call, quoted};
use super::state::{Data, Var};
use super::value::{DECODED, HOLE, LISTED, NET, OWNED, SECRET, SHELL, is_known, origins, replaced};
use crate::options::{Item, Options, Scan};
use crate::path::is_unknown;

/// Whether a program of this name is a shell.
pub(super) fn is_shell(name: &str) -> bool {
    programs::is(name, Trait::Shell)
}

/// Items of a list that are followed one by one.
const MOST_ITEMS: usize = 32;
/// Items that one program is given together.
const MOST_GIVEN: usize = 4096;

impl Interp<'_> {
    /// Programs of this module; `None` for others.
    pub(super) fn script_program(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, name, args } = *of;
        if is_shell(name) {
            return Some(self.shell(of, call));
        }
        if let Some(language) = super::code::language(name) {
            if name.starts_with("ipython") {
                let code: Data = of.options().value(&["-c"]).map_or_else(|| Rc::clone(&call.stdin), Data::from);
                self.notebook_lines(&code, call);
            }
            return Some(self.interpreter(language, args, call));
        }
        Some(match program.tool {
            Tool::Xargs => self.xargs(of, call),
            Tool::Parallel => self.parallel(of, call),
            Tool::Find => self.find(args, call),
            Tool::Fd | Tool::Fdfind => self.fd(of, call),
            Tool::Tree | Tool::Du => return self.own_walked(of),
            Tool::Ssh => self.ssh(of, call),
            Tool::At => self.scheduled(of, call),
            Tool::Vim | Tool::Ex | Tool::Nano | Tool::Ed => self.editor(of, call),
            Tool::Pwsh => self.powershell(args, call),
            _ => return None,
        })
    }

    /// What runs at a later time: a script, or the lines on standard input.
    fn scheduled(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        if options.has(&["-l", "-c", "-r", "-d", "-V"]) {
            return Data::from(HOLE.to_string());
        }
        self.act_at(Kind::Schedule, None, "a job for later".to_owned(), call.span);
        match options.value(&["-f"]) {
            Some(file) => self.run_file(file, &[], call),
            None => self.run_input(call),
        }
    }

    fn shell(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (mut command, mut no_exec, mut from_stdin) = (false, false, false);
        let mut scan = Scan::new(of.args, of.program.options);
        while let Some(given) = scan.leading() {
            if given.is_one_of(&["--help", "--version"]) {
                return Data::from(HOLE.to_string());
            }
            if let Some(file) = given.value().filter(|_| given.is_one_of(&["--rcfile", "--init-file"])) {
                self.run_file(file, &[], call);
            }
            let on = given.word.starts_with('-');
            command |= on && given.is("-c");
            from_stdin |= on && given.is("-s");
            if given.is("-n") || given.value() == Some("noexec") {
                no_exec = on;
            }
        }
        let rest = scan.rest().strip_prefix(&["-".to_owned()]).unwrap_or(scan.rest());
        if no_exec {
            return Data::from("");
        }
        self.subshell(|interp| {
            if command {
                let Some((text, params)) = rest.split_first() else { return Data::from("") };
                let outer = std::mem::take(&mut interp.state.params);
                if let Some(zero) = params.first() {
                    interp.state.set("0", Var::one(zero.as_str()));
                }
                interp.state.params = Rc::new(params.iter().skip(1).map(|arg| Data::from(arg.as_str())).collect());
                let printed = interp.run_text(text, call);
                interp.state.params = outer;
                return printed;
            }
            match rest.split_first() {
                Some((file, params)) if !from_stdin => interp.run_file(file, params, call),
                _ => {
                    let params = rest.iter().map(|arg| Data::from(arg.as_str())).collect();
                    interp.state.params = Rc::new(params);
                    let printed = interp.run_input(call);
                    // It does what comes in, and that is not written here.
                    if is_known(&call.stdin) && !call.stdin.is_empty() {
                        printed
                    } else {
                        Data::from(format!("{SHELL}{}", origins(&printed)))
                    }
                }
            }
        })
    }

    // One program for each item.

    fn xargs(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (options, command) = of.leading();
        let input = match options.value(&["-a", "--arg-file"]) {
            Some(file) => self.read_file(file, call.span),
            None => Rc::clone(&call.stdin),
        };
        let marks = || options.value(&["-i", "--replace"]).unwrap_or("{}");
        let replace = options.value(&["-I", "-J"]).or_else(|| options.has(&["-i", "--replace"]).then(marks));
        let delimiter =
            options.value(&["-d", "--delimiter"]).and_then(|text| super::filter::unescape(text).chars().next());
        let whole_lines = options.has(&["-I", "-i", "--replace", "-0", "--null"]) || delimiter.is_some();
        let mut items: Vec<String> = if input.contains([NET, DECODED]) {
            // One origin is as good as many items.
            vec![origins(&input)]
        } else if whole_lines {
            let ends = |c: char| matches!(c, '\n' | '\0') || delimiter == Some(c);
            input.split(ends).map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
        } else {
            input.split_whitespace().map(|item| item.trim_matches(['"', '\'']).to_owned()).collect()
        };
        as_read(&mut items);
        // The program is started for each of them, or once with all.
        self.at_most(&mut items, if replace.is_some() { MOST_ITEMS } else { MOST_GIVEN }, call);
        let inner = Call { stdin: Data::from(""), span: call.span };
        if command.is_empty() {
            return input;
        }
        match replace {
            Some(mark) if !options.has(&["-J"]) => {
                let mut printed = super::run::Output::default();
                for item in &items {
                    let argv: Vec<String> = command.iter().map(|arg| replaced(arg, mark, item)).collect();
                    printed.add(&self.subshell(|interp| interp.exec(&argv, &inner)));
                }
                printed.data()
            }
            Some(mark) => {
                let argv: Vec<String> = command
                    .iter()
                    .flat_map(|arg| if *arg == mark { items.clone() } else { vec![arg.clone()] })
                    .collect();
                self.subshell(|interp| interp.exec(&argv, &inner))
            }
            None => {
                let argv: Vec<String> = command.iter().cloned().chain(items).collect();
                self.subshell(|interp| interp.exec(&argv, &inner))
            }
        }
    }

    fn parallel(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (options, rest) = of.leading();
        if options.has(&["--dry-run", "--dryrun", "--version", "--help", "--citation"]) {
            return Data::from(HOLE.to_string());
        }
        let split = rest.iter().position(|arg| arg.starts_with(":::")).unwrap_or(rest.len());
        let (command, sources) = rest.split_at(split);
        let mut items: Vec<String> = sources.iter().filter(|arg| !arg.starts_with(":::")).cloned().collect();
        if sources.first().is_some_and(|mark| mark.starts_with("::::")) {
            items = vec![LISTED.to_string()];
        }
        if sources.is_empty() {
            let input = match options.value(&["-a", "--arg-file"]) {
                Some(file) => self.read_file(file, call.span),
                None => Rc::clone(&call.stdin),
            };
            items = input.lines().map(str::to_owned).collect();
            as_read(&mut items);
        }
        let pipe = options.has(&["--pipe", "--pipepart", "--spreadstdin"]);
        self.at_most(&mut items, MOST_ITEMS, call);
        let inner = Call { stdin: if pipe { Rc::clone(&call.stdin) } else { Data::from("") }, span: call.span };
        let line = command.join(" ");
        let folder = options.value(&["--workdir", "--wd"]).filter(|folder| *folder != "...");
        let mut printed = super::run::Output::default();
        for item in &items {
            let text = if command.is_empty() {
                item.clone()
            } else if pipe {
                line.clone()
            } else {
                let filled = fill(&line, item);
                if filled == line { format!("{line} {}", quoted(item)) } else { filled }
            };
            printed.add(&self.subshell(|interp| {
                if let Some(folder) = folder {
                    interp.git_folder(folder);
                }
                interp.run_text(&text, &inner)
            }));
        }
        printed.data()
    }

    fn ssh(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (options, rest) = of.leading();
        self.ssh_options(&options, call);
        if call.stdin.contains(SECRET) {
            self.act_at(Kind::SecretSend, None, rest.first().cloned().unwrap_or_default(), call.span);
        }
        let command = rest.get(1..).unwrap_or_default();
        let command = command.strip_prefix(&["--".to_owned()]).unwrap_or(command);
        if command.is_empty() {
            if !call.stdin.is_empty() {
                return self.subshell(|interp| {
                    interp.log_in();
                    interp.run_text(&Rc::clone(&call.stdin), call)
                });
            }
            return Data::from(NET.to_string());
        }
        self.subshell(|interp| {
            interp.log_in();
            interp.run_text(&command.join(" "), call)
        });
        Data::from(NET.to_string())
    }

    /// A shell on another machine begins in the home folder there.
    fn log_in(&mut self) {
        self.state.remote = true;
        self.state.cwds = Rc::new(vec![Some(self.places.home.clone())]);
    }

    /// `-o ProxyCommand=…` and its like run a local command.
    pub(super) fn ssh_options(&mut self, options: &Options<'_>, call: &Call) {
        const RUN: &[&str] = &["proxycommand", "localcommand", "knownhostscommand", "match exec", "pkcs11provider"];
        for value in options.values(&["-o"]) {
            let split = value.split_once('=').or_else(|| value.split_once(' '));
            if let Some((name, command)) = split
                && RUN.contains(&name.trim().to_ascii_lowercase().as_str())
            {
                self.subshell(|interp| interp.run_text(command.trim(), call));
            }
        }
    }

    fn powershell(&mut self, args: &[String], call: &Call) -> Data {
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let lower = arg.to_ascii_lowercase();
            let value = args.get(at + 1).cloned().unwrap_or_default();
            match lower.as_str() {
                name if name == "-ec" || name.len() > 1 && "-encodedcommand".starts_with(name) => {
                    match super::filter::utf16(&value) {
                        Some(text) => super::code::powershell(self, &text, call),
                        None => self.act_at(Kind::RunHidden, None, "encoded command".to_owned(), call.span),
                    }
                    return Data::from("");
                }
                "-file" | "-f" => {
                    let content = if value == "-" { Some(Rc::clone(&call.stdin)) } else { self.content(&value) };
                    if let Some(content) = content {
                        self.powershell_text(&content, call);
                    }
                    return Data::from("");
                }
                "-command" | "-c" | "/c" | "/k" => {
                    let rest = args.get(at + 1..).unwrap_or_default().join(" ");
                    self.powershell_text(&rest, call);
                    return Data::from("");
                }
                _ if lower.starts_with('-') || lower.starts_with('/') => {
                    at += 1 + usize::from(matches!(
                        lower.as_str(),
                        "-executionpolicy" | "-ep" | "-windowstyle" | "-w" | "-version" | "-workingdirectory"
                    ));
                }
                _ => {
                    self.powershell_text(&args.get(at..).unwrap_or_default().join(" "), call);
                    return Data::from("");
                }
            }
        }
        self.powershell_text(&Rc::clone(&call.stdin), call);
        Data::from("")
    }

    /// Leaves out what is beyond the most and ordinary, and says that there is more.
    fn at_most(&mut self, items: &mut Vec<String>, most: usize, call: &Call) {
        if self.cut(items, most, call.span) {
            items.push(LISTED.to_string());
        }
    }

    fn powershell_text(&mut self, text: &str, call: &Call) {
        if text.contains(NET) {
            self.act_at(Kind::RunRemote, None, "code from the network".to_owned(), call.span);
        } else if text.contains(DECODED) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
        super::code::powershell(self, text, call);
    }
}

/// A list that was read: an item of which nothing is known is one of a list, and a list of which nothing is known has one.
fn as_read(items: &mut Vec<String>) {
    for item in items.iter_mut() {
        if item.chars().all(|c| is_unknown(c) && !matches!(c, NET | DECODED | SECRET | OWNED)) {
            *item = LISTED.to_string();
        }
    }
    if items.is_empty() {
        items.push(LISTED.to_string());
    }
}

/// The positional parameters that `set` is given; `None` where it only sets options.
pub(super) fn parameters_set<'a>(of: &Invocation<'a>) -> Option<&'a [String]> {
    let mut scan = Scan::new(of.args, of.program.options);
    loop {
        match scan.next()? {
            Item::Option(_) => {}
            Item::End => return Some(scan.rest()),
            Item::Operand(operand) => return of.args.get(operand.at + usize::from(operand.word == "-")..),
        }
    }
}

/// Fills the marks of `parallel`.
fn fill(line: &str, item: &str) -> String {
    let mut out = line.to_owned();
    for mark in ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}", "{3}"] {
        if out.contains(mark) {
            out = replaced(&out, mark, item);
        }
    }
    out
}
