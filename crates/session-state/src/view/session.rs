//! `session.json`: the activity of a session.

use crate::section::activity::Activity;
use crate::text::Text;

/// The content of `session.json`.
///
/// An object of `action_count`, `files_read`, `files_written`, `last_tool`, `last_result`, `started` and, where a session start
/// was seen, `source`; further `last_stop`, `ended` and `end_reason` once they are set. A list of more than 200 entries shows
/// the last 200, and beside it `files_read_total` or `files_written_total` says how many there were.
pub fn session_json(activity: &Activity) -> Text<'_> {
    let mut out = Text::with_capacity(1_024);
    activity.write(&mut out, false);
    out.push("\n");
    out
}
