//! The table of signals and phrase factors: what is looked for, how each word may begin and end, and what it scores.
//!
//! The scores and words of the categories math, logic and domain are those of the SPF prompt hook. Each row is a value, so
//! that matching, explanations and the documentation come from one place.

/// What a signal says about a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Category {
    /// Mathematics.
    Math,
    /// Formal or puzzle logic.
    Logic,
    /// Science and engineering.
    Domain,
    /// The form and the subject of the request; only with [`Options::features`](crate::Options::features).
    Feature,
    /// A signal from configuration.
    User,
}

impl Category {
    /// The category's name in small letters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Math => "math",
            Self::Logic => "logic",
            Self::Domain => "domain",
            Self::Feature => "feature",
            Self::User => "user",
        }
    }
}

/// How the match of a word may begin. [`Matching::Raw`](crate::Matching::Raw) takes every one as `Any`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Anywhere, also inside a longer word: `derivative` in `antiderivative`.
    Any,
    /// Where a word begins.
    Word,
    /// Where a word begins, or after one of these syllables that begin a word: `prove` in `disprove`.
    After(&'static [&'static str]),
}

/// How the match of a word may end. [`Matching::Raw`](crate::Matching::Raw) takes every one but `WordAlways` as `Any`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Anywhere: `eigenvalue` in `eigenvalues`.
    Any,
    /// Where a LaTeX command ends: no letter follows. `\int_0` but not `\interval`.
    Command,
    /// Where a word ends, after one of these endings; an empty one stands for the bare word.
    Ending(&'static [&'static str]),
    /// Where a word ends, in both kinds of matching.
    WordAlways,
}

/// One literal and where it may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The literal in small letters. `.` stands for any one character but a line break, `#` for an ASCII digit.
    pub text: &'static str,
    /// How a match may begin.
    pub start: Start,
    /// How a match may end.
    pub end: End,
    /// Beginnings of the next word that undo the match: `divergent branch`.
    pub unless_next: &'static [&'static str],
}

impl Word {
    const fn unless_next(mut self, words: &'static [&'static str]) -> Self {
        self.unless_next = words;
        self
    }

    const fn after(mut self, syllables: &'static [&'static str]) -> Self {
        self.start = Start::After(syllables);
        self
    }
}

const fn word(text: &'static str, start: Start, end: End) -> Word {
    Word { text, start, end, unless_next: &[] }
}

/// A stem that no other word contains.
const fn any(text: &'static str) -> Word {
    word(text, Start::Any, End::Any)
}

/// A stem that has to begin a word.
const fn stem(text: &'static str) -> Word {
    word(text, Start::Word, End::Any)
}

/// A word with the endings it may have.
const fn forms(text: &'static str, endings: &'static [&'static str]) -> Word {
    word(text, Start::Word, End::Ending(endings))
}

/// A word that has to stand alone.
const fn whole(text: &'static str) -> Word {
    forms(text, &[""])
}

/// A LaTeX command.
const fn tex(text: &'static str) -> Word {
    word(text, Start::Any, End::Command)
}

/// Words that follow each other on one line, with anything between them.
pub type Pattern = &'static [Word];

/// A row of the table: it fires when any of its patterns is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// Short stable name, such as `M1`.
    pub id: &'static str,
    /// What kind of signal it is.
    pub category: Category,
    /// What it stands for, for explanations.
    pub title: &'static str,
    /// The points it adds each time it counts.
    pub score: u32,
    /// How often it counts in one prompt: 1 for the signals of `spf`.
    pub times: u8,
    /// What is looked for. Empty for a feature that is counted from the form of the text.
    pub patterns: &'static [Pattern],
}

/// A phrase class that multiplies the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhraseFactor {
    /// Short stable name.
    pub id: &'static str,
    /// What it stands for, for explanations.
    pub title: &'static str,
    /// What it multiplies by.
    pub by: f64,
    /// What is looked for.
    pub patterns: &'static [Pattern],
}

macro_rules! signals {
    ($($id:literal $category:ident $score:literal x $times:literal $title:literal: $([$($word:expr),+])*;)+) => {
        &[$(Signal { id: $id, category: Category::$category, title: $title, score: $score, times: $times, patterns: &[$(&[$($word),+]),*] }),+]
    };
}

/// The words of git after `diverge…`, which say nothing about a series.
const GIT: &[&str] = &["branch", "histor", "commit", "from origin", "from main", "from master", "fork"];

/// All signals. Rows of the category `Feature` count only with [`Options::features`](crate::Options::features).
pub const SIGNALS: &[Signal] = signals! {
    "M1" Math 500 x 1 "integral": [tex("\\int")] [any("integral")] [any("∫")];
    "M2" Math 200 x 1 "fraction or root": [tex("\\frac")] [tex("\\sqrt")] [any("√")] [stem("fraction")];
    "M3" Math 300 x 1 "summation": [tex("\\sum")] [any("∑")] [stem("summation")];
    "M4" Math 300 x 1 "limit": [tex("\\lim")] [tex("\\limsup")] [tex("\\liminf")] [forms("limit", &["", "s"]), stem("infin")];
    "M5" Math 400 x 1 "partial derivative": [tex("\\partial")] [stem("partial.deriv")] [any("∂")];
    "M6" Math 500 x 1 "differential equation": [stem("differential.equation")];
    "M7" Math 400 x 1 "eigenvalue or eigenvector": [any("eigenvalue")] [any("eigenvector")];
    "M8" Math 200 x 1 "matrix or determinant": [any("matrix")] [any("determinant")];
    "M9" Math 300 x 1 "theorem or proof": [any("theorem")] [forms("prove", &["", "s", "d", "n"]).after(&["dis"])] [forms("proof", &["", "s"])];
    "M10" Math 200 x 1 "convergence": [stem("converge")] [stem("diverge").unless_next(GIT)];
    "M11" Math 100 x 1 "Greek letter": [tex("\\pi")] [tex("\\theta")] [tex("\\alpha")];
    "M12" Math 150 x 1 "logarithm": [stem("logarithm")] [word("ln", Start::Word, End::WordAlways)] [word("log", Start::Word, End::WordAlways)];
    "M13" Math 200 x 1 "derivative": [any("derivative")] [whole("d/dx")];
    "M14" Math 150 x 1 "inverse trigonometric function": [any("arctan")] [any("arcsin")] [any("arccos")];
    "M15" Math 150 x 1 "trigonometry": [any("trigonometr")];
    "M16" Math 200 x 1 "equation to solve":
        [forms("solve", &["", "s", "d"]), whole("for"), whole("x")] [forms("solve", &["", "s", "d", "r"]), stem("equation")];
    "M17" Math 300 x 1 "definite or indefinite integral":
        [word("definite.integral", Start::After(&["in"]), End::Any)] [whole("indefinite")];
    "L1" Logic 500 x 1 "knights and knaves": [stem("knight"), stem("knave")] [stem("truth"), forms("liar", &["", "s"])];
    "L2" Logic 400 x 1 "paradox or self-reference": [any("paradox")] [stem("self.referent")];
    "L3" Logic 200 x 1 "deduction":
        [whole("if"), whole("then"), whole("what")] [forms("deduc", &["e", "es", "ed", "ing", "tion", "tions", "tive", "tively", "ible"])];
    "L4" Logic 300 x 1 "necessary and sufficient": [whole("necessary"), whole("sufficient")] [word("iff", Start::Word, End::WordAlways)];
    "L5" Logic 300 x 1 "contradiction": [any("contradiction")] [stem("inconsisten")];
    "L6" Logic 200 x 1 "reasoning to be shown": [stem("step.by.step")] [whole("show"), whole("work")] [whole("show"), stem("reasoning")];
    "L7" Logic 200 x 1 "puzzle": [any("logic"), forms("puzzle", &["", "s"])] [forms("puzzle", &["", "s"])];
    "L8" Logic 200 x 1 "conclusion": [whole("what can you conclude")] [whole("what follows")];
    "D1" Domain 200 x 1 "code to write":
        [any("implement")]
        [forms("write", &["", "s"]).after(&["re"]), forms("function", &["", "s"])]
        [forms("write", &["", "s"]).after(&["re"]), forms("code", &["", "s"])];
    "D2" Domain 150 x 1 "fault to find":
        [stem("debug")] [forms("fix", &["", "es", "ed", "ing"]), forms("bug", &["", "s", "gy"])] [forms("error", &["", "s", "ed"])];
    "D3" Domain 300 x 1 "structure to change": [stem("refactor")] [stem("architect")];
    "D4" Domain 250 x 1 "algorithm or data structure": [any("algorithm")] [stem("data.structure")];
    "D5" Domain 400 x 1 "molecular biology":
        [any("crispr")] [any("genome")] [any("molecular")] [whole("hdr")] [forms("ssodn", &["", "s"])];
    "D6" Domain 400 x 1 "modern physics": [any("quantum")] [any("relativity")] [any("thermodynamic")];
    "D7" Domain 300 x 1 "DNA repair": [stem("resection")] [stem("strand.invasion")] [any("homology")];
    "D8" Domain 300 x 1 "gravitation": [stem("equivalence.principle")] [any("spacetime")] [stem("curvature")];
    "D9" Domain 150 x 1 "medicine": [any("dissection")] [any("diagnosis")] [stem("symptom")];
    "F1" Feature 100 x 3 "code block": ;
    "F2" Feature 100 x 6 "file name": ;
    "F3" Feature 400 x 10 "item of a list": ;
    "F4" Feature 300 x 1 "pasted output to explain": ;
    "F5" Feature 700 x 2 "ten words": ;
    "F6" Feature 250 x 8 "work with a result":
        [stem("writ")] [whole("add")] [forms("fix", &["", "es"])] [stem("explain")] [whole("why")] [whole("how")] [stem("implement")]
        [forms("find", &["", "s"])] [forms("build", &["", "s"])] [stem("extract")] [stem("convert")] [stem("replace")] [stem("review")]
        [stem("schreib")] [stem("erkl.r")] [stem("behebe")] [stem("implementier")] [stem("warum")]
        [stem("écri")] [stem("Écri")] [stem("expli")] [stem("corrig")] [stem("pourquoi")] [stem("comment ")]
        [stem("escrib")] [stem("arr.gl")] [stem("por qu.")] [any("写")] [any("解释")] [any("说明")] [any("修复")] [any("实现")] [any("为什么")] [any("怎么")] [any("找出")]
        [whole("wie")] [stem("finde")];
    "F7" Feature 600 x 10 "work that decides something":
        [stem("design")] [stem("analy")] [stem("evaluat")] [stem("compar")] [stem("prove")] [stem("proof")] [stem("deriv")] [stem("migrat")]
        [forms("plan", &["", "s"])] [stem("propose")] [stem("refactor")] [stem("recommend")] [stem("architect")] [stem("trade.off")]
        [stem("work out")] [stem("entw")] [stem("vergleich")] [stem("bewert")] [stem("beweis")] [stem("plane ")] [stem("refaktor")]
        [stem("con.oi")] [stem("évalu")] [stem("Évalu")] [stem("d.montr")] [stem("planifi")] [stem("dise.a")] [stem("demuestr")] [stem("eval.a")]
        [any("设计")] [any("分析")] [any("比较")] [any("评估")] [any("证明")] [any("计划")] [any("规划")];
    "F8" Feature 100 x 10 "condition on the result":
        [whole("must")] [whole("never")] [whole("without")] [whole("at most")] [whole("at least")] [stem("no more than")] [stem("less than")]
        [whole("keep")] [whole("only")] [whole("nothing")] [whole("every")] [whole("each")] [stem("so that")] [stem("exactly")]
        [whole("ohne")] [stem("h.chstens")] [stem("mindestens")] [whole("muss")] [whole("jeder")] [whole("sans")] [stem("au plus")]
        [stem("au moins")] [whole("chaque")] [whole("sin")] [stem("como m.ximo")] [stem("al menos")] [whole("cada")] [any("必须")] [any("不能")]
        [any("不得")] [any("不超过")];
    "F9" Feature 400 x 8 "hard subject":
        [stem("concurren")] [stem("race condition")] [stem("deadlock")] [stem("lock.free")] [stem("distribut")] [stem("replica")]
        [stem("transaction")] [stem("idempoten")] [stem("secur")] [stem("privacy")] [stem("compiler")] [stem("roll.back")] [stem("downtime")]
        [stem("crash")] [stem("invarian")] [stem("risk")] [stem("schema")] [stem("conflict")] [stem("jurisdiction")] [stem("hypothes")]
        [stem("tenan")] [stem("sandbox")];
};

/// The phrase factors.
pub const PHRASE_FACTORS: &[PhraseFactor] = &[
    PhraseFactor {
        id: "sequence",
        title: "work in steps",
        by: 1.5,
        patterns: &[
            &[whole("and then")],
            &[stem("step #")],
            &[whole("first"), whole("then")],
            &[whole("also"), stem("explain")],
        ],
    },
    PhraseFactor {
        id: "comparison",
        title: "comparison or evaluation",
        by: 1.8,
        patterns: &[
            &[stem("compare"), stem("contrast")],
            &[stem("analyze"), stem("evaluate")],
            &[stem("analyse"), stem("evaluate")],
        ],
    },
];

/// The row with this id.
pub fn signal(id: &str) -> Option<&'static Signal> {
    SIGNALS.iter().find(|signal| signal.id == id)
}
