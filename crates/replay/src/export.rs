//! Records of an audit log in forms that other programs read, as a stream.

use std::io::{self, Write};
use std::path::Path;

use hook_audit_log::{Entry, read};
use hook_runtime::event::plain::{json, shown};
use serde::Serialize;
use serde_json::Value;

use crate::Error;

/// A form of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// One record a line, as stored.
    Jsonl,
    /// Comma-separated values with a head line (RFC 4180).
    Csv,
    /// OpenTelemetry's JSON encoding of logs: one `LogsData` object.
    OtlpJson,
}

/// The columns of the CSV form. What is none of them is in `other`, as JSON.
const COLUMNS: &[&str] = &[
    "time", "seq", "event", "session", "agent", "profile", "tool", "tool_use_id", "verdict", "check", "rule", "reason",
    "command", "path", "result", "note", "elapsed_us", "bytes", "exit_code", "extra", "hash",
];

/// Writes the records of the log in `dir` that are `wanted`. Returns how many lines of it are no record and were left out. A log that
/// is not there has no records.
pub fn export(format: Format, dir: &Path, wanted: impl Fn(&Entry) -> bool, out: &mut impl Write) -> Result<u64, Error> {
    begin(format, out)?;
    let mut count = 0_u64;
    let mut passed_over = 0;
    if dir.exists() {
        let mut reader = read(dir)?;
        for entry in reader.by_ref() {
            let entry = entry?;
            if wanted(&entry) {
                one(format, &entry, count == 0, out)?;
                count += 1;
            }
        }
        passed_over = reader.passed_over();
    }
    end(format, out)?;
    out.flush()?;
    Ok(passed_over)
}

fn begin(format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Jsonl => {}
        Format::Csv => write!(out, "{},other\r\n", COLUMNS.join(","))?,
        Format::OtlpJson => {
            let service = [Attribute::text("service.name", "hookbin"), Attribute::text("service.version", VERSION)];
            write!(
                out,
                r#"{{"resourceLogs":[{{"resource":{{"attributes":{}}},"scopeLogs":[{{"scope":{{"name":"hookbin.audit","version":{}}},"logRecords":["#,
                serde_json::to_string(&service)?,
                serde_json::to_string(VERSION)?
            )?;
        }
    }
    Ok(())
}

fn end(format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Jsonl | Format::Csv => Ok(()),
        Format::OtlpJson => out.write_all(b"]}]}]}\n"),
    }
}

fn one(format: Format, entry: &Entry, first: bool, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Jsonl => writeln!(out, "{}", json(entry.raw()))?,
        Format::Csv => {
            let mut cells: Vec<String> =
                COLUMNS.iter().map(|column| entry.members().get(*column).map(cell).unwrap_or_default()).collect();
            let other: serde_json::Map<String, Value> = entry
                .members()
                .iter()
                .filter(|(key, _)| !COLUMNS.contains(&key.as_str()) && *key != "v" && *key != "prev")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            cells.push(if other.is_empty() { String::new() } else { quoted(&Value::Object(other).to_string()) });
            write!(out, "{}\r\n", cells.join(","))?;
        }
        Format::OtlpJson => {
            let comma = if first { "" } else { "," };
            write!(out, "{comma}{}", json(&serde_json::to_string(&LogRecord::of(entry))?))?;
        }
    }
    Ok(())
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Null => String::new(),
        other => quoted(&other.to_string()),
    }
}

/// A cell by RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front: what an agent typed must not
/// calculate in the reader's program.
fn quoted(text: &str) -> String {
    // Whoever looks at it with a pager or an editor sees a terminal.
    let text = shown(text);
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.into_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A `LogRecord` of OpenTelemetry: member names in lower camel case, numbers of 64 bits as text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRecord {
    time_unix_nano: String,
    observed_time_unix_nano: String,
    severity_number: u8,
    severity_text: &'static str,
    event_name: String,
    body: AnyValue,
    attributes: Vec<Attribute>,
}

#[derive(Serialize)]
struct Attribute {
    key: String,
    value: AnyValue,
}

#[derive(Serialize)]
enum AnyValue {
    #[serde(rename = "stringValue")]
    Text(String),
    #[serde(rename = "boolValue")]
    Bool(bool),
    #[serde(rename = "intValue")]
    Int(String),
    #[serde(rename = "doubleValue")]
    Double(f64),
    #[serde(rename = "arrayValue")]
    Array { values: Vec<AnyValue> },
}

impl Attribute {
    fn text(key: &str, text: &str) -> Self {
        Self { key: key.to_owned(), value: AnyValue::Text(text.to_owned()) }
    }
}

impl AnyValue {
    /// A member's value. What is nested deeper than a list of texts goes as its JSON.
    fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Number(number) if number.is_f64() => Self::Double(number.as_f64()?),
            Value::Number(number) => Self::Int(number.to_string()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) if items.iter().all(Value::is_string) => {
                let texts = items.iter().filter_map(Value::as_str);
                Self::Array { values: texts.map(|text| Self::Text(text.to_owned())).collect() }
            }
            nested => Self::Text(nested.to_string()),
        })
    }
}

impl LogRecord {
    fn of(entry: &Entry) -> Self {
        let nanos = entry.time().timestamp_nanos_opt().unwrap_or_default().max(0).to_string();
        let event = entry.text("event").unwrap_or("unknown");
        let faulty = entry.members().get("extra").is_some_and(|extra| extra.get("faults").is_some());
        let (severity_number, severity_text) = match (faulty, entry.text("verdict")) {
            (true, _) => (17, "ERROR"),
            (false, Some("deny")) => (13, "WARN"),
            (false, Some("ask")) => (10, "INFO2"),
            (false, _) => (9, "INFO"),
        };
        let mut attributes = Vec::new();
        for (key, value) in entry.members() {
            match (key.as_str(), value) {
                ("v" | "time" | "event", _) => {}
                ("session", Value::String(id)) => attributes.push(Attribute::text("session.id", id)),
                ("extra", Value::Object(extra)) => attributes.extend(extra.iter().filter_map(|(key, value)| {
                    Some(Attribute { key: format!("hookbin.extra.{key}"), value: AnyValue::of(value)? })
                })),
                _ => attributes
                    .extend(AnyValue::of(value).map(|value| Attribute { key: format!("hookbin.{key}"), value })),
            }
        }
        let words = ["tool", "command", "path", "verdict", "reason", "note"].iter().filter_map(|key| entry.text(key));
        let body = std::iter::once(event).chain(words).collect::<Vec<_>>().join(" ");
        Self {
            observed_time_unix_nano: nanos.clone(),
            time_unix_nano: nanos,
            severity_number,
            severity_text,
            event_name: format!("hookbin.{event}"),
            body: AnyValue::Text(body),
            attributes,
        }
    }
}
