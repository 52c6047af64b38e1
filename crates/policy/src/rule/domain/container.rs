//! Rules for container programs.

use super::{Family, Pattern, Rule, ask, flags, unless, verbs, words};
use crate::rule::command::{Command, LIST};

const DOCKER: &[&str] = &["docker", "podman", "nerdctl", "finch", "lima-nerdctl"];
const COMPOSE: &[&str] = &["docker-compose", "podman-compose"];

/// Options with which a container can do on the machine what its administrator can.
const HOST_RIGHTS: &[&str] = &[
    "--privileged", "--pid=host", "--userns=host", "--cap-add=*all", "--cap-add=*sys_admin", "--cap-add=*sys_module",
    "--cap-add=*sys_rawio", "--cap-add=*dac_read_search",
];

pub(super) const RULES: &[Rule] = &[
    ask(
        "container-volumes",
        Family::Container,
        words(DOCKER, &["volume", "rm|remove|prune"]),
        "removes volumes with their data",
        &["docker volume rm data", "podman --log-level debug volume prune", "docker --context prod volume rm -f data"],
        &["docker volume ls", "docker volume create data", "docker rm web", "docker volume rm --help"],
    ),
    ask(
        "container-prune",
        Family::Container,
        words(DOCKER, &["system|container|image|network|builder|pod|machine", "prune|reset"]),
        "removes everything that is not in use",
        &["docker system prune --all --force", "docker container prune -f", "podman system reset"],
        &["docker system df", "docker image ls", "docker rmi image"],
    ),
    ask(
        "container-down",
        Family::Container,
        flags(DOCKER, &["compose", "down|rm"], &["-v", "--volumes"]),
        "removes containers with their volumes",
        &["docker compose down -v", "docker compose -f a.yml down --volumes", "docker compose rm -sfv"],
        &["docker compose down --timeout 5", "docker compose down --remove-orphans", "docker compose up -d"],
    ),
    ask(
        "container-compose-down",
        Family::Container,
        flags(COMPOSE, &["down|rm"], &["-v", "--volumes"]),
        "removes containers with their volumes",
        &["docker-compose down -v", "docker-compose -p app down --volumes"],
        &["docker-compose down", "docker-compose -v"],
    ),
    ask(
        "container-swarm",
        Family::Container,
        words(DOCKER, &["stack|service|secret|config|node|context|plugin|machine", "rm|remove|down"]),
        "removes a stack, service, secret, node or machine",
        &["docker stack rm web", "docker secret rm s", "podman machine rm"],
        &["docker stack ls", "docker service ls", "docker node inspect a"],
    ),
    ask(
        "container-swarm-leave",
        Family::Container,
        words(DOCKER, &["swarm", "leave"]),
        "takes the machine out of a swarm",
        &["docker swarm leave --force"],
        &["docker swarm ca", "docker swarm join-token worker"],
    ),
    ask(
        "container-scale-zero",
        Family::Container,
        words(DOCKER, &["service", "scale", "*=0"]),
        "stops every copy of a service",
        &["docker service scale web=0"],
        &["docker service scale web=3"],
    ),
    ask(
        "container-rm-volumes",
        Family::Container,
        flags(DOCKER, &["rm"], &["-v", "--volumes"]),
        "removes containers with their volumes",
        &["docker rm -v web", "docker rm -fv web", "podman rm --volumes web"],
        &["docker rm web", "docker rm -f web"],
    ),
    ask(
        "container-container-rm-volumes",
        Family::Container,
        flags(DOCKER, &["container", "rm|remove"], &["-v", "--volumes"]),
        "removes containers with their volumes",
        &["docker container rm -v web"],
        &["docker container rm web"],
    ),
    ask(
        "container-rm-all",
        Family::Container,
        flags(DOCKER, &["rm|rmi|kill", LIST], &["-f", "--force", "-a", "--all"]),
        "removes every container or image that another command lists",
        &["docker rm -f $(docker ps -aq)", "docker images -q | xargs docker rmi --force"],
        &["docker rm -f web", "docker ps -aq"],
    ),
    ask(
        "container-kill-all",
        Family::Container,
        words(DOCKER, &["kill", LIST]),
        "ends every container that another command lists",
        &["docker kill $(docker ps -q)", "docker ps -q | xargs docker kill"],
        &["docker kill web", "docker stop $(docker ps -q)"],
    ),
    Rule {
        off: true,
        ..ask(
            "container-rm-listed",
            Family::Container,
            words(DOCKER, &["rm|rmi", LIST]),
            "removes the containers or images that another command lists",
            &["docker rm $(docker ps -aq)", "docker images -q | xargs docker rmi"],
            &["docker rm web", "docker ps -aq"],
        )
    },
    ask(
        "container-rm-everything",
        Family::Container,
        flags(&["podman", "nerdctl", "crictl"], &["rm|rmi|rmp|stopp|kill"], &["-a", "--all", "--prune"]),
        "removes every container, pod or image",
        &["podman rm -fa", "podman rmi --all", "crictl rmi --prune"],
        &["podman rm web", "podman ps -a", "crictl images"],
    ),
    ask(
        "container-runtime",
        Family::Container,
        verbs(&["crictl", "ctr"], 2, "rmp|stopp", &[&["rmi"], &["images|image|i"]]),
        "removes containers or pods behind the back of what manages them",
        &["crictl rmp a", "ctr -n k8s.io containers delete a", "ctr namespaces rm x"],
        &["crictl ps", "ctr images rm a", "ctr containers ls"],
    ),
    ask(
        "container-registry",
        Family::Container,
        verbs(&["skopeo", "crane", "gcrane", "regctl", "oras", "reg"], 2, "", &[&["*", "hk*"]]),
        "deletes images from a registry",
        &[
            "skopeo delete docker://r.example.com/a:1",
            "crane delete r.example.com/a:1",
            "regctl tag rm r.example.com/a:1",
        ],
        &["skopeo inspect docker://r.example.com/a", "crane ls r.example.com/a", "regctl tag ls r.example.com/a"],
    ),
    ask(
        "container-builder",
        Family::Container,
        unless(&["buildah"], &["rm|rmi|prune"], &["--none"]),
        "removes working containers or images",
        &["buildah rm --all", "buildah prune -f"],
        &["buildah images", "buildah bud ."],
    ),
    ask(
        "container-pod-all",
        Family::Container,
        flags(&["podman"], &["pod", "rm|kill"], &["-a", "--all"]),
        "removes every pod",
        &["podman pod rm --all", "podman pod rm -fa"],
        &["podman pod rm web", "podman pod ps"],
    ),
    ask(
        "container-rights",
        Family::Container,
        Pattern::Command(Command {
            programs: DOCKER,
            words: &["run|create|exec"],
            flags: HOST_RIGHTS,
            // What registers the emulators of other processors asks for rights once.
            without: &["--install", "--reset"],
        }),
        "gives a container the rights of the machine's administrator",
        &[
            "docker run --rm --privileged debian bash", "docker run --cap-add SYS_ADMIN debian",
            "docker run --pid=host debian ps aux", "docker exec --privileged web bash",
        ],
        &[
            "docker run --rm debian", "docker run --cap-add=SYS_PTRACE debian", "docker run --cap-drop=ALL debian",
            "docker run --pid=container:web debian ps", "docker run --privileged=false debian",
            "docker run --rm --privileged tonistiigi/binfmt --install arm64", "docker run --network=host debian",
        ],
    ),
    ask(
        "container-container-rights",
        Family::Container,
        flags(DOCKER, &["container", "run|create|exec"], HOST_RIGHTS),
        "gives a container the rights of the machine's administrator",
        &["docker container run --privileged debian"],
        &["docker container run debian"],
    ),
    ask(
        "container-sail-down",
        Family::Container,
        flags(&["sail"], &["down|rm"], &["-v", "--volumes"]),
        "removes containers with their volumes",
        &["./vendor/bin/sail down -v", "sail down --rmi all --volumes"],
        &["sail down", "sail up -d"],
    ),
    ask(
        "container-project-delete",
        Family::Container,
        words(&["ddev", "lando", "wp-env"], &["delete|destroy|clean"]),
        "removes a project's containers with its database",
        &["ddev delete -Oy", "lando destroy -y", "wp-env destroy", "wp-env clean all"],
        &["ddev stop", "lando stop", "lando rebuild -y", "wp-env stop", "ddev list"],
    ),
    ask(
        "container-project-data",
        Family::Container,
        flags(&["ddev"], &["stop|rm|remove|snapshot"], &["-R", "--remove-data", "--cleanup", "-c"]),
        "removes a project's database, or copies of it",
        &["ddev stop --remove-data", "ddev snapshot --cleanup"],
        &["ddev stop --all", "ddev snapshot --name before"],
    ),
    ask(
        "container-localstack-reset",
        Family::Container,
        words(&["localstack"], &["state", "reset"]),
        "removes all that the local cloud holds",
        &["localstack state reset"],
        &["localstack state export x", "localstack status", "localstack stop"],
    ),
    ask(
        "container-tilt-down",
        Family::Container,
        flags(&["tilt"], &["down"], &["-v", "--delete-namespaces"]),
        "removes resources with their volumes or name spaces",
        &["tilt down -v", "tilt down --delete-namespaces"],
        &["tilt down", "tilt up", "tilt ci"],
    ),
];
