//! Programs that run a line which stands in an option, a setting, or a script of their own kind: `make -f -`, `man -P`, `psql`.

use crate::programs::{Invocation, Tool, agents};
use std::rc::Rc;

use super::action::Kind;
use super::exec::Call;
use super::state::{Data, Var};
use super::value::{activate, is_marker};
use super::{Interp, shown};
use crate::options::{Options, plain_words};

impl Interp<'_> {
    /// What a program starts because of its options and what it is given to read. What it does beside that is followed elsewhere.
    pub(super) fn launches(&mut self, of: &Invocation<'_>, call: &Call) {
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
        if matches!(program.tool, Tool::Npx | Tool::Uvx)
            || runs && matches!(program.tool, Tool::Uv | Tool::Pipx | Tool::Go)
        {
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
            let taken: Vec<String> = options.operands.iter().skip(1).map(|name| activate(name)).collect();
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

    pub(super) fn launched(&mut self, line: &str, call: &Call) {
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
            if let Some(folder) = options.value(&["-C", "--directory"]) {
                interp.cd(&[folder.to_owned()]);
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
            let text =
                if matches!(file, "-" | "/dev/stdin") { Some(Rc::clone(&call.stdin)) } else { self.content(file) };
            if let Some(text) = text {
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
        let (rest, folder) = match verb.as_str() {
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
            if let Some(folder) = folder {
                interp.cd(std::slice::from_ref(folder));
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
        for line in texts.iter().flat_map(|text| text.lines()) {
            if let Some(line) = client_line(line.trim()) {
                self.launched(&line, call);
            }
        }
    }

    /// The guard as a plugin of the client, which takes plugins out by a command of its own.
    fn own_plugin(&mut self, args: &[String], call: &Call) {
        let words: Vec<&str> = plain_words(args).map(String::as_str).collect();
        if let ["plugin" | "plugins", "disable" | "uninstall" | "remove" | "rm", plugins @ ..] = words.as_slice()
            && plugins.iter().any(|plugin| self.places.layout.names_program(plugin) || plugin.contains(is_marker))
        {
            self.act_at(Kind::Own, None, shown(&format!("{} {}", agents::TYPED, args.join(" "))), call.span);
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

    fn inline(&mut self, language: Option<&'static super::code::Language>, code: &str, call: &Call) {
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
            let argv: Vec<String> = std::iter::once(program.to_owned()).chain(given.iter().cloned()).collect();
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
    words.filter(|word| !word.is_empty()).map(super::exec::quoted).collect::<Vec<_>>().join(" ")
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
