//! Events that an agent loop of one's own makes.

use super::{Body, Event, PreToolUse, SessionSource, SessionStart, Stop, UserPromptSubmit};
use crate::raw::Raw;

impl Event<'static> {
    /// A shell command is about to run in the working directory `cwd`.
    ///
    /// ```
    /// use hook_protocol::Event;
    ///
    /// let event = Event::shell("ls -l", "/home/me/project").in_session("loop-1");
    /// assert_eq!(event.tool().unwrap().command().unwrap(), "ls -l");
    /// ```
    pub fn shell(command: &str, cwd: &str) -> Self {
        Self::call(PreToolUse::bash(command), cwd)
    }

    /// A file is about to be read.
    pub fn read(path: &str, cwd: &str) -> Self {
        Self::call(PreToolUse::file_call("Read", path, None), cwd)
    }

    /// A whole file is about to be written.
    pub fn write(path: &str, content: &str, cwd: &str) -> Self {
        Self::call(PreToolUse::file_call("Write", path, Some(content)), cwd)
    }

    /// A new session begins.
    ///
    /// ```
    /// use hook_protocol::Event;
    ///
    /// let project = "/home/me/project";
    /// let turn = [Event::session_start(project), Event::prompt("Fix the parser", project), Event::stop(project)];
    /// assert!(turn.iter().all(|event| event.tool().is_none()));
    /// ```
    pub fn session_start(cwd: &str) -> Self {
        Self::of(SessionStart { source: Some(SessionSource::Startup), ..SessionStart::default() }.into(), cwd)
    }

    /// The user has said this.
    pub fn prompt(text: &str, cwd: &str) -> Self {
        Self::of(UserPromptSubmit { prompt: Some(text.to_owned().into()), ..UserPromptSubmit::default() }.into(), cwd)
    }

    /// The agent is about to end its turn.
    pub fn stop(cwd: &str) -> Self {
        Self::of(Stop { stop_hook_active: Some(false), ..Stop::default() }.into(), cwd)
    }

    fn call(body: PreToolUse<'static>, cwd: &str) -> Self {
        Self::of(body.into(), cwd)
    }

    fn of(body: Body<'static>, cwd: &str) -> Self {
        let mut event = Self { body, ..Self::default() };
        event.common.cwd = Some(cwd.to_owned().into());
        event
    }
}

impl Event<'_> {
    /// The same event in the session of this name.
    #[must_use]
    pub fn in_session(mut self, id: &str) -> Self {
        self.common.session_id = Some(id.to_owned().into());
        self
    }

    /// The same call by its number, so that what is told of it twice counts once. Events without a call stay as they are.
    #[must_use]
    pub fn with_call_id(mut self, id: &str) -> Self {
        let place = match &mut self.body {
            Body::PreToolUse(call) => &mut call.tool_use_id,
            Body::PostToolUse(call) => &mut call.tool_use_id,
            Body::PostToolUseFailure(call) => &mut call.tool_use_id,
            Body::PermissionDenied(call) => &mut call.tool_use_id,
            Body::PreSkillShellCommand(call) => &mut call.tool_use_id,
            _ => return self,
        };
        *place = Some(id.to_owned().into());
        self
    }

    /// The end of a call that is about to run: it has run, and this is its output. Other events stay as they are.
    ///
    /// ```
    /// use hook_protocol::Event;
    /// use hook_protocol::event::EventName;
    ///
    /// let done = Event::shell("ls", "/home/me/project").with_call_id("1").done("a.txt");
    /// assert_eq!(done.name(), EventName::PostToolUse);
    /// assert_eq!(done.tool().unwrap().command().unwrap(), "ls");
    /// ```
    #[must_use]
    pub fn done(self, output: &str) -> Self {
        let Self { common, body: Body::PreToolUse(call), extra } = self else { return self };
        let body = super::PostToolUse {
            tool_name: call.tool_name,
            tool_input: call.tool_input,
            tool_use_id: call.tool_use_id,
            mcp_server: call.mcp_server,
            tool_response: Raw::from_value(output).ok(),
            ..super::PostToolUse::default()
        };
        Self { common, body: body.into(), extra }
    }

    /// The end of a call that is about to run: it has failed. Other events stay as they are.
    #[must_use]
    pub fn failed(self, error: &str) -> Self {
        let Self { common, body: Body::PreToolUse(call), extra } = self else { return self };
        let body = super::PostToolUseFailure {
            tool_name: call.tool_name,
            tool_input: call.tool_input,
            tool_use_id: call.tool_use_id,
            mcp_server: call.mcp_server,
            error: Some(error.to_owned().into()),
            ..super::PostToolUseFailure::default()
        };
        Self { common, body: body.into(), extra }
    }
}

impl Event<'_> {
    /// The call of the event as one that is about to run, for whoever asks whether it may. `None` where the event is about no call.
    ///
    /// A payload with an unknown name, or without any, is about a call where it names a tool.
    ///
    /// ```
    /// use hook_protocol::Event;
    /// use hook_protocol::event::EventName;
    ///
    /// let call = Event::parse(r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#)?.as_call().unwrap();
    /// assert_eq!(call.name(), EventName::PreToolUse);
    /// assert_eq!(call.tool().unwrap().command().unwrap(), "ls");
    /// # Ok::<(), hook_protocol::ParseError>(())
    /// ```
    pub fn as_call(&self) -> Option<Self> {
        let mut extra = self.extra.clone();
        let body = match &self.body {
            Body::PreToolUse(call) => call.clone(),
            Body::Other(_) => {
                let call = PreToolUse::pick(&mut extra);
                extra.drop_taken();
                call
            }
            _ => {
                let (name, input, _, server) = self.call_parts()?;
                PreToolUse {
                    tool_name: name.clone(),
                    tool_input: input.clone(),
                    mcp_server: server.cloned(),
                    ..PreToolUse::default()
                }
            }
        };
        let call = Self { common: self.common.clone(), body: body.into(), extra };
        call.tool().is_some().then_some(call)
    }
}
