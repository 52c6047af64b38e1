//! Tests through the public interface.

/// Reads the case files.
mod data;
/// The golden vectors of the document, in both columns.
mod golden;
