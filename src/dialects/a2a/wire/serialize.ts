/** Serializing the model as A2A. What differs between the versions is data. */

import type { Mutable } from '../../../core/mutable.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import {
  type Artifact,
  FILE_CHUNK,
  isTerminal,
  type Message,
  type Part,
  type State,
  type Status,
  type TaskUpdate,
  type WrittenUpdate,
} from './model.ts'
import { DATA_PART_COMPAT } from './parse-part.ts'
import type { A2aV1TaskState } from './types.generated.ts'
import type { A2aEvent, A2aTask, A2aVersion } from './version.ts'

type Item = Mutable<Fields>

/** How one version writes what all versions have. */
interface Format {
  /** The `kind` that each object starts with. Omitted: objects have none. */
  readonly kinds?: Readonly<Record<WrittenUpdate['type'] | 'message', string>>
  /** The member that holds each item. Omitted: items are not wrapped. */
  readonly members?: Readonly<Record<WrittenUpdate['type'], string>>
  /** The names of the states. Omitted: those of the model. */
  readonly states?: Readonly<Record<State, string>>
  readonly roles: Readonly<Record<Message['role'], string>>
  /** Whether flags that are false and empty strings are written. */
  readonly writesDefaults: boolean
  /** Adds the content of a part. */
  readonly writePart: (item: Item, part: Part) => void
}

/** 1.0 has no state `unknown`. */
const v1States: Readonly<Record<State, A2aV1TaskState>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
  unknown: 'TASK_STATE_WORKING',
}

const formats: Readonly<Record<A2aVersion, Format>> = {
  '0.3': {
    kinds: { task: 'task', status: 'status-update', artifact: 'artifact-update', message: 'message' },
    roles: { user: 'user', agent: 'agent' },
    writesDefaults: true,
    writePart: writePartV03,
  },
  '1.0': {
    members: { task: 'task', status: 'statusUpdate', artifact: 'artifactUpdate' },
    states: v1States,
    roles: { user: 'ROLE_USER', agent: 'ROLE_AGENT' },
    writesDefaults: false,
    writePart: writePartV1,
  },
}

/** One item of a stream. */
export function serializeItem<V extends A2aVersion>(version: V, update: WrittenUpdate): A2aEvent<V> {
  const { members } = formats[version]
  const item = update.type === 'task' ? serializeTask(version, update) : serializeUpdate(version, update)
  return (members === undefined ? item : { [members[update.type]]: item }) as A2aEvent<V>
}

/** A task by itself. */
export function serializeTask<V extends A2aVersion>(version: V, update: TaskUpdate): A2aTask<V> {
  const format = formats[version]
  const { taskId: id, contextId, status, artifacts, metadata } = update
  const item = start(format, 'task')
  item.id = id
  item.contextId = contextId
  item.status = statusOf(format, status, id, contextId)
  if (artifacts.length > 0) item.artifacts = artifacts.map((artifact) => artifactOf(format, artifact))
  if (metadata !== undefined) item.metadata = metadata
  return item as unknown as A2aTask<V>
}

function serializeUpdate(version: A2aVersion, update: Exclude<WrittenUpdate, TaskUpdate>): Item {
  const format = formats[version]
  const { type, taskId, contextId, metadata } = update
  const item = start(format, type)
  item.taskId = taskId
  item.contextId = contextId
  if (type === 'status') {
    const { state } = update.status
    item.status = statusOf(format, update.status, taskId, contextId)
    if (format.kinds !== undefined) item.final = isTerminal(state) || state === 'input-required'
  } else {
    item.artifact = artifactOf(format, update.artifact)
    if (update.append || format.writesDefaults) item.append = update.append
    if (update.last || format.writesDefaults) item.lastChunk = update.last
  }
  if (metadata !== undefined) item.metadata = metadata
  return item
}

function statusOf(
  format: Format,
  { state, message, timestamp }: Status,
  taskId: string,
  contextId: string,
): Item {
  const item: Item = { state: format.states?.[state] ?? state }
  if (message !== undefined) item.message = messageOf(format, message, taskId, contextId)
  if (timestamp !== undefined) item.timestamp = timestamp
  return item
}

function messageOf(
  format: Format,
  { messageId, role, parts }: Message,
  taskId: string,
  contextId: string,
): Item {
  const item = start(format, 'message')
  item.messageId = messageId
  item.role = format.roles[role]
  item.parts = partsOf(format, parts)
  item.taskId = taskId
  item.contextId = contextId
  return item
}

function artifactOf(format: Format, artifact: Artifact): Item {
  const { artifactId, name, description, parts, metadata } = artifact
  const item: Item = { artifactId }
  setText(format, item, 'name', name)
  setText(format, item, 'description', description)
  item.parts = partsOf(format, parts)
  if (metadata !== undefined) item.metadata = metadata
  return item
}

function partsOf(format: Format, parts: readonly Part[]): Item[] {
  return parts.map((part) => {
    const item: Item = {}
    format.writePart(item, part)
    return item
  })
}

function writePartV03(item: Item, part: Part): void {
  switch (part.type) {
    case 'text':
      item.kind = 'text'
      item.text = part.text
      break
    case 'data':
      item.kind = 'data'
      if (isFields(part.data)) item.data = part.data
      else {
        // Only objects are data: the translators of the SDKs wrap other values in the same way.
        item.data = { value: part.data }
        item.metadata = { [DATA_PART_COMPAT]: true }
      }
      break
    default: {
      const file: Item = part.type === 'raw' ? { bytes: part.bytes } : { uri: part.url }
      if (part.name !== undefined) file.name = part.name
      if (part.mediaType !== undefined) file.mimeType = part.mediaType
      item.kind = 'file'
      item.file = file
      markChunk(item, part)
    }
  }
}

function writePartV1(item: Item, part: Part): void {
  switch (part.type) {
    case 'text':
      item.text = part.text
      break
    case 'data':
      item.data = part.data
      item.mediaType = 'application/json'
      break
    default:
      if (part.type === 'raw') item.raw = part.bytes
      else item.url = part.url
      if (part.name) item.filename = part.name
      if (part.mediaType) item.mediaType = part.mediaType
      markChunk(item, part)
  }
}

function markChunk(item: Item, part: Part): void {
  if (part.type === 'raw' && part.isChunk === true) item.metadata = { [FILE_CHUNK]: true }
}

/** An object with its kind, if the version has kinds. */
function start({ kinds }: Format, type: keyof NonNullable<Format['kinds']>): Item {
  return kinds === undefined ? {} : { kind: kinds[type] }
}

function setText(format: Format, item: Item, name: string, text: string | undefined): void {
  if (text !== undefined && (text !== '' || format.writesDefaults)) item[name] = text
}
