//! What code prints of the environment: all variables, or single ones that are called like secrets.

use super::aliases::{Alias, aliases};
use super::fold::last_name;
use super::heuristics::{VARIABLES, variables_at};
use super::language::WRITES;
use super::printed::{EXPRESSIONS, PRINTS};
use super::reader::Reader;
use super::token::{Token, pairs};
use crate::programs::{Language, Tongue};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::state::Data;
use crate::resolve::taint::{ENVIRONMENT, TAINT_SECRET, TAINT_STORE};

/// Functions that print, beside those whose text is followed.
const SHOWS: &[&str] = &[
    "print_r", "var_dump", "var_export", "p", "pp", "pprint", "info", "error", "debug", "warn", "dir", "table",
    "inspect", "die", "fputs", "fwrite", "json_encode", "jj", "writeline", "writeln", "dump",
];

/// Words that ask something about a value, or choose by it, and let nothing of it through.
const ASKS: &[&str] = &[
    "bool", "len", "length", "boolean", "if", "isset", "empty", "defined", "typeof", "strlen", "keys", "sorted", "in",
    "exists", "unless", "present", "size", "count", "hash", "sha256", "md5", "array_keys", "hasattr", "not", "is",
];

/// Functions that read a file of settings into the variables, and give them.
const LOADS: &[&str] = &["loadenvfile", "load_dotenv", "dotenv_values"];

/// Functions that give a password which the system keeps.
const KEPT: &[&str] = &["get_password", "getpassword", "get_credential", "findpassword"];

/// Functions that give what they are given, in another form.
const THROUGH: &[&str] = &[
    "dict", "str", "string", "stringify", "dumps", "repr", "list", "tostring", "join", "format", "concat", "encode",
    "b64encode", "btoa", "base64_encode", "from", "tojson", "items", "values", "entries", "trim", "strip", "map",
];

impl Interp<'_> {
    /// An interpreter, with what its code prints of the variables that it is given. `node --env-file=.env` gives those of a file.
    pub(in crate::resolve) fn interpreter_shows(
        &mut self,
        language: &'static Language,
        args: &[String],
        call: &Call,
    ) -> Data {
        let loads = self.env_file(args);
        let outer = std::mem::take(&mut self.code_shows);
        let printed = self.given_secrets(loads, |interp| interp.interpreter(language, args, call));
        let shown = std::mem::replace(&mut self.code_shows, outer);
        if shown.is_empty() { printed } else { format!("{printed}{shown}").into() }
    }

    /// Whether an option names a file of secrets whose settings become variables.
    fn env_file(&self, args: &[String]) -> bool {
        args.iter().enumerate().any(|(at, arg)| {
            let (option, joined) =
                arg.split_once('=').map_or((arg.as_str(), None), |(name, value)| (name, Some(value)));
            let value = || joined.or_else(|| args.get(at + 1).map(String::as_str)).unwrap_or_default();
            match option {
                "--env-file" | "--env-file-if-exists" => self.is_secret_path(value()),
                "-r" | "--require" | "--import" => value().starts_with("dotenv"),
                _ => false,
            }
        })
    }

    /// Code whose value is printed, as `node -p` has it.
    pub(in crate::resolve) fn expression_shows(&mut self, language: &Language, code: &str, option: &str, call: &Call) {
        if language.tongue == Tongue::JavaScript && EXPRESSIONS.contains(&option) {
            let tokens = self.prepared(language, code);
            let pairs = pairs(&tokens);
            let reader = self.reader_of(language, &tokens, &pairs);
            let aliases = aliases(&tokens, &pairs);
            self.shows_within(&reader, &aliases, (0, tokens.len()), call);
        }
    }

    /// What the calls in a code print of the variables.
    pub(super) fn code_shows_variables(&mut self, reader: &Reader<'_>, call: &Call) {
        let told = reader.tokens.iter().any(|token| match token {
            Token::Word(text) | Token::Text { text, .. } => {
                let lower = text.to_ascii_lowercase();
                lower.contains("env") || KEPT.iter().any(|known| lower.contains(known))
            }
            Token::Sign(_) => false,
        });
        if !told {
            return;
        }
        let aliases = aliases(reader.tokens, reader.pairs);
        let mut loop_end = 0;
        let mut prints = false;
        for (at, token) in reader.tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            let name = last_name(word);
            let writes = WRITES.contains(&name.as_str()) || matches!(word.as_str(), "File.write" | "Bun.write");
            if at < loop_end || !(writes || PRINTS.contains(&name.as_str()) || SHOWS.contains(&name.as_str())) {
                continue;
            }
            let (from, to) = reader.arguments(at, true);
            loop_end = to;
            if writes {
                self.places_within(reader, &aliases, at, (from, to), call);
            } else {
                prints = true;
                self.shows_within(reader, &aliases, (from, to), call);
            }
        }
        let walks = reader.tokens.iter().enumerate().any(|(at, token)| match token {
            Token::Word(word) => {
                matches!(word.as_str(), "os.environ.items" | "ENV.each" | "ENV.each_pair")
                    || last_name(word) == "entries" && is_whole(reader.tokens, at + 2)
            }
            _ => false,
        });
        if prints && walks {
            self.shows_all(reader, call);
        }
    }

    /// What of the variables stands between the brackets of a call that writes a file.
    fn places_within(
        &mut self,
        reader: &Reader<'_>,
        aliases: &[Alias<'_>],
        at: usize,
        (from, to): (usize, usize),
        call: &Call,
    ) {
        // `Path("x").write_text(…)`, and `require("fs").writeFileSync("x", …)`, which names a module.
        let of_path = matches!(reader.tokens.get(at), Some(Token::Word(word)) if word.starts_with(".write_"));
        let given = if of_path { reader.given(at, from, to) } else { reader.own(from, to) };
        let Some((path, texts)) = given.texts.split_first() else { return };
        let outer = std::mem::take(&mut self.code_shows);
        self.shows_within(reader, aliases, (from, to), call);
        let marks = std::mem::replace(&mut self.code_shows, outer);
        self.variables_placed(path, &format!("{marks}{}", texts.concat()), call.span);
    }

    /// What of the variables stands between two words that are printed.
    fn shows_within(&mut self, reader: &Reader<'_>, aliases: &[Alias<'_>], (from, to): (usize, usize), call: &Call) {
        let tokens = reader.tokens.get(from..reader.within(from, to)).unwrap_or_default();
        let asked = tokens.iter().enumerate().any(|(at, token)| match token {
            Token::Word(word) => word.to_ascii_lowercase().split(['.', '?']).any(|part| ASKS.contains(&part)),
            Token::Sign('?' | '!') => true,
            Token::Sign('&') => tokens.get(at + 1) == Some(&Token::Sign('&')),
            Token::Sign('=') => tokens.get(at + 1) == Some(&Token::Sign('=')),
            _ => false,
        });
        if asked {
            return;
        }
        let gives = |names: &[&str]| {
            tokens.iter().any(|token| matches!(token, Token::Word(word) if names.contains(&last_name(word).as_str())))
        };
        if gives(KEPT) {
            self.code_shows.push(TAINT_STORE);
        }
        if gives(LOADS) || (0..tokens.len()).any(|at| is_whole(tokens, at) && is_handed_through(tokens, at)) {
            self.shows_all(reader, call);
        }
        let named = variables_at(tokens).into_iter().chain(held(tokens, aliases));
        for (_, name) in named.filter(|(at, _)| is_handed_through(tokens, *at)) {
            let marks = self.variable_printed(name);
            if !marks.is_empty() && loads(reader) {
                self.act_at(Kind::SecretRead, None, "the variables that were loaded".to_owned(), call.span);
            }
            self.code_shows.push_str(&marks);
        }
    }

    /// All variables are printed.
    fn shows_all(&mut self, reader: &Reader<'_>, call: &Call) {
        if loads(reader) || self.loaded_secrets {
            self.act_at(Kind::SecretRead, None, "the variables that were loaded".to_owned(), call.span);
        } else {
            self.code_shows.extend([TAINT_SECRET, ENVIRONMENT]);
        }
    }
}

/// Where variables stand that hold one of the environment, and which.
fn held<'t>(tokens: &[Token], aliases: &[Alias<'t>]) -> impl Iterator<Item = (usize, &'t str)> {
    aliases.iter().flat_map(move |alias| {
        let filled_in = format!("{{{}}}", alias.own);
        tokens.iter().enumerate().filter_map(move |(at, token)| {
            let stands = match token {
                Token::Word(word) => word == alias.own && tokens.get(at + 1) != Some(&Token::Sign(':')),
                Token::Text { text, .. } => text.contains(&filled_in),
                Token::Sign(_) => false,
            };
            stands.then_some((at, alias.variable))
        })
    })
}

/// Whether code reads a file of secrets into its variables.
fn loads(reader: &Reader<'_>) -> bool {
    let example = |token: &Token| matches!(token, Token::Text { text, .. } if text.contains(".example") || text.contains(".test"));
    let loads = reader.tokens.iter().any(|token| match token {
        Token::Word(word) => LOADS.contains(&last_name(word).as_str()) || word.to_ascii_lowercase().contains("dotenv"),
        Token::Text { text, .. } => text.starts_with("dotenv"),
        Token::Sign(_) => false,
    });
    loads && !reader.tokens.iter().any(example)
}

/// Whether what stands at a place is printed itself, and not what a call makes of it.
fn is_handed_through(tokens: &[Token], at: usize) -> bool {
    let mut open: Vec<bool> = Vec::new();
    for (place, token) in tokens.iter().enumerate().take(at) {
        match token {
            Token::Sign('(') => {
                let called = place.checked_sub(1).and_then(|before| tokens.get(before));
                open.push(match called {
                    Some(Token::Word(word)) => {
                        let name = last_name(word);
                        THROUGH.contains(&name.as_str())
                            || PRINTS.contains(&name.as_str())
                            || SHOWS.contains(&name.as_str())
                    }
                    _ => true,
                });
            }
            Token::Sign(')') => {
                open.pop();
            }
            _ => {}
        }
    }
    open.into_iter().all(|through| through)
}

/// Whether the word at a place stands for all variables, and not for one of them.
fn is_whole(tokens: &[Token], at: usize) -> bool {
    let Some(Token::Word(word)) = tokens.get(at) else { return false };
    let word = word.trim_start_matches(['$', '%', '@']);
    if word == "getenv" {
        return matches!(tokens.get(at + 1..at + 3), Some([Token::Sign('('), Token::Sign(')')]));
    }
    VARIABLES.contains(&word) && !matches!(tokens.get(at + 1), Some(Token::Sign('[' | '{' | '=' | '.' | '-')))
}
