//! The process and the machine around a run: environment, account, files.

pub mod account;
pub mod environment;
pub mod files;
pub mod host;
pub mod open;
pub mod way;
