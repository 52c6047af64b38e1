//! Editors and `sed`: what their commands start and write.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::state::Data;
use super::taint::{UNKNOWN, is_literal};
use crate::options::Options;
use crate::programs::{Invocation, Tool};

impl Interp<'_> {
    pub(super) fn editor(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let Invocation { program, args, .. } = *of;
        let options = of.options();
        // Those that have no screen take their commands from standard input.
        let mut commands: Vec<String> = call.stdin.lines().map(str::to_owned).collect();
        let plus = args.iter().filter_map(|arg| arg.strip_prefix('+'));
        commands.extend(options.values(&["-c", "--cmd"]).chain(plus).map(str::to_owned));
        for command in &commands {
            self.editor_command(command, call);
        }
        for file in options.values(&["-S", "-u", "-U"]) {
            self.editor_script(file, call);
        }
        let mut writes = false;
        for command in &commands {
            writes |= self.editor_writes(command, call);
        }
        // What comes from elsewhere may end in writing the file, and is read for nothing else.
        let told = matches!(program.tool, Tool::Ed | Tool::Red | Tool::Ex) || options.has(&["-e", "-E", "-s"]);
        if told && !writes && !is_literal(&call.stdin) {
            self.own_paths(&options.operands, call);
        }
        for file in options.operands.iter().filter(|file| !file.starts_with('+')) {
            if writes {
                self.written_file(file, false, call.span);
            }
            self.read_file(file, call.span);
            if writes && program.tool == Tool::Ed {
                // What is typed in between `a` and `.` becomes the content.
                self.store(file, &call.stdin);
            }
        }
        Data::from(UNKNOWN.to_string())
    }

    /// `:w file`, `:saveas file`; tells whether the command writes the file that is open.
    fn editor_writes(&mut self, command: &str, call: &Call) -> bool {
        let mut writes = false;
        for piece in command.split('|') {
            let piece = piece.trim_start_matches(|c: char| {
                c.is_ascii_digit() || matches!(c, ':' | ' ' | '%' | '.' | ',' | '$' | '\'' | '<' | '>')
            });
            let piece = piece.strip_prefix("silent").or_else(|| piece.strip_prefix("sil")).unwrap_or(piece);
            let piece = piece.trim_start_matches(['!', ' ']);
            let word: String = piece.chars().take_while(char::is_ascii_alphabetic).collect();
            let rest = piece.get(word.len()..).unwrap_or_default().trim_start_matches('!').trim();
            match word.as_str() {
                "w" | "wr" | "write" | "sav" | "saveas" | "W" | "wq" | "wn" => {
                    if rest.is_empty() || rest == "q" {
                        writes = true;
                    } else if !rest.starts_with('!') {
                        self.written_file(rest.trim_start_matches(['>', ' ']), false, call.span);
                    }
                }
                "x" | "xit" | "exit" | "wa" | "wall" | "wqa" | "wqall" | "xa" | "xall" | "up" | "update" => {
                    writes = true;
                }
                "norm" | "normal" | "exe" | "execute" => writes |= rest.contains("ZZ") || rest.contains("wq"),
                _ => {}
            }
        }
        writes
    }

    /// `:!command`, `:call system('command')`, `:lua …`, each with what may stand before it.
    fn editor_command(&mut self, command: &str, call: &Call) {
        let mut rest = without_modifiers(command);
        // Each is the text of the one before.
        while let Some(text) = behind(rest, &["execute", "exe", "exec"]) {
            rest = without_modifiers(text.trim().trim_matches(['"', '\'']));
        }
        let inline = |words: &[&str]| behind(rest, words);
        if let Some(line) = rest
            .strip_prefix('!')
            .or_else(|| {
                ["r !", "r!", "read !", "read!", "w !", "write !"].iter().find_map(|word| rest.strip_prefix(word))
            })
            .or_else(|| inline(&["terminal", "term", "te"]))
        {
            self.subshell(|interp| interp.run_text(line, call));
        } else if let Some((language, code)) = ["python", "lua", "ruby", "perl"].iter().find_map(|name| {
            let short: &[&str] = match *name {
                "python" => &["py", "py3", "python", "python3", "pythonx", "pyx"],
                "lua" => &["lua"],
                "ruby" => &["ruby", "rub"],
                _ => &["perl"],
            };
            Some((super::code::language(name)?, inline(short)?))
        }) {
            self.run_code(language, code, call);
        } else if let Some(file) = inline(&["so", "source", "runtime"]) {
            self.editor_script(file.trim(), call);
        } else if rest.contains('(') {
            self.run_code(super::code::VIM, rest, call);
        }
    }

    /// `vim -S FILE`, `:source FILE`: commands in a file, which may lie on a server.
    fn editor_script(&mut self, file: &str, call: &Call) {
        if file.contains("://") {
            self.act_at(Kind::RunRemote, None, super::shown(file), call.span);
        }
        let Some(text) = self.text_of_source(file, call) else { return };
        // A script may name itself.
        self.nested += text.len();
        if self.nested > super::MOST_NESTED || self.depth >= super::MOST_DEPTH {
            self.give_up_at(call.span);
            return;
        }
        self.depth += 1;
        for line in text.lines() {
            self.editor_command(line, call);
        }
        self.depth -= 1;
    }

    /// The scripts in files that `sed` is given, as far as they are known.
    pub(super) fn sed_files(&mut self, options: &Options<'_>, call: &Call) -> String {
        let mut script = String::new();
        for file in options.values(&["-f", "--file"]) {
            let Some(text) = self.text_of_source(file, call) else { continue };
            // In a sandbox it starts and writes nothing.
            if !options.has(&["--sandbox"]) {
                self.run_from_elsewhere(&text, file, call);
                script.push_str(&text);
                script.push('\n');
            }
        }
        script
    }

    /// `s/…/…/e`, `e command`, `w file` of `sed`.
    pub(super) fn sed_scripts(&mut self, scripts: &[&str], input: &Data, call: &Call) {
        for script in scripts {
            let mut rest = *script;
            for _ in 0..=script.len() {
                rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '{' | '}'));
                rest = after_address(rest);
                let Some(command) = rest.chars().next() else { break };
                let body = rest.get(command.len_utf8()..).unwrap_or_default();
                rest = match command {
                    's' | 'y' => self.sed_substitution(command, body, input, call),
                    'e' => {
                        let (line, after) = body.split_once('\n').unwrap_or((body, ""));
                        if line.trim_matches(['}', ' ', ';']).is_empty() {
                            self.sed_runs(input, call);
                        } else {
                            self.subshell(|interp| interp.run_text(line.trim(), call));
                        }
                        after
                    }
                    'w' | 'W' | 'r' | 'R' => {
                        let (file, after) = body.split_once('\n').unwrap_or((body, ""));
                        let file = file.trim();
                        if command.eq_ignore_ascii_case(&'w') {
                            self.written_file(file, false, call.span);
                        } else {
                            self.reads(file, call);
                        }
                        after
                    }
                    'a' | 'i' | 'c' | '#' => body.split_once('\n').map_or("", |(_, after)| after),
                    'b' | 't' | 'T' | ':' => body.trim_start_matches(|c: char| !matches!(c, ';' | '\n' | '}')),
                    _ => body,
                };
            }
        }
    }

    /// Standard input, or a file, that is run line by line.
    fn sed_runs(&mut self, input: &Data, call: &Call) {
        if is_literal(input) && !input.trim().is_empty() {
            self.subshell(|interp| interp.run_text(input, call));
        } else {
            self.act_at(Kind::RunComputed, None, "lines that are run".to_owned(), call.span);
        }
    }

    /// What follows a substitution, whose flags may run its result or write it.
    fn sed_substitution<'s>(&mut self, command: char, body: &'s str, input: &Data, call: &Call) -> &'s str {
        let Some(separator) = body.chars().next() else { return "" };
        let Some((_, after)) = piece(body.get(separator.len_utf8()..).unwrap_or_default(), separator) else {
            return "";
        };
        let Some((with, after)) = piece(after, separator) else { return "" };
        if command == 'y' {
            return after;
        }
        let flags = after.trim_start_matches(|c: char| c.is_ascii_digit() || "egpiImM".contains(c));
        let given = after.get(..after.len() - flags.len()).unwrap_or_default();
        if given.contains('e') {
            let line = with.replace(&format!("\\{separator}"), &separator.to_string());
            if !line.trim().is_empty() {
                self.subshell(|interp| interp.run_text(&line, call));
            }
            if line.trim().is_empty() || line.contains(['&', '\\']) {
                self.sed_runs(input, call);
            }
        }
        match flags.strip_prefix('w') {
            Some(file) => {
                let (file, after) = file.split_once('\n').unwrap_or((file, ""));
                self.written_file(file.trim(), false, call.span);
                after
            }
            None => flags,
        }
    }
}

/// The lines that a script of `sed` puts in: `1i text`, `$a\\` with the text on the next line.
pub(super) fn inserted(script: &str) -> String {
    let body = after_address(script.trim_start());
    let Some(text) = body.strip_prefix(['a', 'i', 'c']) else { return String::new() };
    let text = text.trim_start();
    super::printed::unescape(text.strip_prefix('\\').map_or(text, str::trim_start))
}

/// What stands behind one of the words and a blank.
fn behind<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| text.strip_prefix(word)?.strip_prefix(' '))
}

/// A command of an editor without the lines that it is for, and without the words that may stand before it.
fn without_modifiers(command: &str) -> &str {
    let mut rest =
        command.trim_start_matches([':', ' ', '%', '.', '$', ',']).trim_start_matches(|c: char| c.is_ascii_digit());
    while let Some(after) = ["silent", "sil", "noautocmd", "keepjumps", "verbose"]
        .iter()
        .find_map(|word| rest.strip_prefix(word).filter(|after| after.starts_with([' ', '!'])))
    {
        // `silent !ls` starts a program, `silent! ls` is quiet about its errors.
        let after = after.trim_start();
        rest = after.strip_prefix("! ").unwrap_or(after).trim_start_matches([':', ' ']);
    }
    rest
}

/// What stands before the next separator that is not escaped, and what follows it.
fn piece(text: &str, separator: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == separator && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.and_then(|(at, c)| Some((text.get(..at)?, text.get(at + c.len_utf8()..)?)))
}

/// A command of `sed` without the lines it is meant for: `1,$`, `/x/`, `\\,x,I`, `0~3`, `!`.
fn after_address(script: &str) -> &str {
    let mut rest = script;
    loop {
        let trimmed =
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '!' | '~' | '+'));
        let separator = match trimmed.chars().next() {
            Some('/') => '/',
            Some('\\') => trimmed.chars().nth(1).unwrap_or('/'),
            _ => return trimmed,
        };
        let open = if trimmed.starts_with('/') { 1 } else { 1 + separator.len_utf8() };
        let Some((_, after)) = trimmed.get(open..).and_then(|text| piece(text, separator)) else { return "" };
        rest = after.strip_prefix('I').or_else(|| after.strip_prefix('M')).unwrap_or(after);
    }
}
