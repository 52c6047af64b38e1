//! A hook stopped at each of its system calls that change something: killed before, within and after it, refused by the system with
//! each error that can come, cut short, and without space from there on (invariant 10, SX-04).
//!
//! After each of these, every file holds what it held before or what it holds after an undisturbed run; a run that ended without a word
//! has lost nothing; the documents and the chain verify; the same event delivered again leads to where an undisturbed run leads; and what
//! is refused stays refused.

mod scene;
mod world;

use std::collections::BTreeMap;
use std::fmt::Write as _;
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
    after: Files,
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
    Expected { before, after, twice, thrice, last_seq, calls: first.calls.len() }
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

    let now = world.files();
    for what in odd(&now, &[&expected.before, &expected.after]) {
        check(false, &format!("after the fault, {what}"));
    }
    let log = world.log();
    let seq = log.as_ref().map_or(0, |log| log["last_seq"].as_u64().unwrap());
    check((0..2).contains(&(seq - expected.last_seq)), &format!("record {seq} after {}", expected.last_seq));
    if let Some(log) = &log {
        let notes = log["notes"].as_array().unwrap();
        let torn = notes.iter().filter(|note| note.as_str().unwrap().contains("torn")).count();
        check(log["good"] == true, &format!("the log: {log}"));
        check(torn <= usize::from(fault == Fault::KillWithin), &format!("the log is torn: {log}"));
    }
    if !killed && !told(&traced, world) {
        for what in odd(&now, &[&expected.after]) {
            check(false, &format!("without a word, {what}"));
        }
        check(seq == expected.last_seq + 1, "no record and no word about it");
    }
    let state = world.state();
    check(state.is_ok(), &format!("the state: {state:?}"));

    // The client may deliver an event twice; the second time all is well, and leads to where the first would have led.
    let next = world.deliver();
    check(world.scene.answers(&next), &format!("the next run answered {next:?}"));
    let wanted = [&expected.after, &expected.twice, &expected.thrice];
    for what in odd(&world.files(), &wanted) {
        check(false, &format!("after the next run, {what}"));
    }
    let log = world.log();
    check(log.is_some_and(|log| log["good"] == true), "the log after the next run");
    let state = world.state();
    check(state.is_ok(), &format!("the state after the next run: {state:?}"));
    Some(if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{}, {fault:?} at call {at}, {} {}:{faults}", world.scene.name, call.name, call.path))
    })
}

/// Whether the person or the log was told that something could not be done.
fn told(traced: &Traced, world: &World) -> bool {
    let answer: Value = serde_json::from_str(&traced.stdout).unwrap_or_default();
    answer["systemMessage"].as_str().is_some_and(|text| text.contains("hookbin")) || world.last_record_has_faults()
}

/// The files that hold what none of the wanted states has.
fn odd(now: &Files, wanted: &[&Files]) -> Vec<String> {
    let mut found = Vec::new();
    let names: BTreeMap<&String, ()> =
        now.keys().chain(wanted.iter().flat_map(|files| files.keys())).map(|name| (name, ())).collect();
    for name in names.into_keys() {
        let text = now.get(name);
        if !wanted.iter().any(|files| files.get(name) == text) {
            let wanted: Vec<_> = wanted.iter().map(|files| files.get(name)).collect();
            found.push(format!("{name} holds {text:?} and not one of {wanted:?}"));
        }
    }
    found
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
        (scene.name.len() + at * 3 + fault) % 10 == 0
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
