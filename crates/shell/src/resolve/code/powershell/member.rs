//! Members of values and classes: `.Delete()`, `::ReadAllText(…)`, `[0]`.

use super::expression::{replaced, reworked};
use super::reader::Reader;
use super::value::{Piece, Value};
use crate::programs::cmdlets;
use crate::resolve::printed::{decode_base64, utf16};
use crate::resolve::taint::TAINT_DECODED;

/// Members of one value, each of the one before.
const MOST_MEMBERS: u32 = 64;

/// Properties that say how much there is, and not what.
const COUNTS: &[&str] = &["length", "count", "exists", "hasvalue", "isreadonly", "statuscode"];

impl Reader<'_> {
    /// What follows a value: members, calls and subscripts.
    pub(super) fn postfix(&mut self, mut value: Value) -> Value {
        for members in 0.. {
            if members > MOST_MEMBERS {
                self.give_up();
                break;
            }
            if self.eat("::") {
                let name = self.member_name();
                value = self.of_class(&value, &name);
            } else if self.sees("++") || self.sees("--") {
                self.at += 2;
            } else if self.sees("[") {
                self.bump();
                let index = self.within(|reader| {
                    reader.blanks(true);
                    reader.expression()
                });
                self.close("]");
                value = element(value, &index);
            } else if (self.sees(".") && !self.sees("..") || self.sees("?.")) && self.has_member() {
                self.eat("?");
                self.bump();
                let name = self.member_name();
                value = self.of_value(value, &name);
            } else {
                break;
            }
        }
        value
    }

    fn has_member(&self) -> bool {
        let rest = self.rest().trim_start_matches('?');
        rest.get(1..).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"' | '\'' | '$' | '('))
        })
    }

    fn member_name(&mut self) -> String {
        if let Some(word) = self.quotes() {
            return super::value::literal(&word).unwrap_or_default().to_lowercase();
        }
        if self.sees("$") {
            let _ = self.variable();
            return "invoke".to_owned();
        }
        self.name()
    }

    /// The arguments of a call, if it is one.
    fn call_arguments(&mut self) -> Option<Vec<Value>> {
        if !self.eat("(") {
            return None;
        }
        let arguments = self.within(|reader| {
            let mut arguments = Vec::new();
            loop {
                reader.blanks(true);
                match reader.peek() {
                    None | Some(')' | '}' | ';') => return arguments,
                    Some(',') => {
                        reader.bump();
                    }
                    Some(_) => {
                        let before = reader.at;
                        arguments.push(reader.argument());
                        if reader.at == before {
                            reader.bump();
                        }
                    }
                }
            }
        });
        self.close(")");
        Some(arguments)
    }

    /// One argument: an expression in which a comma parts arguments.
    fn argument(&mut self) -> Value {
        let mut value = self.unary();
        loop {
            self.blanks(true);
            if !(self.eat("+") || self.eat("*")) {
                break;
            }
            let next = self.unary();
            value = super::expression::joined_with(value, &next);
        }
        // What is left of an operator that is not followed here.
        if self.sees("-") {
            self.bump();
            self.name();
            self.blanks(true);
            let next = self.unary();
            return super::expression::append(value, next);
        }
        value
    }

    fn of_class(&mut self, value: &Value, name: &str) -> Value {
        let class = value.class.as_str();
        let Some(arguments) = self.call_arguments() else {
            return property_of_class(class, name);
        };
        let first = arguments.first().cloned().unwrap_or_default();
        match (class, name) {
            ("convert", "frombase64string") => decoded(&first),
            ("scriptblock", "create") => Value { code: true, run: None, ..first },
            ("environment", "getenvironmentvariable") => match first.literal() {
                Some(name) => super::render::environment(&name),
                None => Value::text(&super::unknown()),
            },
            ("environment", "getfolderpath") => special_dir(&first),
            ("string", "join") => {
                let all = arguments.iter().skip(1).cloned().fold(Value::default(), super::expression::append);
                Value::word(all.joined(&first.literal().unwrap_or_default()))
            }
            ("string", "format") => {
                let all = arguments.iter().skip(1).cloned().fold(Value::default(), super::expression::append);
                let mut word = first.joined("");
                word.extend(all.joined(" "));
                Value::word(word)
            }
            ("io.path", "combine" | "join") => below(&arguments),
            ("environment", "exit") => Value { truth: true, ..Value::default() },
            _ => match cmdlets::call(class, name) {
                Some(command) => Value::output(filled(command, value, &arguments)),
                None => passed_on(&arguments),
            },
        }
    }

    fn of_value(&mut self, value: Value, name: &str) -> Value {
        let Some(arguments) = self.call_arguments() else { return property(value, name) };
        let first = arguments.first().cloned().unwrap_or_default();
        match name {
            "invoke" | "invokereturnasis" | "invokescript" | "begininvoke" => {
                let code = if value.class.is_empty() && (value.code || value.block.is_some()) {
                    value
                } else {
                    append_code(value, first)
                };
                Value::output(self.run_value(&code))
            }
            "getstring" | "expandstring" | "fromjson" | "getbytes" | "addscript" | "addcommand" => {
                Value { code: name.starts_with("add"), ..first }
            }
            "replace" => {
                let second = arguments.get(1).cloned().unwrap_or_default();
                replaced(&value, &super::expression::append(first, second))
            }
            "foreach" | "where" => match &first.block {
                Some(block) => Value::output(each(&value, block)),
                None => value,
            },
            "split" | "substring" | "remove" | "insert" | "padleft" | "padright" => reworked(&value),
            "trim" | "trimend" | "trimstart" | "tostring" | "tolower" | "toupper" | "gettype" | "getenumerator"
            | "toarray" | "getresult" | "getawaiter" | "readtoend" | "wait" => Value { truth: false, ..value },
            "contains" | "startswith" | "endswith" | "equals" | "containskey" => Value { truth: true, ..value },
            _ => {
                if let Some(command) = cmdlets::method(name) {
                    return Value::output(filled(command, &value, &arguments));
                }
                let all = arguments.into_iter().fold(value, super::expression::append);
                Value { run: None, ..all }
            }
        }
    }
}

fn append_code(value: Value, first: Value) -> Value {
    if first.block.is_some() || first.code { first } else { Value { code: true, ..value } }
}

/// Paths, each below the one before.
pub(super) fn below(parts: &[Value]) -> Value {
    let mut word = Vec::new();
    for part in parts {
        if !word.is_empty() {
            word.push(Piece::Text("/".to_owned()));
        }
        word.extend(part.joined(" "));
    }
    Value::word(word)
}

/// The commands that a block is for every item.
pub(super) fn each(value: &Value, block: &str) -> String {
    format!("for psitem in {}\ndo {block}\ndone", value.paths())
}

/// A command of the catalogue with what it is about.
fn filled(command: &str, this: &Value, arguments: &[Value]) -> String {
    let mut out = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((slot, then)) = after.split_once('}') else { break };
        let (as_it_is, slot) = slot.strip_prefix('=').map_or((false, slot), |slot| (true, slot));
        let value = match slot {
            "this" => Some(this),
            "last" => arguments.last(),
            number => number.parse::<usize>().ok().and_then(|index| arguments.get(index)),
        };
        if let Some(value) = value {
            out.push_str(&if as_it_is { value.plain() } else { value.paths() });
        }
        rest = then;
    }
    out.push_str(rest);
    out
}

fn property_of_class(class: &str, name: &str) -> Value {
    if class == "environment" {
        match name {
            "userprofile" | "homedirectory" => return super::render::environment("home"),
            "currentdirectory" => return super::render::variable("pwd"),
            "newline" => return Value::text("\n"),
            _ => {}
        }
    }
    // `[Text.Encoding]::Unicode`
    Value { class: format!("{class}.{name}"), ..Value::default() }
}

fn property(value: Value, name: &str) -> Value {
    if COUNTS.contains(&name) {
        return Value { truth: true, ..value };
    }
    if name == "historysavepath" {
        let word = vec![
            Piece::Code("${HOME}".to_owned()),
            Piece::Text("/.local/share/powershell/PSReadLine/ConsoleHost_history.txt".to_owned()),
        ];
        return Value::word(word);
    }
    if let Some((_, field)) = value.table.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)) {
        return field.clone();
    }
    // Setting a property sets no variable.
    Value { variable: None, ..value }
}

fn element(value: Value, index: &Value) -> Value {
    if let Some(name) = index.literal()
        && let Some((_, field)) = value.table.iter().find(|(field, _)| field.eq_ignore_ascii_case(&name))
    {
        return field.clone();
    }
    let at = index.literal().and_then(|text| text.parse::<usize>().ok());
    if value.items.len() > 1
        && let Some(item) = at.and_then(|at| value.items.get(at))
    {
        return Value::word(item.clone());
    }
    Value { variable: None, ..value }
}

/// What base64 stands for: text of either width where it is known.
fn decoded(value: &Value) -> Value {
    let Some(text) = value.literal() else {
        return Value::output(format!("printf '%s' {} | base64 -d", value.plain()));
    };
    let narrow = decode_base64(&text).filter(|text| !text.contains('\0'));
    match narrow.or_else(|| utf16(&text).filter(|text| !text.is_empty() && text.is_ascii())) {
        Some(text) => Value { decoded: true, ..Value::text(&text) },
        None => Value::text(&TAINT_DECODED.to_string()),
    }
}

fn special_dir(name: &Value) -> Value {
    let below = match name.literal().unwrap_or_default().to_lowercase().as_str() {
        "mydocuments" | "personal" => "/Documents",
        "desktop" | "desktopdirectory" => "/Desktop",
        "userprofile" => "",
        "applicationdata" => "/AppData/Roaming",
        "localapplicationdata" => "/AppData/Local",
        "startup" => "/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup",
        "windows" => return Value::text("C:/Windows"),
        "system" => return Value::text("C:/Windows/System32"),
        "programfiles" => return Value::text("C:/Program Files"),
        _ => return Value::text(&super::unknown()),
    };
    Value::word(vec![Piece::Code("${HOME}".to_owned()), Piece::Text(below.to_owned())])
}

/// What a function that is not known makes of its arguments.
fn passed_on(arguments: &[Value]) -> Value {
    let all = arguments.iter().cloned().fold(Value::default(), super::expression::append);
    if all.items.is_empty() { Value::text(&super::unknown()) } else { Value { run: None, ..all } }
}
