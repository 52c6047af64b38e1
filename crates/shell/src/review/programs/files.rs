//! Files and folders: listing, finding, measuring, comparing, looking into archives.

use super::{any, but, few, only, program, verbs, without};
use crate::review::table::{Operands, Program, Way};

pub(super) const PROGRAMS: &[Program] = &[
    any(&[
        "ls", "dir", "vdir", "cd", "pwd", "pushd", "popd", "dirs", "stat", "du", "df", "basename", "dirname",
        "readlink", "realpath", "diff", "diff3", "cmp", "md5", "md5sum", "sha1sum", "sha224sum", "sha256sum",
        "sha384sum", "sha512sum", "shasum", "cksum", "b2sum", "sum", "zcat", "bzcat", "xzcat", "zstdcat", "zgrep",
        "zipinfo", "tokei", "namei", "lsattr", "getfacl", "pathchk", "mdls",
    ]),
    program(&["lsof"], &[but(&["-D"])]),
    program(
        &["cloc"],
        &[only(&["--json", "--csv", "--md", "--yaml", "--by-file", "--quiet", "--exclude-dir=", "--include-lang="])],
    ),
    program(&["tree"], &[but(&["-o", "-R"])]),
    program(&["file"], &[but(&["-C", "--compile", "-z", "--uncompress", "-Z"])]),
    // Tests that act: everything else about `find` only looks.
    program(&["find", "gfind"], &[without(&["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fls"])]),
    program(&["fd", "fdfind"], &[but(&["-x", "--exec", "-X", "--exec-batch"])]),
    program(&["locate", "mdfind"], &[but(&["-S"])]),
    program(
        &["tar", "gtar", "bsdtar"],
        &[Way {
            verbs: &[
                "tf", "tvf", "tzf", "tzvf", "tjf", "tjvf", "tJf", "tJvf", "ztf", "ztvf", "-tf", "-tvf", "-tzf",
                "-tzvf", "-tjf", "-tjvf", "-tJf", "-tJvf", "-ztf", "-ztvf",
            ],
            operands: Operands::Local,
            only: &["--exclude=", "--wildcards", "-v", "--full-time", "--strip-components="],
            ..Way::ANY
        }],
    ),
    program(
        &["unzip"],
        &[Way { verbs: &["-l", "-v", "-lv", "-t", "-Z", "-Z1"], only: &["-v", "-q", "-qq"], ..Way::ANY }],
    ),
    program(
        &["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"],
        &[Way {
            only: &["-t", "-l", "-c", "-d", "-v", "-k", "--test", "--list", "--stdout", "-q"],
            needs: &["-t", "-l", "-c", "--test", "--list", "--stdout"],
            ..Way::ANY
        }],
    ),
    program(&["7z", "7zz", "7za"], &[verbs(&["l"]), Way { operands: Operands::AtMost(0), ..verbs(&["b", "i"]) }]),
    program(&["base64", "base32", "basenc"], &[but(&["-o", "--output"])]),
    program(&["hostname"], &[few(&["-f", "-s", "-i", "-I", "-d", "-A", "--fqdn", "--short", "--ip-address"], 0)]),
    program(
        &["date", "gdate"],
        &[Way {
            operands: Operands::Beginning("+"),
            ..only(&[
                "-u", "--utc", "--universal", "-d=", "--date=", "-r=", "--reference=", "-f=", "-R", "--rfc-email",
                "-I", "--rfc-3339=", "-n", "-j",
            ])
        }],
    ),
];
