//! What modes of files give and take, as `chmod` writes them.

/// Whether a mode lets a group or everybody write.
pub(super) fn lets_others_write(mode: &str) -> bool {
    match u32::from_str_radix(mode, 8) {
        Ok(mode) => mode & 0o022 != 0,
        Err(_) => mode.split(',').any(|part| {
            let (who, what) = part.split_at(part.find(['+', '=']).unwrap_or(part.len()));
            what.contains('w') && (who.is_empty() || who.contains(['g', 'o', 'a']))
        }),
    }
}

/// Whether a mode in numbers takes the way through from a directory's owner.
pub(super) fn closes(mode: &str) -> bool {
    u32::from_str_radix(mode, 8).is_ok_and(|mode| mode & 0o500 != 0o500)
}

/// Whether a mode lets whoever starts the program have its owner's rights: `4755`, `u+s`. Those of its group alone are how directories
/// are shared.
pub(super) fn gives_owners_rights(mode: &str) -> bool {
    let digits = mode.trim_start_matches('0');
    let numeric =
        digits.len() == 4 && digits.starts_with(['4', '5', '6', '7']) && digits.chars().all(|c| c.is_ascii_digit());
    let clause = |clause: &str| {
        let (who, rest) = clause.split_at(clause.find(['+', '=']).unwrap_or(clause.len()));
        rest.contains('s') && (who.is_empty() || who.contains(['u', 'a']))
    };
    numeric || !mode.starts_with(|c: char| c.is_ascii_digit()) && mode.split(',').any(clause)
}
