//! Tcl and its kin: commands as words, some of which start programs, remove files or type into a shell.

use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;

impl Interp<'_> {
    /// Follows a script of `tclsh`, `expect` and their like.
    pub(super) fn tcl(&mut self, text: &str, call: &Call) {
        if text.contains("socket ") && text.contains("exec ") && (text.contains("<@") || text.contains(">@")) {
            self.act_at(Kind::RemoteShell, None, "a program on a socket".to_owned(), call.span);
        }
        for line in text.split(['\n', ';']) {
            let line = line.trim().trim_start_matches(['{', '}', ' ']);
            let Some((command, rest)) = line.split_once(char::is_whitespace) else { continue };
            let rest = rest.trim().trim_end_matches('}');
            match command {
                "exec" | "spawn" | "system" => {
                    let rest = rest
                        .trim_start_matches("-noecho ")
                        .trim_start_matches("-ignorestderr ")
                        .trim_start_matches("-- ");
                    let line = rest.strip_prefix(['"', '{']).map_or(rest, |inner| inner.trim_end_matches(['"', '}']));
                    self.subshell(|interp| interp.run_text(line, call));
                }
                "send" | "exp_send" => {
                    let keys = rest.trim_start_matches("-- ").trim_matches(['"', '{', '}']);
                    let line = ["\\r", "\\n"].iter().fold(keys.to_owned(), |line, key| line.replace(key, "\n"));
                    self.subshell(|interp| interp.run_text(&line, call));
                }
                "file" => {
                    if let Some(paths) = rest.strip_prefix("delete ") {
                        let paths = paths.trim_start_matches("-force ").trim_start_matches("-- ");
                        self.subshell(|interp| interp.run_text(&format!("rm -rf {paths}"), call));
                    }
                }
                "open" => {
                    if let Some(line) = rest.trim_matches(['"', '{', '}']).strip_prefix('|') {
                        self.subshell(|interp| interp.run_text(line, call));
                    }
                }
                _ => {}
            }
        }
    }
}
