//! A transcript of any bytes: nothing in it can fail, and the last answer is one of its lines.

use hook_protocol::transcript::{LastUsage, Line, last_assistant_text, last_usage};

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut texts = Vec::new();
    let mut usages = 0;
    for line in text.lines().filter_map(|line| Line::parse(line).ok()) {
        if let Some(message) = line.message() {
            let _ = message.blocks();
        }
        if let Some(answer) = line.main_answer() {
            usages += usize::from(answer.usage.is_some());
            texts.extend(answer.text());
        }
    }
    assert_eq!(last_assistant_text(text.lines().rev()), texts.pop());
    assert!(!matches!(last_usage(text.lines().rev()), LastUsage::Found { .. }) || usages > 0);
}
