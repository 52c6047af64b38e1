//! Paths that no tool may touch: directories of the system and of keys.

use super::super::CheckContext;
use hook_protocol::native::NativeTool;
use hook_shell::options::plain_words;
use hook_shell::path::{Places, below};
use hook_shell::resolve::Kind;

/// Directories of the system, from the root on.
pub(super) const SYSTEM: &[&str] =
    &["/etc", "/var", "/usr", "/bin", "/sbin", "/System", "/Library", "/private/etc", "/private/var"];

/// Directories for temporary files in those.
const TEMPORARY: &[&str] = &["/var/tmp", "/var/folders", "/private/var/folders", "/private/var/tmp"];

/// Names of files and directories, wherever they are, and sequences of them.
pub(super) const ANYWHERE: &[&str] = &[
    ".ssh", ".aws", ".gnupg", ".kube", ".docker", ".netrc", "credentials.json", ".env", ".git/objects",
    ".local/state/hookbin/keys", ".claude_hook_secret",
];

/// How often percent signs are decoded.
const DECODINGS: usize = 10;

/// The blocked path that the event's call would touch, and the entry that blocks it.
pub(super) fn blocked(ctx: &CheckContext<'_>, entries: &[String]) -> Option<(String, String)> {
    let event = ctx.event;
    let tool = event.tool()?;
    let places = crate::call::places(event, ctx.facts);
    let hit = |path: &str, reading_by_shell: bool| {
        let path = plain(path);
        let absolute = Places::absolute(&path, Some(&places.cwd)).unwrap_or(path);
        let real = ctx.facts.real_path(&absolute);
        let own = |path: &str| below(path, &places.project).is_some();
        [Some(absolute.clone()), real].into_iter().flatten().find_map(|path| {
            let entry = entries.iter().find(|entry| {
                let system = entry.starts_with('/');
                // A project that lies in such a directory is no directory of the system, and programs there are for reading and running.
                let skip = system && (reading_by_shell || own(&path));
                !skip && matches(&path, entry)
            })?;
            Some((absolute.clone(), entry.clone()))
        })
    };
    let by_command = || {
        let report = ctx.report();
        let mut actions = report.actions.iter().filter(|action| !action.remote);
        let found = actions.find_map(|action| {
            let reads = matches!(action.kind, Kind::SecretRead | Kind::SecretSend | Kind::SecretCopy);
            let is_path = action.target.contains(['/', '.']) || action.target.starts_with('~');
            let writes = action.place.is_some();
            (is_path && (reads || writes)).then(|| hit(&action.target, reads)).flatten()
        });
        found.or_else(|| {
            let args = report.runs.iter().flat_map(|run| plain_words(&run.args));
            args.filter(|arg| looks_like_path(arg)).find_map(|arg| {
                let expanded =
                    arg.strip_prefix("~/").map_or_else(|| arg.clone(), |rest| format!("{}/{rest}", places.home));
                hit(&expanded, true)
            })
        })
    };
    if tool.command().is_some() {
        return by_command();
    }
    let touched = tool.touched_path().map(std::borrow::Cow::into_owned);
    let input = || tool.input.object();
    let named = || hook_protocol::act::paths(&input()?).iter().find_map(|path| hit(path, false));
    // What Grep calls a pattern is what is searched for, not where.
    let where_to = if tool.native() == Some(NativeTool::Glob) { "pattern" } else { "glob" };
    let searched = || hit(&input()?.get_str(where_to)?, false);
    let found = touched.and_then(|path| hit(&path, false)).or_else(named).or_else(searched);
    found.or_else(|| tool.mcp().and_then(|_| by_command()))
}

/// Whether an argument of a command can name a file: one word without white space that has a separator or begins with a dot.
fn looks_like_path(arg: &str) -> bool {
    arg.len() <= 4096
        && !arg.contains(char::is_whitespace)
        && (arg.contains('/') || arg.starts_with('.') || arg == "credentials.json")
}

/// The path without percent signs that stand for other characters, and without NUL, which some programs stop at.
fn plain(path: &str) -> String {
    let mut path = path.replace('\0', "");
    for _ in 0..DECODINGS {
        let decoded = decoded(&path);
        if decoded == path {
            break;
        }
        path = decoded;
    }
    path
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match tail {
            [high, low, after @ ..] if *first == b'%' => {
                match hex(high).zip(hex(low)).and_then(|(h, l)| u8::try_from(h * 16 + l).ok()) {
                    Some(byte) if byte != 0 => {
                        bytes.push(byte);
                        rest = after;
                        continue;
                    }
                    _ => bytes.push(*first),
                }
            }
            _ => bytes.push(*first),
        }
        rest = tail;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Whether a path lies in the directory, or holds the names one after another as whole components.
fn matches(path: &str, entry: &str) -> bool {
    if entry.starts_with('/') {
        let entry = entry.trim_end_matches('/');
        let temporary = TEMPORARY.iter().any(|temporary| path == *temporary || below(path, temporary).is_some());
        return (path == entry || below(path, entry).is_some()) && !temporary;
    }
    let wanted: Vec<&str> = entry.split('/').filter(|part| !part.is_empty()).collect();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    !wanted.is_empty() && parts.windows(wanted.len()).any(|window| window == wanted)
}
