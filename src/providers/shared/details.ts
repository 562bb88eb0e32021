/** What a provider states about a response and no event has: it is part of the turn, as the provider wrote it. */

import { type Fields, fieldsOf, isFields, jsonTextOf } from './fields.ts'
import { hasSpace } from './limits.ts'
import type { ModelWriter } from './model-writer.ts'
import { cleaned } from './report.ts'

/** Keeps the fields with these names that have a value. The last value counts; of objects, that of each member. */
export function keepDetails(writer: ModelWriter, fields: Fields, names: readonly string[]): void {
  for (const name of names) if (isStated(fields[name])) keepDetail(writer, name, fields[name])
}

/** Keeps a value. */
export function keepDetail(writer: ModelWriter, name: string, value: unknown): void {
  const { details } = writer.state
  const known = details[name]
  if (known === value) return
  const next = isFields(value) && isFields(known) ? { ...fieldsOf(known), ...value } : value
  if (!hasSpace(writer, jsonTextOf(next).length - jsonTextOf(known).length)) return
  writer.state.details = { ...details, [name]: cleaned(writer, next, name) }
}

function isStated(value: unknown): boolean {
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** What of a usage is in the counts of events, in the usage or in its parts. */
const counted = new Set(
  'prompt_tokens completion_tokens total_tokens cached_tokens cache_write_tokens reasoning_tokens prompt_cache_hit_tokens input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens thinking_tokens promptTokenCount candidatesTokenCount thoughtsTokenCount cachedContentTokenCount toolUsePromptTokenCount totalTokenCount inputTokens outputTokens totalTokens cacheReadInputTokens cacheWriteInputTokens total_input_tokens total_output_tokens total_thought_tokens total_cached_tokens total_tool_use_tokens'.split(
    ' ',
  ),
)
const parts = /_details$|^tokens$/

/** What is stated of a usage beside what is counted: costs, times, the tokens of modalities. */
export function furtherUsage(usage: Fields): Fields {
  const further = Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
    if (counted.has(name) || !isStated(value) || value === 0) return []
    if (!isFields(value)) return [[name, value]]
    const inner = parts.test(name) ? furtherUsage(value) : value
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(further)
}
