//! The executable and its commands, from the outside. A file a subject; most cases are data in `tests/data/cases`.

mod cases;
mod coverage;
mod faults;
mod install;
mod parallel;
mod payloads;
mod sandbox;
