//! What sessions changed bars the project's programs until the user has looked, and so does what definitions name.

use serde_json::json;

use super::{SYSTEM, linted, payload, starts, trust_again, wrote};
use crate::sandbox::Sandbox;

const ENV: &[(&str, &str)] = &[("PATH", SYSTEM)];

/// Whether the linter runs at a write.
fn ran(sandbox: &Sandbox, session: &str) -> bool {
    let before = std::fs::read_to_string(sandbox.path("ran")).unwrap_or_default();
    wrote(sandbox, session, "a.py", "# Sums.\n", ENV);
    std::fs::read_to_string(sandbox.path("ran")).unwrap_or_default() != before
}

fn ends(sandbox: &Sandbox, session: &str) {
    sandbox.hook_with(&["SessionEnd"], &payload(session, "SessionEnd", &json!({"reason": "other"})), ENV);
}

/// Which session looks does not matter, since nobody can tell who started it.
#[test]
fn a_session_that_begins_is_nobody_who_has_looked() {
    let nested = [("PATH", SYSTEM), ("CLAUDECODE", "1"), ("CLAUDE_CODE_CHILD_SESSION", "1")];
    for path in ["tests/conftest.py", ".venv/lib/python3.12/site-packages/deep/x.py"] {
        for by_tool in [true, false] {
            for over in [true, false] {
                for env in [ENV, &nested] {
                    let sandbox = linted();
                    starts(&sandbox, "s1", ENV);
                    if by_tool {
                        wrote(&sandbox, "s1", path, "import os\n", ENV);
                    } else if path.starts_with("tests") {
                        sandbox.write(path, "import os\n");
                    } else {
                        continue;
                    }
                    if over {
                        ends(&sandbox, "s1");
                    }
                    starts(&sandbox, "s2", env);
                    assert!(!ran(&sandbox, "s2"), "{path} {by_tool} {over}");
                    ends(&sandbox, "s2");
                    starts(&sandbox, "s3", env);
                    assert!(!ran(&sandbox, "s3"), "{path} {by_tool} {over}");
                    trust_again(&sandbox);
                    assert!(ran(&sandbox, "s3"), "{path} {by_tool} {over}: the user has looked");
                }
            }
        }
    }
}

#[test]
fn what_the_person_changes_between_sessions_bars_nothing() {
    let sandbox = linted();
    starts(&sandbox, "s1", ENV);
    wrote(&sandbox, "s1", "a.py", "# Sums.\n", ENV);
    ends(&sandbox, "s1");
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("pyproject.toml", "[tool.ruff]\n");
    std::thread::sleep(std::time::Duration::from_millis(20));
    starts(&sandbox, "s2", ENV);
    assert!(ran(&sandbox, "s2"));
}

/// Further writes push nothing out of what is remembered.
#[test]
fn no_number_of_further_writes_lifts_the_bar() {
    let sandbox = linted();
    starts(&sandbox, "s1", ENV);
    assert!(ran(&sandbox, "s1"));
    wrote(&sandbox, "s1", "node_modules/other/lib/api.js", "evil\n", ENV);
    assert!(!ran(&sandbox, "s1"));
    for number in 0..205 {
        wrote(&sandbox, "s1", &format!("src/f{number}.txt"), "x\n", ENV);
    }
    assert!(!ran(&sandbox, "s1"));
    // Nor do more of the same kind than are remembered one by one.
    for number in 0..510 {
        wrote(&sandbox, "s1", &format!("node_modules/n{number}/a.js"), "x\n", ENV);
    }
    assert!(!ran(&sandbox, "s1"));
    trust_again(&sandbox);
    assert!(ran(&sandbox, "s1"));
}

#[test]
fn what_is_known_of_sessions_lies_with_the_person_and_bars_where_it_cannot_be_read() {
    let sandbox = linted();
    starts(&sandbox, "s1", ENV);
    wrote(&sandbox, "s1", ".venv/lib/python3.12/site-packages/deep/x.py", "import os\n", ENV);
    std::fs::remove_dir_all(sandbox.path(".claude/hookbin/state")).unwrap();
    starts(&sandbox, "s2", ENV);
    assert!(!ran(&sandbox, "s2"));
    let dir = sandbox.home().join(".local/state/hookbin/redefined");
    let file = std::fs::read_dir(dir).unwrap().next().unwrap().unwrap().path();
    std::fs::write(file, "{").unwrap();
    assert!(!ran(&sandbox, "s2"));
}

/// Definitions, the file that each names, and whether that file may change.
const NAMED: &[(&str, &str, &str, bool)] = &[
    ("eslint.config.js", "import r from \"./rules/my.js\";\nexport default [r];\n", "rules/my.js", false),
    (".eslintrc.js", "module.exports = {plugins: [require('./tools/x')]};\n", "tools/x.js", false),
    (".eslintrc.json", "{\"extends\": [\"./cfg/base.js\"]}\n", "cfg/base.js", false),
    (".eslintrc.yml", "extends:\n  - ./cfg/base.js\n", "cfg/base.js", false),
    ("package.json", "{\"eslintConfig\": {\"extends\": \"./cfg/base.js\"}}", "cfg/base.js", false),
    ("package.json", "{\"eslintConfig\": {\"parser\": \"./cfg/parser.js\"}}", "cfg/parser.js", false),
    ("package.json", "{\"devDependencies\": {\"eslint\": \"file:./tools/eslint\"}}", "tools/eslint/bin/x.js", false),
    ("package.json", "{\"scripts\": {\"test\": \"node scripts/t.js\"}}", "scripts/t.js", false),
    ("package.json", "{\"scripts\": {\"test\": \"./t.sh && true\"}}", "t.sh", false),
    ("package.json", "{\"scripts\": {\"pretest\": \"node p.js\", \"test\": \"jest\"}}", "p.js", false),
    ("package.json", "{\"scripts\": {\"lint\": \"eslint --rulesdir rules src\"}}", "rules/my.js", false),
    ("package.json", "{\"scripts\": {\"lint\": \"eslint --rulesdir=rules src\"}}", "rules/my.js", false),
    ("package.json", "{\"scripts\": {\"test\": \"mocha -r ./setup.js\"}}", "setup.js", false),
    ("package.json", "{\"jest\": {\"globalSetup\": \"<rootDir>/g.js\"}}", "g.js", false),
    ("jest.config.js", "module.exports = {globalSetup: './g.js'};\n", "g.js", false),
    ("vitest.config.ts", "export default {test: {setupFiles: ['./setup/v.ts']}};\n", "setup/v.ts", false),
    ("biome.json", "{\"plugins\": [\"./p.grit\"]}\n", "p.grit", false),
    (".flake8", "[flake8:local-plugins]\nextension =\n  X1 = plugins.x:Plugin\n", "plugins/x.py", false),
    ("mypy.ini", "[mypy]\nplugins = ./plugins/m.py\n", "plugins/m.py", false),
    ("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\naddopts = \"-p plugins.x\"\n", "plugins/x.py", false),
    ("conftest.py", "pytest_plugins = [\"plugins.x\"]\n", "plugins/x.py", false),
    ("tox.ini", "[testenv]\ncommands = python tools/t.py\n", "tools/t.py", false),
    ("Makefile", "test:\n\t./run.sh\n", "run.sh", false),
    ("Makefile", "test:\n\t@sh scripts/run.sh\n", "scripts/run.sh", false),
    ("Makefile", "include make/common\n", "make/common", false),
    ("justfile", "test:\n  python3 tools/t.py\n", "tools/t.py", false),
    ("Cargo.toml", "[package]\nname = \"a\"\nbuild = \"tools/gen.rs\"\n", "tools/gen.rs", false),
    ("macros/Cargo.toml", "[package]\nname = \"m\"\n[lib]\nproc-macro = true\n", "macros/src/deep/a.rs", false),
    ("Cargo.toml", "[build-dependencies]\ngen = { path = \"gen\" }\n", "gen/src/lib.rs", false),
    // What is worked on is named as well, and changes all the time.
    ("package.json", "{\"main\": \"src/index.js\", \"bin\": \"./src/cli.js\"}", "src/index.js", true),
    ("package.json", "{\"main\": \"./src/index.js\", \"exports\": {\".\": \"./src/index.js\"}}", "src/index.js", true),
    (
        "package.json",
        "{\"scripts\": {\"start\": \"node src/index.js\", \"dev:x\": \"node src/index.js\"}}",
        "src/index.js",
        true,
    ),
    (
        "package.json",
        "{\"scripts\": {\"lint\": \"eslint src/index.js\", \"test\": \"node --test test/a.js\"}}",
        "src/index.js",
        true,
    ),
    ("package.json", "{\"scripts\": {\"test\": \"node --test test/a.js\"}}", "test/a.js", true),
    ("package.json", "{\"dependencies\": {\"ui\": \"file:./packages/ui\"}}", "packages/ui/a.js", true),
    ("webpack.config.js", "module.exports = {entry: './src/index.js'};\n", "src/index.js", true),
    ("tsconfig.json", "{\"files\": [\"./src/index.ts\"]}", "src/index.ts", true),
    ("Cargo.toml", "[package]\nname = \"a\"\n[lib]\npath = \"src/lib.rs\"\n", "src/lib.rs", true),
    ("Cargo.toml", "[dependencies]\na = { path = \"crates/a\" }\n", "crates/a/src/lib.rs", true),
    ("Makefile", "a.out: src/a.c src/b.c\n\tcc -o a.out src/a.c src/b.c\n", "src/b.c", true),
    ("pyproject.toml", "[tool.ruff]\n[project.scripts]\na = \"pkg.main:main\"\n", "pkg/main.py", true),
    ("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", "tests/test_a.py", true),
    ("eslint.config.js", "export default [{files: ['./src/a.js'], rules: {}}];\n", "src/a.js", true),
    ("eslint.config.js", "import a from \"other\";\nexport default [a];\n", "other/index.js", true),
];

#[test]
fn what_a_definition_names_bars_as_the_definition_does_and_the_code_that_is_worked_on_does_not() {
    for (definition, text, named, may_change) in NAMED {
        let sandbox = linted();
        sandbox.write(definition, text);
        sandbox.write(named, "");
        std::thread::sleep(std::time::Duration::from_millis(20));
        starts(&sandbox, "s1", ENV);
        assert!(ran(&sandbox, "s1"), "{definition}: {text}");
        sandbox.write(named, "x\n");
        assert_eq!(ran(&sandbox, "s1"), *may_change, "{definition}: {text}");
    }
}

/// What such a file loads in turn is loaded as well.
#[test]
fn what_a_named_file_loads_bars_as_well() {
    let sandbox = linted();
    sandbox.write("eslint.config.js", "import r from \"./rules/my.js\";\nexport default [r];\n");
    sandbox.write("rules/my.js", "import h from '../lib/helper';\nconst text = './src/a.js';\n");
    sandbox.write("lib/helper.js", "");
    sandbox.write("rules/src/a.js", "");
    std::thread::sleep(std::time::Duration::from_millis(20));
    starts(&sandbox, "s1", ENV);
    sandbox.write("rules/src/a.js", "x\n");
    assert!(ran(&sandbox, "s1"));
    sandbox.write("lib/helper.js", "x\n");
    assert!(!ran(&sandbox, "s1"));
}

/// Trust is of a directory, and a commit elsewhere starts nothing for the trust in this one.
#[test]
fn it_is_said_where_no_tests_start_in_another_repository() {
    let sandbox = Sandbox::with_profile("guardrails");
    let other = sandbox.home().join("other");
    for dir in [sandbox.project(), other.clone()] {
        std::fs::create_dir_all(dir.join("tests")).unwrap();
        std::fs::write(dir.join("pyproject.toml"), "[tool.pytest.ini_options]\n").unwrap();
        std::fs::write(dir.join("tests/test_a.py"), "def test_a(): pass\n").unwrap();
        sandbox.git(&dir, &["init", "-q", "-b", "main"]);
        sandbox.git(&dir, &["add", "."]);
        sandbox.git(&dir, &["commit", "-q", "-m", "first"]);
        sandbox.git(&dir, &["checkout", "-q", "-b", "feature"]);
    }
    let asked = |command: &str| {
        let event = json!({
            "cwd": sandbox.project(), "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t1",
        });
        sandbox.hook_with(&["PreToolUse"], &payload("s1", "PreToolUse", &event), ENV).reason()
    };
    let said = asked(&format!("git -C {} commit -m a", other.display()));
    assert!(said.contains("are not trusted. A user has to run `hookbin trust` there"), "{said}");
    assert!(!said.contains("started now"), "{said}");
    assert!(asked("git commit -m a").contains("The tests are started now"));
}
