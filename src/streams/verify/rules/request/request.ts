/** Requests for an input or an authentication: their state, and the rules that both have. */

import { describeValue } from '../../../../core/require.ts'
import type { ContextAnyEvent } from '../../../../events/event.ts'
import { defineRule, ERROR_LENIENT_WARN, OFF, type Rules } from '../../../../rules/rule.ts'
import { audienceOf, respondersOf } from '../../../access/audience.ts'
import type { CheckContext } from '../../context.ts'
import type { RequestRuleName } from '../../rule-names.ts'
import type { RequestState } from '../../state/verifier-state.ts'
import { enterItem, type ItemKind } from '../item.ts'
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

/** The store of requests of a type. */
export type RequestStore = 'inputs' | 'auths'

/** Whether an event answers a request that was closed by the end of its task. */
export function answersEndedRequest(context: CheckContext, event: ContextAnyEvent): boolean {
  switch (event.kind) {
    case 'input-received':
    case 'input-canceled':
      return context.get('inputs', context.itemKey(event.inputId))?.state === 'ended'
    case 'auth-completed':
    case 'auth-failed':
      return context.get('auths', context.itemKey(event.authId))?.state === 'ended'
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

/** Opens the request of an event. */
export function openRequest<S extends RequestStore>(
  context: CheckContext,
  store: S,
  kind: ItemKind<S>,
  id: string,
  request: Omit<RequestState, 'state'>,
): void {
  const entered = enterItem(context, store, kind, id)
  if (entered === undefined) return
  const { key, state } = entered
  context.set<RequestStore>(store, key, { state, ...request })
  context.setOpen(store, key, true)
  noteWaitReason(context)
}

/**
 * Closes the request that an event answers. `undefined` if none is known.
 *
 * @param timestamp - When the answer came. Omitted: it may come at any time.
 */
export function closeRequest<S extends RequestStore>(
  context: CheckContext,
  store: S,
  kind: ItemKind<S>,
  id: string,
  timestamp?: string,
): RequestState | undefined {
  const entered = enterItem(context, store, kind, id)
  if (entered === undefined) return undefined
  const { key, state } = entered
  const known: RequestState | undefined = entered.known
  if (timestamp !== undefined && known?.expiresAt != null && Date.parse(timestamp) > known.expiresAt) {
    const shownId = `${store.slice(0, -1)}Id ${describeValue(id)}`
    const message = `Expected an answer to ${shownId} before the request expired, got one at ${timestamp}.`
    context.report('answer-in-time', message, { path: '/timestamp', actual: timestamp })
  }
  context.set<RequestStore>(store, key, { ...(known ?? unknownRequest), state })
  context.setOpen(store, key, false)
  return known
}

const unknownRequest = { requireUser: false, expiresAt: null, toolCallId: null }

/** Closes the requests of a task that ends. */
export function endRequests(context: CheckContext): void {
  for (const store of ['inputs', 'auths'] as const) {
    for (const key of context.takeOpen(store)) {
      const request = context.get(store, key)
      if (request !== undefined) context.set(store, key, { ...request, state: 'ended' })
    }
  }
}

/** When a request expires, in milliseconds. `null` if never. */
export function expiryOf(timestamp: string, seconds: number | undefined): number | null {
  return seconds === undefined ? null : Date.parse(timestamp) + seconds * 1000
}
