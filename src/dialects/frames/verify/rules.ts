/** When a log of frames is legal, as data. */

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

/** One rule of a log of frames. */
export interface FrameRule {
  /** Stable, for programs. */
  readonly rule: FrameRuleName
  /** Short for the same: `F01` to `F20`. */
  readonly id: string
  /** How bad breaking it is; where the summary says “warn” after a part, that part is less bad. */
  readonly severity: 'error' | 'warn'
  /** What the rule asks for. */
  readonly summary: string
}

/** A rule that is broken. */
export interface FrameViolation {
  /** Which rule. */
  readonly rule: FrameRuleName
  /** `error`: the log is not legal. `warn`: it is odd. */
  readonly severity: 'error' | 'warn'
  /** What the rule asks for, or what is wrong with a frame that is none. For people; may change. */
  readonly message: string
  /** The stream, as `<id>` in version 1 and `<kind>/<id>` in version 2. Absent: none can be made out. */
  readonly stream?: string
  /** The number of the frame. Absent: it has none, or the end of the log is meant. */
  readonly seq?: number
  /** JSON pointer into the frame. Absent: the whole frame, or the stream. */
  readonly path?: string
  /** What should be there. Absent: no one value. */
  readonly expected?: unknown
  /** What is there. Absent: nothing. */
  readonly actual?: unknown
}

const summaries: { readonly [N in FrameRuleName]: string } = {
  envelope: 'A frame has its envelope and the fields of its type; in strict mode ids are UUIDs.',
  sequence: 'seq starts at 0 and grows by 1 in each stream.',
  'unique-id': 'No two frames share an id or a seq; the same frame may come again (warn).',
  'safe-integer': 'Numbers are within their range, at most 2^53-1.',
  'time-order': 'timestamp_ms does not fall.',
  'session-lifecycle':
    'A session begins with session_started and ends with session_ended (at the end of the log: warn).',
  'task-without-session': 'A task begins with tool_task_spawned and has no session frames.',
  'tool-lifecycle': 'A tool starts once, writes while it runs, ends once, and before its session (warn).',
  'tool-timing': 'A tool runs no longer than timeout_ms and a second.',
  'provider-events': 'No provider event is missing, and each has what its status says.',
  'checkpoint-before-tool':
    'An automatic checkpoint names a tool, which starts after it (at the end: warn); files are within the workspace; it is older than its frame (warn).',
  'known-checkpoint': 'What is rewound to is a checkpoint, with its label and files of it.',
  'task-lifecycle':
    'A task is spawned once and goes from queued to running to its end (at the end of the log: warn); output after it, an exit code before it and an unasked cancel are odd (warn).',
  'execution-mode': 'Only a pty is typed into, resized and has the stream pty; only pipes have the others.',
  'task-id': 'task_id is the id of the stream.',
  'artifact-identity': 'A digest is algorithm:hex and does not change; artifact_refs were written (warn).',
  'skill-order': 'A skill is loaded before it is invoked, and limits the tools that start.',
  'stream-alias': 'session_id is the stream_id.',
  'version-round-trip': 'A frame of version 1 has no stream_id, and so comes back from version 2.',
  'open-world': 'Unknown types and stream kinds pass; strict mode reports them.',
}

const warnings: readonly string[] = [
  'time-order',
  'tool-timing',
  'known-checkpoint',
  'skill-order',
  'open-world',
]

/** The rules of {@link frameVerifier}, in order. */
export const frameRules: readonly FrameRule[] = Object.entries(summaries).map(([rule, summary], i) => ({
  rule: rule as FrameRuleName,
  id: `F${`${i + 1}`.padStart(2, '0')}`,
  severity: warnings.includes(rule) ? 'warn' : 'error',
  summary,
}))

/** Reports a broken rule. The path also says what is there; the severity is that of the rule. */
export type Report = (
  rule: FrameRuleName,
  path?: string,
  more?: Partial<Pick<FrameViolation, 'severity' | 'message' | 'expected' | 'actual'>>,
) => void

/** Collects in `list` what is reported of a value at a place. */
export function reporter(
  list: FrameViolation[],
  place: Pick<FrameViolation, 'stream' | 'seq'>,
  value?: unknown,
): Report {
  return (rule, path, more) => {
    const { severity = 'error', summary = '' } = frameRules.find((each) => each.rule === rule) ?? {}
    const actual = path === undefined ? undefined : valueAt(value, path)
    list.push({
      rule,
      severity,
      message: summary,
      ...place,
      ...(path !== undefined && { path }),
      ...(actual !== undefined && { actual }),
      ...more,
    })
  }
}

function valueAt(value: unknown, path: string): unknown {
  let at = value
  for (const key of path.split('/').slice(1)) at = (at as Readonly<Record<string, unknown>> | null)?.[key]
  return at
}
