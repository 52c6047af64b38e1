//! PowerShell: recognised, not parsed.

use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;

/// PowerShell: commands that destroy, fetch and run. It is recognised, not parsed.
pub(in crate::resolve) fn powershell(interp: &mut Interp<'_>, text: &str, call: &Call) {
    // What one statement fetches, the next may run.
    let lower = text.to_ascii_lowercase();
    let says = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    let runs = says(&["iex", "invoke-expression", "scriptblock]::create", "invoke-command", ".invoke("]);
    if runs
        && says(&[
            "iwr",
            "irm",
            "invoke-webrequest",
            "invoke-restmethod",
            "downloadstring",
            "downloaddata",
            "curl ",
            "wget ",
        ])
    {
        interp.act_at(Kind::RunRemote, None, "code from the network".to_owned(), call.span);
    }
    if runs && says(&["tcpclient", "getstream("]) {
        interp.act_at(Kind::RemoteShell, None, "a shell on a socket".to_owned(), call.span);
    }
    for statement in text.split([';', '\n', '&']).take(256) {
        let pieces: Vec<&str> = statement.split('|').collect();
        for piece in pieces {
            powershell_command(interp, piece.trim(), call);
        }
    }
}

fn powershell_command(interp: &mut Interp<'_>, text: &str, call: &Call) {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(['"', '\'', '(', ')', '{', '}'])
                .replace("$HOME", &interp.places.home)
                .replace("$env:USERPROFILE", &interp.places.home)
                .replace('\\', "/")
        })
        .collect();
    let Some((head, args)) = words.split_first() else { return };
    let name = head.to_ascii_lowercase();
    let recursive = args.iter().any(|arg| {
        let lower = arg.to_ascii_lowercase();
        lower.len() > 2 && "-recurse".starts_with(&lower) || lower == "-r" || lower == "/s"
    });
    let operands = args
        .iter()
        .filter(|arg| !(arg.starts_with('-') || arg.len() == 2 && arg.starts_with('/')))
        .cloned()
        .collect::<Vec<_>>();
    match name.as_str() {
        "remove-item" | "ri" | "rm" | "del" | "erase" | "rd" | "rmdir" => {
            for path in &operands {
                interp.act_on(if recursive { Kind::DeleteTree } else { Kind::Delete }, path, call.span);
            }
        }
        "format-volume" | "clear-disk" | "remove-partition" | "initialize-disk" | "format" => {
            interp.act_at(Kind::Disk, None, text.to_owned(), call.span);
        }
        "stop-computer" | "restart-computer" => interp.act_at(Kind::Shutdown, None, name, call.span),
        "get-content" | "gc" | "type" | "cat" => {
            for path in &operands {
                interp.reads(path, call);
            }
        }
        "set-content" | "out-file" | "clear-content" | "add-content" | "sc" => {
            for path in operands.iter().take(1) {
                interp.act_on(Kind::Overwrite, path, call.span);
            }
        }
        "git" | "bash" | "sh" | "wsl" | "cmd" | "curl" | "docker" | "kubectl" | "python" | "node" | "npm" => {
            let argv: Vec<String> = words.clone();
            interp.subshell(|interp| interp.exec(&argv, call));
        }
        _ => {}
    }
}
