//! Programs whose short options carry secrets.

use super::sets::Sets;

/// Programs whose short options carry secrets; which one was named last on this command line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    None,
    /// `-pSECRET` or `-p SECRET`: database clients, `sshpass`, `… login`.
    LowerP,
    /// `-P SECRET`: `zip`, `sqlcmd`.
    UpperP,
    /// `-pSECRET` only, because `-p` alone asks: 7z, rar.
    GluedP,
    /// `-a SECRET`.
    RedisCli,
    /// `-w SECRET`.
    Ldap,
    /// `-u user:SECRET`.
    Http,
    /// `-U user%SECRET`.
    Samba,
    /// `-pw SECRET`.
    Putty,
    /// `pass:SECRET`.
    OpenSsl,
    /// `login SECRET`.
    Vault,
    /// `configure set NAME SECRET`.
    Aws,
    /// `-b FILE USER SECRET`.
    Htpasswd,
    /// A command that stores a secret.
    Sets(&'static Sets),
}

/// The tool that is being talked to behind this word: the table's, and for every other word the one that was.
pub(super) fn tool_of(word: &[u8], before: Tool) -> Tool {
    match word {
        // What it stores it under is a name of any kind.
        _ if matches!(before, Tool::Sets(_)) => before,
        b"login" if before == Tool::Vault => before,
        b"mysql" | b"mysqldump" | b"mysqladmin" | b"mysqlimport" | b"mysqlshow" | b"mysqlcheck" | b"mysqlpump"
        | b"mysqlsh" | b"mariadb" | b"mariadb-dump" | b"mariadb-admin" | b"mongo" | b"mongosh" | b"mongodump"
        | b"mongorestore" | b"mongoexport" | b"mongoimport" | b"sshpass" | b"login" => Tool::LowerP,
        b"zip" | b"unzip" | b"sqlcmd" | b"bcp" => Tool::UpperP,
        b"7z" | b"7za" | b"7zz" | b"7zr" | b"rar" | b"unrar" => Tool::GluedP,
        b"redis-cli" => Tool::RedisCli,
        b"ldapsearch" | b"ldapmodify" | b"ldapadd" | b"ldapdelete" | b"ldapwhoami" | b"ldappasswd" => Tool::Ldap,
        b"curl" | b"wget" | b"http" | b"https" | b"xh" | b"xhs" => Tool::Http,
        b"smbclient" | b"rpcclient" | b"smbget" => Tool::Samba,
        b"plink" | b"pscp" | b"psftp" | b"putty" => Tool::Putty,
        b"openssl" => Tool::OpenSsl,
        b"vault" | b"bao" => Tool::Vault,
        b"aws" => Tool::Aws,
        b"htpasswd" => Tool::Htpasswd,
        _ => before,
    }
}
