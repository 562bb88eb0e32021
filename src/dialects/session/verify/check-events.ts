/** The checks of single events, by name. */
import { describeValue } from '../../../core/require.ts'
import { at } from '../wire/aliases.ts'
import { textOf } from '../wire/coerce.ts'
import type { CheckContext } from './check-context.ts'
import {
  checkAggregate,
  checkPlan,
  checkProgress,
  checkResults,
  checkTaskCounts,
  checkTimes,
} from './check-counts.ts'
import { hashText, type SessionRequest } from './state.ts'

/** The check of an event, by its name. */
export const eventChecks: Readonly<Record<string, (context: CheckContext) => void>> = {
  'plan.completed': checkPlan,
  'solver.start': checkTaskCounts,
  'solver.progress': checkProgress,
  'solver.completed': checkResults,
  'agent.tool_call': (context) => openPair(context, 'tool-result', '/metadata/call_id'),
  'agent.tool_result': (context) => closePair(context, 'tool-result', '/metadata/call_id'),
  'agent.partial_answer': checkPartialAnswer,
  'agent.final_answer': checkFinalAnswer,
  'agent.user_confirm': (context) => {
    const { confirmation_type: type, options } = context.content
    const hasOptions = Array.isArray(options) && options.length > 0
    if (type === 'select' && !hasOptions) {
      const message = 'Expected options with confirmation_type "select", got none.'
      context.violation('confirm-answer', message, { path: '/content/options' })
    }
    openPair(context, 'confirm-answer')
  },
  'user.response': (context) => closePair(context, 'confirm-answer'),
  'error.recovery_started': (context) => openPair(context, 'recovery'),
  'error.recovery_success': (context) => closePair(context, 'recovery'),
  'error.recovery_failed': (context) => closePair(context, 'recovery'),
  'user.cancel': (context) => addRequest(context, 'cancel'),
  'user.reconnect': (context) => addRequest(context, 'reconnect'),
  'user.reconnect_with_state': (context) => addRequest(context, 'reconnect'),
  'user.request_state': (context) => addRequest(context, 'export'),
  'agent.state_restored': (context) => checkResponse(context, 'reconnect', 'state-restored'),
  'agent.state_exported': (context) => {
    const { exported_at: from, valid_until: to } = context.metadata
    if (Date.parse(textOf(to)) <= Date.parse(textOf(from))) {
      const message = `Expected valid_until after exported_at ${describeValue(from)}, got ${describeValue(to)}.`
      context.violation('state-validity', message, { path: '/metadata/valid_until', actual: to })
    }
    checkResponse(context, 'export', 'state-exported')
  },
  'agent.session_end': (context) => {
    const isRequest = context.metadata.reason === 'user_request'
    if (isRequest && !context.state.requests.includes('cancel') && !context.isLateJoin) {
      const message = 'Expected user.cancel before agent.session_end with reason "user_request".'
      context.violation('session-end-reason', message, { path: '/metadata/reason' })
    }
    context.update({ phase: 'ended', requests: [] })
  },
  'aggregate.start': checkAggregate,
  'pipeline.completed': checkTimes,
}

/** The rules about pairs of events with one id. */
type PairRule = 'tool-result' | 'confirm-answer' | 'recovery'

function openPair(context: CheckContext, rule: PairRule, path = '/step_id'): void {
  const id = at(context.event, path)
  if (typeof id !== 'string') return
  const key = `${rule} ${id}`
  if (context.isOpen(key)) {
    const message = `Duplicate ${context.name} for ${nameOf(path)} ${describeValue(id)}.`
    context.violation(rule, message, { path, actual: id })
  }
  context.open(key, 0)
}

function closePair(context: CheckContext, rule: PairRule, path = '/step_id'): void {
  const id = at(context.event, path)
  if (typeof id !== 'string') return
  const key = `${rule} ${id}`
  if (!context.isLateJoin && !context.isOpen(key)) {
    const message = `${context.name} for ${nameOf(path)} ${describeValue(id)}, which is not open.`
    context.violation(rule, message, { path, actual: id })
  }
  context.close(key)
}

/** The field a pointer ends with. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function checkPartialAnswer(context: CheckContext): void {
  const { answer } = context.state
  const expected = answer.chunks
  const index = context.numberIn('chunk_index') ?? expected
  if (index !== expected) {
    const message = `Expected chunk_index ${expected}, got ${index}.`
    context.violation('chunk-index', message, { path: '/metadata/chunk_index', actual: index, expected })
  }
  const hash = hashText(textOf(context.event.content), answer.hash)
  context.update({ answer: { ...answer, chunks: index + 1, hash } })
}

function checkFinalAnswer(context: CheckContext): void {
  const { answer, stage } = context.state
  const isEarly = ['idle', 'planning', 'planned', 'done'].includes(stage) && !context.isLateJoin
  if (isEarly || answer.final) {
    const message = answer.final
      ? 'Duplicate agent.final_answer in one round.'
      : `Expected agent.final_answer after solver.start, got it in stage ${stage}.`
    context.violation('final-answer', message, { path: '/event', actual: stage })
  }
  const { answer: text, answer_type: type = 'text' } = context.content
  if (answer.chunks > 0 && type === 'text' && hashText(textOf(text)) !== answer.hash) {
    const message = 'Expected the final answer to equal the concatenated partial answers, got another text.'
    context.violation('answer-text', message, { path: '/content/answer' })
  }
  context.update({ answer: { ...answer, final: true } })
}

function addRequest(context: CheckContext, request: SessionRequest): void {
  const { requests } = context.state
  if (!requests.includes(request)) context.update({ requests: [...requests, request] })
}

const requestNames = { reconnect: 'a reconnect', export: 'user.request_state' }

function checkResponse(
  context: CheckContext,
  request: 'reconnect' | 'export',
  rule: 'state-restored' | 'state-exported',
): void {
  const { requests } = context.state
  if (!context.isLateJoin && !requests.includes(request)) {
    const message = `Expected ${requestNames[request]} of the client before ${context.name}.`
    context.violation(rule, message, { path: '/event' })
  }
  context.update({ requests: requests.filter((other) => other !== request) })
}
