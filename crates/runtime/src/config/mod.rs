//! Configuration: profiles, settings, and the compiled form that a hook reads.

pub mod cache;
pub mod faults;
pub mod profiles;
pub mod settings;
