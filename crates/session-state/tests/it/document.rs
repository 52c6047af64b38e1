//! Documents: what survives a rewrite, what a newer version's looks like to this one, and what happens to a damaged one.

use hook_session_state::{Activity, Error, MAX_TRACKED, SessionId};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{Home, read_file, session};

/// Any JSON value, as text: numbers keep their spelling, which a parsed value would not.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?",
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let name = any::<String>().prop_map(|name| serde_json::to_string(&name).unwrap());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec((name, inner), 0..4).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(name, value)| format!("{name} :\t{value}")).collect();
                format!("{{\n{}\n}}", members.join(","))
            }),
        ]
    })
}

/// Members with names that no version of the store knows.
fn members() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = any::<String>().prop_map(|name| serde_json::to_string(&format!("x-{name}")).unwrap());
    prop::collection::vec((name, json()), 0..5)
}

fn joined(members: &[(String, String)]) -> String {
    members.iter().flat_map(|(name, value)| [", ", name, ": ", value]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Unknown members, in the document and in the section, come back in their order and with every byte of their values.
    #[test]
    fn unknown_members_survive_a_rewrite(top in members(), inner in members()) {
        let home = Home::new();
        let id = session("s");
        let text = format!(
            "{{\"version\": 1 {} , \"activity\": {{\"action_count\": 7 {}}}}}",
            joined(&top), joined(&inner),
        );
        home.put("sessions/s.json", &text);
        read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");

        let after = home.read("sessions/s.json");
        let value: Value = serde_json::from_str(&after).unwrap();
        prop_assert_eq!(&value["activity"]["action_count"], &Value::from(8));
        for members in [&top, &inner] {
            let expected: String = members.iter().flat_map(|(name, value)| [",", name, ":", value]).collect();
            prop_assert!(after.contains(&expected), "{} lacks {}", after, expected);
        }
    }

    /// A list holds the last 200 entries in order, and the count goes on.
    #[test]
    fn a_list_shows_the_last_entries_and_counts_all(sizes in prop::collection::vec(0_usize..150, 1..5)) {
        let home = Home::new();
        let id = session("s");
        let mut all: Vec<String> = Vec::new();
        for size in sizes {
            let mut locked = home.store.lock().unwrap();
            let mut document = locked.session(&id).unwrap().value;
            for _ in 0..size {
                let file = format!("/dir \"{}\"\\\u{7}é", all.len());
                document.activity_mut().files_written.push(&file);
                all.push(file);
            }
            locked.save(&document).unwrap();
        }
        let document = home.document(&id);
        let written = &document.activity().files_written;
        let last = all.get(all.len().saturating_sub(MAX_TRACKED)..).unwrap();
        prop_assert_eq!(written.total(), all.len() as u64);
        prop_assert_eq!(written.last(usize::MAX), last);
        prop_assert_eq!(written.last(3), last.get(last.len().saturating_sub(3)..).unwrap());
        let value: Value = serde_json::from_str(&document.to_json()).unwrap();
        prop_assert_eq!(value["activity"]["files_written"].as_array().unwrap().len(), last.len());
        let total = value["activity"].get("files_written_total").and_then(Value::as_u64);
        prop_assert_eq!(total, (all.len() > last.len()).then_some(all.len() as u64));
    }
}

#[test]
fn an_activity_comes_back_as_it_was_saved() {
    let home = Home::new();
    let id = session("s");
    let mut locked = home.store.lock().unwrap();
    let mut document = locked.session(&id).unwrap().value;
    let mut activity = Activity::fresh("2026-08-18 09:05:03", Some("startup"));
    activity.action_count = u64::MAX;
    activity.last_tool = Some("Ba\"sh\n".to_owned());
    activity.last_result = Some("failure".to_owned());
    activity.last_file = Some("/f".to_owned());
    activity.last_stop = Some("2026-08-18 09:06:00".to_owned());
    activity.ended = Some("2026-08-18 09:07:00".to_owned());
    activity.end_reason = Some("other".to_owned());
    activity.files_read.extend(["/a", "/b"]);
    document.set_activity(activity);
    locked.save(&document).unwrap();

    let found = home.document(&id);
    let found = found.activity();
    assert_eq!(found.action_count, u64::MAX);
    assert_eq!(found.last_tool.as_deref(), Some("Ba\"sh\n"));
    assert_eq!(found.last_result.as_deref(), Some("failure"));
    assert_eq!(found.last_file.as_deref(), Some("/f"));
    assert_eq!(found.started.as_deref(), Some("2026-08-18 09:05:03"));
    assert_eq!(found.source.as_deref(), Some("startup"));
    assert_eq!(found.last_stop.as_deref(), Some("2026-08-18 09:06:00"));
    assert_eq!(found.ended.as_deref(), Some("2026-08-18 09:07:00"));
    assert_eq!(found.end_reason.as_deref(), Some("other"));
    assert_eq!(found.files_read.last(10), ["/a", "/b"]);
}

#[test]
fn sections_are_set_kept_and_removed_by_name() {
    let home = Home::new();
    let id = session("s");
    let mut locked = home.store.lock().unwrap();
    let mut document = locked.session(&id).unwrap().value;
    document.set_section_raw("breaker", "{\"failures\": 3}").unwrap();
    document.set_section_raw("research", "[1, 2]").unwrap();
    locked.save(&document).unwrap();
    let mut document = locked.session(&id).unwrap().value;
    assert_eq!(document.section_names().collect::<Vec<_>>(), ["breaker", "research"]);
    assert_eq!(document.section_raw("breaker"), Some("{\"failures\": 3}"));
    document.set_section_raw("breaker", "null").unwrap();
    document.remove_section("research");
    locked.save(&document).unwrap();
    let document = locked.session(&id).unwrap().value;
    assert_eq!(document.section_raw("breaker"), Some("null"));
    assert_eq!(document.section_raw("research"), None);
    for (name, json) in
        [("version", "1"), ("activity", "{}"), ("pending", "[]"), ("__sig__", "\"\""), ("x", "{"), ("x", "1 2")]
    {
        let error = document.clone().set_section_raw(name, json).unwrap_err();
        assert!(matches!(error, Error::Section { .. }), "{name} {json}");
    }
}

#[test]
fn the_project_document_keeps_its_sections_and_names_no_session() {
    let home = Home::new();
    home.put("project.json", "{\"version\":1,\"later\":{\"a\":1.50},\"activity\":[]}");
    let mut locked = home.store.lock().unwrap();
    let loaded = locked.project().unwrap();
    assert!(loaded.existed);
    let mut project = loaded.value;
    project.set_section_raw("breaker", "{}").unwrap();
    locked.save_project(&project).unwrap();
    assert_eq!(home.read("project.json"), "{\"version\":1,\"later\":{\"a\":1.50},\"activity\":[],\"breaker\":{}}\n");
    let project = home.store.read_project().unwrap().unwrap();
    assert_eq!(project.section_names().collect::<Vec<_>>(), ["later", "activity", "breaker"]);
}

#[test]
fn a_document_of_a_newer_version_is_kept_and_stays_of_its_version() {
    let home = Home::new();
    let id = session("s");
    home.put(
        "sessions/s.json",
        "{\"version\":2,\"new\":{\"deep\":[{}]},\"activity\":{\"action_count\":4,\"pace\":[1]},\"other\":0}",
    );
    read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
    let value: Value = serde_json::from_str(&home.read("sessions/s.json")).unwrap();
    assert_eq!(value["version"], 2);
    assert_eq!(value["new"], serde_json::json!({"deep": [{}]}));
    assert_eq!(value["activity"]["action_count"], 5);
    assert_eq!(value["activity"]["pace"], serde_json::json!([1]));
    assert_eq!(value["other"], 0);
    assert_eq!(home.document(&id).version(), 2);
}

#[test]
fn a_newer_version_that_cannot_be_read_is_left_alone() {
    let home = Home::new();
    let id = session("s");
    let text = "{\"version\":9,\"activity\":{\"action_count\":\"many\"}}";
    home.put("sessions/s.json", text);
    home.put("project.json", "{\"version\":9}");
    let mut locked = home.store.lock().unwrap();
    assert!(matches!(locked.session(&id).unwrap_err(), Error::Foreign { version: 9, .. }));
    assert!(matches!(home.store.read_session(&id).unwrap_err(), Error::Foreign { version: 9, .. }));
    assert!(locked.first_time(&id, hook_session_state::Kind::Event, "call").is_err());
    assert_eq!(home.read("sessions/s.json"), text);
    assert_eq!(locked.project().unwrap().value.version(), 9);
}

/// Texts that are no document: each is quarantined with every byte, and a fresh one begins.
#[test]
fn a_damaged_document_is_set_aside_and_reported() {
    let cases: Vec<String> = serde_json::from_str(include_str!("../data/damaged.json")).unwrap();
    assert!(cases.len() > 10);
    let mut cases: Vec<Vec<u8>> = cases.into_iter().map(String::into_bytes).collect();
    cases.push(b"{\"version\":1,\"note\":\"\xff\"}".to_vec());
    for case in cases {
        let shown = String::from_utf8_lossy(&case).into_owned();
        let home = Home::new();
        let id = session("s");
        read_file(&mut home.store.lock().unwrap(), &id, "before", "/before");
        home.put("sessions/s.json", &case);

        assert!(matches!(home.store.read_session(&id).unwrap_err(), Error::Damaged { .. }), "{shown}");
        let mut locked = home.store.lock().unwrap();
        let loaded = locked.session(&id).unwrap();
        let aside = loaded.damaged.expect(&shown);
        assert!(!loaded.existed && loaded.value.activity().action_count == 0, "{shown}");
        assert_eq!(std::fs::read(&aside).unwrap(), case);
        let name = aside.file_name().unwrap().to_str().unwrap();
        let stamp = name.strip_prefix("s.json.damaged-").unwrap();
        assert!(stamp.len() == 16 && stamp.ends_with('Z'), "{name}");
        // What the damaged one had counted nothing lists any more, so it counts as new.
        assert!(read_file(&mut locked, &id, "before", "/before"));
        drop(locked);
        assert_eq!(home.document(&id).activity().files_read.last(9), ["/before"]);
    }
}

#[test]
fn damaged_copies_are_never_overwritten_and_only_five_stay() {
    let home = Home::new();
    let id = session("s");
    let asides: Vec<_> = (0..8)
        .map(|number| {
            home.put("sessions/s.json", format!("damaged {number}"));
            home.store.lock().unwrap().session(&id).unwrap().damaged.unwrap()
        })
        .collect();
    let mut distinct = asides.clone();
    distinct.sort();
    distinct.dedup();
    assert!(distinct.len() >= 5);
    assert_eq!(home.names().iter().filter(|name| name.contains(".damaged-")).count(), 5);
    assert_eq!(std::fs::read_to_string(asides.last().unwrap()).unwrap(), "damaged 7");
}

#[test]
fn a_document_may_be_as_deep_as_it_likes() {
    let home = Home::new();
    let id = session("s");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    home.put("sessions/s.json", format!("{{\"deep\":{deep},\"activity\":{{\"deeper\":{deep}}}}}"));
    read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
    let after = home.read("sessions/s.json");
    assert!(after.contains(&format!("\"deep\":{deep}")) && after.contains(&format!("\"deeper\":{deep}")));
    assert_eq!(home.document(&id).activity().action_count, 1);
}

#[test]
fn an_unpaired_surrogate_in_a_list_survives() {
    let home = Home::new();
    let id: SessionId = session("s");
    home.put("sessions/s.json", "{\"activity\":{\"files_read\":[\"/\\ud800\"]}}");
    read_file(&mut home.store.lock().unwrap(), &id, "call", "/f");
    assert!(home.read("sessions/s.json").contains("[\"/\\ud800\",\"/f\"]"));
    assert_eq!(home.document(&id).activity().files_read.last(2), ["/\\ud800", "/f"]);
}
