//! Where the shell stands: `cd`, its stack of directories, and options that start a program elsewhere.

use crate::programs::{Invocation, Tool};
use std::rc::Rc;

use super::Interp;
use super::state::Var;
use super::taint::is_literal;
use crate::options::{Grammar, Options};
use crate::path::Places;

/// Directories that `pushd` puts aside; that there are more is said.
const MOST_PUT_ASIDE: usize = 32;

impl Interp<'_> {
    /// `cd`, `pushd` and `popd`.
    pub(super) fn change_dir(&mut self, of: &Invocation<'_>) {
        let Invocation { program, args, .. } = *of;
        let turn = |arg: &String| {
            arg.strip_prefix(['+', '-'])
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        match (program.tool, args.first()) {
            // The session may have put a directory aside; if not, the shell stays.
            (Tool::Popd | Tool::Pushd, None) if self.state.stack.is_empty() => self.perhaps_on_stack(),
            (Tool::Popd, None) => self.state.cwds = Rc::make_mut(&mut self.state.stack).pop().unwrap_or_default(),
            (Tool::Pushd, None) => {
                if let Some(top) = Rc::make_mut(&mut self.state.stack).last_mut() {
                    std::mem::swap(top, &mut self.state.cwds);
                }
            }
            // Some directory of the stack.
            (Tool::Popd, Some(_)) => self.perhaps_on_stack(),
            (Tool::Pushd, Some(first)) if turn(first) => self.perhaps_on_stack(),
            (Tool::Pushd, Some(_)) => {
                if self.state.stack.len() < MOST_PUT_ASIDE {
                    let here = Rc::clone(&self.state.cwds);
                    Rc::make_mut(&mut self.state.stack).push(here);
                } else {
                    self.state.line.beyond.set(true);
                }
                self.cd(args);
            }
            _ => self.cd(args),
        }
    }

    fn perhaps_on_stack(&mut self) {
        let stack = Rc::clone(&self.state.stack);
        for place in stack.iter().flat_map(|places| places.iter()).chain([&None]) {
            self.state.may_stand_at(place.as_deref());
        }
    }

    pub(super) fn cd(&mut self, args: &[String]) {
        let (_, rest) = Options::until_operand(args, Grammar::GNU);
        let target = rest.first().map(String::as_str);
        let old: Vec<Option<String>> = self.state.cwds.iter().cloned().collect();
        let searched = target.map(|target| self.searched(target)).unwrap_or_default();
        let mut places: Vec<Option<String>> = searched
            .into_iter()
            .map(Some)
            .chain(old.iter().map(|cwd| match target {
                None => Some(self.places.home.clone()),
                Some("-") => None,
                Some(target) => {
                    Places::absolute(target, cwd.as_deref()).map(|path| self.through_links(&path).unwrap_or(path))
                }
            }))
            // No kernel goes to a longer path.
            .map(|place| place.filter(|path| path.len() <= 4096))
            .collect();
        if target == Some("-") {
            match self.state.vars.get("OLDPWD") {
                Some(var) if !var.values.is_empty() => {
                    places = var.values.iter().map(|value| Some(value.to_string())).collect();
                }
                // Another name for a variable has no values of its own.
                Some(_) => places = vec![None],
                // Where the session stood before is not known, and it may have stood nowhere else: then it stays.
                None => places.extend(old.iter().cloned()),
            }
        }
        if let Some(Some(first)) = old.first() {
            self.state.set("OLDPWD", Var::one(first.as_str()));
        }
        self.state.cwds = Rc::new(places);
        self.state.fewer_dirs();
    }

    /// Where `cd` looks first for a directory that is named without a path, if this line says so by `CDPATH`.
    fn searched(&self, target: &str) -> Vec<String> {
        // A name that begins with a dot is searched for as well.
        let here = matches!(target, "." | "..") || target.starts_with("./") || target.starts_with("../");
        if here || target.starts_with(['/', '-']) {
            return Vec::new();
        }
        let Some(path) = self.variable("CDPATH").filter(|path| is_literal(path)) else { return Vec::new() };
        path.split(':')
            .filter(|dir| !matches!(*dir, "" | "."))
            .filter_map(|dir| Places::absolute(&format!("{}/{target}", dir.trim_end_matches('/')), self.state.cwd()))
            .collect()
    }
}
