//! Text: showing, searching, sorting, editing, and the small languages that work on it.

use super::Trait::{Editor, Followed, HandsOn, Plain, Reader, Seeks, Silent, System, TakesText, Unread};
use super::code::AWK;
use super::reads::{Script, VERSION, Way, but, exactly, few, only, without};
use super::writes::{COMPILER, FORMATTER, OUTPUT, OUTPUTS, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

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
    Program { names: &["cat"], is: traits(&[Reader, HandsOn, System]), tool: Tool::Cat, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["head"],
        is: traits(&[Reader, HandsOn]),
        tool: Tool::Head,
        options: Grammar::gnu(&["-n", "-c", "--lines", "--bytes"]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["tail"],
        is: traits(&[Reader, HandsOn]),
        tool: Tool::Tail,
        options: Grammar {
            table: &["--follow[=]"],
            ..Grammar::gnu(&[
                "-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval", "--max-unchanged-stats",
            ])
        },
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["wc"], is: traits(&[Silent, Reader]), tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["grep", "egrep"],
        is: traits(&[Reader, System, Seeks]),
        tool: Tool::Grep,
        options: Grammar {
            table: &["--color[=]", "--colour[=]"],
            ..Grammar::gnu(&[
                "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
                "--before-context", "--context", "--include", "--exclude", "--exclude-from", "--exclude-dir",
                "--binary-files", "--label", "--directories", "--devices", "--group-separator",
            ])
        },
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["fgrep"],
        is: traits(&[Reader]),
        tool: Tool::Fgrep,
        options: Grammar {
            table: &["--color[=]", "--colour[=]"],
            ..Grammar::gnu(&[
                "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
                "--before-context", "--context", "--include", "--exclude", "--exclude-from", "--exclude-dir",
                "--binary-files", "--label", "--directories", "--devices", "--group-separator",
            ])
        },
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["strings"],
        is: traits(&[Reader]),
        tool: Tool::Strings,
        options: Grammar::gnu(&[
            "-n", "-e", "-t", "-T", "-s", "--bytes", "--encoding", "--radix", "--target", "--output-separator",
        ]),
        reads: &[
            Way::ANY, // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["echo", "gecho"],
        is: traits(&[Silent, Reader, HandsOn, Plain]),
        tool: Tool::Echo,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["true", "false", ":"],
        is: traits(&[Plain]),
        tool: Tool::Nothing,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["cut"],
        is: traits(&[Reader]),
        tool: Tool::Cut,
        options: Grammar::gnu(&[
            "-d", "-f", "-c", "-b", "--delimiter", "--fields", "--characters", "--bytes", "--output-delimiter",
        ]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["tr"], is: traits(&[Reader]), tool: Tool::Tr, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["column", "tac", "expand"],
        is: traits(&[Reader]),
        tool: Tool::Cat,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["comm", "fmt", "join", "hd", "look"], is: traits(&[Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["fold"],
        is: traits(&[Reader]),
        tool: Tool::Fold,
        options: Grammar::gnu(&["-w", "--width"]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["rev"], is: traits(&[Reader]), tool: Tool::Rev, reads: &[Way::ANY], ..PROGRAM },
    Program { names: &["seq"], tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["paste", "od", "hexdump"],
        is: traits(&[Reader]),
        tool: Tool::Paste,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["unexpand", "tput", "tsort", "zdiff"], reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["nl"],
        is: traits(&[Reader]),
        tool: Tool::Nl,
        options: Grammar::gnu(&[
            "-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w", "--body-numbering", "--section-delimiter",
            "--footer-numbering", "--header-numbering", "--line-increment", "--join-blank-lines", "--number-format",
            "--number-separator", "--starting-line-number", "--number-width",
        ]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["more"],
        tool: Tool::Pager,
        options: Grammar::gnu(&["-n", "--lines"]),
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["jq"],
        is: traits(&[Followed]),
        tool: Tool::Jq,
        options: Grammar { pairs: &["--arg", "--argjson"], ..Grammar::gnu(&["--indent", "-L"]) },
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program { names: &["expr"], is: traits(&[TakesText, Reader]), tool: Tool::Tells, reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["printf"],
        is: traits(&[Silent, Reader, HandsOn, Plain]),
        tool: Tool::Printf,
        options: Grammar::gnu(&["-v"]),
        reads: &[
            // `-v` puts the text into a variable, whose name can hold a command.
            but(&["-v"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["test"],
        is: traits(&[Silent, System, Plain]),
        tool: Tool::Test,
        reads: &[without(&["-v"])],
        ..PROGRAM
    },
    Program { names: &["["], is: traits(&[Plain]), tool: Tool::Nothing, reads: &[without(&["-v"])], ..PROGRAM },
    Program {
        names: &["less"],
        is: traits(&[System]),
        tool: Tool::Pager,
        options: Grammar::gnu(&[
            "-p", "-P", "-o", "-O", "-t", "-T", "-k", "-j", "-b", "-h", "-x", "-y", "-z", "-D", "--pattern",
            "--prompt", "--log-file", "--tag", "--tag-file", "--lesskey-file", "--jump-target", "--buffers",
            "--max-back-scroll", "--tabs", "--max-forw-scroll", "--window", "--color", "--shift",
        ]),
        reads: &[Way {
            but: &["+"],
            ..only(&["-N", "-R", "-S", "-F", "-X", "-i", "-I", "-n", "-e", "-E", "-r", "-s", "-#"])
        }],
        ..PROGRAM
    },
    Program {
        names: &["man"],
        is: traits(&[Silent, TakesText, Reader]),
        options: Grammar {
            table: &["-H[=]", "--html[=]"],
            ..Grammar::gnu(&[
                "-P", "--pager", "-C", "--config-file", "-L", "--locale", "-m", "--systems", "-M", "--manpath", "-s",
                "-S", "--sections", "-e", "--extension", "-p", "--preprocessor", "-E", "--encoding", "-r", "--prompt",
            ])
        },
        reads: &[but(&["-P", "--pager", "-H", "--html", "-p", "--preprocessor", "-X", "--gxditview", "-C", "-B"])],
        lines: &["-P", "--pager", "-H", "--html"],
        ..PROGRAM
    },
    Program {
        names: &["sort"],
        is: traits(&[Followed, HandsOn]),
        tool: Tool::Sort,
        options: Grammar::gnu(&[
            "-k", "-t", "-o", "-T", "-S", "--key", "--output", "--field-separator", "--temporary-directory",
            "--buffer-size", "--parallel", "--batch-size", "--compress-program", "--files0-from", "--random-source",
            "--sort",
        ]),
        reads: &[but(&["-o", "--output", "--compress-program"])],
        lines: &["--compress-program"],
        ..PROGRAM
    },
    Program { names: &["gsort"], reads: &[but(&["-o", "--output", "--compress-program"])], ..PROGRAM },
    Program {
        names: &["uniq"],
        is: traits(&[HandsOn]),
        tool: Tool::Uniq,
        options: Grammar {
            table: &["--all-repeated[=]", "--group[=]"],
            ..Grammar::gnu(&["-f", "-s", "-w", "--skip-fields", "--skip-chars", "--check-chars"])
        },
        reads: &[few(
            &[
                "-c", "-d", "-D", "-i", "-u", "-z", "-f=", "-s=", "-w=", "--count", "--repeated", "--unique",
                "--ignore-case",
            ],
            1,
        )],
        writes: Some(&Writes { operands: Written::Second, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["iconv"],
        is: traits(&[Followed]),
        tool: Tool::Cat,
        options: Grammar::gnu(&["-f", "--from-code", "-t", "--to-code", "-o", "--output"]),
        reads: &[but(&["-o", "--output"])],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program {
        names: &["rg"],
        is: traits(&[Reader, Seeks]),
        tool: Tool::Rg,
        options: Grammar::gnu(&[
            "-e", "-f", "-m", "-A", "-B", "-C", "-g", "-t", "-T", "-M", "-j", "-E", "-d", "-r", "--regexp", "--file",
            "--max-count", "--after-context", "--before-context", "--context", "--glob", "--iglob", "--type",
            "--type-not", "--type-add", "--type-clear", "--max-columns", "--threads", "--encoding", "--max-depth",
            "--maxdepth", "--replace", "--color", "--colors", "--sort", "--sortr", "--pre", "--pre-glob",
            "--ignore-file", "--max-filesize", "--path-separator", "--context-separator", "--field-match-separator",
            "--engine", "--dfa-size-limit", "--regex-size-limit",
        ]),
        reads: &[but(&["--pre", "--hostname-bin", "-z", "--search-zip"])],
        ..PROGRAM
    },
    Program {
        names: &["ack"],
        is: traits(&[Reader]),
        tool: Tool::Ag,
        options: Grammar {
            table: &["--color[=]"],
            ..Grammar::gnu(&[
                "-m", "-A", "-B", "-C", "-g", "-t", "-T", "--match", "--max-count", "--after-context",
                "--before-context", "--context", "--type", "--type-set", "--type-add", "--ignore-dir", "--ignore-file",
                "--files-from", "--ackrc", "--output", "--pager", "--range-start", "--range-end",
            ])
        },
        reads: &[but(&["--pager", "--ackrc", "--env"])],
        ..PROGRAM
    },
    Program { names: &["git-grep"], reads: &[but(&["-O", "--open-files-in-pager"])], ..PROGRAM },
    Program {
        names: &["sed"],
        is: traits(&[Silent, Followed, Editor, System]),
        tool: Tool::Sed,
        options: Grammar {
            table: &["-i[=]", "--in-place[=]"],
            ..Grammar::gnu(&["-e", "-f", "-l", "--expression", "--file", "--line-length"])
        },
        reads: &[SED_READS, VERSION],
        ..PROGRAM
    },
    Program { names: &["gsed"], is: traits(&[Editor]), reads: &[SED_READS, VERSION], ..PROGRAM },
    Program {
        names: &["awk"],
        is: traits(&[Followed, Editor, System, Seeks]),
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
        tool: Tool::Yq,
        options: Grammar {
            pairs: &["--arg", "--argjson"],
            ..Grammar::gnu(&[
                "--indent", "-I", "-L", "-o", "--output-format", "-p", "--input-format", "-s", "--split-exp",
            ])
        },
        reads: &[but(&[
            "-i", "--inplace", "--in-place", "-s", "--split-exp", "--split-exp-file",
            "--security-enable-system-operator", "--from-file",
        ])],
        ..PROGRAM
    },
    Program { names: &["bat"], is: traits(&[TakesText, Reader]), tool: Tool::Cat, reads: &[BAT_READS], ..PROGRAM },
    Program { names: &["batcat"], reads: &[BAT_READS], ..PROGRAM },
    Program {
        names: &["whereis"],
        is: traits(&[Silent, TakesText, Reader]),
        tool: Tool::Type,
        reads: &[Way::ANY],
        ..PROGRAM
    },
    Program {
        names: &["apropos"],
        is: traits(&[Silent, TakesText, Reader]),
        options: Grammar {
            table: &["-H[=]", "--html[=]"],
            ..Grammar::gnu(&[
                "-P", "--pager", "-C", "--config-file", "-L", "--locale", "-m", "--systems", "-M", "--manpath", "-s",
                "--sections",
            ])
        },
        reads: &[Way::ANY],
        lines: &["-P", "--pager", "-H", "--html"],
        ..PROGRAM
    },
    Program { names: &["whatis"], is: traits(&[Silent, TakesText, Reader]), reads: &[Way::ANY], ..PROGRAM },
    Program {
        names: &["tldr"],
        is: traits(&[TakesText]),
        reads: &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])],
        ..PROGRAM
    },
    Program {
        names: &["pandoc"],
        options: Grammar::gnu(OUTPUTS),
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program { names: &["help"], is: traits(&[Silent, Reader]), tool: Tool::Nothing, ..PROGRAM },
    Program { names: &["info", "cowsay", "figlet", "cheat", "fzf"], is: traits(&[TakesText]), ..PROGRAM },
    Program {
        names: &["m4"],
        is: traits(&[Unread]),
        tool: Tool::M4,
        options: Grammar::one_dash(&["-I", "-D", "-U", "-o", "-F", "-L", "-R"]),
        writes: Some(&COMPILER),
        ..PROGRAM
    },
    Program {
        names: &["ag"],
        is: traits(&[Reader]),
        tool: Tool::Ag,
        options: Grammar::gnu(&[
            "-m", "-A", "-B", "-C", "-g", "-G", "-p", "-W", "--max-count", "--after", "--before", "--context",
            "--file-search-regex", "--ignore", "--ignore-dir", "--path-to-ignore", "--depth", "--pager", "--width",
            "--workers",
        ]),
        ..PROGRAM
    },
    Program {
        names: &[
            "ajv", "check-jsonschema", "editorconfig-checker", "fx", "glow", "gron", "jless", "jp", "json_pp",
            "json_verify", "numfmt", "pr",
        ],
        is: traits(&[Reader]),
        ..PROGRAM
    },
    Program { names: &["dos2unix"], is: traits(&[Reader]), tool: Tool::Cat, writes: Some(&FORMATTER), ..PROGRAM },
    Program { names: &["yes"], is: traits(&[Reader]), tool: Tool::Yes, ..PROGRAM },
    Program {
        names: &["sd"],
        is: traits(&[Editor]),
        options: Grammar::gnu(&["-n", "--max-replacements", "-f", "--flags"]),
        writes: Some(&Writes { unless: &["-p", "--preview"], operands: Written::AfterTwo, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["rpl"],
        is: traits(&[Editor]),
        tool: Tool::Replace,
        options: Grammar::gnu(&["-x", "--suffix", "--encoding"]),
        writes: Some(&Writes { unless: &["-p", "--preview"], operands: Written::AfterTwo, ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["replace"],
        is: traits(&[Editor]),
        tool: Tool::Replace,
        options: Grammar::gnu(&["--include", "--exclude"]),
        ..PROGRAM
    },
    Program {
        names: &["fastmod", "codemod"],
        is: traits(&[Editor]),
        tool: Tool::Fastmod,
        options: Grammar::gnu(&[
            "-e", "--extensions", "-d", "--dir", "-g", "--glob", "--iglob", "--exclude-paths", "--start", "--end",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["shuf", "csvtk", "xmllint", "xsltproc", "dot", "tidy", "jsonnet"],
        options: Grammar::gnu(OUTPUTS),
        writes: Some(&OUTPUT),
        ..PROGRAM
    },
    Program { names: &["unix2dos", "mac2unix", "fromdos", "todos", "recode"], writes: Some(&FORMATTER), ..PROGRAM },
    Program {
        names: &["jsonlint"],
        writes: Some(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["json"],
        tool: Tool::Json,
        options: Grammar::gnu(&["-e", "-c", "-f"]),
        writes: Some(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program {
        names: &["comby", "tomlq", "xq"],
        options: Grammar::gnu(&["-f"]),
        writes: Some(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
        ..PROGRAM
    },
    Program { names: &["dasel"], options: Grammar::gnu(&["-f", "--file", "-o", "--out", "-r", "--read", "-w", "--write"]), writes: // Version 1 writes back by its verbs, and names the file in an option.
Some(&Writes { files: &["-f", "--file"], verbs: &["delete", "put"], ..WRITES }), ..PROGRAM },
    Program { names: &["original-awk", "goawk"], code: Some(&AWK), ..PROGRAM },
    Program {
        names: &["typos", "codespell", "markdownlint", "taplo", "cspell", "yamllint"],
        tool: Tool::Checkers,
        ..PROGRAM
    },
    Program { names: &["clear-history"], tool: Tool::ClearHistory, ..PROGRAM },
    Program {
        names: &["tex", "latex", "pdftex", "pdflatex", "xelatex", "xetex", "lualatex", "luatex"],
        tool: Tool::Tex,
        ..PROGRAM
    },
    Program { names: &["most"], tool: Tool::Most, ..PROGRAM },
];
