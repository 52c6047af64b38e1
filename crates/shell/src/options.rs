//! Options as programs read them: the one reader of argument vectors. What differs between programs is a [`Grammar`], which is data.
//!
//! ```
//! use hook_shell::options::Options;
//!
//! let args = ["-xvfout.tar", "--dir", "a", "--", "-b"];
//! let options = Options::all(&args, &["-f", "--directory"]);
//! assert_eq!((options.value(&["-f"]), options.value(&["--directory"])), (Some("out.tar"), Some("a")));
//! assert_eq!(options.operands, ["-b"]);
//! ```

/// A word of an argument vector.
pub trait Word {
    /// Its text. A word whose text is not known is an operand.
    fn text(&self) -> Option<&str>;
}

impl<T: AsRef<str>> Word for T {
    fn text(&self) -> Option<&str> {
        Some(self.as_ref())
    }
}

/// How a program's options are written.
#[derive(Debug, Clone, Copy)]
pub struct Grammar<'g> {
    /// Options with a value, joined or as the next word: `-o`, `--output`, `-out`.
    pub values: &'g [&'g str],
    /// Options with two values.
    pub pairs: &'g [&'g str],
    /// Options with what they take: `-v` nothing, `-n=` a value, `-X:GET|HEAD` one of these, `-i[=]` a joined value or none, and `-o `
    /// the next word, even within a bundle. `-#` is any number.
    pub table: &'g [&'g str],
    /// Letters behind one dash are options of their own. Otherwise the word is one option, which a value may be joined to.
    pub bundles: bool,
    /// Long options may be cut short.
    pub abbreviates: bool,
    /// `--` ends the options.
    pub ends: bool,
    /// `+x` is an option as well.
    pub plus: bool,
    /// Options that have a value in every program that knows them have one here, unless the rest of the grammar says otherwise.
    pub common: bool,
}

/// Options that have a value of their own in every program that knows them.
const COMMON: &[&str] = &[
    "--profile", "--region", "--zone", "--namespace", "--context", "--project", "--subscription", "--org", "--repo",
    "--repository", "--account", "--config", "--server", "--token", "--url", "--host", "--output", "--format",
    "--name", "--tag", "--tags", "--filter", "--cluster", "--kubeconfig", "--app", "--endpoint-url", "--query",
    "--resource-group", "--user", "--password", "--workspace", "--environment", "--label", "--kube-context",
    "--registry", "--access-token", "--api-key", "--bootstrap-server", "--description", "--comment", "--reason",
    "--message",
];

/// What an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes<'g> {
    Unknown,
    Nothing,
    Joined,
    Next,
    Value,
    OneOf(&'g str),
    Two,
}

/// An entry of [`Grammar::table`]: the option and what it takes.
pub(crate) fn entry(entry: &str) -> (&str, Takes<'_>) {
    let suffixes = [("[=]", Takes::Joined), ("=", Takes::Value), (" ", Takes::Next)];
    let valued = suffixes.iter().find_map(|(suffix, takes)| Some((entry.strip_suffix(suffix)?, *takes)));
    valued
        .or_else(|| entry.split_once(':').map(|(name, list)| (name, Takes::OneOf(list))))
        .unwrap_or((entry, Takes::Nothing))
}

impl<'g> Grammar<'g> {
    /// Bundles, abbreviations and `--`, as `getopt_long` has them.
    pub const GNU: Self = Self { bundles: true, abbreviates: true, ends: true, ..Self::WORDS };

    /// Every word with a dash is one option; `--` is no other. This is also how a program is read that nobody knows: the word behind
    /// an option [may be its value](Operand::may_be_value).
    pub const WORDS: Self = Self {
        values: &[],
        pairs: &[],
        table: &[],
        bundles: false,
        abbreviates: false,
        ends: false,
        plus: false,
        common: false,
    };

    /// [`Self::GNU`] with these options that have a value.
    pub const fn gnu(values: &'g [&'g str]) -> Self {
        Self { values, ..Self::GNU }
    }

    /// The same where long options are not cut short.
    pub const fn spelled(values: &'g [&'g str]) -> Self {
        Self { abbreviates: false, ..Self::gnu(values) }
    }

    /// Long options have one dash, and `--` ends them, as compilers have it.
    pub const fn one_dash(values: &'g [&'g str]) -> Self {
        Self { ends: true, ..Self::words(values) }
    }

    /// [`Self::WORDS`] with these options that have a value.
    pub const fn words(values: &'g [&'g str]) -> Self {
        Self { values, ..Self::WORDS }
    }

    /// The same for a program of which little more than this is known: each word with a dash or a plus is one option, and
    /// [common](Self::common) options have a value.
    #[must_use]
    pub const fn at_least(self) -> Self {
        Self { bundles: false, abbreviates: false, ends: false, plus: true, common: true, ..self }
    }

    /// Whether a word is an option. A lone dash is a file.
    pub fn is_option(&self, word: &str) -> bool {
        word.len() > 1 && (word.starts_with('-') || self.plus && word.starts_with('+'))
    }

    /// What the first option takes that `is` holds for.
    fn takes(&self, is: &dyn Fn(&str) -> bool) -> Takes<'g> {
        let any = |names: &[&str]| names.iter().any(|name| is(name));
        if any(self.values) {
            return Takes::Value;
        }
        if any(self.pairs) {
            return Takes::Two;
        }
        let known = self.table.iter().map(|one| entry(one)).find(|(name, _)| is(name)).map(|(_, takes)| takes);
        known.unwrap_or(if self.common && any(COMMON) { Takes::Value } else { Takes::Unknown })
    }
}

/// An option as it was given.
#[derive(Debug)]
pub struct Given<'a, W = String> {
    /// Where its word stands.
    pub at: usize,
    /// The whole word.
    pub word: &'a str,
    /// The value that is joined to it.
    pub joined: Option<&'a str>,
    /// The value that is the next word.
    pub next: Option<&'a W>,
    /// Its name as it is spelled: with its dashes, or a letter of a bundle.
    pub name: &'a str,
    letter: bool,
    /// It may stand for a longer name.
    short: bool,
}

impl<'a, W: Word> Given<'a, W> {
    /// Its value.
    pub fn value(&self) -> Option<&'a str> {
        self.joined.or_else(|| self.next.and_then(Word::text))
    }

    /// Its name with its dashes.
    pub fn spelled(&self) -> String {
        format!("{}{}", if self.letter { "-" } else { "" }, self.name)
    }

    /// Whether it is spelled like this. A letter of a bundle is spelled `-x`.
    pub fn is(&self, name: &str) -> bool {
        if self.letter { name.strip_prefix('-') == Some(self.name) } else { name == self.name }
    }

    /// Whether it is one of these, perhaps cut short.
    pub fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is(name) || self.short && is_abbreviation(self.name, name))
    }
}

/// A word that is no option.
#[derive(Debug)]
pub struct Operand<'a, W> {
    /// Where it stands.
    pub at: usize,
    /// The word.
    pub word: &'a W,
    /// It follows an option that the grammar does not know, and may be its value.
    pub may_be_value: bool,
}

/// What an argument vector consists of.
#[derive(Debug)]
pub enum Item<'a, W> {
    /// An option with its value.
    Option(Given<'a, W>),
    /// A word that is no option.
    Operand(Operand<'a, W>),
    /// The `--` that ends the options.
    End,
}

/// Reads an argument vector from left to right.
#[derive(Debug)]
pub struct Scan<'a, 'g, W> {
    words: &'a [W],
    grammar: Grammar<'g>,
    at: usize,
    /// What is left of a bundle, the bundle, and where it stands.
    bundle: (&'a str, &'a str, usize),
    closed: bool,
    after_unknown: bool,
}

impl<'a, 'g, W: Word> Scan<'a, 'g, W> {
    /// Begins at the first word, which is no name of a program.
    pub const fn new(words: &'a [W], grammar: Grammar<'g>) -> Self {
        Self { words, grammar, at: 0, bundle: ("", "", 0), closed: false, after_unknown: false }
    }

    /// The next option before the first operand; `None` at the operand or behind `--`.
    pub fn leading(&mut self) -> Option<Given<'a, W>> {
        let before = self.at;
        match self.next()? {
            Item::Option(given) => return Some(given),
            Item::Operand(_) => self.at = before,
            Item::End => {}
        }
        None
    }

    /// The words that are not read yet.
    pub fn rest(&self) -> &'a [W] {
        self.words.get(self.at..).unwrap_or_default()
    }

    /// What is left, without operands.
    pub fn options(self) -> impl Iterator<Item = Given<'a, W>> {
        self.filter_map(|item| if let Item::Option(given) = item { Some(given) } else { None })
    }

    /// What is left, without options.
    pub fn operands(self) -> impl Iterator<Item = Operand<'a, W>> {
        self.filter_map(|item| if let Item::Operand(operand) = item { Some(operand) } else { None })
    }

    /// An option in one word.
    fn whole(&mut self, word: &'a str) -> Option<Given<'a, W>> {
        let long = word.starts_with("--");
        let (mut name, mut joined) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let mut takes = self.grammar.takes(&|known| known == name);
        let exact = takes != Takes::Unknown;
        if !exact && !long {
            let digits = || word.bytes().skip(1).all(|byte| byte.is_ascii_digit());
            let short = || self.grammar.values.iter().find(|short| short.len() == 2 && word.starts_with(**short));
            if self.grammar.table.contains(&"-#") && digits() {
                (name, takes) = ("-#", Takes::Nothing);
            } else if self.grammar.bundles {
                return None;
            } else if let Some(letter) = short() {
                name = word.get(..letter.len())?;
                joined = word.get(letter.len()..);
                takes = Takes::Value;
            }
        } else if !long && self.grammar.bundles && name.len() == 2 && joined.is_some() {
            // To a letter the sign belongs to the value.
            return None;
        }
        let short = long && !exact && self.grammar.abbreviates;
        if short {
            takes = self.grammar.takes(&|known| is_abbreviation(name, known));
        }
        Some(self.given((self.at - 1, word), name, joined, takes, (false, short)))
    }

    /// The next letter of a bundle.
    fn letter(&mut self) -> Option<Given<'a, W>> {
        let (rest, word, at) = self.bundle;
        let (name, after) = rest.split_at_checked(rest.chars().next()?.len_utf8())?;
        let takes = self.grammar.takes(&|known| known.strip_prefix('-') == Some(name));
        let ends = !matches!(takes, Takes::Unknown | Takes::Nothing | Takes::Next);
        self.bundle.0 = if ends { "" } else { after };
        let joined = Some(after).filter(|after| ends && !after.is_empty());
        Some(self.given((at, word), name, joined, takes, (true, false)))
    }

    fn given(
        &mut self,
        (at, word): (usize, &'a str),
        name: &'a str,
        joined: Option<&'a str>,
        takes: Takes<'_>,
        (letter, short): (bool, bool),
    ) -> Given<'a, W> {
        let apart = match takes {
            Takes::Next => 1,
            Takes::Two => 2 - usize::from(joined.is_some()),
            Takes::Value | Takes::OneOf(_) => usize::from(joined.is_none()),
            Takes::Unknown | Takes::Nothing | Takes::Joined => 0,
        };
        let next = self.words.get(self.at).filter(|_| apart > 0);
        self.at += apart;
        self.after_unknown = takes == Takes::Unknown && joined.is_none();
        Given { at, word, joined, next, name, letter, short }
    }
}

impl<'a, W: Word> Iterator for Scan<'a, '_, W> {
    type Item = Item<'a, W>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(given) = self.letter() {
            return Some(Item::Option(given));
        }
        let at = self.at;
        let word = self.words.get(at)?;
        self.at += 1;
        let may_be_value = std::mem::take(&mut self.after_unknown);
        let Some(text) = word.text().filter(|text| !self.closed && self.grammar.is_option(text)) else {
            return Some(Item::Operand(Operand { at, word, may_be_value }));
        };
        if text == "--" && self.grammar.ends {
            self.closed = true;
            return Some(Item::End);
        }
        let given = self.whole(text).or_else(|| {
            self.bundle = (text.get(1..)?, text, at);
            self.letter()
        });
        given.map(Item::Option)
    }
}

/// What an argument vector says.
#[derive(Debug)]
pub struct Options<'a, W = String> {
    /// Options, in order.
    pub options: Vec<Given<'a, W>>,
    /// All else, in order.
    pub operands: Vec<&'a str>,
}

impl<'a, W: Word> Options<'a, W> {
    /// Reads all arguments of a program of the GNU kind; operands may stand between options.
    pub fn all(args: &'a [W], values: &[&str]) -> Self {
        Self::read(args, Grammar::gnu(values))
    }

    /// Reads options up to the first operand; gives the arguments from there on.
    pub fn leading(args: &'a [W], values: &[&str]) -> (Self, &'a [W]) {
        Self::until_operand(args, Grammar::gnu(values))
    }

    /// The same by a program's grammar.
    pub fn until_operand(args: &'a [W], grammar: Grammar<'_>) -> (Self, &'a [W]) {
        let mut scan = Scan::new(args, grammar);
        let options = std::iter::from_fn(|| scan.leading()).collect();
        (Self { options, operands: Vec::new() }, scan.rest())
    }

    /// Reads all arguments of a program with this grammar.
    pub fn read(args: &'a [W], grammar: Grammar<'_>) -> Self {
        let mut out = Self { options: Vec::new(), operands: Vec::new() };
        for item in Scan::new(args, grammar) {
            match item {
                Item::Option(given) => out.options.push(given),
                Item::Operand(operand) => out.operands.extend(operand.word.text()),
                Item::End => {}
            }
        }
        out
    }

    /// Whether one of the options is there. Long names may be cut short, as GNU programs allow.
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|given| given.is_one_of(names))
    }

    /// Whether one of the options is there, and spelled like this.
    pub fn spells(&self, names: &[&str]) -> bool {
        self.options.iter().any(|given| names.iter().any(|name| given.is(name)))
    }

    /// The value of the first of the options that is there.
    pub fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.values(names).next()
    }

    /// The values of the options.
    pub fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'a str> + 's {
        self.options.iter().filter(|given| given.is_one_of(names)).filter_map(Given::value)
    }
}

/// Whether `given` is `name`, or a beginning of a long one.
pub(crate) fn is_abbreviation(given: &str, name: &str) -> bool {
    given == name || (given.len() > 2 && name.starts_with("--") && given.starts_with("--") && name.starts_with(given))
}

/// The words of a program that nobody knows that may name something: no option and no lone dash.
pub fn plain_words<W: Word>(args: &[W]) -> impl DoubleEndedIterator<Item = &W> {
    args.iter().filter(|arg| arg.text().is_none_or(|text| !text.starts_with('-')))
}

/// Its other words: options, of which no value is known.
pub fn option_words<W: Word>(args: &[W]) -> impl Iterator<Item = &str> {
    Scan::new(args, Grammar::WORDS).options().map(|given| given.word)
}

/// The letters of a bundle; `None` for any other word.
pub fn letters(word: &str) -> Option<&str> {
    word.strip_prefix('-').filter(|letters| !letters.starts_with('-'))
}

/// Whether a word is a bundle that holds one of the letters, by a program whose values are not known.
pub fn holds(word: &str, any: &[char]) -> bool {
    letters(word).is_some_and(|letters| letters.contains(any))
}
