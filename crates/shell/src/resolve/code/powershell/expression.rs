//! Expressions: operators, casts, lists, hash tables and script blocks.

use super::reader::Reader;
use super::value::{Piece, Value, Word, literal};
use crate::resolve::taint::TAINT_DECODED;

/// Elements of a list that are followed.
const MOST_ITEMS: usize = 4096;

/// Places of a text that are filled in.
const MOST_FILLED: usize = 64;

/// Operators whose result is true or false.
const COMPARES: &[&str] = &[
    "eq", "ne", "gt", "lt", "ge", "le", "like", "notlike", "match", "notmatch", "contains", "notcontains", "in",
    "notin", "is", "isnot", "and", "or", "xor", "ieq", "ine", "ceq", "cne", "ilike", "clike", "imatch", "cmatch",
    "band", "shl", "shr",
];

impl Reader<'_> {
    /// Whether what stands here is an expression and no command.
    pub(super) fn begins_expression(&self) -> bool {
        let rest = self.rest();
        let mut chars = rest.chars();
        match chars.next() {
            Some('\'' | '"' | '$' | '(' | '[' | '{' | '!' | '‘' | '’' | '“' | '”' | ',') => true,
            Some('@') => {
                rest.starts_with("@(") || rest.starts_with("@{") || rest.starts_with("@'") || rest.starts_with("@\"")
            }
            Some('-' | '+') => {
                chars.next().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '$' | '(' | '-' | '+'))
            }
            Some(c) if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
                rest.get(..end).is_some_and(|number| {
                    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                    digits.chars().all(|c| c.is_ascii_digit() || c == '.')
                        && !digits.is_empty()
                        && matches!(
                            number.get(digits.len()..).unwrap_or_default().to_ascii_lowercase().as_str(),
                            "" | "kb" | "mb" | "gb" | "tb" | "l" | "d"
                        )
                        || number.starts_with("0x")
                })
            }
            _ => false,
        }
    }

    /// An expression with its operators, from left to right.
    pub(super) fn expression(&mut self) -> Value {
        let mut left = self.list();
        loop {
            self.blanks(false);
            let Some(operator) = self.operator() else { return left };
            self.blanks(true);
            let right = self.list();
            left = combine(left, &operator, &right);
        }
    }

    fn operator(&mut self) -> Option<String> {
        for sign in ["..", "+", "*", "/", "%", "??"] {
            if self.sees(sign) && !self.rest().get(sign.len()..).is_some_and(|after| after.starts_with('=')) {
                self.eat(sign);
                return Some(sign.to_owned());
            }
        }
        let after = self.rest().strip_prefix('-')?;
        if after.starts_with('=') {
            return None;
        }
        self.bump();
        let name = if after.starts_with(|c: char| c.is_ascii_alphabetic()) { self.name() } else { "-".to_owned() };
        Some(name)
    }

    /// Values parted by commas.
    fn list(&mut self) -> Value {
        let mut value = self.unary();
        loop {
            let before = self.at;
            self.blanks(false);
            if !self.eat(",") {
                self.at = before;
                return value;
            }
            self.blanks(true);
            let next = self.unary();
            value = append(value, next);
        }
    }

    /// One value with the operators in front of it.
    pub(super) fn unary(&mut self) -> Value {
        self.within(Self::unary_within)
    }

    fn unary_within(&mut self) -> Value {
        self.blanks(false);
        if self.eat("!") {
            let value = self.unary();
            return truth(&[&value]);
        }
        if self.eat(",") || self.eat("++") || self.eat("--") || self.eat("+") {
            return self.unary();
        }
        if self.sees("-") {
            self.bump();
            let name = self.name();
            self.blanks(false);
            let value = self.unary();
            return match name.as_str() {
                "not" | "bnot" => truth(&[&value]),
                "join" => Value::word(value.joined("")),
                "split" => split(&value, " "),
                number if number.chars().all(|c| c.is_ascii_digit()) => Value::text(&format!("-{number}")),
                _ => value,
            };
        }
        if self.sees("[") {
            return self.cast();
        }
        self.primary()
    }

    /// `[type]value`, or a class.
    fn cast(&mut self) -> Value {
        self.bump();
        let name = self.balanced('[', ']').to_lowercase();
        let class = name.trim().strip_prefix("system.").unwrap_or(name.trim()).to_owned();
        let next = self.peek();
        if self.sees("::")
            || next.is_none_or(|c| c.is_whitespace() && c != ' ' || matches!(c, ')' | ';' | '|' | ',' | '.'))
        {
            let value = Value { class, ..Value::default() };
            return self.postfix(value);
        }
        let value = self.unary();
        match class.as_str() {
            "char" | "char[]" => characters(value),
            "void" => Value { items: Vec::new(), run: Some(value.tested()), ..Value::default() },
            "scriptblock" => Value { code: true, run: None, ..value },
            "bool" | "switch" => truth(&[&value]),
            // What the cast makes of a variable is still that variable where it is assigned to.
            _ => value,
        }
    }

    fn primary(&mut self) -> Value {
        if let Some(word) = self.quotes() {
            return self.postfix(Value::word(word));
        }
        let rest = self.rest();
        let value = if rest.starts_with("$(") || rest.starts_with("@(") {
            self.at += 2;
            let value = self.within(|reader| {
                reader.blanks(true);
                reader.several()
            });
            self.close(")");
            value
        } else if rest.starts_with("@{") {
            self.at += 2;
            let value = self.within(Self::table);
            self.close("}");
            value
        } else if rest.starts_with('(') {
            self.bump();
            let value = self.within(|reader| {
                reader.blanks(true);
                Value { variable: None, ..reader.pipeline_value() }
            });
            self.close(")");
            value
        } else if rest.starts_with('{') {
            let begin = self.at + 1;
            let block = self.block();
            let source = self.text.get(begin..self.at.saturating_sub(1)).unwrap_or_default().to_owned();
            Value { block: Some(block), source, ..Value::default() }
        } else if rest.starts_with(['$', '@']) {
            self.variable_here()
        } else {
            self.bareword()
        };
        self.postfix(value)
    }

    fn variable_here(&mut self) -> Value {
        if let Some(value) = self.variable() {
            return value;
        }
        self.bump();
        Value::default()
    }

    fn bareword(&mut self) -> Value {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\\'))).unwrap_or(rest.len());
        // A number may have a point, but a list `1..3` has two.
        let number = rest.get(..end).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        let end = if number && rest.get(end..).is_some_and(|after| after.starts_with('.') && !after.starts_with("..")) {
            let after = rest.get(end + 1..).unwrap_or_default();
            end + 1 + after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len())
        } else {
            end
        };
        self.at += end;
        Value::text(rest.get(..end).unwrap_or_default())
    }

    /// The statements of `$(…)` and `@(…)` as one list.
    fn several(&mut self) -> Value {
        let mut value = Value::default();
        let mut first = true;
        loop {
            self.blanks(true);
            match self.peek() {
                None | Some(')' | '}') => return value,
                Some(';') => {
                    self.bump();
                    continue;
                }
                Some(_) => {}
            }
            let before = self.at;
            let next = if self.begins_expression() {
                self.pipeline_value()
            } else {
                let mut lines = self.statements(Some(')'));
                lines.push('\n');
                Value::output(lines)
            };
            value = if first { Value { variable: None, ..next } } else { append(value, next) };
            first = false;
            if self.at == before {
                self.bump();
            }
        }
    }

    /// The fields of `@{ a = 1; b = 2 }`.
    fn table(&mut self) -> Value {
        let mut table = Vec::new();
        loop {
            self.blanks(true);
            match self.peek() {
                None | Some('}') => break,
                Some(';' | ',') => {
                    self.bump();
                    continue;
                }
                Some(_) => {}
            }
            let before = self.at;
            let name = self.field_name();
            self.blanks(true);
            if self.eat("=") {
                self.blanks(true);
                let value = self.pipeline_value();
                if table.len() < MOST_ITEMS {
                    table.push((name, value));
                }
            } else if self.at == before {
                self.bump();
            }
        }
        Value { table, ..Value::default() }
    }

    fn field_name(&mut self) -> String {
        if let Some(word) = self.quotes() {
            return literal(&word).unwrap_or_default();
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default().to_owned()
    }
}

/// A list with what another value adds.
pub(super) fn append(mut value: Value, next: Value) -> Value {
    if value.items.len() < MOST_ITEMS {
        value.items.extend(next.items);
    } else if value.items.len() == MOST_ITEMS {
        // There is more, which may be anything.
        value.items.push(vec![Piece::Text(super::unknown())]);
    }
    if let (Some(run), Some(then)) = (&value.run, &next.run) {
        value.run = Some(format!("{run}\n{then}"));
    } else {
        value.run = None;
    }
    value.variable = None;
    value.truth = false;
    value
}

/// True or false, for which these are looked at.
fn truth(of: &[&Value]) -> Value {
    let items = of.iter().flat_map(|value| value.items.iter().cloned()).collect();
    Value { items, truth: true, ..Value::default() }
}

/// Two texts as one.
pub(super) fn joined_with(mut left: Value, right: &Value) -> Value {
    let mut word = if left.items.len() == 1 { left.items.pop().unwrap_or_default() } else { left.joined(" ") };
    word.extend(right.joined(" "));
    Value { block: left.block, decoded: left.decoded || right.decoded, ..Value::word(word) }
}

fn combine(left: Value, operator: &str, right: &Value) -> Value {
    match operator {
        "+" if left.items.len() > 1 || right.items.len() > 1 => append(left, right.clone()),
        "+" => joined_with(left, right),
        "*" => Value::word(left.joined(" ")),
        "f" => format_of(&left, right),
        "join" => Value::word(left.joined(&right.literal().unwrap_or_default())),
        "split" => split(&left, &right.literal().unwrap_or_default()),
        "replace" | "ireplace" | "creplace" => replaced(&left, right),
        ".." => range(&left, right),
        "bxor" => Value::text(&TAINT_DECODED.to_string()),
        "as" => left,
        "??" => append(left, right.clone()),
        name if COMPARES.contains(&name) => truth(&[&left, right]),
        _ => {
            let mut value = truth(&[&left, right]);
            value.truth = false;
            Value::word(value.joined(""))
        }
    }
}

/// `'{0}{1}' -f 'a','b'`
fn format_of(left: &Value, right: &Value) -> Value {
    let Some(template) = left.literal() else {
        let mut word = left.joined("");
        word.extend(right.joined(" "));
        return Value::word(word);
    };
    let mut word = Word::new();
    let mut rest = template.as_str();
    let mut filled = 0;
    while let Some((before, after)) = rest.split_once('{').filter(|_| filled < MOST_FILLED) {
        filled += 1;
        word.push(Piece::Text(before.to_owned()));
        let Some((inner, then)) = after.split_once('}') else { break };
        let index = inner.split([':', ',']).next().and_then(|number| number.trim().parse::<usize>().ok());
        if let Some(item) = index.and_then(|index| right.items.get(index)) {
            word.extend(item.iter().cloned());
        }
        rest = then;
    }
    word.push(Piece::Text(rest.to_owned()));
    Value::word(word)
}

fn split(value: &Value, at: &str) -> Value {
    let Some(text) = value.literal().filter(|_| !at.is_empty() && at.chars().all(|c| !r"\.*+?()[]|^$".contains(c)))
    else {
        return Value { items: value.items.clone(), ..Value::default() };
    };
    let items = text.split(at).take(MOST_ITEMS).map(|part| vec![Piece::Text(part.to_owned())]).collect();
    Value { items, ..Value::default() }
}

/// `'a' -replace 'x','y'`
pub(super) fn replaced(value: &Value, with: &Value) -> Value {
    let from = with.items.first().and_then(literal);
    let to = with.items.get(1).map_or(Some(String::new()), literal);
    let plain = |text: &String| !text.is_empty() && !text.chars().any(|c| r"\.*+?()[]|^$".contains(c));
    match (value.literal(), from.filter(plain), to) {
        (Some(text), Some(from), Some(to)) if text.len() < 4096 && to.len() < 256 => {
            Value::text(&text.replace(&from, &to))
        }
        _ => reworked(value),
    }
}

/// A text made of another one, which is not known.
pub(super) fn reworked(value: &Value) -> Value {
    let input = Value::word(value.joined(" ")).plain();
    Value::output(format!("printf '%s\\n' {input} | sed {}", super::unknown()))
}

fn range(left: &Value, right: &Value) -> Value {
    let number = |value: &Value| value.literal().and_then(|text| text.parse::<i64>().ok());
    let Some((from, to)) = number(left).zip(number(right)).filter(|(from, to)| from <= to) else {
        return Value::text(&super::unknown());
    };
    let items = (from..=to).take(4).map(|number| vec![Piece::Text(number.to_string())]).collect();
    Value { items, ..Value::default() }
}

/// Numbers as the characters that they are.
fn characters(value: Value) -> Value {
    let of = |word: &Word| {
        let code = literal(word)?;
        let code =
            code.strip_prefix("0x").map_or_else(|| code.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?;
        char::from_u32(code).map(|c| vec![Piece::Text(c.to_string())])
    };
    let known: Option<Vec<Word>> = value.items.iter().map(of).collect();
    match known {
        Some(items) => Value { items, ..Value::default() },
        None => value,
    }
}
