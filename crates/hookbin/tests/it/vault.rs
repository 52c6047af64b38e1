//! S0's containment: the eleven phases on a small client, their undoing, and what happens when one is cut short.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, limited, run, sha256, tree};

const STATE: &str = "{\n\t\"numStartups\": 7,\n\t\"mcpServers\": {\"other\": {\"command\": \"/bin/other\"}, \"spf-smart-gate\": {\"command\": \"/old/gate\", \"args\": [\"serve\"]}},\n\t\"note\": \"naïve\"\n}";

/// A project with the profile, and a small client beside it.
pub(crate) struct Client {
    pub(crate) sandbox: Sandbox,
}

impl Client {
    pub(crate) fn new() -> Self {
        let client = Self { sandbox: Sandbox::with_profile("spf") };
        client.put(".claude.json", STATE);
        client.put("bin/gate", "#!/bin/sh\necho gate\n");
        std::fs::set_permissions(client.home("bin/gate"), PermissionsExt::from_mode(0o755)).unwrap();
        client.put("cli/cli.js", "console.log(1)\n");
        client.put("cli/node_modules/a/b.js", "b\n");
        std::os::unix::fs::symlink("cli.js", client.home("cli/claude")).unwrap();
        for (name, text) in [
            ("settings.json", "{}"),
            ("config.json", "{\"a\":1}"),
            (".credentials.json", "{\"token\":\"never-to-be-seen\"}"),
            ("stats-cache.json", "{}"),
            ("history.jsonl", "{\"display\":\"hello\"}\n"),
            ("projects/p/one.jsonl", "12345"),
            ("projects/p/two.jsonl", "678"),
            ("todos/t.json", "[]"),
            ("statsig/s", "s"),
            ("debug/big.log", "noise"),
            ("agents/unlisted.md", "not captured"),
        ] {
            client.put(&format!(".claude/{name}"), text);
        }
        client
    }

    pub(crate) fn home(&self, name: &str) -> PathBuf {
        self.sandbox.home().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.home(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The host's own state file.
    pub(crate) fn state(&self) -> String {
        std::fs::read_to_string(self.home(".claude.json")).unwrap()
    }

    /// What an interrupted run wrote under a name of its own and nobody took away.
    pub(crate) fn leftovers(&self) -> Vec<PathBuf> {
        let is_left =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".hookbin-"));
        tree(&self.sandbox.home()).into_iter().filter(is_left).collect()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.sandbox.path(name)
    }

    pub(crate) fn command(&self, more: &[&str]) -> Command {
        let (gate, cli) = (self.home("bin/gate"), self.home("cli"));
        let mut args = vec!["vault", "install", "--binary", gate.to_str().unwrap(), "--client", cli.to_str().unwrap()];
        args.extend(more);
        self.sandbox.command(&args)
    }

    pub(crate) fn install(&self, more: &[&str]) -> Ran {
        run(self.command(more), b"")
    }

    pub(crate) fn installed() -> Self {
        let client = Self::new();
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        client
    }

    fn manifest(&self) -> Value {
        self.sandbox.json("storage/lmdb5_manifest.json")
    }

    /// The manifest's entry for a virtual path.
    fn entry(&self, seen_at: &str) -> Value {
        let manifest = self.manifest();
        let entries = manifest["entries"].as_array().unwrap();
        entries.iter().find(|entry| entry["virtual"] == seen_at).cloned().unwrap_or(Value::Null)
    }

    pub(crate) fn verify(&self) -> Ran {
        self.sandbox.cli(&["vault", "verify"])
    }
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn s0_112_preflight_names_all_that_is_missing_and_makes_nothing() {
    for missing in ["bin/gate", "cli", ".claude.json", ".claude"] {
        let client = Client::new();
        std::fs::rename(client.home(missing), client.home("moved")).unwrap();
        let before = tree(&client.sandbox.project());
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(70), "{missing}: {ran:?}");
        assert!(ran.stderr.contains(&format!("{missing}) is not there")), "{ran:?}");
        assert_eq!(tree(&client.sandbox.project()), before, "{missing}");
        assert!(!client.path("storage").exists());
    }
    let client = Client::new();
    client.sandbox.write(".claude/hookbin.toml", "profile = \"standard\"\n");
    assert!(client.install(&[]).stderr.contains("no profile in force"), "a store that nothing would use");
}

#[test]
fn s0_113_the_backup_is_dated_and_leaves_debug_out() {
    let client = Client::new();
    let mut command = client.command(&["--credentials"]);
    command.env("HOOKBIN_NOW", "2026-03-01T10:20:30Z");
    assert_eq!(run(command, b"").code, Some(0));
    let backup = client.path("backup/pre-lmdb5-20260301-102030");
    assert_eq!(std::fs::read_to_string(backup.join("claude.json")).unwrap(), STATE);
    assert_eq!(std::fs::read_to_string(backup.join("claude/projects/p/one.jsonl")).unwrap(), "12345");
    assert!(backup.join("claude/.credentials.json").exists() && backup.join("claude/agents/unlisted.md").exists());
    assert!(!backup.join("claude/debug").exists());
}

#[test]
fn s0_114_programs_become_blobs() {
    let client = Client::installed();
    let hash = sha256(&client.home("bin/gate"));
    let blob = client.path("storage/blobs").join(&hash);
    assert_eq!(sha256(&blob), hash);
    assert_eq!(mode(&blob), 0o700);
    assert_eq!(
        client.entry("/home/agent/bin/spf-smart-gate"),
        json!({"virtual": "/home/agent/bin/spf-smart-gate", "real": blob, "size": "20", "type": "binary"})
    );
    let cli = client.path("storage/blobs/claude-code");
    assert_eq!(std::fs::read_to_string(cli.join("node_modules/a/b.js")).unwrap(), "b\n");
    assert_eq!(std::fs::read_link(cli.join("claude")).unwrap(), Path::new("cli.js"));
    let entry = client.entry("/home/agent/bin/claude-code");
    assert_eq!((&entry["size"], &entry["type"]), (&json!("directory"), &json!("binary")));
}

#[test]
fn s0_115_configurations_are_staged() {
    let client = Client::installed();
    let staged = client.path("storage/staging/configs/claude.json");
    assert_eq!(std::fs::read_to_string(&staged).unwrap(), STATE);
    assert_eq!(
        client.entry("/home/agent/.claude.json"),
        json!({"virtual": "/home/agent/.claude.json", "real": staged, "size": STATE.len().to_string(), "type": "config"})
    );
    assert_eq!(client.entry("/home/agent/.claude/config.json")["size"], "7");
}

#[test]
fn s0_123_the_listed_files_are_taken_credentials_only_when_asked_for() {
    for (more, credentials) in [([].as_slice(), false), (&["--credentials"], true)] {
        let client = Client::new();
        client.put(".claude/claude.md", "notes");
        client.put(".claude/settings.local.json", "{}");
        assert_eq!(client.install(more).code, Some(0));
        for name in ["settings.json", "config.json", "claude.md", "stats-cache.json", "settings.local.json"] {
            assert!(client.path("storage/staging/configs").join(name).exists(), "{name}");
            assert_eq!(client.entry(&format!("/home/agent/.claude/{name}"))["type"], "config");
        }
        assert_eq!(client.path("storage/staging/configs/.credentials.json").exists(), credentials);
        let found = tree(&client.sandbox.project()).iter().any(|path| path.ends_with(".credentials.json"));
        assert_eq!(found, credentials, "in the backup neither");
    }
}

#[test]
fn s0_116_large_dirs_and_the_history_become_blobs() {
    let client = Client::installed();
    let projects = client.path("storage/blobs/claude-projects");
    assert_eq!(std::fs::read_to_string(projects.join("p/two.jsonl")).unwrap(), "678");
    assert_eq!(
        client.entry("/home/agent/.claude/projects"),
        json!({"virtual": "/home/agent/.claude/projects", "real": projects, "size": "8", "type": "directory"})
    );
    let history = client.entry("/home/agent/.claude/history.jsonl");
    assert_eq!(history["type"], "file");
    assert!(history["real"].as_str().unwrap().ends_with(&sha256(&client.home(".claude/history.jsonl"))));
}

#[test]
fn s0_124_all_ten_dirs_are_taken_and_no_other() {
    let client = Client::new();
    let all = [
        "projects", "file-history", "paste-cache", "session-env", "todos", "plans", "tasks", "shell-snapshots",
        "statsig", "telemetry",
    ];
    for name in all {
        client.put(&format!(".claude/{name}/x"), "x");
    }
    assert_eq!(client.install(&[]).code, Some(0));
    for name in all {
        assert_eq!(client.entry(&format!("/home/agent/.claude/{name}"))["type"], "directory", "{name}");
        assert!(client.path("storage/blobs").join(format!("claude-{name}/x")).exists(), "{name}");
    }
    let manifest = client.manifest();
    let dirs = manifest["entries"].as_array().unwrap().iter().filter(|entry| entry["type"] == "directory");
    assert_eq!(dirs.count(), 10);
}

#[test]
fn s0_117_the_rows_become_json_and_go() {
    let client = Client::installed();
    assert!(!tree(&client.path("storage")).iter().any(|path| path.to_string_lossy().contains("manifest.rows")));
    assert!(client.manifest()["entries"].as_array().unwrap().len() > 8);
}

#[test]
fn s0_125_the_manifest_has_the_documented_form() {
    let client = Client::new();
    let mut command = client.command(&[]);
    command.env("HOOKBIN_NOW", "2026-03-01T10:20:30Z");
    run(command, b"");
    let manifest = client.manifest();
    assert_eq!((&manifest["version"], &manifest["created"]), (&json!("1.0"), &json!("2026-03-01T10:20:30Z")));
    assert_eq!(manifest.as_object().unwrap().len(), 3);
    for entry in manifest["entries"].as_array().unwrap() {
        let keys: Vec<&str> = entry.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 4, "{entry}");
        assert!(["virtual", "real", "size", "type"].iter().all(|key| entry[key].is_string()), "{entry}");
    }
}

/// The step at a session's start finds the manifest and the program, and the script does the same by hand.
#[test]
fn s0_118_a_session_start_boots_the_vault() {
    let client = Client::installed();
    let script = client.path("scripts/boot-lmdb5.sh");
    assert_eq!(mode(&script), 0o700);
    let env_file = client.path("env");
    std::fs::write(&env_file, "").unwrap();
    client.sandbox.hook_with(
        &["SessionStart"],
        br#"{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}"#,
        &[("CLAUDE_ENV_FILE", env_file.to_str().unwrap())],
    );
    let log = std::fs::read_to_string(client.sandbox.state("boot.log")).unwrap();
    let hash = sha256(&client.home("bin/gate"));
    assert!(log.contains(&format!("executable storage/blobs/{hash}")), "{log}");
    assert!(std::fs::read_to_string(&env_file).unwrap().contains("SPF_ACTIVE"));
    // By hand: the executable has to be there, and one that a branch brings is none.
    client.sandbox.program(".claude/hookbin/hookbin", "exit 9");
    client.sandbox.cli(&["install", "--scope", "project"]);
    let mut command = Command::new(&script);
    command.env_clear().env("HOME", client.sandbox.home()).env("PATH", "/usr/bin:/bin").current_dir("/");
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in [
        "export SPF_AGENT_HOME=/home/agent",
        "export SPF_CLAUDE_CONFIG=/home/agent/.claude.json",
        "export SPF_ACTIVE=1",
    ] {
        assert!(ran.stdout.lines().any(|said| said == line), "{line}: {ran:?}");
    }
    // What was recorded before the user installed here was moved aside with the rest.
    assert!(std::fs::read_to_string(client.sandbox.state("boot.log")).unwrap().lines().count() > 0);
}

#[test]
fn s0_119_links_lead_to_the_blobs() {
    let client = Client::installed();
    let gate = std::fs::canonicalize(client.path("agent-bin/spf-smart-gate")).unwrap();
    assert!(gate.ends_with(format!("storage/blobs/{}", sha256(&client.home("bin/gate")))));
    let ran = run(Command::new(client.path("agent-bin/spf-smart-gate")), b"");
    assert_eq!(ran.stdout, "gate\n");
    assert!(client.path("agent-bin/claude-code/cli.js").exists());
}

#[test]
fn s0_120_the_client_starts_the_server_from_the_vault_and_keeps_every_other_byte() {
    let client = Client::installed();
    let program = client.path("agent-bin/spf-smart-gate");
    let now = std::fs::read_to_string(client.home(".claude.json")).unwrap();
    assert_eq!(now, STATE.replace("/old/gate", program.to_str().unwrap()));
    // One that has no such server gets it.
    let client = Client::new();
    client.put(".claude.json", "{}");
    client.install(&[]);
    let now: Value = serde_json::from_str(&std::fs::read_to_string(client.home(".claude.json")).unwrap()).unwrap();
    assert_eq!(now, json!({"mcpServers": {"spf-smart-gate": {"command": client.path("agent-bin/spf-smart-gate")}}}));
}

type Harm = fn(&Client);

#[test]
fn s0_121_verification_finds_what_is_wrong() {
    let client = Client::installed();
    assert_eq!((client.verify().code, client.verify().stdout.as_str()), (Some(0), "the vault is whole\n"));
    let harms: [(&str, Harm); 8] = [
        ("the manifest is missing", |client| std::fs::remove_file(client.path("storage/lmdb5_manifest.json")).unwrap()),
        ("is no manifest", |client| client.sandbox.write("storage/lmdb5_manifest.json", "{")),
        ("it is missing", |client| std::fs::remove_dir_all(client.path("storage/blobs/claude-todos")).unwrap()),
        ("not that of its name", |client| {
            let blob = client.path("storage/blobs").join(sha256(&client.home("bin/gate")));
            std::fs::write(blob, "#!/bin/sh\necho evil\n").unwrap();
        }),
        ("the boot script", |client| std::fs::remove_file(client.path("scripts/boot-lmdb5.sh")).unwrap()),
        ("leads to no blob", |client| std::fs::remove_file(client.path("agent-bin/spf-smart-gate")).unwrap()),
        ("does not start spf-smart-gate from the vault", |client| client.put(".claude.json", STATE)),
        ("others may look", |client| {
            std::fs::set_permissions(client.path("storage"), PermissionsExt::from_mode(0o755)).unwrap();
        }),
    ];
    for (words, harm) in harms {
        let client = Client::installed();
        harm(&client);
        let ran = client.verify();
        assert_eq!(ran.code, Some(4), "{words}: {ran:?}");
        assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn s0_122_the_summary_is_the_tree_and_what_to_do_next() {
    let client = Client::new();
    let ran = client.install(&["--credentials"]);
    for phase in 1..=11 {
        assert!(ran.stdout.contains(&format!("{phase}/11 ")), "{phase}: {}", ran.stdout);
    }
    let summary = client.sandbox.cli(&["vault", "summary"]).stdout;
    assert!(ran.stdout.ends_with(&summary));
    for words in
        ["/home/\n  agent/\n", "    .claude/\n", "      projects  (directory, 8)\n", "    bin/\n", "1. ", "2. ", "3. "]
    {
        assert!(summary.contains(words), "{words}: {summary}");
    }
    // Names and sizes only, also where secrets are taken.
    assert!(!ran.stdout.contains("never-to-be-seen") && !ran.stderr.contains("never-to-be-seen"));
}

#[test]
fn everything_in_the_store_is_for_its_owner_alone() {
    let client = Client::new();
    std::fs::set_permissions(client.home(".claude/.credentials.json"), PermissionsExt::from_mode(0o644)).unwrap();
    client.install(&["--credentials"]);
    for dir in ["storage", "backup", "agent-bin", "storage/blobs", "storage/staging/configs"] {
        assert_eq!(mode(&client.path(dir)), 0o700, "{dir}");
    }
    let files = [client.path("storage"), client.path("backup")].map(|dir| tree(&dir)).concat();
    assert!(files.iter().filter(|path| !path.is_symlink()).all(|path| mode(path) | 0o700 == 0o700));
    assert_eq!(mode(&client.path("storage/staging/configs/.credentials.json")), 0o600);
    // A place into which others may look gets no private data.
    let client = Client::new();
    std::fs::create_dir(client.path("storage")).unwrap();
    std::fs::set_permissions(client.path("storage"), PermissionsExt::from_mode(0o755)).unwrap();
    let ran = client.install(&[]);
    assert!(ran.code == Some(70) && ran.stderr.contains("chmod 700"), "{ran:?}");
    assert_eq!(tree(&client.path("storage")), Vec::<PathBuf>::new());
}

#[test]
fn a_dry_run_shows_eleven_phases_and_makes_nothing() {
    let client = Client::new();
    let before = tree(&client.sandbox.home());
    let ran = client.install(&["--dry-run"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 11), "{ran:?}");
    assert_eq!(tree(&client.sandbox.home()), before);
}

#[test]
fn removal_gives_everything_back() {
    let client = Client::new();
    let before = tree(&client.sandbox.home());
    client.install(&[]);
    client.install(&[]);
    let ran = client.sandbox.cli(&["vault", "remove"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("kept the backups"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(client.home(".claude.json")).unwrap(), STATE);
    client.install(&[]);
    // The host wrote to its file meanwhile: its change stays, only the server goes back.
    let now = std::fs::read_to_string(client.home(".claude.json")).unwrap();
    client.put(".claude.json", &now.replace("\"numStartups\": 7", "\"numStartups\": 8"));
    assert_eq!(client.sandbox.cli(&["vault", "remove", "--purge"]).code, Some(0));
    let left = std::fs::read_to_string(client.home(".claude.json")).unwrap();
    assert_eq!(left, STATE.replace("\"numStartups\": 7", "\"numStartups\": 8"));
    assert_eq!(tree(&client.sandbox.home()), before);
    assert!(client.sandbox.cli(&["vault", "remove"]).stdout.contains("there is no vault"));
}

/// Ended at any moment, the host's file is the old one or the new one, and the next run goes on to the end.
#[test]
fn killed_at_any_moment_it_goes_on_where_it_was() {
    let client = Client::installed();
    let rewritten = std::fs::read_to_string(client.home(".claude.json")).unwrap();
    let begin = std::time::Instant::now();
    client.sandbox.cli(&["vault", "remove", "--purge"]);
    client.install(&[]);
    let whole = begin.elapsed();
    let mut went_on = 0;
    for step in 0..20 {
        client.sandbox.cli(&["vault", "remove", "--purge"]);
        let mut child = client.command(&[]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * step / 20);
        child.kill().unwrap();
        child.wait().unwrap();
        let now = std::fs::read_to_string(client.home(".claude.json")).unwrap();
        assert!(now == STATE || now == rewritten, "{step}: {now}");
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(0), "{step}: {ran:?}");
        went_on += usize::from(ran.stdout.contains("done earlier"));
        assert_eq!(client.verify().code, Some(0), "{step}");
        assert_eq!(client.leftovers(), Vec::<PathBuf>::new(), "{step}");
    }
    assert!(went_on > 0, "no run was ever interrupted midway");
}

#[test]
fn no_room_at_any_write_keeps_the_clients_file_whole() {
    for limit in [0, 1, 2, 3] {
        let client = Client::new();
        client.put("cli/large.bin", &"x".repeat(2_000));
        let ran = run(limited(&client.command(&[]), limit), b"");
        assert_eq!(ran.code, Some(70), "{limit}: {ran:?}");
        assert_eq!(std::fs::read_to_string(client.home(".claude.json")).unwrap(), STATE, "{limit}");
        assert_eq!(client.install(&[]).code, Some(0), "{limit}");
        assert_eq!(client.verify().code, Some(0), "{limit}");
    }
}
