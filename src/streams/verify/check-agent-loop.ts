/** Checking errors, and what the agent loop tells of itself. */
import type { CheckContext, Checks } from './context.ts'

type OtherKind = 'task-error' | 'internal:thought-process' | 'internal:llm-call' | 'internal:checkpoint'

const stages = ['pre-llm', 'post-llm', 'pre-tool', 'post-tool']

export const otherChecks: Checks<OtherKind> = {
  'task-error'(scope, { error }) {
    const { code, retry, attempt, scope: of = 'task', toolCallId } = error
    if (of === 'stream') {
      scope.report('stream-error-outside', 'An error of the stream.', { path: '/error/scope', actual: of })
    }
    if (of === 'tool' && toolCallId !== undefined) {
      const call = scope.get('calls', scope.key(toolCallId))
      if (call?.state === 'ended') {
        scope.report('tool-error-before-end', 'The call has ended.', {
          path: '/error/toolCallId',
          actual: toolCallId,
        })
      }
    }
    if (of === 'task' && (retry === 'exhausted' || retry === 'terminal')) {
      scope.changeTask('errors', { isFatal: true })
    }
    if (retry === 'retrying' && attempt !== undefined)
      countAttempt(scope, `${of} ${toolCallId} ${code}`, attempt)
  },

  'internal:thought-process'(scope, { iteration, stage }) {
    const at = stages.indexOf(stage)
    const before = scope.task.loop
    // One tool after another: pre-tool may follow post-tool, the only stage there is after it.
    const isNextTool = stage === 'pre-tool'
    if (iteration === before.iteration && at < before.stage && !isNextTool) {
      const more = { path: '/stage', expected: stages[before.stage], actual: stage }
      scope.report('iteration-order', 'An earlier stage of the same iteration.', more)
    }
    iterate(scope, iteration, at)
  },

  'internal:llm-call'(scope, { iteration }) {
    iterate(scope, iteration)
  },

  'internal:checkpoint'(scope, { iteration }) {
    iterate(scope, iteration)
  },
}

function countAttempt(scope: CheckContext, code: string, attempt: number): void {
  const { attempts } = scope.task.errors
  const before = attempts.find(([other]) => other === code)?.[1] ?? 0
  if (attempt <= before && attempt !== 1) {
    const more = { path: '/error/attempt', expected: before + 1, actual: attempt }
    scope.report('attempt-order', 'Not a later attempt.', more)
  }
  const others = attempts.filter(([other]) => other !== code).slice(-7)
  scope.changeTask('errors', { attempts: [...others, [code, attempt]] })
}

function iterate(scope: CheckContext, iteration: number, stage?: number): void {
  const { loop } = scope.task
  if (iteration < loop.iteration) {
    const more = { path: '/iteration', expected: loop.iteration, actual: iteration }
    scope.report('iteration-order', 'An earlier iteration.', more)
    return
  }
  const before = iteration === loop.iteration ? loop.stage : 0
  scope.changeTask('loop', { iteration, stage: stage ?? before })
}
