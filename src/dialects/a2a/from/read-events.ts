/** Reading the extension: the events of an update or task, each once. */

import { describeValue } from '../../../core/require.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { NumberedEvents } from '../wire/extension.ts'
import type { Update } from '../wire/model.ts'
import type { TaskEventWriter } from './event-writer.ts'
import { readPlain } from './read-task.ts'
import { applyWrites, trackWrite } from './track-writes.ts'

/**
 * Reads an update with events. As long as none are missing, they alone are emitted, and the update only changes what
 * is known. After a gap, A2A itself is read, and of the events only those it has no equivalent for.
 */
export function readEvents(
  writer: TaskEventWriter,
  update: Update,
  numbered: NumberedEvents,
  isNew: boolean,
): void {
  const { first, events, isTask } = numbered
  const { next } = writer.state
  const end = first + events.length
  const isTaskUpdate = update.type === 'task'
  // A task that a server stores may hold the events of an older update.
  const isStored = isTaskUpdate && !isTask
  // What was read is sent again, or a task as it was before.
  if (isTaskUpdate ? isTask && end < next : events.length > 0 && end <= next) return
  const unread = events.slice(Math.max(next - first, 0))
  if (!writer.state.hasGap) {
    const read = writer.fork()
    readPlain(read, update, isNew)
    read.finish()
    if (isStored ? end <= next && read.out.length === 0 : first <= next) {
      emitEvents(writer, read, unread, isNew)
      writer.state.next = Math.max(next, end)
      return
    }
    reportGap(writer, next, first)
  } else if (first > next) reportGap(writer, next, first)
  readPlain(writer, update, isNew)
  for (const event of unread) if (!isReadFromA2a(event)) writer.emitCarried(event)
  writer.state.next = Math.max(next, end)
}

function reportGap(writer: TaskEventWriter, expected: number, first: number): void {
  const { id: taskId } = writer.state
  const task = `task ${describeValue(taskId)}`
  const message =
    first > expected
      ? `Expected event ${expected} of ${task}, got event ${first}.`
      : `Expected event ${expected} of ${task}, got changes of the task without it.`
  writer.diagnostic('gap', message, { detail: { taskId, expected } })
  if (writer.state.hasGap) return
  writer.state.hasGap = true
  applyWrites(writer)
}

/** Emits events instead of those that were read from A2A. */
function emitEvents(
  writer: TaskEventWriter,
  read: TaskEventWriter,
  events: readonly unknown[],
  isNew: boolean,
): void {
  const { timestamp } = writer.state
  const [creation] = read.out
  writer.state = read.state
  if (timestamp === undefined) delete writer.state.timestamp
  else writer.state.timestamp = timestamp
  const hasCreation = events.some((event) => isFields(event) && event.kind === 'task-created')
  if (isNew && !hasCreation && creation !== undefined) {
    writer.emit(creation)
    writer.state.timestamp = creation.timestamp
  }
  for (const event of events) {
    const at = writer.out.length
    writer.emitCarried(event)
    for (const emitted of writer.out.slice(at)) trackWrite(writer, emitted)
  }
}

/** The kinds that are read from A2A itself after a gap. */
const readKinds: ReadonlySet<unknown> = new Set([
  'task-created',
  'task-status',
  'task-complete',
  'content-delta',
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
