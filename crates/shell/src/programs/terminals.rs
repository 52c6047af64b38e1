//! Terminals, and what types into them.

use super::Trait::{HandsOn, Prose, TakesText, Terminal};
use super::reads::HELP;
use super::runs::{RUNS, Rest, Runs};
use super::types::{How, Types};
use super::writes::{WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Options of the commands that type.
const KITTY: Grammar<'_> = Grammar::one_dash(&["-m", "--match", "-t", "--match-tab", "--to"]);

const KITTY_RUNS: Runs = Runs {
    verbs: &["@ send-text", "@ send-key", "send-text", "send-key"],
    values: &["-m", "--match", "-t", "--match-tab", "--to"],
    rest: Rest::Keys,
    ..RUNS
};

const TERMINAL_RUNS: Runs = Runs {
    values: &["-T", "--title", "-c", "--config", "-d", "--directory", "--class", "-o", "--override", "--name"],
    ..RUNS
};

const KITTY_TYPES: &[Types] =
    &[Types { verbs: &["send-text"], how: How::Text }, Types { verbs: &["send-key"], how: How::Keys }];

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["tmux"])
        .tool(Tool::Tmux)
        .options(Grammar::one_dash(&["-t", "-N", "-c", "-b", "-L", "-S", "-f", "-n"]))
        .reads(&[HELP])
        .runs(&[
            Runs {
                verbs: &[
                    "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp",
                    "respawn-window", "run-shell", "run", "if-shell",
                ],
                values: &["-s", "-n", "-c", "-t", "-x", "-y", "-e", "-F", "-l", "-p", "-f", "-S", "-L"],
                rest: Rest::Either,
                ..RUNS
            },
            Runs {
                verbs: &["display-popup", "popup"],
                values: &["-b", "-c", "-d", "-e", "-h", "-s", "-S", "-t", "-T", "-w", "-x", "-y"],
                rest: Rest::Either,
                ..RUNS
            },
            // What is typed into a terminal is run by the shell there.
            Runs { verbs: &["send-keys", "send"], values: &["-t", "-N"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["pipe-pane", "pipep"], values: &["-t", "-S", "-L", "-f"], rest: Rest::Line, ..RUNS },
        ])
        .types(&[
            Types { verbs: &["send-keys"], how: How::Keys },
            Types { verbs: &["set-buffer", "setb"], how: How::Text },
            Types { verbs: &["load-buffer", "loadb", "paste-buffer", "pasteb"], how: How::Elsewhere },
        ]),
    &row(&["screen"])
        .tool(Tool::Screen)
        .options(Grammar::one_dash(&["-S", "-p", "-c", "-e", "-h", "-s", "-t", "-T"]))
        .reads(&[HELP])
        .runs(&[
            Runs { verbs: &["stuff"], values: &["-S", "-p"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["exec", "screen"], values: &["-S", "-p"], ..RUNS },
            Runs { values: &["-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-Logfile"], without: &["-X"], ..RUNS },
        ])
        .types(&[
            Types { verbs: &["stuff"], how: How::Text },
            Types { verbs: &["paste", "readbuf"], how: How::Elsewhere },
        ]),
    &row(&["unbuffer"])
        .options(Grammar::one_dash(&[]))
        .runs(&[Runs { assigns: true, ..RUNS }])
        .types(&[Types { verbs: &[], how: How::Input }]),
    &row(&["script"])
        .is(&[HandsOn])
        .options(Grammar {
            table: &["-t[=]", "--timing[=]", "-T="],
            ..Grammar::gnu(&[
                "-c", "--command", "-B", "-I", "-O", "-E", "-m", "-o", "--log-io", "--log-in", "--log-out", "--echo",
                "--logging-format", "--output-limit",
            ])
        })
        .runs(&[Runs {
            values: &["-t", "-T", "-I", "-O", "-B", "-m", "-o", "-E"],
            lines: &["-c", "--command"],
            skip: 1,
            ..RUNS
        }])
        .types(&[Types { verbs: &[], how: How::Input }])
        .writes(&Writes { operands: Written::First, ..WRITES }),
    &row(&["xdotool"])
        .options(Grammar::one_dash(&["--delay", "--window", "--args", "--file", "--terminator"]))
        .runs(&[
            Runs { verbs: &["type"], values: &["--delay", "--window"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["key"], values: &["--delay", "--window"], rest: Rest::Keys, ..RUNS },
        ])
        .types(&[Types { verbs: &["type"], how: How::Text }, Types { verbs: &["key"], how: How::Keys }]),
    &row(&["ydotool"])
        .options(Grammar::one_dash(&["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay", "-f", "--file"]))
        .runs(&[Runs {
            verbs: &["type"],
            values: &["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay"],
            rest: Rest::Keys,
            ..RUNS
        }])
        .types(&[Types { verbs: &["type"], how: How::Text }]),
    &row(&["wtype"])
        .tool(Tool::Wtype)
        .options(Grammar::one_dash(&["-s", "-d", "-M", "-m", "-P", "-p", "-k"]))
        .runs(&[Runs { values: &["-s", "-d", "-M", "-m", "-P", "-p"], rest: Rest::Keys, ..RUNS }])
        .types(&[Types { verbs: &[], how: How::Keys }]),
    &row(&["kitty"]).options(KITTY).runs(&[KITTY_RUNS, TERMINAL_RUNS]).types(KITTY_TYPES),
    &row(&["kitten"]).options(KITTY).runs(&[KITTY_RUNS]).types(KITTY_TYPES),
    &row(&["wezterm"])
        .options(Grammar::one_dash(&["--pane-id"]))
        .runs(&[
            Runs { verbs: &["cli send-text"], values: &["--pane-id"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["start", "cli spawn"], values: &["--cwd", "--class"], ..RUNS },
        ])
        .types(&[Types { verbs: &["send-text"], how: How::Text }]),
    &row(&["zellij"])
        .tool(Tool::Zellij)
        .options(Grammar::one_dash(&["-p", "--pane-id", "--session"]))
        .runs(&[
            Runs {
                verbs: &["action write-chars"],
                values: &["-p", "--pane-id", "--session"],
                rest: Rest::Keys,
                ..RUNS
            },
            Runs {
                verbs: &["run", "r", "action new-pane"],
                values: &["-d", "--direction", "-n", "--name", "--cwd", "--height", "--width", "-x", "-y"],
                ..RUNS
            },
        ])
        .types(&[Types { verbs: &["write-chars"], how: How::Text }, Types { verbs: &["write"], how: How::Bytes }]),
    &row(&["asciinema"])
        .options(Grammar::gnu(&[
            "-c", "--command", "-e", "--env", "-t", "--title", "-i", "--idle-time-limit", "--cols", "--rows", "-s",
            "--speed", "--max-wait", "-f", "--format", "--window-size",
        ]))
        .runs(&[Runs { verbs: &["rec"], lines: &["-c", "--command"], skip: usize::MAX, ..RUNS }]),
    &row(&["ttyrec"]).options(Grammar::gnu(&["-e"])).runs(&[Runs { lines: &["-e"], skip: usize::MAX, ..RUNS }]),
    &row(&["ts"]).runs(&[
        // Queues and terminals that go on when the user leaves.
        Runs { values: &["-L", "-N", "-D", "-W", "-O", "-S"], ..RUNS },
    ]),
    &row(&["nq", "detach", "pueue-run"]).runs(&[Runs { ..RUNS }]),
    &row(&["pueue"]).runs(&[Runs {
        verbs: &["add"],
        values: &["-w", "--working-directory", "-g", "--group", "-d", "--delay", "-a", "--after", "-l", "--label"],
        rest: Rest::Line,
        ..RUNS
    }]),
    &row(&["dtach"]).runs(&[Runs { values: &["-A", "-c", "-n", "-N", "-a", "-e", "-r"], ..RUNS }]),
    &row(&["abduco", "dvtm"]).runs(&[Runs { values: &["-A", "-c", "-n", "-a", "-e"], ..RUNS }]),
    &row(&["foot", "footclient"]).runs(&[TERMINAL_RUNS]),
    &row(&["say", "espeak", "notify-send", "wall", "write"]).is(&[TakesText, Prose]),
    &row(&["llm", "zoxide", "z"]).is(&[TakesText]),
    &row(&["xterm", "rxvt", "urxvt"])
        .is(&[Terminal])
        .tool(Tool::Xterm)
        .options(Grammar::one_dash(&["-display", "-e", "-T", "-geometry", "-title", "-name"])),
    &row(&[
        "uxterm", "lxterm", "st", "alacritty", "konsole", "gnome-terminal", "xfce4-terminal", "mate-terminal",
        "lxterminal", "terminator", "tilix", "ghostty", "terminology", "qterminal", "ptyxis", "kgx",
        "x-terminal-emulator", "sakura", "termite", "cool-retro-term",
    ])
    .is(&[Terminal]),
    &row(&["cliclick"])
        .options(Grammar::one_dash(&["-w", "-e", "-m", "-f"]))
        .types(&[Types { verbs: &[], how: How::Marked }]),
    &row(&["dotool", "dotoolc"]).options(Grammar::one_dash(&[])).types(&[Types { verbs: &[], how: How::Input }]),
    &row(&["dircolors", "lesspipe", "resize", "tset", "thefuck", "register-python-argcomplete"])
        .tool(Tool::PrintsSettings),
];
