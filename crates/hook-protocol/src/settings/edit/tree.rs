//! The parts of a settings text that hold hooks, with their places in it.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::value::RawValue;

use super::{EditError, HandlerView};
use crate::members::Members;
use crate::settings::text::{Lines, Text};

/// An object or a list: where its brackets are, and where its items.
pub(super) struct Container {
    /// Offset of the opening bracket.
    pub(super) open: usize,
    /// Offset of the closing bracket.
    pub(super) close: usize,
    /// The items; that of an object reaches from its key to its value.
    pub(super) items: Vec<Range<usize>>,
}

impl Container {
    fn new(whole: &Range<usize>, items: Vec<Range<usize>>) -> Self {
        Self { open: whole.start, close: whole.end.saturating_sub(1), items }
    }

    pub(super) fn object(text: &Text<'_>, value: &RawValue, members: &Members<'_>) -> Self {
        let item = |member: &crate::members::Member<'_>| text.span(member.key).start..text.span(member.value).end;
        Self::new(&text.span(value), members.0.iter().map(item).collect())
    }

    fn list(text: &Text<'_>, value: &RawValue, elements: &[&RawValue]) -> Self {
        Self::new(&text.span(value), elements.iter().map(|element| text.span(element)).collect())
    }
}

/// A whole settings text.
pub(super) struct Tree<'t> {
    pub(super) root: Container,
    pub(super) hooks: Option<Hooks<'t>>,
}

/// The member `hooks` of the root.
pub(super) struct Hooks<'t> {
    /// Which item of the root it is.
    pub(super) index: usize,
    /// Its value.
    pub(super) value: Range<usize>,
    pub(super) events: Container,
    pub(super) lists: Vec<EventList<'t>>,
}

/// The list of one event; the index in [`Hooks::lists`] is that of its item in [`Hooks::events`].
pub(super) struct EventList<'t> {
    pub(super) name: Cow<'t, str>,
    /// Offset of the value, for messages.
    pub(super) at: usize,
    /// `None` when the value is no list.
    pub(super) groups: Option<Container>,
    /// What the items of `groups` hold.
    pub(super) entries: Vec<Group<'t>>,
}

/// One element of an event's list.
pub(super) struct Group<'t> {
    /// The matcher; `Err` when it is no string.
    pub(super) matcher: Result<Option<String>, ()>,
    /// The handlers of a well-formed group. `None` when the element itself is the handler (the flat form that the host
    /// refuses), or nothing that is known.
    pub(super) list: Option<Container>,
    pub(super) handlers: Vec<Handler<'t>>,
}

/// One handler.
pub(super) struct Handler<'t> {
    pub(super) value: &'t RawValue,
    command: Option<String>,
    args: Option<Vec<String>>,
    pub(super) blocks_on_failure: bool,
    pub(super) kind: Option<String>,
    pub(super) in_background: bool,
    pub(super) condition: Option<String>,
    pub(super) timeout: Option<f64>,
    pub(super) once: bool,
    pub(super) shell: Option<String>,
}

impl Handler<'_> {
    pub(super) fn view<'a>(&'a self, event: &'a str, group: &'a Group<'_>) -> HandlerView<'a> {
        HandlerView {
            event,
            matcher: group.matcher.as_ref().ok().and_then(Option::as_deref),
            command: self.command.as_deref(),
            args: self.args.as_deref(),
        }
    }
}

impl<'t> Tree<'t> {
    /// Reads the text. Comments and trailing commas are an error unless `force` is set.
    pub(super) fn parse(text: &'t Text<'_>, force: bool) -> Result<Self, EditError> {
        let (root, members) = root(text, force)?;
        let mut hooks: Option<Hooks<'t>> = None;
        for (index, member) in members.0.iter().enumerate().filter(|(_, member)| member.name() == "hooks") {
            if hooks.is_some() {
                return Err(EditError::HooksTwice { line: line_at(text, text.span(member.key).start) });
            }
            hooks = Some(Hooks::parse(text, index, member.value)?);
        }
        Ok(Self { root: Container::object(text, root, &members), hooks })
    }
}

impl<'t> Hooks<'t> {
    fn parse(text: &'t Text<'_>, index: usize, value: &'t RawValue) -> Result<Self, EditError> {
        let span = text.span(value);
        let members =
            Members::parse(value.get()).map_err(|_| EditError::HooksNotObject { line: line_at(text, span.start) })?;
        let lists = members.0.iter().map(|member| EventList::parse(text, member.name(), member.value)).collect();
        Ok(Self { index, events: Container::object(text, value, &members), value: span, lists })
    }
}

impl<'t> EventList<'t> {
    fn parse(text: &'t Text<'_>, name: Cow<'t, str>, value: &'t RawValue) -> Self {
        let at = text.span(value).start;
        match serde_json::from_str::<Vec<&'t RawValue>>(value.get()) {
            Ok(elements) => Self {
                name,
                at,
                groups: Some(Container::list(text, value, &elements)),
                entries: elements.into_iter().map(|element| Group::parse(text, element)).collect(),
            },
            Err(_) => Self { name, at, groups: None, entries: Vec::new() },
        }
    }
}

impl<'t> Group<'t> {
    fn parse(text: &'t Text<'_>, element: &'t RawValue) -> Self {
        let Ok(members) = Members::parse(element.get()) else {
            // A bare path instead of an object.
            return Self { matcher: Ok(None), list: None, handlers: vec![Handler::bare(element)] };
        };
        let matcher = members.get("matcher").map_or(Ok(None), |matcher| string(matcher).map(Some).ok_or(()));
        let Some(list) = members.get("hooks") else {
            return Self { matcher, list: None, handlers: vec![Handler::parse(element, &members)] };
        };
        match serde_json::from_str::<Vec<&'t RawValue>>(list.get()) {
            Ok(elements) => Self {
                matcher,
                list: Some(Container::list(text, list, &elements)),
                handlers: elements
                    .into_iter()
                    .map(|element| match Members::parse(element.get()) {
                        Ok(members) => Handler::parse(element, &members),
                        Err(_) => Handler::bare(element),
                    })
                    .collect(),
            },
            Err(_) => Self { matcher, list: None, handlers: Vec::new() },
        }
    }
}

impl<'t> Handler<'t> {
    fn parse(value: &'t RawValue, members: &Members<'_>) -> Self {
        // Anything but a plain no is taken for a yes, so that an entry is never taken for more than it is.
        let says = |name: &str| members.get(name).is_some_and(|value| !matches!(value.get(), "false" | "null"));
        Self {
            value,
            command: members.get("command").and_then(string),
            args: members.get("args").and_then(|args| serde_json::from_str(args.get()).ok()),
            blocks_on_failure: members.get("onFailure").is_some_and(|value| value.get() == "\"block\""),
            kind: members.get("type").and_then(string),
            in_background: says("async") || says("asyncRewake"),
            condition: says("if").then(|| members.get("if").map(|rule| rule.get().to_owned())).flatten(),
            timeout: members.get("timeout").and_then(|timeout| serde_json::from_str(timeout.get()).ok()),
            once: says("once"),
            shell: members.get("shell").filter(|_| says("shell")).map(|shell| shell.get().to_owned()),
        }
    }

    /// A path where an object should stand.
    fn bare(value: &'t RawValue) -> Self {
        Self {
            value,
            command: string(value),
            args: None,
            blocks_on_failure: false,
            kind: None,
            in_background: false,
            condition: None,
            timeout: None,
            once: false,
            shell: None,
        }
    }
}

/// The object that a text holds, and its members. Comments and trailing commas are an error unless `force` is set.
pub(super) fn root<'t>(text: &'t Text<'_>, force: bool) -> Result<(&'t RawValue, Members<'t>), EditError> {
    if let Some(at) = text.relaxed_at
        && !force
    {
        return Err(EditError::NotPlain { line: line_at(text, at) });
    }
    let root: &RawValue = match serde_json::from_str(&text.plain) {
        Ok(root) => root,
        Err(_) if text.plain.trim().is_empty() => return Err(EditError::Empty),
        Err(source) => return Err(EditError::NotJson { line: source.line().max(1), source }),
    };
    match Members::parse(root.get()) {
        Ok(members) => Ok((root, members)),
        Err(_) => Err(EditError::RootNotObject { line: line_at(text, text.span(root).start) }),
    }
}

fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

pub(super) fn line_at(text: &Text<'_>, at: usize) -> usize {
    Lines::new(text).at(at)
}
