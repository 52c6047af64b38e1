//! Rules for services that the inline code of an interpreter calls.

use super::{Family, Pattern, Rule, ask};
use crate::rule::command::Text;
use hook_shell::texts::query::Query;
use hook_shell::texts::sql::Statement;

const INTERPRETERS: &[&str] = &["python", "node", "ruby", "php", "perl", "deno", "bun", "tsx"];

/// Interpreters, and frameworks that take code for the application.
const TAKE_CODE: &[&str] = &[
    "python", "node", "ruby", "php", "perl", "deno", "bun", "tsx", "ts-node", "ipython", "pypy", "irb", "jruby", "lua",
    "luajit", "elixir", "iex", "mix", "julia", "groovy", "rscript", "rails", "rake", "manage.py", "manage",
    "django-admin", "artisan", "tinker", "console", "flask", "gitlab-rails", "pry", "psysh", "jshell", "swift",
    "crystal",
];

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
        "code-sql-drop",
        Family::Database,
        Pattern::Query(Query { programs: TAKE_CODE, statements: &[Statement::Drop, Statement::Alter] }),
        "drops a part of a database by inline code",
        &[
            "node -e \"client.query('DROP TABLE users')\"",
            "ruby -e \"DB.run('drop table users')\"",
            "python3 -c \"c.execute('ALTER TABLE users DROP COLUMN email')\"",
        ],
        &[
            "python3 -c \"print('DROP TABLE users')\"",
            "node -e \"console.log('drop table users')\"",
            "python3 -c \"import sqlite3; sqlite3.connect(':memory:').execute('DROP TABLE a')\"",
        ],
    ),
    ask(
        "code-sql-empty",
        Family::Database,
        Pattern::Query(Query { programs: TAKE_CODE, statements: &[Statement::Empty, Statement::Change] }),
        "removes or changes every row of a table by inline code",
        &[
            "python3 -c \"c.execute('DELETE FROM users')\"",
            "node -e 'prisma.user.deleteMany()'",
            "rails runner \"ActiveRecord::Base.connection.execute('TRUNCATE users')\"",
            "ruby -e 'User.delete_all'",
        ],
        &[
            "python3 -c \"c.execute('delete from users where id = 1')\"",
            "node -e 'prisma.user.deleteMany({where: {id: 1}})'",
            "rails runner 'puts User.count'",
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
