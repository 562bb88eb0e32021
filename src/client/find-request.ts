/** Finding the request that a page means. */

import { requireText } from '../core/require.ts'
import type { OpenRequest } from '../streams/open-request.ts'

/**
 * Names a request: its id, or the request as `requests` has it. Several tasks may ask with the same id: the id alone answers none of
 * them, and the receipt is `ambiguous`.
 */
export type RequestOrId = string | Pick<OpenRequest, 'id' | 'taskId'>

/** What is known of a request by its name. */
export interface FoundRequest {
  readonly id: string
  /** Omitted: several tasks have asked with the id, or the page knows of none. */
  readonly task?: { readonly taskId: string }
  /** Omitted: the page does not show it, or several. */
  readonly request?: OpenRequest
}

/**
 * The request with a name.
 *
 * @param idOf - The id of a request, as it is named; `undefined` of one that is not meant.
 * @throws TypeError if an id is no text, or empty.
 */
export function findRequest(
  name: RequestOrId,
  requests: readonly OpenRequest[],
  idOf: (request: Pick<OpenRequest, 'id'> & Partial<OpenRequest>) => string | undefined,
): FoundRequest {
  if (typeof name !== 'object' || name === null) {
    requireText('id', name)
    const [request, other] = requests.filter((each) => idOf(each) === name)
    if (request === undefined || other !== undefined) return { id: name }
    return { id: name, task: { taskId: request.taskId }, request }
  }
  requireText('id', name.id)
  requireText('taskId', name.taskId)
  const id = idOf(name) ?? name.id
  const { taskId } = name
  const request = requests.find((each) => idOf(each) === id && each.taskId === taskId)
  return { id, task: { taskId }, ...(request && { request }) }
}
