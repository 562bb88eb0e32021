/** Writing one task as the run of an agent, event by event. */

import type { Diagnostic } from '../../../core/machine.ts'
import type { ContentCompleteEvent } from '../../../events/content.ts'
import type { AnyEvent } from '../../../events/event.ts'
import type { TaskCompleteEvent, TaskStatusEvent } from '../../../events/task.ts'
import type { ThoughtStreamEvent } from '../../../events/thought.ts'
import type { ToolCompleteEvent, ToolProgressEvent, ToolStartEvent } from '../../../events/tool.ts'
import { dropped, lossy, reportLossyFields } from '../wire/diagnostics.ts'
import { argumentsText, jsonText } from '../wire/json-text.ts'
import { callOf, type OpenCall, withCall, withoutCall } from '../wire/open-calls.ts'
import { progressData } from '../wire/progress.ts'
import type { AgentEvent } from '../wire/types.ts'
import type { ToAgentEventsState } from './state.ts'

/** Takes events of the task, one after the other, and collects what they become. */
export class RunWriter {
  readonly out: AgentEvent[] = []
  readonly diagnostics: Diagnostic[] = []
  state: ToAgentEventsState
  readonly #tellsIds: boolean

  constructor(state: ToAgentEventsState, tellsIds: boolean) {
    this.state = state
    this.#tellsIds = tellsIds
  }

  take(event: AnyEvent & { taskId?: unknown }): void {
    if (!this.#isOurs(event)) {
      this.diagnostics.push(
        dropped(event.kind, 'Left out, as it is of another task.', { taskId: event.taskId }),
      )
    } else if (!this.#isInTime(event)) {
      this.diagnostics.push(dropped(event.kind, 'Left out, as the task has ended.'))
    } else this.#tell(event)
  }

  #isOurs({ taskId }: { taskId?: unknown }): boolean {
    if (typeof taskId !== 'string') return true
    if (this.state.taskId === null) this.state = { ...this.state, taskId }
    return this.state.taskId === taskId
  }

  /** A task that succeeds says so twice, in either order; nothing else follows an end. */
  #isInTime(event: AnyEvent): boolean {
    const { phase } = this.state
    if (phase === 'running') return true
    const isSuccess =
      event.kind === 'task-complete' || (event.kind === 'task-status' && event.status === 'completed')
    return phase !== 'failed' && isSuccess
  }

  #tell(event: AnyEvent): void {
    switch (event.kind) {
      case 'task-status':
        this.#status(event)
        break
      case 'task-complete':
        this.#complete(event)
        break
      case 'content-delta':
        if (this.state.segment === 'closed') this.#reportSegment()
        this.#say(event.delta, 'open')
        this.#reportLossyFields(event, 'delta')
        break
      case 'content-complete':
        this.#closeSegment(event)
        break
      case 'thought-stream':
        this.#think(event)
        break
      case 'tool-start':
        this.#call(event)
        break
      case 'tool-progress':
        this.#progress(event)
        break
      case 'tool-complete':
        this.#result(event)
        break
      default:
        this.diagnostics.push(dropped(event.kind, 'The agent event stream has no word for it.'))
    }
  }

  #status(event: TaskStatusEvent): void {
    const { status, error, message, metadata } = event
    switch (status) {
      case 'completed':
        this.#reportLossyFields(event, 'status')
        if (this.state.phase !== 'running') return
        if (this.state.hasText) this.#finish()
        else this.state = { ...this.state, phase: 'completed' }
        return
      case 'failed':
      case 'canceled': {
        const text = error?.message ?? message ?? metadata?.reason ?? `The task is ${status}.`
        this.out.push({ type: 'error', error: text })
        this.#reportLossyFields(event, 'status', 'error')
        if (status === 'canceled') this.diagnostics.push(lossy('status', 'Told as an error.'))
        if (error === undefined || error.code !== 'internal' || error.retry !== 'terminal') {
          this.diagnostics.push(lossy('error', 'Told as a text.'))
        } else if (Object.keys(error).length > 3) {
          this.diagnostics.push(lossy('error', 'Told as a text, without its other fields.'))
        }
        this.state = { ...this.state, phase: 'failed', open: [], assumed: [] }
        return
      }
      default:
        this.diagnostics.push(dropped(event.kind, `The agent event stream has no word for ${status}.`))
    }
  }

  #complete(event: TaskCompleteEvent): void {
    const { content } = event
    // Text that was told before is not told again.
    if (content !== undefined && content !== '' && !this.state.hasText) this.#say(content, 'closed')
    this.#reportLossyFields(event, 'content')
    if (this.state.phase !== 'succeeded') this.#finish()
  }

  #finish(): void {
    this.out.push({ type: 'final' })
    this.state = { ...this.state, phase: 'succeeded', open: [], assumed: [] }
  }

  #say(content: string, segment: ToAgentEventsState['segment']): void {
    this.out.push({ type: 'stream', content })
    if (!this.state.hasText || this.state.segment !== segment) {
      this.state = { ...this.state, hasText: true, segment }
    }
  }

  #closeSegment(event: ContentCompleteEvent): void {
    const { segment } = this.state
    if (segment === 'closed') this.#reportSegment()
    if (segment === 'open') this.state = { ...this.state, segment: 'closed' }
    else this.#say(event.content, 'closed')
    this.#reportLossyFields(event, 'content')
  }

  #reportSegment(): void {
    this.diagnostics.push(lossy('segment', 'A receiver cannot tell where one segment ends.', ''))
  }

  #think(event: ThoughtStreamEvent): void {
    this.out.push({ type: 'thought', content: event.content })
    const told = ['content']
    if (event.thoughtType === 'reasoning') told.push('thoughtType')
    if (event.verbosity === 'normal') told.push('verbosity')
    this.#reportLossyFields(event, ...told)
  }

  #call(event: ToolStartEvent): void {
    const { toolCallId: id, toolName, metadata } = event
    const { segment, open, assumed } = this.state
    if (segment === 'open') this.#reportSegment()
    const { text, isKept } = argumentsText(event.arguments, metadata?.toolArgs)
    if (text === undefined) this.diagnostics.push(lossy('arguments', 'No JSON; told as none.'))
    const told = { type: 'tool_call', toolName, toolArgs: text ?? '{}' } as const
    this.out.push(this.#tellsIds ? { ...told, toolCallId: id } : told)
    reportLossyFields(this.diagnostics, event, ['toolName', 'arguments'], {
      besides: unsaid,
      inMetadata: isKept ? ['toolArgs'] : [],
    })
    const call = { id, toolName }
    this.state = {
      ...this.state,
      segment: segment === 'closed' ? 'none' : segment,
      open: withCall(open, call, this.diagnostics),
      assumed: withCall(assumed, call, []),
    }
  }

  #progress(event: ToolProgressEvent): void {
    const { toolCallId } = event
    const call = this.state.open.find(({ id }) => id === toolCallId)
    if (call === undefined) {
      const message = 'Left out, as the name of its tool is not known.'
      this.diagnostics.push(dropped(event.kind, message, { toolCallId }))
      return
    }
    const { toolName } = call
    const data = progressData(event)
    const told = { type: 'tool_progress', toolName, data } as const
    this.out.push(this.#tellsIds ? { ...told, toolCallId } : told)
    this.#reportReceiver(call)
    const isOpaque = event.metadata !== undefined && Object.hasOwn(event.metadata, 'data')
    if (!isOpaque) this.#reportLossyFields(event, 'progress', 'message', 'metadata')
    else {
      const told = event.progress === 0 ? ['progress'] : []
      reportLossyFields(this.diagnostics, event, told, { besides: unsaid, inMetadata: ['data'] })
    }
  }

  #result(event: ToolCompleteEvent): void {
    const { toolCallId, toolName, success, result, error } = event
    const call = { id: toolCallId, toolName }
    const told = ['toolName', 'success']
    let output = ''
    if (!success && error !== undefined) {
      output = error
      told.push('error')
    } else if (result !== undefined) {
      output = typeof result === 'string' ? result : (jsonText(result) ?? '')
      // A text that succeeds comes back as it is.
      if (success && typeof result === 'string') told.push('result')
    }
    this.out.push({
      type: 'tool_result',
      toolName,
      output,
      ...(!success && { isError: true }),
      ...(this.#tellsIds && { toolCallId }),
    })
    this.#reportReceiver(call)
    this.#reportLossyFields(event, ...told)
    const { open, assumed } = this.state
    const closed = callOf(assumed, this.#tellsIds ? { toolName, toolCallId } : { toolName })
    this.state = {
      ...this.state,
      open: open.filter(({ id }) => id !== toolCallId),
      assumed: closed === undefined ? assumed : withoutCall(assumed, closed),
    }
  }

  /** Remarks when a receiver without ids takes the event for one of another call. */
  #reportReceiver({ id, toolName }: OpenCall): void {
    if (this.#tellsIds) return
    const call = callOf(this.state.assumed, { toolName })
    if (call === undefined || call.id === id) return
    const message = 'A receiver takes it for an event of another call.'
    this.diagnostics.push({ ...lossy('toolCallId', message), detail: { assumed: call.id } })
  }

  #reportLossyFields(event: AnyEvent, ...told: readonly string[]): void {
    reportLossyFields(this.diagnostics, event, told, { besides: unsaid })
  }
}

/** Ids, times and positions, which the dialect has none of. */
const unsaid: ReadonlySet<string> = new Set([
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
