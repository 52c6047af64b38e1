//! What is wrong with a project's vault, if it has one.

use std::path::Path;

use super::{Finding, Report};
use hook_runtime::project::Project;
use hook_runtime::system::System;
use hook_runtime::vault::{Vault, verify};

/// Looks at the vault of a project.
pub(super) fn look(root: &Path, system: &System, report: &mut Report) {
    let Ok(vault) = Vault::of(&Project::at(root), system) else { return };
    if vault.is_foreign() {
        report.add(Finding::note("vault-foreign", root, vault.foreign()));
    }
    if !vault.exists() {
        return;
    }
    if !vault.is_used() {
        let message = "there is a vault, and the profile in force does not use it";
        report.add(Finding::note("vault-unused", root, message).fixed_by(vault.way_out()));
    }
    match verify(&vault) {
        Err(error) => report.add(Finding::fault("vault", root, format!("the vault cannot be checked: {error:#}"))),
        Ok(problems) => {
            for problem in problems {
                let message = format!("the vault is not whole: {}", problem.message);
                report.add(Finding::fault("vault", &problem.path, message).fixed_by(problem.fix));
            }
        }
    }
}
