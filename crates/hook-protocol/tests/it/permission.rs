//! Permission updates, in and out.

use hook_protocol::event::{Body, Event};
use hook_protocol::permission::{PermissionMode, PermissionRule, PermissionUpdate, RuleBehavior, UpdateDestination};
use hook_protocol::raw::{Raw, Text};

use crate::payloads::recorded;

#[test]
fn the_suggestions_of_the_client_are_typed() {
    let (_, text) = recorded().into_iter().find(|(file, _)| file == "PermissionRequest.Bash.plan.json").unwrap();
    let Body::PermissionRequest(request) = Event::parse(&text).unwrap().body else { panic!() };
    let suggestions = request.permission_suggestions.unwrap();
    assert_eq!(
        suggestions,
        [
            PermissionUpdate::add_directories(vec![Text::from("/home/user/project")], UpdateDestination::Session),
            PermissionUpdate::set_mode(PermissionMode::AcceptEdits, UpdateDestination::Session),
        ]
    );
}

/// Each documented type, with every documented field, is read and written back unchanged.
#[test]
fn every_type_survives() {
    for text in [
        r#"{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git *"},{"toolName":"Read"}],"behavior":"allow","destination":"userSettings"}"#,
        r#"{"type":"replaceRules","rules":[],"behavior":"deny","destination":"projectSettings"}"#,
        r#"{"type":"removeRules","rules":[{"toolName":"Bash"}],"behavior":"ask","destination":"localSettings"}"#,
        r#"{"type":"setMode","mode":"manual","destination":"session"}"#,
        r#"{"type":"addDirectories","directories":["/a","/b"],"destination":"cliArg"}"#,
        r#"{"type":"removeDirectories","directories":[],"destination":"session","new":{"a":null}}"#,
    ] {
        let raw = Raw::parse(text).unwrap();
        let update = PermissionUpdate::from_raw(&raw).unwrap();
        assert!(!matches!(update, PermissionUpdate::Other(_)), "{text}");
        assert_eq!(update.to_json(), text);
        assert_eq!(serde_json::to_string(&update).unwrap(), text);
    }
}

#[test]
fn unknown_types_and_values_are_kept() {
    let raw = Raw::parse(r#"{"type":"grantAll", "scope":1}"#).unwrap();
    let update = PermissionUpdate::from_raw(&raw).unwrap();
    assert_eq!((update.clone(), update.to_json().as_str()), (PermissionUpdate::Other(raw.clone()), raw.text()));
    let raw = Raw::parse(r#"{"type":"setMode","mode":"turbo","destination":5}"#).unwrap();
    let PermissionUpdate::SetMode(set) = PermissionUpdate::from_raw(&raw).unwrap() else { panic!() };
    assert_eq!(set.mode, Some(PermissionMode::from("turbo")));
    assert_eq!(set.extra.get("destination").unwrap().as_u64(), Some(5));
    assert_eq!(PermissionUpdate::from_raw(&Raw::default()), None);
}

#[test]
fn an_answer_can_be_built() {
    let rule = PermissionRule {
        tool_name: Some("Bash".into()),
        rule_content: Some("cargo \"test\"".into()),
        ..PermissionRule::default()
    };
    let update = PermissionUpdate::add_rules(vec![rule], RuleBehavior::Allow, UpdateDestination::Session);
    assert_eq!(
        update.to_json(),
        r#"{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"cargo \"test\""}],"behavior":"allow","destination":"session"}"#
    );
}
