//! What the tables consist of.

/// A program and the ways of calling it that only read.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its names.
    pub names: &'static [&'static str],
    /// Options that may stand before the verb. `-C=` takes a value, as the next word or joined.
    pub before: &'static [&'static str],
    /// The ways; one has to fit.
    pub ways: &'static [Way],
}

/// One way of calling a program.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// The words that it begins with; one of the texts has to fit. Words are separated by blanks, `*` in a word stands for any text,
    /// and `**` for any number of words that no verb of [`super::programs::VERBS`] is among. The empty text fits any call.
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
    pub script: Option<Language>,
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
pub enum Language {
    /// Commands of sed.
    Sed,
    /// A program of awk.
    Awk,
}

/// A program that runs another one, which is judged in its place.
#[derive(Debug, Clone, Copy)]
pub struct Wrapper {
    /// Its names.
    pub names: &'static [&'static str],
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

impl Program {
    /// A program with nothing to look at; for tables to begin with.
    pub const NEW: Self = Self { names: &[], before: &[], ways: &[] };
}

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
