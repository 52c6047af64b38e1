//! The guard without a runtime, by the facts of this machine.

use std::ffi::OsString;
use std::path::Path;

use hook_policy::{Facts, Guard, Verdict};
use hook_runtime::LocalFacts;

/// A home with a project in it, and the facts about that.
fn place() -> (tempfile::TempDir, String, LocalFacts) {
    let home = tempfile::tempdir().unwrap();
    let real = std::fs::canonicalize(home.path()).unwrap();
    let project = real.join("project");
    std::fs::create_dir(&project).unwrap();
    let named = OsString::from(&real);
    let facts = LocalFacts::new(&project).with_environment(move |name| (name == "HOME").then(|| named.clone()));
    (home, project.display().to_string(), facts)
}

#[test]
fn links_and_the_home_dir_are_those_of_this_machine() {
    let (home, project, facts) = place();
    let guard = Guard::standard();
    std::os::unix::fs::symlink("/etc", Path::new(&project).join("conf")).unwrap();
    std::os::unix::fs::symlink("/usr/not/there", Path::new(&project).join("gone")).unwrap();
    let answer = guard.check_with("rm -rf conf/ssl", &project, &facts);
    assert_eq!(answer.verdict, Some(Verdict::Deny), "{answer:?}");
    assert!(answer.reason.unwrap().contains("/etc/ssl"));
    assert_eq!(facts.real_path(&format!("{project}/gone/x")).as_deref(), Some("/usr/not/there/x"));
    assert_eq!(guard.check_with("rm -rf ~", &project, &facts).rule.as_deref(), Some("delete-home"));
    assert_eq!(facts.home().as_deref(), std::fs::canonicalize(home.path()).unwrap().to_str());
    assert!(guard.check_with("rm -rf build", &project, &facts).allows());
}

#[test]
fn nothing_is_remembered_between_two_questions() {
    let (_home, project, facts) = place();
    let guard = Guard::standard();
    let link = Path::new(&project).join("out");
    std::fs::create_dir(&link).unwrap();
    assert!(guard.check_with("rm -rf out/ssl", &project, &facts).allows());
    std::fs::remove_dir(&link).unwrap();
    std::os::unix::fs::symlink("/etc", &link).unwrap();
    assert!(!guard.check_with("rm -rf out/ssl", &project, &facts).allows());
}

#[test]
fn files_and_git_of_the_project_are_told() {
    let (_home, project, facts) = place();
    let git = |args: &[&str]| {
        let run = std::process::Command::new("git").arg("-C").arg(&project).args(args).output().unwrap();
        assert!(run.status.success(), "{run:?}");
    };
    git(&["init", "-q", "-b", "trunk"]);
    git(&["config", "alias.wipe", "reset --hard"]);
    std::fs::write(Path::new(&project).join("a.txt"), "one\ntwo\n").unwrap();
    assert_eq!(facts.project_file("a.txt").as_deref(), Some("one\ntwo\n"));
    assert_eq!(facts.file_info("a.txt").unwrap().bytes, 8);
    assert_eq!(facts.git_setting(&project, "alias.wipe").as_deref(), Some("reset --hard"));
    assert_eq!(facts.repository(&project).unwrap().top.as_deref(), Some(project.as_str()));
    // The alias is what it stands for.
    let guard = Guard::standard();
    let (direct, alias) = ("git reset --hard", "git wipe");
    let rule = |command| guard.check_with(command, &project, &facts).rule;
    assert_eq!(rule(direct), rule(alias));
    assert!(rule(direct).is_some());
}

#[test]
fn facts_and_guard_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let (_home, project, facts) = place();
    let guard = Guard::standard();
    shared(&facts);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(!guard.check_with("rm -rf /etc", &project, &facts).allows()));
        }
    });
}
