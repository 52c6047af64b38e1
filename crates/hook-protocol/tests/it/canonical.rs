//! Names of tools.

use hook_protocol::canonical::{McpName, canonical};

/// The 55 tools of an SPF server, with the native tool that nine of them stand for.
const SPF: &str = include_str!("../data/spf-tools.txt");

fn spf_tools() -> Vec<(&'static str, Option<&'static str>)> {
    let mut words = SPF.lines().filter(|line| !line.starts_with('#')).map(str::split_whitespace);
    words.by_ref().map(|mut words| (words.next().unwrap(), words.next())).collect()
}

#[test]
fn each_of_the_55_spf_tools_has_one_name() {
    let tools = spf_tools();
    assert_eq!(tools.len(), 55);
    for (tool, native) in tools {
        for name in [format!("spf_{tool}"), format!("mcp__spf__spf_{tool}"), format!("mcp__spf-smart-gate__spf_{tool}")]
        {
            assert_eq!(canonical(&name), native.unwrap_or(&name), "{name}");
        }
    }
}

#[test]
fn old_names_become_the_ones_in_use() {
    for (old, new) in [
        ("Task", "Agent"),
        ("MultiEdit", "Edit"),
        ("KillShell", "TaskStop"),
        ("KillBash", "TaskStop"),
        ("ListPeers", "ListAgents"),
        ("Brief", "SendUserMessage"),
        ("ListMcpResources", "ListMcpResourcesTool"),
        ("ReadMcpResource", "ReadMcpResourceTool"),
        ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
        ("ProposeGoal", "SetGoal"),
    ] {
        assert_eq!(canonical(old), new);
    }
}

#[test]
fn every_other_name_is_left_alone() {
    for name in
        ["Bash", "Read", "read", "bash", "", "mcp__", "mcp__db__write", "mcp__x__Task", "spf_", "spf_Read", "Ünïcode"]
    {
        assert_eq!(canonical(name), name);
    }
}

#[test]
fn mcp_names_split_at_the_first_double_underscore() {
    let parts = |name| McpName::parse(name).map(|mcp| (mcp.server, mcp.tool));
    assert_eq!(parts("mcp__spf__spf_read"), Some(("spf", "spf_read")));
    assert_eq!(parts("mcp__plugin_a_b__do__it"), Some(("plugin_a_b", "do__it")));
    for name in ["mcp__spf", "mcp__spf__", "mcp____tool", "Bash", "mcp_spf_read", ""] {
        assert_eq!(parts(name), None, "{name}");
    }
}
