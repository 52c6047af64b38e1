//! Rules for backups.

use super::{Family, Pattern, Rule, ask, flags, words};
use crate::rule::command::Command;
use crate::rule::verb::Verbs;

/// `-n` makes these programs only say what they would do.
const DRY: &[&str] = &["-n", "--dry"];

const fn backup(programs: &'static [&'static str], depth: u8, more: &'static str) -> Pattern {
    Pattern::Verbs(Verbs { programs, depth, more, less: &[&["cache"], &["config"]], without: DRY })
}

pub(super) const RULES: &[Rule] = &[
    ask(
        "backup-delete",
        Family::Backup,
        backup(
            &[
                "restic", "borg", "borgmatic", "rustic", "bupstash", "bup", "autorestic", "resticprofile", "tmutil",
                "pgbackrest", "barman", "snapper", "duplicati-cli", "proxmox-backup-client", "attic", "zbackup",
                "duplicacy", "plakar",
            ],
            2,
            "forget|recreate|repo-delete|compact|expire|stanza-delete|gc|deletelocalsnapshots|disable|thin|rewrite|deletebackup|delete-backups|delete-all",
        ),
        "deletes or rewrites backups",
        &[
            "restic forget abc --prune",
            "restic -r s3:b prune",
            "borg delete ::a",
            "borg --verbose prune --keep-daily 7 repo",
            "borg compact /srv/repo",
            "borgmatic prune",
            "pgbackrest --stanza=a expire",
            "tmutil deletelocalsnapshots 2026-01-01",
            "snapper delete 3",
        ],
        &[
            "restic snapshots", "restic forget abc --dry-run", "borg prune -n --keep-daily 7", "borg list",
            "borg create ::a .", "restic backup /srv/delete",
        ],
    ),
    ask(
        "backup-kopia",
        Family::Backup,
        backup(
            &["kopia", "wal-g", "wal-e", "pg_probackup", "urbackupclientctl", "wbadmin", "vssadmin", "diskshadow"],
            2,
            "expire|forget|deletejob|delete",
        ),
        "deletes backups, snapshots or what keeps them",
        &[
            "kopia snapshot delete a --delete", "kopia snapshot expire --all --delete", "wal-g delete retain 5",
            "vssadmin delete shadows /all",
        ],
        &["kopia snapshot list", "wal-g backup-list", "vssadmin list shadows"],
    ),
    ask(
        "backup-locks",
        Family::Backup,
        flags(&["restic", "rustic"], &["unlock"], &["--remove-all"]),
        "removes the locks of others from a backup",
        &["restic -r /srv/repo unlock --remove-all"],
        &["restic unlock"],
    ),
    ask(
        "backup-keys",
        Family::Backup,
        words(&["restic", "rustic", "borg"], &["key", "remove|rm|change-passphrase|change-location"]),
        "takes a key to a backup away",
        &["restic key remove abc"],
        &["restic key list", "borg key export repo"],
    ),
    ask(
        "backup-repair",
        Family::Backup,
        flags(&["borg"], &["check"], &["--repair"]),
        "changes a backup that is damaged, and may lose a part of it",
        &["borg check --repair repo"],
        &["borg check repo"],
    ),
    ask(
        "backup-lock-break",
        Family::Backup,
        words(&["borg"], &["break-lock"]),
        "removes the locks of others from a backup",
        &["borg break-lock repo"],
        &["borg with-lock repo ls"],
    ),
    ask(
        "backup-duplicity",
        Family::Backup,
        words(&["duplicity"], &["remove-*|cleanup"]),
        "deletes old backups",
        &["duplicity remove-older-than 6M --force s3://b"],
        &["duplicity collection-status s3://b"],
    ),
    ask(
        "backup-flags",
        Family::Backup,
        Pattern::Command(Command {
            programs: &["timeshift", "rdiff-backup", "tarsnap"],
            words: &[],
            flags: &["--delete", "--delete-all", "--remove-older-than", "--nuke", "--fsck-prune"],
            without: &[],
        }),
        "deletes backups",
        &["timeshift --delete-all", "rdiff-backup --remove-older-than 1W /backup", "tarsnap --nuke"],
        &["timeshift --list", "tarsnap --list-archives"],
    ),
    ask(
        "backup-tarsnap",
        Family::Backup,
        flags(&["tarsnap"], &[], &["-d"]),
        "deletes a backup",
        &["tarsnap -d -f daily"],
        &["tarsnap -c -f daily /srv", "tarsnap -x -f daily"],
    ),
    ask(
        "backup-repair-forget",
        Family::Backup,
        flags(&["restic", "rustic"], &["repair", "snapshots"], &["--forget"]),
        "replaces damaged backups by what is left of them",
        &["restic repair snapshots --forget"],
        &["restic repair index"],
    ),
];
