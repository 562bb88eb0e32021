/** The workspace of one step of {@link batchDecoder}: decoded messages in, batches and resets out. */
import type { UnknownEvent } from '../../core/decode-result.ts'
import type { Diagnostic, Step } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import type { DecodedMessage } from '../../event-stream/event-decoder.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { type Batch, cursorAfter, type Loss, type Reset } from './batch.ts'
import { type Cursor, comparePositions, parseEventId } from './cursor.ts'
import { isClosedMessage, isLossMessage, parseReset } from './stream-messages.ts'

/** An event of this version, or of a kind it does not know. */
export type AnyStreamEvent = ContextAnyEvent | UnknownEvent

/** What a {@link BatchBuilder} continues from, and what the next one continues from. */
export interface BatchProgress {
  /** Position of the last message. Omitted before the first one. */
  readonly cursor?: Cursor
  /** A loss that was announced for the next batch. Omitted if none was. */
  readonly loss?: Loss
}

/** Combines the events of a chunk into as few batches as possible. */
export class BatchBuilder extends StepBuilder<BatchProgress, Batch<AnyStreamEvent> | Reset> {
  private readonly keepUnknown: boolean
  /** The `seq` before the current batch. Unset until the first position is known. */
  private after: number | undefined
  /** Position of the last message. */
  private cursor: Cursor | undefined
  private loss: Loss | undefined
  private events: AnyStreamEvent[] = []
  private seqs: number[] = []

  constructor(progress: BatchProgress, diagnostics: readonly Diagnostic[], keepUnknown: boolean) {
    super(progress)
    for (const diagnostic of diagnostics) this.diagnostics.push(diagnostic)
    this.keepUnknown = keepUnknown
    this.after = progress.cursor?.seq
    this.cursor = progress.cursor
    this.loss = progress.loss
  }

  /**
   * Adds a decoded message.
   *
   * @param id - Its event id, if the message has one of its own.
   */
  add(decoded: DecodedMessage, id: string | undefined): void {
    if (decoded.status === 'known' || (decoded.status === 'unknown' && this.keepUnknown)) {
      this.addEvent(decoded.event, id)
      return
    }
    if (decoded.status === 'unknown') {
      const kind = describeValue(decoded.event.kind)
      this.diagnostic('unknown-kind', `Dropped an event of unknown kind ${kind}.`, { detail: decoded.event })
    } else {
      const { issues, value } = decoded
      if (this.addStreamMessage(value, id)) return
      const message = `Dropped an invalid event. ${issues[0]?.message ?? ''}`.trimEnd()
      this.diagnostic('invalid-event', message, { detail: { issues, value } })
    }
    if (id !== undefined) this.advance(id)
  }

  /** Advances to an event id: events before it that did not come are hidden from this reader. */
  advance(id: string): void {
    if (this.moveTo(id) === undefined) this.diagnostic('no-event-id', NO_POSITION, { detail: { id } })
  }

  /** Completes the last batch and the step. */
  override done(): Step<BatchProgress, Batch<AnyStreamEvent> | Reset> {
    this.flush()
    const { cursor, loss } = this
    this.state = { ...(cursor && { cursor }), ...(loss && { loss }) }
    return super.done()
  }

  private addEvent(event: AnyStreamEvent, id: string | undefined): void {
    const position = this.moveTo(id)
    if (position === undefined) {
      this.diagnostic('no-event-id', `Dropped a ${event.kind} event. ${NO_POSITION}`, { detail: event })
    } else {
      this.events.push(event)
      this.seqs.push(position.seq)
    }
  }

  /** Adds a message about the stream; returns `false` for any other value. */
  private addStreamMessage(value: unknown, id: string | undefined): boolean {
    const reset = parseReset(value)
    if (reset !== undefined) {
      this.flush()
      this.emit(reset)
      this.startAfter(cursorAfter(reset))
    } else if (isLossMessage(value)) {
      // A loss message has no id; an id that changed belongs to the preceding batch.
      this.moveTo(id)
      this.flush()
      this.loss = value.loss
    } else if (isClosedMessage(value)) {
      this.moveTo(id)
      this.flush(true)
    } else return false
    return true
  }

  /**
   * Moves to the position of an event id. A new epoch, a new filter or a step back starts a batch of its
   * own, for the receiver to check.
   */
  private moveTo(id: string | undefined): Cursor | undefined {
    const position = id === undefined ? undefined : parseEventId(id)
    if (position === undefined) return undefined
    const { cursor } = this
    if (cursor !== undefined && !isFurther(position, cursor)) {
      this.flush()
      this.startAfter({ ...position, seq: Math.max(-1, position.seq - 1) })
    }
    this.cursor = position
    return position
  }

  private startAfter(cursor: Cursor): void {
    this.cursor = cursor
    this.after = cursor.seq
  }

  /** Emits a batch of everything since the last one, if there is anything. */
  private flush(closed = false): void {
    const { cursor, after = -1, events, seqs, loss } = this
    if (cursor === undefined || !(closed || this.after === undefined || cursor.seq > after)) return
    const { seq: through, ...source } = cursor
    this.emit({
      type: 'batch',
      ...source,
      after,
      through,
      events,
      seqs,
      // Event ids do not distinguish a merged event from one after hidden events.
      ...(through - after > 1 && { merged: true }),
      ...(loss && { loss }),
      ...(closed && { closed: true }),
    })
    this.after = through
    this.loss = undefined
    this.events = []
    this.seqs = []
  }
}

function isFurther(position: Cursor, cursor: Cursor): boolean {
  return position.filter === cursor.filter && comparePositions(position, cursor) === 1
}

const NO_POSITION = 'Expected an event id with a position in the stream, such as "stream:epoch:41".'
