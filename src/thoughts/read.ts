/** One step of an extractor, whatever its outputs are. */

import type { Diagnostic } from '../core/machine.ts'
import { describeValue, requireObject, requireOneOf } from '../core/require.ts'
import type { Settings } from './options.ts'
import type { ThoughtMeta } from './output.ts'
import type { ExtractorState } from './state.ts'
import { readDelta, readEnd } from './tag-finder.ts'
import { endOfInput, flush, type ThoughtSink, ThoughtWriter } from './thought-writer.ts'

/** What is known at the end of the output. */
export interface ThoughtEnd {
  /** Whether a thought that is still open is a thought or content. Defaults to the option `unterminated`. */
  unterminated?: 'thought' | 'content'
}

/** The result of one step. */
export interface Read {
  readonly state: ExtractorState
  /** Omitted if there are none. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** Reads a delta, and hands what is in it to a sink. What is no text is left out, and reported once. */
export function readInto(sink: ThoughtSink, settings: Settings, state: ExtractorState, delta: string): Read {
  if (typeof delta !== 'string') return invalid(state, delta)
  const writer = new ThoughtWriter(settings, state, sink)
  readDelta(settings, writer, delta)
  return finished(writer)
}

/** Ends the input, and hands what was held back to a sink. */
export function endInto(
  sink: ThoughtSink,
  settings: Settings,
  state: ExtractorState,
  reason: ThoughtEnd = {},
): Read {
  requireObject('reason', reason)
  const { unterminated = settings.unterminated } = reason
  requireOneOf('unterminated', unterminated, ['thought', 'content'])
  const writer = new ThoughtWriter(settings, state, sink)
  readEnd(settings, writer)
  endOfInput(writer, unterminated)
  return finished(writer)
}

function invalid(state: ExtractorState, delta: unknown): Read {
  if (state.hasInvalid) return { state }
  const got = ArrayBuffer.isView(delta) ? 'bytes' : describeValue(delta)
  const message = `Expected a text of a model, got ${got}; it is left out.`
  return { state: { ...state, hasInvalid: true }, diagnostics: [{ code: 'invalid-delta', message }] }
}

function finished(writer: ThoughtWriter): Read {
  flush(writer)
  const { state, diagnostics } = writer
  return diagnostics.length === 0 ? { state } : { state, diagnostics }
}

/** A copy that shares nothing with the original. */
export function copyMeta<Meta extends ThoughtMeta>(meta: Meta): Meta {
  return meta.alternatives === undefined ? { ...meta } : { ...meta, alternatives: [...meta.alternatives] }
}
