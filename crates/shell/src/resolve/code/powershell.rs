//! PowerShell: recognised, not parsed.

use crate::path::Place;
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::{Call, base_name};
use crate::resolve::state::Data;

/// Statements of one text that are looked at.
const MOST_STATEMENTS: usize = 4096;

/// PowerShell: commands that destroy, fetch and run. It is recognised, not parsed.
pub(in crate::resolve) fn powershell(interp: &mut Interp<'_>, text: &str, call: &Call) {
    // What one statement fetches, the next may run.
    let lower = text.to_ascii_lowercase();
    let says = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    let runs = says(&["iex", "invoke-expression", "scriptblock]::create", "invoke-command", ".invoke("]);
    if runs
        && says(&[
            "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "downloadstring", "downloaddata", "curl ", "wget ",
        ])
    {
        interp.from_network("code from the network", call.span);
    }
    if runs && says(&["tcpclient", "getstream("]) {
        interp.act_at(Kind::RemoteShell, None, "a shell on a socket".to_owned(), call.span);
    }
    let mut values: Vec<(String, String)> = Vec::new();
    // Brackets with nothing between them are a text, not a block: `'{}' > file`.
    let text = text.replace("{}", "");
    for (at, statement) in text.split([';', '\n', '&', '{', '}']).enumerate() {
        if at >= MOST_STATEMENTS {
            return interp.give_up_at(call.span);
        }
        let filled = filled(statement, &values);
        let statement = filled.as_str();
        if let Some(value) = assigned(statement) {
            if values.len() >= MOST_VALUES {
                interp.beyond(call.span);
            }
            values.insert(0, value);
            values.truncate(MOST_VALUES);
        }
        of_item(interp, statement, call);
        // The guard's processes, found and handed on.
        let lower = statement.to_ascii_lowercase();
        if interp.places.layout.names_program(&lower)
            && lower
                .split('|')
                .skip(1)
                .any(|piece| matches!(piece.split_whitespace().next(), Some("spps" | "kill" | "stop-process")))
        {
            interp.act_at(Kind::Own, None, statement.trim().to_owned(), call.span);
        }
        methods(interp, statement, call);
        // What the command before the bar lists is what the next one is about.
        let mut piped: Vec<String> = Vec::new();
        for piece in statement.split('|') {
            piped = command(interp, piece.trim(), &piped, call);
        }
    }
}

/// Variables of one text that are remembered.
const MOST_VALUES: usize = 32;

/// `$name = 'text'`: a variable in lower case, and what it holds.
fn assigned(statement: &str) -> Option<(String, String)> {
    let (name, value) = statement.trim().strip_prefix('$')?.split_once('=')?;
    let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
    let plain = value.trim_matches(['"', '\'']);
    let known = !plain.is_empty() && plain.len() < value.len() && !plain.contains(['\'', '"', '|', '(']);
    (known && !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .then(|| (format!("${name}"), plain.to_owned()))
}

/// A statement with the variables that are known in their places.
fn filled(statement: &str, values: &[(String, String)]) -> String {
    let mut out = statement.to_owned();
    for (name, value) in values {
        let lower = out.to_ascii_lowercase();
        let Some(at) = lower.find(name.as_str()) else { continue };
        let (Some(before), Some(after)) = (out.get(..at), out.get(at + name.len()..)) else { continue };
        let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':');
        if ends && !after.trim_start().starts_with('=') {
            out = format!("{before}{value}{after}");
        }
    }
    out
}

/// `(Get-Item x).Delete()`: a method of what a command gives.
fn of_item(interp: &mut Interp<'_>, statement: &str, call: &Call) {
    let lower = statement.to_ascii_lowercase();
    for (method, kind) in [(").delete(", Kind::DeleteTree), (").moveto(", Kind::Move), (").create(", Kind::Overwrite)] {
        let Some(inner) = lower.find(method).and_then(|at| statement.get(..at)) else { continue };
        let Some(inner) = inner.rsplit('(').next() else { continue };
        let mut words = inner.split_whitespace();
        let gets = words.next().is_some_and(|name| {
            matches!(
                name.to_ascii_lowercase().as_str(),
                "get-item" | "gi" | "get-childitem" | "gci" | "dir" | "ls" | "resolve-path"
            )
        });
        for path in words.filter(|path| gets && !path.starts_with('-')) {
            let path = word(interp, path);
            interp.act_on(kind, &path, call.span);
        }
    }
}

/// `[IO.Directory]::Delete('x', $true)` and the like.
fn methods(interp: &mut Interp<'_>, statement: &str, call: &Call) {
    let pieces: Vec<&str> = statement.split("]::").collect();
    for pair in pieces.windows(2) {
        let [before, after] = pair else { continue };
        let class = before.rsplit('[').next().unwrap_or_default().to_ascii_lowercase();
        let class = class.strip_prefix("system.").unwrap_or(&class).to_owned();
        let Some((method, arguments)) = after.split_once('(') else { continue };
        let arguments = arguments.split(')').next().unwrap_or_default();
        let first = word(interp, arguments.split(',').next().unwrap_or_default());
        let method = method.trim().to_ascii_lowercase();
        let kind = match (class.as_str(), method.as_str()) {
            ("io.directory", "delete") => Kind::DeleteTree,
            ("io.file", "delete") => Kind::Delete,
            ("io.directory" | "io.file", "move" | "replace") => Kind::Move,
            ("io.file", _) if method.starts_with("write") || method.starts_with("create") => Kind::Overwrite,
            ("io.file", _) if method.starts_with("append") => Kind::Append,
            ("io.file", "copy") => {
                let target = word(interp, arguments.split(',').nth(1).unwrap_or_default());
                interp.act_on(Kind::Overwrite, &target, call.span);
                continue;
            }
            ("io.file", _) if method.starts_with("read") || method.starts_with("open") => {
                interp.reads(&first, call);
                continue;
            }
            _ => continue,
        };
        if !first.is_empty() {
            interp.act_on(kind, &first, call.span);
        }
    }
}

/// A word as a path or a name: without quotes and brackets, with the variables that are known.
fn word(interp: &Interp<'_>, word: &str) -> String {
    /// Variables of the other shell, and what they hold.
    const VARIABLES: &[(&str, &str)] = &[
        ("%systemroot%", "C:/Windows"),
        ("%windir%", "C:/Windows"),
        ("%systemdrive%", "C:"),
        ("%homedrive%", "C:"),
        ("%programfiles%", "C:/Program Files"),
        ("%programdata%", "C:/ProgramData"),
        ("$env:systemroot", "C:/Windows"),
        ("$env:windir", "C:/Windows"),
        ("$env:systemdrive", "C:"),
    ];
    let home = &interp.places.home;
    let lower = word.to_ascii_lowercase();
    let mut word = std::borrow::Cow::Borrowed(word);
    for (name, value) in VARIABLES.iter().copied().chain([("%userprofile%", home.as_str()), ("%homepath%", home)]) {
        if let Some((before, after)) =
            lower.find(name).and_then(|at| Some((word.get(..at)?, word.get(at + name.len()..)?)))
        {
            word = std::borrow::Cow::Owned(format!("{before}{value}{after}"));
            break;
        }
    }
    word.trim()
        .trim_matches(['"', '\'', '(', ')', ','])
        .replace("$HOME", home)
        .replace("$home", home)
        .replace("$env:USERPROFILE", home)
        .replace("$env:HOME", home)
        .replace("$PWD", &interp.places.cwd)
        .replace('\\', "/")
}

/// Options of the commands below with a value that is no path.
const VALUES: &[&str] = &[
    "-value", "-encoding", "-filter", "-include", "-exclude", "-erroraction", "-ea", "-name", "-newname", "-itemtype",
    "-type", "-depth", "-pattern", "-first", "-last", "-width",
];

/// One command; gives the paths that it passes on.
#[expect(clippy::too_many_lines, reason = "one arm a command; each is short")]
fn command(interp: &mut Interp<'_>, text: &str, piped: &[String], call: &Call) -> Vec<String> {
    let text = text.trim_start_matches(['(', ' ']);
    let (text, written) = redirected(interp, text, call);
    if written {
        return Vec::new();
    }
    let words: Vec<String> = text.split_whitespace().map(|piece| word(interp, piece)).collect();
    let Some((head, args)) = words.split_first() else { return Vec::new() };
    let name = base_name(head);
    let recursive = args.iter().any(|arg| {
        let lower = arg.to_ascii_lowercase();
        lower.len() > 1 && "-recurse".starts_with(&lower) || lower == "/s"
    });
    let mut operands = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let lower = arg.to_ascii_lowercase();
        if VALUES.contains(&lower.as_str()) {
            rest.next();
        } else if !(arg.starts_with('-') || arg.is_empty() || arg.len() == 2 && arg.starts_with('/')) {
            operands.extend(arg.split(',').map(str::to_owned).filter(|path| !path.is_empty()));
        }
    }
    let targets = if operands.is_empty() { piped.to_vec() } else { operands.clone() };
    match name.as_str() {
        "remove-item" | "ri" | "rm" | "del" | "erase" | "rd" | "rmdir" | "clear-item" | "deltree" => {
            let recursive = recursive || name == "deltree";
            for path in &targets {
                let path = &crate::resolve::taint::activate_globs(path);
                interp.act_on(if recursive { Kind::DeleteTree } else { Kind::Delete }, path, call.span);
            }
        }
        "move-item" | "mi" | "mv" | "move" | "rename-item" | "rni" | "ren" => {
            if let Some(path) = targets.first() {
                interp.act_on(Kind::Move, path, call.span);
            }
            if let Some(path) = operands.get(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        "copy-item" | "cpi" | "cp" | "copy" => {
            if let Some(path) = operands.get(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        "format-volume" | "clear-disk" | "remove-partition" | "initialize-disk" | "format" => {
            interp.act_at(Kind::Disk, None, text.to_owned(), call.span);
        }
        "vssadmin" | "wbadmin" if args.iter().any(|arg| arg.eq_ignore_ascii_case("delete")) => {
            interp.act_at(Kind::Disk, None, text.to_owned(), call.span);
        }
        "reg" if args.first().is_some_and(|verb| verb.eq_ignore_ascii_case("delete")) => {
            interp.act_at(Kind::Delete, Some(Place::System), text.to_owned(), call.span);
        }
        "start-process" | "saps" => started(interp, text, call),
        "set-mppreference" | "add-mppreference"
            if args.iter().any(|arg| {
                let lower = arg.to_ascii_lowercase();
                lower.starts_with("-disable") || lower.starts_with("-exclusion")
            }) =>
        {
            interp.act_at(Kind::SystemSetting, None, text.to_owned(), call.span);
        }
        "stop-computer" | "restart-computer" => interp.act_at(Kind::Shutdown, None, name, call.span),
        "cd" | "set-location" | "sl" | "chdir" | "push-location" | "pushd" => interp.cd(&operands),
        "kill" if args.iter().any(|arg| interp.places.layout.names_program(&arg.to_ascii_lowercase())) => {
            interp.act_at(Kind::Own, None, text.to_owned(), call.span);
        }
        "stop-process" | "spps" => {
            let chosen = args.iter().any(|arg| arg.to_ascii_lowercase().starts_with("-n")) || args.is_empty();
            if chosen {
                interp.act_at(Kind::KillMany, None, text.to_owned(), call.span);
            }
            if args.iter().any(|arg| interp.places.layout.names_program(&arg.to_ascii_lowercase())) {
                interp.act_at(Kind::Own, None, text.to_owned(), call.span);
            }
        }
        "get-content" | "gc" | "type" | "cat" | "select-string" | "sls" | "import-csv" => {
            for path in &targets {
                interp.reads(path, call);
            }
        }
        "get-childitem" | "gci" | "ls" | "dir" | "get-item" | "gi" | "resolve-path" | "where-object" | "?"
        | "sort-object" | "select-object" => {
            if name.starts_with("where") || name.starts_with('?') || name.ends_with("-object") {
                // A selection of what came in: not all of it.
                return piped
                    .iter()
                    .map(|path| format!("{}/{}", path.trim_end_matches('/'), crate::resolve::taint::UNKNOWN))
                    .collect();
            }
            return if operands.is_empty() { vec![".".to_owned()] } else { operands };
        }
        "set-content" | "out-file" | "clear-content" | "add-content" | "sc" | "ac" | "clc" | "tee-object"
        | "export-csv" => {
            for path in operands.iter().take(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        "invoke-expression" | "iex" => inner(interp, &args.join(" "), call),
        "new-item" | "ni" if args.iter().any(|arg| arg.eq_ignore_ascii_case("-force")) => {
            for path in operands.iter().take(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        // `cmd /c rd /s /q C:\x` has the names of commands in common.
        "cmd" => {
            let rest = args.iter().skip_while(|arg| arg.starts_with('/')).cloned().collect::<Vec<_>>().join(" ");
            inner(interp, &rest, call);
        }
        name if name.contains(['-', '$', '[', '=', '<']) => {}
        // All else is a program, as in any shell.
        _ => {
            let input = Call { stdin: Data::from(""), span: call.span };
            interp.subshell(|interp| interp.exec(&words, &input));
        }
    }
    Vec::new()
}

/// `Start-Process PROGRAM -ArgumentList 'a','b'`
fn started(interp: &mut Interp<'_>, text: &str, call: &Call) {
    let mut argv: Vec<String> = Vec::new();
    let mut listed = false;
    for piece in text.split([' ', ',']).skip(1) {
        let quoted = piece.starts_with(['"', '\'']);
        let plain = word(interp, piece);
        let lower = plain.to_ascii_lowercase();
        if lower.starts_with("-arg") && !quoted {
            listed = true;
        } else if !plain.is_empty()
            && (listed && (quoted || !argv.is_empty()) || argv.is_empty() && !plain.starts_with('-'))
        {
            argv.push(plain);
        }
    }
    let input = Call { stdin: Data::from(""), span: call.span };
    interp.subshell(|interp| interp.exec(&argv, &input));
}

/// A command within a command, as deep as texts are followed.
fn inner(interp: &mut Interp<'_>, text: &str, call: &Call) {
    if interp.depth >= crate::resolve::MOST_DEPTH {
        interp.give_up_at(call.span);
        return;
    }
    interp.depth += 1;
    command(interp, text, &[], call);
    interp.depth -= 1;
}

/// `command > file`: reports the file, gives the command, and tells whether it was nothing but a text that is written.
fn redirected<'t>(interp: &mut Interp<'_>, text: &'t str, call: &Call) -> (&'t str, bool) {
    let Some((before, after)) = text.rsplit_once('>') else { return (text, false) };
    // A sign within quotes is text.
    if before.matches('\'').count() % 2 == 1 || before.matches('"').count() % 2 == 1 {
        return (text, false);
    }
    let file = word(interp, after);
    if !file.is_empty() && !file.starts_with(['&', '$']) {
        interp.act_on(Kind::Overwrite, &file, call.span);
    }
    let before = before.trim_end_matches(['>', '1', '2', '*', ' ']);
    (before, before.starts_with(['\'', '"', '@', '$']))
}
