//! Version control other than git, and programs that bring settings into the home directory: what they put there, or take away, lies among
//! the guard's files.

use crate::options::holds;
use crate::programs::{Invocation, Tool, Tree};
use crate::resolve::Interp;
use crate::resolve::above::poured;
use crate::resolve::exec::Call;
use crate::resolve::taint::PROTECTED_ITEM;

impl Interp<'_> {
    /// Reports what such a program does to a directory that holds files of the guard.
    pub(in crate::resolve) fn others_pour(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        if program.tool == Tool::Stow {
            self.stowed(of, call);
            return;
        }
        let Some(key_store) = program.keeps else { return };
        let options = of.options();
        let helps = ["--help", "--version", "-n", "--dry-run", "-h"];
        let verb = options.operands.first().copied().unwrap_or_default();
        let alone = verb.is_empty() && !matches!(program.tool, Tool::Rcup);
        let updates = verb == "pull" && options.has(&["-u", "--update", "--rebase"]);
        let leaves = key_store.leaving.contains(&verb) && !updates;
        if alone || leaves || args.iter().any(|arg| helps.contains(&arg.as_str())) {
            return;
        }
        match key_store.tree {
            Tree::Here(places) => self.pours_over(options.value(places).unwrap_or("."), call),
            Tree::Named => {
                let mut named: Vec<&str> = options.operands.iter().skip(1).copied().collect();
                named.retain(|path| !path.contains("://"));
                if named.is_empty() {
                    named.push(".");
                }
                for path in named {
                    self.pours_over(path, call);
                }
            }
            // They hand on what git does.
            Tree::Home => {
                let at = args.iter().position(|arg| arg == verb).map_or(args.len(), |at| at + 1);
                let rest = args.get(at..).unwrap_or_default();
                if program.tool != Tool::Yadm || poured(verb, rest).is_some() {
                    self.pours_over("~", call);
                }
            }
        }
    }

    /// `stow -t TARGET PACKAGE`: links to what a package has are put into the target.
    fn stowed(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if options.operands.is_empty() || options.has(&["-n", "--no", "--simulate"]) {
            return;
        }
        let above = options.value(&["-d", "--dir"]).map_or_else(|| "..".to_owned(), |dir| format!("{dir}/.."));
        self.pours_over(options.value(&["-t", "--target"]).unwrap_or(&above), call);
    }

    /// `pax -rwl A B`, `cpio -pl B`: copies that are further names of the same files.
    pub(super) fn packed_as_links(&mut self, of: &Invocation<'_>, names: &[&str], call: &Call) {
        let Invocation { program, args, .. } = *of;
        let passes = args.iter().any(|arg| match program.tool {
            Tool::Pax => arg.starts_with("-w") || arg.starts_with("-rw"),
            _ => arg == "--pass-through" || holds(arg, &['p']),
        });
        let links = args.iter().any(|arg| arg == "--link" || holds(arg, &['l']));
        if !passes || !links {
            return;
        }
        self.own_tree_linked(names, false, call);
        // Whatever a search found there.
        if names.iter().any(|name| name.contains(PROTECTED_ITEM) || self.holds_persons_below(name)) {
            self.ask_own("the guard's files among those that are listed".to_owned(), call);
        }
    }

    /// Whether what a search found may be a file of the user's.
    fn holds_persons_below(&self, found: &str) -> bool {
        let dir = found.split_once(crate::resolve::taint::is_placeholder).map_or("", |(dir, _)| dir);
        !dir.is_empty() && dir != found && self.stands_above_own(dir.trim_end_matches('/'))
    }
}
