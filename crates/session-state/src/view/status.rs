//! `STATUS.txt` (S0-69 to S0-74, layout B0.4).

use std::fmt::Write as _;

use super::{bullets, one_line};
use crate::section::activity::Activity;
use crate::time::Time;

/// Files listed of each kind (S0-71, S0-72).
const LISTED: usize = 10;

/// The whole of `STATUS.txt` at this moment.
pub fn status_txt(activity: &Activity, now: Time) -> String {
    let text = |value: &Option<String>, none: &str| value.as_deref().map_or_else(|| none.to_owned(), one_line);
    let (read, written) = (activity.files_read.total(), activity.files_written.total());
    let ratio = if written == 0 { "N/A".to_owned() } else { format!("{read}/{written}") };
    let mut out = String::with_capacity(1_024);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "# SPF STATUS — Memory Triad System 2\n\
         # Updated by hookbin after every tool call; edits are overwritten.\n\
         Last update: {}\n\n\
         ## Current State\n\
         - Session Actions: {}\n\
         - Last Tool: {}\n\
         - Last Result: {}\n\
         - Last File: {}\n\n\
         ## Files Read This Session ({read})\n",
        now.stamp(),
        activity.action_count,
        text(&activity.last_tool, "none"),
        text(&activity.last_result, "none"),
        text(&activity.last_file, "unknown"),
    );
    bullets(&mut out, &activity.files_read.last(LISTED), "none yet");
    let _ = write!(out, "\n## Files Modified This Session ({written})\n");
    bullets(&mut out, &activity.files_written.last(LISTED), "none yet");
    let _ = write!(
        out,
        "\n## Build Anchor Status\n\
         - Files read: {read}\n\
         - Files written: {written}\n\
         - Anchor ratio (reads/writes): {ratio}\n\n\
         ## Notes\n\
         - This file is updated by itself. After a break or a compaction, read it to see where the session stands.\n\
         - Every event of the session is in spf.log beside this file.\n",
    );
    out
}
