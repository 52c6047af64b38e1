//! Tests of the store through its public interface.

mod child;
mod concurrency;
mod document;
mod faults;
mod id;
mod membership;
mod sign;
mod support;
mod time;
mod verify;
mod view;
