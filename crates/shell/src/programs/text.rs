//! Text: showing, searching, sorting, editing, and the small languages that work on it.

use super::Trait::{Editor, Followed, HandsOn, Reader, Silent, System, TakesText, Unread};
use super::code::AWK;
use super::reads::{Script, VERSION, Way, but, exactly, few, only, without};
use super::writes::{COMPILER, FORMATTER, OUTPUTS, WRITES, Writes, Written};
use super::{PROGRAM, Program, traits};

pub(super) const SED_READS: Way = Way {
    script: Some(Script::Sed),
    ..only(&["-n", "-E", "-r", "-s", "-u", "-z", "--quiet", "--silent", "--regexp-extended", "--posix", "--sandbox"])
};

pub(super) const AWK_READS: Way =
    Way { script: Some(Script::Awk), ..only(&["-F=", "-v=", "--field-separator=", "--assign=", "--posix", "--csv"]) };

pub(super) const BAT_READS: Way = only(&[
    "-n", "-p", "-pp", "-A", "-l=", "-r=", "--plain", "--style=", "--line-range=", "--language=", "--number",
    "--color=", "--theme=",
]);

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: &["cat"], is: traits(&[Reader, HandsOn, System]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["head", "tail"], is: traits(&[Reader, HandsOn]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["wc"], is: traits(&[Silent, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["grep"], is: traits(&[Reader, System]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &[
            "egrep", "fgrep", "cut", "tr", "column", "comm", "fold", "rev", "tac", "paste", "expand", "fmt", "nl",
            "join", "od", "hexdump", "hd", "look",
        ],
        is: traits(&[Reader]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["strings"],
        is: traits(&[Reader]),
        reads: &[
            Way::ANY, // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program { names: &["echo"], is: traits(&[Silent, Reader, HandsOn]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["true", "false", ":", "seq", "unexpand", "more", "tput", "tsort", "zdiff"],
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["jq"], is: traits(&[Followed]), reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["expr"], is: traits(&[TakesText, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["printf"],
        is: traits(&[Silent, Reader, HandsOn]),
        reads: &[
            // `-v` puts the text into a variable, whose name can hold a command.
            but(&["-v"]),
        ],
        ..PROGRAM
    },
    Program { names: &["test"], is: traits(&[Silent, System]), reads: &[without(&["-v"])], ..PROGRAM },
    Program { names: &["["], reads: &[without(&["-v"])], ..PROGRAM },
    Program {
        names: &["less"],
        is: traits(&[System]),
        reads: &[Way {
            but: &["+"],
            ..only(&["-N", "-R", "-S", "-F", "-X", "-i", "-I", "-n", "-e", "-E", "-r", "-s", "-#"])
        }],
        ..PROGRAM
    },
    Program {
        names: &["man"],
        is: traits(&[Silent, TakesText, Reader]),
        reads: &[but(&["-P", "--pager", "-H", "--html", "-p", "--preprocessor", "-X", "--gxditview", "-C", "-B"])],
        lines: &["-P", "--pager", "-H", "--html"],
        ..PROGRAM
    },
    Program {
        names: &["sort"],
        is: traits(&[Followed, HandsOn]),
        reads: &[but(&["-o", "--output", "--compress-program"])],
        lines: &["--compress-program"],
        ..PROGRAM
    },
    Program { names: &["gsort"], reads: &[but(&["-o", "--output", "--compress-program"])], ..PROGRAM },
    Program {
        names: &["uniq"],
        is: traits(&[HandsOn]),
        reads: &[few(
            &[
                "-c", "-d", "-D", "-i", "-u", "-z", "-f=", "-s=", "-w=", "--count", "--repeated", "--unique",
                "--ignore-case",
            ],
            1,
        )],
        writes: Some(&Writes { values: &["-f", "-s", "-w"], operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["iconv"],
        is: traits(&[Followed]),
        reads: &[but(&["-o", "--output"])],
        writes: Some(&Writes { values: OUTPUTS, files: OUTPUTS, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["rg"],
        is: traits(&[Reader]),
        reads: &[but(&["--pre", "--hostname-bin", "-z", "--search-zip"])],
        ..PROGRAM
    },
    Program { names: &["ack"], is: traits(&[Reader]), reads: &[but(&["--pager", "--ackrc", "--env"])], ..PROGRAM },
    Program { names: &["git-grep"], reads: &[but(&["-O", "--open-files-in-pager"])], ..PROGRAM },
    Program {
        names: &["sed"],
        is: traits(&[Silent, Followed, Editor, System]),
        reads: &[SED_READS, VERSION],
        ..PROGRAM
    },
    Program { names: &["gsed"], is: traits(&[Editor]), reads: &[SED_READS, VERSION], ..PROGRAM },
    Program {
        names: &["awk"],
        is: traits(&[Followed, Editor, System]),
        reads: &[AWK_READS, VERSION],
        code: Some(&AWK),
        ..PROGRAM
    },
    Program {
        names: &["gawk"],
        is: traits(&[Followed, Editor]),
        reads: &[AWK_READS, VERSION],
        code: Some(&AWK),
        ..PROGRAM
    },
    Program {
        names: &["mawk", "nawk"],
        is: traits(&[Followed]),
        reads: &[AWK_READS, VERSION],
        code: Some(&AWK),
        ..PROGRAM
    },
    Program {
        names: &["yq"],
        is: traits(&[Followed]),
        reads: &[but(&[
            "-i", "--inplace", "--in-place", "-s", "--split-exp", "--split-exp-file",
            "--security-enable-system-operator", "--from-file",
        ])],
        ..PROGRAM
    },
    Program { names: &["bat"], is: traits(&[TakesText, Reader]), reads: &[BAT_READS], ..PROGRAM },
    Program { names: &["batcat"], reads: &[BAT_READS], ..PROGRAM },
    Program { names: &["whereis", "whatis"], is: traits(&[Silent, TakesText, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["apropos"],
        is: traits(&[Silent, TakesText, Reader]),
        reads: &[Way::ANY],
        lines: &["-P", "--pager", "-H", "--html"],
        ..PROGRAM
    },
    Program {
        names: &["tldr"],
        is: traits(&[TakesText]),
        reads: &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])],
        ..PROGRAM
    },
    Program {
        names: &["pandoc"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&Writes { values: OUTPUTS, files: OUTPUTS, ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["help"], is: traits(&[Silent, Reader]), ..PROGRAM },
    Program { names: &["info", "cowsay", "figlet", "cheat", "fzf"], is: traits(&[TakesText]), ..PROGRAM },
    Program { names: &["m4"], is: traits(&[Unread]), writes: Some(&COMPILER), ..PROGRAM },
    Program {
        names: &[
            "ag", "ajv", "check-jsonschema", "editorconfig-checker", "fx", "gecho", "glow", "gron", "jless", "jp",
            "json_pp", "json_verify", "numfmt", "pr", "yes",
        ],
        is: traits(&[Reader]),
        ..PROGRAM
    },
    Program { names: &["dos2unix"], is: traits(&[Reader]), writes: Some(&FORMATTER), ..PROGRAM },
    Program {
        names: &["sd", "rpl"],
        is: traits(&[Editor]),
        writes: Some(&Writes {
            values: &["-n", "-f"],
            unless: &["-p", "--preview"],
            operands: Written::AfterTwo,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program { names: &["replace", "fastmod", "codemod"], is: traits(&[Editor]), ..PROGRAM },
    Program {
        names: &["shuf", "csvtk", "xmllint", "xsltproc", "dot", "tidy", "jsonnet"],
        writes: Some(&Writes { values: OUTPUTS, files: OUTPUTS, ..WRITES }),
        ..PROGRAM
    },
    Program { names: &["unix2dos", "mac2unix", "fromdos", "todos", "recode"], writes: Some(&FORMATTER), ..PROGRAM },
    Program {
        names: &["jsonlint"],
        writes: Some(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["json", "comby", "tomlq", "xq"],
        writes: Some(&Writes {
            values: &["-e", "-f"],
            files: &[],
            when: &["-i", "-I", "--in-place", "-in-place"],
            ..FORMATTER
        }),
        ..PROGRAM
    },
    Program {
        names: &["dasel"], // Version 1 writes back by its verbs, and names the file in an option.
        writes: Some(&Writes {
            values: &["-f", "--file", "-o", "--out"],
            files: &["-f", "--file"],
            verbs: &["delete", "put"],
            ..WRITES
        }),
        ..PROGRAM
    },
    Program { names: &["original-awk", "goawk"], code: Some(&AWK), ..PROGRAM },
];
