//! Pictures, sound, video and documents.

use super::Trait::Unread;
use super::reads::exactly;
use super::writes::{WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["ffmpeg"],
        tool: Tool::NamesItsOutput,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes {
            values: &["-i", "-f", "-c:v", "-c:a"],
            operands: Written::Last,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["convert"],
        is: traits(&[Unread]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes {
            values: &["-i", "-f", "-c:v", "-c:a"],
            operands: Written::Last,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["magick"],
        is: traits(&[Unread]),
        writes: Some(&Writes {
            values: &["-i", "-f", "-c:v", "-c:a"],
            operands: Written::Last,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["sox", "gs", "pdftotext", "pdftk"],
        tool: Tool::NamesItsOutput,
        writes: Some(&Writes {
            values: &["-i", "-f", "-c:v", "-c:a"],
            operands: Written::Last,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
];
