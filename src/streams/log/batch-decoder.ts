/** A log over SSE: what a client makes of the bytes. The other side of {@link encodeBatch}. */

import type { UnknownEvent } from '../../core/decoded.ts'
import type { Diagnostic, Machine, Step } from '../../core/machine.ts'
import {
  type DecodedMessage,
  type EventDecoderOptions,
  type EventDecoderState,
  eventDecoder,
} from '../../event-stream/event-decoder.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { initialSseState } from '../../sse/state.ts'
import { type Fields, isCount, isFields, isId } from '../../validation/predicates.ts'
import { type Batch, cursorAfter, type Loss, type Reset } from './batch.ts'
import { type Cursor, comparePositions, formatEventId, parseEventId, readCursor } from './cursor.ts'

/** What a {@link batchDecoder} remembers. Plain JSON. */
export interface BatchDecoderState {
  /**
   * The wire. Its `lastEventId` is what to send as `Last-Event-ID` on the next connection; empty: send
   * none.
   */
  readonly sse: EventDecoderState
  /** What the batches so far go through. Absent: nothing has come yet. */
  readonly cursor?: Cursor
  /** A loss that was announced for what comes next. Absent: none. */
  readonly loss?: Loss
}

/** An event of this version, or of a kind it does not know. */
type AnyStreamEvent = ContextAnyEvent | UnknownEvent

/** Settings of {@link batchDecoder}. */
export interface BatchDecoderOptions extends EventDecoderOptions {
  /** Where to go on: what is stored with the folded state. Absent: at the beginning of the stream. */
  readonly cursor?: Cursor
  /**
   * Whether events of unknown kinds are given out among the others: for gateways and operators.
   *
   * @defaultValue false: they are told in diagnostics
   */
  readonly keepUnknown?: boolean
}

/**
 * Reads the batches and resets of a stream from SSE bytes or text, cut anywhere, and validates their
 * events. Never throws on data. What comes out is what a {@link receiver} takes.
 *
 * The end of a connection is {@link Machine.end}; the state after it is where the next one begins.
 *
 * Diagnostics, where something of the stream is not given out, with what it was as `detail`: `unknown-kind`
 * for an event this version does not know (see {@link BatchDecoderOptions.keepUnknown}),
 * `invalid-event` for a message that is no event, `unplaced-event` for one whose id is missing or says
 * nothing of where it is. Besides those of {@link eventDecoder}. A message that cannot be read at all,
 * such as one over `maxMessageSize`, may have been a reset: make the limit larger than any snapshot.
 *
 * For streams whose ids {@link encodeBatch} wrote. For others there is {@link eventDecoder}.
 *
 * @throws TypeError when a limit is not a whole number of at least 1, or the cursor is none.
 *
 * @example
 * ```ts
 * const client = run(pipe(batchDecoder(), receiver()))
 * for await (const chunk of response.body) for (const received of client.push(chunk)) handle(received)
 * client.end() // and connect again with client.state[0].sse.lastEventId
 * ```
 */
export function batchDecoder(
  options: BatchDecoderOptions & { readonly keepUnknown: true },
): Machine<BatchDecoderState, string | Uint8Array, Batch<AnyStreamEvent> | Reset>
export function batchDecoder(
  options?: BatchDecoderOptions,
): Machine<BatchDecoderState, string | Uint8Array, Batch | Reset>
export function batchDecoder(
  options: BatchDecoderOptions = {},
): Machine<BatchDecoderState, string | Uint8Array, Batch<AnyStreamEvent> | Reset> {
  const { cursor, keepUnknown = false, ...limits } = options
  const decoder = eventDecoder(limits)
  return {
    initial:
      cursor === undefined
        ? { sse: initialSseState }
        : { sse: { ...initialSseState, lastEventId: formatEventId(cursor) }, cursor },
    step(state, input) {
      const { state: sse, out, diagnostics = [] } = decoder.step(state.sse, input)
      const builder = new BatchBuilder(state, diagnostics, keepUnknown)
      let lastId = state.sse.lastEventId
      for (const decoded of out) {
        builder.take(decoded, decoded.id === lastId ? undefined : decoded.id)
        lastId = decoded.id
      }
      // A block without data moves the id and puts nothing out.
      if (sse.lastEventId !== lastId) builder.pass(sse.lastEventId)
      return builder.finish(sse)
    },
    end({ sse, cursor }) {
      const { state, diagnostics } = decoder.end(sse)
      const next = cursor === undefined ? { sse: state } : { sse: state, cursor }
      return diagnostics === undefined ? { state: next, out: [] } : { state: next, out: [], diagnostics }
    },
  }
}

/** Gathers the events of a chunk into as few batches as that takes. */
class BatchBuilder {
  private readonly out: (Batch<AnyStreamEvent> | Reset)[] = []
  private readonly diagnostics: Diagnostic[]
  private readonly keepUnknown: boolean
  /** Where the batch begins. Absent: nothing is known of the stream yet. */
  private after: number | undefined
  /** What it goes through so far. */
  private cursor: Cursor | undefined
  private loss: Loss | undefined
  private events: AnyStreamEvent[] = []
  private seqs: number[] = []

  constructor({ cursor, loss }: BatchDecoderState, diagnostics: readonly Diagnostic[], keepUnknown: boolean) {
    this.diagnostics = [...diagnostics]
    this.keepUnknown = keepUnknown
    this.after = cursor?.seq
    this.cursor = cursor
    this.loss = loss
  }

  /** @param id - The event id, where the message has one of its own. */
  take(decoded: DecodedMessage, id: string | undefined): void {
    if (decoded.status === 'known' || (decoded.status === 'unknown' && this.keepUnknown)) {
      this.takeEvent(decoded.event, id)
      return
    }
    if (decoded.status === 'unknown') {
      this.diagnostic('unknown-kind', 'An event of a kind this version does not know.', decoded.event)
    } else {
      const { issues, value } = decoded
      if (this.takeMessage(value, id)) return
      this.diagnostic('invalid-event', 'A message that is no event.', { issues, value })
    }
    if (id !== undefined) this.pass(id)
  }

  /** Goes on to an id: what lies before it is not for this reader. */
  pass(id: string): void {
    if (!this.moveTo(id))
      this.diagnostic('unplaced-event', 'The id does not say a place in the stream.', { id })
  }

  finish(sse: EventDecoderState): Step<BatchDecoderState, Batch<AnyStreamEvent> | Reset> {
    this.flush()
    const { out, diagnostics, cursor, loss } = this
    const state = { sse, ...(cursor && { cursor }), ...(loss && { loss }) }
    return diagnostics.length === 0 ? { state, out } : { state, out, diagnostics }
  }

  private takeEvent(event: AnyStreamEvent, id: string | undefined): void {
    const place = this.moveTo(id)
    if (place === undefined) {
      this.diagnostic('unplaced-event', 'The id does not say where in the stream the event is.', event)
    } else {
      this.events.push(event)
      this.seqs.push(place.seq)
    }
  }

  /** Takes a message about the stream; `false` when it is none. */
  private takeMessage(value: unknown, id: string | undefined): boolean {
    const reset = readReset(value)
    if (reset !== undefined) {
      this.flush()
      this.out.push(reset)
      this.startAfter(cursorAfter(reset))
    } else if (isLossMessage(value)) {
      // It has no id of its own: one that is new is that of a block before it, of the batch before.
      this.moveTo(id)
      this.flush()
      this.loss = value.loss
    } else if (isClosedMessage(value)) {
      this.moveTo(id)
      this.flush(true)
    } else return false
    return true
  }

  /** Another epoch or view, or a step back, begins a batch of its own: the receiver is to judge it. */
  private moveTo(id: string | undefined): Cursor | undefined {
    const place = id === undefined ? undefined : parseEventId(id)
    if (place === undefined) return undefined
    const { cursor } = this
    if (cursor !== undefined && !(place.filter === cursor.filter && comparePositions(place, cursor) === 1)) {
      this.flush()
      this.startAfter({ ...place, seq: Math.max(-1, place.seq - 1) })
    }
    this.cursor = place
    return place
  }

  private startAfter(cursor: Cursor): void {
    this.cursor = cursor
    this.after = cursor.seq
  }

  /** Gives out what has come since the last batch, if anything has. */
  private flush(closed = false): void {
    const { cursor, after = -1, events, seqs, loss } = this
    if (cursor === undefined || !(closed || this.after === undefined || cursor.seq > after)) return
    const { seq: through, ...source } = cursor
    this.out.push({
      type: 'batch',
      ...source,
      after,
      through,
      events,
      seqs,
      // Ids do not tell a merged event from one with hidden events before it.
      ...(through - after > 1 && { merged: true }),
      ...(loss && { loss }),
      ...(closed && { closed: true }),
    })
    this.after = through
    this.loss = undefined
    this.events = []
    this.seqs = []
  }

  private diagnostic(code: string, message: string, detail: unknown): void {
    this.diagnostics.push({ code, message, detail })
  }
}

/** Whether a value is a message about the stream. What has a `kind` is an event, if a bad one. */
function isAbout(value: unknown, type: string): value is Fields {
  return isFields(value) && value.type === type && value.kind === undefined
}

/** The reset a value is; `undefined` when it is none. Its reason may be one of a later version. */
function readReset(value: unknown): Reset | undefined {
  if (!isAbout(value, 'reset')) return undefined
  const { filter, ...rest } = value
  const { reason, stream, epoch, through: seq, earliest } = rest
  const isRight =
    isId(reason) && isCount(earliest) && readCursor({ stream, epoch, seq, filter }) !== undefined
  if (!isRight) return undefined
  return (filter === null ? rest : value) as unknown as Reset
}

function isLossMessage(value: unknown): value is { readonly loss: Loss } {
  return isAbout(value, 'loss') && isFields(value.loss) && Object.values(value.loss).every(isCount)
}

function isClosedMessage(value: unknown): value is Fields {
  return isAbout(value, 'closed')
}
