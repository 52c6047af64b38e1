//! Variables of the environment that a program of `jq` or `yq` takes into what it prints: `env.X`, `$ENV.X`, `strenv(X)`.

use super::Interp;
use super::secret_store::variables;
use super::taint::UNKNOWN;

/// What stands before a variable's name.
const BEFORE: &[&str] = &["$ENV.", "env.", "strenv(", "env(", "$ENV[\"", "env[\""];

/// Words by which a program asks something about what it has, and lets nothing of it through.
const ASKS: &[&str] = &["length", "==", "!=", "if ", "has(", "test(", "keys", "contains(", "select("];

impl Interp<'_> {
    /// The program's text with marks where it takes such a variable; nothing where it takes none.
    pub(super) fn variables_taken(&mut self, program: &str) -> String {
        if ASKS.iter().any(|word| program.contains(word)) {
            return String::new();
        }
        if matches!(program.trim(), "env" | "$ENV" | "env|." | "env | .") {
            return variables().to_string();
        }
        let mut text = String::new();
        let mut rest = program;
        let mut takes = false;
        while let Some((at, before)) =
            BEFORE.iter().filter_map(|before| Some((rest.find(before)?, *before))).min_by_key(|(at, _)| *at)
        {
            let (plain, after) = rest.split_at(at);
            let after = after.get(before.len()..).unwrap_or_default();
            let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len());
            let (name, behind) = after.split_at(end);
            // `.env.X` and `$env.x` are the input's own.
            let own = plain.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$'));
            let marks = if own { String::new() } else { self.variable_printed(name) };
            takes |= !marks.is_empty();
            text.push_str(plain);
            text.push_str(&marks);
            rest = behind;
        }
        if takes { format!("{UNKNOWN}{text}") } else { String::new() }
    }
}
