//! The guard's own entry: which changes of settings are refused, and what is kept for the user.

use std::borrow::Cow;

use hook_policy::effect::Effect;
use hook_policy::entry::{Change, Loss, Standing};
use hook_policy::{Facts, Moment, Verdict, decide};
use hook_protocol::event::Event;

use crate::support::resolved;

struct At {
    standing: Standing,
    due: bool,
}

impl Facts for At {
    fn now(&self) -> Moment {
        Moment::from_epoch(1_772_359_200)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn standing(&self) -> Standing {
        self.standing.clone()
    }

    fn entry_notice(&self) -> bool {
        self.due
    }
}

fn gone() -> Standing {
    Standing::Gone(Loss { what: "the file is gone".to_owned(), mend: "`x` mends it.".to_owned() })
}

fn change(source: &str) -> String {
    format!(r#"{{"hook_event_name":"ConfigChange","source":"{source}","file_path":"/p/a.json"}}"#)
}

/// Verdict, reason and effects of one event.
fn said(payload: &str, standing: Standing, due: bool) -> (Option<Verdict>, Option<String>, Vec<Effect>) {
    let text = "[[handler]]\nname = \"k\"\non = [\"ConfigChange\", \"SessionStart\", \"UserPromptSubmit\"]\nsteps = [\"keep-entry\"]\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let event = Event::parse(payload).unwrap();
    let plan = profile.plan(&event.name());
    let outcome = decide(&event, &plan, &At { standing, due });
    assert!(outcome.context.is_empty() && outcome.notices.is_empty(), "nothing goes to the model: {outcome:?}");
    (outcome.verdict, outcome.reason, outcome.effects)
}

#[test]
fn a_change_that_takes_the_entry_away_is_refused_and_kept_for_the_person() {
    let notice = "hookbin: the file is gone. This session stays guarded, the next one is not. `x` mends it. \
                  `hookbin uninstall` removes the guard for good.";
    for source in ["project_settings", "local_settings", "user_settings"] {
        let (verdict, reason, effects) = said(&change(source), gone(), false);
        assert_eq!(verdict, Some(Verdict::Deny), "{source}");
        let reason = reason.unwrap();
        assert!(reason.starts_with("the file is gone"), "{reason}");
        assert!(!reason.contains("uninstall") && !reason.contains("mends"), "no way out in {reason}");
        assert_eq!(effects, [Effect::Entry(Change::Lost(notice.to_owned()))]);
    }
}

#[test]
fn what_no_hook_can_refuse_is_only_told() {
    let (verdict, _, effects) = said(&change("policy_settings"), gone(), false);
    assert_eq!(verdict, None);
    assert_eq!(effects, [Effect::Entry(Change::Lost("hookbin: the file is gone. `x` mends it.".to_owned()))]);
    assert_eq!(said(&change("skills"), gone(), false), (None, None, Vec::new()));
}

#[test]
fn a_change_that_leaves_the_entry_or_is_the_persons_own_passes() {
    for standing in [Standing::Stands("/p/a.json".to_owned()), Standing::TakenOut, Standing::Unknown] {
        assert_eq!(said(&change("project_settings"), standing.clone(), false), (None, None, Vec::new()));
        // What was owed is no news any more.
        assert_eq!(said(&change("project_settings"), standing, true).2, [Effect::Entry(Change::Back)]);
    }
}

#[test]
fn a_start_notes_where_the_entry_stands_and_a_prompt_tells_what_is_owed() {
    let start = r#"{"hook_event_name":"SessionStart","source":"startup"}"#;
    let stood = Effect::Entry(Change::Stood("/p/a.json".to_owned()));
    assert_eq!(said(start, Standing::Stands("/p/a.json".to_owned()), false).2, [stood]);
    assert_eq!(said(start, gone(), false), (None, None, Vec::new()));
    let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":"go"}"#;
    assert_eq!(said(prompt, gone(), true).2, [Effect::Entry(Change::Tell)]);
    assert_eq!(said(prompt, gone(), false).2, []);
}
