//! Interpreters: where their code stands on the command line, and with what it is run.

use std::rc::Rc;

use super::Interp;
use super::action::Kind;
use super::exec::{Call, base_name};
use super::state::Data;
use super::value::{COMPUTED, DECODED, HOLE, NET, OWNED, origins};
use crate::options::{Options, letters, plain_words};
use crate::path::Place;

/// Lines of a list with which a code is followed one by one.
const MOST_LINES: usize = 8;

impl Interp<'_> {
    pub(super) fn interpreter(
        &mut self,
        language: &'static super::code::Language,
        args: &[String],
        call: &Call,
    ) -> Data {
        let mut code: Option<String> = None;
        let mut rest = args;
        let (mut reads, mut writes) = (false, false);
        let mut option = "";
        while let Some((arg, after)) = rest.split_first() {
            if language.verbs.contains(&arg.as_str()) {
                rest = after;
                continue;
            }
            let ready = language.verbs.is_empty() || rest.len() < args.len();
            if language.operand && ready && !arg.starts_with('-') {
                code = Some(arg.clone());
                rest = after;
                break;
            }
            // `-m json.tool`, `-mjson.tool`
            if let Some(joined) = language.module.and_then(|option| arg.strip_prefix(option)) {
                self.module(language, joined, after, call);
                // A module reads standard input as data.
                return Data::from(COMPUTED.to_string());
            }
            self.interpreter_option(language, arg, after, call);
            if !arg.starts_with('-') || arg == "-" || arg == "--" {
                break;
            }
            if language.loops && !arg.starts_with("--") {
                let letters = || arg.chars().skip(1).take_while(|c| c.is_ascii_alphanumeric() && !"eEIMm".contains(*c));
                reads |= letters().any(|c| matches!(c, 'n' | 'p'));
                writes |= letters().any(|c| c == 'i');
            }
            if language.code.contains(&arg.as_str()) {
                option = arg;
                code = after.first().map(|first| match &code {
                    Some(before) => format!("{before}\n{first}"),
                    None => first.clone(),
                });
                rest = after.get(1..).unwrap_or_default();
                continue;
            }
            // `-ne 'code'`, `-we'code'`: the last letter of a bundle takes what follows.
            let zero = language.loops
                && arg.strip_prefix("-0").is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
            let joined = language.code.iter().filter(|option| option.len() == 2).find_map(|option| {
                let letter = option.chars().nth(1)?;
                let bundle = letters(arg)?;
                let at = bundle.find(letter)?;
                let before = bundle.get(..at)?;
                before.chars().all(|c| c.is_ascii_alphanumeric()).then(|| bundle.get(at + 1..).unwrap_or_default())
            });
            if let Some(joined) = joined.filter(|_| zero || !language.values.iter().any(|value| arg.starts_with(value)))
            {
                if joined.is_empty() {
                    code = after.first().cloned();
                    rest = after.get(1..).unwrap_or_default();
                } else {
                    code = Some(joined.to_owned());
                    rest = after;
                }
                continue;
            }
            if let Some((name, value)) = arg.split_once('=')
                && language.code.contains(&name)
            {
                code = Some(value.to_owned());
            }
            // `-i` and `-0` of Perl have their value joined or none; `-i inplace` of awk writes its files.
            let alone = language.loops && matches!(arg.as_str(), "-i" | "-0");
            let takes = language.values.contains(&arg.as_str()) && !alone;
            writes |= language.operand && takes && after.first().is_some_and(|value| value == "inplace");
            rest = after.get(usize::from(takes)..).unwrap_or_default();
        }
        let rest = rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest);
        if let Some(code) = code {
            let printed = self.given_code(language, &code, rest, (reads, writes), option, call);
            let fields = if language.operand { self.awk_prints(args, &code, rest, &call.stdin) } else { None };
            return fields.unwrap_or(printed);
        }
        match rest.first() {
            Some(file) if file.starts_with("https://") || file.starts_with("http://") => {
                self.act_at(Kind::RunRemote, None, super::shown(file), call.span);
            }
            Some(file) if file != "-" => {
                let content = if file.starts_with('<') { None } else { self.content(file) };
                if let Some(content) = content {
                    self.run_code(language, &content, call);
                } else if self.place_of(file) == Place::Sink && file.contains("stdin") {
                    self.run_code(language, &Rc::clone(&call.stdin), call);
                } else {
                    self.script_out_of_archive(file, call);
                }
            }
            _ if language.operand => {}
            _ => self.run_code(language, &Rc::clone(&call.stdin), call),
        }
        // Settings for a shell, as `perl -Mlocal::lib` prints them.
        let settings = language.loops && args.iter().any(|arg| arg.starts_with("-Mlocal::lib"));
        Data::from(if settings { HOLE } else { COMPUTED }.to_string())
    }

    /// Code on the command line, with the operands that it is given.
    fn given_code(
        &mut self,
        language: &'static super::code::Language,
        code: &str,
        rest: &[String],
        (reads, writes): (bool, bool),
        option: &str,
        call: &Call,
    ) -> Data {
        self.code_args = if language.operand { Vec::new() } else { rest.to_vec() };
        if reads && rest.is_empty() {
            // `$_` is each line of what is given.
            self.code_values.push(("_".to_owned(), call.stdin.trim_end().to_owned()));
            // Of a list that the guard's files were added to, each is looked at alone.
            let mut told = 0;
            for line in call.stdin.lines().filter(|_| self.listed > super::listed::Listed::No).collect::<Vec<_>>() {
                told += 1;
                if told > MOST_LINES && !line.contains(OWNED) {
                    continue;
                }
                let whole = std::mem::replace(&mut self.code_values, vec![("_".to_owned(), line.to_owned())]);
                self.run_code(language, code, call);
                self.code_values = whole;
            }
        }
        self.run_code(language, code, call);
        let printed = self.code_prints(language, code, option);
        self.code_args.clear();
        self.code_values.clear();
        if language.operand {
            for file in rest.iter().filter(|file| !is_assignment_like(file)) {
                self.read_file(file, call.span);
                if writes {
                    self.written_file(file, false, call.span);
                }
            }
        }
        for file in rest.iter().filter(|_| reads) {
            self.read_file(file, call.span);
            if writes {
                self.written_file(file, false, call.span);
            }
        }
        match printed {
            Some(text) if !reads => Data::from(text),
            // It works out by itself what it prints.
            _ if call.stdin.is_empty() && !reads && !language.operand => Data::from(COMPUTED.to_string()),
            _ => Data::from(origins(&call.stdin)),
        }
    }

    /// Modules that are fetched, and variables that `awk` is given.
    fn interpreter_option(
        &mut self,
        language: &'static super::code::Language,
        option: &str,
        after: &[String],
        call: &Call,
    ) {
        let module = match option {
            "--import" | "-r" | "--require" | "--loader" => after.first().map(String::as_str),
            // `deno run FILE`, `bun run FILE`
            "run" => plain_words(after).next().map(String::as_str),
            _ => option.strip_prefix("--import="),
        };
        if module.is_some_and(|module| module.starts_with("http://") || module.starts_with("https://")) {
            self.act_at(Kind::RunRemote, None, "a module from the network".to_owned(), call.span);
        }
        if option == "run" && after.iter().any(|arg| arg == "-") {
            self.run_code(language, &Rc::clone(&call.stdin), call);
        }
        let variable = after.first().and_then(|value| value.split_once('='));
        if let Some((name, value)) = variable.filter(|_| language.operand && option == "-v") {
            self.code_values.push((name.to_owned(), value.to_owned()));
        }
    }

    /// `python -m MODULE` where the module takes code: `timeit`, `pdb`.
    fn module(&mut self, language: &'static super::code::Language, joined: &str, args: &[String], call: &Call) {
        let (module, rest) = match args.split_first() {
            Some((module, rest)) if joined.is_empty() => (module.as_str(), rest),
            _ => (joined, args),
        };
        self.module_writes(module, rest, call);
        let options = Options::all(rest, &["-s", "--setup", "-n", "-r", "-u", "-c"]);
        let code: Vec<&str> = match module {
            "timeit" => options.values(&["-s", "--setup"]).chain(options.operands.iter().copied()).collect(),
            "IPython" | "ipython" => {
                options.values(&["-c"]).for_each(|code| self.notebook_lines(code, call));
                options.values(&["-c"]).collect()
            }
            "pdb" => options.values(&["-c"]).map(|command| command.trim_start_matches(['!', ' '])).collect(),
            "json.tool" | "base64" | "quopri" | "uu" => {
                for file in &options.operands {
                    self.reads(file, call);
                }
                return;
            }
            _ => return,
        };
        for code in code {
            self.run_code(language, code, call);
        }
    }

    pub(super) fn run_code(&mut self, language: &super::code::Language, code: &str, call: &Call) {
        if code.contains(NET) {
            self.act_at(Kind::RunRemote, None, "code from the network".to_owned(), call.span);
        } else if code.contains(DECODED) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
        self.nested += code.len();
        if self.nested > super::MOST_NESTED || self.depth >= super::MOST_DEPTH {
            self.give_up_at(call.span);
            return;
        }
        self.depth += 1;
        self.subshell(|interp| interp.code(language, code, call));
        self.depth -= 1;
    }
}

fn is_assignment_like(arg: &str) -> bool {
    super::exec::is_assignment(arg) || base_name(arg).is_empty()
}
