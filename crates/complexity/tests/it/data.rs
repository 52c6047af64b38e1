//! Reads the case files of `tests/data`.

use serde::de::DeserializeOwned;

/// Every line of a case file; empty lines don't count.
pub(crate) fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parse = |(number, line)| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{number}: {error}"));
    let cases: Vec<T> = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line))
        .filter(|(_, line)| !line.is_empty())
        .map(parse)
        .collect();
    assert!(!cases.is_empty(), "{name} holds no case");
    cases
}

/// A prompt that a case may give as a unit and a number of times.
pub(crate) fn repeated(unit: &str, times: Option<usize>) -> String {
    unit.repeat(times.unwrap_or(1))
}
