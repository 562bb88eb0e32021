/** The messages of a view, for storing them and for loading a page with them. */

import { run } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { cleanText } from '../../../json/sanitize.ts'
import { projectionOf } from '../../../streams/access/projection.ts'
import { defaultViewer } from '../../../streams/access/viewer.ts'
import { itemKey } from '../../../streams/context-key.ts'
import { requireView } from '../../../streams/view/require-view.ts'
import { snapshotEvents } from '../../../streams/view/snapshot/index.ts'
import type { TaskView, View } from '../../../streams/view/view.ts'
import { wireEvents } from '../../shared/wire-ids.ts'
import { type ToUiMessageStreamOptions, toUiMessageStream } from '../to/to-ui-message-stream.ts'
import type { UiMessage } from '../wire/message.ts'
import { MessageBuilder } from './message-builder.ts'

/**
 * The messages of a view: for each task without a parent one of the user, if its input is known, and one of the assistant.
 * The parts are those that `readUIMessageStream` of the AI SDK makes of the chunks of {@link toUiMessageStream}, so that a
 * page that loads with them, as the `messages` of `useChat`, shows what it showed before.
 *
 * Files and sources stand where they began, not where they were complete, and a file has its current version only, a
 * renamed artifact its last name, and a call is approved before it runs. Usage is that of what is shown: a page also counts
 * texts that were taken back. A call or an artifact of which an event is hidden by its label is left out as a whole. The
 * message of the user has the id `<taskId>:input`; an input that is no text is its JSON.
 *
 * @param options - Those of the stream, without `extension`.
 * @throws TypeError if an option has an unsupported value.
 *
 * @example
 * ```ts
 * const { messages } = { messages: uiMessages(foldEvents(emptyView, events)) }
 * ```
 */
export function uiMessages(
  view: View,
  options: Omit<ToUiMessageStreamOptions, 'extension'> = {},
): UiMessage[] {
  requireView(view)
  const machine = toUiMessageStream(options)
  const project = projectionOf(options.viewer ?? defaultViewer)
  const byRoot = eventsByRoot(view)
  const messages: UiMessage[] = []
  for (const task of view.tasks) {
    if (task.parentTaskId !== null) continue
    const { taskId, status } = task
    const events = byRoot.get(taskId) ?? []
    const input = inputMessage(task, events, project)
    if (input !== undefined) messages.push(input)
    const builder = new MessageBuilder(taskId, options.version ?? 7)
    const { push, end } = run(machine)
    // Of subtasks, a message has the requests.
    const isNamed = (event: ContextAnyEvent): boolean =>
      (event.taskId === taskId || /^(input|auth)-/.test(event.kind)) && project(event) !== undefined
    const named = wireEvents(events, isNamed)
    for (const event of named) for (const chunk of push(event)) builder.push(chunk)
    if (isTerminalStatus(status)) for (const chunk of end()) builder.push(chunk)
    const message = builder.done()
    if (message.parts.length > 0 || message.metadata !== undefined) messages.push(message)
  }
  return messages
}

/** The shortest events that give the view, by the task without a parent that they belong to. */
function eventsByRoot(view: View): Map<string, ContextAnyEvent[]> {
  const parents = new Map(view.tasks.map(({ taskId, parentTaskId }) => [taskId, parentTaskId]))
  const roots = new Map<string, string>()
  const rootOf = (taskId: string): string => {
    const path: string[] = []
    let task = taskId
    // Lineages of hostile streams may have circles.
    while (!roots.has(task) && path.length <= parents.size) {
      path.push(task)
      const parent = parents.get(task) ?? null
      if (parent === null || parent === task) break
      task = parent
    }
    const root = roots.get(task) ?? task
    for (const one of path) roots.set(one, root)
    return root
  }
  const byRoot = new Map<string, ContextAnyEvent[]>()
  for (const event of withLateEnds(snapshotEvents(view))) {
    const root = rootOf(event.taskId)
    const list = byRoot.get(root)
    if (list === undefined) byRoot.set(root, [event])
    else list.push(event)
  }
  return byRoot
}

/**
 * The events with the output and the end of each call after the requests about it: views have each part whole, but a call
 * is approved before it runs.
 */
function withLateEnds(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  const callOf = new Map<string, string>()
  /** The position of the last event about a request to approve the call. */
  const lastOf = new Map<string, number>()
  for (const [at, event] of events.entries()) {
    if (event.kind === 'input-required' && event.metadata?.toolCall !== undefined) {
      callOf.set(itemKey(event, event.inputId), itemKey(event, event.metadata.toolCall.id))
    }
    const call = 'inputId' in event ? callOf.get(itemKey(event, event.inputId)) : undefined
    if (call !== undefined) lastOf.set(call, at)
  }
  const late = new Map<number, ContextAnyEvent[]>()
  const result: ContextAnyEvent[] = []
  for (const [at, event] of events.entries()) {
    const isLate = event.kind === 'tool-complete' || event.kind === 'tool-progress'
    const last = isLate ? (lastOf.get(itemKey(event, event.toolCallId)) ?? -1) : -1
    if (last < at) result.push(event, ...(late.get(at) ?? []))
    else if (late.get(last)?.push(event) === undefined) late.set(last, [event])
  }
  return result
}

/** The message of the user; `undefined` if the viewer does not see the input of the task. */
function inputMessage(
  { taskId }: TaskView,
  events: readonly ContextAnyEvent[],
  project: ReturnType<typeof projectionOf>,
): UiMessage | undefined {
  const created = events.find((event) => event.kind === 'task-created' && event.taskId === taskId)
  const shown = created && project(created)
  if (shown?.kind !== 'task-created' || shown.initiator !== 'user') return undefined
  const input = shown.metadata?.input
  if (input === undefined) return undefined
  const text = typeof input === 'string' ? input : cleanText(input)
  return { id: `${taskId}:input`, role: 'user', parts: [{ type: 'text', text }] }
}
