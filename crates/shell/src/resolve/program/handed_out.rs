//! Secrets in the words of any program that talks to other machines: variables and tokens in an address, files that are uploaded.

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

impl Interp<'_> {
    /// Reports secrets in the addresses that a program is given, and files of secrets that it uploads or serves.
    pub(in crate::resolve) fn hands_out(&mut self, of: &Invocation<'_>, call: &Call) {
        self.uploads(of, call);
        self.serves_address(of, call);
        self.posts(of, call);
        if ELSEWHERE.contains(&of.program.tool) {
            return;
        }
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

    /// `az storage blob upload -f .env` and its like.
    fn uploads(&mut self, of: &Invocation<'_>, call: &Call) {
        if of.program.tool != Tool::Az || !of.args.iter().any(|arg| arg.starts_with("upload") || arg == "import") {
            return;
        }
        let options = of.options();
        let files: Vec<String> =
            options.values(&["-f", "--file", "-s", "--source", "--source-path", "--path"]).map(str::to_owned).collect();
        for file in files {
            self.sends_secret(&file, call);
        }
    }

    /// A tunnel that serves a folder by its address: `cloudflared tunnel --url file:///root`.
    fn serves_address(&mut self, of: &Invocation<'_>, call: &Call) {
        let verb = of.args.first().map_or("", String::as_str);
        if !matches!(verb, "tunnel" | "http" | "funnel" | "serve") {
            return;
        }
        for arg in of.args.iter().skip(1) {
            let named = arg.split_once("file://").map(|(_, folder)| folder);
            let alone = matches!(verb, "funnel" | "serve") && arg.starts_with(['/', '~', '.']);
            let folder = named.or_else(|| alone.then_some(arg.as_str()));
            if let Some(folder) = folder {
                self.sends_secret(folder, call);
            }
        }
    }
}
