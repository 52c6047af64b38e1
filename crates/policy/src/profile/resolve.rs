//! Raw files in, one resolved profile out; everything fallible about a profile happens here.

use std::collections::BTreeSet;

use hook_protocol::event::EventName;

use super::error::ConfigError;
use super::raw::{Change, RawHandler, RawProfile};
use super::resolved::{EventSet, Handler, Profile, Settings};
use crate::check::{Check, Rules, Sane, Semantics};
use crate::rule::{self, Family, RuleBook, Then, UserRule, proof, refused_suggestions};
use crate::template::unknown_placeholder;
use crate::verdict::FailMode;

/// Whose a handler is that a person's or a project's file brings.
const YOURS: &str = "yours";

/// Resolves the profiles called `names`, in order, with the changes of `files` on top (a user's file before a project's).
///
/// `builtin` gives the raw form of a profile by name, or `None` for a name that does not exist; `known` lists the names that
/// may be chosen. Handlers keep the order of the profiles. What two profiles build on runs once, where it comes first; handlers of two
/// profiles that only have their name in common both run, and a change by that name reaches both.
pub fn resolve(
    names: &[String],
    files: &[RawProfile],
    builtin: &dyn Fn(&str) -> Option<RawProfile>,
    known: &[&str],
) -> Result<Profile, ConfigError> {
    let mut sources = Vec::new();
    for name in names {
        collect(name, builtin, known, &mut sources, 0).map_err(|error| named_in(files, names, error))?;
    }
    let mut profile = Profile {
        names: names.to_vec(),
        settings: Settings::default(),
        handlers: Vec::new(),
        faults: sources.iter().chain(files).flat_map(|source| source.faults.iter().cloned()).collect(),
    };
    let mut settings = Combined::default();
    for source in &sources {
        settings.join(source);
        let owner = source.keys.name.as_deref().unwrap_or(&source.file);
        add_handlers(&mut profile.handlers, source, owner, files)?;
    }
    for file in files {
        settings.replace(file);
        let taken = |handler: &&RawHandler| {
            sources.iter().any(|source| source.handlers.iter().any(|known| known.name == handler.name))
        };
        if let Some(handler) = file.handlers.iter().find(taken) {
            return Err(ConfigError::new(format!(
                "handler `{0}` is one of the profile's; give yours another name, or say under `[change.{0}]` what is different",
                handler.name
            ))
            .in_file(&file.file)
            .at(handler.line));
        }
        add_handlers(&mut profile.handlers, file, YOURS, files)?;
        for (name, change) in &file.changes {
            if sources
                .iter()
                .any(|source| source.handlers.iter().any(|handler| handler.name == *name && is_own(handler)))
            {
                return Err(ConfigError::new("the guard's own protection cannot be changed")
                    .in_file(&file.file)
                    .at(change.line));
            }
            let all = || sources.iter().chain(files).flat_map(|source| &source.handlers);
            if !all().any(|known| known.name == *name) {
                let known = all().map(|handler| handler.name.as_str());
                return Err(ConfigError::unknown("handler", name, known).in_file(&file.file).at(change.line));
            }
            let steps = || {
                all()
                    .filter(|known| known.name == *name)
                    .flat_map(|known| &known.steps)
                    .map(|(step, _, _)| step.as_str())
            };
            if let Some((wrong, _)) = change.steps.iter().find(|(step, _)| !steps().any(|known| known == step)) {
                return Err(ConfigError::unknown("step", wrong, steps()).in_file(&file.file).at(change.line));
            }
        }
    }
    profile.settings = settings.settings;
    for check in profile.handlers.iter().flat_map(|handler| &handler.checks) {
        match check {
            Check::TestRun(tests) => profile.settings.tests = Some(tests.clone()),
            Check::Proof(proof) => profile.settings.proof = Some(proof.clone()),
            Check::Sane(Sane::Tools(tools)) => {
                profile.settings.research.clone_from(&tools.categories);
                profile.settings.built.clone_from(&tools.built);
            }
            Check::Sane(Sane::Track(track)) => profile.settings.breaker_threshold = track.circuit_breaker_threshold,
            _ => {}
        }
    }
    share_safemode(&mut profile.handlers);
    add_rules(&mut profile, sources.iter().chain(files));
    Ok(profile)
}

/// Makes the checks of document S3 agree about safemode (X8): its other meaning holds for all of them where one is set to it.
fn share_safemode(handlers: &mut [Handler]) {
    let checks = || handlers.iter().flat_map(|handler| &handler.checks);
    let bypass =
        checks().any(|check| matches!(check, Check::Sane(sane) if sane.semantics() == Some(Semantics::Bypass)));
    if bypass {
        for check in handlers.iter_mut().flat_map(|handler| &mut handler.checks) {
            if let Check::Sane(sane) = check {
                sane.set_semantics(Semantics::Bypass);
            }
        }
    }
}

/// Whether the handler is the guard's own protection: a guard that names that family.
fn is_own(handler: &RawHandler) -> bool {
    handler.steps.iter().any(|(_, check, settings)| {
        let families = settings.get("families").and_then(toml::Value::as_array);
        check == "guard"
            && families.is_some_and(|families| families.iter().any(|name| name.as_str() == Some(Family::Own.as_str())))
    })
}

/// Gives a fault about the names of profiles the file and line that they come from, if it is one of these files.
fn named_in(files: &[RawProfile], names: &[String], error: ConfigError) -> ConfigError {
    match files.iter().rev().find(|file| file.profiles() == Some(names)) {
        Some(file) => error.in_file(&file.file).at(file.profile_line.unwrap_or(1)),
        None => error,
    }
}

/// Adds the person's own rules as the last handler. Each has to be unique and to prove itself by its examples; one that does not is
/// left out, and the others hold. A suggestion that would itself be refused or asked about is not made.
fn add_rules<'f>(profile: &mut Profile, files: impl Iterator<Item = &'f RawProfile>) {
    let mut rules: Vec<UserRule> = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut on = EventSet::default();
    for file in files {
        for rule in &file.rules {
            let fault = if rule::by_id(&rule.id).is_some() {
                Some(format!("rule `{}` has the name of a built-in rule", rule.id))
            } else if !names.insert(rule.id.clone()) {
                Some(format!("rule `{}` is named twice", rule.id))
            } else {
                proof::unproven(rule)
            };
            if let Some(fault) = fault {
                profile.faults.push(ConfigError::new(fault).in_file(&file.file).at(rule.line));
                continue;
            }
            on = on.with(&EventName::from(rule.event.as_str()));
            // A run needs no examples.
            rules.push(UserRule { fires: Vec::new(), spares: Vec::new(), ..rule.clone() });
        }
    }
    if rules.is_empty() {
        return;
    }
    let refused = refused_suggestions(profile, &rules);
    for rule in rules.iter_mut().filter(|rule| refused.contains(&rule.id)) {
        rule.suggest = None;
    }
    let on_error = rules.iter().fold(FailMode::None, |mode, rule| {
        mode.join(match rule.then {
            Then::Deny => FailMode::Deny,
            Then::Ask => FailMode::Ask,
            Then::Advise | Then::Rewrite | Then::Allow => FailMode::None,
        })
    });
    let Some(rules) = RuleBook::new(rules) else {
        profile.faults.push(ConfigError::new("there are too many rules to keep; all of them are left out"));
        return;
    };
    profile.handlers.push(Handler {
        name: "rules".to_owned(),
        profile: YOURS.to_owned(),
        layer: YOURS.to_owned(),
        about: "Your own rules".to_owned(),
        on,
        tools: Vec::new(),
        on_error,
        checks: vec![Check::Rules(Rules { rules })],
    });
}

/// Adds the profile called `name` after those that it extends. Extension is three deep at most, which also ends a circle.
fn collect(
    name: &str,
    builtin: &dyn Fn(&str) -> Option<RawProfile>,
    known: &[&str],
    sources: &mut Vec<RawProfile>,
    depth: usize,
) -> Result<(), ConfigError> {
    // A part that profiles extend is none that a person chooses.
    let chosen = builtin(name).filter(|_| depth > 0 || known.contains(&name));
    let source = chosen.ok_or_else(|| ConfigError::unknown("profile", name, known.iter().copied()))?;
    if depth < 3 {
        for base in &source.keys.extends {
            collect(base, builtin, known, sources, depth + 1)?;
        }
    }
    if !sources.iter().any(|present| present.file == source.file) {
        sources.push(source);
    }
    Ok(())
}

/// Settings of several profiles as one: the strictest fail mode, the first that says where the identity comes from.
#[derive(Default)]
struct Combined {
    settings: Settings,
    ids_chosen: bool,
}

impl Combined {
    fn join(&mut self, source: &RawProfile) {
        let keys = &source.keys;
        if let Some(mode) = keys.on_unreadable {
            let joined = self.settings.on_unreadable.join(mode);
            if joined != self.settings.on_unreadable
                && let Some(reason) = &keys.unreadable_reason
            {
                self.settings.unreadable_reason.clone_from(reason);
            }
            self.settings.on_unreadable = joined;
        }
        if let (false, Some(ids)) = (self.ids_chosen, &keys.session_ids) {
            self.settings.session_ids.clone_from(ids);
            self.ids_chosen = true;
        }
        for server in keys.mcp_servers.iter().flatten() {
            if !self.settings.mcp_servers.contains(server) {
                self.settings.mcp_servers.push(server.clone());
            }
        }
        self.settings.errors_to_stderr |= keys.errors_to_stderr.unwrap_or(false);
        self.common(source);
    }

    /// A person's file says what holds, without combining.
    fn replace(&mut self, file: &RawProfile) {
        let keys = &file.keys;
        if let Some(mode) = keys.on_unreadable {
            self.settings.on_unreadable = mode;
        }
        if let Some(reason) = &keys.unreadable_reason {
            self.settings.unreadable_reason.clone_from(reason);
        }
        if let Some(ids) = &keys.session_ids {
            self.settings.session_ids.clone_from(ids);
        }
        if let Some(aloud) = keys.errors_to_stderr {
            self.settings.errors_to_stderr = aloud;
        }
        if let Some(agent) = keys.agent_proof {
            self.settings.agent_proof = agent;
        }
        if let Some(servers) = &keys.mcp_servers {
            self.settings.mcp_servers.clone_from(servers);
        }
        self.common(file);
    }

    /// What a profile and a file say in the same way: the later one holds, or adds.
    fn common(&mut self, source: &RawProfile) {
        self.settings.log = source.keys.log.over(self.settings.log);
        self.settings.text_log = source.keys.text_log.over(self.settings.text_log);
        source.keys.complexity.over(&mut self.settings.complexity);
        if let Some(names) = &source.keys.main_branches {
            self.settings.main_branches.clone_from(names);
        }
        self.settings.fallback.extend(source.keys.fallback.clone());
        self.settings.registry_databases.extend(source.keys.registry.path.clone());
    }
}

fn disabled(name: &str, files: &[RawProfile]) -> bool {
    changes(name, files).filter_map(|change| change.enabled).next_back() == Some(false)
}

fn changes<'f>(name: &'f str, files: &'f [RawProfile]) -> impl DoubleEndedIterator<Item = &'f Change> {
    files
        .iter()
        .flat_map(move |file| file.changes.iter().filter(move |(changed, _)| changed == name).map(|(_, change)| change))
}

fn add_handlers(
    handlers: &mut Vec<Handler>,
    source: &RawProfile,
    owner: &str,
    files: &[RawProfile],
) -> Result<(), ConfigError> {
    for raw in &source.handlers {
        if disabled(&raw.name, files) {
            continue;
        }
        if handlers.iter().any(|present| present.name == raw.name && present.profile == owner) {
            return Err(ConfigError::new(format!("handler `{}` is named twice", raw.name))
                .in_file(&source.file)
                .at(raw.line));
        }
        handlers.push(handler(raw, owner, &source.file, files)?);
    }
    Ok(())
}

fn handler(raw: &RawHandler, owner: &str, file: &str, files: &[RawProfile]) -> Result<Handler, ConfigError> {
    let at_home = |error: ConfigError| error.in_file(file).at(raw.line);
    let mut on = EventSet::default();
    for name in &raw.on {
        let event = EventName::from(name.as_str());
        if event.index().is_none() {
            let known = EventName::ALL.iter().map(EventName::as_str);
            return Err(at_home(ConfigError::unknown("event", name, known)));
        }
        on = on.with(&event);
    }
    let mut resolved = Handler {
        name: raw.name.clone(),
        profile: owner.to_owned(),
        layer: raw.layer.clone(),
        about: raw.about.clone(),
        on,
        tools: raw.tools.clone(),
        on_error: FailMode::None,
        checks: Vec::new(),
    };
    let mut on_error = raw.on_error;
    for change in changes(&raw.name, files) {
        if let Some(tools) = &change.tools {
            resolved.tools.clone_from(tools);
        }
        on_error = change.on_error.or(on_error);
    }
    for (step, check, settings) in &raw.steps {
        let built_in = Check::resolve(check, settings.clone()).map_err(at_home)?;
        let resolved_check = changed_check(raw, step, check, settings, files)?.unwrap_or(built_in);
        check_templates(settings).map_err(at_home)?;
        resolved.checks.push(resolved_check);
    }
    resolved.on_error = on_error.unwrap_or_else(|| {
        resolved.checks.iter().fold(FailMode::None, |mode, check| mode.join(check.default_on_error()))
    });
    Ok(resolved)
}

/// The step with the settings of the person's files over its own, if a file changes it.
fn changed_check(
    raw: &RawHandler,
    step: &str,
    check: &str,
    settings: &toml::Table,
    files: &[RawProfile],
) -> Result<Option<Check>, ConfigError> {
    let mut merged = settings.clone();
    let mut latest = None;
    for file in files {
        for (_, change) in file.changes.iter().filter(|(name, _)| *name == raw.name) {
            for (_, overrides) in change.steps.iter().filter(|(name, _)| *name == step) {
                merged.extend(overrides.clone());
                let at = |error: ConfigError| error.in_file(&file.file).at(change.line);
                check_templates(overrides).map_err(at)?;
                latest = Some(Check::resolve(check, merged.clone()).map_err(at)?);
            }
        }
    }
    Ok(latest)
}

/// Every text of a step's settings may hold placeholders; one that does not exist is a fault, not text.
fn check_templates(settings: &toml::Table) -> Result<(), ConfigError> {
    let mut values: Vec<&toml::Value> = settings.values().collect();
    while let Some(value) = values.pop() {
        match value {
            toml::Value::String(text) => {
                if let Some(name) = unknown_placeholder(text) {
                    let known = crate::template::PLACEHOLDERS.iter().map(|(known, _)| *known);
                    return Err(ConfigError::unknown("placeholder", name, known));
                }
            }
            toml::Value::Array(items) => values.extend(items),
            toml::Value::Table(table) => values.extend(table.values()),
            _ => {}
        }
    }
    Ok(())
}
