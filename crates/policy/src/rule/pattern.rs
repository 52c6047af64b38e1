//! What a user's pattern costs before it is compiled, so that no file decides how long a decision takes.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Steps that the patterns of one file may take to compile. A step is about 20 ns, so that all of them stay far below the deadline of a
/// hook, which compiles those that its call could meet.
pub(crate) const STEPS: u64 = 10_000_000;

/// Steps of any pattern, however small.
pub(crate) const EACH: u64 = 5_000;

/// The steps that compiling a pattern takes, as its parts say: each range of a class, each letter, as often as it is repeated. What is no
/// pattern takes none, since it is not compiled.
pub(crate) fn steps(pattern: &str) -> u64 {
    regex_syntax::parse(pattern).map_or(0, |hir| of(&hir))
}

/// Whether the pattern fits the empty text; `None` where only compiling it can tell.
pub(crate) fn fits_nothing(pattern: &str) -> Option<bool> {
    let hir = regex_syntax::parse(pattern).ok()?;
    match hir.properties() {
        known if known.minimum_len() != Some(0) => Some(false),
        known if known.look_set().is_empty() => Some(true),
        _ => None,
    }
}

fn of(hir: &Hir) -> u64 {
    let all = |parts: &[Hir]| parts.iter().fold(1_u64, |sum, part| sum.saturating_add(of(part)));
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Unicode(class)) => 1 + class.ranges().len() as u64,
        HirKind::Class(Class::Bytes(class)) => 1 + class.ranges().len() as u64,
        HirKind::Repetition(repeated) => {
            let times = repeated.max.unwrap_or_else(|| repeated.min.saturating_add(1)).max(1);
            of(&repeated.sub).saturating_mul(u64::from(times))
        }
        HirKind::Capture(capture) => of(&capture.sub).saturating_add(1),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => all(parts),
    }
}
