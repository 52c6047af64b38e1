//! Containers, clusters and other machines on this one. What prints keys is left out of what reads.

use super::Trait::{Container, Silent, TakesText, Versioned};
use super::reads::{HELP, VERSION, Way, exactly};
use super::reveals::{REVEALS, Reveals};
use super::runs::{CLUSTER_VALUES, CONTAINER_VALUES, First, RUNS, Rest, Runs};
use super::types::{How, Types};
use super::{Program, Tool, row};
use crate::options::Grammar;

const fn compose(verbs: &'static [&'static str]) -> Way {
    Way { verbs, but: &["-o", "--output", "--lock-image-digests"], ..Way::ANY }
}

/// What `docker` and those that are called like it show.
const DOCKER_READS: &[Way] = &[
    Way {
        verbs: &[
            "ps", "images", "image ls", "image list", "image inspect", "image history", "inspect", "logs", "version",
            "info", "top", "stats", "port", "history", "events", "diff", "search", "network ls", "network list",
            "network inspect", "volume ls", "volume list", "volume inspect", "container ls", "container list",
            "container ps", "container inspect", "container logs", "container top", "container stats",
            "container port", "container diff", "node ls", "node inspect", "node ps", "service ls", "service inspect",
            "service ps", "service logs", "stack ls", "stack ps", "stack services", "system df", "system info",
            "context ls", "context show", "context inspect", "plugin ls", "plugin inspect", "manifest inspect",
            "trust inspect", "config ls", "secret ls", "buildx ls", "buildx du", "buildx version", "pod ls", "pod ps",
            "pod inspect",
        ],
        but: &["--context", "--host"],
        ..Way::ANY
    },
    Way { verbs: &["buildx inspect"], but: &["--bootstrap"], ..Way::ANY },
    compose(&[
        "compose ps", "compose ls", "compose logs", "compose images", "compose top", "compose version", "compose port",
        "compose events", "compose config",
    ]),
    VERSION,
];

const DOCKER_RUNS: Runs = Runs {
    verbs: &["exec", "run", "create", "compose exec", "compose run", "container exec", "container run"],
    values: CONTAINER_VALUES,
    loads: &["--env-file"],
    skip: 1,
    remote: true,
    container: true,
    ..RUNS
};

const DOCKER_REVEALS: Reveals = Reveals { words: &[&["secret", "inspect"]], needs: &["--showsecret"], ..REVEALS };

/// Options with which `docker compose config` prints no service's variables.
const COMPOSE_NAMES: &[&str] = &[
    "-q", "--quiet", "*.example", "*.sample", "--services", "--volumes", "--images", "--profiles", "--networks",
    "--models", "--hash*", "--no-interpolate", "--no-env-resolution", "-o", "--output*", "--lock-image-digests",
];

/// The variables that compose fills in from the file of secrets beside its own.
const COMPOSE_REVEALS: Reveals = Reveals {
    words: &[&["compose", "config"], &["compose", "convert"]],
    without: COMPOSE_NAMES,
    variables: true,
    ..REVEALS
};

const COMPOSE_ALONE: Reveals =
    Reveals { words: &[&["config"], &["convert"]], without: COMPOSE_NAMES, variables: true, ..REVEALS };

/// The variables of a container that runs, asked for by themselves.
const INSPECT_REVEALS: Reveals = Reveals {
    words: &[&["inspect"], &["container", "inspect"]],
    needs: &["*.Config.Env*", "*.Env*"],
    variables: true,
    ..REVEALS
};

/// Options of `docker` that have a value with each of its commands.
const DOCKER: Grammar<'_> = Grammar::spelled(&[
    "-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey",
    "--format", "--filter",
]);

/// Options of `docker compose` before its commands, and of its `cp`.
const COMPOSE: Grammar<'_> = Grammar::spelled(&[
    "-c", "--context", "-H", "--host", "--config", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey", "-f",
    "--file", "-p", "--project-name", "--project-directory", "--profile", "--env-file", "--index", "--ansi",
    "--progress", "--parallel",
]);

/// Options of `kubectl` that have a value with each of its commands.
const LOGS: Grammar<'_> = Grammar::spelled(&[
    "-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server",
    "--token", "--as", "--as-group", "--as-uid", "--request-timeout", "--cache-dir", "--certificate-authority",
    "--client-certificate", "--client-key", "--tls-server-name", "--retries", "-l", "--selector", "--field-selector",
    "--grace-period", "--timeout", "--sort-by", "--patch", "--patch-file", "--type", "--from-file", "--from-literal",
    "--from-env-file", "--image", "--replicas", "--template", "--since", "--since-time", "--tail", "-v",
    "--field-manager", "--chunk-size", "--raw", "--for",
]);

/// The same and those that have one but with `logs`, where `-f` follows.
const KUBECTL: Grammar<'_> =
    Grammar { table: &["-f=", "--filename=", "-o=", "--output=", "-k=", "--kustomize="], ..LOGS };

/// What `kubectl` and those that are called like it show.
const KUBECTL_READS: &[Way] = &[
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
            "logs", "top", "version", "api-resources", "api-versions", "explain", "completion", "config get-contexts",
            "config current-context", "config get-clusters", "auth can-i", "auth whoami", "rollout status",
            "rollout history", "events",
        ],
        but: &["--kubeconfig"],
        ..Way::ANY
    },
    exactly(&["cluster-info", "options", "--help", "plugin list"]),
];

const KUBECTL_RUNS: Runs =
    Runs { verbs: &["exec", "run", "debug"], values: CLUSTER_VALUES, skip: 1, remote: true, container: true, ..RUNS };

const KUBECTL_REVEALS: Reveals = Reveals {
    words: &[&["get", "secret*"], &["get", "*,secret*"]],
    needs: &["-o*", "--output*", "--template*"],
    without: &[
        "wide", "name", "-owide", "-oname", "-o=wide", "-o=name", "--output=wide", "--output=name", "*=*.metadata.*",
        "*=*.items*.metadata.*", "jsonpath={.type}", "*=*{.type}*", "*custom-columns=*", "go-template=*.metadata.*",
    ],
    ..REVEALS
};

/// Columns and paths that lead to what a secret holds.
const KUBECTL_DATA: Reveals = Reveals {
    words: &[&["get", "secret*"], &["get", "*,secret*"]],
    needs: &["*=*.data*", "*=*.stringData*", "*{.data*", "*.data.*", "*.data}*", "*['data']*", "*last-applied*"],
    ..REVEALS
};

/// A token that is made for an account.
const KUBECTL_TOKEN: Reveals =
    Reveals { words: &[&["create", "token"], &["view-secret"], &["serviceaccounts", "get-token"]], ..REVEALS };

const KUBECTL_SETTINGS: Reveals = Reveals { words: &[&["config", "view"]], needs: &["--raw"], ..REVEALS };

/// Programs of a project's container that a tool starts by their names alone, beside its own commands: `sail artisan`, `ddev drush`.
const fn in_containers(own: &'static [&'static str]) -> Runs {
    Runs { first: First::NoneOf(own), package: true, remote: true, ..RUNS }
}

const DDEV_RUNS: Runs = Runs {
    verbs: &["exec", "."],
    values: &["-s", "--service", "-d", "--dir"],
    rest: Rest::Either,
    remote: true,
    ..RUNS
};

/// Programs in a service's container, as compose by itself starts them.
const COMPOSE_RUNS: Runs =
    Runs { verbs: &["exec", "run"], values: CONTAINER_VALUES, skip: 1, remote: true, container: true, ..RUNS };

pub(super) const PROGRAMS: &[&Program] = &[
    &row(&["sail"]).is(&[Silent]).runs(&[
        COMPOSE_RUNS,
        Runs { verbs: &["bin"], remote: true, ..RUNS },
        in_containers(&[
            "up", "down", "stop", "start", "restart", "ps", "build", "logs", "pull", "push", "config", "images",
            "kill", "rm", "top", "version", "create", "cp", "events", "pause", "unpause", "port", "wait", "watch",
            "ls", "stats", "shell", "root-shell", "bash", "root-bash", "share", "open", "test", "debug", "help",
        ]),
    ]),
    &row(&["ddev"]).is(&[Silent]).runs(&[
        DDEV_RUNS,
        in_containers(&[
            "start", "stop", "rm", "remove", "restart", "poweroff", "powerdown", "describe", "status", "st", "list",
            "l", "ls", "delete", "clean", "config", "import-db", "import-files", "export-db", "snapshot",
            "restore-snapshot", "logs", "ssh", "share", "launch", "mutagen", "get", "add-on", "auth", "debug", "d",
            "dotenv", "utility", "ut", "help", "hostname", "pull", "push", "sequelace", "tableplus", "version",
            "xdebug", "xhprof", "xhgui", "self-upgrade",
        ]),
    ]),
    &row(&["lando"]).is(&[Silent]).options(Grammar::gnu(&["-c", "--command", "-s", "--service"])).runs(&[
        Runs {
            verbs: &["ssh"],
            values: &["-s", "--service", "-u", "--user"],
            lines: &["-c", "--command"],
            skip: usize::MAX,
            remote: true,
            ..RUNS
        },
        in_containers(&[
            "start", "stop", "restart", "rebuild", "destroy", "info", "list", "ls", "logs", "config", "init",
            "poweroff", "share", "setup", "shellenv", "ssh", "update", "version", "db-import", "db-export", "exec",
            "xdebug-on", "xdebug-off", "help", "plugin-add", "plugin-remove", "pull", "push", "switch",
        ]),
    ]),
    &row(&["wp-env"]).packages(&["@wordpress/env"]).runs(&[Runs {
        verbs: &["run"],
        values: &["--env-cwd", "--config"],
        skip: 1,
        dashes: true,
        remote: true,
        ..RUNS
    }]),
    &row(&["packer", "consul"]).reads(&[HELP]),
    &row(&["vagrant"])
        .options(Grammar::gnu(&["-c", "--command", "--provider", "--box-version", "--name", "--provision-with"]))
        .reads(&[HELP])
        .runs(&[Runs { verbs: &["ssh"], lines: &["-c", "--command"], remote: true, skip: 1, ..RUNS }]),
    &row(&["docker", "nerdctl"])
        .is(&[Silent, Versioned, Container])
        .tool(Tool::Docker)
        .options(DOCKER)
        .verbs(&[("compose", COMPOSE)])
        .reads(DOCKER_READS)
        .runs(&[DOCKER_RUNS])
        .reveals(&[DOCKER_REVEALS, COMPOSE_REVEALS, INSPECT_REVEALS]),
    &row(&["podman"])
        .is(&[Silent, Container])
        .tool(Tool::Docker)
        .options(DOCKER)
        .verbs(&[("compose", COMPOSE)])
        .reads(DOCKER_READS)
        .runs(&[
            DOCKER_RUNS,
            Runs {
                verbs: &["machine ssh"],
                values: &["--username"],
                rest: Rest::Line,
                remote: true,
                container: true,
                ..RUNS
            },
        ])
        .reveals(&[DOCKER_REVEALS, COMPOSE_REVEALS, INSPECT_REVEALS]),
    &row(&["docker-compose"])
        .is(&[Silent, Container])
        .tool(Tool::DockerCompose)
        .options(COMPOSE)
        .reads(&[compose(&["ps", "ls", "logs", "images", "top", "version", "port", "events", "config"]), VERSION])
        .runs(&[COMPOSE_RUNS])
        .reveals(&[COMPOSE_ALONE]),
    &row(&["kubectl"])
        .packages(&["bitnami/kubectl", "rancher/kubectl", "kubernetes-cli"])
        .is(&[Silent, TakesText, Container])
        .tool(Tool::Kubectl)
        .options(KUBECTL)
        .verbs(&[("logs", LOGS)])
        .before(&["-n=", "--namespace=", "--context=", "--cluster="])
        .reads(KUBECTL_READS)
        .runs(&[KUBECTL_RUNS])
        .reveals(&[KUBECTL_REVEALS, KUBECTL_DATA, KUBECTL_SETTINGS, KUBECTL_TOKEN]),
    &row(&["oc"])
        .is(&[Container])
        .tool(Tool::Kubectl)
        .options(KUBECTL)
        .verbs(&[("logs", LOGS)])
        .before(&["-n=", "--namespace=", "--context=", "--cluster="])
        .reads(KUBECTL_READS)
        .runs(&[
            KUBECTL_RUNS,
            Runs {
                verbs: &["rsh"],
                values: &["-c", "-n", "--namespace"],
                skip: 1,
                remote: true,
                container: true,
                ..RUNS
            },
        ])
        .reveals(&[
            KUBECTL_REVEALS,
            KUBECTL_DATA,
            KUBECTL_SETTINGS,
            KUBECTL_TOKEN,
            Reveals {
                words: &[&["extract", "secret*"], &["whoami"]],
                needs: &["--to=-", "-t", "--show-token"],
                ..REVEALS
            },
        ]),
    &row(&["helm"])
        .packages(&["alpine/helm", "kubernetes-helm"])
        .is(&[Silent])
        .options(Grammar::gnu(&[
            "-n", "--namespace", "--kube-context", "--kubeconfig", "--kube-apiserver", "--kube-token", "-f",
            "--values", "--set", "--set-string", "--set-file", "--set-json", "--version", "--repo", "-o", "--output",
            "--timeout", "--history-max", "-l", "--selector", "--description", "--username", "--password", "-d",
            "--destination",
        ]))
        .reads(&[
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
        ]),
    &row(&["podman-compose"])
        .is(&[Container])
        .tool(Tool::PodmanCompose)
        .runs(&[COMPOSE_RUNS])
        .reveals(&[COMPOSE_ALONE]),
    &row(&["devcontainer"]).runs(&[Runs { verbs: &["exec"], values: CONTAINER_VALUES, remote: true, ..RUNS }]),
    &row(&["k3s", "microk8s"])
        .options(KUBECTL)
        .verbs(&[("logs", LOGS)])
        .runs(&[KUBECTL_RUNS, Runs { verbs: &["kubectl"], into: Some("kubectl"), ..RUNS }])
        .reveals(&[KUBECTL_REVEALS, KUBECTL_DATA, KUBECTL_TOKEN]),
    &row(&["lxc", "incus"]).tool(Tool::Lxc).runs(&[Runs {
        verbs: &["exec"],
        values: &["--cwd", "--env", "--user", "--group", "--mode"],
        skip: 1,
        remote: true,
        ..RUNS
    }]),
    &row(&["limactl", "machinectl"]).runs(&[Runs { verbs: &["shell", "exec"], skip: 1, remote: true, ..RUNS }]),
    &row(&["multipass"]).tool(Tool::Lxc).runs(&[Runs { verbs: &["shell", "exec"], skip: 1, remote: true, ..RUNS }]),
    &row(&["wsl", "wsl.exe"]).runs(&[Runs { values: &["-d", "--distribution", "-u", "--user", "--cd"], ..RUNS }]),
    &row(&["adb"])
        .options(Grammar::one_dash(&["-s", "-t", "-H", "-P", "-L"]))
        .runs(&[Runs { verbs: &["shell"], values: &["-s"], rest: Rest::Line, remote: true, ..RUNS }])
        .types(&[Types { verbs: &["text"], how: How::Text }]),
    &row(&["minikube"]).runs(&[
        Runs { verbs: &["kubectl"], into: Some("kubectl"), ..RUNS },
        Runs { verbs: &["ssh"], values: &["-n", "-p"], rest: Rest::Line, remote: true, ..RUNS },
    ]),
    &row(&["nomad"]).runs(&[Runs {
        verbs: &["alloc exec", "exec"],
        values: &["-task", "-job", "-address", "-namespace", "-region"],
        skip: 1,
        remote: true,
        ..RUNS
    }]),
    &row(&["colima"]).runs(&[Runs { verbs: &["ssh"], values: &["-p"], rest: Rest::Line, remote: true, ..RUNS }]),
    &row(&["docker-machine"]).runs(&[Runs { verbs: &["ssh"], skip: 1, rest: Rest::Line, remote: true, ..RUNS }]),
    &row(&["schroot", "dchroot"]).runs(&[Runs {
        values: &["-c", "--chroot", "-u", "--user", "-d", "--directory", "-o", "--option", "-s", "--shell", "-n"],
        without: &["-l", "--list", "-i", "--info", "-b", "--begin-session", "-e", "--end-session"],
        ..RUNS
    }]),
    &row(&["toolbox"]).runs(&[
        // The home directory is the user's own in these.
        Runs { verbs: &["run"], values: &["-c", "--container", "-d", "--distro", "-r", "--release"], ..RUNS },
    ]),
    &row(&["distrobox"]).runs(&[Runs {
        verbs: &["enter"],
        values: &["-n", "--name", "-a", "--additional-flags"],
        before: &["-e", "--exec"],
        skip: 1,
        dashes: true,
        ..RUNS
    }]),
    &row(&["distrobox-enter"]).runs(&[Runs { before: &["-e", "--"], skip: usize::MAX, ..RUNS }]),
    &row(&["dumb-init", "catatonit", "docker-init"]).runs(&[
        // First processes of containers, and what waits before it starts another.
        Runs { values: &["-r", "--rewrite"], ..RUNS },
    ]),
    &row(&["tini", "tini-static"]).runs(&[Runs { values: &["-p", "-e"], ..RUNS }]),
    &row(&["dockerize"]).runs(&[Runs {
        values: &["-wait", "-timeout", "-wait-retry-interval", "-template", "-stdout", "-stderr", "-delims"],
        ..RUNS
    }]),
    &row(&["k", "kubecolor"])
        .options(KUBECTL)
        .verbs(&[("logs", LOGS)])
        .reveals(&[KUBECTL_REVEALS, KUBECTL_DATA, KUBECTL_SETTINGS, KUBECTL_TOKEN]),
    &row(&["velero", "ark"]).options(Grammar::gnu(&[
        "-n", "--namespace", "--kubecontext", "--kubeconfig", "-l", "--selector", "-o", "--output",
    ])),
    &row(&["istioctl"]).options(Grammar::gnu(&[
        "-n", "--namespace", "-i", "--istioNamespace", "--context", "-c", "--kubeconfig", "-f", "--filename", "-r",
        "--revision", "-o", "--output",
    ])),
    &row(&["flux"]).options(Grammar::gnu(&["-n", "--namespace", "--context", "--kubeconfig", "--timeout"])),
];
