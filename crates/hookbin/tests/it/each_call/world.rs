//! A project that is set back to the same beginning again and again, and what lies in it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::scene::{NOW, Scene};
use crate::sandbox::{Ran, Sandbox, tree};
use crate::tracer::{self, Ended, Fault, Traced, Which};

/// The files that mean something, by path, without what differs from run to run.
pub(super) type Files = BTreeMap<String, String>;

/// The configuration stays where it is, because the compiled profile is known by its inode.
const CONFIG: &str = ".claude/hookbin.toml";

/// A sandbox in which the events before the one at hand have happened.
pub(super) struct World {
    pub(super) scene: &'static Scene,
    sandbox: Sandbox,
    payload: Vec<u8>,
    /// What lay in the home directory then: contents and modes; a directory has none.
    kept: Vec<(PathBuf, Option<Vec<u8>>, u32)>,
}

impl World {
    pub(super) fn new(scene: &'static Scene) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write(CONFIG, &format!("profile = {}\n{}", scene.profile, scene.config));
        sandbox.note_environment("HOOKBIN_NOW\n");
        // The tools that `spf` builds on are offered, or it would let native ones pass.
        sandbox.declare(&["spf-smart-gate"]);
        (scene.prepare)(&sandbox);
        for event in scene.before {
            let ran = hook(&sandbox, event.name, &event.payload(&sandbox));
            assert_ne!(ran.code, Some(1), "{}: {ran:?}", scene.name);
        }
        (scene.disturb)(&sandbox);
        let payload = scene.event.payload(&sandbox);
        let mut kept = Vec::new();
        let mut open = vec![sandbox.home()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(&dir).unwrap() {
                let path = entry.unwrap().path();
                let meta = path.symlink_metadata().unwrap();
                let content = meta.is_file().then(|| fs::read(&path).unwrap());
                kept.push((path.clone(), content, meta.permissions().mode()));
                if meta.is_dir() {
                    open.push(path);
                }
            }
        }
        Self { scene, sandbox, payload, kept }
    }

    /// Sets everything back.
    pub(super) fn reset(&self) {
        let config = self.sandbox.path(CONFIG);
        let mut files = tree(&self.sandbox.home());
        files.retain(|path| *path != config);
        for path in files {
            fs::remove_file(&path).unwrap();
        }
        let known = |path: &Path| self.kept.iter().any(|(kept, ..)| kept == path);
        let mut dirs = vec![self.sandbox.home()];
        let mut at = 0;
        while at < dirs.len() {
            for entry in fs::read_dir(&dirs[at]).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    dirs.push(path);
                }
            }
            at += 1;
        }
        for dir in dirs.iter().skip(1).rev().filter(|dir| !known(dir)) {
            fs::remove_dir(dir).unwrap();
        }
        for (path, content, mode) in &self.kept {
            match content {
                Some(content) if *path != config => fs::write(path, content).unwrap(),
                Some(_) => {}
                None => fs::create_dir_all(path).unwrap(),
            }
            fs::set_permissions(path, fs::Permissions::from_mode(*mode)).unwrap();
        }
    }

    /// The event at hand, followed by the tracer.
    pub(super) fn traced(&self, which: Which, fault: Fault, at: usize) -> Traced {
        let mut command = self.sandbox.command(&["hook", self.scene.event.name]);
        command.envs(surroundings(&self.sandbox));
        tracer::run(&command, &self.payload, which, fault, at)
    }

    /// The event at hand, undisturbed.
    pub(super) fn deliver(&self) -> Traced {
        let Ran { code, stdout, stderr } = hook(&self.sandbox, self.scene.event.name, &self.payload);
        Traced { ended: Ended::Exited(code.unwrap()), calls: Vec::new(), hit: false, stdout, stderr }
    }

    /// What `log verify` says; `None` where there is no log.
    pub(super) fn log(&self) -> Option<Value> {
        let log = self.sandbox.log();
        let is_there = log.exists() && tree(&log).iter().any(|path| path.extension().is_some_and(|it| it == "jsonl"));
        is_there.then(|| self.sandbox.cli(&["log", "verify", "--json"]).json())
    }

    /// Whether `state verify` finds everything whole.
    pub(super) fn state(&self) -> Result<(), String> {
        let ran = self.sandbox.cli(&["state", "verify"]);
        if ran.code == Some(0) { Ok(()) } else { Err(format!("{ran:?}")) }
    }

    /// Whether the newest record of the log says what could not be done.
    pub(super) fn last_record_has_faults(&self) -> bool {
        let text = fs::read_to_string(self.sandbox.log().join("audit.jsonl")).unwrap_or_default();
        let last = text.lines().last().unwrap_or_default();
        serde_json::from_str::<Value>(last).is_ok_and(|record| record["extra"]["faults"].is_array())
    }

    /// What lies in the home directory and means something.
    pub(super) fn files(&self) -> Files {
        let home = self.sandbox.home();
        let mut files = Files::new();
        for path in tree(&home) {
            let name = path.strip_prefix(&home).unwrap().display().to_string();
            let bytes = fs::read(&path).unwrap();
            if is_for_ourselves(&name) {
                continue;
            }
            let text = String::from_utf8(bytes).unwrap_or_else(|_| panic!("{name} is not text"));
            // The name of what is quarantined says when it was written.
            let mut name = match name.rfind(".damaged-").or_else(|| name.rfind(".tampered-")) {
                Some(at) => name[..at].to_owned() + " quarantined",
                None => name,
            };
            while files.contains_key(&name) {
                name.push_str(" again");
            }
            let text = if name.contains("hookbin/registry/events") { records(&text) } else { text };
            files.insert(name, self.steady(&text));
        }
        files
    }

    /// The text without what differs from run to run: random keys and signatures, times that were measured, numbers of processes.
    fn steady(&self, text: &str) -> String {
        let mut steady = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
            if digits >= 16 {
                steady.push_str("<hex>");
            } else if digits > 0 {
                let measured = ["begun\":", "ended\":", "_ms\":", "pid\":", "micros\":", "millis\":", "_us\":"];
                // A moment below zero is one from which programs are barred.
                let before = steady.trim_end_matches([' ', '-']);
                if measured.iter().any(|key| before.ends_with(key)) {
                    steady.push_str("<measured>");
                } else {
                    steady.push_str(&rest[..digits]);
                }
            }
            let taken = if digits > 0 {
                digits
            } else {
                steady.push(first);
                first.len_utf8()
            };
            rest = &rest[taken..];
        }
        // Hashes wait in a document for as long as the membership file cannot be written; whether a call counts twice shows in the counts.
        if let Some((before, rest)) = steady.split_once("\"pending\":[")
            && let Some((_, after)) = rest.split_once("],")
        {
            steady = format!("{before}{after}");
        }
        // A record of the registry is named by the real time and the process that wrote it.
        let mut at = 0;
        while let Some(found) = steady.get(at..).and_then(|rest| rest.find("\"id\":\"<hex>")) {
            let start = at + found + "\"id\":\"<hex>".len();
            let end = steady[start..].find('"').map_or(steady.len(), |end| start + end);
            steady.replace_range(start..end, "");
            at = start;
        }
        steady.replace(&self.sandbox.home().display().to_string(), "HOME")
    }
}

/// The records of the registry's spool as its reader takes them: what a writer that was stopped has left stands before the next record
/// in the same line, or at the end.
fn records(text: &str) -> String {
    let lines = text.lines().filter_map(|line| line.get(line.rfind("{\"v\":")?..));
    let whole: Vec<&str> = lines.filter(|line| serde_json::from_str::<Value>(line).is_ok()).collect();
    whole.join("\n")
}

/// The moment, and the file that the host reads before shell commands.
fn surroundings(sandbox: &Sandbox) -> [(&'static str, String); 2] {
    let env = sandbox.home().join("client-env.log").display().to_string();
    [("HOOKBIN_NOW", NOW.to_owned()), ("CLAUDE_ENV_FILE", env)]
}

fn hook(sandbox: &Sandbox, event: &str, payload: &[u8]) -> Ran {
    let env = surroundings(sandbox);
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    sandbox.hook_with(&[event], payload, &env)
}

/// Files that only hookbin reads, and whose form is free: the log and the key with the last signed document (which are verified), locks,
/// caches, membership, what waits to be written again, and the registry's database, which is made from the spool beside it.
fn is_for_ourselves(name: &str) -> bool {
    let (dir, file) = name.rsplit_once('/').unwrap_or(("", name));
    dir.ends_with("hookbin/log")
        || file.starts_with(".cache-")
        || file.starts_with("registry.db")
        || ["lock", ".gitignore", ".tmp", "hookbin.toml"].contains(&file)
        || dir.ends_with("hookbin/trusted")
        || [".spare", ".seen", ".lock", ".key", ".cache"].iter().any(|end| file.ends_with(end))
}
