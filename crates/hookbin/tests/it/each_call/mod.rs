//! A hook stopped at each of its system calls that change something: killed before, within and after it, refused by the system with
//! each error that can come, cut short, and without space from there on (invariant 10, SX-04).
//!
//! After each of these, every file holds what it held before or what it holds after an undisturbed run; a run that ended without a word
//! has lost nothing; the documents and the chain verify; the same event delivered again leads to where an undisturbed run leads; and what
//! is refused stays refused.

mod scene;
mod world;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use nix::errno::Errno;
use serde_json::Value;

use self::scene::{SCENES, Scene};
use self::world::{Files, World};
use crate::tracer::{Ended, Fault, Traced, Which};

/// What is put into a call.
const FAULTS: &[Fault] = &[
    Fault::KillBefore,
    Fault::KillWithin,
    Fault::KillAfter,
    Fault::Fails(Errno::ENOSPC),
    Fault::Fails(Errno::EIO),
    Fault::Fails(Errno::EACCES),
    Fault::Fails(Errno::EMFILE),
    Fault::Fails(Errno::EINTR),
    Fault::Short,
    Fault::DiskFull,
];

/// Undisturbed runs of a scene.
struct Expected {
    before: Files,
    /// A damaged document is already quarantined.
    between: Files,
    after: Files,
    /// The same with the figures of before: a call is counted once or, where the run could not, not at all.
    uncounted: Files,
    /// After the same event once more.
    twice: Files,
    thrice: Files,
    last_seq: u64,
    calls: usize,
}

fn expected(world: &World) -> Expected {
    world.reset();
    let before = world.files();
    let last_seq = world.log().map_or(0, |log| log["last_seq"].as_u64().unwrap());
    let first = world.traced(Which::Changing, Fault::None, 0);
    let after = world.files();
    world.deliver();
    let twice = world.files();
    world.deliver();
    let thrice = world.files();
    // A second look shows whether an undisturbed run always ends alike; without that the rest would prove nothing.
    world.reset();
    world.deliver();
    world.scene.holds(&first);
    let again = world.files();
    for (name, text) in &after {
        assert_eq!(again.get(name), Some(text), "{}: {name} differs from run to run", world.scene.name);
    }
    let mut between = after.clone();
    if world.scene.mends {
        between.retain(|name, _| !after.contains_key(&format!("{name} quarantined")));
    }
    let mut uncounted = after.clone();
    uncounted.retain(|name, _| !name.contains("/metrics/"));
    uncounted.extend(before.iter().filter(|(name, _)| name.contains("/metrics/")).map(|(n, t)| (n.clone(), t.clone())));
    Expected { before, uncounted, between, after, twice, thrice, last_seq, calls: first.calls.len() }
}

/// One fault at one call of a scene, and everything that has to hold after it. Returns what does not. `None` where the fault does not fit
/// the call.
fn point(world: &World, expected: &Expected, fault: Fault, at: usize) -> Option<Result<(), String>> {
    world.reset();
    let traced = world.traced(Which::Changing, fault, at);
    if !traced.hit {
        return None;
    }
    let call = &traced.calls[at - 1];
    let mut faults = String::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            write!(faults, "\n  {what}").unwrap();
        }
    };
    let kills = matches!(fault, Fault::KillBefore | Fault::KillWithin | Fault::KillAfter);
    let killed = traced.ended == Ended::Killed;
    check(killed == kills, &format!("ended with {:?}", traced.ended));
    if !killed {
        check(world.scene.answers(&traced), &format!("answered {}{}", traced.stdout, traced.stderr));
    }

    let torn = fault == Fault::KillWithin;
    let now = world.files();
    for what in odd(&now, &[&expected.before, &expected.between, &expected.after], torn) {
        check(false, &format!("after the fault, {what}"));
    }
    let log = world.log();
    let seq = log.as_ref().map_or(0, |log| log["last_seq"].as_u64().unwrap());
    check((0..2).contains(&(seq - expected.last_seq)), &format!("record {seq} after {}", expected.last_seq));
    if let Some(log) = &log {
        let notes = log["notes"].as_array().unwrap();
        let torn_lines = notes.iter().filter(|note| note.as_str().unwrap().contains("torn")).count();
        check(log["good"] == true, &format!("the log: {log}"));
        check(torn_lines <= usize::from(torn), &format!("the log is torn: {log}"));
    }
    if !killed && !told(&traced, world) {
        for what in odd(&now, &[&expected.after], false) {
            check(false, &format!("without a word, {what}"));
        }
        check(seq == expected.last_seq + 1, "no record and no word about it");
    }
    let state = world.state();
    check(state.is_ok() || world.scene.mends, &format!("the state: {state:?}"));

    // The host may deliver an event twice; the second time all is well, and leads to where the first would have led.
    let next = world.deliver();
    check(world.scene.answers(&next), &format!("the next run answered {next:?}"));
    let wanted = [&expected.after, &expected.uncounted, &expected.twice, &expected.thrice];
    for what in odd(&world.files(), &wanted, torn) {
        check(false, &format!("after the next run, {what}"));
    }
    let log = world.log();
    check(log.as_ref().is_some_and(|log| log["good"] == true), &format!("the log after the next run: {log:?}"));
    let state = world.state();
    check(state.is_ok(), &format!("the state after the next run: {state:?}"));
    Some(if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{}, {fault:?} at call {at}, {} {}:{faults}", world.scene.name, call.name, call.path))
    })
}

/// Whether the user or the log was told that something could not be done.
fn told(traced: &Traced, world: &World) -> bool {
    let answer: Value = serde_json::from_str(&traced.stdout).unwrap_or_default();
    answer["systemMessage"].as_str().is_some_and(|text| text.contains("hookbin"))
        || traced.stderr.contains("hookbin could not")
        || world.last_record_has_faults()
}

/// The files that hold what none of the wanted states has. A log of lines may lack the newest of them, and have one that is `torn`.
fn odd(now: &Files, wanted: &[&Files], torn: bool) -> Vec<String> {
    let mut found = Vec::new();
    let names: BTreeSet<&String> = now.keys().chain(wanted.iter().flat_map(|files| files.keys())).collect();
    for name in names.iter().filter(|name| !is_lines(name)) {
        let text = now.get(*name);
        if !wanted.iter().any(|files| files.get(*name) == text) {
            let wanted: Vec<_> = wanted.iter().map(|files| files.get(*name)).collect();
            found.push(format!("{name} holds\n    {text:?} and not one of\n    {wanted:?}"));
        }
    }
    // What was rotated away lies beside the log.
    let logs: BTreeSet<&str> =
        names.iter().filter(|name| is_lines(name)).map(|name| name.trim_end_matches(".1")).collect();
    for log in logs {
        let now = lines(now, log);
        let wanted: Vec<_> = wanted.iter().map(|files| lines(files, log)).collect();
        let all: BTreeSet<&str> = wanted.iter().flatten().copied().collect();
        let odd = now.difference(&all).count();
        let lost = wanted.iter().all(|wanted| !wanted.is_subset(&now));
        if odd > usize::from(torn) || lost {
            found.push(format!("{log} has the lines\n    {now:?} and not those of one of\n    {wanted:?}"));
        }
    }
    found
}

/// Whether lines are appended to the file.
fn is_lines(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".1");
    Path::new(file).extension().is_some_and(|it| it == "log")
        || file.ends_with("-log")
        || file.starts_with(".session-changes-")
        || name.contains("hookbin/registry/events")
}

fn lines<'f>(files: &'f Files, log: &str) -> BTreeSet<&'f str> {
    let old = format!("{log}.1");
    [log, &old].iter().filter_map(|name| files.get(*name)).flat_map(|text| text.lines()).collect()
}

/// Every chosen point of every scene, on as many threads as the machine has cores. Returns how many there were.
fn walk(chosen: impl Fn(&Scene, usize, Fault) -> bool + Sync) -> usize {
    let next = AtomicUsize::new(0);
    let points = AtomicUsize::new(0);
    let faults = std::sync::Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(scene) = SCENES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let world = World::new(scene);
                    let expected = expected(&world);
                    let mut here = 0;
                    for at in 1..=expected.calls {
                        for fault in FAULTS {
                            if !chosen(scene, at, *fault) {
                                continue;
                            }
                            let Some(result) = point(&world, &expected, *fault, at) else { continue };
                            here += 1;
                            faults.lock().unwrap().extend(result.err());
                        }
                    }
                    println!("{}: {} changing calls, {here} points", scene.name, expected.calls);
                    points.fetch_add(here, Ordering::Relaxed);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    points.into_inner()
}

/// A share of the points, spread over all scenes, calls and faults.
#[test]
fn sx_04_a_hook_stopped_at_a_share_of_its_changing_calls() {
    let points = walk(|scene, at, fault| {
        let fault = FAULTS.iter().position(|known| *known == fault).unwrap();
        (scene.name.len() + at * 3 + fault) % if scene.long { 70 } else { 10 } == 0
    });
    println!("{points} points");
    assert!(points > 300, "only {points} points");
}

/// Every point: minutes, and therefore part of `cargo xtask ci --full`.
#[test]
#[ignore = "takes minutes; `cargo xtask ci --full` runs it"]
fn sx_04_a_hook_stopped_at_every_changing_call() {
    let only = std::env::var("HOOKBIN_SCENE").unwrap_or_default();
    let points = walk(|scene, _, _| scene.name.contains(&only));
    println!("{points} points");
    assert!(points > 3_000 || !only.is_empty(), "only {points} points");
}

/// What is refused stays refused, whatever call fails: also those that only look at files.
#[test]
fn sx_04_a_refusal_survives_every_error() {
    let errors = [Errno::EIO, Errno::EMFILE, Errno::EACCES, Errno::EINTR, Errno::ENOSPC];
    let mut points = 0;
    let mut faults = Vec::new();
    for scene in SCENES.iter().filter(|scene| scene.refused && !scene.remembers) {
        let world = World::new(scene);
        world.reset();
        let all = world.traced(Which::Files, Fault::None, 0);
        for (at, error) in (1..=all.calls.len()).flat_map(|at| errors.map(|error| (at, error))) {
            world.reset();
            let traced = world.traced(Which::Files, Fault::Fails(error), at);
            points += 1;
            if traced.hit && !scene.answers(&traced) {
                let call = &traced.calls[at - 1];
                faults.push(format!(
                    "{}, {error} at call {at}, {} {}: {:?}, {}{}",
                    scene.name, call.name, call.path, traced.ended, traced.stdout, traced.stderr
                ));
            }
        }
    }
    println!("{points} points");
    assert!(faults.is_empty(), "{} of {points}:\n{}", faults.len(), faults.join("\n"));
    assert!(points > 100, "only {points} points");
}

/// The watchdog: a run whose system call does not come back before a signal does, be it the first look at the configuration, the lock, or
/// the write of the record. The deadline replaces the run by one that gives the documented answer, also where the answer itself hangs.
#[test]
fn a_run_that_sleeps_in_a_call_is_answered_at_the_deadline() {
    let scene = SCENES.iter().find(|scene| scene.name == "spf, refused").unwrap();
    let all = {
        let world = World::new(scene);
        world.reset();
        world.traced(Which::Files, Fault::None, 0).calls.len()
    };
    // They only sleep, so all may do so at once.
    std::thread::scope(|scope| {
        for at in (1..all).step_by(all / 5) {
            scope.spawn(move || {
                let world = World::new(scene);
                world.reset();
                let begin = std::time::Instant::now();
                let traced = world.traced(Which::Files, Fault::Hangs, at);
                let took = begin.elapsed().as_millis();
                let call = &traced.calls[at - 1];
                assert!(traced.hit, "{call:?}");
                assert!((4_900..9_000).contains(&took), "{took} ms, {call:?}");
                assert_eq!(traced.ended, Ended::Exited(2), "{call:?}: {traced:?}");
                assert_eq!(traced.stdout, "", "the last answer stands on stderr");
                assert!(traced.stderr.contains("deadline"), "{call:?}: {}", traced.stderr);
                assert_eq!(world.log().unwrap()["good"], true);
                assert_eq!(world.deliver().ended, Ended::Exited(2), "the next run");
            });
        }
    });
}
