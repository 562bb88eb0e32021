/** The machine around the reader of a provider. */

import { apiOf } from '../../core/apis.ts'
import { asJsonMessage } from '../../core/json-message.ts'
import type { Machine } from '../../core/machine.ts'
import { optional, requireObject, requireString } from '../../core/require.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import { type Fields, isFields } from '../../validation/predicates.ts'
import { reportOverflow } from './limits.ts'
import { ModelWriter } from './model-writer.ts'
import { type ModelOptions, modelSettings } from './options.ts'
import { isFirst, reportForeign } from './report.ts'
import { breakOff } from './response.ts'
import { reportTypes, type Shape, typeOf } from './shape.ts'
import { initialModelState, type ModelState } from './state.ts'

/** What is known at the end of a model's stream. */
export interface ModelEnd {
  /**
   * Why the stream ended, if the application ended it, such as `abort`: the `finishReason` of a response that was
   * not complete. Omitted: the provider ended the stream.
   */
  reason?: string
}

/** The machine of a provider. */
export type ModelMachine<Own> = Machine<ModelState<Own>, unknown, EventDraft, ModelEnd>

/**
 * Creates the machine of a provider. A chunk of another API is reported and not read, as are values that are no objects, and
 * bytes and text that are not decoded: each once.
 *
 * @param api - As `apiOf` names it.
 * @param own - What the reader keeps between chunks, before the first one.
 * @param shape - What it reads of a chunk: other values are reported.
 * @param read - Reads one chunk. `event` is the SSE event type, `''` if it is unknown.
 * @param readEnd - Reads the end of the stream, for providers whose last chunk does not state it.
 */
export function modelMachine<Own>(
  api: string,
  options: ModelOptions,
  own: Own,
  shape: Shape | ((chunk: Fields) => Shape),
  read: (writer: ModelWriter<Own>, chunk: Fields, event: string) => void,
  readEnd: (writer: ModelWriter<Own>) => void = () => {},
): ModelMachine<Own> {
  const settings = modelSettings(options)
  return {
    initial: initialModelState(own),
    step(state, input) {
      const writer = new ModelWriter(settings, state)
      const { value, event } = asJsonMessage(input) ?? { value: input, event: '' }
      // Google sends a list of chunks unless it is asked for SSE, and errors always.
      const isList = Array.isArray(value) && value.length > 0
      const chunks: unknown[] = isList ? value : [value]
      for (const chunk of chunks.filter(isChunk)) {
        const other = apiOf(chunk)
        if (other !== '' && other !== api) {
          reportForeign(writer, api, other)
          continue
        }
        if (other === '' && chunk.error == null && isForeign(writer.state)) continue
        reportTypes(writer, chunk, typeof shape === 'function' ? shape(chunk) : shape)
        writer.chunk = chunk
        read(writer, chunk, event)
      }
      const invalid = chunks.findIndex((chunk) => !isChunk(chunk))
      const isRaw = typeof value === 'string' || ArrayBuffer.isView(value)
      if (invalid >= 0 && isFirst(writer, isRaw ? 'raw' : `form ${typeOf(chunks[invalid])}`)) {
        const hint = isRaw ? '; jsonDecoder reads a body' : ''
        const message = `Expected an object, got ${typeOf(chunks[invalid])}${hint}.`
        writer.invalid([{ code: 'invalid-type', path: isList ? `/${invalid}` : '', message }])
      }
      return writer.done()
    },
    end(state, reason = {}) {
      requireObject('reason', reason)
      optional(requireString, 'reason.reason', reason.reason)
      const writer = new ModelWriter(settings, state)
      if (writer.state.stage !== 'ended') readEnd(writer)
      breakOff(writer, reason.reason)
      reportOverflow(writer)
      return writer.done()
    },
  }
}

/** Whether all that was read are chunks of another API, so that what any may have is of that one, too. */
function isForeign({ stage, reported }: ModelState): boolean {
  return stage === 'waiting' && reported.some((name) => name.startsWith('api '))
}

/** Whether a value may be a chunk: bytes are objects, too. */
function isChunk(value: unknown): value is Fields {
  return isFields(value) && !ArrayBuffer.isView(value)
}
