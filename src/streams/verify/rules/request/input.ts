/** Rules of input requests. */

import { describeValue } from '../../../../core/require.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../../rules/rule.ts'
import type { CheckContext, Checks } from '../../context.ts'
import type { InputRuleName } from '../../rule-names.ts'
import type { RequestState } from '../../state/verifier-state.ts'
import { checkResponder, closeRequest, expiryOf, openRequest } from './request.ts'

export const inputRules: Rules<InputRuleName> = {
  'input-once': defineRule('K27', 'stated', ERROR, 'Each `inputId` of a task has one `input-required`.'),
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
}

export const inputChecks: Checks<'input-required' | 'input-received' | 'input-canceled'> = {
  'input-required'(context, event) {
    const { kind, inputId, requireUser = false, inputType, options, metadata, timestamp } = event
    checkResponder(context, event)
    if (inputType === 'selection' && (options === undefined || options.length === 0)) {
      context.report('input-details', 'Expected options with inputType selection, got none.', {
        path: '/options',
      })
    }
    if (inputType === 'tool-execution' && metadata?.toolCall === undefined) {
      const message = 'Expected metadata.toolCall with inputType tool-execution, got none.'
      context.report('input-details', message, { path: '/metadata/toolCall' })
    }
    const expiresAt = expiryOf(timestamp, metadata?.timeout)
    const request = { requireUser, expiresAt, toolCallId: metadata?.toolCall?.id ?? null }
    openRequest(context, 'inputs', kind, inputId, request)
  },

  'input-received'(context, { kind, inputId, providedBy, userId, agentId, outcome, timestamp, metadata }) {
    const request = closeRequest(context, 'inputs', kind, inputId, timestamp)
    if (outcome !== 'declined') approveCall(context, request, metadata?.callDigest)
    if (request?.requireUser && providedBy !== 'user') {
      const message = `Expected an answer by the user, got one by ${describeValue(providedBy)}.`
      context.report('user-answers', message, { path: '/providedBy', expected: 'user', actual: providedBy })
    }
    const [own, other] = providedBy === 'user' ? [userId, agentId] : [agentId, userId]
    const [ownName, otherName] = providedBy === 'user' ? ['userId', 'agentId'] : ['agentId', 'userId']
    if (own === undefined) {
      const message = `Expected a field ${ownName} with providedBy ${providedBy}, got none.`
      context.report('answerer-named', message, { path: `/${ownName}` })
    } else if (other !== undefined) {
      const message = `Expected no ${otherName} with providedBy ${providedBy}, got ${describeValue(other)}.`
      context.report('answerer-named', message, { path: `/${otherName}`, actual: other })
    }
  },

  'input-canceled'(context, { kind, inputId }) {
    closeRequest(context, 'inputs', kind, inputId)
  },
}

/** Stores which call an answer approves: its `tool-start` may have other arguments than were streamed. */
function approveCall(
  context: CheckContext,
  request: RequestState | undefined,
  approved: string | undefined,
): void {
  if (approved === undefined || request === undefined || request.toolCallId === null) return
  const key = context.itemKey(request.toolCallId)
  const call = context.get('calls', key)
  if (call?.state === 'writing') context.set('calls', key, { ...call, approved })
}
