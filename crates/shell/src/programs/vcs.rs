//! Version control, and programs that bring settings into a home directory.

use super::Trait::{Destructive, Installs, Replaces, Silent, System};
use super::keeps::{Keeps, Tree};
use super::reads::{Operands, Way, few, only};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Rest, Runs};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Options with which commands that show differences write a file, or start a program that settings name.
const SHOWS: &[&str] = &["--output", "--ext-diff", "--textconv", "--open-files-in-pager", "-O"];

const fn shows(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: SHOWS, ..Way::ANY }
}

/// The verb with these options alone, and so many operands.
const fn verb(verb: &'static [&'static str], options: &'static [&'static str], operands: usize) -> Way {
    Way { verbs: verb, ..few(options, operands) }
}

/// Commands of other programs than git that leave the tree of files as it is.
const LEAVING: &[&str] = &[
    "add", "annotate", "blame", "bookmark", "bookmarks", "branch", "branches", "cat", "changes", "ci", "clone",
    "commit", "config", "debugignore", "diff", "export", "files", "grep", "heads", "help", "id", "identify", "in",
    "incoming", "info", "init", "locate", "log", "manifest", "out", "outgoing", "parents", "paths", "phase", "pull",
    "push", "record", "root", "serve", "show", "showconfig", "st", "stat", "status", "sum", "summary", "tags",
    "timeline", "tip", "verify", "version", "whatsnew",
];

/// The same of programs that bring settings into a home directory.
const HOMES_LEAVING: &[&str] = &[
    "add", "backup", "build", "cd", "check", "compare", "detail", "diff", "files", "generate", "generations", "help",
    "import", "list", "news", "option", "packages", "profiles", "show_path", "status", "track",
];

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["git"])
        .is(&[Silent, Destructive, Replaces, System, Installs])
        .tool(Tool::Git)
        .before(&["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects"])
        .reads(&[
            shows(&[
                "log", "diff", "show", "status", "shortlog", "describe", "blame", "annotate", "rev-parse", "rev-list",
                "ls-files", "ls-tree", "name-rev", "for-each-ref", "show-ref", "show-branch", "merge-base",
                "diff-tree", "diff-files", "diff-index", "count-objects", "check-ignore", "check-attr",
                "check-ref-format", "whatchanged", "grep", "cherry", "range-diff", "verify-commit", "verify-tag",
                "verify-pack", "patch-id", "version", "stash list", "stash show", "worktree list", "submodule status",
                "rerere diff", "rerere status", "bisect log", "notes list", "notes show", "reflog show",
                "reflog exists", "bundle verify", "bundle list-heads", "lfs ls-files", "lfs status", "lfs env",
                "commit-graph verify", "multi-pack-index verify", "remote get-url", "replace -l", "replace --list",
                "cat-file -p", "cat-file -t", "cat-file -s", "cat-file -e", "column", "var", "merge-tree",
            ]),
            Way { verbs: &["fsck"], but: &["--lost-found"], ..Way::ANY },
            Way { verbs: &["hash-object"], but: &["-w"], ..Way::ANY },
            Way { verbs: &["ls-remote"], but: &["--upload-pack", "--exec", "-u", "ext:", "fd:"], ..Way::ANY },
            Way { verbs: &["remote show"], only: &["-n"], ..Way::ANY },
            Way { verbs: &["archive"], but: &["-o", "--output", "--remote", "--exec"], ..Way::ANY },
            Way {
                verbs: &["format-patch"],
                but: &["-o", "--output", "--output-directory", "--ext-diff"],
                needs: &["--stdout"],
                ..Way::ANY
            },
            Way { verbs: &["request-pull"], but: &["--output"], ..Way::ANY },
            verb(&["reflog"], &["-#", "-n=", "--oneline", "--all", "--date=", "--format="], 0),
            verb(&["remote"], &["-v", "--verbose"], 0),
            verb(&["symbolic-ref"], &["-q", "--quiet", "--short"], 1),
            // Without an operand a branch or tag is listed, never made.
            verb(
                &["branch"],
                &[
                    "-a", "--all", "-r", "--remotes", "-v", "--verbose", "-l", "--list", "-i", "--ignore-case",
                    "--show-current", "--color=", "--no-color", "--column=", "--sort=", "--format=", "--merged",
                    "--no-merged", "--contains=", "--no-contains=", "--points-at=", "--abbrev=",
                ],
                0,
            ),
            Way {
                verbs: &["branch"],
                needs: &["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"],
                ..only(&[
                    "-l", "--list", "-a", "--all", "-r", "--remotes", "-v", "-i", "--sort=", "--format=", "--merged",
                    "--no-merged", "--contains=", "--no-contains=", "--points-at=", "--no-color",
                ])
            },
            verb(
                &["tag"],
                &[
                    "-l", "--list", "-n", "-i", "--sort=", "--format=", "--contains=", "--no-contains=",
                    "--points-at=", "--merged", "--no-merged", "--column=",
                ],
                0,
            ),
            Way {
                verbs: &["tag"],
                needs: &["-l", "--list"],
                ..only(&[
                    "-l", "--list", "-n", "-i", "--sort=", "--format=", "--contains=", "--points-at=", "--merged=",
                    "--no-merged=",
                ])
            },
            Way {
                verbs: &["config"],
                needs: &["--get", "--get-all", "--get-regexp", "--list", "-l"],
                operands: Operands::AtMost(2),
                ..only(&[
                    "--get", "--get-all", "--get-regexp", "--list", "-l", "--global", "--local", "--system",
                    "--worktree", "--show-origin", "--show-scope", "--name-only", "-z", "--null", "--type=",
                    "--default=", "--bool", "--int", "--path", "--includes", "--no-includes",
                ])
            },
            Way {
                verbs: &["config get", "config list"],
                only: &[
                    "--global", "--local", "--system", "--all", "--show-origin", "--show-scope", "--name-only",
                    "--default=", "--type=",
                ],
                ..Way::ANY
            },
            // One name alone is looked up.
            Way { verbs: &["config *.*"], ..few(&["--global"], 0) },
            verb(&["--version", "-h", "--help", "version", "--exec-path", "--html-path", "--man-path"], &["-h"], 0),
        ])
        .reveals(&[Reveals {
            words: &[
                &["credential", "fill"],
                &["config", "*extraheader"],
                &["config", "get", "*extraheader"],
                &["credential-*", "get"],
            ],
            personal: true,
            ..REVEALS
        }]),
    &row(&["git-foreach"]).runs(&[Runs { rest: Rest::Line, ..RUNS }]),
    &row(&["chezmoi"])
        .is(&[Silent])
        .options(Grammar::spelled(&[
            "-S", "--source", "-D", "--destination", "-c", "--config", "-W", "--working-tree", "-o", "--output",
        ]))
        .keeps(&Keeps {
            tree: Tree::Home,
            leaving: &[
                "add", "archive", "cat", "cat-config", "cd", "chattr", "completion", "data", "diff", "doctor", "dump",
                "dump-config", "edit", "edit-config", "execute-template", "forget", "git", "help", "ignored",
                "license", "managed", "re-add", "source-path", "state", "status", "target-path", "unmanaged", "verify",
            ],
        }),
    &row(&["stow"])
        .is(&[Silent])
        .tool(Tool::Stow)
        .options(Grammar::gnu(&["-t", "--target", "-d", "--dir", "--ignore", "--defer", "--override"])),
    &row(&["hg", "chg", "rhg", "sl"])
        .tool(Tool::Hg)
        .options(Grammar::gnu(&[
            "-R", "--repository", "--cwd", "--config", "-r", "--rev", "-m", "--message", "-d", "--date",
        ]))
        .keeps(&Keeps { tree: Tree::Here(&["-R", "--repository", "--cwd"]), leaving: LEAVING }),
    &row(&["bzr", "brz", "fossil", "darcs", "pijul"])
        .options(Grammar::gnu(&[
            "-R", "--repository", "-d", "--directory", "--repodir", "-r", "--revision", "-m", "--message",
        ]))
        .keeps(&Keeps {
            tree: Tree::Here(&["-R", "--repository", "--cwd", "-d", "--directory", "--repodir"]),
            leaving: LEAVING,
        }),
    &row(&["svn"])
        .tool(Tool::Svn)
        .options(Grammar::gnu(&[
            "-r", "--revision", "-m", "--message", "-F", "--file", "-c", "--change", "--depth", "--set-depth",
            "--username", "--password", "--config-option", "--accept",
        ]))
        .keeps(&Keeps {
            tree: Tree::Named,
            leaving: &[
                "add", "ann", "annotate", "blame", "cat", "checkout", "ci", "co", "commit", "di", "diff", "export",
                "help", "info", "list", "log", "ls", "pg", "pl", "praise", "propget", "proplist", "st", "stat",
                "status",
            ],
        }),
    &row(&["jj"])
        .options(Grammar::gnu(&[
            "-R", "--repository", "-r", "--revision", "-m", "--message", "--config", "--at-operation",
        ]))
        .keeps(&Keeps {
            tree: Tree::Here(&["-R", "--repository"]),
            leaving: &[
                "b", "bookmark", "ci", "commit", "config", "desc", "describe", "diff", "evolog", "file", "git", "help",
                "interdiff", "log", "root", "show", "st", "status", "tag", "util", "version",
            ],
        }),
    &row(&["yadm"])
        .tool(Tool::Yadm)
        .options(Grammar::spelled(&["-Y", "--yadm-dir", "--yadm-data", "--yadm-repo"]))
        .keeps(&Keeps {
            tree: Tree::Home,
            leaving: &["commands", "encrypt", "enter", "gitconfig", "introspect", "list", "list-tracked", "which"],
        }),
    &row(&["vcsh"]).options(Grammar::gnu(&["-c"])).keeps(&Keeps {
        tree: Tree::Home,
        leaving: &["commands", "encrypt", "enter", "gitconfig", "introspect", "list", "list-tracked", "which"],
    }),
    &row(&["homeshick", "homesick", "mackup", "dotdrop", "home-manager", "tuckr"])
        .keeps(&Keeps { tree: Tree::Home, leaving: HOMES_LEAVING }),
    &row(&["rcup", "rcdn", "dotbot"]).tool(Tool::Rcup).keeps(&Keeps { tree: Tree::Home, leaving: HOMES_LEAVING }),
];
