//! Archives and compressors.

use super::Trait::{Followed, Reader, Silent, System, Unread};
use super::reads::{Operands, Way, exactly, verbs};
use super::writes::{PACKER, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

pub(super) const TAR_READS: Way = Way {
    verbs: &[
        "tf", "tvf", "tzf", "tzvf", "tjf", "tjvf", "tJf", "tJvf", "ztf", "ztvf", "-tf", "-tvf", "-tzf", "-tzvf",
        "-tjf", "-tjvf", "-tJf", "-tJvf", "-ztf", "-ztvf",
    ],
    operands: Operands::Local,
    only: &["--exclude=", "--wildcards", "-v", "--full-time", "--strip-components="],
    ..Way::ANY
};

pub(super) const GZIP_READS: Way = Way {
    only: &["-t", "-l", "-c", "-d", "-v", "-k", "--test", "--list", "--stdout", "-q"],
    needs: &["-t", "-l", "-c", "--test", "--list", "--stdout"],
    ..Way::ANY
};

const PACKER_OPTIONS: Grammar<'_> =
    Grammar::gnu(&["-S", "--suffix", "-T", "--threads", "-F", "--format", "-C", "--check"]);

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["zcat", "bzcat", "xzcat", "zstdcat"],
        is: traits(&[Reader]),
        tool: Tool::Gunzip,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["zgrep", "zipinfo"], is: traits(&[Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["tar", "gtar", "bsdtar"],
        is: traits(&[Silent, System]),
        tool: Tool::Tar,
        options: Grammar {
            table: &["--checkpoint[=]", "--list", "--one-top-level[=]"],
            ..Grammar::gnu(&[
                "-f", "--file", "-C", "--directory", "--cd", "--exclude", "-X", "--exclude-from", "-T", "--files-from",
                "--transform", "--xform", "--owner", "--group", "--mode", "-b", "--strip-components", "--strip", "-I",
                "--use-compress-program", "-F", "--info-script", "--new-volume-script", "--to-command",
                "--checkpoint-action", "--rsh-command", "--rmt-command", "-g", "--listed-incremental", "-K",
                "--starting-file", "-N", "--newer", "--newer-mtime", "--mtime", "-V", "-L", "-H", "--format",
                "--pax-option", "--sort", "--suffix", "--volno-file", "--index-file", "--add-file", "--exclude-tag",
                "--quoting-style", "--warning",
            ])
        },
        reads: &[TAR_READS],
        commands: &["-T", "--files-from"],
        ..PROGRAM
    },
    Program {
        names: &["unzip", "bsdunzip"],
        tool: Tool::Unzip,
        options: Grammar::gnu(&["-d", "-P", "-x", "-O", "-I"]),
        reads: &[Way { verbs: &["-l", "-v", "-lv", "-t", "-Z", "-Z1"], only: &["-v", "-q", "-qq"], ..Way::ANY }],
        writes: Some(&Writes {
            folders: &["-d"],
            unless: &["-l", "-t", "-p", "-v", "-Z", "-c", "-z"],
            operands: Written::Unpacked,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["gunzip", "bunzip2", "unxz"],
        is: traits(&[Followed]),
        tool: Tool::Gunzip,
        options: PACKER_OPTIONS,
        reads: &[GZIP_READS],
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["gzip", "bzip2", "xz"],
        is: traits(&[Followed]),
        tool: Tool::Xz,
        options: PACKER_OPTIONS,
        reads: &[
            GZIP_READS, // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["zstd", "unzstd", "pzstd"],
        tool: Tool::NamesItsOutput,
        options: Grammar::gnu(&["-o", "-D", "--output-dir-flat"]),
        reads: &[GZIP_READS],
        writes: Some(&Writes { files: &["-o"], when: &["--rm"], operands: Written::Replaced, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["lz4", "unlz4"],
        tool: Tool::NamesItsOutput,
        options: Grammar::gnu(&["-D"]),
        writes: Some(&Writes { when: &["--rm"], operands: Written::Replaced, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["7z", "7zz", "7za", "7zr"],
        is: traits(&[Silent]),
        tool: Tool::SevenZip,
        options: Grammar::one_dash(&["-o"]),
        reads: &[verbs(&["l"]), Way { operands: Operands::AtMost(0), ..verbs(&["b", "i"]) }],
        writes: Some(&Writes { folders: &["-o"], verbs: &["x", "e"], operands: Written::Unpacked, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["zip"],
        is: traits(&[Silent]),
        tool: Tool::Zip,
        options: Grammar::gnu(&[
            "-b", "-i", "--include", "-x", "--exclude", "-n", "-O", "--out", "-P", "-s", "-t", "-tt", "-TT",
            "--unzip-command", "-Z",
        ]),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        lines: &["--unzip-command"],
        ..PROGRAM
    },
    Program {
        names: &["bsdcpio", "cpio"],
        is: traits(&[Unread]),
        tool: Tool::Cpio,
        options: Grammar::gnu(&[
            "-C", "-D", "--directory", "-E", "-F", "--file", "-H", "-I", "-M", "-O", "-R", "--owner", "-W",
        ]),
        writes: Some(&Writes {
            files: &["-O"],
            folders: &["-D", "--directory"],
            when: &["-i", "--extract", "-p", "--pass-through"],
            unless: &["-t", "--list"],
            operands: Written::All,
            here: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["pax"],
        is: traits(&[Unread]),
        tool: Tool::Pax,
        options: Grammar::gnu(&["-b", "-B", "-E", "-f", "-G", "-o", "-p", "-s", "-T", "-U", "-x"]),
        ..PROGRAM
    },
    Program { names: &["zless"], is: traits(&[Reader]), ..PROGRAM },
    Program {
        names: &["lzma", "unlzma", "compress", "uncompress", "pbzip2", "lzip", "lzop"],
        options: PACKER_OPTIONS,
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["pigz", "unpigz"],
        options: Grammar::gnu(&["-S", "--suffix", "-b", "-p", "-I", "-J", "-A"]),
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["brotli"],
        options: Grammar::gnu(&["-o", "--output", "-S", "-w", "-q", "-D"]),
        writes: Some(&Writes {
            files: &["-o", "--output"],
            when: &["-j", "--rm"],
            operands: Written::Replaced,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["ar"],
        tool: Tool::Ar,
        writes: Some(&Writes { operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["jar"],
        tool: Tool::Jar,
        options: Grammar::gnu(&["-f", "--file", "-C", "-e", "-m", "-p", "--module-path", "--release", "--dir"]),
        ..PROGRAM
    },
    Program { names: &["zipnote", "ranlib"], writes: Some(&Writes { operands: Written::Second, ..WRITES }), ..PROGRAM },
    Program {
        names: &["unrar", "rar"],
        tool: Tool::SevenZip,
        options: Grammar::one_dash(&[]),
        writes: Some(&Writes { verbs: &["x", "e"], operands: Written::Unpacked, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["unar"],
        options: Grammar::one_dash(&["-o", "-output-directory", "-p", "-e", "-E", "-i"]),
        writes: Some(&Writes { folders: &["-o", "-output-directory"], here: true, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["cabextract"],
        options: Grammar::gnu(&["-d", "--directory", "-F", "--filter", "-e", "--encoding"]),
        writes: Some(&Writes { folders: &["-d", "--directory"], here: true, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["dpkg-deb"],
        writes: Some(&Writes {
            when: &["-x", "-X", "-R", "--extract", "--vextract", "--raw-extract"],
            operands: Written::Last,
            ..WRITES
        }),
        ..PROGRAM
    },
];
