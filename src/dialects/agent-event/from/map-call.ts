/** Mapping the calls of tools. */

import { boundedGet, boundedSet } from '../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../core/require.ts'
import type { ToolCompleteEvent } from '../../../events/tool.ts'
import { jsonText } from '../../../json/json-text.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { parseObject } from '../wire/json-text.ts'
import { closeCall, findCall, keyOf, listCalls, openCall, replaceCall } from '../wire/open-calls.ts'
import { progressFields } from '../wire/progress.ts'
import type { RunCallEvent, RunProgressEvent, RunResultEvent } from '../wire/run-event.ts'
import type { EventWriter } from './event-writer.ts'
import type { CallInProgress } from './state.ts'

export function mapCall(writer: EventWriter, { toolName, toolArgs, toolCallId }: RunCallEvent): void {
  const args = typeof toolArgs === 'string' ? parseObject(toolArgs) : toolArgs
  const isObject = isFields(args)
  if (!isObject) {
    writer.lossy(
      'toolArgs',
      'Expected a JSON object as toolArgs, got another value; the arguments are empty.',
    )
  }
  const hasOriginal = typeof toolArgs === 'string' || !isObject
  startCall(writer, toolName, isObject ? args : {}, toolCallId, hasOriginal ? { toolArgs } : undefined)
}

export function mapProgress(writer: EventWriter, event: RunProgressEvent): void {
  const { openCalls } = writer.state
  const call = findCall(openCalls, event)
  if (call === undefined) {
    dropWithoutCall(writer, event)
    return
  }
  const fields = progressFields(
    { ...event, toolName: call.toolName },
    call.progress,
    writer.options.readProgress,
  )
  writer.emitDraft({ kind: 'tool-progress', toolCallId: call.id, ...fields })
  if (fields.progress === call.progress) return
  writer.update({ openCalls: replaceCall(openCalls, { ...call, progress: fields.progress }) })
}

export function mapResult(writer: EventWriter, event: RunResultEvent): void {
  const { output, isError } = event
  const call = findCall(writer.state.openCalls, event) ?? inferCall(writer, event)
  if (call === undefined) return
  if (isError !== true) completeCall(writer, call, { success: true, result: output })
  else if (typeof output === 'string') completeCall(writer, call, { success: false, error: output })
  else completeCall(writer, call, { success: false, error: jsonText(output) ?? '', metadata: { output } })
}

/** Closes the calls without a result, at the end of the run. */
export function closeCalls(writer: EventWriter, end: string): void {
  const open = listCalls(writer.state.openCalls)
  if (open.length === 0) return
  const message = `Expected a result of each tool call before ${end}, got none of ${open.length}; they failed.`
  writer.diagnostic('inferred:tool_result', message, { detail: { toolCallIds: open.map(({ id }) => id) } })
  for (const call of open) completeCall(writer, call, { success: false, error: `No result at ${end}.` })
}

function startCall(
  writer: EventWriter,
  toolName: string,
  args: Record<string, unknown>,
  statedId: string | undefined,
  metadata?: Record<string, unknown>,
): CallInProgress {
  const order = writer.state.callCount + 1
  const id = idOf(writer, statedId, order)
  const isTaken =
    statedId !== undefined && findCall(writer.state.openCalls, { toolCallId: statedId }) !== undefined
  writer.emitDraft({
    kind: 'tool-start',
    toolCallId: id,
    toolName,
    arguments: args,
    ...(metadata && { metadata }),
  })
  const key = keyOf(statedId === undefined || isTaken ? order : statedId)
  const call = { key, id, toolName, order, progress: 0, ...(statedId !== undefined && { statedId }) }
  writer.update({
    callCount: order,
    openCalls: openCall(writer.state.openCalls, call),
    usedIds: boundedSet(writer.state.usedIds, id, true as const).map,
  })
  return call
}

/** The id in the output: the stated one, unless it is taken. */
function idOf(writer: EventWriter, statedId: string | undefined, order: number): string {
  const { usedIds, context } = writer.state
  const isUsed = (id: string): boolean => boundedGet(usedIds, id) !== undefined
  if (statedId !== undefined) {
    if (!isUsed(statedId)) return statedId
    writer.inferred(
      'toolCallId',
      `Expected an id of its own, got ${describeValue(statedId)} of another call; an id was inferred.`,
    )
  }
  let id = writer.newId() ?? `${context.taskId}:call-${order}`
  while (isUsed(id)) id += '+'
  return id
}

/** A call for a result that has none; `undefined` if the result was dropped. */
function inferCall(writer: EventWriter, event: RunResultEvent): CallInProgress | undefined {
  const { toolName, toolCallId } = event
  const isOver = toolCallId !== undefined && boundedGet(writer.state.usedIds, toolCallId) !== undefined
  if (toolName === undefined || isOver) {
    dropWithoutCall(writer, event, isOver ? 'repeated' : undefined)
    return undefined
  }
  writer.inferred(
    'tool_call',
    `Expected an open call of ${describeValue(toolName)}, got none; one was inferred.`,
  )
  return startCall(writer, toolName, {}, toolCallId)
}

function dropWithoutCall(
  writer: EventWriter,
  { type, toolName, toolCallId }: RunProgressEvent | RunResultEvent,
  reason: 'not-started' | 'repeated' = 'not-started',
): void {
  // Fields without a value are absent, as in JSON.
  const detail: Fields = JSON.parse(JSON.stringify({ reason, toolName, toolCallId }))
  writer.diagnostic(`dropped:${type}`, `Expected an open call that the ${type} belongs to, got none.`, {
    detail,
  })
}

function completeCall(
  writer: EventWriter,
  call: CallInProgress,
  outcome: Omit<ToolCompleteEvent, 'kind' | 'timestamp' | 'toolCallId' | 'toolName'>,
): void {
  const { id: toolCallId, toolName } = call
  writer.emitDraft({ kind: 'tool-complete', toolCallId, toolName, ...outcome })
  writer.update({ openCalls: closeCall(writer.state.openCalls, call) })
}
