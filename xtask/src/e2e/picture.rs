//! What the pictures of the documents show: the real client at a terminal when a call is refused, and the report of its sessions.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::client::{Client, MARK};
use super::drive::drive;
use super::place::{Place, Tools};
use super::play::{start_inside, write};
use super::scenario::{self, Scenario};
use super::stub::Stub;
use crate::process;

/// The scenario, and the name of its project's directory.
const SCENARIO: &str = "pictures/shop.toml";
const PROJECT: &str = "shop";

/// The home directory that the pictures show.
pub(crate) const HOME: &str = "/home/user";

/// Names in the home directory.
const SCREEN: &str = ".tmp/screen.ansi";
const REPORT: &str = ".tmp/report.html";

/// What is played.
#[derive(Serialize, Deserialize)]
struct Plan {
    hookbin: PathBuf,
    client: Client,
}

/// What was seen.
pub(crate) struct Seen {
    /// The home directory that stands on both. It is as long as [`HOME`], so that all keeps its place when that is put for it.
    pub(crate) home: String,
    /// The terminal at the moment of the refusal.
    pub(crate) screen: vt100::Screen,
    /// The page of `hookbin report`.
    pub(crate) report: String,
}

/// Plays the scenario with this client, in a network that has only loopback where the system allows that.
pub(crate) fn see(hookbin: &Path, client: &Client) -> Result<Seen> {
    // `/tmp/` and five characters.
    let home =
        tempfile::Builder::new().prefix("").rand_bytes(5).tempdir_in("/tmp").context("create a home directory")?;
    let name = home.path().display().to_string();
    if name.len() != HOME.len() {
        bail!("the home directory {name} is not as long as {HOME}, so the picture would be another one");
    }
    start_inside("picture", home.path(), &Plan { hookbin: hookbin.to_owned(), client: client.clone() })?;
    let read = |name: &str| {
        let path = home.path().join(name);
        fs::read(&path).with_context(|| format!("read {}", path.display()))
    };
    let (lines, columns) = scenario()?.runs.last().context("the scenario has no run")?.screen;
    let mut terminal = vt100::Parser::new(lines, columns, 0);
    terminal.process(&read(SCREEN)?);
    let report = String::from_utf8(read(REPORT)?).context("read the report")?;
    Ok(Seen { home: name, screen: terminal.screen().clone(), report })
}

fn scenario() -> Result<Scenario> {
    scenario::read(&scenario::dir().join(SCENARIO))
}

/// Plays the plan here: the directory is the home of the user.
pub(crate) fn play(path: &Path, home: &Path) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let Plan { hookbin, client } = serde_json::from_str(&text).with_context(|| format!("read {}", path.display()))?;
    let harness = crate::workspace::this_program()?;
    let mut place = Place::in_home(home, PROJECT)?;
    let scenario = scenario()?.at(&place.project, &harness, false)?;
    place.fill(&scenario, &Tools { hookbin: &hookbin, harness: &harness }, None)?;
    let stub = Stub::start(&scenario.agents)?;
    let mark = place.project.display().to_string();
    let mut screen = None;
    for run in &scenario.runs {
        stub.script(&run.turns);
        let mut command = client.command();
        command.current_dir(&place.project).env_clear().envs(place.environment(&scenario, stub.port, &mark));
        let ran = drive(command, run)?;
        if let Some(text) = ran.stuck {
            bail!("{text:?} never stood on the screen; at last there was\n{}", ran.printed);
        }
        screen = ran.screen.or(screen);
    }
    process::end_leftovers(MARK, &mark);
    let screen = screen.context("no run was in a terminal")?;
    fs::write(home.join(SCREEN), screen.contents_formatted()).context("write the screen")?;
    write(&home.join(REPORT), &place.human(&hookbin, &["report", "-o", "-"])?)
}
