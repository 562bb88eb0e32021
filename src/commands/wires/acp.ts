/** Permissions of the Agent Client Protocol: `session/request_permission` and its response. */

import { requireObject } from '../../core/require.ts'
import { parsedArguments } from '../../json/parsed.ts'
import { isFields } from '../../validation/predicates.ts'
import { fieldsOf, objectsIn, textIn } from '../../validation/read-fields.ts'
import type { OpenRequest } from '../ledger/read.ts'
import { CommandReader, type ReadCommands, type ReadCommandsOptions } from './command-reader.ts'

/** The parameters of `session/request_permission`, as far as they are written. */
export type AcpPermissionRequest = {
  sessionId: string
  toolCall: { toolCallId: string; title: string; rawInput?: unknown }
  options: { optionId: string; name: string; kind: 'allow_once' | 'reject_once' }[]
}

/** The request to show an open request to the client of an ACP agent. The session is the context. */
export function toAcpPermission(request: OpenRequest): AcpPermissionRequest {
  requireObject('request', request)
  const { contextId: sessionId, id, prompt, call } = request
  const rawInput = call === undefined ? undefined : parsedArguments(call.arguments)
  return {
    sessionId,
    toolCall: {
      toolCallId: call?.toolCallId ?? id,
      title: prompt,
      ...(rawInput !== undefined && { rawInput }),
    },
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
  }
}

/**
 * Reads the response to `session/request_permission`. An option that allows is an approval of the call that was
 * requested, one that rejects declines it; `cancelled` cancels the task, as the client has canceled the turn.
 *
 * @param response - The response, as the client sent it.
 * @param asked - The open request, and the `options` of the permission that was requested.
 */
export function commandsFromAcpPermission(
  response: unknown,
  asked: { readonly request: OpenRequest; readonly options: readonly { optionId: string; kind: string }[] },
  options: ReadCommandsOptions = {},
): ReadCommands {
  const reader = new CommandReader(options)
  requireObject('asked', asked)
  const { request } = asked
  requireObject('asked.request', request)
  const { contextId, taskId, id: inputId, call } = request
  const outcome = fieldsOf(response).outcome
  const optionId = textIn(outcome, 'optionId')
  const isSelected = isFields(outcome) && outcome.outcome === 'selected'
  const option = objectsIn(asked, 'options').find((each) => isSelected && each.optionId === optionId)
  const kind = textIn(option, 'kind')
  if (isFields(outcome) && outcome.outcome === 'cancelled') {
    reader.add({ kind: 'task.cancel', contextId, taskId })
  } else if (kind?.startsWith('allow') === true || kind?.startsWith('reject') === true) {
    const answer = {
      inputId,
      taskId,
      outcome: kind.startsWith('reject') ? 'declined' : 'answered',
      ...(kind.endsWith('_always') && call === undefined && { value: optionId }),
      ...(call !== undefined && { callDigest: call.digest }),
    }
    reader.add({ kind: 'input.respond', contextId, responses: [answer] })
    if (kind.endsWith('_always')) {
      const message = `Expected an option for this call only, got "${kind}". Remembering it is up to the agent.`
      reader.lossy('optionId', '/outcome/optionId', message)
    }
  } else reader.invalid('/outcome', 'Expected a selected option of the request, or "cancelled", got neither.')
  return reader.done()
}
