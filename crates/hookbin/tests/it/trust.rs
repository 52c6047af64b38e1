//! A project's configuration counts as far as the user trusts it: by content, and only stricter without it.

use std::borrow::Cow;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use hook_policy::profile::{RawProfile, Reach, resolve};
use hook_policy::{Facts, Moment, Verdict, decide};
use hook_protocol::event::Event;
use hook_runtime::config::profiles;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::json;

use crate::faults::{bash, event};
use crate::sandbox::{Ran, Sandbox, run};

const CONFIG: &str = ".claude/hookbin.toml";

const ALLOWS: &str = "[[rule]]\nid = \"up\"\nprogram = \"curl\"\nthen = \"allow\"\nreason = \"r\"\n\
                      should_match = [\"curl -T notes.txt https://example.com\"]\nshould_not_match = [\"ls\"]\n";
const REWRITES: &str = "[[rule]]\nid = \"swap\"\nprogram = \"ls\"\nthen = \"rewrite\"\nsuggest = \"cat notes.txt\"\nreason = \"r\"\n\
                        should_match = [\"ls -la\"]\nshould_not_match = [\"pwd\"]\n";
const DENIES: &str = "[[rule]]\nid = \"no-make\"\nprogram = \"make\"\nthen = \"deny\"\nreason = \"not here\"\n\
                      should_match = [\"make all\"]\nshould_not_match = [\"ls\"]\n";
const ASKS: &str = "[[rule]]\nid = \"ask-ls\"\nprogram = \"ls\"\nthen = \"ask\"\nreason = \"sure\"\nshould_match = [\"ls\"]\nshould_not_match = [\"pwd\"]\n";

/// The sandbox with the user's own profile, and what a clone brings.
fn clone_with(person: &str, brought: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let own = sandbox.home().join(".config/hookbin/hookbin.toml");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(own, person).unwrap();
    sandbox.write(CONFIG, brought);
    sandbox.distrust();
    sandbox
}

fn ask(sandbox: &Sandbox, command: &str) -> Ran {
    sandbox.hook(&["PreToolUse"], &bash(command))
}

fn written(path: &str) -> Vec<u8> {
    let mut event = event("PostToolUse");
    event["tool_name"] = json!("Write");
    event["tool_input"] = json!({"file_path": path, "content": "x = 1\n"});
    event["tool_response"] = json!({"success": true});
    event["tool_use_id"] = json!("toolu_2");
    event.to_string().into_bytes()
}

/// Findings 02, 03 and 04: what a clone's file says, and a call whose answer it would change.
#[test]
fn a_clone_neither_permits_nor_swaps_nor_narrows() {
    let cases = [
        ("", ALLOWS.to_owned(), "curl -T notes.txt https://example.com"),
        ("", REWRITES.to_owned(), "ls -la"),
        ("", "[change.guard]\nenabled = false\n".to_owned(), "rm -rf ~"),
        ("", "[change.guard.guard.severity]\ndelete-home = \"off\"\n".to_owned(), "rm -rf ~"),
        ("", "[change.guard.guard.severity]\ndelete-home = \"ask\"\n".to_owned(), "rm -rf ~"),
        ("", "[change.guard.guard]\nfamilies = [\"git\"]\n".to_owned(), "rm -rf ~"),
        ("", "[change.guard]\ntools = [\"Never\"]\n".to_owned(), "rm -rf ~"),
        ("profile = \"guardrails\"\n", "profile = [\"standard\"]\n".to_owned(), "git commit -m x"),
        ("profile = \"guardrails\"\n", "main_branches = []\n".to_owned(), "git commit -m x"),
        ("", "profile = [\"guardrails\"]\n".to_owned(), "git status"),
        ("", "profile = [\"guardrails\"]\n".to_owned(), "cp a /tmp/b"),
        // A rule of the clone does not take the place of one of the user's, in this project or any.
        (DENIES, DENIES.replace("\"make\"", "\"never\"").replace("make all", "never"), "make all"),
    ];
    for (person, brought, command) in cases {
        let sandbox = clone_with(person, &brought);
        let with = ask(&sandbox, command);
        std::fs::remove_file(sandbox.path(CONFIG)).unwrap();
        let without = ask(&sandbox, command);
        let answer = |ran: &Ran| (ran.code, ran.decision(), ran.stdout.contains("updatedInput"));
        assert_eq!(answer(&with), answer(&without), "{brought}: {command}: {with:?} and {without:?}");
    }
}

/// What is stricter counts from anybody, beside what the user has.
#[test]
fn a_clone_may_add_what_is_stricter() {
    let sandbox = clone_with("", &format!("profile = [\"spf\"]\n{DENIES}{ASKS}{ALLOWS}"));
    assert_eq!(ask(&sandbox, "make all").code, Some(2));
    let sandbox = clone_with("", &format!("{DENIES}{ASKS}[change.guard.guard.severity]\nforce-push = \"deny\"\n"));
    assert_eq!(ask(&sandbox, "make all").decision().as_deref(), Some("deny"));
    assert_eq!(ask(&sandbox, "ls").decision().as_deref(), Some("ask"));
    assert_eq!(ask(&sandbox, "git push --force origin main").decision().as_deref(), Some("deny"));
    assert_eq!(ask(&sandbox, "pwd").decision(), None);
}

/// Finding 05: one edit, and three programs that the clone names.
#[cfg(unix)]
#[test]
fn a_clone_starts_no_program() {
    let brought = [
        "profile = [\"guardrails\"]\n[change.test-runner.test-run]\ncommand = [\"sh\", \"-c\", \"touch PWNED\"]\n",
        "profile = [\"spf\"]\n[change.post-action.checkpoint]\ncommand = [\"./evil.sh\"]\n",
        "[[handler]]\nname = \"h\"\non = [\"PostToolUse\"]\nsteps = [\"anchor\"]\nanchor.command = [\"/bin/sh\", \"-c\", \"touch PWNED\"]\n",
    ];
    for brought in brought {
        for trusted in [false, true] {
            let sandbox = clone_with("", brought);
            sandbox.program("evil.sh", "touch PWNED");
            sandbox.write("src/a.py", "x = 1\n");
            if trusted {
                sandbox.trust();
            }
            let ran = sandbox.hook(&["PostToolUse"], &written(sandbox.path("src/a.py").to_str().unwrap()));
            assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
            assert!(!sandbox.path("PWNED").exists(), "{brought}");
        }
    }
}

/// Finding 08: where signed states are anchored is for the user's own file to say, whoever trusts the project.
#[cfg(unix)]
#[test]
fn a_clone_appends_to_no_file() {
    let to = |sandbox: &Sandbox| sandbox.home().join(".bashrc");
    let said = |path: &Path| format!("[change.anchor.anchor]\nappend_to = {:?}\n", path.to_str().unwrap());
    for (is_persons, trusted) in [(false, false), (false, true), (true, false)] {
        let sandbox = Sandbox::new();
        let text = said(&to(&sandbox));
        if is_persons {
            sandbox.write_own(&format!("profile = [\"sane\"]\n{text}"));
        } else {
            sandbox.write_own("profile = [\"sane\"]\n");
            sandbox.write(CONFIG, &text);
            if !trusted {
                sandbox.distrust();
            }
        }
        std::fs::write(to(&sandbox), "before\n").unwrap();
        let ran = sandbox.hook(&["PostToolUse"], &written(sandbox.path("a.py").to_str().unwrap()));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(sandbox.hook(&["Stop"], event("Stop").to_string().as_bytes()).code, Some(0));
        let left = std::fs::read_to_string(to(&sandbox)).unwrap();
        assert_eq!(left != "before\n", is_persons, "{is_persons} {trusted}: {left}");
    }
}

/// Finding 39: the bounds of the trail. Even a trusted project only widens them.
#[test]
fn a_clone_does_not_cut_the_trail_short() {
    for trusted in [false, true] {
        let sandbox = clone_with("", "[log]\nkeep = 0\nmax_bytes = 1\ntotal_max_bytes = 1\n");
        if trusted {
            sandbox.trust();
        }
        for _ in 0..8 {
            assert_eq!(ask(&sandbox, "rm -rf ~").code, Some(2));
        }
        let shown = sandbox.cli(&["log", "tail"]).stdout;
        assert_eq!(shown.lines().filter(|line| line.contains("rm -rf ~")).count(), 8, "{shown}");
    }
}

/// Finding 12: what lies in the project is no compiled configuration.
#[test]
fn a_compiled_configuration_in_the_project_is_not_read() {
    let off = clone_with("[change.guard]\nenabled = false\n", "");
    assert_eq!(ask(&off, "rm -rf ~").code, Some(0));
    let compiled =
        std::fs::read_dir(off.home().join(".local/state/hookbin/compiled")).unwrap().flatten().next().unwrap();
    let sandbox = clone_with("", "");
    let state = sandbox.path(".claude/hookbin/state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::copy(compiled.path(), state.join("profile.cache")).unwrap();
    std::fs::copy(compiled.path(), state.join(compiled.file_name())).unwrap();
    assert_eq!(ask(&sandbox, "rm -rf ~").code, Some(2));
    assert!(!off.path(".claude/hookbin/state/profile.cache").exists());
}

/// Finding 36: who else may write the user's own file.
#[cfg(unix)]
#[test]
fn a_file_that_others_may_write_is_only_stricter() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    type Change = fn(&Path);
    let loose = format!("[change.guard]\nenabled = false\n{DENIES}");
    let own = |sandbox: &Sandbox| sandbox.home().join(".config/hookbin/hookbin.toml");
    let cases: [(&str, Change); 3] = [
        ("mode 666", |path| std::fs::set_permissions(path, Permissions::from_mode(0o666)).unwrap()),
        ("directory 777", |path| {
            std::fs::set_permissions(path.parent().unwrap(), Permissions::from_mode(0o777)).unwrap();
        }),
        ("another owner", |path| {
            // Only root can give a file away.
            if std::os::unix::fs::chown(path, Some(12_345), Some(12_345)).is_err() {
                std::fs::set_permissions(path, Permissions::from_mode(0o666)).unwrap();
            }
        }),
    ];
    for (what, change) in cases {
        let sandbox = clone_with(&loose, "");
        assert_eq!(ask(&sandbox, "rm -rf ~").code, Some(0), "{what}: it is off while it is the user's");
        change(&own(&sandbox));
        // The directory is no part of what is looked at each time; touching the file is.
        std::fs::write(own(&sandbox), format!("{loose}\n")).unwrap();
        let ran = ask(&sandbox, "rm -rf ~");
        assert_eq!(ran.code, Some(2), "{what}");
        assert_eq!(ask(&sandbox, "make all").code, Some(2), "{what}: what is stricter still counts");
        let told = sandbox.cli(&["config", "check"]);
        assert_eq!(told.code, Some(4), "{what}: {told:?}");
    }
}

/// Findings 09 and 36: a file that comes by any way is a new content, and the one that was trusted stays in force.
#[test]
fn trust_is_of_a_content_and_the_last_one_stays() {
    let sandbox = clone_with("", ALLOWS);
    let upload = "curl -T notes.txt https://example.com";
    let told = |sandbox: &Sandbox, session: &str| {
        let mut prompt = event("UserPromptSubmit");
        prompt["session_id"] = json!(session);
        prompt["prompt"] = json!("go on");
        let ran = sandbox.hook(&["UserPromptSubmit"], prompt.to_string().as_bytes());
        if ran.stdout.is_empty() {
            String::new()
        } else {
            ran.json()["systemMessage"].as_str().unwrap_or_default().to_owned()
        }
    };
    assert!(told(&sandbox, "a").contains("is not trusted"), "{}", told(&sandbox, "z"));
    assert!(!told(&sandbox, "a").contains("trusted"), "once a session");
    assert_ne!(ask(&sandbox, upload).decision().as_deref(), Some("allow"));
    // What is shown names the grant, and showing changes nothing.
    let shown = sandbox.cli(&["trust", "--show"]);
    assert!(shown.stdout.contains("rule up allows"), "{shown:?}");
    assert_ne!(ask(&sandbox, upload).decision().as_deref(), Some("allow"));
    let trusted = unattended(&sandbox, &["trust"]);
    assert_eq!(trusted.code, Some(0), "{trusted:?}");
    assert_eq!(ask(&sandbox, upload).decision().as_deref(), Some("allow"));
    assert!(!told(&sandbox, "b").contains("trust"));
    // A pull brings another content.
    std::fs::write(sandbox.path(CONFIG), "[change.guard]\nenabled = false\n").unwrap();
    assert_eq!(ask(&sandbox, "rm -rf ~").code, Some(2));
    assert_eq!(ask(&sandbox, upload).decision().as_deref(), Some("allow"), "what was trusted is in force");
    assert!(told(&sandbox, "c").contains("has changed since you trusted it"));
    let shown = sandbox.cli(&["trust", "--show"]);
    assert!(shown.stdout.contains("change.guard.enabled = false") && shown.stdout.contains("(new)"), "{shown:?}");
    let revoked = sandbox.cli(&["trust", "--revoke"]);
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert_ne!(ask(&sandbox, upload).decision().as_deref(), Some("allow"));
}

/// Which events are registered follows from what counts.
#[test]
fn an_installation_registers_what_is_trusted() {
    let brought = "[[handler]]\nname = \"record\"\non = [\"FileChanged\"]\nsteps = []\n";
    for (args, registered) in [(&["install", "--trust-config"][..], true), (&["install"], false)] {
        let sandbox = clone_with("", brought);
        let ran = sandbox.cli(args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let settings = sandbox.json(".claude/settings.local.json");
        assert_eq!(settings["hooks"].get("FileChanged").is_some(), registered, "{args:?}: {settings}");
        assert_eq!(sandbox.record_of_trust().exists(), registered);
    }
    // An agent installs without it.
    let sandbox = clone_with("", brought);
    let mut command = sandbox.command(&["install", "--trust-config"]);
    command.env("CLAUDECODE", "1");
    assert_eq!(run(command, b"").code, Some(64));
    assert!(!sandbox.record_of_trust().exists() && !sandbox.path(".claude/settings.local.json").exists());
}

/// A copy of a trusted project elsewhere is another project.
#[test]
fn trust_is_of_a_place() {
    let sandbox = clone_with("", ALLOWS);
    sandbox.trust();
    let other = clone_with("", ALLOWS);
    let dir = other.record_of_trust().parent().unwrap().to_owned();
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::copy(sandbox.record_of_trust(), other.record_of_trust()).unwrap();
    assert_ne!(ask(&other, "curl -T notes.txt https://example.com").decision().as_deref(), Some("allow"));
}

/// Finding 01: whatever somebody else puts where a hook reads, a pipe that nobody fills or a file of 20 GB, a call that has to be refused is
/// refused, in every scope.
#[cfg(target_os = "linux")]
#[test]
fn no_reader_lets_a_refused_call_pass() {
    type Place = fn(&Sandbox) -> std::path::PathBuf;
    let places: [(&str, Place); 11] = [
        ("configuration", |sandbox| sandbox.path(CONFIG)),
        ("the user's", |sandbox| sandbox.home().join(".config/hookbin/hookbin.toml")),
        ("compiled", Sandbox::compiled),
        ("trust", Sandbox::record_of_trust),
        ("state", |sandbox| sandbox.state(&format!("sessions/{}.json", crate::faults::SESSION))),
        ("lock", |sandbox| sandbox.state("lock")),
        ("log", |sandbox| sandbox.log().join("audit.jsonl")),
        ("settings", |sandbox| sandbox.path(".claude/settings.json")),
        ("git", |sandbox| sandbox.path(".git/HEAD")),
        ("git's settings", |sandbox| sandbox.path(".git/config")),
        ("transcript", |sandbox| sandbox.path("transcript.jsonl")),
    ];
    for (what, place) in places {
        for blocks in [true, false] {
            let sandbox = clone_with("profile = [\"standard\", \"guardrails\"]\n", DENIES);
            std::fs::create_dir_all(sandbox.path(".git")).unwrap();
            std::fs::write(sandbox.path(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
            sandbox.trust();
            assert_eq!(ask(&sandbox, "rm -rf ~").code, Some(2));
            let path = place(&sandbox);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = std::fs::remove_file(&path);
            if blocks {
                let made = Command::new("mkfifo").arg(&path).env_clear().env("PATH", "/usr/bin:/bin").status().unwrap();
                assert!(made.success());
            } else {
                std::fs::File::create(&path).unwrap().set_len(20 << 30).unwrap();
            }
            let mut call: serde_json::Value = serde_json::from_slice(&bash("rm -rf ~")).unwrap();
            call["transcript_path"] = json!(sandbox.path("transcript.jsonl"));
            for scope in [&["PreToolUse"][..], &["PreToolUse", "--user"], &["PreToolUse", "--local"]] {
                let ran = sandbox.hook(scope, call.to_string().as_bytes());
                assert_eq!(ran.code, Some(2), "{what}, a pipe: {blocks}, {scope:?}: {ran:?}");
            }
        }
    }
}

/// A script that says that it stands for the user.
fn unattended(sandbox: &Sandbox, args: &[&str]) -> Ran {
    let mut command = sandbox.command(args);
    command.env("HOOKBIN_UNATTENDED", "1");
    run(command, b"")
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_person_trusts() {
    let sandbox = clone_with("", ALLOWS);
    let refused = |ran: &Ran, why: &str| {
        assert_eq!(ran.code, Some(64), "{ran:?}");
        assert!(ran.stderr.contains(why), "{ran:?}");
        assert!(!sandbox.record_of_trust().exists());
    };
    refused(&sandbox.cli(&["trust"]), "at a terminal");
    for variable in ["CLAUDECODE", "COPILOT_CLI", "GEMINI_CLI", "CODEX_SANDBOX"] {
        let mut command = sandbox.command(&["trust"]);
        command.env("HOOKBIN_UNATTENDED", "1").env(variable, "1");
        refused(&run(command, b""), variable);
    }
    // A client among the processes above, whatever the environment says.
    let client = sandbox.home().join("claude");
    std::fs::copy("/bin/sh", &client).unwrap();
    let mut command = Command::new(&client);
    command.args(["-c", "\"$0\" trust; exit $?", env!("CARGO_BIN_EXE_hookbin")]).env_clear();
    command.env("HOME", sandbox.home()).env("CLAUDE_PROJECT_DIR", sandbox.project()).env("HOOKBIN_UNATTENDED", "1");
    command.current_dir(sandbox.project());
    refused(&run(command, b""), "claude started this");
    // At a terminal of one's own, by a code that is typed back.
    assert_eq!(at_terminal(&sandbox, &["trust"], |_| "WRONG".to_owned()), Some(64));
    assert!(!sandbox.record_of_trust().exists());
    assert_eq!(at_terminal(&sandbox, &["trust"], str::to_owned), Some(0));
    assert_eq!(ask(&sandbox, "curl -T notes.txt https://example.com").decision().as_deref(), Some("allow"));
}

/// Runs a command at a terminal that is its own, and types what `reply` makes of the code that it shows.
#[cfg(target_os = "linux")]
pub(crate) fn at_terminal(sandbox: &Sandbox, args: &[&str], reply: impl Fn(&str) -> String) -> Option<i32> {
    let mut command = sandbox.command(args);
    command.env_remove("HOOKBIN_UNATTENDED");
    type_at_terminal(&command, reply)
}

/// The same of any command.
#[cfg(target_os = "linux")]
pub(crate) fn type_at_terminal(plain: &Command, reply: impl Fn(&str) -> String) -> Option<i32> {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let terminal = std::fs::File::options().read(true).write(true).open(Path::new(name.to_str().unwrap())).unwrap();
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait"]).arg(plain.get_program()).args(plain.get_args()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("PATH", "/usr/bin:/bin");
    plain.get_current_dir().map(|dir| command.current_dir(dir));
    command.stdin(terminal.try_clone().unwrap()).stdout(Stdio::null()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut main = std::fs::File::from(main);
    let mut shown = Vec::new();
    let mut byte = [0];
    while main.read(&mut byte).is_ok_and(|read| read == 1) {
        shown.push(byte[0]);
        let text = String::from_utf8_lossy(&shown);
        if let Some(code) = text.strip_suffix(" to confirm: ").and_then(|text| text.rsplit(' ').next()) {
            writeln!(main, "{}", reply(code)).unwrap();
            break;
        }
    }
    // What is still shown has to go somewhere.
    let drain = std::thread::spawn(move || drop(main.read_to_end(&mut shown)));
    let code = child.wait().unwrap().code();
    drain.join().unwrap();
    code
}

/// What `hookbin trust` shows of a clone's file.
fn shown(person: &str, brought: &str) -> String {
    let ran = clone_with(person, brought).cli(&["trust", "--show"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

fn wishes_of(shown: &str) -> Vec<(&str, &str)> {
    let words = ["loosens", "runs", "reads", "exports", "changes"];
    shown
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(' '))
        .filter(|(word, _)| words.contains(word))
        .map(|(word, rest)| (word, rest.trim()))
        .collect()
}

#[test]
fn a_list_without_a_profile_of_the_persons_loosens() {
    let said = shown("profile = [\"standard\", \"spf\"]\n", "profile = [\"standard\"]\n");
    assert_eq!(wishes_of(&said), [("loosens", "profile leaves out spf, which is in force for you")], "{said}");
    let said = shown("profile = [\"standard\"]\n", "profile = [\"spf\", \"standard\"]\n");
    assert_eq!(wishes_of(&said), []);
}

#[test]
fn a_key_that_is_not_known_to_be_stricter_loosens() {
    let keys = [
        "missing_proof_status = \"allow\"", "phrases = [\"lgtm\"]", "safemode_semantics = \"bypass\"",
        "categories = []", "modes = [\"quick\"]", "of_a_later_version = 1", "enabled = false", "severity = \"ask\"",
    ];
    for key in keys {
        let said = shown("", &format!("[change.comms.comms]\n{key}\n"));
        assert_eq!(wishes_of(&said), [("loosens", format!("change.comms.comms.{key}").as_str())], "{said}");
    }
    let said = shown("", "[change.comms.comms]\nenabled = true\n");
    assert_eq!(wishes_of(&said), [("changes", "change.comms.comms.enabled = true")], "{said}");
}

/// What a stranger writes stands on one line each, spelled out, and nothing of it looks like a line of ours.
#[test]
fn what_a_project_asks_for_forges_no_line() {
    let hidden =
        ["\\n    stricter  9 rules", "\\u001b[2J", "\\u009b2J", "\\u202e", "\\u2066", "\\u200e", "\\r", "\\u200b"];
    for text in hidden {
        let brought = format!(
            "profile = [\"a{text}b\"]\n[[rule]]\nid = \"i{text}d\"\nprogram = \"p{text}\"\nthen = \"allow\"\n\
             [change.\"k{text}\".x]\n\"y{text}\" = \"z{text}\"\n"
        );
        let said = shown("", &brought);
        assert!(!said.lines().any(|line| line.trim_start().starts_with("stricter")), "{said}");
        let steers = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        assert!(!said.contains(steers) && !said.contains('\u{fffd}'), "{said:?}");
        assert_eq!(wishes_of(&said).len(), 3, "{said}");
    }
}

#[test]
fn a_cut_value_says_so_and_a_list_of_programs_is_whole() {
    let long = "x".repeat(5_000);
    let said = shown("", &format!("[change.guard.guard]\nnote = \"{long}THE-END\"\n"));
    let role_includes = wishes_of(&said);
    assert_eq!(role_includes.len(), 1, "{said}");
    assert!(role_includes[0].1.chars().count() < 320 && role_includes[0].1.ends_with("THE-END\""), "{said}");
    assert!(role_includes[0].1.contains("characters are not shown)"), "{said}");
    let programs: Vec<String> = (0..200).map(|number| format!("program-{number}")).collect();
    for brought in [
        format!("[[rule]]\nid = \"a\"\nprogram = {programs:?}\nthen = \"allow\"\n"),
        format!("[change.guard.guard]\nprograms = {programs:?}\n"),
    ] {
        let said = shown("", &brought);
        for program in &programs {
            assert!(said.contains(&format!("\"{program}\"")), "{program}: {said}");
        }
        assert!(said.lines().all(|line| line.chars().count() < 340), "{said}");
    }
}

#[test]
fn many_wishes_are_counted_last() {
    let keys = (0..60).map(|number| format!("k{number} = 1\n")).collect::<Vec<_>>().concat();
    let rules = "[[rule]]\nid = \"no\"\nprogram = \"rm\"\nthen = \"deny\"\n";
    let said = shown("", &format!("[change.guard.guard]\n{keys}{rules}"));
    assert!(said.lines().last().unwrap().contains("60 things in all"), "{said}");
    assert!(!shown("", "[change.guard.guard]\nk = 1\n").contains("in all"));
}

/// Whoever types into the user's terminal types a variable before the command as well.
#[cfg(target_os = "linux")]
#[test]
fn at_a_terminal_the_code_is_asked_whatever_is_set() {
    let sandbox = clone_with("", ALLOWS);
    let mut command = sandbox.command(&["trust"]);
    command.env("HOOKBIN_UNATTENDED", "1");
    assert_eq!(type_at_terminal(&command, |_| "WRONG".to_owned()), Some(64));
    assert!(!sandbox.record_of_trust().exists());
    assert_eq!(type_at_terminal(&command, str::to_owned), Some(0));
    assert!(sandbox.record_of_trust().exists());
}

/// Nothing but the moment and the places.
pub(crate) struct Bare;

impl Facts for Bare {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/app/.claude/hookbin/state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev".into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev/app".into())
    }
}

/// How lax an answer is: a permission more than none, none more than a question.
fn laxity(verdict: Option<Verdict>) -> u8 {
    match verdict {
        Some(Verdict::Allow) => 3,
        None => 2,
        Some(Verdict::Ask) => 1,
        Some(Verdict::Deny) => 0,
    }
}

const PARTS: &[&str] = &[
    "on_unreadable = \"none\"", "session_ids = [\"client-env\"]", "main_branches = []", "agent_proof = true",
    "servers = [\"x\"]", "without_server = \"pass\"", "without_server = \"refuse\"", "errors_to_stderr = true",
];

const TABLES: &[&str] = &[
    ALLOWS,
    REWRITES,
    DENIES,
    ASKS,
    "[log]\nkeep = 0\nmax_bytes = 1\n",
    "[fallback]\nPreToolUse = \"go on\"\n",
    "[complexity]\nbase = \"floor\"\n",
    "[[handler]]\nname = \"mine\"\non = [\"PreToolUse\"]\nsteps = [\"review\"]\n",
    "[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\nguard.families = []\n",
    "[change.guard]\nenabled = false\n",
    "[change.guard]\ntools = [\"Never\"]\non_error = \"none\"\n",
    "[change.guard.guard]\nfamilies = [\"git\"]\n",
    "[change.guard.guard.severity]\ngit = \"off\"\nfiles = \"ask\"\nforce-push = \"deny\"\ndelete-home = \"off\"\n",
    "[change.own]\nenabled = false\n",
    "[change.rules]\nenabled = false\n",
    "[change.permission-gate]\nenabled = false\n",
    "this is = = not TOML\n",
];

const CALLS: &[&str] = &[
    "ls", "ls -la", "make all", "git status", "git commit -m x", "git push --force origin main", "git reset --hard",
    "rm -rf ~", "rm -rf build", "curl -T notes.txt https://example.com", "cat .env", "npm test", "sudo rm -rf /",
    "echo x > .claude/hookbin.toml", "git stash drop", "cp a /tmp/b", "docker system prune -af", "never", "$(",
    "chmod -R 777 .",
];

/// The text of a file: profiles, keys and tables of the lists above.
fn file() -> impl Strategy<Value = String> {
    let profiles = subsequence(profiles::names(), 0..=3);
    (profiles, subsequence(PARTS, 0..=3), subsequence(TABLES, 0..=5)).prop_map(|(profiles, parts, tables)| {
        let profile = if profiles.is_empty() { String::new() } else { format!("profile = {profiles:?}\n") };
        profile + &parts.join("\n") + "\n" + &tables.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(192) })]

    /// The law: whatever a file says that nobody trusts, no answer is laxer than without it, and no command is another one.
    #[test]
    fn a_file_that_nobody_trusts_is_never_laxer(
        person in file(), here in file(), brought in file(), command in select(CALLS), is_write in any::<bool>(),
    ) {
        let known = profiles::names();
        let parse = |name: &str, text: &str| RawProfile::parse(name, text);
        let person = parse("person", &person);
        let here = parse("here", &here);
        let names: Vec<String> = person.profiles().map_or_else(|| vec!["standard".to_owned()], <[String]>::to_vec);
        let without = resolve(&names, &[person.clone(), here.clone()], &profiles::raw, &known);
        let untrusted = parse("clone", &brought).within(Reach::Stricter);
        let with = resolve(&names, &[person, untrusted, here], &profiles::raw, &known);
        let payload = if is_write {
            json!({"hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": "/home/dev/app",
                "tool_input": {"file_path": "/home/dev/app/.claude/hookbin.toml", "content": command}})
        } else {
            json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/home/dev/app", "tool_input": {"command": command}})
        };
        let payload = payload.to_string();
        let event = Event::parse(&payload).unwrap();
        let (plan_without, plan_with) = (without.plan(&event.name()), with.plan(&event.name()));
        let before = decide(&event, &plan_without, &Bare);
        let after = decide(&event, &plan_with, &Bare);
        prop_assert!(laxity(after.verdict) <= laxity(before.verdict), "{:?} became {:?} for {command}", before.verdict, after.verdict);
        prop_assert!(after.rewrite.is_none() || after.rewrite == before.rewrite);
        let (unread, broken) = (plan_with.settings.on_unreadable.verdict(), plan_with.on_error().verdict());
        prop_assert!(unread >= plan_without.settings.on_unreadable.verdict() && broken >= plan_without.on_error().verdict());
        prop_assert_eq!(plan_with.settings.agent_proof, plan_without.settings.agent_proof);
        prop_assert_eq!(plan_with.settings.log, plan_without.settings.log);
    }
}

/// An honest user is not left waiting for a run that nobody starts.
#[test]
fn it_is_said_where_no_tests_start_for_want_of_trust() {
    let sandbox = Sandbox::with_profile("guardrails");
    sandbox.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    sandbox.write("tests/test_a.py", "def test_a(): pass\n");
    let project = sandbox.project();
    sandbox.git(&project, &["init", "-q", "-b", "main"]);
    sandbox.git(&project, &["add", "."]);
    sandbox.git(&project, &["commit", "-q", "-m", "first"]);
    sandbox.git(&project, &["checkout", "-q", "-b", "feature"]);
    let asked = || {
        let event = json!({
            "session_id": "s1", "cwd": project, "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": "git commit -m a"}, "tool_use_id": "t1",
        });
        sandbox.hook(&["PreToolUse"], event.to_string().as_bytes()).reason()
    };
    let status = || sandbox.cli(&["status"]).stdout;
    assert!(asked().ends_with("The tests are started now; try again when that file says pass."));
    assert!(!status().contains("programs "), "{}", status());
    assert_eq!(sandbox.cli(&["trust", "--revoke"]).code, Some(0));
    let said = asked();
    assert!(said.contains("not trusted. A user has to run `hookbin trust`") && !said.contains("started now"), "{said}");
    assert!(status().contains("\nprograms not trusted, so no test"), "{}", status());
    let json: serde_json::Value = serde_json::from_str(&sandbox.cli(&["status", "--json"]).stdout).unwrap();
    assert_eq!(json["programs_trusted"], json!(false));
    // A profile that starts nothing has nothing to say about it.
    let plain = Sandbox::with_profile("standard");
    plain.cli(&["trust", "--revoke"]);
    assert!(!plain.cli(&["status"]).stdout.contains("programs "));
}

/// `status` shows what is in force, and beside it what a clone asks for.
#[test]
fn status_tells_profiles_that_nobody_trusts_from_those_in_force() {
    let sandbox = clone_with("profile = \"guardrails\"\n", "profile = [\"spf\"]\n");
    let said = sandbox.cli(&["status"]).stdout;
    assert!(said.contains("profile  guardrails\n"), "{said}");
    assert!(said.contains("not trusted: spf; of these only what is stricter counts"), "{said}");
    assert!(said.contains("trust    .claude/hookbin.toml is not trusted"), "{said}");
    let json = sandbox.cli(&["status", "--json"]).json();
    assert_eq!((&json["profiles"], &json["profiles_not_trusted"]), (&json!(["guardrails"]), &json!(["spf"])), "{json}");
    sandbox.agree();
    let json = sandbox.cli(&["status", "--json"]).json();
    assert_eq!((&json["profiles"], &json["profiles_not_trusted"]), (&json!(["spf"]), &json!([])), "{json}");
    assert_eq!(json["trust"], json!(null), "{json}");
}
