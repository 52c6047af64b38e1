//! `cargo xtask pictures`: makes the pictures of `docs/pictures` again, by playing a scenario on the real client.

mod svg;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use xshell::Shell;

use crate::e2e::client::{self, Client};
use crate::e2e::picture::{self, HOME, Seen};
use crate::{build, process, workspace};

/// Arguments of `pictures`.
#[derive(Args)]
pub(crate) struct Pictures {
    /// A client that is there already; else the pinned version is fetched as `e2e` does.
    #[arg(long, value_name = "PATH")]
    client: Option<PathBuf>,
    /// Take this executable instead of building one.
    #[arg(long, value_name = "FILE")]
    hookbin: Option<PathBuf>,
}

/// Where the pictures lie.
const DIR: &str = "docs/pictures";

/// The most bytes that a picture may have: everybody who clones the repository gets them.
const SVG_LIMIT: usize = 30_000;
const PNG_LIMIT: usize = 120_000;

/// The report's window in CSS pixels, and the share of it that the picture has in each direction: 1000 by 696.
const WINDOW: (u16, u16) = (1250, 870);
const SCALE: &str = "0.8";

/// How long a browser may take for a page.
const BROWSER_LIMIT: Duration = Duration::from_secs(60);

impl Pictures {
    pub(crate) fn run(&self, sh: &Shell) -> Result<()> {
        let hookbin = match &self.hookbin {
            Some(file) => file.canonicalize().with_context(|| format!("find the executable {}", file.display()))?,
            None => build::run(sh)?,
        };
        let client = self.client(sh)?;
        let Seen { home, screen, report } = picture::see(&hookbin, &client)?;
        let drawn = svg::draw(&screen, "shop", [&home, HOME])?;
        save("refusal.svg", drawn.as_bytes(), SVG_LIMIT)?;
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        let Some(browser) = names.into_iter().find_map(workspace::find_program) else {
            eprintln!("skipped: there is no Chromium on PATH, so {DIR}/report.png stays as it is");
            return Ok(());
        };
        save("report.png", &photograph(&browser, &report.replace(&home, HOME))?, PNG_LIMIT)
    }

    fn client(&self, sh: &Shell) -> Result<Client> {
        if let Some(path) = &self.client {
            return Client::at(path);
        }
        let version = client::versions(&[])?.into_iter().next().context("no version of the client is pinned")?;
        match Client::fetch(sh, &version)? {
            Ok(client) => Ok(client),
            Err(missing) => bail!("{version}: {}", missing.describe()),
        }
    }
}

fn save(name: &str, bytes: &[u8], limit: usize) -> Result<()> {
    ensure!(bytes.len() <= limit, "{name} has {} bytes, and may have {limit}; nothing was written", bytes.len());
    workspace::put(&workspace::root().join(DIR).join(name), bytes, None)?;
    println!("{DIR}/{name}: {} bytes", bytes.len());
    Ok(())
}

/// The beginning of a page as a PNG, by a browser without a window, a network or anything of the user's.
fn photograph(browser: &Path, page: &str) -> Result<Vec<u8>> {
    let dir = tempfile::tempdir().context("create a directory for the browser")?;
    let [html, picture] = ["page.html", "page.png"].map(|name| dir.path().join(name));
    fs::write(&html, page).with_context(|| format!("write {}", html.display()))?;
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage"])
        .args(["--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND"])
        .arg(format!("--user-data-dir={}", dir.path().join("browser").display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("--force-device-scale-factor={SCALE}"))
        .arg(format!("--window-size={},{}", WINDOW.0, WINDOW.1))
        .arg(format!("file://{}", html.display()))
        .env_clear()
        .env("HOME", dir.path())
        .envs(workspace::path_variable());
    let ended = process::run(command, BROWSER_LIMIT)?;
    ensure!(ended.code() == Some(0), "{} ended with {:?}: {}", browser.display(), ended.status, ended.stderr);
    fs::read(&picture).with_context(|| format!("read {}, which {} was to write", picture.display(), browser.display()))
}
