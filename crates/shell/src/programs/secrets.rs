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
};

const AGE_REVEALS: Reveals =
    Reveals { words: &[&[]], needs: &["-d", "--decrypt"], without: &["-o", "--output*"], ..REVEALS };

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
        .reveals(&[GPG_REVEALS]),
    &row(&["op"])
        .options(Grammar::gnu(&[
            "--account", "--config", "--encoding", "--format", "--session", "--vault", "--tags", "--categories",
            "--fields", "-o", "--out-file", "--out", "-i", "--in-file", "--env-file", "--otp",
        ]))
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[
            Reveals { words: &[&["read"], &["document", "get"]], without: &["-o", "--out-file"], ..REVEALS },
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
        ]),
    &row(&["infisical"])
        .options(Grammar::gnu(&[
            "--env", "--path", "--token", "--projectId", "--domain", "--format", "-f", "--output-file", "--log-level",
        ]))
        .runs(&[super::packages::NVM_RUNS])
        .reveals(&[Reveals { words: &[&["secrets", "get"], &["export"]], ..REVEALS }]),
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
    &row(&["dotenvx"]).runs(&[super::packages::NVM_RUNS]),
    &row(&["envchain"]).runs(&[Runs { skip: 1, ..RUNS }]),
    &row(&["ssh-agent"])
        .is(&[Silent, System])
        .tool(Tool::PrintsSettings)
        .runs(&[Runs { values: &["-a", "-t", "-E", "-P"], ..RUNS }]),
    &row(&["gpg-agent"])
        .tool(Tool::PrintsSettings)
        .runs(&[Runs { values: &["--pinentry-program", "--homedir", "--options"], ..RUNS }]),
    &row(&["dotenv"]).is(&[Silent]).runs(&[Runs {
        verbs: &["run", ""],
        values: &["-f", "--file", "-e", "-v", "-p", "-q", "--export"],
        ..RUNS
    }]),
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
    &row(&["keytool", "minisign", "cosign", "signify"]).is(&[Silent]),
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
        .reveals(&[GPG_REVEALS]),
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
    &row(&["secret-tool"]).reveals(&[Reveals { words: &[&["lookup"]], personal: true, ..REVEALS }]),
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
];
