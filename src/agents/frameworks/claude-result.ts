/** The result of a run of Claude: what it has used, and how it has ended. */

import type { EventDraft } from '../../emitter/event-draft.ts'
import type { Usage } from '../../events/usage.ts'
import { cleanJson } from '../../json/sanitize.ts'
import { type Fields, fieldsOf, isFields, sumOf, textOf } from '../../providers/shared/fields.ts'
import type { FrameworkRun } from './framework-run.ts'
import { usageOf } from './run-usage.ts'

/** What a result states. More may follow, such as when a subagent in the background ends. */
export interface ClaudeResult {
  readonly used: readonly Usage[]
  readonly costUsd?: number
  /** Why it has failed, and the text to it. */
  readonly failure?: string
  readonly text: string
  readonly structured?: unknown
}

export function resultOf(message: Fields): ClaudeResult {
  const { subtype, is_error, modelUsage, total_cost_usd: cost, result, structured_output } = message
  return {
    used: Object.entries(fieldsOf(modelUsage)).map(([model, used]) => usedBy(model, fieldsOf(used))),
    text: textOf(result),
    structured: structured_output,
    ...(typeof cost === 'number' && { costUsd: cost }),
    ...(is_error === true && { failure: textOf(subtype) }),
  }
}

/** Ends the task of a run as its last result states. */
export function endWith(run: FrameworkRun, result: ClaudeResult): EventDraft[] {
  const { used, costUsd, failure, text, structured } = result
  if (used.length > 0) run.usage = used
  const drafts: EventDraft[] = []
  if (structured != null) {
    const data = fieldsOf(cleanJson(isFields(structured) ? structured : { value: structured }))
    drafts.push({ kind: 'data-write', artifactId: 'structured_output', name: 'structured_output', data })
  }
  if (failure === undefined) {
    return [...drafts, ...run.end(undefined, costUsd === undefined ? {} : { costUsd })]
  }
  const isSpent = /^error_max_(turns|budget)/.test(failure)
  const message = isSpent ? 'The agent has used up its turns or its budget.' : 'The agent failed.'
  const code = isSpent ? 'budget_exhausted' : 'provider_error'
  return [...drafts, ...run.end(run.failure(message, { subtype: failure, message: text }, code))]
}

function usedBy(model: string, stated: Fields): Usage {
  const { cacheReadInputTokens: cached, cacheCreationInputTokens: written, outputTokens: output } = stated
  return { model, ...usageOf({ input: sumOf(stated.inputTokens, cached, written), output, cached, written }) }
}
