//! Whom a call reaches: everybody that its input names is looked up, however the names are given.

use std::borrow::Cow;

use hook_policy::{Facts, Moment, Unanswered, Verdict, decide};
use hook_protocol::event::{Event, EventName};
use serde_json::{Value, json};

use crate::support::{Known, resolved};

/// Facts of somebody who may write to Ann alone.
struct OnlyAnn;

impl Facts for OnlyAnn {
    fn now(&self) -> Moment {
        Known::default().now()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn contact_tags(&self, _file: &str, address: &str) -> Result<Vec<String>, Unanswered> {
        Ok(if address == "ann@example.org" { vec!["direct".to_owned()] } else { Vec::new() })
    }
}

const PROFILE: &str = r#"
[[handler]]
name = "c"
on = ["PreToolUse"]
steps = ["comms"]
[handler.comms]
modes = ["interactive"]
direct_tag = "direct"
draft_tag = "draft"
file = "comms.log"
[[handler.comms.channel]]
tools = ["mcp__mail__*"]
recipients = ["to"]
content = ["body"]
send = ["send"]
"#;

fn verdict(to: &Value) -> Option<Verdict> {
    let plan = resolved(&[("x", PROFILE)], &[]).unwrap().plan(&EventName::PreToolUse);
    let payload =
        json!({"hook_event_name": "PreToolUse", "tool_name": "mcp__mail__send", "tool_input": {"to": to, "body": "x"}});
    let payload = payload.to_string();
    decide(&Event::parse(&payload).unwrap(), &plan, &OnlyAnn).verdict
}

#[test]
fn s4_57_nobody_is_reached_behind_a_long_list_of_those_who_agreed() {
    let ann = || json!("ann@example.org");
    assert_eq!(verdict(&ann()), None);
    assert_eq!(verdict(&json!([ann(), {"name": "Ann", "email": "ann@example.org"}])), None);
    assert_eq!(verdict(&Value::Array(vec![ann(); 1_000])), None, "the same one, again and again");
    for (before, after) in [(0, 0), (300, 0), (0, 300), (300, 300)] {
        let mut list = vec![ann(); before];
        list.push(json!("bob@example.org"));
        list.extend(vec![ann(); after]);
        assert_eq!(verdict(&json!(list)), Some(Verdict::Deny), "{before} before and {after} after");
        assert_eq!(verdict(&json!({"all": list})), Some(Verdict::Deny));
    }
}

#[test]
fn an_address_that_lies_too_deep_to_be_read_is_no_contact() {
    let nested = |depth: usize| (0..depth).fold(json!("ann@example.org"), |inner, _| json!([inner]));
    assert_eq!(verdict(&nested(3)), None);
    assert_eq!(verdict(&nested(40)), Some(Verdict::Deny));
    assert_eq!(verdict(&json!([nested(40), "ann@example.org"])), Some(Verdict::Deny));
    // A million lists within one another take no longer than they are long.
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let payload = format!(
        r#"{{"hook_event_name":"PreToolUse","tool_name":"mcp__mail__send","tool_input":{{"to":{deep},"body":"x"}}}}"#
    );
    let plan = resolved(&[("x", PROFILE)], &[]).unwrap().plan(&EventName::PreToolUse);
    assert_eq!(decide(&Event::parse(&payload).unwrap(), &plan, &OnlyAnn).verdict, Some(Verdict::Deny));
}
