//! Archives and compressors.

use super::Trait::{Followed, Reader, Silent, System, Unread};
use super::reads::{HELP, Operands, Way, verbs};
use super::writes::{PACKER, WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

const GZIP_READS: Way = Way {
    only: &["-t", "-l", "-c", "-d", "-v", "-k", "--test", "--list", "--stdout", "-q"],
    needs: &["-t", "-l", "-c", "--test", "--list", "--stdout"],
    ..Way::ANY
};

const PACKER_OPTIONS: Grammar<'_> =
    Grammar::gnu(&["-S", "--suffix", "-T", "--threads", "-F", "--format", "-C", "--check"]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["zcat", "bzcat", "xzcat", "zstdcat"]).is(&[Reader]).tool(Tool::Gunzip).reads(&[Way::ANY]),
    &row(&["zgrep", "zipinfo"]).is(&[Reader]).reads(&[Way::ANY]),
    &row(&["tar", "gtar", "bsdtar"])
        .is(&[Silent, System])
        .tool(Tool::Tar)
        .options(Grammar {
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
        })
        .reads(&[Way {
            verbs: &[
                "tf", "tvf", "tzf", "tzvf", "tjf", "tjvf", "tJf", "tJvf", "ztf", "ztvf", "-tf", "-tvf", "-tzf",
                "-tzvf", "-tjf", "-tjvf", "-tJf", "-tJvf", "-ztf", "-ztvf",
            ],
            operands: Operands::Local,
            only: &["--exclude=", "--wildcards", "-v", "--full-time", "--strip-components="],
            ..Way::ANY
        }])
        .commands(&["-T", "--files-from"]),
    &row(&["unzip", "bsdunzip"])
        .tool(Tool::Unzip)
        .options(Grammar::gnu(&["-d", "-P", "-x", "-O", "-I"]))
        .reads(&[Way { verbs: &["-l", "-v", "-lv", "-t", "-Z", "-Z1"], only: &["-v", "-q", "-qq"], ..Way::ANY }])
        .writes(&Writes {
            dirs: &["-d"],
            unless: &["-l", "-t", "-p", "-v", "-Z", "-c", "-z"],
            operands: Written::Unpacked,
            ..WRITES
        }),
    &row(&["gunzip", "bunzip2", "unxz"])
        .is(&[Followed])
        .tool(Tool::Gunzip)
        .options(PACKER_OPTIONS)
        .reads(&[GZIP_READS])
        .writes(&PACKER),
    &row(&["gzip", "bzip2", "xz"])
        .is(&[Followed])
        .tool(Tool::Xz)
        .options(PACKER_OPTIONS)
        .reads(&[GZIP_READS, HELP])
        .writes(&PACKER),
    &row(&["zstd", "unzstd", "pzstd"])
        .tool(Tool::NamesItsOutput)
        .options(Grammar::gnu(&["-o", "-D", "--output-dir-flat"]))
        .reads(&[GZIP_READS])
        .writes(&Writes { files: &["-o"], when: &["--rm"], operands: Written::Replaced, ..WRITES }),
    &row(&["lz4", "unlz4"]).tool(Tool::NamesItsOutput).options(Grammar::gnu(&["-D"])).writes(&Writes {
        when: &["--rm"],
        operands: Written::Replaced,
        ..WRITES
    }),
    &row(&["7z", "7zz", "7za", "7zr"])
        .is(&[Silent])
        .tool(Tool::SevenZip)
        .options(Grammar::one_dash(&["-o"]))
        .reads(&[verbs(&["l"]), Way { operands: Operands::AtMost(0), ..verbs(&["b", "i"]) }])
        .writes(&Writes { dirs: &["-o"], verbs: &["x", "e"], operands: Written::Unpacked, ..WRITES }),
    &row(&["zip"])
        .is(&[Silent])
        .tool(Tool::Zip)
        .options(Grammar::gnu(&[
            "-b", "-i", "--include", "-x", "--exclude", "-n", "-O", "--out", "-P", "-s", "-t", "-tt", "-TT",
            "--unzip-command", "-Z",
        ]))
        .reads(&[HELP])
        .lines(&["--unzip-command"]),
    &row(&["bsdcpio", "cpio"])
        .is(&[Unread])
        .tool(Tool::Cpio)
        .options(Grammar::gnu(&[
            "-C", "-D", "--directory", "-E", "-F", "--file", "-H", "-I", "-M", "-O", "-R", "--owner", "-W",
        ]))
        .writes(&Writes {
            files: &["-O"],
            dirs: &["-D", "--directory"],
            when: &["-i", "--extract", "-p", "--pass-through"],
            unless: &["-t", "--list"],
            operands: Written::All,
            here: true,
            ..WRITES
        }),
    &row(&["pax"])
        .is(&[Unread])
        .tool(Tool::Pax)
        .options(Grammar::gnu(&["-b", "-B", "-E", "-f", "-G", "-o", "-p", "-s", "-T", "-U", "-x"])),
    &row(&["zless"]).is(&[Reader]),
    &row(&["lzma", "unlzma", "compress", "uncompress", "pbzip2", "lzip", "lzop"])
        .options(PACKER_OPTIONS)
        .writes(&PACKER),
    &row(&["pigz", "unpigz"]).options(Grammar::gnu(&["-S", "--suffix", "-b", "-p", "-I", "-J", "-A"])).writes(&PACKER),
    &row(&["brotli"]).options(Grammar::gnu(&["-o", "--output", "-S", "-w", "-q", "-D"])).writes(&Writes {
        files: &["-o", "--output"],
        when: &["-j", "--rm"],
        operands: Written::Replaced,
        ..WRITES
    }),
    &row(&["ar"]).tool(Tool::Ar).writes(&Writes { operands: Written::Second, ..WRITES }),
    &row(&["jar"])
        .tool(Tool::Jar)
        .options(Grammar::gnu(&["-f", "--file", "-C", "-e", "-m", "-p", "--module-path", "--release", "--dir"])),
    &row(&["zipnote", "ranlib"]).writes(&Writes { operands: Written::Second, ..WRITES }),
    &row(&["unrar", "rar"]).tool(Tool::SevenZip).options(Grammar::one_dash(&[])).writes(&Writes {
        verbs: &["x", "e"],
        operands: Written::Unpacked,
        ..WRITES
    }),
    &row(&["unar"]).options(Grammar::one_dash(&["-o", "-output-directory", "-p", "-e", "-E", "-i"])).writes(&Writes {
        dirs: &["-o", "-output-directory"],
        here: true,
        ..WRITES
    }),
    &row(&["cabextract"])
        .options(Grammar::gnu(&["-d", "--directory", "-F", "--filter", "-e", "--encoding"]))
        .writes(&Writes { dirs: &["-d", "--directory"], here: true, ..WRITES }),
    &row(&["dpkg-deb"]).writes(&Writes {
        when: &["-x", "-X", "-R", "--extract", "--vextract", "--raw-extract"],
        operands: Written::Last,
        ..WRITES
    }),
];
