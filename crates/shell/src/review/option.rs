//! Options as the tables name them, found in the words of a call.

use super::words::Arg;
use crate::programs::{Operands, Style, Way};
use crate::resolve::option::is_abbreviation;

/// What is left of the words of a call when its options are read.
#[derive(Debug, Default)]
pub(super) struct Read<'a> {
    pub(super) operands: Vec<&'a Arg>,
    /// Names of options, as the table or the line spells them.
    options: Vec<String>,
}

/// Reads `args` by the way's table. `None` if an option is there that the table does not allow.
pub(super) fn read<'a>(args: &'a [Arg], way: &Way) -> Option<Read<'a>> {
    if args.contains(&Arg::Wild) && !way.takes_anything() {
        return None;
    }
    let mut out = Read::default();
    let mut at = 0;
    let mut closed = false;
    while let Some(arg) = args.get(at) {
        at += 1;
        let text = match arg {
            Arg::Known(text) if !closed && text.len() > 1 && text.starts_with('-') => text.as_str(),
            other => {
                out.operands.push(other);
                continue;
            }
        };
        if text == "--" && way.style == Style::Gnu {
            closed = true;
            continue;
        }
        if way.but.iter().any(|but| is_option(text, but, way.style)) {
            return None;
        }
        if way.only.is_empty() {
            out.options.push(text.split('=').next().unwrap_or(text).to_owned());
        } else {
            at += usize::from(allowed(text, args.get(at), way.only, &mut out.options)?);
        }
    }
    // Options of the second style may stand behind `--` as well.
    let plain = |arg: &Arg, start: &str| match arg {
        Arg::Known(text) | Arg::Begins(text) => text.starts_with(start) || arg.may_be(start),
        Arg::Wild => true,
    };
    let starts = || way.but.iter().filter(|but| !but.starts_with('-'));
    if out.operands.iter().any(|operand| starts().any(|start| plain(operand, start))) {
        return None;
    }
    let has = |name: &&str| out.options.iter().any(|option| option == name);
    if !way.needs.is_empty() && !way.needs.iter().any(has) {
        return None;
    }
    fits(&out.operands, way.operands).then_some(out)
}

/// Whether the operands are such as the table allows.
fn fits(operands: &[&Arg], allowed: Operands) -> bool {
    match allowed {
        Operands::Any => true,
        Operands::Local => operands.iter().all(|arg| arg.known().is_some_and(|path| !path.contains(':'))),
        Operands::AtMost(most) => operands.len() <= most,
        Operands::Beginning(start) => {
            operands.iter().all(|arg| matches!(arg, Arg::Known(text) | Arg::Begins(text) if text.starts_with(start)))
        }
        Operands::Web => operands.iter().all(|arg| match arg {
            Arg::Known(url) => {
                url.starts_with("https://") || url.starts_with("http://") || !url.contains(':') && !url.starts_with('-')
            }
            Arg::Begins(_) | Arg::Wild => false,
        }),
    }
}

/// Whether the word `text` holds the option `but`.
fn is_option(text: &str, but: &str, style: Style) -> bool {
    if !but.starts_with('-') {
        return false;
    }
    let name = text.split('=').next().unwrap_or(text);
    if style == Style::Words {
        // `-fprint` also stands for `-fprintf`, and two dashes are as good as one.
        return name.trim_start_matches('-').starts_with(but.trim_start_matches('-'));
    }
    if but.starts_with("--") {
        return name.starts_with("--") && is_abbreviation(name, but);
    }
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let letter = but.trim_start_matches('-');
    letters
        .is_some_and(|letters| if letter.len() == 1 { letters.contains(letter) } else { letters.starts_with(letter) })
}

/// Whether a table of the only options has the word, and whether the next word is its value. `None` if it does not have it.
pub(super) fn allowed(text: &str, next: Option<&Arg>, only: &[&str], names: &mut Vec<String>) -> Option<bool> {
    let entry = |name: &str| {
        only.iter().find_map(|entry| {
            let (known, value) = split(entry);
            (known == name).then_some(value)
        })
    };
    let next_text = || match next {
        Some(Arg::Known(text)) => Some(text.as_str()),
        _ => None,
    };
    let (name, joined) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    if let Some(value) = entry(name) {
        names.push(name.to_owned());
        return match (value, joined) {
            // A value that may be left out is joined.
            (Value::None, Some(_)) => None,
            (Value::None, None) | (Value::Any, Some(_)) => Some(false),
            (Value::Any, None) => next.filter(|next| **next != Arg::Wild).map(|_| true),
            (Value::OneOf(list), Some(value)) => list.split('|').any(|one| one == value).then_some(false),
            (Value::OneOf(list), None) => list.split('|').any(|one| Some(one) == next_text()).then_some(true),
        };
    }
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    if letters.chars().all(|c| c.is_ascii_digit()) && only.contains(&"-#") {
        return Some(false);
    }
    for (at, letter) in letters.char_indices() {
        let name = format!("-{letter}");
        let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
        let value = entry(&name)?;
        names.push(name);
        match value {
            Value::None => {}
            Value::Any if rest.is_empty() => return next.filter(|next| **next != Arg::Wild).map(|_| true),
            Value::Any => return Some(false),
            Value::OneOf(list) if rest.is_empty() => {
                return list.split('|').any(|one| Some(one) == next_text()).then_some(true);
            }
            Value::OneOf(list) => return list.split('|').any(|one| one == rest).then_some(false),
        }
    }
    Some(false)
}

/// The value that an option of a table takes.
enum Value<'e> {
    None,
    Any,
    OneOf(&'e str),
}

/// An entry of [`Way::only`] or [`crate::programs::Program::before`]: the option and its value.
fn split(entry: &str) -> (&str, Value<'_>) {
    match (entry.strip_suffix('='), entry.split_once(':')) {
        (Some(name), _) => (name, Value::Any),
        (None, Some((name, list))) => (name, Value::OneOf(list)),
        (None, None) => (entry, Value::None),
    }
}
