//! Redaction: cases of the data file, and its laws.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use hook_audit_log::{clip, redact};
use proptest::prelude::*;
use serde_json::Value;

fn cases() -> Value {
    serde_json::from_str(include_str!("../data/redact.json")).unwrap()
}

#[test]
fn sx_09_hides_secrets() {
    let mut wrong = Vec::new();
    for case in cases()["hides"].as_array().unwrap() {
        let (text, expected) = (case[0].as_str().unwrap(), case[1].as_str().unwrap());
        if redact(text) != expected {
            wrong.push(format!("{text}\n  got {}\n  not {expected}", redact(text)));
        }
        if redact(expected) != expected {
            wrong.push(format!("not idempotent: {expected}\n  got {}", redact(expected)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sx_09_spares_ordinary_text() {
    let mut wrong = Vec::new();
    for case in cases()["spares"].as_array().unwrap() {
        let text = case.as_str().unwrap();
        match redact(text) {
            Cow::Borrowed(same) => assert_eq!(same, text),
            Cow::Owned(other) => wrong.push(format!("{text}\n  got {other}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn twice_is_once_where_a_quote_opens_behind_the_secret() {
    for text in ["curl -u \":\"A`", "curl -u \":\"A` \"b"] {
        let once = redact(text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
    }
}

#[test]
fn a_marker_in_front_hides_no_secret() {
    assert_eq!(redact("password=[redacted]hunter2"), "password=[redacted]");
}

#[test]
fn a_name_hides_no_command_behind_it() {
    for text in [
        "echo Authorization: Bearer abc && rm -rf /",
        "echo password=abc; rm -rf /",
        "echo '-----BEGIN PRIVATE KEY-----'; rm -rf /",
        "bash -c \"TOKEN='abc' rm -rf /\"",
    ] {
        assert!(redact(text).contains("rm -rf /"), "{}", redact(text));
    }
}

#[test]
fn time_is_linear_in_hostile_input() {
    // Each of these makes a quadratic scanner take minutes, on any machine.
    for piece in [
        "token=\"$(", "password=", "-----BEGIN PRIVATE KEY-----", "sk-", "://", "a:b@", "x_token=\\\"", "'", "\\", "-",
        "password ", "echo 'a", "echo a ", "set TOKEN ", "htpasswd -b ", "vault login -",
    ] {
        let text = piece.repeat(200_000 / piece.len());
        let begun = Instant::now();
        let _ = redact(&text);
        assert!(begun.elapsed() < Duration::from_secs(30), "{piece}: {:?}", begun.elapsed());
    }
}

#[test]
fn cuts_on_a_character_boundary() {
    assert_eq!(clip("äöü", 3), "äöü");
    assert_eq!(clip("äöüß", 3), "äö…");
    assert_eq!(clip("🙂🙂🙂", 1), "…");
    assert_eq!(clip("abc", 0), "");
}

#[test]
fn sx_09_a_secret_across_the_cut_does_not_survive_in_part() {
    let text = format!("{} ghp_0123456789abcdefABCDEF0123456789 tail", "a".repeat(490));
    let cut = clip(&text, 500);
    assert!(!cut.contains("ghp_"), "{cut}");
    // Replacements before the cut shorten the text; what lay behind the cut must not slide in.
    let text = format!("password={} {} ghp_01234", "x".repeat(480), "a".repeat(30));
    assert!(!clip(&text, 500).contains("ghp"), "{}", clip(&text, 500));
}

/// Text made of the pieces that redaction looks for.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9_.-]{0,12}",
        "[ \\t\\n=:'\"`\\\\{}\\[\\](),;&|<>$@/-]{0,4}",
        prop::sample::select(vec![
            "password", "token", "api_key", "API_KEY=", "Authorization: ", "Bearer ", "Basic ", "Digest ", "://", "@",
            "Cookie: ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[redacted]", "mysql ", "-p",
            "curl ", "-u ", "--token ", "ghp_", "sk-", "eyJ", "pass", "$(", "${", "secret", "openssl ", "-pass ",
            "login ", "\\\"", "\\n", "é", "🙂", "redacted]", "echo ", " | sudo -S", "vault login ", "htpasswd -b f u ",
            "aws configure set ", "--from-literal=", "set TOKEN ", "-uU:",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once(text in hostile()) {
        let once = redact(&text).into_owned();
        let twice = redact(&once).into_owned();
        prop_assert_eq!(&twice, &once, "from {:?}", text);
    }

    #[test]
    fn any_text_is_bearable(text in ".{0,200}", limit in 0_usize..60) {
        let out = redact(&text);
        // A secret has at least one character.
        prop_assert!(out.len() <= text.len() * 11);
        prop_assert!(clip(&text, limit).chars().count() <= limit);
    }

    #[test]
    fn clip_says_what_redact_says_if_nothing_is_cut(text in hostile()) {
        prop_assert_eq!(clip(&text, 100_000), redact(&text));
    }

    #[test]
    fn a_text_that_is_cut_begins_as_redact_has_it(text in hostile()) {
        let long = format!("{text}\n{}", "ab ".repeat(2_000));
        let cut = clip(&long, text.chars().count() + 20);
        prop_assert!(redact(&long).starts_with(cut.trim_end_matches('…')), "{:?} is not how {:?} begins", cut, redact(&long));
    }

    #[test]
    fn sx_09_seeded_secrets_never_survive(
        secret in "[A-Za-z][a-z]{5}[0-9][A-Za-z0-9]{12,30}",
        place in 0_usize..21,
        before in "[a-z ]{0,20}( |\n|; )",
        after in "( |\n|; | && )[a-z ]{0,20}",
    ) {
        let text = match place {
            0 => format!("curl -H 'Authorization: Bearer {secret}'"),
            1 => format!("API_KEY={secret}"),
            2 => format!("--password={secret}"),
            3 => format!("--token {secret}"),
            4 => format!("https://me:{secret}@host/x"),
            5 => format!("{{\"client_secret\": \"{secret}\"}}"),
            6 => format!("\"{{\\\"password\\\":\\\"{secret}\\\"}}\""),
            7 => format!("mysql -u me -p{secret}"),
            8 => format!("-H \"X-Api-Key: {secret}\""),
            9 => format!("ghp_{secret}"),
            10 => format!("password: '{secret}'"),
            11 => format!("export DB_PASSWORD=\"{secret}\""),
            12 => format!("curl -u me:{secret} h"),
            13 => format!("vault login {secret}"),
            14 => format!("aws configure set aws_secret_access_key {secret}"),
            15 => format!("htpasswd -b file me {secret}"),
            16 => format!("kubectl create secret generic s --from-literal=k={secret}"),
            17 => format!("echo {secret} | sudo -S ls"),
            18 => format!("set TOKEN {secret}"),
            19 => format!("mysql -p{secret}ghp_0123456789abcdef"),
            _ => format!("-----BEGIN EC PRIVATE KEY-----\n{secret}\n-----END EC PRIVATE KEY-----"),
        };
        let text = format!("{before}{text}{after}");
        let out = redact(&text);
        prop_assert!(!out.contains(&secret), "{}", out);
        prop_assert!(out.starts_with(&before) && out.ends_with(&after), "{}", out);
    }
}
