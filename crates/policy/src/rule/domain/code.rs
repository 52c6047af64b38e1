//! Rules for services that the inline code of an interpreter calls.

use super::{Family, Pattern, Rule, ask};
use crate::rule::command::Text;

const INTERPRETERS: &[&str] = &["python", "node", "ruby", "php", "perl", "deno", "bun", "tsx"];

pub(super) const RULES: &[Rule] = &[
    ask(
        "code-service-delete",
        Family::Saas,
        Pattern::Code(Text {
            programs: INTERPRETERS,
            words: &[],
            holds: &[
                ".delete_bucket(", ".terminate_instances(", ".objects.all().delete(", ".object_versions.all().delete(",
                ".objects.delete(", ".delete_object(", ".delete_objects(", ".delete_table(", ".delete_db_",
                ".delete_stack(", ".delete_function(", ".delete_secret(", ".delete_queue(", ".purge_queue(",
                ".delete_topic(", "deletebucketcommand", "terminateinstancescommand", "deleteobjectscommand",
                "deletetablecommand", "deletestackcommand", ".clearobjects(", ".clear_objects(", ".deleteindex(",
                ".delete_index(", ".indices.delete(", ".customers.del(", ".subscriptions.cancel(", ".delete_by_query(",
                ".deletebyquery(", "customer.delete(", "gateway.customer.delete(", "payment_method.delete(",
                "merchant_account.delete(", "subscription.cancel(",
            ],
            lacks: &[],
        }),
        "calls a service to delete something",
        &[
            "python3 -c \"import boto3; boto3.client('s3').delete_bucket(Bucket='b')\"",
            "node -e \"client.deleteIndex('a')\"",
        ],
        &[
            "python3 -c \"import boto3; print(boto3.client('s3').list_buckets())\"",
            "node -e \"client.search('a')\"",
            "node deleteIndex.js",
        ],
    ),
    ask(
        "code-http-delete",
        Family::Http,
        Pattern::Code(Text {
            programs: INTERPRETERS,
            words: &[],
            holds: &[
                "requests.delete(", "httpx.delete(", "axios.delete(", "got.delete(", "method:'delete'",
                "method:\"delete\"", "method='delete'", "method=\"delete\"",
            ],
            lacks: &["localhost", "127.0.0.1"],
        }),
        "deletes something through an HTTP interface",
        &[
            "python3 -c \"import requests; requests.delete('https://api.example.com/v1/a')\"",
            "node -e \"fetch('https://api.example.com/a', {method: 'DELETE'})\"",
        ],
        &[
            "python3 -c \"import requests; requests.delete('http://localhost:8000/a')\"",
            "python3 -c \"import requests; requests.get('https://api.example.com')\"",
        ],
    ),
    ask(
        "code-data-drop",
        Family::Database,
        Pattern::Code(Text {
            programs: INTERPRETERS,
            words: &[],
            holds: &[
                ".dropdatabase(", ".drop_database(", ".deletemany({})", ".delete_many({})", ".flushall(", ".flushdb(",
                ".drop_all(", "execute(\"drop", "execute('drop", "execute(\"truncate", "execute('truncate",
                "query('drop", "query(\"drop", "query('truncate", "query(\"truncate", ".dropcollection(",
                ".drop_collection(", "dropschema(",
            ],
            lacks: &[":memory:"],
        }),
        "drops or empties a part of a database",
        &["python3 -u -c \"import redis; redis.Redis().flushall()\"", "python3 -c \"c.execute('DROP TABLE a')\""],
        &["python3 -c \"import redis; print(redis.Redis().info())\"", "python3 -c \"c.execute('select 1')\""],
    ),
];
