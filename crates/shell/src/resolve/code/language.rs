//! Languages: the names by which code removes, starts, reads and sends.

use crate::programs::{self, Language};

/// The language of an interpreter; versions in its name do not matter.
pub(in crate::resolve) fn language(program: &str) -> Option<&'static Language> {
    let code = |name: &str| programs::named(name).and_then(|program| program.code);
    let stem = programs::stem(program);
    code(program).or_else(|| if stem.len() > 1 { code(stem) } else { None })
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
    "remove_entry_secure", "removedirs", "deltree", "deletedir", "emptydir", "removesync", "rmdirsync",
    "unlink_recursive", "delete_tree", "removerecursively", "delete-directory", "delete-directory-and-files",
    "delete-directory-tree",
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
    "dotenv_values", "lines", "parse_ini_file", "show_source", "highlight_file", "php_strip_whitespace", "getlines",
    "read_table", "fromfile", "read_lines",
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
