//! Every place of the product that opens, lists, makes or changes a file by its path, and why no stranger's link can lead it astray.
//!
//! What lies below a project goes through `open::Beneath` of the executable, or below the root that a store or a trail was given. What
//! stands in the table is about other files, or about names only.

use std::collections::BTreeSet;

use crate::source::{Rust, no_problems, rust, words};

/// Ways to a file by its path that follow links: functions of std, of rustix and of tempfile, and those of the executable's own that are
/// for files outside of projects.
const WAYS: &[&str] = &[
    "fs::read", "fs::read_to_string", "fs::read_dir", "fs::read_link", "fs::write", "fs::rename", "fs::copy",
    "fs::hard_link", "fs::remove_file", "fs::remove_dir", "fs::remove_dir_all", "fs::create_dir", "fs::create_dir_all",
    "fs::set_permissions", "unix::fs::symlink", "File::open", "File::create", "File::create_new", "File::options",
    "OpenOptions", "DirBuilder", "chown", "lchown", "fchown", "tempfile_in", "tempdir_in", "NamedTempFile", "fs::open",
    "openat", "openat2", "open::read", "open::text", "open::foreign", "open::to_read", "open::to_overwrite",
    "open::shared_append", "open::private_dir", "read_small", "Store::new", "AuditLog::new", "TextLog::new",
];

/// Each file with such a way, its ways, and the reason.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    (
        "audit-log/src/below.rs",
        &["fs::create_dir_all", "fs::open", "fs::remove_file", "fs::rename", "openat", "openat2"],
        OPENER,
    ),
    ("audit-log/src/files.rs", &["fs::read_dir"], "names of the trail's files; each is opened by `os::open`"),
    (
        "audit-log/src/os.rs",
        &["DirBuilder", "File::open", "OpenOptions", "fs::create_dir_all"],
        "without a root, and the directory as a lock",
    ),
    (
        "runtime/src/system/account.rs",
        &["open::text", "open::to_read"],
        "the system's list of accounts; records of the user's",
    ),
    ("hookbin/src/attended.rs", &["File::open"], "the terminal"),
    (
        "runtime/src/system/agents.rs",
        &["fs::read", "fs::read_link", "fs::read_to_string"],
        "the system's word on processes",
    ),
    (
        "runtime/src/config/cache.rs",
        &["fs::read_dir", "fs::remove_file", "open::foreign", "open::private_dir", "open::to_read", "tempfile_in"],
        "configuration by its hash, and the compiled one",
    ),
    ("hookbin/src/cli/explain.rs", &["fs::read", "fs::read_to_string"], NAMED),
    ("hookbin/src/cli/report.rs", &["NamedTempFile", "open::to_overwrite"], NAMED),
    ("hookbin/src/cli/state.rs", &["fs::read_to_string"], NAMED),
    ("hookbin/src/cli/vault.rs", &["TextLog::new", "open::private_dir"], VAULT),
    ("runtime/src/trust/consent.rs", &["fs::read_dir"], "names and times of files, of which none is opened"),
    ("runtime/src/facts/contacts.rs", &["read_small"], PERSON),
    ("runtime/src/facts/context.rs", &["open::foreign"], CLIENT),
    ("hookbin/src/doctor/child.rs", &["File::create", "File::open", "fs::read", "fs::write"], THROWN_AWAY),
    ("hookbin/src/doctor/lint.rs", &["fs::read_to_string"], NAMED),
    ("hookbin/src/doctor/place.rs", &["fs::read"], "bytes of the executable, of which only the hash is used"),
    ("hookbin/src/doctor/records.rs", &["tempfile_in"], "a try whether a directory takes a file, which goes at once"),
    (
        "runtime/src/event/effects.rs",
        &["open::shared_append"],
        "the file that the client names, and the one that the user names",
    ),
    ("runtime/src/facts/links.rs", &["fs::read_link"], "where links lead whose ends are not there"),
    (
        "runtime/src/facts/mod.rs",
        &["open::foreign", "open::text", "read_small"],
        "what a call works on outside of the project",
    ),
    (
        "runtime/src/programs/gate.rs",
        &["fs::read_dir", "fs::read_link"],
        "names in the tree and where links lead, of which only a hash is used",
    ),
    ("runtime/src/programs/git.rs", &["fs::read_dir", "read_small"], GIT),
    ("runtime/src/programs/git_config.rs", &["read_small"], GIT),
    ("runtime/src/programs/git_place.rs", &["fs::read_dir", "fs::read_link", "read_small"], GIT),
    ("runtime/src/trust/granted.rs", &["read_small"], SETTINGS),
    (
        "runtime/src/facts/image.rs",
        &["open::foreign"],
        "the size of the image that a call reads, of which two numbers are used",
    ),
    (
        "runtime/src/facts/include.rs",
        &["fs::read_dir"],
        "names; what they lead to is checked against the roots and opened by its real path",
    ),
    (
        "runtime/src/system/files.rs",
        &["File::open", "fs::remove_dir", "fs::remove_dir_all", "fs::remove_file", "open::foreign", "open::read"],
        "the ground of the user's own; a project's goes through `Beneath`",
    ),
    ("hookbin/src/install/mod.rs", &["open::read"], "the running executable"),
    ("hookbin/src/install/remove.rs", &["fs::read_dir", "fs::remove_dir"], PERSON),
    ("hookbin/src/install/shared.rs", &["fs::read_dir"], PERSON),
    ("runtime/src/system/open/mod.rs", &["DirBuilder", "OpenOptions"], OPENER),
    (
        "runtime/src/system/open/portable.rs",
        &["OpenOptions", "fs::create_dir", "fs::read_dir", "fs::remove_dir", "fs::remove_file", "fs::rename"],
        OPENER,
    ),
    ("runtime/src/system/open/unix.rs", &["fchown", "fs::open", "openat", "openat2"], OPENER),
    ("runtime/src/system/environment.rs", &["open::foreign"], "the user's note beside their executable"),
    ("runtime/src/installation/presence.rs", &["open::text"], SETTINGS),
    (
        "runtime/src/project/mod.rs",
        &["AuditLog::new", "Store::new", "TextLog::new", "open::private_dir"],
        "each with the project as its root",
    ),
    ("runtime/src/project/registry.rs", &["fs::read_to_string"], "the system's word on a process"),
    ("runtime/src/trust/package.rs", &["fs::read_dir"], "names of directories, in which `consent.rs` looks at times"),
    ("runtime/src/project/registry_place.rs", &["fs::read_dir"], PERSON),
    ("replay/src/input.rs", &["fs::read_dir", "open::foreign"], NAMED),
    ("replay/src/source.rs", &["open::foreign"], NAMED),
    ("replay/src/world.rs", &["fs::create_dir_all"], THROWN_AWAY),
    ("runtime/src/programs/runner.rs", &["Store::new"], "with the project as its root"),
    ("replay/src/selftest.rs", &["fs::create_dir_all", "fs::read_to_string", "fs::write"], THROWN_AWAY),
    ("runtime/src/installation/started.rs", &["File::open"], "bytes of a program, which are compared and hashed"),
    ("runtime/src/trust/mod.rs", &["fs::read_dir"], PERSON),
    ("runtime/src/facts/tree.rs", &["fs::read_dir"], "names of sources; each is opened by `Beneath`"),
    ("runtime/src/installation/user.rs", &["open::text"], SETTINGS),
    ("runtime/src/preflight.rs", &["open::text"], SETTINGS),
    ("runtime/src/vault/mod.rs", &["fs::read_dir"], VAULT),
    ("runtime/src/vault/own.rs", &["fs::read_dir", "fs::read_link", "fs::remove_dir"], VAULT),
    ("runtime/src/vault/phases.rs", &["fs::read_dir"], VAULT),
    (
        "runtime/src/vault/private.rs",
        &[
            "fs::read_dir", "fs::read_link", "fs::remove_dir_all", "fs::remove_file", "fs::rename", "open::foreign",
            "tempdir_in", "tempfile_in", "unix::fs::symlink",
        ],
        VAULT,
    ),
    ("session-state/src/registry/place.rs", &["fs::remove_file", "fs::rename"], PERSON),
    ("session-state/src/registry/spool.rs", &["File::open", "fs::read_dir", "fs::rename"], PERSON),
    ("session-state/src/registry/sqlite.rs", &["File::options"], PERSON),
    ("session-state/src/registry/fold.rs", &["fs::remove_file"], PERSON),
    (
        "session-state/src/locked.rs",
        &["fs::remove_file", "fs::rename"],
        "in a directory that was opened below its root a moment ago",
    ),
    (
        "session-state/src/signed/mod.rs",
        &["fs::hard_link", "fs::read"],
        "in a directory that was opened as none behind a link",
    ),
    (
        "session-state/src/signed/moved.rs",
        &["fs::read_to_string"],
        "the mark beside the signed document, which opens nothing by itself",
    ),
    ("session-state/src/store.rs", &["fs::read_dir"], "names; each is opened in the open directory"),
    ("session-state/src/sys/below.rs", &["fs::open", "openat", "openat2"], OPENER),
    (
        "session-state/src/sys/portable.rs",
        &["DirBuilder", "File::open", "OpenOptions", "fs::remove_file", "fs::rename"],
        OPENER,
    ),
    ("session-state/src/sys/unix.rs", &["DirBuilder", "fs::open", "openat"], OPENER),
    (
        "runtime/src/system/way.rs",
        &["fs::read_link"],
        "where links lead, to judge the directories on the way; nothing is opened",
    ),
];

const OPENER: &str = "it is the opener";
const NAMED: &str = "a file that a user names on the command line, which may be a link";
const PERSON: &str = "in the user's own directories, which may be links";
const CLIENT: &str = "the transcript, which the client names";
const SETTINGS: &str =
    "settings and marks as the client reads them, bounded and plain files only; none goes into the context";
const GIT: &str = "git's own files, which lie elsewhere in a linked working tree; bounded and plain files only";
const THROWN_AWAY: &str = "a throw-away project";
const VAULT: &str = "the vault is made of links that a user's command places, and looks whose each one is";

fn ways(file: &Rust) -> BTreeSet<&'static str> {
    WAYS.iter().copied().filter(|name| words(file.shipped_code(), name).next().is_some()).collect()
}

#[test]
fn every_way_to_a_file_is_one_that_no_link_of_a_project_leads_astray() {
    let mut problems = Vec::new();
    // What `shell` and `policy` name are functions of the scripts that they judge; the sender of the spool knows no project.
    let skipped = ["crates/shell/", "crates/policy/", "crates/hookbin-sync/"];
    for file in
        rust().iter().filter(|file| file.is_product() && !skipped.iter().any(|skip| file.path.starts_with(skip)))
    {
        let short = file.path.trim_start_matches("crates/");
        let known = ALLOWED.iter().find(|(path, ..)| *path == short).map_or(&[][..], |(_, names, _)| names);
        let (found, known): (_, BTreeSet<&str>) = (ways(file), known.iter().copied().collect());
        problems.extend(found.difference(&known).map(|name| format!("{}: `{name}` is new", file.path)));
        problems.extend(known.difference(&found).map(|name| format!("{}: `{name}` is gone", file.path)));
    }
    for (path, _, reason) in ALLOWED {
        if reason.is_empty() || !rust().iter().any(|file| file.path.ends_with(path)) {
            problems.push(format!("{path} is gone, or has no reason"));
        }
    }
    no_problems(
        &problems,
        "What lies below a project goes through `Beneath` (crates/runtime/src/system/open), `Project::store`, `Project::trail` or \
         `Project::text_log`. For other files, name the way and the reason in ALLOWED of xtask/tests/it/opens.rs.",
    );
    let text = "std::fs::read(a); // File::open\nlet x = open::foreign(b); \"fs::copy\"; fs::read_dirs()";
    assert_eq!(ways(&Rust::new("a.rs", text)), BTreeSet::from(["fs::read", "open::foreign"]));
}
