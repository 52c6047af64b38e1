//! Destructive statements in text for databases: told by their first words, never parsed.

/// Why a text destroys; `None` if it is not seen to.
pub(super) fn danger(text: &str) -> Option<&'static str> {
    let upper = without_literals(text).to_ascii_uppercase();
    for statement in upper.split(';') {
        let words: Vec<&str> = statement
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
            .filter(|word| !word.is_empty())
            .collect();
        let found = match words.as_slice() {
            [
                "DROP",
                "TABLE" | "DATABASE" | "SCHEMA" | "VIEW" | "INDEX" | "USER" | "ROLE" | "KEYSPACE" | "COLLECTION"
                | "TABLESPACE" | "TYPE" | "FUNCTION" | "EXTENSION" | "TRIGGER" | "SEQUENCE" | "MATERIALIZED" | "OWNED"
                | "MEASUREMENT" | "SERIES" | "RETENTION" | "BUCKET",
                ..,
            ] => Some("drops a part of a database"),
            ["TRUNCATE", ..] => Some("empties a table"),
            ["DELETE", "FROM", ..] | ["DELETE", ..] if words.len() > 1 && !words.contains(&"WHERE") => {
                Some("deletes every row of a table")
            }
            ["DELETE", "FROM", ..] if always_true(&words) => Some("deletes every row of a table"),
            ["UPDATE", _, "SET", ..] if !words.contains(&"WHERE") => Some("changes every row of a table"),
            ["ALTER", "TABLE", rest @ ..] if rest.contains(&"DROP") || rest.contains(&"TRUNCATE") => {
                Some("drops a part of a table")
            }
            ["ALTER", "DATABASE" | "SCHEMA", rest @ ..] if rest.contains(&"DROP") => Some("drops a part of a database"),
            ["REVOKE" | "GRANT", "ALL", ..] => Some("changes who may do what in a database"),
            ["SHUTDOWN" | "FLUSHALL" | "FLUSHDB", ..] => Some("stops or empties a database"),
            ["RESET", "MASTER" | "SLAVE", ..] | ["PURGE", "BINARY", ..] => Some("throws away a database's log"),
            ["WITH", ..] if words.windows(2).any(|pair| pair == ["DELETE", "FROM"]) && !words.contains(&"WHERE") => {
                Some("deletes every row of a table")
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn always_true(words: &[&str]) -> bool {
    words
        .iter()
        .position(|word| *word == "WHERE")
        .is_some_and(|at| matches!(words.get(at + 1..), Some(["1=1" | "TRUE" | "1"] | ["1", "=", "1"])))
}

/// The text without what stands between single quotes and in comments.
fn without_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                for inner in chars.by_ref() {
                    if inner == '\'' {
                        break;
                    }
                }
                out.push('x');
            }
            '-' if chars.peek() == Some(&'-') => {
                for inner in chars.by_ref() {
                    if inner == '\n' {
                        break;
                    }
                }
                out.push(' ');
            }
            c => out.push(c),
        }
    }
    out
}

/// Destructive calls in the scripts of document stores and in the commands of key-value stores.
pub(super) fn script_danger(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let calls = [
        ".drop(",
        ".dropdatabase(",
        ".dropcollection(",
        ".remove({})",
        ".remove()",
        ".deletemany({})",
        ".deletemany()",
        ".dropindexes(",
        ".dropindex(",
        ".shutdownserver(",
        ".dropuser(",
        ".droprole(",
    ];
    calls.iter().any(|call| lower.replace(' ', "").contains(call)).then_some("drops or empties a part of a database")
}
