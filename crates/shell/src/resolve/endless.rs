//! Loops without end that leave processes behind, and functions that start themselves again and again.

use super::taint::UNKNOWN;
use crate::syntax::{Command, Compound, Item, Link, List, Part, Word};

/// Whether a condition always holds: `true`, `:`, `[ 1 ]`, `[[ x ]]`, `((1))`.
pub(super) fn endless(condition: &List, until: bool) -> bool {
    let [item] = condition.items.as_slice() else { return false };
    let [command] = item.pipeline.stages.as_slice() else { return false };
    if item.pipeline.negated {
        return false;
    }
    let words: Vec<String> = match &command.kind {
        Compound::Simple(simple) => simple.words.iter().map(plain).collect(),
        Compound::Test(words) => return !until && words.len() == 1,
        Compound::Arith(word) => return !until && plain(word).parse::<i64>().is_ok_and(|number| number != 0),
        _ => return false,
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["true" | ":" | "/bin/true" | "/usr/bin/true"] | ["[", _, "]"] | ["test", _] => !until,
        ["false" | "/bin/false" | "/usr/bin/false"] => until,
        _ => false,
    }
}

fn plain(word: &Word) -> String {
    match word.static_value() {
        crate::syntax::Static::Known(text) => text,
        // `[` is a pattern character and yet the name of a command.
        _ => match word.parts.as_slice() {
            [Part::Glob('[')] => "[".to_owned(),
            _ => UNKNOWN.to_string(),
        },
    }
}

/// The first word of a simple command.
fn first_word(command: &Command) -> Option<String> {
    command.as_simple().and_then(|simple| simple.words.first()).map(plain)
}

/// Whether each turn of a loop leaves a process behind: one is started in the background, and nothing after it waits or leaves.
pub(super) fn breeds(body: &List) -> bool {
    let Some(last) = body.items.iter().rposition(|item| item.background) else { return false };
    let leaves = |item: &Item, words: &[&str]| {
        let [only] = item.pipeline.stages.as_slice() else { return false };
        item.link == Link::Then && first_word(only).is_some_and(|word| words.contains(&word.as_str()))
    };
    let waits_after = body.items.iter().skip(last + 1).any(|item| leaves(item, &["wait", "break", "exit", "return"]));
    // What leaves before anything is started ends the loop as well.
    let leaves_before =
        body.items.iter().take(last).any(|item| !item.background && leaves(item, &["break", "exit", "return"]));
    !waits_after && !leaves_before
}

/// Whether a function starts itself in the background or in a pipeline, as a fork bomb does.
pub(super) fn calls_itself_aside(body: &Command, name: &str) -> bool {
    struct Finder<'n> {
        name: &'n str,
        found: bool,
    }
    impl crate::syntax::Visit for Finder<'_> {
        fn command(&mut self, command: &Command, context: crate::syntax::Context) {
            let itself = first_word(command).is_some_and(|word| word == self.name);
            self.found |= itself && (context.background || context.stages > 1);
        }
    }
    let mut finder = Finder { name, found: false };
    crate::syntax::walk_command(body, &mut finder);
    finder.found
}
