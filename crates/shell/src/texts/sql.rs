//! Destructive statements in text for databases: told by their words, never parsed as a whole.

/// What a text for a database does that should not happen unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement {
    /// A part of the database goes: `DROP TABLE`, `dropDatabase()`.
    Drop,
    /// Every row goes: `TRUNCATE`, `DELETE` without a condition.
    Empty,
    /// Every row changes: `UPDATE` without a condition.
    Change,
    /// A part of a table goes: `ALTER TABLE … DROP`.
    Alter,
    /// Rights on everything are given or taken.
    Rights,
    /// The server stops, or its log goes.
    Stop,
    /// A program of the machine runs: `\!`, `COPY … PROGRAM`.
    Shell,
}

/// Levels of statements that stand as texts in others.
const MOST_LEVELS: usize = 4;

/// Variables of one text that are followed, and dollar signs in it that may begin a text.
const MOST_VARIABLES: usize = 64;
const MOST_DOLLARS: usize = 64;
/// Characters before a text in which its variable is looked for.
const MOST_BEFORE: usize = 128;

/// Adds what the text does to `found`.
pub fn read(text: &str, found: &mut Vec<Statement>) {
    read_at(text, MOST_LEVELS, found);
}

fn read_at(text: &str, levels: usize, found: &mut Vec<Statement>) {
    // No statement is shorter, and most arguments are.
    if text.len() < 8 {
        return;
    }
    if levels > 0 {
        for inner in executed(text) {
            read_at(&inner, levels - 1, found);
        }
    }
    let plain = without_literals(text);
    for statement in plain.split(';') {
        let words: Vec<&str> = statement
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','))
            .filter(|word| !word.is_empty())
            .collect();
        if let Some(kind) = kind(statement, &words)
            && !found.contains(&kind)
        {
            found.push(kind);
        }
    }
}

fn kind(statement: &str, words: &[&str]) -> Option<Statement> {
    let line = statement.trim_start();
    if line.starts_with("\\!") || line.starts_with(".SHELL") || line.starts_with(".SYSTEM") {
        return Some(Statement::Shell);
    }
    let has = |word: &str| words.contains(&word);
    let unconditional = || !has("WHERE") || always_true(words);
    match words {
        // A condition, block or plan around the statement itself.
        ["EXPLAIN" | "DESCRIBE" | "DESC", rest @ ..] => {
            let runs = rest.iter().take(3).any(|word| word.starts_with("ANALYZ"));
            let at = rest.iter().position(|word| matches!(*word, "DELETE" | "UPDATE" | "INSERT" | "MERGE"))?;
            kind("", rest.get(at..).filter(|_| runs)?)
        }
        ["SET", "PASSWORD", ..] | ["GRANT" | "REVOKE", "ALL", ..] => Some(Statement::Rights),
        ["IF" | "BEGIN" | "USE" | "SET" | "DECLARE" | "EXEC" | "EXECUTE" | "DO", rest @ ..] => {
            if rest.first().is_some_and(|word| word.contains("XP_CMDSHELL")) {
                return Some(Statement::Shell);
            }
            let at = rest.iter().position(|word| matches!(*word, "DROP" | "TRUNCATE" | "DELETE"))?;
            kind("", rest.get(at..)?)
        }
        // What is prepared is there to be run.
        ["PREPARE", rest @ ..] => {
            let at = rest.iter().position(|word| *word == "AS")?;
            kind("", rest.get(at + 1..)?)
        }
        ["XP_CMDSHELL", ..] => Some(Statement::Shell),
        ["DROP", "TEMPORARY" | "TEMP", ..] => None,
        ["DROP", what, _, ..] | ["DROP", what @ "OWNED"] => is_part(what).then_some(Statement::Drop),
        ["CREATE", "OR", "REPLACE", "TABLE" | "DATABASE" | "SCHEMA", ..] => Some(Statement::Drop),
        ["TRUNCATE", _, ..] => Some(Statement::Empty),
        ["DELETE", rest @ ..] if rest.iter().take(4).any(|word| *word == "FROM") => {
            unconditional().then_some(Statement::Empty)
        }
        // Some dialects need no FROM; a lone word is no statement.
        ["DELETE", _, "WHERE", ..] => unconditional().then_some(Statement::Empty),
        ["UPDATE", rest @ ..] if rest.iter().take(6).any(|word| *word == "SET") => {
            unconditional().then_some(Statement::Change)
        }
        ["ALTER", "TABLE" | "DATABASE" | "SCHEMA" | "KEYSPACE" | "TYPE", rest @ ..]
            if has("DROP") || rest.contains(&"TRUNCATE") =>
        {
            Some(Statement::Alter)
        }
        // ClickHouse removes and changes rows so, and has no statement without a condition.
        ["ALTER", "TABLE", rest @ ..] if rest.contains(&"WHERE") && always_true(words) => {
            let mut verbs = rest.iter().filter(|word| matches!(**word, "DELETE" | "UPDATE"));
            verbs.next().map(|verb| if *verb == "DELETE" { Statement::Empty } else { Statement::Change })
        }
        ["ALTER" | "CREATE", "USER" | "ROLE", _, rest @ ..] if rest.contains(&"SUPERUSER") => Some(Statement::Rights),
        ["SHUTDOWN", ..] | ["RESET", "MASTER" | "SLAVE" | "REPLICA", ..] | ["PURGE", "BINARY" | "MASTER", ..] => {
            Some(Statement::Stop)
        }
        ["SELECT" | "PERFORM", "PG_TERMINATE_BACKEND" | "PG_SHUTDOWN", rest @ ..] if rest.contains(&"FROM") => {
            Some(Statement::Stop)
        }
        ["COPY", ..] if has("PROGRAM") => Some(Statement::Shell),
        ["MATCH" | "OPTIONAL", ..] if has("DELETE") => unconditional().then_some(Statement::Empty),
        // Every row that is found, and every one that is not, unless there is a further condition.
        ["MERGE", rest @ ..] => rest
            .windows(3)
            .any(|three| matches!(three, ["MATCHED" | "SOURCE" | "TARGET", "THEN", "DELETE"]))
            .then_some(Statement::Empty),
        ["WITH", rest @ ..] => {
            let deletes = rest.windows(2).any(|pair| pair == ["DELETE", "FROM"]);
            (deletes && unconditional()).then_some(Statement::Empty)
        }
        _ => None,
    }
}

/// Words behind which a text is a statement that is run: `EXECUTE '…'`, `DO '…'`, `PREPARE s FROM '…'`.
fn runs_text(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
    // `N'…'` and `E'…'` are texts with a mark.
    let mark = before.strip_suffix(['N', 'E']).filter(|rest| rest.ends_with(|c: char| c.is_whitespace() || c == '('));
    let before = mark.unwrap_or(before).trim_end_matches(|c: char| c.is_whitespace() || c == '(');
    let mut words = before.rsplit(|c: char| c.is_whitespace() || matches!(c, ';' | '('));
    match words.next().unwrap_or_default() {
        "EXECUTE" | "EXEC" | "IMMEDIATE" | "SP_EXECUTESQL" | "DO" => true,
        "FORMAT" | "CONCAT" => matches!(words.next(), Some("EXECUTE" | "IMMEDIATE" | "EXEC")),
        "FROM" => words.nth(1) == Some("PREPARE"),
        _ => words.next() == Some("LANGUAGE") && words.next() == Some("DO"),
    }
}

/// The variable that a text is given to, where what stands before it ends so: `SET @q = '…'`, `q := CONCAT('…'`.
fn given_to(before: &str) -> Option<&str> {
    let near = before.char_indices().rev().nth(MOST_BEFORE).map_or(0, |(at, _)| at);
    let before = before.get(near..)?;
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
    let before = before.strip_suffix("CONCAT").or_else(|| before.strip_suffix("FORMAT")).unwrap_or(before);
    let before = before.trim_end().trim_end_matches('N').trim_end().strip_suffix('=')?;
    let before = before.strip_suffix(':').unwrap_or(before).trim_end();
    let name = before.rsplit(|c: char| c.is_whitespace() || matches!(c, ';' | ',')).next()?;
    // `DECLARE @q nvarchar(max) = '…'`: the type stands between.
    let declared = || before.split_whitespace().rev().find(|word| word.starts_with('@'));
    Some(if name.starts_with('@') { name } else { declared().unwrap_or(name) }).filter(|name| !name.is_empty())
}

/// The variables whose texts are run, in a text in capitals: `PREPARE s FROM @q`, `EXEC(@q)`, `EXECUTE q`.
fn run_variables(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | ','));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let run = words.iter().enumerate().filter_map(|(at, word)| {
        let runs = match *word {
            "EXEC" | "EXECUTE" | "IMMEDIATE" | "SP_EXECUTESQL" => true,
            "FROM" => at > 1 && words.get(at - 2) == Some(&"PREPARE"),
            _ => false,
        };
        words.get(at + 1).filter(|_| runs).copied()
    });
    run.take(MOST_VARIABLES).collect()
}

/// What stands between marks of PostgreSQL, `$$…$$` or `$name$…$name$`, where the text begins with one; and the length of the mark.
fn between_marks(text: &str) -> Option<(&str, usize)> {
    let name = text.get(1..)?;
    let end = name.find('$')?;
    let is_name = name.get(..end)?.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mark = text.get(..end + 2).filter(|_| is_name)?;
    let rest = text.get(mark.len()..)?;
    rest.find(mark).and_then(|at| rest.get(..at)).map(|inner| (inner, mark.len()))
}

/// The texts of a statement that are run as statements.
fn executed(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let capitals = text.to_uppercase();
    let variables = run_variables(&capitals);
    let mut dollars = 0;
    // What stands before, in capitals, without what was a text.
    let mut before = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        dollars += usize::from(c == '$');
        if rest.starts_with("--") {
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
        } else if matches!(c, '\'' | '"')
            && let Some((inner, behind)) = literal(after, c)
        {
            if runs_text(&before)
                || !variables.is_empty() && given_to(&before).is_some_and(|name| variables.contains(&name))
            {
                // What is put together with it follows.
                out.push(format!("{} x", inner.replace("''", "'")));
            }
            before.push('x');
            rest = behind;
        } else if c == '$'
            && dollars <= MOST_DOLLARS
            && let Some((inner, mark)) = between_marks(rest)
        {
            let runs = runs_text(&before);
            if runs {
                out.push(format!("{inner} x"));
            }
            before.push('x');
            // The body of a function is looked into as it stands.
            rest = rest.get(if runs { inner.len() + 2 * mark } else { mark }..).unwrap_or_default();
        } else {
            before.extend(c.to_uppercase());
            rest = after;
        }
    }
    out
}

/// What stands up to the quotation mark that closes a text, where two of them are one of the text, and what follows.
fn literal(text: &str, quote: char) -> Option<(&str, &str)> {
    let mut marks = text.char_indices().filter(|(_, c)| *c == quote).map(|(at, _)| at).peekable();
    while let Some(at) = marks.next() {
        if marks.next_if_eq(&(at + 1)).is_none() {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
    }
    None
}

/// Whether the word names a part of a database that can be dropped.
fn is_part(word: &str) -> bool {
    matches!(
        word,
        "TABLE"
            | "TABLES"
            | "DATABASE"
            | "SCHEMA"
            | "VIEW"
            | "INDEX"
            | "USER"
            | "ROLE"
            | "LOGIN"
            | "KEYSPACE"
            | "COLLECTION"
            | "TABLESPACE"
            | "TYPE"
            | "DOMAIN"
            | "FUNCTION"
            | "PROCEDURE"
            | "EXTENSION"
            | "TRIGGER"
            | "SEQUENCE"
            | "MATERIALIZED"
            | "OWNED"
            | "MEASUREMENT"
            | "SERIES"
            | "RETENTION"
            | "BUCKET"
            | "POLICY"
            | "PUBLICATION"
            | "SUBSCRIPTION"
            | "SERVER"
            | "FOREIGN"
            | "EVENT"
            | "WAREHOUSE"
            | "STAGE"
            | "PIPE"
            | "STREAM"
            | "TASK"
            | "DICTIONARY"
            | "CONTINUOUS"
            | "SHARD"
            | "ALIAS"
            | "CATALOG"
            | "EXTERNAL"
            | "PLUGGABLE"
            | "AGGREGATE"
            | "CONSTRAINT"
            | "NAMESPACE"
            | "GRAPH"
            | "PARTITION"
            | "SNAPSHOT"
            | "DYNAMIC"
            | "ICEBERG"
            | "MODEL"
            | "SHARE"
            | "INTEGRATION"
            | "CHANGEFEED"
            | "CLUSTER"
            | "CONNECTION"
            | "SOURCE"
            | "SINK"
    )
}

/// Whether the condition holds for every row: `WHERE 1=1`, `WHERE TRUE`.
fn always_true(words: &[&str]) -> bool {
    let condition = words.iter().position(|word| *word == "WHERE").and_then(|at| words.get(at + 1..));
    match condition {
        Some(["TRUE" | "1"]) => true,
        Some([one]) => one.split_once('=').is_some_and(|(left, right)| !left.is_empty() && left == right),
        Some([left, "=", right]) => left == right && !left.is_empty(),
        _ => false,
    }
}

/// What is being skipped while literals are taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Quote(char),
    Line,
    Block,
}

/// The text in capitals, without what stands between quotes and in comments. A line of a client's own command (`\c`, `.mode`) and the
/// word `GO` end a statement, as `;` does.
fn without_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line = 0;
    let mut open: Option<Open> = None;
    // Quotes that nothing closes are taken as they stand: `it's`.
    let closes = |quote: char, from: usize| text.get(from..).is_some_and(|rest| rest.contains(quote));
    let mut unclosed = [false; 3];
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match open {
            Some(Open::Quote(quote)) => {
                if c == '\\' && quote != '`' {
                    chars.next();
                } else if c == quote {
                    open = None;
                }
            }
            Some(Open::Line) if c == '\n' => {
                open = None;
                out.push(' ');
            }
            Some(Open::Block) if c == '*' && next == Some('/') => {
                chars.next();
                open = None;
            }
            Some(_) => {}
            None => match (c, next) {
                ('\'' | '"' | '`', _) => {
                    let seen = match c {
                        '\'' => &mut unclosed[0],
                        '"' => &mut unclosed[1],
                        _ => &mut unclosed[2],
                    };
                    if !*seen && closes(c, at + 1) {
                        open = Some(Open::Quote(c));
                        // What a word is glued to stays one word with it.
                        out.push('x');
                    } else {
                        *seen = true;
                        out.push(' ');
                    }
                }
                ('-', Some('-')) => open = Some(Open::Line),
                ('/', Some('*')) => {
                    chars.next();
                    // `/*!50000 … */` is a comment to other servers only.
                    if chars.peek().is_some_and(|(_, next)| *next == '!') {
                        out.push(';');
                        while chars.next_if(|(_, c)| *c == '!' || c.is_ascii_digit()).is_some() {}
                    } else {
                        open = Some(Open::Block);
                        out.push(' ');
                    }
                }
                ('*', Some('/')) => {
                    chars.next();
                    out.push(' ');
                }
                ('$', Some('$')) => {
                    chars.next();
                    out.push_str(" ; ");
                }
                ('\n', _) => {
                    let command = out.get(line..).unwrap_or_default().trim();
                    let ends = command.starts_with(['.', '\\']) || command == "GO";
                    if command == "GO" {
                        out.truncate(line);
                    }
                    out.push(if ends { ';' } else { '\n' });
                    line = out.len();
                }
                _ => out.extend(c.to_uppercase()),
            },
        }
    }
    out
}

/// Adds what a script for a document store does to `found`.
pub fn read_script(text: &str, found: &mut Vec<Statement>) {
    const DROPS: &[&str] = &[
        ".drop(", ".dropdatabase(", ".dropcollection(", "dropindexes(", ".dropindex(", ".dropuser(", ".droprole(",
        ".dropallusers", "dropdatabase:", "_drop(", "_dropdatabase(", "_truncate(", ".droptable(", ".dropschema(",
    ];
    const EMPTIES: &[&str] = &[".remove({})", ".remove()", ".deletemany({})", ".deletemany()", ".truncate("];
    const STOPS: &[&str] = &[".shutdownserver(", "shutdown:1", "rs.remove("];
    let script: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    for (calls, kind) in [(DROPS, Statement::Drop), (EMPTIES, Statement::Empty), (STOPS, Statement::Stop)] {
        if calls.iter().any(|call| script.contains(call)) && !found.contains(&kind) {
            found.push(kind);
        }
    }
}

/// Whether a command for a key-value store destroys: its words, in any case.
pub fn destroys_keys(command: &str, next: Option<&str>) -> bool {
    let is = |name: &str| command.eq_ignore_ascii_case(name);
    let then = |names: &[&str]| next.is_some_and(|next| names.iter().any(|name| next.eq_ignore_ascii_case(name)));
    ["flushall", "flushdb", "flush_all", "shutdown", "swapdb", "del", "unlink", "replicaof", "slaveof", "ft.dropindex"]
        .iter()
        .any(|name| is(name))
        || is("config") && then(&["set", "rewrite"])
        || is("script") && then(&["flush", "kill"])
        || is("function") && then(&["flush", "delete"])
        || is("cluster") && then(&["reset", "forget", "flushslots", "delslots", "failover"])
        || is("acl") && then(&["deluser"])
        || is("xgroup") && then(&["destroy"])
        || is("module") && then(&["unload"])
        || is("debug") && then(&["segfault", "reload", "flushall"])
        || is("failover")
}
