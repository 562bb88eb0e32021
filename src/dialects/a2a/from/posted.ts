/** The request that was posted to the agent, which most agents do not repeat. */

import { isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { Losses } from '../wire/losses.ts'
import type { Message } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'

/** The message of a request: of its parameters, or of the JSON-RPC request around them. `undefined` if it has none. */
export function messageOf(request: unknown): Message | undefined {
  const params = isFields(request) && isFields(request.params) ? request.params : request
  const message = fieldsOf(params).message
  if (!isFields(message)) return undefined
  const parsed = parseItem(message.kind === 'message' ? message : { message }, new Losses())
  return parsed.type === 'update' && parsed.update.type === 'message' ? parsed.update.message : undefined
}

/** How a request answers a task that waits; `undefined` if it is not one to that task. */
export function answerTo(
  request: Message | undefined,
  taskId: string,
): { readonly isDeclined: boolean } | undefined {
  if (request?.taskId !== taskId) return undefined
  const isDeclined = request.parts.some(
    ({ type, ...part }) => type === 'data' && 'data' in part && isRefusal(part.data),
  )
  return { isDeclined }
}

function isRefusal(data: unknown): boolean {
  if (!isFields(data)) return false
  const { approved, outcome, response } = data
  return approved === false || outcome === 'declined' || (isFields(response) && response.confirmed === false)
}
