//! Options as the tables name them, found in the words of a call.

use super::words::Arg;
use crate::options::{Given, Grammar, Item, Scan, Takes, Word as _, entry, is_abbreviation, letters};
use crate::programs::{Operands, Style, Way};

/// What is left of the words of a call when its options are read.
#[derive(Debug, Default)]
pub(super) struct Read<'a> {
    pub(super) operands: Vec<&'a Arg>,
    options: Vec<Given<'a, Arg>>,
}

/// Reads `args` by the way's table. `None` if an option is there that the table does not allow.
pub(super) fn read<'a>(args: &'a [Arg], way: &Way) -> Option<Read<'a>> {
    if args.contains(&Arg::Wild) && !way.takes_anything() {
        return None;
    }
    // Without a list of all options no letter's value is known, so each word is looked at as a whole.
    let grammar =
        Grammar { table: way.only, bundles: !way.only.is_empty(), ends: way.style == Style::Gnu, ..Grammar::WORDS };
    let mut out = Read::default();
    for item in Scan::new(args, grammar) {
        match item {
            Item::Operand(operand) => out.operands.push(operand.word),
            Item::End => {}
            Item::Option(given) => {
                let forbidden = way.but.iter().any(|but| is_option(given.word, but, way.style));
                if forbidden || !way.only.is_empty() && !allows(way.only, &given) {
                    return None;
                }
                out.options.push(given);
            }
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
    if !way.needs.is_empty() && !way.needs.iter().any(|name| out.options.iter().any(|given| given.is(name))) {
        return None;
    }
    fits(&out.operands, way.operands).then_some(out)
}

/// Whether the operands are such as the table allows.
fn fits(operands: &[&Arg], allowed: Operands) -> bool {
    match allowed {
        Operands::Any => true,
        Operands::Local => operands.iter().all(|arg| arg.text().is_some_and(|path| !path.contains(':'))),
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
    let letter = but.trim_start_matches('-');
    letters(text)
        .is_some_and(|letters| if letter.len() == 1 { letters.contains(letter) } else { letters.starts_with(letter) })
}

/// Whether a table of the only options has the option, with such a value.
pub(super) fn allows(only: &[&str], given: &Given<'_, Arg>) -> bool {
    only.iter().map(|one| entry(one)).find(|(name, _)| given.is(name)).is_some_and(|(_, takes)| match takes {
        Takes::OneOf(list) => given.value().is_some_and(|value| list.split('|').any(|one| one == value)),
        Takes::Value => given.joined.is_some() || given.next.is_some_and(|next| *next != Arg::Wild),
        _ => given.joined.is_none(),
    })
}
