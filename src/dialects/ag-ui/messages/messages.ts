/** The messages of a conversation, with the ids that the stream of its events has. */

import { requireOnly } from '../../../core/require.ts'
import type { Metadata } from '../../../events/metadata.ts'
import { jsonText } from '../../../json/json-text.ts'
import { projectionOf } from '../../../streams/access/projection.ts'
import { requireViewer } from '../../../streams/access/require-viewer.ts'
import { defaultViewer } from '../../../streams/access/viewer.ts'
import type { ArtifactView } from '../../../streams/view/artifact.ts'
import { foldEvents } from '../../../streams/view/fold/index.ts'
import type { PartView, TextPart } from '../../../streams/view/parts.ts'
import { requireView } from '../../../streams/view/require-view.ts'
import { snapshotEvents } from '../../../streams/view/snapshot/index.ts'
import { emptyView, type TaskView, type View } from '../../../streams/view/view.ts'
import { wireEvents } from '../../shared/wire-ids.ts'
import type { ToAgUiOptions } from '../to/options.ts'
import { PROGRESS, STATE } from '../wire/extension.ts'
import { progressMessageId, resultMessageId, textMessageId } from '../wire/message-ids.ts'
import type { AgUiMessage } from '../wire/types/index.ts'

/**
 * The messages of a view, for a `MESSAGES_SNAPSHOT` or the reload of a page. They are those that a client of AG-UI has
 * after it read what `toAgUi` writes of the same events for the same viewer, with the same ids, so that it shows each once.
 * What the viewer may not see is left out: for a user, encrypted values among others. A call or an artifact of which an
 * event is hidden by its label is left out as a whole.
 *
 * The input of a task is a message of the user, with the id `<taskId>:input`. Messages of subtasks come where their
 * parents started them, the progress and the result of a call after it, a thought where its first delta is, also if the
 * viewer sees only its end. The shared state is no message. Calls, results and artifacts are without metadata and encrypted
 * values, progress without the output of the tool. A result that is an error states it as `error`, and an artifact is the
 * latest version whatever changed it.
 *
 * @param options.viewer - Who reads the messages. Omitted: `{ audience: 'user' }`.
 * @throws TypeError if the value is not a view, or an option is invalid.
 *
 * @example
 * ```ts
 * encodeJson({ type: 'MESSAGES_SNAPSHOT', messages: agUiMessages(view) })
 * ```
 */
export function agUiMessages(view: View, options: Pick<ToAgUiOptions, 'viewer'> = {}): AgUiMessage[] {
  requireView(view)
  requireOnly('options', options, ['viewer'])
  const { viewer = defaultViewer } = options
  requireViewer('viewer', viewer)
  const visible = projectionOf(viewer)
  const shown = snapshotEvents(view).flatMap((event) => visible(event) ?? [])
  return messagesOf(foldEvents(emptyView, wireEvents(shown)))
}

function messagesOf(view: View): AgUiMessage[] {
  const messages = new Map<string, AgUiMessage>()
  const artifacts = new Map(view.artifacts.map((artifact) => [artifact.artifactId, artifact]))
  const known = new Map(view.tasks.map((task) => [task.taskId, task]))
  const added = new Set<string>()
  const add = (task: TaskView): void => {
    if (added.has(task.taskId)) return
    added.add(task.taskId)
    addInput(messages, task)
    const segments = segmentsOf(task)
    for (const part of task.parts) {
      if (part.type === 'subtask') {
        const subtask = known.get(part.subtaskId)
        if (subtask !== undefined) add(subtask)
      } else addPart(messages, artifacts, task, part, segments)
    }
  }
  for (const task of view.tasks) if (task.parentTaskId === null || !known.has(task.parentTaskId)) add(task)
  for (const task of view.tasks) add(task)
  return [...messages.values()]
}

/** By role and id: the first one stays. */
type Messages = Map<string, AgUiMessage>

function put(messages: Messages, message: AgUiMessage): void {
  const key = `${message.role} ${message.id}`
  if (!messages.has(key)) messages.set(key, message)
}

function ownerOf({ taskId, parentTaskId }: TaskView): { subagentRunId?: string } {
  return parentTaskId === null ? {} : { subagentRunId: taskId }
}

function addInput(messages: Messages, task: TaskView): void {
  const { input, taskId, parentTaskId } = task
  if (input === undefined || parentTaskId !== null) return
  const content = typeof input === 'string' ? input : (jsonText(input) ?? '')
  put(messages, { id: `${taskId}:input`, role: 'user', content })
}

/** A text segment: its place among those of its task, its whole text, and what its end states. */
interface Segment {
  readonly nth: number
  text: string
  metadata: Metadata
}

/** The segments of a task, by their numbers in the view. */
function segmentsOf({ parts }: TaskView): ReadonlyMap<number, Segment> {
  const segments = new Map<number, Segment>()
  for (const part of parts) {
    if (part.type !== 'text') continue
    const { finishReason } = part
    const stated = { ...part.metadata, ...(finishReason !== undefined && { finishReason }) }
    const known = segments.get(part.segment)
    if (known === undefined) {
      segments.set(part.segment, { nth: segments.size, text: part.text, metadata: stated })
    } else {
      known.text += part.text
      known.metadata = stated
    }
  }
  return segments
}

/** The metadata of an event that clients get. */
function metadataOf({ signature, audience, ...rest }: Metadata): { metadata?: Metadata } {
  return Object.keys(rest).length === 0 ? {} : { metadata: rest }
}

function addPart(
  messages: Messages,
  artifacts: ReadonlyMap<string, ArtifactView>,
  task: TaskView,
  part: PartView,
  segments: ReadonlyMap<number, Segment>,
): void {
  const owner = ownerOf(task)
  if (part.type === 'text') addText(messages, task, part, segments.get(part.segment))
  else if (part.type === 'thought') {
    const { signature } = part.metadata ?? {}
    if (part.text === '' && signature === undefined) return
    const value = signature === undefined ? {} : { encryptedValue: signature }
    put(messages, {
      ...owner,
      id: part.thoughtId,
      role: 'reasoning',
      content: part.text,
      ...value,
      ...metadataOf(part.metadata ?? {}),
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
  { contentId, text }: TextPart,
  segment: Segment | undefined,
): void {
  // A message begins with the first text of it.
  if (text === '' || segment === undefined) return
  const id = textMessageId(task.taskId, segment.nth, contentId)
  const stated = metadataOf(segment.metadata)
  put(messages, { ...ownerOf(task), id, role: 'assistant', content: segment.text, ...stated })
}

function addTool(
  messages: Messages,
  owner: { subagentRunId?: string },
  part: Extract<PartView, { type: 'tool' }>,
): void {
  const { toolCallId: id, toolName = '', arguments: args, argumentsText } = part
  const { status, progress, result, error } = part
  const text = argumentsText ?? (args === undefined ? '' : (jsonText(args) ?? '{}'))
  const call = { id, type: 'function', function: { name: toolName, arguments: text } } as const
  // Clients name the message of a call like the call.
  put(messages, { ...owner, id, role: 'assistant', toolCalls: [call] })
  if (progress !== undefined) {
    const { metadata = {}, ...rest } = progress
    const content = { toolCallId: id, ...rest, ...metadataOf(metadata) }
    put(messages, { ...owner, id: progressMessageId(id), role: 'activity', activityType: PROGRESS, content })
  }
  if (status !== 'succeeded' && status !== 'failed') return
  const failed = { content: JSON.stringify({ error: error ?? 'The tool failed.' }), error: error ?? '' }
  const content = result === undefined ? '' : typeof result === 'string' ? result : (jsonText(result) ?? '{}')
  put(messages, {
    ...owner,
    id: resultMessageId(id),
    role: 'tool',
    toolCallId: id,
    ...(status === 'failed' ? failed : { content }),
  })
}
