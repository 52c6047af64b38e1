//! A configuration of any bytes: it is refused with a place and a reason, or it resolves, and own protection is in force.

use hook_policy::profile::{RawProfile, resolve};
use hook_protocol::event::EventName;
use hookbin::profiles;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let known = profiles::names();
    let _ = RawProfile::salvage_profiles(&text);
    let file = match RawProfile::parse("hookbin.toml", &text) {
        Ok(file) => file,
        Err(error) => return assert!(error.to_string().contains("hookbin.toml"), "{error}"),
    };
    let names = file.profiles().map_or_else(|| vec![profiles::DEFAULT.to_owned()], <[String]>::to_vec);
    match resolve(&names, &[file], &profiles::raw, &known) {
        Ok(profile) => {
            let plan = profile.plan(&EventName::PreToolUse);
            assert!(!plan.handlers.is_empty(), "nothing protects the guard itself");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
