//! Shell text and the tree it is read into: by a table, by laws, and against bash itself.

mod bash;
mod cost;
mod generate;
mod laws;
mod notation;
mod script;
mod spans;
mod table;
mod words;
