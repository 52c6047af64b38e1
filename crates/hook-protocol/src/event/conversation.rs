//! Events of the conversation: prompts, messages, stops, notifications and elicitations.

use super::common::{BackgroundTask, SessionCron};
use crate::field::{body, open_enum};
use crate::raw::{Raw, Text};

body! {
    /// A prompt was submitted. Also fires for notices of background tasks, whose prompt starts with
    /// `<task-notification>`.
    UserPromptSubmit {
        /// The text.
        prompt: Text<'a>,
        /// Who sent it.
        source: PromptSource<'a>,
        /// The title of the session.
        session_title: Text<'a>,
    }
}

open_enum! {
    /// Who sent a prompt.
    PromptSource {
        /// The user.
        User = "user",
        /// The program that embeds the host.
        Sdk = "sdk",
        /// The host itself.
        System = "system",
        /// A loop.
        LoopWakeup = "loop_wakeup",
        /// A schedule.
        ScheduleWakeup = "schedule_wakeup",
        /// A polled event.
        PollEvent = "poll_event",
    }
}

body! {
    /// A command or MCP prompt was expanded.
    UserPromptExpansion {
        /// What was expanded.
        expansion_type: ExpansionType<'a>,
        /// The name of the command, without the slash.
        command_name: Text<'a>,
        /// What follows the name.
        command_args: Text<'a>,
        /// Where the command comes from.
        command_source: Text<'a>,
        /// What the user typed.
        prompt: Text<'a>,
    }
}

open_enum! {
    /// What a prompt expansion comes from.
    ExpansionType {
        /// A command.
        SlashCommand = "slash_command",
        /// A prompt of an MCP server.
        McpPrompt = "mcp_prompt",
    }
}

body! {
    /// Text of the assistant is being shown.
    MessageDisplay {
        /// The turn.
        turn_id: Text<'a>,
        /// The message.
        message_id: Text<'a>,
        /// Number of the part, from 0.
        index: u64,
        /// Whether this is the last part.
        is_final = "final": bool,
        /// The text of this part.
        delta: Text<'a>,
    }
}

body! {
    /// The main agent has finished its answer; the session goes on.
    Stop {
        /// Whether a previous block of a stop hook is already in force: don't block again without a bound.
        stop_hook_active: bool,
        /// The answer; [`crate::Event::last_assistant_message`] knows older names.
        last_assistant_message: Text<'a>,
        /// What still runs.
        background_tasks: Vec<BackgroundTask<'a>>,
        /// What is scheduled.
        session_crons: Vec<SessionCron<'a>>,
    }
}

body! {
    /// The turn ended with an API error, instead of [`Stop`].
    StopFailure {
        /// The kind of error.
        error: StopError<'a>,
        /// More about it.
        error_details: Text<'a>,
        /// The text of the API error.
        last_assistant_message: Text<'a>,
    }
}

open_enum! {
    /// Why a turn failed.
    StopError {
        /// Not logged in.
        AuthenticationFailed = "authentication_failed",
        /// The organisation doesn't allow this login.
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        /// The account is on hold.
        AccountOnHold = "account_on_hold",
        /// The account must be verified.
        VerificationRequired = "verification_required",
        /// A billing problem.
        BillingError = "billing_error",
        /// Too many requests.
        RateLimit = "rate_limit",
        /// The service is overloaded.
        Overloaded = "overloaded",
        /// The request was refused.
        InvalidRequest = "invalid_request",
        /// There is no such model.
        ModelNotFound = "model_not_found",
        /// The service failed.
        ServerError = "server_error",
        /// Unknown to the host.
        Unknown = "unknown",
        /// The answer was too long.
        MaxOutputTokens = "max_output_tokens",
        /// The credentials of a cloud provider.
        CloudCredentialError = "cloud_credential_error",
    }
}

body! {
    /// The host notifies the user.
    Notification {
        /// The text.
        message: Text<'a>,
        /// The title.
        title: Text<'a>,
        /// The kind.
        notification_type: NotificationType<'a>,
    }
}

open_enum! {
    /// The kind of a notification.
    NotificationType {
        /// A permission dialog has been open for about 6 seconds.
        PermissionPrompt = "permission_prompt",
        /// The prompt has been idle for about 60 seconds.
        IdlePrompt = "idle_prompt",
        /// A login succeeded.
        AuthSuccess = "auth_success",
        /// An MCP server asks for input.
        ElicitationDialog = "elicitation_dialog",
        /// An MCP server asks to open an address.
        ElicitationUrlDialog = "elicitation_url_dialog",
        /// An elicitation is complete.
        ElicitationComplete = "elicitation_complete",
        /// An elicitation was answered.
        ElicitationResponse = "elicitation_response",
        /// An agent needs input.
        AgentNeedsInput = "agent_needs_input",
        /// An agent has finished.
        AgentCompleted = "agent_completed",
        /// Work resumed after a quota was renewed.
        QuotaAutoResumeFired = "quota_auto_resume_fired",
        /// The resumption came too late.
        QuotaAutoResumeStale = "quota_auto_resume_stale",
        /// Resumption is switched off.
        QuotaAutoResumeDisabled = "quota_auto_resume_disabled",
    }
}

body! {
    /// An MCP server asks the user for input.
    Elicitation {
        /// The server.
        mcp_server_name: Text<'a>,
        /// The question.
        message: Text<'a>,
        /// A form or an address.
        mode: ElicitationMode<'a>,
        /// The address.
        url: Text<'a>,
        /// Identifies the question.
        elicitation_id: Text<'a>,
        /// JSON schema of the form.
        requested_schema: Raw<'a>,
    }
}

body! {
    /// The user has answered an MCP server.
    ElicitationResult {
        /// The server.
        mcp_server_name: Text<'a>,
        /// Identifies the question.
        elicitation_id: Text<'a>,
        /// A form or an address.
        mode: ElicitationMode<'a>,
        /// The answer.
        action: ElicitationAction<'a>,
        /// The filled form.
        content: Raw<'a>,
    }
}

open_enum! {
    /// How an MCP server asks.
    ElicitationMode {
        /// With a form.
        Form = "form",
        /// With an address to open.
        Url = "url",
    }
}

open_enum! {
    /// What the user did with an elicitation.
    ElicitationAction {
        /// Answered.
        Accept = "accept",
        /// Refused.
        Decline = "decline",
        /// Closed it.
        Cancel = "cancel",
    }
}
