/** The workspace of one step of {@link batchDecoder}: decoded messages in, batches and resets out. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import type { Diagnostic, Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { StepOutput } from '../../../core/step-builder.ts'
import type { DecodedMessage } from '../../../event-stream/event-decoder.ts'
import { isStreamMessage } from '../../../event-stream/stream-message.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { isDeeper } from '../../../json/depth.ts'
import { parsedJson } from '../../../json/parsed.ts'
import type { Forgotten } from '../../forgotten.ts'
import { type AnyStreamEvent, type Batch, cursorAfter, type Loss, type Reset } from '../batch.ts'
import { type Cursor, comparePositions, parseEventId } from '../cursor.ts'
import { addPart, completeReset, type ResetParts } from './reset-parts.ts'
import {
  isClosedMessage,
  isLossMessage,
  mayBeReset,
  parseForgotten,
  parseResetMessage,
  type ResetMessage,
} from './stream-messages.ts'

/** What a {@link BatchBuilder} continues from, and what the next one continues from. */
export interface BatchProgress {
  /** Position of the last message. Omitted before the first one. */
  readonly cursor?: Cursor | undefined
  /** A loss that was announced for the next batch. Omitted if none was. */
  readonly loss?: Loss | undefined
  /** What was announced as forgotten for the next reset. Omitted if nothing was. */
  readonly forgotten?: Forgotten | undefined
  /** The messages so far of a reset that is not complete. Omitted if there is none. */
  readonly reset?: ResetParts | undefined
  /** Where the next connection resumes after a reset that was dropped. Omitted: after the last message. */
  readonly resume?: ResumePoint | undefined
  /** The last `seq` before the ids of this connection stepped back. Omitted if they did not. */
  readonly peak?: number | undefined
}

/** The position before a reset that was dropped. */
export interface ResumePoint {
  /** Omitted: the beginning of the stream. */
  readonly cursor?: Cursor
}

type InvalidMessage = Extract<DecodedMessage, { status: 'invalid' }>

/** Options of a {@link BatchBuilder}. */
export interface BatchBuilderOptions {
  readonly keepUnknown: boolean
  /** Maximum size of all messages of a reset, in UTF-16 code units. */
  readonly maxSnapshotSize: number
  /** Maximum nesting depth of an event. */
  readonly maxDepth: number
}

/** Combines the events of a chunk into as few batches as possible. */
export class BatchBuilder extends StepOutput<
  Mutable<BatchProgress>,
  Batch<AnyStreamEvent> | Reset<AnyStreamEvent>
> {
  readonly #options: BatchBuilderOptions
  /** The `seq` before the current batch. Unset until the first position is known. */
  #after: number | undefined
  #events: AnyStreamEvent[] = []
  #seqs: number[] = []

  constructor(progress: BatchProgress, options: BatchBuilderOptions) {
    const { cursor, loss, forgotten, reset, resume, peak } = progress
    super({ cursor, loss, forgotten, reset, resume, peak })
    this.#options = options
    this.#after = cursor?.seq
  }

  /**
   * Adds a decoded message.
   *
   * @param id - Its event id, if the message has one of its own.
   */
  add(decoded: DecodedMessage, id: string | undefined): void {
    if (decoded.status === 'invalid' && this.#addStreamMessage(decoded, id)) return
    this.#interruptReset()
    const event = this.#accept(decoded)
    if (event !== undefined) this.#addEvent(event, id)
    else if (id !== undefined) this.#advance(id)
  }

  /** Adds a diagnostic of a message that has not been added yet. */
  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic)
  }

  /** Adds an event id without a message: events before it that did not come are hidden from this reader. */
  skipTo(id: string): void {
    this.#interruptReset()
    this.#advance(id)
  }

  /** The event of a decoding result; reports and drops all others. */
  #accept(decoded: DecodeResult<ContextAnyEvent>): AnyStreamEvent | undefined {
    if (decoded.status === 'known') return decoded.event
    if (decoded.status === 'invalid') {
      const { issues, value } = decoded
      const message = `Dropped an invalid event. ${issues[0]?.message ?? ''}`.trimEnd()
      this.diagnostic('invalid-event', message, { detail: { issues, value } })
      return undefined
    }
    if (this.#options.keepUnknown) return decoded.event
    const kind = describeValue(decoded.event.kind)
    this.diagnostic('unknown-kind', `Dropped an event of unknown kind ${kind}.`, { detail: decoded.event })
    return undefined
  }

  /** Advances to an event id without an event. The batch ends there: the next event is not merged from those before it. */
  #advance(id: string): void {
    if (this.#moveTo(id) === undefined) this.diagnostic('no-event-id', NO_POSITION, { detail: { id } })
    else this.#flush()
  }

  /** Completes the last batch and the step. */
  override done(): Step<BatchProgress, Batch<AnyStreamEvent> | Reset<AnyStreamEvent>> {
    this.#flush()
    return super.done()
  }

  #addEvent(event: AnyStreamEvent, id: string | undefined): void {
    const position = this.#moveTo(id)
    if (position === undefined) {
      this.diagnostic('no-event-id', `Dropped a ${event.kind} event. ${NO_POSITION}`, { detail: event })
    } else {
      this.#events.push(event)
      this.#seqs.push(position.seq)
      // It stands before this event, whichever follow in the same chunk.
      if (this.state.loss !== undefined) this.#flush()
    }
  }

  /** Adds a message about the stream; returns `false` for any other. */
  #addStreamMessage(decoded: InvalidMessage, id: string | undefined): boolean {
    const value = isTooDeep(decoded) ? parsedJson(decoded.raw, Infinity) : decoded.value
    const message = parseResetMessage(value)
    if (message !== undefined) {
      this.#addReset(message, decoded)
      return true
    }
    if (mayBeReset(decoded) || isStreamMessage(value, 'reset')) return this.#dropInvalidReset(id)
    const forgotten = parseForgotten(value)
    const loss = isLossMessage(value) ? value.loss : undefined
    const closes = isClosedMessage(value)
    if (forgotten === undefined && loss === undefined && !closes) return false
    this.#interruptReset()
    // It has no id of its own: one that changed belongs to the batch before it.
    this.#moveTo(id)
    this.#flush(closes)
    if (forgotten !== undefined) this.state.forgotten = forgotten
    else if (loss !== undefined) this.state.loss = loss
    return true
  }

  /**
   * Adds a message of a reset, and emits the reset after its last one. If it is nested too deep, each of its events has the
   * limit that it has when it comes alone.
   */
  #addReset(message: ResetMessage, decoded: InvalidMessage): void {
    const before = message.part === 0 ? this.#endReset() : undefined
    if (before !== undefined) this.#reportReset(before.next, 'the first part of a reset')
    const { maxSnapshotSize, maxDepth } = this.#options
    const events = message.events?.flatMap((value) => {
      const isDeep = isTooDeep(decoded) && isDeeper(value, maxDepth)
      return this.#accept(isDeep ? { ...decoded, value } : decodeEvent(value)) ?? []
    })
    const { parts, fault } = addPart(this.state.reset, message, events, decoded.raw.length, maxSnapshotSize)
    if (fault === 'snapshot-too-large') {
      const expected = `Expected a reset of at most ${maxSnapshotSize} characters, got more.`
      this.diagnostic(fault, `Dropped the events of a reset. ${expected}`)
    } else if (fault !== undefined) {
      this.#dropReset(cursorAfter(message.head), this.state.reset?.next ?? 0, `part ${message.part}`)
    }
    this.state.reset = message.more ? parts : undefined
    if (message.more || parts.dropped === true) return
    this.#flush()
    this.emit(completeReset(message.head, parts, this.state.forgotten))
    this.#startAfter(cursorAfter(message.head))
    this.state.loss = this.state.forgotten = this.state.resume = this.state.peak = undefined
  }

  /** Drops a reset with a message that is not valid; returns `false` if nothing states where the reset leads. */
  #dropInvalidReset(id: string | undefined): boolean {
    const end = parseEventId(id ?? '') ?? parseEventId(this.state.reset?.id ?? '') ?? this.state.cursor
    if (end === undefined) return false
    const expected = this.state.reset?.next ?? 0
    this.state.reset = undefined
    this.#dropReset(end, expected, 'a message that is not valid')
    return true
  }

  /** Ends the reset that is not complete. Returns it unless it was dropped before. */
  #endReset(): ResetParts | undefined {
    const { reset } = this.state
    this.state.reset = undefined
    return reset?.dropped === true ? undefined : reset
  }

  /** Drops a reset that other messages follow before its last one. */
  #interruptReset(): void {
    const reset = this.#endReset()
    const end = reset && parseEventId(reset.id)
    if (end !== undefined) this.#dropReset(end, reset?.next ?? 0, 'another message')
  }

  /**
   * Reports a reset that is not complete. An empty batch after everything that the reader can have is a gap to a receiver:
   * it reconnects, and emits no event that follows the reset.
   *
   * @param end - The cursor after the reset.
   */
  #dropReset(end: Cursor, expected: number, got: string): void {
    this.#reportReset(expected, got)
    this.#flush()
    if (this.state.resume !== undefined) return
    const { cursor } = this.state
    this.state.resume = cursor === undefined ? {} : { cursor }
    const { seq, ...source } = end
    const after = Math.max(seq, (cursor?.seq ?? -1) + 1, (this.state.peak ?? -1) + 1)
    this.emit({ type: 'batch', ...source, after, through: after, events: [], seqs: [] })
    this.#startAfter({ ...end, seq: after })
  }

  #reportReset(expected: number, got: string): void {
    const message = `Dropped a reset. Expected part ${expected} of it, got ${got}.`
    this.diagnostic('incomplete-reset', message)
  }

  /**
   * Moves to the position of an event id. A new epoch, a new filter or a step back starts a batch of its
   * own, for the receiver to check.
   */
  #moveTo(id: string | undefined): Cursor | undefined {
    const position = parseEventId(id ?? '')
    if (position === undefined) return undefined
    const { cursor } = this.state
    if (cursor !== undefined && !isFurther(position, cursor)) {
      this.#flush()
      this.state.peak = Math.max(this.state.peak ?? -1, cursor.seq)
      this.#startAfter({ ...position, seq: Math.max(-1, position.seq - 1) })
    }
    this.state.cursor = position
    return position
  }

  #startAfter(cursor: Cursor): void {
    this.state.cursor = cursor
    this.#after = cursor.seq
  }

  /** Emits a batch of everything since the last one, if there is anything. */
  #flush(closed = false): void {
    const { cursor, loss, resume } = this.state
    const events = this.#events
    const seqs = this.#seqs
    const after = this.#after ?? -1
    if (cursor === undefined || !(closed || this.#after === undefined || cursor.seq > after)) return
    const { stream, epoch, seq: through, filter } = cursor
    const batch: Mutable<Batch<AnyStreamEvent>> =
      filter === undefined
        ? { type: 'batch', stream, epoch, after, through, events, seqs }
        : { type: 'batch', stream, epoch, filter, after, through, events, seqs }
    // Event ids do not distinguish a merged event from one after hidden events.
    if (through - after > 1) batch.merged = true
    if (loss !== undefined) batch.loss = loss
    if (closed) batch.closed = true
    if (resume === undefined) this.emit(batch)
    this.#after = through
    this.state.loss = undefined
    this.#events = []
    this.#seqs = []
  }
}

function isTooDeep({ issues }: InvalidMessage): boolean {
  return issues[0]?.code === 'too-deep'
}

function isFurther(position: Cursor, cursor: Cursor): boolean {
  return position.filter === cursor.filter && comparePositions(position, cursor) === 1
}

const NO_POSITION = 'Expected an event id with a position in the stream, such as "stream:epoch:41".'
