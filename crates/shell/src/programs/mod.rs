//! The catalogue: what is known of programs, a file a family and a row a program.
//!
//! A program that is to be known gets a row, or its name in the row of a program that is called in the same ways. The parser, the
//! resolver, the read-only review and the rules of policies read this. What a verb does in a service is a rule, and stands in the policy.

pub mod agents;
mod archive;
mod build;
mod cloud;
pub(crate) mod cmdlets;
mod code;
mod container;
mod database;
mod editors;
mod files;
mod forge;
mod index;
mod keeps;
mod languages;
mod media;
mod network;
mod origins;
mod packages;
mod reads;
mod reveals;
mod runs;
mod secrets;
mod shells;
mod sources;
mod system;
mod terminals;
mod text;
mod tool;
mod traits;
mod types;
mod vcs;
mod wrappers;
mod writes;

pub(crate) use self::code::PYTHON;
use crate::options::{Grammar, Item, Options, Scan};
use crate::resolve::taint::glob;

pub use self::code::{Language, Tasks, Tongue, VIM};
pub use self::database::{DOCUMENT_CLIENTS, KEY_CLIENTS, SQL_CLIENTS};
pub use self::index::Index;
pub use self::keeps::{Keeps, Tree};
pub use self::network::HTTP_CLIENTS;
pub(crate) use self::origins::LOOKS;
pub use self::origins::Origin;
pub use self::reads::{Operands, Passes, Script, Style, VERBS, Way};
pub use self::reveals::Reveals;
pub use self::runs::{First, Rest, Runs};
pub use self::sources::{Input, Made, Sourced, Sources};
pub use self::tool::Tool;
use self::traits::traits;
pub use self::traits::{Trait, Traits};
pub use self::types::{How, Types};
pub(crate) use self::writes::OUTPUTS;
pub use self::writes::{Writes, Written};

/// A program, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its names, and those of programs of which the same is known: lower case, without directory and `.exe`.
    pub names: &'static [&'static str],
    /// Packages, images and the like from which a runner starts the first of these programs, where they are called otherwise.
    pub packages: &'static [&'static str],
    /// What holds of every call.
    pub is: Traits,
    /// Which one it is, where code follows what it does.
    pub tool: Tool,
    /// How its options are written, and which have a value.
    pub options: Grammar<'static>,
    /// How they are written behind these first operands, where the same letter means something else there.
    pub verbs: &'static [(&'static str, Grammar<'static>)],
    /// Options that may stand before the verb of a call that only reads. `-C=` takes a value, as the next word or joined.
    pub before: &'static [&'static str],
    /// The ways of calling it that only read; one has to fit.
    pub reads: &'static [Way],
    /// It runs another program, and only reads if that does.
    pub passes: Option<&'static Passes>,
    /// The ways of calling it that run another program; the first that fits counts.
    pub runs: &'static [Runs],
    /// Options whose value is a line for a shell, where nothing else is run.
    pub lines: &'static [&'static str],
    /// Options that name a file of commands, or a list of files.
    pub commands: &'static [&'static str],
    /// The language in which it is given code.
    pub code: Option<&'static Language>,
    /// The files whose text it runs, or makes a program of.
    pub sources: Option<&'static Sources>,
    /// How it is told where packages come from.
    pub origin: Option<&'static Origin>,
    /// The commands that print a secret which it keeps.
    pub reveals: &'static [Reveals],
    /// The files that it writes.
    pub writes: Option<&'static Writes>,
    /// The commands that type into a terminal.
    pub types: &'static [Types],
    /// The files of code that it runs without being told.
    pub tasks: Option<&'static Tasks>,
    /// The tree of files that it keeps.
    pub keeps: Option<&'static Keeps>,
    /// Variables whose words stand for arguments; with `_*` at the end, for those of the command that the name ends with.
    pub adds: &'static [&'static str],
    /// Variables that choose the settings it works with, and so the database: `RAILS_ENV`.
    pub settings: &'static [&'static str],
}

/// A row, with nothing known of these programs.
const fn row(names: &'static [&'static str]) -> Program {
    Program {
        names,
        packages: &[],
        is: Traits::NONE,
        tool: Tool::Other,
        options: Grammar::GNU,
        verbs: &[],
        before: &[],
        reads: &[],
        passes: None,
        runs: &[],
        lines: &[],
        commands: &[],
        code: None,
        sources: None,
        origin: None,
        reveals: &[],
        writes: None,
        types: &[],
        tasks: None,
        keeps: None,
        adds: &[],
        settings: &[],
    }
}

/// A program of which nothing is known.
const UNKNOWN: Program = row(&[]);

/// Says one column of a row.
macro_rules! columns {
    ($($column:ident: $type:ty $(, $some:ident)?;)*) => {
        impl Program {
            $(const fn $column(mut self, $column: $type) -> Self {
                self.$column = columns!(@value $column $($some)?);
                self
            })*
        }
    };
    (@value $column:ident) => { $column };
    (@value $column:ident $some:ident) => { $some($column) };
}

columns! {
    packages: &'static [&'static str];
    tool: Tool;
    options: Grammar<'static>;
    verbs: &'static [(&'static str, Grammar<'static>)];
    before: &'static [&'static str];
    reads: &'static [Way];
    passes: &'static Passes, Some;
    runs: &'static [Runs];
    lines: &'static [&'static str];
    commands: &'static [&'static str];
    code: &'static Language, Some;
    sources: &'static Sources, Some;
    origin: &'static Origin, Some;
    reveals: &'static [Reveals];
    writes: &'static Writes, Some;
    types: &'static [Types];
    tasks: &'static Tasks, Some;
    keeps: &'static Keeps, Some;
    adds: &'static [&'static str];
    settings: &'static [&'static str];
}

impl Program {
    const fn is(mut self, all: &[Trait]) -> Self {
        self.is = traits(all);
        self
    }
}

/// The families, with their titles. Each row is a constant of its own, so that one that is seldom asked for shares no page with others.
pub const FAMILIES: &[(&str, &[&Program])] = &[
    ("Agents", agents::PROGRAMS),
    ("Archives", archive::PROGRAMS),
    ("Builds, tests and linters", build::PROGRAMS),
    ("Clouds, platforms and servers", cloud::PROGRAMS),
    ("Containers and clusters", container::PROGRAMS),
    ("Databases", database::PROGRAMS),
    ("Editors", editors::PROGRAMS),
    ("Files", files::PROGRAMS),
    ("Forges", forge::PROGRAMS),
    ("Languages", languages::PROGRAMS),
    ("Media", media::PROGRAMS),
    ("Network", network::PROGRAMS),
    ("Packages", packages::PROGRAMS),
    ("Secrets", secrets::PROGRAMS),
    ("Shells", shells::PROGRAMS),
    ("System", system::PROGRAMS),
    ("Terminals", terminals::PROGRAMS),
    ("Text", text::PROGRAMS),
    ("Version control", vcs::PROGRAMS),
    ("Wrappers", wrappers::PROGRAMS),
];

/// Every row, and the numbers of the rows by their names; made by the compiler.
struct Catalogue {
    rows: [&'static Program; ROWS],
    index: Index<NAMES>,
    packages: Index<PACKAGES>,
}

static CATALOGUE: Catalogue = catalogue();

const ROWS: usize = count().0;
const NAMES: usize = count().1;
const PACKAGES: usize = count().2;

/// How many rows there are, how many names, and how many packages.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it, and an index that is too large is an error of the build"
)]
const fn count() -> (usize, usize, usize) {
    let (mut rows, mut names, mut packages) = (0, 0, 0);
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].1.len() {
            names += FAMILIES[family].1[row].names.len();
            packages += FAMILIES[family].1[row].packages.len();
            row += 1;
        }
        rows += row;
        family += 1;
    }
    (rows, names, packages)
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it, and an index that is too large is an error of the build"
)]
const fn catalogue() -> Catalogue {
    let mut all = Catalogue { rows: [&UNKNOWN; ROWS], index: Index::EMPTY, packages: Index::EMPTY };
    let mut at = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].1.len() {
            let program = FAMILIES[family].1[row];
            let mut name = 0;
            while name < program.names.len() {
                all.index.add(program.names[name], at);
                name += 1;
            }
            let mut package = 0;
            while package < program.packages.len() {
                all.packages.add(program.packages[package], at);
                package += 1;
            }
            all.rows[at] = program;
            at += 1;
            row += 1;
        }
        family += 1;
    }
    all
}

/// The row of a program; `None` for one that is not known.
pub fn named(name: &str) -> Option<&'static Program> {
    let mut found = CATALOGUE.index.find(name).filter_map(|at| CATALOGUE.rows.get(at).copied());
    found.find(|program| program.names.contains(&name))
}

/// The program that a runner starts from a package, whose name says more than the program's, and may have a version behind it:
/// `@angular/cli@17`, `awscli==1.32`, `hashicorp/terraform:1.5`.
pub fn of_package(package: &str) -> &str {
    let plain = without_version(package);
    // `@railway/cli`
    let scope = || plain.strip_prefix('@').and_then(|scoped| scoped.strip_suffix("/cli"));
    packaged(package).or_else(scope).unwrap_or(plain)
}

/// The program of the row that names this package.
pub fn packaged(package: &str) -> Option<&'static str> {
    let plain = without_version(package);
    let mut found = CATALOGUE.packages.find(plain).filter_map(|at| CATALOGUE.rows.get(at).copied());
    found.find(|row| row.packages.contains(&plain))?.names.first().copied()
}

/// The name of a package without what follows it: a version, extras, a tag.
fn without_version(package: &str) -> &str {
    let scope = package.strip_prefix('@').map_or(0, |_| 1);
    let end = package.get(scope..).and_then(|name| name.find(['@', '=', '[', '>', '<', '~', '!', ':']));
    end.and_then(|end| package.get(..scope + end)).unwrap_or(package)
}

/// What installers add to a name.
const ENDINGS: &[&str] = &[".sh", ".jar", ".cmd", ".bat", ".phar"];
/// Options of interpreters whose value is the program.
const SCRIPT: &[&str] = &["-m", "-jar"];
/// Options with which an interpreter takes code in place of a file.
const TAKES_CODE: &[&str] = &["-c", "-e", "-r", "-p", "-pe", "-E", "--eval", "--run"];

/// A call of a program, of whose name and arguments all is known that the line tells.
#[derive(Debug, Clone, Copy)]
pub struct Invocation<'a> {
    /// What is known of the program.
    pub program: &'static Program,
    /// Its name: lower case, without directory and `.exe`.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a [String],
}

impl<'a> Invocation<'a> {
    /// A call of the program of this name.
    pub fn new(name: &'a str, args: &'a [String]) -> Self {
        Self { program: named(name).unwrap_or(&UNKNOWN), name, args }
    }

    /// The same program with other arguments.
    #[must_use]
    pub fn with<'b>(&self, args: &'b [String]) -> Invocation<'b>
    where
        'a: 'b,
    {
        Invocation { args, ..*self }
    }

    /// The options and operands, by the program's grammar.
    pub fn options(&self) -> Options<'a> {
        Options::read(self.args, self.grammar())
    }

    /// How its options are written, by its sub-command.
    pub fn grammar(&self) -> Grammar<'static> {
        let Program { options, verbs, .. } = self.program;
        let begins = |words: &str| {
            let mut operands = Scan::new(self.args, *options).operands().map(|operand| operand.word);
            words.split_ascii_whitespace().all(|word| operands.next().is_some_and(|operand| operand == word))
        };
        verbs.iter().find(|(words, _)| begins(words)).map_or(*options, |(_, grammar)| *grammar)
    }

    /// The options before the first operand, and the arguments from there on.
    pub fn leading(&self) -> (Options<'a>, &'a [String]) {
        Options::until_operand(self.args, self.grammar())
    }

    /// The words of a sub-command with which the operands begin, as far as the row knows any.
    pub fn verb<'o>(&self, options: &'o Options<'a>) -> &'o [&'a str] {
        let operands = options.operands.as_slice();
        let Program { reads, runs, reveals, types, .. } = self.program;
        let texts = reads.iter().map(|way| way.verbs).chain(runs.iter().map(|runs| runs.verbs)).flatten();
        let agrees = |words: &mut dyn Iterator<Item = &'static str>| {
            let words = words.take_while(|word| !word.starts_with('*') && !Grammar::GNU.is_option(word));
            words.zip(operands).take_while(|(word, operand)| glob(word, operand)).count()
        };
        let known = texts
            .map(|text| agrees(&mut text.split_ascii_whitespace()))
            .chain(reveals.iter().flat_map(|store| store.words).map(|words| agrees(&mut words.iter().copied())))
            .chain(types.iter().flat_map(|types| types.verbs).map(|word| agrees(&mut std::iter::once(*word))));
        let count = known.max().unwrap_or(0);
        // What does something is a word of a sub-command as well, where the program has any.
        let has_verbs = reads.iter().any(|way| way.verbs.iter().any(|verb| !verb.is_empty()));
        let acts = has_verbs && operands.get(count).is_some_and(|word| VERBS.contains(word));
        operands.get(..count + usize::from(acts)).unwrap_or_default()
    }

    /// The program under the name that is known, without what installers add to it; or the script that it is given, where it is one
    /// that runs its first operand: `php artisan …`, `python -m twine …`, `java -jar jenkins-cli.jar …`. `known` tells names that end
    /// like a version and are none.
    #[must_use]
    pub fn real(&self, known: &dyn Fn(&str) -> bool) -> Self {
        let plain = |name: &'a str| {
            let name = ENDINGS.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
            // `s3` and `db2` are names; `psql-15` and `python3.11` are versions.
            if stem.is_empty() || known(name) { name } else { stem }
        };
        let name = plain(self.name);
        if !is(name, Trait::RunsFile) {
            return Self::new(if known(self.name) { self.name } else { name }, self.args);
        }
        let of_language = named(name).and_then(|program| program.code).map_or(&[][..], |language| language.values);
        for item in Scan::new(self.args, Grammar::words(&[SCRIPT, of_language].concat())) {
            let (script, at) = match &item {
                Item::Option(given) if given.next.is_some() && SCRIPT.contains(&given.word) => {
                    (given.value(), given.at + 2)
                }
                Item::Option(given) if TAKES_CODE.contains(&given.word) => break,
                Item::Option(_) => continue,
                // `deno eval CODE`
                Item::Operand(operand) if operand.word == "eval" => break,
                Item::Operand(operand) if operand.word != "-" => (Some(operand.word.as_str()), operand.at + 1),
                Item::Operand(_) | Item::End => break,
            };
            let Some(script) = script else { break };
            let args = self.args.get(at..).unwrap_or_default();
            return Self::new(plain(script.rsplit('/').next().unwrap_or(script)), args);
        }
        Self::new(name, self.args)
    }

    /// The call as one text, for people.
    pub fn text(&self) -> String {
        format!("{} {}", self.name, self.args.join(" "))
    }

    /// Whether this is known of the program.
    pub fn is(&self, wanted: Trait) -> bool {
        self.program.is.has(wanted)
    }
}

/// Which program it is, where code follows what it does.
pub fn tool(name: &str) -> Tool {
    named(name).map_or(Tool::Other, |program| program.tool)
}

/// Whether this is known of a program.
pub fn is(name: &str, wanted: Trait) -> bool {
    named(name).is_some_and(|program| program.is.has(wanted))
}

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Program> {
    CATALOGUE.rows.iter().copied()
}

/// A name without the version at its end: `python3.11`.
pub fn stem(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}
