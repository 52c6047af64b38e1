//! Contacts and what they have agreed to: a file of the user's, or the registry's tables.

use std::path::{Path, PathBuf};

use hook_session_state::registry::{SessionRegistry, normal_email, normal_phone};
use serde::Deserialize;

use crate::Error;
use crate::error::{Context as _, bail};
use crate::facts::read_small;
use crate::project::registry;
use crate::system::System;

/// The file: a list of contacts under `contact` or `contacts`; in JSON the list alone will do.
#[derive(Deserialize)]
struct Book {
    #[serde(alias = "contacts")]
    contact: Vec<Contact>,
}

#[derive(Deserialize)]
struct Contact {
    #[serde(default, alias = "phones")]
    phone: OneOrMany,
    #[serde(default, alias = "emails")]
    email: OneOrMany,
    /// Somebody without tags has agreed to nothing.
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn all(&self) -> &[String] {
        match self {
            Self::None => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

/// The tags of whoever has this telephone number or e-mail address. With a file of this name that file alone counts; without one the
/// registry does. Addresses are compared in their normal form.
pub fn tags(file: &str, address: &str, system: &System) -> Result<Vec<String>, Error> {
    match place(file, system) {
        Some(path) if path.symlink_metadata().is_ok() => of_file(&path, address),
        _ => registry::ask(system, |registry| registry.tags(address)),
    }
}

/// Where a file of contacts lies: absolute, from the home directory, or beside the user's configuration.
fn place(file: &str, system: &System) -> Option<PathBuf> {
    if file.is_empty() {
        return None;
    }
    match file.strip_prefix("~/") {
        Some(rest) => Some(system.home()?.join(rest)),
        None => Some(system.user_config()?.parent()?.join(file)),
    }
}

fn of_file(path: &Path, address: &str) -> Result<Vec<String>, Error> {
    let shown = path.display();
    let text = read_small(path).with_context(|| format!("{shown} cannot be read as text of at most 1 MiB"))?;
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let read = if is_json {
        let text = text.trim_start_matches('\u{feff}');
        let contacts = if text.trim_start().starts_with('[') {
            serde_json::from_str::<Vec<Contact>>(text)
        } else {
            serde_json::from_str::<Book>(text).map(|book| book.contact)
        };
        contacts.map_err(|error| error.to_string())
    } else {
        toml::from_str::<Book>(&text).map(|book| book.contact).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            format!("{} at line {}", error.message(), before.split('\n').count())
        })
    };
    let contacts = match read {
        Ok(contacts) => contacts,
        Err(error) => {
            bail!(
                "{shown} is no list of contacts, each with `phone` or `email` and a list of `tags`: {error}; correct it"
            )
        }
    };
    let (phone, email) = (normal_phone(address), normal_email(address));
    let is_theirs = |contact: &Contact| {
        phone.is_some() && contact.phone.all().iter().any(|known| normal_phone(known) == phone)
            || email.is_some() && contact.email.all().iter().any(|known| normal_email(known) == email)
    };
    let mut tags: Vec<String> = contacts.into_iter().filter(is_theirs).flat_map(|contact| contact.tags).collect();
    tags.sort();
    tags.dedup();
    Ok(tags)
}
