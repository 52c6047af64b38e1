//! Commands that type into a terminal.

/// How a program gets what it types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// As names of keys and as text, an argument each.
    Keys,
    /// As text.
    Text,
    /// As the numbers of bytes.
    Bytes,
    /// As texts in quotes within code.
    Code,
    /// As arguments with a prefix, such as `t:text`.
    Marked,
    /// On standard input.
    Input,
    /// From a buffer or a file, which nobody reads here.
    Elsewhere,
}

/// A command that types.
#[derive(Debug, Clone, Copy)]
pub struct Types {
    /// The words that make it type; none means that it does nothing else.
    pub verbs: &'static [&'static str],
    /// How it gets what it types.
    pub how: How,
}
