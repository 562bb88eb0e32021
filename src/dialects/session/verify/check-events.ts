/** The rules that ask something of single events. */
import { at } from '../wire/aliases.ts'
import { asFields, taskIdsOf, wordOf } from '../wire/coerce.ts'
import { MOST } from '../wire/limits.ts'
import { change } from '../wire/step.ts'
import { type Check, must, numberIn, remember } from './check.ts'
import { closed, digestOf, type SessionVerifierState } from './state.ts'

/** What is checked of an event, by its name. */
export const eventChecks: Readonly<Record<string, (check: Check) => void>> = {
  'plan.completed': planTasks,
  'solver.start': taskCounts,
  'solver.progress': progress,
  'solver.completed': solverResults,
  'agent.tool_call': (check) => begin(check, 'tool-result', '/metadata/call_id'),
  'agent.tool_result': (check) => finish(check, 'tool-result', '/metadata/call_id'),
  'agent.partial_answer': partialAnswer,
  'agent.final_answer': finalAnswer,
  'agent.user_confirm': (check) => {
    const { confirmation_type: type, options } = check.content
    const hasOptions = Array.isArray(options) && options.length > 0
    must(check, 'confirm-answer', type !== 'select' || hasOptions, '/content/options')
    begin(check, 'confirm-answer')
  },
  'user.response': (check) => finish(check, 'confirm-answer'),
  'error.recovery_started': (check) => begin(check, 'recovery'),
  'error.recovery_success': (check) => finish(check, 'recovery'),
  'error.recovery_failed': (check) => finish(check, 'recovery'),
  'user.cancel': (check) => ask(check, 'cancel'),
  'user.reconnect': (check) => ask(check, 'reconnect'),
  'user.reconnect_with_state': (check) => ask(check, 'reconnect'),
  'user.request_state': (check) => ask(check, 'export'),
  'agent.state_restored': (check) => answerTo(check, 'reconnect', 'state-restored'),
  'agent.state_exported': (check) => {
    const { exported_at: from, valid_until: to } = check.metadata
    const isOver = Date.parse(wordOf(to)) <= Date.parse(wordOf(from))
    must(check, 'state-validity', !isOver, '/metadata/valid_until', to)
    answerTo(check, 'export', 'state-exported')
  },
  'agent.session_end': (check) => {
    const isAsked = check.metadata.reason !== 'user_request' || check.state.asked.includes('cancel')
    must(check, 'session-end-reason', isAsked || check.isJoined, '/metadata/reason')
    change(check, { phase: 'ended', asked: [] })
  },
  'aggregate.start': (check) => {
    const sum = sumOf(check, ['completed_tasks', 'failed_tasks'])
    const total = numberIn(check, 'task_count') ?? sum
    must(check, 'aggregate-counts', sum === total, '/metadata/task_count', total, sum)
  },
  'pipeline.completed': (check) => {
    const sum = sumOf(check, ['plan_time_ms', 'solve_time_ms', 'aggregate_time_ms'])
    const total = numberIn(check, 'total_time_ms') ?? sum
    must(check, 'pipeline-times', total >= sum, '/metadata/total_time_ms', total)
  },
}

function sumOf(check: Check, fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + (numberIn(check, field) ?? 0), 0)
}

function planTasks(check: Check): void {
  const ids = taskIdsOf(check.content)
  if (ids === null) return
  const known = [...new Set(ids)]
  const told = numberIn(check, 'task_count') ?? ids.length
  must(check, 'plan-tasks', told === ids.length, '/metadata/task_count', told, ids.length)
  must(check, 'plan-tasks', known.length === ids.length, '/content/tasks')
  change(check, { tasks: known.length > MOST ? null : known })
}

function taskCounts(check: Check): void {
  const [count, total] = [numberIn(check, 'task_count'), numberIn(check, 'total_tasks')]
  must(check, 'task-counts', count === total, '/metadata/total_tasks', total, count)
}

function solverResults(check: Check): void {
  const { task_results: results } = check.content
  if (!Array.isArray(results)) return
  let partial = 0
  for (const [i, result] of results.entries()) {
    const { task_id, status } = asFields(result)
    const id = wordOf(task_id)
    const isPlanned = check.state.tasks?.includes(id) ?? true
    must(check, 'solver-results', isPlanned, `/content/task_results/${i}/task_id`, id)
    if (status === 'partial') partial++
  }
  const total = numberIn(check, 'total_tasks') ?? results.length
  const isTold = numberIn(check, 'failed_tasks') !== undefined
  const sum = isTold ? partial + sumOf(check, ['successful_tasks', 'failed_tasks']) : total
  const holds = total === results.length && sum === total
  must(check, 'solver-results', holds, '/metadata/total_tasks', total, results.length)
}

function progress(check: Check): void {
  const key = `progress ${wordOf(check.event.step_id)}`
  const percent = numberIn(check, 'progress_percent') ?? 0
  const isInRange = percent >= (check.state.open[key] ?? 0) && percent <= 100
  must(check, 'progress', isInRange, '/metadata/progress_percent', percent)
  const done = numberIn(check, 'completed_steps') ?? 0
  const isPossible = done <= (numberIn(check, 'total_steps') ?? done)
  must(check, 'progress', isPossible, '/metadata/completed_steps', done)
  remember(check, key, percent)
}

/** Attempts rise, whatever is tried. */
export function attempts(check: Check): void {
  const attempt = numberIn(check, 'attempt')
  if (attempt === undefined) return
  const { step_id } = check.event
  const key = `attempt ${check.name} ${wordOf(step_id)} ${wordOf(check.metadata.task_id)}`
  const isNext = attempt > (check.state.open[key] ?? -1)
  const isAllowed = attempt <= (numberIn(check, 'max_attempts') ?? attempt)
  must(check, 'attempts', isNext && isAllowed, '/metadata/attempt', attempt)
  remember(check, key, attempt)
}

type Paired = 'tool-result' | 'confirm-answer' | 'recovery'

function begin(check: Check, rule: Paired, path = '/step_id'): void {
  const id = at(check.event, path)
  if (typeof id !== 'string') return
  const key = `${rule} ${id}`
  must(check, rule, !Object.hasOwn(check.state.open, key), path, id)
  remember(check, key, 0)
}

function finish(check: Check, rule: Paired, path = '/step_id'): void {
  const id = at(check.event, path)
  if (typeof id !== 'string') return
  const key = `${rule} ${id}`
  must(check, rule, check.isJoined || Object.hasOwn(check.state.open, key), path, id)
  change(check, { open: closed(check.state.open, key) })
}

function partialAnswer(check: Check): void {
  const { answer } = check.state
  const index = numberIn(check, 'chunk_index') ?? answer.chunks
  must(check, 'chunk-index', index === answer.chunks, '/metadata/chunk_index', index, answer.chunks)
  const digest = digestOf(wordOf(check.event.content), answer.digest)
  change(check, { answer: { ...answer, chunks: index + 1, digest } })
}

function finalAnswer(check: Check): void {
  const { answer, stage } = check.state
  const isEarly = ['idle', 'planning', 'planned', 'done'].includes(stage) && !check.isJoined
  must(check, 'final-answer', !isEarly && !answer.final, '/event', stage)
  const { answer: text, answer_type: type = 'text' } = check.content
  const isSame = answer.chunks === 0 || type !== 'text' || digestOf(wordOf(text)) === answer.digest
  must(check, 'answer-text', isSame, '/content/answer')
  change(check, { answer: { ...answer, final: true } })
}

type Asked = SessionVerifierState['asked'][number]

function ask(check: Check, what: Asked): void {
  const { asked } = check.state
  if (!asked.includes(what)) change(check, { asked: [...asked, what] })
}

function answerTo(check: Check, what: Asked, rule: 'state-restored' | 'state-exported'): void {
  const { asked } = check.state
  must(check, rule, check.isJoined || asked.includes(what), '/event')
  change(check, { asked: asked.filter((other) => other !== what) })
}
