/** Writing one run of an agent as a task, event by event. */

import type { Diagnostic } from '../../../core/machine.ts'
import { stamp } from '../../../emitter/stamp.ts'
import type { AnyEvent, ContextAnyEvent, EventContext } from '../../../events/event.ts'
import { dropped, reportLossyFields } from '../wire/diagnostics.ts'
import { parseObject } from '../wire/json-text.ts'
import { callOf, withCall, withoutCall } from '../wire/open-calls.ts'
import { progressFields } from '../wire/progress.ts'
import type {
  AgentEvent,
  AgentToolCallEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
} from '../wire/types.ts'
import type { FromAgentEventsOptions } from './options.ts'
import type { FromAgentEventsState } from './state.ts'

type Untimed<E> = E extends AnyEvent ? Omit<E, 'timestamp'> : never

/** Takes events of the run, one after the other, and collects what they become. */
export class TaskWriter {
  readonly out: ContextAnyEvent[] = []
  readonly diagnostics: Diagnostic[] = []
  state: FromAgentEventsState
  readonly #options: FromAgentEventsOptions
  readonly #maxContentLength: number

  constructor(state: FromAgentEventsState, options: FromAgentEventsOptions, maxContentLength: number) {
    this.state = state
    this.#options = options
    this.#maxContentLength = maxContentLength
  }

  take(event: AgentEvent): void {
    if (this.state.phase === 'ended') {
      this.diagnostics.push(dropped(event.type, 'Left out, as the run has ended.'))
      return
    }
    if (this.state.phase === 'new') this.#begin()
    reportLossyFields(this.diagnostics, event, fieldsTold[event.type])
    switch (event.type) {
      case 'thought':
        this.#think(event.content)
        break
      case 'stream':
        this.#say(event.content)
        break
      case 'tool_call':
        this.#call(event)
        break
      case 'tool_progress':
        this.#progress(event)
        break
      case 'tool_result':
        this.#result(event)
        break
      case 'final':
        this.#complete()
        break
      case 'error':
        this.#fail(event.error)
        break
    }
  }

  #begin(): void {
    const { contextId, taskId, newId, now, parentTaskId, initiator } = this.#options
    const assumed = (field: string): void => {
      this.diagnostics.push({
        code: `assumed:${field}`,
        message: `No ${field} is given, nor a way to make one.`,
      })
    }
    if (newId === undefined && contextId === undefined) assumed('contextId')
    if (newId === undefined && taskId === undefined) assumed('taskId')
    if (now === undefined) assumed('timestamp')
    this.state = {
      ...this.state,
      phase: 'running',
      contextId: contextId ?? newId?.() ?? 'context-1',
      taskId: taskId ?? newId?.() ?? 'task-1',
    }
    this.#emit({
      kind: 'task-created',
      initiator: initiator ?? (parentTaskId === undefined ? 'user' : 'agent'),
    })
    this.#emit({ kind: 'task-status', status: 'working' })
  }

  #think(content: string): void {
    const { thoughts, taskId } = this.state
    const thoughtId = this.#options.newId?.() ?? `${taskId}:thought-${thoughts + 1}`
    this.#emit({
      kind: 'thought-stream',
      thoughtId,
      thoughtType: 'reasoning',
      verbosity: 'normal',
      content,
      index: thoughts,
    })
    this.state = { ...this.state, thoughts: thoughts + 1 }
  }

  #say(delta: string): void {
    if (this.state.content.length + delta.length > this.#maxContentLength) this.#closeSegment()
    const { content, deltas } = this.state
    this.#emit({ kind: 'content-delta', delta, index: deltas })
    this.state = { ...this.state, content: content + delta, deltas: deltas + 1 }
  }

  #closeSegment(): void {
    const { content, deltas } = this.state
    if (deltas === 0) return
    this.#emit({ kind: 'content-complete', content })
    this.state = { ...this.state, content: '', deltas: 0 }
  }

  #call({ toolName, toolArgs, toolCallId }: AgentToolCallEvent): void {
    this.#closeSegment()
    const { open, taskId } = this.state
    const calls = this.state.calls + 1
    const isTaken = open.some((call) => call.id === toolCallId)
    if (isTaken) {
      const message = 'Another call of this id has no result yet.'
      this.diagnostics.push({ code: 'duplicate-call-id', message, path: '/toolCallId' })
    }
    const given = isTaken ? undefined : toolCallId
    const id = given ?? this.#options.newId?.() ?? `${taskId}:call-${calls}`
    const args = this.#parsed(toolArgs)
    this.#emit({ kind: 'tool-start', toolCallId: id, toolName, arguments: args, metadata: { toolArgs } })
    this.state = {
      ...this.state,
      calls,
      open: withCall(open, { id, toolName, progress: 0 }, this.diagnostics),
    }
  }

  #parsed(toolArgs: string): Record<string, unknown> {
    const value = parseObject(toolArgs)
    if (value !== undefined) return value
    const message = 'Not the text of a JSON object; kept in metadata.toolArgs.'
    this.diagnostics.push({ code: 'invalid-arguments', message, path: '/toolArgs' })
    return {}
  }

  #progress(event: AgentToolProgressEvent): void {
    const { open } = this.state
    const call = callOf(open, event)
    if (call === undefined) {
      this.#orphan(event)
      return
    }
    const fields = progressFields(event, call.progress, this.#options.readProgress)
    this.#emit({ kind: 'tool-progress', toolCallId: call.id, ...fields })
    if (fields.progress === call.progress) return
    const moved = { ...call, progress: fields.progress }
    this.state = { ...this.state, open: open.map((other) => (other === call ? moved : other)) }
  }

  #result(event: AgentToolResultEvent): void {
    const { open } = this.state
    const call = callOf(open, event)
    if (call === undefined) {
      this.#orphan(event)
      return
    }
    const { toolName, output, isError } = event
    const outcome = isError === true ? { success: false, error: output } : { success: true, result: output }
    this.#emit({ kind: 'tool-complete', toolCallId: call.id, toolName, ...outcome })
    this.state = { ...this.state, open: withoutCall(open, call) }
  }

  #orphan({ type, toolName, toolCallId }: AgentToolProgressEvent | AgentToolResultEvent): void {
    const detail = toolCallId === undefined ? { toolName } : { toolName, toolCallId }
    this.diagnostics.push(dropped(type, 'Left out, as no call it could belong to is open.', detail))
  }

  #complete(): void {
    const { open } = this.state
    if (open.length > 0) {
      const message = 'The run ends while calls have no result.'
      this.diagnostics.push({ code: 'open-tool-calls', message, detail: open.map((call) => call.id) })
    }
    this.#closeSegment()
    this.#emit({ kind: 'task-status', status: 'completed' })
    this.#emit({ kind: 'task-complete' })
    this.state = { ...this.state, phase: 'ended', open: [] }
  }

  #fail(message: string): void {
    this.#closeSegment()
    this.#emit({
      kind: 'task-status',
      status: 'failed',
      error: { code: 'internal', message, retry: 'terminal' },
    })
    this.state = { ...this.state, phase: 'ended', open: [] }
  }

  #emit(draft: Untimed<AnyEvent>): void {
    const { now, parentTaskId, path } = this.#options
    const { contextId, taskId } = this.state
    const time = now === undefined ? 0 : now()
    // The draft is nobody else's: setting a field costs a fraction of a copy.
    const event = draft as AnyEvent
    event.timestamp = typeof time === 'string' ? time : new Date(time).toISOString()
    const context: EventContext = { contextId, taskId }
    if (parentTaskId !== undefined) context.parentTaskId = parentTaskId
    if (path !== undefined) context.path = path
    this.out.push(stamp(event, context))
  }
}

/** The fields of each type that the core vocabulary has a place for. */
const fieldsTold: { readonly [T in AgentEvent['type']]: readonly string[] } = {
  thought: ['type', 'content'],
  tool_call: ['type', 'toolName', 'toolArgs', 'toolCallId'],
  tool_progress: ['type', 'toolName', 'data', 'toolCallId'],
  tool_result: ['type', 'toolName', 'output', 'isError', 'toolCallId'],
  stream: ['type', 'content'],
  final: ['type'],
  error: ['type', 'error'],
}
