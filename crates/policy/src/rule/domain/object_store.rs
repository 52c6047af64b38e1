//! Rules for object stores and distributed storage.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::Command;

const MINIO: &[&str] = &["mc", "mcli"];

pub(super) const RULES: &[Rule] = &[
    ask(
        "object-rclone",
        Family::Cloud,
        verbs(&["rclone"], 1, "cleanup|dedupe|move|moveto|sync|bisync", &[&["config"]]),
        "deletes or moves what is stored elsewhere, or what the source does not have",
        &[
            "rclone purge remote:b",
            "rclone sync a remote:b",
            "rclone --config c deletefile remote:b/a",
            "rclone move a: b:",
        ],
        &["rclone copy a remote:b", "rclone ls remote:b", "rclone sync a remote:b --dry-run", "rclone config delete a"],
    ),
    ask(
        "object-delete",
        Family::Cloud,
        verbs(
            &[
                "s3cmd", "s5cmd", "s4cmd", "azcopy", "b2", "backblaze-b2", "obsutil", "ossutil", "ossutil64", "coscmd",
                "coscli", "swift", "s3-cli", "uplink", "tigris", "storj", "qshell", "ais",
            ],
            2,
            "expire|delpolicy|dellifecycle|delcors|hide-file|cancel-all-unfinished-large-files|abortmp|batchdelete|rd",
            &[&["config"], &["login"], &["logout"], &["jobs"]],
        ),
        "deletes objects or a bucket of an object store",
        &[
            "s3cmd del --recursive s3://b", "s3cmd rb s3://b", "s5cmd rm 's3://b/*'",
            "azcopy remove https://a/b --recursive", "b2 bucket delete b",
        ],
        &["s3cmd ls", "s5cmd cp a s3://b", "azcopy copy a https://b", "azcopy jobs remove x", "b2 bucket list"],
    ),
    ask(
        "object-mirror",
        Family::Cloud,
        flags(
            &["s3cmd", "s5cmd", "azcopy", "b2", "mc", "mcli", "obsutil", "ossutil", "coscmd"],
            &["sync|mirror"],
            &["--delete", "--delete-removed", "--delete-destination", "--delete-destination=true", "--remove"],
        ),
        "deletes what the source does not have",
        &[
            "s5cmd sync --delete a s3://b",
            "s3cmd sync --delete-removed a s3://b",
            "mc mirror --remove a m/b",
            "azcopy sync a b --delete-destination=true",
        ],
        &["s5cmd sync a s3://b", "mc mirror a m/b", "azcopy sync a b --delete-destination=false"],
    ),
    ask(
        "object-minio",
        Family::Cloud,
        verbs(MINIO, 1, "undo", &[]),
        "deletes objects or a bucket of an object store",
        &["mc rb --force m/b", "mc rm --recursive --force m/b", "mc --json rm m/b/a"],
        &["mc ls m", "mc cp a m/b", "mc stat m/rm", "mc alias remove m"],
    ),
    ask(
        "object-minio-part",
        Family::Cloud,
        words(
            MINIO,
            &[
                "ilm|event|version|replicate|tag|retention|legalhold|encrypt|anonymous|quota|bucket|idp|batch",
                "rm|remove|suspend|clear|reset|rule|cancel",
            ],
        ),
        "takes a rule or protection away from a bucket",
        &["mc replicate rm m/b --all", "mc version suspend m/b", "mc retention clear m/b"],
        &["mc version info m/b", "mc event list m/b"],
    ),
    ask(
        "object-minio-admin",
        Family::Cloud,
        words(
            MINIO,
            &[
                "admin",
                "user|group|policy|service|bucket|tier|cluster|decommission|rebalance|config|replicate|accesskey|kms",
                "rm|remove|disable|unset|detach|stop|delete|start|reset|svcacct",
            ],
        ),
        "changes who may use an object store, or stops a part of it",
        &[
            "mc admin user remove m bob", "mc admin user disable m bob", "mc admin policy detach m p --user bob",
            "mc admin service stop m",
        ],
        &["mc admin info m", "mc admin user list m", "mc admin policy info m p"],
    ),
    ask(
        "object-ceph",
        Family::Cloud,
        verbs(
            &[
                "rados", "rbd", "ceph", "radosgw-admin", "gluster", "weka", "mfscli", "juicefs", "beegfs-ctl",
                "linstor", "drbdadm",
            ],
            4,
            "rmpool|out|cleanup|invalidate-peer|stop|down|format",
            &[],
        ),
        "deletes pools, images, objects or disks of a storage cluster",
        &[
            "ceph osd pool delete p p --yes-i-really-really-mean-it",
            "rbd rm p/image",
            "rados -p p rm a",
            "gluster volume delete v",
            "radosgw-admin user rm --uid a",
        ],
        &["ceph status", "rbd ls p", "rados df", "gluster volume info"],
    ),
    ask(
        "object-peer",
        Family::Cloud,
        verbs(&["ipfs", "ipfs-cluster-ctl"], 2, "gc", &[&["config"], &["bootstrap"]]),
        "removes what a store of content holds",
        &["ipfs pin rm a", "ipfs repo gc", "ipfs-cluster-ctl pin rm a"],
        &["ipfs cat a", "ipfs pin ls"],
    ),
    ask(
        "remote-mirror",
        Family::Cloud,
        Pattern::Command(Command {
            programs: &["rsync"],
            words: &["*", "*:*"],
            flags: &[
                "--delete", "--del", "--delete-before", "--delete-during", "--delete-delay", "--delete-after",
                "--delete-excluded", "--delete-missing-args",
            ],
            without: &["-n", "--list-only"],
        }),
        "deletes on another machine what the source does not have",
        &["rsync -av --delete site/ deploy@web.example.com:/srv/site/", "rsync -az --delete-after build/ web::site"],
        &[
            "rsync -av site/ deploy@web.example.com:/srv/site/",
            "rsync -avn --delete site/ web:/srv",
            "rsync -a --delete web:/srv/ copy/",
        ],
    ),
];
