//! Forced pushes: which branches a push writes, whether it does so by force, and the careful form of it.

use super::git::Git;
use crate::facts::Facts;
use crate::repository::Repository;
use crate::rule::advice::{careful_push, is_force, without_force};
use hook_shell::edit::{Edit, Text};
use hook_shell::options::{Grammar, Scan};
use hook_shell::resolve::quoted;
use hook_shell::resolve::taint::is_literal;

const VALUES: &[&str] = &["-o", "--push-option", "--receive-pack", "--exec", "--repo"];

/// What a push does to the remote's branches.
pub(super) struct Push {
    /// It overwrites what the remote has, whatever that is.
    pub(super) forced: bool,
    /// It makes the remote equal to this repository, or removes branches there.
    pub(super) removes: bool,
    /// One of the branches that it writes by force or removes is a main branch.
    pub(super) hits_main: bool,
    /// Which branches it writes is not known for certain.
    pub(super) is_uncertain: bool,
    /// The same push without force.
    pub(super) plain: Option<String>,
    /// The same push, which stops where somebody else has pushed in between.
    pub(super) careful: Option<String>,
}

/// Reads a push; `None` if it is harmless.
pub(super) fn read(git: &Git<'_>, repository: Option<&Repository>, main: &[String], facts: &dyn Facts) -> Option<Push> {
    let options = git.options(VALUES);
    if options.has(&["-n", "--dry-run"]) && !options.has(&["--no-dry-run"]) {
        return None;
    }
    let flagged =
        Scan::new(&git.args, Grammar { ends: true, ..Grammar::WORDS }).options().any(|given| is_force(given.word));
    let everything = options.spells(&["--mirror", "--mirro", "--prune"]);
    let deletes = options.has(&["-d", "--delete"]);
    let refs =
        if options.has(&["--repo"]) { &options.operands[..] } else { options.operands.get(1..).unwrap_or_default() };
    let plus = refs.iter().any(|spec| spec.starts_with('+'));
    let gone = |spec: &&str| deletes || spec.trim_start_matches('+').starts_with(':') && spec.len() > 1;
    let removes = everything || refs.iter().any(gone);
    if !flagged && !plus && !removes {
        return None;
    }
    let is_main = |branch: &str| match repository {
        Some(repository) => repository.is_main(branch, main),
        None => main.iter().any(|name| name.eq_ignore_ascii_case(branch)),
    };
    let mut hits_main = false;
    let mut is_uncertain = false;
    let mut written = |spec: &str| {
        let spec = spec.trim_start_matches('+');
        let (from, to) = spec.split_once(':').unwrap_or((spec, spec));
        let to = if to.is_empty() { from } else { to };
        let name = to.strip_prefix("refs/heads/").or_else(|| to.strip_prefix("heads/")).unwrap_or(to);
        if matches!(name, "HEAD" | "@") {
            hits_main |= repository.and_then(Repository::branch).is_some_and(is_main);
        } else if !is_literal(name) {
            is_uncertain = true;
        } else {
            // `:` alone stands for every branch that both sides have.
            hits_main |= is_main(name) || name.contains('*') || spec == ":";
        }
    };
    let named_all = everything || options.spells(&["--all", "--branches"]);
    let unnamed = refs.is_empty() && !named_all && !options.has(&["--tags"]);
    let way = if unnamed { git.setting("push.default", facts) } else { None };
    if named_all || way.as_deref() == Some("matching") {
        hits_main = flagged || plus || everything;
    } else if unnamed {
        let remote = options.value(&["--repo"]).or_else(|| options.operands.first().copied()).unwrap_or("origin");
        let branch = repository.and_then(Repository::branch);
        let upstream = || git.setting(&format!("branch.{}.merge", branch?), facts);
        match git.setting(&format!("remote.{remote}.push"), facts) {
            Some(spec) => written(&spec),
            None if matches!(way.as_deref(), Some("upstream" | "tracking")) => {
                written(upstream().as_deref().unwrap_or("HEAD"));
            }
            None => written("HEAD"),
        }
    } else {
        refs.iter().filter(|spec| flagged || spec.starts_with('+') || gone(spec)).for_each(|spec| written(spec));
    }
    let unforced = |careful: bool| {
        let known = git.args.iter().all(|arg| is_literal(arg)) && !git.run.stand.remote;
        let mut out = vec!["git".to_owned()];
        let before = git.run.args.len().saturating_sub(git.args.len() + 1);
        out.extend(git.run.args.iter().take(before).map(|arg| quoted(arg)));
        out.push("push".to_owned());
        if careful {
            out.push("--force-with-lease".to_owned());
        }
        for arg in &git.args {
            let arg = if is_force(arg) { without_force(arg).unwrap_or_default() } else { arg.clone() };
            let arg = arg.strip_prefix('+').map_or(arg.clone(), str::to_owned);
            if !arg.is_empty() {
                out.push(quoted(&arg));
            }
        }
        known.then(|| out.join(" "))
    };
    Some(Push {
        forced: flagged || plus,
        removes,
        hits_main,
        is_uncertain,
        plain: unforced(false).filter(|_| !removes),
        careful: unforced(true).filter(|_| !removes),
    })
}

/// The changes that make a forced push a careful one; nothing if its words are not in the text.
pub(super) fn edits(git: &Git<'_>, text: &Text<'_>) -> Vec<Edit> {
    let Some(place) = text.command_at(git.run.span) else { return Vec::new() };
    let mut words = place.words.iter();
    if !words.by_ref().any(|word| text.value(word).is_some_and(|value| value == "push" || value == "git-push")) {
        return Vec::new();
    }
    careful_push(words.filter_map(|word| Some((text.value(word)?, word.span))))
}
