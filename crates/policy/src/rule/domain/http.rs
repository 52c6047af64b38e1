//! Rules for requests to HTTP interfaces, whatever the host.

use super::{Family, Pattern, Rule, ask};
use hook_shell::texts::http::Request;

pub(super) const RULES: &[Rule] = &[
    ask(
        "http-delete",
        Family::Http,
        Pattern::Request(Request::Delete),
        "deletes something through an HTTP interface",
        &[
            "curl -X DELETE https://api.example.com/v1/users/1",
            "curl -sXDELETE https://api.example.com/v1/users/1",
            "curl --request=DELETE localhost:9200/logs",
            "wget --method=DELETE https://api.example.com/v1/users/1",
            "http DELETE https://api.example.com/v1/a",
            "curl --unix-socket /var/run/docker.sock -X DELETE http://localhost/containers/web",
        ],
        &[
            "curl https://api.example.com/v1/users",
            "curl -X GET https://api.example.com/v1/users -H 'X-Note: DELETE'",
            "curl -X DELETE http://localhost:8080/api/items/3",
            "curl -X DELETE http://localhost:3000/api/todos/1",
        ],
    ),
    ask(
        "http-operation",
        Family::Http,
        Pattern::Request(Request::Operation),
        "calls an operation of an HTTP interface that destroys",
        &[
            "curl -XPOST https://search.example.com/logs/_delete_by_query -d '{}'",
            "curl -X POST https://ci.example.com/job/app/doDelete",
            "curl -X POST https://api.cloudflare.com/client/v4/zones/z/purge_cache --data '{\"purge_everything\":true}'",
            "curl https://ch.example.com:8123/ -d 'DROP TABLE a'",
            "grpcurl api.example.com:443 users.v1.Users/DeleteUser",
        ],
        &[
            "curl -X POST https://api.example.com/v1/users -d a=b",
            "curl -X POST localhost:8080/cart/delete",
            "curl -X GET https://ci.example.com/job/app/doDelete",
            "grpcurl api.example.com:443 users.v1.Users/ListUsers",
        ],
    ),
    ask(
        "http-mutation",
        Family::Http,
        Pattern::Request(Request::Mutation),
        "deletes something through GraphQL",
        &[
            "curl https://api.example.com/graphql -d '{\"query\":\"mutation { deleteUser(id: 1) { id } }\"}'",
            "gh api graphql -f query='mutation { deleteIssue(input: {issueId: \"a\"}) { clientMutationId } }'",
        ],
        &[
            "curl https://api.example.com/graphql -d '{\"query\":\"{ users { id } }\"}'",
            "gh api graphql -f query='mutation { addStar(input: {starrableId: \"a\"}) { clientMutationId } }'",
        ],
    ),
    ask(
        "http-settings",
        Family::Http,
        Pattern::Request(Request::Settings),
        "changes the settings of a whole service, or who can see it, through an HTTP interface",
        &[
            "curl -X PUT localhost:9200/_cluster/settings -d '{\"transient\":{}}'",
            "curl -X PATCH https://git.example.com/repos/a/b -d '{\"archived\":true}'",
        ],
        &["curl localhost:9200/_cluster/settings", "curl -X PUT localhost:9200/logs -d '{\"settings\":{}}'"],
    ),
    ask(
        "http-money",
        Family::Http,
        Pattern::Request(Request::Money),
        "moves money through the interface of a payment service",
        &[
            "curl -X POST https://api.stripe.com/v1/refunds -u $KEY: -d charge=ch_1",
            "curl https://api.stripe.com/v1/transfers -d amount=5 -H 'Authorization: Bearer rk_live_1'",
        ],
        &[
            "curl https://api.stripe.com/v1/refunds -u sk_test_1: -d charge=ch_1",
            "curl -G https://api.stripe.com/v1/payouts -u $KEY: -d limit=3",
            "curl https://api.stripe.com/v1/customers -u $KEY: -d email=a@example.com",
        ],
    ),
    ask(
        "http-access",
        Family::Http,
        Pattern::Request(Request::Access),
        "gives somebody, or whoever holds a key, access to a code forge",
        &[
            "curl -X PUT https://api.github.com/repos/o/r/collaborators/ann",
            "curl https://api.github.com/user/keys -d '{\"key\":\"k\"}'",
            "curl -X POST https://git.example.com/api/v4/projects/1/members -d user_id=2",
        ],
        &[
            "curl https://api.github.com/repos/o/r/collaborators",
            "curl -X POST https://api.github.com/repos/o/r/issues -d '{\"title\":\"keys\"}'",
            "curl -X POST https://api.example.com/user/keys -d a=b",
        ],
    ),
];
