//! Facts for the decision, gathered only when a check asks.

pub mod contacts;
pub mod context;
pub mod evidence;
pub mod image;
pub mod include;
mod links;
pub mod local;
pub mod notes;
pub mod owed;
pub mod section;
pub mod signed;
mod trail;
pub mod tree;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use hook_policy::context::ContextUse;
use hook_policy::entry::Standing;
use hook_policy::evidence::{Kept, Origin, StatusFile};
use hook_policy::handoff::Routing;
use hook_policy::include::{FileText, IncludedFile, RoleIncludes};
use hook_policy::orders::Orders;
use hook_policy::profile::IdSource;
use hook_policy::repository::{Head, Repository};
use hook_policy::sane;
use hook_policy::{Churn, Complexity, Entry, Facts, FileInfo, Moment, SessionFacts, Unanswered, Worktree};
use hook_protocol::host::Host;
use hook_session_state::{MAX_TRACKED, SessionDocument, Store, view};
use hook_shell::resolve::GitSettings;
use hook_shell::resolve::taint::glob;
use once_cell::unsync::OnceCell;

use crate::event::run::Run;
use crate::event::scoring;
use crate::installation::presence;
use crate::programs::git;
use crate::programs::git_config;
use crate::programs::turned;
use crate::project::EXECUTABLE;
use crate::project::registry;
use crate::system::account;
use crate::system::open::{self, Beneath, Kind as EntryKind};
use crate::trust::consent;
use crate::trust::granted;

/// Largest project file that a check may see, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// The most of a file whose lines are counted, in bytes.
const MAX_COUNTED_BYTES: usize = 16 << 20;

/// Most names of a directory that a check may see.
const MAX_NAMES: usize = 10_000;

/// Largest status file, in bytes; one line is all that it holds.
const MAX_STATUS_BYTES: u64 = 4096;

/// Most repositories that are looked at for one event.
const MAX_REPOSITORIES: usize = 16;

/// Where a file is read that a check asks for.
enum Below {
    /// In the project: no link leads out of it.
    Inside(Beneath, PathBuf),
    /// Where a whole path says.
    Elsewhere(PathBuf),
}

/// Whether a path is this database, or a file that its engine or a repair puts beside it.
fn belongs_to(path: &Path, database: &Path) -> bool {
    let rest = || path.to_str()?.strip_prefix(database.to_str()?);
    rest().is_some_and(|rest| {
        matches!(rest, "" | "-wal" | "-shm" | "-journal") || rest.starts_with(".damaged-") && !rest.contains('/')
    })
}

/// The facts about one run.
pub struct LiveFacts<'r> {
    run: &'r Run<'r>,
    /// What [`Facts::real_path`] has answered; several rules ask for the same paths.
    real_paths: RefCell<BTreeMap<String, Option<String>>>,
    /// Directories with all links followed. A command's files mostly lie in the same few.
    real_dirs: RefCell<BTreeMap<PathBuf, PathBuf>>,
    /// Repositories by the directory that was asked about.
    repositories: RefCell<Vec<(String, Option<Repository>)>>,
    worktree: OnceCell<Option<Worktree>>,
    document: OnceCell<Option<SessionDocument>>,
    score: OnceCell<Option<hook_complexity::Score>>,
    sane: OnceCell<sane::State>,
    roots: OnceCell<include::Roots>,
}

impl<'r> LiveFacts<'r> {
    /// The facts of one run.
    pub fn new(run: &'r Run<'r>) -> Self {
        Self {
            run,
            real_paths: RefCell::default(),
            real_dirs: RefCell::default(),
            repositories: RefCell::default(),
            worktree: OnceCell::new(),
            document: OnceCell::new(),
            score: OnceCell::new(),
            sane: OnceCell::new(),
            roots: OnceCell::new(),
        }
    }

    /// Whether a past session is replayed: what the project's working tree and index held then is gone, and no program is started.
    fn is_past(&self) -> bool {
        !self.run.may.sees_present
    }

    /// Where a file lies that is named from the project's directory or whole. `None` where a path leads out of the project that is not
    /// whole, and without a project.
    fn below(&self, path: &str) -> Option<Below> {
        let project = self.run.project.as_ref()?;
        let whole = project.readable(Path::new(path));
        for beneath in [project.beneath_files(), project.beneath()] {
            if let Ok(inside) = whole.strip_prefix(beneath.root()) {
                // `..` behind the root is refused when it is opened.
                let inside = inside.to_owned();
                return Some(Below::Inside(beneath, inside));
            }
        }
        Path::new(path).is_absolute().then_some(Below::Elsewhere(whole))
    }

    /// The working directory of the session.
    fn working_dir(&self) -> PathBuf {
        let sent = self.run.event.common.cwd.as_ref().map(|cwd| PathBuf::from(&*cwd.as_str()));
        let given = sent.filter(|cwd| cwd.is_absolute()).or_else(|| self.run.system.cwd.clone());
        given.unwrap_or_else(|| self.root())
    }

    /// The project's directory; the working directory where there is no project.
    fn root(&self) -> PathBuf {
        match &self.run.project {
            Some(project) => project.root().to_owned(),
            None => self.run.system.cwd.clone().unwrap_or_default(),
        }
    }

    /// The databases that configuration files name as the registry.
    fn registries(&self) -> impl Iterator<Item = PathBuf> {
        let home = |path: &String| match path.strip_prefix("~/") {
            Some(rest) => Some(self.run.system.home()?.join(rest)),
            None => Some(PathBuf::from(path)),
        };
        self.run.plan.settings.registry_databases.iter().filter_map(home).filter(|path| path.is_absolute())
    }

    /// The project's store, unless it is one that somebody linked here.
    fn store(&self) -> Option<Store> {
        let project = self.run.project.as_ref().filter(|project| !project.is_elsewhere())?;
        Some(project.store())
    }

    /// Whether a file lies where a program is looked for, as the entry that a team shares does.
    fn is_on_path(&self, path: &Path) -> bool {
        let dirs = self.run.system.var("PATH").unwrap_or_default();
        std::env::split_paths(&dirs).any(|dir| path.parent() == Some(&dir))
    }

    /// Whether a path belongs to the plugin that started this executable, or to the host's list of plugins.
    fn is_of_plugin(&self, path: &Path) -> bool {
        let Some(root) = self.run.system.var(self.run.system.host.variables.plugin_root).map(PathBuf::from) else {
            return false;
        };
        let is_ours = || std::env::current_exe().is_ok_and(|own| own.starts_with(&root));
        (path.starts_with(&root) || path.ends_with("plugins/installed_plugins.json")) && is_ours()
    }

    fn real_dir(&self, dir: &Path) -> Option<PathBuf> {
        let mut known = self.real_dirs.borrow_mut();
        if let Some(real) = known.get(dir) {
            return Some(real.clone());
        }
        let real = std::fs::canonicalize(dir).ok()?;
        known.insert(dir.to_owned(), real.clone());
        Some(real)
    }

    /// The score of the event's prompt.
    fn score(&self) -> Option<&hook_complexity::Score> {
        let rate = || {
            let hook_protocol::event::Body::UserPromptSubmit(submit) = &self.run.event.body else { return None };
            let prompt = submit.prompt.as_ref().map_or(Cow::Borrowed(""), |prompt| prompt.as_str());
            let settings = &self.run.plan.settings.complexity;
            let previous = if settings.inherit { self.previous_score() } else { None };
            Some(scoring::scorer(settings).score(&prompt, previous))
        };
        self.score.get_or_init(rate).as_ref()
    }

    fn previous_score(&self) -> Option<u64> {
        scoring::remembered(self.document()?.section_raw(scoring::SECTION)?)
    }

    /// The session's document as it was before the event, read once.
    fn document(&self) -> Option<&SessionDocument> {
        let read = || self.store()?.read_session(&self.run.session).ok()?;
        self.document.get_or_init(read).as_ref()
    }
}

impl Facts for LiveFacts<'_> {
    fn now(&self) -> Moment {
        Moment::from_epoch(self.run.system.now.timestamp())
    }

    fn host(&self) -> &'static Host {
        self.run.system.host
    }

    fn state_dir(&self) -> Cow<'_, str> {
        match &self.run.project {
            Some(project) => Cow::Owned(project.state().to_string_lossy().into_owned()),
            None => Cow::Borrowed("(no project, so nothing is kept)"),
        }
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        let system = self.run.system;
        let home = system.named_home().or_else(|| system.home())?.into_os_string().into_string().ok()?;
        // Without `.`, `..` and doubled separators, as rules compare it.
        let is_plain = !home.contains("/.") && !home.contains("//");
        Some(Cow::Owned(if is_plain { home } else { hook_shell::path::Places::absolute(&home, None)? }))
    }

    fn entry(&self, path: &str) -> Entry {
        links::entry(path)
    }

    fn other_home(&self) -> Option<Cow<'_, str>> {
        // Without a name in the environment the account's is the only one.
        let named = self.run.system.named_home()?;
        // Where the user's things lie, whatever the environment says; else where the account has them.
        let differs = |home: &PathBuf| *home != named;
        let other = self.run.system.home().filter(differs).or_else(|| account::home().filter(differs))?;
        other.into_os_string().into_string().ok().map(Cow::Owned)
    }

    fn work_folders(&self) -> Vec<String> {
        let Some(project) = self.run.project.as_ref().filter(|_| self.run.may.sees_present) else {
            return Vec::new();
        };
        granted::dirs(project, self.run.system)
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        self.run.project.as_ref().map(|project| Cow::Owned(project.root().to_string_lossy().into_owned()))
    }

    fn real_path(&self, path: &str) -> Option<String> {
        let mut known = self.real_paths.borrow_mut();
        if let Some(answer) = known.get(path) {
            return answer.clone();
        }
        // However many there are: a line that names more than the time allows is refused, and one that is judged by its text lies.
        let answer = links::real_path(path, &|dir| self.real_dir(dir));
        known.insert(path.to_owned(), answer.clone());
        answer
    }

    fn starts_guard(&self, path: &str) -> bool {
        read_small(Path::new(path)).is_some_and(|text| text.contains("hookbin"))
    }

    fn is_own(&self, path: &str) -> bool {
        let path = Path::new(path);
        let system = self.run.system;
        let dirs = [
            system.state_dir(),
            system.data_dir(),
            system.user_config().and_then(|file| Some(file.parent()?.to_owned())),
        ];
        dirs.iter().flatten().any(|dir| path.starts_with(dir))
            || self.is_of_plugin(path)
            || self.registries().any(|database| belongs_to(path, &database))
            // Wherever it lies, and whatever the environment says of the home directory.
            || path.ends_with(EXECUTABLE)
                && (std::env::current_exe().is_ok_and(|own| own == path) || self.is_on_path(path))
    }

    fn is_client_settings(&self, path: &str) -> bool {
        let path = Path::new(path);
        let named = path.file_name().is_some_and(|name| name == "settings.json" || name == "settings.local.json");
        let system = self.run.system;
        // The host goes by the environment, whatever counts for us.
        let of_environment = || {
            let moved = system.var(system.host.variables.config_dir).map(PathBuf::from);
            moved.or_else(|| Some(system.named_home()?.join(system.host.dir)))
        };
        let is_in = |dir: Option<PathBuf>| dir.is_some_and(|dir| path.parent() == Some(&dir));
        named && (is_in(system.client_dir()) || is_in(of_environment()))
    }

    fn holds_own(&self, path: &str) -> bool {
        let system = self.run.system;
        // What holds the home directory as well is no matter of the guard alone, and other rules know the usual places in it.
        if system.home().is_some_and(|home| home.starts_with(path)) {
            return false;
        }
        let home = system.home();
        let usual = |own: &PathBuf| {
            let inside = home.as_ref().and_then(|home| own.strip_prefix(home).ok());
            inside.is_some_and(|inside| [".local", ".config"].iter().any(|usual| inside.starts_with(usual)))
        };
        let own = [system.state_dir(), system.user_config(), system.data_dir()].into_iter().flatten();
        own.filter(|own| !usual(own)).chain(self.registries()).any(|own| own.starts_with(path))
    }

    fn dir_variable(&self, name: &str) -> Option<String> {
        self.run.system.text(name).filter(|dir| dir.starts_with('/'))
    }

    fn has_used(&self, patterns: &[&String]) -> bool {
        let used: Vec<String> = section::read(self.document().and_then(|document| document.section_raw(section::USED)));
        used.iter().any(|name| patterns.iter().any(|pattern| glob(pattern, name)))
    }

    fn session(&self) -> SessionFacts {
        let Some(activity) = self.document().map(SessionDocument::activity) else { return SessionFacts::default() };
        SessionFacts {
            actions: activity.action_count,
            reads: activity.files_read.total(),
            writes: activity.files_written.total(),
            last_tool: activity.last_tool.clone(),
        }
    }

    fn written_files(&self) -> Vec<String> {
        let document = self.document();
        document.map(|document| document.activity().files_written.last(MAX_TRACKED)).unwrap_or_default()
    }

    fn complexity(&self) -> Option<Complexity> {
        let score = self.score()?;
        Some(Complexity {
            c: score.c,
            tier: score.tier.as_str(),
            analyze: score.analyze,
            build: score.build,
            a_optimal: score.a_optimal,
        })
    }

    fn remembered_tier(&self) -> Option<String> {
        let c = self.previous_score()?;
        Some(hook_complexity::Tier::of(c).as_str().to_owned())
    }

    fn handoff(&self) -> Option<String> {
        let store = self.store()?;
        let note = view::Handoff::parse(&store.read_view("handoff.md").ok()??)?;
        // `session.json` shows the session that acted last; a start after the note was written has given it already.
        let shown = store.read_view("session.json").ok().flatten();
        let started = shown
            .and_then(|text| hook_protocol::raw::Fields::parse(&text).ok()?.get_str("started").map(Cow::into_owned));
        if started.is_some_and(|started| started > note.ended) {
            return None;
        }
        Some(note.summary())
    }

    fn written_file(&self, path: &str) -> Option<String> {
        match self.below(path)? {
            Below::Inside(beneath, path) => beneath.linked_text(&path, MAX_FILE_BYTES),
            Below::Elsewhere(path) => read_small(&path),
        }
    }

    fn project_file(&self, path: &str) -> Option<String> {
        match self.below(path)? {
            Below::Inside(beneath, path) => beneath.text(&path, MAX_FILE_BYTES),
            // What a call works on may lie elsewhere, and then it is named whole.
            Below::Elsewhere(path) => read_small(&path),
        }
    }

    fn repository(&self, dir: &str) -> Option<Repository> {
        let mut known = self.repositories.borrow_mut();
        if let Some((_, answer)) = known.iter().find(|(asked, _)| asked == dir) {
            return answer.clone();
        }
        let mut answer = git::repository(Path::new(dir), self.run.system).filter(|_| known.len() < MAX_REPOSITORIES);
        // The branch of that time, where the record of a past session has it.
        if let Some((repository, branch)) = answer.as_mut().zip(self.run.branch.as_ref()) {
            repository.head = match branch.as_str() {
                "HEAD" => Head::Detached,
                name => Head::Branch(name.to_owned()),
            };
        }
        known.push((dir.to_owned(), answer.clone()));
        answer
    }

    fn git_setting(&self, dir: &str, key: &str) -> Option<String> {
        // Settings of a past session's day are not known.
        if self.is_past() {
            return None;
        }
        let home = self.run.system.home();
        git_config::setting(Path::new(dir), home.as_deref(), key)
    }

    fn git_settings(&self, dir: &str) -> GitSettings {
        if self.is_past() {
            GitSettings::default()
        } else {
            git_config::own(Path::new(dir), self.run.system.home().as_deref())
        }
    }

    fn staged(&self, dir: &str) -> Option<Vec<String>> {
        if self.is_past() {
            return None;
        }
        git::staged(Path::new(dir), self.run.system)
    }

    fn status_file(&self, path: &str) -> StatusFile {
        let (beneath, path) = match self.below(path) {
            Some(Below::Inside(beneath, inside)) => (beneath, inside),
            // In `.claude` of another working tree of the repository.
            Some(Below::Elsewhere(path)) => match path.ancestors().nth(2) {
                Some(tree) => (Beneath::new(tree), path),
                None => return StatusFile::Missing,
            },
            None => return StatusFile::Missing,
        };
        let what = match beneath.look(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return StatusFile::Missing,
            Err(error) => error.to_string(),
            Ok(seen) if seen.kind == EntryKind::Link => "it is a link".to_owned(),
            Ok(seen) if seen.kind != EntryKind::File => "it is no plain file".to_owned(),
            Ok(_) => match beneath.read(&path, MAX_STATUS_BYTES).map(String::from_utf8) {
                Ok(Ok(text)) => return StatusFile::Text(text),
                Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                    format!("it is larger than {MAX_STATUS_BYTES} bytes")
                }
                _ => "it cannot be read as text".to_owned(),
            },
        };
        StatusFile::Unreadable(what)
    }

    fn origin(&self, path: &str) -> Origin {
        // What a replay wrote itself is of the session that it replays.
        if self.is_past() {
            return Origin { of_session: true, began: Some(i64::MIN), ..Origin::default() };
        }
        let trail = evidence::trail(self.document().and_then(|document| document.section_raw(section::TRAIL)));
        evidence::origin(Path::new(path), trail.as_ref())
    }

    fn kept(&self, path: &str, text: &str) -> Kept {
        evidence::kept(Path::new(path), text, self.run.system)
    }

    fn asked(&self) -> bool {
        let trail = self.document().and_then(|document| document.section_raw(section::TRAIL));
        evidence::trail(trail).is_some_and(|trail| trail.asked)
    }

    fn standing(&self) -> Standing {
        // What stood in the settings of that day is not known.
        if self.is_past() {
            return Standing::Unknown;
        }
        let kept = self.document().and_then(|document| document.section_raw(section::ENTRY));
        let started = || self.document()?.activity().started.clone();
        presence::standing(&self.run.event, self.run.project.as_ref(), &owed::stood(kept), started, self.run.system)
    }

    fn entry_notice(&self) -> bool {
        owed::is_due(self.document().and_then(|document| document.section_raw(section::ENTRY)))
    }

    fn orders(&self) -> Orders {
        let document = self.store().and_then(|store| store.read_project().ok()?);
        section::read(document.as_ref().and_then(|document| document.section_raw(section::ORDERS)))
    }

    fn routing(&self) -> Routing {
        section::read(self.document().and_then(|document| document.section_raw(section::ROUTING)))
    }

    fn registered(&self) -> hook_policy::registry::Session {
        registry::session(self.document().and_then(|document| document.section_raw(section::REGISTRY)), self.run.system)
    }

    fn workers(&self, conversation: &str) -> Result<hook_policy::registry::Workers, Unanswered> {
        registry::workers(self.run.system, conversation).map_err(|error| Unanswered(error.to_string()))
    }

    fn contact_tags(&self, file: &str, address: &str) -> Result<Vec<String>, Unanswered> {
        contacts::tags(file, address, self.run.system).map_err(|error| Unanswered(error.to_string()))
    }

    fn image_size(&self, path: &str) -> Option<(u32, u32)> {
        image::size(Path::new(path))
    }

    fn last_answer(&self, transcript: &str) -> Option<String> {
        context::last_answer(transcript)
    }

    fn reading(&self, path: &str) -> FileText {
        let here = self.working_dir();
        let root = self.root();
        // A session that went elsewhere has its files there.
        include::reading(&here.join(path), if here.starts_with(&root) { &root } else { &here })
    }

    fn role_includes(&self, dir: &str, name: &str) -> RoleIncludes {
        include::role_includes(&self.root(), dir, name)
    }

    fn included(&self, entry: &str, roots: &[String]) -> IncludedFile {
        let system = self.run.system;
        let own = || {
            let named = system.var("PROJECT_PATH").map(PathBuf::from);
            include::Roots::new(self.root(), named, system.switched("PROJECT_PATH").is_some())
        };
        self.roots.get_or_init(own).included(entry, roots)
    }

    fn context_use(&self, transcript: &str) -> ContextUse {
        context::used(transcript, self.document().and_then(|document| document.section_raw(context::SECTION)))
    }

    fn sane(&self) -> sane::State {
        let read = || {
            let project = self.run.project.as_ref()?;
            Some(signed::read(project, &self.run.session, self.run.system))
        };
        self.sane.get_or_init(|| read().unwrap_or_default()).clone()
    }

    fn line_count(&self, path: &str) -> Option<u64> {
        count_lines(match self.below(path)? {
            Below::Inside(beneath, path) => beneath.to_read_linked(&path),
            Below::Elsewhere(path) => open::foreign(&path),
        })
    }

    fn session_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.run.session.as_str())
    }

    fn file_info(&self, path: &str) -> Option<FileInfo> {
        let file = match self.below(path)? {
            Below::Inside(beneath, path) => beneath.to_read_linked(&path),
            Below::Elsewhere(path) => open::foreign(&path),
        };
        let metadata = file.and_then(|file| file.metadata()).ok().filter(std::fs::Metadata::is_file)?;
        let since = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(FileInfo { modified: i64::try_from(since.as_secs()).unwrap_or(i64::MAX), bytes: metadata.len() })
    }

    fn runs_nothing_else(&self, programs: &[String]) -> bool {
        let project = self.run.project.as_ref();
        project.is_some_and(|project| turned::run_nothing_else(programs, &self.working_dir(), project, self.run.system))
    }

    fn starts_programs(&self, root: &str) -> bool {
        self.run.project.as_ref().is_some_and(|project| consent::is_trusted(Path::new(root), project, self.run))
    }

    fn number_of_env(&self, name: &str) -> Option<u32> {
        self.run.system.switched(name)?.trim().parse().ok()
    }

    fn worktree(&self) -> Option<Worktree> {
        let look = || {
            let root = self.run.project.as_ref().filter(|_| self.run.may.sees_present)?.root();
            let repository = self.repository(root.to_str()?)?;
            tree::worktree(root, &repository, self.run.system)
        };
        self.worktree.get_or_init(look).clone()
    }

    fn churn_since(&self, epoch: i64) -> Option<Churn> {
        let root = self.run.project.as_ref().filter(|_| self.run.may.sees_present)?.root();
        let repository = self.repository(root.to_str()?)?;
        if !repository.has_commits {
            return None;
        }
        tree::churn(root, epoch, self.run.system)
    }

    fn each_source(&self, dirs: &[&str], see: &mut dyn FnMut(&str, &str)) {
        // Reading all sources again at each stop of a long past would take hours, and they are not what they were.
        if let Some(project) = self.run.project.as_ref().filter(|_| self.run.may.sees_present) {
            tree::each_source(project.root(), dirs, see);
        }
    }

    fn project_dir_names(&self, path: &str) -> Option<Vec<String>> {
        let (beneath, path) = match self.below(path)? {
            Below::Inside(beneath, path) => (beneath, path),
            Below::Elsewhere(path) => (Beneath::new(path), PathBuf::new()),
        };
        let names = beneath.names(&path, MAX_NAMES).ok()?;
        Some(names.into_iter().filter_map(|name| name.into_string().ok()).collect())
    }
}

/// The text of a plain file of at most 1 MiB.
pub fn read_small(path: &Path) -> Option<String> {
    open::text(path, MAX_FILE_BYTES)
}

/// The lines of a plain file; of one that is larger than a source file can be, those at its beginning.
fn count_lines(file: std::io::Result<File>) -> Option<u64> {
    const BLOCK: usize = 64 << 10;

    let mut file = file.ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    let mut block = vec![0; BLOCK];
    let mut read = 0;
    let mut count = 0;
    let mut last = b'\n';
    while read < MAX_COUNTED_BYTES {
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(bytes) => {
                let part = block.get(..bytes).unwrap_or_default();
                count += part.split(|byte| *byte == b'\n').skip(1).count() as u64;
                last = part.last().copied().unwrap_or(last);
                read += bytes;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    Some(count + u64::from(last != b'\n'))
}

/// The profile's order of identity sources as the store names them.
pub fn id_order(order: &[IdSource], host: &Host) -> Vec<hook_session_state::IdSource> {
    order
        .iter()
        .map(|source| match source {
            IdSource::Payload => hook_session_state::IdSource::Stdin,
            IdSource::ClientEnv => hook_session_state::IdSource::Env(host.variables.session_id),
            IdSource::WrapperEnv => hook_session_state::IdSource::Env("CLAUDE_SESSION_ID"),
        })
        .collect()
}
