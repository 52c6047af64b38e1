//! Whether an expression of `find` reaches a file that is known: its tests by name, kind and depth are answered, all others may be true.

use super::taint::{activate_globs, may_match};

/// What is known of a test's outcome.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    No,
    Maybe,
    Yes,
}

impl Said {
    const fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }

    const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Maybe,
        }
    }

    const fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    const fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// One level of brackets.
struct Level {
    /// Whether the level is evaluated at all.
    entered: Said,
    /// What the alternatives before the last `-o` gave.
    before: Said,
    /// What the tests since then gave.
    chain: Said,
    /// What follows is negated.
    negated: bool,
}

impl Level {
    const fn new(entered: Said) -> Self {
        Self { entered, before: Said::No, chain: Said::Yes, negated: false }
    }

    const fn reached(&self) -> Said {
        self.entered.and(self.before.not()).and(self.chain)
    }

    const fn add(&mut self, said: Said) {
        self.chain = self.chain.and(if self.negated { said.not() } else { said });
        self.negated = false;
    }
}

/// A file or directory that a search may come by.
pub(super) struct Found<'a> {
    /// As `find` prints it.
    pub(super) path: &'a str,
    /// Parts below the root.
    pub(super) depth: usize,
    pub(super) dir: bool,
}

/// What a search does to a file that it comes by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// No action is reached.
    No,
    /// Its directory is left out with all that lies in it.
    Pruned,
    /// An action may be.
    Action,
}

/// How far the expression comes with the file; one without an action of its own prints.
pub(super) fn reach(expression: &[String], found: &Found<'_>, words: &[&str]) -> Reach {
    let name = found.path.rsplit('/').next().unwrap_or(found.path);
    let mut levels = vec![Level::new(Said::Yes)];
    let mut acted = false;
    let mut reached = false;
    let mut pruned = false;
    let mut at = 0;
    while let Some(test) = expression.get(at) {
        at += 1;
        let value = expression.get(at).map_or("", String::as_str);
        let Some(level) = levels.last_mut() else { break };
        let takes_value = super::find::has_value(test);
        match test.as_str() {
            "!" | "-not" => level.negated = !level.negated,
            "-a" | "-and" => {}
            "-o" | "-or" => {
                level.before = level.before.or(level.chain);
                level.chain = Said::Yes;
            }
            "," => *level = Level::new(level.entered),
            "(" | "\\(" => {
                let entered = level.reached();
                levels.push(Level::new(entered));
            }
            ")" | "\\)" => {
                if levels.len() > 1
                    && let Some(inner) = levels.pop()
                    && let Some(outer) = levels.last_mut()
                {
                    outer.add(inner.before.or(inner.chain));
                }
            }
            "-prune" => {
                pruned |= level.reached() == Said::Yes;
                level.add(Said::Yes);
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let rest = expression.get(at..).unwrap_or_default();
                let end = rest.iter().position(|arg| matches!(arg.as_str(), ";" | "\\;" | "+")).unwrap_or(rest.len());
                at += end + 1;
                // What it runs may also be a test of what follows.
                acted = true;
                reached |= level.reached() != Said::No;
                level.add(Said::Maybe);
            }
            "-delete" | "-print" | "-print0" | "-ls" => {
                acted = true;
                reached |= level.reached() != Said::No;
                level.add(Said::Yes);
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" | "-printf" => {
                at += 1 + usize::from(test == "-fprintf");
                acted = true;
                reached |= level.reached() != Said::No;
                level.add(Said::Yes);
            }
            _ => {
                let said = answer(test, value, found, name, words);
                // Depth is a limit of the search, wherever it stands.
                if matches!(test.as_str(), "-maxdepth" | "-mindepth") && said == Said::No {
                    return Reach::No;
                }
                level.add(said);
                at += usize::from(takes_value);
            }
        }
    }
    while levels.len() > 1 {
        if let (Some(inner), Some(outer)) = (levels.pop(), levels.last_mut()) {
            outer.add(inner.before.or(inner.chain));
        }
    }
    let printed = levels.first().map_or(Said::No, |level| level.before.or(level.chain));
    if pruned {
        Reach::Pruned
    } else if if acted { reached } else { printed != Said::No } {
        Reach::Action
    } else {
        Reach::No
    }
}

fn answer(test: &str, value: &str, found: &Found<'_>, name: &str, words: &[&str]) -> Said {
    let matches =
        |path: &str| Said::of(may_match(&activate_globs(&value.to_ascii_lowercase()), &path.to_ascii_lowercase()));
    match test {
        "-name" | "-iname" => matches(name),
        "-path" | "-ipath" | "-wholename" | "-iwholename" => matches(found.path),
        // An expression is no pattern: its words tell.
        "-regex" | "-iregex" => {
            let hidden = value.chars().filter(char::is_ascii_alphanumeric).count() == 0;
            let tells = words.iter().chain(&["json"]).any(|word| value.contains(word) && found.path.contains(word));
            if hidden || tells { Said::Maybe } else { Said::No }
        }
        "-type" | "-xtype" => Said::of(value.split(',').any(|kind| kind == if found.dir { "d" } else { "f" })),
        "-maxdepth" => Said::of(!value.parse().is_ok_and(|most: usize| found.depth > most)),
        "-mindepth" => Said::of(!value.parse().is_ok_and(|least: usize| found.depth < least)),
        // Not empty, no link, and nobody's who is unknown.
        "-empty" | "-false" | "-nouser" | "-nogroup" | "-samefile" | "-inum" | "-lname" | "-ilname" => Said::No,
        "-true" | "-depth" | "-mount" | "-xdev" | "-follow" | "-noleaf" | "-daystart" | "-warn" | "-nowarn"
        | "-regextype" => Said::Yes,
        _ => Said::Maybe,
    }
}
