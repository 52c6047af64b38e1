//! Stores of secrets: the commands that print what they keep.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::option::Options;
use super::state::Data;
use super::value::{SECRET, STORED, glob};

/// Commands of one store that print a secret.
struct Store {
    names: &'static [&'static str],
    /// The first operands, as patterns; each is one command.
    words: &'static [&'static [&'static str]],
    /// Arguments of which one must be there, as patterns; none for most.
    needs: &'static [&'static str],
    /// Arguments with which nothing is printed.
    without: &'static [&'static str],
}

const PLAIN: Store = Store { names: &[], words: &[], needs: &[], without: &[] };

/// Options with a value that stand before the words of a command.
const GLOBAL: &[&str] = &[
    "--profile", "--region", "--output", "-n", "--namespace", "--context", "--kubeconfig", "--project", "--account",
    "--subscription", "--vault", "--config", "-p", "-c", "-a", "--app", "-o", "-f", "--file", "--endpoint-url",
];

const STORES: &[Store] = &[
    Store { names: &["gh", "glab"], words: &[&["auth", "token"]], ..PLAIN },
    Store { names: &["gh", "glab"], words: &[&["auth", "status"]], needs: &["--show-token", "-t"], ..PLAIN },
    Store {
        names: &["kubectl", "oc", "k3s", "microk8s"],
        words: &[&["get", "secret*"], &["get", "*,secret*"]],
        needs: &["-o*", "--output*", "--template*"],
        without: &["wide", "name", "-owide", "-oname", "-o=wide", "-o=name", "--output=wide", "--output=name"],
    },
    Store { names: &["kubectl", "oc"], words: &[&["config", "view"]], needs: &["--raw"], ..PLAIN },
    Store { names: &["kubectl"], words: &[&["view-secret"]], ..PLAIN },
    Store {
        names: &["oc"],
        words: &[&["extract", "secret*"], &["whoami"]],
        needs: &["--to=-", "-t", "--show-token"],
        ..PLAIN
    },
    Store {
        names: &["vault", "bao"],
        words: &[
            &["kv", "get"],
            &["read", "*secret*"],
            &["read", "*/data/*"],
            &["read", "*creds*"],
            &["read", "kv/*"],
            &["print", "token"],
            &["unwrap"],
        ],
        ..PLAIN
    },
    Store {
        names: &["aws"],
        words: &[
            &["secretsmanager", "*get-secret-value"],
            &["configure", "export-credentials"],
            &["configure", "get", "*secret*"],
            &["configure", "get", "*token*"],
            &["sts", "get-session-token"],
            &["sts", "assume-role*"],
            &["ecr*", "get-login-password"],
            &["codeartifact", "get-authorization-token"],
            &["rds", "generate-db-auth-token"],
            &["kms", "decrypt"],
            &["iam", "create-access-key"],
        ],
        ..PLAIN
    },
    Store { names: &["aws"], words: &[&["ssm", "get-parameter*"]], needs: &["--with-decryption"], ..PLAIN },
    Store {
        names: &["gcloud"],
        words: &[
            &["secrets", "versions", "access"],
            &["auth", "print-access-token"],
            &["auth", "print-identity-token"],
            &["auth", "application-default", "print-access-token"],
        ],
        ..PLAIN
    },
    Store {
        names: &["az"],
        words: &[
            &["keyvault", "secret", "show"],
            &["account", "get-access-token"],
            &["storage", "account", "keys", "list"],
            &["acr", "credential", "show"],
        ],
        ..PLAIN
    },
    Store { names: &["op"], words: &[&["read"], &["document", "get"]], without: &["-o", "--out-file"], ..PLAIN },
    Store { names: &["op"], words: &[&["item", "get"]], needs: &["--reveal", "--fields*", "--otp"], ..PLAIN },
    Store { names: &["pass", "gopass"], words: &[&["show"], &["otp"]], without: &["-c", "--clip", "-c*"], ..PLAIN },
    Store {
        names: &["bw", "rbw"],
        words: &[&["get", "password"], &["get", "totp"], &["get", "item"], &["get", "notes"], &["export"]],
        ..PLAIN
    },
    Store { names: &["rbw"], words: &[&["get"]], ..PLAIN },
    Store { names: &["bws"], words: &[&["secret", "get"], &["secret", "list"]], ..PLAIN },
    Store { names: &["lpass"], words: &[&["show"], &["export"]], without: &["-c", "--clip"], ..PLAIN },
    Store {
        names: &["security"],
        words: &[&["find-generic-password"], &["find-internet-password"]],
        needs: &["-w", "-g", "-w?", "-g?", "-?w", "-?g"],
        ..PLAIN
    },
    Store { names: &["security"], words: &[&["dump-keychain"]], needs: &["-d*"], ..PLAIN },
    Store { names: &["secret-tool"], words: &[&["lookup"]], ..PLAIN },
    Store { names: &["doppler"], words: &[&["secrets", "get"]], ..PLAIN },
    Store { names: &["doppler"], words: &[&["secrets", "download"]], needs: &["--no-file"], ..PLAIN },
    Store { names: &["infisical"], words: &[&["secrets", "get"], &["export"]], ..PLAIN },
    Store { names: &["heroku"], words: &[&["config:get"], &["config"]], ..PLAIN },
    Store { names: &["netlify", "ntl"], words: &[&["env:get"]], ..PLAIN },
    Store { names: &["firebase"], words: &[&["functions:secrets:access"]], ..PLAIN },
    Store { names: &["databricks"], words: &[&["secrets", "get*"]], ..PLAIN },
    Store {
        names: &["pulumi"],
        words: &[&["config"], &["stack", "output"], &["stack", "export"]],
        needs: &["--show-secrets"],
        ..PLAIN
    },
    Store { names: &["pulumi"], words: &[&["config", "get"]], ..PLAIN },
    Store { names: &["docker", "podman"], words: &[&["secret", "inspect"]], needs: &["--showsecret"], ..PLAIN },
    Store {
        names: &["terraform", "tofu", "terragrunt"],
        words: &[
            &["output", "*pass*"],
            &["output", "*secret*"],
            &["output", "*token*"],
            &["output", "*private*"],
            &["output", "*_key"],
            &["output", "*credential*"],
        ],
        ..PLAIN
    },
    Store { names: &["sops"], words: &[&["decrypt"]], without: &["-i", "--in-place", "--output*", "-d=*"], ..PLAIN },
    Store { names: &["sops"], words: &[&[]], needs: &["-d", "--decrypt"], without: &["-i", "--in-place", "--output*"] },
    Store { names: &["ansible-vault"], words: &[&["view"]], ..PLAIN },
    Store { names: &["ansible-vault"], words: &[&["decrypt"]], needs: &["--output=-", "-"], ..PLAIN },
    Store { names: &["age", "rage"], words: &[&[]], needs: &["-d", "--decrypt"], without: &["-o", "--output*"] },
    Store {
        names: &["gpg", "gpg2"],
        words: &[&[]],
        needs: &["--export-secret-key*", "--export-secret-subkey*"],
        without: &["-o", "--output*"],
    },
    Store { names: &["ssh-keygen"], words: &[&[]], needs: &["-y", "-y*"], ..PLAIN },
    Store {
        names: &["git"],
        words: &[
            &["credential", "fill"],
            &["config", "*extraheader"],
            &["config", "get", "*extraheader"],
            &["credential-*", "get"],
        ],
        ..PLAIN
    },
    Store {
        names: &["npm", "pnpm", "yarn"],
        words: &[&["config", "get", "*auth*"], &["config", "get", "*oken*"]],
        ..PLAIN
    },
    Store { names: &["chamber"], words: &[&["read"], &["export"], &["env"]], ..PLAIN },
    Store { names: &["credstash"], words: &[&["get*"]], ..PLAIN },
    Store { names: &["keyring"], words: &[&["get"]], ..PLAIN },
    Store { names: &["keepassxc-cli"], words: &[&["show"], &["clip"]], needs: &["-s", "--show-protected"], ..PLAIN },
    Store { names: &["getent"], words: &[&["shadow"], &["gshadow"]], ..PLAIN },
];

impl Interp<'_> {
    /// All variables, printed: what is in them is secret for whoever sends them away, and for all if this line loaded secrets.
    pub(super) fn environment(&mut self, call: &Call) -> Data {
        if self.loaded_secrets {
            self.act_at(Kind::SecretRead, None, "the variables that were loaded".to_owned(), call.span);
        }
        Data::from(SECRET.to_string())
    }

    /// The mark of what a program prints, if that is a secret which a store keeps.
    pub(super) fn reveals(name: &str, args: &[String]) -> Option<char> {
        let mut stores = STORES.iter().filter(|store| store.names.contains(&name)).peekable();
        if stores.peek().is_none() || args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h")) {
            return None;
        }
        let operands = Options::all(args, GLOBAL).operands;
        let fits = |patterns: &[&str]| args.iter().any(|arg| patterns.iter().any(|pattern| glob(pattern, arg)));
        let named = |words: &[&str]| {
            operands.len() >= words.len() && words.iter().zip(&operands).all(|(pattern, word)| glob(pattern, word))
        };
        // `pass NAME` is `pass show NAME`.
        let bare = matches!(name, "pass" | "gopass")
            && operands.first().is_some_and(|word| word.contains('/'))
            && !fits(&["-c", "--clip", "-c?"]);
        let found = bare
            || stores.any(|store| {
                store.words.iter().any(|words| named(words))
                    && (store.needs.is_empty() || fits(store.needs))
                    && !fits(store.without)
            });
        // The person's own keys and passwords are no part of any project.
        let own = matches!(name, "gpg" | "gpg2" | "security" | "secret-tool" | "getent" | "git");
        found.then_some(if own { SECRET } else { STORED })
    }
}
