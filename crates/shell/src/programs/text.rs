//! Text: showing, searching, sorting, editing, and the small languages that work on it.

use super::Trait::{Editor, Followed, HandsOn, Plain, Reader, Seeks, Silent, System, TakesText, Unread};
use super::code::AWK;
use super::reads::{HELP, Script, VERSION, Way, but, few, only, without};
use super::writes::{COMPILER, FORMATTER, OUTPUT, OUTPUTS, WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

const SED_READS: Way = Way {
    script: Some(Script::Sed),
    ..only(&["-n", "-E", "-r", "-s", "-u", "-z", "--quiet", "--silent", "--regexp-extended", "--posix", "--sandbox"])
};

const AWK_READS: Way =
    Way { script: Some(Script::Awk), ..only(&["-F=", "-v=", "--field-separator=", "--assign=", "--posix", "--csv"]) };

const BAT_READS: Way = only(&[
    "-n", "-p", "-pp", "-A", "-l=", "-r=", "--plain", "--style=", "--line-range=", "--language=", "--number",
    "--color=", "--theme=",
]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["cat"]).is(&[Reader, HandsOn, System]).tool(Tool::Cat).reads(&[Way::ANY]),
    &row(&["head"])
        .is(&[Reader, HandsOn])
        .tool(Tool::Head)
        .options(Grammar::gnu(&["-n", "-c", "--lines", "--bytes"]))
        .reads(&[Way::ANY]),
    &row(&["tail"])
        .is(&[Reader, HandsOn])
        .tool(Tool::Tail)
        .options(Grammar {
            table: &["--follow[=]"],
            ..Grammar::gnu(&[
                "-n", "-c", "-s", "--lines", "--bytes", "--pid", "--sleep-interval", "--max-unchanged-stats",
            ])
        })
        .reads(&[Way::ANY]),
    &row(&["wc"]).is(&[Silent, Reader]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["grep", "egrep"])
        .is(&[Reader, System, Seeks])
        .tool(Tool::Grep)
        .options(Grammar {
            table: &["--color[=]", "--colour[=]"],
            ..Grammar::gnu(&[
                "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
                "--before-context", "--context", "--include", "--exclude", "--exclude-from", "--exclude-dir",
                "--binary-files", "--label", "--directories", "--devices", "--group-separator",
            ])
        })
        .reads(&[Way::ANY]),
    &row(&["fgrep"])
        .is(&[Reader])
        .tool(Tool::Fgrep)
        .options(Grammar {
            table: &["--color[=]", "--colour[=]"],
            ..Grammar::gnu(&[
                "-e", "-f", "-m", "-A", "-B", "-C", "-d", "-D", "--regexp", "--file", "--max-count", "--after-context",
                "--before-context", "--context", "--include", "--exclude", "--exclude-from", "--exclude-dir",
                "--binary-files", "--label", "--directories", "--devices", "--group-separator",
            ])
        })
        .reads(&[Way::ANY]),
    &row(&["strings"])
        .is(&[Reader])
        .tool(Tool::Strings)
        .options(Grammar::gnu(&[
            "-n", "-e", "-t", "-T", "-s", "--bytes", "--encoding", "--radix", "--target", "--output-separator",
        ]))
        .reads(&[Way::ANY, HELP]),
    &row(&["echo", "gecho"]).is(&[Silent, Reader, HandsOn, Plain]).tool(Tool::Echo).reads(&[Way::ANY]),
    &row(&["true", "false", ":"]).is(&[Plain]).tool(Tool::Nothing).reads(&[Way::ANY]),
    &row(&["cut"])
        .is(&[Reader])
        .tool(Tool::Cut)
        .options(Grammar::gnu(&[
            "-d", "-f", "-c", "-b", "--delimiter", "--fields", "--characters", "--bytes", "--output-delimiter",
        ]))
        .reads(&[Way::ANY]),
    &row(&["tr"]).is(&[Reader]).tool(Tool::Tr).reads(&[Way::ANY]),
    &row(&["column", "tac", "expand"]).is(&[Reader]).tool(Tool::Cat).reads(&[Way::ANY]),
    &row(&["comm", "fmt", "join", "hd", "look"]).is(&[Reader]).reads(&[Way::ANY]),
    &row(&["fold"]).is(&[Reader]).tool(Tool::Fold).options(Grammar::gnu(&["-w", "--width"])).reads(&[Way::ANY]),
    &row(&["rev"]).is(&[Reader]).tool(Tool::Rev).reads(&[Way::ANY]),
    &row(&["seq"]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["paste", "od", "hexdump"]).is(&[Reader]).tool(Tool::Paste).reads(&[Way::ANY]),
    &row(&["unexpand", "tput", "tsort", "zdiff"]).reads(&[Way::ANY]),
    &row(&["nl"])
        .is(&[Reader])
        .tool(Tool::Nl)
        .options(Grammar::gnu(&[
            "-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w", "--body-numbering", "--section-delimiter",
            "--footer-numbering", "--header-numbering", "--line-increment", "--join-blank-lines", "--number-format",
            "--number-separator", "--starting-line-number", "--number-width",
        ]))
        .reads(&[Way::ANY]),
    &row(&["more"]).tool(Tool::Pager).options(Grammar::gnu(&["-n", "--lines"])).reads(&[Way::ANY]),
    &row(&["jq"])
        .is(&[Followed])
        .tool(Tool::Jq)
        .options(Grammar { pairs: &["--arg", "--argjson"], ..Grammar::gnu(&["--indent", "-L"]) })
        .reads(&[Way::ANY]),
    &row(&["expr"]).is(&[TakesText, Reader]).tool(Tool::Tells).reads(&[Way::ANY]),
    &row(&["printf"]).is(&[Silent, Reader, HandsOn, Plain]).tool(Tool::Printf).options(Grammar::gnu(&["-v"])).reads(&[
        // `-v` puts the text into a variable, whose name can hold a command.
        but(&["-v"]),
    ]),
    &row(&["test"]).is(&[Silent, System, Plain]).tool(Tool::Test).reads(&[without(&["-v"])]),
    &row(&["["]).is(&[Plain]).tool(Tool::Test).reads(&[without(&["-v"])]),
    &row(&["less"])
        .is(&[System])
        .tool(Tool::Pager)
        .options(Grammar::gnu(&[
            "-p", "-P", "-o", "-O", "-t", "-T", "-k", "-j", "-b", "-h", "-x", "-y", "-z", "-D", "--pattern",
            "--prompt", "--log-file", "--tag", "--tag-file", "--lesskey-file", "--jump-target", "--buffers",
            "--max-back-scroll", "--tabs", "--max-forw-scroll", "--window", "--color", "--shift",
        ]))
        .reads(&[Way {
            but: &["+"],
            ..only(&["-N", "-R", "-S", "-F", "-X", "-i", "-I", "-n", "-e", "-E", "-r", "-s", "-#"])
        }]),
    &row(&["man"])
        .is(&[Silent, TakesText, Reader])
        .options(Grammar {
            table: &["-H[=]", "--html[=]"],
            ..Grammar::gnu(&[
                "-P", "--pager", "-C", "--config-file", "-L", "--locale", "-m", "--systems", "-M", "--manpath", "-s",
                "-S", "--sections", "-e", "--extension", "-p", "--preprocessor", "-E", "--encoding", "-r", "--prompt",
            ])
        })
        .reads(&[but(&["-P", "--pager", "-H", "--html", "-p", "--preprocessor", "-X", "--gxditview", "-C", "-B"])])
        .lines(&["-P", "--pager", "-H", "--html"]),
    &row(&["sort"])
        .is(&[Followed, HandsOn])
        .tool(Tool::Sort)
        .options(Grammar::gnu(&[
            "-k", "-t", "-o", "-T", "-S", "--key", "--output", "--field-separator", "--temporary-directory",
            "--buffer-size", "--parallel", "--batch-size", "--compress-program", "--files0-from", "--random-source",
            "--sort",
        ]))
        .reads(&[but(&["-o", "--output", "--compress-program"])])
        .lines(&["--compress-program"]),
    &row(&["gsort"]).reads(&[but(&["-o", "--output", "--compress-program"])]),
    &row(&["uniq"])
        .is(&[HandsOn])
        .tool(Tool::Uniq)
        .options(Grammar {
            table: &["--all-repeated[=]", "--group[=]"],
            ..Grammar::gnu(&["-f", "-s", "-w", "--skip-fields", "--skip-chars", "--check-chars"])
        })
        .reads(&[few(
            &[
                "-c", "-d", "-D", "-i", "-u", "-z", "-f=", "-s=", "-w=", "--count", "--repeated", "--unique",
                "--ignore-case",
            ],
            1,
        )])
        .writes(&Writes { operands: Written::Second, ..WRITES }),
    &row(&["iconv"])
        .is(&[Followed])
        .tool(Tool::Cat)
        .options(Grammar::gnu(&["-f", "--from-code", "-t", "--to-code", "-o", "--output"]))
        .reads(&[but(&["-o", "--output"])])
        .writes(&OUTPUT),
    &row(&["rg"])
        .is(&[Reader, Seeks])
        .tool(Tool::Rg)
        .options(Grammar::gnu(&[
            "-e", "-f", "-m", "-A", "-B", "-C", "-g", "-t", "-T", "-M", "-j", "-E", "-d", "-r", "--regexp", "--file",
            "--max-count", "--after-context", "--before-context", "--context", "--glob", "--iglob", "--type",
            "--type-not", "--type-add", "--type-clear", "--max-columns", "--threads", "--encoding", "--max-depth",
            "--maxdepth", "--replace", "--color", "--colors", "--sort", "--sortr", "--pre", "--pre-glob",
            "--ignore-file", "--max-filesize", "--path-separator", "--context-separator", "--field-match-separator",
            "--engine", "--dfa-size-limit", "--regex-size-limit",
        ]))
        .reads(&[but(&["--pre", "--hostname-bin", "-z", "--search-zip"])]),
    &row(&["ack"])
        .is(&[Reader])
        .tool(Tool::Ag)
        .options(Grammar {
            table: &["--color[=]"],
            ..Grammar::gnu(&[
                "-m", "-A", "-B", "-C", "-g", "-t", "-T", "--match", "--max-count", "--after-context",
                "--before-context", "--context", "--type", "--type-set", "--type-add", "--ignore-dir", "--ignore-file",
                "--files-from", "--ackrc", "--output", "--pager", "--range-start", "--range-end",
            ])
        })
        .reads(&[but(&["--pager", "--ackrc", "--env"])]),
    &row(&["git-grep"]).reads(&[but(&["-O", "--open-files-in-pager"])]),
    &row(&["sed"])
        .is(&[Silent, Followed, Editor, System])
        .tool(Tool::Sed)
        .options(Grammar {
            table: &["-i[=]", "--in-place[=]"],
            ..Grammar::gnu(&["-e", "-f", "-l", "--expression", "--file", "--line-length"])
        })
        .reads(&[SED_READS, VERSION]),
    &row(&["gsed"]).is(&[Editor]).reads(&[SED_READS, VERSION]),
    &row(&["awk"]).is(&[Followed, Editor, System, Seeks]).reads(&[AWK_READS, VERSION]).code(&AWK),
    &row(&["gawk"]).is(&[Followed, Editor]).reads(&[AWK_READS, VERSION]).code(&AWK),
    &row(&["mawk", "nawk"]).is(&[Followed]).reads(&[AWK_READS, VERSION]).code(&AWK),
    &row(&["yq"])
        .is(&[Followed])
        .tool(Tool::Yq)
        .options(Grammar {
            pairs: &["--arg", "--argjson"],
            ..Grammar::gnu(&[
                "--indent", "-I", "-L", "-o", "--output-format", "-p", "--input-format", "-s", "--split-exp",
            ])
        })
        .reads(&[but(&[
            "-i", "--inplace", "--in-place", "-s", "--split-exp", "--split-exp-file",
            "--security-enable-system-operator", "--from-file",
        ])]),
    &row(&["bat"]).is(&[TakesText, Reader]).tool(Tool::Cat).reads(&[BAT_READS]),
    &row(&["batcat"]).reads(&[BAT_READS]),
    &row(&["whereis"]).is(&[Silent, TakesText, Reader]).tool(Tool::Type).reads(&[Way::ANY]),
    &row(&["apropos"])
        .is(&[Silent, TakesText, Reader])
        .options(Grammar {
            table: &["-H[=]", "--html[=]"],
            ..Grammar::gnu(&[
                "-P", "--pager", "-C", "--config-file", "-L", "--locale", "-m", "--systems", "-M", "--manpath", "-s",
                "--sections",
            ])
        })
        .reads(&[Way::ANY])
        .lines(&["-P", "--pager", "-H", "--html"]),
    &row(&["whatis"]).is(&[Silent, TakesText, Reader]).reads(&[Way::ANY]),
    &row(&["tldr"]).is(&[TakesText]).reads(&[but(&["-h", "--host", "-p", "--port", "-s", "--service"])]),
    &row(&["pandoc"]).options(Grammar::gnu(OUTPUTS)).reads(&[HELP]).writes(&OUTPUT),
    &row(&["help"]).is(&[Silent, Reader]).tool(Tool::Nothing),
    &row(&["info", "cowsay", "figlet", "cheat", "fzf"]).is(&[TakesText]),
    &row(&["m4"])
        .is(&[Unread])
        .tool(Tool::M4)
        .options(Grammar::one_dash(&["-I", "-D", "-U", "-o", "-F", "-L", "-R"]))
        .writes(&COMPILER),
    &row(&["ag"]).is(&[Reader]).tool(Tool::Ag).options(Grammar::gnu(&[
        "-m", "-A", "-B", "-C", "-g", "-G", "-p", "-W", "--max-count", "--after", "--before", "--context",
        "--file-search-regex", "--ignore", "--ignore-dir", "--path-to-ignore", "--depth", "--pager", "--width",
        "--workers",
    ])),
    &row(&[
        "ajv", "check-jsonschema", "editorconfig-checker", "fx", "glow", "gron", "jless", "jp", "json_pp",
        "json_verify", "numfmt", "pr",
    ])
    .is(&[Reader]),
    &row(&["dos2unix"]).is(&[Reader]).tool(Tool::Cat).writes(&FORMATTER),
    &row(&["yes"]).is(&[Reader]).tool(Tool::Yes),
    &row(&["sd"]).is(&[Editor]).options(Grammar::gnu(&["-n", "--max-replacements", "-f", "--flags"])).writes(&Writes {
        unless: &["-p", "--preview"],
        operands: Written::AfterTwo,
        ..WRITES
    }),
    &row(&["rpl"])
        .is(&[Editor])
        .tool(Tool::Replace)
        .options(Grammar::gnu(&["-x", "--suffix", "--encoding"]))
        .writes(&Writes { unless: &["-p", "--preview"], operands: Written::AfterTwo, ..WRITES }),
    &row(&["replace"]).is(&[Editor]).tool(Tool::Replace).options(Grammar::gnu(&["--include", "--exclude"])),
    &row(&["fastmod", "codemod"]).is(&[Editor]).tool(Tool::Fastmod).options(Grammar::gnu(&[
        "-e", "--extensions", "-d", "--dir", "-g", "--glob", "--iglob", "--exclude-paths", "--start", "--end",
    ])),
    &row(&["shuf", "csvtk", "xmllint", "xsltproc", "dot", "tidy", "jsonnet"])
        .options(Grammar::gnu(OUTPUTS))
        .writes(&OUTPUT),
    &row(&["unix2dos", "mac2unix", "fromdos", "todos", "recode"]).writes(&FORMATTER),
    &row(&["jsonlint"])
        .writes(&Writes { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }),
    &row(&["json"])
        .tool(Tool::Json)
        .options(Grammar::gnu(&["-e", "-c", "-f"]))
        .writes(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
    &row(&["comby", "tomlq", "xq"])
        .options(Grammar::gnu(&["-f"]))
        .writes(&Writes { when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }),
    &row(&["dasel"])
        .options(Grammar::gnu(&["-f", "--file", "-o", "--out", "-r", "--read", "-w", "--write"]))
        // Version 1 writes back by its verbs, and names the file in an option.
        .writes(&Writes { files: &["-f", "--file"], verbs: &["delete", "put"], ..WRITES }),
    &row(&["original-awk", "goawk"]).code(&AWK),
    &row(&["typos", "codespell", "markdownlint", "taplo", "cspell", "yamllint"]).tool(Tool::Checkers),
    &row(&["clear-history"]).tool(Tool::ClearHistory),
    &row(&["tex", "latex", "pdftex", "pdflatex", "xelatex", "xetex", "lualatex", "luatex"]).tool(Tool::Tex),
    &row(&["most"]).tool(Tool::Most),
];
