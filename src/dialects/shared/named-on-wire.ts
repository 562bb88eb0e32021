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
  /** Whether few clients see it, as a call of a subtask that asks for nothing. Omitted: it is not. */
  readonly isAside?: boolean
}

/**
 * Which of the open requests an id on the wire names. One with a suffix names that of its task. One without names the only one
 * that it can be: of several it is not known which, as another writer may have written it. Once the others are answered by
 * their ids with a suffix, it is.
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
    const { id, isAside = false } = itemOf(request) ?? {}
    if (id === undefined) return []
    const own = withSuffix(id, request.taskId)
    if (own === wireId) return [{ request, id, isAside: false }]
    return id === wireId && !others.has(own) ? [{ request, id, isAside }] : []
  })
  const seen = all.filter(({ isAside }) => !isAside)
  const [one, ...rest] = seen.length > 0 ? seen : all
  if (one === undefined) return { id: wireId }
  const { taskId } = one.request
  if (rest.some(({ request }) => request.taskId !== taskId)) return { id: wireId, isAmbiguous: true }
  return { id: one.id, taskId, request: one.request }
}
