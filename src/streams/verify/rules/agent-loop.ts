/** Checks of the internal events of the agent loop: iterations and their stages. */

import type { Checks } from '../context.ts'
import type { LoopStage } from '../state/task-state.ts'
import { checkIteration } from './iteration.ts'

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
