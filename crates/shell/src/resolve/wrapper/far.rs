//! Wrappers that run a command on managed machines, in other people's containers, on terminals and in queues.

use super::{PLAIN, Rest, Wrapper};

/// Options of the cloud's programs with a value.
const CLOUD_VALUES: &[&str] = &[
    "--project", "--zone", "--region", "--profile", "--account", "--configuration", "--ssh-key-file", "--ssh-flag",
    "--container", "--strict-host-key-checking", "--worker", "--service", "--version", "--output", "--query",
    "--cluster", "--task", "--endpoint-url", "-n", "--name", "-g", "--resource-group", "--subscription", "--ip",
    "--local-user", "--command-id", "--parameters", "--replica", "--revision", "--file", "--container-name", "-o",
    "--instance-id",
];

/// Options of platforms' programs with a value.
const PLATFORM_VALUES: &[&str] = &[
    "-a", "--app", "-s", "--select", "--size", "-r", "--remote", "--region", "-e", "--env", "-c", "--config", "-o",
    "--org", "-t", "--type", "--service", "--environment", "--project", "-p", "-i", "--identity-file", "-l", "-u",
    "--user", "-q", "--queue", "-d", "--destination", "--container", "--address", "-g", "--group",
];

/// The table.
pub(super) const WRAPPERS: &[Wrapper] = &[
    // Clouds.
    Wrapper {
        names: &["gcloud"],
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
        ..PLAIN
    },
    Wrapper {
        names: &["az"],
        verbs: &[
            "vm run-command", "vmss run-command", "container exec", "containerapp exec", "webapp ssh", "aks command",
            "ssh vm", "ssh arc",
        ],
        values: CLOUD_VALUES,
        lines: &["--scripts", "--script", "--exec-command", "--command"],
        skip: usize::MAX,
        dashes: true,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["aws"],
        verbs: &["ecs execute-command"],
        values: CLOUD_VALUES,
        lines: &["--command"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["doctl"],
        verbs: &["compute ssh"],
        lines: &["--ssh-command"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["eb"], verbs: &["ssh"], lines: &["-c", "--command"], skip: usize::MAX, remote: true, ..PLAIN },
    // Platforms.
    Wrapper {
        names: &["heroku", "scalingo"],
        verbs: &["run", "run:detached", "run:inside", "ps:exec"],
        values: PLATFORM_VALUES,
        dashes: true,
        rest: Rest::Either,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["fly", "flyctl"],
        verbs: &["ssh console", "console"],
        values: PLATFORM_VALUES,
        lines: &["-C", "--command"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["fly", "flyctl"],
        verbs: &["machine exec", "m exec"],
        values: PLATFORM_VALUES,
        skip: 1,
        rest: Rest::Either,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["railway", "platform", "upsun", "render"],
        verbs: &["ssh", "environment:ssh"],
        values: PLATFORM_VALUES,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["dokku"], verbs: &["run", "enter"], skip: 1, rest: Rest::Program, remote: true, ..PLAIN },
    Wrapper {
        names: &["kamal"],
        verbs: &["app exec", "server exec", "accessory exec"],
        values: PLATFORM_VALUES,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["cf"],
        verbs: &["ssh", "run-task", "rt"],
        lines: &["-c", "--command"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["gh"],
        verbs: &["codespace ssh", "cs ssh"],
        values: PLATFORM_VALUES,
        dashes: true,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["coder", "tsh", "tailscale"],
        verbs: &["ssh"],
        values: PLATFORM_VALUES,
        skip: 1,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["nomad"],
        verbs: &["alloc exec", "exec"],
        values: &["-task", "-job", "-address", "-namespace", "-region"],
        skip: 1,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["oc"], verbs: &["rsh"], values: &["-c", "-n", "--namespace"], skip: 1, remote: true, ..PLAIN },
    // Fleets.
    Wrapper {
        names: &["knife"],
        verbs: &["ssh", "winrm"],
        values: &["-x", "--ssh-user", "-i", "-P", "-C", "--concurrency", "-a", "--attribute", "-p", "-G", "-c", "-E"],
        skip: 1,
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["bolt"],
        verbs: &["command run"],
        values: &["-t", "--targets", "-u", "--user", "-q", "--query", "-i", "--inventoryfile"],
        rest: Rest::Either,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["fab"], before: &["--"], skip: usize::MAX, rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper {
        names: &["mussh"],
        values: &["-h", "-H", "-l", "-i", "-p", "-o"],
        lines: &["-c"],
        skip: usize::MAX,
        remote: true,
        ..PLAIN
    },
    Wrapper { names: &["dsh"], values: &["-m", "-g", "-f", "-r", "-o"], rest: Rest::Line, remote: true, ..PLAIN },
    // Machines and roots on this one.
    Wrapper { names: &["minikube"], verbs: &["ssh"], values: &["-n", "-p"], rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper { names: &["colima"], verbs: &["ssh"], values: &["-p"], rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper { names: &["docker-machine"], verbs: &["ssh"], skip: 1, rest: Rest::Line, remote: true, ..PLAIN },
    Wrapper {
        names: &["podman"],
        verbs: &["machine ssh"],
        values: &["--username"],
        rest: Rest::Line,
        remote: true,
        ..PLAIN
    },
    Wrapper {
        names: &["schroot", "dchroot"],
        values: &["-c", "--chroot", "-u", "--user", "-d", "--directory", "-o", "--option", "-s", "--shell", "-n"],
        without: &["-l", "--list", "-i", "--info", "-b", "--begin-session", "-e", "--end-session"],
        ..PLAIN
    },
    // The home folder is the person's own in these.
    Wrapper {
        names: &["toolbox"],
        verbs: &["run"],
        values: &["-c", "--container", "-d", "--distro", "-r", "--release"],
        ..PLAIN
    },
    Wrapper {
        names: &["distrobox"],
        verbs: &["enter"],
        values: &["-n", "--name", "-a", "--additional-flags"],
        before: &["-e", "--exec"],
        skip: 1,
        dashes: true,
        ..PLAIN
    },
    Wrapper { names: &["distrobox-enter"], before: &["-e", "--"], skip: usize::MAX, ..PLAIN },
    Wrapper { names: &["flatpak-spawn"], values: &["--env", "--unset-env", "--directory"], ..PLAIN },
    Wrapper { names: &["flatpak"], verbs: &["run"], named: &["--command"], skip: 1, ..PLAIN },
    // First processes of containers, and what waits before it starts another.
    Wrapper { names: &["dumb-init", "catatonit", "docker-init"], values: &["-r", "--rewrite"], ..PLAIN },
    Wrapper { names: &["tini", "tini-static"], values: &["-p", "-e"], ..PLAIN },
    Wrapper {
        names: &["wait-for-it", "wait-for-it.sh", "wait-for", "wait-for.sh", "wait-port", "wait-on"],
        values: &["-t", "--timeout", "-h", "--host", "-p", "--port"],
        skip: usize::MAX,
        dashes: true,
        ..PLAIN
    },
    Wrapper {
        names: &["dockerize"],
        values: &["-wait", "-timeout", "-wait-retry-interval", "-template", "-stdout", "-stderr", "-delims"],
        ..PLAIN
    },
    // Queues and terminals that go on when the person leaves.
    Wrapper { names: &["ts"], values: &["-L", "-N", "-D", "-W", "-O", "-S"], ..PLAIN },
    Wrapper { names: &["nq", "detach", "pueue-run"], ..PLAIN },
    Wrapper {
        names: &["pueue"],
        verbs: &["add"],
        values: &["-w", "--working-directory", "-g", "--group", "-d", "--delay", "-a", "--after", "-l", "--label"],
        rest: Rest::Line,
        ..PLAIN
    },
    Wrapper { names: &["dtach"], values: &["-A", "-c", "-n", "-N", "-a", "-e", "-r"], ..PLAIN },
    Wrapper { names: &["abduco", "dvtm"], values: &["-A", "-c", "-n", "-a", "-e"], ..PLAIN },
    Wrapper {
        names: &["zellij"],
        verbs: &["run", "r", "action new-pane"],
        values: &["-d", "--direction", "-n", "--name", "--cwd", "--height", "--width", "-x", "-y"],
        ..PLAIN
    },
    Wrapper {
        names: &["kitty", "foot", "footclient"],
        values: &["-T", "--title", "-c", "--config", "-d", "--directory", "--class", "-o", "--override", "--name"],
        ..PLAIN
    },
    Wrapper { names: &["wezterm"], verbs: &["start", "cli spawn"], values: &["--cwd", "--class"], ..PLAIN },
    // What chooses the version of a package manager hands all on to it.
    Wrapper { names: &["corepack"], verbs: &["yarn"], into: Some("yarn"), ..PLAIN },
    Wrapper { names: &["corepack"], verbs: &["pnpm"], into: Some("pnpm"), ..PLAIN },
    Wrapper { names: &["corepack"], verbs: &["npm"], into: Some("npm"), ..PLAIN },
];
