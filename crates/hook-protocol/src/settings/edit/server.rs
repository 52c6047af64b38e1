//! The MCP servers in the host's own file of state and in `.mcp.json`.

use serde_json::value::RawValue;

use super::{EditError, get_member, remove_member, set_member};

const SERVERS: &str = "mcpServers";
const COMMAND: &str = "command";

/// The JSON text of the server called `name`; `None` when there is none.
pub fn server(text: &str, name: &str) -> Result<Option<String>, EditError> {
    get_member(text, &[SERVERS, name])
}

/// The program that the server called `name` is started with.
pub fn server_command(text: &str, name: &str) -> Result<Option<String>, EditError> {
    let command = get_member(text, &[SERVERS, name, COMMAND])?;
    Ok(command.and_then(|command| serde_json::from_str(&command).ok()))
}

/// Lets the server called `name` be started with another program; a server that is not there is added. Every other byte stays.
///
/// ```
/// use hook_protocol::settings::edit::{server_command, set_server_command};
///
/// let before = r#"{"mcpServers": {"gate": {"command": "/old", "args": ["serve"]}}, "theme": "dark"}"#;
/// let after = set_server_command(before, "gate", "/new")?;
/// assert_eq!(after, before.replace("/old", "/new"));
/// assert_eq!(server_command(&after, "gate")?.as_deref(), Some("/new"));
/// # Ok::<(), hook_protocol::settings::edit::EditError>(())
/// ```
pub fn set_server_command(text: &str, name: &str, program: &str) -> Result<String, EditError> {
    set_member(text, &[SERVERS, name, COMMAND], program, false)
}

/// Gives the server called `name` back the JSON text that it had; without one, the server goes. A text that is no JSON value is an error.
pub fn restore_server(text: &str, name: &str, before: Option<&str>) -> Result<String, EditError> {
    match before {
        Some(before) => {
            let value: &RawValue =
                serde_json::from_str(before).map_err(|source| EditError::Value { key: name.to_owned(), source })?;
            set_member(text, &[SERVERS, name], value, false)
        }
        None => remove_member(text, &[SERVERS, name], false),
    }
}
