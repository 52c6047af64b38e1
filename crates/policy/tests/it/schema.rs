//! The JSON schema of a configuration file takes what the reader takes, and refuses what it refuses.

use hook_policy::check::KINDS;
use hook_policy::profile::{RawProfile, schema};
use serde_json::{Value, json};

/// What does not fit, with its place. Knows the words that the schema uses, and fails on another one.
fn unfit(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let fits = |schema: &Value| {
        let mut inner = Vec::new();
        unfit(root, schema, value, at, &mut inner);
        inner.is_empty()
    };
    let Value::Object(words) = schema else {
        if schema == &json!(false) {
            found.push(format!("{at}: nothing is taken here"));
        }
        return;
    };
    let mut must = |holds: bool, why: String| {
        if !holds {
            found.push(format!("{at}: {why}"));
        }
    };
    for (word, said) in words {
        let list = || said.as_array().unwrap();
        match word.as_str() {
            "type" => {
                let one = |name: &Value| match name.as_str().unwrap() {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("type {other}"),
                };
                must(said.as_array().map_or_else(|| one(said), |names| names.iter().any(one)), format!("no {said}"));
            }
            "enum" => must(list().contains(value), format!("{value} is none of {said}")),
            "const" => must(said == value, format!("{value} is not {said}")),
            "minimum" => must(value.as_i64() >= said.as_i64(), format!("{value} is less than {said}")),
            "maximum" => must(value.as_i64() <= said.as_i64(), format!("{value} is more than {said}")),
            "required" if value.is_object() => {
                let missing: Vec<&Value> =
                    list().iter().filter(|key| value.get(key.as_str().unwrap()).is_none()).collect();
                must(missing.is_empty(), format!("{missing:?} missing"));
            }
            "anyOf" => must(list().iter().any(fits), format!("{value} fits none")),
            "oneOf" => {
                must(list().iter().filter(|one| fits(one)).count() == 1, format!("{value} fits none, or several"));
            }
            // Looked at below, or for people only.
            "if"
            | "then"
            | "else"
            | "properties"
            | "additionalProperties"
            | "items"
            | "allOf"
            | "$ref"
            | "required"
            | "description"
            | "default"
            | "title"
            | "format"
            | "$schema"
            | "$defs" => {}
            other => panic!("the schema says {other}"),
        }
    }
    let inner =
        |schema: &Value, value: &Value, at: &str, found: &mut Vec<String>| unfit(root, schema, value, at, found);
    for part in words.get("allOf").into_iter().flat_map(|all| all.as_array().unwrap()) {
        inner(part, value, at, found);
    }
    if let Some(name) = words.get("$ref") {
        let target = root.pointer(name.as_str().unwrap().trim_start_matches('#')).unwrap();
        inner(target, value, at, found);
    }
    if let Some(condition) = words.get("if") {
        let branch = if fits(condition) { "then" } else { "else" };
        words.get(branch).into_iter().for_each(|branch| inner(branch, value, at, found));
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        let known = words.get("properties").and_then(|known| known.get(key)).or(words.get("additionalProperties"));
        if let Some(schema) = known {
            inner(schema, value, &format!("{at}.{key}"), found);
        }
    }
    for value in value.as_array().into_iter().flatten() {
        words.get("items").into_iter().for_each(|schema| inner(schema, value, at, found));
    }
}

fn faults(text: &str) -> Vec<String> {
    let schema = schema();
    let value: toml::Table = toml::from_str(text).unwrap();
    let mut found = Vec::new();
    unfit(&schema, &schema, &serde_json::to_value(value).unwrap(), "", &mut found);
    found
}

#[test]
fn every_built_in_profile_fits() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/profiles");
    let Ok(files) = std::fs::read_dir(dir) else {
        println!("SKIPPED: there are no profiles beside this package");
        return;
    };
    let mut read = 0;
    for file in files {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(faults(&text), [""; 0], "{}", path.display());
        // A change does not say which check a step is, so the schema goes by its name.
        let table: toml::Table = toml::from_str(&text).unwrap();
        let handlers = table.get("handler").and_then(toml::Value::as_array).into_iter().flatten();
        for (step, settings) in handlers.flat_map(|handler| handler.as_table().unwrap()) {
            let check = settings.get("check").and_then(toml::Value::as_str);
            assert!(check.is_none() || KINDS.iter().all(|kind| kind.name != step), "{step} is another check");
        }
        read += 1;
    }
    assert!(read > 5, "{read}");
}

const HANDLER: &str = "[[handler]]\nname = \"h\"\non = [\"Stop\"]\n";

#[test]
fn what_a_person_writes_fits() {
    for text in [
        "profile = \"spf\"\n[log]\nkeep = 3\n[fallback]\nStop = \"x\"\n",
        "profile = [\"spf\", \"sane\"]\n[complexity]\nmatching = \"raw\"\n[[complexity.signal]]\nid = \"a\"\nscore = 1\n",
        "[change.x]\nenabled = false\non_error = \"ask\"\n[change.x.redirect]\nenabled = false\n[change.x.other]\nfoo = 1\n",
        "[change.guard.guard.severity]\nsecrets = \"deny\"\n",
        "[[rule]]\nid = \"a\"\nprogram = [\"a\", \"b\"]\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"a\"]\nshould_not_match = [\"c\"]\n[rule.when]\nin_subagent = true\n",
        &format!("{HANDLER}steps = [\"memory\"]\n"),
        // A step of another name, and one that has the name of another check.
        &format!("{HANDLER}steps = [\"told\"]\n[handler.told]\ncheck = \"line\"\nfile = \"f\"\ntext = \"t\"\n"),
        &format!("{HANDLER}steps = [\"observe\"]\n[handler.observe]\ncheck = \"line\"\nfile = \"f\"\ntext = \"t\"\n"),
    ] {
        assert_eq!(faults(text), [""; 0], "{text}");
    }
}

#[test]
fn what_the_reader_refuses_does_not_fit() {
    for (text, said) in [
        ("profil = \"spf\"\n".to_owned(), ".profil: nothing"),
        ("profile = 3\n".to_owned(), ".profile: 3 fits none"),
        ("on_unreadable = \"perhaps\"\n".to_owned(), ".on_unreadable"),
        ("[log]\nkeep = -1\n".to_owned(), ".log.keep"),
        ("[change.x]\nenabled = \"no\"\n".to_owned(), ".change.x.enabled"),
        ("[change.x.redirect]\nmassage = \"x\"\n".to_owned(), ".change.x.redirect.massage: nothing"),
        (
            "[[rule]]\nid = \"a\"\nthen = \"deny\"\nreason = \"r\"\nshould_match = [\"a\"]\n".to_owned(),
            "should_not_match",
        ),
        (format!("{HANDLER}steps = [\"line\"]\n[handler.line]\nfile = \"f\"\n"), "\"text\""),
        (format!("{HANDLER}steps = [\"a\"]\n[handler.a]\ncheck = \"line\"\nfile = \"f\"\n"), "\"text\""),
        (format!("{HANDLER}steps = [\"a\"]\n[handler.a]\ncheck = \"lime\"\n"), "\"lime\""),
        ("[[handler]]\nname = \"h\"\non = [\"Stopp\"]\nsteps = []\n".to_owned(), "\"Stopp\""),
    ] {
        let found = faults(&text);
        assert!(found.iter().any(|fault| fault.contains(said)), "{text}: {found:?}");
    }
    // The reader agrees about those that it can judge by itself.
    assert!(!RawProfile::parse("a", "profil = \"spf\"\n").faults().is_empty());
}

/// An editor shows what it finds beside a key.
#[test]
fn every_setting_of_every_check_is_described_with_its_default() {
    let schema = schema();
    for kind in KINDS {
        let step = &schema["$defs"][format!("step.{}", kind.name)];
        assert_eq!(step["description"], format!("This check {}.", kind.about));
        for name in kind.settings() {
            let setting = &step["properties"][name];
            assert!(
                setting["description"].as_str().is_some_and(|said| said.len() > 8),
                "{} {name}: {setting}",
                kind.name
            );
        }
        assert_eq!(step["properties"].as_object().unwrap().len(), kind.settings().len() + 2, "{}", kind.name);
    }
    assert_eq!(schema["$defs"]["step.code-review"]["properties"]["from_lines"]["default"], 20);
    assert_eq!(schema["properties"]["agent_proof"]["type"][0], "boolean");
}
