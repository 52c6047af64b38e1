//! Programs that bring files from elsewhere: containers, clusters, stores, releases, templates. What they put here is told by an operand or an option.

use crate::options::plain_words;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::taint::activate_globs;

/// What stands before the name of a file that a statement reads, in small letters.
const SQL_READS: &[&str] = &[
    "readfile(", "pg_read_file(", "pg_read_binary_file(", "load_file(", "lo_import(", "infile", "read_text(",
    "read_blob(", "read_csv(", "read_csv_auto(", "read_json(",
];

impl Interp<'_> {
    /// Reports what such a program writes on this machine.
    pub(in crate::resolve) fn brings(&mut self, of: &Invocation<'_>, call: &Call) {
        self.pouring(true, |interp| interp.brought(of, call));
    }

    fn brought(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let words: Vec<&str> = plain_words(args).map(String::as_str).collect();
        let is = |wanted: &[&str]| wanted.iter().all(|word| words.contains(word));
        let copies = match program.tool {
            Tool::Docker | Tool::Kubectl | Tool::Lxc => {
                words.iter().any(|word| matches!(*word, "cp" | "transfer" | "pull"))
            }
            Tool::DockerCompose => is(&["cp"]),
            Tool::Aws => words.first() == Some(&"s3") && words.iter().any(|word| matches!(*word, "cp" | "mv" | "sync")),
            Tool::Gsutil | Tool::S5cmd | Tool::Mc => {
                words.iter().any(|word| matches!(*word, "cp" | "mv" | "rsync" | "mirror" | "sync"))
            }
            Tool::Gcloud => {
                is(&["storage"]) && words.iter().any(|word| matches!(*word, "cp" | "mv" | "rsync"))
                    || is(&["compute", "scp"])
            }
            Tool::S3cmd => words.iter().any(|word| matches!(*word, "get" | "sync")),
            Tool::Rclone => words.iter().any(|word| matches!(*word, "copy" | "copyto" | "move" | "moveto" | "sync")),
            Tool::Azcopy => words.iter().any(|word| matches!(*word, "copy" | "cp" | "sync")),
            Tool::Svn => words.iter().any(|word| matches!(*word, "export" | "checkout" | "co")),
            Tool::Hg => is(&["clone"]),
            Tool::Degit => true,
            Tool::Robocopy => {
                // `/E`, `/MIR`: what is written so is no path.
                let is_switch =
                    |arg: &&String| arg.starts_with('/') && !arg.get(1..).is_some_and(|rest| rest.contains('/'));
                if let Some(target) = args.iter().filter(|arg| !is_switch(arg)).nth(1) {
                    let mirrors =
                        args.iter().any(|arg| arg.eq_ignore_ascii_case("/mir") || arg.eq_ignore_ascii_case("/purge"));
                    self.creates(if mirrors { Kind::Mirror } else { Kind::Overwrite }, target, call);
                }
                return;
            }
            // The file that is open is written by what is evaluated.
            Tool::Emacs if args.iter().any(|arg| arg.contains("save-buffer")) => {
                let files: Vec<&str> =
                    plain_words(args).map(String::as_str).filter(|arg| !arg.starts_with('(')).collect();
                self.own_paths(&files, call);
                return;
            }
            Tool::Az => {
                let options = of.options();
                if words.contains(&"download") || words.contains(&"download-batch") {
                    for file in options.values(&["-f", "--file", "-d", "--destination"]) {
                        self.creates(Kind::Overwrite, file, call);
                    }
                }
                return;
            }
            Tool::Gh => {
                if words.contains(&"download") {
                    let options = of.options();
                    let patterns: Vec<&str> = options.values(&["-p", "--pattern"]).collect();
                    for dir in options.values(&["-D", "--dir", "-O", "--output"]).filter(|file| *file != "-") {
                        if patterns.is_empty() || !self.stands_above_own(dir) {
                            self.creates(Kind::Append, dir, call);
                        }
                        for pattern in &patterns {
                            self.own_paths(&[&format!("{dir}/{}", activate_globs(pattern))], call);
                        }
                    }
                }
                return;
            }
            _ => return,
        };
        let options = of.options();
        if !copies || options.has(&["--dry-run", "--dryrun", "--help"]) {
            return;
        }
        // What comes from a template replaces what lies there, if it is told to.
        let template = matches!(program.tool, Tool::Degit);
        let Some((target, [_, ..])) = options.operands.split_last() else { return };
        if target.contains("://") || *target == "-" || target.split_once(':').is_some_and(|(host, _)| host.len() > 1) {
            return;
        }
        if template && options.has(&["--force", "-f"]) && self.holds_guard(target) {
            self.act_at(Kind::Guard, None, crate::resolve::shown(&of.text()), call.span);
        }
        // Whoever copies one thing into a directory says what it is called.
        let one = is(&["cp"]) && !options.has(&["-r", "-R", "--recursive"]);
        if (one || words.contains(&"transfer")) && self.stands_above_own(target) {
            let sources = options.operands.get(1..options.operands.len().saturating_sub(1)).unwrap_or_default();
            self.overwritten(sources.get(sources.len().saturating_sub(1)..).unwrap_or_default(), target, call);
        } else {
            self.creates(Kind::Overwrite, target, call);
        }
    }

    /// `python3 -m json.tool IN OUT` and other modules that write a file which is named.
    pub(in crate::resolve) fn module_writes(&mut self, module: &str, rest: &[String], call: &Call) {
        let operands: Vec<&str> = plain_words(rest).map(String::as_str).collect();
        let extracts = rest.first().is_some_and(|arg| matches!(arg.as_str(), "-e" | "--extract"));
        let written = match module {
            "json.tool" | "json" => operands.get(1),
            "zipfile" | "tarfile" if extracts => operands.get(1),
            "zipfile" | "tarfile" if rest.first().is_some_and(|arg| matches!(arg.as_str(), "-c" | "--create")) => {
                operands.first()
            }
            "zipapp" | "gzip" => operands.first(),
            _ => None,
        };
        if let Some(file) = written {
            self.creates(Kind::Overwrite, file, call);
        }
    }

    /// Files that a statement of SQL writes or reads: `INTO OUTFILE 'x'`, `COPY … TO 'x'`, `writefile('x', …)`, `readfile('x')`.
    pub(super) fn sql_files(&mut self, text: &str, call: &Call) {
        let lower = text.to_ascii_lowercase();
        let mut from = 0;
        loop {
            let Some(at) = lower.get(from..).and_then(|rest| rest.find(['\'', '"'])).map(|at| from + at) else {
                return;
            };
            let quote = if lower.as_bytes().get(at) == Some(&b'"') { '"' } else { '\'' };
            let before = lower.get(..at).unwrap_or_default().trim_end();
            let Some(end) = lower.get(at + 1..).and_then(|rest| rest.find(quote)).map(|end| at + 1 + end) else {
                return;
            };
            let writes = before.ends_with("outfile")
                || before.ends_with("dumpfile")
                || before.ends_with("writefile(")
                || before.ends_with("vacuum into")
                || before.ends_with(" to") && before.contains("copy");
            let file = text.get(at + 1..end).unwrap_or_default();
            if writes {
                self.creates(Kind::Overwrite, file, call);
            } else if SQL_READS.iter().any(|call| before.ends_with(call))
                || before.ends_with(" from") && before.contains("copy")
            {
                self.reads(file, call);
            }
            from = end + 1;
        }
    }
}
