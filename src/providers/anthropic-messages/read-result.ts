/** The results of tools that run at the provider. */

import { type Fields, fieldsOf, firstText, objectsOf, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import { completeCall, type ServerResult } from '../shared/server-tools.ts'

/** Whether a block is the result of a tool. */
export function isResult({ type }: Fields): boolean {
  return textOf(type).endsWith('tool_result')
}

/** Completes the call that a result belongs to: with its id, as other blocks may stand between the two. */
export function readResult(writer: ModelWriter, key: string, block: Fields): void {
  const toolCallId = textOf(block.tool_use_id)
  const result = resultOf(block)
  const call = writer.state.calls.find(
    (other) => other.toolCallId === toolCallId && other.status === 'running',
  )
  if (call !== undefined) {
    completeCall(writer, call.key, {}, result)
    return
  }
  // The call was in the response before, which paused, or its start was lost.
  const toolName = textOf(block.type).replace(/_?tool_result$/, '') || 'tool'
  writer.inferred('tool-start', `Expected the call of a result, got none. It is one of the tool ${toolName}.`)
  const id = toolCallId === '' ? '' : `${toolCallId}-result`
  completeCall(writer, key, { toolCallId: id, toolName, server: 'provider' }, result)
}

function resultOf({ content, is_error: isError }: Fields): ServerResult {
  const { type, error_code: code } = fieldsOf(content)
  if (isError !== true && !textOf(type).endsWith('_error')) return { success: true, result: content ?? null }
  const texts = objectsOf(content).map(({ text }) => textOf(text))
  return { success: false, error: firstText(code, content, texts.join('\n')) || 'The tool failed.' }
}
