/** The events of clients of the session protocol. */

import {
  CommandReader,
  derivedId,
  type ReadCommands,
  type ReadCommandsOptions,
} from '../../../commands/wires/command-reader.ts'
import { answerOf, responseTo } from '../../../commands/wires/response.ts'
import { namedOnWire } from '../../shared/named-on-wire.ts'
import { decodeSessionEvent } from '../wire/decode.ts'
import type { SessionClientEvent } from '../wire/event.ts'
import type { UserResponseEvent } from '../wire/types.generated.ts'

/**
 * Reads an event of a client of the session protocol as commands. The session is the context, and the `step_id` of a
 * `user.response` the `inputId` of the question, as `toSessionEvents` writes it.
 *
 * `user.message` is a `task.send`, `user.response` an `input.respond`, `user.cancel` a `task.cancel`, and both kinds of
 * reconnection are a `stream.resume` from the `last_seq`. Other events lead to no command: `dropped:<event>`.
 *
 * The timestamp and the content of an event name its command, so that an event that is sent again is recognized.
 *
 * @param event - The event. Any value.
 * @throws TypeError if an option is invalid.
 */
export function commandsFromSessionEvent(event: unknown, options: ReadCommandsOptions = {}): ReadCommands {
  const reader = new CommandReader(options)
  const decoded = decodeSessionEvent(event, { direction: 'client' })
  if (decoded.status === 'invalid') {
    const [issue] = decoded.issues
    reader.invalid(issue?.path ?? '', issue?.message ?? 'Expected an event of a client, got another value.')
    return reader.done()
  }
  const known = decoded.status === 'known' ? decoded.event : undefined
  const contextId = known?.session_id
  const commandId = idOf(known)
  switch (known?.event) {
    case 'user.message': {
      const { content, metadata } = known
      reader.add({ kind: 'task.send', commandId, contextId, input: content, metadata })
      break
    }
    case 'user.response':
      readResponse(reader, known)
      break
    case 'user.cancel':
      reader.add({ kind: 'task.cancel', commandId, contextId, reason: known.content?.reason })
      break
    case 'user.reconnect': {
      const { session_id, last_seq } = known.content
      reader.add({
        kind: 'stream.resume',
        commandId,
        contextId: session_id,
        lastEventId: last_seq?.toString(),
      })
      break
    }
    case 'user.reconnect_with_state': {
      const { last_seq, last_event_id } = known.content
      reader.add({
        kind: 'stream.resume',
        commandId,
        contextId,
        lastEventId: last_event_id ?? String(last_seq),
      })
      break
    }
    default: {
      const name = decoded.status === 'unknown' ? decoded.kind : decoded.event.event
      reader.dropped(name, 'no-equivalent', '/event', `The event ${name} is not a command.`)
    }
  }
  return reader.done()
}

/** The id of the command in an event; `undefined` if the event does not state when it was created. */
function idOf(event: SessionClientEvent | undefined): string | undefined {
  if (typeof event?.timestamp !== 'string') return undefined
  const { event: name, session_id, step_id, timestamp, content } = event
  return derivedId(name, [session_id ?? null, step_id ?? null, timestamp, content ?? null])
}

function readResponse(reader: CommandReader, event: UserResponseEvent): void {
  const { session_id: contextId, step_id, content } = event
  if (step_id === undefined || step_id === null) {
    reader.invalid('/step_id', 'Expected the step_id of the question, got none.')
    return
  }
  const { approved, feedback, data, selected_id, value } = content
  const inputs = (reader.requests ?? []).filter(({ type }) => type === 'input')
  const named = namedOnWire(inputs, step_id, (each) => each, new Set())
  const { request } = named
  const given = selected_id ?? value
  // Corrected data of a request that is no longer open are those of a call, as when it was open.
  const isEdit =
    data !== undefined && (request === undefined ? given === undefined : request.call !== undefined)
  const answer = given ?? data
  const response = !approved
    ? { ...answerOf(named), outcome: 'declined', ...(feedback !== undefined && { reason: feedback }) }
    : isEdit
      ? responseTo(reader, named, { approved, arguments: data }, '/content')
      : { ...answerOf(named), ...(answer === undefined ? { outcome: 'answered' } : { value: answer }) }
  if (response === undefined) return
  const commandId = idOf(event)
  // Its id is a digest of what was sent.
  reader.add({ kind: 'input.respond', commandId, contextId, sourceDigest: commandId, responses: [response] })
}
