//! Tests through the public interface.
