//! Containers, clusters and clouds: what their clients show. What prints keys or passwords is left out, however readable it is.

use super::{VERSION, exactly, program, verbs};
use crate::review::table::{Program, Way};

pub(super) const PROGRAMS: &[Program] = &[
    program(
        &["docker", "podman", "nerdctl"],
        &[
            Way {
                verbs: &[
                    "ps", "images", "image ls", "image list", "image inspect", "image history", "inspect", "logs",
                    "version", "info", "top", "stats", "port", "history", "events", "diff", "search", "network ls",
                    "network list", "network inspect", "volume ls", "volume list", "volume inspect", "container ls",
                    "container list", "container ps", "container inspect", "container logs", "container top",
                    "container stats", "container port", "container diff", "node ls", "node inspect", "node ps",
                    "service ls", "service inspect", "service ps", "service logs", "stack ls", "stack ps",
                    "stack services", "system df", "system info", "context ls", "context show", "context inspect",
                    "plugin ls", "plugin inspect", "manifest inspect", "trust inspect", "config ls", "secret ls",
                    "buildx ls", "buildx du", "buildx version", "pod ls", "pod ps", "pod inspect",
                ],
                but: &["--context", "--host"],
                ..Way::ANY
            },
            Way { verbs: &["buildx inspect"], but: &["--bootstrap"], ..Way::ANY },
            compose(&[
                "compose ps", "compose ls", "compose logs", "compose images", "compose top", "compose version",
                "compose port", "compose events", "compose config",
            ]),
            VERSION,
        ],
    ),
    program(
        &["docker-compose"],
        &[compose(&["ps", "ls", "logs", "images", "top", "version", "port", "events", "config"]), VERSION],
    ),
    Program {
        names: &["kubectl", "oc"],
        before: &["-n=", "--namespace=", "--context=", "--cluster="],
        ways: &[
            Way {
                verbs: &["get", "describe"],
                // What a secret holds is shown by formats of output; their names are not.
                but: &["secret", "--kubeconfig", "--raw", "all", "--profile", "--profile-output", "--cache-dir"],
                ..Way::ANY
            },
            Way {
                verbs: &["get secrets", "get secret"],
                only: &["-n=", "--namespace=", "-A", "--all-namespaces", "-l=", "--selector=", "--show-labels"],
                ..Way::ANY
            },
            Way {
                verbs: &[
                    "logs", "top", "version", "api-resources", "api-versions", "explain", "completion",
                    "config get-contexts", "config current-context", "config get-clusters", "auth can-i",
                    "auth whoami", "rollout status", "rollout history", "events",
                ],
                but: &["--kubeconfig"],
                ..Way::ANY
            },
            exactly(&["cluster-info", "options", "--help", "plugin list"]),
        ],
    },
    program(
        &["helm"],
        &[
            Way {
                verbs: &[
                    "list", "ls", "status", "history", "search", "show chart", "show readme", "show values", "version",
                    "env", "repo list", "plugin list", "plugin ls", "dependency list", "dependency ls", "dep ls",
                    "completion", "lint",
                ],
                but: &["--kubeconfig", "--post-renderer"],
                ..Way::ANY
            },
            VERSION,
        ],
    ),
    Program {
        names: &["terraform", "tofu"],
        before: &[],
        ways: &[
            verbs(&["version", "state list", "workspace list", "workspace show", "providers"]),
            // `show`, `validate` and `graph` start the plugins that the project brings along.
            Way {
                verbs: &["fmt"],
                needs: &["-check", "--check"],
                but: &["-write"],
                style: crate::review::table::Style::Words,
                ..Way::ANY
            },
            exactly(&["--version", "-version", "-help"]),
        ],
    },
    Program {
        names: &["aws"],
        before: &[
            "--profile=", "--region=", "--output=", "--query=", "--no-cli-pager", "--no-paginate", "--color=",
            "--cli-connect-timeout=", "--cli-read-timeout=", "--ca-bundle=",
        ],
        ways: &[
            Way {
                verbs: &[
                    "* describe-*", "* list-*", "s3 ls", "configure list", "configure list-profiles",
                    "sts get-caller-identity", "* help", "help", "* get-*-policy", "* get-bucket-*", "iam get-role",
                    "iam get-user", "iam get-group", "iam get-policy", "iam get-account-*",
                    "lambda get-function-configuration", "sqs get-queue-*", "cloudwatch get-metric-*",
                    "ce get-cost-and-usage", "route53 get-*", "ssm get-patch-baseline", "ec2 get-console-output",
                    "dynamodb get-item", "dynamodb batch-get-item", "logs filter-log-events",
                    "route53 test-dns-answer",
                ],
                but: &["--endpoint-url", "--cli-input-json", "--no-verify-ssl"],
                ..Way::ANY
            },
            exactly(&["--version"]),
        ],
    },
    program(
        &["az"],
        &[
            Way {
                verbs: &[
                    "** list", "** show", "** exists", "** list-skus", "** list-publishers", "** list-offers",
                    "** list-locations", "** list-sizes", "** list-usage", "** show-tags",
                ],
                but: &["--file", "--debug"],
                ..Way::ANY
            },
            exactly(&["version", "--version"]),
        ],
    ),
    program(
        &["gcloud"],
        &[
            Way { verbs: &["** list", "** describe"], but: &["--flags-file", "--log-http"], ..Way::ANY },
            verbs(&["help", "version", "info"]),
            exactly(&["--version", "config list"]),
        ],
    ),
    program(&["pulumi"], &[verbs(&["stack ls", "whoami", "version", "about"])]),
    program(&["cdk"], &[verbs(&["ls", "list", "notices", "doctor", "--version"])]),
];

const fn compose(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: &["-o", "--output", "--lock-image-digests"], ..Way::ANY }
}
