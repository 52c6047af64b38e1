//! How a program says which files it writes.

/// The operands that a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// None.
    No,
    /// All of them, in place.
    All,
    /// Each goes, and another file takes its place.
    Replaced,
    /// Rights or marks of all of them.
    Marks,
    /// The first.
    First,
    /// The last of several.
    Last,
    /// The second.
    Second,
    /// All after the first two, in place.
    AfterTwo,
    /// The second, to which letters are added.
    Prefix,
    /// All after the first, which names an archive: files that it puts here.
    Unpacked,
}

/// How a program says what it writes.
#[derive(Debug, Clone, Copy)]
pub struct Writes {
    /// Options whose value is a file that is written.
    pub files: &'static [&'static str],
    /// Options whose value is a directory that is written into.
    pub dirs: &'static [&'static str],
    /// The words that the command begins with, if it writes by some of its commands alone.
    pub verbs: &'static [&'static str],
    /// Without one of these the operands stay as they are.
    pub when: &'static [&'static str],
    /// With one of these nothing is written.
    pub unless: &'static [&'static str],
    /// The operands that it writes.
    pub operands: Written,
    /// Without a directory and without operands that it writes, it writes where it is started.
    pub here: bool,
}

/// A program that writes none of its words; for rows to begin with.
pub(super) const WRITES: Writes =
    Writes { files: &[], dirs: &[], verbs: &[], when: &[], unless: &[], operands: Written::No, here: false };

pub(super) const PACKER: Writes = Writes {
    files: &["-o"],
    unless: &["-c", "--stdout", "--to-stdout", "-k", "--keep", "-t", "--test", "-l", "--list"],
    operands: Written::Replaced,
    ..WRITES
};

pub(super) const COMPILER: Writes = Writes { files: &["-o", "-MF"], ..WRITES };

/// What has [`OUTPUTS`].
pub(super) const OUTPUT: Writes = Writes { files: OUTPUTS, ..WRITES };

pub(super) const MARKS: Writes = Writes { operands: Written::Marks, ..WRITES };

pub(super) const FORMATTER: Writes = Writes { operands: Written::All, ..WRITES };

/// Options by which most programs name the file that they write.
pub(crate) const OUTPUTS: &[&str] =
    &["-o", "--output", "--out", "--outfile", "--output-file", "--log-file", "--output-document"];

impl Writes {
    /// Whether an option is known: what stands there is judged, or read.
    pub fn knows(&self, option: &str) -> bool {
        [self.files, self.dirs, self.when, self.unless].iter().any(|known| known.contains(&option))
    }
}
