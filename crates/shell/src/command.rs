//! The front door: a command line, read once, and what is asked about it.

use std::rc::Rc;

use crate::layout::Layout;
use crate::path::Places;
use crate::resolve::{Effects, Files, NoFiles, effects_of};
use crate::review::{Approved, judge_script};
use crate::syntax::{Script, parse};

/// A command line for a POSIX shell or bash.
///
/// Reading it never fails and runs nothing. What cannot be read is part of its [effects](Self::effects), so that a caller cannot take a
/// half-read line for a harmless one.
#[derive(Debug, Clone)]
pub struct Command {
    script: Rc<Script>,
    length: u32,
}

/// Where a command runs, and what its caller knows there.
#[derive(Clone)]
pub struct Context<'c> {
    places: Places,
    files: &'c dyn Files,
}

impl Command {
    /// Reads the line, in time proportional to its length.
    pub fn parse(text: &str) -> Self {
        Self { script: Rc::new(parse(text)), length: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    /// The syntax tree.
    pub fn syntax(&self) -> &Script {
        &self.script
    }

    /// What the line does in this context: the programs that really run, behind wrappers, variables, shells in shells and decoded
    /// text, and what each does to files, disks, secrets, processes and other machines.
    pub fn effects(&self, context: &Context<'_>) -> Effects {
        effects_of(&self.script, self.length, &context.places, context.files)
    }

    /// The programs that it runs, if every part of it is proven to read only; `None` proves nothing.
    pub fn only_reads(&self) -> Option<Approved> {
        judge_script(&self.script)
    }
}

impl Context<'static> {
    /// A session of which these directories are known, by absolute paths; a relative one is taken for unknown. An unknown home is a home all
    /// the same. The working directory stands for an unknown project, and the project for an unknown working directory; without either,
    /// relative paths lie inside of a project.
    pub fn new(home: Option<&str>, project: Option<&str>, cwd: Option<&str>) -> Self {
        Self { places: Places::new(home, project, cwd), files: &NoFiles }
    }
}

impl Context<'_> {
    /// The same with answers about files, such as where links lead.
    #[must_use]
    pub fn with_files(self, files: &dyn Files) -> Context<'_> {
        Context { places: self.places, files }
    }

    /// The same with what no command may change.
    #[must_use]
    pub fn with_layout(self, layout: &'static Layout) -> Self {
        Self { places: self.places.with_layout(layout), files: self.files }
    }

    /// The directories.
    pub fn places(&self) -> &Places {
        &self.places
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Context").field("places", &self.places).finish_non_exhaustive()
    }
}
