//! The rules of the repository, read from its manifests and sources. Each message says how to put a breach right.
#![allow(clippy::print_stdout, reason = "a skipped check says so")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a check that cannot read the repository has to fail; its helpers stand outside of the tests that clippy.toml exempts"
)]

// What each rule is about; the rule itself stands in the module.
mod catalogue; // programs are told apart by their rows
mod compare;
mod corpus; // what `cargo xtask corpus` counts, and the project's own labelled commands
mod directions; // which crate may know which, and what the pure ones may touch
#[cfg(unix)]
mod e2e; // what the end-to-end suite says of a client that is broken, absent or another one
mod environment; // every variable that is read is documented
mod lints; // the workspace's lints hold everywhere, with a reason for each exception
mod manifests; // dependencies, versions, lock file, licences
mod opens; // every way to a file, and why no link of a project leads it astray
mod options;
mod prose; // sentences, words, what pages quote, test data // one reader of options
mod source; // the files, and Rust code told from comments and strings
mod texts; // modules, sizes, marks, names of machines, README
mod wire; // who may spell wire names and clients, print, write and exit
mod writes; // every place that changes a file, and the test that stops a process there
