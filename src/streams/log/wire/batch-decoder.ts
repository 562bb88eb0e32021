/** Decoding a log from SSE: the client side of {@link encodeBatch}. */

import type { Machine } from '../../../core/machine.ts'
import { type MachineState, opaque } from '../../../core/machine-state.ts'
import type { Mutable } from '../../../core/mutable.ts'
import { optional, requireBoolean, requireInteger, requireOnly } from '../../../core/require.ts'
import { type EventDecoderOptions, messageMachine } from '../../../event-stream/event-decoder.ts'
import { MAX_DEPTH } from '../../../json/value.ts'
import type { AnyStreamEvent, Batch, Reset } from '../batch.ts'
import { type Cursor, formatEventId, requireCursor } from '../cursor.ts'
import { BatchBuilder, type BatchProgress } from './batch-builder.ts'

/** Options of {@link batchDecoder}. */
export interface BatchDecoderOptions extends EventDecoderOptions {
  /** The cursor stored with the state built so far. Omitted: starts at the beginning of the stream. */
  readonly cursor?: Cursor
  /**
   * Whether batches include events of unknown kinds: for gateways and operators.
   *
   * @defaultValue false: they are dropped and reported as diagnostics
   */
  readonly keepUnknown?: boolean
  /**
   * Maximum size of a reset, the sum of its messages in UTF-16 code units, at least 1. A larger one is emitted without
   * `events`, with the diagnostic `snapshot-too-large`.
   *
   * @defaultValue 33 554 432 (32 Mi)
   */
  readonly maxSnapshotSize?: number
}

/** Documented state of {@link batchDecoder}. */
type BatchDecoderFields = {
  /** Value for the `Last-Event-ID` header of the next connection, after `end`. Empty: omit the header. */
  readonly lastEventId: string
  /** Milliseconds to wait before reconnecting. Omitted if the server sent no `retry`. */
  readonly retry?: number | undefined
  /** Position of the last message. Omitted before the first one. */
  readonly cursor?: Cursor
}

type EventDecoderState = ReturnType<typeof messageMachine>['initial']

/** The states of both parts, and what is documented of them: copying all fields would cost more than an event. */
interface State extends BatchDecoderFields {
  readonly sse: EventDecoderState
  readonly progress: BatchProgress
}

function stateOf(sse: EventDecoderState, progress: BatchProgress): State {
  const { lastEventId, retry } = sse
  const state: Mutable<State> = { lastEventId, sse, progress }
  if (retry !== undefined) state.retry = retry
  if (progress.cursor !== undefined) state.cursor = progress.cursor
  return state
}

/**
 * Decodes the batches and resets of a stream from SSE bytes or text in chunks of any size, and validates
 * their events. A reset of several messages is emitted after the last one. Never throws on data. Pass its output to a {@link receiver}.
 *
 * Call {@link Machine.end} when a connection ends, and continue with the resulting state on the next one.
 *
 * Diagnostics report what is dropped, with the dropped value as `detail`:
 *
 * - `unknown-kind`: an event of a kind this version does not know; see the option `keepUnknown`
 * - `invalid-event`: a message that is not a valid event
 * - `no-event-id`: an event without an id, or an id that is not a position in a stream
 * - `incomplete-reset`: a message of a reset is missing or invalid, not JSON or above `maxMessageSize`. One
 *   above it without an SSE event type may be a reset, and is taken for one. The reset is dropped; an empty batch in its
 *   place is a `gap` to a {@link receiver}. Nothing after it is emitted before the next reset, and the next connection
 *   resumes before it
 * - `snapshot-too-large`: a reset above `maxSnapshotSize`
 * - all of {@link eventDecoder}
 *
 * Requires ids written by {@link encodeBatch}. Use {@link eventDecoder} for other streams.
 *
 * @throws TypeError if an option is invalid or unknown.
 *
 * @example
 * ```ts
 * const client = run(pipe(batchDecoder(), receiver()))
 * for await (const chunk of response.body) for (const received of client.push(chunk)) handle(received)
 * client.end() // then reconnect with client.state[0].lastEventId
 * ```
 */
export function batchDecoder(
  options: BatchDecoderOptions & { readonly keepUnknown: true },
): Machine<
  MachineState<'batchDecoder', BatchDecoderFields>,
  string | Uint8Array,
  Batch<AnyStreamEvent> | Reset<AnyStreamEvent>
>
export function batchDecoder(
  options?: BatchDecoderOptions,
): Machine<MachineState<'batchDecoder', BatchDecoderFields>, string | Uint8Array, Batch | Reset>
export function batchDecoder(
  options: BatchDecoderOptions = {},
): Machine<
  MachineState<'batchDecoder', BatchDecoderFields>,
  string | Uint8Array,
  Batch<AnyStreamEvent> | Reset<AnyStreamEvent>
> {
  requireOnly('options', options, [
    'cursor',
    'keepUnknown',
    'maxSnapshotSize',
    'maxMessageSize',
    'maxDepth',
    'inexactNumbers',
  ])
  return opaque(decoderMachine(options))
}

function decoderMachine({
  cursor: start,
  keepUnknown = false,
  maxSnapshotSize = 2 ** 25,
  ...limits
}: BatchDecoderOptions): Machine<State, string | Uint8Array, Batch<AnyStreamEvent> | Reset<AnyStreamEvent>> {
  requireBoolean('keepUnknown', keepUnknown)
  requireInteger('maxSnapshotSize', maxSnapshotSize, 1)
  optional(requireCursor, 'cursor', start)
  const options = { keepUnknown, maxSnapshotSize, maxDepth: limits.maxDepth ?? MAX_DEPTH }
  const decoder = messageMachine(limits, true)
  return {
    initial:
      start === undefined
        ? stateOf(decoder.initial, {})
        : stateOf({ ...decoder.initial, lastEventId: formatEventId(start) }, { cursor: start }),
    step({ sse, progress }, input) {
      const { state, out } = decoder.step(sse, input)
      const builder = new BatchBuilder(progress, options)
      let lastId = sse.lastEventId
      for (const decoded of out) {
        if (decoded.status === 'diagnostic') {
          builder.report(decoded.diagnostic)
          continue
        }
        if (decoded.status === 'id') builder.skipTo(decoded.id)
        else builder.add(decoded, decoded.id === lastId ? undefined : decoded.id)
        lastId = decoded.id
      }
      const step = builder.done()
      const next = { state: stateOf(state, step.state), out: step.out }
      return step.diagnostics === undefined ? next : { ...next, diagnostics: step.diagnostics }
    },
    // A connection that breaks drops an announced loss and an incomplete reset: the next one gets them again.
    end({ sse, progress: { cursor, resume } }) {
      const { state, ...rest } = decoder.end(sse)
      const start = resume === undefined ? cursor : resume.cursor
      // The server skips the reset if it is acknowledged.
      const lastEventId = resume === undefined ? state.lastEventId : start ? formatEventId(start) : ''
      return { ...rest, state: stateOf({ ...state, lastEventId }, start ? { cursor: start } : {}), out: [] }
    },
  }
}
