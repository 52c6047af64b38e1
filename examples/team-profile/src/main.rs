//! Proves a team's rules as `hookbin config check` does, without hookbin: `cargo run -p example-team-profile`.
//!
//! A team that keeps its rules in a repository of their own runs this in its tests. The rules stand in `hookbin.toml` beside this
//! program; here they are read, proven by their own examples, and asked about commands that none of these names.
#![allow(clippy::print_stdout, reason = "it shows what each rule is proven by")]

use hook_policy::profile::{Profile, RawProfile};
use hook_policy::rule::{Audited, audit};

const TEAM: &str = include_str!("../hookbin.toml");

/// Every rule with what is odd about it. A rule that does not hold is an error.
fn audited() -> anyhow::Result<Vec<Audited>> {
    let profile = Profile::from_toml("hookbin.toml", TEAM)?;
    Ok(audit(&profile, RawProfile::parse("hookbin.toml", TEAM).rules()))
}

fn main() -> anyhow::Result<()> {
    for rule in audited()? {
        let (should_match, should_not_match) = rule.examples;
        println!("{}: fires on {should_match}, spares {should_not_match}", rule.id);
        for finding in rule.findings {
            println!("  {finding}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hook_policy::{Answer, At, Guard, Verdict};

    use super::{TEAM, audited};

    fn said(command: &str) -> Answer {
        Guard::from_toml("hookbin.toml", TEAM)
            .unwrap()
            .check(command, &At::new("/home/user/project").home("/home/user"))
    }

    #[test]
    fn every_rule_is_proven_and_has_a_say() {
        let audited = audited().unwrap();
        assert_eq!(audited.len(), 5);
        assert!(audited.iter().all(|rule| rule.findings.is_empty()), "{audited:?}");
    }

    #[test]
    fn rules_see_through_what_starts_a_program() {
        let verdict = |command| said(command).verdict;
        assert_eq!(verdict("ssh admin@gate 'psql -h prod1 shop'"), Some(Verdict::Deny));
        assert_eq!(verdict("timeout 5 deploy production"), Some(Verdict::Ask));
        assert_eq!(verdict("shopctl list carts"), Some(Verdict::Allow));
        assert_eq!(
            verdict("shopctl list carts && rm -rf /"),
            Some(Verdict::Deny),
            "the guard outranks what a rule allows"
        );
        assert_eq!(said("npm install react").rewrite.as_deref(), Some("pnpm install react"));
        assert!(said("grep -r 'deploy production' docs").allows());
    }
}
