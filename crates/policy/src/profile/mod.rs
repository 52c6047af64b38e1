//! Profiles: raw TOML as a person writes it, and the resolved form that decisions run on.

mod error;
mod raw;
mod resolve;
mod resolved;

pub use self::error::{ConfigError, nearest};
pub use self::raw::{RawHandler, RawProfile, RegistryKeys};
pub use self::resolve::resolve;
pub use self::resolved::{
    Base, EventSet, Handler, IdSource, LogLimits, Matching, PhraseFactors, Plan, PlannedHandler, Profile, Scoring,
    Settings, TextLogLimits, UserSignal,
};
