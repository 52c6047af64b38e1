//! Files that code reads without naming them: its operands, and what it lists.

use super::fold::last_name;
use super::language::READS;
use super::token::{MOST_TOKENS, Token, tokens};
use crate::programs::Language;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::shown;
use crate::resolve::taint::activate_globs;

/// Words of code that asks about a file, prints, or goes through its operands; whoever uses others may read it.
const ASKS: &[&str] = &[
    "access", "accesssync", "and", "argv", "args", "basename", "bool", "const", "console", "dirname", "do", "each",
    "else", "end", "exist", "exists", "existssync", "exit", "extname", "f_ok", "false", "file", "file_exists",
    "filemtime", "filesize", "for", "foreach", "format", "fs", "getmtime", "getsize", "if", "import", "in", "int",
    "is_file", "is_readable", "isdir", "isfile", "join", "len", "length", "let", "lexists", "log", "mode", "mtime",
    "my", "name", "not", "of", "or", "os", "p", "path", "pathlib", "print", "printf", "process", "puts", "r_ok",
    "require", "resolve", "say", "shift", "size", "slice", "st_mode", "st_mtime", "st_size", "stat", "statsync",
    "stem", "str", "string", "strlen", "suffix", "sys", "then", "true", "unless", "use", "var", "void",
];
/// Functions that list what lies in a directory.
const LISTS: &[&str] = &[
    "listdir", "scandir", "glob", "rglob", "iglob", "walk", "readdir", "readdirsync", "entries", "children", "iterdir",
    "each_child", "opendir", "dir",
];
/// Words of code that chooses among files by their names, or tells no more than how much is in them.
const CHOOSES: &[&str] =
    &["suffix", "endswith", "end_with", "ends_with", "extname", "splitext", "fnmatch", "len", "count", "sum", "size"];
/// Functions that print.
const PRINTS: &[&str] = &["print", "log", "puts", "echo", "say", "p", "print_r", "var_dump", "write", "pprint"];

impl Interp<'_> {
    /// Reports secrets among the operands of a code, unless it is plain that it only asks about them.
    pub(in crate::resolve) fn code_reads_operands(
        &mut self,
        language: &Language,
        code: &str,
        operands: &[String],
        call: &Call,
    ) {
        let secrets: Vec<&String> = operands.iter().filter(|operand| self.is_secret_path(operand)).collect();
        if secrets.is_empty() || code.is_empty() {
            return;
        }
        let tokens = tokens(code, language);
        let asks = |token: &Token| match token {
            Token::Word(word) => word
                .split(['.', ':', '$', '@'])
                .map(|piece| piece.trim_end_matches(['?', '!']).to_ascii_lowercase())
                .all(|piece| piece.is_empty() || piece.len() == 1 || ASKS.contains(&piece.as_str())),
            // `<>` of Perl, and a line that is started.
            Token::Sign(sign) => *sign != '<',
            Token::Text { backquoted, .. } => !backquoted,
        };
        if tokens.len() < MOST_TOKENS && tokens.iter().all(asks) {
            return;
        }
        for secret in secrets {
            self.reads(secret, call);
        }
    }

    /// Reports that code reads files which it lists: those that are called like secrets, or all there are.
    pub(super) fn reads_listed(&mut self, tokens: &[Token], call: &Call) {
        // `@ARGV = (".env")`: what `<>` reads then.
        for (at, _) in tokens.windows(2).enumerate().filter(
            |(_, pair)| matches!(pair, [Token::Word(word), Token::Sign('=')] if word.trim_start_matches('@') == "ARGV"),
        ) {
            for token in tokens.iter().skip(at + 2).take_while(|token| !matches!(token, Token::Sign(';'))) {
                if let Token::Text { text, .. } = token {
                    self.reads(text, call);
                }
            }
        }
        let is = |token: &Token, names: &[&str]| matches!(token, Token::Word(word) if names.contains(&last_name(word).as_str()));
        let lists = tokens.iter().any(|token| is(token, LISTS));
        if !lists || !tokens.iter().any(|token| is(token, READS)) {
            return;
        }
        for (at, token) in tokens.iter().enumerate() {
            let Token::Text { text, .. } = token else { continue };
            let named = text.starts_with('.') && text.len() > 2 && !text.contains('/');
            let called = named && self.is_secret_path(&activate_globs(text));
            // `if not name.startswith(".env")`, `if name == ".env": continue`
            let around = tokens.get(at.saturating_sub(4)..at + 5).or_else(|| tokens.get(at.saturating_sub(4)..));
            let denied = around.unwrap_or_default().iter().any(|token| {
                *token == Token::Sign('!') || matches!(token, Token::Word(word) if matches!(word.as_str(), "not" | "unless" | "continue" | "next"))
            });
            if called && !denied {
                self.act_at(Kind::SecretRead, None, shown(text), call.span);
                return;
            }
        }
        let chooses = tokens.iter().any(|token| match token {
            Token::Word(word) => CHOOSES.contains(&last_name(word).as_str()),
            Token::Text { text, .. } => text.contains('.') && text.len() > 1 && !text.ends_with(".*"),
            Token::Sign(_) => false,
        });
        let all = tokens.iter().any(|token| matches!(token, Token::Text { text, .. } if matches!(text.as_str(), "*" | "**" | "**/*" | "." | "./**/*")));
        if all && !chooses && prints_read(tokens) {
            self.act_at(Kind::SecretRead, None, "every file below a directory".to_owned(), call.span);
        }
    }
}

/// Whether what is read is printed at once.
fn prints_read(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let prints = matches!(token, Token::Word(word) if PRINTS.contains(&last_name(word).as_str()));
        let inner = tokens.get(at + 1..at + 8).unwrap_or_default();
        let mut inner = inner.iter().take_while(|token| !matches!(token, Token::Sign(';' | '\n')));
        prints && inner.any(|token| matches!(token, Token::Word(word) if READS.contains(&last_name(word).as_str())))
    })
}
