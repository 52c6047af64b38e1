//! Programs that keep a tree of files: version control, and settings of a home directory.

/// Where a program works.
#[derive(Debug, Clone, Copy)]
pub enum Tree {
    /// Where it is started, or where one of these options says.
    Here(&'static [&'static str]),
    /// What it is given behind its command, or where it is started.
    Named,
    /// The user's home directory.
    Home,
}

/// A tree that a program keeps.
#[derive(Debug, Clone, Copy)]
pub struct Keeps {
    /// Where it lies.
    pub tree: Tree,
    /// Commands that leave the files alone which lie there.
    pub leaving: &'static [&'static str],
}
