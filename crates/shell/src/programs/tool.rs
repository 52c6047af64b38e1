//! Programs that code follows, by the way in which they are called.

macro_rules! tools {
    ($($name:ident)*) => {
        /// Which program it is, where code follows what it does. Those that are called alike share one.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "each is called like the first of its programs")]
        pub enum Tool {
            /// No code of its own follows it.
            Other,
            $($name,)*
        }
    };
}

tools! {
    Accounts Ag Alias Apt AptKey Aptitude Ar Asr At Aws Az Azcopy Badblocks Base32 Base64 Basename Bcdedit Bindfs
    Bootctl Btrfs Builtin Bun Busctl Busybox Caddy Cargo Cat Cd Certutil Chattr Checkers Chflags Chgrp Chmod Chown
    ClearHistory Cmake Codesign Command Complete Copy Cpio Crontab Cryptsetup Csrutil Curl Curlie Cut Date Dc Dc3dd Dd
    Debugfs Defaults Degit Del Deno Dig Dirname Diskpart Diskutil Ditto Dnf Docker DockerCompose Dpkg Dropdb Dscl Du
    Echo Ed Efibootmgr EmptiesTrash Emacs Emerge Env Eslint Eval Ex Exec Export Expression Fastmod Fd Fdfind Fetchers Fgrep Find
    Fold Forfiles Format Fuser Fusermount Gcloud Gdb Getent Gh Gio Git Glab Go Gpasswd Gpg Gpg2 Grep Gsutil Gunzip
    Hash Hdparm Head Hg History Httpd Httpie Icacls Init Install Jar Jq Json Just KernelModules Kexec Kill Killall
    Killall5 Kubectl Launchctl Ldconfig Link Lipo Locate Loginctl Ls Lsof Lvm Lvremove Lxc M4 Mail Make MakesFileSystem
    Mapfile Mc Mdadm Memcached Mkdir Mkinitcpio Mktemp Modprobe Most Mount MountsRemote Move Mshta Msiexec Mycli Mysql
    Mysqladmin NamesItsOutput Nano Net Netcat Networksetup Newrelic Newusers Nix Nl Node Nothing Npm Npx Nvme Nvram
    Nwipe Openssl Osascript Pacman Pager Parallel Parted Partitions Passwd Paste Patch Patchelf Pax Pgcli Pgrep Php Pipx
    Pkill Pm2 Pmset PodmanCompose Popd Printenv Printf PrintsSettings Ps Psql Pushd Pv Pwd Pwsh Pytest Rclone Rcup Read
    ReadsBinaries Realpath Red Reg Regsvr32 Remove Replace Rev Rg Rimraf Rmdir Robocopy Rpm Rsync Rundll32 S3cmd S5cmd
    Salt Sc Schtasks Scp Screen Scrub Sed Senders ServesDir Set SetCap Setenforce Setfacl SetMppreference SevenZip Sftp
    Shift Shopt Shred Shutdown Skill Socat Sort Source Spctl Split Sqlite3 Ssh SshKeygen StartsLater Stow Strings
    Sudoedit Svn Swapoff Sysadminctl Sysctl Systemctl Tail Takeown Tar Task Tee Tells Terraform Test Tex Timedatectl
    Tmux Touch Tr Trap Trash TrashEmpty Tree Truncate Type Umount Unalias Uniq Unlink Unset Unzip UpdateAlternatives
    UpdateInitramfs Uv Uvx VersionManager Vim Vssadmin Watchers WebRequest WebTerminals Wevtutil Wget WindowsAccounts
    WindowsDelete WindowsPolicy WindowsSettings Wipefs Wmic Wtype Xargs XbpsRemove XdgUserDir Xterm Xxd Xz Yadm Yes Yq
    Zellij Zip Zpool Ztcp Zypper
}
