//! One member of a JSON object, found by its path, set and removed without touching another byte.

use serde::Serialize;
use serde_json::value::RawValue;

use super::EditError;
use super::splice::{Edits, Style};
use super::tree::{Container, line_at, root};
use crate::members::Members;
use crate::settings::entry::quote;
use crate::settings::text::Text;

/// The JSON text of the member at `path`, a key a level; `None` when it is not there. Comments and trailing commas are passed over.
///
/// ```
/// use hook_protocol::settings::edit::get_member;
///
/// assert_eq!(get_member(r#"{"a": {"b": [1]}}"#, &["a", "b"])?.as_deref(), Some("[1]"));
/// assert_eq!(get_member(r#"{"a": {}}"#, &["a", "b"])?, None);
/// # Ok::<(), hook_protocol::settings::edit::EditError>(())
/// ```
pub fn get_member(text: &str, path: &[&str]) -> Result<Option<String>, EditError> {
    let source = Text::new(text);
    let walk = Walk::new(&source, path, true)?;
    Ok(walk.value.map(|value| value.get().to_owned()))
}

/// Gives the member at `path` this value: a text, a number, a [`serde_json::Value`], or JSON text as [`RawValue`], which keeps its bytes.
/// Objects that are missing on the way are made; a value on the way that is no object is an error. Everything else keeps its bytes; new
/// members follow the text's own layout.
///
/// Of two members of one name the last counts, as everywhere in JSON. With `force`, comments and trailing commas are kept; else
/// they are an error.
///
/// ```
/// use hook_protocol::settings::edit::{remove_member, set_member};
///
/// let before = "{\n  \"theme\": \"dark\"\n}\n";
/// let after = set_member(before, &["servers", "x", "command"], "/bin/x", false)?;
/// assert_eq!(after, "{\n  \"theme\": \"dark\",\n  \"servers\": {\"x\": {\"command\": \"/bin/x\"}}\n}\n");
/// assert_eq!(remove_member(&after, &["servers"], false)?, before);
/// # Ok::<(), hook_protocol::settings::edit::EditError>(())
/// ```
pub fn set_member<T: Serialize + ?Sized>(
    text: &str,
    path: &[&str],
    value: &T,
    force: bool,
) -> Result<String, EditError> {
    let key = || path.last().copied().unwrap_or_default().to_owned();
    let value = serde_json::to_string(value).map_err(|source| EditError::Value { key: key(), source })?;
    set_text(text, path, &value, force)
}

/// The same with a value that is known to be JSON text.
fn set_text(text: &str, path: &[&str], value: &str, force: bool) -> Result<String, EditError> {
    let source = Text::new(text);
    let walk = Walk::new(&source, path, force)?;
    let mut edits = Edits::default();
    if let Some(present) = walk.value {
        edits.replace(source.span(present), value.to_owned());
        return Ok(edits.apply(text));
    }
    let Some((key, deeper)) = path.get(walk.depth..).and_then(<[_]>::split_first) else { return Ok(text.to_owned()) };
    let style = Style::of(&source, &walk.root);
    let colon = if style.compact { ":" } else { ": " };
    let wrapped = deeper.iter().rev().fold(value.to_owned(), |inner, key| format!("{{{}{colon}{inner}}}", quote(key)));
    style.append(&mut edits, &walk.container, |_| vec![format!("{}{colon}{wrapped}", quote(key))]);
    Ok(edits.apply(text))
}

/// Removes the member at `path` with the comma and the white space that belong to it; the text as it is when there is none.
///
/// It undoes a [`set_member`] that appended to an object with members; an object that was empty keeps the layout it has then.
pub fn remove_member(text: &str, path: &[&str], force: bool) -> Result<String, EditError> {
    let source = Text::new(text);
    let walk = Walk::new(&source, path, force)?;
    let Some(value) = walk.value else { return Ok(text.to_owned()) };
    let end = source.span(value).end;
    let marked: Vec<bool> = walk.container.items.iter().map(|item| item.end == end).collect();
    let mut edits = Edits::default();
    edits.remove(&source, &walk.container, &marked);
    Ok(edits.apply(text))
}

/// How far a path leads into a text.
struct Walk<'t> {
    root: Container,
    /// The value at the end of the path.
    value: Option<&'t RawValue>,
    /// The last object on the way.
    container: Container,
    /// How many keys of the path were found.
    depth: usize,
}

impl<'t> Walk<'t> {
    fn new(source: &'t Text<'_>, path: &[&str], force: bool) -> Result<Self, EditError> {
        let (root, mut members) = root(source, force)?;
        let mut walk = Self {
            root: Container::object(source, root, &members),
            container: Container::object(source, root, &members),
            value: Some(root),
            depth: 0,
        };
        for (index, key) in path.iter().enumerate() {
            walk.value = members.get(key);
            let Some(value) = walk.value else { break };
            walk.depth += 1;
            if index + 1 < path.len() {
                members = Members::parse(value.get()).map_err(|_| EditError::MemberNotObject {
                    key: (*key).to_owned(),
                    line: line_at(source, source.span(value).start),
                })?;
                walk.container = Container::object(source, value, &members);
            }
        }
        Ok(walk)
    }
}
