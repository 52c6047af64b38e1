//! What a session gets at its start: core files, the files of its role and mode, within the budget.

use serde_json::json;

use super::{CLIENT, Session};

fn with_core() -> Session {
    let session = Session::new();
    for (name, text) in [("TODAY", "the day"), ("MEMORY", "the weeks"), ("SYSTEM-INDEX", "the index")] {
        session.sandbox.write(&format!("Desktop/{name}.md"), text);
    }
    session
}

fn role(session: &Session, name: &str, text: &str) {
    session.sandbox.write(&format!(".claude/roles/{name}/role.md"), text);
}

#[test]
fn s4_08_a_session_gets_the_core_files_and_those_of_its_role() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "system");
    session.sandbox.write("docs/a.md", "the first");
    session.sandbox.write("docs/b.md", "the second");
    role(&session, "system", "---\nauto_include: [docs/a.md, docs/b.md]\n---\n");
    role(&session, "other", "---\nauto_include: [docs/c.md]\n---\n");
    session.sandbox.write("docs/c.md", "of another role");
    let text = session.started();
    for part in ["the day", "the weeks", "the index", "the first", "the second"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("of another role"), "{text}");
}

/// They count from the directory that the session works in.
#[test]
fn s4_10_every_session_gets_the_three_core_files() {
    let text = with_core().started();
    for (label, content) in [("TODAY.MD", "the day"), ("MEMORY.MD", "the weeks"), ("SYSTEM-INDEX.MD", "the index")] {
        assert!(text.contains(&format!("## {label}\n{content}")), "{label}: {text}");
    }
    assert!(!text.contains("Missing"), "{text}");
    let session = with_core();
    session.sandbox.write("sub/Desktop/TODAY.md", "the day below");
    let ran = session.event("SessionStart", &json!({"source": "startup", "cwd": session.sandbox.path("sub")}));
    assert!(ran.context().contains("the day below") && !ran.context().contains("the weeks"), "{ran:?}");
}

#[test]
fn s4_11_title_list_and_contents_follow_each_other() {
    let text = with_core().started();
    assert!(text.starts_with("[CLAUDE OS SYS: INFO]: Session context loaded\n"), "{text}");
    let parts = [
        "Loaded files:", "Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md", "## TODAY.MD",
        "## MEMORY.MD",
    ];
    let places = parts.map(|part| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}")));
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn s4_12_the_list_says_what_each_file_is() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "system");
    session.sandbox.write("docs/extra.md", "more");
    role(&session, "system", "---\nauto_include: [docs/extra.md]\n---\n");
    let text = session.started();
    for part in [
        "TODAY.MD (daily memory)", "MEMORY.MD (weekly/medium-term)", "SYSTEM-INDEX.MD (complete file)",
        "- docs/extra.md",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.contains("## docs/extra.md\nmore"), "{text}");
}

#[test]
fn s4_13_the_key_auto_include_holds_a_list_of_paths() {
    for list in ["[one.md, two.md]", "\n  - one.md\n  - two.md", "\n- 'one.md'\n- \"./two.md\"  # a note"] {
        let session = with_core().env("CLAUDE_SESSION_ROLE", "r");
        session.sandbox.write("one.md", "the first");
        session.sandbox.write("two.md", "the second");
        role(&session, "r", &format!("---\r\nauto_include: {list}\n---\nauto_include: [three.md]\n"));
        let text = session.started();
        assert!(text.contains("## one.md\nthe first") && text.contains("## two.md\nthe second"), "{list}: {text}");
        assert!(!text.contains("three.md"), "{text}");
    }
}

#[test]
fn s4_17_a_role_of_ones_own_is_a_file() {
    for file in [".claude/roles/gardener/role.md", ".claude/roles/gardener.md"] {
        let session = with_core().env("CLAUDE_SESSION_ROLE", "gardener");
        session
            .sandbox
            .write(file, "---\ndisplay: {icon: tree, color: green}\nauto_include:\n  - beds.md\n---\n# Gardener\n");
        session.sandbox.write("beds.md", "roses");
        let text = session.started();
        assert!(text.contains("## beds.md\nroses") && text.contains("Role: gardener"), "{file}: {text}");
    }
}

/// X18: the directory's file wins.
#[test]
fn s4_18_the_example_roles_work() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "project");
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(elsewhere.path().join("specs/deep")).unwrap();
    std::fs::write(elsewhere.path().join("CLAUDE.md"), "how to work").unwrap();
    std::fs::write(elsewhere.path().join("specs/deep/api.md"), "the api").unwrap();
    role(
        &session,
        "project",
        "---\nauto_include:\n- ${PROJECT_PATH}/CLAUDE.md\n- ${PROJECT_PATH}/specs/**/*.md\n---\n",
    );
    session.sandbox.write(".claude/roles/project.md", "---\nauto_include: [other.md]\n---\n");
    session.sandbox.write("other.md", "not this one");
    let session = session.env("PROJECT_PATH", elsewhere.path().to_str().unwrap());
    // Whoever sets the variable opens no directory by it; the user lets it.
    let text = session.started();
    assert!(!text.contains("how to work") && text.contains("it leads out of the project"), "{text}");
    session.sandbox.note_environment("HOOKBIN_NOW\nPROJECT_PATH\n");
    let text = session.started();
    assert!(text.contains("## CLAUDE.md\nhow to work") && text.contains("## specs/deep/api.md\nthe api"), "{text}");
    assert!(!text.contains("not this one"), "{text}");

    let session = with_core().env("CLAUDE_SESSION_ROLE", "chief");
    role(&session, "chief", "---\nauto_include: identity.md\n---\n");
    session.sandbox.write("identity.md", "I am the chief");
    assert!(session.started().contains("I am the chief"));
}

#[test]
fn s4_14_project_path_is_put_in_or_its_absence_named() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "project");
    role(&session, "project", "---\nauto_include: ['${PROJECT_PATH}/a.md', b.md]\n---\n");
    session.sandbox.write("b.md", "the second");
    session.sandbox.write("sub/a.md", "the first");
    let text = session.started();
    assert!(text.contains("PROJECT_PATH is not set") && text.contains("the second"), "{text}");
    let inside = session.sandbox.path("sub").to_str().unwrap().to_owned();
    let text = session.env("PROJECT_PATH", &inside).started();
    assert!(text.contains("the first") && !text.contains("is not set"), "{text}");
}

/// B4.2: at most three matches an entry, and always the same ones.
#[test]
fn s4_15_patterns_bring_the_first_three_by_path() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "reader");
    role(&session, "reader", "---\nauto_include: ['specs/**/*.md', 'notes/?.txt']\n---\n");
    for name in ["z.md", "a/b.md", "a/a.md", "m/deep/er.md", "a/c.txt", ".hidden/x.md"] {
        session.sandbox.write(&format!("specs/{name}"), name);
    }
    session.sandbox.write("notes/1.txt", "one");
    session.sandbox.write("notes/10.txt", "ten");
    let text = session.started();
    for (name, is_in) in [
        ("a/a.md", true),
        ("a/b.md", true),
        ("m/deep/er.md", true),
        ("z.md", false),
        ("a/c.txt", false),
        (".hidden/x.md", false),
    ] {
        assert_eq!(text.contains(&format!("## specs/{name}\n")), is_in, "{name}: {text}");
    }
    assert!(text.contains("1 more files that match specs/**/*.md"), "{text}");
    assert!(text.contains("## notes/1.txt") && !text.contains("10.txt"), "{text}");
}

#[test]
fn s4_16_without_front_matter_there_are_the_core_files_and_no_error() {
    for text in [
        "", "# A role\n", "\n---\nauto_include: [a.md]\n---\n", "---\n---\n", "---\nicon: x\n---\n",
        "---\nauto_include:\n---\n",
    ] {
        let session = with_core().env("CLAUDE_SESSION_ROLE", "plain");
        role(&session, "plain", text);
        let ran = session.start("startup");
        assert!(ran.context().contains("the index"), "{text:?}: {ran:?}");
        assert!(!ran.context().contains("Not loaded"), "{text:?}: {ran:?}");
        assert_eq!(ran.stderr, "", "{text:?}");
    }
    // No file of the role at all.
    assert_eq!(with_core().env("CLAUDE_SESSION_ROLE", "nobody").start("startup").stderr, "");
}

#[test]
fn s4_53_every_mode_gets_the_whole_context() {
    for mode in ["interactive", "mission", "background"] {
        let session = with_core().env("CLAUDE_SESSION_MODE", mode).env("CLAUDE_SESSION_ROLE", "system");
        session.sandbox.write("docs/extra.md", "more");
        role(&session, "system", "---\nauto_include: [docs/extra.md]\n---\n");
        let text = session.started();
        assert!(["the day", "the weeks", "the index", "more"].iter().all(|part| text.contains(part)), "{mode}: {text}");
        assert!(text.contains(&format!("mode: {mode}")), "{text}");
    }
}

#[test]
fn missing_files_are_named() {
    let session = Session::new().env("CLAUDE_SESSION_ROLE", "r");
    session.sandbox.write("Desktop/TODAY.md", "the day");
    role(&session, "r", "---\nauto_include: [gone.md, 'none/*.md', deep/gone/too.md]\n---\n");
    let text = session.started();
    let missing = text.lines().find(|line| line.starts_with("Missing: ")).unwrap();
    for name in ["Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md", "gone.md", "none/*.md", "deep/gone/too.md"] {
        assert!(missing.contains(name), "{name}: {text}");
    }
}

#[test]
fn a_role_that_the_project_does_not_have_is_named() {
    let missing = |session: &Session| {
        let text = session.started();
        text.lines().find(|line| line.starts_with("Missing: ")).unwrap_or_default().to_owned()
    };
    let mut session = Session::new().env("CLAUDE_SESSION_ROLE", "gadener");
    assert!(!missing(&session).contains("gadener"), "a project may have no roles at all");
    role(&session, "gardener", "A role.");
    assert!(missing(&session).contains(".claude/roles/gadener/role.md"));
    session.set("CLAUDE_SESSION_ROLE", "gardener");
    assert!(!missing(&session).contains("roles"));
    session.env.clear();
    assert!(!missing(&session).contains("roles"), "nobody asked for a role");
}

/// W24: the host delivers 10,000 characters. What is cut is named with the path at which the rest lies.
#[test]
fn the_context_stays_within_its_budget_and_names_what_is_cut() {
    let session = Session::new().env("CLAUDE_SESSION_ROLE", "r");
    let long = |word: &str| format!("{word} äöü\n").repeat(2_000);
    session.sandbox.write("Desktop/TODAY.md", &long("today"));
    session.sandbox.write("Desktop/MEMORY.md", "short memory");
    session.sandbox.write("Desktop/SYSTEM-INDEX.md", &long("index"));
    session.sandbox.write("extra.md", &long("extra"));
    role(&session, "r", "---\nauto_include: [extra.md]\n---\n");
    let text = session.started();
    assert!(text.chars().count() <= 10_000, "{}", text.chars().count());
    // The first file does not take everything.
    assert!(
        text.contains("## TODAY.MD\ntoday")
            && text.contains("short memory")
            && text.contains("## SYSTEM-INDEX.MD\nindex"),
        "{text}"
    );
    let cut = text.lines().find(|line| line.starts_with("Cut for want of room")).unwrap();
    for name in ["Desktop/TODAY.md", "Desktop/SYSTEM-INDEX.md", "extra.md"] {
        let path = std::fs::canonicalize(session.sandbox.path(name)).unwrap();
        assert!(cut.contains(path.to_str().unwrap()), "{name}: {cut}");
    }
    assert!(!cut.contains("MEMORY.md"), "{cut}");

    // As much as fits is used: one long file alone is cut for the limit of all.
    let session = Session::new();
    session.sandbox.write("Desktop/TODAY.md", &"x\n".repeat(20_000));
    let chars = session.started().chars().count();
    assert!((8_000..=10_000).contains(&chars), "{chars}");
}

/// C4 5: neither the name of a role nor an entry leads out of the project, and the rest is loaded all the same.
#[test]
fn nothing_leads_out_of_the_project() {
    let session = with_core();
    let home = session.sandbox.home();
    std::fs::write(home.join("secret.md"), "outside").unwrap();
    std::fs::create_dir(home.join("away")).unwrap();
    std::fs::write(home.join("away/x.md"), "outside").unwrap();
    std::os::unix::fs::symlink(home.join("secret.md"), session.sandbox.path("link.md")).unwrap();
    std::os::unix::fs::symlink(home.join("away"), session.sandbox.path("folder")).unwrap();
    std::os::unix::fs::symlink("round", session.sandbox.path("round")).unwrap();
    session.sandbox.write("tree/here.md", "inside");
    std::os::unix::fs::symlink("..", session.sandbox.path("tree/up")).unwrap();
    let absolute = home.join("secret.md");
    let entries = [
        "../secret.md",
        "tree/../../secret.md",
        "../*.md",
        "*/../../secret.md",
        "link.md",
        "link*.md",
        "folder/x.md",
        "folder/*.md",
        "folder/**/*.md",
        "round",
        "round/**/*.md",
        "../../../../../../etc/passwd",
        "/etc/passwd",
        "/etc/pass*",
        "tree/**/*.md",
        absolute.to_str().unwrap(),
    ];
    let list = entries.map(|entry| format!("- {entry:?}\n")).concat();
    role(&session, "r", &format!("---\nauto_include:\n{list}---\n"));
    let text = session.env("CLAUDE_SESSION_ROLE", "r").started();
    assert!(!text.contains("outside") && !text.contains("root:"), "{text}");
    assert_eq!(text.matches("\ninside").count(), 1, "{text}");
    assert!(text.contains("../secret.md (it leads out of the project)"), "{text}");

    // A directory that the configuration names is allowed.
    let outside = tempfile::tempdir().unwrap();
    let away = std::fs::canonicalize(outside.path()).unwrap();
    std::fs::write(away.join("x.md"), "outside").unwrap();
    let config = format!("[change.session_lifecycle.role-context]\nroots = [{away:?}]\n");
    let session = Session::with(&config).env("CLAUDE_SESSION_ROLE", "r");
    role(&session, "r", &format!("---\nauto_include: [{:?}]\n---\n", away.join("*.md")));
    assert!(session.started().contains("## x.md\noutside"));
}

/// A role is a name, not a path.
#[test]
fn a_role_that_is_a_path_is_no_role() {
    let long = "x".repeat(65);
    for name in ["../other", "a/b", "..", ".", "/etc", "a b", "ä", "role.md", long.as_str()] {
        let session = with_core().env("CLAUDE_SESSION_ROLE", name);
        session.sandbox.write(".claude/other/role.md", "---\nauto_include: [x.md]\n---\n");
        session.sandbox.write(".claude/roles/a/b/role.md", "---\nauto_include: [x.md]\n---\n");
        session.sandbox.write("x.md", "never");
        let text = session.started();
        assert!(text.contains("the index") && !text.contains("never"), "{name}: {text}");
        assert!(text.contains("Role: chief") && text.contains(&format!("the name {name:?}")), "{name}: {text}");
        assert_eq!(session.row_of(CLIENT)["role"], "chief", "{name}");
    }
}

/// Front matter that is none, has 10,000 entries, or would grow without end: what can be loaded is loaded, and the rest is named.
#[test]
fn bad_front_matter_costs_its_own_files_only() {
    let many = (0..10_000).map(|n| format!("- file{n}.md\n")).collect::<Vec<_>>().concat();
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        let last = level - 1;
        laughs.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{last}"); 9].join(", ")));
    }
    let deep = format!("auto_include: {}\n", "[".repeat(100_000));
    let huge = "x".repeat(300 << 10);
    let cases = [
        ("no YAML", "auto_include: [a.md\n  : - }\n".to_owned(), "no YAML"),
        ("a tab", "auto_include:\n\t- a.md\n".to_owned(), ""),
        ("a map", "auto_include: {a: b}\n".to_owned(), "has to be a list"),
        ("numbers", "auto_include: [1, 2]\n".to_owned(), "has to be a list"),
        ("a list for everything", "- a\n- b\n".to_owned(), "no YAML"),
        ("10,000 entries", format!("auto_include:\n{many}"), "entries after the first 100 of 10000"),
        ("aliases", format!("{laughs}auto_include: *a19\n"), ""),
        ("depth", deep, "no YAML"),
        ("size", format!("auto_include: [{huge}]\n"), "longer than 256 KiB"),
    ];
    for (name, matter, said) in cases {
        let session = with_core().env("CLAUDE_SESSION_ROLE", "r");
        role(&session, "r", &format!("---\n{matter}---\n"));
        let begin = std::time::Instant::now();
        let ran = session.start("startup");
        assert!(begin.elapsed().as_secs() < 5, "{name}");
        let text = ran.context();
        assert!(text.contains("the day") && text.contains("the index"), "{name}: {text}");
        assert!(text.chars().count() <= 10_000, "{name}");
        assert!(text.contains(said), "{name}: {text}");
    }
    let session = with_core().env("CLAUDE_SESSION_ROLE", "r");
    role(&session, "r", "---\nauto_include: [a.md]\n");
    assert!(session.started().contains("has no end"));
}

/// A file whose name is that of a secret is not put into the context, and what is no text is not either.
#[test]
fn secrets_and_what_is_no_text_are_left_out() {
    let session = with_core().env("CLAUDE_SESSION_ROLE", "r");
    session.sandbox.write(".env", "TOKEN=hidden");
    session.sandbox.write("keys/server.pem", "hidden");
    std::fs::write(session.sandbox.path("image.png"), [0x89, b'P', 0xff, 0xfe, 0]).unwrap();
    std::os::unix::fs::symlink(".env", session.sandbox.path("plain.md")).unwrap();
    role(&session, "r", "---\nauto_include: [.env, keys/server.pem, plain.md, image.png, keys]\n---\n");
    let text = session.started();
    assert!(!text.contains("hidden"), "{text}");
    for part in ["name is that of a secret", "image.png (it is not readable as text", "keys (it is no plain file"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A core file that is there and cannot be read: the model is told the three files, stderr has the error, the session goes on.
#[test]
fn s4_50_errors_go_to_stderr() {
    let session = with_core();
    std::fs::remove_file(session.sandbox.path("Desktop/MEMORY.md")).unwrap();
    std::fs::create_dir(session.sandbox.path("Desktop/MEMORY.md")).unwrap();
    let ran = session.start("startup");
    assert!(ran.context().contains(FALLBACK) && ran.context().contains("the day"), "{ran:?}");
    assert!(ran.stderr.contains("Desktop/MEMORY.md"), "{ran:?}");
    assert_eq!(ran.code, Some(0));
    assert_eq!(with_core().start("startup").stderr, "");
}

const FALLBACK: &str = "Read Desktop/TODAY.md, Desktop/MEMORY.md and Desktop/SYSTEM-INDEX.md";

#[test]
fn s4_51_what_cannot_be_answered_gets_a_fallback() {
    let session = with_core();
    // What arrives cannot be read at all.
    for stdin in [&b"{\"session_id\": "[..], b"", b"\xff\xfe", b"[]"] {
        let ran = session.bytes("SessionStart", stdin);
        assert!(ran.context().contains(FALLBACK), "{ran:?}");
        assert!(ran.stderr.contains("payload not read"), "{ran:?}");
        assert_eq!(ran.code, Some(0));
        for event in ["UserPromptSubmit", "Stop", "SessionEnd"] {
            let ran = session.bytes(event, stdin);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{event}: {ran:?}");
        }
        // A call that the guard cannot read is the user's to judge.
        let ran = session.bytes("PreToolUse", stdin);
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(0), Some("ask")), "{ran:?}");
    }
    let late = session.sandbox.hook(&["SessionStart", "--late"], b"");
    assert!(late.context().contains(FALLBACK) && late.stderr.contains("deadline"), "{late:?}");
}
