//! Settings that name files: in a project's file none leads out of the project, trusted or not.

use serde_json::json;

use crate::sandbox::Sandbox;

const CONFIG: &str = ".claude/hookbin.toml";
const SECRET: &str = "what lies outside of the project";

/// What the start of a session gives to the model.
fn start(sandbox: &Sandbox) -> String {
    let event =
        json!({"session_id": "s1", "cwd": sandbox.project(), "hook_event_name": "SessionStart", "source": "startup"});
    let ran = sandbox.hook(&["SessionStart"], event.to_string().as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

/// Files outside of the project, and one inside.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.home().join(".ssh")).unwrap();
    std::fs::create_dir_all(sandbox.home().join("out/secret")).unwrap();
    for file in [".ssh/id_rsa", "x", "out/role.md", "out/secret/role.md"] {
        std::fs::write(sandbox.home().join(file), format!("{SECRET}\n")).unwrap();
    }
    sandbox.write("docs/inside.md", "what lies inside\n");
    sandbox
}

/// Finding 07, and every other setting by which a file's content gets to the model: the settings, and which of them are told.
#[test]
fn no_setting_of_a_project_names_a_file_outside_of_it() {
    let home = "HOME";
    let cases = [
        (
            "collective",
            "[change.load-behavioral-system.briefing]\nfiles = [\"HOME/.ssh/id_rsa\", \"../x\", \"docs/../../x\", \"docs/inside.md\"]\n",
            &["/.ssh/id_rsa\"", "`files` names \"../x\"", "docs/../../x"][..],
        ),
        (
            "standard",
            "[[handler]]\nname = \"b\"\non = [\"SessionStart\"]\nsteps = [\"briefing\"]\n\
             briefing.files = [\"~/.ssh/id_rsa\", \"HOME/x\", \"docs/inside.md\"]\n",
            &["~/.ssh/id_rsa", "/x\", which leads out of the project"],
        ),
        (
            "claude-os",
            "[[change.session_lifecycle.role-context.core]]\npath = \"HOME/x\"\nlabel = \"X\"\n\
             [[change.session_lifecycle.role-context.core]]\npath = \"../x\"\nlabel = \"Y\"\n\
             [[change.session_lifecycle.role-context.core]]\npath = \"docs/inside.md\"\nlabel = \"Z\"\n",
            &["`core` names", "\"../x\""],
        ),
        (
            "collective",
            "[change.pre-compact-state.recovery]\ntasks = \"../x\"\n[change.load-behavioral-system.briefing]\nfiles = [\"docs/inside.md\"]\n",
            &["`tasks` names \"../x\""],
        ),
    ];
    for (profile, text, told) in cases {
        let sandbox = project();
        let text = text.replace(home, sandbox.home().to_str().unwrap());
        let text = format!("profile = \"{profile}\"\n{text}");
        sandbox.write(CONFIG, &text);
        let shown = start(&sandbox);
        assert!(!shown.contains(SECRET), "{text}: {shown}");
        assert!(shown.contains("what lies inside"), "what stays within counts: {text}: {shown}");
        let ran = sandbox.cli(&["config", "check"]);
        assert!(ran.code == Some(4), "{text}: {ran:?}");
        for words in told {
            assert!(ran.stdout.contains(words) && ran.stdout.contains("your own file only"), "{words}: {ran:?}");
        }
        // Who trusts nothing gets nothing of it.
        sandbox.distrust();
        let shown = start(&sandbox);
        assert!(!shown.contains(SECRET) && !shown.contains("what lies inside"), "{text}: {shown}");
    }
}

/// In the user's own file a path leads where it says.
#[test]
fn the_persons_own_file_names_any_file() {
    let sandbox = project();
    let files = format!("files = [\"{}/.ssh/id_rsa\", \"../x\"]", sandbox.home().display());
    let handler = "[[handler]]\nname = \"b\"\non = [\"SessionStart\"]\nsteps = [\"briefing\"]\n[handler.briefing]\n";
    sandbox.write_own(&format!("profile = \"standard\"\n{handler}{files}\n"));
    assert!(start(&sandbox).contains(SECRET));
    let ran = sandbox.cli(&["config", "check"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Whose word a prompt is, only the user's own file says; a project's that asks for it is shown as one that loosens.
#[test]
fn no_project_says_that_what_an_embedding_program_sends_is_the_persons_word() {
    let proves = |project: Option<bool>, own: bool| {
        let sandbox = Sandbox::new();
        let key = "sdk_prompts = true\n";
        sandbox.write_own(&format!("profile = \"guardrails\"\n{}", if own { key } else { "" }));
        if let Some(trusted) = project {
            sandbox.write(CONFIG, key);
            if !trusted {
                sandbox.distrust();
            }
            let shown = sandbox.cli(&["trust", "--show"]).stdout;
            assert!(shown.contains("loosens   sdk_prompts = true"), "{shown}");
            let ran = sandbox.cli(&["config", "check"]);
            assert_eq!(ran.code == Some(4), trusted, "{ran:?}");
        }
        let base = json!({"session_id": "s1", "cwd": sandbox.project()});
        for more in [
            json!({"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_use_id": "t1", "tool_response": {},
                "tool_input": {"file_path": sandbox.path("a.rs"), "content": ""}}),
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "verified", "source": "sdk"}),
        ] {
            let mut event = base.clone();
            event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sandbox.hook(&[more["hook_event_name"].as_str().unwrap()], event.to_string().as_bytes());
        }
        std::fs::read_to_string(sandbox.path(".claude/.proof-status")).is_ok_and(|text| text.starts_with("verified"))
    };
    assert!(proves(None, true));
    assert!(!proves(None, false));
    assert!(!proves(Some(true), false));
    assert!(!proves(Some(false), false));
}
