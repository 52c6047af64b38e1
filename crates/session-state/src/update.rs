//! One update of one session: lock, load, change, save.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use crate::document::SessionDocument;
use crate::error::Error;
use crate::id::SessionId;
use crate::locked::Locked;
use crate::section::activity::Activity;
use crate::seen::Kind;
use crate::store::{Store, view_name};
use crate::text::Text;

/// The file that a call worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Touch<'t> {
    /// None that counts.
    Nothing,
    /// It read the file at this path.
    Read(&'t str),
    /// It wrote the file at this path.
    Write(&'t str),
}

/// A session's document while it is changed, with the lock held; it derefs to [`SessionDocument`].
#[derive(Debug)]
pub struct Update<'u, 's> {
    locked: &'u mut Locked<'s>,
    document: SessionDocument,
    existed: bool,
    damaged: Option<PathBuf>,
    views: Vec<(String, Text<'static>)>,
}

impl Store {
    /// Changes a session's document under the lock: loads it, lets `change` work on it, and saves it where that says `Ok`. On an error
    /// the document and what it counted stay as they were. An error of your own goes through [`Error::other`].
    ///
    /// ```
    /// use hook_session_state::{SessionId, Store, Touch, view};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir()?;
    /// let store = Store::new(directory.path().join("state"));
    /// let id = SessionId::from_raw("loop-1");
    /// store.update(&id, |session| {
    ///     session.acted("toolu_01", "Read", Touch::Read("/src/main.rs"))?;
    ///     session.view("session.json", view::session_json(session.activity()).to_string())
    /// })?;
    /// assert_eq!(store.read_session(&id)?.ok_or("saved above")?.activity().action_count, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn update<T>(
        &self,
        id: &SessionId,
        change: impl FnOnce(&mut Update<'_, '_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut locked = self.lock()?;
        let loaded = locked.session(id)?;
        let mut update = Update {
            locked: &mut locked,
            document: loaded.value,
            existed: loaded.existed,
            damaged: loaded.damaged,
            views: Vec::new(),
        };
        let result = change(&mut update)?;
        let Update { document, views, .. } = update;
        locked.save(&document)?;
        views.into_iter().try_for_each(|(name, text)| locked.write_view(&name, text))?;
        Ok(result)
    }
}

impl Update<'_, '_> {
    /// Whether there was a document that could be read.
    pub fn existed(&self) -> bool {
        self.existed
    }

    /// Where a damaged document was put. The caller should tell the user.
    pub fn damaged(&self) -> Option<&Path> {
        self.damaged.as_deref()
    }

    /// Counts a call that has succeeded, with the file that it worked on. `false` for a call of this id that was counted before: then
    /// nothing changes.
    pub fn acted(&mut self, call: &str, tool: &str, touch: Touch<'_>) -> Result<bool, Error> {
        self.count(call, tool, "success", touch)
    }

    /// The same of a call that has failed.
    pub fn failed(&mut self, call: &str, tool: &str, touch: Touch<'_>) -> Result<bool, Error> {
        self.count(call, tool, "failure", touch)
    }

    fn count(&mut self, call: &str, tool: &str, result: &str, touch: Touch<'_>) -> Result<bool, Error> {
        if !self.first_time(Kind::Event, call)? {
            return Ok(false);
        }
        let (kind, file) = match touch {
            Touch::Nothing => (None, None),
            Touch::Read(file) => (Some(Kind::Read), Some(file)),
            Touch::Write(file) => (Some(Kind::Write), Some(file)),
        };
        let new = match kind.zip(file) {
            Some((kind, file)) => self.first_time(kind, file)?,
            None => false,
        };
        let activity = self.document.activity_mut();
        activity.action_count = activity.action_count.saturating_add(1);
        activity.last_tool = Some(tool.to_owned());
        activity.last_result = Some(result.to_owned());
        activity.last_file = file.map(str::to_owned);
        match touch {
            Touch::Read(file) if new => activity.files_read.push(file),
            Touch::Write(file) if new => activity.files_written.push(file),
            _ => {}
        }
        Ok(true)
    }

    /// Whether the session meets this call or file for the first time; see [`Locked::first_time`].
    pub fn first_time(&mut self, kind: Kind, key: &str) -> Result<bool, Error> {
        self.locked.first_time(self.document.id(), kind, key)
    }

    /// Begins the session again: this activity, and no call and no file that counts as known. Other sections stay.
    pub fn begin_anew(&mut self, activity: Activity) -> Result<(), Error> {
        self.locked.forget(self.document.id())?;
        self.document.set_activity(activity);
        Ok(())
    }

    /// Writes a view once the document is saved; see [`Locked::write_view`].
    pub fn view(&mut self, name: &str, text: impl Into<Text<'static>>) -> Result<(), Error> {
        view_name(name)?;
        self.views.push((name.to_owned(), text.into()));
        Ok(())
    }
}

impl Deref for Update<'_, '_> {
    type Target = SessionDocument;

    fn deref(&self) -> &SessionDocument {
        &self.document
    }
}

impl DerefMut for Update<'_, '_> {
    fn deref_mut(&mut self) -> &mut SessionDocument {
        &mut self.document
    }
}
