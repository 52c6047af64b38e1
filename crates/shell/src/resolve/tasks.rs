//! Files that a line writes or fetches and a further program then reads: `package.json`, `justfile`, `Taskfile.yml`, `Rakefile`, SQL.

use crate::programs::{Invocation, Language, PYTHON, Tool};
use std::rc::Rc;

use super::Interp;
use super::exec::Call;
use super::state::Data;
use super::value::is_known;

/// Scripts that run when packages are installed, and when one is published.
const ON_INSTALL: &[&str] = &["preinstall", "install", "postinstall", "prepare", "prepublish"];
const ON_PUBLISH: &[&str] =
    &["prepublish", "prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"];

impl Interp<'_> {
    /// Runners of this module.
    pub(super) fn tasks(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        match program.tool {
            Tool::Npm | Tool::Bun => self.package_scripts(of, call),
            Tool::Just => self.just(of, call),
            Tool::Split => self.split_up(of, call),
            Tool::Gh | Tool::Glab if args.iter().take(2).any(|arg| arg == "download") => {
                // What a release or a run has to offer comes into a folder.
                self.unpacked_to(of.options().value(&["-D", "--dir"]));
            }
            Tool::Task => {
                let options = of.options();
                let names = ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"];
                let names = options.value(&["-t", "--taskfile"]).map_or(names.to_vec(), |file| vec![file]);
                if let Some(text) = names.iter().find_map(|name| self.content(name)) {
                    for line in yaml_commands(&text) {
                        self.launched(&line, call);
                    }
                }
            }
            Tool::Pytest => {
                let files: Vec<&String> = args.iter().filter(|arg| arg.contains(".py")).collect();
                for file in files {
                    self.code_file(&PYTHON, file.split("::").next().unwrap_or(file), call);
                }
            }
            _ => {
                if let Some(tasks) = program.tasks {
                    for file in tasks.files {
                        self.code_file(tasks.code, file, call);
                    }
                }
            }
        }
    }

    /// `split`: the first piece has the name that is known.
    fn split_up(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let content = match options.operands.first() {
            None | Some(&"-") => Some(Rc::clone(&call.stdin)),
            Some(file) => self.content(file),
        };
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            let prefix = options.operands.get(1).copied().unwrap_or("x");
            self.store(&format!("{prefix}aa"), &content);
        }
    }

    fn code_file(&mut self, language: &Language, file: &str, call: &Call) {
        if let Some(text) = self.content(file) {
            let inner = Call { stdin: Data::from(""), span: call.span };
            self.branch(|interp| interp.run_code(language, &text, &inner));
        }
    }

    /// `just` with a file that this line writes.
    fn just(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let names = ["justfile", "Justfile", ".justfile", "JUSTFILE"];
        let names = options.value(&["-f", "--justfile"]).map_or(names.to_vec(), |file| vec![file]);
        let Some(text) = names.iter().find_map(|name| self.content(name)) else { return };
        for line in text.lines().filter(|line| line.starts_with([' ', '\t'])) {
            self.launched(line.trim_start_matches(['@', '-', ' ', '\t']), call);
        }
    }

    /// `npm pkg set scripts.NAME=LINE` and its like, and scripts of a `package.json` that this line writes: what the call runs of them.
    fn package_scripts(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        let words = options.operands.as_slice();
        match words {
            ["pkg", "set", settings @ ..] => {
                for (key, line) in settings.iter().filter_map(|setting| setting.split_once('=')) {
                    if key.starts_with("scripts.") || key.starts_with("scripts[") {
                        self.launched(line, call);
                    }
                }
                return;
            }
            ["set-script", _, line] => return self.launched(line, call),
            _ => {}
        }
        let folder =
            options.value(&["--prefix", "-C", "--dir", "--cwd"]).unwrap_or(".").trim_end_matches('/').to_owned();
        let Some(text) = self.content(&format!("{folder}/package.json")) else { return };
        let verb = words.first().copied().unwrap_or("install");
        let by_verb: &[&str] = match verb {
            "install" | "i" | "ci" | "add" | "rebuild" => ON_INSTALL,
            "publish" | "pack" => ON_PUBLISH,
            "t" | "tst" => &["test"],
            _ => &[],
        };
        for (script, line) in scripts(&text) {
            let plain = script.strip_prefix("pre").or_else(|| script.strip_prefix("post")).unwrap_or(&script);
            let runs = by_verb.contains(&script.as_str())
                || by_verb.contains(&plain)
                || words.contains(&script.as_str())
                || words.contains(&plain);
            // A script may name itself, for the packages within.
            let open = format!("script {script}");
            if runs && !self.open_aliases.contains(&open) {
                self.open_aliases.push(open);
                self.launched(&line, call);
                self.open_aliases.pop();
            }
        }
    }

    /// Statements in a file that this line writes, as if the client of a database had read them itself: `-f FILE`, `.read FILE`,
    /// `\\i FILE`, `source FILE`.
    pub(super) fn statements_of_files(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { args, .. } = *of;
        let mut files: Vec<&str> = of.options().values(&["-f", "--file"]).collect();
        let texts = args.iter().map(String::as_str).chain(std::iter::once(call.stdin.as_ref()));
        for line in texts.flat_map(str::lines).map(str::trim) {
            let named = [".read ", "\\i ", "\\ir ", "source ", "\\. "].iter().find_map(|word| line.strip_prefix(word));
            files.extend(named.map(|file| file.trim_matches([' ', ';', '"', '\''])));
        }
        for file in files {
            if let Some(stdin) = self.content(file).filter(|content| is_known(content) && !content.is_empty()) {
                self.report_run(&of.with(&[]), &Call { stdin, span: call.span });
            }
        }
    }
}

/// The scripts of a `package.json`, by name, as far as the text is one.
fn scripts(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let inner = text.split_once("\"scripts\"").and_then(|(_, rest)| rest.split_once('{'));
    let Some((_, mut rest)) = inner else { return out };
    while let Some((name, after)) = json_text(rest) {
        let Some((line, after)) = after.trim_start().strip_prefix(':').and_then(json_text) else { break };
        out.push((name, line));
        let Some(after) = after.trim_start().strip_prefix(',') else { break };
        rest = after;
    }
    out
}

/// A text in quotes as JSON has it, and what follows it.
fn json_text(text: &str) -> Option<(String, &str)> {
    let body = text.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = body.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some((super::filter::unescape(&body.get(..end)?.replace("\\\"", "\"").replace("\\/", "/")), body.get(end + 1..)?))
}

/// The lines for a shell in a file of tasks: items of lists, and what is called `cmd` or stands in a list of `cmds`.
fn yaml_commands(text: &str) -> Vec<String> {
    let plain = |text: &str| {
        let text = text.trim();
        let quoted = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        quoted.unwrap_or(text).to_owned()
    };
    let mut out = Vec::new();
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if block.is_some_and(|block| indent > block) {
            out.push(trimmed.to_owned());
            continue;
        }
        block = None;
        let item = trimmed.strip_prefix("- ").map(str::trim_start);
        let command = item.unwrap_or(trimmed).strip_prefix("cmd:").or(item);
        if let Some(list) = trimmed.strip_prefix("cmds:").and_then(|list| list.trim().strip_prefix('[')) {
            out.extend(list.trim_end_matches(']').split(',').map(plain));
        } else if let Some(command) = command.map(str::trim) {
            if matches!(command, "|" | ">" | "|-" | ">-") {
                block = Some(indent);
            } else {
                out.push(plain(command));
            }
        }
    }
    out
}
