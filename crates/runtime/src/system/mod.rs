//! The process and the machine around a run: environment, account, files.

pub mod account;
pub mod agents;
mod around;
pub mod environment;
pub mod files;
pub mod open;
pub mod way;

pub use self::around::{Alarm, System};
