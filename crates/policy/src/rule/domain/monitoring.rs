//! Rules for monitoring, logs and search services.

use super::{Family, Rule, ask, verbs, words};

pub(super) const RULES: &[Rule] = &[
    ask(
        "monitoring-delete",
        Family::Monitoring,
        verbs(
            &[
                "splunk", "datadog-ci", "datadog", "dog", "pd", "newrelic", "promtool", "grafana-cli", "grafana",
                "grafanactl", "gcx", "amtool", "sentry-cli", "sentry", "logcli", "lokitool", "mimirtool", "cortextool",
                "grizzly", "grr", "dt", "dtctl", "monaco", "opsgenie", "checkly", "axiom", "thanos", "vmctl",
                "rollbar", "rollbar-cli", "healthchecks", "cronitor", "icinga2", "check_mk",
            ],
            4,
            "clean|disable|expire|reset-admin-password|mute|archive|cleanup|merge-delete|reset|silence-all|apiaccessdeletekeys|*delete|stop",
            &[&["auth"], &["login"], &["plugins", "ls"], &["bucket", "ls"], &["config|profile"]],
        ),
        "deletes, empties or switches off a part of monitoring",
        &[
            "splunk remove index old", "splunk clean eventdata -index main -f", "splunk stop",
            "pd service delete -i P1", "newrelic workload delete --guid a", "newrelic entity tags delete --guid a",
            "amtool silence expire a", "sentry-cli releases delete v1", "dog monitor delete 1",
        ],
        &[
            "splunk list index", "pd incident get -i I1", "promtool check config a.yml", "amtool alert query",
            "sentry-cli releases new v1", "newrelic entity search --name delete",
        ],
    ),
    ask(
        "search-delete",
        Family::Monitoring,
        verbs(
            &[
                "algolia", "meilisearch", "meili", "typesense", "elastic", "ecctl", "opensearch",
                "elasticsearch-keystore", "elasticsearch-plugin", "elasticsearch-users", "elasticsearch-node",
                "elasticsearch-shard", "opensearch-plugin", "opensearch-keystore", "solr", "qdrant", "weaviate",
                "pinecone", "pc", "vespa", "manticore",
            ],
            3,
            "clear|shutdown|unsafe-bootstrap|detach-cluster|remove-corrupted-data|remove-settings|userdel|deletebyquery",
            &[&["profile"], &["auth"]],
        ),
        "deletes or empties indices, documents, rights or keys of a search service",
        &[
            "algolia indices delete a -y",
            "algolia indices clear a",
            "algolia objects delete a --object-ids 1",
            "ecctl deployment shutdown a",
            "solr delete -c a",
            "elasticsearch-node unsafe-bootstrap",
        ],
        &[
            "algolia indices list", "algolia search a --query delete", "ecctl deployment list",
            "algolia profile remove a",
        ],
    ),
    ask(
        "logs-clear",
        Family::Monitoring,
        words(&["wevtutil"], &["cl|clear-log"]),
        "empties a log of the system",
        &["wevtutil cl System"],
        &["wevtutil el"],
    ),
    ask(
        "monitoring-stop",
        Family::Monitoring,
        words(
            &[
                "datadog-agent", "newrelic-infra", "filebeat", "telegraf", "falco", "falcoctl", "osqueryctl",
                "wazuh-control", "clamdscan",
            ],
            &["stop|uninstall|disable"],
        ),
        "stops what watches the machine",
        &["datadog-agent stop", "wazuh-control stop"],
        &["datadog-agent status"],
    ),
];
