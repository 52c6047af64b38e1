//! Models of the two protocols that keep what many processes write: every order of their steps is tried, with a crash at each of them.
//!
//! A model proves nothing about code that does something else, so the steps of a real run, as the kernel sees them, are held against the
//! steps of the models. And a model that can find nothing proves nothing, so each is broken in the ways that its protocol is there for, and
//! has to find that.

mod chain;
mod exchange;

use std::collections::{HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

/// One moment of all processes and files.
trait Moment: Clone + Eq + Hash + Debug {
    /// Every moment that can come next: each process does its next step, or is killed.
    fn next(&self) -> Vec<Self>;

    /// What must hold now; when nothing can happen any more, `is_end`.
    fn check(&self, is_end: bool) -> Result<(), String>;
}

/// Visits every moment that can come. Returns how many there are, or what does not hold in one of them.
fn explore<M: Moment>(start: M) -> Result<usize, String> {
    let mut known = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([start]);
    while let Some(moment) = open.pop_front() {
        let next = moment.next();
        moment.check(next.is_empty()).map_err(|what| format!("{what} in {moment:?}"))?;
        for moment in next {
            if known.insert(moment.clone()) {
                open.push_back(moment);
            }
        }
    }
    Ok(known.len())
}

/// The changing calls of a real run are the steps of the models, in their order.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_steps_of_a_real_run_are_those_of_the_models() {
    use serde_json::json;

    use crate::sandbox::Sandbox;
    use crate::tracer::{self, Fault, Which};

    let sandbox = Sandbox::with_profile("standard");
    let event = |call: &str| {
        let event = json!({
            "session_id": "one", "cwd": "/", "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": "ok",
            "tool_input": {"file_path": format!("/{call}")}, "tool_use_id": call,
        });
        event.to_string().into_bytes()
    };
    for call in ["a", "b", "c"] {
        assert_eq!(sandbox.hook(&["PostToolUse"], &event(call)).code, Some(0));
    }
    let command = sandbox.command(&["hook", "PostToolUse"]);
    let traced = tracer::run(&command, &event("d"), Which::Changing, Fault::None, 0);
    let mut seen: Vec<String> = traced
        .calls
        .iter()
        .map(|call| {
            let place = |path: &str| path.rsplit('/').next().unwrap_or_default().replace("one.", "document.");
            let paths: Vec<String> = call.path.split(" to ").map(place).collect();
            format!("{} {}", call.name, paths.join(" to "))
        })
        .collect();
    // Two hashes are new, the call and its file, and each is one write.
    seen.dedup();
    assert_eq!(seen, [exchange::STEPS, chain::STEPS].concat());
}
