/** What the answers of clients name, in a protocol that has one space for the ids of all tasks. */

import { withSuffix } from './wire-ids.ts'

/** What an answer on the wire names. */
export interface Named<Request> {
  /** The id in the stream, as far as it is known. */
  readonly id: string
  /** Omitted if it is not known whose the id is. */
  readonly taskId?: string
  readonly request?: Request
  /** Whether several requests have the id: it is not known which of them is meant. */
  readonly isAmbiguous?: boolean
}

/** What is named of a request. */
export interface NamedItem {
  readonly id: string
  /** Whether another task has used the id before. Omitted: none has. */
  readonly isIdReused?: boolean
  /** Whether few clients see it, as a call of a subtask that asks for nothing. Omitted: it is not. */
  readonly isAside?: boolean
}

/**
 * Which of the open requests an id on the wire names. One with a suffix names that of its task. One without is that of the
 * first task which has used it, or of the only one that is open.
 *
 * @param itemOf - What is named of a request, such as its call; `undefined` if it has no such thing.
 * @param others - The ids that the client has: one that is there with a suffix is not that of its task without.
 */
export function namedOnWire<Request extends { readonly taskId: string }>(
  requests: readonly Request[],
  wireId: string,
  itemOf: (request: Request) => NamedItem | undefined,
  others: ReadonlySet<string>,
): Named<Request> {
  const all = requests.flatMap((request) => {
    const { id, isIdReused = false, isAside = false } = itemOf(request) ?? {}
    if (id === undefined) return []
    const own = withSuffix(id, request.taskId)
    if (own === wireId) return [{ request, id, isFirst: true, isAside: false }]
    return id === wireId && !others.has(own) ? [{ request, id, isFirst: !isIdReused, isAside }] : []
  })
  const seen = all.filter(({ isAside }) => !isAside)
  const found = seen.length > 0 ? seen : all
  const first = found.filter(({ isFirst }) => isFirst)
  const [one, ...rest] = first.length > 0 ? first : found
  if (one === undefined) return { id: wireId }
  const { taskId } = one.request
  if (rest.some(({ request }) => request.taskId !== taskId)) return { id: wireId, isAmbiguous: true }
  return { id: one.id, taskId, request: one.request }
}
