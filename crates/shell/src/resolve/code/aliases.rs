//! Variables of a code that hold single variables of the environment: `const k = process.env.X`, `const {X: k} = process.env`.

use super::heuristics::variables_at;
use super::token::Token;

/// Variables of one code that are followed.
const MOST_ALIASES: usize = 16;

/// A variable of the code, and the one of the environment that it holds.
pub(super) struct Alias<'t> {
    pub(super) own: &'t str,
    pub(super) variable: &'t str,
}

/// The variables of a code that hold one of the environment. `pairs` says where brackets close.
pub(super) fn aliases<'t>(tokens: &'t [Token], pairs: &[usize]) -> Vec<Alias<'t>> {
    let before = |at: usize, back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    let assigned = variables_at(tokens).into_iter().filter_map(|(at, variable)| match (before(at, 2), before(at, 1)) {
        (Some(Token::Word(own)), Some(Token::Sign('='))) if ends_value(tokens, pairs, at) => {
            Some(Alias { own, variable })
        }
        _ => None,
    });
    let mut found: Vec<Alias<'_>> = assigned.take(MOST_ALIASES).collect();
    for (at, token) in tokens.iter().enumerate() {
        let whole = matches!(token, Token::Word(word) if matches!(word.as_str(), "process.env" | "Bun.env"));
        if !whole || !is_taken_apart(tokens, at) {
            continue;
        }
        let close = at.saturating_sub(2);
        let open = pairs.get(close).copied().filter(|open| *open < close).unwrap_or(close);
        let parts = tokens.get(open + 1..close).unwrap_or_default().split(|token| *token == Token::Sign(','));
        found.extend(parts.filter_map(|part| match part {
            [Token::Word(variable), Token::Sign(':'), Token::Word(own), ..] => Some(Alias { own, variable }),
            [Token::Word(variable), ..] => Some(Alias { own: variable, variable }),
            _ => None,
        }));
    }
    found.truncate(MOST_ALIASES);
    found
}

/// Whether a place of a value says which of its parts are taken: `{a, b} = value`.
pub(super) fn is_taken_apart(tokens: &[Token], at: usize) -> bool {
    let from = at.checked_sub(2).unwrap_or(at);
    matches!(tokens.get(from..at), Some([Token::Sign('}'), Token::Sign('=')]))
}

/// Whether the variable at a place is a whole value, and not a part of what is asked of it.
fn ends_value(tokens: &[Token], pairs: &[usize], at: usize) -> bool {
    let next = match tokens.get(at + 1) {
        Some(Token::Sign('[' | '(' | '{')) => pairs.get(at + 1).map_or(at + 1, |close| close + 1),
        _ => at + 1,
    };
    match (tokens.get(next), tokens.get(next + 1)) {
        (None | Some(Token::Sign(';' | '\n' | ',')), _) => true,
        // What it is where it is not set.
        (Some(Token::Sign(first @ ('|' | '?'))), Some(Token::Sign(second))) => first == second,
        _ => false,
    }
}
