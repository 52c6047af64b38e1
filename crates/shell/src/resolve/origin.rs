//! Settings of a person by which packages and repositories come from elsewhere.

use super::action::Kind;
use super::exec::Call;
use super::taint::{glob, is_literal};
use super::{Interp, shown};
use crate::options::{Grammar, Scan};
use crate::programs::{Invocation, LOOKS, Origin};
use std::net::Ipv4Addr;

impl Interp<'_> {
    /// Reports a command that sets where packages come from.
    pub(super) fn origin_set(&mut self, of: &Invocation<'_>, call: &Call) {
        let Some(origin) = of.program.origin else { return };
        if settings(origin, of).iter().any(|setting| is_foreign(origin, setting)) {
            self.act_at(Kind::PackageSource, None, shown(&of.text()), call.span);
        }
        if let Some(address) = self.fetched_from(origin, of).iter().find(|address| is_unsafe(address)) {
            self.act_at(Kind::UnsafeSource, None, shown(address), call.span);
        }
    }

    /// Where one call fetches packages from, as far as the line says.
    fn fetched_from(&self, origin: &Origin, of: &Invocation<'_>) -> Vec<String> {
        let options = of.options();
        if options.operands.first().is_some_and(|verb| LOOKS.contains(verb)) {
            return Vec::new();
        }
        let given = Scan::new(of.args, Grammar::gnu(origin.options)).options();
        let named = given.filter(|given| given.is_one_of(origin.options)).filter_map(|given| given.value());
        let packages = origin.fetches.iter().find_map(|verb| behind(&options.operands, verb)).unwrap_or_default();
        let set = |name: &&str| self.state.vars.get(*name)?.values.first().map(ToString::to_string);
        let variables = origin.variables.iter().filter_map(set);
        named.chain(packages.iter().copied()).map(str::to_owned).chain(variables).collect()
    }
}

/// Whether nobody can tell who made what comes from there: over plain HTTP, from a bare address of the internet, or with nothing that is
/// checked.
fn is_unsafe(text: &str) -> bool {
    let unchecked = text == "*" || text.split([' ', ',']).any(|word| word == "-insecure");
    unchecked
        || text.match_indices("://").any(|(at, mark)| {
            let before = text.get(..at).unwrap_or_default();
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            let host = rest.split(['/', ',', ' ', '|', '?', '#']).next().unwrap_or_default();
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
            let encrypted = before.ends_with("https");
            (before.ends_with("http") && is_of_internet(&host))
                || encrypted && is_of_internet(&host) && host.parse::<Ipv4Addr>().is_ok()
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
