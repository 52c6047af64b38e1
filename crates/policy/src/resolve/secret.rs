//! Files that hold secrets, and files of the guard itself: told by their names and places.

use super::Interp;
use super::value::{could_match, glob, is_marker};
use crate::path::{Places, below, is_unknown};

/// File names that hold secrets wherever they lie.
const NAMES: &[&str] = &[
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ed25519_sk",
    "id_ecdsa_sk",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".git-credentials",
    ".htpasswd",
    "credentials.json",
    "service-account*.json",
    "service_account*.json",
    "client_secret*.json",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "*.asc.key",
    ".vault-token",
    ".dockercfg",
    ".s3cfg",
    ".boto",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    "master.key",
    "wp-config.php",
    "terraform.tfstate",
    "*.tfvars",
    ".terraformrc",
    "kubeconfig",
    "shadow",
    "gshadow",
    "sudoers",
    "*.ovpn",
    "*.gpg.key",
    "settings.php",
    "application-prod.yml",
    "*_rsa",
    "*_ed25519",
    ".bash_history",
    ".zsh_history",
    "auth.json",
    "htpasswd",
    "*.secret",
    "*.secrets",
    "local.settings.json",
    ".credentials.json",
    "credentials.toml",
    "credentials.yml",
];

/// Files in the home folder that hold secrets; `*` stands for anything, further folders included.
const HOME: &[&str] = &[
    ".ssh",
    ".ssh/*",
    ".gnupg",
    ".gnupg/*",
    ".aws/*",
    ".aws",
    ".azure/*",
    ".config/gcloud/*",
    ".config/gh/hosts.yml",
    ".config/glab-cli/config.yml",
    ".config/hub",
    ".config/containers/auth.json",
    ".config/pypoetry/auth.toml",
    ".config/op/*",
    ".config/doctl/config.yaml",
    ".config/rclone/rclone.conf",
    ".config/sops/*",
    ".config/age/*",
    ".config/netlify/config.json",
    ".config/heroku/*",
    ".config/configstore/*",
    ".config/stripe/config.toml",
    ".config/flyctl/*",
    ".fly/*",
    ".config/anthropic/*",
    ".config/openai/*",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".docker/config.json",
    ".kube/config",
    ".kube/*",
    ".gem/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
    ".password-store/*",
    ".local/share/keyrings/*",
    ".mozilla/*",
    ".config/google-chrome/*",
    "Library/Keychains/*",
    "Library/Application Support/Google/Chrome/*",
    ".oci/*",
    ".bluemix/*",
    ".databrickscfg",
    ".snowsql/config",
    ".pulumi/credentials.json",
    ".config/configstore/firebase-tools.json",
    ".supabase/access-token",
    ".npmrc",
    ".yarnrc.yml",
    ".nuget/NuGet.Config",
    ".wrangler/config/*",
    ".config/1Password/*",
    ".config/keybase/*",
    ".electrum/*",
    ".bitcoin/wallet.dat",
    ".ethereum/keystore/*",
    ".config/solana/id.json",
    ".minio/*",
    ".mc/config.json",
    ".s3cfg",
    ".boto",
    ".ngrok2/ngrok.yml",
    ".config/ngrok/ngrok.yml",
    ".subversion/auth/*",
    ".config/git/credentials",
    ".git-credentials",
    ".mysql_history",
    ".psql_history",
    ".python_history",
    ".node_repl_history",
    ".rediscli_history",
];

/// Files elsewhere that hold secrets.
const ABSOLUTE: &[&str] = &[
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/sudoers.d/*",
    "/etc/ssh/ssh_host_*_key",
    "/etc/ssl/private/*",
    "/root/.ssh/*",
    "/root/.aws/*",
    "/etc/kubernetes/admin.conf",
    "/etc/krb5.keytab",
    "/var/run/secrets/*",
    "/run/secrets/*",
    "/proc/*/environ",
    "/etc/master.passwd",
    "/etc/security/passwd",
];

/// Beginnings and endings of names that only look like secrets: templates, examples, public parts.
const HARMLESS: &[&str] = &[
    "*.example",
    "*.sample",
    "*.template",
    "*.tmpl",
    "*.tpl",
    "*.dist",
    "*.defaults",
    "*.default",
    "*.schema",
    "*.pub",
    "*.md",
    "*.rst",
    "*.txt",
    "*.html",
    "example.*",
    "sample.*",
    "*.example.*",
    "*.sample.*",
    "*.template.*",
    "*.d.ts",
    ".env.test",
    ".env.ci",
    "known_hosts",
    "known_hosts.old",
    "authorized_keys",
    "config",
    "environment",
    "*.crt",
    "*.cer",
    "cert.pem",
    "ca.pem",
    "chain.pem",
    "fullchain.pem",
    "cacert.pem",
    "ca-bundle.pem",
    "*.pub.pem",
    "public*.pem",
    "*public.pem",
    "*public.key",
    "*.env.js",
    "*.env.ts",
];

/// Folders whose files are made up: tests and documentation.
const MADE_UP: &[&str] = &[
    "testdata",
    "fixtures",
    "__fixtures__",
    "test-fixtures",
    "examples",
    "example",
    "samples",
    "docs",
    "doc",
    "testing",
];

/// Whether the absolute path holds a secret.
pub fn is_secret(path: &str, places: &Places) -> bool {
    secret_kind(path, places).is_some()
}

/// The pattern by which an absolute path is taken for a secret; `None` if it is not.
pub fn secret_kind(path: &str, places: &Places) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let patterned = path.contains(is_marker);
    let fits = |pattern: &str, text: &str| if patterned { false } else { glob(pattern, text) };
    let in_project = below(path, &places.project).is_some() && places.project != places.home;
    let own = below(path, &places.home).filter(|rest| !places.home.is_empty() && !rest.is_empty());
    if let Some(rest) = own.or_else(|| in_other_home(path)).filter(|_| !in_project) {
        let public = name.rsplit('.').next() == Some("pub")
            || matches!(name, "known_hosts" | "known_hosts.old" | "authorized_keys");
        // `~/.ssh/config` names hosts, `~/.kube/config` holds keys.
        let plain = public
            || rest == ".ssh/config"
            || rest == ".aws/config"
            || rest == ".gnupg/gpg.conf"
            || rest == ".gnupg/gpg-agent.conf";
        if !plain {
            let hit = HOME
                .iter()
                .copied()
                .find(|pattern| if patterned { covers(rest, pattern) } else { glob(pattern, rest) });
            if hit.is_some() {
                return hit;
            }
        }
    }
    let hit = ABSOLUTE.iter().copied().find(|pattern| glob(pattern, path));
    if hit.is_some() {
        return hit;
    }
    if HARMLESS.iter().any(|pattern| fits(pattern, name)) {
        return None;
    }
    if path.split('/').any(|part| MADE_UP.contains(&part)) {
        return None;
    }
    if patterned {
        return NAMES.iter().copied().find(|pattern| could_name(name, pattern));
    }
    NAMES.iter().copied().find(|pattern| glob(pattern, name) || glob(pattern, &name.to_ascii_lowercase()))
}

/// What follows the home folder of any other user.
fn in_other_home(path: &str) -> Option<&str> {
    path.strip_prefix("/root/").or_else(|| {
        let below_homes = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"))?;
        below_homes.split_once('/').map(|(_, rest)| rest)
    })
}

/// Whether a name with marks can stand for a secret of this pattern, and says enough to mean it.
fn could_name(name: &str, pattern: &str) -> bool {
    // `.git*` in a project lists what git ignores, not what it logs in with.
    if pattern == ".git-credentials" {
        return false;
    }
    match pattern.split_once('*') {
        // `*.pem`: the end is written out.
        Some(("", suffix)) if !suffix.contains('*') => name.ends_with(suffix),
        // `.env.*`: the beginning is, up to a mark.
        Some((prefix, "")) => could_match(name, &format!("{prefix}local")) && (tight(name) || is_pattern(name)),
        Some(_) => false,
        None => pattern.len() > 3 && (tight(name) || is_pattern(name)) && could_match(name, pattern),
    }
}

/// Whether a name that begins with a dot, or with `id_`, has active pattern characters and no other marks: the shell lists what fits.
fn is_pattern(name: &str) -> bool {
    (name.starts_with('.') || name.starts_with("id_")) && !name.contains(is_unknown)
}

/// Whether each part of a path below the home folder can stand for the part of a pattern.
fn meets(rest: &str, pattern: &str) -> bool {
    let mut parts = rest.split('/');
    for wanted in pattern.split('/') {
        if wanted == "*" {
            return parts.next().is_some();
        }
        let Some(part) = parts.next() else { return false };
        // The shell's `*` leaves out names that begin with a dot.
        let hidden = wanted.starts_with('.') && !part.starts_with('.');
        if hidden || part.contains(is_unknown) || !could_match(part, wanted) {
            return false;
        }
    }
    parts.next().is_none()
}

/// Whether a name sounds like that of a variable that holds a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "KEY",
        "TOKEN",
        "SECRET",
        "PASS",
        "PASSWORD",
        "PASSWD",
        "PWD",
        "CREDENTIAL",
        "CREDENTIALS",
        "AUTH",
        "APIKEY",
        "DSN",
    ];
    name.to_ascii_uppercase().split('_').any(|word| WORDS.contains(&word)) && name != "PWD" && name != "OLDPWD"
}

/// Whether a path with marks reaches into a secret folder for certain: what is known of it lies there.
fn covers(rest: &str, pattern: &str) -> bool {
    let known = rest.split(is_marker).next().unwrap_or_default();
    let folder = pattern.trim_end_matches('*');
    pattern.ends_with("/*")
        && (known.starts_with(folder) || known.trim_end_matches('/') == folder.trim_end_matches('/'))
        || (tight(rest) && could_match(rest, pattern))
        || meets(rest, pattern)
}

/// Whether enough of a name is known to say what it means: `.e*` is, `*` is not.
fn tight(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let known = name.chars().filter(|c| !is_marker(*c)).count();
    name.starts_with('.') && known >= 3 || known >= 5
}

/// Whether a path belongs to the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// It does not.
    No,
    /// It does.
    Yes,
    /// A settings file that may start the guard.
    Settings,
}

/// Files in `.claude` by which the gates of the documents judge.
const EVIDENCE: &[&str] = &[
    ".test-status",
    ".proof-status",
    ".test-gate-strikes",
    ".mock-gate-strikes",
    ".test-gate-cold-warned",
    ".plan-drift",
    ".lint-breaker",
    ".audit-log",
    ".agent-findings",
    ".test-runner.lock",
    ".test-runner.running",
    ".test-runner.last-run",
    ".test-runner.out",
];

/// The same of one session each: these names begin so.
const EVIDENCE_OF_SESSION: &[&str] = &[".session-changes", ".prompt-count-", ".compact-context-", ".surfaced-"];

/// Files of the guard: its executable, settings, state and log, and the settings that start it.
pub(super) fn own(path: &str, places: &Places) -> Own {
    const IN_CLAUDE: &[&str] = &[
        "settings.json",
        "settings.local.json",
        "hookbin.toml",
        "hookbin",
        "state.json",
        "state.json.lock",
        "bypass_active.json",
        "saneprompt.log",
        "sanetools.log",
        "sanetrack.log",
        "sanestop.log",
        "compact-recovery.json",
    ];
    // A pattern that can stand for one of the files counts as its name, if enough of it is written out.
    let names =
        |rest: &str, own: &str| rest == own || rest.contains(is_marker) && tight(rest) && could_match(rest, own);
    if let Some(rest) = below(path, &places.project) {
        let in_claude = rest.strip_prefix(".claude/").is_some_and(|rest| {
            IN_CLAUDE.iter().any(|own| names(rest, own))
                || rest.starts_with("hookbin/")
                || rest.starts_with("state.json.tampered-")
        });
        if rest == ".claude"
            || in_claude
            || rest == ".claude-collective/metrics"
            || rest.starts_with(".claude-collective/metrics/")
        {
            return Own::Yes;
        }
    }
    if let Some(rest) = below(path, &places.home) {
        if matches!(rest, ".claude" | ".claude/settings.json" | ".claude/settings.local.json") {
            return Own::Settings;
        }
        let folders = [".claude/hookbin", ".config/hookbin", ".local/state/hookbin", ".local/share/hookbin"];
        let files = [".claude/hookbin.toml", ".local/bin/hookbin", ".cargo/bin/hookbin"];
        if files.contains(&rest) || folders.iter().any(|folder| rest == *folder || below(rest, folder).is_some()) {
            return Own::Yes;
        }
    }
    // Each working tree of a project has its own evidence, wherever it lies.
    if let Some((_, name)) = path.rsplit_once("/.claude/")
        && (EVIDENCE.iter().any(|own| names(name, own)) || EVIDENCE_OF_SESSION.iter().any(|own| name.starts_with(own)))
    {
        return Own::Yes;
    }
    let managed = ["/etc/claude-code", "/usr/local/bin/hookbin", "/Library/Application Support/ClaudeCode"];
    if managed.iter().any(|managed| path == *managed || below(path, managed).is_some()) { Own::Yes } else { Own::No }
}

/// Whether a file is a template of a secret, to be copied and filled in.
pub(super) fn is_template(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["example", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults"]
        .iter()
        .any(|word| name.split('.').any(|part| part == *word))
}

/// Files that run by themselves or say who may log in.
const STARTS: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish/config.fish",
    ".config/fish/conf.d/*",
    ".xinitrc",
    ".xprofile",
    ".ssh/authorized_keys",
    ".ssh/authorized_keys2",
    ".ssh/rc",
    ".ssh/config",
    ".config/autostart/*",
    ".config/systemd/user/*",
    "Library/LaunchAgents/*",
    ".pam_environment",
    ".inputrc",
    ".ssh/id_*",
    ".gnupg/*",
    ".aws/credentials",
    ".kube/config",
    ".netrc",
];

/// Whether a file runs by itself at some time, or opens a door.
pub(super) fn starts_by_itself(path: &str, places: &Places) -> bool {
    below(path, &places.home)
        .is_some_and(|rest| below(path, &places.project).is_none() && STARTS.iter().any(|pattern| glob(pattern, rest)))
}

impl Interp<'_> {
    /// Whether a path that a command names is a secret, wherever the shell may stand.
    pub(super) fn is_secret_path(&self, path: &str) -> bool {
        if path.is_empty() || path.len() > 4096 || path.contains('\n') {
            return false;
        }
        self.state.cwds.iter().any(|cwd| {
            let absolute = Places::absolute(path, cwd.as_deref()).unwrap_or_else(|| path.to_owned());
            if is_secret(&absolute, self.places) {
                return true;
            }
            self.real_path(path, cwd.as_deref()).is_some_and(|real| is_secret(&real, self.places))
        })
    }
}
