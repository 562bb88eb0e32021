//! Reads every document through the generated types and writes it again; validates it as well.
//!
//!     client <folder of the version> <documents.json> > results.jsonl
//!
//! Without arguments, it is the adapter of the conformance kit.

mod conform;
mod cursor;
#[allow(dead_code)]
mod events;
mod messages;
mod readers;

use serde::Deserialize;
use serde_json::{json, Value};
use std::{env, fs};

// --- dispatch
/// Reads text as `T` and writes it again.
fn through<T: serde::de::DeserializeOwned + serde::Serialize>(text: &str) -> serde_json::Result<String> {
    serde_json::to_string(&serde_json::from_str::<T>(text)?)
}

fn read_and_write(text: &str) -> serde_json::Result<String> {
    #[derive(Deserialize)]
    struct Envelope {
        kind: String,
    }
    let Envelope { kind } = serde_json::from_str(text)?;
    match readers::reader(&kind) {
        Some(read) => read(text),
        None => Ok(text.to_owned()), // a kind of a later version: keep it as it is
    }
}
// --- end

#[derive(Deserialize)]
struct Document {
    path: String,
    status: String,
    text: String,
}

fn compile(path: String) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if arguments.len() == 1 {
        return conform::conform();
    }
    let normative = compile(format!("{}/events.schema.json", arguments[1]));
    let reader = compile(format!("{}/events.open.schema.json", arguments[1]));
    let documents: Vec<Document> =
        serde_json::from_str(&fs::read_to_string(&arguments[2]).unwrap()).unwrap();
    for Document { path, status, text } in documents {
        let value: Value = serde_json::from_str(&text).unwrap();
        let mut result = json!({
            "path": path,
            "valid": normative.is_valid(&value),
            "open": reader.is_valid(&value),
        });
        if status != "invalid" {
            match read_and_write(&text) {
                Ok(out) => result["out"] = Value::String(out),
                Err(error) => result["error"] = Value::String(error.to_string()),
            }
        }
        println!("{result}");
    }
}
