//! Reads the case files of `tests/data`.

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The cases of a file: its tables `[[case]]`.
pub(crate) fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    #[derive(Deserialize)]
    struct File<T> {
        case: Vec<T>,
    }
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: File<T> = toml::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(!file.case.is_empty(), "{name} holds no case");
    file.case
}

/// A prompt that a case may give as a unit and a number of times.
pub(crate) fn repeated(unit: &str, times: Option<usize>) -> String {
    unit.repeat(times.unwrap_or(1))
}
