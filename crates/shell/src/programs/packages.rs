//! Package managers, runners of packages, and what chooses versions.

use super::Trait::{
    Destructive, HandsOn, Installs, NeverApproved, RunsScripts, Silent, TakesText, TestsByVerb, Versioned,
};
use super::code::BUN;
use super::origins::{NPM_ORIGIN, NPX_ORIGIN, ORIGIN, Origin, PIP_ORIGIN, UV_ORIGIN};
use super::reads::{HELP, VERSION, Way, exactly, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{First, RUNS, Rest, Runs};
use super::sources::{INSTALLER, SOURCES, Sourced, Sources};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// An interpreter that is named is started.
const fn uv(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: &["-p", "--python", "--project", "--directory", "--config-file"], ..Way::ANY }
}

/// Settings of another directory, which may name programs.
const ELSEWHERE: &[&str] = &[
    "--prefix", "-C", "--dir", "--cwd", "--userconfig", "--globalconfig", "--registry", "--git", "--node-options",
    "--script-shell", "--shell", "--pnpmfile", "--global-pnpmfile", "--config", "-c",
];

const MANAGER_SHOWS: Way = Way {
    but: ELSEWHERE,
    ..verbs(&[
        "list", "ls", "ll", "la", "info", "view", "v", "show", "outdated", "why", "explain", "root", "prefix", "bin",
        "search", "ping", "config get", "config list", "config ls", "pkg get", "dist-tag ls", "dist-tag list",
        "access list", "owner ls", "cache ls", "versions", "licenses list", "pm ls",
    ])
};

const MANAGER_ALONE: Way = exactly(&["audit", "doctor", "version", "--version", "-v", "--help", "fund", "whoami"]);

const MANAGER_AUDIT: Way = Way {
    verbs: &["audit"],
    only: &["--json", "--omit=", "--audit-level=", "--production", "--prod", "--level="],
    ..Way::ANY
};

const MANAGER_RUNS: Runs = Runs {
    verbs: &["exec", "x", "dlx"],
    values: &["-p", "--package", "-w", "--workspace", "--filter", "-C", "--dir", "--prefix"],
    dirs: &["-C", "--dir", "--prefix"],
    lines: &["-c", "--call"],
    package: true,
    manager: true,
    ..RUNS
};

/// Options with a value that may stand before a command of these managers, or before the name of a script or program.
const MANAGER_VALUES: &[&str] = &[
    "-w", "--workspace", "--filter", "-F", "--filter-prod", "-C", "--dir", "--prefix", "--cwd", "--registry",
    "--loglevel", "--reporter", "--workspace-concurrency", "--resume-from", "--cache-folder", "--modules-folder",
    "--network-timeout", "--use-node-version", "--userconfig", "--env-file", "-c", "--config", "-r", "--preload",
    "--port", "-d", "--define", "-l", "--loader", "--shell", "--elide-lines",
];

/// `pnpm run prisma …`: where the project has no script of that name, a program of its packages is started.
const SCRIPT_RUNS: Runs = Runs {
    verbs: &["run", "run-script"],
    first: First::NoneOf(&[]),
    values: MANAGER_VALUES,
    dirs: &["-C", "--dir", "--prefix", "--cwd"],
    package: true,
    manager: true,
    ..RUNS
};

/// Options of pnpm with a value. `-w` and `-r` have none there.
const PNPM_VALUES: &[&str] = &[
    "--filter", "-F", "--filter-prod", "-C", "--dir", "--prefix", "--registry", "--loglevel", "--reporter",
    "--workspace-concurrency", "--resume-from", "--use-node-version", "-p", "--package",
];

/// The same with pnpm's options.
const PNPM_EXEC: Runs = Runs { values: PNPM_VALUES, ..MANAGER_RUNS };
const PNPM_SCRIPT: Runs = Runs { values: PNPM_VALUES, ..SCRIPT_RUNS };

/// The same where pnpm has no command of that name: `pnpm prisma …`.
const PNPM_BARE: Runs = Runs {
    verbs: &[],
    values: PNPM_VALUES,
    first: First::NoneOf(&[
        "add", "install", "i", "update", "up", "upgrade", "remove", "rm", "uninstall", "un", "link", "ln", "unlink",
        "dislink", "import", "rebuild", "rb", "prune", "fetch", "install-test", "it", "install-clean", "ci",
        "clean-install", "dedupe", "patch", "patch-commit", "patch-remove", "cat-file", "cat-index", "find-hash",
        "audit", "list", "ls", "ll", "la", "outdated", "why", "licenses", "exec", "x", "dlx", "create", "init", "run",
        "run-script", "start", "stop", "restart", "test", "t", "tst", "publish", "pack", "server", "store", "root",
        "bin", "setup", "config", "c", "get", "set", "env", "deploy", "doctor", "cache", "approve-builds",
        "ignored-builds", "self-update", "completion", "recursive", "multi", "m", "version", "view", "info", "show",
        "v", "login", "logout", "whoami", "owner", "access", "team", "token", "dist-tag", "dist-tags", "deprecate",
        "undeprecate", "search", "bugs", "docs", "repo", "ping", "pkg", "profile", "star", "unstar", "stars", "help",
        "adduser", "unpublish", "edit", "issues", "prefix", "s", "se", "set-script", "xmas", "runtime", "rt", "sbom",
        "with",
    ]),
    ..SCRIPT_RUNS
};

/// The same with yarn.
const YARN_BARE: Runs = Runs {
    verbs: &[],
    values: &["--cwd", "--registry", "--cache-folder", "--modules-folder", "--network-timeout", "--loglevel", "-C"],
    first: First::NoneOf(&[
        "add", "audit", "autoclean", "bin", "cache", "check", "config", "constraints", "create", "dedupe", "dlx",
        "exec", "explain", "generate-lock-entry", "global", "help", "import", "info", "init", "install", "licenses",
        "link", "list", "login", "logout", "npm", "outdated", "owner", "pack", "patch", "patch-commit", "plugin",
        "policies", "publish", "rebuild", "remove", "run", "search", "self-update", "set", "stage", "tag", "team",
        "test", "unlink", "unplug", "up", "upgrade", "upgrade-interactive", "version", "versions", "why", "workspace",
        "workspaces",
    ]),
    ..SCRIPT_RUNS
};

/// The same with bun, which runs files of code as well.
const BUN_BARE: Runs = Runs {
    verbs: &[],
    values: &[
        "--cwd", "-F", "--filter", "--registry", "-c", "--config", "--port", "--env-file", "-r", "--preload", "-e",
        "--eval", "-p", "--print", "-d", "--define", "-l", "--loader", "--shell", "--elide-lines",
    ],
    first: First::NoneOf(&[
        "run", "test", "x", "repl", "exec", "install", "i", "add", "a", "remove", "rm", "update", "audit", "outdated",
        "link", "unlink", "publish", "patch", "patch-commit", "pm", "info", "why", "build", "init", "create", "c",
        "upgrade", "feedback", "completions", "discord", "getcompletes", "eval",
    ]),
    ..SCRIPT_RUNS
};

/// A workspace of yarn: the words behind are yarn's again.
const YARN_WORKSPACE: Runs = Runs { verbs: &["workspace"], values: &["--cwd"], skip: 1, into: Some("yarn"), ..RUNS };

/// Each of its workspaces.
const YARN_WORKSPACES: Runs = Runs {
    verbs: &["workspaces foreach", "workspaces run"],
    values: &["--cwd", "--from", "--include", "--exclude", "-j", "--jobs"],
    into: Some("yarn"),
    ..RUNS
};

const TOOL_RUNS: Runs = Runs {
    verbs: &["tool run"],
    values: &[
        "-p", "--python", "--from", "--with", "--with-editable", "--with-requirements", "--index", "--index-url",
        "--env-file", "--directory", "--project", "-c", "--constraints", "-w",
    ],
    package: true,
    ..RUNS
};

const UV_RUNS: Runs = Runs {
    verbs: &["run", "exec", "tool run"],
    values: &[
        "-n", "--name", "-p", "--prefix", "--python", "--with", "--env-file", "--project", "--directory", "-C",
        "--extra", "--group", "--package",
    ],
    dirs: &["--directory", "-C"],
    ..RUNS
};

pub(super) const NVM_RUNS: Runs = Runs {
    verbs: &["exec", "run", "x", "exec-env", "shell", "develop"],
    values: &[
        "-n", "--env-file", "-p", "--project", "-c", "--config", "-e", "--env", "-f", "--file", "--profile",
        "--duration", "-d",
    ],
    lines: &["--command", "--run"],
    dashes: true,
    ..RUNS
};

const MISE_RUNS: Runs = Runs {
    verbs: &["exec", "x"],
    values: &["-C", "--cd", "-j", "--jobs", "-E", "--env"],
    lines: &["-c", "--command"],
    dashes: true,
    ..RUNS
};

const PROTO_VALUES: &[&str] = &["--log", "-c", "--config-mode", "--alt", "--exe", "--shell"];

const NPM_REVEALS: Reveals =
    Reveals { words: &[&["config", "get", "*auth*"], &["config", "get", "*oken*"], &["token", "create"]], ..REVEALS };

const NPX_RUNS: Runs = Runs {
    values: &["-p", "--package", "--cache", "--userconfig", "-w", "--workspace", "--registry"],
    lines: &["-c", "--call"],
    package: true,
    ..RUNS
};

const GEM_ORIGIN: Origin = Origin {
    verbs: &["sources"],
    settings: &["*://*"],
    needs: &["-a", "--add"],
    own: &["rubygems.org"],
    options: &["-s", "--source"],
    fetches: &["install", "i", "update"],
    ..ORIGIN
};

const COMPOSER_ORIGIN: Origin = Origin {
    verbs: &["config"],
    settings: &["repo*=*", "secure-http=false", "disable-tls=true"],
    needs: &["-g", "--global"],
    unless: &["--unset"],
    own: &["repo.packagist.org", "composer https://repo.packagist.org"],
    options: &["--repository", "--repository-url"],
    ..ORIGIN
};

const BREW_ORIGIN: Origin = Origin {
    variables: &["HOMEBREW_BOTTLE_DOMAIN", "HOMEBREW_API_DOMAIN", "HOMEBREW_ARTIFACT_DOMAIN"],
    fetches: &["install", "reinstall", "upgrade", "tap"],
    ..ORIGIN
};

/// Channels are mostly names of one server.
const CONDA_ORIGIN: Origin = Origin {
    verbs: &["config"],
    settings: &["*channel*=*://*", "proxy_servers*=*", "ssl_verify=false", "ssl_verify=no", "ssl_verify=0"],
    needs: &["--add", "--append", "--prepend", "--set"],
    own: &["repo.anaconda.com/pkgs/main", "conda.anaconda.org/conda-forge"],
    options: &["-c", "--channel"],
    fetches: &["install", "create", "update"],
    ..ORIGIN
};

const BUNDLE_ORIGIN: Origin = Origin {
    verbs: &["config set", "config"],
    settings: &["mirror.*=*", "ssl_verify_mode=0"],
    unless: &["--local", "unset", "get", "list", "--delete"],
    own: &["rubygems.org"],
    ..ORIGIN
};

const CARGO_WATCH: Grammar<'_> = Grammar::gnu(&[
    "-s", "--shell", "-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-C", "--workdir",
    "--features", "--use-shell", "-B", "-E", "--env-file",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["bun"])
        .is(&[Silent, Installs, RunsScripts])
        .tool(Tool::Bun)
        .options(Grammar::gnu(&[
            "--cwd", "-F", "--filter", "--registry", "-c", "--config", "--backend", "--port", "--env-file", "-r",
            "--preload", "-e", "--eval", "-p", "--print", "-d", "--define", "-l", "--loader", "--target", "--outdir",
            "--outfile",
        ]))
        .reads(&[HELP, exactly(&["-v"]), MANAGER_SHOWS, MANAGER_ALONE, MANAGER_AUDIT])
        .runs(&[Runs { verbs: &["exec"], rest: Rest::Line, ..RUNS }, MANAGER_RUNS, SCRIPT_RUNS, BUN_BARE])
        .origin(&NPM_ORIGIN)
        .code(&BUN),
    &row(&["rustup"]).reads(&[HELP, verbs(&["show", "toolchain list", "target list", "component list", "which"])]),
    &row(&["dotnet"])
        .is(&[Silent, TestsByVerb])
        .reads(&[HELP])
        .origin(&Origin {
            verbs: &["nuget add source"],
            settings: &["*://*"],
            own: &["api.nuget.org/v3/index.json"],
            ..ORIGIN
        })
        .sources(&Sources { verbs: &["fsi", "run", "script", "exec"], operands: Sourced::First, ..SOURCES })
        .runs(&[
            Runs { verbs: &["tool run"], package: true, manager: true, ..RUNS },
            Runs { verbs: &["dotnet-ef"], into: Some("dotnet-ef"), ..RUNS },
            Runs { verbs: &["tool exec", "tool execute"], package: true, dashes: true, ..RUNS },
        ]),
    &row(&["dnx"]).runs(&[Runs { values: &["--version", "--source", "--configfile"], package: true, ..RUNS }]),
    &row(&["uv"])
        .is(&[Silent, Installs])
        .options(Grammar::gnu(&[
            "-p", "--python", "--package", "--from", "--with", "--with-editable", "--with-requirements", "--index",
            "--index-url", "-i", "--extra-index-url", "--env-file", "--directory", "--project", "--cache-dir",
            "--config-file", "--extra", "--group", "--color", "-w",
        ]))
        .reads(&[
            HELP,
            uv(&[
                "pip list", "pip show", "pip freeze", "pip check", "pip tree", "python list", "python find",
                "python dir", "cache dir", "tool list", "tool dir", "help",
            ]),
            exactly(&["-h", "--help", "--version", "-V", "version", "self version"]),
        ])
        .runs(&[TOOL_RUNS, Runs { script: Some((".py", "python3")), ..UV_RUNS }])
        .sources(&Sources { verbs: &["run"], operands: Sourced::First, ..SOURCES })
        .origin(&UV_ORIGIN)
        .tool(Tool::Uv),
    &row(&["uvx"])
        .origin(&UV_ORIGIN)
        .options(Grammar::gnu(&[
            "-p", "--python", "--from", "--with", "--with-editable", "--with-requirements", "-c", "--constraints",
            "--index", "--index-url", "-i", "--extra-index-url", "--env-file", "--directory", "--project",
            "--cache-dir", "--config-file", "-w",
        ]))
        .reads(&[HELP])
        .runs(&[Runs { verbs: &[], ..TOOL_RUNS }])
        .tool(Tool::Uvx),
    &row(&["pipx"])
        .is(&[Installs])
        .options(Grammar::gnu(&[
            "--spec", "--python", "--with", "--pip-args", "-i", "--index-url", "--suffix", "--backend",
        ]))
        .reads(&[HELP])
        .runs(&[Runs {
            verbs: &["run"],
            values: &["--spec", "--python", "--pip-args", "-i", "--index-url", "--with", "--backend"],
            package: true,
            ..RUNS
        }])
        .origin(&UV_ORIGIN)
        .tool(Tool::Pipx),
    &row(&["poetry"])
        .is(&[Silent])
        .reads(&[
            HELP,
            Way {
                but: &["-C", "--directory", "-P", "--project"],
                ..verbs(&["show", "check", "about", "env info", "env list", "version -s", "config --list"])
            },
        ])
        .origin(&UV_ORIGIN)
        .runs(&[UV_RUNS]),
    &row(&["rtk"]).reads(&[HELP]).runs(&[Runs { assigns: true, ..RUNS }]),
    &row(&["rbenv"]).reads(&[HELP]).runs(&[Runs { verbs: &["exec"], ..RUNS }]),
    &row(&["pyenv"]).reads(&[HELP]).runs(&[UV_RUNS]),
    &row(&["nvm"]).reads(&[HELP]).runs(&[
        // The version may be left out.
        Runs { verbs: &["exec"], skip: 1, optional: true, ..RUNS },
        NVM_RUNS,
    ]),
    &row(&["fnm"]).reads(&[HELP]).runs(&[Runs {
        verbs: &["exec"],
        values: &["--using", "--fnm-dir", "--node-dist-mirror", "--log-level", "--arch", "--version-file-strategy"],
        ..RUNS
    }]),
    &row(&["chruby-exec"]).runs(&[Runs { skip: usize::MAX, dashes: true, ..RUNS }]),
    &row(&["asdf"]).tool(Tool::VersionManager).reads(&[HELP]).runs(&[Runs { verbs: &["exec"], ..RUNS }]),
    &row(&["mise"]).tool(Tool::VersionManager).reads(&[HELP]).runs(&[MISE_RUNS]),
    &row(&["proto"])
        .tool(Tool::VersionManager)
        .options(Grammar::gnu(PROTO_VALUES))
        .before(&["-y", "--yes", "--json", "-q", "--quiet", "--log=", "-c=", "--config-mode="])
        .reads(&[
            HELP,
            verbs(&[
                "bin", "status", "versions", "plugin list", "plugin info", "plugin search", "debug config", "debug env",
            ]),
            // `--update` writes the newer versions into the settings.
            Way { only: &["--json", "--latest"], ..verbs(&["outdated"]) },
        ])
        .runs(&[
            Runs { verbs: &["exec"], values: PROTO_VALUES, rest: Rest::Either, dashes: true, ..RUNS },
            Runs { verbs: &["run"], values: PROTO_VALUES, package: true, manager: true, ..RUNS },
        ]),
    &row(&["direnv"])
        .is(&[Silent])
        .reads(&[HELP])
        .runs(&[Runs { verbs: &["exec"], skip: 1, loaded: true, ..RUNS }])
        .reveals(&[Reveals {
            words: &[&["export"]],
            without: &["bash", "zsh", "fish", "tcsh", "elvish", "pwsh", "murex"],
            ..REVEALS
        }]),
    &row(&["npm"])
        .is(&[Silent, TakesText, Versioned, Installs, RunsScripts])
        .tool(Tool::Npm)
        .options(Grammar::gnu(&[
            "--prefix", "-C", "-w", "--workspace", "-L", "--location", "--registry", "--userconfig", "--globalconfig",
            "--otp", "--tag", "--loglevel", "--cache", "--access", "--omit", "--include", "--depth", "--script-shell",
            "--node-options", "--dir", "--cwd", "--filter", "-F",
        ]))
        .reads(&[exactly(&["-v"]), MANAGER_SHOWS, MANAGER_ALONE, MANAGER_AUDIT])
        .runs(&[MANAGER_RUNS, SCRIPT_RUNS, Runs { verbs: &["explore"], skip: 1, rest: Rest::Either, ..RUNS }])
        .reveals(&[NPM_REVEALS])
        .origin(&NPM_ORIGIN)
        .sources(&Sources { verbs: &["install", "i", "add"], ..INSTALLER })
        .lines(&["--script-shell"]),
    &row(&["pnpm"])
        .is(&[Silent, HandsOn, Versioned, Installs, RunsScripts])
        .tool(Tool::Npm)
        .options(Grammar::gnu(&[
            "--prefix", "-C", "--dir", "--filter", "-F", "-L", "--location", "--registry", "--userconfig",
            "--globalconfig", "--otp", "--tag", "--loglevel", "--cache", "--access", "--omit", "--include", "--depth",
            "--script-shell", "--node-options",
        ]))
        .reads(&[exactly(&["-v"]), MANAGER_SHOWS, MANAGER_ALONE, MANAGER_AUDIT])
        .runs(&[
            PNPM_EXEC,
            PNPM_SCRIPT,
            Runs { verbs: &["recursive", "multi", "m"], values: MANAGER_VALUES, into: Some("pnpm"), ..RUNS },
            PNPM_BARE,
        ])
        .reveals(&[NPM_REVEALS])
        .origin(&NPM_ORIGIN)
        .sources(&Sources { verbs: &["install", "i", "add"], ..INSTALLER })
        .lines(&["--script-shell"]),
    &row(&["rush-pnpm"]).runs(&[Runs { skip: 0, into: Some("pnpm"), ..RUNS }]),
    &row(&["pip", "pip3"])
        .is(&[Silent, TakesText, Versioned, Installs])
        .origin(&PIP_ORIGIN)
        .sources(&Sources { verbs: &["install"], ..INSTALLER })
        .reads(&[
            Way {
                verbs: &[
                    "list", "show", "freeze", "check", "search", "index versions", "debug", "config list",
                    "config get", "config debug", "cache list", "cache info", "cache dir", "inspect", "hash", "help",
                ],
                but: &["--log", "--python"],
                ..Way::ANY
            },
            VERSION,
        ]),
    &row(&["gem"])
        .is(&[TakesText, Installs])
        .origin(&GEM_ORIGIN)
        .sources(&Sources { verbs: &["install"], ..INSTALLER })
        .reads(&[Way {
            but: &["--source", "-s", "--config-file"],
            ..verbs(&["list", "info", "search", "query", "environment", "outdated", "which", "contents", "dependency"])
        }]),
    &row(&["composer"])
        .is(&[Silent])
        .origin(&COMPOSER_ORIGIN)
        .reads(&[Way {
            but: &["-d", "--working-dir"],
            ..verbs(&["show", "info", "outdated", "licenses", "validate", "why", "search", "check-platform-reqs"])
        }])
        .runs(&[Runs {
            verbs: &["exec", "global exec"],
            values: &["-d", "--working-dir"],
            dirs: &["-d", "--working-dir"],
            package: true,
            manager: true,
            ..RUNS
        }]),
    &row(&["brew"]).is(&[Silent, TakesText]).origin(&BREW_ORIGIN).reads(&[
        Way {
            verbs: &[
                "list", "ls", "info", "search", "config", "leaves", "deps", "uses", "outdated", "desc", "cat",
                "tap-info", "shellenv", "commands", "--prefix", "--cellar", "--cache", "formulae", "casks", "log",
                "help", "bundle --help",
            ],
            but: &["--github", "--edit", "--graph", "--open-pr"],
            ..Way::ANY
        },
        exactly(&["doctor", "--version", "tap", "analytics", "analytics state"]),
    ]),
    &row(&["apt-cache"]).reads(&[verbs(&[
        "search", "show", "showpkg", "policy", "depends", "rdepends", "pkgnames", "stats", "madison",
    ])]),
    &row(&["dpkg"])
        .is(&[Destructive])
        .tool(Tool::Dpkg)
        .sources(&Sources {
            unless: &[
                "-c", "--contents", "-I", "--info", "-x", "--extract", "-X", "--vextract", "-e", "--control", "-f",
                "--field",
            ],
            ..INSTALLER
        })
        .options(Grammar::spelled(&[
            "--pre-invoke", "--post-invoke", "-D", "--debug", "--status-logger", "--root", "--admindir", "--instdir",
            "--ignore-depends", "--path-exclude", "--path-include", "--log", "--status-fd",
        ]))
        .reads(&[verbs(&[
            "-l", "--list", "-L", "--listfiles", "-s", "--status", "-S", "--search", "-p", "--print-avail", "-c",
            "--contents", "-I", "--info",
        ])])
        .lines(&["--pre-invoke", "--post-invoke"]),
    &row(&["dpkg-query"]).reads(&[Way::ANY]),
    &row(&["cargo"])
        .is(&[Silent, TakesText, Versioned, Installs, TestsByVerb])
        .tool(Tool::Cargo)
        .options(Grammar::gnu(&[
            "--config", "-Z", "-C", "--manifest-path", "-p", "--package", "--exclude", "--target", "--target-dir",
            "--features", "-F", "-j", "--jobs", "--profile", "--bin", "--example", "--test", "--bench", "--color",
            "--message-format", "--root", "--path", "--git", "--branch", "--tag", "--rev", "--registry", "--index",
            "--lockfile-path",
        ]))
        .verbs(&[("watch", CARGO_WATCH)])
        .before(&[
            "+stable", "+nightly", "-v", "-q", "--quiet", "--verbose", "--locked", "--offline", "--frozen", "--color=",
        ])
        .reads(&[
            Way {
                // `tree`, `metadata` and `fmt` start the compiler that the project's settings name.
                verbs: &[
                    "verify-project", "search", "info", "version", "read-manifest", "locate-project", "pkgid", "help",
                ],
                but: &["--config", "fix"],
                ..Way::ANY
            },
            exactly(&["--version", "-V", "--list", "-vV"]),
        ])
        .runs(&[
            Runs {
                verbs: &["watch"],
                values: &["-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-C", "--workdir"],
                lines: &["-s", "--shell"],
                ..RUNS
            },
            Runs { verbs: &["sqlx"], into: Some("sqlx"), ..RUNS },
        ]),
    &row(&["nodenv", "plenv", "goenv"]).runs(&[Runs { verbs: &["exec"], ..RUNS }]),
    &row(&["npx"])
        .is(&[Silent, HandsOn, Versioned, RunsScripts])
        .origin(&NPX_ORIGIN)
        .tool(Tool::Npx)
        .options(Grammar::gnu(&["-p", "--package", "-c", "--call", "-w", "--workspace", "--registry", "--prefix"]))
        .runs(&[NPX_RUNS]),
    &row(&["bunx"])
        .is(&[HandsOn, RunsScripts])
        .origin(&NPX_ORIGIN)
        .tool(Tool::Npx)
        .options(Grammar::gnu(&["-p", "--package"]))
        .runs(&[NPX_RUNS]),
    &row(&["pnpx"])
        .origin(&NPX_ORIGIN)
        .tool(Tool::Npx)
        .options(Grammar::gnu(&["-p", "--package", "-C", "--dir", "--registry"]))
        .runs(&[NPX_RUNS]),
    // Asking for its version starts the program that the settings of the project name.
    &row(&["yarn"])
        .is(&[Silent, HandsOn, Versioned, Installs, RunsScripts])
        .tool(Tool::Npm)
        .options(Grammar::gnu(&[
            "--prefix", "--cwd", "--registry", "--cache-folder", "--modules-folder", "--network-timeout",
            "--script-shell", "--otp", "--tag", "-C", "-w", "--workspace", "--dir", "--filter", "-F",
        ]))
        .runs(&[
            Runs { verbs: &["exec"], rest: Rest::Either, ..RUNS },
            MANAGER_RUNS,
            SCRIPT_RUNS,
            YARN_WORKSPACE,
            YARN_WORKSPACES,
            YARN_BARE,
        ])
        .reveals(&[NPM_REVEALS])
        .origin(&NPM_ORIGIN)
        .sources(&Sources { verbs: &["install", "i", "add"], ..INSTALLER })
        .lines(&["--script-shell"]),
    &row(&["pipenv"]).is(&[Silent]).runs(&[UV_RUNS]).origin(&UV_ORIGIN),
    &row(&["pdm", "rye", "pixi"]).runs(&[UV_RUNS]).origin(&UV_ORIGIN),
    &row(&["conda", "mamba", "micromamba"]).runs(&[UV_RUNS]).origin(&CONDA_ORIGIN),
    &row(&["bundle"]).is(&[Silent, Installs]).runs(&[NVM_RUNS]).origin(&BUNDLE_ORIGIN),
    &row(&["volta"]).tool(Tool::VersionManager).runs(&[NVM_RUNS]),
    &row(&["teller", "guix", "devbox", "devenv", "flox"]).runs(&[NVM_RUNS]),
    &row(&["nix"]).tool(Tool::Nix).runs(&[Runs {
        verbs: &["develop", "shell"],
        before: &["-c", "--command"],
        skip: usize::MAX,
        ..RUNS
    }]),
    &row(&["nix-shell"])
        .sources(&Sources { operands: Sourced::First, ..SOURCES })
        .options(Grammar {
            pairs: &["--arg", "--argstr", "--option"],
            ..Grammar::gnu(&[
                "--run", "--command", "-A", "--attr", "-I", "-i", "--keep", "-k", "-j", "--max-jobs", "--cores",
            ])
        })
        .runs(&[Runs {
            values: &["-p", "--packages", "-A", "--attr", "-I", "--argstr"],
            lines: &["--run", "--command"],
            skip: 1,
            ..RUNS
        }]),
    &row(&["cargo-watch"]).options(CARGO_WATCH).runs(&[Runs {
        values: &["-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-C", "--workdir"],
        lines: &["-s", "--shell"],
        ..RUNS
    }]),
    &row(&["hatch"]).runs(&[Runs {
        verbs: &["run", "env run"],
        values: &["-e", "--env", "-p", "--project", "-i", "--include", "-x", "--exclude", "-f", "--filter"],
        named_environment: true,
        ..RUNS
    }]),
    &row(&["rtx"]).runs(&[MISE_RUNS]),
    &row(&["flatpak"]).is(&[TakesText]).runs(&[Runs { verbs: &["run"], named: &["--command"], skip: 1, ..RUNS }]),
    &row(&["corepack"]).tool(Tool::VersionManager).runs(&[
        // What chooses the version of a package manager hands all on to it.
        Runs { verbs: &["yarn"], into: Some("yarn"), ..RUNS },
        Runs { verbs: &["pnpm"], into: Some("pnpm"), ..RUNS },
        Runs { verbs: &["npm"], into: Some("npm"), ..RUNS },
    ]),
    &row(&["apt", "apt-get"])
        .is(&[Silent, TakesText, Destructive, NeverApproved])
        .tool(Tool::Apt)
        .sources(&Sources { verbs: &["install", "reinstall"], ..INSTALLER })
        .options(Grammar::gnu(&["-o", "--option", "-c", "--config-file", "-t", "--target-release", "-a"])),
    &row(&["dnf", "yum", "apk"])
        .is(&[Silent, TakesText, NeverApproved])
        .tool(Tool::Dnf)
        .sources(&Sources { verbs: &["install", "localinstall", "add"], ..INSTALLER })
        .options(Grammar::gnu(&[
            "-c", "--config", "-x", "--exclude", "--installroot", "--releasever", "--repo", "--enablerepo",
            "--disablerepo", "--setopt",
        ])),
    &row(&["pacman"])
        .is(&[Silent, TakesText, Destructive, NeverApproved])
        .tool(Tool::Pacman)
        .sources(&Sources { unless: &["-Q", "--query"], ..INSTALLER })
        .options(Grammar::gnu(&[
            "-b", "--dbpath", "-r", "--root", "--config", "--cachedir", "--ignore", "--overwrite", "--assume-installed",
        ])),
    &row(&["pkg", "port", "snap", "nix-env", "choco", "winget", "scoop"]).is(&[TakesText]),
    &row(&["dpkg-reconfigure"])
        .options(Grammar::gnu(&["--pre-invoke", "--post-invoke", "-f", "--frontend", "-p", "--priority"]))
        .lines(&["--pre-invoke", "--post-invoke"]),
    &row(&["rpm"])
        .tool(Tool::Rpm)
        .sources(&Sources { unless: &["-q", "--query", "-K", "--checksig", "-V", "--verify"], ..INSTALLER })
        .options(Grammar::spelled(&["--root", "--dbpath", "--rcfile", "-D", "--define", "-E", "--eval"])),
    &row(&["aptitude"]).tool(Tool::Aptitude).options(Grammar::gnu(&["-o", "-t", "--target-release", "-F", "-O", "-w"])),
    &row(&["zypper"]).tool(Tool::Zypper).options(Grammar::gnu(&[
        "-c", "--config", "-R", "--root", "--installroot", "-C", "--cache-dir", "--releasever", "-t", "--type", "-r",
        "--repo",
    ])),
    &row(&["emerge"]).tool(Tool::Emerge).options(Grammar::gnu(&["--exclude", "--config-root", "--root"])),
    &row(&["xbps-remove"])
        .tool(Tool::XbpsRemove)
        .options(Grammar::gnu(&["-C", "--config", "-c", "--cachedir", "-r", "--rootdir"])),
    &row(&["apt-key"]).tool(Tool::AptKey),
];
