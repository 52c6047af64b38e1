//! Forges and trackers.

use super::Trait::{Silent, TakesText, Versioned};
use super::reads::{VERSION, Way, exactly};
use super::reveals::{REVEALS, Reveals};
use super::runs::{PLATFORM_VALUES, RUNS, Rest, Runs};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Opening a browser is more than reading.
const fn reads(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: &["-w", "--web"], ..Way::ANY }
}

const GH_REVEALS: Reveals = Reveals { words: &[&["auth", "status"]], needs: &["--show-token", "-t"], ..REVEALS };

const GH_DOWNLOAD: Grammar<'_> = Grammar::spelled(&[
    "-R", "--repo", "-D", "--dir", "-n", "--name", "-O", "--output", "-p", "--pattern", "-A", "--archive",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["gh"])
        .is(&[Silent, TakesText, Versioned])
        .tool(Tool::Gh)
        .options(Grammar::spelled(&[
            "-b", "--body", "-F", "--body-file", "-t", "--title", "-H", "--head", "-B", "--base", "--assignee",
            "--label", "--milestone", "--reviewer", "--jq", "--json", "-T", "--template", "--hostname", "-L",
            "--limit", "--method", "--field", "--input", "--cache", "--env", "--org", "--user", "--visibility", "-D",
            "--dir", "-O", "--output", "--pattern", "-R", "--repo", "-n", "--name", "--archive", "-q",
        ]))
        .verbs(&[
            (
                "api",
                Grammar::spelled(&[
                    "-X", "--method", "-f", "--raw-field", "-F", "--field", "-H", "--header", "-q", "--jq", "-t",
                    "--template", "-p", "--preview", "--input", "--cache", "--hostname",
                ]),
            ),
            ("release download", GH_DOWNLOAD),
            ("run download", GH_DOWNLOAD),
        ])
        .reads(&[
            reads(&[
                "pr list", "pr ls", "pr view", "pr status", "pr diff", "pr checks", "issue list", "issue ls",
                "issue view", "issue status", "repo list", "repo view", "run list", "run ls", "run view", "run watch",
                "workflow list", "workflow view", "release list", "release ls", "release view", "gist list",
                "gist view", "search *", "label list", "cache list", "ruleset list", "ruleset view", "ruleset check",
                "secret list", "variable list", "variable get", "ssh-key list", "gpg-key list", "ext list",
                "extension list", "extension search", "ext search", "org list", "project list", "project view",
                "codespace list", "alias list", "config get", "config list", "status",
            ]),
            Way {
                verbs: &["api"],
                but: &["graphql"],
                only: &[
                    "-X:GET|HEAD", "--method:GET|HEAD", "--paginate", "-q=", "--jq=", "-t=", "--template=", "--cache=",
                    "-i", "--include", "-p=", "--preview=", "--slurp", "--silent", "--verbose", "-H=", "--header=",
                ],
                ..Way::ANY
            },
            Way {
                verbs: &["api"],
                but: &["graphql"],
                needs: &["-X", "--method"],
                only: &[
                    "-X:GET|HEAD", "--method:GET|HEAD", "-f=", "--raw-field=", "-q=", "--jq=", "--paginate", "-H=",
                    "--header=",
                ],
                ..Way::ANY
            },
            Way { verbs: &["browse"], needs: &["-n", "--no-browser"], ..Way::ANY },
            VERSION,
        ])
        .runs(&[Runs {
            verbs: &["codespace ssh", "cs ssh"],
            values: PLATFORM_VALUES,
            dashes: true,
            rest: Rest::Line,
            remote: true,
            ..RUNS
        }])
        .reveals(&[Reveals { words: &[&["auth", "token"]], ..REVEALS }, GH_REVEALS]),
    &row(&["glab"])
        .is(&[TakesText])
        .tool(Tool::Glab)
        .options(Grammar::gnu(&[
            "-R", "--repo", "-D", "--dir", "-p", "--pattern", "-n", "--name", "-g", "--group", "-F", "--output", "-P",
            "--page", "--per-page",
        ]))
        .reads(&[
            reads(&[
                "mr list", "mr view", "mr diff", "issue list", "issue view", "ci list", "ci status", "repo view",
                "release list", "release view",
            ]),
            exactly(&["version", "--version"]),
        ])
        .reveals(&[Reveals { words: &[&["auth", "token"]], ..REVEALS }, GH_REVEALS]),
    &row(&["jira", "linear", "slack"]).is(&[TakesText]),
    &row(&["degit", "giget", "tiged"])
        .tool(Tool::Degit)
        .options(Grammar::spelled(&["-m", "--mode", "--auth", "--cwd", "--registry"])),
];
