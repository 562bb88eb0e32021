/**
 * What a command names by an id. Tasks of one context may use the same ids: a command that states no task means the one
 * that takes it, and is refused as `ambiguous` if several do.
 */

import { boundedGet, boundedSet } from '../../core/bounded-map/bounded-map.ts'
import type { TaskName } from '../../events/event.ts'
import type { ItemType } from '../../events/item-ids.ts'
import { contextKey } from '../../streams/context-key.ts'
import type { LedgerState } from './state.ts'
import type { ReceiptStatus } from './types.ts'

/** Why a command is refused. */
export interface Refusal {
  readonly status: ReceiptStatus
  readonly message: string
}

/** Of the tasks that have used an id: the first one, and the latest of the others. */
const MAX_TASKS = 32

/** The tasks of a context that have used an id, in the order in which they did first. */
export function tasksNamed(
  { names }: LedgerState,
  type: ItemType,
  contextId: string,
  id: string,
): readonly string[] {
  return boundedGet(names, nameKey(type, contextId, id)) ?? []
}

/** The names after a task has used an id; the same if it has used it before. */
export function withName(
  state: LedgerState,
  type: ItemType,
  { contextId, taskId }: TaskName,
  id: string,
  maxEntries: number,
): LedgerState['names'] {
  const known = tasksNamed(state, type, contextId, id)
  if (known.includes(taskId)) return state.names
  const tasks = known.length < MAX_TASKS ? known : known.filter((_, i) => i !== 1)
  // Requests and calls that are stored longer are found by their own keys, or among those that are open.
  return boundedSet(state.names, nameKey(type, contextId, id), [...tasks, taskId], 3 * maxEntries).map
}

/**
 * Of the records with the id of a command: the one that takes it. If none does, the refusal is that of one that took the
 * same before, or else of the latest that the sender sees.
 *
 * @param refusalOf - Why a record takes no such command; `undefined` if it does.
 */
export function takerOf<Named extends TaskName>(
  records: readonly Named[],
  shownId: string,
  refusalOf: (record: Named) => Refusal | undefined,
): { readonly taker: Named } | Refusal {
  const refusals = records.map(refusalOf)
  const [taker, second] = records.filter((_, i) => refusals[i] === undefined)
  if (taker !== undefined && second === undefined) return { taker }
  if (taker !== undefined) {
    const message = `Expected a taskId, because several tasks wait for ${shownId}, got none.`
    return { status: 'ambiguous', message }
  }
  const latestFirst = refusals.flatMap((refusal) => refusal ?? []).reverse()
  return (
    latestFirst.find(({ status }) => status === 'repeated') ??
    latestFirst.find(({ status }) => status !== 'unknown-request') ??
    latestFirst[0] ?? { status: 'unknown-request', message: `Unknown ${shownId}.` }
  )
}

function nameKey(type: ItemType, contextId: string, id: string): string {
  return `${type} ${contextKey(contextId, id)}`
}
