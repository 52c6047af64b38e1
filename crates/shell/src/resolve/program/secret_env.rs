//! Secrets of the environment that leave the machine: told by what their variables are called, and by where they go.

use crate::programs::agents;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::secret::{SECRET_WORDS, is_secret_name};
use crate::resolve::secret_store::is_store_address;
use crate::resolve::taint::{GLOB_ANY, GLOB_STAR, SECRET_VARIABLES, is_placeholder};
use crate::syntax::Span;

/// Words in the names of variables, beside those that say that it is a secret, which say nothing of whose it is.
const GENERAL: &[&str] = &[
    "KEYS", "API", "ACCESS", "REFRESH", "CLIENT", "ID", "BOT", "APP", "APPLICATION", "USER", "USERNAME", "DB",
    "DATABASE", "ADMIN", "ROOT", "TEST", "DEV", "STAGING", "STAGE", "PROD", "PRODUCTION", "MY", "PUBLIC", "PRIVATE",
    "BEARER", "JWT", "SESSION", "CSRF", "X", "CI", "JOB", "DEPLOY", "WEBHOOK", "HOOK", "SERVICE", "SERVER", "MASTER",
    "ENCRYPTION", "SIGNING", "BASIC", "LOGIN", "NEW", "OLD", "CURRENT", "DEFAULT", "INTERNAL", "LOCAL", "REMOTE",
    "PERSONAL", "OAUTH", "WRITE", "READ", "URL", "ADM", "TRIGGER", "UPLOAD",
];

/// Whether a word of a name says nothing of whose secret it is.
fn is_general(word: &str) -> bool {
    GENERAL.contains(&word) || SECRET_WORDS.contains(&word)
}

/// Owners of secrets that are known by name, and what their hosts are called, as `a|b`. Those whose programs people run on machines of their
/// own are not here.
const OWNERS: &[(&str, &str)] = &[
    ("GITHUB", "github|ghcr.io"),
    ("GH", "github|ghcr.io"),
    ("AWS", "amazon"),
    ("GOOGLE", "google"),
    ("GCP", "google"),
    ("YOUTUBE", "google"),
    ("FIREBASE", "google"),
    ("AZURE", "microsoft"),
    ("OPENAI", "openai"),
    ("ANTHROPIC", "anthropic"),
    ("HF", "huggingface"),
    ("HUGGINGFACE", "huggingface"),
    ("MISTRAL", "mistral"),
    ("GROQ", "groq"),
    ("COHERE", "cohere"),
    ("REPLICATE", "replicate"),
    ("NPM", "npmjs"),
    ("PYPI", "pypi"),
    ("CARGO", "crates.io"),
    ("DOCKERHUB", "docker"),
    ("STRIPE", "stripe"),
    ("PAYPAL", "paypal"),
    ("SLACK", "slack"),
    ("DISCORD", "discord"),
    ("TELEGRAM", "telegram"),
    ("TG", "telegram"),
    ("TWILIO", "twilio"),
    ("SENDGRID", "sendgrid"),
    ("MAILGUN", "mailgun"),
    ("CLOUDFLARE", "cloudflare"),
    ("CF", "cloudflare"),
    ("DIGITALOCEAN", "digitalocean"),
    ("HEROKU", "heroku"),
    ("VERCEL", "vercel"),
    ("NETLIFY", "netlify"),
    ("DATADOG", "datadog"),
    ("NOTION", "notion"),
    ("LINEAR", "linear"),
    ("AIRTABLE", "airtable"),
    ("CODECOV", "codecov"),
    ("SUPABASE", "supabase"),
];

/// Words in the name of a parameter that is there for a secret.
const TELLING: &[&str] = &["key", "token", "secret", "pass", "pwd", "auth", "appid", "credential", "assertion", "code"];

impl Interp<'_> {
    /// The mark of a variable that comes from outside and is called like a secret.
    pub(in crate::resolve) fn named_secret(&mut self, name: &str) -> Option<char> {
        if !is_named_secret(name) {
            return None;
        }
        let at = self.secret_names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.secret_names.push(name.to_owned());
            self.secret_names.len() - 1
        });
        SECRET_VARIABLES.get(at.min(SECRET_VARIABLES.len() - 1)).copied()
    }

    /// Reports a variable that code sends to an address.
    pub(in crate::resolve) fn sends_variable(&mut self, name: &str, address: &str, span: Span) {
        if is_named_secret(name) && is_elsewhere(address) && !belongs(name, &host_of(address), address) {
            self.act_at(Kind::SecretFetch, None, format!("{name} to {}", host_of(address)), span);
        }
    }

    /// Reports such secrets in a header or a log-in, where any host may ask for its own.
    pub(super) fn presents_named(&mut self, text: &str, address: &str, span: Span) {
        self.names_sent(text, address, Some("token="), span);
    }

    /// Reports such secrets in the address or the body of what is sent to a host that they are not for.
    pub(in crate::resolve) fn sends_named(&mut self, text: &str, address: &str, span: Span) {
        self.names_sent(text, address, None, span);
    }

    fn names_sent(&mut self, text: &str, address: &str, parameter: Option<&str>, span: Span) {
        let host = host_of(address);
        if !is_elsewhere(address) {
            return;
        }
        for (at, mark) in SECRET_VARIABLES.into_iter().enumerate() {
            let Some((before, _)) = text.split_once(mark) else { continue };
            let Some(name) = self.secret_names.get(at).cloned() else { continue };
            if !belongs(&name, &host, parameter.unwrap_or(before)) {
                self.act_at(Kind::SecretFetch, None, format!("{name} to {host}"), span);
            }
        }
    }
}

/// Whether a variable is called like a secret. A loop's `$key` is none; the environment's names are in capitals.
fn is_named_secret(name: &str) -> bool {
    name.len() > 3 && !name.chars().any(|c| c.is_ascii_lowercase()) && (is_secret_name(name) || is_store_address(name))
}

/// The host of an address, in small letters, without user and port.
fn host_of(address: &str) -> String {
    // What the shell may take for a pattern is none where no file is called so.
    let address = address.replace([GLOB_ANY, GLOB_STAR], "?");
    let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or(host) };
    // Of `$name.example.com` the domain is known.
    let domain = host.rfind(is_placeholder).and_then(|at| host.get(at..)?.split_once('.')).map(|(_, domain)| domain);
    let host = domain.filter(|domain| domain.contains('.')).unwrap_or(host);
    host.to_ascii_lowercase()
}

/// Whether an address is one of a host that is neither this machine nor of the user's own network.
pub(super) fn is_elsewhere(address: &str) -> bool {
    let host = host_of(address);
    !host.contains(is_placeholder) && !host.is_empty() && !is_near(&host)
}

/// Whether a host is this machine, or one of the user's own network.
fn is_near(host: &str) -> bool {
    let private =
        |prefix: &str| host.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let second = host.strip_prefix("172.").and_then(|rest| rest.split('.').next()?.parse::<u8>().ok());
    !host.contains('.')
        || host.starts_with('[')
        || ["127.", "10.", "192.168.", "0."].iter().any(|prefix| private(prefix))
        || second.is_some_and(|second| (16..32).contains(&second))
        || [".local", ".localhost", ".test", ".internal", ".lan", ".svc", ".home.arpa", ".docker"]
            .iter()
            .any(|end| host.ends_with(end))
}

/// Whether a secret is for this host: a part of its name is a part of the host's, or it is nobody's that is known and stands in a
/// parameter that asks for one.
fn belongs(name: &str, host: &str, before: &str) -> bool {
    let owners: Vec<&str> = name
        .split('_')
        .filter(|word| word.len() > 1 && !is_general(word) && !word.chars().all(|c| c.is_ascii_digit()))
        .collect();
    let known =
        |owner: &&str| OWNERS.iter().chain(agents::OWNERS).find(|(name, _)| name == owner).map(|(_, hosts)| *hosts);
    let fits = |owner: &&str| {
        host.contains(&owner.to_ascii_lowercase())
            || known(owner).is_some_and(|hosts| hosts.split('|').any(|part| host.contains(part)))
    };
    owners.iter().any(fits) || !owners.iter().any(|owner| known(owner).is_some()) && is_asked_for(before)
}

/// Whether what stands before a value names a parameter for secrets: `token=`, `"api_key": "`, `/bot`.
fn is_asked_for(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| is_placeholder(c) || matches!(c, '"' | '\'' | '\\' | ' '));
    if before.ends_with("/bot") {
        return true;
    }
    let Some(before) = before.strip_suffix(['=', ':']) else { return false };
    let before = before.trim_end_matches(['"', '\'', '\\', ' ']);
    let from = before.rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '[' | ']' | '.')));
    let parameter = before.get(from.map_or(0, |at| at + 1)..).unwrap_or_default().to_ascii_lowercase();
    TELLING.iter().any(|word| parameter.contains(word))
}
