//! A file system that is against it: links, wrong kinds of files, no room. All of it is felt by root too.

use std::fs;
use std::path::Path;

use hook_session_state::{Error, Kind, Store};

use crate::child;
use crate::support::{Home, read_file, session};

#[test]
fn a_fault_names_the_operation_the_path_and_what_to_do() {
    let home = Home::new();
    fs::write(home.beside("state"), "a file").unwrap();
    let error = home.store.lock().unwrap_err();
    assert!(matches!(error, Error::NotADir { .. }));
    assert_eq!(
        error.to_string(),
        format!("open {}: it is not a directory; move it away", home.beside("state").display())
    );
    assert!(matches!(home.store.read_session(&session("s")).unwrap_err(), Error::NotADir { .. }));

    let below = Store::new(home.beside("state").join("deeper"));
    let error = below.lock().unwrap_err();
    assert!(matches!(&error, Error::Io { op: "open" | "make", path, .. } if path.ends_with("state/deeper")), "{error}");
    assert!(fs::metadata(home.beside("state")).unwrap().is_file());
}

#[test]
fn reading_makes_nothing() {
    let home = Home::new();
    assert!(home.store.read_session(&session("s")).unwrap().is_none());
    assert!(home.store.read_project().unwrap().is_none());
    assert!(home.store.read_view("STATUS.txt").unwrap().is_none());
    assert!(!home.store.dir().exists());
}

#[test]
fn a_file_where_the_sessions_belong_stops_sessions_and_not_views() {
    let home = Home::new();
    home.put("sessions", "a file");
    let mut locked = home.store.lock().unwrap();
    assert!(matches!(locked.session(&session("s")).unwrap_err(), Error::NotADir { .. }));
    assert!(locked.first_time(&session("s"), Kind::Event, "x").is_err());
    locked.write_view("STATUS.txt", "text").unwrap();
    assert_eq!(home.read("STATUS.txt"), "text");
}

#[test]
fn a_dir_under_a_name_is_not_replaced() {
    let home = Home::new();
    home.put("STATUS.txt/inside", "kept");
    let mut locked = home.store.lock().unwrap();
    assert!(matches!(locked.write_view("STATUS.txt", "text").unwrap_err(), Error::Io { op: "write", .. }));
    assert_eq!(home.read("STATUS.txt/inside"), "kept");
    assert_eq!(home.names(), ["STATUS.txt", "lock"]);
}

#[test]
fn a_dir_under_a_documents_name_is_set_aside_whole() {
    let home = Home::new();
    home.put("sessions/s.json/inside", "kept");
    let aside = home.store.lock().unwrap().session(&session("s")).unwrap().damaged.unwrap();
    assert_eq!(fs::read_to_string(aside.join("inside")).unwrap(), "kept");
}

#[test]
fn a_view_has_a_plain_name_that_is_not_the_stores_own() {
    let home = Home::new();
    let mut locked = home.store.lock().unwrap();
    let long = "x".repeat(129);
    let names = [
        "", ".", "..", "a/b", "../x", "/etc/x", "a\\b", "a\0b", "lock", "sessions", "project.json", ".tmp", ".spare",
        "é", "a b", &long,
    ];
    for name in names {
        assert!(matches!(locked.write_view(name, "x").unwrap_err(), Error::FileName { .. }), "{name}");
        assert!(matches!(home.store.read_view(name).unwrap_err(), Error::FileName { .. }), "{name}");
    }
    locked.write_view("handoff.md", "one").unwrap();
    locked.write_view("handoff.md", "two").unwrap();
    assert_eq!(home.store.read_view("handoff.md").unwrap().as_deref(), Some("two"));
    assert_eq!(home.names(), ["handoff.md", "lock"]);
}

#[test]
fn a_view_that_is_read_back_is_of_bounded_size() {
    let home = Home::new();
    home.put("handoff.md", "x".repeat(64 << 10));
    assert_eq!(home.store.read_view("handoff.md").unwrap().unwrap().len(), 64 << 10);
    home.put("handoff.md", "x".repeat((64 << 10) + 1));
    assert!(home.store.read_view("handoff.md").unwrap().is_none());
    home.put("handoff.md", b"a\xffb");
    assert_eq!(home.store.read_view("handoff.md").unwrap().unwrap(), "a\u{fffd}b");
}

#[test]
fn a_document_that_is_too_large_is_set_aside_unread() {
    let home = Home::new();
    let id = session("s");
    home.put("sessions/s.json", "");
    let file = fs::File::options().write(true).open(home.store.session_path(&id)).unwrap();
    // A hole: a terabyte that takes no room.
    file.set_len(1 << 40).unwrap();
    let loaded = home.store.lock().unwrap().session(&id).unwrap();
    assert_eq!(fs::metadata(loaded.damaged.unwrap()).unwrap().len(), 1 << 40);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, symlink};

    use super::{Error, Home, Path, Store, child, fs, read_file, session};

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn dirs_and_files_are_for_their_owner_only() {
        let home = Home::new();
        let id = session("s");
        read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
        let mut locked = home.store.lock().unwrap();
        locked.write_view("STATUS.txt", "x").unwrap();
        let project = locked.project().unwrap().value;
        locked.save_project(&project).unwrap();
        for dir in ["", "sessions"] {
            assert_eq!(mode(&home.path(dir)), 0o700, "{dir}");
        }
        for file in ["lock", "STATUS.txt", "project.json", "sessions/s.json", "sessions/s.seen"] {
            assert_eq!(mode(&home.path(file)), 0o600, "{file}");
        }
    }

    #[test]
    fn a_state_dir_that_is_a_link_is_refused() {
        let home = Home::new();
        let elsewhere = home.beside("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, home.beside("state")).unwrap();
        // A slash or a dot behind it would follow the link.
        for path in [home.beside("state"), home.beside("state/"), home.beside("state/.")] {
            let store = Store::new(path);
            let error = store.lock().unwrap_err();
            assert!(matches!(error, Error::Link { .. }));
            assert!(error.to_string().contains("symbolic link"), "{error}");
            assert!(matches!(store.read_session(&session("s")).unwrap_err(), Error::Link { .. }));
            assert!(matches!(store.verify().unwrap_err(), Error::Link { .. }));
        }
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }

    /// With a root, no directory between it and the store may be one; what lies above it may.
    #[test]
    fn a_link_between_the_root_and_the_store_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let (root, elsewhere) = (place.path().join("root"), place.path().join("elsewhere"));
        for dir in [&root, &elsewhere, &elsewhere.join("state")] {
            fs::create_dir(dir).unwrap();
        }
        symlink(&elsewhere, root.join("middle")).unwrap();
        for inside in ["middle/state", "middle/new", "middle/new/er"] {
            let store = Store::new(root.join(inside)).below(&root);
            let error = store.lock().unwrap_err();
            assert!(matches!(&error, Error::Link { path } if path.ends_with("middle")), "{inside}: {error}");
            assert!(matches!(store.read_session(&session("s")), Ok(None) | Err(Error::Link { .. })), "{inside}");
        }
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
        assert_eq!(fs::read_dir(elsewhere.join("state")).unwrap().count(), 0);

        let link = place.path().join("by-link");
        symlink(&root, &link).unwrap();
        let store = Store::new(link.join("plain/state")).below(&link);
        let mut locked = store.lock().unwrap();
        assert!(locked.notes_below(&link, &link.join("middle")).is_err());
        locked.notes_below(&link, &link.join("notes")).unwrap().put(".note", "a").unwrap();
        assert_eq!(fs::read_to_string(root.join("notes/.note")).unwrap(), "a");
        drop(locked);
        assert!(store.read_session(&session("s")).unwrap().is_none());
        assert!(root.join("plain/state/lock").is_file());
        // A store that does not lie below its root has been put together wrongly.
        assert!(Store::new(elsewhere.join("state")).below(&root).lock().is_err());
        assert!(Store::new(root.join("../elsewhere/state")).below(&root).lock().is_err());
    }

    #[test]
    fn a_link_in_place_of_the_sessions_or_the_lock_is_refused() {
        let home = Home::new();
        let elsewhere = home.beside("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::create_dir(home.path("")).unwrap();
        symlink(&elsewhere, home.path("sessions")).unwrap();
        let mut locked = home.store.lock().unwrap();
        let error = locked.session(&session("s")).unwrap_err();
        assert!(matches!(&error, Error::Link { path } if path.ends_with("sessions")), "{error}");
        assert!(matches!(home.store.read_session(&session("s")).unwrap_err(), Error::Link { .. }));
        assert!(matches!(home.store.sessions().unwrap_err(), Error::Link { .. }));
        drop(locked);
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);

        fs::remove_file(home.path("lock")).unwrap();
        symlink(home.beside("planted"), home.path("lock")).unwrap();
        let error = home.store.lock().unwrap_err();
        assert!(matches!(&error, Error::Link { path } if path.ends_with("lock")), "{error}");
        assert!(!home.beside("planted").exists());
    }

    /// The fault case `log-planted-symlink`: what a link points to stays, and a file takes the link's place.
    #[test]
    fn a_link_in_place_of_a_file_is_replaced_and_its_target_is_untouched() {
        for hard in [false, true] {
            let home = Home::new();
            let id = session("s");
            read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
            read_file(&mut home.store.lock().unwrap(), &id, "one more", "/1");
            home.put("STATUS.txt", "old");
            home.put("handoff.md", "old");
            let victim = home.beside("victim.txt");
            fs::write(&victim, "{\"keep\":true}\n").unwrap();
            let names = ["STATUS.txt", "sessions/s.json", "sessions/s.seen", "project.json", ".tmp", "sessions/.tmp"];
            for name in names {
                let _ = fs::remove_file(home.path(name));
                if hard { fs::hard_link(&victim, home.path(name)) } else { symlink(&victim, home.path(name)) }.unwrap();
            }

            let mut locked = home.store.lock().unwrap();
            locked.write_view("STATUS.txt", "new").unwrap();
            let mut project = locked.project().unwrap().value;
            project.set_section_raw("breaker", "{}").unwrap();
            locked.save_project(&project).unwrap();
            assert!(read_file(&mut locked, &id, "two", "/2"));
            assert_eq!(locked.session(&id).unwrap().damaged, None);
            drop(locked);

            assert_eq!(fs::read_to_string(&victim).unwrap(), "{\"keep\":true}\n");
            assert_eq!(home.read("STATUS.txt"), "new");
            for name in ["STATUS.txt", "sessions/s.json", "sessions/s.seen", "project.json"] {
                let meta = fs::symlink_metadata(home.path(name)).unwrap();
                assert!(meta.is_file() && meta.nlink() == 1, "{name}");
            }
            assert!(!home.names().iter().any(|name| name.contains(".tmp")));
            assert_eq!(home.document(&id).activity().files_read.last(9), ["/2"]);
        }
    }

    /// The same for a file that looks exactly like an empty membership file.
    #[test]
    fn a_membership_file_with_a_second_name_is_not_written_into() {
        let home = Home::new();
        let id = session("s");
        read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
        read_file(&mut home.store.lock().unwrap(), &id, "one more", "/1");
        let victim = home.beside("victim.bin");
        let zeros = vec![0; 8 * 2_048];
        fs::write(&victim, &zeros).unwrap();
        fs::remove_file(home.path("sessions/s.seen")).unwrap();
        fs::hard_link(&victim, home.path("sessions/s.seen")).unwrap();
        assert!(read_file(&mut home.store.lock().unwrap(), &id, "two", "/1"));
        assert_eq!(fs::read(&victim).unwrap(), zeros);
        assert!(!read_file(&mut home.store.lock().unwrap(), &id, "two", "/1"));
        assert_eq!(home.document(&id).activity().files_read.last(9), ["/1"]);
    }

    /// The limit is below the size of the membership file, so hashes stay in the document until there is room again: where the file
    /// is still to begin again, and where it is there and most of it cannot be written.
    #[test]
    fn a_call_is_counted_once_also_while_the_membership_file_cannot_be_written() {
        for (before, blocks) in [1, 2].into_iter().flat_map(|before| [8, 11, 14, 17, 20].map(|blocks| (before, blocks)))
        {
            let home = Home::new();
            let id = session("shared");
            for call in 0..before {
                read_file(&mut home.store.lock().unwrap(), &id, &format!("before {call}"), "/1");
            }
            let child = child::limited(&format!("trap '' XFSZ; ulimit -f {blocks}"), "repeat", home.store.dir(), "p")
                .spawn()
                .unwrap();
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            assert!(home.read("sessions/shared.json").contains("pending"));

            let document = home.document(&id);
            assert_eq!((document.activity().action_count, document.activity().files_read.total()), (20 + before, 21));
            for call in 0..20 {
                assert!(!read_file(&mut home.store.lock().unwrap(), &id, &format!("p-{call}"), "/x"));
            }
            read_file(&mut home.store.lock().unwrap(), &id, "last", "/p-3");
            assert_eq!(home.document(&id).activity().files_read.total(), 21);
            assert_eq!(fs::metadata(home.path("sessions/shared.seen")).unwrap().len(), 8 * 2_048);
        }
    }

    #[test]
    fn a_link_is_never_read_through() {
        let home = Home::new();
        let victim = home.beside("victim.txt");
        fs::write(&victim, "{\"version\":1}").unwrap();
        fs::create_dir_all(home.path("sessions")).unwrap();
        for name in ["sessions/s.json", "project.json", "handoff.md"] {
            symlink(&victim, home.path(name)).unwrap();
        }
        assert!(matches!(home.store.read_session(&session("s")).unwrap_err(), Error::Damaged { .. }));
        assert!(matches!(home.store.read_project().unwrap_err(), Error::Damaged { .. }));
        assert!(home.store.read_view("handoff.md").unwrap().is_none());
    }

    #[test]
    fn a_pipe_or_a_socket_in_place_of_a_file_does_not_hang_anyone() {
        let home = Home::new();
        let id = session("s");
        read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
        for name in ["sessions/s.seen", "project.json", "STATUS.txt", ".tmp"] {
            let _ = fs::remove_file(home.path(name));
            assert!(std::process::Command::new("mkfifo").arg(home.path(name)).status().unwrap().success());
        }
        let _socket = std::os::unix::net::UnixListener::bind(home.path("sessions/t.json")).unwrap();
        let mut locked = home.store.lock().unwrap();
        assert!(home.store.read_view("STATUS.txt").unwrap().is_none());
        locked.write_view("STATUS.txt", "new").unwrap();
        assert!(locked.project().unwrap().damaged.is_some());
        assert!(locked.session(&session("t")).unwrap().damaged.is_some());
        assert!(read_file(&mut locked, &id, "two", "/2"));
        drop(locked);
        assert_eq!(home.document(&id).activity().files_read.last(9), ["/1", "/2"]);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_document_and_no_temporary_file() {
        let home = Home::new();
        let id = session("shared");
        read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
        let before = home.read("sessions/shared.json");
        // 32 blocks of 512 bytes, or of 1024 in some shells, are less than the update wants; the signal is ignored, so the write fails.
        let mut child =
            child::limited("trap '' XFSZ; ulimit -f 32", "too-large", home.store.dir(), "").spawn().unwrap();
        let error = child::wait_for(&mut child, "error ");
        assert!(child.wait().unwrap().success());
        assert!(error.starts_with("write ") && error.contains("shared.json"), "{error}");
        assert_eq!(home.read("sessions/shared.json"), before);
        assert_eq!(home.names(), ["lock", "sessions/shared.json", "sessions/shared.seen"]);
        assert!(read_file(&mut home.store.lock().unwrap(), &id, "two", "/2"));
    }

    /// Without the signal ignored the process dies of it in the middle of the write.
    #[test]
    fn what_a_process_that_died_writing_leaves_goes_with_the_next_update() {
        let home = Home::new();
        let id = session("shared");
        read_file(&mut home.store.lock().unwrap(), &id, "one", "/1");
        let before = home.read("sessions/shared.json");
        let child = child::limited("ulimit -c 0; ulimit -f 32", "too-large", home.store.dir(), "").spawn().unwrap();
        assert!(!child.wait_with_output().unwrap().status.success());
        assert_eq!(home.read("sessions/shared.json"), before);
        assert!(home.names().contains(&"sessions/.tmp".to_owned()));
        assert!(read_file(&mut home.store.lock().unwrap(), &id, "two", "/2"));
        assert_eq!(home.names(), ["lock", "sessions/shared.json", "sessions/shared.seen"]);
        assert_eq!(home.document(&id).activity().files_read.last(9), ["/1", "/2"]);
    }

    /// Only where two names can be exchanged is there an old file to write into.
    #[cfg(not(feature = "portable"))]
    mod reuse {
        use std::io::Read as _;

        use super::{Home, MetadataExt as _, fs, mode, read_file, session, symlink};

        /// Whether this process has the file open once: enough to play the part of a lease where the readers are in this process.
        fn sole(file: &fs::File) -> bool {
            let wanted = file.metadata().unwrap();
            let open = fs::read_dir("/proc/self/fd").unwrap().filter_map(|entry| fs::metadata(entry.ok()?.path()).ok());
            open.filter(|meta| (meta.dev(), meta.ino()) == (wanted.dev(), wanted.ino())).count() == 1
        }

        #[test]
        fn an_update_writes_into_the_file_that_the_last_one_replaced() {
            let home = Home::new();
            let store = home.store.clone().with_reuse(sole);
            let id = session("s");
            let mut inodes = Vec::new();
            for call in 0..6 {
                let mut locked = store.lock().unwrap();
                // Longer and shorter texts by turns: what is left of a longer one must not show.
                locked.write_view("STATUS.txt", "x".repeat(100 - 90 * (call % 2)).as_str()).unwrap();
                assert!(read_file(&mut locked, &id, &format!("call {call}"), &format!("/{call}")));
                drop(locked);
                assert_eq!(home.read("STATUS.txt").len(), 100 - 90 * (call % 2));
                assert_eq!(home.document(&id).activity().action_count, call as u64 + 1);
                inodes.push(fs::metadata(store.session_path(&id)).unwrap().ino());
            }
            assert_eq!(inodes[2], inodes[4]);
            assert_eq!(inodes[3], inodes[5]);
            assert_eq!(
                home.names(),
                [
                    ".STATUS.txt.spare", "STATUS.txt", "lock", "sessions/.s.json.spare", "sessions/s.json",
                    "sessions/s.seen"
                ]
            );
        }

        #[test]
        fn a_file_that_somebody_is_reading_is_never_written_into() {
            let home = Home::new();
            let store = home.store.clone().with_reuse(sole);
            let mut locked = store.lock().unwrap();
            let text = |number: usize| format!("{number}").repeat(10_000);
            let mut readers = Vec::new();
            for number in 0..6 {
                locked.write_view("STATUS.txt", text(number).as_str()).unwrap();
                readers.push(fs::File::open(home.path("STATUS.txt")).unwrap());
            }
            for (number, mut reader) in readers.into_iter().enumerate() {
                let mut found = String::new();
                reader.read_to_string(&mut found).unwrap();
                assert_eq!(found, text(number));
            }
        }

        #[test]
        fn a_planted_spare_file_is_not_written_into() {
            type Plant = fn(&std::path::Path, &std::path::Path);
            let plants: [Plant; 4] = [
                |victim, spare| symlink(victim, spare).unwrap(),
                |victim, spare| fs::hard_link(victim, spare).unwrap(),
                // Readable by others, so not one that this store made.
                |_, spare| fs::write(spare, "planted").unwrap(),
                |_, spare| fs::create_dir(spare).unwrap(),
            ];
            for plant in plants {
                let home = Home::new();
                let store = home.store.clone().with_reuse(sole);
                let victim = home.beside("victim.txt");
                fs::write(&victim, "keep").unwrap();
                let mut locked = store.lock().unwrap();
                plant(&victim, &home.path(".STATUS.txt.spare"));
                for number in 0..3 {
                    locked.write_view("STATUS.txt", format!("text {number}").as_str()).unwrap();
                    assert_eq!(home.read("STATUS.txt"), format!("text {number}"));
                    assert_eq!(mode(&home.path("STATUS.txt")), 0o600);
                }
                assert_eq!(fs::read_to_string(&victim).unwrap(), "keep");
                assert!(fs::symlink_metadata(home.path("STATUS.txt")).unwrap().is_file());
            }
        }
    }
}
