//! The network: fetching, sending, asking others.

use super::Trait::{Destructive, NeverApproved, RunsAnything, Silent, System, Unread};
use super::reads::{Operands, Style, VERSION, Way, but, only, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{RUNS, Rest, Runs};
use super::writes::{OUTPUT, WRITES, Writes, Written};
use super::{PROGRAM, Program, Tool, traits};
use crate::options::Grammar;

/// Clients of HTTP and of what is built on it.
pub const HTTP_CLIENTS: &[&str] = &[
    "curl", "curlie", "wget", "wget2", "http", "https", "xh", "xhs", "httpie", "grpcurl", "grpc_cli", "gh", "glab",
    "newrelic",
];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["dig"],
        tool: Tool::Dig,
        reads: &[
            // They ask others, so that every word has to be known: a name can carry what a file holds.
            but(&["-f", "-k", "-y"]),
        ],
        ..PROGRAM
    },
    Program {
        names: &["host"],
        tool: Tool::Dig,
        reads: &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])],
        ..PROGRAM
    },
    Program { names: &["whois"], reads: &[but(&["-h", "--host", "-p", "--port", "-s", "--service"])], ..PROGRAM },
    Program {
        names: &["ping", "ping6"],
        reads: &[Way { needs: &["-c"], ..only(&["-c=", "-W=", "-w=", "-i=", "-4", "-6", "-n", "-q", "-s=", "-t="]) }],
        ..PROGRAM
    },
    Program {
        names: &["curl"],
        is: traits(&[Destructive, System, RunsAnything]),
        tool: Tool::Curl,
        options: CURL,
        reads: &[
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
        ],
        commands: &["-K", "--config"],
        ..PROGRAM
    },
    Program {
        names: &["openssl"],
        is: traits(&[Silent]),
        tool: Tool::Openssl,
        options: Grammar::one_dash(&[
            "-S", "-iter", "-keyform", "-digest", "-sign", "-verify", "-prverify", "-signature", "-addext",
            "-set_serial", "-pkeyopt", "-algorithm", "-cipher", "-engine", "-port", "-accept", "-in", "-out",
            "-inform", "-outform", "-inkey", "-keyout", "-newkey", "-k", "-K", "-iv", "-pass", "-passin", "-passout",
            "-CA", "-CAfile", "-CApath", "-CAkey", "-CAserial", "-config", "-extfile", "-extensions", "-days", "-subj",
            "-signkey", "-cert", "-certfile", "-key", "-connect", "-servername", "-writerand", "-rand", "-sess_out",
            "-certout", "-keylogfile", "-name", "-md", "-kfile",
        ]),
        reads: &[
            Way { style: Style::Words, but: &["-out", "-provider"], ..verbs(&["version", "list", "ciphers"]) },
            Way {
                verbs: &["x509"],
                ..only(&[
                    "-in=", "-inform=", "-noout", "-text", "-subject", "-issuer", "-dates", "-startdate", "-enddate",
                    "-fingerprint", "-serial", "-pubkey", "-sha256", "-nameopt=", "-checkend=", "-ext=", "-email",
                    "-purpose",
                ])
            },
        ],
        writes: Some(&Writes { files: &["-out", "-keyout"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["rsh", "remsh"],
        runs: &[Runs { values: &["-l", "-k"], skip: 1, rest: Rest::Line, remote: true, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["sshpass"], runs: &[Runs { values: &["-p", "-f", "-d", "-P"], ..RUNS }], ..PROGRAM },
    Program {
        names: &["mosh"],
        runs: &[Runs { values: &["-p", "--port"], skip: 1, rest: Rest::Line, remote: true, ..RUNS }],
        ..PROGRAM
    },
    Program { names: &["autossh"], runs: &[Runs { values: &["-M"], into: Some("ssh"), ..RUNS }], ..PROGRAM },
    Program {
        names: &["ssh"],
        is: traits(&[Silent, System, NeverApproved]),
        tool: Tool::Ssh,
        options: Grammar::gnu(&[
            "-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-P", "-p", "-Q",
            "-R", "-S", "-W", "-w",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["ssh-keygen"],
        is: traits(&[Silent, System]),
        tool: Tool::SshKeygen,
        options: Grammar::gnu(&[
            "-a", "-b", "-C", "-D", "-E", "-F", "-f", "-I", "-m", "-N", "-n", "-O", "-P", "-R", "-r", "-s", "-t", "-V",
            "-w", "-Y", "-z", "-Z",
        ]),
        reveals: &[Reveals { words: &[&[]], needs: &["-y", "-y*"], ..REVEALS }],
        ..PROGRAM
    },
    Program { names: &["ssh-add"], is: traits(&[Silent, System]), ..PROGRAM },
    Program { names: &["ssh-copy-id", "certbot", "mkcert", "step", "ssh-keyscan"], is: traits(&[Silent]), ..PROGRAM },
    Program {
        names: &["sftp"],
        is: traits(&[Silent, Unread, System]),
        tool: Tool::Sftp,
        options: Grammar::gnu(&["-B", "-b", "-c", "-D", "-F", "-i", "-J", "-l", "-o", "-P", "-R", "-S", "-s", "-X"]),
        writes: Some(&Writes { operands: Written::Second, ..WRITES }),
        lines: &["-S", "-D"],
        ..PROGRAM
    },
    Program {
        names: &["scp"],
        is: traits(&[Silent, System, NeverApproved]),
        tool: Tool::Scp,
        options: Grammar::gnu(&["-c", "-D", "-F", "-i", "-J", "-l", "-o", "-P", "-S", "-X"]),
        ..PROGRAM
    },
    Program {
        names: &["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "pwncat"],
        is: traits(&[Destructive, RunsAnything]),
        tool: Tool::Netcat,
        options: Grammar::gnu(&[
            "-e", "-c", "--exec", "--sh-exec", "--lua-exec", "-g", "-G", "-i", "-I", "-m", "-o", "--output", "-O",
            "-p", "-P", "-q", "-s", "-T", "-V", "-w", "--wait", "-W", "-x", "-X", "--proxy",
        ]),
        ..PROGRAM
    },
    Program {
        names: &["socat"],
        is: traits(&[Destructive]),
        tool: Tool::Socat,
        options: Grammar::one_dash(&["-t", "-T", "-b", "-L", "-W", "-r", "-R", "-lf", "-lp"]),
        ..PROGRAM
    },
    Program {
        names: &["aria2c"],
        is: traits(&[Unread]),
        tool: Tool::Fetchers,
        options: Grammar::gnu(&[
            "-d", "--dir", "-o", "--out", "-i", "--input-file", "-l", "--log", "-j", "-x", "-s", "--split", "-k", "-m",
            "-t", "-U", "--header", "--referer", "--checksum",
        ]),
        ..PROGRAM
    },
    Program { names: &["atftp", "ncftp", "smbclient"], is: traits(&[Unread]), ..PROGRAM },
    Program { names: &["ftp", "lftp", "tftp"], is: traits(&[Unread]), tool: Tool::Senders, ..PROGRAM },
    Program {
        names: &["wget", "wget2"],
        is: traits(&[System, NeverApproved, RunsAnything]),
        tool: Tool::Wget,
        options: WGET,
        commands: &["-i", "--input-file", "--config"],
        ..PROGRAM
    },
    Program {
        names: &["curlie"],
        tool: Tool::Curlie,
        options: CURL,
        writes: Some(&OUTPUT),
        commands: &["-K", "--config"],
        ..PROGRAM
    },
    Program {
        names: &["tcpdump", "tshark", "dumpcap"],
        options: Grammar::gnu(&["-w", "-i", "-c", "-r", "-s", "-B", "-F", "-W", "-y"]),
        writes: Some(&Writes { files: &["-w"], ..WRITES }),
        ..PROGRAM
    },
    Program {
        names: &["http", "https", "xh", "xhs", "httpie"],
        tool: Tool::Httpie,
        options: Grammar {
            plus: true,
            ..Grammar::words(&[
                "-a", "--auth", "-A", "--auth-type", "-o", "--output", "-s", "--style", "-p", "--print", "--session",
                "--session-read-only", "--timeout", "--proxy", "--verify", "--cert", "--cert-key", "--cert-key-pass",
                "--format-options", "--pretty", "--max-redirects", "--max-headers", "--bearer", "--boundary", "--raw",
                "--ssl", "--ciphers", "--response-charset", "--response-mime", "--default-scheme",
            ])
        },
        ..PROGRAM
    },
    Program { names: &["nslookup", "drill", "kdig", "doggo"], tool: Tool::Dig, ..PROGRAM },
    Program {
        names: &["axel", "lwp-request", "fetch", "lynx", "w3m", "links"],
        tool: Tool::Fetchers,
        options: Grammar::gnu(&["-o", "--output", "-T"]),
        ..PROGRAM
    },
    Program { names: &["ttyd", "gotty", "wetty", "shellinaboxd", "webtty"], tool: Tool::WebTerminals, ..PROGRAM },
    Program {
        names: &["mail", "mailx", "sendmail", "mutt", "msmtp", "swaks"],
        tool: Tool::Mail,
        options: Grammar::gnu(&["-s", "-a", "-A", "--attach", "-r", "-c", "-b", "-S", "-f"]),
        ..PROGRAM
    },
    Program { names: &["telnet", "websocat", "wscat", "mosquitto_pub"], tool: Tool::Senders, ..PROGRAM },
];

/// Options of curl.
pub const CURL: Grammar<'_> = Grammar {
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
pub const WGET: Grammar<'_> = Grammar::gnu(&[
    "--config", "-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix", "--post-file",
    "--post-data", "--body-file", "--body-data", "--method", "--header", "-U", "--user-agent", "-t", "--tries", "-T",
    "--timeout", "-e", "--execute", "-i", "--input-file", "--user", "--password", "-A", "-R", "-D", "-l", "--level",
    "--limit-rate", "-w", "--wait", "--use-askpass", "--ca-certificate", "--certificate", "--private-key", "-a",
    "--append-output", "-B", "--base",
]);
