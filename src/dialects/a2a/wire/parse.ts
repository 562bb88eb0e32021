/**
 * Parsing A2A of any version: the JSON of 0.3, its REST form, and 1.0, with or without a JSON-RPC response
 * around it, with names in camel case or snake case and states by name or number.
 */

import { type Fields, isFields } from '../../../validation/predicates.ts'
import { parseTimestamp } from '../../shared/timestamp.ts'
import { Losses } from './losses.ts'
import { get, getFields, nameIn } from './members.ts'
import type { Artifact, Message, State, Status, Update } from './model.ts'
import { parsePart } from './parse-part.ts'

/** The result of {@link parseItem}. */
export type ParsedItem =
  | { readonly type: 'update'; readonly update: Update }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'unknown' }

/** Parses one item of a stream, or a task that was requested by itself. What is not read goes to `losses`. */
export function parseItem(value: unknown, losses: Losses = new Losses()): ParsedItem {
  if (!isFields(value)) return { type: 'unknown' }
  const isResponse = 'jsonrpc' in value || ('result' in value && !('kind' in value))
  if (isResponse || isFields(value.error)) {
    if (value.error !== undefined && value.error !== null) return { type: 'error', error: value.error }
    if (!isResponse || !isFields(value.result)) return { type: 'unknown' }
    losses.unknownMembers('response', value, '')
  }
  const [item, path] = isResponse ? [value.result as Fields, '/result'] : [value, '']
  const update = parseUpdate(item, path, losses)
  return update === undefined ? { type: 'unknown' } : { type: 'update', update }
}

type UpdateParser = (value: Fields, path: string, losses: Losses) => Update | undefined

/** The parser for each `kind` of 0.3. */
const kinds: Readonly<Record<string, UpdateParser>> = {
  task: parseTask,
  'status-update': parseStatusUpdate,
  'artifact-update': parseArtifactUpdate,
  message: parseMessageUpdate,
}

/** The parser for each member of an item of 1.0. The REST form of 0.3 calls a message `msg`. */
const wrappers: readonly (readonly [string, UpdateParser])[] = [
  ['task', parseTask],
  ['statusUpdate', parseStatusUpdate],
  ['artifactUpdate', parseArtifactUpdate],
  ['message', parseMessageUpdate],
  ['msg', parseMessageUpdate],
]

function parseUpdate(value: Fields, path: string, losses: Losses): Update | undefined {
  const { kind } = value
  if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kinds[kind]?.(value, path, losses)
  for (const [name, parse] of wrappers) {
    const inner = getFields(value, name)
    if (inner === undefined) continue
    const own = nameIn(value, name) ?? name
    losses.unknownMembers('item', value, path, own)
    return parse(inner, `${path}/${own}`, losses)
  }
  // A bare object of 1.0, such as the result of `GetTask`.
  if (isFields(value.status))
    return (get(value, 'taskId') ? parseStatusUpdate : parseTask)(value, path, losses)
  if (isFields(value.artifact)) return parseArtifactUpdate(value, path, losses)
  return get(value, 'messageId') ? parseMessageUpdate(value, path, losses) : undefined
}

function parseTask(value: Fields, path: string, losses: Losses): Update | undefined {
  const taskId = nonEmpty(value.id)
  if (taskId === undefined) return undefined
  losses.unknownMembers('task', value, path)
  const history = losses.list(value, 'history', path, parseMessage)
  return {
    type: 'task',
    taskId,
    contextId: losses.text(value, 'contextId', path) ?? taskId,
    status: parseStatus(value.status, `${path}/status`, losses),
    artifacts: losses.list(value, 'artifacts', path, parseArtifact),
    history: history.length > 0 ? history : undefined,
    metadata: losses.updateMetadata(value, path),
  }
}

function parseStatusUpdate(value: Fields, path: string, losses: Losses): Update | undefined {
  const taskId = nonEmpty(get(value, 'taskId'))
  if (taskId === undefined) return undefined
  losses.unknownMembers('statusUpdate', value, path)
  return {
    type: 'status',
    taskId,
    contextId: losses.text(value, 'contextId', path) ?? taskId,
    status: parseStatus(value.status, `${path}/status`, losses),
    final: losses.flag(value, 'final', path),
    metadata: losses.updateMetadata(value, path),
  }
}

function parseArtifactUpdate(value: Fields, path: string, losses: Losses): Update | undefined {
  const taskId = nonEmpty(get(value, 'taskId'))
  if (taskId === undefined) return undefined
  const artifact = parseArtifact(value.artifact, `${path}/artifact`, losses)
  if (artifact === undefined) return undefined
  losses.unknownMembers('artifactUpdate', value, path)
  return {
    type: 'artifact',
    taskId,
    contextId: losses.text(value, 'contextId', path) ?? taskId,
    artifact,
    append: losses.flag(value, 'append', path),
    last: losses.flag(value, 'lastChunk', path),
    metadata: losses.updateMetadata(value, path),
  }
}

function parseMessageUpdate(value: Fields, path: string, losses: Losses): Update | undefined {
  const message = parseMessage(value, path, losses)
  if (message === undefined) return undefined
  const taskId = message.taskId ?? message.messageId
  return { type: 'message', taskId, contextId: message.contextId ?? taskId, message }
}

function parseStatus(value: unknown, path: string, losses: Losses): Status {
  if (!isFields(value)) {
    losses.report('state', path, value)
    return { state: 'unknown' }
  }
  losses.unknownMembers('status', value, path)
  const state = parseState(value.state)
  if (state === 'unknown') losses.report('state', `${path}/state`, value.state)
  const timestamp = parseTimestamp(value.timestamp)
  if (timestamp === undefined) losses.present('timestamp', value, path)
  // The REST form of 0.3 calls the message `update`.
  const name = get(value, 'message') === undefined ? 'update' : 'message'
  const message = parseMessage(value[name], `${path}/${name}`, losses)
  if (message === undefined) losses.present(name, value, path)
  // What the user sent has no place in a status.
  if (message?.role === 'user') losses.report('role', `${path}/${name}/role`, message.role)
  return { state, timestamp, message }
}

/** The states, indexed by their numbers in protocol buffers. */
const states: readonly State[] = [
  'unknown',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
]

function parseState(value: unknown): State {
  if (typeof value === 'number') return states[value] ?? 'unknown'
  if (typeof value !== 'string') return 'unknown'
  const name = value
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  if (name === 'cancelled') return 'canceled'
  return states.includes(name as State) ? (name as State) : 'unknown'
}

/** The roles by name, and by their numbers in protocol buffers. */
const roles: ReadonlyMap<unknown, Message['role']> = /* @__PURE__ */ new Map<unknown, Message['role']>([
  ['user', 'user'],
  ['ROLE_USER', 'user'],
  [1, 'user'],
  ['agent', 'agent'],
  ['ROLE_AGENT', 'agent'],
  [2, 'agent'],
])

function parseMessage(value: unknown, path: string, losses: Losses): Message | undefined {
  if (!isFields(value)) return undefined
  losses.unknownMembers('message', value, path)
  const role = roles.get(value.role)
  if (role === undefined) losses.present('role', value, path)
  const content = get(value, 'parts') === undefined ? 'content' : 'parts'
  const messageId = losses.text(value, 'messageId', path)
  const parts = losses.list(value, content, path, parsePart)
  return {
    messageId: messageId ?? 'message',
    role: role ?? 'agent',
    parts,
    taskId: losses.text(value, 'taskId', path),
    contextId: losses.text(value, 'contextId', path),
    referenceTaskIds: losses.texts(value, 'referenceTaskIds', path),
    extensions: losses.texts(value, 'extensions', path),
    metadata: losses.updateMetadata(value, path),
  }
}

function parseArtifact(value: unknown, path: string, losses: Losses): Artifact | undefined {
  const artifactId = isFields(value) ? nonEmpty(get(value, 'artifactId')) : undefined
  if (!isFields(value) || artifactId === undefined) return undefined
  losses.unknownMembers('artifact', value, path)
  return {
    artifactId,
    name: losses.text(value, 'name', path),
    description: losses.text(value, 'description', path),
    parts: losses.list(value, 'parts', path, parsePart),
    extensions: losses.texts(value, 'extensions', path),
    metadata: losses.metadata(value, path),
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
