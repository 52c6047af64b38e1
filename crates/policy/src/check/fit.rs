//! Texts of files within a number of characters: whole ones where they fit, else their first lines.

/// The text of a file under a heading.
pub(super) struct Piece<'t> {
    /// What the cut is called by.
    pub(super) name: String,
    /// Stands before the text; ends with a line break.
    pub(super) head: String,
    pub(super) text: &'t str,
}

/// What fits.
#[derive(Default)]
pub(super) struct Fitted {
    /// Heading and text of each file of which anything fits.
    pub(super) parts: Vec<String>,
    /// The files that did not fit whole.
    pub(super) cut: Vec<Cut>,
}

/// A file that did not fit whole.
pub(super) struct Cut {
    pub(super) name: String,
    /// Lines that are left out, of so many.
    pub(super) lost: usize,
    pub(super) lines: usize,
}

/// Characters that stand between two parts.
const BETWEEN: usize = 4;

/// Fits the pieces into `room` characters, the first ones first. While not all of them fit, none gets more than `most` before each of the
/// later ones had its turn.
pub(super) fn fit(pieces: &[Piece<'_>], room: usize, most: usize) -> Fitted {
    let texts: Vec<(&Piece<'_>, &str, usize)> =
        pieces.iter().map(|piece| (piece, piece.text.trim_end(), piece.head.chars().count() + BETWEEN)).collect();
    let mut left = room;
    let mut shares: Vec<Option<usize>> = Vec::with_capacity(texts.len());
    for (_, text, head) in &texts {
        let wanted = text.chars().count().min(most);
        let share = left.checked_sub(*head).map(|left| wanted.min(left));
        left -= share.map_or(0, |share| share + head);
        shares.push(share);
    }
    let mut fitted = Fitted::default();
    for ((piece, text, _), share) in texts.into_iter().zip(shares) {
        // What the later ones have left over goes to the earlier ones.
        let room = share.map_or(0, |share| share + left);
        let kept = first_lines(text, room);
        left -= kept.chars().count().saturating_sub(share.unwrap_or(0)).min(left);
        if kept.len() < text.len() {
            let lines = text.lines().count();
            fitted.cut.push(Cut { name: piece.name.clone(), lost: lines - kept.lines().count(), lines });
        }
        if !kept.is_empty() {
            fitted.parts.push(format!("{}{kept}", piece.head));
        }
    }
    fitted
}

/// As many whole lines from the start as fit into `room` characters.
fn first_lines(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let mut end = 0;
    let mut used = 0;
    for line in text.split_inclusive('\n') {
        used += line.trim_end_matches('\n').chars().count();
        if used > room {
            break;
        }
        used += 1;
        end += line.len();
    }
    text.get(..end).unwrap_or_default().trim_end()
}
