//! Writes a syntax tree in one line, so that a table can say what is expected.
//!
//! `[a b]` is a simple command, `(…)` a subshell, `{…}` a group. `; && || | &` join as in the shell. A word is written part by part:
//! literal text as it is, `'quoted'`, `"double"`, `${param}`, `$(substitution)`, `<(process)`, `$((arithmetic))`, `<*>` for what is
//! special in a pattern, in a brace expansion or at a tilde. `∅` is a word without parts. Line ends and tabs in text are written `\n`
//! and `\t`. A here-document follows its delimiter: `<<E="…"` with expansions, `<<'E'='…'` without.

use hook_shell::syntax::{
    Command, Compound, Direction, HeredocBody, Link, List, Matches, Param, ParamOp, Part, Redirect, RedirectOp, Script,
    Unread, Why, Word,
};

/// The tree of a script.
pub(crate) fn tree(script: &Script) -> String {
    let mut writer = Writer { script, out: String::new() };
    writer.list(&script.list);
    writer.out
}

/// One unread place: why, and the text there.
pub(crate) fn unread(text: &str, unread: &Unread) -> String {
    let why = match unread.why {
        Why::TooDeep => "too deep",
        Why::TooMany => "too many",
        Why::TooLong => "too long",
        Why::Unterminated => "unterminated",
        Why::Unexpected => "unexpected",
    };
    format!("{why} {}", unread.span.of(text))
}

struct Writer<'s> {
    script: &'s Script,
    out: String,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\n' => self.out.push_str("\\n"),
                '\t' => self.out.push_str("\\t"),
                '\r' => self.out.push_str("\\r"),
                c => self.out.push(c),
            }
        }
    }

    fn list(&mut self, list: &List) {
        for (at, item) in list.items.iter().enumerate() {
            match item.link {
                Link::Then if at > 0 => self.out.push_str("; "),
                Link::Then => {}
                Link::And => self.out.push_str(" && "),
                Link::Or => self.out.push_str(" || "),
            }
            if item.pipeline.negated {
                self.out.push_str("! ");
            }
            for (at, command) in item.pipeline.stages.iter().enumerate() {
                if at > 0 {
                    self.out.push_str(" | ");
                }
                self.command(command);
            }
            if item.background {
                self.out.push_str(" &");
            }
        }
    }

    fn block(&mut self, list: &List) {
        self.out.push('{');
        self.list(list);
        self.out.push('}');
    }

    fn parens(&mut self, list: &List) {
        self.out.push('(');
        self.list(list);
        self.out.push(')');
    }

    fn words(&mut self, words: &[Word], separator: &str) {
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                self.out.push_str(separator);
            }
            self.word(word);
        }
    }

    fn command(&mut self, command: &Command) {
        match &command.kind {
            Compound::Simple(simple) => {
                self.out.push('[');
                for (at, assign) in simple.assigns.iter().enumerate() {
                    if at > 0 {
                        self.out.push(' ');
                    }
                    self.text(&assign.name);
                    self.out.push_str(if assign.subscript.is_some() { "[]" } else { "" });
                    self.out.push_str(if assign.append { "+=" } else { "=" });
                    self.word(&assign.value);
                }
                if !simple.assigns.is_empty() && !simple.words.is_empty() {
                    self.out.push(' ');
                }
                self.words(&simple.words, " ");
                self.out.push(']');
            }
            Compound::Group(list) => self.block(list),
            Compound::Subshell(list) => self.parens(list),
            Compound::If(arms, otherwise) => {
                for (at, (condition, body)) in arms.iter().enumerate() {
                    self.out.push_str(if at > 0 { "elif" } else { "if" });
                    self.parens(condition);
                    self.block(body);
                }
                if let Some(body) = otherwise {
                    self.out.push_str("else");
                    self.block(body);
                }
            }
            Compound::While { until, condition, body } => {
                self.out.push_str(if *until { "until" } else { "while" });
                self.parens(condition);
                self.block(body);
            }
            Compound::For { name, words, body } => {
                self.out.push_str("for ");
                self.text(name);
                if let Some(words) = words {
                    self.out.push('(');
                    self.words(words, " ");
                    self.out.push(')');
                }
                self.block(body);
            }
            Compound::ArithFor { head, body } => {
                self.out.push_str("for((");
                self.word(head);
                self.out.push_str("))");
                self.block(body);
            }
            Compound::Case(case) => {
                self.out.push_str("case(");
                self.word(&case.word);
                self.out.push(')');
                for arm in &case.arms {
                    self.words(&arm.patterns, "|");
                    self.block(&arm.body);
                }
            }
            Compound::Function { name, body } => {
                self.out.push_str("fn ");
                self.text(name);
                self.out.push(' ');
                self.command(body);
            }
            Compound::Test(words) => {
                self.out.push_str("test(");
                self.words(words, " ");
                self.out.push(')');
            }
            Compound::Arith(word) => {
                self.out.push_str("((");
                self.word(word);
                self.out.push_str("))");
            }
            Compound::Coproc(body) => {
                self.out.push_str("coproc ");
                self.command(body);
            }
        }
        for redirect in &command.redirects {
            self.redirect(redirect);
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        self.out.push(' ');
        if let Some(fd) = redirect.fd {
            self.out.push_str(&fd.to_string());
        }
        if let Some(name) = &redirect.fd_name {
            self.out.push_str(&format!("{{{name}}}"));
        }
        self.out.push_str(match redirect.op {
            RedirectOp::In => "<",
            RedirectOp::Out => ">",
            RedirectOp::Append => ">>",
            RedirectOp::Both => "<>",
            RedirectOp::OutErr => "&>",
            RedirectOp::AppendErr => "&>>",
            RedirectOp::DupIn => "<&",
            RedirectOp::DupOut => ">&",
            RedirectOp::Heredoc => "<<",
            RedirectOp::HereString => "<<<",
        });
        self.word(&redirect.target);
        if let Some(heredoc) = redirect.heredoc {
            self.out.push('=');
            match &self.script.heredocs[heredoc].body {
                HeredocBody::Plain(text) => {
                    self.out.push('\'');
                    self.text(text);
                    self.out.push('\'');
                }
                HeredocBody::Expanded(parts) => {
                    self.out.push('"');
                    self.parts(parts);
                    self.out.push('"');
                }
            }
        }
    }

    fn word(&mut self, word: &Word) {
        if word.parts.is_empty() {
            self.out.push('∅');
        }
        self.parts(&word.parts);
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Literal(text) => self.text(text),
                Part::Quoted(text) => {
                    self.out.push('\'');
                    self.text(text);
                    self.out.push('\'');
                }
                Part::Double(inner) => {
                    self.out.push('"');
                    self.parts(inner);
                    self.out.push('"');
                }
                Part::Param(param) => self.param(param),
                Part::Command(subst) => {
                    self.out.push('$');
                    self.parens(&subst.list);
                }
                Part::Process(direction, subst) => {
                    self.out.push(if *direction == Direction::Read { '<' } else { '>' });
                    self.parens(&subst.list);
                }
                Part::Arith(inner) => {
                    self.out.push_str("$((");
                    self.parts(inner);
                    self.out.push_str("))");
                }
                Part::Glob(c) => self.out.push_str(&format!("<{c}>")),
                Part::ExtGlob(sign, words) => {
                    self.out.push('<');
                    self.out.push(*sign);
                    self.out.push('(');
                    self.words(words, "|");
                    self.out.push_str(")>");
                }
                Part::Brace(mark) => self.out.push_str(&format!("<{}>", mark.as_char())),
                Part::Tilde(name) => self.out.push_str(&format!("<~{name}>")),
                Part::Array(words) => {
                    self.out.push('(');
                    self.words(words, " ");
                    self.out.push(')');
                }
            }
        }
    }

    fn param(&mut self, param: &Param) {
        self.out.push_str("${");
        self.out.push_str(if param.op == ParamOp::Length { "#" } else { "" });
        self.out.push_str(if param.indirect { "!" } else { "" });
        self.text(&param.name);
        if let Some(subscript) = &param.subscript {
            self.out.push('[');
            self.word(subscript);
            self.out.push(']');
        }
        self.out.push_str(match param.op {
            ParamOp::None | ParamOp::Length => "",
            ParamOp::Default(true) => ":-",
            ParamOp::Default(false) => "-",
            ParamOp::Assign(true) => ":=",
            ParamOp::Assign(false) => "=",
            ParamOp::Error(true) => ":?",
            ParamOp::Error(false) => "?",
            ParamOp::Alternate(true) => ":+",
            ParamOp::Alternate(false) => "+",
            ParamOp::RemovePrefix(false) => "#",
            ParamOp::RemovePrefix(true) => "##",
            ParamOp::RemoveSuffix(false) => "%",
            ParamOp::RemoveSuffix(true) => "%%",
            ParamOp::Replace(Matches::First) => "/",
            ParamOp::Replace(Matches::All) => "//",
            ParamOp::Replace(Matches::Start) => "/#",
            ParamOp::Replace(Matches::End) => "/%",
            ParamOp::Substring => ":",
            ParamOp::Case => "^",
            ParamOp::Transform => "@",
        });
        if let Some(operand) = &param.operand {
            self.parts(&operand.parts);
        }
        self.out.push('}');
    }
}
