//! The network: fetching, sending, asking others.

use super::Trait::{Destructive, NeverApproved, RunsAnything, Silent, System, Unread};
use super::reads::{Operands, Style, VERSION, Way, but, only, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Rest, Runs};
use super::writes::{OUTPUT, WRITES, Writes, Written};
use super::{Program, Tool, row};
use crate::options::Grammar;

/// Clients of HTTP and of what is built on it.
pub const HTTP_CLIENTS: &[&str] = &[
    "curl", "curlie", "wget", "wget2", "http", "https", "xh", "xhs", "httpie", "grpcurl", "grpc_cli", "gh", "glab",
    "newrelic",
];

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["dig"]).tool(Tool::Dig).reads(&[
        // They ask others, so that every word has to be known: a name can carry what a file holds.
        but(&["-f", "-k", "-y"]),
    ]),
    &row(&["host"]).tool(Tool::Dig).reads(&[but(&["-h", "--host", "-p", "--port", "-s", "--service"])]),
    &row(&["whois"]).reads(&[but(&["-h", "--host", "-p", "--port", "-s", "--service"])]),
    &row(&["ping", "ping6"])
        .tool(Tool::Dig)
        .reads(&[Way { needs: &["-c"], ..only(&["-c=", "-W=", "-w=", "-i=", "-4", "-6", "-n", "-q", "-s=", "-t="]) }]),
    &row(&["curl"])
        .is(&[Destructive, System, RunsAnything])
        .tool(Tool::Curl)
        .options(CURL)
        .reads(&[
            Way {
                operands: Operands::Web,
                ..only(&[
                    "-s", "-S", "-f", "-L", "-I", "-i", "-v", "-g", "-4", "-6", "-N", "-k", "-#", "-e=", "-A=", "-m=",
                    "-r=", "--silent", "--show-error", "--fail", "--fail-with-body", "--location", "--head",
                    "--include", "--verbose", "--globoff", "--ipv4", "--ipv6", "--no-buffer", "--insecure",
                    "--compressed", "--max-time=", "--connect-timeout=", "--retry=", "--retry-delay=",
                    "--retry-max-time=", "--max-redirs=", "--http1.1", "--http2", "--http3", "--no-progress-meter",
                    "--range=", "--user-agent=", "--referer=", "--progress-bar", "-X:GET|HEAD", "--request:GET|HEAD",
                    "-G", "--get", "--tlsv1.2", "--tlsv1.3", "--proto=", "-o:/dev/null", "--output:/dev/null",
                ])
            },
            VERSION,
        ])
        .commands(&["-K", "--config"]),
    &row(&["openssl"])
        .is(&[Silent])
        .tool(Tool::Openssl)
        .options(Grammar::one_dash(&[
            "-S", "-iter", "-keyform", "-digest", "-sign", "-verify", "-prverify", "-signature", "-addext",
            "-set_serial", "-pkeyopt", "-algorithm", "-cipher", "-engine", "-port", "-accept", "-in", "-out",
            "-inform", "-outform", "-inkey", "-keyout", "-newkey", "-k", "-K", "-iv", "-pass", "-passin", "-passout",
            "-CA", "-CAfile", "-CApath", "-CAkey", "-CAserial", "-config", "-extfile", "-extensions", "-days", "-subj",
            "-signkey", "-cert", "-certfile", "-key", "-connect", "-servername", "-writerand", "-rand", "-sess_out",
            "-certout", "-keylogfile", "-name", "-md", "-kfile",
        ]))
        .reads(&[
            Way { style: Style::Words, but: &["-out", "-provider"], ..verbs(&["version", "list", "ciphers"]) },
            Way {
                verbs: &["x509"],
                ..only(&[
                    "-in=", "-inform=", "-noout", "-text", "-subject", "-issuer", "-dates", "-startdate", "-enddate",
                    "-fingerprint", "-serial", "-pubkey", "-sha256", "-nameopt=", "-checkend=", "-ext=", "-email",
                    "-purpose",
                ])
            },
        ])
        .writes(&Writes { files: &["-out", "-keyout"], ..WRITES }),
    &row(&["rsh", "remsh"]).runs(&[Runs { values: &["-l", "-k"], skip: 1, rest: Rest::Line, remote: true, ..RUNS }]),
    &row(&["sshpass"]).runs(&[Runs { values: &["-p", "-f", "-d", "-P"], ..RUNS }]),
    &row(&["mosh"]).runs(&[Runs { values: &["-p", "--port"], skip: 1, rest: Rest::Line, remote: true, ..RUNS }]),
    &row(&["autossh"]).runs(&[Runs { values: &["-M"], into: Some("ssh"), ..RUNS }]),
    &row(&["ssh"]).is(&[Silent, System, NeverApproved]).tool(Tool::Ssh).options(Grammar::gnu(&[
        "-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-P", "-p", "-Q",
        "-R", "-S", "-W", "-w",
    ])),
    &row(&["ssh-keygen"])
        .is(&[Silent, System])
        .tool(Tool::SshKeygen)
        .options(Grammar::gnu(&[
            "-a", "-b", "-C", "-D", "-E", "-F", "-f", "-I", "-m", "-N", "-n", "-O", "-P", "-R", "-r", "-s", "-t", "-V",
            "-w", "-Y", "-z", "-Z",
        ]))
        .reveals(&[Reveals { words: &[&[]], needs: &["-y", "-y*"], ..REVEALS }]),
    &row(&["ssh-add"]).is(&[Silent, System]),
    &row(&["ssh-copy-id", "certbot", "mkcert", "step", "ssh-keyscan"]).is(&[Silent]),
    &row(&["sftp"])
        .is(&[Silent, Unread, System])
        .tool(Tool::Sftp)
        .options(Grammar::gnu(&["-B", "-b", "-c", "-D", "-F", "-i", "-J", "-l", "-o", "-P", "-R", "-S", "-s", "-X"]))
        .writes(&Writes { operands: Written::Second, ..WRITES })
        .lines(&["-S", "-D"]),
    &row(&["scp"])
        .is(&[Silent, System, NeverApproved])
        .tool(Tool::Scp)
        .options(Grammar::gnu(&["-c", "-D", "-F", "-i", "-J", "-l", "-o", "-P", "-S", "-X"])),
    &row(&["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "pwncat"])
        .is(&[Destructive, RunsAnything])
        .tool(Tool::Netcat)
        .options(Grammar::gnu(&[
            "-e", "-c", "--exec", "--sh-exec", "--lua-exec", "-g", "-G", "-i", "-I", "-m", "-o", "--output", "-O",
            "-p", "-P", "-q", "-s", "-T", "-V", "-w", "--wait", "-W", "-x", "-X", "--proxy",
        ])),
    &row(&["socat"])
        .is(&[Destructive])
        .tool(Tool::Socat)
        .options(Grammar::one_dash(&["-t", "-T", "-b", "-L", "-W", "-r", "-R", "-lf", "-lp"])),
    &row(&["aria2c"]).is(&[Unread]).tool(Tool::Fetchers).options(Grammar::gnu(&[
        "-d", "--dir", "-o", "--out", "-i", "--input-file", "-l", "--log", "-j", "-x", "-s", "--split", "-k", "-m",
        "-t", "-U", "--header", "--referer", "--checksum",
    ])),
    &row(&[
        "ftp", "lftp", "tftp", "atftp", "ncftp", "ncftpput", "smbclient", "wormhole", "croc", "ffsend", "pastebinit",
        "gist", "onionshare-cli", "plik", "megaput", "mega-put", "transfer",
    ])
    .is(&[Unread])
    .tool(Tool::Senders),
    &row(&["wget", "wget2"])
        .is(&[System, NeverApproved, RunsAnything])
        .tool(Tool::Wget)
        .options(WGET)
        .commands(&["-i", "--input-file", "--config"]),
    &row(&["curlie"]).tool(Tool::Curlie).options(CURL).writes(&OUTPUT).commands(&["-K", "--config"]),
    &row(&["tcpdump", "tshark", "dumpcap"])
        .options(Grammar::gnu(&["-w", "-i", "-c", "-r", "-s", "-B", "-F", "-W", "-y"]))
        .writes(&Writes { files: &["-w"], ..WRITES }),
    &row(&["http", "https", "xh", "xhs", "httpie"]).tool(Tool::Httpie).options(Grammar {
        plus: true,
        ..Grammar::words(&[
            "-a", "--auth", "-A", "--auth-type", "-o", "--output", "-s", "--style", "-p", "--print", "--session",
            "--session-read-only", "--timeout", "--proxy", "--verify", "--cert", "--cert-key", "--cert-key-pass",
            "--format-options", "--pretty", "--max-redirects", "--max-headers", "--bearer", "--boundary", "--raw",
            "--ssl", "--ciphers", "--response-charset", "--response-mime", "--default-scheme",
        ])
    }),
    &row(&["nslookup", "drill", "kdig", "doggo"]).tool(Tool::Dig),
    &row(&["axel", "lwp-request", "fetch", "lynx", "w3m", "links"])
        .tool(Tool::Fetchers)
        .options(Grammar::gnu(&["-o", "--output", "-T"])),
    &row(&["ttyd", "gotty", "wetty", "shellinaboxd", "webtty"]).tool(Tool::WebTerminals),
    &row(&["mail", "mailx", "sendmail", "mutt", "msmtp", "swaks"])
        .tool(Tool::Mail)
        .options(Grammar::gnu(&["-s", "-a", "-A", "--attach", "-r", "-c", "-b", "-S", "-f"])),
    &row(&["telnet", "websocat", "wscat", "mosquitto_pub"]).tool(Tool::Senders),
];

/// Options of curl.
const CURL: Grammar<'_> = Grammar {
    table: &["--head", "--netrc"],
    ..Grammar::gnu(&[
        "-o", "--output", "-d", "--data", "--data-binary", "--data-raw", "--data-ascii", "--data-urlencode", "--json",
        "-F", "--form", "--form-string", "-T", "--upload-file", "-X", "--request", "-H", "--header", "-u", "--user",
        "-A", "--user-agent", "-e", "--referer", "-b", "--cookie", "-c", "--cookie-jar", "-x", "--proxy", "-K",
        "--config", "-m", "--max-time", "--connect-timeout", "--retry", "--retry-delay", "--retry-max-time", "-w",
        "--write-out", "--cacert", "--capath", "--cert", "-E", "--key", "--resolve", "--connect-to", "-r", "--range",
        "-y", "-Y", "-C", "--continue-at", "--output-dir", "-D", "--dump-header", "--url", "--interface",
        "--limit-rate", "--netrc-file", "--proto", "--proto-default", "--proto-redir", "-Q", "--quote", "-t", "-z",
        "--time-cond", "--stderr", "--trace", "--trace-ascii", "--unix-socket", "--max-redirs", "--max-filesize",
        "--ciphers", "--tls-max", "--dns-servers", "--oauth2-bearer", "--aws-sigv4", "--socks5", "-P", "--rate",
        "--url-query", "--variable", "--abstract-unix-socket", "-U", "--proxy-user", "--noproxy", "--keepalive-time",
        "--local-port", "--pinnedpubkey", "--pass", "--cert-type", "-h",
    ])
};

/// Options of wget.
const WGET: Grammar<'_> = Grammar::gnu(&[
    "--config", "-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix", "--post-file",
    "--post-data", "--body-file", "--body-data", "--method", "--header", "-U", "--user-agent", "-t", "--tries", "-T",
    "--timeout", "-e", "--execute", "-i", "--input-file", "--user", "--password", "-A", "-R", "-D", "-l", "--level",
    "--limit-rate", "-w", "--wait", "--use-askpass", "--ca-certificate", "--certificate", "--private-key", "-a",
    "--append-output", "-B", "--base",
]);
