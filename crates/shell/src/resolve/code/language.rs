//! Interpreters: how they take code, and the names by which code removes, starts, reads and sends.

/// How an interpreter takes code on its command line.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::resolve) struct Language {
    pub(in crate::resolve) names: &'static [&'static str],
    /// Options whose value is code.
    pub(in crate::resolve) code: &'static [&'static str],
    /// Other options with a value.
    pub(in crate::resolve) values: &'static [&'static str],
    /// Words before the code.
    pub(in crate::resolve) verbs: &'static [&'static str],
    /// The first operand is code.
    pub(in crate::resolve) operand: bool,
    /// `-n` and `-p` read the operands line by line, `-i` writes them.
    pub(in crate::resolve) loops: bool,
    /// A call may leave out the brackets.
    pub(in crate::resolve) bare: bool,
    /// Names hold hyphens, and brackets stand around the whole call.
    pub(in crate::resolve) lisp: bool,
    /// It is no language of calls, but of commands.
    pub(in crate::resolve) commands: bool,
    /// Backquotes start a program.
    pub(in crate::resolve) backquotes: bool,
    /// The option that runs a module of its own.
    pub(in crate::resolve) module: Option<&'static str>,
    /// What begins a comment.
    pub(in crate::resolve) comment: &'static str,
}

pub(super) const BASE: Language = Language {
    names: &[],
    code: &[],
    values: &[],
    verbs: &[],
    operand: false,
    loops: false,
    bare: false,
    lisp: false,
    commands: false,
    backquotes: false,
    module: None,
    comment: "#",
};

pub(super) const LANGUAGES: &[Language] = &[
    Language {
        names: &["python", "python2", "python3", "pypy", "pypy3", "py", "ipython", "micropython", "sage"],
        code: &["-c"],
        module: Some("-m"),
        values: &["-m", "-W", "-X", "-Q"],
        ..BASE
    },
    Language {
        names: &["node", "nodejs", "bun", "tsx", "ts-node", "qjs", "zx"],
        code: &["-e", "--eval", "-p", "--print", "-pe"],
        values: &["-r", "--require", "--import", "--loader"],
        comment: "//",
        ..BASE
    },
    Language { names: &["deno"], verbs: &["eval"], operand: true, comment: "//", ..BASE },
    Language {
        names: &["perl"],
        code: &["-e", "-E"],
        values: &["-I", "-M", "-m", "-F", "-i", "-0"],
        loops: true,
        bare: true,
        backquotes: true,
        ..BASE
    },
    Language {
        names: &["ruby", "jruby", "irb"],
        code: &["-e"],
        values: &["-r", "-I", "-C"],
        loops: true,
        bare: true,
        backquotes: true,
        ..BASE
    },
    Language {
        names: &["php"],
        code: &["-r", "-B", "-R", "-E"],
        values: &["-d", "-c", "-S", "-t"],
        bare: true,
        backquotes: true,
        comment: "//",
        ..BASE
    },
    Language { names: &["lua", "luajit"], code: &["-e"], values: &["-l"], comment: "--", ..BASE },
    Language { names: &["r", "rscript", "littler"], code: &["-e"], values: &["--file"], ..BASE },
    Language {
        names: &["julia"],
        code: &["-e", "-E", "--eval", "--print"],
        values: &["-L", "-p", "--project"],
        ..BASE
    },
    Language { names: &["osascript"], code: &["-e"], values: &["-l"], comment: "--", ..BASE },
    Language { names: &["tclsh", "wish", "expect"], code: &["-c", "-e"], values: &["-f"], commands: true, ..BASE },
    Language {
        names: &["emacs", "emacsclient", "guile", "racket", "sbcl", "clojure", "clj", "bb", "ecl", "clisp", "csi"],
        code: &["-e", "-c", "--eval", "-eval", "--execute", "-x"],
        values: &["-l", "--load", "-f", "--funcall"],
        lisp: true,
        comment: "\u{0}",
        ..BASE
    },
    Language { names: &["crystal"], verbs: &["eval"], operand: true, bare: true, ..BASE },
    Language {
        names: &["elixir", "iex", "raku"],
        code: &["-e", "--eval", "--execute"],
        values: &["-r", "-S", "--sname", "--name"],
        bare: true,
        ..BASE
    },
    Language {
        names: &["erl", "escript", "groovy", "scala", "swift", "ghc", "runghc", "jshell", "nim", "gjs", "osqueryi"],
        code: &["-e", "-c", "--eval", "-eval", "--execute"],
        values: &[],
        ..BASE
    },
    Language {
        names: &["octave", "octave-cli", "gnuplot", "maxima", "matlab", "kotlin", "kotlinc"],
        code: &["-e", "--eval", "-r", "-batch", "--batch-string"],
        ..BASE
    },
    Language { names: &["ocaml", "ocamlfind", "nim"], code: &["-e"], verbs: &["e"], bare: true, ..BASE },
    Language {
        names: &["awk", "gawk", "mawk", "nawk", "original-awk", "goawk"],
        code: &["-e", "--source"],
        values: &["-F", "-v", "-f", "-i", "--field-separator", "--assign", "--file"],
        operand: true,
        ..BASE
    },
];

/// Vim's own script.
pub(in crate::resolve) const VIM: &Language = &Language { comment: "\u{0}", ..BASE };

/// The language of an interpreter; versions in its name do not matter.
pub(in crate::resolve) fn language(program: &str) -> Option<&'static Language> {
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES
        .iter()
        .find(|language| language.names.contains(&program) || (stem.len() > 1 && language.names.contains(&stem)))
}

pub(super) const RUNS: &[&str] = &[
    "system", "popen", "popen2", "popen3", "popen4", "run", "call", "check_call", "check_output", "getoutput",
    "getstatusoutput", "spawn", "spawnsync", "execsync", "execfile", "execfilesync", "execv", "execvp", "execve",
    "execl", "execlp", "execle", "execvpe", "spawnl", "spawnlp", "spawnv", "spawnvp", "shell_exec", "passthru",
    "proc_open", "pcntl_exec", "qx", "open3", "capture2", "capture3", "capture2e", "execute",
    "create_subprocess_shell", "create_subprocess_exec", "command", "shell", "sh", "system2", "shellescape",
    "startprocess", "getline", "posix_spawn", "posix_spawnp", "dosystem", "cmd", "commandsync", "spawn_shell",
    "getstatus", "doshellscript", "doscript", "shell-command", "shell-command-to-string", "async-shell-command",
    "call-process", "call-process-shell-command", "start-process", "start-process-shell-command", "make-process",
    "run-program", "process-lines", "run-shell-command", "system*",
];
pub(super) const TREES: &[&str] = &[
    "rmtree", "rm_rf", "rm_r", "rimraf", "remove_tree", "remove_dir", "remove_dir_all", "remove_entry",
    "remove_entry_secure", "removedirs", "deltree", "emptydir", "removesync", "rmdirsync", "unlink_recursive",
    "delete_tree", "removerecursively", "delete-directory", "delete-directory-and-files", "delete-directory-tree",
];
pub(super) const FILES: &[&str] = &[
    "unlink", "remove", "unlinksync", "rmsync", "rm", "rmdir", "delete", "removefile", "remove_file", "removeitem",
    "file_delete", "delete-file", "truncate", "truncatesync",
];
pub(super) const WRITES: &[&str] = &[
    "writefile", "writefilesync", "write_text", "write_bytes", "file_put_contents", "appendfile", "appendfilesync",
    "touch", "outputfile", "createwritestream", "binwrite", "writetextfile", "writetextfilesync",
    // Of Emacs.
    "write-region", "write-file", "append-to-file", "with-temp-file", "with-temp-buffer-file", "copy-file",
    "copy-directory", "make-symbolic-link", "add-name-to-file", "set-file-modes", "rename-file", "url-copy-file",
];
pub(super) const MOVES: &[&str] = &[
    "rename", "renamesync", "move", "replace", "copyfile", "copyfilesync", "copy", "copy2", "cp", "mv", "copytree",
    "symlink", "symlinksync", "link", "linksync", "cpsync", "copysync", "movesync", "ln_s", "ln_sf",
];
pub(super) const MODES: &[&str] = &[
    "chmod", "chmodsync", "chown", "lchmod", "chownsync", "fchmod", "chmod_r", "chown_r", "chflags", "lchflags",
    "lchown", "lchmodsync", "lchownsync", "setfacl", "setxattr",
];
pub(super) const READS: &[&str] = &[
    "open", "opensync", "sysopen", "read", "readfile", "readfilesync", "read_text", "read_bytes", "file_get_contents",
    "fopen", "readlines", "readlinessync", "foreach", "slurp", "createreadstream", "load", "readtextfile",
    "readtextfilesync", "io", "file", "fileinput", "input", "getline", "readlink", "copyfile", "copyfilesync", "copy",
    "copy2", "cp", "include", "require", "readall", "binread", "parse", "read_csv", "genfromtxt", "loadtxt",
    "dotenv_values", "lines",
];
pub(super) const DECODERS: &[&str] = &[
    "b64decode", "standard_b64decode", "urlsafe_b64decode", "atob", "base64_decode", "decode64", "strict_decode64",
    "urlsafe_decode64", "decode_base64", "unhexlify", "fromhex", "from", "a2b_base64", "pack", "hex2bin", "str_rot13",
];
/// Functions whose result says nothing of what they are given.
pub(super) const HIDES: &[&str] = &[
    "decompress", "loads", "inflate", "gunzip", "gzinflate", "gzuncompress", "gunzipsync", "inflatesync",
    "unserialize", "decrypt",
];
pub(super) const EVALUATES: &[&str] = &[
    "exec", "eval", "compile", "function", "instance_eval", "class_eval", "loadstring", "vm", "runinthiscontext",
    "runinnewcontext", "assert", "create_function", "execstring", "eval_string", "eval_quoted",
];
pub(super) const FETCHES: &[&str] = &[
    "urlopen", "urlretrieve", "requests", "httpx", "fetch", "axios", "net", "openuri", "open-uri", "lwp", "curl_exec",
    "http", "https", "urllib", "aiohttp", "socket",
];
pub(super) const JOINS: &[&str] = &[
    "join", "resolve", "joinpath", "path", "purepath", "posixpath", "catfile", "expanduser", "expand_path",
    "normalize", "abspath", "str", "string", "decode", "encode", "tostring", "realpath", "format", "fspath",
    "pathname", "concat",
];
