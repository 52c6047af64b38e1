//! Programs that write files which they are told of by an option or by an operand: compilers, packers, formatters, dumps.

use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::option::Options;
use crate::resolve::own::named;
use crate::resolve::value::{HOLE, activate, is_marker};

/// The operands that a program writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// None.
    No,
    /// All of them, in place.
    All,
    /// Each goes, and another file takes its place.
    Replaced,
    /// Rights or marks of all of them.
    Marks,
    /// The first.
    First,
    /// The last of several.
    Last,
    /// The second.
    Second,
    /// All after the first two, in place.
    AfterTwo,
    /// The second, to which letters are added.
    Prefix,
    /// All after the first, which names an archive: files that it puts here.
    Unpacked,
}

/// How a program says what it writes.
#[derive(Clone, Copy)]
pub(in crate::resolve) struct Writer {
    /// Options with a value.
    values: &'static [&'static str],
    /// Those of them whose value is a file that is written.
    files: &'static [&'static str],
    /// Those of them whose value is a folder that is written into.
    folders: &'static [&'static str],
    /// The words that the command begins with, if it writes by some of its commands alone.
    verbs: &'static [&'static str],
    /// Without one of these the operands stay as they are.
    when: &'static [&'static str],
    /// With one of these nothing is written.
    unless: &'static [&'static str],
    operands: Written,
    /// Without a folder and without operands that it writes, it writes where it is started.
    here: bool,
    /// Long options have one dash, and a letter is not several options.
    one_dash: bool,
}

const NONE: Writer = Writer {
    values: &[],
    files: &[],
    folders: &[],
    verbs: &[],
    when: &[],
    unless: &[],
    operands: Written::No,
    here: false,
    one_dash: false,
};

const PACKER: Writer = Writer {
    values: &["-S", "--suffix", "-b", "-p", "-T", "-M", "-o", "--output-dir-flat"],
    files: &["-o"],
    unless: &["-c", "--stdout", "--to-stdout", "-k", "--keep", "-t", "--test", "-l", "--list"],
    operands: Written::Replaced,
    ..NONE
};

const COMPILER: Writer =
    Writer { values: &["-o", "-MF", "-x", "-I", "-L", "-D"], files: &["-o", "-MF"], one_dash: true, ..NONE };

const FORMATTER: Writer = Writer { operands: Written::All, ..NONE };

/// What the program writes; `None` for those that are not known, and for those that other modules follow.
#[expect(clippy::too_many_lines, reason = "one arm a family of programs; each is short")]
pub(in crate::resolve) fn writer(name: &str) -> Option<Writer> {
    Some(match name {
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "lzma" | "unlzma" | "compress" | "uncompress"
        | "pigz" | "unpigz" | "pbzip2" | "lzip" | "lzop" | "brotli" => PACKER,
        "zstd" | "unzstd" | "pzstd" | "lz4" | "unlz4" => Writer {
            values: &["-o", "-T", "-D", "--threads"],
            files: &["-o"],
            when: &["--rm"],
            operands: Written::Replaced,
            ..NONE
        },
        "patch" => Writer {
            values: &["-i", "--input", "-p", "--strip", "-o", "--output", "-r", "--reject-file", "-d", "--directory"],
            files: &["-o", "--output", "-r", "--reject-file"],
            folders: &["-d", "--directory"],
            unless: &["--dry-run"],
            operands: Written::First,
            here: true,
            ..NONE
        },
        "split" | "gsplit" => Writer {
            values: &["-a", "-b", "-C", "-l", "-n", "-t", "--bytes", "--lines", "--number", "--suffix-length"],
            operands: Written::Prefix,
            ..NONE
        },
        "csplit" => Writer {
            values: &["-f", "--prefix", "-b", "-n"],
            files: &["-f", "--prefix"],
            operands: Written::No,
            ..NONE
        },
        "gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "tcc" | "ld" | "lld" | "gold" | "as" | "nasm" | "yasm"
        | "rustc" | "ghc" | "gfortran" | "swiftc" | "dmd" | "ldc2" | "nvcc" | "ocamlopt" | "ocamlc" | "mcs"
        | "crystal" | "flex" | "bison" | "m4" | "musl-gcc" | "emcc" | "mpicc" => COMPILER,
        "go" | "tinygo" => Writer { verbs: &["build", "test"], ..COMPILER },
        "zig" => Writer { values: &["--name"], files: &["-femit-bin"], one_dash: true, ..NONE },
        "javac" | "kotlinc" | "scalac" => Writer { values: &["-d", "-cp"], folders: &["-d"], one_dash: true, ..NONE },
        "objcopy" | "gobjcopy" => {
            Writer { values: &["-I", "-O", "-B", "-j", "-R", "-K", "-N"], operands: Written::All, ..NONE }
        }
        "strip" | "upx" | "patchelf" | "install_name_tool" | "codesign" | "chrpath" => Writer {
            values: &["-o", "-K", "-N", "-R", "--set-rpath", "--set-interpreter", "-s", "--sign"],
            files: &["-o"],
            unless: &["--print-rpath", "--print-interpreter", "-v", "--verify", "-dv", "--display"],
            operands: Written::All,
            ..NONE
        },
        "ar" | "jar" | "zipnote" | "ranlib" => Writer { operands: Written::Second, ..NONE },
        "uniq" => Writer { values: &["-f", "-s", "-w"], operands: Written::Second, ..NONE },
        "xxd" => Writer { values: &["-c", "-g", "-l", "-s", "-o", "-n"], operands: Written::Second, ..NONE },
        "base64" | "base32" | "uuencode" | "uudecode" => Writer { values: &["-o", "-i", "-w"], files: &["-o"], ..NONE },
        "iconv" | "shuf" | "pandoc" | "csvtk" | "xmllint" | "xsltproc" | "dot" | "tidy" | "protoc" | "ltrace"
        | "strace" | "perf" | "time" | "gtime" | "valgrind" | "wkhtmltopdf" | "jsonnet" | "sass" | "lessc"
        | "curlie" => Writer { values: OUTPUTS, files: OUTPUTS, ..NONE },
        "tcpdump" | "tshark" | "dumpcap" => Writer { values: &["-w", "-i", "-c", "-r"], files: &["-w"], ..NONE },
        "openssl" => Writer {
            values: &["-in", "-out", "-keyout", "-pass", "-k"],
            files: &["-out", "-keyout"],
            one_dash: true,
            ..NONE
        },
        "dos2unix" | "unix2dos" | "mac2unix" | "fromdos" | "todos" | "recode" | "sponge" | "gofumpt" => FORMATTER,
        "gofmt" | "goimports" | "shfmt" => Writer { values: &["-i"], when: &["-w", "--write"], ..FORMATTER },
        "prettier" | "biome" | "rome" => Writer { when: &["-w", "--write", "--apply", "--fix"], ..FORMATTER },
        "eslint" | "stylelint" | "standard" | "xo" | "rubocop" | "jsonlint" => {
            Writer { when: &["--fix", "-a", "-A", "--auto-correct", "-i", "--in-place"], ..FORMATTER }
        }
        "clang-format" | "json" | "astyle" | "autopep8" | "comby" | "tomlq" | "xq" => {
            Writer { values: &["-e", "-f"], files: &[], when: &["-i", "-I", "--in-place", "-in-place"], ..FORMATTER }
        }
        // Version 1 writes back by its verbs, and names the file in an option.
        "dasel" => Writer {
            values: &["-f", "--file", "-o", "--out"],
            files: &["-f", "--file"],
            verbs: &["delete", "put"],
            ..NONE
        },
        "black" | "isort" | "rustfmt" | "yapf" => Writer { unless: &["--check", "--diff", "-c"], ..FORMATTER },
        "sd" | "rpl" => {
            Writer { values: &["-n", "-f"], unless: &["-p", "--preview"], operands: Written::AfterTwo, ..NONE }
        }
        "touch" | "mkfifo" | "mknod" | "rmdir" | "setfattr" | "chcon" | "fallocate" | "chflags" | "xattr" => Writer {
            values: &["-d", "-t", "-r", "-n", "-v", "-x", "-u", "-l", "-o", "--reference", "--date"],
            operands: Written::Marks,
            ..NONE
        },
        "script" => Writer {
            values: &["-c", "--command", "-t", "-T", "-I", "-O", "-B", "-m", "-E"],
            operands: Written::First,
            ..NONE
        },
        "ffmpeg" | "convert" | "magick" | "sox" | "gs" | "pdftotext" | "pdftk" => {
            Writer { values: &["-i", "-f", "-c:v", "-c:a"], operands: Written::Last, one_dash: true, ..NONE }
        }
        "sftp" => Writer { values: &["-i", "-P", "-o", "-b", "-F", "-J"], operands: Written::Second, ..NONE },
        "unzip" | "bsdunzip" => Writer {
            values: &["-d", "-P", "-x"],
            folders: &["-d"],
            unless: &["-l", "-t", "-p", "-v", "-Z", "-c", "-z"],
            operands: Written::Unpacked,
            ..NONE
        },
        "7z" | "7za" | "7zr" | "7zz" => Writer {
            values: &["-o"],
            folders: &["-o"],
            verbs: &["x", "e"],
            operands: Written::Unpacked,
            one_dash: true,
            ..NONE
        },
        "unrar" | "rar" => Writer { verbs: &["x", "e"], operands: Written::Unpacked, ..NONE },
        "unar" => Writer {
            values: &["-o", "-output-directory"],
            folders: &["-o", "-output-directory"],
            here: true,
            one_dash: true,
            ..NONE
        },
        "cabextract" => Writer { values: &["-d", "-F"], folders: &["-d"], here: true, ..NONE },
        "dpkg-deb" => Writer {
            when: &["-x", "-X", "-R", "--extract", "--vextract", "--raw-extract"],
            operands: Written::Last,
            ..NONE
        },
        "cpio" | "bsdcpio" => Writer {
            values: &["-D", "--directory", "-F", "-I", "-O", "-E", "-H"],
            files: &["-O"],
            folders: &["-D", "--directory"],
            when: &["-i", "--extract", "-p", "--pass-through"],
            unless: &["-t", "--list"],
            operands: Written::All,
            here: true,
            ..NONE
        },
        _ => return None,
    })
}

/// Options by which most programs name the file that they write.
const OUTPUTS: &[&str] = &["-o", "--output", "--out", "--outfile", "--output-file", "--log-file", "--output-document"];

impl Writer {
    /// Whether an option is known: what stands there is judged, or read.
    pub(in crate::resolve) fn knows(&self, option: &str) -> bool {
        [self.values, self.files, self.folders, self.when, self.unless].iter().any(|known| known.contains(&option))
    }
}

impl Interp<'_> {
    /// Reports the files that a program of the table writes.
    pub(in crate::resolve) fn writes(&mut self, name: &str, args: &[String], call: &Call) {
        let Some(writer) = writer(name) else { return };
        if name == "patch" {
            let options = Options::all(args, writer.values);
            if !options.has(&["--dry-run"]) {
                let files: Vec<&str> =
                    options.values(&["-i", "--input"]).chain(options.operands.get(1).copied()).collect();
                self.patched(&files, &options, call);
            }
        }
        let args = match writer.verbs {
            [] => args,
            verbs => match args.iter().position(|arg| !arg.starts_with('-')) {
                Some(at) if args.get(at).is_some_and(|arg| verbs.contains(&arg.as_str())) => {
                    args.get(at + 1..).unwrap_or_default()
                }
                _ => return,
            },
        };
        let single: Vec<String>;
        let options = if writer.one_dash {
            single = apart(args, writer.values);
            Options::all(&single, writer.values)
        } else {
            Options::all(args, writer.values)
        };
        if options.has(&["--help", "--version"]) || options.has(writer.unless) {
            return;
        }
        for file in options.values(writer.files).filter(|file| *file != "-") {
            self.creates(Kind::Overwrite, file, call);
        }
        let folders: Vec<&str> = options.values(writer.folders).collect();
        let members = match writer.operands {
            Written::Unpacked => options.operands.get(1..).unwrap_or_default(),
            _ => &[],
        };
        for folder in &folders {
            // What is named goes there under its name.
            if members.is_empty() || !self.stands_above_own(folder) {
                self.creates(Kind::Append, folder, call);
            }
        }
        if !writer.when.is_empty() && !options.has(writer.when) && !joined(args, writer.when) {
            return;
        }
        let operands = options.operands.as_slice();
        match writer.operands {
            Written::No => {}
            Written::All => self.create_all(Kind::Overwrite, operands, call),
            Written::Replaced => self.create_all(Kind::Move, operands, call),
            Written::Marks => self.own_paths(operands, call),
            Written::First => self.create_all(Kind::Overwrite, operands.get(..1).unwrap_or_default(), call),
            Written::Last => {
                self.create_all(
                    Kind::Overwrite,
                    operands.get(operands.len().saturating_sub(1)..).unwrap_or_default(),
                    call,
                );
            }
            Written::Second => self.create_all(Kind::Overwrite, operands.get(1..2).unwrap_or_default(), call),
            Written::AfterTwo => self.create_all(Kind::Overwrite, operands.get(2..).unwrap_or_default(), call),
            Written::Prefix => {
                if let Some(prefix) = operands.get(1) {
                    self.creates(Kind::Overwrite, &format!("{prefix}{HOLE}"), call);
                }
            }
            Written::Unpacked => {
                for folder in if folders.is_empty() { &["."] } else { folders.as_slice() } {
                    for member in members {
                        let member = format!("{}/{}", folder.trim_end_matches('/'), activate(member));
                        self.creates(Kind::Overwrite, &member, call);
                    }
                }
                if folders.is_empty() && (members.is_empty() || !self.stands_above_own(".")) {
                    self.creates(Kind::Append, ".", call);
                }
            }
        }
        let names = matches!(writer.operands, Written::All | Written::First) && !operands.is_empty();
        if writer.here && folders.is_empty() && !names {
            self.own_poured(".", call);
        }
        // `json -I -f FILE`: the file stands in an option.
        if writer.operands == Written::All && writer.values.contains(&"-f") {
            for file in options.values(&["-f"]) {
                self.creates(Kind::Overwrite, file, call);
            }
        }
    }

    fn create_all(&mut self, kind: Kind, paths: &[&str], call: &Call) {
        for path in paths.iter().filter(|path| **path != "-") {
            self.creates(kind, path, call);
        }
    }

    /// A file that comes to be, or changes, by a program whose output is no text of the command: whether it looks like a secret does
    /// not matter.
    pub(in crate::resolve) fn creates(&mut self, kind: Kind, path: &str, call: &Call) {
        if path.is_empty() || path.chars().all(is_marker) {
            return;
        }
        self.without_secret_writes(|interp| interp.act_on(kind, path, call.span));
    }

    /// Runs `inner`, and leaves out of its actions that files of secrets are written.
    pub(super) fn without_secret_writes(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.report.actions.len();
        inner(self);
        let written = self.report.actions.split_off(before.min(self.report.actions.len()));
        self.report.actions.extend(written.into_iter().filter(|action| action.kind != Kind::SecretWrite));
    }

    /// What a program may write that is not known: the file of an option that is called like an output.
    pub(super) fn may_write(&mut self, args: &[String], call: &Call) {
        let options = Options::all(args, OUTPUTS);
        for file in options.values(OUTPUTS).filter(|file| file.contains('/') && !file.contains("://")) {
            self.creates(Kind::Overwrite, file, call);
        }
        // Files of the guard that the person put where they like, under any name.
        let paths = named(args).filter(|path| path.contains(['/', '.']));
        self.ask_where(paths, |interp, path| interp.known_files.is_own(path), call);
    }

    /// `.output FILE` and the other commands of SQLite's client, `\o FILE` of PostgreSQL's, `tee FILE` of MySQL's.
    pub(super) fn client_output(&mut self, name: &str, args: &[String], call: &Call) {
        let (marks, words): (&[char], &[&str]) = match name {
            "sqlite3" | "sqlite" | "duckdb" => (&['.'], &["output", "once", "backup", "save", "clone", "log", "excel"]),
            "psql" | "pgcli" => (&['\\'], &["o", "out", "w", "g", "gx"]),
            "mysql" | "mariadb" => (&['\\'], &["T", "tee"]),
            _ => return,
        };
        if matches!(name, "psql" | "pgcli") {
            let options =
                Options::all(args, &["-o", "--output", "-L", "--log-file", "-c", "-f", "-d", "-h", "-p", "-U", "-v"]);
            for file in options.values(&["-o", "--output", "-L", "--log-file"]) {
                self.creates(Kind::Overwrite, file, call);
            }
        }
        let texts: Vec<String> =
            args.iter().map(String::as_str).chain([call.stdin.as_ref()]).map(str::to_owned).collect();
        for text in &texts {
            self.sql_writes(text, call);
        }
        for line in texts.iter().flat_map(|text| text.lines()) {
            let line = line.trim();
            let Some(rest) = line.strip_prefix(marks) else { continue };
            let mut parts = rest.split_whitespace();
            if parts.next().is_some_and(|word| words.contains(&word))
                && let Some(file) = parts.next_back()
                && !file.starts_with('|')
            {
                let file = file.trim_matches(['\'', '"']).to_owned();
                self.creates(Kind::Overwrite, &file, call);
            }
        }
    }
}

/// The arguments with joined values taken apart, and with no letter of a long option with one dash taken for an option.
fn apart(args: &[String], values: &[&str]) -> Vec<String> {
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let joined = values
            .iter()
            .find_map(|option| arg.strip_prefix(option).filter(|rest| !rest.is_empty()).map(|rest| (option, rest)));
        match joined {
            _ if values.contains(&arg.as_str()) => out.push(arg.clone()),
            Some((option, rest)) => {
                out.push((*option).to_owned());
                out.push(rest.trim_start_matches('=').to_owned());
            }
            None if arg.len() > 1 && arg.starts_with('-') && !arg.starts_with("--") => {}
            None => out.push(arg.clone()),
        }
    }
    out
}

/// `-i.bak`: an option of one letter with a value that is no option of its own.
fn joined(args: &[String], names: &[&str]) -> bool {
    names.iter().filter(|name| name.len() == 2).any(|name| args.iter().any(|arg| arg.starts_with(name)))
}
