//! Pictures, sound, video and documents.

use super::Trait::Unread;
use super::reads::exactly;
use super::writes::{WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["ffmpeg"],
        tool: Tool::NamesItsOutput,
        options: Grammar::one_dash(&["-i", "-f", "-c:v", "-c:a", "-vf", "-af", "-ss", "-t"]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { operands: Written::Last, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["convert", "magick"],
        is: traits(&[Unread]),
        options: Grammar::one_dash(&[]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { operands: Written::Last, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["sox", "gs", "pdftotext", "pdftk"],
        tool: Tool::NamesItsOutput,
        options: Grammar::one_dash(&["-f"]),
        writes: Some(&Writes { operands: Written::Last, ..WRITES }),
        ..PROGRAM
    },
];
