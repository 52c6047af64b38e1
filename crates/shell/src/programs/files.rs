//! Files and folders: listing, moving, removing, marking, comparing, summing.

use super::Trait::{Destructive, Followed, HandsOn, NeverApproved, Reader, Replaces, Silent, System};
use super::reads::{Way, but, few, only, without};
use super::writes::{FORMATTER, WRITES, Writes, Written};
use super::{PROGRAM, Program, traits};

// Tests that act: everything else about `find` only looks.
pub(super) const FIND_READS: Way = without(&["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fls"]);

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: &["ls"], is: traits(&[Silent, Reader, System]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &[
            "dir", "stat", "du", "basename", "dirname", "readlink", "realpath", "md5sum", "sha1sum", "sha256sum",
            "sha512sum", "shasum", "cksum", "namei", "lsattr", "getfacl",
        ],
        is: traits(&[Silent, Reader]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["vdir", "pwd", "pushd", "popd", "dirs", "sha224sum", "sha384sum", "pathchk", "mdls"],
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["cd"], is: traits(&[Silent]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["df", "diff", "diff3", "cmp", "md5", "b2sum", "sum", "tokei", "colordiff"],
        is: traits(&[Reader]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["lsof"], is: traits(&[Reader]), reads: &[but(&["-D"])], ..PROGRAM },
    Program {
        names: &["cloc"],
        reads: &[only(&[
            "--json", "--csv", "--md", "--yaml", "--by-file", "--quiet", "--exclude-dir=", "--include-lang=",
        ])],
        ..PROGRAM
    },
    Program { names: &["tree"], is: traits(&[Silent]), reads: &[but(&["-o", "-R"])], ..PROGRAM },
    Program {
        names: &["file"],
        is: traits(&[Silent, Reader]),
        reads: &[but(&["-C", "--compile", "-z", "--uncompress", "-Z"])],
        ..PROGRAM
    },
    Program {
        names: &["find"],
        is: traits(&[Silent, Destructive, Followed, HandsOn, System]),
        reads: &[FIND_READS],
        ..PROGRAM
    },
    Program { names: &["gfind"], is: traits(&[Followed]), reads: &[FIND_READS], ..PROGRAM },
    Program {
        names: &["fd"],
        is: traits(&[Silent, Followed]),
        reads: &[but(&["-x", "--exec", "-X", "--exec-batch"])],
        ..PROGRAM
    },
    Program {
        names: &["fdfind"],
        is: traits(&[Followed]),
        reads: &[but(&["-x", "--exec", "-X", "--exec-batch"])],
        ..PROGRAM
    },
    Program { names: &["locate"], is: traits(&[Silent, Reader]), reads: &[but(&["-S"])], ..PROGRAM },
    Program { names: &["mdfind"], reads: &[but(&["-S"])], ..PROGRAM },
    Program {
        names: &["base64", "base32"],
        is: traits(&[Followed]),
        reads: &[but(&["-o", "--output"])],
        writes: Some(&Writes { values: &["-o", "-i", "-w"], files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["basenc"], reads: &[but(&["-o", "--output"])], ..PROGRAM },
    Program {
        names: &["xxd"],
        reads: &[few(
            &["-b", "-c=", "-g=", "-l=", "-s=", "-o=", "-p", "-u", "-i", "-e", "-a", "-E", "-C", "-h", "--help"],
            1,
        )],
        writes: Some(&Writes { values: &["-c", "-g", "-l", "-s", "-o", "-n"], operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["ll", "exa", "eza", "lsd", "diffstat", "fswatch"], is: traits(&[Silent, Reader]), ..PROGRAM },
    Program {
        names: &["touch"],
        is: traits(&[Silent, Followed]),
        writes: Some(&Writes {
            values: &["-d", "-t", "-r", "-n", "-v", "-x", "-u", "-l", "-o", "--reference", "--date"],
            operands: Written::Marks,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program { names: &["mkdir"], is: traits(&[Silent, System]), ..PROGRAM },
    Program {
        names: &["rmdir"],
        is: traits(&[Silent, Followed, NeverApproved]),
        writes: Some(&Writes {
            values: &["-d", "-t", "-r", "-n", "-v", "-x", "-u", "-l", "-o", "--reference", "--date"],
            operands: Written::Marks,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["rm"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System, NeverApproved]),
        ..PROGRAM
    },
    Program {
        names: &["unlink", "tee", "shred", "truncate"],
        is: traits(&[Silent, Destructive, Followed, Replaces]),
        ..PROGRAM
    },
    Program {
        names: &["chmod", "mv", "cp"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System]),
        ..PROGRAM
    },
    Program { names: &["chown"], is: traits(&[Silent, Destructive, Followed, System, NeverApproved]), ..PROGRAM },
    Program { names: &["chgrp"], is: traits(&[Silent, Followed, NeverApproved]), ..PROGRAM },
    Program { names: &["ln"], is: traits(&[Silent, Followed, Replaces, System]), ..PROGRAM },
    Program { names: &["install", "trash", "trash-put"], is: traits(&[Silent, Followed, Replaces]), ..PROGRAM },
    Program { names: &["rsync"], is: traits(&[Silent, NeverApproved]), lines: &["--rsync-path"], ..PROGRAM },
    Program { names: &["chattr", "setfacl"], is: traits(&[Silent, Followed]), ..PROGRAM },
    Program { names: &["inotifywait", "restorecon"], is: traits(&[Silent]), ..PROGRAM },
    Program {
        names: &["chcon"],
        is: traits(&[Silent]),
        writes: Some(&Writes {
            values: &["-d", "-t", "-r", "-n", "-v", "-x", "-u", "-l", "-o", "--reference", "--date"],
            operands: Written::Marks,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program { names: &["dd"], is: traits(&[Destructive, Followed, Replaces, NeverApproved]), ..PROGRAM },
    Program {
        names: &["b3sum", "bsdiff", "delta", "difft", "fuser", "hexyl", "icdiff", "wdiff"],
        is: traits(&[Reader]),
        ..PROGRAM
    },
    Program {
        names: &["bfs", "ditto", "link", "rip", "rm-improved", "sdelete", "symlink"],
        is: traits(&[Followed]),
        ..PROGRAM
    },
    Program {
        names: &["del", "del-cli", "gcp", "gmv", "grm", "rename", "rimraf", "rmtrash", "srm", "wipe"],
        is: traits(&[Followed, Replaces]),
        ..PROGRAM
    },
    Program { names: &["sponge"], is: traits(&[Followed, Replaces]), writes: Some(&FORMATTER), ..PROGRAM },
    Program { names: &["gio"], is: traits(&[Replaces]), ..PROGRAM },
    Program {
        names: &["patch"],
        writes: Some(&Writes {
            values: &["-i", "--input", "-p", "--strip", "-o", "--output", "-r", "--reject-file", "-d", "--directory"],
            files: &["-o", "--output", "-r", "--reject-file"],
            folders: &["-d", "--directory"],
            unless: &["--dry-run"],
            operands: Written::First,
            here: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["split"],
        writes: Some(&Writes {
            values: &["-a", "-b", "-C", "-l", "-n", "-t", "--bytes", "--lines", "--number", "--suffix-length"],
            operands: Written::Prefix,
            ..WRITES
        }),
        lines: &["--filter"],
        ..PROGRAM
    },
    Program {
        names: &["gsplit"],
        writes: Some(&Writes {
            values: &["-a", "-b", "-C", "-l", "-n", "-t", "--bytes", "--lines", "--number", "--suffix-length"],
            operands: Written::Prefix,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["csplit"],
        writes: Some(&Writes {
            values: &["-f", "--prefix", "-b", "-n"],
            files: &["-f", "--prefix"],
            operands: Written::No,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["uuencode", "uudecode"],
        writes: Some(&Writes { values: &["-o", "-i", "-w"], files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["mkfifo", "mknod", "setfattr", "fallocate", "chflags", "xattr"],
        writes: Some(&Writes {
            values: &["-d", "-t", "-r", "-n", "-v", "-x", "-u", "-l", "-o", "--reference", "--date"],
            operands: Written::Marks,
            ..WRITES
        }),
        ..PROGRAM
    },
];
