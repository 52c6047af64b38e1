//! Stores of secrets, keys and signatures, and what searches for leaked ones.

use super::Trait::{Reader, Silent, System, TakesText};
use super::reads::HELP;
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Rest, Runs};
use super::{Program, Tool, row};
use crate::options::Grammar;

const VAULT_REVEALS: Reveals = Reveals {
    words: &[
        &["kv", "get"],
        &["read", "*secret*"],
        &["read", "*/data/*"],
        &["read", "*creds*"],
        &["read", "kv/*"],
        &["print", "token"],
        &["unwrap"],
    ],
    ..REVEALS
};

const GPG_REVEALS: Reveals = Reveals {
    words: &[&[]],
    needs: &["--export-secret-key*", "--export-secret-subkey*"],
    without: &["-o", "--output*"],
    personal: true,
    ..REVEALS
};

/// What is encrypted for somebody, where its name says that it is a secret. Downloads and mail are encrypted as well.
const GPG_DECRYPTS: Reveals = Reveals {
    words: &[&["*secret*"], &["*passw*"], &["*credential*"], &["*token*"], &["*.env*"], &["*authinfo*"], &["*netrc*"]],
    needs: &["-d", "--decrypt", "-?d", "-d?", "-??d"],
    without: &["-o", "--output*"],
    ..REVEALS
};

const AGE_REVEALS: Reveals =
    Reveals { words: &[&[]], needs: &["-d", "--decrypt"], without: &["-o", "--output*"], ..REVEALS };

/// What prints the settings of a file of secrets.
const DOTENV_REVEALS: Reveals = Reveals {
    words: &[&["list"], &["get"], &["decrypt"]],
    without: &["*.example", "*.sample", "*.template", "*.test", "-h", "--help"],
    personal: true,
    ..REVEALS
};

/// Options of `op` with a value.
const OP_VALUES: &[&str] = &[
    "--account", "--config", "--encoding", "--format", "--session", "--vault", "--tags", "--categories", "--fields",
    "-o", "--out-file", "--out", "-i", "--in-file", "--env-file", "--otp", "--environment",
];

const BW_REVEALS: Reveals = Reveals {
    words: &[&["get", "password"], &["get", "totp"], &["get", "item"], &["get", "notes"], &["export"]],
    ..REVEALS
};

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["vault"])
        .options(Grammar::words(&[
            "-address", "-namespace", "-ns", "-field", "-format", "-mount", "-ca-cert", "-client-cert", "-client-key",
            "-tls-server-name", "-header", "-version", "-wrap-ttl", "-path", "-policy",
        ]))
        .reads(&[HELP])
        .reveals(&[VAULT_REVEALS]),
    &row(&["gpg"])
        .is(&[Silent, System])
        .tool(Tool::Gpg)
        .options(Grammar::gnu(&[
            "-o", "--output", "-r", "--recipient", "-R", "--hidden-recipient", "-u", "--local-user", "-z",
            "--default-key", "--homedir", "--passphrase", "--passphrase-file", "--passphrase-fd", "--keyserver",
            "--keyring", "--options", "--status-fd", "--command-fd", "--logger-fd", "--trust-model", "--pinentry-mode",
            "--cipher-algo", "--digest-algo", "--compress-algo", "--export-options", "--import-options",
        ]))
        .reads(&[HELP])
        .reveals(&[GPG_REVEALS, GPG_DECRYPTS]),
    &row(&["op"])
        .options(Grammar::gnu(OP_VALUES))
        .runs(&[Runs { values: OP_VALUES, loads: &["--env-file"], ..super::packages::NVM_RUNS }])
        .reveals(&[
            Reveals { words: &[&["read"], &["document", "get"]], without: &["-o", "--out-file"], ..REVEALS },
            Reveals { words: &[&["inject"]], without: &["-o", "--out-file", "--out-file=*", "-o?*"], ..REVEALS },
            Reveals { words: &[&["item", "get"]], needs: &["--reveal", "--fields*", "--otp"], ..REVEALS },
        ]),
    &row(&["doppler"])
        .options(Grammar::gnu(&[
            "-p", "--project", "-c", "--config", "-t", "--token", "--api-host", "--configuration", "--scope",
            "--format", "--timeout", "--attempts",
        ]))
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[
            Reveals { words: &[&["secrets", "get"]], ..REVEALS },
            Reveals { words: &[&["secrets", "download"]], needs: &["--no-file"], ..REVEALS },
            Reveals { words: &[&["configs", "tokens", "create"]], ..REVEALS },
            // Alone it lists names with their values.
            Reveals {
                words: &[&["secrets"]],
                without: &[
                    "--only-names", "set", "delete", "upload", "download", "notes", "substitute", "get", "--help",
                ],
                ..REVEALS
            },
        ]),
    &row(&["infisical"])
        .options(Grammar::gnu(&[
            "--env", "--path", "--token", "--projectId", "--domain", "--format", "-f", "--output-file", "--log-level",
        ]))
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[
            Reveals { words: &[&["secrets", "get"], &["export"]], ..REVEALS },
            Reveals {
                words: &[&["secrets"]],
                without: &["set", "delete", "folders", "generate-example-env"],
                ..REVEALS
            },
        ]),
    &row(&["chamber"])
        .options(Grammar::gnu(&[
            "-b", "--backend", "--backend-s3-bucket", "-r", "--retries", "--retry-mode", "--min-throttle-delay", "-f",
            "--format", "-o", "--output-file",
        ]))
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[Reveals { words: &[&["read"], &["export"], &["env"]], ..REVEALS }]),
    &row(&["sops"])
        .is(&[Silent])
        .options(Grammar::gnu(&[
            "-k", "--kms", "-p", "--pgp", "-a", "--age", "--aws-profile", "--gcp-kms", "--azure-kv", "--config",
            "--input-type", "--output-type", "--extract", "--output", "--set", "--encryption-context",
            "--unencrypted-suffix", "--encrypted-suffix",
        ]))
        .runs(&[
            Runs { verbs: &["exec-env", "exec-file"], skip: 1, rest: Rest::Line, ..RUNS },
            super::packages::NVM_RUNS,
        ])
        .reveals(&[
            Reveals { words: &[&["decrypt"]], without: &["-i", "--in-place", "--output*", "-d=*"], ..REVEALS },
            Reveals {
                words: &[&[]],
                needs: &["-d", "--decrypt"],
                without: &["-i", "--in-place", "--output*"],
                ..REVEALS
            },
        ]),
    &row(&["dotenvx"])
        .options(Grammar::gnu(&["-f", "--env-file", "-fk", "--env-keys-file", "-e", "--env"]))
        .runs(&[Runs { loads: &["-f", "--env-file"], loaded: true, ..super::packages::NVM_RUNS }])
        .reveals(&[DOTENV_REVEALS]),
    &row(&["envchain"]).runs(&[Runs { skip: 1, ..RUNS }]),
    &row(&["ssh-agent"])
        .is(&[Silent, System])
        .tool(Tool::PrintsSettings)
        .runs(&[Runs { values: &["-a", "-t", "-E", "-P"], ..RUNS }]),
    &row(&["gpg-agent"])
        .tool(Tool::PrintsSettings)
        .runs(&[Runs { values: &["--pinentry-program", "--homedir", "--options"], ..RUNS }]),
    &row(&["dotenv"])
        .is(&[Silent])
        .options(Grammar::gnu(&["-f", "--file", "-e", "-q", "--quote", "--export"]))
        .runs(&[Runs {
            verbs: &["run", ""],
            values: &["-f", "--file", "-e", "-v", "-p", "-q", "--export"],
            loads: &["-e", "-f", "--file"],
            loaded: true,
            ..RUNS
        }])
        .reveals(&[DOTENV_REVEALS]),
    &row(&["aws-vault", "saml2aws", "aws-okta"]).runs(&[Runs {
        verbs: &["exec"],
        values: &["-d", "--duration", "--region", "--mfa-token", "-t"],
        skip: 1,
        dashes: true,
        ..RUNS
    }]),
    &row(&["envconsul"]).runs(&[Runs {
        values: &["-prefix", "-secret", "-config", "-consul-addr", "-vault-addr", "-log-level"],
        ..RUNS
    }]),
    &row(&["ansible-vault"])
        .is(&[Silent])
        .options(Grammar::gnu(&[
            "--vault-id", "--vault-password-file", "--vault-pass-file", "--output", "--encrypt-vault-id",
            "--new-vault-id", "--new-vault-password-file", "-n", "--name", "-p", "--stdin-name",
        ]))
        .reveals(&[
            Reveals { words: &[&["view"]], ..REVEALS },
            Reveals { words: &[&["decrypt"]], needs: &["--output=-", "-"], ..REVEALS },
        ]),
    &row(&["age"])
        .is(&[Silent])
        .options(Grammar::gnu(&[
            "-o", "--output", "-r", "--recipient", "-R", "--recipients-file", "-i", "--identity", "-j",
        ]))
        .reveals(&[AGE_REVEALS]),
    &row(&["keytool"]).is(&[Silent]).reveals(&[Reveals {
        words: &[&[]],
        needs: &["-rfc"],
        without: &["-printcert", "-exportcert", "-export", "-file"],
        personal: true,
        ..REVEALS
    }]),
    &row(&["minisign", "cosign", "signify"]).is(&[Silent]),
    &row(&["gitleaks", "detect-secrets"]).is(&[Silent]).tool(Tool::Watchers),
    &row(&["trufflehog", "ripsecrets"]).is(&[Silent, Reader]),
    &row(&["nah"]).is(&[Silent, TakesText]),
    &row(&["dcg", "cc-safety-net"]).is(&[TakesText]),
    &row(&["gpg2"])
        .is(&[System])
        .tool(Tool::Gpg2)
        .options(Grammar::gnu(&[
            "-o", "--output", "-r", "--recipient", "-R", "--hidden-recipient", "-u", "--local-user", "-z",
            "--default-key", "--homedir", "--passphrase", "--passphrase-file", "--passphrase-fd", "--keyserver",
            "--keyring", "--options", "--status-fd", "--command-fd", "--logger-fd", "--trust-model", "--pinentry-mode",
            "--cipher-algo", "--digest-algo", "--compress-algo", "--export-options", "--import-options",
        ]))
        .reveals(&[GPG_REVEALS, GPG_DECRYPTS]),
    &row(&["bao"])
        .options(Grammar::words(&[
            "-address", "-namespace", "-ns", "-field", "-format", "-mount", "-ca-cert", "-client-cert", "-client-key",
            "-tls-server-name", "-header", "-version", "-wrap-ttl", "-path", "-policy",
        ]))
        .reveals(&[VAULT_REVEALS]),
    &row(&["pass", "gopass"]).options(Grammar::gnu(&["-p", "--path"])).reveals(&[
        Reveals { words: &[&["show"], &["otp"]], without: &["-c", "--clip", "-c*"], ..REVEALS },
        Reveals { words: &[&["*/*"]], without: &["-c", "--clip", "-c?"], ..REVEALS },
    ]),
    &row(&["bw"])
        .options(Grammar::gnu(&[
            "--session", "--organizationid", "--collectionid", "--folderid", "--search", "--url", "--trash",
            "--output", "--format", "--itemid",
        ]))
        .reveals(&[BW_REVEALS]),
    &row(&["rbw"])
        .options(Grammar::gnu(&["-f", "--field", "--folder"]))
        .reveals(&[BW_REVEALS, Reveals { words: &[&["get"]], ..REVEALS }]),
    &row(&["bws"])
        .options(Grammar::gnu(&[
            "-o", "--output", "-c", "--color", "-t", "--access-token", "-f", "--config-file", "-p", "--profile", "-u",
            "--server-url",
        ]))
        .reveals(&[Reveals { words: &[&["secret", "get"], &["secret", "list"]], ..REVEALS }]),
    &row(&["lpass"]).options(Grammar::gnu(&["--sync", "--color", "--field", "--format"])).reveals(&[Reveals {
        words: &[&["show"], &["export"]],
        without: &["-c", "--clip"],
        ..REVEALS
    }]),
    &row(&["secret-tool"]).reveals(&[Reveals { words: &[&["lookup"], &["search"]], personal: true, ..REVEALS }]),
    &row(&["rage"])
        .options(Grammar::gnu(&[
            "-o", "--output", "-r", "--recipient", "-R", "--recipients-file", "-i", "--identity", "-j",
            "--max-work-factor",
        ]))
        .reveals(&[AGE_REVEALS]),
    &row(&["credstash"])
        .options(Grammar::gnu(&[
            "-r", "--region", "-t", "--table", "-p", "--profile", "-n", "--arn", "-k", "--key", "-f", "--format", "-v",
            "--version", "-d", "--digest",
        ]))
        .reveals(&[Reveals { words: &[&["get*"]], ..REVEALS }]),
    &row(&["keyring"])
        .options(Grammar::gnu(&["-p", "--keyring-path", "-b", "--keyring-backend", "--mode", "--output"]))
        .reveals(&[Reveals { words: &[&["get"]], ..REVEALS }]),
    &row(&["keepassxc-cli"])
        .options(Grammar::gnu(&["-k", "--key-file", "-y", "--yubikey", "-a", "--attributes"]))
        .reveals(&[Reveals { words: &[&["show"], &["clip"]], needs: &["-s", "--show-protected"], ..REVEALS }]),
    &row(&["keychain"]).tool(Tool::PrintsSettings),
    &row(&["git-credential-manager", "git-credential-manager-core", "gcm"]).reveals(&[Reveals {
        words: &[&["get"]],
        personal: true,
        ..REVEALS
    }]),
    &row(&["akeyless"]).options(Grammar::gnu(&["-n", "--name", "--profile", "--token"])).reveals(&[Reveals {
        words: &[&["get-secret-value"], &["get-dynamic-secret-value"], &["get-rotated-secret"], &["export-key"]],
        ..REVEALS
    }]),
    &row(&["conjur"]).reveals(&[Reveals { words: &[&["variable", "get"], &["variable", "value"]], ..REVEALS }]),
    &row(&["dcli"]).reveals(&[Reveals {
        words: &[&["password"], &["read"], &["note"], &["secret"], &["p"], &["otp"]],
        ..REVEALS
    }]),
    &row(&["ksm", "keeper"]).reveals(&[Reveals { words: &[&["secret", "get"], &["secret", "notation"]], ..REVEALS }]),
    &row(&["phase"])
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[Reveals { words: &[&["secrets", "get"], &["secrets", "export"]], ..REVEALS }]),
    &row(&["kubeseal"]).reveals(&[Reveals { words: &[&[]], needs: &["--recovery-unseal"], ..REVEALS }]),
    &row(&["argocd"])
        .options(Grammar::gnu(&["-n", "--namespace", "--server", "--auth-token", "--config", "-o", "--output"]))
        .reveals(&[Reveals {
            words: &[
                &["admin", "initial-password"],
                &["account", "generate-token"],
                &["account", "session-token"],
                &["proj", "role", "create-token"],
            ],
            ..REVEALS
        }]),
    &row(&["wg"]).reveals(&[
        Reveals {
            words: &[&["show", "*", "private-key"], &["show", "*", "preshared-keys"], &["showconf"]],
            personal: true,
            ..REVEALS
        },
        Reveals { words: &[&["show", "*", "dump"]], personal: true, ..REVEALS },
    ]),
    &row(&["nmcli"])
        .is(&[System])
        .options(Grammar::gnu(&["-f", "--fields", "-g", "--get-values", "-m", "--mode"]))
        .reveals(&[
            Reveals { words: &[&["c*", "s*"]], needs: &["-s", "--show-secrets", "-?s", "-s?"], ..REVEALS },
            Reveals { words: &[&["d*", "w*", "show*"]], ..REVEALS },
        ]),
];
