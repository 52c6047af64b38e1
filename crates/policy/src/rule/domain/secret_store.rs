//! Rules for secret stores, key rings and certificates.

use super::{Family, Pattern, Rule, ask, flags, unless, verbs, words};
use crate::rule::command::{Command, Text};

pub(super) const RULES: &[Rule] = &[
    ask(
        "vault-delete",
        Family::SecretStore,
        verbs(
            &["vault", "bao"],
            3,
            "disable|seal|step-down|rekey|rotate|remove-peer|generate-root|restore|move",
            &[&["plugin", "runtime"]],
        ),
        "deletes, revokes or switches off what a secret store keeps",
        &[
            "vault kv destroy -versions=1 s/a", "vault kv metadata delete s/a", "vault secrets disable aws/",
            "vault lease revoke -prefix a", "vault token revoke t", "vault operator seal", "bao delete s/a",
            "vault -namespace=a policy delete p",
        ],
        &[
            "vault kv get s/a", "vault kv list s", "vault kv undelete -versions=1 s/a", "vault token lookup -self",
            "vault status", "vault read s/delete",
        ],
    ),
    ask(
        "secret-store-delete",
        Family::SecretStore,
        verbs(
            &[
                "op", "doppler", "infisical", "chamber", "bw", "bws", "lpass", "pass", "gopass", "akeyless", "conjur",
                "teller", "credstash", "dcli", "phase", "keyring", "keeper", "ksm", "tss", "dsv", "aws-vault",
                "secret-tool", "proton-pass", "rbw", "kpcli", "keepassxc-cli", "passbolt", "vaultwarden", "evervault",
            ],
            3,
            "suspend|archive|reset|trash|clear|*-delete|rmdir",
            &[
                &["config"],
                &["logout"],
                &["signout"],
                &["account", "forget"],
                &["configure"],
                &["update"],
                &["import"],
                &["run"],
            ],
        ),
        "deletes or revokes what a secret store keeps",
        &[
            "op item delete x", "op document delete x --archive", "op vault delete v", "op user suspend u",
            "doppler projects delete p --yes", "doppler secrets delete KEY -p p -c c", "infisical secrets delete KEY",
            "pass rm -rf mail", "bw delete item 1",
        ],
        &[
            "op item list", "op item get delete", "doppler secrets", "doppler configs", "pass show mail",
            "bw list items",
        ],
    ),
    ask(
        "keys-delete",
        Family::SecretStore,
        flags(
            &["gpg", "keytool", "certutil", "pkcs11-tool"],
            &[],
            &[
                "--delete-keys", "--delete-key", "--delete-secret-keys", "--delete-secret-key",
                "--delete-secret-and-public-key", "-delete", "-D", "--delete-object",
            ],
        ),
        "deletes keys or certificates",
        &[
            "gpg --delete-secret-keys bob",
            "gpg --batch --yes --delete-secret-and-public-key 0A",
            "keytool -delete -alias a -keystore k",
        ],
        &["gpg --list-keys", "gpg -d a.gpg", "keytool -list -keystore k", "gpg --decrypt a.gpg"],
    ),
    ask(
        "keychain-delete",
        Family::SecretStore,
        words(&["security", "cmdkey"], &["delete-*|remove-*|/delete*"]),
        "deletes keys, certificates or passwords of the system",
        &["security delete-keychain login.keychain", "security delete-generic-password -s a"],
        &["security find-certificate -c a", "security list-keychains"],
    ),
    ask(
        "certificate-revoke",
        Family::SecretStore,
        verbs(
            &["certbot", "step", "easyrsa", "cfssl", "lego", "smallstep", "getssl", "dehydrated", "cmctl", "acme"],
            2,
            "rollback|unregister",
            &[],
        ),
        "revokes or deletes certificates",
        &["certbot revoke --cert-name a", "certbot delete --cert-name a", "step ca revoke 1", "easyrsa revoke bob"],
        &["certbot certificates", "certbot renew --dry-run", "step ca health"],
    ),
    ask(
        "certificate-acme",
        Family::SecretStore,
        flags(
            &["acme", "acme.sh", "mkcert"],
            &[],
            &["--revoke", "--remove", "--deactivate", "--uninstall", "-uninstall"],
        ),
        "revokes or deletes certificates",
        &["acme.sh --revoke -d example.com", "mkcert -uninstall"],
        &["acme.sh --list", "mkcert localhost"],
    ),
    ask(
        "trust-mac",
        Family::System,
        words(&["security"], &["add-trusted-cert"]),
        "makes this machine trust whoever holds the key of a certificate",
        &["security add-trusted-cert -r trustRoot -k login.keychain ca.pem"],
        &["security find-certificate -a", "security verify-cert -c ca.pem"],
    ),
    ask(
        "trust-anchor",
        Family::System,
        unless(&["trust"], &["anchor"], &["--remove"]),
        "makes this machine trust whoever holds the key of a certificate",
        &["sudo trust anchor ca.pem", "trust anchor --store ca.pem"],
        &["trust list", "trust anchor --remove ca.pem"],
    ),
    ask(
        "trust-windows",
        Family::System,
        Pattern::Text(Text { programs: &["certutil"], words: &[], holds: &["-addstore", "/addstore"], lacks: &[] }),
        "makes this machine trust whoever holds the key of a certificate",
        &["certutil -addstore Root ca.cer", "certutil.exe -f -addstore root ca.cer"],
        &["certutil -hashfile a.exe SHA256", "certutil -store root"],
    ),
    ask(
        "trust-nss",
        Family::System,
        flags(&["certutil"], &[], &["-t=*c*,*"]),
        "makes browsers trust whoever holds the key of a certificate",
        &["certutil -d sql:db -A -t 'C,,' -n ca -i ca.pem"],
        &["certutil -d sql:db -A -t 'P,,' -n server -i server.pem", "certutil -L -d sql:db"],
    ),
    ask(
        "trust-java",
        Family::System,
        Pattern::Command(Command {
            programs: &["keytool"],
            words: &[],
            flags: &["-cacerts", "-keystore=*cacerts*"],
            without: &["-list", "-export", "-exportcert", "-printcert"],
        }),
        "makes Java trust whoever holds the key of a certificate",
        &[
            "keytool -importcert -cacerts -file ca.pem -alias ca",
            "keytool -import -keystore /opt/jdk/lib/security/cacerts -file ca.pem",
        ],
        &["keytool -list -cacerts", "keytool -importcert -keystore build/test.jks -file ca.pem"],
    ),
];
