//! Checks a tree against its text: spans in their places, nothing dropped without a word, work in proportion. Shared with fuzzing.

use hook_shell::syntax::{
    Command, Compound, Context, HeredocBody, List, Part, Redirect, Script, Simple, Span, Subst, Visit, Word, walk,
};

/// Steps that one byte may cost: each is looked at once a level at most, and levels are limited.
pub(crate) const STEPS_PER_BYTE: u64 = 220;

/// Checks the tree of a text.
pub(crate) fn check(text: &str, script: &Script) {
    Laws::check(text, script);
    walk(script, &mut Places(text));
}

struct Laws<'t> {
    text: &'t str,
    /// Which bytes some leaf of the tree accounts for.
    covered: Vec<bool>,
}

impl<'t> Laws<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, covered: vec![false; text.len()] }
    }

    fn check(text: &'t str, script: &Script) {
        let mut laws = Self::new(text);
        let whole = Span { start: 0, end: u32::try_from(text.len()).unwrap() };
        laws.list(&script.list, whole, script);
        for unread in &script.unread {
            laws.lies(unread.span, whole);
            laws.cover(unread.span, true);
        }
        for heredoc in &script.heredocs {
            laws.lies(heredoc.span, whole);
            laws.cover_heredoc(heredoc.span);
        }
        assert!(script.unread.is_sorted_by_key(|unread| unread.span.start), "unread places in order in {text:?}");
        // The list of unread places is cut off somewhere; what else was passed over is not known then.
        if script.unread.len() < 64 {
            laws.rest_is_punctuation();
        }
        assert!(
            script.steps() <= STEPS_PER_BYTE * (text.len() as u64 + 100),
            "{} steps for {} bytes",
            script.steps(),
            text.len()
        );
    }

    fn lies(&self, span: Span, parent: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && self.text.get(start..end).is_some(), "{span:?} in {:?}", self.text);
        assert!(parent.start <= span.start && span.end <= parent.end, "{span:?} in {parent:?} of {:?}", self.text);
    }

    fn cover(&mut self, span: Span, by: bool) {
        self.covered[span.start as usize..span.end as usize].fill(by);
    }

    /// The body, and the lines that close it.
    fn cover_heredoc(&mut self, span: Span) {
        let mut end = span.end as usize;
        loop {
            let line = self.text[end..].split_inclusive('\n').next().unwrap_or_default();
            end += line.len();
            if !line.ends_with("\\\n") {
                break;
            }
        }
        self.covered[span.start as usize..end].fill(true);
    }

    fn list(&mut self, list: &List, parent: Span, script: &Script) {
        for item in &list.items {
            self.lies(item.pipeline.span, parent);
            for command in &item.pipeline.stages {
                self.command(command, item.pipeline.span, script);
            }
        }
    }

    fn command(&mut self, command: &Command, parent: Span, script: &Script) {
        let span = command.span;
        self.lies(span, parent);
        match &command.kind {
            Compound::Simple(Simple { assigns, words }) => {
                for assign in assigns {
                    self.lies(assign.span, span);
                    self.cover(assign.span, true);
                    self.word(&assign.value, span, script);
                }
                self.words(words, span, script);
            }
            Compound::Group(list) | Compound::Subshell(list) => self.list(list, span, script),
            Compound::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.list(condition, span, script);
                    self.list(body, span, script);
                }
                if let Some(body) = otherwise {
                    self.list(body, span, script);
                }
            }
            Compound::While { condition, body, .. } => {
                self.list(condition, span, script);
                self.list(body, span, script);
            }
            Compound::For { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default(), span, script);
                self.list(body, span, script);
            }
            Compound::ArithFor { head, body } => {
                self.word(head, span, script);
                self.list(body, span, script);
            }
            Compound::Case(case) => {
                self.word(&case.word, span, script);
                for arm in &case.arms {
                    self.words(&arm.patterns, span, script);
                    self.list(&arm.body, span, script);
                }
            }
            Compound::Function { body, .. } => {
                // The head has no place of its own.
                self.cover(Span { start: span.start, end: body.span.start.max(span.start) }, true);
                self.command(body, span, script);
            }
            Compound::Test(words) => self.words(words, span, script),
            Compound::Arith(word) => self.word(word, span, script),
            Compound::Coproc(body) => {
                self.cover(Span { start: span.start, end: body.span.start.max(span.start) }, true);
                self.command(body, span, script);
            }
        }
        for redirect in &command.redirects {
            self.redirect(redirect, span, script);
        }
    }

    fn redirect(&mut self, redirect: &Redirect, parent: Span, script: &Script) {
        self.lies(redirect.span, parent);
        self.cover(redirect.span, true);
        self.word(&redirect.target, redirect.span, script);
        if let Some(heredoc) = redirect.heredoc.map(|index| &script.heredocs[index]) {
            self.cover_heredoc(heredoc.span);
            if let HeredocBody::Expanded(parts) = &heredoc.body {
                self.parts(parts, heredoc.span, script);
            }
        }
    }

    fn words(&mut self, words: &[Word], parent: Span, script: &Script) {
        for word in words {
            self.word(word, parent, script);
        }
    }

    fn word(&mut self, word: &Word, parent: Span, script: &Script) {
        self.lies(word.span, parent);
        self.cover(word.span, true);
        self.parts(&word.parts, word.span, script);
    }

    fn parts(&mut self, parts: &[Part], parent: Span, script: &Script) {
        for part in parts {
            match part {
                Part::Double(inner) | Part::Arith(inner) => self.parts(inner, parent, script),
                Part::Command(subst) | Part::Process(_, subst) => self.subst(subst, script),
                Part::Param(param) => {
                    for word in param.subscript.iter().chain(&param.operand) {
                        self.word(word, param.span, script);
                    }
                }
                Part::ExtGlob(_, words) | Part::Array(words) => self.words(words, parent, script),
                Part::Literal(_) | Part::Quoted(_) | Part::Glob(_) | Part::Brace(_) | Part::Tilde(_) => {}
            }
        }
    }

    /// The commands of a substitution account for what it holds, not the word around it.
    fn subst(&mut self, subst: &Subst, script: &Script) {
        let text = subst.span.of(self.text);
        if text.starts_with('`') && text.contains('\\') {
            // Read after unescaping: whatever is in it has the place of the whole.
            self.list(&subst.list, subst.span, script);
            return;
        }
        let inner = text.trim_start_matches(['$', '<', '>', '\\', '\n']).len().saturating_sub(1);
        let start = subst.span.end as usize - inner.min(text.len());
        // At the end of a text that was given up there may be no closing sign.
        let closed = usize::from(text.ends_with([')', '`', '}']));
        let end = (subst.span.end as usize).saturating_sub(closed).max(start);
        if self.text.is_char_boundary(start) && self.text.is_char_boundary(end) {
            self.covered[start..end].fill(false);
        }
        self.list(&subst.list, subst.span, script);
    }

    /// What no leaf accounts for is white space, a comment, an operator or a reserved word.
    fn rest_is_punctuation(&self) {
        const WORDS: &[&str] = &[
            "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "for", "select", "in", "case", "esac",
            "time", "-p", "--", "[[", "]]", "!", "{", "}",
        ];
        let mut at = 0;
        while at < self.text.len() {
            if self.covered[at] {
                at += 1;
                continue;
            }
            let end = (at..self.text.len()).find(|at| self.covered[*at]).unwrap_or(self.text.len());
            let gap = &self.text[at..end];
            let mut rest = gap;
            while let Some(first) = rest.chars().next() {
                if rest.starts_with('#') {
                    rest = rest.find('\n').map_or("", |end| &rest[end..]);
                } else if " \t\r\n;&|()".contains(first) || rest.starts_with("\\\n") {
                    rest = &rest[1..];
                } else {
                    let length = rest.find(|c: char| " \t\r\n;&|()".contains(c)).unwrap_or(rest.len());
                    let length = rest.find("\\\n").map_or(length, |end| length.min(end));
                    let (word, after) = rest.split_at(length);
                    let known = WORDS.contains(&word) || self.is_loop_variable(at + gap.len() - rest.len());
                    assert!(known, "{word:?} of {:?} is nowhere in the tree", self.text);
                    rest = after;
                }
            }
            at = end;
        }
    }

    /// Whether the word at `at` follows `for` or `select`: its name has no place of its own.
    fn is_loop_variable(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t', '\n', '\\']);
        before.ends_with("for") || before.ends_with("select")
    }
}

/// A walk meets only nodes whose places lie in the text.
struct Places<'t>(&'t str);

impl Places<'_> {
    fn lies(&self, span: Span) {
        assert!(self.0.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {:?}", self.0);
    }
}

impl Visit for Places<'_> {
    fn command(&mut self, command: &Command, _: Context) {
        self.lies(command.span);
    }
    fn redirect(&mut self, redirect: &Redirect, _: Context) {
        self.lies(redirect.span);
    }
    fn word(&mut self, word: &Word, _: Context) {
        self.lies(word.span);
    }
}
