//! Tokens known by how they start.

/// A start, and what has to follow it for a token.
struct Known {
    start: &'static [u8],
    /// Fewest bytes that follow.
    least: usize,
    /// Bytes of the token: letters and digits, and `_` and `-` if `joined`.
    joined: bool,
    /// Ordinary words start like this too, so a digit must follow somewhere.
    digit: bool,
}

const fn known(start: &'static str, least: usize, joined: bool, digit: bool) -> Known {
    Known { start: start.as_bytes(), least, joined, digit }
}

/// The issuers' own documents and public secret scanners name these; lengths are lower than the real ones, so that a token that
/// was cut is recognised too.
const KNOWN: &[Known] = &[
    // GitHub, GitLab, Atlassian, Bitbucket.
    known("ghp_", 10, true, false),
    known("gho_", 10, true, false),
    known("ghu_", 10, true, false),
    known("ghs_", 10, true, false),
    known("ghr_", 10, true, false),
    known("github_pat_", 10, true, false),
    known("glpat-", 10, true, false),
    known("gldt-", 10, true, false),
    known("glrt-", 10, true, false),
    known("glptt-", 10, true, false),
    known("glcbt-", 10, true, false),
    known("ATATT3", 20, true, false),
    known("ATBB", 20, false, true),
    // Model providers.
    known("sk-ant-", 10, true, false),
    known("sk-proj-", 10, true, false),
    known("sk-", 16, true, true),
    known("gsk_", 16, false, true),
    known("xai-", 16, false, true),
    known("hf_", 16, false, false),
    known("pplx-", 16, false, true),
    known("r8_", 16, false, true),
    known("nvapi-", 16, true, true),
    // Clouds.
    known("AKIA", 12, false, true),
    known("ASIA", 12, false, true),
    known("AIza", 20, true, false),
    known("ya29.", 10, true, false),
    known("GOCSPX-", 10, true, false),
    known("dop_v1_", 16, false, false),
    known("doo_v1_", 16, false, false),
    known("dapi", 30, false, true),
    known("tskey-", 10, true, false),
    known("hvs.", 16, true, false),
    known("hvb.", 16, true, false),
    known("sbp_", 16, false, true),
    // Payment, chat, mail.
    known("sk_live_", 8, true, false),
    known("sk_test_", 8, true, false),
    known("rk_live_", 8, true, false),
    known("rk_test_", 8, true, false),
    known("whsec_", 16, true, false),
    known("xoxb-", 8, true, false),
    known("xoxp-", 8, true, false),
    known("xoxa-", 8, true, false),
    known("xoxr-", 8, true, false),
    known("xoxs-", 8, true, false),
    known("xoxe.", 8, true, false),
    known("xapp-", 8, true, false),
    known("SG.", 20, true, false),
    known("shpat_", 16, false, false),
    known("shpss_", 16, false, false),
    known("sq0atp-", 16, true, false),
    known("sq0csp-", 16, true, false),
    // Registries and tools.
    known("npm_", 20, false, true),
    known("pypi-", 20, true, false),
    known("rubygems_", 20, false, false),
    known("dckr_pat_", 10, true, false),
    known("lin_api_", 16, false, false),
    known("figd_", 16, true, false),
    known("glsa_", 16, true, true),
    known("PMAK-", 16, true, false),
    known("AGE-SECRET-KEY-", 16, false, false),
    // JSON web tokens: a base64 object that starts with `{"`.
    known("eyJ", 16, true, false),
];

/// Bytes of the shortest token of the table.
pub(super) const SHORTEST: usize = 13;

/// Where in a word a token starts. The word is a run of letters, digits, `_`, `-` and `.`; the token goes on to its end.
pub(super) fn find(word: &[u8]) -> Option<usize> {
    let last_digit = word.iter().rposition(u8::is_ascii_digit);
    let mut boundary = true;
    for (at, byte) in word.iter().enumerate() {
        // `key.ghp_…` and `x-ghp_…` start inside a word.
        let rest = word.get(at..).filter(|rest| boundary && rest.len() >= SHORTEST);
        if rest.is_some_and(|rest| starts_token(rest, last_digit.is_some_and(|digit| digit >= at))) {
            return Some(at);
        }
        boundary = matches!(byte, b'-' | b'.' | b'_');
    }
    None
}

fn starts_token(rest: &[u8], has_digit: bool) -> bool {
    let Some(first) = rest.first() else { return false };
    KNOWN.iter().any(|known| {
        known.start.first() == Some(first)
            && (has_digit || !known.digit)
            && rest.strip_prefix(known.start).is_some_and(|tail| {
                tail.len() >= known.least
                    && tail
                        .iter()
                        .take(known.least)
                        .all(|b| b.is_ascii_alphanumeric() || known.joined && matches!(b, b'_' | b'-'))
            })
    })
}
