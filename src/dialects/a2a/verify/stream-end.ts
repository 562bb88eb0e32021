/** When an A2A stream is over. */
import { isTerminal } from '../wire/model.ts'
import { readUpdate } from '../wire/parse.ts'

/**
 * Whether a stream is over after this item, of either version, as it is or in a JSON-RPC response:
 * the task is in a terminal state or requires input, `final` says so, or the item is a message.
 * A server closes the connection after it; what it sends later belongs to another stream.
 *
 * A task that requires authentication keeps its stream open.
 *
 * @see https://a2a-protocol.org/v1.0.0/topics/streaming-and-async/
 */
export function isA2aStreamEnd(event: unknown): boolean {
  const reading = readUpdate(event)
  if (reading.type !== 'update') return false
  const { update } = reading
  switch (update.type) {
    case 'message':
      return true
    case 'task':
      return isTerminal(update.status.state)
    case 'status':
      return (
        update.final === true || isTerminal(update.status.state) || update.status.state === 'input-required'
      )
    case 'artifact':
      return false
  }
}
