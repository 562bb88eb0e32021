/** Requests for an input or an authentication: their state, and the rules that both have. */

import { describeValue } from '../../../../core/require.ts'
import type { ContextAnyEvent } from '../../../../events/event.ts'
import { defineRule, ERROR_LENIENT_WARN, OFF, type Rules } from '../../../../rules/rule.ts'
import { audienceOf, respondersOf } from '../../../access/audience.ts'
import type { CheckContext } from '../../context.ts'
import type { RequestRuleName } from '../../rule-names.ts'
import { pushBounded, without } from '../../state/bounded-list.ts'
import type { RequestState } from '../../state/verifier-state.ts'
import { noteWaitReason } from './waiting.ts'

export const requestRules: Rules<RequestRuleName> = {
  'answer-after-end': defineRule(
    'K33',
    'inferred',
    ERROR_LENIENT_WARN,
    'No request is answered after its task has ended.',
  ),
  'user-not-bypassed': defineRule(
    'K48',
    'stated',
    OFF,
    'Every `auth-required` and every input with `requireUser` is delivered to the user, not only to a coordinator.',
    'none',
  ),
  'responder-sees': defineRule(
    'K56',
    'added',
    ERROR_LENIENT_WARN,
    'The `metadata.audience` of an `auth-required`, or of an input with `requireUser`, includes the user: nobody else may answer.',
  ),
}

type RequestType = 'input' | 'auth'

const openLists = { input: 'openInputs', auth: 'openAuths' } as const

/** Whether an event answers a request that was closed by the end of its task. */
export function answersEndedRequest(context: CheckContext, event: ContextAnyEvent): boolean {
  switch (event.kind) {
    case 'input-received':
    case 'input-canceled':
      return context.get('requests', requestKey(context, 'input', event.inputId))?.state === 'ended'
    case 'auth-completed':
    case 'auth-failed':
      return context.get('requests', requestKey(context, 'auth', event.authId))?.state === 'ended'
    default:
      return false
  }
}

/** Reports a request whose audience label hides it from the only one who may answer. */
export function checkResponder(context: CheckContext, event: ContextAnyEvent): void {
  const [responder, ...others] = respondersOf(event)
  if (responder === undefined || others.length > 0 || audienceOf(event).includes(responder)) return
  const actual = (event as { readonly metadata?: { readonly audience?: unknown } }).metadata?.audience
  const message = `Expected an audience with ${responder}, who alone may answer, got ${describeValue(actual)}.`
  context.report('responder-sees', message, { path: '/metadata/audience', expected: responder, actual })
}

/** Stores a request that is open from now on. */
export function openRequest(
  context: CheckContext,
  type: RequestType,
  id: string,
  requireUser: boolean,
  expiresAt: number | null,
  toolCallId: string | null = null,
): void {
  const key = requestKey(context, type, id)
  if (context.get('requests', key) !== undefined) {
    const message = `Duplicate ${type}-required for ${type}Id ${describeValue(id)}.`
    context.report(`${type}-once`, message, { path: `/${type}Id`, actual: id })
    return
  }
  const { task } = context
  context.own(ownerKey(context, type, id))
  context.set('requests', key, { state: 'open', requireUser, expiresAt, toolCallId })
  const list = openLists[type]
  task[list] = pushBounded(task[list], key)
  noteWaitReason(context)
}

/** Closes the open request that an event answers. `undefined` if there is none, which is reported. */
export function answerRequest(
  context: CheckContext,
  type: RequestType,
  id: string,
  timestamp?: string,
): RequestState | undefined {
  const key = requestKey(context, type, id)
  const request = context.get('requests', key)
  const { task } = context
  const shownId = `${type}Id ${describeValue(id)}`
  if (request?.state !== 'open') {
    if (request === undefined && context.isTaskPartial) {
      const unknown = { requireUser: false, expiresAt: null, toolCallId: null }
      context.set('requests', key, { state: 'answered', ...unknown })
      return undefined
    }
    const message =
      request === undefined
        ? context.unknownId(shownId, ownerKey(context, type, id))
        : `${shownId} is no longer open.`
    context.report(`${type}-open`, message, { path: `/${type}Id`, actual: id })
    return undefined
  }
  if (timestamp !== undefined && request.expiresAt !== null && Date.parse(timestamp) > request.expiresAt) {
    const message = `Expected an answer to ${shownId} before the request expired, got one at ${timestamp}.`
    context.report('answer-in-time', message, { path: '/timestamp', actual: timestamp })
  }
  context.set('requests', key, { ...request, state: 'answered' })
  const list = openLists[type]
  task[list] = without(task[list], key)
  return request
}

/** Closes the requests of a task that ends. */
export function endRequests(context: CheckContext): void {
  const { task } = context
  for (const key of [...task.openInputs, ...task.openAuths]) {
    const request = context.get('requests', key)
    if (request !== undefined) context.set('requests', key, { ...request, state: 'ended' })
  }
  task.openInputs = []
  task.openAuths = []
}

function requestKey(context: CheckContext, type: RequestType, id: string): string {
  return `${type} ${context.itemKey(id)}`
}

function ownerKey(context: CheckContext, type: RequestType, id: string): string {
  return `${type} ${context.contextKey(id)}`
}

/** When a request expires, in milliseconds. `null` if never. */
export function expiryOf(timestamp: string, seconds: number | undefined): number | null {
  return seconds === undefined ? null : Date.parse(timestamp) + seconds * 1000
}
