//! Editors.

use super::Trait::{Followed, Reader, Silent, Versioned};
use super::code::LISP;
use super::reads::HELP;
use super::sources::{Input, SOURCES, Sources};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Scripts, and files of settings, which are scripts as well.
const VIM_SCRIPTS: Sources = Sources { options: &["-S", "-u", "-U"], input: Input::With(&["-e", "-E"]), ..SOURCES };

/// Those without a screen take their commands from standard input.
const LINE_EDITOR: Sources = Sources { input: Input::Always, ..VIM_SCRIPTS };

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["vim", "nvim", "vi", "view", "gvim", "rvim", "vimdiff"])
        .is(&[Silent])
        .tool(Tool::Vim)
        .options(Grammar::gnu(&[
            "-c", "--cmd", "-S", "-u", "-i", "-T", "-U", "-t", "-w", "-W", "--servername", "--remote-expr",
            "--remote-send", "--startuptime", "--listen", "--server",
        ]))
        .sources(&VIM_SCRIPTS)
        .reads(&[HELP]),
    &row(&["emacs"]).is(&[Reader]).tool(Tool::Emacs).reads(&[HELP]).code(&LISP),
    &row(&["code"]).is(&[Silent, Reader, Versioned]).reads(&[HELP]),
    &row(&["open", "xdg-open"]).is(&[Silent, Reader]),
    &row(&["cursor", "idea", "subl", "xdg-mime"]).is(&[Reader]),
    &row(&["ed"]).is(&[Followed]).tool(Tool::Ed).options(Grammar::gnu(&["-p", "--prompt"])).sources(&LINE_EDITOR),
    &row(&["nano", "nvr"]).is(&[Followed]).tool(Tool::Nano).options(Grammar::gnu(&[
        "-T", "--tabsize", "-r", "--fill", "-o", "--operatingdir", "-C", "--backupdir", "-Y", "--syntax", "-Q",
        "--quotestr", "-s", "--speller", "-X", "--wordchars",
    ])),
    &row(&["emacsclient"]).code(&LISP),
    &row(&["ex"])
        .tool(Tool::Ex)
        .options(Grammar::gnu(&[
            "-c", "--cmd", "-S", "-u", "-i", "-T", "-U", "-t", "-w", "-W", "--servername", "--remote-expr",
            "--remote-send", "--startuptime", "--listen", "--server",
        ]))
        .sources(&LINE_EDITOR),
];
