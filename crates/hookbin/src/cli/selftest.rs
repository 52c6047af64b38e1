//! `hookbin selftest`: what it prints. What it does is in [`crate::selftest`].

use clap::Args;
use serde::Serialize;

use super::{Usage, exit};
use crate::host::Host;
use crate::selftest::{self, Tried};

#[derive(Args)]
pub(super) struct SelftestArgs {
    /// The profile; without one, all that have cases
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SelftestJson {
    version: u32,
    good: bool,
    cases: Vec<Tried>,
}

pub(super) fn run(args: &SelftestArgs, host: &Host) -> anyhow::Result<u8> {
    let known: Vec<String> = selftest::profiles().map(str::to_owned).collect();
    let names = match &args.name {
        None => known,
        Some(name) if known.contains(name) => vec![name.clone()],
        Some(name) => {
            return Err(Usage(format!("`{name}` has no self-test; there are {}", known.join(", "))).into());
        }
    };
    let cases = selftest::run(&names, host)?;
    let good = cases.iter().all(|case| case.wrong.is_none());
    if args.json {
        println!("{}", serde_json::to_string_pretty(&SelftestJson { version: 1, good, cases })?);
    } else {
        for case in &cases {
            if let Some(wrong) = &case.wrong {
                println!("{}: {}: {wrong}", case.profile, case.name);
            }
        }
        for name in &names {
            let of_it = || cases.iter().filter(|case| case.profile == name);
            let passed = of_it().filter(|case| case.wrong.is_none()).count();
            println!("{name}: {passed} of {} cases are as they should be", of_it().count());
        }
    }
    Ok(if good { exit::GOOD } else { exit::FINDINGS })
}
