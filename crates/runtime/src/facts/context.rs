//! How full a session's context is: read from the end of its transcript, and kept from the host's status line in the section
//! `context` of its document.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use hook_policy::context::{ContextUse, Sent, Shown};
use hook_protocol::transcript::{LastUsage, last_assistant_text, last_usage};

use crate::system::open;

/// The section of the session document.
pub const SECTION: &str = "context";

/// Bytes at the end of a transcript that are looked at, one after the other until an answer is found. The last answer mostly lies within
/// the first, whatever the transcript's size; a large result of a tool may lie behind it.
const PARTS: [u64; 4] = [64 << 10, 512 << 10, 4 << 20, 16 << 20];

/// Bytes at the end of a transcript in which an answer's text is looked for.
const ANSWER_BYTES: u64 = 1 << 20;

/// What the transcript and the section of the session document say.
pub fn used(transcript: &str, section: Option<&str>) -> ContextUse {
    let shown = shown(section);
    let Some((mut file, length)) = open(transcript) else {
        return ContextUse { shown, ..ContextUse::default() };
    };
    let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
    let changed = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let changed = changed.map(|since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
    ContextUse { sent: sent(&mut file, length), changed, shown }
}

/// What the section says; one that is not understood says nothing.
pub fn shown(section: Option<&str>) -> Option<Shown> {
    section.and_then(|text| serde_json::from_str(text).ok())
}

/// The section's text.
pub fn text(shown: Shown) -> String {
    format!("{{\"percent\":{},\"at\":{}}}", shown.percent, shown.at)
}

/// The last text of the assistant in the transcript; the last ten lines are as far back as it is looked for.
pub fn last_answer(transcript: &str) -> Option<String> {
    let (mut file, length) = open(transcript)?;
    let text = end_of(&mut file, length, ANSWER_BYTES)?;
    last_assistant_text(text.lines().rev().take(10))
}

fn open(transcript: &str) -> Option<(File, u64)> {
    let file = open::foreign(Path::new(transcript)).ok()?;
    let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some((file, metadata.len()))
}

fn sent(file: &mut File, length: u64) -> Sent {
    for most in PARTS {
        let Some(text) = end_of(file, length, most) else { return Sent::Unknown };
        match last_usage(text.lines().rev()) {
            LastUsage::Found { usage, model } => return Sent::Tokens { tokens: usage.context_tokens(), model },
            LastUsage::Compacted => return Sent::Compacted,
            LastUsage::NotFound if length <= most => return Sent::Unknown,
            LastUsage::NotFound => {}
        }
    }
    Sent::Unknown
}

/// The whole lines among the last `most` bytes; the last one may be one that is being written.
fn end_of(file: &mut File, length: u64, most: u64) -> Option<String> {
    file.seek(SeekFrom::Start(length.saturating_sub(most))).ok()?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    if length <= most {
        return Some(text.into_owned());
    }
    // The first line is cut off.
    Some(text.split_once('\n').map_or_else(String::new, |(_, whole)| whole.to_owned()))
}
