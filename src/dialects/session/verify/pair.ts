/** Rules of pairs: calls and results, questions and answers, recoveries and their outcome, requests and responses. */

import { describeValue } from '../../../core/require.ts'
import { reportUnexpected } from '../../../rules/expect.ts'
import { defineRule, ERROR, type Rules, WARN } from '../../../rules/rule.ts'
import { at } from '../wire/aliases.ts'
import { textOf } from '../wire/coerce.ts'
import type { CheckContext, Checks } from './context.ts'
import type { PairedRuleName, PairRuleName } from './rule-names.ts'

export const pairRules: Rules<PairRuleName> = {
  'tool-result': defineRule('M10', 'inferred', ERROR, 'A tool call has a unique call_id and one result.'),
  'left-open': defineRule(
    'M10',
    'inferred',
    WARN,
    'Tool calls, questions and recoveries end before the session does.',
  ),
  'confirm-answer': defineRule(
    'M12',
    'stated',
    ERROR,
    'A question has one answer with its step_id, and a select question has options.',
  ),
  recovery: defineRule('M14', 'inferred', ERROR, 'A recovery starts once and then succeeds or fails once.'),
  'state-restored': defineRule(
    'M16',
    'stated',
    ERROR,
    'agent.state_restored follows a reconnect of the client.',
  ),
  'state-exported': defineRule('M16', 'stated', WARN, 'agent.state_exported follows user.request_state.'),
  'state-validity': defineRule('M17', 'inferred', ERROR, 'valid_until is later than exported_at.'),
  'session-end-reason': defineRule('M22', 'inferred', WARN, 'The reason user_request follows a user.cancel.'),
}

/** The types of items that an event ends. */
export const endedItems: ReadonlySet<string> = new Set<PairedRuleName>([
  'tool-result',
  'confirm-answer',
  'recovery',
])

export const pairChecks: Checks = {
  'agent.tool_call': (context) => openPair(context, 'tool-result', '/metadata/call_id'),
  'agent.tool_result': (context) => closePair(context, 'tool-result', '/metadata/call_id'),
  'agent.user_confirm': (context) => {
    const { confirmation_type: type, options } = context.content
    const hasOptions = Array.isArray(options) && options.length > 0
    if (type === 'select' && !hasOptions) {
      const message = 'Expected options with confirmation_type "select", got none.'
      context.report('confirm-answer', message, { path: '/content/options' })
    }
    // The answers are neither in a stream of the server nor in a replay.
    if (context.settings.direction !== 'server' && !context.round.isPartial)
      openPair(context, 'confirm-answer')
  },
  'user.response': (context) => {
    if (context.settings.direction !== 'client' && !context.round.isPartial)
      closePair(context, 'confirm-answer')
  },
  'error.recovery_started': (context) => openPair(context, 'recovery'),
  'error.recovery_success': (context) => closePair(context, 'recovery'),
  'error.recovery_failed': (context) => closePair(context, 'recovery'),
  'user.cancel': (context) => context.setItem('cancel', '', 1),
  'user.reconnect': awaitRestore,
  'user.reconnect_with_state': awaitRestore,
  'user.request_state': (context) => context.setItem('export', '', 1),
  'agent.state_restored': (context) => {
    if (isUnasked(context) && !context.state.isReconnecting) {
      const message = 'Expected a reconnect of the client before agent.state_restored, got none.'
      context.report('state-restored', message, { path: '/event' })
    }
    context.state.isReconnecting = false
  },
  'agent.state_exported': (context) => {
    const { exported_at: from, valid_until: to } = context.metadata
    if (Date.parse(textOf(to)) <= Date.parse(textOf(from))) {
      const expected = `valid_until after exported_at ${describeValue(from)}`
      reportUnexpected(context, 'state-validity', '/metadata/valid_until', expected, to)
    }
    if (isUnasked(context) && context.item('export', '') === undefined) {
      const message = 'Expected user.request_state of the client before agent.state_exported, got none.'
      context.report('state-exported', message, { path: '/event' })
    }
    context.deleteItem('export', '')
  },
  'agent.session_end': (context) => {
    const isRequest = context.metadata.reason === 'user_request'
    if (isRequest && isUnasked(context) && context.item('cancel', '') === undefined) {
      const message = 'Expected user.cancel before agent.session_end with reason "user_request", got none.'
      context.report('session-end-reason', message, { path: '/metadata/reason' })
    }
    context.deleteItem('cancel', '')
    context.updateRound({ phase: 'ended' })
  },
}

function awaitRestore(context: CheckContext): void {
  context.state.isReconnecting = true
}

/** Whether the stream would have a request of the client that is missing. */
function isUnasked({ settings, isComplete }: CheckContext): boolean {
  return isComplete && settings.direction !== 'server'
}

function openPair(context: CheckContext, rule: PairedRuleName, path = '/step_id'): void {
  const id = at(context.event, path)
  if (typeof id !== 'string') return
  const count = context.item(rule, id)?.count ?? 0
  // Real servers run several tasks at once, whose calls have the same ids.
  if (count > 0 && !(context.isLenient && rule === 'tool-result')) {
    const message = `Expected one ${context.name} for ${nameOf(path)} ${describeValue(id)}, got another.`
    context.report(rule, message, { path })
  }
  context.setItem(rule, id, count + 1)
}

function closePair(context: CheckContext, rule: PairedRuleName, path = '/step_id'): void {
  const id = at(context.event, path)
  if (typeof id !== 'string') return
  const count = context.item(rule, id)?.count ?? 0
  if (context.isComplete && count === 0) {
    reportUnexpected(context, rule, path, `${context.name} for an open ${nameOf(path)}`, id)
  }
  if (count > 1 && context.isLenient && rule === 'tool-result') context.setItem(rule, id, count - 1)
  else context.deleteItem(rule, id)
}

/** The field a pointer ends with. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
