//! Laws that hold for every rule: what is refused stays refused however it is run or spelled, data is no command, and neither white
//! space nor what stands beside a command changes the answer.

use hook_policy::resolve::{NoFiles, resolve};
use hook_policy::rule::{Family, Severity, all, broken};
use hook_policy::shell::{Compound, Simple, Static, parse};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::rules::{places, strictest};

/// A way to run a command: `{}` is the command as it stands, `{q}` the command as one quoted word.
type Template = &'static str;

/// Ways to run any command line.
const LINES: &[Template] = &[
    "bash -c {q}",
    "sh -c {q}",
    "zsh -ec {q}",
    "/bin/bash -xc {q}",
    "bash --norc -c {q}",
    "sudo bash -c {q}",
    "su -c {q}",
    "su root -c {q}",
    "eval {q}",
    "env bash -c {q}",
    "sh <<'EOF'\n{}\nEOF",
    "bash -s <<'EOF'\n{}\nEOF",
    "bash <<< {q}",
    "echo {q} | sh",
    "printf '%s\\n' {q} | bash",
    "cat <<'EOF' | bash\n{}\nEOF",
    "source <(echo {q})",
    "bash <(echo {q})",
    "echo $({}\n)",
    "echo \"$({}\n)\"",
    "x=$({}\n)",
    "cat <({}\n)",
    "({}\n)",
    "{ {}\n}",
    "if true; then {}\nfi",
    "if {}\nthen ls; fi",
    "if false; then ls; else {}\nfi",
    "for i in 1; do {}\ndone",
    "while true; do {}\nbreak; done",
    "until {}\ndo sleep 1; done",
    "case x in x) {}\n;; esac",
    "f() { {}\n}; f",
    "function f { {}\n}\nf",
    "true && { {}\n}",
    "false || { {}\n}",
    "{}\ntrue",
    "true; {}",
    "ls\n{}",
    "{ {}\n} | cat",
    "true | { {}\n}",
    "{ {}\n} &",
    "! { {}\n}",
    "time { {}\n}",
    "{ {}\n} 2>/dev/null",
    "{ {}\n} > /dev/null 2>&1",
    "[[ -n x ]] && { {}\n}",
    "((1)) && { {}\n}",
    "trap {q} EXIT",
    "C={q}; eval \"$C\"",
    "C={q}; bash -c \"$C\"",
    "a=({q}); eval \"${a[0]}\"",
    "alias zz={q}; zz",
    "coproc { {}\n}",
    "watch {q}",
    "script -qc {q} /dev/null",
    "xargs -I@@ sh -c {q} < one.txt",
    "find . -maxdepth 0 -exec sh -c {q} \\;",
    "parallel ::: {q}",
    "timeout 5 sh -c {q}",
    "setsid sh -c {q}",
    "flock /tmp/l -c {q}",
    "tmux new-session -d {q}",
    "nohup bash -c {q} &",
    "python3 -c \"import os; os.system({p})\"",
    "perl -e \"system({p})\"",
    "node -e \"require('child_process').execSync({p})\"",
    "ruby -e \"system({p})\"",
    "python3 -c \"import subprocess as s; s.run({p}, shell=True)\"",
    "python3 -c \"import subprocess; subprocess.run(['bash', '-c', {p}])\"",
    "python3 <<'EOF'\nimport os\nos.system({s})\nEOF",
    "php -r \"system({p});\"",
    "lua -e \"os.execute({p})\"",
    "awk \"BEGIN { system({d}) }\"",
    "node <<'EOF'\nconst { execSync: run } = require('child_process'); run({s});\nEOF",
    "vim -c ':!'{q} -c q",
    "git -c alias.z='!'{q} z",
    "env -S \"sh -c {b}\"",
    "sg users -c {q}",
    "dash -c {q}",
    "busybox sh -c {q}",
    "at now <<'EOF'\n{}\nEOF",
    "systemd-run --user sh -c {q}",
    "sh -c \"$(cat <<'EOF'\n{}\nEOF\n)\"",
    "cat > run.sh <<'EOF'\n{}\nEOF\nbash run.sh",
    "cat > run.sh <<'EOF'\n{}\nEOF\nchmod +x run.sh && ./run.sh",
    "echo {q} > /tmp/run; . /tmp/run",
    "echo {q} | tee run.sh; sh ./run.sh",
    "echo {q} > run; BASH_ENV=run bash -c true",
    "GIT_SSH_COMMAND={q} git fetch",
    "PROMPT_COMMAND={q}",
    "run() { eval \"$@\"; }; run {q}",
    "run() { bash -c \"$1\"; }; run {q}",
    "while read -r line; do eval \"$line\"; done <<< {q}",
    "read -r line <<< {q}; eval \"$line\"",
    "printf -v line %s {q}; eval \"$line\"",
    "declare line={q}; eval \"$line\"",
    "export line={q}; bash -c 'eval \"$line\"'",
    "line=$(echo {q}); eval \"$line\"",
    "eval \"$(printf %s {q})\"",
    "bash -c 'eval \"$0\"' {q}",
    "bash -c 'eval \"$1\"' - {q}",
    "set -- {q}; eval \"$1\"",
    "echo {q} | xargs -I@@ sh -c @@",
    "echo {q} | while read -r line; do sh -c \"$line\"; done",
    "base64 -d <<< {64} | sh",
    "echo {64} | base64 --decode | bash",
    "eval \"$(echo {64} | base64 -d)\"",
    "echo {16} | xxd -r -p | sh",
    "printf {8} | sh",
    "echo {r} | rev | sh",
    "[[ -n $({}\n) ]]",
    "[ -n \"$({}\n)\" ]",
    ": ${x:-$({}\n)}",
    ": ${x:=$({}\n)}",
    ": $(( $({}\n) + 1 ))",
    "(( x = $({}\n) ))",
    "a[$({}\n)]=1",
    "a=($({}\n))",
    "case $({}\n) in x) ls ;; esac",
    "for x in $({}\n); do ls; done",
    "ls > $({}\n)",
    "cat <<< $({}\n)",
    "cat <<EOF\n$({}\n)\nEOF",
    "echo \"a ${b:-$({}\n)} c\"",
    "ls | tee >({}\n)",
    "A=$({}\n) ls",
    "export A=$({}\n)",
    "local A=\"$({}\n)\"",
    "if ! {}\nthen ls; fi",
    "if ls; then ls; elif {}\nthen ls; fi",
    "while {}\ndo ls; done",
    "for ((i = 0; i < 1; i++)); do {}\ndone",
    "case x in *) {}\nesac",
    "f() ({}\n); f",
    "f() { {}\n}; command -v ls; f",
    "f() { {}\n}; f | cat",
    "f() { g; }; g() { {}\n}; f",
    "true && false || { {}\n}",
    "{ {}\n} < <(ls)",
    "({}\n) &\nwait",
    "trap {q} ERR INT",
    "sleep 1 && {}",
    "cd /tmp/x; cd -; {}",
    "set -e; {}",
    "set -euo pipefail\n{}",
    "ls;{}",
    "ls&&{}",
    "ls||{}",
    "ls|{ {}\n}",
    "ls&{}",
    "\\\n{}",
];

/// Prefixes that run the program behind them.
const PREFIXES: &[Template] = &[
    "sudo",
    "sudo -n",
    "sudo -u root",
    "sudo -E --",
    "doas",
    "env",
    "env -i",
    "env A=1",
    "env -u A",
    "A=1",
    "nohup",
    "timeout 5",
    "timeout -s KILL 5s",
    "timeout --kill-after=1 5",
    "nice -n 5",
    "nice",
    "nice -5",
    "ionice -c 3",
    "command",
    "command --",
    "exec",
    "setsid",
    "stdbuf -oL",
    "time",
    "time -p",
    "strace -f",
    "flock /tmp/l",
    "chroot /mnt",
    "unshare -n",
    "busybox",
    "xargs -I@@",
    "sudo env A=1 nohup",
    "find . -maxdepth 0 -exec",
    "git bisect run",
    "script -q /dev/null",
    "setarch -R",
    "systemd-run --scope",
    "env --",
    "env -u A B=2",
    "env -C .",
    "sudo -i",
    "sudo -s",
    "/usr/bin/sudo",
    "/usr/bin/env",
    "\\command",
    "command -p",
    "exec -a name",
    "builtin command",
    "timeout -k 5 10",
    "timeout --preserve-status 1m",
    "nice -n 19 ionice -c2 -n7",
    "A=1 B='x y'",
    "A=$(date)",
    "A=(1 2);",
    "run() { \"$@\"; }; run",
    "run() { shift; \"$@\"; }; run x",
    "set --; time nohup",
    "! ! ",
    "> out.txt",
    "2>&1 < /dev/null",
    "{fd}>/dev/null",
    "!",
    "2>/dev/null",
    "</dev/null",
    "unknown-runner --flag",
];

/// Prefixes that are no programs of their own, or that only look as if they ran what follows in the same way.
fn runs_alone(prefix: &str, program: &str) -> bool {
    match prefix {
        // A builtin is no program that these could start.
        "command" | "command --" | "A=1" | "!" | "2>/dev/null" | "</dev/null" | "time" | "time -p" => true,
        _ => !BUILTINS.contains(&program),
    }
}

const BUILTINS: &[&str] =
    &["eval", "source", ".", "cd", "exec", "export", "trap", "alias", "set", "unset", "printf", "wait", "while", ":"];

/// An example that fires, with the program that it runs if it is one simple command.
#[derive(Debug, Clone)]
struct Example {
    rule: &'static str,
    family: Family,
    text: &'static str,
    severity: Severity,
    simple: Option<Simple>,
}

/// Every example that can stand within another command.
fn examples() -> Vec<Example> {
    all()
        .filter(|rule| !rule.off)
        .flat_map(|rule| rule.fires.iter().map(move |text| (rule, *text)))
        .filter(|(_, text)| parse(text).is_complete())
        .map(|(rule, text)| {
            let severity = strictest(text).unwrap_or_else(|| panic!("{}: {text}", rule.id));
            Example { rule: rule.id, family: rule.family, text, severity, simple: simple(text) }
        })
        .collect()
}

fn simple(text: &str) -> Option<Simple> {
    let script = parse(text);
    let [item] = script.list.items.as_slice() else { return None };
    let [command] = item.pipeline.stages.as_slice() else { return None };
    let Compound::Simple(simple) = &command.kind else { return None };
    (command.redirects.is_empty() && simple.assigns.is_empty() && !item.background && !item.pipeline.negated)
        .then(|| simple.clone())
}

fn program(simple: &Simple, text: &str) -> String {
    simple.words.first().map(|word| word.span.of(text).to_owned()).unwrap_or_default()
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A string of Python, Perl, JavaScript or Ruby, within double quotes of the shell.
fn string_within_double(text: &str) -> String {
    within_double(&string(text))
}

/// A string of such a language by itself, and one with double quotes as awk has them, within double quotes of the shell.
fn string(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}

fn double_string_within_double(text: &str) -> String {
    let string = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    within_double(&string)
}

fn within_double(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The template with the command in it. A mark stands once in a template, and what is filled in is not looked at again.
fn fill(template: &str, command: &str) -> String {
    let marks: [(&str, fn(&str) -> String); 9] = [
        ("{q}", single_quoted),
        ("{p}", string_within_double),
        ("{d}", double_string_within_double),
        ("{s}", string),
        ("{b}", |text| within_double(&single_quoted(text))),
        ("{64}", base64),
        ("{16}", |text| each_byte(text, |byte| format!("{byte:02x}"))),
        ("{8}", |text| single_quoted(&each_byte(text, |byte| format!("\\{byte:03o}")))),
        ("{r}", |text| single_quoted(&text.chars().rev().collect::<String>())),
    ];
    for (mark, write) in marks {
        if let Some((before, after)) = template.split_once(mark) {
            return format!("{before}{}{after}", write(command));
        }
    }
    let (before, after) = template.split_once("{}").unwrap_or_else(|| panic!("no mark in {template}"));
    format!("{before}{command}{after}")
}

/// A name, and how a word is written.
type Spelling = (&'static str, fn(&str) -> String);

/// Each byte of the text, written by `one`.
fn each_byte(text: &str, one: impl Fn(u8) -> String) -> String {
    text.bytes().flat_map(|byte| one(byte).into_bytes()).map(char::from).collect()
}

/// Spellings of one word that mean the same to the shell.
const SPELLINGS: &[Spelling] = &[
    ("single", single_quoted),
    ("double", |text| format!("\"{}\"", within_double(text))),
    ("backslash", |text| text.chars().flat_map(|c| ['\\', c]).collect()),
    ("pieces", |text| text.chars().map(|c| single_quoted(&c.to_string())).collect()),
    ("empty quotes", |text| text.chars().flat_map(|c| ["\"\"".to_owned(), single_quoted(&c.to_string())]).collect()),
    ("hex", |text| format!("$'{}'", each_byte(text, |byte| format!("\\x{byte:02x}")))),
    ("octal", |text| format!("$'{}'", each_byte(text, |byte| format!("\\{byte:03o}")))),
    ("unicode", |text| {
        let codes: Vec<String> = text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect();
        format!("$'{}'", codes.concat())
    }),
    ("locale", |text| format!("${}", SPELLINGS[1].1(text))),
    ("command", |text| format!("\"$(printf %s {})\"", single_quoted(text))),
    ("backticks", |text| format!("\"`printf %s {}`\"", single_quoted(text))),
    ("default", |text| format!("\"${{UNSET_HERE:-{}}}\"", text.replace('}', "\\}"))),
];

/// The words of a command, each in another spelling; those that depend on something stay as they are.
fn spelled(simple: &Simple, text: &str, spell: impl Fn(usize, &str) -> String, between: &str) -> String {
    let words: Vec<String> = simple
        .words
        .iter()
        .enumerate()
        .map(|(at, word)| match word.static_value() {
            Static::Known(value) => spell(at, &value),
            _ => word.span.of(text).to_owned(),
        })
        .collect();
    words.join(between)
}

/// What a broken law looks like.
fn show(broken: &[String]) -> String {
    format!("{} of them:\n{}", broken.len(), broken.join("\n"))
}

#[test]
fn what_is_refused_stays_refused_however_the_line_is_run() {
    let mut lifted = Vec::new();
    for example in examples() {
        for template in LINES {
            let command = fill(template, example.text);
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{template:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_behind_every_prefix() {
    let mut lifted = Vec::new();
    for example in examples() {
        let Some(simple) = &example.simple else { continue };
        let program = program(simple, example.text);
        for prefix in PREFIXES.iter().filter(|prefix| runs_alone(prefix, &program)) {
            let least = match *prefix {
                // Nobody knows whether it runs what follows: a denial becomes a question, and a question nothing.
                "unknown-runner --flag" if example.severity == Severity::Ask => continue,
                "unknown-runner --flag" => Severity::Ask,
                _ => example.severity,
            };
            if strictest(&format!("{prefix} {}", example.text)) < Some(least) {
                lifted.push(format!("{prefix:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_stays_refused_in_every_spelling() {
    let mut lifted = Vec::new();
    for example in examples() {
        let Some(simple) = &example.simple else { continue };
        for (name, spell) in SPELLINGS {
            let command = spelled(simple, example.text, |_, word| spell(word), " ");
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{name}  {}  {command}", example.rule));
            }
        }
        let named = spelled(simple, example.text, |at, _| format!("\"$V{at}\""), " ");
        let variables: String = simple
            .words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| match word.static_value() {
                Static::Known(value) => Some(format!("V{at}={}; ", single_quoted(&value))),
                _ => None,
            })
            .collect();
        let command = variables + &named;
        let mut joined = vec![("variables", command)];
        // One word that the shell takes apart again: only where every word is plain text.
        let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-/._".contains(c));
        let words: Vec<&str> = simple.words.iter().map(|word| word.span.of(example.text)).collect();
        if words.len() > 1 && words.iter().all(|word| plain(word)) {
            joined.push(("braces", format!("{{{}}}", words.join(","))));
            joined.push(("separator variable", words.join("${IFS}")));
            joined.push(("separator variable and parameter", words.join("$IFS$9")));
            joined.push(("one variable", format!("LINE='{}'; $LINE", words.join(" "))));
            joined.push(("array", format!("LINE=({}); \"${{LINE[@]}}\"", words.join(" "))));
            joined.push(("positional", format!("set -- {}; \"$@\"", words.join(" "))));
            joined.push(("own separator", format!("IFS=,; LINE='{}'; $LINE", words.join(","))));
        }
        for (name, command) in joined {
            if strictest(&command) < Some(example.severity) {
                lifted.push(format!("{name}  {}  {command}", example.rule));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn what_is_refused_is_at_least_asked_about_on_another_machine() {
    // What belongs to this machine is not there: its secrets, the guard, the project's repository.
    let here = [Family::Secrets, Family::Own];
    let mut lifted = Vec::new();
    for example in examples() {
        if here.contains(&example.family) || example.text.contains(".git") {
            continue;
        }
        for template in ["ssh host {q}", "ssh -p 22 me@host -- {q}", "ssh host <<'EOF'\n{}\nEOF"] {
            if strictest(&fill(template, example.text)).is_none() {
                lifted.push(format!("{template:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(lifted.is_empty(), "{}", show(&lifted));
}

#[test]
fn a_command_that_is_only_data_is_not_refused() {
    const DATA: &[Template] = &[
        "# {}",
        "ls # {}",
        "echo {q}",
        "echo {q} > notes.md",
        "printf '%s\\n' {q}",
        "grep -F {q} README.md",
        "grep -rn {q} src",
        "rg {q}",
        "git commit -m {q}",
        "git commit --message={q}",
        "git log --grep={q}",
        "git commit -F - <<'EOF'\n{}\nEOF",
        "gh issue create --title x --body {q}",
        "cat <<'EOF'\n{}\nEOF",
        "cat > notes.md <<'EOF'\n{}\nEOF",
        "cat <<'EOF' > docs/notes.md\n{}\nEOF",
        "tee notes.md <<'EOF'\n{}\nEOF",
        ": {q}",
        "X={q}",
        "X={q}; echo \"$X\"",
        "test \"$1\" = {q}",
        "[ \"$1\" = {q} ]",
        "[[ $1 == {q} ]]",
        "case $1 in {q}) ls ;; esac",
        "for x in {q}; do echo \"$x\"; done",
        "echo {q} | wc -c",
        "hookbin explain -- {q}",
        "python3 -c \"print({p})\"",
        "python3 <<'EOF'\ntext = {s}\nprint(text)\nEOF",
        "node -e \"console.log({p})\"",
        "perl -e \"print {p}\"",
        "printf -v x %s {q}",
        "read -r x <<< {q}",
        "wc -c <<< {q}",
        "base64 <<< {q}",
        "sha256sum <<< {q}",
        "sed 's/a/b/' <<< {q}",
        "diff <(echo {q}) notes.md",
        "echo {q} >> CHANGELOG.md",
        "jq -n --arg x {q} '$x'",
        "awk -v x={q} '{ print x }' notes.md",
        "git tag -a v1 -m {q}",
        "git notes add -m {q}",
        "git log -S {q}",
        "git stash push -m {q}",
        "gh pr comment 1 --body {q}",
        "gh issue list --search {q}",
        "notify-send {q}",
        "logger {q}",
        "fgrep {q} notes.md | head -3",
        "ls | grep -v {q}",
        "history | grep {q}",
        "A={q} ls",
        "export A={q}",
        "declare -r A={q}",
        "a=({q}); echo \"${#a[@]}\"",
        "cat <<'EOF' | grep -c a\n{}\nEOF",
        "cat <<'EOF' >> docs/log.md\n{}\nEOF",
        "cat <<-'EOF'\n\t{}\n\tEOF",
        "git commit -m \"$(cat <<'EOF'\n{}\nEOF\n)\"",
        "gh pr create --title x --body \"$(cat <<'EOF'\n{}\nEOF\n)\"",
        "f() { echo {q}; }; f",
        "unused() { {}\n}",
        ": <<'EOF'\n{}\nEOF",
        "echo \"a\" # {}",
        "ls \\\n  # {}",
        "type {q}",
        "bash -n <<'EOF'\n{}\nEOF",
        "shellcheck - <<'EOF'\n{}\nEOF",
    ];
    let mut refused = Vec::new();
    for example in examples() {
        for template in DATA {
            let line_only = template.starts_with('#') || template.starts_with("ls #");
            let ends_early = template.contains("EOF") && example.text.contains("EOF");
            if ends_early || line_only && example.text.contains('\n') {
                continue;
            }
            if let Some(severity) = strictest(&fill(template, example.text)) {
                refused.push(format!("{template:?}  {severity:?}  {}  {}", example.rule, example.text));
            }
        }
    }
    assert!(refused.is_empty(), "{}", show(&refused));
}

#[test]
fn white_space_does_not_change_the_answer() {
    let mut changed = Vec::new();
    let spared = all().flat_map(|rule| rule.spares.iter().copied());
    let texts =
        examples().into_iter().map(|example| example.text).chain(spared).filter(|text| parse(text).is_complete());
    for text in texts {
        let expected = strictest(text);
        for template in ["  {}", "\t{}\t", "\n\n{}\n", "{}  \n\n", "{} ;", "{}\n# done", "# first\n{}"] {
            if text.ends_with(['&', ';']) && template.ends_with(';') {
                continue;
            }
            let command = fill(template, text);
            if strictest(&command) != expected {
                changed.push(format!("{template:?}  {text}"));
            }
        }
        if let Some(simple) = simple(text) {
            for between in ["   ", "\t", " \t ", " \\\n  "] {
                let words: Vec<&str> = simple.words.iter().map(|word| word.span.of(text)).collect();
                if strictest(&words.join(between)) != expected {
                    changed.push(format!("{between:?} between  {text}"));
                }
            }
        }
    }
    assert!(changed.is_empty(), "{}", show(&changed));
}

#[test]
fn harmless_commands_beside_do_not_change_the_answer() {
    const BESIDE: &[Template] = &[
        "ls; {}",
        "{}\nls",
        "echo start && {}",
        "echo 'a b' > out.txt; {}",
        "git status; {}",
        "N=1; {}",
        "cd . && {}",
        "for i in a b; do echo $i; done; {}",
        "{}\necho done | tee log.txt",
        "if [ -f a ]; then echo a; fi; {}",
        "f() { echo hi; }; f; {}",
        "cat <<'X' > doc.md\ntext\nX\n{}",
        "sleep 1 & {}",
    ];
    let mut changed = Vec::new();
    let spared = all().flat_map(|rule| rule.spares.iter().copied());
    let texts =
        examples().into_iter().map(|example| example.text).chain(spared).filter(|text| parse(text).is_complete());
    for text in texts {
        let expected = strictest(text);
        for template in BESIDE {
            let found = strictest(&fill(template, text));
            if found != expected {
                changed.push(format!("{template:?}  {found:?} for {expected:?}  {text}"));
            }
        }
    }
    assert!(changed.is_empty(), "{}", show(&changed));
}

#[test]
fn what_passes_alone_passes_within_shells_and_constructs() {
    const NEUTRAL: &[Template] = &[
        "bash -c {q}",
        "sh <<'EOF'\n{}\nEOF",
        "eval {q}",
        "({}\n)",
        "{ {}\n}",
        "if true; then {}\nfi",
        "for i in 1; do {}\ndone",
        "f() { {}\n}; f",
        "true && { {}\n}",
        "{ {}\n} 2>/dev/null",
        "C={q}; eval \"$C\"",
    ];
    let mut refused = Vec::new();
    for text in all().flat_map(|rule| rule.spares.iter().copied()) {
        if strictest(text).is_some() || text.contains("EOF") {
            continue;
        }
        for template in NEUTRAL {
            if let Some(severity) = strictest(&fill(template, text)) {
                refused.push(format!("{template:?}  {severity:?}  {text}"));
            }
        }
    }
    assert!(refused.is_empty(), "{}", show(&refused));
}

/// Whether the way takes its command line by line.
fn takes_lines(template: Template) -> bool {
    ["read -r", "rev |", "xargs -I", "parallel"].iter().any(|program| template.contains(program))
}

/// The command in one way after the other.
fn wrapped(text: &str, templates: &[Template]) -> String {
    templates.iter().fold(text.to_owned(), |command, template| {
        if command.contains('\n') && takes_lines(template) {
            return command;
        }
        // A delimiter of its own for each level.
        let template = if command.contains("EOF") {
            template.replace("EOF", &format!("E{}", command.len()))
        } else {
            (*template).to_owned()
        };
        fill(&template, &command)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two to four ways to run it, one in the other.
    #[test]
    fn what_is_refused_stays_refused_in_nested_wrappers(
        which in any::<Index>(),
        templates in prop::collection::vec(select(LINES), 2..=4),
    ) {
        let examples = examples_once();
        let example = which.get(examples);
        let command = wrapped(example.text, &templates);
        prop_assert!(strictest(&command) >= Some(example.severity), "{} {command}", example.rule);
    }

    /// Every word in a spelling of its own.
    #[test]
    fn what_is_refused_stays_refused_in_mixed_spellings(
        which in any::<Index>(),
        spellings in prop::collection::vec(select(SPELLINGS), 12),
        template in select(LINES),
    ) {
        let simple_ones: Vec<&Example> = examples_once().iter().filter(|example| example.simple.is_some()).collect();
        let example = which.get(&simple_ones);
        let simple = example.simple.as_ref().unwrap();
        let command = spelled(simple, example.text, |at, word| spellings[at % spellings.len()].1(word), " ");
        let command = fill(template, &command);
        prop_assert!(strictest(&command) >= Some(example.severity), "{} {command}", example.rule);
    }

    /// A rule that is added can only make the answer stricter.
    #[test]
    fn adding_a_rule_never_lifts_a_denial(which in any::<Index>(), other in any::<Index>(), mask in any::<u64>()) {
        let examples = examples_once();
        let text = format!("{}\n{}", which.get(examples).text, other.get(examples).text);
        let report = resolve(&text, &places(), &NoFiles);
        let rules: Vec<&str> = all().map(|rule| rule.id).collect();
        let kept = |id: &str| {
            let at = rules.iter().position(|known| *known == id).unwrap_or_default();
            mask.rotate_left(u32::try_from(at).unwrap_or_default()) & 1 == 1
        };
        let some = broken(&report, |rule, severity| (!rule.off && kept(rule.id)).then_some(severity)).map(|broken| broken.severity);
        let all = broken(&report, |rule, severity| (!rule.off).then_some(severity)).map(|broken| broken.severity);
        prop_assert!(some <= all, "{text}");
    }
}

fn examples_once() -> &'static [Example] {
    use std::cell::OnceCell;
    thread_local! {
        static EXAMPLES: OnceCell<&'static [Example]> = const { OnceCell::new() };
    }
    EXAMPLES.with(|cell| *cell.get_or_init(|| Vec::leak(examples())))
}
