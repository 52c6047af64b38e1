//! What client 2.1.332 was seen to ask of the values in a settings file: for one of another kind it drops the file whole.

use serde_json::value::RawValue;

use crate::members::Members;

/// What a value has to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// The host takes whatever stands there.
    Any,
    Flag,
    Text,
    /// A whole number above 0.
    Count,
    Number,
    List,
    Texts,
    /// One text, or a list of them.
    TextOrTexts,
    /// True, false or a list.
    FlagOrList,
    OneOf(&'static [&'static str]),
    /// An object with members of this kind under any name.
    Map(&'static Kind),
    /// An object in which these members have a kind. What others do is not known.
    Object(&'static [(&'static str, Kind)]),
    /// The same, where this member must not be missing.
    ObjectWith(&'static str, &'static [(&'static str, Kind)]),
}

use Kind::{Any, Count, Flag, FlagOrList, List, Map, Number, Object, ObjectWith, OneOf, Text, TextOrTexts, Texts};

/// The members of a file, `hooks` aside.
pub(super) const FILE: &[(&str, Kind)] = &[
    ("$schema", Text),
    ("advisorModel", Text),
    ("allowedHttpHookUrls", Texts),
    ("alwaysThinkingEnabled", Flag),
    ("apiKeyHelper", Text),
    ("attribution", Object(&[("commit", Text), ("pr", Text)])),
    ("autoMemoryEnabled", Flag),
    ("availableModels", Texts),
    ("claudeMdExcludes", Texts),
    ("cleanupPeriodDays", Count),
    ("companyAnnouncements", Texts),
    ("disableAllHooks", Flag),
    ("disabledMcpjsonServers", TextOrTexts),
    ("editorMode", Any),
    ("effortLevel", Text),
    ("enableAllProjectMcpServers", Flag),
    ("enabledMcpjsonServers", TextOrTexts),
    ("enabledPlugins", Map(&FlagOrList)),
    ("env", Map(&Any)),
    ("extraKnownMarketplaces", Any),
    ("fastMode", Flag),
    ("fileCheckpointingEnabled", Flag),
    ("includeCoAuthoredBy", Flag),
    ("includeGitInstructions", Flag),
    ("language", Text),
    ("model", Text),
    ("outputStyle", Text),
    ("permissions", Object(PERMISSIONS)),
    ("plansDirectory", Text),
    ("prefersReducedMotion", Flag),
    ("respectGitignore", Flag),
    ("sandbox", Object(&[("enabled", Flag)])),
    ("showTurnDuration", Flag),
    ("skipDangerousModePermissionPrompt", Flag),
    ("skipWebFetchPreflight", Flag),
    ("spinnerTipsEnabled", Flag),
    ("statusLine", ObjectWith("command", &[("command", Text), ("padding", Number), ("type", OneOf(&["command"]))])),
    ("syntaxHighlightingDisabled", Flag),
    ("terminalProgressBarEnabled", Flag),
    ("theme", Any),
];

const PERMISSIONS: &[(&str, Kind)] = &[
    ("additionalDirectories", Texts),
    ("allow", List),
    ("ask", List),
    ("defaultMode", OneOf(&["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"])),
    ("deny", List),
    ("disableBypassPermissionsMode", OneOf(&["disable"])),
];

/// The members of a hook that have a kind whatever its type is. `type`, `command`, `args`, `timeout` and `onFailure` are looked at for
/// themselves.
pub(super) const HOOK: &[(&str, Kind)] = &[
    ("async", Flag),
    ("asyncRewake", Flag),
    ("if", Text),
    ("once", Flag),
    ("rewakeMessage", Text),
    ("shell", OneOf(&["bash", "powershell"])),
    ("statusMessage", Text),
];

/// What is known of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    Fits,
    /// The host was seen to drop a file for it. The name of the member, and what it must be.
    Wrong {
        name: String,
        must: String,
    },
    /// Nobody has seen what the host does.
    Unknown,
}

/// How a member of an object fits a list of kinds.
pub(super) fn member(kinds: &[(&str, Kind)], name: &str, value: &RawValue) -> Fit {
    of_name(kinds, name).map_or(Fit::Unknown, |kind| kind.fit(name, value))
}

fn of_name(kinds: &[(&str, Kind)], name: &str) -> Option<Kind> {
    kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

impl Kind {
    fn fit(self, name: &str, value: &RawValue) -> Fit {
        let text = value.get();
        let fits = match self {
            Any => true,
            Flag => is_flag(text),
            Text => text.starts_with('"'),
            Count => serde_json::from_str::<u64>(text).is_ok_and(|number| number > 0),
            Number => serde_json::from_str::<f64>(text).is_ok(),
            List => text.starts_with('['),
            Texts => is_texts(text),
            TextOrTexts => text.starts_with('"') || is_texts(text),
            FlagOrList => is_flag(text) || text.starts_with('['),
            OneOf(names) => serde_json::from_str::<String>(text).is_ok_and(|text| names.contains(&text.as_str())),
            Map(of) => return of_members(name, text, |_| Some(*of)),
            Object(kinds) => return of_members(name, text, |inner| of_name(kinds, inner)),
            ObjectWith(needed, kinds) => {
                if Members::parse(text).is_ok_and(|members| members.get(needed).is_none()) {
                    return Fit::Wrong { name: format!("{name}.{needed}"), must: "there".to_owned() };
                }
                return of_members(name, text, |inner| of_name(kinds, inner));
            }
        };
        if fits { Fit::Fits } else { Fit::Wrong { name: name.to_owned(), must: self.must() } }
    }

    fn must(self) -> String {
        match self {
            Any => "anything".to_owned(),
            Flag => "true or false".to_owned(),
            Text => "a string".to_owned(),
            Count => "a whole number above 0".to_owned(),
            Number => "a number".to_owned(),
            List => "a list".to_owned(),
            Texts => "a list of strings".to_owned(),
            TextOrTexts => "a string or a list of strings".to_owned(),
            FlagOrList => "true, false or a list".to_owned(),
            OneOf(names) => names.join(", "),
            Map(_) | Object(_) | ObjectWith(..) => "an object".to_owned(),
        }
    }
}

/// How the members of an object fit. What is wrong comes before what is unknown.
fn of_members(name: &str, text: &str, kind: impl Fn(&str) -> Option<Kind>) -> Fit {
    let Ok(members) = Members::parse(text) else {
        return Fit::Wrong { name: name.to_owned(), must: "an object".to_owned() };
    };
    let mut all = Fit::Fits;
    for one in &members.0 {
        let inner = one.name();
        match kind(&inner).map(|kind| kind.fit(&format!("{name}.{inner}"), one.value)) {
            Some(Fit::Fits) => {}
            Some(wrong @ Fit::Wrong { .. }) => return wrong,
            Some(Fit::Unknown) | None => all = Fit::Unknown,
        }
    }
    all
}

fn is_flag(text: &str) -> bool {
    matches!(text, "true" | "false")
}

fn is_texts(text: &str) -> bool {
    serde_json::from_str::<Vec<&RawValue>>(text).is_ok_and(|texts| texts.iter().all(|text| text.get().starts_with('"')))
}
