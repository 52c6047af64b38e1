//! What programs type where a session may listen: terminals that they drive, keyboards that they press.

use super::Run;
use super::taint::is_literal;
use crate::options::{Item, Scan, holds};
use crate::programs::{self, How, Program, Tool, Types};

/// One step of typing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Characters.
    Text(String),
    /// The line is sent.
    Send,
    /// The line is emptied, or what runs is interrupted.
    Clear,
    /// Something that changes the line in a way that is not known here, or text that is not known.
    Unread,
}

/// What one command types.
#[derive(Debug, Default)]
pub struct Typed {
    /// Where, in the words of the command.
    pub place: String,
    /// The steps, in order.
    pub pieces: Vec<Piece>,
    /// Texts that stand alone.
    pub alone: Vec<String>,
}

/// What a program types.
pub fn typed(run: &Run) -> Option<Typed> {
    let program = programs::named(&run.program).filter(|program| !program.types.is_empty())?;
    // tmux takes several commands, parted by a semicolon of its own.
    let mut commands: Vec<Vec<&str>> = vec![Vec::new()];
    for arg in run.args.iter().map(String::as_str) {
        let ended = if program.tool == Tool::Tmux {
            arg.strip_suffix(';').map(|rest| rest.trim_end_matches('\\'))
        } else {
            None
        };
        let word = ended.unwrap_or(arg);
        if !word.is_empty() || ended.is_none() {
            commands.last_mut().into_iter().for_each(|command| command.push(word));
        }
        if ended.is_some() {
            commands.push(Vec::new());
        }
    }
    // Several commands of one line go on where the first stands.
    commands.iter().filter_map(|command| of_command(run, program, command)).reduce(|mut all, more| {
        all.pieces.extend(more.pieces);
        all.alone.extend(more.alone);
        all
    })
}

fn of_command(run: &Run, program: &Program, args: &[&str]) -> Option<Typed> {
    let is_verb = |typer: &Types, word: &str| {
        let short =
            program.tool == Tool::Tmux && word.len() >= 4 && typer.verbs.iter().any(|verb| verb.starts_with(word));
        typer.verbs.contains(&word) || short
    };
    let (typer, at) = program.types.iter().find_map(|typer| {
        let at = args.iter().position(|arg| is_verb(typer, arg));
        (typer.verbs.is_empty() || at.is_some()).then(|| (typer, at.map_or(0, |at| at + 1)))
    })?;
    let mut typed = Typed { place: run.program.clone(), ..Typed::default() };
    let mut words: Vec<String> = Vec::new();
    let mut hex = false;
    // What stands before the verb says where.
    args.iter().take(at.saturating_sub(1)).for_each(|arg| typed.place.push_str(&format!(" {arg}")));
    let rest = args.get(at..).unwrap_or_default();
    for item in Scan::new(rest, program.options) {
        match item {
            Item::Operand(operand) => words.push((*operand.word).to_owned()),
            Item::Option(given) if typer.how == How::Code => words.extend(given.value().map(str::to_owned)),
            Item::Option(given) if given.is_one_of(program.options.values) => {
                typed.place.push_str(&format!(" {} {}", given.name, given.value().unwrap_or_default()));
            }
            Item::Option(given) => hex |= program.tool == Tool::Tmux && holds(given.word, &['H']),
            Item::End => {}
        }
    }
    let input = run.stdin.as_deref();
    match typer.how {
        How::Keys if hex => typed.pieces = characters(&words, 16),
        How::Keys => typed.pieces = keys(&words),
        How::Bytes => typed.pieces = characters(&words, 10),
        How::Text => {
            // Without a text it is read from standard input.
            let from_input = words.is_empty() || words == ["-"];
            let texts: Vec<String> = if from_input { input.map(str::to_owned).into_iter().collect() } else { words };
            typed.pieces = lines(&texts.join(" "));
            if texts.is_empty() || args.iter().any(|arg| matches!(*arg, "--file" | "-f" | "--from-file" | "--stdin")) {
                typed.pieces.push(Piece::Unread);
            }
            typed.alone = texts;
        }
        How::Marked => {
            typed.alone = words.iter().filter_map(|word| Some(word.split_once(':')?.1.to_owned())).collect();
            typed.pieces = lines(&typed.alone.concat());
        }
        How::Code => {
            let code = words.iter().map(String::as_str).chain(input);
            typed.alone = code.flat_map(quoted).collect();
            // A script of a file is followed by nobody.
            typed.pieces = if typed.alone.is_empty() && words.iter().all(|word| !word.contains(' ')) {
                vec![Piece::Unread]
            } else {
                typed
                    .alone
                    .iter()
                    .flat_map(|text| {
                        let mut all = lines(text);
                        all.push(Piece::Send);
                        all
                    })
                    .collect()
            };
        }
        How::Input => {
            let said = input?;
            let line = |line: &str| line.trim().trim_start_matches("type ").to_owned();
            typed.alone = said.lines().map(line).collect();
            typed.pieces = typed.alone.iter().flat_map(|text| [of_text(text), Piece::Send]).collect();
        }
        How::Elsewhere => typed.pieces = vec![Piece::Unread],
    }
    Some(typed)
}

/// Keys and texts, one after the other, as tools that press keys take them.
pub fn keys(words: &[String]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            "enter" | "return" | "c-m" | "c-j" | "kpenter" | "kp_enter" | "ctrl+m" | "ctrl+j" => {
                pieces.push(Piece::Send);
            }
            "space" => pieces.push(Piece::Text(" ".to_owned())),
            "minus" => pieces.push(Piece::Text("-".to_owned())),
            "plus" => pieces.push(Piece::Text("+".to_owned())),
            "escape" | "esc" | "c-c" | "c-d" | "c-u" | "ctrl+c" | "ctrl+d" | "ctrl+u" => pieces.push(Piece::Clear),
            named if is_key(named) => pieces.push(Piece::Unread),
            _ => pieces.extend(lines(word)),
        }
    }
    pieces
}

/// Whether a word, in small letters, is a key that changes a line in a way of its own.
fn is_key(word: &str) -> bool {
    const KEYS: &[&str] = &[
        "up", "down", "left", "right", "home", "end", "tab", "btab", "bspace", "backspace", "delete", "dc", "ic",
        "insert", "ppage", "npage", "pageup", "pagedown", "page_up", "page_down",
    ];
    let held = ["c-", "m-", "s-", "ctrl+", "alt+", "shift+", "super+"]
        .iter()
        .any(|held| word.strip_prefix(held).is_some_and(|key| key.chars().count() == 1 || KEYS.contains(&key)));
    KEYS.contains(&word) || held
}

/// Text with its line ends.
fn lines(text: &str) -> Vec<Piece> {
    const ENDS: &[&str] = &["\r", "^M", "^J", "\\n", "\\r", "\\015", "\\012", "\\x0d", "\\x0a", "\u{e000}"];
    let one = ENDS.iter().fold(text.to_owned(), |text, end| text.replace(end, "\n"));
    let mut pieces = Vec::new();
    for (at, line) in one.split('\n').enumerate() {
        if at > 0 {
            pieces.push(Piece::Send);
        }
        if !line.is_empty() {
            pieces.push(of_text(line));
        }
    }
    pieces
}

fn of_text(text: &str) -> Piece {
    if is_literal(text) { Piece::Text(text.to_owned()) } else { Piece::Unread }
}

/// Characters by their numbers.
fn characters(words: &[String], base: u32) -> Vec<Piece> {
    let numbers = words.iter().flat_map(|word| word.split_whitespace());
    let read = |word: &str| u32::from_str_radix(word.trim_start_matches("0x"), base).ok().and_then(char::from_u32);
    let all: Option<String> = numbers.map(read).collect();
    all.map_or_else(|| vec![Piece::Unread], |text| lines(&text))
}

/// The texts in double quotes within code, without line ends.
fn quoted(code: &str) -> Vec<String> {
    let parts = code.split('"').skip(1).step_by(2).map(str::to_owned);
    let braced =
        code.split(['{', '}']).skip(1).step_by(2).filter(|part| !part.contains(['"', '\n'])).map(str::to_owned);
    let ends = |text: String| {
        lines(&text)
            .into_iter()
            .filter_map(|piece| if let Piece::Text(text) = piece { Some(text) } else { None })
            .collect()
    };
    parts.chain(braced).map(ends).filter(|text: &String| !text.is_empty()).collect()
}
