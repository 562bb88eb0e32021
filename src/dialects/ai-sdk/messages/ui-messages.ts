/** The messages of a view, for storing them and for loading a page with them. */

import { run } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isTerminalStatus } from '../../../events/task-status.ts'
import { requireView } from '../../../streams/view/require-view.ts'
import { snapshotEvents } from '../../../streams/view/snapshot/index.ts'
import type { TaskView, View } from '../../../streams/view/view.ts'
import { type ToUiMessageStreamOptions, toUiMessageStream } from '../to/to-ui-message-stream.ts'
import type { UiMessage } from '../wire/message.ts'
import { MessageBuilder } from './message-builder.ts'

/**
 * The messages of a view: for each task without a parent one of the user, if its input is known, and one of the assistant.
 * The parts are those that `readUIMessageStream` of the AI SDK makes of the chunks of {@link toUiMessageStream}, so that a
 * page that loads with them, as the `messages` of `useChat`, shows what it showed before.
 *
 * Files and sources stand where they began, not where they were complete, and a file has its current version only. The
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
  const byRoot = eventsByRoot(view)
  const messages: UiMessage[] = []
  for (const task of view.tasks) {
    if (task.parentTaskId !== null) continue
    const { taskId, status } = task
    const input = inputMessage(task)
    if (input !== undefined) messages.push(input)
    const builder = new MessageBuilder(taskId)
    const { push, end } = run(machine)
    for (const event of byRoot.get(taskId) ?? []) for (const chunk of push(event)) builder.push(chunk)
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
  for (const event of snapshotEvents(view)) {
    const root = rootOf(event.taskId)
    const list = byRoot.get(root)
    if (list === undefined) byRoot.set(root, [event])
    else list.push(event)
  }
  return byRoot
}

/** The message of the user; `undefined` if the input of the task is not known. */
function inputMessage({ taskId, input, initiator }: TaskView): UiMessage | undefined {
  if (input === undefined || initiator !== 'user') return undefined
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { id: `${taskId}:input`, role: 'user', parts: [{ type: 'text', text }] }
}
