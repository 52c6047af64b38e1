//! Git: what it cannot bring back, what is made anew on the same line, and what runs from now on by its settings.

use crate::options::{Options, option_words, plain_words};
use crate::path::below;
use crate::programs::Tool;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;
use crate::resolve::state::Data;
use crate::resolve::value::is_marker;

/// Settings that variables hold.
const MOST_SETTINGS: usize = 4096;

impl Interp<'_> {
    /// Settings that git is given for one command: by `-c`, by `--config-env`, and by variables.
    pub(super) fn settings_given(&self, options: &Options<'_>) -> Vec<(String, String)> {
        let mut settings = settings_of(options, &["-c"]);
        for (key, name) in settings_of(options, &["--config-env"]) {
            settings.extend(self.variable(&name).map(|value| (key, value.to_string())));
        }
        // The first number that is missing ends them.
        for index in 0..MOST_SETTINGS {
            let Some(key) = self.variable(&format!("GIT_CONFIG_KEY_{index}")) else { break };
            let value = self.variable(&format!("GIT_CONFIG_VALUE_{index}")).unwrap_or_default();
            settings.push((key.to_ascii_lowercase(), value.to_string()));
        }
        settings
    }

    /// The way up to the top of the repository, where the shell stands in the project.
    pub(super) fn way_up(&self) -> Option<Data> {
        let cwd = self.state.cwd().filter(|_| !self.state.remote)?;
        let rest = if cwd == self.places.project { "" } else { below(cwd, &self.places.project)? };
        Some(Data::from("../".repeat(rest.split('/').filter(|part| !part.is_empty()).count())))
    }

    /// `git push`: what it overwrites or removes on the remote.
    pub(super) fn push(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-o", "--push-option", "--receive-pack", "--exec", "--repo"]);
        if options.has(&["-n", "--dry-run"]) {
            return;
        }
        let refs = options.operands.get(1..).unwrap_or_default();
        // `--force-with-lease` is the careful form, and not cut short.
        let forced = options.spells(&["-f", "--force", "--forc", "--for"])
            || refs.iter().any(|refspec| refspec.starts_with('+'));
        if forced || options.spells(&["--mirror", "--mirro", "--prune"]) {
            self.git_act(Kind::GitPush, "branches of the remote", call);
        } else if options.spells(&["--force-with-lease", "--force-if-includes"]) {
            self.git_act(Kind::GitLease, "a branch of the remote", call);
        } else if (options.has(&["-d", "--delete"]) && refs.iter().any(|refspec| is_trunk(refspec)))
            || refs.iter().filter_map(|refspec| refspec.strip_prefix(':')).any(is_trunk)
        {
            self.git_act(Kind::GitPush, "the branch of the remote that all others come from", call);
        } else if options.has(&["-d", "--delete"]) || refs.iter().any(|refspec| refspec.starts_with(':')) {
            self.git_act(Kind::GitBranch, "a branch or tag of the remote", call);
        }
        self.option_line(&options, &["--receive-pack", "--exec"], call);
    }

    /// `git clean`: what is not tracked goes, or only what is ignored and comes again.
    pub(super) fn clean(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, &["-e", "--exclude"]);
        let asks = options.has(&["-i", "--interactive"]);
        let forced = options.has(&["-f", "--force"]) && !asks || asks && !call.stdin.is_empty();
        if !forced || options.has(&["-n", "--dry-run"]) || self.stands_in_made() {
            return;
        }
        let what = "files that git does not track";
        let ignored = options.spells(&["-X"]) && !options.has(&["-x"]);
        if !ignored {
            self.git_act(Kind::GitClean, what, call);
            self.own_paths(&options.operands, call);
        } else if options.operands.is_empty() || options.operands.contains(&".") {
            // The guard's own folder is ignored as well.
            self.doubtfully(Kind::GitClean, what, call);
        } else {
            self.own_paths(&options.operands, call);
        }
    }

    /// Whether this line has told git that `clean` needs no force.
    pub(super) fn clean_unlocked(&self) -> bool {
        self.report.runs.iter().filter(|run| run.tool() == Tool::Git).any(|run| {
            run.args.windows(2).any(
                |pair| matches!(pair, [key, value] if key.eq_ignore_ascii_case("clean.requireforce") && is_no(value)),
            )
        })
    }

    /// Whether this line lists the files that git does not track.
    pub(super) fn untracked_listed(&self) -> bool {
        let runs = &self.report.runs;
        let lists = runs.iter().any(|run| {
            run.tool() == Tool::Git && run.args.iter().any(|arg| arg == "ls-files") && lists_untracked(&run.args)
        });
        // Those of one kind that a pattern chooses are not all of them.
        let chosen = runs.iter().any(|run| {
            matches!(run.tool(), Tool::Grep | Tool::Fgrep | Tool::Rg)
                && !option_words(&run.args).any(|arg| arg.contains('v'))
                && plain_words(&run.args).any(|arg| arg.chars().filter(|c| c.is_alphanumeric()).count() > 1)
        });
        lists && !chosen
    }

    /// Remembers a folder that this line makes.
    pub(super) fn made(&mut self, folder: &str) {
        if let Some(folder) = self.absolute(folder).filter(|_| self.made.len() < 64) {
            self.made.insert(folder);
        }
    }

    /// Whether the shell stands in a repository that this line has made, so that nothing in it can be lost.
    pub(in crate::resolve) fn stands_in_made(&self) -> bool {
        !self.made.is_empty()
            && self.state.cwds.iter().all(|cwd| {
                cwd.as_ref().is_some_and(|cwd| self.made.iter().any(|made| cwd == made || below(cwd, made).is_some()))
            })
    }

    /// A setting that makes git run a command which is none of those that everybody has.
    pub(super) fn git_runs(&mut self, key: &str, value: &str, call: &Call) {
        if self.is_running_setting(key, value) {
            self.git_act(Kind::GitRuns, shown(&format!("{key} {value}")), call);
        }
    }
}

pub(super) fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0"].iter().any(|no| value.eq_ignore_ascii_case(no))
}

pub(super) fn lists_untracked(args: &[String]) -> bool {
    let options = Options::all(args, &["-x", "-X", "--exclude", "--exclude-from"]);
    options.has(&["-o", "--others"]) && !options.has(&["-i", "--ignored"])
}

/// Whether all of them are lists of versions, which their programs write anew.
pub(super) fn are_locks(paths: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum", "packages.lock.json",
        "gradle.lockfile", "Package.resolved",
    ];
    !paths.is_empty()
        && paths.iter().all(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            NAMES.contains(&name)
                || name.len() > 5 && !name.contains(is_marker) && name.rsplit('.').next() == Some("lock")
        })
}

/// Settings given on the command line, as names in lower case and values.
pub(super) fn settings_of(options: &Options<'_>, names: &[&str]) -> Vec<(String, String)> {
    options
        .values(names)
        .filter_map(|setting| setting.split_once('='))
        .map(|(key, value)| (key.to_ascii_lowercase(), value.to_owned()))
        .collect()
}

/// Whether a branch is what a repository's other branches come from.
fn is_trunk(branch: &str) -> bool {
    matches!(branch.strip_prefix("refs/heads/").unwrap_or(branch), "main" | "master" | "trunk")
}
