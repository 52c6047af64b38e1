//! Names of environment variables: which can be one, and which make a shell or a loader run something.

use hook_protocol::host::HOSTS;

/// Names that decide what a shell, a loader or an interpreter runs; one that ends in `*` is the beginning of a name.
const LOADERS: &[&str] = &[
    "PATH", "LD_*", "DYLD_*", "BASH_ENV", "BASH_FUNC_*", "BASH_LOADABLES_PATH", "BASHOPTS", "SHELLOPTS", "ENV",
    "ZDOTDIR", "FPATH", "IFS", "PS0", "PS1", "PS2", "PS4", "PROMPT_COMMAND", "CDPATH", "GLOBIGNORE", "SHELL", "HOME",
    "GIT_*", "SSH_ASKPASS", "SUDO_ASKPASS", "NODE_OPTIONS", "NODE_PATH", "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME",
    "PYTHONINSPECT", "PYTHONBREAKPOINT", "PERL5OPT", "PERL5LIB", "PERL5DB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "LUA_INIT*", "PHP_INI_SCAN_DIR", "PHPRC", "GCONV_PATH",
    "TERMINFO", "MAKEFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_*", "EDITOR", "VISUAL", "PAGER",
    "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "NPM_CONFIG_*", "npm_config_*", "HOOKBIN_*", "ANTHROPIC_*",
    "XDG_*",
];

/// Whether a text can be the name of a variable in every shell, so that it needs no quoting.
pub fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a variable of this name decides what a shell, a loader or an interpreter runs.
pub fn is_loader(name: &str) -> bool {
    HOSTS.iter().any(|host| name.strip_prefix(host.variables.prefix).is_some_and(|rest| rest.starts_with('_')))
        || LOADERS.iter().any(|known| match known.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => name == *known,
        })
}

/// Why a variable of this name is not exported; `None` for one that is.
pub fn why_not(name: &str) -> Option<String> {
    if !is_name(name) {
        Some(format!("`export` names {name:?}, which is no name of a variable; use letters, digits and `_`"))
    } else if is_loader(name) {
        Some(format!(
            "`export` names `{name}`, which decides what later commands run; set it in your shell's own files"
        ))
    } else {
        None
    }
}
