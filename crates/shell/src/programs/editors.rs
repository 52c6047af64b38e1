//! Editors.

use super::Trait::{Followed, Reader, Silent, Versioned};
use super::code::LISP;
use super::reads::exactly;
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["vim", "nvim", "vi", "view", "gvim", "rvim", "vimdiff"],
        is: traits(&[Silent]),
        tool: Tool::Vim,
        options: Grammar::gnu(&[
            "-c", "--cmd", "-S", "-u", "-i", "-T", "-U", "-t", "-w", "-W", "--servername", "--remote-expr",
            "--remote-send", "--startuptime", "--listen", "--server",
        ]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["emacs"],
        is: traits(&[Reader]),
        tool: Tool::Emacs,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        code: Some(&LISP),
        ..PROGRAM
    },
    Program {
        names: &["code"],
        is: traits(&[Silent, Reader, Versioned]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program { names: &["open", "xdg-open"], is: traits(&[Silent, Reader]), ..PROGRAM },
    Program { names: &["cursor", "idea", "subl", "xdg-mime"], is: traits(&[Reader]), ..PROGRAM },
    Program {
        names: &["ed"],
        is: traits(&[Followed]),
        tool: Tool::Ed,
        options: Grammar::gnu(&["-p", "--prompt"]),
        ..PROGRAM
    },
    Program {
        names: &["nano", "nvr"],
        is: traits(&[Followed]),
        tool: Tool::Nano,
        options: Grammar::gnu(&[
            "-T", "--tabsize", "-r", "--fill", "-o", "--operatingdir", "-C", "--backupdir", "-Y", "--syntax", "-Q",
            "--quotestr", "-s", "--speller", "-X", "--wordchars",
        ]),
        ..PROGRAM
    },
    Program { names: &["emacsclient"], code: Some(&LISP), ..PROGRAM },
    Program {
        names: &["ex"],
        tool: Tool::Ex,
        options: Grammar::gnu(&[
            "-c", "--cmd", "-S", "-u", "-i", "-T", "-U", "-t", "-w", "-W", "--servername", "--remote-expr",
            "--remote-send", "--startuptime", "--listen", "--server",
        ]),
        ..PROGRAM
    },
];
