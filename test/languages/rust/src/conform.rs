//! The adapter of the conformance kit.

use crate::cursor::{Answer, Cursor, Extent};
use crate::messages::Messages;
use base64::{prelude::BASE64_STANDARD, Engine};
use serde_json::{json, Value};
use std::io::{stdin, BufRead};

pub fn conform() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let case: Value = serde_json::from_str(&line).or_else(|_| serde_json::from_str(&without_halves(&line))).unwrap();
        let input = &case["input"];
        let output = match case["suite"].as_str() {
            Some("cursor") => cursor(input),
            Some("resume") => resume(input),
            Some("sse") => sse(input),
            _ => Value::Null,
        };
        let mut answer = json!({ "name": case["name"] });
        match output {
            Value::Null => answer["unsupported"] = true.into(),
            _ => answer["output"] = output,
        }
        println!("{answer}");
    }
}

/// Rust has no text with half a surrogate pair. As U+FFFD, it is no part of an id either.
fn without_halves(line: &str) -> String {
    let mut parts = line.split("\\ud");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "\\ufffd" + part.get(3..).unwrap_or_default())
}

fn cursor(input: &Value) -> Value {
    let Some(cursor) = input["id"].as_str().and_then(Cursor::parse) else { return json!({ "cursor": null }) };
    let mut fields = json!({ "stream": cursor.stream, "epoch": cursor.epoch, "seq": cursor.seq });
    if let Some(filter) = &cursor.filter {
        fields["filter"] = filter.as_str().into();
    }
    json!({ "cursor": fields, "id": cursor.id() })
}

fn resume(input: &Value) -> Value {
    let log: Extent = serde_json::from_value(input["log"].clone()).unwrap();
    match log.resume(input["lastEventId"].as_str().unwrap_or_default(), input["filter"].as_str()) {
        Answer::Done => json!({ "status": 204 }),
        Answer::Events { after, through } => {
            json!({ "status": 200, "after": after, "through": through, "closed": log.closed })
        }
        Answer::Reset { reason, through } => {
            json!({ "status": 200, "reset": { "reason": reason, "through": through, "earliest": log.earliest } })
        }
    }
}

fn sse(input: &Value) -> Value {
    let mut messages = Messages::default();
    let text = input["text"].as_str().map(|text| text.as_bytes().to_vec());
    let body = text.unwrap_or_else(|| BASE64_STANDARD.decode(input["base64"].as_str().unwrap()).unwrap());
    let found = messages.feed(&body);
    let mut output = json!({ "messages": found, "lastEventId": messages.last_event_id });
    if let Some(retry) = messages.retry {
        output["retry"] = retry.into();
    }
    output
}
