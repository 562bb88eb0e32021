/** When a log of frames is legal, as data. {@link frameVerifier} checks it. */

/** One rule of a log of frames. */
export interface FrameRule {
  /** The stable name, which a {@link FrameViolation} gives. */
  readonly rule: FrameRuleName
  /** Short for the same, as in `F02`. */
  readonly id: string
  /** How bad breaking it can be at worst. */
  readonly severity: 'error' | 'warn'
  /** Whether the document says it, it follows from what the document says, or it is an addition. */
  readonly source: 'stated' | 'inferred' | 'added'
  /** What the rule asks for. */
  readonly summary: string
}

/** The names of {@link frameRules}. */
export type FrameRuleName =
  | 'envelope'
  | 'sequence'
  | 'unique-id'
  | 'safe-integer'
  | 'time-order'
  | 'session-lifecycle'
  | 'task-without-session'
  | 'tool-lifecycle'
  | 'tool-timing'
  | 'provider-events'
  | 'checkpoint-before-tool'
  | 'known-checkpoint'
  | 'task-lifecycle'
  | 'execution-mode'
  | 'task-id'
  | 'artifact-identity'
  | 'skill-order'
  | 'stream-alias'
  | 'version-round-trip'
  | 'open-world'

type Facts = Omit<FrameRule, 'rule'>

function facts(id: string, severity: Facts['severity'], source: Facts['source'], summary: string): Facts {
  return { id, severity, source, summary }
}

const factsByName: { readonly [N in FrameRuleName]: Facts } = {
  envelope: facts(
    'F01',
    'error',
    'stated',
    'Every frame has its envelope and the fields of its type. In strict mode `id`, and `session_id` but in task streams, are UUIDs.',
  ),
  sequence: facts(
    'F02',
    'error',
    'stated',
    '`seq` starts at 0 and grows by 1, per session (version 1) or per stream kind and id (version 2).',
  ),
  'unique-id': facts(
    'F03',
    'error',
    'inferred',
    'Ids are unique. A frame that comes again is a repetition (warning); another frame with the same `seq` is a fork.',
  ),
  'safe-integer': facts(
    'F04',
    'error',
    'inferred',
    'Numbers are within their range: at most 2^53-1, exit codes within 32 bits, terminal sizes within 16.',
  ),
  'time-order': facts('F05', 'warn', 'inferred', '`timestamp_ms` does not fall within a stream.'),
  'session-lifecycle': facts(
    'F06',
    'error',
    'stated',
    'A session begins with its one `session_started` and ends with its one `session_ended`, after which nothing comes.',
  ),
  'task-without-session': facts(
    'F07',
    'error',
    'stated',
    'A task stream begins with `tool_task_spawned` and has no `session_…` frames.',
  ),
  'tool-lifecycle': facts(
    'F08',
    'error',
    'inferred',
    'A tool starts once, writes only while it runs, and ends once; none runs when the session ends (warning).',
  ),
  'tool-timing': facts(
    'F09',
    'warn',
    'inferred',
    'A tool runs no longer than its `timeout_ms`, give or take a second.',
  ),
  'provider-events': facts(
    'F10',
    'error',
    'stated',
    'No provider event is left out, and what it carries fits its `status`.',
  ),
  'checkpoint-before-tool': facts(
    'F11',
    'error',
    'stated',
    'An automatic checkpoint names its tool and comes before that tool starts; `files` are relative and stay in the workspace; it is not made after its frame (warning).',
  ),
  'known-checkpoint': facts(
    'F12',
    'warn',
    'inferred',
    '`checkpoint_rewound` names a checkpoint of the stream, by its label, and files that are in it.',
  ),
  'task-lifecycle': facts(
    'F13',
    'error',
    'inferred',
    'A task is spawned once and goes from `queued` to `running` to its end, after which only late output comes (warning); it is cancelled after that was asked for (warning).',
  ),
  'execution-mode': facts(
    'F14',
    'error',
    'stated',
    'Only a task with a terminal is typed into, resized, and writes to `pty`; only one with pipes writes to `stdout` and `stderr`.',
  ),
  'task-id': facts('F15', 'error', 'inferred', 'The `task_id` of a frame is the id of its stream.'),
  'artifact-identity': facts(
    'F16',
    'error',
    'inferred',
    'A `digest` is `algorithm:hex` and stays the same for an artifact; `artifact_refs` name artifacts that were written (warning).',
  ),
  'skill-order': facts(
    'F17',
    'warn',
    'inferred',
    'A skill is loaded before it is invoked, and tools keep to what the skill allows.',
  ),
  'stream-alias': facts(
    'F18',
    'error',
    'stated',
    'In version 2, `session_id` is the `stream_id` wherever it stands.',
  ),
  'version-round-trip': facts(
    'F19',
    'error',
    'added',
    'A frame of version 1 comes back the same from version 2: it has no `stream_id`.',
  ),
  'open-world': facts(
    'F20',
    'warn',
    'stated',
    'Unknown types and stream kinds pass through. Strict mode reports them.',
  ),
}

/** The rules of {@link frameVerifier}, in order. */
export const frameRules: readonly FrameRule[] = Object.entries(factsByName).map(([rule, rest]) => ({
  rule: rule as FrameRuleName,
  ...rest,
}))

/** A rule that is broken. */
export interface FrameViolation {
  /** Which rule. */
  readonly rule: FrameRuleName
  /** `error`: the log is not legal. `warn`: it is odd. */
  readonly severity: 'error' | 'warn'
  /** What is wrong, for people, in English. May change in any release. */
  readonly message: string
  /** The stream, as `<id>` in version 1 and `<kind>/<id>` in version 2. Absent: none can be made out. */
  readonly stream?: string
  /** The number of the frame. Absent: it has none, or none in particular is meant. */
  readonly seq?: number
  /** JSON pointer into the frame. Absent: the whole frame, or the stream. */
  readonly path?: string
  /** What should be there. Absent: no one value. */
  readonly expected?: unknown
  /** What is there. Absent: nothing, or no one value. */
  readonly actual?: unknown
}
