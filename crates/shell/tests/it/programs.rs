//! The catalogue as a whole.

use std::collections::HashSet;

use hook_shell::programs::{all, named};

#[test]
fn every_name_has_one_row() {
    let mut seen = HashSet::new();
    for name in all().flat_map(|program| program.names) {
        assert!(seen.insert(name), "{name} has two rows");
        assert!(named(name).is_some_and(|program| program.names.contains(name)), "{name} is not found");
    }
    assert!(named("no-such-program").is_none() && named("").is_none());
}
