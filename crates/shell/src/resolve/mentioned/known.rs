//! What is known of programs and of their options, as far as it says whether a file of the guard is safe with them.

/// Programs whose operands and input are commands or code that nobody here reads, or not all of it.
pub(super) const COMMANDED: &[&str] = &[
    "aria2c", "atftp", "bb", "bc", "bsdcpio", "clisp", "clj", "clojure", "convert", "cpio", "crystal", "csi", "dc",
    "debugfs", "ecl", "elixir", "erl", "escript", "expect", "ftp", "gdb", "ghc", "ghci", "gjs", "gnuplot", "gp",
    "groovy", "guestfish", "guile", "iex", "jshell", "julia", "kotlin", "kotlinc", "lftp", "littler", "lldb", "lua",
    "luajit", "m4", "magick", "matlab", "maxima", "ncftp", "nft", "nim", "ocaml", "ocamlfind", "octave", "octave-cli",
    "osascript", "osqueryi", "parted", "pax", "r", "racket", "raku", "rscript", "runghc", "sbcl", "scala", "sftp",
    "smbclient", "swift", "tclsh", "tftp", "wish",
];

/// Variables that name the place where a program puts what it makes.
pub(super) const PLACES: &[&str] = &[
    "GEM_HOME", "GIT_TRACE", "GIT_TRACE_CURL", "GIT_TRACE_SETUP", "GIT_TRACE_PACKET", "GIT_TRACE_REFS",
    "GIT_TRACE_PACKFILE", "GIT_TRACE_PERFORMANCE", "GIT_TRACE_SHALLOW", "GIT_TRACE2", "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF", "GOBIN", "GOPATH", "PIP_ROOT", "BUNDLE_PATH", "BUN_INSTALL", "CARGO_BUILD_TARGET_DIR",
    "CARGO_HOME", "CARGO_INSTALL_ROOT", "CARGO_TARGET_DIR", "DENO_INSTALL_ROOT", "NPM_CONFIG_PREFIX", "PIPX_BIN_DIR",
    "PIPX_HOME", "PIP_PREFIX", "PIP_TARGET", "PNPM_HOME", "PYTHONUSERBASE", "UV_PROJECT_ENVIRONMENT",
    "UV_TOOL_BIN_DIR", "UV_TOOL_DIR", "npm_config_cache", "npm_config_prefix",
];

/// Options with which programs that otherwise read name a file that they write.
pub(super) const OUTPUTS: &[&str] = &[
    "--out", "--output", "-O", "-b", "-o", "-r", "--baseline", "--log-file", "--logfile-path", "--outfile",
    "--output-file", "--report-file", "--report-path", "--temp-path",
];

/// Options by which a language is given code, and many programs a command of theirs.
pub(super) const CODE: &[&str] = &[
    "--cmd", "--eval", "--exec", "--expr", "--run", "-E", "-R", "-c", "-e", "-eval", "-exec", "-q", "-r", "-x",
    "--command", "--execute", "--expression",
];

/// Programs that read files by name, or only tell of them, and write none.
pub(super) const READERS: &[&str] = &[
    "ack", "ag", "ajv", "apropos", "b2sum", "b3sum", "basename", "bat", "bsdiff", "cat", "check-jsonschema", "cksum",
    "cmp", "code", "colordiff", "column", "comm", "cursor", "cut", "delta", "df", "diff", "diff3", "diffstat", "difft",
    "dir", "dirname", "dos2unix", "du", "echo", "editorconfig-checker", "egrep", "emacs", "eslint", "exa", "expand",
    "expr", "eza", "fgrep", "file", "fmt", "fold", "fswatch", "fuser", "fx", "gecho", "getent", "getfacl", "glow",
    "grep", "gron", "hd", "head", "help", "hexdump", "hexyl", "history", "icdiff", "idea", "jless", "join", "jp",
    "json_pp", "json_verify", "kill", "ldd", "ll", "locate", "logger", "look", "ls", "lsattr", "lsd", "lsof", "man",
    "md5", "md5sum", "namei", "nl", "nm", "numfmt", "objdump", "od", "open", "otool", "paste", "pbcopy", "pr",
    "printenv", "printf", "ps", "pv", "readelf", "readlink", "realpath", "rev", "rg", "ripsecrets", "sha1sum",
    "sha256sum", "sha512sum", "shasum", "size", "sleep", "stat", "strings", "subl", "sum", "tac", "tail", "tokei",
    "tr", "trufflehog", "wc", "wdiff", "whatis", "whereis", "which", "wl-copy", "xclip", "xdg-mime", "xdg-open", "yes",
    "zcat", "zgrep", "zipinfo", "zless",
];

/// Programs all of whose words are followed elsewhere.
pub(super) const FOLLOWED: &[&str] = &[
    "at", "awk", "base32", "base64", "batch", "bfs", "chattr", "chgrp", "chmod", "chown", "cmd", "cp", "crontab",
    "csh", "dd", "del", "del-cli", "ditto", "ed", "fd", "fdfind", "find", "gawk", "gcp", "gfind", "gmv", "grm",
    "gunzip", "iconv", "install", "ipython", "jq", "link", "ln", "mawk", "mv", "nano", "nawk", "nvr", "parallel",
    "powershell", "pwsh", "rename", "rimraf", "rip", "rm", "rm-improved", "rmdir", "rmtrash", "sdelete", "sed", "sem",
    "setfacl", "shred", "sort", "sponge", "srm", "symlink", "tcsh", "tee", "touch", "trash", "trash-put", "truncate",
    "unlink", "wipe", "xargs", "xz", "yq",
];

/// Interpreters whose code is followed as far as it is known; what a script does with its words is not.
pub(super) const SCRIPTED: &[&str] = &[
    "ash", "bash", "dash", "fish", "ksh", "mksh", "node", "nodejs", "perl", "php", "py", "pypy", "python", "ruby",
    "sh", "ts-node", "tsx", "zsh",
];

/// Whether a list in the order of its bytes holds the name.
pub(super) fn is_in(name: &str, list: &[&str]) -> bool {
    list.binary_search(&name).is_ok()
}

const _: () = assert!(is_sorted(COMMANDED) && is_sorted(READERS) && is_sorted(FOLLOWED) && is_sorted(SCRIPTED));

const fn is_sorted(list: &[&str]) -> bool {
    let mut rest = list;
    while let [first, after @ ..] = rest {
        if let [second, ..] = after
            && !is_less(first.as_bytes(), second.as_bytes())
        {
            return false;
        }
        rest = after;
    }
    true
}

const fn is_less(one: &[u8], other: &[u8]) -> bool {
    match (one, other) {
        (_, []) => false,
        ([], _) => true,
        ([a, one @ ..], [b, other @ ..]) => *a < *b || *a == *b && is_less(one, other),
    }
}
