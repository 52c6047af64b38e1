//! What a tool call does, read from the shape of its input: commands, code, statements, files and patches, whatever the tool and its
//! parameters are called.
//!
//! Clients and servers name the same act differently. A guard that goes by names alone waves the rest through.

mod named;
mod patch;
mod words;

use std::sync::Arc;

pub use self::patch::{Change, Patch, PatchFile, is_patch, patch};
use self::words as w;
use crate::canonical::McpName;
use crate::raw::{Fields, Raw};
use crate::tool::ToolUse;

/// Objects and lists within one another that are looked into.
const DEEPEST: usize = 32;

/// One thing that a call does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Act {
    /// A shell runs a text.
    Run {
        /// The text.
        command: String,
        /// It is one for PowerShell.
        powershell: bool,
        /// Where, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// An interpreter runs code.
    Code {
        /// The code.
        code: String,
        /// Its language in small letters, as the call has it or as the code looks.
        language: String,
        /// Where, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// A database runs a statement.
    Query {
        /// The statement.
        statement: String,
        /// Where, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// A file or directory is read.
    Read {
        /// Its path, as the call has it.
        path: String,
        /// What it is relative to, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// Files are read whose names fit a pattern.
    Search {
        /// The pattern.
        glob: String,
        /// Where they are looked for.
        within: Option<String>,
        /// What that is relative to, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// A file is written.
    Write {
        /// Its path, as the call has it.
        path: String,
        /// What is put into it; `None` where the call does not say.
        content: Option<String>,
        /// That is all of its new content.
        whole: bool,
        /// What it is relative to, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// An address is asked for what it has.
    Fetch {
        /// The address, as the call has it.
        address: String,
    },
    /// A file or directory goes.
    Delete {
        /// Its path, as the call has it.
        path: String,
        /// With all that is in it.
        tree: bool,
        /// What it is relative to, as the call has it.
        dir: Option<Arc<str>>,
    },
    /// A file or directory goes elsewhere.
    Move {
        /// Its path, as the call has it.
        path: String,
        /// What it is relative to, as the call has it.
        dir: Option<Arc<str>>,
    },
}

/// All that a call does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acts {
    /// In the order of the input, what lies deeper behind what holds it.
    pub acts: Vec<Act>,
    /// A part that says something, but cannot be read to its end.
    pub unread: Option<String>,
}

impl ToolUse<'_> {
    /// What the call does, by the shape of its input. Empty for the host's own tools whose input names no command and no file.
    ///
    /// ```
    /// use hook_protocol::act::Act;
    /// use hook_protocol::event::Event;
    ///
    /// let event = Event::parse(r#"{"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"cmd":["rm","-r","a b"]}}"#)?;
    /// let acts = event.tool().unwrap().acts().acts;
    /// assert!(matches!(&acts[..], [Act::Run { command, .. }] if command == "rm -r 'a b'"));
    /// # Ok::<(), hook_protocol::ParseError>(())
    /// ```
    pub fn acts(&self) -> Acts {
        if w::HARMLESS.contains(&self.canonical_name()) {
            return Acts::default();
        }
        let mut reader = Reader::new(&self.name);
        reader.whole(self.input);
        Acts { acts: reader.acts, unread: reader.unread }
    }

    /// The content that a call would write by [`ToolUse::acts`], for a file tool whose content is not where the host has it.
    pub fn written_content(&self) -> Option<String> {
        content(&members(&self.input.object()?), &self.input.object()?, false)?
    }

    /// The part of the input of a tool that the host does not have which should say what the call does, but is of a type that says
    /// nothing.
    pub fn unreadable(&self) -> Option<String> {
        if w::HARMLESS.contains(&self.canonical_name()) {
            return None;
        }
        let name = Name::new(&self.name);
        let decoded = decoded(self.input);
        let input = decoded.as_ref().unwrap_or(self.input);
        let Some(object) = input.object() else {
            let says = name.says(w::CHANGES) || name.says(w::SHELLS);
            let text = input.as_str().is_some_and(|text| !is_patch(&text)) && !name.says(w::SHELLS);
            return (says && (text || input.is_number())).then(|| "tool_input is no object".to_owned());
        };
        let odd = |value: &Raw<'_>| {
            let no_text = |item: &Raw<'_>| item.as_text().is_none() && !item.is_object();
            match value.items() {
                Some(items) => items.iter().any(no_text),
                None => !value.is_null() && no_text(value),
            }
        };
        let mcp = McpName::parse(&self.name).is_some();
        object.iter().find_map(|(key, value)| {
            let plain = small(&key.as_str());
            let decides = w::TEXTS.contains(&&*plain) || !mcp && w::PLACES.contains(&&*plain);
            (decides && odd(value)).then(|| format!("tool_input.{key} is no text"))
        })
    }
}

/// Every path that the input of any tool names by a parameter for paths.
pub fn paths(input: &Fields<'_>) -> Vec<String> {
    let mut found = Vec::new();
    each_object(input, |object, _| {
        let names = |key: &str| [w::READS, w::DIRECTORIES, w::WRITES].iter().any(|list| list.contains(&key));
        for member in members(object).into_iter().filter(|member| names(&member.key)) {
            found.extend(member.texts.iter().filter_map(|text| local(text)));
        }
    });
    found
}

/// What a call says to a session as a prompt, or types where one may listen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Told {
    /// The texts, in order; of a list of keys all of them.
    pub texts: Vec<Vec<String>>,
    /// They are typed rather than ordered.
    pub typed: bool,
}

impl ToolUse<'_> {
    /// What the call says to a session as a prompt, or types where one may listen. `None` for tools that do neither. Commands of a shell
    /// are no part of it.
    pub fn told(&self) -> Option<Told> {
        let canonical = self.canonical_name();
        if matches!(canonical, "Bash" | "Read" | "Write" | "Edit" | "Grep" | "Glob" | "NotebookEdit" | "PowerShell") {
            return None;
        }
        if matches!(canonical, "Skill" | "SlashCommand") {
            return self.told_by_skill();
        }
        let native = w::ORDERS.contains(&canonical);
        let name = Name::new(&self.name);
        let says = |words: &[&str]| words.iter().any(|word| name.all.contains(word));
        let typed = !native
            && !says(w::PAGES)
            && (name.says(w::PRESSES) || w::PRESSES_ONLY.contains(&name.own.as_str()) || says(w::TERMINALS));
        if !native && !typed && !name.says(w::ORDERS_ELSEWHERE) {
            let texts = self.texts_of(w::PROMPTS);
            return (!texts.is_empty()).then_some(Told { texts, typed });
        }
        let mut told = Told { typed, ..Told::default() };
        let decoded = decoded(self.input);
        let input = decoded.as_ref().unwrap_or(self.input);
        if let Some(object) = input.object() {
            each_object(&object, |object, _| {
                let said = members(object).into_iter().filter(|member| !w::ASIDE.contains(&member.key.as_str()));
                told.texts.extend(said.map(|member| member.texts));
            });
        } else if let Some(text) = input.as_str() {
            told.texts.push(vec![text.into_owned()]);
        }
        Some(told)
    }
}

impl ToolUse<'_> {
    /// What a skill that orders prompts is given: the prompt is all of it, or what stands behind a time.
    fn told_by_skill(&self) -> Option<Told> {
        let object = self.input.object()?;
        let mut said = members(&object);
        // Whatever the order, the skill comes before what it is given.
        said.sort_by_key(|member| member.key == "args");
        let texts = said.into_iter().flat_map(|member| member.texts).collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = texts.split_whitespace().collect();
        let named = words.first().is_some_and(|name| w::SKILLS_THAT_ORDER.iter().any(|part| name.contains(part)));
        let behind = |from: usize| words.get(from..).filter(|rest| !rest.is_empty()).map(|rest| vec![rest.join(" ")]);
        named.then(|| Told { texts: (1..=w::MOST_TIMES).filter_map(behind).collect(), typed: false })
    }

    /// What a server's tool, whatever it is called, could say to a session: texts that come back as a prompt where it does.
    pub fn messages(&self) -> Vec<String> {
        self.texts_of(w::MESSAGES).into_iter().flatten().collect()
    }

    /// The texts of a server's tool that stand under one of these names.
    fn texts_of(&self, keys: &[&str]) -> Vec<Vec<String>> {
        let mut texts = Vec::new();
        if McpName::parse(&self.name).is_none() {
            return texts;
        }
        let decoded = decoded(self.input);
        if let Some(object) = decoded.as_ref().unwrap_or(self.input).object() {
            each_object(&object, |object, _| {
                let said = members(object).into_iter().filter(|member| keys.contains(&member.key.as_str()));
                texts.extend(said.map(|member| member.texts));
            });
        }
        texts
    }
}

/// Shows every object of an input with the directory that it works in, wherever in it it stands; tells whether none lies too deep.
fn each_object(input: &Fields<'_>, mut see: impl FnMut(&Fields<'_>, Option<Arc<str>>)) -> bool {
    let mut is_whole = true;
    let mut dir = None;
    let mut open: Vec<(Raw<'static>, usize, Option<Arc<str>>)> = Vec::new();
    let mut next = Some((input.clone().into_owned(), 0));
    loop {
        if let Some((object, depth)) = next.take() {
            dir = own_dir(&object).or(dir);
            see(&object, dir.clone());
            // Backwards, so that the stack gives them in order.
            for (key, value) in object.iter().rev() {
                let inner = if w::WRAPPED.contains(&&*small(&key.as_str())) { decoded(value) } else { None };
                let value = inner.unwrap_or_else(|| value.clone().into_owned());
                if value.text().starts_with(['{', '[']) {
                    open.push((value, depth + 1, dir.clone()));
                }
            }
        }
        let Some((value, depth, within)) = open.pop() else { return is_whole };
        dir = within;
        if depth > DEEPEST {
            is_whole = false;
        } else if let Some(object) = value.object() {
            next = Some((object.into_owned(), depth));
        } else {
            let items = value.items().unwrap_or_default().into_iter().rev();
            let holds = items.filter(|value| value.text().starts_with(['{', '[']));
            open.extend(holds.map(|value| (value.into_owned(), depth + 1, dir.clone())));
        }
    }
}

/// The directory that an object says its act happens in.
fn own_dir(object: &Fields<'_>) -> Option<Arc<str>> {
    let mut directory = None;
    let mut commands = false;
    for (key, value) in object.iter() {
        let key = small(&key.as_str());
        commands |= w::COMMANDS.contains(&&*key);
        let text = || value.as_str().filter(|text| !text.is_empty()).and_then(|text| local(&text));
        if w::DIRS.contains(&&*key) {
            return text().map(Arc::from);
        }
        if w::DIRECTORIES.contains(&&*key) {
            directory = text();
        }
    }
    directory.filter(|_| commands).map(Arc::from)
}

/// A name in small letters and digits.
fn small(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// A path on this machine: that of a `file:` address, or the text itself; `None` for addresses of other kinds.
fn local(text: &str) -> Option<String> {
    let Some((scheme, rest)) = text.split_once("://") else { return Some(text.to_owned()) };
    if !scheme.eq_ignore_ascii_case("file") {
        let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        return (!is_scheme).then(|| text.to_owned());
    }
    let path = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    Some(without_percent(path))
}

fn without_percent(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = if decoded.is_some() { after.get(2..).unwrap_or_default() } else { after };
        out.push(decoded.unwrap_or(byte));
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The object or list that a text holds as JSON.
fn decoded(value: &Raw<'_>) -> Option<Raw<'static>> {
    let text = value.as_str()?;
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    Raw::parse(text).ok().map(Raw::into_owned)
}

/// A member that is a text or a list with texts.
struct Member {
    /// In small letters and digits.
    key: String,
    texts: Vec<String>,
    list: bool,
}

fn members(object: &Fields<'_>) -> Vec<Member> {
    let text = |value: &Raw<'_>| Some(value.as_str()?.into_owned());
    let read = |key: &str, value: &Raw<'_>| {
        let key = small(key);
        let listed = |items: &Raw<'_>| items.items().map(|items| items.iter().filter_map(text).collect::<Vec<_>>());
        let Some(one) = text(value) else { return Some(Member { key, texts: listed(value)?, list: true }) };
        // A list that was made a text on its way.
        let inner = if one.trim_start().starts_with('[') { decoded(value).and_then(|it| listed(&it)) } else { None };
        Some(match inner.filter(|inner| !inner.is_empty()) {
            Some(texts) => Member { key, texts, list: true },
            None => Member { key, texts: vec![one], list: false },
        })
    };
    object.iter().filter_map(|(key, value)| read(&key.as_str(), value)).collect()
}

/// The content that an object would write; `Some(None)` where it is there but cannot be read.
#[expect(clippy::option_option, reason = "no content, and a content that is not known, are two things")]
fn content(members: &[Member], object: &Fields<'_>, looks: bool) -> Option<Option<String>> {
    let holds = |key: &str| w::CONTENTS.contains(&key) || !looks && w::MAYBE_CONTENTS.contains(&key);
    let mut found: Option<Option<String>> = None;
    for member in members.iter().filter(|member| holds(&member.key)) {
        let text = found.get_or_insert_default().get_or_insert_default();
        member.texts.iter().for_each(|more| text.push_str(more));
    }
    for (key, value) in object.iter() {
        let key = small(&key.as_str());
        if w::CHANGED.contains(&&*key) {
            let text = found.get_or_insert_default().get_or_insert_default();
            let decoded = decoded(value);
            for step in decoded.as_ref().unwrap_or(value).items().unwrap_or_default() {
                let step = step.object().map(|step| self::members(&step)).unwrap_or_default();
                for more in step.iter().filter(|member| holds(&member.key)).flat_map(|member| &member.texts) {
                    text.push_str(more);
                }
            }
        } else if w::CONTENTS.contains(&&*key) && value.as_text().is_none() && !value.is_null() && found.is_none() {
            found = Some(None);
        }
    }
    found
}

/// The name of a tool, in small letters.
struct Name {
    all: String,
    own: String,
}

impl Name {
    fn new(name: &str) -> Self {
        let all = name.to_ascii_lowercase();
        let own = McpName::parse(&all).map_or(all.as_str(), |mcp| mcp.tool).to_owned();
        Self { all, own }
    }

    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.own.contains(word))
    }

    fn changes(&self) -> bool {
        let put = || self.own.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word.starts_with("put"));
        self.says(w::CHANGES) && !self.own.contains("dispatch") || put()
    }
}

struct Reader {
    name: Name,
    powershell: bool,
    database: bool,
    acts: Vec<Act>,
    unread: Option<String>,
}

impl Reader {
    fn new(name: &str) -> Self {
        let name = Name::new(name);
        let powershell = name.own.contains("powershell") || name.own.contains("pwsh");
        let database = w::DATABASES.iter().any(|word| name.all.contains(word));
        Self { name, powershell, database, acts: Vec::new(), unread: None }
    }

    fn whole(&mut self, input: &Raw<'_>) {
        let decoded = decoded(input);
        let input = decoded.as_ref().unwrap_or(input);
        if let Some(object) = input.object() {
            self.objects(&object);
        } else if let Some(items) = input.items() {
            let mut words = Fields::new();
            // A list alone is what a command or its list would be.
            let key = if items.iter().any(Raw::is_object) { "items" } else { "command" };
            words.set(key, input.clone());
            if key == "items" || self.name.says(w::SHELLS) {
                self.objects(&words);
            }
        } else if let Some(text) = input.as_str() {
            if is_patch(&text) {
                self.patch(&text, None, None);
            } else if self.name.says(w::SHELLS) {
                self.run(text.into_owned(), None);
            }
        }
    }

    fn objects(&mut self, object: &Fields<'_>) {
        if !each_object(object, |object, dir| self.object(object, dir.as_ref())) {
            self.unread = Some(format!("more than {DEEPEST} lists and objects within one another"));
        }
    }

    fn run(&mut self, command: String, dir: Option<Arc<str>>) {
        self.acts.push(Act::Run { command, powershell: self.powershell, dir });
    }

    /// What one object of the input says by its own members.
    fn object(&mut self, object: &Fields<'_>, dir: Option<&Arc<str>>) {
        let members = members(object);
        let has = |keys: &[&str]| members.iter().any(|member| keys.contains(&member.key.as_str()));
        let commands = has(w::COMMANDS);
        let placed = has(w::READS) || has(w::WRITES) || !commands && has(w::DIRECTORIES);
        let verb = members.iter().find_map(|member| {
            let [only] = member.texts.as_slice() else { return None };
            let act = only.trim().to_ascii_lowercase();
            (placed && w::VERBS.contains(&member.key.as_str()) && w::ACTS.contains(&act.as_str())).then_some(act)
        });
        let arguments = members.iter().find(|member| w::ARGUMENTS.contains(&member.key.as_str()));
        // What starts a program may call it a file.
        let starts = self.name.says(w::STARTS) && arguments.is_some_and(|arguments| arguments.list);
        for member in &members {
            let key = member.key.as_str();
            if starts && !commands && w::PROGRAMS.contains(&key) {
                self.commands(member, arguments, dir);
            }
            if w::COMMANDS.contains(&key) {
                let is_verb = verb.is_some() && key == "command";
                if !is_verb {
                    self.commands(member, arguments, dir);
                }
            } else if w::STATEMENTS.contains(&key) || self.database && w::QUERIES.contains(&key) {
                let statements = member.texts.iter().cloned();
                self.acts.extend(statements.map(|statement| Act::Query { statement, dir: dir.cloned() }));
            } else if let Some((_, language)) = w::CODES.iter().find(|(code, _)| *code == key) {
                self.code(member, language, &members, dir);
            } else if w::TYPED.contains(&key) && self.name.says(w::TYPES) {
                let texts = member.texts.iter().cloned();
                texts.for_each(|text| self.run(text, dir.cloned()));
            }
        }
        let patched = self.patches(&members, placed, dir);
        self.files(&members, object, verb.as_deref(), commands, patched, dir);
    }

    fn commands(&mut self, member: &Member, arguments: Option<&Member>, dir: Option<&Arc<str>>) {
        if let Some(text) = member.texts.iter().find(|text| text.trim_start().starts_with("***") && is_patch(text)) {
            self.patch(text, None, dir);
            return;
        }
        let lines = lines(member, arguments);
        let several = lines.len() > 1;
        // A tool may run them in one shell, where each `cd` counts for the next.
        let together = several.then(|| lines.join("\n"));
        for line in lines.into_iter().chain(together) {
            self.run(line, dir.cloned());
        }
    }

    fn code(&mut self, member: &Member, language: &str, members: &[Member], dir: Option<&Arc<str>>) {
        if language.is_empty() && !self.name.says(w::RUNNERS) {
            return;
        }
        let named = members.iter().find(|member| w::LANGUAGES.contains(&member.key.as_str()));
        let named = named.and_then(|member| member.texts.first()).map(|text| text.trim().to_ascii_lowercase());
        for code in &member.texts {
            let by_tool =
                ["python", "jupyter", "ruby", "php", "perl", "bash", "powershell", "javascript", "node", "deno", "bun"];
            let looks = || if looks_like_javascript(code) { "javascript" } else { "python" };
            let language = match (&named, language) {
                (Some(named), _) => named.as_str(),
                (None, "") => by_tool.into_iter().find(|word| self.name.all.contains(word)).unwrap_or_else(looks),
                (None, language) => language,
            };
            let language = language.to_owned();
            self.acts.push(Act::Code { code: code.clone(), language, dir: dir.cloned() });
        }
    }

    /// Whether the object holds a patch.
    fn patches(&mut self, members: &[Member], placed: bool, dir: Option<&Arc<str>>) -> bool {
        let mut found = false;
        for member in members {
            let key = member.key.as_str();
            let meant = w::PATCHES.contains(&key);
            // Beside a path, a patch text may be what a file is to hold.
            let maybe = w::MAYBE_PATCHES.contains(&key) && (!placed || matches!(key, "input" | "diff"));
            for text in member.texts.iter().filter(|text| meant || maybe && is_patch(text)) {
                found = true;
                self.patch(text, meant.then_some(placed), dir);
            }
        }
        found
    }

    /// Adds the files of a patch. `placed` says of a member that is a patch by its name whether a path stands beside it.
    fn patch(&mut self, text: &str, placed: Option<bool>, dir: Option<&Arc<str>>) {
        let read = patch(text);
        let nameless = read.files.is_empty() && placed == Some(false) && !text.trim().is_empty();
        if !read.whole || nameless && !text.contains("End Patch") {
            self.unread = Some("a patch that is cut off or names no file".to_owned());
        }
        for file in read.files {
            let dir = dir.cloned();
            match (file.change, file.moved_to) {
                (Change::Delete, _) => self.acts.push(Act::Delete { path: file.path, tree: false, dir }),
                (_, Some(to)) => {
                    self.acts.push(Act::Move { path: file.path, dir: dir.clone() });
                    self.acts.push(Act::Write { path: to, content: Some(file.added), whole: false, dir });
                }
                (change, None) => {
                    let whole = change == Change::Add;
                    self.acts.push(Act::Write { path: file.path, content: Some(file.added), whole, dir });
                }
            }
        }
    }

    fn files(
        &mut self,
        members: &[Member],
        object: &Fields<'_>,
        verb: Option<&str>,
        commands: bool,
        patched: bool,
        dir: Option<&Arc<str>>,
    ) {
        let name = verb.map_or_else(|| Name { all: self.name.all.clone(), own: self.name.own.clone() }, Name::new);
        let looks = name.says(w::LOOKS) && !name.changes();
        let held = content(members, object, looks);
        let writes = name.changes() || held.is_some() || patched;
        let held = held.flatten();
        let removes = name.says(w::REMOVES);
        let moves = !removes && (name.own.contains("move") || name.own.contains("rename"));
        let copies = name.own.contains("copy");
        let edits = ["edit", "replace", "insert", "append"].iter().any(|word| name.own.contains(word));
        let tree = ["dir", "folder", "tree", "recursive"].iter().any(|word| name.own.contains(word));
        for member in members {
            let key = member.key.as_str();
            let target = w::WRITES.contains(&key) || (moves || copies) && w::INTO.contains(&key);
            let from = (moves || copies) && w::FROM.contains(&key);
            let place = from || w::READS.contains(&key) || !commands && w::DIRECTORIES.contains(&key);
            let address = w::ADDRESSES.contains(&key);
            let is_file = |text: &str| text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"));
            let is_fetched = |text: &&String| text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"));
            if address || key == "uri" {
                let fetched = member.texts.iter().filter(is_fetched).cloned();
                self.acts.extend(fetched.map(|address| Act::Fetch { address }));
            }
            for text in member.texts.iter().filter(|text| target || place || address && is_file(text)) {
                let Some(path) = local(text) else { continue };
                let dir = dir.cloned();
                self.acts.push(if removes {
                    Act::Delete { path, tree, dir }
                } else if moves && place {
                    Act::Move { path, dir }
                } else if target || writes && !(copies && place) && !address {
                    Act::Write { path, content: held.clone(), whole: held.is_some() && !edits, dir }
                } else {
                    Act::Read { path, dir }
                });
            }
        }
        for (path, content) in object.iter().flat_map(|(key, value)| keyed(&small(&key.as_str()), value)) {
            let dir = dir.cloned();
            self.acts.push(if removes {
                Act::Delete { path, tree, dir }
            } else if looks {
                Act::Read { path, dir }
            } else {
                Act::Write { path, whole: content.is_some(), content, dir }
            });
        }
        let searches = ["grep", "search", "find"].iter().any(|word| name.own.contains(word));
        if searches {
            let one = |keys: &[&str]| {
                let member = members.iter().find(|member| keys.contains(&member.key.as_str()));
                member.and_then(|member| member.texts.first()).cloned()
            };
            if let Some(glob) = one(&["glob", "include", "includepattern", "filepattern", "fileglob"]) {
                let within = one(&["path", "dirpath", "directory", "folder", "dir"]);
                self.acts.push(Act::Search { glob, within, dir: dir.cloned() });
            }
        }
    }
}

/// Files whose paths are the names in an object, with what stands there as their content.
fn keyed(key: &str, value: &Raw<'_>) -> Vec<(String, Option<String>)> {
    let decoded = decoded(value).filter(|_| w::MAPS.contains(&key));
    let Some(object) = decoded.as_ref().unwrap_or(value).object().filter(|_| w::MAPS.contains(&key)) else {
        return Vec::new();
    };
    let is_path = |key: &str| key.contains(['/', '\\', '.', '~']);
    let files = object.iter().filter(|(key, _)| is_path(&key.as_str()));
    files
        .filter_map(|(path, content)| {
            let content = content.as_str().map(std::borrow::Cow::into_owned);
            Some((local(&path.as_str())?, content))
        })
        .collect()
}

/// The command lines that a parameter holds: one text is a line, a list is one command with its arguments, or several lines.
fn lines(member: &Member, arguments: Option<&Member>) -> Vec<String> {
    let key = member.key.as_str();
    let several = matches!(key, "commands" | "cmds");
    match member.texts.as_slice() {
        [only] if key != "argv" && (!member.list || arguments.is_some() && !several) => match arguments {
            Some(arguments) if arguments.list => vec![format!("{only} {}", joined(&arguments.texts))],
            Some(arguments) if !arguments.texts.iter().any(|text| text.trim_start().starts_with('{')) => {
                vec![format!("{only} {}", arguments.texts.join(" "))]
            }
            _ => vec![only.clone()],
        },
        [first, ..] if member.list && member.texts.len() > 1 && !first.contains(' ') && !several => {
            vec![joined(&member.texts)]
        }
        texts => texts.to_vec(),
    }
}

/// Words as one line of a shell.
fn joined(words: &[String]) -> String {
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,@+%".contains(c));
    let mut out = String::new();
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        if plain(word) {
            out.push_str(word);
        } else {
            out.push('\'');
            out.push_str(&word.replace('\'', r"'\''"));
            out.push('\'');
        }
    }
    out
}

fn looks_like_javascript(code: &str) -> bool {
    ["require(", "const ", "let ", "var ", "=>", "await ", "process.", "console.", "function ", ".then("]
        .iter()
        .any(|sign| code.contains(sign))
}
