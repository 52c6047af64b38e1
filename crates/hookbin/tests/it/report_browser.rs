//! The page of `hookbin report` in a real browser, where one is installed: what its document holds, and that nothing is cut off.
//!
//! `HOOKBIN_SCREENSHOTS=DIR` keeps the pictures for a user to look at.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::report::long_session;
use crate::sandbox::Sandbox;

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

/// The browser without a window, a network or anything of the user's.
fn headless(browser: &Path, home: &Path, more: &[String]) -> Command {
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args([
            "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND"])
        .arg(format!("--user-data-dir={}", home.join("browser").display()))
        .args(more)
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stderr(Stdio::null());
    command
}

/// How much wider than its frame a document is, measured by the browser itself in frames of several widths. The page forbids scripts, so
/// the measuring document is another one.
const MEASURE: &str = r#"<!doctype html><body><script>
const page = PAGE;
let left = WIDTHS.length;
for (const width of WIDTHS) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.srcdoc = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  frame.onload = () => {
    const inner = frame.contentDocument;
    for (const details of inner.querySelectorAll("details")) details.open = true;
    const root = inner.documentElement;
    const say = (name, value) => { const p = document.createElement("p"); p.textContent = `${name}@${width}=${value}`; document.body.append(p); };
    say("over", root.scrollWidth - width);
    const cut = [...inner.querySelectorAll("main *")].filter(it => !it.closest(".wide") && !it.closest("svg")
      && it.getClientRects().length && it.getBoundingClientRect().right > width + 1);
    say("cut", cut.length + " " + cut.slice(0, 3).map(it => it.tagName + "." + it.className).join(" "));
    say("scrolls", [...inner.querySelectorAll(".wide")].filter(it => it.scrollWidth > it.clientWidth + 1).length);
    say("bars", inner.querySelectorAll("rect").length);
    say("rows", inner.querySelectorAll("[aria-labelledby=events] li").length);
    if (--left == 0) document.title = "measured";
  };
  document.body.append(frame);
}
</script></body>"#;

#[test]
fn the_page_is_whole_in_a_browser() {
    let Some(browser) = browser() else {
        println!("SKIPPED: no Chromium on PATH, so the page was not looked at in a browser");
        return;
    };
    let sandbox = Sandbox::new();
    long_session(&sandbox.log(), 20_000);
    assert_eq!(sandbox.cli(&["report", "-o", "page.html"]).code, Some(0));
    let url = format!("file://{}", sandbox.path("page.html").display());

    let dump = headless(&browser, &sandbox.home(), &["--dump-dom".to_owned(), url.clone()]).output().unwrap();
    let dom = String::from_utf8_lossy(&dump.stdout);
    assert!(dump.status.success() && dom.contains("</html>"), "{:?}", dump.status);
    // The browser's parser finds the structure that was meant: no element closed early, none opened by text.
    for (what, count) in [
        ("<main", 1),
        ("<nav", 1),
        ("<h1", 1),
        ("<h2", 10),
        ("<svg", 4),
        ("<script", 0),
        ("<ol class=\"list events\">", 10),
    ] {
        assert_eq!(dom.matches(what).count(), count, "{what}");
    }
    assert_eq!(dom.matches("<section aria-label").count(), 11);
    assert_eq!(dom.matches("<table>").count(), dom.matches("<caption>").count());
    for id in ["chain", "timeline", "refusals", "gates", "complexity", "files", "time", "sessions", "faults", "events"]
    {
        assert!(dom.contains(&format!("href=\"#{id}\"")) && dom.contains(&format!("<h2 id=\"{id}\">")), "{id}");
    }

    let page = sandbox.read("page.html");
    let quoted = serde_json::to_string(&page).unwrap().replace("</", "<\\/");
    sandbox.write("measure.html", &MEASURE.replace("WIDTHS", "[360,768,1400]").replace("PAGE", &quoted));
    let url_of_measure = format!("file://{}", sandbox.path("measure.html").display());
    let more = ["--dump-dom".to_owned(), "--virtual-time-budget=20000".to_owned(), url_of_measure];
    let measured = headless(&browser, &sandbox.home(), &more).output().unwrap();
    let measured = String::from_utf8_lossy(&measured.stdout);
    for width in [360, 768, 1400] {
        for (what, wanted) in [("over", "0"), ("cut", "0 "), ("scrolls", "0"), ("rows", "2000")] {
            let said = format!("<p>{what}@{width}={wanted}</p>");
            let found = measured.split("<p>").find(|part| part.starts_with(&format!("{what}@{width}=")));
            assert!(measured.contains(&said), "{what} at {width}: {found:?}");
        }
    }

    let kept = std::env::var_os("HOOKBIN_SCREENSHOTS").map(PathBuf::from);
    let dir = kept.clone().unwrap_or_else(|| sandbox.home());
    for (name, width, dark) in [
        ("narrow-light", 360, false),
        ("narrow-dark", 360, true),
        ("wide-light", 1400, false),
        ("wide-dark", 1400, true),
    ] {
        let picture = dir.join(format!("report-{name}.png"));
        let mut more = vec![
            format!("--screenshot={}", picture.display()),
            format!("--window-size={width},{}", if width < 500 { 12_000 } else { 6_000 }),
        ];
        more.extend(dark.then(|| "--blink-settings=preferredColorScheme=0".to_owned()));
        more.push(url.clone());
        let ran = headless(&browser, &sandbox.home(), &more).stdout(Stdio::null()).status().unwrap();
        assert!(ran.success() && picture.metadata().is_ok_and(|picture| picture.len() > 20_000), "{name}: {ran}");
    }
}
