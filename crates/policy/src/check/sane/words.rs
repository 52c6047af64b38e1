//! Words of a prompt: whole ones, in any script, and the tables of words that mean something.

/// The most of a prompt that is looked at, in bytes. What stands behind is pasted text.
const MAX_BYTES: usize = 256 << 10;

/// The words of one sentence, in lower case.
#[derive(Debug, Default)]
pub(super) struct Sentence<'t> {
    pub(super) words: Vec<&'t str>,
    pub(super) asks: bool,
}

/// A prompt, cut to size and in lower case.
pub(super) fn lowered(prompt: &str) -> String {
    let end = (0..=MAX_BYTES.min(prompt.len())).rev().find(|at| prompt.is_char_boundary(*at)).unwrap_or(0);
    // A typographic apostrophe means the same.
    prompt.get(..end).unwrap_or_default().trim().to_lowercase().replace('\u{2019}', "'")
}

/// The sentences: they end at `.`, `!`, `?` before a space, at their wide forms, and at line ends.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let last = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => last,
            _ => false,
        };
        if ends {
            push(&mut found, text.get(begin..at).unwrap_or_default(), matches!(c, '?' | '？'));
            begin = at + c.len_utf8();
        }
    }
    push(&mut found, text.get(begin..).unwrap_or_default(), false);
    found
}

fn push<'t>(found: &mut Vec<Sentence<'t>>, text: &'t str, asks: bool) {
    let words = words(text);
    if !words.is_empty() {
        found.push(Sentence { words, asks });
    }
}

/// The words of a text: runs of letters, digits and apostrophes.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether the words hold this phrase, word by word.
pub(super) fn has_phrase(words: &[&str], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    words.windows(wanted.len()).any(|window| window == wanted)
}

/// Whether the words begin with this phrase.
pub(super) fn begins(words: &[&str], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    words.starts_with(&wanted)
}

/// Verbs that ask for work.
const VERBS: &[&str] = &[
    "fix", "add", "create", "implement", "build", "refactor", "update", "change", "modify", "delete", "remove",
    "write", "make", "generate", "rewrite", "overhaul", "redesign", "install", "migrate", "rename", "replace", "move",
    "convert", "port", "repair", "debug", "optimize", "optimise", "reorganize", "restructure", "extend", "integrate",
    "setup",
];

/// Nouns that say something is to be done.
const NOUNS: &[&str] =
    &["bug", "error", "issue", "problem", "broken", "failing", "crash", "feature", "functionality", "capability"];

/// The same in other languages, matched as whole words.
const FOREIGN: &[&str] = &[
    // German
    "behebe", "behebt", "beheben", "korrigiere", "korrigieren", "repariere", "reparieren", "erstelle", "erstellen",
    "schreibe", "schreiben", "füge", "hinzufügen", "ergänze", "ändere", "ändern", "lösche", "löschen", "entferne",
    "entfernen", "implementiere", "implementieren", "baue", "fehler", // French
    "corrige", "corriger", "corrigez", "répare", "réparer", "ajoute", "ajouter", "ajoutez", "crée", "créer", "créez",
    "implémente", "implémenter", "modifie", "modifier", "supprime", "supprimer", "écris", "écrire", "erreur",
    // Spanish, Portuguese, Italian
    "arregla", "arreglar", "corregir", "añade", "añadir", "agrega", "agregar", "crea", "crear", "implementa",
    "implementar", "modifica", "modificar", "elimina", "eliminar", "escribe", "escribir", "corrija", "adicione",
    "adicionar", "crie", "criar", "altere", "alterar", "remova", "remover", "escreva", "conserte", "correggi",
    "aggiungi", "modifica", "rimuovi", "scrivi", // Russian
    "исправь", "исправьте", "исправить", "добавь", "добавьте", "добавить", "создай", "создайте", "создать", "удали",
    "удалить", "напиши", "написать", "измени", "изменить", "ошибка", "ошибку",
];

/// The same in scripts without spaces, matched anywhere.
const UNSPACED: &[&str] = &[
    "修正", "修复", "修復", "添加", "增加", "追加", "创建", "創建", "作成", "实现", "實現", "実装", "删除", "刪除",
    "削除", "重构", "重構", "直して", "編集", "変更", "更新", "编写", "수정", "추가", "구현", "작성", "삭제", "고쳐",
];

/// Whether this word is a verb that asks for work, in the form that asks: `fixed` and `fixes` only tell.
pub(super) fn is_task_verb(word: &str) -> bool {
    VERBS.contains(&word) || FOREIGN.contains(&word)
}

/// Whether this word is such a verb with `ing` at its end.
pub(super) fn is_task_gerund(word: &str) -> bool {
    word.strip_suffix("ing")
        .is_some_and(|stem| VERBS.iter().any(|verb| *verb == stem || verb.strip_suffix('e') == Some(stem)))
}

/// Whether anything in the sentence says that work is wanted.
pub(super) fn wants_work(words: &[&str]) -> bool {
    let noun = |word: &&str| NOUNS.contains(word) || word.strip_suffix('s').is_some_and(|one| NOUNS.contains(&one));
    words.iter().any(|word| is_task_verb(word) || noun(word))
        || ["set up", "clean up", "speed up"].iter().any(|phrase| has_phrase(words, phrase))
        || words.iter().any(|word| !word.is_ascii() && UNSPACED.iter().any(|verb| word.contains(verb)))
}

/// A small number for a word that is kept instead of it (FNV-1a).
pub(super) fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
