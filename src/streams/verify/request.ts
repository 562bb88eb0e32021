/** Rules of input and authentication requests. */

import { describeValue } from '../../core/require.ts'
import { isSafeAuthUrl } from '../../events/auth-url.ts'
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import { pushBounded, without } from '../collections/generational-map.ts'
import type { CheckContext, Checks } from './context.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  OFF,
  type Rules,
  WARN_LENIENT_OFF,
} from './rule.ts'
import type { RequestRuleName } from './rule-names.ts'
import type { RequestState } from './state.ts'
import { hasWaitReason } from './task-end.ts'

export const requestRules: Rules<RequestRuleName> = {
  'input-once': defineRule('K27', 'stated', ERROR, 'Each `inputId` of a context has one `input-required`.'),
  'input-open': defineRule(
    'K27',
    'stated',
    ERROR_LENIENT_WARN,
    '`input-received` and `input-canceled` belong to an open `input-required` of the same task.',
  ),
  'user-answers': defineRule('K28', 'stated', ERROR, 'An input with `requireUser` is answered by the user.'),
  'answerer-named': defineRule(
    'K29',
    'stated',
    ERROR_WARN_OFF,
    'An answer by the user has a `userId`, an answer by an agent an `agentId`, and none has both.',
  ),
  'input-details': defineRule(
    'K30',
    'stated',
    ERROR_WARN_OFF,
    'A `selection` has `options`, and a `tool-execution` has a `metadata.toolCall`.',
  ),
  'answer-in-time': defineRule(
    'K31',
    'inferred',
    WARN_LENIENT_OFF,
    'An answer comes within the `timeout` or `expiresIn` of its request.',
  ),
  'auth-once': defineRule('K32', 'stated', ERROR, 'Each `authId` of a context has one `auth-required`.'),
  'auth-open': defineRule(
    'K32',
    'stated',
    ERROR_LENIENT_WARN,
    '`auth-completed` and `auth-failed` belong to an open `auth-required` of the same task.',
  ),
  'auth-url': defineRule('K32', 'inferred', ERROR_WARN_OFF, 'An `oauth2` request has an `authUrl`.'),
  'auth-url-safe': defineRule(
    'K49',
    'added',
    ERROR_LENIENT_WARN,
    'An `authUrl` is https, http of the same computer, or has the scheme of an app, such as `com.example.app:`.',
  ),
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
}

type RequestKind = Extract<EventKind, `${'input' | 'auth'}-${string}`>
type RequestType = 'input' | 'auth'

export const requestChecks: Checks<RequestKind> = {
  'input-required'(context, { inputId, requireUser = false, inputType, options, metadata, timestamp }) {
    if (inputType === 'selection' && (options === undefined || options.length === 0)) {
      context.report('input-details', 'Expected options with inputType selection, got none.', {
        path: '/options',
      })
    }
    if (inputType === 'tool-execution' && metadata?.toolCall === undefined) {
      const message = 'Expected metadata.toolCall with inputType tool-execution, got none.'
      context.report('input-details', message, { path: '/metadata/toolCall' })
    }
    openRequest(context, 'input', inputId, requireUser, expiryOf(timestamp, metadata?.timeout))
  },

  'input-received'(context, { inputId, providedBy, userId, agentId, timestamp }) {
    const request = answerRequest(context, 'input', inputId, timestamp)
    if (request?.requireUser && providedBy !== 'user') {
      const message = `Expected an answer by the user, got one by ${describeValue(providedBy)}.`
      context.report('user-answers', message, { path: '/providedBy', expected: 'user', actual: providedBy })
    }
    const [own, other] = providedBy === 'user' ? [userId, agentId] : [agentId, userId]
    if (own !== undefined && other === undefined) return
    const [ownName, otherName] = providedBy === 'user' ? ['userId', 'agentId'] : ['agentId', 'userId']
    const fault = other === undefined ? `no ${ownName}` : `an unexpected ${otherName}`
    const message = `An answer with providedBy ${describeValue(providedBy)} has ${fault}.`
    context.report('answerer-named', message, { path: `/${ownName}` })
  },

  'input-canceled'(context, { inputId }) {
    answerRequest(context, 'input', inputId)
  },

  'auth-required'(context, { authId, authType, authUrl, metadata, timestamp }) {
    if (authUrl === undefined) {
      if (authType === 'oauth2') {
        context.report('auth-url', 'Expected an authUrl with authType oauth2, got none.', {
          path: '/authUrl',
        })
      }
    } else if (!isSafeAuthUrl(authUrl)) {
      const message = `Expected an authUrl with https or the scheme of an app, got ${describeValue(authUrl)}.`
      context.report('auth-url-safe', message, { path: '/authUrl', actual: authUrl })
    }
    openRequest(context, 'auth', authId, true, expiryOf(timestamp, metadata?.expiresIn))
  },

  'auth-completed'(context, { authId, timestamp }) {
    answerRequest(context, 'auth', authId, timestamp)
  },

  'auth-failed'(context, { authId }) {
    answerRequest(context, 'auth', authId)
  },
}

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

function openRequest(
  context: CheckContext,
  type: RequestType,
  id: string,
  requireUser: boolean,
  expiresAt: number | null,
): void {
  const key = requestKey(context, type, id)
  if (context.get('requests', key) !== undefined) {
    const message = `Duplicate ${type}-required for ${type}Id ${describeValue(id)}.`
    context.report(`${type}-once`, message, { path: `/${type}Id`, actual: id })
    return
  }
  const { taskId, open } = context.task
  context.set('requests', key, { taskId, state: 'open', requireUser, expiresAt })
  const list = type === 'input' ? 'inputs' : 'auths'
  context.changeTask('open', { [list]: pushBounded(open[list], key) })
  if (hasWaitReason(context, context.task.lifecycle.status)) {
    context.changeTask('lifecycle', { hadWaitReason: true })
  }
}

/** Closes the open request that an event answers. `undefined` if there is none, which is reported. */
function answerRequest(
  context: CheckContext,
  type: RequestType,
  id: string,
  timestamp?: string,
): RequestState | undefined {
  const key = requestKey(context, type, id)
  const request = context.get('requests', key)
  const { taskId, open } = context.task
  const shownId = `${type}Id ${describeValue(id)}`
  if (request?.state !== 'open' || request.taskId !== taskId) {
    if (request === undefined && context.isTaskPartial) {
      context.set('requests', key, { taskId, state: 'answered', requireUser: false, expiresAt: null })
      return undefined
    }
    let message = `${shownId} is no longer open.`
    if (request === undefined) message = `Unknown ${shownId}.`
    else if (request.taskId !== taskId) {
      message = `${shownId} belongs to task ${describeValue(request.taskId)}.`
    }
    context.report(`${type}-open`, message, { path: `/${type}Id`, actual: id })
    return undefined
  }
  if (timestamp !== undefined && request.expiresAt !== null && Date.parse(timestamp) > request.expiresAt) {
    const message = `The answer to ${shownId} came after the request had expired.`
    context.report('answer-in-time', message, { path: '/timestamp' })
  }
  context.set('requests', key, { ...request, state: 'answered' })
  const list = type === 'input' ? 'inputs' : 'auths'
  context.changeTask('open', { [list]: without(open[list], key) })
  return request
}

function requestKey(context: CheckContext, type: RequestType, id: string): string {
  return `${type} ${context.contextKey(id)}`
}

function expiryOf(timestamp: string, seconds: number | undefined): number | null {
  return seconds === undefined ? null : Date.parse(timestamp) + seconds * 1000
}
