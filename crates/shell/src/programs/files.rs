//! Files and folders: listing, moving, removing, marking, comparing, summing.

use super::Trait::{Destructive, Followed, HandsOn, NeverApproved, Plain, Reader, Replaces, Seeks, Silent, System};
use super::reads::{Way, but, few, only, without};
use super::writes::{FORMATTER, MARKS, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

// Tests that act: everything else about `find` only looks.
pub(super) const FIND_READS: Way = without(&["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fls"]);

/// Options of `fd` that have a value.
const FD: Grammar<'_> = Grammar::gnu(&[
    "-e", "--extension", "-E", "--exclude", "-t", "--type", "-d", "--max-depth", "--min-depth", "--exact-depth", "-c",
    "--color", "-S", "--size", "--changed-within", "--changed-before", "--newer", "--older", "-o", "--owner", "-j",
    "--threads", "--ignore-file", "--base-directory", "--path-separator", "--search-path", "--max-results",
    "--batch-size", "--format",
]);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["ls"],
        is: traits(&[Silent, Reader, System]),
        tool: Tool::Ls,
        options: Grammar::gnu(&[
            "-I", "--ignore", "-w", "--width", "-T", "--tabsize", "--hide", "--block-size", "--format", "--sort",
            "--time", "--time-style", "--indicator-style", "--quoting-style",
        ]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["dir", "md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "cksum", "namei", "lsattr", "getfacl"],
        is: traits(&[Silent, Reader]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["vdir", "dirs", "sha224sum", "sha384sum", "pathchk", "mdls"], reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["cd", "chdir"], is: traits(&[Silent, Plain]), tool: Tool::Cd, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["pwd"], is: traits(&[Plain]), tool: Tool::Pwd, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["pushd"], tool: Tool::Pushd, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["popd"], tool: Tool::Popd, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["stat"], is: traits(&[Silent, Reader]), tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["du"],
        is: traits(&[Silent, Reader]),
        tool: Tool::Du,
        options: Grammar {
            table: &["--time[=]"],
            ..Grammar::gnu(&[
                "-d", "--max-depth", "-t", "--threshold", "-B", "--block-size", "-I", "--exclude", "-X",
                "--exclude-from", "--files0-from",
            ])
        },
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["df"], is: traits(&[Reader]), tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["basename"],
        is: traits(&[Silent, Reader]),
        tool: Tool::Basename,
        options: Grammar::gnu(&["-s", "--suffix"]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["dirname"], is: traits(&[Silent, Reader]), tool: Tool::Dirname, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["readlink", "realpath"],
        is: traits(&[Silent, Reader]),
        tool: Tool::Realpath,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["diff", "diff3", "cmp", "md5", "b2sum", "sum", "tokei", "colordiff"],
        is: traits(&[Reader]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["lsof"], is: traits(&[Reader, Seeks]), reads: &[but(&["-D"])], ..PROGRAM },
    Program {
        names: &["cloc"],
        tool: Tool::Watchers,
        reads: &[only(&[
            "--json", "--csv", "--md", "--yaml", "--by-file", "--quiet", "--exclude-dir=", "--include-lang=",
        ])],
        ..PROGRAM
    },
    Program {
        names: &["tree"],
        is: traits(&[Silent]),
        tool: Tool::Tree,
        options: Grammar::gnu(&[
            "-L", "-I", "-P", "-o", "-H", "-T", "--filelimit", "--charset", "--timefmt", "--gitfile", "--infofile",
        ]),
        reads: &[but(&["-o", "-R"])],
        ..PROGRAM
    },
    Program {
        names: &["file"],
        is: traits(&[Silent, Reader]),
        tool: Tool::ReadsBinaries,
        reads: &[but(&["-C", "--compile", "-z", "--uncompress", "-Z"])],
        ..PROGRAM
    },
    Program {
        names: &["find", "gfind", "bfs"],
        is: traits(&[Silent, Destructive, Followed, HandsOn, System]),
        tool: Tool::Find,
        reads: &[FIND_READS],
        ..PROGRAM
    },
    Program {
        names: &["fd"],
        is: traits(&[Silent, Followed]),
        tool: Tool::Fd,
        options: FD,
        reads: &[but(&["-x", "--exec", "-X", "--exec-batch"])],
        ..PROGRAM
    },
    Program {
        names: &["fdfind"],
        is: traits(&[Followed]),
        tool: Tool::Fdfind,
        options: FD,
        reads: &[but(&["-x", "--exec", "-X", "--exec-batch"])],
        ..PROGRAM
    },
    Program {
        names: &["locate", "plocate", "mlocate"],
        is: traits(&[Silent, Reader]),
        tool: Tool::Locate,
        reads: &[but(&["-S"])],
        ..PROGRAM
    },
    Program { names: &["mdfind"], tool: Tool::Locate, reads: &[but(&["-S"])], ..PROGRAM },
    Program {
        names: &["base64"],
        is: traits(&[Followed]),
        tool: Tool::Base64,
        options: Grammar::gnu(&["-w", "--wrap", "-i", "--input", "-o", "--output", "-b", "--break"]),
        reads: &[but(&["-o", "--output"])],
        writes: Some(&Writes { files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["base32"],
        is: traits(&[Followed]),
        tool: Tool::Base32,
        options: Grammar::gnu(&["-w", "--wrap", "-i", "--input", "-o", "--output", "-b", "--break"]),
        reads: &[but(&["-o", "--output"])],
        writes: Some(&Writes { files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["basenc"], reads: &[but(&["-o", "--output"])], ..PROGRAM },
    Program {
        names: &["xxd"],
        tool: Tool::Xxd,
        options: Grammar::gnu(&[
            "-c", "-cols", "-g", "-groupsize", "-l", "-len", "-s", "-seek", "-skip", "-o", "-n", "-name", "-R",
        ]),
        reads: &[few(
            &["-b", "-c=", "-g=", "-l=", "-s=", "-o=", "-p", "-u", "-i", "-e", "-a", "-E", "-C", "-h", "--help"],
            1,
        )],
        writes: Some(&Writes { operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["ll", "exa", "eza", "lsd", "diffstat", "fswatch"], is: traits(&[Silent, Reader]), ..PROGRAM },
    Program {
        names: &["touch"],
        is: traits(&[Silent, Followed]),
        tool: Tool::Touch,
        options: Grammar::gnu(&["-d", "--date", "-t", "-r", "--reference", "--time", "-A"]),
        writes: Some(&MARKS),
        ..PROGRAM
    },
    Program { names: &["mkdir"], is: traits(&[Silent, System]), tool: Tool::Mkdir, ..PROGRAM },
    Program {
        names: &["rmdir"],
        is: traits(&[Silent, Followed, NeverApproved]),
        tool: Tool::Rmdir,
        writes: Some(&MARKS),
        ..PROGRAM
    },
    Program {
        names: &["rm", "grm"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System, NeverApproved]),
        tool: Tool::Remove,
        ..PROGRAM
    },
    Program {
        names: &["unlink"],
        is: traits(&[Silent, Destructive, Followed, Replaces]),
        tool: Tool::Unlink,
        ..PROGRAM
    },
    Program {
        names: &["chmod"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System]),
        tool: Tool::Chmod,
        options: Grammar::gnu(&["--reference"]),
        ..PROGRAM
    },
    Program {
        names: &["chown"],
        is: traits(&[Silent, Destructive, Followed, System, NeverApproved]),
        tool: Tool::Chown,
        options: Grammar::gnu(&["--reference", "--from"]),
        ..PROGRAM
    },
    Program {
        names: &["chgrp"],
        is: traits(&[Silent, Followed, NeverApproved]),
        tool: Tool::Chgrp,
        options: Grammar::gnu(&["--reference", "--from"]),
        ..PROGRAM
    },
    Program {
        names: &["mv", "gmv"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System]),
        tool: Tool::Move,
        options: Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix"]),
        ..PROGRAM
    },
    Program {
        names: &["cp", "gcp"],
        is: traits(&[Silent, Destructive, Followed, Replaces, System]),
        tool: Tool::Copy,
        options: Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix", "--sparse", "--no-preserve"]),
        ..PROGRAM
    },
    Program {
        names: &["ln", "link", "symlink"],
        is: traits(&[Silent, Followed, Replaces, System]),
        tool: Tool::Link,
        options: Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix"]),
        ..PROGRAM
    },
    Program {
        names: &["install"],
        is: traits(&[Silent, Followed, Replaces]),
        tool: Tool::Install,
        options: Grammar::gnu(&[
            "-t", "--target-directory", "-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group",
            "--strip-program",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["rsync"],
        is: traits(&[Silent, NeverApproved]),
        tool: Tool::Rsync,
        options: Grammar::spelled(&[
            "-e", "--rsh", "--rsync-path", "-f", "--filter", "--exclude", "--include", "--exclude-from",
            "--include-from", "--files-from", "-T", "--temp-dir", "--compare-dest", "--copy-dest", "--link-dest", "-B",
            "--block-size", "--password-file", "--log-file", "--out-format", "--bwlimit", "--port", "--chmod",
            "--chown", "--timeout", "-M", "--remote-option", "--backup-dir", "--suffix", "--max-delete", "--max-size",
            "--min-size", "--partial-dir", "--info", "--compress-level", "--write-batch", "--only-write-batch",
            "--read-batch",
        ]),
        lines: &["--rsync-path"],
        ..PROGRAM
    },
    Program {
        names: &["chattr"],
        is: traits(&[Silent, Followed]),
        tool: Tool::Chattr,
        options: Grammar::gnu(&["-p", "-v"]),
        ..PROGRAM
    },
    Program {
        names: &["setfacl"],
        is: traits(&[Silent, Followed]),
        tool: Tool::Setfacl,
        options: Grammar::gnu(&[
            "-m", "--modify", "-M", "--modify-file", "-x", "--remove", "-X", "--remove-file", "--set", "--set-file",
            "--restore",
        ]),
        ..PROGRAM
    },
    Program { names: &["tee"], is: traits(&[Silent, Destructive, Followed, Replaces]), tool: Tool::Tee, ..PROGRAM },
    Program {
        names: &["trash", "trash-put", "rip", "rm-improved", "rmtrash"],
        is: traits(&[Silent, Followed, Replaces]),
        tool: Tool::Trash,
        ..PROGRAM
    },
    Program {
        names: &["shred"],
        is: traits(&[Silent, Destructive, Followed, Replaces]),
        tool: Tool::Shred,
        options: Grammar::gnu(&["-n", "--iterations", "-s", "--size", "--random-source"]),
        ..PROGRAM
    },
    Program {
        names: &["truncate"],
        is: traits(&[Silent, Destructive, Followed, Replaces]),
        tool: Tool::Truncate,
        options: Grammar::gnu(&["-s", "--size", "-r", "--reference"]),
        ..PROGRAM
    },
    Program { names: &["inotifywait"], is: traits(&[Silent]), tool: Tool::Watchers, ..PROGRAM },
    Program { names: &["restorecon"], is: traits(&[Silent]), ..PROGRAM },
    Program {
        names: &["chcon"],
        is: traits(&[Silent]),
        options: Grammar::gnu(&["-t", "--type", "-u", "--user", "-r", "--role", "-l", "--range", "--reference"]),
        writes: Some(&MARKS),
        ..PROGRAM
    },
    Program {
        names: &["dd"],
        is: traits(&[Destructive, Followed, Replaces, NeverApproved]),
        tool: Tool::Dd,
        ..PROGRAM
    },
    Program {
        names: &["b3sum", "bsdiff", "delta", "difft", "hexyl", "icdiff", "wdiff"],
        is: traits(&[Reader]),
        ..PROGRAM
    },
    Program { names: &["fuser"], is: traits(&[Reader, Seeks]), tool: Tool::Fuser, ..PROGRAM },
    Program { names: &["del"], is: traits(&[Followed, Replaces]), tool: Tool::Del, ..PROGRAM },
    Program { names: &["del-cli", "rimraf"], is: traits(&[Followed, Replaces]), tool: Tool::Rimraf, ..PROGRAM },
    Program {
        names: &["ditto"],
        is: traits(&[Followed]),
        tool: Tool::Ditto,
        options: Grammar::spelled(&["--arch", "--bom", "--zlibCompressionLevel"]),
        ..PROGRAM
    },
    Program {
        names: &["rename"],
        is: traits(&[Followed, Replaces]),
        tool: Tool::Move,
        options: Grammar::gnu(&["-e", "-E"]),
        ..PROGRAM
    },
    Program { names: &["srm"], is: traits(&[Followed, Replaces]), tool: Tool::Remove, ..PROGRAM },
    Program {
        names: &["sdelete"],
        is: traits(&[Followed]),
        tool: Tool::Shred,
        options: Grammar::gnu(&["-p"]),
        ..PROGRAM
    },
    Program {
        names: &["sponge"],
        is: traits(&[Followed, Replaces]),
        tool: Tool::Tee,
        writes: Some(&FORMATTER),
        ..PROGRAM
    },
    Program {
        names: &["wipe"],
        is: traits(&[Followed, Replaces]),
        tool: Tool::Shred,
        options: Grammar::gnu(&["-b", "-l", "-o", "-P", "-Q", "-R", "-S", "-T"]),
        ..PROGRAM
    },
    Program { names: &["gio", "gvfs-trash"], is: traits(&[Replaces]), tool: Tool::Gio, ..PROGRAM },
    Program {
        names: &["patch"],
        tool: Tool::Patch,
        options: Grammar::gnu(&[
            "-i", "--input", "-p", "--strip", "-o", "--output", "-r", "--reject-file", "-d", "--directory", "-D", "-F",
            "--fuzz", "-g", "-B", "-V", "-Y", "-z",
        ]),
        writes: Some(&Writes {
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
        names: &["split", "gsplit"],
        tool: Tool::Split,
        options: Grammar {
            table: &["--numeric-suffixes[=]", "--hex-suffixes[=]"],
            ..Grammar::gnu(&[
                "-a", "-b", "-C", "-l", "-n", "-t", "--bytes", "--lines", "--line-bytes", "--number",
                "--suffix-length", "--separator", "--additional-suffix", "--filter",
            ])
        },
        writes: Some(&Writes { operands: Written::Prefix, ..WRITES }),
        lines: &["--filter"],
        ..PROGRAM
    },
    Program {
        names: &["csplit"],
        options: Grammar::gnu(&["-f", "--prefix", "-b", "--suffix-format", "-n", "--digits"]),
        writes: Some(&Writes { files: &["-f", "--prefix"], operands: Written::No, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["uuencode"],
        options: Grammar::gnu(&["-o"]),
        writes: Some(&Writes { files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["uudecode"],
        tool: Tool::Gunzip,
        options: Grammar::gnu(&["-o"]),
        writes: Some(&Writes { files: &["-o"], ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["mkfifo", "mknod"], options: Grammar::gnu(&["-m", "--mode"]), writes: Some(&MARKS), ..PROGRAM },
    Program {
        names: &["setfattr"],
        options: Grammar::gnu(&["-n", "--name", "-v", "--value", "-x", "--remove", "--restore"]),
        writes: Some(&MARKS),
        ..PROGRAM
    },
    Program {
        names: &["fallocate"],
        options: Grammar::gnu(&["-l", "--length", "-o", "--offset"]),
        writes: Some(&MARKS),
        ..PROGRAM
    },
    Program { names: &["chflags", "xattr"], writes: Some(&MARKS), ..PROGRAM },
    Program { names: &["scc", "sdiff"], tool: Tool::Watchers, ..PROGRAM },
    Program {
        names: &["mktemp"],
        tool: Tool::Mktemp,
        options: Grammar { table: &["--tmpdir[=]"], ..Grammar::gnu(&["-p", "--suffix"]) },
        ..PROGRAM
    },
    Program { names: &["red"], tool: Tool::Red, ..PROGRAM },
    Program { names: &["icacls"], tool: Tool::Icacls, ..PROGRAM },
    Program { names: &["takeown"], tool: Tool::Takeown, ..PROGRAM },
    Program { names: &["blkdiscard"], tool: Tool::Partitions, ..PROGRAM },
    Program { names: &["badblocks"], tool: Tool::Badblocks, ..PROGRAM },
    Program { names: &["dc3dd"], tool: Tool::Dc3dd, ..PROGRAM },
    Program { names: &["hdparm"], tool: Tool::Hdparm, ..PROGRAM },
    Program { names: &["nvme"], tool: Tool::Nvme, ..PROGRAM },
    Program { names: &["nwipe"], tool: Tool::Nwipe, ..PROGRAM },
    Program {
        names: &["scrub"],
        tool: Tool::Scrub,
        options: Grammar::gnu(&["-p", "--pattern", "-b", "--blocksize", "-s", "--device-size", "-D", "--dirent"]),
        ..PROGRAM
    },
    Program { names: &["robocopy", "xcopy"], tool: Tool::Robocopy, ..PROGRAM },
];
