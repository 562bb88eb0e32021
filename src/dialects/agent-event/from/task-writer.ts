/** Writing the run of an agent as a task, event by event. */

import { StepBuilder } from '../../../core/step-builder.ts'
import { stamp } from '../../../emitter/stamp.ts'
import type { AnyEvent, ContextAnyEvent, EventContext } from '../../../events/event.ts'
import { readClock, readNewId } from '../../../validation/callbacks.ts'
import { reportLossyFields } from '../../shared/lossy-fields.ts'
import { parseObject } from '../wire/json-text.ts'
import { addCall, findCall, removeCall } from '../wire/open-calls.ts'
import { progressFields } from '../wire/progress.ts'
import type {
  AgentEvent,
  AgentToolCallEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
} from '../wire/types.ts'
import type { FromAgentEventsOptions } from './options.ts'
import type { FromAgentEventsState } from './state.ts'

type WithoutTime<E> = E extends AnyEvent ? Omit<E, 'timestamp'> : never

/** Emits the events of the task for one AgentEvent. */
export class TaskWriter extends StepBuilder<FromAgentEventsState, ContextAnyEvent> {
  readonly #options: FromAgentEventsOptions
  readonly #maxContentLength: number

  constructor(state: FromAgentEventsState, options: FromAgentEventsOptions, maxContentLength: number) {
    super(state)
    this.#options = options
    this.#maxContentLength = maxContentLength
  }

  write(event: AgentEvent): void {
    if (this.state.phase === 'ended') {
      this.dropped(event.type, 'after-end', `${event.type} after the end of the run.`)
      return
    }
    if (this.state.phase === 'new') this.#start()
    reportLossyFields(this, event, mappedFields[event.type], { mappedMetadata: [] })
    switch (event.type) {
      case 'thought':
        this.#writeThought(event.content)
        break
      case 'stream':
        this.#writeContent(event.content)
        break
      case 'tool_call':
        this.#writeCall(event)
        break
      case 'tool_progress':
        this.#writeProgress(event)
        break
      case 'tool_result':
        this.#writeResult(event)
        break
      case 'final':
        this.#complete()
        break
      case 'error':
        this.#fail(event.error)
        break
    }
  }

  #start(): void {
    const { contextId, taskId, newId, now, parentTaskId, initiator } = this.#options
    if (newId === undefined && contextId === undefined) this.#reportInferred('contextId', 'newId')
    if (newId === undefined && taskId === undefined) this.#reportInferred('taskId', 'newId')
    if (now === undefined)
      this.inferred('timestamp', 'No now() was given; the time 0 was inferred for every event.')
    this.update({
      phase: 'running',
      contextId: contextId ?? this.#newId() ?? 'context-1',
      taskId: taskId ?? this.#newId() ?? 'task-1',
    })
    this.#emitDraft({
      kind: 'task-created',
      initiator: initiator ?? (parentTaskId === undefined ? 'user' : 'agent'),
    })
    this.#emitDraft({ kind: 'task-status', status: 'working' })
  }

  #reportInferred(field: string, factory: string): void {
    this.inferred(field, `Neither ${field} nor ${factory}() was given; a fixed ${field} was inferred.`)
  }

  #writeThought(content: string): void {
    const { thoughtCount, taskId } = this.state
    const thoughtId = this.#newId() ?? `${taskId}:thought-${thoughtCount + 1}`
    this.#emitDraft({
      kind: 'thought-stream',
      thoughtId,
      thoughtType: 'reasoning',
      verbosity: 'normal',
      content,
      index: thoughtCount,
    })
    this.update({ thoughtCount: thoughtCount + 1 })
  }

  #writeContent(delta: string): void {
    if (this.state.segmentText.length + delta.length > this.#maxContentLength) this.#completeSegment()
    const { segmentText, deltaCount } = this.state
    this.#emitDraft({ kind: 'content-delta', delta, index: deltaCount })
    this.update({ segmentText: segmentText + delta, deltaCount: deltaCount + 1 })
  }

  #completeSegment(): void {
    const { segmentText, deltaCount } = this.state
    if (deltaCount === 0) return
    this.#emitDraft({ kind: 'content-complete', content: segmentText })
    this.update({ segmentText: '', deltaCount: 0 })
  }

  #writeCall({ toolName, toolArgs, toolCallId }: AgentToolCallEvent): void {
    this.#completeSegment()
    const { openCalls, taskId } = this.state
    const callCount = this.state.callCount + 1
    const isTaken = openCalls.some((call) => call.id === toolCallId)
    if (isTaken) {
      const message = `Duplicate toolCallId "${toolCallId}": a call with this id is still open.`
      this.diagnostic('duplicate-call-id', message, { path: '/toolCallId' })
    }
    const ownId = isTaken ? undefined : toolCallId
    const id = ownId ?? this.#newId() ?? `${taskId}:call-${callCount}`
    const args = this.#parseArguments(toolArgs)
    this.#emitDraft({ kind: 'tool-start', toolCallId: id, toolName, arguments: args, metadata: { toolArgs } })
    this.update({ callCount, openCalls: addCall(openCalls, { id, toolName, progress: 0 }, this) })
  }

  #parseArguments(toolArgs: string): Record<string, unknown> {
    const value = parseObject(toolArgs)
    if (value !== undefined) return value
    const message = 'Expected toolArgs to be a JSON object; its text is kept in metadata.toolArgs.'
    this.diagnostic('invalid-arguments', message, { path: '/toolArgs' })
    return {}
  }

  #writeProgress(event: AgentToolProgressEvent): void {
    const { openCalls } = this.state
    const call = findCall(openCalls, event)
    if (call === undefined) {
      this.#dropWithoutCall(event)
      return
    }
    const fields = progressFields(event, call.progress, this.#options.readProgress)
    this.#emitDraft({ kind: 'tool-progress', toolCallId: call.id, ...fields })
    if (fields.progress === call.progress) return
    const updated = { ...call, progress: fields.progress }
    this.update({ openCalls: openCalls.map((other) => (other === call ? updated : other)) })
  }

  #writeResult(event: AgentToolResultEvent): void {
    const { openCalls } = this.state
    const call = findCall(openCalls, event)
    if (call === undefined) {
      this.#dropWithoutCall(event)
      return
    }
    const { toolName, output, isError } = event
    const outcome = isError === true ? { success: false, error: output } : { success: true, result: output }
    this.#emitDraft({ kind: 'tool-complete', toolCallId: call.id, toolName, ...outcome })
    this.update({ openCalls: removeCall(openCalls, call) })
  }

  #dropWithoutCall({ type, toolName, toolCallId }: AgentToolProgressEvent | AgentToolResultEvent): void {
    const id = toolCallId === undefined ? {} : { toolCallId }
    const named = toolCallId === undefined ? '' : ` with toolCallId "${toolCallId}"`
    this.diagnostic(`dropped:${type}`, `No call of ${toolName}${named} is open.`, {
      detail: { reason: 'unknown-call', toolName, ...id },
    })
  }

  #complete(): void {
    const { openCalls } = this.state
    if (openCalls.length > 0) {
      const message = `${openCalls.length} tool calls have no result at final.`
      this.diagnostic('open-tool-calls', message, { detail: openCalls.map((call) => call.id) })
    }
    this.#completeSegment()
    this.#emitDraft({ kind: 'task-status', status: 'completed' })
    this.#emitDraft({ kind: 'task-complete' })
    this.update({ phase: 'ended', openCalls: [] })
  }

  #fail(message: string): void {
    this.#completeSegment()
    this.#emitDraft({
      kind: 'task-status',
      status: 'failed',
      error: { code: 'internal', message, retry: 'terminal' },
    })
    this.update({ phase: 'ended', openCalls: [] })
  }

  /** An id of the caller; `undefined` if it gave no function for ids. */
  #newId(): string | undefined {
    const { newId } = this.#options
    return newId && readNewId(newId)
  }

  #emitDraft(draft: WithoutTime<AnyEvent>): void {
    const { now, parentTaskId, path } = this.#options
    const { contextId, taskId } = this.state
    // The draft is not shared: setting a field is much cheaper than a copy.
    const event = draft as AnyEvent
    event.timestamp = now === undefined ? '1970-01-01T00:00:00.000Z' : readClock(now)
    const context: EventContext = { contextId, taskId }
    if (parentTaskId !== undefined) context.parentTaskId = parentTaskId
    if (path !== undefined) context.path = path
    this.emit(stamp(event, context))
  }
}

/** The fields of each type that agentwire events have an equivalent for. */
const mappedFields: { readonly [T in AgentEvent['type']]: readonly string[] } = {
  thought: ['type', 'content'],
  tool_call: ['type', 'toolName', 'toolArgs', 'toolCallId'],
  tool_progress: ['type', 'toolName', 'data', 'toolCallId'],
  tool_result: ['type', 'toolName', 'output', 'isError', 'toolCallId'],
  stream: ['type', 'content'],
  final: ['type'],
  error: ['type', 'error'],
}
