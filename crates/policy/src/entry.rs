//! The guard's own entry in the host's settings: whether it stands, and what a session hears about it.

/// Where the guard's entry stands once the host's settings have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// Nobody knows that it ever stood in a settings file; whoever started the guard did it in another way.
    #[default]
    Unknown,
    /// It answers every call, in one settings file at least.
    /// The text says in which file, in the caller's words.
    Stands(String),
    /// It is gone, and the user did that with the guard's own commands.
    TakenOut,
    /// It is gone, or switched off.
    Gone(Loss),
}

/// What became of the entry, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What has happened, a clause that names the file.
    pub what: String,
    /// What mends it, a whole sentence.
    pub mend: String,
}

/// What a session keeps in mind about the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It stood in this settings file when the session began.
    Stood(String),
    /// It is gone; the user has to be told this, once a session for each text.
    Lost(String),
    /// It is back before the user was told.
    Back,
    /// Say now what the user has to be told.
    Tell,
}
