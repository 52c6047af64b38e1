//! Settings of a user, and words of one call, by which packages and repositories come from elsewhere.

use super::action::Kind;
use super::exec::Call;
use super::taint::{glob, is_literal};
use super::{Interp, shown};
use crate::options::{Grammar, Scan};
use crate::programs::{Invocation, LOOKS, Origin};
use core::net::Ipv4Addr;

impl Interp<'_> {
    /// Reports a command that sets where packages come from.
    pub(super) fn origin_set(&mut self, of: &Invocation<'_>, call: &Call) {
        let Some(origin) = of.program.origin else { return };
        if settings(origin, of).iter().any(|setting| is_foreign(origin, setting)) {
            self.act_at(Kind::PackageSource, None, shown(&of.text()), call.span);
        }
        if let Some(address) = self.unsafe_source(origin, of) {
            self.act_at(Kind::UnsafeSource, None, shown(&address), call.span);
        }
    }

    /// The place that one call fetches packages from, where nobody can tell who made them.
    fn unsafe_source(&self, origin: &Origin, of: &Invocation<'_>) -> Option<String> {
        let options = of.options();
        if options.operands.first().is_some_and(|verb| LOOKS.contains(verb)) {
            return None;
        }
        let given = Scan::new(of.args, Grammar::gnu(origin.options)).options();
        let named = given.filter(|given| given.is_one_of(origin.options)).filter_map(|given| given.value());
        let packages = origin.fetches.iter().find_map(|verb| behind(&options.operands, verb)).unwrap_or_default();
        let mut variables = origin.variables.iter().filter_map(|name| self.state.vars.get(*name)?.values.first());
        // `GONOSUMDB=*`, `GOFLAGS=-insecure`: nothing is checked.
        let unchecked = |value: &str| value == "*" || value.split([' ', ',']).any(|word| word == "-insecure");
        let address = named.chain(packages.iter().copied()).find(|address| is_unsafe(address)).map(str::to_owned);
        address.or_else(|| variables.find(|value| is_unsafe(value) || unchecked(value)).map(ToString::to_string))
    }
}

/// Whether a text names a place over plain HTTP, or a bare address of the internet.
fn is_unsafe(text: &str) -> bool {
    text.match_indices("://").any(|(at, mark)| {
        let before = text.get(..at).unwrap_or_default();
        let rest = text.get(at + mark.len()..).unwrap_or_default();
        let host = rest.split(['/', ',', ' ', '|', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
        let bare = before.ends_with("https") && host.parse::<Ipv4Addr>().is_ok();
        (before.ends_with("http") || bare) && is_of_internet(&host)
    })
}

/// Whether a host is none of this machine or of a network of one's own, as far as its name tells.
fn is_of_internet(host: &str) -> bool {
    const OWN: &[&str] = &[".local", ".localhost", ".internal", ".lan", ".home", ".intranet", ".corp"];
    match host.parse::<Ipv4Addr>() {
        Ok(address) => !(address.is_loopback() || address.is_private() || address.is_unspecified()),
        Err(_) => host.contains('.') && is_literal(host) && !OWN.iter().any(|end| host.ends_with(end)),
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
