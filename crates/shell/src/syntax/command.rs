//! Commands: lists, pipelines, compound commands, functions and simple commands.

use std::rc::Rc;

use super::cursor::Parser;
use super::tree::{Arm, Case, Command, Compound, Item, Link, List, Part, Pipeline, Simple, Why, Word};
use super::word::Mode;

/// Words that end a list in command position.
const CLOSERS: &[&str] = &["then", "do", "done", "fi", "elif", "else", "esac", "}"];

impl Parser<'_> {
    /// The list of the whole text: whatever cannot stand at the top is reported and passed over.
    pub(super) fn top_list(&mut self) -> List {
        let mut list = List::default();
        loop {
            self.list_into(&mut list);
            if self.at_end() || self.stopped {
                return list;
            }
            let start = self.at;
            let length = self.closer().map_or(1, str::len);
            let step = if self.looking_at(";;") { 2 } else { length };
            self.bump(step);
            while self.at < self.end && !self.text.is_char_boundary(self.at) {
                self.bump(1);
            }
            self.report(start, self.at, Why::Unexpected);
        }
    }

    /// A list within a construct.
    pub(super) fn nested_list(&mut self) -> List {
        self.deeper(|parser| {
            let mut list = List::default();
            parser.list_into(&mut list);
            list
        })
    }

    /// A list that has a stretch of text for itself.
    pub(super) fn nested_list_to_end(&mut self) -> List {
        self.deeper(|parser| {
            let list = parser.top_list();
            parser.take_heredocs();
            list
        })
    }

    /// Reads pipelines until something stands there that ends a list.
    fn list_into(&mut self, list: &mut List) {
        let mut link = Link::Then;
        loop {
            self.skip_lines();
            if self.at_end() || self.list_ends() {
                return;
            }
            let start = self.at;
            if matches!(self.peek(), b';' | b'&' | b'|') && !self.looking_at("&>") {
                // A separator with nothing before it.
                let step = if self.peek_at(1) == self.peek() { 2 } else { 1 };
                self.bump(step);
                self.report(start, self.at, Why::Unexpected);
                continue;
            }
            let pipeline = self.pipeline();
            if self.at == start {
                self.bump(1);
                self.report(start, self.at, Why::Unexpected);
                continue;
            }
            list.items.push(Item { link, background: false, pipeline });
            self.skip_blanks();
            link = Link::Then;
            match (self.peek(), self.peek_at(1)) {
                (b';', b';' | b'&') => return,
                (b'&', b'&') => {
                    self.bump(2);
                    link = Link::And;
                }
                (b'|', b'|') => {
                    self.bump(2);
                    link = Link::Or;
                }
                (b';', _) => self.bump(1),
                (b'&', _) => {
                    self.bump(1);
                    in_background(list);
                }
                (b'\n', _) if !self.at_end() => {}
                _ if self.at_end() || self.list_ends() => return,
                _ => {
                    let here = self.at;
                    // Two commands without a separator: both are kept.
                    self.report(here, here, Why::Unexpected);
                }
            }
        }
    }

    fn list_ends(&self) -> bool {
        match self.peek() {
            b')' => true,
            b';' => matches!(self.peek_at(1), b';' | b'&'),
            _ => self.closer().is_some(),
        }
    }

    /// The word of [`CLOSERS`] that stands here.
    fn closer(&self) -> Option<&'static str> {
        if !matches!(self.peek(), b't' | b'd' | b'f' | b'e' | b'}') {
            return None;
        }
        CLOSERS.iter().copied().find(|word| self.reserved(word))
    }

    /// Whether the reserved word stands here as a word of its own. A continued line after it is no part of it.
    fn reserved(&self, word: &str) -> bool {
        if !self.looking_at(word) {
            return false;
        }
        let mut after = word.len();
        while self.peek_at(after) == b'\\' && self.peek_at(after + 1) == b'\n' {
            after += 2;
        }
        ends_word(self.peek_at(after), self.at + after >= self.end)
    }

    fn eat_reserved(&mut self, word: &str) -> bool {
        self.skip_lines();
        let here = self.reserved(word);
        if here {
            self.bump(word.len());
        }
        here
    }

    fn expect_reserved(&mut self, word: &str, start: usize) {
        if !self.eat_reserved(word) && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let start = self.at;
        let mut pipeline = Pipeline::default();
        loop {
            self.skip_blanks();
            if self.reserved("!") {
                self.bump(1);
                pipeline.negated = !pipeline.negated;
            } else if self.reserved("time") && pipeline.stages.is_empty() {
                self.bump(4);
                self.skip_blanks();
                while self.reserved("-p") || self.reserved("--") {
                    self.bump(2);
                    self.skip_blanks();
                }
            } else {
                break;
            }
        }
        loop {
            self.skip_blanks();
            let before = self.at;
            while !pipeline.stages.is_empty() && self.reserved("!") {
                // Bash takes it before the first command only; what follows is read all the same.
                self.report(self.at, self.at + 1, Why::Unexpected);
                self.bump(1);
                self.skip_blanks();
            }
            if let Some(command) = self.command() {
                pipeline.stages.push(command);
            } else if !pipeline.stages.is_empty() && !self.stopped {
                self.report(before, self.at, Why::Unterminated);
            }
            self.skip_blanks();
            if self.peek() != b'|' || self.peek_at(1) == b'|' || self.stopped {
                break;
            }
            if self.at == before {
                self.report(before, self.at + 1, Why::Unexpected);
            }
            self.bump(1);
            if self.peek() == b'&' {
                self.bump(1);
            }
            self.skip_lines();
        }
        pipeline.span = self.span(start);
        pipeline
    }

    /// One command with its redirections.
    fn command(&mut self) -> Option<Command> {
        let start = self.at;
        self.node();
        if self.at_end() || self.stopped {
            return None;
        }
        let kind = self.deeper(Self::compound);
        let Some(kind) = kind else {
            return self.simple(start);
        };
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            let Some(redirect) = self.redirect() else { break };
            redirects.push(redirect);
        }
        Some(Command { kind, redirects, span: self.span(start) })
    }

    fn compound(&mut self) -> Option<Compound> {
        let start = self.at;
        match self.peek() {
            b'(' => Some(self.parens(start)),
            b'{' if self.reserved("{") => {
                self.bump(1);
                let list = self.nested_list();
                self.expect_reserved("}", start);
                Some(Compound::Group(list))
            }
            b'[' if self.reserved("[[") => Some(self.test(start)),
            b'i' if self.reserved("if") => Some(self.if_command(start)),
            b'w' if self.reserved("while") => Some(self.while_command(start, false)),
            b'u' if self.reserved("until") => Some(self.while_command(start, true)),
            b'f' if self.reserved("for") => Some(self.for_command(start, 3)),
            b's' if self.reserved("select") => Some(self.for_command(start, 6)),
            b'c' if self.reserved("case") => Some(self.case_command(start)),
            b'c' if self.reserved("coproc") => self.coproc(start),
            b'f' if self.reserved("function") => self.function_keyword(start),
            _ => None,
        }
    }

    fn parens(&mut self, start: usize) -> Compound {
        if self.peek_at(1) == b'('
            && let Some(end) = self.arith_end(self.at + 2)
        {
            self.bump(2);
            let parts = self.arith_parts(end);
            self.bump(2);
            return Compound::Arith(Word { parts, span: self.span(start) });
        }
        self.bump(1);
        let list = self.nested_list();
        self.skip_lines();
        if !self.eat(b')') && !self.stopped {
            self.report(start, self.at, Why::Unterminated);
        }
        Compound::Subshell(list)
    }

    fn test(&mut self, start: usize) -> Compound {
        self.bump(2);
        let mut words: Vec<Word> = Vec::new();
        let mut pattern = false;
        loop {
            self.skip_lines();
            if self.at_end() || self.stopped {
                if !self.stopped {
                    self.report(start, self.at, Why::Unterminated);
                }
                return Compound::Test(words);
            }
            if self.reserved("]]") {
                self.bump(2);
                return Compound::Test(words);
            }
            let before = self.at;
            let operator = match (self.peek(), self.peek_at(1)) {
                (b'<' | b'>', b'(') => 0,
                (b'&', b'&') | (b'|', b'|') => 2,
                (b'(' | b')' | b'<' | b'>' | b'&' | b'|', _) => 1,
                (b'!', next) if ends_word(next, false) && next != b'(' => 1,
                _ => 0,
            };
            if self.reserved("=~") {
                self.bump(2);
                words.push(Word { parts: vec![Part::Literal("=~".to_owned())], span: self.span(before) });
                pattern = true;
                continue;
            }
            if !pattern && operator > 0 {
                self.bump(operator);
                let text = self.slice(before, self.at).to_owned();
                words.push(Word { parts: vec![Part::Literal(text)], span: self.span(before) });
                continue;
            }
            let word = self.word(if pattern { Mode::Pattern } else { Mode::Value });
            pattern = false;
            if self.at == before {
                if self.peek() == b';' {
                    // The closing brackets are missing; what follows is a command again.
                    self.report(start, self.at, Why::Unterminated);
                    return Compound::Test(words);
                }
                self.bump(1);
                self.report(before, self.at, Why::Unexpected);
                continue;
            }
            words.push(word);
        }
    }

    fn if_command(&mut self, start: usize) -> Compound {
        self.bump(2);
        let mut arms = Vec::new();
        loop {
            let condition = self.nested_list();
            self.expect_reserved("then", start);
            let body = self.nested_list();
            arms.push((condition, body));
            if !self.eat_reserved("elif") {
                break;
            }
        }
        let otherwise = self.eat_reserved("else").then(|| self.nested_list());
        self.expect_reserved("fi", start);
        Compound::If(arms, otherwise)
    }

    fn while_command(&mut self, start: usize, until: bool) -> Compound {
        self.bump(5);
        let condition = self.nested_list();
        let body = self.do_group(start);
        Compound::While { until, condition, body }
    }

    /// `do … done`, or `{ … }` as bash also takes it after `for`.
    fn do_group(&mut self, start: usize) -> List {
        self.skip_lines();
        if self.peek() == b';' {
            self.bump(1);
        }
        if self.eat_reserved("{") {
            let body = self.nested_list();
            self.expect_reserved("}", start);
            return body;
        }
        self.expect_reserved("do", start);
        let body = self.nested_list();
        self.expect_reserved("done", start);
        body
    }

    fn for_command(&mut self, start: usize, length: usize) -> Compound {
        self.bump(length);
        self.skip_blanks();
        if self.looking_at("((")
            && let Some(end) = self.arith_end(self.at + 2)
        {
            let from = self.at;
            self.bump(2);
            let parts = self.arith_parts(end);
            self.bump(2);
            let head = Word { parts, span: self.span(from) };
            self.skip_blanks();
            return Compound::ArithFor { head, body: self.do_group(start) };
        }
        let name = self.take_while(|byte| !ends_word(byte, false));
        let words = if self.eat_reserved("in") {
            let mut words = Vec::new();
            loop {
                self.skip_blanks();
                let before = self.at;
                let word = self.word(Mode::Word);
                if self.at == before {
                    break;
                }
                words.push(word);
            }
            Some(words)
        } else {
            None
        };
        self.skip_blanks();
        let body = self.do_group(start);
        Compound::For { name, words, body }
    }

    fn case_command(&mut self, start: usize) -> Compound {
        self.bump(4);
        self.skip_blanks();
        let word = self.word(Mode::Value);
        self.expect_reserved("in", start);
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.at_end() || self.stopped {
                break;
            }
            if self.reserved("esac") {
                break;
            }
            let before = self.at;
            self.eat(b'(');
            let mut patterns = Vec::new();
            loop {
                self.skip_blanks();
                patterns.push(self.word(Mode::Value));
                self.skip_blanks();
                if !self.eat(b'|') {
                    break;
                }
            }
            if !self.eat(b')') {
                if !self.stopped {
                    self.report(before, self.at, Why::Unexpected);
                }
                if self.at == before {
                    break;
                }
            }
            let body = self.nested_list();
            arms.push(Arm { patterns, body });
            self.skip_lines();
            if self.peek() == b';' {
                let length = (0..3).take_while(|ahead| matches!(self.peek_at(*ahead), b';' | b'&')).count();
                self.bump(length);
            } else {
                break;
            }
        }
        self.expect_reserved("esac", start);
        Compound::Case(Box::new(Case { word, arms }))
    }

    fn coproc(&mut self, start: usize) -> Option<Compound> {
        self.bump(6);
        self.skip_blanks();
        if !self.compound_starts() {
            // `coproc NAME { … }`: the name is only one before a compound command.
            let before = self.at;
            let length = (0..64).take_while(|ahead| !ends_word(self.peek_at(*ahead), false)).count();
            self.bump(length);
            self.skip_blanks();
            if length == 0 || !self.compound_starts() {
                self.at = before;
            }
        }
        let command = self.body(start)?;
        Some(Compound::Coproc(Box::new(command)))
    }

    fn compound_starts(&self) -> bool {
        const OPENERS: &[&str] = &["{", "[[", "if", "while", "until", "for", "select", "case"];
        self.peek() == b'(' || OPENERS.iter().any(|word| self.reserved(word))
    }

    /// The command that a function or coprocess consists of.
    fn body(&mut self, start: usize) -> Option<Command> {
        let command = self.deeper(Self::command);
        if command.is_none() {
            // Also where a limit stopped it: without a body there is no node that holds the head.
            self.report(start, self.at, Why::Unterminated);
        }
        command
    }

    fn function_keyword(&mut self, start: usize) -> Option<Compound> {
        self.bump(8);
        self.skip_blanks();
        let name = self.take_while(|byte| !ends_word(byte, false));
        self.skip_blanks();
        if self.peek() == b'(' && self.peek_at(1) == b')' {
            self.bump(2);
        }
        self.skip_lines();
        let body = self.body(start)?;
        Some(Compound::Function { name, body: Rc::new(body) })
    }

    /// Assignments, words and redirections up to the next operator.
    fn simple(&mut self, start: usize) -> Option<Command> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut end = start;
        loop {
            self.skip_blanks();
            if self.at_end() || self.stopped {
                break;
            }
            if let Some(redirect) = self.redirect() {
                redirects.push(redirect);
                end = self.at;
                continue;
            }
            let before = self.at;
            if simple.words.is_empty()
                && let Some(assign) = self.assignment()
            {
                simple.assigns.push(assign);
                end = self.at;
                continue;
            }
            if self.peek() == b'(' && simple.words.len() == 1 && simple.assigns.is_empty() && redirects.is_empty() {
                return self.function_or_stray(start, simple);
            }
            let word = if simple.words.is_empty() { self.word(Mode::Word) } else { self.argument() };
            if self.at == before {
                break;
            }
            end = self.at;
            simple.words.push(word);
        }
        if simple.words.is_empty() && simple.assigns.is_empty() && redirects.is_empty() {
            return None;
        }
        Some(Command { kind: Compound::Simple(simple), redirects, span: self.span_to(start, end) })
    }

    /// `NAME () body`.
    fn function_or_stray(&mut self, start: usize, simple: Simple) -> Option<Command> {
        let open = self.at;
        self.bump(1);
        self.skip_blanks();
        if !self.eat(b')') {
            // Not a function: the parenthesis is read as a command of its own.
            self.at = open;
            self.report(open, open + 1, Why::Unexpected);
            return Some(Command { kind: Compound::Simple(simple), redirects: Vec::new(), span: self.span(start) });
        }
        let name = simple.words.first().map(|word| self.name_of(word)).unwrap_or_default();
        self.skip_lines();
        let body = self.body(start)?;
        let kind = Compound::Function { name, body: Rc::new(body) };
        Some(Command { kind, redirects: Vec::new(), span: self.span(start) })
    }

    fn name_of(&self, word: &Word) -> String {
        match word.parts.as_slice() {
            [Part::Literal(name)] => name.clone(),
            _ if self.fixed.is_none() => word.span.of(self.text).to_owned(),
            _ => String::new(),
        }
    }
}

/// The whole and-or list that ends here runs in the background.
fn in_background(list: &mut List) {
    for item in list.items.iter_mut().rev() {
        item.background = true;
        if item.link == Link::Then {
            break;
        }
    }
}

const fn ends_word(byte: u8, at_end: bool) -> bool {
    at_end || matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

impl Command {
    /// The simple command, if it is one.
    pub const fn as_simple(&self) -> Option<&Simple> {
        match &self.kind {
            Compound::Simple(simple) => Some(simple),
            _ => None,
        }
    }
}
