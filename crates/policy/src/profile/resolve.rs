//! Raw files in, one resolved profile out; everything fallible about a profile happens here.

use std::collections::BTreeSet;

use hook_protocol::event::EventName;

use super::error::{ConfigError, Faults, Item};
use super::raw::{Change, RawHandler, RawProfile};
use super::reach::{RAISED, Reach, raised};
use super::resolved::{EventSet, Handler, Profile, Settings, WithoutServer};
use crate::check::{Check, Rules, Semantics};
use crate::rule::{self, Family, RuleIndex, Then, UserRule, proof, refused_suggestions};
use crate::template::unknown_placeholder;
use crate::verdict::FailMode;

/// Whose a handler is that a user's or a project's file brings.
const YOURS: &str = "yours";

/// Resolves the profiles called `names`, in order, with the changes of `files` on top (a user's file before a project's).
///
/// `builtin` gives the raw form of a profile by name, or `None` for a name that does not exist; `known` lists the names that
/// may be chosen. Handlers keep the order of the profiles. What two profiles build on runs once, where it comes first; handlers of two
/// profiles that only have their name in common both run, and a change by that name reaches both.
///
/// A fault takes only its own item out of force. What is off stands in [`Profile::faults`], and whoever goes on with the profile has to
/// tell a user; [`resolve_strict`] is for whoever does not go on.
#[must_use = "what is off stands among the faults of the profile"]
pub fn resolve(
    names: &[String],
    files: &[RawProfile],
    builtin: &dyn Fn(&str) -> Option<RawProfile>,
    known: &[&str],
) -> Profile {
    let mut faults = Vec::new();
    let mut sources = Vec::new();
    let mut there = Vec::new();
    for name in names {
        match collect(name, builtin, known, &mut sources, 0) {
            Ok(()) => there.push(name.clone()),
            Err(fault) => faults.push(named_in(files, name, fault.of(Item::Profile, name))),
        }
    }
    // A profile that cannot be told may have been the strictest one.
    let speculative = there.len() < names.len()
        || files.iter().rev().find(|file| names_profiles(file)).is_some_and(|file| file.profiles_doubtful);
    // What a file asks for that nobody trusts comes behind all that was chosen, and changes nothing about it.
    let chosen = sources.len();
    let mut askers = Vec::new();
    for file in files.iter().filter(|file| file.reach == Reach::Stricter) {
        for name in file.profiles().into_iter().flatten() {
            if !there.contains(name) && collect(name, builtin, known, &mut sources, 0).is_ok() {
                there.push(name.clone());
            }
        }
        askers.resize(sources.len() - chosen, &file.file);
    }
    let (own, added) = sources.split_at(chosen);
    faults.extend(sources.iter().chain(files).flat_map(|source| source.faults.iter().cloned()));
    let layers: Vec<Layer<'_>> = files.iter().map(|file| Layer::new(file, own, &sources, files, &mut faults)).collect();
    let mut handlers = Vec::new();
    let mut settings = Combined::default();
    for source in own {
        settings.join(source);
        add_handlers(&mut handlers, source, owner(source), &layers, &stood_in_for(source, own), &mut faults);
    }
    if speculative {
        settings.doubt();
    }
    for file in files {
        settings.replace(file);
        add_handlers(&mut handlers, file, YOURS, &layers, &[], &mut faults);
    }
    let trusted = handlers.len();
    let mut more = Vec::new();
    for (source, asker) in added.iter().zip(askers) {
        settings.join_stricter(source);
        add_handlers(&mut more, source, owner(source), &layers, &stood_in_for(source, &sources), &mut faults);
        let new = more.iter_mut().filter(|handler: &&mut Handler| handler.asked_by.is_none());
        new.for_each(|handler| handler.asked_by = Some(asker.clone()));
    }
    handlers.append(&mut more);
    let mut profile = Profile { names: there, settings: settings.settings, handlers, custom_rules: 0, faults };
    // A guard that cannot read a call has not checked it, whatever a document says about such calls.
    if profile.guarded().is_some() {
        profile.settings.on_unreadable = profile.settings.on_unreadable.join(FailMode::Ask);
    }
    // Their settings are those of what was chosen.
    let (of_chosen, _) = profile.handlers.split_at_mut(trusted);
    share_safemode(of_chosen);
    share_settings(&mut profile);
    // The strictest say comes first: of rules of one name the first holds, and none that nobody trusts may take a user's place.
    let (untrusted, known): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.reach == Reach::Stricter);
    add_rules(&mut profile, sources.iter().chain(known).chain(untrusted));
    let of_untrusted =
        |fault: &ConfigError| files.iter().any(|file| file.reach == Reach::Stricter && file.file == fault.file);
    // A fault of what does not count is nobody's concern.
    profile.faults.retain(|fault| !of_untrusted(fault));
    // Handlers of one name that are changed alike have the same fault.
    let mut seen = BTreeSet::new();
    profile.faults.retain(|fault| seen.insert((fault.file.clone(), fault.line, fault.column, fault.message.clone())));
    profile
}

/// The same for whoever wants all of it or nothing.
pub fn resolve_strict(
    names: &[String],
    files: &[RawProfile],
    builtin: &dyn Fn(&str) -> Option<RawProfile>,
    known: &[&str],
) -> Result<Profile, Faults> {
    let mut profile = resolve(names, files, builtin, known);
    profile.faults.extend(files.iter().flat_map(unproven));
    if profile.faults.is_empty() { Ok(profile) } else { Err(Faults(std::mem::take(&mut profile.faults))) }
}

/// The rules of a file that do not do on their examples what they should.
fn unproven(file: &RawProfile) -> impl Iterator<Item = ConfigError> + '_ {
    file.rules.iter().zip(&file.rule_places).filter_map(|(rule, places)| {
        let (key, fault) = proof::unproven(rule)?;
        let fault = ConfigError::new(fault).in_file(&file.file).at(places.of(&[key]));
        Some(fault.of(Item::Rule, &rule.id))
    })
}

/// What the handlers of a profile say whose they are.
fn owner(source: &RawProfile) -> &str {
    source.keys.name.as_deref().unwrap_or(&source.file)
}

/// Settings of checks that other checks need as well; of those that were chosen before those that were not.
fn share_settings(profile: &mut Profile) {
    let (added, chosen): (Vec<_>, Vec<_>) = profile.handlers.iter().partition(|handler| handler.asked_by.is_some());
    for check in added.into_iter().chain(chosen).flat_map(|handler| &handler.checks) {
        check.step().share(&mut profile.settings);
    }
}

/// A user's or a project's file, and those of its changes that reach something.
struct Layer<'f> {
    file: &'f RawProfile,
    changes: Vec<(&'f str, &'f Change)>,
    /// Names of its own handlers that the profile has already.
    taken: Vec<&'f str>,
}

impl<'f> Layer<'f> {
    fn new(
        file: &'f RawProfile,
        own: &[RawProfile],
        sources: &[RawProfile],
        files: &[RawProfile],
        faults: &mut Vec<ConfigError>,
    ) -> Self {
        let mut layer = Layer { file, changes: Vec::new(), taken: Vec::new() };
        for handler in &file.handlers {
            if own.iter().flat_map(|source| &source.handlers).any(|known| known.name == handler.name) {
                layer.taken.push(&handler.name);
                let fault = ConfigError::new(format!(
                    "handler `{0}` is one of the profile's; give yours another name, or say under `[change.{0}]` what is different",
                    handler.name
                ));
                faults
                    .push(fault.in_file(&file.file).at(handler.places.of(&["name"])).of(Item::Handler, &handler.name));
            }
        }
        let all = || sources.iter().chain(files).flat_map(|source| &source.handlers);
        for (name, change) in &file.changes {
            let off = |fault: ConfigError, way: &[&str], called: &str| {
                fault.in_file(&file.file).at(change.places.of(way)).of(Item::Change, called)
            };
            if sources
                .iter()
                .flat_map(|source| &source.handlers)
                .any(|handler| handler.name == *name && is_own(handler))
            {
                faults.push(off(ConfigError::new("the guard's own protection cannot be changed"), &[], name));
                continue;
            }
            if !all().any(|known| known.name == *name) {
                let known = all().map(|handler| handler.name.as_str());
                faults.push(off(ConfigError::unknown("handler", name, known), &[], name));
                continue;
            }
            let steps: BTreeSet<&str> = all()
                .filter(|known| known.name == *name)
                .flat_map(|known| &known.steps)
                .map(|(step, _, _)| step.as_str())
                .collect();
            for (wrong, _) in change.steps.iter().filter(|(step, _)| !steps.contains(step.as_str())) {
                let mut fault = ConfigError::unknown("step", wrong, steps.iter().copied());
                if fault.nearest.is_none() {
                    let listed: Vec<String> = steps.iter().map(|step| format!("`{step}`")).collect();
                    fault.message.push_str(&format!("; `{name}` has {}", listed.join(", ")));
                }
                faults.push(off(fault, &[wrong], &format!("{name}.{wrong}")));
            }
            layer.changes.push((name, change));
        }
        layer
    }
}

fn names_profiles(file: &RawProfile) -> bool {
    file.reach != Reach::Stricter && (file.profiles().is_some() || file.profiles_doubtful)
}

/// Makes all checks agree about safemode: its other meaning holds for all of them where one is set to it.
fn share_safemode(handlers: &mut [Handler]) {
    let checks = handlers.iter_mut().flat_map(|handler| &mut handler.checks);
    let meanings: Vec<&mut Semantics> = checks.filter_map(|check| check.step_mut().safemode()).collect();
    if meanings.iter().any(|meaning| **meaning == Semantics::Bypass) {
        for meaning in meanings {
            *meaning = Semantics::Bypass;
        }
    }
}

/// Whether the handler is the guard's own protection: a guard that names that family.
fn is_own(handler: &RawHandler) -> bool {
    handler.steps.iter().any(|(_, check, settings)| {
        let families = settings.get("families").and_then(toml::Value::as_array);
        check == "guard"
            && families.is_some_and(|families| {
                families.iter().any(|name| name.as_str().and_then(Family::parse) == Some(Family::SelfProtection))
            })
    })
}

/// Gives a fault about the name of a profile the place that it comes from, if it is one of these files.
fn named_in(files: &[RawProfile], name: &String, mut error: ConfigError) -> ConfigError {
    error.message.push_str("; what cannot be read is asked about at least, since it may have been a stricter one");
    let names = |file: &&RawProfile| file.profiles().is_some_and(|names| names.contains(name));
    match files.iter().rev().find(names) {
        Some(file) => error.in_file(&file.file).at(file.profile_place.unwrap_or((1, 1))),
        None => error,
    }
}

/// Adds custom rules as the last handler. Each has to be unique; one that is not is left out, and the others hold. Whether it
/// does what its examples say is not asked here, since a hook resolves as well; [`crate::rule::audit`] does. A suggestion that would itself
/// be refused or asked about is not made.
fn add_rules<'f>(profile: &mut Profile, files: impl Iterator<Item = &'f RawProfile>) {
    let mut rules: Vec<UserRule> = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut on = EventSet::default();
    // Rules of a file that nobody trusts come last.
    let mut trusted = 0;
    for file in files {
        for (rule, places) in file.rules.iter().zip(&file.rule_places) {
            let fault = if rule::by_id(&rule.id).is_some() {
                Some(("id", format!("rule `{}` has the name of a built-in rule", rule.id)))
            } else if !names.insert(rule.id.clone()) {
                Some(("id", format!("rule `{}` is named twice", rule.id)))
            } else {
                None
            };
            if let Some((key, fault)) = fault {
                let fault = ConfigError::new(fault).in_file(&file.file).at(places.of(&[key]));
                profile.faults.push(fault.of(Item::Rule, &rule.id));
                continue;
            }
            on = on.with(&EventName::from(rule.event.as_str()));
            // A run needs no examples.
            rules.push(UserRule { should_match: Vec::new(), should_not_match: Vec::new(), ..rule.clone() });
        }
        if file.reach > Reach::Stricter {
            trusted = rules.len();
        }
    }
    if rules.is_empty() {
        return;
    }
    profile.custom_rules = rules.len();
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
    let book = RuleIndex::new(rules.clone()).or_else(|| {
        rules.truncate(trusted);
        RuleIndex::new(rules)
    });
    let Some(rules) = book else {
        profile.custom_rules = 0;
        let fault = ConfigError::new("there are too many rules to keep; all of them are left out");
        profile.faults.push(fault.of(Item::Rule, "every rule"));
        return;
    };
    profile.handlers.push(Handler {
        name: "rules".to_owned(),
        profile: YOURS.to_owned(),
        layer: YOURS.to_owned(),
        about: "Your custom rules".to_owned(),
        on,
        tools: Vec::new(),
        on_error,
        asked_by: None,
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
    // A part that profiles extend is none that a user chooses.
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
        self.stand_ins(source);
        self.settings.errors_to_stderr |= keys.errors_to_stderr.unwrap_or(false);
        self.common(source);
    }

    /// One of the profiles is not known, and may have been stricter than those that are.
    fn doubt(&mut self) {
        self.settings.on_unreadable = self.settings.on_unreadable.join(FailMode::Ask);
        self.settings.on_error = self.settings.on_error.join(FailMode::Ask);
    }

    /// Of a profile that a file asks for which nobody trusts, only what is stricter.
    fn join_stricter(&mut self, source: &RawProfile) {
        let mode = source.keys.on_unreadable.unwrap_or_default();
        self.settings.on_unreadable = self.settings.on_unreadable.join(mode);
        self.stand_ins(source);
    }

    /// More servers only mean more refusals.
    fn stand_ins(&mut self, source: &RawProfile) {
        self.settings.servers.extend(source.keys.servers.iter().flatten().cloned());
        if let Some(mode @ WithoutServer::Refuse) = source.keys.without_server {
            self.settings.without_server = mode;
        }
    }

    /// A user's file says what holds, without combining.
    fn replace(&mut self, file: &RawProfile) {
        if file.reach == Reach::Stricter {
            return;
        }
        let keys = &file.keys;
        if let Some(mode) = keys.on_unreadable {
            self.settings.on_unreadable = mode;
        }
        if let Some(reason) = &keys.unreadable_reason {
            self.settings.unreadable_reason.clone_from(reason);
        }
        if let Some(ask) = keys.ask {
            self.settings.ask = ask;
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
        if let Some(count) = keys.sdk_prompts.filter(|_| file.reach == Reach::Everything) {
            self.settings.sdk_prompts = count;
        }
        if let Some(servers) = &keys.servers {
            self.settings.servers.clone_from(servers);
        }
        self.settings.without_server = keys.without_server.unwrap_or(self.settings.without_server);
        let log = self.settings.log;
        self.common(file);
        // A trail is not cut short by what lies in the project.
        if file.reach == Reach::Project {
            self.settings.log = self.settings.log.or_more(log);
        }
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

fn disabled(name: &str, layers: &[Layer<'_>]) -> bool {
    changes(name, layers).filter_map(|(_, change)| change.enabled).next_back() == Some(false)
}

fn step_disabled(name: &str, step: &str, layers: &[Layer<'_>]) -> bool {
    let said =
        changes(name, layers).flat_map(|(_, change)| &change.enabled_steps).filter(|(changed, _)| changed == step);
    said.map(|(_, enabled)| *enabled).next_back() == Some(false)
}

/// The changes of one handler, with the files that they stand in.
fn changes<'f>(name: &str, layers: &[Layer<'f>]) -> impl DoubleEndedIterator<Item = (&'f RawProfile, &'f Change)> {
    layers.iter().flat_map(move |layer| {
        layer.changes.iter().filter(move |(changed, _)| *changed == name).map(|(_, change)| (layer.file, *change))
    })
}

fn add_handlers(
    handlers: &mut Vec<Handler>,
    source: &RawProfile,
    owner: &str,
    layers: &[Layer<'_>],
    left_out: &[String],
    faults: &mut Vec<ConfigError>,
) {
    let taken = layers.iter().find(|layer| std::ptr::eq(layer.file, source)).map(|layer| layer.taken.as_slice());
    for raw in &source.handlers {
        let is_taken = taken.is_some_and(|taken| taken.contains(&raw.name.as_str()));
        if disabled(&raw.name, layers) || is_taken || left_out.contains(&raw.name) {
            continue;
        }
        let off = |fault: ConfigError| fault.in_file(&source.file).of(Item::Handler, &raw.name);
        if handlers.iter().any(|present| present.name == raw.name && present.profile == owner) {
            let fault = ConfigError::new(format!("handler `{}` is named twice", raw.name));
            faults.push(off(fault.at(raw.places.of(&["name"]))));
            continue;
        }
        match handler(raw, owner, layers, faults) {
            Ok(handler) => {
                // What comes first gives the reason where both refuse.
                let at = raw.before.as_ref().and_then(|later| handlers.iter().position(|known| known.name == *later));
                handlers.insert(at.unwrap_or(handlers.len()), handler);
            }
            Err(fault) => faults.push(off(raw.places.locate(fault, &[]))),
        }
    }
}

/// Handlers of `source` that are not needed: every profile that extends it has one that says it does the same work. Beside a profile
/// that does not say so they stay, so that no combination is weaker than its parts.
fn stood_in_for(source: &RawProfile, sources: &[RawProfile]) -> Vec<String> {
    let name = source.keys.name.as_deref().unwrap_or(&source.file);
    let extending: Vec<&RawProfile> =
        sources.iter().filter(|other| other.keys.extends.iter().any(|base| base == name)).collect();
    let replaced = |handler: &&RawHandler| {
        let stands_in = |other: &&RawProfile| {
            other.handlers.iter().any(|own| own.instead_of.as_ref().is_some_and(|shared| *shared == handler.name))
        };
        !is_own(handler) && !extending.is_empty() && extending.iter().all(stands_in)
    };
    source.handlers.iter().filter(replaced).map(|handler| handler.name.clone()).collect()
}

fn handler(
    raw: &RawHandler,
    owner: &str,
    layers: &[Layer<'_>],
    faults: &mut Vec<ConfigError>,
) -> Result<Handler, ConfigError> {
    let mut on = EventSet::default();
    for name in &raw.on {
        let event = EventName::from(name.as_str());
        if event.index().is_none() {
            let known = EventName::ALL.iter().map(EventName::as_str);
            return Err(ConfigError::unknown("event", name, known).at(raw.places.of(&["on"])));
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
        asked_by: None,
        checks: Vec::new(),
    };
    let mut on_error = raw.on_error;
    for (_, change) in changes(&raw.name, layers) {
        if let Some(tools) = &change.tools {
            resolved.tools.clone_from(tools);
        }
        on_error = change.on_error.or(on_error);
    }
    for (step, check, settings) in &raw.steps {
        if step_disabled(&raw.name, step, layers) {
            continue;
        }
        let built_in = check_of(check, settings).map_err(|fault| raw.places.locate(fault, &[step]))?;
        resolved.checks.push(changed_check(raw, step, check, settings, layers, faults).unwrap_or(built_in));
    }
    resolved.on_error = on_error.unwrap_or_else(|| {
        resolved.checks.iter().fold(FailMode::None, |mode, check| mode.join(check.default_on_error()))
    });
    Ok(resolved)
}

fn check_of(check: &str, settings: &toml::Table) -> Result<Check, ConfigError> {
    check_templates(settings)?;
    Check::resolve(check, settings.clone())
}

/// The step with the settings of the user's files over its own, if a file changes it.
fn changed_check(
    raw: &RawHandler,
    step: &str,
    check: &str,
    settings: &toml::Table,
    layers: &[Layer<'_>],
    faults: &mut Vec<ConfigError>,
) -> Option<Check> {
    let mut merged = settings.clone();
    let mut latest = None;
    for (file, change) in changes(&raw.name, layers) {
        for (_, overrides) in change.steps.iter().filter(|(name, _)| *name == step) {
            let overrides = &match file.reach {
                Reach::Stricter => raising(check, &merged, overrides),
                Reach::Project | Reach::Everything => overrides.clone(),
            };
            let whole = laid_over(&merged, overrides);
            if let Ok(changed) = check_of(check, &whole) {
                (latest, merged) = (Some(changed), whole);
                continue;
            }
            let mut off = Vec::new();
            let kept = sift(check, &merged, overrides, &mut off);
            merged = laid_over(&merged, &kept);
            latest = check_of(check, &merged).ok().or(latest);
            faults.extend(off.into_iter().map(|(way, fault)| {
                let mut whole = vec![step];
                whole.extend(way.iter().map(String::as_str));
                let name = format!("{}.{}", raw.name, whole.join("."));
                change.places.locate(fault.in_file(&file.file), &whole).of(Item::Change, &name)
            }));
        }
    }
    latest
}

/// Settings with those of a change over them. A table, such as severities, is changed entry by entry, so that what a change does not
/// name stays as it is.
fn laid_over(base: &toml::Table, overrides: &toml::Table) -> toml::Table {
    let mut whole = base.clone();
    for (key, value) in overrides {
        match (whole.get_mut(key), value) {
            (Some(toml::Value::Table(entries)), toml::Value::Table(changed)) => entries.extend(changed.clone()),
            _ => drop(whole.insert(key.clone(), value.clone())),
        }
    }
    whole
}

/// The severities that stand, with those that `overrides` raises; nothing for a check that has none.
fn raising(check: &str, stands: &toml::Table, overrides: &toml::Table) -> toml::Table {
    let (of, key, _) = RAISED;
    if check != of {
        return toml::Table::new();
    }
    let mut severities = stands.get(key).and_then(toml::Value::as_table).cloned().unwrap_or_default();
    severities.extend(raised(overrides));
    toml::Table::from_iter([(key.to_owned(), severities.into())])
}

/// Settings that are tried one by one at most, before those that are left count as faulty as well. No check has as many.
const TRIES: usize = 64;

/// The settings of `overrides` that can be understood, each by itself over `base`; `off` gets the way to each of the others, with what is
/// wrong.
fn sift(
    check: &str,
    base: &toml::Table,
    overrides: &toml::Table,
    off: &mut Vec<(Vec<String>, ConfigError)>,
) -> toml::Table {
    let over = |key: &String, value: toml::Value| {
        check_of(check, &laid_over(base, &toml::Table::from_iter([(key.clone(), value)]))).err()
    };
    let mut kept = toml::Table::new();
    for (key, value) in overrides {
        if off.len() >= TRIES {
            off.push((
                vec![key.clone()],
                ConfigError::new("this and what follows it is not tried after so many faults"),
            ));
            break;
        }
        let Some(fault) = over(key, value.clone()) else {
            kept.insert(key.clone(), value.clone());
            continue;
        };
        // A table within, such as severities, loses only the faulty entry too.
        let (before, mut inner) = (off.len(), toml::Table::new());
        for (name, value) in value.as_table().into_iter().flatten().take(TRIES * 64) {
            let one = toml::Table::from_iter([(name.clone(), value.clone())]);
            match over(key, toml::Value::Table(one)) {
                None => drop(inner.insert(name.clone(), value.clone())),
                Some(fault) if off.len() < TRIES => off.push((vec![key.clone(), name.clone()], fault)),
                Some(_) => break,
            }
        }
        let inner = toml::Value::Table(inner);
        if off.len() > before && over(key, inner.clone()).is_none() {
            kept.insert(key.clone(), inner);
        } else {
            off.truncate(before);
            off.push((vec![key.clone()], fault));
        }
    }
    match check_of(check, &laid_over(base, &kept)) {
        Ok(_) => kept,
        // Each holds by itself, and not all together.
        Err(fault) => {
            off.push((Vec::new(), fault));
            toml::Table::new()
        }
    }
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
