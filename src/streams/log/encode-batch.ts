/**
 * A log over SSE: what a server writes for a batch.
 *
 *     event: content-delta
 *     id: context%2Fctx-1:e1:41          the cursor after the event
 *     data: {"kind":"content-delta",…}
 *
 *     id: context%2Fctx-1:e1:44          42 to 44 are hidden: nothing is dispatched
 *
 * Each id says "everything through here", so a connection may break anywhere and the next one goes on
 * with the `Last-Event-ID` it sends. An `EventSource` does that by itself.
 */
import { INTERNAL_PREFIX } from '../../events/kinds.ts'
import { type EncodeEventOptions, encodeEvent, encodeMessage } from '../../sse/encode.ts'
import { type Batch, cursorAfter, type Loss, type Reset, type StreamEvent } from './batch.ts'
import { eventIdsLike } from './cursor.ts'

/**
 * The SSE event names of the messages about a stream, which are not events of it: a reset, a loss and
 * the end. Their data is JSON with a `type` and no `kind`. {@link encodeBatch} writes an event whose kind is
 * such a name without a name.
 */
export const streamMessageNames = {
  reset: 'stream-reset',
  loss: 'stream-loss',
  closed: 'stream-closed',
} as const

/** Settings of {@link encodeBatch}. */
export type EncodeBatchOptions = Omit<EncodeEventOptions, 'id'>

/**
 * Writes a batch or a reset as SSE messages.
 *
 * - Each event as {@link encodeEvent} writes it, with the cursor after it as its id. Internal events
 *   only with `internal`; without it they are passed over like hidden ones, and not counted as lost.
 * - A hidden stretch at the end as a block with an id and no data: it moves the reader's position and
 *   dispatches nothing. Also an empty batch, so that a reader learns where it stands.
 * - A loss as a message before the events: a connection that breaks among them overstates the loss and
 *   never understates it.
 * - A reset as one message, snapshot and all; the end of the stream as another.
 *
 * After the end, answer a reconnecting `EventSource` with status 204, or it will try again for ever.
 *
 * @see docs/spec/internal-event-protocol.md#question-7-reconnection
 */
export function encodeBatch(part: Batch<StreamEvent> | Reset, options: EncodeBatchOptions = {}): string {
  const idOf = eventIdsLike(cursorAfter(part))
  const id = idOf(part.through)
  const about = (name: keyof typeof streamMessageNames, data: object): string =>
    encodeMessage({
      ...(options.profile !== 'data-only' && { event: streamMessageNames[name] }),
      ...(name !== 'loss' && { id }),
      data: JSON.stringify(data),
    })
  if (part.type === 'reset') return about('reset', part)

  const loss = lossFor(options, part.loss)
  let text = loss === undefined ? '' : about('loss', { type: 'loss', loss })
  let told = -2
  for (const [i, event] of part.events.entries()) {
    const seq = part.seqs[i] ?? part.through
    const message = encodeEvent(event, { ...options, ...(isTaken(event.kind) && unnamed), id: idOf(seq) })
    if (message !== '') told = seq
    text += message
  }
  if (part.closed === true) return text + about('closed', { type: 'closed' })
  return told === part.through ? text : `${text}id: ${id}\n\n`
}

const takenNames: ReadonlySet<string> = new Set(Object.values(streamMessageNames))
const unnamed = { profile: 'data-only' } as const

/** Whether a kind has the name of a message about the stream: its events go without one. */
function isTaken(kind: string): boolean {
  return takenNames.has(kind.startsWith(INTERNAL_PREFIX) ? kind.slice(INTERNAL_PREFIX.length) : kind)
}

/** What is said of a loss: nothing of what would not have been written. */
function lossFor({ internal }: EncodeBatchOptions, loss: Loss | undefined): Loss | undefined {
  if (loss === undefined || internal === true) return loss
  const told = Object.entries(loss).filter(([kind]) => !kind.startsWith(INTERNAL_PREFIX))
  return told.length === 0 ? undefined : Object.fromEntries(told)
}
