//! Names the build, so that a compiled profile cache of another build is not taken for its own.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

fn main() {
    // The cache depends on the built-in profiles and on the shape of the resolved types, so their sources are what identifies it.
    let mut hasher = DefaultHasher::new();
    for dir in ["profiles", "../policy/src", "../shell/src"] {
        println!("cargo::rerun-if-changed={dir}");
        hash_dir(Path::new(dir), &mut hasher);
    }
    println!("cargo::rustc-env=HOOKBIN_BUILD={:016x}", hasher.finish());
}

/// Directories of the registry package hold no sibling crate; a directory that is missing adds nothing.
fn hash_dir(dir: &Path, hasher: &mut DefaultHasher) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_dir(&path, hasher);
        } else if let Ok(bytes) = std::fs::read(&path) {
            path.file_name().hash(hasher);
            bytes.hash(hasher);
        }
    }
}
