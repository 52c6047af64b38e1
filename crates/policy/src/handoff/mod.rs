//! Work that one agent hands to the next: what an answer asks for, which rule applies, and whether its form is right (S2-11 to S2-19).

mod marker;
mod plain;
mod roster;
mod rules;
mod sentence;
mod validate;

pub use self::roster::Roster;
pub use self::rules::{Names, Next, next};
pub use self::sentence::{Handoff, handoffs};
pub use self::validate::{Remark, remarks};
