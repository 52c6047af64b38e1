//! Events of what surrounds the session: settings, instructions, files, directories and worktrees.

use crate::field::{body, open_enum};
use crate::raw::Text;

body! {
    /// A settings file has changed.
    ConfigChange {
        /// Which one.
        source: ConfigSource<'a>,
        /// Its absolute path.
        file_path: Text<'a>,
    }
}

open_enum! {
    /// A place that settings come from.
    ConfigSource {
        /// The user's settings.
        UserSettings = "user_settings",
        /// The project's shared settings.
        ProjectSettings = "project_settings",
        /// The project's local settings.
        LocalSettings = "local_settings",
        /// Managed settings; a change of these cannot be blocked.
        PolicySettings = "policy_settings",
        /// A skill.
        Skills = "skills",
    }
}

body! {
    /// A worktree is to be created. A registered hook replaces the host's own creation and must print the path.
    WorktreeCreate {
        /// A name for it, fit for a file name.
        name: Text<'a>,
    }
}

body! {
    /// A worktree is to be removed.
    WorktreeRemove {
        /// Its absolute path.
        worktree_path: Text<'a>,
    }
}

body! {
    /// An instructions file was loaded.
    InstructionsLoaded {
        /// Its absolute path.
        file_path: Text<'a>,
        /// Whose instructions they are.
        memory_type: MemoryType<'a>,
        /// Why it was loaded.
        load_reason: LoadReason<'a>,
        /// The patterns that the file is for.
        globs: Vec<Text<'a>>,
        /// The file whose use caused the loading.
        trigger_file_path: Text<'a>,
        /// The file that includes this one.
        parent_file_path: Text<'a>,
    }
}

open_enum! {
    /// Whose instructions a file holds.
    MemoryType {
        /// The user's.
        User = "User",
        /// The project's.
        Project = "Project",
        /// The project's, not shared.
        Local = "Local",
        /// The organisation's.
        Managed = "Managed",
    }
}

open_enum! {
    /// Why an instructions file was loaded.
    LoadReason {
        /// A session started.
        SessionStart = "session_start",
        /// A directory below was entered.
        NestedTraversal = "nested_traversal",
        /// A file that its patterns name was used.
        PathGlobMatch = "path_glob_match",
        /// Another file includes it.
        Include = "include",
        /// The conversation was compacted.
        Compact = "compact",
    }
}

body! {
    /// The working directory of the session has changed.
    CwdChanged {
        /// The absolute path before.
        old_cwd: Text<'a>,
        /// The absolute path now.
        new_cwd: Text<'a>,
    }
}

body! {
    /// A watched file has changed. The matcher is also the watch list; see [`crate::matcher::watch_list`].
    FileChanged {
        /// Its absolute path.
        file_path: Text<'a>,
        /// What happened.
        event: FileEvent<'a>,
    }
}

open_enum! {
    /// What happened to a watched file.
    FileEvent {
        /// Its content changed.
        Change = "change",
        /// It was created.
        Add = "add",
        /// It was removed.
        Unlink = "unlink",
    }
}

body! {
    /// A working directory was added to the session.
    DirectoryAdded {
        /// Its absolute path.
        directory: Text<'a>,
        /// Who added it.
        source: DirectorySource<'a>,
    }
}

open_enum! {
    /// Who added a working directory.
    DirectorySource {
        /// The user, with `/add-dir`.
        SlashCommand = "slash_command",
        /// The host, for the root of a repository.
        RegisterRepoRoot = "register_repo_root",
    }
}
