//! What holds of every call of a program.

macro_rules! traits {
    ($($(#[$attribute:meta])* $name:ident $says:literal)*) => {
        /// What holds of every call of a program.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Trait {
            $(#[doc = $says] $name,)*
        }

        impl Trait {
            /// Every trait.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The trait in words, with the program as subject.
            pub const fn says(self) -> &'static str {
                match self {
                    $(Self::$name => $says,)*
                }
            }
        }
    };
}

traits! {
    Silent "shows nothing of files that it is given"
    TakesText "takes text, patterns or names, and no command but behind a verb that runs one"
    Destructive "can destroy; an unknown program that hands on such a call is read as one of these"
    Unread "runs commands or code that are not read, or not all of it"
    Reader "reads files by name, or only tells of them, and writes none"
    Followed "has all of its words followed"
    Interpreter "runs code that is followed as far as it is known, but not what a script does with its words"
    Editor "changes files by a pattern that says what of them"
    Replaces "replaces, removes or moves whatever it is given"
    HandsOn "hands what it is given to another program, or prints it"
    System "comes with the system, and nobody installs it in a home directory"
    Versioned "is installed in home directories as a link to one of several versions"
    Terminal "is a terminal, which starts what stands behind an option"
    Shell "is a shell"
    Container "runs containers"
    ManyInOne "is called by many names, or by a name as its first word"
    NeverApproved "is never proven to only read"
    Installs "puts what it makes, or fetches, where a variable says"
    Prose "takes what somebody says"
    Holds "takes hold of a process by its number, or takes something from it"
    Seeks "finds processes, or lines that name them"
    RunsAnything "runs whatever it is given, so that a setting which names it says nothing"
    RunsInput "runs what it reads where it has no more words"
    TestRunner "runs tests, and its options choose by their names"
    TestsByVerb "runs tests by one of its commands"
    RunsScripts "runs scripts of a package by their names"
    Develops "serves a project, builds it or watches it while somebody works on it"
    RunsFile "runs the file that is its first operand"
    Plain "changes nothing but the shell itself, and prints what it is given"
}

/// A set of [`Trait`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits(u32);

/// The set of these.
pub(super) const fn traits(all: &[Trait]) -> Traits {
    let mut bits = 0;
    let mut rest = all;
    while let [first, after @ ..] = rest {
        bits |= 1 << *first as u32;
        rest = after;
    }
    Traits(bits)
}

impl Traits {
    /// Nothing.
    pub(super) const NONE: Self = Self(0);

    /// Whether this holds.
    pub const fn has(self, wanted: Trait) -> bool {
        self.0 & (1 << wanted as u32) != 0
    }

    /// All that hold.
    pub fn all(self) -> impl Iterator<Item = Trait> {
        Trait::ALL.iter().copied().filter(move |wanted| self.has(*wanted))
    }
}
