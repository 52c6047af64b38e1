//! Texts, told by their words and never parsed as a whole: what commands hand to services, and what stands in source files.

pub mod http;
pub mod lex;
pub mod marker;
pub mod mock;
pub mod query;
pub mod scratch;
pub mod sql;
