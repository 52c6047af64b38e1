//! The page: its frame, its figures and its charts. What is a long list stands in `lists`.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};

use super::chart::{Bar, Chart, Series};
use super::html::{Text, counted, grouped};
use super::lists;
use super::spent::in_words;
use super::{Choice, Figures, Surroundings};

const STYLE: &str = include_str!("style.css");
const STAMP: &str = "%Y-%m-%d %H:%M:%S";
/// Limits in microseconds of the bars of the chart of durations.
const DURATIONS: &[u64] = &[250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000];
/// Prompts that have a bar of their own.
const PROMPT_BARS: usize = 96;

/// The page as one document: no script, nothing from elsewhere.
pub fn render(figures: &Figures, choice: &Choice, around: &Surroundings) -> String {
    let mut out = String::with_capacity(256 * 1024);
    head(&mut out, figures, choice, around);
    summary(&mut out, figures, around);
    chain(&mut out, around);
    timeline(&mut out, figures);
    lists::refusals(&mut out, figures);
    gates(&mut out, figures, around);
    complexity(&mut out, figures);
    lists::files(&mut out, figures);
    time_spent(&mut out, figures);
    lists::sessions(&mut out, figures);
    lists::faults(&mut out, figures);
    lists::events(&mut out, figures);
    let _ = writeln!(
        out,
        "</main><footer><p>Made by hookbin {} at <time>{} UTC</time> from the audit log. Secrets were taken out before anything was \
         written there; commands and paths are as they were, so look at the page before you pass it on.</p></footer></body></html>",
        env!("CARGO_PKG_VERSION"),
        around.now.format(STAMP)
    );
    out
}

/// A moment, as an element.
pub(super) fn time(time: DateTime<Utc>) -> String {
    format!("<time>{}</time>", time.format(STAMP))
}

/// The head of a section; each is a landmark with a name.
pub(super) fn section(out: &mut String, id: &str, title: &str) {
    let _ = write!(out, "<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{title}</h2>");
}

/// The parts of the page, as the contents name them.
const PARTS: &[(&str, &str)] = &[
    ("chain", "Chain"),
    ("timeline", "Timeline"),
    ("refusals", "Refusals"),
    ("gates", "Gates and status"),
    ("complexity", "Complexity"),
    ("files", "Files"),
    ("time", "Time in hooks"),
    ("sessions", "Sessions"),
    ("faults", "Faults"),
    ("events", "Events"),
];

fn head(out: &mut String, figures: &Figures, choice: &Choice, around: &Surroundings) {
    let project = around.project.rsplit(['/', '\\']).next().unwrap_or_default();
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"referrer\" content=\"no-referrer\"><title>{0} · hookbin report</title><style>{STYLE}</style></head><body>\
         <a class=\"skip\" href=\"#main\">Skip to the figures</a><header><h1><bdi>{0}</bdi></h1>\
         <p class=\"dim\"><code>{1}</code> · profile {2}</p>",
        Text(project),
        Text(&around.project),
        Text(&around.profiles.join(" + "))
    );
    if let Some(session) = &choice.session {
        let _ = write!(out, "<p>Session <code>{}</code></p>", Text(session));
    }
    out.push_str("<p>");
    match (figures.first, figures.last) {
        (Some(first), Some(last)) => {
            let _ = write!(out, "From {} to {}, UTC", time(first), time(last));
        }
        _ => out.push_str("No record of this choice is in the log"),
    }
    let bounds = [("since", choice.since), ("until", choice.until)];
    for (name, at) in bounds.into_iter().filter_map(|(name, at)| Some((name, at?))) {
        let _ = write!(out, "; chosen {name} {}", time(at));
    }
    out.push_str(".</p></header><nav aria-label=\"Contents\"><ul>");
    for (id, title) in PARTS {
        let _ = write!(out, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    out.push_str("</ul></nav><main id=\"main\">");
}

fn summary(out: &mut String, figures: &Figures, around: &Surroundings) {
    let verdict = |name: &str| grouped(figures.verdicts.get(name).copied().unwrap_or(0));
    let spent = &figures.spent_in_all;
    let chain = match (&around.chain, &around.missing) {
        (Some(report), None) if report.is_good() => "whole",
        (_, Some(_)) | (Some(_), None) => "not whole",
        (None, None) => "no log",
    };
    let tiles = [
        ("Events", grouped(figures.records)),
        ("Refused", verdict("deny")),
        ("Asked", verdict("ask")),
        ("Allowed", verdict("allow")),
        ("Prompts", grouped(figures.prompts_in_all)),
        ("Sessions", grouped(figures.sessions.len() as u64)),
        ("Median decision", if spent.count() == 0 { "not recorded".to_owned() } else { in_words(spent.at(500)) }),
        ("Chain", chain.to_owned()),
    ];
    out.push_str("<section aria-label=\"Summary\"><dl class=\"tiles\">");
    for (name, value) in tiles {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", Text(&value));
    }
    out.push_str("</dl></section>");
}

fn chain(out: &mut String, around: &Surroundings) {
    section(out, "chain", "Chain of the log");
    let findings: Vec<String> =
        around.chain.iter().flat_map(|report| &report.findings).map(ToString::to_string).collect();
    match &around.chain {
        Some(report) => {
            let good = report.is_good() && around.missing.is_none();
            let _ = write!(
                out,
                "<div class=\"box {}\"><p><strong>The chain is {}.</strong> {} ({} to {}) in {}, the whole log and not only the chosen \
                 part.</p>",
                if good { "good" } else { "bad" },
                if good { "whole" } else { "NOT whole" },
                counted(report.records, "record", "records"),
                grouped(report.first_seq),
                grouped(report.last_seq),
                counted(report.files as u64, "file", "files"),
            );
        }
        None => out.push_str("<div class=\"box\"><p>There is no log.</p>"),
    }
    let all: Vec<&String> = around.missing.iter().chain(&findings).collect();
    if !all.is_empty() {
        out.push_str("<ul>");
        for finding in all.iter().take(100) {
            let _ = write!(out, "<li>{}</li>", Text(finding));
        }
        out.push_str("</ul>");
        let more =
            all.len().saturating_sub(100) as u64 + around.chain.as_ref().map_or(0, |report| report.more_findings);
        if more > 0 {
            let _ = write!(out, "<p>And {} more; <code>hookbin log verify</code> names them.</p>", grouped(more));
        }
    }
    out.push_str("</div></section>");
}

fn timeline(out: &mut String, figures: &Figures) {
    section(out, "timeline", "Timeline");
    let slots = figures.slots.all();
    if slots.is_empty() {
        out.push_str("<p>Nothing happened in this period.</p></section>");
        return;
    }
    let width = figures.slots.width_in_words();
    let axis = |at: Option<&(DateTime<Utc>, _)>| {
        at.map_or_else(String::new, |(begin, _)| begin.format("%Y-%m-%d %H:%M").to_string())
    };
    let ends = [axis(slots.first()), axis(slots.last())];
    let label = |begin: &DateTime<Utc>| begin.format(STAMP).to_string();
    out.push_str("<div class=\"two\">");
    let bars = slots
        .iter()
        .map(|(begin, count)| Bar { label: label(begin), values: vec![count.events], height: None })
        .collect();
    let top = slots.iter().map(|(_, count)| count.events).max().unwrap_or(0);
    Chart {
        id: "c-events",
        title: format!("Events per {width}"),
        says: format!(
            "{} in {}.",
            counted(figures.records, "event", "events"),
            counted(slots.len() as u64, "slot", "slots")
        ),
        series: &[("event", "events")],
        of: "from (UTC)",
        bars,
        ends: ends.clone(),
        top: format!("top: {}", grouped(top)),
    }
    .render(out);
    let (denied, asked) =
        slots.iter().fold((0, 0), |(denied, asked), (_, count)| (denied + count.denied, asked + count.asked));
    if denied + asked == 0 {
        out.push_str("<figure><figcaption>Refused and asked</figcaption><p>Nothing was refused and nobody was asked.</p></figure>");
    } else {
        const SERIES: &[Series] = &[("deny", "refused"), ("ask", "asked")];
        let bars = slots
            .iter()
            .map(|(begin, count)| Bar { label: label(begin), values: vec![count.denied, count.asked], height: None })
            .collect();
        let top = slots.iter().map(|(_, count)| count.denied + count.asked).max().unwrap_or(0);
        Chart {
            id: "c-verdicts",
            title: format!("Refused and asked per {width}"),
            says: format!("{} refused, {} asked about.", grouped(denied), grouped(asked)),
            series: SERIES,
            of: "from (UTC)",
            bars,
            ends,
            top: format!("top: {}", grouped(top)),
        }
        .render(out);
    }
    out.push_str("</div></section>");
}

fn gates(out: &mut String, figures: &Figures, around: &Surroundings) {
    section(out, "gates", "Gates and status");
    if around.standing.is_empty() {
        out.push_str("<p>No status file or breaker belongs to this project's profile.</p>");
    } else {
        let _ = write!(
            out,
            "<table><caption>As it stands now, {} UTC</caption><thead><tr><th scope=\"col\">what</th><th scope=\"col\">state</th></tr></thead><tbody>",
            time(around.now)
        );
        for standing in &around.standing {
            let _ = write!(
                out,
                "<tr><th scope=\"row\">{}</th><td>{}{}</td></tr>",
                standing.what,
                if standing.bad { "<b class=\"v deny\">attention</b> " } else { "" },
                Text(&standing.says)
            );
        }
        out.push_str("</tbody></table>");
    }
    lists::checks(out, figures);
    lists::marks(out, figures);
    out.push_str("</section>");
}

fn complexity(out: &mut String, figures: &Figures) {
    section(out, "complexity", "Complexity of prompts");
    if figures.prompts_in_all == 0 {
        out.push_str("<p>No prompt was recorded.</p></section>");
        return;
    }
    if figures.prompts.is_empty() {
        let _ = write!(
            out,
            "<p>{}; none of them was scored. A profile with the check <code>complexity</code> scores them.</p></section>",
            counted(figures.prompts_in_all, "prompt", "prompts")
        );
        return;
    }
    let prompts: Vec<_> = figures.prompts.iter().collect();
    let size = prompts.len().div_ceil(PROMPT_BARS);
    let highest =
        |group: &[&super::metrics::Prompt]| group.iter().max_by_key(|prompt| prompt.c).map(|prompt| (*prompt).clone());
    let shown: Vec<_> = prompts.chunks(size).filter_map(highest).collect();
    let bars = shown.iter().map(|prompt| Bar {
        label: format!("{}, {}", prompt.time.format(STAMP), prompt.tier),
        values: vec![prompt.c],
        height: Some(magnitude(prompt.c)),
    });
    let top = shown.iter().map(|prompt| prompt.c).max().unwrap_or(0);
    let stamp = |prompt: Option<&super::metrics::Prompt>| {
        prompt.map_or_else(String::new, |it| it.time.format(STAMP).to_string())
    };
    let title = if size == 1 {
        "Complexity C of each prompt".to_owned()
    } else {
        format!("Highest complexity C of each {size} prompts")
    };
    Chart {
        id: "c-complexity",
        title,
        says: format!(
            "{} scored, the highest has C {}. The scale is logarithmic.",
            counted(figures.scored_in_all, "prompt", "prompts"),
            grouped(top)
        ),
        series: &[("event", "C")],
        of: "prompt, tier",
        bars: bars.collect(),
        ends: [stamp(shown.first()), stamp(shown.last())],
        top: format!("top: {}, logarithmic", grouped(top)),
    }
    .render(out);
    let mut tiers: Vec<(String, u64)> = Vec::new();
    for tier in hook_complexity::Tier::ALL {
        let count = figures.prompts.iter().filter(|prompt| prompt.tier == tier.as_str()).count();
        tiers.push((tier.as_str().to_owned(), count as u64));
    }
    let said: Vec<String> = tiers.iter().map(|(tier, count)| format!("{} {}", grouped(*count), Text(tier))).collect();
    let _ = write!(
        out,
        "<p>{}: {}.</p>",
        counted(figures.scored_in_all, "scored prompt", "scored prompts"),
        said.join(", ")
    );
    if figures.scored_in_all > prompts.len() as u64 {
        let _ = write!(out, "<p>The newest {} are shown and counted by tier.</p>", grouped(prompts.len() as u64));
    }
    out.push_str("</section>");
}

/// The logarithm of a score over the smallest one, as a height.
fn magnitude(c: u64) -> u64 {
    #[allow(clippy::cast_precision_loss, reason = "it is a height in a drawing")]
    let ratio = c.max(hook_complexity::FLOOR) as f64 / hook_complexity::FLOOR as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the logarithm lies between 0 and 45")]
    let height = (ratio.ln() * 1_000.0) as u64;
    height + 200
}

fn time_spent(out: &mut String, figures: &Figures) {
    section(out, "time", "Time spent in hooks");
    let spent = &figures.spent_in_all;
    if spent.count() == 0 {
        out.push_str("<p>These records do not say how long the decisions took.</p></section>");
        return;
    }
    let _ = write!(
        out,
        "<p>{} of decisions in all. It is measured inside the process, from the payload to the record; the start of the process comes on \
         top, on Linux about a millisecond.</p><div class=\"two\">",
        in_words(spent.total())
    );
    let mut bars = Vec::new();
    let mut from = 0;
    for to in DURATIONS.iter().copied().chain([u64::MAX]) {
        // A decision of 0 µs belongs to the first bar.
        let zero = if from == 0 { spent.count() - spent.between(0, u64::MAX) } else { 0 };
        let label = if to == u64::MAX { format!("over {}", in_words(from)) } else { format!("up to {}", in_words(to)) };
        bars.push(Bar { label, values: vec![spent.between(from, to) + zero], height: None });
        from = to;
    }
    let top = bars.iter().flat_map(|bar| &bar.values).max().copied().unwrap_or(0);
    let ends = [bars.first(), bars.last()].map(|bar| bar.map_or_else(String::new, |bar| bar.label.clone()));
    Chart {
        id: "c-time",
        title: "Decisions by duration".to_owned(),
        says: format!("Median {}, longest {}.", in_words(spent.at(500)), in_words(spent.most())),
        series: &[("event", "decisions")],
        of: "duration",
        bars,
        ends,
        top: format!("top: {}", grouped(top)),
    }
    .render(out);
    out.push_str(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Durations by event\"><table><caption>By event</caption><thead><tr>\
         <th scope=\"col\">event</th><th scope=\"col\" class=\"n\">count</th><th scope=\"col\" class=\"n\">median</th>\
         <th scope=\"col\" class=\"n\">95 %</th><th scope=\"col\" class=\"n\">longest</th></tr></thead><tbody>",
    );
    let mut events: Vec<_> = figures.spent.iter().collect();
    events.sort_by_key(|(_, spent)| std::cmp::Reverse(spent.count()));
    for (event, spent) in events.iter().take(40) {
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            Text(event),
            grouped(spent.count()),
            in_words(spent.at(500)),
            in_words(spent.at(950)),
            in_words(spent.most())
        );
    }
    out.push_str("</tbody></table></div></div></section>");
}
