/** The workspace of one step of {@link batchDecoder}: decoded messages in, batches and resets out. */

import type { DecodeResult } from '../../../core/decode-result.ts'
import type { Diagnostic, Step } from '../../../core/machine.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { describeValue } from '../../../core/require.ts'
import { StepBuilder } from '../../../core/step-builder.ts'
import type { DecodedMessage } from '../../../event-stream/event-decoder.ts'
import { isStreamMessage } from '../../../event-stream/stream-message.ts'
import { decodeEvent } from '../../../events/decode.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
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
  readonly cursor?: Cursor
  /** A loss that was announced for the next batch. Omitted if none was. */
  readonly loss?: Loss
  /** What was announced as forgotten for the next reset. Omitted if nothing was. */
  readonly forgotten?: Forgotten
  /** The messages so far of a reset that is not complete. Omitted if there is none. */
  readonly reset?: ResetParts
  /** Where the next connection resumes after a reset that was dropped. Omitted: after the last message. */
  readonly resume?: ResumePoint
  /** The last `seq` before the ids of this connection stepped back. Omitted if they did not. */
  readonly peak?: number
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
}

/** Combines the events of a chunk into as few batches as possible. */
export class BatchBuilder extends StepBuilder<BatchProgress, Batch<AnyStreamEvent> | Reset<AnyStreamEvent>> {
  private readonly options: BatchBuilderOptions
  /** The `seq` before the current batch. Unset until the first position is known. */
  private after: number | undefined
  /** Position of the last message. */
  private cursor: Cursor | undefined
  private loss: Loss | undefined
  private forgotten: Forgotten | undefined
  private reset: ResetParts | undefined
  private resume: ResumePoint | undefined
  private peak: number | undefined
  private events: AnyStreamEvent[] = []
  private seqs: number[] = []

  constructor(progress: BatchProgress, options: BatchBuilderOptions) {
    super(progress)
    this.options = options
    this.after = progress.cursor?.seq
    this.cursor = progress.cursor
    this.loss = progress.loss
    this.forgotten = progress.forgotten
    this.reset = progress.reset
    this.resume = progress.resume
    this.peak = progress.peak
  }

  /**
   * Adds a decoded message.
   *
   * @param id - Its event id, if the message has one of its own.
   */
  add(decoded: DecodedMessage, id: string | undefined): void {
    if (decoded.status === 'invalid' && this.addStreamMessage(decoded, id)) return
    this.interruptReset()
    const event = this.accept(decoded)
    if (event !== undefined) this.addEvent(event, id)
    else if (id !== undefined) this.advance(id)
  }

  /** Adds a diagnostic of a message that has not been added yet. */
  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic)
  }

  /** Adds an event id without a message: events before it that did not come are hidden from this reader. */
  skipTo(id: string): void {
    this.interruptReset()
    this.advance(id)
  }

  /** The event of a decoding result; reports and drops all others. */
  private accept(decoded: DecodeResult<ContextAnyEvent>): AnyStreamEvent | undefined {
    if (decoded.status === 'known') return decoded.event
    if (decoded.status === 'invalid') {
      const { issues, value } = decoded
      const message = `Dropped an invalid event. ${issues[0]?.message ?? ''}`.trimEnd()
      this.diagnostic('invalid-event', message, { detail: { issues, value } })
      return undefined
    }
    if (this.options.keepUnknown) return decoded.event
    const kind = describeValue(decoded.event.kind)
    this.diagnostic('unknown-kind', `Dropped an event of unknown kind ${kind}.`, { detail: decoded.event })
    return undefined
  }

  /** Advances to an event id without an event. The batch ends there: the next event is not merged from those before it. */
  private advance(id: string): void {
    if (this.moveTo(id) === undefined) this.diagnostic('no-event-id', NO_POSITION, { detail: { id } })
    else this.flush()
  }

  /** Completes the last batch and the step. */
  override done(): Step<BatchProgress, Batch<AnyStreamEvent> | Reset<AnyStreamEvent>> {
    this.flush()
    const progress: Mutable<BatchProgress> = {}
    if (this.cursor !== undefined) progress.cursor = this.cursor
    if (this.loss !== undefined) progress.loss = this.loss
    if (this.forgotten !== undefined) progress.forgotten = this.forgotten
    if (this.reset !== undefined) progress.reset = this.reset
    if (this.resume !== undefined) progress.resume = this.resume
    if (this.peak !== undefined) progress.peak = this.peak
    this.state = progress
    return super.done()
  }

  private addEvent(event: AnyStreamEvent, id: string | undefined): void {
    const position = this.moveTo(id)
    if (position === undefined) {
      this.diagnostic('no-event-id', `Dropped a ${event.kind} event. ${NO_POSITION}`, { detail: event })
    } else {
      this.events.push(event)
      this.seqs.push(position.seq)
      // It stands before this event, whichever follow in the same chunk.
      if (this.loss !== undefined) this.flush()
    }
  }

  /** Adds a message about the stream; returns `false` for any other. */
  private addStreamMessage(decoded: InvalidMessage, id: string | undefined): boolean {
    const { value, raw } = decoded
    if (mayBeReset(decoded)) return this.dropInvalidReset(id)
    const message = parseResetMessage(value)
    if (message !== undefined) {
      this.addReset(message, raw.length)
      return true
    }
    if (isStreamMessage(value, 'reset')) return this.dropInvalidReset(id)
    const forgotten = parseForgotten(value)
    if (forgotten === undefined && !isLossMessage(value) && !isClosedMessage(value)) return false
    this.interruptReset()
    if (forgotten !== undefined) {
      // Like that of a loss: it has no id of its own.
      this.moveTo(id)
      this.flush()
      this.forgotten = forgotten
    } else if (isLossMessage(value)) {
      // A loss message has no id; an id that changed belongs to the preceding batch.
      this.moveTo(id)
      this.flush()
      this.loss = value.loss
    } else {
      this.moveTo(id)
      this.flush(true)
    }
    return true
  }

  /** Adds a message of a reset, and emits the reset after its last one. */
  private addReset(message: ResetMessage, size: number): void {
    if (message.part === 0) this.supersedeReset()
    const { maxSnapshotSize } = this.options
    const events = message.events?.flatMap((event) => this.accept(decodeEvent(event)) ?? [])
    const { parts, fault } = addPart(this.reset, message, events, size, maxSnapshotSize)
    if (fault === 'snapshot-too-large') {
      const expected = `Expected a reset of at most ${maxSnapshotSize} characters, got more.`
      this.diagnostic(fault, `Dropped the events of a reset. ${expected}`)
    } else if (fault !== undefined) {
      this.dropReset(cursorAfter(message.head), this.reset?.next ?? 0, `part ${message.part}`)
    }
    this.reset = message.more ? parts : undefined
    if (message.more || parts.dropped === true) return
    this.flush()
    this.emit(completeReset(message.head, parts, this.forgotten))
    this.startAfter(cursorAfter(message.head))
    this.loss = this.forgotten = this.resume = this.peak = undefined
  }

  /** Drops a reset with a message that is not valid; returns `false` if nothing states where the reset leads. */
  private dropInvalidReset(id: string | undefined): boolean {
    const end =
      (id === undefined ? undefined : parseEventId(id)) ?? parseEventId(this.reset?.id ?? '') ?? this.cursor
    if (end === undefined) return false
    const expected = this.reset?.next ?? 0
    this.reset = undefined
    this.dropReset(end, expected, 'a message that is not valid')
    return true
  }

  /** Reports a reset that starts again before its last message. */
  private supersedeReset(): void {
    const { reset } = this
    this.reset = undefined
    if (reset !== undefined && reset.dropped !== true)
      this.reportReset(reset.next, 'the first part of a reset')
  }

  /** Drops a reset that other messages follow before its last one. */
  private interruptReset(): void {
    const { reset } = this
    this.reset = undefined
    if (reset === undefined || reset.dropped === true) return
    const end = parseEventId(reset.id)
    if (end !== undefined) this.dropReset(end, reset.next, 'another message')
  }

  /**
   * Reports a reset that is not complete. An empty batch after everything that the reader can have is a gap to a receiver:
   * it reconnects, and emits no event that follows the reset.
   *
   * @param end - The cursor after the reset.
   */
  private dropReset(end: Cursor, expected: number, got: string): void {
    this.reportReset(expected, got)
    this.flush()
    if (this.resume !== undefined) return
    const { cursor, peak = -1 } = this
    this.resume = cursor === undefined ? {} : { cursor }
    const { seq, ...source } = end
    const after = Math.max(seq, (cursor?.seq ?? -1) + 1, peak + 1)
    this.emit({ type: 'batch', ...source, after, through: after, events: [], seqs: [] })
    this.startAfter({ ...end, seq: after })
  }

  private reportReset(expected: number, got: string): void {
    const message = `Dropped a reset. Expected part ${expected} of it, got ${got}.`
    this.diagnostic('incomplete-reset', message)
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
      this.peak = Math.max(this.peak ?? -1, cursor.seq)
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
    const { stream, epoch, seq: through, filter } = cursor
    const batch: Mutable<Batch<AnyStreamEvent>> =
      filter === undefined
        ? { type: 'batch', stream, epoch, after, through, events, seqs }
        : { type: 'batch', stream, epoch, filter, after, through, events, seqs }
    // Event ids do not distinguish a merged event from one after hidden events.
    if (through - after > 1) batch.merged = true
    if (loss !== undefined) batch.loss = loss
    if (closed) batch.closed = true
    if (this.resume === undefined) this.emit(batch)
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
