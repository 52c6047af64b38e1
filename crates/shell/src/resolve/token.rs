//! Tokens as services write them, told by their beginnings.

/// Beginnings of tokens, with how many characters follow at least.
const BEGINNINGS: &[(&str, usize)] = &[
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("sk-ant-", 24),
    ("sk-proj-", 24),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxa-", 20),
    ("AKIA", 16),
    ("ASIA", 16),
    ("npm_", 36),
    ("pypi-AgE", 20),
    ("AIzaSy", 30),
    ("hf_", 30),
    ("dop_v1_", 30),
    ("shpat_", 24),
];

/// Names of settings whose value is a secret.
const SETTINGS: &[&str] =
    &["SECRET_ACCESS_KEY", "SECRET_KEY", "API_KEY", "ACCESS_TOKEN", "AUTH_TOKEN", "PASSWORD", "CLIENT_SECRET"];

/// Whether a text holds a token of a well-known form, a private key, or a setting with a value that looks like a secret.
pub(super) fn holds_token(text: &str) -> bool {
    let begins = BEGINNINGS.iter().any(|(beginning, least)| {
        text.match_indices(beginning).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + beginning.len()..).unwrap_or_default();
            !before.is_some_and(|c| c.is_ascii_alphanumeric()) && letters(after) >= *least
        })
    });
    begins
        || text.contains("PRIVATE KEY-----") && text.contains("-----BEGIN")
        || SETTINGS.iter().any(|name| is_set(text, name))
}

/// Whether a setting has a value that is long and mixed, as keys are.
fn is_set(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let after = text.get(at + name.len()..).unwrap_or_default();
        let Some(value) = after.trim_start_matches(['"', '\\', ' ']).strip_prefix(['=', ':']) else { return false };
        let value = value.trim_start_matches(['"', '\\', ' ', '\'']);
        let length = letters(value);
        let value = value.get(..length).unwrap_or_default();
        length >= 20
            && value.contains(|c: char| c.is_ascii_digit())
            && value.contains(|c: char| c.is_ascii_alphabetic())
    })
}

/// How many characters of keys a text begins with.
fn letters(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/' | '+' | '='))).unwrap_or(text.len())
}
