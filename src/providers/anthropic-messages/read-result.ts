/** The results of tools that run at the provider. */

import { type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { completeResult, type ServerResult } from '../shared/server-tools.ts'

/** Whether a block is the result of a tool. */
export function isResult({ type }: Fields): boolean {
  return textOf(type).endsWith('tool_result')
}

/**
 * Completes the call that a result belongs to: with its id, as other blocks may stand between the two. A response begins with the
 * results of the one before, if that has waited for tools of the application.
 */
export function readResult(writer: ModelWriter, key: string, index: unknown, block: Fields): void {
  const toolCallId = textOf(block.tool_use_id)
  const toolName = textOf(block.type).replace(/_?tool_result$/, '') || 'tool'
  const { calls } = writer.state
  const isDeferred = calls.length === index && calls.every((call) => call.key.endsWith(' result'))
  completeResult(writer, key, { toolCallId, toolName }, resultOf(block), isDeferred)
}

function resultOf({ content, is_error: isError }: Fields): ServerResult {
  const { type, error_code: code } = fieldsOf(content)
  if (isError !== true && !textOf(type).endsWith('_error')) return { success: true, result: content ?? null }
  const texts = objectsOf(content).map(({ text }) => textOf(text))
  return { success: false, error: firstText(code, content, texts.join('\n')) || 'The tool failed.' }
}
