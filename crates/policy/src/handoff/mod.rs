//! Work that one agent hands to the next: what an answer asks for, which rule applies, what must pass before, and what is remembered of
//! it.

mod gate;
mod marker;
mod plain;
pub mod report;
mod roster;
mod routing;
mod rules;
mod sentence;
mod validate;

pub use self::gate::{Gate, REPORT, Ran, Step, StepEnd, StepKind, Why, file_name};
pub use self::roster::Roster;
pub use self::routing::{Blocks, Change, Checked, Handled, Hop, Routing, Waiting};
pub use self::rules::{Names, Next, next};
pub use self::sentence::{Handoff, handoffs};
pub use self::validate::{Remark, remarks};
