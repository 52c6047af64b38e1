//! A small MCP server on standard input and output: what a client asks a server for, and four tools.

use std::fs;
use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// What the user is asked.
const ASKED: &str = "Which branch?";

/// Answers until standard input ends.
pub(crate) fn serve() -> Result<()> {
    let mut out = std::io::stdout();
    let mut lines = std::io::stdin().lock().lines();
    while let Some(line) = lines.next() {
        let line = line.context("read a message")?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        // A notification has no id and gets no answer.
        let Some(id) = message.get("id") else { continue };
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let params = message.get("params").unwrap_or(&Value::Null);
        let mut answer = json!({"jsonrpc": "2.0", "id": id});
        let result =
            if is_question(method, params) { Some(ask(&mut out, &mut lines)?) } else { result(method, params) };
        let (key, value) = match result {
            Some(result) => ("result", result),
            None => ("error", json!({"code": -32601, "message": format!("no method {method}")})),
        };
        if let Some(fields) = answer.as_object_mut() {
            fields.insert(key.into(), value);
        }
        say(&mut out, &answer)?;
    }
    Ok(())
}

fn say(out: &mut impl Write, message: &Value) -> Result<()> {
    writeln!(out, "{message}").and_then(|()| out.flush()).context("write a message")
}

fn is_question(method: &str, params: &Value) -> bool {
    method == "tools/call" && params.get("name").and_then(Value::as_str) == Some("spf_ask")
}

/// Asks the user something while the call waits; what they answered is its result.
fn ask(out: &mut impl Write, lines: &mut impl Iterator<Item = std::io::Result<String>>) -> Result<Value> {
    let schema = json!({"type": "object", "properties": {"branch": {"type": "string"}}, "required": ["branch"]});
    let params = json!({"message": ASKED, "requestedSchema": schema});
    say(out, &json!({"jsonrpc": "2.0", "id": "question", "method": "elicitation/create", "params": params}))?;
    for line in lines {
        let line = line.context("read an answer")?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        if message.get("id").and_then(Value::as_str) == Some("question") {
            let said = message.get("result").or_else(|| message.get("error")).cloned().unwrap_or_default();
            return Ok(text(&format!("the user answered {said}"), false));
        }
    }
    anyhow::bail!("the client went away without an answer")
}

fn result(method: &str, params: &Value) -> Option<Value> {
    Some(match method {
        "initialize" => json!({
            "protocolVersion": params.get("protocolVersion").cloned().unwrap_or_else(|| "2025-06-18".into()),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "spf", "version": "1.0.0"},
        }),
        "ping" => json!({}),
        "tools/list" => {
            let path = json!({"type": "object", "properties": {"file_path": {"type": "string"}}});
            let tool = |name: &str, schema: &Value| json!({"name": name, "description": name, "inputSchema": schema});
            json!({"tools": [
                tool("spf_read", &path),
                tool("spf_write", &path),
                tool("spf_fail", &json!({"type": "object", "properties": {}})),
                tool("spf_ask", &json!({"type": "object", "properties": {}})),
            ]})
        }
        "tools/call" => call(params),
        _ => return None,
    })
}

fn call(params: &Value) -> Value {
    let path = params.pointer("/arguments/file_path").and_then(Value::as_str).unwrap_or_default();
    let (said, is_error) = match params.get("name").and_then(Value::as_str).unwrap_or_default() {
        "spf_read" => match fs::read_to_string(path) {
            Ok(text) => (text, false),
            Err(error) => (format!("{path}: {error}"), true),
        },
        "spf_write" => match fs::write(path, "written by the server\n") {
            Ok(()) => ("written".to_owned(), false),
            Err(error) => (format!("{path}: {error}"), true),
        },
        other => (format!("{other} fails"), true),
    };
    text(&said, is_error)
}

/// The result of a tool.
fn text(text: &str, is_error: bool) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": is_error})
}
