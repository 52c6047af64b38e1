//! Arguments of a program that do not stand on its line: those that variables add, and those that a plan was made with.

use crate::options::plain_words;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::state::Data;

/// Options with which a plan takes everything away.
const DESTROYS: &[&str] = &["-destroy", "--destroy"];

impl Interp<'_> {
    /// The arguments of a call with what stands elsewhere; `None` where nothing does. `TF_CLI_ARGS_apply=-destroy terraform apply` is
    /// `terraform apply -destroy`.
    pub(super) fn with_added(&self, of: &Invocation<'_>) -> Option<Vec<String>> {
        if of.program.adds.is_empty() {
            return None;
        }
        let options = of.options();
        let verb = options.operands.first().copied().unwrap_or_default();
        let mut added: Vec<String> = Vec::new();
        for name in of.program.adds {
            let value = match name.strip_suffix('*') {
                Some(begin) => self.state.vars.get(&format!("{begin}{verb}")),
                None => self.state.vars.get(*name),
            };
            let value = value.and_then(|var| var.values.first());
            added.extend(value.into_iter().flat_map(|value| value.split_whitespace()).map(str::to_owned));
        }
        if of.program.tool == Tool::Terraform && verb == "apply" {
            let plan = options.operands.get(1).and_then(|plan| self.content(plan));
            added.extend(plan.filter(|plan| DESTROYS.contains(&plan.as_ref())).map(|plan| plan.to_string()));
        }
        (!added.is_empty()).then(|| of.args.iter().cloned().chain(added).collect())
    }

    /// `terraform plan -destroy -out FILE`: what the file does when it is applied.
    pub(super) fn planned(&mut self, of: &Invocation<'_>) {
        let options = of.options();
        let destroys = of.args.iter().find(|arg| DESTROYS.contains(&arg.as_str()));
        let plans = of.program.tool == Tool::Terraform && plain_words(of.args).any(|word| word == "plan");
        if let (true, Some(option), Some(file)) = (plans, destroys, options.value(&["-out", "--out"])) {
            self.store(file, &Data::from(option.as_str()));
        }
    }
}
