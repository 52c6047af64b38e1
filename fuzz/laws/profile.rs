//! A configuration of any bytes: what cannot be read is told with a place, the rest resolves, and own protection is in force.

use hook_policy::profile::{RawProfile, resolve};
use hook_protocol::event::EventName;
use hook_runtime::config::profiles;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let known = profiles::names();
    let _ = RawProfile::salvage_profiles(&text);
    let file = RawProfile::parse("hookbin.toml", &text);
    let mut names = file.profiles().unwrap_or_default().to_vec();
    names.push(profiles::DEFAULT.to_owned());
    let profile = resolve(&names, &[file], &profiles::raw, &known);
    let plan = profile.plan(&EventName::PreToolUse);
    assert!(!plan.handlers.is_empty(), "nothing protects the guard itself");
    for fault in &profile.faults {
        assert!(!fault.message.is_empty() && fault.file == "hookbin.toml", "{fault:?}");
    }
}
