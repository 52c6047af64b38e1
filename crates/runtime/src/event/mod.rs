//! One event, from the bytes on stdin to what is printed.

pub mod answer;
pub mod args;
pub mod capabilities;
pub mod deadline;
pub mod effects;
pub mod plain;
pub mod record;
mod repeat;
pub mod run;
pub mod scoring;
mod translate;
