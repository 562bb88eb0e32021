/** Rules of the agent loop: iterations and their stages. */

import { defineRule, ERROR_WARN_OFF, type Rules } from '../../../rules/rule.ts'
import type { CheckContext, Checks } from '../context.ts'
import type { LoopRuleName } from '../rule-names.ts'
import type { LoopStage } from '../state/task-state.ts'

export const loopRules: Rules<LoopRuleName> = {
  'iteration-order': defineRule(
    'K43',
    'inferred',
    ERROR_WARN_OFF,
    '`iteration` never decreases within a task, nor does the stage within an iteration, except from one tool to the next.',
  ),
}

const stages: readonly LoopStage[] = ['pre-llm', 'post-llm', 'pre-tool', 'post-tool']

export const loopChecks: Checks<'internal:thought-process' | 'internal:llm-call' | 'internal:checkpoint'> = {
  'internal:thought-process'(context, { iteration, stage }) {
    const { task } = context
    const isEarlier = stages.indexOf(stage) < stages.indexOf(task.stage)
    // Several tools of one iteration: pre-tool may follow post-tool, the only stage after it.
    if (iteration === task.iteration && isEarlier && stage !== 'pre-tool') {
      const message = `Expected stage ${task.stage} or later in iteration ${iteration}, got ${stage}.`
      context.report('iteration-order', message, { path: '/stage', expected: task.stage, actual: stage })
    }
    checkIteration(context, iteration, stage)
  },

  'internal:llm-call'(context, { iteration }) {
    checkIteration(context, iteration)
  },

  'internal:checkpoint'(context, { iteration }) {
    checkIteration(context, iteration)
  },
}

function checkIteration(context: CheckContext, iteration: number, stage?: LoopStage): void {
  const { task } = context
  if (iteration < task.iteration) {
    const message = `Expected iteration ${task.iteration} or later, got ${iteration}.`
    const details = { path: '/iteration', expected: task.iteration, actual: iteration }
    context.report('iteration-order', message, details)
    return
  }
  const reached = iteration === task.iteration ? task.stage : 'pre-llm'
  task.iteration = iteration
  task.stage = stage ?? reached
}
