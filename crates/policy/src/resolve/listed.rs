//! The guard's files among those that a line lists or finds: what is done to all of them is done to the guard.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::option::Options;
use super::own::below_root;
use super::value::{HOLE, OWNED, glob, is_marker};

/// What stands in the settings entry, by whose words a search finds it and a replacement spoils it.
const ENTRY: &str = "\"hooks\": { \"PreToolUse\" \"PostToolUse\" \"PostToolUseFailure\" \"UserPromptSubmit\" \"SessionStart\" \"SessionEnd\" \
    \"SubagentStart\" \"SubagentStop\" \"PreCompact\" \"PermissionRequest\" \"Notification\" \"ConfigChange\" \"Stop\": [{ \"matcher\": \"*\" \
    \"hooks\": [{ \"type\": \"command\", \"command\": \"$CLAUDE_PROJECT_DIR/.claude/hookbin/hookbin hook PreToolUse\", \"timeout\": 10 }] }] \
    disableAllHooks statusLine";

/// Programs that change files by a pattern which says what of them.
const EDITORS: &[&str] = &["sed", "gsed", "perl", "ruby", "sd", "rpl", "replace", "awk", "gawk", "fastmod", "codemod"];

/// Programs that replace, remove or move whatever they are given.
const DESTROYERS: &[&str] = &[
    "rm",
    "grm",
    "srm",
    "rimraf",
    "del",
    "del-cli",
    "unlink",
    "shred",
    "wipe",
    "truncate",
    "mv",
    "gmv",
    "rename",
    "cp",
    "gcp",
    "install",
    "tee",
    "sponge",
    "trash",
    "trash-put",
    "rmtrash",
    "gio",
    "dd",
    "chmod",
    "ln",
    "git",
];

impl Interp<'_> {
    /// A list of files, and that one of the guard's is among them.
    pub(super) fn with_own(&mut self, list: &str) -> String {
        self.lists_own = true;
        format!("{list}\n{OWNED}\n")
    }

    /// The arguments as the guard's files among them matter to this program: not at all to one that reads, nor to an edit by a pattern
    /// that does not occur in the guard's entry.
    pub(super) fn own_listed(&self, name: &str, args: &[String]) -> Option<Vec<String>> {
        if !self.lists_own || !args.iter().any(|arg| arg.contains(OWNED)) {
            return None;
        }
        let matters = if EDITORS.contains(&name) {
            args.iter().any(|arg| edits_entry(arg))
        } else if name == "chmod" {
            args.iter().any(|arg| super::program::takes_rights(arg))
        } else {
            // What starts another program hands them on.
            DESTROYERS.contains(&name) || !is_plain(name)
        };
        (!matters).then(|| args.iter().map(|arg| arg.replace(OWNED, &HOLE.to_string())).collect())
    }

    /// Reports that a path which stands for files of a list is one of the guard's.
    pub(super) fn own_in_list(&mut self, kind: Kind, path: &str, span: crate::shell::Span) {
        if !self.lists_own || !super::own::changes(kind) {
            return;
        }
        for line in path.lines() {
            let Some((before, after)) = line.split_once(OWNED) else { continue };
            // `$f.bak` is another file, and a copy below another folder is as well.
            if after.is_empty() && !before.contains(is_marker) && self.holds_guard(before) {
                self.act_at(Kind::Own, None, "the guard's files among those that are listed".to_owned(), span);
                return;
            }
        }
    }

    /// Whether files of the guard lie below a folder, on this machine.
    pub(super) fn holds_guard(&self, folder: &str) -> bool {
        let folder = if folder.is_empty() { "." } else { folder };
        !self.state.remote
            && self.places_of(folder).iter().any(|(_, absolute)| !below_root(absolute, self.places).is_empty())
    }

    /// Whether the shell stands in the project, or above it.
    pub(super) fn stands_by_guard(&self) -> bool {
        let within = |cwd: &String| {
            *cwd == self.places.project
                || crate::path::below(cwd, &self.places.project).is_some()
                || !below_root(cwd, self.places).is_empty()
        };
        !self.state.remote && !self.stands_in_made() && self.state.cwds.iter().flatten().any(within)
    }

    /// Whether paths, as git or a search takes them, let through the guard's settings; none let through everything.
    pub(super) fn lets_settings_through(&self, paths: &[&str]) -> bool {
        let chosen: Vec<&&str> =
            paths.iter().filter(|path| !path.starts_with(":!") && !path.starts_with(":(exclude")).collect();
        let left_out = paths.iter().any(|path| path.starts_with(':') && path.contains(".claude"));
        let fits = |path: &str| {
            let path = path.trim_start_matches("./").replace(is_marker, "*");
            let path = path.trim_start_matches(":(glob)").trim_start_matches(":/").trim_start_matches("**/");
            path.contains('*') && [".claude/settings.json", "settings.json"].iter().any(|name| glob(path, name))
                || !path.contains('*') && (path.trim_end_matches('/') == ".claude" || self.holds_guard(path))
        };
        !left_out && (chosen.is_empty() || chosen.iter().any(|path| fits(path)))
    }

    /// The names that `grep -rl` and its like print, if the guard's settings are among them.
    pub(super) fn own_searched(
        &mut self,
        name: &str,
        args: &[String],
        options: &Options<'_>,
        operands: &[&str],
    ) -> bool {
        let names = options.has(&["-l", "--files-with-matches", "-L", "--files-without-match"]);
        let recursive = !matches!(name, "grep" | "egrep" | "fgrep") || options.has(&["-r", "-R", "--recursive"]);
        if !names || !recursive {
            return false;
        }
        // These pass over what is hidden unless they are told.
        let hides = matches!(name, "rg" | "ag");
        let shows = options.has(&["--hidden", "-u", "--unrestricted", "-.", "--no-ignore"]);
        let excluded = options.values(&["--exclude-dir", "--exclude"]).any(|dir| {
            let dir = dir.replace(is_marker, "*");
            glob(&dir, ".claude") && dir != "*" || dir == ".*"
        });
        let globs: Vec<&str> = options.values(&["--include", "-g", "--glob"]).collect();
        let kept = |pattern: &&&str| !pattern.starts_with('!');
        let included = !globs.iter().any(|pattern| pattern.starts_with('!') && pattern.contains(".claude"))
            && (globs.iter().filter(kept).count() == 0
                || globs.iter().filter(kept).any(|pattern| glob(&pattern.replace(is_marker, "*"), "settings.json")));
        let typed = options.value(&["-t", "--type"]).is_some_and(|kind| kind != "json" && matches!(name, "rg"));
        let here = if operands.is_empty() {
            self.holds_guard(".")
        } else {
            operands.iter().any(|root| self.holds_guard(root))
        };
        (!hides || shows) && !excluded && included && !typed && here && args.iter().any(|arg| occurs_in_entry(arg))
    }

    /// Programs that replace a text in all files below a folder: `replace A B . -r`, `rpl -R A B .`, `fastmod A B`.
    pub(super) fn own_replaced(&mut self, name: &str, args: &[String], call: &Call) {
        let options = Options::all(args, &["-e", "--extensions", "-d", "--dir", "--include", "--exclude", "-x"]);
        let recursive = matches!(name, "fastmod" | "codemod") || options.has(&["-r", "-R", "--recursive"]);
        if !recursive || !matches!(name, "replace" | "rpl" | "fastmod" | "codemod") {
            return;
        }
        let Some(pattern) = options.operands.first() else { return };
        let roots = options.operands.get(2..).unwrap_or_default();
        let here =
            if roots.is_empty() { self.holds_guard(".") } else { roots.iter().any(|root| self.holds_guard(root)) };
        if here && occurs_in_entry(pattern) {
            self.act_at(Kind::Own, None, super::shown(&format!("{name} {}", args.join(" "))), call.span);
        }
    }
}

/// Whether a program is known to read what it is given, or to be of no harm to the guard's entry.
fn is_plain(name: &str) -> bool {
    const STARTERS: &[&str] = &[
        "xargs",
        "parallel",
        "env",
        "sudo",
        "doas",
        "nice",
        "nohup",
        "time",
        "timeout",
        "bash",
        "sh",
        "zsh",
        "dash",
        "eval",
        "command",
        "exec",
        "busybox",
        "find",
        "stdbuf",
        "setsid",
        "ionice",
        "chronic",
        "npx",
        "bunx",
        "pnpm",
        "yarn",
        "script",
        "read",
        "mapfile",
        "readarray",
        "export",
        "declare",
        "local",
        "typeset",
        "echo",
        "printf",
        "set",
        "cat",
        "sort",
        "head",
        "tail",
        "uniq",
    ];
    !STARTERS.contains(&name)
}

/// Whether a script of an editor looks for what stands in the entry.
fn edits_entry(arg: &str) -> bool {
    if arg.contains(OWNED) {
        return false;
    }
    // `s/A/B/`: only what is looked for counts.
    let substitution = arg.find("s/").or_else(|| arg.find("s|")).or_else(|| arg.find("s#")).or_else(|| arg.find("s,"));
    match substitution.and_then(|at| arg.get(at + 1..)) {
        Some(rest) => {
            let mut rest = rest.chars();
            let delimiter = rest.next().unwrap_or('/');
            let pattern = rest.as_str().split(delimiter).next().unwrap_or_default();
            occurs_in_entry(pattern)
        }
        None => occurs_in_entry(arg),
    }
}

/// Whether a pattern's plain words stand in the entry, one of some length at least.
pub(super) fn occurs_in_entry(pattern: &str) -> bool {
    let mut plain = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        // `\b`, `\s`: a class, not a letter.
        if c == '\\' {
            let next = rest.next().filter(|next| !next.is_alphanumeric());
            plain.push(next.unwrap_or(' '));
        } else {
            plain.push(c);
        }
    }
    let mut words =
        plain.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).peekable();
    let entry = ENTRY.to_ascii_lowercase();
    let mut long = false;
    words.peek().is_some()
        && words.all(|word| {
            long |= word.len() >= 4;
            entry.contains(&word.to_ascii_lowercase())
        })
        && long
}
