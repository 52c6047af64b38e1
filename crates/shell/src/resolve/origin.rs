//! Settings of a person by which packages and repositories come from elsewhere.

use super::action::Kind;
use super::exec::Call;
use super::taint::glob;
use super::{Interp, shown};
use crate::programs::{Invocation, Origin};

impl Interp<'_> {
    /// Reports a command that sets where packages come from.
    pub(super) fn origin_set(&mut self, of: &Invocation<'_>, call: &Call) {
        let Some(origin) = of.program.origin else { return };
        if settings(origin, of).iter().any(|setting| is_foreign(origin, setting)) {
            self.act_at(Kind::PackageSource, None, shown(&of.text()), call.span);
        }
    }
}

/// What a call sets, as `name=value`.
fn settings(origin: &Origin, of: &Invocation<'_>) -> Vec<String> {
    let options = of.options();
    let says = |names: &[&str]| {
        of.args.iter().any(|arg| names.contains(&arg.as_str()))
            || names
                .iter()
                .filter_map(|name| name.split_once('='))
                .any(|(name, value)| options.value(&[name]) == Some(value))
    };
    if says(origin.unless) || !origin.needs.is_empty() && !says(origin.needs) {
        return Vec::new();
    }
    match origin.verbs.iter().find_map(|verb| behind(&options.operands, verb)) {
        // `gem sources -a ADDRESS`
        Some([address, ..]) if is_address(address) => vec![format!("={address}")],
        Some([name, value @ ..]) if !name.contains('=') => vec![format!("{name}={}", value.join(" "))],
        Some(pairs) => pairs.iter().map(|pair| (*pair).to_owned()).collect(),
        None => Vec::new(),
    }
}

fn is_address(word: &str) -> bool {
    word.split_once("://").is_some_and(|(scheme, _)| scheme.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// The operands behind the words of a sub-command.
fn behind<'o>(operands: &'o [&'o str], verb: &'o str) -> Option<&'o [&'o str]> {
    let count = verb.split(' ').count();
    let begins = operands.iter().take(count).copied().eq(verb.split(' '));
    operands.get(count..).filter(|_| begins)
}

/// Whether a setting names a place that is not the program's own.
fn is_foreign(origin: &Origin, setting: &str) -> bool {
    let setting = setting.to_ascii_lowercase();
    let value = setting.split_once('=').map_or("", |(_, value)| value).trim();
    let address = value.split_once("://").map_or(value, |(_, address)| address).trim_end_matches('/');
    let of_machine = ["localhost", "127.0.0.1", "[::1]"].iter().any(|host| address.starts_with(host));
    let takes_back = of_machine || matches!(value, "" | "null" | "none" | "undefined" | "\"\"");
    !takes_back && !origin.own.contains(&address) && origin.settings.iter().any(|pattern| glob(pattern, &setting))
}
