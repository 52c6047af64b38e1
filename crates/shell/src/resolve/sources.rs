//! Text from elsewhere that a program takes for what it is to run: a file that was fetched, or what it reads.

use super::action::Kind;
use super::exec::Call;
use super::state::Data;
use super::taint::{TAINT_DECODED, TAINT_NETWORK};
use super::{Interp, shown};
use crate::options::{Grammar, Options, Scan};
use crate::programs::{Input, Invocation, Made, Sourced, Sources};
use std::rc::Rc;

/// Files of one call that are looked at.
const MOST_FILES: usize = 256;

impl Interp<'_> {
    /// Reports a text from elsewhere that the program runs; of one that it makes a program of, that program is known to be as bad.
    pub(super) fn sourced(&mut self, of: &Invocation<'_>, call: &Call) {
        let Some(sources) = of.program.sources else { return };
        let options = of.options();
        if options.has(sources.unless) || options.has(&["--help", "--version"]) {
            return;
        }
        let Some(mut files) = files(sources, &options) else { return };
        let reads = match sources.input {
            Input::Named => false,
            Input::Alone => options.operands.is_empty() && files.is_empty(),
            Input::Always => true,
            Input::With(names) => options.has(names),
        };
        if reads {
            files.push("-");
        }
        for file in files.into_iter().take(MOST_FILES) {
            let Some(text) = self.text_of_source(file, call).filter(|text| is_from_elsewhere(text)) else { continue };
            if let Some(made) = sources.makes {
                let name = || match made {
                    Made::Named(name) => name,
                    Made::Stem => stem(file),
                };
                self.store(options.value(&["-o"]).unwrap_or_else(name), &text);
                continue;
            }
            let speculative = self.speculative;
            self.speculative |= sources.installs;
            self.run_from_elsewhere(&text, file, call);
            self.speculative = speculative;
        }
    }

    /// Reports that a text is run, if it comes from elsewhere.
    pub(super) fn run_from_elsewhere(&mut self, text: &str, file: &str, call: &Call) {
        let what = || if is_input(file) { "code from the network".to_owned() } else { shown(file) };
        if text.contains(TAINT_NETWORK) {
            self.act_at(Kind::RunRemote, None, what(), call.span);
        } else if text.contains(TAINT_DECODED) {
            self.act_at(Kind::RunHidden, None, "decoded code".to_owned(), call.span);
        }
    }

    /// `npx ADDRESS`, `pnpm dlx -p ADDRESS NAME`: a package that comes from nowhere that somebody publishes to.
    pub(super) fn package_fetched(&mut self, of: &Invocation<'_>, call: &Call) {
        let Some((runner, used)) = of.program.runs_with(of.args).filter(|(runner, _)| runner.package) else { return };
        let values = [runner.values, runner.lines].concat();
        let (own, rest) = Options::until_operand(of.args.get(used..).unwrap_or_default(), Grammar::gnu(&values));
        let before = Scan::new(of.args.get(..used).unwrap_or_default(), Grammar::gnu(&values));
        let named: Vec<&str> =
            before.options().filter(|given| given.is_one_of(PACKAGE)).filter_map(|given| given.value()).collect();
        let mut packages: Vec<&str> = own.values(PACKAGE).chain(named).collect();
        if packages.is_empty() {
            let rest = rest.strip_prefix(&["--".to_owned()]).unwrap_or(rest);
            packages.extend(rest.first().map(String::as_str));
        }
        for package in packages {
            let Some(certain) = from_address(package) else { continue };
            // What lies in a repository may be one's own.
            let speculative = self.speculative;
            self.speculative |= !certain;
            self.act_at(Kind::RunRemote, None, shown(package), call.span);
            self.speculative = speculative;
        }
    }

    /// What is known of the text of a file that a program is to run, or of what it reads.
    pub(super) fn text_of_source(&self, file: &str, call: &Call) -> Option<Data> {
        if is_input(file) { Some(Rc::clone(&call.stdin)) } else { self.content(file) }
    }
}

/// Options that name the package in which the program lies.
const PACKAGE: &[&str] = &["-p", "--package"];

/// Whether a package is named by an address: `true` for a file on a server, `false` for a repository.
fn from_address(package: &str) -> Option<bool> {
    if let Some((scheme, rest)) = package.split_once(':') {
        let repository = rest.split('#').next().is_some_and(|path| path.rsplit('.').next() == Some("git"));
        let is_file = matches!(scheme, "http" | "https") && !repository;
        let of_host = matches!(scheme, "github" | "gitlab" | "bitbucket" | "gist" | "git" | "ssh");
        return (is_file || of_host || repository || scheme.starts_with("git+")).then_some(is_file);
    }
    // `owner/repository` is one of GitHub, unless it is a path or a scope's package.
    let is_name = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let (owner, repository) = package.split_once('/')?;
    let repository = repository.split('#').next().unwrap_or_default();
    (is_name(owner) && !owner.starts_with('.') && is_name(repository)).then_some(false)
}

/// Whether a name stands for standard input.
pub(super) fn is_input(file: &str) -> bool {
    matches!(file, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

fn is_from_elsewhere(text: &str) -> bool {
    text.contains([TAINT_NETWORK, TAINT_DECODED])
}

/// The files that a call names, or takes by their names; `None` where its sub-command runs none.
fn files<'a>(sources: &Sources, options: &Options<'a>) -> Option<Vec<&'a str>> {
    let mut files: Vec<&str> = options.values(sources.options).flat_map(|value| value.split(':')).collect();
    let operands = match sources.verbs {
        [] => Some(options.operands.as_slice()),
        verbs => options.operands.split_first().filter(|(verb, _)| verbs.contains(verb)).map(|(_, rest)| rest),
    };
    if files.is_empty() {
        operands?;
        files.extend(sources.files);
    }
    let operands = operands.unwrap_or_default();
    files.extend(match sources.operands {
        Sourced::No => &[],
        Sourced::First => operands.get(..1).unwrap_or_default(),
        Sourced::All => operands,
    });
    Some(files)
}

/// A file's name without its ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
