/** Whether a stream is legal. */

import type { Issue, UnknownEvent } from '../../core/decoded.ts'
import type { Machine, Step } from '../../core/machine.ts'
import { toPointer } from '../../encoding/pointer.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import { isInternal } from '../../events/guards.ts'
import { contextEventSchemas } from '../../events/schemas.ts'
import { keyOf } from '../collections/context-key.ts'
import { recall, recollections } from '../collections/generational-map.ts'
import { lastTimestamp } from '../delta.ts'
import { isEnded } from '../view/view.ts'
import { otherChecks } from './check-agent-loop.ts'
import { artifactChecks } from './check-artifact.ts'
import { answersEnded, requestChecks } from './check-request.ts'
import { taskChecks } from './check-task.ts'
import { endStream } from './check-task-end.ts'
import { arrive } from './check-task-start.ts'
import { textChecks } from './check-text.ts'
import { toolChecks } from './check-tool.ts'
import { CheckContext, type VerifierOptions } from './context.ts'
import type { EventRuleName, Violation } from './rules.ts'
import { initialState, type VerifierState } from './state.ts'

/**
 * Checks a stream of one or many tasks against {@link eventRules}. Never throws on data and never stops:
 * what a violation means is up to the host. Each mistake is reported once, where it is made, and what
 * follows from it is not.
 *
 * Its state is plain JSON and bounded, so that it can be stored and resumed anywhere; see
 * {@link VerifierState}. Diagnostic `forgotten`: there were more tasks or ids than are remembered, and ids
 * that are not known are no longer taken for wrong.
 *
 * @throws TypeError when `joinedAt` is no position.
 *
 * @example
 * ```ts
 * const { push, end } = run(verifier({ mode: 'strict' }))
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function verifier(
  options: VerifierOptions = {},
): Machine<VerifierState, ContextAnyEvent | UnknownEvent, Violation> {
  const { startIndex: joinedAt = 0, external = false } = options
  if (!Number.isSafeInteger(joinedAt) || joinedAt < 0) {
    throw new TypeError('joinedAt is the position of the first event: a whole number from 0.')
  }
  return {
    initial: { index: joinedAt, ...initialState },
    step(state, input) {
      const decoded = decodeEvent(input)
      if (decoded.status === 'invalid') {
        const scope = new CheckContext(state, options, placeOf(input))
        reportIssues(scope, decoded.issues)
        return stepOf(scope)
      }
      const event = decoded.event as ContextAnyEvent
      const scope = new CheckContext(state, options, event)
      if (external && isInternal(event as { kind: string })) {
        scope.report('internal-hidden', 'An internal event.', { path: '/kind', actual: event.kind })
      }
      if (decoded.status === 'unknown') {
        const more = { path: '/kind', actual: event.kind }
        scope.reportOnce('unknown-kind', `kind ${event.kind}`, `Unknown kind ${event.kind}.`, more)
      } else verifyEvent(scope, decoded.event)
      return stepOf(scope)
    },
    end(state) {
      const scope = new CheckContext(state, options)
      reportRelations(scope)
      const found = [...recollections(state.tasks)].flatMap((task) => {
        const ending = new CheckContext(state, options, task, task)
        endStream(ending)
        return ending.found
      })
      return { state, out: [...found, ...scope.found] }
    },
  }
}

function stepOf({ state, found, diagnostics }: CheckContext): Step<VerifierState, Violation> {
  const step = { state: nextState(state), out: found }
  return diagnostics.length === 0 ? step : { ...step, diagnostics }
}

/** The state at the next event. Field by field: engines copy objects many times faster so. */
function nextState(state: VerifierState): VerifierState {
  return {
    index: state.index + 1,
    hasForgotten: state.hasForgotten,
    tasks: state.tasks,
    calls: state.calls,
    requests: state.requests,
    thoughts: state.thoughts,
    artifacts: state.artifacts,
    reported: state.reported,
    related: state.related,
  }
}

type Check = (scope: CheckContext, event: ContextAnyEvent) => void

const checks = {
  ...taskChecks,
  ...textChecks,
  ...toolChecks,
  ...requestChecks,
  ...artifactChecks,
  ...otherChecks,
} as unknown as Readonly<Partial<Record<EventKind, Check>>>

function verifyEvent(scope: CheckContext, event: ContextAnyEvent): void {
  const key = keyOf(event.contextId, event.taskId)
  const known = scope.get('tasks', key)
  arrive(scope, event, known)
  keepTime(scope, event)
  if (scope.asksFor('unknown-field')) reportFields(scope, event)
  if (mayFollow(scope, event)) checks[event.kind]?.(scope, event)
  scope.set('tasks', key, scope.task)
}

/** Whether time goes on within the task. */
function keepTime(scope: CheckContext, event: ContextAnyEvent): void {
  const time = Date.parse(event.timestamp)
  const { life } = scope.task
  if (time < life.time) scope.report('time-order', 'Earlier than the event before.', { path: '/timestamp' })
  const end = lastTimestamp(event)
  const last = end === event.timestamp ? time : Math.max(time, Date.parse(end))
  if (last <= life.time) return
  const { status, isJoined, hasCause, hasResult, isSaid } = life
  scope.setParts({ status, isJoined, time: last, hasCause, hasResult, isSaid }, scope.task.text)
}

/** Whether an event may come in the state its task is in; when not, that is reported. */
function mayFollow(scope: CheckContext, event: ContextAnyEvent): boolean {
  const { life } = scope.task
  const { status, hasResult, isSaid } = life
  if (!isEnded(status)) return true
  if (event.kind === 'task-created') return false
  if (event.kind === 'task-complete') {
    if (status !== 'completed') {
      scope.report('no-result-after-failure', `The task is ${status}.`, { path: '/kind' })
    } else if (hasResult) scope.report('single-result', 'There is a result already.')
    else return true
    return false
  }
  if (event.kind === 'task-status' && event.status === 'completed' && hasResult && !isSaid) {
    scope.changeTask('life', { isSaid: true })
    return false
  }
  if (answersEnded(scope, event)) {
    scope.report('answer-after-end', 'The request ended with its task.', {
      path: '/kind',
      actual: event.kind,
    })
  } else {
    const more = { path: '/kind', actual: event.kind }
    scope.report('nothing-after-end', `${event.kind} after the end of the task.`, more)
  }
  return false
}

/** What an event that is none still says of where it belongs; nothing when it throws when it is read. */
function placeOf(input: unknown): { contextId: string; taskId: string } | undefined {
  try {
    const { contextId, taskId } = (input ?? {}) as Record<string, unknown>
    return typeof contextId === 'string' && typeof taskId === 'string' ? { contextId, taskId } : undefined
  } catch {
    return undefined
  }
}

const rulesByPath: Readonly<Record<string, EventRuleName>> = {
  '/timestamp': 'timestamp-format',
  '/timestampEnd': 'timestamp-format',
  '/progress': 'progress-range',
  '/metadata/confidence': 'confidence-range',
}

function reportIssues(scope: CheckContext, issues: readonly Issue[]): void {
  for (const { path, code, message } of issues) {
    const isRange = code === 'out-of-range' || code === 'invalid-format'
    scope.report((isRange ? rulesByPath[path] : undefined) ?? 'well-formed', message, { path })
  }
}

/** Reports, once each, the fields this version does not know. */
function reportFields(scope: CheckContext, event: ContextAnyEvent): void {
  const known = fieldsOf(event.kind)
  for (const name of Object.keys(event)) {
    if (known.has(name)) continue
    const more = { path: toPointer([name]) }
    scope.reportOnce('unknown-field', `field ${event.kind} ${name}`, `Unknown field ${name}.`, more)
  }
}

const fields = new Map<string, ReadonlySet<string>>()

function fieldsOf(kind: EventKind): ReadonlySet<string> {
  let known = fields.get(kind)
  if (known === undefined) {
    const { shape } = (contextEventSchemas[kind] as unknown as { _zod: { def: { shape: object } } })._zod.def
    known = new Set(Object.keys(shape))
    fields.set(kind, known)
  }
  return known
}

/** Reports what thoughts relate to and what never came. */
function reportRelations(scope: CheckContext): void {
  const { state } = scope
  if (scope.isPartial) return
  for (const { key, relatedTo, ...place } of state.related) {
    if (recall(state.thoughts, key) !== undefined || recall(state.calls, key) !== undefined) continue
    const more = { ...place, path: '/metadata/relatedTo', actual: relatedTo }
    scope.report('related-known', 'There is no such thought or tool call.', more)
  }
}
