/** Answers of the user of an MCP client to what an agent asks, as commands. */
import {
  CommandReader,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../commands/wires/command-reader.ts'
import { requireObject } from '../core/require.ts'
import type { AuthRequiredEvent } from '../events/auth.ts'
import type { TaskName } from '../events/event.ts'
import type { InputRequiredEvent } from '../events/input.ts'
import { callDigest } from '../json/call-digest.ts'
import { type Fields, isFields } from '../validation/predicates.ts'
import { jsonCopy } from './reading.ts'
import { callToApprove, isForm } from './to-elicitation.ts'

/** A request as it was appended to the stream. */
type Asked = (InputRequiredEvent | AuthRequiredEvent) & Partial<TaskName>

/**
 * Reads the answer of a client to {@link toMcpElicitation}: the result of `elicitation/create`, or one of the `inputResponses`. To
 * accept is to answer, also with `false`, which declines a tool call; to decline is to decline; what was canceled is declined with
 * that as the reason. To accept a page is to open it: that the user has logged in there is up to the page.
 *
 * Diagnostics: `invalid-event` with the path of what cannot be read, `lossy:action` for what was canceled, and
 * `dropped:elicitation/create` for a page that was accepted.
 *
 * @param asked - The event of the request.
 * @throws TypeError if `asked` is no object, or an option is invalid.
 */
export function commandsFromMcpElicitation(
  result: unknown,
  asked: Asked,
  options: ReadCommandsOptions = {},
): ReadCommands {
  const reader = new CommandReader(options)
  requireObject('asked', asked)
  const copy = jsonCopy(result)
  const { action, content = null } = isFields(copy) ? copy : {}
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') {
    reader.invalid('/action', 'Expected accept, decline or cancel, got another value.')
    return reader.done()
  }
  if (action === 'cancel')
    reader.lossy('action', '/action', `Expected a decision, got ${action}: it is declined.`)
  const isAccepted = action === 'accept'
  const reason = action === 'cancel' ? 'The user has not decided.' : undefined
  if (asked.kind !== 'auth-required') answer(reader, asked, isAccepted ? content : undefined, reason)
  else if (isAccepted) {
    const message = 'Whether the login succeeds is not known.'
    reader.dropped('elicitation/create', 'waiting', '/action', message)
  } else {
    const { authId, contextId, taskId } = asked
    reader.add({ kind: 'auth.respond', contextId, taskId, authId, outcome: 'denied', message: reason })
  }
  return reader.done()
}

/** @param content - Of an answer. `undefined`: the request is declined. */
function answer(
  reader: CommandReader,
  asked: InputRequiredEvent & Partial<TaskName>,
  content: unknown,
  reason: string | undefined,
): void {
  const { inputId, contextId, taskId, schema } = asked
  const isOwnForm = isForm(schema)
  const value = isOwnForm ? content : (content as Fields | null | undefined)?.value
  if (content !== undefined && (!isFields(content) || value === undefined)) {
    const path = isFields(content) ? '/content/value' : '/content'
    reader.invalid(path, 'Expected the fields of the form, got another value.')
    return
  }
  const call = callToApprove(asked)
  const isDeclined = content === undefined || (call !== undefined && value === false)
  const response = {
    ...{ inputId, ...(taskId !== undefined && { taskId }), outcome: isDeclined ? 'declined' : 'answered' },
    ...(!isDeclined && { value }),
    ...(reason !== undefined && { reason }),
    ...(call !== undefined &&
      !isDeclined && { callDigest: callDigest({ toolName: call.name, arguments: call.arguments }) }),
  }
  reader.add({ kind: 'input.respond', contextId, responses: [response] })
}
