/**
 * Encoding a batch for SSE: the server side of {@link batchDecoder}.
 *
 *     event: content-delta
 *     id: context/ctx-1:e1:41          the cursor after the event
 *     data: {"kind":"content-delta",…}
 *
 *     id: context/ctx-1:e1:44          42 to 44 are hidden: dispatches no event
 *
 * Each id acknowledges everything up to its position, so a connection may break anywhere: the next one
 * resumes after the `Last-Event-ID` it sends. `EventSource` does so by itself.
 */
import { INTERNAL_PREFIX } from '../../../events/kinds.ts'
import { type EncodeEventOptions, eventMessage, requireEncodeOptions } from '../../../sse/encode.ts'
import { type Batch, cursorAfter, type Loss, type Reset, requirePart, type StreamEvent } from '../batch.ts'
import { eventIdFormatter } from '../cursor.ts'
import { encodeReset } from './encode-reset.ts'
import { encodeStreamMessage, streamMessageNames } from './stream-messages.ts'

/** Options of {@link encodeBatch}. */
export type EncodeBatchOptions = Omit<EncodeEventOptions, 'id'>

/**
 * Encodes a batch or a reset as SSE messages.
 *
 * - Each event is encoded by `encodeEvent` of `turnstream/sse`, with the cursor after it as its id. Internal events are
 *   included only with `internal`; otherwise they are treated as hidden and not counted as lost.
 * - Hidden events at the end, and an empty batch, give a block with an id and no data: it updates the
 *   reader's last event id and dispatches nothing.
 * - A loss is a message before the events. If the connection breaks between them, the loss is counted
 *   again, never missed.
 * - A reset is one message, or several of about 256 Ki characters if its events are more; only the last has an id. The
 *   end of the stream is one message.
 *
 * After the end, answer a reconnecting `EventSource` with status 204, or it reconnects forever.
 *
 * @throws TypeError if `part` is not a batch or reset, or an option is invalid.
 *
 * @see docs/spec/internal-event-protocol.md#question-7-reconnection
 */
export function encodeBatch(
  part: Batch<StreamEvent> | Reset<StreamEvent>,
  options: EncodeBatchOptions = {},
): string {
  requirePart(part)
  requireEncodeOptions(options)
  if (part.type === 'reset') return [...encodeReset(part, options)].join('')
  const isNamed = options.profile !== 'data-only'
  const internal = options.internal === true
  const idOf = eventIdFormatter(cursorAfter(part))
  const id = idOf(part.through)
  const loss = reportedLoss(options, part.loss)
  let text =
    loss === undefined ? '' : encodeStreamMessage('loss', JSON.stringify({ type: 'loss', loss }), options)
  // Below −1, so that an empty batch at the beginning also writes its id.
  let lastWritten = -2
  for (const [i, event] of part.events.entries()) {
    const seq = part.seqs[i] ?? part.through
    const message = eventMessage(
      event,
      `id: ${idOf(seq)}\n`,
      isNamed && !isReservedName(event.kind),
      internal,
    )
    if (message !== '') lastWritten = seq
    text += message
  }
  if (part.closed === true) return text + encodeStreamMessage('closed', '{"type":"closed"}', options, id)
  return lastWritten === part.through ? text : `${text}id: ${id}\n\n`
}

const reservedNames: ReadonlySet<string> = new Set(Object.values(streamMessageNames))

/** Whether the SSE event name of a kind would be that of a message about the stream. */
function isReservedName(kind: string): boolean {
  return reservedNames.has(kind.startsWith(INTERNAL_PREFIX) ? kind.slice(INTERNAL_PREFIX.length) : kind)
}

/** The loss without kinds that would not have been written. */
function reportedLoss({ internal }: EncodeBatchOptions, loss: Loss | undefined): Loss | undefined {
  if (loss === undefined || internal === true) return loss
  const visible = Object.entries(loss).filter(([kind]) => !kind.startsWith(INTERNAL_PREFIX))
  return visible.length === 0 ? undefined : Object.fromEntries(visible)
}
