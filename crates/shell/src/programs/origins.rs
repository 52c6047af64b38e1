//! How a program is told where packages come from.

/// How a program is told where it fetches packages from: for all projects of a user, or for one call.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// The words of its sub-commands that set something: `config set`.
    pub verbs: &'static [&'static str],
    /// Patterns of settings, as `name=value` in small letters, by which packages come from elsewhere: `registry=*`.
    pub settings: &'static [&'static str],
    /// Without one of these options nothing is set, or not for all projects: `-w` of `go env`.
    pub needs: &'static [&'static str],
    /// With one of these it is set for one project, or only shown.
    pub unless: &'static [&'static str],
    /// The addresses from which it fetches of its own accord, which nobody has to be asked about.
    pub own: &'static [&'static str],
    /// Options that say where one call fetches from: `--registry`.
    pub options: &'static [&'static str],
    /// Variables of the environment that say the same.
    pub variables: &'static [&'static str],
    /// The words of sub-commands whose operands are packages, which may be addresses: `install`.
    pub fetches: &'static [&'static str],
}

/// Words of sub-commands that only look, or log in.
pub(crate) const LOOKS: &[&str] = &[
    "view", "info", "show", "v", "ping", "whoami", "search", "login", "adduser", "logout", "config", "list", "ls",
    "outdated", "audit", "help",
];

/// A program that sets nothing of the kind; for rows to begin with.
pub(super) const ORIGIN: Origin =
    Origin { verbs: &[], settings: &[], needs: &[], unless: &[], own: &[], options: &[], variables: &[], fetches: &[] };

/// What managers of packages for Node have in common.
pub(super) const NPM_ORIGIN: Origin = Origin {
    verbs: &["config set", "c set", "set"],
    settings: &[
        "registry=*", "@*:registry=*", "npmregistryserver=*", "npmscopes*registry*=*", "proxy=*", "*-proxy=*",
        "httpproxy=*", "httpsproxy=*", "script-shell=*", "node-options=*", "globalconfig=*", "userconfig=*",
        "prefix=/tmp/*", "prefix=/var/tmp/*", "prefix=/dev/shm/*", "strict-ssl=false", "enablestrictssl=false",
    ],
    unless: &["--location=project", "-L=project"],
    own: &["registry.npmjs.org", "registry.yarnpkg.com"],
    options: &["--registry", "--proxy", "--https-proxy"],
    variables: &[
        "npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "YARN_REGISTRY",
        "BUN_CONFIG_REGISTRY",
    ],
    fetches: &["install", "i", "in", "add", "a", "ci", "update", "up", "upgrade", "global add"],
    ..ORIGIN
};

/// The same for what starts a program from a package.
pub(super) const NPX_ORIGIN: Origin = Origin { verbs: &[], fetches: &[], ..NPM_ORIGIN };

/// The same for those of Python.
pub(super) const PIP_ORIGIN: Origin = Origin {
    verbs: &["config set"],
    settings: &["*index-url=*", "*index=*", "*proxy=*", "*trusted-host=*", "*find-links=*"],
    own: &["pypi.org/simple"],
    options: &[
        "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-r", "--requirement", "-c", "--constraint",
    ],
    variables: &["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"],
    fetches: &["install", "download", "wheel"],
    ..ORIGIN
};

/// The same for what manages projects of Python.
pub(super) const UV_ORIGIN: Origin = Origin {
    options: &[
        "-i", "--index-url", "--extra-index-url", "--index", "--default-index", "-f", "--find-links", "--from",
        "--with", "--spec",
    ],
    variables: &[
        "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX", "UV_DEFAULT_INDEX", "UV_FIND_LINKS", "PIP_INDEX_URL",
        "PIP_EXTRA_INDEX_URL",
    ],
    fetches: &["pip install", "pip sync", "pip compile", "add", "tool install", "install", "inject", "source add"],
    ..ORIGIN
};
