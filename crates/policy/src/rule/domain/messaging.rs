//! Rules for queues, topics and streams.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::Command;

pub(super) const RULES: &[Rule] = &[
    ask(
        "kafka-delete",
        Family::Messaging,
        flags(
            &[
                "kafka-topics", "kafka-consumer-groups", "kafka-acls", "kafka-configs", "kafka-delegation-tokens",
                "kafka-transactions", "kafka-share-groups", "kafka-streams-groups",
            ],
            &[],
            &["--delete", "--remove", "--delete-config", "--delete-offsets", "--expire"],
        ),
        "deletes topics, groups, settings or rights of Kafka",
        &[
            "kafka-topics --bootstrap-server h --delete --topic t",
            "kafka-acls.sh --remove --topic t",
            "kafka-configs --alter --delete-config retention.ms --topic t",
        ],
        &[
            "kafka-topics --list",
            "kafka-topics --bootstrap-server h --describe",
            "kafka-configs --describe --entity-type topics",
        ],
    ),
    ask(
        "kafka-offsets",
        Family::Messaging,
        Pattern::Command(Command {
            programs: &["kafka-consumer-groups", "kafka-reassign-partitions"],
            words: &[],
            flags: &["--execute"],
            without: &[],
        }),
        "moves readers to other records, or records to other machines",
        &["kafka-consumer-groups --group g --reset-offsets --to-latest --execute"],
        &["kafka-consumer-groups --group g --reset-offsets --to-latest", "kafka-consumer-groups --list"],
    ),
    ask(
        "kafka-records",
        Family::Messaging,
        words(
            &["kafka-delete-records", "kafka-streams-application-reset", "kafka-server-stop", "zookeeper-server-stop"],
            &[],
        ),
        "deletes records of Kafka, resets an application or stops a server",
        &[
            "kafka-delete-records --offset-json-file f",
            "kafka-streams-application-reset --application-id a",
            "sudo kafka-server-stop.sh",
        ],
        &["kafka-topics --list", "kafka-delete-records --help"],
    ),
    ask(
        "kafka-storage",
        Family::Messaging,
        words(&["kafka-storage"], &["format"]),
        "empties the storage of a Kafka server",
        &["kafka-storage.sh format -t id -c a.properties"],
        &["kafka-storage.sh info -c a.properties"],
    ),
    ask(
        "zookeeper-delete",
        Family::Messaging,
        verbs(&["zkcli", "zookeeper-shell"], 2, "rmr|delquota", &[]),
        "deletes nodes of ZooKeeper",
        &["zkCli.sh -server h deleteall /a", "zookeeper-shell.sh h:2181 rmr /a"],
        &["zkCli.sh -server h ls /", "zookeeper-shell.sh h:2181 get /a"],
    ),
    ask(
        "rabbitmq-delete",
        Family::Messaging,
        verbs(
            &[
                "rabbitmqctl", "rabbitmqadmin", "rabbitmq-queues", "rabbitmq-plugins", "rabbitmq-streams",
                "rabbitmq-upgrade",
            ],
            2,
            "reset|force_reset|stop|stop_app|shutdown|forget_cluster_node|clear_*|close_*|eval|disable|rotate_logs_off|change_cluster_node_type|drain|force_boot",
            &[],
        ),
        "deletes, empties or stops a part of RabbitMQ",
        &[
            "rabbitmqctl delete_vhost /a", "rabbitmqctl -n rabbit@h purge_queue q", "rabbitmqctl -n rabbit@a reset",
            "rabbitmqadmin delete queue name=q", "rabbitmqadmin -V /a purge queue name=q",
        ],
        &[
            "rabbitmqctl list_queues",
            "rabbitmqctl status --silent",
            "rabbitmqadmin list exchanges",
            "rabbitmqadmin publish routing_key=delete payload=x",
        ],
    ),
    ask(
        "nats-delete",
        Family::Messaging,
        verbs(&["nats", "nsc"], 3, "seal|cluster-down", &[&["context|ctx"], &["pub|publish|request|req|sub|reply"]]),
        "deletes or empties a stream, consumer, bucket or key",
        &[
            "nats stream rm ORDERS -f", "nats --server h stream purge ORDERS", "nats kv del CONFIG key",
            "nats consumer rm ORDERS c", "nats object del b",
        ],
        &["nats stream ls -a", "nats kv get CONFIG delete", "nats context rm a", "nats pub delete x"],
    ),
    ask(
        "pulsar-delete",
        Family::Messaging,
        verbs(
            &["pulsar-admin", "pulsarctl", "bookkeeper"],
            2,
            "clear-backlog|skip-all|skip|expire-messages*|unsubscribe|reset-cursor|unload|force-delete*|truncate",
            &[],
        ),
        "deletes or empties topics, name spaces or subscriptions",
        &[
            "pulsar-admin topics delete persistent://a/b/c",
            "pulsar-admin namespaces clear-backlog a/b",
            "pulsar-admin topics terminate t",
        ],
        &["pulsar-admin topics list a/b", "pulsar-admin topics stats t"],
    ),
    ask(
        "messaging-delete",
        Family::Messaging,
        verbs(
            &[
                "rpk", "kafkactl", "kaf", "confluent", "ccloud", "activemq", "artemis", "emqx", "emqx_ctl",
                "mosquitto_ctrl", "mqttx", "qpid-config", "temporal", "tctl", "zeebe", "zbctl", "hookdeck", "svix",
                "fluvio", "iggy", "redpanda", "nsqadmin", "beanstool", "faktory",
            ],
            4,
            "trim-prefix|cancel|reset|deleteclient|deleterole|deletegroup|kick|clean",
            &[&["config"], &["context"], &["profile"], &["plugin"], &["cloud", "logout"], &["container"]],
        ),
        "deletes, empties or ends queues, topics or workflows",
        &[
            "rpk topic delete t", "rpk group delete g", "confluent kafka topic delete t",
            "temporal workflow terminate -w a", "artemis queue purge --name q", "mosquitto_ctrl dynsec deleteClient a",
        ],
        &["rpk topic list", "confluent kafka topic list", "temporal workflow list", "rpk cluster info"],
    ),
    ask(
        "worker-purge",
        Family::Messaging,
        verbs(
            &["celery", "rq", "dramatiq", "huey", "arq", "resque", "flower"],
            2,
            "empty|shutdown",
            &[&["inspect"], &["info"]],
        ),
        "throws away queued tasks, or stops workers",
        &["celery -A proj purge -f", "rq empty default", "celery -A proj control shutdown"],
        &["celery -A proj worker -l info", "celery -A proj inspect active", "rq info"],
    ),
];
