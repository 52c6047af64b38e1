//! Statements that code hands to a database: texts in the calls that run them, and methods of the usual libraries. It is no parser of
//! any language; texts that are only printed or kept are no statements.

use super::sql::{self, Statement};
use super::throwaway_db::is_scratch_file;

/// Inline code that runs statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query {
    /// Names of the interpreters and of frameworks that take code.
    pub programs: &'static [&'static str],
    /// What one of its statements does.
    pub statements: &'static [Statement],
}

/// Calls that run a statement, by their last name in small letters.
const RUNS: &[&str] = &[
    "execute", "executemany", "executescript", "exec_driver_sql", "exec", "exec_query", "exec_sql", "execute_sql",
    "executesql", "exec_params", "executeraw", "executerawunsafe", "queryraw", "queryrawunsafe", "raw", "query",
    "execute_batch", "batch", "unprepared", "statement", "prepare", "run", "do", "sql", "unsafe", "multi_query",
    "queryobject", "queryarray", "dbexecute", "dbsendquery", "dbsendstatement", "dbgetquery", "mysqli_query",
    "pg_query", "pg_exec", "read_sql", "read_sql_query", "update", "delete", "exec_update", "exec_delete",
];

/// Methods that remove every record unless they are told which.
const EMPTIES: &[&str] = &[
    "deletemany", "delete_many", "delete_all", "destroy_all", "deleteall", "destroyall", "truncate", "destroy",
    "update_all", "updatemany", "update",
];

/// Chains of calls that remove every record, in small letters and without white space; each text is a lone quotation mark.
const CHAINS: &[&str] = &[
    "objects.all().delete(", "objects.delete()", ".query.delete()", "knex(\").del(", "knex(\").delete(",
    "knex(\").truncate(", "db(\").del(", "db(\").truncate(", "table(\")->delete()", "table(\")->truncate(",
    "::query()->delete()", "::query()->update(", "::query()->forcedelete()", "::all()->each->delete()",
    "objects.all().update(", "collection(\").drop(", "::truncate()", "->truncate()", "table(\")->update(",
    ".where(nil).destroy_all", ".where(nil).delete_all", ".where({}).destroy_all", ".where({}).delete_all",
    ".all.each(&:destroy)", ".all.each(&:destroy!)", ".all.each(&:delete)", ".all.find_each(&:destroy)",
    ".all.find_each(&:destroy!)", ".all.find_each(&:delete)", ".all.in_batches.destroy_all",
    ".all.in_batches.delete_all",
];

/// Beginnings of chains that remove or change every record, unless a condition follows in the same statement.
const UNLESS_CHOSEN: &[&str] = &[
    ".deletefrom(", ".updatetable(", ".createquerybuilder().delete()", ".execute(delete(", ".execute(sa.delete(",
    ".execute(update(", ".execute(sa.update(",
];
/// The same, where a table's object is what they are given and not a record.
const OF_TABLE: &[&str] = &["db.delete(", "tx.delete(", "database.delete(", "db.update(", "tx.update("];
/// How a condition is called.
const CHOOSES: &[&str] = &["where(", "filter(", "filter_by(", "limit("];
/// Characters of a statement that are looked at.
const MOST_STATEMENT: usize = 1024;

/// Texts that nothing closes, after which none is looked for; and variables whose texts are remembered.
const MOST_UNCLOSED: usize = 16;
const MOST_ASSIGNED: usize = 64;
/// Characters of what a method is given that are looked at.
const MOST_GIVEN: usize = 256;

/// What names behind which a text is only shown begin with.
const PRINTS: &[&str] = &["chalk", "kleur", "pc.", "console.", "gql", "css", "html", "String."];

/// Stands for a list among the names before brackets: what is in one is for a statement or a program.
const LIST: &str = "[";

/// Adds what the statements of a code do to `found`; nothing where it opens only databases that are there to be thrown away.
pub fn read(code: &str, found: &mut Vec<Statement>) {
    let mut reader = Reader::default();
    reader.read(code);
    let mut files = reader.texts.iter().filter(|text| is_database(text)).peekable();
    if files.peek().is_some() && files.all(|file| is_scratch_file(file)) {
        return;
    }
    for text in &reader.statements {
        sql::read(text, found);
    }
    let plain = reader.plain.as_str();
    let session = plain.split("query(").skip(1).any(|rest| {
        rest.split_once(')').is_some_and(|(of, rest)| {
            !of.contains(['(', '"']) && (rest.starts_with(".delete(") || rest.starts_with(".update("))
        })
    });
    let tables = reader.texts.iter().any(|text| text.contains("drizzle") || text.contains("schema"));
    let all = unchosen(plain, UNLESS_CHOSEN) || tables && unchosen(plain, OF_TABLE);
    if (all || reader.empties || session || CHAINS.iter().any(|chain| plain.contains(chain)))
        && !found.contains(&Statement::Empty)
    {
        found.push(Statement::Empty);
    }
}

/// Whether one of the chains begins and no condition follows in its statement.
fn unchosen(plain: &str, chains: &[&str]) -> bool {
    chains.iter().any(|chain| {
        plain.match_indices(chain).any(|(at, _)| {
            let rest = plain.get(at + chain.len()..).unwrap_or_default();
            let statement: String = rest.chars().take(MOST_STATEMENT).take_while(|c| *c != ';').collect();
            !CHOOSES.iter().any(|word| statement.contains(word))
        })
    })
}

/// Whether a text names a database: a file, or one in memory.
fn is_database(text: &str) -> bool {
    let file = [".db", ".sqlite", ".sqlite3"].iter().any(|end| text.ends_with(end));
    !text.contains(' ') && (file || text.contains(":memory:") || text.contains("mode=memory"))
}

#[derive(Default)]
struct Reader {
    /// Names before the brackets that are open.
    calls: Vec<String>,
    /// The name that stands here, with all that it belongs to.
    word: String,
    /// The last name, if nothing but blanks stands behind it.
    last: String,
    /// The name that a value is given to, if nothing but blanks stands behind the sign.
    target: String,
    /// Texts by the variable that they were given to.
    assigned: Vec<(String, String)>,
    /// All texts.
    texts: Vec<String>,
    /// Those that are run.
    statements: Vec<String>,
    /// The code in small letters, without white space and without what stands in its texts.
    plain: String,
    /// A method removes every record.
    empties: bool,
    /// The text that follows stands directly behind a name.
    tagged: bool,
    /// Texts that nothing closes.
    unclosed: usize,
}

impl Reader {
    fn read(&mut self, code: &str) {
        let mut rest = code;
        let mut before = '\n';
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            let comment = c == '#' || c == '/' && after.starts_with('/');
            if comment && before.is_whitespace() && self.calls.is_empty() {
                rest = after.find('\n').and_then(|end| after.get(end..)).unwrap_or_default();
                continue;
            }
            if matches!(c, '"' | '\'' | '`' | '<') && self.unclosed < MOST_UNCLOSED {
                if let Some((text, after)) = text_at(rest) {
                    self.tagged = c == '`' && !self.word.is_empty();
                    self.text(text);
                    before = '"';
                    rest = after;
                    continue;
                }
                self.unclosed += usize::from(c != '<' || after.starts_with('<'));
            }
            self.sign(c, after);
            before = c;
            rest = after;
        }
        self.named();
        self.without_brackets();
    }

    /// A text of the code.
    fn text(&mut self, text: &str) {
        // `b"…"`, `f"…"`, `N'…'`: a letter before the quotation mark belongs to it.
        if self.word.chars().count() == 1 {
            self.word.clear();
        }
        // A statement behind a name is that of a client, whatever it is called: s`drop …`.
        let printed = last_name(&self.word) == "raw" || PRINTS.iter().any(|name| self.word.starts_with(name));
        let tagged = std::mem::take(&mut self.tagged) && !printed;
        self.named();
        self.plain.push('"');
        let inner = self.calls.iter().rev().take(3).take_while(|name| *name != LIST).any(|name| runs(name));
        let bare = runs(&self.last) && last_name(&self.last) != "do";
        if inner || bare || tagged {
            self.statements.push(text.to_owned());
        } else if !self.target.is_empty() && self.assigned.len() < MOST_ASSIGNED {
            self.assigned.push((std::mem::take(&mut self.target), text.to_owned()));
        }
        self.texts.push(text.to_owned());
        self.last.clear();
    }

    fn sign(&mut self, c: char, after: &str) {
        if c.is_alphanumeric()
            || matches!(c, '_' | '.' | ':' | '$' | '!' | '?' | '@')
            || c == '>' && self.word.ends_with('-')
        {
            if self.word.is_empty() && !runs(&self.last) {
                self.without_brackets();
            }
            self.word.push(c);
            self.plain.extend(c.to_lowercase());
            return;
        }
        if c == '-' && after.starts_with('>') {
            self.word.push(c);
            self.plain.push(c);
            return;
        }
        self.named();
        if c.is_whitespace() {
            return;
        }
        self.plain.push(c);
        if c != '(' && c != '=' {
            self.without_brackets();
        }
        let last = std::mem::take(&mut self.last);
        match c {
            '(' | '[' | '{' => {
                if c == '(' {
                    self.method(&last, after);
                }
                self.calls.push(match c {
                    '(' => last,
                    '[' => LIST.to_owned(),
                    _ => String::new(),
                });
            }
            ')' | ']' | '}' => drop(self.calls.pop()),
            '=' if !after.starts_with('=') => self.target = last,
            _ => {}
        }
        if c != '=' {
            self.target.clear();
        }
    }

    /// A name ends here.
    fn named(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        // `execute sql`, `execute(sql)`: what the variable was given.
        if self.calls.last().is_some_and(|name| runs(name)) || runs(&self.last) {
            let given = self.assigned.iter().filter(|(name, _)| *name == word).map(|(_, text)| text.clone());
            self.statements.extend(given);
        }
        self.last = word;
    }

    /// A name that no bracket follows: `User.delete_all` needs none.
    fn without_brackets(&mut self) {
        let last = std::mem::take(&mut self.last);
        if matches!(last_name(&last).as_str(), "delete_all" | "destroy_all") {
            self.method(&last, "");
        }
    }

    /// A method that removes records: every one, if nothing says which.
    fn method(&mut self, word: &str, after: &str) {
        let name = last_name(word);
        if !EMPTIES.contains(&name.as_str()) || !word.contains(['.', ':', '>']) {
            return;
        }
        let given = after.chars().take(MOST_GIVEN).take_while(|c| *c != ')');
        let given: String = given.filter(|c| !c.is_whitespace()).collect();
        let given = given.to_ascii_lowercase();
        let all = matches!(given.as_str(), "" | "{}" | "{where:{}}") || given.contains("truncate:true");
        let of_model = word.starts_with(|c: char| c.is_ascii_uppercase());
        let of_none = given.contains("where:{}");
        self.empties |= match name.as_str() {
            "deletemany" | "delete_many" => all,
            "destroy" => of_none || all && !given.is_empty(),
            "updatemany" => {
                let chooses = after.chars().take(MOST_STATEMENT).collect::<String>().contains("where");
                given.starts_with("{},") || given.contains("data:") && !chooses || of_none
            }
            "update" => of_model && of_none,
            "truncate" => of_model && all,
            _ => of_model && !given.contains("where"),
        };
    }
}

/// The last name of a path of names, in small letters, without the marks that some languages put at its end.
fn last_name(word: &str) -> String {
    let name = word.rsplit(['.', ':', '>', '$']).next().unwrap_or(word);
    name.trim_end_matches(['!', '?']).to_ascii_lowercase()
}

fn runs(word: &str) -> bool {
    !word.is_empty() && RUNS.contains(&last_name(word).as_str())
}

/// The text that begins here, between quotation marks or as a here-document, and what follows it.
fn text_at(code: &str) -> Option<(&str, &str)> {
    for quote in ["\"\"\"", "'''"] {
        if let Some(inner) = code.strip_prefix(quote) {
            return inner.split_once(quote);
        }
    }
    if let Some(rest) = code.strip_prefix("<<") {
        let name = rest.trim_start_matches(['<', '~', '-', '\'', '"']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let (mark, rest) =
            name.split_at_checked(end).filter(|(mark, _)| mark.starts_with(|c: char| c.is_ascii_uppercase()))?;
        // What stands behind the mark on its line is left out.
        let body = rest.split_once('\n')?.1;
        let close = body.match_indices(mark).map(|(at, _)| at).find(|at| {
            body.get(..*at).is_some_and(|before| before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty()))
        })?;
        return Some((body.get(..close)?, body.get(close + mark.len()..)?));
    }
    let quote = code.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inner = code.get(1..)?;
    let mut escaped = false;
    let end = inner.char_indices().find(|(_, c)| {
        let closes = !escaped && *c == quote;
        escaped = !escaped && *c == '\\';
        closes
    })?;
    Some((inner.get(..end.0)?, inner.get(end.0 + 1..)?))
}
