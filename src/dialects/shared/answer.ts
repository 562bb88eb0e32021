/** What formats share that show a task as one answer, which states its reason and its usage once, at the end. */

import type { Mutable } from '../../core/mutable.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import type { Usage } from '../../events/usage.ts'
import { sumUsage } from '../../events/usage-sum.ts'
import type { LossTable } from './coverage.ts'

/** What is lost of the kinds that are written alike. */
export const answerLosses: Pick<
  LossTable,
  | 'task-created'
  | 'task-complete'
  | 'content-delta'
  | 'content-complete'
  | 'content-replace'
  | 'thought-delta'
  | 'thought-stream'
  | 'tool-arguments-delta'
> = {
  'task-created': ['*', 'initiator', 'metadata'],
  // Of another text than the one that was streamed, and of several reasons, one.
  'task-complete': [
    ...['?content', 'artifacts', '?metadata.finishReason', 'metadata.duration', 'metadata.iterations'],
    ...['metadata.tokensUsed', 'metadata.usage', 'metadata.*'],
  ],
  'content-delta': ['*', 'contentId', 'iteration', 'metadata'],
  'content-complete': [
    ...['*', '?content', 'contentId', 'iteration', '?finishReason'],
    ...['metadata.sources', 'metadata.usage', 'metadata.*'],
  ],
  'content-replace': ['?content', 'contentId', 'iteration', 'metadata'],
  'thought-delta': ['*', 'thoughtType', 'verbosity', 'iteration', 'metadata'],
  'thought-stream': ['*', '?content', 'thoughtType', 'verbosity', 'iteration', 'metadata'],
  'tool-arguments-delta': ['*', 'iteration', 'metadata'],
}

/** Ids, times and positions, of which an answer has its own. */
export const answerCommon: readonly string[] = [
  ...['contextId', 'taskId', 'parentTaskId', 'path', 'timestamp', 'timestampEnd'],
  ...['thoughtId', 'index', 'indexEnd'],
]

/** How an answer ends. */
export interface AnswerEnd {
  readonly finishReason: string | null
  /** The sum of all model calls; `null` if it is unknown. */
  readonly usage: Usage | null
}

export const noEnd: AnswerEnd = { finishReason: null, usage: null }

/**
 * Notes what an event states of the end of its answer.
 *
 * @param kept - Gets the field that a failed answer is made of.
 */
export function readEnd(state: Mutable<AnswerEnd>, kept: string[], event: ContextAnyEvent): void {
  if (event.kind === 'content-complete') {
    state.finishReason = event.finishReason ?? state.finishReason
    state.usage = withUsage(state.usage, event.metadata?.usage)
  } else if (event.kind === 'task-complete') {
    state.finishReason = event.metadata?.finishReason ?? state.finishReason
    state.usage = withUsage(null, event.metadata?.usage) ?? state.usage
  } else if (event.kind === 'task-status' && event.status === 'failed' && event.error === undefined)
    kept.push(event.message === undefined ? 'metadata.reason' : 'message')
}

/** Usage with that of further model calls. */
function withUsage(usage: Usage | null, models: readonly Usage[] = []): Usage | null {
  return models.reduce<Usage | null>((sum, model) => {
    const { inputTokens = 0, outputTokens = 0 } = model
    return sumUsage(sum ?? {}, { totalTokens: inputTokens + outputTokens, ...model })
  }, usage)
}
