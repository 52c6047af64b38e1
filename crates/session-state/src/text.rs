//! A file's new content in pieces, so that long parts of a document go from the old file to the new one without a copy.

use std::fmt;
use std::io::IoSlice;
use std::ops::Range;

/// Below this many bytes a copy is cheaper than one more piece.
const PIECE: usize = 512;

/// Text made of own parts and of long parts borrowed from a document.
///
/// Anything that is text can be turned into it (`"…".into()`), and [`ToString`] gives the whole. What it saves is memory:
/// every fresh page of a process costs more than a thousand instructions.
#[derive(Debug, Default)]
pub struct Text<'a> {
    own: String,
    pieces: Vec<Piece<'a>>,
    /// Where the run of own text that is not yet in `pieces` begins.
    run: usize,
}

#[derive(Debug)]
enum Piece<'a> {
    Own(Range<usize>),
    Kept(&'a str),
}

impl<'a> Text<'a> {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { own: String::with_capacity(bytes), ..Self::default() }
    }

    /// Appends a copy of `text`.
    pub(crate) fn push(&mut self, text: &str) {
        self.own.push_str(text);
    }

    /// The own text written so far, to append to.
    pub(crate) fn own(&mut self) -> &mut String {
        &mut self.own
    }

    /// Appends `text`, by reference where it is long.
    pub(crate) fn keep(&mut self, text: &'a str) {
        if text.len() < PIECE {
            self.push(text);
            return;
        }
        self.pieces.push(Piece::Own(self.run..self.own.len()));
        self.pieces.push(Piece::Kept(text));
        self.run = self.own.len();
    }

    /// The parts in order, none of them empty.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let rest = self.own.get(self.run..).unwrap_or_default();
        let piece = |piece: &Piece<'a>| match piece {
            Piece::Own(range) => self.own.get(range.clone()).unwrap_or_default(),
            Piece::Kept(text) => text,
        };
        // Not `&'a str`, because own parts live as long as `self` only.
        self.pieces.iter().map(piece).chain([rest]).filter(|part| !part.is_empty())
    }

    /// The parts as one gathering write wants them.
    pub(crate) fn slices(&self) -> Vec<IoSlice<'_>> {
        self.parts().map(|part| IoSlice::new(part.as_bytes())).collect()
    }

    /// The length in bytes.
    pub fn len(&self) -> usize {
        self.parts().map(str::len).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.parts().next().is_none()
    }
}

impl From<String> for Text<'_> {
    fn from(own: String) -> Self {
        Self { own, ..Self::default() }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        let mut out = Self::default();
        out.keep(text);
        out
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| f.write_str(part))
    }
}
