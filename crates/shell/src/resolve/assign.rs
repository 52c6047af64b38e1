//! Assignments: values, arrays and their elements, other names of variables, and variables that a file is loaded into.

use std::rc::Rc;

use super::Interp;
use super::run::MOST_OUTPUT;
use super::state::{Data, Var};
use super::taint::GLOB_SET;
use crate::syntax::{Assign, Part, Simple};

impl Interp<'_> {
    pub(super) fn assigned(&mut self, assign: &Assign) -> Var {
        if let [Part::Array(words), ..] = assign.value.parts.as_slice() {
            let words = self.arguments(words);
            return array_of(&words);
        }
        Var::one(self.value_of(&assign.value))
    }

    pub(super) fn assign(&mut self, assign: &Assign) {
        let mut var = self.assigned(assign);
        let referred = self.state.vars.get(&assign.name).and_then(|old| old.refers.clone());
        if let Some(subscript) = &assign.subscript {
            let subscript = self.value_of(subscript);
            let mut whole = self.state.vars.get(&assign.name).cloned().unwrap_or_default();
            whole.put(&subscript, var.values.first().map_or_else(|| Data::from(""), Rc::clone), &self.state.line);
            var = whole;
        } else if assign.append {
            let old = self.state.vars.get(&assign.name).cloned().unwrap_or_default();
            if let (Some(items), Some(more)) = (&old.items, &var.items) {
                let mut all: Vec<Data> = items.iter().chain(more).map(Rc::clone).collect();
                self.cut(&mut all, super::state::MOST_GIVEN, crate::syntax::Span::default());
                var.items = Some(all);
            } else if let (Some(first), Some(more)) = (old.values.first(), var.values.first()) {
                let joined: Data = if first.len() + more.len() < MOST_OUTPUT {
                    format!("{first}{more}").into()
                } else {
                    super::taint::too_long(&format!("{first}{more}"))
                };
                var.values = vec![joined];
            }
        }
        let name = referred.as_ref().unwrap_or(&assign.name);
        self.unset.remove(name);
        self.state.set(name, var);
    }

    /// `declare -a NAME=(…)`: arrays among the arguments of a command.
    pub(super) fn declared_arrays(&mut self, simple: &Simple) {
        for word in simple.words.iter().skip(1) {
            if let [Part::Literal(head), Part::Array(words)] = word.parts.as_slice() {
                let name = head.trim_end_matches('=').trim_end_matches('+').to_owned();
                let words = self.arguments(words);
                self.state.set(&name, array_of(&words));
            }
        }
    }
}

/// An array of words, some of which may name their subscript: `[key]=value`.
fn array_of(words: &[String]) -> Var {
    let keyed = |word: &str| {
        let rest = word.strip_prefix([GLOB_SET, '['])?;
        rest.split_once("]=").map(|(key, value)| (Data::from(key), Data::from(value)))
    };
    let mut var = Var::array(Vec::new());
    let mut items = Vec::with_capacity(words.len());
    let mut keys: Vec<Data> = Vec::new();
    for word in words {
        if let Some((key, value)) = keyed(word) {
            keys.push(key);
            items.push(value);
        } else {
            if !keys.is_empty() {
                keys.push(items.len().to_string().into());
            }
            items.push(Data::from(word.as_str()));
        }
    }
    if keys.len() == items.len() {
        var.keys = keys;
    }
    var.values = vec![items.first().map_or_else(|| Data::from(""), Rc::clone)];
    var.items = Some(items);
    var
}

/// Whether what a command is given becomes variables: `export $(grep -v '^#' .env | xargs)`, `source <(cat .env)`.
pub(super) fn loads_variables(simple: &Simple) -> bool {
    let Some([Part::Literal(head)]) = simple.words.first().map(|word| word.parts.as_slice()) else { return false };
    let assigns = matches!(head.as_str(), "export" | "env" | "declare" | "typeset");
    let substitutes = |parts: &[Part]| match parts {
        // Not between quotes, so that each word of it is a variable of its own.
        [Part::Command(_)] => assigns || head == "eval",
        [Part::Process(..)] => matches!(head.as_str(), "source" | "."),
        [Part::Double(inner)] => head == "eval" && matches!(inner.as_slice(), [Part::Command(_)]),
        _ => false,
    };
    simple.words.iter().skip(1).any(|word| substitutes(&word.parts))
}
