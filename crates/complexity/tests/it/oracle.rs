//! The regular expression of every signal, as the origin has it, against the built-in matcher in raw mode.

use std::path::Path;

use hook_complexity::{Envelopes, Matching, Options, Scorer};
use regex::{Regex, RegexSet};

/// One row each: the id and its expression, matched in any case. `.` doesn't match a line break.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("M1", r"\\int|integral|∫"),
    ("M2", r"\\frac|\\sqrt|√|fraction"),
    ("M3", r"\\sum|∑|summation"),
    ("M4", r"\\lim|limit.*infin"),
    ("M5", r"\\partial|partial.deriv|∂"),
    ("M6", r"differential.equation"),
    ("M7", r"eigenvalue|eigenvector"),
    ("M8", r"matrix|determinant"),
    ("M9", r"theorem|prove|proof"),
    ("M10", r"converge|diverge"),
    ("M11", r"\\pi|\\theta|\\alpha"),
    ("M12", r"logarithm|ln(?-u:\b)|log(?-u:\b)"),
    ("M13", r"derivative|d/dx"),
    ("M14", r"arctan|arcsin|arccos"),
    ("M15", r"trigonometr"),
    ("M16", r"solve.*for.*x|solve.*equation"),
    ("M17", r"definite.integral|indefinite"),
    ("L1", r"knight.*knave|truth.*liar"),
    ("L2", r"paradox|self.referent"),
    ("L3", r"if.*then.*what|deduc"),
    ("L4", r"necessary.*sufficient|iff(?-u:\b)"),
    ("L5", r"contradiction|inconsisten"),
    ("L6", r"step.by.step|show.*work|show.*reasoning"),
    ("L7", r"logic.*puzzle|puzzle"),
    ("L8", r"what can you conclude|what follows"),
    ("D1", r"implement|write.*function|write.*code"),
    ("D2", r"debug|fix.*bug|error"),
    ("D3", r"refactor|architect"),
    ("D4", r"algorithm|data.structure"),
    ("D5", r"CRISPR|genome|molecular|HDR|ssODN"),
    ("D6", r"quantum|relativity|thermodynamic"),
    ("D7", r"resection|strand.invasion|homology"),
    ("D8", r"equivalence.principle|spacetime|curvature"),
    ("D9", r"dissection|diagnosis|symptom"),
    ("sequence", r"and then|step [0-9]|first.*then|also.*explain"),
    ("comparison", r"compare.*contrast|analy[sz]e.*evaluate"),
];

struct Oracle {
    set: RegexSet,
    each: Vec<Regex>,
    scorer: Scorer,
}

impl Oracle {
    fn new() -> Self {
        let patterns: Vec<_> = EXPRESSIONS.iter().map(|(_, pattern)| format!("(?i){pattern}")).collect();
        let each = patterns.iter().map(|pattern| Regex::new(pattern).unwrap()).collect();
        let options = Options { matching: Matching::Raw, envelopes: Envelopes::IncludedFile, ..Options::default() };
        Self { set: RegexSet::new(&patterns).unwrap(), each, scorer: Scorer::new(options) }
    }

    /// Both fire the same rows, each on text that its expression matches. Returns how many fired.
    fn compare(&self, text: &str, name: &str) -> usize {
        let score = self.scorer.score(text, None);
        let factors = score.factors.iter().map(|factor| (factor.id, factor.span.clone()));
        let mut have: Vec<_> = score.signals.iter().map(|hit| (&*hit.id, hit.span.clone())).chain(factors).collect();
        have.retain(|(id, _)| !matches!(*id, "long" | "very-long" | "questions"));
        let index = |id: &str| EXPRESSIONS.iter().position(|(other, _)| *other == id).unwrap();
        have.sort_by_key(|(id, _)| index(id));
        let ids: Vec<_> = have.iter().map(|(id, _)| *id).collect();
        let want: Vec<_> = self.set.matches(text).iter().map(|i| EXPRESSIONS[i].0).collect();
        assert_eq!(ids, want, "{name}: {text:?}");
        for (id, span) in &have {
            assert!(self.each[index(id)].is_match(&text[span.clone()]), "{name}: {id} at {span:?} of {text:?}");
        }
        have.len()
    }
}

/// A small generator of numbers, always the same for one seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

/// The literals of the expressions, and pieces that meet their edges.
const PIECES: &[&str] = &[
    "\\int", "integral", "∫", "\\frac", "\\sqrt", "√", "fraction", "\\sum", "∑", "summation", "\\lim", "limit",
    "infin", "\\partial", "partial", "deriv", "∂", "differential", "equation", "eigenvalue", "eigenvector", "matrix",
    "determinant", "theorem", "prove", "proof", "converge", "diverge", "\\pi", "\\theta", "\\alpha", "logarithm", "ln",
    "log", "derivative", "d/dx", "arctan", "arcsin", "arccos", "trigonometr", "solve", "for", "x", "definite",
    "indefinite", "knight", "knave", "truth", "liar", "paradox", "self", "referent", "if", "then", "what", "deduc",
    "necessary", "sufficient", "iff", "contradiction", "inconsisten", "step", "by", "show", "work", "reasoning",
    "logic", "puzzle", "what can you conclude", "what follows", "implement", "write", "function", "code", "debug",
    "fix", "bug", "error", "refactor", "architect", "algorithm", "data", "structure", "CRISPR", "genome", "molecular",
    "HDR", "ssODN", "quantum", "relativity", "thermodynamic", "resection", "strand", "invasion", "homology",
    "equivalence", "principle", "spacetime", "curvature", "dissection", "diagnosis", "symptom", "and then", "first",
    "also", "explain", "compare", "contrast", "analyze", "analyse", "evaluate", "ſ", "\u{212A}",
];
const JOINTS: &[&str] = &[
    " ", " ", " ", "", "", "\n", "  ", "-", "_", ".", "中", "é", "ſ", "\u{212A}", "∀", "\u{85}", "\r", "\0", "7", "?",
    "s", "\\", "😀",
];

fn generate(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for _ in 0..=numbers.below(7) {
        let piece = numbers.pick(PIECES);
        match numbers.below(8) {
            0 => text.push_str(&piece.to_uppercase()),
            // A piece cut short, so that almost-matches are as frequent as matches.
            1 => text.extend(piece.chars().take(numbers.below(8))),
            2 => text.push_str(&piece.replace('s', "ſ").replace('k', "\u{212A}")),
            _ => text.push_str(piece),
        }
        text.push_str(numbers.pick(JOINTS));
    }
    text
}

/// Two hundred thousand strings; `ORACLE_STRINGS=1000000` makes it a million.
#[test]
fn generated_strings() {
    let strings = std::env::var("ORACLE_STRINGS").ok().and_then(|n| n.parse().ok()).unwrap_or(200_000);
    let oracle = Oracle::new();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let fired: usize = (0..strings).map(|_| oracle.compare(&generate(&mut numbers), "generated")).sum();
    assert!(fired > strings, "the strings hardly match anything: {fired} of {strings}");
}

/// All text files of the repository, or of the crate alone where it is built outside it.
#[test]
fn files_of_the_repository() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().nth(2).filter(|root| root.join("Cargo.lock").exists()).unwrap_or(own);
    let oracle = Oracle::new();
    let mut dirs = vec![root.to_path_buf()];
    let mut files = 0;
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(dir).unwrap().filter_map(Result::ok) {
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !matches!(name.to_str(), Some("target" | ".git" | "dist" | "node_modules")) {
                    dirs.push(path);
                }
            } else if entry.metadata().is_ok_and(|data| data.is_file() && data.len() < 4_000_000)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                files += 1;
                oracle.compare(&text, &path.display().to_string());
                for (number, line) in text.lines().enumerate().take(2_000) {
                    oracle.compare(line, &format!("{}:{}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(files > 5, "only {files} files found");
}
