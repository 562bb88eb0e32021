//! Event ids, and the adapter of the conformance kit for them.

use serde_json::{json, Value};
use std::io::{stdin, BufRead};

// --- cursor
/// How far a reader has read a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Cursor {
    pub stream: String,
    pub epoch: String,
    pub seq: i64,
    pub filter: Option<String>,
}

const MAX_SEQ: i64 = (1 << 53) - 1;

impl Cursor {
    /// The SSE id of an event after which the cursor stands.
    pub fn id(&self) -> String {
        let filter = self.filter.as_ref().map(|filter| format!(":{}", escape(filter)));
        format!("{}:{}:{}{}", escape(&self.stream), escape(&self.epoch), self.seq, filter.unwrap_or_default())
    }

    /// Reads a Last-Event-ID.
    pub fn parse(id: &str) -> Option<Cursor> {
        let parts: Vec<&str> = id.split(':').collect();
        let (stream, epoch, seq, filter) = match parts[..] {
            [stream, epoch, seq] => (stream, epoch, seq, None),
            [stream, epoch, seq, filter] => (stream, epoch, seq, Some(unescape(filter)?)),
            _ => return None,
        };
        let number: i64 = seq.parse().ok()?;
        // Only one spelling of each number: no sign, no leading zero.
        let is_valid = (-1..=MAX_SEQ).contains(&number) && number.to_string() == seq;
        is_valid.then_some(Cursor { stream: unescape(stream)?, epoch: unescape(epoch)?, seq: number, filter })
    }
}

fn escape(part: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte);
    part.bytes().map(|byte| if is_plain(byte) { (byte as char).to_string() } else { format!("~{byte:02X}") }).collect()
}

fn unescape(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = match first {
            b'%' | b'~' => {
                let digits = tail.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
                bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
                &tail[2..]
            }
            b'!'..=b'}' => {
                bytes.push(*first);
                tail
            }
            _ => return None,
        };
    }
    String::from_utf8(bytes).ok().filter(|text| !text.is_empty())
}
// --- end

pub fn conform() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let case: Value = serde_json::from_str(&line).or_else(|_| serde_json::from_str(&without_halves(&line))).unwrap();
        let id = case["input"]["id"].as_str();
        let mut answer = json!({ "name": case["name"] });
        match (case["suite"].as_str(), id) {
            (Some("cursor"), Some(id)) => answer["output"] = output(Cursor::parse(id)),
            _ => answer["unsupported"] = true.into(),
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

fn output(cursor: Option<Cursor>) -> Value {
    let Some(cursor) = cursor else { return json!({ "cursor": null }) };
    let mut fields = json!({ "stream": cursor.stream, "epoch": cursor.epoch, "seq": cursor.seq });
    if let Some(filter) = &cursor.filter {
        fields["filter"] = filter.as_str().into();
    }
    json!({ "cursor": fields, "id": cursor.id() })
}
