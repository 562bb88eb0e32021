/** Maps the end of a message, its errors and its metadata to events. */

import { boundedEntries } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ErrorInfo } from '../../../events/error.ts'
import type { Metadata } from '../../../events/metadata.ts'
import type { Usage } from '../../../events/usage.ts'
import { cleanJson, cleanObject } from '../../../json/sanitize.ts'
import { isEqualJson } from '../../../json/value.ts'
import { isFields } from '../../../validation/predicates.ts'
import { type Draft, emitValid } from '../../engine/draft.ts'
import { emptyGroupedMap } from '../../engine/grouped-map.ts'
import type { AbortChunk, ErrorChunk, FinishChunk } from '../wire/types.ts'
import { addUsage, fromUiUsage } from '../wire/usage.ts'
import { cancelRequest, openInputs, takeRequests } from './answers.ts'
import { endCalls, startHeldCall } from './calls.ts'
import { askFor } from './map-approval.ts'
import { endSubtasks } from './map-subtask.ts'
import { endTexts } from './map-text.ts'
import { type MessageWriter, OPEN, stepIteration } from './state.ts'

/** Keeps metadata of the message for the end. */
export function mapMetadata(writer: MessageWriter, value: unknown): void {
  const { state } = writer
  if (value === undefined || value === null) return
  if (!isFields(value)) {
    writer.lossy('messageMetadata', 'Expected an object.', value)
    return
  }
  const usage = fromUiUsage(value.usage)
  const isOurs = isFields(value.usage) && Array.isArray(value.usage.models)
  if (usage !== undefined) state.usage = usage.map((one) => cleanObject(one))
  // Ours is that of the task so far.
  if (isOurs) state.earlierUsage = []
  for (const key of Object.keys(value)) {
    if (key === 'usage' && isOurs) continue
    const member = cleanJson(value[key])
    if (member === undefined) continue
    const before = writer.item('metadata', key)
    if (before !== undefined && !isEqualJson(before.value, member)) {
      writer.lossy('messageMetadata', `The metadata "${key}" is replaced.`, before.value)
    }
    writer.setItem('metadata', key, { value: member })
  }
}

/** The metadata of the message, in the order in which its members came. */
function messageMetadata(writer: MessageWriter): Metadata {
  return Object.fromEntries(writer.itemsOf('metadata', OPEN).map(([key, { value }]) => [key, value]))
}

/** The usage of the message, and the model that its metadata names. */
function usageIn({ state }: MessageWriter, { model }: Metadata): readonly Usage[] | null {
  const isNamed = typeof model === 'string' && model !== ''
  return isNamed ? (state.usage?.map((one) => ({ model, ...one })) ?? null) : state.usage
}

/** Holds an error back: the task has failed if nothing follows. */
export function mapError(writer: MessageWriter, { errorText }: ErrorChunk): void {
  flushError(writer)
  writer.state.error = errorText
}

/** Emits an error after which the stream continues. */
export function flushError(writer: MessageWriter): void {
  const { error } = writer.state
  if (error === null) return
  writer.state.error = null
  const info = { code: 'provider_error', message: error, retry: 'retrying' } as const
  emitValid(writer, { kind: 'task-error', error: info })
}

/** Emits `task-status` `canceled`. */
export function mapAbort(writer: MessageWriter, { reason }: AbortChunk): void {
  flushError(writer)
  closeAll(writer, false)
  emitEnd(writer, {
    kind: 'task-status',
    status: 'canceled',
    ...(reason !== undefined && { metadata: { reason } }),
  })
}

/** Emits the result of the task, or what it waits for. */
export function mapFinish(writer: MessageWriter, { finishReason, messageMetadata }: FinishChunk): void {
  mapMetadata(writer, messageMetadata)
  if (writer.state.error !== null || finishReason === 'error') {
    fail(writer)
    return
  }
  startHeldCall(writer)
  if (finishReason === 'tool-calls') askForOutputs(writer)
  else withdrawInferred(writer)
  const blockedBy = openInputs(writer).at(-1)?.[0]
  if (blockedBy !== undefined || writer.itemsOf('requests', 'auth').length > 0) {
    wait(writer, finishReason, blockedBy)
    return
  }
  if (finishReason === 'interrupted') {
    closeAll(writer, false)
    emitEnd(writer, { kind: 'task-status', status: 'canceled', metadata: { reason: finishReason } })
    return
  }
  closeAll(writer, true)
  complete(writer, finishReason)
}

/** Asks for the output of the calls that the page is to run: those that wait for nothing else. */
function askForOutputs(writer: MessageWriter): void {
  const asked = new Set(openInputs(writer).map(([, { toolCallId }]) => toolCallId))
  // The message ends with a question of ours.
  if (asked.has(null)) return
  const { tools } = writer.options.posted ?? {}
  const running = writer
    .itemsOf('calls', OPEN)
    .filter(([, { phase, metadata }]) => phase === 'running' && metadata?.provider !== 'provider')
    .filter(([toolCallId, { toolName }]) => !asked.has(toolCallId) && tools?.has(toolName) !== false)
  for (const [toolCallId, call] of running) {
    writer.inferred('input-required', 'The message ends with a call that the page is to run.')
    askFor(writer, 'finish', call.id, toolCallId, call, `Run ${call.toolName}.`, { provider: 'client' })
  }
}

/** Withdraws the requests for outputs that were inferred: the message ends without them. */
function withdrawInferred(writer: MessageWriter): void {
  for (const [inputId, { isInferred }] of openInputs(writer)) {
    if (isInferred !== true) continue
    writer.inferred('input-canceled', `Expected the output of call ${describeValue(inputId)}, got none.`)
    cancelRequest(writer, inputId, 'withdrawn')
  }
}

function wait(writer: MessageWriter, finishReason: string | undefined, blockedBy: string | undefined): void {
  const { state } = writer
  const all = messageMetadata(writer)
  // Ours is in the texts as well.
  const usage = all.usage === undefined ? null : usageIn(writer, all)
  const carried = {
    ...(finishReason !== undefined && finishReason !== 'tool-calls' && { finishReason }),
    ...(Object.keys(all).length > 0 && { messageMetadata: all }),
  }
  const metadata: Metadata = {
    ...(blockedBy !== undefined && { blockedBy }),
    ...(usage !== null && { usage: usage.map((one) => ({ ...one })) }),
    ...(Object.keys(carried).length > 0 && { aiSdk: carried }),
  }
  const status = blockedBy === undefined ? 'waiting-auth' : 'waiting-input'
  emitValid(writer, {
    kind: 'task-status',
    status,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  })
  if (usage !== null) {
    state.earlierUsage = addUsage(state.earlierUsage, usage)
    state.usage = null
  }
  state.metadata = emptyGroupedMap
  state.phase = 'waiting'
}

function complete(writer: MessageWriter, finishReason: string | undefined): void {
  const { state } = writer
  const all = messageMetadata(writer)
  const { result, ...rest } = all
  const own = isFields(result) && Object.keys(result).every((key) => resultKeys.includes(key)) ? result : {}
  const others = own === result ? rest : all
  const reason = own.finishReason ?? finishReason
  const usage = addUsage(state.earlierUsage, usageIn(writer, all) ?? [])
  const metadata: Metadata = {
    ...(isFields(own.metadata) && (cleanObject(own.metadata) as Metadata)),
    ...(usage.length > 0 && { usage: usage.map((one) => ({ ...one })) }),
    ...(reason !== undefined && { finishReason: reason }),
    ...(Object.keys(others).length > 0 && { aiSdk: { messageMetadata: cleanObject(others) } }),
  }
  emitValid(writer, { kind: 'task-status', status: 'completed' })
  const full: Draft = {
    kind: 'task-complete',
    ...(Array.isArray(own.artifacts) && { artifacts: own.artifacts as string[] }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  if (!emitValid(writer, full)) {
    writer.lossy('messageMetadata', 'The metadata is not valid.', all)
    emitValid(writer, { kind: 'task-complete' })
  }
  state.phase = 'ended'
}

const resultKeys = ['artifacts', 'metadata', 'finishReason']

/** Emits `task-status` `failed`. */
export function fail(writer: MessageWriter): void {
  const { state } = writer
  closeAll(writer, false)
  const all = messageMetadata(writer)
  const { error: stated, ...others } = all
  const message = state.error ?? 'The model failed.'
  const info: ErrorInfo = { code: 'provider_error', message, retry: 'terminal' }
  state.error = null
  const error = isFields(stated) ? (stated as unknown as ErrorInfo) : info
  // The metadata states the error as a whole, if it is one.
  if (!emitEnd(writer, { kind: 'task-status', status: 'failed', error }, others)) {
    emitEnd(writer, { kind: 'task-status', status: 'failed', error: info }, all)
  }
}

/** Emits a final status with the metadata of the message. */
function emitEnd(
  writer: MessageWriter,
  draft: Draft & { kind: 'task-status' },
  metadata: Metadata = messageMetadata(writer),
): boolean {
  const { state } = writer
  const usage = usageIn(writer, metadata)
  const carried: Metadata = {
    ...(Object.keys(metadata).length > 0 && { messageMetadata: metadata }),
    ...(usage !== null && { usage: usage.map((one) => ({ ...one })) }),
  }
  const isEmpty = Object.keys(carried).length === 0
  state.phase = 'ended'
  return emitValid(writer, isEmpty ? draft : { ...draft, metadata: { ...draft.metadata, aiSdk: carried } })
}

/** Ends what is open, as the task ends. */
function closeAll(writer: MessageWriter, isSuccess: boolean): void {
  startHeldCall(writer)
  endTexts(writer)
  endCalls(writer, isSuccess)
  endSubtasks(writer)
}

/** Discards what the step has begun. Calls that have started stay, as their tools may have run. */
export function mapReset(writer: MessageWriter): void {
  const { state } = writer
  const iteration = stepIteration(state)
  state.heldCall = null
  for (const map of ['texts', 'thoughts'] as const) {
    for (const [id, item] of writer.itemsOf(map, OPEN)) {
      if (item.iteration === iteration) writer.deleteItem(map, id)
    }
  }
  let started = 0
  for (const [toolCallId, call] of boundedEntries(state.calls.values)) {
    if (call.iteration !== iteration) continue
    if (call.isStarted) {
      started++
      continue
    }
    for (const inputId of takeRequests(writer, toolCallId)) cancelRequest(writer, inputId, 'withdrawn')
    writer.deleteItem('calls', toolCallId)
  }
  if (started > 0)
    writer.diagnostic('lossy:reset-step', `${started} calls of the step have started and stay.`)
  state.thoughtCount = state.earlierThoughts
  emitValid(writer, { kind: 'iteration-reset', iteration })
}
