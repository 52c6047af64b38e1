//! One command with its arguments: function, builtin, wrapper, shell, interpreter or program.

use crate::programs::{self, First, Invocation, Runs, Tool, Trait};
use std::rc::Rc;

use super::action::{ExecContext, Kind, Run};
use super::sources::is_input;
use super::state::{Channel, Data, Function, Var};
use super::taint::{
    GLOB_SET, LINE_READ, LIST_ITEM, PROGRAM_OUTPUT, TAINT_DECODED, TAINT_NETWORK, UNKNOWN, is_literal, is_placeholder,
    taint_of,
};
use super::{Interp, shown};
use crate::layout::Layout;
use crate::options::{Given, Options, holds, option_words, plain_words};
use crate::path::{Place, Places, is_unknown};
use crate::resolve::option_commands::parameters_set;
use crate::syntax::Span;

/// Calls of functions and wrappers within each other.
const MOST_CALLS: u16 = 48;

/// What a command is given beside its arguments.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) stdin: Data,
    pub(super) span: Span,
}

/// Variables whose value some program runs as a command.
const COMMAND_VARIABLES: &[&str] = &[
    "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_ASKPASS",
    "GIT_PROXY_COMMAND", "GIT_SSH", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "PROMPT_COMMAND", "LESSOPEN",
    "LESSCLOSE", "RSYNC_RSH", "CVS_RSH", "TAR_OPTIONS", "SSH_ASKPASS", "SUDO_ASKPASS", "SYSTEMD_EDITOR", "KUBE_EDITOR",
    "FCEDIT", "MAKEFLAGS", "GNUMAKEFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER",
];

/// Variables that name files of code which a program loads before anything else, and what a word of them has to hold for that; by an
/// empty text, nothing.
const LOADS: &[(&[&str], &[&str])] = &[
    (
        &[
            "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "RUBYLIB", "PYTHONSTARTUP", "PYTHONPATH", "PERL5LIB", "LUA_INIT",
            "PHPRC", "PHP_INI_SCAN_DIR", "DOTNET_STARTUP_HOOKS", "RIPGREP_CONFIG_PATH", "ANSIBLE_LIBRARY",
            "ANSIBLE_CONFIG", "ANSIBLE_ACTION_PLUGINS", "ANSIBLE_CALLBACK_PLUGINS", "ANSIBLE_FILTER_PLUGINS",
        ],
        &[""],
    ),
    (
        &[
            "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS",
            "SBT_OPTS", "CATALINA_OPTS",
        ],
        &["-javaagent:", "-agentpath:", "bootclasspath"],
    ),
    (&["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"], &["linker="]),
    (&["PGOPTIONS"], &["preload_libraries="]),
];

/// Variables with a number or a platform in their name whose value some program runs.
fn is_runner(name: &str) -> bool {
    name.starts_with("GIT_CONFIG_VALUE_")
        || name.starts_with("CARGO_TARGET_") && (name.ends_with("_RUNNER") || name.ends_with("_LINKER"))
}

/// Whether a call of the program can destroy.
pub(super) fn is_telling(name: &str, layout: &Layout) -> bool {
    programs::is(name, Trait::Destructive) || !layout.program.is_empty() && name == layout.program
}

/// Whether a script is one that starts programs in a project's container: `sh vendor/bin/sail artisan …`.
fn starts_in_container(path: &str) -> bool {
    let starts = |runs: &Runs| runs.remote && matches!(runs.first, First::NoneOf(_));
    programs::named(&base_name(path)).is_some_and(|program| program.runs.iter().any(starts))
}

/// The base name of a program: lower case, without directory and `.exe`.
pub(super) fn base_name(head: &str) -> String {
    let base = head.rsplit(['/', '\\']).next().unwrap_or(head);
    let lower = base.to_ascii_lowercase();
    match lower.strip_suffix(".exe") {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => lower,
    }
}

/// Words of a call from which on it is followed as one of another program.
const MOST_TAILS: usize = 8;

impl Interp<'_> {
    /// Runs a command with variables set for it alone.
    pub(super) fn exec_with(&mut self, env: &[(String, Var)], argv: &[String], call: &Call) -> Data {
        if env.is_empty() {
            return self.exec(argv, call);
        }
        let before = Rc::clone(&self.state.vars);
        for (name, var) in env {
            if let Some(value) = var.values.first() {
                self.command_variable(name, value, call);
            }
            self.state.set(name, var.clone());
        }
        let told = self.report.actions.len();
        let printed = self.exec(argv, call);
        self.mentions_given(env, argv, told, call);
        // What a builtin such as `read` set in between stays.
        let vars = Rc::make_mut(&mut self.state.vars);
        for (name, _) in env {
            match before.get(name) {
                Some(var) => vars.insert(name.clone(), var.clone()),
                None => vars.remove(name),
            };
        }
        printed
    }

    /// A variable that holds a command, or names a file that a shell reads at its start.
    pub(super) fn command_variable(&mut self, name: &str, value: &str, call: &Call) {
        self.clears_history_by_variable(name, value, call);
        if self.places.layout.person_variables.contains(&name) {
            // It stands for a user at a terminal, and only they say so.
            self.act_at(Kind::Guard, None, shown(name), call.span);
        }
        if self.injects(name, value) {
            self.act_at(Kind::Inject, None, shown(&format!("{name}={value}")), call.span);
        }
        if matches!(name, "BASH_ENV" | "ENV" | "ZDOTDIR") {
            self.run_file(value, &[], call);
        } else if name.starts_with("BASH_FUNC_") && value.starts_with("()") {
            // A function of every bash that starts: it is taken for called.
            self.subshell(|interp| interp.nested(&format!("f_{value}; f_"), call.span, &Data::from("")));
        } else if name == "GIT_CONFIG_PARAMETERS" {
            // `'core.pager=line' 'alias.x=!line'`
            for setting in value.split("' '").filter_map(|setting| setting.split_once('=')) {
                let line = setting.1.trim_matches('\'').trim_start_matches('!').to_owned();
                self.subshell(|interp| interp.nested(&line, call.span, &Data::from("")));
            }
        } else if matches!(name, "PS0" | "PS1" | "PS2" | "PS4") {
            self.prompt(value, call.span);
        } else if (COMMAND_VARIABLES.contains(&name) || is_runner(name)) && value.contains(' ') {
            let value = value.trim_start_matches(['!', '|']);
            self.subshell(|interp| interp.nested(value, call.span, &Data::from("")));
        }
    }

    /// Whether a variable loads a file into every program that starts, and not one of those that come with the system.
    fn injects(&self, name: &str, value: &str) -> bool {
        let library = matches!(name, "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES");
        let script = name == "BASH_ENV" || name == "ENV" && value.starts_with(['/', '.', '~']);
        let program = (COMMAND_VARIABLES.contains(&name) || is_runner(name))
            && value.starts_with('/')
            && self.place_of(value) == Place::Temp;
        let loads = LOADS.iter().find(|(names, _)| names.contains(&name)).is_some_and(|(_, marks)| {
            let loading = value.split_whitespace().filter(|word| marks.iter().any(|mark| word.contains(mark)));
            let mut files = loading.flat_map(|word| word.split(['=', ':']));
            files.any(|word| {
                let path = word.find('/').and_then(|at| word.get(at..));
                // `--import=data:…`, `--import=https://…`
                matches!(word, "https" | "http") || path.is_some_and(|path| self.place_of(path) == Place::Temp)
            }) || value.contains("data:text/javascript")
        });
        let installed = ["/usr/", "/lib", "/opt/", "/nix/store/", "/Library/", "/snap/"];
        (library || script || program || loads)
            && !value.is_empty()
            && is_literal(value)
            && !value.split([':', ' ']).all(|file| installed.iter().any(|dir| file.starts_with(dir)))
            && !(script && self.content(value).is_some_and(|content| is_literal(&content)))
    }

    /// Runs a command; gives what it prints.
    pub(super) fn exec(&mut self, argv: &[String], call: &Call) -> Data {
        let Some((head, args)) = argv.split_first() else { return Data::from("") };
        if self.calls >= MOST_CALLS || self.gave_up {
            self.give_up_at(call.span);
            return Data::from("");
        }
        self.calls += 1;
        let printed = self.exec_head(head, args, call);
        self.calls -= 1;
        self.last_word.clone_from(argv.last().unwrap_or(head));
        printed
    }

    fn exec_head(&mut self, head: &str, args: &[String], call: &Call) -> Data {
        // `[` is a pattern character, and as a word of its own the name of a program.
        let head = if head.chars().eq([GLOB_SET]) { "[" } else { head };
        self.own_by_pattern(head, args, call);
        if head.contains(is_unknown) && self.program_behind(head).is_none() {
            return self.unknown_program(head, args, call);
        }
        if let Some(function) = self.state.functions.get(head).cloned() {
            return self.call_function(&function, args, call);
        }
        if let Some(alias) = self.state.aliases.get(head).cloned() {
            return self.run_alias(head, &alias, args, call);
        }
        let name = if head.contains(is_placeholder) { from_pattern(head, self.places.layout) } else { base_name(head) };
        if head.contains('/')
            && let Some(content) = self.content(head)
        {
            return self.run_content(head, &content, args, call);
        }
        let mut name = name;
        if head.contains('/') {
            self.out_of_archive(head, call);
            name = self.program_behind(head).unwrap_or(name);
        }
        let of = &Invocation::new(&name, args);
        let added = self.with_added(of);
        let of = &of.with(added.as_deref().unwrap_or(args));
        self.report_run(of, call);
        self.own_event(of, call);
        self.planned(of);
        self.exec_named(of, call)
    }

    pub(super) fn report_run(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { name, args, .. } = *of;
        if let Some(arg) = args.iter().find(|arg| arg.contains("../../..")) {
            self.act_at(Kind::Traversal, None, shown(arg), call.span);
        }
        if self.report.runs.len() >= super::MOST_COMMANDS as usize {
            self.give_up_at(call.span);
        } else {
            let stdin = (!call.stdin.is_empty()).then(|| Rc::clone(&call.stdin));
            let span = self.place_in_text(call.span);
            let depth = self.depth + self.calls - 1;
            let stand = self.stand(of);
            self.report.runs.push(Run { program: name.to_owned(), args: args.to_vec(), stdin, span, depth, stand });
        }
    }

    fn stand(&self, of: &Invocation<'_>) -> ExecContext {
        let set = |name: &str| self.state.vars.get(name)?.values.first().map(Rc::clone);
        let chosen = of.program.settings.iter().find_map(|name| set(name));
        ExecContext {
            dirs: Rc::clone(&self.state.cwds),
            // Going somewhere sets it.
            went: self.state.vars.contains_key("OLDPWD"),
            git_dir: set("GIT_WORK_TREE").or_else(|| set("GIT_DIR")),
            // A database that the line names counts more than the settings.
            tests: set("DATABASE_URL").is_none() && chosen.is_some_and(|name| matches!(&*name, "test" | "testing")),
            remote: self.state.remote,
            speculative: self.speculative,
        }
    }

    fn exec_named(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let Invocation { program, args, .. } = *of;
        let read = self.own_listed(of);
        let of = &of.with(read.as_deref().unwrap_or(args));
        self.clears_history(of, call);
        if let Some(printed) = self.builtin(of, call) {
            return printed;
        }
        let told = self.report.actions.len();
        let wrapper = self.known_within(of, program.runs_with(of.args), call);
        let wraps = wrapper.is_some_and(|(wrapper, _)| wrapper.skip < usize::MAX);
        let looks = std::mem::replace(&mut self.only_looks, super::executable::only_looks(of));
        let printed = self.exec_program(of, wrapper, call);
        let printed = told_more(of, printed);
        self.only_looks = looks;
        if !wraps {
            self.mentions(of, told, call);
        }
        printed
    }

    /// What runs another program, unless a package manager is given the name of one of which nothing is known: mostly that is a script
    /// of the project. What it is given is the manager's then, and rules may know the program.
    fn known_within<'w>(
        &mut self,
        of: &Invocation<'_>,
        wrapper: Option<(&'w Runs, usize)>,
        call: &Call,
    ) -> Option<(&'w Runs, usize)> {
        let (runs, used) = wrapper?;
        let rest = of.args.get(used..).unwrap_or_default();
        if !matches!(runs.first, First::NoneOf(_)) {
            return wrapper;
        }
        let Some((name, args)) = Options::leading(rest, runs.values).1.split_first() else { return wrapper };
        if programs::named(name).is_some() {
            return wrapper;
        }
        self.report_run(&Invocation::new(name, args), call);
        None
    }

    fn exec_program(&mut self, of: &Invocation<'_>, wrapper: Option<(&Runs, usize)>, call: &Call) -> Data {
        let Invocation { name, args, .. } = *of;
        self.launches(of, call);
        self.sourced(of, call);
        self.origin_set(of, call);
        self.starts_elsewhere(of, call);
        self.hands_out(of, call);
        self.writes(of, call);
        self.brings(of, call);
        self.others_pour(of, call);
        self.child_agent(of, call);
        if let Some(store) = Self::reveals(of) {
            return self.revealed(store, of, call);
        }
        // `bun x program` starts a program, all else of `bun` reads code.
        if wrapper.is_none()
            && let Some(printed) = self.script_program(of, call)
        {
            return printed;
        }
        if let Some((wrapper, used)) = wrapper {
            let enters = used.checked_sub(1).and_then(|at| args.get(at)).is_some_and(|verb| verb == "exec");
            return self.unwrap_command(name, wrapper, args.get(used..).unwrap_or_default(), enters, call);
        }
        if let Some(printed) = self.filter(of, call) {
            return printed;
        }
        self.unknown_given(of, call);
        self.program(of, call)
    }

    /// A directory of the system among the words of a program of which nothing is known. A script is somebody's own, and is read where it
    /// can be.
    fn unknown_given(&mut self, of: &Invocation<'_>, call: &Call) {
        let known = !of.program.names.is_empty() || of.name.contains('.');
        if known || self.state.container.is_some() {
            return;
        }
        let options = Options::all(of.args, &[]);
        let values = options.options.iter().filter_map(Given::value);
        for path in options.operands.iter().copied().chain(values) {
            let place = self.place_of(path);
            let whole = place == Place::Root
                || matches!(place, Place::System | Place::Critical)
                    && self.absolute(path).is_some_and(|path| Places::is_system_dir(&path));
            if whole {
                self.act_at(Kind::SystemGiven, Some(place), shown(path), call.span);
            }
        }
    }

    /// A program whose name is not known.
    fn unknown_program(&mut self, head: &str, args: &[String], call: &Call) -> Data {
        if head.contains(TAINT_NETWORK) {
            self.act_at(Kind::RunRemote, None, shown(head), call.span);
        } else if head.contains(TAINT_DECODED) {
            self.act_at(Kind::RunHidden, None, shown(head), call.span);
        } else {
            self.perhaps_removes(args, call);
            self.tails(args, call);
        }
        Data::from(taint_of(head))
    }

    /// What `rm` would do with these arguments: reported as possible, not as certain.
    fn perhaps_removes(&mut self, args: &[String], call: &Call) {
        let speculative = std::mem::replace(&mut self.speculative, true);
        // With an option that it has not, a program does nothing.
        let fits = |option: &str| match option.strip_prefix("--") {
            Some(long) => [
                "recursive", "force", "dir", "verbose", "no-preserve-root", "preserve-root", "one-file-system",
                "interactive",
            ]
            .iter()
            .any(|known| known.starts_with(long)),
            None => option.bytes().skip(1).all(|letter| b"rRfdivIPWx".contains(&letter)),
        };
        let looks_alike = option_words(args).any(|arg| arg.contains(['r', 'f', 'R'])) && option_words(args).all(fits);
        if looks_alike {
            self.program(&Invocation::new("rm", args), call);
        }
        self.speculative = speculative;
    }

    /// A program that may run its arguments: they are followed from each word on that is a telling program.
    pub(super) fn tails(&mut self, args: &[String], call: &Call) {
        if self.speculative {
            return;
        }
        self.speculative = true;
        let telling = |at: &usize| args.get(*at).is_some_and(|arg| is_telling(&base_name(arg), self.places.layout));
        let begins: Vec<usize> = (0..args.len()).filter(telling).take(MOST_TAILS).collect();
        for at in begins {
            self.subshell(|interp| interp.exec(args.get(at..).unwrap_or_default(), call));
        }
        self.speculative = false;
    }

    fn call_function(&mut self, function: &Function, args: &[String], call: &Call) -> Data {
        let params = args.iter().map(|arg| Data::from(arg.as_str())).collect();
        let outer = std::mem::replace(&mut self.state.params, Rc::new(params));
        let script = std::mem::replace(&mut self.script, Rc::clone(&function.script));
        let printed = self.command(&function.body, &call.stdin);
        self.script = script;
        self.state.params = outer;
        printed
    }

    fn run_alias(&mut self, name: &str, value: &str, args: &[String], call: &Call) -> Data {
        let mut line = value.to_owned();
        for arg in args {
            line.push(' ');
            line.push_str(&quoted(arg));
        }
        // A name that stands for itself is not replaced again.
        let aliases = Rc::clone(&self.state.aliases);
        Rc::make_mut(&mut self.state.aliases).remove(name);
        let printed = self.nested(&line, call.span, &call.stdin);
        self.state.aliases = aliases;
        printed
    }

    // Builtins.

    fn builtin(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, name, args } = *of;
        let nothing = Data::from("");
        self.names_given(name, args, call);
        match program.tool {
            Tool::Test => self.tests_for(args),
            Tool::Nothing | Tool::Shopt => {}
            // They print where a program lies; its name is enough.
            Tool::Type => {
                return Some(plain_words(args).next().map_or(nothing, |name| self.where_it_lies(name)));
            }
            Tool::Cd | Tool::Pushd | Tool::Popd => self.change_dir(of),
            Tool::Export => return Some(self.declare(args, call)),
            Tool::Unset => {
                for arg in plain_words(args) {
                    self.state.unset(arg);
                    self.unset.insert(arg.clone());
                    Rc::make_mut(&mut self.state.functions).remove(arg.as_str());
                }
            }
            Tool::Set => {
                let own = || args.iter().take_while(|arg| *arg != "--");
                self.state.traced |= own().any(|arg| holds(arg, &['x', 'v']) || arg == "xtrace");
                self.state.traced &= !own().any(|arg| arg.starts_with('+') && arg.contains('x'));
                if let Some(params) = parameters_set(of) {
                    let params = params.iter().map(|arg| Data::from(arg.as_str())).collect();
                    self.state.params = Rc::new(params);
                } else if args.is_empty() {
                    return Some(self.environment(call));
                }
            }
            Tool::Shift => {
                let count = args.first().and_then(|arg| arg.parse::<usize>().ok()).unwrap_or(1);
                let params = Rc::make_mut(&mut self.state.params);
                params.drain(..count.min(params.len()));
            }
            Tool::Read => self.read(of, call),
            Tool::Mapfile => self.map_file(of, call),
            Tool::Alias => {
                for arg in args {
                    if let Some((name, value)) = arg.split_once('=')
                        && !self.state.alias(name, value)
                    {
                        self.give_up_at(call.span);
                    }
                }
            }
            Tool::Unalias => {
                let aliases = Rc::make_mut(&mut self.state.aliases);
                aliases.retain(|name, _| !args.contains(name));
            }
            Tool::Hash => {
                let options = of.options();
                if let (Some(path), Some(name)) = (options.value(&["-p"]), options.operands.first())
                    && !self.state.alias(name, path)
                {
                    self.give_up_at(call.span);
                }
                if options.has(&["-t"]) {
                    return Some(options.operands.first().map_or(nothing, |name| self.where_it_lies(name)));
                }
            }
            Tool::Exec => {
                return Some(self.exec(of.leading().1, call));
            }
            Tool::Command => {
                let (options, rest) = of.leading();
                if options.has(&["-v", "-V"]) {
                    return Some(rest.first().map_or(nothing, |name| self.where_it_lies(name)));
                }
                return Some(self.exec_plain(rest, call));
            }
            Tool::Builtin => {
                let rest = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
                return Some(self.exec_plain(rest, call));
            }
            Tool::Eval => {
                let args = args.strip_prefix(&["--".to_owned()]).unwrap_or(args);
                return Some(self.run_text(&args.join(" "), call));
            }
            Tool::Source => return Some(self.source(of, call)),
            Tool::Trap => {
                let (_, rest) = of.leading();
                if let (Some(action), true) = (rest.first(), rest.len() > 1)
                    && action != "-"
                {
                    let action = action.clone();
                    let leaving = std::mem::replace(&mut self.leaving, true);
                    self.branch(|interp| interp.nested(&action, call.span, &Data::from("")));
                    self.leaving = leaving;
                }
            }
            Tool::Complete => {
                for value in of.options().values(&["-C", "-x"]) {
                    self.branch(|interp| interp.nested(value, call.span, &Data::from("")));
                }
            }
            _ => return None,
        }
        Some(nothing)
    }

    /// `command` and `builtin` pass over functions and aliases.
    fn exec_plain(&mut self, argv: &[String], call: &Call) -> Data {
        let functions = std::mem::take(&mut self.state.functions);
        let aliases = std::mem::take(&mut self.state.aliases);
        let printed = self.exec(argv, call);
        self.state.functions = functions;
        self.state.aliases = aliases;
        printed
    }

    fn declare(&mut self, args: &[String], call: &Call) -> Data {
        let mut names = 0;
        for arg in plain_words(args).filter(|arg| !arg.starts_with('+')) {
            names += 1;
            if let Some((name, value)) = arg.split_once('=') {
                let name = name.trim_end_matches('+');
                self.command_variable(name, value, call);
                self.unset.remove(name);
                if args.iter().any(|arg| holds(arg, &['n'])) {
                    self.state.set(name, Var { refers: Some(value.to_owned()), ..Var::default() });
                } else {
                    self.state.set(name, Var::one(value));
                }
            }
        }
        // Without names, all variables are printed.
        let options = Options::all(args, &[]);
        if names == 0 && !options.has(&["-f", "-F"]) {
            return self.environment(call);
        }
        if options.has(&["-p"]) {
            return plain_words(args).map(|name| self.variable_printed(name)).collect::<String>().into();
        }
        Data::from("")
    }

    fn read(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let text = self.read_from(&options, call);
        // The first line, or any of the others: a loop reads them all.
        let mut lines: Vec<&str> = text.lines().collect();
        let more = self.cut(&mut lines, super::state::MOST_VALUES, call.span).then(|| UNKNOWN.to_string());
        lines.extend(more.as_deref());
        let lines = if lines.is_empty() { vec![text.as_ref()] } else { lines };
        let separators = self.separators();
        let words = |line: &str| -> Vec<Data> {
            line.split(|c| separators.contains(c)).filter(|word| !word.is_empty()).map(Data::from).collect()
        };
        if let Some(name) = options.value(&["-a"]) {
            self.state.set(name, Var::array(lines.first().map(|line| words(line)).unwrap_or_default()));
            return;
        }
        let names: Vec<&str> = if options.operands.is_empty() { vec!["REPLY"] } else { options.operands.clone() };
        let mut values: Vec<Vec<Data>> = vec![Vec::new(); names.len()];
        for line in lines {
            let words = words(line);
            // A text that is not known may be several words.
            let missing: Data = if is_literal(line) { "".into() } else { taint_of(line).into() };
            for (index, values) in values.iter_mut().enumerate() {
                let value = if names.len() == 1 {
                    Data::from(line.trim_matches(|c| separators.contains(c)))
                } else if index + 1 == names.len() && words.len() > names.len() {
                    words
                        .get(index..)
                        .unwrap_or_default()
                        .join(&separators.chars().next().unwrap_or(' ').to_string())
                        .into()
                } else if !missing.is_empty() && words.len() < names.len() {
                    Rc::clone(&missing)
                } else {
                    words.get(index).map_or_else(|| Rc::clone(&missing), Rc::clone)
                };
                // A loop reads them all.
                let value = if call.stdin.is_empty() { value } else { line_read(&value) };
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        for (name, values) in names.into_iter().zip(values) {
            self.state.set(name, Var { values, ..Var::default() });
        }
    }

    /// What `read` and `mapfile` read.
    fn read_from(&self, options: &Options<'_>, call: &Call) -> Data {
        let from = options.value(&["-u"]).and_then(|fd| fd.parse::<u32>().ok());
        let text = match from {
            Some(fd) => self.state.fds.get(&fd).and_then(|channel| channel.read.clone()),
            None => Some(Rc::clone(&call.stdin)),
        };
        text.filter(|text| !text.is_empty()).unwrap_or_else(|| Data::from(UNKNOWN.to_string()))
    }

    /// `mapfile`: each line becomes an element.
    fn map_file(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        // The line is run with the index and the text behind it.
        if let Some(line) = options.value(&["-C"]) {
            let line = line.to_owned();
            self.subshell(|interp| interp.run_text(&line, call));
        }
        let text = self.read_from(&options, call);
        let mut items: Vec<Data> = text.lines().map(line_read).collect();
        self.cut(&mut items, super::state::MOST_GIVEN, call.span);
        self.state.set(options.operands.first().copied().unwrap_or("MAPFILE"), Var::array(items));
    }

    // Text and files that a shell runs.

    /// Text that is handed to a shell to run.
    pub(super) fn run_text(&mut self, text: &str, call: &Call) -> Data {
        if text.contains(TAINT_NETWORK) {
            self.runs_remote("text from the network", call.span);
        } else if text.contains(TAINT_DECODED) {
            self.act_at(Kind::RunHidden, None, "decoded text".to_owned(), call.span);
        } else if text.trim_start().starts_with(PROGRAM_OUTPUT) || text.trim_start().starts_with(LIST_ITEM) {
            self.act_at(Kind::RunComputed, None, "text that a program prints".to_owned(), call.span);
        }
        if text.chars().all(|c| is_placeholder(c) || c.is_whitespace()) {
            return Data::from(taint_of(text));
        }
        self.nested(text, call.span, &call.stdin)
    }

    /// Standard input that a shell reads as a script. What the script's commands could read there are its own further lines, which
    /// are followed as commands.
    pub(super) fn run_input(&mut self, call: &Call) -> Data {
        self.run_text(&call.stdin, &Call { stdin: Data::from(""), span: call.span })
    }

    /// A file that the shell itself runs.
    fn source(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let (_, rest) = of.leading();
        // Without a file, as fish has it, what is given is run.
        let Some((file, params)) = rest.split_first() else { return self.run_input(call) };
        if self.is_secret_path(file) {
            self.loaded_secrets = true;
            self.act_at(Kind::SecretLoad, None, shown(file), call.span);
        }
        self.run_file(file, params, call)
    }

    /// A file that a shell reads as a script.
    pub(super) fn run_file(&mut self, path: &str, params: &[String], call: &Call) -> Data {
        if is_input(path) {
            return self.run_input(call);
        }
        let fd = path
            .strip_prefix("/dev/fd/")
            .or_else(|| path.strip_prefix("/proc/self/fd/"))
            .and_then(|fd| fd.parse::<u32>().ok());
        let from_fd = fd.and_then(|fd| self.state.fds.get(&fd)).and_then(|channel: &Channel| channel.read.clone());
        match from_fd.or_else(|| self.content(path)) {
            Some(content) => {
                // Of a file that a program has written nothing is told, of its output that is handed on as one it is.
                if path.starts_with("/dev/fd/proc") && content.trim_start().starts_with(PROGRAM_OUTPUT) {
                    self.act_at(Kind::RunComputed, None, "text that a program prints".to_owned(), call.span);
                }
                self.run_content(path, &content, params, call)
            }
            None if self.place_of(path) == Place::Net => {
                self.act_at(Kind::RunRemote, None, shown(path), call.span);
                Data::from("")
            }
            None if starts_in_container(path) => {
                let argv: Vec<String> = std::iter::once(path.to_owned()).chain(params.iter().cloned()).collect();
                self.exec(&argv, call)
            }
            None => {
                if self.state.traced && self.is_secret_path(path) {
                    self.act_at(Kind::SecretRead, Some(self.place_of(path)), shown(path), call.span);
                }
                self.out_of_archive(path, call);
                Data::from(UNKNOWN.to_string())
            }
        }
    }

    /// The known content of a file that is run.
    fn run_content(&mut self, path: &str, content: &Data, params: &[String], call: &Call) -> Data {
        // `cd "$(dirname "$0")/.."` leads to where the script lies.
        let named = [("0", Var::one(path)), ("BASH_SOURCE", Var::array(vec![Data::from(path)]))];
        let named = named.map(|(name, var)| (name, self.state.replace(name, Some(var))));
        let params = params.iter().map(|arg| Data::from(arg.as_str())).collect();
        let outer = std::mem::replace(&mut self.state.params, Rc::new(params));
        let printed = if is_literal(content) || content.contains(TAINT_NETWORK) || content.contains(TAINT_DECODED) {
            self.run_text(content, call)
        } else {
            // A file of which a part is known: that part is read.
            self.nested(content, call.span, &call.stdin)
        };
        self.state.params = outer;
        for (name, var) in named {
            self.state.replace(name, var);
        }
        printed
    }
}

/// A line that is read; of one that nobody knows, that it is one of a list.
fn line_read(line: &str) -> Data {
    let listed = !line.is_empty() && line.chars().all(|c| c == UNKNOWN);
    Data::from(if listed { format!("{line}{LINE_READ}") } else { line.to_owned() })
}

/// What a call prints, with what is known of it and another call does harm with: statements for a client of a database, by
/// `SELECT 'drop table ' || …` or Django's `sqlflush`, and the name of the file of trusted certificates.
fn told_more(of: &Invocation<'_>, printed: Data) -> Data {
    const BEGIN: &[&str] = &["drop ", "truncate ", "delete from ", "alter table "];
    let begins =
        |text: &&str| BEGIN.iter().any(|verb| text.get(..verb.len()).is_some_and(|it| it.eq_ignore_ascii_case(verb)));
    let mut texts = of.args.iter().filter(|arg| arg.contains('\'') && programs::SQL_CLIENTS.contains(&of.name));
    let text = texts.find_map(|arg| arg.split('\'').skip(1).step_by(2).find(begins));
    let flushes = || of.args.iter().any(|arg| arg == "sqlflush").then_some("TRUNCATE tables;");
    if let Some(text) = text.or_else(flushes) {
        return format!("{text}{printed}").into();
    }
    let names_bundle = |pair: &[String]| {
        pair.first().is_some_and(|option| option == "-m") && pair.last().is_some_and(|of| of == "certifi")
    };
    let names = of.args.windows(2).any(names_bundle) || of.args.iter().any(|arg| arg.contains("certifi.where()"));
    // What else it prints may be a secret.
    let plain = printed.chars().all(|c| matches!(c, PROGRAM_OUTPUT | UNKNOWN) || c.is_whitespace());
    if names && plain { "/usr/local/lib/python3/site-packages/certifi/cacert.pem".into() } else { printed }
}

/// The destructive program that a pattern such as `/bin/r?` can stand for. One that removes comes first.
fn from_pattern(head: &str, layout: &Layout) -> String {
    let base = head.rsplit('/').next().unwrap_or(head);
    let own = Some(&layout.program).filter(|program| !program.is_empty());
    let destructive = programs::all().filter(|program| program.is.has(Trait::Destructive));
    destructive
        .flat_map(|program| program.names.iter().map(|name| (program.tool != Tool::Remove, name)))
        .chain(own.map(|name| (true, name)))
        .filter(|(_, name)| super::taint::may_match(base, name))
        .min_by_key(|(other, _)| *other)
        .map_or_else(|| base_name(base), |(_, name)| (*name).to_owned())
}

/// `NAME=value`.
pub(super) fn is_assignment(arg: &str) -> bool {
    arg.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    })
}

/// The argument, quoted so that a shell reads it as one word.
pub fn quoted(arg: &str) -> String {
    let plain =
        !arg.is_empty() && arg.chars().all(|c| c.is_alphanumeric() || "-_./=:,@+%".contains(c) || is_placeholder(c));
    if plain { arg.to_owned() } else { format!("'{}'", arg.replace('\'', r"'\''")) }
}
