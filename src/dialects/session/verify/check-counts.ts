/** Rules about counts: planned tasks, results, progress, attempts and times. */
import { describeValue } from '../../../core/require.ts'
import { asFields, taskIdsOf, textOf } from '../wire/coerce.ts'
import { MAX_ITEMS } from '../wire/limits.ts'
import type { CheckContext } from './check-context.ts'

/** Checks `plan.completed`: M07. */
export function checkPlan(context: CheckContext): void {
  const ids = taskIdsOf(context.content)
  if (ids === null) return
  const unique = [...new Set(ids)]
  const count = context.numberIn('task_count') ?? ids.length
  if (count !== ids.length) {
    const message = `Expected task_count ${ids.length}, got ${count}.`
    context.violation('plan-tasks', message, {
      path: '/metadata/task_count',
      actual: count,
      expected: ids.length,
    })
  }
  if (unique.length !== ids.length) {
    const message = `Expected unique task ids, got ${ids.length - unique.length} duplicates.`
    context.violation('plan-tasks', message, { path: '/content/tasks' })
  }
  context.update({ tasks: unique.length > MAX_ITEMS ? null : unique })
}

/** Checks `solver.start`: M08. */
export function checkTaskCounts(context: CheckContext): void {
  const [count, total] = [context.numberIn('task_count'), context.numberIn('total_tasks')]
  if (count === total) return
  const message = `Expected total_tasks to equal task_count ${count}, got ${total}.`
  context.violation('task-counts', message, { path: '/metadata/total_tasks', actual: total, expected: count })
}

/** Checks `solver.completed`: M08. */
export function checkResults(context: CheckContext): void {
  const { task_results: results } = context.content
  if (!Array.isArray(results)) return
  const rule = 'solver-results'
  let partial = 0
  for (const [i, result] of results.entries()) {
    const { task_id, status } = asFields(result)
    const id = textOf(task_id)
    if (context.state.tasks?.includes(id) === false) {
      const message = `Expected the task_id of a planned task, got ${describeValue(id)}.`
      context.violation(rule, message, { path: `/content/task_results/${i}/task_id`, actual: id })
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
  context.violation(rule, message, { path: '/metadata/total_tasks', actual: total, expected: length })
}

/** Checks `solver.progress`: M09. */
export function checkProgress(context: CheckContext): void {
  const key = `progress ${textOf(context.event.step_id)}`
  const percent = context.numberIn('progress_percent') ?? 0
  const before = context.state.open[key] ?? 0
  if (!(percent >= before && percent <= 100)) {
    const message = `Expected progress_percent from ${before} to 100, got ${percent}.`
    context.violation('progress', message, { path: '/metadata/progress_percent', actual: percent })
  }
  const done = context.numberIn('completed_steps') ?? 0
  const total = context.numberIn('total_steps') ?? done
  if (!(done <= total)) {
    const message = `Expected completed_steps of at most ${total}, got ${done}.`
    context.violation('progress', message, { path: '/metadata/completed_steps', actual: done })
  }
  context.open(key, percent)
}

/** Checks any event with an attempt: M13. */
export function checkAttempt(context: CheckContext): void {
  const attempt = context.numberIn('attempt')
  if (attempt === undefined) return
  const { step_id } = context.event
  const key = `attempt ${context.name} ${textOf(step_id)} ${textOf(context.metadata.task_id)}`
  const before = context.state.open[key] ?? -1
  const max = context.numberIn('max_attempts') ?? attempt
  if (!(attempt > before && attempt <= max)) {
    const range = attempt > before ? `of at most ${max}` : `above ${before}`
    const message = `Expected attempt ${range}, got ${attempt}.`
    context.violation('attempts', message, { path: '/metadata/attempt', actual: attempt })
  }
  context.open(key, attempt)
}

/** Checks `aggregate.start`: M18. */
export function checkAggregate(context: CheckContext): void {
  const sum = sumOf(context, ['completed_tasks', 'failed_tasks'])
  const total = context.numberIn('task_count') ?? sum
  if (sum === total) return
  const message = `Expected task_count ${sum} (completed plus failed tasks), got ${total}.`
  context.violation('aggregate-counts', message, {
    path: '/metadata/task_count',
    actual: total,
    expected: sum,
  })
}

/** Checks `pipeline.completed`: M19. */
export function checkTimes(context: CheckContext): void {
  const sum = sumOf(context, ['plan_time_ms', 'solve_time_ms', 'aggregate_time_ms'])
  const total = context.numberIn('total_time_ms') ?? sum
  if (total >= sum) return
  const message = `Expected total_time_ms of at least ${sum}, got ${total}.`
  context.violation('pipeline-times', message, { path: '/metadata/total_time_ms', actual: total })
}

function sumOf(context: CheckContext, fields: readonly string[]): number {
  return fields.reduce((sum, field) => sum + (context.numberIn(field) ?? 0), 0)
}
