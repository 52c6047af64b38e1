//! The files whose text a program runs, or makes a program of.

/// Which operands are such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sourced {
    /// None.
    No,
    /// The first.
    First,
    /// All of them.
    All,
}

/// When what a program reads on standard input is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Only where a file is named so.
    Named,
    /// Where no file is named.
    Alone,
    /// In every call.
    Always,
    /// With one of these options.
    With(&'static [&'static str]),
}

/// The program that a compiler makes, where no option gives it a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// It is always called so.
    Named(&'static str),
    /// It is called like the file, without what stands behind the last dot.
    Stem,
}

/// Where a program takes its text from, beside code on its command line.
#[derive(Debug, Clone, Copy)]
pub struct Sources {
    /// Options that name such a file: `just -f FILE`.
    pub options: &'static [&'static str],
    /// The sub-commands with which operands are such files; none where they are in every call: `run` in `go run FILE`.
    pub verbs: &'static [&'static str],
    /// Which operands are.
    pub operands: Sourced,
    /// Files that it takes by their names, unless an option names one: `build.ninja`.
    pub files: &'static [&'static str],
    /// When it runs what it reads: `ed FILE` takes its commands from there.
    pub input: Input,
    /// Options with which nothing is run.
    pub unless: &'static [&'static str],
    /// It runs nothing by itself and makes a program: `gcc a.c`.
    pub makes: Option<Made>,
    /// It installs packages, which may run something as they are installed: `dpkg -i FILE`.
    pub installs: bool,
}

/// A program that is given no file to run; for rows to begin with.
pub(super) const SOURCES: Sources = Sources {
    options: &[],
    verbs: &[],
    operands: Sourced::No,
    files: &[],
    input: Input::Named,
    unless: &[],
    makes: None,
    installs: false,
};

/// What compilers of C have in common.
pub(super) const C_SOURCES: Sources = Sources { operands: Sourced::All, makes: Some(Made::Named("a.out")), ..SOURCES };

/// What is installed, by these sub-commands.
pub(super) const INSTALLER: Sources = Sources { operands: Sourced::All, installs: true, ..SOURCES };
