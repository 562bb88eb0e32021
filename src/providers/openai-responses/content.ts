/** The items of a response as the next request sends them back. */

import { setContent } from '../shared/content.ts'
import { type Fields, textOf } from '../shared/fields.ts'
import type { ModelWriter } from '../shared/model-writer.ts'
import type { ResponsesState } from './state.ts'

type Writer = ModelWriter<ResponsesState>

/** Calls of the application's tools, and the names of those that the API defines. */
export const callTypes: ReadonlyMap<string, string> = new Map([
  ['function_call', ''],
  ['custom_tool_call', ''],
  ['tool_search_call', 'tool_search'],
  ['computer_call', 'computer'],
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
])

const labelPath = ['call_id']

/** Keeps an item that begins: if its end does not come, it is what was streamed of it. */
export function keepStart(writer: Writer, key: string, item: Fields): void {
  const { type, status: _, ...others } = item
  const known = { type, ...others }
  if (type === 'message') {
    const content = [{ type: 'output_text', text: '', annotations: [] }]
    const block = { role: 'assistant', ...known, status: 'incomplete', content }
    setContent(writer, key, block, { of: 'text', path: ['content', '0', 'text'], labelPath: [] })
  } else if (type === 'function_call') {
    setContent(writer, key, known, { of: 'call-text', path: ['arguments'], labelPath })
  } else if (type === 'custom_tool_call') {
    setContent(writer, key, known, { of: 'call-input', path: ['input'], labelPath })
  } else if (callTypes.has(textOf(type))) setContent(writer, key, known, { of: 'call', path: [], labelPath })
  else setContent(writer, key, null)
}

/** Keeps an item that has ended. A call without arguments at its end has those that were streamed. */
export function keepItem(writer: Writer, key: string, item: Fields): void {
  if (item.type === 'function_call' && item.arguments === '') {
    setContent(writer, key, item, { of: 'call-text', path: ['arguments'], labelPath })
    return
  }
  const of = callTypes.has(textOf(item.type)) ? 'call' : 'whole'
  setContent(writer, key, item, { of, path: [], labelPath })
}
