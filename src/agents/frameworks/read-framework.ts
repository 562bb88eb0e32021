/** How a source is read that a framework streams. */

import { foreignForm, isRaw } from '../../core/apis.ts'
import type { Diagnostic } from '../../core/machine.ts'
import { readEach } from '../../core/read-items.ts'
import { optional, requireFunction, requireObject, requireOnly, requireText } from '../../core/require.ts'
import { requireSource, type Source } from '../../core/source.ts'
import { awake } from '../../emitter/awake.ts'
import type { EventDraft } from '../../emitter/event-draft.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { parsedJson } from '../../json/parsed.ts'
import { typeOf } from '../../providers/shared/shape.ts'
import type { FrameworkTask } from './run-memory.ts'

/** Options of the readers of frameworks. */
export interface FrameworkOptions {
  /**
   * The task: pass what the agent is called with. Subagents are subtasks of it, and a run after an answer continues the one that has
   * asked. Omitted: each run is read for itself, and what subagents do is left out, and reported.
   */
  readonly task?: FrameworkTask
  /**
   * Called with what is left out or inferred; must not throw. What is no message of the framework, such as a chunk of another API or a page
   * of HTML, is one `unknown-type`; a run without any message is `ended-early`, and both make a failed task of it. A question
   * that the run has asked is left out: `dropped:input-required`; a result of a call that has one: `dropped:result`. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** A question that a run waits for. */
export type Question = EventDraft<'input-required'>

/** What a reader yields, and in the end the questions that the run waits for. */
export type FrameworkDrafts<Out = EventDraft> = AsyncGenerator<Out, readonly Question[], undefined>

/** How the messages of a framework are read. */
interface FrameworkReader<Out> {
  /** The name of the framework. */
  readonly name: string
  /** What it yields, for the report of something else. Omitted: its messages. */
  readonly expected?: string
  /** The run, whose questions are returned. */
  readonly run: { readonly questions: readonly Question[] }
  /** Whether a value is a message of the framework, known or not. */
  isOwn(value: unknown): boolean
  read(value: unknown): readonly Out[]
  /** Whether the run may be over: a source that fails then ends it, as a program that exits with a code does. Omitted: it is not. */
  mayEnd?(): boolean
  /** Called when the source ends by itself. */
  end(): readonly Out[]
  /** Called when the source fails: what has come is read to its end, and what is open is closed as failed, but for the task. */
  breakOff(): readonly Out[]
}

/**
 * Reads a source. What is no message of the framework is reported once for each of its forms; a run without any message has
 * failed.
 */
export async function* readFramework<Out extends EventDraft | ContextAnyEvent>(
  source: Source<unknown>,
  { onDiagnostic: report = () => undefined }: FrameworkOptions,
  reader: FrameworkReader<Out>,
): FrameworkDrafts<Out | EventDraft<'task-status'>> {
  const foreign = new Set<string>()
  let hasOwn = false
  const toEmit = awake()
  let failure: { readonly error: unknown } | undefined
  async function* untilFailure(items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
    try {
      yield* items
    } catch (error) {
      failure = { error }
    }
  }
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
    const message = `Expected ${reader.expected ?? 'a message'} of ${reader.name}, got ${name}.`
    report({ code: 'unknown-type', message, detail: { type: name } })
  }
  if (failure !== undefined && reader.mayEnd?.() !== true) {
    yield* reader.breakOff().flatMap(toEmit)
    throw failure.error
  }
  if (failure !== undefined) {
    const message = `The source failed after a result of ${reader.name}.`
    report({ code: 'provider-error', message, detail: { message: String(failure.error) } })
  }
  if (hasOwn) {
    yield* reader.end().flatMap(toEmit)
    return reader.run.questions
  }
  const message = `The stream has no message of ${reader.name}.`
  if (foreign.size === 0) report({ code: 'ended-early', message })
  const error: ErrorInfo = { code: 'protocol_violation', message, retry: 'terminal' }
  yield { kind: 'task-status', status: 'failed', error }
  return []
}

/** Throws a TypeError for an invalid source or options. */
export function requireFramework(source: unknown, options: FrameworkOptions): void {
  requireSource(source)
  requireFrameworkOptions(options)
}

export function requireFrameworkOptions(options: FrameworkOptions): void {
  requireOnly('options', options, ['task', 'onDiagnostic'])
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
  if (options.task === undefined) return
  requireObject('task', options.task)
  requireText('task.contextId', options.task.contextId)
  requireText('task.taskId', options.task.taskId)
}
