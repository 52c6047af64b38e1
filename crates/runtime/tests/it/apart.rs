//! Tests that change what a whole process has: its limits, its working directory.

use std::process::Command;

/// Says to a process of this binary that it is one that a test has for itself.
const INSIDE: &str = "HOOK_RUNTIME_TEST_APART";

/// Runs `test`, of that name, in a process that a write beyond the limit does not end.
pub(crate) fn in_a_process_of_its_own(name: &str, test: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        return test();
    }
    let own = std::env::current_exe().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]).arg(own).args(["--exact", name, "--nocapture"]);
    let output = shell.env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
