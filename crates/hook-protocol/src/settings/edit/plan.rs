//! Which entries of ours stay, change and go, and the removal of those that go.

use std::ops::Range;

use serde_json::Value;

use super::splice::{Edits, Style, is_ours};
use super::tree::{self, EventList, Group, Tree};
use super::{HandlerView, Removed};
use crate::settings::OwnEntry;
use crate::settings::text::Text;

/// What becomes of one handler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Foreign, or ours and up to date.
    Keep,
    /// Ours and wanted, but different: replaced by the wanted entry of this number.
    Update(usize),
    /// Ours and the first of a group that has the wrong matcher: the group is replaced by the wanted entry of this number.
    Regroup(usize),
    Remove,
}

/// What becomes of every handler, and which wanted entries have none yet.
pub(super) struct Plan {
    /// By list, group and handler.
    fates: Vec<Vec<Vec<Fate>>>,
    /// Numbers of the wanted entries to append.
    pub(super) missing: Vec<usize>,
}

impl Plan {
    pub(super) fn new(tree: &Tree<'_>, wanted: &[&OwnEntry], is_own: &dyn Fn(&HandlerView<'_>) -> bool) -> Self {
        let mut missing: Vec<usize> = (0..wanted.len()).collect();
        let lists = tree.hooks.iter().flat_map(|hooks| &hooks.lists);
        let fates = lists
            .map(|list| {
                let own = |group: &Group<'_>| -> Vec<Fate> {
                    let is_own = |handler: &tree::Handler<'_>| is_own(&handler.view(&list.name, group));
                    let fate = |own| if own { Fate::Remove } else { Fate::Keep };
                    group.handlers.iter().map(|handler| fate(is_own(handler))).collect()
                };
                let mut fates: Vec<Vec<Fate>> = list.entries.iter().map(own).collect();
                // An entry that is up to date is preferred to one that is not, and a change in place to a new group.
                for pass in [Pass::Same, Pass::Differs, Pass::Regroup] {
                    pair(list, &mut fates, wanted, &mut missing, pass);
                }
                fates
            })
            .collect();
        Self { fates, missing }
    }

    fn count(&self, fate: impl Fn(Fate) -> bool) -> usize {
        self.fates.iter().flatten().flatten().filter(|found| fate(**found)).count()
    }

    pub(super) fn updated(&self) -> usize {
        self.count(|fate| matches!(fate, Fate::Update(_) | Fate::Regroup(_)))
    }

    pub(super) fn removed(&self) -> usize {
        self.count(|fate| fate == Fate::Remove)
    }

    /// Makes the changes, except for the entries that are missing.
    pub(super) fn carry_out(&self, text: &Text<'_>, tree: &Tree<'_>, wanted: &[&OwnEntry]) -> Removed {
        let Some(hooks) = &tree.hooks else { return Removed::Unchanged };
        let compact = Style::of(text, &tree.root).compact;
        let mut edits = Edits::default();
        let mut emptied_lists = Vec::with_capacity(hooks.lists.len());
        for (list, fates) in hooks.lists.iter().zip(&self.fates) {
            let mut emptied = Vec::with_capacity(list.entries.len());
            let mut inner = Edits::default();
            for ((group, fates), span) in list.entries.iter().zip(fates).zip(group_spans(list)) {
                emptied.push(!fates.is_empty() && fates.iter().all(|fate| *fate == Fate::Remove));
                change_group(&mut inner, text, group, fates, span, wanted, compact);
            }
            let Some(groups) = &list.groups else {
                emptied_lists.push(false);
                continue;
            };
            let is_empty = !emptied.is_empty() && emptied.iter().all(|emptied| *emptied);
            let goes = is_empty && is_ours(text, groups);
            emptied_lists.push(goes);
            if !goes {
                edits.absorb(inner);
                edits.remove(text, groups, &emptied);
            }
        }
        if !emptied_lists.is_empty() && emptied_lists.iter().all(|goes| *goes) && is_ours(text, &hooks.events) {
            if is_fresh(text, tree, &hooks.value) {
                return Removed::DeleteFile;
            }
            let marked: Vec<bool> = (0..tree.root.items.len()).map(|index| index == hooks.index).collect();
            edits = Edits::default();
            edits.remove(text, &tree.root, &marked);
        } else {
            edits.remove(text, &hooks.events, &emptied_lists);
        }
        if edits.is_empty() { Removed::Unchanged } else { Removed::Text(edits.apply(text.original)) }
    }
}

/// The spans of the elements of an event's list.
fn group_spans<'l>(list: &'l EventList<'_>) -> impl Iterator<Item = &'l Range<usize>> {
    list.groups.iter().flat_map(|groups| &groups.items)
}

/// Makes the changes inside one group that stays.
fn change_group(
    edits: &mut Edits,
    text: &Text<'_>,
    group: &Group<'_>,
    fates: &[Fate],
    span: &Range<usize>,
    wanted: &[&OwnEntry],
    compact: bool,
) {
    let entry = |index: usize| wanted.get(index);
    if let Some(entry) =
        fates.iter().find_map(|fate| if let Fate::Regroup(index) = fate { entry(*index) } else { None })
    {
        return edits.replace(span.clone(), entry.group_json(compact));
    }
    if fates.iter().all(|fate| *fate == Fate::Remove) {
        return;
    }
    for (handler, fate) in group.handlers.iter().zip(fates) {
        if let Fate::Update(index) = fate
            && let Some(entry) = entry(*index)
        {
            edits.replace(text.span(handler.value), entry.handler_json(compact));
        }
    }
    if let Some(list) = &group.list {
        let marked: Vec<bool> = fates.iter().map(|fate| *fate == Fate::Remove).collect();
        edits.remove(text, list, &marked);
    }
}

/// Which handlers a wanted entry may take the place of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Those that say the same.
    Same,
    /// Those in a group with the same matcher.
    Differs,
    /// Groups that hold nothing but entries of ours.
    Regroup,
}

/// Gives wanted entries of one event the handlers that a pass allows; what is paired is missing no longer.
fn pair(list: &EventList<'_>, fates: &mut [Vec<Fate>], wanted: &[&OwnEntry], missing: &mut Vec<usize>, pass: Pass) {
    missing.retain(|index| {
        let Some(entry) = wanted.get(*index).filter(|entry| entry.event.as_str() == list.name) else { return true };
        for (group, fates) in list.entries.iter().zip(fates.iter_mut()) {
            if pass == Pass::Regroup {
                if let Some(first) = fates.first().copied()
                    && first == Fate::Remove
                    && fates.iter().all(|fate| *fate == Fate::Remove)
                    && let Some(fate) = fates.first_mut()
                {
                    *fate = Fate::Regroup(*index);
                    return false;
                }
                continue;
            }
            if group.list.is_none() || !same_matcher(group, entry) {
                continue;
            }
            for (handler, fate) in
                group.handlers.iter().zip(fates.iter_mut()).filter(|(_, fate)| **fate == Fate::Remove)
            {
                let same = says_the_same(handler.value.get(), entry);
                if pass == Pass::Differs || same {
                    *fate = if same { Fate::Keep } else { Fate::Update(*index) };
                    return false;
                }
            }
        }
        true
    });
}

/// Whether a group matches what an entry is to match; no matcher, an empty one and `*` are the same.
fn same_matcher(group: &Group<'_>, entry: &OwnEntry) -> bool {
    let narrow = |matcher: Option<&str>| matcher.filter(|matcher| !matches!(*matcher, "" | "*")).map(str::to_owned);
    group.matcher.as_ref().is_ok_and(|matcher| narrow(matcher.as_deref()) == narrow(entry.matcher.as_deref()))
}

/// Whether a handler is the entry, whatever its layout and the order of its keys.
fn says_the_same(handler: &str, entry: &OwnEntry) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    value(handler).is_some_and(|found| Some(found) == value(&entry.handler_json(true)))
}

/// Whether a text has the frame of one that [`fresh`] writes, so that nothing of it is anybody else's.
fn is_fresh(text: &Text<'_>, tree: &Tree<'_>, hooks: &Range<usize>) -> bool {
    tree.root.items.len() == 1
        && text.original.get(..hooks.start) == Some("{\n  \"hooks\": ")
        && text.original.get(hooks.end..) == Some("\n}\n")
}
