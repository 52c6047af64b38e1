//! Verbs of command lines: which words say that something is destroyed, and which say that it is not.

use super::command::{fits, has_flag, scan, starts_with};
use hook_shell::programs::Invocation;
use hook_shell::resolve::taint::is_placeholder;

/// Programs whose commands are nouns and a verb, of which the first verb decides: `aws ec2 terminate-instances`, `gh repo delete`,
/// `heroku apps:destroy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verbs {
    /// Names of the programs: lower case, without directory and ending.
    pub programs: &'static [&'static str],
    /// The verb is one of so many first words. A word that may be the value of an option does not count.
    pub depth: u8,
    /// Further verbs of these programs that destroy, as `a|b*`.
    pub more: &'static str,
    /// Commands that destroy nothing that matters, by their first words.
    pub less: &'static [&'static [&'static str]],
    /// Options with which nothing is destroyed.
    pub without: &'static [&'static str],
}

/// Words that destroy, whatever the program.
const DESTROY: &[&str] = &[
    "delete", "del", "destroy", "remove", "rm", "rb", "purge", "drop", "terminate", "revoke", "unregister",
    "deregister", "prune", "wipe", "truncate", "uninstall", "nuke", "erase", "expunge", "undefine", "undeploy",
    "teardown", "deprovision", "decommission", "unpublish", "rmdir", "rmdirs", "deletefile", "deleteall",
];

/// Beginnings and ends of compound words that destroy: `delete-stack`, `vm-destroy`, `terminateInstances` is not one.
const DESTROY_PART: &[&str] = &[
    "delete", "destroy", "remove", "purge", "drop", "terminate", "revoke", "unregister", "deregister", "uninstall",
    "wipe", "truncate", "prune", "del", "rm", "erase", "decommission",
];

/// What may stand before the verb in a compound word.
const MODIFIERS: &[&str] = &["batch", "bulk", "admin", "force", "permanent", "permanently", "mass", "hard", "cascade"];

/// Words that do something else, whatever the program. Words that are also nouns somewhere (`run`, `release`, `deploy`) are not here.
const ELSE: &[&str] = &[
    "list", "ls", "lsd", "lsl", "get", "show", "describe", "view", "status", "info", "inspect", "cat", "help",
    "version", "create", "add", "new", "init", "set", "put", "update", "upsert", "edit", "apply", "plan", "diff",
    "install", "login", "copy", "cp", "pull", "search", "find", "validate", "check", "lint", "explain", "export",
    "open", "watch", "wait", "head", "stat", "du", "tree", "download", "upload", "read", "query", "enable", "start",
    "resume", "restart", "reload", "invoke", "send", "publish", "lookup", "exists", "count", "preview", "whoami",
    "completion", "rename", "undelete", "recover", "annotate", "tail", "verify", "attach", "fork", "browse", "serve",
    "dev", "extract", "sign", "fmt", "generate", "exec", "ssh", "close", "reopen", "consume", "produce", "trigger",
    "launch", "checkout", "merge",
];

/// Beginnings of compound words that do something else: `list-functions`.
const ELSE_PART: &[&str] = &["add", "list", "get", "describe", "show", "create"];

/// What a word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Destroys,
    Else,
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// What a word says as a verb; `None` if it is none that is known.
fn says(word: &str) -> Option<Says> {
    if word.contains(is_placeholder) {
        return None;
    }
    // `apps:destroy`, `kv:key`, `vm.destroy`; an address or an archive (`repo::name`) is no word of a command.
    let plain =
        word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.')) && !word.contains("::");
    if !plain {
        return None;
    }
    let last = word.rsplit([':', '.']).next().unwrap_or(word);
    if is_one_of(last, DESTROY) {
        return Some(Says::Destroys);
    }
    let mut parts = last.split(['-', '_']);
    let first = parts.next().unwrap_or(last);
    if let Some(second) = parts.next() {
        let end = last.rsplit(['-', '_']).next().unwrap_or(last);
        let destroys = is_one_of(first, DESTROY_PART)
            || is_one_of(first, MODIFIERS) && is_one_of(second, DESTROY_PART)
            || !is_one_of(first, ELSE_PART) && is_one_of(end, DESTROY_PART);
        let otherwise = is_one_of(first, ELSE_PART).then_some(Says::Else);
        return if destroys { Some(Says::Destroys) } else { otherwise };
    }
    is_one_of(last, ELSE).then_some(Says::Else)
}

impl Verbs {
    /// Whether the arguments name something that destroys. Whether the call only shows something is not asked here.
    pub(super) fn fits(&self, of: &Invocation<'_>) -> bool {
        self.destroys(of) && !has_flag(of, self.without) && !self.less.iter().any(|words| starts_with(of, words))
    }

    fn destroys(&self, of: &Invocation<'_>) -> bool {
        let mut words = 0;
        for operand in scan(of).operands() {
            let arg = operand.word;
            if !self.more.is_empty() && fits(arg, self.more) {
                return true;
            }
            match says(arg) {
                Some(Says::Destroys) => return true,
                Some(Says::Else) => return false,
                None => {}
            }
            if !operand.may_be_value {
                words += 1;
                if words >= self.depth {
                    return false;
                }
            }
        }
        false
    }
}
