//! `hookbin selftest`: what it prints. What it does is in [`hook_replay::selftest`].

use clap::Args;
use serde::Serialize;

use super::{Json, Usage, exit};
use hook_replay::selftest::{self, Tried};
use hook_runtime::system::System;

#[derive(Args)]
pub(super) struct SelftestArgs {
    /// A profile, or one group of its cases; without one, all
    name: Option<String>,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct SelftestJson {
    version: u32,
    good: bool,
    cases: Vec<Tried>,
}

pub(super) fn run(args: &SelftestArgs, system: &System) -> anyhow::Result<u8> {
    let known = selftest::names();
    if let Some(name) = args.name.as_deref().filter(|name| !known.contains(name)) {
        return Err(Usage(format!("`{name}` has no self-test; there are {}", known.join(", "))).into());
    }
    let names: Vec<&str> = selftest::groups(args.name.as_deref()).collect();
    let cases = selftest::run(&names, system)?;
    let good = cases.iter().all(|case| case.wrong.is_none());
    let tried = SelftestJson { version: 1, good, cases };
    if !args.json.print(&tried)? {
        for case in &tried.cases {
            println!("{}: {}: {}", case.group, case.name, case.wrong.as_deref().unwrap_or("good"));
        }
        for name in &names {
            let of_it = || tried.cases.iter().filter(|case| case.group == *name);
            let passed = of_it().filter(|case| case.wrong.is_none()).count();
            println!("{name}: {passed} of {} cases are as they should be", of_it().count());
        }
    }
    Ok(if good { exit::GOOD } else { exit::FINDINGS })
}
