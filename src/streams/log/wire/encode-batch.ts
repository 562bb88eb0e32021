/**
 * Encoding a batch for SSE: the server side of {@link batchDecoder}.
 *
 *     event: content-delta
 *     id: context/ctx-1:e1:41          the cursor after the event
 *     data: {"kind":"content-delta",…}
 *
 *
 * Each id acknowledges everything up to its position, so a connection may break anywhere: the next one
 * resumes after the `Last-Event-ID` it sends. `EventSource` does so by itself.
 */
import { mismatch, requireOnly } from '../../../core/require.ts'
import { INTERNAL_PREFIX } from '../../../events/kinds.ts'
import { type EventMessageOptions, eventMessage, requireProfile } from '../../../sse/encode.ts'
import { type Batch, cursorAfter, type Reset, requirePart, type StreamEvent } from '../batch.ts'
import { type Cursor, eventIdFormatter, formatEventId } from '../cursor.ts'
import { encodeReset } from './encode-reset.ts'
import { encodeStreamMessage, streamMessageNames } from './stream-messages.ts'

/** Options of {@link encodeBatch}. */
export interface EncodeBatchOptions extends EventMessageOptions {
  /**
   * `'all'`: a part that was read without a filter is encoded, with all its events. Required for such a part: it holds what
   * only operators may see. Omitted: the part was read with a filter.
   */
  readonly viewer?: 'all'
}

/**
 * Encodes a batch or a reset as SSE messages.
 *
 * - Each event has the cursor after it as its id. Nothing is written for hidden events: the next id covers them.
 * - A batch without events gives a block with an id and no data: it updates the reader's last event id and dispatches
 *   nothing.
 * - A loss is a message before the events. If the connection breaks between them, the loss is counted
 *   again, never missed.
 * - A reset is one message, or several of about 256 Ki characters if its events are more; only the last has an id. The
 *   end of the stream is one message.
 *
 * After the end, answer a reconnecting `EventSource` with status 204, or it reconnects forever.
 *
 * @throws TypeError if `part` is not a batch or reset, was read without a filter and `viewer` is not `'all'`, or an option is
 * invalid or unknown.
 *
 * @see docs/spec/internal-event-protocol.md#question-7-reconnection
 */
export function encodeBatch(
  part: Batch<StreamEvent> | Reset<StreamEvent>,
  options: EncodeBatchOptions = {},
): string {
  requirePart(part)
  requireOnly('options', options, ['profile', 'viewer'])
  requireProfile(options)
  requireProjected(part, options)
  if (part.type === 'reset') return [...encodeReset(part, options)].join('')
  const isNamed = options.profile !== 'data-only'
  const idOf = eventIdFormatter(cursorAfter(part))
  const { loss } = part
  let text =
    loss === undefined ? '' : encodeStreamMessage('loss', JSON.stringify({ type: 'loss', loss }), options)
  for (const [i, event] of part.events.entries()) {
    const seq = part.seqs[i] ?? part.through
    text += eventMessage(event, `id: ${idOf(seq)}\n`, isNamed && !isReservedName(event.kind))
  }
  if (part.closed === true) {
    return text + encodeStreamMessage('closed', '{"type":"closed"}', options, idOf(part.through))
  }
  // Not after events: that hidden ones follow them shows in nothing.
  return part.events.length > 0 ? text : text + encodePosition(cursorAfter(part))
}

/** A block with an id and no data: it updates the reader's last event id and dispatches nothing. */
export function encodePosition(cursor: Cursor): string {
  return `id: ${formatEventId(cursor)}\n\n`
}

const reservedNames: ReadonlySet<string> = new Set(Object.values(streamMessageNames))

/** Whether the SSE event name of a kind would be that of a message about the stream. */
function isReservedName(kind: string): boolean {
  return reservedNames.has(kind.startsWith(INTERNAL_PREFIX) ? kind.slice(INTERNAL_PREFIX.length) : kind)
}

function requireProjected({ filter }: { readonly filter?: string }, { viewer }: EncodeBatchOptions): void {
  if (viewer === 'all' || (viewer === undefined && filter !== undefined)) return
  const expected = '"all", or omitted for a part that was read with a filter'
  throw mismatch('viewer', expected, viewer)
}
