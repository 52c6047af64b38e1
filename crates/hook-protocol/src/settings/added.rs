//! Directories that a settings file adds to the session.

/// The directories of `permissions.additionalDirectories`, as they are written. None where the text is no such object.
///
/// ```
/// use hook_protocol::settings::added_folders;
///
/// assert_eq!(added_folders(r#"{"permissions":{"additionalDirectories":["../wt","~/docs",3]}}"#), ["../wt", "~/docs"]);
/// assert!(added_folders(r#"{"permissions":{"additionalDirectories":"../wt"}}"#).is_empty());
/// assert!(added_folders("[]").is_empty());
/// ```
pub fn added_folders(text: &str) -> Vec<String> {
    let settings = serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
    let listed = settings.pointer("/permissions/additionalDirectories").and_then(serde_json::Value::as_array);
    listed.into_iter().flatten().filter_map(|dir| dir.as_str().map(str::to_owned)).collect()
}
