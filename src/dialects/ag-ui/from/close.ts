/** The end of tasks, and of what they leave open. */

import { boundedDelete, emptyBoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import { markOf } from '../../../encoding/text-mark.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { emptyGroupedMap } from '../../engine/grouped-map.ts'
import { forgetMessages } from './messages.ts'
import { emitWith } from './metadata.ts'
import { reportAsked } from './read-asked.ts'
import { endThoughts } from './read-reasoning.ts'
import { endTexts } from './read-text.ts'
import { endCalls, isNotStarted, startHeld } from './read-tool.ts'
import type { OpenCall, OpenSpan, OpenTask, OpenText, OpenThought, RunWriter } from './state.ts'
import { ROOT, tasksFrom } from './tasks.ts'

/** How a task ends. */
export type TaskEnd =
  | { readonly status: 'completed'; readonly result?: unknown; readonly metadata: Metadata | null }
  | { readonly status: 'canceled'; readonly metadata: Metadata | null }
  | { readonly status: 'failed'; readonly error: ErrorInfo; readonly metadata: Metadata | null }

/** Ends what a task left open, and the task. */
export function endTask(writer: RunWriter, key: string, end: TaskEnd): void {
  closeItems(writer, key, end.status === 'completed' ? 'The task has completed.' : 'The task has ended.')
  const task = writer.item('tasks', key)
  if (task === undefined) return
  const { status, metadata } = end
  if (status === 'failed') {
    emitWith(
      writer,
      { kind: 'task-status', status, message: end.error.message, error: end.error },
      task,
      metadata,
    )
  } else if (status === 'canceled') emitWith(writer, { kind: 'task-status', status }, task, metadata)
  else {
    writer.emitDraft({ kind: 'task-status', status }, task)
    emitWith(writer, { kind: 'task-complete', ...resultOf(task, end.result) }, task, metadata)
  }
  writer.setItem('tasks', key, { ...task, phase: 'ended' })
}

/** A text is the content of the result if it repeats the last text, or there was none. Anything else is metadata. */
function resultOf(task: OpenTask, result: unknown): { content?: string; metadata?: Metadata } {
  if (result === undefined) return {}
  const isContent =
    typeof result === 'string' && (task.lastContent === null || task.lastContent === markOf(result).hash)
  return isContent ? { content: result } : { metadata: { result } }
}

/** Ends the subagents below a task that are still open, the last one first. */
export function endSubagents(writer: RunWriter, end: TaskEnd, key: string = ROOT): void {
  for (const task of tasksFrom(writer, key).slice(1).reverse()) {
    const message = `Expected the end of subagent ${describeValue(task.taskId)}, got none.`
    writer.diagnostic('inferred:task-status', message, { detail: task.taskId })
    endTask(writer, task.key, end)
  }
}

/** Ends the messages, thoughts and calls that a task left open. */
export function closeItems(writer: RunWriter, owner: string, reason: string, keepsRunning = false): void {
  writer.state.chunks = boundedDelete(writer.state.chunks, owner)
  endThoughts(writer, owner)
  endTexts(writer, owner)
  endCalls(writer, owner, reason, keepsRunning)
}

/** Emits what waits for later events, and reports what no event has, as the stream ends. */
export function flush(writer: RunWriter): void {
  if (writer.state.run?.phase !== 'active') return
  startHeld(writer)
  reportAsked(writer)
  for (const { key } of tasksFrom(writer, ROOT)) {
    const thoughts = endThoughts(writer, key, true)
    for (const map of ['texts', 'spans', 'calls'] as const) {
      for (const [, item] of writer.itemsOf(map, key)) reportUnsaid(writer, item)
    }
    for (const thought of thoughts) reportUnsaid(writer, thought)
  }
}

/** Reports what no event of a message, a span of reasoning or a call has yet. */
function reportUnsaid(writer: RunWriter, item: OpenText | OpenSpan | OpenThought | OpenCall): void {
  const isSilent = 'toolName' in item && item.phase === 'writing' && item.deltas === 0
  const isUnstarted = !('toolName' in item) || item.phase === 'writing' || isNotStarted(item)
  if (!isSilent && !(isUnstarted && item.metadata !== null)) return
  const { metadata } = item
  const detail =
    'toolName' in item
      ? { toolCallId: item.key, toolName: item.toolName, metadata }
      : { messageId: item.key, metadata }
  writer.diagnostic('lossy:metadata', 'The stream ended before the message or call did.', { detail })
}

/** Forgets all tasks and items of a run that has ended. */
export function forgetRun(writer: RunWriter): void {
  const { state } = writer
  state.tasks = emptyGroupedMap
  state.texts = emptyGroupedMap
  state.contents = emptyBoundedMap
  state.thoughts = emptyGroupedMap
  state.spans = emptyGroupedMap
  state.calls = emptyGroupedMap
  state.chunks = emptyBoundedMap
  state.held = []
  forgetMessages(writer)
}
