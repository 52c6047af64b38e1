//! Permission modes, rules and updates, as they come in permission requests and go out in their answers.

use std::borrow::Cow;

use crate::field::{Field, Object, open_enum, record};
use crate::raw::{Raw, Text};

open_enum! {
    /// The permission mode of the session.
    PermissionMode {
        /// Asks where no rule says otherwise; the interface calls it Manual.
        Default = "default",
        /// Edits inside the working directories need no question.
        AcceptEdits = "acceptEdits",
        /// Nothing is asked.
        BypassPermissions = "bypassPermissions",
        /// Read and plan only.
        Plan = "plan",
        /// What would be asked is refused.
        DontAsk = "dontAsk",
        /// A classifier answers instead of the user.
        Auto = "auto",
        /// An alias of `default` that `setMode` accepts; events never carry it.
        Manual = "manual",
    }
}

open_enum! {
    /// What a permission rule does.
    RuleBehavior {
        /// Allows the call.
        Allow = "allow",
        /// Refuses the call.
        Deny = "deny",
        /// Asks the user.
        Ask = "ask",
    }
}

open_enum! {
    /// Where a permission update is stored.
    UpdateDestination {
        /// The user's settings.
        UserSettings = "userSettings",
        /// The project's shared settings.
        ProjectSettings = "projectSettings",
        /// The project's local settings.
        LocalSettings = "localSettings",
        /// This session only.
        Session = "session",
        /// The command line of this run.
        CliArg = "cliArg",
    }
}

record! {
    /// One permission rule: `Tool` or `Tool(content)`.
    PermissionRule {
        /// The tool.
        tool_name = "toolName": Text<'a>,
        /// What stands in parentheses; absent for the whole tool.
        rule_content = "ruleContent": Text<'a>,
    }
}

record! {
    /// The fields of `addRules`, `replaceRules` and `removeRules`.
    RuleUpdate {
        /// The rules.
        rules: Vec<PermissionRule<'a>>,
        /// What they do.
        behavior: RuleBehavior<'a>,
        /// Where they are stored.
        destination: UpdateDestination<'a>,
    }
}

record! {
    /// The fields of `setMode`.
    ModeUpdate {
        /// The new mode.
        mode: PermissionMode<'a>,
        /// Where it is stored.
        destination: UpdateDestination<'a>,
    }
}

record! {
    /// The fields of `addDirectories` and `removeDirectories`.
    DirectoryUpdate {
        /// Absolute paths.
        directories: Vec<Text<'a>>,
        /// Where they are stored.
        destination: UpdateDestination<'a>,
    }
}

/// One change of the permission settings: what the host suggests in a `PermissionRequest`, and what an answer to it may
/// ask for.
///
/// ```
/// use hook_protocol::permission::{PermissionMode, PermissionUpdate, UpdateDestination};
/// let update = PermissionUpdate::set_mode(PermissionMode::AcceptEdits, UpdateDestination::Session);
/// assert_eq!(update.to_json(), r#"{"type":"setMode","mode":"acceptEdits","destination":"session"}"#);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PermissionUpdate<'a> {
    /// `addRules`
    AddRules(RuleUpdate<'a>),
    /// `replaceRules`
    ReplaceRules(RuleUpdate<'a>),
    /// `removeRules`
    RemoveRules(RuleUpdate<'a>),
    /// `setMode`
    SetMode(ModeUpdate<'a>),
    /// `addDirectories`
    AddDirectories(DirectoryUpdate<'a>),
    /// `removeDirectories`
    RemoveDirectories(DirectoryUpdate<'a>),
    /// Any other object, as it came.
    Other(Raw<'a>),
}

impl<'a> PermissionUpdate<'a> {
    /// Adds rules.
    pub fn add_rules(
        rules: Vec<PermissionRule<'a>>,
        behavior: RuleBehavior<'a>,
        destination: UpdateDestination<'a>,
    ) -> Self {
        Self::AddRules(RuleUpdate {
            rules: Some(rules),
            behavior: Some(behavior),
            destination: Some(destination),
            ..RuleUpdate::default()
        })
    }

    /// Sets the permission mode.
    pub fn set_mode(mode: PermissionMode<'a>, destination: UpdateDestination<'a>) -> Self {
        Self::SetMode(ModeUpdate { mode: Some(mode), destination: Some(destination), ..ModeUpdate::default() })
    }

    /// Adds working directories.
    pub fn add_directories(directories: Vec<Text<'a>>, destination: UpdateDestination<'a>) -> Self {
        Self::AddDirectories(DirectoryUpdate {
            directories: Some(directories),
            destination: Some(destination),
            ..DirectoryUpdate::default()
        })
    }

    /// Reads one update; `None` if `raw` isn't an object. An unknown `type` becomes [`PermissionUpdate::Other`].
    pub fn from_raw(raw: &Raw<'a>) -> Option<Self> {
        let mut fields = raw.detached_object()?;
        let Some(kind) = fields.pick::<Cow<'a, str>>("type") else { return Some(Self::Other(raw.clone())) };
        fields.drop_taken();
        Some(match &*kind {
            "addRules" => Self::AddRules(RuleUpdate::from_fields(fields)),
            "replaceRules" => Self::ReplaceRules(RuleUpdate::from_fields(fields)),
            "removeRules" => Self::RemoveRules(RuleUpdate::from_fields(fields)),
            "setMode" => Self::SetMode(ModeUpdate::from_fields(fields)),
            "addDirectories" => Self::AddDirectories(DirectoryUpdate::from_fields(fields)),
            "removeDirectories" => Self::RemoveDirectories(DirectoryUpdate::from_fields(fields)),
            _ => Self::Other(raw.clone()),
        })
    }

    /// The update as compact JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

impl<'a> Field<'a> for PermissionUpdate<'a> {
    fn read(raw: Raw<'a>) -> Result<Self, Raw<'a>> {
        Self::from_raw(&raw).ok_or(raw)
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::AddRules(update) => tagged(out, "addRules", |object| update.members(object)),
            Self::ReplaceRules(update) => tagged(out, "replaceRules", |object| update.members(object)),
            Self::RemoveRules(update) => tagged(out, "removeRules", |object| update.members(object)),
            Self::SetMode(update) => tagged(out, "setMode", |object| update.members(object)),
            Self::AddDirectories(update) => tagged(out, "addDirectories", |object| update.members(object)),
            Self::RemoveDirectories(update) => tagged(out, "removeDirectories", |object| update.members(object)),
            Self::Other(raw) => out.push_str(raw.text()),
        }
    }
}

/// Writes an object that starts with its type.
fn tagged(out: &mut String, kind: &'static str, members: impl FnOnce(&mut Object)) {
    let mut object = Object::new(std::mem::take(out));
    object.member("type", &Cow::Borrowed(kind));
    members(&mut object);
    *out = object.finish();
}

impl serde::Serialize for PermissionUpdate<'_> {
    /// Writes the object; meant for `serde_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw::bare(self.to_json()).serialize(serializer)
    }
}
