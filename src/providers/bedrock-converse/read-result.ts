/** The results of tools that run at the provider. */

import type { Block } from '../shared/blocks.ts'
import { type Fields, jsonTextOf, objectsOf, textOf } from '../shared/fields.ts'
import { drop, hasSpace, keep, keepName } from '../shared/limits.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { cleaned } from '../shared/report.ts'
import { completeResult, type ServerResult } from '../shared/server-tools.ts'
import { MAX_ITEMS } from '../shared/state.ts'
import type { BedrockState, ResultState } from './state.ts'

type Writer = ModelWriter<BedrockState>

export function startResult(writer: Writer, { key }: Block, { toolUseId, type, status }: Fields): void {
  const { own } = writer.state
  const result: ResultState = {
    key,
    toolCallId: keepName(writer, textOf(toolUseId)),
    toolName: keepName(writer, textOf(type)).replace(/_?tool_result$/, '') || 'tool',
    isError: status === 'error',
    items: [],
  }
  writer.state.own = { ...own, results: [...own.results, result].slice(-MAX_ITEMS) }
}

export function addResult(writer: Writer, { key }: Block, pieces: unknown): void {
  const { own } = writer.state
  const added = objectsOf(pieces).map(({ text, json }) => {
    if (typeof text === 'string') return keep(writer, text)
    return hasSpace(writer, jsonTextOf(json).length) ? cleaned(writer, json, 'result') : null
  })
  const results = own.results.map((result) => {
    if (result.key !== key) return result
    const items = [...result.items, ...added]
    for (const item of items.splice(MAX_ITEMS)) drop(writer, 'block', jsonTextOf(item).length)
    return { ...result, items }
  })
  writer.state.own = { ...own, results }
}

/** Completes the call that the result of a block belongs to. */
export function endResult(writer: Writer, { key }: Block): void {
  const { own } = writer.state
  const result = own.results.find((other) => other.key === key)
  if (result === undefined) return
  writer.state.own = { ...own, results: own.results.filter((other) => other !== result) }
  const { toolCallId, toolName } = result
  completeResult(writer, key, { toolCallId, toolName }, outcomeOf(result))
}

/** Pieces of text are one text. */
function outcomeOf({ isError, items }: ResultState): ServerResult {
  const texts = items.filter((item) => typeof item === 'string')
  if (isError) return { success: false, error: texts.join('') || 'The tool failed.' }
  if (texts.length === items.length) return { success: true, result: texts.join('') }
  return { success: true, result: items.length === 1 ? items[0] : [...items] }
}
