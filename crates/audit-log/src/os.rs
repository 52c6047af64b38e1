//! Opening, locking and setting aside of the crate's own files, with what each system has for it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::below::{self, Root};

/// How a file of ours is opened. Never through a link at the last component.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Read and append, created with mode 0600 if absent.
    Append,
    /// Read and overwrite in place, created with mode 0600 if absent.
    InPlace,
    /// Read and append; fails if anything has the name.
    CreateNew,
    /// Read only.
    Read,
}

pub(crate) fn open(root: Root<'_>, path: &Path, mode: Mode) -> io::Result<File> {
    #[cfg(unix)]
    if let Some(root) = root {
        use rustix::fs::OFlags;
        let flags = OFlags::NONBLOCK
            | match mode {
                Mode::Append => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE,
                Mode::InPlace => OFlags::RDWR | OFlags::CREATE,
                Mode::CreateNew => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL,
                Mode::Read => OFlags::RDONLY,
            };
        let rights = if mode == Mode::Read { rustix::fs::Mode::empty() } else { rustix::fs::Mode::from(0o600) };
        return below::open(root, path, flags, rights);
    }
    #[cfg(not(unix))]
    if let Some(root) = root {
        below::check(root, path)?;
    }
    let mut options = OpenOptions::new();
    options.read(true);
    match mode {
        Mode::Append => options.append(true).create(true),
        Mode::InPlace => options.write(true).create(true).truncate(false),
        Mode::CreateNew => options.append(true).create_new(true),
        Mode::Read => &mut options,
    };
    no_follow(&mut options);
    options.open(path)
}

#[cfg(unix)]
fn no_follow(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    // Without NONBLOCK a planted FIFO would hold a reader for ever; on a regular file the flag means nothing.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
}

#[cfg(windows)]
fn no_follow(options: &mut OpenOptions) {
    use std::os::windows::fs::OpenOptionsExt;
    // FILE_FLAG_OPEN_REPARSE_POINT: the link itself is opened, and writing to it fails.
    options.custom_flags(0x0020_0000);
}

#[cfg(not(any(unix, windows)))]
fn no_follow(_: &mut OpenOptions) {}

/// Reads at an offset without moving any cursor; one system call, may read less than asked.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
        // ERROR_HANDLE_EOF: at or behind the end.
        Err(error) if error.raw_os_error() == Some(38) => Ok(0),
        other => other,
    }
}

/// Fills the buffer from the offset, or stops at the end of the file; the number of bytes read.
pub(crate) fn read_full_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match read_at(file, rest, offset.saturating_add(done as u64)) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Writes at an offset in one system call.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset).map(|_| ())
}

/// Whether two descriptions are of the same file.
#[cfg(unix)]
pub(crate) fn same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.ino() == other.ino() && one.dev() == other.dev()
}

// Windows refuses to rename a file that is open, so the name cannot have changed hands.
#[cfg(not(unix))]
pub(crate) fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Whether the file has a second name, for example because somebody linked a victim's file into the log's place.
#[cfg(unix)]
pub(crate) fn has_other_names(meta: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) > 1
}

#[cfg(not(unix))]
pub(crate) fn has_other_names(_: &fs::Metadata) -> bool {
    false
}

/// Creates the directory with mode 0700; its parents get the ordinary mode, but for those below a root.
pub(crate) fn create_dir(root: Root<'_>, dir: &Path) -> io::Result<()> {
    if let Some(root) = root {
        return below::make_dir(root, dir);
    }
    if let Some(parent) = dir.parent() {
        fs::create_dir_all(parent)?;
    }
    #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(dir) {
        // Another process was faster, or a file stands there; then the caller's open says so.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// Takes the lock, trying again with short sleeps until `wait` is over; `false` if it never came free.
pub(crate) fn lock(file: &File, shared: bool, wait: Duration) -> io::Result<bool> {
    let mut started = None;
    let mut tries = 0_u32;
    loop {
        match if shared { file.try_lock_shared() } else { file.try_lock() } {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let waited = started.get_or_insert_with(Instant::now).elapsed();
        if waited >= wait {
            return Ok(false);
        }
        // The lock is held for some 20 µs, so giving up the core usually is enough; only a holder that lost its own
        // core makes the sleeps grow. They shrink again with the time waited, so that in a crowd it is the oldest who
        // tries most often and not chance that decides.
        if tries < 4 {
            thread::yield_now();
        } else {
            let halvings = (waited.as_millis() / 400).min(5);
            thread::sleep(Duration::from_micros((100 << (tries - 4).min(6)) >> halvings));
        }
        tries += 1;
    }
}

/// What stands at `path` is not a regular file (a link, a directory, a FIFO).
pub(crate) fn is_planted(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| !meta.is_file())
}

/// Renames what stands at `path` and is not ours to `NAME.set-aside-N`; the new name, or `None` if by now a regular
/// file stands there because another process did the same.
///
/// `force` moves a regular file too.
pub(crate) fn set_aside(root: Root<'_>, path: &Path, force: bool, wait: Duration) -> Result<Option<String>, Error> {
    let dir = path.parent().unwrap_or(Path::new("."));
    // The directory itself is the lock here, because what is quarantined may be the lock file: of two processes that saw
    // the same link, the second must not move away the file which the first has made since.
    let guard = File::open(dir).ok();
    if let Some(guard) = &guard {
        let locked = lock(guard, false, wait).map_err(|e| Error::io("lock the directory", dir, e))?;
        if !locked {
            return Err(Error::Locked { path: dir.to_path_buf(), waited: wait });
        }
    }
    if !force && !is_planted(path) {
        return Ok(None);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let free = (1..=10_000)
        .map(|n| format!("{name}.set-aside-{n}"))
        .find(|aside| fs::symlink_metadata(dir.join(aside)).is_err_and(|e| e.kind() == io::ErrorKind::NotFound));
    let Some(free) = free else {
        let full = io::Error::other("10,000 things are quarantined already");
        return Err(Error::io("quarantined", path, full));
    };
    match below::rename(root, path, &dir.join(&free)) {
        Ok(()) => Ok(Some(free)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("quarantined", path, error)),
    }
}

/// Opens a file of ours; what is planted in its place is quarantined first. The second value is its new name.
pub(crate) fn open_own(
    root: Root<'_>,
    path: &Path,
    mode: Mode,
    op: &'static str,
    wait: Duration,
) -> Result<(File, Option<String>), Error> {
    let mut aside = None;
    // A planter in a loop must not hold us: three rounds, then the error stands.
    for _ in 0..3 {
        match open(root, path, mode) {
            Ok(file) => return Ok((file, aside)),
            Err(_) if is_planted(path) => aside = set_aside(root, path, false, wait)?.or(aside),
            Err(error) => return Err(Error::io(op, path, error)),
        }
    }
    open(root, path, mode).map(|file| (file, aside)).map_err(|e| Error::io(op, path, e))
}

/// `path` with `suffix` put behind its name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}
