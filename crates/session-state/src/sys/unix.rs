//! The operations on Unix: relative to an open directory, so that neither a renamed parent nor a planted link is followed.

use std::fs::File;
use std::io::{self, IoSlice};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::{Content, Side, TEMPORARY, WriteLease, below};

/// How often a name is looked up again while the file that it led to is held for writing.
const TRIES: usize = 100;

/// An open directory.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

const DIR: Mode = Mode::RWXU;
const FILE: Mode = Mode::RUSR.union(Mode::WUSR);

/// Never follow a link, never hand the descriptor on, never block on a planted FIFO.
const CAREFUL: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

impl Dir {
    /// Opens a directory that is not a link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(rustix::fs::open(path, dir(), Mode::empty())?))
    }

    /// Opens a directory below a root; no part of its path behind the root is a link.
    pub(crate) fn open_below(root: &Path, path: &Path) -> io::Result<Self> {
        below::open(root, path, dir()).map(Self)
    }

    /// Makes a directory and the missing ones between it and its root.
    pub(crate) fn create_below(root: &Path, path: &Path) -> io::Result<()> {
        below::create(root, path)
    }

    /// Makes a directory and the missing ones above it.
    pub(crate) fn create(path: &Path) -> io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    /// Opens a directory in this one that is not a link.
    pub(crate) fn sub(&self, name: &str) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, dir(), Mode::empty())?))
    }

    /// Makes a directory in this one.
    pub(crate) fn create_sub(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, DIR)?)
    }

    /// Opens the lock file, and makes it if need be.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        self.open_at(name, OFlags::RDWR | OFlags::CREATE)
    }

    /// Reads a whole file of at most `limit` bytes.
    pub(crate) fn read(&self, name: &str, limit: usize) -> io::Result<Content> {
        let mut opened = self.open_at(name, OFlags::RDONLY);
        // Looked up before the file lost its name and opened after: the next look finds the file that has it now.
        for _ in 0..TRIES {
            match &opened {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    opened = self.open_at(name, OFlags::RDONLY);
                }
                _ => break,
            }
        }
        let file = match opened {
            Ok(file) => file,
            Err(error) => {
                return match Errno::from_io_error(&error) {
                    Some(Errno::NOENT) => Ok(Content::Missing),
                    Some(Errno::LOOP) => Ok(Content::Odd("it is a symbolic link")),
                    Some(Errno::NXIO) => Ok(Content::Odd("it is a socket or a device")),
                    _ => Err(error),
                };
            }
        };
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(Content::Odd("it is not a plain file"));
        }
        let size = usize::try_from(stat.st_size).unwrap_or(usize::MAX);
        if size > limit {
            return Ok(Content::Odd("it is larger than any document of this store"));
        }
        let mut bytes = Vec::with_capacity(size.max(1));
        // A file of the store does not change once it has its name, so its size is where it ends.
        while bytes.len() < size {
            match rustix::io::read(&file, rustix::buffer::spare_capacity(&mut bytes)) {
                Ok(0) => break,
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Content::Bytes(bytes))
    }

    /// Gives `name` this content in one step. A reader finds the old content or the new; an error leaves the old.
    pub(crate) fn replace(&self, name: &str, content: &mut [IoSlice<'_>], reuse: Option<WriteLease>) -> io::Result<()> {
        let spare = reuse.map(|hold| (spare_name(name), hold));
        let held = spare.as_ref().and_then(|(spare, hold)| self.hold_spare(spare, *hold));
        let (from, written) = match (&spare, held) {
            (Some((spare, _)), Some((file, old_bytes))) => (spare.as_str(), overwrite(&file, old_bytes, content)),
            _ => (TEMPORARY, write_all(&self.fresh()?, content)),
        };
        // The file is closed by now, and with that no longer held: nobody who finds it under its name has to wait.
        match written.and_then(|()| self.publish(from, name, spare.as_ref().map(|(spare, _)| spare.as_str()))) {
            Ok(()) => Ok(()),
            Err(error) => {
                // The first error is the one to report.
                let _ = self.remove(from);
                Err(error)
            }
        }
    }

    /// Appends to a file, which is made if need be, on a line of its own. Returns the size that the file has then.
    pub(crate) fn append(&self, name: &str, bytes: &[u8]) -> io::Result<u64> {
        let file = self.open_at(name, OFlags::RDWR | OFlags::CREATE | OFlags::APPEND)?;
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("it is not a plain file"));
        }
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        let mut last = [b'\n'];
        if let Some(at) = size.checked_sub(1) {
            file.read_exact_at(&mut last, at)?;
        }
        let open: &[u8] = if last == *b"\n" { b"" } else { b"\n" };
        write_all(&file, &mut [IoSlice::new(open), IoSlice::new(bytes)])?;
        Ok(size + bytes.len() as u64)
    }

    /// Removes a name that is not a directory; one that is not there is fine.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.0, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a membership file; `None` where there is none and none is to be made.
    pub(crate) fn side(&self, name: &str, create: bool) -> io::Result<Option<Side>> {
        let flags = if create { OFlags::RDWR | OFlags::CREATE | OFlags::EXCL } else { OFlags::RDWR };
        let file = match self.open_at(name, flags) {
            Ok(file) => file,
            Err(error) if !create && error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let stat = rustix::fs::fstat(&file)?;
        // A hard link that somebody planted here would let writes in place reach his file.
        let sound = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink == 1;
        Ok(Some(Side { file, bytes: u64::try_from(stat.st_size).unwrap_or(0), sound }))
    }

    fn open_at(&self, name: &str, flags: OFlags) -> io::Result<File> {
        Ok(File::from(rustix::fs::openat(&self.0, name, flags | CAREFUL, FILE)?))
    }

    /// A new temporary file. One that a killed process left is removed first: the lock is held, so nobody is writing it.
    fn fresh(&self) -> io::Result<File> {
        let create = || self.open_at(TEMPORARY, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL);
        match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove(TEMPORARY)?;
                create()
            }
            other => other,
        }
    }

    /// The spare file and its size, if it is one that nobody else can be looking at. Making and removing a file costs three times
    /// what writing one does.
    fn hold_spare(&self, spare: &str, hold: WriteLease) -> Option<(File, u64)> {
        let file = match self.open_at(spare, OFlags::WRONLY) {
            Ok(file) => file,
            Err(error) => {
                if Errno::from_io_error(&error) == Some(Errno::LOOP) {
                    // A link that lay where a view belongs and was exchanged away. If it cannot go it is in nobody's way.
                    let _ = self.remove(spare);
                }
                return None;
            }
        };
        let stat = rustix::fs::fstat(&file).ok()?;
        let plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_nlink == 1;
        // The mode is that of a file which somebody else may have put under a view's name.
        if plain && stat.st_mode & 0o7777 == FILE.as_raw_mode() && hold(&file) {
            return Some((file, u64::try_from(stat.st_size).unwrap_or(u64::MAX)));
        }
        let _ = self.remove(spare);
        None
    }

    /// Moves `from` to `name`. Old content goes to the place of the `spare`, if there is to be one, and away if not.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn publish(&self, from: &str, name: &str, spare: Option<&str>) -> io::Result<()> {
        use rustix::fs::RenameFlags;

        match rustix::fs::renameat_with(&self.0, from, &self.0, name, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            // Either there is nothing to exchange with yet, and under the lock nobody else makes the name, or the file system cannot
            // exchange, and can still rename over.
            Err(Errno::NOENT | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                return Ok(rustix::fs::renameat(&self.0, from, &self.0, name)?);
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(spare) = spare {
            if from != spare && rustix::fs::renameat(&self.0, from, &self.0, spare).is_err() {
                return self.remove(from);
            }
            return Ok(());
        }
        match rustix::fs::unlinkat(&self.0, from, AtFlags::empty()) {
            Ok(()) => Ok(()),
            Err(error) => {
                // A directory lay under the name: it goes back where it was.
                rustix::fs::renameat_with(&self.0, from, &self.0, name, RenameFlags::EXCHANGE)?;
                Err(error.into())
            }
        }
    }

    /// Moves `from` over `name`.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn publish(&self, from: &str, name: &str, _spare: Option<&str>) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, name)?)
    }
}

/// Where the content that `name` had before waits to be overwritten, with [`WriteLease`]. Each name has its own, so that somebody who
/// looked a name up long ago finds newer content of that name there and never another's.
fn spare_name(name: &str) -> String {
    [".", name, ".spare"].concat()
}

/// Replaces what a file of `old_bytes` holds.
fn overwrite(file: &File, old_bytes: u64, content: &mut [IoSlice<'_>]) -> io::Result<()> {
    let length = content.iter().map(|part| part.len() as u64).sum();
    write_all(file, content)?;
    // Cutting to length after writing: a cut to nothing makes ext4 write the file out when it is closed.
    if old_bytes > length { file.set_len(length) } else { Ok(()) }
}

pub(super) fn dir() -> OFlags {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // Enough to open what is inside, and cheaper than opening the directory for reading.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let flags = flags | OFlags::PATH;
    flags
}

/// Writes all parts, with one call where the system takes them all.
fn write_all(file: &File, mut content: &mut [IoSlice<'_>]) -> io::Result<()> {
    /// What Linux and macOS take in one call.
    const MOST: usize = 1_024;

    IoSlice::advance_slices(&mut content, 0);
    while !content.is_empty() {
        let batch = content.get(..MOST).unwrap_or(content);
        match rustix::io::writev(file, batch) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut content, written),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Appends one line to a file, which is made if need be, with one `write`: whole lines of any number of writers never mix.
pub(crate) fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | CAREFUL;
    let file = rustix::fs::open(path, flags, FILE)?;
    loop {
        match rustix::io::write(&file, line) {
            Ok(written) if written == line.len() => return Ok(()),
            // The rest would be another line's neighbour by now; readers skip what is cut off.
            Ok(_) => return Err(io::ErrorKind::WriteZero.into()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads `buffer` full from this offset; what lies behind the end of the file is zero.
pub(crate) fn fill(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    match file.read_exact_at(buffer, offset) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            buffer.fill(0);
            Ok(())
        }
        other => other,
    }
}

/// Writes all of `bytes` at this offset.
pub(crate) fn put(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}
