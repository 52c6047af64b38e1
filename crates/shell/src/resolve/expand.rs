//! Words become arguments: variables, substitutions, quotes, tildes and braces, as far as their values are known.

use std::rc::Rc;

use super::state::{Data, Var};
use super::taint::{
    GLOB_ANY, GLOB_SET, GLOB_STAR, NOT_EMPTY, PARENT_PID, PROGRAM_OUTPUT, SHELL_PID, SUBSTITUTED, TAINT_LOADED,
    UNKNOWN, activate_globs, is_literal, is_placeholder, replaced, taint_of,
};
use super::{Interp, MOST_EXPANDED};
use crate::syntax::{BraceMark, Direction, Matches, Param, ParamOp, Part, Span, Subst, Word, excerpt, expand};

/// Beyond this, those words of a brace expansion are kept that a rule may care about.
const MOST_BRACED: usize = 256;

/// A field in the making.
#[derive(Default)]
struct Fields {
    done: Vec<String>,
    current: Option<String>,
}

impl Fields {
    fn push(&mut self, text: &str) {
        self.current.get_or_insert_default().push_str(text);
    }

    fn finish(&mut self) {
        self.done.extend(self.current.take());
    }

    /// Adds an unquoted value, which the shell splits and takes as a pattern.
    fn split(&mut self, value: &str, separators: &str) {
        let mut first = true;
        let is_separator = |c: char| separators.contains(c);
        if value.starts_with(is_separator) {
            self.finish();
        }
        for piece in value.split(is_separator).filter(|piece| !piece.is_empty()) {
            if !first {
                self.finish();
            }
            first = false;
            self.push(&activate_globs(piece));
        }
        if !first && value.ends_with(is_separator) {
            self.finish();
        }
    }
}

impl Interp<'_> {
    /// The arguments that the words become.
    pub(super) fn arguments(&mut self, words: &[Word]) -> Vec<String> {
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            self.fields_of(word, &mut out);
            if out.len() > 4096 {
                self.give_up();
                break;
            }
        }
        out
    }

    pub(super) fn fields_of(&mut self, word: &Word, out: &mut Vec<String>) {
        // The usual case first: nothing to expand, nothing to copy but the text.
        if let [Part::Literal(text)] = word.parts.as_slice() {
            out.push(text.clone());
            return;
        }
        let braces = word.parts.iter().any(|part| matches!(part, Part::Brace(BraceMark::Open)));
        if !braces {
            let mut fields = Fields::default();
            self.parts(&word.parts, &mut fields, false);
            fields.finish();
            out.append(&mut fields.done);
        } else if let Some(words) = expand(word) {
            let outer = self.copies.replace(Vec::new());
            for parts in words {
                let mut fields = Fields::default();
                self.parts(&parts, &mut fields, false);
                fields.finish();
                out.append(&mut fields.done);
            }
            self.copies = outer;
        } else {
            // More words than are listed: some of them, and one that stands for the rest.
            let some = excerpt(word);
            if some.exceeded {
                self.beyond(word.span);
            }
            let outer = self.copies.replace(Vec::new());
            let mut fields = Fields::default();
            for parts in some.words {
                self.parts(&parts, &mut fields, false);
                fields.finish();
            }
            self.parts(&word.parts, &mut fields, false);
            fields.push(&UNKNOWN.to_string());
            fields.finish();
            self.copies = outer;
            self.cut(&mut fields.done, MOST_BRACED, word.span);
            out.append(&mut fields.done);
        }
    }

    /// The value of a word where the shell neither splits nor lists files: assignments, `case`, here-strings.
    pub(super) fn value_of(&mut self, word: &Word) -> String {
        self.joined(&word.parts)
    }

    /// The value of parts that stand between quotes.
    pub(super) fn joined(&mut self, parts: &[Part]) -> String {
        let mut fields = Fields::default();
        self.parts(parts, &mut fields, true);
        fields.finish();
        let mut done = fields.done;
        if done.len() == 1 { done.pop().unwrap_or_default() } else { done.join(" ") }
    }

    fn parts(&mut self, parts: &[Part], fields: &mut Fields, quoted: bool) {
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => fields.push(text),
                Part::Double(inner) => {
                    fields.push("");
                    self.parts(inner, fields, true);
                }
                Part::Param(param) => self.param(param, fields, quoted),
                Part::Command(subst) => {
                    let output = self.substitution(subst);
                    let output = output.trim_end_matches('\n');
                    if !self.may_expand_to(output.len()) {
                        fields.push(&blur(output));
                    } else if quoted {
                        fields.push(output);
                    } else {
                        fields.split(output, &self.separators());
                    }
                }
                Part::Process(direction, subst) => {
                    let path = self.process_substitution(*direction, subst);
                    fields.push(&path);
                }
                Part::Arith(inner) => {
                    let value = self.joined(inner);
                    self.arithmetic(&value, Span::default());
                    fields.push(&number(value.trim()));
                }
                Part::Glob(c) => fields.push(&if quoted { c.to_string() } else { activate_globs(&c.to_string()) }),
                Part::ExtGlob(sign, words) => {
                    let alternatives: Vec<String> = words.iter().map(|word| self.value_of(word)).collect();
                    let known = match (sign, alternatives.as_slice()) {
                        ('@' | '+', [only]) => only.clone(),
                        _ => GLOB_STAR.to_string(),
                    };
                    fields.push(&known);
                }
                Part::Brace(mark) => fields.push(&mark.as_char().to_string()),
                Part::Tilde(name) => {
                    let path = match name.as_str() {
                        "" => self.home(),
                        "+" => self.state.cwd().map_or_else(|| UNKNOWN.to_string(), str::to_owned),
                        "-" => self.value("OLDPWD").unwrap_or_else(|| UNKNOWN.to_string()),
                        "root" => "/root".to_owned(),
                        name => format!("/home/{name}"),
                    };
                    fields.push(&path);
                }
                Part::Array(words) => {
                    let items = self.arguments(words);
                    fields.push(&items.join(" "));
                }
            }
        }
    }

    pub(super) fn separators(&self) -> String {
        let ifs = self.state.vars.get("IFS").and_then(|var| var.values.first());
        match ifs {
            Some(ifs) if is_literal(ifs) && !ifs.is_empty() => ifs.to_string(),
            _ => " \t\n".to_owned(),
        }
    }

    fn home(&self) -> String {
        self.variable("HOME").map_or_else(|| self.places.home.clone(), |value| value.to_string())
    }

    /// The value of a variable, as the choice of the moment has it. `None` if this line does not set it.
    pub(super) fn variable(&self, name: &str) -> Option<Data> {
        let var = self.state.var(name)?;
        let pick = self.picks.iter().find(|(picked, _)| picked == name).map_or(0, |(_, index)| *index);
        var.values.get(pick).or_else(|| var.values.first()).map(Rc::clone)
    }

    /// What a variable holds that comes from outside.
    fn inherited(&self, name: &str) -> Option<String> {
        Some(match name {
            "HOME" => self.places.home.clone(),
            "PWD" => self.state.cwd()?.to_owned(),
            "TMPDIR" | "TMP" | "TEMP" => "/tmp".to_owned(),
            // The directory that the session stood in before is most likely the project.
            "OLDPWD" => self.places.project.clone(),
            "SHELL" | "BASH" => "/bin/bash".to_owned(),
            "HISTFILE" => format!("{}/.bash_history", self.places.home),
            "PATH" => "/usr/local/bin:/usr/bin:/bin".to_owned(),
            "IFS" => " \t\n".to_owned(),
            "0" => "bash".to_owned(),
            "XDG_STATE_HOME" | "XDG_CONFIG_HOME" | "XDG_DATA_HOME" => self.known_files.dir_variable(name)?,
            "$" | "BASHPID" => SHELL_PID.to_string(),
            "PPID" => PARENT_PID.to_string(),
            "_" if !self.last_word.is_empty() => self.last_word.clone(),
            _ => return self.of_layout(name),
        })
    }

    /// What a variable of the host holds.
    fn of_layout(&self, name: &str) -> Option<String> {
        let layout = self.places.layout;
        if layout.project_variables.contains(&name) {
            return Some(self.places.project.clone());
        }
        if name == layout.client_dir_variable {
            return self.known_files.dir_variable(name);
        }
        let (_, file) = layout.file_variables.iter().find(|(known, _)| *known == name)?;
        Some(format!("{}/{file}", self.places.home))
    }

    /// Counts what words expand to, so that values which double again and again come to an end.
    fn may_expand_to(&mut self, length: usize) -> bool {
        self.expanded = self.expanded.saturating_add(length).saturating_add(1);
        let may = self.expanded <= MOST_EXPANDED;
        if !may {
            self.give_up();
        }
        may
    }

    fn param(&mut self, param: &Param, fields: &mut Fields, quoted: bool) {
        if !self.may_expand_to(0) {
            fields.push(&UNKNOWN.to_string());
            return;
        }
        // Commands within run, whatever the element is.
        let subscript = param.subscript.as_ref().map(|subscript| self.value_of(subscript));
        if let Some(subscript) = &subscript {
            self.arithmetic(subscript, Span::default());
        }
        let name = param.name.as_str();
        if !param.indirect
            && let Some(subscript) = subscript.as_deref().filter(|text| !matches!(*text, "@" | "*") && is_literal(text))
        {
            let found = self.state.var(name).filter(|var| var.items.is_some()).map(|var| var.element(subscript));
            if let (Some(element), ParamOp::None) = (found, param.op) {
                let element = element.unwrap_or_else(|| Data::from(""));
                self.several(&[element], fields, quoted, quoted);
                return;
            }
        }
        let all = matches!(name, "@" | "*") || subscript.as_deref().is_some_and(|text| matches!(text, "@" | "*"));
        // `${#@}`, `${#a[@]}`
        if param.op == ParamOp::Length && all {
            let count = if matches!(name, "@" | "*") {
                Some(self.state.params.len())
            } else {
                self.items(name).map(|items| items.len())
            };
            fields.push(&count.map_or_else(|| UNKNOWN.to_string(), |count| count.to_string()));
            return;
        }
        // `${@:2}`, `${a[@]:1:2}`
        if param.op == ParamOp::Substring && !param.indirect && all {
            let operand = param.operand.as_ref().map(|word| self.value_of(word)).unwrap_or_default();
            let items = if matches!(name, "@" | "*") {
                // `$0` comes first.
                let zero = self.value("0").unwrap_or_default();
                std::iter::once(Data::from(zero)).chain(self.state.params.iter().map(Rc::clone)).collect()
            } else {
                self.items(name).unwrap_or_default()
            };
            if let Some(slice) = slice(&items, &operand) {
                self.several(slice, fields, quoted, quoted);
                return;
            }
        }
        if param.op == ParamOp::None && !param.indirect {
            if matches!(name, "@" | "*") {
                let params = Rc::clone(&self.state.params);
                self.several(&params, fields, quoted && name == "@", quoted);
                return;
            }
            if let (Some(items), Some(_)) = (self.items(name), &param.subscript) {
                self.several(&items, fields, quoted, quoted);
                return;
            }
        }
        let value = self.param_value(param);
        if !self.may_expand_to(value.len()) {
            fields.push(&blur(&value));
        } else if quoted {
            fields.push(&value);
        } else {
            let separators = self.separators();
            fields.split(&value, &separators);
        }
    }

    fn items(&self, name: &str) -> Option<Vec<Data>> {
        self.state.var(name).and_then(|var| var.items.clone())
    }

    fn several(&mut self, items: &[Data], fields: &mut Fields, apart: bool, quoted: bool) {
        for (index, item) in items.iter().enumerate() {
            if !self.may_expand_to(item.len()) {
                fields.push(&UNKNOWN.to_string());
                return;
            }
            if index > 0 {
                if apart || !quoted {
                    fields.finish();
                } else {
                    fields.push(" ");
                }
            }
            if quoted {
                fields.push(item);
            } else {
                let separators = self.separators();
                fields.split(item, &separators);
            }
        }
    }

    /// The value of a parameter by name: set in this line, positional, or inherited.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        if let Some(value) = self.variable(name) {
            return Some(value.to_string());
        }
        if let Ok(index) = name.parse::<usize>()
            && index > 0
        {
            return self.state.params.get(index - 1).map(ToString::to_string);
        }
        match name {
            "@" | "*" => Some(self.state.params.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(" ")),
            "#" => Some(self.state.params.len().to_string()),
            _ if self.unset.contains(name) => None,
            _ => self.inherited(name),
        }
    }

    /// Whether this is a positional parameter that is not given. One that is not known may be several.
    fn is_beyond_parameters(&self, name: &str) -> bool {
        name.parse::<usize>().is_ok_and(|index| index > self.state.params.len())
            && self.state.params.iter().all(|param| is_literal(param))
    }

    fn param_value(&mut self, param: &Param) -> String {
        let mut name = param.name.clone();
        if param.indirect {
            let Some(target) = self.value(&name).filter(|target| is_literal(target)) else {
                return UNKNOWN.to_string();
            };
            name = target;
        }
        let known = self.value(&name);
        let operand = |interp: &mut Self| param.operand.as_ref().map(|word| interp.value_of(word)).unwrap_or_default();
        let loaded = known.is_none() && self.loaded_secrets && super::secret::is_secret_name(&name);
        let outside = known.is_none() && !loaded && param.op != ParamOp::Length;
        let named = if outside { self.named_secret(&name) } else { None };
        let unknown = || match named {
            Some(mark) => format!("{UNKNOWN}{mark}"),
            None if loaded => format!("{UNKNOWN}{TAINT_LOADED}"),
            None => UNKNOWN.to_string(),
        };
        let unset_here = self.unset.contains(name.as_str()) || self.is_beyond_parameters(&name);
        match param.op {
            ParamOp::None => known.unwrap_or_else(|| if unset_here { String::new() } else { unknown() }),
            ParamOp::Length => {
                known.filter(|value| is_literal(value)).map_or_else(unknown, |value| value.chars().count().to_string())
            }
            ParamOp::Default(empty) => {
                let default = operand(self);
                match known {
                    Some(value) if !(empty && value.is_empty()) => value,
                    _ => default,
                }
            }
            ParamOp::Assign(empty) => {
                let default = operand(self);
                match known {
                    Some(value) if !(empty && value.is_empty()) => value,
                    _ => {
                        self.state.set(&name, Var::one(default.as_str()));
                        // What the next copy of a braced word runs may see it.
                        self.copies = self.copies.take().map(|_| Vec::new());
                        default
                    }
                }
            }
            ParamOp::Alternate(empty) => {
                let alternate = operand(self);
                match known {
                    Some(value) if empty && value.is_empty() => String::new(),
                    None if unset_here => String::new(),
                    _ => alternate,
                }
            }
            ParamOp::RemovePrefix(longest) => {
                let pattern = operand(self);
                known.map_or_else(unknown, |value| remove_prefix(&value, &pattern, longest))
            }
            ParamOp::RemoveSuffix(longest) => {
                let pattern = operand(self);
                known.map_or_else(unknown, |value| remove_suffix(&value, &pattern, longest))
            }
            ParamOp::Replace(matches) => {
                let (pattern, with) = param.operand.as_ref().map(|word| self.replacement(word)).unwrap_or_default();
                known.map_or_else(unknown, |value| replace(&value, &pattern, &with, matches))
            }
            ParamOp::Substring => {
                let operand = operand(self);
                known.map_or_else(unknown, |value| substring(&value, &operand))
            }
            ParamOp::Case => {
                let _ = operand(self);
                // Names are compared without case further on, so which way it goes does not matter. A path is most likely meant as it is.
                let told = |value: String| if value.contains('/') { value } else { value.to_lowercase() };
                known.map_or_else(unknown, told)
            }
            ParamOp::Error(_) | ParamOp::Transform => {
                let how = operand(self);
                if param.op == ParamOp::Transform && how == "P" {
                    self.prompt(known.as_deref().unwrap_or_default(), param.span);
                }
                // `${x:?}` ends the line where there is nothing.
                let filled = if param.op == ParamOp::Error(true) { NOT_EMPTY.to_string() } else { String::new() };
                known.unwrap_or_else(|| unknown() + &filled)
            }
        }
    }

    /// A text that is shown as a prompt: only the substitutions in it run.
    pub(super) fn prompt(&mut self, text: &str, span: Span) {
        if text.contains("$(") || text.contains('`') {
            let text = format!(": \"{}\"", text.replace('"', ""));
            self.subshell(|interp| interp.nested(&text, span, &Data::from("")));
        }
    }

    /// Pattern and replacement of an operand, parted by the first `/` that is not quoted and stands in no value.
    fn replacement(&mut self, operand: &Word) -> (String, String) {
        let parted = |part: &Part| match part {
            Part::Literal(text) => text.split_once('/').map(|(head, tail)| (head.to_owned(), tail.to_owned())),
            _ => None,
        };
        let found = operand.parts.iter().enumerate().find_map(|(at, part)| Some((at, parted(part)?)));
        let Some((at, (head, tail))) = found else { return (self.joined(&operand.parts), String::new()) };
        let pattern = self.joined(operand.parts.get(..at).unwrap_or_default()) + &head;
        (pattern, tail + &self.joined(operand.parts.get(at + 1..).unwrap_or_default()))
    }

    /// The output of a command substitution. What it does is reported like everything else.
    fn substitution(&mut self, subst: &Subst) -> Data {
        self.once_a_word(subst, |interp| {
            interp.captured += 1;
            // `$(<file)` is `$(cat file)`.
            let input = Rc::clone(&interp.shell_input);
            let outer = std::mem::replace(&mut interp.inherited_input, Rc::clone(&input));
            let printed = interp.without_inputs(|interp| interp.subshell(|interp| interp.list(&subst.list, &input)));
            interp.inherited_input = outer;
            interp.captured -= 1;
            if printed.contains(UNKNOWN) && !printed.contains(SUBSTITUTED) {
                return Data::from(format!("{printed}{SUBSTITUTED}"));
            }
            printed
        })
    }

    /// What `run` gives; for the further copies that brace expansion makes of a word, what it gave for the first. They all do the same, and
    /// copies within copies would multiply.
    fn once_a_word(&mut self, subst: &Subst, run: impl FnOnce(&mut Self) -> Data) -> Data {
        let known = self.copies.as_ref().and_then(|copies| copies.iter().find(|(span, _)| *span == subst.span));
        if let Some((_, output)) = known {
            return Rc::clone(output);
        }
        let outer = self.copies.take();
        let output = run(self);
        self.copies = outer;
        if let Some(copies) = &mut self.copies {
            copies.push((subst.span, Rc::clone(&output)));
        }
        output
    }

    /// Runs a process substitution, and gives its path.
    fn process_substitution(&mut self, direction: Direction, subst: &Subst) -> Data {
        self.once_a_word(subst, |interp| {
            interp.processes += 1;
            let path = Data::from(format!("/dev/fd/proc{}", interp.processes));
            match direction {
                Direction::Read => {
                    let output = interp
                        .without_inputs(|interp| interp.subshell(|interp| interp.list(&subst.list, &Data::from(""))));
                    interp.files.insert(path.to_string(), output);
                }
                Direction::Write => {
                    let stdin = interp.process_input.clone().unwrap_or_else(|| Data::from(UNKNOWN.to_string()));
                    interp.without_inputs(|interp| interp.subshell(|interp| interp.list(&subst.list, &stdin)));
                }
            }
            path
        })
    }
}

/// A value that was changed in a way that is not followed: its origin stays.
fn blur(value: &str) -> String {
    let marks = taint_of(value);
    if marks.contains(PROGRAM_OUTPUT) { UNKNOWN.to_string() } else { marks }
}

/// Sums are rarely more than one number; all else is a number that is not known.
fn number(text: &str) -> String {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) { text.to_owned() } else { UNKNOWN.to_string() }
}

fn remove_prefix(value: &str, pattern: &str, longest: bool) -> String {
    // What is known to stand in front goes, whatever follows it.
    if !pattern.contains(['*', '?', '[', '\\'])
        && is_literal(pattern)
        && let Some(rest) = value.strip_prefix(pattern)
    {
        return rest.to_owned();
    }
    if !is_literal(value) || pattern.len() > LONGEST_CUT {
        return blur(value);
    }
    let cut = cuts(value, longest, true).into_iter().find(|cut| fits(pattern, value.get(..*cut).unwrap_or_default()));
    cut.and_then(|cut| value.get(cut..)).unwrap_or(value).to_owned()
}

fn remove_suffix(value: &str, pattern: &str, longest: bool) -> String {
    if !is_literal(value) || pattern.len() > LONGEST_CUT {
        return blur(value);
    }
    let cut = cuts(value, longest, false).into_iter().find(|cut| fits(pattern, value.get(*cut..).unwrap_or_default()));
    cut.and_then(|cut| value.get(..cut)).unwrap_or(value).to_owned()
}

/// The value with what fits the pattern replaced, where the pattern is a text.
fn replace(value: &str, pattern: &str, with: &str, matches: Matches) -> String {
    if pattern.is_empty() || !is_literal(pattern) || pattern.contains(['*', '?', '[']) {
        return blur(value);
    }
    let changed = match matches {
        Matches::All => Some(replaced(value, pattern, with)),
        Matches::First => Some(value.replacen(pattern, with, 1)),
        Matches::Start => value.strip_prefix(pattern).map(|rest| format!("{with}{rest}")),
        Matches::End => value.strip_suffix(pattern).map(|rest| format!("{rest}{with}")),
    };
    changed.unwrap_or_else(|| value.to_owned())
}

/// Values and patterns beyond this length are not looked through: the work is the product of both, and of the places to cut at.
const LONGEST_CUT: usize = 512;

/// The places to cut at, in the order in which they are tried.
fn cuts(value: &str, longest: bool, prefix: bool) -> Vec<usize> {
    if value.len() > LONGEST_CUT {
        return Vec::new();
    }
    let mut cuts: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    if longest == prefix {
        cuts.reverse();
    }
    cuts
}

fn fits(pattern: &str, text: &str) -> bool {
    if pattern.contains(UNKNOWN) { false } else { super::taint::may_match(pattern, text) }
}

/// The elements from an offset on, as many as the operand says. `None` if it does not say it in numbers.
fn slice<'d>(items: &'d [Data], operand: &str) -> Option<&'d [Data]> {
    let mut numbers = operand.split(':').map(|number| number.trim().parse::<i64>());
    let length = i64::try_from(items.len()).ok()?;
    let offset = numbers.next()?.ok()?;
    let start = if offset < 0 { (length + offset).max(0) } else { offset.min(length) };
    let end = match numbers.next() {
        None => length,
        Some(count) => start.saturating_add(count.ok()?.max(0)).min(length),
    };
    items.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn substring(value: &str, operand: &str) -> String {
    if !is_literal(value) {
        return blur(value);
    }
    let mut numbers = operand.split(':').map(|number| number.trim().parse::<i64>());
    let length = i64::try_from(value.chars().count()).unwrap_or(i64::MAX);
    let Some(Ok(offset)) = numbers.next() else { return UNKNOWN.to_string() };
    let start = if offset < 0 { (length + offset).max(0) } else { offset.min(length) };
    let end = match numbers.next() {
        None => length,
        Some(Ok(count)) if count >= 0 => start.saturating_add(count).min(length),
        Some(Ok(count)) => (length + count).max(start),
        Some(Err(_)) => return UNKNOWN.to_string(),
    };
    let skip = usize::try_from(start).unwrap_or(0);
    let take = usize::try_from(end - start).unwrap_or(0);
    value.chars().skip(skip).take(take).collect()
}

/// Text for messages: marks become signs that a user understands.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            GLOB_STAR => out.push('*'),
            GLOB_ANY => out.push('?'),
            GLOB_SET => out.push('['),
            SHELL_PID => out.push_str("$$"),
            PARENT_PID => out.push_str("$PPID"),
            c if is_placeholder(c) => out.push('…'),
            c => out.push(c),
        }
    }
    out
}
