//! Editors.

use super::Trait::{Followed, Reader, Silent, Versioned};
use super::code::LISP;
use super::reads::exactly;
use super::{PROGRAM, Program, traits};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["vim", "nvim"],
        is: traits(&[Silent]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["emacs"],
        is: traits(&[Reader]),
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
    Program { names: &["vi"], is: traits(&[Silent]), ..PROGRAM },
    Program { names: &["open", "xdg-open"], is: traits(&[Silent, Reader]), ..PROGRAM },
    Program { names: &["cursor", "idea", "subl", "xdg-mime"], is: traits(&[Reader]), ..PROGRAM },
    Program { names: &["ed", "nano", "nvr"], is: traits(&[Followed]), ..PROGRAM },
    Program { names: &["emacsclient"], code: Some(&LISP), ..PROGRAM },
];
