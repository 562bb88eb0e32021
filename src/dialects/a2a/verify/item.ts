/** The members of a valid item that the rules are about, whatever the version. */

import type { Fields } from '../../../validation/predicates.ts'
import type { State } from '../wire/model.ts'
import type { A2aVersion } from '../wire/version.ts'

/** An item, without what differs between the versions. */
export interface Item {
  readonly type: 'task' | 'message' | 'status' | 'artifact'
  /** JSON Pointer to `value`. */
  readonly path: string
  readonly value: Fields
  /** Omitted if the item does not state it, as a message or a task of 1.0 may. */
  readonly taskId?: string
  readonly contextId?: string
}

const types: Readonly<Record<string, Item['type']>> = {
  task: 'task',
  message: 'message',
  'status-update': 'status',
  statusUpdate: 'status',
  'artifact-update': 'artifact',
  artifactUpdate: 'artifact',
}

/** Reads a valid item. */
export function readItem(version: A2aVersion, item: Fields): Item {
  const [member = ''] = Object.keys(item)
  const [name, value, path] =
    version === '0.3' ? [String(item.kind), item, ''] : [member, item[member] as Fields, `/${member}`]
  const type = types[name] ?? 'message'
  const { taskId = type === 'task' ? value.id : undefined, contextId } = value
  return {
    type,
    path,
    value,
    ...(typeof taskId === 'string' && { taskId }),
    ...(typeof contextId === 'string' && { contextId }),
  }
}

/** The state in a valid status, by its name in 0.3. */
export function stateIn(status: Fields): State {
  return String(status.state)
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-') as State
}
