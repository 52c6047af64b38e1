//! Programs that fetch, send and listen.

use super::secret_env::is_elsewhere;
use crate::options::{Options, plain_words};
use crate::path::Place;
use crate::programs::{self, Invocation, Tool, Trait};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::exec::{Call, base_name};
use crate::resolve::state::{Channel, Data, Var};
use crate::resolve::taint::{SHELL_OUTPUT, TAINT_LOADED, TAINT_NETWORK, TAINT_SECRET, TAINT_STORE, is_placeholder};
use std::rc::Rc;

/// Options of `curl` that name a file for something else than what is fetched.
const CURL_BESIDE: &[&str] = &[
    "-c", "--cookie-jar", "-D", "--dump-header", "--trace", "--trace-ascii", "--stderr", "--etag-save", "--hsts",
    "--alt-svc", "--libcurl",
];

impl Interp<'_> {
    /// Programs of this module; `None` for others.
    pub(super) fn net(&mut self, of: &Invocation<'_>, call: &Call) -> Option<Data> {
        let Invocation { program, name, args } = *of;
        Some(match program.tool {
            Tool::Curl | Tool::Curlie => self.curl(of, call),
            Tool::Wget => self.wget(of, call),
            Tool::Httpie => self.http(args, call),
            // What these print comes from whoever answers.
            Tool::Dig => {
                // Whoever answers for a domain reads every name that is asked for.
                for arg in args {
                    self.sends_text(arg, "a secret in a name", call);
                    self.sends_named(arg, arg, call.span);
                }
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::Gh if args.starts_with(&["gist".to_owned(), "view".to_owned()]) => {
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::Gsutil if args.iter().any(|arg| arg == "cat") => Data::from(TAINT_NETWORK.to_string()),
            Tool::Gcloud if args.starts_with(&["storage".to_owned(), "cat".to_owned()]) => {
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::Aws | Tool::Gsutil | Tool::S5cmd | Tool::Rclone if copies_out(args) => {
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::Fetchers => {
                let options = of.options();
                let dir = options.value(&["-d", "--dir"]).map(|dir| format!("{}/", dir.trim_end_matches('/')));
                let dir = dir.unwrap_or_default();
                let named = options.value(&["-o", "--out", "--output"]);
                if let Some(file) = named.or_else(|| options.operands.first().map(|url| last_part(url))) {
                    let file = format!("{dir}{file}");
                    self.creates(Kind::Overwrite, &file, call);
                    self.store(&file, &Data::from(TAINT_NETWORK.to_string()));
                }
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::WebRequest => Data::from(TAINT_NETWORK.to_string()),
            // Meant for PowerShell, whatever shell it was given to.
            Tool::Expression => self.run_input(call),
            // A terminal in a browser, for whoever opens its address.
            Tool::WebTerminals if !args.is_empty() => {
                self.act_at(Kind::RemoteShell, None, name.to_owned(), call.span);
                return Some(Data::from(""));
            }
            Tool::Netcat => self.netcat(of, call),
            Tool::Socat => self.socat(of, call),
            Tool::Mail => {
                let options = of.options();
                for file in options.values(&["-a", "-A", "--attach"]) {
                    self.sends_secret(file, call);
                }
                self.sends_input(call);
                Data::from("")
            }
            Tool::Senders | Tool::Sftp => {
                self.sends_input(call);
                // `put .env` as an argument of its own, in a script of the program, or on standard input.
                let scripts = args.iter().map(String::as_str).chain(call.stdin.lines());
                let words: Vec<&str> = scripts.flat_map(|text| text.split([' ', ';'])).collect();
                for word in words {
                    self.sends_secret(word.trim_matches(['"', '\'']), call);
                }
                self.removed_there(args, call);
                Data::from(TAINT_NETWORK.to_string())
            }
            Tool::Xterm => {
                // A terminal on a screen of another machine.
                if of
                    .options()
                    .value(&["-display"])
                    .is_some_and(|at| !at.starts_with(':') && !at.starts_with("localhost"))
                {
                    self.act_at(Kind::RemoteShell, None, "a terminal on another machine".to_owned(), call.span);
                }
                return None;
            }
            Tool::Ztcp => {
                self.connected(62);
                self.state.set("REPLY", Var::one("62"));
                Data::from("")
            }
            Tool::Scp => self.scp(of, call),
            Tool::Gsutil | Tool::Rclone | Tool::S3cmd | Tool::S5cmd | Tool::Aws | Tool::Azcopy | Tool::Gcloud => {
                // Copies of secrets into an object store; all else is for the rules of these programs.
                if args
                    .iter()
                    .any(|arg| matches!(arg.as_str(), "cp" | "copy" | "sync" | "put" | "mv" | "copyto" | "rsync"))
                {
                    self.sends_to_store(args, call);
                }
                return None;
            }
            Tool::Gh | Tool::Glab => {
                // What is set as a secret there, or logs in, is meant to be one.
                let own = ["secret", "variable", "auth", "ssh-key", "gpg-key", "config", "alias", "extension"];
                if !args.first().is_some_and(|verb| own.contains(&verb.as_str())) {
                    // A text with blanks is what somebody writes, not the name of a file.
                    for arg in args.iter().filter(|arg| !arg.contains(char::is_whitespace)) {
                        let file = arg.split_once('=').map_or(arg.as_str(), |(_, file)| file);
                        self.sends_secret(file.trim_start_matches('@'), call);
                    }
                }
                return None;
            }
            _ => return None,
        })
    }

    /// `rm` and `mirror --delete` of a client that moves files: what they take away is judged as `ssh` and `rsync` are.
    fn removed_there(&mut self, args: &[String], call: &Call) {
        let inner = Call { stdin: Data::from(""), span: call.span };
        let stdin = Rc::clone(&call.stdin);
        let lines = args.iter().map(String::as_str).chain(std::iter::once(stdin.as_ref()));
        let mut dir = String::new();
        for line in lines.flat_map(|text| text.split(['\n', ';'])) {
            let words: Vec<String> =
                line.trim().trim_start_matches(['-', '@']).split_whitespace().map(str::to_owned).collect();
            let Some((command, rest)) = words.split_first().filter(|(_, rest)| !rest.is_empty()) else { continue };
            match command.as_str() {
                "cd" => rest.last().map_or("", String::as_str).trim_end_matches('/').clone_into(&mut dir),
                "rm" | "mrm" | "rmdir" => {
                    let seen = |path: &String| {
                        let beside = dir.starts_with('/') && !path.starts_with(['/', '~', '-']);
                        if beside { format!("{dir}/{path}") } else { path.clone() }
                    };
                    let argv: Vec<String> = std::iter::once("rm".to_owned()).chain(rest.iter().map(seen)).collect();
                    self.subshell(|interp| {
                        interp.log_in();
                        interp.exec(&argv, &inner)
                    });
                }
                "mirror" => {
                    if let Some(argv) = mirrored(rest) {
                        self.subshell(|interp| interp.exec(&argv, &inner));
                    }
                }
                _ => {}
            }
        }
    }

    fn http(&mut self, args: &[String], call: &Call) -> Data {
        for arg in args {
            if let Some((_, file)) = arg.split_once('@').filter(|(name, _)| !name.contains("://")) {
                self.sends_secret(file, call);
            }
        }
        self.sends_input(call);
        if let Some(url) = plain_words(args).find(|arg| arg.contains(['.', '/'])) {
            for arg in plain_words(args) {
                // `Name:value` is a header.
                let header = arg.find(':').is_some_and(|at| arg.find('=').is_none_or(|equals| at < equals));
                if !header || arg == url {
                    self.sends_named(arg, url, call.span);
                } else {
                    self.presents_named(arg, url, call.span);
                }
            }
        }
        Data::from(TAINT_NETWORK.to_string())
    }

    /// Opens a descriptor that leads to another machine.
    pub(in crate::resolve) fn connected(&mut self, fd: u32) {
        let channel = Channel {
            read: Some(Data::from(TAINT_NETWORK.to_string())),
            write: Some(format!("/dev/tcp/connection/{fd}")),
        };
        self.state.open(fd, channel);
    }

    /// Copies into an object store: the last operand is where they go.
    pub(super) fn sends_to_store(&mut self, args: &[String], call: &Call) {
        let operands: Vec<&String> = plain_words(args).collect();
        let Some((target, sources)) = operands.split_last() else { return };
        let elsewhere = |place: &str| place.contains("://") || Self::is_remote(place);
        // Options may follow the target.
        if !elsewhere(target) && !sources.iter().any(|source| elsewhere(source)) {
            return;
        }
        let last = operands.iter().rposition(|operand| elsewhere(operand)).unwrap_or(operands.len());
        for source in operands.iter().take(last).filter(|source| !elsewhere(source)) {
            self.sends_secret(source, call);
        }
    }

    pub(in crate::resolve) fn sends_input(&mut self, call: &Call) {
        if call.stdin.contains(SHELL_OUTPUT) {
            self.act_at(Kind::RemoteShell, None, "what a shell prints".to_owned(), call.span);
        }
        self.sends_text(&call.stdin, "standard input", call);
    }

    /// Text that leaves the machine.
    fn sends_text(&mut self, text: &str, what: &str, call: &Call) {
        // A token of a store in a header that is made for it is what the store is there for.
        let presented = text.to_ascii_lowercase().starts_with("authorization:");
        if text.contains(TAINT_SECRET) {
            self.act_at(Kind::SecretSend, None, what.to_owned(), call.span);
        } else if text.contains(TAINT_LOADED) || text.contains(TAINT_STORE) && !presented {
            self.act_at(Kind::SecretFetch, None, what.to_owned(), call.span);
        }
    }

    /// A value of the form `@file`, `name=@file`, `name=<file`, `@-`.
    fn sends_value(&mut self, value: &str, call: &Call) {
        self.sends_text(value, "a secret", call);
        let file = value
            .strip_prefix('@')
            .or_else(|| value.split_once("=@").map(|(_, file)| file))
            .or_else(|| value.split_once("=<").map(|(_, file)| file))
            .or_else(|| {
                value
                    .split_once('@')
                    .filter(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_'))
                    .map(|(_, file)| file)
            });
        match file {
            Some("-" | "/dev/stdin" | ".") => self.sends_input(call),
            Some(file) => {
                let file = file.split(';').next().unwrap_or(file).trim_matches('"').to_owned();
                self.sends_secret(&file, call);
            }
            None => {}
        }
    }

    /// A file that an option names, unless what goes there is lost anyway.
    fn written_by_option(&mut self, file: &str, call: &Call) {
        if self.place_of(file) != Place::Sink {
            self.written_file(file, false, call.span);
        }
    }

    fn curl(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        if options.operands.is_empty() && options.has(&["--help", "-V", "--version", "-h"]) {
            return Data::from("");
        }
        for value in options.values(&[
            "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form",
            "--url-query", "-H", "--header", "--variable",
        ]) {
            self.sends_value(value, call);
        }
        for value in options.values(&["--data-raw", "-u", "--user", "--form-string", "--oauth2-bearer"]) {
            self.sends_text(value, "a secret", call);
        }
        self.curl_names(&options, call);
        for file in options.values(&["-T", "--upload-file"]) {
            if matches!(file, "-" | ".") {
                self.sends_input(call);
            } else {
                self.sends_secret(file, call);
            }
        }
        let urls: Vec<&str> = options.operands.iter().copied().chain(options.values(&["--url"])).collect();
        let mut fetched = TAINT_NETWORK.to_string();
        for url in &urls {
            self.sends_text(url, "a secret in the address", call);
            if let Some(path) = url.strip_prefix("file://") {
                fetched = self.read_file(path, call.span).to_string();
            } else if hands_out_secrets(url) {
                fetched = TAINT_STORE.to_string();
            }
        }
        let fetched = Data::from(fetched);
        let dir =
            options.value(&["--output-dir"]).map(|dir| format!("{}/", dir.trim_end_matches('/'))).unwrap_or_default();
        let mut to_file = false;
        for file in options.values(&["-o", "--output"]) {
            to_file = true;
            if matches!(file, "-" | "/dev/stdout") {
                return fetched;
            }
            let file = format!("{dir}{file}");
            self.written_by_option(&file, call);
            self.store(&file, &fetched);
        }
        // What is written beside the body.
        for file in options.values(CURL_BESIDE).filter(|file| *file != "-") {
            self.written_by_option(file, call);
        }
        if options.has(&["-O", "--remote-name", "--remote-name-all", "-J"]) {
            to_file = true;
            for url in &urls {
                let file = format!("{dir}{}", last_part(url));
                self.creates(Kind::Overwrite, &file, call);
                self.store(&file, &fetched);
            }
        }
        if to_file { Data::from("") } else { fetched }
    }

    /// Secrets of the environment in the address or the body of a request. Headers and log-ins are what they are there for.
    fn curl_names(&mut self, options: &Options<'_>, call: &Call) {
        const BODIES: &[&str] = &[
            "-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--data-raw", "--json", "-F",
            "--form", "--form-string", "--url-query", "-A", "--user-agent", "-e", "--referer",
        ];
        const PRESENTED: &[&str] = &["-H", "--header", "-u", "--user", "--oauth2-bearer", "-b", "--cookie"];
        let urls: Vec<&str> = options.operands.iter().copied().chain(options.values(&["--url"])).collect();
        for url in urls {
            self.sends_named(url, url, call.span);
            for value in options.values(PRESENTED) {
                self.presents_named(value, url, call.span);
            }
            for value in options.values(BODIES) {
                let sent = if matches!(value, "@-" | "@/dev/stdin") { call.stdin.trim() } else { value };
                let whole =
                    sent.chars().all(is_placeholder) && sent.contains(TAINT_STORE) && !sent.contains(TAINT_SECRET);
                if whole && is_elsewhere(url) {
                    // Nobody asks for a bare token as the body of a request.
                    self.act_at(Kind::SecretSend, None, "a secret of a store".to_owned(), call.span);
                }
                self.sends_named(sent, url, call.span);
            }
        }
    }

    fn wget(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        for url in &options.operands {
            self.sends_named(url, url, call.span);
            for value in options.values(&["--post-data", "--body-data"]) {
                self.sends_named(value, url, call.span);
            }
            for value in options.values(&["--header"]) {
                self.presents_named(value, url, call.span);
            }
        }
        for file in options.values(&["--post-file", "--body-file"]) {
            if file == "-" {
                self.sends_input(call);
            } else {
                self.sends_secret(file, call);
            }
        }
        for log in options.values(&["-o", "--output-file", "-a", "--append-output"]) {
            self.written_by_option(log, call);
        }
        for value in options.values(&["--post-data", "--body-data", "--header"]) {
            self.sends_text(value, "a secret", call);
        }
        for url in &options.operands {
            self.sends_text(url, "a secret in the address", call);
        }
        let fetched = Data::from(TAINT_NETWORK.to_string());
        // Addresses in a file, or on standard input.
        let list = match options.value(&["-i", "--input-file"]) {
            Some("-") => Some(Rc::clone(&call.stdin)),
            Some(file) => self.content(file),
            None => None,
        };
        for url in list.iter().flat_map(|list| list.lines()) {
            self.store(last_part(url.trim()), &fetched);
        }
        match options.value(&["-O", "--output-document"]) {
            Some("-" | "/dev/stdout") => return fetched,
            Some(file) => {
                self.written_file(file, false, call.span);
                self.store(file, &fetched);
            }
            None => {
                let dir = options
                    .value(&["-P", "--directory-prefix"])
                    .map(|dir| format!("{}/", dir.trim_end_matches('/')))
                    .unwrap_or_default();
                if options.has(&["-r", "--recursive", "-m", "--mirror"]) {
                    self.own_poured(if dir.is_empty() { "." } else { &dir }, call);
                }
                for url in &options.operands {
                    let file = format!("{dir}{}", last_part(url));
                    self.creates(Kind::Overwrite, &file, call);
                    self.store(&file, &fetched);
                }
            }
        }
        Data::from("")
    }

    fn netcat(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        if let Some(program) = options.value(&["-e", "-c", "--exec", "--sh-exec", "--lua-exec"]) {
            self.act_at(Kind::RemoteShell, None, program.to_owned(), call.span);
        }
        self.sends_input(call);
        if let Some(host) = options.operands.first() {
            self.sends_named(&call.stdin, host, call.span);
        }
        Data::from(TAINT_NETWORK.to_string())
    }

    fn socat(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        let kind =
            |address: &str| address.split([':', ',']).next().unwrap_or_default().trim_matches('!').to_ascii_uppercase();
        let is_net = |address: &str| {
            let kind = kind(address);
            ["TCP", "UDP", "OPENSSL", "SSL", "SCTP", "SOCKS", "PROXY", "VSOCK", "IP"]
                .iter()
                .any(|net| kind.starts_with(net))
        };
        let net = options.operands.iter().any(|address| is_net(address));
        for address in &options.operands {
            let rest = address.split_once(':').map_or("", |(_, rest)| rest);
            match kind(address).as_str() {
                "EXEC" | "SYSTEM" | "SHELL" => {
                    let command = rest.split(",pty").next().unwrap_or(rest).trim_matches(['"', '\'']);
                    let first =
                        base_name(command.trim_start_matches("exec ").split([' ', ',']).next().unwrap_or_default());
                    if net && programs::is(&first, Trait::RunsInput) {
                        self.act_at(Kind::RemoteShell, None, crate::resolve::shown(address), call.span);
                    }
                    self.subshell(|interp| interp.run_text(command, call));
                }
                "OPEN" | "FILE" | "GOPEN" | "RDONLY" if net => self.sends_secret(file_of(address), call),
                "OPEN" | "FILE" | "GOPEN" | "RDONLY" => self.reads(file_of(address), call),
                "FD" => {
                    let target = rest
                        .parse::<u32>()
                        .ok()
                        .and_then(|fd| self.state.fds.get(&fd))
                        .and_then(|channel| channel.write.clone());
                    if target.is_some_and(|target| self.place_of(&target) == Place::Net) {
                        for other in &options.operands {
                            self.sends_secret(file_of(other), call);
                        }
                    }
                }
                _ => {}
            }
        }
        if net {
            self.sends_input(call);
        }
        Data::from(if net { TAINT_NETWORK } else { crate::resolve::taint::UNKNOWN }.to_string())
    }

    /// Remembers that files of another machine have come to a file, or into a directory.
    pub(super) fn fetched_to(&mut self, sources: &[&str], target: &str) {
        let fetched = Data::from(TAINT_NETWORK.to_string());
        self.store(target, &fetched);
        for source in sources.iter().filter(|source| Self::is_remote(source)) {
            let path = source.rsplit(':').next().unwrap_or(source);
            self.store(&format!("{}/{}", target.trim_end_matches('/'), last_part(path)), &fetched);
        }
    }

    fn scp(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let options = of.options();
        self.ssh_options(&options, call);
        self.option_line(&options, &["-S", "-D"], call);
        let mut sources = options.operands.clone();
        let Some(target) = sources.pop() else { return Data::from("") };
        self.own_copied(&sources, call);
        if options.has(&["-r"]) {
            self.own_taken(&sources, call);
        }
        if Self::is_remote(target) {
            for source in &sources {
                self.sends_secret(source, call);
            }
            let path = target.split_once(':').map_or("", |(_, path)| path);
            if path.starts_with('/') {
                let remote = std::mem::replace(&mut self.state.remote, true);
                self.act_on(Kind::Overwrite, path, call.span);
                self.state.remote = remote;
            }
        } else {
            if self.stands_above_own(target) {
                self.overwritten(&sources, target, call);
            } else {
                self.written_file(target, false, call.span);
            }
            if sources.iter().any(|source| Self::is_remote(source)) {
                self.fetched_to(&sources, target);
            } else {
                self.copy_content(&sources, target, call);
            }
        }
        Data::from("")
    }
}

/// The file that an address of `socat` names: `OPEN:FILE,option`.
fn file_of(address: &str) -> &str {
    let rest = address.split_once(':').map_or("", |(_, rest)| rest);
    rest.split(',').next().unwrap_or(rest).trim_matches(['"', '\''])
}

/// The host that an address names.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once(']') {
        Some((inner, _)) if host.starts_with('[') => host.get(..inner.len() + 1).unwrap_or(host),
        _ => host.rsplit_once(':').filter(|(name, _)| !name.contains(':')).map_or(host, |(name, _)| name),
    }
}

/// An IPv4 address in its usual form; resolvers take decimal, octal and hexadecimal numbers, and fewer than four of them.
fn address_of(host: &str) -> Option<String> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    };
    let parts: Option<Vec<u32>> = host.split('.').map(number).collect();
    let parts = parts?;
    let (last, first) = parts.split_last().filter(|(_, first)| first.len() < 4)?;
    let mut all = *last;
    for (at, part) in first.iter().enumerate() {
        let shift = 24 - 8 * u32::try_from(at).ok()?;
        all |= part.checked_shl(shift).filter(|_| *part < 256)?;
    }
    Some(all.to_be_bytes().map(|byte| byte.to_string()).join("."))
}

/// The file name that a download takes from its address.
fn last_part(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// `aws s3 cp s3://bucket/file -`, `rclone cat remote:file`: an object that is printed.
fn copies_out(args: &[String]) -> bool {
    match Options::all(args, &[]).operands.as_slice() {
        ["cat", from] => from.contains(':'),
        [.., "cp", from, "-" | "/dev/stdout"] => from.contains("://"),
        _ => false,
    }
}

/// Addresses at which clouds hand out the keys of a machine to whoever asks on it.
pub(in crate::resolve) fn hands_out_secrets(url: &str) -> bool {
    const HOSTS: &[&str] = &[
        "169.254.169.254", "169.254.170.2", "metadata.google.internal", "metadata.goog", "[fd00:ec2::254]",
        "fd00:ec2::254", "100.100.100.200", "instance-data", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
    ];
    let asks = |words: &[&str]| words.iter().any(|word| url.contains(word));
    let host = host_of(url).to_ascii_lowercase();
    let host = host.trim_end_matches('.');
    (HOSTS.contains(&host) || address_of(host).is_some_and(|address| HOSTS.contains(&address.as_str())))
        && asks(&["security-credentials/", "/token", "identity-credentials", "/credentials", "/identity?", "user-data"])
        // The session that other requests are made with is no key.
        && !url.ends_with("/latest/api/token")
}

/// `mirror --delete` of `lftp` as a call of `rsync`; `None` where it removes nothing.
fn mirrored(args: &[String]) -> Option<Vec<String>> {
    let options = Options::all(
        args,
        &[
            "-x", "--exclude", "-i", "--include", "-X", "--exclude-glob", "-I", "--include-glob", "-P", "--parallel",
            "-N", "--newer-than", "-O", "--target-directory", "-F", "--directory", "-f", "--file",
        ],
    );
    if !options.has(&["-e", "--delete", "--delete-first"]) || options.has(&["--dry-run"]) {
        return None;
    }
    let elsewhere = |path: &str| format!("server:{path}");
    let (from, to) =
        (options.operands.first().copied().unwrap_or("."), options.operands.get(1).copied().unwrap_or("."));
    let (from, to) = if options.has(&["-R", "--reverse"]) {
        (from.to_owned(), elsewhere(to))
    } else {
        (elsewhere(from), to.to_owned())
    };
    Some(["rsync".to_owned(), "-a".to_owned(), "--delete".to_owned(), from, to].to_vec())
}
