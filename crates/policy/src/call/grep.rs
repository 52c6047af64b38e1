//! Searches: which files a pattern of names lets through.

use hook_shell::path::Places;
use hook_shell::resolve::taint::activate_globs;
use hook_shell::resolve::{Effects, Files, resolve_read};

/// Ways to read the braces of one pattern that are followed.
const MOST_WAYS: usize = 64;

/// Adds what a search shows that is limited to names of a pattern.
pub(super) fn add_glob(report: &mut Effects, dir: Option<&str>, glob: &str, places: &Places, files: &dyn Files) {
    // What is left out is not shown.
    if glob.starts_with('!') {
        return;
    }
    for way in ways(glob) {
        let name = activate_globs(way.rsplit('/').next().unwrap_or(&way));
        let path = match (dir, way.rsplit_once('/')) {
            (Some(dir), _) => format!("{dir}/{name}"),
            (None, Some((before, _))) if !before.contains(['*', '?', '[']) => format!("{before}/{name}"),
            (None, _) => name,
        };
        super::add(report, resolve_read(&path, places, files));
    }
}

/// The patterns that one with braces stands for: `*.{a,b}` is `*.a` and `*.b`.
fn ways(glob: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![glob.to_owned()];
    while let Some(next) = open.pop() {
        if done.len() + open.len() >= MOST_WAYS {
            done.push(next);
            continue;
        }
        // The innermost braces first, so that nesting needs no stack.
        let inner = next.find('}').and_then(|close| {
            let start = next.get(..close)?.rfind('{')?;
            Some((next.get(..start)?, next.get(start + 1..close)?, next.get(close + 1..)?))
        });
        match inner {
            Some((before, choices, after)) => {
                open.extend(choices.split(',').map(|choice| format!("{before}{choice}{after}")));
            }
            None => done.push(next),
        }
    }
    done
}
