//! Statements and pipelines.

use super::reader::Reader;
use super::render::identifier;
use super::value::Value;

/// Words that begin a statement.
const KEYWORDS: &[&str] = &[
    "if", "while", "for", "foreach", "do", "switch", "try", "catch", "finally", "trap", "function", "filter", "param",
    "return", "throw", "exit", "break", "continue", "begin", "process", "end", "else", "elseif", "class", "enum",
    "using", "dynamicparam", "clean", "workflow",
];

/// Commands of one pipeline.
const MOST_STAGES: u32 = 128;

/// What an element of a pipeline is.
enum Element {
    /// An expression.
    Value(Value),
    /// A command, written for a POSIX shell.
    Line(String),
}

impl Reader<'_> {
    /// The whole text.
    pub(super) fn script(&mut self) -> String {
        let mut out = String::new();
        loop {
            out.push_str(&self.statements(None));
            if self.bump().is_none() {
                return out;
            }
        }
    }

    /// Statements up to a closing bracket, or the end of the text. The bracket stays.
    pub(super) fn statements(&mut self, until: Option<char>) -> String {
        let mut out = String::new();
        loop {
            self.blanks(true);
            match self.peek() {
                None => break,
                Some(';') => {
                    self.bump();
                    continue;
                }
                Some(c @ (')' | '}')) => {
                    if until.is_none_or(|until| until == c) || c == '}' || until == Some('}') && c == ')' {
                        break;
                    }
                    self.bump();
                    continue;
                }
                Some(_) => {}
            }
            let before = self.at;
            let line = self.statement();
            if !line.is_empty() {
                out.push_str(&line);
                out.push('\n');
            }
            if self.at == before {
                self.bump();
            }
        }
        if out.is_empty() { ":".to_owned() } else { out.trim_end().to_owned() }
    }

    /// `{ … }` as a list of commands.
    pub(super) fn block(&mut self) -> String {
        self.blanks(true);
        if !self.eat("{") {
            return ":".to_owned();
        }
        let list = self.within(|reader| {
            reader.blanks(true);
            reader.statements(Some('}'))
        });
        self.close("}");
        list
    }

    /// `( … )` as commands whose output is not shown.
    fn condition(&mut self) -> String {
        self.blanks(true);
        if !self.eat("(") {
            return ":".to_owned();
        }
        let line = self.within(Self::tested_pipeline);
        self.close(")");
        line
    }

    fn tested_pipeline(&mut self) -> String {
        self.blanks(true);
        let value = self.pipeline_value();
        value.tested()
    }

    fn sees_bar(&self) -> bool {
        self.sees("|") && !self.sees("||")
    }

    fn keyword(&mut self) -> Option<String> {
        let before = self.at;
        if !self.peek().is_some_and(char::is_alphabetic) {
            return None;
        }
        let name = self.name();
        let ends = self.peek().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '{' | ';' | '}' | ')'));
        // Words that are keywords in front of a block alone.
        let is_command = matches!(name.as_str(), "begin" | "process" | "end" | "clean" | "dynamicparam")
            && !self.rest().trim_start().starts_with('{');
        if ends && !is_command && KEYWORDS.contains(&name.as_str()) {
            return Some(name);
        }
        self.at = before;
        None
    }

    fn statement(&mut self) -> String {
        match self.keyword() {
            Some(keyword) => self.construct(&keyword),
            None => self.chain(),
        }
    }

    fn construct(&mut self, keyword: &str) -> String {
        match keyword {
            "if" | "elseif" => self.branches(),
            "while" => {
                let condition = self.condition();
                let body = self.block();
                format!("while {condition}\ndo {body}\ndone")
            }
            "do" => {
                let body = self.block();
                self.blanks(true);
                let before = self.at;
                if !matches!(self.name().as_str(), "while" | "until") {
                    self.at = before;
                    return body;
                }
                let condition = self.condition();
                format!("{{ {body}\n}}\n{condition}")
            }
            "for" => self.counted(),
            "foreach" => self.each(),
            "switch" => self.switch(),
            "function" | "filter" | "workflow" => self.function(),
            "param" => {
                self.blanks(true);
                if self.eat("(") {
                    self.balanced('(', ')');
                }
                String::new()
            }
            "return" | "exit" | "throw" | "break" | "continue" => {
                self.blanks(false);
                match self.peek() {
                    None | Some(';' | '\n' | '}' | ')') => ":".to_owned(),
                    Some(_) if keyword == "return" => self.chain(),
                    Some(_) => self.tested_pipeline(),
                }
            }
            "catch" | "trap" => {
                self.blanks(true);
                while self.eat("[") {
                    self.balanced('[', ']');
                    self.blanks(true);
                    self.eat(",");
                    self.blanks(true);
                }
                let body = self.block();
                format!("if :\nthen {body}\nfi")
            }
            "using" | "class" | "enum" => {
                let end = self.rest().find(['\n', ';', '{']).unwrap_or(self.rest().len());
                self.at += end;
                if self.eat("{") {
                    self.balanced('{', '}');
                }
                String::new()
            }
            _ => format!("{{ {}\n}}", self.block()),
        }
    }

    fn branches(&mut self) -> String {
        let mut out = format!("if {}\nthen {}", self.condition(), self.block());
        loop {
            let before = self.at;
            self.blanks(true);
            match self.keyword().as_deref() {
                Some("elseif") => {
                    out.push_str(&format!("\nelif {}\nthen {}", self.condition(), self.block()));
                }
                Some("else") => {
                    out.push_str(&format!("\nelse {}", self.block()));
                    break;
                }
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        out.push_str("\nfi");
        out
    }

    /// `for (…; …; …) { … }`
    fn counted(&mut self) -> String {
        self.blanks(true);
        let head = if self.eat("(") {
            let head = self.within(|reader| reader.statements(Some(')')));
            self.close(")");
            head
        } else {
            ":".to_owned()
        };
        let body = self.block();
        format!("{{ {head}\n}} > /dev/null\nwhile :\ndo {body}\ndone")
    }

    /// `foreach ($x in …) { … }`
    fn each(&mut self) -> String {
        self.blanks(true);
        if self.sees("-") {
            self.name();
            self.blanks(true);
        }
        if !self.eat("(") {
            return self.chain();
        }
        let (name, words) = self.within(|reader| {
            reader.blanks(true);
            let name = reader.variable().and_then(|value| value.variable).unwrap_or_default();
            reader.blanks(true);
            reader.name();
            reader.blanks(true);
            (name, reader.pipeline_value().paths())
        });
        self.close(")");
        let body = self.block();
        format!("for {} in {words}\ndo {body}\ndone", identifier(&name))
    }

    fn switch(&mut self) -> String {
        self.blanks(true);
        while self.sees("-") {
            self.bump();
            self.name();
            self.blanks(true);
        }
        let mut out = self.condition();
        self.blanks(true);
        if !self.eat("{") {
            return out;
        }
        self.within(|reader| {
            loop {
                reader.blanks(true);
                match reader.peek() {
                    None | Some('}') => break,
                    Some(';') => {
                        reader.bump();
                    }
                    Some('{') => {
                        let body = reader.block();
                        out.push_str(&format!("\nif :\nthen {body}\nfi"));
                    }
                    Some(_) => {
                        let before = reader.at;
                        let _ = reader.unary();
                        if reader.at == before {
                            reader.bump();
                        }
                    }
                }
            }
        });
        self.close("}");
        out
    }

    fn function(&mut self) -> String {
        self.blanks(true);
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | '{')).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().to_lowercase();
        self.at += end;
        self.blanks(true);
        if self.eat("(") {
            self.balanced('(', ')');
        }
        let body = self.block();
        let name = name.rsplit(':').next().unwrap_or_default();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
            return format!("if :\nthen {body}\nfi");
        }
        self.aliases.remove(name);
        self.functions.insert(name.to_owned());
        format!("{name}() {{ {body}\n}}")
    }

    /// Pipelines joined by `&&` and `||`.
    fn chain(&mut self) -> String {
        let mut out = self.pipeline();
        loop {
            self.blanks(false);
            let sign = if self.eat("&&") {
                " && "
            } else if self.eat("||") {
                " || "
            } else {
                if self.peek() == Some('&') {
                    self.bump();
                }
                return out;
            };
            self.blanks(true);
            out.push_str(sign);
            out.push_str(&self.pipeline());
        }
    }

    /// A pipeline as commands.
    fn pipeline(&mut self) -> String {
        match self.elements() {
            Element::Value(value) => value.shown(),
            Element::Line(line) => line,
        }
    }

    /// A pipeline as a value.
    pub(super) fn pipeline_value(&mut self) -> Value {
        match self.elements() {
            Element::Value(value) => value,
            Element::Line(line) => Value::output(line),
        }
    }

    fn elements(&mut self) -> Element {
        self.blanks(false);
        let first = if self.begins_expression() {
            match self.expression_statement() {
                Ok(value) => Element::Value(value),
                Err(line) => return Element::Line(line),
            }
        } else {
            let line = self.command(None);
            match self.gave.take() {
                Some(value) => Element::Value(Value { variable: None, ..value }),
                None => Element::Line(line),
            }
        };
        self.blanks(false);
        if !self.sees_bar() {
            return first;
        }
        let mut out = match first {
            Element::Value(value) => value.shown(),
            Element::Line(line) => line,
        };
        for stages in 0.. {
            if stages > MOST_STAGES {
                self.give_up();
                break;
            }
            // A pipe may go on in the next line.
            let before = self.at;
            self.blanks(true);
            if !self.sees_bar() {
                self.at = before;
                return Element::Line(out);
            }
            self.bump();
            self.blanks(true);
            out = self.command(Some(out));
        }
        Element::Line(out)
    }

    /// An expression, or the commands of an assignment.
    fn expression_statement(&mut self) -> Result<Value, String> {
        let value = self.expression();
        self.blanks(false);
        let sign = ["=", "+=", "-=", "*=", "/=", "%=", "??="].into_iter().find(|sign| self.sees(sign));
        let Some(sign) = sign.filter(|sign| *sign != "=" || !self.sees("==")) else { return Ok(value) };
        self.eat(sign);
        self.blanks(true);
        let given = match self.keyword() {
            Some(keyword) => Value::output(self.construct(&keyword)),
            None => self.pipeline_value(),
        };
        Err(self.assignment(&value, sign, &given))
    }

    fn assignment(&mut self, target: &Value, sign: &str, given: &Value) -> String {
        let Some(name) = &target.variable else { return format!("{}\n{}", target.tested(), given.tested()) };
        if name == "null" {
            return given.tested();
        }
        if let Some(variable) = name.strip_prefix("env:") {
            let upper = identifier(variable).to_uppercase();
            let set = given.assigned(if sign == "=" { "=" } else { "+=" });
            return format!("export {upper}{set}");
        }
        let is_list = given.items.len() > 1 || self.lists.contains(name);
        if given.items.len() > 1 || given.items.is_empty() && given.table.is_empty() && given.block.is_none() {
            self.lists.insert(name.clone());
        }
        let variable = identifier(name);
        if sign == "=" {
            self.splats.insert(name.clone(), given.clone());
        } else if sign == "+=" && is_list {
            let mut all = Value { items: target.items.clone(), ..Value::default() };
            all.items.extend(given.items.iter().cloned());
            return format!("{variable}{}", all.assigned("="));
        }
        if given.block.is_some() {
            // It counts where it is run.
            return ":".to_owned();
        }
        match sign {
            "=" | "??=" => format!("{variable}{}", given.assigned("=")),
            "+=" => format!("{variable}{}", given.assigned("+=")),
            _ => given.tested(),
        }
    }
}
