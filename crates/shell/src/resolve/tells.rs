//! Programs that print a path, and fields of lines: what they print is where something else is done.

use super::Interp;
use super::state::Data;
use super::value::{is_known, is_marker};
use crate::options::{Options, plain_words};
use crate::programs::{Invocation, Tool};

/// Folders that a desktop gives names.
const USER_FOLDERS: &[(&str, &str)] = &[
    ("DESKTOP", "/Desktop"),
    ("DOWNLOAD", "/Downloads"),
    ("DOCUMENTS", "/Documents"),
    ("MUSIC", "/Music"),
    ("PICTURES", "/Pictures"),
    ("VIDEOS", "/Videos"),
    ("PUBLICSHARE", "/Public"),
    ("TEMPLATES", "/Templates"),
];

impl Interp<'_> {
    /// Programs of this module; `None` where it is not known what they print.
    pub(super) fn prints_path(&self, of: &Invocation<'_>) -> Option<Data> {
        let Invocation { program, args, .. } = *of;
        let operand = || plain_words(args).next_back().map(String::as_str);
        Some(Data::from(match program.tool {
            Tool::Basename => {
                let options = of.options();
                let several = options.has(&["-a", "--multiple", "-s", "--suffix"]);
                let count = if several { options.operands.len() } else { 1 };
                let suffix =
                    options.value(&["-s", "--suffix"]).or(options.operands.get(1).copied().filter(|_| !several));
                let name = |path: &&str| {
                    let name = folder_and_name(path).1;
                    let stem = suffix.and_then(|suffix| name.strip_suffix(suffix)).filter(|stem| !stem.is_empty());
                    format!("{}\n", stem.unwrap_or(name))
                };
                options.operands.iter().take(count).map(name).collect()
            }
            Tool::Dirname => of.options().operands.iter().flat_map(|path| [folder_and_name(path).0, "\n"]).collect(),
            Tool::Realpath => {
                let path = operand().unwrap_or_default();
                self.real_path(path, self.state.cwd()).unwrap_or_else(|| path.to_owned())
            }
            Tool::Mktemp => self.temporary(of),
            Tool::XdgUserDir => {
                let named = args.first().and_then(|name| USER_FOLDERS.iter().find(|(known, _)| known == name));
                format!("{}{}\n", self.places.home, named.map_or("", |(_, folder)| folder))
            }
            Tool::Getent => match args {
                [base, user] if base == "passwd" => self.account(user),
                _ => return None,
            },
            Tool::Printenv => match args {
                [name] => self.value(name).filter(|value| is_known(value)).map(|value| format!("{value}\n"))?,
                _ => return None,
            },
            _ => return None,
        }))
    }

    /// The file or folder that `mktemp` makes.
    fn temporary(&self, of: &Invocation<'_>) -> String {
        let options = of.options();
        let folder = self.value("TMPDIR").unwrap_or_else(|| "/tmp".to_owned());
        let folder = options.value(&["-p", "--tmpdir"]).map_or(folder, str::to_owned);
        match options.operands.first() {
            Some(template) if !options.has(&["-p", "-t", "--tmpdir"]) => (*template).to_owned(),
            template => format!("{folder}/{}", template.copied().unwrap_or("tmp.XXXXXXXXXX")),
        }
    }

    /// The accounts that are known to be there.
    pub(super) fn accounts(&self) -> String {
        format!("root:x:0:0:root:/root:/bin/bash\n{}", self.account(""))
    }

    /// The line of an account, in the system's list of them.
    fn account(&self, user: &str) -> String {
        let own = self.places.home.rsplit('/').next().unwrap_or_default();
        let home = match user {
            "root" | "0" => "/root".to_owned(),
            _ if user == own || user.contains(is_marker) || user.bytes().all(|byte| byte.is_ascii_digit()) => {
                return format!("{own}:x:1000:1000::{}:/bin/bash\n", self.places.home);
            }
            _ => format!("/home/{user}"),
        };
        format!("{user}:x:1000:1000::{home}:/bin/bash\n")
    }

    /// What `awk '{print $N}'` prints of what is known: fields of its input, or of the list of accounts.
    pub(super) fn awk_prints(&self, args: &[String], code: &str, rest: &[String], stdin: &str) -> Option<Data> {
        let (_, action) = code.split_once('{')?;
        let field = action.trim().strip_suffix('}')?.trim().strip_prefix("print")?.trim().strip_prefix('$')?;
        let field: usize = field.parse().ok().filter(|field| *field > 0)?;
        let separator = args.iter().enumerate().find_map(|(at, arg)| match arg.strip_prefix("-F") {
            Some("") => args.get(at + 1).map(String::as_str),
            joined => joined,
        });
        let input = match rest {
            [file] if file == "/etc/passwd" => self.accounts(),
            [] if is_known(stdin) && !stdin.is_empty() => stdin.to_owned(),
            _ => return None,
        };
        let separator = separator.filter(|text| text.chars().count() == 1 && *text != " ");
        let line = |line: &str| {
            let found = match separator {
                Some(separator) => line.split(separator).nth(field - 1),
                None => line.split_whitespace().nth(field - 1),
            };
            format!("{}\n", found.unwrap_or_default())
        };
        Some(Data::from(input.lines().map(line).collect::<String>()))
    }
}

/// The folder that a path's last part lies in, and that part, as `dirname` and `basename` print them.
fn folder_and_name(path: &str) -> (&str, &str) {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit_once('/') {
        _ if trimmed.is_empty() && !path.is_empty() => ("/", "/"),
        Some((folder, name)) if folder.trim_end_matches('/').is_empty() => ("/", name),
        Some((folder, name)) => (folder.trim_end_matches('/'), name),
        None => (".", trimmed),
    }
}

/// Whether a file holds the number of a process that serves the system, and not just a user.
pub(super) fn is_number_of_service(path: &str) -> bool {
    path.rsplit('.').next() == Some("pid")
        && ["/run/", "/var/run/"].iter().any(|folder| path.starts_with(folder))
        && !path.contains("/run/user/")
}

/// Fields of known lines, by their number: `-f N` and `-f N-`.
pub(super) fn cut(options: &Options<'_>, input: &str) -> Option<Data> {
    let separator = options.value(&["-d", "--delimiter"]).unwrap_or("\t");
    let fields = options.value(&["-f", "--fields"])?;
    let (first, onward) = fields.strip_suffix('-').map_or((fields, false), |first| (first, true));
    let first: usize = first.parse().ok().filter(|first| *first > 0)?;
    if separator.is_empty() {
        return None;
    }
    let line = |line: &str| {
        if !line.contains(separator) {
            return format!("{line}\n");
        }
        let mut pieces = if onward { line.splitn(first, separator) } else { line.splitn(usize::MAX, separator) };
        format!("{}\n", pieces.nth(first - 1).unwrap_or_default())
    };
    Some(Data::from(input.lines().map(line).collect::<String>()))
}
