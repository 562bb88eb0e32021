/** Rules of checkpoints: snapshots of files, and rewinding to them. */

import { describeValue } from '../../../../core/require.ts'
import { pushBounded } from '../../../../rules/bounded-list.ts'
import { expectEqual, reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import type { CheckpointCreatedFrame, CheckpointRewoundFrame } from '../../wire/types.generated.ts'
import { isFull, MAX_ITEMS, storable } from '../bounded-list.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { CheckpointRuleName } from '../rule-names.ts'

export const checkpointRules: Rules<CheckpointRuleName> = {
  'checkpoint-before-tool': defineRule(
    'F11',
    'stated',
    ERROR_LENIENT_WARN,
    'An automatic checkpoint names a tool that starts after it (never started: warn); its files are inside the workspace; it is not newer than its frame (warn).',
  ),
  'known-checkpoint': defineRule(
    'F12',
    'inferred',
    WARN_LENIENT_OFF,
    'A rewind refers to an existing checkpoint, with its label and some of its files.',
  ),
}

export interface WithCheckpoints {
  readonly checkpoints: CheckpointState
}

/** Lists have at most 64 items. */
interface CheckpointState {
  readonly created: readonly VerifiedCheckpoint[]
  /** The names of tools with an automatic checkpoint that have not started. */
  readonly pending: readonly string[]
  /** Calls that started without a checkpoint and run. */
  readonly unprotected: readonly { readonly id: string; readonly name: string }[]
}

interface VerifiedCheckpoint {
  readonly id: string
  readonly label: string
  /** `null` if they are too many to be stored. */
  readonly files: readonly string[] | null
  /** The position of the frame. */
  readonly index: number
}

export const noCheckpoints: CheckpointState = { created: [], pending: [], unprotected: [] }

const BEFORE_TOOL = 'checkpoint-before-tool'

export function checkCheckpointCreated(
  context: FrameContext<WithCheckpoints>,
  frame: CheckpointCreatedFrame,
  timestamp: number,
): void {
  const { checkpoint_id: id, label, files, auto, tool_name, created_at_ms } = frame
  if (created_at_ms > timestamp) {
    const message = `Expected created_at_ms of at most timestamp_ms ${timestamp}, got ${created_at_ms}.`
    context.report(BEFORE_TOOL, message, { path: '/created_at_ms', expected: timestamp, ...AS_WARNING })
  }
  const outside = files.findIndex((file) => !isInsideWorkspace(file))
  if (outside >= 0) {
    reportUnexpected(context, BEFORE_TOOL, `/files/${outside}`, 'a path inside the workspace', files[outside])
  }
  const { stream } = context
  const checkpoint = { id, label, files: storable(files), index: context.index }
  stream.checkpoints = {
    ...stream.checkpoints,
    created: pushBounded(stream.checkpoints.created, checkpoint, MAX_ITEMS),
  }
  if (auto) checkAutomatic(context, tool_name ?? null)
}

/** Calls of one tool may run in parallel, each after its own checkpoint. */
function checkAutomatic(context: FrameContext<WithCheckpoints>, tool: string | null): void {
  const { stream } = context
  const path = '/tool_name'
  if (tool === null) {
    context.report(BEFORE_TOOL, 'Expected a tool_name in an automatic checkpoint, got none.', { path })
    return
  }
  const { pending, unprotected } = stream.checkpoints
  const late = unprotected.find(({ name }) => name === tool)
  if (late === undefined) {
    stream.checkpoints = { ...stream.checkpoints, pending: pushBounded(pending, tool, MAX_ITEMS) }
    return
  }
  const message = `Expected the checkpoint before tool ${describeValue(tool)} started, got it after.`
  context.report(BEFORE_TOOL, message, { path })
  stream.checkpoints = { ...stream.checkpoints, unprotected: unprotected.filter((call) => call !== late) }
}

/** Uses up the checkpoint of a tool that starts. */
export function startProtected({ stream }: FrameContext<WithCheckpoints>, id: string, name: string): void {
  const { pending, unprotected } = stream.checkpoints
  const at = pending.indexOf(name)
  stream.checkpoints =
    at < 0
      ? { ...stream.checkpoints, unprotected: pushBounded(unprotected, { id, name }, MAX_ITEMS) }
      : { ...stream.checkpoints, pending: pending.filter((_, i) => i !== at) }
}

/** Forgets a call that ended. */
export function endProtected({ stream }: FrameContext<WithCheckpoints>, id: string): void {
  const { unprotected } = stream.checkpoints
  if (!unprotected.some((call) => call.id === id)) return
  stream.checkpoints = { ...stream.checkpoints, unprotected: unprotected.filter((call) => call.id !== id) }
}

/** Reports the checkpoints at the end of a session whose tool did not start. */
export function checkPending(context: FrameContext<WithCheckpoints>): void {
  for (const actual of context.stream.checkpoints.pending) {
    const message = `Expected tool ${describeValue(actual)} to start after its automatic checkpoint, got no start.`
    context.report(BEFORE_TOOL, message, { ...AS_WARNING, actual })
  }
}

export function checkRewind(context: FrameContext<WithCheckpoints>, frame: CheckpointRewoundFrame): void {
  const rule = 'known-checkpoint'
  const { created } = context.stream.checkpoints
  const known = created.find(({ id }) => id === frame.checkpoint_id)
  if (known === undefined) {
    if (isFull(created) || context.stream.hasGap) return
    reportUnexpected(context, rule, '/checkpoint_id', 'the id of a checkpoint', frame.checkpoint_id)
    return
  }
  const { label, files, index: relatedEventIndex } = known
  expectEqual(context, rule, '/label', label, frame.label, { relatedEventIndex })
  if (files === null) return
  const other = frame.files.findIndex((file) => !files.includes(file))
  if (other >= 0) {
    const path = `/files/${other}`
    reportUnexpected(context, rule, path, 'a file of the checkpoint', frame.files[other], {
      relatedEventIndex,
    })
  }
}

function isInsideWorkspace(file: string): boolean {
  return file !== '' && !/^([A-Za-z]:)?[\\/]|(^|[\\/])\.\.([\\/]|$)/.test(file)
}
