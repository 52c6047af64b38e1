//! Goes through every command of a tree, wherever it stands, with what surrounds it.

use super::tree::{Command, Compound, Heredoc, HeredocBody, List, Part, Redirect, Script, Subst, Word};

/// What surrounds a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Context {
    /// Its place in its pipeline, from 0.
    pub stage: usize,
    /// How many commands the pipeline has.
    pub stages: usize,
    /// It runs in the background.
    pub background: bool,
    /// It may not run: a branch, a loop, the right side of `&&` or `||`.
    pub conditional: bool,
    /// It stands in the body of a function.
    pub function: bool,
    /// It stands in a command or process substitution.
    pub substitution: bool,
    /// Levels of nesting.
    pub depth: usize,
}

/// Is told what a walk meets, in the order of the text.
pub trait Visit {
    /// A command, before what it holds.
    fn command(&mut self, command: &Command, context: Context) {
        let _ = (command, context);
    }
    /// A redirection.
    fn redirect(&mut self, redirect: &Redirect, context: Context) {
        let _ = (redirect, context);
    }
    /// A word of any kind.
    fn word(&mut self, word: &Word, context: Context) {
        let _ = (word, context);
    }
}

/// Walks through all of `script`. The depth of the tree is bounded by the parser's limits.
pub fn walk(script: &Script, visit: &mut dyn Visit) {
    let mut walker = Walker { heredocs: &script.heredocs, visit };
    walker.list(&script.list, Context::default());
}

/// Walks through one command. Bodies of here-documents stand in the script, and are passed over.
pub fn walk_command(command: &Command, visit: &mut dyn Visit) {
    let mut walker = Walker { heredocs: &[], visit };
    walker.command(command, Context { stages: 1, ..Context::default() });
}

struct Walker<'s, 'v> {
    heredocs: &'s [Heredoc],
    visit: &'v mut dyn Visit,
}

impl Walker<'_, '_> {
    fn list(&mut self, list: &List, context: Context) {
        for item in &list.items {
            let stages = item.pipeline.stages.len();
            for (stage, command) in item.pipeline.stages.iter().enumerate() {
                let context = Context {
                    stage,
                    stages,
                    background: context.background || item.background,
                    conditional: context.conditional || item.link != super::tree::Link::Then,
                    ..context
                };
                self.command(command, context);
            }
        }
    }

    fn inner(&mut self, list: &List, context: Context, conditional: bool) {
        self.list(
            list,
            Context { conditional: context.conditional || conditional, depth: context.depth + 1, ..context },
        );
    }

    fn command(&mut self, command: &Command, context: Context) {
        self.visit.command(command, context);
        match &command.kind {
            Compound::Simple(simple) => {
                for assign in &simple.assigns {
                    self.word(&assign.value, context);
                }
                self.words(&simple.words, context);
            }
            Compound::Group(list) | Compound::Subshell(list) => self.inner(list, context, false),
            Compound::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.inner(condition, context, false);
                    self.inner(body, context, true);
                }
                if let Some(body) = otherwise {
                    self.inner(body, context, true);
                }
            }
            Compound::While { condition, body, .. } => {
                self.inner(condition, context, false);
                self.inner(body, context, true);
            }
            Compound::For { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default(), context);
                self.inner(body, context, true);
            }
            Compound::ArithFor { head, body } => {
                self.word(head, context);
                self.inner(body, context, true);
            }
            Compound::Case(case) => {
                self.word(&case.word, context);
                for arm in &case.arms {
                    self.words(&arm.patterns, context);
                    self.inner(&arm.body, context, true);
                }
            }
            Compound::Function { body, .. } => {
                self.command(body, Context { function: true, conditional: true, depth: context.depth + 1, ..context });
            }
            Compound::Test(words) => self.words(words, context),
            Compound::Arith(word) => self.word(word, context),
            Compound::Coproc(body) => self.command(body, Context { depth: context.depth + 1, ..context }),
        }
        for redirect in &command.redirects {
            self.visit.redirect(redirect, context);
            self.word(&redirect.target, context);
            let body = redirect.heredoc.and_then(|index| self.heredocs.get(index));
            if let Some(HeredocBody::Expanded(parts)) = body.map(|heredoc| &heredoc.body) {
                self.parts(parts, context);
            }
        }
    }

    fn words(&mut self, words: &[Word], context: Context) {
        for word in words {
            self.word(word, context);
        }
    }

    fn word(&mut self, word: &Word, context: Context) {
        self.visit.word(word, context);
        self.parts(&word.parts, context);
    }

    fn parts(&mut self, parts: &[Part], context: Context) {
        for part in parts {
            match part {
                Part::Double(inner) | Part::Arith(inner) => self.parts(inner, context),
                Part::Command(subst) | Part::Process(_, subst) => self.subst(subst, context),
                Part::Param(param) => {
                    for word in param.subscript.iter().chain(param.operand.iter()) {
                        self.word(word, context);
                    }
                }
                Part::ExtGlob(_, words) | Part::Array(words) => self.words(words, context),
                Part::Literal(_) | Part::Quoted(_) | Part::Glob(_) | Part::Brace(_) | Part::Tilde(_) => {}
            }
        }
    }

    fn subst(&mut self, subst: &Subst, context: Context) {
        let context = Context { substitution: true, depth: context.depth + 1, ..context };
        self.list(&subst.list, context);
    }
}
