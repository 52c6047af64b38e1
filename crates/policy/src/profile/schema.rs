//! The JSON schema of a configuration file, from the types that read it.

use hook_protocol::event::EventName;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::raw::Keys;
use crate::check::KINDS;
use crate::rule::UserRule;
use crate::verdict::FailMode;

/// The JSON schema of `hookbin.toml`: its keys, rules, handlers, changes, and the settings of every check. What the reader takes fits it;
/// what the values of settings have to do with each other it does not say.
pub fn schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let mut root = Keys::json_schema(&mut generator);
    let rule = generator.subschema_for::<UserRule>();
    let on_error = generator.subschema_for::<FailMode>();
    let mut steps = Map::new();
    let mut needs = Map::new();
    for kind in KINDS {
        let (step, required) = step(kind.about, (kind.schema)(&mut generator));
        steps.insert(format!("step.{}", kind.name), step.to_value());
        needs.insert(kind.name.to_owned(), required);
    }
    let own = json!({
        "rule": { "type": "array", "items": rule, "description": "Rules of one's own, one table each." },
        "handler": {
            "type": "array",
            "items": handler(&on_error, &needs),
            "description": "Handlers of one's own, one table each.",
        },
        "change": {
            "type": "object",
            "additionalProperties": change(&on_error),
            "description": "What is different about handlers of the profiles, by handler name.",
        },
    });
    extend(&mut root, "properties", own);
    let mut definitions = generator.take_definitions(true);
    definitions.append(&mut steps);
    definitions.insert("step".to_owned(), renamed_step(&needs));
    root.insert("$defs".to_owned(), definitions.into());
    root.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    root.insert("title".to_owned(), "hookbin.toml".into());
    root.remove("description");
    root.to_value()
}

fn extend(schema: &mut Schema, key: &str, more: Value) {
    let known = schema.ensure_object().entry(key).or_insert_with(|| json!({}));
    if let (Value::Object(known), Value::Object(mut more)) = (known, more) {
        known.append(&mut more);
    }
}

/// The settings of a step, and those of them that a handler has to give.
fn step(about: &str, mut settings: Schema) -> (Schema, Value) {
    let required = settings.remove("required").unwrap_or_else(|| json!([]));
    extend(
        &mut settings,
        "properties",
        json!({
            "check": { "type": "string", "description": "The check, where the step has another name." },
            "enabled": { "type": "boolean", "description": "Whether the step is asked; for changes." },
        }),
    );
    settings.insert("description".to_owned(), format!("This check {about}.").into());
    (settings, required)
}

/// The settings of the check called `name`, with those that it needs.
fn whole(name: &str, needs: &Value) -> Value {
    json!({ "$ref": format!("#/$defs/step.{name}"), "required": needs })
}

/// A step that says which check it is.
fn renamed_step(needs: &Map<String, Value>) -> Value {
    let names: Vec<&String> = needs.keys().collect();
    let each = needs.iter().map(
        |(name, needs)| json!({ "if": { "properties": { "check": { "const": name } } }, "then": whole(name, needs) }),
    );
    json!({
        "type": "object",
        "required": ["check"],
        "properties": { "check": { "enum": names } },
        "allOf": each.collect::<Vec<_>>(),
    })
}

fn handler(on_error: &Schema, needs: &Map<String, Value>) -> Value {
    let events: Vec<&str> = EventName::ALL.iter().map(EventName::as_str).collect();
    let texts = |about: &str| json!({ "type": "array", "items": { "type": "string" }, "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    let mut properties: Map<String, Value> = needs
        .iter()
        .map(|(name, needs)| {
            let settings = json!({
                "if": { "type": "object", "required": ["check"] },
                "then": { "$ref": "#/$defs/step" },
                "else": whole(name, needs),
            });
            (name.clone(), settings)
        })
        .collect();
    let keys = json!({
        "name": text("Its name, unique in the profile."),
        "on": { "type": "array", "items": { "enum": events }, "description": "The events that it answers." },
        "steps": texts("Its steps in order: names of checks, or of tables of the handler that name one."),
        "about": text("What it is for."),
        "layer": text("The part of a document that it belongs to."),
        "tools": texts("The tools that it serves, where `*` stands for any text; none means all."),
        "on_error": on_error,
        "before": text("The handler of another profile before which this one is asked."),
        "instead_of": text("The handler of an extended profile that this one does the work of."),
    });
    if let Value::Object(mut keys) = keys {
        properties.append(&mut keys);
    }
    json!({
        "type": "object",
        "required": ["name", "on", "steps"],
        "properties": properties,
        "additionalProperties": { "$ref": "#/$defs/step" },
    })
}

fn change(on_error: &Schema) -> Value {
    let steps =
        KINDS.iter().map(|kind| (kind.name.to_owned(), json!({ "$ref": format!("#/$defs/step.{}", kind.name) })));
    let mut properties: Map<String, Value> = steps.collect();
    properties
        .insert("enabled".to_owned(), json!({ "type": "boolean", "description": "Whether the handler is asked." }));
    properties.insert("tools".to_owned(), json!({ "type": "array", "items": { "type": "string" } }));
    properties.insert("on_error".to_owned(), on_error.clone().to_value());
    // A step of another name may be any check.
    json!({ "type": "object", "properties": properties, "additionalProperties": { "type": "object" } })
}
