//! The proof: every part of a syntax tree, one after the other.

use super::option::{allows, read};
use super::script::only_prints;
use super::words::{Arg, args, is_harmless_setting, is_own_variable, only_reads};
use crate::options::{Grammar, Scan, Word as _, letters};
use crate::programs::{self, Program, Tool, VERBS, Way};
use crate::resolve::taint::glob;
use crate::syntax::{
    Assign, Command, Compound, Direction, HeredocBody, List, Part, Redirect, RedirectOp, Script, Simple, Static, Subst,
    Word, parse,
};

/// Levels of substitutions within each other that are looked into.
const MOST_SUBSTITUTIONS: u8 = 2;
/// Wrappers within each other.
const MOST_WRAPPERS: u8 = 4;
/// Compound commands within each other.
const MOST_LEVELS: u8 = 24;

/// A line that only reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Approved {
    /// The programs that it runs, each once, in the order of the text.
    pub programs: Vec<String>,
}

/// Judges a line: `None` if any part of it is not proven to read only.
pub fn judge(text: &str) -> Option<Approved> {
    judge_script(&parse(text))
}

/// The same of a script that is read.
pub(crate) fn judge_script(script: &Script) -> Option<Approved> {
    if !script.is_complete() || script.list.items.is_empty() {
        return None;
    }
    let mut judge = Judge { script, programs: Vec::new(), substitutions: 0, levels: 0 };
    judge.list(&script.list)?;
    Some(Approved { programs: judge.programs })
}

struct Judge<'s> {
    script: &'s Script,
    programs: Vec<String>,
    substitutions: u8,
    levels: u8,
}

/// What is proven is `Some`.
type Proof = Option<()>;

fn when(holds: bool) -> Proof {
    holds.then_some(())
}

impl Judge<'_> {
    fn list(&mut self, list: &List) -> Proof {
        self.levels += 1;
        when(self.levels <= MOST_LEVELS)?;
        for item in &list.items {
            for stage in &item.pipeline.stages {
                self.command(stage)?;
            }
        }
        self.levels -= 1;
        Some(())
    }

    fn command(&mut self, command: &Command) -> Proof {
        for redirect in &command.redirects {
            self.redirect(redirect)?;
        }
        match &command.kind {
            Compound::Simple(simple) => self.simple(simple),
            Compound::Group(list) | Compound::Subshell(list) => self.list(list),
            Compound::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.list(condition)?;
                    self.list(body)?;
                }
                otherwise.as_ref().map_or(Some(()), |body| self.list(body))
            }
            Compound::While { condition, body, .. } => {
                self.list(condition)?;
                self.list(body)
            }
            Compound::For { name, words, body } => {
                when(is_own_variable(name))?;
                self.words(words.as_deref().unwrap_or_default())?;
                self.list(body)
            }
            Compound::Case(case) => {
                self.word(&case.word)?;
                for arm in &case.arms {
                    self.words(&arm.patterns)?;
                    self.list(&arm.body)?;
                }
                Some(())
            }
            Compound::Test(words) => self.test(words),
            // A function gives a name another meaning, and arithmetic can run what a variable holds.
            Compound::ArithFor { .. } | Compound::Function { .. } | Compound::Arith(_) | Compound::Coproc(_) => None,
        }
    }

    /// `[[ … ]]` compares numbers as arithmetic, which can run what a variable holds; `-v` does the same with a subscript.
    fn test(&mut self, words: &[Word]) -> Proof {
        const ARITHMETIC: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"];
        let named =
            |word: &Word| matches!(word.static_value(), Static::Known(text) if ARITHMETIC.contains(&text.as_str()));
        when(!words.iter().any(named))?;
        self.words(words)
    }

    /// Nothing is written but to where nothing is kept, and no connection opened.
    fn redirect(&mut self, redirect: &Redirect) -> Proof {
        when(redirect.fd_name.is_none())?;
        let target = match redirect.target.static_value() {
            Static::Known(text) => Some(text),
            Static::Several(_) | Static::Dynamic => None,
        };
        match redirect.op {
            RedirectOp::Heredoc => match redirect.heredoc.and_then(|index| self.script.heredocs.get(index)) {
                Some(heredoc) => match &heredoc.body {
                    HeredocBody::Plain(_) => Some(()),
                    HeredocBody::Expanded(parts) => self.parts(parts),
                },
                None => None,
            },
            RedirectOp::HereString => self.word(&redirect.target),
            RedirectOp::In => match target {
                Some(path) => when(!path.starts_with("/dev/tcp/") && !path.starts_with("/dev/udp/")),
                // `< <(…)` reads what a command prints.
                None => match redirect.target.parts.as_slice() {
                    [Part::Process(..)] => self.word(&redirect.target),
                    _ => None,
                },
            },
            RedirectOp::DupIn | RedirectOp::DupOut => {
                when(target.is_some_and(|to| to == "-" || !to.is_empty() && to.chars().all(|c| c.is_ascii_digit())))
            }
            RedirectOp::Out | RedirectOp::Append | RedirectOp::OutErr | RedirectOp::AppendErr => {
                when(target.is_some_and(|to| matches!(to.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr")))
            }
            RedirectOp::Both => None,
        }
    }

    fn simple(&mut self, simple: &Simple) -> Proof {
        for assign in &simple.assigns {
            self.assign(assign, simple.words.is_empty())?;
        }
        if simple.words.is_empty() {
            return Some(());
        }
        self.words(&simple.words)?;
        self.call(&args(&simple.words), 0)
    }

    fn assign(&mut self, assign: &Assign, alone: bool) -> Proof {
        self.word(&assign.value)?;
        when(assign.subscript.is_none())?;
        let harmless = match assign.value.static_value() {
            Static::Known(value) => is_harmless_setting(&assign.name, &value),
            Static::Several(_) | Static::Dynamic => false,
        };
        when(harmless || alone && is_own_variable(&assign.name))
    }

    // Words, for the substitutions in them.

    fn words(&mut self, words: &[Word]) -> Proof {
        words.iter().try_for_each(|word| self.word(word))
    }

    fn word(&mut self, word: &Word) -> Proof {
        self.parts(&word.parts)
    }

    fn parts(&mut self, parts: &[Part]) -> Proof {
        self.levels += 1;
        when(self.levels <= MOST_LEVELS)?;
        for part in parts {
            match part {
                Part::Literal(_) | Part::Quoted(_) | Part::Glob(_) | Part::Brace(_) | Part::Tilde(_) => {}
                Part::Double(inner) => self.parts(inner)?,
                Part::Arith(inner) => {
                    // Without names nothing is looked up.
                    let number = |part: &Part| matches!(part, Part::Literal(text) if !text.contains(|c: char| c.is_alphabetic() || c == '_'));
                    when(inner.iter().all(number))?;
                }
                Part::Param(param) => {
                    when(only_reads(param))?;
                    for word in param.subscript.iter().chain(param.operand.iter()) {
                        self.word(word)?;
                    }
                }
                Part::Command(subst) | Part::Process(Direction::Read, subst) => self.substitution(subst)?,
                Part::Process(Direction::Write, _) => return None,
                Part::ExtGlob(_, words) | Part::Array(words) => self.words(words)?,
            }
        }
        self.levels -= 1;
        Some(())
    }

    fn substitution(&mut self, subst: &Subst) -> Proof {
        self.substitutions += 1;
        when(self.substitutions <= MOST_SUBSTITUTIONS)?;
        self.list(&subst.list)?;
        self.substitutions -= 1;
        Some(())
    }

    // Calls.

    /// A program with its arguments, or a wrapper around one.
    fn call(&mut self, words: &[Arg], wrappers: u8) -> Proof {
        let (head, args) = words.split_first()?;
        let name = program_name(head.text()?)?;
        let program = programs::named(name);
        let wrapper = program.and_then(|program| program.passes);
        // `command -v` is no wrapper.
        if let Some((wrapper, (mut rest, mut replaced))) =
            wrapper.and_then(|found| Some((found, leading(args, found.only)?)))
        {
            when(wrappers < MOST_WRAPPERS)?;
            rest = rest.get(wrapper.skip..)?;
            if wrapper.assigns {
                while let Some((name, value)) = rest.first().and_then(Arg::text).and_then(|arg| arg.split_once('=')) {
                    when(is_harmless_setting(name, value))?;
                    rest = rest.get(1..)?;
                }
            }
            self.remember(name);
            if rest.is_empty() {
                return when(wrapper.alone);
            }
            let mut inner = rest.to_vec();
            if wrapper.adds {
                match replaced.take() {
                    // What stands for the line that is read may become anything.
                    Some(mark) => inner.iter_mut().skip(1).for_each(|arg| {
                        if arg.text().is_none_or(|text| text.contains(&mark)) {
                            *arg = Arg::Wild;
                        }
                    }),
                    None => inner.push(Arg::Wild),
                }
            }
            return self.call(&inner, wrappers + 1);
        }
        let program = program?;
        if program.tool == Tool::Read {
            return read_builtin(args);
        }
        when(!is_forced(program, args))?;
        when(is_proven(program, args))?;
        self.remember(name);
        Some(())
    }

    fn remember(&mut self, name: &str) {
        if !self.programs.iter().any(|known| known == name) {
            self.programs.push(name.to_owned());
        }
    }
}

/// Whether an argument asks for force, whatever the program.
fn is_forced(program: &Program, args: &[Arg]) -> bool {
    Scan::new(args, Grammar { ends: true, ..Grammar::WORDS }).options().any(|given| {
        let arg = given.word;
        ["--force", "--hard", "--no-verify"].iter().any(|flag| arg.starts_with(flag))
            || program.tool == Tool::Git
                && letters(arg).is_some_and(|letters| letters.chars().all(char::is_alphabetic) && letters.contains('f'))
    })
}

/// The name of a program as it is looked up: plain, or in a directory of the system's.
fn program_name(head: &str) -> Option<&str> {
    let name = ["/bin/", "/usr/bin/"].iter().find_map(|dir| head.strip_prefix(dir)).unwrap_or(head);
    (!name.contains('/') && !name.is_empty()).then_some(name)
}

/// Reads options up to the first operand; gives the rest, and the value of `-I`. `None` if another option is there.
fn leading<'a>(args: &'a [Arg], only: &[&str]) -> Option<(&'a [Arg], Option<String>)> {
    let mut scan = Scan::new(args, Grammar { table: only, bundles: true, ends: true, ..Grammar::WORDS });
    let mut mark = None;
    while let Some(given) = scan.leading() {
        when(allows(only, &given))?;
        if given.is("-I") {
            mark = Some(given.value().unwrap_or_default().to_owned());
        }
    }
    Some((scan.rest(), mark))
}

/// `read` only fills variables that no program gives a meaning.
fn read_builtin(args: &[Arg]) -> Proof {
    let (names, _) = leading(args, &["-r", "-s", "-p=", "-t=", "-n=", "-d=", "-u="])?;
    when(names.iter().all(|name| name.text().is_some_and(is_own_variable)))
}

/// Whether one of the program's ways fits the call.
fn is_proven(program: &Program, args: &[Arg]) -> bool {
    let args = leading_of(program, args);
    program
        .reads
        .iter()
        .any(|way| way.verbs.iter().any(|verbs| behind(args, verbs).is_some_and(|rest| is_way(way, rest))))
}

/// The arguments behind the options that may stand before the verb.
fn leading_of<'a>(program: &Program, args: &'a [Arg]) -> &'a [Arg] {
    if program.before.is_empty() { args } else { leading(args, program.before).map_or(args, |(rest, _)| rest) }
}

/// The arguments behind these verbs; `None` if others are there.
fn behind<'a>(args: &'a [Arg], verbs: &str) -> Option<&'a [Arg]> {
    let mut rest = args;
    for verb in verbs.split_ascii_whitespace() {
        if verb == "**" {
            continue;
        }
        if verbs.starts_with("** ") {
            // Groups of commands come first; the verb ends them.
            let group = |arg: &&Arg| arg.text().is_some_and(|word| !word.starts_with('-') && !glob(verb, word));
            let groups = rest.iter().take_while(group).count();
            let known = rest.get(..groups)?;
            when(groups > 0 && !known.iter().filter_map(Arg::text).any(is_verb))?;
            rest = rest.get(groups..)?;
        }
        let word = rest.first()?.text()?;
        when(glob(verb, word))?;
        rest = rest.get(1..)?;
    }
    Some(rest)
}

/// Whether a word says that something is done, as `delete` and `delete-tags` do.
fn is_verb(word: &str) -> bool {
    VERBS.iter().any(|verb| word == *verb || word.strip_prefix(verb).is_some_and(|rest| rest.starts_with('-')))
}

fn is_way(way: &Way, args: &[Arg]) -> bool {
    let Some(read) = read(args, way) else { return false };
    let Some(language) = way.script else { return true };
    // What an option gives as script is not looked at, so that there has to be an operand.
    read.operands.first().and_then(|script| script.text()).is_some_and(|script| only_prints(script, language))
}
