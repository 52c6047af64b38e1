//! The plan of a project, `MASTER_PLAN.md`: where it stands.

use crate::facts::Facts;
pub(crate) use hook_shell::texts::plan::Plan;

/// The plan's file in the project's directory.
pub(crate) const FILE: &str = "MASTER_PLAN.md";

/// The state of a project's plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// Seconds since 1970 of its last change.
    pub(crate) modified: i64,
    pub(crate) total: usize,
    pub(crate) completed: usize,
    /// The phase in progress, else the first that is not completed.
    pub(crate) active: Option<String>,
    pub(crate) age_days: i64,
}

/// The state of the plan; `None` where there is none. One that is too large to read counts as there, without phases.
pub(crate) fn status(facts: &dyn Facts) -> Option<Status> {
    let info = facts.file_info(FILE)?;
    let plan = facts.project_file(FILE).map(|text| Plan::parse(&text)).unwrap_or_default();
    Some(Status {
        modified: info.modified,
        total: plan.phases(),
        completed: plan.count("completed"),
        active: plan.active().map(str::to_owned),
        age_days: (facts.now().epoch - info.modified).max(0) / 86_400,
    })
}

impl Status {
    /// The state in one line.
    pub(crate) fn line(&self) -> String {
        let active = self.active.as_deref().map(|phase| format!(", active: {phase}")).unwrap_or_default();
        let age = crate::template::counted(self.age_days, "day");
        format!("Plan: {}/{} phases completed{active}, changed {age} ago", self.completed, self.total)
    }
}
