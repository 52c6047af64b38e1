//! Mocks in test code: whether a text mocks something, and whether that is the project's own code or its boundary.

use super::lex::{Token, syntax, tokens};

/// What a text mocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mocks {
    /// Nothing that is recognised.
    None,
    /// Only what lies outside the project: the network, files, databases, services.
    Boundary,
    /// Code of the project, or something that cannot be told from it; in words for a message.
    Internal(String),
}

/// Modules behind which the outside begins, for Python: whole parts of a dotted name.
const PYTHON_OUTSIDE: &[&str] = &[
    "requests", "httpx", "redis", "sqlalchemy", "http.client", "smtplib", "socket", "subprocess", "os.environ",
    "boto3", "botocore", "aiohttp", "httplib2", "pymongo", "sqlite3", "psutil", "paramiko", "ftplib", "urllib",
    "urllib2", "urllib3", "psycopg", "psycopg2", "psycopg3", "mysql", "responses", "httpretty", "testcontainers",
];

/// The interpreter's own side of the boundary: files, clock, chance, the process. Whole parts of a dotted name.
const PYTHON_SYSTEM: &[&str] = &[
    "builtins", "os", "sys", "time", "datetime", "random", "shutil", "getpass", "platform", "signal", "logging", "uuid",
];

/// Packages behind which the outside begins, for JavaScript and TypeScript; a scope ends with a slash.
const PACKAGES_OUTSIDE: &[&str] = &[
    "axios", "node-fetch", "cross-fetch", "undici", "http", "https", "fs", "net", "dns", "pg", "child_process",
    "nodemailer", "ioredis", "redis", "mysql", "mysql2", "mongodb", "aws-sdk", "@aws-sdk/", "googleapis", "stripe",
    "twilio", "nock", "msw", "testcontainers", "@testcontainers/",
];

/// Objects of the environment that code of JavaScript finds without importing them.
const GLOBALS: &[&str] = &[
    "console", "process", "Date", "Math", "global", "globalThis", "window", "document", "navigator", "performance",
    "localStorage", "sessionStorage", "fetch", "crypto",
];

/// Finds the mocks of a text that goes into a file with this extension.
pub fn find(text: &str, extension: &str) -> Mocks {
    let Some(syntax) = syntax(extension) else { return Mocks::None };
    let look: fn(&[Token<'_>]) -> Seen = match extension {
        "py" => python,
        "ts" | "tsx" | "js" | "jsx" => javascript,
        "go" => go,
        _ => return Mocks::None,
    };
    look(&tokens(text, &syntax)).judged()
}

/// What was seen on the way through a text.
#[derive(Default)]
struct Seen {
    /// The first sign of a mock, for messages.
    sign: Option<String>,
    /// A target of the project.
    inside: Option<String>,
    /// There is a target, and it lies outside.
    outside: bool,
}

impl Seen {
    fn sign(&mut self, word: &str) {
        self.sign.get_or_insert_with(|| word.to_owned());
    }

    /// Notes what a mock replaces. A target that cannot be read counts as the project's.
    fn target(&mut self, word: &str, target: Option<&str>, outside: fn(&str) -> bool) {
        self.sign(word);
        match target {
            Some(target) if outside(target) => self.outside = true,
            Some(target) => drop(self.inside.get_or_insert_with(|| format!("{word}({target})"))),
            None => drop(self.inside.get_or_insert_with(|| word.to_owned())),
        }
    }

    /// Internal unless every target that was named lies outside.
    fn judged(self) -> Mocks {
        match (self.inside, self.outside, self.sign) {
            (Some(what), _, _) | (None, false, Some(what)) => Mocks::Internal(what),
            (None, true, _) => Mocks::Boundary,
            (None, false, None) => Mocks::None,
        }
    }
}

/// The first argument of a call whose bracket stands at `open`, if it is a text or a name.
fn first_argument<'t>(tokens: &[Token<'t>], open: usize) -> Option<&'t str> {
    if !matches!(tokens.get(open), Some(Token::Sign('('))) {
        return None;
    }
    let mut at = open + 1;
    while matches!(tokens.get(at), Some(Token::Line | Token::Comment(_))) {
        at += 1;
    }
    match (tokens.get(at), tokens.get(at + 1)) {
        (Some(Token::Text(text)), _) => Some(text),
        // Prefixes of texts: `r"…"`, and `import("…")`.
        (Some(Token::Word(prefix)), Some(Token::Text(text))) if prefix.len() <= 2 => Some(text),
        (Some(Token::Word("import" | "require")), Some(Token::Sign('('))) => match tokens.get(at + 2) {
            Some(Token::Text(text)) => Some(text),
            _ => None,
        },
        (Some(Token::Word(name)), Some(Token::Sign(',' | ')'))) => Some(name),
        _ => None,
    }
}

fn last_part(word: &str) -> &str {
    word.rsplit('.').next().unwrap_or(word)
}

fn python(tokens: &[Token<'_>]) -> Seen {
    let mut seen = Seen::default();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let next = tokens.get(at + 1);
        match (*word, next) {
            ("from" | "import", Some(Token::Word(module))) if matches!(*module, "unittest.mock" | "mock") => {
                seen.sign(module);
            }
            ("from", Some(Token::Word("unittest"))) if statement_names(tokens, at, "mock") => {
                seen.sign("unittest.mock");
            }
            _ => {}
        }
        let name = word.trim_start_matches('@');
        if matches!(last_part(name), "MagicMock" | "AsyncMock") {
            seen.sign(name);
        }
        if let Some(what) = patches(name, word.starts_with('@'), seen.sign.is_some()) {
            let open = at + 1;
            if matches!(next, Some(Token::Sign('('))) {
                seen.target(what, first_argument(tokens, open), python_outside);
            }
        }
    }
    seen
}

/// Whether the rest of the statement names `wanted`.
fn statement_names(tokens: &[Token<'_>], at: usize, wanted: &str) -> bool {
    let statement = tokens.iter().skip(at).take_while(|token| !matches!(token, Token::Line | Token::Sign(';')));
    statement.take(32).any(|token| matches!(token, Token::Word(word) if *word == wanted))
}

/// `patch`, `mock.patch.object`, `mocker.patch`, …; a `client.patch` is a request. A bare name means it as a decorator, or once the
/// text has named the library.
fn patches(name: &str, decorator: bool, known: bool) -> Option<&'static str> {
    let base =
        ["object", "dict", "multiple"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix('.')).unwrap_or(name);
    match base.rsplit_once('.') {
        None => (base == "patch" && (decorator || known || base != name)).then_some("patch"),
        Some((owner, "patch")) => {
            let owner = last_part(owner);
            (owner == "mock" || owner == "mocker" || owner.ends_with("_mocker")).then_some("mock.patch")
        }
        Some(_) => None,
    }
}

fn python_outside(target: &str) -> bool {
    let framed = format!(".{target}.");
    PYTHON_OUTSIDE.iter().chain(PYTHON_SYSTEM).any(|name| framed.contains(&format!(".{name}.")))
}

fn javascript(tokens: &[Token<'_>]) -> Seen {
    let mut seen = Seen::default();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let open = behind_types(tokens, at + 1);
        let calls = matches!(tokens.get(open), Some(Token::Sign('(')));
        match *word {
            "jest.mock"
            | "vi.mock"
            | "jest.doMock"
            | "vi.doMock"
            | "jest.unstable_mockModule"
            | "sinon.stub"
            | "sinon.mock"
                if calls =>
            {
                seen.target(word, first_argument(tokens, open), package_outside);
            }
            // A spy only watches, until it is told what to answer.
            "jest.spyOn" | "vi.spyOn" if calls && answers(tokens, open) => {
                seen.target(word, first_argument(tokens, open), package_outside);
            }
            _ => {
                let part = last_part(word).trim_end_matches("Once");
                if matches!(part, "mockImplementation" | "mockReturnValue" | "mockResolvedValue" | "mockRejectedValue")
                {
                    seen.sign(part);
                }
            }
        }
    }
    seen
}

/// Whether `.mock…` follows the call whose bracket stands at `open`.
fn answers(tokens: &[Token<'_>], open: usize) -> bool {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open).take(64) {
        match token {
            Token::Sign('(') => depth += 1,
            Token::Sign(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let mut rest = tokens.iter().skip(at + 1).filter(|token| !matches!(token, Token::Line | Token::Comment(_)));
            return rest.next() == Some(&Token::Sign('.'))
                && matches!(rest.next(), Some(Token::Word(word)) if word.starts_with("mock"));
        }
    }
    false
}

/// The place behind type arguments: `jest.mock<typeof import("./a")>(`.
fn behind_types(tokens: &[Token<'_>], at: usize) -> usize {
    if !matches!(tokens.get(at), Some(Token::Sign('<'))) {
        return at;
    }
    let close = tokens.iter().skip(at).take(32).position(|token| matches!(token, Token::Sign('>')));
    close.map_or(at, |close| at + close + 1)
}

/// Whether a module or an object is one of the packages. A relative path is the project's, whatever its name.
fn package_outside(target: &str) -> bool {
    let target = target.strip_prefix("node:").unwrap_or(target);
    if target.starts_with(['.', '/']) {
        return false;
    }
    if GLOBALS.contains(&target.split('.').next().unwrap_or(target)) {
        return true;
    }
    PACKAGES_OUTSIDE.iter().any(|package| match package.strip_suffix('/') {
        Some(_) => target.starts_with(package),
        None => target.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.'])),
    })
}

fn go(tokens: &[Token<'_>]) -> Seen {
    let mut seen = Seen::default();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) if *word == "gomock" || word.starts_with("gomock.") => seen.sign(word),
            Token::Word(word)
                if last_part(word) == "EXPECT" && matches!(tokens.get(at + 1), Some(Token::Sign('('))) =>
            {
                seen.sign("EXPECT()");
            }
            Token::Text(path) if path.ends_with("/gomock") => seen.sign("gomock"),
            Token::Text(path) if path.ends_with("/testify/mock") => seen.sign("testify/mock"),
            // A directive is an instruction to a tool, though it is spelled as a comment.
            Token::Comment(text) if text.starts_with("//go:generate") && text.contains("mockgen") => {
                seen.sign("mockgen");
            }
            _ => {}
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_internal(extension: &str, text: &str) -> bool {
        matches!(find(text, extension), Mocks::Internal(_))
    }

    #[test]
    fn s1_60_python_mocks_are_recognised() {
        for text in [
            "from unittest.mock import patch\n",
            "import unittest.mock as um\n",
            "from unittest import mock\n",
            "from unittest import TestCase, mock\n",
            "m = MagicMock()\n",
            "@patch('shop.cart.total')\ndef test(t): ...\n",
            "with mock.patch(\n    \"shop.cart.total\"\n): ...\n",
            "def test(mocker):\n    mocker.patch('shop.cart.total')\n",
            "@mock.patch.object(Cart, 'total')\ndef t(x): ...\n",
            "@patch(TARGET)\ndef t(x): ...\n",
        ] {
            assert!(is_internal("py", text), "{text}");
        }
        for text in [
            "def test_x():\n    assert total([1]) == 1\n",
            "# from unittest.mock import patch, MagicMock\n",
            "s = \"from unittest.mock import patch\"\n",
            "'''\n@patch('shop.cart')\n'''\n",
            "client.patch('/cart/1', json={})\n",
            "git.patch('x')\nmocking_bird = 1\n",
        ] {
            assert_eq!(find(text, "py"), Mocks::None, "{text}");
        }
    }

    #[test]
    fn s1_61_javascript_mocks_are_recognised() {
        for text in [
            "jest.mock('../cart');",
            "vi.mock(`./cart`, () => ({}));",
            "vi.mock(import('./cart'))",
            "jest.mock<typeof import('./cart')>('./cart')",
            "const f = jest.fn().mockReturnValue(1);",
            "total.mockImplementation(() => 1)",
            "total.mockResolvedValueOnce(1)",
            "sinon.stub(cart, 'total')",
            "jest.spyOn(cart, 'total')\n  .mockReturnValue(1)",
            "const m = sinon.mock(cart);",
            "jest.mock('axios'); jest.mock('./axios');",
        ] {
            for extension in ["js", "tsx"] {
                assert!(is_internal(extension, text), "{text}");
            }
        }
        for text in [
            "const s = \"jest.mock('./cart')\";",
            "// jest.mock('./cart')\ntest('x', () => {});",
            "/* vi.mock('./a') */",
        ] {
            assert_eq!(find(text, "ts"), Mocks::None, "{text}");
        }
    }

    #[test]
    fn s1_62_go_mocks_are_recognised() {
        for text in [
            "import \"go.uber.org/mock/gomock\"\n", "ctrl := gomock.NewController(t)\n",
            "//go:generate mockgen -source=a.go\n", "m.EXPECT().Get(1)\n",
        ] {
            assert!(is_internal("go", text), "{text}");
        }
        for text in ["// gomock would be easier\n", "s := \"gomock.NewController\"\n", "func TestA(t *testing.T) {}\n"]
        {
            assert_eq!(find(text, "go"), Mocks::None, "{text}");
        }
    }

    #[test]
    fn s1_63_mocks_of_the_boundary_are_told_apart() {
        for name in [
            "requests.get", "httpx.Client", "redis.Redis", "sqlalchemy.create_engine", "boto3.client",
            "shop.api.requests.get",
        ] {
            assert_eq!(find(&format!("@patch('{name}')\ndef t(x): ...\n"), "py"), Mocks::Boundary, "{name}");
        }
        for name in ["shop.requests_helper.get", "shop.cart", "shop.redistribute.x"] {
            assert!(is_internal("py", &format!("@patch('{name}')\n")), "{name}");
        }
        for name in
            ["axios", "node-fetch", "pg", "mongodb", "aws-sdk", "@aws-sdk/client-s3", "node:fs", "fs/promises", "redis"]
        {
            assert_eq!(find(&format!("jest.mock('{name}');"), "js"), Mocks::Boundary, "{name}");
        }
        assert_eq!(find("sinon.stub(axios, 'get')", "js"), Mocks::Boundary);
        assert_eq!(find("jest.spyOn(console, 'error').mockImplementation(() => {})", "js"), Mocks::Boundary);
        assert_eq!(find("jest.spyOn(cart, 'total'); expect(cart.total).toBeCalled()", "js"), Mocks::None);
        assert_eq!(find("@patch('shop.cart.time.sleep')\n@patch('builtins.open')\n", "py"), Mocks::Boundary);
        assert_eq!(find("patch.dict(os.environ, {})", "py"), Mocks::Boundary);
        // Libraries that stand in for the other side of the boundary replace nothing of the project.
        for (extension, text) in [
            ("py", "import httpretty\n@httpretty.activate\ndef t(): ...\n"),
            ("py", "import responses\n@responses.activate\ndef t(): ...\n"),
            ("py", "def t(httpx_mock):\n    httpx_mock.add_response(json={})\n"),
            ("js", "nock('https://a').get('/').reply(200)"),
            ("ts", "import { setupServer } from 'msw/node'"),
            ("ts", "import { GenericContainer } from 'testcontainers'"),
        ] {
            assert_eq!(find(text, extension), Mocks::None, "{text}");
        }
        assert!(is_internal("py", "@patch('requests.get')\n@patch('shop.cart.total')\n"));
    }
}
