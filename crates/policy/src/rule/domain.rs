//! Rules for the command lines of services: containers, clusters, clouds, databases, forges, registries and the like.

use super::words::{fits, has_option, only_shows, plain_words, starts_with};
use super::{Family, Pattern, Rule, Severity, http, sql};
use crate::resolve::Run;
use crate::resolve::value::is_known;

/// Words that destroy, whatever the program.
const VERBS: &str = "delete|del|destroy|remove|rm|rb|purge|drop|terminate|revoke|unregister|deregister|prune|wipe|truncate|uninstall|nuke|delete-*|remove-*|terminate-*|purge-*|deregister-*|destroy-*|drop-*|revoke-*|uninstall-*|delete_*|remove_*|purge_*|drop_*|*-delete|*-remove|*-destroy|*-rm|*:delete|*:destroy|*:remove|*:rm|*:purge|*:drop|*_delete|*_remove|deletefile|rmdir|rmi-all|bulk-delete|batch-delete";

/// Programs of services, with what their verbs destroy. `more` are further verbs of theirs, `less` sub-commands that destroy nothing.
struct Service {
    rule: Rule,
    programs: &'static [&'static str],
    more: &'static str,
    less: &'static [&'static [&'static str]],
}

const fn of(
    id: &'static str,
    family: Family,
    reason: &'static str,
    fires: &'static [&'static str],
    spares: &'static [&'static str],
) -> Rule {
    Rule { id, family, severity: Severity::Ask, pattern: Pattern::Service, reason, suggestion: None, fires, spares }
}

const SERVICES: &[Service] = &[
    Service {
        rule: of(
            "cluster-delete",
            Family::Cluster,
            "removes something from a cluster",
            &["kubectl delete pod a", "kubectl -n prod delete ns x", "helm uninstall app", "velero backup delete b"],
            &["kubectl get pods", "helm list", "kubectl delete pod a --dry-run=client"],
        ),
        programs: &[
            "kubectl",
            "oc",
            "helm",
            "velero",
            "argocd",
            "argo",
            "flux",
            "istioctl",
            "linkerd",
            "eksctl",
            "kops",
            "k3d",
            "kind",
            "minikube",
            "k3s-uninstall.sh",
            "kubeadm",
            "rancher",
            "kustomize",
            "crossplane",
            "cilium",
            "k0s",
            "k0sctl",
            "talosctl",
            "tkn",
            "kn",
            "skaffold",
            "tilt",
            "clusterctl",
            "nomad",
            "consul",
            "etcdctl",
        ],
        more: "drain|reset|evict|undo-all",
        less: &[&["config"], &["repo", "remove"], &["plugin"], &["completion"], &["tilt", "down"]],
    },
    Service {
        rule: of(
            "infrastructure-destroy",
            Family::Infrastructure,
            "destroys infrastructure or forgets its state",
            &[
                "terraform destroy",
                "pulumi destroy --yes",
                "cdk destroy",
                "terraform state rm a.b",
                "terraform apply -destroy",
            ],
            &["terraform plan", "terraform apply", "cdk diff"],
        ),
        programs: &[
            "terraform",
            "tofu",
            "terragrunt",
            "pulumi",
            "cdk",
            "cdktf",
            "sam",
            "serverless",
            "sls",
            "vagrant",
            "packer",
            "copilot",
            "sst",
            "amplify",
            "nixops",
            "bosh",
            "kamal",
            "dokku",
            "capistrano",
            "salt",
            "juju",
        ],
        more: "taint|force-unlock",
        less: &[&["workspace", "list"], &["box"], &["plugin"]],
    },
    Service {
        rule: of(
            "cloud-delete",
            Family::Cloud,
            "deletes a cloud resource",
            &[
                "aws ec2 terminate-instances --instance-ids i-1",
                "aws --region eu-1 s3 rb s3://b --force",
                "gcloud sql instances delete db",
                "az group delete -n g",
                "doctl compute droplet delete 1",
                "heroku apps:destroy a",
            ],
            &["aws s3 ls", "gcloud projects list", "az group show -n g", "aws s3 cp a s3://b/a"],
        ),
        programs: &[
            "aws",
            "awslocal",
            "gcloud",
            "gsutil",
            "az",
            "doctl",
            "linode-cli",
            "hcloud",
            "vultr-cli",
            "vultr",
            "scw",
            "oci",
            "ibmcloud",
            "aliyun",
            "heroku",
            "fly",
            "flyctl",
            "vercel",
            "netlify",
            "railway",
            "render",
            "wrangler",
            "firebase",
            "supabase",
            "pscale",
            "neonctl",
            "neon",
            "turso",
            "cf",
            "openstack",
            "ovhcloud",
            "civo",
            "exo",
            "tccli",
            "yc",
            "upctl",
            "eb",
            "surge",
            "now",
            "koyeb",
            "northflank",
            "deployctl",
            "appwrite",
            "convex",
            "cloudflared",
            "flarectl",
            "akamai",
            "fastly",
            "ngrok",
            "tailscale",
            "pulumictl",
        ],
        more: "unsubscribe|schedule-key-deletion|release-address|cancel-spot-instance-requests|disassociate-*|deprovision|teardown|undeploy|logout-all|disable-domain",
        less: &[&["env", "rm-local"], &["config"], &["configure"], &["git:remote"], &["plugins"], &["logs"]],
    },
    Service {
        rule: of(
            "object-store-delete",
            Family::Cloud,
            "deletes objects or a bucket of an object store",
            &["mc rb --force m/b", "rclone purge remote:b", "s3cmd del s3://b/a", "azcopy remove https://a/b"],
            &["mc ls m", "rclone ls remote:b", "rclone copy a remote:b"],
        ),
        programs: &[
            "s3cmd", "s5cmd", "mc", "mcli", "rclone", "azcopy", "b2", "obsutil", "ossutil", "coscmd", "swift", "rados",
            "rbd", "gofakes3", "s4cmd", "minio", "ipfs", "storj", "uplink",
        ],
        more: "cleanup|deletefile|delete|rmdirs|dedupe",
        less: &[&["config"], &["alias"], &["mc", "admin", "info"]],
    },
    Service {
        rule: of(
            "backup-delete",
            Family::Backup,
            "deletes or rewrites backups",
            &["restic forget abc", "borg delete ::a", "borg prune --keep-daily 7", "kopia snapshot delete x"],
            &["restic snapshots", "borg list", "restic forget abc --dry-run", "borg create ::a ."],
        ),
        programs: &[
            "restic",
            "borg",
            "borgmatic",
            "kopia",
            "duplicity",
            "duplicati-cli",
            "tarsnap",
            "rdiff-backup",
            "rustic",
            "bupstash",
            "bup",
            "autorestic",
            "resticprofile",
            "timeshift",
            "tmutil",
            "pgbackrest",
            "wal-g",
            "barman",
            "zfs-auto-snapshot",
            "sanoid",
        ],
        more: "forget|recreate|repo-delete|expire|remove-all-but-n-full|remove-older-than|deletelocalsnapshots|thin",
        less: &[],
    },
    Service {
        rule: of(
            "secret-store-delete",
            Family::SecretStore,
            "deletes or revokes what a secret store keeps",
            &[
                "vault kv destroy -versions=1 s/a",
                "vault secrets disable kv/",
                "op item delete x",
                "doppler projects delete p",
            ],
            &["vault kv get s/a", "vault kv list s", "op item list"],
        ),
        programs: &[
            "vault",
            "bao",
            "op",
            "doppler",
            "infisical",
            "chamber",
            "bw",
            "bws",
            "lpass",
            "keybase",
            "pass",
            "gopass",
            "akeyless",
            "conjur",
            "teller",
            "berglas",
            "kamus",
            "credstash",
            "dashlane",
            "phase",
            "keyring",
        ],
        more: "disable|destroy|seal|step-down|rotate-root|metadata-delete|trash",
        less: &[&["lease", "lookup"], &["kv", "undelete"]],
    },
    Service {
        rule: of(
            "messaging-delete",
            Family::Messaging,
            "deletes or empties queues, topics or streams",
            &[
                "rabbitmqctl delete_vhost /a",
                "nats stream purge S",
                "rabbitmqadmin delete queue name=q",
                "pulsar-admin topics delete t",
            ],
            &["nats stream ls", "rabbitmqctl list_queues"],
        ),
        programs: &[
            "rabbitmqctl",
            "rabbitmqadmin",
            "nats",
            "pulsar-admin",
            "rpk",
            "kcat",
            "kafkactl",
            "natscli",
            "activemq",
            "artemis",
            "mosquitto_ctrl",
            "emqx",
            "emqx_ctl",
            "temporal",
            "tctl",
            "celery",
            "rq",
            "nsqadmin",
            "kaf",
            "ccloud",
            "confluent",
        ],
        more: "purge|reset|force_reset|stop_app|forget_cluster_node|clear_*|trim-prefix|kv-del",
        less: &[],
    },
    Service {
        rule: of(
            "forge-delete",
            Family::Forge,
            "deletes or closes off something on a code forge",
            &["gh repo delete a/b", "glab release delete v1", "gh secret delete X"],
            &["gh pr list", "gh api repos/a/b", "gh release download v1"],
        ),
        programs: &["gh", "glab", "hub", "tea", "bb", "gitea", "forgejo", "codeberg-cli", "lab", "git-bug"],
        more: "archive|transfer",
        less: &[
            &["alias"],
            &["extension"],
            &["config"],
            &["label", "list"],
            &["codespace", "ssh"],
            &["pr"],
            &["search"],
        ],
    },
    Service {
        rule: of(
            "ci-delete",
            Family::Ci,
            "deletes or switches off a part of continuous integration",
            &["circleci context delete a b", "gitlab-runner unregister --name r", "jenkins-cli delete-job j"],
            &["circleci config validate", "gitlab-runner list"],
        ),
        programs: &[
            "circleci",
            "gitlab-runner",
            "jenkins-cli",
            "jenkins-jobs",
            "buildkite-agent",
            "bk",
            "travis",
            "drone",
            "woodpecker-cli",
            "semaphore",
            "sem",
            "fly-ci",
            "teamcity",
            "azdo",
            "act_runner",
            "concourse",
            "spacelift",
            "spacectl",
        ],
        more: "remove-secret|disable|wipe-workspace|quiet-down|safe-shutdown",
        less: &[&["config"]],
    },
    Service {
        rule: of(
            "monitoring-delete",
            Family::Monitoring,
            "deletes or switches off monitoring",
            &["splunk remove index main", "datadog-ci synthetics delete x", "pd service delete x"],
            &["pd incident list", "promtool check config a"],
        ),
        programs: &[
            "splunk",
            "datadog-ci",
            "dog",
            "pd",
            "newrelic",
            "promtool",
            "grafana-cli",
            "amtool",
            "sentry-cli",
            "honeycomb",
            "logcli",
            "mimirtool",
            "cortextool",
            "dt",
            "pup",
            "opsgenie",
            "statuspage",
            "checkly",
            "uptimerobot",
            "grr",
            "lw",
            "nrql",
        ],
        more: "clean|disable|expire|silence-all",
        less: &[],
    },
    Service {
        rule: of(
            "flags-delete",
            Family::Saas,
            "deletes feature flags or their parts",
            &["ldcli segments delete a", "flipt flag delete x", "unleash features delete t"],
            &["ldcli flags list", "flipt flag create --key x"],
        ),
        programs: &[
            "ldcli",
            "launchdarkly",
            "split",
            "flipt",
            "unleash",
            "flagsmith",
            "growthbook",
            "statsig",
            "configcat",
            "flagd",
            "optimizely",
        ],
        more: "",
        less: &[],
    },
    Service {
        rule: of(
            "payments-delete",
            Family::Saas,
            "deletes something of a payment service",
            &["stripe customers delete cus_1", "square catalog delete x"],
            &["stripe customers list", "stripe listen"],
        ),
        programs: &[
            "stripe",
            "square",
            "braintree",
            "paypal",
            "paddle",
            "lemonsqueezy",
            "adyen",
            "recurly",
            "chargebee",
        ],
        more: "cancel|void|refund",
        less: &[],
    },
    Service {
        rule: of(
            "saas-delete",
            Family::Saas,
            "deletes something of an online service",
            &["auth0 apps delete a", "sanity dataset delete d", "algolia indices delete i"],
            &["auth0 apps list", "twilio phone-numbers:list"],
        ),
        programs: &[
            "auth0",
            "okta",
            "twilio",
            "contentful",
            "sanity",
            "shopify",
            "algolia",
            "meilisearch",
            "sendgrid",
            "mailgun",
            "postmark",
            "mailchimp",
            "slack",
            "discord",
            "notion",
            "airtable",
            "jira",
            "acli",
            "linear",
            "asana",
            "zendesk",
            "hubspot",
            "sfdx",
            "sf",
            "sendbird",
            "intercom",
            "segment",
            "amplitude",
            "ory",
            "clerk",
            "workos",
            "stytch",
            "deck",
            "apigeecli",
            "apigee",
            "kong",
            "tyk",
            "krakend",
            "hasura",
            "prismic",
            "storyblok",
            "strapi",
            "ghost",
            "databricks",
            "snow",
            "dbt",
            "prefect",
            "dagster",
            "airflow",
            "wandb",
            "huggingface-cli",
            "hf",
            "replicate",
            "modal",
            "runpodctl",
            "elastic",
            "ecctl",
            "esctl",
            "opensearch-cli",
            "typesense",
        ],
        more: "reset|clear|gateway-reset|dump-reset",
        less: &[&["deck", "diff"]],
    },
    Service {
        rule: of(
            "machine-delete",
            Family::Machines,
            "deletes a virtual machine or its disks",
            &["virsh undefine vm", "multipass delete a", "lxc delete c", "VBoxManage unregistervm a --delete"],
            &["virsh list", "multipass list"],
        ),
        programs: &[
            "virsh",
            "vboxmanage",
            "multipass",
            "limactl",
            "lxc",
            "incus",
            "qm",
            "pct",
            "vmrun",
            "govc",
            "xe",
            "prlctl",
            "tart",
            "colima",
            "orb",
            "podman-machine",
            "wsl",
            "proxmox",
        ],
        more: "undefine|unregistervm|--unregister|vol-delete|pool-destroy|snapshot-delete",
        less: &[&["virsh", "net-list"]],
    },
];

/// Rules with a grammar of their own.
const COMMANDS: &[(Rule, Command)] = &[
    (
        of(
            "container-volumes",
            Family::Container,
            "removes volumes, or everything that is not in use",
            &["docker volume rm data", "podman volume prune"],
            &["docker volume ls", "docker rm web", "docker rmi image", "docker compose down"],
        ),
        Command { programs: DOCKER, words: &["volume", "rm|remove|prune"], flags: &[] },
    ),
    (
        of(
            "container-prune",
            Family::Container,
            "removes everything that is not in use",
            &["docker system prune -af", "docker container prune -f"],
            &["docker system df"],
        ),
        Command { programs: DOCKER, words: &["system|container|image|network|builder|pod", "prune|reset"], flags: &[] },
    ),
    (
        of(
            "container-down",
            Family::Container,
            "removes containers with their volumes",
            &["docker compose down -v", "docker compose down --volumes"],
            &["docker compose down", "docker compose up"],
        ),
        Command { programs: DOCKER, words: &["compose", "down|rm"], flags: &["-v", "--volumes"] },
    ),
    (
        of(
            "container-compose-down",
            Family::Container,
            "removes containers with their volumes",
            &["docker-compose down -v"],
            &["docker-compose down"],
        ),
        Command { programs: &["docker-compose", "podman-compose"], words: &["down|rm"], flags: &["-v", "--volumes"] },
    ),
    (
        of(
            "container-swarm",
            Family::Container,
            "removes a stack, service, secret or node of a swarm",
            &["docker stack rm web", "docker secret rm s"],
            &["docker stack ls", "docker service ls"],
        ),
        Command {
            programs: DOCKER,
            words: &["stack|service|secret|config|node|context|plugin", "rm|remove|down"],
            flags: &[],
        },
    ),
    (
        of(
            "container-swarm-leave",
            Family::Container,
            "takes the machine out of a swarm",
            &["docker swarm leave --force"],
            &["docker swarm ca"],
        ),
        Command { programs: DOCKER, words: &["swarm", "leave"], flags: &[] },
    ),
    (
        of(
            "container-rm-volumes",
            Family::Container,
            "removes containers with their volumes",
            &["docker rm -v web"],
            &["docker rm web"],
        ),
        Command { programs: DOCKER, words: &["rm"], flags: &["-v", "--volumes"] },
    ),
    (
        of(
            "terraform-apply-destroy",
            Family::Infrastructure,
            "destroys infrastructure",
            &["terraform apply -destroy"],
            &["terraform apply"],
        ),
        Command {
            programs: &["terraform", "tofu", "terragrunt"],
            words: &["apply|run-all"],
            flags: &["-destroy", "--destroy"],
        },
    ),
    (
        of(
            "aws-s3-sync-delete",
            Family::Cloud,
            "deletes what the source does not have",
            &["aws s3 sync a s3://b --delete"],
            &["aws s3 sync a s3://b"],
        ),
        Command { programs: &["aws", "awslocal"], words: &["s3", "sync"], flags: &["--delete"] },
    ),
    (
        of(
            "gsutil-rsync-delete",
            Family::Cloud,
            "deletes what the source does not have",
            &["gsutil rsync -d a gs://b"],
            &["gsutil rsync a gs://b"],
        ),
        Command { programs: &["gsutil"], words: &["rsync"], flags: &["-d"] },
    ),
    (
        of(
            "rclone-sync",
            Family::Cloud,
            "deletes what the source does not have",
            &["rclone sync a remote:b"],
            &["rclone copy a remote:b", "rclone sync a remote:b --dry-run"],
        ),
        Command { programs: &["rclone"], words: &["sync|bisync"], flags: &[] },
    ),
    (
        of(
            "kubectl-force",
            Family::Cluster,
            "replaces or scales away what runs in a cluster",
            &["kubectl replace --force -f a.yml"],
            &["kubectl replace -f a.yml"],
        ),
        Command { programs: &["kubectl", "oc"], words: &["replace"], flags: &["--force"] },
    ),
    (
        of(
            "kubectl-scale-zero",
            Family::Cluster,
            "stops every copy of a workload",
            &["kubectl scale deploy/a --replicas=0"],
            &["kubectl scale deploy/a --replicas=3"],
        ),
        Command { programs: &["kubectl", "oc"], words: &["scale"], flags: &["--replicas=0"] },
    ),
    (
        of(
            "kafka-delete",
            Family::Messaging,
            "deletes topics, groups, records or rights of Kafka",
            &["kafka-topics --bootstrap-server h --delete --topic t", "kafka-acls --remove --topic t"],
            &["kafka-topics --list"],
        ),
        Command {
            programs: &[
                "kafka-topics",
                "kafka-topics.sh",
                "kafka-consumer-groups",
                "kafka-consumer-groups.sh",
                "kafka-acls",
                "kafka-acls.sh",
                "kafka-configs",
                "kafka-configs.sh",
                "kafka-streams-application-reset",
                "kafka-streams-application-reset.sh",
            ],
            words: &[],
            flags: &["--delete", "--remove", "--delete-config", "--delete-offsets", "--reset-offsets"],
        },
    ),
    (
        of(
            "kafka-records",
            Family::Messaging,
            "deletes records of Kafka",
            &["kafka-delete-records --offset-json-file f"],
            &["kafka-topics --list"],
        ),
        Command {
            programs: &["kafka-delete-records", "kafka-delete-records.sh", "kafka-leader-election-reset"],
            words: &[],
            flags: &[],
        },
    ),
    (
        of(
            "restic-unlock",
            Family::Backup,
            "removes the locks of others from a backup",
            &["restic unlock --remove-all"],
            &["restic unlock"],
        ),
        Command { programs: &["restic", "rustic"], words: &["unlock"], flags: &["--remove-all"] },
    ),
    (
        of(
            "vault-lease",
            Family::SecretStore,
            "revokes leases or tokens",
            &["vault lease revoke -prefix a"],
            &["vault lease lookup a"],
        ),
        Command { programs: &["vault", "bao"], words: &["lease|token", "revoke"], flags: &[] },
    ),
    (
        of(
            "forge-disable",
            Family::Forge,
            "switches off or hides something on a code forge",
            &["gh workflow disable ci.yml"],
            &["gh workflow list", "gh repo view"],
        ),
        Command { programs: &["gh", "glab"], words: &["workflow|runner", "disable"], flags: &[] },
    ),
    (
        of(
            "forge-visibility",
            Family::Forge,
            "changes who can see a repository",
            &["gh repo edit --visibility public"],
            &["gh repo edit --description x"],
        ),
        Command { programs: &["gh", "glab"], words: &["repo", "edit|update"], flags: &["--visibility"] },
    ),
    (
        of(
            "forge-api-delete",
            Family::Forge,
            "deletes something on a code forge",
            &["gh api -X DELETE repos/a/b", "glab api --method delete projects/1"],
            &["gh api -X GET repos/a/b"],
        ),
        Command {
            programs: &["gh", "glab", "hub", "az", "doctl"],
            words: &["api|rest"],
            flags: &["-X=DELETE", "--method=DELETE"],
        },
    ),
    (
        of(
            "package-publish",
            Family::Registry,
            "publishes a package, which cannot be taken back",
            &["npm publish", "cargo publish"],
            &["npm pack", "cargo publish --dry-run", "npm run publish:docs"],
        ),
        Command {
            programs: &[
                "npm",
                "pnpm",
                "yarn",
                "bun",
                "cargo",
                "poetry",
                "uv",
                "flit",
                "hatch",
                "pdm",
                "dart",
                "flutter",
                "mix",
                "rebar3",
                "wapm",
                "jsr",
                "deno",
                "lerna",
                "changeset",
                "vsce",
                "ovsx",
            ],
            words: &["publish"],
            flags: &[],
        },
    ),
    (
        of(
            "package-yarn-npm",
            Family::Registry,
            "publishes a package, which cannot be taken back",
            &["yarn npm publish"],
            &["yarn npm info a"],
        ),
        Command { programs: &["yarn", "mix"], words: &["npm|hex", "publish|hex.publish"], flags: &[] },
    ),
    (
        of(
            "package-push",
            Family::Registry,
            "publishes or withdraws a package",
            &["gem push a.gem", "gem yank a -v 1", "twine upload dist/a"],
            &["gem list", "twine check dist/a"],
        ),
        Command {
            programs: &["gem", "twine", "conda", "anaconda", "nuget", "dotnet", "helm-push", "luarocks", "pod"],
            words: &["push|yank|upload|owner|trunk"],
            flags: &[],
        },
    ),
    (
        of(
            "package-withdraw",
            Family::Registry,
            "withdraws a package, or changes who owns it",
            &["npm unpublish a", "cargo yank --version 1.0.0", "npm deprecate a x"],
            &["npm view a", "cargo owner --list"],
        ),
        Command { programs: &["npm", "pnpm", "yarn", "cargo"], words: &["unpublish|deprecate|yank"], flags: &[] },
    ),
    (
        of(
            "package-owner",
            Family::Registry,
            "changes who owns a package",
            &["npm owner rm bob a", "npm access revoke a:b c"],
            &["npm owner ls a"],
        ),
        Command {
            programs: &["npm", "pnpm", "yarn"],
            words: &["owner|access|team|token", "rm|remove|revoke|destroy"],
            flags: &[],
        },
    ),
    (
        of(
            "package-cargo-owner",
            Family::Registry,
            "changes who owns a package",
            &["cargo owner --remove bob"],
            &["cargo owner --list"],
        ),
        Command { programs: &["cargo"], words: &["owner"], flags: &["--remove", "-r"] },
    ),
    (
        of(
            "database-drop",
            Family::Database,
            "drops a database",
            &["dropdb app", "dropuser bob"],
            &["createdb app", "mysqladmin status"],
        ),
        Command { programs: &["dropdb", "dropuser"], words: &[], flags: &[] },
    ),
    (
        of(
            "database-admin",
            Family::Database,
            "drops or stops a database",
            &["mysqladmin drop app", "mysqladmin shutdown"],
            &["mysqladmin status"],
        ),
        Command { programs: &["mysqladmin", "mariadb-admin"], words: &["drop|shutdown|flush-*|kill"], flags: &[] },
    ),
    (
        of(
            "database-restore",
            Family::Database,
            "replaces what a database holds",
            &["pg_restore --clean -d app d", "mongorestore --drop d"],
            &["pg_restore -l d", "pg_dump app"],
        ),
        Command {
            programs: &["pg_restore", "mongorestore", "pg_dropcluster", "mysqlimport"],
            words: &[],
            flags: &["--clean", "-c", "--drop", "--delete"],
        },
    ),
    (
        of(
            "database-reset",
            Family::Database,
            "drops a development database with all its data",
            &["rails db:drop", "php artisan migrate:fresh"],
            &["npx prisma migrate dev", "rails db:migrate"],
        ),
        Command {
            programs: &[
                "prisma",
                "rails",
                "rake",
                "artisan",
                "sequelize",
                "sequelize-cli",
                "knex",
                "typeorm",
                "mikro-orm",
                "drizzle-kit",
                "alembic",
                "flyway",
                "liquibase",
                "dbmate",
                "goose",
                "diesel",
                "sqlx",
                "ecto",
                "mix",
                "supabase",
                "doctrine",
                "console",
                "manage.py",
                "django-admin",
            ],
            words: &[
                "db:drop|db:reset|db:drop:all|db:purge|db:wipe|migrate:fresh|migrate:reset|schema:drop|schema:fresh|ecto.drop|ecto.reset|flush|sqlflush|clean|drop-all|dropall|reset_db|database:drop|doctrine:database:drop|doctrine:schema:drop|migrate:rollback-all",
            ],
            flags: &[],
        },
    ),
    (
        of(
            "database-prisma",
            Family::Database,
            "drops a database with all its data",
            &["npx prisma migrate reset --force"],
            &["prisma migrate dev"],
        ),
        Command {
            programs: &["prisma", "diesel", "sqlx", "supabase", "drizzle-kit", "dbmate"],
            words: &["migrate|database|db|migration", "reset|drop"],
            flags: &[],
        },
    ),
    (
        of(
            "database-prisma-push",
            Family::Database,
            "drops a database with all its data",
            &["prisma db push --force-reset"],
            &["prisma db push"],
        ),
        Command { programs: &["prisma"], words: &["db", "push"], flags: &["--force-reset", "--accept-data-loss"] },
    ),
    (
        of(
            "database-redis",
            Family::Database,
            "empties a key-value store, or changes how it keeps its data",
            &["redis-cli FLUSHALL", "redis-cli -n 1 flushdb", "redis-cli shutdown"],
            &["redis-cli get a", "redis-cli info"],
        ),
        Command {
            programs: &["redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli"],
            words: &["flushall|flushdb|shutdown|del|unlink|script|debug|swapdb|cluster|failover"],
            flags: &[],
        },
    ),
    (
        of(
            "firewall-flush",
            Family::Network,
            "switches off or empties a firewall",
            &["iptables -F"],
            &["iptables -L", "ufw status"],
        ),
        Command {
            programs: &["iptables", "ip6tables", "iptables-legacy", "ebtables", "arptables"],
            words: &[],
            flags: &["-F", "--flush", "-X", "--delete-chain", "-P", "--policy"],
        },
    ),
    (
        of(
            "firewall-off",
            Family::Network,
            "switches off or empties a firewall",
            &["ufw disable", "ufw --force reset", "nft flush ruleset"],
            &["ufw status", "nft list ruleset"],
        ),
        Command {
            programs: &["ufw", "nft", "pfctl", "firewall-cmd", "ipfw"],
            words: &["disable|reset|flush|delete|panic"],
            flags: &[],
        },
    ),
    (
        of(
            "network-delete",
            Family::Network,
            "takes a network interface or route away",
            &["ip link delete eth0", "ip route flush table main"],
            &["ip link show", "ip addr"],
        ),
        Command {
            programs: &["ip"],
            words: &["link|route|addr|address|rule|netns|neigh", "delete|del|flush"],
            flags: &[],
        },
    ),
    (
        of(
            "service-mask",
            Family::Services,
            "switches a service of the system off for good",
            &["systemctl mask sshd", "systemctl disable --now firewalld"],
            &["systemctl status sshd", "systemctl restart nginx"],
        ),
        Command { programs: &["systemctl"], words: &["mask|disable|isolate|revert"], flags: &[] },
    ),
    (
        of(
            "process-manager-delete",
            Family::Services,
            "deletes processes of a process manager",
            &["pm2 delete all", "pm2 kill"],
            &["pm2 list", "pm2 restart a"],
        ),
        Command {
            programs: &["pm2", "forever", "supervisorctl"],
            words: &["delete|kill|stopall|shutdown|remove"],
            flags: &[],
        },
    ),
    (
        of(
            "dns-change",
            Family::Network,
            "deletes or changes records of the domain name system",
            &["aws route53 change-resource-record-sets --change-batch '{\"Changes\":[{\"Action\":\"DELETE\"}]}'"],
            &["aws route53 list-hosted-zones"],
        ),
        Command { programs: &["aws"], words: &["route53", "change-resource-record-sets"], flags: &[] },
    ),
];

const DOCKER: &[&str] = &["docker", "podman", "nerdctl"];

/// A command told by its program, its first words and its options.
struct Command {
    programs: &'static [&'static str],
    words: &'static [&'static str],
    flags: &'static [&'static str],
}

impl Command {
    fn fits(&self, program: &str, args: &[&str]) -> bool {
        self.programs.contains(&program)
            && starts_with(args, self.words)
            && (self.flags.is_empty() || self.has_flag(args))
    }

    fn has_flag(&self, args: &[&str]) -> bool {
        self.flags.iter().any(|flag| match flag.split_once('=') {
            // `-X DELETE`, `-XDELETE`, `--method=DELETE`, `--replicas=0`.
            Some((name, value)) => args.iter().enumerate().any(|(at, arg)| {
                let joined = arg.strip_prefix(name).map(|rest| rest.trim_start_matches('='));
                joined.is_some_and(|rest| rest.eq_ignore_ascii_case(value))
                    || *arg == name && args.get(at + 1).is_some_and(|next| next.eq_ignore_ascii_case(value))
            }),
            None => has_option(args, &[flag]),
        })
    }
}

/// Statements for databases, and requests to services.
static SQL: Rule = of(
    "database-statement",
    Family::Database,
    "drops, empties or rewrites a part of a database",
    &[
        "psql -c 'DROP TABLE users'",
        "mysql -e 'truncate t'",
        "sqlite3 a.db 'delete from t'",
        "mongosh --eval 'db.dropDatabase()'",
    ],
    &["psql -c 'select 1'", "sqlite3 a.db .schema", "grep -rn 'DROP TABLE' migrations"],
);
static HTTP: Rule = of(
    "http-delete",
    Family::Http,
    "destroys something through an HTTP interface",
    &[
        "curl -X DELETE https://api.example.com/v1/users/1",
        "curl -XPOST https://s.example.com/i/_delete_by_query",
        "http DELETE https://api.example.com/v1/a",
    ],
    &[
        "curl https://api.example.com/v1/users",
        "curl -X POST https://api.example.com/v1/users -d a=b",
        "curl -X DELETE http://localhost:8080/api/items/3",
    ],
);

const DATABASES: &[&str] = &[
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "sqlite",
    "duckdb",
    "clickhouse-client",
    "clickhouse",
    "cqlsh",
    "influx",
    "sqlcmd",
    "bq",
    "cockroach",
    "snowsql",
    "snow",
    "mongo",
    "mongosh",
    "usql",
    "pgcli",
    "mycli",
    "litecli",
    "trino",
    "presto",
    "spark-sql",
    "hive",
    "beeline",
    "sqlplus",
    "isql",
    "vsql",
    "dolt",
    "rqlite",
    "turso",
    "wrangler",
    "db2",
    "neo4j",
    "cypher-shell",
    "arangosh",
    "couchbase-cli",
    "cbq",
    "mysqlsh",
    "psqldef",
    "edgedb",
    "surreal",
];

/// The rules that a program breaks with its arguments.
pub(super) fn broken(run: &Run) -> Vec<&'static Rule> {
    let args: Vec<&str> = run.args.iter().map(String::as_str).collect();
    let program = run.program.as_str();
    let program = program.strip_suffix(".exe").unwrap_or(program);
    let mut out = Vec::new();
    if only_shows(&args) || matches!(program, "restic" | "borg" | "borgmatic") && has_option(&args, &["-n"]) {
        return out;
    }
    if http::danger(program, &args).is_some() {
        out.push(&HTTP);
    }
    if DATABASES.contains(&program)
        && statements(run).any(|text| sql::danger(text).is_some() || sql::script_danger(text).is_some())
    {
        out.push(&SQL);
    }
    // `php artisan …`, `python manage.py …`, `java -jar jenkins-cli.jar …`: the script is the program.
    if let Some((script, rest)) = script_as_program(program, &args) {
        commands(script, rest, &mut out);
        return out;
    }
    commands(program, &args, &mut out);
    out
}

fn commands(program: &str, args: &[&str], out: &mut Vec<&'static Rule>) {
    for (rule, command) in COMMANDS {
        if command.fits(program, args)
            && !(rule.id == "dns-change"
                && !args.iter().any(|arg| arg.to_ascii_uppercase().contains("DELETE") || arg.starts_with("file:")))
        {
            out.push(rule);
        }
    }
    for service in SERVICES {
        if service.programs.contains(&program) && service.destroys(args) {
            out.push(&service.rule);
        }
    }
}

impl Service {
    fn destroys(&self, args: &[&str]) -> bool {
        if self.less.iter().any(|words| starts_with(args, words)) {
            return false;
        }
        plain_words(args).iter().take(5).any(|word| fits(word, VERBS) || !self.more.is_empty() && fits(word, self.more))
    }
}

/// Texts that a database client is given: options, operands and standard input.
fn statements(run: &Run) -> impl Iterator<Item = &str> {
    let args = run.args.iter().flat_map(|arg| [arg.as_str(), arg.split_once('=').map_or("", |(_, value)| value)]);
    args.chain(run.stdin.as_deref().filter(|text| is_known(text)))
}

fn script_as_program<'a>(program: &str, args: &'a [&'a str]) -> Option<(&'a str, &'a [&'a str])> {
    let stem = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !matches!(stem, "php" | "python" | "java" | "ruby" | "node" | "npx" | "bundle") {
        return None;
    }
    let at = args.iter().position(|arg| !arg.starts_with('-'))?;
    let script = args.get(at)?.rsplit('/').next()?;
    let script = script.strip_suffix(".jar").unwrap_or(script);
    Some((script, args.get(at + 1..)?))
}

/// All rules of this module.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    COMMANDS.iter().map(|(rule, _)| rule).chain(SERVICES.iter().map(|service| &service.rule)).chain([&SQL, &HTTP])
}
