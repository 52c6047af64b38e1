//! Secrets in the words of any program that talks to other machines: variables and tokens in an address, files that are uploaded.

use crate::options::plain_words;
use crate::programs::{Invocation, Tool};
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::taint::{ENVIRONMENT, SECRET_VARIABLES};
use crate::resolve::token::holds_token;
use crate::resolve::{Interp, shown};

/// Programs that print or search what they are given, and those whose own code looks at addresses.
const ELSEWHERE: &[Tool] = &[
    Tool::Echo,
    Tool::Printf,
    Tool::Grep,
    Tool::Rg,
    Tool::Sed,
    Tool::Curl,
    Tool::Curlie,
    Tool::Wget,
    Tool::Httpie,
    Tool::Dig,
];

/// Verbs by which a program brings a file to a service.
const UPLOADS: &[&str] = &["upload", "upload-file", "upload_file", "put", "put-object", "object-put", "send", "share"];

/// Verbs that copy; one of the two then has an address.
const COPIES: &[&str] = &["cp", "copy", "copyto", "mv", "sync"];

/// Words in the verbs of what keeps secrets.
const KEEPS_SECRETS: &[&str] = &["secret", "vault", "kv", "env", "param", "credential", "variable", "keystore"];

/// Words of a call that say what it does.
const MOST_VERBS: usize = 4;

/// Options that name the file which is brought.
const FILES: &[&str] =
    &["-f", "--file", "-s", "--source", "--source-path", "--path", "--src", "--body", "--input", "--data-file"];

/// Words in the options by which a program is told how to log in.
const LOG_INS: &[&str] =
    &["key", "cert", "config", "ident", "cred", "token", "env", "auth", "account", "kube", "pass", "secret", "profile"];

impl Interp<'_> {
    /// Reports secrets in the addresses that a program is given, and files of secrets that it uploads or serves.
    pub(in crate::resolve) fn hands_out(&mut self, of: &Invocation<'_>, call: &Call) {
        self.serves_address(of, call);
        self.posts(of, call);
        if ELSEWHERE.contains(&of.program.tool) {
            return;
        }
        self.uploads(of, call);
        for arg in of.args.iter().filter(|arg| arg.contains("://")) {
            let Some(at) = arg.find("http").or_else(|| arg.find("ftp")) else { continue };
            let address = arg.get(at..).unwrap_or_default();
            let (_, rest) = address.split_once("://").unwrap_or_default();
            let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
            if arg.contains(SECRET_VARIABLES) {
                // A log-in before the host is for whoever it is.
                match authority.rsplit_once('@') {
                    Some((login, _)) if login.contains(SECRET_VARIABLES) => {
                        self.presents_named(login, address, call.span);
                    }
                    _ => self.sends_named(address, address, call.span),
                }
            } else if holds_token(address) {
                self.act_at(Kind::SecretFetch, None, "a token in an address".to_owned(), call.span);
            }
        }
    }

    /// What others read on a forge: `gh issue create --body "$(env)"`.
    fn posts(&mut self, of: &Invocation<'_>, call: &Call) {
        const POSTS: &[&str] = &["discussion", "gist", "issue", "mr", "note", "pr", "release", "snippet"];
        let posts = of.args.first().is_some_and(|verb| POSTS.contains(&verb.as_str()));
        if !posts || !matches!(of.program.tool, Tool::Gh | Tool::Glab) {
            return;
        }
        for arg in of.args {
            if arg.contains(ENVIRONMENT) {
                self.act_at(Kind::SecretSend, None, "all variables".to_owned(), call.span);
            } else if arg.contains(SECRET_VARIABLES) || holds_token(arg) {
                self.act_at(Kind::SecretFetch, None, shown(arg), call.span);
            }
        }
    }

    /// A file of secrets that a program brings to a service: `az storage blob upload -f .env`, `wrangler r2 object put x --file=.env`.
    fn uploads(&mut self, of: &Invocation<'_>, call: &Call) {
        let args = of.args;
        let imports = |arg: &str| of.program.tool == Tool::Az && (arg == "import" || arg.starts_with("upload"));
        let verb = |arg: &String| UPLOADS.contains(&arg.as_str()) || imports(arg);
        let copies = |arg: &String| COPIES.contains(&arg.as_str());
        let Some(found) = plain_words(args).take(MOST_VERBS).find(|arg| verb(arg) || copies(arg)) else { return };
        let Some(at) = args.iter().position(|arg| arg == found) else { return };
        // A store of secrets is there for them.
        let kept = |word: &str| KEEPS_SECRETS.iter().any(|kept| word.contains(kept));
        if kept(of.name) || args.iter().take(at).any(|word| kept(word)) && !imports(found) {
            return;
        }
        if copies(found) {
            if args.iter().any(|arg| arg.contains("://")) {
                self.sends_to_store(args, call);
            }
            return;
        }
        for (at, arg) in args.iter().enumerate().skip(at + 1) {
            let before = args.get(at - 1).map_or("", String::as_str);
            let file = match arg.split_once('=') {
                Some((option, file)) if arg.starts_with('-') => FILES.contains(&option).then_some(file),
                _ if arg.starts_with('-') => None,
                _ if before.starts_with('-') && !before.contains('=') => {
                    let logs_in = LOG_INS.iter().any(|word| before.contains(word));
                    (FILES.contains(&before) || before.starts_with("--") && !logs_in).then_some(arg.as_str())
                }
                _ => Some(arg.as_str()),
            };
            if let Some(file) = file {
                self.sends_secret(file.trim_start_matches("file://").trim_start_matches('@'), call);
            }
        }
    }

    /// A tunnel that serves a directory by its address: `cloudflared tunnel --url file:///root`.
    fn serves_address(&mut self, of: &Invocation<'_>, call: &Call) {
        let verb = of.args.first().map_or("", String::as_str);
        if !matches!(verb, "tunnel" | "http" | "funnel" | "serve") {
            return;
        }
        for arg in of.args.iter().skip(1) {
            let named = arg.split_once("file://").map(|(_, dir)| dir);
            let alone = matches!(verb, "funnel" | "serve") && arg.starts_with(['/', '~', '.']);
            let dir = named.or_else(|| alone.then_some(arg.as_str()));
            if let Some(dir) = dir {
                self.sends_secret(dir, call);
            }
        }
    }
}
