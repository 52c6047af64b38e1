//! Edits of settings texts: case files, and the laws over generated files.

use std::fmt::Write as _;

use hook_protocol::settings::edit::*;
use hook_protocol::settings::{OwnEntry, inspect};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::entry;

fn installed(text: Option<&str>, entries: &[OwnEntry]) -> Edited {
    install(text, entries, &runs_hookbin, false).unwrap()
}

/// What is left of a text after removal.
fn without(text: &str) -> String {
    match uninstall(text, &runs_hookbin, false).unwrap() {
        Removed::Unchanged => text.to_owned(),
        Removed::Text(rest) => {
            assert_ne!(rest, text);
            rest
        }
        Removed::DeleteFile => panic!("the file would be deleted:\n{text}"),
    }
}

/// Whether all of `part` stands in `whole` in this order, so that nothing of it was changed.
fn only_insertions(part: &str, whole: &str) -> bool {
    let mut rest = whole.bytes();
    part.bytes().all(|wanted| rest.any(|byte| byte == wanted))
}

fn standard() -> Vec<OwnEntry> {
    let mut entries = vec![entry("PreToolUse"), entry("SessionStart"), entry("Stop")];
    entries[1].matcher = Some("startup|resume".to_owned());
    entries
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    /// `None` is a file that does not exist.
    before: Option<String>,
    /// The entries to install; all of ours are removed without.
    install: Option<Vec<CaseEntry>>,
    #[serde(default)]
    force: bool,
    /// The text afterwards; `None` with `error`, or for a file that is deleted.
    after: Option<String>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct CaseEntry {
    event: String,
    matcher: Option<String>,
}

/// Texts before and after, written by hand.
#[test]
fn case_files() {
    let cases: Cases = toml::from_str(include_str!("../../data/settings/edit.toml")).unwrap();
    for case in cases.case {
        let result = match (&case.install, &case.before) {
            (Some(wanted), before) => {
                let entries: Vec<OwnEntry> = wanted
                    .iter()
                    .map(|wanted| OwnEntry {
                        matcher: wanted.matcher.clone(),
                        command: "hookbin".to_owned(),
                        args: Some(vec!["hook".to_owned()]),
                        ..entry(&wanted.event)
                    })
                    .collect();
                install(before.as_deref(), &entries, &runs_hookbin, case.force).map(|edited| Some(edited.text))
            }
            (None, Some(before)) => uninstall(before, &runs_hookbin, case.force).map(|removed| match removed {
                Removed::Unchanged => Some(before.clone()),
                Removed::Text(text) => Some(text),
                Removed::DeleteFile => None,
            }),
            (None, None) => panic!("{}: nothing to remove from", case.name),
        };
        match (result, &case.error) {
            (Ok(found), None) => assert_eq!(found, case.after, "{}", case.name),
            (Err(error), Some(says)) => assert!(error.to_string().contains(says), "{}: {error}", case.name),
            (result, _) => panic!("{}: {result:?}", case.name),
        }
    }
}

/// Layouts that people and tools leave behind, each given back byte for byte.
#[test]
fn odd_layouts_are_given_back() {
    let empties = ["{}", "{ }", "{\n}", "{\r\n}\r\n", "\u{feff}{}", "{}\n", " {} ", "{\n\n}\n", "{\t}", "{  }"];
    let hooks = [
        "{\"hooks\":{}}",
        "{\"hooks\": { }}\n",
        "{\n  \"hooks\": {}\n}\n",
        "{\n  \"hooks\": {\n  }\n}\n",
        "{\r\n\t\"hooks\": {},\r\n\t\"model\": \"x\"\r\n}",
        "{\"hooks\":{\"PreToolUse\":[]}}",
        "{\n    \"hooks\": {\n        \"PreToolUse\": [],\n        \"Stop\": [ ]\n    }\n}\n",
        "{\"hooks\":{\"Stop\":[],\"PreToolUse\":[\n]},\"z\":1}",
        "{\n  \"hooks\": {\n    \"PreToolUse\": [\n    ]\n  }\n}\n",
        "{ \"hooks\": { \"PreToolUse\": [ ] } }",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": []\n      }\n    ]\n  }\n}\n",
        "{\"h\\u006foks\":{\"St\\u006fp\":[]}}",
    ];
    let others = [
        "{\"a\":1}",
        "{\"a\": 1, \"b\": [\"}\", \"{\"]}",
        "{\n\t\"a\": 1\n}",
        "{\n\"a\": 1\n}\n",
        "{\n    \"a\": 1 }\n",
        "{ \"a\": 1,\n  \"b\": 2 }",
        "{\"a\":\"\\ud800\"}",
        "\n\n{\n  \"env\": {\"A\": \"1\"}\n\n}\n\n",
    ];
    for text in empties.iter().chain(&hooks).chain(&others) {
        let edited = installed(Some(text), &standard());
        assert!(edited.changed && edited.added == 3, "{text:?}");
        assert!(only_insertions(text, &edited.text), "{text:?}\n{}", edited.text);
        assert_eq!(inspect(&edited.text), [], "{text:?}\n{}", edited.text);
        assert_eq!(without(&edited.text), *text, "{}", edited.text);
        let again = installed(Some(&edited.text), &standard());
        assert_eq!((again.changed, again.text.as_str()), (false, edited.text.as_str()));
    }
}

/// A file that did not exist is deleted again, also when another version with other entries wrote it last.
#[test]
fn an_absent_file_is_absent_again() {
    let first = installed(None, &standard());
    assert_eq!((first.changed, first.added), (true, 3));
    assert_eq!(uninstall(&first.text, &runs_hookbin, false).unwrap(), Removed::DeleteFile);
    let other = [entry("SessionEnd"), entry("PreToolUse")];
    for entries in [&other[..], &other[..1]] {
        let second = installed(Some(&first.text), entries);
        assert_eq!(uninstall(&second.text, &runs_hookbin, false).unwrap(), Removed::DeleteFile);
    }
    // All that is in a file goes, but somebody else made the file.
    let own = installed(Some("{}"), &standard());
    assert_eq!(without(&own.text), "{}");
    assert_eq!(installed(None, &[]), Edited { text: String::new(), changed: false, added: 0, updated: 0, removed: 0 });
}

/// A file of ours into which a user wrote is no longer ours.
#[test]
fn a_file_that_somebody_added_to_stays() {
    let text = installed(None, &standard()).text.replace("{\n  \"hooks\"", "{\n  \"model\": \"x\",\n  \"hooks\"");
    assert_eq!(without(&text), "{\n  \"model\": \"x\"\n}\n");
}

#[test]
fn an_entry_without_time_is_not_written() {
    let entries = [OwnEntry { timeout: 0, ..entry("Stop") }];
    assert!(matches!(install(None, &entries, &runs_hookbin, false), Err(EditError::NoTimeout { .. })));
}

/// Ours in every form that one was ever written in, and what only looks like it.
#[test]
fn own_entries_are_recognised_in_every_form() {
    let args = |args: &[&str]| Some(args.iter().map(|arg| (*arg).to_owned()).collect::<Vec<_>>());
    let own = [
        ("${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin", args(&["hook", "PreToolUse"])),
        ("hookbin", args(&["hook"])),
        ("C:\\Users\\Dev One\\.cargo\\bin\\hookbin.exe", args(&["hook", "Stop"])),
        ("/opt/hookbin/hookbin hook PreToolUse", None),
        ("\"$CLAUDE_PROJECT_DIR\"/.claude/hookbin/hookbin hook PreToolUse", None),
        ("'/home/Dev One/hookbin' hook", None),
        ("/home/Dev\\ One/hookbin hook", None),
        ("\"C:\\Users\\x\\hookbin.exe\" hook Stop", None),
        ("C:\\Users\\x\\HookBin.EXE hook Stop", None),
        ("C:/Users/x/hookbin.exe hook Stop", None),
        ("HOOKBIN_NOW=1 A='b c' exec ./hookbin 'hook' Stop", None),
        ("  hookbin  hook", None),
        ("hookbin hook Stop", args(&[])),
    ];
    let foreign = [
        ("my-hookbin-wrapper hook PreToolUse", None),
        ("echo hookbin hook", None),
        ("hookbin", None),
        ("hookbin;hook", None),
        ("hookbin && hook", None),
        ("hookbin | hook", None),
        ("hookbin status", None),
        ("\"hookbin hook\"", None),
        ("", None),
        ("\"\" hookbin hook", None),
        ("; hookbin hook", None),
        ("/opt/hookbin/run hook", None),
        ("bash", args(&["-c", "hookbin hook"])),
        ("hookbin", args(&["status"])),
        ("hookbin2", args(&["hook"])),
        ("hookbin hook", args(&["x"])),
    ];
    for (cases, expected) in [(&own[..], true), (&foreign[..], false)] {
        for (command, args) in cases {
            let view = HandlerView { event: "Stop", matcher: None, command: Some(command), args: args.as_deref() };
            assert_eq!(runs_hookbin(&view), expected, "{command} {args:?}");
        }
    }
    for command in [
        "hookbin hook Stop && ./mine.sh", "/opt/hookbin hook Stop | tee log", "hookbin hook Stop; ls",
        "hookbin hook $(cat x)",
    ] {
        let handler = HandlerView { event: "Stop", matcher: None, command: Some(command), args: None };
        assert!(!runs_hookbin(&handler), "{command}: a line that does more is somebody's own");
    }
    assert!(!runs_hookbin(&HandlerView { event: "Stop", matcher: None, command: None, args: None }));
}

#[test]
fn found_entries_have_their_line() {
    let text = "{\n \"hooks\": {\n  \"Stop\": [\n   {\"matcher\": \"x\", \"hooks\": [{\"command\": \"ls\"},\n   {\"command\": \"hookbin\", \"args\": [\"hook\"]}]}],\n  \"PreToolUse\": [\"hookbin hook\"]}} // mine";
    let found = find(text, &runs_hookbin).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].line, found[0].event.as_str(), found[0].matcher.as_deref()), (5, "Stop", Some("x")));
    assert_eq!(found[0].args.as_deref(), Some(&["hook".to_owned()][..]));
    assert_eq!((found[1].line, found[1].command.as_deref()), (6, Some("hookbin hook")));
}

/// One file in some layout: a tree whose gaps are filled from a list of white space.
#[derive(Debug, Clone)]
enum Node {
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// How the gaps of a generated file are filled.
#[derive(Debug, Clone)]
struct Layout {
    /// Indent of one level; `None` leaves all on one line.
    indent: Option<&'static str>,
    newline: &'static str,
    colon: &'static str,
    bom: bool,
    end: &'static str,
    /// White space of gaps that don't follow the layout, used in turn; most are as the layout says.
    odd: Vec<Option<&'static str>>,
    /// Comments and trailing commas.
    relaxed: bool,
}

struct Printer<'l> {
    layout: &'l Layout,
    turn: usize,
    out: String,
}

impl Printer<'_> {
    fn gap(&mut self, depth: usize) {
        let odd = if self.layout.odd.is_empty() { None } else { self.layout.odd[self.turn % self.layout.odd.len()] };
        self.turn += 1;
        match (odd, self.layout.indent) {
            (Some(odd), _) => self.out.push_str(odd),
            (None, Some(indent)) => {
                self.out.push_str(self.layout.newline);
                self.out.push_str(&indent.repeat(depth));
            }
            (None, None) => {}
        }
        if self.layout.relaxed && self.turn.is_multiple_of(5) {
            self.out.push_str("/* , ] */ ");
        }
        if self.layout.relaxed && self.turn.is_multiple_of(7) {
            self.out.push_str("// \"hooks\": {\n");
        }
    }

    fn print(&mut self, node: &Node, depth: usize) {
        let (open, close, items): (_, _, Vec<(Option<&str>, &Node)>) = match node {
            Node::Text(text) => return self.out.push_str(text),
            Node::List(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
            Node::Object(members) => {
                ('{', '}', members.iter().map(|(key, value)| (Some(key.as_str()), value)).collect())
            }
        };
        self.out.push(open);
        for (index, (key, value)) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.gap(depth + 1);
            if let Some(key) = key {
                let _ = write!(self.out, "{}{}", json!(key), self.layout.colon);
            }
            self.print(value, depth + 1);
        }
        if self.layout.relaxed && !items.is_empty() && self.turn.is_multiple_of(2) {
            self.out.push(',');
        }
        if !items.is_empty() || self.turn.is_multiple_of(3) {
            self.gap(depth);
        }
        self.out.push(close);
    }
}

fn text_of(root: &Node, layout: &Layout) -> String {
    let mut printer = Printer { layout, turn: 0, out: String::new() };
    if layout.bom {
        printer.out.push('\u{feff}');
    }
    printer.print(root, 0);
    printer.out + layout.end
}

fn layout(relaxed: bool) -> impl Strategy<Value = Layout> {
    let odd = prop_oneof![
        6 => Just(None),
        1 => prop::sample::select(vec!["", " ", "\n", "\r\n", "\t", "  ", "\n\n   ", "\n      "]).prop_map(Some)
    ];
    (
        prop::sample::select(vec![None, Some("  "), Some("    "), Some("\t"), Some("")]),
        prop::sample::select(vec!["\n", "\r\n"]),
        prop::sample::select(vec![":", ": ", " : "]),
        any::<bool>(),
        prop::sample::select(vec!["", "\n", "\r\n", "\n\n", " "]),
        prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(odd, 1..9)],
    )
        .prop_map(move |(indent, newline, colon, bom, end, odd)| Layout {
            indent,
            newline,
            colon,
            bom,
            end,
            odd,
            relaxed,
        })
}

/// A value that has nothing to do with hooks.
fn foreign() -> impl Strategy<Value = Node> {
    let leaf =
        prop::sample::select(vec!["1", "-0.5e3", "true", "null", "\"\"", "\"a { } [ ] , \\\" // b\"", "\"\\ud800\""])
            .prop_map(|text| Node::Text(text.to_owned()));
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Node::List),
            prop::collection::vec(("[a-c]", inner), 0..3).prop_map(Node::Object),
        ]
    })
}

/// One handler; of ours if `own` allows.
fn handler(own: bool) -> impl Strategy<Value = Node> {
    let text = |text: &str| Node::Text(text.to_owned());
    let foreign = prop_oneof![
        Just(text(r#"{"type":"command","command":"make lint && echo \"<ok>\" > /dev/null 2>&1"}"#)),
        Just(text(r#"{ "type": "command", "command": "echo hookbin hook", "timeout": 7 }"#)),
        Just(text(r#"{"type":"http","url":"http://localhost/hookbin hook"}"#)),
        Just(text("{}")),
        Just(text("1")),
    ];
    let ours = prop_oneof![
        Just(text(r#"{"type":"command","command":"/old/hookbin hook PreToolUse"}"#)),
        Just(text("{\n\"command\":\"hookbin\",\n\"args\":[\"hook\"],\"timeout\":\"soon\"}")),
        Just(text("\"hookbin hook\"")),
        Just(text(
            r#"{"timeout":10,"type":"command","args":["hook","Stop"],"command":"${CLAUDE_PROJECT_DIR}/.claude/hookbin/hookbin"}"#
        )),
    ];
    (0..if own { 2 } else { 1 }, foreign, ours).prop_map(|(kind, foreign, ours)| if kind == 0 { foreign } else { ours })
}

/// One element of an event's list.
fn group(own: bool) -> impl Strategy<Value = Node> {
    let matcher =
        prop::sample::select(vec![None, Some("\"\""), Some("\"*\""), Some("\"Bash\""), Some("{}"), Some("null")]);
    (matcher, prop::collection::vec(handler(own), 0..4), any::<bool>(), 0..12).prop_map(
        |(matcher, mut handlers, last, odd)| {
            if odd == 0
                && let Some(handler) = handlers.pop()
            {
                // The flat form, and the bare path.
                return handler;
            }
            let mut members = vec![("hooks".to_owned(), Node::List(handlers))];
            if let Some(matcher) = matcher {
                members.insert(usize::from(last), ("matcher".to_owned(), Node::Text(matcher.to_owned())));
            }
            Node::Object(members)
        },
    )
}

/// A settings file, with entries of ours if `own` allows.
fn root(own: bool) -> impl Strategy<Value = Node> {
    let event = prop::sample::select(vec!["PreToolUse", "Stop", "SessionStart", "Notification", "Later"]);
    let events = prop::collection::btree_map(event, prop::collection::vec(group(own), 0..3), 0..4).prop_map(|events| {
        let events = events.into_iter().map(|(event, groups)| (event.to_owned(), Node::List(groups)));
        Node::Object(events.collect())
    });
    let others = prop::collection::vec(("[a-z]{1,4}".prop_filter("reserved", |key| key != "hooks"), foreign()), 0..4);
    (others, prop::option::of(events), any::<prop::sample::Index>()).prop_map(|(mut members, hooks, place)| {
        if let Some(hooks) = hooks {
            let place = place.index(members.len() + 1);
            members.insert(place, ("hooks".to_owned(), hooks));
        }
        Node::Object(members)
    })
}

fn wanted() -> impl Strategy<Value = Vec<OwnEntry>> {
    let event = prop::sample::select(vec!["PreToolUse", "Stop", "SessionStart", "SessionEnd"]);
    let matcher = prop::sample::select(vec![None, None, Some("Bash"), Some("*")]);
    prop::collection::btree_map((event, matcher), 1_u32..99, 1..5).prop_map(|wanted| {
        let entries = wanted.into_iter().map(|((event, matcher), timeout)| OwnEntry {
            matcher: matcher.map(str::to_owned),
            timeout,
            on_failure_block: timeout.is_multiple_of(2),
            ..entry(event)
        });
        let mut entries: Vec<OwnEntry> = entries.collect();
        // No matcher and `*` are the same, and one entry for each is enough.
        entries.dedup_by(|a, b| {
            let narrow = |entry: &OwnEntry| entry.matcher.clone().filter(|matcher| matcher != "*");
            a.event == b.event && narrow(a) == narrow(b)
        });
        entries
    })
}

/// The text read as a value, without entries of ours and without what removal may leave behind empty or take with it.
fn foreign_part(text: &str) -> Value {
    // A lone surrogate is a string to the host but none to this reader.
    let text = text.trim_start_matches('\u{feff}').replace("\\ud800", "?");
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let Some(root) = value.as_object_mut() else { panic!("no object") };
    let is_own = |handler: &Value| {
        let command = handler["command"].as_str().or(handler.as_str());
        let args: Option<Vec<String>> = serde_json::from_value(handler["args"].clone()).ok();
        runs_hookbin(&HandlerView { event: "", matcher: None, command, args: args.as_deref() })
    };
    if let Some(hooks) = root.get_mut("hooks").and_then(Value::as_object_mut) {
        for groups in hooks.values_mut().filter_map(Value::as_array_mut) {
            groups.retain_mut(|group| {
                let Some(handlers) = group.get_mut("hooks").and_then(Value::as_array_mut) else {
                    return !is_own(group);
                };
                let before = handlers.len();
                handlers.retain(|handler| !is_own(handler));
                before == 0 || !handlers.is_empty()
            });
        }
        hooks.retain(|_, groups| groups.as_array().is_none_or(|groups| !groups.is_empty()));
    }
    if root.get("hooks").and_then(Value::as_object).is_some_and(serde_json::Map::is_empty) {
        root.remove("hooks");
    }
    value
}

/// The entries of ours in a text, as what they say.
fn own_part(text: &str) -> Vec<(String, Option<String>, String)> {
    let mut own: Vec<_> = find(text, &runs_hookbin)
        .unwrap()
        .into_iter()
        .map(|found| {
            (found.event, found.matcher.filter(|matcher| matcher != "*" && !matcher.is_empty()), found.command.unwrap())
        })
        .collect();
    own.sort();
    own
}

fn expected(entries: &[OwnEntry]) -> Vec<(String, Option<String>, String)> {
    let narrow = |matcher: &Option<String>| matcher.clone().filter(|matcher| matcher != "*");
    let mut own: Vec<_> =
        entries.iter().map(|entry| (entry.event.to_string(), narrow(&entry.matcher), entry.command.clone())).collect();
    own.sort();
    own
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(400)))]

    /// Install then uninstall is the identity; install only inserts; the host finds no fault that was not there.
    #[test]
    fn install_then_uninstall_gives_back_every_byte(root in root(false), layout in layout(false), entries in wanted()) {
        let before = text_of(&root, &layout);
        let edited = installed(Some(&before), &entries);
        prop_assert!(edited.changed);
        prop_assert_eq!((edited.added, edited.updated, edited.removed), (entries.len(), 0, 0));
        prop_assert!(only_insertions(&before, &edited.text), "{}\n---\n{}", before, edited.text);
        prop_assert_eq!(own_part(&edited.text), expected(&entries));
        prop_assert_eq!(foreign_part(&edited.text), foreign_part(&before));
        prop_assert_eq!(inspect(&edited.text).len(), inspect(&before).len());
        prop_assert_eq!(without(&edited.text), before);
    }

    /// A member is set, found, changed in place and removed, and every other byte stays, comments included.
    #[test]
    fn members_come_and_go_without_a_trace(root in root(false), layout in layout(true)) {
        let before = text_of(&root, &layout);
        let path = ["mcpServers of nobody", "gate", "command"];
        let set = set_member(&before, &path, "/bin/gate", true).unwrap();
        prop_assert!(only_insertions(&before, &set), "{}\n---\n{}", before, set);
        prop_assert_eq!(get_member(&set, &path).unwrap(), Some("\"/bin/gate\"".to_owned()));
        let changed = set_member(&set, &path, &7, true).unwrap();
        prop_assert_eq!(&changed, &set.replace("\"/bin/gate\"", "7"));
        prop_assert_eq!(remove_member(&changed, &path[..1], true).unwrap(), before);
    }

    /// A second install changes nothing.
    #[test]
    fn install_is_idempotent(root in root(true), layout in layout(false), entries in wanted()) {
        let before = text_of(&root, &layout);
        let once = installed(Some(&before), &entries);
        let twice = installed(Some(&once.text), &entries);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!((twice.changed, twice.added, twice.updated, twice.removed), (false, 0, 0, 0));
    }

    /// Older entries of ours are brought up to date, duplicates and unwanted ones go, what is foreign stays, and removal
    /// afterwards gives what removal alone gives.
    #[test]
    fn old_entries_are_taken_over(root in root(true), layout in layout(false), entries in wanted()) {
        let before = text_of(&root, &layout);
        let found = find(&before, &runs_hookbin).unwrap().len();
        let edited = installed(Some(&before), &entries);
        prop_assert_eq!(own_part(&edited.text), expected(&entries), "{}\n---\n{}", before, edited.text);
        prop_assert_eq!(foreign_part(&edited.text), foreign_part(&before));
        let entries_after = found + edited.added - edited.removed;
        prop_assert_eq!(entries_after, entries.len());
        let removed = |text: &str| uninstall(text, &runs_hookbin, false).unwrap();
        let alone = match removed(&before) {
            Removed::Unchanged => Removed::Text(before.clone()),
            other => other,
        };
        prop_assert_eq!(removed(&edited.text), alone, "{}\n---\n{}", before, edited.text);
        if let Removed::Text(text) = removed(&edited.text) {
            prop_assert_eq!(own_part(&text), []);
            prop_assert_eq!(removed(&text), Removed::Unchanged);
        }
    }

    /// An upgrade to other entries leaves no trace of the first ones.
    #[test]
    fn an_upgrade_is_removed_whole(
        root in root(false), layout in layout(false), old in wanted(), new in wanted(), absent in any::<bool>(),
    ) {
        let before = text_of(&root, &layout);
        let start = (!absent).then_some(before.as_str());
        let first = installed(start, &old);
        let second = installed(Some(&first.text), &new);
        prop_assert_eq!(own_part(&second.text), expected(&new));
        match start {
            None => prop_assert_eq!(uninstall(&second.text, &runs_hookbin, false).unwrap(), Removed::DeleteFile),
            Some(before) => prop_assert_eq!(without(&second.text), before),
        }
    }

    /// Comments and trailing commas are refused, and kept when the edit is forced.
    #[test]
    fn forced_edits_keep_comments(root in root(false), layout in layout(true), entries in wanted()) {
        let before = text_of(&root, &layout);
        let edited = install(Some(&before), &entries, &runs_hookbin, true).unwrap();
        prop_assert!(only_insertions(&before, &edited.text));
        prop_assert_eq!(own_part(&edited.text), expected(&entries));
        prop_assert_eq!(install(Some(&edited.text), &entries, &runs_hookbin, true).unwrap().changed, false);
        let rest = uninstall(&edited.text, &runs_hookbin, true).unwrap();
        prop_assert_eq!(rest, Removed::Text(before.clone()));
        let plain = install(Some(&before), &entries, &runs_hookbin, false);
        let is_plain = serde_json::from_str::<serde::de::IgnoredAny>(before.trim_start_matches('\u{feff}')).is_ok();
        prop_assert_eq!(plain.is_ok(), is_plain);
    }

    /// Removal from a commented text keeps the comments and leaves a text that can still be read.
    #[test]
    fn forced_removal_keeps_comments(root in root(true), layout in layout(true)) {
        let before = text_of(&root, &layout);
        let rest = match uninstall(&before, &runs_hookbin, true).unwrap() {
            Removed::Text(rest) => rest,
            Removed::Unchanged => before.clone(),
            Removed::DeleteFile => panic!("not ours"),
        };
        prop_assert!(only_insertions(&rest, &before));
        prop_assert_eq!(own_part(&rest), []);
    }

    /// No text makes any of it panic; what is refused as JSON is refused everywhere.
    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{}:,\"/* \\n\\\\0-9a]{0,40}|\\PC*", force in any::<bool>()) {
        let is_own = |_: &HandlerView<'_>| true;
        let json = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).is_ok_and(|value| value.is_object());
        prop_assert!(!json || inspect(&text).iter().all(|problem| !problem.message.contains("JSON")));
        for _ in 0..2 {
            let _ = uninstall(&text, &is_own, force);
            let _ = find(&text, &is_own);
            let edited = install(Some(&text), &standard(), &is_own, force);
            prop_assert!(json || force || edited.is_err());
        }
    }

    /// Cuts and changes inside real files are survived too, and entries that are cut open are not taken for ours.
    #[test]
    fn damaged_files_are_read_or_refused(
        root in root(true), layout in layout(false), at in any::<prop::sample::Index>(), with in "[\\[\\]{}:,\"/]{0,2}",
    ) {
        let text = text_of(&root, &layout);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places[at.index(places.len())];
        let damaged = format!("{}{with}{}", &text[..at], text[at..].chars().skip(1).collect::<String>());
        if let Ok(edited) = install(Some(&damaged), &standard(), &runs_hookbin, false) {
            prop_assert_eq!(installed(Some(&edited.text), &standard()).text, edited.text);
        }
    }
}

/// Nesting of any depth and many entries take one pass each.
#[test]
fn deep_and_long_files_are_edited() {
    let deep = format!("{{\"env\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let edited = installed(Some(&deep), &standard());
    assert_eq!(without(&edited.text), deep);
    let group = r#"{"hooks":[{"type":"command","command":"hookbin hook"}]}"#;
    let many = format!("{{\"hooks\":{{\"Stop\":[{}]}}}}", vec![group; 20_000].join(","));
    let edited = installed(Some(&many), &standard());
    assert_eq!((edited.added, edited.updated, edited.removed), (2, 1, 19_999));
}

#[test]
fn what_is_no_object_on_the_way_to_a_member_is_named() {
    let text = "{\n  \"a\": {\n    \"b\": [1]\n  }\n}";
    assert!(
        matches!(set_member(text, &["a", "b", "c"], &1, false), Err(EditError::MemberNotObject { line: 3, key }) if key == "b")
    );
    assert!(matches!(set_member("[]", &["a"], &1, false), Err(EditError::RootNotObject { line: 1 })));
    assert!(matches!(set_member("{\"a\": 1,}", &["a"], &1, false), Err(EditError::NotPlain { line: 1 })));
    assert!(matches!(get_member(" \n", &["a"]), Err(EditError::Empty)));
    // Of two members of one name the last counts.
    assert_eq!(set_member(r#"{"a":1,"a":2}"#, &["a"], &3, false).unwrap(), r#"{"a":1,"a":3}"#);
}

#[test]
fn only_json_is_written() {
    assert_eq!(set_member("{}", &["a"], "not json", false).unwrap(), r#"{ "a": "not json"}"#);
    let raw: &serde_json::value::RawValue = serde_json::from_str("{ \"b\" :1e0 }").unwrap();
    assert_eq!(set_member("{}", &["a"], raw, false).unwrap(), "{ \"a\": { \"b\" :1e0 }}");
    let no_json = std::collections::BTreeMap::from([((1, 2), 3)]);
    let refused = set_member("{}", &["x", "a"], &no_json, false);
    assert!(matches!(refused, Err(EditError::Value { key, .. }) if key == "a"));
    let servers = r#"{"mcpServers": {"gate": {"command": "/new"}}}"#;
    let back = restore_server(servers, "gate", Some(r#"{"command": "/old"}"#)).unwrap();
    assert_eq!(back, servers.replace("/new", "/old"));
    for damaged in ["", "{", "{}, \"evil\": {}", "not json"] {
        assert!(matches!(restore_server(servers, "gate", Some(damaged)), Err(EditError::Value { .. })), "{damaged}");
    }
}
