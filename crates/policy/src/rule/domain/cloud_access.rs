//! Rules for what gives rights in a cloud, opens it to everybody, or switches off what guards it. What deletes is for the other table.

use super::{Family, Rule, ask, flags, words};
use crate::rule::Pattern;
use crate::rule::command::Command;

const AWS: &[&str] = &["aws"];
const GCLOUD: &[&str] = &["gcloud"];
const AZURE: &[&str] = &["az"];

/// Roles with which somebody can do almost everything.
const ROLES: &[&str] = &[
    "--role=roles/owner", "--role=roles/editor", "--role=roles/*admin", "--role=roles/iam.*", "--member=allusers",
    "--member=allauthenticatedusers",
];

pub(super) const RULES: &[Rule] = &[
    ask(
        "aws-rights",
        Family::Cloud,
        words(
            AWS,
            &[
                "iam",
                "put-user-policy|put-role-policy|put-group-policy|update-assume-role-policy|create-login-profile|update-login-profile|add-user-to-group|create-policy-version|set-default-policy-version|delete-*-permissions-boundary",
            ],
        ),
        "gives somebody rights in AWS, or a way to log in",
        &[
            "aws iam put-user-policy --user-name a --policy-name p --policy-document file://p.json",
            "aws iam update-assume-role-policy --role-name r --policy-document file://p.json",
            "aws iam create-login-profile --user-name a --password p",
        ],
        &[
            "aws iam get-role-policy --role-name r --policy-name p",
            "aws iam list-users",
            "aws iam create-role --role-name r",
        ],
    ),
    ask(
        "aws-bucket-rules",
        Family::Cloud,
        words(
            AWS,
            &["s3api|s3control", "put-bucket-policy|put-bucket-lifecycle*|put-bucket-acl|put-bucket-replication"],
        ),
        "changes who sees a bucket, or when what lies in it is deleted",
        &[
            "aws s3api put-bucket-policy --bucket b --policy file://p.json",
            "aws s3api put-bucket-lifecycle-configuration --bucket b --lifecycle-configuration file://l.json",
        ],
        &["aws s3api get-bucket-policy --bucket b", "aws s3api put-object --bucket b --key k --body f"],
    ),
    ask(
        "aws-public-access",
        Family::Cloud,
        flags(AWS, &["s3api|s3control", "put-public-access-block"], &["--public-access-block-configuration=*false*"]),
        "takes away what keeps a bucket from being public",
        &["aws s3api put-public-access-block --bucket b --public-access-block-configuration BlockPublicAcls=false"],
        &[
            "aws s3api put-public-access-block --bucket b --public-access-block-configuration BlockPublicAcls=true",
            "aws s3api get-public-access-block --bucket b",
        ],
    ),
    ask(
        "aws-assignment",
        Family::Cloud,
        words(AWS, &["sso-admin", "create-account-assignment|attach-*-policy-to-permission-set"]),
        "gives somebody rights in AWS",
        &["aws sso-admin create-account-assignment --instance-arn i --principal-id p"],
        &["aws sso-admin list-account-assignments --instance-arn i --account-id a --permission-set-arn s"],
    ),
    ask(
        "aws-shared",
        Family::Cloud,
        flags(
            AWS,
            &["ec2", "modify-snapshot-attribute|modify-image-attribute"],
            &["--create-volume-permission", "--launch-permission", "--operation-type=add"],
        ),
        "shares a disk's content with another account",
        &["aws ec2 modify-snapshot-attribute --snapshot-id s --attribute createVolumePermission --operation-type add"],
        &["aws ec2 modify-image-attribute --image-id i --description x", "aws ec2 describe-snapshots"],
    ),
    ask(
        "aws-stop",
        Family::Cloud,
        words(
            AWS,
            &[
                "ec2|rds|redshift|neptune|docdb|sagemaker|lightsail|workspaces",
                "stop-instances|reboot-instances|stop-db-*|reboot-db-*|failover-db-*|pause-cluster|reboot-cluster|stop-notebook-instance|stop-instance|reboot-instance|stop-workspaces|reboot-workspaces",
            ],
        ),
        "stops or restarts a machine or a database of AWS",
        &["aws ec2 stop-instances --instance-ids i-1", "aws rds reboot-db-instance --db-instance-identifier p"],
        &["aws ec2 start-instances --instance-ids i-1", "aws ec2 stop-instances --instance-ids i-1 --dry-run"],
    ),
    ask(
        "aws-password",
        Family::Cloud,
        flags(
            AWS,
            &["rds|redshift|docdb|neptune", "modify-*"],
            &["--master-user-password", "--new-db-cluster-identifier"],
        ),
        "changes the password or the name of a database",
        &["aws rds modify-db-instance --db-instance-identifier p --master-user-password x"],
        &["aws rds modify-db-instance --db-instance-identifier p --allocated-storage 50"],
    ),
    ask(
        "gcloud-rights",
        Family::Cloud,
        flags(GCLOUD, &["*", "*"], ROLES),
        "gives a role that may do nearly everything, or gives one to everybody",
        &[
            "gcloud projects add-iam-policy-binding p --member=user:a@b.c --role=roles/owner",
            "gcloud run services add-iam-policy-binding s --member=allUsers --role=roles/run.invoker",
        ],
        &[
            "gcloud projects add-iam-policy-binding p --member=user:a@b.c --role=roles/viewer",
            "gcloud projects get-iam-policy p",
        ],
    ),
    ask(
        "gcloud-policy",
        Family::Cloud,
        words(GCLOUD, &["projects|organizations|folders|resource-manager", "set-iam-policy"]),
        "replaces everybody's rights in a project",
        &["gcloud projects set-iam-policy p policy.json"],
        &["gcloud projects get-iam-policy p", "gcloud projects list"],
    ),
    ask(
        "gcloud-keys",
        Family::Cloud,
        words(GCLOUD, &["iam", "service-accounts", "keys", "create|upload"]),
        "makes a key that does not expire, for whoever holds it",
        &["gcloud iam service-accounts keys create k.json --iam-account a@p.iam.gserviceaccount.com"],
        &["gcloud iam service-accounts keys list --iam-account a@p.iam.gserviceaccount.com"],
    ),
    ask(
        "gcloud-open-network",
        Family::Network,
        flags(
            GCLOUD,
            &["compute", "firewall-rules", "create|update"],
            &["--source-ranges=*0.0.0.0/0*", "--source-ranges=*::/0*"],
        ),
        "opens a network to everybody",
        &["gcloud compute firewall-rules create x --allow=tcp --source-ranges=0.0.0.0/0"],
        &["gcloud compute firewall-rules create x --allow=tcp:22 --source-ranges=10.0.0.0/8"],
    ),
    ask(
        "gsutil-public",
        Family::Cloud,
        words(&["gsutil"], &["iam|acl", "ch", "allusers:*|allauthenticatedusers:*"]),
        "makes a bucket or an object public",
        &["gsutil iam ch allUsers:objectViewer gs://b", "gsutil acl ch -u AllUsers:R gs://b/a"],
        &["gsutil iam get gs://b", "gsutil iam ch user:a@b.c:objectViewer gs://b"],
    ),
    ask(
        "azure-rights",
        Family::Cloud,
        flags(
            AZURE,
            &["role", "assignment", "create"],
            &["--role=owner", "--role=contributor", "--role=*administrator*"],
        ),
        "gives somebody the right to do almost everything",
        &["az role assignment create --assignee a --role Owner"],
        &["az role assignment create --assignee a --role Reader", "az role assignment list"],
    ),
    ask(
        "azure-credentials",
        Family::Cloud,
        words(AZURE, &["ad", "app|sp", "credential", "reset"]),
        "makes a password for an application, in place of the one it has",
        &["az ad app credential reset --id a", "az ad sp credential reset --id a --append"],
        &["az ad app credential list --id a", "az ad sp list"],
    ),
    ask(
        "azure-principal",
        Family::Cloud,
        words(AZURE, &["ad", "sp", "create-for-rbac"]),
        "makes an account with a password, and gives it rights",
        &["az ad sp create-for-rbac --name a --role Contributor --scopes /subscriptions/s"],
        &["az ad sp show --id a", "az ad sp create --id a"],
    ),
    ask(
        "azure-open-network",
        Family::Network,
        Pattern::Command(Command {
            programs: AZURE,
            words: &["network", "nsg", "rule", "create|update"],
            flags: &[
                "--source-address-prefixes=0.0.0.0/0", "--source-address-prefixes=internet",
                "--source-address-prefix=0.0.0.0/0", "--source-address-prefix=internet",
            ],
            without: &["--access=deny"],
        }),
        "opens a network to everybody",
        &[
            "az network nsg rule create --nsg-name n -g g -n x --priority 100 --access Allow --source-address-prefixes Internet",
        ],
        &["az network nsg rule create --nsg-name n -g g -n x --priority 100 --source-address-prefixes 10.0.0.0/8"],
    ),
];
