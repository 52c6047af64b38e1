//! Commands of Windows that are typed into a shell of the POSIX kind: those that remove, fetch and run, and change the system.

use crate::options::plain_words;
use crate::path::Place;
use crate::programs::{Invocation, Tool};
use crate::resolve::Interp;
use crate::resolve::action::Kind;
use crate::resolve::code::{cmd, powershell};
use crate::resolve::exec::{Call, quoted};
use crate::resolve::state::Data;
use crate::resolve::taint::TAINT_NETWORK;

impl Interp<'_> {
    /// Programs of this module; tells whether it is one.
    pub(super) fn windows(&mut self, of: &Invocation<'_>, call: &Call) -> bool {
        let Invocation { program, args, .. } = *of;
        let text = || crate::resolve::shown(&of.text());
        let lower: Vec<String> = args.iter().map(|arg| arg.to_ascii_lowercase()).collect();
        let has = |word: &str| lower.iter().any(|arg| arg == word);
        let fetches =
            lower.iter().any(|arg| arg.contains("http://") || arg.contains("https://") || arg.starts_with("\\\\"));
        match program.tool {
            Tool::WindowsDelete => {
                self.as_windows(of, call);
            }
            Tool::Rmdir | Tool::Del if has("/s") => self.as_windows(of, call),
            Tool::Mshta if fetches || lower.iter().any(|arg| arg.contains("script:")) => {
                self.act_at(Kind::RunRemote, None, text(), call.span);
            }
            Tool::Regsvr32 if lower.iter().any(|arg| arg.starts_with("/i:http") || arg.starts_with("-i:http")) => {
                self.act_at(Kind::RunRemote, None, text(), call.span);
            }
            Tool::Rundll32 if fetches || lower.iter().any(|arg| arg.contains("script:")) => {
                self.act_at(Kind::RunRemote, None, text(), call.span);
            }
            Tool::Msiexec if fetches => self.act_at(Kind::RunRemote, None, text(), call.span),
            Tool::Certutil if fetches => {
                // The last operand is the file.
                if let Some(file) = plain_words(args).rfind(|arg| !arg.starts_with('/') && !arg.contains("://")) {
                    self.written_file(file, false, call.span);
                    self.store(file, &Data::from(TAINT_NETWORK.to_string()));
                }
            }
            Tool::Bcdedit if lower.iter().any(|arg| arg.starts_with("/set") || arg.starts_with("/delete")) => {
                self.act_at(Kind::SystemSetting, None, text(), call.span);
            }
            Tool::Diskpart if has("/s") => self.act_at(Kind::SystemSetting, None, text(), call.span),
            Tool::SetMppreference
                if lower.iter().any(|arg| arg.starts_with("-disable") || arg.starts_with("-exclusion")) =>
            {
                self.act_at(Kind::SystemSetting, None, text(), call.span);
            }
            Tool::Vssadmin if has("delete") => self.act_at(Kind::Disk, None, text(), call.span),
            Tool::Wmic if has("shadowcopy") && has("delete") => self.act_at(Kind::Disk, None, text(), call.span),
            Tool::Wmic if has("process") && (has("delete") || has("terminate")) => {
                self.act_at(Kind::KillMany, None, text(), call.span);
            }
            Tool::Partitions if of.name.contains('-') => self.act_at(Kind::Disk, None, text(), call.span),
            Tool::Reg => self.registry(&lower, text(), call),
            Tool::Schtasks if has("/create") || has("/change") || has("/delete") => {
                self.act_at(Kind::Schedule, None, text(), call.span);
            }
            Tool::Wevtutil if has("cl") || has("clear-log") => {
                self.act_at(Kind::SystemSetting, None, text(), call.span);
            }
            Tool::Sc if has("create") => self.act_at(Kind::Persist, None, text(), call.span),
            Tool::Sc if has("delete") || has("config") => self.act_at(Kind::SystemSetting, None, text(), call.span),
            // Only what holds for the whole machine; no scope means that.
            Tool::WindowsPolicy if !lower.iter().any(|arg| matches!(arg.as_str(), "process" | "currentuser")) => {
                self.act_at(Kind::SystemSetting, None, text(), call.span);
            }
            Tool::WindowsSettings | Tool::EmptiesTrash => self.act_at(Kind::SystemSetting, None, text(), call.span),
            Tool::StartsLater => self.act_at(Kind::Persist, None, text(), call.span),
            Tool::WindowsAccounts => self.act_at(Kind::Account, None, text(), call.span),
            Tool::Forfiles => {
                // `forfiles /p DIR /s /c LINE`: the line is run for each file.
                let after = |option: &str| lower.iter().position(|arg| arg == option).and_then(|at| args.get(at + 1));
                let dir = after("/p").map_or(".", String::as_str);
                if let Some(line) = after("/c") {
                    let line = line.replace("@file", &format!("{dir}/*")).replace("@path", &format!("{dir}/*"));
                    cmd(self, &line, call);
                }
            }
            _ => return false,
        }
        true
    }

    fn as_windows(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { name, args, .. } = *of;
        let words: Vec<String> = std::iter::once(name.to_owned()).chain(args.iter().map(|arg| quoted(arg))).collect();
        powershell(self, &words.join(" "), call);
    }

    /// `reg add KEY`, `reg delete KEY`: keys that start programs, and those of the whole machine.
    fn registry(&mut self, lower: &[String], text: String, call: &Call) {
        const STARTS: &[&str] = &[
            "\\run", "\\runonce", "\\winlogon", "\\image file execution options", "\\services\\",
            "\\policies\\explorer",
        ];
        let verb = lower.first().map_or("", String::as_str);
        let key = lower
            .get(1)
            .map_or("", String::as_str)
            .replace('/', "\\")
            .replace("hkcu:", "hkcu")
            .replace("hklm:", "hklm");
        let starts = STARTS
            .iter()
            .any(|part| key.ends_with(part) || key.contains(&format!("{}\\", part.trim_end_matches('\\'))));
        let machine = !(key.starts_with("hkcu") || key.starts_with("hkey_current_user"));
        match verb {
            "add" | "copy" | "restore" if starts => self.act_at(Kind::Persist, None, text, call.span),
            "add" | "copy" | "restore" | "import" if machine => self.act_at(Kind::SystemSetting, None, text, call.span),
            "delete" if machine => self.act_at(Kind::Delete, Some(Place::System), text, call.span),
            "delete" => self.act_at(Kind::SystemSetting, None, text, call.span),
            _ => {}
        }
    }
}
