//! The stub model: a loopback HTTP server that answers by script and keeps what it was sent.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use tiny_http::{Header, Method, Request, Response, Server};

use super::scenario::{Agent, Turn};

/// Threads that answer: a client with subagents has several requests open at once.
const WORKERS: usize = 8;

/// The longest request that is read, in bytes.
const MAX_BODY: u64 = 64 << 20;

/// The text of every compaction that the client asks for.
pub(crate) const SUMMARY: &str = "<summary>The stub's summary.</summary>";

/// A running server; it stops when dropped.
pub(crate) struct Stub {
    server: Arc<Server>,
    pub(crate) port: u16,
    shared: Arc<Mutex<Shared>>,
}

/// What the server knows.
#[derive(Default)]
struct Shared {
    turns: Vec<Turn>,
    next: usize,
    agents: Vec<(Agent, usize)>,
    sent: Vec<Sent>,
    answers: usize,
}

/// What a request was for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The main conversation.
    Main,
    /// A conversation of a subagent.
    Agent,
    /// Titles, topics and the like, which the client asks for by itself.
    Side,
    /// A summary of the conversation.
    Compaction,
    /// Anything else: counting, a path that the stub does not know.
    Other,
}

/// A request that the model got.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) kind: Kind,
    pub(crate) path: String,
    pub(crate) body: Value,
}

impl Stub {
    /// Listens on a free port of the loopback address.
    pub(crate) fn start(agents: &[Agent]) -> Result<Self> {
        let server = Server::http(("127.0.0.1", 0)).map_err(|error| anyhow!("start the stub model: {error}"))?;
        let server = Arc::new(server);
        let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or_default();
        let shared = Shared { agents: agents.iter().map(|agent| (agent.clone(), 0)).collect(), ..Shared::default() };
        let shared = Arc::new(Mutex::new(shared));
        for _ in 0..WORKERS {
            let (server, shared) = (Arc::clone(&server), Arc::clone(&shared));
            // Ends with the server: `unblock` and the last `recv` return an error.
            thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    answer(request, &shared);
                }
            });
        }
        Ok(Self { server, port, shared })
    }

    /// The script of the main thread from now on.
    pub(crate) fn script(&self, turns: &[Turn]) {
        let mut shared = lock(&self.shared);
        shared.turns = turns.to_vec();
        shared.next = 0;
    }

    /// Everything that was sent so far.
    pub(crate) fn sent(&self) -> Vec<Sent> {
        lock(&self.shared).sent.clone()
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        for _ in 0..WORKERS {
            self.server.unblock();
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers one request. A client that hangs up early is not a fault of the stub.
fn answer(mut request: Request, shared: &Mutex<Shared>) {
    let mut text = Vec::new();
    let _ = request.as_reader().take(MAX_BODY).read_to_end(&mut text);
    let body: Value = serde_json::from_slice(&text).unwrap_or_default();
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    let is_messages = *request.method() == Method::Post && path == "/v1/messages";
    let kind = if is_messages { kind_of(&body, shared) } else { Kind::Other };
    let (turn, number) = {
        let mut shared = lock(shared);
        shared.answers += 1;
        shared.sent.push(Sent { kind, path: path.clone(), body: body.clone() });
        (shared.next_turn(kind, &body), shared.answers)
    };
    let respond = |status: u16, kind: &str, text: String| {
        let header = Header::from_bytes("content-type", kind);
        let response = Response::from_string(text).with_status_code(status);
        if let Ok(header) = header { response.with_header(header) } else { response }
    };
    let response = if let Some(status) = turn.status.filter(|_| is_messages) {
        let error = json!({"type": "error", "error": {"type": error_type(status), "message": turn.say}});
        respond(status, "application/json", error.to_string())
    } else if is_messages {
        let message = message(&turn, number, &body);
        if body.get("stream").and_then(Value::as_bool) == Some(true) {
            respond(200, "text/event-stream", stream(&message))
        } else {
            respond(200, "application/json", message.to_string())
        }
    } else if path.ends_with("/count_tokens") {
        respond(200, "application/json", json!({"input_tokens": 1000}).to_string())
    } else {
        let error =
            json!({"type": "error", "error": {"type": "not_found_error", "message": "the stub has only messages"}});
        respond(404, "application/json", error.to_string())
    };
    let _ = request.respond(response);
}

fn kind_of(body: &Value, shared: &Mutex<Shared>) -> Kind {
    // Some clients put a message of the system behind what the user said.
    let messages = body.get("messages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_user = |message: &&Value| message.get("role").and_then(Value::as_str) == Some("user");
    if texts(messages.iter().rev().find(is_user)).contains("create a detailed summary") {
        return Kind::Compaction;
    }
    let has_tools = body.get("tools").and_then(Value::as_array).is_some_and(|tools| !tools.is_empty());
    if !has_tools {
        return Kind::Side;
    }
    let first = texts(body.pointer("/messages/0"));
    // Clients of the 2.0 line fill the service's cache so.
    if first == "Warmup" {
        return Kind::Side;
    }
    let is_agent = lock(shared).agents.iter().any(|(agent, _)| first.contains(&agent.marker));
    if is_agent { Kind::Agent } else { Kind::Main }
}

impl Shared {
    fn next_turn(&mut self, kind: Kind, body: &Value) -> Turn {
        let say = |text: &str| Turn { say: text.into(), ..Turn::default() };
        let turn = match kind {
            Kind::Main => {
                let turn = self.turns.get(self.next).cloned();
                // The client asks again after some faults, and a service that is down stays down.
                if turn.as_ref().is_none_or(|turn| turn.status.is_none()) {
                    self.next += 1;
                }
                turn
            }
            Kind::Agent => {
                let first = texts(body.pointer("/messages/0"));
                let script = self.agents.iter_mut().find(|(agent, _)| first.contains(&agent.marker));
                script.and_then(|(agent, next)| {
                    *next += 1;
                    agent.turns.get(*next - 1).cloned()
                })
            }
            Kind::Compaction => Some(say(SUMMARY)),
            Kind::Side | Kind::Other => Some(say("ok")),
        };
        turn.unwrap_or_else(|| say("done"))
    }
}

/// All texts in a message: strings and the texts of blocks, tool results included.
pub(crate) fn texts(message: Option<&Value>) -> String {
    let mut open: Vec<&Value> = message.into_iter().collect();
    let mut found = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text.as_str()),
            Value::Array(all) => open.extend(all),
            Value::Object(fields) => open.extend(
                fields.iter().filter(|(name, _)| matches!(name.as_str(), "content" | "text")).map(|(_, value)| value),
            ),
            _ => {}
        }
    }
    found.join("\n")
}

fn error_type(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}

/// The answer as one message.
fn message(turn: &Turn, number: usize, body: &Value) -> Value {
    let mut content = Vec::new();
    if !turn.say.is_empty() || turn.call.is_empty() {
        content.push(json!({"type": "text", "text": turn.say}));
    }
    for (index, call) in turn.call.iter().enumerate() {
        let id = format!("toolu_{number:04}_{index}");
        let input = if call.input.is_null() { json!({}) } else { call.input.clone() };
        content.push(json!({"type": "tool_use", "id": id, "name": call.tool, "input": input}));
    }
    json!({
        "id": format!("msg_{number:04}"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model").cloned().unwrap_or_default(),
        "content": content,
        "stop_reason": if turn.call.is_empty() { "end_turn" } else { "tool_use" },
        "stop_sequence": null,
        "usage": {
            "input_tokens": turn.tokens.unwrap_or(1000),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 10,
        },
    })
}

/// The same message as server-sent events.
fn stream(message: &Value) -> String {
    let mut text = String::new();
    let mut say = |name: &str, data: Value| text.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    let mut start = message.clone();
    for (key, value) in [("content", json!([])), ("stop_reason", Value::Null)] {
        if let Some(slot) = start.get_mut(key) {
            *slot = value;
        }
    }
    say("message_start", json!({"type": "message_start", "message": start}));
    for (index, block) in message.get("content").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let (empty, delta) = if let Some(text) = block.get("text") {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}))
        } else {
            let mut empty = block.clone();
            let input = empty.get_mut("input").map(Value::take).unwrap_or_default();
            if let Some(slot) = empty.get_mut("input") {
                *slot = json!({});
            }
            (empty, json!({"type": "input_json_delta", "partial_json": input.to_string()}))
        };
        say("content_block_start", json!({"type": "content_block_start", "index": index, "content_block": empty}));
        say("content_block_delta", json!({"type": "content_block_delta", "index": index, "delta": delta}));
        say("content_block_stop", json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": message.get("stop_reason"), "stop_sequence": null});
    say("message_delta", json!({"type": "message_delta", "delta": delta, "usage": message.get("usage")}));
    say("message_stop", json!({"type": "message_stop"}));
    text
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpStream;

    use super::super::scenario::Call;
    use super::*;

    fn post(stub: &Stub, body: &Value) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", stub.port)).unwrap();
        let body = body.to_string();
        let head = format!(
            "POST /v1/messages?beta=true HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    fn request(first: &str, stream: bool) -> Value {
        json!({"model": "m", "stream": stream, "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": first}]})
    }

    fn say(text: &str) -> Turn {
        Turn { say: text.into(), ..Turn::default() }
    }

    #[test]
    fn each_conversation_gets_its_own_script_and_every_request_is_kept() {
        let agent = Agent { marker: "CHILD".into(), turns: vec![say("of the child")] };
        let stub = Stub::start(&[agent]).unwrap();
        let call = Call { tool: "Bash".into(), input: json!({"command": "ls"}) };
        stub.script(&[Turn { call: vec![call], ..Turn::default() }, say("second")]);
        let streamed = post(&stub, &request("Go.", true));
        for part in [
            "text/event-stream",
            "event: message_start",
            r#""partial_json":"{\"command\":\"ls\"}""#,
            r#""stop_reason":"tool_use""#,
            "event: message_stop",
        ] {
            assert!(streamed.contains(part), "{part}: {streamed}");
        }
        assert!(post(&stub, &request("CHILD: do it", false)).contains("of the child"));
        assert!(
            post(&stub, &json!({"messages": [{"role": "user", "content": "A title?"}]})).contains(r#""text":"ok""#)
        );
        assert!(
            post(&stub, &request("Please create a detailed summary of it.", false)).contains("The stub's summary.")
        );
        assert!(post(&stub, &request("Go.", false)).contains(r#""text":"second""#));
        assert!(post(&stub, &request("Go.", false)).contains(r#""text":"done""#));
        let kinds: Vec<Kind> = stub.sent().iter().map(|sent| sent.kind).collect();
        assert_eq!(kinds, [Kind::Main, Kind::Agent, Kind::Side, Kind::Compaction, Kind::Main, Kind::Main]);
    }

    #[test]
    fn a_service_that_fails_goes_on_failing() {
        let stub = Stub::start(&[]).unwrap();
        stub.script(&[Turn { status: Some(529), ..say("too busy") }, say("never")]);
        for _ in 0..2 {
            let answer = post(&stub, &request("Go.", true));
            assert!(answer.starts_with("HTTP/1.1 529") && answer.contains("overloaded_error"), "{answer}");
        }
    }
}
