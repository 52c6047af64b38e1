//! What a run may do and look at. Live, explained, rehearsed and replayed events take the same way with other values of this.

/// What a run may do and look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It carries effects out: state, views, text logs.
    pub remembers: bool,
    /// It writes a record of the audit log.
    pub records: bool,
    /// The user's word at a terminal lifts verdicts, and is used up by that.
    pub heeds: bool,
    /// What it keeps outlives it: the registry of sessions, evidence, what is known of the machine.
    pub outlives: bool,
    /// It starts programs of the project and of its profile.
    pub starts_programs: bool,
    /// The moment of the event is now, so that working tree, index and sources are what they were then.
    pub sees_present: bool,
}

impl Capabilities {
    /// An event that happens now.
    pub const LIVE: Self =
        Self { remembers: true, records: true, heeds: true, outlives: true, starts_programs: true, sees_present: true };

    /// An event of a program that embeds the guard, and that keeps records where no command of hookbin looks.
    pub const EMBEDDED: Self = Self { heeds: false, ..Self::LIVE };

    /// Only the answer is wanted.
    pub const EXPLAINED: Self = Self { remembers: false, records: false, ..Self::EMBEDDED };

    /// An event that is tried in a project which exists for that only.
    pub const REHEARSED: Self = Self { records: false, ..Self::EMBEDDED };

    /// An event of the past, in a project whose directories are thrown away.
    pub const REPLAYED: Self =
        Self { records: false, outlives: false, starts_programs: false, sees_present: false, ..Self::EMBEDDED };
}
