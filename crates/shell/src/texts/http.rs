//! Requests to HTTP interfaces: method, addresses and body as the usual clients take them, and which of them destroy.

use super::sql;
use crate::programs::{Invocation, Tool};
use crate::resolve::taint::{GLOB_ANY, GLOB_SET, GLOB_STAR, glob, is_placeholder};

/// What a request does that should not happen unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The method is DELETE or PURGE.
    Delete,
    /// The address names an operation that destroys: `/_delete_by_query`, `/job/x/doDelete`.
    Operation,
    /// A query language's change that deletes: `mutation { deleteUser … }`.
    Mutation,
    /// Settings of a whole service change.
    Settings,
    /// Money moves, and not in a test.
    Money,
    /// Somebody gets access to a code forge.
    Access,
}

/// Interfaces that move money, by host, with the beginnings of such paths.
const MONEY: &[(&str, &[&str])] = &[
    ("api.stripe.com", &["/v1/payouts", "/v1/refunds", "/v1/transfers", "/v1/topups"]),
    ("api-m.paypal.com", &["/v1/payments/payouts", "/v2/payments/captures", "/v1/payments/sale"]),
    ("api.paypal.com", &["/v1/payments/payouts", "/v2/payments/captures", "/v1/payments/sale"]),
    ("api.wise.com", &["/v1/transfers", "/v3/profiles"]),
    ("api.razorpay.com", &["/v1/payouts", "/v1/payments", "/v1/transfers"]),
];

/// Paths by which customers pay: what they do with a key of which nothing is known is ordinary development.
const PAYS: &[&str] = &["/v1/charges", "/v1/payment_intents"];

/// Paths under which a forge keeps who gets in, behind what tells the version.
const ACCESS: &[&str] = &[
    "/user/keys", "/user/gpg_keys", "/user/ssh_signing_keys", "/repos/*/keys", "/repos/*/collaborators/*",
    "/orgs/*/memberships/*", "/orgs/*/invitations", "*/teams/*/memberships/*", "/projects/*/members",
    "/groups/*/members", "/projects/*/deploy_keys", "/projects/*/invitations", "/groups/*/invitations",
];

/// Services that listen on a port of this machine, with the beginnings of paths that are theirs. Other ports are ordinary development.
const LOCAL_SERVICES: &[(&str, &[&str])] = &[
    // Search.
    ("9200", &["/"]),
    ("9201", &["/"]),
    ("7700", &["/indexes", "/keys", "/tasks", "/dumps", "/snapshots"]),
    ("8108", &["/collections", "/keys"]),
    ("8983", &["/solr", "/api"]),
    // Gateways and proxies.
    (
        "8001",
        &[
            "/services", "/routes", "/plugins", "/consumers", "/snis", "/certificates", "/upstreams", "/targets",
            "/acls", "/config", "/workspaces", "/ca_certificates", "/vaults", "/keys", "/api",
        ],
    ),
    ("8444", &["/services", "/routes", "/plugins", "/consumers", "/snis", "/certificates", "/upstreams", "/config"]),
    ("9901", &["/quitquitquit", "/drain_listeners", "/healthcheck/fail"]),
    ("2019", &["/config", "/id", "/stop", "/load"]),
    // Monitoring.
    ("9090", &["/api/v1/admin", "/-/quit"]),
    ("9091", &["/metrics", "/api/v1/admin"]),
    ("9093", &["/api/v1", "/api/v2"]),
    ("3100", &["/loki"]),
    (
        "3000",
        &[
            "/api/dashboards", "/api/datasources", "/api/folders", "/api/alert-notifications", "/api/org",
            "/api/admin", "/api/v1/provisioning", "/api/annotations", "/api/teams", "/api/serviceaccounts",
            "/api/library-elements",
        ],
    ),
    ("8089", &["/services", "/servicesns"]),
    // Orchestration and discovery.
    ("2375", &["/"]),
    ("2376", &["/"]),
    ("8500", &["/v1"]),
    ("4646", &["/v1"]),
    ("2379", &["/"]),
    ("6443", &["/api"]),
    ("8200", &["/v1"]),
    // Databases and queues.
    ("5984", &["/"]),
    ("8086", &["/api/v2", "/query"]),
    ("8123", &["/"]),
    ("6333", &["/collections", "/snapshots", "/aliases"]),
    ("8529", &["/_api", "/_db"]),
    ("8091", &["/pools", "/controller", "/settings"]),
    ("8093", &["/query"]),
    ("15672", &["/api"]),
    ("8083", &["/connectors"]),
    ("8081", &["/subjects", "/artifactory", "/service/rest"]),
    ("8222", &["/"]),
    ("11434", &["/api/delete"]),
    ("5000", &["/v2"]),
];

/// Last parts of a path that destroy when something is sent to them, whatever the service.
const OPERATIONS: &[&str] = &[
    "_delete_by_query", "dodelete", "dowipeout", "dowipeoutworkspace", "delete_series", "clean_tombstones", "_close",
    "_shutdown", "safeexit", "quietdown", "safe-restart", "saferestart", "flushall", "delete-batch", "deletebyquery",
    "deletebyfilter", "delete", "purge", "purge_all", "purge_cache", "destroy", "wipe", "terminate", "revoke", "seal",
    "step-down", "quitquitquit", "deregister", "remove", "unpublish", "archive", "doflush", "delete_by_query",
    "batch-delete", "bulk_delete", "bulk-delete", "delete_all", "force-delete", "hard_delete", "cancel", "dodisable",
    "disable", "truncate", "scripttext", "quit", "force-leave",
];

/// Verbs of GraphQL changes that destroy.
const VERBS_OF_MUTATIONS: &[&str] = &[
    "delete", "remove", "destroy", "purge", "archive", "revoke", "terminate", "unlink", "transfer", "drop", "truncate",
];

/// What is read of a call.
#[derive(Debug, Default)]
struct Sent<'a> {
    method: Option<&'a str>,
    urls: Vec<&'a str>,
    bodies: Vec<&'a str>,
    has_body: bool,
    /// The request goes to a socket of this machine, such as docker's.
    socket: bool,
    /// It bears a key that is there for tests.
    tests: bool,
    /// It bears one with which real money moves.
    live: bool,
}

/// What the request of this client does; `None` if it is not seen to destroy.
pub fn read(of: &Invocation<'_>) -> Option<Request> {
    let args = of.args;
    let mut sent = match of.program.tool {
        Tool::Curl | Tool::Curlie => curl(of),
        Tool::Wget => wget(of),
        Tool::Httpie => httpie(of)?,
        Tool::Gh | Tool::Glab | Tool::Newrelic => {
            let graphql = args.iter().any(|arg| matches!(arg.as_str(), "graphql" | "nerdgraph"));
            return (graphql && args.iter().any(|arg| mutates(arg))).then_some(Request::Mutation);
        }
        _ => {
            let method = |arg: &String| {
                arg.rsplit_once('/').is_some_and(|(service, name)| service.contains('.') && deletes(name))
            };
            return args.iter().any(method).then_some(Request::Operation);
        }
    };
    let bears = |key: &str| args.iter().any(|arg| arg.contains(key));
    (sent.tests, sent.live) = (bears("k_test_"), bears("k_live_"));
    sent.judge()
}

/// Whether the name of a remote procedure says that it destroys.
fn deletes(name: &str) -> bool {
    ["Delete", "Remove", "Purge", "Destroy", "Drop", "Terminate"].iter().any(|verb| name.starts_with(verb))
}

impl Sent<'_> {
    fn judge(&self) -> Option<Request> {
        let method = self.method.unwrap_or(if self.has_body { "POST" } else { "GET" });
        let is = |name: &str| method.eq_ignore_ascii_case(name);
        if is("GET") || is("HEAD") || is("OPTIONS") || method.contains(is_placeholder) {
            return None;
        }
        let method = method.to_ascii_uppercase();
        let sends = matches!(method.as_str(), "POST" | "PUT" | "PATCH");
        // Read once, however many addresses it goes to.
        let body = if sends { Body::read(&self.bodies) } else { Body::default() };
        self.urls.iter().find_map(|url| self.judge_one(&method, &body, url))
    }

    fn judge_one(&self, method: &str, body: &Body, url: &str) -> Option<Request> {
        let target = Target::read(url);
        let reaches = !target.local || self.socket || target.is_service();
        if matches!(method, "DELETE" | "PURGE" | "BAN") {
            return reaches.then_some(Request::Delete);
        }
        if !matches!(method, "POST" | "PUT" | "PATCH") {
            return None;
        }
        if body.mutates {
            return reaches.then_some(Request::Mutation);
        }
        if !reaches && !target.path.contains("/job/") {
            return None;
        }
        let path = target.path.trim_end_matches('/');
        if let Some(named) = target.named_operation(path, self.tests, self.live) {
            return Some(named);
        }
        if path.ends_with("/_cluster/settings")
            || path.ends_with("/_settings") && body.settings
            || path.ends_with("/_aliases") && body.removes
            || method == "PATCH" && body.opens
        {
            return Some(Request::Settings);
        }
        let last = path.rsplit(['/', '.', ':']).next().unwrap_or(path);
        let operation = OPERATIONS.contains(&last)
            || path.contains("/purge/")
            || path.contains("/sys/leases/revoke")
            || path.contains("/service/deregister")
            || self.socket && matches!(last, "prune" | "kill")
            || target.query.contains("_method=delete")
            || target.query.contains("action=delete");
        (operation || body.destroys || last == "clear" && path.contains("/indexes/")).then_some(Request::Operation)
    }
}

/// What the body of a request says.
#[derive(Debug, Default)]
struct Body {
    /// A change in GraphQL that deletes.
    mutates: bool,
    /// A statement or a batch that destroys.
    destroys: bool,
    /// Settings are taken back, or writing is blocked.
    settings: bool,
    /// Something is removed from a list.
    removes: bool,
    /// Something is archived or opened to everybody.
    opens: bool,
}

impl Body {
    fn read(bodies: &[&str]) -> Self {
        // Without white space and quotes, so that it does not matter how the text is laid out.
        let plain: Vec<String> = bodies.iter().map(|body| squeezed(body)).collect();
        let has = |texts: &[&str]| plain.iter().any(|body| texts.iter().any(|text| body.contains(text)));
        let mut statements = Vec::new();
        for body in bodies {
            sql::read(body, &mut statements);
        }
        Self {
            mutates: bodies.iter().any(|body| mutates(body)),
            destroys: has(&["action:delete", "<delete>", "action:clear"]) || !statements.is_empty(),
            settings: has(&["null", "blocks"]),
            removes: has(&["remove"]),
            opens: has(&["archived:true", "private:false"]),
        }
    }
}

/// A text in small letters, without white space and quotes.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a text is a change in GraphQL that deletes.
fn mutates(body: &str) -> bool {
    let lower = body.to_ascii_lowercase();
    let Some((_, rest)) = lower.split_once("mutation") else { return false };
    rest.contains('{') && VERBS_OF_MUTATIONS.iter().any(|verb| rest.contains(verb))
}

/// Where a request goes.
struct Target {
    local: bool,
    /// In small letters, without the port.
    host: String,
    port: String,
    /// In small letters, from the first slash to the query.
    path: String,
    query: String,
}

impl Target {
    fn read(url: &str) -> Self {
        // What stands unquoted may be a pattern to the shell; a URL has the same characters.
        let lower = url.to_ascii_lowercase().replace(GLOB_ANY, "?").replace(GLOB_STAR, "*").replace(GLOB_SET, "[");
        let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
        let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
        let (path, query) = path.split_once(['?', '#']).unwrap_or((path, ""));
        let host = host.rsplit('@').next().unwrap_or(host);
        let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, port)) => (name, port.trim_start_matches(':')),
            None => host.split_once(':').unwrap_or((host, "")),
        };
        let local = matches!(name, "" | "localhost" | "0.0.0.0" | "::1" | "host.docker.internal")
            || name.starts_with("127.")
            || name.ends_with(".localhost")
            || name.rsplit('.').next() == Some("test");
        let host = name.to_owned();
        Self { local, host, port: port.to_owned(), path: path.to_owned(), query: query.to_owned() }
    }

    /// What it means that something is sent to this path of a service that is known.
    fn named_operation(&self, path: &str, tests: bool, live: bool) -> Option<Request> {
        let moves =
            MONEY.iter().any(|(host, paths)| *host == self.host && paths.iter().any(|begin| path.starts_with(begin)));
        let forge = if self.host == "api.github.com" {
            Some(path)
        } else {
            ["/api/v4", "/api/v3"].iter().find_map(|version| path.strip_prefix(version))
        };
        let opens = || forge.is_some_and(|path| ACCESS.iter().any(|access| glob(access, path)));
        let pays = live && self.host == "api.stripe.com" && PAYS.iter().any(|begin| path.starts_with(begin));
        if pays || moves && !tests {
            return Some(Request::Money);
        }
        opens().then_some(Request::Access)
    }

    fn is_service(&self) -> bool {
        LOCAL_SERVICES
            .iter()
            .any(|(port, paths)| *port == self.port && paths.iter().any(|path| self.path.starts_with(path)))
    }
}

/// Options of curl whose value is a body.
const BODIES: &[&str] = &[
    "-d", "-F", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "--form",
    "--form-string",
];

fn curl<'a>(of: &Invocation<'a>) -> Sent<'a> {
    let options = of.options();
    let bodies: Vec<&str> = options.values(BODIES).collect();
    let overrides =
        |header: &str| ["method-override", "delete"].iter().all(|part| header.to_ascii_lowercase().contains(part));
    let mut method = options.values(&["-X", "--request"]).last();
    let mut urls: Vec<&str> = options.operands.iter().copied().chain(options.values(&["--url"])).collect();
    if of.program.tool == Tool::Curlie && method.is_none() && urls.first().is_some_and(|first| is_method(first)) {
        method = Some(urls.remove(0));
    }
    if options.values(&["-H", "--header"]).any(overrides) {
        method = Some("DELETE");
    } else if method.is_none() && options.has(&["-T", "--upload-file"]) {
        method = Some("PUT");
    } else if method.is_none() && options.has(&["-G", "--get", "-I", "--head"]) {
        method = Some("GET");
    }
    let socket = options.has(&["--unix-socket", "--abstract-unix-socket"]);
    Sent { method, urls, has_body: !bodies.is_empty(), bodies, socket, ..Sent::default() }
}

fn wget<'a>(of: &Invocation<'a>) -> Sent<'a> {
    let options = of.options();
    let bodies: Vec<&str> = options.values(&["--post-data", "--body-data", "--post-file", "--body-file"]).collect();
    Sent {
        method: options.values(&["--method"]).last(),
        has_body: !bodies.is_empty(),
        bodies,
        urls: options.operands,
        ..Sent::default()
    }
}

fn is_method(word: &str) -> bool {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE"]
        .iter()
        .any(|method| word.eq_ignore_ascii_case(method))
}

fn httpie<'a>(of: &Invocation<'a>) -> Option<Sent<'a>> {
    let options = of.options();
    if options.has(&["--offline"]) {
        return None;
    }
    let mut sent = Sent::default();
    for arg in options.operands {
        if sent.method.is_none() && sent.urls.is_empty() && is_method(arg) {
            sent.method = Some(arg);
        } else if sent.urls.is_empty() {
            sent.urls.push(arg);
        } else {
            // `Header:value` and `name==value` are no part of the body.
            sent.has_body |= !arg.contains("==") && arg.contains('=');
            sent.bodies.push(arg);
        }
    }
    Some(sent)
}
