//! What a command of PowerShell does, written for a POSIX shell.

use super::bind::{Bound, Command, name_of, names_harm};
use super::reader::Reader;
use super::value::{Piece, Value, literal};
use crate::programs::cmdlets::{self, Act, Cmdlet};
use crate::resolve::exec::quoted;
use crate::resolve::taint::TAINT_DECODED;

impl Reader<'_> {
    /// A command as text of a POSIX shell.
    pub(super) fn written(&mut self, command: &Command, piped: Option<String>) -> String {
        self.gave = None;
        let line = self.line(command, piped.as_deref());
        let line =
            if command.redirections.is_empty() { line } else { format!("{{ {line}\n}}{}", command.redirections) };
        match piped {
            // A filter that became part of the search before it.
            Some(before) if line.starts_with(&before) => line,
            Some(before) => format!("{before} | {line}"),
            None => line,
        }
    }

    fn line(&mut self, command: &Command, piped: Option<&str>) -> String {
        if command.called && (command.head.block.is_some() || command.head.code) {
            return self.run_value(&command.head);
        }
        if command.called
            && let Some(kept) = command.head.variable.as_ref().and_then(|name| self.splats.get(name)).cloned()
            && (kept.block.is_some() || kept.code)
        {
            let size = kept.block.as_ref().map_or(0, String::len) + kept.source.len();
            return if self.may_copy(size) { self.run_value(&kept) } else { ":".to_owned() };
        }
        let Some(name) = name_of(&command.head) else {
            return format!("{}{}", command.head.paths(), self.native(command));
        };
        let name = self.aliases.get(&name).cloned().unwrap_or(name);
        if self.functions.contains(&name) {
            return format!("{name}{}", self.native(command));
        }
        if name.rsplit_once('.').is_some_and(|(_, kind)| matches!(kind, "ps1" | "psm1")) {
            return format!("pwsh -File {}{}", command.head.paths(), self.native(command));
        }
        match cmdlets::find(&name) {
            Some(cmdlet) if !is_other_program(&name, command) => match self.bind(cmdlet, command) {
                Some(bound) if bound.only_says() => ":".to_owned(),
                Some(bound) => self.act(&name, cmdlet, &bound, command, piped),
                None => format!("{name}{}", self.native(command)),
            },
            _ => self.unknown_command(&name, command, piped),
        }
    }

    fn unknown_command(&self, name: &str, command: &Command, piped: Option<&str>) -> String {
        let blocks: Vec<&str> =
            command.arguments.iter().filter_map(|argument| argument.value.block.as_deref()).collect();
        if !blocks.is_empty() {
            return format!("{{ {}\n}}", blocks.join("\n"));
        }
        if cmdlets::looks(name) {
            return match piped {
                Some(_) => "cat".to_owned(),
                None => format!("{{ : {}\nprintf '%s\\n' {}\n}}", self.native(command), super::unknown()),
            };
        }
        if let Some((program, noun)) = cmdlets::removes_of_cloud(name) {
            let arguments = self.native(command);
            let tries = arguments.to_ascii_lowercase().contains("-whatif");
            return if tries { ":".to_owned() } else { format!("{program} {} delete{arguments}", quoted(noun)) };
        }
        // The case of a program's name does not matter.
        let head = if command.called { command.head.paths() } else { command.head.arguments() };
        let head = if head.contains('/') || command.called { head } else { quoted(name) };
        format!("{head}{}", self.native(command))
    }

    fn act(
        &mut self,
        name: &str,
        cmdlet: &'static Cmdlet,
        bound: &Bound,
        command: &Command,
        piped: Option<&str>,
    ) -> String {
        match cmdlet.act {
            Act::Plain => {
                // What comes through the pipe counts where no item is named.
                let named = cmdlet
                    .positions
                    .last()
                    .is_some_and(|last| bound.get(cmdlet.positions.first().unwrap_or(last)).is_some());
                let through = piped.is_some()
                    && (!named || cmdlet.piped.contains("{=pattern}") || cmdlet.piped.contains("{filepath}"));
                filled(if through { cmdlet.piped } else { cmdlet.command }, bound)
            }
            Act::Remove => removed(bound, piped.is_some()),
            Act::List => listed(bound),
            Act::Name => {
                let whole = |path: &&Value| {
                    path.items.iter().all(|word| literal(word).is_none_or(|text| !text.contains(['*', '?'])))
                };
                self.gave = bound.get("path").filter(|path| drive(path).is_none()).filter(whole).cloned();
                named(bound, piped.is_some())
            }
            Act::Join => {
                let (path, child) = (bound.get("path").cloned(), bound.get("childpath").cloned());
                let value = super::member::below(&[path.unwrap_or_default(), child.unwrap_or_default()]);
                let line = format!("printf '%s\\n' {}", value.paths());
                self.gave = Some(value);
                line
            }
            Act::New => made(bound),
            Act::Rename => renamed(bound),
            Act::Write => put(cmdlet, bound, piped.is_some()),
            Act::ForEach => for_each(bound),
            Act::Where => chosen(bound, piped),
            Act::Select => selected(bound),
            Act::Start => started(bound),
            Act::Request => request(bound, piped.is_some()),
            Act::Expression => match bound.get("command") {
                Some(value) => self.run_value(&Value { code: true, ..value.clone() }),
                None => "pwsh -Command -".to_owned(),
            },
            Act::Module => {
                match bound.get("name").filter(|name| name.literal().is_none_or(|name| name.contains(['/', '\\']))) {
                    Some(file) => format!("pwsh -File {}", file.paths()),
                    None => ":".to_owned(),
                }
            }
            Act::Block => self.blocks(bound),
            Act::Variable => self.set_variable(bound),
            Act::Alias => {
                let word = |name: &str| bound.get(name).and_then(Value::literal).map(|word| word.to_lowercase());
                if let Some((alias, of)) = word("name").zip(word("value")) {
                    self.aliases.insert(alias, of);
                }
                ":".to_owned()
            }
            Act::Registry => registry(cmdlet.command, bound),
            Act::Stop => stopped(bound, piped.is_some()),
            Act::Pass | Act::Print if piped.is_some() => "cat".to_owned(),
            Act::Pass | Act::Print => {
                let words: Vec<String> = bound.free.iter().map(Value::plain).collect();
                format!("printf '%s\\n' {}", words.join(" "))
            }
            Act::Object | Act::Silent if piped.is_some() => "cat > /dev/null".to_owned(),
            Act::Object | Act::Silent => {
                let words: Vec<String> = bound.values().map(Value::plain).collect();
                format!(": {}", words.join(" "))
            }
            Act::Own => format!("{name}{}", self.native(command)),
        }
    }

    fn blocks(&mut self, bound: &Bound) -> String {
        let runs: Vec<Value> = bound.values().filter(|value| value.block.is_some() || value.code).cloned().collect();
        let mut lines: Vec<String> = runs.iter().map(|value| self.run_value(value)).collect();
        let kept: Vec<Value> = bound
            .values()
            .filter_map(|value| self.splats.get(value.variable.as_ref()?))
            .filter(|value| value.block.is_some() || value.code)
            .cloned()
            .collect();
        for value in &kept {
            let size = value.block.as_ref().map_or(0, String::len);
            if self.may_copy(size) {
                lines.push(self.run_value(value));
            }
        }
        if let Some(file) = bound.get("filepath").filter(|file| file.block.is_none()) {
            lines.push(format!("pwsh -File {}", file.paths()));
        }
        if lines.is_empty() { ":".to_owned() } else { lines.join("\n") }
    }

    fn set_variable(&mut self, bound: &Bound) -> String {
        let Some(name) = bound.get("name").and_then(Value::literal) else { return ":".to_owned() };
        let name = super::render::identifier(&name.to_lowercase());
        let value = bound.get("value").cloned().unwrap_or_default();
        self.splats.insert(name.clone(), value.clone());
        format!("{name}{}", value.assigned("="))
    }

    /// What it takes to run a block or a text.
    pub(super) fn run_value(&mut self, value: &Value) -> String {
        if let Some(block) = &value.block {
            return format!("{{ {block}\n}}");
        }
        let Some(text) = value.literal() else {
            let word = Value { run: None, ..value.clone() };
            return format!("pwsh -Command {}", Value::word(word.joined(" ")).plain());
        };
        if value.decoded && names_harm(&text) {
            return format!("pwsh -Command {TAINT_DECODED}");
        }
        self.within(|reader| reader.of_text(&text))
    }
}

/// `sc delete x` is the program that manages services, whose name is an alias of another one.
fn is_other_program(name: &str, command: &Command) -> bool {
    let verb = command.arguments.first().and_then(|argument| argument.value.literal()).unwrap_or_default();
    let verb = verb.to_ascii_lowercase();
    cmdlets::is_program(name, &verb)
}

/// A command of the catalogue with what is given for its parameters.
fn filled(command: &str, bound: &Bound) -> String {
    let mut out = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((slot, then)) = after.split_once('}') else { break };
        out.push_str(&slot_of(slot, bound));
        rest = then;
    }
    out.push_str(rest);
    out.trim_end().to_owned()
}

/// What stands in one place of a command.
fn slot_of(slot: &str, bound: &Bound) -> String {
    if let Some((option, name)) = slot.split_once(' ') {
        let words = bound.get(name).map(Value::paths);
        return words.map_or_else(String::new, |words| format!("{option} {words}").trim_end().to_owned());
    }
    let (is_plain, name) = slot.strip_prefix('=').map_or((false, slot), |name| (true, name));
    bound.get(name).map_or_else(String::new, |value| if is_plain { value.plain() } else { value.paths() })
}

/// The drive that a path names, where it is none of files.
fn drive(value: &Value) -> Option<(String, String)> {
    let text = value.items.first().and_then(literal)?;
    let text = text.rsplit_once("::").map_or(text.as_str(), |(_, path)| path).to_owned();
    let lower = text.to_lowercase();
    if lower.starts_with("hkey_") {
        return Some(("hklm".to_owned(), text));
    }
    let (name, rest) = text.split_once(':')?;
    let name = name.to_lowercase();
    cmdlets::DRIVES.contains(&name.as_str()).then(|| (name, rest.trim_start_matches(['\\', '/']).to_owned()))
}

fn removed(bound: &Bound, piped: bool) -> String {
    let Some(path) = bound.get("path") else {
        if piped {
            return filled("xargs -d '\\n' rm {-r recurse} {-f force}", bound);
        }
        return ":".to_owned();
    };
    if let Some((name, rest)) = drive(path) {
        return match name.as_str() {
            "env" => format!("unset {}", super::render::identifier(&rest).to_uppercase()),
            "hklm" | "hkcu" | "hkcr" | "hku" | "registry" => format!("reg delete {} /f", path.plain()),
            _ => ":".to_owned(),
        };
    }
    // `rd /s /q x`, as the other shell of Windows has it.
    let is_flag = |word: &Vec<Piece>| literal(word).is_some_and(|word| word.len() == 2 && word.starts_with('/'));
    let tree = path
        .items
        .iter()
        .chain(bound.free.iter().flat_map(|value| &value.items))
        .any(|word| literal(word).is_some_and(|word| word.eq_ignore_ascii_case("/s")));
    let mut items: Vec<Vec<Piece>> = path.items.iter().filter(|word| !is_flag(word)).cloned().collect();
    if items.len() != path.items.len() || tree {
        items = bound.free.iter().flat_map(|value| &value.items).filter(|word| !is_flag(word)).cloned().collect();
    }
    let paths = Value { items, ..Value::default() };
    let narrowed = narrowing(bound);
    let recursive = tree || bound.has("recurse");
    if !narrowed.is_empty() {
        let depth = if recursive { "" } else { " -maxdepth 1" };
        return format!("find {} -mindepth 1{depth}{narrowed} -exec rm -rf {{}} +", dirs(&paths));
    }
    format!("rm{}{} {}", if recursive { " -r" } else { "" }, if bound.has("force") { " -f" } else { "" }, paths.paths())
}

/// What a search is narrowed to.
fn narrowing(bound: &Bound) -> String {
    let mut out = String::new();
    for name in ["filter", "include"] {
        if let Some(value) = bound.get(name) {
            let names: Vec<String> =
                value.items.iter().map(|word| format!("-name {}", super::value::as_text(word))).collect();
            match names.as_slice() {
                [only] => out.push_str(&format!(" {only}")),
                _ => out.push_str(&format!(" \\( {} \\)", names.join(" -o "))),
            }
        }
    }
    if let Some(value) = bound.get("exclude") {
        for word in &value.items {
            out.push_str(&format!(" ! -name {}", super::value::as_text(word)));
        }
    }
    out
}

/// The directories of a search; `x\*` is all that is in `x`.
fn dirs(paths: &Value) -> String {
    let items = paths.items.iter().map(|word| match literal(word) {
        Some(text) if text == "*" => vec![Piece::Bare(".".to_owned())],
        Some(text) => {
            let dir = text.strip_suffix("\\*").or_else(|| text.strip_suffix("/*")).unwrap_or(&text);
            vec![Piece::Bare(dir.to_owned())]
        }
        None => word.clone(),
    });
    let value = Value { items: items.collect(), ..Value::default() };
    let words = value.paths();
    if words.is_empty() { ".".to_owned() } else { words }
}

fn listed(bound: &Bound) -> String {
    let path = bound.get("path").cloned().unwrap_or_default();
    if let Some((name, rest)) = drive(&path) {
        return match name.as_str() {
            "env" if rest.is_empty() || rest.contains('*') => "printenv".to_owned(),
            "env" => format!("printenv {}", quoted(&rest)),
            _ => ":".to_owned(),
        };
    }
    let mut narrowed = narrowing(bound);
    let mut recursive = bound.has("recurse") || bound.has("depth");
    let mut at = dirs(&path);
    if let Some(text) = path.literal() {
        let text = text.replace('\\', "/");
        let (dir, leaf) = text.rsplit_once('/').unwrap_or((".", &text));
        if leaf.contains(['*', '?']) && leaf != "*" {
            // `src\*.log`
            narrowed.push_str(&format!(" -name {}", quoted(leaf)));
            at = Value::word(vec![Piece::Bare(dir.to_owned())]).paths();
        }
    }
    if bound.has("file") || bound.has("af") {
        narrowed.push_str(" -type f");
    } else if bound.has("directory") || bound.has("ad") {
        narrowed.push_str(" -type d");
    }
    recursive &= bound.get("depth").and_then(Value::literal).as_deref() != Some("0");
    let depth = if recursive { "" } else { " -maxdepth 1" };
    format!("find {at} -mindepth 1{depth}{narrowed}")
}

fn named(bound: &Bound, piped: bool) -> String {
    let Some(path) = bound.get("path") else { return if piped { "cat" } else { ":" }.to_owned() };
    match drive(path) {
        Some((name, rest)) if name == "env" && (rest.is_empty() || rest.contains('*')) => "printenv".to_owned(),
        Some((name, rest)) if name == "env" => format!("printenv {}", quoted(&rest)),
        Some(_) => format!("printf '%s\\n' {}", super::unknown()),
        None => format!("printf '%s\\n' {}", path.paths()),
    }
}

fn made(bound: &Bound) -> String {
    let mut path = bound.get("path").cloned().unwrap_or_default();
    if let Some(name) = bound.get("name") {
        let mut word = path.joined("");
        if !word.is_empty() {
            word.push(Piece::Bare("/".to_owned()));
        }
        word.extend(name.joined(""));
        path = Value::word(word);
    }
    if let Some((name, rest)) = drive(&path) {
        return match name.as_str() {
            "env" => format!(
                "export {}={}",
                super::render::identifier(&rest),
                bound.get("value").map_or(String::new(), Value::plain)
            ),
            "alias" | "variable" | "function" => ":".to_owned(),
            _ => registry("add", bound),
        };
    }
    let kind = bound.get("itemtype").or_else(|| bound.get("type")).and_then(Value::literal).unwrap_or_default();
    let target = bound.get("target").or_else(|| bound.get("value"));
    match (kind.to_lowercase().as_str(), bound.get("value")) {
        (kind, _) if kind.starts_with('d') => format!("mkdir -p {}", path.paths()),
        ("symboliclink" | "junction" | "hardlink", _) => {
            format!("ln -s {} {}", target.map_or(String::new(), Value::paths), path.paths())
        }
        (_, Some(value)) => format!("printf '%s\\n' {} > {}", value.plain(), path.paths()),
        _ if bound.has("force") => format!(": > {}", path.paths()),
        _ => format!("touch {}", path.paths()),
    }
}

fn renamed(bound: &Bound) -> String {
    let (Some(path), Some(name)) = (bound.get("path"), bound.get("newname")) else {
        return match bound.get("newname").or_else(|| bound.get("path")) {
            // `gci | ren -NewName { … }`
            Some(_) => "cat > /dev/null".to_owned(),
            None => ":".to_owned(),
        };
    };
    let mut to = name.joined("");
    if let Some(text) = path.literal()
        && let Some((dir, _)) = text.replace('\\', "/").rsplit_once('/')
    {
        to.insert(0, Piece::Bare(format!("{dir}/")));
    }
    format!("mv {} {}", path.paths(), Value::word(to).paths())
}

fn put(cmdlet: &Cmdlet, bound: &Bound, piped: bool) -> String {
    let sign = if bound.has("append") { ">>" } else { cmdlet.command };
    let Some(path) = bound.get("path") else { return "cat > /dev/null".to_owned() };
    if let Some((name, rest)) = drive(path) {
        return match name.as_str() {
            "env" => format!(
                "export {}={}",
                super::render::identifier(&rest),
                bound.get("value").map_or(String::new(), Value::plain)
            ),
            _ => ":".to_owned(),
        };
    }
    let value = bound.get("value").or_else(|| bound.get("inputobject"));
    let content = match value {
        Some(value) => format!("printf '%s\\n' {}", value.plain()),
        None if piped => "cat".to_owned(),
        None => ":".to_owned(),
    };
    let files: Vec<String> =
        path.items.iter().map(|word| format!("{content} {sign} {}", Value::word(word.clone()).paths())).collect();
    format!("{{ {}\n}}", files.join("\n"))
}

fn for_each(bound: &Bound) -> String {
    let blocks: Vec<&str> = bound.values().filter_map(|value| value.block.as_deref()).collect();
    if !blocks.is_empty() {
        return format!("while IFS= read -r psitem\ndo {}\ndone", blocks.join("\n"));
    }
    let member = bound.get("process").and_then(Value::literal).unwrap_or_default().to_lowercase();
    match cmdlets::method(&member).and_then(|command| command.split_once(" {this}")) {
        Some((command, _)) => format!("xargs -d '\\n' {command}"),
        None => "cat".to_owned(),
    }
}

/// The items that fit.
fn chosen(bound: &Bound, piped: Option<&str>) -> String {
    let filter = bound.get("filterscript");
    if let Some(before) = piped
        && before.starts_with("find ")
        && !before.contains(['|', '\n'])
    {
        // It is a condition of the search.
        return format!("{before} {}", condition(bound, filter));
    }
    let test = filter.and_then(|filter| filter.block.as_deref()).unwrap_or(":");
    format!("while IFS= read -r psitem\ndo {{ {test}\n}} > /dev/null\nprintf '%s\\n' \"${{psitem}}\"\ndone")
}

/// `{ $_.Extension -eq '.log' }` and `Name -like '*.log'` as a condition of a search.
fn condition(bound: &Bound, filter: Option<&Value>) -> String {
    let other = "-mtime +1".to_owned();
    let Some(filter) = filter else { return other };
    if filter.block.is_none() {
        let operator = ["like", "eq", "match", "in"].into_iter().find(|name| bound.has(name)).unwrap_or_default();
        let property = filter.literal().unwrap_or_default().to_lowercase();
        let wanted: Option<Vec<String>> =
            bound.get("value").map_or(Some(Vec::new()), |value| value.items.iter().map(literal).collect());
        return wanted.and_then(|wanted| names(&property, operator, &wanted)).unwrap_or(other);
    }
    let text = filter.source.trim();
    if text.to_lowercase().contains("psiscontainer") {
        return "-type f".to_owned();
    }
    let each: Option<Vec<String>> = text.split(" -or ").map(compared).collect();
    match each.as_deref() {
        Some([only]) => only.clone(),
        Some(several) => format!("\\( {} \\)", several.join(" -o ")),
        None => other,
    }
}

/// `$_.Name -eq 'x'` as a condition of a search.
fn compared(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['(', ')']);
    let mut words = text.splitn(3, char::is_whitespace);
    let property = words.next()?;
    let property = property.strip_prefix("$_.").or_else(|| property.strip_prefix("$PSItem."))?.to_lowercase();
    let operator = words.next()?.trim_start_matches('-').to_lowercase();
    let wanted: Vec<String> = words
        .next()?
        .trim_start_matches('@')
        .trim_matches(['(', ')'])
        .split(',')
        .map(|word| word.trim().trim_matches(['\'', '"']).to_owned())
        .collect();
    let plain = wanted.iter().all(|word| !word.contains(['\'', '"', '$', ' ', '(']));
    if plain { names(&property, &operator, &wanted) } else { None }
}

/// A search by the names of files.
fn names(property: &str, operator: &str, wanted: &[String]) -> Option<String> {
    let mut all = Vec::new();
    for wanted in wanted {
        let pattern = match (property, operator) {
            ("name" | "fullname" | "basename", "like" | "eq" | "in") => wanted.clone(),
            ("extension", "like" | "eq" | "in") => format!("*{wanted}"),
            ("name" | "fullname" | "extension", "match") => {
                let plain = wanted.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
                let is_plain =
                    !plain.is_empty() && plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
                if !is_plain {
                    return None;
                }
                format!("*{plain}*")
            }
            _ => return None,
        };
        all.push(format!("-name {}", quoted(&pattern)));
    }
    match all.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("\\( {} \\)", several.join(" -o "))),
    }
}

fn selected(bound: &Bound) -> String {
    let number = |name: &str| bound.get(name).map(Value::plain);
    if let Some(count) = number("first") {
        return format!("head -n {count}");
    }
    if let Some(count) = number("last") {
        return format!("tail -n {count}");
    }
    match number("skip") {
        Some(count) => format!("tail -n +{count}"),
        None => "cat".to_owned(),
    }
}

fn started(bound: &Bound) -> String {
    let Some(program) = bound.get("filepath") else { return ":".to_owned() };
    if program.literal().is_some_and(|text| text.contains("://")) {
        return format!("xdg-open {}", program.plain());
    }
    let arguments = match bound.get("argumentlist") {
        None => String::new(),
        Some(list) => match list.literal() {
            Some(text) => super::cmd::words(&text).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
            None => list.arguments(),
        },
    };
    let raised = bound.get("verb").and_then(Value::literal).is_some_and(|verb| verb.eq_ignore_ascii_case("runas"));
    format!("{}{} {arguments}", if raised { "sudo " } else { "" }, program.paths())
}

fn request(bound: &Bound, piped: bool) -> String {
    if let Some(source) = bound.get("source") {
        let to = bound.get("destination");
        let up = bound
            .get("transfertype")
            .and_then(Value::literal)
            .is_some_and(|way| way.to_lowercase().starts_with("upload"));
        return match to {
            Some(to) if up => format!("curl -T {} {}", source.paths(), to.plain()),
            Some(to) => format!("curl -s -o {} {}", to.paths(), source.plain()),
            None => format!("curl -s -O {}", source.plain()),
        };
    }
    let mut out = "curl -s".to_owned();
    if let Some(method) = bound.get("method").or_else(|| bound.get("custommethod")) {
        out.push_str(&format!(" -X {}", method.plain().to_uppercase()));
    }
    if let Some(file) = bound.get("infile") {
        out.push_str(&format!(" -T {}", file.paths()));
    }
    if let Some(file) = bound.get("outfile") {
        out.push_str(&format!(" -o {}", file.paths()));
    }
    if let Some(headers) = bound.get("headers") {
        for (name, value) in &headers.table {
            let mut word = vec![Piece::Text(format!("{name}: "))];
            word.extend(value.joined(" "));
            out.push_str(&format!(" -H {}", super::value::as_text(&word)));
        }
    }
    if let Some(form) = bound.get("form") {
        for (name, value) in &form.table {
            let mut word = vec![Piece::Text(format!("{name}=@"))];
            word.extend(value.joined(" "));
            out.push_str(&format!(" -F {}", super::value::as_text(&word)));
        }
    }
    match bound.get("body") {
        Some(body) if body.table.is_empty() => out.push_str(&format!(" -d {}", Value::word(body.joined("\n")).plain())),
        Some(body) => {
            for (name, value) in &body.table {
                let mut word = vec![Piece::Text(format!("{name}="))];
                word.extend(value.joined(" "));
                out.push_str(&format!(" -d {}", super::value::as_text(&word)));
            }
        }
        None if piped => out.push_str(" -d @-"),
        None => {}
    }
    if let Some(address) = bound.get("uri") {
        out.push_str(&format!(" {}", address.plain()));
    }
    out
}

fn registry(verb: &str, bound: &Bound) -> String {
    let Some(path) = bound.get("path") else { return ":".to_owned() };
    match drive(path) {
        Some((name, _)) if name == "env" => ":".to_owned(),
        Some(_) => {
            let name = bound.get("name").map_or(String::new(), |name| format!(" /v {}", name.plain()));
            let value = bound.get("value").map_or(String::new(), |value| format!(" /d {}", value.plain()));
            format!("reg {verb} {}{name}{value} /f", path.plain())
        }
        None => format!("touch {}", path.paths()),
    }
}

fn stopped(bound: &Bound, piped: bool) -> String {
    if let Some(name) = bound.get("name") {
        return format!("pkill {}", name.plain());
    }
    match bound.get("id").or_else(|| bound.get("inputobject")) {
        Some(id) => format!("kill {}", id.arguments()),
        None if piped => "xargs kill".to_owned(),
        None => ":".to_owned(),
    }
}
