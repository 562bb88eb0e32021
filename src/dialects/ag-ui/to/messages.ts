/** The messages of a conversation, with the ids that the stream of its events has. */

import type { Metadata } from '../../../events/metadata.ts'
import type { ArtifactView } from '../../../streams/view/artifact.ts'
import type { PartView, TextPart } from '../../../streams/view/parts.ts'
import { requireView } from '../../../streams/view/require-view.ts'
import type { TaskView, View } from '../../../streams/view/view.ts'
import { STATE } from '../wire/extension.ts'
import { resultMessageId, textMessageId } from '../wire/message-ids.ts'
import type { AgUiMessage } from '../wire/types/index.ts'

/**
 * The messages of a view, for a `MESSAGES_SNAPSHOT` or the reload of a page. They have the ids that `toAgUi` gives the
 * messages of the same events, so that a client that has both shows each once.
 *
 * The input of a task is a message of the user, with the id `<taskId>:input`. Messages of subtasks come where their
 * parents started them. The shared state is no message.
 *
 * @example
 * ```ts
 * encodeJson({ type: 'MESSAGES_SNAPSHOT', messages: agUiMessages(view) })
 * ```
 */
export function agUiMessages(view: View): AgUiMessage[] {
  requireView(view)
  const messages = new Map<string, AgUiMessage>()
  const artifacts = new Map(view.artifacts.map((artifact) => [artifact.artifactId, artifact]))
  const known = new Map(view.tasks.map((task) => [task.taskId, task]))
  const added = new Set<string>()
  const add = (task: TaskView): void => {
    if (added.has(task.taskId)) return
    added.add(task.taskId)
    addInput(messages, task)
    const texts = textsOf(task)
    for (const part of task.parts) {
      if (part.type === 'subtask') {
        const subtask = known.get(part.subtaskId)
        if (subtask !== undefined) add(subtask)
      } else addPart(messages, artifacts, task, part, texts)
    }
  }
  for (const task of view.tasks) if (task.parentTaskId === null || !known.has(task.parentTaskId)) add(task)
  for (const task of view.tasks) add(task)
  return [...messages.values()]
}

/** By id: the first message with an id stays. */
type Messages = Map<string, AgUiMessage>

function put(messages: Messages, message: AgUiMessage): void {
  if (!messages.has(message.id)) messages.set(message.id, message)
}

function ownerOf({ taskId, parentTaskId }: TaskView): { subagentRunId?: string } {
  return parentTaskId === null ? {} : { subagentRunId: taskId }
}

function addInput(messages: Messages, task: TaskView): void {
  const { input, taskId, parentTaskId } = task
  if (input === undefined || parentTaskId !== null) return
  const content = typeof input === 'string' ? input : JSON.stringify(input)
  put(messages, { id: `${taskId}:input`, role: 'user', content })
}

/** The whole text of each segment, by the number of the segment in the view. */
function textsOf({ parts }: TaskView): ReadonlyMap<number, { nth: number; text: string }> {
  const texts = new Map<number, { nth: number; text: string }>()
  for (const part of parts) {
    if (part.type !== 'text') continue
    const known = texts.get(part.segment)
    if (known === undefined) texts.set(part.segment, { nth: texts.size, text: part.text })
    else known.text += part.text
  }
  return texts
}

function addPart(
  messages: Messages,
  artifacts: ReadonlyMap<string, ArtifactView>,
  task: TaskView,
  part: PartView,
  texts: ReturnType<typeof textsOf>,
): void {
  const owner = ownerOf(task)
  if (part.type === 'text') addText(messages, task, part, texts)
  else if (part.type === 'thought') {
    const { signature, ...rest } = part.metadata ?? {}
    if (part.text === '' && signature === undefined) return
    const value = signature === undefined ? {} : { encryptedValue: signature }
    put(messages, {
      ...owner,
      id: part.thoughtId,
      role: 'reasoning',
      content: part.text,
      ...value,
      ...orNone(rest),
    })
  } else if (part.type === 'tool') addTool(messages, owner, part)
  else if (part.type === 'artifact' && part.artifactId !== STATE) {
    const artifact = artifacts.get(part.artifactId)
    const content = artifact?.committed?.content
    if (content?.type !== 'data') return
    const activityType = artifact?.name ?? part.artifactId
    put(messages, {
      ...owner,
      id: part.artifactId,
      role: 'activity',
      activityType,
      content: { ...content.data },
    })
  }
}

function addText(
  messages: Messages,
  task: TaskView,
  { segment, contentId }: TextPart,
  texts: ReturnType<typeof textsOf>,
): void {
  const { nth, text } = texts.get(segment) ?? { nth: 0, text: '' }
  const id = textMessageId(task.taskId, nth, contentId)
  if (text === '') return
  put(messages, { ...ownerOf(task), id, role: 'assistant', content: text })
}

function addTool(
  messages: Messages,
  owner: { subagentRunId?: string },
  part: Extract<PartView, { type: 'tool' }>,
): void {
  const { toolCallId: id, toolName = '', arguments: args, argumentsText, status, result, error } = part
  const text = args === undefined ? (argumentsText ?? '') : JSON.stringify(args)
  const call = { id, type: 'function', function: { name: toolName, arguments: text } } as const
  // Clients name the message of a call like the call.
  put(messages, { ...owner, id, role: 'assistant', toolCalls: [call] })
  if (status !== 'succeeded' && status !== 'failed') return
  const failed = { content: JSON.stringify({ error: error ?? 'The tool failed.' }), error: error ?? '' }
  const content = result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result)
  put(messages, {
    ...owner,
    id: resultMessageId(id),
    role: 'tool',
    toolCallId: id,
    ...(status === 'failed' ? failed : { content }),
  })
}

function orNone(metadata: Metadata): { metadata?: Metadata } {
  return Object.keys(metadata).length === 0 ? {} : { metadata }
}
