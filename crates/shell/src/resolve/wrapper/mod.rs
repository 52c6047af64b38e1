//! Programs that run another program: what stands between their name and the program's, as a table.

mod far;
mod known;
mod tools;

/// How the rest of the arguments is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// It is a program with its arguments.
    Program,
    /// It is joined with blanks and handed to a shell.
    Line,
    /// It is a program if there are several arguments, a line for a shell if there is one.
    Either,
    /// Each argument is a line for a shell.
    Lines,
    /// It is typed into a terminal: a line for a shell, with names of keys in it.
    Keys,
}

/// A program that runs another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrapper {
    /// Its names.
    pub(super) names: &'static [&'static str],
    /// Words after its name that make it one, such as `exec`; none for most.
    pub(super) verbs: &'static [&'static str],
    /// Options with a value of their own.
    pub(super) values: &'static [&'static str],
    /// Options whose value is a line for a shell.
    pub(super) lines: &'static [&'static str],
    /// Operands before the program; `usize::MAX` where no operand is one.
    pub(super) skip: usize,
    /// `NAME=value` may stand before the program.
    pub(super) assigns: bool,
    /// What the rest is.
    pub(super) rest: Rest,
    /// It runs the program elsewhere: another machine, a container.
    pub(super) remote: bool,
    /// Options with which nothing runs.
    pub(super) without: &'static [&'static str],
    /// Options with two values.
    pub(super) pairs: &'static [&'static str],
    /// Options that stand for an operand before the program.
    pub(super) instead: &'static [&'static str],
    /// Options after which the program begins, wherever they stand.
    pub(super) before: &'static [&'static str],
    /// Options whose value is the program; its arguments follow `--`.
    pub(super) named: &'static [&'static str],
    /// Options whose value is the folder that the program starts in.
    pub(super) folders: &'static [&'static str],
    /// Operands may stand before a `--` that begins the program.
    pub(super) dashes: bool,
    /// The rest is arguments of this program; without any, it reads what to do on standard input.
    pub(super) into: Option<&'static str>,
}

/// Programs that run a command in a container.
const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc"];

impl Wrapper {
    /// Whether it runs the program in a container whose mounts its options name.
    pub(super) fn contains(&self) -> bool {
        self.remote && self.names.iter().any(|name| CONTAINERS.contains(name))
    }
}

/// A wrapper without options of its own.
const PLAIN: Wrapper = Wrapper {
    names: &[],
    verbs: &[],
    values: &[],
    lines: &[],
    skip: 0,
    assigns: false,
    rest: Rest::Program,
    remote: false,
    without: &[],
    pairs: &[],
    instead: &[],
    before: &[],
    named: &[],
    folders: &[],
    dashes: false,
    into: None,
};

/// The first letters of each entry's names, a bit each.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it, and an index that is too large is an error of the build"
)]
const fn letters<const N: usize>(all: &[Wrapper]) -> [u32; N] {
    let mut letters = [0; N];
    let mut at = 0;
    while at < N {
        let mut names = all[at].names;
        while let [name, rest @ ..] = names {
            letters[at] |= bit(name);
            names = rest;
        }
        at += 1;
    }
    letters
}

const fn bit(name: &str) -> u32 {
    match name.as_bytes() {
        [first, ..] => 1 << (*first & 31),
        [] => 0,
    }
}

static LETTERS: ([u32; known::WRAPPERS.len()], [u32; tools::WRAPPERS.len()], [u32; far::WRAPPERS.len()]) =
    (letters(known::WRAPPERS), letters(tools::WRAPPERS), letters(far::WRAPPERS));

/// The entry for a program called with these arguments, and how many words its verb takes with all before it.
pub(super) fn find(program: &str, args: &[String]) -> Option<(&'static Wrapper, usize)> {
    // Every command of every line is looked for here; the first letter sorts most entries out without a comparison of texts.
    let letter = bit(program);
    let (known, tools, far) = &LETTERS;
    let tables: [(&[u32], &[Wrapper]); 3] = [(known, known::WRAPPERS), (tools, tools::WRAPPERS), (far, far::WRAPPERS)];
    for (letters, wrappers) in tables {
        for (_, wrapper) in letters.iter().zip(wrappers).filter(|(letters, _)| *letters & letter != 0) {
            if !wrapper.names.contains(&program) {
                continue;
            }
            if wrapper.verbs.is_empty() {
                return Some((wrapper, 0));
            }
            let used = wrapper.verbs.iter().find_map(|verb| verb_at(verb, args, wrapper.values));
            if let Some(used) = used {
                return Some((wrapper, used));
            }
        }
    }
    None
}

/// Where the words of a verb end, if they are the first operands.
fn verb_at(verb: &str, args: &[String], values: &[&str]) -> Option<usize> {
    if verb.is_empty() {
        return Some(0);
    }
    let mut at = 0;
    for word in verb.split(' ') {
        loop {
            let arg = args.get(at)?;
            if arg == word {
                at += 1;
                break;
            }
            if !arg.starts_with('-') {
                return None;
            }
            at += 1 + usize::from(values.contains(&arg.as_str()));
        }
    }
    Some(at)
}
