/** What the readers of frameworks share: the responses of models, the calls that have no result yet, and the tokens. */

import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type Runner, run } from '../../core/machine.ts'
import { readEach } from '../../core/read-items.ts'
import { optional, requireFunction, requireObject, requireOnly, requireText } from '../../core/require.ts'
import { requireSource, type Source } from '../../core/source.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { TaskName } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import { parsedJson } from '../../json/parsed.ts'
import { cleanJson } from '../../json/sanitize.ts'
import type { ModelEnd } from '../../providers/shared/model-machine.ts'
import { type ModelMachineState, modelTurn } from '../../providers/shared/model-turn.ts'
import type { ModelOptions } from '../../providers/shared/options.ts'

/** Options of the readers of frameworks. */
export interface FrameworkOptions {
  /** The task, as an agent gets it: subagents are subtasks of it. Omitted: what subagents do is left out, and reported. */
  readonly task?: TaskName
  /** Called with what is left out or inferred; must not throw. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

type Reader = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>
type NewReader = (options: ModelOptions) => Reader

/** So many calls are remembered. */
const MAX_CALLS = 4096

/** One run of an agent. Each function returns drafts. */
export class FrameworkRun {
  readonly report: (diagnostic: Diagnostic) => void
  usage: readonly Usage[] = []
  /** The calls that have started and have no result, with the names of their tools. */
  readonly open: Map<string, string> = new Map()
  /** The calls that have a result, or failed. */
  readonly #done = new Set<string>()
  /** The calls that have not started, with their arguments. */
  readonly #waiting = new Map<string, { toolName: string; arguments: Record<string, unknown> }>()
  readonly #create: NewReader
  readonly #starts: boolean
  #reader: Runner<ModelMachineState, unknown, EventDraft, ModelEnd> | undefined
  #iteration = 0

  /** @param starts - Whether a call that the model wrote starts. Otherwise it does with its result. */
  constructor(create: NewReader, { onDiagnostic }: FrameworkOptions, starts = true) {
    this.#create = create
    this.#starts = starts
    this.report = onDiagnostic ?? (() => undefined)
  }

  get isReading(): boolean {
    return this.#reader !== undefined
  }

  /** Begins a response of the model; ends the one before. */
  begin(): EventDraft[] {
    const drafts = this.endResponse()
    const options: ModelOptions = { iteration: this.#iteration++, calls: this.#starts ? 'start' : 'request' }
    this.#reader = run(this.#create(options), { onDiagnostic: this.report })
    return drafts
  }

  /** Reads a chunk of the response, which it begins. */
  push(chunk: unknown): EventDraft[] {
    const drafts = this.#reader === undefined ? this.begin() : []
    return [...drafts, ...this.#noted(this.#reader?.push(chunk) ?? [])]
  }

  /** Ends the response, if one is read. */
  endResponse(end: ModelEnd = {}): EventDraft[] {
    const reader = this.#reader
    if (reader === undefined) return []
    this.#reader = undefined
    const drafts = this.#noted(reader.end(end))
    const turn = modelTurn(reader.state)
    this.usage = addUsage(this.usage, turn.usage)
    for (const { toolCallId, toolName, status, arguments: args = {} } of turn.calls) {
      if (!this.#starts && status === 'complete') this.#waiting.set(toolCallId, { toolName, arguments: args })
    }
    return drafts
  }

  /** The result of a call; it starts before, if it has not. */
  result(toolCallId: string, toolName: string, isError: boolean, value: unknown): EventDraft[] {
    const before = this.endResponse()
    if (toolCallId === '' || this.#done.has(toolCallId)) {
      this.dropped('result')
      return before
    }
    const drafts = [...before, ...this.start(toolCallId, toolName)]
    const name = this.open.get(toolCallId) ?? toolName
    this.#close(toolCallId)
    const result = cleanJson(value) ?? null
    const error = typeof value === 'string' ? value : JSON.stringify(result)
    return [
      ...drafts,
      isError
        ? {
            kind: 'tool-complete',
            toolCallId,
            toolName: name,
            success: false,
            error: error || 'The tool failed.',
          }
        : { kind: 'tool-complete', toolCallId, toolName: name, success: true, result },
    ]
  }

  /** Starts a call, if it has not started. One that no response has is inferred. */
  start(toolCallId: string, toolName: string, args: Record<string, unknown> = {}): EventDraft[] {
    if (this.open.has(toolCallId) || this.#done.has(toolCallId)) return []
    const known = this.#waiting.get(toolCallId)
    this.#waiting.delete(toolCallId)
    const call = known ?? { toolName: toolName || 'tool', arguments: args }
    this.open.set(toolCallId, call.toolName)
    return [{ kind: 'tool-start', toolCallId, ...call }]
  }

  /** A question, which the task waits for. */
  ask(question: Omit<EventDraft<'input-required'>, 'kind' | 'requireUser'>): EventDraft[] {
    const { inputId } = question
    return [
      ...this.endResponse(),
      { kind: 'input-required', requireUser: true, ...question },
      { kind: 'task-status', status: 'waiting-input', metadata: { blockedBy: inputId } },
    ]
  }

  /** Ends what is open: calls without a result fail. */
  close(): EventDraft[] {
    const drafts = this.endResponse()
    for (const [toolCallId, toolName] of this.open) {
      const error = 'The run ended without a result.'
      drafts.push({ kind: 'tool-complete', toolCallId, toolName, success: false, error })
    }
    this.open.clear()
    return drafts
  }

  /** Ends the task. */
  end(error?: ErrorInfo, metadata: Record<string, never> | object = {}): EventDraft[] {
    const drafts = this.close()
    if (error !== undefined) return [...drafts, { kind: 'task-status', status: 'failed', error }]
    const usage = this.usage.length > 0 && { usage: [...this.usage] }
    return [...drafts, { kind: 'task-complete', metadata: { ...usage, ...metadata } }]
  }

  dropped(what: string): void {
    this.report({
      code: `dropped:${what.slice(0, 64)}`,
      message: `Events have no equivalent of ${what.slice(0, 64)}.`,
    })
  }

  #close(toolCallId: string): void {
    this.open.delete(toolCallId)
    this.#done.add(toolCallId)
    if (this.#done.size > MAX_CALLS) for (const oldest of this.#done) return void this.#done.delete(oldest)
  }

  #noted(drafts: readonly EventDraft[]): EventDraft[] {
    for (const draft of drafts) {
      if (draft.kind === 'tool-start') this.open.set(draft.toolCallId, draft.toolName)
      if (draft.kind === 'tool-complete') this.#close(draft.toolCallId)
    }
    return [...drafts]
  }
}

/** Reads a source, whose values are read by `read`; `end` when it ends by itself. */
export async function* readFramework<Out>(
  source: Source<unknown>,
  reader: { read(value: unknown): readonly Out[]; end(): readonly Out[] },
): AsyncGenerator<Out, void, undefined> {
  for await (const value of readEach(source))
    yield* reader.read(typeof value === 'string' ? parsedJson(value) : value)
  yield* reader.end()
}

/** Throws a TypeError for an invalid source or options. */
export function requireFramework(source: unknown, options: FrameworkOptions): void {
  requireSource(source)
  requireOnly('options', options, ['task', 'onDiagnostic'])
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
  if (options.task === undefined) return
  requireObject('task', options.task)
  requireText('task.contextId', options.task.contextId)
  requireText('task.taskId', options.task.taskId)
}
