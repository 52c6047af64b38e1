//! What every event carries, and the small shapes that several events share.

use crate::field::{body, open_enum, record};
use crate::permission::PermissionMode;
use crate::raw::Text;

body! {
    /// The fields that any event can carry.
    Common {
        /// The session. Shared by a session's subagents.
        session_id: Text<'a>,
        /// Absolute path of the transcript; may be empty, may name a file that doesn't exist yet, and may lack the current
        /// turn. Inside a subagent it is the parent's.
        transcript_path: Text<'a>,
        /// The working directory of the session; follows `cd` and worktrees.
        cwd: Text<'a>,
        /// The prompt that this event belongs to (2.1.196); absent before the first one.
        prompt_id: Text<'a>,
        /// A directory for temporary files, when the session has one (2.1.257).
        scratchpad_dir: Text<'a>,
        /// On tool, prompt, permission and stop events.
        permission_mode: PermissionMode<'a>,
        /// The subagent. Absent in the main thread: this is the test for being inside a subagent.
        agent_id: Text<'a>,
        /// The kind of the subagent, or of the main thread when it was started with `--agent`. Empty on the stop of the
        /// subagent that compacts.
        agent_type: Text<'a>,
        /// On tool and stop events, for models that have an effort.
        effort: Effort<'a>,
    }
}

record! {
    /// How much effort the model makes.
    Effort {
        /// The level.
        level: EffortLevel<'a>,
    }
}

open_enum! {
    /// A level of effort.
    EffortLevel {
        /// The lowest.
        Low = "low",
        /// Between low and high.
        Medium = "medium",
        /// High.
        High = "high",
        /// Above high.
        XHigh = "xhigh",
        /// The highest.
        Max = "max",
    }
}

record! {
    /// The MCP server that a tool belongs to (2.1.274).
    McpServer {
        /// Its name. Anyone can choose a name: trust `source`.
        name: Text<'a>,
        /// Where it was configured.
        source: McpSource<'a>,
    }
}

open_enum! {
    /// Where an MCP server was configured.
    McpSource {
        /// By the program that embeds the host.
        Sdk = "sdk",
        /// By a plugin.
        Plugin = "plugin",
        /// In the user's settings.
        User = "user",
        /// In the project's settings.
        Project = "project",
        /// In the project's local settings.
        Local = "local",
        /// On the command line or at run time.
        Dynamic = "dynamic",
        /// In managed settings.
        Managed = "managed",
        /// By the enterprise.
        Enterprise = "enterprise",
        /// By the account.
        ClaudeAi = "claudeai",
        /// By an agent definition.
        Agent = "agent",
    }
}

record! {
    /// Something that still runs when the agent stops.
    BackgroundTask {
        /// Its id.
        id: Text<'a>,
        /// Its kind, such as `shell`, `subagent` or `teammate`.
        kind = "type": Text<'a>,
        /// Its state, such as `running`.
        status: Text<'a>,
        /// What it is for; at most 1,000 characters.
        description: Text<'a>,
        /// The shell command.
        command: Text<'a>,
        /// The kind of subagent.
        agent_type: Text<'a>,
        /// The MCP server.
        server: Text<'a>,
        /// The MCP tool.
        tool: Text<'a>,
        /// The name of a teammate or workflow.
        name: Text<'a>,
    }
}

record! {
    /// A prompt that the session will send itself.
    SessionCron {
        /// Its id.
        id: Text<'a>,
        /// When, as a cron expression.
        schedule: Text<'a>,
        /// Whether it repeats.
        recurring: bool,
        /// The prompt; at most 1,000 characters.
        prompt: Text<'a>,
    }
}
