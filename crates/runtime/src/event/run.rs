//! One event: from the bytes on stdin to what is printed.
//!
//! Nothing in here fails. Whatever goes wrong becomes a fault that is logged, and the fail mode of the profile gives the answer.

use std::any::Any;
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use hook_policy::explain::{Explanation, explain};
use hook_policy::profile::Plan;
use hook_policy::{Context, FailMode, Outcome, decide, decide_named, decide_unreadable};
use hook_protocol::event::{Event, EventName};
use hook_protocol::host::{HOSTS, Limits};
use hook_protocol::lenient;
use hook_session_state::SessionId;

use crate::allowance;
use crate::config::cache;
use crate::config::cache::{InForce, Loaded, StoredRules};
use crate::config::profiles;
use crate::event::answer;
use crate::event::args::HookArgs;
use crate::event::capabilities::Capabilities;
use crate::event::deadline;
use crate::event::effects;
use crate::event::record;
use crate::event::repeat;
use crate::event::translate;
use crate::facts;
use crate::installation::user;
use crate::project::Project;
use crate::system::System;
use crate::trust::Standing;

/// What the process prints, and its exit code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Nothing, or exactly one answer.
    pub stdout: String,
    /// The reason of a refusal, or what was wrong with the way hookbin was started.
    pub stderr: String,
    /// 0 or 2, never 1.
    pub code: u8,
}

/// One event with everything that is known about it before the decision.
pub struct Run<'r> {
    /// The event; an empty one of the expected name when the payload cannot be read.
    pub event: Event<'r>,
    /// Why the payload cannot be read.
    pub unreadable: Option<String>,
    /// What is in force for it.
    pub plan: Plan,
    /// The user's rules, where the plan does without them.
    rules: Option<Arc<StoredRules>>,
    /// The profiles that the command line names.
    profiles: Option<Vec<String>>,
    /// The plan as the files say it, made where those rules turn out to be damaged.
    whole: OnceCell<Plan>,
    /// The plan is of one handler that was asked for by name.
    named: bool,
    /// The project of the event.
    pub project: Option<Project>,
    /// Its session.
    pub session: SessionId,
    /// What the run takes from the process around it.
    pub system: &'r System,
    /// Bytes of the payload.
    pub bytes: usize,
    /// When it began.
    pub begin: Instant,
    /// What of the configuration is off, in words.
    pub config_fault: Option<String>,
    /// How far the project's configuration counts.
    pub standing: Standing,
    /// The branch that was checked out, where the record of a past session has it.
    pub branch: Option<String>,
    /// What it may do and look at.
    pub may: Capabilities,
}

/// Answers the event on stdin.
pub fn hook(args: &HookArgs, stdin: &[u8], system: &System) -> Printed {
    // The message that Rust prints would be noise in the host's transcript.
    std::panic::set_hook(Box::new(|_| {}));
    caught(|| answer_event(args, stdin, system)).unwrap_or_else(|fault| {
        caught(|| answer_fault(args, system, &fault, Plan::on_error)).unwrap_or_else(|_| last_answer(args))
    })
}

/// Does `work`, or says what broke it. The one place that catches a panic, because no run may end without an answer.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("internal error: {}", said_by(&*panic)))
}

/// The message of a panic.
pub fn said_by(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

fn answer_event(args: &HookArgs, stdin: &[u8], system: &System) -> Printed {
    if !args.dry && user::another_answers(args, system) {
        return Printed::default();
    }
    if args.late {
        return answer_late(args, system);
    }
    let begin = Instant::now();
    let fallback = expected_event(args, system);
    let fallback = fallback.as_str();
    let text = lenient::decode(stdin);
    let repaired;
    let parsed = match system.host.read(&text, fallback) {
        Ok(event) => Ok(event),
        Err(error) => match lenient::repair(&text) {
            None => Err(error),
            Some(better) => {
                repaired = better;
                system.host.read(&repaired, fallback).map_err(|_| error)
            }
        },
    };
    if args.unknown_host.is_some() && !parsed.as_ref().is_ok_and(tells) {
        return last_answer(args);
    }
    match parsed {
        Ok(event) => Run::new(args, event, None, stdin.len(), begin, system).finish(args),
        Err(error) => {
            let event = blank(fallback);
            Run::new(args, event, Some(error.to_string()), stdin.len(), begin, system).finish(args)
        }
    }
}

/// Whether an event says by itself what it is, so that nobody has to name the host that sent it.
fn tells(event: &Event<'_>) -> bool {
    let is_named = || event.tool().is_some_and(|tool| !tool.name.is_empty());
    event.name().index().is_some() && (!deadline::is_guarded(&event.name()) || is_named())
}

/// The answer that reads nothing: a call is refused, and anything else goes on.
fn last_answer(args: &HookArgs) -> Printed {
    if !deadline::refuses(args.subject.as_deref().map(str::as_bytes)) {
        return Printed::default();
    }
    Printed { stdout: String::new(), stderr: deadline::LAST_ANSWER.to_owned(), code: 2 }
}

/// The answer for a run that was late, and a record. What made it late may be what the configuration holds, so that does not decide.
fn answer_late(args: &HookArgs, system: &System) -> Printed {
    let answered = answer_fault(args, system, "the deadline was reached", |_| FailMode::Deny);
    let last = last_answer(args);
    if last.code == 0 { answered } else { last }
}

/// The answer of a run that broke or was late, and a record.
fn answer_fault(args: &HookArgs, system: &System, fault: &str, mode: impl Fn(&Plan) -> FailMode) -> Printed {
    let name = args.subject.clone().unwrap_or_default();
    let run = Run::new(args, blank(&name), Some(fault.to_owned()), 0, Instant::now(), system);
    let outcome = run.broken(fault, mode);
    let mut printed = answer::print(run.system.host, &run.event, &outcome, None);
    run.say_aloud(&mut printed, &[fault.to_owned()]);
    run.record(&outcome, &effects::EffectReport::default());
    printed
}

impl<'r> Run<'r> {
    fn new(
        args: &HookArgs,
        event: Event<'r>,
        unreadable: Option<String>,
        bytes: usize,
        begin: Instant,
        system: &'r System,
    ) -> Self {
        let cwd = event.common.cwd.as_ref().map(|cwd| cwd.as_str().into_owned());
        let project = Project::find(args.project.as_deref(), cwd.as_deref().map(Path::new), system);
        let project = if args.user { project.map(|project| user::served(project, system)) } else { project };
        let (Loaded { plan, faults, standing, rules, .. }, named) = plan(args, &event.name(), project.as_ref(), system);
        let sent = event.common.session_id.as_ref().map(|id| id.as_str());
        let session =
            SessionId::resolve(&facts::id_order(&plan.settings.session_ids, system.host), sent.as_deref(), |name| {
                system.text(name)
            });
        Self {
            event,
            unreadable,
            plan,
            rules,
            profiles: args.profiles.clone(),
            whole: OnceCell::new(),
            named,
            project,
            session,
            system,
            bytes,
            begin,
            config_fault: faults.summary(),
            standing,
            branch: None,
            may: if args.dry { Capabilities::EXPLAINED } else { Capabilities::LIVE },
        }
    }

    /// A run whose event, plan and project are known, as embedders and replays have them.
    pub(crate) fn of(event: Event<'r>, plan: Plan, project: Project, system: &'r System) -> Self {
        let sent = event.common.session_id.as_ref().map(|id| id.as_str());
        let session =
            SessionId::resolve(&facts::id_order(&plan.settings.session_ids, system.host), sent.as_deref(), |name| {
                system.text(name)
            });
        drop(sent);
        Self {
            event,
            unreadable: None,
            plan,
            rules: None,
            profiles: None,
            whole: OnceCell::new(),
            named: false,
            project: Some(project),
            session,
            system,
            bytes: 0,
            begin: Instant::now(),
            config_fault: None,
            standing: Standing::Plain,
            branch: None,
            may: Capabilities::EMBEDDED,
        }
    }

    fn finish(mut self, args: &HookArgs) -> Printed {
        let usage = self.usage_fault(args);
        translate::mark_continued(&mut self);
        let live_facts = facts::LiveFacts::new(&self);
        let (mut outcome, mut done) = self.carry_through(&live_facts, usage.as_deref());
        done.faults.append(&mut outcome.faults);
        done.faults.extend(usage.clone());
        let unknown = args.unknown_host.as_ref();
        done.faults.extend(unknown.map(|name| format!("unknown host `{name}`; there are {}", hosts())));
        // The record has the whole reason, and only an answer that is not out yet can still say that there is none.
        let short = repeat::shortened(&self, &outcome);
        outcome.notices.extend(self.record(&outcome, &done));
        outcome.reason = short.or(outcome.reason);
        let mut printed = answer::print(self.system.host, &self.event, &outcome, usage.as_deref());
        done.faults.extend(self.unreadable.as_ref().map(|why| format!("payload not read: {why}")));
        self.say_aloud(&mut printed, &done.faults);
        printed
    }

    /// The decision, and everything that follows from it and may be done.
    fn carry_through(
        &self,
        live_facts: &facts::LiveFacts<'_>,
        usage: Option<&str>,
    ) -> (Outcome<'_>, effects::EffectReport) {
        let mut outcome = self.decide(live_facts, usage);
        let word = allowance::heed(self, &mut outcome);
        translate::fit(&mut outcome, self.limits(), self.plan.settings.ask);
        let mut done = effects::EffectReport::default();
        if self.may.remembers {
            done = effects::carry_out(self, &mut outcome);
            done.faults.extend(translate::carry_over(self, &mut outcome));
        }
        done.word = word;
        done.faults.append(&mut self.system.take_lost());
        (outcome, done)
    }

    /// Writes the record, where one is wanted. Returns what the user has to know of it.
    fn record(&self, outcome: &Outcome<'_>, done: &effects::EffectReport) -> Option<String> {
        if self.may.records { record::write(self, outcome, done) } else { None }
    }

    /// What the host can do with the answer.
    pub const fn limits(&self) -> &Limits {
        &self.system.limits
    }

    /// The decision, and what the way of being started and an unreadable payload add to it.
    fn decide(&self, live_facts: &facts::LiveFacts<'_>, usage: Option<&str>) -> Outcome<'_> {
        let guarded = deadline::is_guarded(&self.event.name());
        let mut outcome = match &self.unreadable {
            None => self.decide_as_read(live_facts),
            Some(_) if self.named => decide_named(&self.plan, live_facts),
            Some(_) => decide_unreadable(&self.plan, guarded),
        };
        if self.unreadable.is_some() {
            self.fall_back(&mut outcome);
        }
        // Whoever started the hook wrongly may have meant a stricter one, and a call without a tool's name was checked by nobody.
        let nameless =
            || self.unreadable.is_none() && !self.named && self.event.tool().is_none_or(|tool| tool.name.is_empty());
        let fail_mode = self.plan.settings.on_unreadable.verdict();
        if guarded && let Some(usage) = usage {
            outcome.overrule(fail_mode, &format!("hookbin was started wrongly: {usage}"));
        } else if guarded && nameless() {
            outcome.overrule(fail_mode, &self.plan.settings.unreadable_reason);
            outcome.faults.push("call not read: tool_name is missing".to_owned());
        }
        outcome
    }

    /// The decision by the plan. Where the rules that it does without turn out to be damaged, by the plan that the files say.
    fn decide_as_read(&self, live_facts: &facts::LiveFacts<'_>) -> Outcome<'_> {
        let outcome = decide(&self.event, &self.plan, live_facts);
        if !self.rules.as_ref().is_some_and(|rules| rules.is_damaged()) {
            return outcome;
        }
        let make =
            || cache::load_anew(&self.event.name(), self.profiles.as_deref(), self.project.as_ref(), self.system);
        decide(&self.event, self.whole.get_or_init(|| make().plan), live_facts)
    }

    /// A project that is not there has no files by which anything could be decided.
    fn project_fault(&self) -> Option<String> {
        let root = self.project.as_ref()?.root();
        let gone = !root.is_dir();
        gone.then(|| {
            format!(
                "the project {} is no directory, so nothing is known of its files; make it, or open another",
                root.display()
            )
        })
    }

    /// The outcome of a run that broke or was late.
    fn broken(&self, fault: &str, mode: impl Fn(&Plan) -> FailMode) -> Outcome<'_> {
        let mut outcome = Outcome::default();
        if deadline::is_guarded(&self.event.name()) {
            outcome.verdict = mode(&self.plan).verdict();
            outcome.reason = outcome.verdict.map(|_| format!("hookbin could not check this call: {fault}"));
        }
        self.fall_back(&mut outcome);
        outcome
    }

    /// What the profile has the model told where the event could not be answered.
    fn fall_back(&self, outcome: &mut Outcome<'_>) {
        if let Some(text) = self.plan.settings.fallback.get(self.event.name().as_str()) {
            outcome.context.push(Context { text: text.clone(), plain: false });
        }
    }

    /// Says on stderr what went wrong, where the profile wants that. The reason of a refusal stays alone there.
    fn say_aloud(&self, printed: &mut Printed, faults: &[String]) {
        if self.plan.settings.errors_to_stderr && printed.stderr.is_empty() {
            for fault in faults {
                printed.stderr.push_str("hookbin: ");
                printed.stderr.push_str(&crate::event::plain::fit(&hook_audit_log::redact(fault)));
                printed.stderr.push('\n');
            }
        }
    }

    /// What is wrong with the arguments. An event that this version does not know is no fault: newer clients have newer events.
    fn usage_fault(&self, args: &HookArgs) -> Option<String> {
        let subject = args.subject.as_deref().filter(|subject| event_named(subject).is_none());
        let unknown_subject = subject.filter(|subject| *subject != self.event.name().as_str() && !self.named);
        let known = profiles::names();
        let unknown_profile = args.profiles.iter().flatten().find(|name| !known.contains(&name.as_str()));
        args.fault
            .clone()
            .or_else(|| unknown_subject.map(|subject| format!("`{subject}` is no event and no handler of the profile")))
            .or_else(|| unknown_profile.map(|name| format!("unknown profile `{name}`; there are {}", known.join(", "))))
    }
}

/// The names of all hosts.
fn hosts() -> String {
    HOSTS.iter().map(|host| host.name).collect::<Vec<_>>().join(", ")
}

/// The event of that name, in this client's words or in another's.
fn event_named(subject: &str) -> Option<EventName<'_>> {
    let event = EventName::from(subject);
    if event.index().is_some() { Some(event) } else { EventName::in_other_words(subject) }
}

/// The event that a payload without a name is taken for: the one that the entry was installed for, or the first one that the named
/// handler answers.
fn expected_event(args: &HookArgs, system: &System) -> String {
    let Some(subject) = args.subject.as_deref() else { return String::new() };
    if let Some(event) = event_named(subject) {
        return event.as_str().to_owned();
    }
    let project = Project::find(args.project.as_deref(), None, system);
    let force = cache::resolve_now(args.profiles.as_deref(), project.as_ref(), system);
    let events = force.profile.plan_of_handler(subject).map(|(_, events)| events);
    events.and_then(|events| events.iter().next()).map(|event| event.as_str().to_owned()).unwrap_or_default()
}

/// The plan of the event, or of the one handler that the arguments name, and which of the two it is.
fn plan(args: &HookArgs, event: &EventName<'_>, project: Option<&Project>, system: &System) -> (Loaded, bool) {
    let chosen = args.profiles.as_deref();
    // Resolving may be what the run before this one had no time for.
    if args.late {
        return (cache::load_compiled(event, chosen, project, system), false);
    }
    if let Some(subject) = args.subject.as_deref().filter(|subject| event_named(subject).is_none()) {
        let force = cache::resolve_now(chosen, project, system);
        if let Some((plan, events)) = force.profile.plan_of_handler(subject) {
            let InForce { faults, standing, .. } = force;
            return (Loaded { plan, events, faults, standing, rules: None }, true);
        }
    }
    (cache::load(event, chosen, project, system), false)
}

/// Decides `event` without carrying anything out and passes the outcome on, with what is wrong with the configuration.
pub fn preview<T>(
    event: &Event<'_>,
    profiles: Option<Vec<String>>,
    project: Option<PathBuf>,
    system: &System,
    show: impl FnOnce(&Outcome<'_>, &Explanation, Option<&str>) -> T,
) -> T {
    let args = HookArgs { profiles, project, dry: true, ..HookArgs::default() };
    let run = Run::new(&args, event.clone(), None, 0, Instant::now(), system);
    let live_facts = facts::LiveFacts::new(&run);
    let (outcome, _) = run.carry_through(&live_facts, None);
    show(&outcome, &explain(&run.event, &live_facts), run.config_fault.as_deref())
}

/// Decides `event`, carries out what follows, and passes the outcome on; for tries in a project that exists for them only.
pub fn rehearse<T>(
    event: &Event<'_>,
    profile: &str,
    project: PathBuf,
    system: &System,
    show: impl FnOnce(&Outcome<'_>) -> T,
) -> T {
    let args = HookArgs { profiles: Some(vec![profile.to_owned()]), project: Some(project), ..HookArgs::default() };
    let run = Run::new(&args, event.clone(), None, 0, Instant::now(), system);
    let run = Run { may: Capabilities::REHEARSED, ..run };
    let live_facts = facts::LiveFacts::new(&run);
    // What cannot be carried out is among the notices where a user has to know it.
    let (outcome, _) = run.carry_through(&live_facts, None);
    show(&outcome)
}

/// Decides `event` by `plan`, carries out what follows, writes the record, and passes on the outcome with what could not be done.
pub fn live<T>(
    event: Event<'_>,
    plan: Plan,
    project: Project,
    system: &System,
    show: impl FnOnce(&Outcome<'_>, &[String]) -> T,
) -> T {
    let mut run = Run::of(event, plan, project, system);
    translate::mark_continued(&mut run);
    let live_facts = facts::LiveFacts::new(&run);
    let (mut outcome, mut done) = run.carry_through(&live_facts, None);
    done.faults.append(&mut outcome.faults);
    done.faults.extend(run.project_fault());
    done.faults.extend(run.record(&outcome, &done));
    show(&outcome, &done.faults)
}

/// The answer where [`live`] broke: what the profile says of errors, and a record. `system` has nothing of what broke it.
pub(crate) fn live_broken<T>(
    event: Event<'_>,
    plan: Plan,
    project: Project,
    system: &System,
    fault: String,
    show: impl FnOnce(&Outcome<'_>, &[String]) -> T,
) -> T {
    let run = Run::of(event, plan, project, system);
    let mut outcome = run.broken(&fault, Plan::on_error);
    translate::fit(&mut outcome, run.limits(), run.plan.settings.ask);
    let mut done = effects::EffectReport { faults: vec![fault], ..effects::EffectReport::default() };
    done.faults.extend(caught(|| run.record(&outcome, &done)).unwrap_or_else(Some));
    show(&outcome, &done.faults)
}

/// An event of the past, and what is in force for it.
pub struct Replay<'r> {
    /// The event.
    pub event: Event<'r>,
    /// What is in force for it.
    pub plan: Plan,
    /// A project that keeps what follows in directories that are thrown away; see [`Project::replayed_in`].
    pub project: Project,
    /// The branch that was checked out, where a record has it.
    pub branch: Option<String>,
}

/// Decides an event of the past, and carries out in the project's throw-away directories what follows from it. Passes on the outcome,
/// what could not be carried out, and on demand what the call does; gives the plan back.
pub fn replay<T>(
    past: Replay<'_>,
    system: &System,
    show: impl FnOnce(&Outcome<'_>, &[String], &dyn Fn() -> Explanation) -> T,
) -> (T, Plan) {
    let Replay { event, plan, project, branch } = past;
    let run = Run { branch, may: Capabilities::REPLAYED, ..Run::of(event, plan, project, system) };
    let shown = {
        let live_facts = facts::LiveFacts::new(&run);
        let (outcome, done) = run.carry_through(&live_facts, None);
        show(&outcome, &done.faults, &|| explain(&run.event, &live_facts))
    };
    (shown, run.plan)
}

/// An event of which nothing but the expected name is known.
pub(crate) fn blank(name: &str) -> Event<'static> {
    Event::parse_as("{}", name).unwrap_or_default()
}
