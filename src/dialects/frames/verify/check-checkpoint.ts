/** Rules of checkpoints: snapshots of files, and rewinding to them. */
import { describeValue } from '../../../core/require.ts'
import type { CheckpointCreatedFrame, CheckpointRewoundFrame } from '../wire/session-types.ts'
import { type Report, WARN } from './report.ts'
import { MAX_ITEMS, pushBounded, type VerifiedStream, withDetails } from './state.ts'

/** Checks a `checkpoint_created` frame. Returns the stream after it. */
export function checkCheckpoint(
  stream: VerifiedStream,
  { checkpoint_id: id, label, files, auto, tool_name, created_at_ms }: CheckpointCreatedFrame,
  timestamp: number,
  report: Report,
): VerifiedStream {
  const rule = 'checkpoint-before-tool'
  if (created_at_ms > timestamp) {
    const message = `Expected created_at_ms of at most timestamp_ms ${timestamp}, got ${created_at_ms}.`
    report(rule, message, '/created_at_ms', { ...WARN, expected: timestamp })
  }
  const outside = files.find((file) => !isInsideWorkspace(file))
  if (outside !== undefined) {
    report(rule, `Expected paths inside the workspace, got ${describeValue(outside)}.`, '/files')
  }
  const checkpoint = { id, label, files: files.slice(0, MAX_ITEMS) }
  const next = withDetails(stream, { checkpoints: pushBounded(stream.details.checkpoints, checkpoint) })
  if (!auto) return next
  const tool = tool_name ?? null
  if (tool === null) {
    report(rule, 'Expected a tool_name in an automatic checkpoint, got none.', '/tool_name')
    return next
  }
  // Calls of one tool may run in parallel, each after its own checkpoint.
  const late = stream.tools.find(
    ({ name, isOpen, hasCheckpoint }) => name === tool && isOpen && !hasCheckpoint,
  )
  if (late === undefined) {
    return withDetails(next, { checkpointedTools: pushBounded(next.details.checkpointedTools, tool) })
  }
  report(
    rule,
    `Expected the checkpoint before tool ${describeValue(tool)} started, got it after.`,
    '/tool_name',
  )
  const tools = next.tools.map((other) => (other === late ? { ...late, hasCheckpoint: true } : other))
  return { ...next, tools }
}

/** Checks a `checkpoint_rewound` frame. */
export function checkRewind(
  { details, hasGap }: VerifiedStream,
  frame: CheckpointRewoundFrame,
  report: Report,
): void {
  const rule = 'known-checkpoint'
  const known = details.checkpoints?.find(({ id }) => id === frame.checkpoint_id)
  if (known === undefined) {
    if (hasGap) return
    report(rule, `Unknown checkpoint_id ${describeValue(frame.checkpoint_id)}.`, '/checkpoint_id')
    return
  }
  const { label, files } = known
  if (frame.label !== label) {
    const message = `Expected label ${describeValue(label)}, got ${describeValue(frame.label)}.`
    report(rule, message, '/label', { expected: label })
  }
  const other = frame.files.find((file) => !files.includes(file))
  if (files.length < MAX_ITEMS && other !== undefined) {
    const message = `Expected files of the checkpoint, got ${describeValue(other)}.`
    report(rule, message, '/files', { expected: files })
  }
}

function isInsideWorkspace(file: string): boolean {
  return file !== '' && !/^([A-Za-z]:)?[\\/]|(^|[\\/])\.\.([\\/]|$)/.test(file)
}
