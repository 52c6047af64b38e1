//! The executable and its commands, from the outside. A file a subject; most cases are data in `tests/data/cases`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says where"
)]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod allow;
#[cfg(target_os = "linux")]
mod attended;
mod brain;
mod cases;
mod chain;
#[cfg(unix)]
mod claude_os;
mod claude_os_comms;
mod claude_os_tools;
mod claude_os_wakeup;
mod cli;
mod collective;
mod coverage;
mod custom_rules;
mod docs;
mod doctor;
mod doctor_client;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod each_call;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod each_write;
mod elsewhere;
mod environment;
#[cfg(unix)]
mod evidence;
mod faults;
#[cfg(unix)]
mod flow;
mod fuzzed;
#[cfg(unix)]
mod git_elsewhere;
mod git_own;
#[cfg(unix)]
mod guardrails;
mod install;
mod install_bounds;
#[cfg(unix)]
mod kits;
mod links;
mod log;
mod migrate;
mod model;
mod other_clients;
mod parallel;
mod payloads;
mod places;
mod presence;
#[cfg(unix)]
mod programs;
mod reaching;
mod recorder;
mod reference;
mod replay;
mod report;
mod report_browser;
mod residual;
mod sandbox;
mod sane;
#[cfg(unix)]
mod scopes;
mod sessions;
#[cfg(unix)]
mod shared;
mod shared_guard;
mod shown;
#[cfg(target_os = "linux")]
mod strangers;
#[cfg(unix)]
mod sync;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracer;
mod trust;
mod unreadable;
#[cfg(unix)]
mod untrusted;
mod vault;
mod vault_bounds;
