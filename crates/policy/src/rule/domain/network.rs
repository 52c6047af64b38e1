//! Rules for firewalls, interfaces, routes and names.

use super::{Family, Pattern, Rule, ask, flags, verbs, words};
use crate::rule::command::Text;

pub(super) const RULES: &[Rule] = &[
    ask(
        "firewall-flush",
        Family::Network,
        flags(
            &["iptables", "ip6tables", "iptables-legacy", "iptables-nft", "ip6tables-legacy", "ebtables", "arptables"],
            &[],
            &["-F", "--flush", "-X", "--delete-chain", "-P", "--policy", "-D", "--delete"],
        ),
        "empties or opens a firewall, or takes a rule out of it",
        &[
            "iptables -F", "sudo iptables -t nat -F", "iptables -P INPUT ACCEPT", "ip6tables --flush",
            "iptables -D INPUT 1",
        ],
        &["iptables -L -n", "iptables -A INPUT -s 192.0.2.1 -j DROP", "iptables-save"],
    ),
    ask(
        "firewall-off",
        Family::Network,
        words(&["ufw", "nft", "shorewall", "csf-cmd"], &["disable|reset|flush|delete|destroy|clear|stop"]),
        "switches off or empties a firewall",
        &[
            "ufw disable", "ufw --force reset", "ufw delete allow 22", "nft flush ruleset",
            "nft delete table inet filter",
        ],
        &["ufw status", "ufw allow 22", "nft list ruleset"],
    ),
    ask(
        "firewall-zones",
        Family::Network,
        Pattern::Text(Text {
            programs: &["firewall-cmd", "firewall-offline-cmd"],
            words: &[],
            holds: &[
                "--remove-", "--delete-", "--panic-on", "--reset-to-defaults", "--set-default-zone=trusted",
                "--set-target=accept",
            ],
            lacks: &[],
        }),
        "opens a firewall, or takes a part of it away",
        &[
            "firewall-cmd --permanent --remove-service=ssh",
            "firewall-cmd --panic-on",
            "firewall-cmd --permanent --delete-zone=a",
        ],
        &["firewall-cmd --list-all", "firewall-cmd --reload", "firewall-cmd --add-service=http"],
    ),
    ask(
        "firewall-pf",
        Family::Network,
        flags(&["pfctl", "csf", "conntrack"], &[], &["-d", "-F", "-x", "-f=all", "-D", "--flush", "--delete"]),
        "switches off or empties a firewall",
        &["pfctl -d", "pfctl -F all", "csf -x", "conntrack -F"],
        &["pfctl -s rules", "csf -l", "conntrack -L"],
    ),
    ask(
        "firewall-set",
        Family::Network,
        verbs(
            &["ipset", "fail2ban-client", "ipfw", "netsh", "crowdsec", "cscli"],
            3,
            "flush|stop|unban|off|reset|x|advfirewall",
            &[&["interface"]],
        ),
        "empties or switches off a part of a firewall",
        &[
            "ipset destroy a",
            "ipset flush",
            "fail2ban-client stop",
            "cscli decisions delete --all",
            "netsh advfirewall set allprofiles state off",
        ],
        &["ipset list", "fail2ban-client status", "cscli decisions list", "netsh interface show interface"],
    ),
    ask(
        "network-delete",
        Family::Network,
        words(&["ip"], &["link|l|route|r|addr|address|a|rule|netns|neigh|tunnel|xfrm|ro", "delete|del|flush|d|f"]),
        "takes a network interface, address or route away",
        &[
            "ip link delete eth0", "ip route flush table main", "ip -6 addr del 2001:db8::1/64 dev eth0",
            "ip netns del a",
        ],
        &["ip link show", "ip addr", "ip route add default via 192.0.2.1"],
    ),
    ask(
        "network-down",
        Family::Network,
        words(&["ip"], &["link|l", "set", "*", "down"]),
        "takes a network interface down",
        &["ip link set eth0 down"],
        &["ip link set eth0 up", "ip link show"],
    ),
    ask(
        "network-device-down",
        Family::Network,
        words(&["ip"], &["link|l", "set", "dev", "*", "down"]),
        "takes a network interface down",
        &["ip link set dev eth0 down"],
        &["ip link set dev eth0 up"],
    ),
    ask(
        "network-interface-down",
        Family::Network,
        words(&["ifconfig"], &["*", "down"]),
        "takes a network interface down",
        &["ifconfig eth0 down"],
        &["ifconfig", "ifconfig eth0"],
    ),
    ask(
        "network-tunnel-down",
        Family::Network,
        words(&["wg-quick", "tailscale", "warp-cli", "mullvad"], &["down|logout|disconnect"]),
        "takes a tunnel down",
        &["wg-quick down wg0", "tailscale logout"],
        &["wg-quick up wg0", "tailscale status"],
    ),
    ask(
        "network-manager",
        Family::Network,
        words(&["nmcli"], &["connection|con|c|device|dev|d|networking|n|radio|r", "delete|del|down|disconnect|off"]),
        "takes a network connection down or away",
        &[
            "nmcli connection delete office", "nmcli networking off", "nmcli con down office",
            "nmcli device disconnect eth0",
        ],
        &["nmcli connection show", "nmcli device status"],
    ),
    ask(
        "network-switch",
        Family::Network,
        verbs(
            &["ovs-vsctl", "ovs-ofctl", "brctl", "tc", "bridge", "route", "ovn-nbctl"],
            2,
            "emer-reset|del-*|delbr|delif|flush|*-del",
            &[],
        ),
        "takes a part of a network away",
        &["ovs-vsctl del-br br0", "brctl delbr br0", "tc qdisc del dev eth0 root", "route del default"],
        &["ovs-vsctl show", "brctl show", "tc qdisc show", "route -n"],
    ),
    ask(
        "dns-server",
        Family::Network,
        verbs(
            &["rndc", "pdnsutil", "knotc", "unbound-control", "nsd-control", "samba-tool", "dnsctl", "ipa", "bluecat"],
            2,
            "stop|halt|delzone|zone-purge|flush_zone|*-del|*_del|delete-*",
            &[],
        ),
        "deletes zones or records of the domain name system, or stops a name server",
        &[
            "pdnsutil delete-zone example.com",
            "rndc delzone example.com",
            "rndc stop",
            "samba-tool dns delete s z n A 192.0.2.1",
        ],
        &["rndc status", "pdnsutil list-zone example.com"],
    ),
    ask(
        "dns-update",
        Family::Network,
        Pattern::Text(Text {
            programs: &["nsupdate", "knsupdate", "samba-nsupdate"],
            words: &[],
            holds: &["updatedel"],
            lacks: &[],
        }),
        "deletes records of the domain name system",
        &["printf 'server ns1\\nupdate delete www.example.com A\\nsend\\n' | nsupdate"],
        &["printf 'update add a.example.com 60 A 192.0.2.1\\nsend\\n' | nsupdate", "nsupdate -V"],
    ),
];
