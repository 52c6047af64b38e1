//! Rules for the large clouds: programs with hundreds of commands of one form.

use super::{Family, Pattern, Rule, ask, flags, words};
use crate::rule::command::Command;
use crate::rule::verb::Verbs;

/// Endpoints of this machine hold nothing that is dear.
const LOCAL: &[&str] = &["--endpoint-url=*localhost*", "--endpoint-url=*127.0.0.1*", "--endpoint-url=*localstack*"];

const fn cloud(
    programs: &'static [&'static str],
    depth: u8,
    more: &'static str,
    less: &'static [&'static [&'static str]],
) -> Pattern {
    Pattern::Verbs(Verbs { programs, depth, more, less, without: LOCAL })
}

const fn local_or(words: &'static [&'static str], flags: &'static [&'static str]) -> Pattern {
    Pattern::Command(Command { programs: &["aws"], words, flags, without: LOCAL })
}

pub(super) const RULES: &[Rule] = &[
    ask(
        "aws-delete",
        Family::Cloud,
        cloud(
            &["aws"],
            2,
            "disassociate-*|detach-*|release-*|deactivate-*|unsubscribe|schedule-key-deletion|cancel-spot-*|cancel-capacity-*|deprovision-*|reset-*|unlink-*|disable-*|leave-*|abort-*|withdraw-*|close-account|forget-*|expire-*",
            &[&["configure"], &["*", "reset-*-status"]],
        ),
        "deletes, detaches or gives up a resource of AWS",
        &[
            "aws ec2 terminate-instances --instance-ids i-1",
            "aws --region eu-1 secretsmanager delete-secret --secret-id a",
            "aws --region=eu-1 --profile prod s3 rb s3://b --force",
            "aws s3 rm s3://b/a --recursive",
            "aws iam detach-role-policy --role-name a --policy-arn b",
            "aws dynamodb delete-table --table-name a",
            "aws kms schedule-key-deletion --key-id a",
            "aws cognito-idp admin-delete-user --user-pool-id p --username u",
        ],
        &[
            "aws s3 ls",
            "aws s3 cp a s3://b/a",
            "aws ec2 describe-instances --filters Name=tag:x,Values=delete",
            "aws ec2 terminate-instances --instance-ids i-1 --dry-run",
            "aws s3 rm s3://b/a --dryrun",
            "aws --endpoint-url http://localhost:4566 s3 rb s3://b",
            "aws lambda list-layers",
            "aws help",
        ],
    ),
    ask(
        "aws-s3-mirror",
        Family::Cloud,
        local_or(&["s3", "sync"], &["--delete"]),
        "deletes what the source does not have",
        &["aws s3 sync a s3://b --delete", "aws --profile p s3 sync --delete a s3://b"],
        &["aws s3 sync a s3://b", "aws s3 sync a s3://b --delete --dryrun"],
    ),
    ask(
        "aws-s3-move",
        Family::Cloud,
        local_or(&["s3", "mv", "s3://*"], &[]),
        "moves objects out of a bucket",
        &["aws s3 mv s3://a/x s3://b/x --recursive"],
        &["aws s3 mv a s3://b/a", "aws s3 cp s3://a/x ."],
    ),
    ask(
        "aws-public",
        Family::Cloud,
        local_or(&["s3api|s3|rds|ec2", "*"], &["--acl=public-read*", "--publicly-accessible"]),
        "makes something of AWS public",
        &["aws s3api put-bucket-acl --bucket b --acl public-read", "aws s3 cp a s3://b --acl=public-read"],
        &["aws s3api put-bucket-acl --bucket b --acl private"],
    ),
    ask(
        "aws-scale-zero",
        Family::Cloud,
        local_or(
            &["ecs|autoscaling|application-autoscaling|eks", "update-*|set-desired-capacity|create-service"],
            &["--desired-count=0", "--desired-capacity=0", "--max-size=0"],
        ),
        "stops every copy of a workload",
        &["aws ecs update-service --service a --desired-count 0"],
        &["aws ecs update-service --service a --desired-count 2"],
    ),
    ask(
        "aws-access",
        Family::Cloud,
        local_or(
            &["iam", "attach-*-policy"],
            &[
                "--policy-arn=*:policy/AdministratorAccess",
                "--policy-arn=*:policy/IAMFullAccess",
                "--policy-arn=*:policy/PowerUserAccess",
            ],
        ),
        "gives somebody the right to do almost everything",
        &["aws iam attach-user-policy --user-name a --policy-arn arn:aws:iam::aws:policy/AdministratorAccess"],
        &[
            "aws iam attach-role-policy --role-name a --policy-arn arn:aws:iam::aws:policy/ReadOnlyAccess",
            "aws iam list-policies",
        ],
    ),
    ask(
        "aws-open-network",
        Family::Network,
        local_or(
            &["ec2", "authorize-security-group-ingress"],
            &["--cidr=0.0.0.0/0", "--cidr=::/0", "--ip-permissions=*0.0.0.0/0*", "--ip-permissions=*::/0*"],
        ),
        "opens a network to everybody",
        &["aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 0.0.0.0/0"],
        &["aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 10.0.0.0/8"],
    ),
    ask(
        "aws-audit-off",
        Family::Cloud,
        local_or(
            &["cloudtrail|configservice|guardduty|securityhub", "stop-*|update-detector|put-event-selectors"],
            &[],
        ),
        "switches off, or changes, what records who did what",
        &[
            "aws cloudtrail stop-logging --name t",
            "aws configservice stop-configuration-recorder --configuration-recorder-name r",
        ],
        &["aws cloudtrail describe-trails", "aws cloudtrail lookup-events"],
    ),
    ask(
        "cloud-protection-off",
        Family::Cloud,
        flags(
            &["aws", "gcloud", "az", "doctl", "scw", "hcloud"],
            &["*"],
            &["--no-deletion-protection", "--no-enable-termination-protection", "--no-disable-api-termination"],
        ),
        "takes away what guards a resource against deletion",
        &[
            "aws rds modify-db-instance --db-instance-identifier a --no-deletion-protection",
            "gcloud sql instances patch a --no-deletion-protection",
        ],
        &["aws rds modify-db-instance --db-instance-identifier a --deletion-protection"],
    ),
    ask(
        "aws-dns-change",
        Family::Network,
        flags(
            &["aws"],
            &["route53", "change-resource-record-sets"],
            &["--change-batch=*delete*", "--change-batch=file:*"],
        ),
        "deletes or changes records of the domain name system",
        &[
            "aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch '{\"Changes\":[{\"Action\":\"DELETE\"}]}'",
        ],
        &[
            "aws route53 list-hosted-zones",
            "aws route53 change-resource-record-sets --hosted-zone-id Z --change-batch '{\"Changes\":[{\"Action\":\"CREATE\"}]}'",
        ],
    ),
    ask(
        "gcloud-delete",
        Family::Cloud,
        cloud(
            &["gcloud"],
            7,
            "reset|abandon-instances|recreate-instances|untag|detach-*|disable",
            &[&["*", "deploy"], &["config"], &["auth"], &["components"]],
        ),
        "deletes, resets or switches off a resource of Google Cloud",
        &[
            "gcloud sql instances delete db",
            "gcloud --project p compute instances delete a --zone z",
            "gcloud beta run services delete a",
            "gcloud projects delete p",
            "gcloud storage rm -r gs://b",
            "gcloud kms keys versions destroy 1 --key k",
        ],
        &[
            "gcloud projects list",
            "gcloud storage cat gs://b/delete",
            "gcloud config unset project",
            "gcloud auth revoke",
            "gcloud compute instances list --filter delete",
            "gcloud help compute instances delete",
        ],
    ),
    ask(
        "gcloud-mirror",
        Family::Cloud,
        flags(&["gcloud"], &["storage", "rsync"], &["--delete-unmatched-destination-objects"]),
        "deletes what the source does not have",
        &["gcloud storage rsync a gs://b --delete-unmatched-destination-objects"],
        &["gcloud storage rsync a gs://b"],
    ),
    ask(
        "gsutil-delete",
        Family::Cloud,
        cloud(&["gsutil", "bq"], 1, "", &[]),
        "deletes objects, buckets, tables or data sets of Google Cloud",
        &["gsutil -m rm -r gs://b/**", "gsutil rb gs://b", "bq rm -r -f d", "bq --project_id=p rm -t d.t"],
        &["gsutil ls", "gsutil cp gs://b/a .", "bq ls", "bq show d"],
    ),
    ask(
        "gsutil-mirror",
        Family::Cloud,
        flags(&["gsutil"], &["rsync"], &["-d"]),
        "deletes what the source does not have",
        &["gsutil rsync -d a gs://b", "gsutil -m rsync -rd a gs://b"],
        &["gsutil rsync -r a gs://b"],
    ),
    ask(
        "gsutil-move",
        Family::Cloud,
        words(&["gsutil"], &["mv", "gs://*"]),
        "moves objects out of a bucket",
        &["gsutil mv gs://a/x gs://b/x"],
        &["gsutil cp gs://a/x gs://b/x"],
    ),
    ask(
        "azure-delete",
        Family::Cloud,
        cloud(
            &["az"],
            7,
            "untag|delete-batch|deallocate|disassociate",
            &[&["config"], &["account", "clear"], &["extension"], &["cache"], &["cloud"], &["bicep"]],
        ),
        "deletes or gives up a resource of Azure",
        &[
            "az group delete -n g --yes",
            "az storage blob delete -c c -n b",
            "az --subscription s keyvault secret purge --name a --vault-name v",
            "az vm delete --ids a",
            "az lock delete --name l",
        ],
        &[
            "az group show -n delete", "az account show", "az extension remove --name a", "az vm image list",
            "az group delete --help",
        ],
    ),
    ask(
        "azure-rest-delete",
        Family::Cloud,
        flags(&["az"], &["rest"], &["--method=delete", "-m=delete"]),
        "deletes a resource of Azure",
        &[
            "az rest --method delete --url https://management.azure.com/a",
            "az rest -m DELETE -u https://management.azure.com/a",
        ],
        &["az rest --method get --url https://management.azure.com/a"],
    ),
    ask(
        "cloud-delete",
        Family::Cloud,
        cloud(
            &[
                "doctl", "linode-cli", "hcloud", "vultr-cli", "vultr", "scw", "oci", "ibmcloud", "aliyun", "tccli",
                "openstack", "ovhcloud", "civo", "exo", "yc", "upctl", "metal", "equinix", "gridscale", "stackit",
                "ionosctl", "cloudscale", "nova", "neutron", "cinder", "glance", "mgc",
            ],
            5,
            "delete*|terminate*|release*|remove*|rebuild|reset|unassign*|shelve|isolate*",
            &[&["auth"], &["config"], &["plugin"], &["context"], &["profile"], &["configure"]],
        ),
        "deletes or resets a resource of a cloud",
        &[
            "doctl compute droplet delete 1",
            "doctl -t token kubernetes cluster delete a",
            "hcloud server delete a",
            "linode-cli linodes delete 1",
            "oci compute instance terminate --instance-id a",
            "aliyun ecs DeleteInstance --InstanceId i-1",
            "openstack server delete a",
            "scw instance server delete a",
            "ibmcloud ks cluster rm --cluster a",
        ],
        &[
            "doctl compute droplet list", "hcloud server describe a", "oci os ns get",
            "openstack server list --name delete", "scw config get",
        ],
    ),
    ask(
        "azure-deployment-complete",
        Family::Cloud,
        flags(&["az"], &["deployment", "group|sub|mg|tenant", "create"], &["--mode=complete"]),
        "deletes every resource that a template does not name",
        &["az deployment group create -g r -f main.bicep --mode Complete"],
        &[
            "az deployment group create -g r -f main.bicep",
            "az deployment group create -g r -f main.bicep --mode Incremental",
            "az deployment group what-if -g r -f main.bicep --mode Complete",
            "az deployment group list -g r",
        ],
    ),
    ask(
        "azure-stack-unmanaged",
        Family::Cloud,
        flags(
            &["az"],
            &["stack", "*", "create|delete"],
            &["--action-on-unmanage=deleteall", "--action-on-unmanage=deleteresources"],
        ),
        "deletes the resources of a stack",
        &["az stack group create -n s -g r -f main.bicep --action-on-unmanage deleteAll --deny-settings-mode none"],
        &["az stack group create -n s -g r -f main.bicep --action-on-unmanage detachAll --deny-settings-mode none"],
    ),
];
