//! Lists, pipelines and compound commands, followed in the order in which the shell runs them.

use std::rc::Rc;

use super::action::Kind;
use super::bounds::Told;
use super::endless::{breeds, calls_itself_aside, endless};
use super::exec::Call;
use super::state::{Data, Function, MOST_VALUES, Var};
use super::taint::{TAINT_NETWORK, UNKNOWN, is_placeholder};
use super::{Interp, MOST_COMMANDS, MOST_LEVELS};
use crate::programs::HTTP_CLIENTS;
use crate::syntax::{Case, Command, Compound, Item, Link, List, Param, ParamOp, Part, Redirect, Simple, Span, Word};

/// Output beyond this length is not followed as text: what runs it runs what nobody has read.
pub(super) const MOST_OUTPUT: usize = super::MOST_NESTED;

/// Choices of values of several variables that are all followed.
const MOST_ROUNDS: usize = 64;
/// Choices of telling values, where those are more.
const MOST_TOLD: usize = 1024;
/// Variables of one command whose values are chosen; of the others, it is the first.
const MOST_NAMES: usize = 256;

/// What is said of a loop that is a fork bomb.
const LOOP: &str = "a loop that never ends starts processes";

/// Collects output.
#[derive(Default)]
pub(super) struct Output {
    /// All of it, as long as it is one text: a long one is not copied.
    only: Option<Data>,
    text: String,
}

impl Output {
    /// The same as [`Self::add`] of a text that others hold as well.
    pub(super) fn share(&mut self, data: &Data) {
        if self.only.is_none() && self.text.is_empty() && data.len() <= MOST_OUTPUT {
            self.only = Some(Data::clone(data));
        } else {
            self.add(data);
        }
    }

    pub(super) fn add(&mut self, data: &str) {
        if data.is_empty() {
            return;
        }
        if let Some(only) = self.only.take() {
            self.text.push_str(&only);
        }
        // What a program prints ends with its line.
        if self.text.ends_with(is_placeholder) {
            self.text.push('\n');
        }
        if self.text.len() + data.len() <= MOST_OUTPUT {
            self.text.push_str(data);
        } else {
            self.text.push_str(&super::taint::too_long(data));
        }
    }

    pub(super) fn data(self) -> Data {
        self.only.unwrap_or_else(|| self.text.into())
    }
}

impl Interp<'_> {
    /// Follows a list; gives what it prints.
    pub(super) fn list(&mut self, list: &List, stdin: &Data) -> Data {
        if let [item] = list.items.as_slice()
            && !item.background
        {
            return self.pipeline(item, stdin);
        }
        let mut output = Output::default();
        // Where the shell stands if an earlier part of an and-or list fails.
        let mut elsewhere: Vec<Option<String>> = Vec::new();
        for item in &list.items {
            let printed = match item.link {
                Link::Or => self.branch(|interp| interp.pipeline(item, stdin)),
                Link::And => {
                    let before = Rc::clone(&self.state.cwds);
                    let printed = self.pipeline(item, stdin);
                    if before != self.state.cwds {
                        elsewhere.extend(before.iter().cloned());
                    }
                    printed
                }
                Link::Then => {
                    self.may_stand(&mut elsewhere);
                    if item.background {
                        self.subshell(|interp| interp.pipeline(item, stdin))
                    } else {
                        self.pipeline(item, stdin)
                    }
                }
            };
            output.add(&printed);
        }
        self.may_stand(&mut elsewhere);
        output.data()
    }

    fn may_stand(&mut self, places: &mut Vec<Option<String>>) {
        for place in places.drain(..) {
            self.state.may_stand_at(place.as_deref());
        }
    }

    fn pipeline(&mut self, item: &Item, stdin: &Data) -> Data {
        self.with_inputs(|interp| interp.stages(item, stdin))
    }

    fn stages(&mut self, item: &Item, stdin: &Data) -> Data {
        match item.pipeline.stages.as_slice() {
            [] => Data::from(""),
            [only] => self.command(only, stdin),
            stages => {
                let mut data = Rc::clone(stdin);
                for (index, stage) in stages.iter().enumerate() {
                    let caught = u16::from(index + 1 < stages.len());
                    self.captured += caught;
                    data = self.subshell(|interp| interp.command(stage, &data));
                    self.captured -= caught;
                }
                data
            }
        }
    }

    /// Follows one command; gives what it prints.
    pub(super) fn command(&mut self, command: &Command, stdin: &Data) -> Data {
        self.commands += 1;
        self.beyond_state(command.span);
        if self.commands > MOST_COMMANDS || self.levels > MOST_LEVELS || self.gave_up {
            self.give_up_at(command.span);
            return Data::from("");
        }
        self.levels += 1;
        let outer = std::mem::replace(&mut self.shell_input, Rc::clone(stdin));
        let printed = self.any_command(command, stdin);
        self.shell_input = outer;
        self.levels -= 1;
        printed
    }

    fn any_command(&mut self, command: &Command, stdin: &Data) -> Data {
        if let Compound::Simple(simple) = &command.kind {
            return self.each_pick(simple, &command.redirects, |interp| interp.simple(simple, command, stdin));
        }
        let io = self.redirections(&command.redirects, stdin, command.span);
        let before = self.open(&io);
        let stdin = Rc::clone(&io.stdin);
        let printed = self.compound(command, &stdin);
        self.close(before);
        self.empties_inputs(&io.emptied, &printed, command.span);
        self.deliver(printed, io, command.span)
    }

    fn compound(&mut self, command: &Command, stdin: &Data) -> Data {
        match &command.kind {
            Compound::Simple(_) => Data::from(""),
            Compound::Group(list) => self.list(list, stdin),
            Compound::Subshell(list) => self.subshell(|interp| interp.list(list, stdin)),
            Compound::Coproc(inner) => self.coprocess(inner, stdin),
            Compound::If(arms, otherwise) => {
                let mut output = Output::default();
                let mut ways = Vec::new();
                for (condition, body) in arms {
                    output.add(&self.list(condition, stdin));
                    let before = self.state.clone();
                    self.conditional_depth += 1;
                    output.add(&self.list(body, stdin));
                    self.conditional_depth -= 1;
                    ways.push(std::mem::replace(&mut self.state, before));
                }
                if let Some(body) = otherwise {
                    self.conditional_depth += 1;
                    output.add(&self.list(body, stdin));
                    self.conditional_depth -= 1;
                }
                for way in &ways {
                    self.state.join(way);
                }
                output.data()
            }
            Compound::While { until, condition, body } => {
                let mut output = Output::default();
                let params = self.state.params.len();
                output.add(&self.list(condition, stdin));
                self.fork_bomb(endless(condition, *until) && breeds(body), LOOP, command);
                output.add(&self.branch(|interp| interp.list(body, stdin)));
                self.further_parameters(body, stdin, params, &mut output);
                output.data()
            }
            Compound::ArithFor { head, body } => {
                let value = self.value_of(head);
                self.arithmetic(&value, command.span);
                let empty =
                    |part: &Part| matches!(part, Part::Literal(text) if text.trim_matches([';', ' ']).is_empty());
                self.fork_bomb(head.parts.iter().all(empty) && breeds(body), LOOP, command);
                self.branch(|interp| interp.list(body, stdin))
            }
            Compound::For { name, words, body } => {
                let mut values: Vec<Data> = match words {
                    Some(words) => self.arguments(words).into_iter().map(Data::from).collect(),
                    None => self.state.params.iter().map(Rc::clone).collect(),
                };
                values.dedup();
                if values.is_empty() {
                    values.push(Data::from(UNKNOWN.to_string()));
                }
                if self.cut(&mut values, MOST_VALUES, command.span) {
                    values.push(Data::from(UNKNOWN.to_string()));
                }
                self.branch(|interp| {
                    interp.state.set(name, Var { values, ..Var::default() });
                    interp.list(body, stdin)
                })
            }
            Compound::Case(case) => self.case(case, stdin),
            Compound::Function { name, body } => {
                let target = format!("{name} starts itself again and again");
                self.fork_bomb(calls_itself_aside(body, name), &target, command);
                let function = Function { script: Rc::clone(&self.script), body: Rc::clone(body) };
                if !self.state.define(name, function) {
                    self.give_up_at(command.span);
                }
                if name == "command_not_found_handle" || name == "command_not_found_handler" {
                    // The shell calls it itself, for any program that there is not.
                    let call = Call { stdin: Data::from(""), span: command.span };
                    self.subshell(|interp| interp.exec(&[name.clone(), UNKNOWN.to_string()], &call));
                }
                Data::from("")
            }
            Compound::Test(words) => {
                let words: Vec<String> = words.iter().map(|word| self.value_of(word)).collect();
                self.compared(&words, command.span);
                Data::from("")
            }
            Compound::Arith(word) => {
                let value = self.value_of(word);
                self.arithmetic(&value, command.span);
                Data::from("")
            }
        }
    }

    /// The further rounds of a loop that goes through the parameters by `shift`: one for each that a rule may care about.
    fn further_parameters(&mut self, body: &List, stdin: &Data, before: usize, output: &mut Output) {
        let step = before.saturating_sub(self.state.params.len());
        if step == 0 {
            return;
        }
        let mut rounds = 0;
        while !self.state.params.is_empty() && !self.gave_up {
            let left = self.state.params.len();
            let next = self.state.params.iter().take(step).any(|value| self.is_telling_value(value));
            if next || rounds < MOST_VALUES {
                rounds += 1;
                output.add(&self.branch(|interp| interp.list(body, stdin)));
            }
            if self.state.params.len() == left {
                let params = Rc::make_mut(&mut self.state.params);
                params.drain(..step.min(params.len()));
            }
        }
    }

    fn fork_bomb(&mut self, is_one: bool, what: &str, command: &Command) {
        if is_one {
            self.act_at(Kind::ForkBomb, None, what.to_owned(), command.span);
        }
    }

    fn coprocess(&mut self, inner: &Command, stdin: &Data) -> Data {
        let printed = self.subshell(|interp| interp.command(inner, stdin));
        if printed.contains(TAINT_NETWORK) {
            self.connected(60);
            self.connected(61);
        }
        self.state.set("COPROC", Var::array(vec!["60".into(), "61".into()]));
        printed
    }

    fn case(&mut self, case: &Case, stdin: &Data) -> Data {
        let _ = self.value_of(&case.word);
        let before = self.state.clone();
        let mut after = before.clone();
        let mut output = Output::default();
        self.conditional_depth += 1;
        for arm in &case.arms {
            for pattern in &arm.patterns {
                let _ = self.value_of(pattern);
            }
            self.state = before.clone();
            output.add(&self.list(&arm.body, stdin));
            after.join(&self.state);
        }
        self.conditional_depth -= 1;
        self.state = after;
        output.data()
    }

    /// Runs a simple command once for each combination of values that its variables may have.
    fn each_pick(&mut self, simple: &Simple, redirects: &[Redirect], mut run: impl FnMut(&mut Self) -> Data) -> Data {
        if self.state.vars.values().all(|var| var.values.len() < 2) {
            return run(self);
        }
        let mut names = Vec::new();
        for word in simple.words.iter().chain(simple.assigns.iter().map(|assign| &assign.value)) {
            params_of(&word.parts, &mut names);
        }
        for redirect in redirects {
            params_of(&redirect.target.parts, &mut names);
        }
        let counts: Vec<(String, usize)> = names
            .into_iter()
            .filter(|name| !self.picks.iter().any(|(picked, _)| picked == name))
            .filter_map(|name| {
                let count = self.state.vars.get(&name)?.values.len();
                (count > 1).then_some((name, count))
            })
            .collect();
        if counts.is_empty() {
            return run(self);
        }
        let rounds = self.rounds(&counts, simple.words.first().map_or_else(Span::default, |word| word.span));
        let mut output = Output::default();
        let outer = self.picks.len();
        let start = self.state.clone();
        let mut after: Option<super::state::State> = None;
        for round in rounds {
            self.picks.extend(counts.iter().zip(round).map(|((name, _), index)| (name.clone(), index)));
            self.state = start.clone();
            self.commands += 1;
            output.add(&run(self));
            self.picks.truncate(outer);
            match &mut after {
                None => after = Some(self.state.clone()),
                Some(after) => after.join(&self.state),
            }
        }
        self.state = after.unwrap_or(start);
        output.data()
    }

    /// The choices of values with which a command is followed: all of them where they are few. Where they are many, each value once, and
    /// all choices among those that a rule may care about.
    fn rounds(&mut self, counts: &[(String, usize)], span: Span) -> Vec<Vec<usize>> {
        let product = |counts: &[Vec<usize>]| counts.iter().fold(1_usize, |all, some| all.saturating_mul(some.len()));
        let all: Vec<Vec<usize>> = counts.iter().map(|(_, count)| (0..*count).collect()).collect();
        if product(&all) <= MOST_ROUNDS {
            return choices(&all);
        }
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(1);
        let mut rounds: Vec<Vec<usize>> =
            (0..most).map(|round| counts.iter().map(|(_, count)| round.min(count - 1)).collect()).collect();
        if let [_] = counts {
            return rounds;
        }
        let telling: Vec<Vec<usize>> = counts
            .iter()
            .map(|(name, _)| {
                let values = self.state.vars.get(name).map(|var| var.values.as_slice()).unwrap_or_default();
                // The first stands for all that are ordinary.
                let mut told = Told::default();
                let tells = |(index, value): &(usize, &Data)| *index == 0 || told.is_new(value, &self.state.line);
                values.iter().enumerate().filter(tells).map(|(index, _)| index).collect()
            })
            .collect();
        if product(&telling) <= MOST_TOLD {
            rounds.extend(choices(&telling));
        } else {
            self.beyond(span);
        }
        rounds
    }

    /// Whether a word is a variable that the line does not set, and is no word at all where it is empty.
    fn vanishes(&self, word: &Word) -> bool {
        let [Part::Param(param)] = word.parts.as_slice() else { return false };
        let named = param.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        named && param.op == ParamOp::None && !self.state.vars.contains_key(param.name.as_str())
    }

    fn simple(&mut self, simple: &Simple, command: &Command, stdin: &Data) -> Data {
        if simple.words.is_empty() {
            let call = Call { stdin: Data::from(""), span: command.span };
            for assign in &simple.assigns {
                self.assign(assign);
                if let Some(value) = self.variable(&assign.name) {
                    self.command_variable(&assign.name, &value, &call);
                }
            }
            let io = self.redirections(&command.redirects, stdin, command.span);
            // `$(< file)` prints the file.
            let printed = if simple.assigns.is_empty() { Rc::clone(&io.stdin) } else { Data::from("") };
            self.empties_inputs(&io.emptied, &printed, command.span);
            return self.deliver(printed, io, command.span);
        }
        let io = self.redirections(&command.redirects, stdin, command.span);
        // A client is told to write what it fetches into one.
        let fetches = matches!(simple.words.first().map(|word| word.parts.as_slice()), Some([Part::Literal(name)])
            if HTTP_CLIENTS.contains(&super::exec::base_name(name).as_str()));
        let fetched = || Data::from(TAINT_NETWORK.to_string());
        self.process_input = Some(if fetches { fetched() } else { Rc::clone(&io.stdin) });
        // Words are expanded before the assignments in front of them take effect.
        let argv = if super::assign::loads_variables(simple) {
            let before = std::mem::replace(&mut self.loading, true);
            let argv = self.arguments(&simple.words);
            self.loading = before;
            argv
        } else {
            self.arguments(&simple.words)
        };
        let mut env = Vec::with_capacity(simple.assigns.len());
        for assign in &simple.assigns {
            let value = self.assigned(assign);
            env.push((assign.name.clone(), value));
        }
        if let [only] = argv.as_slice()
            && only == "exec"
        {
            return self.exec_redirections(io, &command.redirects);
        }
        self.spells_inputs(simple, &command.redirects);
        self.shell_on_connection(&argv, &io, command.span);
        let before = self.open(&io);
        let call = Call { stdin: Rc::clone(&io.stdin), span: command.span };
        let vanishes = simple.words.iter().any(|word| self.vanishes(word));
        let outer = std::mem::replace(&mut self.may_vanish, vanishes);
        let printed = self.exec_with(&env, &argv, &call);
        self.may_vanish = outer;
        if argv
            .first()
            .is_some_and(|head| matches!(head.as_str(), "declare" | "typeset" | "local" | "readonly" | "export"))
        {
            self.declared_arrays(simple);
        }
        self.close(before);
        self.empties_inputs(&io.emptied, &printed, command.span);
        self.deliver(printed, io, command.span)
    }
}

/// Every choice of one of each.
fn choices(of: &[Vec<usize>]) -> Vec<Vec<usize>> {
    of.iter().fold(vec![Vec::new()], |rounds, indices| {
        let each = |round: &Vec<usize>| {
            let round = round.clone();
            indices.iter().map(move |index| round.iter().copied().chain([*index]).collect())
        };
        rounds.iter().flat_map(each).collect()
    })
}

/// The names of the parameters in a word.
fn params_of(parts: &[Part], names: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Double(inner) | Part::Arith(inner) => params_of(inner, names),
            Part::Param(param) => {
                let Param { name, operand, .. } = param.as_ref();
                if !names.contains(name) && names.len() < MOST_NAMES {
                    names.push(name.clone());
                }
                if let Some(operand) = operand
                    && param.op != ParamOp::None
                {
                    params_of(&operand.parts, names);
                }
            }
            Part::Array(words) => words.iter().for_each(|word| params_of(&word.parts, names)),
            _ => {}
        }
    }
}
