//! Clouds, platforms, fleets of machines and servers. What prints keys is left out of what reads.

use super::Trait::{Destructive, Develops, Silent};
use super::code::{PYTHON, Tasks};
use super::reads::{HELP, Style, Way, exactly, verbs};
use super::reveals::{REVEALS, Reveals};
use super::runs::{CLOUD_VALUES, PLATFORM_VALUES, RUNS, Rest, Runs};
use super::sources::{SOURCES, Sourced, Sources};
use super::{Program, Tool, row};
use crate::options::Grammar;

const TERRAFORM_REVEALS: Reveals = Reveals {
    words: &[
        &["output", "*pass*"],
        &["output", "*secret*"],
        &["output", "*token*"],
        &["output", "*private*"],
        &["output", "*_key"],
        &["output", "*credential*"],
        &["state", "pull"],
    ],
    ..REVEALS
};

/// Queries of Azure's client that leave values out.
const AZ_NAMES: &[&str] = &["*].name", "[].{*:name}", "*length(@)", "none"];

/// The settings of an application, which it gets as variables.
const AZ_SETTINGS: Reveals = Reveals {
    words: &[
        &["*", "config", "appsettings", "list"],
        &["webapp", "deployment", "slot", "appsettings", "list"],
        &["staticwebapp", "appsettings", "list"],
        &["logicapp", "config", "appsettings", "list"],
    ],
    without: AZ_NAMES,
    variables: true,
    ..REVEALS
};

/// The variables of a container that runs there.
const AZ_VARIABLES: Reveals = Reveals {
    words: &[&["containerapp", "show"], &["container", "show"], &["containerapp", "job", "show"]],
    needs: &["*.env", "*.env[*", "*.env|*", "*nvironmentVariables*"],
    without: AZ_NAMES,
    variables: true,
    ..REVEALS
};

const FLY_REVEALS: Reveals =
    Reveals { words: &[&["auth", "token"], &["tokens", "create"], &["ssh", "issue"]], ..REVEALS };

const HEROKU_RUNS: Runs = Runs {
    verbs: &["run", "run:detached", "run:inside", "ps:exec"],
    values: PLATFORM_VALUES,
    dashes: true,
    rest: Rest::Either,
    remote: true,
    ..RUNS
};

const FLY_RUNS: &[Runs] = &[
    Runs {
        verbs: &["ssh console", "console"],
        values: PLATFORM_VALUES,
        lines: &["-C", "--command"],
        skip: usize::MAX,
        remote: true,
        ..RUNS
    },
    Runs {
        verbs: &["machine exec", "m exec"],
        values: PLATFORM_VALUES,
        skip: 1,
        rest: Rest::Either,
        remote: true,
        ..RUNS
    },
];

const GSUTIL_ACL: Grammar<'_> = Grammar::gnu(&["-h", "-i", "-j", "-L", "-o", "-x", "-z"]);

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["ansible"])
        .is(&[Silent, Destructive])
        .options(Grammar::gnu(&[
            "-a", "--args", "-m", "--module-name", "-i", "--inventory", "--inventory-file", "-u", "--user", "-f",
            "--forks", "-l", "--limit", "-e", "--extra-vars", "-c", "--connection", "-T", "--timeout", "--private-key",
            "--key-file", "-M", "--module-path", "--become-method", "--become-user", "--vault-id",
            "--vault-password-file", "--ssh-common-args", "--sftp-extra-args", "--scp-extra-args", "--ssh-extra-args",
            "-B", "--background", "-P", "--poll", "-t", "--tree", "--task-timeout", "--playbook-dir",
        ]))
        .reads(&[HELP])
        .runs(&[
            // Modules that run a command take it as their argument; what other modules take is no command.
            Runs {
                values: &[
                    "-m", "--module-name", "-i", "--inventory", "-u", "--user", "-l", "--limit", "-f", "--forks", "-e",
                    "--extra-vars",
                ],
                lines: &["-a", "--args"],
                skip: usize::MAX,
                remote: true,
                ..RUNS
            },
        ]),
    &row(&["nginx"]).is(&[Silent]).reads(&[HELP]),
    &row(&["terraform", "tofu"])
        .is(&[Silent])
        .tool(Tool::Terraform)
        .packages(&["hashicorp/terraform", "opentofu", "opentofu/opentofu", "ghcr.io/opentofu/opentofu"])
        .adds(&["TF_CLI_ARGS", "TF_CLI_ARGS_*"])
        .options(Grammar::words(&[
            "-chdir", "-state", "-state-out", "-backup", "-target", "-replace", "-var", "-var-file", "-parallelism",
            "-lock-timeout", "-out", "--out", "-backend-config", "-plugin-dir", "-generate-config-out", "-from-module",
        ]))
        .reads(&[
            verbs(&["version", "state list", "workspace list", "workspace show", "providers"]),
            // `show`, `validate` and `graph` start the plugins that the project brings along.
            Way { verbs: &["fmt"], needs: &["-check", "--check"], but: &["-write"], style: Style::Words, ..Way::ANY },
            exactly(&["--version", "-version", "-help"]),
        ])
        .reveals(&[TERRAFORM_REVEALS]),
    &row(&["aws"])
        .is(&[Silent])
        .packages(&["awscli", "awscli2", "aws-cli", "awscli-v2", "amazon/aws-cli", "public.ecr.aws/aws-cli/aws-cli"])
        .tool(Tool::Aws)
        .options(Grammar::spelled(&[
            "--cli-binary-format", "--cli-input-yaml", "--max-items", "--starting-token", "--command",
            "--instance-ids", "--targets", "--document-name", "--document-version", "--comment", "--secret-id",
            "--name", "--names", "--filters", "--path", "--cluster", "--task", "--container", "--target", "--profile",
            "--region", "--output", "--query", "--endpoint-url", "--ca-bundle", "--color", "--cli-connect-timeout",
            "--cli-read-timeout", "--cli-input-json", "--parameters", "--exclude", "--include", "--acl",
            "--storage-class", "--content-type", "--cache-control", "--metadata", "--sse", "--sse-kms-key-id",
            "--grants", "--expires", "--page-size",
        ]))
        .before(&[
            "--profile=", "--region=", "--output=", "--query=", "--no-cli-pager", "--no-paginate", "--color=",
            "--cli-connect-timeout=", "--cli-read-timeout=", "--ca-bundle=",
        ])
        .reads(&[
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
        ])
        .runs(&[Runs {
            verbs: &["ecs execute-command"],
            values: CLOUD_VALUES,
            lines: &["--command"],
            skip: usize::MAX,
            remote: true,
            ..RUNS
        }])
        .reveals(&[
            Reveals {
                words: &[
                    &["secretsmanager", "*get-secret-value"],
                    &["configure", "export-credentials"],
                    &["configure", "get", "*secret*"],
                    &["configure", "get", "*token*"],
                    &["sts", "get-session-token"],
                    &["sts", "assume-role*"],
                    &["ecr*", "get-login-password"],
                    &["codeartifact", "get-authorization-token"],
                    &["rds", "generate-db-auth-token"],
                    &["kms", "decrypt"],
                    &["iam", "create-access-key"],
                ],
                ..REVEALS
            },
            Reveals { words: &[&["ssm", "get-parameter*"]], needs: &["--with-decryption"], ..REVEALS },
            // Most look at the memory or the state of it; these ask for its variables.
            Reveals {
                words: &[&["lambda", "get-function*"]],
                needs: &[
                    "*Environment", "*Environment.Variables*", "*Environment[*", "*Environment,*", "*Environment}*",
                ],
                without: &["*keys(*"],
                variables: true,
                ..REVEALS
            },
            Reveals {
                words: &[
                    &["ecs", "describe-task-definition"],
                    &["amplify", "get-*"],
                    &["codebuild", "batch-get-projects"],
                    &["apprunner", "describe-service"],
                ],
                needs: &["*.environment", "*.environment[*", "*.environment.*", "*nvironmentVariables*"],
                without: &["*.name", "*keys(*"],
                variables: true,
                ..REVEALS
            },
        ]),
    &row(&["az"])
        .is(&[Silent])
        .packages(&["azure-cli"])
        .tool(Tool::Az)
        .options(Grammar::gnu(&[
            "--scripts", "--script", "--exec-command", "--command", "--vault-name", "--location", "--ids", "--tenant",
            "--id", "-f", "--file", "-d", "--destination", "-s", "--source", "-c", "--container-name", "-n", "--name",
            "-g", "--resource-group", "--account-name", "--account-key", "--sas-token", "--connection-string",
            "--auth-mode", "--pattern", "--subscription", "-o", "--output", "--query",
        ]))
        .reads(&[
            Way {
                verbs: &[
                    "** list", "** show", "** exists", "** list-skus", "** list-publishers", "** list-offers",
                    "** list-locations", "** list-sizes", "** list-usage", "** show-tags",
                ],
                but: &["--file", "--debug"],
                ..Way::ANY
            },
            exactly(&["version", "--version"]),
        ])
        .runs(&[Runs {
            verbs: &[
                "vm run-command", "vmss run-command", "container exec", "containerapp exec", "webapp ssh",
                "aks command", "ssh vm", "ssh arc",
            ],
            values: CLOUD_VALUES,
            lines: &["--scripts", "--script", "--exec-command", "--command"],
            skip: usize::MAX,
            dashes: true,
            rest: Rest::Line,
            remote: true,
            ..RUNS
        }])
        .reveals(&[
            Reveals {
                words: &[
                    &["keyvault", "secret", "show"],
                    &["account", "get-access-token"],
                    &["storage", "account", "keys", "list"],
                    &["acr", "credential", "show"],
                    &["keyvault", "secret", "download"],
                    &["*", "keys", "list*"],
                    &["*", "*", "keys", "list*"],
                    &["*", "list-keys"],
                    &["*", "*", "show-connection-string"],
                    &["*", "show-connection-string"],
                    &["*", "*", "list-connection-strings"],
                    &["*", "list-connection-strings"],
                    &["*", "connection-string", "show"],
                    &["*", "*", "connection-string", "show"],
                    &["*", "deployment", "list-publishing-*"],
                    &["*", "config", "connection-string", "list"],
                    &["search", "admin-key", "show"],
                    &["search", "query-key", "list"],
                    &["appconfig", "credential", "list"],
                    &["containerapp", "secret", "show"],
                    &["storage", "*", "generate-sas"],
                    &["ad", "sp", "create-for-rbac"],
                ],
                ..REVEALS
            },
            AZ_SETTINGS,
            AZ_VARIABLES,
            Reveals {
                words: &[&["containerapp", "secret", "list"], &["containerapp", "job", "secret", "list"]],
                needs: &["--show-values"],
                ..REVEALS
            },
        ]),
    &row(&["gcloud"])
        .is(&[Silent])
        .packages(&["google-cloud-sdk"])
        .tool(Tool::Gcloud)
        .options(Grammar::spelled(&[
            "--command", "--limit", "--flags-file", "--access-token-file", "--trace-token", "--sort-by", "--page-size",
            "--secret", "--location", "--ssh-flag", "--container", "--project", "--zone", "--region", "--account",
            "--configuration", "--format", "--filter", "--billing-project", "--impersonate-service-account",
            "--verbosity", "--port", "--scp-flag", "--ssh-key-file", "--strict-host-key-checking", "--worker",
        ]))
        .reads(&[
            Way { verbs: &["** list", "** describe"], but: &["--flags-file", "--log-http"], ..Way::ANY },
            verbs(&["help", "version", "info"]),
            exactly(&["--version", "config list"]),
        ])
        .runs(&[Runs {
            verbs: &[
                "compute ssh", "beta compute ssh", "alpha compute ssh", "compute tpus tpu-vm ssh",
                "alpha compute tpus tpu-vm ssh", "cloud-shell ssh", "app instances ssh", "workstations ssh",
            ],
            values: CLOUD_VALUES,
            lines: &["--command"],
            skip: usize::MAX,
            dashes: true,
            rest: Rest::Line,
            remote: true,
            ..RUNS
        }])
        .reveals(&[
            Reveals {
                words: &[
                    &["secrets", "versions", "access"],
                    &["auth", "print-access-token"],
                    &["auth", "print-identity-token"],
                    &["auth", "application-default", "print-access-token"],
                    &["sql", "generate-login-token"],
                    &["config", "config-helper"],
                ],
                ..REVEALS
            },
            Reveals {
                words: &[&["run", "services", "describe"], &["run", "jobs", "describe"], &["functions", "describe"]],
                needs: &["*containers*.env*", "*nvironmentVariables*"],
                without: &["*.env.name*", "*.env[].name*"],
                variables: true,
                ..REVEALS
            },
        ]),
    &row(&["pulumi"])
        .packages(&["pulumi/pulumi"])
        .options(Grammar::gnu(&[
            "-s", "--stack", "-C", "--cwd", "--color", "-v", "--verbose", "--config-file", "-c", "--config", "-m",
            "--message", "-t", "--target", "--tracing", "--profiling", "--remote", "--file",
        ]))
        .reads(&[verbs(&["stack ls", "whoami", "version", "about"])])
        .reveals(&[
            Reveals {
                words: &[&["config"], &["stack", "output"], &["stack", "export"]],
                needs: &["--show-secrets"],
                ..REVEALS
            },
            Reveals { words: &[&["config", "get"]], ..REVEALS },
        ]),
    &row(&["cdk"]).packages(&["aws-cdk"]).reads(&[verbs(&["ls", "list", "notices", "doctor", "--version"])]),
    &row(&["pssh", "parallel-ssh", "pdsh", "clush"]).runs(&[Runs {
        values: &["-h", "-H", "-l", "-w", "-x", "-g", "-p", "-f", "-e", "-o", "-O", "-t", "-u"],
        rest: Rest::Line,
        remote: true,
        ..RUNS
    }]),
    &row(&["doctl"])
        .options(Grammar::gnu(&[
            "--ssh-command", "-t", "--access-token", "-u", "--api-url", "-c", "--config", "--context", "-o",
            "--output", "--format", "--http-retry-max", "--http-retry-wait-max", "--http-retry-wait-min", "--region",
            "--ssh-user", "--ssh-key-path", "--ssh-port",
        ]))
        .runs(&[Runs { verbs: &["compute ssh"], lines: &["--ssh-command"], skip: usize::MAX, remote: true, ..RUNS }]),
    &row(&["eb"])
        .options(Grammar::gnu(&[
            "-c", "--command", "-e", "--profile", "-r", "--region", "-n", "--number", "-k", "--keyname", "-l",
            "--label", "-m", "--message", "-p", "--platform", "--timeout", "-o", "--source", "--cfg",
        ]))
        .runs(&[Runs { verbs: &["ssh"], lines: &["-c", "--command"], skip: usize::MAX, remote: true, ..RUNS }])
        .reveals(&[Reveals { words: &[&["printenv"]], variables: true, ..REVEALS }]),
    &row(&["heroku"])
        .is(&[Silent])
        .options(Grammar::gnu(&[
            "-a", "--app", "-r", "--remote", "-t", "--team", "-n", "--num", "-p", "--ps", "-s", "--source", "-d",
            "--dyno", "--region",
        ]))
        .runs(&[HEROKU_RUNS])
        .reveals(&[Reveals {
            words: &[&["config:get"], &["config"], &["auth:token"], &["pg:credentials:url"], &["redis:credentials"]],
            ..REVEALS
        }]),
    &row(&["scalingo"]).runs(&[HEROKU_RUNS]).reveals(&[Reveals {
        words: &[&["env"], &["env-get"]],
        variables: true,
        ..REVEALS
    }]),
    &row(&["fly"]).is(&[Silent]).runs(FLY_RUNS).reveals(&[FLY_REVEALS]),
    &row(&["flyctl"]).runs(FLY_RUNS).reveals(&[FLY_REVEALS]),
    &row(&["railway", "platform", "upsun", "render"])
        .options(Grammar::gnu(PLATFORM_VALUES))
        .runs(&[
            Runs {
                verbs: &["ssh", "environment:ssh"],
                values: PLATFORM_VALUES,
                rest: Rest::Line,
                remote: true,
                ..RUNS
            },
            // On this machine, with the settings of the service.
            Runs { verbs: &["run", "local"], values: PLATFORM_VALUES, ..RUNS },
        ])
        .reveals(&[Reveals {
            words: &[&["variables"], &["variable", "list"], &["variable:get"], &["vars"]],
            without: &["--set*"],
            variables: true,
            ..REVEALS
        }]),
    &row(&["cdktf"]).packages(&["cdktf-cli"]),
    &row(&["serverless", "sls"]).packages(&["osls"]),
    &row(&["amplify"]).packages(&["@aws-amplify/cli", "@aws-amplify/backend-cli"]),
    &row(&["eas"]).packages(&["eas-cli"]),
    &row(&["contentful"]).packages(&["contentful-cli"]),
    &row(&["sentry-cli"]).packages(&["@sentry/cli"]),
    &row(&["sf"]).packages(&["@salesforce/cli"]),
    &row(&["twilio"]).packages(&["twilio-cli"]),
    &row(&["snow"]).packages(&["snowflake-cli", "snowflake-cli-labs"]),
    &row(&["oci"]).packages(&["oci-cli"]),
    &row(&["openstack"]).packages(&["python-openstackclient", "openstackclient"]),
    &row(&["dokku"])
        .runs(&[Runs { verbs: &["run", "enter"], skip: 1, rest: Rest::Program, remote: true, ..RUNS }])
        .reveals(&[Reveals {
            words: &[&["config"], &["config:show"], &["config:export"], &["config:get"]],
            variables: true,
            ..REVEALS
        }]),
    &row(&["kamal"]).runs(&[Runs {
        verbs: &["app exec", "server exec", "accessory exec"],
        values: PLATFORM_VALUES,
        rest: Rest::Line,
        remote: true,
        ..RUNS
    }]),
    &row(&["cf"])
        .options(Grammar::gnu(&[
            "-c", "--command", "-o", "-s", "-i", "-b", "-p", "-n", "-u", "--strategy", "--process", "--docker-image",
            "--docker-username", "--var", "--vars-file", "--hostname", "--path",
        ]))
        .runs(&[Runs {
            verbs: &["ssh", "run-task", "rt"],
            lines: &["-c", "--command"],
            skip: usize::MAX,
            remote: true,
            ..RUNS
        }])
        .reveals(&[Reveals { words: &[&["env"], &["e"]], variables: true, ..REVEALS }]),
    &row(&["coder", "tsh", "tailscale"]).runs(&[Runs {
        verbs: &["ssh"],
        values: PLATFORM_VALUES,
        skip: 1,
        rest: Rest::Line,
        remote: true,
        ..RUNS
    }]),
    &row(&["knife"]).runs(&[Runs {
        verbs: &["ssh", "winrm"],
        values: &["-x", "--ssh-user", "-i", "-P", "-C", "--concurrency", "-a", "--attribute", "-p", "-G", "-c", "-E"],
        skip: 1,
        rest: Rest::Line,
        remote: true,
        ..RUNS
    }]),
    &row(&["bolt"]).runs(&[Runs {
        verbs: &["command run"],
        values: &["-t", "--targets", "-u", "--user", "-q", "--query", "-i", "--inventoryfile"],
        rest: Rest::Either,
        remote: true,
        ..RUNS
    }]),
    &row(&["fab"])
        .runs(&[Runs { before: &["--"], skip: usize::MAX, rest: Rest::Line, remote: true, ..RUNS }])
        .tasks(&Tasks { files: &["fabfile.py"], code: &PYTHON }),
    &row(&["mussh"]).options(Grammar::gnu(&["-c", "-i", "-o", "-H", "-h", "-l", "-s", "-t"])).runs(&[Runs {
        values: &["-h", "-H", "-l", "-i", "-p", "-o"],
        lines: &["-c"],
        skip: usize::MAX,
        remote: true,
        ..RUNS
    }]),
    &row(&["dsh"]).runs(&[Runs { values: &["-m", "-g", "-f", "-r", "-o"], rest: Rest::Line, remote: true, ..RUNS }]),
    &row(&["uvicorn", "gunicorn", "flask", "wrangler"]).is(&[Silent, Develops]),
    &row(&["ansible-playbook"]).is(&[Silent]).sources(&Sources {
        operands: Sourced::All,
        unless: &["--syntax-check", "--list-tasks", "--list-hosts"],
        ..SOURCES
    }),
    &row(&["vercel"]).is(&[Silent]).reveals(&[Reveals { words: &[&["env", "pull", "/dev/stdout"]], ..REVEALS }]),
    &row(&["pm2"]).is(&[Silent]).tool(Tool::Pm2).reveals(&[Reveals { words: &[&["env"]], variables: true, ..REVEALS }]),
    &row(&["netlify", "ntl"])
        .packages(&["netlify-cli"])
        .options(Grammar::gnu(&[
            "--auth", "-s", "--site", "--filter", "--http-proxy", "--http-proxy-certificate-filename", "--context",
            "--scope", "-c",
        ]))
        .reveals(&[
            Reveals { words: &[&["env:get"]], ..REVEALS },
            Reveals { words: &[&["env:list"]], needs: &["--plain", "--json"], ..REVEALS },
        ]),
    &row(&["firebase"])
        .packages(&["firebase-tools"])
        .options(Grammar::gnu(&[
            "-P", "--project", "--account", "--token", "-c", "--config", "--only", "--except", "-m", "--message", "-p",
            "--port",
        ]))
        .reveals(&[Reveals { words: &[&["functions:secrets:access"]], ..REVEALS }]),
    &row(&["databricks"])
        .packages(&["databricks-cli"])
        .options(Grammar::gnu(&[
            "-p", "--profile", "-t", "--target", "-o", "--output", "--var", "--log-level", "--log-file",
            "--log-format", "--progress-format", "--json",
        ]))
        .reveals(&[Reveals { words: &[&["secrets", "get*"]], ..REVEALS }]),
    &row(&["terragrunt"])
        .tool(Tool::Terraform)
        .adds(&["TF_CLI_ARGS", "TF_CLI_ARGS_*"])
        .options(Grammar::words(&[
            "-chdir", "-state", "-state-out", "-backup", "-target", "-replace", "-var", "-var-file", "-parallelism",
            "-lock-timeout", "-out", "--out", "-backend-config", "--terragrunt-config", "--terragrunt-working-dir",
            "--working-dir", "--config",
        ]))
        .reveals(&[TERRAFORM_REVEALS]),
    &row(&["rclone"]).packages(&["rclone/rclone"]).tool(Tool::Rclone).options(Grammar::spelled(&[
        "--config", "--cache-dir", "--vfs-cache-mode", "--log-file", "--backup-dir", "--exclude", "--include", "-f",
        "--filter", "--files-from",
    ])),
    &row(&["gsutil"])
        .tool(Tool::Gsutil)
        .options(Grammar::gnu(&["-h", "-i", "-j", "-L", "-o", "-u", "-x", "-z"]))
        // A user, and not whom to bill; the rules look for everybody among the words.
        .verbs(&[("acl", GSUTIL_ACL), ("defacl", GSUTIL_ACL), ("iam", GSUTIL_ACL)]),
    &row(&["s5cmd"]).tool(Tool::S5cmd).options(Grammar::one_dash(&[
        "--endpoint-url", "--profile", "-r", "-c", "--concurrency", "-p", "--part-size", "--exclude", "--include",
    ])),
    &row(&["s3cmd"]).tool(Tool::S3cmd).options(Grammar::spelled(&[
        "-c", "--config", "--region", "--host", "--host-bucket", "--exclude", "--include", "--rexclude", "-m",
        "--mime-type",
    ])),
    &row(&["azcopy"]).tool(Tool::Azcopy).options(Grammar::spelled(&[
        "--include-pattern", "--exclude-pattern", "--include-path", "--exclude-path", "--from-to",
    ])),
    &row(&["mc", "ossutil"]).packages(&["minio/mc"]).tool(Tool::Mc).options(Grammar::spelled(&[
        "-C", "--config-dir", "--older-than", "--newer-than", "--storage-class", "--attr",
    ])),
    &row(&["httpd"]).tool(Tool::Httpd),
    &row(&["caddy"]).tool(Tool::Caddy),
    &row(&["serve", "http-server", "live-server", "miniserve", "dufs", "darkhttpd", "simple-http-server"])
        .is(&[Develops])
        .tool(Tool::ServesDir),
    &row(&["salt", "salt-call", "salt-ssh"]).tool(Tool::Salt),
    &row(&["newrelic"]).tool(Tool::Newrelic),
];
