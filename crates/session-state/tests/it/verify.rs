//! How documents stand.

use hook_session_state::{Report, Standing};

use crate::support::{Home, read_file, session};

#[test]
fn every_document_is_named_with_its_standing_and_nothing_changes() {
    let home = Home::new();
    assert!(home.store.verify().unwrap().is_empty());
    assert!(home.store.sessions().unwrap().is_empty());

    home.put("sessions/aside.json", "{");
    home.store.lock().unwrap().session(&session("aside")).unwrap();
    read_file(&mut home.store.lock().unwrap(), &session("good"), "call", "/f");
    home.put("sessions/broken.json", "[");
    home.put("sessions/newer.json", "{\"version\":2}");
    home.put("sessions/foreign.json", "{\"version\":3,\"activity\":7}");
    home.put("sessions/no id.json", "not the store's");
    home.put("project.json", "{}");
    home.put("project.json.damaged-20260101T000000Z", "x");
    home.put("STATUS.txt", "a view");
    let names = home.names();

    let reports = home.store.verify().unwrap();
    let found: Vec<(&str, String)> = reports
        .iter()
        .map(|Report { name, standing, .. }| (name.split(".damaged-").next().unwrap(), standing.to_string()))
        .collect();
    assert_eq!(
        found,
        [
            ("project.json", "whole".to_owned()),
            ("project.json", "quarantined earlier because it was damaged".to_owned()),
            ("sessions/aside.json", "quarantined earlier because it was damaged".to_owned()),
            ("sessions/broken.json", found[3].1.clone()),
            ("sessions/foreign.json", "of a newer version (3) that this one cannot read".to_owned()),
            ("sessions/good.json", "whole".to_owned()),
            ("sessions/newer.json", "whole, written by a newer version (2)".to_owned()),
        ]
    );
    assert!(matches!(&reports[3].standing, Standing::Damaged { reason } if !reason.is_empty()));
    assert_eq!(home.names(), names);
    let ids: Vec<String> = home.store.sessions().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(ids, ["broken", "foreign", "good", "newer"]);
}
