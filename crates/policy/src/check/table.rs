//! The macro behind the table of checks: one row a check, and all that depends on which checks there are.

use hook_protocol::event::EventName;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Visitor};

use super::{CheckContext, Semantics};
use crate::finding::Finding;
use crate::profile::{ConfigError, Settings, read_value};
use crate::rule::RuleIndex;

/// What one check does. Its settings are the type that implements this.
pub(crate) trait Step {
    /// What the check says. `None` when it has nothing to say.
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding>;

    /// What it says of a payload that cannot be read, when its handler was asked for by name. `stamp` is the time.
    fn unreadable(&self, _stamp: &str) -> Option<Finding> {
        None
    }

    /// What is wrong with settings whose types are right.
    fn fault(&self) -> Option<String> {
        None
    }

    /// Passes on settings that other checks need as well.
    fn share(&self, _settings: &mut Settings) {}

    /// The command that its settings name, for checks that start one.
    fn command(&self) -> Option<&[String]> {
        None
    }

    /// Whether it looks at one file that a call writes, so that it is asked about each.
    fn looks_at_a_file(&self) -> bool {
        false
    }

    /// Whether it starts programs of the project.
    fn starts_programs(&self) -> bool {
        false
    }

    /// Seconds that programs may take which the answer to this event waits for, beyond what every answer has.
    fn seconds(&self, _event: &EventName<'_>) -> u32 {
        0
    }

    /// Whether it looks at calls by the built-in rules, so that a call which cannot be read is unguarded.
    fn guards(&self) -> bool {
        false
    }

    /// Whether it looks at built-in rules of the family of this name.
    fn looks_at(&self, _family: &str) -> bool {
        false
    }

    /// Whether it holds something back although it refuses no call.
    fn holds_back(&self) -> bool {
        false
    }

    /// Whether it protects the guard itself, so that no word of the user lifts what it says of that.
    fn is_firm(&self) -> bool {
        self.guards() || self.holds_back()
    }

    /// Whether it keeps the signed state.
    fn keeps_signed_state(&self) -> bool {
        false
    }

    /// What safemode means to it, if it asks about that.
    fn safemode(&mut self) -> Option<&mut Semantics> {
        None
    }

    /// Custom rules, if it holds them.
    fn custom_rules(&mut self) -> Option<&mut RuleIndex> {
        None
    }
}

/// What a check can do to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It can refuse it.
    Denies,
    /// It remembers and informs.
    Tells,
    /// It can only let it run.
    Allows,
}

/// Makes everything about checks out of their rows.
///
/// A row is `module::Type, "name", Role, "about";`. `boxed` after the type is for large settings. `or None` after the role is for a check
/// that refuses but lets the call run when it fails itself. The rows of `unnamed` are checks that no profile can name.
macro_rules! checks {
    (
        named { $($module:ident::$type:ident $($boxed:ident)?, $name:expr, $role:ident $(or $mode:ident)?, $about:literal;)+ }
        unnamed { $($more_module:ident::$more:ident, $more_name:expr, $more_role:ident, $more_about:literal;)+ }
    ) => {
        $(pub use self::$module::$type;)+
        $(pub use self::$more_module::$more;)+

        /// A check with its resolved settings.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Check {
            $(#[doc = concat!("This check ", $about, ".")] $type(held!($type $($boxed)?)),)+
            $(#[doc = concat!("This check ", $more_about, ".")] $more($more),)+
        }

        /// Every kind of check that a profile can name; feeds the profile reader, its messages and the documentation.
        pub const KINDS: &[Kind] = &[
            $(Kind {
                name: $name,
                about: $about,
                settings: table::names::<$type>,
                #[cfg(feature = "schema")]
                schema: <$type as schemars::JsonSchema>::json_schema,
                read: |settings| Ok(Check::$type(table::read::<$type>($name, settings)?.into())),
            },)+
        ];

        impl Check {
            /// The check's name in profiles and traces.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$type(_) => $name,)+
                    $(Self::$more(_) => $more_name,)+
                }
            }

            /// What to answer if the check itself fails, unless the handler says otherwise.
            pub const fn default_on_error(&self) -> FailMode {
                match self {
                    $(Self::$type(_) => fails!($role $($mode)?),)+
                    $(Self::$more(_) => fails!($more_role),)+
                }
            }

            const fn role(&self) -> Role {
                match self {
                    $(Self::$type(_) => Role::$role,)+
                    $(Self::$more(_) => Role::$more_role,)+
                }
            }

            /// What the check does.
            pub(crate) fn step(&self) -> &dyn Step {
                match self {
                    $(Self::$type(step) => { let step: &$type = step; step })+
                    $(Self::$more(step) => step,)+
                }
            }

            /// The same, to change its settings.
            pub(crate) fn step_mut(&mut self) -> &mut dyn Step {
                match self {
                    $(Self::$type(step) => { let step: &mut $type = step; step })+
                    $(Self::$more(step) => step,)+
                }
            }
        }
    };
}

/// How the settings of a check are held.
macro_rules! held {
    ($type:ident) => { $type };
    ($type:ident boxed) => { Box<$type> };
}

/// The fail mode that follows from a role.
macro_rules! fails {
    (Denies) => {
        FailMode::Deny
    };
    ($role:ident $($mode:ident)?) => {
        FailMode::None
    };
}

pub(super) use {checks, fails, held};

/// Reads the settings of a check.
pub(super) fn read<T: Step + DeserializeOwned>(name: &str, settings: toml::Table) -> Result<T, ConfigError> {
    let step: T = read_value(settings.into()).map_err(|wrong| wrong.told().within(name))?;
    match step.fault() {
        None => Ok(step),
        Some(fault) => Err(ConfigError::new(fault).within(name)),
    }
}

/// The names of the settings of a check, in order.
pub(super) fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // The type only has to say what it would read.
    drop(T::deserialize(Names(&mut names)));
    names
}

/// Takes down which fields a structure asks for, and gives it none.
struct Names<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("only names are asked for"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}
