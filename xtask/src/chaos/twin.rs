//! The same code under another build's name, so that two versions share a project where only one is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::sandbox::{Sandbox, text_of};

/// What stands in a compiled profile before the name of the build that made it: the mark, the length of the head and its fingerprint. The
/// name's length follows in one byte.
const BEFORE_NAME: usize = 20;

/// Copies the executable and changes the name by which it knows the compiled profiles of its own build. Whatever a build finds that
/// another has made, it makes again; all else of the two is alike.
pub(super) fn of(hookbin: &Path, dir: &TempDir) -> Result<PathBuf> {
    let name = name_of(hookbin)?;
    // The compiler may keep the name in pieces of eight bytes and more.
    let end = name.last_chunk::<8>().context("the name of the build is short")?;
    let mut bytes = fs::read(hookbin).with_context(|| format!("read {}", hookbin.display()))?;
    let places: Vec<usize> =
        bytes.windows(end.len()).enumerate().filter(|(_, part)| part == end).map(|(place, _)| place).collect();
    ensure!(!places.is_empty(), "the name of the build is not in {}", hookbin.display());
    for place in places {
        // The last digit of a number in base sixteen becomes another one.
        if let Some(digit) = bytes.get_mut(place + end.len() - 1) {
            *digit = if *digit == b'0' { b'1' } else { b'0' };
        }
    }
    let twin = dir.path().join("twin");
    fs::write(&twin, bytes).with_context(|| format!("write {}", twin.display()))?;
    let mode = fs::metadata(hookbin).with_context(|| format!("look at {}", hookbin.display()))?.permissions();
    fs::set_permissions(&twin, mode).with_context(|| format!("make {} executable", twin.display()))?;
    ensure!(name_of(&twin)? != name, "the copy has the same name");
    Ok(twin)
}

/// The name by which an executable knows what its own build has compiled.
fn name_of(hookbin: &Path) -> Result<Vec<u8>> {
    let sandbox = Sandbox::new()?;
    fs::create_dir(sandbox.project.join(".claude")).context("create a directory")?;
    fs::write(sandbox.project.join(".claude/hookbin.toml"), "profile = \"standard\"\n").context("write a profile")?;
    let output = sandbox
        .launch(hookbin.to_owned(), &["hook", "SessionStart"])
        .answer(r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionStart","source":"startup"}"#)?;
    let dir = sandbox.home.join(".local/state/hookbin/compiled");
    let made = fs::read_dir(&dir).with_context(|| format!("list {}", dir.display()))?.flatten().next();
    let cache = made.with_context(|| format!("nothing is compiled in {}", dir.display()))?.path();
    let compiled = fs::read(&cache).with_context(|| format!("read {}: {}", cache.display(), text_of(&output)))?;
    let name = compiled.get(BEFORE_NAME..).and_then(|rest| {
        let (length, rest) = rest.split_first()?;
        rest.get(..usize::from(*length))
    });
    let name = name.context("the compiled profile is too short")?.to_vec();
    ensure!(name.len() > 8 && name.is_ascii(), "the compiled profile does not begin with the name of its build");
    Ok(name)
}
