/** Checking inputs and authentication. */
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import { listed, unlisted } from '../collections/generational-map.ts'
import { isWaitingFor } from './check-task-end.ts'
import type { CheckContext, Checks } from './context.ts'
import type { VerifiedRequest } from './state.ts'

type RequestKind = Extract<EventKind, `${'input' | 'auth'}-${string}`>

export const requestChecks: Checks<RequestKind> = {
  'input-required'(scope, { inputId, requireUser = false, inputType, options, metadata, timestamp }) {
    if (inputType === 'selection' && (options === undefined || options.length === 0)) {
      scope.report('input-details', 'There is nothing to select from.', { path: '/options' })
    }
    if (inputType === 'tool-execution' && metadata?.toolCall === undefined) {
      scope.report('input-details', 'The call to execute is missing.', { path: '/metadata/toolCall' })
    }
    ask(scope, 'input', inputId, requireUser, dueAt(timestamp, metadata?.timeout))
  },

  'input-received'(scope, { inputId, providedBy, userId, agentId, timestamp }) {
    const request = answer(scope, 'input', inputId, timestamp)
    if (request?.requireUser && providedBy !== 'user') {
      const more = { path: '/providedBy', expected: 'user', actual: providedBy }
      scope.report('user-answers', 'The request requires the user.', more)
    }
    const isNamed = providedBy === 'user' ? userId !== undefined : agentId !== undefined
    const isOther = providedBy === 'user' ? agentId !== undefined : userId !== undefined
    if (isNamed && !isOther) return
    const name = providedBy === 'user' ? '/userId' : '/agentId'
    const message = isOther ? 'More than the one who answered is named.' : 'Who answered is not named.'
    scope.report('answerer-named', message, { path: name })
  },

  'input-canceled'(scope, { inputId }) {
    answer(scope, 'input', inputId)
  },

  'auth-required'(scope, { authId, authType, authUrl, metadata, timestamp }) {
    if (authType === 'oauth2' && !/^https:\/\//i.test(authUrl ?? '')) {
      scope.report('auth-url', 'No https URL to send the user to.', { path: '/authUrl', actual: authUrl })
    }
    ask(scope, 'auth', authId, true, dueAt(timestamp, metadata?.expiresIn))
  },

  'auth-completed'(scope, { authId, timestamp }) {
    answer(scope, 'auth', authId, timestamp)
  },

  'auth-failed'(scope, { authId }) {
    answer(scope, 'auth', authId)
  },
}

/** Whether an event answers a request that was closed by the end of its task. */
export function answersEnded(scope: CheckContext, event: ContextAnyEvent): boolean {
  switch (event.kind) {
    case 'input-received':
    case 'input-canceled':
      return scope.get('requests', keyOfRequest(scope, 'input', event.inputId))?.state === 'ended'
    case 'auth-completed':
    case 'auth-failed':
      return scope.get('requests', keyOfRequest(scope, 'auth', event.authId))?.state === 'ended'
    default:
      return false
  }
}

function ask(
  scope: CheckContext,
  type: 'input' | 'auth',
  id: string,
  requireUser: boolean,
  due: number | null,
): void {
  const key = keyOfRequest(scope, type, id)
  if (scope.get('requests', key) !== undefined) {
    const more = { path: `/${type}Id`, actual: id }
    scope.report(type === 'input' ? 'input-once' : 'auth-once', 'There is such a request already.', more)
    return
  }
  const { taskId, open } = scope.task
  scope.set('requests', key, { taskId, state: 'open', requireUser, due })
  const list = type === 'input' ? 'inputs' : 'auths'
  scope.changeTask('open', { [list]: listed(open[list], key) })
  if (isWaitingFor(scope, scope.task.life.status)) scope.changeTask('life', { hasCause: true })
}

/** The request an event answers, which is answered from then on. */
function answer(
  scope: CheckContext,
  type: 'input' | 'auth',
  id: string,
  timestamp?: string,
): VerifiedRequest | undefined {
  const key = keyOfRequest(scope, type, id)
  const request = scope.get('requests', key)
  const { taskId, open } = scope.task
  if (request?.state !== 'open' || request.taskId !== taskId) {
    if (request === undefined && scope.mayKnowMore) {
      scope.set('requests', key, { taskId, state: 'answered', requireUser: false, due: null })
      return undefined
    }
    const state =
      request === undefined ? 'unknown' : request.taskId === taskId ? 'answered' : 'of another task'
    const more = { path: `/${type}Id`, actual: id }
    scope.report(type === 'input' ? 'input-open' : 'auth-open', `The request is ${state}.`, more)
    return undefined
  }
  if (timestamp !== undefined && request.due !== null && Date.parse(timestamp) > request.due) {
    scope.report('answer-in-time', 'The request had expired.', { path: '/timestamp' })
  }
  scope.set('requests', key, { ...request, state: 'answered' })
  const list = type === 'input' ? 'inputs' : 'auths'
  scope.changeTask('open', { [list]: unlisted(open[list], key) })
  return request
}

function keyOfRequest(scope: CheckContext, type: 'input' | 'auth', id: string): string {
  return `${type} ${scope.key(id)}`
}

function dueAt(timestamp: string, seconds: number | undefined): number | null {
  return seconds === undefined ? null : Date.parse(timestamp) + seconds * 1000
}
