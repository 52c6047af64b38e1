//! Files and directories: listing, moving, removing, marking, comparing, summing.

use super::Trait::{Destructive, Followed, HandsOn, NeverApproved, Plain, Reader, Replaces, Seeks, Silent, System};
use super::reads::{Way, but, few, only, without};
use super::writes::{FORMATTER, MARKS, WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Options of `fd` that have a value.
const FD: Grammar<'_> = Grammar::gnu(&[
    "-e", "--extension", "-E", "--exclude", "-t", "--type", "-d", "--max-depth", "--min-depth", "--exact-depth", "-c",
    "--color", "-S", "--size", "--changed-within", "--changed-before", "--newer", "--older", "-o", "--owner", "-j",
    "--threads", "--ignore-file", "--base-directory", "--path-separator", "--search-path", "--max-results",
    "--batch-size", "--format",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["ls"])
        .is(&[Silent, Reader, System])
        .tool(Tool::Ls)
        .options(Grammar::gnu(&[
            "-I", "--ignore", "-w", "--width", "-T", "--tabsize", "--hide", "--block-size", "--format", "--sort",
            "--time", "--time-style", "--indicator-style", "--quoting-style",
        ]))
        .reads(&[Way::ANY]),
    &row(&["dir", "md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "cksum", "namei", "lsattr", "getfacl"])
        .is(&[Silent, Reader])
        .reads(&[Way::ANY]),
    &row(&["vdir", "dirs", "sha224sum", "sha384sum", "pathchk", "mdls"]).reads(&[Way::ANY]),
    &row(&["cd", "chdir"]).is(&[Silent, Plain]).tool(Tool::Cd).reads(&[Way::ANY]),
    &row(&["pwd"]).is(&[Plain]).tool(Tool::Pwd).reads(&[Way::ANY]),
    &row(&["pushd"]).tool(Tool::Pushd).reads(&[Way::ANY]),
    &row(&["popd"]).tool(Tool::Popd).reads(&[Way::ANY]),
    &row(&["stat"]).is(&[Silent, Reader]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["du"])
        .is(&[Silent, Reader])
        .tool(Tool::Du)
        .options(Grammar {
            table: &["--time[=]"],
            ..Grammar::gnu(&[
                "-d", "--max-depth", "-t", "--threshold", "-B", "--block-size", "-I", "--exclude", "-X",
                "--exclude-from", "--files0-from",
            ])
        })
        .reads(&[Way::ANY]),
    &row(&["df"]).is(&[Reader]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["basename"])
        .is(&[Silent, Reader])
        .tool(Tool::Basename)
        .options(Grammar::gnu(&["-s", "--suffix"]))
        .reads(&[Way::ANY]),
    &row(&["dirname"]).is(&[Silent, Reader]).tool(Tool::Dirname).reads(&[Way::ANY]),
    &row(&["readlink", "realpath"]).is(&[Silent, Reader]).tool(Tool::Realpath).reads(&[Way::ANY]),
    &row(&["diff", "diff3", "cmp", "md5", "b2sum", "sum", "tokei", "colordiff"]).is(&[Reader]).reads(&[Way::ANY]),
    // How full disks are, and what scanners find.
    &row(&[
        "dust", "ncdu", "erd", "erdtree", "broot", "duf", "gdu", "dua", "pdu", "dutree", "baobab", "filelight",
        "trivy", "syft", "grype", "lynis", "rkhunter", "chkrootkit", "aide", "tripwire", "clamscan", "clamdscan",
        "debsums", "ctags", "fselect", "sysdig",
    ])
    .is(&[Reader]),
    &row(&["lsof"]).is(&[Reader, Seeks]).tool(Tool::Lsof).reads(&[but(&["-D"])]),
    &row(&["cloc"]).tool(Tool::Watchers).reads(&[only(&[
        "--json", "--csv", "--md", "--yaml", "--by-file", "--quiet", "--exclude-dir=", "--include-lang=",
    ])]),
    &row(&["tree"])
        .is(&[Silent])
        .tool(Tool::Tree)
        .options(Grammar::gnu(&[
            "-L", "-I", "-P", "-o", "-H", "-T", "--filelimit", "--charset", "--timefmt", "--gitfile", "--infofile",
        ]))
        .reads(&[but(&["-o", "-R"])]),
    &row(&["file"])
        .is(&[Silent, Reader])
        .tool(Tool::ReadsBinaries)
        .reads(&[but(&["-C", "--compile", "-z", "--uncompress", "-Z"])]),
    &row(&["find", "gfind", "bfs"]).is(&[Silent, Destructive, Followed, HandsOn, System]).tool(Tool::Find).reads(&[
        // Tests that act: everything else about `find` only looks.
        without(&["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fls"]),
    ]),
    &row(&["fd"])
        .is(&[Silent, Followed])
        .tool(Tool::Fd)
        .options(FD)
        .reads(&[but(&["-x", "--exec", "-X", "--exec-batch"])]),
    &row(&["fdfind"])
        .is(&[Followed])
        .tool(Tool::Fdfind)
        .options(FD)
        .reads(&[but(&["-x", "--exec", "-X", "--exec-batch"])]),
    &row(&["locate", "plocate", "mlocate"]).is(&[Silent, Reader]).tool(Tool::Locate).reads(&[but(&["-S"])]),
    &row(&["mdfind"]).tool(Tool::Locate).reads(&[but(&["-S"])]),
    &row(&["base64"])
        .is(&[Followed])
        .tool(Tool::Base64)
        .options(Grammar::gnu(&["-w", "--wrap", "-i", "--input", "-o", "--output", "-b", "--break"]))
        .reads(&[but(&["-o", "--output"])])
        .writes(&Writes { files: &["-o"], ..WRITES }),
    &row(&["base32"])
        .is(&[Followed])
        .tool(Tool::Base32)
        .options(Grammar::gnu(&["-w", "--wrap", "-i", "--input", "-o", "--output", "-b", "--break"]))
        .reads(&[but(&["-o", "--output"])])
        .writes(&Writes { files: &["-o"], ..WRITES }),
    &row(&["basenc"]).reads(&[but(&["-o", "--output"])]),
    &row(&["xxd"])
        .tool(Tool::Xxd)
        .options(Grammar::gnu(&[
            "-c", "-cols", "-g", "-groupsize", "-l", "-len", "-s", "-seek", "-skip", "-o", "-n", "-name", "-R",
        ]))
        .reads(&[few(
            &["-b", "-c=", "-g=", "-l=", "-s=", "-o=", "-p", "-u", "-i", "-e", "-a", "-E", "-C", "-h", "--help"],
            1,
        )])
        .writes(&Writes { operands: Written::Second, ..WRITES }),
    &row(&["ll", "exa", "eza", "lsd", "diffstat", "fswatch"]).is(&[Silent, Reader]),
    &row(&["touch"])
        .is(&[Silent, Followed])
        .tool(Tool::Touch)
        .options(Grammar::gnu(&["-d", "--date", "-t", "-r", "--reference", "--time", "-A"]))
        .writes(&MARKS),
    &row(&["mkdir"]).is(&[Silent, System]).tool(Tool::Mkdir),
    &row(&["rmdir"]).is(&[Silent, Followed, NeverApproved]).tool(Tool::Rmdir).writes(&MARKS),
    &row(&["rm", "grm"]).is(&[Silent, Destructive, Followed, Replaces, System, NeverApproved]).tool(Tool::Remove),
    &row(&["unlink"]).is(&[Silent, Destructive, Followed, Replaces]).tool(Tool::Unlink),
    &row(&["chmod"])
        .is(&[Silent, Destructive, Followed, Replaces, System])
        .tool(Tool::Chmod)
        .options(Grammar::gnu(&["--reference"])),
    &row(&["chown"])
        .is(&[Silent, Destructive, Followed, System, NeverApproved])
        .tool(Tool::Chown)
        .options(Grammar::gnu(&["--reference", "--from"])),
    &row(&["chgrp"])
        .is(&[Silent, Followed, NeverApproved])
        .tool(Tool::Chgrp)
        .options(Grammar::gnu(&["--reference", "--from"])),
    &row(&["mv", "gmv"])
        .is(&[Silent, Destructive, Followed, Replaces, System])
        .tool(Tool::Move)
        .options(Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix"])),
    &row(&["cp", "gcp"])
        .is(&[Silent, Destructive, Followed, Replaces, System])
        .tool(Tool::Copy)
        .options(Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix", "--sparse", "--no-preserve"])),
    &row(&["ln", "link", "symlink"])
        .is(&[Silent, Followed, Replaces, System])
        .tool(Tool::Link)
        .options(Grammar::gnu(&["-t", "--target-directory", "-S", "--suffix"])),
    &row(&["install"]).is(&[Silent, Followed, Replaces]).tool(Tool::Install).options(Grammar::gnu(&[
        "-t", "--target-directory", "-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group",
        "--strip-program",
    ])),
    &row(&["rsync"])
        .is(&[Silent, NeverApproved])
        .tool(Tool::Rsync)
        .options(Grammar::spelled(&[
            "-e", "--rsh", "--rsync-path", "-f", "--filter", "--exclude", "--include", "--exclude-from",
            "--include-from", "--files-from", "-T", "--temp-dir", "--compare-dest", "--copy-dest", "--link-dest", "-B",
            "--block-size", "--password-file", "--log-file", "--out-format", "--bwlimit", "--port", "--chmod",
            "--chown", "--timeout", "-M", "--remote-option", "--backup-dir", "--suffix", "--max-delete", "--max-size",
            "--min-size", "--partial-dir", "--info", "--compress-level", "--write-batch", "--only-write-batch",
            "--read-batch",
        ]))
        .lines(&["--rsync-path"]),
    &row(&["chattr"]).is(&[Silent, Followed]).tool(Tool::Chattr).options(Grammar::gnu(&["-p", "-v"])),
    &row(&["setfacl"]).is(&[Silent, Followed]).tool(Tool::Setfacl).options(Grammar::gnu(&[
        "-m", "--modify", "-M", "--modify-file", "-x", "--remove", "-X", "--remove-file", "--set", "--set-file",
        "--restore",
    ])),
    &row(&["tee"]).is(&[Silent, Destructive, Followed, Replaces]).tool(Tool::Tee),
    &row(&["trash-empty"]).is(&[Silent]).tool(Tool::TrashEmpty),
    &row(&["trash", "trash-put", "rip", "rm-improved", "rmtrash"]).is(&[Silent, Followed, Replaces]).tool(Tool::Trash),
    &row(&["shred"])
        .is(&[Silent, Destructive, Followed, Replaces])
        .tool(Tool::Shred)
        .options(Grammar::gnu(&["-n", "--iterations", "-s", "--size", "--random-source"])),
    &row(&["truncate"])
        .is(&[Silent, Destructive, Followed, Replaces])
        .tool(Tool::Truncate)
        .options(Grammar::gnu(&["-s", "--size", "-r", "--reference"])),
    &row(&["inotifywait"]).is(&[Silent]).tool(Tool::Watchers),
    &row(&["restorecon"]).is(&[Silent]),
    &row(&["chcon"])
        .is(&[Silent])
        .options(Grammar::gnu(&["-t", "--type", "-u", "--user", "-r", "--role", "-l", "--range", "--reference"]))
        .writes(&MARKS),
    &row(&["dd"]).is(&[Destructive, Followed, Replaces, NeverApproved]).tool(Tool::Dd),
    &row(&["b3sum", "bsdiff", "delta", "difft", "hexyl", "icdiff", "wdiff"]).is(&[Reader]),
    &row(&["fuser"]).is(&[Reader, Seeks]).tool(Tool::Fuser),
    &row(&["del"]).is(&[Followed, Replaces]).tool(Tool::Del),
    &row(&["del-cli", "rimraf"]).is(&[Followed, Replaces]).tool(Tool::Rimraf),
    &row(&["ditto"])
        .is(&[Followed])
        .tool(Tool::Ditto)
        .options(Grammar::spelled(&["--arch", "--bom", "--zlibCompressionLevel"])),
    &row(&["rename"]).is(&[Followed, Replaces]).tool(Tool::Move).options(Grammar::gnu(&["-e", "-E"])),
    &row(&["srm"]).is(&[Followed, Replaces]).tool(Tool::Remove),
    &row(&["sdelete"]).is(&[Followed]).tool(Tool::Shred).options(Grammar::gnu(&["-p"])),
    &row(&["sponge"]).is(&[Followed, Replaces]).tool(Tool::Tee).writes(&FORMATTER),
    &row(&["wipe"])
        .is(&[Followed, Replaces])
        .tool(Tool::Shred)
        .options(Grammar::gnu(&["-b", "-l", "-o", "-P", "-Q", "-R", "-S", "-T"])),
    &row(&["gio", "gvfs-trash"]).is(&[Replaces]).tool(Tool::Gio),
    &row(&["patch"])
        .tool(Tool::Patch)
        .options(Grammar::gnu(&[
            "-i", "--input", "-p", "--strip", "-o", "--output", "-r", "--reject-file", "-d", "--directory", "-D", "-F",
            "--fuzz", "-g", "-B", "-V", "-Y", "-z",
        ]))
        .writes(&Writes {
            files: &["-o", "--output", "-r", "--reject-file"],
            dirs: &["-d", "--directory"],
            unless: &["--dry-run"],
            operands: Written::First,
            here: true,
            ..WRITES
        }),
    &row(&["split", "gsplit"])
        .tool(Tool::Split)
        .options(Grammar {
            table: &["--numeric-suffixes[=]", "--hex-suffixes[=]"],
            ..Grammar::gnu(&[
                "-a", "-b", "-C", "-l", "-n", "-t", "--bytes", "--lines", "--line-bytes", "--number",
                "--suffix-length", "--separator", "--additional-suffix", "--filter",
            ])
        })
        .writes(&Writes { operands: Written::Prefix, ..WRITES })
        .lines(&["--filter"]),
    &row(&["csplit"])
        .options(Grammar::gnu(&["-f", "--prefix", "-b", "--suffix-format", "-n", "--digits"]))
        .writes(&Writes { files: &["-f", "--prefix"], operands: Written::No, ..WRITES }),
    &row(&["uuencode"]).options(Grammar::gnu(&["-o"])).writes(&Writes { files: &["-o"], ..WRITES }),
    &row(&["uudecode"]).tool(Tool::Gunzip).options(Grammar::gnu(&["-o"])).writes(&Writes { files: &["-o"], ..WRITES }),
    &row(&["mkfifo", "mknod"]).options(Grammar::gnu(&["-m", "--mode"])).writes(&MARKS),
    &row(&["setfattr"])
        .options(Grammar::gnu(&["-n", "--name", "-v", "--value", "-x", "--remove", "--restore"]))
        .writes(&MARKS),
    &row(&["fallocate"]).options(Grammar::gnu(&["-l", "--length", "-o", "--offset"])).writes(&MARKS),
    &row(&["chflags"]).tool(Tool::Chflags).writes(&MARKS),
    &row(&["xattr"]).writes(&MARKS),
    &row(&["scc", "sdiff"]).tool(Tool::Watchers),
    &row(&["mktemp"])
        .tool(Tool::Mktemp)
        .options(Grammar { table: &["--tmpdir[=]"], ..Grammar::gnu(&["-p", "--suffix"]) }),
    &row(&["red"]).tool(Tool::Red),
    &row(&["icacls"]).tool(Tool::Icacls),
    &row(&["takeown"]).tool(Tool::Takeown),
    &row(&["blkdiscard"]).tool(Tool::Partitions),
    &row(&["badblocks"]).tool(Tool::Badblocks),
    &row(&["dc3dd"]).tool(Tool::Dc3dd),
    &row(&["hdparm"]).tool(Tool::Hdparm),
    &row(&["nvme"]).tool(Tool::Nvme),
    &row(&["nwipe"]).tool(Tool::Nwipe),
    &row(&["scrub"])
        .tool(Tool::Scrub)
        .options(Grammar::gnu(&["-p", "--pattern", "-b", "--blocksize", "-s", "--device-size", "-D", "--dirent"])),
    &row(&["robocopy", "xcopy"]).tool(Tool::Robocopy),
];
