/** Writing a task as the run of an agent, event by event. */

import { StepBuilder } from '../../../core/step-builder.ts'
import type { ContentCompleteEvent, ContentDeltaEvent } from '../../../events/content.ts'
import type { AnyEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskStatusEvent } from '../../../events/task.ts'
import type { ThoughtStreamEvent } from '../../../events/thought.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { reportLossyFields } from '../../shared/lossy-fields.ts'
import { dropOtherText, isOfOpenText } from '../../shared/one-text.ts'
import { trackUnstarted } from '../../shared/unstarted-calls.ts'
import { argumentsText, jsonText } from '../wire/json-text.ts'
import { addCall, findCall, type OpenCall, removeCall } from '../wire/open-calls.ts'
import { progressData } from '../wire/progress.ts'
import type { AgentEvent } from '../wire/types.ts'
import type { ToAgentEventsState } from './state.ts'

/** Emits AgentEvents for one event of the task. */
export class RunWriter extends StepBuilder<ToAgentEventsState, AgentEvent> {
  readonly #hasCallIds: boolean

  constructor(state: ToAgentEventsState, hasCallIds: boolean) {
    super(state)
    this.#hasCallIds = hasCallIds
  }

  write(event: AnyEvent & { taskId?: unknown }): void {
    if (!this.#isOfTask(event)) {
      const message = `Expected an event of task ${this.state.taskId}, got ${String(event.taskId)}.`
      const detail = { reason: 'other-task', taskId: event.taskId }
      this.diagnostic(`dropped:${event.kind}`, message, { detail })
    } else if (this.#isAfterEnd(event)) {
      this.dropped(event.kind, 'after-end', `${event.kind} after the end of the task.`)
    } else this.#writeKind(event)
  }

  #isOfTask({ taskId }: { taskId?: unknown }): boolean {
    if (typeof taskId !== 'string') return true
    if (this.state.taskId === null) this.update({ taskId })
    return this.state.taskId === taskId
  }

  /** Success has two events, in either order; nothing else may follow the end. */
  #isAfterEnd(event: AnyEvent): boolean {
    const { phase } = this.state
    if (phase === 'running') return false
    const isSuccess =
      event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
    return phase === 'failed' || !isSuccess
  }

  #writeKind(event: AnyEvent): void {
    if (trackUnstarted(this, event)) return
    switch (event.kind) {
      case 'task-status':
        this.#writeStatus(event)
        break
      case 'task-complete':
        this.#writeTaskComplete(event)
        break
      case 'content-delta':
        this.#writeContentDelta(event)
        break
      case 'content-complete':
        this.#writeContentComplete(event)
        break
      case 'thought-stream':
        this.#writeThought(event)
        break
      case 'tool-start':
        this.#writeCall(event)
        break
      case 'tool-progress':
        this.#writeProgress(event)
        break
      case 'tool-complete':
        this.#writeResult(event)
        break
      default:
        this.dropped(event.kind, 'no-equivalent', `AgentEvents have no equivalent for ${event.kind}.`)
    }
  }

  #writeStatus(event: TaskStatusEvent): void {
    const { status } = event
    switch (status) {
      case 'completed':
        this.#reportUnmapped(event, 'status')
        if (this.state.phase !== 'running') return
        if (this.state.hasText) this.#writeFinal()
        else this.update({ phase: 'completed' })
        return
      case 'failed':
      case 'canceled':
        this.#writeError(event)
        return
      default:
        this.dropped(event.kind, 'no-equivalent', `AgentEvents have no equivalent for status ${status}.`)
    }
  }

  #writeError(event: TaskStatusEvent): void {
    const { status, error, message, metadata } = event
    const text = error?.message ?? message ?? metadata?.reason ?? `The task is ${status}.`
    this.emit({ type: 'error', error: text })
    this.#reportUnmapped(event, 'status', 'error')
    if (status === 'canceled') this.lossy('status', 'The status canceled is sent as an error.')
    if (error === undefined || error.code !== 'internal' || error.retry !== 'terminal') {
      this.lossy('error', 'Only the message of the error is sent.')
    } else if (Object.keys(error).length > 3) {
      this.lossy('error', 'Only the message of the error is sent, without its other fields.')
    }
    this.update({ phase: 'failed', openCalls: [], receiverCalls: [] })
  }

  #writeTaskComplete(event: TaskCompleteEvent): void {
    const { content } = event
    // Streamed text is not repeated.
    if (content !== undefined && content !== '' && !this.state.hasText) this.#writeText(content, 'complete')
    this.#reportUnmapped(event, 'content')
    if (this.state.phase !== 'succeeded') this.#writeFinal()
  }

  #writeFinal(): void {
    this.emit({ type: 'final' })
    this.update({ phase: 'succeeded', openCalls: [], receiverCalls: [] })
  }

  #writeText(content: string, segment: ToAgentEventsState['segment']): void {
    this.emit({ type: 'stream', content })
    if (!this.state.hasText || this.state.segment !== segment) this.update({ hasText: true, segment })
  }

  #writeContentDelta(event: ContentDeltaEvent): void {
    if (dropOtherText(this, this.state.segment === 'open', event)) return
    if (this.state.segment === 'complete') this.#reportSegment()
    this.#writeText(event.delta, 'open')
    this.#reportUnmapped(event, 'delta')
  }

  #writeContentComplete(event: ContentCompleteEvent): void {
    const { segment } = this.state
    if (isOfOpenText(this.state, segment === 'open', event)) this.update({ segment: 'complete' })
    else {
      // After or within another segment.
      if (segment !== 'none') this.#reportSegment()
      this.#writeText(event.content, segment === 'open' ? 'open' : 'complete')
    }
    this.#reportUnmapped(event, 'content')
  }

  #reportSegment(): void {
    this.diagnostic('lossy:segment', 'A receiver cannot see where the segment ends.', { path: '' })
  }

  #writeThought(event: ThoughtStreamEvent): void {
    this.emit({ type: 'thought', content: event.content })
    const mapped = ['content']
    if (event.thoughtType === 'reasoning') mapped.push('thoughtType')
    if (event.verbosity === 'normal') mapped.push('verbosity')
    this.#reportUnmapped(event, ...mapped)
  }

  #writeCall(event: ToolStartEvent): void {
    const { toolCallId: id, toolName, metadata } = event
    const { segment, openCalls, receiverCalls } = this.state
    if (segment === 'open') this.#reportSegment()
    const { text, isOriginal } = argumentsText(event.arguments, metadata?.toolArgs)
    if (text === undefined) this.lossy('arguments', 'The arguments are not JSON; sent as {}.')
    const out = { type: 'tool_call', toolName, toolArgs: text ?? '{}' } as const
    this.emit(this.#hasCallIds ? { ...out, toolCallId: id } : out)
    reportLossyFields(this, event, ['toolName', 'arguments'], {
      ignored: ignoredFields,
      mappedMetadata: isOriginal ? ['toolArgs'] : [],
    })
    const call = { id, toolName }
    this.update({
      segment: segment === 'complete' ? 'none' : segment,
      openCalls: addCall(openCalls, call, this),
      receiverCalls: addCall(receiverCalls, call),
    })
  }

  #writeProgress(event: ToolProgressEvent): void {
    const { toolCallId } = event
    const call = this.state.openCalls.find(({ id }) => id === toolCallId)
    if (call === undefined) {
      const message = `No call with toolCallId "${toolCallId}" is open, so its toolName is unknown.`
      const detail = { reason: 'unknown-call', toolCallId }
      this.diagnostic(`dropped:${event.kind}`, message, { detail })
      return
    }
    const out = { type: 'tool_progress', toolName: call.toolName, data: progressData(event) } as const
    this.emit(this.#hasCallIds ? { ...out, toolCallId } : out)
    this.#reportReceiverCall(call)
    const hasOwnData = event.metadata !== undefined && Object.hasOwn(event.metadata, 'data')
    if (!hasOwnData) this.#reportUnmapped(event, 'progress', 'message', 'metadata')
    else {
      const mapped = event.progress === 0 ? ['progress'] : []
      reportLossyFields(this, event, mapped, { ignored: ignoredFields, mappedMetadata: ['data'] })
    }
  }

  #writeResult(event: ToolCompleteEvent): void {
    const { toolCallId, toolName, success, result, error } = event
    const mapped = ['toolName', 'success']
    let output = ''
    if (!success && error !== undefined) {
      output = error
      mapped.push('error')
    } else if (result !== undefined) {
      output = typeof result === 'string' ? result : (jsonText(result) ?? '')
      // Only the text of a success is mapped back to the same result.
      if (success && typeof result === 'string') mapped.push('result')
    }
    this.emit({
      type: 'tool_result',
      toolName,
      output,
      ...(!success && { isError: true }),
      ...(this.#hasCallIds && { toolCallId }),
    })
    this.#reportReceiverCall({ id: toolCallId, toolName })
    this.#reportUnmapped(event, ...mapped)
    const { openCalls, receiverCalls } = this.state
    const closed = findCall(receiverCalls, this.#hasCallIds ? { toolName, toolCallId } : { toolName })
    this.update({
      openCalls: openCalls.filter(({ id }) => id !== toolCallId),
      receiverCalls: closed === undefined ? receiverCalls : removeCall(receiverCalls, closed),
    })
  }

  /** Reports if a receiver without ids matches the event to another call. */
  #reportReceiverCall({ id, toolName }: OpenCall): void {
    if (this.#hasCallIds) return
    const call = findCall(this.state.receiverCalls, { toolName })
    if (call === undefined || call.id === id) return
    const message = `A receiver matches the event to call "${call.id}" instead of "${id}".`
    this.lossy('toolCallId', message, { assumed: call.id })
  }

  #reportUnmapped(event: AnyEvent, ...mapped: readonly string[]): void {
    reportLossyFields(this, event, mapped, { ignored: ignoredFields, mappedMetadata: [] })
  }
}

/** Ids, times and positions, which no AgentEvent has. */
const ignoredFields: ReadonlySet<string> = new Set([
  'kind',
  'timestamp',
  'timestampEnd',
  'contextId',
  'taskId',
  'parentTaskId',
  'path',
  'toolCallId',
  'thoughtId',
  'index',
  'indexEnd',
])
