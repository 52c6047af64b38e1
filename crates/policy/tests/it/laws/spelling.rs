//! Other ways to write a word or a line that mean the same to a shell, or to the program that reads it.

pub(super) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A string of Python, Perl, JavaScript or Ruby, within double quotes of the shell.
fn string_within_double(text: &str) -> String {
    within_double(&string(text))
}

/// A string of such a language by itself, and one with double quotes as awk has them, within double quotes of the shell.
fn string(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

fn double_string_within_double(text: &str) -> String {
    let string = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    within_double(&string)
}

fn within_double(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The template with the command in it. A mark stands once in a template, and what is filled in is not looked at again.
pub(super) fn fill(template: &str, command: &str) -> String {
    let marks: [Spelling; 9] = [
        ("{q}", single_quoted),
        ("{p}", string_within_double),
        ("{d}", double_string_within_double),
        ("{s}", string),
        ("{b}", |text| within_double(&single_quoted(text))),
        ("{64}", base64),
        ("{16}", |text| each_byte(text, |byte| format!("{byte:02x}"))),
        ("{8}", |text| single_quoted(&each_byte(text, |byte| format!("\\{byte:03o}")))),
        ("{r}", |text| single_quoted(&text.chars().rev().collect::<String>())),
    ];
    for (mark, write) in marks {
        if let Some((before, after)) = template.split_once(mark) {
            return format!("{before}{}{after}", write(command));
        }
    }
    let (before, after) = template.split_once("{}").unwrap_or_else(|| panic!("no mark in {template}"));
    format!("{before}{command}{after}")
}

/// A name, and how a word is written.
pub(super) type Spelling = (&'static str, fn(&str) -> String);

/// Each byte of the text, written by `one`.
fn each_byte(text: &str, one: impl Fn(u8) -> String) -> String {
    text.bytes().flat_map(|byte| one(byte).into_bytes()).map(char::from).collect()
}

/// Spellings of one word that mean the same to the shell.
pub(super) const SPELLINGS: &[Spelling] = &[
    ("single", single_quoted),
    ("double", |text| format!("\"{}\"", within_double(text))),
    ("backslash", |text| text.chars().flat_map(|c| ['\\', c]).collect()),
    ("pieces", |text| text.chars().map(|c| single_quoted(&c.to_string())).collect()),
    ("empty quotes", |text| text.chars().flat_map(|c| ["\"\"".to_owned(), single_quoted(&c.to_string())]).collect()),
    ("hex", |text| format!("$'{}'", each_byte(text, |byte| format!("\\x{byte:02x}")))),
    ("octal", |text| format!("$'{}'", each_byte(text, |byte| format!("\\{byte:03o}")))),
    ("unicode", |text| {
        let codes: Vec<String> = text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        format!("$'{}'", codes.concat())
    }),
    ("locale", |text| format!("${}", SPELLINGS[1].1(text))),
    ("command", |text| format!("\"$(printf %s {})\"", single_quoted(text))),
    ("backticks", |text| format!("\"`printf %s {}`\"", single_quoted(text))),
    ("default", |text| format!("\"${{UNSET_HERE:-{}}}\"", text.replace('}', "\\}"))),
];
