/**
 * Writes one task: which events are part of it, how it begins, what its items are, and how it ends. A format states how each of
 * these is written.
 */

import type { Machine } from '../../core/machine.ts'
import type { Mutable } from '../../core/mutable.ts'
import type { StepBuilder } from '../../core/step-builder.ts'
import { markOf } from '../../encoding/text-mark.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent, ContextEvent } from '../../events/event.ts'
import type { TaskCompleteEvent, TaskStatusEvent } from '../../events/task.ts'
import { isTerminalStatus } from '../../events/task-status.ts'
import { dropAfterEnd, dropOfOtherTask, dropRepeated } from './drop.ts'
import { calledItem, closeItems, endCall, takeItems } from './end-items.ts'
import type { EventWriter } from './event-writer.ts'
import { type Item, type ItemEvent, type Items, isItemEvent, itemsOf, noItems } from './item.ts'
import { type ItemFormats, restOf, writeItem, writeWhole } from './write-item.ts'

/** The state of the writer of one task. Plain JSON. */
export interface TaskState {
  /** `completed`: the task has succeeded; its end waits for the result. */
  readonly phase: 'new' | 'open' | 'completed' | 'ended'
  readonly taskId: string
  readonly items: Items
  /** The hash of the last complete text; `null` if there is none. */
  readonly text: number | null
}

export const newTask: TaskState = { phase: 'new', taskId: '', items: noItems, text: null }

/** A step of the writer of one task. */
export type TaskWriter = EventWriter<Mutable<TaskState>, unknown>

/** How a format writes a task. */
export interface TaskFormat<Writer> {
  readonly items: ItemFormats<Writer>
  /** The client may run calls: a stream that ends where only those have no result has not been cut off. */
  readonly leavesCalls?: true
  /** Writes what comes before everything else. */
  begin(writer: Writer, event: ContextAnyEvent): void
  /** Writes what the format has of an event besides its item. Not called for events that are dropped. */
  write(writer: Writer, event: ContextAnyEvent): void
  /** Writes the end of a task that has completed, or left calls to the client. `calls`: those without a result. */
  end(writer: Writer, calls: readonly Item[]): void
  /** Writes the end of a task that has failed or was canceled, or whose stream ended before it did. `calls`: as in `end`. */
  fail(writer: Writer, error: ErrorInfo, status: 'failed' | 'canceled', calls: readonly Item[]): void
}

/** The machine that writes one task: that of the first event, unless the initial state has another. */
export function taskMachine<
  State extends TaskState,
  Out,
  Writer extends EventWriter<Mutable<State>, Out> & TaskWriter,
>(
  initial: State,
  format: TaskFormat<Writer>,
  writerOf: (state: State) => Writer,
): Machine<State, ContextAnyEvent, Out> {
  return {
    initial,
    step(state, event) {
      const writer = writerOf(state)
      if (isOfTask(writer, format, event)) {
        writeOwn(writer, format, event)
        writer.reportLost(event)
      }
      return writer.done()
    },
    end(state) {
      const writer = writerOf(state)
      endStream(writer, format)
      return writer.done()
    },
  }
}

/** Whether an event is part of the task; otherwise it is dropped. Begins the task, and ends it if no result follows. */
function isOfTask<W extends TaskWriter>(writer: W, format: TaskFormat<W>, event: ContextAnyEvent): boolean {
  const { state } = writer
  const { kind, taskId } = event
  if (dropOfOtherTask(writer, state.taskId === '' ? null : state.taskId, event)) return false
  if (state.phase === 'completed' && kind !== 'task-complete') finish(writer, format, 'success')
  if (state.phase === 'ended') dropAfterEnd(writer, event)
  else if (state.phase === 'new') {
    state.phase = 'open'
    state.taskId = taskId
    format.begin(writer, event)
  } else if (kind === 'task-created') dropRepeated(writer, kind, taskId)
  return !writer.isDropped
}

function writeOwn<W extends TaskWriter>(writer: W, format: TaskFormat<W>, event: ContextAnyEvent): void {
  const { items } = format
  const { kind } = event
  if (isItemEvent(event)) {
    if (!writer.omits(kind)) writeTaskItem(writer, items, event)
  } else if (event.kind === 'iteration-reset') takeItems(writer, event.taskId, event.iteration)
  else if (event.kind === 'tool-complete') {
    const call = calledItem(writer, items, event)
    if (call !== undefined) endCall(writer, items, call, event.timestamp)
  } else if (event.kind === 'task-complete') writeResult(writer, items, event)
  if (!writer.isDropped) format.write(writer, event)
  if (event.kind === 'task-status') writeStatus(writer, format, event)
  else if (kind === 'task-complete') finish(writer, format, 'success')
}

/** Writes a status that ends the task. */
function writeStatus<W extends TaskWriter>(
  writer: W,
  format: TaskFormat<W>,
  event: ContextEvent<TaskStatusEvent>,
): void {
  const { status, error, message, metadata } = event
  if (status === 'completed') writer.state.phase = 'completed'
  else if (isTerminalStatus(status)) {
    const text = message ?? metadata?.reason ?? `The task ${status === 'failed' ? status : 'was canceled'}.`
    fail(writer, format, error ?? internal(text), status)
  } else writer.noEquivalent(event, `status ${status}`)
}

const internal = (message: string): ErrorInfo => ({ code: 'internal', message, retry: 'terminal' })

/** What knows the last complete text of its task. */
type TextWriter = StepBuilder<Mutable<Pick<TaskState, 'items' | 'text'>>, unknown>

/** Writes an event of an item. Stores the text that the result of the task may repeat. */
export function writeTaskItem<W extends TextWriter>(
  writer: W,
  items: ItemFormats<W>,
  event: ItemEvent,
): void {
  if (event.kind !== 'content-complete') writeItem(writer, items, event)
  else if (writeWhole(writer, items, event) && event.content !== '')
    writer.state.text = markOf(event.content).hash
}

/** The result is the whole of an open text, or a text of its own if none was streamed. */
export function writeResult<W extends TextWriter>(
  writer: W,
  items: ItemFormats<W>,
  { content = '', contextId, taskId, timestamp }: ContextEvent<TaskCompleteEvent>,
): void {
  if (content === '' || markOf(content).hash === writer.state.text) return
  const { text } = writer.state
  const texts = itemsOf(writer, taskId).filter(({ type }) => type === 'text')
  const begun = texts.filter(({ length }) => length > 0)
  const [open = texts[0]] = begun
  // The result may join several texts: it is the whole of one that is the only one, or has all of it.
  const isOnly = text === null && begun.length < 2
  if (isOnly || (open !== undefined && restOf(open, content) === '')) {
    const whole = { kind: 'content-complete', content, contextId, taskId, timestamp } as const
    const key = open?.key ?? ''
    writeTaskItem(writer, items, key === '' ? whole : { ...whole, contentId: key })
  } else {
    writer.lossy('content', 'Expected the text that was streamed: readers keep that.')
  }
}

/** Ends the task with its stream: calls without a result are those that the client runs. */
function endStream<W extends TaskWriter>(writer: W, format: TaskFormat<W>): void {
  const { phase, taskId } = writer.state
  const items = itemsOf(writer, taskId)
  const isLeft = format.leavesCalls === true && items.length > 0 && items.every(isRunning)
  if (phase === 'completed') finish(writer, format, 'success')
  else if (phase === 'open' && isLeft) finish(writer, format, 'pause')
  else if (phase === 'open') {
    const message = 'The stream ended before the task did.'
    writer.diagnostic('gap', message)
    fail(writer, format, internal(message), 'failed')
  }
}

function finish<W extends TaskWriter>(writer: W, format: TaskFormat<W>, reason: 'success' | 'pause'): void {
  const { taskId } = writer.state
  const calls = itemsOf(writer, taskId).filter(isRunning)
  closeItems(writer, format.items, taskId, reason)
  format.end(writer, calls)
  writer.state.phase = 'ended'
}

function fail<W extends TaskWriter>(
  writer: W,
  format: TaskFormat<W>,
  error: ErrorInfo,
  status: 'failed' | 'canceled',
): void {
  const { taskId } = writer.state
  const calls = itemsOf(writer, taskId).filter(isRunning)
  closeItems(writer, format.items, taskId, 'failure')
  format.fail(writer, error, status, calls)
  writer.state.phase = 'ended'
}

const isRunning = ({ phase }: Item): boolean => phase === 'running'
