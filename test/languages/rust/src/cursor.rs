//! Event ids, and what a reader gets after one.

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

// --- resume
/// What a log has: the events from `earliest` to `next - 1`.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Extent {
    pub stream: String,
    pub epoch: String,
    pub earliest: i64,
    pub next: i64,
    pub closed: bool,
}

/// What a reader gets.
pub enum Answer {
    /// The log is closed and the reader has all of it: status 204.
    Done,
    /// The events after `after`, up to `through`.
    Events { after: i64, through: i64 },
    /// A reset: the events after the cursor cannot be given.
    Reset { reason: &'static str, through: i64 },
}

impl Extent {
    /// Answers a reader that comes with a Last-Event-ID, or with an empty one.
    pub fn resume(&self, last_event_id: &str, filter: Option<&str>) -> Answer {
        let through = self.next - 1;
        let cursor = Cursor::parse(last_event_id);
        let reason = match &cursor {
            None if !last_event_id.is_empty() => "malformed",
            Some(cursor) if cursor.stream != self.stream => "unknown-stream",
            Some(cursor) if cursor.epoch != self.epoch => "epoch-changed",
            Some(cursor) if cursor.filter.as_deref() != filter => "filter-changed",
            Some(cursor) if cursor.seq > through => "ahead",
            _ if cursor.as_ref().map_or(-1, |cursor| cursor.seq) + 1 < self.earliest => "evicted",
            Some(cursor) if self.closed && cursor.seq == through => return Answer::Done,
            _ => return Answer::Events { after: cursor.map_or(-1, |cursor| cursor.seq), through },
        };
        Answer::Reset { reason, through }
    }
}
// --- end
