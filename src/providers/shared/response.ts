/** The response as a whole: its usage, its end, and what is wrong with it. */

import type { ErrorInfo } from '../../events/error.ts'
import type { Usage } from '../../events/usage.ts'
import { type Ending, endCalls } from './calls.ts'
import { furtherUsage, keepDetail } from './details.ts'
import { cutOff, errorOf } from './errors.ts'
import type { Fields } from './fields.ts'
import { reportOverflow } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { reportCounts, reportType } from './report.ts'
import { endServerCalls } from './server-tools.ts'
import { MAX_ITEMS, type ModelState } from './state.ts'
import { completeTexts, endTexts } from './texts.ts'
import { endThoughts } from './thoughts.ts'

type Counts = { readonly [K in keyof Usage as K extends `${string}Tokens` ? K : never]: number | undefined }

/**
 * Stores the usage. Counts are cumulative: those of the last chunk count. Unknown ones keep their last value.
 *
 * @param stated - As the provider states it, to report what is not a count.
 */
export function setUsage(writer: ModelWriter, stated: Fields, counts: Counts): void {
  const { state } = writer
  reportCounts(writer, stated)
  const usageDetails = furtherUsage(stated)
  if (Object.keys(usageDetails).length > 0) keepDetail(writer, 'usage', usageDetails)
  const usage: Usage = { ...state.usage }
  if (state.provider !== '') usage.provider = state.provider
  if (state.model !== '') usage.model = state.model
  let isKnown = false
  for (const [name, count] of Object.entries(withParts(counts))) {
    if (count === undefined) continue
    usage[name] = count
    isKnown = true
  }
  if (isKnown) state.usage = usage
}

/** The counts with parts that a server counts apart from their totals: those that exceed them, or that the sum lacks. */
function withParts(counts: Counts): Counts {
  const { inputTokens: input, outputTokens: output, totalTokens: total } = counts
  const {
    reasoningTokens: reasoning = 0,
    cachedInputTokens: read = 0,
    cacheWriteInputTokens: written = 0,
  } = counts
  const cached = read + written
  const isLacking = (part: number): boolean => part > 0 && (input ?? 0) + (output ?? 0) + part === total
  const further = output !== undefined && (reasoning > output || isLacking(reasoning)) ? reasoning : 0
  const isApart = cached > (input ?? 0) || (further === 0 && isLacking(cached))
  const uncounted = input !== undefined && isApart ? cached : 0
  if (further + uncounted === 0) return counts
  const inputTokens = input === undefined ? undefined : input + uncounted
  const outputTokens = output === undefined ? undefined : output + further
  const sum = (inputTokens ?? 0) + (outputTokens ?? 0)
  return { ...counts, inputTokens, outputTokens, totalTokens: total && Math.max(total, sum) }
}

/** Whether the model has stopped before. Reports another reason than the first one, which counts. */
export function hasFinished(writer: ModelWriter, reason: string): boolean {
  const { finishReason } = writer.state
  if (finishReason === null || finishReason === reason) return finishReason !== null
  const message = `Expected one finish reason, got ${finishReason} and ${reason.slice(0, 64)}. The first one counts.`
  writer.dropped('finish-reason', 'repeated', message)
  return true
}

/**
 * Ends the thoughts, texts and calls, as the model has stopped. Usage and errors may still follow.
 *
 * @param finishReason - `null` if it is unknown.
 * @param isCut - Whether the model could not finish, as by the token limit.
 */
export function finish(writer: ModelWriter, finishReason: string | null, isCut = false): void {
  writer.state.isFinished = true
  writer.state.finishReason = finishReason
  endItems(writer, isCut ? 'limit' : 'stop')
}

/** Emits the end of the response. */
export function complete(writer: ModelWriter): void {
  const { state } = writer
  if (state.stage === 'ended') return
  // What began after the model had stopped.
  endItems(writer, 'lost')
  endServerCalls(writer)
  completeTexts(writer, true)
  if (state.error !== null) writer.emit({ kind: 'task-error', error: copyError(state.error) })
  state.stage = 'ended'
  reportOverflow(writer)
}

/** Ends the response with an error. One that is known counts, such as that of a refusal, if it has a code of its own. */
export function fail(writer: ModelWriter, error: ErrorInfo): void {
  const { state } = writer
  if (state.error === null || state.error.code === 'provider_error') state.error = error
  complete(writer)
}

/** Reads a chunk of an unknown type. One without a type may have the error that the SDK threw. */
export function readUnknown(writer: ModelWriter, { error }: Fields, type: string): void {
  if (type === '' && error != null) fail(writer, errorOf(writer, error))
  else reportType(writer, type, '')
}

/** Ends a response whose end did not come. */
export function breakOff(writer: ModelWriter, reason: string | undefined): void {
  const { state } = writer
  if (state.stage === 'ended') return
  if (!state.isFinished) {
    if (reason !== undefined) state.finishReason = reason
    else {
      // What came instead of a response was reported.
      if (!isUntouched(state) || state.reported.length === 0)
        writer.diagnostic('ended-early', 'The stream ended before the response was complete.')
      state.error ??= cutOff
    }
  }
  if (!isUntouched(state) || state.error !== null) complete(writer)
  else state.stage = 'ended'
}

/** Starts another response in the same stream. What was open is ended. */
export function restart(writer: ModelWriter): void {
  const { state } = writer
  if (isUntouched(state)) return
  breakOff(writer, undefined)
  reportOverflow(writer)
  const ids = state.calls.map(({ toolCallId }) => toolCallId).filter((id) => id !== '')
  state.stage = 'waiting'
  state.model = ''
  state.responseId = ''
  state.idPrefix = ''
  state.isFinished = false
  state.finishReason = null
  state.usage = null
  state.error = null
  state.texts = []
  state.thoughts = []
  state.calls = []
  state.contents = []
  state.details = {}
  state.earlierCalls = [...state.earlierCalls, ...ids].slice(-MAX_ITEMS)
  state.length = state.earlierCalls.reduce((sum, id) => sum + id.length, 0)
}

/** Whether nothing of the response was read. A call may wait for its id before anything is emitted. */
function isUntouched({ stage, calls, contents }: ModelState): boolean {
  return stage === 'waiting' && calls.length + contents.length === 0
}

function endItems(writer: ModelWriter, ending: Ending): void {
  // Texts first: what is held back of them may be thoughts.
  endTexts(writer)
  endThoughts(writer, ending === 'stop')
  endCalls(writer, ending)
}

function copyError(error: ErrorInfo): ErrorInfo {
  return typeof error.details === 'object' ? { ...error, details: { ...error.details } } : { ...error }
}
