//! The lists of the page, each bounded, each saying what it leaves out.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::Figures;
use super::html::{Text, counted, grouped, short};
use super::metrics::{File, LISTED, Mark, Row};
use super::refusal::{KEPT, Refusal};
use super::render::{section, time};
use super::spent::in_words;

/// Events in one folded part of the list.
const PART: usize = 200;
/// Refusals that are shown unfolded.
const FIRST_REFUSALS: usize = 10;
/// Rows of the other tables.
const ROWS: usize = 200;

/// The verdict as a word in its colour.
fn chip(verdict: &str) -> String {
    let (class, word) = match verdict {
        "deny" => ("deny", "refused"),
        "ask" => ("ask", "asked"),
        "allow" => ("allow", "allowed"),
        other => ("", other),
    };
    format!("<b class=\"v {class}\">{}</b>", Text(word))
}

/// What was refused or asked about, why, and what came next; newest first.
pub(super) fn refusals(out: &mut String, figures: &Figures) {
    section(out, "refusals", "Refusals and questions");
    let refusals = &figures.refusals;
    if refusals.kept.is_empty() {
        out.push_str("<p>Nothing was refused and nobody was asked.</p></section>");
        return;
    }
    let mut newest = refusals.kept.iter().rev();
    let _ = write!(out, "<p>{} in all, the newest first.</p>", grouped(refusals.total));
    list_of(out, newest.by_ref().take(FIRST_REFUSALS));
    let more = refusals.kept.len().saturating_sub(FIRST_REFUSALS);
    if more > 0 {
        let _ = write!(out, "<details><summary>{} earlier</summary>", grouped(more as u64));
        list_of(out, newest);
        out.push_str("</details>");
    }
    if refusals.total > KEPT as u64 {
        let left = refusals.total - KEPT as u64;
        let _ = write!(out, "<p>{} before these are counted only.</p>", grouped(left));
    }
    out.push_str("</section>");
}

fn list_of<'r>(out: &mut String, refusals: impl Iterator<Item = &'r Refusal>) {
    out.push_str("<ol class=\"list\">");
    for refusal in refusals {
        let rule = if refusal.rule.is_empty() {
            String::new()
        } else {
            format!(", rule <code>{}</code>", Text(&refusal.rule))
        };
        let check = if refusal.check.is_empty() {
            "the profile".to_owned()
        } else {
            format!("<code>{}</code>", Text(&refusal.check))
        };
        let _ = write!(
            out,
            "<li><p>{} {} {} <bdi>{}</bdi> <span class=\"dim\">by {check}{rule}, record {}</span></p>",
            time(refusal.time),
            chip(&refusal.verdict),
            Text(&refusal.event),
            Text(&refusal.tool),
            refusal.seq,
        );
        if !refusal.subject.is_empty() {
            let _ = write!(out, "<p><code>{}</code></p>", Text(&refusal.subject));
        }
        if !refusal.reason.is_empty() {
            let _ = write!(out, "<p><bdi>{}</bdi></p>", Text(&refusal.reason));
        }
        match &refusal.next {
            Some(next) => {
                let micros = (next.time - refusal.time).num_microseconds().unwrap_or(i64::MAX);
                let _ = write!(
                    out,
                    "<p class=\"next{}\">Then, after {}: {}",
                    if next.alarming { " hole" } else { "" },
                    in_words(u64::try_from(micros).unwrap_or(0)),
                    Text(&next.said)
                );
                if !next.subject.is_empty() {
                    let _ = write!(out, " <code>{}</code>", Text(&next.subject));
                }
                out.push_str("</p>");
            }
            None => out.push_str("<p class=\"next dim\">Nothing was recorded after it.</p>"),
        }
        out.push_str("</li>");
    }
    out.push_str("</ol>");
}

/// Opens a table; the first column holds names, the others numbers or times.
fn table(out: &mut String, caption: &str, head: &[&str]) {
    let _ = write!(
        out,
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table><caption>{0}</caption><thead><tr>",
        Text(caption)
    );
    for (index, name) in head.iter().enumerate() {
        let _ = write!(out, "<th scope=\"col\"{}>{name}</th>", if index == 0 { "" } else { " class=\"n\"" });
    }
    out.push_str("</tr></thead><tbody>");
}

fn row(out: &mut String, name: &str, cells: &[String]) {
    let _ = write!(out, "<tr><th scope=\"row\"><bdi>{}</bdi></th>", Text(name));
    for cell in cells {
        let _ = write!(out, "<td class=\"n\">{cell}</td>");
    }
    out.push_str("</tr>");
}

fn close(out: &mut String) {
    out.push_str("</tbody></table></div>");
}

/// Which checks decided, how often.
pub(super) fn checks(out: &mut String, figures: &Figures) {
    if figures.gates.is_empty() {
        out.push_str("<p>No check decided anything in this period.</p>");
        return;
    }
    table(out, "What the checks decided", &["check", "refused", "asked", "other", "last"]);
    let mut gates: Vec<_> = figures.gates.iter().collect();
    gates.sort_by_key(|(_, gate)| std::cmp::Reverse(gate.denied + gate.asked + gate.allowed));
    for (name, gate) in gates.iter().take(ROWS) {
        let numbers = [gate.denied, gate.asked, gate.allowed].map(grouped);
        row(out, name, &numbers.into_iter().chain(gate.last.map(time)).collect::<Vec<_>>());
    }
    close(out);
}

/// When the breaker tripped and checkpoints were passed.
pub(super) fn marks(out: &mut String, figures: &Figures) {
    if figures.marks.is_empty() {
        out.push_str("<p>No checkpoint ran and no breaker changed in this period, or the profile has none.</p>");
        return;
    }
    out.push_str("<h3>Breaker and checkpoints</h3>");
    dated(out, &figures.marks, figures.marks_in_all);
}

fn dated(out: &mut String, marks: &VecDeque<Mark>, total: u64) {
    out.push_str("<ol class=\"list events\">");
    for mark in marks.iter().rev().take(ROWS) {
        let _ = write!(out, "<li>{} <bdi>{}</bdi></li>", time(mark.time), Text(&mark.says));
    }
    out.push_str("</ol>");
    let left = total.saturating_sub(marks.len().min(ROWS) as u64);
    if left > 0 {
        let _ = write!(out, "<p>{} before these are counted only.</p>", grouped(left));
    }
}

/// Files by the number of calls that touched them.
pub(super) fn files(out: &mut String, figures: &Figures) {
    section(out, "files", "Files touched");
    if figures.files.is_empty() {
        out.push_str("<p>No call named a file.</p></section>");
        return;
    }
    let mut files: Vec<(&String, &File)> = figures.files.iter().collect();
    files.sort_by_key(|(_, file)| std::cmp::Reverse(file.calls));
    let more = if figures.files_left_out > 0 { " at least" } else { "" };
    let _ = write!(
        out,
        "<p>{}{more}, by the tools that name a path; files that shell commands touch are not among them.</p>",
        counted(files.len() as u64, "file", "files")
    );
    let (first, rest) = files.split_at(files.len().min(15));
    files_table(out, "Most touched files", first);
    if !rest.is_empty() {
        let shown = rest.get(..rest.len().min(ROWS)).unwrap_or_default();
        let _ = write!(out, "<details><summary>{} more</summary>", grouped(rest.len() as u64));
        files_table(out, "More files", shown);
        if rest.len() > shown.len() {
            let _ =
                write!(out, "<p>{} are not listed.</p>", counted((rest.len() - shown.len()) as u64, "file", "files"));
        }
        out.push_str("</details>");
    }
    out.push_str("</section>");
}

fn files_table(out: &mut String, caption: &str, files: &[(&String, &File)]) {
    table(out, caption, &["file", "calls", "refused"]);
    for (path, file) in files {
        let tools: Vec<String> =
            file.by_tool.iter().map(|(tool, count)| format!("{} {}", short(tool, 40), grouped(*count))).collect();
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code> <span class=\"dim\">{}</span></th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            Text(&short(path, 240)),
            Text(&tools.join(", ")),
            grouped(file.calls),
            grouped(file.stopped)
        );
    }
    close(out);
}

/// Sessions, the newest first.
pub(super) fn sessions(out: &mut String, figures: &Figures) {
    section(out, "sessions", "Sessions");
    if figures.sessions.is_empty() {
        out.push_str("<p>No record names a session.</p></section>");
        return;
    }
    let mut sessions: Vec<_> = figures.sessions.iter().collect();
    sessions.sort_by_key(|(_, session)| std::cmp::Reverse(session.last));
    out.push_str("<ol class=\"list\">");
    for (id, session) in sessions.iter().take(ROWS) {
        let _ = write!(
            out,
            "<li><p><code>{}</code></p><p>{} to {}: {}, {}, {} failed, {} refused, {} asked</p></li>",
            Text(&short(id, 80)),
            time(session.first),
            time(session.last),
            counted(session.events, "event", "events"),
            counted(session.calls, "call", "calls"),
            grouped(session.failed),
            grouped(session.denied),
            grouped(session.asked)
        );
    }
    out.push_str("</ol>");
    let left = (sessions.len() as u64).saturating_sub(ROWS as u64);
    if left + figures.sessions_left_out > 0 {
        let more = if figures.sessions_left_out > 0 { "At least " } else { "" };
        let _ = write!(out, "<p>{more}{} are not listed.</p>", counted(left, "older session", "older sessions"));
    }
    out.push_str("</section>");
}

/// What hookbin itself could not do.
pub(super) fn faults(out: &mut String, figures: &Figures) {
    section(out, "faults", "Faults");
    if figures.faults.is_empty() {
        out.push_str("<p>No run reported a fault.</p></section>");
        return;
    }
    let _ = write!(out, "<p>{}, the newest first.</p>", counted(figures.faults_in_all, "fault", "faults"));
    dated(out, &figures.faults, figures.faults_in_all);
    out.push_str("</section>");
}

/// The events themselves in folded parts, the newest part open.
pub(super) fn events(out: &mut String, figures: &Figures) {
    section(out, "events", "Events");
    let rows = &figures.rows;
    if rows.is_empty() {
        out.push_str("<p>There are none.</p></section>");
        return;
    }
    let left = figures.records.saturating_sub(rows.len() as u64);
    if left > 0 {
        let _ = write!(
            out,
            "<p>The newest {} of {}, oldest first; the {} before them are in the figures above, and <code>hookbin log export</code> has \
             them all.</p>",
            grouped(LISTED as u64),
            grouped(figures.records),
            grouped(left)
        );
    }
    let rows: Vec<&Row> = rows.iter().collect();
    let parts = rows.chunks(PART).count();
    for (index, part) in rows.chunks(PART).enumerate() {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
        let decided = part.iter().filter(|row| matches!(row.verdict.as_str(), "deny" | "ask")).count() as u64;
        let _ = write!(
            out,
            "<details{}><summary>{} to {}: {}{}</summary><ol class=\"list events\">",
            if index + 1 == parts { " open" } else { "" },
            time(first.time),
            time(last.time),
            counted(part.len() as u64, "event", "events"),
            if decided > 0 { format!(", {} refused or asked", grouped(decided)) } else { String::new() }
        );
        for row in part {
            event(out, row);
        }
        out.push_str("</ol></details>");
    }
    out.push_str("</section>");
}

fn event(out: &mut String, row: &Row) {
    out.push_str("<li>");
    if let Some(hole) = &row.hole {
        let _ = write!(out, "<p class=\"hole\">{}</p>", Text(hole));
    }
    let _ = write!(out, "{} <span class=\"dim\">{}</span> {}", time(row.time), row.seq, Text(&row.event));
    if !row.tool.is_empty() {
        let _ = write!(out, " <bdi>{}</bdi>", Text(&row.tool));
    }
    if !row.agent.is_empty() {
        let _ = write!(out, " <span class=\"dim\">agent {}</span>", Text(&short(&row.agent, 40)));
    }
    if !row.verdict.is_empty() {
        let _ = write!(out, " {} <span class=\"dim\">by {}</span>", chip(&row.verdict), Text(&row.check));
    }
    if row.result == "failure" {
        out.push_str(" <span class=\"dim\">failed</span>");
    }
    if !row.subject.is_empty() {
        let _ = write!(out, " <code>{}</code>", Text(&row.subject));
    }
    if let Some(elapsed) = row.elapsed {
        let _ = write!(out, " <span class=\"dim\">{}</span>", in_words(elapsed));
    }
    out.push_str("</li>");
}
