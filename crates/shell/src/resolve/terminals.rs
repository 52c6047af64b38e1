//! What leaves the shell in forms of its own: commands for terminals and managed machines, directories that are packed or served.

use super::Interp;
use super::exec::Call;
use super::state::Data;
use crate::options::Options;
use crate::programs::{Invocation, Tongue, Tool, Trait};

impl Interp<'_> {
    /// What a program of this module starts.
    pub(super) fn starts_elsewhere(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        if of.is(Trait::Terminal) {
            self.terminal(args, call);
        } else if program.tool == Tool::Aws {
            self.sent_to_machines(of, call);
        } else {
            self.modules(of, call);
            self.serves(of, call);
        }
    }

    /// `python3 -m zipfile -c ARCHIVE FILES`, and the same of `tarfile`.
    fn modules(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { name, args, .. } = *of;
        if let ["-m", "zipfile" | "tarfile", "-c" | "--create", archive, files @ ..] = words(args).as_slice()
            && is_python(name)
        {
            self.pack(archive, files, call);
        }
    }

    /// `7z a ARCHIVE FILES`.
    pub(super) fn packs(&mut self, of: &Invocation<'_>, call: &Call) {
        if let Some((archive, files)) = of.options().operands.split_first() {
            self.pack(archive, files, call);
        }
    }

    /// A server that hands all files of a directory to whoever asks.
    fn serves(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, name, args } = *of;
        let words = words(args);
        let (dirs, rest): (&[&str], &[&str]) = match (program.tool, words.as_slice()) {
            (_, ["-m", "http.server", rest @ ..]) if is_python(name) => (&["-d", "--directory"], rest),
            (Tool::Busybox, ["httpd", rest @ ..]) => (&["-h"], rest),
            (Tool::Httpd, rest) if !rest.is_empty() => (&["-h"], rest),
            (Tool::Php, rest) if rest.contains(&"-S") => (&["-t", "--docroot"], rest),
            (Tool::Caddy, ["file-server", rest @ ..]) => (&["-r", "--root"], rest),
            (Tool::ServesDir, rest)
            | (Tool::Npx, ["serve" | "http-server" | "live-server", rest @ ..])
            | (Tool::Rclone, ["serve", _, rest @ ..]) => (&[], rest),
            _ => return,
        };
        let rest: Vec<String> = rest.iter().map(|arg| (*arg).to_owned()).collect();
        let values =
            ["-b", "--bind", "-a", "--addr", "--address", "-p", "--port", "-l", "--listen", "-S", "-i", "--host", "-H"];
        let options = Options::all(&rest, &[dirs, &values].concat());
        let near = |at: &str| ["127.", "localhost", "[::1]", "::1"].iter().any(|host| at.contains(host));
        if options.values(&values).any(near) {
            return;
        }
        let named =
            options.value(dirs).or_else(|| if dirs.is_empty() { options.operands.first().copied() } else { None });
        self.sends_secret(named.unwrap_or("."), call);
    }

    /// `xterm -e PROGRAM ARGUMENTS`, `gnome-terminal -- PROGRAM`, `xfce4-terminal -e LINE`.
    fn terminal(&mut self, args: &[String], call: &Call) {
        let inner = Call { stdin: Data::from(""), span: call.span };
        if let Some(line) = args.iter().find_map(|arg| arg.strip_prefix("--command=")) {
            self.subshell(|interp| interp.run_text(line, &inner));
        }
        let starts = |arg: &String| matches!(arg.as_str(), "-e" | "-x" | "--" | "--command" | "--execute");
        let Some(at) = args.iter().position(starts) else { return };
        match args.get(at + 1..).unwrap_or_default() {
            [line] => {
                self.subshell(|interp| interp.run_text(line, &inner));
            }
            program => {
                self.subshell(|interp| interp.exec(program, &inner));
            }
        }
    }

    /// `aws ssm send-command --parameters commands=LINE`, or the same as a list or as JSON.
    fn sent_to_machines(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if !matches!(options.operands.as_slice(), ["ssm", "send-command" | "start-session", ..]) {
            return;
        }
        let texts: Vec<String> = options.values(&["--parameters"]).flat_map(lines_of).collect();
        let inner = Call { stdin: Data::from(""), span: call.span };
        for line in texts {
            self.subshell(|interp| {
                interp.state.remote = true;
                interp.run_text(&line, &inner)
            });
        }
    }
}

/// The lines in a parameter. Names of parameters stand among them where the form is JSON, and are commands that do nothing.
fn lines_of(text: &str) -> Vec<String> {
    if !text.contains('"') {
        let line = text.split_once('=').map_or(text, |(_, line)| line);
        return vec![line.trim_matches(['[', ']', '\'']).to_owned()];
    }
    let mut lines = Vec::new();
    let mut line: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (&mut line, c) {
            (Some(line), '\\') => line.extend(chars.next()),
            (Some(_), '"') => lines.extend(line.take()),
            (Some(line), c) => line.push(c),
            (None, '"') => line = Some(String::new()),
            (None, _) => {}
        }
    }
    lines
}

fn is_python(name: &str) -> bool {
    super::code::language(name).is_some_and(|code| code.tongue == Tongue::Python)
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}
