/** The events of a whole task from what happens in it. */

import type { JsonValue } from '../core/json-value.ts'
import { readEach } from '../core/read-items.ts'
import { optional, requireFunction, requireOneOf, requireOnly, requireSignal } from '../core/require.ts'
import { requireSource, type Source } from '../core/source.ts'
import type { ErrorInfo } from '../events/error.ts'
import type { ContextAnyEvent } from '../events/event.ts'
import type { TaskInitiator } from '../events/task.ts'
import { isTaskEnd } from '../events/task-end.ts'
import { createEmitter, type EmitterOptions, emitterOptionNames } from './emitter.ts'
import type { EventDraft } from './event-draft.ts'

/** Options of {@link taskEvents}. */
export interface TaskEventsOptions extends EmitterOptions {
  /** What was asked, as `metadata.input` of `task-created`: any JSON. Omitted: the event states no input. */
  readonly input?: JsonValue
  /**
   * Who started the task.
   *
   * @defaultValue 'user'
   */
  readonly initiator?: TaskInitiator
  /** Aborting it ends the task as `canceled`, and aborts the signal that `drafts` is called with. */
  readonly signal?: AbortSignal
  /**
   * Called with what `drafts` throws; must not throw. Returns the error that clients receive. If it returns anything
   * else, such as nothing, they receive the code `internal` without details, which may be secret.
   */
  readonly onError: (error: unknown) => unknown
}

const unknownError: ErrorInfo = { code: 'internal', message: 'The task failed.', retry: 'retryable' }

/**
 * Yields the events of one task: `task-created`, `working`, an event for each draft, and how the task ended. A task
 * completes when the drafts end, fails if they throw or end after a `task-error` of the task, and is canceled if `signal` is aborted; if the drafts contain its
 * terminal status, nothing is added. Drafts with a `task-complete` alone get the status `completed`, whatever follows it.
 *
 * Leaving the loop early aborts the signal that `drafts` is called with, and nothing more is emitted.
 *
 * @param drafts - Called once, with a signal that is aborted when nobody reads any more. Returns what happens in the
 * task: any source of drafts, such as {@link iterate} over the reader of a model's stream. Events of subtasks, such as an
 * {@link Emitter.child} makes, pass as they are.
 *
 * @throws TypeError if an option is invalid. What `drafts` throws, and an invalid draft, ends the task as `failed`.
 *
 * @example
 * ```ts
 * const answer = (signal: AbortSignal) => iterate(thoughtEvents(), model(prompt, signal))
 * for await (const event of taskEvents(answer, { contextId, taskId, input: prompt, onError: console.error })) {
 *   await stream.append(event)
 * }
 * ```
 */
export function taskEvents(
  drafts: (signal: AbortSignal) => Source<EventDraft | ContextAnyEvent>,
  options: TaskEventsOptions,
): AsyncGenerator<ContextAnyEvent, void, undefined> {
  requireFunction('drafts', drafts)
  requireOnly('options', options, [...emitterOptionNames, 'input', 'initiator', 'signal', 'onError'])
  const { input, initiator = 'user', signal, onError, ...context } = options
  optional(requireSignal, 'signal', signal)
  requireFunction('onError', onError)
  requireOneOf('initiator', initiator, ['user', 'agent'])
  const { emit } = createEmitter(context)
  const reading = new AbortController()
  /** Whether the reader has left. */
  let hasLeft = false
  const events = read()
  const leave = (): void => {
    hasLeft = true
    reading.abort()
  }
  return {
    next: () => events.next(),
    // A generator waits for what it reads before it returns: a model that hangs would never be stopped.
    return(value) {
      leave()
      return events.return(value as undefined)
    },
    throw(error) {
      leave()
      return events.throw(error)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  } as AsyncGenerator<ContextAnyEvent, void, undefined>

  function isOfSubtask(draft: EventDraft | ContextAnyEvent): draft is ContextAnyEvent {
    const { taskId } = (draft ?? {}) as Partial<ContextAnyEvent>
    return taskId !== undefined && taskId !== context.taskId
  }

  async function* read(): AsyncGenerator<ContextAnyEvent, void, undefined> {
    const abort = (): void => reading.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    let hasStatus = false
    let isComplete = false
    /** The error after which nothing was tried again. */
    let failure: ErrorInfo | undefined
    try {
      yield emit({ kind: 'task-created', initiator, ...(input !== undefined && { metadata: { input } }) })
      yield emit({ kind: 'task-status', status: 'working' })
      if (signal?.aborted) abort()
      reading.signal.throwIfAborted()
      const source = drafts(reading.signal)
      requireSource(source)
      for await (const draft of readEach(source, reading.signal)) {
        if (isOfSubtask(draft)) {
          yield draft
          continue
        }
        const event = emit(draft as EventDraft & { kind: 'custom' }) as ContextAnyEvent
        isComplete ||= event.kind === 'task-complete'
        hasStatus ||= event.kind === 'task-status' && isTaskEnd(event)
        failure = failureAfter(event, failure)
        yield event
      }
      if (hasStatus) return
      if (failure !== undefined && !isComplete) {
        yield emit({ kind: 'task-status', status: 'failed', error: failure })
        return
      }
      yield emit({ kind: 'task-status', status: 'completed' })
      if (!isComplete) yield emit({ kind: 'task-complete' })
    } catch (error) {
      if (hasLeft) return
      const wasCanceled = signal?.aborted === true
      const info = wasCanceled ? undefined : errorOf(onError(error))
      if (hasStatus) return
      if (isComplete) {
        yield emit({ kind: 'task-status', status: 'completed' })
        return
      }
      yield info === undefined
        ? emit({ kind: 'task-status', status: 'canceled' })
        : emit({ kind: 'task-status', status: 'failed', error: info })
    } finally {
      signal?.removeEventListener('abort', abort)
      reading.abort()
    }
  }
}

/** The error of the task after one more event: an error that may be retried ends when the model or a tool continues. */
function failureAfter(event: ContextAnyEvent, failure: ErrorInfo | undefined): ErrorInfo | undefined {
  if (event.kind === 'task-error') return (event.error.scope ?? 'task') === 'task' ? event.error : failure
  const isFinal = failure?.retry === 'terminal' || failure?.retry === 'exhausted'
  const isRetry = ['internal:llm-call', 'content-complete', 'tool-start'].includes(event.kind)
  return isRetry && !isFinal ? undefined : failure
}

function errorOf(result: unknown): ErrorInfo {
  const { code, message, retry } = (result ?? {}) as Partial<ErrorInfo>
  return code !== undefined && message !== undefined && retry !== undefined
    ? (result as ErrorInfo)
    : unknownError
}
