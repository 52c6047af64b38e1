//! The law of missing facts: leaving out any fact, or any of them together, never turns a refusal or a question into nothing.

use std::borrow::Cow;
use std::path::Path;

use hook_policy::profile::{Plan, Profile};
use hook_policy::rule::all;
use hook_policy::{Facts, Moment, Verdict, decide};
use hook_protocol::event::{Event, EventName};
use serde::Deserialize;

use crate::support::resolved;

const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/src/app";

/// What a caller may tell, a bit each.
const FACTS: [&str; 4] = ["home", "project", "cwd", "own folders"];

/// A caller that tells these facts.
#[derive(Clone, Copy)]
struct Telling(u32);

impl Telling {
    fn tells(self, fact: &str) -> bool {
        let at = FACTS.iter().position(|known| *known == fact).unwrap();
        self.0 & (1 << at) != 0
    }

    fn left_out(self) -> Vec<&'static str> {
        FACTS.into_iter().filter(|fact| !self.tells(fact)).collect()
    }
}

impl Facts for Telling {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/src/app/.claude/hookbin/state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        self.tells("home").then(|| HOME.into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        self.tells("project").then(|| PROJECT.into())
    }

    fn folder_variable(&self, name: &str) -> Option<String> {
        (self.tells("own folders") && name == "CLAUDE_CONFIG_DIR").then(|| "/home/dev/.claude".to_owned())
    }

    fn is_own(&self, path: &str) -> bool {
        self.tells("own folders") && path.starts_with("/home/dev/.local/state/hookbin")
    }
}

fn profile() -> Profile {
    let text = "on_unreadable = \"ask\"\n[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n";
    resolved(&[("guard", text)], &[]).unwrap()
}

fn verdict(plan: &Plan, case: &str, telling: Telling) -> Option<Verdict> {
    let cwd = if telling.tells("cwd") { format!(r#""cwd":"{PROJECT}","#) } else { String::new() };
    let head = format!(r#"{{"hook_event_name":"PreToolUse",{cwd}"#);
    let payload = match case.strip_prefix("{\"") {
        Some(rest) => format!("{head}\"{rest}"),
        None => format!("{head}\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":{}}}}}", serde_json::json!(case)),
    };
    decide(&Event::parse(&payload).unwrap(), plan, &telling).verdict
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Listed {
    deny: Vec<String>,
    ask: Vec<String>,
    flag: Vec<String>,
}

#[derive(Deserialize)]
struct Labelled {
    case: Vec<LabelledCase>,
}

#[derive(Deserialize)]
struct LabelledCase {
    command: String,
}

/// All that the project knows to be dangerous: the rules' examples, the calls of the guard's tests, the labelled commands.
fn cases() -> Vec<String> {
    let mut cases: Vec<String> =
        all().filter(|rule| !rule.off).flat_map(|rule| rule.fires).map(|case| (*case).to_owned()).collect();
    assert!(cases.len() > 850, "{}", cases.len());
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for file in ["own", "system", "tools"] {
        let text = std::fs::read_to_string(data.join(format!("guard/{file}.toml"))).unwrap();
        let listed: Listed = toml::from_str(&text).unwrap();
        cases.extend([listed.deny, listed.ask, listed.flag].concat());
    }
    for file in ["core-deny", "ask", "domain"] {
        let text = std::fs::read_to_string(data.join(format!("corpus/{file}.toml"))).unwrap();
        let labelled: Labelled = toml::from_str(&text).unwrap();
        let commands = labelled.case.into_iter().map(|case| case.command);
        cases.extend(commands.map(|case| case.replace("@HOME@", HOME).replace("@PROJECT@", PROJECT)));
    }
    cases
}

#[test]
fn no_fact_that_is_left_out_weakens_the_guard() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let all_told = (1 << FACTS.len()) - 1;
    let mut weaker = Vec::new();
    for case in cases() {
        let Some(known) = verdict(&plan, &case, Telling(all_told)) else { continue };
        for told in 0..all_told {
            let telling = Telling(told);
            let found = verdict(&plan, &case, telling);
            if found.is_none() || found == Some(Verdict::Ask) && known == Verdict::Deny {
                weaker.push(format!("{known:?} became {found:?} without {:?}: {case}", telling.left_out()));
                break;
            }
        }
    }
    assert!(weaker.is_empty(), "{} cases:\n{}", weaker.len(), weaker.join("\n"));
}
