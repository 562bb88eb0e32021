/** Rules of a round: the order of its stages, its answer, plan, results and counts. */

import { fnv1a } from '../../../encoding/fnv1a.ts'
import { expectBound, expectEqual, reportUnexpected } from '../../../rules/expect.ts'
import {
  defineRule,
  ERROR,
  ERROR_LENIENT_OFF,
  type Rules,
  WARN,
  WARN_LENIENT_OFF,
} from '../../../rules/rule.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'
import { MAX_ITEMS } from '../../shared/limits.ts'
import { taskIdsOf, textOf } from '../wire/coerce.ts'
import type { CheckContext, Checks } from './context.ts'
import type { RoundRuleName } from './rule-names.ts'
import { noAnswer, type SessionStage } from './state.ts'

export const roundRules: Rules<RoundRuleName> = {
  'stage-order': defineRule(
    'M06',
    'inferred',
    ERROR,
    'A round plans, solves, aggregates and completes, in this order.',
  ),
  'final-answer': defineRule(
    'M06',
    'inferred',
    ERROR_LENIENT_OFF,
    'A round has one final answer, between solver.start and pipeline.completed.',
  ),
  'plan-tasks': defineRule(
    'M07',
    'inferred',
    ERROR,
    'task_count equals the number of tasks, and task ids are unique.',
  ),
  'solver-results': defineRule(
    'M08',
    'inferred',
    ERROR,
    'Results belong to planned tasks, and total_tasks equals their number and the sum of the counts.',
  ),
  'task-counts': defineRule('M08', 'inferred', WARN, 'task_count equals total_tasks.'),
  progress: defineRule(
    'M09',
    'stated',
    ERROR,
    'Progress is from 0 to 100 and does not decrease; completed_steps is at most total_steps.',
  ),
  'chunk-index': defineRule(
    'M11',
    'inferred',
    ERROR,
    'chunk_index of partial answers starts at 0 and increases by 1.',
  ),
  'answer-text': defineRule(
    'M11',
    'inferred',
    WARN_LENIENT_OFF,
    'The final answer equals the concatenated partial answers.',
  ),
  attempts: defineRule('M13', 'inferred', ERROR, 'attempt increases, up to max_attempts.'),
  'aggregate-counts': defineRule(
    'M18',
    'inferred',
    ERROR,
    'task_count equals completed_tasks plus failed_tasks.',
  ),
  'pipeline-times': defineRule(
    'M19',
    'inferred',
    WARN,
    'total_time_ms is at least the sum of the stage times.',
  ),
}

export const roundChecks: Checks = {
  'plan.completed': checkPlan,
  'solver.start': (context) => {
    const count = context.numberIn('task_count')
    expectEqual(context, 'task-counts', '/metadata/total_tasks', count, context.numberIn('total_tasks'))
  },
  'solver.progress': checkProgress,
  'solver.completed': checkResults,
  'agent.partial_answer': (context) => {
    const { answer } = context.round
    const expected = answer.chunks
    const index = context.numberIn('chunk_index') ?? expected
    expectEqual(context, 'chunk-index', '/metadata/chunk_index', expected, index)
    const hash = fnv1a(answer.hash, textOf(context.event.content))
    context.updateRound({ answer: { ...answer, chunks: index + 1, hash } })
  },
  'agent.final_answer': checkFinalAnswer,
  'agent.error': endRun,
  'agent.timeout': endRun,
  'agent.interrupted': endRun,
  'aggregate.start': (context) => {
    const sum = sumOf(context, ['completed_tasks', 'failed_tasks'])
    const total = context.numberIn('task_count') ?? sum
    const details = { of: 'completed plus failed tasks' }
    expectEqual(context, 'aggregate-counts', '/metadata/task_count', sum, total, details)
  },
  'pipeline.completed': (context) => {
    const sum = sumOf(context, ['plan_time_ms', 'solve_time_ms', 'aggregate_time_ms'])
    const total = context.numberIn('total_time_ms') ?? sum
    expectBound(context, 'pipeline-times', '/metadata/total_time_ms', '>=', sum, total)
  },
}

/** The stages in which an event is allowed, and the stage after it. Other events are allowed in all stages. */
const stages: Readonly<Record<string, readonly [from: readonly SessionStage[], to: SessionStage]>> = {
  'plan.start': [['idle', 'done', 'cancelled'], 'planning'],
  'plan.step_completed': [['planning'], 'planning'],
  'plan.validation_error': [['planning'], 'planning'],
  'plan.coercion_error': [['planning'], 'planning'],
  'plan.completed': [['planning'], 'planned'],
  'plan.cancelled': [['planning'], 'done'],
  'solver.start': [['planned'], 'solving'],
  'solver.progress': [['solving', 'cancelled'], 'solving'],
  'solver.retry': [['solving', 'cancelled'], 'solving'],
  'solver.restarted': [['solving', 'cancelled'], 'solving'],
  'solver.step_failed': [['solving', 'cancelled'], 'solving'],
  'solver.cancelled': [['solving', 'cancelled'], 'cancelled'],
  'solver.completed': [['solving', 'cancelled'], 'solved'],
  'aggregate.start': [['solved', 'cancelled'], 'aggregating'],
  'aggregate.completed': [['aggregating'], 'aggregated'],
  'pipeline.completed': [['aggregated'], 'done'],
}

/**
 * Real servers solve several tasks at once, each with its own start and end, solve without a plan, restart a task after
 * the end, plan again, and aggregate though a task failed.
 */
const LENIENT = /^(solver\.|plan\.(start|coercion_error)$|aggregate\.start$)/

/** Checks the order of stages. */
export function checkStage(context: CheckContext): void {
  const { name, metadata } = context
  if (name === 'user.message' && metadata.message_type !== 'feedback') startRound(context)
  const transition = Object.hasOwn(stages, name) ? stages[name] : undefined
  if (transition === undefined) return
  const [expected, to] = transition
  const { stage } = context.round
  const isFailure = name === 'pipeline.completed' && metadata.status === 'failed' && stage !== 'done'
  const isResumed = context.round.isPartial && stage === 'idle'
  const isAllowed =
    expected.includes(stage) || isFailure || isResumed || (context.isLenient && LENIENT.test(name))
  if (!isAllowed) {
    const message = `Expected ${name} in stage ${expected.join(' or ')}, got it in stage ${stage}.`
    context.report('stage-order', message, { path: '/event', actual: stage, expected })
  }
  if (name === 'plan.start') startRound(context)
  context.updateRound({ stage: to })
}

function startRound(context: CheckContext): void {
  const { roundCount } = context.round
  context.updateRound({ stage: 'idle', roundCount: roundCount + 1, tasks: null, answer: noAnswer })
}

/** A run that ended without an answer: the next one may start. */
function endRun(context: CheckContext): void {
  context.updateRound({ stage: 'done' })
}

function checkFinalAnswer(context: CheckContext): void {
  const { answer, stage } = context.round
  const isEarly = ['idle', 'planning', 'planned', 'done'].includes(stage) && context.isComplete
  if (isEarly || answer.final) {
    const message = answer.final
      ? 'Expected one agent.final_answer in a round, got another.'
      : `Expected agent.final_answer after solver.start, got it in stage ${stage}.`
    context.report('final-answer', message, { path: '/event', actual: stage })
  }
  const { answer: text, answer_type: type = 'text' } = context.content
  if (answer.chunks > 0 && type === 'text' && fnv1a(noAnswer.hash, textOf(text)) !== answer.hash) {
    const message = 'Expected the final answer to equal the concatenated partial answers, got another text.'
    context.report('answer-text', message, { path: '/content/answer' })
  }
  context.updateRound({ answer: { ...answer, final: true } })
}

function checkPlan(context: CheckContext): void {
  const ids = taskIdsOf(context.content)
  if (ids === null) return
  const unique = [...new Set(ids)]
  const count = context.numberIn('task_count') ?? ids.length
  expectEqual(context, 'plan-tasks', '/metadata/task_count', ids.length, count)
  if (unique.length !== ids.length) {
    const message = `Expected unique task ids, got ${ids.length - unique.length} duplicates.`
    context.report('plan-tasks', message, { path: '/content/tasks' })
  }
  context.updateRound({ tasks: unique.length > MAX_ITEMS ? null : unique })
}

function checkResults(context: CheckContext): void {
  const { task_results: results } = context.content
  if (!Array.isArray(results)) return
  const rule = 'solver-results'
  const { tasks } = context.round
  const planned = tasks === null ? undefined : new Set(tasks)
  let partial = 0
  for (const [i, result] of results.entries()) {
    const { task_id, status } = fieldsOf(result)
    if (planned?.has(textOf(task_id)) === false) {
      const path = `/content/task_results/${i}/task_id`
      reportUnexpected(context, rule, path, 'the task_id of a planned task', task_id)
    }
    if (status === 'partial') partial++
  }
  const { length } = results
  const total = context.numberIn('total_tasks') ?? length
  const hasCounts = context.numberIn('failed_tasks') !== undefined
  const sum = hasCounts ? partial + sumOf(context, ['successful_tasks', 'failed_tasks']) : total
  if (total === length && sum === total) return
  const counts = hasCounts ? ` and the counts (${sum})` : ''
  const message = `Expected total_tasks to equal the number of results (${length})${counts}, got ${total}.`
  context.report(rule, message, { path: '/metadata/total_tasks', expected: length })
}

function checkProgress(context: CheckContext): void {
  const id = `${context.round.roundCount} ${textOf(context.event.step_id)}`
  const percent = context.numberIn('progress_percent') ?? 0
  const before = context.item('progress', id)?.count ?? 0
  if (!(percent >= before && percent <= 100)) {
    const message = `Expected progress_percent from ${before} to 100, got ${percent}.`
    context.report('progress', message, { path: '/metadata/progress_percent' })
  }
  const done = context.numberIn('completed_steps') ?? 0
  const total = context.numberIn('total_steps') ?? done
  expectBound(context, 'progress', '/metadata/completed_steps', '<=', total, done)
  context.setItem('progress', id, percent)
}

/** Checks any event with an attempt. */
export function checkAttempt(context: CheckContext): void {
  const attempt = context.numberIn('attempt')
  // Notices do not state which run they belong to.
  if (attempt === undefined || context.name === 'system.notice') return
  const { step_id } = context.event
  const id = `${context.round.roundCount} ${context.name} ${textOf(step_id)} ${textOf(context.metadata.task_id)}`
  const before = context.item('attempt', id)?.count ?? -1
  const max = context.numberIn('max_attempts') ?? attempt
  if (!(attempt > before && attempt <= max)) {
    const range = attempt > before ? `of at most ${max}` : `above ${before}`
    const message = `Expected attempt ${range}, got ${attempt}.`
    const expected = attempt > before ? { expected: max } : {}
    context.report('attempts', message, { path: '/metadata/attempt', ...expected })
  }
  context.setItem('attempt', id, attempt)
}

function sumOf(context: CheckContext, fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + (context.numberIn(field) ?? 0), 0)
}
