//! What test runners report in their machine-readable forms: how many tests ran, how many failed, and which.

use hook_protocol::raw::{Fields, Raw};

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JUnit's XML, which most runners can write.
    Junit,
    /// The JSON of jest, which vitest can write as well.
    Jest,
    /// The JSON lines of `go test -json`.
    Go,
    /// The lines of Rust's own harness.
    Libtest,
}

/// What a report says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that ran.
    pub ran: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Names of the first failed tests, at most ten.
    pub names: Vec<String>,
}

/// Most names of failed tests.
const NAMES: usize = 10;

impl Counts {
    fn failed(&mut self, name: &str) {
        self.failed = self.failed.saturating_add(1);
        if self.names.len() < NAMES {
            self.names.push(name.chars().take(200).collect());
        }
    }
}

/// Reads a report; `None` for a text that is none of this form. Numbers are counted or read as numbers, so that "10 failed" is never
/// "0 failed"; words are not looked at.
pub fn read(form: Form, text: &str) -> Option<Counts> {
    match form {
        Form::Junit => junit(text),
        Form::Jest => jest(text),
        Form::Go => go(text),
        Form::Libtest => libtest(text),
    }
}

/// Counts the test cases and the failures within them.
fn junit(text: &str) -> Option<Counts> {
    if !text.contains("<testsuite") {
        return None;
    }
    let mut counts = Counts::default();
    let mut case: Option<String> = None;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at..).unwrap_or_default();
        if let Some(data) = rest.strip_prefix("<![CDATA[") {
            // What a test printed may look like a report.
            rest = data.split_once("]]>").map_or("", |(_, after)| after);
            continue;
        }
        let (tag, after) = rest.split_once('>').unwrap_or((rest, ""));
        let name =
            tag.trim_start_matches('<').split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        match name {
            "testcase" => {
                counts.ran = counts.ran.saturating_add(1);
                case = (!tag.ends_with('/')).then(|| attribute(tag, "name").unwrap_or_else(|| "unnamed".to_owned()));
            }
            "skipped" if case.take().is_some() => counts.ran = counts.ran.saturating_sub(1),
            "failure" | "error" => {
                if let Some(name) = case.take() {
                    counts.failed(&name);
                }
            }
            _ => {}
        }
        rest = after;
    }
    Some(counts)
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    let value = value.split('"').next()?;
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(plain.iter().fold(value.to_owned(), |text, (entity, plain)| text.replace(entity, plain)))
}

fn jest(text: &str) -> Option<Counts> {
    let fields = Fields::parse(text).ok()?;
    let number = |key: &str| fields.get(key).and_then(Raw::as_u64);
    let ran = number("numTotalTests")?.saturating_sub(number("numPendingTests").unwrap_or(0));
    let suites = number("numRuntimeErrorTestSuites").unwrap_or(0);
    let mut counts = Counts { ran, failed: number("numFailedTests")?.saturating_add(suites), names: Vec::new() };
    for file in fields.get("testResults").and_then(Raw::items).unwrap_or_default() {
        for test in file
            .get("assertionResults")
            .and_then(|list| list.items().map(|items| items.into_iter().map(Raw::into_owned).collect::<Vec<_>>()))
            .unwrap_or_default()
        {
            let Some(test) = test.object() else { continue };
            if counts.names.len() < NAMES && test.get_str("status").as_deref() == Some("failed") {
                let name = test.get_str("fullName").or_else(|| test.get_str("title"));
                counts.names.extend(name.map(|name| name.chars().take(200).collect::<String>()));
            }
        }
    }
    Some(counts)
}

fn go(text: &str) -> Option<Counts> {
    let mut counts = Counts::default();
    let mut any = false;
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let Ok(fields) = Fields::parse(line) else { continue };
        let Some(action) = fields.get_str("Action") else { continue };
        any = true;
        match (&*action, fields.get_str("Test")) {
            ("pass", Some(_)) => counts.ran = counts.ran.saturating_add(1),
            ("fail", Some(name)) => {
                counts.ran = counts.ran.saturating_add(1);
                counts.failed(&name);
            }
            _ => {}
        }
    }
    any.then_some(counts)
}

/// `test NAME ... ok` and `test NAME ... FAILED`, and the sums that end each binary's list.
fn libtest(text: &str) -> Option<Counts> {
    let mut counts = Counts::default();
    let mut any = false;
    for line in text.lines().map(str::trim_end) {
        if let Some(sums) = line.strip_prefix("test result: ") {
            any = true;
            let of = |word: &str| {
                sums.split(['.', ';'])
                    .find_map(|part| part.trim().strip_suffix(word)?.trim().parse::<u64>().ok())
                    .unwrap_or(0)
            };
            counts.failed = counts.failed.saturating_add(of(" failed"));
            counts.ran = counts.ran.saturating_add(of(" passed")).saturating_add(of(" failed"));
        } else if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
            && counts.names.len() < NAMES
        {
            counts.names.push(name.chars().take(200).collect());
        }
    }
    any.then_some(counts)
}
