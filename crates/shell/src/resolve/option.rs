//! Command line options as programs of the POSIX and GNU kind read them: bundles, joined values, abbreviations, `--`.

/// What an argument vector says, seen with the list of options that take a value.
#[derive(Debug, Default)]
#[expect(clippy::struct_field_names, reason = "options are what the list of options is called everywhere")]
pub struct Options<'a> {
    /// Options with their values, in order. Short ones as `-x`, long ones as `--name`.
    pub options: Vec<(String, Option<&'a str>)>,
    /// All else, in order.
    pub operands: Vec<&'a str>,
    /// Long options that are written out in full, and so are no beginnings of longer ones: `--output` beside `--output-dir`.
    full: Vec<String>,
}

impl<'a> Options<'a> {
    /// Reads all arguments; operands may stand between options.
    pub fn all(args: &'a [String], values: &[&str]) -> Self {
        Self::read(args, values, false).0
    }

    /// Reads options up to the first operand; gives the arguments from there on.
    pub fn leading(args: &'a [String], values: &[&str]) -> (Self, &'a [String]) {
        let (options, used) = Self::read(args, values, true);
        (options, args.get(used..).unwrap_or_default())
    }

    fn read(args: &'a [String], values: &[&str], stop: bool) -> (Self, usize) {
        let mut out = Self::default();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let arg = arg.as_str();
            if arg == "--" {
                at += 1;
                if !stop {
                    out.operands.extend(args.get(at..).unwrap_or_default().iter().map(String::as_str));
                    at = args.len();
                }
                break;
            }
            let next = args.get(at + 1).map(String::as_str);
            if let Some(long) = arg.strip_prefix("--") {
                let (name, joined) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                let full = format!("--{name}");
                let takes = joined.is_none() && values.iter().any(|value| is_abbreviation(&full, value));
                if values.contains(&full.as_str()) {
                    out.full.push(full.clone());
                }
                out.options.push((full, joined.or(if takes { next } else { None })));
                at += 1 + usize::from(takes);
            } else if arg.len() > 1 && arg.starts_with('-') {
                at += 1 + usize::from(out.bundle(arg, next, values));
            } else if stop {
                break;
            } else {
                out.operands.push(arg);
                at += 1;
            }
        }
        (out, at)
    }

    /// One argument of short options; tells whether the next argument is its value.
    fn bundle(&mut self, arg: &'a str, next: Option<&'a str>, values: &[&str]) -> bool {
        // Some programs write long options with one dash.
        if values.contains(&arg) {
            self.options.push((arg.to_owned(), next));
            return true;
        }
        for (at, letter) in arg.char_indices().skip(1) {
            let name = format!("-{letter}");
            if values.contains(&name.as_str()) {
                let rest = arg.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
                self.options.push((name, rest.or(next)));
                return rest.is_none();
            }
            self.options.push((name, None));
        }
        false
    }

    /// Whether one of the options is there. Long names may be cut short, as GNU programs allow.
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(option, _)| self.names(option, names))
    }

    /// Whether an option is one of these, perhaps cut short.
    fn names(&self, option: &str, names: &[&str]) -> bool {
        let full = self.full.iter().any(|full| full == option);
        names.iter().any(|name| if full { option == *name } else { is_abbreviation(option, name) })
    }

    /// The value of the first of the options that is there.
    pub fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.values(names).next()
    }

    /// The values of the options.
    pub fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'a str> + 's {
        self.options.iter().filter(|(option, _)| self.names(option, names)).filter_map(|(_, value)| *value)
    }
}

/// Whether `given` is `name`, or a beginning of a long one.
pub fn is_abbreviation(given: &str, name: &str) -> bool {
    given == name || (given.len() > 2 && name.starts_with("--") && given.starts_with("--") && name.starts_with(given))
}

/// The positional parameters that `set` is given; `None` where it only sets options: `set -euo pipefail` names one behind them.
pub(super) fn parameters_set(args: &[String]) -> Option<&[String]> {
    let mut rest = args;
    while let Some((first, after)) = rest.split_first() {
        rest = match first.as_str() {
            "--" | "-" => return Some(after),
            options if options.len() > 1 && options.starts_with(['-', '+']) => {
                after.get(usize::from(options.contains('o') && !after.is_empty())..)?
            }
            _ => return Some(rest),
        };
    }
    None
}
