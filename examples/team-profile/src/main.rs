//! Proves a team's rules as `hookbin config check` does, without hookbin: `cargo run -p example-team-profile`.
//!
//! A team that keeps its rules in a repository of their own runs this in its tests. The rules stand in `hookbin.toml` beside this
//! program; here they are read, resolved with a small profile, and asked about commands that none of their examples names.
#![allow(clippy::print_stdout, reason = "it shows what each rule is proven by")]

use anyhow::Context as _;
use hook_policy::profile::{Profile, RawProfile, resolve};
use hook_policy::rule::audit;

const TEAM: &str = include_str!("../hookbin.toml");

/// What stands for `standard` outside hookbin: the guard. A rule has a say where what stands here has none.
const STANDARD: &str = r#"
name = "standard"
about = "refuses destruction"
[[handler]]
name = "guard"
about = "Refuses destruction"
on = ["PreToolUse"]
steps = ["guard"]
"#;

fn team() -> anyhow::Result<(Profile, RawProfile)> {
    let raw = RawProfile::parse("hookbin.toml", TEAM);
    let names = raw.profiles().context("hookbin.toml names no profile")?.to_vec();
    let standard = |name: &str| (name == "standard").then(|| RawProfile::parse(name, STANDARD));
    let profile = resolve(&names, std::slice::from_ref(&raw), &standard, &["standard"]);
    Ok((profile, raw))
}

fn main() -> anyhow::Result<()> {
    let (profile, raw) = team()?;
    for fault in &profile.faults {
        println!("LEFT OUT {fault}");
    }
    for rule in audit(&profile, raw.rules()) {
        let (fires, spares) = rule.examples;
        println!("{}: fires on {fires}, spares {spares}", rule.id);
        for finding in rule.findings {
            println!("  {finding}");
        }
    }
    anyhow::ensure!(profile.faults.is_empty(), "something is left out");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use hook_policy::rule::audit;
    use hook_policy::{Facts, Moment, Verdict, decide};
    use hook_protocol::event::{Event, EventName, PreToolUse};

    use super::team;

    /// Nothing is known of a session here.
    struct NoFacts;

    impl Facts for NoFacts {
        fn now(&self) -> Moment {
            Moment::from_epoch(0)
        }

        fn state_dir(&self) -> Cow<'_, str> {
            "/var/lib/team".into()
        }

        fn project(&self) -> Option<Cow<'_, str>> {
            Some("/home/user/project".into())
        }

        fn home(&self) -> Option<Cow<'_, str>> {
            Some("/home/user".into())
        }
    }

    fn said(command: &str) -> (Option<Verdict>, Option<String>) {
        let (profile, _) = team().unwrap();
        let plan = profile.plan(&EventName::PreToolUse);
        let mut event = Event { body: PreToolUse::bash(command).into(), ..Event::default() };
        event.common.cwd = Some("/home/user/project".into());
        let outcome = decide(&event, &plan, &NoFacts);
        (outcome.verdict, outcome.rewrite)
    }

    #[test]
    fn every_rule_is_proven_and_has_a_say() {
        let (profile, raw) = team().unwrap();
        assert!(profile.faults.is_empty(), "{:?}", profile.faults);
        let audited = audit(&profile, raw.rules());
        assert_eq!(audited.len(), 5);
        assert!(audited.iter().all(|rule| rule.findings.is_empty()), "{audited:?}");
    }

    #[test]
    fn rules_see_through_what_starts_a_program() {
        assert_eq!(said("ssh admin@gate 'psql -h prod1 shop'").0, Some(Verdict::Deny));
        assert_eq!(said("timeout 5 deploy production").0, Some(Verdict::Ask));
        assert_eq!(said("shopctl list carts").0, Some(Verdict::Allow));
        assert_eq!(
            said("shopctl list carts && rm -rf /").0,
            Some(Verdict::Deny),
            "the guard outranks what a rule allows"
        );
        assert_eq!(said("npm install react").1.as_deref(), Some("pnpm install react"));
        assert_eq!(said("grep -r 'deploy production' docs"), (None, None));
    }
}
