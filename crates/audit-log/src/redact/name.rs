//! Names that announce a secret.

/// How surely a name announces a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Not at all.
    None,
    /// `password`, `client_secret`, `GITHUB_TOKEN`: whatever follows is one.
    Strong,
    /// `private_key`, `API_KEY`: a secret, or the path of one behind an option.
    Key,
    /// `token`, `secret`: also a word of prose and of parsers.
    Weak,
    /// `pass`, `pwd`, `auth`: also a count, a directory, a switch.
    Bare,
    /// The header.
    Authorization,
    /// The header.
    Cookie,
}

/// Longest name that is looked at, from its end.
const LONGEST: usize = 64;

/// Ends of names, with their separators taken out, behind which a secret stands.
const STRONG: [&[u8]; 8] = [
    b"password", b"passwd", b"passphrase", b"passcode", b"clientsecret", b"secretkey", b"accesskeyid", b"securitytoken",
];
const KEYS: [&[u8]; 15] = [
    b"apikey", b"accesskey", b"privatekey", b"signingkey", b"encryptionkey", b"masterkey", b"authkey", b"servicekey",
    b"sharedkey", b"accountkey", b"storagekey", b"deploykey", b"licensekey", b"appkey", b"signature",
];
/// Last parts of upper-case names that speak about a secret without being one.
const ABOUT: [&[u8]; 26] = [
    b"FILE", b"PATH", b"DIR", b"URL", b"URI", b"NAME", b"LENGTH", b"COUNT", b"TTL", b"EXPIRY", b"TYPE", b"LIMIT",
    b"MIN", b"MAX", b"BUDGET", b"POLICY", b"ENDPOINT", b"SIZE", b"BUCKET", b"TIMEOUT", b"ENABLED", b"HOST", b"PORT",
    b"VERSION", b"SOCK", b"ALGORITHM",
];
/// Parts before `_KEY` that make it an ordinary key.
const ORDINARY: [&[u8]; 14] = [
    b"PRIMARY", b"FOREIGN", b"SORT", b"PARTITION", b"PUBLIC", b"CACHE", b"HASH", b"INDEX", b"ROW", b"UNIQUE",
    b"OBJECT", b"GROUP", b"SORTING", b"REGISTRY",
];

/// Sorts a name, without the dashes of an option.
pub(super) fn class_of(name: &[u8]) -> Class {
    let name = name.get(name.len().saturating_sub(LONGEST)..).unwrap_or_default();
    let letters = name.iter().filter(|b| b.is_ascii_alphabetic()).count();
    // The quickest way out for nearly all words: no name of the tables is shorter than three or lacks these letters.
    if letters < 3 {
        return Class::None;
    }
    if !name.iter().any(u8::is_ascii_lowercase) {
        let class = class_of_upper(name);
        if class != Class::None {
            return class;
        }
    }
    let mut folded = [0; LONGEST];
    let mut length = 0;
    for (place, byte) in folded.iter_mut().zip(name.iter().filter(|b| b.is_ascii_alphanumeric())) {
        *place = byte.to_ascii_lowercase();
        length += 1;
    }
    let folded = folded.get(..length).unwrap_or_default();
    let digits = folded.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let folded = folded.get(..length - digits).unwrap_or_default();
    let ends = |list: &[&[u8]]| list.iter().any(|end| folded.ends_with(end));
    match folded {
        b"token" | b"secret" | b"credential" | b"credentials" => Class::Weak,
        b"pass" | b"pwd" | b"auth" | b"sig" => Class::Bare,
        b"authorization" | b"proxyauthorization" => Class::Authorization,
        b"cookie" | b"setcookie" => Class::Cookie,
        b"passwordpath" => Class::None,
        _ if ends(&STRONG) => Class::Strong,
        _ if ends(&KEYS) => Class::Key,
        _ if ends(&[b"token", b"secret", b"credential", b"credentials"]) && has_parts(name) => Class::Strong,
        _ if ends(&[b"pass", b"pwd"]) && has_parts(name) && !folded.starts_with(b"old") => Class::Strong,
        _ => Class::None,
    }
}

/// `DB_PASSWORD`, `SECRET_KEY_BASE`, `TOKEN_PROD`: in an upper-case name the telling part may stand anywhere.
fn class_of_upper(name: &[u8]) -> Class {
    let mut parts = name.split(|b| matches!(b, b'_' | b'-' | b'.')).filter(|part| !part.is_empty());
    let last = parts.clone().next_back().unwrap_or_default();
    let count = parts.clone().count();
    if ABOUT.contains(&last) {
        return Class::None;
    }
    if last == b"KEY" {
        let before = parts.clone().rev().nth(1).unwrap_or_default();
        return if ORDINARY.contains(&before) { Class::None } else { Class::Key };
    }
    let telling = parts.any(|part| {
        let part =
            part.get(..part.len() - part.iter().rev().take_while(|b| b.is_ascii_digit()).count()).unwrap_or_default();
        let compound = count > 1 && matches!(part, b"PASS" | b"PWD");
        compound
            || matches!(
                part,
                b"PASSWORD" | b"PASSWD" | b"PASSPHRASE" | b"SECRET" | b"APIKEY" | b"CREDENTIALS" | b"CREDENTIAL"
            )
            || count > 1 && part == b"TOKEN"
    });
    let api_key = name.windows(7).any(|w| matches!(w, b"API_KEY" | b"API-KEY"));
    if name == b"OLD_PWD" || !(telling || api_key) { Class::None } else { Class::Strong }
}

/// Whether the name has more than one part: `access_token`, `x-auth-token`, `accessToken`, but not `mytoken`.
fn has_parts(name: &[u8]) -> bool {
    let joined = name.iter().skip(1).any(|b| matches!(b, b'_' | b'-' | b'.'));
    joined || name.windows(2).any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

/// Whether a value under this name is a secret whatever it says.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let class = class_of(name.as_bytes());
    class != Class::None && class != Class::Bare || matches!(name, "auth" | "pass")
}

/// Schemes of the Authorization header.
pub(super) fn is_scheme(word: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 8] = [b"bearer", b"basic", b"token", b"digest", b"negotiate", b"apikey", b"hmac", b"ntlm"];
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme)) || word.starts_with(b"AWS4") || word == b"AWS"
}

/// Words that follow an option's name in prose: "--token is required".
pub(super) fn is_filler(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 28] = [
        b"is", b"to", b"or", b"and", b"was", b"must", b"required", b"option", b"flag", b"argument", b"for", b"with",
        b"in", b"can", b"should", b"has", b"not", b"the", b"a", b"as", b"from", b"requires", b"value", b"on", b"if",
        b"instead", b"are", b"options",
    ];
    WORDS.contains(&word)
}
