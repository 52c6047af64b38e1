//! A made session: its events go through the installed executable, and the host's transcript of it is kept beside them.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

pub(crate) const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// Writes a transcript as the host does, and fires the hook where the host would.
pub(crate) struct Recorder<'s> {
    sandbox: &'s Sandbox,
    /// Without it only the transcript is written.
    live: bool,
    pub(crate) lines: Vec<Value>,
    seconds: u64,
    calls: u64,
}

impl<'s> Recorder<'s> {
    pub(crate) fn live(sandbox: &'s Sandbox) -> Self {
        Self { sandbox, live: true, lines: Vec::new(), seconds: 0, calls: 0 }
    }

    pub(crate) fn silent(sandbox: &'s Sandbox) -> Self {
        Self { live: false, ..Self::live(sandbox) }
    }

    fn now(&mut self) -> String {
        self.seconds += 1;
        format!("2026-11-01T10:{:02}:{:02}.000Z", self.seconds / 60, self.seconds % 60)
    }

    fn hook(&self, time: &str, event: &str, more: &Value) -> Option<Ran> {
        let mut payload = json!({"session_id": SESSION, "cwd": self.sandbox.project(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let now = [("HOOKBIN_NOW", time)];
        self.live.then(|| self.sandbox.hook_with(&[event], payload.to_string().as_bytes(), &now))
    }

    /// One line of the transcript; `more` outranks the common members.
    pub(crate) fn line(&mut self, time: &str, kind: &str, more: Value) {
        let mut line = json!({"type": kind, "uuid": format!("line-{}", self.lines.len()), "sessionId": SESSION, "timestamp": time,
            "cwd": self.sandbox.project(), "version": "2.1.300", "gitBranch": "feature/x", "isSidechain": false});
        let Value::Object(more) = more else { panic!("a line is an object") };
        line.as_object_mut().unwrap().extend(more);
        self.lines.push(line);
    }

    pub(crate) fn start(&mut self) {
        let time = self.now();
        self.hook(&time, "SessionStart", &json!({"source": "startup"}));
    }

    pub(crate) fn prompt(&mut self, text: &str) {
        let time = self.now();
        self.hook(&time, "UserPromptSubmit", &json!({"prompt": text, "permission_mode": "default"}));
        self.line(&time, "user", json!({"message": {"role": "user", "content": text}, "permissionMode": "default"}));
    }

    /// A call that runs, unless the hook refuses it.
    pub(crate) fn call(&mut self, tool: &str, input: &Value) -> Option<Ran> {
        self.ends(tool, input, None)
    }

    /// A call that fails with these words, unless the hook refuses it.
    pub(crate) fn fails(&mut self, tool: &str, input: &Value, error: &str) -> Option<Ran> {
        self.ends(tool, input, Some(error))
    }

    pub(crate) fn bash(&mut self, command: &str) -> Option<Ran> {
        self.call("Bash", &json!({"command": command}))
    }

    /// Only the beginning of a call.
    pub(crate) fn begin(&mut self, tool: &str, input: &Value) -> (String, Option<Ran>) {
        self.calls += 1;
        let id = format!("toolu_{:04}", self.calls);
        let time = self.now();
        let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "permission_mode": "default"});
        let answer = self.hook(&time, "PreToolUse", &call);
        let block = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        self.line(
            &time,
            "assistant",
            json!({"message": {"id": format!("msg_{}", self.calls), "role": "assistant",
            "model": "claude-test", "stop_reason": "tool_use", "content": [block]}}),
        );
        (id, answer)
    }

    /// The result of a call, without an event.
    pub(crate) fn result(&mut self, id: &str, is_error: bool, text: &str) {
        let time = self.now();
        let block = json!({"type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": text});
        self.line(&time, "user", json!({"message": {"role": "user", "content": [block]}}));
    }

    fn ends(&mut self, tool: &str, input: &Value, error: Option<&str>) -> Option<Ran> {
        let (id, answer) = self.begin(tool, input);
        if let Some(refused) = answer.as_ref().filter(|ran| ran.code == Some(2)) {
            let said = format!("PreToolUse:{tool} hook error: {}", refused.stderr.trim_end());
            self.result(&id, true, &said);
            return answer;
        }
        let mut after =
            json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "permission_mode": "default"});
        let time = self.now();
        if let Some(error) = error {
            after["error"] = json!(error);
            self.hook(&time, "PostToolUseFailure", &after);
            self.result(&id, true, error);
        } else {
            let response = json!({"stdout": "done", "stderr": ""});
            after["tool_response"] = response.clone();
            self.hook(&time, "PostToolUse", &after);
            let block = json!({"type": "tool_result", "tool_use_id": id, "content": "done"});
            self.line(
                &time,
                "user",
                json!({"message": {"role": "user", "content": [block]}, "toolUseResult": response}),
            );
        }
        answer
    }

    pub(crate) fn stop(&mut self, text: &str) {
        let time = self.now();
        self.hook(
            &time,
            "Stop",
            &json!({"stop_hook_active": false, "last_assistant_message": text, "permission_mode": "default"}),
        );
        self.line(
            &time,
            "assistant",
            json!({"message": {"id": format!("msg_stop_{time}"), "role": "assistant", "model": "claude-test",
            "stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}}),
        );
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
    }

    /// Keeps the transcript outside the project, as the host does.
    pub(crate) fn save(&self, name: &str) -> String {
        let path = self.sandbox.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, self.text()).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// A session that every profile has something to say about.
pub(crate) fn busy(recorder: &mut Recorder<'_>) {
    let file = recorder.sandbox.path("src/a.rs").to_str().unwrap().to_owned();
    recorder.start();
    recorder.prompt("refactor the parser and migrate the database schema of all services");
    for part in ["one", "two", "three", "four"] {
        recorder.bash(&format!("cargo test -p {part}"));
    }
    for command in ["git log --oneline -n 3", "git log -p src/a.rs", "git log"] {
        recorder.bash(command);
    }
    for command in ["rm -rf /", "git push --force origin main", "git reset --hard HEAD~3"] {
        recorder.bash(command);
    }
    recorder.call("Write", &json!({"file_path": file, "content": "fn main() {}\n"}));
    for old in ["a", "b", "c", "d"] {
        let edit = json!({"file_path": file, "old_string": old, "new_string": "y"});
        recorder.fails("Edit", &edit, "String to replace not found in file.");
    }
    recorder.call("Read", &json!({"file_path": file}));
    recorder.call("Grep", &json!({"pattern": "main", "path": recorder.sandbox.project()}));
    recorder.call("WebSearch", &json!({"query": "parser refactoring"}));
    recorder.call("Edit", &json!({"file_path": file, "old_string": "main", "new_string": "start"}));
    recorder.bash("git commit -m wip");
    recorder.stop("done");
    recorder.prompt("yes");
    recorder.bash("cat .env");
    recorder.stop("ok");
}
