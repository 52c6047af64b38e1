//! Profiles: raw TOML as a user writes it, and the resolved form that decisions run on.

mod builtin;
mod error;
mod place;
mod raw;
mod reach;
mod read;
mod recover;
mod resolve;
mod resolved;
#[cfg(feature = "schema")]
mod schema;
mod value;

pub use self::builtin::{DEFAULT, NAMES, builtin, builtin_text};
pub use self::error::{ConfigError, Faults, Item, nearest};
pub use self::raw::{RawHandler, RawProfile, RegistryKeys};
pub use self::reach::Reach;
pub use self::resolve::{resolve, resolve_strict};
pub use self::resolved::{
    Base, EventSet, Handler, IdSource, LogLimits, Matching, PhraseFactors, Plan, PlannedHandler, Profile, Scoring,
    Settings, TextLogLimits, Unguarded, UserSignal, WithoutServer,
};
#[cfg(feature = "schema")]
pub use self::schema::schema;
pub(crate) use self::value::read as read_value;
