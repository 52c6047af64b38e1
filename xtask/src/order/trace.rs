//! Which sections of a traced executable one run touches, by valgrind's `lackey` and the linker's map.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use super::link;
use super::list::{self, Entry};
use crate::sandbox::{Launch, open};
use crate::workspace;

/// A piece of the executable: where it starts, where it ends, what it is.
struct Piece {
    start: u64,
    end: u64,
    entry: Entry,
}

/// The sections of a traced executable, by address.
pub(crate) struct Layout {
    pieces: Vec<Piece>,
}

impl Layout {
    /// Reads what the traced link left in its directory.
    pub(crate) fn load(dir: &Path) -> Result<Self> {
        let read = |name: &str| {
            let path = dir.join(name);
            fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
        };
        let layout = Self::parse(&read(link::MAP)?, &read(link::NAMES)?)?;
        ensure!(
            !layout.pieces.is_empty(),
            "the linker's map in {} names no section; only LLD's is read",
            dir.display()
        );
        Ok(layout)
    }

    fn parse(map: &str, names: &str) -> Result<Self> {
        let mut own = HashMap::new();
        for line in names.lines() {
            let (section, entry) = line.split_once('\t').context("a line of the names has no tab")?;
            own.insert(section, list::entry(entry)?);
        }
        let mut pieces: Vec<Piece> = map.lines().filter_map(|line| piece(line, &own)).collect();
        pieces.sort_by_key(|piece| piece.start);
        Ok(Self { pieces })
    }

    /// Everything that the executable holds.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.pieces.iter().map(|piece| &piece.entry)
    }

    fn at(&self, address: u64) -> Option<&Entry> {
        let after = self.pieces.partition_point(|piece| piece.start <= address);
        let piece = self.pieces.get(after.checked_sub(1)?)?;
        (address < piece.end).then_some(&piece.entry)
    }

    /// Runs the program once and says what it ran and read.
    pub(crate) fn touched(&self, valgrind: &Path, program: &Launch, payload: &Path) -> Result<BTreeSet<Entry>> {
        let log = payload.with_extension("trace");
        let mut file = OsString::from("--log-file=");
        file.push(&log);
        let tool = valgrind.as_os_str().to_owned();
        // A run that is slowed down so much would meet its deadline, where valgrind cannot follow.
        let options = ["--block-signal=ALRM".into(), tool, "--tool=lackey".into(), "--trace-mem=yes".into(), file];
        let mut command = program.under(Path::new("env"), &options);
        command.envs(workspace::path_variable());
        command.stdin(open(payload)?).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().context("start valgrind by `env --block-signal`, of GNU coreutils")?;
        ensure!(matches!(status.code(), Some(0 | 2)), "the traced hook ended with {status}");
        let text = fs::read(&log).with_context(|| format!("read {}", log.display()))?;
        fs::remove_file(&log).with_context(|| format!("remove {}", log.display()))?;
        let addresses: HashSet<u64> = text.split(|byte| *byte == b'\n').filter_map(address).collect();
        ensure!(!addresses.is_empty(), "valgrind's lackey traced nothing");
        Ok(addresses.into_iter().filter_map(|address| self.at(address)).cloned().collect())
    }
}

/// The address of a line such as `I  0043ff54,3` or ` L 1ffefffe7e,8`.
fn address(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    let rest = ["I  ", " L ", " S ", " M "].iter().find_map(|kind| text.strip_prefix(kind))?;
    u64::from_str_radix(rest.split_once(',')?.0, 16).ok()
}

/// A line of the map that names a section of an input file: address twice, size, alignment, `FILE:(SECTION)`.
fn piece(line: &str, own: &HashMap<&str, Entry>) -> Option<Piece> {
    let mut rest = line.trim_start();
    let mut numbers = [0; 4];
    for number in &mut numbers {
        let (field, after) = rest.split_once(' ')?;
        *number = u64::from_str_radix(field, 16).ok()?;
        rest = after.trim_start();
    }
    let [start, _, bytes, _] = numbers;
    let (file, section) = rest.strip_suffix(')')?.rsplit_once(":(")?;
    let entry = match own.get(section) {
        Some(entry) => entry.clone(),
        None if section.starts_with(".text") || section == ".rodata" => member(file)?,
        None => return None,
    };
    Some(Piece { start, end: start.checked_add(bytes)?, entry })
}

/// Which of a function's forms runs is the processor's to say, and valgrind shows another one than the machine.
const FORMS: &[&str] = &["-avx", "-evex", "-sse", "-ssse"];

/// The member of an archive, or the start-up object, that a section comes from.
fn member(file: &str) -> Option<Entry> {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    let Some((archive, object)) = name.strip_suffix(')').and_then(|name| name.split_once('(')) else {
        let is_start_up = name.starts_with("crt") || name.starts_with("rcrt");
        return is_start_up.then(|| Entry::Member { archive: String::new(), object: name.to_owned() });
    };
    let (stem, extension) = archive.rsplit_once('.')?;
    let archive = stem.split_once('-').map_or(archive.to_owned(), |(stem, _)| format!("{stem}*.{extension}"));
    let form = FORMS.iter().filter_map(|form| object.find(form)).min();
    let object = match form.and_then(|at| object.get(..at)) {
        // A library of the compiler's names its members by the build. Libraries of C code are large and cold.
        _ if stem.starts_with("libcompiler_builtins") => "*".to_owned(),
        _ if extension == "rlib" => return None,
        Some(stem) => format!("{stem}-*.o"),
        None => object.to_owned(),
    };
    Some(Entry::Member { archive, object })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
          200540           200540    24478    32 .rodata
          200540           200540       20     8         /t/deps/a.rcgu.o:(.rodata..Lanon.5.1)
          200560           200560      864    32         /usr/lib/libc.a(libc-start.o):(.rodata)
          436ac0           436ac0   5765c8    64 .text
          436ac0           436ac0       26    16         /usr/lib/crt1.o:(.text)
          436af0           436af0       10     1         /t/deps/a.rcgu.o:(.text._RNvC1a1f)
          436af0           436af0        0     1                 f
          436b00           436b00      100    64         /usr/lib/libc.a(memmove-avx-unaligned-erms.o):(.text.avx)
";

    #[test]
    fn addresses_are_told_by_the_map() {
        let layout = Layout::parse(MAP, ".rodata..Lanon.5.1\t=0000000000000007\n.text._RNvC1a1f\ta::f\n").unwrap();
        let member = |archive: &str, object: &str| Entry::Member { archive: archive.into(), object: object.into() };
        assert_eq!(layout.at(0x20_0540), Some(&Entry::Constant(7)));
        assert_eq!(layout.at(0x20_0560), Some(&member("libc.a", "libc-start.o")));
        assert_eq!(layout.at(0x43_6ac0), Some(&member("", "crt1.o")));
        assert_eq!(layout.at(0x43_6aff), Some(&Entry::Named("a::f".into())));
        assert_eq!(layout.at(0x43_6b00), Some(&member("libc.a", "memmove-*.o")));
        assert_eq!(layout.at(0x43_6c00), None);
        assert_eq!(layout.at(1), None);
    }

    #[test]
    fn lines_of_the_trace_are_read() {
        let addresses =
            [&b"I  0043ff54,3"[..], b" L 1ffefffe7e,8", b" S 10,4", b" M 20,4", b"==7== x", b""].map(address);
        assert_eq!(addresses, [Some(0x43_ff54), Some(0x1f_feff_fe7e), Some(0x10), Some(0x20), None, None]);
    }

    #[test]
    fn names_of_archives_lose_their_version() {
        let name = |file: &str| member(file).unwrap().to_string();
        assert_eq!(name("/usr/lib/libm-2.36.a(e_log.o)"), "@libm*.a e_log.o");
        assert_eq!(name("libcompiler_builtins-27cf.rlib(x.o)"), "@libcompiler_builtins*.rlib *");
        assert_eq!(member("liblibsqlite3_sys-27cf.rlib(x-sqlite3.o)"), None);
        assert_eq!(member("/t/deps/symbols.o"), None);
    }
}
