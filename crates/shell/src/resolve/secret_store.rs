//! Stores of secrets, and the environment: the commands that print what they keep.

use super::action::{Kind, Run};
use super::exec::Call;
use super::state::Data;
use super::taint::{
    ENVIRONMENT, SECRET_VARIABLES, TAINT_LOADED, TAINT_SECRET, TAINT_STORE, UNKNOWN, glob, is_placeholder,
};
use super::{Interp, shown};
use crate::path::Place;
use crate::programs::{Invocation, Reveals, Tool};
use crate::syntax::Span;

impl Interp<'_> {
    /// All variables, printed: what is in them is secret for whoever sends them away or shows them, and for all if this line loaded
    /// secrets.
    pub(super) fn environment(&mut self, call: &Call) -> Data {
        if self.loaded_secrets {
            self.act_at(Kind::SecretRead, None, "the variables that were loaded".to_owned(), call.span);
            return Data::from(TAINT_SECRET.to_string());
        }
        // A container that was made for this holds what its image says.
        let fresh = self.state.container.as_ref().is_some_and(|container| !container.is_kept() && !container.given);
        if fresh { Data::from(UNKNOWN.to_string()) } else { variables() }
    }

    /// The marks of a variable that comes from outside, or that this line loaded, and is called like a secret; nothing for others.
    pub(super) fn variable_printed(&mut self, name: &str) -> String {
        if self.state.vars.contains_key(name) {
            return String::new();
        }
        if self.loaded_secrets && super::secret::is_secret_name(name) {
            return format!("{UNKNOWN}{TAINT_LOADED}");
        }
        self.named_secret(name).map_or_else(String::new, |mark| format!("{UNKNOWN}{mark}"))
    }

    /// Reports what of the environment is shown in the end.
    pub(super) fn shows_variables(&mut self, shown: &str, span: Span) {
        // `printenv` and nothing else is how people look at what is set.
        let looks = |run: &Run| run.tool() == Tool::Printenv && run.args.is_empty() && !run.stand.remote;
        let alone = matches!(self.report.runs.as_slice(), [only] if looks(only)) && self.state.container.is_none();
        if shown.contains(ENVIRONMENT) && !alone {
            self.act_at(Kind::SecretVariable, None, "all variables".to_owned(), span);
        }
        for name in self.secrets_in(shown) {
            self.act_at(Kind::SecretVariable, None, name, span);
        }
    }

    /// Reports secrets of the environment that a text brings into a file which others get with the project.
    pub(super) fn variables_placed(&mut self, path: &str, text: &str, span: Span) {
        // Nearly every text is one that brings nothing: a line without such a variable has no name to look for.
        let named = !self.secret_names.is_empty() && text.contains(SECRET_VARIABLES);
        if self.state.remote || !named && !text.contains(ENVIRONMENT) {
            return;
        }
        let kept = |place: &Place| matches!(place, Place::InProject | Place::Given | Place::WebRoot);
        if self.is_secret_path(path) || !self.places_of(path).iter().any(|(place, _)| kept(place)) {
            return;
        }
        let all = text.contains(ENVIRONMENT).then(|| "all variables".to_owned());
        for name in all.into_iter().chain(self.secrets_in(text)) {
            self.act_at(Kind::SecretCopy, None, format!("{name} to {}", shown(path)), span);
        }
    }

    /// The variables of the environment that are secrets and stand in a text.
    fn secrets_in(&self, text: &str) -> Vec<String> {
        let named = SECRET_VARIABLES.into_iter().zip(&self.secret_names);
        named
            .filter(|(mark, name)| text.contains(*mark) && is_shown_secret(name))
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// The command by which a program prints a secret that a store keeps.
    pub(super) fn reveals(of: &Invocation<'_>) -> Option<&'static Reveals> {
        let Invocation { program, args, .. } = *of;
        let stores = program.reveals;
        if stores.is_empty() || args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h")) {
            return None;
        }
        let operands = of.options().operands;
        let fits = |patterns: &[&str]| args.iter().any(|arg| patterns.iter().any(|pattern| glob(pattern, arg)));
        let named = |words: &[&str]| {
            operands.len() >= words.len() && words.iter().zip(&operands).all(|(pattern, word)| glob(pattern, word))
        };
        stores.iter().find(|store| {
            store.words.iter().any(|words| named(words))
                && (store.needs.is_empty() || fits(store.needs))
                && !fits(store.without)
        })
    }

    /// What such a command prints. What is caught by a substitution or a pipe is asked about where it goes.
    pub(super) fn revealed(&mut self, store: &Reveals, of: &Invocation<'_>, call: &Call) -> Data {
        if store.variables {
            return variables();
        }
        let (mark, kind) =
            if store.personal { (TAINT_SECRET, Kind::SecretRead) } else { (TAINT_STORE, Kind::SecretFetch) };
        self.secret_pending |= store.personal;
        if self.captured == 0 && of.program.tool != Tool::SshKeygen {
            self.act_at(kind, None, shown(&of.text()), call.span);
        }
        Data::from(mark.to_string())
    }
}

/// What stands for all variables with their values.
pub(super) fn variables() -> Data {
    Data::from(format!("{TAINT_SECRET}{ENVIRONMENT}"))
}

/// Words at the end of a variable's name that say that it tells something of a secret, and is none.
const ABOUT: &[&str] = &[
    "PATH", "FILE", "DIR", "FOLDER", "NAME", "ID", "COUNT", "LEN", "LENGTH", "SIZE", "HOST", "PORT", "USER", "TYPE",
    "KIND", "MODE", "TTL", "EXPIRY", "EXPIRES", "ENABLED", "REQUIRED", "METHOD", "PROVIDER", "DOMAIN", "ARN",
    "VERSION", "ALG", "ALGORITHM", "PREFIX", "SUFFIX", "HEADER", "ENDPOINT", "URL", "URI", "LIMIT", "RATE", "FORMAT",
    "INDEX", "PUB", "PUBLIC", "STATUS", "STATE", "TESTS", "TEST", "MSG", "MESSAGE", "PARALLELISM", "SOCK",
];

/// Words before `KEY` that say that it opens nothing.
const PLAIN_KEYS: &[&str] = &[
    "CACHE", "SORT", "PRIMARY", "FOREIGN", "PARTITION", "OBJECT", "ROW", "MAP", "PUBLIC", "PUB", "HOST", "S3", "GROUP",
    "INDEX", "STORAGE", "ISSUE", "JIRA", "PROJECT", "TICKET", "CONFIG", "STATE", "TRANSLATION", "DATA",
];

/// What is named with the log-in where it is an address.
const STORES: &[&str] = &[
    "DATABASE", "DB", "POSTGRES", "POSTGRESQL", "PG", "MYSQL", "MARIADB", "MONGO", "MONGODB", "REDIS", "AMQP",
    "RABBITMQ", "CLICKHOUSE",
];

/// Whether a variable is named like an address that holds a log-in: `DATABASE_URL`.
pub(super) fn is_store_address(name: &str) -> bool {
    name.rsplit_once('_').is_some_and(|(of, what)| {
        matches!(what, "URL" | "URI" | "DSN") && of.rsplit('_').next().is_some_and(|of| STORES.contains(&of))
    })
}

/// Whether showing a variable of this name shows a secret, and not something about one.
fn is_shown_secret(name: &str) -> bool {
    if is_store_address(name) {
        return true;
    }
    let words: Vec<&str> = name.split('_').filter(|word| !word.chars().all(|c| c.is_ascii_digit())).collect();
    match words.as_slice() {
        [] | ["PASS" | "AUTH" | "KEY" | "PASSES"] => false,
        [.., last] if ABOUT.contains(last) => false,
        [.., before, "KEY"] => !PLAIN_KEYS.contains(before),
        // A count of what has passed.
        [.., "PASS"] => words.len() > 1 && !words.iter().any(|word| matches!(*word, "TOTAL" | "COUNT" | "NUM" | "N")),
        _ => true,
    }
}

/// Whether a search among variables can only find such as hold no secret, by the words that it looks for.
pub(super) fn finds_plain_variables(pattern: &str) -> bool {
    const TELLING: &[&str] = &[
        "key", "token", "secret", "pass", "pwd", "cred", "auth", "dsn", "private", "api", "aws", "gcp", "azure",
        "openai", "anthropic", "github", "gitlab", "gh_", "stripe", "slack", "database", "db", "postgres", "pg",
        "mysql", "mongo", "redis", "supabase", "firebase", "sentry", "twilio", "sendgrid", "vault", "url", "uri",
        "login", "cookie", "session", "hf_", "hugging", "cloudflare", "heroku", "vercel", "netlify",
    ];
    let lower = pattern.to_ascii_lowercase();
    lower.split('|').all(|one| {
        let plain: String = one.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        // A set of characters, or a letter or two, finds anything.
        let says = plain.chars().filter(char::is_ascii_alphabetic).count() > 1 && !one.contains('[');
        let telling = |word: &&str| {
            if word.len() > 2 { plain.contains(*word) } else { plain.split('_').any(|part| part == *word) }
        };
        says && !one.contains(is_placeholder) && !TELLING.iter().any(telling)
    })
}
