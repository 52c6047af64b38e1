//! Tests through the public interface. A file a subject.

mod decide;
mod profile;
mod support;
mod verdict;
