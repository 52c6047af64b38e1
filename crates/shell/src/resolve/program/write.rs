//! Programs that write files which they are told of by an option or by an operand: compilers, packers, formatters, dumps.

use crate::options::{Options, Scan};
use crate::programs::{Invocation, OUTPUTS, Tool, Written};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::guard_files::named;
use crate::resolve::taint::{UNKNOWN, activate_globs, is_placeholder};

impl Interp<'_> {
    /// Reports the files that a program of the table writes.
    pub(in crate::resolve) fn writes(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let Some(writer) = program.writes else { return };
        if program.tool == Tool::Patch {
            let options = of.options();
            if !options.has(&["--dry-run"]) {
                let files: Vec<&str> =
                    options.values(&["-i", "--input"]).chain(options.operands.get(1).copied()).collect();
                self.patched(&files, &options, call);
            }
        }
        let args = match writer.verbs {
            [] => args,
            verbs => match Scan::new(args, program.options).operands().next() {
                Some(verb) if verbs.contains(&verb.word.as_str()) => args.get(verb.at + 1..).unwrap_or_default(),
                _ => return,
            },
        };
        let options = of.with(args).options();
        if options.has(&["--help", "--version"]) || options.has(writer.unless) {
            return;
        }
        for file in options.values(writer.files).filter(|file| *file != "-") {
            self.creates(Kind::Overwrite, file, call);
        }
        let dirs: Vec<&str> = options.values(writer.dirs).collect();
        let members = match writer.operands {
            Written::Unpacked => options.operands.get(1..).unwrap_or_default(),
            _ => &[],
        };
        for dir in &dirs {
            // What is named goes there under its name.
            if members.is_empty() || !self.stands_above_own(dir) {
                self.creates(Kind::Append, dir, call);
            }
        }
        if !writer.when.is_empty() && !options.has(writer.when) {
            return;
        }
        let operands = options.operands.as_slice();
        match writer.operands {
            Written::No => {}
            Written::All => self.create_all(Kind::Overwrite, operands, call),
            Written::Replaced => self.create_all(Kind::Move, operands, call),
            Written::Marks => self.own_paths(operands, call),
            Written::First => self.create_all(Kind::Overwrite, operands.get(..1).unwrap_or_default(), call),
            Written::Last => {
                self.create_all(
                    Kind::Overwrite,
                    operands.get(operands.len().saturating_sub(1)..).unwrap_or_default(),
                    call,
                );
            }
            Written::Second => self.create_all(Kind::Overwrite, operands.get(1..2).unwrap_or_default(), call),
            Written::AfterTwo => self.create_all(Kind::Overwrite, operands.get(2..).unwrap_or_default(), call),
            Written::Prefix => {
                if let Some(prefix) = operands.get(1) {
                    self.creates(Kind::Overwrite, &format!("{prefix}{UNKNOWN}"), call);
                }
            }
            Written::Unpacked => {
                for dir in if dirs.is_empty() { &["."] } else { dirs.as_slice() } {
                    for member in members {
                        let member = format!("{}/{}", dir.trim_end_matches('/'), activate_globs(member));
                        self.creates(Kind::Overwrite, &member, call);
                    }
                }
                if dirs.is_empty() && (members.is_empty() || !self.stands_above_own(".")) {
                    self.creates(Kind::Append, ".", call);
                }
            }
        }
        let names = matches!(writer.operands, Written::All | Written::First) && !operands.is_empty();
        if writer.here && dirs.is_empty() && !names {
            self.own_poured(".", call);
        }
        // `json -I -f FILE`: the file stands in an option.
        if program.tool == Tool::Json {
            for file in options.values(&["-f"]) {
                self.creates(Kind::Overwrite, file, call);
            }
        }
    }

    fn create_all(&mut self, kind: Kind, paths: &[&str], call: &Call) {
        for path in paths.iter().filter(|path| **path != "-") {
            self.creates(kind, path, call);
        }
    }

    /// A file that comes to be, or changes, by a program whose output is no text of the command: whether it looks like a secret does
    /// not matter.
    pub(in crate::resolve) fn creates(&mut self, kind: Kind, path: &str, call: &Call) {
        if path.is_empty() || path.chars().all(is_placeholder) {
            return;
        }
        self.without_secret_writes(|interp| interp.act_on(kind, path, call.span));
    }

    /// Runs `inner`, and leaves out of its actions that files of secrets are written.
    pub(super) fn without_secret_writes(&mut self, inner: impl FnOnce(&mut Self)) {
        self.without(&[Kind::SecretWrite], inner);
    }

    /// Runs `inner`, and leaves out of its actions those of these kinds.
    pub(super) fn without(&mut self, kinds: &[Kind], inner: impl FnOnce(&mut Self)) {
        let before = self.report.actions.len();
        inner(self);
        let told = self.report.actions.split_off(before.min(self.report.actions.len()));
        self.report.actions.extend(told.into_iter().filter(|action| !kinds.contains(&action.kind)));
    }

    /// What a program may write that is not known: the file of an option that is called like an output.
    pub(super) fn may_write(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, OUTPUTS);
        for file in options.values(OUTPUTS).filter(|file| file.contains('/') && !file.contains("://")) {
            self.creates(Kind::Overwrite, file, call);
        }
        // Files of the guard that the user put where they like, under any name.
        let paths = named(args).filter(|path| path.contains(['/', '.']));
        self.ask_where(paths, |interp, path| interp.known_files.is_own(path), call);
    }

    /// `.output FILE` and the other commands of SQLite's client, `\o FILE` of PostgreSQL's, `tee FILE` of MySQL's.
    pub(super) fn client_output(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let (marks, words): (&[char], &[&str]) = match program.tool {
            Tool::Sqlite3 => (&['.'], &["output", "once", "backup", "save", "clone", "log", "excel"]),
            Tool::Psql | Tool::Pgcli => (&['\\'], &["o", "out", "w", "g", "gx"]),
            Tool::Mysql => (&['\\'], &["T", "tee"]),
            _ => return,
        };
        if matches!(program.tool, Tool::Psql | Tool::Pgcli) {
            for file in of.options().values(&["-o", "--output", "-L", "--log-file"]) {
                self.creates(Kind::Overwrite, file, call);
            }
        }
        let texts: Vec<String> =
            args.iter().map(String::as_str).chain([call.stdin.as_ref()]).map(str::to_owned).collect();
        for text in &texts {
            self.sql_files(text, call);
        }
        for line in texts.iter().flat_map(|text| text.lines()) {
            let line = line.trim();
            let Some(rest) = line.strip_prefix(marks) else { continue };
            let mut parts = rest.split_whitespace();
            let mut given = parts.clone();
            if matches!(given.next(), Some("import" | "read" | "i" | "include" | "ir"))
                && let Some(file) = given.find(|word| !word.starts_with('-'))
            {
                self.reads(file.trim_matches(['\'', '"']), call);
            }
            if parts.next().is_some_and(|word| words.contains(&word))
                && let Some(file) = parts.next_back()
                && !file.starts_with('|')
            {
                let file = file.trim_matches(['\'', '"']).to_owned();
                self.creates(Kind::Overwrite, &file, call);
            }
        }
    }
}
