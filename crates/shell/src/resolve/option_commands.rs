//! Programs that run text or other programs: by options and settings, as interpreters, once for each item, as tasks of a project.

use crate::options::{Item, Options, Scan, letters, plain_words};
use crate::path::is_unknown;
use crate::programs::{self, Invocation, Language, PYTHON, Tongue, Tool, Trait, agents};
use crate::resolve::action::{Kind, Run};
use crate::resolve::exec::{Call, base_name, quoted};
use crate::resolve::state::{Data, Var};
use crate::resolve::taint::{
    ENVIRONMENT, IGNORED_ITEM, LIST_ITEM, PROGRAM_OUTPUT, PROTECTED_ITEM, SECRET_VARIABLES, SERVER_PID, SHELL_OUTPUT,
    TAINT_DECODED, TAINT_NETWORK, TAINT_SECRET, UNKNOWN, activate_globs, is_literal, is_placeholder, replaced,
    taint_of,
};
use crate::resolve::{Interp, shown};
use std::rc::Rc;

impl Interp<'_> {
    /// What a program starts because of its options and what it is given to read. What it does beside that is followed elsewhere.
    pub(in crate::resolve) fn launches(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, name, args } = *of;
        self.holds_client(of, call);
        let options = program.lines;
        if !options.is_empty() {
            for line in of.options().values(options) {
                self.launched(line, call);
            }
        }
        let runs = args.first().is_some_and(|arg| arg == "run");
        // They fetch what their first operand names, and run it.
        self.package_fetched(of, call);
        if program.tool == Tool::Uvx || runs && matches!(program.tool, Tool::Uv | Tool::Pipx | Tool::Go) {
            let own = if runs { args.get(1..).unwrap_or_default() } else { args };
            let operand = of.with(own).leading().1.first();
            if let Some(url) = operand.filter(|url| url.starts_with("https://") || url.starts_with("http://")) {
                self.act_at(Kind::RunRemote, None, shown(url), call.span);
            }
        }
        match program.tool {
            Tool::Make => self.make(of, call),
            Tool::Apt | Tool::Aptitude => {
                // `-o DPkg::Pre-Invoke::=LINE`
                for (key, line) in
                    of.options().values(&["-o", "--option"]).filter_map(|setting| setting.split_once('='))
                {
                    if key.to_ascii_lowercase().contains("invoke") {
                        self.launched(line, call);
                    }
                }
            }
            Tool::Gh if args.starts_with(&["alias".to_owned(), "set".to_owned()]) => {
                let options = of.options();
                if let Some(line) = options.operands.get(3) {
                    let shell = options.has(&["-s", "--shell"]);
                    if let Some(line) = line.strip_prefix('!').or_else(|| shell.then_some(line)) {
                        self.launched(line, call);
                    }
                }
            }
            Tool::Dc => {
                let texts = args.iter().map(String::as_str).chain([call.stdin.as_ref()]);
                for line in texts.flat_map(str::lines).filter_map(|line| line.trim().strip_prefix('!')) {
                    self.launched(line, call);
                }
            }
            Tool::M4 => self.macros(&Rc::clone(&call.stdin), "syscmd(", ')', call),
            Tool::Tex => {
                for arg in args {
                    self.macros(arg, "write18{", '}', call);
                }
            }
            Tool::Cmake => self.cmake(args, call),
            Tool::Cargo => self.cargo_settings(of, call),
            Tool::Unzip | Tool::SevenZip => {
                self.archiver(of, call);
            }
            Tool::Docker | Tool::DockerCompose | Tool::PodmanCompose | Tool::Kubectl => {
                self.container_copy(of, call);
            }
            Tool::Pager | Tool::Most => {
                for line in args.iter().filter_map(|arg| arg.strip_prefix("+!")) {
                    self.launched(line, call);
                }
            }
            Tool::Sftp => {
                self.ssh_options(&of.options(), call);
            }
            Tool::Psql | Tool::Mysql | Tool::Sqlite3 => {
                self.database_client(of, call);
                self.statements_of_files(of, call);
            }
            Tool::Gdb => self.debugger(of, call),
            Tool::Nix => self.flake(args, call),
            _ if name == agents::TYPED => self.own_plugin(args, call),
            Tool::Tmux => {
                self.terminals_ended(of, call);
                // `bind x run-shell LINE`, `set-hook -g h 'run-shell LINE'`
                for (at, arg) in args.iter().enumerate() {
                    let inner = arg.strip_prefix("run-shell ").or_else(|| arg.strip_prefix("run "));
                    if let Some(line) = inner {
                        self.launched(line.trim_matches(['"', '\'']), call);
                    } else if at > 0 && matches!(arg.as_str(), "run-shell" | "if-shell") {
                        self.launched(args.get(at + 1).map_or("", String::as_str), call);
                    }
                }
            }
            Tool::Screen | Tool::Zellij => self.terminals_ended(of, call),
            Tool::Salt => {
                if let Some(at) =
                    args.iter().position(|arg| matches!(arg.as_str(), "cmd.run" | "cmd.run_all" | "cmd.shell"))
                {
                    let line = args.get(at + 1).cloned().unwrap_or_default();
                    self.subshell(|interp| {
                        interp.state.remote = true;
                        interp.run_text(&line, call)
                    });
                }
            }
            _ => self.tasks(of, call),
        }
    }

    /// `unzip`, `7z`: what they pack, unpack and remove.
    fn archiver(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { name, args, .. } = *of;
        self.unpacks(of);
        // Of an archive, the files of these names are taken out.
        if name.ends_with("unzip") && !args.iter().any(|arg| matches!(arg.as_str(), "-l" | "-p" | "-t" | "-v")) {
            let options = of.options();
            let taken: Vec<String> = options.operands.iter().skip(1).map(|name| activate_globs(name)).collect();
            if options.value(&["-d"]).is_none() {
                self.own_paths(&taken.iter().map(String::as_str).collect::<Vec<_>>(), call);
            }
        }
        if let [verb, rest @ ..] = args
            && matches!(verb.as_str(), "a" | "u")
        {
            self.packs(&of.with(rest), call);
        }
        if args.iter().any(|arg| arg == "-sdel") {
            for path in plain_words(args.get(2..).unwrap_or_default()) {
                self.act_on(Kind::Move, path, call.span);
            }
        }
    }

    pub(in crate::resolve) fn launched(&mut self, line: &str, call: &Call) {
        if !line.trim().is_empty() {
            let inner = Call { stdin: Data::from(""), span: call.span };
            self.branch(|interp| interp.subshell(|interp| interp.run_text(line, &inner)));
        }
    }

    /// `make`: rules given as an option, on standard input, or in a file that this line writes.
    fn make(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if options.has(&["-n", "--just-print", "--dry-run", "--recon", "-v", "--version", "-h", "--help"]) {
            return;
        }
        self.makes_archive(options.value(&["-C", "--directory"]), call);
        self.subshell(|interp| {
            if let Some(dir) = options.value(&["-C", "--directory"]) {
                interp.cd(&[dir.to_owned()]);
            }
            // Every recipe is handed to it.
            let shell = of.args.iter().find_map(|arg| arg.strip_prefix("SHELL="));
            if let Some(shell) = shell.filter(|shell| shell.contains(' ')) {
                interp.launched(shell, call);
            }
            interp.makefiles(&options, call);
        });
    }

    fn makefiles(&mut self, options: &Options<'_>, call: &Call) {
        for text in options.values(&["-E", "--eval"]) {
            self.makefile(text, call);
        }
        let mut files: Vec<&str> = options.values(&["-f", "--file", "--makefile"]).collect();
        if files.is_empty() {
            files.extend(["GNUmakefile", "makefile", "Makefile"]);
        }
        for file in files {
            if let Some(text) = self.text_of_source(file, call) {
                self.run_from_elsewhere(&text, file, call);
                self.makefile(&text, call);
            }
        }
    }

    fn makefile(&mut self, text: &str, call: &Call) {
        let text = text.replace("\\\n", " ");
        self.subshell(|interp| {
            for line in text.lines() {
                for inner in line.split("$(shell ").skip(1) {
                    interp.launched(inner.rsplit_once(')').map_or(inner, |(inner, _)| inner), call);
                }
                let recipe = line
                    .strip_prefix('\t')
                    .or_else(|| line.split_once(';').filter(|(head, _)| head.contains(':')).map(|(_, recipe)| recipe));
                if let Some(recipe) = recipe {
                    let recipe = recipe.trim_start_matches(['@', '-', '+', ' ', '\t']);
                    interp.launched(&with_shell_variables(recipe), call);
                } else if let Some((name, value)) = line.split_once('=') {
                    let name = name.trim_end_matches([':', '?', '+', '!', ' ']).trim();
                    if !name.contains([' ', ':']) {
                        interp.state.set(name, Var::one(value.trim()));
                    }
                }
            }
        });
    }

    /// Lines that a macro of the text hands to a shell, up to the sign that closes it.
    fn macros(&mut self, text: &str, open: &str, close: char, call: &Call) {
        for inner in text.split(open).skip(1) {
            let line = inner.split(close).next().unwrap_or(inner);
            self.launched(line.trim_matches(['`', '\'', ' ']), call);
        }
    }

    /// `cmake -E VERB …`: the tools that it brings along.
    fn cmake(&mut self, args: &[String], call: &Call) {
        let Some((verb, rest)) =
            args.split_first().filter(|(first, _)| *first == "-E").and_then(|(_, rest)| rest.split_first())
        else {
            return;
        };
        let (rest, dir) = match verb.as_str() {
            "chdir" => (rest.get(1..).unwrap_or_default(), rest.first()),
            _ => (rest, None),
        };
        let head: &[&str] = match verb.as_str() {
            "rm" | "env" | "time" => &[verb.as_str()],
            "remove" => &["rm"],
            "remove_directory" => &["rm", "-r"],
            "rename" => &["mv"],
            "copy" => &["cp"],
            "copy_directory" => &["cp", "-r"],
            "chdir" => &[],
            _ => return,
        };
        let argv: Vec<String> = head.iter().map(|word| (*word).to_owned()).chain(rest.iter().cloned()).collect();
        self.subshell(|interp| {
            if let Some(dir) = dir {
                interp.cd(std::slice::from_ref(dir));
            }
            interp.exec(&argv, call)
        });
    }

    /// Lines by which the client of a database starts a program: `\\! LINE`, `.shell LINE`, `COPY … PROGRAM 'LINE'`.
    fn database_client(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let mut texts: Vec<String> =
            options.values(&["-c", "--command", "-e", "--execute", "-cmd"]).map(str::to_owned).collect();
        texts.extend(options.operands.iter().map(|operand| (*operand).to_owned()));
        texts.extend(
            options.values(&["-f", "--file"]).filter_map(|file| self.content(file)).map(|text| text.to_string()),
        );
        texts.push(call.stdin.to_string());
        self.statements_fetched(&texts, call);
        for line in texts.iter().flat_map(|text| text.lines()) {
            if let Some(line) = client_line(line.trim()) {
                self.launched(&line, call);
            }
        }
    }

    /// Statements that this line fetches from an address, and nobody has read. A dump that `ssh` or a store hands out is one's own.
    fn statements_fetched(&mut self, texts: &[String], call: &Call) {
        let local = |arg: &String| ["localhost", "127.0.0.1", "[::1]"].iter().any(|host| arg.contains(host));
        let fetches = |run: &Run| {
            let web = matches!(programs::tool(&run.program), Tool::Curl | Tool::Wget | Tool::Httpie | Tool::Fetchers);
            web && !run.args.iter().any(local)
        };
        if texts.iter().any(|text| text.contains(TAINT_NETWORK)) && self.report.runs.iter().any(fetches) {
            self.act_at(Kind::RunComputed, None, "statements from the network".to_owned(), call.span);
        }
    }

    /// The guard as a plugin of the host, which takes plugins out by a command of its own.
    fn own_plugin(&mut self, args: &[String], call: &Call) {
        let words: Vec<&str> = plain_words(args).map(String::as_str).collect();
        if let ["plugin" | "plugins", "disable" | "uninstall" | "remove" | "rm", plugins @ ..] = words.as_slice()
            && plugins.iter().any(|plugin| self.places.layout.names_program(plugin) || plugin.contains(is_placeholder))
        {
            self.act_at(Kind::Guard, None, shown(&format!("{} {}", agents::TYPED, args.join(" "))), call.span);
        }
    }

    /// `gdb -ex 'shell LINE'`, `lldb -o 'platform shell LINE'`.
    fn debugger(&mut self, of: &Invocation<'_>, call: &Call) {
        const COMMANDS: &[&str] = &[
            "-ex", "--ex", "-iex", "--iex", "-eval-command", "--eval-command", "-init-eval-command",
            "--init-eval-command", "-o", "--one-line", "-O", "--one-line-before-file", "-k", "--one-line-on-crash",
        ];
        const FILES: &[&str] = &["-x", "-command", "--command", "-s", "--source", "-S", "--source-before-file"];
        let args = of.args;
        let options = of.options();
        let own = args.iter().position(|arg| matches!(arg.as_str(), "--args" | "--")).unwrap_or(args.len());
        let options_end = if own == args.len() { options.options.len() } else { own };
        let mut texts: Vec<String> = options
            .options
            .iter()
            .take(options_end)
            .filter(|given| given.is_one_of(COMMANDS))
            .filter_map(|given| given.value().map(str::to_owned))
            .collect();
        texts.extend(options.values(FILES).filter_map(|file| self.content(file)).map(|text| text.to_string()));
        texts.push(call.stdin.to_string());
        for line in texts.iter().flat_map(|text| text.lines()) {
            let line = line.trim();
            let after = |words: &[&str]| words.iter().find_map(|word| line.strip_prefix(word));
            if let Some(line) = after(&["shell ", "!", "platform shell ", "make "]) {
                self.launched(line, call);
            } else if let Some(code) = after(&["python ", "py ", "python-interactive ", "pi ", "script "]) {
                self.inline(super::code::language("python"), code, call);
            } else if let Some((_, line)) = after(&["pipe ", "|"]).and_then(|rest| rest.split_once('|')) {
                self.launched(line, call);
            } else if let Some(code) = after(&["call ", "print ", "p ", "compile code ", "expr ", "expression "]) {
                self.inline(Some(super::code::VIM), code, call);
            }
        }
    }

    /// `cargo --config KEY=VALUE`, whose value cargo starts: a runner, a wrapper of the compiler, a linker, or words of its own.
    fn cargo_settings(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        for setting in options.values(&["--config"]) {
            let mut quoted = false;
            let split = setting.find(|c| {
                quoted ^= c == '"';
                c == '=' && !quoted
            });
            let Some((key, value)) = split.and_then(|at| setting.split_at_checked(at)) else { continue };
            let key = key.trim();
            let line = toml_words(value.trim_start_matches('=').trim());
            if let Some(alias) = key.strip_prefix("alias.") {
                if options.operands.contains(&alias) {
                    let argv: Vec<String> =
                        std::iter::once("cargo").chain(line.split_whitespace()).map(str::to_owned).collect();
                    self.branch(|interp| interp.subshell(|interp| interp.exec(&argv, call)));
                }
                continue;
            }
            let variable = match key.rsplit('.').next().unwrap_or(key) {
                "runner" | "linker" => "CARGO_TARGET_HOST_RUNNER",
                "rustc-wrapper" | "rustc-workspace-wrapper" | "rustc" | "rustdoc" => "RUSTC_WRAPPER",
                "credential-provider" | "global-credential-providers" => "GIT_ASKPASS",
                _ => continue,
            };
            self.command_variable(variable, &line, call);
        }
    }

    fn inline(&mut self, language: Option<&'static Language>, code: &str, call: &Call) {
        if let Some(language) = language {
            self.branch(|interp| interp.run_code(language, code, call));
        }
    }

    /// `nix run FLAKE#PROGRAM -- ARGUMENTS`
    fn flake(&mut self, args: &[String], call: &Call) {
        let Some(("run", rest)) = args.split_first().map(|(verb, rest)| (verb.as_str(), rest)) else { return };
        let program = plain_words(rest).next().and_then(|flake| flake.rsplit_once('#'));
        let given = rest.iter().position(|arg| arg == "--").and_then(|at| rest.get(at + 1..));
        if let (Some((_, program)), Some(given)) = (program, given) {
            let program = programs::of_package(program).to_owned();
            let argv: Vec<String> = std::iter::once(program).chain(given.iter().cloned()).collect();
            self.subshell(|interp| interp.exec(&argv, call));
        }
    }
}

/// A text or a list of texts as TOML has them, as a line for a shell.
fn toml_words(value: &str) -> String {
    let Some(list) = value.strip_prefix('[') else {
        let text =
            value.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(|text| text.replace("\\\"", "\""));
        return text.unwrap_or_else(|| value.trim_matches('\'').to_owned());
    };
    let words = list.trim_end_matches(']').split(',').map(|word| word.trim().trim_matches(['"', '\'']));
    words.filter(|word| !word.is_empty()).map(quoted).collect::<Vec<_>>().join(" ")
}

/// The line for a shell that a line for a database's client holds.
fn client_line(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix("\\!").or_else(|| line.strip_prefix("system ")) {
        return Some(rest.trim().trim_end_matches(';').to_owned());
    }
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    let cut_short = |name: &str| word.len() >= 3 && name.starts_with(word);
    if cut_short(".shell") || cut_short(".system") {
        return Some(rest.to_owned());
    }
    let piped = rest.trim_matches(['"', '\'']).strip_prefix('|');
    if let Some(line) = piped.filter(|_| word.starts_with('.') || word.starts_with('\\')) {
        return Some(line.split_once('"').map_or(line, |(line, _)| line).to_owned());
    }
    let lower = line.to_ascii_lowercase();
    if lower.contains("copy") {
        let at = lower.find("program")?;
        return line.get(at..)?.split('\'').nth(1).map(str::to_owned);
    }
    None
}

/// Variables of `make` as the shell writes them, and `$$` as `$`.
fn with_shell_variables(recipe: &str) -> String {
    let mut out = String::with_capacity(recipe.len());
    let mut rest = recipe;
    while let Some(at) = rest.find('$') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 1..).unwrap_or_default();
        if let Some(after) = after.strip_prefix('$') {
            out.push('$');
            rest = after;
            continue;
        }
        let name = after.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        match name {
            Some((name, after)) if !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) => {
                out.push_str("${");
                out.push_str(name);
                out.push('}');
                rest = after;
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

/// Lines of a list with which a code is followed one by one.
const MOST_LINES: usize = 8;

impl Interp<'_> {
    pub(in crate::resolve) fn interpreter(
        &mut self,
        language: &'static Language,
        args: &[String],
        call: &Call,
    ) -> Data {
        let mut code: Option<String> = None;
        let mut rest = args;
        let (mut reads, mut writes) = (false, false);
        let (mut scripted, mut checks, mut of_file) = (false, false, false);
        let mut option = "";
        while let Some((arg, after)) = rest.split_first() {
            if !of_file && rest.len() == args.len() && language.runs.contains(&arg.as_str()) {
                of_file = true;
                rest = after;
                continue;
            }
            if let Some((file, used)) = language.file_given(arg, after) {
                scripted = true;
                self.script_file(language, file, call);
                rest = after.get(used..).unwrap_or_default();
                continue;
            }
            checks |= language.only_checks(arg);
            if language.verbs.contains(&arg.as_str()) {
                rest = after;
                continue;
            }
            let ready = !of_file && (language.verbs.is_empty() || rest.len() < args.len());
            if language.operand && ready && !scripted && !arg.starts_with('-') {
                code = Some(arg.clone());
                rest = after;
                break;
            }
            // `-m json.tool`, `-mjson.tool`
            if let Some(joined) = language.module.and_then(|option| arg.strip_prefix(option)) {
                self.module(language, joined, after, call);
                // A module reads standard input as data.
                return Data::from(PROGRAM_OUTPUT.to_string());
            }
            self.interpreter_option(language, arg, after, call);
            if !arg.starts_with('-') || arg == "-" || arg == "--" {
                break;
            }
            if language.loops && !arg.starts_with("--") {
                let letters =
                    || arg.chars().skip(1).take_while(|c| c.is_ascii_alphanumeric() && !"eEIMmrCF".contains(*c));
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
        if checks && code.is_none() {
            return Data::from(UNKNOWN.to_string());
        }
        // With a file of code, the operands are for that; a Lisp goes on to what follows.
        let code = code.or_else(|| (scripted && !language.lisp).then(String::new));
        if let Some(code) = code {
            let printed = self.given_code(language, &code, rest, (reads, writes), option, call);
            let fields = if language.operand { self.awk_prints(args, &code, rest, &call.stdin) } else { None };
            return fields.unwrap_or(printed);
        }
        self.script(language, rest, of_file, call);
        // Settings for a shell, as `perl -Mlocal::lib` prints them.
        let settings = language.loops && args.iter().any(|arg| arg.starts_with("-Mlocal::lib"));
        Data::from(if settings { UNKNOWN } else { PROGRAM_OUTPUT }.to_string())
    }

    /// The script that an interpreter is given as its first operand, or reads where there is none.
    fn script(&mut self, language: &'static Language, rest: &[String], of_file: bool, call: &Call) {
        match rest.first() {
            Some(file) if file.starts_with("https://") || file.starts_with("http://") => {
                self.act_at(Kind::RunRemote, None, shown(file), call.span);
            }
            _ if language.operand && !of_file && rest.is_empty() => {}
            file => {
                // What a script is given; Node counts the script itself.
                let skip = usize::from(language.tongue != Tongue::JavaScript);
                self.code_args = rest.get(skip..).unwrap_or_default().to_vec();
                self.script_file(language, file.map_or("-", String::as_str), call);
                self.code_args.clear();
                if file.is_none_or(|file| file == "-") {
                    let operands = rest.get(1..).unwrap_or_default();
                    self.code_reads_operands(language, &Rc::clone(&call.stdin), operands, call);
                }
            }
        }
    }

    /// A file of code that an interpreter runs.
    fn script_file(&mut self, language: &'static Language, file: &str, call: &Call) {
        match self.text_of_source(file, call).filter(|_| !file.starts_with('<')) {
            Some(text) => self.run_code(language, &text, call),
            None => self.script_out_of_archive(file, call),
        }
    }

    /// Code on the command line, with the operands that it is given.
    fn given_code(
        &mut self,
        language: &'static Language,
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
                if told > MOST_LINES && !line.contains(PROTECTED_ITEM) {
                    continue;
                }
                let whole = std::mem::replace(&mut self.code_values, vec![("_".to_owned(), line.to_owned())]);
                self.run_code(language, code, call);
                self.code_values = whole;
            }
        }
        self.run_code(language, code, call);
        self.expression_shows(language, code, option, call);
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
        if !reads && !language.operand {
            self.code_reads_operands(language, code, rest, call);
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
            _ if call.stdin.is_empty() && !reads && !language.operand => Data::from(PROGRAM_OUTPUT.to_string()),
            _ => Data::from(taint_of(&call.stdin)),
        }
    }

    /// Modules that are fetched, and variables that `awk` is given.
    fn interpreter_option(&mut self, language: &'static Language, option: &str, after: &[String], call: &Call) {
        let module = match option {
            "--import" | "-r" | "--require" | "--loader" => after.first().map(String::as_str),
            _ => option.strip_prefix("--import="),
        };
        if module.is_some_and(|module| module.starts_with("http://") || module.starts_with("https://")) {
            self.runs_remote("a module from the network", call.span);
        }
        // One that this line has fetched.
        if let Some(text) = module.filter(|module| *module != "-").and_then(|module| self.content(module)) {
            self.run_from_elsewhere(&text, "a module", call);
        }
        let variable = after.first().and_then(|value| value.split_once('='));
        if let Some((name, value)) = variable.filter(|_| language.operand && option == "-v") {
            self.code_values.push((name.to_owned(), value.to_owned()));
        }
    }

    /// `python -m MODULE` where the module takes code: `timeit`, `pdb`.
    fn module(&mut self, language: &'static Language, joined: &str, args: &[String], call: &Call) {
        let (module, rest) = match args.split_first() {
            Some((module, rest)) if joined.is_empty() => (module.as_str(), rest),
            _ => (joined, args),
        };
        self.module_writes(module, rest, call);
        self.origin_set(&Invocation::new(module, rest), call);
        self.sourced(&Invocation::new(module, rest), call);
        let options = Options::all(rest, &["-s", "--setup", "-n", "-r", "-u", "-c"]);
        let code: Vec<&str> = match module {
            // `python -m dotenv` is the program of that name.
            "dotenv" => {
                let argv: Vec<String> = args.iter().skip_while(|arg| *arg != "dotenv").cloned().collect();
                self.exec(&argv, call);
                return;
            }
            "timeit" => options.values(&["-s", "--setup"]).chain(options.operands.iter().copied()).collect(),
            "IPython" | "ipython" => {
                options.values(&["-c"]).for_each(|code| self.notebook_lines(code, call));
                options.values(&["-c"]).collect()
            }
            "pdb" => options.values(&["-c"]).map(|command| command.trim_start_matches(['!', ' '])).collect(),
            "json.tool" | "base64" | "quopri" | "uu" | "tokenize" | "ast" | "dis" | "pickletools" | "pickle"
            | "pyclbr" | "difflib" => {
                if let Some(file) = options.operands.first() {
                    self.reads_input(file);
                }
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

    pub(in crate::resolve) fn run_code(&mut self, language: &Language, code: &str, call: &Call) {
        if code.contains(TAINT_NETWORK) {
            self.runs_remote("code from the network", call.span);
        } else if code.contains(TAINT_DECODED) {
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

/// Whether a program of this name is a shell.
pub(in crate::resolve) fn is_shell(name: &str) -> bool {
    programs::is(name, Trait::Shell)
}

/// Items of a list that are followed one by one.
const MOST_ITEMS: usize = 32;
/// Items that one program is given together.
const MOST_GIVEN: usize = 4096;

impl Interp<'_> {
    /// Programs of this module; `None` for others.
    pub(in crate::resolve) fn script_program(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, name, args } = *of;
        if is_shell(name) {
            return Some(self.shell(of, call));
        }
        if let Some(language) = super::code::language(name) {
            if name.starts_with("ipython") {
                let code: Data = of.options().value(&["-c"]).map_or_else(|| Rc::clone(&call.stdin), Data::from);
                self.notebook_lines(&code, call);
            }
            return Some(self.interpreter_shows(language, args, call));
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
            return Data::from(UNKNOWN.to_string());
        }
        self.act_at(Kind::Schedule, None, "a job for later".to_owned(), call.span);
        match options.value(&["-f"]) {
            Some(file) => self.run_file(file, &[], call),
            None => self.run_input(call),
        }
    }

    fn shell(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (mut command, mut no_exec, mut from_stdin, mut traces) = (false, false, false, false);
        let mut scan = Scan::new(of.args, of.program.options);
        while let Some(given) = scan.leading() {
            if given.is_one_of(&["--help", "--version"]) {
                return Data::from(UNKNOWN.to_string());
            }
            if let Some(file) = given.value().filter(|_| given.is_one_of(&["--rcfile", "--init-file"])) {
                self.run_file(file, &[], call);
            }
            let on = given.word.starts_with('-');
            command |= on && given.is("-c");
            from_stdin |= on && given.is("-s");
            traces |= on && (given.is("-x") || given.is("-v") || matches!(given.value(), Some("xtrace" | "verbose")));
            if given.is("-n") || given.value() == Some("noexec") {
                no_exec = on;
            }
        }
        let rest = scan.rest().strip_prefix(&["-".to_owned()]).unwrap_or(scan.rest());
        if no_exec {
            return Data::from("");
        }
        self.subshell(|interp| {
            interp.state.traced |= traces;
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
                    if is_literal(&call.stdin) && !call.stdin.is_empty() {
                        printed
                    } else {
                        Data::from(format!("{SHELL_OUTPUT}{}", taint_of(&printed)))
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
            options.value(&["-d", "--delimiter"]).and_then(|text| super::printed::unescape(text).chars().next());
        let whole_lines = options.has(&["-I", "-i", "--replace", "-0", "--null"]) || delimiter.is_some();
        let mut items: Vec<String> = if input.contains([TAINT_NETWORK, TAINT_DECODED]) {
            // One origin is as good as many items.
            vec![taint_of(&input)]
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
            return Data::from(UNKNOWN.to_string());
        }
        let split = rest.iter().position(|arg| arg.starts_with(":::")).unwrap_or(rest.len());
        let (command, sources) = rest.split_at(split);
        let mut items: Vec<String> = sources.iter().filter(|arg| !arg.starts_with(":::")).cloned().collect();
        if sources.first().is_some_and(|mark| mark.starts_with("::::")) {
            items = vec![LIST_ITEM.to_string()];
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
        let dir = options.value(&["--workdir", "--wd"]).filter(|dir| *dir != "...");
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
                if let Some(dir) = dir {
                    interp.git_dir(dir);
                }
                interp.run_text(&text, &inner)
            }));
        }
        printed.data()
    }

    fn ssh(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (options, rest) = of.leading();
        self.ssh_options(&options, call);
        if call.stdin.contains(TAINT_SECRET) {
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
            return Data::from(TAINT_NETWORK.to_string());
        }
        // This machine, as the user who is logged in; behind another port there is mostly another one.
        let here = matches!(rest.first().map(String::as_str), Some("localhost" | "127.0.0.1" | "::1"))
            && !options.has(&["-p", "-o", "-F", "-l", "-J"]);
        let printed = self.subshell(|interp| {
            let remote = interp.state.remote;
            interp.log_in();
            interp.state.remote = remote || !here;
            interp.run_text(&command.join(" "), call)
        });
        // Whatever else it prints, secrets of that machine stay secrets.
        let secret = |c: &char| *c == ENVIRONMENT || SECRET_VARIABLES.contains(c);
        Data::from(format!("{TAINT_NETWORK}{}", printed.chars().filter(secret).collect::<String>()))
    }

    /// A shell on another machine begins in the home directory there.
    pub(in crate::resolve) fn log_in(&mut self) {
        self.state.remote = true;
        self.state.cwds = Rc::new(vec![Some(self.places.home.clone())]);
    }

    /// `-o ProxyCommand=…` and its like run a local command.
    pub(in crate::resolve) fn ssh_options(&mut self, options: &Options<'_>, call: &Call) {
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
                    let text = super::printed::utf16(&value);
                    if text.as_deref().is_none_or(super::code::hides) {
                        self.act_at(Kind::RunHidden, None, "encoded command".to_owned(), call.span);
                    }
                    if let Some(text) = text {
                        super::code::powershell(self, &text, call);
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
                "/c" | "/k" | "/r" => {
                    let rest = args.get(at + 1..).unwrap_or_default().join(" ");
                    super::code::cmd(self, &rest, call);
                    return Data::from("");
                }
                "-command" | "-c" => {
                    let rest = args.get(at + 1..).unwrap_or_default().join(" ");
                    let rest = if rest == "-" { Rc::clone(&call.stdin) } else { rest.into() };
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
                    // A file that this line writes, or what is typed.
                    let line = || args.get(at..).unwrap_or_default().join(" ");
                    let text = self.text_of_source(arg, call).unwrap_or_else(|| line().into());
                    self.powershell_text(&text, call);
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
            items.push(LIST_ITEM.to_string());
        }
    }

    fn powershell_text(&mut self, text: &str, call: &Call) {
        if text.contains(TAINT_NETWORK) {
            self.runs_remote("code from the network", call.span);
        } else if text.contains(TAINT_DECODED) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
        super::code::powershell(self, text, call);
    }
}

/// A list that was read: an item of which nothing is known is one of a list, and a list of which nothing is known has one.
fn as_read(items: &mut Vec<String>) {
    for item in items.iter_mut() {
        if item.chars().all(|c| {
            is_unknown(c)
                && !matches!(
                    c,
                    TAINT_NETWORK | TAINT_DECODED | TAINT_SECRET | PROTECTED_ITEM | IGNORED_ITEM | SERVER_PID
                )
        }) {
            *item = LIST_ITEM.to_string();
        }
    }
    if items.is_empty() {
        items.push(LIST_ITEM.to_string());
    }
}

/// The positional parameters that `set` is given; `None` where it only sets options.
pub(in crate::resolve) fn parameters_set<'a>(of: &Invocation<'a>) -> Option<&'a [String]> {
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

/// Scripts that run when packages are installed, and when one is published.
const ON_INSTALL: &[&str] = &["preinstall", "install", "postinstall", "prepare", "prepublish"];
const ON_PUBLISH: &[&str] =
    &["prepublish", "prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];

impl Interp<'_> {
    /// Runners of this module.
    pub(in crate::resolve) fn tasks(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        match program.tool {
            Tool::Npm | Tool::Bun => self.package_scripts(of, call),
            Tool::Just => self.just(of, call),
            Tool::Split => self.split_up(of, call),
            Tool::Gh | Tool::Glab if args.iter().take(2).any(|arg| arg == "download") => {
                // What a release or a run has to offer comes into a directory.
                self.unpacked_to(of.options().value(&["-D", "--dir"]));
            }
            Tool::Task => {
                let options = of.options();
                let names = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"];
                let names = options.value(&["-t", "--taskfile"]).map_or(names.to_vec(), |file| vec![file]);
                if let Some(text) = names.iter().find_map(|name| self.content(name)) {
                    for line in yaml_commands(&text) {
                        self.launched(&line, call);
                    }
                }
            }
            Tool::Pytest => {
                let files: Vec<&String> = args.iter().filter(|arg| arg.contains(".py")).collect();
                for file in files {
                    self.code_file(&PYTHON, file.split("::").next().unwrap_or(file), call);
                }
            }
            _ => {
                if let Some(tasks) = program.tasks {
                    for file in tasks.files {
                        self.code_file(tasks.code, file, call);
                    }
                }
            }
        }
    }

    /// `split`: the first piece has the name that is known.
    fn split_up(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let content = match options.operands.first() {
            None | Some(&"-") => Some(Rc::clone(&call.stdin)),
            Some(file) => self.content(file),
        };
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            let prefix = options.operands.get(1).copied().unwrap_or("x");
            self.store(&format!("{prefix}aa"), &content);
        }
    }

    fn code_file(&mut self, language: &Language, file: &str, call: &Call) {
        if let Some(text) = self.content(file) {
            let inner = Call { stdin: Data::from(""), span: call.span };
            self.branch(|interp| interp.run_code(language, &text, &inner));
        }
    }

    /// `just` with a file that this line writes.
    fn just(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let names = ["justfile", "Justfile", ".justfile", "JUSTFILE"];
        let names = options.value(&["-f", "--justfile"]).map_or(names.to_vec(), |file| vec![file]);
        let Some(text) = names.iter().find_map(|name| self.content(name)) else { return };
        for line in text.lines().filter(|line| line.starts_with([' ', '\t'])) {
            self.launched(line.trim_start_matches(['@', '-', ' ', '\t']), call);
        }
    }

    /// `npm pkg set scripts.NAME=LINE` and its like, and scripts of a `package.json` that this line writes: what the call runs of them.
    fn package_scripts(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let words = options.operands.as_slice();
        match words {
            ["pkg", "set", settings @ ..] => {
                for (key, line) in settings.iter().filter_map(|setting| setting.split_once('=')) {
                    if key.starts_with("scripts.") || key.starts_with("scripts[") {
                        self.launched(line, call);
                    }
                }
                return;
            }
            ["set-script", _, line] => return self.launched(line, call),
            _ => {}
        }
        let dir = options.value(&["--prefix", "-C", "--dir", "--cwd"]).unwrap_or(".").trim_end_matches('/').to_owned();
        let Some(text) = self.content(&format!("{dir}/package.json")) else { return };
        let verb = words.first().copied().unwrap_or("install");
        let by_verb: &[&str] = match verb {
            "install" | "i" | "ci" | "add" | "rebuild" => ON_INSTALL,
            "publish" | "pack" => ON_PUBLISH,
            "t" | "tst" => &["test"],
            _ => &[],
        };
        for (script, line) in scripts(&text) {
            let plain = script.strip_prefix("pre").or_else(|| script.strip_prefix("post")).unwrap_or(&script);
            let runs = by_verb.contains(&script.as_str())
                || by_verb.contains(&plain)
                || words.contains(&script.as_str())
                || words.contains(&plain);
            // A script may name itself, for the packages within.
            let open = format!("script {script}");
            if runs && !self.open_aliases.contains(&open) {
                self.open_aliases.push(open);
                self.launched(&line, call);
                self.open_aliases.pop();
            }
        }
    }

    /// Statements in a file that this line writes, as if the client of a database had read them itself: `-f FILE`, `.read FILE`,
    /// `\\i FILE`, `source FILE`.
    pub(in crate::resolve) fn statements_of_files(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { args, .. } = *of;
        let mut files: Vec<&str> = of.options().values(&["-f", "--file"]).collect();
        let texts = args.iter().map(String::as_str).chain(std::iter::once(call.stdin.as_ref()));
        for line in texts.flat_map(str::lines).map(str::trim) {
            let named = [".read ", "\\i ", "\\ir ", "source ", "\\. "].iter().find_map(|word| line.strip_prefix(word));
            files.extend(named.map(|file| file.trim_matches([' ', ';', '"', '\''])));
        }
        for file in files {
            if let Some(stdin) = self.content(file).filter(|content| is_literal(content) && !content.is_empty()) {
                self.report_run(&of.with(&[]), &Call { stdin, span: call.span });
            }
        }
    }
}

/// The scripts of a `package.json`, by name, as far as the text is one.
fn scripts(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let inner = text.split_once("\"scripts\"").and_then(|(_, rest)| rest.split_once('{'));
    let Some((_, mut rest)) = inner else { return out };
    while let Some((name, after)) = json_text(rest) {
        let Some((line, after)) = after.trim_start().strip_prefix(':').and_then(json_text) else { break };
        out.push((name, line));
        let Some(after) = after.trim_start().strip_prefix(',') else { break };
        rest = after;
    }
    out
}

/// A text in quotes as JSON has it, and what follows it.
fn json_text(text: &str) -> Option<(String, &str)> {
    let body = text.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = body.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some((super::printed::unescape(&body.get(..end)?.replace("\\\"", "\"").replace("\\/", "/")), body.get(end + 1..)?))
}

/// The lines for a shell in a file of tasks: items of lists, and what is called `cmd` or stands in a list of `cmds`.
fn yaml_commands(text: &str) -> Vec<String> {
    let plain = |text: &str| {
        let text = text.trim();
        let quoted = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        quoted.unwrap_or(text).to_owned()
    };
    let mut out = Vec::new();
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if block.is_some_and(|block| indent > block) {
            out.push(trimmed.to_owned());
            continue;
        }
        block = None;
        let item = trimmed.strip_prefix("- ").map(str::trim_start);
        let command = item.unwrap_or(trimmed).strip_prefix("cmd:").or(item);
        if let Some(list) = trimmed.strip_prefix("cmds:").and_then(|list| list.trim().strip_prefix('[')) {
            out.extend(list.trim_end_matches(']').split(',').map(plain));
        } else if let Some(command) = command.map(str::trim) {
            if matches!(command, "|" | ">" | "|-" | ">-") {
                block = Some(indent);
            } else {
                out.push(plain(command));
            }
        }
    }
    out
}
