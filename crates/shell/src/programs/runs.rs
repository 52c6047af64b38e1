//! Ways of calling a program that run another one: what stands between their names.

use super::Program;
use crate::options::{Grammar, Item, Scan};

/// How the rest of the arguments is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
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

/// What the first operand behind the verb has to be like, for a call to run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Anything.
    Any,
    /// A plain name, and none of these: the commands of the program itself.
    NoneOf(&'static [&'static str]),
    /// Begins with this, which is no part of the name: `deno run npm:rimraf`.
    Begins(&'static str),
}

/// A way of calling a program that runs another one.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// Words after its name that make it one, such as `exec`; none for most. Options may stand before them.
    pub verbs: &'static [&'static str],
    /// Options with a value of their own, before and behind the verb: without `-C` here, `mise -C a exec` is not seen to be `exec`.
    pub values: &'static [&'static str],
    /// Options whose value is a line for a shell.
    pub lines: &'static [&'static str],
    /// Operands before the program: one in `timeout 5 program`; `usize::MAX` where no operand is one.
    pub skip: usize,
    /// `NAME=value` may stand before the program: `env A=1 program`.
    pub assigns: bool,
    /// What the rest is.
    pub rest: Rest,
    /// It runs the program elsewhere: another machine, a container.
    pub remote: bool,
    /// Options with which nothing runs.
    pub without: &'static [&'static str],
    /// Options with two values.
    pub pairs: &'static [&'static str],
    /// Options that stand for an operand before the program: `faketime -f '-1d' program`.
    pub instead: &'static [&'static str],
    /// Options after which the program begins, wherever they stand: `nix develop -c program`.
    pub before: &'static [&'static str],
    /// Options whose value is the program; its arguments are the operands: `docker run --entrypoint program`.
    pub named: &'static [&'static str],
    /// Options whose value is the directory that the program starts in.
    pub dirs: &'static [&'static str],
    /// Operands may stand before a `--` that begins the program: `mise exec node@20 -- program`.
    pub dashes: bool,
    /// The rest is arguments of this program: `autossh host` runs `ssh host`. Without any, it reads what to do on standard input.
    pub into: Option<&'static str>,
    /// It runs the program in a container whose mounts its options name.
    pub container: bool,
    /// Options with which it runs at a later time: `systemd-run --on-calendar=daily program`.
    pub later: &'static [&'static str],
    /// It asks for the rights of another user.
    pub privileged: bool,
    /// Without a program its options can ask for a shell.
    pub interactive: bool,
    /// It hands on an environment, of any names, and prints it where no program is given.
    pub environment: bool,
    /// Options whose value is a file of settings that become variables of the program: `dotenv -e .env program`.
    pub loads: &'static [&'static str],
    /// It reads such a file of the project's where no option names one.
    pub loaded: bool,
    /// A lone dash may stand before the operands.
    pub dash: bool,
    /// The program is a package, which may have a version behind its name: `npx rimraf@5`.
    pub package: bool,
    /// A `--` behind the package ends the options of the manager: `npm exec rimraf -- -f`.
    pub manager: bool,
    /// A word with this ending is a script for this program: `uv run a.py`.
    pub script: Option<(&'static str, &'static str)>,
    /// The name of an environment may stand before the program's, with a colon: `hatch run dev:python a.py`.
    pub named_environment: bool,
    /// The operand before the program is the name of an architecture or a version, and may be left out: `setarch -R program`.
    pub optional: bool,
    /// What the first operand has to be like.
    pub first: First,
}

/// A program without options of its own; for rows to begin with.
pub(super) const RUNS: Runs = Runs {
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
    dirs: &[],
    dashes: false,
    into: None,
    container: false,
    later: &[],
    privileged: false,
    interactive: false,
    environment: false,
    loads: &[],
    loaded: false,
    dash: false,
    package: false,
    manager: false,
    script: None,
    named_environment: false,
    optional: false,
    first: First::Any,
};

/// Options of container programs with a value.
pub(super) const CONTAINER_VALUES: &[&str] = &[
    "-e", "--env", "--env-file", "-u", "--user", "-w", "--workdir", "-v", "--volume", "--mount", "-p", "--publish",
    "--name", "--network", "--net", "--entrypoint", "-h", "--hostname", "--platform", "-m", "--memory", "--cpus", "-l",
    "--label", "--add-host", "--device", "--cap-add", "--cap-drop", "--security-opt", "--restart", "--pull", "--gpus",
    "--shm-size", "--tmpfs", "--ulimit", "--dns", "--ip", "--detach-keys", "--index", "-f", "--file", "--project-name",
    "--profile", "--project-directory", "--host", "-H", "--context", "-c", "--log-driver", "--log-opt", "--userns",
    "--pid", "--ipc", "--expose", "--link", "--volumes-from", "--workspace-folder",
];

/// Options of the clients of clusters with a value.
pub(super) const CLUSTER_VALUES: &[&str] = &[
    "-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server",
    "--token", "-f", "--filename", "--pod-running-timeout", "--image", "--target", "--profile", "-l", "--selector",
];

/// Options of the cloud's programs with a value.
pub(super) const CLOUD_VALUES: &[&str] = &[
    "--project", "--zone", "--region", "--profile", "--account", "--configuration", "--ssh-key-file", "--ssh-flag",
    "--container", "--strict-host-key-checking", "--worker", "--service", "--version", "--output", "--query",
    "--cluster", "--task", "--endpoint-url", "-n", "--name", "-g", "--resource-group", "--subscription", "--ip",
    "--local-user", "--command-id", "--parameters", "--replica", "--revision", "--file", "--container-name", "-o",
    "--instance-id",
];

/// Options of platforms' programs with a value.
pub(super) const PLATFORM_VALUES: &[&str] = &[
    "-a", "--app", "-s", "--select", "--size", "-r", "--remote", "--region", "-e", "--env", "-c", "--config", "-o",
    "--org", "-t", "--type", "--service", "--environment", "--project", "-p", "-i", "--identity-file", "-l", "-u",
    "--user", "-q", "--queue", "-d", "--destination", "--container", "--address", "-g", "--group",
];

impl Program {
    /// How a call with these arguments runs another program, and how many words its verb takes with all before it.
    pub fn runs_with(&self, args: &[String]) -> Option<(&'static Runs, usize)> {
        self.runs.iter().find_map(|runs| {
            let used = match runs.verbs {
                [] => Some(0),
                verbs => verbs.iter().find_map(|verb| verb_at(verb, args, runs.values)),
            };
            used.filter(|used| runs.is_begun(args.get(*used..).unwrap_or_default())).map(|used| (runs, used))
        })
    }
}

impl Runs {
    /// Whether the arguments behind the verb begin as this way of calling it asks.
    fn is_begun(&self, args: &[String]) -> bool {
        let begins = |fits: &dyn Fn(&str) -> bool| {
            let mut operands = Scan::new(args, Grammar::words(self.values)).operands();
            operands.next().is_some_and(|operand| fits(operand.word))
        };
        match self.first {
            First::Any => true,
            // A file is code for the program itself: `bun src/a.ts`.
            First::NoneOf(own) => begins(&|word| {
                !own.contains(&word) && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            }),
            First::Begins(mark) => begins(&|word| word.starts_with(mark)),
        }
    }
}

/// Where the words of a verb end, if they are the first operands.
fn verb_at(verb: &str, args: &[String], values: &[&str]) -> Option<usize> {
    let mut scan = Scan::new(args, Grammar::words(values));
    // A verb may be spelled like an option: `just --command`.
    let mut ends = |word: &str| {
        scan.find_map(|item| match item {
            Item::Operand(operand) => Some((operand.word == word).then_some(operand.at + 1)),
            Item::Option(given) => (given.word == word).then_some(Some(given.at + 1)),
            Item::End => None,
        })
    };
    verb.split_ascii_whitespace().try_fold(0, |_, word| ends(word).flatten())
}
