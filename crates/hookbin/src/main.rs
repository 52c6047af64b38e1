//! The executable `hookbin`. Everything it does is in the library beside it; how it starts is in `start`.
#![cfg_attr(all(unix, not(test)), no_main)]

mod start;

#[cfg(any(not(unix), test))]
fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(hookbin::main(std::env::args_os().collect(), None, None))
}
