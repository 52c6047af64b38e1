//! Files that hold secrets, told by their names and places.

use super::Interp;
use super::credential::{is_among_secrets, is_kept_credential};
use super::taint::{activate_globs, glob, is_placeholder, may_match};
use crate::options::Options;
use crate::path::{Places, in_other_home, is_unknown};
use crate::programs::{Tool, agents};

/// File names that hold secrets wherever they lie, whatever they end with.
const SURE: &[&str] =
    &["vault-password*", "vault_password*", "vault-pass*", "vault_pass*", ".vault_pass*", ".vault-pass*"];

/// File names that hold secrets wherever they lie.
const NAMES: &[&str] = &[
    ".env", ".env.*", "*.env", ".envrc", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ed25519_sk", "id_ecdsa_sk",
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".htpasswd", "credentials.json",
    "service-account*.json", "service_account*.json", "serviceaccount*.json", "client_secret*.json", "*.pem", "*.key",
    "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc.key", ".vault-token", ".dockercfg", ".s3cfg",
    ".boto", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "master.key", "wp-config.php",
    "terraform.tfstate", "*.tfvars", ".terraformrc", "kubeconfig", "shadow", "gshadow", "sudoers", "*.ovpn",
    "*.gpg.key", "settings.php", "settings.*.php", "*.settings.php", "application-prod.yml", "*_rsa", "*_ed25519",
    ".bash_history", ".zsh_history", "auth.json", "htpasswd", "*.secret", "*.secrets", "local.settings.json",
    ".credentials.json", "credentials.toml", "credentials.yml", "credentials.yaml", ".dev.vars", ".dev.vars.*",
    "kubeconfig.y*ml", "kubeconfig.conf", "kubeconfig.json", "*.kubeconfig", "*-kubeconfig", "firebase-adminsdk*.json",
    "*-firebase-adminsdk-*.json", "wg?.conf", "*.p8", "*.kdb", "*.pkcs12", "*.keychain-db", "*.tfstate", ".secrets",
    ".secrets.toml", ".secrets.yaml", ".secrets.yml", ".secrets.json", "rclone.conf", ".pgpass.conf", "pgpass.conf",
    ".mylogin.cnf", ".vault_pass", ".authinfo", ".authinfo.gpg", ".netrc.gpg", ".smbcredentials", "*.agekey",
    "token.pickle", "gcp-key*.json", "gcloud-key*.json", "sa-key*.json", "*-sa-key.json", ".databrickscfg",
    ".sentryclirc", ".flaskenv.local", ".cloudflare.ini", "*.token", "wallet.dat", "*.wallet", "UTC--*",
    "mnemonic.txt", "seed-phrase.txt", "seed_phrase.txt",
];

/// Files in the home directory that hold secrets; `*` stands for anything, further directories included.
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
    ".sqlite_history",
    ".mongodb/mongosh/mongosh_repl_history",
    ".irb_history",
    ".sh_history",
    ".zhistory",
    ".local/share/fish/fish_history",
    ".kaggle/*",
    ".config/kaggle/*",
    ".dbt/profiles.yml",
    ".nuget/NuGet/NuGet.Config",
    ".config/NuGet/NuGet.Config",
    ".netlify/config.json",
    "Library/Preferences/netlify/config.json",
    ".config/hcloud/cli.toml",
    ".config/linode-cli",
    ".linode-cli",
    ".twilio-cli/config.json",
    ".jira.d/config.yml",
    ".config/.jira/.config.yml",
    ".1password/*",
    ".tsh/keys/*",
    ".config/firebase/*",
    ".config/railway/config.json",
    ".railway/config.json",
    ".vercel/auth.json",
    ".config/scw/config.yaml",
    ".config/exoscale/*",
    ".vultr-cli.yaml",
    ".civo.json",
    ".circleci/cli.yml",
    ".travis/config.yml",
    ".config/argocd/config",
    ".argocd/config",
    ".config/atlascli/config.toml",
    ".confluent/config.json",
    ".snowflake/*",
    ".config/snowflake/*",
    ".config/tea/config.yml",
    ".config/lab/lab.toml",
    ".config/glab-cli/*",
    ".config/jgit/*",
    ".rancher/cli2.json",
    ".jfrog/*",
    ".step/secrets/*",
    ".nomad-token",
    ".consul-token",
    ".terraform.d/credentials*",
    ".cloudflared/*",
    ".config/.wrangler/*",
    ".config/wrangler/*",
    ".okta/okta.yaml",
    ".oktarc",
    ".transifexrc",
    ".gist",
    ".wakatime.cfg",
    ".lftprc",
    ".config/lftp/rc",
    ".config/filezilla/*",
    ".filezilla/*",
    ".msmtprc",
    ".config/msmtp/config",
    ".mbsyncrc",
    ".fetchmailrc",
    ".offlineimaprc",
    ".pg_service.conf",
    ".continuum/anaconda-client/tokens/*",
    ".hex/hex.config",
    ".chef/*.pem",
    ".config/Bitwarden CLI/data.json",
    ".config/Bitwarden/data.json",
    ".local/share/rbw/*",
    ".local/share/lpass/*",
    ".lpass/*",
    ".local/share/kwalletd/*",
    ".config/chromium/*",
    ".config/BraveSoftware/*",
    ".config/microsoft-edge/*",
    ".config/vivaldi/*",
    ".config/opera/*",
    ".librewolf/*",
    ".thunderbird/*",
    "Library/Application Support/Firefox/*",
    "Library/Application Support/BraveSoftware/*",
    ".config/Signal/*",
    ".local/share/TelegramDesktop/*",
    ".config/Exodus/*",
    ".bitcoin/wallets/*",
    ".config/io.datasette.llm/keys.json",
    ".config/shell_gpt/.sgptrc",
    ".supabase/*token*",
    ".config/sentry/*",
    ".config/ngrok/*",
    ".config/cloudflared/*",
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
    "/etc/shadow-",
    "/etc/gshadow-",
    "/etc/NetworkManager/system-connections/*",
    "/etc/wireguard/*.conf",
    "/etc/ppp/*-secrets",
    "/etc/ipsec.secrets",
    "/etc/letsencrypt/*/privkey*.pem",
    "/etc/rancher/k3s/k3s.yaml",
    "/etc/rancher/rke2/rke2.yaml",
    "/etc/postfix/sasl_passwd*",
    "/etc/exim4/passwd.client",
    "/var/lib/jenkins/secrets/*",
    "/etc/mysql/debian.cnf",
    "/var/lib/samba/private/*",
    "/etc/credstore/*",
    "/etc/boto.cfg",
    "/etc/openvpn/*.auth",
    "/etc/wpa_supplicant/*.conf",
];

/// Names that only look like those of secrets: templates, examples, public parts.
const HARMLESS: &[&str] = &[
    "*.example", "*.sample", "*.template", "*.tmpl", "*.tpl", "*.dist", "*.defaults", "*.default", "*.schema", "*.pub",
    "*.md", "*.rst", "*.txt", "*.html", "example.*", "default.settings.php", "sample.*", "*.example.*", "*.sample.*",
    "*.template.*", "*.d.ts", ".env.test", ".env.ci", "known_hosts", "known_hosts.old", "authorized_keys", "config",
    "environment", "*.crt", "*.cer", "cert.pem", "ca.pem", "chain.pem", "fullchain.pem", "cacert.pem", "ca-bundle.pem",
    "*.pub.pem", "public*.pem", "*public.pem", "*public.key", "*.env.js", "*.env.ts",
];

/// Directories whose files are made up: tests and documentation.
const MADE_UP: &[&str] = &[
    "testdata", "fixtures", "__fixtures__", "test-fixtures", "examples", "example", "samples", "docs", "doc", "testing",
];

/// Whether the absolute path holds a secret.
pub fn is_secret(path: &str, places: &Places) -> bool {
    secret_kind(path, places).is_some()
}

/// The pattern by which an absolute path is taken for a secret; `None` if it is not.
pub fn secret_kind(path: &str, places: &Places) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let patterned = path.contains(is_placeholder);
    let in_a_home = || places.in_home(path).or_else(|| in_other_home(path));
    let public =
        name.rsplit('.').next() == Some("pub") || matches!(name, "known_hosts" | "known_hosts.old" | "authorized_keys");
    if let Some(rest) = in_a_home().filter(|_| !places.in_project(path)) {
        // `~/.ssh/config` names hosts, `~/.kube/config` holds keys.
        let plain = public
            || rest == ".ssh/config"
            || rest == ".aws/config"
            || rest == ".gnupg/gpg.conf"
            || rest == ".gnupg/gpg-agent.conf";
        if !plain {
            let lower = rest.contains(|c: char| c.is_ascii_uppercase()).then(|| rest.to_ascii_lowercase());
            // On some file systems case does not count.
            let same = |pattern: &str| {
                glob(pattern, rest) || lower.as_ref().is_some_and(|lower| glob(&pattern.to_ascii_lowercase(), lower))
            };
            let hit = HOME
                .iter()
                .chain(agents::SECRETS)
                .copied()
                .find(|pattern| if patterned { covers(rest, pattern) } else { same(pattern) });
            if hit.is_some() {
                return hit;
            }
            if is_kept_credential(rest) && !is_harmless_name(name) {
                return Some("a program's credentials");
            }
        }
    }
    let hit = ABSOLUTE.iter().copied().find(|pattern| !public && glob(pattern, path));
    if hit.is_some() {
        return hit;
    }
    if is_made_up(path) {
        return None;
    }
    if patterned {
        return NAMES.iter().copied().find(|pattern| could_name(name, pattern));
    }
    if is_among_secrets(path) {
        return Some("secrets/*");
    }
    by_name(name).or_else(|| by_name(without_copy_marks(name)?))
}

/// Whether a name says that its file is a template, an example or a page, whatever else it says.
fn is_harmless_name(name: &str) -> bool {
    is_template(name) || [".md", ".rst", ".html", ".pub"].iter().any(|ending| name.ends_with(ending))
}

/// Whether a file lies among tests and documentation, whose secrets are made up.
pub(super) fn is_made_up(path: &str) -> bool {
    path.split('/').any(|part| MADE_UP.contains(&part))
}

/// Whether a file is called like a template, an example or a public part.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.iter().any(|pattern| glob(pattern, name))
}

/// The pattern by which a file's name is taken for a secret's.
fn by_name(name: &str) -> Option<&'static str> {
    let sure = SURE.iter().copied().find(|pattern| glob(pattern, name));
    if sure.is_some() && !is_harmless_name(name) && !is_code(name) {
        return sure;
    }
    if is_harmless(name) {
        return None;
    }
    NAMES.iter().copied().find(|pattern| glob(pattern, name) || glob(pattern, &name.to_ascii_lowercase()))
}

/// Whether a name says that the file is a copy of another one, kept by an editor or a user.
pub(super) fn is_copy(name: &str) -> bool {
    without_copy_marks(name).is_some()
}

/// Whether a file holds a program, which may be called like what it gets: `vault-password.sh`.
fn is_code(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "sh" | "py" | "rb" | "js" | "ts" | "go" | "rs" | "pl" | "tsx" | "jsx" | "java" | "bash" | "d")
}

/// The name of the file that this is an editor's or a user's copy of: `.env~`, `.key.swp`, `#id_rsa#`, `id_rsa.bak`.
fn without_copy_marks(name: &str) -> Option<&str> {
    if let Some(inner) = name.strip_prefix('#').and_then(|name| name.strip_suffix('#')) {
        return Some(inner);
    }
    if let Some(inner) = [".swp", ".swo"].iter().find_map(|mark| name.strip_suffix(mark)) {
        return Some(inner.strip_prefix('.').filter(|inner| inner.starts_with('.')).unwrap_or(inner));
    }
    ["~", "-", ".bak", ".old", ".orig", ".save", ".backup", ".copy"].iter().find_map(|mark| name.strip_suffix(mark))
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
        Some((prefix, "")) => may_match(name, &format!("{prefix}local")) && (tight(name) || is_pattern(name)),
        Some(_) => false,
        None => pattern.len() > 3 && (means(name, pattern) || is_pattern(name)) && may_match(name, pattern),
    }
}

/// Whether a pattern for the names of files is meant for secrets: `.env*`, `*.pem`. One for all files of a kind is not.
pub(super) fn picks_secrets(pattern: &str) -> bool {
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let active = activate_globs(name);
    // `.*rc` fits what nearly every tool has.
    if name.len() > 2 && name.starts_with(".*") {
        return false;
    }
    let dotted = name.contains(".env") && !name.contains(".env.") && glob(&active.replace(is_placeholder, "*"), ".env");
    by_name(name).is_some() || dotted || NAMES.iter().any(|known| could_name(&active, known))
}

/// The secret whose name a search among the names of a directory is for: `env`, `^\.env`, `id_rsa`, `\.pem$`.
pub(super) fn name_meant(pattern: &str) -> Option<String> {
    let plain: String = pattern.chars().filter(|c| !matches!(c, '^' | '$' | '\\' | '*')).collect();
    let core = |name: &str| name.trim_start_matches(['*', '.']).to_ascii_lowercase();
    let wanted = core(&plain);
    let dotted = plain.starts_with('.');
    let name = NAMES.iter().find(|name| {
        let name_core = core(name);
        // `key` alone means many things, `.key` one.
        let same = name_core == wanted && (dotted || !name.starts_with("*."));
        same || wanted.len() > 5 && name_core.starts_with(&wanted)
    })?;
    Some(name.replacen('*', "x", 1).replace('*', ""))
}

/// Whether enough of a name is written out to mean just this one: `*.json` fits many.
fn means(name: &str, pattern: &str) -> bool {
    let known = name.chars().filter(|c| !is_placeholder(*c)).count();
    tight(name)
        && if pattern.starts_with('.') {
            name.starts_with('.')
        } else {
            !name.starts_with(is_placeholder) && known * 3 > pattern.len() * 2
        }
}

/// Whether a name that begins with a dot, or with `id_`, has active pattern characters and no other marks: the shell lists what fits.
fn is_pattern(name: &str) -> bool {
    (name.starts_with('.') || name.starts_with("id_")) && !name.contains(is_unknown)
}

/// Whether each part of a path below the home directory can stand for the part of a pattern.
fn meets(rest: &str, pattern: &str) -> bool {
    let mut parts = rest.split('/');
    for wanted in pattern.split('/') {
        if wanted == "*" {
            return parts.next().is_some();
        }
        let Some(part) = parts.next() else { return false };
        // The shell's `*` leaves out names that begin with a dot.
        let hidden = wanted.starts_with('.') && !part.starts_with('.');
        if hidden || part.contains(is_unknown) || !may_match(part, wanted) {
            return false;
        }
    }
    parts.next().is_none()
}

/// Words by which a variable's name says that it holds a secret.
pub(super) const SECRET_WORDS: &[&str] = &[
    "KEY", "TOKEN", "SECRET", "PASS", "PASSWORD", "PASSWD", "PWD", "CREDENTIAL", "CREDENTIALS", "AUTH", "APIKEY", "DSN",
];

/// Whether a name sounds like that of a variable that holds a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    name.to_ascii_uppercase().split('_').any(|word| SECRET_WORDS.contains(&word)) && name != "PWD" && name != "OLDPWD"
}

/// Whether a path with marks reaches into a secret directory for certain: what is known of it lies there.
fn covers(rest: &str, pattern: &str) -> bool {
    let known = rest.split(is_placeholder).next().unwrap_or_default();
    let dir = pattern.trim_end_matches('*');
    pattern.ends_with("/*") && (known.starts_with(dir) || known.trim_end_matches('/') == dir.trim_end_matches('/'))
        || (tight(rest) && may_match(rest, pattern))
        || meets(rest, pattern)
}

/// Whether enough of a name is known to say what it means: `.e*` is, `*` is not.
fn tight(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let known = name.chars().filter(|c| !is_placeholder(*c)).count();
    name.starts_with('.') && known >= 3 || known >= 5
}

/// Whether a file is a template of a secret, to be copied and filled in.
pub(super) fn is_template(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["example", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults"]
        .iter()
        .any(|word| name.split('.').any(|part| part == *word))
}

/// Whether a file holds settings, of which only some are secrets.
pub(super) fn is_settings(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == ".env" || name.starts_with(".env.") || matches!(name, ".envrc" | ".npmrc" | ".yarnrc.yml" | ".pypirc")
}

/// What a text says that is written into a file of settings.
pub(super) enum Told {
    /// A secret, or what cannot be told.
    Secret,
    /// A setting, where secrets may stand as well.
    Setting,
    /// A setting of a program that mostly holds none.
    Nothing,
}

/// What `text` says if it is written into the file of settings at `path`.
pub(super) fn told(path: &str, text: &str) -> Told {
    const WORDS: &[&str] = &["key", "token", "secret", "passw", "auth", "credential", "private", "cert", "dsn", "_url"];
    let holds = text.lines().any(|line| {
        let Some((key, value)) = line.split_once(['=', ':']) else { return false };
        let (key, value) = (key.to_ascii_lowercase(), value.trim().trim_matches(['"', '\'']));
        let told = WORDS.iter().any(|word| key.contains(word)) && !value.is_empty() && !value.starts_with('$');
        // Long and without blanks, as keys are.
        let long = value.len() >= 24
            && value.chars().all(|c| c.is_ascii_alphanumeric() || "_-+/=.".contains(c))
            && !value.contains("://");
        told || long && value.chars().any(|c| c.is_ascii_digit())
    });
    if holds || text.contains(is_placeholder) {
        return Told::Secret;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.starts_with(".env") && name != ".envrc" { Told::Setting } else { Told::Nothing }
}

/// Files that run by themselves or say who may log in.
const STARTS: &[&str] = &[
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
    ".config/fish/config.fish", ".config/fish/conf.d/*", ".xinitrc", ".xprofile", ".ssh/authorized_keys",
    ".ssh/authorized_keys2", ".ssh/rc", ".ssh/config", ".config/autostart/*", ".config/systemd/user/*",
    "Library/LaunchAgents/*", ".config/environment.d/*", ".config/plasma-workspace/env/*",
    ".config/powershell/*profile.ps1", ".config/nushell/*.nu", ".pam_environment", ".xsession", ".xsessionrc",
    ".bash_aliases", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", ".ssh/id_*", ".gnupg/*",
    ".aws/credentials", ".kube/config", ".netrc", ".rhosts", ".shosts", ".k5login", ".forward", ".procmailrc",
    ".config/zsh/.z*", ".bashrc.d/*", ".profile.d/*", ".zshrc.d/*", ".bash_completion", ".cargo/env", ".nvm/nvm.sh",
    ".oh-my-zsh/custom/*", ".local/share/dbus-1/services/*",
];

/// Whether a file runs by itself at some time, or opens a door.
pub(super) fn starts_by_itself(path: &str, places: &Places) -> bool {
    let rest = places.in_home(path).or_else(|| in_other_home(path));
    rest.is_some_and(|rest| {
        !places.in_project(path) && STARTS.iter().chain(agents::STARTS).any(|pattern| glob(pattern, rest))
    })
}

/// Whether a program prints the names of settings and leaves out their values: `cut -d= -f1`, `sed 's/=.*//'`.
pub(super) fn names_alone(tool: Tool, options: &Options<'_>, pattern: &str) -> bool {
    match tool {
        Tool::Cut => {
            options.value(&["-d", "--delimiter"]) == Some("=") && options.value(&["-f", "--fields"]) == Some("1")
        }
        Tool::Sed => {
            let mut chars = pattern.chars();
            let separator = chars.nth(1).filter(|_| pattern.starts_with('s'));
            separator.is_some_and(|separator| {
                let mut parts = pattern.split(separator).skip(1);
                // Nothing of what it takes comes back.
                matches!(parts.next(), Some("=.*" | "=.*$" | "=.\\+"))
                    && parts.next().is_some_and(|with| !with.contains(['&', '\\']))
            }) && options.values(&["-e", "-f", "--expression", "--file"]).next().is_none()
        }
        Tool::Grep | Tool::Rg => options.has(&["-o", "--only-matching"]) && finds_names(pattern),
        _ => false,
    }
}

/// Whether what a pattern finds ends before the value: it begins a line, and nothing in it stands for a sign of equality but its end.
fn finds_names(pattern: &str) -> bool {
    let Some(rest) = pattern.strip_prefix('^') else { return false };
    let rest = rest.strip_suffix('=').unwrap_or(rest);
    let mut pieces = rest.split('[');
    let plain = |text: &str| !text.contains(['=', '.', '\\']);
    pieces.next().is_some_and(plain)
        && pieces.all(|piece| {
            // A class may begin with its closing bracket.
            let Some(end) = piece.char_indices().skip(1).find(|(_, c)| *c == ']').map(|(at, _)| at) else {
                return false;
            };
            let (class, behind) = piece.split_at(end);
            let names = match class.strip_prefix('^') {
                Some(without) => without.contains('='),
                None => plain(class) && !class.contains(':') && !wide(class),
            };
            names && plain(behind)
        })
}

/// Whether a class of characters has a range that holds the sign of equality, such as `!-~`.
fn wide(class: &str) -> bool {
    let chars: Vec<char> = class.chars().collect();
    chars.windows(3).any(|three| matches!(three, [from, '-', to] if *from <= '=' && '=' <= *to))
}

impl Interp<'_> {
    /// Whether a path that a command names is a secret, wherever the shell may stand.
    pub(super) fn is_secret_path(&self, path: &str) -> bool {
        if path.is_empty() || path.len() > 4096 || path.contains('\n') {
            return false;
        }
        let path: &str = &self.at_home(path);
        self.state.cwds.iter().any(|cwd| {
            let absolute = Places::absolute(path, cwd.as_deref()).unwrap_or_else(|| path.to_owned());
            if let Some(container) = &self.state.container {
                return match container.find(&absolute, self.places).1 {
                    Some(real) => is_secret(&real, self.places),
                    // One that lives on has secrets of its own.
                    None => container.is_kept() && is_secret(&absolute, self.places),
                };
            }
            if is_secret(&absolute, self.places) {
                return true;
            }
            let real = self.real_path(path, cwd.as_deref());
            if real.as_ref().is_some_and(|real| is_secret(real, self.places)) {
                return true;
            }
            self.renamed_secret(real.as_deref().unwrap_or(&absolute)).is_some_and(|name| is_secret(&name, self.places))
        })
    }
}
