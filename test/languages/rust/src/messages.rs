//! Server-Sent Events.

use std::mem::take;

// --- messages
/// One message. `id` is the last event id at it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Message {
    pub event: String,
    pub data: String,
    pub id: String,
}

/// The body of one connection.
#[derive(Default)]
pub struct Messages {
    /// For the next connection: messages without data move it too.
    pub last_event_id: String,
    /// Milliseconds to wait before the next connection, if the server sent any.
    pub retry: Option<u64>,
    id: String,
    event: String,
    data: Vec<String>,
    line: Vec<u8>,
    is_started: bool,
    follows_cr: bool,
}

impl Messages {
    /// A connection that was opened with this id, or with none if it is empty.
    pub fn after(last_event_id: &str) -> Messages {
        Messages { last_event_id: last_event_id.into(), id: last_event_id.into(), ..Messages::default() }
    }

    /// The messages that a piece of the body completes.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Message> {
        let mut found = Vec::new();
        for &byte in piece {
            let is_second = self.follows_cr && byte == b'\n';
            self.follows_cr = byte == b'\r';
            match byte {
                b'\r' | b'\n' if !is_second => found.extend(self.end_line()),
                b'\n' => {}
                _ => self.line.push(byte),
            }
        }
        found
    }

    fn end_line(&mut self) -> Option<Message> {
        let bytes = take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = if self.is_started { &text } else { text.strip_prefix('\u{feff}').unwrap_or(&text) };
        self.is_started = true;
        if line.is_empty() {
            self.last_event_id = self.id.clone();
            let (event, data) = (take(&mut self.event), take(&mut self.data));
            let event = if event.is_empty() { "message".into() } else { event };
            return (!data.is_empty()).then(|| Message { event, data: data.join("\n"), id: self.id.clone() });
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => self.event = value.into(),
            "data" => self.data.push(value.into()),
            "id" if !value.contains('\0') => self.id = value.into(),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => self.retry = value.parse().ok().or(self.retry),
            _ => {}
        }
        None
    }
}
// --- end
