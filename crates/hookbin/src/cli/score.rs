//! `hookbin score`: how hard a prompt is, and every reason for it.

use std::io::Read;
use std::ops::Range;

use clap::Args;
use hook_complexity::{Category, Score};
use hook_protocol::lenient;
use serde::Serialize;

use super::table::{clean_short, columns};
use super::{Json, ProfileArg, exit};
use hook_runtime::config::cache;
use hook_runtime::event::scoring;
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct ScoreArgs {
    /// The prompt; `-` for stdin
    text: String,
    #[command(flatten)]
    profile: ProfileArg,
    /// The score of the prompt before, which a short approval takes over
    #[arg(long, value_name = "C")]
    previous: Option<u64>,
    /// Score as `spf`'s origin does: raw matching, floor division, the larger phrase factor alone
    #[arg(long)]
    origin: bool,
    /// Match words anywhere in the text, as `spf`'s own table does, with its false positives
    #[arg(long, conflicts_with = "origin")]
    raw: bool,
    /// Count features of the text beside its words
    #[arg(long, conflicts_with = "origin")]
    features: bool,
    #[command(flatten)]
    json: Json,
}

/// Schema version of the JSON output.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct ScoreJson<'s> {
    version: u32,
    c: u64,
    tier: &'s str,
    analyze: u8,
    build: u8,
    a_optimal: u64,
    base: f64,
    math: u64,
    logic: u64,
    domain: u64,
    multiplier: f64,
    chars: usize,
    own_chars: usize,
    own_c: u64,
    inherited: bool,
    signals: Vec<SignalJson<'s>>,
    factors: Vec<FactorJson<'s>>,
    envelopes: Vec<[usize; 2]>,
    faults: Vec<String>,
}

#[derive(Serialize)]
struct SignalJson<'s> {
    id: &'s str,
    category: &'s str,
    title: &'s str,
    score: u32,
    span: [usize; 2],
    text: &'s str,
}

#[derive(Serialize)]
struct FactorJson<'s> {
    id: &'s str,
    title: &'s str,
    by: f64,
    span: [usize; 2],
}

pub(super) fn run(args: &ScoreArgs, system: &System) -> anyhow::Result<u8> {
    let prompt = if args.text == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        lenient::decode(&bytes).into_owned()
    } else {
        args.text.clone()
    };
    let names = args.profile.names()?;
    let project = hook_runtime::project::Project::find(None, None, system);
    let mut settings = cache::resolve_now(names.as_deref(), project.as_ref(), system).profile.settings.complexity;
    settings.features |= args.features;
    if args.raw {
        settings.matching = hook_policy::profile::Matching::Raw;
    }
    let scorer = if args.origin {
        hook_complexity::Scorer::new(hook_complexity::Options::origin())
    } else {
        scoring::scorer(&settings)
    };
    let score = scorer.score(&prompt, args.previous);
    if !args.json.print(&json(&score, &prompt))? {
        print!("{}", plain(&score, &prompt));
    }
    Ok(if score.faults.is_empty() { exit::GOOD } else { exit::FINDINGS })
}

fn span(range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end]
}

fn json<'s>(score: &'s Score, prompt: &'s str) -> ScoreJson<'s> {
    let signals = score.signals.iter().map(|hit| SignalJson {
        id: &hit.id,
        category: hit.category.as_str(),
        title: &hit.title,
        score: hit.score,
        span: span(&hit.span),
        text: prompt.get(hit.span.clone()).unwrap_or_default(),
    });
    let factor = |factor: &'s hook_complexity::Factor| FactorJson {
        id: factor.id,
        title: factor.title,
        by: factor.by,
        span: span(&factor.span),
    };
    ScoreJson {
        version: VERSION,
        c: score.c,
        tier: score.tier.as_str(),
        analyze: score.analyze,
        build: score.build,
        a_optimal: score.a_optimal,
        base: score.base,
        math: score.sum(Category::Math),
        logic: score.sum(Category::Logic),
        domain: score.sum(Category::Domain),
        multiplier: score.multiplier(),
        chars: score.chars,
        own_chars: score.own_chars,
        own_c: score.own_c,
        inherited: score.inherited,
        signals: signals.collect(),
        factors: score.factors.iter().map(factor).collect(),
        envelopes: score.envelopes.iter().map(|envelope| span(&envelope.span)).collect(),
        faults: score.faults.iter().map(ToString::to_string).collect(),
    }
}

fn plain(score: &Score, prompt: &str) -> String {
    let mut out = format!(
        "C = {}  {}  {} % analysis, {} % building, {} tokens of analysis\n",
        score.c, score.tier, score.analyze, score.build, score.a_optimal
    );
    if score.inherited {
        out.push_str(&format!(
            "taken over from the prompt that this one approves; its own words score {}\n",
            score.own_c
        ));
    }
    out.push_str(&format!(
        "\nlength: {} of {} characters are the user's own, {:.1} points\n",
        score.own_chars, score.chars, score.base
    ));
    let shown = |range: &Range<usize>| {
        format!("\u{201c}{}\u{201d}", clean_short(prompt.get(range.clone()).unwrap_or_default(), 40))
    };
    if score.signals.is_empty() {
        out.push_str("no signal fired\n");
    }
    let rows: Vec<[String; 4]> = score
        .signals
        .iter()
        .map(|hit| [format!("  +{}", hit.score), hit.id.to_string(), hit.title.to_string(), shown(&hit.span)])
        .collect();
    out.push_str(&columns(&rows));
    let whole = 0..prompt.len();
    let rows: Vec<[String; 3]> = score
        .factors
        .iter()
        .map(|factor| {
            let text = if factor.span == whole { String::new() } else { shown(&factor.span) };
            [format!("  \u{d7}{:.2}", factor.by), factor.title.to_owned(), text]
        })
        .collect();
    out.push_str(&columns(&rows));
    let points: f64 = score.signals.iter().map(|hit| f64::from(hit.score)).sum();
    let reached = (score.base + points) * score.multiplier();
    if reached.floor() < u32::try_from(score.own_c).map_or(0.0, f64::from) {
        out.push_str(&format!("which is {reached:.1}; no prompt scores less than {}\n", score.own_c));
    }
    for fault in &score.faults {
        out.push_str(&format!("fault: {fault}\n"));
    }
    out
}
