//! What no command may change: the files, programs and variables of a guard, and of the host that starts it.
//!
//! The resolver knows no client and no guard. Whoever embeds it says by a [`Layout`] what is theirs; what touches it is reported as
//! [`Kind::Guard`](crate::resolve::Kind::Guard). Paths are relative to the directory that a field names, without a leading separator; one that
//! ends in `/` is a directory, and all in it counts.

/// What a text would let the host do, if it were written into the host's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    /// Nothing that it could not do before.
    None,
    /// It is not clear.
    Unclear,
    /// Something: to start a program, to ask less, to leave the guard out.
    Some,
}

/// Which calls of one of the guard's commands change nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// All.
    Always,
    /// Those with one of these sub-commands.
    Verbs(&'static [&'static str]),
    /// Those with a sub-command that is none of these.
    OtherVerbs(&'static [&'static str]),
    /// Those with this option.
    With(&'static str),
    /// Those without it.
    Without(&'static str),
}

/// A command of the guard's program that can be called without changing the guard. What is not listed changes it.
#[derive(Debug, Clone, Copy)]
pub struct OwnCommand {
    /// Its name.
    pub name: &'static str,
    /// What only shows something.
    pub shows: Shows,
    /// It prints lines of the files that it is given.
    pub prints_files: bool,
    /// Options whose value is a file that it writes.
    pub writes: &'static [&'static str],
    /// All its options that have a value.
    pub values: &'static [&'static str],
}

/// A directory that a variable of the environment names.
#[derive(Debug, Clone, Copy)]
pub struct DirVariable {
    /// The variable.
    pub name: &'static str,
    /// Where the directory lies in the home directory if the variable is not set.
    pub usual: &'static str,
}

/// What belongs to a guard and its client. See the module for how paths are written.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The host's directory, in a project and in the home directory.
    pub client_dir: &'static str,
    /// The same as a part of a longer path, between separators.
    pub client_part: &'static str,
    /// Settings of the host, in a project and in the home directory.
    pub settings: &'static [&'static str],
    /// Their names alone.
    pub settings_names: &'static [&'static str],
    /// The settings of one user in a project, which git does not track.
    pub personal_settings: &'static str,
    /// Settings of the guard and the host in a project that a team shares.
    pub shared: &'static [&'static str],
    /// What belongs to the guard in a project.
    pub in_project: &'static [&'static str],
    /// Names of files in the host's directory of any working tree by which the guard judges what was done.
    pub evidence: &'static [&'static str],
    /// How such names begin where one is made for each session.
    pub evidence_of_session: &'static [&'static str],
    /// What belongs to the guard in a project that holds its whole installation.
    pub contained: &'static [&'static str],
    /// What a search finds of it in a project, and whether it is a directory.
    pub found: &'static [(&'static str, bool)],
    /// The same in the home directory.
    pub found_at_home: &'static [(&'static str, bool)],
    /// What belongs to the guard in the home directory.
    pub at_home: &'static [&'static str],
    /// The guard's directories in a home directory, as a part of a longer path, between separators.
    pub home_parts: &'static [&'static str],
    /// What of it lies in the guard's own directories, from their last name on.
    pub in_own_dirs: &'static [&'static str],
    /// That last name as a part of a longer path, between separators.
    pub own_part: &'static str,
    /// Absolute paths that an administrator installs.
    pub managed: &'static [&'static str],
    /// What of it in a project people keep elsewhere and link to.
    pub linked: &'static [&'static str],
    /// The same in the home directory, with the directories above.
    pub linked_at_home: &'static [&'static str],
    /// The same in the host's directory, where a variable says that it lies elsewhere; the empty name is the directory.
    pub linked_in_client_dir: &'static [&'static str],
    /// Directories of the project that hold further working trees.
    pub worktrees: &'static [&'static str],

    /// The guard's program.
    pub program: &'static str,
    /// Other programs of the guard that only the user starts.
    pub helpers: &'static [&'static str],
    /// Where the program lies in the home directory.
    pub installed: &'static [&'static str],
    /// The one of these that a shell finds.
    pub on_path: &'static str,
    /// The directory of the home directory that holds it.
    pub data_dir: &'static str,
    /// The guard's directory in a project.
    pub own_dir: &'static str,
    /// Where a program of that name lies in a project, and counts as the guard's.
    pub project_program: &'static str,
    /// Where it lies for all users.
    pub program_for_all: &'static str,
    /// The name of the guard's configuration file.
    pub configuration: &'static str,
    /// The guard's directory of configuration in the home directory.
    pub configuration_dir: &'static str,
    /// Commands of the program that can be called without changing the guard.
    pub commands: &'static [OwnCommand],
    /// Commands that are the user's or the host's, and that few other programs have.
    pub person_commands: &'static [&'static str],
    /// Whether a word is an event as the host names it to the program.
    pub is_event: fn(&str) -> bool,

    /// Words of which each path above holds one: a quick test, in small letters, each with a letter that few other words have.
    pub marks: [(u8, &'static str); 3],
    /// Words by which a search finds one of the files, in small letters.
    pub words: &'static [&'static str],
    /// What stands in the settings where they start the guard.
    pub entry: &'static str,

    /// The variable that says where the host's directory of the home directory lies.
    pub client_dir_variable: &'static str,
    /// Variables that hold the project's directory.
    pub project_variables: &'static [&'static str],
    /// Variables that name directories in which files of the guard or its client lie.
    pub dir_variables: &'static [DirVariable],
    /// Variables that name a file of the host, and where it lies in the home directory.
    pub file_variables: &'static [(&'static str, &'static str)],
    /// Variables that stand for the word of the user.
    pub person_variables: &'static [&'static str],

    /// What a text would let the host do in its settings.
    pub power: fn(&str) -> Power,
    /// Whether a key or a text of settings is about what starts the guard.
    pub names_hooks: fn(&str) -> bool,
}

impl Layout {
    /// Nothing is protected.
    pub const NONE: Self = Self {
        client_dir: "",
        client_part: "",
        settings: &[],
        settings_names: &[],
        personal_settings: "",
        shared: &[],
        in_project: &[],
        evidence: &[],
        evidence_of_session: &[],
        contained: &[],
        found: &[],
        found_at_home: &[],
        at_home: &[],
        home_parts: &[],
        in_own_dirs: &[],
        own_part: "",
        managed: &[],
        linked: &[],
        linked_at_home: &[],
        linked_in_client_dir: &[],
        worktrees: &[],
        program: "",
        helpers: &[],
        installed: &[],
        on_path: "",
        data_dir: "",
        own_dir: "",
        project_program: "",
        program_for_all: "",
        configuration: "",
        configuration_dir: "",
        commands: &[],
        person_commands: &[],
        is_event: |_| false,
        marks: [(0, ""); 3],
        words: &[],
        entry: "",
        client_dir_variable: "",
        project_variables: &[],
        dir_variables: &[],
        file_variables: &[],
        person_variables: &[],
        power: |_| Power::None,
        names_hooks: |_| false,
    };

    /// Whether it names nothing that is protected.
    pub fn is_none(&self) -> bool {
        let names = [self.client_dir, self.program, self.on_path, self.configuration, self.personal_settings];
        let files = [
            self.settings, self.shared, self.in_project, self.contained, self.at_home, self.managed, self.evidence,
            self.in_own_dirs, self.helpers, self.installed,
        ];
        names.iter().all(|name| name.is_empty()) && files.iter().all(|files| files.is_empty())
    }

    /// Whether a text names the guard's program. Nothing does where there is none.
    pub fn names_program(&self, text: &str) -> bool {
        !self.program.is_empty() && text.contains(self.program)
    }

    /// Whether a text names the host's directory.
    pub fn names_client_dir(&self, text: &str) -> bool {
        !self.client_dir.is_empty() && text.contains(self.client_dir)
    }

    /// Whether a path relative to a project or a home directory is the host's directory.
    pub fn is_client_dir(&self, rest: &str) -> bool {
        !self.client_dir.is_empty() && rest == self.client_dir
    }

    /// What stands before and behind the host's directory, where it is a part of the path; the last one, if there are several.
    pub fn split_at_client_dir<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str)> {
        if self.client_part.is_empty() { None } else { path.rsplit_once(self.client_part) }
    }
}
