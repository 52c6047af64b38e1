//! What every registry can do, whatever database it lies in.

use super::event::RegistryEvent;
use super::model::{Applied, Contact, Filter, Finished, Lookup, Lost, Session};
use crate::error::Error;

/// A registry of sessions. All that changes it is a [`RegistryEvent`], so that it can be rebuilt from them, on this machine or
/// another; contacts alone are put in directly.
pub trait SessionRegistry {
    /// Applies these records in one transaction: all of them or, with an error, none. A record whose id was applied before does
    /// nothing, so whoever is not sure applies again.
    fn apply(&mut self, events: &[RegistryEvent]) -> Result<Applied, Error>;

    /// The sessions that are wanted, the one seen last first.
    fn list(&mut self, filter: &Filter) -> Result<Vec<Session>, Error>;

    /// The session of this id, or that whose id alone begins like this.
    fn show(&mut self, id: &str) -> Result<Lookup, Error>;

    /// The open sessions that count as lost. To end them, apply [`super::Change::Ended`] with the reason [`super::LOST`] to each: one that
    /// gives a sign of life after that moment is open again.
    fn lost(&mut self, lost: &Lost<'_>) -> Result<Vec<Session>, Error>;

    /// Removes sessions that ended before this time, notifications about workers that were done before it, and those workers. Returns how many
    /// sessions went.
    fn forget(&mut self, ended_before: i64) -> Result<u64, Error>;

    /// Forgets the ids of records that were applied before the day of this time, and returns how many went. A record that comes again after that counts again,
    /// so keep them for 60 days: longer than any spool holds its records.
    fn forget_records(&mut self, before: i64) -> Result<u64, Error>;

    /// The workers that have a result for this conversation: complete, with a result, and none that others depend on. To mark them as
    /// reported, apply [`super::Change::Notified`], as often as wanted.
    fn finished(&mut self, conversation: &str) -> Result<Finished, Error>;

    /// Adds a contact or replaces the one of this id.
    fn put_contact(&mut self, contact: &Contact) -> Result<(), Error>;

    /// The tags of the contact with this telephone number or e-mail address, in order; none for an address that nobody has.
    fn tags(&mut self, address: &str) -> Result<Vec<String>, Error>;
}
