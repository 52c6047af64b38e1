//! A small MCP server on standard input and output: what a client asks a server for, and three tools.

use std::fs;
use std::io::{BufRead, Write};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Answers until standard input ends.
pub(crate) fn serve() -> Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line.context("read a message")?;
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        // A notification has no id and gets no answer.
        let Some(id) = message.get("id") else { continue };
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        let mut answer = json!({"jsonrpc": "2.0", "id": id});
        let (key, value) = match result(method, message.get("params").unwrap_or(&Value::Null)) {
            Some(result) => ("result", result),
            None => ("error", json!({"code": -32601, "message": format!("no method {method}")})),
        };
        if let Some(fields) = answer.as_object_mut() {
            fields.insert(key.into(), value);
        }
        writeln!(out, "{answer}").and_then(|()| out.flush()).context("write an answer")?;
    }
    Ok(())
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
            ]})
        }
        "tools/call" => call(params),
        _ => return None,
    })
}

fn call(params: &Value) -> Value {
    let path = params.pointer("/arguments/file_path").and_then(Value::as_str).unwrap_or_default();
    let (text, is_error) = match params.get("name").and_then(Value::as_str).unwrap_or_default() {
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
    json!({"content": [{"type": "text", "text": text}], "isError": is_error})
}
