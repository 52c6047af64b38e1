//! Rules for the command lines of services: containers, clusters, clouds, databases, forges, registries and the like.
//!
//! A program is looked up by its name first; a program that no rule names costs one hash of its name and no memory.

mod backup;
mod ci;
mod cloud;
mod cloud_access;
mod cluster;
mod code;
mod container;
mod database;
mod forge;
mod http;
mod infrastructure;
mod machine;
mod messaging;
mod money;
mod monitoring;
mod network;
mod object_store;
mod platform;
mod registry;
mod saas;
mod secret_store;
mod service;
mod vcs;

use super::command::{Command, only_shows};
use super::verb::Verbs;
use super::{Family, Pattern, Rule, Severity};
use hook_shell::options::{Grammar, Item, Scan, letters};
use hook_shell::programs::{self, Index, Invocation, Tool};
use hook_shell::resolve::Run;
use hook_shell::resolve::taint::is_literal;
use hook_shell::texts::sql::{self, Statement};

/// The rules, a table a family.
const TABLES: &[&[Rule]] = &[
    container::RULES,
    cluster::RULES,
    infrastructure::RULES,
    cloud::RULES,
    cloud_access::RULES,
    platform::RULES,
    object_store::RULES,
    database::RULES,
    forge::RULES,
    registry::RULES,
    service::RULES,
    network::RULES,
    messaging::RULES,
    monitoring::RULES,
    saas::RULES,
    money::RULES,
    code::RULES,
    secret_store::RULES,
    backup::RULES,
    ci::RULES,
    machine::RULES,
    http::RULES,
    vcs::RULES,
];

/// A rule that asks.
const fn ask(
    id: &'static str,
    family: Family,
    pattern: Pattern,
    reason: &'static str,
    should_match: &'static [&'static str],
    should_not_match: &'static [&'static str],
) -> Rule {
    Rule {
        id,
        family,
        severity: Severity::Ask,
        off: false,
        pattern,
        reason,
        suggestion: None,
        should_match,
        should_not_match,
    }
}

/// Programs whose first verb decides.
const fn verbs(
    programs: &'static [&'static str],
    depth: u8,
    more: &'static str,
    less: &'static [&'static [&'static str]],
) -> Pattern {
    Pattern::Verbs(Verbs { programs, depth, more, less, without: &[] })
}

/// Programs with these first words.
const fn words(programs: &'static [&'static str], words: &'static [&'static str]) -> Pattern {
    Pattern::Command(Command { programs, words, flags: &[], without: &[] })
}

/// Programs with these first words and one of these options.
const fn flags(
    programs: &'static [&'static str],
    words: &'static [&'static str],
    flags: &'static [&'static str],
) -> Pattern {
    Pattern::Command(Command { programs, words, flags, without: &[] })
}

/// Programs with these first words and none of these options.
const fn unless(
    programs: &'static [&'static str],
    words: &'static [&'static str],
    without: &'static [&'static str],
) -> Pattern {
    Pattern::Command(Command { programs, words, flags: &[], without })
}

/// Every rule, and the numbers of the rules by the programs that they name; made by the compiler.
struct Rules {
    rules: [&'static Rule; RULES],
    index: Index<NAMES>,
}

static ALL: Rules = collect();

const RULES: usize = count().0;
const NAMES: usize = count().1;

const fn names_of(pattern: &Pattern) -> &'static [&'static str] {
    match pattern {
        Pattern::Action { .. } => &[],
        Pattern::Command(command) => command.programs,
        Pattern::Verbs(verbs) => verbs.programs,
        Pattern::Statement(_) => programs::SQL_CLIENTS,
        Pattern::Query(query) => query.programs,
        Pattern::Script(_) => programs::DOCUMENT_CLIENTS,
        Pattern::Keys => programs::KEY_CLIENTS,
        Pattern::Request(_) => programs::HTTP_CLIENTS,
        Pattern::Text(text) | Pattern::Code(text) => text.programs,
    }
}

/// How many rules there are, and how many names they have.
#[allow(
    clippy::indexing_slicing,
    reason = "runs in the compiler, where an index out of bounds is an error of the build"
)]
const fn count() -> (usize, usize) {
    let (mut rules, mut names) = (0, 0);
    let mut table = 0;
    while table < TABLES.len() {
        let mut rule = 0;
        while rule < TABLES[table].len() {
            names += names_of(&TABLES[table][rule].pattern).len();
            rule += 1;
        }
        rules += rule;
        table += 1;
    }
    (rules, names)
}

#[allow(
    clippy::indexing_slicing,
    reason = "runs in the compiler, where an index out of bounds is an error of the build"
)]
const fn collect() -> Rules {
    let mut all = Rules { rules: [&TABLES[0][0]; RULES], index: Index::EMPTY };
    let mut at = RULES;
    // From the last to the first, so that the rules of a name are found in the order of the tables.
    let mut table = TABLES.len();
    while table > 0 {
        table -= 1;
        let mut rule = TABLES[table].len();
        while rule > 0 {
            rule -= 1;
            at -= 1;
            all.rules[at] = &TABLES[table][rule];
            let names = names_of(&TABLES[table][rule].pattern);
            let mut name = 0;
            while name < names.len() {
                all.index.add(names[name], at);
                name += 1;
            }
        }
    }
    all
}

/// The rules that name this program, in the order of the tables.
fn named(program: &str) -> impl Iterator<Item = &'static Rule> {
    let found = ALL.index.find(program).filter_map(|at| ALL.rules.get(at).copied());
    found.filter(move |rule| names_of(&rule.pattern).contains(&program))
}

/// The rules that a program breaks with its arguments.
pub(super) fn violations(run: &Run) -> Vec<&'static Rule> {
    let of = run.invocation().real(&|name| named(name).next().is_some());
    if named(of.name).next().is_none() {
        return Vec::new();
    }
    let input = run.stdin.as_deref();
    let call = Call { of, stdin: input.filter(|text| is_literal(text)), input };
    let mut read = Read::default();
    let shows = only_shows(&of);
    let mut out: Vec<&'static Rule> = Vec::new();
    let scratch = hook_shell::texts::throwaway_db::is_scratch(&of) || run.stand.tests && !run.stand.remote;
    for rule in named(of.name) {
        if scratch && rule.family == Family::Database && rule.pattern != Pattern::Statement(Statement::Shell) {
            continue;
        }
        // A program may be named twice by one rule, as `clickhouse` is by what it reads.
        if call.breaks(rule, shows, &mut read) && !out.iter().any(|seen| seen.id == rule.id) {
            out.push(rule);
        }
    }
    out
}

/// A program that really runs.
struct Call<'c> {
    of: Invocation<'c>,
    stdin: Option<&'c str>,
    /// The same with parts that are not known: a statement may name a table that a variable holds.
    input: Option<&'c str>,
}

/// What was read of a call already, for the rules that ask for the same.
#[derive(Default)]
struct Read {
    statements: Option<Vec<Statement>>,
    script: Option<Vec<Statement>>,
    queries: Option<Vec<Statement>>,
    requests: Option<Vec<hook_shell::texts::http::Request>>,
}

impl Call<'_> {
    fn breaks(&self, rule: &Rule, shows: bool, read: &mut Read) -> bool {
        match &rule.pattern {
            Pattern::Action { .. } => false,
            Pattern::Command(command) => !shows && command.fits(&self.of),
            Pattern::Verbs(verbs) => !shows && verbs.fits(&self.of),
            Pattern::Statement(kind) => read.statements.get_or_insert_with(|| self.collect(sql::read)).contains(kind),
            Pattern::Script(kind) => read.script.get_or_insert_with(|| self.collect(sql::read_script)).contains(kind),
            Pattern::Keys => !shows && self.destroys_keys(),
            Pattern::Request(kind) => {
                let requests = || hook_shell::texts::http::read(&self.of).into_iter().collect();
                read.requests.get_or_insert_with(requests).contains(kind)
            }
            Pattern::Text(text) => text.fits(&self.of, self.texts()),
            Pattern::Query(query) => {
                let all = || {
                    let mut found = Vec::new();
                    self.texts().for_each(|code| hook_shell::texts::query::read(code, &mut found));
                    found
                };
                read.queries.get_or_insert_with(all).iter().any(|kind| query.statements.contains(kind))
            }
            Pattern::Code(text) => self.texts().any(|code| text.holds_call(code)),
        }
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.of.args.iter().map(String::as_str).chain(self.stdin)
    }

    /// What the texts that a client is given say: operands, values of options however they are joined, and standard input.
    fn collect(&self, reader: fn(&str, &mut Vec<Statement>)) -> Vec<Statement> {
        let mut found = Vec::new();
        for item in Scan::new(self.of.args, Grammar::WORDS) {
            match item {
                Item::Operand(operand) => {
                    reader(operand.word, &mut found);
                    // A text may stand in a parameter of its own: `query=DROP TABLE a`.
                    if let Some((_, value)) = operand.word.split_once('=').filter(|(name, _)| !name.contains(' ')) {
                        reader(value, &mut found);
                    }
                }
                Item::Option(given) if letters(given.word).is_some_and(|text| text.contains([' ', '('])) => {
                    // `-e'DROP …'`, `-tAc'DROP …'`: where the letters end is not known.
                    for from in 2..=5 {
                        given.word.get(from..).into_iter().for_each(|text| reader(text, &mut found));
                    }
                }
                Item::Option(given) if letters(given.word).is_none() => {
                    given.joined.into_iter().for_each(|value| reader(value, &mut found));
                }
                Item::Option(_) | Item::End => {}
            }
        }
        if let Some(input) = self.input {
            reader(input, &mut found);
        }
        found
    }

    fn destroys_keys(&self) -> bool {
        let Invocation { program, args, .. } = self.of;
        let carries = matches!(program.tool, Tool::Netcat | Tool::Socat | Tool::Senders | Tool::Memcached);
        let words = |text: &str| {
            let mut words = text.split_whitespace();
            (words.next().map(str::to_owned), words.next().map(str::to_owned))
        };
        let line = |text: &str| {
            let (first, second) = words(text);
            first.is_some_and(|first| sql::destroys_keys(&first, second.as_deref()))
        };
        // What is typed at a carrier may be for any server; these words are for one kind only.
        let carried =
            |text: &str| matches!(words(text).0, Some(word) if word.to_ascii_lowercase().starts_with("flush"));
        let typed = self
            .stdin
            .is_some_and(|text| text.split(['\n', '\r']).any(|text| if carries { carried(text) } else { line(text) }));
        if carries {
            return typed || program.tool == Tool::Memcached && args.iter().any(|arg| carried(arg));
        }
        let evaluates =
            args.iter().any(|arg| matches!(arg.to_ascii_lowercase().as_str(), "eval" | "--eval" | "evalsha"));
        let flushes = |arg: &String| {
            let lower = arg.to_ascii_lowercase();
            lower.contains("flushall") || lower.contains("flushdb")
        };
        let cluster = args.windows(2).any(|pair| {
            matches!(pair, [option, verb] if option == "--cluster" && matches!(verb.as_str(), "del-node" | "reset" | "fix"))
        });
        typed || cluster || evaluates && args.iter().any(flushes) || self.typed_command()
    }

    /// Whether the first word that can be a command destroys.
    fn typed_command(&self) -> bool {
        let Invocation { program, args, .. } = self.of;
        Scan::new(args, program.options).operands().next().is_some_and(|operand| {
            let next = || args.get(operand.at + 1).map(String::as_str);
            let (first, second) = operand.word.split_once(' ').map_or_else(
                || (operand.word.as_str(), next()),
                |(first, rest)| (first, rest.split_whitespace().next()),
            );
            sql::destroys_keys(first, second)
        })
    }
}

/// All rules of this module.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    ALL.rules.iter().copied()
}
