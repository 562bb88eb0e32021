/**
 * Carried metadata: what A2A has and events have no field for, under the key `a2a` of the metadata of events, by the
 * object of A2A that has it and with the names of A2A.
 *
 *     metadata: { a2a: { artifact: { name, extensions }, part: { mediaType }, update: { … } } }
 */

import type { Metadata } from '../../../events/metadata.ts'
import { cleanObject } from '../../../json/sanitize.ts'
import type { DataPart, Message, Part } from '../wire/model.ts'
import type { ReceivedTask } from './state.ts'

type TaskIds = Pick<ReceivedTask, 'taskId' | 'contextId'>

/**
 * Metadata with values under `a2a`; `undefined` if there is neither. A copy.
 *
 * @param onChange - Called if a value is nested too deeply to be carried.
 */
export function carry(
  metadata: Metadata | undefined,
  values: Metadata | undefined,
  onChange?: () => void,
): Metadata | undefined {
  const carried = values === undefined ? undefined : present(values)
  if (carried === undefined) return metadata && (cleanObject(metadata, onChange) as Metadata)
  // The key is taken.
  if (metadata?.a2a !== undefined) return { a2a: cleanObject({ ...carried, metadata }, onChange) }
  return cleanObject({ ...metadata, a2a: carried }, onChange) as Metadata
}

/** The members that are present and not empty; `undefined` if there are none. */
export function present(values: Metadata): Metadata | undefined {
  let found: Record<string, unknown> | undefined
  for (const name in values) {
    if (values[name] === undefined) continue
    found ??= {}
    found[name] = values[name]
  }
  return found
}

/**
 * What a message has besides its role and the content of its parts. Of its ids, those that the task does not have,
 * and that `toA2a` does not make.
 */
export function carriedOfMessage(
  { taskId: id, contextId: known }: TaskIds,
  message: Message | undefined,
): Metadata {
  if (message === undefined) return {}
  const { messageId, taskId, contextId, metadata, extensions, referenceTaskIds, parts } = message
  const texts = parts.flatMap((part) => (part.type === 'text' ? (carriedOfPart(part) ?? []) : []))
  const isOwn = messageId === id || messageId.startsWith(`${id}:message-`)
  const own = present({
    messageId: isOwn ? undefined : messageId,
    taskId: taskId === id ? undefined : taskId,
    contextId: contextId === known ? undefined : contextId,
    metadata,
    extensions,
    referenceTaskIds,
    ...(texts.length > 0 && { parts: texts }),
  })
  return own === undefined ? {} : { message: own }
}

/** Data of a message that is no output: the data, and what its part has besides. */
export function carriedOfData(part: DataPart | undefined): Metadata {
  return part === undefined ? {} : { data: part.data, part: carriedOfPart(part) }
}

/** What a part has besides its content. Data is JSON anyway. */
export function carriedOfPart({ type, name: filename, mediaType, metadata }: Part): Metadata | undefined {
  const isImplied = type === 'data' && mediaType === 'application/json'
  return present({ filename, mediaType: isImplied ? undefined : mediaType, metadata })
}
