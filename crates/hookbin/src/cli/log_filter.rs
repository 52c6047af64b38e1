//! Which records of the audit log a user wants to see.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use clap::Args;
use hook_audit_log::Entry;

use super::Usage;
use hook_runtime::system::System;

/// Filters on the command line. Those of one kind add up, those of different kinds all have to fit.
#[derive(Args, Default)]
pub(super) struct Filter {
    /// Only these events, separated by commas
    #[arg(long, value_name = "EVENT", value_delimiter = ',')]
    event: Vec<String>,
    /// Only these tools; `*` at the end stands for any rest, as in `mcp__*`
    #[arg(long, value_name = "TOOL", value_delimiter = ',')]
    tool: Vec<String>,
    /// Only these verdicts: deny, ask, allow, none
    #[arg(long, value_name = "VERDICT", value_delimiter = ',')]
    verdict: Vec<String>,
    /// Only these sessions, by id or its beginning
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    session: Vec<String>,
    /// Only what was recorded since then: 30m, 2h, 7d, a day, or a time in RFC 3339
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
}

/// Leaves nothing out.
pub(super) static ALL: Filter =
    Filter { event: Vec::new(), tool: Vec::new(), verdict: Vec::new(), session: Vec::new(), since: None };

/// A filter that was understood.
pub(super) struct Wanted<'f> {
    filter: &'f Filter,
    since: Option<DateTime<Utc>>,
}

impl Filter {
    pub(super) fn read(&self, system: &System) -> anyhow::Result<Wanted<'_>> {
        const VERDICTS: [&str; 4] = ["deny", "ask", "allow", "none"];
        if let Some(unknown) = self.verdict.iter().find(|verdict| !VERDICTS.contains(&verdict.as_str())) {
            return Err(Usage(format!("there is no verdict `{unknown}`; there are {}", VERDICTS.join(", "))).into());
        }
        let since = match &self.since {
            None => None,
            Some(text) => Some(moment(text, system.now).ok_or_else(|| {
                Usage(format!("cannot read `--since {text}`; say 30m, 2h, 7d, 2026-11-28 or 2026-11-28T09:30:00Z"))
            })?),
        };
        Ok(Wanted { filter: self, since })
    }
}

impl Wanted<'_> {
    /// Whether nothing is left out.
    pub(super) fn is_all(&self) -> bool {
        let Filter { event, tool, verdict, session, since } = self.filter;
        event.is_empty() && tool.is_empty() && verdict.is_empty() && session.is_empty() && since.is_none()
    }

    pub(super) fn has(&self, entry: &Entry) -> bool {
        let text = |key: &str| entry.text(key).unwrap_or_default();
        let any =
            |wanted: &[String], fits: &dyn Fn(&str) -> bool| wanted.is_empty() || wanted.iter().any(|it| fits(it));
        let verdict = entry.text("verdict").unwrap_or("none");
        any(&self.filter.event, &|event| event == text("event"))
            && any(&self.filter.tool, &|tool| match tool.strip_suffix('*') {
                Some(begin) => entry.text("tool").is_some_and(|name| name.starts_with(begin)),
                None => tool == text("tool"),
            })
            && any(&self.filter.verdict, &|wanted| wanted == verdict)
            && any(&self.filter.session, &|session| !session.is_empty() && text("session").starts_with(session))
            && self.since.is_none_or(|since| entry.time() >= since)
    }
}

/// A moment as people write it. A day begins at midnight UTC, as the times of the log are shown.
pub(super) fn moment(text: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.with_timezone(&Utc));
    }
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Some(day.and_time(NaiveTime::MIN).and_utc());
    }
    let unit = text.chars().last()?;
    let count: i64 = text.strip_suffix(unit)?.parse().ok().filter(|count| *count >= 0)?;
    let ago = match unit {
        's' => TimeDelta::try_seconds(count),
        'm' => TimeDelta::try_minutes(count),
        'h' => TimeDelta::try_hours(count),
        'd' => TimeDelta::try_days(count),
        'w' => TimeDelta::try_weeks(count),
        _ => None,
    };
    now.checked_sub_signed(ago?)
}
