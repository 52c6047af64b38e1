//! What a replay reads: transcripts and audit logs, found in the paths that a user names.

use hook_protocol::own_path;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use hook_protocol::transcript::Line;

use super::Error;
use super::source::{Lines, Read as LineRead, micros_of};
use hook_runtime::system::System;
use hook_runtime::system::open;

/// Directories below a named one that are looked into.
const DIRS: usize = 100_000;
/// Lines at the beginning of a file that are looked at to know what it is.
const LOOKED_AT: usize = 50;
/// Bytes of them.
const SNIFFED: u64 = 1 << 20;

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// In the order of their first lines' times.
    pub(super) transcripts: Vec<Transcript>,
    pub(super) logs: Vec<Log>,
    /// What could not be used, and why.
    pub(super) skipped: Vec<(PathBuf, String)>,
}

/// A file that may be a transcript.
#[derive(Debug, Clone)]
pub(super) struct Transcript {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// The time of its first line that has one, in microseconds.
    pub(super) begin: i64,
    /// The working directory of its first line that has one.
    pub(super) cwd: Option<String>,
}

/// An audit log of hookbin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Log {
    /// A whole trail with its old files.
    Dir(PathBuf),
    /// One file of a trail, or a copy.
    File(PathBuf),
}

impl Log {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Dir(path) | Self::File(path) => path,
        }
    }

    pub(super) fn is_at(&self, dir: &Path) -> bool {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        matches!(self, Self::Dir(path) if real(path) == real(dir))
    }

    /// The project that keeps it, where it lies in its place.
    pub(super) fn root(&self) -> Option<PathBuf> {
        let dir = match self {
            Self::Dir(path) => path.as_path(),
            Self::File(path) => path.parent()?,
        };
        let real = std::fs::canonicalize(dir).ok()?;
        let own = real.parent().filter(|own| own.ends_with(own_path!("hookbin")) && real.ends_with("log"))?;
        own.parent()?.parent().map(Path::to_owned)
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::File(path) => std::fs::metadata(path).map_or(0, |meta| meta.len()),
            Self::Dir(path) => {
                let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
                let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("audit"));
                ours.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum()
            }
        }
    }
}

impl Inputs {
    pub(super) fn bytes(&self) -> u64 {
        let transcripts: u64 = self.transcripts.iter().map(|file| file.bytes).sum();
        transcripts + self.logs.iter().map(Log::bytes).sum::<u64>()
    }
}

/// Looks through files and directories. Each file counts once, however it is named; links to directories inside a named directory are not followed,
/// so that no loop is walked.
pub(super) fn find(paths: &[PathBuf], system: &System) -> Result<Inputs, Error> {
    let mut inputs = Inputs::default();
    let mut known = HashSet::new();
    for path in paths {
        let path = system.absolute_path(path);
        let metadata = std::fs::metadata(&path).map_err(|error| {
            Error::wrong_use(format!(
                "cannot read {}: {error}; name a transcript, an audit log or a directory of them",
                path.display()
            ))
        })?;
        if metadata.is_dir() {
            walk(path, &mut inputs, &mut known);
        } else {
            add(path, true, &mut inputs, &mut known);
        }
    }
    if inputs.transcripts.is_empty() && inputs.logs.is_empty() {
        let why: Vec<String> =
            inputs.skipped.iter().map(|(path, why)| format!("\n  {}: {why}", path.display())).collect();
        let said = format!("there is no transcript and no audit log to replay{}", why.concat());
        return Err(Error::wrong_use(said));
    }
    inputs.transcripts.sort_by(|a, b| (a.begin, &a.path).cmp(&(b.begin, &b.path)));
    Ok(inputs)
}

fn walk(dir: PathBuf, inputs: &mut Inputs, known: &mut HashSet<PathBuf>) {
    let mut dirs = vec![dir];
    let mut seen = 0;
    while let Some(dir) = dirs.pop() {
        seen += 1;
        if seen > DIRS {
            inputs.skipped.push((dir, "there are too many directories; name fewer at once".to_owned()));
            return;
        }
        if dir.join("audit.jsonl").is_file() {
            add(dir.join("audit.jsonl"), false, inputs, known);
            continue;
        }
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) => {
                inputs.skipped.push((dir, error.to_string()));
                continue;
            }
        };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => dirs.push(path),
                Ok(kind) if (kind.is_file() || kind.is_symlink() && path.is_file()) && is_jsonl(&path) => {
                    add(path, false, inputs, known);
                }
                _ => {}
            }
        }
    }
}

fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}

fn add(path: PathBuf, named: bool, inputs: &mut Inputs, known: &mut HashSet<PathBuf>) {
    let real = hook_runtime::system::files::real(&path);
    if !known.insert(real) {
        return;
    }
    let file = open::foreign(&path).and_then(|file| file.metadata().map(|meta| (file, meta)));
    let (file, metadata) = match file {
        Ok((_, metadata)) if !metadata.is_file() => {
            inputs.skipped.push((path, "it is no plain file".to_owned()));
            return;
        }
        Ok(opened) => opened,
        Err(error) => {
            inputs.skipped.push((path, error.to_string()));
            return;
        }
    };
    let looked = look(file);
    if looked.is_log {
        // A file in its place stands for the whole trail, rotated files included.
        let dir = path.parent().filter(|dir| path.ends_with("audit.jsonl") && dir.join("chain.head").exists());
        inputs.logs.push(dir.map_or_else(|| Log::File(path.clone()), |dir| Log::Dir(dir.to_owned())));
    } else if named || looked.is_json || metadata.len() == 0 {
        inputs.transcripts.push(Transcript { path, bytes: metadata.len(), begin: looked.begin, cwd: looked.cwd });
    } else {
        inputs.skipped.push((path, "it is not JSON".to_owned()));
    }
}

/// What the first lines of a file tell.
#[derive(Default)]
struct Looked {
    is_json: bool,
    is_log: bool,
    begin: i64,
    cwd: Option<String>,
}

fn look(file: File) -> Looked {
    let mut looked = Looked::default();
    let mut lines = Lines::new(BufReader::new(Read::take(file, SNIFFED)));
    for _ in 0..LOOKED_AT {
        let Ok(LineRead::Line(text)) = lines.next() else { break };
        let Ok(line) = Line::parse(text) else { continue };
        looked.is_log |= !looked.is_json && text.starts_with("{\"v\":") && line.extra.get("hash").is_some();
        looked.is_json = true;
        if looked.is_log {
            break;
        }
        let time = line.timestamp.as_ref().and_then(|time| micros_of(&time.as_str()));
        if let Some(time) = time.filter(|_| looked.begin == 0) {
            looked.begin = time;
        }
        if looked.cwd.is_none() {
            looked.cwd = line.cwd.as_ref().map(|cwd| cwd.as_str().into_owned());
        }
        if looked.begin != 0 && looked.cwd.is_some() {
            break;
        }
    }
    looked
}
