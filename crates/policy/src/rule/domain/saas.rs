//! Rules for online services: identity, content, payments, mail, feature flags, data.

use super::{Family, Rule, ask, flags, verbs, words};

pub(super) const RULES: &[Rule] = &[
    ask(
        "flags-delete",
        Family::Saas,
        verbs(
            &[
                "ldcli", "launchdarkly", "flipt", "unleash", "flagsmith", "growthbook", "statsig", "siggy",
                "configcat", "flagd", "optimizely", "devcycle", "dvc", "posthog", "featurevisor",
            ],
            3,
            "archive|kill|disable|stop",
            &[&["config"], &["auth"], &["login"]],
        ),
        "deletes, archives or kills feature flags or their parts",
        &[
            "ldcli flags delete --flag a --project p",
            "flipt flag delete x",
            "unleash features archive t",
            "ldcli environments delete e",
        ],
        &["ldcli flags list", "flipt flag create --key x", "unleash features get t"],
    ),
    ask(
        "flags-split",
        Family::Saas,
        words(
            &["split"],
            &[
                "splits|split|definitions|definition|segments|segment|environments|environment|workspaces|workspace|traffic-types|flag-sets|rule-based-segments|large-segments|api-keys|users|groups|identities|attributes|tags|change-requests",
                "delete|remove|archive|kill|destroy",
            ],
        ),
        "deletes, archives or kills feature flags or their parts",
        &["split splits kill a --workspace w", "split segments delete s", "split workspaces delete w"],
        &["split splits get a", "split -b 1M archive", "split -l 100 delete"],
    ),
    ask(
        "payments-delete",
        Family::Saas,
        verbs(
            &[
                "stripe", "square", "braintree", "paypal", "paddle", "lemonsqueezy", "recurly", "chargebee",
                "gocardless", "mollie", "razorpay",
            ],
            3,
            "cancel|roll|void|refund|reverse|archive|close|deactivate|void_invoice|mark_uncollectible|reject",
            &[&["config"], &["listen"], &["trigger"], &["logs"], &["samples"], &["fixtures"], &["login"], &["logout"]],
        ),
        "deletes or cancels something of a payment service",
        &[
            "stripe customers delete cus_1",
            "stripe --live subscriptions cancel sub_1",
            "stripe delete /v1/customers/cus_1",
            "square catalog delete x",
            "stripe webhook_endpoints delete we_1",
        ],
        &[
            "stripe customers list",
            "stripe listen --forward-to localhost:3000",
            "stripe products create --name delete",
            "stripe logs tail",
        ],
    ),
    ask(
        "payment-moves",
        Family::Saas,
        flags(
            &["stripe"],
            &[
                "payouts|refunds|transfers|charges|topups|payment_intents|credit_notes|issuing|treasury|invoices",
                "create|capture|confirm|pay|void|reverse",
            ],
            &["--live", "--api-key=sk_live*", "--api-key=rk_live*"],
        ),
        "moves money",
        &["stripe payouts create --amount 500 --currency eur --live", "stripe --live refunds create --charge ch_2"],
        &[
            "stripe refunds create --charge ch_2",
            "stripe refunds list --live",
            "stripe payment_intents create --amount 500 --currency eur",
            "stripe trigger payment_intent.succeeded",
        ],
    ),
    ask(
        "mail-delete",
        Family::Saas,
        verbs(
            &[
                "sendgrid", "twilio", "mailgun", "postmark", "mailchimp", "resend", "mailjet", "brevo", "sparkpost",
                "vonage", "nexmo", "plivo", "messagebird", "telnyx", "courier", "knock", "novu", "onesignal",
                "klaviyo", "postal",
            ],
            3,
            "*:remove|*:delete",
            &[&["profiles:*"], &["plugins:*"], &["login"], &["config:*"], &["config"]],
        ),
        "deletes something of a mail or telephone service",
        &[
            "twilio api:core:incoming-phone-numbers:remove --sid PN1",
            "sendgrid templates delete d-1",
            "mailgun domains delete example.com",
            "postmark servers delete 1",
        ],
        &[
            "twilio phone-numbers:list", "twilio profiles:remove a", "sendgrid templates list",
            "postmark email raw --from a",
        ],
    ),
    ask(
        "identity-delete",
        Family::Saas,
        verbs(
            &[
                "auth0", "okta", "ory", "kratos", "hydra", "clerk", "workos", "stytch", "fusionauth", "kcadm", "kcreg",
                "keycloak", "zitadel", "authentik", "ak", "jumpcloud", "teleport", "tsh", "boundary", "permit",
                "openfga", "fga", "gam", "gamadv-xtd3",
            ],
            4,
            "block|suspend|deactivate|lock|deprovision|rotate-signing-keys|janitor|*:delete",
            &[&["config"], &["login"], &["logout"], &["tenants", "use"]],
        ),
        "deletes or blocks users, applications or rights of an identity service",
        &[
            "auth0 apps delete a --force", "auth0 users delete u", "okta apps delete a",
            "kcadm.sh delete users/1 -r realm", "ory delete identity 1", "gam delete user bob",
        ],
        &["auth0 apps list", "kcadm.sh get users -r realm", "ory list identities", "auth0 test login delete"],
    ),
    ask(
        "directory-delete",
        Family::Saas,
        words(&["ldapdelete"], &[]),
        "deletes entries of a directory",
        &["ldapdelete -x -D cn=admin uid=bob,dc=example,dc=com"],
        &["ldapsearch -x uid=bob", "ldapdelete --help"],
    ),
    ask(
        "content-delete",
        Family::Saas,
        verbs(
            &[
                "contentful", "sanity", "shopify", "prismic", "storyblok", "strapi", "directus", "ghost", "webflow",
                "hubspot", "hs", "dato", "datocms", "kontent", "cloudinary", "cld", "mux", "bigcommerce", "stencil",
                "commercetools", "medusa", "salesforce", "sf", "sfdx", "servicenow", "now-sdk", "zapier", "n8n",
                "retool", "notion", "ntn", "lokalise", "lokalise2", "crowdin", "phrase", "transifex", "tx", "mapbox",
                "readme", "rdme", "gitbook", "mintlify",
            ],
            4,
            "undeploy|*:delete|*:remove|deprecate|terminate",
            &[
                &["config"],
                &["auth"],
                &["login"],
                &["logout"],
                &["plugins"],
                &["alias"],
                &["theme", "dev"],
                &["theme", "list"],
                &["install"],
            ],
        ),
        "deletes something of a content, shop or customer service",
        &[
            "contentful space delete --space-id a --yes",
            "sanity dataset delete production",
            "shopify theme delete -t 1",
            "sf org delete scratch -o a",
            "sfdx force:org:delete -u a",
            "sanity documents delete a",
        ],
        &["contentful space list", "sanity dataset list", "shopify theme list", "sf org list", "sanity deploy"],
    ),
    ask(
        "work-delete",
        Family::Saas,
        verbs(
            &[
                "slack", "discord", "jira", "acli", "jira-cli", "linear", "asana", "trello", "clickup", "zendesk",
                "zcli", "intercom", "segment", "amplitude", "mixpanel", "rudder", "gws", "m365", "confluence",
                "todoist", "teamcity-cli", "shortcut", "gdrive", "dropbox", "dbxcli", "box", "docusign", "gcalcli",
                "himalaya",
            ],
            4,
            "archive|revoke|trash|cancel|*:delete",
            &[&["config"], &["auth"], &["login"], &["logout"], &["alias"], &["completion"]],
        ),
        "deletes something of a service that people work with",
        &[
            "jira issue delete ABC-1", "acli jira workitem delete --key ABC-1", "slack app delete a",
            "m365 spo site remove --url a", "dbxcli rm /a", "gdrive files delete a",
        ],
        &[
            "jira issue list", "acli jira workitem view ABC-1", "slack app list", "gdrive files list",
            "himalaya envelope list",
        ],
    ),
    ask(
        "data-delete",
        Family::Saas,
        verbs(
            &[
                "databricks", "snow", "snowsql", "dbt-cloud", "prefect", "dagster", "airflow", "astro", "airbyte",
                "abctl", "fivetran", "meltano", "wandb", "hf", "huggingface-cli", "modal", "runpodctl", "vastai",
                "replicate", "lightning", "clearml", "mlflow", "kaggle", "roboflow", "comet", "neptune", "zenml",
                "kedro", "metaflow", "flytectl", "ray", "anyscale", "dstack", "openai", "oozie", "hbase", "kudu",
                "nifi", "superset", "lakefs", "lakectl", "pachctl",
            ],
            4,
            "clear|down|abort|stop|cancel",
            &[
                &["config"],
                &["auth"],
                &["cache"],
                &["delete-cache"],
                &["artifact", "cache"],
                &["logout"],
                &["dev"],
                &["scan-cache"],
                &["local"],
            ],
        ),
        "deletes or ends something of a data or model service",
        &[
            "databricks clusters permanent-delete 1", "databricks fs rm -r dbfs:/a", "airflow dags delete d",
            "dagster asset wipe --all", "prefect deployment delete a/b", "runpodctl remove pod p",
            "snow object drop table t", "hf repo delete a",
        ],
        &[
            "databricks clusters list", "airflow dags list", "hf download a", "huggingface-cli delete-cache",
            "snow connection list",
        ],
    ),
    ask(
        "data-reset",
        Family::Saas,
        words(&["airflow", "superset", "mlflow"], &["db", "reset|clean|drop"]),
        "drops the database of a data service",
        &["airflow db reset -y"],
        &["airflow db check", "airflow db migrate"],
    ),
    ask(
        "hdfs-delete",
        Family::Saas,
        flags(
            &["hdfs", "hadoop"],
            &["dfs|fs|dfsadmin|namenode"],
            &["-rm", "-rmr", "-expunge", "-format", "-rmdir", "-deleteSnapshot"],
        ),
        "deletes files of a distributed file system, or formats it",
        &["hdfs dfs -rm -r /data", "hadoop fs -rmr /data", "hdfs namenode -format"],
        &["hdfs dfs -ls /", "hadoop fs -cat /a"],
    ),
    ask(
        "mobile-delete",
        Family::Saas,
        verbs(
            &[
                "eas", "expo", "appcenter", "codepush", "code-push", "code-push-standalone", "fastlane", "bitrise",
                "codemagic", "asc", "shorebird", "browserstack", "saucectl",
            ],
            4,
            "nuke|rollback|clear|*:delete|*:remove|cancel",
            &[&["config"], &["login"], &["logout"], &["local*"], &["plugins"]],
        ),
        "deletes builds, updates, keys or deployments of a mobile service",
        &[
            "eas build:delete a",
            "eas secret:delete --id a",
            "appcenter apps delete -a o/a",
            "fastlane match nuke distribution",
            "code-push deployment clear a Production",
        ],
        &["eas build --platform ios", "eas build:list", "appcenter apps list", "fastlane match development"],
    ),
];
