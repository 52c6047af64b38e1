//! The settings files that the host joins, and which of them it reads.

use std::path::{Path, PathBuf};

use hook_protocol::settings::{Effect, Problem, flag, inspect, plugins};

use super::{Finding, Report, lint};
use hook_runtime::installation::{Place, Scope};

/// One settings file.
pub(super) struct Layer {
    pub(super) path: PathBuf,
    /// The scope; none for the organisation's.
    pub(super) scope: Option<Scope>,
    /// Its text, or why there is none although something is there.
    pub(super) text: Result<Option<String>, String>,
    problems: Vec<Problem>,
}

impl Layer {
    fn new(path: &Path, scope: Option<Scope>) -> Self {
        let text = hook_runtime::system::files::read(path).map_err(|error| without_path(&format!("{error:#}"), path));
        let problems = text.as_ref().ok().and_then(Option::as_deref).map(inspect).unwrap_or_default();
        Self { path: path.to_owned(), scope, text, problems }
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_ref().ok()?.as_deref()
    }

    /// Whether the host takes the file at all.
    pub(super) fn is_read(&self) -> bool {
        self.text().is_some() && self.problems.iter().all(|problem| problem.effect != Effect::FileDropped)
    }
}

/// All of them, the one with the most precedence first.
pub(super) fn read(managed: &Path, places: &[Place]) -> Vec<Layer> {
    let mut layers = vec![Layer::new(managed, None)];
    for place in places {
        // In the home directory the user's settings are the project's as well.
        if layers.iter().all(|layer| layer.path != place.settings) {
            layers.push(Layer::new(&place.settings, Some(place.scope)));
        }
    }
    layers
}

/// A file on its own.
pub(super) fn one(path: &Path) -> Layer {
    Layer::new(path, None)
}

/// A message without the path, where the path stands before it anyway.
pub(super) fn without_path(message: &str, path: &Path) -> String {
    message.replacen(&path.display().to_string(), "it", 1)
}

/// The plugin of ours that is switched on, and the settings file that says so. The first file that says anything counts.
pub(super) fn plugin(layers: &[Layer]) -> Option<(&Path, String)> {
    let said = |layer: &Layer| {
        let text = layer.text().filter(|_| layer.is_read())?;
        plugins(text).into_iter().find(|(name, _)| name.split('@').next() == Some("hookbin"))
    };
    let (layer, (name, on)) = layers.iter().find_map(|layer| Some((layer, said(layer)?)))?;
    on.then_some((layer.path.as_path(), name))
}

/// What is wrong with one file.
pub(super) fn look(layer: &Layer, root: Option<&Path>, report: &mut Report) {
    if let Err(error) = &layer.text {
        return report.add(
            Finding::fault("settings-unreadable", &layer.path, format!("{error}; Claude Code reads nothing of it"))
                .fixed_by(format!("mend or move away {}", layer.path.display())),
        );
    }
    for problem in &layer.problems {
        let finding = match problem.effect {
            Effect::FileDropped => Finding::fault(
                "file-dropped",
                &layer.path,
                format!(
                    "{}; Claude Code drops the whole file, with every hook and permission in it, and goes on",
                    problem.message
                ),
            ),
            Effect::EntryDropped => Finding::note(
                "entry-dropped",
                &layer.path,
                format!("{}; Claude Code drops this entry", problem.message),
            ),
            Effect::Ignored => Finding::note("ignored", &layer.path, problem.message.clone()),
            // Which of several switches counts is known when all files are.
            Effect::HooksOff => continue,
        };
        report.add(finding.at_line(problem.line));
    }
    if let Some(text) = layer.text() {
        lint::look(&layer.path, text, root, report);
    }
}

/// Whether hooks of people and projects run at all.
pub(super) fn switches(layers: &[Layer], report: &mut Report) -> bool {
    let said = |layer: &Layer, name: &str| layer.text().filter(|_| layer.is_read()).and_then(|text| flag(text, name));
    let line = |layer: &Layer, name: &str| {
        let named = |problem: &&Problem| problem.effect == Effect::HooksOff && problem.message.contains(name);
        layer.problems.iter().find(named).map_or(1, |problem| problem.line)
    };
    let mut on = true;
    // The first that says anything counts, also when it says false.
    if let Some((layer, true)) = layers.iter().find_map(|layer| Some((layer, said(layer, "disableAllHooks")?))) {
        let message = "disableAllHooks is true, so Claude Code runs no hook of any file";
        let finding = Finding::fault("hooks-off", &layer.path, message).at_line(line(layer, "disableAllHooks"));
        report.add(finding.fixed_by("remove disableAllHooks, or set it to false"));
        on = false;
    }
    for layer in layers {
        if said(layer, "allowManagedHooksOnly") != Some(true) {
            continue;
        }
        let at = line(layer, "allowManagedHooksOnly");
        if layer.scope.is_none() {
            let message = "the managed settings allow only managed hooks (allowManagedHooksOnly), so no other runs";
            report.add(
                Finding::fault("managed-only", &layer.path, message)
                    .at_line(at)
                    .fixed_by("ask who manages this machine to add the entries there (`hookbin settings` prints them)"),
            );
            on = false;
        } else {
            let message = "allowManagedHooksOnly has no effect outside managed settings";
            report.add(Finding::note("ignored", &layer.path, message).at_line(at));
        }
    }
    on
}
