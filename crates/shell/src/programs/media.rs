//! Pictures, sound, video and documents.

use super::Trait::Unread;
use super::reads::{HELP, but};
use super::writes::{WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["ffmpeg"])
        .tool(Tool::NamesItsOutput)
        .options(Grammar::one_dash(&["-i", "-f", "-c:v", "-c:a", "-vf", "-af", "-ss", "-t"]))
        .reads(&[HELP])
        .writes(&Writes { operands: Written::Last, ..WRITES }),
    &row(&["convert", "magick"])
        .is(&[Unread])
        .options(Grammar::one_dash(&[]))
        .reads(&[HELP])
        .writes(&Writes { operands: Written::Last, ..WRITES }),
    &row(&["rsvg-convert"])
        .options(Grammar::gnu(&[
            "-o", "--output", "-f", "--format", "-w", "--width", "-h", "--height", "-d", "--dpi-x", "-p", "--dpi-y",
            "-x", "--x-zoom", "-y", "--y-zoom", "-z", "--zoom", "-b", "--background-color", "-s", "--stylesheet", "-i",
            "--export-id", "-l", "--accept-language", "--page-width", "--page-height", "--top", "--left",
        ]))
        .reads(&[but(&["-o", "--output"])])
        .writes(&Writes { files: &["-o", "--output"], ..WRITES }),
    &row(&["sox", "gs", "pdftotext", "pdftk"])
        .tool(Tool::NamesItsOutput)
        .options(Grammar::one_dash(&["-f"]))
        .writes(&Writes { operands: Written::Last, ..WRITES }),
];
