//! The operations on std alone, by path. Between looking at a name and using it somebody may change it; the lock keeps the
//! store's own processes apart.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::{Content, Side, TEMPORARY, WriteLease};

/// A directory, by path.
#[derive(Debug)]
pub(crate) struct Dir(PathBuf);

impl Dir {
    /// Checks that a directory is there and is not a link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path)?.is_dir() {
            Ok(Self(path.to_path_buf()))
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Checks a directory below a root, and that no part of its path behind the root is a link.
    pub(crate) fn open_below(root: &Path, path: &Path) -> io::Result<Self> {
        for part in below(root, path)? {
            if !fs::symlink_metadata(&part)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(Self(path.to_path_buf()))
    }

    /// Makes a directory and the missing ones between it and its root.
    pub(crate) fn create_below(root: &Path, path: &Path) -> io::Result<()> {
        for part in below(root, path)? {
            match fs::symlink_metadata(&part) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(_) => Self::create(&part)?,
            }
        }
        Ok(())
    }

    /// Makes a directory and the missing ones above it.
    pub(crate) fn create(path: &Path) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(path)
    }

    /// Checks a directory in this one.
    pub(crate) fn sub(&self, name: &str) -> io::Result<Self> {
        Self::open(&self.0.join(name))
    }

    /// Makes a directory in this one.
    pub(crate) fn create_sub(&self, name: &str) -> io::Result<()> {
        Self::create(&self.0.join(name))
    }

    /// Opens the lock file, and makes it if need be.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
            return Err(io::Error::other("it is a symbolic link"));
        }
        private().read(true).write(true).create(true).truncate(false).open(path)
    }

    /// Reads a whole file of at most `limit` bytes.
    pub(crate) fn read(&self, name: &str, limit: usize) -> io::Result<Content> {
        let path = self.0.join(name);
        let meta = match fs::symlink_metadata(&path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Missing),
            Err(error) => return Err(error),
        };
        if meta.is_symlink() {
            return Ok(Content::Odd("it is a symbolic link"));
        }
        if !meta.is_file() {
            return Ok(Content::Odd("it is not a plain file"));
        }
        let mut bytes = Vec::new();
        File::open(&path)?.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Ok(Content::Odd("it is larger than any document of this store"));
        }
        Ok(Content::Bytes(bytes))
    }

    /// Gives `name` this content in one step. Without a way to exchange two names there is nothing to reuse.
    pub(crate) fn replace(
        &self,
        name: &str,
        content: &mut [IoSlice<'_>],
        _reuse: Option<WriteLease>,
    ) -> io::Result<()> {
        let from = self.0.join(TEMPORARY);
        self.remove(TEMPORARY)?;
        let written = private().write(true).create_new(true).open(&from).and_then(|mut file| {
            for part in content.iter() {
                file.write_all(part)?;
            }
            Ok(())
        });
        written.and_then(|()| fs::rename(&from, self.0.join(name))).inspect_err(|_| {
            // The first error is the one to report.
            let _ = self.remove(TEMPORARY);
        })
    }

    /// Appends to a file, which is made if need be, on a line of its own. Returns the size that the file has then.
    pub(crate) fn append(&self, name: &str, bytes: &[u8]) -> io::Result<u64> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_file()) {
            return Err(io::Error::other("it is not a plain file"));
        }
        let mut file = private().read(true).append(true).create(true).open(path)?;
        let size = file.metadata()?.len();
        let mut last = [b'\n'];
        if size > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let open: &[u8] = if last == *b"\n" { b"" } else { b"\n" };
        file.write_all(&[open, bytes].concat())?;
        Ok(size + bytes.len() as u64)
    }

    /// Removes a name that is not a directory; one that is not there is fine.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Opens a membership file; `None` where there is none and none is to be made.
    pub(crate) fn side(&self, name: &str, create: bool) -> io::Result<Option<Side>> {
        let path = self.0.join(name);
        let meta = fs::symlink_metadata(&path);
        match &meta {
            Ok(meta) if !meta.is_file() => return Err(io::Error::other("it is not a plain file")),
            Err(error) if !create && error.kind() == io::ErrorKind::NotFound => return Ok(None),
            _ => {}
        }
        let file = private().read(true).write(true).create_new(create).open(&path)?;
        let bytes = file.metadata()?.len();
        Ok(Some(Side { file, bytes, sound: single(meta.ok().as_ref()) }))
    }
}

/// The directories from the root, which is not among them, down to `path`.
fn below(root: &Path, path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut parts: Vec<PathBuf> = path.ancestors().take_while(|part| *part != root).map(Path::to_owned).collect();
    let is_plain = |part: &PathBuf| part.file_name().is_some();
    if !path.starts_with(root) || !parts.iter().all(is_plain) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it does not lie below its root"));
    }
    parts.reverse();
    Ok(parts)
}

/// Whether a file has one name only, where std can tell.
fn single(meta: Option<&fs::Metadata>) -> bool {
    #[cfg(unix)]
    return meta.is_none_or(|meta| std::os::unix::fs::MetadataExt::nlink(meta) == 1);
    #[cfg(not(unix))]
    {
        let _ = meta;
        true
    }
}

fn private() -> OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has modes"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Appends one line to a file, which is made if need be, with one `write`: whole lines of any number of writers never mix.
pub(crate) fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut file = private().append(true).create(true).open(path)?;
    // The rest would be another line's neighbour by now; readers skip what is cut off.
    if file.write(line)? == line.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Reads `buffer` full from this offset; what lies behind the end of the file is zero.
pub(crate) fn fill(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    match file.read_exact(buffer) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            buffer.fill(0);
            Ok(())
        }
        other => other,
    }
}

/// Writes all of `bytes` at this offset.
pub(crate) fn put(mut file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}
