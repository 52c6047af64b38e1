//! Archives and compressors.

use super::Trait::{Followed, Reader, Silent, System, Unread};
use super::reads::{Operands, Way, exactly, verbs};
use super::writes::{PACKER, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};

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

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: &["zcat"], is: traits(&[Reader]), tool: Tool::Gunzip, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["bzcat", "xzcat", "zstdcat"], reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["zgrep", "zipinfo"], is: traits(&[Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["tar"],
        is: traits(&[Silent, System]),
        tool: Tool::Tar,
        reads: &[TAR_READS],
        commands: &["-T", "--files-from"],
        ..PROGRAM
    },
    Program {
        names: &["gtar", "bsdtar"],
        tool: Tool::Tar,
        reads: &[TAR_READS],
        commands: &["-T", "--files-from"],
        ..PROGRAM
    },
    Program {
        names: &["unzip"],
        tool: Tool::Unzip,
        reads: &[Way { verbs: &["-l", "-v", "-lv", "-t", "-Z", "-Z1"], only: &["-v", "-q", "-qq"], ..Way::ANY }],
        writes: Some(&Writes {
            values: &["-d", "-P", "-x"],
            folders: &["-d"],
            unless: &["-l", "-t", "-p", "-v", "-Z", "-c", "-z"],
            operands: Written::Unpacked,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program { names: &["gzip", "bzip2", "bunzip2", "unxz"], reads: &[GZIP_READS], writes: Some(&PACKER), ..PROGRAM },
    Program {
        names: &["gunzip"],
        is: traits(&[Followed]),
        tool: Tool::Gunzip,
        reads: &[GZIP_READS],
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["xz"],
        is: traits(&[Followed]),
        tool: Tool::Xz,
        reads: &[
            GZIP_READS, // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["zstd", "unzstd"],
        tool: Tool::NamesItsOutput,
        reads: &[GZIP_READS],
        writes: Some(&Writes {
            values: &["-o", "-T", "-D", "--threads"],
            files: &["-o"],
            when: &["--rm"],
            operands: Written::Replaced,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["7z"],
        is: traits(&[Silent]),
        tool: Tool::SevenZip,
        reads: &[verbs(&["l"]), Way { operands: Operands::AtMost(0), ..verbs(&["b", "i"]) }],
        writes: Some(&Writes {
            values: &["-o"],
            folders: &["-o"],
            verbs: &["x", "e"],
            operands: Written::Unpacked,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["7zz", "7za"],
        tool: Tool::SevenZip,
        reads: &[verbs(&["l"]), Way { operands: Operands::AtMost(0), ..verbs(&["b", "i"]) }],
        writes: Some(&Writes {
            values: &["-o"],
            folders: &["-o"],
            verbs: &["x", "e"],
            operands: Written::Unpacked,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["zip"],
        is: traits(&[Silent]),
        tool: Tool::Zip,
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
        writes: Some(&Writes {
            values: &["-D", "--directory", "-F", "-I", "-O", "-E", "-H"],
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
    Program { names: &["pax"], is: traits(&[Unread]), tool: Tool::Pax, ..PROGRAM },
    Program { names: &["zless"], is: traits(&[Reader]), ..PROGRAM },
    Program {
        names: &["lzma", "unlzma", "compress", "uncompress", "pigz", "unpigz", "pbzip2", "lzip", "lzop", "brotli"],
        writes: Some(&PACKER),
        ..PROGRAM
    },
    Program {
        names: &["pzstd", "lz4", "unlz4"],
        tool: Tool::NamesItsOutput,
        writes: Some(&Writes {
            values: &["-o", "-T", "-D", "--threads"],
            files: &["-o"],
            when: &["--rm"],
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
        writes: Some(&Writes { operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["zipnote", "ranlib"], writes: Some(&Writes { operands: Written::Second, ..WRITES }), ..PROGRAM },
    Program {
        names: &["bsdunzip"],
        tool: Tool::Unzip,
        writes: Some(&Writes {
            values: &["-d", "-P", "-x"],
            folders: &["-d"],
            unless: &["-l", "-t", "-p", "-v", "-Z", "-c", "-z"],
            operands: Written::Unpacked,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["7zr"],
        tool: Tool::SevenZip,
        writes: Some(&Writes {
            values: &["-o"],
            folders: &["-o"],
            verbs: &["x", "e"],
            operands: Written::Unpacked,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["unrar"],
        tool: Tool::SevenZip,
        writes: Some(&Writes { verbs: &["x", "e"], operands: Written::Unpacked, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["rar"],
        writes: Some(&Writes { verbs: &["x", "e"], operands: Written::Unpacked, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["unar"],
        writes: Some(&Writes {
            values: &["-o", "-output-directory"],
            folders: &["-o", "-output-directory"],
            here: true,
            one_dash: true,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["cabextract"],
        writes: Some(&Writes { values: &["-d", "-F"], folders: &["-d"], here: true, ..WRITES }),
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
