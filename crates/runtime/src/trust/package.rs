//! The packages that a program of a project is part of: what it loads first when it starts.

use std::path::{Path, PathBuf};

/// The directories of these packages, as far as the place of the program tells them.
pub fn of(program: &Path) -> Vec<PathBuf> {
    let real = std::fs::canonicalize(program).ok();
    let name = program.file_stem().unwrap_or_default();
    let mut found: Vec<PathBuf> =
        [Some(program.to_owned()), real].into_iter().flatten().filter_map(|path| around(&path)).collect();
    let Some(dir) = program.parent() else { return found };
    // Some package managers place a script that starts the package, where others place a link.
    match dir.parent() {
        Some(modules) if dir.ends_with("node_modules/.bin") => found.push(modules.join(name)),
        Some(environment) if dir.ends_with("bin") => {
            let versions = std::fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
            let name = name.to_string_lossy().replace('-', "_");
            found.extend(versions.flat_map(|version| {
                let packages = version.path().join("site-packages");
                [packages.join(&name), packages.join(format!("_{name}"))]
            }));
        }
        _ => {}
    }
    let mut found: Vec<PathBuf> = found.iter().filter_map(|package| std::fs::canonicalize(package).ok()).collect();
    found.retain(|package| package.is_dir());
    found.sort();
    found.dedup();
    found
}

/// The package that a file lies in, by the parts of its path: `node_modules/NAME`, `node_modules/@SCOPE/NAME` or `vendor/WHO/NAME`.
fn around(file: &Path) -> Option<PathBuf> {
    let parts: Vec<_> = file.components().collect();
    let text = |at: usize| parts.get(at).and_then(|part| part.as_os_str().to_str());
    let at = (0..parts.len()).rev().find(|at| matches!(text(*at), Some("node_modules" | "vendor")))?;
    let first = text(at + 1)?;
    if first == ".bin" || first == "bin" && text(at) == Some("vendor") {
        return None;
    }
    let more = usize::from(first.starts_with('@') || text(at) == Some("vendor"));
    let end = at + 2 + more;
    // The file itself is no directory.
    (end < parts.len()).then(|| parts.iter().take(end).collect())
}
