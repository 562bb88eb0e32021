/** What the readers of frameworks share: the responses of models, the calls that have no result yet, and the tokens. */

import { foreignForm, isRaw } from '../../core/apis.ts'
import type { Diagnostic, Machine } from '../../core/machine.ts'
import { type Runner, run } from '../../core/machine.ts'
import { readEach } from '../../core/read-items.ts'
import { optional, requireFunction, requireObject, requireOnly, requireText } from '../../core/require.ts'
import { requireSource, type Source } from '../../core/source.ts'
import { awake } from '../../emitter/awake.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent, TaskName } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { addUsage } from '../../events/usage-sum.ts'
import { parsedJson } from '../../json/parsed.ts'
import { cleanJson } from '../../json/sanitize.ts'
import type { ModelEnd } from '../../providers/shared/model-machine.ts'
import { type ModelMachineState, modelTurn } from '../../providers/shared/model-turn.ts'
import type { ModelOptions } from '../../providers/shared/options.ts'
import { typeOf } from '../../providers/shared/shape.ts'

/** Options of the readers of frameworks. */
export interface FrameworkOptions {
  /** The task, as an agent gets it: subagents are subtasks of it. Omitted: what subagents do is left out, and reported. */
  readonly task?: TaskName
  /**
   * Called with what is left out or inferred; must not throw. What is no message of the framework, such as a chunk of another API or a page
   * of HTML, is one `unknown-type`; a run without any message is `ended-early`, and both make a failed task of it. A call or a question
   * whose id an earlier one has is left out: `dropped:repeated-call`, `dropped:input-required`. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

type Reader = Machine<ModelMachineState, unknown, EventDraft, ModelEnd>
type NewReader = (options: ModelOptions) => Reader

/** So many calls are remembered. */
const MAX_CALLS = 4096

/** Adds to what is known, and forgets the oldest of too many. */
export function remember(known: Set<string>, id: string): void {
  known.add(id)
  const [oldest = id] = known
  if (known.size > MAX_CALLS) known.delete(oldest)
}

/** One run of an agent. Each function returns drafts. */
export class FrameworkRun {
  readonly report: (diagnostic: Diagnostic) => void
  usage: readonly Usage[] = []
  /** The calls that have started and have no result, with the names of their tools. */
  readonly open: Map<string, string> = new Map()
  /** The calls that have a result, or failed. */
  readonly #done = new Set<string>()
  /** The calls of the response that is read, and those of the ones before: a response repeats no id of another one. */
  readonly #own = new Set<string>()
  readonly #before = new Set<string>()
  /** The questions that were asked. */
  readonly #asked = new Set<string>()
  /** The calls that have not started, with their arguments. */
  readonly #waiting = new Map<string, { toolName: string; arguments: Record<string, unknown> }>()
  readonly #dropped = new Set<string>()
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
    for (const id of this.#own) remember(this.#before, id)
    this.#own.clear()
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
      this.report({
        code: 'dropped:result',
        message: 'Expected the result of a call that has none, got another one.',
      })
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
    remember(this.#before, toolCallId)
    return [{ kind: 'tool-start', toolCallId, ...call }]
  }

  /** A question, which the task waits for. */
  ask(question: Omit<EventDraft<'input-required'>, 'kind' | 'requireUser'>): EventDraft[] {
    const { inputId } = question
    if (this.#asked.has(inputId)) {
      const message = 'Expected a question that was not asked, got one again.'
      this.report({ code: 'dropped:input-required', message, detail: { inputId } })
      return []
    }
    remember(this.#asked, inputId)
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

  /** Ends the task, unless it was asked something: it waits for the answer then. */
  end(error?: ErrorInfo, metadata: Record<string, never> | object = {}): EventDraft[] {
    const drafts = this.close()
    if (this.#asked.size > 0) return [...drafts, { kind: 'task-status', status: 'waiting-input' }]
    if (error !== undefined) return [...drafts, { kind: 'task-status', status: 'failed', error }]
    const usage = this.usage.length > 0 && { usage: [...this.usage] }
    return [...drafts, { kind: 'task-complete', metadata: { ...usage, ...metadata } }]
  }

  /** Ends the task of a run that does not state its end. */
  cutOff(name: string): EventDraft[] {
    this.report({ code: 'ended-early', message: `The stream ended before the run of ${name} did.` })
    return this.end({ code: 'provider_error', message: 'The run was cut off.', retry: 'retryable' })
  }

  /** Reports what has no equivalent, once. */
  dropped(what: string): void {
    if (this.#dropped.has(what) || this.#dropped.size >= MAX_CALLS) return
    this.#dropped.add(what)
    this.report({
      code: `dropped:${what.slice(0, 64)}`,
      message: `Events have no equivalent of ${what.slice(0, 64)}.`,
    })
  }

  #close(toolCallId: string): void {
    this.open.delete(toolCallId)
    remember(this.#done, toolCallId)
  }

  #noted(drafts: readonly EventDraft[]): EventDraft[] {
    return drafts.filter((draft) => {
      const { kind } = draft
      const id = kind === 'task-error' ? draft.error.toolCallId : 'toolCallId' in draft && draft.toolCallId
      if (!id) return true
      if (this.#before.has(id) && !this.#own.has(id)) {
        this.dropped('repeated-call')
        return false
      }
      this.#own.add(id)
      if (kind === 'tool-start') this.open.set(id, draft.toolName)
      if (kind === 'tool-complete') this.#close(id)
      return true
    })
  }
}

/** How the messages of a framework are read. */
interface FrameworkReader<Out> {
  /** The name of the framework. */
  readonly name: string
  /** Whether a value is a message of the framework, known or not. */
  isOwn(value: unknown): boolean
  read(value: unknown): readonly Out[]
  /** Whether the run may be over: a source that fails then ends it, as a program that exits with a code does. Omitted: it is not. */
  mayEnd?(): boolean
  /** Called when the source ends by itself. */
  end(): readonly Out[]
}

/**
 * Reads a source. What is no message of the framework is reported once for each of its forms; a run without any message has
 * failed.
 */
export async function* readFramework<Out extends EventDraft | ContextAnyEvent>(
  source: Source<unknown>,
  { onDiagnostic: report = () => undefined }: FrameworkOptions,
  reader: FrameworkReader<Out>,
): AsyncGenerator<Out | EventDraft<'task-status'>, void, undefined> {
  async function* untilFailure(items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    try {
      yield* items
    } catch (error) {
      if (reader.mayEnd?.() !== true) throw error
      const message = `The source failed after a result of ${reader.name}.`
      report({ code: 'provider-error', message, detail: { message: String(error) } })
    }
  }
  const foreign = new Set<string>()
  let hasOwn = false
  const toEmit = awake()
  for await (const item of untilFailure(readEach(source))) {
    if (typeof item === 'string' && item.trim() === '') continue
    const value = typeof item === 'string' ? (parsedJson(item) ?? item) : item
    if (reader.isOwn(value)) {
      hasOwn = true
      yield* reader.read(value).flatMap(toEmit)
      continue
    }
    const form = foreignForm(value, [])
    const name = form || typeOf(value)
    const isNew = !foreign.has(name) && !(isRaw(form) && [...foreign].some(isRaw))
    // In a stream of another API, what may be of any is of that one.
    if (!isNew || (form === '' && !hasOwn && foreign.size > 0)) continue
    foreign.add(name)
    const message = `Expected a message of ${reader.name}, got ${name}.`
    report({ code: 'unknown-type', message, detail: { type: name } })
  }
  if (hasOwn) return yield* reader.end().flatMap(toEmit)
  const message = `The stream has no message of ${reader.name}.`
  if (foreign.size === 0) report({ code: 'ended-early', message })
  const error: ErrorInfo = { code: 'protocol_violation', message, retry: 'terminal' }
  yield { kind: 'task-status', status: 'failed', error }
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
