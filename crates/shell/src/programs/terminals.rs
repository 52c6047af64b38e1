//! Terminals, and what types into them.

use super::Trait::{HandsOn, Prose, TakesText, Terminal};
use super::reads::exactly;
use super::runs::{RUNS, Rest, Runs};
use super::types::{How, TMUX, Types};
use super::writes::{WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};

pub(super) const KITTY_RUNS: Runs = Runs {
    verbs: &["@ send-text", "@ send-key", "send-text", "send-key"],
    values: &["-m", "--match", "-t", "--match-tab", "--to"],
    rest: Rest::Keys,
    ..RUNS
};

pub(super) const KITTY_RUNS2: Runs = Runs {
    values: &["-T", "--title", "-c", "--config", "-d", "--directory", "--class", "-o", "--override", "--name"],
    ..RUNS
};

pub(super) const KITTY_TYPES: Types =
    Types { verbs: &["send-text"], values: &["-m", "--match", "-t", "--match-tab", "--to"], how: How::Text };

pub(super) const KITTY_TYPES2: Types =
    Types { verbs: &["send-key"], values: &["-m", "--match", "-t", "--match-tab", "--to"], how: How::Keys };

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["tmux"],
        tool: Tool::Tmux,
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        runs: &[
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
            }, // What is typed into a terminal is run by the shell there.
            Runs { verbs: &["send-keys", "send"], values: &["-t", "-N"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["pipe-pane", "pipep"], values: &["-t", "-S", "-L", "-f"], rest: Rest::Line, ..RUNS },
        ],
        types: &[
            Types { verbs: &["send-keys"], values: TMUX, how: How::Keys },
            Types { verbs: &["set-buffer", "setb"], values: TMUX, how: How::Text },
            Types { verbs: &["load-buffer", "loadb", "paste-buffer", "pasteb"], values: TMUX, how: How::Elsewhere },
        ],
        ..PROGRAM
    },
    Program {
        names: &["screen"],
        reads: &[
            // Asking for a version starts the program, and nothing else.
            exactly(&["--version", "-V", "--help"]),
        ],
        runs: &[
            Runs { verbs: &["stuff"], values: &["-S", "-p"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["exec", "screen"], values: &["-S", "-p"], ..RUNS },
            Runs { values: &["-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-Logfile"], without: &["-X"], ..RUNS },
        ],
        types: &[
            Types { verbs: &["stuff"], values: &["-S", "-p"], how: How::Text },
            Types { verbs: &["paste", "readbuf"], values: &["-S", "-p"], how: How::Elsewhere },
        ],
        ..PROGRAM
    },
    Program {
        names: &["unbuffer"],
        runs: &[Runs { assigns: true, ..RUNS }],
        types: &[Types { verbs: &[], values: &[], how: How::Input }],
        ..PROGRAM
    },
    Program {
        names: &["script"],
        is: traits(&[HandsOn]),
        runs: &[Runs {
            values: &["-t", "-T", "-I", "-O", "-B", "-m", "-o", "-E"],
            lines: &["-c", "--command"],
            skip: 1,
            ..RUNS
        }],
        types: &[Types { verbs: &[], values: &[], how: How::Input }],
        writes: Some(&Writes {
            values: &["-c", "--command", "-t", "-T", "-I", "-O", "-B", "-m", "-E"],
            operands: Written::First,
            ..WRITES
        }),
        ..PROGRAM
    },
    Program {
        names: &["xdotool"],
        runs: &[
            Runs { verbs: &["type"], values: &["--delay", "--window"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["key"], values: &["--delay", "--window"], rest: Rest::Keys, ..RUNS },
        ],
        types: &[
            Types { verbs: &["type"], values: &["--delay", "--window", "--clearmodifiers"], how: How::Text },
            Types { verbs: &["key"], values: &["--delay", "--window"], how: How::Keys },
        ],
        ..PROGRAM
    },
    Program {
        names: &["ydotool"],
        runs: &[Runs {
            verbs: &["type"],
            values: &["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay"],
            rest: Rest::Keys,
            ..RUNS
        }],
        types: &[Types {
            verbs: &["type"],
            values: &["-d", "--key-delay", "-H", "--key-hold", "-D", "--next-delay"],
            how: How::Text,
        }],
        ..PROGRAM
    },
    Program {
        names: &["wtype"],
        runs: &[Runs { values: &["-s", "-d", "-M", "-m", "-P", "-p"], rest: Rest::Keys, ..RUNS }],
        types: &[Types { verbs: &[], values: &["-s", "-d", "-M", "-m", "-P", "-p"], how: How::Keys }],
        tool: Tool::Wtype,
        ..PROGRAM
    },
    Program { names: &["kitty"], runs: &[KITTY_RUNS, KITTY_RUNS2], types: &[KITTY_TYPES, KITTY_TYPES2], ..PROGRAM },
    Program { names: &["kitten"], runs: &[KITTY_RUNS], types: &[KITTY_TYPES, KITTY_TYPES2], ..PROGRAM },
    Program {
        names: &["wezterm"],
        runs: &[
            Runs { verbs: &["cli send-text"], values: &["--pane-id"], rest: Rest::Keys, ..RUNS },
            Runs { verbs: &["start", "cli spawn"], values: &["--cwd", "--class"], ..RUNS },
        ],
        types: &[Types { verbs: &["send-text"], values: &["--pane-id"], how: How::Text }],
        ..PROGRAM
    },
    Program {
        names: &["zellij"],
        runs: &[
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
        ],
        types: &[
            Types { verbs: &["write-chars"], values: &["-p", "--pane-id", "--session"], how: How::Text },
            Types { verbs: &["write"], values: &["-p", "--pane-id", "--session"], how: How::Bytes },
        ],
        ..PROGRAM
    },
    Program {
        names: &["asciinema"],
        runs: &[Runs { verbs: &["rec"], lines: &["-c", "--command"], skip: usize::MAX, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["ttyrec"], runs: &[Runs { lines: &["-e"], skip: usize::MAX, ..RUNS }], ..PROGRAM },
    Program {
        names: &["ts"],
        runs: &[
            // Queues and terminals that go on when the person leaves.
            Runs { values: &["-L", "-N", "-D", "-W", "-O", "-S"], ..RUNS },
        ],
        ..PROGRAM
    },
    Program { names: &["nq", "detach", "pueue-run"], runs: &[Runs { ..RUNS }], ..PROGRAM },
    Program {
        names: &["pueue"],
        runs: &[Runs {
            verbs: &["add"],
            values: &["-w", "--working-directory", "-g", "--group", "-d", "--delay", "-a", "--after", "-l", "--label"],
            rest: Rest::Line,
            ..RUNS
        }],
        ..PROGRAM
    },
    Program {
        names: &["dtach"],
        runs: &[Runs { values: &["-A", "-c", "-n", "-N", "-a", "-e", "-r"], ..RUNS }],
        ..PROGRAM
    },
    Program {
        names: &["abduco", "dvtm"],
        runs: &[Runs { values: &["-A", "-c", "-n", "-a", "-e"], ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["foot", "footclient"], runs: &[KITTY_RUNS2], ..PROGRAM },
    Program { names: &["say", "espeak", "notify-send", "wall", "write"], is: traits(&[TakesText, Prose]), ..PROGRAM },
    Program { names: &["llm", "zoxide", "z"], is: traits(&[TakesText]), ..PROGRAM },
    Program { names: &["xterm", "rxvt", "urxvt"], is: traits(&[Terminal]), tool: Tool::Xterm, ..PROGRAM },
    Program {
        names: &[
            "uxterm", "lxterm", "st", "alacritty", "konsole", "gnome-terminal", "xfce4-terminal", "mate-terminal",
            "lxterminal", "terminator", "tilix", "ghostty", "terminology", "qterminal", "ptyxis", "kgx",
            "x-terminal-emulator", "sakura", "termite", "cool-retro-term",
        ],
        is: traits(&[Terminal]),
        ..PROGRAM
    },
    Program {
        names: &["cliclick"],
        types: &[Types { verbs: &[], values: &["-w", "-e", "-m", "-f"], how: How::Marked }],
        ..PROGRAM
    },
    Program { names: &["dotool", "dotoolc"], types: &[Types { verbs: &[], values: &[], how: How::Input }], ..PROGRAM },
    Program {
        names: &["dircolors", "lesspipe", "resize", "tset", "thefuck", "register-python-argcomplete"],
        tool: Tool::PrintsSettings,
        ..PROGRAM
    },
];
