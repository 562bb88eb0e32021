/** The end of an A2A stream. */

import { isTerminal } from '../wire/model.ts'
import { parseItem } from '../wire/parse.ts'

/**
 * Whether an item is the last of its stream: the task is in a terminal state or requires input, `final` is
 * true, or the item is a message. The server closes the connection after it; later items belong to another
 * stream. Takes items of either version, with or without a JSON-RPC response around them.
 *
 * A task that requires authentication keeps its stream open.
 *
 * @see https://a2a-protocol.org/v1.0.0/topics/streaming-and-async/
 */
export function isA2aStreamEnd(event: unknown): boolean {
  const parsed = parseItem(event)
  if (parsed.type !== 'update') return false
  const { update } = parsed
  switch (update.type) {
    case 'message':
      return true
    case 'task':
      return isTerminal(update.status.state)
    case 'status':
      return (
        isTerminal(update.status.state) || update.status.state === 'input-required' || update.final === true
      )
    case 'artifact':
      return false
  }
}
