//! A PostgreSQL server on loopback for the time of a test run, from the distribution's package.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The password of the server's only user.
pub(crate) const PASSWORD: &str = "right/pass:word";
/// The same as it stands in a connection string.
const ENCODED: &str = "right%2Fpass%3Aword";

/// Starts a server and waits.
const ENDS: &str =
    "\"$@\" & server=$!\nread -r _; told=$?\nkill -INT $server; wait $server\n[ $told = 0 ] || rm -rf -- \"$FOLDER\"";

/// A server in a directory of its own.
pub(crate) struct Server {
    dir: TempDir,
    programs: PathBuf,
    port: u16,
    running: Option<Child>,
}

/// The newest installed version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<(u32, PathBuf)> = versions
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, programs)| programs.join("initdb").is_file())
        .collect();
    found.sort();
    found.pop().map(|(_, programs)| programs)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

impl Server {
    /// A server that runs; nothing, with one printed line, where PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            println!("skipped: there is no PostgreSQL in /usr/lib/postgresql; install the package `postgresql`");
            return None;
        };
        let dir = tempfile::tempdir().unwrap();
        // The server's user has to reach its directory below.
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let own = dir.path().join("own");
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join("password"), PASSWORD).unwrap();
        if is_root() {
            let changed = Command::new("chown").args(["-R", "postgres"]).arg(&own).status().unwrap();
            assert!(changed.success(), "there is no user `postgres`, and the server does not run as root");
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let mut server = Self { dir, programs, port, running: None };
        let made = server
            .program("initdb")
            .args(["--auth=scram-sha-256", "--username=hook", "--no-sync", "--encoding=UTF8", "--locale=C"])
            .arg(format!("--pwfile={}", own.join("password").display()))
            .arg("-D")
            .arg(own.join("data"))
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success());
        server.resume();
        Some(server)
    }

    fn own(&self) -> PathBuf {
        self.dir.path().join("own")
    }

    /// A command that runs one of the programs as a user that the server accepts.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.dir.path()).env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
        command
    }

    /// Starts it on its port and waits until it answers.
    pub(crate) fn resume(&mut self) {
        let mut server = self.program("postgres");
        server.arg("-D").arg(self.own().join("data")).arg("-k").arg(self.own()).args(["-p", &self.port.to_string()]);
        server.args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=40"]);
        // The shell ends the server when it is told, or when this process has ended, whatever way; then nobody else removes its directory.
        let mut words = vec![server.get_program().to_owned()];
        words.extend(server.get_args().map(ToOwned::to_owned));
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(ENDS).arg("sh").args(words);
        shell.current_dir(self.dir.path()).env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
        shell.env("FOLDER", self.dir.path());
        let log = std::fs::File::create(self.dir.path().join("log")).unwrap();
        shell.stdin(Stdio::piped()).stdout(log.try_clone().unwrap()).stderr(log);
        self.running = Some(shell.spawn().unwrap());
        let begun = Instant::now();
        while !self.answers() {
            let log = || std::fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "the server does not start: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn answers(&self) -> bool {
        TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok()
            && self
                .program("pg_isready")
                .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
                .status()
                .is_ok_and(|status| status.success())
    }

    /// Stops it at once, as an administrator does; its data stay.
    pub(crate) fn stop(&mut self) {
        if let Some(mut shell) = self.running.take() {
            shell.stdin.take().unwrap().write_all(b"\n").unwrap();
            shell.wait().unwrap();
        }
    }

    /// The connection string of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://hook:{ENCODED}@127.0.0.1:{}/{database}?sslmode=disable", self.port)
    }

    /// Gives the server a certificate for its address and starts it again with TLS. Returns the file of the authority that signed it.
    #[allow(dead_code, reason = "only some of the tests that share this file connect with TLS")]
    pub(crate) fn use_tls(&mut self) -> PathBuf {
        self.stop();
        let own = self.own();
        let openssl = |args: &[&str]| {
            let output = Command::new("openssl").args(args).current_dir(&own).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
        let authority = ["req", "-x509", "-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.crt"];
        openssl(&[&authority[..], &key[..]].concat());
        let request =
            ["req", "-x509", "-CA", "ca.crt", "-CAkey", "ca.key", "-subj", "/CN=server", "-keyout", "server.key"];
        let of =
            ["-out", "server.crt", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"];
        openssl(&[&request[..], &of[..], &key[..]].concat());
        std::fs::set_permissions(own.join("server.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
        if is_root() {
            let changed =
                Command::new("chown").arg("postgres").arg(own.join("server.key")).arg(own.join("server.crt")).status();
            assert!(changed.unwrap().success());
        }
        let mut settings = std::fs::OpenOptions::new().append(true).open(own.join("data/postgresql.conf")).unwrap();
        let (certificate, key) = (own.join("server.crt"), own.join("server.key"));
        let lines =
            format!("ssl = on\nssl_cert_file = '{}'\nssl_key_file = '{}'\n", certificate.display(), key.display());
        settings.write_all(lines.as_bytes()).unwrap();
        self.resume();
        own.join("ca.crt")
    }

    /// Runs SQL in a database and returns what it printed, one line a row.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> String {
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", &self.url(database), "-c", sql])
            .env_clear()
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
