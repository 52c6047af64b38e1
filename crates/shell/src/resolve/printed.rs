//! Programs that print what they read or are told: text, encodings, names of files, the machine.

use crate::options::{Options, letters, option_words, plain_words};
use crate::path::Place;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::program::{by_port, of_project};
use crate::resolve::run::Output;
use crate::resolve::state::{Data, Var};
use crate::resolve::taint::{
    ENVIRONMENT, IGNORED_ITEM, LIST_ITEM, PROGRAM_OUTPUT, SERVER_PID, TAINT_DECODED, TAINT_LOADED, TAINT_SECRET,
    TAINT_STORE, UNKNOWN, is_literal, is_placeholder, taint_of,
};
use std::rc::Rc;

/// Options with which `openssl` leaves the secret part of a key out of what it prints.
const PUBLIC: &[&str] = &["-pubout", "-noout", "-pubin"];

/// Options with which a search says whether and where something is, and not what.
const TELLS: &[&str] =
    &["-q", "-l", "-L", "-c", "--count", "--quiet", "--silent", "--files-with-matches", "--files-without-match"];

impl Interp<'_> {
    /// Programs of this module; `None` for others.
    pub(in crate::resolve) fn filter(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, args, .. } = *of;
        Some(match program.tool {
            Tool::Echo => echo(args),
            Tool::Printf => return Some(self.printf(of)),
            Tool::Yes => Data::from(format!("{}\n", if args.is_empty() { "y".to_owned() } else { args.join(" ") })),
            Tool::Pwd => self.state.cwd().map_or_else(|| Data::from(UNKNOWN.to_string()), Data::from),
            Tool::Printenv if args.is_empty() => self.environment(call),
            Tool::Printenv if plain_words(args).any(|name| !self.variable_printed(name).is_empty()) => {
                plain_words(args).map(|name| self.variable_printed(name)).collect::<String>().into()
            }
            Tool::Printenv => return self.prints_path(of),
            Tool::Lsof if by_port(args) => Data::from(SERVER_PID.to_string()),
            Tool::Pgrep if of_project(of) => Data::from(SERVER_PID.to_string()),
            Tool::Ls => self.listed(of),
            Tool::Openssl if args.first().is_some_and(|verb| verb == "s_client") => {
                self.sends_input(call);
                Data::from(super::taint::TAINT_NETWORK.to_string())
            }
            // These print the key, or write it to another file; what only uses it does not.
            Tool::Openssl
                if matches!(args.first().map(String::as_str), Some("rsa" | "ec" | "dsa" | "pkey" | "pkcs8"))
                    && !args.iter().any(|arg| PUBLIC.contains(&arg.as_str()) || arg == "-check") =>
            {
                if let Some(path) = of.options().value(&["-in"]).filter(|path| self.place_of(path) == Place::Dotfiles) {
                    self.reads(path, call);
                }
                return Some(self.reader(of, call));
            }
            Tool::Cat
            | Tool::Pager
            | Tool::Head
            | Tool::Tail
            | Tool::Nl
            | Tool::Rev
            | Tool::Sort
            | Tool::Uniq
            | Tool::Strings
            | Tool::Fold
            | Tool::Cut
            | Tool::Tr
            | Tool::Sed
            | Tool::Grep
            | Tool::Fgrep
            | Tool::Rg
            | Tool::Ag
            | Tool::Gunzip
            | Tool::Xz
            | Tool::Jq
            | Tool::Yq
            | Tool::Paste
            | Tool::Pv
            | Tool::Tee
            | Tool::Base64
            | Tool::Base32
            | Tool::Xxd
            | Tool::Openssl
            | Tool::Gpg => {
                return Some(self.reader(of, call));
            }
            Tool::Basename | Tool::Dirname | Tool::Realpath | Tool::Mktemp | Tool::Getent | Tool::XdgUserDir => {
                return self.prints_path(of);
            }
            // `ps eww` shows the variables of each process.
            Tool::Ps
                if args
                    .first()
                    .is_some_and(|arg| arg.contains('e') && arg.bytes().all(|letter| letter.is_ascii_alphabetic())) =>
            {
                self.environment(call)
            }
            Tool::Tells | Tool::Date | Tool::Test | Tool::Du | Tool::Ps => {
                return Some(self.quiet(of, call));
            }
            _ => return None,
        })
    }

    /// Programs that print nothing a shell should run, and read files by name only here and there.
    fn quiet(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let program = of.program;
        if program.tool == Tool::Date {
            for file in of.options().values(&["-f", "--file"]) {
                self.read_file(file, call.span);
            }
        }
        // The numbers of processes are what a further program chooses from.
        Data::from(if program.tool == Tool::Ps { PROGRAM_OUTPUT } else { UNKNOWN }.to_string())
    }

    /// The names that `ls` prints, where they are known.
    fn listed(&self, of: &Invocation<'_>) -> Data {
        let options = of.options();
        if options.operands.is_empty() {
            let star = super::taint::GLOB_STAR;
            let hidden = options.has(&["-a", "-A", "-f", "--all", "--almost-all"]);
            return Data::from(if hidden { format!("{star}\n.{star}") } else { star.to_string() });
        }
        let itself = options.has(&["-d", "--directory"])
            || options
                .operands
                .iter()
                .all(|name| name.contains(is_placeholder) || self.names_executable(name) || self.is_secret_path(name));
        if itself { Data::from(options.operands.join("\n")) } else { Data::from(UNKNOWN.to_string()) }
    }

    fn printf(&mut self, of: &Invocation<'_>) -> Data {
        let (options, rest) = of.leading();
        let Some((format, values)) = rest.split_first() else { return Data::from("") };
        let text = format_text(format, values);
        if let Some(name) = options.value(&["-v"]) {
            match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                Some((name, subscript)) => {
                    let mut whole = self.state.vars.get(name).cloned().unwrap_or_default();
                    whole.put(subscript, text.as_str().into(), &self.state.line);
                    self.state.set(name, whole);
                }
                None => self.state.set(name, Var::one(text.as_str())),
            }
            return Data::from("");
        }
        text.into()
    }

    /// Programs that read files or standard input.
    fn reader(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let Invocation { program, args, .. } = *of;
        let options = of.options();
        if options.has(&["--help", "--version"]) {
            return Data::from(UNKNOWN.to_string());
        }
        let mut operands = options.operands.clone();
        let pattern_given = options.has(&["-e", "-f", "--regexp", "--file", "--expression", "--files"]);
        let mut pattern = "";
        match program.tool {
            Tool::Grep | Tool::Fgrep | Tool::Rg | Tool::Ag | Tool::Sed | Tool::Jq | Tool::Yq
                // A lone word of `yq` is the file, unless there is something else to read.
                if !(pattern_given
                    || operands.is_empty()
                    || program.tool == Tool::Yq && operands.len() == 1 && call.stdin.is_empty()) =>
            {
                pattern = operands.remove(0);
            }
            Tool::Tr | Tool::Openssl => operands.clear(),
            _ => {}
        }
        if matches!(program.tool, Tool::Grep | Tool::Fgrep | Tool::Rg | Tool::Sed) {
            for file in options.values(&["-f", "--file"]) {
                self.read_file(file, call.span);
            }
        }
        let script = if program.tool == Tool::Sed { self.sed_files(&options, call) } else { String::new() };
        let public = args.iter().any(|arg| PUBLIC.contains(&arg.as_str()))
            || options.value(&["-out"]).is_some_and(|file| file != "-");
        if program.tool == Tool::Gpg || program.tool == Tool::Openssl && !public {
            operands.extend(options.values(&["-in"]));
        }
        if matches!(program.tool, Tool::Grep | Tool::Fgrep | Tool::Rg | Tool::Ag) {
            self.searches_all(of, pattern, &options, &operands, call);
        }
        if matches!(program.tool, Tool::Tee) {
            return self.copies_input(of, &options, &operands, call);
        }
        if let Some(file) =
            options.value(&["-o", "--output"]).filter(|_| matches!(program.tool, Tool::Sort | Tool::Gpg))
        {
            self.written_file(file, false, call.span);
        }
        let in_place = matches!(program.tool, Tool::Sed | Tool::Yq)
            && (options.has(&["-i", "--in-place", "--inplace"]) || args.iter().any(|arg| arg.starts_with("-i")));
        if in_place {
            self.edits_in_place(program.tool, &options, pattern, &operands, call);
            // What is read goes back into the file.
            operands.clear();
        }
        let searched = operands.clone();
        let mut input = Output::default();
        if operands.is_empty() {
            input.share(&call.stdin);
        }
        // Whether something is there is told, and not what.
        let tells = matches!(program.tool, Tool::Grep | Tool::Fgrep | Tool::Rg) && options.has(TELLS)
            || super::secret::names_alone(program.tool, &options, pattern);
        for file in operands {
            if file == "-" {
                input.share(&call.stdin);
            } else if tells && self.is_secret_path(file) {
                input.add("");
            } else {
                input.share(&self.read_file(file, call.span));
            }
        }
        let input = input.data();
        if matches!(program.tool, Tool::Grep | Tool::Fgrep | Tool::Rg | Tool::Ag) {
            let words: Vec<String> = if pattern_given {
                options.values(&["-e", "--regexp"]).map(str::to_owned).collect()
            } else {
                vec![pattern.to_owned()]
            };
            if let Some(list) = self.own_searched(&of.with(&words), &options, &searched) {
                return list.into();
            }
        }
        if program.tool == Tool::Sed {
            let scripts: Vec<&str> = options.values(&["-e", "--expression"]).chain([pattern, &script]).collect();
            self.sed_scripts(&scripts, &input, call);
        }
        let taken =
            if matches!(program.tool, Tool::Jq | Tool::Yq) { self.variables_taken(pattern) } else { String::new() };
        if !taken.is_empty() {
            return taken.into();
        }
        self.transformed(of, &options, pattern, input)
    }

    /// `tee`: what is read goes into files, and on.
    fn copies_input(&mut self, of: &Invocation<'_>, options: &Options<'_>, operands: &[&str], call: &Call) -> Data {
        let append = options.has(&["-a", "--append"]);
        for file in operands {
            // `sponge` reads all before it opens anything.
            if !append && of.program.writes.is_none() {
                self.empties_input(file, None, call.span);
            }
            if !file.starts_with("/dev/fd/proc") {
                self.text_follows = true;
                self.git_text_follows = true;
                self.written_file(file, append, call.span);
                self.text_follows = false;
                self.setting_written(file, &call.stdin, call.span);
                self.variables_placed(file, &call.stdin, call.span);
                self.git_file_written(file, &call.stdin, call.span);
            }
            self.store(file, &call.stdin);
        }
        Rc::clone(&call.stdin)
    }

    /// Files that an editor of streams writes again, by a script that may bring something in.
    fn edits_in_place(&mut self, tool: Tool, options: &Options<'_>, pattern: &str, operands: &[&str], call: &Call) {
        for file in operands {
            self.text_follows = true;
            self.written_file(file, false, call.span);
            self.text_follows = false;
            self.setting_written(file, pattern, call.span);
            let taken = if tool == Tool::Yq { self.variables_taken(pattern) } else { String::new() };
            for script in options.values(&["-e", "--expression"]).chain([pattern, &taken]) {
                self.variables_placed(file, script, call.span);
            }
            let inserted = super::editor::inserted(pattern);
            if !inserted.is_empty() {
                self.git_file_written(file, &inserted, call.span);
            }
        }
    }

    fn transformed(&self, of: &Invocation<'_>, options: &Options<'_>, pattern: &str, input: Data) -> Data {
        let Invocation { program, args, .. } = *of;
        if input.contains(ENVIRONMENT) && picks_plain(program.tool, options, pattern) {
            return self.home_picked(pattern).unwrap_or_else(|| Data::from(PROGRAM_OUTPUT.to_string()));
        }
        if decodes(of, options) {
            return decoded(program.tool, &input);
        }
        if encrypts(of) && !input.contains([TAINT_SECRET, TAINT_STORE, TAINT_LOADED]) {
            return Data::from(PROGRAM_OUTPUT.to_string());
        }
        match program.tool {
            Tool::Cat | Tool::Pager | Tool::Pv | Tool::Sort | Tool::Uniq | Tool::Strings => input,
            // What there is, and nothing of it.
            Tool::Jq
                if pattern
                    .rsplit('|')
                    .next()
                    .is_some_and(|last| matches!(last.trim(), "keys" | "keys[]" | "length" | "type")) =>
            {
                Data::from(UNKNOWN.to_string())
            }
            Tool::Jq if options.has(&["-r", "--raw-output", "-j"]) => {
                quoted_text(pattern).map_or_else(|| computed(&input), Data::from)
            }
            // A template of the project's that is filled in is as known as the file itself.
            Tool::Sed if input.chars().eq([UNKNOWN]) && plain_substitution(pattern).is_some() => input,
            Tool::Sed if is_literal(&input) => substituted(pattern, &input).unwrap_or_else(|| computed(&input)),
            Tool::Cut if is_literal(&input) => cut(options, &input).unwrap_or_else(|| computed(&input)),
            Tool::Jq if pattern.contains(".Config.Env") => super::secret_store::variables(),
            // What a cloud tells of a function; a template has it as well.
            Tool::Jq
                if pattern.contains(".Environment.Variables") && options.operands.len() < 2 && !input.is_empty() =>
            {
                super::secret_store::variables()
            }
            // Of all variables, the one that tells the home directory.
            Tool::Grep | Tool::Rg | Tool::Sed
                if input.contains(TAINT_SECRET) && self.home_picked(pattern).is_some() =>
            {
                self.home_picked(pattern).unwrap_or(input)
            }
            Tool::Rev if is_literal(&input) => {
                input.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect::<String>().into()
            }
            Tool::Tr if is_literal(&input) => translate(of, &input).into(),
            Tool::Head if is_literal(&input) => {
                let count = options.value(&["-n", "--lines"]).and_then(|count| count.parse::<usize>().ok());
                match count {
                    Some(count) => input.lines().take(count).flat_map(|line| [line, "\n"]).collect::<String>().into(),
                    None => input,
                }
            }
            // A search that lets only some lines through: those that hold its words.
            Tool::Grep | Tool::Fgrep if is_literal(&input) && !options.has(&["-v", "-o", "-c", "-q", "-l"]) => {
                let plain: String = pattern.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
                if plain == pattern {
                    input
                        .lines()
                        .filter(|line| line.contains(pattern))
                        .flat_map(|line| [line, "\n"])
                        .collect::<String>()
                        .into()
                } else {
                    input
                }
            }
            // Of the files that git ignores, those that are meant.
            Tool::Grep | Tool::Rg | Tool::Fgrep if input.contains(IGNORED_ITEM) => {
                let inverted = options.has(&["-v", "--invert-match"]);
                match super::secret::name_meant(pattern) {
                    Some(name) if !inverted && !options.has(TELLS) => Data::from(name),
                    None if inverted => input,
                    _ => Data::from(LIST_ITEM.to_string()),
                }
            }
            // Of the names in a directory, the one that is meant.
            Tool::Grep | Tool::Rg | Tool::Fgrep
                if input.contains(&format!("\n.{}", super::taint::GLOB_STAR))
                    && !options.has(&["-v", "-c", "-q", "-l", "--invert-match"])
                    && super::secret::name_meant(pattern).is_some() =>
            {
                Data::from(super::secret::name_meant(pattern).unwrap_or_default())
            }
            Tool::Grep | Tool::Rg | Tool::Ag | Tool::Fgrep if self.searches_for_secrets(pattern, args) => {
                Data::from(TAINT_SECRET.to_string())
            }
            _ => computed(&input),
        }
    }

    /// What a search gives that picks, of all variables, the one that tells the home directory.
    fn home_picked(&self, pattern: &str) -> Option<Data> {
        if pattern.trim_matches(['^', '=']) == "HOME" {
            return Some(format!("HOME={}\n", self.places.home).into());
        }
        let value = pattern.trim_start_matches("s/").trim_start_matches('^') == "HOME=//p";
        value.then(|| format!("{}\n", self.places.home).into())
    }

    /// A search through whole directories that hold files of secrets: a home directory, the settings in it, or a project with all that is
    /// hidden and left out of git.
    fn searches_all(
        &mut self,
        of: &Invocation<'_>,
        pattern: &str,
        options: &Options<'_>,
        operands: &[&str],
        call: &Call,
    ) {
        let Invocation { program, args, .. } = *of;
        self.searches_included(program.tool, options, call);
        let quiet = options
            .has(&["-l", "-L", "-c", "-q", "--files-with-matches", "--files-without-match", "--count", "--files"]);
        let recursive = !matches!(program.tool, Tool::Grep | Tool::Fgrep) || options.has(&["-r", "-R", "--recursive"]);
        let pattern = options.value(&["-e", "--regexp"]).unwrap_or(pattern);
        if quiet || !recursive || !sounds_secret(pattern) {
            return;
        }
        let all = match program.tool {
            Tool::Rg => {
                args.iter().any(|arg| arg.starts_with("-uu"))
                    || options.has(&["--hidden", "-."]) && options.has(&["--no-ignore", "-u", "--unrestricted"])
            }
            Tool::Ag => options.has(&["-u", "--unrestricted"]),
            _ => false,
        };
        let roots = if operands.is_empty() { vec!["."] } else { operands.to_vec() };
        for root in roots {
            let reaches = match self.place_of(root) {
                Place::Home | Place::Root => true,
                Place::Dotfiles => matches!(root.trim_end_matches('/').rsplit('/').next(), Some(".config" | ".local")),
                Place::Project | Place::ProjectParent => all,
                _ => false,
            };
            if reaches {
                self.act_at(Kind::SecretRead, Some(self.place_of(root)), super::shown(root), call.span);
            }
        }
    }

    /// A search through files of secrets alone, which a pattern for names picks: `grep -r --include='.env*'`.
    fn searches_included(&mut self, tool: Tool, options: &Options<'_>, call: &Call) {
        if options.has(TELLS) {
            return;
        }
        let names: &[&str] = match tool {
            Tool::Grep | Tool::Fgrep => &["--include"],
            Tool::Rg => &["-g", "--glob", "--iglob"],
            Tool::Ag => &["-G", "--file-search-regex"],
            _ => return,
        };
        let picked: Vec<String> = options
            .values(names)
            .filter(|pattern| !pattern.starts_with('!') && super::secret::picks_secrets(pattern))
            .map(str::to_owned)
            .collect();
        for pattern in picked {
            self.act_at(Kind::SecretRead, None, super::shown(&pattern), call.span);
        }
    }

    /// A search for the beginnings of well-known keys.
    fn searches_for_secrets(&self, pattern: &str, args: &[String]) -> bool {
        const KEYS: &[&str] = &[
            "AKIA", "PRIVATE KEY", "ghp_", "xox", "sk_live", "aws_secret", "api_key", "password", "passwd", "SECRET",
            "TOKEN",
        ];
        let whole_home = args.iter().any(|arg| matches!(self.place_of(arg), Place::Home | Place::Root));
        whole_home && KEYS.iter().any(|key| pattern.contains(key))
    }

    /// Reports a secret that is shown by a program which reads it by name.
    pub(in crate::resolve) fn reads(&mut self, path: &str, call: &Call) {
        self.own_read(path, call.span);
        let content = self.content(path);
        if path.contains(IGNORED_ITEM) {
            self.act_at(Kind::SecretRead, None, "files that git ignores".to_owned(), call.span);
        } else if self.is_secret_path(path) || content.is_some_and(|content| content.contains(TAINT_SECRET)) {
            self.act_at(Kind::SecretRead, Some(self.place_of(path)), super::shown(path), call.span);
        }
    }
}

/// Whether a program turns encoded, packed or encrypted text back.
fn decodes(of: &Invocation<'_>, options: &Options<'_>) -> bool {
    match of.program.tool {
        Tool::Base64 | Tool::Base32 => options.has(&["-d", "-D", "--decode"]),
        Tool::Xxd => option_words(of.args).any(|arg| arg.contains('r')),
        Tool::Openssl => of.args.iter().any(|arg| matches!(arg.as_str(), "-d" | "-decrypt")),
        Tool::Gpg => options.has(&["-d", "--decrypt"]),
        Tool::Gunzip => true,
        Tool::Xz => options.has(&["-d", "--decompress"]),
        _ => false,
    }
}

/// The text that comes out, as far as it can be computed.
fn decoded(tool: Tool, input: &Data) -> Data {
    let known = match tool {
        Tool::Base64 | Tool::Openssl => decode_base64(input),
        Tool::Xxd => decode_hex(input),
        _ => None,
    };
    match known {
        Some(text) if is_literal(input) && !input.trim().is_empty() => text.into(),
        _ if input.contains([TAINT_STORE, TAINT_LOADED]) => Data::from(taint_of(input)),
        _ if input.contains(TAINT_SECRET) => Data::from(TAINT_SECRET.to_string()),
        _ if input.contains(super::taint::TAINT_NETWORK) => Data::from(super::taint::TAINT_NETWORK.to_string()),
        _ => Data::from(TAINT_DECODED.to_string()),
    }
}

/// Whether nothing of what a program reads can be told from what it prints.
fn encrypts(of: &Invocation<'_>) -> bool {
    match of.program.tool {
        Tool::Gpg => true,
        Tool::Openssl => {
            of.args.iter().any(|arg| arg == "dgst" || arg.starts_with("-aes") || arg.starts_with("-chacha"))
        }
        _ => false,
    }
}

/// What `echo` prints: its arguments between blanks, behind options of the letters `n`, `e` and `E`.
fn echo(args: &[String]) -> Data {
    let is_option = |arg: &str| {
        letters(arg)
            .is_some_and(|letters| !letters.is_empty() && letters.bytes().all(|letter| b"neE".contains(&letter)))
    };
    let (mut escapes, mut newline) = (false, true);
    let mut rest = args;
    while let Some((first, after)) = rest.split_first().filter(|(first, _)| is_option(first)) {
        escapes |= first.contains('e');
        newline &= !first.contains('n');
        rest = after;
    }
    let mut text = rest.join(" ");
    if escapes {
        text = unescape(&text);
    }
    if newline {
        text.push('\n');
    }
    text.into()
}

/// Whether a program lets only such variables through as hold no secrets, or their names.
fn picks_plain(tool: Tool, options: &Options<'_>, pattern: &str) -> bool {
    match tool {
        Tool::Grep | Tool::Fgrep | Tool::Rg | Tool::Ag => {
            let given: Vec<&str> = options.values(&["-e", "--regexp"]).collect();
            let patterns = if given.is_empty() { vec![pattern] } else { given };
            options.has(TELLS)
                || !options.has(&["-v", "--invert-match"])
                    && patterns.iter().all(|one| super::secret_store::finds_plain_variables(one))
        }
        Tool::Sed => {
            pattern.trim_start_matches("s/").trim_start_matches('^') == "HOME=//p"
                || super::secret::names_alone(tool, options, pattern)
        }
        _ => super::secret::names_alone(tool, options, pattern),
    }
}

/// What a program makes of its input that is not followed.
fn computed(input: &str) -> Data {
    Data::from(if input.is_empty() { UNKNOWN.to_string() } else { taint_of(input) })
}

/// What a plain substitution of `sed` makes of each line.
fn substituted(script: &str, input: &str) -> Option<Data> {
    let whole = whole_substitution(script);
    let (from, to) = whole.map(|to| ("", to)).or_else(|| plain_substitution(script))?;
    if input.len().saturating_mul(to.len()) > LONGEST_PRINTED {
        return None;
    }
    if whole.is_some() {
        return Some(input.lines().flat_map(|_| [to, "\n"]).collect::<String>().into());
    }
    let each = script.ends_with('g');
    let line = |line: &str| if each { line.replace(from, to) } else { line.replacen(from, to, 1) } + "\n";
    Some(input.lines().map(line).collect::<String>().into())
}

/// `s/text/text/` and `s/text/text/g` of `sed`, where both are only text.
fn plain_substitution(script: &str) -> Option<(&str, &str)> {
    let rest = script.strip_prefix('s')?;
    let separator = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\')?;
    let mut pieces = rest.get(separator.len_utf8()..)?.split(separator);
    let (from, to, flags) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || " -_/:,=@%".contains(c));
    // In what comes in its place, only these two are more than text.
    let as_it_stands = |text: &str| is_literal(text) && !text.contains(['&', '\\', '\n']);
    (pieces.next().is_none() && matches!(flags, "" | "g") && !from.is_empty() && plain(from) && as_it_stands(to))
        .then_some((from, to))
}

/// `s/.*/text/` of `sed`: each line becomes the text.
fn whole_substitution(script: &str) -> Option<&str> {
    let rest = script.strip_prefix('s')?;
    let separator = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\')?;
    let mut pieces = rest.get(separator.len_utf8()..)?.split(separator);
    let (from, to, _) = (pieces.next()?, pieces.next()?, pieces.next()?);
    (pieces.next().is_none() && matches!(from, ".*" | "^.*$" | "^.*" | ".*$") && !to.contains(['&', '\\']))
        .then_some(to)
}

/// The text of a filter that is one text.
fn quoted_text(filter: &str) -> Option<&str> {
    let text = filter.trim().strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains(['"', '\\'])).then_some(text)
}

/// Whether what is looked for sounds like a secret, or is everything.
pub(in crate::resolve) fn sounds_secret(pattern: &str) -> bool {
    const WORDS: &[&str] = &[
        "key", "keys", "apikey", "token", "tokens", "secret", "secrets", "password", "passwd", "passwords", "pass",
        "pwd", "credential", "credentials", "auth", "private", "bearer", "akia", "ghp", "gho", "xox", "xoxb", "sk",
        "pk", "begin", "aws",
    ];
    matches!(pattern, "" | "." | ".*" | "=" | "^")
        || pattern.to_ascii_lowercase().split(|c: char| !c.is_ascii_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// What is put together of two texts is not followed beyond this many bytes, and no format of `printf` is used again.
const LONGEST_PRINTED: usize = 1 << 20;
/// Characters of a set of `tr` that are looked at.
const LARGEST_SET: usize = 1024;

/// The text of `printf`: the format is used again until no argument is left.
fn format_text(format: &str, values: &[String]) -> String {
    let mut out = String::new();
    let mut rest = values.iter();
    for used in 0_usize.. {
        if out.len() > LONGEST_PRINTED || used.saturating_mul(format.len()) > LONGEST_PRINTED {
            out.push(UNKNOWN);
            break;
        }
        let before = rest.len();
        let mut chars = format.chars();
        let mut piece = String::new();
        while let Some(c) = chars.next() {
            if c != '%' {
                piece.push(c);
                continue;
            }
            out.push_str(&unescape(&piece));
            piece.clear();
            // Flags and width change nothing that matters here; the letter after them does.
            match chars.by_ref().find(|c| c.is_ascii_alphabetic() || *c == '%') {
                Some('b') => out.push_str(&unescape(rest.next().map_or("", String::as_str))),
                Some('s' | 'd' | 'i' | 'u' | 'q') => out.push_str(rest.next().map_or("", String::as_str)),
                Some('c') => out.extend(rest.next().and_then(|value| value.chars().next())),
                Some('%') | None => out.push('%'),
                Some(_) => {
                    rest.next();
                    out.push(UNKNOWN);
                }
            }
        }
        out.push_str(&unescape(&piece));
        if rest.len() == 0 || rest.len() == before {
            break;
        }
    }
    out
}

/// Escapes as `echo -e` and `printf` know them.
pub(in crate::resolve) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 1..).unwrap_or_default();
        // `echo -e` writes octal as `\0NNN`.
        let after_zero =
            after.strip_prefix('0').filter(|digits| digits.starts_with(|c: char| ('1'..='7').contains(&c)));
        let (skip, body) = after_zero.map_or((0, after), |digits| (1, digits));
        let (used, decoded) = crate::syntax::decode_escape(body);
        out.push_str(&decoded);
        rest = after.get(skip + used..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The text that base64 stands for, if it is text.
pub(in crate::resolve) fn decode_base64(text: &str) -> Option<String> {
    let bytes = base64(text)?;
    String::from_utf8(bytes).ok().filter(|text| !text.is_empty())
}

pub(in crate::resolve) fn decode_hex(text: &str) -> Option<String> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let bytes: Option<Vec<u8>> = digits
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect();
    String::from_utf8(bytes?).ok().filter(|text| !text.is_empty())
}

/// Base64 of UTF-16, as PowerShell takes it.
pub(in crate::resolve) fn utf16(text: &str) -> Option<String> {
    let units: Vec<u16> =
        base64(text)?.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(u16::from_le_bytes).collect();
    String::from_utf16(&units).ok()
}

/// The bytes that base64 stands for, in either alphabet.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for c in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        buffer = (buffer << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((buffer >> bits) & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// `tr SET1 SET2` and `tr -d SET`.
fn translate(of: &Invocation<'_>, input: &str) -> String {
    let options = of.options();
    let sets: Vec<Vec<char>> = options.operands.iter().map(|set| spread(&unescape(set))).collect();
    let delete = options.has(&["-d", "--delete"]);
    if sets.iter().any(|set| set.len() > LARGEST_SET) {
        return taint_of(input);
    }
    match sets.as_slice() {
        [only] if delete => input.chars().filter(|c| !only.contains(c)).collect(),
        [from, to] if !options.has(&["-c", "-C", "--complement"]) => input
            .chars()
            .map(|c| {
                from.iter()
                    .position(|candidate| *candidate == c)
                    .and_then(|at| to.get(at).or_else(|| to.last()))
                    .copied()
                    .unwrap_or(c)
            })
            .collect(),
        _ => taint_of(input),
    }
}

/// Ranges and classes of a set.
fn spread(set: &str) -> Vec<char> {
    let set = set
        .replace("[:upper:]", "A-Z")
        .replace("[:lower:]", "a-z")
        .replace("[:digit:]", "0-9")
        .replace("[:space:]", " \t\n\r");
    let chars: Vec<char> = set.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(last)) if first <= last => {
                out.extend((*first..=*last).take(256));
                at += 3;
            }
            _ => {
                out.push(*first);
                at += 1;
            }
        }
    }
    out
}

/// Directories that a desktop gives names.
const USER_DIRS: &[(&str, &str)] = &[
    ("DESKTOP", "/Desktop"),
    ("DOWNLOAD", "/Downloads"),
    ("DOCUMENTS", "/Documents"),
    ("MUSIC", "/Music"),
    ("PICTURES", "/Pictures"),
    ("VIDEOS", "/Videos"),
    ("PUBLICSHARE", "/Public"),
    ("TEMPLATES", "/Templates"),
];

impl Interp<'_> {
    /// Programs of this module; `None` where it is not known what they print.
    pub(in crate::resolve) fn prints_path(&self, of: &Invocation<'_>) -> Option<Data> {
        let Invocation { program, args, .. } = *of;
        let operand = || plain_words(args).next_back().map(String::as_str);
        Some(Data::from(match program.tool {
            Tool::Basename => {
                let options = of.options();
                let several = options.has(&["-a", "--multiple", "-s", "--suffix"]);
                let count = if several { options.operands.len() } else { 1 };
                let suffix =
                    options.value(&["-s", "--suffix"]).or(options.operands.get(1).copied().filter(|_| !several));
                let name = |path: &&str| {
                    let name = dir_and_name(path).1;
                    let stem = suffix.and_then(|suffix| name.strip_suffix(suffix)).filter(|stem| !stem.is_empty());
                    format!("{}\n", stem.unwrap_or(name))
                };
                options.operands.iter().take(count).map(name).collect()
            }
            Tool::Dirname => of.options().operands.iter().flat_map(|path| [dir_and_name(path).0, "\n"]).collect(),
            Tool::Realpath => {
                let path = operand().unwrap_or_default();
                self.real_path(path, self.state.cwd()).unwrap_or_else(|| path.to_owned())
            }
            Tool::Mktemp => self.temporary(of),
            Tool::XdgUserDir => {
                let named = args.first().and_then(|name| USER_DIRS.iter().find(|(known, _)| known == name));
                format!("{}{}\n", self.places.home, named.map_or("", |(_, dir)| dir))
            }
            Tool::Getent => match args {
                [base, user] if base == "passwd" => self.account(user),
                _ => return None,
            },
            Tool::Printenv => match args {
                [name] => self.value(name).filter(|value| is_literal(value)).map(|value| format!("{value}\n"))?,
                _ => return None,
            },
            _ => return None,
        }))
    }

    /// The file or directory that `mktemp` makes.
    fn temporary(&self, of: &Invocation<'_>) -> String {
        let options = of.options();
        let dir = self.value("TMPDIR").unwrap_or_else(|| "/tmp".to_owned());
        let dir = options.value(&["-p", "--tmpdir"]).map_or(dir, str::to_owned);
        match options.operands.first() {
            Some(template) if !options.has(&["-p", "-t", "--tmpdir"]) => (*template).to_owned(),
            template => format!("{dir}/{}", template.copied().unwrap_or("tmp.XXXXXXXXXX")),
        }
    }

    /// The accounts that are known to be there.
    pub(in crate::resolve) fn accounts(&self) -> String {
        format!("root:x:0:0:root:/root:/bin/bash\n{}", self.account(""))
    }

    /// The line of an account, in the system's list of them.
    fn account(&self, user: &str) -> String {
        let own = self.places.home.rsplit('/').next().unwrap_or_default();
        let home = match user {
            "root" | "0" => "/root".to_owned(),
            _ if user == own || user.contains(is_placeholder) || user.bytes().all(|byte| byte.is_ascii_digit()) => {
                return format!("{own}:x:1000:1000::{}:/bin/bash\n", self.places.home);
            }
            _ => format!("/home/{user}"),
        };
        format!("{user}:x:1000:1000::{home}:/bin/bash\n")
    }

    /// What `awk '{print $N}'` prints of what is known: fields of its input, or of the list of accounts.
    pub(in crate::resolve) fn awk_prints(
        &self,
        args: &[String],
        code: &str,
        rest: &[String],
        stdin: &str,
    ) -> Option<Data> {
        let (_, action) = code.split_once('{')?;
        let field = action.trim().strip_suffix('}')?.trim().strip_prefix("print")?.trim().strip_prefix('$')?;
        let field: usize = field.parse().ok().filter(|field| *field > 0)?;
        let separator = args.iter().enumerate().find_map(|(at, arg)| match arg.strip_prefix("-F") {
            Some("") => args.get(at + 1).map(String::as_str),
            joined => joined,
        });
        let input = match rest {
            [file] if file == "/etc/passwd" => self.accounts(),
            [] if is_literal(stdin) && !stdin.is_empty() => stdin.to_owned(),
            _ => return None,
        };
        let separator = separator.filter(|text| text.chars().count() == 1 && *text != " ");
        let line = |line: &str| {
            let found = match separator {
                Some(separator) => line.split(separator).nth(field - 1),
                None => line.split_whitespace().nth(field - 1),
            };
            format!("{}\n", found.unwrap_or_default())
        };
        Some(Data::from(input.lines().map(line).collect::<String>()))
    }
}

/// The directory that a path's last part lies in, and that part, as `dirname` and `basename` print them.
fn dir_and_name(path: &str) -> (&str, &str) {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit_once('/') {
        _ if trimmed.is_empty() && !path.is_empty() => ("/", "/"),
        Some((dir, name)) if dir.trim_end_matches('/').is_empty() => ("/", name),
        Some((dir, name)) => (dir.trim_end_matches('/'), name),
        None => (".", trimmed),
    }
}

/// Whether a file holds the number of a process that serves the system, and not just a user.
pub(in crate::resolve) fn is_number_of_service(path: &str) -> bool {
    path.rsplit('.').next() == Some("pid")
        && ["/run/", "/var/run/"].iter().any(|dir| path.starts_with(dir))
        && !path.contains("/run/user/")
}

/// Fields of known lines, by their number: `-f N` and `-f N-`.
pub(in crate::resolve) fn cut(options: &Options<'_>, input: &str) -> Option<Data> {
    let separator = options.value(&["-d", "--delimiter"]).unwrap_or("\t");
    let fields = options.value(&["-f", "--fields"])?;
    let (first, onward) = fields.strip_suffix('-').map_or((fields, false), |first| (first, true));
    let first: usize = first.parse().ok().filter(|first| *first > 0)?;
    if separator.is_empty() {
        return None;
    }
    let line = |line: &str| {
        if !line.contains(separator) {
            return format!("{line}\n");
        }
        let mut pieces = if onward { line.splitn(first, separator) } else { line.splitn(usize::MAX, separator) };
        format!("{}\n", pieces.nth(first - 1).unwrap_or_default())
    };
    Some(Data::from(input.lines().map(line).collect::<String>()))
}
