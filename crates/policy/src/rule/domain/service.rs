//! Rules for services of the system and what manages them.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::{Command, Text};

/// Services that a machine, or the people who use it, cannot do without.
const VITAL: &str = "ssh|ssh.*|sshd|sshd.*|network*|systemd-*|docker|docker.*|containerd|containerd.*|kubelet|kubelet.*|k3s*|firewalld*|ufw*|nftables*|iptables*|auditd*|cron|crond|cron.*|crond.*|dbus*|nginx*|apache2*|httpd*|haproxy*|traefik*|caddy*|envoy*|postgresql*|mysql*|mariadb*|mongod*|redis*|rabbitmq*|kafka*|zookeeper*|elasticsearch*|opensearch*|vault*|consul*|nomad*|etcd*|libvirtd*|named*|bind9*|unbound*|wpa_supplicant*|chrony*|ntp*|fail2ban*|apparmor*|rsyslog*|syslog*|keepalived*|openvpn*|wg-quick*|strongswan*|sssd*|slapd*|smbd*|nfs-server*|nfs-kernel-server*|postfix*|dovecot*|prometheus*|grafana*|jenkins*|gitlab*|pm2*|supervisor*";

pub(super) const RULES: &[Rule] = &[
    ask(
        "service-disable",
        Family::Services,
        Pattern::Command(Command {
            programs: &["systemctl"],
            words: &["mask|disable|isolate|revert|kill|set-default"],
            flags: &[],
            without: &["--user"],
        }),
        "switches a service of the system off for good, or kills it",
        &["systemctl mask sshd", "sudo systemctl disable --now firewalld", "systemctl isolate rescue.target"],
        &[
            "systemctl status sshd", "systemctl restart nginx", "systemctl --user disable a", "systemctl enable nginx",
            "systemctl is-enabled sshd",
        ],
    ),
    ask(
        "windows-registry",
        Family::System,
        words(&["reg"], &["delete|unload|restore", "hk*"]),
        "removes a part of the Windows registry",
        &["reg delete HKLM\\Software\\App /f", "reg.exe delete HKCU\\Software\\App"],
        &["reg query HKLM\\Software", "reg ls r.example.com"],
    ),
    ask(
        "windows-start",
        Family::System,
        words(&["reg"], &["add", "hk*currentversion*run*"]),
        "starts a program whenever somebody logs in",
        &["reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v a /d a.exe"],
        &["reg add HKCU\\Software\\App /v a /d 1"],
    ),
    ask(
        "windows-task",
        Family::System,
        words(&["schtasks"], &["/create|/delete|/change"]),
        "changes what Windows starts at set times",
        &["schtasks /create /tn a /tr a.exe /sc onlogon", "schtasks.exe /delete /tn a /f"],
        &["schtasks /query"],
    ),
    ask(
        "service-stop",
        Family::Services,
        Pattern::Command(Command {
            programs: &["systemctl"],
            words: &["stop", VITAL],
            flags: &[],
            without: &["--user"],
        }),
        "stops a service that the machine or its users need",
        &["systemctl stop sshd", "sudo systemctl stop nginx.service", "systemctl --no-block stop postgresql@15-main"],
        &["systemctl stop myapp", "systemctl start nginx", "systemctl reload nginx", "systemctl show nginx"],
    ),
    ask(
        "service-stop-old",
        Family::Services,
        words(
            &["service", "rc-service", "invoke-rc.d", "initctl", "sv", "runsvctl"],
            &["*", "stop|down|force-stop|exit|--full-restart"],
        ),
        "stops a service of the system",
        &["service traefik stop", "sudo service nginx stop", "rc-service nginx stop"],
        &["service traefik status", "service nginx reload", "service --status-all"],
    ),
    ask(
        "service-boot",
        Family::Services,
        words(&["update-rc.d", "chkconfig"], &["*", "remove|disable|off"]),
        "changes what starts with the machine",
        &["update-rc.d ssh disable", "chkconfig sshd off"],
        &["chkconfig --list", "chkconfig sshd on"],
    ),
    ask(
        "service-boot-delete",
        Family::Services,
        words(&["rc-update"], &["del|delete"]),
        "changes what starts with the machine",
        &["rc-update del sshd default"],
        &["rc-update show"],
    ),
    ask(
        "service-launchd",
        Family::Services,
        words(&["launchctl"], &["bootout|unload|remove|disable|kill|stop|reboot"]),
        "stops a service of the system, or switches it off",
        &["launchctl bootout system/com.example.a", "sudo launchctl unload -w /Library/LaunchDaemons/a.plist"],
        &["launchctl list", "launchctl print system"],
    ),
    ask(
        "service-windows",
        Family::Services,
        words(&["sc"], &["stop|delete|config"]),
        "stops, deletes or changes a service of Windows",
        &["sc stop sshd", "sc.exe delete sshd"],
        &["sc query sshd"],
    ),
    ask(
        "service-manager",
        Family::Services,
        words(
            &["pm2", "forever", "supervisorctl", "monit", "circusctl", "god"],
            &["delete|del|kill|stopall|shutdown|remove|quit|unmonitor|terminate|rm"],
        ),
        "stops a process manager, or makes it forget what it runs",
        &["pm2 delete all", "pm2 kill", "supervisorctl shutdown", "npx pm2 del web"],
        &["pm2 list", "pm2 restart a", "pm2 stop web", "supervisorctl status"],
    ),
    ask(
        "service-manager-all",
        Family::Services,
        words(&["pm2", "supervisorctl", "monit"], &["stop", "all"]),
        "stops everything that a process manager runs",
        &["supervisorctl stop all", "pm2 stop all", "monit stop all"],
        &["supervisorctl stop web", "pm2 reload all"],
    ),
    ask(
        "service-proxy",
        Family::Services,
        flags(&["nginx", "openresty", "angie", "tengine"], &[], &["-s=stop", "-s=quit"]),
        "stops a web server",
        &["nginx -s stop -c a.conf", "nginx -s quit -c a.conf", "nginx -sstop"],
        &["nginx -s reopen", "nginx -t", "nginx -V"],
    ),
    ask(
        "service-apache",
        Family::Services,
        words(
            &["apachectl", "apache2ctl", "caddy", "lighttpd-angel", "varnishadm", "envoy"],
            &["stop|graceful-stop|ban.url|ban"],
        ),
        "stops a web server, or empties its cache",
        &["apachectl stop", "caddy stop"],
        &["apachectl configtest", "caddy validate", "varnishadm status"],
    ),
    ask(
        "service-apache-signal",
        Family::Services,
        flags(&["httpd", "apache2", "apachectl", "apache2ctl"], &[], &["-k=stop", "-k=graceful-stop"]),
        "stops a web server",
        &["httpd -k stop", "apachectl -k graceful-stop"],
        &["httpd -t", "apachectl -k graceful"],
    ),
    ask(
        "service-balancer",
        Family::Services,
        flags(&["haproxy"], &[], &["-st", "-sf"]),
        "ends the running load balancer",
        &["haproxy -f a.cfg -st 123", "haproxy -D -f a.cfg -sf $(cat /run/haproxy.pid)"],
        &["haproxy -c -f a.cfg", "haproxy -vv"],
    ),
    ask(
        "service-balancer-socket",
        Family::Services,
        Pattern::Text(Text {
            programs: &["socat", "nc", "ncat", "netcat", "hatop", "haproxyctl"],
            words: &[],
            holds: &[
                "disableserver", "disablefrontend", "disableagent", "disablehealth", "shutdownfrontend",
                "shutdownsession", "delserver", "delbackend", "clearcountersall", "statemaint", "statedrain",
                "clearmap", "clearacl", "delssl", "setmaxconnglobal0",
            ],
            lacks: &[],
        }),
        "takes servers out of a running load balancer",
        &[
            "echo 'disable server web/a' | socat stdio /run/haproxy.sock",
            "echo 'set server web/a state maint' | nc -U /run/haproxy.sock",
        ],
        &[
            "echo 'show stat' | socat stdio /run/haproxy.sock",
            "echo 'enable server web/a' | socat stdio /run/haproxy.sock",
        ],
    ),
    ask(
        "service-audit",
        Family::Services,
        flags(&["auditctl"], &[], &["-D", "-e=0"]),
        "switches the audit of the system off",
        &["auditctl -D", "auditctl -e 0"],
        &["auditctl -l", "auditctl -s"],
    ),
    ask(
        "service-machine",
        Family::Services,
        verbs(
            &["machinectl", "portablectl", "homectl", "bootctl", "efibootmgr", "coredumpctl"],
            1,
            "poweroff|kill|detach",
            &[],
        ),
        "removes or stops a machine, home or boot entry",
        &["machinectl remove a", "homectl remove bob"],
        &["machinectl list", "homectl inspect bob"],
    ),
    ask(
        "service-manager-boot",
        Family::Services,
        words(
            &["pm2"],
            &["startup|unstartup", "systemd|upstart|launchd|openrc|rcd|systemv|ubuntu|centos|redhat|darwin|windows"],
        ),
        "changes what starts with the machine",
        &["sudo env PATH=$PATH pm2 startup systemd -u dana --hp /home/dana", "pm2 unstartup systemd"],
        &["pm2 startup", "pm2 start app.js", "pm2 save"],
    ),
    ask(
        "service-user-enable",
        Family::Services,
        // The verb stands where the option could have a value.
        flags(
            &["systemctl"],
            &[],
            &["--user=enable", "--user=reenable", "--user=link", "--global=enable", "--global=reenable"],
        ),
        "starts a service whenever the user logs in",
        &["systemctl --user enable sync.service", "systemctl --user link ./sync.service"],
        &["systemctl --user status sync", "systemctl --user restart sync", "systemctl --user start sync"],
    ),
];
