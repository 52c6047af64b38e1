//! Commands that print a secret which their program keeps.

/// Commands of one store that print a secret.
#[derive(Debug, Clone, Copy)]
pub struct Reveals {
    /// The first operands, as patterns; each is one command.
    pub words: &'static [&'static [&'static str]],
    /// Arguments of which one must be there, as patterns; none for most.
    pub needs: &'static [&'static str],
    /// Arguments with which nothing is printed.
    pub without: &'static [&'static str],
    /// The secret is the user's own, and part of no project.
    pub personal: bool,
    /// What is printed are variables with their values, of which some are secrets.
    pub variables: bool,
}

/// A command that prints nothing secret; for rows to begin with.
pub(super) const REVEALS: Reveals = Reveals { words: &[], needs: &[], without: &[], personal: false, variables: false };
