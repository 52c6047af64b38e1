//! Every place of the product that changes a file, and the test that stops a process there.

use std::collections::BTreeSet;

use crate::source::{Rust, no_problems, root, rust, words};

/// What changes a file, or what others see of one: functions of std, of rustix and of tempfile, and constants that ask for it.
const CHANGES: &[&str] = &[
    "fs::write", "fs::rename", "fs::copy", "fs::hard_link", "fs::remove_file", "fs::remove_dir", "fs::remove_dir_all",
    "fs::create_dir", "fs::create_dir_all", "fs::set_permissions", "File::create", "create_new", "write_all",
    "write_all_at", "write_vectored", "seek_write", "set_len", "set_modified", "set_times", "sync_all", "sync_data",
    "DirBuilder", "persist", "persist_noclobber", "tempfile_in", "tempdir_in", "NamedTempFile", "try_lock",
    "try_lock_shared", "unix::fs::symlink", "mkdirat", "unlinkat", "renameat", "renameat_with", "linkat", "symlinkat",
    "fchmod", "chmodat", "io::writev", "io::pwrite", "io::write", "ftruncate", "OFlags::CREATE", "F_SETLEASE",
    // Of the one opener for what lies below a project.
    "Rights::COMMON", "Rights::installed", "remove_empty",
];

/// The test that stops a process at the calls of a file.
enum By {
    /// `each_call`: a hook, in this scene among others.
    Scene(&'static str),
    /// `each_write`: installing, uninstalling and the vault.
    EachWrite,
    /// A test of its own that kills processes at moments that differ.
    Killed(&'static str),
    /// No state of the product is at stake, and why.
    Nothing(&'static str),
}

use By::{EachWrite, Killed, Nothing, Scene};

/// Each file that changes something, what it uses for that, and what stops it there.
const SITES: &[(&str, &[&str], By)] = &[
    ("audit-log/src/append.rs", &["set_len", "write_all"], Scene("rotation")),
    (
        "audit-log/src/below.rs",
        &["fs::create_dir_all", "fs::remove_file", "fs::rename", "mkdirat", "renameat", "unlinkat"],
        Scene("rotation"),
    ),
    (
        "audit-log/src/os.rs",
        &[
            "DirBuilder", "OFlags::CREATE", "create_new", "fs::create_dir_all", "seek_write", "try_lock",
            "try_lock_shared", "write_all_at",
        ],
        Scene("standard, first of all"),
    ),
    ("audit-log/src/text.rs", &["write_all"], Scene("spf, text log rotates")),
    (
        "runtime/src/config/cache.rs",
        &["fs::remove_file", "persist", "tempfile_in", "write_all"],
        Scene("standard, first of all"),
    ),
    (
        "runtime/src/programs/checkpoint.rs",
        &["try_lock"],
        Nothing("a lock that keeps two checkpoints apart and holds nothing"),
    ),
    (
        "hookbin/src/cli/config.rs",
        &["create_new", "write_all"],
        Nothing("a configuration to start from, for a user who sees whether it came"),
    ),
    (
        "hookbin/src/cli/report.rs",
        &["NamedTempFile", "Rights::COMMON", "persist", "write_all"],
        Nothing("a page that a user asked for, under its name when it is whole"),
    ),
    ("hookbin/src/cli/documents.rs", &["write_all"], Nothing("standard output")),
    ("replay/src/export.rs", &["write_all"], Nothing("the writer of the caller")),
    ("hookbin/src/doctor/child.rs", &["File::create", "fs::write"], Nothing("a throw-away project")),
    ("hookbin/src/doctor/records.rs", &["tempfile_in"], Nothing("a try whether the directory can be written to")),
    ("runtime/src/event/effects.rs", &["write_all"], Scene("spf, begins")),
    ("runtime/src/programs/gate.rs", &["try_lock"], Nothing("the report of a runner that is read at once")),
    (
        "runtime/src/system/files.rs",
        &["Rights::installed", "fs::remove_dir", "fs::remove_dir_all", "fs::remove_file", "remove_empty", "try_lock"],
        EachWrite,
    ),
    ("runtime/src/installation/record.rs", &["remove_empty"], EachWrite),
    ("hookbin/src/install/remove.rs", &["fs::remove_dir", "remove_empty"], EachWrite),
    ("hookbin/src/install/undo.rs", &["remove_empty"], EachWrite),
    ("hookbin/src/install/written.rs", &["Rights::installed"], EachWrite),
    ("hookbin/src/lib.rs", &["io::write", "write_all"], Scene("standard, refused")),
    ("runtime/src/system/open/beneath.rs", &["create_new", "sync_all", "write_all"], Scene("standard, first of all")),
    ("runtime/src/system/open/mod.rs", &["DirBuilder"], Scene("standard, first of all")),
    (
        "runtime/src/system/open/portable.rs",
        &["create_new", "fs::create_dir", "fs::remove_dir", "fs::remove_file", "fs::rename"],
        Nothing("other systems than those on which the tests can follow a process"),
    ),
    (
        "runtime/src/system/open/unix.rs",
        &["OFlags::CREATE", "mkdirat", "renameat", "unlinkat"],
        Scene("standard, first of all"),
    ),
    ("runtime/src/project/mod.rs", &["Rights::COMMON", "create_new", "write_all"], Scene("standard, first of all")),
    ("replay/src/world.rs", &["fs::create_dir_all"], Nothing("a throw-away project")),
    (
        "runtime/src/programs/runner.rs",
        &["try_lock"],
        Nothing("a lock that keeps two test runs apart and holds nothing"),
    ),
    ("replay/src/selftest.rs", &["fs::create_dir_all", "fs::write"], Nothing("a throw-away project")),
    ("hookbin/src/start.rs", &["F_SETLEASE"], Scene("standard, wrote")),
    ("runtime/src/vault/own.rs", &["fs::remove_dir"], EachWrite),
    (
        "runtime/src/vault/private.rs",
        &[
            "fs::remove_dir_all", "fs::remove_file", "fs::rename", "persist", "tempdir_in", "tempfile_in",
            "unix::fs::symlink", "write_all",
        ],
        EachWrite,
    ),
    ("runtime/src/vault/twin.rs", &["remove_empty"], EachWrite),
    ("session-state/src/locked.rs", &["fs::remove_file", "fs::rename"], Scene("damaged document")),
    ("session-state/src/registry/fold.rs", &["fs::remove_file"], Killed("a_removal_that_is_killed_is_done_again")),
    (
        "session-state/src/registry/place.rs",
        &["fs::remove_file", "fs::rename"],
        Killed("a_repair_that_is_killed_is_done_again"),
    ),
    (
        "session-state/src/registry/spool.rs",
        &["fs::rename"],
        Killed("many_writers_and_killed_dirs_lose_and_repeat_nothing"),
    ),
    ("session-state/src/seen.rs", &["set_len"], Scene("sane, searched")),
    ("session-state/src/signed/mod.rs", &["fs::hard_link", "write_all"], Scene("sane, tampered")),
    ("session-state/src/store.rs", &["try_lock"], Scene("standard, wrote")),
    ("session-state/src/sys/below.rs", &["mkdirat"], Scene("standard, first of all")),
    (
        "session-state/src/sys/portable.rs",
        &["DirBuilder", "create_new", "fs::remove_file", "fs::rename", "write_all"],
        Nothing("other systems than those on which the tests can follow a process"),
    ),
    (
        "session-state/src/sys/unix.rs",
        &[
            "DirBuilder", "OFlags::CREATE", "io::write", "io::writev", "mkdirat", "renameat", "renameat_with",
            "set_len", "unlinkat", "write_all", "write_all_at",
        ],
        Scene("sane, first of all"),
    ),
];

fn changes(file: &Rust) -> BTreeSet<&'static str> {
    CHANGES.iter().copied().filter(|name| words(file.shipped_code(), name).next().is_some()).collect()
}

#[test]
fn every_place_that_changes_a_file_is_stopped_by_a_test() {
    let mut problems = Vec::new();
    // What `shell` and `policy` name are functions of the scripts that they judge, in strings and tables of names.
    let skipped = ["crates/shell/", "crates/policy/"];
    for file in
        rust().iter().filter(|file| file.is_product() && !skipped.iter().any(|skip| file.path.starts_with(skip)))
    {
        let short = file.path.trim_start_matches("crates/");
        let known = SITES.iter().find(|(path, ..)| *path == short).map_or(&[][..], |(_, names, _)| names);
        let found = changes(file);
        let known: BTreeSet<&str> = known.iter().copied().collect();
        problems.extend(found.difference(&known).map(|name| format!("{}: `{name}` is new", file.path)));
        problems.extend(known.difference(&found).map(|name| format!("{}: `{name}` is gone", file.path)));
    }
    let scenes = std::fs::read_to_string(root().join("crates/hookbin/tests/it/each_call/scene.rs")).unwrap();
    for (path, _, by) in SITES {
        if !rust().iter().any(|file| file.path.ends_with(path)) {
            problems.push(format!("{path} is gone"));
        }
        match by {
            Scene(scene) if !scenes.contains(&format!("\"{scene}\"")) => {
                problems.push(format!("{path}: there is no scene `{scene}`"));
            }
            Killed(test) if !rust().iter().any(|file| file.code.contains(&format!("fn {test}("))) => {
                problems.push(format!("{path}: there is no test `{test}`"));
            }
            Nothing("") => problems.push(format!("{path}: it is not said why nothing stops it")),
            _ => {}
        }
    }
    no_problems(
        &problems,
        "Add a scene to crates/hookbin/tests/it/each_call that makes the call (it is then stopped at it), and name it in SITES of \
         xtask/tests/it/writes.rs.",
    );
    let text = "std::fs::write(a); // fs::rename\nfile.set_len(1); \"fs::copy\"; offset_len(); rustix::io::writev(a)";
    assert_eq!(changes(&Rust::new("a.rs", text)), BTreeSet::from(["fs::write", "io::writev", "set_len"]));
}
