//! Manifests: every dependency is the workspace's, every crate can be published, every licence is known.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use toml::{Table, Value};

use crate::source::{files, no_problems, root};

/// A member's manifest.
pub(crate) struct Member {
    pub(crate) path: String,
    pub(crate) manifest: Table,
}

impl Member {
    pub(crate) fn name(&self) -> &str {
        self.manifest["package"]["name"].as_str().unwrap()
    }

    /// Dependencies by section (`dependencies`, `dev-dependencies`, …), those of a target included.
    pub(crate) fn dependencies(&self) -> Vec<(String, String, &Value)> {
        let mut tables = vec![(String::new(), &self.manifest)];
        if let Some(targets) = self.manifest.get("target").and_then(Value::as_table) {
            for (target, table) in targets {
                tables.push((format!("target.{target}."), table.as_table().unwrap()));
            }
        }
        let mut found = Vec::new();
        for (prefix, table) in tables {
            for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
                for (name, value) in table.get(section).and_then(Value::as_table).into_iter().flatten() {
                    found.push((format!("{prefix}{section}"), name.clone(), value));
                }
            }
        }
        found
    }
}

/// The root manifest.
pub(crate) fn workspace() -> Table {
    fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap()
}

/// Every manifest below the root: members and, as they are members too, the examples.
pub(crate) fn members() -> Vec<Member> {
    let is_member =
        |path: &str| path.ends_with("/Cargo.toml") && !path.contains("/tests/") && !path.starts_with("fuzz/");
    let members: Vec<Member> = files("")
        .into_iter()
        .filter(|file| is_member(&file.path))
        .map(|file| Member { manifest: file.text.parse().unwrap(), path: file.path })
        .collect();
    assert!(members.len() >= 7, "only {} manifests found", members.len());
    members
}

fn not_from_workspace(member: &Member) -> Vec<String> {
    let foreign = |(section, name, value): &(String, String, &Value)| {
        let from_workspace = value.get("workspace").and_then(Value::as_bool) == Some(true);
        (!from_workspace).then(|| format!("{}: `{name}` in [{section}]", member.path))
    };
    member.dependencies().iter().filter_map(foreign).collect()
}

#[test]
fn every_dependency_is_the_workspaces() {
    let problems: Vec<String> = members().iter().flat_map(not_from_workspace).collect();
    no_problems(&problems, "Put the version into [workspace.dependencies] and write `workspace = true` here.");

    let text = "[package]\nname = \"a\"\n[dependencies]\nx = \"1\"\ny.workspace = true\n[target.'cfg(unix)'.dev-dependencies]\nz = { version = \"1\" }";
    let planted = Member { path: "a/Cargo.toml".into(), manifest: text.parse().unwrap() };
    assert_eq!(not_from_workspace(&planted).len(), 2);
}

#[test]
fn every_crate_of_the_family_has_a_path_and_a_version() {
    let workspace = workspace();
    let version = workspace["workspace"]["package"]["version"].as_str().unwrap();
    let mut problems = Vec::new();
    let mut seen = 0;
    for (name, value) in workspace["workspace"]["dependencies"].as_table().unwrap() {
        let Some(path) = value.get("path").and_then(Value::as_str) else { continue };
        seen += 1;
        let named = value.get("version").and_then(Value::as_str);
        if named != Some(version) {
            problems.push(format!("`{name}` has version {named:?}, the workspace has {version}"));
        }
        if !path.starts_with("crates/") || !root().join(path).join("Cargo.toml").is_file() {
            problems.push(format!("`{name}` has the path {path}, which is no crate of this workspace"));
        }
    }
    assert!(seen >= 6, "only {seen} crates of the family in [workspace.dependencies]");
    no_problems(
        &problems,
        "Write `{ path = \"crates/FOLDER\", version = \"…\" }`; a crate without both cannot be published.",
    );
}

#[test]
fn every_member_takes_what_all_share_from_the_workspace() {
    let mut problems = Vec::new();
    for member in members() {
        for key in ["version", "edition", "rust-version", "license"] {
            let inherited = member.manifest["package"].get(key).and_then(|value| value.get("workspace"));
            if inherited != Some(&Value::Boolean(true)) {
                problems.push(format!("{}: `{key}`", member.path));
            }
        }
        let published = member.manifest["package"].get("publish") != Some(&Value::Boolean(false));
        if published != member.path.starts_with("crates/") {
            problems.push(format!("{}: only what stands in crates/ is published", member.path));
        }
        if published && member.manifest["package"].get("description").is_none() {
            problems.push(format!("{}: no description", member.path));
        }
    }
    no_problems(&problems, "Write `KEY.workspace = true`; outside crates/ also `publish = false`.");
}

#[test]
fn the_lock_file_is_kept() {
    let lock =
        fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock is missing; `cargo metadata` writes it");
    for member in members() {
        let entry = format!("name = \"{}\"", member.name());
        assert!(lock.contains(&entry), "Cargo.lock does not know {}; `cargo metadata` updates it", member.name());
    }
    let git = |arguments: &[&str]| {
        Command::new("git").args(arguments).current_dir(root()).output().is_ok_and(|output| output.status.success())
    };
    assert!(!git(&["check-ignore", "-q", "Cargo.lock"]), "git ignores Cargo.lock; take it out of .gitignore");
    if git(&["rev-parse", "-q", "--verify", "HEAD"]) {
        assert!(git(&["ls-files", "--error-unmatch", "Cargo.lock"]), "commit Cargo.lock");
    } else {
        println!("there is no commit here, so whether Cargo.lock is in it was not looked at");
    }
}

/// Licence expressions that an executable under `MIT OR Apache-2.0` may contain.
const LICENCES: &[&str] = &[
    "(Apache-2.0 OR MIT) AND BSD-3-Clause",
    "(MIT OR Apache-2.0) AND Unicode-3.0",
    "0BSD OR MIT OR Apache-2.0",
    "Apache-2.0",
    "Apache-2.0 / MIT",
    "Apache-2.0 AND ISC",
    "Apache-2.0 OR BSL-1.0",
    "Apache-2.0 OR BSL-1.0 OR MIT",
    "Apache-2.0 OR ISC OR MIT",
    "Apache-2.0 OR MIT",
    "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    "Apache-2.0/MIT",
    "BSD-2-Clause OR Apache-2.0 OR MIT",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT OR Apache-2.0",
    "MIT OR Apache-2.0 OR Zlib",
    "MIT OR Zlib OR Apache-2.0",
    "MIT/Apache-2.0",
    "Unlicense OR MIT",
    "Unlicense/MIT",
    "Zlib",
    "Zlib OR Apache-2.0 OR MIT",
];

fn licences_not_known(packages: &BTreeMap<String, String>) -> Vec<String> {
    let known = |licence: &str| LICENCES.contains(&licence);
    packages
        .iter()
        .filter(|(_, licence)| !known(licence))
        .map(|(name, licence)| format!("{name}: `{licence}`"))
        .collect()
}

/// Licences by package, of everything that a build on this system can contain.
fn packages() -> BTreeMap<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |package: &serde_json::Value, key: &str| package[key].as_str().unwrap_or("none").to_owned();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(|package| (text(package, "name"), text(package, "license"))).collect()
}

#[test]
fn every_licence_is_known() {
    let packages = packages();
    assert!(packages.len() > 30, "only {} packages", packages.len());
    no_problems(
        &licences_not_known(&packages),
        "Read the licence. If it may be part of an executable under `MIT OR Apache-2.0`, add the expression to LICENCES in \
         xtask/tests/it/manifests.rs; else do without the package.",
    );
    let planted = BTreeMap::from([("a".to_owned(), "GPL-3.0-only".to_owned()), ("b".to_owned(), "MIT".to_owned())]);
    assert_eq!(licences_not_known(&planted), ["a: `GPL-3.0-only`"]);
}

#[test]
fn the_licence_texts_are_here() {
    for (name, mark) in
        [("LICENSE-MIT", "Permission is hereby granted"), ("LICENSE-APACHE", "Version 2.0, January 2004")]
    {
        let text = fs::read_to_string(root().join(name)).unwrap_or_default();
        assert!(text.contains(mark), "{name} is missing or not the full text");
    }
}
