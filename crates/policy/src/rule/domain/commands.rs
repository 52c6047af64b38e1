//! The table of commands with a grammar of their own: programs, first words, options.

use super::{Command, of};
use crate::rule::{Family, Rule};

/// Rules with a grammar of their own.
pub(super) const COMMANDS: &[(Rule, Command)] = &[
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
