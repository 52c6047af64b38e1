//! What is known of the git repository that a directory lies in, as values.

/// A repository as seen from one directory. Directories are absolute, with all links followed, without a trailing separator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repository {
    /// The top of the working tree; `None` in a bare repository.
    pub top: Option<String>,
    /// The top of the main working tree, which equals `top` outside linked worktrees. Of a bare repository, its own directory.
    pub main_top: Option<String>,
    /// What is checked out.
    pub head: Head,
    /// The branch that the remote `origin` has as its default, if that was fetched.
    pub default_branch: Option<String>,
    /// The working tree is a linked one (`git worktree add`).
    pub is_worktree: bool,
    /// It is a submodule of another repository.
    pub is_submodule: bool,
    /// There is at least one commit on some branch.
    pub has_commits: bool,
    /// What was begun and waits for its end.
    pub operation: Option<Operation>,
}

/// What is checked out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Head {
    /// A branch, by its name without `refs/heads/`; it may have no commit yet.
    Branch(String),
    /// A commit.
    Detached,
    /// It cannot be read.
    #[default]
    Unknown,
}

/// An operation of git that takes several steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operation {
    /// `git merge` stopped at conflicts, or before its commit.
    Merge,
    /// `git rebase` or `git am`.
    Rebase,
    /// `git cherry-pick`.
    CherryPick,
    /// `git revert`.
    Revert,
}

impl Repository {
    /// The name of the branch that is checked out.
    pub fn branch(&self) -> Option<&str> {
        match &self.head {
            Head::Branch(name) => Some(name),
            Head::Detached | Head::Unknown => None,
        }
    }

    /// Whether `branch` is a main branch: one of `names` whatever the case, or the remote's default.
    pub fn is_main(&self, branch: &str, names: &[String]) -> bool {
        names.iter().any(|name| name.eq_ignore_ascii_case(branch)) || self.default_branch.as_deref() == Some(branch)
    }
}
