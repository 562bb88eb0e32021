/** The folded view as blocks to show: a heading for each task, and its parts. */
import type { ArtifactView } from '../../streams/view/artifact.ts'
import { artifactOf, type PartView, type TaskView, taskOf, type View } from '../../streams/view/index.ts'
import { type BlockText, growingText, inputText, jsonOf, rowsText } from './block-text.ts'
import { type Family, familyOf } from './family.ts'
import { counted } from './format.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** One block. */
export interface Block {
  /** What it shows. The same object: the same block. */
  readonly source: TaskView | PartView | string
  /** The same in each view for the same task or part. */
  readonly key: string
  readonly family: Family
  /** What it is, such as the name of a tool. Omitted if there is none. */
  readonly title?: string
  /** Omitted if there is none. */
  readonly status?: string
  /** The text, or JSON. Omitted if there is none. */
  readonly body?: BlockText
  /** Whether the body is code: JSON, arguments, output. */
  readonly isCode?: boolean
}

/** The most parts shown of one task, and the most blocks: the latest ones. */
export const MAX_PARTS = 60
export const MAX_TASKS = 40

/** The blocks of a view: its latest tasks with their latest parts. */
export function blocksOf(view: View): Block[] {
  const blocks: Block[] = []
  const hidden = view.tasks.length - MAX_TASKS
  if (hidden > 0) blocks.push(note(hidden, 'earlier task', ''))
  for (const task of view.tasks.slice(-MAX_TASKS)) {
    const key = JSON.stringify([task.contextId, task.taskId])
    blocks.push({ ...taskBlock(task), key })
    const hiddenParts = Math.max(0, task.parts.length - MAX_PARTS)
    if (hiddenParts > 0) blocks.push(note(hiddenParts, 'earlier part', key))
    for (const [i, part] of task.parts.slice(hiddenParts).entries())
      blocks.push({ ...partBlock(part, task, view), key: `${key} ${part.type} ${hiddenParts + i}` })
  }
  return blocks
}

function note(count: number, noun: string, key: string): Block {
  return { source: `${counted(count, noun)} not shown`, key: `${key} hidden`, family: 'internal' }
}

/** A block without its key. */
type Content = Omit<Block, 'key'>

/** What an event changed in the view it led to: a part of its task, or the task. `undefined` if it has no task there. */
export function changedBy(view: View, event: RecordedEvent): Block['source'] | undefined {
  const fields = event as Readonly<Record<string, unknown>>
  const { kind, taskId, contextId } = fields
  if (typeof taskId !== 'string' || typeof contextId !== 'string') return undefined
  const task = taskOf(view, taskId, contextId)
  const type = familyOf(String(kind))
  if (task === undefined || (type === 'task' && kind !== 'subtask-created')) return task
  return task.parts.findLast((part) => isPartOf(part, fields)) ?? task
}

/** Whether an event is one of a part. */
function isPartOf(part: PartView, fields: Readonly<Record<string, unknown>>): boolean {
  switch (part.type) {
    case 'text':
      return familyOf(String(fields.kind)) === 'text' && part.contentId === fields.contentId
    case 'thought':
      return part.thoughtId === fields.thoughtId
    case 'tool':
      return part.toolCallId === fields.toolCallId
    case 'input':
      return part.inputId === fields.inputId
    case 'auth':
      return part.authId === fields.authId
    case 'artifact':
      return part.artifactId === fields.artifactId
    case 'subtask':
      return part.subtaskId === fields.subtaskId
    case 'error':
      return fields.kind === 'task-error'
    default:
      return fields.kind === 'custom' && part.name === fields.name && part.customId === fields.customId
  }
}

function taskBlock(task: TaskView): Content {
  const { agentId, taskId, status, input, error, message, result } = task
  const body = [input === undefined ? '' : textOf(input), message, error?.message, result?.content]
    .filter((text) => text !== undefined && text !== '')
    .join('\n')
  return block(
    task,
    'task',
    agentId === undefined ? taskId : `${agentId} · ${taskId}`,
    status ?? undefined,
    inputText(body),
  )
}

function partBlock(part: PartView, task: TaskView, view: View): Content {
  switch (part.type) {
    case 'text':
      return block(part, 'text', part.contentId, part.status, part.text)
    case 'thought':
      return block(part, 'thought', part.thoughtType, part.status, part.text)
    case 'tool':
      return {
        ...block(part, 'tool', part.toolName ?? part.toolCallId, part.status, toolText(part)),
        isCode: true,
      }
    case 'input':
      return block(part, 'request', 'input', part.status, part.request?.prompt ?? part.inputId)
    case 'auth':
      return block(part, 'request', 'authentication', part.status, part.message ?? part.authId)
    case 'artifact': {
      const artifact = artifactOf(view, part.artifactId, task.contextId)
      return {
        ...block(part, 'artifact', artifact?.name ?? part.artifactId, part.status, artifactText(artifact)),
        isCode: true,
      }
    }
    case 'subtask':
      return block(
        part,
        'task',
        `subtask ${part.agentId ?? part.subtaskId}`,
        part.status ?? undefined,
        part.prompt,
      )
    case 'error':
      return block(part, 'error', part.error.code, part.error.retry, part.error.message)
    default:
      return { ...block(part, 'custom', part.name, undefined, textOf(part.data)), isCode: true }
  }
}

function block(
  source: Block['source'],
  family: Family,
  title: string | undefined,
  status: string | undefined,
  text: string | BlockText = '',
): Content {
  const body = typeof text === 'string' ? growingText(text) : text
  return {
    source,
    family,
    ...(title !== undefined && { title }),
    ...(status !== undefined && { status }),
    ...(body.shown !== '' && { body }),
  }
}

function toolText(part: Extract<PartView, { type: 'tool' }>): string {
  const call = part.argumentsText ?? (part.arguments === undefined ? '' : textOf(part.arguments))
  const output = Object.values(part.output ?? {}).join('\n')
  const result = part.result === undefined ? '' : `→ ${textOf(part.result)}`
  const error = part.error === undefined ? '' : `→ ${part.error}`
  return [call, output, result, error].filter((text) => text !== '').join('\n')
}

function artifactText(artifact: ArtifactView | undefined): string | BlockText {
  const content = artifact?.pending?.content ?? artifact?.committed?.content
  if (content === undefined) return ''
  if (content.type === 'text') return content.text
  if (content.type === 'bytes') return `${Math.floor((content.base64.length * 3) / 4)} bytes`
  return content.type === 'rows' ? rowsText(content.rows) : textOf(content.data)
}

/** A text as it is, any other value as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value)
}
