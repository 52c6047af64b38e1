//! The text of new entries, and their place in a settings text.

use super::EditError;
use super::splice::{Edits, Style};
use super::tree::{self, Tree};
use crate::settings::OwnEntry;
use crate::settings::entry::quote;
use crate::settings::text::Text;

/// The text of a file that holds nothing but our entries.
pub(super) fn fresh(wanted: &[&OwnEntry]) -> String {
    let text = Text::new("{}");
    let root = tree::Container { open: 0, close: 1, items: Vec::new() };
    let style = Style::of(&text, &root);
    let hooks = style.container(('{', '}'), &events(&style, wanted, "    "), "  ");
    format!("{{\n  \"hooks\": {hooks}\n}}\n")
}

/// Members of the `hooks` object for these entries, one an event, in the order in which the events first appear.
fn events(style: &Style<'_>, wanted: &[&OwnEntry], indent: &str) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for entry in wanted {
        if !names.contains(&entry.event.as_str()) {
            names.push(entry.event.as_str());
        }
    }
    let colon = if style.compact { ":" } else { ": " };
    let member = |name: &&str| {
        let groups: Vec<String> = wanted
            .iter()
            .filter(|entry| entry.event.as_str() == *name)
            .map(|entry| entry.group_json(style.compact))
            .collect();
        format!("{}{colon}{}", quote(name), style.container(('[', ']'), &groups, indent))
    };
    names.iter().map(member).collect()
}

/// Appends entries to a text that holds none of them.
pub(super) fn append(original: &str, missing: &[&OwnEntry], force: bool) -> Result<String, EditError> {
    if missing.is_empty() {
        return Ok(original.to_owned());
    }
    let text = Text::new(original);
    let tree = Tree::parse(&text, force)?;
    let style = Style::of(&text, &tree.root);
    let mut edits = Edits::default();
    let Some(hooks) = &tree.hooks else {
        style.append(&mut edits, &tree.root, |indent| {
            let colon = if style.compact { ":" } else { ": " };
            let inner = style.deeper(indent);
            vec![format!("\"hooks\"{colon}{}", style.container(('{', '}'), &events(&style, missing, &inner), indent))]
        });
        return Ok(edits.apply(original));
    };
    let mut new_events = Vec::new();
    for entry in missing {
        let list = hooks.lists.iter().find(|list| list.name == entry.event.as_str());
        if list.and_then(|list| list.groups.as_ref()).is_none() {
            new_events.push(*entry);
        }
    }
    for list in &hooks.lists {
        let groups: Vec<String> = missing
            .iter()
            .filter(|entry| entry.event.as_str() == list.name)
            .map(|entry| entry.group_json(style.compact))
            .collect();
        if let Some(container) = &list.groups
            && !groups.is_empty()
        {
            style.append(&mut edits, container, |_| groups);
        }
    }
    if !new_events.is_empty() {
        style.append(&mut edits, &hooks.events, |indent| events(&style, &new_events, indent));
    }
    Ok(edits.apply(original))
}
