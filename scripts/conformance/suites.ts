/** The suites of the conformance kits. Their order is that of the manifests and of reports. */

/** One suite, without what is read from its files. */
export interface SuiteSource {
  readonly id: string
  readonly level: 'must' | 'should' | 'may'
  /** What it tests, in a few words. */
  readonly about: string
  /** Its files in the folder of the kit, in order. */
  readonly files: readonly string[]
}

/** A suite of one file, `<id>.jsonl`. */
function suite(level: SuiteSource['level'], id: string, about: string): SuiteSource {
  return { id, level, about, files: [`${id}.jsonl`] }
}

/** What readers and servers of events need. */
export const suites: readonly SuiteSource[] = [
  {
    id: 'decode',
    level: 'must',
    about: 'decoding JSON values to events',
    files: ['decode/examples.jsonl', 'decode/cases.jsonl'],
  },
  {
    id: 'verify',
    level: 'must',
    about: 'the rules of legal streams',
    files: ['verify/rules.jsonl', 'verify/legal.jsonl', 'verify/several.jsonl'],
  },
  suite('must', 'cursor', 'event ids'),
  suite('must', 'resume', 'what a reader gets after its last event id'),
  suite('must', 'fold', 'the view of a stream'),
  suite('should', 'sse', 'parsing Server-Sent Events'),
  suite('should', 'wire', 'reading a log over SSE, with losses and resets'),
  suite('should', 'compact', 'merging adjacent deltas'),
  suite('should', 'project', 'what an audience sees of an event'),
  suite('should', 'route', 'who gets an event, and who answers it'),
  suite('should', 'pattern', 'subscription patterns'),
  suite('may', 'thoughts', 'extracting thoughts from text'),
  suite('may', 'thought-events', 'thoughts as event drafts'),
  suite('may', 'json-patch', 'JSON Patch'),
  suite('may', 'merge-patch', 'JSON Merge Patch'),
  suite('may', 'partial-json', 'JSON that is still being written'),
]

/** What only those need who also read or write another format. */
export const formatSuites: readonly SuiteSource[] = [
  {
    id: 'frames-decode',
    level: 'may',
    about: 'decoding event frames',
    files: ['frames-decode/examples.jsonl', 'frames-decode/cases.jsonl'],
  },
  suite('may', 'frames-verify', 'the rules of event frames'),
  suite('may', 'frames-from', 'event frames to events'),
  suite('may', 'frames-to', 'events to event frames'),
  {
    id: 'session-decode',
    level: 'may',
    about: 'decoding session events',
    files: ['session-decode/examples.jsonl', 'session-decode/cases.jsonl'],
  },
  suite('may', 'session-verify', 'the rules of sessions'),
  suite('may', 'session-from', 'session events to events'),
  suite('may', 'session-canonical', 'JSON as Python signs it'),
  suite('may', 'session-signed', 'signed states'),
  {
    id: 'agent-event-decode',
    level: 'may',
    about: 'decoding AgentEvents',
    files: ['agent-event-decode/examples.jsonl', 'agent-event-decode/cases.jsonl'],
  },
  suite('may', 'agent-event-verify', 'the rules of AgentEvents'),
  suite('may', 'agent-event-from', 'AgentEvents to events'),
  suite('may', 'tool-event-decode', 'decoding ToolEvents'),
  suite('may', 'tool-event-verify', 'the rules of ToolEvents'),
  suite('may', 'a2a-to', 'events to A2A 0.3 and 1.0'),
  suite('may', 'a2a-from', 'A2A 0.3 and 1.0 to events'),
  suite('may', 'a2a-validate', 'items that are not A2A'),
  suite('may', 'a2a-verify', 'streams of A2A'),
]

/** The kits by their folders below `conformance/`: of events, and of other formats. */
export const kits: readonly { readonly folder: string; readonly suites: readonly SuiteSource[] }[] = [
  { folder: '', suites },
  { folder: 'formats/', suites: formatSuites },
]
