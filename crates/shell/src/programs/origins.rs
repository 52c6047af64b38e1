//! How a program is told where packages come from.

/// How a program is told, for all projects of a person, where it fetches packages from.
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
}

/// A program that sets nothing of the kind; for rows to begin with.
pub(super) const ORIGIN: Origin = Origin { verbs: &[], settings: &[], needs: &[], unless: &[], own: &[] };

/// What managers of packages for Node have in common.
pub(super) const NPM_ORIGIN: Origin = Origin {
    verbs: &["config set", "c set", "set"],
    settings: &[
        "registry=*", "@*:registry=*", "npmregistryserver=*", "npmscopes*registry*=*", "proxy=*", "*-proxy=*",
        "httpproxy=*", "httpsproxy=*", "script-shell=*", "node-options=*", "globalconfig=*", "userconfig=*",
        "prefix=/tmp/*", "prefix=/var/tmp/*", "prefix=/dev/shm/*",
    ],
    unless: &["--location=project"],
    own: &["registry.npmjs.org", "registry.yarnpkg.com"],
    ..ORIGIN
};

/// The same for those of Python.
pub(super) const PIP_ORIGIN: Origin = Origin {
    verbs: &["config set"],
    settings: &["*index-url=*", "*index=*", "*proxy=*", "*trusted-host=*", "*find-links=*"],
    own: &["pypi.org/simple"],
    ..ORIGIN
};
