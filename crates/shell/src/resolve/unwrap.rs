//! What a wrapper runs: its options are read by the table, and the program within is followed.

use super::action::Kind;
use super::exec::{Call, base_name, is_assignment};
use super::sources::is_input;
use super::state::{Data, Var};
use super::taint::{ENVIRONMENT, PROGRAM_OUTPUT, TAINT_SECRET, UNKNOWN};
use super::{Interp, shown};
use crate::options::{Grammar, Options};
use crate::programs::{self, First, Rest, Runs};

impl Interp<'_> {
    pub(super) fn unwrap_command(
        &mut self,
        name: &str,
        wrapper: &Runs,
        args: &[String],
        enters: bool,
        call: &Call,
    ) -> Data {
        let values = [wrapper.values, wrapper.lines, wrapper.named].concat();
        let grammar = Grammar { pairs: wrapper.pairs, ..Grammar::gnu(&values) };
        let (options, rest) = Options::until_operand(args, grammar);
        // `sudo -l` and `sudo -v` run nothing, and ask for the rights of another user all the same.
        if wrapper.privileged && !options.has(&["-V", "--version", "--help"]) {
            self.act_at(Kind::Privilege, None, name.to_owned(), call.span);
        }
        if options.has(wrapper.without) {
            return Data::from(UNKNOWN.to_string());
        }
        if options.has(wrapper.later) {
            self.act_at(Kind::Schedule, None, "a job for later".to_owned(), call.span);
        }
        if wrapper.container {
            self.mounts_all(&options, call);
        }
        let before = self.privileged;
        self.privileged |= wrapper.privileged;
        let told = self.report.actions.len();
        let printed = self.unwrapped(wrapper, &options, rest, args, enters, call);
        self.privileged = before;
        // What another machine or a container holds nobody has read here.
        let is_unknown = !printed.is_empty() && printed.chars().all(|c| c == UNKNOWN || c.is_whitespace());
        let printed = if wrapper.remote && is_unknown { Data::from(PROGRAM_OUTPUT.to_string()) } else { printed };
        let begin = args.iter().position(|arg| wrapper.before.contains(&arg.as_str()));
        let own = begin.unwrap_or_else(|| (args.len() - rest.len()).saturating_add(wrapper.skip));
        self.mentions_before(args.get(..own.min(args.len())).unwrap_or_default(), told, call);
        printed
    }

    /// Runs `inner` where the settings of a file of secrets are variables, if it gets them.
    pub(super) fn given_secrets<T>(&mut self, given: bool, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.loaded_secrets;
        self.loaded_secrets |= given;
        let result = inner(self);
        self.loaded_secrets = before || self.loaded_secrets && !given;
        result
    }

    /// Whether the program within gets the settings of a file of secrets as variables.
    fn loads_secrets(&self, wrapper: &Runs, options: &Options<'_>, args: &[String]) -> bool {
        if wrapper.loads.is_empty() {
            return wrapper.loaded;
        }
        let own = args.split(|arg| arg == "--").next().unwrap_or_default();
        let joined = own.iter().filter_map(|arg| arg.split_once('=')).filter(|(name, _)| wrapper.loads.contains(name));
        let mut files = options.values(wrapper.loads).chain(joined.map(|(_, file)| file)).peekable();
        if files.peek().is_none() { wrapper.loaded } else { files.any(|file| self.is_secret_path(file)) }
    }

    /// What a wrapper runs.
    fn unwrapped(
        &mut self,
        wrapper: &Runs,
        options: &Options<'_>,
        rest: &[String],
        args: &[String],
        enters: bool,
        call: &Call,
    ) -> Data {
        let mut printed = Data::from("");
        let loads = self.loads_secrets(wrapper, options, args);
        let run = |interp: &mut Self, inner: &mut dyn FnMut(&mut Self) -> Data| {
            interp.subshell(|interp| {
                interp.state.remote |= wrapper.remote;
                if wrapper.container {
                    interp.enter(options, enters);
                }
                if let Some(dir) = options.value(wrapper.dirs) {
                    interp.cd(&[dir.to_owned()]);
                }
                interp.given_secrets(loads, inner)
            })
        };
        for line in options.values(wrapper.lines) {
            // `env -S` splits like a shell, without running one.
            let line = std::iter::once(line)
                .chain(rest.iter().map(String::as_str).filter(|_| wrapper.environment))
                .collect::<Vec<_>>()
                .join(" ");
            printed = run(self, &mut |interp| interp.run_text(&line, call));
        }
        // `su user -c line` and `script file -c line`: options after the operand.
        if options.values(wrapper.lines).next().is_none() && !wrapper.lines.is_empty() && wrapper.skip > 0 {
            let later = Options::all(args, &[wrapper.values, wrapper.lines].concat());
            for line in later.values(wrapper.lines) {
                printed = run(self, &mut |interp| interp.run_text(line, call));
            }
        }
        let mut rest = rest;
        // `env - program` is `env -i program`.
        rest = rest.strip_prefix(&["-".to_owned()]).filter(|_| wrapper.assigns || wrapper.dash).unwrap_or(rest);
        if wrapper.assigns {
            let (env, program) = assigned(wrapper, rest);
            if !env.is_empty() {
                return run(self, &mut |interp| interp.exec_with(&env, program, call));
            }
            rest = program;
        }
        let entry = options.value(&["--entrypoint"]).filter(|entry| wrapper.container && !entry.is_empty());
        if let Some(at) = args.iter().position(|arg| wrapper.before.contains(&arg.as_str())) {
            // `nix develop -c program`, `gdb --args program`, `capsh -- -c line`
            rest = args.get(at + 1..).unwrap_or_default();
        } else {
            let begins = begins_program(wrapper, args, rest);
            if let Some(program) = in_front_of_dashes(wrapper, rest).filter(|_| !begins) {
                run(self, &mut |interp| interp.exec(program, call));
            }
            let image = rest.first().filter(|_| wrapper.container && wrapper.skip == 1 && entry.is_none());
            rest = behind_operands(wrapper, options, rest, begins, entry.is_some());
            rest = rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest);
            // An image that is there for one program is given its arguments.
            if let Some(program) = image.and_then(|image| programs::packaged(image)) {
                let argv: Vec<String> = std::iter::once(program.to_owned()).chain(rest.iter().cloned()).collect();
                return run(self, &mut |interp| interp.exec(&argv, call));
            }
        }
        let named = options.value(wrapper.named).or(entry);
        let into = || wrapper.into.filter(|_| options.values(wrapper.lines).next().is_none());
        if let Some(program) = named.or_else(into) {
            let argv: Vec<String> = std::iter::once(program.to_owned()).chain(rest.iter().cloned()).collect();
            return run(self, &mut |interp| interp.exec(&argv, call));
        }
        if rest.is_empty() {
            if wrapper.interactive && options.has(&["-s", "-i", "--shell", "--login"]) {
                return run(self, &mut |interp| interp.run_input(call));
            }
            if wrapper.remote && printed.is_empty() {
                // A container that runs what it was made for, or a shell elsewhere.
                return Data::from(PROGRAM_OUTPUT.to_string());
            }
            // `env` alone prints what it would hand on.
            return if wrapper.environment && printed.is_empty() { self.environment(call) } else { printed };
        }
        match wrapper.rest {
            Rest::Line => run(self, &mut |interp| interp.run_text(&rest.join(" "), call)),
            // No program has a blank or an equals sign in its name.
            Rest::Either if rest.len() == 1 || rest.first().is_some_and(|line| line.contains([' ', '='])) => {
                run(self, &mut |interp| interp.run_text(&rest.join(" "), call))
            }
            Rest::Either | Rest::Program => {
                let program = as_started(wrapper, rest);
                run(self, &mut |interp| interp.exec(program.as_deref().unwrap_or(rest), call))
            }
            Rest::Lines => {
                for line in rest {
                    printed = run(self, &mut |interp| interp.run_text(line, call));
                }
                printed
            }
            Rest::Keys => {
                if answers(rest) {
                    let keys = format!("the keys {}, which answer a question of the host", rest.join(" "));
                    self.ask_own(shown(&keys), call);
                }
                let line = ["^M", "^J", "\\n", "\\r", "\\015", "\\012"]
                    .iter()
                    .fold(rest.join(" "), |line, key| line.replace(key, "\n"));
                run(self, &mut |interp| interp.run_text(&line, call))
            }
        }
    }
}

/// The settings that stand before a program, and the program.
fn assigned<'r>(wrapper: &Runs, rest: &'r [String]) -> (Vec<(String, Var)>, &'r [String]) {
    // Any name will do for `env`, such as `BASH_FUNC_f%%`.
    let named = |arg: &String| is_assignment(arg) || wrapper.environment && arg.find('=') > Some(0);
    let secrets = |arg: &String| arg.chars().all(|c| matches!(c, TAINT_SECRET | ENVIRONMENT));
    let (assigns, program) = rest.split_at(rest.iter().take_while(|arg| named(arg) || secrets(arg)).count());
    let assigns = assigns.iter().filter_map(|arg| arg.split_once('='));
    (assigns.map(|(name, value)| (name.to_owned(), Var::one(value))).collect(), program)
}

/// Whether keys answer a question: one short word, or nothing but the key that sends it.
fn answers(keys: &[String]) -> bool {
    const SENDS: &[&str] = &[
        "enter", "return", "c-m", "c-j", "kpenter", "kp_enter", "space", "tab", "btab", "up", "down", "left", "right",
    ];
    const SHORT: &[&str] = &["y", "yes", "a", "always", "ok", "1", "2", "3"];
    let mut sent = false;
    let mut said = 0;
    for key in keys {
        let whole = key.to_ascii_lowercase();
        let key = whole.trim_end_matches(['\n', '\r']).trim_end_matches("\\n").trim_end_matches("\\r");
        sent |= SENDS.contains(&key) || key.len() < whole.len();
        match key {
            "" => {}
            key if SENDS.contains(&key) => {}
            key if SHORT.contains(&key) => said += 1,
            _ => return false,
        }
    }
    sent && said <= 1 || said == 1 && keys.len() == 1
}

/// A program as a package manager starts it, without the version behind its name, and without the `--` that ends the options of the
/// manager: `npx rimraf@5 x`, `npm exec rimraf -- x`.
fn as_started(wrapper: &Runs, rest: &[String]) -> Option<Vec<String>> {
    if let (Some((ending, program)), Some(first)) = (wrapper.script, rest.first())
        && (first.ends_with(ending) || is_input(first))
    {
        return Some(std::iter::once(program.to_owned()).chain(rest.iter().cloned()).collect());
    }
    if let Some((first, args)) = rest.split_first().filter(|_| wrapper.named_environment) {
        let (_, program) = first.split_once(':')?;
        return Some(std::iter::once(program.to_owned()).chain(args.iter().cloned()).collect());
    }
    let (package, args) = rest.split_first().filter(|_| wrapper.package)?;
    let package = match wrapper.first {
        First::Begins(mark) => package.strip_prefix(mark).unwrap_or(package).trim_start_matches('/'),
        _ => package,
    };
    let program = programs::of_package(package);
    let given = args.strip_prefix(&["--".to_owned()]).filter(|_| wrapper.manager).unwrap_or(args);
    Some(std::iter::once(program.to_owned()).chain(given.iter().cloned()).collect())
}

/// Whether the operand that a wrapper usually has is left out: `setarch -R program`, `nvm exec program`.
fn lacks_operand(wrapper: &Runs, rest: &[String]) -> bool {
    const ARCHITECTURES: &[&str] =
        &["x86", "i386", "i486", "i586", "i686", "arm", "aarch", "linux", "ppc", "s390", "mips", "riscv", "uname"];
    let version = |arg: &str| {
        let number = arg.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
        number || arg.starts_with("lts/") || matches!(arg, "default" | "stable" | "system")
    };
    let is_operand = |arg: &String| ARCHITECTURES.iter().any(|name| arg.starts_with(name)) || version(arg);
    wrapper.optional && !rest.first().is_some_and(is_operand)
}

/// The program that may begin before a `--` which is its own: `bundle exec rm -r x -- y`. A word alone is an operand, unless a program is
/// called so; a version is one in any case.
fn in_front_of_dashes<'a>(wrapper: &Runs, rest: &'a [String]) -> Option<&'a [String]> {
    if !wrapper.dashes || wrapper.skip > 0 || wrapper.into.is_some() {
        return None;
    }
    let is_version =
        |arg: &&String| arg.contains('@') || arg.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let program = rest.get(rest.iter().take_while(is_version).count()..)?;
    let first = program.first()?;
    let dashes = program.iter().position(|arg| arg == "--")?;
    (dashes > 1 || dashes == 1 && programs::named(&base_name(first)).is_some()).then_some(program)
}

/// Whether `--` ends the options, and so no operand stands before the program: `az ssh vm -n a -- program`.
fn begins_program(wrapper: &Runs, args: &[String], rest: &[String]) -> bool {
    let end = args.len().saturating_sub(rest.len()).checked_sub(1).and_then(|at| args.get(at));
    wrapper.dashes && end.is_some_and(|arg| arg == "--")
}

/// The arguments from the program on: behind the operands before it, or behind the `--` that begins it. `begins` tells that none
/// stands before it, and `entered` that it is named by an option, and all of the rest is its own.
fn behind_operands<'a>(
    wrapper: &Runs,
    options: &Options<'_>,
    rest: &'a [String],
    begins: bool,
    entered: bool,
) -> &'a [String] {
    let dashes = rest.iter().position(|arg| wrapper.dashes && !begins && arg == "--");
    let none = begins || options.has(wrapper.instead) || lacks_operand(wrapper, rest);
    let skip = if none { 0 } else { wrapper.skip };
    let rest = rest.get(dashes.unwrap_or(skip.min(rest.len()))..).unwrap_or_default();
    if skip > 0 && wrapper.into.is_none() && !entered && rest.first().is_some_and(|arg| arg.starts_with('-')) {
        // `setarch x86_64 -R program`: options after the operand.
        return Options::leading(rest, &[wrapper.values, wrapper.lines].concat()).1;
    }
    rest
}
