//! Ways of calling a program that only read.

/// One way of calling a program.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// The words that it begins with; one of the texts has to fit. Words are separated by blanks, `*` in a word stands for any text,
    /// and `**` for any number of words that no verb of [`VERBS`] is among. The empty text fits any call.
    pub verbs: &'static [&'static str],
    /// Options with which it does more than read. Long ones also count when cut short, short ones also within a bundle. What does not
    /// begin with a dash is a beginning of an operand.
    pub but: &'static [&'static str],
    /// If there are any, the only options that may be used. `-n=` takes a value; `-X:GET|HEAD` takes one of these values.
    pub only: &'static [&'static str],
    /// If there are any, one of these options has to be used, spelled like this.
    pub needs: &'static [&'static str],
    /// What may stand besides options.
    pub operands: Operands,
    /// How its options are written.
    pub style: Style,
    /// The language of its first operand, which has to be proven as well.
    pub script: Option<Script>,
}

/// What may stand besides options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Anything.
    Any,
    /// Not more than this many. Values of options count as well where [`Way::only`] does not say that they are values.
    AtMost(usize),
    /// Only what begins with this.
    Beginning(&'static str),
    /// Addresses of web pages.
    Web,
    /// Files of this machine: no colon, which parts a machine's name from a path.
    Local,
}

/// How a program's options are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Short options in bundles, long ones behind two dashes that may be cut short, `--` before operands.
    Gnu,
    /// Words behind one dash, wherever they stand.
    Words,
}

/// A language in which an operand can do more than read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Commands of sed.
    Sed,
    /// A program of awk.
    Awk,
}

/// A program that runs another one, which is judged in its place.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    /// The only options that it may have, as in [`Way::only`].
    pub only: &'static [&'static str],
    /// Operands before the program.
    pub skip: usize,
    /// `NAME=value` may stand before the program.
    pub assigns: bool,
    /// It adds arguments that are not known.
    pub adds: bool,
    /// What it is without a program: it only reads.
    pub alone: bool,
}

/// A program that starts any other; for rows to begin with.
pub(super) const PASSES: Passes = Passes { only: &[], skip: 0, assigns: false, adds: false, alone: false };

impl Way {
    /// Any arguments; for tables to begin with.
    pub const ANY: Self = Self {
        verbs: &[""],
        but: &[],
        only: &[],
        needs: &[],
        operands: Operands::Any,
        style: Style::Gnu,
        script: None,
    };

    /// Whether it proves calls of which some words are not known.
    pub const fn takes_anything(&self) -> bool {
        self.but.is_empty()
            && self.only.is_empty()
            && self.needs.is_empty()
            && self.script.is_none()
            && matches!(self.operands, Operands::Any)
    }
}

/// Words that do something, wherever they stand among a command's verbs; `delete` also stands for `delete-tags`.
pub const VERBS: &[&str] = &[
    "abandon", "accept", "activate", "add", "apply", "approve", "assign", "attach", "auth", "backup", "batch", "bind",
    "boot", "build", "call", "cancel", "change", "clear", "clone", "close", "complete", "config", "configure",
    "confirm", "connect", "copy", "create", "deactivate", "deallocate", "decrypt", "delete", "deploy", "deregister",
    "detach", "disable", "download", "drop", "edit", "enable", "encrypt", "exec", "execute", "expand", "export",
    "failover", "generate", "grant", "import", "init", "install", "instances-delete", "invoke", "issue", "kill",
    "lock", "login", "logout", "merge", "migrate", "modify", "move", "open", "patch", "perform", "promote", "publish",
    "pull", "purge", "push", "put", "query", "reboot", "recover", "redeploy", "refresh", "regenerate", "register",
    "reject", "release", "remove", "rename", "renew", "replace", "request", "reset", "resize", "resolve", "restart",
    "restore", "resume", "revoke", "rollback", "rotate", "run", "save", "scale", "scp", "send", "set", "sign", "ssh",
    "start", "stop", "submit", "suspend", "swap", "sync", "tag", "terminate", "test", "trigger", "tunnel", "unassign",
    "undelete", "uninstall", "unlock", "unregister", "unset", "untag", "update", "upgrade", "upload", "use", "wait",
    "write",
];

/// Calls with these verbs, and any arguments behind them, those that nobody knows before it runs included.
pub(super) const fn verbs(verbs: &'static [&'static str]) -> Way {
    Way { verbs, ..Way::ANY }
}

/// Any call without these options.
pub(super) const fn but(but: &'static [&'static str]) -> Way {
    Way { but, ..Way::ANY }
}

/// Calls with these options alone.
pub(super) const fn only(only: &'static [&'static str]) -> Way {
    Way { only, ..Way::ANY }
}

/// Calls with these options alone, and so many operands.
pub(super) const fn few(options: &'static [&'static str], operands: usize) -> Way {
    Way { only: options, operands: Operands::AtMost(operands), ..Way::ANY }
}

/// The verb and nothing else.
pub(super) const fn exactly(verbs: &'static [&'static str]) -> Way {
    Way { verbs, only: &["-h", "--help"], operands: Operands::AtMost(0), ..Way::ANY }
}

/// Any call without these words, which stand behind one dash.
pub(super) const fn without(but: &'static [&'static str]) -> Way {
    Way { but, style: Style::Words, ..Way::ANY }
}

/// Asking a program who it is.
pub(super) const VERSION: Way = exactly(&["--version", "-V", "--help", "version", "-version"]);

/// Asking for a version or for help starts the program, and nothing else.
pub(super) const HELP: Way = exactly(&["--version", "-V", "--help"]);
