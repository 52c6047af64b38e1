//! Events of a session's life: start, end, setup, compaction and model switches.

use crate::field::{Nullable, body, open_enum};
use crate::raw::Text;

body! {
    /// A session starts. Its hooks run in the main thread only.
    SessionStart {
        /// Why.
        source: SessionSource<'a>,
        /// The model; sent by the terminal interface and after compaction.
        model: Text<'a>,
        /// The title of the session.
        session_title: Text<'a>,
        /// How long ago the last answer was, in seconds.
        seconds_since_last_response: u64,
        /// Size of the context, in tokens.
        context_tokens: u64,
        /// Whether the prompt cache has probably expired.
        prompt_cache_likely_expired: bool,
        /// What writing the cache again would cost, in US dollars.
        estimated_cache_write_usd: f64,
    }
}

open_enum! {
    /// Why a session starts.
    SessionSource {
        /// A new one.
        Startup = "startup",
        /// An old one goes on.
        Resume = "resume",
        /// The context was cleared.
        Clear = "clear",
        /// The context was compacted.
        Compact = "compact",
        /// A copy of an old one.
        Fork = "fork",
    }
}

body! {
    /// A session ends.
    SessionEnd {
        /// Why.
        reason: SessionEndReason<'a>,
    }
}

open_enum! {
    /// Why a session ends.
    SessionEndReason {
        /// The context was cleared.
        Clear = "clear",
        /// Another session is resumed.
        Resume = "resume",
        /// The user logged out.
        Logout = "logout",
        /// The user left the prompt.
        PromptInputExit = "prompt_input_exit",
        /// Any other reason, the end of a `-p` run included.
        NoneOfThese = "other",
    }
}

body! {
    /// The host initialises or maintains a project (`--init`, `--init-only`, `--maintenance`).
    Setup {
        /// Which of them.
        trigger: SetupTrigger<'a>,
    }
}

open_enum! {
    /// What a setup is for.
    SetupTrigger {
        /// The first one.
        Init = "init",
        /// A later one.
        Maintenance = "maintenance",
    }
}

body! {
    /// The conversation is about to be compacted.
    PreCompact {
        /// Who asked for it.
        trigger: CompactTrigger<'a>,
        /// What the user wrote after the command; `null` for none.
        custom_instructions: Nullable<Text<'a>>,
    }
}

body! {
    /// The conversation was compacted.
    PostCompact {
        /// Who asked for it.
        trigger: CompactTrigger<'a>,
        /// The summary that replaces the conversation.
        compact_summary: Text<'a>,
    }
}

open_enum! {
    /// Who asked for a compaction.
    CompactTrigger {
        /// The user.
        Manual = "manual",
        /// The host, because the context is full.
        Auto = "auto",
    }
}

body! {
    /// The model is about to be switched (2.1.251).
    PreModelSwitch {
        /// The model in use.
        from_model: Text<'a>,
        /// The model to come; may end in `[1m]` or `[2m]`.
        to_model: Text<'a>,
        /// What was typed; `null` for none.
        requested_model: Nullable<Text<'a>>,
        /// Who asked for it.
        source: ModelSwitchSource<'a>,
        /// Size of the context, in tokens.
        context_tokens: u64,
        /// Whether the prompt cache still holds.
        prompt_cache_warm: bool,
        /// How long the cache lives.
        cache_ttl: CacheTtl<'a>,
        /// What writing the cache again would cost, in US dollars.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: PricingSource<'a>,
    }
}

body! {
    /// The model was switched (2.1.251).
    PostModelSwitch {
        /// The model that was in use.
        from_model: Text<'a>,
        /// The model in use now; may end in `[1m]` or `[2m]`.
        to_model: Text<'a>,
        /// What was typed; `null` for none.
        requested_model: Nullable<Text<'a>>,
        /// Who asked for it.
        source: ModelSwitchSource<'a>,
        /// Size of the context, in tokens.
        context_tokens: u64,
        /// Whether the prompt cache still holds.
        prompt_cache_warm: bool,
        /// How long the cache lives.
        cache_ttl: CacheTtl<'a>,
        /// What writing the cache again would cost, in US dollars.
        estimated_cache_write_usd: f64,
        /// Where the price comes from.
        pricing: PricingSource<'a>,
    }
}

open_enum! {
    /// Who asked for a model switch.
    ModelSwitchSource {
        /// The `/model` command.
        Command = "command",
        /// The picker.
        Picker = "picker",
        /// The program that embeds the host.
        Sdk = "sdk",
        /// The host; only after the switch.
        Auto = "auto",
        /// A resumed session; only after the switch.
        Resume = "resume",
    }
}

open_enum! {
    /// How long a prompt cache lives.
    CacheTtl {
        /// Five minutes.
        FiveMinutes = "5m",
        /// One hour.
        OneHour = "1h",
    }
}

open_enum! {
    /// Where a price comes from.
    PricingSource {
        /// The settings.
        Configured = "configured",
        /// The catalog.
        Catalog = "catalog",
        /// A default.
        Default = "default",
    }
}
