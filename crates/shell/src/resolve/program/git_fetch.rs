//! Git: branches of one's own that a fetch overwrites, and commits that are cleared away by settings for one command.

use crate::options::Options;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;

/// Settings that say when what no branch holds is cleared away.
const EXPIRES: &[&str] = &["gc.pruneexpire", "gc.reflogexpire", "gc.reflogexpireunreachable"];

impl Interp<'_> {
    /// `git fetch origin +main:main`: the branch is set to what the remote has, whatever was committed to it here.
    pub(in crate::resolve) fn git_fetched(&mut self, options: &Options<'_>, call: &Call) {
        if options.has(&["--dry-run"]) {
            return;
        }
        let forced = options.has(&["-f", "--force"]);
        let refspecs = options.operands.get(1..).unwrap_or_default();
        let overwrites = refspecs.iter().any(|refspec| {
            let plus = refspec.strip_prefix('+');
            let Some((from, to)) = plus.unwrap_or(refspec).split_once(':') else { return false };
            // A branch that is there to look at somebody's proposal.
            let proposal = ["pull/", "refs/pull/", "merge-requests/", "refs/merge-requests/"]
                .iter()
                .any(|begin| from.starts_with(begin));
            (forced || plus.is_some()) && !proposal && is_branch(to)
        });
        if overwrites {
            self.git_act(Kind::GitBranch, "the old place of a branch", call);
        }
    }

    /// `git -c gc.pruneExpire=now gc`
    pub(in crate::resolve) fn git_expires(&mut self, verb: &str, settings: &[(String, String)], call: &Call) {
        let now = |value: &str| matches!(value.to_ascii_lowercase().as_str(), "now" | "all" | "0" | "0.seconds.ago");
        if verb == "gc" && settings.iter().any(|(key, value)| EXPIRES.contains(&key.as_str()) && now(value)) {
            self.git_act(Kind::GitForget, "commits that no branch holds", call);
        }
    }
}

/// Whether a fetch writes a branch of one's own there.
fn is_branch(to: &str) -> bool {
    match to.strip_prefix("refs/") {
        Some(rest) => rest.starts_with("heads/") || rest.starts_with('*'),
        None => !to.is_empty(),
    }
}
