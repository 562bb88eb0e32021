/** The rules of a legal log of frames, as data. */

/** The name of a rule in {@link frameRules}. */
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
  /** The name of the rule. Stable, for programs. */
  readonly rule: FrameRuleName
  /** The number of the rule: `F01` to `F20`. */
  readonly id: string
  /** Severity of a violation. The summary marks cases that are only a warning with “(warn)”. */
  readonly severity: 'error' | 'warn'
  /** What the rule requires, in English. May change in any release. */
  readonly summary: string
}

const summaries: { readonly [N in FrameRuleName]: string } = {
  envelope: 'A frame has a valid envelope and the fields of its type; in strict mode ids are UUIDs.',
  sequence: 'seq starts at 0 and increases by 1 within a stream.',
  'unique-id': 'No two frames of a stream share an id or a seq; a repeated frame is allowed (warn).',
  'safe-integer': 'Numbers are in range, integers at most 2^53-1.',
  'time-order': 'timestamp_ms does not decrease within a stream.',
  'session-lifecycle':
    'A session starts with session_started and ends with session_ended (missing at the end of the log: warn).',
  'task-without-session': 'A task starts with tool_task_spawned and has no session frames.',
  'tool-lifecycle':
    'A tool starts once, emits output only while running, and ends once, before its session does (warn).',
  'tool-timing': 'A tool runs at most timeout_ms plus one second.',
  'provider-events': 'No provider event is missing, and each has the fields of its status.',
  'checkpoint-before-tool':
    'An automatic checkpoint names a tool that starts after it (never started: warn); its files are inside the workspace; it is not newer than its frame (warn).',
  'known-checkpoint': 'A rewind refers to an existing checkpoint, with its label and some of its files.',
  'task-lifecycle':
    'A task is spawned once and goes from queued to running to a final status (missing at the end of the log: warn). Output after that, an early exit code and a cancellation without request are warnings.',
  'execution-mode':
    'Only a pty has stdin frames, resize frames and the stream pty; only pipes have stdout and stderr.',
  'task-id': 'task_id equals the id of the stream.',
  'artifact-identity':
    'A digest has the form algorithm:hex and does not change; artifact_refs name written artifacts (warn).',
  'skill-order': 'A skill is loaded before it is invoked; while invoked, only its allowed tools start.',
  'stream-alias': 'session_id equals stream_id.',
  'version-round-trip':
    'A version 1 frame has no stream_id, so that it survives conversion to version 2 and back.',
  'open-world': 'Unknown types and stream kinds are valid; strict mode reports them.',
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
