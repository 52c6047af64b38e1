//! Whether a user's own settings in a project stay out of its repository, and whether a settings file may be written through a link.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;

use hook_runtime::installation::{Place, Scope};
use hook_runtime::programs::git;
use hook_runtime::programs::git_place;
use hook_runtime::project::EXECUTABLE;
use hook_runtime::system::System;
use hook_runtime::system::files::{check_writable, real};
use hook_runtime::system::open::Beneath;

/// How long git may take; it is asked by people's commands only.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is wrong with keeping the user's settings in a project out of its repository.
pub(crate) fn unignored(place: &Place, system: &System) -> Option<String> {
    let root = place.project.as_ref()?.root();
    if place.scope != Scope::Local || !is_in_git(root) {
        return None;
    }
    let file = ".claude/settings.local.json";
    if git::ask(root, &["ls-files", "--error-unmatch", "--", file], PATIENCE, system).is_some() {
        return Some(format!(
            "git tracks {file}, so a checkout or a stash takes the entries away; `git rm --cached {file}` and commit that"
        ));
    }
    if git::ask(root, &["check-ignore", "--quiet", "--", file], PATIENCE, system).is_some() {
        return None;
    }
    if git::ask(root, &["rev-parse", "--git-dir"], PATIENCE, system).is_none() {
        // Without git, what can be said is whether our own file stands there.
        let ours = Beneath::new(root).text(&root.join(".claude/.gitignore"), 1 << 20).unwrap_or_default();
        let has_line = |line: &str| ["/settings.local.json", "settings.local.json"].contains(&line.trim());
        return (!ours.lines().any(has_line))
            .then(|| format!("git could not be asked whether it ignores {file}; add it to .git/info/exclude"));
    }
    Some(format!(
        "git does not ignore {file}, so a stash or a clean takes the entries away; add `/settings.local.json` to .claude/.gitignore, \
         or {file} to .git/info/exclude, and remove a later line that takes it back"
    ))
}

fn is_in_git(root: &Path) -> bool {
    root.ancestors().any(|dir| dir.join(".git").exists())
}

/// The working trees of the repository besides this one, which a user's entries here do not reach.
pub(crate) fn other_worktrees(root: &Path) -> Vec<PathBuf> {
    git::other_trees(root).into_iter().filter(|tree| !real(root).starts_with(tree)).collect()
}

/// Refuses settings that are a link, unless the link is the user's: git does not track it, the user owns it and what it leads to,
/// that can be written, and it is not the settings file of another scope. A directory on the way there is never one.
pub(super) fn check_link(place: &Place, system: &System) -> anyhow::Result<()> {
    let root = place.project.as_ref().map(hook_runtime::project::Project::root);
    let inside = root.and_then(|root| place.settings.strip_prefix(root).ok().zip(Some(root)));
    if let Some((file, root)) = inside {
        let dirs = file.ancestors().skip(1).filter(|dir| !dir.as_os_str().is_empty());
        if let Some(dir) = dirs.map(|dir| root.join(dir)).find(|dir| dir.is_symlink()) {
            bail!(
                "{} is a link, and a link in a project may lead anywhere; replace it by a directory, or choose `--scope user`",
                dir.display()
            );
        }
    }
    let Ok(metadata) = place.settings.symlink_metadata() else { return Ok(()) };
    let Some(target) = metadata.is_symlink().then(|| real(&place.settings)) else { return Ok(()) };
    let said = format!("{} is a link to {}", place.settings.display(), target.display());
    if let Err(error) = check_writable(target.parent().map(Path::to_owned).iter()) {
        bail!("{said}, and {error:#}; replace the link by a file of your own, or choose another --scope");
    }
    let others = place.sibling(system).into_iter().chain(Place::of_user(system));
    for other in others.filter(|other| other.scope != place.scope && other.settings != place.settings) {
        if real(&other.settings) == target && target.exists() {
            bail!("{said}, which is the settings file of another scope; remove the link, or install there");
        }
    }
    let Some((file, root)) = inside else { return Ok(()) };
    if is_in_git(root)
        && (is_tracked(root, file, system) || git::ask(root, &["rev-parse", "--git-dir"], PATIENCE, system).is_none())
    {
        bail!("{said}, and git tracks the link, so it is not yours alone; replace it by a file");
    }
    if let Some(stranger) =
        [Some(metadata), target.metadata().ok()].into_iter().flatten().find_map(|it| stranger(&it, root))
    {
        bail!("{said}, which belongs to user {stranger}, so it is not yours alone; replace it by a file");
    }
    Ok(())
}

/// Whether git tracks a program where earlier versions put the executable of a project.
pub(crate) fn tracks_copy(place: &Place, system: &System) -> bool {
    let Some(project) = &place.project else { return false };
    let copy = project.executable();
    copy.strip_prefix(project.root()).is_ok_and(|inside| is_tracked(project.root(), inside, system))
}

/// What is wrong with a repository that carries such a program.
pub(super) fn brought(place: &Place, system: &System) -> Option<String> {
    let copy = place.project.as_ref()?.executable();
    tracks_copy(place, system).then(|| {
        format!(
            "git tracks {}, so a checkout or a stash brings it back; no entry starts it; `git rm --cached .claude/hookbin/{EXECUTABLE}` \
             and commit that",
            copy.display()
        )
    })
}

/// Whether git tracks a file of the project, or anything in a directory of it.
pub(super) fn is_tracked(root: &Path, inside: &Path, system: &System) -> bool {
    is_in_git(root)
        // Where git may not be asked, anything may have come with the repository.
        && (git_place::leads_elsewhere(root, system)
            || git::ask(root, &["ls-files", "--error-unmatch", "--", &inside.to_string_lossy()], PATIENCE, system).is_some())
}

/// The owner of what is neither the user's nor, where root installs, of whoever owns the project.
#[cfg(unix)]
fn stranger(metadata: &std::fs::Metadata, root: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let person = rustix::process::geteuid().as_raw();
    let project = root.metadata().ok().filter(|_| person == 0).map(|metadata| metadata.uid());
    (metadata.uid() != person && Some(metadata.uid()) != project).then(|| metadata.uid())
}

#[cfg(not(unix))]
fn stranger(_metadata: &std::fs::Metadata, _root: &Path) -> Option<u32> {
    None
}
