//! Commands that put a secret somewhere, as data: which words make one of them, and where the secret stands.

use super::Scan;
use super::tool::Tool;
use super::value::{self, Value};

/// A command that stores a secret. What is piped into it is the secret too.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sets {
    /// The program.
    programs: &'static [&'static str],
    /// Words behind it, in order; others may stand between.
    path: &'static [&'static str],
    /// Options whose value is the secret.
    options: &'static [&'static str],
    /// Every `name=value` holds one.
    pairs: bool,
    /// Which word behind the path is the secret, from 1; 0 for none.
    word: usize,
}

const SETS: Sets = Sets { programs: &[], path: &[], options: &[], pairs: false, word: 0 };
const BODY: &[&str] = &["-b", "--body", "-v", "--value"];

const TABLE: &[Sets] = &[
    Sets { programs: &["gh"], path: &["secret", "set"], options: BODY, ..SETS },
    Sets { programs: &["gh"], path: &["variable", "set"], options: BODY, ..SETS },
    Sets { programs: &["glab"], path: &["variable", "set"], options: BODY, word: 2, ..SETS },
    Sets { programs: &["vault", "bao"], path: &["kv", "put"], pairs: true, ..SETS },
    Sets { programs: &["vault", "bao"], path: &["kv", "patch"], pairs: true, ..SETS },
    Sets { programs: &["vault", "bao"], path: &["write"], pairs: true, ..SETS },
    Sets { programs: &["consul"], path: &["kv", "put"], word: 2, ..SETS },
    Sets { programs: &["nomad"], path: &["var", "put"], pairs: true, ..SETS },
    Sets { programs: &["aws"], path: &["secretsmanager"], options: &["--secret-string", "--secret-binary"], ..SETS },
    Sets { programs: &["aws"], path: &["ssm", "put-parameter"], options: &["--value"], ..SETS },
    Sets { programs: &["gcloud"], path: &["secrets"], ..SETS },
    Sets { programs: &["az"], path: &["keyvault", "secret", "set"], options: &["--value"], ..SETS },
    Sets { programs: &["az"], path: &["webapp", "config", "appsettings", "set"], pairs: true, ..SETS },
    Sets { programs: &["az"], path: &["functionapp", "config", "appsettings", "set"], pairs: true, ..SETS },
    Sets { programs: &["heroku"], path: &["config:set"], pairs: true, ..SETS },
    Sets { programs: &["heroku"], path: &["config:add"], pairs: true, ..SETS },
    Sets { programs: &["fly", "flyctl"], path: &["secrets"], pairs: true, ..SETS },
    Sets { programs: &["vercel"], path: &["env", "add"], ..SETS },
    Sets { programs: &["vercel"], path: &["secrets", "add"], word: 2, ..SETS },
    Sets { programs: &["netlify"], path: &["env:set"], word: 2, ..SETS },
    Sets { programs: &["railway"], path: &["variables"], options: &["--set"], pairs: true, ..SETS },
    Sets { programs: &["wrangler"], path: &["secret"], ..SETS },
    Sets { programs: &["doppler"], path: &["secrets", "set"], pairs: true, word: 2, ..SETS },
    Sets { programs: &["infisical"], path: &["secrets", "set"], pairs: true, ..SETS },
    Sets { programs: &["supabase"], path: &["secrets", "set"], pairs: true, ..SETS },
    Sets { programs: &["firebase"], path: &["functions:config:set"], pairs: true, ..SETS },
    Sets { programs: &["chamber"], path: &["write"], word: 3, ..SETS },
    Sets { programs: &["op"], path: &["item", "create"], pairs: true, ..SETS },
    Sets { programs: &["op"], path: &["item", "edit"], pairs: true, ..SETS },
    Sets { programs: &["bws"], path: &["secret", "create"], word: 2, ..SETS },
    Sets { programs: &["kubectl", "oc", "k3s"], path: &["create", "secret"], options: &["--docker-password"], ..SETS },
    Sets { programs: &["kubectl", "oc"], path: &["set", "env"], pairs: true, ..SETS },
    Sets { programs: &["docker", "podman"], path: &["secret", "create"], ..SETS },
    Sets {
        programs: &["docker", "podman", "helm", "skopeo", "buildah"],
        path: &["login"],
        options: &["-p", "--password"],
        ..SETS
    },
    Sets { programs: &["helm"], path: &["install"], options: &["--set-string"], ..SETS },
    Sets { programs: &["npm", "pnpm", "yarn"], path: &["config", "set"], word: 2, pairs: true, ..SETS },
    Sets { programs: &["npm", "pnpm"], path: &["login"], options: &["--otp"], ..SETS },
    Sets { programs: &["pass", "gopass"], path: &["insert"], ..SETS },
    Sets { programs: &["secret-tool"], path: &["store"], ..SETS },
    Sets { programs: &["security"], path: &["add-generic-password"], options: &["-w"], ..SETS },
    Sets { programs: &["security"], path: &["add-internet-password"], options: &["-w"], ..SETS },
    Sets { programs: &["cargo"], path: &["login"], word: 1, ..SETS },
    Sets { programs: &["twine"], path: &["upload"], options: &["-p", "--password"], ..SETS },
    Sets { programs: &["gh"], path: &["auth", "login"], ..SETS },
    Sets { programs: &["chpasswd"], ..SETS },
    Sets {
        programs: &["keytool", "jarsigner"],
        options: &["-storepass", "-keypass", "-srcstorepass", "-deststorepass", "-srckeypass", "-destkeypass", "-new"],
        ..SETS
    },
    Sets { programs: &["ansible-vault"], path: &["encrypt_string"], word: 1, ..SETS },
    Sets {
        programs: &["rclone"],
        path: &["config"],
        options: &["access_key_id", "client_secret", "key", "pass", "password", "secret_access_key", "token"],
        ..SETS
    },
    Sets { programs: &["dotnet"], path: &["nuget"], options: &["-k", "--api-key", "-p", "--password"], ..SETS },
    Sets { programs: &["nuget"], path: &["setapikey"], word: 1, ..SETS },
    Sets { programs: &["doctl"], path: &["auth", "init"], options: &["-t", "--access-token"], ..SETS },
    Sets { programs: &["ngrok"], path: &["authtoken"], word: 1, ..SETS },
    Sets { programs: &["ngrok"], path: &["config", "add-authtoken"], word: 1, ..SETS },
    Sets { programs: &["gem"], path: &["push"], options: &["--otp", "--key"], ..SETS },
];

/// The lengths of the programs by their letter at one place, a bit each. Most words of a text are ruled out by it, which every byte of a
/// long one pays for.
#[expect(clippy::indexing_slicing, reason = "it is computed while compiling")]
const fn lengths(letter: usize) -> [u16; 256] {
    let mut lengths = [0; 256];
    let mut row = 0;
    while row < TABLE.len() {
        let programs = TABLE[row].programs;
        let mut at = 0;
        while at < programs.len() {
            let program = programs[at].as_bytes();
            lengths[program[letter] as usize] |= 1 << program.len();
            at += 1;
        }
        row += 1;
    }
    lengths
}

static FIRST: [u16; 256] = lengths(0);
static SECOND: [u16; 256] = lengths(1);

/// Whether a word may be one of these programs.
#[inline]
pub(super) fn may_be_program(word: &[u8]) -> bool {
    let [first, second, ..] = word else { return false };
    let lengths = |table: &[u16; 256], letter: u8| table.get(usize::from(letter)).copied().unwrap_or_default();
    word.len() < 16 && (lengths(&FIRST, *first) & lengths(&SECOND, *second)) >> word.len() & 1 == 1
}

/// Whether a word is one of these programs.
fn is_program(word: &[u8]) -> bool {
    TABLE.iter().any(|sets| sets.programs.iter().any(|program| program.as_bytes() == word))
}

impl Scan<'_> {
    /// Looks behind a program for the words that make it one of these commands; the options and pairs that follow are secrets then.
    #[inline(never)]
    pub(super) fn look_for_sets(&mut self, word: &[u8], end: usize) {
        if !is_program(word) {
            return;
        }
        let (words, _) = self.words_behind(end);
        let Some((sets, at)) = self.sets_of(word, &words) else { return };
        self.tool = Tool::Sets(sets);
        let mut plain = words.iter().skip(at).filter(|word| self.byte(word.from) != b'-');
        if let Some(secret) = sets.word.checked_sub(1).and_then(|nth| plain.nth(nth))
            && (sets.programs != ["npm", "pnpm", "yarn"] || self.follows_secret_name(secret, &words))
        {
            self.ahead = *secret;
        }
    }

    /// Whether the word before this one is called like a secret: a package manager's other settings are none.
    fn follows_secret_name(&self, secret: &Value, words: &[Value]) -> bool {
        let before = words.iter().take_while(|word| word.from < secret.from).last();
        before.is_some_and(|word| {
            let name = self.slice(word.from, word.to).to_ascii_lowercase();
            [b"auth".as_slice(), b"token", b"pass", b"secret"]
                .iter()
                .any(|part| name.windows(part.len()).any(|w| w == *part))
        })
    }

    /// The command that these words make, and how many of them it takes.
    fn sets_of(&self, program: &[u8], words: &[Value]) -> Option<(&'static Sets, usize)> {
        TABLE.iter().filter(|sets| sets.programs.iter().any(|known| known.as_bytes() == program)).find_map(|sets| {
            let mut at = 0;
            for part in sets.path {
                let rest = words.get(at..)?;
                // Options of the program itself may stand in front.
                at += rest.iter().take(6).position(|word| self.slice(word.from, word.to) == part.as_bytes())? + 1;
            }
            Some((sets, at))
        })
    }

    /// Whether these words are a command that stores what it reads.
    pub(super) fn stores(&self, words: &[Value]) -> bool {
        words
            .split_first()
            .is_some_and(|(program, rest)| self.sets_of(self.slice(program.from, program.to), rest).is_some())
    }

    /// A secret at an option of such a command, or at a pair; returns where to go on.
    pub(super) fn set_here(&mut self, sets: &Sets, start: usize, end: usize) -> Option<usize> {
        let word = self.slice(start, end);
        let is_named = sets.options.iter().any(|option| option.as_bytes() == word);
        let is_option = word.first() == Some(&b'-');
        let from = if is_named || is_option {
            if !is_named {
                return None;
            }
            let blanks = self.skip_blanks(end);
            match self.byte(end) {
                b'=' => end + 1,
                _ if blanks > end && self.byte(blanks) != b'-' => blanks,
                _ => return None,
            }
        } else {
            if !sets.pairs || self.byte(end) != b'=' || sets.programs == ["npm", "pnpm", "yarn"] {
                return None;
            }
            end + 1
        };
        let value = self.value(from);
        let text = self.slice(value.from, value.to);
        // A file, or standard input.
        let elsewhere = text.is_empty() || text == b"-" || text.first() == Some(&b'@') || value::is_reference(text);
        Some(if elsewhere { value.to.max(end) } else { self.hide_value(&value) })
    }
}
