//! Text: showing, searching, counting, sorting, and the small languages that work on it.

use super::{any, but, few, only, program, without};
use crate::review::table::{Language, Program, Way};

pub(super) const PROGRAMS: &[Program] = &[
    any(&[
        "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "pgrep", "strings", "echo", "true", "false", ":", "cut",
        "tr", "column", "comm", "fold", "rev", "seq", "tac", "paste", "expand", "unexpand", "fmt", "nl", "join", "od",
        "hexdump", "hd", "more", "jq", "sleep", "tput", "cal", "factor", "expr", "tsort", "zdiff", "colordiff", "look",
        "shellcheck",
    ]),
    // `-v` puts the text into a variable, whose name can hold a command.
    program(&["printf"], &[but(&["-v"])]),
    program(&["test", "["], &[without(&["-v"])]),
    program(
        &["less"],
        &[Way { but: &["+"], ..only(&["-N", "-R", "-S", "-F", "-X", "-i", "-I", "-n", "-e", "-E", "-r", "-s", "-#"]) }],
    ),
    program(
        &["man"],
        &[but(&["-P", "--pager", "-H", "--html", "-p", "--preprocessor", "-X", "--gxditview", "-C", "-B"])],
    ),
    program(&["sort", "gsort"], &[but(&["-o", "--output", "--compress-program"])]),
    program(
        &["uniq"],
        &[few(
            &[
                "-c", "-d", "-D", "-i", "-u", "-z", "-f=", "-s=", "-w=", "--count", "--repeated", "--unique",
                "--ignore-case",
            ],
            1,
        )],
    ),
    program(
        &["xxd"],
        &[few(&["-b", "-c=", "-g=", "-l=", "-s=", "-o=", "-p", "-u", "-i", "-e", "-a", "-E", "-C", "-h", "--help"], 1)],
    ),
    program(&["iconv"], &[but(&["-o", "--output"])]),
    program(&["rg"], &[but(&["--pre", "--hostname-bin", "-z", "--search-zip"])]),
    program(&["ack"], &[but(&["--pager", "--ackrc", "--env"])]),
    program(&["git-grep"], &[but(&["-O", "--open-files-in-pager"])]),
    program(
        &["sed", "gsed"],
        &[
            Way {
                script: Some(Language::Sed),
                ..only(&[
                    "-n", "-E", "-r", "-s", "-u", "-z", "--quiet", "--silent", "--regexp-extended", "--posix",
                    "--sandbox",
                ])
            },
            super::VERSION,
        ],
    ),
    program(
        &["awk", "gawk", "mawk", "nawk"],
        &[
            Way {
                script: Some(Language::Awk),
                ..only(&["-F=", "-v=", "--field-separator=", "--assign=", "--posix", "--csv"])
            },
            super::VERSION,
        ],
    ),
    program(
        &["yq"],
        &[but(&[
            "-i", "--inplace", "--in-place", "-s", "--split-exp", "--split-exp-file",
            "--security-enable-system-operator", "--from-file",
        ])],
    ),
    program(
        &["bat", "batcat"],
        &[only(&[
            "-n", "-p", "-pp", "-A", "-l=", "-r=", "--plain", "--style=", "--line-range=", "--language=", "--number",
            "--color=", "--theme=",
        ])],
    ),
];
