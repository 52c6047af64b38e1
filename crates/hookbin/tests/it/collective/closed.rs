//! What the document's lists refuse beyond other profiles: commands (B2.1), files, and the project's own list of files (B2.2).

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::Team;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// The document refuses them.
    denied: Vec<String>,
    /// The user is asked.
    asked: Vec<String>,
    /// They run.
    spared: Vec<String>,
}

fn cases() -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/collective.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn commands_are_refused_as_the_document_lists_them() {
    let team = Team::new();
    let cases = cases();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (wanted, commands) in [(Some("deny"), &cases.denied), (Some("ask"), &cases.asked), (None, &cases.spared)] {
        for command in commands {
            assert!(seen.insert(command), "{command} stands twice");
            let decision = team.bash(command).decision();
            if decision.as_deref() != wanted {
                wrong.push(format!("wanted {wanted:?}, and got {decision:?}: {command}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a build makes again and git ignores may go; whatever else is removed beside it, may not.
#[test]
fn s2_39_a_built_dir_that_git_ignores_may_be_removed() {
    let team = Team::new();
    assert_eq!(team.bash("rm -rf dist").decision().as_deref(), Some("deny"));
    team.sandbox.write(".gitignore", "node_modules/\n/dist\n**/coverage/\nsrc\n");
    for (command, wanted) in [
        ("rm -rf dist", None),
        ("rm -rf dist/ && npm run build", None),
        ("rm -rf node_modules packages/a/node_modules packages/a/coverage", None),
        ("rm -rf packages/a/dist", Some("deny")),
        ("rm -rf dist src", Some("deny")),
        ("rm -rf src", Some("deny")),
        ("rm -rf build", Some("deny")),
        ("rm -rf dist/..", Some("deny")),
        ("rm -rf ../other/node_modules", Some("deny")),
    ] {
        assert_eq!(team.bash(command).decision().as_deref(), wanted, "{command}");
    }
    team.sandbox.write(".gitignore", "dist/\n!dist/keep\n");
    assert_eq!(team.bash("rm -rf dist").decision().as_deref(), Some("deny"));
}

fn reads(team: &Team, file: &str) -> Option<String> {
    let input = json!({"file_path": team.sandbox.path(file)});
    team.event("PreToolUse", &json!({"tool_name": "Read", "tool_input": input, "tool_use_id": "t"})).decision()
}

#[test]
fn s2_46_certificates_hosts_and_backups_of_settings_stay_closed_to_reading() {
    let team = Team::new();
    for file in [
        "tls/server.crt", "TLS/SERVER.KEY", ".ssh/known_hosts", ".ssh/authorized_keys",
        "web/sites/development.services.yml", "web/sites/default/settings.local.php",
        "web/sites/default/prod.settings.php", "settings_backup.txt", ".env.test",
    ] {
        assert_eq!(reads(&team, file).as_deref(), Some("deny"), "{file}");
    }
    for file in
        ["web/sites/services.yml", "src/certificate.rs", "docs/settings.md", "web/sites/default/default.settings.php"]
    {
        assert_eq!(reads(&team, file), None, "{file}");
    }
}

#[test]
fn s2_48_the_projects_own_list_closes_and_opens_files() {
    let team = Team::new();
    let list = json!({
        "patterns": {
            "custom_patterns": ["# customers", "customers/.*\\.csv$", "[broken", ""],
            "environment_files": ["\\.flags$"],
        },
        "warnings_only": ["token"],
        "allowlist": ["fixtures/.*\\.key$", "# nothing"],
    });
    team.sandbox.write(".claude/sensitive-files.json", &list.to_string());
    for file in ["data/customers/2026.csv", "app.flags", "a[broken.txt", "server.key"] {
        assert_eq!(reads(&team, file).as_deref(), Some("deny"), "{file}");
    }
    for file in ["data/customers/README.md", "fixtures/server.key", "src/token.rs", "src/main.rs"] {
        assert_eq!(reads(&team, file), None, "{file}");
    }
    // The list is the user's: an agent that could change it would open what it likes.
    assert_eq!(team.bash("echo '{}' > .claude/sensitive-files.json").decision().as_deref(), Some("deny"));
    assert_eq!(reads(&team, ".claude/sensitive-files.json"), None);
    // A list that cannot be read opens nothing.
    team.sandbox.write(".claude/sensitive-files.json", "{ \"allowlist\": [\".*\"");
    assert_eq!(reads(&team, "server.key").as_deref(), Some("deny"));
}
