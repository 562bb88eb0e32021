/** Reading the extension: the events of an update or task, each once. */

import { describeValue } from '../../../core/require.ts'
import { fingerprintOf } from '../../../encoding/text-hash.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type NumberedEvents, withoutExtension } from '../wire/extension.ts'
import type { Update } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { readPlain } from './read-task.ts'
import { jsonOf } from './slot.ts'
import { MAX_REPEATABLE } from './state.ts'
import { applyWrites, isWritten, isWrittenState, trackWrite } from './track-writes.ts'

/**
 * Reads an update of a task that has events of the extension. As long as none are missing, they alone are emitted, and
 * the update only changes what is known. If it shows what no event wrote, A2A itself is read from then on, and of
 * the events only those it has no equivalent for.
 *
 * @param numbered - The events of the update; `undefined` if it has none that are valid.
 */
export function readEvents(
  writer: TaskEventWriter,
  update: Update,
  numbered: NumberedEvents | undefined,
  isNew: boolean,
): void {
  const { next, hasGap, repeatable } = writer.state
  const { first, events, isTask } = numbered ?? { first: next, events: [], isTask: false }
  const end = first + events.length
  const unread = events.slice(Math.max(next - first, 0))
  const isTaskUpdate = update.type === 'task'
  // Besides the update that carries an event, others may belong to it.
  const isPart = !isTaskUpdate && events.length === 0 && first === next - 1
  const print = isPart ? fingerprintOf(jsonOf(update)) : ''
  const isRepeated = isPart ? repeatable.includes(print) : end < next || (end === next && events.length > 0)
  const isEnd =
    (isTaskUpdate || update.type === 'status') && !isWrittenState(writer.state, update.status.state)
  if (isRepeated && !isTaskUpdate && (hasGap || !isEnd)) return
  if (isPart) writer.state.repeatable = [...repeatable, print].slice(-MAX_REPEATABLE)
  if (end > next) writer.state.repeatable = []
  writer.state.next = Math.max(next, end)
  if (!hasGap) {
    const emitted = writer.fork()
    emitEvents(emitted, unread)
    // A task that a server stores may hold the events of an older update.
    const isCovered = isTaskUpdate
      ? isTask && isWritten(emitted.state, update)
      : unread.length > 0 || (isPart && !isEnd)
    const read = writer.fork(isCovered && !isNew)
    readPlain(read, update, isNew)
    if (first <= next && (isCovered || read.out.length === 0)) {
      if (end >= next || isPart) adopt(writer, read, emitted, update, isNew)
      return
    }
    if (numbered !== undefined || !isEnd) reportGap(writer, next, first)
    writer.state.hasGap = true
    applyWrites(writer)
  } else if (first > next) reportGap(writer, next, first)
  readPlain(writer, update, isNew)
  for (const event of unread) if (!isReadFromA2a(event)) writer.emitCarried(event)
}

/** Emits events, and stores what they wrote. */
function emitEvents(writer: TaskEventWriter, events: readonly unknown[]): void {
  for (const event of events) writer.emitCarried(event)
  for (const event of writer.out) trackWrite(writer, event)
}

function reportGap(writer: TaskEventWriter, expected: number, first: number): void {
  const { taskId } = writer.state
  const task = `task ${describeValue(taskId)}`
  const message =
    first > expected
      ? `Expected event ${expected} of ${task}, got event ${first}.`
      : `Expected event ${expected} of ${task}, got changes of the task without it.`
  writer.diagnostic('gap', message, { detail: { taskId, expected } })
}

/** Emits the events instead of those that were read from A2A, which only changes what is known. */
function adopt(
  writer: TaskEventWriter,
  read: TaskEventWriter,
  emitted: TaskEventWriter,
  update: Update,
  isNew: boolean,
): void {
  const [creation] = read.out
  const { metadata } = writer.state
  const { time, written } = emitted.state
  const hasCreation = emitted.out.some(({ kind }) => kind === 'task-created')
  if (isNew && !hasCreation && creation !== undefined) writer.emit(creation)
  writer.emit(...emitted.out)
  writer.diagnostics.push(...emitted.diagnostics)
  writer.state = read.state
  writer.state.written = written
  writer.state.time = time ?? creation?.timestamp ?? null
  if (read.state.metadata !== metadata) reportMetadata(writer, update, emitted.out)
}

/** Reports the metadata of an update that none of its events has. */
function reportMetadata(writer: TaskEventWriter, update: Update, events: readonly ContextAnyEvent[]): void {
  const metadata = update.type === 'message' ? undefined : withoutExtension(update.metadata)
  const carried = events.map((event) => ('metadata' in event ? event.metadata : undefined) ?? {})
  const lost = Object.entries(metadata ?? {}).filter(
    ([key, value]) => !carried.some((own) => Object.hasOwn(own, key) && jsonOf(own[key]) === jsonOf(value)),
  )
  if (lost.length === 0) return
  const message = 'No event of the extension has this metadata.'
  writer.diagnostic('lossy:metadata', message, { detail: Object.fromEntries(lost) })
}

/** The kinds that are read from A2A itself after a gap. */
const readKinds: ReadonlySet<unknown> = new Set([
  'task-created',
  'task-status',
  'task-complete',
  'content-delta',
  'content-replace',
  'content-complete',
  'input-required',
  'input-received',
  'input-canceled',
  'auth-required',
  'auth-completed',
  'auth-failed',
  'file-write',
  'data-write',
  'dataset-write',
  'artifact-delta',
])

function isReadFromA2a(event: unknown): boolean {
  return isFields(event) && readKinds.has(event.kind)
}
