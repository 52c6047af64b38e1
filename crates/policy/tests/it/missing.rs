//! The law of missing facts: leaving out any fact, or any of them together, never turns a refusal or a question into nothing, and neither
//! does an answer that is none.

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
const FACTS: [&str; 4] = ["home", "project", "cwd", "own directories"];

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

    fn dir_variable(&self, name: &str) -> Option<String> {
        (self.tells("own directories") && name == "CLAUDE_CONFIG_DIR").then(|| "/home/dev/.claude".to_owned())
    }

    fn is_own(&self, path: &str) -> bool {
        self.tells("own directories") && path.starts_with("/home/dev/.local/state/hookbin")
    }
}

fn profile() -> Profile {
    let text = "on_unreadable = \"ask\"\n[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n";
    resolved(&[("guard", text)], &[]).unwrap()
}

fn verdict(plan: &Plan, case: &str, telling: Telling) -> Option<Verdict> {
    judged(plan, case, telling.tells("cwd").then_some(PROJECT), &telling)
}

fn judged(plan: &Plan, case: &str, cwd: Option<&str>, facts: &dyn Facts) -> Option<Verdict> {
    let cwd = cwd.map(|cwd| format!(r#""cwd":{},"#, serde_json::json!(cwd))).unwrap_or_default();
    let head = format!(r#"{{"hook_event_name":"PreToolUse",{cwd}"#);
    let payload = match case.strip_prefix("{\"") {
        Some(rest) => format!("{head}\"{rest}"),
        None => format!("{head}\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":{}}}}}", serde_json::json!(case)),
    };
    decide(&Event::parse(&payload).unwrap(), plan, facts).verdict
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
        all().filter(|rule| !rule.off).flat_map(|rule| rule.should_match).map(|case| (*case).to_owned()).collect();
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

/// A caller that says this instead of some paths.
struct Lying {
    said: &'static str,
    about: &'static [&'static str],
}

impl Lying {
    fn path(&self, fact: &str, truth: &'static str) -> &'static str {
        if self.about.contains(&fact) { self.said } else { truth }
    }
}

impl Facts for Lying {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/src/app/.claude/hookbin/state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some(self.path("home", HOME).into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(self.path("project", PROJECT).into())
    }

    fn real_path(&self, _path: &str) -> Option<String> {
        self.about.contains(&"real_path").then(|| self.said.to_owned())
    }

    fn other_home(&self) -> Option<Cow<'_, str>> {
        self.about.contains(&"other_home").then(|| self.said.into())
    }

    fn work_folders(&self) -> Vec<String> {
        self.about.iter().filter(|fact| **fact == "work_folders").map(|_| self.said.to_owned()).collect()
    }
}

/// Answers that name no place: nothing, blanks, relative paths, what is left of a name that is no text.
const NO_PATHS: [&str; 7] = ["", " ", ".", "dev", "../..", "~", "\u{fffd}\u{fffd}/\0"];

/// About what a caller says them: each fact alone, and all together.
const ABOUT: [&[&str]; 7] = [
    &["home"],
    &["project"],
    &["cwd"],
    &["real_path"],
    &["other_home"],
    &["work_folders"],
    &["home", "project", "cwd", "real_path", "other_home", "work_folders"],
];

#[test]
fn no_answer_that_is_no_path_weakens_the_guard() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let mut weaker = Vec::new();
    for case in cases() {
        let lying = |said, about| {
            let facts = Lying { said, about };
            judged(&plan, &case, Some(facts.path("cwd", PROJECT)), &facts)
        };
        let Some(known) = lying("", &[]) else { continue };
        for said in NO_PATHS {
            for about in ABOUT {
                let found = lying(said, about);
                if found.is_none() || found == Some(Verdict::Ask) && known == Verdict::Deny {
                    weaker.push(format!("{known:?} became {found:?} by {said:?} for {about:?}: {case}"));
                }
            }
        }
    }
    assert!(weaker.is_empty(), "{} cases:\n{}", weaker.len(), weaker.join("\n"));
}

/// Where the home directory is the root, as in many a container, nothing is allowed that a home of one's own would keep from harm.
#[test]
fn a_home_that_is_the_root_weakens_nothing() {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let mut weaker = Vec::new();
    for case in cases().iter().filter(|case| !case.contains(HOME)) {
        let verdict = |home| judged(&plan, case, Some(PROJECT), &Lying { said: home, about: &["home"] });
        let (known, found) = (verdict(HOME), verdict("/"));
        if known.is_some() && found.is_none() {
            weaker.push(format!("{known:?} became {found:?}: {case}"));
        }
    }
    assert!(weaker.is_empty(), "{} cases:\n{}", weaker.len(), weaker.join("\n"));
}
