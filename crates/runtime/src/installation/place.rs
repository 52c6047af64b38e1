//! Where an installation goes: settings file, configuration, executable, records.

use std::path::{Path, PathBuf};

use hook_protocol::settings::OwnEntry;
use hook_protocol::settings::edit::{HandlerView, command_words, find, runs_hookbin};
use serde::Serialize;

use crate::Error;
use crate::config::cache;
use crate::config::settings::{self, Form};
use crate::error::Context as _;
use crate::event::args::USER_MARK;
use crate::project::places;
use crate::project::{EXECUTABLE, Project};
use crate::system::System;
use crate::system::files::{self, Spot, real};

/// What the host puts in for the directory that it was started in.
const PROJECT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

/// Which settings file is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// `.claude/settings.json`, which a team shares.
    Project,
    /// `.claude/settings.local.json`, of one user in one project.
    Local,
    /// `settings.json` of the host's own directory, for all projects of a user.
    User,
}

impl Scope {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Local => "local",
            Self::User => "user",
        }
    }

    /// The name of the note that an installation of this scope leaves.
    pub fn note_name(self) -> &'static str {
        match self {
            Self::Local => "local.json",
            Self::Project => "project.json",
            Self::User => "install.json",
        }
    }
}

/// The files of one installation.
#[derive(Debug, Clone)]
pub struct Place {
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    pub settings: PathBuf,
    /// The configuration.
    pub config: PathBuf,
    /// The directory of copies of the settings; in a project that of its records too.
    pub own: PathBuf,
    /// The executable.
    pub executable: PathBuf,
    /// What is recorded: the directories of state and log, and the page that a report made of them.
    pub records: Vec<PathBuf>,
    /// The project; none for the scope of a user.
    pub project: Option<Project>,
    /// A directory that is there in any case and whose lock keeps two installations apart.
    pub lock: PathBuf,
    /// Where the installation's own note lies.
    pub note: PathBuf,
    /// Where earlier versions left it, beside the executable.
    pub old_note: Option<PathBuf>,
    /// The file that says that the user took the entries out.
    pub mark: Option<PathBuf>,
    /// Further directories that are ours alone, outermost first.
    pub further: Vec<PathBuf>,
    form: Form,
}

impl Place {
    /// The place in a project.
    pub fn in_project(scope: Scope, root: &Path, system: &System) -> Result<Self, Error> {
        let project = Project::at(root);
        // Without a home directory the note lies beside the executable, as it did in earlier versions.
        let old_note = project.own().join("install.json");
        let note = places::note(scope, &project, system).unwrap_or_else(|| old_note.clone());
        let state = system.state_dir().filter(|state| note.starts_with(state));
        let further = state.iter().flat_map(|state| [state.clone(), state.join("projects")]);
        let further = further.chain(note.parent().filter(|_| state.is_some()).map(Path::to_owned));
        // Whatever lies in a project, a branch can bring; so the executable is the user's.
        let data = Self::of_user(system).ok().map(|user| user.own);
        let executable = data.as_ref().map_or_else(|| project.executable(), |data| data.join(EXECUTABLE));
        let further = further.chain(data).collect();
        let place = Self {
            scope: Scope::Project,
            settings: root.join(".claude/settings.json"),
            config: project.config(),
            own: project.own(),
            executable,
            records: vec![project.state(), project.log(), project.page()],
            mark: places::uninstalled_mark(Scope::Project, Some(&project), system),
            lock: root.to_owned(),
            form: Form::of_project(),
            old_note: Some(old_note),
            project: Some(project),
            further,
            note,
        };
        if scope == Scope::Project { Ok(place) } else { place.of_one_person(system) }
    }

    /// The same in the settings of one user, who has the executable and the configuration outside the project.
    fn of_one_person(self, system: &System) -> Result<Self, Error> {
        let user = Self::of_user(system)?;
        let config = self.project.as_ref().and_then(|project| places::person_config(project, system));
        let mark = places::uninstalled_mark(Scope::Local, self.project.as_ref(), system);
        Ok(Self {
            scope: Scope::Local,
            settings: self.settings.with_file_name("settings.local.json"),
            config: config.unwrap_or(user.config),
            form: user.form.in_one_project(),
            executable: user.executable,
            mark,
            // What an earlier version noted is about the executable and the configuration in the project.
            old_note: None,
            ..self
        })
    }

    /// The place of a user: the host's own settings, and the XDG directories.
    pub fn of_user(system: &System) -> Result<Self, Error> {
        let unknown = || Error::wrong_use("there is no home directory to install into; set HOME".to_owned());
        // Whoever installs for a user says for whom; the account that happens to run this may be another's.
        let lock = system.named_home().ok_or_else(unknown)?;
        let own = system.data_dir().ok_or_else(unknown)?;
        let executable = own.join(EXECUTABLE);
        let command = executable
            .to_str()
            .context("the path of the home directory is no Unicode text, which settings cannot hold")?;
        Ok(Self {
            scope: Scope::User,
            settings: system.client_dir().ok_or_else(unknown)?.join("settings.json"),
            config: system.user_config().ok_or_else(unknown)?,
            records: vec![system.state_dir().ok_or_else(unknown)?.join("projects")],
            lock,
            form: Form::of_user(command, cfg!(windows)),
            project: None,
            note: own.join(Scope::User.note_name()),
            old_note: None,
            mark: places::uninstalled_mark(Scope::User, None, system),
            further: Vec::new(),
            executable,
            own,
        })
    }

    /// What the entries of a user's own settings have in common.
    pub fn form_of(scope: Scope, system: &System) -> Result<Form, Error> {
        let form = Self::of_user(system)?.form;
        Ok(if scope == Scope::Local { form.in_one_project() } else { form })
    }

    /// The directories that are ours alone: of the executable, and of a user's records.
    pub fn dirs(&self) -> impl Iterator<Item = &Path> {
        let records = self.records.iter().filter(|_| self.project.is_none()).filter_map(|dir| dir.parent());
        [self.own.as_path()].into_iter().chain(records).chain(self.further.iter().map(PathBuf::as_path))
    }

    /// The directories in which an installation replaces files, and in which an interrupted one may have left some.
    pub fn written_dirs(&self) -> Vec<PathBuf> {
        let mut dirs = Vec::new();
        for file in [&self.settings, &self.config] {
            // A file that is a link is written where it really lies.
            dirs.extend([file.as_path(), &real(file)].into_iter().filter_map(Path::parent).map(Path::to_owned));
        }
        dirs.extend([self.own.clone(), self.own.join("backup")]);
        let mut seen = std::collections::BTreeSet::new();
        dirs.retain(|dir| seen.insert(real(dir)));
        dirs
    }

    /// The ground of a file: what lies in a project's own directories is reached without following a link. Settings that are a link are the
    /// user's, or were refused by then.
    pub fn spot(&self, path: &Path) -> Spot {
        let root = self.project.as_ref().map(Project::root);
        let inside = root.filter(|root| path.starts_with(root.join(".claude")));
        let is_theirs = path == self.settings && path.is_symlink() && !path.parent().is_some_and(Path::is_symlink);
        match inside.filter(|_| !is_theirs) {
            Some(root) => Spot::below(root, path),
            None => Spot::from(path),
        }
    }

    /// The command that installs here again.
    pub fn command(&self) -> String {
        let root =
            self.project.as_ref().map(|project| shell_quote(&project.root().to_string_lossy())).unwrap_or_default();
        match self.scope {
            Scope::Project => format!("hookbin install --project {root} --scope project"),
            Scope::Local => format!("hookbin install --project {root} --scope local"),
            Scope::User => "hookbin install --user".to_owned(),
        }
    }

    /// The place of the other settings file of the same project.
    pub fn sibling(&self, system: &System) -> Option<Self> {
        let root = self.project.as_ref()?.root();
        let scope = if self.scope == Scope::Local { Scope::Project } else { Scope::Local };
        Self::in_project(scope, root, system).ok()
    }

    /// Whether entries in these settings start a copy of the executable in the project, as those of earlier versions do.
    pub fn starts_projects(&self) -> Result<bool, Error> {
        let Some(text) = files::read(self.spot(&self.settings))? else { return Ok(false) };
        let is_projects = |entry: &HandlerView<'_>| {
            self.owns(entry) && entry.command.is_some_and(|command| command.contains(settings::PROJECT_PLACE))
        };
        Ok(find(&text, &is_projects).is_ok_and(|found| !found.is_empty()))
    }

    /// Whether an entry of ours stands in the settings. A file that cannot be read as settings starts nothing.
    pub fn is_registered(&self) -> Result<bool, Error> {
        let Some(text) = files::read(self.spot(&self.settings))? else { return Ok(false) };
        Ok(find(&text, &|entry| self.owns(entry)).is_ok_and(|found| !found.is_empty()))
    }

    /// The entries that belong into the settings, for these profiles or else for those of the configuration.
    ///
    /// Entries that are strict in `present` stay so: an upgrade that nobody watches must not make them laxer.
    pub fn entries(
        &self,
        profiles: Option<&[String]>,
        strict: bool,
        present: Option<&str>,
        system: &System,
    ) -> Vec<OwnEntry> {
        let force = cache::resolve_now(profiles, self.project.as_ref(), system);
        let found = present.and_then(|text| find(text, &|entry| self.owns(entry)).ok()).unwrap_or_default();
        let strict = strict || found.iter().any(|entry| entry.blocks_on_failure);
        settings::entries(&force.profile, &Form { strict, ..self.form.clone() })
    }

    /// Whether an entry of ours is one of this place. In the home directory a user's settings are a project's as well, and each
    /// installation there has entries of its own.
    pub fn owns(&self, entry: &HandlerView<'_>) -> bool {
        let args = entry.args.map_or_else(|| entry.command.map(command_words).unwrap_or_default(), <[String]>::to_vec);
        let is_user_wide = args.iter().any(|arg| arg == USER_MARK);
        let is_projects = entry.command.is_some_and(|command| command.contains(PROJECT_VARIABLE));
        runs_hookbin(entry)
            && match self.scope {
                Scope::User => is_user_wide || !is_projects,
                Scope::Project | Scope::Local => !is_user_wide,
            }
    }
}

/// A path as one word of a shell, for a command that a user copies.
pub fn shell_quote(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%=".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}
