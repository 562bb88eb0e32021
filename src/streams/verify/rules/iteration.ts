/** Rules of iterations: the order in which model responses write, and what is reset. */

import { pushBounded } from '../../../rules/bounded-list.ts'
import { expectEqual } from '../../../rules/expect.ts'
import {
  defineRule,
  ERROR_LENIENT_WARN,
  ERROR_WARN_OFF,
  type Rules,
  WARN_LENIENT_OFF,
} from '../../../rules/rule.ts'
import type { CheckContext, Checks } from '../context.ts'
import type { IterationRuleName } from '../rule-names.ts'
import type { LoopStage, TaskState } from '../state/task-state.ts'

export const iterationRules: Rules<IterationRuleName> = {
  'iteration-order': defineRule(
    'K43',
    'inferred',
    ERROR_WARN_OFF,
    '`iteration` never decreases from one text, thought, call, reset or internal event of a task to the next, nor does the stage within an iteration, except from one tool to the next.',
  ),
  'iteration-kept': defineRule(
    'K54',
    'added',
    ERROR_LENIENT_WARN,
    'The events of a text, a thought or a call that state an `iteration` state that of the first one.',
  ),
  'reset-after-start': defineRule(
    'K55',
    'added',
    WARN_LENIENT_OFF,
    'An iteration is reset only before its calls start: what a tool has done cannot be taken back.',
  ),
}

export const iterationChecks: Checks<'iteration-reset'> = {
  'iteration-reset'(context, { iteration }) {
    if (!checkIteration(context, iteration)) return
    const { task } = context
    if (task.startedIteration === iteration) {
      const message = `Expected no reset of iteration ${iteration} after its calls have started.`
      context.report('reset-after-start', message, { path: '/iteration', actual: iteration })
    }
    for (const [store, key] of task.begun) {
      if (store === 'calls' && context.get(store, key)?.hasStarted) continue
      context.delete(store, key)
      if (store === 'calls') context.setOpen(store, key, false)
    }
    task.begun = []
    task.segments = task.segments.filter((segment) => segment.iteration !== iteration)
    task.completedTexts = task.completedTexts.filter((text) => text.iteration !== iteration)
    task.nextThought = task.remaining.nextThought
    task.lastContent = task.remaining.lastContent
    task.stage = 'pre-llm'
  },
}

/**
 * The iteration of a text, thought or call. Reports that of an event which begins or continues it.
 *
 * @param known - The item before the event; `undefined` if the event begins it.
 * @param stated - The iteration that the event states.
 * @param place - Of a thought or call, which a reset forgets.
 */
export function iterationOf(
  context: CheckContext,
  known: { readonly iteration: number | null } | undefined,
  stated: number | undefined,
  place?: TaskState['begun'][number],
): number | null {
  if (known !== undefined) {
    checkSameIteration(context, known.iteration, stated)
    return known.iteration
  }
  if (stated === undefined) return null
  // The beginning of what seems to begin may not have been seen.
  const mayBeEarlier = context.isTaskPartial && stated < context.task.iteration
  if (!mayBeEarlier && checkIteration(context, stated) && place !== undefined) {
    context.task.begun = pushBounded(context.task.begun, place)
  }
  return stated
}

/** Reports the iteration of an event that is not that of the first event of its text, thought or call. */
export function checkSameIteration(
  context: CheckContext,
  expected: number | null,
  actual: number | undefined,
): void {
  if (actual === undefined || expected === null) return
  const details = { name: 'the iteration', of: 'the first event' }
  expectEqual(context, 'iteration-kept', '/iteration', expected, actual, details)
}

/** Reports an iteration that goes back. Returns whether it does not. */
export function checkIteration(context: CheckContext, iteration: number, stage?: LoopStage): boolean {
  const { task } = context
  if (iteration < task.iteration) {
    const message = `Expected iteration ${task.iteration} or later, got ${iteration}.`
    const details = { path: '/iteration', expected: task.iteration, actual: iteration }
    context.report('iteration-order', message, details)
    return false
  }
  const reached = iteration === task.iteration ? task.stage : 'pre-llm'
  if (iteration > task.iteration) {
    task.begun = []
    task.remaining = { nextThought: task.nextThought, lastContent: task.lastContent }
  }
  task.iteration = iteration
  task.stage = stage ?? reached
  return true
}
