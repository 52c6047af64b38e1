//! Profile `claude-os` and the people that it may write to: modes, contacts, what is logged.

use std::io::Write;

use hook_session_state::registry::{Contact, Place, SessionRegistry};
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// Anna may be written to, Ben has agreed to drafts, Cleo to nothing.
const CONTACTS: &str = r#"
[[contact]]
name = "Anna"
phone = "+49 (30) 1234-5"
email = ["Anna@Example.org", "anna@work.example"]
tags = ["claude_direct"]

[[contact]]
name = "Ben"
phone = "030 777"
email = "ben@example.org"
tags = ["friends", "claude_draft"]

[[contact]]
name = "Cleo"
email = "cleo@example.org"
tags = []
"#;

/// A project under the profile and its user's directory of settings.
struct Desk {
    sandbox: Sandbox,
    mode: &'static str,
}

impl Desk {
    fn new() -> Self {
        Self { sandbox: Sandbox::with_profile("claude-os"), mode: "interactive" }
    }

    fn with_contacts(text: &str) -> Self {
        let desk = Self::new();
        desk.contacts("contacts.toml", text);
        desk
    }

    fn contacts(&self, name: &str, text: &str) {
        let dir = self.sandbox.home().join(".config/hookbin");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(name), text).unwrap();
    }

    fn call(&self, tool: &str, input: &Value) -> Ran {
        let event = json!({
            "session_id": "00000000-0000-4000-8000-0000000000c5", "transcript_path": "", "cwd": self.sandbox.project(),
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1",
        });
        let env = [("CLAUDE_SESSION_MODE", self.mode), ("HOOKBIN_NOW", "2026-03-01T10:00:00Z")];
        let ran = self.sandbox.hook_with(&["PreToolUse"], event.to_string().as_bytes(), &env);
        assert_ne!(ran.code, Some(1), "{ran:?}");
        ran
    }

    fn message(&self, operation: &str, to: &str) -> Ran {
        self.call("mcp__apple__messages", &json!({"operation": operation, "phoneNumber": to, "message": "hello there"}))
    }
}

fn refused(ran: &Ran, because: &str) {
    assert_eq!(ran.decision().as_deref(), Some("deny"), "{ran:?}");
    assert!(ran.reason().contains(because), "the reason lacks {because:?}: {}", ran.reason());
}

fn passes(ran: &Ran) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn s4_54_people_are_reached_in_interactive_sessions_only() {
    let mut desk = Desk::with_contacts(CONTACTS);
    passes(&desk.message("send", "+49 30 12345"));
    for mode in ["mission", "background", "autonomous", "no mode!"] {
        desk.mode = mode;
        for ran in [
            desk.message("send", "+49 30 12345"),
            desk.message("read", ""),
            desk.call("mcp__apple__notes", &json!({"operation": "list"})),
            desk.call("mcp__life__messages", &json!({"action": "send"})),
            desk.call("Bash", &json!({"command": "mail -s hello anna@example.org < body.txt"})),
        ] {
            refused(&ran, "mode");
        }
        passes(&desk.call("mcp__github__get_issue", &json!({"number": 1, "to": "x"})));
        passes(&desk.call("Bash", &json!({"command": "git log --author=anna@example.org"})));
    }
    // The mode that a session began with holds where the environment says nothing.
    let desk = Desk::with_contacts(CONTACTS);
    let start = json!({"session_id": "s", "cwd": desk.sandbox.project(), "hook_event_name": "SessionStart", "source": "startup"});
    desk.sandbox.hook_with(&["SessionStart"], start.to_string().as_bytes(), &[("CLAUDE_SESSION_MODE", "background")]);
    let call = json!({
        "session_id": "s", "cwd": desk.sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": "mcp__apple__messages",
        "tool_input": {"operation": "send", "phoneNumber": "+493012345", "message": "x"}, "tool_use_id": "toolu_2",
    });
    refused(&desk.sandbox.hook(&["PreToolUse"], call.to_string().as_bytes()), "mode background");
}

#[test]
fn s4_57_only_contacts_with_the_tag_are_written_to() {
    let desk = Desk::with_contacts(CONTACTS);
    // Sent and read: whoever has agreed, however the number is written.
    for operation in ["send", "Schedule", "reply", "read", "unread", "search"] {
        for to in ["+49 30 12345", "+493012345", "0049 30 1234 5", "+49-30-12345"] {
            passes(&desk.message(operation, to));
        }
        refused(&desk.message(operation, "030777"), "drafts only");
        refused(&desk.message(operation, "+1 555 0100"), "no contact with the tag claude_direct");
        // A name is nobody's alone.
        refused(&desk.message(operation, "Anna"), "no contact");
    }
    // Drafts need less.
    for operation in ["draft", "create_draft"] {
        passes(&desk.message(operation, "+493012345"));
        passes(&desk.message(operation, "030 777"));
        refused(&desk.message(operation, "+1 555 0100"), "no contact");
    }
    // What names nobody: a list passes, a message does not.
    passes(&desk.call("mcp__apple__messages", &json!({"operation": "unread", "limit": 5})));
    refused(&desk.call("mcp__apple__messages", &json!({"operation": "send", "message": "x"})), "names nobody");
    refused(&desk.message("broadcast", "+493012345"), "nobody knows what broadcast");
    refused(&desk.call("mcp__apple__messages", &json!({})), "without a name");
    refused(&desk.call("mcp__apple__messages", &json!("send")), "no object");
    // Other tools of the server and of others are none of it.
    passes(&desk.call("mcp__apple__notes", &json!({"operation": "create", "title": "x", "to": "+1 555 0100"})));
    passes(&desk.call("mcp__other__messages", &json!({"operation": "send", "to": "+1 555 0100"})));
}

#[test]
fn everybody_whom_a_mail_names_has_to_agree() {
    let desk = Desk::with_contacts(CONTACTS);
    let mail = |fields: &Value| {
        let mut input = json!({"operation": "send", "subject": "s", "body": "b"});
        input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        desk.call("mcp__apple__mail", &input)
    };
    passes(&mail(&json!({"to": "ANNA@example.org"})));
    passes(&mail(&json!({"to": "Anna <anna@work.example>"})));
    passes(&mail(&json!({"to": ["anna@example.org", {"name": "A", "address": "anna@work.example"}]})));
    for fields in [
        json!({"to": "ben@example.org"}),
        json!({"to": "cleo@example.org"}),
        json!({"to": "anna@example.org, cleo@example.org"}),
        json!({"to": "anna@example.org;x@example.org"}),
        json!({"to": "anna@example.org\nx@example.org"}),
        json!({"to": "anna@example.org", "cc": "x@example.org"}),
        json!({"to": "anna@example.org", "bcc": ["x@example.org"]}),
        json!({"to": "anna@example.org", "BCC": "x@example.org"}),
        json!({"to": ["anna@example.org", {"address": "x@example.org"}]}),
        json!({"to": "anna@example.org <x@example.org>"}),
        json!({"to": "anna@example.org.evil.example"}),
    ] {
        assert_eq!(mail(&fields).decision().as_deref(), Some("deny"), "{fields}");
    }
    passes(&desk.call("mcp__apple__mail", &json!({"operation": "search", "searchTerm": "invoice"})));
    // A server with a tool for each operation says it by the tool's name.
    passes(&desk.call("mcp__apple__send_mail", &json!({"to": "anna@example.org"})));
    refused(&desk.call("mcp__apple__send_mail", &json!({"to": "x@example.org"})), "no contact");
}

#[test]
fn a_shell_reaches_nobody_whom_the_tools_would_not() {
    let desk = Desk::with_contacts(CONTACTS);
    let bash = |command: &str| desk.call("Bash", &json!({"command": command}));
    passes(&bash("mail -s hello anna@example.org < body.txt"));
    passes(&bash("grep -rn sendmail src"));
    passes(&bash("osascript -e 'display notification \"done\"'"));
    passes(&bash("git send-email --to=anna@example.org 0001.patch"));
    for command in [
        "mutt -v",
        "mailx -H",
        "git help send-email",
        "git log --grep send-email",
        "curl -s https://example.org/smtp",
        "python3 -c 'import smtplib; print(smtplib)'",
        "python3 -m pytest tests/test_smtplib.py",
        "node -e 'console.log(1)'",
    ] {
        passes(&bash(command));
    }
    for command in [
        "git send-email --to=x@example.org 0001.patch",
        "git -C sub send-email --to anna@example.org --cc x@example.org 0001.patch",
        "git send-email 0001.patch",
        "curl --mail-rcpt x@example.org smtp://mail.example.org -T body.txt",
        "curl smtps://mail.example.org:465 --mail-rcpt x@example.org",
        "python3 -c \"import smtplib; smtplib.SMTP('h').sendmail('a@example.org', 'x@example.org', 'b')\"",
        "python3 - <<'E'\nimport smtplib\ns = smtplib.SMTP_SSL('h')\ns.send_message(m)\nE",
        "node -e \"require('nodemailer').createTransport(o).sendMail({to: 'x@example.org'})\"",
        "mail -s hello x@example.org < body.txt",
        "mail -s hello anna@example.org x@example.org < body.txt",
        "echo hi | sendmail cleo@example.org",
        "echo hi | sendmail -t",
        "bash -c 'echo hi | mutt -s x \"$TO\"'",
        "osascript -e 'tell application \"Messages\" to send \"hi\" to buddy \"x\"'",
        "osascript <<'END'\ntell application \"Mail\"\nsend m\nend tell\nEND",
    ] {
        assert_eq!(bash(command).decision().as_deref(), Some("deny"), "{command}");
    }
}

#[test]
fn contacts_come_from_json_or_the_registry_too() {
    let desk = Desk::new();
    // Nobody is known: an empty registry knows nobody.
    refused(&desk.message("send", "+493012345"), "no contact");
    let place = Place::new(&desk.sandbox.home().join(".local/state/hookbin"));
    let contact = Contact {
        id: "1".to_owned(),
        name: "Anna".to_owned(),
        phone: Some("+49 30 12345".to_owned()),
        email: None,
        tags: vec!["claude_direct".to_owned()],
    };
    place.open(0, None).unwrap().registry.put_contact(&contact).unwrap();
    passes(&desk.message("send", "0049 30 12345"));
    desk.sandbox.write(
        ".claude/hookbin.toml",
        "profile = [\"claude-os\"]\n[change.tool_tracking.comms]\ncontacts = \"people.json\"\n",
    );
    desk.contacts("people.json", r#"[{"name": "Dora", "phones": ["+44 20 1"], "tags": ["claude_direct"]}]"#);
    passes(&desk.message("send", "+44 20 1"));
    // With a file, the file alone counts.
    refused(&desk.message("send", "+493012345"), "no contact");
    // Nobody at all may be sent to, and drafts stay.
    desk.sandbox.write(
        ".claude/hookbin.toml",
        "profile = [\"claude-os\"]\n[change.tool_tracking.comms]\ncontacts = \"people.json\"\nsend = \"never\"\n",
    );
    refused(&desk.message("send", "+44 20 1"), "nothing is sent");
    passes(&desk.message("draft", "+44 20 1"));
    passes(&desk.message("read", "+44 20 1"));
}

#[test]
fn a_contact_without_tags_has_agreed_to_nothing_and_spoils_no_other() {
    let desk = Desk::with_contacts(&format!("[[contact]]\nname = \"Dora\"\nemail = \"dora@example.org\"\n{CONTACTS}"));
    passes(&desk.call("mcp__apple__send_mail", &json!({"to": "anna@example.org"})));
    refused(&desk.call("mcp__apple__send_mail", &json!({"to": "dora@example.org"})), "no contact");
}

#[test]
fn a_look_up_that_fails_refuses_and_says_why() {
    for (text, because) in [
        ("[[contact]]\nphone = \"+493012345\"\ntags = [\"claude_direct\"\n", "contacts.toml"),
        ("[[contact]]\nphone = \"+493012345\"\ntags = \"claude_direct\"\n", "expected a sequence at line 3"),
        ("x = 1\n", "contacts.toml"),
    ] {
        let desk = Desk::with_contacts(text);
        refused(&desk.message("send", "+493012345"), because);
        // Other work goes on.
        passes(&desk.call("Bash", &json!({"command": "ls"})));
    }
    let desk = Desk::new();
    std::fs::create_dir_all(desk.sandbox.home().join(".config/hookbin/contacts.toml")).unwrap();
    refused(&desk.message("send", "+493012345"), "cannot be read");
    // The registry's database cannot be opened: a directory stands in its place.
    let desk = Desk::new();
    std::fs::create_dir_all(desk.sandbox.home().join(".local/state/hookbin/registry.db/x")).unwrap();
    refused(&desk.message("send", "+493012345"), "cannot be looked up");
}

#[test]
fn the_agent_cannot_add_a_tag_itself() {
    let desk = Desk::with_contacts(CONTACTS);
    let file = desk.sandbox.home().join(".config/hookbin/contacts.toml");
    let write = desk.call("Write", &json!({"file_path": file, "content": "x"}));
    assert_eq!(write.decision().as_deref(), Some("deny"), "{write:?}");
    let bash = desk.call("Bash", &json!({"command": "echo x >> ~/.config/hookbin/contacts.toml"}));
    assert_eq!(bash.decision().as_deref(), Some("deny"), "{bash:?}");
    let database =
        desk.call("Bash", &json!({"command": "sqlite3 ~/.local/state/hookbin/registry.db 'delete from contact_tags'"}));
    assert!(matches!(database.decision().as_deref(), Some("deny" | "ask")), "{database:?}");
}

#[test]
fn what_is_written_is_logged_as_a_hash_only() {
    let desk = Desk::with_contacts(CONTACTS);
    passes(&desk.message("send", "+49 30 12345"));
    refused(&desk.message("send", "+1 555 0100"), "no contact");
    let over = json!({
        "session_id": "00000000-0000-4000-8000-0000000000c5", "cwd": desk.sandbox.project(), "hook_event_name": "PostToolUse",
        "tool_name": "mcp__apple__messages", "tool_input": {"operation": "send", "phoneNumber": "+49 30 12345", "message": "hello there"},
        "tool_response": [], "tool_use_id": "toolu_1",
    });
    passes(&desk.sandbox.hook(&["PostToolUse"], over.to_string().as_bytes()));
    let log = std::fs::read_to_string(desk.sandbox.state("comms.log")).unwrap();
    // `printf 'hello there' | sha256sum` begins so.
    let hash = sha256_of("hello there");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].contains("2026-03-01 10:00:00") && lines[0].contains("mcp__apple__messages"), "{log}");
    assert!(
        lines[0].contains(&hash[..12]) && lines[0].contains("+49 30 12345") && lines[0].ends_with("passed"),
        "{log}"
    );
    assert!(lines[1].ends_with("refused"), "{log}");
    assert!(!log.contains("hello") && !log.contains(&hash[..13]), "{log}");
}

fn sha256_of(text: &str) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    crate::sandbox::sha256(file.path())
}
