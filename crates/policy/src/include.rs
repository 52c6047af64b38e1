//! Files that a session's role and mode bring into its context: what a check may ask for, and what it is told.

/// What an attempt to read a file came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileText {
    /// It was read.
    Text {
        /// Its absolute path, with all links followed.
        path: String,
        /// All of it.
        text: String,
    },
    /// There is none.
    Missing,
    /// There is something, and it cannot be read; the text says why.
    Failed(String),
}

/// What the file of a role or a mode asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoleIncludes {
    /// The file, if there is one.
    pub file: Option<String>,
    /// Its `auto_include`, as it stands there.
    pub entries: Vec<String>,
    /// What is wrong with the file.
    pub fault: Option<String>,
}

/// What an entry of `auto_include` leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncludedFile {
    /// The files, in the order of their paths.
    pub files: Vec<Source>,
    /// What is wrong with the entry, or what of it was left out.
    pub fault: Option<String>,
}

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its path from the directory that it belongs to.
    pub label: String,
    /// Its absolute path, with all links followed.
    pub path: String,
}
