//! Requests to HTTP interfaces: method, address and body as the usual clients take them, and which of them destroy.

use super::words::has_option;

/// Ports of services whose whole content is behind plain requests.
const SERVICE_PORTS: &[&str] = &[
    ":9200",
    ":9201",
    ":7700",
    ":8001",
    ":8444",
    ":9090",
    ":2375",
    ":2376",
    ":8500",
    ":8200",
    ":5984",
    ":15672",
    ":8083",
    ":8086",
    ":6333",
    ":3000/api",
    ":4646",
    ":2379",
    ":9093",
];

/// Paths that destroy by POST or GET.
const DESTROYING_PATHS: &[&str] = &[
    "/_delete_by_query",
    "/dodelete",
    "/dowipeout",
    "/delete_series",
    "/clean_tombstones",
    "/_close",
    "/_forcemerge",
    "/safeexit",
    "/quietdown",
    "/admin/delete",
    "/dowipeoutworkspace",
    "/kill",
    "/flushall",
    "/_shutdown",
    "/safe-restart",
    "/exit",
    "/delete",
    "/purge",
    "/destroy",
    "/wipe",
    "/terminate",
];

/// What a request is.
#[derive(Debug, Default)]
struct Request<'a> {
    method: Option<String>,
    url: &'a str,
    body: String,
}

/// Why a call of an HTTP client destroys; `None` if it is not seen to.
pub(super) fn danger(program: &str, args: &[&str]) -> Option<&'static str> {
    let request = match program {
        "curl" | "curlie" => curl(args),
        "wget" | "wget2" => wget(args),
        "http" | "https" | "xh" | "xhs" | "httpie" => httpie(args),
        _ => return None,
    };
    let has_body = !request.body.is_empty();
    let method = request.method.clone().unwrap_or_else(|| if has_body { "POST" } else { "GET" }.to_owned());
    let url = request.url.to_ascii_lowercase();
    let local = is_local(&url);
    let service = SERVICE_PORTS.iter().any(|port| url.contains(port));
    match method.as_str() {
        "DELETE" if !local || service => Some("deletes something through an HTTP interface"),
        "PUT" | "PATCH"
            if service
                && (url.contains("/_cluster/settings")
                    || url.contains("/_settings") && request.body.contains("null")) =>
        {
            Some("changes the settings of a whole service through an HTTP interface")
        }
        "POST" | "PUT" | "PATCH" => {
            let path = url.split(['?', '#']).next().unwrap_or(&url).trim_end_matches('/');
            let last_destroys = DESTROYING_PATHS.iter().any(|end| path.ends_with(end));
            let body = request.body.to_ascii_lowercase();
            let mutation = body.contains("mutation")
                && ["delete", "remove", "destroy", "purge", "archive"].iter().any(|verb| body.contains(verb));
            let purges = url.contains("purge_cache") || url.contains("/purge/");
            (last_destroys && (!local || service || path.contains("/job/")) || mutation || purges)
                .then_some("destroys something through an HTTP interface")
        }
        _ => None,
    }
}

fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or(host);
    let host = host.rsplit('@').next().unwrap_or(host);
    let name = host.split(':').next().unwrap_or(host);
    matches!(name, "localhost" | "" | "0.0.0.0" | "[")
        || name.starts_with("127.")
        || host.starts_with("[::1]")
        || name.ends_with(".localhost")
        || name.rsplit('.').next() == Some("test")
}

/// The value of an option that may be joined to it.
fn value<'a>(args: &[&'a str], at: usize, short: &str, long: &[&str]) -> Option<(&'a str, bool)> {
    let arg = *args.get(at)?;
    if let Some((name, value)) = arg.split_once('=').filter(|(name, _)| name.starts_with("--")) {
        return long.contains(&name).then_some((value, false));
    }
    if long.contains(&arg) || !short.is_empty() && arg == short {
        return args.get(at + 1).map(|value| (*value, true));
    }
    let bundle = arg.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let letter = short.strip_prefix('-').filter(|letter| !letter.is_empty())?;
    let place = bundle.find(letter)?;
    // Letters before it are switches.
    if !bundle.get(..place)?.chars().all(|c| "sSfLkvigGIlnNqRa#0123".contains(c)) {
        return None;
    }
    let rest = bundle.get(place + letter.len()..)?;
    if rest.is_empty() { args.get(at + 1).map(|value| (*value, true)) } else { Some((rest, false)) }
}

fn curl<'a>(args: &[&'a str]) -> Request<'a> {
    const TAKES: &[&str] = &[
        "-H",
        "--header",
        "-u",
        "--user",
        "-o",
        "--output",
        "-A",
        "-e",
        "-b",
        "-c",
        "-x",
        "-m",
        "--max-time",
        "-w",
        "--write-out",
        "--connect-timeout",
        "--retry",
        "-K",
        "--cacert",
        "--cert",
        "--key",
        "-E",
        "--proxy",
        "--cookie",
        "--user-agent",
        "--referer",
        "--oauth2-bearer",
        "--aws-sigv4",
    ];
    let mut request = Request::default();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        if let Some((method, apart)) = value(args, at, "-X", &["--request"]) {
            request.method = Some(method.to_ascii_uppercase());
            at += usize::from(apart);
        } else if let Some((body, apart)) = value(
            args,
            at,
            "-d",
            &["--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "--form"],
        )
        .or_else(|| value(args, at, "-F", &["--form-string"]))
        {
            request.body.push_str(body);
            request.body.push(' ');
            at += usize::from(apart);
        } else if let Some((url, apart)) = value(args, at, "", &["--url"]) {
            request.url = url;
            at += usize::from(apart);
        } else if TAKES.contains(arg) {
            at += 1;
        } else if !arg.starts_with('-') && request.url.is_empty() {
            request.url = arg;
        }
        at += 1;
    }
    if has_option(args, &["-I", "--head"]) && request.method.is_none() || has_option(args, &["-G", "--get"]) {
        request.method = Some("GET".to_owned());
    }
    request
}

fn wget<'a>(args: &[&'a str]) -> Request<'a> {
    let mut request = Request::default();
    for (at, arg) in args.iter().enumerate() {
        if let Some((method, _)) = value(args, at, "", &["--method"]) {
            request.method = Some(method.to_ascii_uppercase());
        } else if let Some((body, _)) = value(args, at, "", &["--post-data", "--body-data"]) {
            request.body.push_str(body);
        } else if !arg.starts_with('-') && arg.contains(['.', ':', '/']) {
            request.url = arg;
        }
    }
    request
}

fn httpie<'a>(args: &[&'a str]) -> Request<'a> {
    const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let mut request = Request::default();
    for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
        let upper = arg.to_ascii_uppercase();
        if request.method.is_none() && request.url.is_empty() && METHODS.contains(&upper.as_str()) {
            request.method = Some(upper);
        } else if request.url.is_empty() {
            request.url = arg;
        } else {
            request.body.push_str(arg);
            request.body.push(' ');
        }
    }
    request
}
