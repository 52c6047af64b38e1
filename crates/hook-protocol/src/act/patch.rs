//! Texts of patches: which files they add, change, delete and move. One pass over the lines; nothing is applied.

/// What a patch does to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is made, or replaced.
    Add,
    /// It is changed.
    Update,
    /// It goes.
    Delete,
}

/// One file of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchFile {
    /// Its path as the patch has it, without the `a/` or `b/` of git.
    pub path: String,
    /// What happens to it.
    pub change: Change,
    /// Where it lies afterwards, if it moves.
    pub moved_to: Option<String>,
    /// The lines that are added.
    pub added: String,
}

/// The files of a patch text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The files, in order.
    pub files: Vec<PatchFile>,
    /// The text ends where a patch ends, and every line that has to name a file does.
    pub whole: bool,
}

/// Whether a text is meant as a patch: `*** Begin Patch` and its like, or a unified diff.
pub fn is_patch(text: &str) -> bool {
    let mut before = false;
    text.lines().any(|line| {
        let old = std::mem::replace(&mut before, line.starts_with("--- "));
        matches!(Header::read(line), Some(header) if header != Header::End)
            || line.starts_with("diff --git ")
            || old && line.starts_with("+++ ")
    })
}

/// Reads the text of a patch, in the form of `apply_patch` or as a unified diff. What is cut off is read up to the cut.
///
/// ```
/// use hook_protocol::act::{Change, patch};
/// let read = patch("*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch\n");
/// assert!(read.whole);
/// assert_eq!(read.files[0].moved_to.as_deref(), Some("b"));
/// assert_eq!((read.files[0].change, read.files[0].added.as_str()), (Change::Update, "y\n"));
/// ```
pub fn patch(text: &str) -> Patch {
    let mut reader = Reader { files: Vec::new(), whole: true, begun: false, ended: false, git: false, old: None };
    for line in text.lines() {
        reader.line(line.strip_suffix('\r').unwrap_or(line));
    }
    let cut_header = reader.old.take();
    if let Some(old) = cut_header {
        // The text ends between the two lines that name a file.
        reader.file(old, Change::Update);
        reader.whole = false;
    }
    let whole = reader.whole && (reader.ended || !reader.begun);
    Patch { files: reader.files, whole }
}

/// A line that starts with `***`.
#[derive(Debug, PartialEq, Eq)]
enum Header<'l> {
    Begin,
    End,
    File(Change, &'l str),
    MoveTo(&'l str),
    Broken,
}

impl<'l> Header<'l> {
    fn read(line: &'l str) -> Option<Self> {
        // A line of a hunk has its own first character; blanks in front of a header are taken as clients take them.
        let words = line.trim_start().strip_prefix("***")?.trim();
        let after = |start: &str| {
            let head = words.get(..start.len())?;
            head.eq_ignore_ascii_case(start).then(|| words.get(start.len()..).unwrap_or_default().trim())
        };
        let named =
            |path: &'l str, header: fn(&'l str) -> Self| if path.is_empty() { Self::Broken } else { header(path) };
        Some(if after("Begin Patch").is_some() {
            Self::Begin
        } else if after("End Patch").is_some() || after("End of File").is_some() {
            Self::End
        } else if let Some(path) = after("Add File:").or_else(|| after("Create File:")) {
            named(path, |path| Self::File(Change::Add, path))
        } else if let Some(path) = after("Update File:") {
            named(path, |path| Self::File(Change::Update, path))
        } else if let Some(path) = after("Delete File:") {
            named(path, |path| Self::File(Change::Delete, path))
        } else if let Some(path) = after("Move to:") {
            named(path, Self::MoveTo)
        } else {
            Self::Broken
        })
    }
}

struct Reader {
    files: Vec<PatchFile>,
    whole: bool,
    begun: bool,
    ended: bool,
    /// The last file comes from a line `diff --git` that no `---` has followed yet.
    git: bool,
    /// The path of a line `---`, until the line behind it is seen.
    old: Option<String>,
}

impl Reader {
    fn file(&mut self, path: String, change: Change) {
        self.git = false;
        self.files.push(PatchFile { path, change, moved_to: None, added: String::new() });
    }

    fn line(&mut self, line: &str) {
        // Without its second line it was a line that a hunk takes away.
        if let Some(old) = self.old.take()
            && let Some(new) = line.strip_prefix("+++ ")
        {
            self.pair(old, diff_path(new));
            return;
        }
        match Header::read(line) {
            Some(Header::Begin) => self.begun = true,
            Some(Header::End) => self.ended |= line.to_ascii_lowercase().contains("end patch"),
            Some(Header::File(change, path)) => self.file(path.to_owned(), change),
            Some(Header::MoveTo(path)) => match self.files.last_mut() {
                Some(last) => last.moved_to = Some(path.to_owned()),
                None => self.file(path.to_owned(), Change::Add),
            },
            // Without an envelope it is a line of some other text.
            Some(Header::Broken) => self.whole &= !self.begun,
            None => self.body(line),
        }
    }

    fn body(&mut self, line: &str) {
        if let Some(old) = line.strip_prefix("--- ") {
            self.old = Some(diff_path(old));
        } else if let Some(paths) = line.strip_prefix("diff --git ") {
            self.file(git_path(paths), Change::Update);
            self.git = true;
        } else if let Some(added) = line.strip_prefix('+') {
            if let Some(last) = self.files.last_mut() {
                last.added.push_str(added);
                last.added.push('\n');
            }
        } else if self.git
            && let Some(last) = self.files.last_mut()
        {
            if line.starts_with("deleted file mode") {
                last.change = Change::Delete;
            } else if let Some(from) = line.strip_prefix("rename from ") {
                last.path = unquoted(from);
            } else if let Some(to) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
                last.moved_to = Some(unquoted(to));
            }
        }
    }

    /// The two lines that name a file of a unified diff.
    fn pair(&mut self, old: String, new: String) {
        let (path, change) = match (old.as_str(), new.as_str()) {
            ("/dev/null", _) => (new, Change::Add),
            (_, "/dev/null") => (old, Change::Delete),
            _ => {
                // Where the names differ, one program takes the first and another the second.
                if old != new && !self.git {
                    self.file(old, Change::Update);
                }
                (new, Change::Update)
            }
        };
        match self
            .files
            .last_mut()
            .filter(|last| self.git && (last.path == path || last.moved_to.as_ref() == Some(&path)))
        {
            Some(last) if last.moved_to.is_none() => last.change = change,
            Some(_) => {}
            None => self.file(path, change),
        }
        self.git = false;
    }
}

/// The path of a line `---` or `+++`, without a time behind it.
fn diff_path(line: &str) -> String {
    let path = line.split('\t').next().unwrap_or_default().trim_end();
    without_side(unquoted(path))
}

/// The path of a line `diff --git`, whose two halves are alike where it alone names the file.
fn git_path(paths: &str) -> String {
    let second = match paths.rfind(" \"") {
        Some(at) if paths.ends_with('"') => paths.get(at + 1..),
        _ => paths.rfind(" b/").and_then(|at| paths.get(at + 1..)),
    };
    without_side(unquoted(second.or_else(|| paths.split_whitespace().next_back()).unwrap_or_default()))
}

fn without_side(path: String) -> String {
    match path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")) {
        Some(bare) => bare.to_owned(),
        None => path,
    }
}

/// A name that git quotes, as it is on the disk.
fn unquoted(path: &str) -> String {
    let Some(inside) = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')) else { return path.to_owned() };
    let mut out = Vec::with_capacity(inside.len());
    let mut bytes = inside.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next() {
            Some(first @ b'0'..=b'7') => {
                let mut value = u32::from(first - b'0');
                for _ in 0..2 {
                    if let Some(next) = bytes.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value * 8 + u32::from(next - b'0');
                    }
                }
                out.push(u8::try_from(value).unwrap_or(b'?'));
            }
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(other) => out.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
