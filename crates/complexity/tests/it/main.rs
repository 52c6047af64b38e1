//! Tests through the public interface.

/// Reads the case files.
mod data;
/// The golden vectors of the document, in both columns.
mod golden;
/// The regular expressions that the matcher has to agree with.
mod oracle;
/// Each row of the signal table, one by one.
mod signals;
