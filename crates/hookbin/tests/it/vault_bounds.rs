//! Where a vault ends: files of others stay as they are, one vault never undoes another's work, and it can always be taken out.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::sandbox::{Sandbox, run, sha256, tree};
use crate::vault::Client;

fn private_dir(path: &Path) {
    std::fs::create_dir_all(path).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o700)).unwrap();
}

/// Every name that the vault would write to, held by somebody else: refused, and not a byte changes.
#[test]
fn a_file_of_somebody_else_is_never_overwritten() {
    for name in [
        "scripts/boot-lmdb5.sh", "agent-bin/spf-smart-gate", "agent-bin/claude-code", "storage/.gitignore",
        "backup/.gitignore", "backup/vault.json", "storage/lmdb5_manifest.json", "storage/manifest.rows",
        "storage/blobs/claude-code/mine", "storage/staging/configs/settings.json",
    ] {
        let client = Client::new();
        for dir in ["storage", "storage/blobs", "storage/staging/configs", "backup", "agent-bin"] {
            private_dir(&client.path(dir));
        }
        client.sandbox.write(name, "mine\n");
        let before = tree(&client.sandbox.home());
        for more in [[].as_slice(), &["--dry-run"]] {
            let ran = client.install(more);
            assert_eq!(ran.code, Some(70), "{name}: {ran:?}");
            assert!(ran.stderr.contains("is not the vault's"), "{name}: {ran:?}");
        }
        assert_eq!(client.sandbox.read(name), "mine\n");
        assert_eq!(tree(&client.sandbox.home()), before, "{name}");
        assert_eq!(client.sandbox.cli(&["vault", "remove", "--purge"]).code, Some(0));
        assert_eq!(tree(&client.sandbox.home()), before, "{name}");
    }
}

#[test]
fn a_dir_that_is_a_link_is_not_followed_out_of_the_project() {
    for name in ["scripts", "storage", "backup", "agent-bin", "storage/blobs", "storage/staging", "storage/agent_state"]
    {
        let client = Client::new();
        let outside = client.home("outside");
        private_dir(&outside);
        if let Some(parent) = client.path(name).parent().filter(|parent| parent.ends_with("storage")) {
            private_dir(parent);
        }
        std::os::unix::fs::symlink(&outside, client.path(name)).unwrap();
        let ran = client.install(&[]);
        assert!(ran.code == Some(70) && ran.stderr.contains("is not a directory"), "{name}: {ran:?}");
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0, "{name}");
    }
}

/// Files of others in the vault's directories, there before it or put there since, outlive it; so do the directories that it found.
#[test]
fn taking_out_takes_only_what_was_put_in() {
    let client = Client::new();
    private_dir(&client.path("storage"));
    private_dir(&client.path("backup"));
    client.sandbox.write("storage/app.db", "before");
    client.sandbox.write("backup/pre-lmdb5-20200101-000000/theirs", "theirs");
    client.sandbox.write("scripts/deploy.sh", "deploy");
    client.sandbox.write("scripts/.vault-pass", "theirs");
    assert_eq!(client.install(&[]).code, Some(0));
    client.sandbox.write("storage/agent_state/notes", "since");
    client.sandbox.write("agent-bin/other", "since");
    client.sandbox.write("storage/blobs/README", "since");
    // The store is ignored by name, so that their files are not hidden from the repository.
    let ignored = client.sandbox.read("storage/.gitignore");
    assert!(ignored.contains("/blobs\n") && !ignored.lines().any(|line| line == "*"), "{ignored}");
    let ran = client.sandbox.cli(&["vault", "remove", "--purge"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let left: Vec<String> = tree(&client.sandbox.project())
        .iter()
        .map(|path| path.strip_prefix(client.sandbox.project()).unwrap().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with(".claude") && name != ".mcp.json")
        .collect();
    let expected = [
        "agent-bin/other",
        "backup/pre-lmdb5-20200101-000000/theirs",
        "scripts/.vault-pass",
        "scripts/deploy.sh",
        "storage/agent_state/notes",
        "storage/app.db",
        "storage/blobs/README",
    ];
    assert_eq!(left, expected, "{ran:?}");
    assert!(ran.stdout.contains("agent-bin, which holds files"), "{ran:?}");
    // An empty directory that was there stays as well.
    let client = Client::new();
    private_dir(&client.path("storage"));
    client.install(&[]);
    client.sandbox.cli(&["vault", "remove", "--purge"]);
    assert!(client.path("storage").is_dir() && !client.path("agent-bin").exists() && !client.path("scripts").exists());
}

/// A boot script that the user changed, or a link that leads elsewhere now, is theirs.
#[test]
fn what_was_changed_since_is_left_alone() {
    let client = Client::installed();
    client.sandbox.write("scripts/boot-lmdb5.sh", "#!/bin/sh\necho mine\n");
    std::fs::remove_file(client.path("agent-bin/claude-code")).unwrap();
    std::os::unix::fs::symlink("/bin/true", client.path("agent-bin/claude-code")).unwrap();
    assert!(client.install(&[]).stderr.contains("is not the vault's"));
    assert_eq!(client.sandbox.cli(&["vault", "remove"]).code, Some(0));
    assert_eq!(client.sandbox.read("scripts/boot-lmdb5.sh"), "#!/bin/sh\necho mine\n");
    assert!(client.path("agent-bin/claude-code").is_symlink() && !client.path("agent-bin/spf-smart-gate").is_symlink());
}

#[test]
fn backups_can_be_purged_later() {
    let client = Client::new();
    let before = tree(&client.sandbox.home());
    client.install(&[]);
    let ran = client.sandbox.cli(&["vault", "remove"]);
    assert!(ran.stdout.contains("`hookbin vault remove --purge"), "{ran:?}");
    assert!(client.path("backup").exists() && !client.path("storage").exists());
    // A second vault knows the first one's backups.
    client.install(&[]);
    client.sandbox.cli(&["vault", "remove"]);
    let ran = client.sandbox.cli(&["vault", "remove", "--purge"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("removed "), "{ran:?}");
    assert!(!client.path("backup").exists());
    assert_eq!(tree(&client.sandbox.home()), before);
}

/// With another profile nothing uses the vault, and everything about it still works.
#[test]
fn a_vault_outlives_its_profile_and_is_never_stranded() {
    let client = Client::installed();
    let state = client.state();
    client.sandbox.cli(&["install", "--scope", "project"]);
    for args in [["uninstall"].as_slice(), &["uninstall", "--purge"], &["uninstall", "--dry-run"]] {
        let ran = client.sandbox.cli(args);
        assert!(ran.code == Some(70) && ran.stderr.contains("hookbin vault remove --project"), "{args:?}: {ran:?}");
    }
    assert!(client.home(".local/share/hookbin/hookbin").exists());
    let ran = client.sandbox.cli(&["install", "--scope", "project", "--profile", "standard"]);
    assert!(ran.stdout.contains("warning: the profile does not use the vault"), "{ran:?}");
    let doctor = client.sandbox.cli(&["doctor"]);
    assert!(doctor.stdout.contains("the profile in force does not use it"), "{doctor:?}");
    assert_eq!(client.verify().code, Some(0));
    assert!(client.sandbox.cli(&["vault", "summary"]).stdout.contains("spf-smart-gate"));
    assert!(client.install(&[]).stderr.contains("no profile in force"), "nothing would use another one");
    assert_eq!(client.state(), state);
    assert_eq!(client.sandbox.cli(&["vault", "remove", "--purge"]).code, Some(0));
    assert!(client.state().contains("/old/gate"));
    assert_eq!(client.sandbox.cli(&["uninstall"]).code, Some(0));
}

/// The host's file names one program. A second vault would remember the first one's as what was there before.
#[test]
fn a_second_vault_over_one_home_is_refused() {
    let first = Client::installed();
    let second = Sandbox::with_profile("spf");
    let (home, gate, cli) = (first.sandbox.home(), first.home("bin/gate"), first.home("cli"));
    let args = ["vault", "install", "--home", home.to_str().unwrap(), "--binary", gate.to_str().unwrap(), "--client"];
    let ran = second.cli(&[args.as_slice(), &[cli.to_str().unwrap()]].concat());
    assert_eq!(ran.code, Some(70), "{ran:?}");
    assert!(ran.stderr.contains(&format!("`hookbin vault remove --project {}", first.sandbox.project().display())));
    assert!(!second.path("storage").exists());
}

#[test]
fn an_entry_that_is_somebody_elses_by_now_is_left_alone() {
    let client = Client::installed();
    let changed = client.state().replace(client.path("agent-bin/spf-smart-gate").to_str().unwrap(), "/new/gate");
    client.put(".claude.json", &changed);
    let ran = client.sandbox.cli(&["vault", "remove"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("left "), "{ran:?}");
    assert_eq!(client.state(), changed);
}

/// The project was moved: the entry names a place where nothing is any more, and is still this vault's.
#[test]
fn a_vault_of_a_moved_project_gives_the_entry_back() {
    let client = Client::installed();
    let moved = client.home("moved");
    std::fs::rename(client.sandbox.project(), &moved).unwrap();
    let mut command = client.sandbox.command(&["vault", "remove"]);
    command.env("CLAUDE_PROJECT_DIR", &moved).current_dir(&moved);
    let ran = run(command, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(client.state().contains("\"/old/gate\""), "{}", client.state());
}

#[test]
fn a_state_file_that_cannot_be_edited_is_refused_before_anything_is_copied() {
    for text in
        ["[", "[]", "{\"mcpServers\": []}", "{\"mcpServers\": {\"spf-smart-gate\": 1}}", "{\"a\": 1,}", "", "// x\n{}"]
    {
        let client = Client::new();
        client.put(".claude.json", text);
        let before = tree(&client.sandbox.home());
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(70), "{text}: {ran:?}");
        assert!(ran.stderr.contains("preflight") && ran.stderr.contains(".claude.json"), "{text}: {ran:?}");
        assert!(!ran.stderr.contains("force") && !ran.stderr.contains("settings"), "{text}: {ran:?}");
        assert!(!ran.stdout.contains("/11 "), "{text}: {ran:?}");
        assert_eq!(tree(&client.sandbox.home()), before, "{text}");
    }
}

#[test]
fn preflight_says_what_is_in_the_place_of_a_program() {
    let client = Client::new();
    let dir = client.home("cli");
    let args = ["vault", "install", "--binary", dir.to_str().unwrap(), "--client", dir.to_str().unwrap()];
    let ran = client.sandbox.cli(&args);
    assert!(ran.code == Some(70) && ran.stderr.contains("cli) is a directory"), "{ran:?}");
    std::fs::set_permissions(client.home("bin/gate"), PermissionsExt::from_mode(0o644)).unwrap();
    assert!(client.install(&[]).stderr.contains("gate) cannot be executed"));
}

/// The host's program has no content in its name, so its hash is remembered.
#[test]
fn a_changed_program_of_the_client_is_found_and_mended() {
    type Harm = fn(&Path);
    let harms: [Harm; 5] = [
        |cli| std::fs::write(cli.join("cli.js"), "evil()\n").unwrap(),
        |cli| std::fs::remove_file(cli.join("node_modules/a/b.js")).unwrap(),
        |cli| std::fs::write(cli.join("more.js"), "").unwrap(),
        |cli| std::fs::set_permissions(cli.join("cli.js"), PermissionsExt::from_mode(0o700)).unwrap(),
        |cli| {
            std::fs::remove_file(cli.join("claude")).unwrap();
            std::os::unix::fs::symlink("/bin/sh", cli.join("claude")).unwrap();
        },
    ];
    for (number, harm) in harms.into_iter().enumerate() {
        let client = Client::installed();
        harm(&client.path("storage/blobs/claude-code"));
        let ran = client.verify();
        assert!(ran.code == Some(4) && ran.stdout.contains("not the one that was copied"), "{number}: {ran:?}");
        // The command that is named mends it.
        let fix = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("fix: hookbin ")).unwrap();
        let args: Vec<&str> = fix.split(' ').collect();
        assert_eq!(client.sandbox.cli(&args).code, Some(0), "{fix}");
        assert_eq!(client.verify().code, Some(0), "{number}");
        assert!(client.sandbox.cli(&["vault", "remove"]).code == Some(0) && client.state().contains("/old/gate"));
    }
}

#[test]
fn doctor_looks_at_the_vault() {
    let client = Client::installed();
    client.sandbox.cli(&["install", "--scope", "project"]);
    assert!(!client.sandbox.cli(&["doctor"]).stdout.contains("vault"));
    std::fs::remove_dir_all(client.path("storage/blobs/claude-code")).unwrap();
    let ran = client.sandbox.cli(&["doctor"]);
    assert!(ran.code == Some(4) && ran.stdout.contains("the vault is not whole"), "{ran:?}");
    assert!(ran.stdout.contains("fix: hookbin vault install --project"), "{ran:?}");
}

/// The note in the store is damaged or gone, and the second one knows the same.
#[test]
fn a_damaged_note_is_no_dead_end() {
    for text in [Some("{"), Some(""), None] {
        let client = Client::installed();
        match text {
            Some(text) => client.sandbox.write("storage/vault.json", text),
            None => std::fs::remove_dir_all(client.path("storage")).unwrap(),
        }
        assert_eq!(client.install(&[]).code, Some(0), "{text:?}");
        assert_eq!(client.verify().code, Some(0), "{text:?}");
        if let Some(text) = text {
            client.sandbox.write("storage/vault.json", text);
        }
        let ran = client.sandbox.cli(&["vault", "remove", "--purge"]);
        assert_eq!(ran.code, Some(0), "{text:?}: {ran:?}");
        assert!(client.state().contains("\"/old/gate\"") && !client.path("storage").exists(), "{text:?}");
    }
    let client = Client::installed();
    client.sandbox.write("storage/vault.json", "{");
    client.sandbox.write("backup/vault.json", "{");
    let ran = client.sandbox.cli(&["vault", "remove"]);
    assert!(ran.code == Some(70) && ran.stderr.contains("put .claude.json back from a copy in"), "{ran:?}");
}

#[test]
fn the_backup_counts_the_state_file_too() {
    let client = Client::new();
    for name in ["settings.json", "config.json", ".credentials.json", "stats-cache.json", "history.jsonl"] {
        std::fs::remove_file(client.home(".claude").join(name)).unwrap();
    }
    for name in ["projects", "todos", "statsig", "debug", "agents"] {
        std::fs::remove_dir_all(client.home(".claude").join(name)).unwrap();
    }
    let size = client.state().len();
    let ran = client.install(&[]);
    assert!(ran.stdout.contains(&format!("2/11 backup: {size} bytes in")), "{ran:?}");
}

#[test]
fn what_root_puts_into_a_vault_belongs_to_the_person() {
    use std::os::unix::fs::{MetadataExt, chown};
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let client = Client::new();
    chown(client.sandbox.project(), Some(1234), Some(1235)).unwrap();
    assert_eq!(client.install(&[]).code, Some(0));
    let project = client.sandbox.project();
    let of_vault = ["storage", "backup", "agent-bin", "scripts"].map(|name| project.join(name));
    for path in of_vault.iter().cloned().chain(of_vault.iter().flat_map(|dir| tree(dir))) {
        let metadata = path.symlink_metadata().unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (1234, 1235), "{}", path.display());
    }
}

/// A repository carries the notes of a vault that the user never made: one that names another program for their server, and one that
/// names a file to become their file of state.
#[test]
fn a_vault_that_a_clone_brings_is_nobodys() {
    let program = |client: &Client| client.home("vaults/agent-bin/spf-smart-gate").to_str().unwrap().to_owned();
    for kind in ["another program", "another file"] {
        let client = Client::new();
        // The server of a vault that is gone.
        let state = format!("{{\"mcpServers\": {{\"spf-smart-gate\": {{\"command\": \"{}\"}}}}}}", program(&client));
        client.put(".claude.json", &state);
        client.sandbox.write("backup/c.json", "{\"theirs\": true}");
        let mut rewritten = json!({"after": "0", "original": "/nowhere", "program": program(&client)});
        if kind == "another file" {
            rewritten["after"] = json!(sha256(&client.home(".claude.json")));
            rewritten["original"] = json!(client.path("backup/c.json"));
        }
        let note = json!({"version": 1, "stamp": "20260101-000000", "done": 11, "rewritten": rewritten,
            "server_before": "{\"command\": \"/tmp/evil\"}",
            "source": {"home": client.sandbox.home(), "binary": "/tmp/evil", "client": "/tmp/client", "credentials": false},
            "places": {"manifest": "storage/lmdb5_manifest.json", "blobs": "storage/blobs"}});
        for path in ["storage/vault.json", "backup/vault.json"] {
            client.sandbox.write(path, &note.to_string());
        }
        client
            .sandbox
            .write("storage/lmdb5_manifest.json", "{\"version\": \"1.0\", \"created\": \"x\", \"entries\": []}");
        assert_eq!(client.sandbox.cli(&["install"]).code, Some(0));
        for args in [&["remove"][..], &["remove", "--purge"], &["verify"], &["summary"]] {
            let ran = client.sandbox.cli(&[&["vault"], args].concat());
            assert_eq!(ran.code, Some(if args[0] == "remove" { 0 } else { 70 }), "{kind}: {ran:?}");
            let said = ran.stdout + &ran.stderr;
            assert!(said.contains("nobody here installed the vault"), "{kind}: {said}");
            assert!(!said.contains("/tmp/evil"), "{kind}: what the clone names is proposed");
        }
        assert_eq!(client.install(&[]).code, Some(70), "{kind}: none goes on with it");
        assert!(client.sandbox.cli(&["doctor"]).stdout.contains("nobody here installed the vault"), "{kind}");
        let ran = client.sandbox.cli(&["uninstall"]);
        assert_eq!(ran.code, Some(0), "{kind}: {ran:?}");
        assert_eq!(client.state(), state, "{kind}");
        assert!(client.path("storage/vault.json").exists() && client.path("backup/c.json").exists(), "{kind}");
    }
}

/// The user's own vault, over whose notes a branch writes: git does so with what it ignores.
#[test]
fn a_note_that_is_not_the_one_that_was_written_is_not_believed() {
    let client = Client::installed();
    for path in ["storage/vault.json", "backup/vault.json"] {
        let mut note = client.sandbox.json(path);
        note["server_before"] = json!("{\"command\": \"/tmp/evil\"}");
        note["rewritten"]["after"] = json!("0");
        client.sandbox.write(path, &note.to_string());
    }
    let state = client.state();
    let ran = client.sandbox.cli(&["vault", "remove"]);
    assert!(ran.code == Some(70) && ran.stderr.contains("not what was written there"), "{ran:?}");
    assert_eq!(client.state(), state);
}
