//! The syntax tree: what a script consists of, each piece with its place in the text.

use std::rc::Rc;

/// A stretch of the original text, in bytes; the ends lie on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch of `text`, or nothing if it does not fit.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A whole script.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// Its commands.
    pub list: List,
    /// Here-documents in the order of their operators; [`Redirect::heredoc`] points here.
    pub heredocs: Vec<Heredoc>,
    /// What could not be read, in the order of the text.
    pub unread: Vec<Unread>,
    pub(super) steps: u64,
}

impl Script {
    /// Whether everything was read.
    pub fn is_complete(&self) -> bool {
        self.unread.is_empty()
    }

    /// Bytes and nodes that were looked at: grows in proportion to the text and repeats exactly.
    pub const fn steps(&self) -> u64 {
        self.steps
    }
}

/// A place that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unread {
    /// Where.
    pub span: Span,
    /// Why.
    pub why: Why,
}

/// Why a place could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Nesting beyond [`super::Limits::depth`].
    TooDeep,
    /// More nodes than [`super::Limits::nodes`].
    TooMany,
    /// Text beyond [`super::Limits::bytes`].
    TooLong,
    /// A quote, bracket or construct that does not end.
    Unterminated,
    /// Something that cannot stand there.
    Unexpected,
}

impl Why {
    /// Words for messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooDeep => "nested too deeply",
            Self::TooMany => "too many parts",
            Self::TooLong => "too long",
            Self::Unterminated => "a quote or construct that does not end",
            Self::Unexpected => "text that bash does not accept here",
        }
    }
}

/// Pipelines one after another.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// In the order of the text.
    pub items: Vec<Item>,
}

/// One pipeline of a list, and how it hangs on the one before.
#[derive(Debug, Clone)]
pub struct Item {
    /// The operator before it.
    pub link: Link,
    /// Whether it runs in the background (`&`, or part of an and-or list that does).
    pub background: bool,
    /// The pipeline.
    pub pipeline: Pipeline,
}

/// The operator before a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The first of a list, or after `;`, `&` or a line end.
    Then,
    /// After `&&`.
    And,
    /// After `||`.
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, Default)]
pub struct Pipeline {
    /// `!` stands before it.
    pub negated: bool,
    /// The commands.
    pub stages: Vec<Command>,
    /// Where it stands.
    pub span: Span,
}

/// One command with its redirections.
#[derive(Debug, Clone)]
pub struct Command {
    /// What it is.
    pub kind: Compound,
    /// Its redirections, in order.
    pub redirects: Vec<Redirect>,
    /// Where it stands.
    pub span: Span,
}

/// What a command is.
#[derive(Debug, Clone)]
pub enum Compound {
    /// Assignments and words.
    Simple(Simple),
    /// `{ … }`.
    Group(List),
    /// `( … )`.
    Subshell(List),
    /// `if … then … elif … else … fi`: conditions with their bodies, and the last body.
    If(Vec<(List, List)>, Option<List>),
    /// `while … do … done` and `until …`.
    While {
        /// `until` instead of `while`.
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `for NAME in …; do … done` and `select`. Without `in`, the positional parameters.
    For {
        /// The variable.
        name: String,
        /// What it goes through.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
    },
    /// `for ((…; …; …)); do … done`.
    ArithFor {
        /// What stands in the double parentheses.
        head: Word,
        /// The body.
        body: List,
    },
    /// `case WORD in … esac`.
    Case(Box<Case>),
    /// `NAME () …` and `function NAME …`.
    Function {
        /// Its name.
        name: String,
        /// Its body, shared, since it may be kept and run later.
        body: Rc<Command>,
    },
    /// `[[ … ]]`: its words, operators included.
    Test(Vec<Word>),
    /// `(( … ))`.
    Arith(Word),
    /// `coproc …`.
    Coproc(Box<Command>),
}

/// `case WORD in … esac`.
#[derive(Debug, Clone)]
pub struct Case {
    /// The word that is compared.
    pub word: Word,
    /// The branches.
    pub arms: Vec<Arm>,
}

/// One branch of `case`.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The patterns.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: List,
}

/// Assignments and words of a simple command.
#[derive(Debug, Clone, Default)]
pub struct Simple {
    /// Assignments before the first word.
    pub assigns: Vec<Assign>,
    /// The words.
    pub words: Vec<Word>,
}

/// `NAME=value`, `NAME+=value`, `NAME[i]=value` or `NAME=( … )`.
#[derive(Debug, Clone)]
pub struct Assign {
    /// The variable.
    pub name: String,
    /// `+=`.
    pub append: bool,
    /// An element is assigned, not the whole: its subscript.
    pub subscript: Option<Word>,
    /// The value; an array is a word with one [`Part::Array`].
    pub value: Word,
    /// Where it stands.
    pub span: Span,
}

/// A redirection.
#[derive(Debug, Clone)]
pub struct Redirect {
    /// The descriptor before the operator.
    pub fd: Option<u32>,
    /// `{NAME}` before the operator.
    pub fd_name: Option<String>,
    /// The operator.
    pub op: RedirectOp,
    /// Its target; of a here-document, the delimiter.
    pub target: Word,
    /// Index into [`Script::heredocs`].
    pub heredoc: Option<usize>,
    /// Where it stands.
    pub span: Span,
}

/// A redirection operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectOp {
    /// `<`
    In,
    /// `>` and `>|`
    Out,
    /// `>>`
    Append,
    /// `<>`
    Both,
    /// `&>` (and `>&` with a file)
    OutErr,
    /// `&>>`
    AppendErr,
    /// `<&`
    DupIn,
    /// `>&`
    DupOut,
    /// `<<` and `<<-`
    Heredoc,
    /// `<<<`
    HereString,
}

/// A here-document.
#[derive(Debug, Clone)]
pub struct Heredoc {
    /// Its text.
    pub body: HeredocBody,
    /// Where the body stands, without the closing line.
    pub span: Span,
}

/// The text of a here-document.
#[derive(Debug, Clone)]
pub enum HeredocBody {
    /// Taken as it stands, since the delimiter is quoted. Shared, because it may be long and becomes the input of a program.
    Plain(Rc<str>),
    /// With expansions.
    Expanded(Vec<Part>),
}

/// A word: parts that are joined.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// The parts.
    pub parts: Vec<Part>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a word.
#[derive(Debug, Clone)]
pub enum Part {
    /// Text without quotes.
    Literal(String),
    /// Text from `'…'`, `$'…'` or `\c`: neither split nor expanded.
    Quoted(String),
    /// `"…"`.
    Double(Vec<Part>),
    /// `$NAME` and `${…}`.
    Param(Box<Param>),
    /// `$(…)` and `` `…` ``.
    Command(Box<Subst>),
    /// `<(…)` and `>(…)`.
    Process(Direction, Box<Subst>),
    /// `$((…))` and `$[…]`.
    Arith(Vec<Part>),
    /// `*`, `?` or `[` of a pattern.
    Glob(char),
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`.
    ExtGlob(char, Vec<Word>),
    /// A mark of a brace expansion; [`super::expand`] puts them together.
    Brace(BraceMark),
    /// `~` or `~name` at the start of a word.
    Tilde(String),
    /// `( … )` of an array assignment.
    Array(Vec<Word>),
}

/// A mark of a brace expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BraceMark {
    /// `{`
    Open,
    /// `,`
    Comma,
    /// `}`
    Close,
}

impl BraceMark {
    /// The character.
    pub const fn as_char(self) -> char {
        match self {
            Self::Open => '{',
            Self::Comma => ',',
            Self::Close => '}',
        }
    }
}

/// Which way a process substitution is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// `<(…)`: its output is read.
    Read,
    /// `>(…)`: its input is written.
    Write,
}

/// The commands of a substitution.
#[derive(Debug, Clone)]
pub struct Subst {
    /// The commands.
    pub list: List,
    /// Where it stands, with its brackets.
    pub span: Span,
}

/// A parameter expansion.
#[derive(Debug, Clone)]
pub struct Param {
    /// The parameter: a name, a digit string or one special character.
    pub name: String,
    /// `[…]` after the name.
    pub subscript: Option<Word>,
    /// `${!NAME}`.
    pub indirect: bool,
    /// What is done to the value.
    pub op: ParamOp,
    /// The operand, in parts that may hold expansions of their own.
    pub operand: Option<Word>,
    /// Where it stands.
    pub span: Span,
}

/// The matches of a pattern that are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matches {
    /// `/`: the first.
    First,
    /// `//`: all.
    All,
    /// `/#`: one at the start of the value.
    Start,
    /// `/%`: one at its end.
    End,
}

/// What a parameter expansion does to the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamOp {
    /// Nothing.
    None,
    /// `${#NAME}`.
    Length,
    /// `:-` and `-`; the flag tells whether an empty value counts as unset.
    Default(bool),
    /// `:=` and `=`.
    Assign(bool),
    /// `:?` and `?`.
    Error(bool),
    /// `:+` and `+`.
    Alternate(bool),
    /// `#` and `##`.
    RemovePrefix(bool),
    /// `%` and `%%`.
    RemoveSuffix(bool),
    /// `/`, `//`, `/#`, `/%`: pattern and replacement in one operand, parted by the first plain `/`.
    Replace(Matches),
    /// `:OFFSET` and `:OFFSET:LENGTH`.
    Substring,
    /// `^`, `^^`, `,`, `,,`.
    Case,
    /// `@Q` and so on, and what is unknown.
    Transform,
}
