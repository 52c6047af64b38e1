//! Rules for virtual machines.

use super::{Family, Rule, ask, flags, verbs, words};

pub(super) const RULES: &[Rule] = &[
    ask(
        "machine-virsh",
        Family::Machines,
        verbs(&["virsh"], 1, "reset|*-undefine|*-wipe|managedsave-remove|detach-*|*-revert|blockcommit|blockpull", &[]),
        "destroys, undefines or resets a virtual machine, network or disk",
        &[
            "virsh undefine vm --remove-all-storage", "virsh -c qemu:///system destroy vm",
            "virsh vol-delete a --pool p", "virsh net-undefine n",
        ],
        &["virsh list --all", "virsh start vm", "virsh shutdown vm", "virsh dominfo vm"],
    ),
    ask(
        "machine-delete",
        Family::Machines,
        verbs(
            &[
                "multipass", "limactl", "lima", "lxc", "incus", "qm", "pct", "pvesh", "vmrun", "govc", "xe", "prlctl",
                "tart", "colima", "orb", "orbctl", "xl", "esxcli", "vim-cmd", "proxmox", "ignite", "bhyvectl",
                "iocage", "bastille", "pot", "anka", "utmctl",
            ],
            3,
            "factory-reset|rollback|unregister|deletevm|deletesnapshot|revert*|vm.destroy|reset|vmsvc/destroy|vmsvc/unregister|kill",
            &[&["shell|exec"], &["config"], &["remote"], &["alias"], &["file"]],
        ),
        "deletes, resets or rolls back a virtual machine or its disks",
        &[
            "multipass delete a --purge", "limactl delete default", "lxc delete c --force", "incus storage delete p",
            "qm destroy 100 --purge", "govc vm.destroy a", "vmrun deleteVM a.vmx", "xe vm-destroy uuid=1",
        ],
        &["multipass list", "limactl list", "lxc list", "qm status 100", "govc ls", "lxc remote remove a"],
    ),
    ask(
        "machine-virtualbox",
        Family::Machines,
        verbs(
            &["vboxmanage"],
            3,
            "unregistervm|poweroff|discardstate",
            &[&["extpack"], &["snapshot", "*", "list"], &["closemedium"]],
        ),
        "deletes a virtual machine, snapshot or network, or cuts a machine's power",
        &["VBoxManage unregistervm a --delete", "VBoxManage snapshot vm delete s1", "VBoxManage controlvm vm poweroff"],
        &["VBoxManage list vms", "VBoxManage showvminfo vm", "VBoxManage startvm vm"],
    ),
    ask(
        "machine-virtualbox-disk",
        Family::Machines,
        flags(&["vboxmanage"], &["closemedium"], &["--delete"]),
        "deletes a virtual disk",
        &["VBoxManage closemedium disk a.vdi --delete"],
        &["VBoxManage closemedium disk a.vdi"],
    ),
    ask(
        "machine-wsl",
        Family::Machines,
        flags(&["wsl"], &[], &["--unregister"]),
        "deletes a Linux of Windows with all its files",
        &["wsl --unregister Ubuntu", "wsl.exe --unregister Ubuntu"],
        &["wsl --list"],
    ),
    ask(
        "machine-emulator",
        Family::Machines,
        words(&["simctl"], &["erase|delete", "all"]),
        "erases every simulated device",
        &["simctl erase all"],
        &["simctl list"],
    ),
];
