//! Session ids: sanitising, and the order of their sources.

use hook_session_state::{IdSource, SessionId};
use proptest::prelude::*;

fn safe(id: &str) -> bool {
    !id.is_empty() && id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[test]
fn an_ordinary_id_stays_as_it_is() {
    for id in ["11111111-2222-4333-8444-555555555555", "a", "A_b-9", "default", &"x".repeat(64)] {
        assert_eq!(SessionId::from_raw(id).as_str(), id);
    }
    assert_eq!(SessionId::from_raw("").as_str(), "default");
}

/// The digits are the beginning of what `printf ID | sha256sum` prints.
#[test]
fn a_changed_id_carries_digits_of_its_hash() {
    assert_eq!(SessionId::from_raw("../x").as_str(), "___x-xd6b96a97d147daaa");
    assert_eq!(SessionId::from_raw(&"x".repeat(65)).as_str(), format!("{}-x9537c5fdf120482f", "x".repeat(46)));
    assert_eq!(SessionId::from_raw("é/").as_str(), "__-x3f8f7c65f974a3b1");
}

proptest! {
    #[test]
    fn any_text_becomes_a_plain_file_name(raw in any::<String>()) {
        prop_assert!(safe(SessionId::from_raw(&raw).as_str()));
    }

    /// Texts that differ only in what sanitising changes, or in what it cuts off, and texts that look like its results.
    #[test]
    fn two_texts_never_share_an_id(a in "[ab/.é-]{1,70}", b in "[ab/.é-]{1,70}") {
        let (one, two) = (SessionId::from_raw(&a), SessionId::from_raw(&b));
        prop_assert_eq!(one == two, a == b);
        let made = SessionId::from_raw(one.as_str());
        prop_assert_eq!(made == one, one.as_str() == a);
    }
}

#[test]
fn x4_the_profile_says_in_which_order_ids_are_looked_for() {
    let env = |name: &str| match name {
        "CLAUDE_CODE_SESSION_ID" => Some("host".to_owned()),
        "CLAUDE_SESSION_ID" => Some("wrapper".to_owned()),
        _ => None,
    };
    let host_only = |name: &str| env(name).filter(|_| name == "CLAUDE_CODE_SESSION_ID");
    let wrapper_only = |name: &str| env(name).filter(|_| name == "CLAUDE_SESSION_ID");
    let none = |_: &str| None;
    let empty = |_: &str| Some(String::new());
    let [host, wrapper] = ["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"].map(IdSource::Env);
    let event = [IdSource::Stdin, host, wrapper];
    assert_eq!(SessionId::resolve(&event, Some("stdin"), env).as_str(), "stdin");
    assert_eq!(SessionId::resolve(&event, None, env).as_str(), "host");
    assert_eq!(SessionId::resolve(&event, Some(""), wrapper_only).as_str(), "wrapper");
    assert_eq!(SessionId::resolve(&event, None, empty).as_str(), "default");
    let environment = [wrapper, host, IdSource::Stdin];
    assert_eq!(SessionId::resolve(&environment, Some("stdin"), env).as_str(), "wrapper");
    assert_eq!(SessionId::resolve(&environment, Some("stdin"), host_only).as_str(), "host");
    assert_eq!(SessionId::resolve(&environment, Some("stdin"), none).as_str(), "stdin");
    assert_eq!(SessionId::resolve(&environment, None, none).as_str(), "default");
    assert!(safe(SessionId::resolve(&event, Some("../../etc/passwd"), none).as_str()));
}
