//! What a session remembers of itself, for judging status files.

use hook_policy::evidence::Touched;
use hook_shell::path::below;
use serde::{Deserialize, Serialize};

/// What a session remembers for judging status files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// When the session began, in seconds since 1970 by the clock of its events.
    pub epoch: i64,
    /// The same by the clock by which files are dated, in milliseconds.
    pub millis: i64,
    /// Paths that its calls may have written, with the first and the last moment of the call.
    pub calls: Vec<(String, i64, i64)>,
    /// The proof gate has asked, and neither the user nor a source file has said anything since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
}

/// Most calls that are kept one by one.
const MOST_CALLS: usize = 32;

/// How far the clocks that date files and events may be apart, in milliseconds.
const TICK: i64 = 20;

impl Trail {
    /// A session that begins now, by both clocks.
    pub fn begin(epoch: i64, millis: i64) -> Self {
        Self { epoch, millis, calls: Vec::new(), asked: false }
    }

    /// A call has ended now.
    pub fn touch(&mut self, touched: &Touched, now: i64) {
        let from = touched.millis.map_or(i64::MIN, |millis| {
            now.saturating_sub(i64::try_from(millis).unwrap_or(i64::MAX)).saturating_sub(1_000)
        });
        let to = if touched.goes_on { i64::MAX } else { now };
        self.calls.push((touched.path.clone(), from, to));
        // The oldest are put into one, of any path and of all their time.
        while self.calls.len() > MOST_CALLS {
            let (_, from, to) = self.calls.remove(0);
            if let Some(oldest) = self.calls.first_mut() {
                *oldest = ("/".to_owned(), from.min(oldest.1), to.max(oldest.2));
            }
        }
    }

    /// Whether a file that changed at a moment, in milliseconds, did so after the session began.
    pub fn is_of_session(&self, changed: i64) -> bool {
        // Where files are dated by whole seconds, the second in which the session began is one of it.
        let began = if changed % 1_000 == 0 { self.millis - self.millis.rem_euclid(1_000) } else { self.millis };
        changed.saturating_add(TICK) >= began
    }

    /// Whether it may have been changed by a call.
    pub fn is_by_call(&self, path: &str, changed: i64) -> bool {
        let names = |named: &str| named == "/" || path == named || below(path, named).is_some();
        self.calls
            .iter()
            .any(|(named, from, to)| names(named) && changed >= *from && changed <= to.saturating_add(TICK))
    }
}
