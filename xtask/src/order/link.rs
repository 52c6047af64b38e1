//! This program in the place of the linker: it sees the names of a build's functions, says which of them lie together, and links.
//!
//! The compiler gives each function a section of its own, with a name that changes from build to build. So the list of what hooks run
//! holds plain paths, and only here, between the compiler and the linker, do both meet. What is written is a linker script that adds
//! two sections to the linker's own layout; GNU ld and LLD both take it.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Context, Result};

use super::list::{self, Entry};
use super::object::{self, Section};

/// The section that holds the code of a hook process, in the executable.
const HOT_CODE: &str = ".text.hot";
/// The section that holds the constants of a hook process, in the executable.
const HOT_CONSTANTS: &str = ".rodata.hot";

/// What the linker is asked for, as arguments that the compiler passes on.
const PLACE: &str = "--hookbin-place=";
const TRACE: &str = "--hookbin-trace=";

/// Merges functions that are alike; in a traced executable each has an address of its own.
pub(crate) const FOLD: &str = "-Wl,--icf=all";

/// Changes whenever the script changes, so that cargo links again.
const SCRIPT_VERSION: &str = "1";

/// How the executable is linked.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// As it ships.
    Place,
    /// With a map of every section, for `cargo xtask order`.
    Trace,
}

impl Purpose {
    /// The name of the directory that the link writes to.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Place => "link",
            Self::Trace => "trace",
        }
    }
}

/// Files that a link leaves in its directory.
const SCRIPT: &str = "script.ld";
const REPORT: &str = "report.txt";
pub(crate) const MAP: &str = "map.txt";
pub(crate) const NAMES: &str = "names.txt";

/// Where the list stands in the repository.
pub(crate) fn list_path() -> PathBuf {
    crate::workspace::root().join("xtask/order.txt")
}

/// What the compiler has to be told so that it links through this program; `dir` takes what the link leaves.
pub(crate) fn arguments(purpose: Purpose, dir: &Path) -> Result<Vec<OsString>> {
    let own = crate::workspace::this_program()?;
    fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    let task = match purpose {
        Purpose::Place => PLACE,
        Purpose::Trace => TRACE,
    };
    // The list is no input that cargo knows of: its number makes another list another command line.
    let list = read_text(&list_path())?;
    let version = object::hash_of(format!("{SCRIPT_VERSION}\n{list}").as_bytes());
    let option = |name: &str, value: &OsStr| {
        let mut text = OsString::from(name);
        text.push(value);
        [OsString::from("-C"), text]
    };
    let mut task_argument = OsString::from(format!("link-arg={task}{version:016x}:"));
    task_argument.push(dir);
    Ok([option("linker=", own.as_os_str()), [OsString::from("-C"), task_argument]].concat())
}

/// Links, if this process was started in the place of a linker.
pub(crate) fn in_place_of_linker() -> Option<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (purpose, dir) = arguments.iter().find_map(|argument| asked(argument.to_str()?))?;
    Some(match link(&arguments, purpose, &dir) {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    })
}

fn asked(argument: &str) -> Option<(Purpose, PathBuf)> {
    let (purpose, rest) = match (argument.strip_prefix(PLACE), argument.strip_prefix(TRACE)) {
        (Some(rest), _) => (Purpose::Place, rest),
        (None, rest) => (Purpose::Trace, rest?),
    };
    rest.split_once(':').map(|(_, dir)| (purpose, PathBuf::from(dir)))
}

fn link(arguments: &[OsString], purpose: Purpose, dir: &Path) -> Result<ExitStatus> {
    let own = |argument: &&OsString| argument.to_str().is_some_and(|text| asked(text).is_some());
    let plain: Vec<&OsString> = arguments.iter().filter(|argument| !own(argument)).collect();
    let mut sections = Vec::new();
    for object in plain.iter().filter(|argument| Path::new(argument).extension() == Some(OsStr::new("o"))) {
        let bytes = fs::read(object).with_context(|| format!("read {}", object.display()))?;
        sections.extend(object::sections(&bytes).with_context(|| format!("in {}", object.display()))?);
    }
    match purpose {
        Purpose::Place => {
            let entries = list::parse(&read_text(&list_path())?).context("read the list of what hooks run")?;
            let (text, mut report) = script(&entries, &sections);
            let script = dir.join(SCRIPT);
            write(&script, &text)?;
            let placed = linker().args(&plain).arg(joined("-Wl,-T,", &script)).status().context("start the linker")?;
            report.placed = placed.success();
            write(&dir.join(REPORT), &report.print())?;
            if report.placed { Ok(placed) } else { linker().args(&plain).status().context("start the linker") }
        }
        Purpose::Trace => {
            let lines: Vec<String> =
                sections.iter().map(|section| format!("{}\t{}", section.name, section.entry)).collect();
            write(&dir.join(NAMES), &lines.join("\n"))?;
            let unfolded = plain.iter().filter(|argument| argument.as_os_str() != FOLD);
            let map = joined("-Wl,-Map=", &dir.join(MAP));
            linker().args(unfolded).arg(map).status().context("start the linker")
        }
    }
}

/// The compiler driver that the Rust compiler would have called.
fn linker() -> Command {
    Command::new("cc")
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut text = OsString::from(option);
    text.push(path);
    text
}

/// Whether the list fits a build.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// It does, so the limits of memory and page faults are to be held.
    Good(String),
    /// The list is old.
    Stale(String),
    /// The list is for another compiler or linker, so what a hook touches is not to be judged.
    Not(String),
}

/// Below this the list is old: each function that is not listed may cost 64 KiB.
const LEAST_KNOWN_PERCENT: u64 = 85;

/// How much of the list a build still has.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    pub(crate) listed: u64,
    pub(crate) known: u64,
    pub(crate) code_bytes: u64,
    pub(crate) constant_bytes: u64,
    /// Whether the linker took the script.
    pub(crate) placed: bool,
}

impl Report {
    /// What the last link of that directory reported.
    pub(crate) fn load(dir: &Path) -> Result<Self> {
        let path = dir.join(REPORT);
        Self::parse(&read_text(&path)?).with_context(|| format!("{} is not complete", path.display()))
    }

    /// Whether a hook of this build, by this compiler, touches as little as the list makes possible.
    pub(crate) fn judge(&self, compiler: &str) -> Result<Fit> {
        let text = read_text(&list_path())?;
        Ok(self.judge_by(list::compiler(&text).unwrap_or_default(), compiler))
    }

    fn judge_by(&self, listed_with: &str, compiler: &str) -> Fit {
        let Self { listed, known, placed, .. } = self;
        if !placed {
            return Fit::Not("this linker does not take the order of functions".to_owned());
        }
        if listed_with != compiler {
            return Fit::Not(format!("the order of functions is for {listed_with}, and this is {compiler}"));
        }
        if known * 100 < listed * LEAST_KNOWN_PERCENT {
            return Fit::Stale(format!(
                "only {known} of the {listed} functions and constants in xtask/order.txt are still there; run `cargo xtask order`"
            ));
        }
        Fit::Good(format!("{known} of {listed} listed functions and constants"))
    }

    /// One line for the user who builds.
    pub(crate) fn describe(&self) -> String {
        let Self { listed, known, code_bytes, constant_bytes, placed } = self;
        if !placed {
            return "the linker does not take the order of functions; a hook touches more memory".to_owned();
        }
        format!(
            "{known} of {listed} functions and constants that hooks use lie together: {} KiB of code, {} KiB of constants",
            code_bytes / 1024,
            constant_bytes / 1024
        )
    }

    fn print(&self) -> String {
        let Self { listed, known, code_bytes, constant_bytes, placed } = self;
        format!("{listed} {known} {code_bytes} {constant_bytes} {}\n", u64::from(*placed))
    }

    fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<u64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
        let [listed, known, code_bytes, constant_bytes, placed] = *numbers?.as_slice() else { return None };
        Some(Self { listed, known, code_bytes, constant_bytes, placed: placed == 1 })
    }
}

/// The linker script that puts what is listed side by side, in the order of the list.
fn script(entries: &[Entry], sections: &[Section]) -> (String, Report) {
    let mut by_entry: HashMap<&Entry, Vec<&Section>> = HashMap::new();
    for section in sections {
        by_entry.entry(&section.entry).or_default().push(section);
    }
    let mut report = Report::default();
    let (mut code, mut constants) = (String::new(), String::new());
    let mut members = Vec::new();
    for entry in entries {
        if let Entry::Member { archive, object } = entry {
            let file = if archive.is_empty() { format!("*{object}") } else { format!("*{archive}:{object}") };
            constants.push_str(&format!("    {file}(.rodata)\n"));
            members.push(format!("    {file}(.text .text.*)\n"));
            continue;
        }
        report.listed += 1;
        let Some(found) = by_entry.get(entry) else { continue };
        report.known += 1;
        for section in found {
            let (text, bytes) = if section.is_code {
                (&mut code, &mut report.code_bytes)
            } else {
                (&mut constants, &mut report.constant_bytes)
            };
            text.push_str(&format!("    *({})\n", section.name));
            *bytes += section.bytes;
        }
    }
    // The code stands behind the cold code and ends with what every process needs of the C library, beside the stubs that the linker
    // puts there. The constants stand in front, beside the merged texts. Aligned to the piece that the kernel maps at a fault.
    code.extend(members.into_iter().rev());
    let text = format!(
        "SECTIONS {{\n  {HOT_CONSTANTS} : {{\n{constants}  }}\n}} INSERT BEFORE .rodata;\n\
         SECTIONS {{\n  {HOT_CODE} : ALIGN(65536) {{\n{code}  }}\n}} INSERT AFTER .text;\n"
    );
    (text, report)
}

fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("read {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(name: &str, entry: Entry, is_code: bool) -> Section {
        Section { name: name.into(), entry, is_code, bytes: 10 }
    }

    #[test]
    fn what_is_listed_lies_together_in_the_order_of_the_list() {
        let path = |name: &str| Entry::Named(name.into());
        let member = |archive: &str, object: &str| Entry::Member { archive: archive.into(), object: object.into() };
        let sections = [
            section(".text._Ra", path("a"), true),
            section(".rodata._Ra", path("a"), false),
            section(".text._Rcold", path("cold"), true),
            section(".text._Rb", path("b"), true),
            section(".rodata..Lanon.1.2", Entry::Constant(7), false),
        ];
        let entries =
            [member("libc.a", "exit.o"), path("b"), path("gone"), Entry::Constant(7), path("a"), member("", "crt1.o")];
        let (script, report) = script(&entries, &sections);
        assert_eq!(report, Report { listed: 4, known: 3, code_bytes: 20, constant_bytes: 20, placed: false });
        assert!(!script.contains("cold"), "{script}");
        let at = |text: &str| script.find(text).unwrap_or_else(|| panic!("{text} is missing in {script}"));
        assert!(at("*(.rodata..Lanon.1.2)") < at("*(.rodata._Ra)"));
        assert!(at("*(.text._Rb)") < at("*(.text._Ra)"));
        assert!(at("*(.text._Ra)") < at("*crt1.o(.text .text.*)"));
        assert!(at("*crt1.o(.text .text.*)") < at("*libc.a:exit.o(.text .text.*)"));
    }

    #[test]
    fn the_task_is_read_from_what_the_compiler_passes_on() {
        let is = |argument: &str, dir: &str| asked(argument).is_some_and(|(_, path)| path == Path::new(dir));
        assert!(is("--hookbin-place=0123:/t/link", "/t/link"));
        assert!(is("--hookbin-trace=0123:/t/a:b", "/t/a:b"));
        assert!(asked("-Wl,--icf=all").is_none());
    }

    #[test]
    fn a_report_is_read_and_an_old_list_is_told() {
        let report = Report { listed: 100, known: 84, code_bytes: 1, constant_bytes: 2, placed: true };
        assert_eq!(Report::parse(&report.print()), Some(report));
        let judged = |known, placed, compiler| {
            Report { listed: 100, known, placed, ..Report::default() }.judge_by("rustc 1.95.0", compiler)
        };
        let Fit::Stale(text) = judged(84, true, "rustc 1.95.0") else { panic!("it is old") };
        assert!(text.contains("cargo xtask order"), "{text}");
        assert!(matches!(judged(85, true, "rustc 1.95.0"), Fit::Good(_)));
        assert!(matches!(judged(0, true, "rustc 1.96.0"), Fit::Not(_)));
        assert!(matches!(judged(0, false, "rustc 1.95.0"), Fit::Not(_)));
    }
}
