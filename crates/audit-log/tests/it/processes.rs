//! Many processes at once, killed ones, and ones that the system stops: this test binary started again as a child.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use hook_audit_log::text::TextLog;
use hook_audit_log::{AuditLog, Error, Limits, Record, verify};

use crate::support::{Trail, all_lines, assert_chained, at, is_record_file, names, note};

const JOB: &str = "AUDIT_TEST_JOB";
const SMALL: Limits = Limits { max_bytes: 20_000, keep: 500, total_max_bytes: 1 << 30 };
const LARGE: Limits = Limits { max_bytes: 1 << 30, keep: 0, total_max_bytes: 1 << 31 };

/// Not a test: the child. Without a job it has nothing to do.
#[test]
fn child() {
    let Ok(job) = std::env::var(JOB) else { return };
    let words: Vec<_> = job.split('|').collect();
    let [kind, path, who] = words[..] else { panic!("bad job {job}") };
    let limits = if kind.starts_with("small") { SMALL } else { LARGE };
    let log = AuditLog::new(path, limits).with_lock_wait(Duration::from_secs(60));
    match kind {
        "small" | "large" => {
            for n in 0..50 {
                log.append(&marked(who, n)).unwrap();
            }
        }
        "small-endless" => {
            for n in 0.. {
                log.append(&marked(who, n)).unwrap();
                // Said only after it is done, so the parent knows what must not be lost.
                let mut out = std::io::stdout().lock();
                writeln!(out, "done {who}/{n}").unwrap();
                out.flush().unwrap();
            }
        }
        "large-until-full" => {
            let error = (0..10_000).find_map(|n| log.append(&note(n)).err()).unwrap();
            match &error {
                Error::ShortWrite { restored, written, wanted, .. } => assert!(*restored && written < wanted),
                other => panic!("{other}"),
            }
            assert!(error.to_string().ends_with("they were taken back; free some space"), "{error}");
        }
        "text" => {
            let log = text_log(path);
            for n in 0..100 {
                log.rotate_if_needed().unwrap();
                log.append(&format!("{who}/{n}")).unwrap();
            }
        }
        other => panic!("unknown job {other}"),
    }
}

fn marked(who: &str, n: u64) -> Record<'static> {
    Record { tool_use_id: Some(format!("{who}/{n}").into()), ..Record::new(at(0), "PostToolUse") }
}

fn text_log(path: impl AsRef<Path>) -> TextLog {
    TextLog { max_bytes: 20_000, keep_lines: 10, lock_wait: Duration::from_secs(60), ..TextLog::new(path.as_ref()) }
}

fn command(kind: &str, path: &Path, who: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::child", "--nocapture", "--test-threads=1"]);
    command.env(JOB, format!("{kind}|{}|{who}", path.display()));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn wait_all(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn id(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    value["tool_use_id"].as_str().unwrap().to_owned()
}

fn ids(dir: &Path) -> Vec<String> {
    all_lines(dir).iter().map(|line| id(line)).collect()
}

#[test]
fn s0_127_sixteen_writers_lose_tear_and_double_nothing() {
    for kind in ["large", "small"] {
        let trail = Trail::new();
        wait_all((0..16).map(|who| command(kind, &trail.dir, &who.to_string()).spawn().unwrap()).collect());

        let lines = all_lines(&trail.dir);
        assert_eq!(lines.len(), 800);
        assert_chained(&lines, 1, "0".repeat(64));
        let found: BTreeSet<_> = ids(&trail.dir).into_iter().collect();
        let expected = (0..16).flat_map(|who| (0..50).map(move |n| format!("{who}/{n}"))).collect();
        assert_eq!(found, expected);
        let report = verify(&trail.dir).unwrap();
        assert!(report.findings.is_empty() && report.records == 800, "{report:?}");
        // Some ten files of 20,000 bytes with the small limit; and nothing but files of the trail.
        let names = names(&trail.dir);
        assert!(if kind == "small" { names.len() > 8 } else { names.len() == 2 }, "{names:?}");
        assert!(names.iter().all(|n| n == "chain.head" || is_record_file(n)), "{names:?}");
    }
}

#[test]
fn killed_writers_lose_nothing_that_was_done() {
    let trail = Trail::new();
    let mut done = Vec::new();
    for round in 0_u64..12 {
        let mut children: Vec<_> = (0..3)
            .map(|who| command("small-endless", &trail.dir, &format!("{round}.{who}")).spawn().unwrap())
            .collect();
        let mut outs: Vec<_> = children.iter_mut().map(|child| BufReader::new(child.stdout.take().unwrap())).collect();
        // Not before all have begun; then at some odd moment.
        for out in &mut outs {
            let mut line = String::new();
            // The test harness puts its own words before the first.
            while !line.contains("done ") {
                line.clear();
                assert_ne!(out.read_line(&mut line).unwrap(), 0);
            }
            done.extend(line.trim_end().rsplit("done ").next().map(str::to_owned));
        }
        thread::sleep(Duration::from_micros(300 + round * 777));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        for mut out in outs {
            let mut rest = String::new();
            out.read_to_string(&mut rest).unwrap();
            // The last line may be cut off.
            let whole = rest.rsplit_once('\n').map_or("", |(whole, _)| whole);
            done.extend(whole.lines().filter_map(|l| l.strip_prefix("done ")).map(str::to_owned));
        }
    }
    let report = verify(&trail.dir).unwrap();
    assert!(report.is_good(), "{report:?}");
    // A writer that was killed within its write leaves a torn line, which the next record closes and names.
    let lines = all_lines(&trail.dir);
    let (whole, torn): (Vec<&String>, Vec<_>) =
        lines.iter().partition(|line| serde_json::from_str::<serde_json::Value>(line).is_ok());
    assert!(torn.len() <= 36, "{torn:?}");
    let found: BTreeSet<_> = whole.into_iter().map(|line| id(line)).collect();
    let lost: Vec<_> = done.iter().filter(|id| !found.contains(*id)).collect();
    assert!(lost.is_empty() && done.len() >= 36, "lost {lost:?} of {}", done.len());
    assert_eq!(found.len() as u64, report.records, "each once");
    // At most one unacknowledged record per killed writer.
    assert!(found.len() <= done.len() + 36, "{} found, {} done", found.len(), done.len());

    let log = AuditLog::new(&trail.dir, SMALL);
    assert_eq!(log.append(&marked("after", 0)).unwrap().seq, report.last_seq + 1);
    assert!(verify(&trail.dir).unwrap().is_good());
}

#[test]
fn a_line_that_does_not_fit_is_taken_back() {
    let trail = Trail::new();
    let child = command("large-until-full", &trail.dir, "0");
    // The shell's own limit is the only way to set one without unsafe code; ignored signals are inherited.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 9; exec \"$@\"", "sh"]).arg(child.get_program()).args(child.get_args());
    shell.env(JOB, format!("large-until-full|{}|0", trail.dir.display()));
    let output = shell.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");

    let before = verify(&trail.dir).unwrap();
    assert!(before.findings.is_empty() && before.records > 5, "{before:?}");
    assert_eq!(trail.log.append(&note(1)).unwrap().seq, before.last_seq + 1);
    assert!(verify(&trail.dir).unwrap().findings.is_empty());
}

#[test]
fn s0_128_eight_appenders_lose_no_line_while_a_text_log_rotates() {
    for round in 0..4 {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("spf.log");
        // Nearly full, so that exactly one rotation happens among the appends and the one backup has all before it.
        let filler = format!("{}\n", "f".repeat(99)).repeat(198 - round);
        std::fs::write(&path, &filler).unwrap();
        wait_all((0..8).map(|who| command("text", &path, &who.to_string()).spawn().unwrap()).collect());

        let old = std::fs::read_to_string(root.path().join("spf.log.1")).unwrap();
        let new = std::fs::read_to_string(&path).unwrap();
        assert!(old.starts_with(&filler));
        let lines: BTreeSet<_> =
            old.lines().chain(new.lines()).filter(|l| !l.starts_with('f')).map(str::to_owned).collect();
        let expected: BTreeSet<_> = (0..8).flat_map(|who| (0..100).map(move |n| format!("{who}/{n}"))).collect();
        assert_eq!(lines, expected);
        assert_eq!(names(root.path()), ["spf.log", "spf.log.1"]);
    }
}
