//! Scores standard input and says why: `echo 'Refactor the parser' | cargo run --example explain`.
#![allow(clippy::print_stdout, reason = "a program that prints its answer")]

use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut prompt = String::new();
    std::io::stdin().read_to_string(&mut prompt)?;
    let scorer = if std::env::args().any(|argument| argument == "--features") {
        hook_complexity::Scorer::new(hook_complexity::Options::calibrated())
    } else {
        hook_complexity::Scorer::default()
    };
    let score = scorer.score(&prompt, None);
    println!(
        "C {} {} analyze {} % build {} % a_optimal {}",
        score.c, score.tier, score.analyze, score.build, score.a_optimal
    );
    println!("length {:.1} ({} of {} characters are the person's own)", score.base, score.own_chars, score.chars);
    for hit in &score.signals {
        let text = prompt.get(hit.span.clone()).unwrap_or_default();
        let text: String = text.chars().take(60).collect();
        println!("+{} {} {} ({}): {text:?}", hit.score, hit.id, hit.title, hit.category.as_str());
    }
    for factor in &score.factors {
        println!("×{:.1} {} ({})", factor.by, factor.id, factor.title);
    }
    for envelope in &score.envelopes {
        println!("apart: {} at {:?}", envelope.kind.as_str(), envelope.span);
    }
    Ok(())
}
