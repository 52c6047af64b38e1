//! What a command does to the world, as far as it matters to rules.

use crate::programs::{self, Invocation, Tool};
use std::rc::Rc;

use super::taint::is_literal;
use crate::path::Place;
use crate::syntax::Span;

/// A kind of action. Those with a target say in [`Action::place`] what kind of place it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A file goes.
    Delete,
    /// A directory goes with all that is in it.
    DeleteTree,
    /// Many files go that a list names which is not known.
    DeleteListed,
    /// A file's content is replaced or cut.
    Overwrite,
    /// A file's content is overwritten so that nothing brings it back.
    Shred,
    /// A file is cut to nothing.
    Emptied,
    /// A file is emptied before the command that reads it can read it.
    Clobber,
    /// A search removes what it finds.
    FoundDelete,
    /// Text is added to a file.
    Append,
    /// A file or directory goes elsewhere.
    Move,
    /// Rights or owner change.
    Mode,
    /// A program gets the rights of its owner, whoever starts it.
    SetUid,
    /// Rights or owner of a whole tree change, or everybody may write.
    ModeTree,
    /// A directory is made equal to another; what only it has goes.
    Mirror,
    /// A link is made to a place.
    Link,
    /// A program that nobody knows is given a directory of the system.
    SystemGiven,
    /// Something is mounted over a place, mounted again, or taken away from it.
    Mount,
    /// A disk, partition, volume or file system is written or removed.
    Disk,
    /// The content of a secret is shown.
    SecretRead,
    /// A secret that a store keeps, or that was loaded, is shown or handed on.
    SecretFetch,
    /// Variables of the environment that are secrets, or all of them, are shown.
    SecretVariable,
    /// A secret leaves the machine.
    SecretSend,
    /// A secret goes.
    SecretDelete,
    /// A file of secrets of the project goes, or another one takes its place.
    SecretLost,
    /// The state of infrastructure goes, or a database in production.
    StateLost,
    /// A file that is there, or may be, gets another content, outside the project.
    Replaced,
    /// A file that holds secrets is written.
    SecretWrite,
    /// A secret is copied to a file that does not look like one.
    SecretCopy,
    /// A file of secrets is run by the shell, so that its secrets become variables.
    SecretLoad,
    /// A file of secrets is put into git's history.
    SecretCommit,
    /// A file changes that runs by itself, or says who may log in.
    Persist,
    /// A file changes that a program of the user runs when it starts, or what a session starts by itself.
    ProgramStart,
    /// A setting of the user says where packages or repositories come from.
    PackageSource,
    /// Packages come over plain HTTP or from a bare address.
    UnsafeSource,
    /// Scheduled jobs change.
    Schedule,
    /// Code from the network runs.
    RunRemote,
    /// Code that was hidden by an encoding, and cannot be read, runs.
    RunHidden,
    /// Code that a program computes runs.
    RunComputed,
    /// A program that is not known runs, with arguments that would destroy.
    RunUnknown,
    /// A shell is offered to, or fetched from, the network.
    RemoteShell,
    /// A program starts copies of itself without end.
    ForkBomb,
    /// Processes end that a list names, or that serve the project.
    Kill,
    /// Processes end whose numbers another command gives.
    KillComputed,
    /// Many processes end, chosen by name or all of them.
    KillMany,
    /// Processes end that serve a port, or are a tool or a script of the project, by how they were started.
    KillServer,
    /// The machine stops or restarts.
    Shutdown,
    /// Users, groups or passwords change.
    Account,
    /// A command runs with the rights of another user.
    Privilege,
    /// A command with the rights of another user removes something.
    PrivilegedDelete,
    /// An argument climbs three directories up.
    Traversal,
    /// Inline code starts a program.
    CodeStarts,
    /// A package that the system needs goes.
    SystemPackage,
    /// A container gets all files of the machine, to write.
    HostMount,
    /// Modules of the kernel, the boot loader or other settings of the system change.
    SystemSetting,
    /// A library or script is loaded into every program that starts.
    Inject,
    /// Git runs a command of one's own from now on, at a time of its choice.
    GitRuns,
    /// A text that makes git run something is written into a file of git's, and git has not been asked to set it.
    GitFileRuns,
    /// A file of settings that may hold secrets gets a line that holds none.
    EnvWrite,
    /// What was typed into a shell is forgotten, or not remembered.
    History,
    /// A file that a package manager writes is written by hand.
    LockWrite,
    /// A file is written that lies among keys, or is called like one that holds credentials.
    KeyWrite,
    /// Other users of the machine get at a key, or its passphrase goes.
    KeyOpen,
    /// A file in another user's home directory goes.
    OthersDelete,
    /// Local changes that no commit holds go.
    GitDiscard,
    /// Files that git does not track go.
    GitClean,
    /// Commits, branches, tags or stashes go.
    GitForget,
    /// A branch or tag goes by force.
    GitBranch,
    /// History is rewritten.
    GitRewrite,
    /// A remote's branches are overwritten or removed.
    GitPush,
    /// A remote's branch is overwritten unless somebody else has moved it.
    GitLease,
    /// Commits are rebuilt where nothing demands it.
    GitRebase,
    /// A worktree goes by force.
    GitWorktree,
    /// Part of the text could not be read.
    Unread,
    /// The guard itself, its settings, state or log, as its layout names them; never without one.
    Guard,
}

impl Kind {
    /// Whether something that was there is there no longer: what deletes, moves, shreds or empties. Overwriting is not among them, and
    /// neither is what happens in git or to a disk. [`SecretDelete`](Self::SecretDelete), [`PrivilegedDelete`](Self::PrivilegedDelete) and
    /// [`OthersDelete`](Self::OthersDelete) are told beside a deletion, and are none themselves.
    pub const fn takes_away(self) -> bool {
        matches!(
            self,
            Self::Delete
                | Self::DeleteTree
                | Self::DeleteListed
                | Self::FoundDelete
                | Self::Mirror
                | Self::Move
                | Self::Shred
                | Self::Emptied
        )
    }

    /// The name used in explanations and rules.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::DeleteTree => "delete-tree",
            Self::DeleteListed => "delete-listed",
            Self::Shred => "shred",
            Self::Emptied => "emptied",
            Self::Clobber => "clobber",
            Self::FoundDelete => "found-delete",
            Self::Overwrite => "overwrite",
            Self::Append => "append",
            Self::Move => "move",
            Self::Mode => "mode",
            Self::SetUid => "set-uid",
            Self::ModeTree => "mode-tree",
            Self::Mirror => "mirror",
            Self::Link => "link",
            Self::SystemGiven => "system-given",
            Self::Mount => "mount",
            Self::Disk => "disk",
            Self::SecretRead => "secret-read",
            Self::SecretFetch => "secret-fetch",
            Self::SecretVariable => "secret-variable",
            Self::SecretSend => "secret-send",
            Self::SecretDelete => "secret-delete",
            Self::SecretLost => "secret-lost",
            Self::StateLost => "state-lost",
            Self::Replaced => "replaced",
            Self::SecretWrite => "secret-write",
            Self::SecretCopy => "secret-copy",
            Self::SecretLoad => "secret-load",
            Self::SecretCommit => "secret-commit",
            Self::Persist => "persist",
            Self::ProgramStart => "program-start",
            Self::PackageSource => "package-source",
            Self::UnsafeSource => "unsafe-source",
            Self::Schedule => "schedule",
            Self::RunRemote => "run-remote",
            Self::RunHidden => "run-hidden",
            Self::RunComputed => "run-computed",
            Self::RunUnknown => "run-unknown",
            Self::RemoteShell => "remote-shell",
            Self::ForkBomb => "fork-bomb",
            Self::Kill => "kill",
            Self::KillComputed => "kill-computed",
            Self::KillServer => "kill-server",
            Self::KillMany => "kill-many",
            Self::Shutdown => "shutdown",
            Self::Account => "account",
            Self::Privilege => "privilege",
            Self::PrivilegedDelete => "privileged-delete",
            Self::Traversal => "traversal",
            Self::CodeStarts => "code-starts",
            Self::SystemPackage => "system-package",
            Self::HostMount => "host-mount",
            Self::SystemSetting => "system-setting",
            Self::Inject => "inject",
            Self::GitRuns => "git-runs",
            Self::GitFileRuns => "git-file-runs",
            Self::EnvWrite => "env-write",
            Self::History => "history",
            Self::LockWrite => "lock-write",
            Self::KeyWrite => "key-write",
            Self::KeyOpen => "key-open",
            Self::OthersDelete => "others-delete",
            Self::GitDiscard => "git-discard",
            Self::GitClean => "git-clean",
            Self::GitForget => "git-forget",
            Self::GitBranch => "git-branch",
            Self::GitRewrite => "git-rewrite",
            Self::GitPush => "git-push",
            Self::GitLease => "git-lease",
            Self::GitRebase => "git-rebase",
            Self::GitWorktree => "git-worktree",
            Self::Unread => "unread",
            Self::Guard => "guard",
        }
    }
}

/// One action of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Action {
    /// What is done.
    pub kind: Kind,
    /// The kind of place it is done to.
    pub place: Option<Place>,
    /// What it is done to, as text for messages: a path in full where it is known, `…` for each part that is not.
    pub target: String,
    /// Where in the original text the command stands, in bytes. Of a text within the text, the command that runs it.
    pub span: Span,
    /// It happens on another machine or in a container.
    pub remote: bool,
    /// It only happens if a word means what it looks like.
    pub speculative: bool,
}

impl Action {
    /// A part of a call that its caller could not read.
    pub const fn unread(part: String) -> Self {
        let span = Span { start: 0, end: 0 };
        Self { kind: Kind::Unread, place: None, target: part, span, remote: false, speculative: false }
    }

    /// Whether the other differs in its target alone.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.place, self.remote, self.speculative)
            == (other.kind, other.place, other.remote, other.speculative)
    }
}

/// A program that really runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run {
    /// Its base name, lower case, without `.exe`.
    pub program: String,
    /// Its arguments after expansion. What is not known of them is a placeholder: [`is_literal`](super::is_literal) asks for it,
    /// [`shown`](super::shown) makes text for a user.
    pub args: Vec<String>,
    /// What it reads on standard input, as far as it is known; `None` where nothing of the line feeds it.
    pub stdin: Option<Rc<str>>,
    /// Where in the original text it stands.
    pub span: Span,
    /// How deep it stands below the line: wrappers, shells, substitutions.
    pub depth: u16,
    /// Where and how it runs.
    pub stand: ExecContext,
}

impl Run {
    /// The call, with what is known of its program.
    pub fn invocation(&self) -> Invocation<'_> {
        Invocation::new(&self.program, &self.args)
    }

    /// Which program it is.
    pub fn tool(&self) -> Tool {
        programs::tool(&self.program)
    }

    /// The texts that may be a prompt, where the program is an agent: its arguments, and what it reads.
    pub fn prompts(&self) -> Option<Prompts> {
        if !programs::agents::NAMES.contains(&self.program.as_str()) {
            return None;
        }
        let mut prompts = Prompts::default();
        let value = |arg: &str| match arg.split_once('=') {
            Some((option, value)) if option.starts_with('-') => value.to_owned(),
            _ => arg.to_owned(),
        };
        let texts = self.args.iter().map(|arg| value(arg)).chain(self.stdin.as_deref().map(str::to_owned));
        for text in texts.filter(|text| !text.starts_with('-') || text.len() <= 3) {
            if is_literal(&text) { prompts.texts.push(text) } else { prompts.unread = true }
        }
        Some(prompts)
    }
}

/// What an agent that a command starts may be told.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Prompts {
    /// The texts that are known.
    pub texts: Vec<String>,
    /// There is one that is not.
    pub unread: bool,
}

/// Where and how a program runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecContext {
    /// The directories in which the shell may stand; `None` for one that is not known.
    pub dirs: Rc<Vec<Option<String>>>,
    /// The line itself has changed the directory.
    pub went: bool,
    /// `GIT_DIR` or `GIT_WORK_TREE`, as far as the line itself sets one of them.
    pub git_dir: Option<Rc<str>>,
    /// With settings for tests, as far as the line itself chooses them.
    pub tests: bool,
    /// On another machine or in a container.
    pub remote: bool,
    /// Only if a word means what it looks like.
    pub speculative: bool,
}

/// Everything that a command line does, in the order of the text. Of branches that may not be taken, all are told.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Effects {
    /// Programs.
    pub runs: Vec<Run>,
    /// Actions.
    pub actions: Vec<Action>,
}
