//! What the host gives to the program of its status line: the session, the model, and how full the context is.

use crate::error::ParseError;
use crate::field::record;
use crate::raw::{Fields, Raw, Text};
use crate::transcript::Usage;

record! {
    /// One state of the status line. Like an event it decodes nothing but the outermost object, and nothing in it can fail.
    StatusLine {
        /// The session.
        session_id: Text<'a>,
        /// Absolute path of the transcript.
        transcript_path: Text<'a>,
        /// The working directory.
        cwd: Text<'a>,
        /// The model.
        model: StatusModel<'a>,
        /// The directories of the session.
        workspace: Workspace<'a>,
        /// The context window.
        context_window: ContextWindow<'a>,
    }
}

record! {
    /// A model.
    StatusModel {
        /// Its id.
        id: Text<'a>,
        /// Its name for people.
        display_name: Text<'a>,
    }
}

record! {
    /// The directories of a session.
    Workspace {
        /// The working directory.
        current_dir: Text<'a>,
        /// The directory that the host was started in.
        project_dir: Text<'a>,
    }
}

record! {
    /// A context window.
    ContextWindow {
        /// Its size in tokens.
        context_window_size: u64,
        /// How much of it is in use, in percent; `null` before the first answer and after a compaction.
        used_percentage: f64,
        /// The tokens of the last request; `null` before the first. See [`Usage::from_raw`].
        current_usage: Raw<'a>,
    }
}

impl<'a> StatusLine<'a> {
    /// Reads what the host sent. Only text that is not one JSON object fails.
    pub fn parse(text: &'a str) -> Result<Self, ParseError> {
        Fields::parse(text).map(Self::from_fields)
    }

    /// The directory that the host was started in, else the working directory.
    pub fn dir(&self) -> Option<&Text<'a>> {
        let workspace = self.workspace.as_ref();
        let dirs = [workspace.and_then(|w| w.project_dir.as_ref()), workspace.and_then(|w| w.current_dir.as_ref())];
        dirs.into_iter().flatten().chain(self.cwd.as_ref()).find(|dir| !dir.is_empty())
    }

    /// How much of the context window is in use, in whole percent, cut off, 0 to 100; `None` while the host does not know.
    ///
    /// ```
    /// use hook_protocol::status_line::StatusLine;
    /// let line = StatusLine::parse(r#"{"context_window":{"used_percentage":63.9}}"#)?;
    /// assert_eq!(line.used_percent(), Some(63));
    /// # Ok::<(), hook_protocol::ParseError>(())
    /// ```
    pub fn used_percent(&self) -> Option<u8> {
        let window = self.context_window.as_ref()?;
        if let Some(percent) = window.used_percentage {
            return (0..=100_u8).rev().find(|whole| f64::from(*whole) <= percent).or(Some(0));
        }
        let size = window.context_window_size.filter(|size| *size > 0)?;
        let used = Usage::from_raw(window.current_usage.as_ref()?)?.context_tokens();
        u8::try_from((used.saturating_mul(100) / size).min(100)).ok()
    }
}
