//! Files of credentials that no list names: told by where programs keep their own, and by words in their names.

/// Directories below the home directory in which each program has one of its own.
const SHARED: &[&str] =
    &[".config/", ".cache/", ".local/share/", ".local/state/", "Library/Application Support/", "AppData/Roaming/"];

/// Words by which the name of a program's own file says that it logs in.
const WORDS: &[&str] = &[
    "token", "tokens", "credential", "credentials", "creds", "auth", "oauth", "apikey", "apikeys", "secret", "secrets",
    "password", "passwords", "passwd", "vaultpass", "cookies", "accesstoken", "authtoken", "keyring",
];

/// Two words that say it together: `api_key`, `vault_pass`.
const PAIRS: &[(&str, &str)] = &[
    ("api", "key"),
    ("api", "keys"),
    ("vault", "pass"),
    ("access", "key"),
    ("access", "keys"),
    ("private", "key"),
    ("secret", "key"),
    ("service", "account"),
];

/// Endings of files that hold data. What ends otherwise is code, a page or a picture.
const DATA: &[&str] = &[
    "json", "toml", "yml", "yaml", "ini", "cfg", "conf", "txt", "db", "sqlite", "dat", "xml", "plist", "env", "enc",
    "properties", "keystore", "token", "key", "gpg", "pickle", "bin", "lock",
];

/// Directories of programs that hold what other people have made, or what anybody may read.
const PUBLIC: &[&str] = &[
    "nvim", "vim", "emacs", "oh-my-zsh", "fish", "zsh", "nix", "man", "fontconfig", "themes", "icons", "applications",
    "skills", "agents", "commands", "plugins", "extensions", "rules", "templates", "snippets", "docs",
];

/// Whether a path below the home directory is called like a program's credentials: `~/.config/tool/token`, `~/.tool/auth.json`,
/// `~/.tool_token`.
pub(super) fn is_kept_credential(rest: &str) -> bool {
    let (dirs, name) = rest.rsplit_once('/').unwrap_or(("", rest));
    if !names_credential(name) {
        return false;
    }
    if dirs.is_empty() {
        return name.starts_with('.');
    }
    let own = SHARED.iter().find_map(|shared| rest.strip_prefix(shared)).or_else(|| rest.strip_prefix('.'));
    let Some(own) = own else { return false };
    let parts: Vec<&str> = own.split('/').collect();
    // The program's directory, and one or two within it: deeper lies what it keeps for others.
    (2..=4).contains(&parts.len()) && !parts.iter().any(|part| PUBLIC.contains(part))
}

/// Whether a name says that its file holds what a program logs in with.
fn names_credential(name: &str) -> bool {
    let lower: String = name
        .trim_start_matches('.')
        .chars()
        .filter(|c| !super::taint::is_placeholder(*c))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let (stem, ending) = lower.rsplit_once('.').unwrap_or((lower.as_str(), ""));
    let (stem, ending) = if WORDS.contains(&ending) { (lower.as_str(), "") } else { (stem, ending) };
    if !(ending.is_empty() || DATA.contains(&ending)) {
        return false;
    }
    if stem == "hosts" {
        return matches!(ending, "json" | "yml" | "yaml");
    }
    if matches!(ending, "keystore" | "token") {
        return true;
    }
    let words: Vec<&str> = stem.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    words.iter().any(|word| WORDS.contains(word))
        || words.windows(2).any(|pair| matches!(pair, [a, b] if PAIRS.contains(&(*a, *b))))
}

/// Whether a file lies in a directory for secrets, where each has a file of its own, as containers get them: `secrets/db_password.txt`.
pub(super) fn is_among_secrets(path: &str) -> bool {
    let Some((dirs, name)) = path.rsplit_once('/') else { return false };
    let within = matches!(dirs.rsplit('/').next(), Some("secrets" | ".secrets"));
    let lower = name.to_ascii_lowercase();
    let told = ["readme", "license", "notice", "list", "example", "sample", "template", "todo"];
    within
        && !told.iter().any(|word| lower.contains(word))
        && (lower.rsplit_once('.').is_some_and(|(_, ending)| ending == "txt")
            || !lower.contains('.') && (names_credential(&lower) || lower.ends_with("_key")))
}
