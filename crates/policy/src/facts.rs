//! What checks may ask about the session, the project and the moment.

pub use hook_shell::resolve::Entry;
use std::borrow::Cow;

use crate::context::ContextUse;
use crate::entry::Standing;
use crate::evidence::{Kept, Origin, StatusFile};
use crate::handoff::Routing;
use crate::include::{FileText, IncludedFile, RoleIncludes};
use crate::moment::Moment;
use crate::orders::Orders;
use crate::registry;
use crate::repository::Repository;
use crate::sane;
use hook_protocol::host::{self, Host};
use hook_protocol::own_path;
use hook_protocol::settings::{declared_servers, disabled_servers};
use hook_shell::layout::Layout;
use hook_shell::resolve::GitSettings;

/// Answers checks' questions. The caller gathers lazily: a fact that no check asks for costs nothing. A fact that a caller does not
/// have is left out; checks that would use it then say less.
///
/// The guard is the exception: what is left out never turns a refusal or a question of its into nothing. Three facts make it exact, and
/// whoever guards real files should answer them: [`Facts::home`], [`Facts::project`] and [`Facts::real_path`]. The last one alone cannot
/// be made up for: without it a link on the disk is what its name says.
///
/// An answer is believed. An empty or relative path counts as left out; a wrong one that is well formed, such as a link that is said to
/// lead into the project, is taken for the truth.
///
/// A panic in an answer is not caught here: it unwinds through [`decide`](crate::decide) and [`Guard`](crate::Guard), so that no call
/// passes by it. Whoever has to go on catches it, and answers with [`Guard::unreadable`](crate::Guard::unreadable). `hook-runtime`
/// catches it once for a whole run.
///
/// Every answer is data of the moment of the call; a `Facts` that answers the same question differently within one
/// decision makes that decision meaningless.
pub trait Facts {
    /// The moment of the event.
    fn now(&self) -> Moment;
    /// The directory that holds state and views, absolute.
    fn state_dir(&self) -> Cow<'_, str>;
    /// The user's home directory, absolute: what `~` and `$HOME` mean in a command. Where it is left out, empty or relative, these still
    /// mean a home, and every directory that is one by its place counts as one: `/root`, `/home/NAME`, `/Users/NAME`.
    fn home(&self) -> Option<Cow<'_, str>> {
        None
    }
    /// The project's directory, absolute. Where it is left out, the working directory of the event stands for it; without that as well,
    /// whatever is called like a file of the guard is taken for one, in any directory.
    fn project(&self) -> Option<Cow<'_, str>> {
        None
    }
    /// The host that the session runs in. Left out, the one that most people use.
    fn host(&self) -> &'static Host {
        host::DEFAULT
    }
    /// Which files, programs and variables are the guard's and its host's, so that no call may change them. Left out, those of hookbin.
    fn layout(&self) -> &'static Layout {
        &host::LAYOUT
    }
    /// Where a path leads when links are followed: its deepest part that exists, resolved, with the rest. `None` if nothing differs.
    /// Asked of paths that a command names, of home and project, and of the guard's own files, so that each is known by all its names.
    fn real_path(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
    /// What lies at a path, its last part not followed. A caller that cannot look says so, and [`Facts::real_path`] is asked instead.
    fn entry(&self, path: &str) -> Entry {
        let _ = path;
        Entry::Unknown
    }
    /// Another home directory of the user, absolute: that of the account, where [`Facts::home`] is a different one. Both are protected.
    /// Asked only when a path lies in neither the project nor that home.
    fn other_home(&self) -> Option<Cow<'_, str>> {
        None
    }
    /// Directories outside the project that the user lets the session work on, absolute: added to it, or other working trees of the
    /// repository. Asked only when something outside the project would go.
    fn work_folders(&self) -> Vec<String> {
        Vec::new()
    }
    /// Whether the settings file at this path, outside the project, starts the guard.
    fn starts_guard(&self, path: &str) -> bool {
        let _ = path;
        true
    }
    /// Whether an absolute path is the guard's own because the user moved its directories: by `XDG_STATE_HOME` and the like, or by the
    /// registry's `path`. The usual places are known without asking.
    fn is_own(&self, path: &str) -> bool {
        let _ = path;
        false
    }
    /// Whether an absolute path is a file of the host's settings because the user moved its directory, as by `CLAUDE_CONFIG_DIR`.
    fn is_client_settings(&self, path: &str) -> bool {
        let _ = path;
        false
    }
    /// Whether a directory holds what [`Facts::is_own`] knows.
    fn holds_own(&self, path: &str) -> bool {
        let _ = path;
        false
    }
    /// The directory that a variable of the run names, where the guard's own directories can follow from it.
    fn dir_variable(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }
    /// What is remembered of this session, or of a fresh session when nothing is.
    fn session(&self) -> SessionFacts {
        SessionFacts::default()
    }
    /// The files that the session has written, by absolute path: the last ones, as many as the caller remembers.
    fn written_files(&self) -> Vec<String> {
        Vec::new()
    }
    /// How hard the prompt of the event is; `None` on events without a prompt.
    fn complexity(&self) -> Option<Complexity> {
        None
    }
    /// The tier of the session's last prompt, if it is remembered.
    fn remembered_tier(&self) -> Option<String> {
        None
    }
    /// What an earlier session left for this one: the summary of `handoff.md`, if that file is newer than the last start.
    fn handoff(&self) -> Option<String> {
        None
    }
    /// A small text file of the project, by path relative to the project, or absolute. `None` when it cannot be read, or is
    /// larger than the caller's limit.
    fn project_file(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }
    /// Names of the MCP servers that the project and the user declare; whether one runs nobody can tell. `None` where the project's file
    /// of them is there and cannot be read. Costs a look into four files, so only checks that hang on a server ask.
    fn declared_servers(&self) -> Option<Vec<String>> {
        let (project, home) = (self.project(), self.home());
        let user = home.and_then(|home| self.project_file(&format!("{home}/{}", self.host().state_file)));
        let of = |text: Option<String>| declared_servers(text.as_deref().unwrap_or_default(), project.as_deref());
        let mut found = match self.reading(&format!("{}/.mcp.json", project.as_deref().unwrap_or("."))) {
            FileText::Failed(_) => return None,
            FileText::Text { text, .. } => of(Some(text)),
            FileText::Missing => of(self.project_file(".mcp.json")),
        };
        // A user who declines a server of the project has it in these settings.
        let settings = [own_path!("settings.local.json"), own_path!("settings.json")];
        let texts = settings.into_iter().filter_map(|file| self.project_file(file));
        let off: Vec<String> = texts.flat_map(|text| disabled_servers(&text)).collect();
        found.retain(|server| !off.contains(&server.name));
        found.extend(of(user));
        Some(found.into_iter().map(|server| server.name).collect())
    }
    /// Whether the session has used a tool of an MCP server that fits one of these patterns, in which `*` stands for any text.
    fn has_used(&self, patterns: &[&String]) -> bool {
        let _ = patterns;
        false
    }
    /// The text of a file that the call writes, where it lies now: its name may be a link to another file of the project. Only for
    /// judging the call; what a link leads to never becomes context.
    fn written_file(&self, path: &str) -> Option<String> {
        self.project_file(path)
    }
    /// The git repository that a directory lies in; the directory is absolute, and may not exist yet. `None` outside any repository.
    fn repository(&self, dir: &str) -> Option<Repository> {
        let _ = dir;
        None
    }
    /// The value of a setting of git for a repository that `dir` lies in, such as `alias.ci` or `branch.main.merge`: the section and
    /// the last name in lower case. `None` where it is not set, or cannot be read within the caller's limits.
    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        let _ = (dir, key);
        None
    }
    /// The settings that the repository around `dir` brings itself, whatever the user has set.
    fn git_settings(&self, dir: &str) -> GitSettings {
        let _ = dir;
        GitSettings::default()
    }
    /// Files that the next commit of the repository at `dir` would change, by path from its top. `None` if that cannot be found out
    /// within the caller's limits. Costs a process, so it is asked for only when a verdict hangs on it.
    fn staged(&self, dir: &str) -> Option<Vec<String>> {
        let _ = dir;
        None
    }
    /// A status file by its absolute path. A link is not followed: what it leads to is not protected.
    fn status_file(&self, path: &str) -> StatusFile {
        let _ = path;
        StatusFile::Missing
    }
    /// Where a status file comes from. Asked only of one that would open a gate; a caller that cannot tell lets none count.
    fn origin(&self, path: &str) -> Origin {
        let _ = path;
        Origin::default()
    }
    /// Whether this text of a status file is what was recorded of it where neither project nor agent writes, and the working tree is still
    /// the same. Costs a look at each file of the tree, so it is asked only where nothing else lets the file count.
    fn kept(&self, path: &str, text: &str) -> Kept {
        let _ = (path, text);
        Kept::No
    }

    /// Whether the proof gate's question is the last thing that the session's user was asked.
    fn asked(&self) -> bool {
        false
    }
    /// The signed state, as far as it can be believed. A caller without one gives that of a fresh session.
    fn sane(&self) -> sane::State {
        sane::State::default()
    }
    /// The lines of a file, by absolute path; of a very large one those that the caller has counted. `None` when there is none.
    fn line_count(&self, path: &str) -> Option<u64> {
        let _ = path;
        None
    }
    /// The names in a directory of the project, sorted. `None` when it is no directory.
    fn project_dir_names(&self, path: &str) -> Option<Vec<String>> {
        let _ = path;
        None
    }
    /// The session as it stands in names of files: letters, digits, `_` and `-`.
    fn session_name(&self) -> Cow<'_, str> {
        Cow::Borrowed("default")
    }
    /// Age and size of a plain file, by path relative to the project, or absolute. `None` when there is none.
    fn file_info(&self, path: &str) -> Option<FileInfo> {
        let _ = path;
        None
    }
    /// Whether these programs, which by the text of their call only read, run nothing else here: the user trusts the directory, no variable
    /// makes them, the search path does not lead into the project, and git's settings name no program.
    fn runs_nothing_else(&self, programs: &[String]) -> bool {
        let _ = programs;
        false
    }
    /// Whether the user lets programs of the working tree `root` start: its tests, linters and checkpoints.
    fn starts_programs(&self, root: &str) -> bool {
        let _ = root;
        true
    }
    /// A whole number from the environment of the run, where the user lets that variable count.
    fn number_of_env(&self, name: &str) -> Option<u32> {
        let _ = name;
        None
    }
    /// What a look at the project's working tree shows. The caller may have to start a program for it, so no check of a tool call
    /// before it runs asks. `None` without a repository, or when the answer takes too long.
    fn worktree(&self) -> Option<Worktree> {
        None
    }
    /// How much the repository has changed since a moment, in seconds since 1970; as costly as [`Facts::worktree`].
    fn churn_since(&self, epoch: i64) -> Option<Churn> {
        let _ = epoch;
        None
    }
    /// What the session remembers of what it told the registry, with what the environment of the run says of it.
    fn registered(&self) -> registry::Session {
        registry::Session::default()
    }
    /// What can be told of the session's context from the transcript at this path, and from the host's status line.
    fn context_use(&self, transcript: &str) -> ContextUse {
        let _ = transcript;
        ContextUse::default()
    }
    /// A text file by path relative to the working directory, or absolute; within the caller's limit of size.
    fn reading(&self, path: &str) -> FileText {
        let _ = path;
        FileText::Missing
    }
    /// What the file of a role or a mode asks for: `NAME/role.md` in a directory of the project, else `NAME.md`. The name is a plain one.
    fn role_includes(&self, dir: &str, name: &str) -> RoleIncludes {
        let _ = (dir, name);
        RoleIncludes::default()
    }
    /// The files that an entry of `auto_include` leads to, inside the project, `PROJECT_PATH` and these absolute directories. An entry that
    /// leads to nothing has neither a file nor a fault.
    fn included(&self, entry: &str, roots: &[String]) -> IncludedFile {
        let _ = (entry, roots);
        IncludedFile::default()
    }
    /// The workers of this conversation that are done. Costs a look into the registry, so that it is asked for only when a session is
    /// woken. `Err` says why nobody can tell.
    fn workers(&self, conversation: &str) -> Result<registry::Workers, Unanswered> {
        let _ = conversation;
        Ok(registry::Workers::default())
    }
    /// The tags of the contact with this telephone number or e-mail address, by the file of contacts of this name or, where there is
    /// none, by the registry; none for an address that nobody has. `Err` says why nobody can tell.
    fn contact_tags(&self, file: &str, address: &str) -> Result<Vec<String>, Unanswered> {
        let _ = (file, address);
        Err(Unanswered("there are no contacts".to_owned()))
    }
    /// Width and height in pixels of the picture in a file, by absolute path. `None` if it is none of a known kind.
    fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        let _ = path;
        None
    }
    /// Whether the guard's own entry stands in the host's settings as they are now. Costs a look into each settings file, so it is
    /// asked for when a session starts and when settings change.
    fn standing(&self) -> Standing {
        Standing::Unknown
    }
    /// Whether the user still has to be told what became of the entry.
    fn entry_notice(&self) -> bool {
        false
    }
    /// What sessions of the project have ordered as prompts or typed into terminals. Asked when one does, and for a prompt that is the
    /// user's word.
    fn orders(&self) -> Orders {
        Orders::default()
    }
    /// What is remembered of the session's agents.
    fn routing(&self) -> Routing {
        Routing::default()
    }
    /// The last text of the assistant in the transcript at this path, for clients that do not send it with the event.
    fn last_answer(&self, transcript: &str) -> Option<String> {
        let _ = transcript;
        None
    }
    /// Shows the source files below these directories of the project, path from the project's directory and text, as far as the caller's
    /// limits reach. Costly, and never asked before a tool call.
    fn each_source(&self, dirs: &[&str], see: &mut dyn FnMut(&str, &str)) {
        let _ = (dirs, see);
    }
}

/// Why nobody can tell a fact, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(pub String);

/// Age and size of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileInfo {
    /// When it was changed last, in seconds since 1970.
    pub modified: i64,
    /// Its size.
    pub bytes: u64,
}

/// The state of a working tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worktree {
    /// The branch; `None` while no branch is checked out.
    pub branch: Option<String>,
    /// Files with changes that no commit holds, those that git does not know included; `None` where nobody could ask without starting
    /// what the repository names.
    pub dirty: Option<u32>,
    /// Directories of all worktrees, the main one first.
    pub worktrees: Vec<String>,
    /// The last commits, short id and subject.
    pub recent: Vec<String>,
}

/// What commits have changed since a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Churn {
    /// Commits.
    pub commits: u32,
    /// Source files that they touch, in percent of all tracked source files.
    pub percent: u32,
}

/// How hard a prompt is, and what it gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Complexity {
    /// The score C.
    pub c: u64,
    /// The tier's name in capitals.
    pub tier: &'static str,
    /// Share of analysis in percent.
    pub analyze: u8,
    /// Share of building in percent.
    pub build: u8,
    /// Best number of tokens for the analysis.
    pub a_optimal: u64,
}

/// Counts and last entries of the session document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionFacts {
    /// Finished tool calls.
    pub actions: u64,
    /// Different files read.
    pub reads: u64,
    /// Different files written.
    pub writes: u64,
    /// Canonical name of the last tool.
    pub last_tool: Option<String>,
}
