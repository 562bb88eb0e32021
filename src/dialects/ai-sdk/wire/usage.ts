/** Token usage: events count by model, the AI SDK in one object with details. */

import type { Usage } from '../../../events/usage.ts'
import { addUsage as addOne, sumUsage, usageCounts } from '../../../events/usage-sum.ts'
import { type Fields, isFields } from '../../../validation/predicates.ts'
import { fieldsOf } from '../../../validation/read-fields.ts'

/** The usage of a message: the sum in the shape of the AI SDK, and each model if there are several. */
export interface UiUsage {
  inputTokens?: number
  outputTokens?: number
  totalTokens?: number
  reasoningTokens?: number
  cachedInputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number; cacheWriteTokens?: number }
  outputTokenDetails?: { reasoningTokens?: number }
  /** The usage of each model, with the names of events. */
  models?: Usage[]
}

/** The usage of a task in the shape of the AI SDK. */
export function toUiUsage(models: readonly Usage[]): UiUsage {
  const sum = models.reduce((all, one) => sumUsage(all, one), {} as Usage)
  const usage: UiUsage = {}
  for (const name of usageCounts) {
    const count = sum[name]
    if (count !== undefined && name !== 'cacheWriteInputTokens') usage[name] = count
  }
  const { cachedInputTokens: read, cacheWriteInputTokens: write, reasoningTokens } = sum
  if (read !== undefined || write !== undefined) {
    usage.inputTokenDetails = {
      ...(read !== undefined && { cacheReadTokens: read }),
      ...(write !== undefined && { cacheWriteTokens: write }),
    }
  }
  if (reasoningTokens !== undefined) usage.outputTokenDetails = { reasoningTokens }
  usage.models = models.map((one) => ({ ...one }))
  return usage
}

/** Usage by model, with that of one more call. */
export function addUsage(models: readonly Usage[], more: readonly Usage[]): readonly Usage[] {
  const all = more.reduce(addOne, models)
  // A task calls few models; more entries than that are counted by name of no model.
  return all.length <= MAX_MODELS ? all : [all.reduce((sum, one) => sumUsage(sum, one), {} as Usage)]
}

const MAX_MODELS = 64

/** The usage in the metadata of a message; `undefined` if it is not in the shape of the AI SDK, or ours. */
export function fromUiUsage(value: unknown): Usage[] | undefined {
  if (!isFields(value)) return undefined
  if (Array.isArray(value.models) && value.models.length > 0 && value.models.every(isUsage)) {
    return value.models as Usage[]
  }
  const input = fieldsOf(value.inputTokenDetails)
  const output = fieldsOf(value.outputTokenDetails)
  const usage: Usage = {}
  const all: Fields = {
    inputTokens: value.inputTokens,
    outputTokens: value.outputTokens,
    totalTokens: value.totalTokens,
    reasoningTokens: output.reasoningTokens ?? value.reasoningTokens,
    cachedInputTokens: input.cacheReadTokens ?? value.cachedInputTokens,
    cacheWriteInputTokens: input.cacheWriteTokens,
  }
  for (const name of usageCounts) {
    const count = all[name]
    if (isCount(count)) usage[name] = count
  }
  return Object.keys(usage).length === 0 ? undefined : [usage]
}

function isUsage(value: unknown): boolean {
  if (!isFields(value)) return false
  const { provider, model } = value
  const hasNames = [provider, model].every((name) => name === undefined || typeof name === 'string')
  return hasNames && usageCounts.every((name) => value[name] === undefined || isCount(value[name]))
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
